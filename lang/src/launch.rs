//! Launch geometry: what a kernel declares, and the check of a launch against it.
//!
//! A `Len` is a small expression over the launch's scalars, extents and lengths. Kernels declare with it
//! their grid, the elements each buffer must have, and the extents of views. It is evaluated in `u64` with
//! every overflow and division by zero an error, before anything is enqueued.

use crate::{
    dtype::DType,
    ir::{Kernel, Param, ParamKind},
};

/// An expression over the arguments of a launch.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Len {
    /// A number.
    Const(u64),
    /// An unsigned or non-negative integer scalar parameter.
    Scalar(Param),
    /// The extent of a view parameter along an axis.
    Extent(Param, u8),
    /// The elements of a buffer parameter's buffer.
    Length(Param),
    /// Two expressions combined.
    Op(LenOp, Box<Len>, Box<Len>),
}

crate::ops::name_table! {
    /// How `Len` combines.
    LenOp;
    /// Sum.
    Add "add";
    /// Difference; below zero is an error.
    Sub "sub";
    /// Product.
    Mul "mul";
    /// Quotient, rounded down.
    Div "div";
    /// Quotient, rounded up.
    DivCeil "div_ceil";
    /// Remainder.
    Rem "rem";
    /// The smaller.
    Min "min";
    /// The greater.
    Max "max";
}

impl Len {
    /// `op` of two expressions; folded where both are numbers and the result exists.
    pub fn op(op: LenOp, a: impl Into<Len>, b: impl Into<Len>) -> Len {
        let (a, b) = (a.into(), b.into());
        if let (Len::Const(a), Len::Const(b)) = (&a, &b)
            && let Some(value) = apply(op, *a, *b)
        {
            return Len::Const(value);
        }
        Len::Op(op, Box::new(a), Box::new(b))
    }

    /// The quotient rounded up.
    pub fn div_ceil(self, by: impl Into<Len>) -> Len {
        Len::op(LenOp::DivCeil, self, by)
    }

    /// The smaller.
    pub fn min(self, other: impl Into<Len>) -> Len {
        Len::op(LenOp::Min, self, other)
    }

    /// The greater.
    pub fn max(self, other: impl Into<Len>) -> Len {
        Len::op(LenOp::Max, self, other)
    }
}

fn apply(op: LenOp, a: u64, b: u64) -> Option<u64> {
    match op {
        LenOp::Add => a.checked_add(b),
        LenOp::Sub => a.checked_sub(b),
        LenOp::Mul => a.checked_mul(b),
        LenOp::Div => a.checked_div(b),
        LenOp::DivCeil => (b != 0).then(|| a.div_ceil(b)),
        LenOp::Rem => a.checked_rem(b),
        LenOp::Min => Some(a.min(b)),
        LenOp::Max => Some(a.max(b)),
    }
}

impl From<u64> for Len {
    fn from(n: u64) -> Len {
        Len::Const(n)
    }
}
impl From<u32> for Len {
    fn from(n: u32) -> Len {
        Len::Const(n.into())
    }
}
impl From<i32> for Len {
    /// For literals of the language. A negative number wraps to one that no buffer has.
    fn from(n: i32) -> Len {
        Len::Const(n as u64)
    }
}
impl From<usize> for Len {
    fn from(n: usize) -> Len {
        Len::Const(n as u64)
    }
}

macro_rules! len_operator {
    (@left $trait:ident $method:ident $op:ident: $($left:ty)*) => { $(
        impl std::ops::$trait<Len> for $left {
            type Output = Len;
            fn $method(self, rhs: Len) -> Len { Len::op(LenOp::$op, self, rhs) }
        }
    )* };
    ($($trait:ident $method:ident $op:ident;)*) => { $(
        impl<R: Into<Len>> std::ops::$trait<R> for Len {
            type Output = Len;
            fn $method(self, rhs: R) -> Len { Len::op(LenOp::$op, self, rhs) }
        }
        len_operator!(@left $trait $method $op: u32 i32 u64 usize);
    )* };
}
len_operator! { Add add Add; Sub sub Sub; Mul mul Mul; Div div Div; Rem rem Rem; }

