//! The first launch of a plan that differs, and smaller requests for which one still does.
//!
//! Invariants
//! - Each launch begins with the memory that the CPU device left: a difference is that launch's own.
//! - A smaller request has a plan of its own; its numbers are some of the original ones.

use super::launch::{Element, first_element, is_refusal, outputs};
use crate::judge::trial::guarded;
use evenweave::{Device, Error};
use evenweave_kernels::{
    case::Case,
    entry::{Entry, Request, TensorDesc},
    pattern,
    plan::{Arg, Plan, Step, TensorRef},
};
use evenweave_lang::{
    dtype::DType,
    generate::{Argument, pack},
    ir::Kernel,
};
use std::collections::{BTreeMap, BTreeSet};

/// Requests that are tried, at most.
const MOST_TRIES: u32 = 80;

/// A request with its numbers.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) entry: &'static Entry,
    pub(crate) request: Request,
    /// Of each input, all elements of its buffer.
    pub(crate) data: BTreeMap<String, Vec<u64>>,
}

/// A launch whose results differ.
#[derive(Clone, Debug)]
pub(crate) struct Differing {
    /// Which launch, from 0, of how many.
    pub(crate) step: usize,
    pub(crate) steps: usize,
    pub(crate) kernel: Kernel,
    pub(crate) args: Vec<Argument>,
    pub(crate) element: Element,
    /// Shape of the memory that holds the element.
    shape: Vec<u32>,
}

/// What running a request on both devices shows.
#[derive(Debug)]
pub(crate) enum Seen {
    Same,
    Differs(Box<Differing>),
    Refused(Error),
    Failed(Error),
}

impl Asked {
    /// A case, which must have a pattern for each input.
    pub(crate) fn of_case(entry: &'static Entry, case: &Case) -> Option<Asked> {
        let mut data = BTreeMap::new();
        for (name, desc) in &case.request.inputs {
            let bytes = case.inputs.get(name)?.memory(desc);
            let elems = desc.layout.span_elems()? as usize;
            let bits = |i| evenweave_kernels::number::element(desc.dtype, &bytes, i);
            data.insert(name.clone(), (0..elems).map(bits).collect());
        }
        Some(Asked { entry, request: case.request.clone(), data })
    }

    fn plan(&self) -> Option<Plan> {
        guarded("plan", || self.entry.plan(&self.request)).ok()?.ok()
    }

    /// Runs the plan launch by launch on both devices.
    pub(crate) fn run(&self, oracle: &Device, device: &Device) -> Result<Seen, Error> {
        let plan = self.entry.plan(&self.request)?;
        self.run_plan(&plan, oracle, device)
    }

    fn run_plan(&self, plan: &Plan, oracle: &Device, device: &Device) -> Result<Seen, Error> {
        let mut memory = self.memory(plan);
        for (at, step) in plan.steps.iter().enumerate() {
            let args = arguments(step, &memory);
            let want = outputs(oracle, &step.kernel, &args)?;
            let got = match outputs(device, &step.kernel, &args) {
                Ok(got) => got,
                Err(error) if is_refusal(&error) => return Ok(Seen::Refused(error)),
                Err(error) => return Ok(Seen::Failed(error)),
            };
            if let Some(element) = first_element(&step.kernel, &want, &got) {
                let tensor = step.args[element.param].tensor().expect("what is written is memory");
                return Ok(Seen::Differs(Box::new(Differing {
                    step: at,
                    steps: plan.steps.len(),
                    kernel: step.kernel.clone(),
                    shape: memory[tensor].0.shape().to_vec(),
                    args,
                    element,
                })));
            }
            for ((arg, param), words) in step.args.iter().zip(&step.kernel.params).zip(want) {
                let is_written = match param.kind.access() {
                    Some(evenweave_lang::ir::Access::Out | evenweave_lang::ir::Access::InOut) => {
                        true
                    }
                    Some(evenweave_lang::ir::Access::In) | None => false,
                };
                if let (true, Some(tensor)) = (is_written, arg.tensor()) {
                    memory.get_mut(tensor).expect("a plan names its own memory").1 = words;
                }
            }
        }
        Ok(Seen::Same)
    }

    fn memory(&self, plan: &Plan) -> BTreeMap<TensorRef, (TensorDesc, Vec<u64>)> {
        let undefined = |desc: &TensorDesc| {
            (desc.clone(), vec![pattern::poison(desc.dtype); desc.elems() as usize])
        };
        let mut all = BTreeMap::new();
        for (name, desc) in &self.request.inputs {
            all.insert(TensorRef::Input(name.clone()), (desc.clone(), self.data[name].clone()));
        }
        for (name, desc) in &plan.outputs {
            all.insert(TensorRef::Output(name.clone()), undefined(desc));
        }
        for (index, desc) in plan.temps.iter().enumerate() {
            all.insert(TensorRef::Temp(index), undefined(desc));
        }
        all
    }

