//! Product of a 2:4 matrix and a dense one: `y[z,i,j] = scale[i] sum_k a[z,i,k] b[z,k,j] + c[z,i,j] + bias[i]`.
//!
//! `a` is compressed (`values`, `index`). Sums are kept in i32, wrapping, where both operands are integers, else in f32
//! as `product` says; then scale, c and bias follow in this order in f32, or in i32 where the result is. With finite `b`
//! integer sums are the dense product's bits, and f32 sums of more than 16 columns are those of its nonzero terms in order.
//! Of `b` only the rows that places name are met, those of values that are 0 too.
//!
//! The block-scaled form has a scale for each `block` columns of `a`: an element is `value * scale`, rounded to f32.

use super::{
    group::{DTYPES, Kept},
    matrix::{Cut, Words, by_matrices, word_of},
    product::{FEW_COLUMNS, Operands, Path, Sum, TILES, by_rows, tiled},
};
use crate::{matmul::gemm::Tile, pieces::each::multiple, prelude::*};
use evenweave_lang::{launch::Layout, matrix::Atom};

/// A dtype of results, and the one in which scale, c and bias are applied.
pub trait Outcome: Scalar {
    /// f32, or i32 for i32.
    type Wide: Numeric;
}
macro_rules! outcomes {
    ($($ty:ty => $wide:ty,)*) => { $( impl Outcome for $ty { type Wide = $wide; } )* };
}
outcomes! { f32 => f32, f16 => f32, bf16 => f32, i32 => i32, }

/// What a product does besides multiplying.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// Columns of `a` that share a scale; 0 where there are no such scales.
    pub block: u32,
    /// 1: one scale for the result.
    pub one: u32,
    /// 1: a scale for each row of it.
    pub each: u32,
    /// 1: `c` is added.
    pub c: u32,
    /// 1: a bias for each row is added.
    pub bias: u32,
    /// Whether the result lies with columns before rows.
    pub flip: bool,
    /// Whether rows of `a` are whole words of the index.
    pub whole: bool,
    /// 1: columns of `b` are given as rows without gaps.
    pub rows: u32,
}

impl Form {
    /// Columns of a block, or 1.
    const fn block(&self) -> u32 {
        if self.block == 0 { 1 } else { self.block }
    }

    /// 1 where blocks have scales.
    const fn scaled(&self) -> u32 {
        if self.block == 0 { 0 } else { 1 }
    }
}

/// What becomes of a finished sum.
struct After<'a, Y: Outcome> {
    scale: &'a In<f32>,
    bias: &'a In<Y::Wide>,
    c: &'a InView<Y, 3>,
    y: &'a Out<Y>,
    /// Batch, rows, columns: which of the batch, and how many.
    size: [Val<u32>; 3],
    form: Form,
}

/// Scale, c, bias, and the store.
#[device]
fn finish<Y: Outcome, W: Sum>(of: &After<'_, Y>, row: Val<u32>, col: Val<u32>, sum: Val<W>) {
    let (form, [z, m, n]) = (of.form, of.size);
    let sum = sum as Y::Wide;
    let sum =
        if form.one + form.each > 0 { sum * (of.scale[row * form.each] as Y::Wide) } else { sum };
    let sum = if form.c > 0 { sum + (of.c[[z, row, col]] as Y::Wide) } else { sum };
    let sum = if form.bias > 0 { sum + of.bias[row] } else { sum };
    let (outer, inner, width) = if form.flip { (col, row, m) } else { (row, col, n) };
    let at = (z as u64 * ((m as u64) * (n as u64))) + outer as u64 * (width as u64);
    of.y[at + inner as u64] = sum as Y;
}

