//! The rules that every kernel keeps: after staging, after every pass, after parsing.
//!
//! Invariants
//! - `verify` accepts a kernel or names the first broken rule, the operation and its place. It never panics.
//! - What it accepts, no one downstream checks again: names resolve, types are exact, memory is used as
//!   declared, control flow is structured, and group operations stand in flow that is uniform for them.
//! - Instructions and blocks that the body does not reach are no part of the kernel; `compact` drops them.
//!
//! Absent: what depends on a launch (lengths, indices out of bounds) and on a device (`legalize` refuses).

mod declarations;
mod flow;
mod types;

#[cfg(test)]
mod tests;

use crate::{
    dtype::DType,
    ir::*,
    uniform::{Uniform, Uniformity},
};
use std::fmt;

/// Bytes of shared memory of a group, at most: what every device with compute shaders in use has; larger
/// tiles would bind a kernel to some of them.
pub const MAX_SHARED_BYTES: u64 = 32 << 10;
/// Bytes of all private arrays of a thread, at most: 1024 threads then take 64 MiB, which every device has.
pub const MAX_PRIVATE_BYTES: u64 = 64 << 10;
/// Bodies inside bodies, at most: walkers recurse.
pub const MAX_NESTING: usize = 256;
/// Bytes that one vector load or store moves, at most.
pub const MAX_VECTOR_BYTES: u32 = 16;

/// A line of the author's source.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SourceLine {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

impl fmt::Display for SourceLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// A kernel that breaks a rule.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{kernel}{}: {cause}", Site(.op, .at))]
pub struct VerifyError {
    /// The kernel.
    pub kernel: String,
    /// The operation that breaks the rule, where it is one.
    pub op: Option<&'static str>,
    /// Where the author wrote it, where that is known.
    pub at: Option<SourceLine>,
    /// The rule.
    pub cause: Cause,
}

struct Site<'a>(&'a Option<&'static str>, &'a Option<SourceLine>);

impl fmt::Display for Site<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(at) = self.1 {
            write!(f, " ({at})")?;
        }
        if let Some(op) = self.0 {
            write!(f, ": `{op}`")?;
        }
        Ok(())
    }
}

