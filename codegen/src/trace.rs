//! Watching a kernel at work: the same kernel with one buffer more, which tells the values that its instructions
//! have.
//!
//! An *event* is an instruction's value on one thread. Each thread counts its events. `Watch::Digest` mixes the
//! values of the first `limit` events of a thread into one word: two devices agree on the digests of a limit when
//! their values are the same up to there. So the first event that differs is found by bisecting one number, with
//! one program a device and three words a thread. `Watch::Look` then tells the operands and the value of an
//! instruction at one event.
//!
//! Invariants
//! - The kernel's own parameters, memory, effects and results stay as they are; the scalar and the buffer come
//!   behind its parameters. A verified kernel stays verified.
//! - Values are told as bits, a NaN as the canonical one.
//! - What depends on the order in which threads update memory atomically is no event: it may differ from run to
//!   run.
//! - A store that narrows is an event too, its value what is read back: the narrowing is part of the store.
//!
//! Absent: constants, which no device computes.

use crate::rewrite::{Visit, Walk, rewrite};
use evenweave_lang::{
    dtype::{Class, DType},
    ir::{Access, Block, Inst, Kernel, Op, Param, ParamDecl, ParamKind, Place, Type, Value, Var},
    launch::Len,
    ops::{AtomicOp, BinaryOp, CompareOp, IdOp},
};
use std::collections::HashSet;

const U32: Type = Type::Scalar(DType::U32);
const U64: Type = Type::Scalar(DType::U64);
const BOOL: Type = Type::Scalar(DType::Bool);

/// What the buffer of a watched kernel tells of each thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watch {
    /// Three words: the digest of the first `limit` events, how many events there were in all, and the
    /// instruction of the last event within the limit.
    Digest,
    /// Whether event number `limit` was one of this instruction (1, else 0), the words of its value, and those of
    /// its operands in order. A scalar is two words, the low one first; a vector is its scalars.
    Look(Value),
}

/// A kernel with a scalar `limit` (`u32`) and a buffer of `u32` behind its parameters.
#[derive(Clone, Debug)]
pub struct Watched {
    /// The kernel.
    pub kernel: Kernel,
    /// Words of each thread in the buffer. Threads count through a group, groups through the grid, x first.
    pub thread_words: u32,
}

/// The words of a value: two for each of its scalars.
pub fn value_words(ty: Type) -> u32 {
    match ty {
        Type::Unit => 0,
        Type::Scalar(_) => 2,
        Type::Vector(_, lanes) => 2 * u32::from(lanes),
    }
}

/// The kernel, watched. Instructions keep their names in `Watch::Look` and in what `Watch::Digest` tells: they are
/// those of `kernel`.
pub fn watch(kernel: &Kernel, what: Watch) -> Watched {
    let thread_words = match what {
        Watch::Digest => 3,
        Watch::Look(at) => 1 + look_words(kernel, at),
    };
    let mut base = kernel.clone();
    let name = |stem: &str| {
        let mut name = stem.to_string();
        while base.params.iter().any(|p| p.name == name) {
            name.push('_');
        }
        name
    };
    let (limit, trace) = (name("limit"), name("trace"));
    let [x, y, z] = base.grid.clone();
    let len = x * y * z * Len::from(base.group_threads()) * Len::from(thread_words);
    let limit = param(&mut base, limit, ParamKind::Scalar(DType::U32));
    let kind = ParamKind::Buffer { dtype: DType::U32, access: Access::Out, len };
    let trace = param(&mut base, trace, kind);
    // What a narrowing store wrote is read back.
    for p in &mut base.params {
        if let ParamKind::Buffer { dtype, access, .. } | ParamKind::View { dtype, access, .. } =
            &mut p.kind
            && !dtype.is_value()
            && *access == Access::Out
        {
            *access = Access::InOut;
        }
    }
    let last = kernel[kernel.body].last().copied();
    let mut watcher = Watcher {
        what,
        thread_words,
        limit,
        trace,
        skipped: order_dependent(kernel),
        last,
        state: None,
        index_of: None,
    };
    Watched { kernel: rewrite(&base, &mut watcher), thread_words }
}

fn param(kernel: &mut Kernel, name: String, kind: ParamKind) -> Param {
    kernel.params.push(ParamDecl { name, kind });
    Param::at(kernel.params.len() - 1)
}

