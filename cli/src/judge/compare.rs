//! The one comparison: a device's bits against a reference's values.
//!
//! Invariants
//! - Every element is compared; a wrong length, NaN where there is none, a wrong infinity and an element that
//!   nothing wrote all fail.
//! - A bound that is not finite holds nothing.

use evenweave_kernels::{
    case::{Bound, Column, Expected},
    number, pattern,
};
use evenweave_lang::dtype::DType;

/// How an output differs from its reference.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(crate) enum Difference {
    #[error("there is nothing to compare")]
    Nothing,
    #[error("`{output}` has elements, but the case says it is empty")]
    NotEmpty { output: String },
    #[error("the reference gives `{got}` where the plan gives `{want}`")]
    Outputs { want: String, got: String },
    #[error("`{output}` has {got_elems} elements, the reference {want_elems}")]
    Length { output: String, got_elems: u64, want_elems: u64 },
    #[error("`{output}` is {dtype}, but the reference gives the other kind of number")]
    Class { output: String, dtype: DType },
    #[error("`{output}` has a bound on its sum of magnitudes, but the reference gives none")]
    NoMagnitude { output: String },
    #[error("`{output}`[{at}] was never written")]
    Unwritten { output: String, at: usize },
    #[error("`{output}`[{at}] is {got}, but {want} on the CPU device, unoptimised")]
    Bits { output: String, at: usize, got: String, want: String },
    #[error("`{output}`[{at}] is {got}, not {want}{}", off(*.ulp))]
    Value { output: String, at: usize, got: String, want: String, ulp: f64 },
}

fn off(ulp: f64) -> String {
    if ulp.is_finite() { format!(" ({ulp:.4} ULP off)") } else { String::new() }
}

/// How far an output's elements are from the reference, in units of the last place.
#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) struct Spread {
    pub(crate) max_ulp: f64,
    /// Elements at most `BINS[i]` off and not in a bin before; the last is what is beyond.
    pub(crate) bins: [u64; BINS.len() + 1],
}

/// Upper ends of the bins of `Spread`.
pub(crate) const BINS: [f64; 9] = [0.0, 0.5, 1.0, 2.0, 4.0, 16.0, 256.0, 65536.0, f64::MAX];

impl Spread {
    fn add(&mut self, ulp: f64) {
        self.max_ulp = self.max_ulp.max(ulp);
        let bin = BINS.iter().position(|&end| ulp <= end).unwrap_or(BINS.len());
        self.bins[bin] += 1;
    }

    pub(crate) fn merge(&mut self, other: &Spread) {
        self.max_ulp = self.max_ulp.max(other.max_ulp);
        for (bin, more) in self.bins.iter_mut().zip(other.bins) {
            *bin += more;
        }
    }
}

/// The bits that an output's memory holds before the launch: never within a bound of the reference.
pub(crate) fn poison(dtype: DType, want: &Expected) -> Vec<u64> {
    match &want.values {
        Column::Float(values) => values.iter().map(|&x| poison_float(dtype, x)).collect(),
        Column::Int(values) => {
            // A `bool` is 0 or 1 in memory, so that any other byte is one that nothing wrote.
            let flip = if dtype == DType::Bool { 0xa4 } else { u64::MAX >> (64 - dtype.bits()) };
            values.iter().map(|&x| number::encode_int(dtype, x) ^ flip).collect()
        }
    }
}

fn poison_float(dtype: DType, want: f64) -> u64 {
    let nan = pattern::poison(dtype);
    match want.is_nan() || !number::decode(dtype, nan).is_nan() {
        true => number::encode(dtype, want) ^ (u64::MAX >> (64 - dtype.bits())),
        false => nan,
    }
}

/// An output as a device left it.
pub(crate) struct Output<'a> {
    pub(crate) name: &'a str,
    pub(crate) dtype: DType,
    pub(crate) elems: u64,
    pub(crate) bytes: &'a [u8],
    /// What was there before.
    pub(crate) poison: &'a [u64],
}

