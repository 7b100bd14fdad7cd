//! 64-bit integers as pairs of 32-bit words, for devices that have none.
//!
//! A value becomes its low and its high word, a register two registers, and an element of a buffer or array two
//! neighbours: element `i` is the words `2 i` and `2 i + 1`. So a launch's memory is the same, and a buffer of `n`
//! such elements is one of `2 n` words. Shapes, strides and offsets of views stay in elements of 64 bits.
//!
//! Invariants
//! - Afterwards the only 64-bit values are those of parameters (`Scalar`, `Length`, `Stride`, `Offset`), the constant
//!   32, and `Shr` of a parameter by it; their only user but that `Shr` is `Cast` to u32. So a writer reads words,
//!   and never forms a 64-bit integer.
//! - An index past 2^32 becomes one that no buffer has; it never wraps into memory.
//! - What was uniform is uniform.
//!
//! Absent: 64-bit atomic updates, which two words cannot stand for, and f64; both are refused.

#![deny(clippy::wildcard_enum_match_arm)]

mod convert;
mod divide;
mod pair;
mod words;

use crate::{
    error::{Cause, LegalizeError},
    rewrite::{Visit, Walk, rewrite},
    target::Target,
};
use evenweave_lang::{
    dtype::DType,
    ir::{Block, Inst, Kernel, Op, Param, ParamKind, Place, Type, Value, Var},
    launch::{Len, LenOp},
    ops::BinaryOp,
};
use pair::Pair;
use std::collections::HashMap;
use words::Words;

const U32: Type = Type::Scalar(DType::U32);

/// Whether a dtype becomes two words.
const fn is_wide(dtype: DType) -> bool {
    matches!(dtype, DType::I64 | DType::U64)
}

/// The kernel without 64-bit integers, but as the words of parameters. Buffers and views of them become those of
/// `u32`, with twice the elements.
///
/// # Errors
/// f64, and 64-bit atomic updates and reductions.
pub fn split(kernel: &Kernel, target: Target) -> Result<Kernel, LegalizeError> {
    check(kernel, target)?;
    let mut pass = Split::default();
    let mut words = rewrite(kernel, &mut pass);
    retype(kernel, &mut words);
    Ok(words)
}

fn check(kernel: &Kernel, target: Target) -> Result<(), LegalizeError> {
    for &v in kernel.blocks.iter().flatten() {
        let Inst { op, ty, loc } = &kernel[v];
        let cause = match (ty.dtype(), op) {
            (Some(DType::F64), _) => Cause::NoType { target, dtype: DType::F64 },
            (Some(dtype), Op::Atomic(..) | Op::CompareExchange { .. } | Op::Reduce(..))
                if is_wide(dtype) =>
            {
                Cause::NoOperation { target, op: op.name(), dtype }
            }
            (_, _) => continue,
        };
        return Err(LegalizeError::new(kernel, *loc, cause));
    }
    Ok(())
}

/// Declarations of 64-bit integers as those of words.
fn retype(old: &Kernel, new: &mut Kernel) {
    let split = |p: Param| is_wide(old.params[p.index()].kind.dtype());
    for len in &mut new.grid {
        *len = in_words(len, &split);
    }
    for (i, param) in new.params.iter_mut().enumerate() {
        let is_split = split(Param::at(i));
        match &mut param.kind {
            ParamKind::Scalar(_) => {}
            ParamKind::Buffer { dtype, len, .. } => {
                *len = in_words(len, &split);
                if is_split {
                    *dtype = DType::U32;
                    *len = Len::op(LenOp::Mul, len.clone(), 2u32);
                }
            }
            ParamKind::View { dtype, shape, .. } => {
                for len in shape {
                    *len = in_words(len, &split);
                }
                if is_split {
                    *dtype = DType::U32;
                }
            }
        }
    }
    for array in new.arrays.iter_mut().filter(|a| is_wide(a.dtype)) {
        (array.dtype, array.elems) = (DType::U32, 2 * array.elems);
    }
    for var in new.vars.iter_mut().filter(|v| is_wide(v.dtype)) {
        var.dtype = DType::U32;
    }
}

/// The same length, where the buffers of some parameters count words.
fn in_words(len: &Len, split: &dyn Fn(Param) -> bool) -> Len {
    match len {
        Len::Length(p) if split(*p) => Len::op(LenOp::Div, Len::Length(*p), 2u32),
        Len::Const(_) | Len::Scalar(_) | Len::Extent(..) | Len::Length(_) => len.clone(),
        Len::Op(op, a, b) => Len::op(*op, in_words(a, split), in_words(b, split)),
    }
}

