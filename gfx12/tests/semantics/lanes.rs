//! Operations that cross lanes, against tables written from the ISA's text: for each lane the lane that it reads.

use crate::machine::{Registers, assemble_each, run_program, snippet};
use evenweave_gfx12::Program;
use evenweave_gfx12::exec::Row;

const OUT: i32 = -1;

/// Lane l holds this in v1; in v2, the old destination, it holds `OLD + l`.
const TELL: u32 = 100;
const OLD: u32 = 900;

fn tell() -> Row {
    std::array::from_fn(|l| TELL + l as u32)
}

fn old() -> Row {
    std::array::from_fn(|l| OLD + l as u32)
}

fn run(text: &str, exec: u32, extra: &[(u8, Row)], s: &[(u8, u32)]) -> Row {
    run_on(&assemble_each(&[text.into()])[0], exec, extra, s)
}

fn run_on(program: &Program, exec: u32, extra: &[(u8, Row)], s: &[(u8, u32)]) -> Row {
    let v: Vec<(u8, Row)> =
        [(1, tell()), (2, old())].into_iter().chain(extra.iter().copied()).collect();
    let registers = Registers { v: &v, s, exec: Some(exec), ..Registers::default() };
    run_program(program, &registers).unwrap_or_else(|e| panic!("{e}")).v[2]
}

/// What a lane has: what `from[l]` told, zero or the old value where that is outside or inactive.
fn expected(from: &[i32; 32], exec: u32, zero: bool, inactive_too: bool, writes: u32) -> Row {
    std::array::from_fn(|l| {
        let active = exec >> l & 1 == 1 && writes >> l & 1 == 1;
        let lane = from[l];
        let valid = lane != OUT && (inactive_too || exec >> lane & 1 == 1);
        match (active, valid, zero) {
            (true, true, _) => TELL + lane as u32,
            (true, false, true) => 0,
            _ => OLD + l as u32,
        }
    })
}

/// The first row of a table, and the second with the same pattern sixteen lanes on.
fn rows(first: [i32; 16]) -> [i32; 32] {
    std::array::from_fn(
        |l| if first[l % 16] == OUT { OUT } else { first[l % 16] + (l as i32 & 16) },
    )
}

#[test]
fn dpp16_patterns() {
    let x = OUT;
    let table: &[(&str, [i32; 16])] = &[
        ("quad_perm:[3,0,2,1]", [3, 0, 2, 1, 7, 4, 6, 5, 11, 8, 10, 9, 15, 12, 14, 13]),
        ("quad_perm:[0,0,0,0]", [0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12]),
        // Shifts to the left read from higher lanes, to the right from lower ones; rotations go right.
        ("row_shl:1", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, x]),
        ("row_shl:15", [15, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x]),
        ("row_shr:1", [x, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]),
        ("row_shr:8", [x, x, x, x, x, x, x, x, 0, 1, 2, 3, 4, 5, 6, 7]),
        ("row_ror:1", [15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]),
        ("row_ror:12", [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3]),
        ("row_mirror", [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]),
        ("row_half_mirror", [7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8]),
        ("row_share:5", [5; 16]),
        ("row_xmask:3", [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12]),
        ("row_xmask:8", [8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7]),
    ];
    let (mut texts, mut wanted) = (Vec::new(), Vec::new());
    let masks = [
        ("row_mask:0xf bank_mask:0xf", u32::MAX),
        ("row_mask:0x2 bank_mask:0xf", 0xffff_0000),
        ("row_mask:0xf bank_mask:0x9", 0xf00f_f00f),
    ];
    for (pattern, first) in table {
        for (mask, writes) in masks {
            for (zero, inactive_too) in [(false, false), (true, false), (false, true), (true, true)]
            {
                let bound = if zero { " bound_ctrl:1" } else { "" };
                let fetch = if inactive_too { " fi:1" } else { "" };
                texts.push(format!("v_mov_b32_dpp v2, v1 {pattern} {mask}{bound}{fetch}"));
                wanted.push((rows(*first), zero, inactive_too, writes));
            }
        }
    }
    for ((program, text), (from, zero, inactive_too, writes)) in
        assemble_each(&texts).iter().zip(&texts).zip(wanted)
    {
        for exec in [u32::MAX, 0x0f0f_5a5a, 0x8000_0001] {
            let want = expected(&from, exec, zero, inactive_too, writes);
            assert_eq!(run_on(program, exec, &[], &[]), want, "{text}, exec {exec:#x}");
        }
    }
}

