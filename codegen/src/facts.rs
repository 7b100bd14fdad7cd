//! What is known of a device where it changes the code written for it: its shape, its features, and what was
//! measured of its arithmetic.
//!
//! A device is not believed, it is probed: each row of `Fact` is the answer of a few operations run natively on
//! chosen inputs and compared with the law (`lang::eval`). `legalize` reads the answers; it rewrites an operation
//! whose fact does not hold, or refuses the kernel where nothing can replace it.
//!
//! Invariants
//! - Plain values: equal facts give equal code. Nothing here names a vendor or a driver.

use evenweave_lang::matrix::{Atom, wide::Wide};
use std::fmt;

/// How the logical subgroup of 32 lanes lies on the hardware.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lanes {
    /// Subgroups of exactly so many lanes, a power of two. Below 32 one invocation holds several logical lanes in
    /// registers; at 64 and above a subgroup holds several logical ones. 1: no native movement between lanes.
    Fixed(u32),
    /// The width is not known when a kernel is written: movements go through shared memory.
    Unknown,
}

/// Which products of small 2:4 matrices the hardware has, by how their rows lie over lanes (`lang::matrix`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Matrices {
    /// None: they are movements between lanes and sums of products.
    None,
    /// Those whose rows lie over quads of lanes.
    Quads,
    /// Those whose rows lie over the halves of a subgroup.
    Halves,
}

/// What the hardware and its driver offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Features {
    /// 64-bit integers.
    pub int64: bool,
    /// 64-bit floats.
    pub float64: bool,
    /// 16-bit integers in shared memory.
    pub int16: bool,
    /// Buffers of 8-bit elements.
    pub storage8: bool,
    /// Buffers of 16-bit elements.
    pub storage16: bool,
    /// Atomic updates of 64-bit integers in buffers and shared memory.
    pub atomics64: bool,
    /// Buffers addressed by 64-bit pointers.
    pub addresses: bool,
    /// Products of small matrices.
    pub matrices: Matrices,
    /// Products of a matrix in registers and one in shared memory, of four subgroups together.
    pub wide_matrices: bool,
    /// An operation that rounds f32 to bf16, to nearest even.
    pub narrow_bf16: bool,
}

/// The float controls that a module declares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Controls {
    /// Round to nearest even in f32.
    pub rte32: bool,
    /// Round to nearest even in f64.
    pub rte64: bool,
    /// Signed zeros, infinities and NaN are kept in f32.
    pub nan32: bool,
    /// The same in f64.
    pub nan64: bool,
    /// Subnormals are kept in f32.
    pub denorm32: bool,
    /// The same in f64.
    pub denorm64: bool,
    /// Subgroups meet again where control flow does (SPV_KHR_subgroup_uniform_control_flow).
    pub uniform_flow: bool,
}