/// Definition.
#[kernel(
    group = (path.across(), path.down()),
    grid = (n.div_ceil(path.wide()), m.div_ceil(path.high()), batch)
)]
pub fn gemm_sparse24<A: Kept, S: Element, B: Element, Y: Outcome, W: Sum>(
    #[len(a_batch * m * (k / 2))] values: &In<A>,
    #[len(a_batch * m * k.div_ceil(16))] index: &In<u16>,
    #[len(a_batch * m * k.div_ceil(form.block()) * form.scaled())] scales: &In<S>,
    #[shape(batch, k, n)] b: &InView<B, 3>,
    #[shape(batch * form.c, m, n)] c: &InView<Y, 3>,
    #[len(m * form.each + form.one)] scale: &In<f32>,
    #[len(m * form.bias)] bias: &In<Y::Wide>,
    #[len(batch * m * n)] y: &mut Out<Y>,
    batch: u32,
    a_batch: u32,
    m: u32,
    n: u32,
    k: u32,
    #[comptime] form: Form,
    #[comptime] path: Path,
) {
    let z = group_id_z();
    let k = multiple(if form.whole { 16 } else { 4 }, k);
    // One matrix for the whole batch, or one each.
    let matrix = min(z, a_batch - 1) as u64 * (m as u64);
    let value = |row: Val<u32>, q: Val<u32>| {
        let of = matrix + row as u64;
        let x = values[of * ((k / 2) as u64) + q as u64] as W;
        if form.block > 0 {
            let blocks = k / form.block() + min(k % form.block(), 1);
            let block = q / 2 * 4 / form.block();
            x * (scales[of * (blocks as u64) + block as u64] as W)
        } else {
            x
        }
    };
    let places = |row: Val<u32>, word: Val<u32>| {
        let words = k / 16 + min(k % 16, 1);
        index[(matrix + row as u64) * (words as u64) + word as u64] as u32
    };
    let dense = |row: Val<u32>, col: Val<u32>| b[[z, row, col]] as W;
    let after = After { scale, bias, c, y, size: [z, m, n], form };
    let store = |row: Val<u32>, col: Val<u32>, sum: Val<W>| finish(&after, row, col, sum);
    let of = Operands { value: &value, places: &places, b: &dense, store: &store };
    match path {
        Path::Tiled { tile, b_k } => tiled([m, n, k], tile, b_k, &of),
        Path::Rows(columns) => by_rows(m, k, columns, &of),
    }
}

/// Definition with products of small matrices. `b` is a view, or `b_rows` has its columns as rows.
#[kernel(
    group = (32, cut.subgroups()),
    grid = (n.div_ceil(cut.wide()), m.div_ceil(cut.high()), batch)
)]
pub fn gemm_sparse24_matrix<T: Kept + Reinterpret, Y: Outcome, W: Sum>(
    #[len(a_batch * m * (k / 2))] values: &In<T>,
    #[len(a_batch * m * k.div_ceil(16))] index: &In<u16>,
    #[shape(batch * (1 - form.rows), k, n)] b: &InView<T, 3>,
    #[len(batch * n * k * form.rows)] b_rows: &In<T>,
    #[shape(batch * form.c, m, n)] c: &InView<Y, 3>,
    #[len(m * form.each + form.one)] scale: &In<f32>,
    #[len(m * form.bias)] bias: &In<Y::Wide>,
    #[len(batch * m * n)] y: &mut Out<Y>,
    batch: u32,
    a_batch: u32,
    m: u32,
    n: u32,
    k: u32,
    #[comptime] form: Form,
    #[comptime] cut: Cut,
    #[comptime] b_k: bool,
) {
    let z = group_id_z();
    let k = multiple(if form.whole { 16 } else { 4 }, k);
    let per = cut.atom.per_word();
    let matrix = min(z, a_batch - 1) as u64 * (m as u64);
    let a_word = |row: Val<u32>, word: Val<u32>| {
        let first = (matrix + row as u64) * ((k / 2) as u64) + (word * per) as u64;
        let pair = |at: u64| word_of(&[values[first + at], values[first + (at + 1)]]);
        if per == 2 {
            pair(0)
        } else if form.whole {
            let all: Vec<Val<T>> = (0..4u64).map(|j| values[first + j]).collect();
            word_of(&all)
        } else {
            // Two kept values of a row may be left for its last word.
            let high = if word * 4 + 2 < k / 2 { pair(2) } else { val(0u32) };
            pair(0) | (high << 16)
        }
    };
    let places = |row: Val<u32>, word: Val<u32>| {
        let words = k / 16 + min(k % 16, 1);
        index[(matrix + row as u64) * (words as u64) + word as u64] as u32
    };
    let dense = |word: Val<u32>, col: Val<u32>| {
        let column = (z as u64 * (n as u64) + col as u64) * (k as u64) + (word * per) as u64;
        let all: Vec<Val<T>> = (0..per)
            .map(|j| {
                if form.rows > 0 { b_rows[column + j as u64] } else { b[[z, word * per + j, col]] }
            })
            .collect();
        word_of(&all)
    };
    let after = After { scale, bias, c, y, size: [z, m, n], form };
    let store = |row: Val<u32>, col: Val<u32>, sum: Val<W>| finish(&after, row, col, sum);
    let of = Words { a: &a_word, places: &places, b: &dense, b_k, store: &store };
    by_matrices([m, n, k], cut, &of);
}

