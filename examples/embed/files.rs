//! The model's two files: weights and tokenizer.
//!
//! Invariants
//! - A file that is missing, or is not what it should be, is one clear line that names it.
//! - A tensor comes back only in the dtype and shape that were asked for.

use evenweave::{Device, Sparse24, Sparse24Error, Tensor, lang::dtype::DType};
use safetensors::{Dtype, SafeTensors};
use std::{
    fs, io,
    path::{Path, PathBuf},
};
use tokenizers::Tokenizer;

/// Why there is no embedding.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EmbedError {
    /// A file is not there.
    #[error("{} is missing: run scripts/fetch-model", .file.display())]
    Missing {
        /// The file.
        file: PathBuf,
    },
    /// A file cannot be read.
    #[error("cannot read {}: {cause}", .file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// The system's reason.
        cause: io::Error,
    },
    /// A file does not parse.
    #[error("{} is no {what}: {cause}", .file.display())]
    Malformed {
        /// The file.
        file: PathBuf,
        /// What it should be.
        what: &'static str,
        /// The parser's reason.
        cause: String,
    },
    /// The weights lack a tensor.
    #[error("{} has no tensor `{name}`", .file.display())]
    NoTensor {
        /// The file.
        file: PathBuf,
        /// The tensor.
        name: String,
    },
    /// A tensor of another kind.
    #[error("{}: `{name}` must be f32 {want:?}, but it is {got}", .file.display())]
    WrongTensor {
        /// The file.
        file: PathBuf,
        /// The tensor.
        name: String,
        /// Its shape in this model.
        want: Vec<u32>,
        /// Its dtype and shape in the file.
        got: String,
    },
    /// A matrix cannot be pruned.
    #[error("{}: `{name}`: {cause}", .file.display())]
    Sparse {
        /// The file.
        file: PathBuf,
        /// The tensor.
        name: String,
        /// What is wrong with it.
        cause: Sparse24Error,
    },
    /// The tokenizer refuses a sentence.
    #[error("cannot split into tokens: {sentence}: {cause}")]
    Tokens {
        /// The sentence.
        sentence: String,
        /// The tokenizer's reason.
        cause: String,
    },
    /// The library or the device refuses or fails.
    #[error(transparent)]
    Library(#[from] evenweave::Error),
}

/// Where scripts/fetch-model puts the files.
pub(crate) fn default_folder() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).join(".models/all-minilm-l6-v2")
}

/// The files in memory.
pub(crate) struct Files {
    weights_file: PathBuf,
    weights: Vec<u8>,
    tokenizer: Tokenizer,
}

/// A sentence as the model reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tokens {
    /// A row of the word table each.
    pub(crate) ids: Vec<u32>,
    /// A row of the table of token types each.
    pub(crate) types: Vec<u32>,
    /// Whether the sentence was longer than the tokenizer allows.
    pub(crate) cut: bool,
}

impl Files {
    /// Reads the files of a folder.
    pub(crate) fn read(folder: &Path) -> Result<Files, EmbedError> {
        let (weights_file, tokenizer_file) =
            (folder.join("model.safetensors"), folder.join("tokenizer.json"));
        let weights = read(&weights_file)?;
        let parsed = Tokenizer::from_bytes(read(&tokenizer_file)?);
        let mut tokenizer = parsed.map_err(|cause| EmbedError::Malformed {
            file: tokenizer_file,
            what: "tokenizer",
            cause: cause.to_string(),
        })?;
        // Sentences are embedded one by one, so that none needs filling up to the length of another.
        tokenizer.with_padding(None);
        Ok(Files { weights_file, weights, tokenizer })
    }

    /// Splits a sentence.
    pub(crate) fn tokens(&self, sentence: &str) -> Result<Tokens, EmbedError> {
        let encoded = self.tokenizer.encode(sentence, true);
        let encoded = encoded.map_err(|cause| EmbedError::Tokens {
            sentence: sentence.into(),
            cause: cause.to_string(),
        })?;
        Ok(Tokens {
            ids: encoded.get_ids().to_vec(),
            types: encoded.get_type_ids().to_vec(),
            cut: !encoded.get_overflowing().is_empty(),
        })
    }

    /// The tensors in the file of weights.
    pub(crate) fn weights(&self) -> Result<Weights<'_>, EmbedError> {
        let tensors = SafeTensors::deserialize(&self.weights);
        let tensors = tensors.map_err(|cause| EmbedError::Malformed {
            file: self.weights_file.clone(),
            what: "safetensors file",
            cause: cause.to_string(),
        })?;
        Ok(Weights { file: &self.weights_file, tensors })
    }
}

fn read(file: &Path) -> Result<Vec<u8>, EmbedError> {
    fs::read(file).map_err(|cause| match cause.kind() {
        io::ErrorKind::NotFound => EmbedError::Missing { file: file.into() },
        _ => EmbedError::Unreadable { file: file.into(), cause },
    })
}

/// The tensors of the weights, in the file's bytes.
pub(crate) struct Weights<'a> {
    file: &'a Path,
    tensors: SafeTensors<'a>,
}

impl Weights<'_> {
    /// Puts a tensor on a device.
    pub(crate) fn tensor(
        &self,
        device: &Device,
        name: &str,
        shape: &[u32],
    ) -> Result<Tensor, EmbedError> {
        Ok(device.tensor_of_bytes(DType::F32, shape, self.bytes(name, shape)?)?)
    }

    /// A matrix whose groups of four neighbours along a row have kept their two largest elements.
    pub(crate) fn pruned(&self, name: &str, shape: [u32; 2]) -> Result<Sparse24<f32>, EmbedError> {
        let pruned = Sparse24::prune(shape, self.bytes(name, &shape)?);
        pruned.map_err(|cause| EmbedError::Sparse {
            file: self.file.into(),
            name: name.into(),
            cause,
        })
    }

    fn bytes(&self, name: &str, shape: &[u32]) -> Result<&[u8], EmbedError> {
        let Ok(view) = self.tensors.tensor(name) else {
            return Err(EmbedError::NoTensor { file: self.file.into(), name: name.into() });
        };
        let same_shape = view.shape().iter().copied().eq(shape.iter().map(|&e| e as usize));
        if view.dtype() != Dtype::F32 || !same_shape {
            return Err(EmbedError::WrongTensor {
                file: self.file.into(),
                name: name.into(),
                want: shape.to_vec(),
                got: format!("{:?} {:?}", view.dtype(), view.shape()).to_lowercase(),
            });
        }
        Ok(view.data())
    }
}
