//! What the writer gives: a module, and how a launch feeds it.
//!
//! Set 0 has at binding 0 the block of `fields`, an array of 16-byte vectors of four 32-bit words (word `i` is
//! component `i % 4` of vector `i / 4`), and at binding `1 + i` the storage buffer of `buffers[i]`. The push constant
//! of 16 bytes is the first group of the dispatch along x, y, z (a grid past the limits of one dispatch is launched
//! in parts), and a word that is always 0: a zero that no driver knows.
//!
//! The block is a uniform buffer, which GPUs have fast ways for, or with addresses a storage buffer. Before it unrolls loops,
//! Mesa asks what goes into them whether it is made of uniforms alone, and walks shared operands once for each use: where
//! arithmetic is long, as with fma in software, a kernel would take years to compile. A storage buffer ends that walk. The
//! push constant is such a uniform too, so there the zero is a word of the block.
//!
//! Invariants
//! - The words are one compute shader with entry point `main`, whose local size is `[invocations, 1, 1]`.
//! - A storage buffer is a whole number of 32-bit words; bytes past its last element are not elements.

use crate::field::Field;
use evenweave_lang::{
    dtype::DType,
    ir::{Access, Param},
    launch::ArgShape,
};

/// How a module reaches its buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Addressing {
    /// By storage buffers at bindings, each of at most `Module::MAX_BOUND_BYTES`.
    Descriptors,
    /// By 64-bit addresses in the block, each of at most `Module::MAX_BOUND_BYTES`: offsets are words. Every access
    /// is checked against the buffer's length.
    Near,
    /// The same for buffers of any size: offsets have 64 bits.
    Addresses,
}

impl Addressing {
    /// Whether buffers are reached by their addresses.
    pub(super) const fn by_address(self) -> bool {
        match self {
            Addressing::Descriptors => false,
            Addressing::Near | Addressing::Addresses => true,
        }
    }

    /// Whether the block is a storage buffer, not a uniform one.
    pub const fn block_in_storage(self) -> bool {
        self.by_address()
    }
}

/// A module for a device that has the facts it was written for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// The SPIR-V.
    pub words: Vec<u32>,
    /// Invocations of a group.
    pub invocations: u32,
    /// Whether lanes move natively: subgroups must be full, and have the width that the facts give.
    pub full_subgroups: bool,
    /// The storage buffers, in the order of their bindings from 1 on. With addresses, those that are used.
    pub buffers: Vec<Binding>,
    /// How buffers are reached.
    pub addressing: Addressing,
    /// What the block holds, in the order of its words; each takes `Field::words` of them.
    pub fields: Vec<Field>,
    /// What the module takes the elements of each parameter for. Where that is a word and the launch gives a
    /// 64-bit integer, a length counts words: two an element.
    pub dtypes: Vec<DType>,
}

/// A storage buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binding {
    /// The parameter of the kernel.
    pub param: Param,
    /// How it is used.
    pub access: Access,
}

impl Module {
    /// Bytes of a buffer that 32-bit offsets reach: drivers take indices of descriptors as signed.
    pub const MAX_BOUND_BYTES: u64 = (1 << 31) - 1;

    /// The words of the block for a launch that was checked, padded to whole vectors of four.
    pub fn block(
        &self,
        grid: [u32; 3],
        args: &[ArgShape],
        address: &dyn Fn(Param) -> u64,
    ) -> Vec<u32> {
        let mut words = Vec::new();
        for field in &self.fields {
            let mut value = field.value(grid, [0; 3], args, address);
            if let Field::Length(p) = *field
                && let ArgShape::Buffer(given, _) | ArgShape::View(given, ..) = args[p.index()]
                && given.bits() == 64
            {
                value *= u64::from(given.bits() / self.dtypes[p.index()].bits());
            }
            words.push(value as u32);
            if field.words() == 2 {
                words.push((value >> 32) as u32);
            }
        }
        words.resize(words.len().next_multiple_of(4), 0);
        words
    }
}
