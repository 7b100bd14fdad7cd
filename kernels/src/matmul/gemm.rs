//! General matrix product: `y[b,i,j] = f(sum_k a[b,i,k] b[b,k,j] + bias[j])`, batch by batch.
//!
//! Each sum starts at -0.0 and runs `acc = fma(a, b, acc)` with k ascending, whatever the tile: every tile
//! gives the same bits, and the sum over k = 0 is -0.0. A group computes one tile of `y` from slabs of `a`
//! and `b` in shared memory; a thread keeps `rows` x `cols` sums in registers. The operands are strided
//! views, so a transposition, a gap or a batch that is used again (stride 0) is a matter of strides.

use crate::{
    pieces::epilogue::{Activation, activate},
    prelude::*,
};
use evenweave_lang::launch::Layout;

/// How a product is cut. No choice changes a bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Threads along the columns of `y`.
    pub across: u32,
    /// Threads along the rows of `y`.
    pub down: u32,
    /// Columns of a thread, `across` apart.
    pub cols: u32,
    /// Rows of a thread, neighbours.
    pub rows: u32,
    /// Steps along k between two barriers.
    pub slab: u32,
}

impl Tile {
    /// The tiles that `tile` = 1, 2, ... name, from the smallest to the largest.
    #[rustfmt::skip]
    pub const ALL: [Tile; 3] = [
        Tile { across: 16, down: 4, cols: 1, rows: 2, slab: 8 },
        Tile { across: 32, down: 4, cols: 2, rows: 4, slab: 8 },
        Tile { across: 32, down: 8, cols: 4, rows: 8, slab: 16 },
    ];

    /// Threads of a group.
    pub const fn threads(&self) -> u32 {
        self.across * self.down
    }

    /// Columns of `y` that a group computes.
    pub const fn wide(&self) -> u32 {
        self.across * self.cols
    }

    /// Rows of `y` that a group computes.
    pub const fn high(&self) -> u32 {
        self.down * self.rows
    }

    /// The largest tile that a product of `m` x `n` fills to three quarters each way, else the smallest.
    pub(crate) fn fitting(m: u32, n: u32) -> Tile {
        let fills = |t: &&Tile| m >= t.high() / 4 * 3 && n >= t.wide() / 4 * 3;
        *Tile::ALL.iter().rev().find(fills).unwrap_or(&Tile::ALL[0])
    }
}

/// Whether neighbours along k lie closer together than neighbours along the other axis: which axis the
/// threads follow when they copy a slab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Along {
    /// For `a`.
    pub a_k: bool,
    /// For `b`.
    pub b_k: bool,
}

/// The matrices of a product, seen from one of a batch.
pub(crate) struct Operands<'a> {
    /// Element of `a`: row, k.
    pub(crate) a: &'a dyn Fn(Val<u32>, Val<u32>) -> Val<f32>,
    /// So many elements of `b` that follow each other along k: column, k, how many.
    pub(crate) b: &'a dyn Fn(Val<u32>, Val<u32>, u32) -> Vec<Val<f32>>,
    /// Takes a finished sum: row, column.
    pub(crate) store: &'a dyn Fn(Val<u32>, Val<u32>, Val<f32>),
}