fn look_words(kernel: &Kernel, at: Value) -> u32 {
    let mut words = value_words(event_type(kernel, at));
    kernel[at].op.for_each_operand(|v| words += value_words(kernel[v].ty));
    words
}

/// The type of an instruction's events; `Unit` where it has none.
pub fn event_type(kernel: &Kernel, v: Value) -> Type {
    let Inst { op, ty, .. } = &kernel[v];
    match (op, narrowing(kernel, op)) {
        (Op::Const(_), _) => Type::Unit,
        (Op::Store(.., value), true) => kernel[*value].ty,
        _ => *ty,
    }
}

/// Whether it stores to a buffer whose elements are no values.
fn narrowing(kernel: &Kernel, op: &Op) -> bool {
    matches!(op, Op::Store(at @ Place::Param(_), ..) if !kernel.place_dtype(*at).is_value())
}

/// Where the watcher keeps its own account.
#[derive(Clone, Copy)]
struct State {
    clock: Var,
    digest: Var,
    at: Var,
    limit: Value,
    /// First word of the thread in the buffer.
    first: Value,
}

struct Watcher {
    what: Watch,
    thread_words: u32,
    limit: Param,
    trace: Param,
    skipped: Vec<bool>,
    last: Option<Value>,
    state: Option<State>,
    /// The loop whose body begins next.
    index_of: Option<Value>,
}

impl Visit for Watcher {
    fn visit(&mut self, walk: &mut Walk<'_>, old: Value) {
        let state = match self.state {
            Some(state) => state,
            None => self.begin(walk),
        };
        let Inst { op, loc, .. } = &walk.old[old];
        let (is_for, is_return) = (matches!(op, Op::For { .. }), matches!(op, Op::Return));
        let is_store = narrowing(walk.old, op);
        let loc = *loc;
        if is_return {
            self.finish(walk, state);
        }
        self.index_of = is_for.then_some(old);
        walk.copy(self, old);
        walk.new.set_loc(loc);
        if is_store {
            let Op::Store(place, index, value) = walk.mapped(old).op else {
                unreachable!("only stores narrow")
            };
            let ty = walk.new.kernel()[value].ty;
            let back = walk.new.push(Op::Load(place, index), ty);
            self.event(walk, state, old, back);
        } else if !is_for {
            self.event(walk, state, old, walk.get(old));
        }
        if self.last == Some(old) && !is_return {
            self.finish(walk, state);
        }
    }

    fn enter(&mut self, walk: &mut Walk<'_>) {
        if let (Some(old), Some(state)) = (self.index_of.take(), self.state) {
            self.event(walk, state, old, walk.get(old));
        }
    }
}

impl Watcher {
    /// The account, empty, and the thread's place in the buffer.
    fn begin(&mut self, walk: &mut Walk<'_>) -> State {
        let b = &mut walk.new;
        let [clock, digest, at] = ["clock", "digest", "at"].map(|name| b.var(name, DType::U32));
        let zero = b.constant(DType::U32, 0);
        for var in [clock, digest, at] {
            b.push_unit(Op::Set(var, zero));
        }
        let limit = b.push(Op::Scalar(self.limit), U32);
        let [x, y, z] = [IdOp::GroupX, IdOp::GroupY, IdOp::GroupZ].map(|id| b.id(id));
        let [size_x, size_y] = [IdOp::GridX, IdOp::GridY].map(|id| b.id(id));
        let thread = b.id(IdOp::Thread);
        let mut place = z;
        for (size, next) in [(size_y, y), (size_x, x)] {
            place = b.push(Op::Binary(BinaryOp::Mul, place, size), U32);
            place = b.push(Op::Binary(BinaryOp::Add, place, next), U32);
        }
        let threads = b.kernel().group_threads();
        for (times, plus) in [(threads, Some(thread)), (self.thread_words, None)] {
            let times = b.constant(DType::U32, times.into());
            place = b.push(Op::Binary(BinaryOp::Mul, place, times), U32);
            if let Some(plus) = plus {
                place = b.push(Op::Binary(BinaryOp::Add, place, plus), U32);
            }
        }
        if let Watch::Look(_) = self.what {
            // Threads without the event tell that they have none.
            store_word(walk, self.trace, place, 0, zero);
        }
        let state = State { clock, digest, at, limit, first: place };
        self.state = Some(state);
        state
    }