const INDEX: InputSpec = InputSpec::new("index", &[DType::U16], "[m, k/16 rounded up], or a batch");
const C: InputSpec = InputSpec::new(
    "c",
    &[DType::F32, DType::F16, DType::BF16, DType::I32],
    "shape and dtype of y, added",
)
.optional()
.strided();
const BIAS: InputSpec = InputSpec::new(
    "bias",
    &[DType::F32, DType::I32],
    "[m], i32 where y is, else f32: added to each row",
)
.optional();
const SCALE: InputSpec =
    InputSpec::new("scale", &[DType::F32], "[1] or [m]: factor of the sums, where y is a float")
        .optional();
const TRANS_B: SettingSpec = SettingSpec::int("trans_b", 0, "1: b is stored with n before k");
const TRANS_Y: SettingSpec = SettingSpec::int("trans_y", 0, "1: y and c are [n, m]");
const TILE: SettingSpec = SettingSpec::int(
    "tile",
    0,
    "how the product is cut, 1 to 3; 0 chooses by size, and for up to 16 columns a row a subgroup",
);

const PATH: WordSpec = WordSpec::new(
    "path",
    &["plain", "quads", "halves"],
    "plain, or products of small matrices (of f16, bf16 and i8) with rows over quads of lanes or over halves of a subgroup",
);

/// The product.
pub const ENTRY: Entry = Entry {
    name: "gemm_sparse24",
    family: "sparse",
    summary: "y[i,j] = scale[i] sum_k a[i,k] b[k,j] + c[i,j] + bias[i], a compressed 2:4",
    signature: Signature {
        inputs: &[
            InputSpec::new("values", DTYPES, "[m, k/2], or a batch of them"),
            INDEX,
            InputSpec::new(
                "b",
                DTYPES,
                "[k, n], or a batch; f8 with either f8, 4 bits with 4 or 8 bits, else as values",
            )
            .strided(),
            C,
            BIAS,
            SCALE,
        ],
        outputs: &[OutputSpec::new(
            "y",
            "[m, n], or a batch; i32 of integers, f32 of f8, else as b",
        )],
        settings: &[TRANS_B, TRANS_Y, TILE],
        words: &[
            WordSpec::new(
                "out",
                &["auto", "f32", "f16", "bf16", "i32"],
                "dtype of y; i32 of integers alone",
            ),
            PATH,
        ],
    },
    plan,
    reference,
    cases: super::gemm_cases::cases,
    bench: super::gemm_cases::bench,
};

