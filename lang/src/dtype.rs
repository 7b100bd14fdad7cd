//! The data types, one row each.
//!
//! Invariants
//! - A *value* dtype is what an SSA value may have; a *storage* dtype exists in buffers only.
//! - `DType::value` of a value dtype is itself; of a storage dtype it is the value dtype that a load yields.
//! - Counts are in logical elements. There is no `size_bytes`: below eight bits it has no answer.

use std::fmt;

/// What kind of number a dtype holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Truth values.
    Bool,
    /// Two's complement integers.
    Signed,
    /// Unsigned integers.
    Unsigned,
    /// IEEE-like floats.
    Float,
}

macro_rules! dtypes {
    ($($(#[doc = $doc:literal])* $variant:ident $name:literal $bits:literal $class:ident => $value:ident;)*) => {
        /// A data type.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum DType { $($(#[doc = $doc])* $variant,)* }

        impl DType {
            /// Every dtype, in the order of the table.
            pub const ALL: &'static [DType] = &[$(DType::$variant,)*];

            /// The one spelling: in IR text, kernel names, cache keys, arguments and reports.
            pub const fn name(self) -> &'static str { match self { $(DType::$variant => $name,)* } }
            /// Bits of one logical element in memory. A `bool` takes a byte.
            #[inline]
            pub const fn bits(self) -> u32 { match self { $(DType::$variant => $bits,)* } }
            /// The kind of number.
            #[inline]
            pub const fn class(self) -> Class { match self { $(DType::$variant => Class::$class,)* } }
            /// The dtype that a load of this one yields, and that a store takes.
            #[inline]
            pub const fn value(self) -> DType { match self { $(DType::$variant => DType::$value,)* } }
        }
    };
}

#[rustfmt::skip]
dtypes! {
    /// A truth value; one byte in memory, 0 or 1.
    Bool   "bool"   8  Bool     => Bool;
    /// Two's complement nibble, storage only; the low nibble comes first.
    I4     "i4"     4  Signed   => I32;
    /// Unsigned nibble, storage only; the low nibble comes first.
    U4     "u4"     4  Unsigned => U32;
    /// 8-bit two's complement.
    I8     "i8"     8  Signed   => I8;
    /// 8-bit unsigned.
    U8     "u8"     8  Unsigned => U8;
    /// 16-bit two's complement.
    I16    "i16"    16 Signed   => I16;
    /// 16-bit unsigned.
    U16    "u16"    16 Unsigned => U16;
    /// 32-bit two's complement.
    I32    "i32"    32 Signed   => I32;
    /// 32-bit unsigned.
    U32    "u32"    32 Unsigned => U32;
    /// 64-bit two's complement.
    I64    "i64"    64 Signed   => I64;
    /// 64-bit unsigned.
    U64    "u64"    64 Unsigned => U64;
    /// OCP E2M1, storage only: 0, .5, 1, 1.5, 2, 3, 4, 6 and their negatives; the low nibble comes first.
    F4E2M1 "f4e2m1" 4  Float    => F32;
    /// OCP E4M3, storage only: bias 7, largest 448, no infinity, NaN 0x7f.
    F8E4M3 "f8e4m3" 8  Float    => F32;
    /// OCP E5M2, storage only: the upper byte of an f16, largest finite 57344.
    F8E5M2 "f8e5m2" 8  Float    => F32;
    /// OCP E8M0 scale, storage only: 2^(code - 127), NaN 0xff.
    F8E8M0 "f8e8m0" 8  Float    => F32;
    /// IEEE binary16.
    F16    "f16"    16 Float    => F16;
    /// The upper half of a binary32.
    BF16   "bf16"   16 Float    => BF16;
    /// IEEE binary32.
    F32    "f32"    32 Float    => F32;
    /// IEEE binary64.
    F64    "f64"    64 Float    => F64;
}

impl DType {
    /// Whether SSA values may have this dtype.
    pub const fn is_value(self) -> bool {
        self as u8 == self.value() as u8
    }

    /// Whether it is a float, stored or computed with.
    pub const fn is_float(self) -> bool {
        matches!(self.class(), Class::Float)
    }

    /// Whether it is an integer, signed or not; `bool` is none.
    pub const fn is_int(self) -> bool {
        matches!(self.class(), Class::Signed | Class::Unsigned)
    }

    /// Whether it is a signed integer.
    pub const fn is_signed(self) -> bool {
        matches!(self.class(), Class::Signed)
    }

    /// The bits of the one NaN that operations yield; `None` for a dtype that is no value float.
    pub const fn canonical_nan(self) -> Option<u64> {
        match self {
            DType::F16 => Some(0x7e00),
            DType::BF16 => Some(0x7fc0),
            DType::F32 => Some(0x7fc0_0000),
            DType::F64 => Some(0x7ff8_0000_0000_0000),
            DType::Bool
            | DType::I4
            | DType::U4
            | DType::I8
            | DType::U8
            | DType::I16
            | DType::U16
            | DType::I32
            | DType::U32
            | DType::I64
            | DType::U64
            | DType::F4E2M1
            | DType::F8E4M3
            | DType::F8E5M2
            | DType::F8E8M0 => None,
        }
    }

    /// Bytes that hold `elems` elements packed end to end; `None` past 2^64.
    pub const fn bytes_for(self, elems: u64) -> Option<u64> {
        match elems.checked_mul(self.bits() as u64) {
            Some(bits) => Some(bits.div_ceil(8)),
            None => None,
        }
    }

    /// The dtype with this name.
    pub fn parse(name: &str) -> Option<DType> {
        DType::ALL.iter().copied().find(|d| d.name() == name)
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_logical() {
        assert_eq!(DType::U4.bytes_for(3), Some(2));
        assert_eq!(DType::F16.bytes_for(3), Some(6));
        assert_eq!(DType::F64.bytes_for(u64::MAX), None);
    }

    #[test]
    fn a_load_yields_a_value_dtype() {
        for &d in DType::ALL {
            assert!(d.value().is_value(), "{d}");
            assert_eq!(DType::parse(d.name()), Some(d));
        }
    }
}