#[derive(Default)]
struct Split {
    /// The words of each 64-bit value of the old kernel, element by element.
    pairs: HashMap<Value, Vec<Pair>>,
    /// The register of the high word of a register.
    highs: HashMap<Var, Var>,
    /// The scope that ends a round of a loop that is no `For` any more.
    rounds: HashMap<Value, Value>,
}

impl Visit for Split {
    fn visit(&mut self, walk: &mut Walk<'_>, old: Value) {
        let kernel = walk.old;
        let inst = &kernel[old];
        let dtype_of = |v: Value| kernel[v].ty.dtype();
        let wide = |v: Value| dtype_of(v).is_some_and(is_wide);
        let own = wide(old);
        match &inst.op {
            Op::Const(c) if own => {
                let pair = words(walk).pair(c.bits);
                self.keep(walk, old, vec![pair]);
            }
            Op::Scalar(_) | Op::Length(_) | Op::Stride(..) | Op::Offset(_) if own => {
                self.param(walk, old);
            }
            &Op::Unary(op, x) if own => {
                let x = self.pair(x);
                let pair = words(walk).unary_pair(op, x).expect("verify: a row of integers");
                self.keep(walk, old, vec![pair]);
            }
            &Op::Binary(op, x, y) if own => {
                let [a, b] = [x, y].map(|v| self.pair(v));
                let pair = words(walk).binary_pair(op, is_signed(kernel, x), a, b);
                self.keep(walk, old, vec![pair.expect("verify: a row of integers")]);
            }
            &Op::Compare(op, x, y) if wide(x) => {
                let [a, b] = [x, y].map(|v| self.pair(v));
                let new = words(walk).compare_pair(op, is_signed(kernel, x), a, b);
                walk.set(old, new);
            }
            &Op::Select(cond, x, y) if own => {
                let [a, b] = [x, y].map(|v| self.pair(v));
                let cond = walk.get(cond);
                let pair = words(walk).select_pair(cond, a, b);
                self.keep(walk, old, vec![pair]);
            }
            &Op::Cast(x) | &Op::Bitcast(x) if own || wide(x) => self.cast(walk, old, x),
            &Op::Load(place, index) => self.load(walk, old, place, index),
            &Op::Store(place, index, value) => self.store(walk, old, place, index, value),
            Op::Pack(all) if own => {
                let pairs = all.iter().map(|&v| self.pair(v)).collect();
                self.keep(walk, old, pairs);
            }
            Op::Extract(vector, at) if own => {
                let pair = self.pairs[vector][usize::from(*at)];
                self.keep(walk, old, vec![pair]);
            }
            &Op::Get(var) if own => {
                let high = self.high(walk, var);
                let [low, high] = [var, high].map(|var| walk.new.push(Op::Get(var), U32));
                self.keep(walk, old, vec![Pair { low, high }]);
            }
            &Op::Set(var, x) if wide(x) => {
                let (high, x) = (self.high(walk, var), self.pair(x));
                walk.new.push_unit(Op::Set(var, x.low));
                walk.new.push_unit(Op::Set(high, x.high));
            }
            &Op::Shuffle(op, x, lane) if own => {
                let (x, lane) = (self.pair(x), walk.get(lane));
                let [low, high] =
                    [x.low, x.high].map(|w| walk.new.push(Op::Shuffle(op, w, lane), U32));
                self.keep(walk, old, vec![Pair { low, high }]);
            }
            &Op::GroupBroadcast(x) if own => {
                let x = self.pair(x);
                let [low, high] =
                    [x.low, x.high].map(|w| walk.new.push(Op::GroupBroadcast(w), U32));
                self.keep(walk, old, vec![Pair { low, high }]);
            }
            &Op::Atomic(op, place, index, x) => {
                let index = self.index(walk, place, index, 1);
                let x = walk.get(x);
                let new = walk.new.push(Op::Atomic(op, place, index, x), inst.ty);
                walk.set(old, new);
            }
            &Op::CompareExchange { at, index, expected, value } => {
                let index = self.index(walk, at, index, 1);
                let [expected, value] = [expected, value].map(|v| walk.get(v));
                let op = Op::CompareExchange { at, index, expected, value };
                let new = walk.new.push(op, inst.ty);
                walk.set(old, new);
            }
            &Op::For { start, end, step, body } if own => {
                let bounds = [start, end, step].map(|v| self.pair(v));
                self.counted(walk, old, bounds, is_signed(kernel, start), body);
            }
            Op::Continue(target) if let Some(&round) = self.rounds.get(target) => {
                walk.new.push_unit(Op::Break(round));
            }
            Op::Print(text, values) if values.iter().any(|&v| wide(v)) => {
                self.print(walk, text, values);
            }
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
            | Op::Pack(_)
            | Op::Extract(..)
            | Op::Get(_)
            | Op::Set(..)
            | Op::Barrier
            | Op::Shuffle(..)
            | Op::Vote(..)
            | Op::Reduce(..)
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
            | Op::Print(..) => walk.copy(self, old),
        }
    }
}