/// The product of a matrix whose blocks of columns have scales.
pub const BLOCK_SCALED: Entry = Entry {
    name: "gemm_sparse24_block_scaled",
    family: "sparse",
    summary: "y[i,j] = sum_k a[i,k] scales[i,k/block] b[k,j] + c[i,j] + bias[i], a compressed 2:4",
    signature: Signature {
        inputs: &[
            InputSpec::new(
                "values",
                &[DType::I4, DType::U4, DType::F8E4M3, DType::F8E5M2, DType::I8],
                "[m, k/2], or a batch of them",
            ),
            INDEX,
            InputSpec::new(
                "scales",
                &[DType::F32, DType::F16, DType::F8E8M0],
                "[m, k/block rounded up], or a batch",
            ),
            InputSpec::new("b", REALS, "[k, n], or a batch").strided(),
            C,
            BIAS,
            SCALE,
        ],
        outputs: &[OutputSpec::new("y", "[m, n], or a batch; dtype of b")],
        settings: &[
            TRANS_B,
            TRANS_Y,
            TILE,
            SettingSpec::int("block", 32, "columns of a that share a scale: 16, 32, 64 or 128"),
        ],
        words: &[],
    },
    plan,
    reference,
    cases: super::gemm_cases::block_scaled,
    bench: super::gemm_cases::block_scaled_bench,
};

/// Extents of a product: batch, matrices of `a`, m, n, k.
struct Sizes {
    batch: u32,
    a_batch: u32,
    m: u32,
    n: u32,
    k: u32,
    batched: bool,
}

/// A matrix, or one of a batch, as [batch, rows, columns].
fn batch_of(call: &Call<'_>, name: &str, batch: u32, flip: bool) -> Layout {
    let mut layout = call.desc(name).layout.clone();
    if layout.shape.len() == 2 {
        layout.shape.insert(0, batch);
        layout.strides.insert(0, 0);
    }
    if flip {
        layout.shape.swap(1, 2);
        layout.strides.swap(1, 2);
    }
    layout
}

fn is_block_scaled(call: &Call<'_>) -> bool {
    call.entry().name == BLOCK_SCALED.name
}

/// The dtype of the result.
fn outcome(call: &Call<'_>) -> Result<DType, PlanError> {
    let b = call.dtype("b");
    let ints = !call.dtype("values").is_float() && !b.is_float();
    if is_block_scaled(call) {
        return Ok(b);
    }
    let y = match call.word("out") {
        "auto" if ints => DType::I32,
        "auto" if b.bits() == 8 => DType::F32,
        "auto" => b,
        _ => call.dtype_word("out"),
    };
    call.require(y != DType::I32 || ints, || {
        ("`out` of floats".into(), "f32, f16 or bf16".into(), y.to_string())
    })?;
    Ok(y)
}

fn sizes(call: &Call<'_>) -> Result<Sizes, PlanError> {
    for name in ["values", "b"] {
        let rank = call.dims(name).len();
        call.require(rank == 2 || rank == 3, || {
            (format!("the rank of `{name}`"), "2 or 3".into(), rank.to_string())
        })?;
    }
    let a = batch_of(call, "values", 1, false).shape;
    let b = batch_of(call, "b", 1, call.flag("trans_b")).shape;
    let ranks = (call.dims("values").len(), call.dims("b").len());
    let (batch, a_batch) = match ranks {
        (2, _) => (b[0], 1),
        (_, 2) => (a[0], a[0]),
        _ => {
            call.require(a[0] == b[0], || {
                ("the batch of `b`".into(), a[0].to_string(), b[0].to_string())
            })?;
            (a[0], a[0])
        }
    };
    let (m, half, k, n) = (a[1], a[2], b[1], b[2]);
    call.require(k.is_multiple_of(4), || {
        let want = "a multiple of 4 (more columns of zeros change nothing)";
        ("k, the rows of `b`,".into(), want.into(), k.to_string())
    })?;
    call.require(half == k / 2, || {
        let want = format!("{}, half of the {k} rows of `b`", k / 2);
        ("the last extent of `values`".into(), want, half.to_string())
    })?;
    let outer = &call.dims("values")[..ranks.0 - 1];
    call.expect_shape("index", &[outer, &[k.div_ceil(16)]].concat())?;
    call.elems("values")?;
    let batched = ranks != (2, 2);
    Ok(Sizes { batch, a_batch: if batch == 0 { 0 } else { a_batch }, m, n, k, batched })
}

