//! The tables of leaf operations: one row declares an operation once.
//!
//! A row is the IR's variant, the author's (and the text form's) name, the dtypes it takes, its tier, its
//! promise in ULP, and how the CPU device runs it: `Native`, or `Legalize` into other rows.
//! What an operation computes is `eval`'s business for native rows and `math`'s for legalised ones.
//!
//! Invariants
//! - An `Exact` row has one right answer; a `Same` row is a fixed sequence of exact ones.
//! - Only a `fast_` row is `Bounded`.

use crate::dtype::{Class, DType};

/// How far devices agree on an operation's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// One right answer: the same bits on every device.
    Exact,
    /// A fixed sequence of exact operations: the same bits on every device, error bound in ULP.
    Same,
    /// Within a stated error of the reference; bits may differ between devices.
    Bounded,
}

impl Tier {
    /// The word used in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Tier::Exact => "exact",
            Tier::Same => "same",
            Tier::Bounded => "bounded",
        }
    }
}

/// How a device runs an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// The device has it.
    Native,
    /// `legalize` writes it in other operations.
    Legalize,
}

/// The set of value dtypes that an operation takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accepts {
    /// Integers and floats.
    Num,
    /// f16, bf16, f32, f64.
    Float,
    /// f16, bf16, f32: those with elementary functions.
    Real,
    /// Integers.
    Int,
    /// Signed integers and floats.
    Neg,
    /// Integers and `bool`.
    Bits,
}

impl Accepts {
    /// Whether `dtype` is in the set. Storage dtypes are in none.
    pub fn holds(self, dtype: DType) -> bool {
        if !dtype.is_value() {
            return false;
        }
        match self {
            Accepts::Num => dtype.is_int() || dtype.is_float(),
            Accepts::Float => dtype.is_float(),
            Accepts::Real => dtype.is_float() && dtype != DType::F64,
            Accepts::Int => dtype.is_int(),
            Accepts::Neg => dtype.is_float() || dtype.is_signed(),
            Accepts::Bits => dtype.is_int() || dtype.class() == Class::Bool,
        }
    }

    /// The set in words, for messages.
    pub const fn words(self) -> &'static str {
        match self {
            Accepts::Num => "an integer or a float",
            Accepts::Float => "a float",
            Accepts::Real => "f16, bf16 or f32",
            Accepts::Int => "an integer",
            Accepts::Neg => "a signed integer or a float",
            Accepts::Bits => "an integer or bool",
        }
    }
}

