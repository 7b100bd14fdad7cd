//! A call of an operation of the library.

use crate::{Device, Error, Result, Tensor, device::operation};
use evenweave_kernels::{
    entry::{Entry, Request, Setting, TensorDesc},
    plan::Plan,
    sparse::gemm_sparse24::for_device,
};
use evenweave_lang::launch::Layout;
use std::{collections::BTreeMap, ops::Index};

/// A call under construction; `run` ends it.
#[derive(Debug)]
#[must_use = "a call does nothing before `run`"]
pub struct Call<'a> {
    device: &'a Device,
    entry: Result<&'static Entry>,
    request: Request,
    inputs: BTreeMap<String, Tensor>,
    outputs: BTreeMap<String, Tensor>,
}

impl<'a> Call<'a> {
    pub(crate) fn new(device: &'a Device, name: &str) -> Call<'a> {
        let (inputs, outputs) = Default::default();
        Call { device, entry: operation(name), request: Request::new(), inputs, outputs }
    }

    /// Gives an input.
    pub fn input(mut self, name: &str, tensor: &Tensor) -> Call<'a> {
        self.request = self.request.input(name, tensor.desc().clone());
        self.inputs.insert(name.into(), tensor.clone());
        self
    }

    /// Gives a setting.
    pub fn set(mut self, name: &str, value: impl Into<Setting>) -> Call<'a> {
        self.request = self.request.set(name, value);
        self
    }

    /// Gives a word.
    pub fn word(mut self, name: &str, value: &str) -> Call<'a> {
        self.request = self.request.word(name, value);
        self
    }

    /// Has an output written into a tensor of the caller's, of its shape and dtype, instead of one made for it. A view is filled
    /// by a copy once the operation is done. The tensor may also be an input, where the operation's signature says so of the
    /// output (`OutputSpec::over`): then the operation works in place.
    ///
    /// ```
    /// let device = evenweave::Device::open("cpu")?;
    /// let x = device.tensor(&[3], &[-1.0f32, 2.0, 3.0])?;
    /// device.call("relu").input("x", &x).into("y", &x).run()?;
    /// assert_eq!(x.to_vec::<f32>()?, [0.0, 2.0, 3.0]);
    ///
    /// let turned = x.slice(0, 0, 1)?;
    /// let error = device.call("softmax").input("x", &x).into("y", &turned).run().unwrap_err();
    /// assert_eq!(error.to_string(), "softmax: output `y` is f32 [3], but it was to go into f32 [1]");
    /// # Ok::<(), evenweave::Error>(())
    /// ```
    pub fn into(mut self, output: &str, tensor: &Tensor) -> Call<'a> {
        self.outputs.insert(output.into(), tensor.clone());
        self
    }

    /// Runs it.
    pub fn run(self) -> Result<Outputs> {
        let entry = self.entry?;
        for (name, tensor) in self.inputs.iter().chain(&self.outputs) {
            self.device.check_owner(name, tensor)?;
        }
        let facts = self.device.raw().facts();
        let has = |atom| facts.is_some_and(|facts| facts.has_matrix(atom));
        let has_wide = |wide| facts.is_some_and(|facts| facts.has_wide(wide));
        let request = for_device(entry, self.request, has, has_wide);
        let prepared = self.device.plan(entry, &request)?;
        let plan = prepared.plan();
        check_destinations(entry, plan, &self.inputs, &self.outputs)?;
        let inputs = self.inputs.into_iter().map(|(name, t)| (name, t.memory)).collect();
        let own = |name: &str| self.outputs.get(name).filter(|t| t.desc.is_contiguous());
        let workspace = self.device.workspace_with(plan, |name| own(name).map(|t| &t.memory))?;
        self.device.execute(&prepared, &inputs, &workspace)?;
        let mut tensors = Vec::new();
        for ((name, desc), memory) in plan.outputs.iter().zip(workspace.outputs) {
            let tensor = match self.outputs.get(name) {
                None => self.device.tensor_of_memory(memory, desc.clone()),
                Some(given) => {
                    if !given.desc.is_contiguous() {
                        self.device.unpack(memory, given)?;
                    }
                    given.clone()
                }
            };
            tensors.push((name.clone(), tensor));
        }
        Ok(Outputs { op: entry.name, tensors })
    }

    /// Runs it and takes its only output.
    pub fn run_one(self) -> Result<Tensor> {
        self.run()?.only()
    }
}

