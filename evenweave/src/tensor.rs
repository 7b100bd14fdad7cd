//! Tensors: memory of a device, seen through a layout.
//!
//! Invariants
//! - A tensor's layout never reaches past its memory.
//! - Views share memory; only `contiguous` copies on a device.

use crate::{Device, Error, Result};
use evenweave_kernels::{entry::TensorDesc, number, pattern::places};
use evenweave_lang::{dtype::DType, launch::Layout};
use evenweave_runtime::Memory;
use half::{bf16, f16};

/// A number of the host that a device has as well.
pub trait Host: Copy {
    /// Its dtype.
    const DTYPE: DType;
    /// Its bits, zero-extended.
    fn to_bits64(self) -> u64;
    /// The number of some bits.
    fn from_bits64(bits: u64) -> Self;
}

macro_rules! hosts {
    ($($ty:ty, $dtype:ident, $x:ident => $bits:expr, $b:ident => $value:expr;)*) => { $(
        impl Host for $ty {
            const DTYPE: DType = DType::$dtype;
            fn to_bits64(self) -> u64 { let $x = self; $bits }
            fn from_bits64($b: u64) -> $ty { $value }
        }
    )* };
}
hosts! {
    bool, Bool, x => x.into(), b => b != 0;
    i8, I8, x => u64::from(x as u8), b => b as i8;
    u8, U8, x => x.into(), b => b as u8;
    i16, I16, x => u64::from(x as u16), b => b as i16;
    u16, U16, x => x.into(), b => b as u16;
    i32, I32, x => u64::from(x as u32), b => b as i32;
    u32, U32, x => x.into(), b => b as u32;
    i64, I64, x => x as u64, b => b as i64;
    u64, U64, x => x, b => b;
    f16, F16, x => x.to_bits().into(), b => f16::from_bits(b as u16);
    bf16, BF16, x => x.to_bits().into(), b => bf16::from_bits(b as u16);
    f32, F32, x => x.to_bits().into(), b => f32::from_bits(b as u32);
    f64, F64, x => x.to_bits(), b => f64::from_bits(b);
}

/// Elements as bytes, end to end.
pub(crate) fn packed<T: Host>(values: &[T]) -> Vec<u8> {
    let mut bytes = vec![0; values.len() * T::DTYPE.bits() as usize / 8];
    for (index, &value) in values.iter().enumerate() {
        number::set_element(T::DTYPE, &mut bytes, index, value.to_bits64());
    }
    bytes
}

/// An array on a device. Cloning it shares the memory.
#[derive(Clone, Debug)]
pub struct Tensor {
    pub(crate) device: Device,
    pub(crate) memory: Memory,
    pub(crate) desc: TensorDesc,
}

impl Tensor {
    /// The elements' dtype.
    pub fn dtype(&self) -> DType {
        self.desc.dtype
    }

    /// Extent along each axis.
    pub fn shape(&self) -> &[u32] {
        self.desc.shape()
    }

    /// How many elements there are.
    pub fn elems(&self) -> u64 {
        self.desc.elems()
    }

    /// dtype and layout.
    pub fn desc(&self) -> &TensorDesc {
        &self.desc
    }

    /// The memory, which views share.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// The device that it lies on.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// The elements in logical order, whatever the layout.
    pub fn to_vec<T: Host>(&self) -> Result<Vec<T>> {
        if T::DTYPE != self.dtype() {
            return Err(Error::HostType { want: T::DTYPE, got: self.dtype() });
        }
        self.device.refuse_capturing("reading a tensor")?;
        let bytes = self.device.raw().read(&self.memory)?;
        let at = |place| T::from_bits64(number::element(self.dtype(), &bytes, place));
        Ok(places(&self.desc).map(at).collect())
    }

    /// Replaces the elements, in logical order, by the host's. The tensor must fill its memory from end to end. It happens after what
    /// the device was asked for before, and while calls are captured at once.
    pub fn write<T: Host>(&self, values: &[T]) -> Result<()> {
        if T::DTYPE != self.dtype() {
            return Err(Error::HostType { want: T::DTYPE, got: self.dtype() });
        }
        let (want_elems, got_elems) = (self.elems(), values.len() as u64);
        if want_elems != got_elems {
            return Err(Error::Length { shape: self.shape().to_vec(), want_elems, got_elems });
        }
        if !self.desc.is_contiguous() || self.memory.elems() != want_elems {
            return Err(self.no_view("writing all of its memory from the host".into()));
        }
        Ok(self.device.raw().write(&self.memory, &packed(values))?)
    }