    /// Before a thread ends.
    fn finish(&mut self, walk: &mut Walk<'_>, state: State) {
        if self.what != Watch::Digest {
            return;
        }
        for (word, var) in [state.digest, state.clock, state.at].into_iter().enumerate() {
            let value = walk.new.push(Op::Get(var), U32);
            store_word(walk, self.trace, state.first, word as u32, value);
        }
    }

    /// `old` has the value `new`.
    fn event(&mut self, walk: &mut Walk<'_>, state: State, old: Value, new: Value) {
        if self.skipped[old.index()] || event_type(walk.old, old) == Type::Unit {
            return;
        }
        let now = walk.new.push(Op::Get(state.clock), U32);
        match self.what {
            Watch::Digest => digest(walk, state, now, old, new),
            Watch::Look(at) if at == old => self.tell(walk, state, now, old, new),
            Watch::Look(_) => {}
        }
        let one = walk.new.constant(DType::U32, 1);
        let next = walk.new.push(Op::Binary(BinaryOp::Add, now, one), U32);
        walk.new.push_unit(Op::Set(state.clock, next));
    }

    fn tell(&self, walk: &mut Walk<'_>, state: State, now: Value, old: Value, new: Value) {
        let mut told = vec![walk.new.constant(DType::U32, 1)];
        told.extend(words(walk, new));
        let mut operands = Vec::new();
        walk.old[old].op.for_each_operand(|v| operands.push(v));
        for v in operands {
            let v = walk.get(v);
            told.extend(words(walk, v));
        }
        let is_now = walk.new.push(Op::Compare(CompareOp::Eq, now, state.limit), BOOL);
        let branch = walk.new.begin_if(is_now);
        for (word, value) in told.into_iter().enumerate() {
            store_word(walk, self.trace, state.first, word as u32, value);
        }
        walk.new.begin_else(branch);
        walk.new.end_if();
    }
}

/// Mixes a value into the digest, where the event is within the limit.
fn digest(walk: &mut Walk<'_>, state: State, now: Value, old: Value, new: Value) {
    let within = walk.new.push(Op::Compare(CompareOp::Lt, now, state.limit), BOOL);
    let before = walk.new.push(Op::Get(state.digest), U32);
    let words = words(walk, new);
    let b = &mut walk.new;
    let name = b.constant(DType::U32, old.index() as u64);
    let factor = b.constant(DType::U32, 0x9e37_79b1);
    let shift = b.constant(DType::U32, 15);
    let mut mixed = before;
    // Each step has an inverse: digests that differ stay so while the words are the same.
    for word in std::iter::once(name).chain(words) {
        mixed = b.push(Op::Binary(BinaryOp::Xor, mixed, word), U32);
        mixed = b.push(Op::Binary(BinaryOp::Mul, mixed, factor), U32);
        let high = b.push(Op::Binary(BinaryOp::Shr, mixed, shift), U32);
        mixed = b.push(Op::Binary(BinaryOp::Xor, mixed, high), U32);
    }
    let after = b.push(Op::Select(within, mixed, before), U32);
    b.push_unit(Op::Set(state.digest, after));
    let at = b.push(Op::Get(state.at), U32);
    let at = b.push(Op::Select(within, name, at), U32);
    b.push_unit(Op::Set(state.at, at));
}

fn store_word(walk: &mut Walk<'_>, trace: Param, first: Value, word: u32, value: Value) {
    let b = &mut walk.new;
    let word = b.constant(DType::U32, word.into());
    let index = b.push(Op::Binary(BinaryOp::Add, first, word), U32);
    b.push_unit(Op::Store(Place::Param(trace), index, value));
}

/// The bits of a value as `u32` words.
fn words(walk: &mut Walk<'_>, v: Value) -> Vec<Value> {
    match walk.new.kernel()[v].ty {
        Type::Unit => Vec::new(),
        Type::Scalar(dtype) => scalar_words(walk, v, dtype).into(),
        Type::Vector(dtype, lanes) => {
            let mut all = Vec::new();
            for lane in 0..lanes {
                let scalar = walk.new.push(Op::Extract(v, lane), Type::Scalar(dtype));
                all.extend(scalar_words(walk, scalar, dtype));
            }
            all
        }
    }
}

