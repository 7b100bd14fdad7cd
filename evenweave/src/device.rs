//! A device as callers have it: tensors, operations, own kernels.
//!
//! Invariants
//! - What is cached is keyed by all that it depends on: a program by the kernel's text and the options, a
//!   plan by the operation and the request.
//! - A clone is the same device.

use crate::{Call, Error, Host, Result, Tensor, tensor::packed};
use evenweave_kernels::{
    self as kernels,
    entry::{Entry, Request, TensorDesc},
    pack,
    plan::{Arg, Plan, Step, TensorRef},
};
use evenweave_lang::{
    dtype::DType,
    ir::{self, ParamKind},
};
use evenweave_runtime::{
    self as runtime, DeviceInfo, Launch, LaunchArg, LoadOptions, Memory, OpenOptions, OwnedLaunch,
    Program, Recording,
};
use std::{
    collections::{BTreeMap, HashMap},
    fmt,
    sync::{Arc, Mutex, PoisonError},
    thread::{self, ThreadId},
};

/// Plans and programs that are kept; beyond it all are dropped.
const MOST_CACHED: usize = 4096;

/// A machine that runs kernels. Cheap to clone.
#[derive(Clone)]
pub struct Device {
    shared: Arc<Shared>,
}

struct Shared {
    raw: Box<dyn runtime::Device>,
    options: LoadOptions,
    programs: Mutex<HashMap<String, Program>>,
    plans: Mutex<HashMap<(&'static str, String), Arc<Prepared>>>,
    tape: Mutex<Option<Tape>>,
}

/// Launches that a thread asks for while they are captured.
struct Tape {
    thread: ThreadId,
    launches: Vec<OwnedLaunch>,
}

/// Ends a capture when it goes.
struct Ends<'a>(&'a Device);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.end_tape();
    }
}

/// Launches that a device keeps with all that they use, to be asked for at once: on CUDA and HIP a graph of the driver's.
#[derive(Clone, Debug)]
pub struct Captured {
    device: Device,
    recording: Recording,
    launches: usize,
}

impl Captured {
    /// Asks for the launches, in their order, on what their memory holds now. Waits for nothing.
    pub fn replay(&self) -> Result<()> {
        Ok(self.device.raw().replay(&self.recording)?)
    }

    /// How many launches there are.
    pub fn launches(&self) -> usize {
        self.launches
    }
}

/// A plan with its kernels loaded.
#[derive(Clone, Debug)]
pub struct Prepared {
    plan: Plan,
    programs: Vec<Program>,
}

impl Prepared {
    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }
}

/// The devices of this machine, the CPU first. None is opened.
pub fn devices() -> Vec<DeviceInfo> {
    runtime::list()
}

/// Memory for what a plan writes.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// One a plan's output, in order.
    pub outputs: Vec<Memory>,
    /// One a plan's temporary, in order.
    pub temps: Vec<Memory>,
}

impl Device {
    /// Opens the device of this name, as `devices` lists it; `vulkan` is the first of Vulkan's, `vulkan:TEXT` the one whose
    /// description has the text in it. The user's environment says where to keep what is compiled and where to look for
    /// libraries: `OpenOptions::of_user`.
    ///
    /// ```
    /// let device = evenweave::Device::open("cpu")?;
    /// assert_eq!(device.info().name, "cpu");
    /// assert!(evenweave::Device::open("abacus").is_err());
    /// # Ok::<(), evenweave::Error>(())
    /// ```
    pub fn open(name: &str) -> Result<Device> {
        Device::open_with(name, &OpenOptions::of_user(), LoadOptions::default())
    }

    /// Opens a device, with a folder for what its driver compiles or with checks, and with options for all kernels that
    /// it loads: unoptimised, or watched by the sanitizer.
    pub fn open_with(name: &str, open: &OpenOptions, options: LoadOptions) -> Result<Device> {
        Ok(Device::of_raw(runtime::open(name, open)?, options))
    }

    /// The device of a machine that is opened already: one of the caller's own making, for example.
    pub fn of_raw(raw: Box<dyn runtime::Device>, options: LoadOptions) -> Device {
        let (programs, plans, tape) = Default::default();
        Device { shared: Arc::new(Shared { raw, options, programs, plans, tape }) }
    }

