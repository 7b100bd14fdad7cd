//! Words in the order of a module's sections, with each type and constant declared once.
//!
//! Invariants
//! - Sections come in the order that the specification fixes (SPIR-V 2.4).
//! - Equal types and equal constants have one id.

use rspirv::spirv::{
    BuiltIn, Capability, Decoration, ExecutionMode, GlslStd450Op as GLOp, MAGIC_NUMBER, Op,
    StorageClass,
};
use std::collections::{BTreeSet, HashMap};

/// SPIR-V 1.5: what Vulkan 1.2 takes.
const VERSION: u32 = 0x0001_0500;

/// The id of something.
pub(super) type Id = u32;

/// The type of a value in a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Repr {
    /// A truth value.
    Bool,
    /// 32 bits: integers of up to 32 bits, extended by their sign, and the bits of 16-bit floats.
    Word,
    /// 64-bit integers.
    Wide,
    /// f32.
    F32,
    /// f64.
    F64,
}

/// A type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Ty {
    Void,
    Function,
    Value(Repr),
    /// Storage of 8 or 16 bits.
    Small(u32),
    /// A vector of so many of a type.
    Vector(Repr, u32),
    /// The two words of a double-width product.
    Pair,
    Array(Elem, u32),
    Pointer(StorageClass, Id),
}

/// The element of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Elem {
    Value(Repr),
    Small(u32),
}

/// A module under construction.
#[derive(Default)]
pub(super) struct Assembler {
    ids: u32,
    capabilities: BTreeSet<u32>,
    extensions: BTreeSet<&'static str>,
    modes: Vec<u32>,
    names: Vec<u32>,
    decorations: Vec<u32>,
    globals: Vec<u32>,
    interface: Vec<Id>,
    types: HashMap<Ty, Id>,
    constants: HashMap<(Repr, u64), Id>,
    builtins: HashMap<u32, Id>,
    /// Variables of the function, which come before all else in it.
    variables: Vec<u32>,
    /// The function after them.
    pub(super) code: Vec<u32>,
    extended: Id,
    main: Id,
    pub(super) addresses: bool,
}

/// Appends an instruction.
pub(super) fn put(to: &mut Vec<u32>, op: Op, operands: &[u32]) {
    to.push(((operands.len() as u32 + 1) << 16) | op as u32);
    to.extend_from_slice(operands);
}

fn string(text: &str) -> Vec<u32> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.push(0);
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect()
}

impl Assembler {
    pub(super) fn new(addresses: bool) -> Assembler {
        let mut a = Assembler { addresses, ..Assembler::default() };
        (a.extended, a.main) = (a.id(), a.id());
        a.capability(Capability::Shader);
        a
    }

    pub(super) fn id(&mut self) -> Id {
        self.ids += 1;
        self.ids
    }

    pub(super) fn capability(&mut self, capability: Capability) {
        self.capabilities.insert(capability as u32);
    }

    pub(super) fn extension(&mut self, name: &'static str) {
        self.extensions.insert(name);
    }

    pub(super) fn mode(&mut self, mode: ExecutionMode, operands: &[u32]) {
        let mut words = vec![self.main, mode as u32];
        words.extend_from_slice(operands);
        put(&mut self.modes, Op::ExecutionMode, &words);
    }

    pub(super) fn name(&mut self, id: Id, name: &str) {
        let mut words = vec![id];
        words.extend(string(name));
        put(&mut self.names, Op::Name, &words);
    }

    pub(super) fn decorate(&mut self, id: Id, decoration: Decoration, operands: &[u32]) {
        let mut words = vec![id, decoration as u32];
        words.extend_from_slice(operands);
        put(&mut self.decorations, Op::Decorate, &words);
    }

    pub(super) fn decorate_member(
        &mut self,
        id: Id,
        at: u32,
        decoration: Decoration,
        more: &[u32],
    ) {
        let mut words = vec![id, at, decoration as u32];
        words.extend_from_slice(more);
        put(&mut self.decorations, Op::MemberDecorate, &words);
    }

