//! Bounds, what was never written, what was freed, and races.

use super::*;

const EACH: [usize; LANES] = {
    let mut all = [0; LANES];
    let mut i = 0;
    while i < LANES {
        all[i] = i;
        i += 1;
    }
    all
};

fn cause<T: std::fmt::Debug>(result: Result<T, Box<AccessError>>) -> (u8, AccessCause) {
    let error = result.unwrap_err();
    (error.lane, error.cause)
}

fn filled(bytes: u64) -> (Memory, u64) {
    let mut memory = Memory::new(1 << 20);
    let at = memory.alloc(bytes).unwrap();
    let data: Vec<u8> = (0..bytes).map(|i| (i * 7 + 3) as u8).collect();
    memory.write(at, &data).unwrap();
    (memory, at)
}

#[test]
fn rows_of_every_width_are_the_bytes() {
    let (mut memory, base) = filled(2048);
    let byte = |i: u64| ((i * 7 + 3) as u8) as u32;
    for bytes in [1u32, 2, 4, 8, 12, 16] {
        // Side by side, backwards, unaligned; with all lanes and with some.
        for (start, step) in [(0i64, i64::from(bytes)), (1024, -i64::from(bytes)), (1, 19)] {
            for mask in [u32::MAX, 0x8421_0f0f] {
                let at = EACH.map(|l| base + (start + step * l as i64) as u64);
                let mut out = [[0xaaaa_aaaa; LANES]; 4];
                memory.load(Lanes { at: &at, mask }, bytes, &mut out).unwrap();
                for l in 0..LANES {
                    for (w, row) in out.iter().enumerate() {
                        let of =
                            |b: u32| byte(at[l] - base + u64::from(4 * w as u32 + b)) << (8 * b);
                        let here = bytes.saturating_sub(4 * w as u32).min(4);
                        let taken = mask >> l & 1 != 0 && here > 0;
                        let want = if taken { (0..here).map(of).sum() } else { 0xaaaa_aaaa };
                        assert_eq!(row[l], want, "{bytes} bytes, lane {l}, word {w}");
                    }
                }
            }
        }
    }
}

#[test]
fn stores_change_their_bytes_only() {
    for bytes in [1u32, 2, 4, 8, 12, 16] {
        for step in [u64::from(bytes), 33] {
            let (mut memory, base) = filled(2048);
            let mut want = vec![0; 2048];
            memory.read(base, &mut want).unwrap();
            let at = EACH.map(|l| base + 5 + step * l as u64);
            let rows = [0u32, 1, 2, 3].map(|w| EACH.map(|l| 0x0101_0101 * (w + 1) + l as u32));
            memory.store(Lanes { at: &at, mask: 0xffff_fffe }, bytes, &rows).unwrap();
            for l in 1..LANES {
                for b in 0..bytes as usize {
                    want[5 + step as usize * l + b] = rows[b / 4][l].to_le_bytes()[b % 4];
                }
            }
            let mut got = vec![0; 2048];
            memory.read(base, &mut got).unwrap();
            assert!(got == want, "{bytes} bytes, {step} apart");
        }
    }
}

#[test]
fn the_last_byte_is_in_and_the_next_is_out() {
    let (mut memory, base) = filled(130);
    let mut out = [[0; LANES]];
    let row = |last: u64| EACH.map(|l| if l == 9 { last } else { base });
    memory.load(Lanes { at: &row(base + 126), mask: u32::MAX }, 4, &mut out).unwrap();
    let (lane, why) =
        cause(memory.load(Lanes { at: &row(base + 127), mask: u32::MAX }, 4, &mut out));
    let bounds =
        AccessCause::OutOfBounds { label: "allocation 1".into(), base, bytes: 130, offset: 127 };
    assert_eq!((lane, why), (9, bounds));
    // A lane that takes no part may name anything.
    memory.load(Lanes { at: &row(7), mask: !(1 << 9) }, 4, &mut out).unwrap();
    let (_, why) = cause(memory.store(Lanes { at: &row(base - 1), mask: u32::MAX }, 1, &out));
    assert!(matches!(why, AccessCause::OutOfBounds { offset: -1, .. }));
    assert_eq!(
        cause(memory.load(Lanes { at: &row(0), mask: u32::MAX }, 4, &mut out)).1,
        AccessCause::Unmapped
    );
}

#[test]
fn a_row_may_lie_in_two_allocations() {
    let (mut memory, a) = filled(128);
    let b = memory.alloc(4).unwrap();
    memory.write(b, &[1, 2, 3, 4]).unwrap();
    let at = EACH.map(|l| if l == 3 { b } else { a });
    let mut out = [[0; LANES]];
    memory.load(Lanes { at: &at, mask: u32::MAX }, 4, &mut out).unwrap();
    assert_eq!(out[0][3], 0x0403_0201);
    assert_eq!(out[0][4], u32::from_le_bytes([3, 10, 17, 24]));
}