/// The tile of the product that starts at `row0` and `col0`, of rows below `m` and columns below `n`; `b` is asked for `per`
/// elements at once, a power of two that divides the slab. `k` must be uniform in the group.
#[device]
pub(crate) fn tiled(
    tile: Tile,
    along: Along,
    per: u32,
    [row0, col0]: [Val<u32>; 2],
    [m, n, k]: [Val<u32>; 3],
    of: &Operands<'_>,
) {
    let (across, cols, rows) = (tile.across, tile.cols, tile.rows);
    let (high, wide, slab, threads) = (tile.high(), tile.wide(), tile.slab, tile.threads());
    let thread = thread_id();
    let a_slab = shared::<f32>(slab * high);
    let b_slab = shared::<f32>(slab * wide);
    let acc = private::<f32>(rows * cols);
    for i in 0..rows * cols {
        acc[i] = -0.0;
    }
    for k0 in (val(0)..k).step_by(slab) {
        // Past the edges `a` counts as 0.0 and `b` as -0.0: their product is -0.0, which adds nothing.
        for i in 0..slab * high / threads {
            let e = thread + i * threads;
            let (r, s) = if along.a_k { (e / slab, e % slab) } else { (e % high, e / high) };
            let inside = row0 + r < m && k0 + s < k;
            a_slab[s * high + r] = if inside { (of.a)(row0 + r, k0 + s) } else { 0.0 };
        }
        for i in 0..slab * wide / threads / per {
            let e = thread + i * threads;
            let steps = slab / per;
            let (c, s) =
                if along.b_k { (e / steps, e % steps * per) } else { (e % wide, e / wide * per) };
            let inside = col0 + c < n && k0 + s < k;
            if per == 1 {
                b_slab[s * wide + c] = if inside { (of.b)(col0 + c, k0 + s, 1)[0] } else { -0.0 };
            } else if inside {
                let all = (of.b)(col0 + c, k0 + s, per);
                for j in 0..per {
                    let last = k0 + s + j < k;
                    b_slab[(s + j) * wide + c] = select(last, all[j as usize], -0.0);
                }
            } else {
                for j in 0..per {
                    b_slab[(s + j) * wide + c] = -0.0;
                }
            }
        }
        barrier();
        for s in val(0)..slab {
            let a_at = s * high + local_id_y() * rows;
            let b_at = s * wide + local_id();
            let b_row: Vec<Val<f32>> = (0..cols).map(|j| b_slab[b_at + j * across]).collect();
            for i in 0..rows {
                let x = a_slab[a_at + i];
                for j in 0..cols {
                    acc[i * cols + j] = fma(x, b_row[j as usize], acc[i * cols + j]);
                }
            }
        }
        barrier();
    }
    for i in 0..rows {
        let row = row0 + local_id_y() * rows + i;
        for j in 0..cols {
            let col = col0 + local_id() + j * across;
            if row < m && col < n {
                (of.store)(row, col, acc[i * cols + j]);
            }
        }
    }
}

/// The product over views `a` and `b`; see the module.
#[kernel(
    group = (tile.across, tile.down),
    grid = (n.div_ceil(tile.wide()), m.div_ceil(tile.high()), batch)
)]
pub fn gemm<T: Real>(
    #[shape(batch, m, k)] a: &InView<T, 3>,
    #[shape(batch, k, n)] b: &InView<T, 3>,
    #[len(n * bias_rows)] bias: &In<T>,
    #[len(batch * m * n)] y: &mut Out<T>,
    batch: u32,
    m: u32,
    n: u32,
    k: u32,
    #[comptime] bias_rows: u32,
    #[comptime] activation: Activation,
    #[comptime] tile: Tile,
    #[comptime] along: Along,
) {
    let z = group_id_z();
    let of = Operands {
        a: &|row, k| a[[z, row, k]] as f32,
        b: &|col, k, _| vec![b[[z, k, col]] as f32],
        store: &|row, col, sum| {
            let sum = if bias_rows > 0 { sum + (bias[col] as f32) } else { sum };
            let at = ((z as u64) * (m as u64) + (row as u64)) * (n as u64) + (col as u64);
            y[at] = activate(sum, activation) as T;
        },
    };
    let start = [group_id_y() * tile.high(), group_id() * tile.wide()];
    tiled(tile, along, 1, start, [m, n, k], &of);
}

/// A product of two matrices.
pub const GEMM: Entry = Entry::new("gemm", "matmul", plan, reference, super::gemm_cases::gemm)
    .summary("y[i,j] = f(sum_k a[i,k] b[k,j] + bias[j])")
    .inputs(&[
        InputSpec::new("a", REALS, "[m, k]; [k, m] with trans_a").strided(),
        InputSpec::like("b", "a", "[k, n]; [n, k] with trans_b").strided(),
        BIAS,
    ])
    .outputs(&[OutputSpec::new("y", "[m, n], dtype of a")])
    .settings(SETTINGS)
    .words(WORDS)
    .bench(super::gemm_cases::gemm_bench);

/// Products of two matrices, one a batch element.
pub const GEMM_BATCHED: Entry =
    Entry::new("gemm_batched", "matmul", plan, reference, super::gemm_cases::gemm_batched)
        .summary("y[z,i,j] = f(sum_k a[z,i,k] b[z,k,j] + bias[j])")
        .inputs(&[
            InputSpec::new("a", REALS, "[batch, m, k]; [batch, k, m] with trans_a").strided(),
            InputSpec::like("b", "a", "[batch, k, n]; [batch, n, k] with trans_b").strided(),
            BIAS,
        ])
        .outputs(&[OutputSpec::new("y", "[batch, m, n], dtype of a")])
        .settings(SETTINGS)
        .words(WORDS);

const BIAS: InputSpec = InputSpec::like("bias", "a", "[n]").optional();
const SETTINGS: &[SettingSpec] = &[
    SettingSpec::int("trans_a", 0, "1: a is stored with k before m"),
    SettingSpec::int("trans_b", 0, "1: b is stored with n before k"),
    SettingSpec::int(
        "tile",
        0,
        "how the product is cut, 1 to 3; 0 chooses by size; no bit depends on it",
    ),
];
const WORDS: &[WordSpec] = &[WordSpec::new("activation", Activation::WORDS, "f")];

