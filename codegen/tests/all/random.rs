//! Random one-thread kernels over every native row, every value dtype and values that break false identities.

use evenweave_lang::{
    build::Builder,
    dtype::{Class, DType},
    eval,
    ir::{Access, Kernel, Op, Param, ParamKind, Place, Space, Type, Value, Var},
    launch::Len,
    ops::{BinaryOp, CompareOp, Spelling, UnaryOp},
};

/// Splitmix64.
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// Elements of each input buffer.
const INPUT_ELEMS: u64 = 8;

/// The dtypes that values have.
pub(crate) fn value_dtypes() -> Vec<DType> {
    DType::ALL.iter().copied().filter(|d| d.is_value()).collect()
}

/// Whether the IR takes the bits of one dtype as another: numbers of one width.
pub(crate) fn bitcasts(from: DType, to: DType) -> bool {
    let bool_free = from != DType::Bool && to != DType::Bool;
    bool_free && eval::bitcast(from, to, 0).is_some()
}

/// Every kind of value that decides whether an identity holds.
pub(crate) fn specials(dtype: DType) -> Vec<u64> {
    let ones = u64::MAX >> (64 - dtype.bits());
    let sign = 1u64 << (dtype.bits() - 1);
    let mut all: Vec<u64> = match dtype.class() {
        Class::Bool => return vec![0, 1],
        Class::Signed | Class::Unsigned => {
            vec![0, 1, 2, 3, 7, 8, 100, ones, ones - 1, ones ^ sign, sign, sign + 1, sign >> 1]
        }
        Class::Float => {
            let numbers = [
                0.0,
                1.0,
                2.0,
                0.5,
                1.5,
                2.5,
                3.0,
                100.3,
                1e5,
                1e10,
                1e38,
                1e-4,
                1e-40,
                f64::INFINITY,
                f64::NAN,
            ];
            let bits = numbers.map(|x: f64| eval::cast(DType::F64, dtype, x.to_bits()).unwrap());
            let mut all = bits.to_vec();
            all.extend([1, 2]); // the least subnormals
            let one = bits[1];
            all.extend([one + 1, one - 1]);
            all.extend(all.clone().iter().map(|bits| bits ^ sign));
            all
        }
    };
    all.iter_mut().for_each(|bits| *bits = eval::canonical(dtype, *bits));
    all.sort_unstable();
    all.dedup();
    all
}

/// Bits that false identities stumble over, and now and then any bits.
pub(crate) fn special(rng: &mut Rng, dtype: DType) -> u64 {
    let ones = u64::MAX >> (64 - dtype.bits());
    let sign = 1u64 << (dtype.bits() - 1);
    if dtype == DType::Bool {
        return rng.next() & 1;
    }
    let bits = match (dtype.class(), rng.below(12)) {
        (_, 0) => rng.next() & ones,
        (_, 1) => 0,
        (_, 2) => sign,
        (Class::Float, kind) => {
            let small =
                [1.0, -1.0, 2.0, 0.5, -3.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e30];
            let bits = eval::cast(DType::F64, dtype, small[kind - 3].to_bits()).unwrap();
            if rng.below(8) == 0 { bits ^ 1 } else { bits }
        }
        (_, 3 | 4) => 1,
        (_, 5) => ones,
        (_, 6) => ones ^ sign,
        (_, 7) => 1 << rng.below(dtype.bits() as usize),
        _ => rng.next() % 100,
    };
    eval::canonical(dtype, bits & ones)
}

struct Gen<'r> {
    rng: &'r mut Rng,
    dtypes: Vec<DType>,
    b: Builder,
    /// Values in scope.
    scope: Vec<(Value, DType)>,
    vars: Vec<(Var, DType)>,
    outs: Vec<(DType, Param)>,
    stored: Vec<u64>,
    /// How deep the open body lies, and the innermost loop.
    depth: u32,
    around: Option<Value>,
}

/// A kernel and the memory to run it on.
pub(crate) fn kernel(seed: u64) -> (Kernel, Vec<Vec<u64>>) {
    kernel_of(seed, value_dtypes())
}

