//! The rows of the operation tables as functions, and the leaf operations without a table.
//!
//! Invariants
//! - There is one function a row, under the row's name (`fast_exp` is `fast::exp`), and it takes the dtypes
//!   that the row takes; a test walks the tables.

use crate::{
    ir::Op,
    matrix::{Atom, wide::Wide},
    memory::{Private, Shared},
    ops::{BinaryOp, IdOp, UnaryOp},
    stage,
    val::{Bits, Float, Int, IntoVal, Numeric, Real, Scalar, Signed, Val, binary, unary},
};

/// The row `op` of one operand, for code written over the table. A dtype that the row does not take is a fault
/// of staging.
#[track_caller]
pub fn unary_row<T: Scalar>(op: UnaryOp, x: impl IntoVal<T>) -> Val<T> {
    unary(op, x)
}

/// The row `op` of two operands, for code written over the table. A dtype that the row does not take is a fault
/// of staging.
#[track_caller]
pub fn binary_row<T: Scalar>(op: BinaryOp, a: impl IntoVal<T>, b: impl IntoVal<T>) -> Val<T> {
    binary(op, a, b)
}

macro_rules! unary_functions {
    ($($(#[doc = $doc:literal])* $name:ident $op:ident $bound:ident;)*) => { $(
        $(#[doc = $doc])*
        #[track_caller]
        pub fn $name<T: $bound>(x: impl IntoVal<T>) -> Val<T> { unary(UnaryOp::$op, x) }
    )*
        #[cfg(test)]
        pub(super) const UNARY: &[(UnaryOp, &str, &str)] =
            &[$((UnaryOp::$op, stringify!($name), stringify!($bound)),)*];
    };
}
unary_functions! {
    /// Negation; wraps for the least integer.
    neg Neg Signed;
    /// Magnitude; wraps for the least integer.
    abs Abs Signed;
    /// Bitwise complement; logical for `bool`.
    not Not Bits;
    /// Number of one bits.
    count_ones CountOnes Int;
    /// Zero bits above the highest one; the width for 0.
    leading_zeros LeadingZeros Int;
    /// Zero bits below the lowest one; the width for 0.
    trailing_zeros TrailingZeros Int;
    /// Largest integral value not above.
    floor Floor Float;
    /// Smallest integral value not below.
    ceil Ceil Float;
    /// Integral part, towards zero.
    trunc Trunc Float;
    /// Nearest integral value, halves to even.
    round_even RoundEven Float;
    /// Square root, correctly rounded.
    sqrt Sqrt Float;
    /// `1 / sqrt(x)`, correctly rounded.
    rsqrt Rsqrt Float;
    /// `1 / x`, correctly rounded.
    recip Recip Float;
    /// e^x.
    exp Exp Real;
    /// 2^x.
    exp2 Exp2 Real;
    /// e^x - 1.
    expm1 Expm1 Real;
    /// Natural logarithm.
    log Log Real;
    /// Logarithm to base 2.
    log2 Log2 Real;
    /// Logarithm to base 10.
    log10 Log10 Real;
    /// log(1 + x).
    log1p Log1p Real;
    /// Sine of radians.
    sin Sin Real;
    /// Cosine of radians.
    cos Cos Real;
    /// Tangent of radians.
    tan Tan Real;
    /// Arc sine.
    asin Asin Real;
    /// Arc cosine.
    acos Acos Real;
    /// Arc tangent.
    atan Atan Real;
    /// Hyperbolic sine.
    sinh Sinh Real;
    /// Hyperbolic cosine.
    cosh Cosh Real;
    /// Hyperbolic tangent.
    tanh Tanh Real;
    /// Inverse hyperbolic sine.
    asinh Asinh Real;
    /// Inverse hyperbolic cosine.
    acosh Acosh Real;
    /// Inverse hyperbolic tangent.
    atanh Atanh Real;
    /// 1 / (1 + e^-x).
    sigmoid Sigmoid Real;
    /// x * sigmoid(x).
    silu Silu Real;
    /// GELU by its tanh formula.
    gelu_tanh GeluTanh Real;
    /// GELU by its erf formula.
    gelu_erf GeluErf Real;
    /// log(1 + e^x).
    softplus Softplus Real;
    /// Error function.
    erf Erf Real;
    /// Inverse of the error function.
    erfinv Erfinv Real;
}

/// The device's own approximations: a kernel that uses one is `bounded`.
pub mod fast {
    use super::*;
    unary_functions! {
        /// The device's own fast e^x.
        exp FastExp Real;
        /// The device's own fast natural logarithm.
        log FastLog Real;
        /// The device's own fast `1 / x`.
        recip FastRecip Real;
        /// The device's own fast `1 / sqrt(x)`.
        rsqrt FastRsqrt Real;
    }

    /// As `matrix`, of floats: hardware adds the terms in an order of its own.
    ///
    /// # Panics
    /// On an atom of integers.
    #[track_caller]
    pub fn matrix(
        atom: Atom,
        a: &[Val<u32>],
        b: &[Val<u32>],
        c: &[Val<f32>],
        places: Val<u32>,
    ) -> Vec<Val<f32>> {
        assert!(atom.is_float(), "{}: sums of integers are exact", atom.name());
        crate::lanes::staged_matrix(atom, a, b, c, places)
    }

    /// As `wide_matrix`, of floats: hardware adds the terms in an order of its own.
    ///
    /// # Panics
    /// On a product of integers.
    #[track_caller]
    pub fn wide_matrix(
        wide: Wide,
        sums: Private<f32>,
        a: &[Val<u32>],
        places: &[Val<u32>],
        tile: Shared<u32>,
    ) {
        assert!(wide.is_float(), "{}: sums of integers are exact", wide.name());
        crate::lanes::staged_wide(wide, sums, a, places, tile);
    }
}

macro_rules! binary_functions {
    ($($(#[doc = $doc:literal])* $name:ident $op:ident $bound:ident;)*) => { $(
        $(#[doc = $doc])*
        #[track_caller]
        pub fn $name<T: $bound>(a: impl IntoVal<T>, b: impl IntoVal<T>) -> Val<T> {
            binary(BinaryOp::$op, a, b)
        }
    )*
        #[cfg(test)]
        const BINARY: &[(BinaryOp, &str, &str)] =
            &[$((BinaryOp::$op, stringify!($name), stringify!($bound)),)*];
    };
}
binary_functions! {
    /// `a + b`.
    add Add Numeric;
    /// `a - b`.
    sub Sub Numeric;
    /// `a * b`.
    mul Mul Numeric;
    /// `a / b`.
    div Div Numeric;
    /// `a % b`.
    rem Rem Numeric;
    /// IEEE 754-2019 minimum: NaN wins, -0 < +0.
    min Min Numeric;
    /// IEEE 754-2019 maximum: NaN wins, -0 < +0.
    max Max Numeric;
    /// IEEE 754-2019 minimumNumber: NaN loses.
    min_num MinNum Float;
    /// IEEE 754-2019 maximumNumber: NaN loses.
    max_num MaxNum Float;
    /// Upper half of the double-width product.
    mul_high MulHigh Int;
    /// `a & b`.
    and And Bits;
    /// `a | b`.
    or Or Bits;
    /// `a ^ b`.
    xor Xor Bits;
    /// `a << b`, the count modulo the width.
    shl Shl Int;
    /// `a >> b`, the count modulo the width.
    shr Shr Int;
    /// a to the power b.
    pow Pow Real;
    /// Angle of the point (b, a).
    atan2 Atan2 Real;
}

/// `a * b + c` with one rounding.
#[track_caller]
pub fn fma<T: Float>(a: impl IntoVal<T>, b: impl IntoVal<T>, c: impl IntoVal<T>) -> Val<T> {
    let (a, b, c) = (a.into_val(), b.into_val(), c.into_val());
    Val::push(Op::Fma(a.ir(), b.ir(), c.ir()))
}

/// `a` where `condition` holds, else `b`. Both are computed.
#[track_caller]
pub fn select<T: Scalar>(
    condition: impl IntoVal<bool>,
    a: impl IntoVal<T>,
    b: impl IntoVal<T>,
) -> Val<T> {
    let (condition, a, b) = (condition.into_val(), a.into_val(), b.into_val());
    Val::push(Op::Select(condition.ir(), a.ir(), b.ir()))
}

macro_rules! ids {
    ($($(#[doc = $doc:literal])* $name:ident $op:ident;)*) => { $(
        $(#[doc = $doc])*
        #[track_caller]
        pub fn $name() -> Val<u32> { Val::push(Op::Id(IdOp::$op)) }
    )* };
}
ids! {
    /// The thread's place in the grid along x.
    global_id GlobalX;
    /// The thread's place in the grid along y.
    global_id_y GlobalY;
    /// The thread's place in the grid along z.
    global_id_z GlobalZ;
    /// The group's place in the grid along x.
    group_id GroupX;
    /// The group's place in the grid along y.
    group_id_y GroupY;
    /// The group's place in the grid along z.
    group_id_z GroupZ;
    /// The thread's place in its group along x.
    local_id LocalX;
    /// The thread's place in its group along y.
    local_id_y LocalY;
    /// The thread's place in its group along z.
    local_id_z LocalZ;
    /// Threads of a group along x.
    group_size GroupSizeX;
    /// Threads of a group along y.
    group_size_y GroupSizeY;
    /// Threads of a group along z.
    group_size_z GroupSizeZ;
    /// Groups of the grid along x.
    grid_size GridX;
    /// Groups of the grid along y.
    grid_size_y GridY;
    /// Groups of the grid along z.
    grid_size_z GridZ;
    /// The thread's place in its group, counted through.
    thread_id Thread;
    /// The thread's place in its subgroup, 0 to 31.
    lane Lane;
    /// The subgroup's place in its group.
    subgroup_id SubgroupId;
    /// Subgroups of the group.
    subgroups Subgroups;
}

/// All threads of the group meet; what they wrote before is visible to all of them after.
#[track_caller]
pub fn barrier() {
    stage::push_unit(Op::Barrier);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::Accepts;

    fn accepts(bound: &str) -> Accepts {
        match bound {
            "Numeric" => Accepts::Num,
            "Float" => Accepts::Float,
            "Real" => Accepts::Real,
            "Int" => Accepts::Int,
            "Signed" => Accepts::Neg,
            "Bits" => Accepts::Bits,
            other => panic!("no set of dtypes for {other}"),
        }
    }

    #[test]
    fn every_row_has_its_function() {
        let fast = fast::UNARY.iter().map(|&(op, name, bound)| (op, format!("fast_{name}"), bound));
        let plain = UNARY.iter().map(|&(op, name, bound)| (op, name.to_string(), bound));
        let rows: Vec<_> = plain.chain(fast).collect();
        assert_eq!(rows.iter().map(|r| r.0).collect::<Vec<_>>(), UnaryOp::ALL);
        for (op, name, bound) in rows {
            assert_eq!((op.name(), op.accepts()), (name.as_str(), accepts(bound)));
        }
        assert_eq!(BINARY.iter().map(|r| r.0).collect::<Vec<_>>(), BinaryOp::ALL);
        for &(op, name, bound) in BINARY {
            assert_eq!((op.name(), op.accepts()), (name, accepts(bound)));
        }
    }
}
