//! Folding and regrouping against every small expression: each row, each place of a constant, each special value.

use crate::{interpret, random};
use evenweave_codegen::{PASSES, Pass};
use evenweave_lang::{
    build::Builder,
    dtype::DType,
    ir::{Access, Kernel, Op, Param, ParamKind, Place, Type, Value},
    launch::Len,
    ops::{BinaryOp, CompareOp, Spelling, UnaryOp},
    text,
    verify::verify,
};

/// A kernel of expressions over `x`, `y`, `z` of one dtype and `p` of `bool`, each result stored.
struct Sheet {
    b: Builder,
    dtype: DType,
    x: Value,
    y: Value,
    z: Value,
    p: Value,
    outs: Vec<(DType, Param, u64)>,
}

impl Sheet {
    fn new(dtype: DType) -> Sheet {
        let mut b = Builder::new(format!("identities_{dtype}"));
        let [x, y, z] = ["x", "y", "z"].map(|name| {
            // Loaded, so that no pass takes them for the same in all threads.
            let kind = ParamKind::Buffer { dtype, access: Access::In, len: Len::Const(1) };
            let param = b.param(name, kind);
            let first = b.constant(DType::U32, 0);
            b.push(Op::Load(Place::Param(param), first), Type::Scalar(dtype))
        });
        let p = b.param("p", ParamKind::Scalar(DType::Bool));
        let p = b.push(Op::Scalar(p), Type::Scalar(DType::Bool));
        let outs = random::value_dtypes()
            .into_iter()
            .map(|dtype| {
                let kind = ParamKind::Buffer { dtype, access: Access::Out, len: Len::Const(0) };
                (dtype, b.param(format!("out_{dtype}"), kind), 0)
            })
            .collect();
        Sheet { b, dtype, x, y, z, p, outs }
    }

    fn push(&mut self, op: Op) -> Value {
        self.b.push(op, Type::Scalar(self.dtype))
    }

    fn push_as(&mut self, op: Op, dtype: DType) -> Value {
        self.b.push(op, Type::Scalar(dtype))
    }

    fn store(&mut self, v: Value) {
        let dtype = self.b.kernel()[v].ty.scalar().unwrap();
        let (_, param, elems) = self.outs.iter_mut().find(|(d, ..)| *d == dtype).unwrap();
        let (param, at) = (*param, *elems);
        *elems += 1;
        let at = self.b.constant(DType::U32, at);
        self.b.push_unit(Op::Store(Place::Param(param), at, v));
    }

    fn constant(&mut self, bits: u64) -> Value {
        self.b.constant(self.dtype, bits)
    }

    fn unary(&mut self) {
        let dtype = self.dtype;
        let rows = UnaryOp::ALL.iter().copied();
        let rows: Vec<UnaryOp> =
            rows.filter(|r| r.accepts().holds(dtype) && r.cpu() == Spelling::Native).collect();
        for &inner in &rows {
            let v = self.push(Op::Unary(inner, self.x));
            for &outer in &rows {
                let v = self.push(Op::Unary(outer, v));
                self.store(v);
            }
        }
    }

    fn binary(&mut self) {
        let dtype = self.dtype;
        let rows = BinaryOp::ALL.iter().copied();
        let rows: Vec<BinaryOp> =
            rows.filter(|r| r.accepts().holds(dtype) && r.cpu() == Spelling::Native).collect();
        let (x, y) = (self.x, self.y);
        for row in rows {
            let mut pairs = vec![(x, x), (x, y)];
            for bits in random::specials(dtype) {
                let c = self.constant(bits);
                pairs.extend([(x, c), (c, x)]);
            }
            if UnaryOp::Neg.accepts().holds(dtype) {
                let [nx, ny] = [x, y].map(|v| self.push(Op::Unary(UnaryOp::Neg, v)));
                pairs.extend([(nx, y), (x, ny), (nx, ny), (nx, x)]);
            }
            for (a, b) in pairs {
                let v = self.push(Op::Binary(row, a, b));
                self.store(v);
            }
        }
        self.sums_of_sums();
    }

    fn sums_of_sums(&mut self) {
        if !BinaryOp::Add.accepts().holds(self.dtype) {
            return;
        }
        for c in random::specials(self.dtype) {
            for d in random::specials(self.dtype) {
                let (c, d) = (self.constant(c), self.constant(d));
                let sum = self.push(Op::Binary(BinaryOp::Add, self.x, c));
                let sum = self.push(Op::Binary(BinaryOp::Add, sum, d));
                self.store(sum);
                let product = self.push(Op::Binary(BinaryOp::Mul, sum, d));
                self.store(product);
            }
        }
    }

