//! Memory, launches, and what is refused.

use crate::kernels::*;
use evenweave_lang::{
    launch::{LaunchCause, LaunchError},
    ops::BinaryOp,
    prelude::*,
};
use evenweave_runtime::{DeviceError, FaultCause, LaunchArg, LoadOptions, OpenOptions, list, open};

#[test]
fn adds() {
    let cpu = open("cpu", &OpenOptions::default()).unwrap();
    for n in [0u32, 1, 63, 64, 65, 1000] {
        let x: Vec<f32> = (0..n).map(|i| i as f32 * 0.25).collect();
        let z: Vec<f32> = (0..n).map(|i| 1e6 - i as f32).collect();
        let (mx, mz) =
            (put(&*cpu, DType::F32, &f32_bytes(&x)), put(&*cpu, DType::F32, &f32_bytes(&z)));
        for options in [
            LoadOptions::default(),
            LoadOptions { optimise: false, ..LoadOptions::default() },
            LoadOptions { sanitize: true, ..LoadOptions::default() },
        ] {
            let my = cpu.alloc(DType::F32, u64::from(n) + 3).unwrap();
            cpu.fill(&my, 0xa5).unwrap();
            let args = [
                LaunchArg::Buffer(&mx),
                LaunchArg::Buffer(&mz),
                LaunchArg::Buffer(&my),
                LaunchArg::Scalar(DType::U32, n.into()),
            ];
            run(&*cpu, &pointwise(DType::F32, BinaryOp::Add), &options, &args).unwrap();
            let mut want = f32_bytes(&x.iter().zip(&z).map(|(a, b)| a + b).collect::<Vec<_>>());
            want.extend([0xa5; 12]);
            assert_eq!(cpu.read(&my).unwrap(), want);
        }
    }
}

#[test]
fn nibbles_share_bytes_across_groups() {
    let cpu = open("cpu", &OpenOptions::default()).unwrap();
    let n = 1001u32;
    let code = |i: u32| (i * 7 % 16) as u8;
    let bytes: Vec<u8> = (0..n.div_ceil(2)).map(|i| code(2 * i) | code(2 * i + 1) << 4).collect();
    let x = put(&*cpu, DType::U4, &bytes);
    let ones = put(&*cpu, DType::U4, &vec![0x11; bytes.len()]);
    let y = cpu.alloc(DType::U4, n.into()).unwrap();
    cpu.fill(&y, 0xff).unwrap();
    let args = [
        LaunchArg::Buffer(&x),
        LaunchArg::Buffer(&ones),
        LaunchArg::Buffer(&y),
        LaunchArg::Scalar(DType::U32, n.into()),
    ];
    let mut kernel = pointwise(DType::U4, BinaryOp::Add);
    // Groups of odd size meet within a byte.
    kernel.group = [63, 1, 1];
    kernel.grid[0] = evenweave_lang::launch::Len::from(n).div_ceil(63u32);
    run(&*cpu, &kernel, &LoadOptions::default(), &args).unwrap();
    let got = cpu.read(&y).unwrap();
    for i in 0..n {
        let nibble = got[i as usize / 2] >> (4 * (i % 2)) & 0xf;
        assert_eq!(nibble, (code(i) + 1).min(15), "{i}");
    }
    // The last byte's other half is nobody's.
    assert_eq!(got.last().unwrap() >> 4, 0xf);
}

#[test]
fn a_launch_that_does_not_fit_is_refused_before_it_runs() {
    let cpu = open("cpu", &OpenOptions::default()).unwrap();
    let kernel = pointwise(DType::F32, BinaryOp::Add);
    let program = cpu.load(&kernel, &LoadOptions::default()).unwrap();
    let (a, b, c) = (
        cpu.alloc(DType::F32, 8).unwrap(),
        cpu.alloc(DType::F32, 8).unwrap(),
        cpu.alloc(DType::F32, 8).unwrap(),
    );
    let launch = |x, z, y, n| {
        let n = LaunchArg::Scalar(DType::U32, n);
        cpu.launch(&program, &[LaunchArg::Buffer(x), LaunchArg::Buffer(z), LaunchArg::Buffer(y), n])
    };
    assert_eq!(launch(&a, &a, &c, 8), Ok(()));
    let cause = |e| match e {
        Err(DeviceError::Launch(LaunchError { cause, .. })) => cause,
        other => panic!("{other:?}"),
    };
    assert!(matches!(cause(launch(&a, &b, &c, 9)), LaunchCause::TooShort { want_elems: 9, .. }));
    let aliased = LaunchCause::Aliased { a: "y".into(), b: "x".into() };
    assert_eq!(cause(launch(&c, &b, &c, 8)), aliased);
    // Where the caller asks for it, and reads alone.
    let over = |x, z, y| {
        let n = LaunchArg::Scalar(DType::U32, 8);
        cpu.launch(&program, &[LaunchArg::Buffer(x), z, LaunchArg::Over(y), n])
    };
    assert_eq!(over(&c, LaunchArg::Buffer(&c), &c), Ok(()));
    let aliased = LaunchCause::Aliased { a: "y".into(), b: "z".into() };
    assert_eq!(cause(over(&b, LaunchArg::Over(&c), &c)), aliased);
    let wrong = cpu.alloc(DType::I32, 8).unwrap();
    assert!(matches!(cause(launch(&wrong, &b, &c, 8)), LaunchCause::Kind { .. }));
    assert!(matches!(cause(cpu.launch(&program, &[])), LaunchCause::Count { want: 4, got: 0, .. }));
}

