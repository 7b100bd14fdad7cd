//! Buffers, arrays, and the numbers of a launch.
//!
//! Invariants
//! - A vector's first index is a multiple of its elements (`Op::Load`), and every buffer is a whole number of 16-byte units
//!   long, so whole words are accessed.
//! - Elements of 4 bits are stored by two atomic updates of their word: the neighbours belong to other threads.
//! - A NaN stored to a buffer is the canonical one.
//! - An access to a buffer asks whether its last element is there.

#![deny(clippy::wildcard_enum_match_arm)]

use super::{
    dialect::Dialect,
    expr::{Expr, Kind, literal},
    tile,
    values::stored_bits,
    writer::{Val, Writer},
};
use crate::field::Field;
use evenweave_lang::{
    dtype::DType,
    ir::{Access, Array, ArrayDecl, Kernel, Op, Param, Place, Space, Type, Value},
    ops::{AtomicOp, IdOp},
};

/// Bytes of shared memory that a kernel takes.
pub fn shared_bytes(kernel: &Kernel) -> u64 {
    let shared = kernel.arrays.iter().filter(|a| a.space == Space::Shared);
    let bytes = |a: &ArrayDecl| u64::from(a.elems) * u64::from(a.dtype.bits().div_ceil(8));
    let broadcast = |op: &Op| matches!(op, Op::GroupBroadcast(_));
    let ops = kernel.blocks.iter().flatten().map(|&v| &kernel[v].op);
    let tiles = tile::tiles(kernel);
    let all_tiles = shared.clone().count() == tiles.len();
    let gap = if tiles.is_empty() || all_tiles { 0 } else { tile::TILE_ALIGN_BYTES };
    // The compiler may leave a gap before each to align it.
    gap + shared.map(|a| bytes(a).next_multiple_of(8)).sum::<u64>()
        + 8 * ops.filter(|o| broadcast(o)).count() as u64
}

/// What a kernel takes: the buffers that it uses, then the numbers that it reads.
pub(super) fn fields(kernel: &Kernel) -> Vec<Field> {
    let mut pointers = Vec::new();
    let mut numbers = Vec::new();
    for &v in kernel.blocks.iter().flatten() {
        let op = &kernel[v].op;
        if let Some(Place::Param(p)) = op.place() {
            pointers.push(Field::Address(p));
            numbers.push(Field::Length(p));
        }
        let number = match *op {
            Op::Scalar(p) if kernel.params[p.index()].kind.dtype().bits() == 64 => {
                Field::Scalar64(p)
            }
            Op::Scalar(p) => Field::Scalar(p),
            Op::Length(p) => Field::Length(p),
            Op::Extent(p, axis) => Field::Extent(p, axis),
            Op::Stride(p, axis) => Field::Stride(p, axis),
            Op::Offset(p) => Field::Offset(p),
            Op::Id(IdOp::GridX) => Field::Grid(0),
            Op::Id(IdOp::GridY) => Field::Grid(1),
            Op::Id(IdOp::GridZ) => Field::Grid(2),
            Op::Id(IdOp::GlobalX | IdOp::GroupX) => Field::First(0),
            Op::Id(IdOp::GlobalY | IdOp::GroupY) => Field::First(1),
            Op::Id(IdOp::GlobalZ | IdOp::GroupZ) => Field::First(2),
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
            | Op::Print(..) => continue,
        };
        numbers.push(number);
    }
    for all in [&mut pointers, &mut numbers] {
        all.sort();
        all.dedup();
    }
    pointers.extend(numbers);
    pointers
}

/// What a field is called where the name is free.
pub(super) fn field_name(kernel: &Kernel, field: Field) -> String {
    let axis = |axis: u8| char::from(b'x' + axis);
    let name = |p: Param| &kernel.params[p.index()].name;
    match field {
        Field::Grid(a) => format!("grid_{}", axis(a)),
        Field::First(a) => format!("first_{}", axis(a)),
        Field::Scalar(p) | Field::Scalar64(p) | Field::Address(p) => name(p).clone(),
        Field::Length(p) => format!("{}_len", name(p)),
        Field::Extent(p, a) => format!("{}_extent{a}", name(p)),
        Field::Stride(p, a) => format!("{}_stride{a}", name(p)),
        Field::Offset(p) => format!("{}_offset", name(p)),
        Field::Zero => "zero".into(),
    }
}

