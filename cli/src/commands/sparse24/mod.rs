//! `evenweave prune24` and `evenweave check24`: files of weights and 2:4 sparsity.
//!
//! Invariants
//! - Which matrices a file says are sparse is in its metadata: `sparse24.NAME` is `dense` for one that lies there with its
//!   zeros, and names dtype, rows and columns for one whose image lies there.
//! - A matrix is a tensor of at least two axes; its last axis is the row.

mod check;
mod prune;

pub(super) use check::run as check24;
pub(super) use prune::run as prune24;

use super::Failure;
use crate::files::FileError;
use evenweave_kernels::sparse::host::{self, Coded};
use evenweave_lang::dtype::DType;
use safetensors::{Dtype, SafeTensors, tensor::TensorView};
use std::{collections::HashMap, fs, path::Path};

/// Rows that are looked at together.
const BLOCK_ROWS: usize = 256;

/// What the metadata says of a matrix that lies in the file with its zeros.
const DENSE: &str = "dense";

/// A file in memory.
struct Weights {
    path: String,
    bytes: Vec<u8>,
    metadata: HashMap<String, String>,
}

/// A matrix of a file: its rows are the last axis.
struct Matrix<'a> {
    dtype: DType,
    rows: usize,
    columns: usize,
    bytes: &'a [u8],
}

impl Weights {
    fn read(path: &Path) -> Result<Weights, Failure> {
        let shown = path.display().to_string();
        let bytes = fs::read(path).map_err(|cause| FileError::Io { path: shown.clone(), cause })?;
        let malformed = |cause: safetensors::SafeTensorError| FileError::Malformed {
            path: shown.clone(),
            what: "the safetensors file",
            cause: cause.to_string(),
        };
        let (_, header) = SafeTensors::read_metadata(&bytes).map_err(malformed)?;
        let metadata = header.metadata().clone().unwrap_or_default();
        SafeTensors::deserialize(&bytes).map_err(malformed)?;
        Ok(Weights { path: shown, bytes, metadata })
    }

    fn tensors(&self) -> SafeTensors<'_> {
        SafeTensors::deserialize(&self.bytes).expect("it was read before")
    }

    /// The file's tensors that a pattern names; an error where a pattern names none.
    fn named(&self, patterns: &[String]) -> Result<Vec<String>, Failure> {
        let tensors = self.tensors();
        let mut names: Vec<String> = tensors.names().iter().map(ToString::to_string).collect();
        names.sort();
        for pattern in patterns {
            if !names.iter().any(|name| matches(pattern, name)) {
                let known = crate::files::listed(&names);
                let path = &self.path;
                return Err(Failure::usage(format!(
                    "{path}: no tensor is named `{pattern}` (there are: {known})"
                )));
            }
        }
        names.retain(|name| patterns.iter().any(|pattern| matches(pattern, name)));
        Ok(names)
    }

    /// Whether a tensor is the values or the index of a compressed matrix.
    fn is_part(&self, name: &str) -> bool {
        let of = name.strip_suffix(".values").or_else(|| name.strip_suffix(".index"));
        let said = of.and_then(|of| self.metadata.get(&format!("sparse24.{of}")));
        said.is_some_and(|said| said != DENSE)
    }

    /// A tensor as a matrix that may be sparse.
    fn matrix<'a>(&'a self, name: &str, view: &TensorView<'a>) -> Result<Matrix<'a>, Failure> {
        let wrong = |what: String| Failure::usage(format!("{}:{name}: {what}", self.path));
        if self.is_part(name) {
            return Err(wrong("it is a part of a compressed matrix".into()));
        }
        let dtype = crate::files::dtype_of(view.dtype());
        let dtype = dtype.filter(|d| host::DTYPES.contains(d)).ok_or_else(|| match dtype {
            Some(got) => wrong(host::Refusal::DType { got }.to_string()),
            None => wrong(format!("{:?} is no dtype of ours", view.dtype())),
        })?;
        let [rest @ .., columns] = view.shape() else {
            return Err(wrong("a single number is no matrix".into()));
        };
        if rest.is_empty() {
            return Err(wrong(format!("a vector of {columns} elements is no matrix")));
        }
        Ok(Matrix { dtype, rows: rest.iter().product(), columns: *columns, bytes: view.data() })
    }
}

impl Matrix<'_> {
    /// The bytes of some rows at a time, with the number of the first.
    fn blocks(&self) -> Vec<(usize, &[u8])> {
        let row_bytes = self.columns * self.dtype.bits() as usize / 8;
        if row_bytes == 0 {
            return Vec::new();
        }
        let blocks = self.bytes.chunks(BLOCK_ROWS * row_bytes).enumerate();
        blocks.map(|(i, bytes)| (i * BLOCK_ROWS, bytes)).collect()
    }

    fn cells(&self, bytes: &[u8]) -> Vec<Coded> {
        host::cells(self.dtype, bytes, bytes.len() * 8 / self.dtype.bits() as usize)
    }
}

/// Whether a name is one of a pattern's, in which `*` stands for any text and `?` for any character.
fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), name.chars().collect());
    // Whether the pattern up to here names the text up to each place.
    let mut at: Vec<bool> = (0..=name.len()).map(|i| i == 0).collect();
    for &p in &pattern {
        let before = at.clone();
        for i in 0..=name.len() {
            at[i] = match p {
                '*' => before[i] || (i > 0 && at[i - 1]),
                '?' => i > 0 && before[i - 1],
                c => i > 0 && before[i - 1] && name[i - 1] == c,
            };
        }
    }
    at[name.len()]
}

/// A safetensors file of some tensors and metadata.
fn encode(
    path: &Path,
    tensors: &[(String, Dtype, Vec<usize>, impl AsRef<[u8]>)],
    metadata: HashMap<String, String>,
) -> Result<Vec<u8>, Failure> {
    let bad = |e: safetensors::SafeTensorError| FileError::Malformed {
        path: path.display().to_string(),
        what: "the result",
        cause: e.to_string(),
    };
    let mut views = Vec::new();
    for (at, (name, dtype, shape, bytes)) in tensors.iter().enumerate() {
        if tensors[..at].iter().any(|(other, ..)| other == name) {
            let what = format!("two tensors would be named `{name}`");
            return Err(Failure::usage(format!("{}: {what}", path.display())));
        }
        let view = TensorView::new(*dtype, shape.clone(), bytes.as_ref()).map_err(bad)?;
        views.push((name, view));
    }
    let metadata = (!metadata.is_empty()).then_some(metadata);
    Ok(safetensors::serialize(views, metadata).map_err(bad)?)
}

#[cfg(test)]
mod tests;
