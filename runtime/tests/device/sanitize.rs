//! What the sanitizer reports, and what it does not: each fault beside the same kernel without it.

use evenweave_lang::prelude::*;
use evenweave_runtime::{
    Access, DeviceError, Fault, FaultCause, LaunchArg, LoadOptions, Memory, OpenOptions, open,
};

/// Runs a kernel of one input and one output of 64 `u32` a group (or as many as it asks for), with a scalar.
fn run(kernel: Result<Kernel, StageError>, scalar: u32) -> Result<Vec<u8>, Vec<Fault>> {
    let kernel = kernel.unwrap();
    let cpu = open("cpu", &OpenOptions::default()).unwrap();
    let memory: Vec<Memory> = (0..2)
        .map(|_| {
            let memory = cpu.alloc(DType::U32, 256).unwrap();
            let bytes: Vec<u8> = (0..256u32).flat_map(|i| i.to_le_bytes()).collect();
            cpu.write(&memory, &bytes).unwrap();
            memory
        })
        .collect();
    let options = LoadOptions { sanitize: true, ..LoadOptions::default() };
    let program = cpu.load(&kernel, &options).unwrap();
    let args = [
        LaunchArg::Buffer(&memory[0]),
        LaunchArg::Buffer(&memory[1]),
        LaunchArg::Scalar(DType::U32, scalar.into()),
    ];
    match cpu.launch(&program, &args) {
        Ok(()) => Ok(cpu.read(&memory[1]).unwrap()),
        Err(DeviceError::Faults(faults)) => Err(faults),
        Err(other) => panic!("{other}"),
    }
}

/// The only fault.
#[track_caller]
fn one(result: Result<Vec<u8>, Vec<Fault>>) -> Fault {
    let faults = result.expect_err("the kernel has a fault");
    assert_eq!(faults.len(), 1, "{faults:?}");
    faults.into_iter().next().unwrap()
}

/// Lines of the bodies below, from their first.
#[track_caller]
fn assert_lines(fault: &Fault, first: u32, here: u32, other: Option<u32>) {
    assert!(fault.site.file.ends_with("sanitize.rs"), "{fault}");
    assert_eq!(fault.site.line - first, here, "{fault}");
    if let FaultCause::Race { other_site, .. } = &fault.cause {
        assert_eq!(Some(other_site.line - first), other, "{fault}");
    }
}

const EXCHANGE: u32 = line!() + 4;
#[kernel(group = 64, grid = 4)]
#[rustfmt::skip]
fn exchange(#[len(256)] x: &In<u32>, #[len(256)] y: &mut Out<u32>, n: u32, #[comptime] meet: bool) {
    let tile = shared::<u32>(64);
    let t = thread_id();
    tile[t] = x[global_id()] + n;
    if meet { barrier(); }
    y[global_id()] = tile[63 - t];
}

#[test]
fn a_missing_barrier_is_a_race() {
    assert!(run(exchange(true), 1).is_ok());
    let fault = one(run(exchange(false), 1));
    assert_lines(&fault, EXCHANGE, 4, Some(2));
    let FaultCause::Race { name, index, access, other, other_place, .. } = &fault.cause else {
        panic!("{fault}")
    };
    assert_eq!((name.as_str(), *index, *access, *other), ("tile", 63, Access::Read, Access::Write));
    assert_eq!((fault.place.thread, other_place.thread), ([0, 0, 0], [63, 0, 0]));
    let text = fault.to_string();
    assert!(text.contains("read of `tile` at index 63 races with the write at "), "{text}");
    assert!(
        text.contains(
            "by thread (63, 0, 0) of group (0, 0, 0), thread (0, 0, 0) of group (0, 0, 0)"
        ),
        "{text}"
    );
}