    /// What it is.
    pub fn info(&self) -> &DeviceInfo {
        self.shared.raw.info()
    }

    /// The options for all kernels that it loads.
    pub fn options(&self) -> &LoadOptions {
        &self.shared.options
    }

    /// The device below this crate's conveniences.
    pub fn raw(&self) -> &dyn runtime::Device {
        &*self.shared.raw
    }

    /// Whether both are one opened device.
    pub fn is_same(&self, other: &Device) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    /// A tensor of the host's numbers in row-major order.
    ///
    /// ```
    /// let device = evenweave::Device::open("cpu")?;
    /// let x = device.tensor(&[2, 3], &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    /// assert_eq!(x.transpose(0, 1)?.to_vec::<f32>()?, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
    /// # Ok::<(), evenweave::Error>(())
    /// ```
    pub fn tensor<T: Host>(&self, shape: &[u32], values: &[T]) -> Result<Tensor> {
        let desc = TensorDesc::new(T::DTYPE, shape);
        let (want_elems, got_elems) = (desc.elems(), values.len() as u64);
        if want_elems != got_elems {
            return Err(Error::Length { shape: shape.to_vec(), want_elems, got_elems });
        }
        self.tensor_of_bytes(T::DTYPE, shape, &packed(values))
    }

    /// A tensor of packed bytes: little-endian, low nibble first.
    pub fn tensor_of_bytes(&self, dtype: DType, shape: &[u32], bytes: &[u8]) -> Result<Tensor> {
        let tensor = self.empty(dtype, shape)?;
        self.raw().write(&tensor.memory, bytes)?;
        Ok(tensor)
    }

    /// A tensor whose elements are undefined until written.
    pub fn empty(&self, dtype: DType, shape: &[u32]) -> Result<Tensor> {
        let desc = TensorDesc::new(dtype, shape);
        let memory = self.raw().alloc(dtype, desc.elems())?;
        Ok(Tensor { device: self.clone(), memory, desc })
    }

    /// A tensor of existing memory.
    ///
    /// # Panics
    /// When the layout reaches past the memory, or the dtypes differ.
    pub fn tensor_of_memory(&self, memory: Memory, desc: TensorDesc) -> Tensor {
        let fits = desc.layout.span_elems().is_some_and(|span| span <= memory.elems());
        assert!(fits && desc.dtype == memory.dtype(), "{desc:?} does not lie in {memory:?}");
        Tensor { device: self.clone(), memory, desc }
    }

