//! Intervals of floats and of unsigned integers, and what operations make of them.
//!
//! Invariants
//! - A result holds every number that the operation can give, rounded to f32 or not: bounds move outward by more than a
//!   rounding of f32.
//! - Both zeros are one number here.

use super::{INF, Limit};
use evenweave_lang::dtype::DType;

/// Whether a float can be NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Nan {
    /// It is a number.
    Never,
    /// A number, or the one NaN.
    TheOne,
    /// A number, or any NaN.
    Any,
}

/// What is known of a float.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Float {
    /// No number is below it.
    pub(super) low: f64,
    /// No number is above it.
    pub(super) high: f64,
    pub(super) nan: Nan,
}

/// What a rounding of f32 may add, relative to the number.
const ROUNDING: f64 = 1.0 / 4_194_304.0;
/// A bound below it may be a subnormal, which some devices flush.
const LEAST_NORMAL: f64 = f32::MIN_POSITIVE as f64;

/// The bound moved down by a rounding.
fn down(x: f64) -> f64 {
    if x.is_infinite() {
        return x;
    }
    let x = x - x.abs() * ROUNDING;
    match x {
        _ if x > 0.0 && x < 2.0 * LEAST_NORMAL => 0.0,
        _ if x < 0.0 && x > -2.0 * LEAST_NORMAL => -2.0 * LEAST_NORMAL,
        _ if x < f64::from(f32::MIN) => f64::NEG_INFINITY,
        _ => x,
    }
}

fn up(x: f64) -> f64 {
    -down(-x)
}

impl Float {
    pub(super) const ANY: Float =
        Float { low: f64::NEG_INFINITY, high: f64::INFINITY, nan: Nan::Any };

    /// A number between two.
    pub(super) const fn number(low: f64, high: f64) -> Float {
        Float { low, high, nan: Nan::Never }
    }

    pub(super) fn constant(dtype: Option<DType>, bits: u64) -> Float {
        let x = match dtype {
            Some(DType::F32) => f64::from(f32::from_bits(bits as u32)),
            Some(DType::BF16) => f64::from(f32::from_bits((bits as u32) << 16)),
            _ => return Float::ANY,
        };
        match x.is_nan() {
            // Constants are canonical.
            true => Float { low: f64::INFINITY, high: f64::NEG_INFINITY, nan: Nan::TheOne },
            false => Float::number(x, x),
        }
    }

    /// The float of these bits.
    pub(super) fn of_bits(bits: Word, dtype: DType) -> Float {
        let (infinity, shift) = match dtype {
            DType::F32 => (INF, 0),
            DType::BF16 => (INF >> 16, 16),
            DType::F16 if bits.high <= 0x7c00 => return Float { nan: Nan::Never, ..Float::ANY },
            _ => return Float::ANY,
        };
        if bits.high <= infinity {
            let of = |b: u64| f64::from(f32::from_bits((b << shift) as u32));
            return Float::number(down(of(bits.low)), up(of(bits.high)));
        }
        Float { nan: if dtype == DType::F32 { bits.nan() } else { Nan::Any }, ..Float::ANY }
    }

    /// Its bits, where a NaN is made the one, or left as it is.
    pub(super) fn bits(self, dtype: DType, as_is: bool, all: Word) -> Word {
        let the_one = dtype == DType::F32 && (self.nan != Nan::Any || !as_is);
        let bits = |x: f64| u64::from((x as f32).to_bits());
        if dtype == DType::F32 && self.nan == Nan::Never && self.low > 0.0 {
            return Word { low: bits(down(self.low)), high: bits(up(self.high)), the_one };
        }
        Word { the_one, ..all }
    }

    pub(super) fn join(self, other: Float) -> Float {
        Float {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            nan: self.nan.max(other.nan),
        }
    }

    /// What is left of it within a limit.
    pub(super) fn within(self, limit: &Limit) -> Float {
        let low = self.low.max(limit.low);
        Float {
            low,
            // Where both exclude each other nothing runs, and any interval is true.
            high: self.high.min(limit.high).max(low),
            nan: if limit.number { Nan::Never } else { self.nan },
        }
    }

    /// Whether it is a number, and neither infinite.
    fn is_finite(self) -> bool {
        self.nan == Nan::Never && self.low.is_finite() && self.high.is_finite()
    }

    /// A NaN of an operation is whatever the device makes.
    fn made(low: f64, high: f64, never: bool) -> Float {
        let nan = if never { Nan::Never } else { Nan::Any };
        if low.is_nan() || high.is_nan() {
            return Float { nan, ..Float::ANY };
        }
        Float { low: down(low), high: up(high), nan }
    }

    pub(super) fn neg(self) -> Float {
        Float::flipped(self, -self.high, -self.low)
    }

    pub(super) fn abs(self) -> Float {
        let most = self.high.max(-self.low);
        let least = if self.low > 0.0 { self.low } else { (-self.high).max(0.0) };
        Float::flipped(self, least, most)
    }

