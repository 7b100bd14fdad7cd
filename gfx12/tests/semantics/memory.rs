//! Memory operations through registers: widths, extensions, halves, offsets, addresses and read-modify-writes.

use crate::machine::{Machine, Registers, assemble, start};
use evenweave_gfx12::env::Start;
use evenweave_gfx12::exec::{Row, Wave};
use evenweave_gfx12::mem::{PRIVATE_APERTURE, SHARED_APERTURE, Scratch};

/// A buffer of 1 KiB whose byte `n` is `7 n`, and what ran over it: v2 is four times the lane, v[4:5] the lane's address,
/// s[8:9] the buffer's, v20 to v23 are zero.
struct Ran {
    wave: Wave,
    buffer: Vec<u8>,
}

fn byte(n: usize) -> u8 {
    (7 * n) as u8
}

fn word(n: usize) -> u32 {
    u32::from_le_bytes([byte(n), byte(n + 1), byte(n + 2), byte(n + 3)])
}

fn run(text: &str, registers: &Registers) -> Ran {
    let mut machine = Machine::new();
    let at = machine.buffer(&(0..1024).map(byte).collect::<Vec<_>>());
    let mut wave = Wave::begin(&Start { exec: registers.exec.unwrap_or(u32::MAX), ..start(64) });
    wave.set_sgpr64(8, at);
    let place = |l: usize| at + 4 * l as u64;
    wave.set_vgpr(2, std::array::from_fn(|l| 4 * l as u32));
    wave.set_vgpr(4, std::array::from_fn(|l| place(l) as u32));
    wave.set_vgpr(5, std::array::from_fn(|l| (place(l) >> 32) as u32));
    (20..24).for_each(|r| wave.set_vgpr(r, [0; 32]));
    registers.v.iter().for_each(|(r, row)| wave.set_vgpr(*r, *row));
    registers.s.iter().for_each(|&(r, value)| wave.set_sgpr(r, value));
    let program = assemble(&format!("{text}\ns_endpgm\n"));
    machine
        .run(&program, &mut wave, &mut Scratch::new(256))
        .unwrap_or_else(|e| panic!("{text}: {e}"));
    Ran { wave, buffer: machine.read(at, 1024) }
}

#[test]
fn loads_extend_and_keep_halves() {
    let rows: [(u8, Row); 1] = [(20, [0xaaaa_bbbb; 32])];
    let registers = Registers { v: &rows, ..Registers::default() };
    type Expected = fn(usize) -> u32;
    let forms: [(&str, Expected); 11] = [
        ("load_u8", |n| byte(n).into()),
        ("load_i8", |n| byte(n) as i8 as u32),
        ("load_u16", |n| word(n) & 0xffff),
        ("load_i16", |n| word(n) as i16 as u32),
        ("load_b32", word),
        ("load_d16_u8", |n| 0xaaaa_0000 | u32::from(byte(n))),
        ("load_d16_i8", |n| 0xaaaa_0000 | (byte(n) as i8 as u32 & 0xffff)),
        ("load_d16_b16", |n| 0xaaaa_0000 | word(n) & 0xffff),
        ("load_d16_hi_u8", |n| u32::from(byte(n)) << 16 | 0xbbbb),
        ("load_d16_hi_i8", |n| (byte(n) as i8 as u32) << 16 | 0xbbbb),
        ("load_d16_hi_b16", |n| word(n) << 16 | 0xbbbb),
    ];
    for (name, expected) in forms {
        let places = [
            (format!("global_{name} v20, v2, s[8:9] offset:12"), 12),
            (format!("global_{name} v20, v[4:5], off offset:20"), 20),
            (format!("flat_{name} v20, v[4:5] offset:8"), 8),
        ];
        for (text, offset) in places {
            let got = run(&text, &registers).wave.v[20];
            (0..32).for_each(|l| assert_eq!(got[l], expected(4 * l + offset), "{text}, lane {l}"));
        }
    }
    for (count, name) in [(2, "b64"), (3, "b96"), (4, "b128")] {
        let text = format!("global_load_{name} v[20:{}], v2, s[8:9] offset:4", 19 + count);
        let wave = run(&text, &Registers { exec: Some(0xff), ..Registers::default() }).wave;
        for l in 0..32 {
            (0..count).for_each(|n| {
                let want = if l < 8 { word(4 * l + 4 + 4 * n) } else { 0 };
                assert_eq!(wave.v[20 + n][l], want, "{text}, lane {l}, register {n}");
            });
        }
    }
}

#[test]
fn stores_write_their_bytes_alone() {
    let data: [(u8, Row); 1] = [(10, std::array::from_fn(|l| 0x1122_3300 + l as u32))];
    let registers = Registers { v: &data, exec: Some(0x0000_0005), ..Registers::default() };
    for (name, bytes, shift) in
        [("b8", 1, 0), ("b16", 2, 0), ("b32", 4, 0), ("d16_hi_b8", 1, 16), ("d16_hi_b16", 2, 16)]
    {
        let ran = run(&format!("global_store_{name} v2, v10, s[8:9] offset:100"), &registers);
        let mut want: Vec<u8> = (0..1024).map(byte).collect();
        for l in [0usize, 2] {
            let value = (0x1122_3300 + l as u32) >> shift;
            want[100 + 4 * l..][..bytes].copy_from_slice(&value.to_le_bytes()[..bytes]);
        }
        assert_eq!(ran.buffer, want, "{name}");
    }
}

