//! Arrays in files: `.npy`, `.npz` and `.safetensors` in, `.npy` and `.safetensors` out.
//!
//! Invariants
//! - What a header says is checked against the bytes that are there before anything is allocated from it.
//! - An array is row-major and little-endian, its elements packed end to end.
//! - A file is written under another name and then renamed: it is whole or it is not there.

mod npy;
mod tensors;

pub(crate) use tensors::dtype_of;

use evenweave_lang::dtype::DType;
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// An array in memory.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Array {
    pub(crate) dtype: DType,
    pub(crate) shape: Vec<u32>,
    pub(crate) bytes: Vec<u8>,
}

/// Why a file cannot be read or written; one line with the file's name.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FileError {
    #[error("{path}: {cause}")]
    Io { path: String, cause: io::Error },
    #[error("{path}: arrays come in .npy, .npz and .safetensors files")]
    Kind { path: String },
    #[error("{path}: results go to .npy and .safetensors files")]
    OutKind { path: String },
    #[error("{path}: {what} is malformed: {cause}")]
    Malformed { path: String, what: &'static str, cause: String },
    #[error("{path}: the data is cut off: the header says {want} bytes, there are {got}")]
    Truncated { path: String, want: u64, got: u64 },
    #[error("{path}: there is more data than the {want} bytes that the header says")]
    Trailing { path: String, want: u64 },
    #[error("{path}: element type {got} is none of ours ({known})")]
    DType { path: String, got: String, known: String },
    #[error("{path}: big-endian numbers ({got}); save it little-endian")]
    BigEndian { path: String, got: String },
    #[error("{path}: Fortran order; save it in C order (numpy.ascontiguousarray)")]
    Fortran { path: String },
    #[error(
        "{path}: the shape {shape} is too large: an extent is at most 2^32 - 1, a buffer 2^63 - 1 bytes"
    )]
    Absurd { path: String, shape: String },
    #[error("{path}: element {at} of a bool array is {got}, not 0 or 1")]
    Bool { path: String, at: usize, got: u8 },
    #[error("{path}: there is no tensor `{name}` (there are: {known})")]
    Missing { path: String, name: String, known: String },
    #[error("{path}: say which tensor, as in {path}:NAME (there are: {known})")]
    Which { path: String, known: String },
    #[error("{path}: an .npy file has no names, so `:{name}` names nothing")]
    NoNames { path: String, name: String },
    #[error("{path}: .npy has no element type for {dtype}; write a .safetensors file")]
    NoNpyType { path: String, dtype: DType },
    #[error("{path}: .safetensors has no element type for {dtype}")]
    NoTensorType { path: String, dtype: DType },
}

/// A file and, where it has several, the array's name: `FILE[:TENSOR]`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    pub(crate) tensor: Option<String>,
}

impl Source {
    /// Splits at the last colon that follows a known ending, so that paths may have colons.
    pub(crate) fn parse(text: &str) -> Source {
        for ending in [".npy", ".npz", ".safetensors"] {
            if let Some(at) = text.rfind(&format!("{ending}:")) {
                let (path, name) = text.split_at(at + ending.len());
                return Source { path: path.into(), tensor: Some(name[1..].into()) };
            }
        }
        Source { path: text.into(), tensor: None }
    }
}

enum Kind {
    Npy,
    Npz,
    Safetensors,
}

fn kind(path: &Path) -> Option<Kind> {
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    match ending.as_str() {
        "npy" => Some(Kind::Npy),
        "npz" => Some(Kind::Npz),
        "safetensors" => Some(Kind::Safetensors),
        _ => None,
    }
}

/// Reads one array.
pub(crate) fn read(source: &Source) -> Result<Array, FileError> {
    let path = source.path.display().to_string();
    let Some(kind) = kind(&source.path) else { return Err(FileError::Kind { path }) };
    let io = |cause| FileError::Io { path: path.clone(), cause };
    let tensor = source.tensor.as_deref();
    let array = match kind {
        Kind::Npy => {
            if let Some(name) = tensor {
                return Err(FileError::NoNames { path, name: name.into() });
            }
            npy::read(&path, &fs::read(&source.path).map_err(io)?)
        }
        Kind::Npz => npy::read_zipped(&path, fs::File::open(&source.path).map_err(io)?, tensor),
        Kind::Safetensors => tensors::read(&path, &fs::read(&source.path).map_err(io)?, tensor),
    }?;
    check_bools(&path, &array)?;
    Ok(array)
}

/// Fails where `encode` would fail for its dtype or name, before there is a result.
pub(crate) fn check_kind(path: &Path, dtype: DType) -> Result<(), FileError> {
    let shown = path.display().to_string();
    match kind(path) {
        Some(Kind::Npy) => npy::type_name(&shown, dtype).map(drop),
        Some(Kind::Safetensors) => tensors::type_of(&shown, dtype).map(drop),
        Some(Kind::Npz) | None => Err(FileError::OutKind { path: shown }),
    }
}

/// Fails where `write` would fail at this place, before there is a result.
pub(crate) fn check_place(path: &Path) -> Result<(), FileError> {
    let part = part_of(path)?;
    fs::File::create(&part).map_err(io_error(path))?;
    fs::remove_file(&part).map_err(io_error(path))
}

