//! Matrices of 2:4 sparsity on the host: checked when they are made, saved to and loaded from safetensors files.
//!
//! Invariants
//! - An image is canonical (`docs/sparse24.md`): legal ascending positions, zero where a slot has no survivor, and one image a
//!   matrix. Who holds a `Sparse24` need not look again.
//! - Every row's values are whole bytes, also those of 4 bits.
//! - Nothing here chooses what to keep but `prune`.

use crate::{Device, Result, Tensor};
use evenweave_kernels::sparse::host::{
    self, Coded, DTYPES, Image, Refusal, index_words, value_elems,
};
use evenweave_lang::{
    dtype::DType,
    prelude::{F8E4M3, F8E5M2, I4, U4},
    val::Element,
};
use half::{bf16, f16};
use safetensors::{Dtype, SafeTensors, tensor::TensorView};
use std::{collections::HashMap, fmt, marker::PhantomData};

/// Rows that are decoded at a time.
const BLOCK_ROWS: usize = 256;

/// Why there is no sparse matrix. `Display` gives one line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Sparse24Error {
    /// The elements or the index are not those of a sparse matrix.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Bytes that do not fill a matrix.
    #[error(
        "{rows} x {columns} {what} of {dtype} take {want_bytes} bytes, but there are {got_bytes}"
    )]
    Bytes {
        /// What the bytes are.
        what: &'static str,
        /// Of an element.
        dtype: DType,
        /// Rows.
        rows: u32,
        /// Elements of a row.
        columns: u64,
        /// The bytes that it takes.
        want_bytes: u64,
        /// The bytes given.
        got_bytes: u64,
    },
    /// A dense matrix whose rows are no whole bytes.
    #[error("a row of {columns} elements of {dtype} is no whole number of bytes")]
    OddRow {
        /// Of an element.
        dtype: DType,
        /// Elements of a row.
        columns: u32,
    },
    /// Another dtype than the type says.
    #[error("the matrix holds {got}, not {want}")]
    Type {
        /// What the type says.
        want: DType,
        /// What there is.
        got: DType,
    },
    /// A file that does not hold the matrix, or not as it should.
    #[error("`{name}`: {cause}")]
    File {
        /// The matrix.
        name: String,
        /// What is wrong.
        cause: String,
    },
}

/// A sparse matrix whose dtype is known while running.
#[derive(Clone, PartialEq, Eq)]
pub struct AnySparse24 {
    dtype: DType,
    rows: u32,
    columns: u32,
    values: Vec<u8>,
    index: Vec<u16>,
}

/// What a saved matrix is called in a file, from its name.
fn parts(name: &str) -> [String; 3] {
    [format!("{name}.values"), format!("{name}.index"), format!("sparse24.{name}")]
}

/// The element type of a file for values; those of 4 bits are stored as bytes of two.
fn stored_as(dtype: DType) -> Option<Dtype> {
    match dtype {
        DType::F16 => Some(Dtype::F16),
        DType::BF16 => Some(Dtype::BF16),
        DType::F32 => Some(Dtype::F32),
        DType::I8 => Some(Dtype::I8),
        DType::F8E4M3 => Some(Dtype::F8_E4M3),
        DType::F8E5M2 => Some(Dtype::F8_E5M2),
        DType::I4 | DType::U4 => Some(Dtype::U8),
        DType::Bool
        | DType::U8
        | DType::I16
        | DType::U16
        | DType::I32
        | DType::U32
        | DType::I64
        | DType::U64
        | DType::F4E2M1
        | DType::F8E8M0
        | DType::F64 => None,
    }
}

impl AnySparse24 {
    /// A matrix of `columns` columns from its image: values packed end to end, the low nibble first, and the index.
    pub fn new(
        dtype: DType,
        [rows, columns]: [u32; 2],
        values: Vec<u8>,
        index: Vec<u16>,
    ) -> std::result::Result<AnySparse24, Sparse24Error> {
        let row_elems = value_elems(columns as usize);
        expect_bytes("values", dtype, rows, row_elems as u64, values.len())?;
        let want = rows as usize * index_words(columns as usize);
        if want != index.len() {
            let (rows, columns, got) = (rows as usize, columns as usize, index.len());
            return Err(
                Refusal::Length { what: "words of the index", rows, columns, want, got }.into()
            );
        }
        let new = AnySparse24 { dtype, rows, columns, values, index };
        new.each_block(|image| host::expect_canonical(&image))?;
        Ok(new)
    }

