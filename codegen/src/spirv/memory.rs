//! Buffers, arrays, and the numbers of a launch.
//!
//! Invariants
//! - A vector's first index is a multiple of its elements (`Op::Load`), so whole words are accessed.
//! - Elements smaller than what the device's buffers can hold are stored by two atomic updates of their word: the
//!   neighbours belong to other threads.
//! - A NaN stored to a buffer is the canonical one.
//! - With addresses, an index past the end reads element 0 and writes nothing, as robust descriptors do; where a buffer
//!   lies is read once, before all else.

#![deny(clippy::wildcard_enum_match_arm)]

use super::{
    assembler::{Assembler, Elem, Id, Repr, Ty},
    module::{Addressing, Binding},
    writer::{Val, Writer, repr},
};
use crate::{
    facts::{Facts, Lanes},
    field::Field,
};
use evenweave_lang::{
    dtype::DType,
    ir::{Access, Array, ArrayDecl, Kernel, Op, Param, ParamKind, Place, Space, Type, Value},
    ops::{AtomicOp, IdOp},
};
use rspirv::spirv::{self, Capability, Decoration, StorageClass};
use std::collections::HashMap;

/// What a buffer is seen as an array of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum View {
    /// 8 or 16 bits.
    Small(u32),
    /// So many words: 1, 2 or 4.
    Words(u32),
    /// 64-bit integers, for atomic updates.
    Wide,
}

impl View {
    const fn bytes(self) -> u32 {
        match self {
            View::Small(bits) => bits / 8,
            View::Words(n) => 4 * n,
            View::Wide => 8,
        }
    }
}

/// The memory of a module.
pub(super) struct Storage {
    addressing: Addressing,
    small: [bool; 2],
    int16: bool,
    buffers: Vec<Binding>,
    coherent: bool,
    views: HashMap<(Param, View), Id>,
    /// With addresses: where each buffer starts, and its elements in the width of indices.
    found: HashMap<Param, (Id, Id)>,
    arrays: Vec<Id>,
}

/// The numbers of the launch that the kernel reads, each with its first word in the block.
pub(super) struct Fields {
    places: Vec<(Field, u32)>,
    class: StorageClass,
    block: Id,
    /// The first group of the dispatch.
    pub(super) base: Id,
}

/// Bytes of shared memory that a kernel takes where the facts hold.
pub fn shared_bytes(kernel: &Kernel, facts: &Facts) -> u64 {
    let shared = kernel.arrays.iter().filter(|a| a.space == Space::Shared);
    let bytes = |a: &ArrayDecl| match array_elem(a, facts.features.int16) {
        Elem::Small(bits) => bits / 8,
        Elem::Value(Repr::Wide | Repr::F64) => 8,
        Elem::Value(Repr::Bool | Repr::Word | Repr::F32) => 4,
    };
    let arrays: u64 = shared.map(|a| u64::from(a.elems) * u64::from(bytes(a))).sum();
    let ops = || kernel.blocks.iter().flatten().map(|&v| &kernel[v].op);
    let broadcasts = ops().filter(|op| matches!(op, Op::GroupBroadcast(_))).count() as u64;
    let mails = facts.lanes == Lanes::Unknown
        && ops().any(|op| matches!(op, Op::Shuffle(..) | Op::Vote(..) | Op::Reduce(..)));
    let mail = if mails { 4 * u64::from(kernel.group_threads()) } else { 0 };
    arrays + 8 * broadcasts + mail
}

fn array_elem(array: &ArrayDecl, int16: bool) -> Elem {
    if array.space == Space::Shared && int16 && array.dtype.bits() == 16 {
        return Elem::Small(16);
    }
    // Floats lie there as their bits: some drivers lose the sign of a zero that is stored as a float.
    Elem::Value(match repr(array.dtype) {
        Repr::F32 => Repr::Word,
        Repr::F64 => Repr::Wide,
        kind @ (Repr::Bool | Repr::Word | Repr::Wide) => kind,
    })
}

/// The buffer of an operation.
fn buffer(op: &Op) -> Option<Param> {
    match op.place() {
        Some(Place::Param(p)) => Some(p),
        Some(Place::Array(_)) | None => None,
    }
}

impl Storage {
    pub(super) fn new(
        a: &mut Assembler,
        kernel: &Kernel,
        facts: &Facts,
        addressing: Addressing,
    ) -> Storage {
        let insts = || kernel.blocks.iter().flatten().map(|&v| &kernel[v].op);
        let mut used: Vec<Param> = insts().filter_map(buffer).collect();
        used.sort();
        used.dedup();
        let binding = |param: Param| {
            let access = kernel.params[param.index()].kind.access();
            Binding { param, access: access.expect("verify: a place is a buffer") }
        };
        let buffers = used.into_iter().map(binding).collect();
        if addressing.by_address() {
            a.capability(Capability::PhysicalStorageBufferAddresses);
        }
        let mut storage = Storage {
            addressing,
            small: [facts.features.storage8, facts.features.storage16],
            int16: facts.features.int16,
            buffers,
            coherent: insts().any(|op| *op == Op::Barrier),
            views: HashMap::new(),
            found: HashMap::new(),
            arrays: Vec::new(),
        };
        for array in &kernel.arrays {
            storage.declare_array(a, array);
        }
        if addressing == Addressing::Descriptors {
            storage.declare_views(a, kernel);
        }
        storage
    }

