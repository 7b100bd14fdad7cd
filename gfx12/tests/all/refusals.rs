//! The decoder fails closed: what it does not know it names.

use evenweave_gfx12::ops::{Format, Op};
use evenweave_gfx12::{Reason, decode};

fn reason(words: &[u32]) -> Reason {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let error = decode(&bytes, 0x40).expect_err("it is refused");
    assert_eq!(error.pc, 0x40);
    assert_eq!(error.words.0, words);
    error.reason
}

#[test]
fn unknown_encodings_and_opcodes_are_refused() {
    // image_load of gfx12 (VIMAGE), and buffer_load_b32 (VBUFFER).
    assert_eq!(reason(&[0xd000_0000]), Reason::Encoding);
    assert_eq!(reason(&[0xc400_0000]), Reason::Encoding);
    // s_trap, s_rfe_b64, and a number that names no operation.
    let unknown = |format, opcode| Reason::Opcode { format, opcode };
    assert_eq!(reason(&[0xbf90_0001]), unknown(Format::Sopp, 0x10));
    assert_eq!(reason(&[0xbe80_4a00]), unknown(Format::Sop1, 0x4a));
    assert_eq!(reason(&[0x8380_0000]), unknown(Format::Sop2, 0x07));
}

#[test]
fn unknown_modifiers_are_refused() {
    // v_add_nc_u32_e64 v0, -v1, v2; then |v1|, clamp is taken, omod, op_sel.
    let refused = |first: u32, second: u32| reason(&[0xd525_0000 | first, 0x0002_0501 | second]);
    let modifier = |modifier, bits| Reason::Modifier { op: Op::VAddNcU32, modifier, bits };
    assert_eq!(refused(0, 1 << 29), modifier("neg", 1));
    assert_eq!(refused(1 << 8, 0), modifier("abs", 1));
    assert_eq!(refused(0, 1 << 27), modifier("omod", 1));
    assert_eq!(refused(1 << 11, 0), modifier("op_sel", 1));
    // v_wmma_f32_16x16x16_f16 with a half chosen, and without the usual `op_sel_hi`.
    let op = Op::VWmmaF3216x16x16F16;
    let chosen = reason(&[0xcc40_4800, 0x1c42_1908]);
    assert_eq!(chosen, Reason::Modifier { op, modifier: "op_sel", bits: 1 });
    let unusual = reason(&[0xcc40_0000, 0x1c42_1908]);
    assert_eq!(unusual, Reason::Modifier { op, modifier: "op_sel_hi", bits: 4 });
    // v_add_f64_e32 has no DPP.
    let dpp = reason(&[0x0400_04fa, 0xff01_1101]);
    assert_eq!(dpp, Reason::Modifier { op: Op::VAddF64, modifier: "dpp", bits: 0xfa });
}

#[test]
fn fields_without_a_meaning_must_be_zero() {
    // ds_load_b32 v0, v1 with data; global_load_b32 with data; v_mov_b32_e64 with a second source.
    let unused = |op, field, bits| Reason::Unused { op, field, bits };
    assert_eq!(reason(&[0xd8d8_0000, 0x0000_0501]), unused(Op::DsLoadB32, "DATA0", 5));
    let loads = reason(&[0xee05_007c, 0x0280_0001, 0x0000_0002]);
    assert_eq!(loads, unused(Op::GlobalLoadB32, "VSRC", 5));
    assert_eq!(reason(&[0xd581_0000, 0x0002_0301]), unused(Op::VMovB32, "SRC1", 0x101));
    // An atomic that returns nothing, with a destination.
    let atomic = reason(&[0xee0d_407c, 0x0200_0001, 0x0000_0002]);
    assert_eq!(atomic, unused(Op::GlobalAtomicAddU32, "VDST", 1));
}

#[test]
fn registers_must_be_there() {
    let registers = |op, first, dwords| Reason::Registers { op, first, dwords };
    // s_mov_b64 s[1:2], s[2:3]; v_add_f64 v[255:256], ...; s_load_b128 s[2:5], ...
    assert_eq!(reason(&[0xbe81_0102]), registers(Op::SMovB64, 1, 2));
    assert_eq!(reason(&[0x05fe_0500]), registers(Op::VAddF64, 255, 2));
    assert_eq!(reason(&[0xf400_4080, 0xf800_0000]), registers(Op::SLoadB128, 2, 4));
}

#[test]
fn an_error_says_where_and_what() {
    let error = decode(&0xbf90_0001_u32.to_le_bytes(), 0x40).expect_err("it is refused");
    let expected = "cannot decode the instruction at 0x40 (bf900001): Sopp has no supported operation with opcode 0x10";
    assert_eq!(error.to_string(), expected);
    // A literal is announced, and the text ends.
    assert_eq!(reason(&[0xbe80_00ff]), Reason::Truncated);
    // s_nop 0, and half a word.
    let error = decode(&[0, 0, 0x80, 0xbf, 0, 0], 0).expect_err("it is refused");
    assert_eq!((error.pc, error.reason), (4, Reason::Truncated));
}