/// One path for all spellings of a file's place. The file need not be there, its folder must.
pub(crate) fn place(path: &Path) -> Result<PathBuf, FileError> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = folder.canonicalize().map_err(io_error(path))?;
    Ok(folder.join(path.file_name().unwrap_or_default()))
}

fn io_error(path: &Path) -> impl Fn(io::Error) -> FileError {
    move |cause| FileError::Io { path: path.display().to_string(), cause }
}

/// The name under which a file is written before it is moved to its place.
fn part_of(path: &Path) -> Result<PathBuf, FileError> {
    let io = io_error(path);
    let name = path.file_name().ok_or_else(|| io(io::ErrorKind::InvalidFilename.into()))?;
    if path.is_dir() {
        return Err(io(io::ErrorKind::IsADirectory.into()));
    }
    if path.as_os_str().as_encoded_bytes().ends_with(b"/") {
        return Err(io(io::ErrorKind::NotADirectory.into()));
    }
    Ok(path.with_file_name(format!(".{}.{}.part", name.to_string_lossy(), std::process::id())))
}

/// The bytes of a file with these arrays; an `.npy` file holds one, whose name it drops.
pub(crate) fn encode(path: &Path, arrays: &[(&str, &Array)]) -> Result<Vec<u8>, FileError> {
    let shown = path.display().to_string();
    match (kind(path), arrays) {
        (Some(Kind::Npy), [(_, array)]) => npy::encode(&shown, array),
        (Some(Kind::Safetensors), _) => tensors::encode(&shown, arrays),
        (Some(Kind::Npy | Kind::Npz) | None, _) => Err(FileError::OutKind { path: shown }),
    }
}

/// Writes a file whole or not at all.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    write_together(&[(path, bytes)])
}

/// Writes all files beside their places, and moves them there when all are whole. A link is followed; what is no file (a
/// pipe, a terminal, a device) is written to as it is.
pub(crate) fn write_together(
    files: &[(impl AsRef<Path>, impl AsRef<[u8]>)],
) -> Result<(), FileError> {
    let mut parts: Vec<(PathBuf, PathBuf)> = Vec::new();
    let result = files.iter().try_for_each(|(path, bytes)| {
        let path = path.as_ref();
        match fs::metadata(path) {
            Ok(there) if !there.is_file() => {
                return fs::write(path, bytes).map_err(io_error(path));
            }
            Ok(there) if there.permissions().readonly() => {
                return Err(io_error(path)(io::ErrorKind::PermissionDenied.into()));
            }
            Ok(_) | Err(_) => {}
        }
        let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let part = part_of(path)?;
        parts.push((part.clone(), path.clone()));
        fs::write(&part, bytes).map_err(io_error(path))
    });
    let moved = result.and_then(|()| {
        parts.iter().try_for_each(|(part, path)| fs::rename(part, path).map_err(io_error(path)))
    });
    if moved.is_err() {
        for (part, _) in &parts {
            // A part that is not there or cannot be removed changes nothing about the error to tell.
            let _ = fs::remove_file(part);
        }
    }
    moved
}

fn check_bools(path: &str, array: &Array) -> Result<(), FileError> {
    if array.dtype == DType::Bool
        && let Some(at) = array.bytes.iter().position(|&b| b > 1)
    {
        return Err(FileError::Bool { path: path.into(), at, got: array.bytes[at] });
    }
    Ok(())
}

/// The extents as ours, and the bytes of the data.
fn checked_shape(path: &str, dtype: DType, shape: &[u64]) -> Result<(Vec<u32>, u64), FileError> {
    let absurd = || FileError::Absurd { path: path.into(), shape: format!("{shape:?}") };
    let ours: Result<Vec<u32>, _> = shape.iter().map(|&e| u32::try_from(e)).collect();
    let ours = ours.map_err(|_| absurd())?;
    // Zero extents do not excuse the others: 0 x 2^40 x 2^40 is no array anyone has saved.
    let elems = shape.iter().try_fold(1u64, |n, &e| n.checked_mul(e.max(1))).ok_or_else(absurd)?;
    let elems = if shape.contains(&0) { 0 } else { elems };
    let bytes = dtype.bytes_for(elems).filter(|&b| b <= isize::MAX as u64).ok_or_else(absurd)?;
    Ok((ours, bytes))
}

fn checked_length(path: &str, want: u64, got: u64) -> Result<(), FileError> {
    let path = path.into();
    match got.cmp(&want) {
        std::cmp::Ordering::Less => Err(FileError::Truncated { path, want, got }),
        std::cmp::Ordering::Greater => Err(FileError::Trailing { path, want }),
        std::cmp::Ordering::Equal => Ok(()),
    }
}

/// Names, the first twenty.
pub(crate) fn listed(names: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let mut names: Vec<String> = names.into_iter().map(|n| n.as_ref().into()).collect();
    names.sort();
    let more = names.len().saturating_sub(20);
    names.truncate(20);
    match (names.is_empty(), more) {
        (true, _) => "none".into(),
        (false, 0) => names.join(", "),
        (false, more) => format!("{} and {more} more", names.join(", ")),
    }
}

#[cfg(test)]
mod tests;