#[test]
fn what_nobody_wrote_is_not_read() {
    let mut memory = Memory::new(1 << 20);
    let base = memory.alloc(256).unwrap();
    let at = EACH.map(|l| base + 4 * l as u64);
    let mut out = [[0; LANES]];
    let all = Lanes { at: &at, mask: u32::MAX };
    // Lane 4 alone, by a kernel; then the rest by the host, but for a byte of lane 6.
    memory.store(Lanes { mask: 1 << 4, ..all }, 4, &[[9; LANES]]).unwrap();
    memory.load(Lanes { mask: 1 << 4, ..all }, 4, &mut out).unwrap();
    assert_eq!(cause(memory.load(all, 4, &mut out)), (0, AccessCause::Unwritten { at: base }));
    memory.write(base, &[0; 26]).unwrap();
    memory.write(base + 27, &[0; 101]).unwrap();
    assert_eq!(cause(memory.load(all, 4, &mut out)), (6, AccessCause::Unwritten { at: base + 26 }));
    let atomic = memory.atomic(all, 4, Returns::Old, |_, old| Some(old));
    assert_eq!(cause(atomic), (6, AccessCause::Unwritten { at: base + 26 }));
    memory.fill(base + 26, 1, 1).unwrap();
    memory.load(all, 4, &mut out).unwrap();
    assert_eq!(out[0][6], 0x0001_0000);
}

#[test]
fn freed_memory_and_code_are_refused() {
    let (mut memory, base) = filled(64);
    let code = memory.alloc_read_only(vec![1; 64], "code").unwrap();
    let row = |at: u64| [at; LANES];
    let mut out = [[0; LANES]];
    memory.load(Lanes { at: &row(code), mask: 1 }, 4, &mut out).unwrap();
    let (_, why) = cause(memory.store(Lanes { at: &row(code), mask: 1 }, 4, &out));
    assert_eq!(why, AccessCause::ReadOnly { label: "code".into() });
    memory.free(base).unwrap();
    let (_, why) = cause(memory.load(Lanes { at: &row(base), mask: 1 }, 4, &mut out));
    assert!(matches!(why, AccessCause::Freed { bytes: 64, .. }));
    assert_eq!(memory.free(base), Err(MemoryError::NotAllocated { address: base }));
    assert!(memory.read(base, &mut [0]).is_err());
    // What was freed may be had again, elsewhere.
    assert_eq!(memory.free_bytes(), (1 << 20) - 64);
    assert!(memory.alloc(1 << 20).is_err());
    assert_ne!(memory.alloc(64).unwrap(), base);
}

#[test]
fn atomics_go_lane_by_lane() {
    let (mut memory, base) = filled(8);
    memory.write(base, &[0; 8]).unwrap();
    let mut seen = Vec::new();
    let at = [base; LANES];
    memory
        .atomic(Lanes { at: &at, mask: 0b1011 }, 8, Returns::Old, |lane, old| {
            seen.push((lane, old));
            (lane != 1).then_some(old + 1 + (1 << 40))
        })
        .unwrap();
    assert_eq!(seen, [(0, 0), (1, 1 + (1 << 40)), (3, 1 + (1 << 40))]);
    let mut now = [0; 8];
    memory.read(base, &mut now).unwrap();
    assert_eq!(u64::from_le_bytes(now), 2 * (1 + (1 << 40)));
}

fn who(wave: u8, epoch: u32) -> Who {
    Who { wave, pc: 0x40 + 4 * u32::from(wave), epoch }
}

