//! Rewrites what a target lacks into what it has, or refuses with kernel, file and line.
//!
//! Invariants
//! - After it a kernel holds only operations that its target has: whoever writes or runs it has no error path.
//! - Every rewriting keeps the bits that `eval` and the language's own sequences define.
//! - The choice is made by `table`, one line a row; this module only carries it out.

#![deny(clippy::wildcard_enum_match_arm)]

mod exact;
mod exits;
mod half;
mod lanes;
mod matrix;
mod reduce;
mod small;
mod storage;
mod table;
mod tile;
mod wide;

use crate::{
    c,
    error::{Cause, LegalizeError},
    facts::{Fact, Facts},
    known,
    rewrite::{Visit, Walk, rewrite},
    spirv,
    target::Target,
};
use evenweave_lang::{
    build::Builder,
    dtype::DType,
    eval,
    ir::{Inst, Kernel, Loc, Op, Type, Value},
    math,
    ops::{BinaryOp, CompareOp, Reach, ReduceOp, UnaryOp},
    stage::MAX_INSTS,
};
pub use lanes::fit as spread_lanes;
use std::cell::OnceCell;
use table::Rule;
pub use wide::split as split_wide;

/// The kernel in operations that `target` has.
pub fn legalize(kernel: &Kernel, target: Target) -> Result<Kernel, LegalizeError> {
    match target {
        Target::Cpu => Ok(pass(kernel, target, Stage::Rules)?.0),
        Target::Vulkan(facts) | Target::C(_, facts) => device(kernel, target, &facts),
    }
}

/// The steps for a device that is known by its facts.
fn device(kernel: &Kernel, target: Target, facts: &Facts) -> Result<Kernel, LegalizeError> {
    check_types(kernel, target, facts)?;
    let kernel = lanes::fit(kernel, target, facts)?;
    let mut kernel = rules(storage::decode(&kernel), target)?;
    if facts.splits_integers() {
        kernel = rules(wide::split(&kernel, target)?, target)?;
    }
    if !facts.has(Fact::Subnormals) {
        kernel = pass(&kernel, target, Stage::Flush)?.0;
    }
    let kernel = exits::exits(&kernel).compact();
    let need_bytes = match target {
        Target::C(..) => c::shared_bytes(&kernel),
        Target::Vulkan(_) | Target::Cpu => spirv::shared_bytes(&kernel, facts),
    };
    let most_bytes = u64::from(facts.max_shared_bytes);
    if need_bytes > most_bytes {
        let cause = Cause::SharedMemory { target, need_bytes, most_bytes };
        return Err(LegalizeError::new(&kernel, first_loc(&kernel), cause));
    }
    Ok(kernel)
}

/// By the table, until nothing changes: sequences hold operations that have rules of their own.
fn rules(mut kernel: Kernel, target: Target) -> Result<Kernel, LegalizeError> {
    loop {
        let (next, changed) = pass(&kernel, target, Stage::Rules)?;
        kernel = next;
        if !changed {
            return Ok(kernel);
        }
    }
}

fn first_loc(kernel: &Kernel) -> Loc {
    kernel[kernel.body].first().map_or(Loc::default(), |&v| kernel[v].loc)
}

/// Refuses what no sequence replaces: f64 where there is none, 64-bit atomic updates.
fn check_types(kernel: &Kernel, target: Target, facts: &Facts) -> Result<(), LegalizeError> {
    let has_double = facts.features.float64
        && facts.features.int64
        && facts.has(Fact::Double)
        && facts.has(Fact::Integers64);
    let is_double = |ty: Type| ty.dtype() == Some(DType::F64);
    for &v in kernel.blocks.iter().flatten() {
        let inst = &kernel[v];
        let refuse = |cause| Err(LegalizeError::new(kernel, inst.loc, cause));
        if is_double(inst.ty) && !has_double {
            return refuse(Cause::NoType { target, dtype: DType::F64 });
        }
        if let Op::Atomic(_, place, ..) | Op::CompareExchange { at: place, .. } = inst.op {
            let dtype = kernel.place_dtype(place);
            if dtype.bits() == 64 && !facts.features.atomics64 {
                return refuse(Cause::NoOperation { target, op: inst.op.name(), dtype });
            }
        }
    }
    Ok(())
}

/// What a walk rewrites.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// By the table.
    Rules,
    /// What is native but flushes subnormals, once: the sequences hold the same operations on normal numbers.
    Flush,
}