fn words<'b>(walk: &'b mut Walk<'_>) -> Words<'b> {
    Words { b: &mut walk.new }
}

fn is_signed(kernel: &Kernel, v: Value) -> bool {
    kernel[v].ty.dtype().is_some_and(DType::is_signed)
}

impl Split {
    fn pair(&self, old: Value) -> Pair {
        self.pairs[&old][0]
    }

    /// Records the words of a value. It has a name too, for whoever maps operands before looking at them.
    fn keep(&mut self, walk: &mut Walk<'_>, old: Value, pairs: Vec<Pair>) {
        walk.set(old, pairs[0].low);
        self.pairs.insert(old, pairs);
    }

    fn high(&mut self, walk: &mut Walk<'_>, var: Var) -> Var {
        *self.highs.entry(var).or_insert_with(|| {
            let name = format!("{}_high", walk.old.vars[var.index()].name);
            walk.new.var(name, DType::U32)
        })
    }

    /// The words of a parameter. The length of a buffer that is counted in words is half of it.
    fn param(&mut self, walk: &mut Walk<'_>, old: Value) {
        let Inst { op, ty, .. } = walk.old[old].clone();
        let dtype = ty.scalar().expect("a number of the launch is a scalar");
        let is_words =
            matches!(op, Op::Length(p) if is_wide(walk.old.params[p.index()].kind.dtype()));
        let b = &mut walk.new;
        let number = b.push(op, ty);
        let low = b.push(Op::Cast(number), U32);
        let count = b.constant(dtype, 32);
        let high = b.push(Op::Binary(BinaryOp::Shr, number, count), ty);
        let high = b.push(Op::Cast(high), U32);
        let mut pair = Pair { low, high };
        if is_words {
            let mut words = words(walk);
            let one = words.number(1);
            pair = words.shr(false, pair, one);
        }
        self.keep(walk, old, vec![pair]);
    }

    fn cast(&mut self, walk: &mut Walk<'_>, old: Value, x: Value) {
        let dtype_of = |v: Value| walk.old[v].ty.scalar().expect("verify: casts are of scalars");
        let (from, to) = (dtype_of(x), dtype_of(old));
        match (is_wide(from), is_wide(to)) {
            (true, true) => {
                let pair = self.pair(x);
                self.keep(walk, old, vec![pair]);
            }
            (true, false) => {
                let pair = self.pair(x);
                let new = words(walk).narrow(pair, from.is_signed(), to);
                walk.set(old, new);
            }
            (false, _) => {
                let x = walk.get(x);
                let pair = words(walk).widen(x, from, to.is_signed());
                self.keep(walk, old, vec![pair]);
            }
        }
    }

    /// The index in words of `lanes` elements: that of the first, which has an even place where elements are two
    /// words. What no buffer reaches becomes the greatest index that `lanes` neighbours may start at.
    fn index(&mut self, walk: &mut Walk<'_>, place: Place, index: Value, lanes: u32) -> Value {
        let is_split = is_wide(walk.old.place_dtype(place));
        let new = walk.get(index);
        let pair = self.pairs.get(&index).map(|pairs| pairs[0]);
        let mut words = words(walk);
        let greatest = if is_split { u32::MAX >> 1 } else { u32::MAX } & !(lanes - 1);
        let mut at = new;
        if let Some(pair) = pair {
            let fits = words.is_zero(pair.high);
            let none = words.number(greatest);
            at = words.select(fits, pair.low, none);
        }
        if !is_split {
            return at;
        }
        let at = words.by(BinaryOp::Min, at, greatest);
        words.by(BinaryOp::Shl, at, 1)
    }

    fn load(&mut self, walk: &mut Walk<'_>, old: Value, place: Place, index: Value) {
        let ty = walk.old[old].ty;
        let lanes = lanes(ty);
        let at = self.index(walk, place, index, lanes);
        if !is_wide(walk.old.place_dtype(place)) {
            let new = walk.new.push(Op::Load(place, at), ty);
            walk.set(old, new);
            return;
        }
        let all: Vec<Value> = match place {
            Place::Param(_) => {
                let all =
                    walk.new.push(Op::Load(place, at), Type::Vector(DType::U32, 2 * lanes as u8));
                (0..2 * lanes as u8).map(|i| walk.new.push(Op::Extract(all, i), U32)).collect()
            }
            Place::Array(_) => (0..2 * lanes)
                .map(|i| {
                    let at = words(walk).by(BinaryOp::Add, at, i);
                    walk.new.push(Op::Load(place, at), U32)
                })
                .collect(),
        };
        let pairs = all.chunks(2).map(|w| Pair { low: w[0], high: w[1] }).collect();
        self.keep(walk, old, pairs);
    }

