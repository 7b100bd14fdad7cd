//! All that a kernel's file needs.

pub use crate::{
    case::{Bench, Bound, Bound::*, Case, Expected, Known, Scale},
    entry::*,
    number,
    pattern::Pattern,
    plan::{Arg, Plan, TensorRef},
};
pub use crate::{with_float, with_int, with_numeric, with_real, with_real2, with_scalar};
pub use evenweave_lang::prelude::*;