/// Shape, strides and offset of a view, in elements of its buffer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    /// Extent along each axis.
    pub shape: Vec<u32>,
    /// Distance of neighbours along each axis; 0 repeats.
    pub strides: Vec<u64>,
    /// Element where the view starts.
    pub offset: u64,
}

impl Layout {
    /// Row-major, without gaps, from element 0.
    pub fn contiguous(shape: &[u32]) -> Layout {
        let mut strides = vec![1u64; shape.len()];
        for axis in (1..shape.len()).rev() {
            strides[axis - 1] = strides[axis].saturating_mul(u64::from(shape[axis]));
        }
        Layout { shape: shape.to_vec(), strides, offset: 0 }
    }

    /// Elements of the view; `None` past 2^64.
    pub fn elems(&self) -> Option<u64> {
        if self.shape.contains(&0) {
            return Some(0);
        }
        self.shape.iter().try_fold(1u64, |n, &e| n.checked_mul(u64::from(e)))
    }

    /// Elements that the buffer must have; `None` past 2^64. An empty view needs none.
    pub fn span_elems(&self) -> Option<u64> {
        if self.shape.contains(&0) {
            return Some(0);
        }
        let mut last = self.offset;
        for (&extent, &stride) in self.shape.iter().zip(&self.strides) {
            last = last.checked_add(stride.checked_mul(u64::from(extent - 1))?)?;
        }
        last.checked_add(1)
    }
}

/// What a launch gives for one parameter, without the memory itself.
#[derive(Clone, Debug, PartialEq)]
pub enum ArgShape {
    /// A scalar: dtype and bits (as `Const::bits`).
    Scalar(DType, u64),
    /// A buffer of so many elements.
    Buffer(DType, u64),
    /// A view of a buffer of so many elements.
    View(DType, u64, Layout),
}

/// A launch that does not fit what the kernel declares. Nothing was enqueued.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kernel}: {cause}")]
pub struct LaunchError {
    /// The kernel.
    pub kernel: String,
    /// What does not fit.
    pub cause: LaunchCause,
}

/// What does not fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are what the messages name")]
pub enum LaunchCause {
    #[error("takes {want} arguments ({names}), but {got} were given")]
    Count { want: usize, got: usize, names: String },
    #[error("argument `{param}` must be {want}, but {got} was given")]
    Kind { param: String, want: String, got: String },
    #[error(
        "buffer `{param}` must have at least {want_elems} elements ({len}), but it has {got_elems}"
    )]
    TooShort { param: String, len: String, want_elems: u64, got_elems: u64 },
    #[error("view `{param}` must have extent {want} along axis {axis} ({len}), but it has {got}")]
    Extent { param: String, axis: usize, len: String, want: u64, got: u32 },
    #[error("view `{param}` reaches element {last} of a buffer of {got_elems} elements")]
    Reach { param: String, last: String, got_elems: u64 },
    #[error(
        "view `{param}` must have rank {want}, but its shape has {shape} and its strides have {strides} axes"
    )]
    Rank { param: String, want: usize, shape: usize, strides: usize },
    #[error("{what} = {len} has no value for these arguments: {why}")]
    Undefined { what: String, len: String, why: &'static str },
    #[error("the grid has {groups} groups along {axis}, more than {most}")]
    Grid { axis: &'static str, groups: u64, most: u64 },
    #[error("writable argument `{a}` is the same buffer as argument `{b}`")]
    Aliased { a: String, b: String },
}

/// Groups along an axis, at most: what every supported device can do on all three axes once folded.
pub const MAX_GRID: u64 = (1 << 31) - 1;

/// Checks a launch and returns its groups along x, y, z. A grid with a 0 launches nothing.
pub fn check(kernel: &Kernel, args: &[ArgShape]) -> Result<[u32; 3], LaunchError> {
    check_args(kernel, args).map_err(|cause| LaunchError { kernel: kernel.name.clone(), cause })
}

fn check_args(kernel: &Kernel, args: &[ArgShape]) -> Result<[u32; 3], LaunchCause> {
    if args.len() != kernel.params.len() {
        let names = kernel.params.iter().map(|p| p.name.as_str()).collect::<Vec<_>>().join(", ");
        return Err(LaunchCause::Count { want: kernel.params.len(), got: args.len(), names });
    }
    for (param, arg) in kernel.params.iter().zip(args) {
        let fits = match (&param.kind, arg) {
            (ParamKind::Scalar(d), ArgShape::Scalar(got, _))
            | (ParamKind::Buffer { dtype: d, .. }, ArgShape::Buffer(got, _))
            | (ParamKind::View { dtype: d, .. }, ArgShape::View(got, ..)) => d == got,
            (
                ParamKind::Scalar(_) | ParamKind::Buffer { .. } | ParamKind::View { .. },
                ArgShape::Scalar(..) | ArgShape::Buffer(..) | ArgShape::View(..),
            ) => false,
        };
        if !fits {
            return Err(LaunchCause::Kind {
                param: param.name.clone(),
                want: kind_words(&param.kind),
                got: arg_words(arg),
            });
        }
    }
    for (param, arg) in kernel.params.iter().zip(args) {
        check_lengths(kernel, args, &param.name, &param.kind, arg)?;
    }
    let mut grid = [0; 3];
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        let groups = eval(kernel, args, &kernel.grid[axis], || format!("the grid along {name}"))?;
        if groups > MAX_GRID {
            return Err(LaunchCause::Grid { axis: name, groups, most: MAX_GRID });
        }
        grid[axis] = groups as u32;
    }
    Ok(grid)
}

