//! What the uniformity analysis claims of random kernels holds when they run: every value that it calls the
//! same over a scope is compared with that of the scope's first thread, in the kernel itself.

use crate::random::outputs;
use evenweave_lang::{
    dtype::{Class, DType},
    generate::{Options, arguments, generate},
    ir::*,
    ops::{CompareOp, IdOp, ShuffleOp},
    text::parse,
    uniform::{Uniform, Uniformity},
    verify::verify,
};
use evenweave_runtime::{LoadOptions, OpenOptions, open};

/// A kernel that grows checks behind its instructions.
struct Checked {
    kernel: Kernel,
    block: Vec<Value>,
    loc: Loc,
    checks: u32,
}

impl Checked {
    fn push(&mut self, op: Op, ty: Type) -> Value {
        self.kernel.insts.push(Inst { op, ty, loc: self.loc });
        let v = Value::at(self.kernel.insts.len() - 1);
        self.block.push(v);
        v
    }

    /// The bits as an integer, so that the NaN is equal to itself.
    fn bits(&mut self, v: Value, dtype: DType) -> (Value, Type) {
        let to = match (dtype.class(), dtype.bits()) {
            (Class::Float, 16) => DType::U16,
            (Class::Float, 32) => DType::U32,
            (Class::Float, _) => DType::U64,
            (Class::Bool | Class::Signed | Class::Unsigned, _) => dtype,
        };
        let ty = Type::Scalar(to);
        (if to == dtype { v } else { self.push(Op::Bitcast(v), ty) }, ty)
    }

    /// Asserts that the value is the same over `scope`.
    fn check(&mut self, v: Value, scope: Uniform) {
        let Type::Scalar(dtype) = self.kernel[v].ty else { return };
        let bool = Type::Scalar(DType::Bool);
        let (bits, ty) = self.bits(v, dtype);
        let first = match scope {
            Uniform::Varying => return,
            Uniform::Group => self.push(Op::GroupBroadcast(bits), ty),
            Uniform::Subgroup => {
                let zero = self.push(Op::Const(Const { bits: 0 }), Type::Scalar(DType::U32));
                self.push(Op::Shuffle(ShuffleOp::Broadcast, bits, zero), ty)
            }
        };
        let same = self.push(Op::Compare(CompareOp::Eq, bits, first), bool);
        self.push(
            Op::Assert(same, format!("v{} is the same for the {}", v.index(), scope.name())),
            Type::Unit,
        );
        self.checks += 1;
    }
}

/// The kernel with a check behind every value that is claimed uniform where flow lets it be checked.
fn checked(kernel: &Kernel) -> (Kernel, u32) {
    let uniform = Uniformity::new(kernel);
    let has_subgroups = kernel.group_threads().is_multiple_of(SUBGROUP_LANES);
    let mut c =
        Checked { kernel: kernel.clone(), block: Vec::new(), loc: Loc::default(), checks: 0 };
    for b in 0..kernel.blocks.len() {
        for &v in &kernel.blocks[b] {
            c.loc = kernel[v].loc;
            c.block.push(v);
            // The index of a loop is visible in its body only: as good a value as others, but not here.
            let is_body = !kernel[v].op.bodies().is_empty();
            let scope = uniform.value(v).min(uniform.flow(v));
            if !is_body && (scope == Uniform::Group || has_subgroups) {
                c.check(v, scope);
            }
        }
        c.kernel.blocks[b] = std::mem::take(&mut c.block);
    }
    (c.kernel.compact(), c.checks)
}

#[test]
fn claims_of_random_kernels_hold() {
    let cpu = open("cpu", &OpenOptions::default()).unwrap();
    let mut checks = 0;
    for seed in 0..150 {
        let (kernel, added) = checked(&generate(seed, &Options::default()));
        assert_eq!(verify(&kernel), Ok(()), "seed {seed}");
        // The sanitizer also finds threads that part where flow is claimed uniform.
        let options = LoadOptions { sanitize: true, ..LoadOptions::default() };
        outputs(&*cpu, &kernel, &arguments(&kernel, seed), &options)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        checks += added;
    }
    assert!(checks > 5_000, "{checks} checks");
}

/// The checks can fail: a value that varies after all is found, over either scope.
#[test]
fn a_wrong_claim_is_found() {
    let cpu = open("cpu", &OpenOptions::default()).unwrap();
    for (claimed, varying, scope) in
        [(IdOp::GroupX, IdOp::SubgroupId, "group"), (IdOp::SubgroupId, IdOp::Lane, "subgroup")]
    {
        let text = format!("kernel k(n: u32) group 64 grid 1 v0: u32 = {}", claimed.name());
        let (mut kernel, checks) = checked(&parse(&text).unwrap());
        assert_eq!(checks, 1);
        let run = |kernel: &Kernel| {
            let args = arguments(kernel, 0);
            outputs(&*cpu, kernel, &args, &LoadOptions { sanitize: true, ..LoadOptions::default() })
        };
        assert!(run(&kernel).is_ok());
        kernel.insts[0].op = Op::Id(varying);
        let error = run(&kernel).unwrap_err().to_string();
        assert!(error.contains(&format!("v0 is the same for the {scope}")), "{error}");
    }
}
