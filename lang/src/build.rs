//! Building a kernel: the only way instructions come to be. Staging, passes, the parser and the generator
//! of random kernels all use it.
//!
//! Invariants
//! - Code after a terminator in the same block is unreachable and is dropped here, so no block continues
//!   past its terminator.
//! - Blocks open and close as a stack.

use crate::{
    dtype::DType,
    ir::*,
    launch::Len,
    ops::{IdOp, UnaryOp},
};

/// A kernel under construction.
#[derive(Debug)]
pub struct Builder {
    kernel: Kernel,
    open: Vec<Block>,
    loc: Loc,
}

impl Builder {
    /// An empty kernel with one-thread groups and a one-group grid, its body open. Until `set_loc`, what is
    /// pushed carries the caller's own place, so that kernels built by hand have places too.
    #[track_caller]
    pub fn new(name: impl Into<String>) -> Builder {
        let kernel = Kernel {
            name: name.into(),
            files: Vec::new(),
            params: Vec::new(),
            group: [1; 3],
            lanes: SUBGROUP_LANES,
            grid: [Len::Const(1), Len::Const(1), Len::Const(1)],
            arrays: Vec::new(),
            vars: Vec::new(),
            insts: Vec::new(),
            blocks: vec![Vec::new()],
            body: Block(0),
        };
        let mut builder = Builder { kernel, open: vec![Block(0)], loc: Loc::default() };
        let caller = std::panic::Location::caller();
        builder.loc = builder.locate(caller.file(), caller.line());
        builder
    }

    /// An empty kernel with the name, files, parameters, geometry, arrays and registers of another: where a
    /// pass begins.
    pub fn like(kernel: &Kernel) -> Builder {
        let kernel = Kernel {
            insts: Vec::new(),
            blocks: vec![Vec::new()],
            body: Block(0),
            name: kernel.name.clone(),
            files: kernel.files.clone(),
            params: kernel.params.clone(),
            group: kernel.group,
            lanes: kernel.lanes,
            grid: kernel.grid.clone(),
            arrays: kernel.arrays.clone(),
            vars: kernel.vars.clone(),
        };
        Builder { kernel, open: vec![Block(0)], loc: Loc::default() }
    }

    /// The kernel so far.
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// The kernel's declarations, for a caller that sets geometry or names.
    pub fn kernel_mut(&mut self) -> &mut Kernel {
        &mut self.kernel
    }

    /// The finished kernel.
    ///
    /// # Panics
    /// When a block is still open.
    pub fn finish(self) -> Kernel {
        assert_eq!(self.open.len(), 1, "a block of {} is still open", self.kernel.name);
        self.kernel
    }

    /// The author's place for what is pushed from here on.
    pub fn set_loc(&mut self, loc: Loc) {
        self.loc = loc;
    }

    /// The place that `push` records.
    pub fn loc(&self) -> Loc {
        self.loc
    }

    /// The `Loc` of a line of a file.
    pub fn locate(&mut self, file: &str, line: u32) -> Loc {
        let files = &mut self.kernel.files;
        let at = files.iter().position(|f| f == file).unwrap_or_else(|| {
            files.push(file.into());
            files.len() - 1
        });
        Loc { file: at as u32, line }
    }

    /// Declares a parameter.
    pub fn param(&mut self, name: impl Into<String>, kind: ParamKind) -> Param {
        self.kernel.params.push(ParamDecl { name: name.into(), kind });
        Param::at(self.kernel.params.len() - 1)
    }

    /// Declares a register.
    pub fn var(&mut self, name: impl Into<String>, dtype: DType) -> Var {
        self.kernel.vars.push(VarDecl { name: name.into(), dtype });
        Var::at(self.kernel.vars.len() - 1)
    }

    /// Declares an array.
    pub fn array(
        &mut self,
        name: impl Into<String>,
        space: Space,
        dtype: DType,
        elems: u32,
    ) -> Array {
        self.kernel.arrays.push(ArrayDecl { name: name.into(), space, dtype, elems });
        Array::at(self.kernel.arrays.len() - 1)
    }

    /// Whether the open block has ended with a terminator: what is pushed now is dropped.
    pub fn is_unreachable(&self) -> bool {
        let block = &self.kernel[self.block()];
        block.last().is_some_and(|&v| self.kernel[v].op.is_terminator())
    }

    /// Whether any open block has ended with a terminator: no thread comes here.
    pub fn is_dead(&self) -> bool {
        let ended = |block: &Block| {
            self.kernel[*block].last().is_some_and(|&v| self.kernel[v].op.is_terminator())
        };
        self.open.iter().any(ended)
    }