    /// The same numbers without gaps, where a window of each axis with extent `from` is kept: `to` from `start`.
    fn window(&self, from: u32, to: u32, start: u32) -> Asked {
        let mut next = self.clone();
        for (name, desc) in &mut next.request.inputs {
            let old = desc.clone();
            let shape: Vec<u32> =
                old.shape().iter().map(|&e| if e == from { to } else { e }).collect();
            let first: Vec<u32> =
                old.shape().iter().map(|&e| if e == from { start } else { 0 }).collect();
            *desc = TensorDesc::new(old.dtype, &shape);
            let offset: u64 =
                first.iter().zip(&old.layout.strides).map(|(&at, &s)| u64::from(at) * s).sum();
            let kept = TensorDesc::strided(
                old.dtype,
                &shape,
                &old.layout.strides,
                old.layout.offset + offset,
            );
            let data = &self.data[name];
            let words = pattern::places(&kept).map(|place| data[place]).collect();
            next.data.insert(name.clone(), words);
        }
        next
    }

    fn extents(&self) -> BTreeSet<u32> {
        self.request.inputs.values().flat_map(|d| d.shape().to_vec()).filter(|&e| e > 1).collect()
    }
}

fn arguments(step: &Step, memory: &BTreeMap<TensorRef, (TensorDesc, Vec<u64>)>) -> Vec<Argument> {
    let one = |arg: &Arg| match arg {
        Arg::Scalar(dtype, bits) => Argument::Scalar(*dtype, *bits),
        Arg::Buffer(tensor) => Argument::Buffer(dtype(memory, tensor), memory[tensor].1.clone()),
        Arg::Bytes(tensor) => {
            let bytes = pack(dtype(memory, tensor), &memory[tensor].1);
            Argument::Buffer(DType::U8, bytes.into_iter().map(u64::from).collect())
        }
        Arg::Words(tensor) => {
            let bytes = pack(dtype(memory, tensor), &memory[tensor].1);
            let word = |b: &[u8; 4]| u64::from(u32::from_le_bytes(*b));
            Argument::Buffer(DType::U32, bytes.as_chunks().0.iter().map(word).collect())
        }
        Arg::View(tensor, layout) => {
            Argument::View(dtype(memory, tensor), memory[tensor].1.clone(), layout.clone())
        }
    };
    step.args.iter().map(one).collect()
}

fn dtype(memory: &BTreeMap<TensorRef, (TensorDesc, Vec<u64>)>, tensor: &TensorRef) -> DType {
    memory[tensor].0.dtype
}

/// A request with smaller extents that still differs, with its difference: the given one where none does.
pub(crate) fn smaller(
    asked: Asked,
    differing: Differing,
    oracle: &Device,
    device: &Device,
) -> (Asked, Differing) {
    let mut best = (asked, differing);
    let mut tries = 0;
    let mut differs = |asked: &Asked| {
        tries += 1;
        if tries > MOST_TRIES {
            return None;
        }
        match asked.run_plan(&asked.plan()?, oracle, device) {
            Ok(Seen::Differs(differing)) => Some(*differing),
            Ok(Seen::Same | Seen::Refused(_) | Seen::Failed(_)) | Err(_) => None,
        }
    };
    loop {
        let smaller = best.0.extents().into_iter().rev().find_map(|from| {
            candidates(from, &best.1).into_iter().find_map(|(to, start)| {
                let next = best.0.window(from, to, start);
                let differing = differs(&next)?;
                Some((next, differing))
            })
        });
        match smaller {
            Some(next) => best = next,
            None => return best,
        }
    }
}

/// Windows of an axis, the smallest first: around the element that differs, at the beginning, at the end.
fn candidates(from: u32, differing: &Differing) -> Vec<(u32, u32)> {
    let mut at = Vec::new();
    let mut index = differing.element.index as u64;
    for &extent in differing.shape.iter().rev() {
        let extent = u64::from(extent.max(1));
        if extent == u64::from(from) {
            at.push((index % extent) as u32);
        }
        index /= extent;
    }
    let mut all = Vec::new();
    for to in [1, 2, 4, from / 4, from / 2, from - 1] {
        if to == 0 || to >= from {
            continue;
        }
        let last = from - to;
        for start in at.iter().map(|&at| at.min(last)).chain([0, last]) {
            if !all.contains(&(to, start)) {
                all.push((to, start));
            }
        }
    }
    all
}