/// One walk over the kernel, and whether it changed anything.
fn pass(kernel: &Kernel, target: Target, stage: Stage) -> Result<(Kernel, bool), LegalizeError> {
    let mut legalizer = Legalizer { target, stage, refused: OnceCell::new(), changed: false };
    let legal = rewrite(kernel, &mut legalizer);
    match legalizer.refused.into_inner() {
        Some(refused) => Err(refused),
        None => Ok((legal, legalizer.changed)),
    }
}

struct Legalizer {
    target: Target,
    stage: Stage,
    refused: OnceCell<LegalizeError>,
    changed: bool,
}

impl Visit for Legalizer {
    fn visit(&mut self, walk: &mut Walk<'_>, old: Value) {
        if self.refused.get().is_some() {
            // What is made is thrown away.
            return walk.copy(self, old);
        }
        let Inst { op, ty, .. } = walk.mapped(old);
        let b = &mut walk.new;
        if b.kernel().insts.len() > MAX_INSTS {
            let cause = Cause::Instructions { target: self.target, most: MAX_INSTS };
            self.refused.get_or_init(|| LegalizeError::new(b.kernel(), b.loc(), cause));
        }
        let before = b.kernel().insts.len();
        let new = match op {
            Op::Unary(op, x) => self.unary(b, op, x),
            Op::Binary(op, x, y) => self.binary(b, op, x, y),
            Op::Compare(op, x, y) => self.compare(b, op, x, y),
            Op::Fma(x, y, z) => self.fma(b, x, y, z),
            Op::Cast(x) => self.cast(b, x, ty.dtype().expect("a cast has a value")),
            Op::Reduce(reach, op, x) => self.reduce(b, reach, op, x),
            Op::Const(_)
            | Op::Id(_)
            | Op::Scalar(_)
            | Op::Length(_)
            | Op::Extent(..)
            | Op::Stride(..)
            | Op::Offset(_)
            | Op::Select(..)
            | Op::Bitcast(_)
            | Op::Load(..)
            | Op::Store(..)
            | Op::Pack(_)
            | Op::Extract(..)
            | Op::Get(_)
            | Op::Set(..)
            | Op::Atomic(..)
            | Op::CompareExchange { .. }
            | Op::Barrier
            | Op::Shuffle(..)
            | Op::Vote(..)
            | Op::Matrix(..)
            | Op::Wide { .. }
            | Op::GroupBroadcast(_)
            | Op::If { .. }
            | Op::For { .. }
            | Op::Loop { .. }
            | Op::Scope { .. }
            | Op::Break(_)
            | Op::Continue(_)
            | Op::Return
            | Op::Assert(..)
            | Op::Print(..) => return walk.emit(self, old, op, ty),
        };
        self.changed |= b.kernel().insts.len() != before + 1;
        walk.set(old, new);
    }
}

impl Legalizer {
    fn unary(&self, b: &mut Builder, op: UnaryOp, x: Value) -> Value {
        let dtype = dtype_of(b, x);
        let rule = match self.stage {
            Stage::Rules => table::unary(&self.target, op, dtype),
            Stage::Flush => {
                return exact::flush_unary(b, op, dtype, x).unwrap_or_else(|| b.unary(op, x));
            }
        };
        match rule {
            Rule::Native => b.unary(op, x),
            Rule::Widen if dtype.is_int() => small::unary(b, op, x),
            Rule::Widen => {
                let wide = half::cast(b, x, DType::F32);
                let wide = self.unary(b, op, wide);
                half::cast(b, wide, dtype)
            }
            Rule::Portable(portable) => self.unary(b, portable, x),
            Rule::Sequence => match math::write_unary(b, op, x) {
                Some(y) => y,
                None => self.refuse(b, op.name(), dtype, x),
            },
            Rule::Exact => match exact::unary(b, op, dtype, x) {
                Some(y) => y,
                None => self.refuse(b, op.name(), dtype, x),
            },
            Rule::Shuffles | Rule::Undefined => self.refuse(b, op.name(), dtype, x),
        }
    }

    fn binary(&self, b: &mut Builder, op: BinaryOp, x: Value, y: Value) -> Value {
        let dtype = dtype_of(b, x);
        let rule = match self.stage {
            Stage::Rules => table::binary(&self.target, op, dtype),
            Stage::Flush => match exact::flush_binary(b, op, dtype, x, y) {
                Some(z) => return z,
                None => Rule::Native,
            },
        };
        match rule {
            Rule::Native => b.push(Op::Binary(op, x, y), Type::Scalar(dtype)),
            Rule::Widen if dtype.is_int() => small::binary(b, op, x, y),
            Rule::Widen => {
                let [x, y] = [x, y].map(|v| half::cast(b, v, DType::F32));
                let wide = self.binary(b, op, x, y);
                half::cast(b, wide, dtype)
            }
            Rule::Sequence => match math::write_binary(b, op, x, y) {
                Some(z) => z,
                None => self.refuse(b, op.name(), dtype, x),
            },
            Rule::Exact => match exact::binary(b, op, dtype, x, y) {
                Some(z) => z,
                None => self.refuse(b, op.name(), dtype, x),
            },
            Rule::Portable(_) | Rule::Shuffles | Rule::Undefined => {
                self.refuse(b, op.name(), dtype, x)
            }
        }
    }

