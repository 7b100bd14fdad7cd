//! Products of a matrix in registers and one in shared memory, which run on while the thread goes on.
//!
//! A product is begun where it stands and waited for where somebody could tell: what is written in between runs beside it.
//!
//! Invariants
//! - A product that may still run is waited for before its sums are read or written one by one, before its tile is written,
//!   before a barrier, and before control flow leaves the block it stands in or reaches another product.
//! - Products on the same sums follow each other in order without a wait, as the hardware has it.
//! - What threads write to shared memory is made visible to products at each barrier of a kernel that has one.

#![deny(clippy::wildcard_enum_match_arm)]

use super::{expr::Expr, writer::Writer};
use crate::rewrite::each_inst;
use evenweave_lang::ir::{Array, Kernel, Op, Place, Value};

/// Bytes to multiples of which a tile is aligned: the period of the order of its chunks.
pub(super) const TILE_ALIGN_BYTES: u64 = 1024;

/// A product that may still run.
#[derive(Clone, Debug)]
pub(super) struct Running {
    sums: Array,
    tile: Array,
    /// The words of `a`, which it reads from where they are.
    words: Vec<Expr>,
}

/// The arrays that are tiles of products.
pub(super) fn tiles(kernel: &Kernel) -> Vec<Array> {
    let ops = kernel.blocks.iter().flatten().map(|&v| &kernel[v].op);
    let mut tiles: Vec<Array> =
        ops.filter_map(|op| op.whole_arrays()).map(|[_, tile]| tile).collect();
    tiles.sort();
    tiles.dedup();
    tiles
}

fn is_product(op: &Op) -> bool {
    matches!(op, Op::Wide { .. })
}

impl Writer<'_> {
    /// Begins a product, and those that stand behind it with nothing in between: their words are put where they stay before the
    /// first one begins, since a register that is written while a product runs makes compilers wait for it.
    pub(super) fn wide(&mut self, first: Value) {
        let (block, at) = self.place;
        let kernel = self.kernel;
        let rest = &kernel.blocks[block as usize][at as usize..];
        let run: Vec<Value> =
            rest.iter().copied().take_while(|&v| is_product(&kernel[v].op)).collect();
        assert_eq!(run.first(), Some(&first), "the writer is where the product stands");
        let begun: Vec<(Expr, Running)> = run.iter().map(|&v| self.placed(v)).collect();
        self.line("product_begin();");
        for (call, _) in &begun {
            self.line(&format!("{};", call.bare()));
        }
        self.line("product_end();");
        self.begun = run.len() - 1;
        self.running.extend(begun.into_iter().map(|(_, running)| running));
    }

    /// The call that begins a product, with its words in registers of their own.
    fn placed(&mut self, v: Value) -> (Expr, Running) {
        let kernel = self.kernel;
        let Op::Wide { wide, sums, tile, words } = &kernel[v].op else {
            unreachable!("a run is of products")
        };
        let words: Vec<Expr> = words
            .iter()
            .map(|&v| {
                let word = Expr::call("product_word", &[&self.get(v)]);
                self.constant("u32", &word)
            })
            .collect();
        let arrays = [sums, tile].map(|a| Expr::name(self.arrays[a.index()].clone()));
        let operands: Vec<&Expr> = arrays.iter().chain(&words).collect();
        let call = Expr::call(wide.name(), &operands);
        let words = words[..wide.a_words() as usize].to_vec();
        (call, Running { sums: *sums, tile: *tile, words })
    }

    /// A barrier of the group.
    pub(super) fn barrier(&mut self) {
        self.line(if self.has_products { "product_barrier();" } else { "barrier();" });
    }

    /// Waits for the products that an instruction must not meet.
    pub(super) fn settle_before(&mut self, v: Value) {
        if !self.running.is_empty() && self.meets_product(v) {
            self.settle();
        }
    }

    /// Waits for all products.
    pub(super) fn settle(&mut self) {
        if self.running.is_empty() {
            return;
        }
        self.line("product_wait();");
        for Running { sums, words, .. } in std::mem::take(&mut self.running) {
            let sums = Expr::name(self.arrays[sums.index()].clone());
            let operands: Vec<&Expr> = [&sums].into_iter().chain(&words).collect();
            let call = Expr::call("product_done", &operands);
            self.line(&format!("{};", call.bare()));
        }
    }

    /// Whether an instruction, or one in its bodies, could tell that a product still runs.
    fn meets_product(&self, v: Value) -> bool {
        let op = &self.kernel[v].op;
        if self.tells(op) {
            return true;
        }
        let mut meets = false;
        for body in op.bodies() {
            each_inst(self.kernel, body, &mut |inner| {
                let op = &self.kernel[inner].op;
                meets |= self.tells(op) || is_product(op);
            });
        }
        meets
    }

    fn tells(&self, op: &Op) -> bool {
        let reads = matches!(op, Op::Load(..));
        let ends = op.is_terminator() || matches!(op, Op::Barrier | Op::GroupBroadcast(_));
        let touched = match op.place() {
            Some(Place::Array(array)) => {
                self.running.iter().any(|r| r.sums == array || r.tile == array && !reads)
            }
            Some(Place::Param(_)) | None => false,
        };
        ends || touched
    }
}
