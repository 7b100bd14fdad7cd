//! `.safetensors`.

use super::{Array, FileError, checked_shape, listed};
use evenweave_lang::dtype::DType;
use safetensors::{Dtype, SafeTensors, tensor::TensorView};

/// Element types, ours and the format's.
const TYPES: &[(DType, Dtype)] = &[
    (DType::Bool, Dtype::BOOL),
    (DType::I8, Dtype::I8),
    (DType::U8, Dtype::U8),
    (DType::I16, Dtype::I16),
    (DType::U16, Dtype::U16),
    (DType::I32, Dtype::I32),
    (DType::U32, Dtype::U32),
    (DType::I64, Dtype::I64),
    (DType::U64, Dtype::U64),
    (DType::F4E2M1, Dtype::F4),
    (DType::F8E4M3, Dtype::F8_E4M3),
    (DType::F8E5M2, Dtype::F8_E5M2),
    (DType::F8E8M0, Dtype::F8_E8M0),
    (DType::F16, Dtype::F16),
    (DType::BF16, Dtype::BF16),
    (DType::F32, Dtype::F32),
    (DType::F64, Dtype::F64),
];

pub(super) fn read(path: &str, file: &[u8], tensor: Option<&str>) -> Result<Array, FileError> {
    let all = SafeTensors::deserialize(file).map_err(|e| FileError::Malformed {
        path: path.into(),
        what: "the file",
        cause: e.to_string(),
    })?;
    let names = all.names();
    let name = match (tensor, names.as_slice()) {
        (Some(name), _) => name,
        (None, [only]) => only,
        (None, _) => return Err(FileError::Which { path: path.into(), known: listed(&names) }),
    };
    let Ok(view) = all.tensor(name) else {
        let known = listed(&names);
        return Err(FileError::Missing { path: path.into(), name: name.into(), known });
    };
    let shown = format!("{path}:{name}");
    let Some(dtype) = dtype_of(view.dtype()) else {
        let known = TYPES.iter().map(|t| t.0.name()).collect::<Vec<_>>().join(", ");
        return Err(FileError::DType { path: shown, got: format!("{:?}", view.dtype()), known });
    };
    let shape: Vec<u64> = view.shape().iter().map(|&e| e as u64).collect();
    let (shape, want_bytes) = checked_shape(&shown, dtype, &shape)?;
    super::checked_length(&shown, want_bytes, view.data().len() as u64)?;
    Ok(Array { dtype, shape, bytes: view.data().to_vec() })
}

/// Our dtype of the format's element type.
pub(crate) fn dtype_of(stored: Dtype) -> Option<DType> {
    TYPES.iter().find(|t| t.1 == stored).map(|t| t.0)
}

pub(super) fn type_of(path: &str, dtype: DType) -> Result<Dtype, FileError> {
    let found = TYPES.iter().find(|t| t.0 == dtype);
    found.map(|t| t.1).ok_or_else(|| FileError::NoTensorType { path: path.into(), dtype })
}

pub(super) fn encode(path: &str, arrays: &[(&str, &Array)]) -> Result<Vec<u8>, FileError> {
    let bad = |e: safetensors::SafeTensorError| FileError::Malformed {
        path: path.into(),
        what: "the result",
        cause: e.to_string(),
    };
    let mut views = Vec::new();
    for &(name, array) in arrays {
        let shape = array.shape.iter().map(|&e| e as usize).collect();
        let view = TensorView::new(type_of(path, array.dtype)?, shape, &array.bytes);
        views.push((name, view.map_err(bad)?));
    }
    safetensors::serialize(views, None).map_err(bad)
}