/// The columns that share a scale; 0 where none do.
fn block_of(call: &Call<'_>) -> Result<u32, PlanError> {
    if !is_block_scaled(call) {
        return Ok(0);
    }
    let block = call.int("block");
    call.require([16, 32, 64, 128].contains(&block), || {
        ("`block`".into(), "16, 32, 64 or 128".into(), block.to_string())
    })?;
    Ok(block as u32)
}

fn path_of(call: &Call<'_>, sizes: &Sizes, b: &Layout) -> Result<Path, PlanError> {
    let b_k = b.strides[1] < b.strides[2];
    let fills = |t: &&Tile| sizes.m >= t.high() / 4 * 3 && sizes.n >= t.wide() / 4 * 3;
    Ok(match call.int_in("tile", 0..=TILES.len() as i64)? {
        0 if (1..=FEW_COLUMNS).contains(&sizes.n) => Path::Rows(sizes.n),
        0 => Path::Tiled { tile: *TILES.iter().rev().find(fills).unwrap_or(&TILES[0]), b_k },
        chosen => Path::Tiled { tile: TILES[chosen as usize - 1], b_k },
    })
}

/// The inputs that a request may leave out, as arguments, and what there is.
struct Extras {
    form: Form,
    c: Arg,
    scale: Arg,
    bias: Arg,
}

fn extras(call: &Call<'_>, plan: &mut Plan, sizes: &Sizes, y: DType) -> Result<Extras, PlanError> {
    let (m, n, flip) = (sizes.m, sizes.n, call.flag("trans_y"));
    let mut form = Form {
        block: block_of(call)?,
        one: 0,
        each: 0,
        c: 0,
        bias: 0,
        flip,
        whole: sizes.k.is_multiple_of(16),
        rows: 0,
    };
    let wide = if y == DType::I32 { DType::I32 } else { DType::F32 };
    let none = |plan: &mut Plan, dtype| plan.temp(dtype, &[0]);
    let c = if call.has("c") {
        let shape = if flip { [n, m] } else { [m, n] };
        let whole =
            if sizes.batched { [&[sizes.batch], &shape[..]].concat() } else { shape.into() };
        call.expect_shape("c", &whole)?;
        call.require(call.dtype("c") == y, || {
            ("the dtype of `c`".into(), y.to_string(), call.dtype("c").to_string())
        })?;
        form.c = 1;
        TensorRef::Input("c".into()).view(batch_of(call, "c", sizes.batch, flip))
    } else {
        none(plan, y).view_as(&[0, m, n])
    };
    let scale = if call.has("scale") {
        call.require(y != DType::I32, || {
            ("`scale` where y is i32".into(), "left out".into(), "given".into())
        })?;
        let one = call.dims("scale") == [1] && m != 1;
        if !one {
            call.expect_shape("scale", &[m])?;
        }
        (form.one, form.each) = if one { (1, 0) } else { (0, 1) };
        call.buffer("scale")
    } else {
        none(plan, DType::F32).buffer()
    };
    let bias = if call.has("bias") {
        call.expect_shape("bias", &[m])?;
        call.require(call.dtype("bias") == wide, || {
            ("the dtype of `bias`".into(), wide.to_string(), call.dtype("bias").to_string())
        })?;
        form.bias = 1;
        call.buffer("bias")
    } else {
        none(plan, wide).buffer()
    };
    Ok(Extras { form, c, scale, bias })
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let sizes = sizes(call)?;
    let y_dtype = outcome(call)?;
    let mut plan = Plan::new();
    let b = batch_of(call, "b", sizes.batch, call.flag("trans_b"));
    let Extras { form, c, scale, bias } = extras(call, &mut plan, &sizes, y_dtype)?;
    let shape = if form.flip { [sizes.n, sizes.m] } else { [sizes.m, sizes.n] };
    let shape = if sizes.batched { [&[sizes.batch], &shape[..]].concat() } else { shape.into() };
    let scales = if form.block > 0 {
        let outer = &call.dims("values")[..call.dims("values").len() - 1];
        call.expect_shape("scales", &[outer, &[sizes.k.div_ceil(form.block)]].concat())?;
        Some(call.buffer("scales"))
    } else {
        None
    };
    if form.block == 0 && call.word("path") != "plain" {
        let extras = Extras { form, c, scale, bias };
        return matrix_plan(call, plan, &sizes, b, extras, (y_dtype, &shape));
    }
    let path = path_of(call, &sizes, &b)?;
    let kernel = if form.block > 0 {
        staged_scaled(call, form, path)?
    } else {
        staged(call, y_dtype, form, path)?
    };
    let scales = scales.unwrap_or_else(|| plan.temp(DType::F32, &[0]).buffer());
    let y = plan.output("y", y_dtype, &shape);
    let b = TensorRef::Input("b".into()).view(b);
    let tensors = [call.buffer("values"), call.buffer("index"), scales, b, c, scale, bias];
    let Sizes { batch, a_batch, m, n, k, .. } = sizes;
    let scalars = [batch, a_batch, m, n, k].map(Arg::from);
    plan.step(kernel, tensors.into_iter().chain([y.buffer()]).chain(scalars));
    Ok(plan)
}

