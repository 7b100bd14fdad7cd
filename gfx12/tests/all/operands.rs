//! What operands, modifiers and lane maps become, against what the ISA says of them.

use crate::llvm;
use evenweave_gfx12::inst::{EXEC, NO_TARGET, Omod, VCC};
use evenweave_gfx12::ops::{Format, Kind, Op};
use evenweave_gfx12::{Dpp, Dst, Inst, Src, decode};

/// The instructions of an assembly text.
fn insts(text: &str) -> Vec<Inst> {
    decode(&llvm::words(text), 0).expect("what LLVM assembles is decoded").insts
}

#[test]
fn constants_are_what_the_operand_reads() {
    let lines = [
        ("v_add_f32 v0, 1.0, v1", Src::Const(0x3f80_0000)),
        ("v_add_f16 v0, 1.0, v1", Src::Const(0x3c00)),
        ("v_add_f64 v[0:1], 1.0, v[2:3]", Src::Const(0x3ff0_0000_0000_0000)),
        ("v_add_f64 v[0:1], 0x40590000, v[2:3]", Src::Literal(0x4059_0000_0000_0000)),
        ("v_add_f16 v0, 0x1234, v1", Src::Literal(0x1234)),
        ("v_pk_add_f16 v0, 1.0, v1", Src::Const(0x3c00)),
        ("v_add_nc_u32 v0, -16, v1", Src::Const(0xffff_fff0)),
        ("v_add_nc_u16 v0, -1, v1", Src::Const(0xffff)),
        ("s_mov_b64 s[0:1], -1", Src::Const(u64::MAX)),
        ("s_mov_b64 s[0:1], 0x87654321", Src::Literal(0x8765_4321)),
        ("s_ashr_i64 s[0:1], 0x87654321, s2", Src::Literal(0xffff_ffff_8765_4321)),
        ("v_fma_mix_f32 v0, 1.0, v1, v2", Src::Const(0x3f80_0000)),
        ("v_fma_mix_f32 v0, 1.0, v1, v2 op_sel_hi:[1,0,0]", Src::Const(0x3c00)),
        ("v_cvt_f32_f16 v0, 0.15915494", Src::Const(0x3118)),
        ("v_rcp_f64 v[0:1], 0.15915494309189532", Src::Const(0x3fc4_5f30_6dc9_c882)),
    ];
    for (line, expected) in lines {
        let inst = &insts(line)[0];
        assert_eq!(inst.src[0], expected, "{line}");
    }
}

/// What a constant summand puts into every register of the matrix: each element is the constant.
#[test]
fn constants_of_matrices_are_in_every_element() {
    let lines = [
        ("v_wmma_f32_16x16x16_f16 v[0:7], v[8:11], v[12:15], 1.0", 0x3f80_0000),
        ("v_wmma_f16_16x16x16_f16 v[0:3], v[8:11], v[12:15], 1.0", 0x3c00_3c00),
        ("v_wmma_bf16_16x16x16_bf16 v[0:3], v[8:11], v[12:15], -2.0", 0xc000_c000),
        ("v_wmma_i32_16x16x16_iu8 v[0:7], v[8:9], v[10:11], -3", 0xffff_fffd),
    ];
    for (line, expected) in lines {
        assert_eq!(insts(line)[0].src[2], Src::Const(expected), "{line}");
    }
}

#[test]
fn special_registers_are_told_apart() {
    let lines = [
        ("s_mov_b32 s0, null", Src::Null),
        ("s_mov_b32 s0, src_scc", Src::Scc),
        ("s_mov_b32 s0, m0", Src::Sgpr(125)),
        ("s_mov_b32 s0, exec_lo", Src::Sgpr(126)),
        ("s_mov_b32 s0, vcc_hi", Src::Sgpr(107)),
        ("s_mov_b32 s0, ttmp9", Src::Sgpr(117)),
        ("s_mov_b64 s[0:1], src_shared_base", Src::Aperture(235)),
        ("s_mov_b64 s[0:1], src_private_limit", Src::Aperture(238)),
    ];
    for (line, expected) in lines {
        assert_eq!(insts(line)[0].src[0], expected, "{line}");
    }
    assert_eq!(insts("s_mov_b32 null, s0")[0].dst, Dst::Null);
}