#[test]
fn scalar_loads() {
    let ran = run(
        "s_load_b32 s20, s[8:9], 0x10\ns_load_b256 s[24:31], s[8:9], s5 offset:0x20\ns_load_i8 s21, s[8:9], 0x13\ns_load_u16 s22, s[8:9], 0x15\ns_load_b96 s[32:34], s[8:9], 0x8",
        &Registers { s: &[(5, 4)], ..Registers::default() },
    );
    let s = ran.wave.s;
    assert_eq!((s[20], s[21], s[22]), (word(16), byte(19) as i8 as u32, word(21) & 0xffff));
    assert_eq!(s[24..32], (0..8).map(|n| word(36 + 4 * n)).collect::<Vec<_>>());
    assert_eq!(s[32..35], (0..3).map(|n| word(8 + 4 * n)).collect::<Vec<_>>());
}

#[test]
fn shared_memory_and_scratch() {
    let data: Row = std::array::from_fn(|l| 0x5000_0000 + l as u32);
    let other: Row = std::array::from_fn(|l| 0x6000_0000 + l as u32);
    let rows = [(10, data), (11, other), (12, std::array::from_fn(|l| 8 * l as u32))];
    let registers = Registers { v: &rows, ..Registers::default() };
    // Two addresses: offsets count in elements, or in 64 of them.
    let wave = run(
        "ds_store_2addr_b32 v12, v10, v11 offset0:2 offset1:3\nds_load_b64 v[20:21], v12 offset:8",
        &registers,
    )
    .wave;
    assert_eq!((wave.v[20], wave.v[21]), (data, other));
    let wave = run("ds_store_2addr_stride64_b32 v2, v10, v11 offset0:0 offset1:2\nds_load_2addr_b32 v[20:21], v2 offset0:0 offset1:128", &registers).wave;
    assert_eq!((wave.v[20], wave.v[21]), (data, other));
    let wave = run(
        "ds_store_b32 v2, v10\nds_load_u16_d16_hi v20, v2\nds_load_i8 v21, v2 offset:3",
        &registers,
    )
    .wave;
    (0..32).for_each(|l| assert_eq!((wave.v[20][l], wave.v[21][l]), (data[l] << 16, 0x50)));
    // Scratch is each lane's own: one address, other values.
    let wave = run("scratch_store_b32 off, v10, off offset:16\nscratch_store_b32 v2, v11, off offset:64\nscratch_load_b32 v20, off, s6\nscratch_load_b32 v21, v2, s6 offset:48", &Registers { s: &[(6, 16)], ..registers.clone() }).wave;
    assert_eq!((wave.v[20], wave.v[21]), (data, other));
    // The same memories by flat addresses.
    let high = |aperture: u32| [(15, [aperture; 32]), (14, std::array::from_fn(|l| 4 * l as u32))];
    for (aperture, store) in [
        (SHARED_APERTURE, "ds_store_b32 v2, v10 offset:8"),
        (PRIVATE_APERTURE, "scratch_store_b32 v2, v10, off offset:8"),
    ] {
        let all: Vec<(u8, Row)> = rows.iter().copied().chain(high(aperture)).collect();
        let wave = run(
            &format!("{store}\nflat_load_b32 v20, v[14:15] offset:8"),
            &Registers { v: &all, ..Registers::default() },
        )
        .wave;
        assert_eq!(wave.v[20], data, "{store}");
    }
    let wave = run(
        "s_mov_b64 s[20:21], src_shared_base\ns_mov_b64 s[22:23], src_private_base",
        &Registers::default(),
    )
    .wave;
    assert_eq!((wave.s[20], wave.s[21], wave.s[23]), (0, SHARED_APERTURE, PRIVATE_APERTURE));
}