/// The plan with products of small matrices.
fn matrix_plan(
    call: &Call<'_>,
    mut plan: Plan,
    sizes: &Sizes,
    b: Layout,
    extras: Extras,
    (y_dtype, shape): (DType, &[u32]),
) -> Result<Plan, PlanError> {
    let Extras { mut form, c, scale, bias } = extras;
    let Sizes { batch, a_batch, m, n, k, .. } = *sizes;
    let atoms = match call.word("path") {
        "quads" => [Atom::I8m16n8k64, Atom::F16m16n8k32, Atom::Bf16m16n8k32],
        _ => [Atom::I8m16n16k32, Atom::F16m16n16k32, Atom::Bf16m16n16k32],
    };
    let (a, with) = (call.dtype("values"), call.dtype("b"));
    let atom =
        atoms.into_iter().find(|atom| [a, with] == [atom.element(); 2]).ok_or_else(|| {
            let what = "the dtypes of `values` and `b` for this `path`";
            call.wrong(what, "f16, bf16 or i8, both the same", format!("{a} and {with}"))
        })?;
    let cuts = Cut::all(atom);
    let cut = match call.int_in("tile", 0..=cuts.len() as i64)? {
        0 => Cut::fitting(atom, m, n),
        chosen => cuts[chosen as usize - 1],
    };
    let b_k = b.strides[1] < b.strides[2];
    let columns = Layout { strides: vec![u64::from(n) * u64::from(k), 1, k.into()], ..b.clone() };
    // The stride of a batch of one names nothing.
    let packed = Layout { strides: [&[columns.strides[0]], &b.strides[1..]].concat(), ..b.clone() };
    let lies_so = if batch == 1 { packed == columns } else { b == columns };
    form.rows = u32::from(lies_so && b.offset == 0);
    let input = TensorRef::Input("b".into());
    let (b, b_rows) = if form.rows == 1 {
        (plan.temp(with, &[0]).view_as(&[0, k, n]), input.buffer())
    } else {
        (input.view(b), plan.temp(with, &[0]).buffer())
    };
    let kernel = match a {
        DType::I8 => match y_dtype {
            DType::F32 => call.staged(gemm_sparse24_matrix::<i8, f32, i32>(form, cut, b_k)),
            DType::F16 => call.staged(gemm_sparse24_matrix::<i8, f16, i32>(form, cut, b_k)),
            DType::BF16 => call.staged(gemm_sparse24_matrix::<i8, bf16, i32>(form, cut, b_k)),
            _ => call.staged(gemm_sparse24_matrix::<i8, i32, i32>(form, cut, b_k)),
        },
        DType::F16 => of_matrices::<f16>(call, y_dtype, form, cut, b_k),
        _ => of_matrices::<bf16>(call, y_dtype, form, cut, b_k),
    }?;
    let y = plan.output("y", y_dtype, shape);
    let tensors = [call.buffer("values"), call.buffer("index"), b, b_rows, c, scale, bias];
    let scalars = [batch, a_batch, m, n, k].map(Arg::from);
    plan.step(kernel, tensors.into_iter().chain([y.buffer()]).chain(scalars));
    Ok(plan)
}

