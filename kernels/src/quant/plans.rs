//! Plans of the operations on packed weights.
//!
//! Invariants
//! - Codes, scales and whatever else belongs to them are checked here, once, against the scheme.

use super::{
    format::{Scheme, row_words},
    packed::{SCALES, gemv_packed, unpack},
};
use crate::{pieces::each::per, prelude::*};

/// The inputs that say which rows or matrices are meant.
pub(super) const INDEX: InputSpec =
    InputSpec::new("index", &[DType::U32], "[n]: which rows; all of them without it").optional();
pub(super) const EXPERT: InputSpec = InputSpec::new(
    "expert",
    &[DType::U32],
    "[m]: which of the stacked matrices each row of x meets",
)
.optional();
pub(super) const EXPERTS: SettingSpec =
    SettingSpec::int("experts", 1, "matrices of equal size, stacked along the rows");

/// A packed matrix as kernels take it: rows, codes, scales, biases, global scales and their number.
struct Matrix {
    rows: u32,
    tensors: [Arg; 4],
    parts: u32,
}

fn matrix(call: &Call<'_>, plan: &mut Plan, scheme: Scheme, k: u32) -> Result<Matrix, PlanError> {
    let [rows, _] = call.shape::<2>("codes")?;
    let blocks = [rows, k.div_ceil(scheme.block)];
    call.expect_shape("codes", &[rows, row_words(k, scheme.code.bits())])?;
    call.expect_shape("scales", &blocks)?;
    let scales = call.buffer("scales");
    let biases = if scheme.bias {
        call.expect_shape("biases", &blocks)?;
        call.buffer("biases")
    } else {
        scales.clone()
    };
    let (global, parts) = if scheme.global {
        let [parts] = call.shape::<1>("global")?;
        call.require(parts > 0 && rows.is_multiple_of(parts), || {
            let want = format!("a multiple of the {parts} in `global`");
            ("the rows of `codes`".into(), want, rows.to_string())
        })?;
        (call.buffer("global"), parts)
    } else {
        (plan.temp(DType::F32, &[0]).buffer(), 0)
    };
    Ok(Matrix { rows, tensors: [call.buffer("codes"), scales, biases, global], parts })
}

/// Rows of `k` weights in `dtype`.
pub(super) fn unpacked(
    call: &Call<'_>,
    scheme: Scheme,
    dtype: DType,
    k: u32,
) -> Result<Plan, PlanError> {
    fn staged<T: Real>(
        scale: DType,
        scheme: Scheme,
        gathered: bool,
        k: u32,
    ) -> Result<Kernel, StageError> {
        // Rows whose length has no such divisor do not start aligned.
        let whole = per(&[T::DTYPE]);
        let per = if k.is_multiple_of(whole) { whole } else { 1 };
        match scale {
            DType::F8E8M0 => unpack::<T, F8E8M0>(scheme, gathered, per),
            DType::F8E4M3 => unpack::<T, F8E4M3>(scheme, gathered, per),
            DType::F32 => unpack::<T, f32>(scheme, gathered, per),
            DType::F16 => unpack::<T, f16>(scheme, gathered, per),
            DType::BF16 => unpack::<T, bf16>(scheme, gathered, per),
            other => unreachable!("{other} is not in {SCALES:?}, and signatures ask for those"),
        }
    }
    let mut plan = Plan::new();
    let Matrix { rows, tensors, parts } = matrix(call, &mut plan, scheme, k)?;
    let (gathered, index, n) = if call.has("index") {
        let [n] = call.shape::<1>("index")?;
        (true, call.buffer("index"), n)
    } else {
        (false, call.buffer("codes"), rows)
    };
    let w = plan.output("w", dtype, &[n, k]);
    let scale = call.dtype("scales");
    let kernel = with_real!(call, dtype, T => staged::<T>(scale, scheme, gathered, k))?;
    let scalars = [rows, parts, n, k].map(Arg::from);
    plan.step(kernel, tensors.into_iter().chain([index, w.buffer()]).chain(scalars));
    Ok(plan)
}

/// Products with the rows of `x`.
pub(super) fn products(call: &Call<'_>, scheme: Scheme) -> Result<Plan, PlanError> {
    fn staged<T: Real>(scale: DType, scheme: Scheme, stacked: bool) -> Result<Kernel, StageError> {
        match scale {
            DType::F8E8M0 => gemv_packed::<T, F8E8M0>(scheme, stacked),
            DType::F8E4M3 => gemv_packed::<T, F8E4M3>(scheme, stacked),
            DType::F32 => gemv_packed::<T, f32>(scheme, stacked),
            DType::F16 => gemv_packed::<T, f16>(scheme, stacked),
            DType::BF16 => gemv_packed::<T, bf16>(scheme, stacked),
            other => unreachable!("{other} is not in {SCALES:?}, and signatures ask for those"),
        }
    }
    let (m, k) = call.rows("x")?;
    let mut plan = Plan::new();
    let Matrix { rows, tensors, parts } = matrix(call, &mut plan, scheme, k)?;
    let experts = call.int_in("experts", 1..=i64::from(u32::MAX))?;
    call.require(rows.is_multiple_of(experts), || {
        let want = format!("a multiple of {experts} experts");
        ("the rows of `codes`".into(), want, rows.to_string())
    })?;
    let n = rows / experts;
    let (stacked, expert) = if call.has("expert") {
        call.expect_shape("expert", &[m])?;
        (true, call.buffer("expert"))
    } else {
        call.require(experts == 1, || {
            ("`experts` without `expert`".into(), "1".into(), experts.to_string())
        })?;
        (false, call.buffer("codes"))
    };
    let shape = match *call.dims("x") {
        [_] => vec![n],
        [m, _] => vec![m, n],
        ref other => return Err(call.wrong("the rank of `x`", "1 or 2", other.len())),
    };
    let (dtype, scale) = (call.dtype("x"), call.dtype("scales"));
    let y = plan.output("y", dtype, &shape);
    let kernel = with_real!(call, dtype, T => staged::<T>(scale, scheme, stacked))?;
    let scalars = [rows, parts, m, n, k].map(Arg::from);
    let vectors = [expert, call.buffer("x"), y.buffer()];
    plan.step(kernel, tensors.into_iter().chain(vectors).chain(scalars));
    Ok(plan)
}