    /// Begins a call of an operation of the library.
    pub fn call(&self, operation: &str) -> Call<'_> {
        Call::new(self, operation)
    }

    /// Runs a kernel on tensors and numbers, in the order of its parameters. A tensor is seen through its layout
    /// where the parameter is a view; for a buffer parameter it must be contiguous from its first element.
    ///
    /// ```
    /// use evenweave::prelude::*;
    ///
    /// /// `y = x * factor`.
    /// #[kernel(group = 64, grid = n.div_ceil(64))]
    /// fn scale(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, factor: f32, n: u32) {
    ///     let i = global_id();
    ///     if i < n {
    ///         y[i] = x[i] * factor;
    ///     }
    /// }
    ///
    /// let device = Device::open("cpu")?;
    /// let x = device.tensor(&[3], &[1.0f32, 2.0, 3.0])?;
    /// let y = device.empty(DType::F32, &[3])?;
    /// device.launch(&scale()?, &[&x, &y, &2.0f32, &3u32])?;
    /// assert_eq!(y.to_vec::<f32>()?, [2.0, 4.0, 6.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn launch(&self, kernel: &ir::Kernel, operands: &[&dyn Operand]) -> Result<()> {
        if kernel.params.len() != operands.len() {
            let (want, got) = (kernel.params.len(), operands.len());
            return Err(Error::Arguments { kernel: kernel.name.clone(), want, got });
        }
        let mut args = Vec::new();
        for (param, operand) in kernel.params.iter().zip(operands) {
            if let Some(tensor) = operand.tensor() {
                self.check_owner(&param.name, tensor)?;
            }
            args.push(operand.arg(&param.kind)?);
        }
        let program = self.load(kernel)?;
        self.enqueue(&Launch { program: &program, args })
    }

    /// Writes down the launches that `work` asks for, instead of running them, and gives what `work` gave and the launches. Calls of
    /// operations and launches of kernels are captured, of this thread and this device; tensors are made, and written by the host,
    /// at once. What `work` gives is undefined until the first replay. Reading a tensor's elements meanwhile is an error.
    ///
    /// ```
    /// let device = evenweave::Device::open("cpu")?;
    /// let x = device.tensor(&[2], &[1.0f32, 2.0])?;
    /// let (y, twice) = device.capture(|| device.call("add").input("a", &x).input("b", &x).run_one())?;
    /// x.write(&[5.0f32, 6.0])?;
    /// twice.replay()?;
    /// assert_eq!(y.to_vec::<f32>()?, [10.0, 12.0]);
    /// # Ok::<(), evenweave::Error>(())
    /// ```
    pub fn capture<R>(&self, work: impl FnOnce() -> Result<R>) -> Result<(R, Captured)> {
        let tape = || self.shared.tape.lock().unwrap_or_else(PoisonError::into_inner);
        let thread = thread::current().id();
        {
            let mut tape = tape();
            if tape.is_some() {
                return Err(self.capturing("another capture"));
            }
            *tape = Some(Tape { thread, launches: Vec::new() });
        }
        // An error or a panic in `work` must not leave the tape there.
        let ends = Ends(self);
        let result = work()?;
        let launches = ends.0.end_tape();
        drop(ends);
        let lent: Vec<Launch<'_>> = launches.iter().map(OwnedLaunch::lend).collect();
        let recording = self.raw().record(&lent)?;
        Ok((result, Captured { device: self.clone(), recording, launches: launches.len() }))
    }

    /// Ends the capture of this thread, if it has one.
    fn end_tape(&self) -> Vec<OwnedLaunch> {
        let mut tape = self.shared.tape.lock().unwrap_or_else(PoisonError::into_inner);
        let own = tape.take_if(|tape| tape.thread == thread::current().id());
        own.map_or_else(Vec::new, |tape| tape.launches)
    }

    /// Runs a launch, or writes it down.
    fn enqueue(&self, launch: &Launch<'_>) -> Result<()> {
        {
            let mut tape = self.shared.tape.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(tape) = tape.as_mut().filter(|t| t.thread == thread::current().id()) {
                tape.launches.push(OwnedLaunch::of(launch));
                return Ok(());
            }
        }
        Ok(self.raw().launch(launch.program, &launch.args)?)
    }

    /// An error where this thread's calls are captured.
    pub(crate) fn refuse_capturing(&self, what: &'static str) -> Result<()> {
        let tape = self.shared.tape.lock().unwrap_or_else(PoisonError::into_inner);
        match tape.as_ref().is_some_and(|t| t.thread == thread::current().id()) {
            true => Err(self.capturing(what)),
            false => Ok(()),
        }
    }

    fn capturing(&self, what: &'static str) -> Error {
        Error::Capturing { what, device: self.info().name.clone() }
    }

    /// The kernel as this device runs it, from the cache where it is there.
    pub fn load(&self, kernel: &ir::Kernel) -> Result<Program> {
        let text = evenweave_lang::text::print(kernel);
        let lock = || self.shared.programs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(program) = lock().get(&text) {
            return Ok(program.clone());
        }
        let program = self.raw().load(kernel, &self.shared.options)?;
        let mut programs = lock();
        if programs.len() >= MOST_CACHED {
            programs.clear();
        }
        programs.insert(text, program.clone());
        Ok(program)
    }

    /// What to do for a request, loaded; from the cache where it is there.
    pub fn plan(&self, entry: &'static Entry, request: &Request) -> Result<Arc<Prepared>> {
        self.prepared((entry.name, format!("{request:?}")), || Ok(entry.plan(request)?))
    }

    fn prepared(
        &self,
        key: (&'static str, String),
        make: impl FnOnce() -> Result<Plan>,
    ) -> Result<Arc<Prepared>> {
        let lock = || self.shared.plans.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(plan) = lock().get(&key) {
            return Ok(plan.clone());
        }
        let prepared = Arc::new(self.prepare(make()?)?);
        let mut plans = lock();
        if plans.len() >= MOST_CACHED {
            plans.clear();
        }
        plans.insert(key, prepared.clone());
        Ok(prepared)
    }

    /// Loads the kernels of a plan.
    pub fn prepare(&self, plan: Plan) -> Result<Prepared> {
        let programs = plan.steps.iter().map(|step| self.load(&step.kernel)).collect::<Result<_>>();
        Ok(Prepared { programs: programs?, plan })
    }

    /// Memory for what a plan writes, undefined.
    pub fn workspace(&self, plan: &Plan) -> Result<Workspace> {
        self.workspace_with(plan, |_| None)
    }

    /// The same, with memory that some outputs have already.
    pub(crate) fn workspace_with<'a>(
        &self,
        plan: &Plan,
        given: impl Fn(&str) -> Option<&'a Memory>,
    ) -> Result<Workspace> {
        let alloc = |desc: &TensorDesc| self.raw().alloc(desc.dtype, desc.elems());
        let output = |(name, desc): &(String, TensorDesc)| match given(name) {
            Some(memory) => Ok(memory.clone()),
            None => alloc(desc),
        };
        let outputs = plan.outputs.iter().map(output).collect::<std::result::Result<_, _>>();
        let temps = plan.temps.iter().map(alloc).collect::<std::result::Result<_, _>>();
        Ok(Workspace { outputs: outputs?, temps: temps? })
    }

    /// Copies packed elements to a tensor that is a view.
    pub(crate) fn unpack(&self, from: Memory, to: &Tensor) -> Result<()> {
        let key = ("unpack", format!("{:?}", to.desc));
        let prepared = self.prepared(key, || Ok(pack::unpack(&to.desc)?))?;
        let inputs = BTreeMap::from([("x".into(), from)]);
        let workspace = Workspace { outputs: Vec::new(), temps: vec![to.memory.clone()] };
        self.execute(&prepared, &inputs, &workspace)
    }

    /// Runs the steps of a plan. An output may have the memory of an input where the plan allows it.
    ///
    /// # Panics
    /// When the plan names an input, output or temporary that is not there: plans of the library do not.
    pub fn execute(
        &self,
        prepared: &Prepared,
        inputs: &BTreeMap<String, Memory>,
        workspace: &Workspace,
    ) -> Result<()> {
        launches(prepared, inputs, workspace).iter().try_for_each(|launch| self.enqueue(launch))
    }

    /// Keeps the steps of a plan on several sets of memory, one after the other, to be asked for at once.
    ///
    /// # Panics
    /// As `execute`.
    pub fn record(
        &self,
        prepared: &Prepared,
        sets: &[(BTreeMap<String, Memory>, Workspace)],
    ) -> Result<Recording> {
        let all: Vec<Launch<'_>> = sets
            .iter()
            .flat_map(|(inputs, workspace)| launches(prepared, inputs, workspace))
            .collect();
        Ok(self.raw().record(&all)?)
    }

    pub(crate) fn check_owner(&self, name: &str, tensor: &Tensor) -> Result<()> {
        if self.is_same(&tensor.device) {
            return Ok(());
        }
        Err(Error::Foreign {
            name: name.into(),
            owner: tensor.device.info().name.clone(),
            device: self.info().name.clone(),
        })
    }
}