fn of_matrices<T: Kept + Reinterpret>(
    call: &Call<'_>,
    y: DType,
    form: Form,
    cut: Cut,
    b_k: bool,
) -> Staged {
    match y {
        DType::F16 => call.staged(gemm_sparse24_matrix::<T, f16, f32>(form, cut, b_k)),
        DType::BF16 => call.staged(gemm_sparse24_matrix::<T, bf16, f32>(form, cut, b_k)),
        _ => call.staged(gemm_sparse24_matrix::<T, f32, f32>(form, cut, b_k)),
    }
}

type Staged = Result<Kernel, PlanError>;

/// Both operands floats.
fn of_floats<A: Kept, B: Element>(call: &Call<'_>, y: DType, form: Form, path: Path) -> Staged {
    match y {
        DType::F16 => call.staged(gemm_sparse24::<A, f32, B, f16, f32>(form, path)),
        DType::BF16 => call.staged(gemm_sparse24::<A, f32, B, bf16, f32>(form, path)),
        _ => call.staged(gemm_sparse24::<A, f32, B, f32, f32>(form, path)),
    }
}

/// Both operands integers.
fn of_ints<A: Kept, B: Element>(call: &Call<'_>, y: DType, form: Form, path: Path) -> Staged {
    match y {
        DType::F32 => call.staged(gemm_sparse24::<A, f32, B, f32, i32>(form, path)),
        DType::F16 => call.staged(gemm_sparse24::<A, f32, B, f16, i32>(form, path)),
        DType::BF16 => call.staged(gemm_sparse24::<A, f32, B, bf16, i32>(form, path)),
        _ => call.staged(gemm_sparse24::<A, f32, B, i32, i32>(form, path)),
    }
}

fn staged(call: &Call<'_>, y: DType, form: Form, path: Path) -> Staged {
    use DType::{BF16 as BF, F8E4M3 as E4, F8E5M2 as E5, F16 as H, F32 as F, I4 as S4, I8 as S8};
    let (a, b) = (call.dtype("values"), call.dtype("b"));
    match (a, b) {
        (F, F) => of_floats::<f32, f32>(call, y, form, path),
        (H, H) => of_floats::<f16, f16>(call, y, form, path),
        (BF, BF) => of_floats::<bf16, bf16>(call, y, form, path),
        (E4, E4) => of_floats::<F8E4M3, F8E4M3>(call, y, form, path),
        (E4, E5) => of_floats::<F8E4M3, F8E5M2>(call, y, form, path),
        (E5, E4) => of_floats::<F8E5M2, F8E4M3>(call, y, form, path),
        (E5, E5) => of_floats::<F8E5M2, F8E5M2>(call, y, form, path),
        (S8, S8) => of_ints::<i8, i8>(call, y, form, path),
        (S4, S8) => of_ints::<I4, i8>(call, y, form, path),
        (S4, S4) => of_ints::<I4, I4>(call, y, form, path),
        (S4, DType::U4) => of_ints::<I4, U4>(call, y, form, path),
        (DType::U4, S8) => of_ints::<U4, i8>(call, y, form, path),
        (DType::U4, S4) => of_ints::<U4, I4>(call, y, form, path),
        (DType::U4, DType::U4) => of_ints::<U4, U4>(call, y, form, path),
        _ => {
            let want = "f8 for f8, 4 bits or i8 for 4 bits, and the same otherwise";
            Err(call.wrong(format!("the dtype of `b` for values of {a}"), want, b))
        }
    }
}

