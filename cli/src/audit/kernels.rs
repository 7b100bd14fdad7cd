//! The kernels of the corpus as texts for a target, each once.
//!
//! Invariants
//! - Kernels whose texts are equal but for the entry's name are one.
//! - A kernel that the target refuses is kept with its refusal.

use evenweave_codegen::{Optimise, Target, c, prepare};
use evenweave_kernels::{case::Case, entry::Entry};
use evenweave_lang::{
    dtype::DType,
    ir::{Kernel, Op, Value},
    ops::{BinaryOp, UnaryOp},
    text,
};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// A kernel for a target.
pub(crate) struct Piece {
    /// The kernel's name.
    pub(crate) name: String,
    /// The families whose cases run it.
    pub(crate) families: BTreeSet<&'static str>,
    pub(crate) source: c::Source,
    pub(crate) written: Written,
}

/// Which operations an author's kernel has, once legal, that machines do in several instructions of their own choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Written {
    /// `fma` of f32 or of f64.
    pub(crate) fma: bool,
    /// Division, reciprocal or square root of floats.
    pub(crate) root_or_quotient: bool,
    /// Division or remainder of integers.
    pub(crate) int_quotient: bool,
    /// Conversion between 64-bit integers and floats, or of f64.
    pub(crate) wide_conversion: bool,
    /// `fast::` functions.
    pub(crate) fast: bool,
    /// Products of matrices.
    pub(crate) matrices: bool,
}

/// What the corpus is for a target.
#[derive(Default)]
pub(crate) struct Corpus {
    pub(crate) pieces: Vec<Piece>,
    /// Kernels that the target refuses, with the reason.
    pub(crate) refused: BTreeMap<String, String>,
}

/// A kernel as it was staged, before any target, and the families whose cases run it.
pub(crate) struct Staged {
    kernel: Kernel,
    families: BTreeSet<&'static str>,
}

/// The kernels of these cases, each once: what every target begins with.
pub(crate) fn stage(cases: &[(&'static Entry, Case)]) -> Vec<Staged> {
    let steps = |(entry, case): &(&'static Entry, Case)| {
        let steps = entry.plan(&case.request).map_or(Vec::new(), |plan| plan.steps);
        let named = |kernel: Kernel| (text::print(&kernel), kernel, entry.family);
        steps.into_iter().map(|step| named(step.kernel)).collect::<Vec<_>>()
    };
    let mut kernels: Vec<Staged> = Vec::new();
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    // Some at a time: of equal kernels only one is kept.
    for cases in cases.chunks(256) {
        let made: Vec<_> = cases.par_iter().flat_map_iter(steps).collect();
        for (text, kernel, family) in made {
            let at = *known.entry(text).or_insert_with(|| {
                kernels.push(Staged { kernel, families: BTreeSet::new() });
                kernels.len() - 1
            });
            kernels[at].families.insert(family);
        }
    }
    kernels
}

/// Staged kernels for a target of the C family.
pub(crate) fn corpus(kernels: &[Staged], target: Target, dialect: c::Dialect) -> Corpus {
    let legal: Vec<_> = kernels
        .par_iter()
        .map(|Staged { kernel, families }| {
            let legal = prepare(kernel, target, Optimise::Yes);
            let made = legal.map(|legal| (c::write(&legal, dialect, "k"), written(&legal)));
            (kernel.name.clone(), families.clone(), made)
        })
        .collect();
    let mut corpus = Corpus::default();
    let mut texts: BTreeMap<String, usize> = BTreeMap::new();
    for (name, families, made) in legal {
        match made {
            Err(error) => {
                corpus.refused.insert(name, error.to_string());
            }
            Ok((source, written)) => match texts.get(&source.text) {
                Some(&at) => corpus.pieces[at].families.extend(families),
                None => {
                    texts.insert(source.text.clone(), corpus.pieces.len());
                    corpus.pieces.push(Piece { name, families, source, written });
                }
            },
        }
    }
    for (i, piece) in corpus.pieces.iter_mut().enumerate() {
        let entry = format!("k{i}");
        // The head names the entry once, before its arguments.
        piece.source.text = piece.source.text.replacen(" k(", &format!(" {entry}("), 1);
        piece.source.entry = entry;
    }
    corpus
}

fn written(kernel: &Kernel) -> Written {
    let mut all = Written::default();
    for &v in kernel.blocks.iter().flatten() {
        let inst = &kernel[v];
        let dtype = |v: Value| kernel[v].ty.dtype();
        match inst.op {
            Op::Fma(..) => all.fma = true,
            Op::Matrix(..) | Op::Wide { .. } => all.matrices = true,
            Op::Binary(BinaryOp::Div | BinaryOp::Rem, x, _) => match dtype(x) {
                Some(d) if d.is_float() => all.root_or_quotient = true,
                _ => all.int_quotient = true,
            },
            Op::Unary(UnaryOp::Sqrt | UnaryOp::Recip, _) => all.root_or_quotient = true,
            Op::Unary(op, _) if op.tier() == evenweave_lang::ops::Tier::Bounded => all.fast = true,
            // Where a thread lies in its group is found by division.
            Op::Id(_) if kernel.group.iter().filter(|&&n| n > 1).count() > 1 => {
                all.int_quotient = true;
            }
            Op::Cast(x) => {
                let wide = |d: Option<DType>| d.is_some_and(|d| d.bits() == 64);
                let float = |d: Option<DType>| d.is_some_and(DType::is_float);
                let (from, to) = (dtype(x), inst.ty.dtype());
                all.wide_conversion |= (wide(from) || wide(to)) && (float(from) || float(to));
            }
            _ => {}
        }
    }
    all
}