    /// An instruction outside the function that yields an id of no type: a type.
    pub(super) fn declare(&mut self, op: Op, operands: &[u32]) -> Id {
        let id = self.id();
        let mut words = vec![id];
        words.extend_from_slice(operands);
        put(&mut self.globals, op, &words);
        id
    }

    pub(super) fn ty(&mut self, ty: Ty) -> Id {
        if let Some(&id) = self.types.get(&ty) {
            return id;
        }
        let id = match ty {
            Ty::Void => self.declare(Op::TypeVoid, &[]),
            Ty::Function => {
                let void = self.ty(Ty::Void);
                self.declare(Op::TypeFunction, &[void])
            }
            Ty::Value(Repr::Bool) => self.declare(Op::TypeBool, &[]),
            Ty::Value(Repr::Word) => self.declare(Op::TypeInt, &[32, 0]),
            Ty::Value(Repr::Wide) => {
                self.capability(Capability::Int64);
                self.declare(Op::TypeInt, &[64, 0])
            }
            Ty::Value(Repr::F32) => self.declare(Op::TypeFloat, &[32]),
            Ty::Value(Repr::F64) => {
                self.capability(Capability::Float64);
                self.declare(Op::TypeFloat, &[64])
            }
            Ty::Small(bits) => self.declare(Op::TypeInt, &[bits, 0]),
            Ty::Vector(of, elems) => {
                let of = self.ty(Ty::Value(of));
                self.declare(Op::TypeVector, &[of, elems])
            }
            Ty::Pair => {
                let word = self.word();
                self.declare(Op::TypeStruct, &[word, word])
            }
            Ty::Array(of, elems) => {
                let of = self.elem(of);
                let elems = self.constant(Repr::Word, elems.into());
                self.declare(Op::TypeArray, &[of, elems])
            }
            Ty::Pointer(class, to) => self.declare(Op::TypePointer, &[class as u32, to]),
        };
        self.types.insert(ty, id);
        id
    }

    pub(super) fn elem(&mut self, elem: Elem) -> Id {
        match elem {
            Elem::Value(repr) => self.ty(Ty::Value(repr)),
            Elem::Small(bits) => self.ty(Ty::Small(bits)),
        }
    }

    pub(super) fn value_ty(&mut self, repr: Repr) -> Id {
        self.ty(Ty::Value(repr))
    }

    pub(super) fn word(&mut self) -> Id {
        self.ty(Ty::Value(Repr::Word))
    }

    /// A constant from its bits.
    pub(super) fn constant(&mut self, repr: Repr, bits: u64) -> Id {
        if let Some(&id) = self.constants.get(&(repr, bits)) {
            return id;
        }
        let (ty, id) = (self.value_ty(repr), self.id());
        match repr {
            Repr::Bool => {
                let op = if bits == 0 { Op::ConstantFalse } else { Op::ConstantTrue };
                put(&mut self.globals, op, &[ty, id]);
            }
            Repr::Word | Repr::F32 => put(&mut self.globals, Op::Constant, &[ty, id, bits as u32]),
            Repr::Wide | Repr::F64 => {
                let words = [ty, id, bits as u32, (bits >> 32) as u32];
                put(&mut self.globals, Op::Constant, &words);
            }
        }
        self.constants.insert((repr, bits), id);
        id
    }

    /// A constant of 32 bits.
    pub(super) fn number(&mut self, n: u32) -> Id {
        self.constant(Repr::Word, n.into())
    }

    /// A variable outside the function; part of the interface.
    pub(super) fn global(&mut self, class: StorageClass, to: Id) -> Id {
        let (ty, id) = (self.ty(Ty::Pointer(class, to)), self.id());
        put(&mut self.globals, Op::Variable, &[ty, id, class as u32]);
        self.interface.push(id);
        id
    }

    /// A variable of the function.
    pub(super) fn local(&mut self, to: Id) -> Id {
        let (ty, id) = (self.ty(Ty::Pointer(StorageClass::Function, to)), self.id());
        put(&mut self.variables, Op::Variable, &[ty, id, StorageClass::Function as u32]);
        id
    }