    fn declare_array(&mut self, a: &mut Assembler, array: &ArrayDecl) {
        let elem = array_elem(array, self.int16);
        if let Elem::Small(_) = elem {
            a.capability(Capability::Int16);
        }
        let ty = a.ty(Ty::Array(elem, array.elems));
        let id = match array.space {
            Space::Shared => a.global(StorageClass::Workgroup, ty),
            Space::Private => a.local(ty),
        };
        a.name(id, &array.name);
        self.arrays.push(id);
    }

    /// Declares what the kernel's accesses need, so that each variable stands before the function.
    fn declare_views(&mut self, a: &mut Assembler, kernel: &Kernel) {
        for &v in kernel.blocks.iter().flatten() {
            let inst = &kernel[v];
            let Some(param) = buffer(&inst.op) else { continue };
            let stored = kernel.params[param.index()].kind.dtype();
            let views = if let Op::Load(..) = inst.op {
                self.access(stored, inst.ty).views(Purpose::Load)
            } else if let Op::Store(_, _, x) = inst.op {
                self.access(stored, kernel[x].ty).views(Purpose::Store)
            } else if stored.bits() == 64 {
                vec![View::Wide]
            } else {
                vec![View::Words(1)]
            };
            for view in views {
                self.view(a, kernel, param, view);
            }
        }
        let mut counts: HashMap<Param, u32> = HashMap::new();
        for (param, _) in self.views.keys() {
            *counts.entry(*param).or_default() += 1;
        }
        let mut shared: Vec<Id> =
            self.views.iter().filter(|((p, _), _)| counts[p] > 1).map(|(_, &id)| id).collect();
        shared.sort_unstable();
        for id in shared {
            a.decorate(id, Decoration::Aliased, &[]);
        }
    }

    fn view(&mut self, a: &mut Assembler, kernel: &Kernel, param: Param, view: View) -> Id {
        if let Some(&id) = self.views.get(&(param, view)) {
            return id;
        }
        let elem = view_ty(a, view);
        let array = a.declare(spirv::Op::TypeRuntimeArray, &[elem]);
        a.decorate(array, Decoration::ArrayStride, &[view.bytes()]);
        let block = a.declare(spirv::Op::TypeStruct, &[array]);
        a.decorate(block, Decoration::Block, &[]);
        a.decorate_member(block, 0, Decoration::Offset, &[0]);
        let at = self.buffers.iter().position(|b| b.param == param).expect("all were collected");
        match self.buffers[at].access {
            Access::In => a.decorate_member(block, 0, Decoration::NonWritable, &[]),
            Access::InOut if self.coherent => {
                a.decorate_member(block, 0, Decoration::Coherent, &[]);
            }
            Access::Out | Access::InOut => {}
        }
        let id = a.global(StorageClass::StorageBuffer, block);
        a.name(id, &kernel.params[param.index()].name);
        a.decorate(id, Decoration::DescriptorSet, &[0]);
        a.decorate(id, Decoration::Binding, &[at as u32 + 1]);
        self.views.insert((param, view), id);
        id
    }

    /// How elements of a dtype are reached.
    fn access(&self, stored: DType, ty: Type) -> Reach {
        let (_, elems) = Writer::shape(ty);
        let (bits, total) = (stored.bits(), stored.bits() * elems);
        match total {
            32 | 64 | 128 => Reach::Words { bits, words: total / 32 },
            _ if bits == 8 && self.small[0] || bits == 16 && self.small[1] => Reach::Small(bits),
            _ => Reach::Part(bits),
        }
    }
}

/// How an access reaches its elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// As whole words.
    Words { bits: u32, words: u32 },
    /// Each as a small element of the buffer.
    Small(u32),
    /// Each as a part of a word.
    Part(u32),
}

enum Purpose {
    Load,
    Store,
}

impl Reach {
    fn views(self, purpose: Purpose) -> Vec<View> {
        match (self, purpose) {
            (Reach::Words { words, .. }, _) => vec![View::Words(words)],
            (Reach::Small(bits), _) => vec![View::Small(bits)],
            (Reach::Part(_), Purpose::Load | Purpose::Store) => vec![View::Words(1)],
        }
    }
}

fn view_ty(a: &mut Assembler, view: View) -> Id {
    match view {
        View::Small(bits) => {
            a.capability(match bits {
                8 => Capability::StorageBuffer8BitAccess,
                _ => Capability::StorageBuffer16BitAccess,
            });
            a.ty(Ty::Small(bits))
        }
        View::Words(1) => a.word(),
        View::Words(n) => a.ty(Ty::Vector(Repr::Word, n)),
        View::Wide => a.value_ty(Repr::Wide),
    }
}