    fn compare(&self, b: &mut Builder, op: CompareOp, x: Value, y: Value) -> Value {
        let dtype = dtype_of(b, x);
        if self.stage == Stage::Flush
            && let Some(z) = exact::flush_compare(b, op, dtype, x, y)
        {
            return z;
        }
        if let Target::C(..) = self.target
            && let Some(tested) = known::nan_test(b.kernel(), op, x, y)
        {
            return b.push(Op::Compare(CompareOp::Ne, tested, tested), Type::Scalar(DType::Bool));
        }
        let operands = match table::compare(&self.target, dtype) {
            Rule::Widen => [x, y].map(|v| half::cast(b, v, DType::F32)),
            Rule::Native
            | Rule::Sequence
            | Rule::Exact
            | Rule::Portable(_)
            | Rule::Shuffles
            | Rule::Undefined => [x, y],
        };
        let [x, y] = operands;
        b.push(Op::Compare(op, x, y), Type::Scalar(DType::Bool))
    }

    fn fma(&self, b: &mut Builder, x: Value, y: Value, z: Value) -> Value {
        let dtype = dtype_of(b, x);
        match table::fma(&self.target, dtype) {
            Rule::Native => b.push(Op::Fma(x, y, z), Type::Scalar(dtype)),
            Rule::Widen => half::fma(b, dtype, half::sum_of(&self.target, dtype), [x, y, z]),
            Rule::Exact => exact::fma(b, &self.target, dtype, [x, y, z]),
            Rule::Sequence | Rule::Portable(_) | Rule::Shuffles | Rule::Undefined => {
                self.refuse(b, "fma", dtype, x)
            }
        }
    }

    fn cast(&self, b: &mut Builder, x: Value, to: DType) -> Value {
        let from = dtype_of(b, x);
        let rule = match self.stage {
            Stage::Rules => table::cast(&self.target, from, to),
            Stage::Flush => Rule::Native,
        };
        match rule {
            Rule::Native => half::cast(b, x, to),
            Rule::Widen => small::convert(b, x, from, to),
            Rule::Exact => match exact::cast(b, x, from, to) {
                Some(y) => y,
                None => self.refuse(b, "cast", to, x),
            },
            Rule::Sequence | Rule::Portable(_) | Rule::Shuffles | Rule::Undefined => {
                self.refuse(b, "cast", to, x)
            }
        }
    }

    fn reduce(&self, b: &mut Builder, reach: Reach, op: ReduceOp, x: Value) -> Value {
        let dtype = dtype_of(b, x);
        match table::reduce(&self.target, op, dtype) {
            Rule::Native => b.push(Op::Reduce(reach, op, x), Type::Scalar(dtype)),
            Rule::Widen => {
                let wide = half::cast(b, x, DType::F32);
                let wide = b.push(Op::Reduce(reach, op, wide), Type::Scalar(DType::F32));
                half::cast(b, wide, dtype)
            }
            Rule::Shuffles => {
                let step = eval::combine(op);
                let identity = eval::identity(op, dtype).expect("the row takes the dtype");
                let combine = |b: &mut Builder, x, y| self.binary(b, step, x, y);
                let y = reduce::shuffled(b, reach, x, identity, &combine);
                match reach {
                    // Every lane has the same bits; the broadcast says so to whoever asks what is uniform.
                    Reach::All => reduce::uniform(b, y),
                    Reach::Inclusive | Reach::Exclusive => y,
                }
            }
            Rule::Sequence | Rule::Exact | Rule::Portable(_) | Rule::Undefined => {
                self.refuse(b, op.name(), dtype, x)
            }
        }
    }

    /// Records the first refusal; the value only keeps the walk going.
    fn refuse(&self, b: &Builder, op: &'static str, dtype: DType, x: Value) -> Value {
        let cause = Cause::NoOperation { target: self.target, op, dtype };
        self.refused.get_or_init(|| LegalizeError::new(b.kernel(), b.loc(), cause));
        x
    }
}

fn dtype_of(b: &Builder, v: Value) -> DType {
    b.kernel()[v].ty.dtype().expect("an operand has a value")
}