    /// The image of a dense matrix, packed row-major, that has at most two nonzero elements in every group of four.
    pub fn compress(
        dtype: DType,
        shape: [u32; 2],
        dense: &[u8],
    ) -> std::result::Result<AnySparse24, Sparse24Error> {
        of_dense(dtype, shape, dense, |cells, shape| host::compress(&cells, shape))
    }

    /// The image of a dense matrix whose groups keep their two elements of the largest magnitude, of equal ones the
    /// first. NaN is refused.
    pub fn prune(
        dtype: DType,
        shape: [u32; 2],
        dense: &[u8],
    ) -> std::result::Result<AnySparse24, Sparse24Error> {
        of_dense(dtype, shape, dense, |cells, shape| {
            host::compress(&host::prune(&cells, shape)?, shape)
        })
    }

    /// The dense matrix, packed row-major.
    pub fn decompress(&self) -> Vec<u8> {
        let mut dense = Vec::new();
        let all = self.each_block(|image| {
            dense.extend(host::decompress(&image)?);
            Ok(())
        });
        all.expect("it was checked when it was made");
        host::bytes(self.dtype, &dense)
    }

    /// Of its elements.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// Rows and columns of the matrix.
    pub fn shape(&self) -> [u32; 2] {
        [self.rows, self.columns]
    }

    /// The kept elements of all rows, packed end to end, the low nibble first.
    pub fn values(&self) -> &[u8] {
        &self.values
    }

    /// The words of all rows.
    pub fn index(&self) -> &[u16] {
        &self.index
    }

    /// Kept elements of a row.
    pub fn row_value_elems(&self) -> u32 {
        value_elems(self.columns as usize) as u32
    }

    /// Words of the index of a row.
    pub fn row_index_words(&self) -> u32 {
        index_words(self.columns as usize) as u32
    }

    /// Values and index as tensors of a device, as its sparse operations take them.
    pub fn to_device(&self, device: &Device) -> Result<[Tensor; 2]> {
        let values = [self.rows, self.row_value_elems()];
        let index = [self.rows, self.row_index_words()];
        Ok([
            device.tensor_of_bytes(self.dtype, &values, &self.values)?,
            device.tensor(&index, &self.index)?,
        ])
    }

    /// The entries of a file that holds matrices: their tensors go into `tensors`, what else is known of them into
    /// `metadata`.
    pub fn entries(
        &self,
        name: &str,
        tensors: &mut Vec<(String, Dtype, Vec<usize>, Vec<u8>)>,
        metadata: &mut HashMap<String, String>,
    ) {
        let [values, index, key] = parts(name);
        let stored = stored_as(self.dtype).expect("it has a form");
        let row_bytes = self.values.len().checked_div(self.rows as usize).unwrap_or(0);
        let row = if self.dtype.bits() == 4 { row_bytes } else { self.row_value_elems() as usize };
        let words = self.index.iter().flat_map(|w| w.to_le_bytes()).collect();
        let rows = self.rows as usize;
        tensors.push((values, stored, vec![rows, row], self.values.clone()));
        tensors.push((index, Dtype::U16, vec![rows, self.row_index_words() as usize], words));
        metadata.insert(key, format!("{} {} {}", self.dtype, self.rows, self.columns));
    }

    /// A safetensors file with this matrix alone.
    pub fn save(&self, name: &str) -> std::result::Result<Vec<u8>, Sparse24Error> {
        let wrong = |cause: String| Sparse24Error::File { name: name.into(), cause };
        let (mut tensors, mut metadata) = (Vec::new(), HashMap::new());
        self.entries(name, &mut tensors, &mut metadata);
        let mut views = Vec::new();
        for (name, dtype, shape, bytes) in &tensors {
            let view = TensorView::new(*dtype, shape.clone(), bytes);
            views.push((name, view.map_err(|e| wrong(e.to_string()))?));
        }
        safetensors::serialize(views, Some(metadata)).map_err(|e| wrong(e.to_string()))
    }