/// The launches of a plan's steps.
fn launches<'a>(
    prepared: &'a Prepared,
    inputs: &'a BTreeMap<String, Memory>,
    workspace: &'a Workspace,
) -> Vec<Launch<'a>> {
    let Prepared { plan, programs } = prepared;
    let output = |name: &str| {
        let at = plan.outputs.iter().position(|(n, _)| n == name);
        &workspace.outputs[at.expect("a plan names its own outputs")]
    };
    let find = |tensor: &TensorRef| match tensor {
        TensorRef::Input(name) => &inputs[name],
        TensorRef::Temp(index) => &workspace.temps[*index],
        TensorRef::Output(name) => output(name),
    };
    // Outputs in the memory of inputs, of those that the plan allows.
    let in_place: Vec<(&str, &str)> = (plan.over.iter().copied())
        .filter(|(o, i)| inputs.get(*i).is_some_and(|input| input.is_same(output(o))))
        .collect();
    let is_over = |tensor: &TensorRef, copied: Option<&str>| match tensor {
        TensorRef::Output(name) => {
            in_place.iter().any(|(o, i)| o == name && copied.is_none_or(|c| c == *i))
        }
        TensorRef::Input(_) | TensorRef::Temp(_) => false,
    };
    let arg = |arg: &'a Arg| match arg {
        Arg::Scalar(dtype, bits) => LaunchArg::Scalar(*dtype, *bits),
        Arg::Buffer(tensor) if is_over(tensor, None) => LaunchArg::Over(find(tensor)),
        Arg::Buffer(tensor) => LaunchArg::Buffer(find(tensor)),
        Arg::Bytes(tensor) => LaunchArg::Bytes(find(tensor)),
        Arg::Words(tensor) => LaunchArg::Words(find(tensor)),
        Arg::View(tensor, layout) => LaunchArg::View(find(tensor), layout.clone()),
    };
    let of_step = |(step, program): (&'a Step, &'a Program)| Launch {
        program,
        args: step.args.iter().map(arg).collect(),
    };
    let is_needed = |step: &Step| {
        let outputs = || step.args.iter().filter_map(Arg::tensor);
        step.copies.is_none_or(|input| !outputs().any(|t| is_over(t, Some(input))))
    };
    plan.steps.iter().zip(programs).filter(|(step, _)| is_needed(step)).map(of_step).collect()
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Device({})", self.info().name)
    }
}

