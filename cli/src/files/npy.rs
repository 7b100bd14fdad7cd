//! `.npy`, alone and in `.npz` archives.

use super::{Array, FileError, checked_length, checked_shape, listed};
use evenweave_lang::dtype::DType;
use npyz::{Endianness, NpyHeader, Order, TypeChar, TypeStr, WriteOptions, WriterBuilder};
use std::io::{Read, Seek};

/// Longest header text that is parsed; numpy's own take less than 200 bytes.
const MOST_HEADER_BYTES: usize = 1 << 16;
/// Deepest brackets that are parsed. A plain array has two levels; the parser recurses on each.
const MOST_NESTING: usize = 8;

/// Element types, ours and numpy's letter and size.
const TYPES: &[(DType, TypeChar, u64)] = &[
    (DType::Bool, TypeChar::Bool, 1),
    (DType::I8, TypeChar::Int, 1),
    (DType::U8, TypeChar::Uint, 1),
    (DType::I16, TypeChar::Int, 2),
    (DType::U16, TypeChar::Uint, 2),
    (DType::I32, TypeChar::Int, 4),
    (DType::U32, TypeChar::Uint, 4),
    (DType::I64, TypeChar::Int, 8),
    (DType::U64, TypeChar::Uint, 8),
    (DType::F16, TypeChar::Float, 2),
    (DType::F32, TypeChar::Float, 4),
    (DType::F64, TypeChar::Float, 8),
];

/// What a header says of the data behind it.
struct Told {
    dtype: DType,
    shape: Vec<u32>,
    start_bytes: usize,
    data_bytes: u64,
}

/// Reads the header at the beginning of some bytes.
fn told(path: &str, file: &[u8]) -> Result<Told, FileError> {
    check_header(path, file)?;
    let mut rest = file;
    let header = NpyHeader::from_reader(&mut rest).map_err(|e| malformed(path, e))?;
    let dtype = dtype_of(path, &header)?;
    if header.order() == Order::Fortran && header.shape().len() > 1 {
        return Err(FileError::Fortran { path: path.into() });
    }
    let (shape, data_bytes) = checked_shape(path, dtype, header.shape())?;
    Ok(Told { dtype, shape, start_bytes: file.len() - rest.len(), data_bytes })
}

pub(super) fn read(path: &str, file: &[u8]) -> Result<Array, FileError> {
    let Told { dtype, shape, start_bytes, data_bytes } = told(path, file)?;
    let data = &file[start_bytes..];
    checked_length(path, data_bytes, data.len() as u64)?;
    Ok(Array { dtype, shape, bytes: data.to_vec() })
}

pub(super) fn read_zipped(
    path: &str,
    file: impl Read + Seek,
    tensor: Option<&str>,
) -> Result<Array, FileError> {
    let bad = |cause: &dyn std::fmt::Display| FileError::Malformed {
        path: path.into(),
        what: "the zip archive",
        cause: cause.to_string(),
    };
    let mut archive = zip::ZipArchive::new(file).map_err(|e| bad(&e))?;
    let names: Vec<String> =
        archive.file_names().filter_map(|n| n.strip_suffix(".npy")).map(Into::into).collect();
    let name = match (tensor, names.as_slice()) {
        (Some(name), _) => name,
        (None, [only]) => only,
        (None, _) => return Err(FileError::Which { path: path.into(), known: listed(&names) }),
    };
    if !names.iter().any(|n| n == name) {
        let known = listed(&names);
        return Err(FileError::Missing { path: path.into(), name: name.into(), known });
    }
    let mut entry = archive.by_name(&format!("{name}.npy")).map_err(|e| bad(&e))?;
    let shown = format!("{path}:{name}");
    // What the archive claims of an entry's size is not believed: a small one may unpack to anything.
    let mut bytes = Vec::new();
    read_some(&mut entry, MOST_HEADER_BYTES as u64 + 12, &mut bytes).map_err(|e| bad(&e))?;
    let told = told(&shown, &bytes)?;
    let want_bytes = (told.start_bytes as u64).saturating_add(told.data_bytes);
    let more_bytes = want_bytes.saturating_add(1).saturating_sub(bytes.len() as u64);
    read_some(&mut entry, more_bytes, &mut bytes).map_err(|e| bad(&e))?;
    read(&shown, &bytes)
}