    /// The matrix of a name in a safetensors file.
    pub fn load(file: &[u8], name: &str) -> std::result::Result<AnySparse24, Sparse24Error> {
        let wrong = |cause: String| Sparse24Error::File { name: name.into(), cause };
        let (_, header) = SafeTensors::read_metadata(file).map_err(|e| wrong(e.to_string()))?;
        let tensors = SafeTensors::deserialize(file).map_err(|e| wrong(e.to_string()))?;
        let [values, index, key] = parts(name);
        let known = header.metadata().as_ref().and_then(|m| m.get(&key));
        let Some(known) = known else {
            return Err(wrong(format!(
                "the file's metadata has no `{key}`, so it is no sparse matrix"
            )));
        };
        let fields: Vec<&str> = known.split(' ').collect();
        let said = match fields[..] {
            [dtype, rows, columns] => DType::parse(dtype)
                .filter(|d| DTYPES.contains(d))
                .zip(rows.parse::<u32>().ok())
                .zip(columns.parse::<u32>().ok()),
            _ => None,
        };
        let Some(((dtype, rows), columns)) = said else {
            let form = "dtype, rows and columns, as in `f16 384 1536`";
            return Err(wrong(format!("the metadata `{key}` is `{known}`, but it must be {form}")));
        };
        let get = |name: &str, dtype: Dtype, row: usize| {
            let view = tensors.tensor(name).map_err(|e| wrong(e.to_string()))?;
            let shape = [rows as usize, row];
            if view.dtype() != dtype || view.shape() != shape {
                let got = format!("{:?} {:?}", view.dtype(), view.shape());
                return Err(wrong(format!(
                    "`{name}` must be {dtype:?} {shape:?}, but it is {got}"
                )));
            }
            Ok(view.data().to_vec())
        };
        let row = value_elems(columns as usize);
        let row = if dtype.bits() == 4 { row / 2 } else { row };
        let values = get(&values, stored_as(dtype).expect("it has a form"), row)?;
        let index = get(&index, Dtype::U16, index_words(columns as usize))?;
        let index = index.chunks_exact(2).map(|w| u16::from_le_bytes([w[0], w[1]])).collect();
        AnySparse24::new(dtype, [rows, columns], values, index)
    }

    /// Some rows at a time, so that a large matrix is not decoded as a whole.
    fn each_block(
        &self,
        mut f: impl FnMut(Image<Coded>) -> std::result::Result<(), Refusal>,
    ) -> std::result::Result<(), Refusal> {
        let (columns, rows) = (self.columns as usize, self.rows as usize);
        let row_elems = value_elems(columns);
        let row_bytes = self.values.len().checked_div(rows).unwrap_or(0);
        for first in (0..rows).step_by(BLOCK_ROWS) {
            let here = first..rows.min(first + BLOCK_ROWS);
            let bytes = &self.values[here.start * row_bytes..here.end * row_bytes];
            let words = index_words(columns);
            f(Image {
                rows: here.len(),
                columns,
                values: host::cells(self.dtype, bytes, here.len() * row_elems),
                index: self.index[here.start * words..here.end * words].to_vec(),
            })
            .map_err(|refusal| refusal.below(first))?;
        }
        Ok(())
    }
}

/// Cells of some rows and their shape, to an image.
type Encode = fn(Vec<Coded>, [usize; 2]) -> std::result::Result<Image<Coded>, Refusal>;

fn of_dense(
    dtype: DType,
    [rows, columns]: [u32; 2],
    dense: &[u8],
    encode: Encode,
) -> std::result::Result<AnySparse24, Sparse24Error> {
    expect_bytes("elements", dtype, rows, columns.into(), dense.len())?;
    if !(u64::from(columns) * u64::from(dtype.bits())).is_multiple_of(8) {
        return Err(Sparse24Error::OddRow { dtype, columns });
    }
    let row_bytes = columns as usize * dtype.bits() as usize / 8;
    let (mut values, mut index) = (Vec::new(), Vec::new());
    for first in (0..rows as usize).step_by(BLOCK_ROWS) {
        let here = first..BLOCK_ROWS.saturating_add(first).min(rows as usize);
        let bytes = &dense[here.start * row_bytes..here.end * row_bytes];
        let cells = host::cells(dtype, bytes, here.len() * columns as usize);
        let image = encode(cells, [here.len(), columns as usize]);
        let image = image.map_err(|refusal| refusal.below(first))?;
        values.extend(host::bytes(dtype, &image.values));
        index.extend(image.index);
    }
    Ok(AnySparse24 { dtype, rows, columns, values, index })
}