/// Whether the tensors for outputs are of their kind, and no memory is used twice that may not be.
fn check_destinations(
    entry: &Entry,
    plan: &Plan,
    inputs: &BTreeMap<String, Tensor>,
    outputs: &BTreeMap<String, Tensor>,
) -> Result<()> {
    let op = entry.name;
    for (name, tensor) in outputs {
        let Some((_, want)) = plan.outputs.iter().find(|(n, _)| n == name) else {
            let known = plan.outputs.iter().map(|(n, _)| n.as_str()).collect::<Vec<_>>().join(", ");
            return Err(Error::Output { op, name: name.clone(), known });
        };
        let kind = |desc: &TensorDesc| format!("{} {:?}", desc.dtype, desc.shape());
        if (want.dtype, want.shape()) != (tensor.dtype(), tensor.shape()) {
            let (want, got) = (kind(want), kind(&tensor.desc));
            return Err(Error::Destination { op, output: name.clone(), want, got });
        }
        if !tensor.desc.is_contiguous() {
            if covers_itself(&tensor.desc.layout) {
                let (want, got) =
                    ("elements of their own".into(), "a view that repeats some".into());
                return Err(Error::Destination { op, output: name.clone(), want, got });
            }
            // It is filled when everything has been read.
            continue;
        }
        let direct = |t: &&Tensor| t.desc.is_contiguous() && t.memory.is_same(&tensor.memory);
        let twin = outputs.iter().find(|(n, t)| *n != name && direct(t));
        if let Some((twin, _)) = twin.filter(|_| tensor.elems() > 0) {
            return Err(Error::Twice { op, output: name.clone(), other: twin.clone() });
        }
        let spec = entry.signature.outputs.iter().find(|o| o.name == *name);
        for (input, given) in inputs.iter().filter(|(_, t)| t.memory.is_same(&tensor.memory)) {
            let reads_views = entry.signature.inputs.iter().any(|i| i.name == *input && i.strided);
            let is_packed = !given.desc.is_contiguous() && !reads_views;
            if !is_packed && !plan.allows(name, input) {
                let (output, input) = (name.clone(), input.clone());
                let over = spec.map_or(&[][..], |o| o.over).to_vec();
                return Err(Error::Over { op, output, input, over });
            }
        }
    }
    Ok(())
}

/// Whether two elements of a view may be one of its memory.
fn covers_itself(layout: &Layout) -> bool {
    let mut axes: Vec<(u64, u64)> = (layout.strides.iter().copied())
        .zip(layout.shape.iter().map(|&e| u64::from(e)))
        .filter(|&(_, extent)| extent > 1)
        .collect();
    axes.sort_unstable();
    let mut reach = 0u64;
    for (stride, extent) in axes {
        if stride <= reach {
            return true;
        }
        reach = reach.saturating_add(stride.saturating_mul(extent - 1));
    }
    false
}

/// What an operation gave, by name and in the order of its signature.
#[derive(Clone, Debug)]
pub struct Outputs {
    op: &'static str,
    tensors: Vec<(String, Tensor)>,
}

impl Outputs {
    /// An output.
    pub fn get(&self, name: &str) -> Result<&Tensor> {
        let found = self.tensors.iter().find(|(n, _)| n == name);
        found.map(|(_, t)| t).ok_or_else(|| self.none(name))
    }

    /// The only output.
    pub fn only(mut self) -> Result<Tensor> {
        match (self.tensors.pop(), self.tensors.is_empty()) {
            (Some((_, tensor)), true) => Ok(tensor),
            (last, _) => {
                self.tensors.extend(last);
                Err(self.none("*"))
            }
        }
    }

    /// Name and tensor of each.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Tensor)> {
        self.tensors.iter().map(|(name, tensor)| (name.as_str(), tensor))
    }

    fn none(&self, name: &str) -> Error {
        let known = self.tensors.iter().map(|(n, _)| n.as_str()).collect::<Vec<_>>().join(", ");
        Error::Output { op: self.op, name: name.into(), known }
    }
}

impl Index<&str> for Outputs {
    type Output = Tensor;

    /// # Panics
    /// When there is no output of this name; `get` returns an error instead.
    fn index(&self, name: &str) -> &Tensor {
        self.get(name).unwrap_or_else(|e| panic!("{e}"))
    }
}
