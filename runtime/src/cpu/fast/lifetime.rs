//! How long values live: positions of a walk in program order, and the last position that needs each value.
//!
//! Invariants
//! - A value that is defined outside a loop and used inside lives to the loop's end.
//! - `Pack` and `Extract` have no storage: they name parts of other values.
#![deny(clippy::wildcard_enum_match_arm)]

use evenweave_lang::ir::{Block, Control, Kernel, Op, Type, Value, Var};

/// One scalar that an instruction defines: its value and the element of a vector.
pub(super) type Part = (Value, u8);

/// Positions and last uses.
pub(super) struct Lifetimes {
    /// By value: the position of its instruction.
    position: Vec<u32>,
    /// By loop: the position of its end.
    end: Vec<u32>,
    /// By value and element.
    last: Vec<Vec<u32>>,
    /// By register: positions of its `Set`s, ascending.
    sets: Vec<Vec<u32>>,
    /// By position: the parts that end there.
    ending: Vec<Vec<Part>>,
}

struct Walk<'a> {
    kernel: &'a Kernel,
    lives: Lifetimes,
    next: u32,
    /// Loops around: their instruction's position and a list of parts used inside but defined before.
    loops: Vec<(u32, Vec<Part>)>,
}

impl Lifetimes {
    pub(super) fn new(kernel: &Kernel) -> Lifetimes {
        let lives = Lifetimes {
            position: vec![0; kernel.insts.len()],
            end: vec![0; kernel.insts.len()],
            last: kernel.insts.iter().map(|i| vec![0; width(i.ty)]).collect(),
            sets: vec![Vec::new(); kernel.vars.len()],
            ending: Vec::new(),
        };
        let mut walk = Walk { kernel, lives, next: 0, loops: Vec::new() };
        walk.block(kernel.body);
        let (mut lives, count) = (walk.lives, walk.next as usize);
        lives.ending = vec![Vec::new(); count + 1];
        for (i, parts) in lives.last.iter().enumerate() {
            for (element, &last) in parts.iter().enumerate() {
                lives.ending[last as usize].push((Value::at(i), element as u8));
            }
        }
        lives
    }

    /// The parts that nothing needs after a value's instruction (of a loop: after its end).
    pub(super) fn ending_at(&self, position: u32) -> &[Part] {
        &self.ending[position as usize]
    }

    pub(super) fn position(&self, v: Value) -> u32 {
        self.position[v.index()]
    }

    /// The position of a loop's end.
    pub(super) fn end(&self, v: Value) -> u32 {
        self.end[v.index()]
    }

    /// Whether nothing needs the part after this position.
    pub(super) fn ends_by(&self, (v, element): Part, position: u32) -> bool {
        self.last[v.index()][usize::from(element)] <= position
    }

    /// Whether the value of a `Get` can be read from the register itself until its last use.
    pub(super) fn is_stable(&self, get: Value, var: Var) -> bool {
        let (from, to) = (self.position(get), self.last[get.index()][0]);
        let sets = &self.sets[var.index()];
        // The first `Set` after the `Get`; that of the last use itself still reads before it writes.
        sets.get(sets.partition_point(|&set| set <= from)).is_none_or(|&set| set >= to)
    }
}

fn width(ty: Type) -> usize {
    match ty {
        Type::Unit => 0,
        Type::Scalar(_) => 1,
        Type::Vector(_, n) => n.into(),
    }
}

/// The parts that a value's scalars are.
pub(super) fn parts(kernel: &Kernel, v: Value) -> Vec<Part> {
    let inst = &kernel[v];
    if let Op::Pack(all) = &inst.op {
        return all.iter().flat_map(|&p| parts(kernel, p)).collect();
    }
    if let Op::Extract(from, i) = inst.op {
        return vec![parts(kernel, from)[usize::from(i)]];
    }
    (0..width(inst.ty)).map(|i| (v, i as u8)).collect()
}

impl Walk<'_> {
    fn block(&mut self, block: Block) {
        let kernel = self.kernel;
        for &v in &kernel[block] {
            self.next += 1;
            let at = self.next;
            self.lives.position[v.index()] = at;
            // What nobody uses ends where it is defined.
            self.lives.last[v.index()].fill(at);
            let op = &kernel[v].op;
            if let Op::Set(var, _) = op {
                self.lives.sets[var.index()].push(at);
            }
            if !matches!(op, Op::Pack(_) | Op::Extract(..)) {
                op.for_each_operand(|operand| {
                    for part in parts(kernel, operand) {
                        self.used(part);
                    }
                });
            }
            match op.control() {
                Some(Control::For { end, step, body, .. }) => {
                    self.loops.push((at, Vec::new()));
                    // The bounds and the index are needed in every round.
                    for held in [end, step, v] {
                        for part in parts(kernel, held) {
                            self.loops.last_mut().expect("pushed above").1.push(part);
                        }
                    }
                    self.block(body);
                    self.end_loop(v);
                }
                Some(Control::Loop { body }) => {
                    self.loops.push((at, Vec::new()));
                    self.block(body);
                    self.end_loop(v);
                }
                Some(Control::If { then, other, .. }) => {
                    self.block(then);
                    self.block(other);
                }
                Some(Control::Scope { body }) => self.block(body),
                Some(Control::Break(_) | Control::Continue(_) | Control::Return) | None => {}
            }
        }
    }

    /// Parts used in the innermost loop but defined before it live to its end, a position of its own.
    fn end_loop(&mut self, v: Value) {
        self.next += 1;
        self.lives.end[v.index()] = self.next;
        let (_, held) = self.loops.pop().expect("opened by the same instruction");
        for part in held {
            self.used(part);
        }
    }

    fn used(&mut self, part: Part) {
        let (v, element) = part;
        let last = &mut self.lives.last[v.index()][usize::from(element)];
        *last = self.next.max(*last);
        let defined = self.lives.position[v.index()];
        if let Some((start, held)) = self.loops.last_mut()
            && defined < *start
        {
            held.push(part);
        }
    }
}