fn expect_bytes(
    what: &'static str,
    dtype: DType,
    rows: u32,
    columns: u64,
    got: usize,
) -> std::result::Result<(), Sparse24Error> {
    if !DTYPES.contains(&dtype) {
        return Err(Refusal::DType { got: dtype }.into());
    }
    let elems = u64::from(rows).checked_mul(columns);
    let want_bytes = elems.and_then(|n| dtype.bytes_for(n)).unwrap_or(u64::MAX);
    let got_bytes = got as u64;
    if want_bytes != got_bytes {
        return Err(Sparse24Error::Bytes { what, dtype, rows, columns, want_bytes, got_bytes });
    }
    Ok(())
}

impl fmt::Debug for AnySparse24 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AnySparse24({} {}x{})", self.dtype, self.rows, self.columns)
    }
}

/// A dtype that a sparse matrix may have.
pub trait Sparse24Element: Element + sealed::Sealed {}

mod sealed {
    pub trait Sealed {}
}

macro_rules! elements {
    ($($ty:ty)*) => { $(
        impl sealed::Sealed for $ty {}
        impl Sparse24Element for $ty {}
    )* };
}
elements! { f16 bf16 f32 i8 F8E4M3 F8E5M2 I4 U4 }

/// A matrix of which every four neighbours of a row hold at most two nonzero elements: the kept elements, and an index.
///
/// ```
/// use evenweave::Sparse24;
///
/// let dense: Vec<u8> = [0i8, 7, 0, -3, 1, 0, 0, 0].map(|x| x as u8).into();
/// let sparse = Sparse24::<i8>::compress([1, 8], &dense)?;
/// assert_eq!(sparse.values(), [7, 253, 1, 0]);
/// assert_eq!(sparse.index(), [0xeecd]);
/// assert_eq!(sparse.decompress(), dense);
///
/// let three: Vec<u8> = vec![1, 2, 3, 0];
/// let refused = Sparse24::<i8>::compress([1, 4], &three).unwrap_err();
/// assert_eq!(refused.to_string(), "row 0, columns 0 to 3: 3 nonzeros (1, 2, 3, 0), but a group has at most 2");
/// # Ok::<(), evenweave::Sparse24Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sparse24<T> {
    any: AnySparse24,
    of: PhantomData<T>,
}

impl<T: Sparse24Element> Sparse24<T> {
    /// A matrix from its image; see `AnySparse24::new`.
    pub fn new(
        shape: [u32; 2],
        values: Vec<u8>,
        index: Vec<u16>,
    ) -> std::result::Result<Sparse24<T>, Sparse24Error> {
        AnySparse24::new(T::DTYPE, shape, values, index)?.try_into()
    }

    /// The image of a dense matrix that is sparse already; see `AnySparse24::compress`.
    pub fn compress(
        shape: [u32; 2],
        dense: &[u8],
    ) -> std::result::Result<Sparse24<T>, Sparse24Error> {
        AnySparse24::compress(T::DTYPE, shape, dense)?.try_into()
    }

    /// The image of a dense matrix, pruned; see `AnySparse24::prune`.
    pub fn prune(shape: [u32; 2], dense: &[u8]) -> std::result::Result<Sparse24<T>, Sparse24Error> {
        AnySparse24::prune(T::DTYPE, shape, dense)?.try_into()
    }

    /// The matrix of a name in a safetensors file.
    pub fn load(file: &[u8], name: &str) -> std::result::Result<Sparse24<T>, Sparse24Error> {
        AnySparse24::load(file, name)?.try_into()
    }
}

impl<T: Sparse24Element> TryFrom<AnySparse24> for Sparse24<T> {
    type Error = Sparse24Error;
    fn try_from(any: AnySparse24) -> std::result::Result<Sparse24<T>, Sparse24Error> {
        if any.dtype != T::DTYPE {
            return Err(Sparse24Error::Type { want: T::DTYPE, got: any.dtype });
        }
        Ok(Sparse24 { any, of: PhantomData })
    }
}

impl<T> std::ops::Deref for Sparse24<T> {
    type Target = AnySparse24;
    fn deref(&self) -> &AnySparse24 {
        &self.any
    }
}

#[cfg(test)]
mod tests;
