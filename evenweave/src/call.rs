//! A call of an operation of the library.

use crate::{Device, Error, Result, Tensor, device::operation};
use evenweave_kernels::{
    entry::{Entry, Request, Setting},
    sparse::gemm_sparse24::for_device,
};
use std::{collections::BTreeMap, ops::Index};

/// A call under construction; `run` ends it.
#[derive(Debug)]
#[must_use = "a call does nothing before `run`"]
pub struct Call<'a> {
    device: &'a Device,
    entry: Result<&'static Entry>,
    request: Request,
    inputs: BTreeMap<String, Tensor>,
}

impl<'a> Call<'a> {
    pub(crate) fn new(device: &'a Device, name: &str) -> Call<'a> {
        Call { device, entry: operation(name), request: Request::new(), inputs: BTreeMap::new() }
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

    /// Runs it.
    pub fn run(self) -> Result<Outputs> {
        let entry = self.entry?;
        for (name, tensor) in &self.inputs {
            self.device.check_owner(name, tensor)?;
        }
        let facts = self.device.raw().facts();
        let has = |atom| facts.is_some_and(|facts| facts.has_matrix(atom));
        let has_wide = |wide| facts.is_some_and(|facts| facts.has_wide(wide));
        let request = for_device(entry, self.request, has, has_wide);
        let prepared = self.device.plan(entry, &request)?;
        let plan = prepared.plan();
        let inputs = self.inputs.into_iter().map(|(name, t)| (name, t.memory)).collect();
        let workspace = self.device.workspace(plan)?;
        self.device.execute(&prepared, &inputs, &workspace)?;
        let named = plan.outputs.iter().zip(workspace.outputs);
        let tensors = named.map(|((name, desc), memory)| {
            (name.clone(), self.device.tensor_of_memory(memory, desc.clone()))
        });
        Ok(Outputs { op: entry.name, tensors: tensors.collect() })
    }

    /// Runs it and takes its only output.
    pub fn run_one(self) -> Result<Tensor> {
        self.run()?.only()
    }
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