/// Compares every element.
pub(crate) fn compare(
    output: &Output<'_>,
    want: &Expected,
    bound: Bound,
) -> Result<Spread, Difference> {
    let name = || output.name.to_string();
    let want_elems = want.values.elems() as u64;
    if output.elems != want_elems || output.poison.len() as u64 != want_elems {
        let got_elems = output.elems;
        return Err(Difference::Length { output: name(), got_elems, want_elems });
    }
    if matches!(want.values, Column::Float(_)) != output.dtype.is_float() {
        return Err(Difference::Class { output: name(), dtype: output.dtype });
    }
    let magnitudes = match (bound, &want.magnitude) {
        (Bound::Sum { .. }, None) if output.dtype.is_float() => {
            return Err(Difference::NoMagnitude { output: name() });
        }
        (_, Some(m)) if m.len() as u64 != want_elems => {
            return Err(Difference::NoMagnitude { output: name() });
        }
        (_, m) => m.as_deref(),
    };
    let mut spread = Spread::default();
    for at in 0..want_elems as usize {
        let bits = number::element(output.dtype, output.bytes, at);
        let found = match &want.values {
            Column::Int(all) => integer(output.dtype, bits, all[at]),
            Column::Float(all) => {
                let magnitude = magnitudes.map_or(0.0, |m| m[at]);
                float(output.dtype, bits, all[at], bound, magnitude)
            }
        };
        match found {
            Ok(ulp) => spread.add(ulp),
            Err(_) if bits == output.poison[at] => {
                return Err(Difference::Unwritten { output: name(), at });
            }
            Err(Off { got, want, ulp }) => {
                return Err(Difference::Value { output: name(), at, got, want, ulp });
            }
        }
    }
    Ok(spread)
}

struct Off {
    got: String,
    want: String,
    ulp: f64,
}

fn integer(dtype: DType, bits: u64, want: i128) -> Result<f64, Off> {
    let got = number::decode_int(dtype, bits);
    if got == want && number::encode_int(dtype, want) == bits {
        return Ok(0.0);
    }
    let got =
        if dtype == DType::Bool && bits > 1 { format!("byte {bits:#x}") } else { got.to_string() };
    Err(Off { got, want: want.to_string(), ulp: f64::INFINITY })
}

fn float(dtype: DType, bits: u64, want: f64, bound: Bound, magnitude: f64) -> Result<f64, Off> {
    let got = number::decode(dtype, bits);
    let ulp = distance(dtype, got, want);
    let unit = number::ulp(dtype, clip(dtype, want));
    let good = match bound {
        _ if want.is_nan() || got.is_nan() => want.is_nan() && got.is_nan(),
        Bound::Exact => bits == number::encode(dtype, want),
        _ if want.is_infinite() => got == number::round(dtype, want),
        Bound::Ulp(most) => ulp <= most && most.is_finite(),
        Bound::UlpSigned(most) => {
            let sign = got.is_sign_negative() == want.is_sign_negative();
            ulp <= most && most.is_finite() && sign
        }
        Bound::Sum { ulps, eps_of, factor } => {
            let allowed = ulps + factor * number::rounding_error(eps_of) * magnitude / unit;
            ulp <= allowed && allowed.is_finite()
        }
    };
    if good {
        return Ok(if want.is_nan() { 0.0 } else { ulp });
    }
    let shown = if bound == Bound::Exact { number::round(dtype, want) } else { want };
    Err(Off { got: format!("{got:?}"), want: format!("{shown:?}"), ulp })
}

/// The number, or the one past the largest where it is larger: what infinity stands for after an overflow.
fn clip(dtype: DType, x: f64) -> f64 {
    let max = number::max_finite(dtype);
    let overflows = number::float_format(dtype).is_none_or(|f| f.overflows);
    let end = if overflows { max + number::ulp(dtype, max) } else { max };
    x.clamp(-end, end)
}