/// An operand as [batch, rows, columns], a matrix as a batch of one.
fn operand(call: &Call<'_>, name: &str, flip: bool) -> Result<Layout, PlanError> {
    let mut layout = call.desc(name).layout.clone();
    if call.entry().name == "gemm" {
        call.shape::<2>(name)?;
        layout.shape.insert(0, 1);
        layout.strides.insert(0, 0);
    } else {
        call.shape::<3>(name)?;
    }
    if flip {
        layout.shape.swap(1, 2);
        layout.strides.swap(1, 2);
    }
    Ok(layout)
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let a = operand(call, "a", call.flag("trans_a"))?;
    let b = operand(call, "b", call.flag("trans_b"))?;
    let (batch, m, k, n) = (a.shape[0], a.shape[1], a.shape[2], b.shape[2]);
    call.require(b.shape[0] == batch && b.shape[1] == k, || {
        let want = format!("[{batch}, {k}, n] like `a`");
        ("`b` as [batch, k, n]".into(), want, format!("{:?}", b.shape))
    })?;
    let dtype = call.dtype("a");
    let activation = Activation::named(call.word("activation"));
    let tile = match call.int_in("tile", 0..=Tile::ALL.len() as i64)? {
        0 => Tile::fitting(m, n),
        chosen => Tile::ALL[chosen as usize - 1],
    };
    let along = Along { a_k: a.strides[2] <= a.strides[1], b_k: b.strides[1] < b.strides[2] };
    let (bias_rows, bias) = if call.has("bias") {
        call.expect_shape("bias", &[n])?;
        (1, call.buffer("bias"))
    } else {
        (0, TensorRef::Input("a".into()).buffer())
    };
    let mut plan = Plan::new();
    let shape = [batch, m, n];
    let y = plan.output("y", dtype, if call.entry().name == "gemm" { &shape[1..] } else { &shape });
    let kernel = with_real!(call, dtype, T => gemm::<T>(bias_rows, activation, tile, along))?;
    let (a, b) = (TensorRef::Input("a".into()).view(a), TensorRef::Input("b".into()).view(b));
    let scalars = [batch, m, n, k].map(Arg::from);
    plan.step(kernel, [a, b, bias, y.buffer()].into_iter().chain(scalars));
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let (a, b) = (known.float("a"), known.float("b"));
    let (trans_a, trans_b) = (known.flag("trans_a"), known.flag("trans_b"));
    let (a_shape, b_shape) = (known.extents("a"), known.extents("b"));
    let axes = a_shape.len();
    let batch = if axes == 3 { a_shape[0] } else { 1 };
    let (m, k) = match trans_a {
        true => (a_shape[axes - 1], a_shape[axes - 2]),
        false => (a_shape[axes - 2], a_shape[axes - 1]),
    };
    let n = if trans_b { b_shape[axes - 2] } else { b_shape[axes - 1] };
    let f = Activation::named(known.word("activation"));
    let (mut y, mut magnitude) = (Vec::new(), Vec::new());
    for z in 0..batch {
        for i in 0..m {
            for j in 0..n {
                let (mut sum, mut terms) = (-0.0, 0.0);
                for l in 0..k {
                    let left = if trans_a { (z * k + l) * m + i } else { (z * m + i) * k + l };
                    let right = if trans_b { (z * n + j) * k + l } else { (z * k + l) * n + j };
                    sum += a[left] * b[right];
                    terms += (a[left] * b[right]).abs();
                }
                if known.has("bias") {
                    sum += known.float("bias")[j];
                    terms += known.float("bias")[j].abs();
                }
                y.push(f.f64(sum));
                magnitude.push(terms);
            }
        }
    }
    vec![Expected::sum("y", y, magnitude)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slabs_are_copied_whole() {
        for tile in Tile::ALL {
            assert_eq!(tile.slab * tile.high() % tile.threads(), 0, "{tile:?}");
            assert_eq!(tile.slab * tile.wide() % tile.threads(), 0, "{tile:?}");
        }
    }

    #[test]
    fn a_larger_product_gets_a_larger_tile() {
        assert_eq!(Tile::fitting(1, 1000), Tile::ALL[0]);
        assert_eq!(Tile::fitting(12, 48), Tile::ALL[1]);
        assert_eq!(Tile::fitting(512, 512), Tile::ALL[2]);
    }
}
