//! Packed matrices in requests: their inputs, and what a plan makes of them.
//!
//! Invariants
//! - Codes, scales and whatever else belongs to them are checked here, once, against the format.

use super::format::{FORMAT_WORDS, Format};
use crate::prelude::*;

pub(crate) const FORMAT: WordSpec = WordSpec::new("format", FORMAT_WORDS, "how a weight is stored");
pub(crate) const BLOCK: SettingSpec =
    SettingSpec::int("block", 0, "weights that share a scale, of affine formats; 0: 64");
const SCALE_DTYPES: &[DType] = &[DType::F32, DType::F16, DType::BF16, DType::F8E4M3, DType::F8E8M0];

/// The inputs of a packed matrix under names with a prefix, for signatures.
macro_rules! packed_inputs {
    ($prefix:literal) => {
        [
            InputSpec::new(
                concat!($prefix, "codes"),
                &[DType::U32, DType::U8],
                "[rows ..., ceil(k / 32) * bits of a code] words; [rows ..., bytes of a row] for GGUF's formats",
            ),
            InputSpec::new(
                concat!($prefix, "scales"),
                $crate::quant::plans::scale_dtypes(),
                "[rows ..., ceil(k / block)], of the format's dtype; none for GGUF's",
            )
            .optional(),
            InputSpec::like(
                concat!($prefix, "biases"),
                concat!($prefix, "scales"),
                "shape of scales, of affine formats",
            )
            .optional(),
            InputSpec::new(
                concat!($prefix, "global"),
                &[DType::F32],
                "[parts], of nvfp4: one for each of equal parts of the rows",
            )
            .optional(),
        ]
    };
}
pub(crate) use packed_inputs;

pub(crate) const fn scale_dtypes() -> &'static [DType] {
    SCALE_DTYPES
}

/// Stages with the types of units and scales.
macro_rules! with_packed {
    ($matrix:expr, [$C:ident, $S:ident] => $stage:expr) => {
        $crate::quant::plans::with_packed! { @ $matrix, $C, $S, $stage;
            F8E8M0 F8E8M0, F8E4M3 F8E4M3, F32 f32, F16 f16, BF16 bf16, }
    };
    (@ $matrix:expr, $C:ident, $S:ident, $stage:expr; $($variant:ident $ty:ty,)*) => {
        match $matrix.scale {
            None => {
                type $C = u8;
                type $S = f32;
                $stage
            }
            $(Some(DType::$variant) => {
                type $C = u32;
                type $S = $ty;
                $stage
            })*
            Some(other) => unreachable!("signatures do not ask for scales of {other}"),
        }
    };
}
pub(crate) use with_packed;

/// The format of a request.
pub(crate) fn format(call: &Call<'_>) -> Result<Format, PlanError> {
    let mut format = Format::named(call.word("format")).expect("the signature lists the formats");
    let block = call.int_in("block", 0..=1 << 20)?;
    call.require(block == 0 || format.scheme.bias && format.scheme.blocks.is_none(), || {
        (format!("`block` for {}", format.name), "left out".into(), block.to_string())
    })?;
    if block > 0 {
        format.scheme.block = block;
    }
    Ok(format)
}

/// A packed matrix as kernels take it.
pub(crate) struct Matrix {
    /// How a row is stored.
    pub(crate) scheme: super::format::Scheme,
    /// Codes, scales, biases, global scales.
    pub(crate) tensors: [Arg; 4],
    /// How many global scales.
    pub(crate) parts: u32,
    /// The dtype of scales that lie apart.
    pub(crate) scale: Option<DType>,
}

/// The matrix of `lead` rows of `k` that a request gives under names with a prefix.
pub(crate) fn matrix(
    call: &Call<'_>,
    plan: &mut Plan,
    prefix: &str,
    lead: &[u32],
    k: u32,
) -> Result<Matrix, PlanError> {
    let Format { name, scheme, scales } = format(call)?;
    let named = |what: &str| format!("{prefix}{what}");
    for (what, wanted) in [
        ("scales", scheme.scale_rows() == 1),
        ("biases", scheme.bias_rows() == 1),
        ("global", scheme.global),
    ] {
        let words = |given| if given { "given" } else { "left out" }.to_string();
        call.require(call.has(&named(what)) == wanted, || {
            (format!("`{}` for {name}", named(what)), words(wanted), words(!wanted))
        })?;
    }
    let is_dtype = |what: &str, wanted: &[DType]| {
        let got = call.dtype(&named(what));
        call.require(wanted.contains(&got), || {
            let all: Vec<_> = wanted.iter().map(|d| d.name()).collect();
            (
                format!("the dtype of `{}` for {name}", named(what)),
                all.join(" or "),
                got.name().into(),
            )
        })
    };
    is_dtype("codes", if scheme.blocks.is_some() { &[DType::U8] } else { &[DType::U32] })?;
    let elems = scheme.unit_elems();
    call.require(scheme.blocks.is_none() || k.is_multiple_of(elems), || {
        (format!("`k` for {name}"), format!("a multiple of {elems}"), k.to_string())
    })?;
    let rows = call.product(&named("codes"), lead)?;
    let units = k.div_ceil(elems).checked_mul(scheme.units()).ok_or_else(|| {
        call.wrong("`k`", format!("less, so that a row of {name} has 2^32 units"), k)
    })?;
    call.expect_shape(&named("codes"), &[lead, &[units]].concat())?;
    let scale = if scheme.scale_rows() == 1 {
        is_dtype("scales", scales)?;
        let blocks = [lead, &[k.div_ceil(scheme.block)]].concat();
        call.expect_shape(&named("scales"), &blocks)?;
        if scheme.bias {
            call.expect_shape(&named("biases"), &blocks)?;
        }
        Some(call.dtype(&named("scales")))
    } else {
        None
    };
    let parts = if scheme.global {
        let [parts] = call.shape::<1>(&named("global"))?;
        call.require(parts > 0 && rows.is_multiple_of(parts), || {
            let want = format!("a multiple of the {parts} in `{}`", named("global"));
            (format!("the rows of `{}`", named("codes")), want, rows.to_string())
        })?;
        parts
    } else {
        0
    };
    let mut given = |what: &str| match call.has(&named(what)) {
        true => call.buffer(&named(what)),
        false => plan.temp(DType::F32, &[0]).buffer(),
    };
    let scales = given("scales");
    let biases = if scheme.bias_rows() == 1 { given("biases") } else { scales.clone() };
    let tensors = [call.buffer(&named("codes")), scales, biases, given("global")];
    Ok(Matrix { scheme, tensors, parts, scale })
}