fn scalar_words(walk: &mut Walk<'_>, v: Value, dtype: DType) -> [Value; 2] {
    let b = &mut walk.new;
    let bits = match (dtype.class(), dtype.bits()) {
        (Class::Float, 16) => b.push(Op::Bitcast(v), Type::Scalar(DType::U16)),
        (Class::Float, 32) => b.push(Op::Bitcast(v), U32),
        (Class::Float | Class::Signed, 64) => b.push(Op::Bitcast(v), U64),
        // Negative ones have their own bits only.
        (Class::Signed, 8) => b.push(Op::Bitcast(v), Type::Scalar(DType::U8)),
        (Class::Signed, 16) => b.push(Op::Bitcast(v), Type::Scalar(DType::U16)),
        (Class::Signed, 32) => b.push(Op::Bitcast(v), U32),
        (Class::Bool | Class::Unsigned | Class::Signed | Class::Float, _) => v,
    };
    let low = if b.kernel()[bits].ty == U32 { bits } else { b.push(Op::Cast(bits), U32) };
    if dtype.bits() < 64 {
        return [low, b.constant(DType::U32, 0)];
    }
    let by = b.constant(DType::U64, 32);
    let high = b.push(Op::Binary(BinaryOp::Shr, bits, by), U64);
    [low, b.push(Op::Cast(high), U32)]
}

/// For each instruction, whether its value may depend on the order of atomic updates.
fn order_dependent(kernel: &Kernel) -> Vec<bool> {
    let mut order = Order {
        kernel,
        values: vec![false; kernel.insts.len()],
        vars: HashSet::new(),
        places: HashSet::new(),
        constructs: HashSet::new(),
        loops: Vec::new(),
        ended: false,
        changed: true,
    };
    while std::mem::take(&mut order.changed) {
        order.ended = false;
        order.block(kernel.body, false);
    }
    order.values
}

struct Order<'k> {
    kernel: &'k Kernel,
    values: Vec<bool>,
    vars: HashSet<Var>,
    places: HashSet<Place>,
    /// Loops and scopes that some threads leave depending on the order.
    constructs: HashSet<Value>,
    /// Open loops.
    loops: Vec<Value>,
    /// Whether threads may have ended above, depending on the order.
    ended: bool,
    changed: bool,
}

impl Order<'_> {
    fn block(&mut self, block: Block, flow: bool) {
        let kernel = self.kernel;
        for &v in &kernel[block] {
            let op = &kernel[v].op;
            let mut is_bound = flow || self.ended || self.constructs.contains(&v);
            op.for_each_operand(|x| is_bound |= self.values[x.index()]);
            is_bound |= op.var().is_some_and(|var| self.vars.contains(&var));
            is_bound |= op.place().is_some_and(|place| self.places.contains(&place));
            let mut whole = op.whole_arrays().into_iter().flatten();
            is_bound |= whole.any(|a| self.places.contains(&Place::Array(a)));
            if matches!(op, Op::Atomic(..) | Op::CompareExchange { .. }) {
                // Counters of the group are the same again after a barrier; others' are not.
                let place = op.place().expect("an update has a place");
                let is_shared = matches!(place, Place::Array(_));
                if is_bound || !is_shared || !op_commutes(op) {
                    self.changed |= self.places.insert(place);
                }
                is_bound = true;
            }
            if is_bound {
                self.mark(v, op);
            }
            let is_loop = matches!(op, Op::For { .. } | Op::Loop { .. });
            if is_loop {
                self.loops.push(v);
            }
            for body in op.bodies() {
                self.block(body, is_bound);
            }
            if is_loop {
                self.loops.pop();
            }
        }
    }

    fn mark(&mut self, v: Value, op: &Op) {
        self.changed |= !std::mem::replace(&mut self.values[v.index()], true);
        if let Op::Set(var, _) = op {
            self.changed |= self.vars.insert(*var);
        }
        if let Op::Store(place, ..) = op {
            self.changed |= self.places.insert(*place);
        }
        if let Some([sums, _]) = op.whole_arrays() {
            self.changed |= self.places.insert(Place::Array(sums));
        }
        if let Op::Break(target) | Op::Continue(target) = op {
            self.changed |= self.constructs.insert(*target);
        }
        if let Op::Return = op {
            // What stands above in a loop comes again, or does not.
            self.ended = true;
            for &around in &self.loops {
                self.changed |= self.constructs.insert(around);
            }
        }
    }
}

/// Whether the memory after many of these is the same in any order.
fn op_commutes(op: &Op) -> bool {
    matches!(op, Op::Atomic(op, ..) if *op != AtomicOp::Exchange)
}