macro_rules! facts {
    ($($(#[doc = $doc:literal])* $variant:ident $name:literal $holds:literal $else:literal;)*) => {
        /// Something that was measured of a device's arithmetic or memory.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Fact { $($(#[doc = $doc])* $variant,)* }

        impl Fact {
            /// Every row, in the order of the table.
            pub const ALL: &'static [Fact] = &[$(Fact::$variant,)*];
            /// The word in reports.
            pub const fn name(self) -> &'static str { match self { $(Fact::$variant => $name,)* } }
            /// What is so where it holds.
            pub const fn holds(self) -> &'static str { match self { $(Fact::$variant => $holds,)* } }
            /// What is done where it does not.
            pub const fn otherwise(self) -> &'static str { match self { $(Fact::$variant => $else,)* } }
            /// The row with this name.
            pub fn parse(name: &str) -> Option<Fact> { Fact::ALL.iter().copied().find(|f| f.name() == name) }
        }
    };
}

#[rustfmt::skip]
facts! {
    /// f32 + - * round to nearest even on normal numbers, infinities, NaN and zeros.
    Rounding     "rounding"       "f32 + - * round to nearest even"                    "the device is refused";
    /// `a * b + c` is two roundings in every shape.
    Uncontracted "uncontracted"   "a * b + c is never fused"                           "the device is refused";
    /// `(a + b) - a` and its like are computed as written.
    AsWritten    "as_written"     "sums and products are not rearranged"               "the device is refused";
    /// Sums with a zero that the module names keep the sign of a zero.
    ZeroTerm     "zero_term"      "a + 0.0, 0.0 - a and a / 0.0 are as written"          "a zero that is a constant is read at the launch";
    /// A selection between constants keeps the sign of a zero: not, where a driver that forgets dtypes makes `-float(!c)` of
    /// `c ? 0 : -1.0`.
    Selects      "selects"        "selections of constants keep all bits"              "an arm passes a zero that is read at the launch";
    /// `abs` makes +0.0 of -0.0: not, where a driver takes a root or a square for a number that has no sign.
    Magnitudes   "magnitudes"     "f32 abs clears every sign"                          "abs is an integer operation";
    /// Loops of many rounds end where they should.
    Loops        "loops"          "loops run to their end"                             "the device is refused";
    /// Loops whose rounds can be counted beforehand are run as written: not, where a driver that unrolls takes a wrong way out.
    Unrolled     "unrolled"       "loops are unrolled rightly, if they are"            "modules ask that no loop be unrolled";
    /// 32-bit integers: wrapping, shifts, division of magnitudes, multiplication to 64 bits, bit counts.
    Integers     "integers"       "32-bit integers are exact"                          "the device is refused";
    /// f32 comparisons and selections, also of NaN and zeros.
    Compares     "compares"       "f32 comparisons are exact"                          "the device is refused";
    /// A barrier orders shared memory and buffers for the group.
    Barrier      "barrier"        "a barrier orders shared memory"                     "the device is refused";
    /// 32-bit atomic updates return and leave what they should.
    Atomics      "atomics"        "32-bit atomics are exact"                           "the device is refused";
    /// Shuffles and ballots reach over the whole subgroup.
    Shuffles     "shuffles"       "shuffles and ballots reach the whole subgroup"      "lanes are moved through registers alone";
    /// f32 + - * fma and comparisons keep subnormal operands and results.
    Subnormals   "subnormals"     "f32 subnormals are kept"                            "f32 + - * fma and comparisons run in integers where a subnormal can occur";
    /// `fma` has one rounding in f32.
    Fma          "fma"            "f32 fma has one rounding"                           "f32 fma is a sequence";
    /// f32 quotients are correctly rounded.
    Div          "div"            "f32 division is correctly rounded"                  "f32 division is a sequence";
    /// f32 square roots are correctly rounded.
    Sqrt         "sqrt"           "f32 square roots are correctly rounded"             "f32 square roots are a sequence";
    /// f32 floor, ceil, trunc and round_even are exact.
    Round        "round"          "f32 floor, ceil, trunc, round_even are exact"       "they are integer sequences";
    /// i32 and u32 to f32 round to nearest even.
    FromInt      "from_int"       "32-bit integers to f32 round to nearest even"       "the conversion is an integer sequence";
    /// f32 to i32 and u32 truncates what is in range.
    ToInt        "to_int"         "f32 to 32-bit integers truncates"                   "the conversion is an integer sequence";
    /// All f16 become the right f32.
    WidenHalf    "widen_half"     "f16 to f32 is exact"                                "the conversion is an integer sequence";
    /// f32 to f16 rounds to nearest even: ties, subnormals, overflow.
    NarrowHalf   "narrow_half"    "f32 to f16 rounds to nearest even"                  "the conversion is an integer sequence";
    /// f32 to f16 is not fused with the arithmetic before it.
    NarrowAlone  "narrow_alone"   "f32 to f16 is never fused with a product or sum"    "the conversion is an integer sequence";
    /// f32 to f16 and back is rounded also where nothing else sees the f16.
    NarrowKept   "narrow_kept"    "f32 to f16 and back is rounded"                     "a zero that no driver knows stands between";
    /// 64-bit integers are exact.
    Integers64   "integers64"     "64-bit integers are exact"                          "they are pairs of 32-bit ones";
    /// f64 + - * round to nearest even and keep subnormals; comparisons are exact; f32 to f64 is exact.
    Double       "double"         "f64 + - * and comparisons are exact"                "kernels with f64 are refused";
    /// f64 quotients are correctly rounded.
    DoubleDiv    "double_div"     "f64 division is correctly rounded"                  "f64 division is an integer sequence";
    /// f64 square roots are correctly rounded.
    DoubleSqrt   "double_sqrt"    "f64 square roots are correctly rounded"             "f64 square roots are an integer sequence";
    /// `fma` has one rounding in f64.
    DoubleFma    "double_fma"     "f64 fma has one rounding"                           "f64 fma is an integer sequence";
    /// f64 floor, ceil, trunc and round_even are exact.
    DoubleRound  "double_round"   "f64 floor, ceil, trunc, round_even are exact"       "they are integer sequences";
    /// f64 to f32 rounds to nearest even, subnormal results included.
    DoubleNarrow "double_narrow"  "f64 to f32 rounds to nearest even"                  "the conversion is an integer sequence";
    /// Conversions between f64 and integers, 32-bit ones and, where there are any, 64-bit ones.
    DoubleInt    "double_int"     "f64 to and from integers is exact"                  "the conversions are integer sequences";
    /// Products of small 2:4 matrices, where the device has any: each lane gives and takes what the layout says.
    Matrices     "matrices"       "products of small matrices are laid out as the law says" "they are movements between lanes and sums";
    /// Products of a 2:4 matrix in registers and one in shared memory, where the device has any: all is where the layout says.
    WideMatrices "wide_matrices"  "products with shared memory are laid out as the law says" "they are loops of movements and sums";
}

/// Facts that hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FactSet(u64);

impl FactSet {
    /// None.
    pub const NONE: FactSet = FactSet(0);
    /// Every one: a device that is believed.
    pub const ALL: FactSet = FactSet((1 << Fact::ALL.len()) - 1);

    /// Whether the fact holds.
    pub const fn has(self, fact: Fact) -> bool {
        self.0 >> fact as u32 & 1 == 1
    }

    /// The set with the fact, or without it.
    pub const fn with(self, fact: Fact, holds: bool) -> FactSet {
        let bit = 1 << fact as u32;
        FactSet(if holds { self.0 | bit } else { self.0 & !bit })
    }
}

/// All that is known of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Facts {
    /// Its subgroups.
    pub lanes: Lanes,
    /// Invocations of a group, at most.
    pub max_invocations: u32,
    /// Bytes of shared memory of a group, at most.
    pub max_shared_bytes: u32,
    /// What it offers.
    pub features: Features,
    /// What modules for it declare.
    pub controls: Controls,
    /// What was measured.
    pub holds: FactSet,
}

impl Facts {
    /// A device that has everything and does everything right, with subgroups of 32.
    pub const IDEAL: Facts = Facts {
        lanes: Lanes::Fixed(32),
        max_invocations: 1024,
        max_shared_bytes: 32 << 10,
        features: Features {
            int64: true,
            float64: true,
            int16: true,
            storage8: true,
            storage16: true,
            atomics64: true,
            addresses: true,
            matrices: Matrices::None,
            wide_matrices: false,
            narrow_bf16: false,
        },
        controls: Controls {
            rte32: false,
            rte64: false,
            nan32: false,
            nan64: false,
            denorm32: false,
            denorm64: false,
            uniform_flow: false,
        },
        holds: FactSet::ALL,
    };

    /// A device with nothing beyond what every Vulkan 1.2 device has: 32-bit types, 128 invocations, 16 KiB of
    /// shared memory, subgroups of unknown width, and of its floats only + - * and comparisons of normal numbers.
    pub const LEAST: Facts = Facts {
        lanes: Lanes::Unknown,
        max_invocations: 128,
        max_shared_bytes: 16 << 10,
        features: Features {
            int64: false,
            float64: false,
            int16: false,
            storage8: false,
            storage16: false,
            atomics64: false,
            addresses: false,
            matrices: Matrices::None,
            wide_matrices: false,
            narrow_bf16: false,
        },
        controls: Facts::IDEAL.controls,
        holds: FactSet::NONE
            .with(Fact::Rounding, true)
            .with(Fact::Uncontracted, true)
            .with(Fact::AsWritten, true)
            .with(Fact::Loops, true)
            .with(Fact::Integers, true)
            .with(Fact::Compares, true)
            .with(Fact::Barrier, true)
            .with(Fact::Atomics, true),
    };

    /// What the makers of CUDA promise, from compute capability 7.5 on.
    pub const CUDA: Facts = Facts {
        max_shared_bytes: 48 << 10,
        features: Features { narrow_bf16: true, ..Facts::IDEAL.features },
        ..Facts::IDEAL
    };

    /// What AMD promises for HIP, with subgroups of 32 lanes.
    pub const HIP: Facts = Facts { max_shared_bytes: 64 << 10, ..Facts::IDEAL };

    /// What Metal promises: no 64-bit floats, and no subnormals.
    pub const METAL: Facts = Facts {
        features: Features { float64: false, atomics64: false, ..Facts::IDEAL.features },
        holds: FactSet::ALL.with(Fact::Subnormals, false),
        ..Facts::IDEAL
    };

    /// Whether the fact holds.
    pub const fn has(&self, fact: Fact) -> bool {
        self.holds.has(fact)
    }

    /// Whether the device has a product of small matrices.
    pub fn has_matrix(&self, atom: Atom) -> bool {
        let is_there = match self.features.matrices {
            Matrices::None => false,
            Matrices::Quads => atom.quads(),
            Matrices::Halves => !atom.quads(),
        };
        is_there && self.has(Fact::Matrices)
    }

    /// Whether the device has a product of a matrix in registers and one in shared memory.
    pub fn has_wide(&self, _: Wide) -> bool {
        self.features.wide_matrices && self.has(Fact::WideMatrices)
    }

    /// Whether 64-bit integers are pairs of words.
    pub const fn splits_integers(&self) -> bool {
        !self.features.int64 || !self.has(Fact::Integers64)
    }
}

impl fmt::Display for Lanes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lanes::Fixed(lanes) => write!(f, "{lanes}"),
            Lanes::Unknown => f.write_str("unknown"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_what_was_put_into_it() {
        for &fact in Fact::ALL {
            assert!(FactSet::ALL.has(fact) && !FactSet::NONE.has(fact), "{}", fact.name());
            assert!(!FactSet::ALL.with(fact, false).has(fact));
            assert_eq!(FactSet::ALL.with(fact, false).with(fact, true), FactSet::ALL);
            assert_eq!(Fact::parse(fact.name()), Some(fact));
        }
    }
}