    /// The elements in logical order, packed end to end as bytes: little-endian, low nibble first.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        self.device.refuse_capturing("reading a tensor")?;
        let bytes = self.device.raw().read(&self.memory)?;
        if self.desc.is_contiguous() && self.memory.elems() == self.elems() {
            return Ok(bytes);
        }
        let packed_bytes = self.dtype().bytes_for(self.elems()).expect("it lies in memory");
        let mut packed = vec![0; packed_bytes as usize];
        for (index, place) in places(&self.desc).enumerate() {
            let bits = number::element(self.dtype(), &bytes, place);
            number::set_element(self.dtype(), &mut packed, index, bits);
        }
        Ok(packed)
    }

    /// The same elements in another shape. The tensor must be contiguous.
    pub fn reshape(&self, shape: &[u32]) -> Result<Tensor> {
        let wanted = TensorDesc::new(self.dtype(), shape);
        let packed = Layout { offset: 0, ..self.desc.layout.clone() };
        let packed = TensorDesc { dtype: self.dtype(), layout: packed };
        if wanted.elems() != self.elems() || !packed.is_contiguous() {
            return Err(self.no_view(format!("reshape to {shape:?}")));
        }
        Ok(self.with_layout(Layout { offset: self.desc.layout.offset, ..wanted.layout }))
    }

    /// Two axes swapped.
    pub fn transpose(&self, a: usize, b: usize) -> Result<Tensor> {
        let mut layout = self.desc.layout.clone();
        if a.max(b) >= layout.shape.len() {
            return Err(self.no_view(format!("transpose of axes {a} and {b}")));
        }
        layout.shape.swap(a, b);
        layout.strides.swap(a, b);
        Ok(self.with_layout(layout))
    }

    /// `len` neighbours along an axis from `start`.
    pub fn slice(&self, axis: usize, start: u32, len: u32) -> Result<Tensor> {
        let mut layout = self.desc.layout.clone();
        let end = start.checked_add(len);
        let extent = layout.shape.get(axis).copied();
        if end.zip(extent).is_none_or(|(end, extent)| end > extent) {
            return Err(self.no_view(format!("slice {start}..+{len} along axis {axis}")));
        }
        layout.shape[axis] = len;
        layout.offset += u64::from(start) * layout.strides[axis];
        Ok(self.with_layout(layout))
    }

    /// Repeated to a larger shape: new axes in front, and axes of extent 1, take stride 0.
    pub fn broadcast(&self, shape: &[u32]) -> Result<Tensor> {
        let old = &self.desc.layout;
        let none = || self.no_view(format!("broadcast to {shape:?}"));
        let front = shape.len().checked_sub(old.shape.len()).ok_or_else(none)?;
        let mut strides = vec![0; shape.len()];
        for (axis, (&extent, &stride)) in old.shape.iter().zip(&old.strides).enumerate() {
            if extent == shape[front + axis] {
                strides[front + axis] = stride;
            } else if extent != 1 {
                return Err(none());
            }
        }
        Ok(self.with_layout(Layout { shape: shape.to_vec(), strides, offset: old.offset }))
    }

    /// The same elements in row-major order without gaps: itself where they lie so, else copied on the device.
    /// Operations whose signature does not say "strided" ask for it.
    ///
    /// ```
    /// let device = evenweave::Device::open("cpu")?;
    /// let x = device.tensor(&[2, 2], &[1.0f32, 2.0, 3.0, 4.0])?;
    /// let flat = x.transpose(0, 1)?.contiguous()?.reshape(&[4])?;
    /// assert_eq!(flat.to_vec::<f32>()?, [1.0, 3.0, 2.0, 4.0]);
    /// # Ok::<(), evenweave::Error>(())
    /// ```
    pub fn contiguous(&self) -> Result<Tensor> {
        if self.desc.is_contiguous() {
            return Ok(self.clone());
        }
        self.device.call("copy").input("x", self).run_one()
    }

    fn no_view(&self, what: String) -> Error {
        Error::View { what, shape: self.shape().to_vec() }
    }

    fn with_layout(&self, mut layout: Layout) -> Tensor {
        // The stride of an axis of one element means nothing: without it a view may be seen to have no gaps.
        let packed = Layout::contiguous(&layout.shape).strides;
        for ((&extent, stride), packed) in layout.shape.iter().zip(&mut layout.strides).zip(packed)
        {
            if extent == 1 {
                *stride = packed;
            }
        }
        let mut tensor = self.clone();
        tensor.desc.layout = layout;
        tensor
    }
}