#[test]
fn what_short_forms_leave_out_is_filled_in() {
    let inst = &insts("v_cndmask_b32_e32 v0, v1, v2, vcc_lo")[0];
    assert_eq!(inst.src[2], Src::Sgpr(VCC));
    let inst = &insts("v_add_co_ci_u32_e32 v0, vcc_lo, v1, v2, vcc_lo")[0];
    assert_eq!((inst.dst2, inst.src[2]), (Dst::Sgpr(VCC), Src::Sgpr(VCC)));
    assert_eq!(insts("v_cmp_lt_f32_e32 vcc_lo, v0, v1")[0].dst, Dst::Sgpr(VCC));
    assert_eq!(insts("v_cmpx_lt_f32_e32 v0, v1")[0].dst, Dst::Sgpr(EXEC));
    assert_eq!(insts("v_cmpx_lt_f32_e64 v0, v1")[0].dst, Dst::Sgpr(EXEC));
    let inst = &insts("v_fmamk_f32 v0, v1, 0x42280000, v2")[0];
    assert_eq!(inst.src[..3], [Src::Vgpr(1), Src::Literal(0x4228_0000), Src::Vgpr(2)]);
    let inst = &insts("v_fmaak_f32 v0, v1, v2, 0x42280000")[0];
    assert_eq!(inst.src[..3], [Src::Vgpr(1), Src::Vgpr(2), Src::Literal(0x4228_0000)]);
}

/// The words are those that LLVM's assembler gives for these texts with `+real-true16`.
#[test]
fn short_forms_name_high_halves() {
    // v_add_f16_e32 v5.h, v1.l, v2.h: the destination and the second source are bits 3 and 1.
    let program = decode(&0x650b_0501_u32.to_le_bytes(), 0).expect("it is decoded");
    let inst = &program.insts[0];
    assert_eq!((inst.op, inst.dst), (Op::VAddF16, Dst::Vgpr(5)));
    assert_eq!((inst.src[0], inst.src[1], inst.op_sel), (Src::Vgpr(1), Src::Vgpr(2), 0b1010));
    assert_eq!(program.text(0), "v_add_f16_e32 v5.h, v1, v2.h");
    // Of an operand of 32 bits the eighth bit is the register's: v_cvt_f32_f16_e32 v133, v5.h.
    let word = 0x7e00_0000 | 133 << 17 | 0x0b << 9 | (256 + 128 + 5);
    let inst = &decode(&u32::to_le_bytes(word), 0).expect("it is decoded").insts[0];
    assert_eq!((inst.dst, inst.src[0], inst.op_sel), (Dst::Vgpr(133), Src::Vgpr(5), 0b0001));
}

#[test]
fn modifiers_are_bits() {
    let inst = &insts("v_fma_f32 v0, -v1, |v2|, -|v3| clamp mul:4")[0];
    assert_eq!((inst.neg, inst.abs, inst.clamp, inst.omod), (0b101, 0b110, true, Omod::Mul4));
    let inst = &insts("v_fma_f16 v0, v1, v2, v3 op_sel:[1,0,1,1]")[0];
    assert_eq!(inst.op_sel, 0b1101);
    let inst = &insts(
        "v_pk_fma_f16 v0, v1, v2, v3 op_sel:[0,1,0] op_sel_hi:[1,0,1] neg_lo:[1,0,0] neg_hi:[0,0,1]",
    )[0];
    let bits = (inst.op_sel, inst.op_sel_hi, inst.neg, inst.abs);
    assert_eq!(bits, (0b010, 0b101, 0b001, 0b100));
    let line = "v_swmmac_f32_16x16x32_f16 v[0:7], v[8:11], v[12:19], v20 index_key:1";
    assert_eq!(insts(line)[0].op_sel, 1);
    let inst =
        &insts("v_wmma_i32_16x16x16_iu8 v[0:7], v[8:9], v[10:11], v[0:7] neg_lo:[1,0,0] clamp")[0];
    assert_eq!((inst.neg, inst.clamp), (0b001, true));
}

/// Lane maps in the ISA's words: shifts and rotations within rows of 16 lanes, mirrors of 16 and 8.
#[test]
fn dpp_lanes_are_those_of_the_manual() {
    let lanes = |pattern: &str| {
        let line = format!("v_mov_b32_dpp v0, v1 {pattern} row_mask:0xf bank_mask:0xf");
        insts(&line)[0].dpp.clone().expect("a lane crossing").lanes
    };
    let is = |pattern: &str, expected: fn(i32) -> i32| {
        let map = lanes(pattern);
        for lane in 0..32_i32 {
            let row = lane / 16 * 16;
            let from = expected(lane % 16);
            let expected = if (0..16).contains(&from) { (row + from) as u8 } else { Dpp::OUTSIDE };
            assert_eq!(map[lane as usize], expected, "{pattern}, lane {lane}");
        }
    };
    is("row_shl:1", |lane| lane + 1);
    is("row_shl:15", |lane| lane + 15);
    is("row_shr:1", |lane| lane - 1);
    is("row_shr:4", |lane| lane - 4);
    is("row_ror:1", |lane| (lane + 15) % 16);
    is("row_ror:5", |lane| (lane + 11) % 16);
    is("row_mirror", |lane| 15 - lane);
    is("row_half_mirror", |lane| lane / 8 * 8 + 7 - lane % 8);
    is("row_share:3", |_| 3);
    is("row_xmask:6", |lane| lane ^ 6);
    is("quad_perm:[3,0,1,2]", |lane| lane / 4 * 4 + (lane + 3) % 4);
    let map = &insts("v_mov_b32_dpp v0, v1 dpp8:[7,6,5,4,3,2,1,0]")[0].dpp;
    let map = map.as_ref().expect("a lane crossing").lanes;
    assert!((0..32).all(|lane| map[lane] == (lane / 8 * 8 + 7 - lane % 8) as u8));
}

