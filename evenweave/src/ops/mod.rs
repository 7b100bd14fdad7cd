//! The library's operations as functions over tensors, for who writes an engine.
//!
//! A function takes tensors and says what to do; `Op::run` does it into new memory, `Op::into` into tensors that the caller holds,
//! also into the very input where the operation allows it:
//!
//! ```
//! use evenweave::{ops, prelude::*};
//!
//! let device = Device::open("cpu")?;
//! let x = device.tensor(&[2, 2], &[3.0f32, 4.0, 1.0, 1.0])?;
//! let weight = device.tensor(&[2], &[1.0f32, 1.0])?;
//! let y = ops::rms_norm(&x, &weight, 0.0).run()?;
//! assert_eq!(y.to_vec::<f32>()?[2..], [1.0, 1.0]);
//! ops::rms_norm(&x, &weight, 0.0).into(&x)?;
//! assert_eq!(x.to_vec::<f32>()?, y.to_vec::<f32>()?);
//!
//! let narrow = device.tensor(&[3], &[1.0f32; 3])?;
//! let error = ops::rms_norm(&x, &narrow, 0.0).run().unwrap_err();
//! assert_eq!(error.to_string(), "rms_norm: the shape of `weight` must be [2], but it is [3]");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What holds of all of them:
//! - **Layouts.** Shapes are written with the last axis fastest. A tensor may be any view; where an operation's signature does not
//!   say "strided" (`evenweave list NAME`), a view is packed into a temporary first. Results are contiguous.
//! - **Errors.** Dtypes, shapes, sizes and devices are checked before anything is asked of a device, in one place: `Entry::plan` for
//!   what the registry knows, `Call::run` for devices and destinations. An error names the operation and the argument, says what it
//!   must be and what it is; nothing panics.
//! - **Time.** A function asks a device for memory and launches, and waits for nothing; `Device::capture` keeps what it asks for as
//!   a graph.
//! - **Precision.** Floats of 16 bits are computed in f32 and rounded once. The tier of each is named: `exact` has one right answer,
//!   `same` has the same bits on every device. None here is `bounded`.
//! - **Source.** Each names the file that has its formula, definition, f64 reference and cases, under `kernels/src`.
//!
//! Invariants
//! - A function adds no arithmetic of its own: it asks for operations of the registry, by the names of their arguments.
//! - In place, preallocated and new results differ in where they lie alone.

mod attention;
mod elementwise;
mod experts;
mod indexing;
mod linear;
mod norms;
mod recurrent;
mod reduce;
mod sampling;

pub use attention::*;
pub use elementwise::*;
pub use experts::*;
pub use indexing::*;
pub use linear::*;
pub use norms::*;
pub use recurrent::*;
pub use reduce::*;
pub use sampling::*;

use crate::{Call, Error, Outputs, Result, Tensor};
use std::fmt;

type Work<'a, R> = Box<dyn FnOnce(Option<&R>) -> Result<R> + 'a>;

/// An operation on its arguments, not yet run.
#[must_use = "an operation does nothing before `run` or `into`"]
pub struct Op<'a, R> {
    work: Work<'a, R>,
}

impl<'a, R> Op<'a, R> {
    pub(crate) fn new(work: impl FnOnce(Option<&R>) -> Result<R> + 'a) -> Op<'a, R> {
        Op { work: Box::new(work) }
    }

    /// Runs it, its results in new memory.
    pub fn run(self) -> Result<R> {
        (self.work)(None)
    }

    /// Runs it, its results in tensors of the caller's: of their shapes and dtypes, contiguous or views. They may be inputs where the
    /// operation allows it; else that is an error which names both.
    pub fn into(self, to: &R) -> Result<()> {
        (self.work)(Some(to)).map(drop)
    }
}

impl<R> fmt::Debug for Op<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Op")
    }
}

/// Results with names of their own.
trait Results: Sized {
    /// Names of outputs and where they go.
    fn named(&self) -> Vec<(&'static str, &Tensor)>;
    fn of(outputs: &Outputs) -> Result<Self>;
}

/// A struct of results, named as an operation's outputs are.
macro_rules! results {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $field:ident,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Debug)]
        pub struct $name { $($(#[$doc])* pub $field: $crate::Tensor,)* }

        impl $crate::ops::Results for $name {
            fn named(&self) -> Vec<(&'static str, &$crate::Tensor)> {
                vec![$((stringify!($field), &self.$field),)*]
            }
            fn of(outputs: &$crate::Outputs) -> $crate::Result<$name> {
                Ok($name { $($field: outputs.get(stringify!($field))?.clone(),)* })
            }
        }
    };
}
pub(crate) use results;

/// A call of one result.
fn one<'a>(call: Call<'a>, output: &'static str) -> Op<'a, Tensor> {
    Op::new(move |to| {
        let call = match to {
            Some(tensor) => call.into(output, tensor),
            None => call,
        };
        call.run()?.get(output).cloned()
    })
}

/// A call of several results.
fn several<'a, R: Results>(call: Call<'a>) -> Op<'a, R> {
    Op::new(move |to| {
        let named = to.map_or_else(Vec::new, R::named);
        let call = named.into_iter().fold(call, |call, (name, tensor)| call.into(name, tensor));
        R::of(&call.run()?)
    })
}

/// A call of an operation of one input and one result.
fn unary<'a>(operation: &str, x: &'a Tensor) -> Op<'a, Tensor> {
    one(x.device().call(operation).input("x", x), "y")
}

impl<'a> Call<'a> {
    /// Gives an input, if there is one.
    fn maybe(self, name: &str, tensor: Option<&Tensor>) -> Call<'a> {
        match tensor {
            Some(tensor) => self.input(name, tensor),
            None => self,
        }
    }
}

/// The error of an argument that does not fit.
fn wrong(
    op: &'static str,
    argument: &'static str,
    want: impl fmt::Display,
    got: impl fmt::Display,
) -> Error {
    Error::Argument { op, argument, want: want.to_string(), got: got.to_string() }
}

/// A tensor in words.
fn kind(tensor: &Tensor) -> String {
    format!("{} {:?}", tensor.dtype(), tensor.shape())
}

#[cfg(test)]
mod tests;