const REUSE: u32 = line!() + 4;
#[kernel(group = 64, grid = 4)]
#[rustfmt::skip]
fn reuse(#[len(256)] x: &In<u32>, #[len(256)] y: &mut Out<u32>, n: u32, #[comptime] meet: bool) {
    let tile = shared::<u32>(64);
    let t = thread_id();
    let mut sum = n;
    for i in 0..4u32 {
        tile[t] = x[t * 4 + i];
        barrier();
        sum += tile[63 - t];
        if meet { barrier(); }
    }
    y[global_id()] = sum;
}

#[test]
fn the_second_barrier_of_a_loop_is_missed() {
    assert!(run(reuse(true), 1).is_ok());
    let fault = one(run(reuse(false), 1));
    // The next round's write races with the last round's read.
    assert_lines(&fault, REUSE, 4, Some(6));
    assert!(matches!(
        fault.cause,
        FaultCause::Race { access: Access::Write, other: Access::Read, .. }
    ));
}

const TO_ONE: u32 = line!() + 4;
#[kernel(group = 64, grid = 1)]
#[rustfmt::skip]
fn to_one(#[len(256)] x: &In<u32>, #[len(256)] y: &mut Out<u32>, n: u32, #[comptime] all: bool) {
    let t = thread_id();
    let place = if all { val(0u32) } else { t };
    y[place] = x[t] + n;
}

#[test]
fn two_writers_of_one_element_race() {
    assert!(run(to_one(false), 1).is_ok());
    let fault = one(run(to_one(true), 1));
    assert_lines(&fault, TO_ONE, 2, Some(2));
    assert!(matches!(
        &fault.cause,
        FaultCause::Race { name, access: Access::Write, other: Access::Write, .. } if name == "y"
    ));
}

#[kernel(group = 64, grid = 4)]
#[rustfmt::skip]
fn across(#[len(256)] x: &In<u32>, #[len(256)] y: &mut InOut<u32>, n: u32, #[comptime] own: bool) {
    let to = if own { global_id() } else { thread_id() };
    barrier();
    let old = y[to];
    barrier();
    y[to] = old + x[to] + n;
}

#[test]
fn barriers_do_not_order_groups() {
    assert!(run(across(true), 1).is_ok());
    let faults = run(across(false), 1).unwrap_err();
    for fault in &faults {
        let FaultCause::Race { other_place, .. } = &fault.cause else { panic!("{fault}") };
        assert_ne!(other_place.group, fault.place.group, "{fault}");
    }
    // A read after another group's write, and a write after another group's access.
    assert_eq!(faults.len(), 2, "{faults:?}");
}

#[kernel(group = 64, grid = 4)]
#[rustfmt::skip]
fn count(#[len(256)] x: &In<u32>, #[len(256)] y: &mut InOut<u32>, n: u32, #[comptime] look: bool) {
    atomic_add(&y, x[thread_id()] % n, val(1u32));
    if look {
        let seen = y[0];
        atomic_max(&y, global_id() + 0 * seen, val(0u32));
    }
}

#[test]
fn atomics_race_with_plain_reads_only() {
    assert!(run(count(false), 8).is_ok());
    let faults = run(count(true), 8).unwrap_err();
    for fault in faults {
        let FaultCause::Race { access, other, .. } = fault.cause else { panic!("{fault}") };
        let mixed = [(Access::Read, Access::Atomic), (Access::Atomic, Access::Read)];
        assert!(mixed.contains(&(access, other)), "{access} {other}");
    }
}

const HALF: u32 = line!() + 4;
#[kernel(group = 64, grid = 4)]
#[rustfmt::skip]
fn half_written(#[len(256)] x: &In<u32>, #[len(256)] y: &mut Out<u32>, n: u32, #[comptime] private_too: bool) {
    let tile = shared::<u32>(64);
    let own = private::<u32>(2);
    let t = thread_id();
    if t < n { tile[t] = x[t]; }
    own[0] = t;
    barrier();
    let got = tile[t];
    let mine = if private_too { own[1] } else { own[0] };
    y[global_id()] = got + mine;
}

