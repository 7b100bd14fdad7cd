//! Control flow: a loop of C for each loop, and one that runs once for each scope.

#![deny(clippy::wildcard_enum_match_arm)]

use super::{
    expr::{Expr, literal},
    writer::{Val, Writer},
};
use evenweave_lang::{
    dtype::DType,
    ir::{Block, Const, Op, Value},
};

impl Writer<'_> {
    /// Writes the instructions of a block.
    pub(super) fn block(&mut self, block: Block) {
        self.each(block, |w, v| match w.kernel[v].op {
            Op::If { cond, then, other } => w.branch_if(cond, then, other),
            Op::For { start, end, step, body } => w.count(v, [start, end, step], body),
            Op::Loop { body } => {
                w.line("for (;;) {");
                w.inside(|w| w.block(body));
                w.line("}");
            }
            Op::Scope { body } => {
                w.line("do {");
                w.inside(|w| w.block(body));
                w.line("} while (false);");
            }
            // Exits are of the innermost loop or scope (`legalize`), as those of C are.
            Op::Break(_) => w.line("break;"),
            Op::Continue(_) => w.line("continue;"),
            Op::Return => unreachable!("legalize: a return leaves a scope of the whole kernel"),
            Op::Const(_)
            | Op::Id(_)
            | Op::Scalar(_)
            | Op::Length(_)
            | Op::Extent(..)
            | Op::Stride(..)
            | Op::Offset(_)
            | Op::Unary(..)
            | Op::Binary(..)
            | Op::Compare(..)
            | Op::Fma(..)
            | Op::Select(..)
            | Op::Cast(_)
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
            | Op::Reduce(..)
            | Op::Matrix(..)
            | Op::Wide { .. }
            | Op::GroupBroadcast(_)
            | Op::Assert(..)
            | Op::Print(..) => w.leaf(v),
        });
    }

    fn branch_if(&mut self, cond: Value, then: Block, other: Block) {
        let cond = self.get(cond);
        self.line(&format!("if ({}) {{", cond.bare()));
        self.inside(|w| w.block(then));
        if !self.kernel[other].is_empty() {
            self.line("} else {");
            self.inside(|w| w.block(other));
        }
        self.line("}");
    }

    /// `for i in start..end step step`: no index past the range of its dtype is formed.
    fn count(&mut self, v: Value, [start, end, step]: [Value; 3], body: Block) {
        let (dtype, kind) = (self.dtype(v), self.kind(v));
        let step_bits = self.constant_of(step);
        let fits = step_bits == Some(1) || self.never_wraps(dtype, end, step_bits);
        let [start, end, mut step] = [start, end, step].map(|x| self.get(x));
        let (zero, one) = (literal(kind, 0), literal(kind, 1));
        if step_bits.is_none() {
            step = Expr::infix(format!("{step} == {zero} ? {one} : {step}"));
            step = self.constant(kind.name(), &step);
        } else if step_bits == Some(0) {
            step = one;
        }
        let (ty, name) = (kind.name(), self.names.free("i"));
        let signed = dtype.is_signed();
        let less = |x: &Expr, y: &Expr| match signed {
            true => Expr::binary(&x.cast(kind.signed()), "<", &y.cast(kind.signed())),
            false => Expr::binary(x, "<", y),
        };
        let i = Expr::name(name.clone());
        self.values[v.index()] = Val::One(i.clone());
        if fits {
            // Every index is below `end`, and one step above it is still in range.
            let goes = less(&i, &end);
            let (start, goes) = (start.bare(), goes.bare());
            self.line(&format!("for ({ty} {name} = {start}; {goes}; {name} += {step}) {{"));
            self.inside(|w| w.block(body));
            self.line("}");
            return;
        }
        // What is left is a distance, unsigned whatever the index is.
        let some = less(&start, &end);
        let start = start.bare();
        self.line(&format!("if ({}) {{", some.bare()));
        self.inside(|w| {
            let next = format!("{name}_goes = {end} - {name} > {step}, {name} += {step}");
            w.line(&format!("bool {name}_goes = true;"));
            w.line(&format!("for ({ty} {name} = {start}; {name}_goes; {next}) {{"));
            w.inside(|w| w.block(body));
            w.line("}");
        });
        self.line("}");
    }

    pub(super) fn constant_of(&self, v: Value) -> Option<u64> {
        let Op::Const(Const { bits }) = self.kernel[v].op else { return None };
        Some(bits)
    }

    /// Whether a constant end leaves room for one more step.
    fn never_wraps(&self, dtype: DType, end: Value, step: Option<u64>) -> bool {
        let most = u64::MAX >> (64 - dtype.bits()) >> u32::from(dtype.is_signed());
        match (self.constant_of(end), step) {
            (Some(end), Some(step)) if step > 0 => {
                end <= most && step <= most && end <= most - (step - 1)
            }
            _ => false,
        }
    }

    /// Statements that run where the condition holds.
    pub(super) fn when(&mut self, cond: &Expr, body: impl FnOnce(&mut Self)) {
        self.line(&format!("if ({}) {{", cond.bare()));
        self.inside(body);
        self.line("}");
    }
}