/// The type of an element in memory. Two nibbles share a byte, so those lie in words.
pub(super) const fn element_ty(dtype: DType) -> &'static str {
    match dtype {
        DType::Bool | DType::U8 | DType::F8E4M3 | DType::F8E5M2 | DType::F8E8M0 => "u8",
        DType::I8 => "i8",
        DType::U16 | DType::F16 | DType::BF16 => "u16",
        DType::I16 => "i16",
        DType::I4 | DType::U4 | DType::F4E2M1 | DType::I32 | DType::U32 => "u32",
        DType::F32 => "f32",
        DType::I64 | DType::U64 => "u64",
        DType::F64 => "f64",
    }
}

/// The value of an element from its bits, zero-extended.
pub(super) fn register_of(dtype: DType, bits: Expr) -> Expr {
    match dtype {
        DType::Bool => Expr::infix(format!("{bits} != 0u")),
        DType::I4 => Expr::name(format!("(u32)((i32)({bits} << 28u) >> 28u)")),
        DType::I8 => Expr::name(format!("(u32)(i32)(i8){bits}")),
        DType::I16 => Expr::name(format!("(u32)(i32)(i16){bits}")),
        DType::F32 => Expr::call("f32_of", &[&bits]),
        DType::F64 => Expr::call("f64_of", &[&bits]),
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

/// The value of an element from one of memory's type.
fn element(dtype: DType, x: Expr) -> Expr {
    match dtype {
        DType::Bool => Expr::infix(format!("{x} != 0")),
        DType::I8 | DType::I16 => Expr::name(format!("(u32)(i32){x}")),
        DType::I4
        | DType::U4
        | DType::F4E2M1
        | DType::U8
        | DType::U16
        | DType::I32
        | DType::U32
        | DType::I64
        | DType::U64
        | DType::F8E4M3
        | DType::F8E5M2
        | DType::F8E8M0
        | DType::F16
        | DType::BF16
        | DType::F32
        | DType::F64 => x,
    }
}

/// How an access reaches its elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// One element of memory's type.
    Whole,
    /// So many words at once: 1, 2 or 4.
    Words(u32),
    /// A part of a word.
    Part,
}

/// The parts of an access, each with how many elements it covers.
fn reach(stored: DType, elems: u32) -> (Reach, u32) {
    let bits = stored.bits();
    match bits * elems {
        _ if elems == 1 && bits < 8 => (Reach::Part, 1),
        _ if elems == 1 => (Reach::Whole, 1),
        total @ (32 | 64 | 128) => (Reach::Words(total / 32), elems),
        total if total > 128 => (Reach::Words(4), 128 / bits),
        _ if bits < 8 => (Reach::Part, 1),
        _ => (Reach::Whole, 1),
    }
}

impl Writer<'_> {
    /// The type of a pointer to a parameter's elements.
    pub(super) fn pointer_ty(&self, p: Param) -> String {
        let kind = &self.kernel.params[p.index()].kind;
        let (space, ty) = (self.dialect.global(), element_ty(kind.dtype()));
        match (kind.access(), self.dialect) {
            // What is only read does not change, and is no one's output.
            (Some(Access::In), Dialect::Cuda | Dialect::Hip) => {
                format!("const {ty}* __restrict__ ")
            }
            (Some(Access::In), Dialect::Metal) => format!("{space}const {ty}* "),
            (Some(Access::Out | Access::InOut) | None, _) => format!("{space}{ty}* "),
        }
    }

    /// What stands before an array's type.
    pub(super) fn array_space(&self, space: Space) -> String {
        match space {
            Space::Shared => format!("{} ", self.dialect.shared()),
            Space::Private => String::new(),
        }
    }

    /// An expression that may stand in several places.
    fn atom(&mut self, ty: &str, x: Expr) -> Expr {
        let letter = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        if x.bare().chars().all(letter) { x } else { self.constant(ty, &x) }
    }

    fn index(&mut self, v: Value) -> Expr {
        let (kind, x) = (self.kind(v), self.get(v));
        self.atom(kind.name(), x)
    }

    /// Whether so many elements from an index on are there.
    fn is_there(&self, p: Param, index: &Expr, elems: u32) -> Expr {
        let length = self.field(Field::Length(p));
        match elems {
            1 => Expr::binary(index, "<", &length),
            n => Expr::infix(format!("(u64){index} + {} < {length}", n - 1)),
        }
    }

    /// Where the words of elements from an index on are.
    fn words_at(&self, p: Param, index: &Expr, plus: u32, words: u32) -> Expr {
        let stored = self.kernel.params[p.index()].kind.dtype();
        let base = self.field(Field::Address(p));
        let at = match (stored.bits() < 8, plus) {
            (false, 0) => format!("{base} + {index}"),
            (false, n) => format!("{base} + {index} + {n}"),
            (true, 0) => format!("{base} + ({index} >> 3)"),
            (true, n) => format!("{base} + ({index} >> 3) + {}", n / 8),
        };
        let vector = if words == 1 { "u32".into() } else { format!("u32x{words}") };
        let space = self.dialect.global();
        let constant = match self.kernel.params[p.index()].kind.access() {
            Some(Access::In) => "const ",
            Some(Access::Out | Access::InOut) | None => "",
        };
        Expr::name(format!("*({space}{constant}{vector}*)({at})"))
    }

    /// The word of a small element, and its first bit there.
    fn part_of_word(&self, p: Param, index: &Expr) -> (String, String) {
        let bits = self.kernel.params[p.index()].kind.dtype().bits();
        let per_word = 32 / bits;
        let base = self.field(Field::Address(p));
        let word = format!("{base} + ({index} >> {})", per_word.trailing_zeros());
        (word, format!("(u32)({index} & {}u) * {bits}u", per_word - 1))
    }

    fn plus(index: &Expr, n: u32) -> Expr {
        match n {
            0 => index.clone(),
            n => Expr::infix(format!("{index} + {n}u")),
        }
    }

    pub(super) fn load(&mut self, place: Place, index: Value, ty: Type) -> Val {
        let (dtype, elems) = Writer::shape(ty);
        let all = match place {
            Place::Array(array) => {
                let index = self.index(index);
                (0..elems).map(|i| self.load_array(array, &Self::plus(&index, i))).collect()
            }
            Place::Param(p) => self.load_elements(p, index, dtype, elems),
        };
        match ty {
            Type::Vector(..) => Val::Many(all),
            Type::Scalar(_) | Type::Unit => Val::One(all[0].clone()),
        }
    }

    fn load_array(&mut self, array: Array, index: &Expr) -> Expr {
        let dtype = self.kernel.arrays[array.index()].dtype;
        let at = format!("{}[{}]", self.arrays[array.index()], index.bare());
        self.constant(Kind::of(dtype).name(), &element(dtype, Expr::name(at)))
    }

    fn load_elements(&mut self, p: Param, index: Value, dtype: DType, elems: u32) -> Vec<Expr> {
        let stored = self.kernel.params[p.index()].kind.dtype();
        let index = self.index(index);
        let there = self.is_there(p, &index, elems);
        let there = match elems {
            1 => there,
            _ => self.constant("bool", &there),
        };
        let kind = Kind::of(dtype);
        let zero = literal(kind, 0);
        let (reach, covered) = reach(stored, elems);
        let mut all = Vec::new();
        for first in (0..elems).step_by(covered as usize) {
            match reach {
                Reach::Whole => {
                    let at = Self::plus(&index, first);
                    let base = self.field(Field::Address(p));
                    let x = element(stored, Expr::name(format!("{base}[{}]", at.bare())));
                    let x = Expr::infix(format!("{there} ? {x} : {zero}"));
                    all.push(self.constant(kind.name(), &x));
                }
                Reach::Part => {
                    let at = Self::plus(&index, first);
                    let (word, shift) = self.part_of_word(p, &at);
                    let mask = (1u32 << stored.bits()) - 1;
                    let x = Expr::infix(format!("*({word}) >> ({shift}) & {mask}u"));
                    let x = register_of(stored, x);
                    let x = Expr::infix(format!("{there} ? {x} : {zero}"));
                    all.push(self.constant(kind.name(), &x));
                }
                Reach::Words(words) => {
                    let from = self.words_at(p, &index, first, words);
                    let (ty, none) = match words {
                        1 => ("u32", "0u"),
                        2 => ("u32x2", "u32x2_of(0u, 0u)"),
                        _ => ("u32x4", "u32x4_of(0u, 0u, 0u, 0u)"),
                    };
                    let x = Expr::infix(format!("{there} ? {from} : {none}"));
                    let x = self.constant(ty, &x);
                    let words: Vec<Expr> = match words {
                        1 => vec![x],
                        n => ["x", "y", "z", "w"][..n as usize]
                            .iter()
                            .map(|part| Expr::name(format!("{x}.{part}")))
                            .collect(),
                    };
                    self.split_words(stored, &words, &mut all);
                }
            }
        }
        all
    }

    /// The elements in whole words.
    fn split_words(&mut self, stored: DType, words: &[Expr], all: &mut Vec<Expr>) {
        let bits = stored.bits();
        let ty = Kind::of(stored.value()).name();
        if bits == 64 {
            for pair in words.chunks_exact(2) {
                let wide = Expr::infix(format!("(u64){} << 32 | {}", pair[1], pair[0]));
                all.push(self.constant(ty, &register_of(stored, wide)));
            }
            return;
        }
        for word in words {
            for at in 0..32 / bits {
                let x = match (bits, at) {
                    (32, _) => word.clone(),
                    (_, 0) => Expr::infix(format!("{word} & {:#x}u", (1u32 << bits) - 1)),
                    (_, at) if (at + 1) * bits == 32 => {
                        Expr::infix(format!("{word} >> {}u", at * bits))
                    }
                    (_, at) => Expr::infix(format!(
                        "{word} >> {}u & {:#x}u",
                        at * bits,
                        (1u32 << bits) - 1
                    )),
                };
                all.push(self.constant(ty, &register_of(stored, x)));
            }
        }
    }

    pub(super) fn store(&mut self, place: Place, index: Value, x: Value) {
        let values = self.elements(x);
        match place {
            Place::Array(array) => {
                let index = self.index(index);
                for (i, x) in values.into_iter().enumerate() {
                    let at = Self::plus(&index, i as u32);
                    self.store_array(array, &at, x);
                }
            }
            Place::Param(p) => {
                let index = self.index(index);
                let there = self.is_there(p, &index, values.len() as u32);
                let as_is = self.seen.stores_as_is(self.kernel, x);
                self.when(&there, |w| w.store_elements(p, &index, &values, as_is));
            }
        }
    }

    fn store_array(&mut self, array: Array, index: &Expr, x: Expr) {
        let dtype = self.kernel.arrays[array.index()].dtype;
        let x = match dtype {
            DType::Bool => Expr::infix(format!("{x} ? 1 : 0")),
            _ if dtype.bits() < 32 => x.cast(element_ty(dtype)),
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
            | DType::F8E8M0
            | DType::F16
            | DType::BF16
            | DType::F32
            | DType::F64 => x,
        };
        self.line(&format!("{}[{}] = {};", self.arrays[array.index()], index.bare(), x.bare()));
    }

    fn store_elements(&mut self, p: Param, index: &Expr, values: &[Expr], as_is: bool) {
        let stored = self.kernel.params[p.index()].kind.dtype();
        let (reach, covered) = reach(stored, values.len() as u32);
        for (i, part) in values.chunks(covered as usize).enumerate() {
            let first = i as u32 * covered;
            match reach {
                Reach::Whole => {
                    let at = Self::plus(index, first);
                    let base = self.field(Field::Address(p));
                    let x = match Kind::of(stored) {
                        Kind::F32 | Kind::F64 if as_is => part[0].clone(),
                        Kind::F32 | Kind::F64 => Expr::call("stored", &[&part[0]]),
                        Kind::Bool | Kind::Word | Kind::Wide => {
                            stored_bits(stored, part[0].clone(), as_is)
                        }
                    };
                    let x = if stored.bits() < 32 { x.cast(element_ty(stored)) } else { x };
                    self.line(&format!("{base}[{}] = {};", at.bare(), x.bare()));
                }
                Reach::Part => {
                    let at = Self::plus(index, first);
                    let (word, shift) = self.part_of_word(p, &at);
                    let (mask, x) = ((1u32 << stored.bits()) - 1, part[0].bare());
                    self.line(&format!("store_part({word}, {shift}, {mask}u, {x});"));
                }
                Reach::Words(words) => {
                    let to = self.words_at(p, index, first, words);
                    let all = self.join_words(stored, part, as_is);
                    let x = match words {
                        1 => all[0].clone(),
                        n => Expr::call(
                            if n == 2 { "u32x2_of" } else { "u32x4_of" },
                            &all.iter().collect::<Vec<_>>(),
                        ),
                    };
                    self.line(&format!("{to} = {};", x.bare()));
                }
            }
        }
    }

    /// Elements side by side in whole words.
    fn join_words(&mut self, stored: DType, values: &[Expr], as_is: bool) -> Vec<Expr> {
        let bits = stored.bits();
        let values = values.iter().map(|x| stored_bits(stored, x.clone(), as_is));
        match bits {
            64 => values
                .collect::<Vec<_>>()
                .into_iter()
                .flat_map(|x| {
                    let x = self.atom("u64", x);
                    [x.cast("u32"), Expr::name(format!("(u32)({x} >> 32)"))]
                })
                .collect(),
            32 => values.collect(),
            _ => {
                let mask = (1u32 << bits) - 1;
                let all: Vec<Expr> = values.collect();
                all.chunks_exact((32 / bits) as usize)
                    .map(|parts| {
                        let last = parts.len() - 1;
                        let place = |(i, x): (usize, &Expr)| match i {
                            0 => format!("({x} & {mask:#x}u)"),
                            i if i == last => format!("{x} << {}u", i as u32 * bits),
                            i => format!("({x} & {mask:#x}u) << {}u", i as u32 * bits),
                        };
                        let parts: Vec<String> = parts.iter().enumerate().map(place).collect();
                        Expr::infix(parts.join(" | "))
                    })
                    .collect()
            }
        }
    }

    /// A pointer to the element that is updated, and whether it is there.
    fn atomic_place(&mut self, place: Place, index: Value) -> (String, Option<Expr>) {
        let index = self.index(index);
        match place {
            Place::Array(array) => (format!("{} + {index}", self.arrays[array.index()]), None),
            Place::Param(p) => {
                let base = self.field(Field::Address(p));
                (format!("{base} + {index}"), Some(self.is_there(p, &index, 1)))
            }
        }
    }

    /// An update where the element is there; else 0 and no update.
    fn update(&mut self, v: Value, there: Option<Expr>, call: &str, is_used: bool) -> Val {
        let kind = self.kind(v);
        match (there, is_used) {
            (None, false) => self.line(&format!("{call};")),
            (Some(there), false) => self.when(&there, |w| w.line(&format!("{call};"))),
            (None, true) => {
                let x = Expr::name(call);
                return Val::One(self.constant(kind.name(), &x));
            }
            (Some(there), true) => {
                let zero = literal(kind, 0);
                let x = Expr::infix(format!("{there} ? {call} : {zero}"));
                return Val::One(self.constant(kind.name(), &x));
            }
        }
        Val::None
    }

    pub(super) fn atomic(
        &mut self,
        v: Value,
        op: AtomicOp,
        place: Place,
        index: Value,
        x: Value,
        is_used: bool,
    ) -> Val {
        let signed = self.kernel.place_dtype(place).is_signed();
        let name = match op {
            AtomicOp::Add => "atomic_add",
            AtomicOp::Min if signed => "atomic_min_signed",
            AtomicOp::Min => "atomic_min",
            AtomicOp::Max if signed => "atomic_max_signed",
            AtomicOp::Max => "atomic_max",
            AtomicOp::And => "atomic_and",
            AtomicOp::Or => "atomic_or",
            AtomicOp::Xor => "atomic_xor",
            AtomicOp::Exchange => "atomic_exchange",
        };
        let x = self.get(x);
        let (at, there) = self.atomic_place(place, index);
        self.update(v, there, &format!("{name}({at}, {})", x.bare()), is_used)
    }

    pub(super) fn compare_exchange(
        &mut self,
        v: Value,
        place: Place,
        index: Value,
        expected: Value,
        value: Value,
    ) -> Val {
        let (expected, value) = (self.get(expected), self.get(value));
        let (at, there) = self.atomic_place(place, index);
        let (expected, value) = (expected.bare(), value.bare());
        let call = format!("atomic_compare_exchange({at}, {expected}, {value})");
        self.update(v, there, &call, true)
    }
}