#[test]
fn reads_of_what_nobody_wrote() {
    assert!(run(half_written(false), 64).is_ok());
    let fault = one(run(half_written(false), 32));
    assert_lines(&fault, HALF, 6, None);
    assert_eq!(fault.place.thread, [32, 0, 0]);
    let what = "`tile` at index 32".to_string();
    assert_eq!(fault.cause, FaultCause::Uninitialised { what });
    let fault = one(run(half_written(true), 64));
    assert_lines(&fault, HALF, 7, None);
    assert_eq!(fault.cause, FaultCause::Uninitialised { what: "`own` at index 1".into() });
}

const WRAPPED: u32 = line!() + 4;
#[kernel(group = 64, grid = 1)]
#[rustfmt::skip]
fn wrapped(#[len(256)] x: &In<u32>, #[len(256)] y: &mut Out<u32>, n: u32, #[comptime] how: u32) {
    let t = thread_id();
    let row = (t + 1) * n;
    let at = if how == 0 { row } else if how == 1 { row % 256 } else { t - n + n };
    y[t] = x[at & 255u32] + x[if how == 0 { at } else { at % 256 }];
}

#[test]
fn an_index_that_wrapped() {
    // 64 * 2^26 is 2^32: the last thread's product is 0, in bounds and wrong.
    let faults = run(wrapped(0), 1 << 26).unwrap_err();
    let overflow = faults.iter().find(|f| matches!(f.cause, FaultCause::IndexOverflow { .. }));
    let fault = overflow.expect("the product wraps");
    assert_lines(fault, WRAPPED, 3, None);
    let FaultCause::IndexOverflow { name, op, dtype, origin } = &fault.cause else { panic!() };
    assert_eq!((name.as_str(), *op, *dtype), ("x", "mul", DType::U32));
    assert_eq!(origin.line - WRAPPED, 1);
    assert_eq!(fault.place.thread, [63, 0, 0]);
    // A product that is reduced is a hash, and a difference that comes back is right.
    assert!(run(wrapped(1), 1 << 26).is_ok());
    assert!(run(wrapped(2), 1 << 26).is_ok());
    assert!(run(wrapped(0), 2).is_ok());
}

const STEPS: u32 = line!() + 4;
#[kernel(group = 64, grid = 1)]
#[rustfmt::skip]
fn steps(#[len(256)] x: &In<u32>, #[len(256)] y: &mut Out<u32>, n: u32, #[comptime] lift: bool) {
    let mut sum = val(0u32);
    let step = if lift { max(n, 1) } else { n };
    for i in (val(0u32)..4).step_by(step) { sum += x[i]; }
    y[thread_id()] = sum;
}

#[test]
fn a_step_of_zero() {
    assert!(run(steps(false), 2).is_ok());
    assert!(run(steps(true), 0).is_ok());
    let fault = one(run(steps(false), 0));
    assert_lines(&fault, STEPS, 2, None);
    assert_eq!(fault.cause, FaultCause::Step { step: 0 });
}

#[test]
fn the_fast_way_reports_no_race_and_computes_the_same() {
    let cpu = open("cpu", &OpenOptions::default()).unwrap();
    let kernel = exchange(true).unwrap();
    let x = cpu.alloc(DType::U32, 256).unwrap();
    let y = cpu.alloc(DType::U32, 256).unwrap();
    cpu.write(&x, &(0..256u32).flat_map(|i| i.to_le_bytes()).collect::<Vec<_>>()).unwrap();
    let program = cpu.load(&kernel, &LoadOptions::default()).unwrap();
    let args = [LaunchArg::Buffer(&x), LaunchArg::Buffer(&y), LaunchArg::Scalar(DType::U32, 1)];
    cpu.launch(&program, &args).unwrap();
    assert_eq!(cpu.read(&y).unwrap(), run(exchange(true), 1).unwrap());
}
