//! The device on a driver that does everything as late as HIP allows: what the host does not wait for has not happened, and what it
//! gives back too early is gone. The driver is `runtime/emulated`, with machine code of clang's.
//!
//! A machine without clang 19 says that the tests were skipped; with `EVENWEAVE_REQUIRE_COMPILERS=1` that is a failure.

use super::*;

/// The emulated device, of which nothing was measured, and the folder of what it compiles.
fn open() -> Option<(Rtc, tempfile::TempDir)> {
    if Command::new("clang-19").arg("--version").output().is_err() {
        let required = std::env::var_os("EVENWEAVE_REQUIRE_COMPILERS").is_some_and(|v| v == "1");
        assert!(!required, "there is no clang 19, and one is required");
        eprintln!("skipped: there is no clang 19");
        return None;
    }
    let driver = driver(Kind::Emulated, &[]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let options = OpenOptions { cache: Some(folder.path().into()), ..OpenOptions::default() };
    let device = open_unmeasured(driver, EMULATED, &options, Duration::from_secs(60)).unwrap();
    Some((device, folder))
}

#[test]
fn staging_memory_is_used_again_when_its_copy_has_ended() {
    let Some((device, _folder)) = open() else { return };
    let program = load(&device);
    // Three pieces and a bit, of which two are staged at a time.
    let elems = (3 << 20) + 5;
    let x: Vec<u32> = (0..elems).map(|i: u32| i.wrapping_mul(2_654_435_761)).collect();
    let large = put(&device, &x);
    device.launch(&program, &args(&large)).unwrap();
    assert!(words(&device, &large).iter().zip(&x).all(|(got, x)| *got == x.wrapping_add(1)));
    // Small copies all go through the first piece.
    let small = [[1, 2], [3, 4], [5, 6]].map(|words| put(&device, &words));
    for memory in &small {
        device.launch(&program, &args(memory)).unwrap();
    }
    assert_eq!(small.each_ref().map(|m| words(&device, m)), [[2, 3], [4, 5], [6, 7]]);
}

#[test]
fn memory_and_programs_outlive_their_launches() {
    let Some((device, _folder)) = open() else { return };
    let x = put(&device, &[1, 2, 3]);
    for round in 1..4 {
        let (program, y) = (load(&device), put(&device, &[7; 70]));
        device.launch(&program, &args(&y)).unwrap();
        device.launch(&program, &args(&x)).unwrap();
        drop((y, program));
        match round {
            1 => {}
            // What waits, and gives back what nobody has.
            2 => device.gpu.finish().unwrap(),
            _ => device.time(&mut || Ok(())).map(drop).unwrap(),
        }
        assert_eq!(words(&device, &x), [1, 2, 3].map(|n| n + round));
    }
    // So many that some are unloaded while launches wait, if that can be.
    for _ in 0..80 {
        device.launch(&load(&device), &args(&x)).unwrap();
    }
    assert_eq!(words(&device, &x), [84, 85, 86]);
}

#[test]
fn a_recording_keeps_what_it_uses() {
    let Some((device, _folder)) = open() else { return };
    let (program, x, y) = (load(&device), put(&device, &[10, 20]), put(&device, &[0]));
    let launch = |memory| Launch { program: &program, args: args(memory).to_vec() };
    let recording = device.record(&[launch(&x), launch(&y), launch(&x)]).unwrap();
    device.replay(&recording).unwrap();
    assert_eq!(words(&device, &x), [12, 22]);
    drop((program, y));
    device.replay(&recording).unwrap();
    drop(recording);
    assert_eq!(words(&device, &x), [14, 24]);
}

#[test]
fn a_time_is_of_work_that_has_ended() {
    let Some((device, _folder)) = open() else { return };
    let (program, x) = (load(&device), put(&device, &[0]));
    // More than the host lets wait, so that it looks in between.
    let ns = device.time(&mut || (0..600).try_for_each(|_| device.launch(&program, &args(&x))));
    assert!(ns.unwrap() > 0);
    assert_eq!(words(&device, &x), [600]);
}