/// A kernel over some dtypes, `bool` and `u32` among them.
pub(crate) fn kernel_of(seed: u64, dtypes: Vec<DType>) -> (Kernel, Vec<Vec<u64>>) {
    let mut rng = Rng(seed);
    let mut b = Builder::new("random");
    let buffer = |dtype, access| ParamKind::Buffer { dtype, access, len: Len::Const(0) };
    let ins: Vec<(DType, Param)> =
        (dtypes.iter()).map(|&d| (d, b.param(format!("in_{d}"), buffer(d, Access::In)))).collect();
    let outs: Vec<(DType, Param)> = (dtypes.iter())
        .map(|&d| (d, b.param(format!("out_{d}"), buffer(d, Access::Out))))
        .collect();
    let mut memory: Vec<Vec<u64>> = (dtypes.iter())
        .map(|&d| (0..INPUT_ELEMS).map(|_| special(&mut rng, d)).collect())
        .collect();
    let stored = vec![0; outs.len()];
    let mut generator = Gen {
        rng: &mut rng,
        dtypes,
        b,
        scope: Vec::new(),
        vars: Vec::new(),
        outs,
        stored,
        depth: 0,
        around: None,
    };
    generator.inputs(&ins);
    generator.body(60);
    generator.finish_vars();
    let Gen { b, stored, .. } = generator;
    memory.extend(stored.into_iter().map(|elems| vec![0; elems as usize + 1]));
    (b.finish(), memory)
}

