//! A kernel with its arguments on a device, and what is in memory afterwards.
//!
//! Invariants
//! - Each launch has memory of its own: what it writes changes no argument.
//! - A NaN of a float dtype is the canonical one in what is read back: its payload says nothing.

use crate::judge::trial::guarded;
use evenweave::{Device, Error};
use evenweave_codegen::PrepareError;
use evenweave_kernels::number;
use evenweave_lang::{
    dtype::DType,
    generate::{Argument, pack},
    ir::{Access, Kernel},
};
use evenweave_runtime::{DeviceError, LaunchArg, Memory, Program};

/// An element in which two runs differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Element {
    pub(crate) param: usize,
    pub(crate) index: usize,
    pub(crate) dtype: DType,
    pub(crate) want: u64,
    pub(crate) got: u64,
}

/// What came of a kernel on both devices.
#[derive(Debug)]
pub(crate) enum Comparison {
    Same,
    Differs(Element),
    /// The oracle cannot run it: it says nothing.
    Unfit(Error),
    /// The device says that it cannot run the kernel.
    Refused(Error),
    /// The device failed.
    Failed(Error),
    /// Something on the way panicked.
    Panicked(String),
}

impl Comparison {
    /// Whether the device did something wrong, and in the same way as in the other.
    pub(crate) fn is_wrong_like(&self, other: &Comparison) -> bool {
        match self {
            Comparison::Differs(_) | Comparison::Failed(_) | Comparison::Panicked(_) => {
                std::mem::discriminant(self) == std::mem::discriminant(other)
            }
            Comparison::Same | Comparison::Unfit(_) | Comparison::Refused(_) => false,
        }
    }
}

/// Whether the device said that it cannot run a kernel, in its own type for that.
pub(crate) fn is_refusal(error: &Error) -> bool {
    matches!(error, Error::Device(DeviceError::Prepare(PrepareError::Legalize(_))))
}

/// The elements of all buffers after a launch, one list an argument; a scalar has none.
pub(crate) fn outputs(
    device: &Device,
    kernel: &Kernel,
    args: &[Argument],
) -> Result<Vec<Vec<u64>>, Error> {
    run(device, &load(device, kernel)?, args)
}

/// Makes a kernel runnable. Nothing is kept: each kernel comes once or twice.
pub(crate) fn load(device: &Device, kernel: &Kernel) -> Result<Program, Error> {
    Ok(device.raw().load(kernel, device.options())?)
}

/// What `outputs` gives, of a kernel that is loaded.
pub(crate) fn run(
    device: &Device,
    program: &Program,
    args: &[Argument],
) -> Result<Vec<Vec<u64>>, Error> {
    let raw = device.raw();
    let mut memory: Vec<Option<Memory>> = Vec::new();
    for arg in args {
        memory.push(match arg {
            Argument::Scalar(..) => None,
            Argument::Buffer(dtype, words) | Argument::View(dtype, words, _) => {
                let memory = raw.alloc(*dtype, words.len() as u64)?;
                raw.write(&memory, &pack(*dtype, words))?;
                Some(memory)
            }
        });
    }
    let launch: Vec<LaunchArg<'_>> = args
        .iter()
        .zip(&memory)
        .map(|(arg, memory)| match (arg, memory) {
            (Argument::View(_, _, layout), Some(memory)) => LaunchArg::View(memory, layout.clone()),
            (Argument::Scalar(dtype, bits), _) => LaunchArg::Scalar(*dtype, *bits),
            (Argument::Buffer(..), Some(memory)) => LaunchArg::Buffer(memory),
            (Argument::Buffer(..) | Argument::View(..), None) => {
                unreachable!("buffers have memory")
            }
        })
        .collect();
    raw.launch(program, &launch)?;
    let mut all = Vec::new();
    for memory in memory {
        all.push(match memory {
            None => Vec::new(),
            Some(memory) => unpack(memory.dtype(), &raw.read(&memory)?, memory.elems() as usize),
        });
    }
    Ok(all)
}

/// The elements of packed bytes.
pub(crate) fn unpack(dtype: DType, bytes: &[u8], elems: usize) -> Vec<u64> {
    (0..elems).map(|i| canonical(dtype, number::element(dtype, bytes, i))).collect()
}

fn canonical(dtype: DType, bits: u64) -> u64 {
    match dtype.is_float() && number::decode(dtype, bits).is_nan() {
        true => number::encode(dtype, f64::NAN),
        false => bits,
    }
}

/// The first element of a written buffer in which two runs differ.
pub(crate) fn first_element(
    kernel: &Kernel,
    want: &[Vec<u64>],
    got: &[Vec<u64>],
) -> Option<Element> {
    kernel.params.iter().enumerate().find_map(|(param, decl)| {
        match decl.kind.access() {
            Some(Access::Out | Access::InOut) => {}
            Some(Access::In) | None => return None,
        }
        let index = want[param].iter().zip(&got[param]).position(|(a, b)| a != b)?;
        let (want, got) = (want[param][index], got[param][index]);
        Some(Element { param, index, dtype: decl.kind.dtype(), want, got })
    })
}

/// Runs a kernel on the oracle, and where that can, on the device. A panic is a failure of this kernel, and not the
/// end of all others.
pub(crate) fn compare(
    kernel: &Kernel,
    args: &[Argument],
    oracle: &Device,
    device: &Device,
) -> Comparison {
    let outcome = guarded("device", || unguarded(kernel, args, oracle, device));
    outcome.unwrap_or_else(|error| Comparison::Panicked(error.to_string()))
}

fn unguarded(kernel: &Kernel, args: &[Argument], oracle: &Device, device: &Device) -> Comparison {
    let want = match outputs(oracle, kernel, args) {
        Ok(want) => want,
        Err(error) => return Comparison::Unfit(error),
    };
    match outputs(device, kernel, args) {
        Err(error) if is_refusal(&error) => Comparison::Refused(error),
        Err(error) => Comparison::Failed(error),
        Ok(got) => match first_element(kernel, &want, &got) {
            Some(element) => Comparison::Differs(element),
            None => Comparison::Same,
        },
    }
}

/// A number with its bits, for people.
pub(crate) fn show(dtype: DType, bits: u64) -> String {
    let digits = dtype.bits().div_ceil(4) as usize;
    match dtype.is_float() {
        true => format!("0x{bits:0digits$x} ({:?})", number::decode(dtype, bits)),
        false => format!("0x{bits:0digits$x} ({})", number::decode_int(dtype, bits)),
    }
}

/// How many numbers of the dtype lie between two, plus one; `None` where one is a NaN, or there are no such steps.
pub(crate) fn ulps(dtype: DType, a: u64, b: u64) -> Option<u128> {
    let is_nan = |x| number::decode(dtype, x).is_nan();
    if !dtype.is_float() || dtype == DType::F8E8M0 || is_nan(a) || is_nan(b) {
        return None;
    }
    let sign = 1u64 << (dtype.bits() - 1);
    let place = |x: u64| {
        let magnitude = i128::from(x & !sign);
        if x & sign == 0 { magnitude } else { -magnitude }
    };
    Some(place(a).abs_diff(place(b)))
}