/// `y[i] = x[(i + by) mod n]`: in place with a `by` of 0.
#[kernel(group = 64, grid = n.div_ceil(64))]
fn moved(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32, by: u32) {
    let i = global_id();
    if i < n {
        y[i] = x[(i + by) % n];
    }
}

#[test]
fn the_sanitizer_sees_what_one_thread_reads_and_another_writes_through_another_argument() {
    let cpu = open("cpu", &OpenOptions::default()).unwrap();
    let options = LoadOptions { sanitize: true, ..LoadOptions::default() };
    let program = cpu.load(&moved().unwrap(), &options).unwrap();
    let x = put(&*cpu, DType::F32, &f32_bytes(&[1.0, 2.0, 3.0]));
    let launch = |by| {
        let [n, by] = [3, by].map(|n| LaunchArg::Scalar(DType::U32, n));
        cpu.launch(&program, &[LaunchArg::Buffer(&x), LaunchArg::Over(&x), n, by])
    };
    assert_eq!(launch(0), Ok(()));
    assert_eq!(launch(3), Ok(()));
    let Err(DeviceError::Faults(faults)) = launch(1) else { panic!("a race was not seen") };
    assert!(faults.iter().all(|f| matches!(f.cause, FaultCause::Race { .. })), "{faults:?}");
}

#[test]
fn memory_is_checked() {
    let cpu = open("cpu", &OpenOptions::default()).unwrap();
    let absurd = cpu.alloc(DType::F64, 1 << 60).unwrap_err();
    assert_eq!(absurd.to_string(), format!("cpu: no memory for {} elements of f64", 1u64 << 60));
    assert!(matches!(cpu.alloc(DType::U4, u64::MAX), Err(DeviceError::OutOfMemory { .. })));
    let memory = cpu.alloc(DType::I4, 3).unwrap();
    assert_eq!(
        cpu.write(&memory, &[0; 3]).unwrap_err().to_string(),
        "cpu: 3 elements of i4 are 2 bytes, but 3 were given"
    );
    let known = list().into_iter().map(|info| info.name).collect::<Vec<_>>().join(", ");
    assert_eq!(
        open("gpu", &OpenOptions::default()).err().unwrap().to_string(),
        format!("there is no device `gpu` here (devices: {known})")
    );
}

#[test]
fn out_of_bounds_names_everything() {
    let cpu = open("cpu", &OpenOptions::default()).unwrap();
    let mut kernel = pointwise(DType::F32, BinaryOp::Add);
    // The kernel claims to need one element and touches n of them.
    for param in &mut kernel.params[..3] {
        if let evenweave_lang::ir::ParamKind::Buffer { len, .. } = &mut param.kind {
            *len = 1u32.into();
        }
    }
    let (x, y) = (cpu.alloc(DType::F32, 200).unwrap(), cpu.alloc(DType::F32, 70).unwrap());
    let args = [
        LaunchArg::Buffer(&x),
        LaunchArg::Buffer(&x),
        LaunchArg::Buffer(&y),
        LaunchArg::Scalar(DType::U32, 200),
    ];
    for sanitize in [false, true] {
        let options = LoadOptions { sanitize, ..LoadOptions::default() };
        let error = run(&*cpu, &kernel, &options, &args).unwrap_err();
        let DeviceError::Faults(faults) = &error else { panic!("{error}") };
        assert!(matches!(faults[0].cause, FaultCause::OutOfBounds { index: 70, elems: 70, .. }));
        assert_eq!(
            error.to_string(),
            "pointwise<f32> (pointwise.rs:4): write of `y` at index 70, which has 70 elements, \
             thread (6, 0, 0) of group (1, 0, 0)"
        );
    }
}

#[test]
fn arrays_that_do_not_fit_are_refused_before_a_load() {
    let error = huge().unwrap_err().to_string();
    let words = "private arrays take 34359738360 bytes, but a thread has 65536";
    assert!(error.contains(words), "{error}");
}

