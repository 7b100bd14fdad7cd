//! Minimum, maximum and median of floats.
//!
//! Invariants:
//! - The `num` forms prefer a number to a NaN, the others give NaN where an operand is one; -0 is below +0 in both.
//! - A NaN that is given back is quiet.

macro_rules! order {
    ($f:ty, $b:ty, $i:ty, $quiet:expr, $key:ident, $min_num:ident, $max_num:ident, $minimum:ident, $maximum:ident, $med3:ident) => {
        /// Integers in the order of the numbers, zeros by sign.
        #[inline(always)]
        fn $key(x: $f) -> $i {
            let bits = x.to_bits() as $i;
            bits ^ (((bits >> (<$i>::BITS - 1)) as $b) >> 1) as $i
        }

        /// The smaller one; a number rather than a NaN.
        #[must_use]
        #[inline(always)]
        pub fn $min_num(a: $f, b: $f) -> $f {
            let least = if $key(a) < $key(b) { a } else { b };
            let b_or_quiet = <$f>::from_bits(b.to_bits() | if b.is_nan() { $quiet } else { 0 });
            if a.is_nan() {
                b_or_quiet
            } else if b.is_nan() {
                a
            } else {
                least
            }
        }

        /// The larger one; a number rather than a NaN.
        #[must_use]
        #[inline(always)]
        pub fn $max_num(a: $f, b: $f) -> $f {
            let most = if $key(a) > $key(b) { a } else { b };
            let b_or_quiet = <$f>::from_bits(b.to_bits() | if b.is_nan() { $quiet } else { 0 });
            if a.is_nan() {
                b_or_quiet
            } else if b.is_nan() {
                a
            } else {
                most
            }
        }

        /// The smaller one; NaN where either is.
        #[must_use]
        #[inline(always)]
        pub fn $minimum(a: $f, b: $f) -> $f {
            let least = if $key(a) < $key(b) { a } else { b };
            if a.is_nan() {
                <$f>::from_bits(a.to_bits() | $quiet)
            } else if b.is_nan() {
                <$f>::from_bits(b.to_bits() | $quiet)
            } else {
                least
            }
        }

        /// The larger one; NaN where either is.
        #[must_use]
        #[inline(always)]
        pub fn $maximum(a: $f, b: $f) -> $f {
            let most = if $key(a) > $key(b) { a } else { b };
            if a.is_nan() {
                <$f>::from_bits(a.to_bits() | $quiet)
            } else if b.is_nan() {
                <$f>::from_bits(b.to_bits() | $quiet)
            } else {
                most
            }
        }

        /// The middle one; with a NaN among them, the smallest number.
        #[must_use]
        #[inline(always)]
        pub fn $med3(a: $f, b: $f, c: $f) -> $f {
            if a.is_nan() || b.is_nan() || c.is_nan() {
                $min_num($min_num(a, b), c)
            } else {
                $max_num($min_num(a, b), $min_num($max_num(a, b), c))
            }
        }
    };
}

order!(
    f32,
    u32,
    i32,
    1u32 << 22,
    key_f32,
    min_num_f32,
    max_num_f32,
    minimum_f32,
    maximum_f32,
    med3_f32
);
order!(
    f64,
    u64,
    i64,
    1u64 << 51,
    key_f64,
    min_num_f64,
    max_num_f64,
    minimum_f64,
    maximum_f64,
    med3_f64
);
