//! Where a thread is, and how values move between lanes.
//!
//! Invariants
//! - A group is one row of threads, which lie in the hardware's subgroups in order.
//! - Hardware wider than the language's subgroup holds several of them side by side; the preludes keep them apart.

#![deny(clippy::wildcard_enum_match_arm)]

use super::{
    expr::{Expr, Kind, literal},
    writer::{Val, Writer},
};
use crate::field::Field;
use evenweave_lang::{
    ir::Value,
    matrix::Atom,
    ops::{IdOp, ShuffleOp, VoteOp},
};

impl Writer<'_> {
    fn thread(&self) -> Expr {
        Expr::name(self.dialect.thread())
    }

    fn local(&self, axis: usize) -> Expr {
        let group = self.kernel.group;
        let below: u32 = group[..axis].iter().product();
        if group[axis] == 1 {
            return literal(Kind::Word, 0);
        }
        let mut at = self.thread();
        if below > 1 {
            at = Expr::infix(format!("{at} / {below}u"));
        }
        if group[axis + 1..].iter().any(|&n| n > 1) {
            at = Expr::infix(format!("{at} % {}u", group[axis]));
        }
        at
    }

    fn group(&self, axis: usize) -> Expr {
        let (id, first) = (self.dialect.group(axis), self.field(Field::First(axis as u8)));
        Expr::infix(format!("{first} + {id}"))
    }

    fn global(&self, axis: usize) -> Expr {
        let (group, local) = (self.group(axis), self.local(axis));
        match (self.kernel.group[axis], self.kernel.group[axis] == 1) {
            (_, true) => group,
            (size, false) => Expr::infix(format!("{group} * {size}u + {local}")),
        }
    }

    pub(super) fn place_of(&self, id: IdOp) -> Expr {
        let [x, y, z] = self.kernel.group;
        let number = |n: u32| literal(Kind::Word, n.into());
        match id {
            IdOp::GlobalX => self.global(0),
            IdOp::GlobalY => self.global(1),
            IdOp::GlobalZ => self.global(2),
            IdOp::GroupX => self.group(0),
            IdOp::GroupY => self.group(1),
            IdOp::GroupZ => self.group(2),
            IdOp::LocalX => self.local(0),
            IdOp::LocalY => self.local(1),
            IdOp::LocalZ => self.local(2),
            IdOp::GroupSizeX => number(x),
            IdOp::GroupSizeY => number(y),
            IdOp::GroupSizeZ => number(z),
            IdOp::GridX => self.field(Field::Grid(0)),
            IdOp::GridY => self.field(Field::Grid(1)),
            IdOp::GridZ => self.field(Field::Grid(2)),
            IdOp::Thread => self.thread(),
            IdOp::Lane => Expr::infix(format!("{} & 31u", self.thread())),
            IdOp::SubgroupId => Expr::infix(format!("{} >> 5u", self.thread())),
            IdOp::Subgroups => number(self.kernel.group_threads().div_ceil(32)),
        }
    }

    pub(super) fn shuffle(&self, op: ShuffleOp, x: Value, lane: Value) -> Expr {
        let (x, constant) = (self.get(x), self.constant_of(lane));
        let lane = match constant {
            Some(n) => literal(Kind::Word, n & 31),
            None => Expr::infix(format!("{} & 31u", self.get(lane))),
        };
        let name = match op {
            ShuffleOp::Any | ShuffleOp::Broadcast => "shuffle",
            ShuffleOp::Xor => "shuffle_xor",
        };
        Expr::call(name, &[&x, &lane])
    }

    pub(super) fn vote(&self, op: VoteOp, x: Value) -> Expr {
        let x = self.get(x);
        match op {
            VoteOp::Ballot => Expr::call("ballot", &[&x]),
            VoteOp::Any => Expr::infix(format!("ballot({}) != 0u", x.bare())),
            VoteOp::All => Expr::infix(format!("ballot(!{x}) == 0u")),
        }
    }

    /// A product of small matrices: a function of the prelude that the product's own name names.
    pub(super) fn matrix(&mut self, atom: Atom, all: &[Value]) -> Val {
        let ty = Kind::of(atom.sum()).name();
        let sums: Vec<Expr> = (0..atom.sums()).map(|_| self.variable(ty)).collect();
        let given: Vec<Expr> = all.iter().map(|&v| self.get(v)).collect();
        let operands: Vec<&Expr> = sums.iter().chain(&given).collect();
        let call = Expr::call(atom.name(), &operands);
        self.line(&format!("{};", call.bare()));
        Val::Many(sums)
    }

    /// The value of thread 0, for the whole group.
    pub(super) fn group_broadcast(&mut self, v: Value, x: Value) -> Expr {
        let (kind, x, mail) = (self.kind(v), self.get(x), self.mails[&v].clone());
        let is_bool = kind == Kind::Bool;
        let sent = if is_bool { Expr::infix(format!("{x} ? 1u : 0u")) } else { x };
        self.when(&Expr::infix(format!("{} == 0u", self.thread())), |w| {
            w.line(&format!("{mail} = {};", sent.bare()));
        });
        self.barrier();
        let got = if is_bool { Expr::infix(format!("{mail} != 0u")) } else { Expr::name(mail) };
        let y = self.constant(kind.name(), &got);
        self.barrier();
        y
    }
}
