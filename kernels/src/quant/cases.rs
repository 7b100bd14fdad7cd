//! What cases of packed weights are made of: codes, scales, bounds.

use super::format::{Code, FORMATS, Format, Scheme};
use crate::{pattern::Random, prelude::*};

/// The format with this name.
pub(crate) fn format(name: &str) -> Format {
    *FORMATS.iter().find(|f| f.name == name).expect("the table has it")
}

/// The format with another number of weights to a scale.
pub(crate) fn with_block(format: &Format, block: u32) -> Format {
    Format { scheme: Scheme { block, ..format.scheme }, ..*format }
}

/// Adds a packed matrix under names with a prefix, and the format. Biases are small whole numbers. Scales have the case's dtype where the format leaves
/// it open. Global scales are three where the rows are.
pub(crate) fn packed(
    case: Case,
    f: &Format,
    prefix: &str,
    lead: &[u32],
    k: u32,
    [codes, scales]: [Pattern; 2],
) -> Case {
    let named = |what: &str| format!("{prefix}{what}");
    let dtype = if f.scheme.blocks.is_some() { DType::U8 } else { DType::U32 };
    let shape = [lead, &[f.scheme.row_units(k)]].concat();
    let mut case = case.word("format", f.name).input_as(&named("codes"), dtype, &shape, codes);
    let blocks = [lead, &[k.div_ceil(f.scheme.block)]].concat();
    let open = f.scales.contains(&case.dtype);
    if let Some(&scale) = if open { Some(&case.dtype) } else { f.scales.first() } {
        case = case.input_as(&named("scales"), scale, &blocks, scales);
        if f.scheme.bias {
            case = case.input_as(&named("biases"), scale, &blocks, Pattern::Positions);
        }
    }
    if f.scheme.global {
        let rows = lead.iter().product::<u32>();
        let parts = if rows % 3 == 0 && rows > 0 { 3 } else { 1 };
        let whole = Pattern::Cycle(vec![0.75, -3.0, 1.5]);
        case = case.input_as(&named("global"), DType::F32, &[parts], whole);
    }
    case
}

/// A case of a packed matrix.
pub(crate) fn packed_case(
    name: &str,
    dtype: DType,
    f: &Format,
    [n, k]: [u32; 2],
    content: [Pattern; 2],
) -> Case {
    packed(Case::new(format!("{} {name} {n}x{k}", f.name), dtype), f, "", &[n], k, content)
}

/// Scales of any size that the format has; none is NaN.
pub(crate) fn scales(f: &Format) -> Pattern {
    match f.scales {
        [DType::F8E8M0] => Pattern::Cycle((-9..9).map(|e| 2f64.powi(e)).collect()),
        _ => Pattern::uniform(11, 0.02, 1.7),
    }
}

/// Codes and scales of `n` rows of `k` weights of which none is NaN or infinite.
pub(crate) fn random(f: &Format, n: u32, k: u32, seed: u64) -> [Pattern; 2] {
    [random_codes(f, n, k, seed, |random| 0.05 + random.unit()), scales(f)]
}

/// The same with powers of two as scales, so that sums of few are exact.
pub(crate) fn exact(f: &Format, n: u32, k: u32, seed: u64) -> [Pattern; 2] {
    let power = |random: &mut Random| f64::from(1 << random.below(3));
    [random_codes(f, n, k, seed, power), Pattern::Cycle(vec![1.0, 2.0, 4.0])]
}

/// Units of `n` rows of `k` random codes; `half` makes the f16 of a block's scales.
fn random_codes(
    f: &Format,
    n: u32,
    k: u32,
    seed: u64,
    half: impl Fn(&mut Random) -> f64,
) -> Pattern {
    let mut random = Random::new(seed);
    let units = (n * f.scheme.row_units(k)).max(1);
    if f.scheme.blocks.is_none() {
        let finite = |byte: u8| match f.scheme.code {
            Code::E4M3 if byte & 0x7f == 0x7f => byte ^ 1,
            Code::E5M2 if byte & 0x7c == 0x7c => byte ^ 0x40,
            _ => byte,
        };
        let mut word = || u32::from_le_bytes((random.next() as u32).to_le_bytes().map(finite));
        return Pattern::CycleInt((0..units).map(|_| i128::from(word())).collect());
    }
    // The two f16 of a block, or the one, start where the format says.
    let (size, halves): (usize, &[usize]) = match f.name {
        "q8_0" => (34, &[0]),
        "q4_0" => (18, &[0]),
        "q2_k" => (84, &[80, 82]),
        "q4_k" => (144, &[0, 2]),
        "q5_k" => (176, &[0, 2]),
        "q6_k" => (210, &[208]),
        "iq2_xxs" => (66, &[0]),
        other => unreachable!("{other} has no blocks"),
    };
    let mut bytes: Vec<i128> = (0..units).map(|_| i128::from(random.next() as u8)).collect();
    for block in bytes.chunks_exact_mut(size) {
        for &at in halves {
            let bits = number::encode(DType::F16, half(&mut random));
            block[at] = i128::from(bits & 0xff);
            block[at + 1] = i128::from(bits >> 8);
        }
    }
    Pattern::CycleInt(bytes)
}

/// The bound of `row_product` over `k` packed weights: a term passes a run's chain, the accumulator's steps
/// (one a run's share and one a bias), 5 levels of the tree and the global scale; `more` says how often a factor of it is rounded.
pub(crate) fn product_bound(scheme: &Scheme, k: u32, more: f64) -> Bound {
    let shares = 32 / scheme.run() * (1 + u32::from(scheme.bias));
    let rounds = k.div_ceil(32).div_ceil(32);
    let factor = f64::from(33 + shares * rounds + 5 + 1) + more;
    Bound::Sum { ulps: 0.51, eps_of: DType::F32, factor }
}
