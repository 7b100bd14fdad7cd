//! Renumbering: a kernel whose arenas hold what its body reaches, in the order of a walk.
//!
//! Invariants
//! - Instructions, blocks, registers, arrays and files are numbered by first mention in a walk of the body:
//!   an instruction before its bodies, the bodies in order. What the walk does not reach is gone.
//! - Meaning, types, places and parameters do not change. Compacting a compact kernel changes nothing.
//! - A malformed kernel stays malformed: a name of something that is nowhere becomes `MISSING`, which
//!   `verify` reports.

use crate::ir::*;

/// The number of what a malformed kernel names but does not have.
const MISSING: u32 = u32::MAX;

impl Kernel {
    /// The same kernel with everything numbered in walk order, and nothing unreachable.
    pub fn compact(&self) -> Kernel {
        let mut walk = Walk {
            from: self,
            values: Numbers::new(self.insts.len()),
            blocks: Numbers::new(self.blocks.len()),
            vars: Numbers::new(self.vars.len()),
            arrays: Numbers::new(self.arrays.len()),
            files: Numbers::new(self.files.len()),
        };
        walk.block(self.body);
        walk.build()
    }
}

/// New numbers of the members of an arena, given in the order in which they are asked for.
struct Numbers {
    new: Vec<u32>,
    order: Vec<usize>,
}

impl Numbers {
    fn new(len: usize) -> Numbers {
        Numbers { new: vec![MISSING; len], order: Vec::new() }
    }

    /// Gives the member a number; whether it is there and had none.
    fn add(&mut self, old: usize) -> bool {
        let Some(new) = self.new.get_mut(old) else { return false };
        let is_first = *new == MISSING;
        if is_first {
            *new = self.order.len() as u32;
            self.order.push(old);
        }
        is_first
    }

    fn get(&self, old: usize) -> u32 {
        self.new.get(old).copied().unwrap_or(MISSING)
    }
}

struct Walk<'a> {
    from: &'a Kernel,
    values: Numbers,
    blocks: Numbers,
    vars: Numbers,
    arrays: Numbers,
    files: Numbers,
}

impl Walk<'_> {
    fn block(&mut self, block: Block) {
        if !self.blocks.add(block.index()) {
            return;
        }
        let from = self.from;
        for &v in &from[block] {
            if !self.values.add(v.index()) {
                continue;
            }
            let inst = &from[v];
            self.files.add(inst.loc.file as usize);
            if let Some(Place::Array(a)) = inst.op.place() {
                self.arrays.add(a.index());
            }
            for a in inst.op.whole_arrays().into_iter().flatten() {
                self.arrays.add(a.index());
            }
            if let Some(var) = inst.op.var() {
                self.vars.add(var.index());
            }
            for body in inst.op.bodies() {
                self.block(body);
            }
        }
    }

    fn build(&self) -> Kernel {
        let from = self.from;
        let value = |v: Value| Value(self.values.get(v.index()));
        Kernel {
            name: from.name.clone(),
            files: self.files.order.iter().map(|&f| from.files[f].clone()).collect(),
            params: from.params.clone(),
            group: from.group,
            lanes: from.lanes,
            grid: from.grid.clone(),
            arrays: self.arrays.order.iter().map(|&a| from.arrays[a].clone()).collect(),
            vars: self.vars.order.iter().map(|&v| from.vars[v].clone()).collect(),
            insts: self.values.order.iter().map(|&v| self.inst(&from.insts[v])).collect(),
            blocks: self
                .blocks
                .order
                .iter()
                .map(|&b| from.blocks[b].iter().map(|&v| value(v)).collect())
                .collect(),
            body: Block(self.blocks.get(from.body.index())),
        }
    }

    fn inst(&self, inst: &Inst) -> Inst {
        let mut op = inst.op.clone();
        op.map_operands(|v| Value(self.values.get(v.index())));
        op.map_names(&NewNames {
            block: &|b| Block(self.blocks.get(b.index())),
            var: &|v| Var(self.vars.get(v.index())),
            array: &|a| Array(self.arrays.get(a.index())),
            target: &|v| Value(self.values.get(v.index())),
        });
        let loc = Loc { file: self.files.get(inst.loc.file as usize), line: inst.loc.line };
        Inst { op, ty: inst.ty, loc }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{build::Builder, dtype::DType, ops::IdOp};

    #[test]
    fn what_is_not_reached_is_gone_and_the_rest_is_in_walk_order() {
        let mut b = Builder::new("k");
        let _unused_file = b.locate("unused.rs", 1);
        let loc = b.locate("used.rs", 7);
        b.set_loc(loc);
        let _unused_var = b.var("unused", DType::F32);
        let var = b.var("used", DType::U32);
        let _unused_array = b.array("unused", Space::Private, DType::F32, 4);
        let array = b.array("used", Space::Private, DType::U32, 4);
        let x = b.id(IdOp::Lane);
        let round = b.begin_loop();
        b.push_unit(Op::Break(round));
        b.push_unit(Op::Set(var, x)); // dropped by the builder, but in the arena
        b.close_block();
        b.push_unit(Op::Set(var, x));
        b.push_unit(Op::Store(Place::Array(array), x, x));
        let k = b.finish().compact();

        let loc = Loc { file: 0, line: 7 };
        let u32 = Type::Scalar(DType::U32);
        assert_eq!(k.files, ["used.rs"]);
        assert_eq!(k.vars, [VarDecl { name: "used".into(), dtype: DType::U32 }]);
        assert_eq!(k.arrays.len(), 1);
        assert_eq!(k.blocks, [vec![Value(0), Value(1), Value(3), Value(4)], vec![Value(2)]]);
        assert_eq!(
            k.insts,
            [
                Inst { op: Op::Id(IdOp::Lane), ty: u32, loc },
                Inst { op: Op::Loop { body: Block(1) }, ty: Type::Unit, loc },
                Inst { op: Op::Break(Value(1)), ty: Type::Unit, loc },
                Inst { op: Op::Set(Var(0), Value(0)), ty: Type::Unit, loc },
                Inst {
                    op: Op::Store(Place::Array(Array(0)), Value(0), Value(0)),
                    ty: Type::Unit,
                    loc
                },
            ]
        );
        assert_eq!(k.compact(), k);
    }

    #[test]
    fn a_name_of_nothing_stays_one() {
        let mut b = Builder::new("k");
        b.push_unit(Op::Set(Var::at(3), Value::at(9)));
        let k = b.finish().compact();
        assert_eq!(k.insts[0].op, Op::Set(Var(MISSING), Value(MISSING)));
    }

    #[test]
    fn a_block_that_owns_itself_ends_the_walk() {
        let mut b = Builder::new("k");
        b.begin_scope();
        b.close_block();
        let mut k = b.finish();
        k.insts[0].op = Op::Scope { body: k.body };
        let k = k.compact();
        assert_eq!(k.insts[0].op, Op::Scope { body: Block(0) });
    }
}