impl Fields {
    /// Declares the block of what the kernel reads, and the push constant.
    pub(super) fn new(a: &mut Assembler, kernel: &Kernel, storage: &Storage) -> Fields {
        let mut fields: Vec<Field> = kernel
            .blocks
            .iter()
            .flatten()
            .filter_map(|&v| match kernel[v].op {
                Op::Scalar(p) if kernel.params[p.index()].kind.dtype().bits() == 64 => {
                    Some(Field::Scalar64(p))
                }
                Op::Scalar(p) => Some(Field::Scalar(p)),
                Op::Length(p) => Some(Field::Length(p)),
                Op::Extent(p, axis) => Some(Field::Extent(p, axis)),
                Op::Stride(p, axis) => Some(Field::Stride(p, axis)),
                Op::Offset(p) => Some(Field::Offset(p)),
                Op::Id(IdOp::GridX) => Some(Field::Grid(0)),
                Op::Id(IdOp::GridY) => Some(Field::Grid(1)),
                Op::Id(IdOp::GridZ) => Some(Field::Grid(2)),
                Op::Const(..)
                | Op::Id(_)
                | Op::Unary(..)
                | Op::Binary(..)
                | Op::Compare(..)
                | Op::Fma(..)
                | Op::Select(..)
                | Op::Cast(..)
                | Op::Bitcast(..)
                | Op::Load(..)
                | Op::Store(..)
                | Op::Pack(..)
                | Op::Extract(..)
                | Op::Get(..)
                | Op::Set(..)
                | Op::Atomic(..)
                | Op::CompareExchange { .. }
                | Op::Barrier
                | Op::Shuffle(..)
                | Op::Vote(..)
                | Op::Reduce(..)
                | Op::Matrix(..)
                | Op::Wide { .. }
                | Op::GroupBroadcast(..)
                | Op::If { .. }
                | Op::For { .. }
                | Op::Loop { .. }
                | Op::Scope { .. }
                | Op::Break(..)
                | Op::Continue(..)
                | Op::Return
                | Op::Assert(..)
                | Op::Print(..) => None,
            })
            .collect();
        if storage.addressing.by_address() {
            for b in &storage.buffers {
                fields.extend([Field::Address(b.param), Field::Length(b.param)]);
            }
        }
        let in_storage = storage.addressing.block_in_storage();
        if in_storage {
            fields.push(Field::Zero);
        }
        fields.sort();
        fields.dedup();
        let mut places = Vec::new();
        let mut words = 0;
        for field in fields {
            places.push((field, words));
            words += field.words() as u32;
        }
        let base = push_constant(a);
        let class = if in_storage { StorageClass::StorageBuffer } else { StorageClass::Uniform };
        let block = if words == 0 { 0 } else { block(a, words.div_ceil(4), class) };
        Fields { places, class, block, base }
    }
}

/// The first group of a dispatch, and a zero: four words.
fn push_constant(a: &mut Assembler) -> Id {
    let word = a.word();
    let block = a.declare(spirv::Op::TypeStruct, &[word, word, word, word]);
    a.decorate(block, Decoration::Block, &[]);
    for at in 0..4 {
        a.decorate_member(block, at, Decoration::Offset, &[4 * at]);
    }
    a.global(StorageClass::PushConstant, block)
}

fn block(a: &mut Assembler, vectors: u32, class: StorageClass) -> Id {
    let vector = a.ty(Ty::Vector(Repr::Word, 4));
    let length = a.number(vectors);
    let array = a.declare(spirv::Op::TypeArray, &[vector, length]);
    a.decorate(array, Decoration::ArrayStride, &[16]);
    let block = a.declare(spirv::Op::TypeStruct, &[array]);
    a.decorate(block, Decoration::Block, &[]);
    a.decorate_member(block, 0, Decoration::Offset, &[0]);
    if class == StorageClass::StorageBuffer {
        a.decorate_member(block, 0, Decoration::NonWritable, &[]);
    }
    let id = a.global(class, block);
    a.decorate(id, Decoration::DescriptorSet, &[0]);
    a.decorate(id, Decoration::Binding, &[0]);
    id
}

