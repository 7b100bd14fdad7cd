//! Plans of the products of a 2:4 matrix and a dense one.
//!
//! Invariants
//! - Sizes, dtypes and what a request leaves out are checked here, once; a kernel gets what fits.

use super::{
    definition::{Form, Outcome, gemm_sparse24, gemm_sparse24_matrix, gemm_sparse24_wide},
    gemm_sparse24::BLOCK_SCALED,
    group::Kept,
    matrix::Cut,
    product::{FEW_COLUMNS, Path, TILES},
    skinny::{Skinny, gemm_sparse24_skinny},
};
use crate::{matmul::gemm::Tile, pack, prelude::*};
use evenweave_lang::{
    launch::Layout,
    matrix::{Atom, wide::Wide},
};

type Staged = Result<Kernel, PlanError>;

/// Extents of a product: batch, matrices of `a`, m, n, k.
pub(super) struct Sizes {
    pub(super) batch: u32,
    pub(super) a_batch: u32,
    pub(super) m: u32,
    pub(super) n: u32,
    pub(super) k: u32,
    pub(super) batched: bool,
}

impl Sizes {
    /// Rows of all matrices of `a`, or columns of all of `b` where they are more.
    pub(super) fn rows(&self) -> u64 {
        u64::from(self.batch) * u64::from(self.m.max(self.n))
    }
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
pub(super) fn outcome(call: &Call<'_>) -> Result<DType, PlanError> {
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
    call.expect(y != DType::I32 || ints, "`out` of floats", "f32, f16 or bf16", y)?;
    Ok(y)
}

pub(super) fn sizes(call: &Call<'_>) -> Result<Sizes, PlanError> {
    for name in ["values", "b"] {
        let rank = call.dims(name).len();
        call.expect(rank == 2 || rank == 3, format_args!("the rank of `{name}`"), "2 or 3", rank)?;
    }
    let a = batch_of(call, "values", 1, false).shape;
    let b = batch_of(call, "b", 1, call.flag("trans_b")).shape;
    let ranks = (call.dims("values").len(), call.dims("b").len());
    let (batch, a_batch) = match ranks {
        (2, _) => (b[0], 1),
        (_, 2) => (a[0], a[0]),
        _ => {
            call.expect(a[0] == b[0], "the batch of `b`", a[0], b[0])?;
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
pub(super) fn block_of(call: &Call<'_>) -> Result<u32, PlanError> {
    if !is_block_scaled(call) {
        return Ok(0);
    }
    let block = call.int("block");
    call.expect([16, 32, 64, 128].contains(&block), "`block`", "16, 32, 64 or 128", block)?;
    Ok(block as u32)
}

fn path_of(call: &Call<'_>, sizes: &Sizes) -> Result<Path, PlanError> {
    let fills = |t: &&Tile| sizes.m >= t.high() / 4 * 3 && sizes.n >= t.wide() / 4 * 3;
    let few = FEW_COLUMNS.into_iter().find(|&columns| (1..=columns).contains(&sizes.n));
    Ok(match (call.int_in("tile", 0..=TILES.len() as i64)?, few) {
        (0, Some(columns)) => Path::Rows(columns),
        (0, None) => Path::Tiled(*TILES.iter().rev().find(fills).unwrap_or(&TILES[0])),
        (chosen, _) => Path::Tiled(TILES[chosen as usize - 1]),
    })
}

/// The inputs that a request may leave out, as arguments, and how many of each there are.
struct Extras {
    factors: u32,
    biases: u32,
    addends: u32,
    c: Arg,
    scale: Arg,
    bias: Arg,
}

impl Extras {
    fn any(&self) -> bool {
        [self.factors, self.biases, self.addends] != [0; 3]
    }

    /// The numbers of a launch that both kernels take, in their order, and one of its own.
    fn scalars(&self, call: &Call<'_>, sizes: &Sizes, own: u32) -> Vec<Arg> {
        let Sizes { batch, a_batch, m, n, k, .. } = *sizes;
        let [y_rows, y_cols] = if call.flag("trans_y") { [1, m] } else { [n, 1] };
        let given = [self.factors, self.biases, self.addends];
        let all = [[batch, a_batch, m, n, k].as_slice(), &given, &[y_rows, y_cols, own]].concat();
        all.into_iter().map(Arg::from).collect()
    }
}

fn extras(call: &Call<'_>, plan: &mut Plan, sizes: &Sizes, y: DType) -> Result<Extras, PlanError> {
    let (m, n, flip) = (sizes.m, sizes.n, call.flag("trans_y"));
    let wide = if y == DType::I32 { DType::I32 } else { DType::F32 };
    let none = |plan: &mut Plan, dtype| plan.temp(dtype, &[0]);
    let (addends, c) = if call.has("c") {
        let shape = if flip { [n, m] } else { [m, n] };
        let whole =
            if sizes.batched { [&[sizes.batch], &shape[..]].concat() } else { shape.into() };
        call.expect_shape("c", &whole)?;
        call.expect(call.dtype("c") == y, "the dtype of `c`", y, call.dtype("c"))?;
        (sizes.batch, TensorRef::Input("c".into()).view(batch_of(call, "c", sizes.batch, flip)))
    } else {
        (0, none(plan, y).view_as(&[0, m, n]))
    };
    let (factors, scale) = if call.has("scale") {
        call.expect(y != DType::I32, "`scale` where y is i32", "left out", "given")?;
        let one = call.dims("scale") == [1];
        if !one {
            call.expect_shape("scale", &[m])?;
        }
        (if one { 1 } else { m }, call.buffer("scale"))
    } else {
        (0, none(plan, DType::F32).buffer())
    };
    let (biases, bias) = if call.has("bias") {
        call.expect_shape("bias", &[m])?;
        call.expect(call.dtype("bias") == wide, "the dtype of `bias`", wide, call.dtype("bias"))?;
        (m, call.buffer("bias"))
    } else {
        (0, none(plan, wide).buffer())
    };
    Ok(Extras { factors, biases, addends, c, scale, bias })
}

pub(super) fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let sizes = sizes(call)?;
    let y_dtype = outcome(call)?;
    let mut plan = Plan::new();
    let extras = extras(call, &mut plan, &sizes, y_dtype)?;
    let flip = call.flag("trans_y");
    let shape = if flip { [sizes.n, sizes.m] } else { [sizes.m, sizes.n] };
    let shape = if sizes.batched { [&[sizes.batch], &shape[..]].concat() } else { shape.into() };
    let block = block_of(call)?;
    match if block == 0 { call.word("path") } else { "plain" } {
        "quads" | "halves" => return matrix_plan(call, plan, &sizes, extras, (y_dtype, &shape)),
        "group" => return wide_plan(call, plan, &sizes, extras, (y_dtype, &shape)),
        _ => {}
    }
    let b = batch_of(call, "b", sizes.batch, call.flag("trans_b"));
    let path = path_of(call, &sizes)?;
    // Tiles read value by value.
    let whole = matches!(path, Path::Rows(_)) && sizes.k.is_multiple_of(16);
    let form = Form { scaled: u32::from(block > 0), more: extras.any(), whole };
    let (kernel, blocks, scales) = if block > 0 {
        let outer = &call.dims("values")[..call.dims("values").len() - 1];
        let blocks = sizes.k.div_ceil(block);
        call.expect_shape("scales", &[outer, &[blocks]].concat())?;
        (staged_scaled(call, form, path)?, blocks, call.buffer("scales"))
    } else {
        (staged(call, y_dtype, form, path)?, 0, plan.temp(DType::F32, &[0]).buffer())
    };
    let y = plan.output("y", y_dtype, &shape);
    let b_k = u32::from(b.strides[1] < b.strides[2]);
    let scalars = extras.scalars(call, &sizes, b_k);
    let more = [blocks, block.checked_ilog2().unwrap_or(0)].map(Arg::from);
    let Extras { c, scale, bias, .. } = extras;
    let b = TensorRef::Input("b".into()).view(b);
    let tensors = [call.buffer("values"), call.buffer("index"), scales, b, c, scale, bias];
    plan.step(kernel, tensors.into_iter().chain([y.buffer()]).chain(scalars).chain(more));
    Ok(plan)
}

/// The product of small matrices that a path has for these dtypes.
fn atom_of(call: &Call<'_>) -> Result<Atom, PlanError> {
    let (a, b, quads) = (call.dtype("values"), call.dtype("b"), call.word("path") == "quads");
    let fits = |atom: &Atom| atom.quads() == quads && atom.elements() == [a, b];
    Atom::ALL.iter().copied().find(fits).ok_or_else(|| {
        let what = "the dtypes of `values` and `b` for this `path`";
        let more = match quads {
            true => ", or each one of f8 where there are few columns and k is whole spans",
            false => ", or each one of f8, or each of 4 bits",
        };
        call.wrong(what, format!("f16, bf16 or i8, both the same{more}"), format!("{a} and {b}"))
    })
}

/// `b` with its columns as rows without gaps, and how many matrices there are: as it lies, or as a step first copies it.
fn columns(call: &Call<'_>, plan: &mut Plan, dtype: DType) -> Result<(TensorRef, u32), PlanError> {
    let layout = batch_of(call, "b", 1, !call.flag("trans_b"));
    let mut gapless = Layout::contiguous(&layout.shape);
    if layout.shape[0] == 1 {
        // The stride of a batch of one names nothing.
        gapless.strides[0] = layout.strides[0];
    }
    let batch = layout.shape[0];
    if layout == gapless {
        return Ok((TensorRef::Input("b".into()), batch));
    }
    let copy = plan.temp(dtype, &layout.shape);
    let step = pack::step(call.entry().name, "b", &TensorDesc { dtype, layout }, &copy)?;
    plan.steps.push(step);
    Ok((copy, batch))
}

/// The plan with products of small matrices.
fn matrix_plan(
    call: &Call<'_>,
    mut plan: Plan,
    sizes: &Sizes,
    extras: Extras,
    (y_dtype, shape): (DType, &[u32]),
) -> Result<Plan, PlanError> {
    if let Some(cut) = skinny_of(call, sizes)? {
        return skinny_plan(call, plan, sizes, extras, (y_dtype, shape), cut);
    }
    let atom = atom_of(call)?;
    let cuts = Cut::all(atom);
    let cut = match call.int_in("tile", 0..=cuts.len() as i64)? {
        0 => Cut::fitting(atom, sizes.m, sizes.n),
        chosen => cuts[chosen as usize - 1],
    };
    let (b, b_batch) = columns(call, &mut plan, atom.elements()[1])?;
    // A small product takes no time that whole words would save.
    let whole = cut != cuts[0] && sizes.k.is_multiple_of(16);
    let form = Form { scaled: 0, more: extras.any(), whole };
    let kernel = match atom.elements()[0] {
        DType::I8 => of_int_matrices::<i8>(call, y_dtype, form, cut),
        DType::F16 => of_float_matrices::<f16>(call, y_dtype, form, cut),
        DType::BF16 => of_float_matrices::<bf16>(call, y_dtype, form, cut),
        _ if atom.is_float() => of_float_matrices::<u8>(call, y_dtype, form, cut),
        _ => of_int_matrices::<u8>(call, y_dtype, form, cut),
    }?;
    let coded = !atom.elements()[0].is_value();
    let memory = |tensor: TensorRef| if coded { tensor.bytes() } else { tensor.buffer() };
    let scalars = extras.scalars(call, sizes, b_batch);
    let y = plan.output("y", y_dtype, shape);
    let Extras { c, scale, bias, .. } = extras;
    let values = memory(TensorRef::Input("values".into()));
    let tensors = [values, call.buffer("index"), memory(b), c, scale, bias];
    plan.step(kernel, tensors.into_iter().chain([y.buffer()]).chain(scalars));
    Ok(plan)
}

/// How the product is cut where it has few columns: asked for by a number after those of `Cut`, or what fits.
fn skinny_of(call: &Call<'_>, sizes: &Sizes) -> Result<Option<Skinny>, PlanError> {
    let dtypes = [call.dtype("values"), call.dtype("b")];
    let Some(all) = Skinny::of_dtypes(dtypes, call.word("path") == "quads") else {
        return Ok(None);
    };
    let before = TILES.len();
    let tile = call.int_in("tile", 0..=(before + all.len()) as i64)? as usize;
    let Some(chosen) = tile.checked_sub(before + 1) else {
        return Ok(if tile == 0 {
            Skinny::fitting(all, sizes.rows(), sizes.n, sizes.k)
        } else {
            None
        });
    };
    let cut = all[chosen];
    call.require(cut.fits(sizes.rows(), sizes.k) && sizes.n > 0, || {
        let want = format!("a multiple of {} for this `tile`", cut.span());
        ("k, the rows of `b`,".into(), want, sizes.k.to_string())
    })?;
    Ok(Some(cut))
}

/// The plan for few columns.
fn skinny_plan(
    call: &Call<'_>,
    mut plan: Plan,
    sizes: &Sizes,
    extras: Extras,
    (y_dtype, shape): (DType, &[u32]),
    cut: Skinny,
) -> Result<Plan, PlanError> {
    let (b, b_batch) = columns(call, &mut plan, cut.elements[1])?;
    let form = Form { scaled: 0, more: extras.any(), whole: true };
    let kernel = match (y_dtype, cut.atom.is_float()) {
        (DType::F16, true) => call.staged(gemm_sparse24_skinny::<f16, f32>(form, cut)),
        (DType::BF16, true) => call.staged(gemm_sparse24_skinny::<bf16, f32>(form, cut)),
        (_, true) => call.staged(gemm_sparse24_skinny::<f32, f32>(form, cut)),
        (DType::F32, false) => call.staged(gemm_sparse24_skinny::<f32, i32>(form, cut)),
        (DType::F16, false) => call.staged(gemm_sparse24_skinny::<f16, i32>(form, cut)),
        (DType::BF16, false) => call.staged(gemm_sparse24_skinny::<bf16, i32>(form, cut)),
        (_, false) => call.staged(gemm_sparse24_skinny::<i32, i32>(form, cut)),
    }?;
    let scalars = extras.scalars(call, sizes, b_batch);
    let y = plan.output("y", y_dtype, shape);
    let Extras { c, scale, bias, .. } = extras;
    let [values, index] = ["values", "index"].map(|name| TensorRef::Input(name.into()).words());
    let tensors = [values, index, b.words(), c, scale, bias];
    plan.step(kernel, tensors.into_iter().chain([y.buffer()]).chain(scalars));
    Ok(plan)
}

/// The product with shared memory that these dtypes have, and its plan. It reads bytes.
fn wide_plan(
    call: &Call<'_>,
    mut plan: Plan,
    sizes: &Sizes,
    extras: Extras,
    (y_dtype, shape): (DType, &[u32]),
) -> Result<Plan, PlanError> {
    let (a, b) = (call.dtype("values"), call.dtype("b"));
    let fits = |wide: &Wide| wide.elements() == [a, b];
    let wide = Wide::ALL.iter().copied().find(fits).ok_or_else(|| {
        let what = "the dtypes of `values` and `b` for this `path`";
        let want = "f16, bf16 or i8, both the same, or each one of f8";
        call.wrong(what, want, format!("{a} and {b}"))
    })?;
    call.require(sizes.k.is_multiple_of(wide.k()), || {
        let want = format!("a multiple of {} for this `path`", wide.k());
        ("k, the rows of `b`,".into(), want, sizes.k.to_string())
    })?;
    let form = Form { scaled: 0, more: extras.any(), whole: true };
    let kernel = match (wide.is_float(), y_dtype) {
        (true, DType::F16) => call.staged(gemm_sparse24_wide::<f16, f32>(form, wide)),
        (true, DType::BF16) => call.staged(gemm_sparse24_wide::<bf16, f32>(form, wide)),
        (true, _) => call.staged(gemm_sparse24_wide::<f32, f32>(form, wide)),
        (false, DType::F32) => call.staged(gemm_sparse24_wide::<f32, i32>(form, wide)),
        (false, DType::F16) => call.staged(gemm_sparse24_wide::<f16, i32>(form, wide)),
        (false, DType::BF16) => call.staged(gemm_sparse24_wide::<bf16, i32>(form, wide)),
        (false, _) => call.staged(gemm_sparse24_wide::<i32, i32>(form, wide)),
    }?;
    let (b, b_batch) = columns(call, &mut plan, b)?;
    let scalars = extras.scalars(call, sizes, b_batch);
    let y = plan.output("y", y_dtype, shape);
    let Extras { c, scale, bias, .. } = extras;
    let values = TensorRef::Input("values".into()).bytes();
    let tensors = [values, call.buffer("index"), b.bytes(), c, scale, bias];
    plan.step(kernel, tensors.into_iter().chain([y.buffer()]).chain(scalars));
    Ok(plan)
}

fn of_float_matrices<T: Reinterpret>(call: &Call<'_>, y: DType, form: Form, cut: Cut) -> Staged {
    match y {
        DType::F16 => call.staged(gemm_sparse24_matrix::<T, f16, f32>(form, cut)),
        DType::BF16 => call.staged(gemm_sparse24_matrix::<T, bf16, f32>(form, cut)),
        _ => call.staged(gemm_sparse24_matrix::<T, f32, f32>(form, cut)),
    }
}

fn of_int_matrices<T: Reinterpret>(call: &Call<'_>, y: DType, form: Form, cut: Cut) -> Staged {
    match y {
        DType::F32 => call.staged(gemm_sparse24_matrix::<T, f32, i32>(form, cut)),
        DType::F16 => call.staged(gemm_sparse24_matrix::<T, f16, i32>(form, cut)),
        DType::BF16 => call.staged(gemm_sparse24_matrix::<T, bf16, i32>(form, cut)),
        _ => call.staged(gemm_sparse24_matrix::<T, i32, i32>(form, cut)),
    }
}

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