fn check_lengths(
    kernel: &Kernel,
    args: &[ArgShape],
    name: &str,
    kind: &ParamKind,
    arg: &ArgShape,
) -> Result<(), LaunchCause> {
    match (kind, arg) {
        (ParamKind::Buffer { len, .. }, &ArgShape::Buffer(_, got_elems)) => {
            let want_elems = eval(kernel, args, len, || format!("the length of `{name}`"))?;
            if got_elems < want_elems {
                let len = display(kernel, len);
                return Err(LaunchCause::TooShort {
                    param: name.into(),
                    len,
                    want_elems,
                    got_elems,
                });
            }
        }
        (ParamKind::View { shape, .. }, ArgShape::View(_, got_elems, layout)) => {
            if layout.shape.len() != shape.len() || layout.strides.len() != shape.len() {
                return Err(LaunchCause::Rank {
                    param: name.into(),
                    want: shape.len(),
                    shape: layout.shape.len(),
                    strides: layout.strides.len(),
                });
            }
            for (axis, (len, &got)) in shape.iter().zip(&layout.shape).enumerate() {
                let want = eval(kernel, args, len, || format!("extent {axis} of `{name}`"))?;
                if want != u64::from(got) {
                    let len = display(kernel, len);
                    return Err(LaunchCause::Extent { param: name.into(), axis, len, want, got });
                }
            }
            let span = layout.span_elems();
            if span.is_none_or(|span| span > *got_elems) {
                let last = span.map_or("past 2^64".into(), |span| (span - 1).to_string());
                return Err(LaunchCause::Reach { param: name.into(), last, got_elems: *got_elems });
            }
        }
        (
            ParamKind::Scalar(_) | ParamKind::Buffer { .. } | ParamKind::View { .. },
            ArgShape::Scalar(..) | ArgShape::Buffer(..) | ArgShape::View(..),
        ) => {}
    }
    Ok(())
}

fn eval(
    kernel: &Kernel,
    args: &[ArgShape],
    len: &Len,
    what: impl Fn() -> String,
) -> Result<u64, LaunchCause> {
    value(args, len).map_err(|why| LaunchCause::Undefined {
        what: what(),
        len: display(kernel, len),
        why,
    })
}