    /// The innermost open block.
    pub fn block(&self) -> Block {
        *self.open.last().expect("the body is always open")
    }

    /// Blocks that are open: 1 in the kernel's own body.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Opens a closed block again, to append to its end. `close_block` ends it.
    pub fn resume(&mut self, block: Block) {
        self.open.push(block);
    }

    /// Dissolves an `If` whose first body is open and holds only operations without effect or memory: they
    /// run always. False where it holds anything else, and nothing changed.
    pub fn inline_pure_if(&mut self, value: Value) -> bool {
        let Op::If { then, .. } = self.kernel[value].op else {
            panic!("inline_pure_if of something that is no `If`")
        };
        let free = |v: &Value| {
            let op = &self.kernel[*v].op;
            op.is_pure() || matches!(op, Op::Get(_))
        };
        if self.block() != then || !self.kernel[then].iter().all(free) {
            return false;
        }
        self.close_block();
        let body = std::mem::take(&mut self.kernel.blocks[then.index()]);
        let block = self.block();
        let outer = &mut self.kernel.blocks[block.index()];
        if outer.last() == Some(&value) {
            outer.pop();
            outer.extend(body);
        }
        true
    }

    /// Appends an instruction to the open block. Unreachable ones get a name but no place in a block.
    pub fn push(&mut self, op: Op, ty: Type) -> Value {
        let unreachable = self.is_unreachable();
        self.kernel.insts.push(Inst { op, ty, loc: self.loc });
        let value = Value::at(self.kernel.insts.len() - 1);
        if !unreachable {
            let block = self.block();
            self.kernel.blocks[block.index()].push(value);
        }
        value
    }

    /// Appends an instruction without a value.
    pub fn push_unit(&mut self, op: Op) -> Value {
        self.push(op, Type::Unit)
    }

    /// Appends a scalar constant from its bits (zero-extended).
    pub fn constant(&mut self, dtype: DType, bits: u64) -> Value {
        self.push(Op::Const(Const { bits }), Type::Scalar(dtype))
    }

    /// Appends a row of `UnaryOp`, with its operand's type.
    pub fn unary(&mut self, op: UnaryOp, a: Value) -> Value {
        let ty = self.kernel[a].ty;
        self.push(Op::Unary(op, a), ty)
    }

    /// Appends a thread's place.
    pub fn id(&mut self, id: IdOp) -> Value {
        self.push(Op::Id(id), Type::Scalar(DType::U32))
    }

    /// Makes an empty block and opens it. The instruction that owns it is pushed or set separately.
    pub fn open_block(&mut self) -> Block {
        self.kernel.blocks.push(Vec::new());
        let block = Block::at(self.kernel.blocks.len() - 1);
        self.open.push(block);
        block
    }

    /// Closes the innermost open block.
    ///
    /// # Panics
    /// When only the kernel's body is open.
    pub fn close_block(&mut self) {
        assert!(self.open.len() > 1, "the body of {} cannot be closed", self.kernel.name);
        self.open.pop();
    }

    /// Appends an `If` and opens its first body; `begin_else` and `end_if` follow.
    pub fn begin_if(&mut self, cond: Value) -> Value {
        let (then, other) = (self.new_block(), self.new_block());
        let value = self.push_unit(Op::If { cond, then, other });
        self.open.push(then);
        value
    }

    /// Closes the first body of an `If` and opens the second.
    pub fn begin_else(&mut self, value: Value) {
        let Op::If { other, .. } = self.kernel[value].op else {
            panic!("begin_else of something that is no `If`")
        };
        self.close_block();
        self.open.push(other);
    }

    /// Closes the second body of an `If`.
    pub fn end_if(&mut self) {
        self.close_block();
    }

    /// Appends a `For` and opens its body; its value is the index. `close_block` ends it.
    pub fn begin_for(&mut self, start: Value, end: Value, step: Value) -> Value {
        let body = self.new_block();
        let ty = self.kernel[start].ty;
        let value = self.push(Op::For { start, end, step, body }, ty);
        self.open.push(body);
        value
    }

    /// Appends a `Loop` and opens its body. `close_block` ends it.
    pub fn begin_loop(&mut self) -> Value {
        let body = self.new_block();
        let value = self.push_unit(Op::Loop { body });
        self.open.push(body);
        value
    }

    /// Appends a `Scope` and opens its body. `close_block` ends it.
    pub fn begin_scope(&mut self) -> Value {
        let body = self.new_block();
        let value = self.push_unit(Op::Scope { body });
        self.open.push(body);
        value
    }

    fn new_block(&mut self) -> Block {
        self.kernel.blocks.push(Vec::new());
        Block::at(self.kernel.blocks.len() - 1)
    }
}
