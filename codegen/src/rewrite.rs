//! The one walk that passes share: it rebuilds a kernel instruction by instruction, and a pass says what
//! becomes of each.
//!
//! Invariants
//! - Instructions are visited in program order, bodies inside their owner; an operand is mapped before its user.
//! - What a pass does not touch is copied with its type and the author's place.
//!
//! Absent: a pass manager, analyses that outlive a walk.

use evenweave_lang::{
    build::Builder,
    ir::{Block, Const, Inst, Kernel, Op, Type, Value},
};

/// What a pass does with each instruction of a kernel.
pub(crate) trait Visit {
    /// Puts what `old` becomes into `walk.new`, and maps `old` where later instructions may name it.
    fn visit(&mut self, walk: &mut Walk<'_>, old: Value);
    /// A body begins.
    fn enter(&mut self, _walk: &mut Walk<'_>) {}
    /// The body that began last has ended.
    fn leave(&mut self, _walk: &mut Walk<'_>) {}
}

/// A kernel being rebuilt.
pub(crate) struct Walk<'k> {
    /// What is read.
    pub(crate) old: &'k Kernel,
    /// What is written.
    pub(crate) new: Builder,
    map: Vec<Option<Value>>,
}

/// Rebuilds `kernel` as `visitor` says.
pub(crate) fn rewrite(kernel: &Kernel, visitor: &mut dyn Visit) -> Kernel {
    let mut walk =
        Walk { old: kernel, new: Builder::like(kernel), map: vec![None; kernel.insts.len()] };
    for &v in &kernel[kernel.body] {
        walk.visit(visitor, v);
    }
    walk.new.finish()
}

impl Walk<'_> {
    fn visit(&mut self, visitor: &mut dyn Visit, v: Value) {
        self.new.set_loc(self.old[v].loc);
        visitor.visit(self, v);
    }

    /// What an instruction has become.
    pub(crate) fn get(&self, old: Value) -> Value {
        self.map[old.index()].expect("an operand is defined above its user")
    }

    /// What an instruction has become, if it has been visited.
    pub(crate) fn found(&self, old: Value) -> Option<Value> {
        self.map[old.index()]
    }

    /// Records what an instruction becomes.
    pub(crate) fn set(&mut self, old: Value, new: Value) {
        self.map[old.index()] = Some(new);
    }

    /// The instruction with its operands mapped, and the loop of a `Break` or `Continue` with them.
    pub(crate) fn mapped(&self, old: Value) -> Inst {
        let mut inst = self.old[old].clone();
        inst.op.map_operands(|v| self.get(v));
        if let Op::Break(target) | Op::Continue(target) = &mut inst.op {
            *target = self.get(*target);
        }
        inst
    }

    /// Visits the instructions of a body into the open block.
    pub(crate) fn body(&mut self, visitor: &mut dyn Visit, block: Block) {
        visitor.enter(self);
        for &v in &self.old[block] {
            self.visit(visitor, v);
        }
        visitor.leave(self);
    }

    /// Copies an instruction; its bodies are visited.
    pub(crate) fn copy(&mut self, visitor: &mut dyn Visit, old: Value) {
        let Inst { op, ty, loc } = self.mapped(old);
        self.new.set_loc(loc);
        self.emit(visitor, old, op, ty);
    }

    /// Writes `op` (operands mapped, bodies those of the old kernel) as what `old` becomes.
    pub(crate) fn emit(&mut self, visitor: &mut dyn Visit, old: Value, op: Op, ty: Type) {
        match op {
            Op::If { cond, then, other } => {
                let new = self.new.begin_if(cond);
                self.set(old, new);
                self.body(visitor, then);
                self.new.begin_else(new);
                self.body(visitor, other);
                self.new.end_if();
            }
            Op::For { start, end, step, body } => {
                let new = self.new.begin_for(start, end, step);
                self.closed_body(visitor, old, new, body);
            }
            Op::Loop { body } => {
                let new = self.new.begin_loop();
                self.closed_body(visitor, old, new, body);
            }
            Op::Scope { body } => {
                let new = self.new.begin_scope();
                self.closed_body(visitor, old, new, body);
            }
            leaf => {
                let new = self.new.push(leaf, ty);
                self.set(old, new);
            }
        }
    }

    fn closed_body(&mut self, visitor: &mut dyn Visit, old: Value, new: Value, body: Block) {
        self.set(old, new);
        self.body(visitor, body);
        self.new.close_block();
    }
}

/// The bits of a constant.
pub(crate) fn constant(kernel: &Kernel, v: Value) -> Option<u64> {
    match kernel[v].op {
        Op::Const(Const { bits }) => Some(bits),
        _ => None,
    }
}

/// The body's instructions and those of all bodies within, in order.
pub(crate) fn each_inst(kernel: &Kernel, block: Block, f: &mut dyn FnMut(Value)) {
    for &v in &kernel[block] {
        f(v);
        for body in kernel[v].op.bodies() {
            each_inst(kernel, body, f);
        }
    }
}