/// The operation of the library with this name.
pub fn operation(name: &str) -> Result<&'static Entry> {
    kernels::find(name).ok_or_else(|| {
        let holds = |e: &Entry| !name.is_empty() && e.name.contains(name) || name.contains(e.name);
        let near = |e: &&Entry| holds(e) || edits(e.name, name) <= 2.min(name.len() / 3);
        let near = kernels::entries().filter(near).map(|e| e.name).take(8).collect();
        Error::UnknownOperation { name: name.into(), near }
    })
}

/// Letters to insert, drop or change until one word is the other.
fn edits(from: &str, to: &str) -> usize {
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.bytes().enumerate() {
        let mut corner = i;
        row[0] = i + 1;
        for (j, b) in to.bytes().enumerate() {
            let change = corner + usize::from(a != b);
            corner = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(corner + 1);
        }
    }
    row[to.len()]
}

/// What a kernel can be launched on: a tensor or a number.
pub trait Operand {
    /// The tensor, if it is one.
    fn tensor(&self) -> Option<&Tensor>;
    /// The argument for a parameter of this kind.
    fn arg(&self, kind: &ParamKind) -> Result<LaunchArg<'_>>;
}

impl Operand for Tensor {
    fn tensor(&self) -> Option<&Tensor> {
        Some(self)
    }

    fn arg(&self, kind: &ParamKind) -> Result<LaunchArg<'_>> {
        match kind {
            ParamKind::View { .. } => Ok(LaunchArg::View(&self.memory, self.desc.layout.clone())),
            ParamKind::Scalar(_) | ParamKind::Buffer { .. } if self.desc.is_contiguous() => {
                Ok(LaunchArg::Buffer(&self.memory))
            }
            ParamKind::Scalar(_) | ParamKind::Buffer { .. } => Err(Error::View {
                what: "a strided view for a buffer parameter".into(),
                shape: self.shape().to_vec(),
            }),
        }
    }
}

impl<T: Host> Operand for T {
    fn tensor(&self) -> Option<&Tensor> {
        None
    }

    fn arg(&self, _: &ParamKind) -> Result<LaunchArg<'_>> {
        Ok(LaunchArg::Scalar(T::DTYPE, self.to_bits64()))
    }
}
