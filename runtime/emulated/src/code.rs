//! What HIP's functions return, and what HIP calls it.

use std::ffi::{CStr, c_int};

macro_rules! codes {
    ($($name:ident $number:literal $text:literal;)*) => {
        /// What a function of HIP's returns, but for success.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(i32)]
        pub(crate) enum Code { $($name = $number),* }

        /// HIP's name of a number.
        pub(crate) fn name(code: c_int) -> Option<&'static CStr> {
            match code {
                0 => Some(c"hipSuccess"),
                $($number => Some($text),)*
                _ => None,
            }
        }
    };
}

codes! {
    InvalidValue 1 c"hipErrorInvalidValue";
    OutOfMemory 2 c"hipErrorOutOfMemory";
    InvalidConfiguration 9 c"hipErrorInvalidConfiguration";
    InvalidDevice 101 c"hipErrorInvalidDevice";
    InvalidImage 200 c"hipErrorInvalidImage";
    NoBinaryForGpu 209 c"hipErrorNoBinaryForGpu";
    InvalidHandle 400 c"hipErrorInvalidHandle";
    NotFound 500 c"hipErrorNotFound";
    NotReady 600 c"hipErrorNotReady";
    IllegalAddress 700 c"hipErrorIllegalAddress";
    LaunchOutOfResources 701 c"hipErrorLaunchOutOfResources";
    LaunchTimeOut 702 c"hipErrorLaunchTimeOut";
    LaunchFailure 719 c"hipErrorLaunchFailure";
    StreamCaptureUnsupported 900 c"hipErrorStreamCaptureUnsupported";
    IllegalState 401 c"hipErrorIllegalState";
    NotSupported 801 c"hipErrorNotSupported";
    Unknown 999 c"hipErrorUnknown";
}

/// What a function does, or why not.
pub(crate) type Done<T = ()> = Result<T, Code>;

/// As C has it.
pub(crate) fn number(done: Done) -> c_int {
    match done {
        Ok(()) => 0,
        Err(code) => code as c_int,
    }
}
