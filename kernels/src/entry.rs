//! What a library operation is, as data: signature, plan, reference, cases, bench.
//!
//! An operation takes named tensors, settings and words. From their dtypes and shapes alone, `plan` says
//! which outputs there are and which kernels to launch with which arguments; whoever has a device runs the
//! plan. The reference computes the same outputs in f64 with plain loops and shares nothing with the
//! definition.
//!
//! Invariants
//! - `plan` is pure: the same request gives the same plan. It never sees data.
//! - A plan works for every size, 0 included, or fails with an error that names what does not fit.
//! - Everything a kernel writes is an output or a temporary of its plan; every output element is written.
//! - Names and dtypes are checked here, once, before an operation sees a request: a `Call` holds every
//!   required input, and a value for every setting and word.

use crate::{
    case::{Bench, Case, Expected, Known},
    plan::{Arg, Plan, TensorRef},
};
use evenweave_lang::{dtype::DType, ir, launch::Layout};
use std::collections::BTreeMap;

pub use crate::signature::{
    FLOATS, INDICES, INTS, InputSpec, NUMERICS, OutputSpec, REALS, SCALARS, SettingSpec, Signature,
    Takes, WordSpec,
};

/// dtype and memory of a tensor: a layout over a buffer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TensorDesc {
    /// Elements.
    pub dtype: DType,
    /// Shape, strides and offset in elements.
    pub layout: Layout,
}

impl TensorDesc {
    /// A row-major tensor without gaps.
    pub fn new(dtype: DType, shape: &[u32]) -> TensorDesc {
        TensorDesc { dtype, layout: Layout::contiguous(shape) }
    }

    /// A view of a buffer: extent and stride of each axis, and the element where it starts.
    pub fn strided(dtype: DType, shape: &[u32], strides: &[u64], offset: u64) -> TensorDesc {
        TensorDesc {
            dtype,
            layout: Layout { shape: shape.to_vec(), strides: strides.to_vec(), offset },
        }
    }

    /// Extent along each axis.
    pub fn shape(&self) -> &[u32] {
        &self.layout.shape
    }

    /// Logical elements; `u64::MAX` where that is not enough.
    pub fn elems(&self) -> u64 {
        self.layout.elems().unwrap_or(u64::MAX)
    }

    /// Whether it is row-major, without gaps, from element 0.
    pub fn is_contiguous(&self) -> bool {
        self.elems() == 0 || self.layout == Layout::contiguous(&self.layout.shape)
    }
}

/// A number given by name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Setting {
    /// An integer.
    Int(i64),
    /// A float.
    Float(f64),
}

macro_rules! settings_from {
    ($($ty:ty => $variant:ident,)*) => { $(
        impl From<$ty> for Setting {
            fn from(x: $ty) -> Setting { Setting::$variant(x.into()) }
        }
    )* };
}
settings_from! { i64 => Int, i32 => Int, u32 => Int, bool => Int, f64 => Float, f32 => Float, }

/// What a caller asks of an operation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    /// Input tensors by name.
    pub inputs: BTreeMap<String, TensorDesc>,
    /// Settings by name; a missing one takes the default that the signature names.
    pub settings: BTreeMap<String, Setting>,
    /// Words by name: a format, an activation.
    pub words: BTreeMap<String, String>,
}

impl Request {
    /// A request without anything.
    pub fn new() -> Request {
        Request::default()
    }

    /// Adds an input.
    pub fn input(mut self, name: &str, desc: TensorDesc) -> Request {
        self.inputs.insert(name.into(), desc);
        self
    }

    /// Gives a setting.
    pub fn set(mut self, name: &str, value: impl Into<Setting>) -> Request {
        self.settings.insert(name.into(), value.into());
        self
    }

    /// Gives a word.
    pub fn word(mut self, name: &str, value: &str) -> Request {
        self.words.insert(name.into(), value.into());
        self
    }
}

