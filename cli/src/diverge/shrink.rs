//! Simpler arguments with which a kernel still differs.
//!
//! Invariants
//! - Every step was run and differs. Lengths and layouts stay: fewer elements are not zero, values get simpler.
//! - Bounded by a number of launches, so that it ends.

use super::launch::{Comparison, compare};
use evenweave::Device;
use evenweave_kernels::number;
use evenweave_lang::{
    dtype::DType,
    generate::Argument,
    ir::{Access, Kernel},
};

/// Launches, at most.
const MOST_TRIES: u32 = 400;

/// Makes the arguments simpler while the kernel still differs.
pub(crate) fn arguments(
    kernel: &Kernel,
    args: &[Argument],
    oracle: &Device,
    device: &Device,
) -> Vec<Argument> {
    let mut best = args.to_vec();
    let mut tries = 0;
    let mut differs = |args: &[Argument]| {
        tries += 1;
        tries <= MOST_TRIES
            && matches!(compare(kernel, args, oracle, device), Comparison::Differs(_))
    };
    for param in 0..best.len() {
        match kernel.params[param].kind.access() {
            Some(Access::In | Access::InOut) => {}
            Some(Access::Out) | None => continue,
        }
        clear(&mut best, param, &mut differs);
    }
    for param in 0..best.len() {
        let Some(words) = words(&mut best[param]) else { continue };
        let left: Vec<usize> = (0..words.len()).filter(|&i| words[i] != 0).collect();
        // Many that are left are simple together, or not at all.
        if left.len() > 16 || kernel.params[param].kind.access() == Some(Access::Out) {
            continue;
        }
        for index in left {
            simplify(&mut best, param, index, &mut differs);
        }
    }
    best
}

fn words(arg: &mut Argument) -> Option<&mut Vec<u64>> {
    match arg {
        Argument::Scalar(..) => None,
        Argument::Buffer(_, words) | Argument::View(_, words, _) => Some(words),
    }
}

/// Sets runs of elements to zero: halves, quarters, down to single ones.
fn clear(best: &mut Vec<Argument>, param: usize, differs: &mut dyn FnMut(&[Argument]) -> bool) {
    let Some(len) = words(&mut best[param]).map(|words| words.len()) else { return };
    let mut run = len;
    while run > 0 {
        for start in (0..len).step_by(run) {
            let end = (start + run).min(len);
            let mut next = best.clone();
            let Some(words) = words(&mut next[param]) else { return };
            if words[start..end].iter().all(|&bits| bits == 0) {
                continue;
            }
            words[start..end].fill(0);
            if differs(&next) {
                *best = next;
            }
        }
        run /= 2;
    }
}

/// Replaces an element by the first simpler number that still shows the difference.
fn simplify(
    best: &mut Vec<Argument>,
    param: usize,
    index: usize,
    differs: &mut dyn FnMut(&[Argument]) -> bool,
) {
    let dtype = match &best[param] {
        Argument::Scalar(..) => return,
        Argument::Buffer(dtype, _) | Argument::View(dtype, _, _) => *dtype,
    };
    let Some(now) = words(&mut best[param]).map(|words| words[index]) else { return };
    for bits in simpler(dtype, now) {
        let mut next = best.clone();
        if let Some(words) = words(&mut next[param]) {
            words[index] = bits;
        }
        if differs(&next) {
            *best = next;
            return;
        }
    }
}

/// Numbers simpler than this one, the simplest first: small whole ones, then those with fewer bits.
fn simpler(dtype: DType, bits: u64) -> Vec<u64> {
    let mut all: Vec<u64> = match dtype.is_float() {
        true => [1.0, -1.0, 2.0, 0.5, 3.0].map(|x| number::encode(dtype, x)).into(),
        false => [1, 2, 3].into(),
    };
    // The highest bits alone; of a float, its leading ones.
    for keep in 1..dtype.bits() {
        let mask = (u64::MAX >> (64 - dtype.bits())) & (u64::MAX << (dtype.bits() - keep));
        all.push(bits & mask);
    }
    let mut kept = Vec::new();
    for x in all.into_iter().take_while(|&x| x != bits).filter(|&x| x != 0) {
        if !kept.contains(&x) {
            kept.push(x);
        }
    }
    kept
}