#[test]
fn dpp8_selects_within_eight() {
    let first = [7, 0, 6, 1, 5, 2, 4, 3];
    let from: [i32; 32] = std::array::from_fn(|l| first[l % 8] + (l as i32 & 24));
    for exec in [u32::MAX, 0x0ff0_3cc3] {
        let text = "v_mov_b32_dpp v2, v1 dpp8:[7,0,6,1,5,2,4,3]";
        assert_eq!(
            run(text, exec, &[], &[]),
            expected(&from, exec, true, false, u32::MAX),
            "exec {exec:#x}"
        );
        let text = format!("{text} fi:1");
        assert_eq!(
            run(&text, exec, &[], &[]),
            expected(&from, exec, true, true, u32::MAX),
            "exec {exec:#x}"
        );
    }
}

#[test]
fn dpp_feeds_the_first_source_alone() {
    // v2 = v1 of the lane before + v3 of the lane itself.
    let v3: Row = std::array::from_fn(|l| 1000 * l as u32);
    let got = run(
        "v_add_nc_u32_dpp v2, v1, v3 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:1",
        u32::MAX,
        &[(3, v3)],
        &[],
    );
    for (l, &value) in got.iter().enumerate() {
        let neighbour = if l % 16 == 0 { 0 } else { TELL + l as u32 - 1 };
        assert_eq!(value, neighbour + 1000 * l as u32, "lane {l}");
    }
}

#[test]
fn permlanes_read_their_row_or_the_other() {
    // Nibbles from the lowest: lane 0 reads 2, lane 1 reads 0, and so on.
    let choice = [2, 0, 15, 7, 1, 3, 9, 8, 4, 4, 5, 6, 14, 10, 11, 12];
    let word = |eight: &[i32]| eight.iter().rev().fold(0u32, |w, &n| w << 4 | n as u32);
    let s = [(10, word(&choice[..8])), (11, word(&choice[8..]))];
    let own = rows(choice);
    let other: [i32; 32] = std::array::from_fn(|l| choice[l % 16] + 16 - (l as i32 & 16));
    let v3: Row = std::array::from_fn(|l| choice[l % 16] as u32 | 0xffff_fff0);
    for (exec, modifiers, zero, inactive_too) in [
        (u32::MAX, "", false, false),
        (0x00ff_7777, "", false, false),
        (0x00ff_7777, " op_sel:[1,0]", false, true),
        (0x00ff_7777, " op_sel:[0,1]", true, false),
        (0x00ff_7777, " op_sel:[1,1]", true, true),
    ] {
        for (name, from) in [("v_permlane16", &own), ("v_permlanex16", &other)] {
            let fixed = format!("{name}_b32 v2, v1, s10, s11{modifiers}");
            let variable = format!("{name}_var_b32 v2, v1, v3{modifiers}");
            let want = expected(from, exec, zero, inactive_too, u32::MAX);
            assert_eq!(run(&fixed, exec, &[], &s), want, "{fixed}, exec {exec:#x}");
            assert_eq!(run(&variable, exec, &[(3, v3)], &[]), want, "{variable}, exec {exec:#x}");
        }
    }
}

#[test]
fn shared_memory_permutes_lanes() {
    let exec = 0xffff_fffb;
    // Backwards: lane l reads lane (3l + 1) % 32; an inactive one gives zero. Bits below the dword and above lane 31 do not count.
    let address: Row = std::array::from_fn(|l| 4 * (3 * l as u32 + 1) + 128 + 3);
    let got = run("ds_bpermute_b32 v2, v3, v1", exec, &[(3, address)], &[]);
    for (l, &value) in got.iter().enumerate() {
        let lane = (3 * l + 1) % 32;
        let want = match (exec >> l & 1, exec >> lane & 1) {
            (0, _) => OLD + l as u32,
            (_, 0) => 0,
            _ => TELL + lane as u32,
        };
        assert_eq!(value, want, "lane {l}");
    }
    let got = run("ds_bpermute_b32 v2, v3, v1 offset:8", u32::MAX, &[(3, [4; 32])], &[]);
    assert_eq!(got, [TELL + 3; 32]);
    // Forwards: lanes 5 and 9 both write lane 7, and the higher one wins; nobody writes lane 5.
    let address: Row = std::array::from_fn(|l| if l == 5 || l == 9 { 28 } else { 4 * l as u32 });
    let got = run("ds_permute_b32 v2, v3, v1", u32::MAX, &[(3, address)], &[]);
    assert_eq!((got[7], got[5], got[9], got[8]), (TELL + 9, 0, 0, TELL + 8));
}

