//! Normalisation of rows.
//!
//! All of these compute in f32 with sums in the canonical order (`pieces::fold`) and round once, at the store.

pub mod add_rms_norm;
pub mod gated_rms_norm;
pub mod group_norm;
pub mod layer_norm;
pub mod rms_norm;
pub mod rms_norm_residual;
pub mod rms_norm_rope;
pub mod sinkhorn;

use crate::{entry::Entry, prelude::*};

/// The operations of this family.
#[rustfmt::skip]
pub static ENTRIES: &[Entry] = &[
    rms_norm::ENTRY,
    add_rms_norm::ENTRY,
    rms_norm_residual::ENTRY,
    gated_rms_norm::ENTRY,
    layer_norm::ENTRY,
    group_norm::ENTRY,
    group_norm::GATED,
    rms_norm_rope::ENTRY,
    sinkhorn::ENTRY,
];

/// `x` as rows, and `weight` as long as a row.
fn rows_and_weight(call: &Call<'_>) -> Result<(u32, u32), PlanError> {
    let (rows, row_elems) = call.rows("x")?;
    call.expect_shape("weight", &[row_elems])?;
    Ok((rows, row_elems))
}

/// `eps`, which must not be negative.
fn eps(call: &Call<'_>) -> Result<Arg, PlanError> {
    let eps = call.float("eps");
    call.expect(eps >= 0.0, "`eps`", "at least 0", eps)?;
    Ok(Arg::float(DType::F32, eps))
}

/// `eps` as the kernel gets it.
fn known_eps(known: &Known<'_>) -> f64 {
    number::round(DType::F32, Call::float(known, "eps"))
}

/// `1 / sqrt(mean(x^2) + eps)` of a row.
fn inverse_rms(row: &[f64], eps: f64) -> f64 {
    let squares: f64 = row.iter().map(|x| x * x).sum();
    1.0 / (squares / row.len() as f64 + eps).sqrt()
}

/// By how many roundings of f32 `inverse_rms` may be off: half of those of the sum (an accumulator's share of
/// the row, ten levels), the quotient and the addition, and its own.
fn rms_roundings(row_elems: u32) -> f64 {
    0.5 * (f64::from(row_elems.div_ceil(1_024)) + 12.0) + 1.0
}

/// The bound of a result that is `roundings` of f32 off, stored in `dtype`.
fn ulps(dtype: DType, roundings: f64) -> Bound {
    match dtype {
        DType::F16 => Ulp(0.5 + roundings / f64::from(1 << 12)),
        DType::BF16 => Ulp(0.5 + roundings / f64::from(1 << 15)),
        _ => Ulp(roundings),
    }
}

/// Shapes and numbers of `x` on which each norm is tested.
fn inputs(dtype: DType) -> Vec<(String, Vec<u32>, Pattern)> {
    let some = [&[1, 1][..], &[3, 33], &[2, 5, 128], &[2, 1_000]];
    let more = [&[7][..], &[2, 2], &[2, 31], &[5, 64], &[2, 1_024], &[2, 1_025], &[1, 5_376]];
    let more = if dtype == DType::F32 { &more[..] } else { &[] };
    let plain = Pattern::Normal { seed: 1, mean: 0.3, sd: 2.0 };
    let named = |shape: &&[u32]| (format!("{shape:?}"), shape.to_vec(), plain.clone());
    let mut all: Vec<_> = some.iter().chain(more).map(named).collect();
    let small = Pattern::Normal { seed: 3, mean: 0.0, sd: 2e-3 };
    all.push(("eps counts".into(), vec![2, 40], small));
    all.push(("zeros".into(), vec![2, 40], Pattern::Constant(0.0)));
    all.push(("constant".into(), vec![2, 40], Pattern::Constant(3.0)));
    all.push(("NaN".into(), vec![3, 40], Pattern::normal(4).with(&[(50, f64::NAN)])));
    if dtype == DType::F32 {
        all.push(("inf".into(), vec![3, 40], Pattern::normal(4).with(&[(50, f64::INFINITY)])));
    }
    all
}

/// The cases of every norm: without rows, of empty rows, and of each dtype all of `inputs`. `with` adds the inputs for a shape
/// of `x` and what it holds.
fn usual(with: impl Fn(Case, &[u32], Pattern) -> Case) -> Vec<Case> {
    let empty = |shape: [u32; 2]| {
        let case = Case::new(format!("{shape:?}"), DType::F32);
        with(case, &shape, Pattern::normal(1)).empty()
    };
    let mut all: Vec<Case> = [[0, 4], [4, 0]].map(empty).into();
    for &dtype in REALS {
        for (name, shape, x) in inputs(dtype) {
            all.push(with(Case::new(name, dtype), &shape, x).set("eps", 1e-6));
        }
    }
    all
}

/// The bench of a norm of two arrays with a weight, and the elements of one of them. `with` adds the bound for a row.
fn bench_of_two(arrays: [&str; 2], with: impl FnOnce(Case, u32) -> Case) -> (Case, u64) {
    let (rows, n) = (1_024, 4_096);
    let case = Case::new("4096", DType::F32)
        .input(arrays[0], &[rows, n], Pattern::normal(1))
        .input(arrays[1], &[rows, n], Pattern::normal(3))
        .input("weight", &[n], Pattern::normal(2));
    (with(case, n), u64::from(rows * n))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(entry: &Entry, request: Request) -> String {
        entry.plan(&request).unwrap_err().to_string()
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let x = |shape: &[u32]| TensorDesc::new(DType::F32, shape);
        let request = Request::new().input("x", x(&[3, 8]));
        let (rms, layer) = (&rms_norm::ENTRY, &layer_norm::ENTRY);
        assert_eq!(
            refusal(rms, request.clone().input("weight", x(&[7]))),
            "rms_norm: the shape of `weight` must be [8], but it is [7]"
        );
        let request = request.input("weight", x(&[8]));
        assert_eq!(
            refusal(rms, request.clone().set("eps", -1.0)),
            "rms_norm: `eps` must be at least 0, but it is -1"
        );
        assert_eq!(
            refusal(layer, request.clone().input("bias", x(&[8, 1]))),
            "layer_norm: the shape of `bias` must be [8], but it is [8, 1]"
        );
        let long = Request::new().input("x", x(&[1, u32::MAX])).input("weight", x(&[u32::MAX]));
        assert_eq!(
            refusal(rms, long),
            "rms_norm: the last extent of `x` must be at most 2^31, but it is 4294967295"
        );
        assert!(rms.plan(&request).is_ok());
    }
}