#[test]
fn waves_race_where_no_barrier_stands_between() {
    let word = [8u32; LANES];
    let one = Lanes { at: &word, mask: 1 };
    let rows = [[5; LANES]];
    let race =
        |wave: u8, access| AccessCause::Race { wave, pc: 0x40 + 4 * u32::from(wave), access };
    for grain in [Grain::Byte, Grain::Word] {
        let mut shared = Shared::default();
        let mut out = [[0; LANES]];
        shared.reset(64, grain);
        shared.store(who(0, 1), one, 4, &rows).unwrap();
        shared.load(who(0, 1), one, 4, &mut out).unwrap();
        assert_eq!(cause(shared.load(who(1, 1), one, 4, &mut out)).1, race(0, Access::Store));
        assert_eq!(cause(shared.store(who(1, 1), one, 4, &rows)).1, race(0, Access::Store));
        // After a barrier both read, and neither may write.
        shared.load(who(1, 2), one, 4, &mut out).unwrap();
        shared.load(who(0, 2), one, 4, &mut out).unwrap();
        assert_eq!(cause(shared.store(who(0, 2), one, 4, &rows)).1, race(1, Access::Load));
        assert_eq!(cause(shared.store(who(1, 2), one, 4, &rows)).1, race(0, Access::Load));
        // Atomics of two waves do not race with each other; with a load they do.
        shared.atomic(who(0, 3), one, 4, Returns::Old, |_, old| Some(old + 1)).unwrap();
        shared.atomic(who(1, 3), one, 4, Returns::Old, |_, old| Some(old + 1)).unwrap();
        assert_eq!(cause(shared.load(who(2, 3), one, 4, &mut out)).1, race(1, Access::Atomic));
        // A wave that is still before the barrier races with one that is past it.
        assert_eq!(cause(shared.load(who(2, 2), one, 4, &mut out)).1, race(1, Access::Atomic));
        shared.check_races = false;
        shared.load(who(2, 3), one, 4, &mut out).unwrap();
        assert_eq!(out[0][0], 7);
    }
}

#[test]
fn bytes_of_one_word_are_different_places() {
    let mut shared = Shared::default();
    shared.reset(64, Grain::Byte);
    let rows = [[5; LANES]];
    let at = EACH.map(|l| l as u32);
    shared.store(who(0, 1), Lanes { at: &at, mask: 0x5555_5555 }, 1, &rows).unwrap();
    shared.store(who(1, 1), Lanes { at: &at, mask: 0xaaaa_aaaa }, 1, &rows).unwrap();
    let (lane, _) = cause(shared.store(who(1, 1), Lanes { at: &at, mask: 1 << 4 }, 1, &rows));
    assert_eq!(lane, 4);
}

#[test]
fn shared_memory_and_scratch_have_ends_and_begin_unwritten() {
    let mut shared = Shared::default();
    let mut scratch = Scratch::new(12);
    shared.reset(12, Grain::Word);
    let rows = [[5; LANES]; 4];
    let mut out = rows;
    for (at, bytes, fits) in
        [(8u32, 4u32, true), (8, 8, false), (12, 1, false), (u32::MAX, 4, false)]
    {
        let at = [at; LANES];
        let one = Lanes { at: &at, mask: 1 << 5 };
        for result in [shared.store(who(0, 1), one, bytes, &rows), scratch.store(one, bytes, &rows)]
        {
            match fits {
                true => result.unwrap(),
                false => assert!(matches!(
                    cause(result),
                    (5, AccessCause::OutOfBounds { bytes: 12, .. })
                )),
            }
        }
    }
    let at = [4u32; LANES];
    let one = Lanes { at: &at, mask: 1 };
    assert_eq!(cause(shared.load(who(0, 1), one, 8, &mut out)).1, AccessCause::Unwritten { at: 4 });
    assert_eq!(cause(scratch.load(one, 8, &mut out)).1, AccessCause::Unwritten { at: 4 });
    // What one lane wrote is not another's.
    let at = [8u32; LANES];
    assert_eq!(cause(scratch.load(Lanes { at: &at, mask: 1 << 4 }, 4, &mut out)).0, 4);
    scratch.load(Lanes { at: &at, mask: 1 << 5 }, 4, &mut out).unwrap();
    // A new group finds nothing.
    shared.reset(12, Grain::Word);
    assert!(shared.load(who(0, 2), Lanes { at: &at, mask: 1 << 5 }, 4, &mut out).is_err());
}

#[test]
fn spilled_rows_are_as_written_as_the_registers() {
    const BYTES: usize = 100;
    let mut scratch = Scratch::new(BYTES as u32);
    // Which bytes of lane 3 are written, by the plain list of them.
    let mut written = [false; BYTES];
    let mut state = 7u32;
    let mut random = |below: u32| {
        state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        (state >> 16) % below
    };
    let rows = [[0x0101_0101; LANES]; 4];
    for _ in 0..4000 {
        let bytes = [1, 2, 4, 8, 12, 16][random(6) as usize];
        let at = [random(BYTES as u32 + 1 - bytes); LANES];
        let from = at[0] as usize;
        let lanes = Lanes { at: &at, mask: 1 << 3 };
        if random(2) == 0 {
            // Mostly whole, now and then with holes.
            let registers: [bool; 4] = std::array::from_fn(|_| random(3) > 0);
            scratch.spill(lanes, bytes, &rows, &registers.map(|w| u32::from(w) << 3)).unwrap();
            for byte in 0..bytes as usize {
                written[from + byte] = registers[byte / 4];
            }
        } else {
            let mut out = rows;
            let got = scratch.restore(lanes, bytes, &mut out).unwrap();
            for (row, got) in (0..bytes.div_ceil(4) as usize).zip(got) {
                let end = (4 * row + 4).min(bytes as usize);
                let want = written[from + 4 * row..from + end].iter().all(|&w| w);
                assert_eq!(got >> 3 & 1 == 1, want, "{bytes} bytes at {from}, row {row}");
            }
            let first = written[from..from + bytes as usize].iter().position(|&w| !w);
            let refused = scratch.load(lanes, bytes, &mut out).err().map(|error| error.cause);
            let want = first.map(|n| AccessCause::Unwritten { at: (from + n) as u64 });
            assert_eq!(refused, want);
        }
    }
    let at = [97; LANES];
    assert!(scratch.restore(Lanes { at: &at, mask: 1 }, 4, &mut [[0; LANES]; 4]).is_err());
}