pub(super) fn type_name(path: &str, dtype: DType) -> Result<String, FileError> {
    let found = TYPES.iter().find(|t| t.0 == dtype);
    let &(_, letter, size) =
        found.ok_or_else(|| FileError::NoNpyType { path: path.into(), dtype })?;
    let order = if size == 1 { '|' } else { '<' };
    Ok(format!("{order}{}{size}", letter.to_str()))
}

pub(super) fn encode(path: &str, array: &Array) -> Result<Vec<u8>, FileError> {
    let name = type_name(path, array.dtype)?;
    let ty: TypeStr = name.parse().expect("the names of the table are numpy's");
    let shape: Vec<u64> = array.shape.iter().map(|&e| e.into()).collect();
    let mut bytes = Vec::new();
    WriteOptions::new_header_only()
        .dtype(npyz::DType::new_scalar(ty))
        .shape(&shape)
        .writer(&mut bytes)
        .write_header_only()
        .map_err(|cause| FileError::Io { path: path.into(), cause })?;
    bytes.extend_from_slice(&array.bytes);
    Ok(bytes)
}

fn dtype_of(path: &str, header: &NpyHeader) -> Result<DType, FileError> {
    let npyz::DType::Plain(ty) = header.dtype() else {
        return Err(unknown(path, header.dtype().descr()));
    };
    let found = TYPES.iter().find(|t| t.1 == ty.type_char() && t.2 == ty.size_field());
    let &(dtype, ..) = found.ok_or_else(|| unknown(path, ty.to_string()))?;
    if ty.endianness() == Endianness::Big && dtype.bits() > 8 {
        return Err(FileError::BigEndian { path: path.into(), got: ty.to_string() });
    }
    Ok(dtype)
}

fn unknown(path: &str, got: String) -> FileError {
    let known = TYPES.iter().map(|t| t.0.name()).collect::<Vec<_>>().join(", ");
    FileError::DType { path: path.into(), got, known }
}

fn malformed(path: &str, cause: impl std::fmt::Display) -> FileError {
    // The parser draws a picture below its message.
    let cause = cause.to_string().replace("could not parse Python expression: ", "");
    let cause = match cause.split_once('\n') {
        Some((first, _)) => {
            format!("no Python literal ({})", first.replace(" --> ", " at ").trim())
        }
        None => cause,
    };
    FileError::Malformed { path: path.into(), what: "the .npy header", cause }
}

/// Keeps from the parser what it would take too much memory or stack for.
fn check_header(path: &str, file: &[u8]) -> Result<(), FileError> {
    if file.get(..6) != Some(b"\x93NUMPY") {
        return Err(malformed(path, "it does not begin as an .npy file"));
    }
    let (start, text_bytes) = match (file.get(6), file.get(8..12)) {
        (Some(1), Some(size)) => (10, usize::from(u16::from_le_bytes([size[0], size[1]]))),
        (Some(2 | 3), Some(size)) => {
            (12, u32::from_le_bytes([size[0], size[1], size[2], size[3]]) as usize)
        }
        _ => return Err(malformed(path, "its version is unknown")),
    };
    if text_bytes > MOST_HEADER_BYTES {
        return Err(malformed(path, format_args!("it claims to be {text_bytes} bytes long")));
    }
    let Some(text) = file.get(start..start + text_bytes) else {
        return Err(malformed(path, "it is cut off"));
    };
    let mut depth = 0usize;
    for &byte in text {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MOST_NESTING {
            return Err(malformed(path, "its brackets are nested too deep"));
        }
    }
    Ok(())
}

/// Reads at most so many bytes; memory that ends is an error.
fn read_some(from: &mut impl Read, most_bytes: u64, into: &mut Vec<u8>) -> std::io::Result<()> {
    let mut from = from.take(most_bytes);
    let mut chunk = vec![0; 1 << 16];
    loop {
        let n = from.read(&mut chunk)?;
        if n == 0 {
            return Ok(());
        }
        into.try_reserve(n).map_err(|_| std::io::ErrorKind::OutOfMemory)?;
        into.extend_from_slice(&chunk[..n]);
    }
}
