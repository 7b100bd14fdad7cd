//! `evenweave bench --enqueue`: what it costs the host to ask for a launch.
//!
//! Invariants
//! - Both numbers are of one program, one device and one run, in turns; each is the least of many rounds, since what disturbs
//!   only adds. Rounds are shorter than a driver's queue, so that nothing waits for the device.

use super::{Failure, opening, write_json};
use crate::args;
use evenweave::{Device, LoadOptions};
use evenweave_lang::{dtype::DType, prelude::*};
use evenweave_runtime::{DeviceError, LaunchArg};
use serde_json::json;
use std::{io::Write, time::Instant};

/// Launches of a round.
const ROUND: u32 = 200;
/// What a launch of ours may cost, in the driver's.
const MOST: f64 = 1.3;

/// As many arguments as kernels usually have, and next to no work.
#[kernel(group = 64, grid = n.div_ceil(64))]
fn small(
    #[len(n)] x: &In<f32>,
    #[len(n)] bias: &In<f32>,
    #[len(n)] y: &mut Out<f32>,
    factor: f32,
    n: u32,
) {
    let i = global_id();
    if i < n {
        y[i] = x[i] * factor + bias[i];
    }
}

pub(super) fn run(args: &args::Bench) -> Result<(), Failure> {
    let device = Device::open_with(&args.device, &opening(), LoadOptions::default())?;
    let (bare, ours) = measure(&device, args.seconds).map_err(evenweave::Error::from)?;
    let ratio = ours / bare;
    let mut out = anstream::stdout().lock();
    writeln!(out, "{}: a launch costs the host", args.device)?;
    writeln!(out, "  {bare:>9.0} ns  by the driver's function alone")?;
    writeln!(out, "  {ours:>9.0} ns  of ours, checked, {ratio:.2} times as much")?;
    write_json(
        args.json.file.as_deref(),
        || json!({ "device": args.device, "bare_ns": bare, "ours_ns": ours, "ratio": ratio, "most": MOST }),
    )?;
    if ratio <= MOST { Ok(()) } else { Err(Failure::Check) }
}

/// Nanoseconds of a launch: by the driver's function alone, and ours.
fn measure(device: &Device, seconds: f64) -> Result<(f64, f64), DeviceError> {
    let raw = device.raw();
    let kernel = small().expect("the kernel stages");
    let program = raw.load(&kernel, device.options())?;
    const ELEMS: u64 = 64;
    let alloc = || {
        let memory = raw.alloc(DType::F32, ELEMS)?;
        raw.fill(&memory, 0)?;
        Ok::<_, DeviceError>(memory)
    };
    let (x, bias, y) = (alloc()?, alloc()?, alloc()?);
    let launch_args = [
        LaunchArg::Buffer(&x),
        LaunchArg::Buffer(&bias),
        LaunchArg::Buffer(&y),
        LaunchArg::Scalar(DType::F32, u64::from(2.0f32.to_bits())),
        LaunchArg::Scalar(DType::U32, ELEMS),
    ];
    let (mut bare, mut ours) = (f64::INFINITY, f64::INFINITY);
    let begun = Instant::now();
    while bare.is_infinite() || begun.elapsed().as_secs_f64() < seconds {
        // The last of a round has ended before the next begins.
        raw.read(&y)?;
        let taken_ns = raw.enqueue_bare(&program, &launch_args, ROUND)?;
        bare = bare.min(taken_ns as f64 / f64::from(ROUND));
        raw.read(&y)?;
        let started = Instant::now();
        for _ in 0..ROUND {
            raw.launch(&program, &launch_args)?;
        }
        ours = ours.min(started.elapsed().as_nanos() as f64 / f64::from(ROUND));
    }
    Ok((bare, ours))
}