macro_rules! op_table {
    ($(#[$meta:meta])* $table:ident; $($(#[doc = $doc:literal])* $variant:ident $name:literal $accepts:ident $tier:ident $ulp:literal $cpu:ident;)*) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $table { $($(#[doc = $doc])* $variant,)* }

        impl $table {
            /// Every row, in the order of the table.
            pub const ALL: &'static [$table] = &[$($table::$variant,)*];
            /// The name in the language and in the text form.
            pub const fn name(self) -> &'static str { match self { $($table::$variant => $name,)* } }
            /// The value dtypes it takes.
            pub const fn accepts(self) -> Accepts { match self { $($table::$variant => Accepts::$accepts,)* } }
            /// How far devices agree.
            pub const fn tier(self) -> Tier { match self { $($table::$variant => Tier::$tier,)* } }
            /// Largest error in f32, in units in the last place; 0.5 is correct rounding, 0 is exact.
            pub const fn ulp(self) -> f64 { match self { $($table::$variant => $ulp,)* } }
            /// How the CPU device runs it in f32, f64 and integers.
            pub const fn cpu(self) -> Spelling { match self { $($table::$variant => Spelling::$cpu,)* } }
            /// The row with this name.
            pub fn parse(name: &str) -> Option<$table> { $table::ALL.iter().copied().find(|op| op.name() == name) }
        }
    };
}

#[rustfmt::skip]
op_table! {
    /// Operations of one value; the result has the operand's dtype.
    UnaryOp;
    // variant     name           takes  tier    ulp   cpu
    /// Negation; wraps for the least integer, flips the sign bit of a float.
    Neg           "neg"           Neg    Exact   0.0   Native;
    /// Magnitude; wraps for the least integer, clears the sign bit of a float.
    Abs           "abs"           Neg    Exact   0.0   Native;
    /// Bitwise complement; logical for `bool`.
    Not           "not"           Bits   Exact   0.0   Native;
    /// Number of one bits.
    CountOnes     "count_ones"    Int    Exact   0.0   Native;
    /// Zero bits above the highest one; the width for 0.
    LeadingZeros  "leading_zeros" Int    Exact   0.0   Native;
    /// Zero bits below the lowest one; the width for 0.
    TrailingZeros "trailing_zeros" Int   Exact   0.0   Native;
    /// Largest integral value not above.
    Floor         "floor"         Float  Exact   0.0   Native;
    /// Smallest integral value not below.
    Ceil          "ceil"          Float  Exact   0.0   Native;
    /// Integral part, towards zero.
    Trunc         "trunc"         Float  Exact   0.0   Native;
    /// Nearest integral value, halves to even.
    RoundEven     "round_even"    Float  Exact   0.0   Native;
    /// Square root, correctly rounded.
    Sqrt          "sqrt"          Float  Exact   0.5   Native;
    /// `1 / sqrt(x)`, correctly rounded.
    Rsqrt         "rsqrt"         Float  Exact   0.5   Native;
    /// `1 / x`, correctly rounded.
    Recip         "recip"         Float  Exact   0.5   Native;
    /// e^x.
    Exp           "exp"           Real   Same    0.9   Legalize;
    /// 2^x.
    Exp2          "exp2"          Real   Same    0.8   Legalize;
    /// e^x - 1.
    Expm1         "expm1"         Real   Same    0.82  Legalize;
    /// Natural logarithm.
    Log           "log"           Real   Same    0.94  Legalize;
    /// Logarithm to base 2.
    Log2          "log2"          Real   Same    0.92  Legalize;
    /// Logarithm to base 10.
    Log10         "log10"         Real   Same    1.09  Legalize;
    /// log(1 + x).
    Log1p         "log1p"         Real   Same    1.27  Legalize;
    /// Sine of radians, whole range.
    Sin           "sin"           Real   Same    1.5   Legalize;
    /// Cosine of radians, whole range.
    Cos           "cos"           Real   Same    1.5   Legalize;
    /// Tangent of radians, whole range.
    Tan           "tan"           Real   Same    1.26  Legalize;
    /// Arc sine.
    Asin          "asin"          Real   Same    0.63  Legalize;
    /// Arc cosine.
    Acos          "acos"          Real   Same    1.06  Legalize;
    /// Arc tangent.
    Atan          "atan"          Real   Same    1.38  Legalize;
    /// Hyperbolic sine.
    Sinh          "sinh"          Real   Same    0.74  Legalize;
    /// Hyperbolic cosine.
    Cosh          "cosh"          Real   Same    0.65  Legalize;
    /// Hyperbolic tangent.
    Tanh          "tanh"          Real   Same    1.38  Legalize;
    /// Inverse hyperbolic sine.
    Asinh         "asinh"         Real   Same    0.84  Legalize;
    /// Inverse hyperbolic cosine.
    Acosh         "acosh"         Real   Same    0.85  Legalize;
    /// Inverse hyperbolic tangent.
    Atanh         "atanh"         Real   Same    0.64  Legalize;
    /// 1 / (1 + e^-x).
    Sigmoid       "sigmoid"       Real   Same    1.48  Legalize;
    /// x * sigmoid(x).
    Silu          "silu"          Real   Same    0.61  Legalize;
    /// x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))).
    GeluTanh      "gelu_tanh"     Real   Same    0.6   Legalize;
    /// x/2 (1 + erf(x / sqrt 2)).
    GeluErf       "gelu_erf"      Real   Same    1.26  Legalize;
    /// log(1 + e^x).
    Softplus      "softplus"      Real   Same    0.89  Legalize;
    /// Error function.
    Erf           "erf"           Real   Same    1.08  Legalize;
    /// Inverse of the error function.
    Erfinv        "erfinv"        Real   Same    0.82  Legalize;
    /// The device's own fast e^x.
    FastExp       "fast_exp"      Real   Bounded 4.0   Legalize;
    /// The device's own fast natural logarithm.
    FastLog       "fast_log"      Real   Bounded 4.0   Legalize;
    /// The device's own fast `1 / x`.
    FastRecip     "fast_recip"    Real   Bounded 4.0   Legalize;
    /// The device's own fast `1 / sqrt(x)`.
    FastRsqrt     "fast_rsqrt"    Real   Bounded 4.0   Legalize;
}

#[rustfmt::skip]
op_table! {
    /// Operations of two values of one dtype; the result has it too.
    BinaryOp;
    // variant  name       takes  tier  ulp  cpu
    /// Sum; wraps in integers.
    Add        "add"       Num    Exact 0.5  Native;
    /// Difference; wraps in integers.
    Sub        "sub"       Num    Exact 0.5  Native;
    /// Product; wraps in integers.
    Mul        "mul"       Num    Exact 0.5  Native;
    /// Quotient, correctly rounded; integers truncate, x/0 is all ones, MIN/-1 is MIN.
    Div        "div"       Num    Exact 0.5  Native;
    /// Remainder with the dividend's sign (exact `fmod` for floats); integer x%0 is x, MIN%-1 is 0.
    Rem        "rem"       Num    Exact 0.0  Native;
    /// IEEE 754-2019 minimum: NaN wins, -0 < +0.
    Min        "min"       Num    Exact 0.0  Native;
    /// IEEE 754-2019 maximum: NaN wins, -0 < +0.
    Max        "max"       Num    Exact 0.0  Native;
    /// IEEE 754-2019 minimumNumber: NaN loses.
    MinNum     "min_num"   Float  Exact 0.0  Native;
    /// IEEE 754-2019 maximumNumber: NaN loses.
    MaxNum     "max_num"   Float  Exact 0.0  Native;
    /// Upper half of the double-width product.
    MulHigh    "mul_high"  Int    Exact 0.0  Native;
    /// Bitwise and; logical for `bool`.
    And        "and"       Bits   Exact 0.0  Native;
    /// Bitwise or; logical for `bool`.
    Or         "or"        Bits   Exact 0.0  Native;
    /// Bitwise exclusive or; logical for `bool`.
    Xor        "xor"       Bits   Exact 0.0  Native;
    /// Shift left; the count is taken modulo the width.
    Shl        "shl"       Int    Exact 0.0  Native;
    /// Shift right, arithmetic for signed dtypes; the count is taken modulo the width.
    Shr        "shr"       Int    Exact 0.0  Native;
    /// x to the power y, C99 special cases.
    Pow        "pow"       Real   Same  0.93 Legalize;
    /// Angle of the point (second, first operand) = (x, y), whole plane.
    Atan2      "atan2"     Real   Same  1.1  Legalize;
}

macro_rules! name_table {
    ($(#[$meta:meta])* $table:ident; $($(#[doc = $doc:literal])* $variant:ident $name:literal;)*) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $table { $($(#[doc = $doc])* $variant,)* }

        impl $table {
            /// Every row, in the order of the table.
            pub const ALL: &'static [$table] = &[$($table::$variant,)*];
            /// The name in the text form.
            pub const fn name(self) -> &'static str { match self { $($table::$variant => $name,)* } }
            /// The row with this name.
            pub fn parse(name: &str) -> Option<$table> { $table::ALL.iter().copied().find(|op| op.name() == name) }
        }
    };
}
pub(crate) use name_table;

name_table! {
    /// Comparisons; the result is `bool`. Any comparison with NaN is false but `Ne`, which is true.
    CompareOp;
    /// Equal; the zeros are equal.
    Eq "eq";
    /// Not equal.
    Ne "ne";
    /// Less.
    Lt "lt";
    /// Less or equal.
    Le "le";
    /// Greater.
    Gt "gt";
    /// Greater or equal.
    Ge "ge";
}

name_table! {
    /// Where a thread is, and how many there are; each is a `u32`. Axes are x, y, z; x runs fastest.
    IdOp;
    /// `group_id.x * group_size.x + local_id.x`.
    GlobalX "global_id.x";
    /// The same along y.
    GlobalY "global_id.y";
    /// The same along z.
    GlobalZ "global_id.z";
    /// The group's place in the grid.
    GroupX "group_id.x";
    /// The same along y.
    GroupY "group_id.y";
    /// The same along z.
    GroupZ "group_id.z";
    /// The thread's place in its group.
    LocalX "local_id.x";
    /// The same along y.
    LocalY "local_id.y";
    /// The same along z.
    LocalZ "local_id.z";
    /// Threads of a group.
    GroupSizeX "group_size.x";
    /// The same along y.
    GroupSizeY "group_size.y";
    /// The same along z.
    GroupSizeZ "group_size.z";
    /// Groups of the grid.
    GridX "grid_size.x";
    /// The same along y.
    GridY "grid_size.y";
    /// The same along z.
    GridZ "grid_size.z";
    /// The thread's place in the group counted through: `x + group_size.x * (y + group_size.y * z)`.
    Thread "thread_id";
    /// `thread_id % 32`.
    Lane "lane";
    /// `thread_id / 32`.
    SubgroupId "subgroup_id";
    /// Subgroups of the group.
    Subgroups "subgroups";
}

name_table! {
    /// What a reduction or scan combines with. Sums and products follow the index tree (`eval`); the rest are order-free.
    ReduceOp;
    /// Sum; the identity is -0.0 for floats.
    Sum "sum";
    /// Product; the identity is 1.
    Prod "prod";
    /// IEEE minimum; the identity is +inf or the greatest integer.
    Min "min";
    /// IEEE maximum; the identity is -inf or the least integer.
    Max "max";
    /// Bitwise and, integers and `bool`; the identity is all ones.
    And "and";
    /// Bitwise or, integers and `bool`; the identity is 0.
    Or "or";
    /// Bitwise exclusive or, integers and `bool`; the identity is 0.
    Xor "xor";
}

name_table! {
    /// What each lane of a reduction receives.
    Reach;
    /// The combination of all 32 lanes.
    All "reduce";
    /// The combination of the lanes up to and with its own.
    Inclusive "inclusive_scan";
    /// The combination of the lanes before its own; lane 0 gets the identity.
    Exclusive "exclusive_scan";
}

name_table! {
    /// Movements of a value between the lanes of a subgroup.
    ShuffleOp;
    /// From the lane that the argument names, modulo 32; it may differ by lane.
    Any "shuffle";
    /// From the lane `lane ^ argument`, modulo 32; the argument is uniform in the subgroup.
    Xor "shuffle_xor";
    /// From the lane that the argument names, modulo 32; it is uniform in the subgroup, and so is the result.
    Broadcast "broadcast";
}

name_table! {
    /// Questions to all lanes of a subgroup about a `bool`.
    VoteOp;
    /// A `u32` with bit i set where lane i says true.
    Ballot "ballot";
    /// Whether any lane says true.
    Any "any";
    /// Whether all lanes say true.
    All "all";
}

name_table! {
    /// Atomic updates of i32, u32, i64 or u64 in a buffer or shared array; each yields the value before.
    AtomicOp;
    /// Wrapping sum.
    Add "atomic_add";
    /// Minimum.
    Min "atomic_min";
    /// Maximum.
    Max "atomic_max";
    /// Bitwise and.
    And "atomic_and";
    /// Bitwise or.
    Or "atomic_or";
    /// Bitwise exclusive or.
    Xor "atomic_xor";
    /// Replacement.
    Exchange "atomic_exchange";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_fast_rows_are_bounded() {
        for &op in UnaryOp::ALL {
            assert_eq!(op.name().starts_with("fast_"), op.tier() == Tier::Bounded, "{}", op.name());
        }
    }

    #[test]
    fn a_legalised_row_takes_only_reals() {
        for &op in UnaryOp::ALL {
            assert_eq!(
                op.cpu() == Spelling::Legalize,
                op.accepts() == Accepts::Real,
                "{}",
                op.name()
            );
        }
    }
}
