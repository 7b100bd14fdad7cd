//! Exact arithmetic on finite values, rounded once into any binary format.
//!
//! Invariants:
//! - `pack` rounds to nearest, ties to even, exactly once; a value below the format's range becomes a subnormal or zero.
//! - A `sticky` remainder stands for something above zero and below one unit of the mantissa that is given with it.

/// A binary interchange format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Bits of the fraction, without the hidden one.
    pub fraction_bits: u32,
    /// Bits of the exponent.
    pub exponent_bits: u32,
}

/// IEEE binary16.
pub const F16: Format = Format { fraction_bits: 10, exponent_bits: 5 };
/// IEEE binary32.
pub const F32: Format = Format { fraction_bits: 23, exponent_bits: 8 };
/// IEEE binary64.
pub const F64: Format = Format { fraction_bits: 52, exponent_bits: 11 };

impl Format {
    const fn bias(self) -> i32 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    const fn infinity(self) -> u64 {
        ((1u64 << self.exponent_bits) - 1) << self.fraction_bits
    }

    const fn sign(self) -> u64 {
        1u64 << (self.fraction_bits + self.exponent_bits)
    }
}

/// A finite value `(-1)^negative * mantissa * 2^exponent`.
#[derive(Clone, Copy, Debug)]
pub struct Exact {
    /// The sign, also of zero.
    pub negative: bool,
    /// The magnitude's digits.
    pub mantissa: u128,
    /// The weight of the mantissa's lowest bit.
    pub exponent: i32,
    /// Whether something smaller than the mantissa's lowest bit follows.
    pub sticky: bool,
}

impl Exact {
    /// The exact value of a finite f64.
    #[must_use]
    pub fn of(x: f64) -> Self {
        let bits = x.to_bits();
        let field = ((bits >> 52) & 0x7ff) as i32;
        let fraction = bits & ((1 << 52) - 1);
        let (mantissa, exponent) =
            if field == 0 { (fraction, -1074) } else { (fraction | (1 << 52), field - 1075) };
        Self { negative: bits >> 63 == 1, mantissa: u128::from(mantissa), exponent, sticky: false }
    }

    /// The value with its leading digit at bit 125; not for zero.
    fn normalised(self) -> Self {
        let shift = self.mantissa.leading_zeros() as i32 - 2;
        let mantissa = if shift >= 0 { self.mantissa << shift } else { self.mantissa >> -shift };
        Self { mantissa, exponent: self.exponent - shift, ..self }
    }

    /// The same value over a larger weight of its lowest bit; what falls off is remembered in `sticky`.
    fn aligned(self, exponent: i32) -> Self {
        let shift = (exponent - self.exponent) as u32;
        if shift == 0 {
            return self;
        }
        let (mantissa, lost) = if shift >= 128 {
            (0, self.mantissa)
        } else {
            (self.mantissa >> shift, self.mantissa & ((1u128 << shift) - 1))
        };
        Self { mantissa, exponent, sticky: self.sticky || lost != 0, ..self }
    }
}

/// The bits of `value` rounded once to `format`.
#[must_use]
pub fn pack(format: Format, value: Exact) -> u64 {
    let sign = if value.negative { format.sign() } else { 0 };
    if value.mantissa == 0 {
        return sign;
    }
    let top = 127 - value.mantissa.leading_zeros() as i32;
    let exponent = top + value.exponent;
    let least = 1 - format.bias();
    let biased = exponent.max(least) + format.bias() - 1;
    if biased >= (1 << format.exponent_bits) - 2 {
        return sign | format.infinity();
    }
    let drop = exponent.max(least) - format.fraction_bits as i32 - value.exponent;
    let kept = if drop <= 0 {
        value.mantissa << -drop
    } else if drop >= 128 {
        0
    } else {
        let kept = value.mantissa >> drop;
        let rest = value.mantissa & ((1u128 << drop) - 1);
        let half = 1u128 << (drop - 1);
        let up = rest > half || (rest == half && (value.sticky || kept & 1 == 1));
        kept + u128::from(up)
    };
    // A carry out of the fraction moves the exponent by itself, up to infinity.
    sign | (((biased as u64) << format.fraction_bits) + kept as u64)
}

/// `a * b + c`, times `2^scale`, rounded once to `format`.
#[must_use]
pub fn fma_scaled(format: Format, a: f64, b: f64, c: f64, scale: i32) -> u64 {
    let plain = a.mul_add(b, c);
    if !(a.is_finite() && b.is_finite() && c.is_finite()) {
        let sign = if plain.is_sign_negative() { format.sign() } else { 0 };
        let quiet = if plain.is_nan() { 1u64 << (format.fraction_bits - 1) } else { 0 };
        return sign | format.infinity() | quiet;
    }
    let (x, y, z) = (Exact::of(a), Exact::of(b), Exact::of(c));
    let product = Exact {
        negative: x.negative != y.negative,
        mantissa: x.mantissa * y.mantissa,
        exponent: x.exponent + y.exponent,
        sticky: false,
    };
    let sum = if product.mantissa == 0 && z.mantissa == 0 {
        Exact { negative: plain.is_sign_negative(), ..z }
    } else if product.mantissa == 0 {
        z
    } else if z.mantissa == 0 {
        product
    } else {
        add(product.normalised(), z.normalised())
    };
    pack(format, Exact { exponent: sum.exponent + scale, ..sum })
}

/// The sum of two normalised values; an exact zero is positive.
fn add(x: Exact, y: Exact) -> Exact {
    let exponent = x.exponent.max(y.exponent);
    let (x, y) = (x.aligned(exponent), y.aligned(exponent));
    if x.negative == y.negative {
        return Exact { mantissa: x.mantissa + y.mantissa, sticky: x.sticky || y.sticky, ..x };
    }
    let (big, small) = if x.mantissa > y.mantissa { (x, y) } else { (y, x) };
    // Only the smaller one can have lost digits; what it lost is borrowed from the difference.
    let mantissa = big.mantissa - small.mantissa - u128::from(small.sticky);
    let negative = big.negative && (mantissa != 0 || small.sticky);
    Exact { negative, mantissa, exponent, sticky: small.sticky }
}

/// `x * 2^n`, rounded once.
#[must_use]
pub fn ldexp_f64(x: f64, n: i32) -> f64 {
    if !x.is_finite() || x == 0.0 {
        return x + x;
    }
    let exact = Exact::of(x);
    f64::from_bits(pack(F64, Exact { exponent: exact.exponent + n.clamp(-4200, 4200), ..exact }))
}

/// `x * 2^n`, rounded once.
#[must_use]
#[inline(always)]
pub fn ldexp_f32(x: f32, n: i32) -> f32 {
    // Every f32 times a power within these bounds is exact in f64, so that only the conversion rounds.
    let power = f64::from_bits(((1023 + i64::from(n.clamp(-400, 400))) as u64) << 52);
    (f64::from(x) * power) as f32
}