#[test]
fn swizzles() {
    let by_mask = |and: usize, or: usize, xor: usize| move |l: usize| ((l & and) | or) ^ xor;
    type From = Box<dyn Fn(usize) -> usize>;
    let table: &[(&str, From)] = &[
        ("offset:swizzle(QUAD_PERM, 1, 0, 3, 2)", Box::new(|l| l ^ 1)),
        ("offset:swizzle(SWAP, 16)", Box::new(|l| l ^ 16)),
        ("offset:swizzle(REVERSE, 8)", Box::new(|l| l ^ 7)),
        ("offset:swizzle(BROADCAST, 4, 2)", Box::new(|l| l & !3 | 2)),
        ("offset:0x0c15", Box::new(by_mask(0x15, 0, 3))),
        ("offset:0x7c0f", Box::new(by_mask(0xf, 0, 0x1f))),
        ("offset:0x0141", Box::new(by_mask(1, 10, 0))),
        // Rotations, within all lanes and within each eight.
        ("offset:0xc060", Box::new(|l| (l + 3) % 32)),
        ("offset:0xc420", Box::new(|l| (l + 31) % 32)),
        ("offset:0xc058", Box::new(|l| (l & 24) | ((l + 2) & 7))),
    ];
    for (pattern, from) in table {
        let got = run(&format!("ds_swizzle_b32 v2, v1 {pattern}"), u32::MAX, &[], &[]);
        for (l, &value) in got.iter().enumerate() {
            assert_eq!(value, TELL + from(l) as u32, "{pattern}, lane {l}");
        }
    }
    // Inactive lanes read as zero.
    let got = run("ds_swizzle_b32 v2, v1 offset:swizzle(SWAP, 1)", 0xffff_fffd, &[], &[]);
    assert_eq!((got[0], got[1], got[2]), (0, OLD + 1, TELL + 3));
}

#[test]
fn lanes_to_scalars_and_back() {
    let registers = |exec| Registers { v: &[], s: &[], exec: Some(exec), perturb: None };
    let v = [(1, tell()), (2, old())];
    for (exec, first) in [(u32::MAX, 0), (0x8000_0100, 8), (0, 0)] {
        let wave = snippet("v_readfirstlane_b32 s5, v1", &Registers { v: &v, ..registers(exec) })
            .expect("it runs");
        assert_eq!(wave.s[5], TELL + first);
    }
    // A lane's number is taken modulo 32, whether it is active or not.
    let with_s = Registers { v: &v, s: &[(7, 37)], ..registers(1) };
    assert_eq!(snippet("v_readlane_b32 s5, v1, s7", &with_s).expect("it runs").s[5], TELL + 5);
    let wave = snippet("v_writelane_b32 v2, 55, s7", &with_s).expect("it runs");
    assert_eq!((wave.v[2][5], wave.v[2][4], wave.v[2][0]), (55, OLD + 4, OLD));
    // The count of set bits below the lane.
    let wave = snippet(
        "v_mbcnt_lo_u32_b32 v2, 0x00ff00f1, 7",
        &Registers { v: &v, ..registers(u32::MAX) },
    )
    .expect("it runs");
    for (l, &got) in wave.v[2].iter().enumerate() {
        let below = (0..l).filter(|&n| 0x00ff_00f1u32 >> n & 1 == 1).count() as u32;
        assert_eq!(got, 7 + below, "lane {l}");
    }
}

#[test]
fn registers_by_number() {
    let v = [(1, tell()), (2, old()), (3, [33; 32]), (4, [44; 32]), (5, [55; 32])];
    let registers = Registers { v: &v, s: &[(125, 2)], ..Registers::default() };
    assert_eq!(snippet("v_movrels_b32 v2, v3", &registers).expect("it runs").v[2], [55; 32]);
    assert_eq!(snippet("v_movreld_b32 v2, v1", &registers).expect("it runs").v[4], tell());
    assert_eq!(snippet("v_movrelsd_b32 v1, v2", &registers).expect("it runs").v[3], [44; 32]);
    let swapped = snippet("v_swap_b32 v1, v2", &registers).expect("it runs");
    assert_eq!((swapped.v[1], swapped.v[2]), (old(), tell()));
    // Both halves of a pair read before either writes.
    let text = "v_dual_mov_b32 v2, v1 :: v_dual_mov_b32 v1, v2";
    let swapped = snippet(text, &registers).expect("it runs");
    assert_eq!((swapped.v[1], swapped.v[2]), (old(), tell()));
}
