//! Walsh-Hadamard transform of rows: `y = scale * H x`, H a matrix of +1 and -1 with `H H^T = n I`.
//!
//! `x` and `y` are [..., n]. For n a power of two (up to 4,096) H is Sylvester's, `H[i][j] = (-1)^popcount(i & j)`, by
//! butterflies; for n = 12 and 20 it is Paley's first construction over the field of 11 and 19 elements, for
//! n = 28 his second over that of 13 (Paley, 1933).

use crate::prelude::*;

/// The longest row: it fills 16 KiB of shared memory.
const MAX_ROW_ELEMS: u32 = 4_096;

/// The operation.
pub const ENTRY: Entry = Entry::new("hadamard", "transform", plan, reference, cases)
    .summary("y = scale * H x, H the Hadamard matrix of the row's length")
    .inputs(&[InputSpec::new("x", REALS, "[..., n], n a power of two up to 4096, 12, 20 or 28")])
    .outputs(&[OutputSpec::new("y", "shape and dtype of x")])
    .settings(&[SettingSpec::float("scale", 1.0, "factor of the result")])
    .bench(bench);

/// Definition for a power of two: one group a row; stage `s` combines neighbours at distance 2^s.
#[kernel(group = threads, grid = rows)]
pub fn hadamard<T: Real>(
    #[len(rows * n)] x: &In<T>,
    #[len(rows * n)] y: &mut Out<T>,
    rows: u32,
    scale: f32,
    #[comptime] n: u32,
    #[comptime] threads: u32,
) {
    let base = group_id() as u64 * n as u64;
    let row = shared::<f32>(n);
    for i in (thread_id()..n).step_by(threads) {
        row[i] = x[base + i as u64] as f32;
    }
    barrier();
    for stage in 0..n.ilog2() {
        let half = 1 << stage;
        for pair in (thread_id()..n / 2).step_by(threads) {
            let top = ((pair >> stage) << (stage + 1)) + (pair & (half - 1));
            let (a, b) = (row[top], row[top + half]);
            row[top] = a + b;
            row[top + half] = a - b;
        }
        barrier();
    }
    for i in (thread_id()..n).step_by(threads) {
        y[base + i as u64] = (row[i] * scale) as T;
    }
}

/// Definition for 12, 20 and 28: one thread an element, summing in the order of the row.
#[kernel(group = 32, grid = rows)]
pub fn hadamard_by_signs<T: Real>(
    #[len(rows * n)] x: &In<T>,
    #[len(rows * n)] y: &mut Out<T>,
    rows: u32,
    scale: f32,
    #[comptime] n: u32,
    #[comptime] minus: Vec<u32>,
) {
    let signs = private::<u32>(n);
    for i in 0..n {
        signs[i] = val(minus[i as usize]);
    }
    let base = group_id() as u64 * n as u64;
    let i = thread_id();
    if i < n {
        let mut sum = -0.0f32;
        for j in 0..n {
            // The sign goes to the sign bit, so that no product is rounded.
            let sign = ((signs[i] >> j) & 1) << 31;
            sum += from_bits::<f32>(bits(x[base + j as u64] as f32) ^ sign);
        }
        y[base + i as u64] = (sum * scale) as T;
    }
}

/// Whether `a` is a square modulo the prime `q`: 1, -1, or 0 for a multiple of `q`.
fn residue(a: i32, q: i32) -> i32 {
    let a = a.rem_euclid(q);
    match a {
        0 => 0,
        _ if (1..q).any(|x| x * x % q == a) => 1,
        _ => -1,
    }
}