    fn compare(&mut self) {
        let (x, y) = (self.x, self.y);
        for &row in CompareOp::ALL {
            if self.dtype == DType::Bool && !matches!(row, CompareOp::Eq | CompareOp::Ne) {
                continue;
            }
            let mut pairs = vec![(x, x), (x, y)];
            for bits in random::specials(self.dtype) {
                let c = self.constant(bits);
                pairs.extend([(x, c), (c, x)]);
            }
            for (a, b) in pairs {
                let v = self.push_as(Op::Compare(row, a, b), DType::Bool);
                self.store(v);
                let v = self.push_as(Op::Unary(UnaryOp::Not, v), DType::Bool);
                self.store(v);
            }
        }
    }

    fn select(&mut self) {
        let not = self.push_as(Op::Unary(UnaryOp::Not, self.p), DType::Bool);
        let mut values = vec![self.x, self.y];
        for bits in random::specials(self.dtype).into_iter().take(2) {
            values.push(self.constant(bits));
        }
        let always = [0, 1].map(|bits| self.b.constant(DType::Bool, bits));
        for c in [self.p, not, always[0], always[1]] {
            for &a in &values {
                for &b in &values {
                    let v = self.push(Op::Select(c, a, b));
                    self.store(v);
                }
            }
        }
    }

    fn fma(&mut self) {
        if !self.dtype.is_float() {
            return;
        }
        let (x, y, z) = (self.x, self.y, self.z);
        let v = self.push(Op::Fma(x, y, z));
        self.store(v);
        for bits in random::specials(self.dtype) {
            let c = self.constant(bits);
            for [a, b, c] in [[c, y, z], [x, c, z], [x, y, c], [c, c, z], [x, c, c]] {
                let v = self.push(Op::Fma(a, b, c));
                self.store(v);
            }
        }
    }

    fn casts(&mut self) {
        for middle in random::value_dtypes() {
            let m = self.push_as(Op::Cast(self.x), middle);
            self.store(m);
            for last in random::value_dtypes() {
                let v = self.push_as(Op::Cast(m), last);
                self.store(v);
            }
        }
        for middle in random::value_dtypes() {
            if !random::bitcasts(self.dtype, middle) {
                continue;
            }
            let m = self.push_as(Op::Bitcast(self.x), middle);
            for last in random::value_dtypes() {
                if random::bitcasts(middle, last) {
                    let v = self.push_as(Op::Bitcast(m), last);
                    self.store(v);
                }
            }
        }
    }

    fn finish(self) -> (Kernel, Vec<u64>) {
        (self.b.finish(), self.outs.iter().map(|&(.., elems)| elems).collect())
    }
}

fn sheet(dtype: DType) -> (Kernel, Vec<u64>) {
    let mut sheet = Sheet::new(dtype);
    sheet.unary();
    sheet.binary();
    sheet.compare();
    sheet.select();
    sheet.fma();
    sheet.casts();
    sheet.finish()
}

#[test]
fn small_expressions_keep_every_bit() {
    for name in ["fold", "sums"] {
        let pass = PASSES.iter().find(|pass| pass.name == name).unwrap();
        keeps_every_bit(pass);
    }
}

fn keeps_every_bit(pass: &Pass) {
    for dtype in random::value_dtypes() {
        let (kernel, elems) = sheet(dtype);
        let kernel = kernel.compact();
        verify(&kernel).unwrap();
        let folded = pass.apply(&kernel).unwrap();
        let changes = pass.name == "fold" || dtype.is_int();
        assert!(!changes || folded != kernel, "{dtype}: `{}` changed nothing", pass.name);
        let specials = random::specials(dtype);
        let mut rng = random::Rng(7);
        for &x in &specials {
            for _ in 0..8 {
                let (y, z) = (rng.pick(&specials), rng.pick(&specials));
                let mut memory: Vec<Vec<u64>> =
                    [x, y, z, rng.next() & 1].map(|bits| vec![bits]).to_vec();
                memory.extend(elems.iter().map(|&elems| vec![0; elems as usize]));
                let want = interpret::run(&kernel, memory.clone()).unwrap();
                let got = interpret::run(&folded, memory).unwrap();
                assert!(want == got, "{}", difference(&kernel, &want, &got, [x, y, z]));
            }
        }
    }
}

/// The first store that differs, with the expression behind it.
fn difference(kernel: &Kernel, want: &[Vec<u64>], got: &[Vec<u64>], xyz: [u64; 3]) -> String {
    for &v in &kernel[kernel.body] {
        let Op::Store(Place::Param(param), at, value) = kernel[v].op else { continue };
        let Op::Const(at) = kernel[at].op else { continue };
        let (param, at) = (param.index(), at.bits as usize);
        if want[param][at] != got[param][at] {
            let text = text::print(kernel);
            let names = [format!("v{}:", value.index()), format!("v{}:", value.index() - 1)];
            let lines: Vec<&str> =
                text.lines().filter(|l| names.iter().any(|n| l.contains(n.as_str()))).collect();
            return format!(
                "{}: {lines:?} with x, y, z = {xyz:#x?}: {:#x}, folded {:#x}",
                kernel.name, want[param][at], got[param][at]
            );
        }
    }
    "no store differs".into()
}