/// All lanes change one place, in their order: a chain of a formula.
#[test]
fn atomics_of_words() {
    type Formula = fn(u32, u32) -> u32;
    let forms: [(&str, &str, Formula); 15] = [
        ("swap_b32", "storexchg_rtn_b32", |_, x| x),
        ("add_u32", "add_rtn_u32", |old, x| old.wrapping_add(x)),
        ("sub_u32", "sub_rtn_u32", |old, x| old.wrapping_sub(x)),
        ("min_i32", "min_rtn_i32", |old, x| if (old as i32) < x as i32 { old } else { x }),
        ("min_u32", "min_rtn_u32", |old, x| if old < x { old } else { x }),
        ("max_i32", "max_rtn_i32", |old, x| if (old as i32) > x as i32 { old } else { x }),
        ("max_u32", "max_rtn_u32", |old, x| if old > x { old } else { x }),
        ("and_b32", "and_rtn_b32", |old, x| old & x),
        ("or_b32", "or_rtn_b32", |old, x| old | x),
        ("xor_b32", "xor_rtn_b32", |old, x| old ^ x),
        ("inc_u32", "inc_rtn_u32", |old, x| if old >= x { 0 } else { old + 1 }),
        ("dec_u32", "dec_rtn_u32", |old, x| if old == 0 || old > x { x } else { old - 1 }),
        ("sub_clamp_u32", "sub_clamp_rtn_u32", |old, x| old.max(x) - x),
        ("cond_sub_u32", "cond_sub_rtn_u32", |old, x| if old >= x { old - x } else { old }),
        ("add_f32", "add_rtn_f32", |old, x| (f32::from_bits(old) + f32::from_bits(x)).to_bits()),
    ];
    let data: Row = std::array::from_fn(|l| (l as u32 + 1).wrapping_mul(0x9e37_79b9) >> (l % 7));
    let rows = [(10, data), (13, [0; 32]), (14, [0x4123_4567; 32])];
    let registers = Registers { v: &rows, exec: Some(0xffff_7fff), ..Registers::default() };
    for (name, ds, formula) in forms {
        let chain = |first: u32| {
            let mut old = first;
            let mut step = |l: usize| {
                let before = old;
                old = formula(old, data[l]);
                before
            };
            let olds: Vec<Option<u32>> = (0..32).map(|l| (l != 15).then(|| step(l))).collect();
            (olds, old)
        };
        let ran = run(
            &format!("global_atomic_{name} v20, v13, v10, s[8:9] offset:40 th:TH_ATOMIC_RETURN"),
            &registers,
        );
        let (olds, last) = chain(word(40));
        for (l, old) in olds.iter().enumerate() {
            assert_eq!(ran.wave.v[20][l], old.unwrap_or(0), "{name}, lane {l}");
        }
        assert_eq!(ran.buffer[40..44], last.to_le_bytes(), "{name}");
        // Without the old value the destination's register is left alone.
        let quiet = run(&format!("global_atomic_{name} v13, v10, s[8:9] offset:40"), &registers);
        assert_eq!(
            (&quiet.buffer[40..44], quiet.wave.v[20]),
            (&last.to_le_bytes()[..], [0; 32]),
            "{name}"
        );
        let text = format!(
            "ds_store_b32 v13, v14 offset:4\nds_{ds} v20, v13, v10 offset:4\nds_load_b32 v21, v13 offset:4"
        );
        let wave = run(&text, &registers).wave;
        let (olds, last) = chain(0x4123_4567);
        for (l, old) in olds.iter().enumerate() {
            assert_eq!(wave.v[20][l], old.unwrap_or(0), "{ds}, lane {l}");
        }
        assert_eq!(wave.v[21][0], last, "{ds}");
    }
}

#[test]
fn atomics_that_compare_and_of_longs() {
    // Lane l writes 100 + l where it finds 99 + l: all do, one after another.
    let rows = [
        (10, std::array::from_fn(|l| 100 + l as u32)),
        (11, std::array::from_fn(|l| 99 + l as u32)),
        (13, [0; 32]),
        (14, [99; 32]),
    ];
    let registers = Registers { v: &rows, ..Registers::default() };
    let ran = run(
        "global_store_b32 v13, v14, s[8:9]\nglobal_atomic_cmpswap_b32 v20, v13, v[10:11], s[8:9] th:TH_ATOMIC_RETURN",
        &registers,
    );
    assert_eq!((ran.wave.v[20], &ran.buffer[..4]), (rows[1].1, &131u32.to_le_bytes()[..]));
    let wave = run(
        "ds_store_b32 v13, v14\nds_cmpstore_rtn_b32 v20, v13, v10, v11\nds_load_b32 v21, v13",
        &registers,
    )
    .wave;
    assert_eq!((wave.v[20], wave.v[21][3]), (rows[1].1, 131));
    // A carry out of the low word.
    let rows = [(10, [0xffff_ffff; 32]), (11, [0; 32]), (13, [0; 32])];
    let ran = run(
        "global_atomic_add_u64 v[20:21], v13, v[10:11], s[8:9] offset:8 th:TH_ATOMIC_RETURN",
        &Registers { v: &rows, ..Registers::default() },
    );
    let first = u64::from(word(8)) | u64::from(word(12)) << 32;
    for l in 0..32u64 {
        let old =
            u64::from(ran.wave.v[20][l as usize]) | u64::from(ran.wave.v[21][l as usize]) << 32;
        assert_eq!(old, first.wrapping_add(l * 0xffff_ffff));
    }
    // Halves add apart.
    let rows = [
        (10, [0x3c00_4000; 32]),
        (13, std::array::from_fn(|l| 4 * l as u32)),
        (14, [0x4400_3c00; 32]),
    ];
    let ran = run(
        "global_store_b32 v13, v14, s[8:9]\nglobal_atomic_pk_add_f16 v13, v10, s[8:9]",
        &Registers { v: &rows, ..Registers::default() },
    );
    // 4 + 1 and 1 + 2.
    assert_eq!(ran.buffer[..4], 0x4500_4200u32.to_le_bytes());
}