#[test]
fn offsets_above_two_to_the_31_elements_are_ordinary() {
    let cpu = open("cpu", &OpenOptions::default()).unwrap();
    let kernel = shift().unwrap();
    // Untouched pages of the 4 GiB are never there.
    let elems = (1u64 << 32) + 64;
    let (x, y) = (cpu.alloc(DType::U8, elems).unwrap(), cpu.alloc(DType::U8, elems).unwrap());
    for start in [(1u64 << 31) - 32, (1 << 31) + 5, (1 << 32) - 1] {
        let args =
            [LaunchArg::Buffer(&x), LaunchArg::Buffer(&y), LaunchArg::Scalar(DType::U64, start)];
        run(&*cpu, &kernel, &LoadOptions::default(), &args).unwrap();
        let seen = check().unwrap();
        let sum = put(&*cpu, DType::U32, &[0; 256]);
        let args =
            [LaunchArg::Buffer(&y), LaunchArg::Buffer(&sum), LaunchArg::Scalar(DType::U64, start)];
        run(&*cpu, &seen, &LoadOptions::default(), &args).unwrap();
        let want: Vec<u8> = (0..64u32).flat_map(|i| (i + 1).to_le_bytes()).collect();
        assert_eq!(cpu.read(&sum).unwrap(), want, "{start}");
    }
    let args =
        [LaunchArg::Buffer(&x), LaunchArg::Buffer(&y), LaunchArg::Scalar(DType::U64, 1 << 32)];
    run(&*cpu, &kernel, &LoadOptions::default(), &args).unwrap();
    let args = [
        LaunchArg::Buffer(&x),
        LaunchArg::Buffer(&y),
        LaunchArg::Scalar(DType::U64, (1 << 32) + 1),
    ];
    let error = run(&*cpu, &kernel, &LoadOptions::default(), &args).unwrap_err().to_string();
    assert!(error.contains("of `x` at index 4294967360, which has 4294967360 elements"), "{error}");
}

#[kernel(group = 64, grid = 1)]
fn huge(#[len(64)] y: &mut Out<f64>, at: u32) {
    let own = private::<f64>(u32::MAX);
    own[at] = 1.0;
    y[thread_id()] = own[at];
}

/// Writes `x + thread + 1` at 64 elements from `start`.
#[kernel(group = 64, grid = 1)]
fn shift(#[len(64)] x: &In<u8>, #[len(64)] y: &mut Out<u8>, start: u64) {
    let at = start + (thread_id() as u64);
    y[at] = x[at] + (thread_id() as u8) + 1;
}

/// Reads 64 elements from `start`.
#[kernel(group = 64, grid = 1)]
fn check(#[len(64)] y: &In<u8>, #[len(64)] seen: &mut Out<u32>, start: u64) {
    seen[thread_id()] = y[start + (thread_id() as u64)] as u32;
}

/// A number made of all places of a thread, in groups of 4 x 3 x 2 and a grid of 2 x 3 x 2.
#[kernel(group = (4, 3, 2), grid = (2, 3, 2))]
fn places(#[len(288)] y: &mut Out<u64>) {
    let (gx, gy, gz) = (global_id(), global_id_y(), global_id_z());
    let mut code = val(0u64);
    for part in [
        local_id(),
        local_id_y(),
        local_id_z(),
        group_id(),
        group_id_y(),
        group_id_z(),
        thread_id(),
        lane(),
        subgroup_id(),
        group_size(),
        group_size_y(),
        group_size_z(),
        grid_size(),
        grid_size_y(),
        grid_size_z(),
        subgroups(),
    ] {
        code = code * 31 + (part as u64);
    }
    y[gx + 8 * (gy + 9 * gz)] = code;
}

#[test]
fn threads_know_where_they_are() {
    let cpu = open("cpu", &OpenOptions::default()).unwrap();
    let mut want = vec![0u64; 288];
    for (gz, gy, gx) in (0..12).map(|g| (g / 6, g / 2 % 3, g % 2)) {
        for (z, y, x) in (0..24).map(|t| (t / 12, t / 4 % 3, t % 4)) {
            let thread = x + 4 * (y + 3 * z);
            let parts = [x, y, z, gx, gy, gz, thread, thread, 0, 4, 3, 2, 2, 3, 2, 1];
            let code = parts.iter().fold(0u64, |code, &part| code.wrapping_mul(31) + part);
            want[(gx * 4 + x + 8 * (gy * 3 + y + 9 * (gz * 2 + z))) as usize] = code;
        }
    }
    let want: Vec<u8> = want.into_iter().flat_map(u64::to_le_bytes).collect();
    for sanitize in [false, true] {
        let y = cpu.alloc(DType::U64, 288).unwrap();
        let options = LoadOptions { sanitize, ..LoadOptions::default() };
        run(&*cpu, &places().unwrap(), &options, &[LaunchArg::Buffer(&y)]).unwrap();
        assert_eq!(cpu.read(&y).unwrap(), want);
    }
}