#[test]
fn dpp_masks_choose_the_lanes_that_are_written() {
    let line = "v_mov_b32_dpp v0, v1 row_mirror row_mask:0x2 bank_mask:0x9 bound_ctrl:1 fi:1";
    let dpp = insts(line)[0].dpp.clone().expect("a lane crossing");
    // Row 1 alone, of it the first and the last four lanes.
    assert_eq!(dpp.write_lanes, 0xf00f_0000);
    assert!(dpp.fetch_inactive);
}

#[test]
fn branches_are_indices() {
    let text = "s_nop 0\nv_add_f32 v0, 0x12345678, v1\ns_branch 65532\ns_branch 65532\ns_endpgm\ns_branch 0\n";
    let program = decode(&llvm::words(text), 0x100).expect("it is decoded");
    let targets: Vec<u32> = program.insts.iter().map(|inst| inst.target).collect();
    // Dwords: 0 nop, 1 and 2 add, 3 branch to 0, 4 branch to 1, 5 end, 6 branch behind the end.
    assert_eq!(targets, [NO_TARGET, NO_TARGET, 0, 1, NO_TARGET, NO_TARGET]);
    assert_eq!(program.index_at(0x104), Some(1));
    assert_eq!(program.index_at(0x108), None, "the middle of an instruction");
    assert_eq!(program.index_at(0xfc), None, "before the code");
    assert_eq!(program.index_at(0x11c), None, "behind the code");
}

#[test]
fn a_pair_is_two_entries() {
    let text = "v_dual_fmamk_f32 v2, v3, 0x42280000, v4 :: v_dual_mov_b32 v5, v6\ns_endpgm\n";
    let program = decode(&llvm::words(text), 0).expect("it is decoded");
    let [x, y, end] = &program.insts[..] else { panic!("{:?}", program.insts) };
    assert_eq!((x.op, x.format, x.size_bytes), (Op::VFmamkF32, Format::VopdX, 12));
    assert_eq!((y.op, y.format, y.size_bytes), (Op::VMovB32, Format::VopdY, 0));
    assert_eq!((x.dst, y.dst), (Dst::Vgpr(2), Dst::Vgpr(5)));
    assert_eq!(x.src[..3], [Src::Vgpr(3), Src::Literal(0x4228_0000), Src::Vgpr(4)]);
    assert_eq!((y.src[0], end.op), (Src::Vgpr(6), Op::SEndpgm));
    assert_eq!(program.text(1), program.text(0), "either half names the pair");
}

#[test]
fn memory_operands_say_their_form() {
    let inst = &insts("global_load_b64 v[1:2], v3, s[4:5] offset:-8")[0];
    assert_eq!(inst.src, [Src::Vgpr(3), Src::None, Src::Sgpr(4), Src::None]);
    assert_eq!((inst.src_kind(0), inst.src_kind(2), inst.imm), (Kind::I32, Kind::U64, -8));
    let inst = &insts("global_store_b32 v[3:4], v5, off")[0];
    assert_eq!(inst.src, [Src::Vgpr(3), Src::Vgpr(5), Src::Null, Src::None]);
    assert_eq!((inst.src_kind(0), inst.dst), (Kind::U64, Dst::None));
    let inst = &insts("scratch_load_b32 v1, off, s3 offset:4")[0];
    assert_eq!(inst.src, [Src::None, Src::None, Src::Sgpr(3), Src::None]);
    let inst = &insts("global_atomic_add_u32 v1, v[2:3], v4, off th:TH_ATOMIC_RETURN")[0];
    assert_eq!((inst.dst, inst.th & 1), (Dst::Vgpr(1), 1));
    let inst = &insts("global_atomic_add_u32 v[2:3], v4, off")[0];
    assert_eq!((inst.dst, inst.th & 1), (Dst::None, 0));
    let inst = &insts("ds_load_2addr_b32 v[1:2], v3 offset0:4 offset1:255")[0];
    assert_eq!((inst.offset0, inst.offset1, inst.imm), (4, 255, 0));
    let inst = &insts("ds_store_b32 v3, v4 offset:65535")[0];
    assert_eq!((inst.src[0], inst.src[1], inst.imm), (Src::Vgpr(3), Src::Vgpr(4), 65535));
    let inst = &insts("s_load_b128 s[4:7], s[2:3], s9 offset:-16")[0];
    assert_eq!((inst.src[0], inst.src[1], inst.imm), (Src::Sgpr(2), Src::Sgpr(9), -16));
}