pub(crate) fn value(args: &[ArgShape], len: &Len) -> Result<u64, &'static str> {
    match len {
        Len::Const(n) => Ok(*n),
        Len::Scalar(p) => match &args[p.index()] {
            ArgShape::Scalar(dtype, bits) => {
                let negative = dtype.is_signed() && (bits >> (dtype.bits() - 1)) & 1 == 1;
                if negative { Err("a scalar is negative") } else { Ok(*bits) }
            }
            ArgShape::Buffer(..) | ArgShape::View(..) => Err("a buffer has no number"),
        },
        Len::Extent(p, axis) => match &args[p.index()] {
            ArgShape::View(_, _, layout) => layout
                .shape
                .get(usize::from(*axis))
                .map(|&e| u64::from(e))
                .ok_or("a view has too few axes"),
            ArgShape::Scalar(..) | ArgShape::Buffer(..) => Err("only a view has extents"),
        },
        Len::Length(p) => match &args[p.index()] {
            ArgShape::Buffer(_, elems) | ArgShape::View(_, elems, _) => Ok(*elems),
            ArgShape::Scalar(..) => Err("a scalar has no length"),
        },
        Len::Op(op, a, b) => {
            let (a, b) = (value(args, a)?, value(args, b)?);
            apply(*op, a, b).ok_or(match op {
                LenOp::Sub => "it is below zero",
                LenOp::Div | LenOp::DivCeil | LenOp::Rem => "it divides by zero",
                LenOp::Add | LenOp::Mul | LenOp::Min | LenOp::Max => "it is past 2^64",
            })
        }
    }
}

fn kind_words(kind: &ParamKind) -> String {
    match kind {
        ParamKind::Scalar(d) => format!("a scalar {d}"),
        ParamKind::Buffer { dtype, .. } => format!("a buffer of {dtype}"),
        ParamKind::View { dtype, shape, .. } => format!("a rank-{} view of {dtype}", shape.len()),
    }
}

fn arg_words(arg: &ArgShape) -> String {
    match arg {
        ArgShape::Scalar(d, _) => format!("a scalar {d}"),
        ArgShape::Buffer(d, _) => format!("a buffer of {d}"),
        ArgShape::View(d, _, layout) => format!("a rank-{} view of {d}", layout.shape.len()),
    }
}

/// The expression with the author's names: `n.div_ceil(256)`, `m * k + 1`.
pub fn display(kernel: &Kernel, len: &Len) -> String {
    spell(len, &|p| kernel.params.get(p.index()).map_or("?", |param| &param.name))
}

/// The expression with names as given; parentheses only where they are needed.
pub(crate) fn spell<'a>(len: &Len, name: &dyn Fn(Param) -> &'a str) -> String {
    /// The text, and how tightly it binds: 0 sums, 1 products, 2 all else.
    fn bound<'a>(len: &Len, name: &dyn Fn(Param) -> &'a str) -> (String, u8) {
        let at_least = |least, len: &Len| {
            let (text, binds) = bound(len, name);
            if binds < least { format!("({text})") } else { text }
        };
        let infix = |binds, sign, a, b| {
            (format!("{} {sign} {}", at_least(binds, a), at_least(binds + 1, b)), binds)
        };
        let call = |method, a, b| (format!("{}.{method}({})", at_least(2, a), spell(b, name)), 2);
        match len {
            Len::Const(n) => (n.to_string(), 2),
            Len::Scalar(p) => (name(*p).into(), 2),
            Len::Extent(p, axis) => (format!("{}.extent({axis})", name(*p)), 2),
            Len::Length(p) => (format!("{}.len()", name(*p)), 2),
            Len::Op(op, a, b) => match op {
                LenOp::Add => infix(0, "+", a, b),
                LenOp::Sub => infix(0, "-", a, b),
                LenOp::Mul => infix(1, "*", a, b),
                LenOp::Div => infix(1, "/", a, b),
                LenOp::Rem => infix(1, "%", a, b),
                LenOp::DivCeil => call("div_ceil", a, b),
                LenOp::Min => call("min", a, b),
                LenOp::Max => call("max", a, b),
            },
        }
    }
    bound(len, name).0
}