    /// Another sign: the payload of a NaN stays, its sign may not.
    fn flipped(of: Float, low: f64, high: f64) -> Float {
        Float { low, high, nan: if of.nan == Nan::Never { Nan::Never } else { Nan::Any } }
    }

    /// Rounded to a whole number in some direction.
    pub(super) fn whole(self) -> Float {
        Float::made(self.low.floor(), self.high.ceil(), self.nan == Nan::Never)
    }

    pub(super) fn sqrt(self) -> Float {
        let roots = self.nan == Nan::Never && self.low >= 0.0;
        Float::made(self.low.max(0.0).sqrt(), self.high.max(0.0).sqrt(), roots)
    }

    /// The products of the bounds, least and greatest.
    fn products(self, other: Float) -> (f64, f64) {
        let all = [
            self.low * other.low,
            self.low * other.high,
            self.high * other.low,
            self.high * other.high,
        ];
        match all.iter().any(|x| x.is_nan()) {
            true => (f64::NEG_INFINITY, f64::INFINITY),
            false => (
                all.iter().copied().fold(all[0], f64::min),
                all.iter().copied().fold(all[0], f64::max),
            ),
        }
    }

    pub(super) fn times(self, other: Float) -> Float {
        let (low, high) = self.products(other);
        Float::made(low, high, self.is_finite() && other.is_finite())
    }

    /// `self * b + c`.
    pub(super) fn fma(self, b: Float, c: Float) -> Float {
        let (low, high) = self.products(b);
        let finite = self.is_finite() && b.is_finite() && c.is_finite();
        Float::made(low + c.low, high + c.high, finite)
    }

    /// The lesser of two, where NaN wins.
    pub(super) fn least(self, other: Float) -> Float {
        let never = self.nan == Nan::Never && other.nan == Nan::Never;
        Float::made(self.low.min(other.low), self.high.min(other.high), never)
    }

    /// Rounded to 16 bits: a number may become infinite.
    pub(super) fn rounded_to_half(self) -> Float {
        Float { low: f64::NEG_INFINITY, high: f64::INFINITY, ..self.converted() }
    }

    /// Rounded to 16 bits by a conversion that makes the one NaN of any.
    pub(super) fn narrowed(self) -> Float {
        let nan = if self.nan == Nan::Never { Nan::Never } else { Nan::TheOne };
        Float { low: f64::NEG_INFINITY, high: f64::INFINITY, nan }
    }

    /// As another float: a NaN becomes what the device makes of it.
    pub(super) fn converted(self) -> Float {
        Float::flipped(self, self.low, self.high)
    }
}

/// What is known of an unsigned integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) low: u64,
    pub(super) high: u64,
    /// As the bits of a float of its width it is a number or the one NaN.
    pub(super) the_one: bool,
}

impl Word {
    pub(super) const fn up_to(high: u64) -> Word {
        Word { low: 0, high, the_one: false }
    }

    pub(super) const fn exactly(bits: u64) -> Word {
        Word { low: bits, high: bits, the_one: bits == 0x7fc0_0000 }
    }

    pub(super) const fn single(self) -> Option<u64> {
        if self.low == self.high { Some(self.low) } else { None }
    }

    fn nan(self) -> Nan {
        if self.the_one || self.high <= INF { Nan::TheOne } else { Nan::Any }
    }

    pub(super) fn join(self, other: Word) -> Word {
        Word {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            the_one: self.nan() == Nan::TheOne && other.nan() == Nan::TheOne,
        }
    }

    pub(super) fn as_number(self) -> Float {
        Float::made(self.low as f64, self.high as f64, true)
    }

    pub(super) fn least(self, other: Word) -> Word {
        Word { low: self.low.min(other.low), ..Word::up_to(self.high.min(other.high)) }
    }

    /// `None`: it may wrap.
    pub(super) fn plus(self, other: Word, all: Word) -> Option<Word> {
        let high = self.high + other.high;
        (high <= all.high).then(|| Word { low: self.low + other.low, ..Word::up_to(high) })
    }

    pub(super) fn minus(self, other: Word) -> Option<Word> {
        let low = self.low.checked_sub(other.high)?;
        Some(Word { low, ..Word::up_to(self.high.saturating_sub(other.low)) })
    }

    /// `None`: the count is taken modulo the width.
    pub(super) fn shifted_down(self, count: u64, all: Word) -> Option<Word> {
        let fits = count < u64::from(all.high.count_ones());
        fits.then(|| Word { low: self.low >> count, ..Word::up_to(self.high >> count) })
    }

    /// `None`: the count is taken modulo the width, or bits are lost.
    pub(super) fn shifted_up(self, count: u64, all: Word) -> Option<Word> {
        let fits = count < u64::from(all.high.count_ones()) && self.high << count <= all.high;
        fits.then(|| Word { low: self.low << count, ..Word::up_to(self.high << count) })
    }
}