impl Writer<'_> {
    /// What the module asks of a launch.
    pub(super) fn close(&mut self) -> (Vec<Binding>, Vec<Field>) {
        let fields = self.fields.places.iter().map(|&(field, _)| field).collect();
        (std::mem::take(&mut self.storage.buffers), fields)
    }

    /// The words of a number of the launch.
    fn field(&mut self, field: Field) -> Vec<Id> {
        let (_, first) = *self
            .fields
            .places
            .iter()
            .find(|(f, _)| *f == field)
            .expect("all fields were collected");
        (first..first + field.words() as u32).map(|word| self.block_word(word)).collect()
    }

    fn block_word(&mut self, at: u32) -> Id {
        let word = self.a.word();
        let ptr = self.a.ty(Ty::Pointer(self.fields.class, word));
        let path = [0, at / 4, at % 4].map(|i| self.a.number(i));
        let operands = [self.fields.block, path[0], path[1], path[2]];
        let ptr = self.a.op(spirv::Op::AccessChain, ptr, &operands);
        self.a.op(spirv::Op::Load, word, &[ptr])
    }

    /// A zero that comes with the launch.
    pub(super) fn unknown_zero(&mut self) -> Id {
        match self.storage.addressing.block_in_storage() {
            true => self.field(Field::Zero)[0],
            false => self.pushed(3),
        }
    }

    pub(super) fn grid(&mut self, axis: u8) -> Id {
        self.field(Field::Grid(axis))[0]
    }

    fn wide_field(&mut self, field: Field) -> Val {
        let words = self.field(field);
        Val::Words(words[0], words[1])
    }

    pub(super) fn length(&mut self, p: Param) -> Val {
        self.wide_field(Field::Length(p))
    }

    pub(super) fn stride(&mut self, p: Param, axis: u8) -> Val {
        self.wide_field(Field::Stride(p, axis))
    }

    pub(super) fn offset(&mut self, p: Param) -> Val {
        self.wide_field(Field::Offset(p))
    }

    pub(super) fn extent(&mut self, p: Param, axis: u8) -> Val {
        Val::One(self.field(Field::Extent(p, axis))[0])
    }

    pub(super) fn scalar(&mut self, p: Param) -> Val {
        let ParamKind::Scalar(dtype) = self.kernel.params[p.index()].kind else {
            unreachable!("verify: a scalar is a scalar parameter")
        };
        if dtype.bits() == 64 {
            let words = self.field(Field::Scalar64(p));
            if dtype != DType::F64 {
                return Val::Words(words[0], words[1]);
            }
            let wide = self.join(words[0], words[1]);
            return Val::One(self.a.value(spirv::Op::Bitcast, Repr::F64, &[wide]));
        }
        let word = self.field(Field::Scalar(p))[0];
        Val::One(self.register_of(dtype, word))
    }

    /// The register of an element from its zero-extended bits.
    fn register_of(&mut self, dtype: DType, bits: Id) -> Id {
        match dtype {
            DType::Bool => {
                let zero = self.a.number(0);
                self.a.value(spirv::Op::INotEqual, Repr::Bool, &[bits, zero])
            }
            DType::I4 | DType::I8 | DType::I16 => self.sign_extend(bits, dtype.bits()),
            DType::F32 => self.a.value(spirv::Op::Bitcast, Repr::F32, &[bits]),
            DType::F64 => self.a.value(spirv::Op::Bitcast, Repr::F64, &[bits]),
            DType::U4
            | DType::U8
            | DType::U16
            | DType::I32
            | DType::U32
            | DType::I64
            | DType::U64
            | DType::F4E2M1
            | DType::F8E4M3
            | DType::F8E5M2
            | DType::F8E8M0
            | DType::F16
            | DType::BF16 => bits,
        }
    }

    pub(super) fn sign_extend(&mut self, x: Id, bits: u32) -> Id {
        let [zero, bits] = [0, bits].map(|n| self.a.number(n));
        self.a.value(spirv::Op::BitFieldSExtract, Repr::Word, &[x, zero, bits])
    }

    /// The bits of a register as they are stored: NaN canonical, unless they may go `as_is`; small integers with ones
    /// above a negative.
    fn stored_bits(&mut self, dtype: DType, x: Id, as_is: bool) -> Id {
        match dtype {
            DType::Bool => {
                let [zero, one] = [0, 1].map(|n| self.a.number(n));
                self.a.value(spirv::Op::Select, Repr::Word, &[x, one, zero])
            }
            DType::F16 | DType::BF16 | DType::F32 | DType::F64 => self.float_bits(dtype, x, as_is),
            DType::I4
            | DType::U4
            | DType::I8
            | DType::U8
            | DType::I16
            | DType::U16
            | DType::I32
            | DType::U32
            | DType::I64
            | DType::U64
            | DType::F4E2M1
            | DType::F8E4M3
            | DType::F8E5M2
            | DType::F8E8M0 => x,
        }
    }

    /// The bits of a float with every NaN made the one.
    pub(super) fn canonical(&mut self, dtype: DType, bits: Id) -> Id {
        let (kind, magnitude, infinity, nan) = match dtype {
            DType::F16 => (Repr::Word, 0x7fff, 0x7c00, 0x7e00),
            DType::BF16 => (Repr::Word, 0x7fff, 0x7f80, 0x7fc0),
            DType::F32 => (Repr::Word, 0x7fff_ffff, 0x7f80_0000, 0x7fc0_0000),
            DType::F64 => (Repr::Wide, u64::MAX >> 1, 0x7ff0 << 48, 0x7ff8 << 48),
            DType::Bool
            | DType::I4
            | DType::U4
            | DType::I8
            | DType::U8
            | DType::I16
            | DType::U16
            | DType::I32
            | DType::U32
            | DType::I64
            | DType::U64
            | DType::F4E2M1
            | DType::F8E4M3
            | DType::F8E5M2
            | DType::F8E8M0 => return bits,
        };
        let [magnitude, infinity, nan] =
            [magnitude, infinity, nan].map(|n| self.a.constant(kind, n));
        let magnitude = self.a.value(spirv::Op::BitwiseAnd, kind, &[bits, magnitude]);
        let is = self.a.value(spirv::Op::UGreaterThan, Repr::Bool, &[magnitude, infinity]);
        self.a.value(spirv::Op::Select, kind, &[is, nan, bits])
    }

    /// An index in the width that addressing works with.
    fn index(&mut self, v: Value) -> Id {
        let wide = repr(self.dtype(v)) == Repr::Wide;
        match (self.storage.addressing, wide, &self.values[v.index()]) {
            (Addressing::Descriptors | Addressing::Near, true, &Val::Words(low, _)) => low,
            (Addressing::Descriptors | Addressing::Near, true, _) => {
                let x = self.get(v);
                self.a.value(spirv::Op::UConvert, Repr::Word, &[x])
            }
            (Addressing::Addresses, false, _) => {
                let x = self.get(v);
                self.a.value(spirv::Op::UConvert, Repr::Wide, &[x])
            }
            (Addressing::Descriptors | Addressing::Near, false, _)
            | (Addressing::Addresses, true, _) => self.get(v),
        }
    }

    /// An index into an array: always a word.
    fn array_index(&mut self, v: Value) -> Id {
        match self.values[v.index()] {
            Val::Words(low, _) => low,
            Val::None | Val::One(_) | Val::Many(_) => {
                let x = self.get(v);
                match repr(self.dtype(v)) {
                    Repr::Wide => self.a.value(spirv::Op::UConvert, Repr::Word, &[x]),
                    Repr::Bool | Repr::Word | Repr::F32 | Repr::F64 => x,
                }
            }
        }
    }

    fn index_repr(&self) -> Repr {
        match self.storage.addressing {
            Addressing::Descriptors | Addressing::Near => Repr::Word,
            Addressing::Addresses => Repr::Wide,
        }
    }

    fn shifted(&mut self, index: Id, by: u32) -> Id {
        if by == 0 {
            return index;
        }
        let (kind, by) = (self.index_repr(), self.a.number(by));
        self.a.value(spirv::Op::ShiftRightLogical, kind, &[index, by])
    }

    fn doubled(&mut self, index: Id, times: u32) -> Id {
        if times == 0 {
            return index;
        }
        let (kind, times) = (self.index_repr(), self.a.number(times));
        self.a.value(spirv::Op::ShiftLeftLogical, kind, &[index, times])
    }

    fn plus(&mut self, index: Id, n: u32) -> Id {
        if n == 0 {
            return index;
        }
        let kind = self.index_repr();
        let n = self.a.constant(kind, n.into());
        self.a.value(spirv::Op::IAdd, kind, &[index, n])
    }

    /// A pointer to the element of a view.
    fn pointer(&mut self, p: Param, view: View, index: Id) -> Id {
        let elem = view_ty(&mut self.a, view);
        match self.storage.addressing {
            Addressing::Descriptors => {
                let ty = self.a.ty(Ty::Pointer(StorageClass::StorageBuffer, elem));
                let operands = [self.storage.views[&(p, view)], self.a.number(0), index];
                self.a.op(spirv::Op::AccessChain, ty, &operands)
            }
            Addressing::Near | Addressing::Addresses => {
                let ty = self.a.ty(Ty::Pointer(StorageClass::PhysicalStorageBuffer, elem));
                let (start, _) = self.storage.found[&p];
                let mut at = self.doubled(index, view.bytes().trailing_zeros());
                if self.storage.addressing == Addressing::Near {
                    at = self.a.value(spirv::Op::UConvert, Repr::Wide, &[at]);
                }
                let at = self.a.value(spirv::Op::IAdd, Repr::Wide, &[start, at]);
                self.a.op(spirv::Op::ConvertUToPtr, ty, &[at])
            }
        }
    }

    fn load_view(&mut self, p: Param, view: View, index: Id) -> Id {
        let (ptr, ty) = (self.pointer(p, view, index), view_ty(&mut self.a, view));
        match self.storage.addressing {
            Addressing::Descriptors => self.a.op(spirv::Op::Load, ty, &[ptr]),
            Addressing::Near | Addressing::Addresses => {
                self.a.op(spirv::Op::Load, ty, &[ptr, 2, view.bytes()])
            }
        }
    }

    fn store_view(&mut self, p: Param, view: View, index: Id, x: Id) {
        let ptr = self.pointer(p, view, index);
        match self.storage.addressing {
            Addressing::Descriptors => self.a.effect(spirv::Op::Store, &[ptr, x]),
            Addressing::Near | Addressing::Addresses => {
                self.a.effect(spirv::Op::Store, &[ptr, x, 2, view.bytes()]);
            }
        }
    }

    /// With addresses: whether all elements from `index` on are there.
    fn inside(&mut self, p: Param, index: Id, elems: u32) -> Id {
        let last = self.plus(index, elems - 1);
        let (_, length) = self.storage.found[&p];
        self.a.value(spirv::Op::ULessThan, Repr::Bool, &[last, length])
    }

    /// With addresses: reads where the buffers lie, and their lengths.
    pub(super) fn find_buffers(&mut self) {
        if !self.storage.addressing.by_address() {
            return;
        }
        let params: Vec<Param> = self.storage.buffers.iter().map(|b| b.param).collect();
        for p in params {
            let words = self.field(Field::Address(p));
            let start = self.join(words[0], words[1]);
            let words = self.field(Field::Length(p));
            let length = match self.index_repr() {
                Repr::Wide => self.join(words[0], words[1]),
                Repr::Bool | Repr::Word | Repr::F32 | Repr::F64 => words[0],
            };
            self.storage.found.insert(p, (start, length));
        }
    }

    pub(super) fn load(&mut self, place: Place, index: Value, ty: Type) -> Val {
        let (_, elems) = Writer::shape(ty);
        match place {
            Place::Array(array) => {
                let index = self.array_index(index);
                let ids: Vec<Id> = (0..elems).map(|i| self.load_array(array, index, i)).collect();
                self.loaded(ty, ids)
            }
            Place::Param(p) => {
                let mut index = self.index(index);
                if self.storage.addressing.by_address() {
                    let inside = self.inside(p, index, elems);
                    let kind = self.index_repr();
                    let zero = self.a.constant(kind, 0);
                    index = self.a.value(spirv::Op::Select, kind, &[inside, index, zero]);
                }
                let ids = self.load_elements(p, index, ty);
                self.loaded(ty, ids)
            }
        }
    }

    fn loaded(&self, ty: Type, ids: Vec<Id>) -> Val {
        match ty {
            Type::Scalar(_) => Val::One(ids[0]),
            Type::Vector(..) | Type::Unit => Val::Many(ids),
        }
    }

    fn load_elements(&mut self, p: Param, index: Id, ty: Type) -> Vec<Id> {
        let stored = self.kernel.params[p.index()].kind.dtype();
        let (_, elems) = Writer::shape(ty);
        match self.storage.access(stored, ty) {
            Reach::Words { bits, words } => {
                let at = self.shifted(index, elems.trailing_zeros());
                let loaded = self.load_view(p, View::Words(words), at);
                let words: Vec<Id> = if words == 1 {
                    vec![loaded]
                } else {
                    (0..words)
                        .map(|i| {
                            self.a.value(spirv::Op::CompositeExtract, Repr::Word, &[loaded, i])
                        })
                        .collect()
                };
                self.split_words(stored, bits, &words)
            }
            Reach::Small(bits) => (0..elems)
                .map(|i| {
                    let at = self.plus(index, i);
                    let x = self.load_view(p, View::Small(bits), at);
                    let word = self.a.value(spirv::Op::UConvert, Repr::Word, &[x]);
                    self.register_of(stored, word)
                })
                .collect(),
            Reach::Part(bits) => (0..elems)
                .map(|i| {
                    let at = self.plus(index, i);
                    let (word, shift) = self.part_of_word(at, bits);
                    let x = self.load_view(p, View::Words(1), word);
                    let bits_id = self.a.number(bits);
                    let operands = [x, shift, bits_id];
                    let x = self.a.value(spirv::Op::BitFieldUExtract, Repr::Word, &operands);
                    self.register_of(stored, x)
                })
                .collect(),
        }
    }

    /// The elements in whole words.
    fn split_words(&mut self, stored: DType, bits: u32, words: &[Id]) -> Vec<Id> {
        match bits {
            64 => words
                .chunks_exact(2)
                .map(|w| {
                    let wide = self.join(w[0], w[1]);
                    self.register_of(stored, wide)
                })
                .collect(),
            32 => words.iter().map(|&w| self.register_of(stored, w)).collect(),
            _ => {
                let mut all = Vec::new();
                for &w in words {
                    for at in 0..32 / bits {
                        let operands = [w, self.a.number(at * bits), self.a.number(bits)];
                        let x = self.a.value(spirv::Op::BitFieldUExtract, Repr::Word, &operands);
                        all.push(self.register_of(stored, x));
                    }
                }
                all
            }
        }
    }

    /// The word of a small element, and its first bit there.
    fn part_of_word(&mut self, index: Id, bits: u32) -> (Id, Id) {
        let per_word = 32 / bits;
        let word = self.shifted(index, per_word.trailing_zeros());
        let low = match self.index_repr() {
            Repr::Wide => self.a.value(spirv::Op::UConvert, Repr::Word, &[index]),
            Repr::Bool | Repr::Word | Repr::F32 | Repr::F64 => index,
        };
        let operands = [low, self.a.number(per_word - 1)];
        let at = self.a.value(spirv::Op::BitwiseAnd, Repr::Word, &operands);
        let operands = [at, self.a.number(bits)];
        (word, self.a.value(spirv::Op::IMul, Repr::Word, &operands))
    }

    pub(super) fn store(&mut self, place: Place, index: Value, x: Value) {
        let ty = self.kernel[x].ty;
        let values = self.elements(x);
        match place {
            Place::Array(array) => {
                let index = self.array_index(index);
                for (i, x) in values.into_iter().enumerate() {
                    self.store_array(array, index, i as u32, x);
                }
            }
            Place::Param(p) => {
                let index = self.index(index);
                let (_, elems) = Writer::shape(ty);
                let as_is = self.seen.stores_as_is(self.kernel, x);
                match self.storage.addressing {
                    Addressing::Descriptors => self.store_elements(p, index, ty, &values, as_is),
                    Addressing::Near | Addressing::Addresses => {
                        let inside = self.inside(p, index, elems);
                        self.when(inside, |w| {
                            w.store_elements(p, index, ty, &values, as_is);
                        });
                    }
                }
            }
        }
    }

    fn store_elements(&mut self, p: Param, index: Id, ty: Type, values: &[Id], as_is: bool) {
        let stored = self.kernel.params[p.index()].kind.dtype();
        let bits: Vec<Id> = values.iter().map(|&x| self.stored_bits(stored, x, as_is)).collect();
        match self.storage.access(stored, ty) {
            Reach::Words { bits: width, words } => {
                let at = self.shifted(index, (values.len() as u32).trailing_zeros());
                let all = self.join_words(width, &bits);
                let x = if words == 1 {
                    all[0]
                } else {
                    let ty = self.a.ty(Ty::Vector(Repr::Word, words));
                    self.a.op(spirv::Op::CompositeConstruct, ty, &all)
                };
                self.store_view(p, View::Words(words), at, x);
            }
            Reach::Small(width) => {
                let small = self.a.ty(Ty::Small(width));
                for (i, &x) in bits.iter().enumerate() {
                    let at = self.plus(index, i as u32);
                    let x = self.a.op(spirv::Op::UConvert, small, &[x]);
                    self.store_view(p, View::Small(width), at, x);
                }
            }
            Reach::Part(width) => {
                for (i, &x) in bits.iter().enumerate() {
                    let at = self.plus(index, i as u32);
                    self.store_part(p, at, width, x);
                }
            }
        }
    }

    fn join_words(&mut self, width: u32, bits: &[Id]) -> Vec<Id> {
        match width {
            64 => bits.iter().flat_map(|&x| self.part(x)).collect(),
            32 => bits.to_vec(),
            _ => bits
                .chunks_exact((32 / width) as usize)
                .map(|parts| {
                    let mut word = parts[0];
                    for (i, &x) in parts.iter().enumerate() {
                        let operands =
                            [word, x, self.a.number(i as u32 * width), self.a.number(width)];
                        word = match i {
                            0 => {
                                let mask = self.a.number((1 << width) - 1);
                                self.a.value(spirv::Op::BitwiseAnd, Repr::Word, &[x, mask])
                            }
                            _ => self.a.value(spirv::Op::BitFieldInsert, Repr::Word, &operands),
                        };
                    }
                    word
                })
                .collect(),
        }
    }

    fn store_part(&mut self, p: Param, index: Id, width: u32, x: Id) {
        let (word, shift) = self.part_of_word(index, width);
        let ptr = self.pointer(p, View::Words(1), word);
        let mask = self.a.number(((1u64 << width) - 1) as u32);
        let x = self.a.value(spirv::Op::BitwiseAnd, Repr::Word, &[x, mask]);
        let x = self.a.value(spirv::Op::ShiftLeftLogical, Repr::Word, &[x, shift]);
        let hole = self.a.value(spirv::Op::ShiftLeftLogical, Repr::Word, &[mask, shift]);
        let hole = self.a.value(spirv::Op::Not, Repr::Word, &[hole]);
        let [device, relaxed] = [1, 0].map(|n| self.a.number(n));
        self.a.value(spirv::Op::AtomicAnd, Repr::Word, &[ptr, device, relaxed, hole]);
        self.a.value(spirv::Op::AtomicOr, Repr::Word, &[ptr, device, relaxed, x]);
    }

    fn array_pointer(&mut self, array: Array, index: Id, plus: u32) -> (Id, Elem) {
        let decl = &self.kernel.arrays[array.index()];
        let class = match decl.space {
            Space::Shared => StorageClass::Workgroup,
            Space::Private => StorageClass::Function,
        };
        let elem = array_elem(decl, self.storage.int16);
        let elem_id = self.a.elem(elem);
        let ty = self.a.ty(Ty::Pointer(class, elem_id));
        let at = match plus {
            0 => index,
            n => {
                let n = self.a.number(n);
                self.a.value(spirv::Op::IAdd, Repr::Word, &[index, n])
            }
        };
        let operands = [self.storage.arrays[array.index()], at];
        (self.a.op(spirv::Op::AccessChain, ty, &operands), elem)
    }

    fn load_array(&mut self, array: Array, index: Id, plus: u32) -> Id {
        let dtype = self.kernel.arrays[array.index()].dtype;
        let (ptr, elem) = self.array_pointer(array, index, plus);
        let elem_id = self.a.elem(elem);
        let x = self.a.op(spirv::Op::Load, elem_id, &[ptr]);
        match elem {
            Elem::Value(kind) => self.as_repr(x, kind, repr(dtype)),
            Elem::Small(_) => {
                let word = self.a.value(spirv::Op::UConvert, Repr::Word, &[x]);
                self.register_of(dtype, word)
            }
        }
    }

    /// The same bits in another kind of register of the same width.
    fn as_repr(&mut self, x: Id, from: Repr, to: Repr) -> Id {
        if from == to { x } else { self.a.value(spirv::Op::Bitcast, to, &[x]) }
    }

    fn store_array(&mut self, array: Array, index: Id, plus: u32, x: Id) {
        let (ptr, elem) = self.array_pointer(array, index, plus);
        let x = match elem {
            Elem::Value(kind) => {
                let dtype = self.kernel.arrays[array.index()].dtype;
                self.as_repr(x, repr(dtype), kind)
            }
            Elem::Small(_) => {
                let small = self.a.elem(elem);
                self.a.op(spirv::Op::UConvert, small, &[x])
            }
        };
        self.a.effect(spirv::Op::Store, &[ptr, x]);
    }

    /// The pointer and scope of an atomic update.
    fn atomic_place(&mut self, place: Place, index: Value) -> (Id, Id, Repr, Option<Id>) {
        let kind = repr(self.kernel.place_dtype(place));
        if kind == Repr::Wide {
            self.a.capability(Capability::Int64Atomics);
        }
        match place {
            Place::Array(array) => {
                let index = self.array_index(index);
                let (ptr, _) = self.array_pointer(array, index, 0);
                (ptr, self.a.number(2), kind, None)
            }
            Place::Param(p) => {
                let view = if kind == Repr::Wide { View::Wide } else { View::Words(1) };
                let index = self.index(index);
                let inside = match self.storage.addressing {
                    Addressing::Descriptors => None,
                    Addressing::Near | Addressing::Addresses => Some(self.inside(p, index, 1)),
                };
                (self.pointer(p, view, index), self.a.number(1), kind, inside)
            }
        }
    }

    /// An update where the element is there; else 0 and no update.
    fn guarded(
        &mut self,
        inside: Option<Id>,
        kind: Repr,
        update: impl FnOnce(&mut Self) -> Id,
    ) -> Id {
        let Some(inside) = inside else { return update(self) };
        let ty = self.a.value_ty(kind);
        let (result, zero) = (self.a.local(ty), self.a.constant(kind, 0));
        self.a.effect(spirv::Op::Store, &[result, zero]);
        self.when(inside, |w| {
            let before = update(w);
            w.a.effect(spirv::Op::Store, &[result, before]);
        });
        self.a.value(spirv::Op::Load, kind, &[result])
    }

    pub(super) fn atomic(&mut self, op: AtomicOp, place: Place, index: Value, x: Value) -> Id {
        let signed = self.kernel.place_dtype(place).is_signed();
        let op = match op {
            AtomicOp::Add => spirv::Op::AtomicIAdd,
            AtomicOp::Min if signed => spirv::Op::AtomicSMin,
            AtomicOp::Min => spirv::Op::AtomicUMin,
            AtomicOp::Max if signed => spirv::Op::AtomicSMax,
            AtomicOp::Max => spirv::Op::AtomicUMax,
            AtomicOp::And => spirv::Op::AtomicAnd,
            AtomicOp::Or => spirv::Op::AtomicOr,
            AtomicOp::Xor => spirv::Op::AtomicXor,
            AtomicOp::Exchange => spirv::Op::AtomicExchange,
        };
        let x = self.get(x);
        let (ptr, scope, kind, inside) = self.atomic_place(place, index);
        let relaxed = self.a.number(0);
        self.guarded(inside, kind, |w| w.a.value(op, kind, &[ptr, scope, relaxed, x]))
    }

    pub(super) fn compare_exchange(
        &mut self,
        place: Place,
        index: Value,
        expected: Value,
        value: Value,
    ) -> Id {
        let (expected, value) = (self.get(expected), self.get(value));
        let (ptr, scope, kind, inside) = self.atomic_place(place, index);
        let relaxed = self.a.number(0);
        let operands = [ptr, scope, relaxed, relaxed, value, expected];
        self.guarded(inside, kind, |w| w.a.value(spirv::Op::AtomicCompareExchange, kind, &operands))
    }

    pub(super) fn barrier(&mut self) {
        // The group meets; its shared memory and buffers are acquired and released.
        let [group, semantics] = [2, 0x8 | 0x40 | 0x100].map(|n| self.a.number(n));
        self.a.effect(spirv::Op::ControlBarrier, &[group, group, semantics]);
    }
}