/// An operation of the library. A kernel's file ends in one; a table of similar operations makes several.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// What it computes, in one word: `rms_norm`.
    pub name: &'static str,
    /// The heading that it stands under.
    pub family: &'static str,
    /// The formula.
    pub summary: &'static str,
    /// What it takes and gives.
    pub signature: Signature,
    /// Which launches compute it. Call it through `Entry::plan`, which checks the request first.
    pub plan: fn(&Call<'_>) -> Result<Plan, PlanError>,
    /// What it means, in f64 and integers.
    pub reference: fn(&Known<'_>) -> Vec<Expected>,
    /// On what it is tested.
    pub cases: fn(&Entry) -> Vec<Case>,
    /// On what its speed is measured.
    pub bench: fn(&Entry) -> Vec<Bench>,
}

impl Entry {
    /// An operation that takes and gives nothing yet.
    pub const fn new(
        name: &'static str,
        family: &'static str,
        plan: fn(&Call<'_>) -> Result<Plan, PlanError>,
        reference: fn(&Known<'_>) -> Vec<Expected>,
        cases: fn(&Entry) -> Vec<Case>,
    ) -> Entry {
        let signature = Signature { inputs: &[], outputs: &[], settings: &[], words: &[] };
        Entry { name, family, summary: "", signature, plan, reference, cases, bench: no_bench }
    }

    /// The formula.
    pub const fn summary(mut self, summary: &'static str) -> Entry {
        self.summary = summary;
        self
    }

    /// Tensors in.
    pub const fn inputs(mut self, inputs: &'static [InputSpec]) -> Entry {
        self.signature.inputs = inputs;
        self
    }

    /// Tensors out.
    pub const fn outputs(mut self, outputs: &'static [OutputSpec]) -> Entry {
        self.signature.outputs = outputs;
        self
    }

    /// Numbers.
    pub const fn settings(mut self, settings: &'static [SettingSpec]) -> Entry {
        self.signature.settings = settings;
        self
    }

    /// Choices by name.
    pub const fn words(mut self, words: &'static [WordSpec]) -> Entry {
        self.signature.words = words;
        self
    }

    /// On what its speed is measured.
    pub const fn bench(mut self, bench: fn(&Entry) -> Vec<Bench>) -> Entry {
        self.bench = bench;
        self
    }
}

/// The bench of an operation whose speed is of no interest.
pub fn no_bench(_: &Entry) -> Vec<Bench> {
    Vec::new()
}

/// Why a request has no plan. `Display` gives one line.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are what the messages name")]
pub enum PlanError {
    #[error("{op}: input `{name}` is missing ({doc})")]
    MissingInput { op: &'static str, name: &'static str, doc: &'static str },
    #[error("{op}: there is no input `{name}` (inputs: {known})")]
    UnknownInput { op: &'static str, name: String, known: String },
    #[error("{op}: input `{name}` is {got}, but it must be {want}")]
    DType { op: &'static str, name: &'static str, got: DType, want: String },
    #[error("{op}: not for {got} (only {want})")]
    NoDType { op: &'static str, got: DType, want: String },
    #[error("{op}: input `{name}` has {shape} extents but {strides} strides")]
    Layout { op: &'static str, name: &'static str, shape: usize, strides: usize },
    #[error("{op}: input `{name}` has rank {got}, but a view has at most {max} axes")]
    Rank { op: &'static str, name: &'static str, got: usize, max: usize },
    #[error("{op}: setting `{name}` is missing ({doc})")]
    MissingSetting { op: &'static str, name: &'static str, doc: &'static str },
    #[error("{op}: there is no setting `{name}` (settings: {known})")]
    UnknownSetting { op: &'static str, name: String, known: String },
    #[error("{op}: setting `{name}` must be an integer, but it is {got}")]
    NotInteger { op: &'static str, name: &'static str, got: f64 },
    #[error("{op}: there is no word `{name}` (words: {known})")]
    UnknownWord { op: &'static str, name: String, known: String },
    #[error("{op}: `{name}` is `{got}`, but it must be one of: {choices}")]
    Choice { op: &'static str, name: &'static str, got: String, choices: String },
    #[error("{op}: {what} must be {want}, but it is {got}")]
    Wrong { op: &'static str, what: String, want: String, got: String },
    #[error("{op}: {cause}")]
    Stage { op: &'static str, cause: Box<dyn std::error::Error + Send + Sync> },
}

impl Entry {
    /// What to do for a request, once names, dtypes, settings and words are known to be right. Strided inputs
    /// that the operation does not read itself are packed first.
    pub fn plan(&self, request: &Request) -> Result<Plan, PlanError> {
        let call = self.call(request)?;
        let given = |s: &&InputSpec| {
            !s.strided && request.inputs.get(s.name).is_some_and(|d| !d.is_contiguous())
        };
        let names: Vec<_> = self.signature.inputs.iter().filter(given).map(|s| s.name).collect();
        if names.is_empty() {
            let mut plan = (self.plan)(&call)?;
            plan.over = self.over(request, &plan);
            return Ok(plan);
        }
        let mut packed = request.clone();
        for (_, desc) in packed.inputs.iter_mut().filter(|(n, _)| names.contains(&n.as_str())) {
            *desc = TensorDesc::new(desc.dtype, desc.shape());
        }
        let mut plan = (self.plan)(&self.call(&packed)?)?;
        crate::pack::insert(self.name, &mut plan, request, &names)?;
        plan.over = self.over(request, &plan);
        Ok(plan)
    }

    /// Which of the plan's outputs may be written over which inputs.
    fn over(&self, request: &Request, plan: &Plan) -> Vec<(&'static str, &'static str)> {
        let desc = |output: &str| plan.outputs.iter().find(|(n, _)| n == output).map(|(_, d)| d);
        let fits = |output: &OutputSpec, input: &str| {
            desc(output.name).is_some_and(|d| request.inputs.get(input) == Some(d))
        };
        let pairs = |o: &OutputSpec| {
            o.over.iter().filter(|i| fits(o, i)).map(|&i| (o.name, i)).collect::<Vec<_>>()
        };
        self.signature.outputs.iter().flat_map(pairs).collect()
    }

    /// The request, checked against the signature.
    pub fn call<'a>(&'a self, request: &'a Request) -> Result<Call<'a>, PlanError> {
        self.check_inputs(request)?;
        self.check_settings(request)?;
        self.check_words(request)?;
        Ok(Call { op: self.name, entry: self, request })
    }

    fn check_inputs(&self, request: &Request) -> Result<(), PlanError> {
        let op = self.name;
        let specs = self.signature.inputs;
        if let Some(name) = request.inputs.keys().find(|n| !specs.iter().any(|s| s.name == *n)) {
            let known = names(specs.iter().map(|s| s.name));
            return Err(PlanError::UnknownInput { op, name: name.clone(), known });
        }
        for spec in specs {
            let (name, doc) = (spec.name, spec.doc);
            let Some(desc) = request.inputs.get(name) else {
                if spec.optional {
                    continue;
                }
                return Err(PlanError::MissingInput { op, name, doc });
            };
            let (shape, strides) = (desc.layout.shape.len(), desc.layout.strides.len());
            if shape != strides {
                return Err(PlanError::Layout { op, name, shape, strides });
            }
            if shape > ir::MAX_RANK {
                return Err(PlanError::Rank { op, name, got: shape, max: ir::MAX_RANK });
            }
            let got = desc.dtype;
            match spec.takes {
                Takes::OneOf(dtypes) => {
                    if !dtypes.contains(&got) {
                        let want = names(dtypes.iter().map(|d| d.name()));
                        return Err(PlanError::DType { op, name, got, want });
                    }
                }
                Takes::Like(other) => {
                    if let Some(first) = request.inputs.get(other)
                        && first.dtype != got
                    {
                        let want = format!("{} like `{other}`", first.dtype);
                        return Err(PlanError::DType { op, name, got, want });
                    }
                }
            }
        }
        Ok(())
    }

    fn check_settings(&self, request: &Request) -> Result<(), PlanError> {
        let op = self.name;
        let specs = self.signature.settings;
        if let Some(name) = request.settings.keys().find(|n| !specs.iter().any(|s| s.name == *n)) {
            let known = names(specs.iter().map(|s| s.name));
            return Err(PlanError::UnknownSetting { op, name: name.clone(), known });
        }
        for &SettingSpec { name, default, integer, doc } in specs {
            match request.settings.get(name) {
                None if default.is_none() => {
                    return Err(PlanError::MissingSetting { op, name, doc });
                }
                Some(&Setting::Float(got)) if integer && as_integer(got).is_none() => {
                    return Err(PlanError::NotInteger { op, name, got });
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn check_words(&self, request: &Request) -> Result<(), PlanError> {
        let op = self.name;
        let specs = self.signature.words;
        if let Some(name) = request.words.keys().find(|n| !specs.iter().any(|s| s.name == *n)) {
            let known = names(specs.iter().map(|s| s.name));
            return Err(PlanError::UnknownWord { op, name: name.clone(), known });
        }
        for &WordSpec { name, choices, .. } in specs {
            if let Some(got) = request.words.get(name)
                && !choices.contains(&got.as_str())
            {
                let choices = names(choices.iter().copied());
                return Err(PlanError::Choice { op, name, got: got.clone(), choices });
            }
        }
        Ok(())
    }
}

fn names<'a>(all: impl Iterator<Item = &'a str>) -> String {
    let all: Vec<_> = all.collect();
    if all.is_empty() { "none".into() } else { all.join(", ") }
}

fn as_integer(x: f64) -> Option<i64> {
    (x.trunc() == x && x.abs() < 2f64.powi(53)).then_some(x as i64)
}

/// A request that fits its signature.
///
/// Accessors take names of the signature and panic on others: that is a mistake in the operation's own
/// file, and no request can cause it.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// The operation's name.
    pub op: &'static str,
    entry: &'a Entry,
    request: &'a Request,
}

impl<'a> Call<'a> {
    /// The operation.
    pub fn entry(&self) -> &'a Entry {
        self.entry
    }

    /// An input that may be missing.
    pub fn optional(&self, name: &str) -> Option<&'a TensorDesc> {
        let known = self.entry.signature.inputs.iter().any(|s| s.name == name);
        assert!(known, "{} has no input `{name}` in its signature", self.op);
        self.request.inputs.get(name)
    }

    /// Whether an optional input is given.
    pub fn has(&self, name: &str) -> bool {
        self.optional(name).is_some()
    }

    /// A given input.
    pub fn desc(&self, name: &str) -> &'a TensorDesc {
        self.optional(name).unwrap_or_else(|| panic!("{}: `{name}` is not given", self.op))
    }

    /// The dtype of a given input.
    pub fn dtype(&self, name: &str) -> DType {
        self.desc(name).dtype
    }

    /// The extents of a given input, which must have this rank.
    pub fn shape<const RANK: usize>(&self, name: &str) -> Result<[u32; RANK], PlanError> {
        let shape = self.desc(name).shape();
        shape.try_into().map_err(|_| {
            self.wrong(format!("the rank of `{name}`"), RANK, format!("{} {shape:?}", shape.len()))
        })
    }

    /// The extents of a given input of any rank.
    pub fn dims(&self, name: &str) -> &'a [u32] {
        self.desc(name).shape()
    }

    /// A given input as rows: the product of all extents but the last, and the last. A scalar is one row
    /// of one.
    pub fn rows(&self, name: &str) -> Result<(u32, u32), PlanError> {
        let (row_elems, outer) = self.dims(name).split_last().unwrap_or((&1, &[]));
        Ok((self.product(name, outer)?, *row_elems))
    }

    /// The elements of a given input, which must fit in 32 bits.
    pub fn elems(&self, name: &str) -> Result<u32, PlanError> {
        self.product(name, self.dims(name))
    }

    /// The product of some extents of `what`, which must fit in 32 bits.
    pub fn product(&self, what: &str, extents: &[u32]) -> Result<u32, PlanError> {
        if extents.contains(&0) {
            return Ok(0);
        }
        extents.iter().try_fold(1u32, |n, &e| n.checked_mul(e)).ok_or_else(|| {
            self.wrong(
                format!("the elements of `{what}`"),
                "at most 2^32 - 1",
                format!("{extents:?}"),
            )
        })
    }

    /// The given input must have exactly this shape.
    pub fn expect_shape(&self, name: &str, want: &[u32]) -> Result<(), PlanError> {
        let got = self.dims(name);
        self.require(got == want, || {
            (format!("the shape of `{name}`"), format!("{want:?}"), format!("{got:?}"))
        })
    }

    /// An integer setting.
    pub fn int(&self, name: &str) -> i64 {
        match self.setting(name) {
            Setting::Int(x) => x,
            Setting::Float(x) => as_integer(x).expect("checked with the signature"),
        }
    }

    /// An integer setting that must lie in a range.
    pub fn int_in(
        &self,
        name: &str,
        range: std::ops::RangeInclusive<i64>,
    ) -> Result<u32, PlanError> {
        let x = self.int(name);
        let fits = range.contains(&x).then(|| u32::try_from(x).ok()).flatten();
        fits.ok_or_else(|| {
            self.wrong(format!("`{name}`"), format!("{} to {}", range.start(), range.end()), x)
        })
    }

    /// A setting that is a truth value: 0 or 1.
    pub fn flag(&self, name: &str) -> bool {
        self.int(name) != 0
    }

    /// A float setting.
    pub fn float(&self, name: &str) -> f64 {
        match self.setting(name) {
            Setting::Int(x) => x as f64,
            Setting::Float(x) => x,
        }
    }

    fn setting(&self, name: &str) -> Setting {
        let spec = self.entry.signature.settings.iter().find(|s| s.name == name);
        let spec =
            spec.unwrap_or_else(|| panic!("{} has no setting `{name}` in its signature", self.op));
        let given = self.request.settings.get(name).copied().or(spec.default);
        given.expect("checked with the signature")
    }

    /// A word.
    pub fn word(&self, name: &str) -> &'a str {
        let spec = self.entry.signature.words.iter().find(|s| s.name == name);
        let spec =
            spec.unwrap_or_else(|| panic!("{} has no word `{name}` in its signature", self.op));
        self.request.words.get(name).map_or(spec.choices[0], |w| w.as_str())
    }

    /// A word that names a dtype.
    pub fn dtype_word(&self, name: &str) -> DType {
        let word = self.word(name);
        DType::parse(word)
            .unwrap_or_else(|| panic!("{}: the choices of `{name}` are no dtypes", self.op))
    }

    /// A given input's buffer, for a buffer parameter: contiguous.
    pub fn buffer(&self, name: &str) -> Arg {
        self.desc(name);
        TensorRef::Input(name.into()).buffer()
    }

    /// A given input with its layout, for a view parameter.
    pub fn view(&self, name: &str) -> Arg {
        TensorRef::Input(name.into()).view(self.desc(name).layout.clone())
    }

    /// An error where `good` does not hold: what, what it must be, what it is.
    pub fn require(
        &self,
        good: bool,
        facts: impl FnOnce() -> (String, String, String),
    ) -> Result<(), PlanError> {
        if good {
            return Ok(());
        }
        let (what, want, got) = facts();
        Err(PlanError::Wrong { op: self.op, what, want, got })
    }

    /// The error "`what` must be `want`, but it is `got`" where `good` does not hold.
    pub fn expect(
        &self,
        good: bool,
        what: impl std::fmt::Display,
        want: impl std::fmt::Display,
        got: impl std::fmt::Display,
    ) -> Result<(), PlanError> {
        if good { Ok(()) } else { Err(self.wrong(what, want, got)) }
    }

    /// The error "`what` must be `want`, but it is `got`".
    pub fn wrong(
        &self,
        what: impl std::fmt::Display,
        want: impl std::fmt::Display,
        got: impl std::fmt::Display,
    ) -> PlanError {
        let (what, want, got) = (what.to_string(), want.to_string(), got.to_string());
        PlanError::Wrong { op: self.op, what, want, got }
    }

    /// The error of a dtype that the operation is not written for.
    pub fn no_dtype(&self, got: DType, want: &[DType]) -> PlanError {
        PlanError::NoDType { op: self.op, got, want: names(want.iter().map(|d| d.name())) }
    }

    /// A staged kernel, or the operation's error.
    pub fn staged<E>(&self, kernel: Result<ir::Kernel, E>) -> Result<ir::Kernel, PlanError>
    where
        E: std::error::Error + Send + Sync + 'static,
    {
        kernel.map_err(|cause| PlanError::Stage { op: self.op, cause: Box::new(cause) })
    }
}
