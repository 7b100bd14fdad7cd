//! Product of a 2:4 matrix and a dense one: `y[z,i,j] = scale[i] sum_k a[z,i,k] b[z,k,j] + c[z,i,j] + bias[i]`.
//!
//! `a` is compressed (`values`, `index`). Sums are kept in i32, wrapping, where both operands are integers, else in f32
//! as `product` says; then scale, c and bias follow in this order in f32, or in i32 where the result is. With finite `b`
//! integer sums are the dense product's bits, and f32 sums of more than 16 columns are those of its nonzero terms in order.
//! Of `b` only the rows that places name are met, those of values that are 0 too.
//!
//! The block-scaled form has a scale for each `block` columns of `a`: an element is `value * scale`, rounded to f32.

use super::{
    group::DTYPES,
    plans::{Sizes, block_of, outcome, plan, sizes},
    product::FEW_COLUMNS,
    skinny::Skinny,
};
use crate::prelude::*;
use evenweave_lang::matrix::{Atom, wide::Wide};

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
    "how the product is cut, 1 to 3; 0 chooses by size, and for up to 16 columns a row a subgroup; 4 and 5 are for few columns \
     by products of small matrices",
);

const PATH: WordSpec = WordSpec::new(
    "path",
    &["auto", "plain", "quads", "halves", "group"],
    "auto chooses by the device; plain, or products of small matrices with rows over quads of lanes or over halves of a subgroup, or those that a group does together with b in shared memory",
);
const SUMS: WordSpec = WordSpec::new(
    "sums",
    &["same", "fast"],
    "same: the bits of every device; fast: floats may be summed in the order of the device's own products of matrices",
);

/// Why there are kernels whose sums differ between devices.
pub const WHY_BOUNDED: &str = "with `sums` = `fast` alone: products of small matrices by a device's own instructions \
    (`fast::matrix`) add the terms of a float's sum in an order that no maker publishes. That is where the speed of 2:4 \
    is. The default, `sums` = `same`, and all sums of integers have the same bits everywhere.";

/// The request with the path that is best on a device: `has` says which products of small matrices it has, and has itself,
/// `has_wide` which products with shared memory.
///
/// They are taken where the dtypes have one, the result has more columns than a subgroup computes at once or k is what the path for
/// few columns takes, and no bit changes: of integers, or where `sums` allows another order. Those with shared memory are taken
/// where the result fills some of what a group computes. A path that was asked for stays.
pub fn for_device(
    entry: &Entry,
    mut request: Request,
    has: impl Fn(Atom) -> bool,
    has_wide: impl Fn(Wide) -> bool,
) -> Request {
    let Ok(call) = entry.call(&request) else { return request };
    if entry.name != ENTRY.name || call.word("path") != "auto" {
        return request;
    }
    let elements = [call.dtype("values"), call.dtype("b")];
    let Ok(sizes) = sizes(&call) else { return request };
    let wide = sizes.n > FEW_COLUMNS[FEW_COLUMNS.len() - 1];
    if elements[0].is_float() && call.word("sums") != "fast" {
        return request;
    }
    let fills = |wide: &&Wide| {
        let is_large = sizes.m >= 128 && sizes.n >= 96;
        wide.elements() == elements && is_large && sizes.k.is_multiple_of(wide.k())
    };
    if Wide::ALL.iter().any(|wide| fills(&wide) && has_wide(*wide)) {
        return request.word("path", "group");
    }
    let pays = |quads: &bool| {
        let of_two = |atom: &Atom| atom.quads() == *quads && atom.elements() == elements;
        let few = Skinny::of_dtypes(elements, *quads);
        let few = few.and_then(|all| Skinny::fitting(all, sizes.rows(), sizes.n, sizes.k));
        wide && Atom::ALL.iter().any(|atom| of_two(atom) && has(*atom))
            || few.is_some_and(|cut| has(cut.atom))
    };
    if let Some(quads) = [true, false].into_iter().find(pays) {
        request = request.word("path", if quads { "quads" } else { "halves" });
    }
    request
}

/// The product.
pub const ENTRY: Entry =
    Entry::new("gemm_sparse24", "sparse", plan, reference, super::gemm_cases::cases)
        .summary("y[i,j] = scale[i] sum_k a[i,k] b[k,j] + c[i,j] + bias[i], a compressed 2:4")
        .inputs(&[
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
        ])
        .outputs(&[OutputSpec::new(
            "y",
            "[m, n], or a batch; i32 of integers, f32 of f8, else as b",
        )])
        .settings(&[TRANS_B, TRANS_Y, TILE])
        .words(&[
            WordSpec::new(
                "out",
                &["auto", "f32", "f16", "bf16", "i32"],
                "dtype of y; i32 of integers alone",
            ),
            PATH,
            SUMS,
        ])
        .bench(super::gemm_cases::bench);

/// The product of a matrix whose blocks of columns have scales.
pub const BLOCK_SCALED: Entry = Entry::new(
    "gemm_sparse24_block_scaled",
    "sparse",
    plan,
    reference,
    super::gemm_cases::block_scaled,
)
.summary("y[i,j] = sum_k a[i,k] scales[i,k/block] b[k,j] + c[i,j] + bias[i], a compressed 2:4")
.inputs(&[
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
])
.outputs(&[OutputSpec::new("y", "[m, n], or a batch; dtype of b")])
.settings(&[
    TRANS_B,
    TRANS_Y,
    TILE,
    SettingSpec::int("block", 32, "columns of a that share a scale: 16, 32, 64 or 128"),
])
.bench(super::gemm_cases::block_scaled_bench);
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