/// A broken rule.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are what the messages name")]
pub enum Cause {
    // Declarations.
    #[error(
        "a group of {group:?} threads; it must have 1 to {MAX_GROUP_THREADS} in all, and 1 at least along each axis"
    )]
    GroupSize { group: [u32; 3] },
    #[error("subgroups of {lanes} lanes; it must be a power of two, at most {SUBGROUP_LANES}")]
    Lanes { lanes: u32 },
    #[error("two parameters are named `{name}`")]
    DuplicateParam { name: String },
    #[error("{what} has dtype {dtype}, which exists in buffers only; values have {}", dtype.value())]
    StorageDtype { what: String, dtype: DType },
    #[error("array `{array}` has no elements")]
    EmptyArray { array: String },
    #[error("shared arrays take {need_bytes} bytes, but a group has {MAX_SHARED_BYTES}")]
    SharedBytes { need_bytes: u64 },
    #[error("private arrays take {need_bytes} bytes, but a thread has {MAX_PRIVATE_BYTES}")]
    PrivateBytes { need_bytes: u64 },
    #[error("view `{param}` has rank {rank}; it must be 1 to {MAX_RANK}")]
    Rank { param: String, rank: usize },
    #[error("{what} depends on {on}, which is {not}")]
    Length { what: String, on: String, not: &'static str },

    // Structure.
    #[error("has no file and line of the author")]
    NoPlace,
    #[error("names {what} {number}, which is not in the kernel")]
    Missing { what: &'static str, number: usize },
    #[error("uses v{value}, which is not defined above it in its own or an enclosing block", value = .value.index())]
    Undefined { value: Value },
    #[error("v{value} stands in two places", value = .value.index())]
    Repeated { value: Value },
    #[error("block {block} has two owners", block = .block.index())]
    TwoOwners { block: Block },
    #[error("stands behind `{terminator}`, which ends its block")]
    Unreachable { terminator: &'static str },
    #[error("goes to v{target}, which is no {want} around it", target = .target.index())]
    Target { target: Value, want: &'static str },
    #[error("more than {MAX_NESTING} bodies lie inside each other")]
    Nesting,

    // Types.
    #[error("must have type {want}, but has {got}", want = Words(*.want), got = Words(*.got))]
    Result { want: Type, got: Type },
    #[error("must have a scalar type, but has {got}", got = Words(*.got))]
    NotScalar { got: Type },
    #[error("operand {number} must be {want}, but is {got}", got = Words(*.got))]
    Operand { number: usize, want: String, got: Type },
    #[error("takes {takes}, not {got}")]
    Accepts { takes: &'static str, got: DType },
    #[error("the bits {bits:#x} are no {dtype}")]
    ConstantBits { dtype: DType, bits: u64 },
    #[error("{bits:#x} is not the canonical NaN of {dtype}")]
    ConstantNan { dtype: DType, bits: u64 },
    #[error("cannot take the bits of {from} as {to}")]
    BitcastWidth { from: DType, to: DType },
    #[error("a vector has 2, 4, 8 or 16 elements, not {lanes}")]
    VectorLanes { lanes: usize },
    #[error("moves {bytes} bytes at once, more than {MAX_VECTOR_BYTES}")]
    VectorBytes { bytes: u32 },
    #[error("takes {want} operands, but has {got}")]
    Operands { want: usize, got: usize },
    #[error("takes element {element} of a vector of {lanes}")]
    VectorElement { element: u8, lanes: u8 },
    #[error("the step {step} is negative")]
    NegativeStep { step: i64 },
    #[error("the text has {places} places `{{}}`, but {values} values follow")]
    PrintPlaces { places: usize, values: usize },

    // Memory and parameters.
    #[error("`{param}` is {is}, but must be {want}")]
    ParamKind { param: String, is: &'static str, want: &'static str },
    #[error("`{param}` has no axis {axis}: its rank is {rank}")]
    Axis { param: String, axis: u8, rank: usize },
    #[error("reads `{param}`, which is `Out`; it must be `In` or `InOut`")]
    ReadOfOut { param: String },
    #[error("writes `{param}`, which is `In`; it must be `Out` or `InOut`")]
    WriteToIn { param: String },
    #[error("needs an `InOut` buffer or a shared array, but `{place}` is {is}")]
    AtomicPlace { place: String, is: &'static str },
    #[error("needs elements of i32, u32, i64 or u64, but `{place}` has {dtype}")]
    AtomicDtype { place: String, dtype: DType },

    #[error("`{array}` must be a {space} array of {elems} {dtype}, all of it")]
    WholeArray { array: String, space: &'static str, dtype: DType, elems: u32 },

    // Scopes.
    #[error("needs groups of whole subgroups of {lanes}, but a group has {threads} threads")]
    PartialSubgroup { threads: u32, lanes: u32 },
    #[error("stands where the threads of a {scope} part at {parts}; all or none must come here", scope = .scope.name())]
    Divergent { scope: Uniform, parts: SourceLine },
    #[error("the lane or mask must be the same for the subgroup, but it varies")]
    VaryingLane,
}

/// A type as the text form spells it.
struct Words(Type);

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Type::Unit => f.write_str("no value"),
            Type::Scalar(d) => write!(f, "{d}"),
            Type::Vector(d, lanes) => write!(f, "{d}x{lanes}"),
        }
    }
}

/// Checks every rule; the first one broken.
pub fn verify(kernel: &Kernel) -> Result<(), VerifyError> {
    declarations::check(kernel).map_err(|cause| VerifyError {
        kernel: kernel.name.clone(),
        op: None,
        at: None,
        cause,
    })?;
    let mut walk = Walk {
        kernel,
        visible: vec![false; kernel.insts.len()],
        placed: vec![false; kernel.insts.len()],
        owned: vec![false; kernel.blocks.len()],
        around: Vec::new(),
    };
    walk.block(kernel.body, None)?;
    flow::check(kernel, &Uniformity::new(kernel))
}

fn source_line(kernel: &Kernel, loc: Loc) -> Option<SourceLine> {
    let file = kernel.files.get(loc.file as usize)?.clone();
    Some(SourceLine { file, line: loc.line })
}

fn error_at(kernel: &Kernel, inst: &Inst, cause: Cause) -> VerifyError {
    VerifyError {
        kernel: kernel.name.clone(),
        op: Some(inst.op.name()),
        at: source_line(kernel, inst.loc),
        cause,
    }
}

/// A walk of the body in order: structure first, then types, for each instruction.
struct Walk<'a> {
    kernel: &'a Kernel,
    /// Defined above, in an open block.
    visible: Vec<bool>,
    placed: Vec<bool>,
    owned: Vec<bool>,
    /// The instructions whose bodies are open.
    around: Vec<Value>,
}

impl Walk<'_> {
    fn block(&mut self, block: Block, owner: Option<&Inst>) -> Result<(), VerifyError> {
        let kernel = self.kernel;
        let error = |cause| match owner {
            Some(inst) => error_at(kernel, inst, cause),
            None => VerifyError { kernel: kernel.name.clone(), op: None, at: None, cause },
        };
        let missing = |what, number| Cause::Missing { what, number };
        let Some(owned) = self.owned.get_mut(block.index()) else {
            return Err(error(missing("block", block.index())));
        };
        if std::mem::replace(owned, true) {
            return Err(error(Cause::TwoOwners { block }));
        }
        if self.around.len() > MAX_NESTING {
            return Err(error(Cause::Nesting));
        }
        let mut terminator = None;
        for &v in &kernel[block] {
            let Some(inst) = kernel.insts.get(v.index()) else {
                return Err(error(missing("instruction", v.index())));
            };
            self.inst(v, inst, terminator).map_err(|cause| error_at(kernel, inst, cause))?;
            self.around.push(v);
            for body in inst.op.bodies() {
                self.block(body, Some(inst))?;
            }
            self.around.pop();
            terminator = inst.op.is_terminator().then(|| inst.op.name());
        }
        for &v in &kernel[block] {
            self.visible[v.index()] = false;
        }
        Ok(())
    }

    fn inst(
        &mut self,
        v: Value,
        inst: &Inst,
        terminator: Option<&'static str>,
    ) -> Result<(), Cause> {
        if inst.loc.line == 0 || self.kernel.files.len() <= inst.loc.file as usize {
            return Err(Cause::NoPlace);
        }
        if std::mem::replace(&mut self.placed[v.index()], true) {
            return Err(Cause::Repeated { value: v });
        }
        if let Some(terminator) = terminator {
            return Err(Cause::Unreachable { terminator });
        }
        self.names(&inst.op)?;
        let want = types::result(self.kernel, inst)?;
        if inst.ty != want {
            return Err(Cause::Result { want, got: inst.ty });
        }
        self.visible[v.index()] = true;
        Ok(())
    }

    /// Everything that an operation names is there, and is what it must be.
    fn names(&self, op: &Op) -> Result<(), Cause> {
        let kernel = self.kernel;
        let mut result = Ok(());
        op.for_each_operand(|value| {
            if result.is_ok() && !self.visible.get(value.index()).is_some_and(|&visible| visible) {
                result = Err(Cause::Undefined { value });
            }
        });
        result?;
        if let Op::Break(target) | Op::Continue(target) = *op {
            self.target(op, target)?;
        }
        let exists = |what, number, len| {
            if number < len { Ok(()) } else { Err(Cause::Missing { what, number }) }
        };
        if let Some(var) = op.var() {
            exists("register", var.index(), kernel.vars.len())?;
        }
        match op.place() {
            Some(Place::Array(a)) => exists("array", a.index(), kernel.arrays.len())?,
            Some(Place::Param(p)) => exists("parameter", p.index(), kernel.params.len())?,
            None => {}
        }
        for a in op.whole_arrays().into_iter().flatten() {
            exists("array", a.index(), kernel.arrays.len())?;
        }
        if let Op::Scalar(p) | Op::Length(p) | Op::Extent(p, _) | Op::Stride(p, _) | Op::Offset(p) =
            op
        {
            exists("parameter", p.index(), kernel.params.len())?;
        }
        Ok(())
    }

    fn target(&self, op: &Op, target: Value) -> Result<(), Cause> {
        let is_around = self.around.contains(&target);
        let target_op = is_around.then(|| &self.kernel[target].op);
        let is_loop = matches!(target_op, Some(Op::For { .. } | Op::Loop { .. }));
        let is_scope = matches!(target_op, Some(Op::Scope { .. }));
        match op {
            Op::Continue(_) if !is_loop => Err(Cause::Target { target, want: "loop" }),
            Op::Break(_) if !is_loop && !is_scope => {
                Err(Cause::Target { target, want: "loop or scope" })
            }
            _ => Ok(()),
        }
    }
}