    fn store(&mut self, walk: &mut Walk<'_>, old: Value, place: Place, index: Value, value: Value) {
        let lanes = lanes(walk.old[value].ty);
        let at = self.index(walk, place, index, lanes);
        if !is_wide(walk.old.place_dtype(place)) {
            let value = walk.get(value);
            let new = walk.new.push_unit(Op::Store(place, at, value));
            walk.set(old, new);
            return;
        }
        let all: Vec<Value> =
            self.pairs[&value].iter().flat_map(|pair| [pair.low, pair.high]).collect();
        match place {
            Place::Param(_) => {
                let ty = Type::Vector(DType::U32, 2 * lanes as u8);
                let all = walk.new.push(Op::Pack(all), ty);
                walk.new.push_unit(Op::Store(place, at, all));
            }
            Place::Array(_) => {
                for (i, word) in (0..).zip(all) {
                    let at = words(walk).by(BinaryOp::Add, at, i);
                    walk.new.push_unit(Op::Store(place, at, word));
                }
            }
        }
    }

    /// A `For` of 64-bit indices: of words where no bound has a high one, else a loop that asks after each round
    /// whether what is left is more than a step, so that no index past the end is formed.
    fn counted(
        &mut self,
        walk: &mut Walk<'_>,
        old: Value,
        [start, end, step]: [Pair; 3],
        is_signed: bool,
        body: Block,
    ) {
        let loc = walk.new.loc();
        let mut w = words(walk);
        if [start, end, step].iter().all(|&bound| w.is_short(bound)) {
            let high = w.number(0);
            let index = w.b.begin_for(start.low, end.low, step.low);
            self.keep(walk, old, vec![Pair { low: index, high }]);
            walk.set(old, index);
            walk.body(self, body);
            walk.new.close_block();
            return;
        }
        let (one, no_step) = (w.pair(1), w.is_zero_pair(step));
        let step = w.select_pair(no_step, one, step);
        let vars = ["index_low", "index_high"].map(|name| w.b.var(name, DType::U32));
        let goes = w.less(is_signed, start, end);
        let branch = w.b.begin_if(goes);
        w.b.push_unit(Op::Set(vars[0], start.low));
        w.b.push_unit(Op::Set(vars[1], start.high));
        let around = w.b.begin_loop();
        let [low, high] = vars.map(|var| w.b.push(Op::Get(var), U32));
        let index = Pair { low, high };
        let round = w.b.begin_scope();
        self.keep(walk, old, vec![index]);
        walk.set(old, around);
        self.rounds.insert(old, round);
        walk.body(self, body);
        walk.new.close_block();
        walk.new.set_loc(loc);
        let mut w = words(walk);
        let left = w.sub(end, index);
        let more = w.less(false, step, left);
        let next = w.add(index, step);
        let again = w.b.begin_if(more);
        w.b.push_unit(Op::Set(vars[0], next.low));
        w.b.push_unit(Op::Set(vars[1], next.high));
        w.b.begin_else(again);
        w.b.push_unit(Op::Break(around));
        w.b.end_if();
        w.b.close_block();
        w.b.begin_else(branch);
        w.b.end_if();
    }

    /// Two words stand where one number stood; only devices without 64-bit integers show it.
    fn print(&mut self, walk: &mut Walk<'_>, text: &str, values: &[Value]) {
        let mut pieces = text.split("{}");
        let mut shown = pieces.next().unwrap_or_default().to_owned();
        let mut words = Vec::new();
        for (&v, piece) in values.iter().zip(pieces) {
            match self.pairs.get(&v) {
                Some(pairs) => {
                    shown.push_str("{} * 2^32 + {}");
                    let high = if is_signed(walk.old, v) {
                        walk.new.push(Op::Bitcast(pairs[0].high), Type::Scalar(DType::I32))
                    } else {
                        pairs[0].high
                    };
                    words.extend([high, pairs[0].low]);
                }
                None => {
                    shown.push_str("{}");
                    words.push(walk.get(v));
                }
            }
            shown.push_str(piece);
        }
        walk.new.push_unit(Op::Print(shown, words));
    }
}

/// Elements that a load or store moves.
fn lanes(ty: Type) -> u32 {
    match ty {
        Type::Vector(_, lanes) => lanes.into(),
        Type::Scalar(_) | Type::Unit => 1,
    }
}