impl Gen<'_> {
    fn inputs(&mut self, ins: &[(DType, Param)]) {
        for &(dtype, param) in ins {
            for at in 0..INPUT_ELEMS {
                let at = self.b.constant(DType::U32, at);
                let v = self.b.push(Op::Load(Place::Param(param), at), Type::Scalar(dtype));
                self.scope.push((v, dtype));
            }
        }
        // Few registers of few dtypes, so that what is set is often read and moved.
        let dtypes = [0; 2].map(|_| self.rng.below(ins.len()));
        for (number, &which) in dtypes.iter().chain(&dtypes).enumerate() {
            let (dtype, _) = ins[which];
            let var = self.b.var(format!("var_{number}"), dtype);
            let first = self.operand(dtype);
            self.b.push_unit(Op::Set(var, first));
            self.vars.push((var, dtype));
        }
    }

    fn operand(&mut self, dtype: DType) -> Value {
        if self.rng.below(3) == 0 {
            let bits = special(self.rng, dtype);
            return self.b.constant(dtype, bits);
        }
        let of: Vec<Value> =
            self.scope.iter().filter(|&&(_, d)| d == dtype).map(|&(v, _)| v).collect();
        // Recent values more often, so that expressions grow deep.
        let recent = of.len().saturating_sub(4);
        if self.rng.below(2) == 0 { self.rng.pick(&of[recent..]) } else { self.rng.pick(&of) }
    }

    fn body(&mut self, insts: usize) {
        for _ in 0..insts {
            match self.rng.below(20) {
                0..=11 => self.expression(),
                12 | 13 => self.store(),
                14 | 15 => self.var(),
                16 | 17 if self.depth < 3 => self.branch(),
                18 if self.depth < 3 => self.counted(),
                19 if self.depth < 3 => self.scoped(),
                _ => self.array(),
            }
        }
    }

    fn expression(&mut self) {
        let dtypes = self.dtypes.clone();
        let dtype = self.rng.pick(&dtypes);
        let ty = Type::Scalar(dtype);
        let unary: Vec<UnaryOp> = (UnaryOp::ALL.iter().copied())
            .filter(|op| op.accepts().holds(dtype) && op.cpu() == Spelling::Native)
            .collect();
        let binary: Vec<BinaryOp> = (BinaryOp::ALL.iter().copied())
            .filter(|op| op.accepts().holds(dtype) && op.cpu() == Spelling::Native)
            .collect();
        let [a, b, c] = [0; 3].map(|_| self.operand(dtype));
        let (op, ty) = match self.rng.below(10) {
            0 | 1 if !unary.is_empty() => (Op::Unary(self.rng.pick(&unary), a), ty),
            2..=4 => (Op::Binary(self.rng.pick(&binary), a, b), ty),
            5 => {
                let equality = [CompareOp::Eq, CompareOp::Ne];
                let ops = if dtype == DType::Bool { &equality } else { CompareOp::ALL };
                (Op::Compare(self.rng.pick(ops), a, b), Type::Scalar(DType::Bool))
            }
            6 if dtype.is_float() => (Op::Fma(a, b, c), ty),
            7 => (Op::Select(self.operand(DType::Bool), a, b), ty),
            8 => {
                let to = self.rng.pick(&dtypes);
                (Op::Cast(a), Type::Scalar(to))
            }
            _ => {
                let to: Vec<DType> =
                    (dtypes.iter().copied()).filter(|&to| bitcasts(dtype, to)).collect();
                if to.is_empty() {
                    return;
                }
                (Op::Bitcast(a), Type::Scalar(self.rng.pick(&to)))
            }
        };
        let v = self.b.push(op, ty);
        self.scope.push((v, ty.scalar().unwrap()));
    }

    fn store(&mut self) {
        let dtypes = self.dtypes.clone();
        let dtype = self.rng.pick(&dtypes);
        let value = self.operand(dtype);
        self.store_value(dtype, value);
    }

    fn store_value(&mut self, dtype: DType, value: Value) {
        let which = self.outs.iter().position(|&(d, _)| d == dtype).unwrap();
        let (_, param) = self.outs[which];
        let at = self.b.constant(DType::U64, self.stored[which]);
        self.stored[which] += 1;
        self.b.push_unit(Op::Store(Place::Param(param), at, value));
    }

    fn var(&mut self) {
        let (var, dtype) = self.rng.pick(&self.vars.clone());
        let get = |g: &mut Self| g.b.push(Op::Get(var), Type::Scalar(dtype));
        match self.rng.below(5) {
            0 => {
                let v = get(self);
                self.scope.push((v, dtype));
            }
            1 => {
                let v = get(self);
                self.store_value(dtype, v);
            }
            2 | 3 => {
                let v = get(self);
                let same: Vec<Var> =
                    self.vars.iter().filter(|&&(_, d)| d == dtype).map(|&(v, _)| v).collect();
                let to = self.rng.pick(&same);
                self.b.push_unit(Op::Set(to, v));
            }
            _ => {
                let value = self.operand(dtype);
                self.b.push_unit(Op::Set(var, value));
            }
        }
    }

    /// Runs `f` inside a body: what it defines goes out of scope with it.
    fn inside(&mut self, f: impl FnOnce(&mut Self)) {
        let scope = self.scope.len();
        self.depth += 1;
        f(self);
        self.depth -= 1;
        self.scope.truncate(scope);
    }

    fn branch(&mut self) {
        let cond = self.operand(DType::Bool);
        let insts = self.rng.below(8);
        let leaves = self.rng.below(3) == 0;
        let value = self.b.begin_if(cond);
        self.inside(|g| {
            g.body(insts);
            if let (Some(around), true) = (g.around, leaves) {
                g.b.push_unit(Op::Break(around));
            }
        });
        self.b.begin_else(value);
        let insts = self.rng.below(6);
        self.inside(|g| g.body(insts));
        self.b.end_if();
    }

    fn counted(&mut self) {
        let [start, end, step] = [3, 5, 3].map(|n| {
            let bits = self.rng.below(n) as u64;
            self.b.constant(DType::U32, bits)
        });
        let index = self.b.begin_for(start, end, step);
        let outer = self.around.replace(index);
        let insts = self.rng.below(10);
        self.inside(|g| {
            g.scope.push((index, DType::U32));
            g.body(insts);
            if g.rng.below(4) == 0 {
                g.b.push_unit(Op::Continue(index));
            }
        });
        self.around = outer;
        self.b.close_block();
    }

    fn scoped(&mut self) {
        let scope = self.b.begin_scope();
        let outer = self.around.replace(scope);
        let insts = self.rng.below(8);
        self.inside(|g| {
            g.body(insts);
            if g.rng.below(2) == 0 {
                g.b.push_unit(Op::Break(scope));
            }
        });
        self.around = outer;
        self.b.close_block();
    }

    /// A private array of eight, written, then read and written at constants and at constants from a
    /// run-time index that is a multiple of 4, or is not.
    fn array(&mut self) {
        let dtypes = self.dtypes.clone();
        let dtype = self.rng.pick(&dtypes);
        let array = Place::Array(self.b.array("scratch", Space::Private, dtype, 8));
        for at in 0..8 {
            let value = self.operand(dtype);
            let at = self.b.constant(DType::U32, at);
            self.b.push_unit(Op::Store(array, at, value));
        }
        let mask = self.rng.pick(&[4, 4, 2, 1, 3]);
        let mask = self.b.constant(DType::U32, mask);
        let any = self.operand(DType::U32);
        let u32s = Type::Scalar(DType::U32);
        let base = self.b.push(Op::Binary(BinaryOp::And, any, mask), u32s);
        for _ in 0..self.rng.below(16) {
            let offset = self.rng.below(4) as u64;
            let mut at = self.b.constant(DType::U32, offset);
            if self.rng.below(4) > 0 {
                at = self.b.push(Op::Binary(BinaryOp::Add, base, at), u32s);
            }
            if self.rng.below(3) == 0 {
                let value = self.operand(dtype);
                self.b.push_unit(Op::Store(array, at, value));
            } else {
                let v = self.b.push(Op::Load(array, at), Type::Scalar(dtype));
                self.scope.push((v, dtype));
                if self.rng.below(2) == 0 {
                    self.store_value(dtype, v);
                }
            }
        }
    }

    /// Makes what the registers hold visible.
    fn finish_vars(&mut self) {
        for (var, dtype) in self.vars.clone() {
            let v = self.b.push(Op::Get(var), Type::Scalar(dtype));
            self.store_value(dtype, v);
        }
    }
}