    /// The variable of a built-in of the given type.
    pub(super) fn builtin(&mut self, builtin: BuiltIn, ty: Ty) -> Id {
        if let Some(&id) = self.builtins.get(&(builtin as u32)) {
            return id;
        }
        let ty = self.ty(ty);
        let id = self.global(StorageClass::Input, ty);
        self.decorate(id, Decoration::BuiltIn, &[builtin as u32]);
        self.builtins.insert(builtin as u32, id);
        id
    }

    /// An instruction of the function that yields a value of the type.
    pub(super) fn op(&mut self, op: Op, ty: Id, operands: &[u32]) -> Id {
        let id = self.id();
        self.code.push(((operands.len() as u32 + 3) << 16) | op as u32);
        self.code.extend_from_slice(&[ty, id]);
        self.code.extend_from_slice(operands);
        id
    }

    /// The same, of a register's type.
    pub(super) fn value(&mut self, op: Op, repr: Repr, operands: &[u32]) -> Id {
        let ty = self.value_ty(repr);
        self.op(op, ty, operands)
    }

    /// Float arithmetic: neither contracted nor rearranged.
    pub(super) fn float(&mut self, op: Op, repr: Repr, operands: &[u32]) -> Id {
        let id = self.value(op, repr, operands);
        self.decorate(id, Decoration::NoContraction, &[]);
        id
    }

    /// An instruction of GLSL.std.450.
    pub(super) fn extended(&mut self, op: GLOp, ty: Id, operands: &[u32]) -> Id {
        let mut words = vec![self.extended, op as u32];
        words.extend_from_slice(operands);
        self.op(Op::ExtInst, ty, &words)
    }

    /// Float arithmetic of GLSL.std.450.
    pub(super) fn extended_float(&mut self, op: GLOp, repr: Repr, operands: &[u32]) -> Id {
        let ty = self.value_ty(repr);
        let id = self.extended(op, ty, operands);
        self.decorate(id, Decoration::NoContraction, &[]);
        id
    }

    /// An instruction of the function without a value.
    pub(super) fn effect(&mut self, op: Op, operands: &[u32]) {
        put(&mut self.code, op, operands);
    }

    /// Begins a block of the function.
    pub(super) fn label(&mut self, id: Id) {
        put(&mut self.code, Op::Label, &[id]);
    }

    pub(super) fn branch(&mut self, to: Id) {
        put(&mut self.code, Op::Branch, &[to]);
    }

    /// The words of the module, whose function ends with a return.
    pub(super) fn finish(mut self) -> Vec<u32> {
        let (void, function, entry) = (self.ty(Ty::Void), self.ty(Ty::Function), self.id());
        let mut words = vec![MAGIC_NUMBER, VERSION, 0, self.ids + 1, 0];
        for &capability in &self.capabilities {
            put(&mut words, Op::Capability, &[capability]);
        }
        for name in &self.extensions {
            put(&mut words, Op::Extension, &string(name));
        }
        let mut import = vec![self.extended];
        import.extend(string("GLSL.std.450"));
        put(&mut words, Op::ExtInstImport, &import);
        // Logical or PhysicalStorageBuffer64 addressing; the GLSL450 memory model.
        put(&mut words, Op::MemoryModel, &[if self.addresses { 5348 } else { 0 }, 1]);
        let mut point = vec![5, self.main];
        point.extend(string("main"));
        point.extend_from_slice(&self.interface);
        put(&mut words, Op::EntryPoint, &point);
        for section in [&self.modes, &self.names, &self.decorations, &self.globals] {
            words.extend_from_slice(section);
        }
        put(&mut words, Op::Function, &[void, self.main, 0, function]);
        put(&mut words, Op::Label, &[entry]);
        words.extend_from_slice(&self.variables);
        words.extend_from_slice(&self.code);
        put(&mut words, Op::Return, &[]);
        put(&mut words, Op::FunctionEnd, &[]);
        words
    }
}