/// A Hadamard matrix of 12, 20 or 28 rows, by Paley's constructions.
fn paley(n: usize) -> Vec<Vec<i32>> {
    let q = if n == 28 { 13 } else { n as i32 - 1 };
    // Jacobsthal's matrix of differences, bordered by ones: antisymmetric for q = 3 mod 4, else symmetric.
    let border = |i: i32, j: i32| match (i, j) {
        (0, 0) => 0,
        (0, _) => 1,
        (_, 0) => residue(-1, q),
        _ => residue(i - j, q),
    };
    let core: Vec<Vec<i32>> = (0..=q).map(|i| (0..=q).map(|j| border(i, j)).collect()).collect();
    let at = |i: usize, j: usize| match n {
        28 => {
            let (entry, corner) = (core[i / 2][j / 2], i % 2 == 1 && j % 2 == 1);
            match entry {
                // On the diagonal [[1, -1], [-1, -1]] stands for 0, elsewhere [[1, 1], [1, -1]] for 1.
                0 => {
                    if i.is_multiple_of(2) && j.is_multiple_of(2) {
                        1
                    } else {
                        -1
                    }
                }
                _ => {
                    if corner {
                        -entry
                    } else {
                        entry
                    }
                }
            }
        }
        _ => core[i][j] + i32::from(i == j),
    };
    (0..n).map(|i| (0..n).map(|j| at(i, j)).collect()).collect()
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let (rows, n) = call.rows("x")?;
    call.elems("x")?;
    let by_signs = matches!(n, 12 | 20 | 28);
    call.require(by_signs || n.is_power_of_two() && n <= MAX_ROW_ELEMS, || {
        let want = format!("a power of two up to {MAX_ROW_ELEMS}, 12, 20 or 28");
        ("the row's length".into(), want, n.to_string())
    })?;
    let mut plan = Plan::new();
    let dtype = call.dtype("x");
    let y = plan.output("y", dtype, call.dims("x"));
    let kernel = if by_signs {
        let bit = |(j, &sign): (usize, &i32)| u32::from(sign < 0) << j;
        let minus: Vec<u32> =
            paley(n as usize).iter().map(|row| row.iter().enumerate().map(bit).sum()).collect();
        with_real!(call, dtype, T => hadamard_by_signs::<T>(n, minus))?
    } else {
        with_real!(call, dtype, T => hadamard::<T>(n, (n / 2).clamp(1, 256)))?
    };
    let scale = Arg::float(DType::F32, call.float("scale"));
    plan.step(kernel, [call.buffer("x"), y.buffer(), rows.into(), scale]);
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let call: &Call<'_> = known;
    let x = known.float("x");
    let n = known.extents("x").last().copied().unwrap_or(1);
    let scale = number::round(DType::F32, call.float("scale"));
    let sign = |i: usize, j: usize| match n {
        12 => paley_one(11, i as i64, j as i64),
        20 => paley_one(19, i as i64, j as i64),
        28 => {
            let s = paley_one(13, i as i64 / 2, j as i64 / 2);
            match (i / 2 == j / 2, i % 2, j % 2) {
                (true, 0, 0) => 1.0,
                (true, _, _) => -1.0,
                (false, 1, 1) => -s,
                (false, _, _) => s,
            }
        }
        _ => 1.0 - 2.0 * f64::from((i & j).count_ones() % 2),
    };
    let (mut y, mut magnitude) = (Vec::new(), Vec::new());
    for row in x.chunks(n) {
        let terms: f64 = row.iter().map(|x| x.abs()).sum();
        for i in 0..n {
            let sum: f64 = row.iter().enumerate().map(|(j, x)| sign(i, j) * x).sum();
            y.push(sum * scale);
            magnitude.push(terms * scale.abs());
        }
    }
    vec![Expected::sum("y", y, magnitude)]
}

/// An entry off the blocks' diagonal by Euler's criterion; the diagonal of the first construction is 1.
fn paley_one(q: i64, i: i64, j: i64) -> f64 {
    let chi = |a: i64| {
        let power = (0..(q - 1) / 2).fold(1, |p, _| p * a.rem_euclid(q) % q);
        if power == 1 { 1.0 } else { -1.0 }
    };
    match (i, j) {
        _ if i == j => 1.0,
        (0, _) => 1.0,
        (_, 0) => chi(-1),
        _ => chi(i - j),
    }
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    for &dtype in REALS {
        for n in [1u32, 2, 12, 16, 20, 28, 64, 128, 256, 512, 1_024, 4_096] {
            let rows = if n < 100 { 16 } else { 2 };
            // A stage, or a term of the short sums, rounds once; so does the factor.
            let roundings = if n.is_power_of_two() { n.ilog2() } else { n };
            let scale = 1.0 / f64::from(n).sqrt();
            all.push(
                Case::new(format!("{n}"), dtype)
                    .input("x", &[rows, n], Pattern::normal(u64::from(n)))
                    .set("scale", scale)
                    .bound(Bound::sum(f64::from(roundings) + 1.0)),
            );
            if dtype == DType::F32 {
                // Whole numbers: every sum is exact, and each element must be right.
                let whole = Case::new(format!("{n}-whole"), dtype);
                all.push(whole.input("x", &[3, n], Pattern::Positions));
            }
        }
    }
    // What is no number fills its own row.
    let special = Pattern::Positions.with(&[(3, f64::NAN), (21, f64::NEG_INFINITY)]);
    for n in [16, 12] {
        let case = Case::new(format!("nan and inf {n}"), DType::F32);
        all.push(case.input("x", &[3, n], special.clone()));
    }
    let turned = TensorDesc::strided(DType::F32, &[3, 16], &[1, 5], 2);
    all.push(Case::new("view", DType::F32).view("x", turned, Pattern::Positions));
    all.push(Case::new("empty", DType::F32).input("x", &[0, 12], Pattern::normal(1)).empty());
    all
}

fn bench(_: &Entry) -> Vec<Bench> {
    let (rows, n) = (512, 1_024);
    let case = Case::new("1024", DType::F32)
        .input("x", &[rows, n], Pattern::normal(1))
        .bound(Bound::sum(11.0));
    let elems = u64::from(rows * n);
    vec![Bench { case, bytes: 8 * elems, flops: elems * u64::from(n.ilog2()), scale: Scale::Host }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_orthogonal() {
        for n in [12, 20, 28] {
            let h = paley(n);
            for i in 0..n {
                assert!(h[i].iter().all(|x| x.abs() == 1), "{n}: {:?}", h[i]);
                for j in 0..n {
                    let dot: i32 = (0..n).map(|k| h[i][k] * h[j][k]).sum();
                    assert_eq!(dot, if i == j { n as i32 } else { 0 }, "{n}: rows {i} and {j}");
                }
            }
        }
    }
}