#[test]
fn a_flat_row_is_split_by_the_high_half() {
    let (mut global, base) = filled(64);
    let (mut shared, mut scratch) = (Shared::default(), Scratch::new(64));
    shared.reset(64, Grain::Word);
    let mut spaces = Spaces { global: &mut global, shared: &mut shared, scratch: &mut scratch };
    let high = |l: usize| match l % 3 {
        0 => base,
        1 => u64::from(SHARED_APERTURE) << 32,
        _ => u64::from(PRIVATE_APERTURE) << 32,
    };
    let at = EACH.map(|l| high(l) + 4 * (l as u64 % 16));
    let rows = [EACH.map(|l| 1000 + l as u32 % 3)];
    let all = Lanes { at: &at, mask: u32::MAX };
    spaces.store(who(0, 1), all, 4, &rows).unwrap();
    let mut out = [[0; LANES]];
    spaces.load(who(0, 1), all, 4, &mut out).unwrap();
    assert_eq!(out, rows);
    let mut first = [0; 4];
    global.read(base, &mut first).unwrap();
    assert_eq!(u32::from_le_bytes(first), 1000);
}

/// A byte is stored into a word of which nothing was written: by clearing it and setting it.
#[test]
fn an_atomic_writes_the_bytes_that_it_decides() {
    let mut memory = Memory::new(1 << 20);
    let base = memory.alloc(4).unwrap();
    let at = [base; LANES];
    let one = Lanes { at: &at, mask: 1 };
    let mut out = [[0; LANES]];
    // What is added to is as unwritten as before.
    memory.atomic(one, 4, Returns::Nothing, |_, old| Some(old.wrapping_add(1))).unwrap();
    assert!(memory.load(one, 1, &mut out).is_err());
    memory.atomic(one, 4, Returns::Nothing, |_, old| Some(old & 0xffff_00ff)).unwrap();
    memory.atomic(one, 4, Returns::Nothing, |_, old| Some(old | 0x0000_5500)).unwrap();
    let byte = [base + 1; LANES];
    memory.load(Lanes { at: &byte, mask: 1 }, 1, &mut out).unwrap();
    assert_eq!(out[0][0], 0x55);
    for (bytes, at) in [(1, base), (1, base + 2), (1, base + 3), (4, base)] {
        assert!(memory.load(Lanes { at: &[at; LANES], mask: 1 }, bytes, &mut out).is_err());
    }
    assert!(memory.atomic(one, 4, Returns::Old, |_, old| Some(old)).is_err());
}

#[test]
fn scalar_loads_reach_behind_arguments_and_find_nothing_there() {
    let mut memory = Memory::new(1 << 20);
    let arguments = memory.alloc_arguments((0..20).collect(), "arguments").unwrap();
    let code = memory.alloc_read_only((0..20).collect(), "code").unwrap();
    let word = |first: u32| u32::from_le_bytes([0, 1, 2, 3].map(|n| (first + n) as u8));
    let mut out = [9; 8];
    assert_eq!(memory.load_scalar(arguments + 4, &mut out[..4]), Ok(4));
    assert_eq!(out[..4], [4, 8, 12, 16].map(word));
    assert_eq!(memory.load_scalar(arguments, &mut out), Ok(5));
    assert_eq!(out[4], word(16));
    for (address, words, offset) in [(arguments, 9, 0), (arguments + 4, 8, 4), (code, 8, 0)] {
        let (_, why) = cause(memory.load_scalar(address, &mut [0; 9][..words]));
        assert!(
            matches!(why, AccessCause::OutOfBounds { bytes: 20, offset: at, .. } if at == offset)
        );
    }
    // Lanes, and bytes, end where the arguments do.
    let at = [arguments + 20; LANES];
    assert!(memory.load(Lanes { at: &at, mask: 1 }, 4, &mut [[0; LANES]]).is_err());
    assert!(memory.load_scalar_narrow(arguments + 20, 1).is_err());
}