fn staged_scaled(call: &Call<'_>, form: Form, path: Path) -> Staged {
    fn with_scales<A: Kept, T: Real + Outcome>(call: &Call<'_>, form: Form, path: Path) -> Staged {
        match call.dtype("scales") {
            DType::F16 => call.staged(gemm_sparse24::<A, f16, T, T, f32>(form, path)),
            DType::F8E8M0 => call.staged(gemm_sparse24::<A, F8E8M0, T, T, f32>(form, path)),
            _ => call.staged(gemm_sparse24::<A, f32, T, T, f32>(form, path)),
        }
    }
    fn with_b<A: Kept>(call: &Call<'_>, form: Form, path: Path) -> Staged {
        match call.dtype("b") {
            DType::F16 => with_scales::<A, f16>(call, form, path),
            DType::BF16 => with_scales::<A, bf16>(call, form, path),
            _ => with_scales::<A, f32>(call, form, path),
        }
    }
    match call.dtype("values") {
        DType::I4 => with_b::<I4>(call, form, path),
        DType::U4 => with_b::<U4>(call, form, path),
        DType::F8E4M3 => with_b::<F8E4M3>(call, form, path),
        DType::F8E5M2 => with_b::<F8E5M2>(call, form, path),
        _ => with_b::<i8>(call, form, path),
    }
}

/// Each kept value times the element that its place names, in f64; sums of integers below 2^53 are exact.
fn reference(known: &Known<'_>) -> Vec<Expected> {
    let Sizes { batch, a_batch, m, n, k, .. } = sizes(known).expect("it has a plan");
    let [batch, m, n, k] = [batch, m, n, k].map(|e| e as usize);
    let (values, index, b) = (known.values("values"), known.int("index"), known.values("b"));
    let y_dtype = outcome(known).expect("it has a plan");
    let optional = |name| known.has(name).then(|| known.values(name));
    let (c, bias, scale) = (optional("c"), optional("bias"), optional("scale"));
    let block = block_of(known).expect("it has a plan") as usize;
    let scaled = (block > 0).then(|| (known.values("scales"), block));
    let b_of = |z: usize, row: usize, col: usize| {
        let z = if known.dims("b").len() == 2 { 0 } else { z };
        b[if known.flag("trans_b") { (z * n + col) * k + row } else { (z * k + row) * n + col }]
    };
    let (mut y, mut magnitude) = (vec![0.0; batch * m * n], vec![0.0; batch * m * n]);
    for (z, i, j) in (0..batch * m * n).map(|at| (at / n / m, at / n % m, at % n)) {
        let of = if a_batch == 1 { i } else { z * m + i };
        let (mut sum, mut terms) = (0.0, 0.0);
        for q in 0..k / 2 {
            let place = (index[of * k.div_ceil(16) + q / 8] >> (2 * (q % 8)) & 3) as usize;
            let mut a = values[of * (k / 2) + q];
            if let Some((scales, block)) = &scaled {
                a *= scales[of * k.div_ceil(*block) + q / 2 * 4 / block];
            }
            let term = a * b_of(z, q / 2 * 4 + place, j);
            sum += term;
            terms += term.abs();
        }
        if let Some(scale) = &scale {
            let factor = scale[if scale.len() == 1 { 0 } else { i }];
            (sum, terms) = (sum * factor, terms * factor.abs());
        }
        let at = if known.flag("trans_y") { (z * n + j) * m + i } else { (z * m + i) * n + j };
        let more = [c.as_ref().map(|c| c[at]), bias.as_ref().map(|bias| bias[i])];
        for x in more.into_iter().flatten() {
            sum += x;
            terms += x.abs();
        }
        (y[at], magnitude[at]) = (sum, terms);
    }
    if y_dtype == DType::I32 {
        let wrapped = y.into_iter().map(|x| number::wrap(DType::I32, x as i128)).collect();
        return vec![Expected::int("y", wrapped)];
    }
    vec![Expected::sum("y", y, magnitude)]
}