/// Units in the last place at the reference between two numbers; infinite for a NaN or a true infinity that the
/// other one is not.
fn distance(dtype: DType, got: f64, want: f64) -> f64 {
    if got.is_nan() || want.is_nan() || (want.is_infinite() && got != want) {
        return f64::INFINITY;
    }
    if got == want {
        return 0.0;
    }
    let (got, want) = (clip(dtype, got), clip(dtype, want));
    (got - want).abs() / number::ulp(dtype, want)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Bound::*;

    fn judge(
        dtype: DType,
        got: &[u64],
        want: Expected,
        bound: Bound,
    ) -> Result<Spread, Difference> {
        let mut bytes = vec![0; dtype.bytes_for(got.len() as u64).unwrap() as usize];
        for (at, &bits) in got.iter().enumerate() {
            number::set_element(dtype, &mut bytes, at, bits);
        }
        let poison = poison(dtype, &want);
        let elems = got.len() as u64;
        let output = Output { name: "y", dtype, elems, bytes: &bytes, poison: &poison };
        compare(&output, &want, bound)
    }

    fn one(got: f32, want: f64, bound: Bound) -> bool {
        judge(DType::F32, &[got.to_bits().into()], Expected::float("y", vec![want]), bound).is_ok()
    }

    #[test]
    fn nan_is_no_pass() {
        for bound in [Exact, Ulp(1e30), UlpSigned(1e30)] {
            assert!(!one(f32::NAN, 1.0, bound) && !one(1.0, f64::NAN, bound), "{bound:?}");
            assert!(one(f32::NAN, f64::NAN, bound), "{bound:?}");
        }
    }

    #[test]
    fn infinity_is_no_number() {
        for bound in [Ulp(4.0), UlpSigned(4.0)] {
            assert!(!one(f32::INFINITY, 1e38, bound) && !one(f32::MAX, f64::INFINITY, bound));
            assert!(!one(f32::NEG_INFINITY, f64::INFINITY, bound));
            assert!(one(f32::INFINITY, f64::INFINITY, bound) && one(f32::INFINITY, 1e300, bound));
            assert!(!one(f32::MAX, 1e300, Ulp(0.5)), "it overflows");
        }
    }

    #[test]
    fn a_unit_in_the_last_place_is_one() {
        let up = f32::from_bits(1.0f32.to_bits() + 1);
        assert!(one(up, 1.0, Ulp(1.0)) && !one(up, 1.0, Ulp(0.99)) && !one(up, 1.0, Exact));
        let half = 1.0 + 2f64.powi(-24);
        assert!(one(1.0, half, Ulp(0.5)) && one(1.0, half, Exact) && !one(up, half, Exact));
        assert!(!one(0.0, 1e-45, Ulp(0.5)) && one(0.0, 1e-46, Ulp(0.5)));
    }

    #[test]
    fn the_sign_of_zero_counts_where_said() {
        assert!(
            one(0.0, -0.0, Ulp(0.0)) && !one(0.0, -0.0, UlpSigned(9.0)) && !one(0.0, -0.0, Exact)
        );
        assert!(one(-0.0, -0.0, Exact));
    }

    #[test]
    fn a_sum_is_bound_by_its_terms() {
        let sum = |got: f32, magnitude: f64, bound| {
            let want = Expected::sum("y", vec![0.0], vec![magnitude]);
            judge(DType::F32, &[got.to_bits().into()], want, bound).is_ok()
        };
        assert!(sum(1e-6, 100.0, Bound::sum(10.0)) && !sum(1e-3, 100.0, Bound::sum(10.0)));
        assert!(
            !sum(1e-6, f64::INFINITY, Bound::sum(10.0)) && !sum(1e-6, f64::NAN, Bound::sum(10.0))
        );
        let none = judge(DType::F32, &[0], Expected::float("y", vec![0.0]), Bound::sum(1.0));
        assert_eq!(none, Err(Difference::NoMagnitude { output: "y".into() }));
    }

    #[test]
    fn unwritten_and_missing_elements_fail() {
        for (dtype, want) in [
            (DType::F32, Expected::float("y", vec![0.5, f64::NAN])),
            (DType::F4E2M1, Expected::float("y", vec![6.0, -0.0])),
            (DType::U8, Expected::int("y", vec![0xa5, 0])),
            (DType::I64, Expected::int("y", vec![-1, 5])),
        ] {
            let left = poison(dtype, &want);
            assert_eq!(
                judge(dtype, &left, want.clone(), Ulp(2.0)),
                Err(Difference::Unwritten { output: "y".into(), at: 0 }),
                "{dtype}"
            );
            let short = judge(dtype, &left[..1], want, Exact);
            assert!(matches!(short, Err(Difference::Length { .. })), "{dtype}");
        }
        let bools = Expected::int("y", vec![1, 0]);
        assert!(judge(DType::Bool, &poison(DType::Bool, &bools), bools.clone(), Exact).is_err());
        assert!(judge(DType::Bool, &[0xa5, 0], bools.clone(), Exact).is_err());
        assert!(judge(DType::Bool, &[1, 0], bools, Exact).is_ok());
    }

    #[test]
    fn kinds_do_not_mix_and_integers_are_exact() {
        let floats = Expected::float("y", vec![1.0]);
        assert!(matches!(judge(DType::I32, &[1], floats, Ulp(9.0)), Err(Difference::Class { .. })));
        let off = judge(DType::I32, &[2], Expected::int("y", vec![1]), Ulp(9.0)).unwrap_err();
        assert_eq!(off.to_string(), "`y`[0] is 2, not 1");
    }

    #[test]
    fn eight_bit_floats_saturate() {
        let judge = |bits, want| {
            judge(DType::F8E4M3, &[bits], Expected::float("y", vec![want]), Ulp(0.5)).is_ok()
        };
        assert!(judge(0x7e, 1e9) && judge(0x7e, f64::INFINITY) && !judge(0x7d, 1e9));
    }

    #[test]
    fn spreads_are_counted_in_bins() {
        let mut spread = Spread::default();
        for ulp in [0.0, 0.25, 0.75, 3.0, f64::INFINITY] {
            spread.add(ulp);
        }
        assert_eq!(spread.bins, [1, 1, 1, 0, 1, 0, 0, 0, 0, 1]);
    }
}
