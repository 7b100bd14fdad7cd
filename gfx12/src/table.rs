// Columns: variant, mnemonic, destination, second destination, [sources], and as masks the sources that take `neg`
// and `abs`, and the bits of `op_sel`; (flags), {formats and opcode numbers}.
ops! {
    // Scalar ALU: two operands.
    SAddCoU32 "s_add_co_u32" I32, None [I32, I32] 0 0 0 (0) {Sop2 0x00}
    SSubCoU32 "s_sub_co_u32" I32, None [I32, I32] 0 0 0 (0) {Sop2 0x01}
    SAddCoI32 "s_add_co_i32" I32, None [I32, I32] 0 0 0 (0) {Sop2 0x02}
    SSubCoI32 "s_sub_co_i32" I32, None [I32, I32] 0 0 0 (0) {Sop2 0x03}
    SAddCoCiU32 "s_add_co_ci_u32" I32, None [I32, I32] 0 0 0 (0) {Sop2 0x04}
    SSubCoCiU32 "s_sub_co_ci_u32" I32, None [I32, I32] 0 0 0 (0) {Sop2 0x05}
    SAbsdiffI32 "s_absdiff_i32" I32, None [I32, I32] 0 0 0 (0) {Sop2 0x06}
    SLshlB32 "s_lshl_b32" I32, None [I32, I32] 0 0 0 (0) {Sop2 0x08}
    SLshlB64 "s_lshl_b64" U64, None [U64, I32] 0 0 0 (0) {Sop2 0x09}
    SLshrB32 "s_lshr_b32" I32, None [I32, I32] 0 0 0 (0) {Sop2 0x0a}
    SLshrB64 "s_lshr_b64" U64, None [U64, I32] 0 0 0 (0) {Sop2 0x0b}
    SAshrI32 "s_ashr_i32" I32, None [I32, I32] 0 0 0 (0) {Sop2 0x0c}
    SAshrI64 "s_ashr_i64" I64, None [I64, I32] 0 0 0 (0) {Sop2 0x0d}
    SLshl1AddU32 "s_lshl1_add_u32" I32, None [I32, I32] 0 0 0 (0) {Sop2 0x0e}
    SLshl2AddU32 "s_lshl2_add_u32" I32, None [I32, I32] 0 0 0 (0) {Sop2 0x0f}
    SLshl3AddU32 "s_lshl3_add_u32" I32, None [I32, I32] 0 0 0 (0) {Sop2 0x10}
    SLshl4AddU32 "s_lshl4_add_u32" I32, None [I32, I32] 0 0 0 (0) {Sop2 0x11}
    SMinI32 "s_min_i32" I32, None [I32, I32] 0 0 0 (0) {Sop2 0x12}
    SMinU32 "s_min_u32" I32, None [I32, I32] 0 0 0 (0) {Sop2 0x13}
    SMaxI32 "s_max_i32" I32, None [I32, I32] 0 0 0 (0) {Sop2 0x14}
    SMaxU32 "s_max_u32" I32, None [I32, I32] 0 0 0 (0) {Sop2 0x15}
    SAndB32 "s_and_b32" I32, None [I32, I32] 0 0 0 (0) {Sop2 0x16}
    SAndB64 "s_and_b64" U64, None [U64, U64] 0 0 0 (0) {Sop2 0x17}
    SOrB32 "s_or_b32" I32, None [I32, I32] 0 0 0 (0) {Sop2 0x18}
    SOrB64 "s_or_b64" U64, None [U64, U64] 0 0 0 (0) {Sop2 0x19}
    SXorB32 "s_xor_b32" I32, None [I32, I32] 0 0 0 (0) {Sop2 0x1a}
    SXorB64 "s_xor_b64" U64, None [U64, U64] 0 0 0 (0) {Sop2 0x1b}
    SNandB32 "s_nand_b32" I32, None [I32, I32] 0 0 0 (0) {Sop2 0x1c}
    SNandB64 "s_nand_b64" U64, None [U64, U64] 0 0 0 (0) {Sop2 0x1d}
    SNorB32 "s_nor_b32" I32, None [I32, I32] 0 0 0 (0) {Sop2 0x1e}
    SNorB64 "s_nor_b64" U64, None [U64, U64] 0 0 0 (0) {Sop2 0x1f}
    SXnorB32 "s_xnor_b32" I32, None [I32, I32] 0 0 0 (0) {Sop2 0x20}
    SXnorB64 "s_xnor_b64" U64, None [U64, U64] 0 0 0 (0) {Sop2 0x21}
    SAndNot1B32 "s_and_not1_b32" I32, None [I32, I32] 0 0 0 (0) {Sop2 0x22}
    SAndNot1B64 "s_and_not1_b64" U64, None [U64, U64] 0 0 0 (0) {Sop2 0x23}
    SOrNot1B32 "s_or_not1_b32" I32, None [I32, I32] 0 0 0 (0) {Sop2 0x24}
    SOrNot1B64 "s_or_not1_b64" U64, None [U64, U64] 0 0 0 (0) {Sop2 0x25}
    SBfeU32 "s_bfe_u32" I32, None [I32, I32] 0 0 0 (0) {Sop2 0x26}
    SBfeI32 "s_bfe_i32" I32, None [I32, I32] 0 0 0 (0) {Sop2 0x27}
    SBfeU64 "s_bfe_u64" U64, None [U64, I32] 0 0 0 (0) {Sop2 0x28}
    SBfeI64 "s_bfe_i64" I64, None [I64, I32] 0 0 0 (0) {Sop2 0x29}
    SBfmB32 "s_bfm_b32" I32, None [I32, I32] 0 0 0 (0) {Sop2 0x2a}
    SBfmB64 "s_bfm_b64" U64, None [I32, I32] 0 0 0 (0) {Sop2 0x2b}
    SMulI32 "s_mul_i32" I32, None [I32, I32] 0 0 0 (0) {Sop2 0x2c}
    SMulHiU32 "s_mul_hi_u32" I32, None [I32, I32] 0 0 0 (0) {Sop2 0x2d}
    SMulHiI32 "s_mul_hi_i32" I32, None [I32, I32] 0 0 0 (0) {Sop2 0x2e}
    SCselectB32 "s_cselect_b32" I32, None [I32, I32] 0 0 0 (0) {Sop2 0x30}
    SCselectB64 "s_cselect_b64" U64, None [U64, U64] 0 0 0 (0) {Sop2 0x31}
    SPackLlB32B16 "s_pack_ll_b32_b16" I32, None [I32, I32] 0 0 0 (0) {Sop2 0x32}
    SPackLhB32B16 "s_pack_lh_b32_b16" I32, None [I32, I32] 0 0 0 (0) {Sop2 0x33}
    SPackHhB32B16 "s_pack_hh_b32_b16" I32, None [I32, I32] 0 0 0 (0) {Sop2 0x34}
    SPackHlB32B16 "s_pack_hl_b32_b16" I32, None [I32, I32] 0 0 0 (0) {Sop2 0x35}
    SAddF32 "s_add_f32" F32, None [F32, F32] 0 0 0 (0) {Sop2 0x40}
    SSubF32 "s_sub_f32" F32, None [F32, F32] 0 0 0 (0) {Sop2 0x41}
    SMinNumF32 "s_min_num_f32" F32, None [F32, F32] 0 0 0 (0) {Sop2 0x42}
    SMaxNumF32 "s_max_num_f32" F32, None [F32, F32] 0 0 0 (0) {Sop2 0x43}
    SMulF32 "s_mul_f32" F32, None [F32, F32] 0 0 0 (0) {Sop2 0x44}
    SFmacF32 "s_fmac_f32" F32, None [F32, F32] 0 0 0 (0) {Sop2 0x47}
    SCvtPkRtzF16F32 "s_cvt_pk_rtz_f16_f32" I32, None [F32, F32] 0 0 0 (0) {Sop2 0x48}
    SAddF16 "s_add_f16" F16, None [F16, F16] 0 0 0 (0) {Sop2 0x49}
    SSubF16 "s_sub_f16" F16, None [F16, F16] 0 0 0 (0) {Sop2 0x4a}
    SMinNumF16 "s_min_num_f16" F16, None [F16, F16] 0 0 0 (0) {Sop2 0x4b}
    SMaxNumF16 "s_max_num_f16" F16, None [F16, F16] 0 0 0 (0) {Sop2 0x4c}
    SMulF16 "s_mul_f16" F16, None [F16, F16] 0 0 0 (0) {Sop2 0x4d}
    SFmacF16 "s_fmac_f16" F16, None [F16, F16] 0 0 0 (0) {Sop2 0x4e}
    SMinimumF32 "s_minimum_f32" F32, None [F32, F32] 0 0 0 (0) {Sop2 0x4f}
    SMaximumF32 "s_maximum_f32" F32, None [F32, F32] 0 0 0 (0) {Sop2 0x50}
    SMinimumF16 "s_minimum_f16" F16, None [F16, F16] 0 0 0 (0) {Sop2 0x51}
    SMaximumF16 "s_maximum_f16" F16, None [F16, F16] 0 0 0 (0) {Sop2 0x52}
    SAddNcU64 "s_add_nc_u64" U64, None [U64, U64] 0 0 0 (0) {Sop2 0x53}
    SSubNcU64 "s_sub_nc_u64" U64, None [U64, U64] 0 0 0 (0) {Sop2 0x54}
    SMulU64 "s_mul_u64" U64, None [U64, U64] 0 0 0 (0) {Sop2 0x55}
    SFmaakF32 "s_fmaak_f32" F32, None [F32, F32, F32] 0 0 0 (0) {Sop2 0x45}
    SFmamkF32 "s_fmamk_f32" F32, None [F32, F32, F32] 0 0 0 (0) {Sop2 0x46}
    // Scalar ALU: one operand.
    SMovB32 "s_mov_b32" I32, None [I32] 0 0 0 (0) {Sop1 0x00}
    SMovB64 "s_mov_b64" U64, None [U64] 0 0 0 (0) {Sop1 0x01}
    SCmovB32 "s_cmov_b32" I32, None [I32] 0 0 0 (0) {Sop1 0x02}
    SCmovB64 "s_cmov_b64" U64, None [U64] 0 0 0 (0) {Sop1 0x03}
    SBrevB32 "s_brev_b32" I32, None [I32] 0 0 0 (0) {Sop1 0x04}
    SBrevB64 "s_brev_b64" U64, None [U64] 0 0 0 (0) {Sop1 0x05}
    SCtzI32B32 "s_ctz_i32_b32" I32, None [I32] 0 0 0 (0) {Sop1 0x08}
    SCtzI32B64 "s_ctz_i32_b64" I32, None [U64] 0 0 0 (0) {Sop1 0x09}
    SClzI32U32 "s_clz_i32_u32" I32, None [I32] 0 0 0 (0) {Sop1 0x0a}
    SClzI32U64 "s_clz_i32_u64" I32, None [U64] 0 0 0 (0) {Sop1 0x0b}
    SClsI32 "s_cls_i32" I32, None [I32] 0 0 0 (0) {Sop1 0x0c}
    SClsI32I64 "s_cls_i32_i64" I32, None [I64] 0 0 0 (0) {Sop1 0x0d}
    SSextI32I8 "s_sext_i32_i8" I32, None [I32] 0 0 0 (0) {Sop1 0x0e}
    SSextI32I16 "s_sext_i32_i16" I32, None [I32] 0 0 0 (0) {Sop1 0x0f}
    SBitset0B32 "s_bitset0_b32" I32, None [I32] 0 0 0 (0) {Sop1 0x10}
    SBitset0B64 "s_bitset0_b64" U64, None [I32] 0 0 0 (0) {Sop1 0x11}
    SBitset1B32 "s_bitset1_b32" I32, None [I32] 0 0 0 (0) {Sop1 0x12}
    SBitset1B64 "s_bitset1_b64" U64, None [I32] 0 0 0 (0) {Sop1 0x13}
    SBitreplicateB64B32 "s_bitreplicate_b64_b32" U64, None [I32] 0 0 0 (0) {Sop1 0x14}
    SAbsI32 "s_abs_i32" I32, None [I32] 0 0 0 (0) {Sop1 0x15}
    SBcnt0I32B32 "s_bcnt0_i32_b32" I32, None [I32] 0 0 0 (0) {Sop1 0x16}
    SBcnt0I32B64 "s_bcnt0_i32_b64" I32, None [U64] 0 0 0 (0) {Sop1 0x17}
    SBcnt1I32B32 "s_bcnt1_i32_b32" I32, None [I32] 0 0 0 (0) {Sop1 0x18}
    SBcnt1I32B64 "s_bcnt1_i32_b64" I32, None [U64] 0 0 0 (0) {Sop1 0x19}
    SNotB32 "s_not_b32" I32, None [I32] 0 0 0 (0) {Sop1 0x1e}
    SNotB64 "s_not_b64" U64, None [U64] 0 0 0 (0) {Sop1 0x1f}
    SAndSaveexecB32 "s_and_saveexec_b32" I32, None [I32] 0 0 0 (0) {Sop1 0x20}
    SAndSaveexecB64 "s_and_saveexec_b64" U64, None [U64] 0 0 0 (0) {Sop1 0x21}
    SOrSaveexecB32 "s_or_saveexec_b32" I32, None [I32] 0 0 0 (0) {Sop1 0x22}
    SOrSaveexecB64 "s_or_saveexec_b64" U64, None [U64] 0 0 0 (0) {Sop1 0x23}
    SXorSaveexecB32 "s_xor_saveexec_b32" I32, None [I32] 0 0 0 (0) {Sop1 0x24}
    SXorSaveexecB64 "s_xor_saveexec_b64" U64, None [U64] 0 0 0 (0) {Sop1 0x25}
    SNandSaveexecB32 "s_nand_saveexec_b32" I32, None [I32] 0 0 0 (0) {Sop1 0x26}
    SNandSaveexecB64 "s_nand_saveexec_b64" U64, None [U64] 0 0 0 (0) {Sop1 0x27}
    SNorSaveexecB32 "s_nor_saveexec_b32" I32, None [I32] 0 0 0 (0) {Sop1 0x28}
    SNorSaveexecB64 "s_nor_saveexec_b64" U64, None [U64] 0 0 0 (0) {Sop1 0x29}
    SXnorSaveexecB32 "s_xnor_saveexec_b32" I32, None [I32] 0 0 0 (0) {Sop1 0x2a}
    SXnorSaveexecB64 "s_xnor_saveexec_b64" U64, None [U64] 0 0 0 (0) {Sop1 0x2b}
    SAndNot0SaveexecB32 "s_and_not0_saveexec_b32" I32, None [I32] 0 0 0 (0) {Sop1 0x2c}
    SAndNot0SaveexecB64 "s_and_not0_saveexec_b64" U64, None [U64] 0 0 0 (0) {Sop1 0x2d}
    SOrNot0SaveexecB32 "s_or_not0_saveexec_b32" I32, None [I32] 0 0 0 (0) {Sop1 0x2e}
    SOrNot0SaveexecB64 "s_or_not0_saveexec_b64" U64, None [U64] 0 0 0 (0) {Sop1 0x2f}
    SAndNot1SaveexecB32 "s_and_not1_saveexec_b32" I32, None [I32] 0 0 0 (0) {Sop1 0x30}
    SAndNot1SaveexecB64 "s_and_not1_saveexec_b64" U64, None [U64] 0 0 0 (0) {Sop1 0x31}
    SOrNot1SaveexecB32 "s_or_not1_saveexec_b32" I32, None [I32] 0 0 0 (0) {Sop1 0x32}
    SOrNot1SaveexecB64 "s_or_not1_saveexec_b64" U64, None [U64] 0 0 0 (0) {Sop1 0x33}
    SAndNot0WrexecB32 "s_and_not0_wrexec_b32" I32, None [I32] 0 0 0 (0) {Sop1 0x34}
    SAndNot0WrexecB64 "s_and_not0_wrexec_b64" U64, None [U64] 0 0 0 (0) {Sop1 0x35}
    SAndNot1WrexecB32 "s_and_not1_wrexec_b32" I32, None [I32] 0 0 0 (0) {Sop1 0x36}
    SAndNot1WrexecB64 "s_and_not1_wrexec_b64" U64, None [U64] 0 0 0 (0) {Sop1 0x37}
    SGetpcB64 "s_getpc_b64" U64, None [] 0 0 0 (0) {Sop1 0x47}
    SSetpcB64 "s_setpc_b64" None, None [U64] 0 0 0 (0) {Sop1 0x48}
    SSwappcB64 "s_swappc_b64" U64, None [U64] 0 0 0 (0) {Sop1 0x49}
    SBarrierSignal "s_barrier_signal" None, None [I32] 0 0 0 (0) {Sop1 0x4e}
    SBarrierSignalIsfirst "s_barrier_signal_isfirst" None, None [I32] 0 0 0 (0) {Sop1 0x4f}
    SSleepVar "s_sleep_var" None, None [I32] 0 0 0 (0) {Sop1 0x58}
    SCeilF32 "s_ceil_f32" F32, None [F32] 0 0 0 (0) {Sop1 0x60}
    SFloorF32 "s_floor_f32" F32, None [F32] 0 0 0 (0) {Sop1 0x61}
    STruncF32 "s_trunc_f32" F32, None [F32] 0 0 0 (0) {Sop1 0x62}
    SRndneF32 "s_rndne_f32" F32, None [F32] 0 0 0 (0) {Sop1 0x63}
    SCvtF32I32 "s_cvt_f32_i32" F32, None [I32] 0 0 0 (0) {Sop1 0x64}
    SCvtF32U32 "s_cvt_f32_u32" F32, None [I32] 0 0 0 (0) {Sop1 0x65}
    SCvtI32F32 "s_cvt_i32_f32" I32, None [F32] 0 0 0 (0) {Sop1 0x66}
    SCvtU32F32 "s_cvt_u32_f32" I32, None [F32] 0 0 0 (0) {Sop1 0x67}
    SCvtF16F32 "s_cvt_f16_f32" F16, None [F32] 0 0 0 (0) {Sop1 0x68}
    SCvtF32F16 "s_cvt_f32_f16" F32, None [F16] 0 0 0 (0) {Sop1 0x69}
    SCvtHiF32F16 "s_cvt_hi_f32_f16" F32, None [I32] 0 0 0 (0) {Sop1 0x6a}
    SCeilF16 "s_ceil_f16" F16, None [F16] 0 0 0 (0) {Sop1 0x6b}
    SFloorF16 "s_floor_f16" F16, None [F16] 0 0 0 (0) {Sop1 0x6c}
    STruncF16 "s_trunc_f16" F16, None [F16] 0 0 0 (0) {Sop1 0x6d}
    SRndneF16 "s_rndne_f16" F16, None [F16] 0 0 0 (0) {Sop1 0x6e}
    // Scalar comparisons.
    SCmpEqI32 "s_cmp_eq_i32" None, None [I32, I32] 0 0 0 (0) {Sopc 0x00}
    SCmpLgI32 "s_cmp_lg_i32" None, None [I32, I32] 0 0 0 (0) {Sopc 0x01}
    SCmpGtI32 "s_cmp_gt_i32" None, None [I32, I32] 0 0 0 (0) {Sopc 0x02}
    SCmpGeI32 "s_cmp_ge_i32" None, None [I32, I32] 0 0 0 (0) {Sopc 0x03}
    SCmpLtI32 "s_cmp_lt_i32" None, None [I32, I32] 0 0 0 (0) {Sopc 0x04}
    SCmpLeI32 "s_cmp_le_i32" None, None [I32, I32] 0 0 0 (0) {Sopc 0x05}
    SCmpEqU32 "s_cmp_eq_u32" None, None [I32, I32] 0 0 0 (0) {Sopc 0x06}
    SCmpLgU32 "s_cmp_lg_u32" None, None [I32, I32] 0 0 0 (0) {Sopc 0x07}
    SCmpGtU32 "s_cmp_gt_u32" None, None [I32, I32] 0 0 0 (0) {Sopc 0x08}
    SCmpGeU32 "s_cmp_ge_u32" None, None [I32, I32] 0 0 0 (0) {Sopc 0x09}
    SCmpLtU32 "s_cmp_lt_u32" None, None [I32, I32] 0 0 0 (0) {Sopc 0x0a}
    SCmpLeU32 "s_cmp_le_u32" None, None [I32, I32] 0 0 0 (0) {Sopc 0x0b}
    SBitcmp0B32 "s_bitcmp0_b32" None, None [I32, I32] 0 0 0 (0) {Sopc 0x0c}
    SBitcmp1B32 "s_bitcmp1_b32" None, None [I32, I32] 0 0 0 (0) {Sopc 0x0d}
    SBitcmp0B64 "s_bitcmp0_b64" None, None [U64, I32] 0 0 0 (0) {Sopc 0x0e}
    SBitcmp1B64 "s_bitcmp1_b64" None, None [U64, I32] 0 0 0 (0) {Sopc 0x0f}
    SCmpEqU64 "s_cmp_eq_u64" None, None [U64, U64] 0 0 0 (0) {Sopc 0x10}
    SCmpLgU64 "s_cmp_lg_u64" None, None [U64, U64] 0 0 0 (0) {Sopc 0x11}
    SCmpLtF32 "s_cmp_lt_f32" None, None [F32, F32] 0 0 0 (0) {Sopc 0x41}
    SCmpEqF32 "s_cmp_eq_f32" None, None [F32, F32] 0 0 0 (0) {Sopc 0x42}
    SCmpLeF32 "s_cmp_le_f32" None, None [F32, F32] 0 0 0 (0) {Sopc 0x43}
    SCmpGtF32 "s_cmp_gt_f32" None, None [F32, F32] 0 0 0 (0) {Sopc 0x44}
    SCmpLgF32 "s_cmp_lg_f32" None, None [F32, F32] 0 0 0 (0) {Sopc 0x45}
    SCmpGeF32 "s_cmp_ge_f32" None, None [F32, F32] 0 0 0 (0) {Sopc 0x46}
    SCmpOF32 "s_cmp_o_f32" None, None [F32, F32] 0 0 0 (0) {Sopc 0x47}
    SCmpUF32 "s_cmp_u_f32" None, None [F32, F32] 0 0 0 (0) {Sopc 0x48}
    SCmpNgeF32 "s_cmp_nge_f32" None, None [F32, F32] 0 0 0 (0) {Sopc 0x49}
    SCmpNlgF32 "s_cmp_nlg_f32" None, None [F32, F32] 0 0 0 (0) {Sopc 0x4a}
    SCmpNgtF32 "s_cmp_ngt_f32" None, None [F32, F32] 0 0 0 (0) {Sopc 0x4b}
    SCmpNleF32 "s_cmp_nle_f32" None, None [F32, F32] 0 0 0 (0) {Sopc 0x4c}
    SCmpNeqF32 "s_cmp_neq_f32" None, None [F32, F32] 0 0 0 (0) {Sopc 0x4d}
    SCmpNltF32 "s_cmp_nlt_f32" None, None [F32, F32] 0 0 0 (0) {Sopc 0x4e}
    SCmpLtF16 "s_cmp_lt_f16" None, None [F16, F16] 0 0 0 (0) {Sopc 0x51}
    SCmpEqF16 "s_cmp_eq_f16" None, None [F16, F16] 0 0 0 (0) {Sopc 0x52}
    SCmpLeF16 "s_cmp_le_f16" None, None [F16, F16] 0 0 0 (0) {Sopc 0x53}
    SCmpGtF16 "s_cmp_gt_f16" None, None [F16, F16] 0 0 0 (0) {Sopc 0x54}
    SCmpLgF16 "s_cmp_lg_f16" None, None [F16, F16] 0 0 0 (0) {Sopc 0x55}
    SCmpGeF16 "s_cmp_ge_f16" None, None [F16, F16] 0 0 0 (0) {Sopc 0x56}
    SCmpOF16 "s_cmp_o_f16" None, None [F16, F16] 0 0 0 (0) {Sopc 0x57}
    SCmpUF16 "s_cmp_u_f16" None, None [F16, F16] 0 0 0 (0) {Sopc 0x58}
    SCmpNgeF16 "s_cmp_nge_f16" None, None [F16, F16] 0 0 0 (0) {Sopc 0x59}
    SCmpNlgF16 "s_cmp_nlg_f16" None, None [F16, F16] 0 0 0 (0) {Sopc 0x5a}
    SCmpNgtF16 "s_cmp_ngt_f16" None, None [F16, F16] 0 0 0 (0) {Sopc 0x5b}
    SCmpNleF16 "s_cmp_nle_f16" None, None [F16, F16] 0 0 0 (0) {Sopc 0x5c}
    SCmpNeqF16 "s_cmp_neq_f16" None, None [F16, F16] 0 0 0 (0) {Sopc 0x5d}
    SCmpNltF16 "s_cmp_nlt_f16" None, None [F16, F16] 0 0 0 (0) {Sopc 0x5e}
    // Scalar ALU: a 16-bit immediate.
    SMovkI32 "s_movk_i32" I32, None [] 0 0 0 (0) {Sopk 0x00}
    SCmovkI32 "s_cmovk_i32" I32, None [] 0 0 0 (0) {Sopk 0x02}
    SAddkCoI32 "s_addk_co_i32" I32, None [] 0 0 0 (0) {Sopk 0x0f}
    SMulkI32 "s_mulk_i32" I32, None [] 0 0 0 (0) {Sopk 0x10}
    SGetregB32 "s_getreg_b32" I32, None [] 0 0 0 (0) {Sopk 0x11}
    SSetregB32 "s_setreg_b32" None, None [I32] 0 0 0 (0) {Sopk 0x12}
    SCallB64 "s_call_b64" U64, None [] 0 0 0 (0) {Sopk 0x14}
    // Control.
    SSleep "s_sleep" None, None [] 0 0 0 (0) {Sopp 0x03}
    SClause "s_clause" None, None [] 0 0 0 (0) {Sopp 0x05}
    SDelayAlu "s_delay_alu" None, None [] 0 0 0 (0) {Sopp 0x07}
    SWaitAlu "s_wait_alu" None, None [] 0 0 0 (0) {Sopp 0x08}
    SWaitIdle "s_wait_idle" None, None [] 0 0 0 (0) {Sopp 0x0a}
    SRoundMode "s_round_mode" None, None [] 0 0 0 (0) {Sopp 0x11}
    SDenormMode "s_denorm_mode" None, None [] 0 0 0 (0) {Sopp 0x12}
    SBarrierWait "s_barrier_wait" None, None [] 0 0 0 (0) {Sopp 0x14}
    SCodeEnd "s_code_end" None, None [] 0 0 0 (0) {Sopp 0x1f}
    SBranch "s_branch" None, None [] 0 0 0 (0) {Sopp 0x20}
    SCbranchScc0 "s_cbranch_scc0" None, None [] 0 0 0 (0) {Sopp 0x21}
    SCbranchScc1 "s_cbranch_scc1" None, None [] 0 0 0 (0) {Sopp 0x22}
    SCbranchVccz "s_cbranch_vccz" None, None [] 0 0 0 (0) {Sopp 0x23}
    SCbranchVccnz "s_cbranch_vccnz" None, None [] 0 0 0 (0) {Sopp 0x24}
    SCbranchExecz "s_cbranch_execz" None, None [] 0 0 0 (0) {Sopp 0x25}
    SCbranchExecnz "s_cbranch_execnz" None, None [] 0 0 0 (0) {Sopp 0x26}
    SEndpgm "s_endpgm" None, None [] 0 0 0 (0) {Sopp 0x30}
    SWakeup "s_wakeup" None, None [] 0 0 0 (0) {Sopp 0x34}
    SSetprio "s_setprio" None, None [] 0 0 0 (0) {Sopp 0x35}
    SSendmsg "s_sendmsg" None, None [] 0 0 0 (0) {Sopp 0x36}
    SWaitLoadcnt "s_wait_loadcnt" None, None [] 0 0 0 (0) {Sopp 0x40}
    SWaitStorecnt "s_wait_storecnt" None, None [] 0 0 0 (0) {Sopp 0x41}
    SWaitSamplecnt "s_wait_samplecnt" None, None [] 0 0 0 (0) {Sopp 0x42}
    SWaitBvhcnt "s_wait_bvhcnt" None, None [] 0 0 0 (0) {Sopp 0x43}
    SWaitExpcnt "s_wait_expcnt" None, None [] 0 0 0 (0) {Sopp 0x44}
    SWaitDscnt "s_wait_dscnt" None, None [] 0 0 0 (0) {Sopp 0x46}
    SWaitKmcnt "s_wait_kmcnt" None, None [] 0 0 0 (0) {Sopp 0x47}
    SWaitLoadcntDscnt "s_wait_loadcnt_dscnt" None, None [] 0 0 0 (0) {Sopp 0x48}
    SWaitStorecntDscnt "s_wait_storecnt_dscnt" None, None [] 0 0 0 (0) {Sopp 0x49}
    SNop "s_nop" None, None [] 0 0 0 (0) {Sopp 0x00}
    // Scalar memory.
    SLoadB32 "s_load_b32" I32, None [U64, I32] 0 0 0 (0) {Smem 0x00}
    SLoadB64 "s_load_b64" U64, None [U64, I32] 0 0 0 (0) {Smem 0x01}
    SLoadB128 "s_load_b128" B128, None [U64, I32] 0 0 0 (0) {Smem 0x02}
    SLoadB256 "s_load_b256" B256, None [U64, I32] 0 0 0 (0) {Smem 0x03}
    SLoadB512 "s_load_b512" B512, None [U64, I32] 0 0 0 (0) {Smem 0x04}
    SLoadB96 "s_load_b96" B96, None [U64, I32] 0 0 0 (0) {Smem 0x05}
    SLoadI8 "s_load_i8" I32, None [U64, I32] 0 0 0 (0) {Smem 0x08}
    SLoadU8 "s_load_u8" I32, None [U64, I32] 0 0 0 (0) {Smem 0x09}
    SLoadI16 "s_load_i16" I32, None [U64, I32] 0 0 0 (0) {Smem 0x0a}
    SLoadU16 "s_load_u16" I32, None [U64, I32] 0 0 0 (0) {Smem 0x0b}
    SPrefetchData "s_prefetch_data" None, None [U64, I32] 0 0 0 (0) {Smem 0x26}
    // Vector ALU: one operand.
    VNop "v_nop" None, None [] 0 0 0 (0) {Vop1 0x00}
    VMovB32 "v_mov_b32" I32, None [I32] 0 0 0 (DPP|DPP3) {Vop1 0x01, Vop3 0x181, VopdX 0x08, VopdY 0x08}
    VReadfirstlaneB32 "v_readfirstlane_b32" I32, None [I32] 0 0 0 (0) {Vop1 0x02}
    VCvtI32F64 "v_cvt_i32_f64" I32, None [F64] 1 1 0 (CLAMP|OMOD) {Vop1 0x03, Vop3 0x183}
    VCvtF64I32 "v_cvt_f64_i32" F64, None [I32] 0 0 0 (CLAMP|OMOD) {Vop1 0x04, Vop3 0x184}
    VCvtF32I32 "v_cvt_f32_i32" F32, None [I32] 0 0 0 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x05, Vop3 0x185}
    VCvtF32U32 "v_cvt_f32_u32" F32, None [I32] 0 0 0 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x06, Vop3 0x186}
    VCvtU32F32 "v_cvt_u32_f32" I32, None [F32] 1 1 0 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x07, Vop3 0x187}
    VCvtI32F32 "v_cvt_i32_f32" I32, None [F32] 1 1 0 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x08, Vop3 0x188}
    VCvtF16F32 "v_cvt_f16_f32" F16, None [F32] 1 1 8 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x0a, Vop3 0x18a}
    VCvtF32F16 "v_cvt_f32_f16" F32, None [F16] 1 1 1 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x0b, Vop3 0x18b}
    VCvtNearestI32F32 "v_cvt_nearest_i32_f32" I32, None [F32] 1 1 0 (CLAMP|DPP|DPP3) {Vop1 0x0c, Vop3 0x18c}
    VCvtFloorI32F32 "v_cvt_floor_i32_f32" I32, None [F32] 1 1 0 (CLAMP|DPP|DPP3) {Vop1 0x0d, Vop3 0x18d}
    VCvtOffF32I4 "v_cvt_off_f32_i4" F32, None [I32] 0 0 0 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x0e, Vop3 0x18e}
    VCvtF32F64 "v_cvt_f32_f64" F32, None [F64] 1 1 0 (CLAMP|OMOD) {Vop1 0x0f, Vop3 0x18f}
    VCvtF64F32 "v_cvt_f64_f32" F64, None [F32] 1 1 0 (CLAMP|OMOD) {Vop1 0x10, Vop3 0x190}
    VCvtF32Ubyte0 "v_cvt_f32_ubyte0" F32, None [I32] 0 0 0 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x11, Vop3 0x191}
    VCvtF32Ubyte1 "v_cvt_f32_ubyte1" F32, None [I32] 0 0 0 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x12, Vop3 0x192}
    VCvtF32Ubyte2 "v_cvt_f32_ubyte2" F32, None [I32] 0 0 0 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x13, Vop3 0x193}
    VCvtF32Ubyte3 "v_cvt_f32_ubyte3" F32, None [I32] 0 0 0 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x14, Vop3 0x194}
    VCvtU32F64 "v_cvt_u32_f64" I32, None [F64] 1 1 0 (CLAMP|OMOD) {Vop1 0x15, Vop3 0x195}
    VCvtF64U32 "v_cvt_f64_u32" F64, None [I32] 0 0 0 (CLAMP|OMOD) {Vop1 0x16, Vop3 0x196}
    VTruncF64 "v_trunc_f64" F64, None [F64] 1 1 0 (CLAMP|OMOD) {Vop1 0x17, Vop3 0x197}
    VCeilF64 "v_ceil_f64" F64, None [F64] 1 1 0 (CLAMP|OMOD) {Vop1 0x18, Vop3 0x198}
    VRndneF64 "v_rndne_f64" F64, None [F64] 1 1 0 (CLAMP|OMOD) {Vop1 0x19, Vop3 0x199}
    VFloorF64 "v_floor_f64" F64, None [F64] 1 1 0 (CLAMP|OMOD) {Vop1 0x1a, Vop3 0x19a}
    VMovB16 "v_mov_b16" I16, None [I16] 0 0 9 (DPP) {Vop1 0x1c, Vop3 0x19c}
    VFractF32 "v_fract_f32" F32, None [F32] 1 1 0 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x20, Vop3 0x1a0}
    VTruncF32 "v_trunc_f32" F32, None [F32] 1 1 0 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x21, Vop3 0x1a1}
    VCeilF32 "v_ceil_f32" F32, None [F32] 1 1 0 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x22, Vop3 0x1a2}
    VRndneF32 "v_rndne_f32" F32, None [F32] 1 1 0 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x23, Vop3 0x1a3}
    VFloorF32 "v_floor_f32" F32, None [F32] 1 1 0 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x24, Vop3 0x1a4}
    VExpF32 "v_exp_f32" F32, None [F32] 1 1 0 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x25, Vop3 0x1a5}
    VLogF32 "v_log_f32" F32, None [F32] 1 1 0 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x27, Vop3 0x1a7}
    VRcpF32 "v_rcp_f32" F32, None [F32] 1 1 0 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x2a, Vop3 0x1aa}
    VRcpIflagF32 "v_rcp_iflag_f32" F32, None [F32] 1 1 0 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x2b, Vop3 0x1ab}
    VRsqF32 "v_rsq_f32" F32, None [F32] 1 1 0 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x2e, Vop3 0x1ae}
    VRcpF64 "v_rcp_f64" F64, None [F64] 1 1 0 (CLAMP|OMOD) {Vop1 0x2f, Vop3 0x1af}
    VRsqF64 "v_rsq_f64" F64, None [F64] 1 1 0 (CLAMP|OMOD) {Vop1 0x31, Vop3 0x1b1}
    VSqrtF32 "v_sqrt_f32" F32, None [F32] 1 1 0 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x33, Vop3 0x1b3}
    VSqrtF64 "v_sqrt_f64" F64, None [F64] 1 1 0 (CLAMP|OMOD) {Vop1 0x34, Vop3 0x1b4}
    VSinF32 "v_sin_f32" F32, None [F32] 1 1 0 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x35, Vop3 0x1b5}
    VCosF32 "v_cos_f32" F32, None [F32] 1 1 0 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x36, Vop3 0x1b6}
    VNotB32 "v_not_b32" I32, None [I32] 0 0 0 (DPP|DPP3) {Vop1 0x37, Vop3 0x1b7}
    VBfrevB32 "v_bfrev_b32" I32, None [I32] 0 0 0 (DPP|DPP3) {Vop1 0x38, Vop3 0x1b8}
    VClzI32U32 "v_clz_i32_u32" I32, None [I32] 0 0 0 (DPP|DPP3) {Vop1 0x39, Vop3 0x1b9}
    VCtzI32B32 "v_ctz_i32_b32" I32, None [I32] 0 0 0 (DPP|DPP3) {Vop1 0x3a, Vop3 0x1ba}
    VClsI32 "v_cls_i32" I32, None [I32] 0 0 0 (DPP|DPP3) {Vop1 0x3b, Vop3 0x1bb}
    VFrexpExpI32F64 "v_frexp_exp_i32_f64" I32, None [F64] 1 1 0 (CLAMP|OMOD) {Vop1 0x3c, Vop3 0x1bc}
    VFrexpMantF64 "v_frexp_mant_f64" F64, None [F64] 1 1 0 (CLAMP|OMOD) {Vop1 0x3d, Vop3 0x1bd}
    VFractF64 "v_fract_f64" F64, None [F64] 1 1 0 (CLAMP|OMOD) {Vop1 0x3e, Vop3 0x1be}
    VFrexpExpI32F32 "v_frexp_exp_i32_f32" I32, None [F32] 1 1 0 (CLAMP|DPP|DPP3) {Vop1 0x3f, Vop3 0x1bf}
    VFrexpMantF32 "v_frexp_mant_f32" F32, None [F32] 1 1 0 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x40, Vop3 0x1c0}
    VMovreldB32 "v_movreld_b32" I32, None [I32] 0 0 0 (DPP|DPP3) {Vop1 0x42, Vop3 0x1c2}
    VMovrelsB32 "v_movrels_b32" I32, None [I32] 0 0 0 (DPP|DPP3) {Vop1 0x43, Vop3 0x1c3}
    VMovrelsdB32 "v_movrelsd_b32" I32, None [I32] 0 0 0 (DPP|DPP3) {Vop1 0x44, Vop3 0x1c4}
    VMovrelsd2B32 "v_movrelsd_2_b32" I32, None [I32] 0 0 0 (DPP|DPP3) {Vop1 0x48, Vop3 0x1c8}
    VCvtF16U16 "v_cvt_f16_u16" F16, None [I16] 0 0 9 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x50, Vop3 0x1d0}
    VCvtF16I16 "v_cvt_f16_i16" F16, None [I16] 0 0 9 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x51, Vop3 0x1d1}
    VCvtU16F16 "v_cvt_u16_f16" I16, None [F16] 1 1 9 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x52, Vop3 0x1d2}
    VCvtI16F16 "v_cvt_i16_f16" I16, None [F16] 1 1 9 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x53, Vop3 0x1d3}
    VRcpF16 "v_rcp_f16" F16, None [F16] 1 1 9 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x54, Vop3 0x1d4}
    VSqrtF16 "v_sqrt_f16" F16, None [F16] 1 1 9 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x55, Vop3 0x1d5}
    VRsqF16 "v_rsq_f16" F16, None [F16] 1 1 9 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x56, Vop3 0x1d6}
    VLogF16 "v_log_f16" F16, None [F16] 1 1 9 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x57, Vop3 0x1d7}
    VExpF16 "v_exp_f16" F16, None [F16] 1 1 9 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x58, Vop3 0x1d8}
    VFrexpMantF16 "v_frexp_mant_f16" F16, None [F16] 1 1 9 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x59, Vop3 0x1d9}
    VFrexpExpI16F16 "v_frexp_exp_i16_f16" I16, None [F16] 1 1 9 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x5a, Vop3 0x1da}
    VFloorF16 "v_floor_f16" F16, None [F16] 1 1 9 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x5b, Vop3 0x1db}
    VCeilF16 "v_ceil_f16" F16, None [F16] 1 1 9 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x5c, Vop3 0x1dc}
    VTruncF16 "v_trunc_f16" F16, None [F16] 1 1 9 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x5d, Vop3 0x1dd}
    VRndneF16 "v_rndne_f16" F16, None [F16] 1 1 9 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x5e, Vop3 0x1de}
    VFractF16 "v_fract_f16" F16, None [F16] 1 1 9 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x5f, Vop3 0x1df}
    VSinF16 "v_sin_f16" F16, None [F16] 1 1 9 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x60, Vop3 0x1e0}
    VCosF16 "v_cos_f16" F16, None [F16] 1 1 9 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x61, Vop3 0x1e1}
    VSatPkU8I16 "v_sat_pk_u8_i16" I16, None [I32] 0 0 8 (DPP|DPP3) {Vop1 0x62, Vop3 0x1e2}
    VCvtNormI16F16 "v_cvt_norm_i16_f16" I16, None [F16] 1 1 9 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x63, Vop3 0x1e3}
    VCvtNormU16F16 "v_cvt_norm_u16_f16" I16, None [F16] 1 1 9 (CLAMP|OMOD|DPP|DPP3) {Vop1 0x64, Vop3 0x1e4}
    VSwapB32 "v_swap_b32" I32, None [I32] 0 0 0 (0) {Vop1 0x65}
    VPermlane64B32 "v_permlane64_b32" I32, None [I32] 0 0 0 (0) {Vop1 0x67}
    VSwaprelB32 "v_swaprel_b32" I32, None [I32] 0 0 0 (0) {Vop1 0x68}
    VNotB16 "v_not_b16" I16, None [I16] 0 0 9 (DPP|DPP3) {Vop1 0x69, Vop3 0x1e9}
    VCvtI32I16 "v_cvt_i32_i16" I32, None [I16] 0 0 1 (DPP|DPP3) {Vop1 0x6a, Vop3 0x1ea}
    VCvtU32U16 "v_cvt_u32_u16" I32, None [I16] 0 0 1 (DPP|DPP3) {Vop1 0x6b, Vop3 0x1eb}
    VCvtF32Fp8 "v_cvt_f32_fp8" F32, None [I32] 0 0 3 (DPP|DPP3) {Vop1 0x6c, Vop3 0x1ec}
    VCvtF32Bf8 "v_cvt_f32_bf8" F32, None [I32] 0 0 3 (DPP|DPP3) {Vop1 0x6d, Vop3 0x1ed}
    VCvtPkF32Fp8 "v_cvt_pk_f32_fp8" U64, None [I32] 0 0 9 (CLAMP|OMOD) {Vop1 0x6e, Vop3 0x1ee}
    VCvtPkF32Bf8 "v_cvt_pk_f32_bf8" U64, None [I32] 0 0 9 (CLAMP|OMOD) {Vop1 0x6f, Vop3 0x1ef}
    // Vector ALU: two operands.
    VCndmaskB32 "v_cndmask_b32" I32, None [I32, I32, Mask] 3 3 0 (DPP|DPP3) {Vop2 0x01, Vop3 0x101, VopdX 0x09, VopdY 0x09}
    VAddF64 "v_add_f64" F64, None [F64, F64] 3 3 0 (CLAMP|OMOD) {Vop2 0x02, Vop3 0x102}
    VAddF32 "v_add_f32" F32, None [F32, F32] 3 3 0 (CLAMP|OMOD|DPP|DPP3) {Vop2 0x03, Vop3 0x103, VopdX 0x04, VopdY 0x04}
    VSubF32 "v_sub_f32" F32, None [F32, F32] 3 3 0 (CLAMP|OMOD|DPP|DPP3) {Vop2 0x04, Vop3 0x104, VopdX 0x05, VopdY 0x05}
    VSubrevF32 "v_subrev_f32" F32, None [F32, F32] 3 3 0 (CLAMP|OMOD|DPP|DPP3) {Vop2 0x05, Vop3 0x105, VopdX 0x06, VopdY 0x06}
    VMulF64 "v_mul_f64" F64, None [F64, F64] 3 3 0 (CLAMP|OMOD) {Vop2 0x06, Vop3 0x106}
    VMulDx9ZeroF32 "v_mul_dx9_zero_f32" F32, None [F32, F32] 3 3 0 (CLAMP|OMOD|DPP|DPP3) {Vop2 0x07, Vop3 0x107, VopdX 0x07, VopdY 0x07}
    VMulF32 "v_mul_f32" F32, None [F32, F32] 3 3 0 (CLAMP|OMOD|DPP|DPP3) {Vop2 0x08, Vop3 0x108, VopdX 0x03, VopdY 0x03}
    VMulI32I24 "v_mul_i32_i24" I32, None [I32, I32] 0 0 0 (CLAMP|DPP|DPP3) {Vop2 0x09, Vop3 0x109}
    VMulHiI32I24 "v_mul_hi_i32_i24" I32, None [I32, I32] 0 0 0 (DPP|DPP3) {Vop2 0x0a, Vop3 0x10a}
    VMulU32U24 "v_mul_u32_u24" I32, None [I32, I32] 0 0 0 (CLAMP|DPP|DPP3) {Vop2 0x0b, Vop3 0x10b}
    VMulHiU32U24 "v_mul_hi_u32_u24" I32, None [I32, I32] 0 0 0 (DPP|DPP3) {Vop2 0x0c, Vop3 0x10c}
    VMinNumF64 "v_min_num_f64" F64, None [F64, F64] 3 3 0 (CLAMP|OMOD) {Vop2 0x0d, Vop3 0x10d}
    VMaxNumF64 "v_max_num_f64" F64, None [F64, F64] 3 3 0 (CLAMP|OMOD) {Vop2 0x0e, Vop3 0x10e}
    VMinI32 "v_min_i32" I32, None [I32, I32] 0 0 0 (DPP|DPP3) {Vop2 0x11, Vop3 0x111}
    VMaxI32 "v_max_i32" I32, None [I32, I32] 0 0 0 (DPP|DPP3) {Vop2 0x12, Vop3 0x112}
    VMinU32 "v_min_u32" I32, None [I32, I32] 0 0 0 (DPP|DPP3) {Vop2 0x13, Vop3 0x113}
    VMaxU32 "v_max_u32" I32, None [I32, I32] 0 0 0 (DPP|DPP3) {Vop2 0x14, Vop3 0x114}
    VMinNumF32 "v_min_num_f32" F32, None [F32, F32] 3 3 0 (CLAMP|OMOD|DPP|DPP3) {Vop2 0x15, Vop3 0x115, VopdX 0x0b, VopdY 0x0b}
    VMaxNumF32 "v_max_num_f32" F32, None [F32, F32] 3 3 0 (CLAMP|OMOD|DPP|DPP3) {Vop2 0x16, Vop3 0x116, VopdX 0x0a, VopdY 0x0a}
    VLshlrevB32 "v_lshlrev_b32" I32, None [I32, I32] 0 0 0 (DPP|DPP3) {Vop2 0x18, Vop3 0x118, VopdY 0x11}
    VLshrrevB32 "v_lshrrev_b32" I32, None [I32, I32] 0 0 0 (DPP|DPP3) {Vop2 0x19, Vop3 0x119}
    VAshrrevI32 "v_ashrrev_i32" I32, None [I32, I32] 0 0 0 (DPP|DPP3) {Vop2 0x1a, Vop3 0x11a}
    VAndB32 "v_and_b32" I32, None [I32, I32] 0 0 0 (DPP|DPP3) {Vop2 0x1b, Vop3 0x11b, VopdY 0x12}
    VOrB32 "v_or_b32" I32, None [I32, I32] 0 0 0 (DPP|DPP3) {Vop2 0x1c, Vop3 0x11c}
    VXorB32 "v_xor_b32" I32, None [I32, I32] 0 0 0 (DPP|DPP3) {Vop2 0x1d, Vop3 0x11d}
    VXnorB32 "v_xnor_b32" I32, None [I32, I32] 0 0 0 (DPP|DPP3) {Vop2 0x1e, Vop3 0x11e}
    VLshlrevB64 "v_lshlrev_b64" U64, None [I32, U64] 0 0 0 (0) {Vop2 0x1f, Vop3 0x11f}
    VAddCoCiU32 "v_add_co_ci_u32" I32, Mask [I32, I32, Mask] 0 0 0 (CLAMP|DPP|DPP3) {Vop2 0x20, Vop3sd 0x120}
    VSubCoCiU32 "v_sub_co_ci_u32" I32, Mask [I32, I32, Mask] 0 0 0 (CLAMP|DPP|DPP3) {Vop2 0x21, Vop3sd 0x121}
    VSubrevCoCiU32 "v_subrev_co_ci_u32" I32, Mask [I32, I32, Mask] 0 0 0 (CLAMP|DPP|DPP3) {Vop2 0x22, Vop3sd 0x122}
    VAddNcU32 "v_add_nc_u32" I32, None [I32, I32] 0 0 0 (CLAMP|DPP|DPP3) {Vop2 0x25, Vop3 0x125, VopdY 0x10}
    VSubNcU32 "v_sub_nc_u32" I32, None [I32, I32] 0 0 0 (CLAMP|DPP|DPP3) {Vop2 0x26, Vop3 0x126}
    VSubrevNcU32 "v_subrev_nc_u32" I32, None [I32, I32] 0 0 0 (CLAMP|DPP|DPP3) {Vop2 0x27, Vop3 0x127}
    VFmacF32 "v_fmac_f32" F32, None [F32, F32] 3 3 0 (CLAMP|OMOD|DPP|DPP3) {Vop2 0x2b, Vop3 0x12b, VopdX 0x00, VopdY 0x00}
    VCvtPkRtzF16F32 "v_cvt_pk_rtz_f16_f32" I32, None [F32, F32] 3 3 0 (CLAMP|OMOD|DPP|DPP3) {Vop2 0x2f, Vop3 0x12f}
    VMinNumF16 "v_min_num_f16" F16, None [F16, F16] 3 3 11 (CLAMP|OMOD|DPP|DPP3) {Vop2 0x30, Vop3 0x130}
    VMaxNumF16 "v_max_num_f16" F16, None [F16, F16] 3 3 11 (CLAMP|OMOD|DPP|DPP3) {Vop2 0x31, Vop3 0x131}
    VAddF16 "v_add_f16" F16, None [F16, F16] 3 3 11 (CLAMP|OMOD|DPP|DPP3) {Vop2 0x32, Vop3 0x132}
    VSubF16 "v_sub_f16" F16, None [F16, F16] 3 3 11 (CLAMP|OMOD|DPP|DPP3) {Vop2 0x33, Vop3 0x133}
    VSubrevF16 "v_subrev_f16" F16, None [F16, F16] 3 3 11 (CLAMP|OMOD|DPP|DPP3) {Vop2 0x34, Vop3 0x134}
    VMulF16 "v_mul_f16" F16, None [F16, F16] 3 3 11 (CLAMP|OMOD|DPP|DPP3) {Vop2 0x35, Vop3 0x135}
    VFmacF16 "v_fmac_f16" F16, None [F16, F16] 3 3 11 (CLAMP|OMOD|DPP|DPP3) {Vop2 0x36, Vop3 0x136}
    VLdexpF16 "v_ldexp_f16" F16, None [F16, I16] 1 1 11 (CLAMP|OMOD|DPP|DPP3) {Vop2 0x3b, Vop3 0x13b}
    VPkFmacF16 "v_pk_fmac_f16" PkF16, None [PkF16, PkF16] 3 0 0 (DPP) {Vop2 0x3c}
    VFmamkF32 "v_fmamk_f32" F32, None [F32, F32, F32] 0 0 0 (0) {Vop2 0x2c, VopdX 0x02, VopdY 0x02}
    VFmaakF32 "v_fmaak_f32" F32, None [F32, F32, F32] 0 0 0 (0) {Vop2 0x2d, VopdX 0x01, VopdY 0x01}
    VFmamkF16 "v_fmamk_f16" F16, None [F16, F16, F16] 0 0 15 (0) {Vop2 0x37}
    VFmaakF16 "v_fmaak_f16" F16, None [F16, F16, F16] 0 0 15 (0) {Vop2 0x38}
    // Vector comparisons.
    VCmpLtF16 "v_cmp_lt_f16" Mask, None [F16, F16] 3 3 3 (CLAMP|DPP|DPP3) {Vopc 0x01, Vop3 0x01}
    VCmpEqF16 "v_cmp_eq_f16" Mask, None [F16, F16] 3 3 3 (CLAMP|DPP|DPP3) {Vopc 0x02, Vop3 0x02}
    VCmpLeF16 "v_cmp_le_f16" Mask, None [F16, F16] 3 3 3 (CLAMP|DPP|DPP3) {Vopc 0x03, Vop3 0x03}
    VCmpGtF16 "v_cmp_gt_f16" Mask, None [F16, F16] 3 3 3 (CLAMP|DPP|DPP3) {Vopc 0x04, Vop3 0x04}
    VCmpLgF16 "v_cmp_lg_f16" Mask, None [F16, F16] 3 3 3 (CLAMP|DPP|DPP3) {Vopc 0x05, Vop3 0x05}
    VCmpGeF16 "v_cmp_ge_f16" Mask, None [F16, F16] 3 3 3 (CLAMP|DPP|DPP3) {Vopc 0x06, Vop3 0x06}
    VCmpOF16 "v_cmp_o_f16" Mask, None [F16, F16] 3 3 3 (CLAMP|DPP|DPP3) {Vopc 0x07, Vop3 0x07}
    VCmpUF16 "v_cmp_u_f16" Mask, None [F16, F16] 3 3 3 (CLAMP|DPP|DPP3) {Vopc 0x08, Vop3 0x08}
    VCmpNgeF16 "v_cmp_nge_f16" Mask, None [F16, F16] 3 3 3 (CLAMP|DPP|DPP3) {Vopc 0x09, Vop3 0x09}
    VCmpNlgF16 "v_cmp_nlg_f16" Mask, None [F16, F16] 3 3 3 (CLAMP|DPP|DPP3) {Vopc 0x0a, Vop3 0x0a}
    VCmpNgtF16 "v_cmp_ngt_f16" Mask, None [F16, F16] 3 3 3 (CLAMP|DPP|DPP3) {Vopc 0x0b, Vop3 0x0b}
    VCmpNleF16 "v_cmp_nle_f16" Mask, None [F16, F16] 3 3 3 (CLAMP|DPP|DPP3) {Vopc 0x0c, Vop3 0x0c}
    VCmpNeqF16 "v_cmp_neq_f16" Mask, None [F16, F16] 3 3 3 (CLAMP|DPP|DPP3) {Vopc 0x0d, Vop3 0x0d}
    VCmpNltF16 "v_cmp_nlt_f16" Mask, None [F16, F16] 3 3 3 (CLAMP|DPP|DPP3) {Vopc 0x0e, Vop3 0x0e}
    VCmpLtF32 "v_cmp_lt_f32" Mask, None [F32, F32] 3 3 0 (CLAMP|DPP|DPP3) {Vopc 0x11, Vop3 0x11}
    VCmpEqF32 "v_cmp_eq_f32" Mask, None [F32, F32] 3 3 0 (CLAMP|DPP|DPP3) {Vopc 0x12, Vop3 0x12}
    VCmpLeF32 "v_cmp_le_f32" Mask, None [F32, F32] 3 3 0 (CLAMP|DPP|DPP3) {Vopc 0x13, Vop3 0x13}
    VCmpGtF32 "v_cmp_gt_f32" Mask, None [F32, F32] 3 3 0 (CLAMP|DPP|DPP3) {Vopc 0x14, Vop3 0x14}
    VCmpLgF32 "v_cmp_lg_f32" Mask, None [F32, F32] 3 3 0 (CLAMP|DPP|DPP3) {Vopc 0x15, Vop3 0x15}
    VCmpGeF32 "v_cmp_ge_f32" Mask, None [F32, F32] 3 3 0 (CLAMP|DPP|DPP3) {Vopc 0x16, Vop3 0x16}
    VCmpOF32 "v_cmp_o_f32" Mask, None [F32, F32] 3 3 0 (CLAMP|DPP|DPP3) {Vopc 0x17, Vop3 0x17}
    VCmpUF32 "v_cmp_u_f32" Mask, None [F32, F32] 3 3 0 (CLAMP|DPP|DPP3) {Vopc 0x18, Vop3 0x18}
    VCmpNgeF32 "v_cmp_nge_f32" Mask, None [F32, F32] 3 3 0 (CLAMP|DPP|DPP3) {Vopc 0x19, Vop3 0x19}
    VCmpNlgF32 "v_cmp_nlg_f32" Mask, None [F32, F32] 3 3 0 (CLAMP|DPP|DPP3) {Vopc 0x1a, Vop3 0x1a}
    VCmpNgtF32 "v_cmp_ngt_f32" Mask, None [F32, F32] 3 3 0 (CLAMP|DPP|DPP3) {Vopc 0x1b, Vop3 0x1b}
    VCmpNleF32 "v_cmp_nle_f32" Mask, None [F32, F32] 3 3 0 (CLAMP|DPP|DPP3) {Vopc 0x1c, Vop3 0x1c}
    VCmpNeqF32 "v_cmp_neq_f32" Mask, None [F32, F32] 3 3 0 (CLAMP|DPP|DPP3) {Vopc 0x1d, Vop3 0x1d}
    VCmpNltF32 "v_cmp_nlt_f32" Mask, None [F32, F32] 3 3 0 (CLAMP|DPP|DPP3) {Vopc 0x1e, Vop3 0x1e}
    VCmpLtF64 "v_cmp_lt_f64" Mask, None [F64, F64] 3 3 0 (CLAMP) {Vopc 0x21, Vop3 0x21}
    VCmpEqF64 "v_cmp_eq_f64" Mask, None [F64, F64] 3 3 0 (CLAMP) {Vopc 0x22, Vop3 0x22}
    VCmpLeF64 "v_cmp_le_f64" Mask, None [F64, F64] 3 3 0 (CLAMP) {Vopc 0x23, Vop3 0x23}
    VCmpGtF64 "v_cmp_gt_f64" Mask, None [F64, F64] 3 3 0 (CLAMP) {Vopc 0x24, Vop3 0x24}
    VCmpLgF64 "v_cmp_lg_f64" Mask, None [F64, F64] 3 3 0 (CLAMP) {Vopc 0x25, Vop3 0x25}
    VCmpGeF64 "v_cmp_ge_f64" Mask, None [F64, F64] 3 3 0 (CLAMP) {Vopc 0x26, Vop3 0x26}
    VCmpOF64 "v_cmp_o_f64" Mask, None [F64, F64] 3 3 0 (CLAMP) {Vopc 0x27, Vop3 0x27}
    VCmpUF64 "v_cmp_u_f64" Mask, None [F64, F64] 3 3 0 (CLAMP) {Vopc 0x28, Vop3 0x28}
    VCmpNgeF64 "v_cmp_nge_f64" Mask, None [F64, F64] 3 3 0 (CLAMP) {Vopc 0x29, Vop3 0x29}
    VCmpNlgF64 "v_cmp_nlg_f64" Mask, None [F64, F64] 3 3 0 (CLAMP) {Vopc 0x2a, Vop3 0x2a}
    VCmpNgtF64 "v_cmp_ngt_f64" Mask, None [F64, F64] 3 3 0 (CLAMP) {Vopc 0x2b, Vop3 0x2b}
    VCmpNleF64 "v_cmp_nle_f64" Mask, None [F64, F64] 3 3 0 (CLAMP) {Vopc 0x2c, Vop3 0x2c}
    VCmpNeqF64 "v_cmp_neq_f64" Mask, None [F64, F64] 3 3 0 (CLAMP) {Vopc 0x2d, Vop3 0x2d}
    VCmpNltF64 "v_cmp_nlt_f64" Mask, None [F64, F64] 3 3 0 (CLAMP) {Vopc 0x2e, Vop3 0x2e}
    VCmpLtI16 "v_cmp_lt_i16" Mask, None [I16, I16] 0 0 3 (DPP|DPP3) {Vopc 0x31, Vop3 0x31}
    VCmpEqI16 "v_cmp_eq_i16" Mask, None [I16, I16] 0 0 3 (DPP|DPP3) {Vopc 0x32, Vop3 0x32}
    VCmpLeI16 "v_cmp_le_i16" Mask, None [I16, I16] 0 0 3 (DPP|DPP3) {Vopc 0x33, Vop3 0x33}
    VCmpGtI16 "v_cmp_gt_i16" Mask, None [I16, I16] 0 0 3 (DPP|DPP3) {Vopc 0x34, Vop3 0x34}
    VCmpNeI16 "v_cmp_ne_i16" Mask, None [I16, I16] 0 0 3 (DPP|DPP3) {Vopc 0x35, Vop3 0x35}
    VCmpGeI16 "v_cmp_ge_i16" Mask, None [I16, I16] 0 0 3 (DPP|DPP3) {Vopc 0x36, Vop3 0x36}
    VCmpLtU16 "v_cmp_lt_u16" Mask, None [I16, I16] 0 0 3 (DPP|DPP3) {Vopc 0x39, Vop3 0x39}
    VCmpEqU16 "v_cmp_eq_u16" Mask, None [I16, I16] 0 0 3 (DPP|DPP3) {Vopc 0x3a, Vop3 0x3a}
    VCmpLeU16 "v_cmp_le_u16" Mask, None [I16, I16] 0 0 3 (DPP|DPP3) {Vopc 0x3b, Vop3 0x3b}
    VCmpGtU16 "v_cmp_gt_u16" Mask, None [I16, I16] 0 0 3 (DPP|DPP3) {Vopc 0x3c, Vop3 0x3c}
    VCmpNeU16 "v_cmp_ne_u16" Mask, None [I16, I16] 0 0 3 (DPP|DPP3) {Vopc 0x3d, Vop3 0x3d}
    VCmpGeU16 "v_cmp_ge_u16" Mask, None [I16, I16] 0 0 3 (DPP|DPP3) {Vopc 0x3e, Vop3 0x3e}
    VCmpLtI32 "v_cmp_lt_i32" Mask, None [I32, I32] 0 0 0 (DPP|DPP3) {Vopc 0x41, Vop3 0x41}
    VCmpEqI32 "v_cmp_eq_i32" Mask, None [I32, I32] 0 0 0 (DPP|DPP3) {Vopc 0x42, Vop3 0x42}
    VCmpLeI32 "v_cmp_le_i32" Mask, None [I32, I32] 0 0 0 (DPP|DPP3) {Vopc 0x43, Vop3 0x43}
    VCmpGtI32 "v_cmp_gt_i32" Mask, None [I32, I32] 0 0 0 (DPP|DPP3) {Vopc 0x44, Vop3 0x44}
    VCmpNeI32 "v_cmp_ne_i32" Mask, None [I32, I32] 0 0 0 (DPP|DPP3) {Vopc 0x45, Vop3 0x45}
    VCmpGeI32 "v_cmp_ge_i32" Mask, None [I32, I32] 0 0 0 (DPP|DPP3) {Vopc 0x46, Vop3 0x46}
    VCmpLtU32 "v_cmp_lt_u32" Mask, None [I32, I32] 0 0 0 (DPP|DPP3) {Vopc 0x49, Vop3 0x49}
    VCmpEqU32 "v_cmp_eq_u32" Mask, None [I32, I32] 0 0 0 (DPP|DPP3) {Vopc 0x4a, Vop3 0x4a}
    VCmpLeU32 "v_cmp_le_u32" Mask, None [I32, I32] 0 0 0 (DPP|DPP3) {Vopc 0x4b, Vop3 0x4b}
    VCmpGtU32 "v_cmp_gt_u32" Mask, None [I32, I32] 0 0 0 (DPP|DPP3) {Vopc 0x4c, Vop3 0x4c}
    VCmpNeU32 "v_cmp_ne_u32" Mask, None [I32, I32] 0 0 0 (DPP|DPP3) {Vopc 0x4d, Vop3 0x4d}
    VCmpGeU32 "v_cmp_ge_u32" Mask, None [I32, I32] 0 0 0 (DPP|DPP3) {Vopc 0x4e, Vop3 0x4e}
    VCmpLtI64 "v_cmp_lt_i64" Mask, None [I64, I64] 0 0 0 (0) {Vopc 0x51, Vop3 0x51}
    VCmpEqI64 "v_cmp_eq_i64" Mask, None [I64, I64] 0 0 0 (0) {Vopc 0x52, Vop3 0x52}
    VCmpLeI64 "v_cmp_le_i64" Mask, None [I64, I64] 0 0 0 (0) {Vopc 0x53, Vop3 0x53}
    VCmpGtI64 "v_cmp_gt_i64" Mask, None [I64, I64] 0 0 0 (0) {Vopc 0x54, Vop3 0x54}
    VCmpNeI64 "v_cmp_ne_i64" Mask, None [I64, I64] 0 0 0 (0) {Vopc 0x55, Vop3 0x55}
    VCmpGeI64 "v_cmp_ge_i64" Mask, None [I64, I64] 0 0 0 (0) {Vopc 0x56, Vop3 0x56}
    VCmpLtU64 "v_cmp_lt_u64" Mask, None [U64, U64] 0 0 0 (0) {Vopc 0x59, Vop3 0x59}
    VCmpEqU64 "v_cmp_eq_u64" Mask, None [U64, U64] 0 0 0 (0) {Vopc 0x5a, Vop3 0x5a}
    VCmpLeU64 "v_cmp_le_u64" Mask, None [U64, U64] 0 0 0 (0) {Vopc 0x5b, Vop3 0x5b}
    VCmpGtU64 "v_cmp_gt_u64" Mask, None [U64, U64] 0 0 0 (0) {Vopc 0x5c, Vop3 0x5c}
    VCmpNeU64 "v_cmp_ne_u64" Mask, None [U64, U64] 0 0 0 (0) {Vopc 0x5d, Vop3 0x5d}
    VCmpGeU64 "v_cmp_ge_u64" Mask, None [U64, U64] 0 0 0 (0) {Vopc 0x5e, Vop3 0x5e}
    VCmpClassF16 "v_cmp_class_f16" Mask, None [F16, I16] 1 1 1 (DPP|DPP3) {Vopc 0x7d, Vop3 0x7d}
    VCmpClassF32 "v_cmp_class_f32" Mask, None [F32, I32] 1 1 0 (DPP|DPP3) {Vopc 0x7e, Vop3 0x7e}
    VCmpClassF64 "v_cmp_class_f64" Mask, None [F64, I32] 1 1 0 (0) {Vopc 0x7f, Vop3 0x7f}
    VCmpxLtF16 "v_cmpx_lt_f16" Mask, None [F16, F16] 3 3 3 (CLAMP|DPP|DPP3) {Vopc 0x81, Vop3 0x81}
    VCmpxEqF16 "v_cmpx_eq_f16" Mask, None [F16, F16] 3 3 3 (CLAMP|DPP|DPP3) {Vopc 0x82, Vop3 0x82}
    VCmpxLeF16 "v_cmpx_le_f16" Mask, None [F16, F16] 3 3 3 (CLAMP|DPP|DPP3) {Vopc 0x83, Vop3 0x83}
    VCmpxGtF16 "v_cmpx_gt_f16" Mask, None [F16, F16] 3 3 3 (CLAMP|DPP|DPP3) {Vopc 0x84, Vop3 0x84}
    VCmpxLgF16 "v_cmpx_lg_f16" Mask, None [F16, F16] 3 3 3 (CLAMP|DPP|DPP3) {Vopc 0x85, Vop3 0x85}
    VCmpxGeF16 "v_cmpx_ge_f16" Mask, None [F16, F16] 3 3 3 (CLAMP|DPP|DPP3) {Vopc 0x86, Vop3 0x86}
    VCmpxOF16 "v_cmpx_o_f16" Mask, None [F16, F16] 3 3 3 (CLAMP|DPP|DPP3) {Vopc 0x87, Vop3 0x87}
    VCmpxUF16 "v_cmpx_u_f16" Mask, None [F16, F16] 3 3 3 (CLAMP|DPP|DPP3) {Vopc 0x88, Vop3 0x88}
    VCmpxNgeF16 "v_cmpx_nge_f16" Mask, None [F16, F16] 3 3 3 (CLAMP|DPP|DPP3) {Vopc 0x89, Vop3 0x89}
    VCmpxNlgF16 "v_cmpx_nlg_f16" Mask, None [F16, F16] 3 3 3 (CLAMP|DPP|DPP3) {Vopc 0x8a, Vop3 0x8a}
    VCmpxNgtF16 "v_cmpx_ngt_f16" Mask, None [F16, F16] 3 3 3 (CLAMP|DPP|DPP3) {Vopc 0x8b, Vop3 0x8b}
    VCmpxNleF16 "v_cmpx_nle_f16" Mask, None [F16, F16] 3 3 3 (CLAMP|DPP|DPP3) {Vopc 0x8c, Vop3 0x8c}
    VCmpxNeqF16 "v_cmpx_neq_f16" Mask, None [F16, F16] 3 3 3 (CLAMP|DPP|DPP3) {Vopc 0x8d, Vop3 0x8d}
    VCmpxNltF16 "v_cmpx_nlt_f16" Mask, None [F16, F16] 3 3 3 (CLAMP|DPP|DPP3) {Vopc 0x8e, Vop3 0x8e}
    VCmpxLtF32 "v_cmpx_lt_f32" Mask, None [F32, F32] 3 3 0 (CLAMP|DPP|DPP3) {Vopc 0x91, Vop3 0x91}
    VCmpxEqF32 "v_cmpx_eq_f32" Mask, None [F32, F32] 3 3 0 (CLAMP|DPP|DPP3) {Vopc 0x92, Vop3 0x92}
    VCmpxLeF32 "v_cmpx_le_f32" Mask, None [F32, F32] 3 3 0 (CLAMP|DPP|DPP3) {Vopc 0x93, Vop3 0x93}
    VCmpxGtF32 "v_cmpx_gt_f32" Mask, None [F32, F32] 3 3 0 (CLAMP|DPP|DPP3) {Vopc 0x94, Vop3 0x94}
    VCmpxLgF32 "v_cmpx_lg_f32" Mask, None [F32, F32] 3 3 0 (CLAMP|DPP|DPP3) {Vopc 0x95, Vop3 0x95}
    VCmpxGeF32 "v_cmpx_ge_f32" Mask, None [F32, F32] 3 3 0 (CLAMP|DPP|DPP3) {Vopc 0x96, Vop3 0x96}
    VCmpxOF32 "v_cmpx_o_f32" Mask, None [F32, F32] 3 3 0 (CLAMP|DPP|DPP3) {Vopc 0x97, Vop3 0x97}
    VCmpxUF32 "v_cmpx_u_f32" Mask, None [F32, F32] 3 3 0 (CLAMP|DPP|DPP3) {Vopc 0x98, Vop3 0x98}
    VCmpxNgeF32 "v_cmpx_nge_f32" Mask, None [F32, F32] 3 3 0 (CLAMP|DPP|DPP3) {Vopc 0x99, Vop3 0x99}
    VCmpxNlgF32 "v_cmpx_nlg_f32" Mask, None [F32, F32] 3 3 0 (CLAMP|DPP|DPP3) {Vopc 0x9a, Vop3 0x9a}
    VCmpxNgtF32 "v_cmpx_ngt_f32" Mask, None [F32, F32] 3 3 0 (CLAMP|DPP|DPP3) {Vopc 0x9b, Vop3 0x9b}
    VCmpxNleF32 "v_cmpx_nle_f32" Mask, None [F32, F32] 3 3 0 (CLAMP|DPP|DPP3) {Vopc 0x9c, Vop3 0x9c}
    VCmpxNeqF32 "v_cmpx_neq_f32" Mask, None [F32, F32] 3 3 0 (CLAMP|DPP|DPP3) {Vopc 0x9d, Vop3 0x9d}
    VCmpxNltF32 "v_cmpx_nlt_f32" Mask, None [F32, F32] 3 3 0 (CLAMP|DPP|DPP3) {Vopc 0x9e, Vop3 0x9e}
    VCmpxLtF64 "v_cmpx_lt_f64" Mask, None [F64, F64] 3 3 0 (CLAMP) {Vopc 0xa1, Vop3 0xa1}
    VCmpxEqF64 "v_cmpx_eq_f64" Mask, None [F64, F64] 3 3 0 (CLAMP) {Vopc 0xa2, Vop3 0xa2}
    VCmpxLeF64 "v_cmpx_le_f64" Mask, None [F64, F64] 3 3 0 (CLAMP) {Vopc 0xa3, Vop3 0xa3}
    VCmpxGtF64 "v_cmpx_gt_f64" Mask, None [F64, F64] 3 3 0 (CLAMP) {Vopc 0xa4, Vop3 0xa4}
    VCmpxLgF64 "v_cmpx_lg_f64" Mask, None [F64, F64] 3 3 0 (CLAMP) {Vopc 0xa5, Vop3 0xa5}
    VCmpxGeF64 "v_cmpx_ge_f64" Mask, None [F64, F64] 3 3 0 (CLAMP) {Vopc 0xa6, Vop3 0xa6}
    VCmpxOF64 "v_cmpx_o_f64" Mask, None [F64, F64] 3 3 0 (CLAMP) {Vopc 0xa7, Vop3 0xa7}
    VCmpxUF64 "v_cmpx_u_f64" Mask, None [F64, F64] 3 3 0 (CLAMP) {Vopc 0xa8, Vop3 0xa8}
    VCmpxNgeF64 "v_cmpx_nge_f64" Mask, None [F64, F64] 3 3 0 (CLAMP) {Vopc 0xa9, Vop3 0xa9}
    VCmpxNlgF64 "v_cmpx_nlg_f64" Mask, None [F64, F64] 3 3 0 (CLAMP) {Vopc 0xaa, Vop3 0xaa}
    VCmpxNgtF64 "v_cmpx_ngt_f64" Mask, None [F64, F64] 3 3 0 (CLAMP) {Vopc 0xab, Vop3 0xab}
    VCmpxNleF64 "v_cmpx_nle_f64" Mask, None [F64, F64] 3 3 0 (CLAMP) {Vopc 0xac, Vop3 0xac}
    VCmpxNeqF64 "v_cmpx_neq_f64" Mask, None [F64, F64] 3 3 0 (CLAMP) {Vopc 0xad, Vop3 0xad}
    VCmpxNltF64 "v_cmpx_nlt_f64" Mask, None [F64, F64] 3 3 0 (CLAMP) {Vopc 0xae, Vop3 0xae}
    VCmpxLtI16 "v_cmpx_lt_i16" Mask, None [I16, I16] 0 0 3 (DPP|DPP3) {Vopc 0xb1, Vop3 0xb1}
    VCmpxEqI16 "v_cmpx_eq_i16" Mask, None [I16, I16] 0 0 3 (DPP|DPP3) {Vopc 0xb2, Vop3 0xb2}
    VCmpxLeI16 "v_cmpx_le_i16" Mask, None [I16, I16] 0 0 3 (DPP|DPP3) {Vopc 0xb3, Vop3 0xb3}
    VCmpxGtI16 "v_cmpx_gt_i16" Mask, None [I16, I16] 0 0 3 (DPP|DPP3) {Vopc 0xb4, Vop3 0xb4}
    VCmpxNeI16 "v_cmpx_ne_i16" Mask, None [I16, I16] 0 0 3 (DPP|DPP3) {Vopc 0xb5, Vop3 0xb5}
    VCmpxGeI16 "v_cmpx_ge_i16" Mask, None [I16, I16] 0 0 3 (DPP|DPP3) {Vopc 0xb6, Vop3 0xb6}
    VCmpxLtU16 "v_cmpx_lt_u16" Mask, None [I16, I16] 0 0 3 (DPP|DPP3) {Vopc 0xb9, Vop3 0xb9}
    VCmpxEqU16 "v_cmpx_eq_u16" Mask, None [I16, I16] 0 0 3 (DPP|DPP3) {Vopc 0xba, Vop3 0xba}
    VCmpxLeU16 "v_cmpx_le_u16" Mask, None [I16, I16] 0 0 3 (DPP|DPP3) {Vopc 0xbb, Vop3 0xbb}
    VCmpxGtU16 "v_cmpx_gt_u16" Mask, None [I16, I16] 0 0 3 (DPP|DPP3) {Vopc 0xbc, Vop3 0xbc}
    VCmpxNeU16 "v_cmpx_ne_u16" Mask, None [I16, I16] 0 0 3 (DPP|DPP3) {Vopc 0xbd, Vop3 0xbd}
    VCmpxGeU16 "v_cmpx_ge_u16" Mask, None [I16, I16] 0 0 3 (DPP|DPP3) {Vopc 0xbe, Vop3 0xbe}
    VCmpxLtI32 "v_cmpx_lt_i32" Mask, None [I32, I32] 0 0 0 (DPP|DPP3) {Vopc 0xc1, Vop3 0xc1}
    VCmpxEqI32 "v_cmpx_eq_i32" Mask, None [I32, I32] 0 0 0 (DPP|DPP3) {Vopc 0xc2, Vop3 0xc2}
    VCmpxLeI32 "v_cmpx_le_i32" Mask, None [I32, I32] 0 0 0 (DPP|DPP3) {Vopc 0xc3, Vop3 0xc3}
    VCmpxGtI32 "v_cmpx_gt_i32" Mask, None [I32, I32] 0 0 0 (DPP|DPP3) {Vopc 0xc4, Vop3 0xc4}
    VCmpxNeI32 "v_cmpx_ne_i32" Mask, None [I32, I32] 0 0 0 (DPP|DPP3) {Vopc 0xc5, Vop3 0xc5}
    VCmpxGeI32 "v_cmpx_ge_i32" Mask, None [I32, I32] 0 0 0 (DPP|DPP3) {Vopc 0xc6, Vop3 0xc6}
    VCmpxLtU32 "v_cmpx_lt_u32" Mask, None [I32, I32] 0 0 0 (DPP|DPP3) {Vopc 0xc9, Vop3 0xc9}
    VCmpxEqU32 "v_cmpx_eq_u32" Mask, None [I32, I32] 0 0 0 (DPP|DPP3) {Vopc 0xca, Vop3 0xca}
    VCmpxLeU32 "v_cmpx_le_u32" Mask, None [I32, I32] 0 0 0 (DPP|DPP3) {Vopc 0xcb, Vop3 0xcb}
    VCmpxGtU32 "v_cmpx_gt_u32" Mask, None [I32, I32] 0 0 0 (DPP|DPP3) {Vopc 0xcc, Vop3 0xcc}
    VCmpxNeU32 "v_cmpx_ne_u32" Mask, None [I32, I32] 0 0 0 (DPP|DPP3) {Vopc 0xcd, Vop3 0xcd}
    VCmpxGeU32 "v_cmpx_ge_u32" Mask, None [I32, I32] 0 0 0 (DPP|DPP3) {Vopc 0xce, Vop3 0xce}
    VCmpxLtI64 "v_cmpx_lt_i64" Mask, None [I64, I64] 0 0 0 (0) {Vopc 0xd1, Vop3 0xd1}
    VCmpxEqI64 "v_cmpx_eq_i64" Mask, None [I64, I64] 0 0 0 (0) {Vopc 0xd2, Vop3 0xd2}
    VCmpxLeI64 "v_cmpx_le_i64" Mask, None [I64, I64] 0 0 0 (0) {Vopc 0xd3, Vop3 0xd3}
    VCmpxGtI64 "v_cmpx_gt_i64" Mask, None [I64, I64] 0 0 0 (0) {Vopc 0xd4, Vop3 0xd4}
    VCmpxNeI64 "v_cmpx_ne_i64" Mask, None [I64, I64] 0 0 0 (0) {Vopc 0xd5, Vop3 0xd5}
    VCmpxGeI64 "v_cmpx_ge_i64" Mask, None [I64, I64] 0 0 0 (0) {Vopc 0xd6, Vop3 0xd6}
    VCmpxLtU64 "v_cmpx_lt_u64" Mask, None [U64, U64] 0 0 0 (0) {Vopc 0xd9, Vop3 0xd9}
    VCmpxEqU64 "v_cmpx_eq_u64" Mask, None [U64, U64] 0 0 0 (0) {Vopc 0xda, Vop3 0xda}
    VCmpxLeU64 "v_cmpx_le_u64" Mask, None [U64, U64] 0 0 0 (0) {Vopc 0xdb, Vop3 0xdb}
    VCmpxGtU64 "v_cmpx_gt_u64" Mask, None [U64, U64] 0 0 0 (0) {Vopc 0xdc, Vop3 0xdc}
    VCmpxNeU64 "v_cmpx_ne_u64" Mask, None [U64, U64] 0 0 0 (0) {Vopc 0xdd, Vop3 0xdd}
    VCmpxGeU64 "v_cmpx_ge_u64" Mask, None [U64, U64] 0 0 0 (0) {Vopc 0xde, Vop3 0xde}
    VCmpxClassF16 "v_cmpx_class_f16" Mask, None [F16, I16] 1 1 1 (DPP|DPP3) {Vopc 0xfd, Vop3 0xfd}
    VCmpxClassF32 "v_cmpx_class_f32" Mask, None [F32, I32] 1 1 0 (DPP|DPP3) {Vopc 0xfe, Vop3 0xfe}
    VCmpxClassF64 "v_cmpx_class_f64" Mask, None [F64, I32] 1 1 0 (0) {Vopc 0xff, Vop3 0xff}
    // Vector ALU: only in VOP3.
    VFmaDx9ZeroF32 "v_fma_dx9_zero_f32" F32, None [F32, F32, F32] 7 7 0 (CLAMP|OMOD) {Vop3 0x209}
    VMadI32I24 "v_mad_i32_i24" I32, None [I32, I32, I32] 0 0 0 (CLAMP|DPP3) {Vop3 0x20a}
    VMadU32U24 "v_mad_u32_u24" I32, None [I32, I32, I32] 0 0 0 (CLAMP|DPP3) {Vop3 0x20b}
    VBfeU32 "v_bfe_u32" I32, None [I32, I32, I32] 0 0 0 (DPP3) {Vop3 0x210}
    VBfeI32 "v_bfe_i32" I32, None [I32, I32, I32] 0 0 0 (DPP3) {Vop3 0x211}
    VBfiB32 "v_bfi_b32" I32, None [I32, I32, I32] 0 0 0 (DPP3) {Vop3 0x212}
    VFmaF32 "v_fma_f32" F32, None [F32, F32, F32] 7 7 0 (CLAMP|OMOD|DPP3) {Vop3 0x213}
    VFmaF64 "v_fma_f64" F64, None [F64, F64, F64] 7 7 0 (CLAMP|OMOD) {Vop3 0x214}
    VAlignbitB32 "v_alignbit_b32" I32, None [I32, I32, I32] 0 0 0 (DPP3) {Vop3 0x216}
    VAlignbyteB32 "v_alignbyte_b32" I32, None [I32, I32, I32] 0 0 0 (DPP3) {Vop3 0x217}
    VMin3I32 "v_min3_i32" I32, None [I32, I32, I32] 0 0 0 (DPP3) {Vop3 0x21a}
    VMin3U32 "v_min3_u32" I32, None [I32, I32, I32] 0 0 0 (DPP3) {Vop3 0x21b}
    VMax3I32 "v_max3_i32" I32, None [I32, I32, I32] 0 0 0 (DPP3) {Vop3 0x21d}
    VMax3U32 "v_max3_u32" I32, None [I32, I32, I32] 0 0 0 (DPP3) {Vop3 0x21e}
    VMed3I32 "v_med3_i32" I32, None [I32, I32, I32] 0 0 0 (DPP3) {Vop3 0x220}
    VMed3U32 "v_med3_u32" I32, None [I32, I32, I32] 0 0 0 (DPP3) {Vop3 0x221}
    VSadU8 "v_sad_u8" I32, None [I32, I32, I32] 0 0 0 (CLAMP|DPP3) {Vop3 0x222}
    VSadHiU8 "v_sad_hi_u8" I32, None [I32, I32, I32] 0 0 0 (CLAMP|DPP3) {Vop3 0x223}
    VSadU16 "v_sad_u16" I32, None [I32, I32, I32] 0 0 0 (CLAMP|DPP3) {Vop3 0x224}
    VSadU32 "v_sad_u32" I32, None [I32, I32, I32] 0 0 0 (CLAMP|DPP3) {Vop3 0x225}
    VCvtPkU8F32 "v_cvt_pk_u8_f32" I32, None [F32, I32, I32] 1 1 0 (CLAMP|DPP3) {Vop3 0x226}
    VDivFixupF32 "v_div_fixup_f32" F32, None [F32, F32, F32] 7 7 0 (CLAMP|OMOD) {Vop3 0x227}
    VDivFixupF64 "v_div_fixup_f64" F64, None [F64, F64, F64] 7 7 0 (CLAMP|OMOD) {Vop3 0x228}
    VMin3NumF32 "v_min3_num_f32" F32, None [F32, F32, F32] 7 7 0 (CLAMP|OMOD|DPP3) {Vop3 0x229}
    VMax3NumF32 "v_max3_num_f32" F32, None [F32, F32, F32] 7 7 0 (CLAMP|OMOD|DPP3) {Vop3 0x22a}
    VMin3NumF16 "v_min3_num_f16" F16, None [F16, F16, F16] 7 7 15 (CLAMP|OMOD|DPP3) {Vop3 0x22b}
    VMax3NumF16 "v_max3_num_f16" F16, None [F16, F16, F16] 7 7 15 (CLAMP|OMOD|DPP3) {Vop3 0x22c}
    VMinimum3F32 "v_minimum3_f32" F32, None [F32, F32, F32] 7 7 0 (CLAMP|OMOD|DPP3) {Vop3 0x22d}
    VMaximum3F32 "v_maximum3_f32" F32, None [F32, F32, F32] 7 7 0 (CLAMP|OMOD|DPP3) {Vop3 0x22e}
    VMinimum3F16 "v_minimum3_f16" F16, None [F16, F16, F16] 7 7 15 (CLAMP|OMOD|DPP3) {Vop3 0x22f}
    VMaximum3F16 "v_maximum3_f16" F16, None [F16, F16, F16] 7 7 15 (CLAMP|OMOD|DPP3) {Vop3 0x230}
    VMed3NumF32 "v_med3_num_f32" F32, None [F32, F32, F32] 7 7 0 (CLAMP|OMOD|DPP3) {Vop3 0x231}
    VMed3NumF16 "v_med3_num_f16" F16, None [F16, F16, F16] 7 7 15 (CLAMP|OMOD|DPP3) {Vop3 0x232}
    VDivFmasF32 "v_div_fmas_f32" F32, None [F32, F32, F32] 7 7 0 (CLAMP|OMOD) {Vop3 0x237}
    VDivFmasF64 "v_div_fmas_f64" F64, None [F64, F64, F64] 7 7 0 (CLAMP|OMOD) {Vop3 0x238}
    VXor3B32 "v_xor3_b32" I32, None [I32, I32, I32] 0 0 0 (DPP3) {Vop3 0x240}
    VMadU16 "v_mad_u16" I16, None [I16, I16, I16] 0 0 15 (CLAMP|DPP3) {Vop3 0x241}
    VPermB32 "v_perm_b32" I32, None [I32, I32, I32] 0 0 0 (DPP3) {Vop3 0x244}
    VXadU32 "v_xad_u32" I32, None [I32, I32, I32] 0 0 0 (DPP3) {Vop3 0x245}
    VLshlAddU32 "v_lshl_add_u32" I32, None [I32, I32, I32] 0 0 0 (DPP3) {Vop3 0x246}
    VAddLshlU32 "v_add_lshl_u32" I32, None [I32, I32, I32] 0 0 0 (DPP3) {Vop3 0x247}
    VFmaF16 "v_fma_f16" F16, None [F16, F16, F16] 7 7 15 (CLAMP|OMOD|DPP3) {Vop3 0x248}
    VMin3I16 "v_min3_i16" I16, None [I16, I16, I16] 0 0 15 (CLAMP|DPP3) {Vop3 0x24a}
    VMin3U16 "v_min3_u16" I16, None [I16, I16, I16] 0 0 15 (CLAMP|DPP3) {Vop3 0x24b}
    VMax3I16 "v_max3_i16" I16, None [I16, I16, I16] 0 0 15 (CLAMP|DPP3) {Vop3 0x24d}
    VMax3U16 "v_max3_u16" I16, None [I16, I16, I16] 0 0 15 (CLAMP|DPP3) {Vop3 0x24e}
    VMed3I16 "v_med3_i16" I16, None [I16, I16, I16] 0 0 15 (CLAMP|DPP3) {Vop3 0x250}
    VMed3U16 "v_med3_u16" I16, None [I16, I16, I16] 0 0 15 (CLAMP|DPP3) {Vop3 0x251}
    VMadI16 "v_mad_i16" I16, None [I16, I16, I16] 0 0 15 (CLAMP|DPP3) {Vop3 0x253}
    VDivFixupF16 "v_div_fixup_f16" F16, None [F16, F16, F16] 7 7 15 (CLAMP|OMOD|DPP3) {Vop3 0x254}
    VAdd3U32 "v_add3_u32" I32, None [I32, I32, I32] 0 0 0 (DPP3) {Vop3 0x255}
    VLshlOrB32 "v_lshl_or_b32" I32, None [I32, I32, I32] 0 0 0 (DPP3) {Vop3 0x256}
    VAndOrB32 "v_and_or_b32" I32, None [I32, I32, I32] 0 0 0 (DPP3) {Vop3 0x257}
    VOr3B32 "v_or3_b32" I32, None [I32, I32, I32] 0 0 0 (DPP3) {Vop3 0x258}
    VMadU32U16 "v_mad_u32_u16" I32, None [I16, I16, I32] 0 0 15 (CLAMP|DPP3) {Vop3 0x259}
    VMadI32I16 "v_mad_i32_i16" I32, None [I16, I16, I32] 0 0 15 (CLAMP|DPP3) {Vop3 0x25a}
    VPermlane16B32 "v_permlane16_b32" I32, None [I32, I32, I32] 0 0 3 (0) {Vop3 0x25b}
    VPermlanex16B32 "v_permlanex16_b32" I32, None [I32, I32, I32] 0 0 3 (0) {Vop3 0x25c}
    VCndmaskB16 "v_cndmask_b16" I16, None [I16, I16, Mask] 3 3 11 (DPP3) {Vop3 0x25d}
    VMaxminU32 "v_maxmin_u32" I32, None [I32, I32, I32] 0 0 0 (DPP3) {Vop3 0x262}
    VMinmaxU32 "v_minmax_u32" I32, None [I32, I32, I32] 0 0 0 (DPP3) {Vop3 0x263}
    VMaxminI32 "v_maxmin_i32" I32, None [I32, I32, I32] 0 0 0 (DPP3) {Vop3 0x264}
    VMinmaxI32 "v_minmax_i32" I32, None [I32, I32, I32] 0 0 0 (DPP3) {Vop3 0x265}
    VDot2F16F16 "v_dot2_f16_f16" F16, None [PkF16, PkF16, F16] 7 7 12 (DPP3) {Vop3 0x266}
    VDot2Bf16Bf16 "v_dot2_bf16_bf16" Bf16, None [PkBf16, PkBf16, Bf16] 7 7 12 (DPP3) {Vop3 0x267}
    VMinmaxNumF32 "v_minmax_num_f32" F32, None [F32, F32, F32] 7 7 0 (CLAMP|OMOD|DPP3) {Vop3 0x268}
    VMaxminNumF32 "v_maxmin_num_f32" F32, None [F32, F32, F32] 7 7 0 (CLAMP|OMOD|DPP3) {Vop3 0x269}
    VMinmaxNumF16 "v_minmax_num_f16" F16, None [F16, F16, F16] 7 7 15 (CLAMP|OMOD|DPP3) {Vop3 0x26a}
    VMaxminNumF16 "v_maxmin_num_f16" F16, None [F16, F16, F16] 7 7 15 (CLAMP|OMOD|DPP3) {Vop3 0x26b}
    VMinimummaximumF32 "v_minimummaximum_f32" F32, None [F32, F32, F32] 7 7 0 (CLAMP|OMOD|DPP3) {Vop3 0x26c}
    VMaximumminimumF32 "v_maximumminimum_f32" F32, None [F32, F32, F32] 7 7 0 (CLAMP|OMOD|DPP3) {Vop3 0x26d}
    VMinimummaximumF16 "v_minimummaximum_f16" F16, None [F16, F16, F16] 7 7 15 (CLAMP|OMOD|DPP3) {Vop3 0x26e}
    VMaximumminimumF16 "v_maximumminimum_f16" F16, None [F16, F16, F16] 7 7 15 (CLAMP|OMOD|DPP3) {Vop3 0x26f}
    VSExpF32 "v_s_exp_f32" F32, None [F32] 1 1 0 (CLAMP|OMOD) {Vop3 0x280}
    VSExpF16 "v_s_exp_f16" F16, None [F16] 1 1 0 (CLAMP|OMOD) {Vop3 0x281}
    VSLogF32 "v_s_log_f32" F32, None [F32] 1 1 0 (CLAMP|OMOD) {Vop3 0x282}
    VSLogF16 "v_s_log_f16" F16, None [F16] 1 1 0 (CLAMP|OMOD) {Vop3 0x283}
    VSRcpF32 "v_s_rcp_f32" F32, None [F32] 1 1 0 (CLAMP|OMOD) {Vop3 0x284}
    VSRcpF16 "v_s_rcp_f16" F16, None [F16] 1 1 0 (CLAMP|OMOD) {Vop3 0x285}
    VSRsqF32 "v_s_rsq_f32" F32, None [F32] 1 1 0 (CLAMP|OMOD) {Vop3 0x286}
    VSRsqF16 "v_s_rsq_f16" F16, None [F16] 1 1 0 (CLAMP|OMOD) {Vop3 0x287}
    VSSqrtF32 "v_s_sqrt_f32" F32, None [F32] 1 1 0 (CLAMP|OMOD) {Vop3 0x288}
    VSSqrtF16 "v_s_sqrt_f16" F16, None [F16] 1 1 0 (CLAMP|OMOD) {Vop3 0x289}
    VAddNcU16 "v_add_nc_u16" I16, None [I16, I16] 0 0 11 (CLAMP|DPP3) {Vop3 0x303}
    VSubNcU16 "v_sub_nc_u16" I16, None [I16, I16] 0 0 11 (CLAMP|DPP3) {Vop3 0x304}
    VMulLoU16 "v_mul_lo_u16" I16, None [I16, I16] 0 0 11 (DPP3) {Vop3 0x305}
    VCvtPkI16F32 "v_cvt_pk_i16_f32" I32, None [F32, F32] 3 3 0 (CLAMP|DPP3) {Vop3 0x306}
    VCvtPkU16F32 "v_cvt_pk_u16_f32" I32, None [F32, F32] 3 3 0 (CLAMP|DPP3) {Vop3 0x307}
    VMaxU16 "v_max_u16" I16, None [I16, I16] 0 0 11 (DPP3) {Vop3 0x309}
    VMaxI16 "v_max_i16" I16, None [I16, I16] 0 0 11 (DPP3) {Vop3 0x30a}
    VMinU16 "v_min_u16" I16, None [I16, I16] 0 0 11 (DPP3) {Vop3 0x30b}
    VMinI16 "v_min_i16" I16, None [I16, I16] 0 0 11 (DPP3) {Vop3 0x30c}
    VAddNcI16 "v_add_nc_i16" I16, None [I16, I16] 0 0 11 (CLAMP|DPP3) {Vop3 0x30d}
    VSubNcI16 "v_sub_nc_i16" I16, None [I16, I16] 0 0 11 (CLAMP|DPP3) {Vop3 0x30e}
    VPermlane16VarB32 "v_permlane16_var_b32" I32, None [I32, I32] 0 0 3 (0) {Vop3 0x30f}
    VPermlanex16VarB32 "v_permlanex16_var_b32" I32, None [I32, I32] 0 0 3 (0) {Vop3 0x310}
    VPackB32F16 "v_pack_b32_f16" I32, None [F16, F16] 3 3 11 (CLAMP|DPP3) {Vop3 0x311}
    VCvtPkNormI16F16 "v_cvt_pk_norm_i16_f16" I32, None [F16, F16] 3 3 11 (CLAMP|DPP3) {Vop3 0x312}
    VCvtPkNormU16F16 "v_cvt_pk_norm_u16_f16" I32, None [F16, F16] 3 3 11 (CLAMP|DPP3) {Vop3 0x313}
    VLdexpF32 "v_ldexp_f32" F32, None [F32, I32] 1 1 0 (CLAMP|OMOD|DPP3) {Vop3 0x31c}
    VBfmB32 "v_bfm_b32" I32, None [I32, I32] 0 0 0 (DPP3) {Vop3 0x31d}
    VBcntU32B32 "v_bcnt_u32_b32" I32, None [I32, I32] 0 0 0 (DPP3) {Vop3 0x31e}
    VMbcntLoU32B32 "v_mbcnt_lo_u32_b32" I32, None [I32, I32] 0 0 0 (DPP3) {Vop3 0x31f}
    VMbcntHiU32B32 "v_mbcnt_hi_u32_b32" I32, None [I32, I32] 0 0 0 (DPP3) {Vop3 0x320}
    VCvtPkNormI16F32 "v_cvt_pk_norm_i16_f32" I32, None [F32, F32] 3 3 0 (CLAMP|DPP3) {Vop3 0x321}
    VCvtPkNormU16F32 "v_cvt_pk_norm_u16_f32" I32, None [F32, F32] 3 3 0 (CLAMP|DPP3) {Vop3 0x322}
    VCvtPkU16U32 "v_cvt_pk_u16_u32" I32, None [I32, I32] 0 0 0 (DPP3) {Vop3 0x323}
    VCvtPkI16I32 "v_cvt_pk_i16_i32" I32, None [I32, I32] 0 0 0 (DPP3) {Vop3 0x324}
    VSubNcI32 "v_sub_nc_i32" I32, None [I32, I32] 0 0 0 (CLAMP|DPP3) {Vop3 0x325}
    VAddNcI32 "v_add_nc_i32" I32, None [I32, I32] 0 0 0 (CLAMP|DPP3) {Vop3 0x326}
    VLdexpF64 "v_ldexp_f64" F64, None [F64, I32] 1 1 0 (CLAMP|OMOD) {Vop3 0x32b}
    VMulLoU32 "v_mul_lo_u32" I32, None [I32, I32] 0 0 0 (0) {Vop3 0x32c}
    VMulHiU32 "v_mul_hi_u32" I32, None [I32, I32] 0 0 0 (0) {Vop3 0x32d}
    VMulHiI32 "v_mul_hi_i32" I32, None [I32, I32] 0 0 0 (0) {Vop3 0x32e}
    VTrigPreopF64 "v_trig_preop_f64" F64, None [F64, I32] 1 1 0 (CLAMP|OMOD) {Vop3 0x32f}
    VLshlrevB16 "v_lshlrev_b16" I16, None [I16, I16] 0 0 11 (DPP3) {Vop3 0x338}
    VLshrrevB16 "v_lshrrev_b16" I16, None [I16, I16] 0 0 11 (DPP3) {Vop3 0x339}
    VAshrrevI16 "v_ashrrev_i16" I16, None [I16, I16] 0 0 11 (DPP3) {Vop3 0x33a}
    VLshrrevB64 "v_lshrrev_b64" U64, None [I32, U64] 0 0 0 (0) {Vop3 0x33d}
    VAshrrevI64 "v_ashrrev_i64" I64, None [I32, I64] 0 0 0 (0) {Vop3 0x33e}
    VMinimumF64 "v_minimum_f64" F64, None [F64, F64] 3 3 0 (CLAMP|OMOD) {Vop3 0x341}
    VMaximumF64 "v_maximum_f64" F64, None [F64, F64] 3 3 0 (CLAMP|OMOD) {Vop3 0x342}
    VReadlaneB32 "v_readlane_b32" I32, None [I32, I32] 0 0 0 (0) {Vop3 0x360}
    VWritelaneB32 "v_writelane_b32" I32, None [I32, I32] 0 0 0 (0) {Vop3 0x361}
    VAndB16 "v_and_b16" I16, None [I16, I16] 0 0 11 (DPP3) {Vop3 0x362}
    VOrB16 "v_or_b16" I16, None [I16, I16] 0 0 11 (DPP3) {Vop3 0x363}
    VXorB16 "v_xor_b16" I16, None [I16, I16] 0 0 11 (DPP3) {Vop3 0x364}
    VMinimumF32 "v_minimum_f32" F32, None [F32, F32] 3 3 0 (CLAMP|OMOD|DPP3) {Vop3 0x365}
    VMaximumF32 "v_maximum_f32" F32, None [F32, F32] 3 3 0 (CLAMP|OMOD|DPP3) {Vop3 0x366}
    VMinimumF16 "v_minimum_f16" F16, None [F16, F16] 3 3 11 (CLAMP|OMOD|DPP3) {Vop3 0x367}
    VMaximumF16 "v_maximum_f16" F16, None [F16, F16] 3 3 11 (CLAMP|OMOD|DPP3) {Vop3 0x368}
    VCvtPkFp8F32 "v_cvt_pk_fp8_f32" I32, None [F32, F32] 3 3 11 (DPP3) {Vop3 0x369}
    VCvtPkBf8F32 "v_cvt_pk_bf8_f32" I32, None [F32, F32] 3 3 11 (DPP3) {Vop3 0x36a}
    VCvtSrFp8F32 "v_cvt_sr_fp8_f32" I32, None [F32, I32] 1 1 12 (DPP3) {Vop3 0x36b}
    VCvtSrBf8F32 "v_cvt_sr_bf8_f32" I32, None [F32, I32] 1 1 12 (DPP3) {Vop3 0x36c}
    // Vector ALU: VOP3 with a scalar destination.
    VDivScaleF32 "v_div_scale_f32" F32, Mask [F32, F32, F32] 7 0 0 (CLAMP|OMOD) {Vop3sd 0x2fc}
    VDivScaleF64 "v_div_scale_f64" F64, Mask [F64, F64, F64] 7 0 0 (CLAMP|OMOD) {Vop3sd 0x2fd}
    VMadCoU64U32 "v_mad_co_u64_u32" U64, Mask [I32, I32, U64] 0 0 0 (CLAMP) {Vop3sd 0x2fe}
    VMadCoI64I32 "v_mad_co_i64_i32" I64, Mask [I32, I32, I64] 0 0 0 (CLAMP) {Vop3sd 0x2ff}
    VAddCoU32 "v_add_co_u32" I32, Mask [I32, I32] 0 0 0 (CLAMP|DPP3) {Vop3sd 0x300}
    VSubCoU32 "v_sub_co_u32" I32, Mask [I32, I32] 0 0 0 (CLAMP|DPP3) {Vop3sd 0x301}
    VSubrevCoU32 "v_subrev_co_u32" I32, Mask [I32, I32] 0 0 0 (CLAMP|DPP3) {Vop3sd 0x302}
    // Vector ALU: packed, mixed, dot products and matrices.
    VPkMadI16 "v_pk_mad_i16" PkI16, None [PkI16, PkI16, PkI16] 7 7 7 (SEL_HI|CLAMP) {Vop3p 0x00}
    VPkMulLoU16 "v_pk_mul_lo_u16" PkI16, None [PkI16, PkI16] 3 3 3 (SEL_HI|CLAMP) {Vop3p 0x01}
    VPkAddI16 "v_pk_add_i16" PkI16, None [PkI16, PkI16] 3 3 3 (SEL_HI|CLAMP) {Vop3p 0x02}
    VPkSubI16 "v_pk_sub_i16" PkI16, None [PkI16, PkI16] 3 3 3 (SEL_HI|CLAMP) {Vop3p 0x03}
    VPkLshlrevB16 "v_pk_lshlrev_b16" PkI16, None [PkI16, PkI16] 3 3 3 (SEL_HI|CLAMP) {Vop3p 0x04}
    VPkLshrrevB16 "v_pk_lshrrev_b16" PkI16, None [PkI16, PkI16] 3 3 3 (SEL_HI|CLAMP) {Vop3p 0x05}
    VPkAshrrevI16 "v_pk_ashrrev_i16" PkI16, None [PkI16, PkI16] 3 3 3 (SEL_HI|CLAMP) {Vop3p 0x06}
    VPkMaxI16 "v_pk_max_i16" PkI16, None [PkI16, PkI16] 3 3 3 (SEL_HI|CLAMP) {Vop3p 0x07}
    VPkMinI16 "v_pk_min_i16" PkI16, None [PkI16, PkI16] 3 3 3 (SEL_HI|CLAMP) {Vop3p 0x08}
    VPkMadU16 "v_pk_mad_u16" PkI16, None [PkI16, PkI16, PkI16] 7 7 7 (SEL_HI|CLAMP) {Vop3p 0x09}
    VPkAddU16 "v_pk_add_u16" PkI16, None [PkI16, PkI16] 3 3 3 (SEL_HI|CLAMP) {Vop3p 0x0a}
    VPkSubU16 "v_pk_sub_u16" PkI16, None [PkI16, PkI16] 3 3 3 (SEL_HI|CLAMP) {Vop3p 0x0b}
    VPkMaxU16 "v_pk_max_u16" PkI16, None [PkI16, PkI16] 3 3 3 (SEL_HI|CLAMP) {Vop3p 0x0c}
    VPkMinU16 "v_pk_min_u16" PkI16, None [PkI16, PkI16] 3 3 3 (SEL_HI|CLAMP) {Vop3p 0x0d}
    VPkFmaF16 "v_pk_fma_f16" PkF16, None [PkF16, PkF16, PkF16] 7 7 7 (SEL_HI|CLAMP) {Vop3p 0x0e}
    VPkAddF16 "v_pk_add_f16" PkF16, None [PkF16, PkF16] 3 3 3 (SEL_HI|CLAMP) {Vop3p 0x0f}
    VPkMulF16 "v_pk_mul_f16" PkF16, None [PkF16, PkF16] 3 3 3 (SEL_HI|CLAMP) {Vop3p 0x10}
    VDot2F32F16 "v_dot2_f32_f16" F32, None [PkF16, PkF16, F32] 7 7 7 (SEL_HI|CLAMP|DPP3) {Vop3p 0x13}
    VDot4I32Iu8 "v_dot4_i32_iu8" I32, None [I32, I32, I32] 7 7 7 (SEL_HI|CLAMP) {Vop3p 0x16}
    VDot4U32U8 "v_dot4_u32_u8" I32, None [I32, I32, I32] 7 7 7 (SEL_HI|CLAMP) {Vop3p 0x17}
    VDot8I32Iu4 "v_dot8_i32_iu4" I32, None [I32, I32, I32] 7 7 7 (SEL_HI|CLAMP) {Vop3p 0x18}
    VDot8U32U4 "v_dot8_u32_u4" I32, None [I32, I32, I32] 7 7 7 (SEL_HI|CLAMP) {Vop3p 0x19}
    VDot2F32Bf16 "v_dot2_f32_bf16" F32, None [PkBf16, PkBf16, F32] 7 7 7 (SEL_HI|CLAMP) {Vop3p 0x1a}
    VPkMinNumF16 "v_pk_min_num_f16" PkF16, None [PkF16, PkF16] 3 3 3 (SEL_HI|CLAMP) {Vop3p 0x1b}
    VPkMaxNumF16 "v_pk_max_num_f16" PkF16, None [PkF16, PkF16] 3 3 3 (SEL_HI|CLAMP) {Vop3p 0x1c}
    VPkMinimumF16 "v_pk_minimum_f16" PkF16, None [PkF16, PkF16] 3 3 3 (SEL_HI|CLAMP) {Vop3p 0x1d}
    VPkMaximumF16 "v_pk_maximum_f16" PkF16, None [PkF16, PkF16] 3 3 3 (SEL_HI|CLAMP) {Vop3p 0x1e}
    VFmaMixF32 "v_fma_mix_f32" F32, None [Mix, Mix, Mix] 7 7 7 (SEL_HI|CLAMP|DPP3) {Vop3p 0x20}
    VFmaMixloF16 "v_fma_mixlo_f16" F16, None [Mix, Mix, Mix] 7 7 7 (SEL_HI|CLAMP|DPP3) {Vop3p 0x21}
    VFmaMixhiF16 "v_fma_mixhi_f16" F16, None [Mix, Mix, Mix] 7 7 7 (SEL_HI|CLAMP|DPP3) {Vop3p 0x22}
    VDot4F32Fp8Bf8 "v_dot4_f32_fp8_bf8" F32, None [I32, I32, F32] 4 4 0 (DPP3) {Vop3p 0x24}
    VDot4F32Bf8Fp8 "v_dot4_f32_bf8_fp8" F32, None [I32, I32, F32] 4 4 0 (DPP3) {Vop3p 0x25}
    VDot4F32Fp8Fp8 "v_dot4_f32_fp8_fp8" F32, None [I32, I32, F32] 4 4 0 (DPP3) {Vop3p 0x26}
    VDot4F32Bf8Bf8 "v_dot4_f32_bf8_bf8" F32, None [I32, I32, F32] 4 4 0 (DPP3) {Vop3p 0x27}
    VWmmaF3216x16x16F16 "v_wmma_f32_16x16x16_f16" F32x8, None [B128, B128, F32x8] 7 7 0 (0) {Vop3p 0x40}
    VWmmaF3216x16x16Bf16 "v_wmma_f32_16x16x16_bf16" F32x8, None [B128, B128, F32x8] 7 7 0 (0) {Vop3p 0x41}
    VWmmaF1616x16x16F16 "v_wmma_f16_16x16x16_f16" PkF16x4, None [B128, B128, PkF16x4] 7 7 0 (0) {Vop3p 0x42}
    VWmmaBf1616x16x16Bf16 "v_wmma_bf16_16x16x16_bf16" PkBf16x4, None [B128, B128, PkBf16x4] 7 7 0 (0) {Vop3p 0x43}
    VWmmaI3216x16x16Iu8 "v_wmma_i32_16x16x16_iu8" I32x8, None [U64, U64, I32x8] 3 0 0 (CLAMP) {Vop3p 0x44}
    VWmmaI3216x16x16Iu4 "v_wmma_i32_16x16x16_iu4" I32x8, None [I32, I32, I32x8] 3 0 0 (CLAMP) {Vop3p 0x45}
    VWmmaF3216x16x16Fp8Fp8 "v_wmma_f32_16x16x16_fp8_fp8" F32x8, None [U64, U64, F32x8] 4 4 0 (0) {Vop3p 0x46}
    VWmmaF3216x16x16Fp8Bf8 "v_wmma_f32_16x16x16_fp8_bf8" F32x8, None [U64, U64, F32x8] 4 4 0 (0) {Vop3p 0x47}
    VWmmaF3216x16x16Bf8Fp8 "v_wmma_f32_16x16x16_bf8_fp8" F32x8, None [U64, U64, F32x8] 4 4 0 (0) {Vop3p 0x48}
    VWmmaF3216x16x16Bf8Bf8 "v_wmma_f32_16x16x16_bf8_bf8" F32x8, None [U64, U64, F32x8] 4 4 0 (0) {Vop3p 0x49}
    VWmmaI3216x16x32Iu4 "v_wmma_i32_16x16x32_iu4" I32x8, None [U64, U64, I32x8] 3 0 0 (CLAMP) {Vop3p 0x4a}
    VSwmmacF3216x16x32F16 "v_swmmac_f32_16x16x32_f16" F32x8, None [B128, B256, I32] 3 3 1 (0) {Vop3p 0x50}
    VSwmmacF3216x16x32Bf16 "v_swmmac_f32_16x16x32_bf16" F32x8, None [B128, B256, I32] 3 3 1 (0) {Vop3p 0x51}
    VSwmmacF1616x16x32F16 "v_swmmac_f16_16x16x32_f16" PkF16x4, None [B128, B256, I32] 3 3 1 (0) {Vop3p 0x52}
    VSwmmacBf1616x16x32Bf16 "v_swmmac_bf16_16x16x32_bf16" PkBf16x4, None [B128, B256, I32] 3 3 1 (0) {Vop3p 0x53}
    VSwmmacI3216x16x32Iu8 "v_swmmac_i32_16x16x32_iu8" I32x8, None [U64, B128, I32] 3 0 1 (CLAMP) {Vop3p 0x54}
    VSwmmacI3216x16x32Iu4 "v_swmmac_i32_16x16x32_iu4" I32x8, None [I32, U64, I32] 3 0 1 (CLAMP) {Vop3p 0x55}
    VSwmmacI3216x16x64Iu4 "v_swmmac_i32_16x16x64_iu4" I32x8, None [U64, B128, I32] 3 0 0 (CLAMP) {Vop3p 0x56}
    VSwmmacF3216x16x32Fp8Fp8 "v_swmmac_f32_16x16x32_fp8_fp8" F32x8, None [U64, B128, I32] 0 0 1 (0) {Vop3p 0x57}
    VSwmmacF3216x16x32Fp8Bf8 "v_swmmac_f32_16x16x32_fp8_bf8" F32x8, None [U64, B128, I32] 0 0 1 (0) {Vop3p 0x58}
    VSwmmacF3216x16x32Bf8Fp8 "v_swmmac_f32_16x16x32_bf8_fp8" F32x8, None [U64, B128, I32] 0 0 1 (0) {Vop3p 0x59}
    VSwmmacF3216x16x32Bf8Bf8 "v_swmmac_f32_16x16x32_bf8_bf8" F32x8, None [U64, B128, I32] 0 0 1 (0) {Vop3p 0x5a}
    // LDS.
    DsAddU32 "ds_add_u32" None, None [I32, I32] 0 0 0 (0) {Ds 0x00}
    DsSubU32 "ds_sub_u32" None, None [I32, I32] 0 0 0 (0) {Ds 0x01}
    DsRsubU32 "ds_rsub_u32" None, None [I32, I32] 0 0 0 (0) {Ds 0x02}
    DsIncU32 "ds_inc_u32" None, None [I32, I32] 0 0 0 (0) {Ds 0x03}
    DsDecU32 "ds_dec_u32" None, None [I32, I32] 0 0 0 (0) {Ds 0x04}
    DsMinI32 "ds_min_i32" None, None [I32, I32] 0 0 0 (0) {Ds 0x05}
    DsMaxI32 "ds_max_i32" None, None [I32, I32] 0 0 0 (0) {Ds 0x06}
    DsMinU32 "ds_min_u32" None, None [I32, I32] 0 0 0 (0) {Ds 0x07}
    DsMaxU32 "ds_max_u32" None, None [I32, I32] 0 0 0 (0) {Ds 0x08}
    DsAndB32 "ds_and_b32" None, None [I32, I32] 0 0 0 (0) {Ds 0x09}
    DsOrB32 "ds_or_b32" None, None [I32, I32] 0 0 0 (0) {Ds 0x0a}
    DsXorB32 "ds_xor_b32" None, None [I32, I32] 0 0 0 (0) {Ds 0x0b}
    DsMskorB32 "ds_mskor_b32" None, None [I32, I32, I32] 0 0 0 (0) {Ds 0x0c}
    DsStoreB32 "ds_store_b32" None, None [I32, I32] 0 0 0 (0) {Ds 0x0d}
    DsStore2addrB32 "ds_store_2addr_b32" None, None [I32, I32, I32] 0 0 0 (0) {Ds 0x0e}
    DsStore2addrStride64B32 "ds_store_2addr_stride64_b32" None, None [I32, I32, I32] 0 0 0 (0) {Ds 0x0f}
    DsCmpstoreB32 "ds_cmpstore_b32" None, None [I32, I32, I32] 0 0 0 (0) {Ds 0x10}
    DsMinNumF32 "ds_min_num_f32" None, None [I32, I32] 0 0 0 (0) {Ds 0x12}
    DsMaxNumF32 "ds_max_num_f32" None, None [I32, I32] 0 0 0 (0) {Ds 0x13}
    DsAddF32 "ds_add_f32" None, None [I32, I32] 0 0 0 (0) {Ds 0x15}
    DsStoreB8 "ds_store_b8" None, None [I32, I32] 0 0 0 (0) {Ds 0x1e}
    DsStoreB16 "ds_store_b16" None, None [I32, I32] 0 0 0 (0) {Ds 0x1f}
    DsAddRtnU32 "ds_add_rtn_u32" I32, None [I32, I32] 0 0 0 (0) {Ds 0x20}
    DsSubRtnU32 "ds_sub_rtn_u32" I32, None [I32, I32] 0 0 0 (0) {Ds 0x21}
    DsRsubRtnU32 "ds_rsub_rtn_u32" I32, None [I32, I32] 0 0 0 (0) {Ds 0x22}
    DsIncRtnU32 "ds_inc_rtn_u32" I32, None [I32, I32] 0 0 0 (0) {Ds 0x23}
    DsDecRtnU32 "ds_dec_rtn_u32" I32, None [I32, I32] 0 0 0 (0) {Ds 0x24}
    DsMinRtnI32 "ds_min_rtn_i32" I32, None [I32, I32] 0 0 0 (0) {Ds 0x25}
    DsMaxRtnI32 "ds_max_rtn_i32" I32, None [I32, I32] 0 0 0 (0) {Ds 0x26}
    DsMinRtnU32 "ds_min_rtn_u32" I32, None [I32, I32] 0 0 0 (0) {Ds 0x27}
    DsMaxRtnU32 "ds_max_rtn_u32" I32, None [I32, I32] 0 0 0 (0) {Ds 0x28}
    DsAndRtnB32 "ds_and_rtn_b32" I32, None [I32, I32] 0 0 0 (0) {Ds 0x29}
    DsOrRtnB32 "ds_or_rtn_b32" I32, None [I32, I32] 0 0 0 (0) {Ds 0x2a}
    DsXorRtnB32 "ds_xor_rtn_b32" I32, None [I32, I32] 0 0 0 (0) {Ds 0x2b}
    DsMskorRtnB32 "ds_mskor_rtn_b32" I32, None [I32, I32, I32] 0 0 0 (0) {Ds 0x2c}
    DsStorexchgRtnB32 "ds_storexchg_rtn_b32" I32, None [I32, I32] 0 0 0 (0) {Ds 0x2d}
    DsStorexchg2addrRtnB32 "ds_storexchg_2addr_rtn_b32" U64, None [I32, I32, I32] 0 0 0 (0) {Ds 0x2e}
    DsStorexchg2addrStride64RtnB32 "ds_storexchg_2addr_stride64_rtn_b32" U64, None [I32, I32, I32] 0 0 0 (0) {Ds 0x2f}
    DsCmpstoreRtnB32 "ds_cmpstore_rtn_b32" I32, None [I32, I32, I32] 0 0 0 (0) {Ds 0x30}
    DsMinNumRtnF32 "ds_min_num_rtn_f32" I32, None [I32, I32] 0 0 0 (0) {Ds 0x32}
    DsMaxNumRtnF32 "ds_max_num_rtn_f32" I32, None [I32, I32] 0 0 0 (0) {Ds 0x33}
    DsSwizzleB32 "ds_swizzle_b32" I32, None [I32] 0 0 0 (0) {Ds 0x35}
    DsLoadB32 "ds_load_b32" I32, None [I32] 0 0 0 (0) {Ds 0x36}
    DsLoad2addrB32 "ds_load_2addr_b32" U64, None [I32] 0 0 0 (0) {Ds 0x37}
    DsLoad2addrStride64B32 "ds_load_2addr_stride64_b32" U64, None [I32] 0 0 0 (0) {Ds 0x38}
    DsLoadI8 "ds_load_i8" I32, None [I32] 0 0 0 (0) {Ds 0x39}
    DsLoadU8 "ds_load_u8" I32, None [I32] 0 0 0 (0) {Ds 0x3a}
    DsLoadI16 "ds_load_i16" I32, None [I32] 0 0 0 (0) {Ds 0x3b}
    DsLoadU16 "ds_load_u16" I32, None [I32] 0 0 0 (0) {Ds 0x3c}
    DsAddU64 "ds_add_u64" None, None [I32, U64] 0 0 0 (0) {Ds 0x40}
    DsSubU64 "ds_sub_u64" None, None [I32, U64] 0 0 0 (0) {Ds 0x41}
    DsRsubU64 "ds_rsub_u64" None, None [I32, U64] 0 0 0 (0) {Ds 0x42}
    DsIncU64 "ds_inc_u64" None, None [I32, U64] 0 0 0 (0) {Ds 0x43}
    DsDecU64 "ds_dec_u64" None, None [I32, U64] 0 0 0 (0) {Ds 0x44}
    DsMinI64 "ds_min_i64" None, None [I32, U64] 0 0 0 (0) {Ds 0x45}
    DsMaxI64 "ds_max_i64" None, None [I32, U64] 0 0 0 (0) {Ds 0x46}
    DsMinU64 "ds_min_u64" None, None [I32, U64] 0 0 0 (0) {Ds 0x47}
    DsMaxU64 "ds_max_u64" None, None [I32, U64] 0 0 0 (0) {Ds 0x48}
    DsAndB64 "ds_and_b64" None, None [I32, U64] 0 0 0 (0) {Ds 0x49}
    DsOrB64 "ds_or_b64" None, None [I32, U64] 0 0 0 (0) {Ds 0x4a}
    DsXorB64 "ds_xor_b64" None, None [I32, U64] 0 0 0 (0) {Ds 0x4b}
    DsMskorB64 "ds_mskor_b64" None, None [I32, U64, U64] 0 0 0 (0) {Ds 0x4c}
    DsStoreB64 "ds_store_b64" None, None [I32, U64] 0 0 0 (0) {Ds 0x4d}
    DsStore2addrB64 "ds_store_2addr_b64" None, None [I32, U64, U64] 0 0 0 (0) {Ds 0x4e}
    DsStore2addrStride64B64 "ds_store_2addr_stride64_b64" None, None [I32, U64, U64] 0 0 0 (0) {Ds 0x4f}
    DsCmpstoreB64 "ds_cmpstore_b64" None, None [I32, U64, U64] 0 0 0 (0) {Ds 0x50}
    DsMinNumF64 "ds_min_num_f64" None, None [I32, U64] 0 0 0 (0) {Ds 0x52}
    DsMaxNumF64 "ds_max_num_f64" None, None [I32, U64] 0 0 0 (0) {Ds 0x53}
    DsAddRtnU64 "ds_add_rtn_u64" U64, None [I32, U64] 0 0 0 (0) {Ds 0x60}
    DsSubRtnU64 "ds_sub_rtn_u64" U64, None [I32, U64] 0 0 0 (0) {Ds 0x61}
    DsRsubRtnU64 "ds_rsub_rtn_u64" U64, None [I32, U64] 0 0 0 (0) {Ds 0x62}
    DsIncRtnU64 "ds_inc_rtn_u64" U64, None [I32, U64] 0 0 0 (0) {Ds 0x63}
    DsDecRtnU64 "ds_dec_rtn_u64" U64, None [I32, U64] 0 0 0 (0) {Ds 0x64}
    DsMinRtnI64 "ds_min_rtn_i64" U64, None [I32, U64] 0 0 0 (0) {Ds 0x65}
    DsMaxRtnI64 "ds_max_rtn_i64" U64, None [I32, U64] 0 0 0 (0) {Ds 0x66}
    DsMinRtnU64 "ds_min_rtn_u64" U64, None [I32, U64] 0 0 0 (0) {Ds 0x67}
    DsMaxRtnU64 "ds_max_rtn_u64" U64, None [I32, U64] 0 0 0 (0) {Ds 0x68}
    DsAndRtnB64 "ds_and_rtn_b64" U64, None [I32, U64] 0 0 0 (0) {Ds 0x69}
    DsOrRtnB64 "ds_or_rtn_b64" U64, None [I32, U64] 0 0 0 (0) {Ds 0x6a}
    DsXorRtnB64 "ds_xor_rtn_b64" U64, None [I32, U64] 0 0 0 (0) {Ds 0x6b}
    DsMskorRtnB64 "ds_mskor_rtn_b64" U64, None [I32, U64, U64] 0 0 0 (0) {Ds 0x6c}
    DsStorexchgRtnB64 "ds_storexchg_rtn_b64" U64, None [I32, U64] 0 0 0 (0) {Ds 0x6d}
    DsStorexchg2addrRtnB64 "ds_storexchg_2addr_rtn_b64" B128, None [I32, U64, U64] 0 0 0 (0) {Ds 0x6e}
    DsStorexchg2addrStride64RtnB64 "ds_storexchg_2addr_stride64_rtn_b64" B128, None [I32, U64, U64] 0 0 0 (0) {Ds 0x6f}
    DsCmpstoreRtnB64 "ds_cmpstore_rtn_b64" U64, None [I32, U64, U64] 0 0 0 (0) {Ds 0x70}
    DsMinNumRtnF64 "ds_min_num_rtn_f64" U64, None [I32, U64] 0 0 0 (0) {Ds 0x72}
    DsMaxNumRtnF64 "ds_max_num_rtn_f64" U64, None [I32, U64] 0 0 0 (0) {Ds 0x73}
    DsLoadB64 "ds_load_b64" U64, None [I32] 0 0 0 (0) {Ds 0x76}
    DsLoad2addrB64 "ds_load_2addr_b64" B128, None [I32] 0 0 0 (0) {Ds 0x77}
    DsLoad2addrStride64B64 "ds_load_2addr_stride64_b64" B128, None [I32] 0 0 0 (0) {Ds 0x78}
    DsAddRtnF32 "ds_add_rtn_f32" I32, None [I32, I32] 0 0 0 (0) {Ds 0x79}
    DsCondSubU32 "ds_cond_sub_u32" None, None [I32, I32] 0 0 0 (0) {Ds 0x98}
    DsSubClampU32 "ds_sub_clamp_u32" None, None [I32, I32] 0 0 0 (0) {Ds 0x99}
    DsPkAddF16 "ds_pk_add_f16" None, None [I32, I32] 0 0 0 (0) {Ds 0x9a}
    DsPkAddBf16 "ds_pk_add_bf16" None, None [I32, I32] 0 0 0 (0) {Ds 0x9b}
    DsStoreB8D16Hi "ds_store_b8_d16_hi" None, None [I32, I32] 0 0 0 (0) {Ds 0xa0}
    DsStoreB16D16Hi "ds_store_b16_d16_hi" None, None [I32, I32] 0 0 0 (0) {Ds 0xa1}
    DsLoadU8D16 "ds_load_u8_d16" I32, None [I32] 0 0 0 (0) {Ds 0xa2}
    DsLoadU8D16Hi "ds_load_u8_d16_hi" I32, None [I32] 0 0 0 (0) {Ds 0xa3}
    DsLoadI8D16 "ds_load_i8_d16" I32, None [I32] 0 0 0 (0) {Ds 0xa4}
    DsLoadI8D16Hi "ds_load_i8_d16_hi" I32, None [I32] 0 0 0 (0) {Ds 0xa5}
    DsLoadU16D16 "ds_load_u16_d16" I32, None [I32] 0 0 0 (0) {Ds 0xa6}
    DsLoadU16D16Hi "ds_load_u16_d16_hi" I32, None [I32] 0 0 0 (0) {Ds 0xa7}
    DsCondSubRtnU32 "ds_cond_sub_rtn_u32" I32, None [I32, I32] 0 0 0 (0) {Ds 0xa8}
    DsSubClampRtnU32 "ds_sub_clamp_rtn_u32" I32, None [I32, I32] 0 0 0 (0) {Ds 0xa9}
    DsPkAddRtnF16 "ds_pk_add_rtn_f16" I32, None [I32, I32] 0 0 0 (0) {Ds 0xaa}
    DsPkAddRtnBf16 "ds_pk_add_rtn_bf16" I32, None [I32, I32] 0 0 0 (0) {Ds 0xab}
    DsPermuteB32 "ds_permute_b32" I32, None [I32, I32] 0 0 0 (0) {Ds 0xb2}
    DsBpermuteB32 "ds_bpermute_b32" I32, None [I32, I32] 0 0 0 (0) {Ds 0xb3}
    DsStoreB96 "ds_store_b96" None, None [I32, B96] 0 0 0 (0) {Ds 0xde}
    DsStoreB128 "ds_store_b128" None, None [I32, B128] 0 0 0 (0) {Ds 0xdf}
    DsLoadB96 "ds_load_b96" B96, None [I32] 0 0 0 (0) {Ds 0xfe}
    DsLoadB128 "ds_load_b128" B128, None [I32] 0 0 0 (0) {Ds 0xff}
    // Flat memory.
    FlatLoadU8 "flat_load_u8" I32, None [Addr] 0 0 0 (0) {Flat 0x10}
    FlatLoadI8 "flat_load_i8" I32, None [Addr] 0 0 0 (0) {Flat 0x11}
    FlatLoadU16 "flat_load_u16" I32, None [Addr] 0 0 0 (0) {Flat 0x12}
    FlatLoadI16 "flat_load_i16" I32, None [Addr] 0 0 0 (0) {Flat 0x13}
    FlatLoadB32 "flat_load_b32" I32, None [Addr] 0 0 0 (0) {Flat 0x14}
    FlatLoadB64 "flat_load_b64" U64, None [Addr] 0 0 0 (0) {Flat 0x15}
    FlatLoadB96 "flat_load_b96" B96, None [Addr] 0 0 0 (0) {Flat 0x16}
    FlatLoadB128 "flat_load_b128" B128, None [Addr] 0 0 0 (0) {Flat 0x17}
    FlatStoreB8 "flat_store_b8" None, None [Addr, I32] 0 0 0 (0) {Flat 0x18}
    FlatStoreB16 "flat_store_b16" None, None [Addr, I32] 0 0 0 (0) {Flat 0x19}
    FlatStoreB32 "flat_store_b32" None, None [Addr, I32] 0 0 0 (0) {Flat 0x1a}
    FlatStoreB64 "flat_store_b64" None, None [Addr, U64] 0 0 0 (0) {Flat 0x1b}
    FlatStoreB96 "flat_store_b96" None, None [Addr, B96] 0 0 0 (0) {Flat 0x1c}
    FlatStoreB128 "flat_store_b128" None, None [Addr, B128] 0 0 0 (0) {Flat 0x1d}
    FlatLoadD16U8 "flat_load_d16_u8" I32, None [Addr] 0 0 0 (0) {Flat 0x1e}
    FlatLoadD16I8 "flat_load_d16_i8" I32, None [Addr] 0 0 0 (0) {Flat 0x1f}
    FlatLoadD16B16 "flat_load_d16_b16" I32, None [Addr] 0 0 0 (0) {Flat 0x20}
    FlatLoadD16HiU8 "flat_load_d16_hi_u8" I32, None [Addr] 0 0 0 (0) {Flat 0x21}
    FlatLoadD16HiI8 "flat_load_d16_hi_i8" I32, None [Addr] 0 0 0 (0) {Flat 0x22}
    FlatLoadD16HiB16 "flat_load_d16_hi_b16" I32, None [Addr] 0 0 0 (0) {Flat 0x23}
    FlatStoreD16HiB8 "flat_store_d16_hi_b8" None, None [Addr, I32] 0 0 0 (0) {Flat 0x24}
    FlatStoreD16HiB16 "flat_store_d16_hi_b16" None, None [Addr, I32] 0 0 0 (0) {Flat 0x25}
    FlatAtomicSwapB32 "flat_atomic_swap_b32" I32, None [Addr, I32] 0 0 0 (0) {Flat 0x33}
    FlatAtomicCmpswapB32 "flat_atomic_cmpswap_b32" I32, None [Addr, U64] 0 0 0 (0) {Flat 0x34}
    FlatAtomicAddU32 "flat_atomic_add_u32" I32, None [Addr, I32] 0 0 0 (0) {Flat 0x35}
    FlatAtomicSubU32 "flat_atomic_sub_u32" I32, None [Addr, I32] 0 0 0 (0) {Flat 0x36}
    FlatAtomicSubClampU32 "flat_atomic_sub_clamp_u32" I32, None [Addr, I32] 0 0 0 (0) {Flat 0x37}
    FlatAtomicMinI32 "flat_atomic_min_i32" I32, None [Addr, I32] 0 0 0 (0) {Flat 0x38}
    FlatAtomicMinU32 "flat_atomic_min_u32" I32, None [Addr, I32] 0 0 0 (0) {Flat 0x39}
    FlatAtomicMaxI32 "flat_atomic_max_i32" I32, None [Addr, I32] 0 0 0 (0) {Flat 0x3a}
    FlatAtomicMaxU32 "flat_atomic_max_u32" I32, None [Addr, I32] 0 0 0 (0) {Flat 0x3b}
    FlatAtomicAndB32 "flat_atomic_and_b32" I32, None [Addr, I32] 0 0 0 (0) {Flat 0x3c}
    FlatAtomicOrB32 "flat_atomic_or_b32" I32, None [Addr, I32] 0 0 0 (0) {Flat 0x3d}
    FlatAtomicXorB32 "flat_atomic_xor_b32" I32, None [Addr, I32] 0 0 0 (0) {Flat 0x3e}
    FlatAtomicIncU32 "flat_atomic_inc_u32" I32, None [Addr, I32] 0 0 0 (0) {Flat 0x3f}
    FlatAtomicDecU32 "flat_atomic_dec_u32" I32, None [Addr, I32] 0 0 0 (0) {Flat 0x40}
    FlatAtomicSwapB64 "flat_atomic_swap_b64" U64, None [Addr, U64] 0 0 0 (0) {Flat 0x41}
    FlatAtomicCmpswapB64 "flat_atomic_cmpswap_b64" U64, None [Addr, B128] 0 0 0 (0) {Flat 0x42}
    FlatAtomicAddU64 "flat_atomic_add_u64" U64, None [Addr, U64] 0 0 0 (0) {Flat 0x43}
    FlatAtomicSubU64 "flat_atomic_sub_u64" U64, None [Addr, U64] 0 0 0 (0) {Flat 0x44}
    FlatAtomicMinI64 "flat_atomic_min_i64" U64, None [Addr, U64] 0 0 0 (0) {Flat 0x45}
    FlatAtomicMinU64 "flat_atomic_min_u64" U64, None [Addr, U64] 0 0 0 (0) {Flat 0x46}
    FlatAtomicMaxI64 "flat_atomic_max_i64" U64, None [Addr, U64] 0 0 0 (0) {Flat 0x47}
    FlatAtomicMaxU64 "flat_atomic_max_u64" U64, None [Addr, U64] 0 0 0 (0) {Flat 0x48}
    FlatAtomicAndB64 "flat_atomic_and_b64" U64, None [Addr, U64] 0 0 0 (0) {Flat 0x49}
    FlatAtomicOrB64 "flat_atomic_or_b64" U64, None [Addr, U64] 0 0 0 (0) {Flat 0x4a}
    FlatAtomicXorB64 "flat_atomic_xor_b64" U64, None [Addr, U64] 0 0 0 (0) {Flat 0x4b}
    FlatAtomicIncU64 "flat_atomic_inc_u64" U64, None [Addr, U64] 0 0 0 (0) {Flat 0x4c}
    FlatAtomicDecU64 "flat_atomic_dec_u64" U64, None [Addr, U64] 0 0 0 (0) {Flat 0x4d}
    FlatAtomicCondSubU32 "flat_atomic_cond_sub_u32" I32, None [Addr, I32] 0 0 0 (0) {Flat 0x50}
    FlatAtomicMinNumF32 "flat_atomic_min_num_f32" I32, None [Addr, I32] 0 0 0 (0) {Flat 0x51}
    FlatAtomicMaxNumF32 "flat_atomic_max_num_f32" I32, None [Addr, I32] 0 0 0 (0) {Flat 0x52}
    FlatAtomicAddF32 "flat_atomic_add_f32" I32, None [Addr, I32] 0 0 0 (0) {Flat 0x56}
    FlatAtomicPkAddF16 "flat_atomic_pk_add_f16" I32, None [Addr, I32] 0 0 0 (0) {Flat 0x59}
    FlatAtomicPkAddBf16 "flat_atomic_pk_add_bf16" I32, None [Addr, I32] 0 0 0 (0) {Flat 0x5a}
    // Scratch memory.
    ScratchLoadU8 "scratch_load_u8" I32, None [Addr] 0 0 0 (0) {Scratch 0x10}
    ScratchLoadI8 "scratch_load_i8" I32, None [Addr] 0 0 0 (0) {Scratch 0x11}
    ScratchLoadU16 "scratch_load_u16" I32, None [Addr] 0 0 0 (0) {Scratch 0x12}
    ScratchLoadI16 "scratch_load_i16" I32, None [Addr] 0 0 0 (0) {Scratch 0x13}
    ScratchLoadB32 "scratch_load_b32" I32, None [Addr] 0 0 0 (0) {Scratch 0x14}
    ScratchLoadB64 "scratch_load_b64" U64, None [Addr] 0 0 0 (0) {Scratch 0x15}
    ScratchLoadB96 "scratch_load_b96" B96, None [Addr] 0 0 0 (0) {Scratch 0x16}
    ScratchLoadB128 "scratch_load_b128" B128, None [Addr] 0 0 0 (0) {Scratch 0x17}
    ScratchStoreB8 "scratch_store_b8" None, None [Addr, I32] 0 0 0 (0) {Scratch 0x18}
    ScratchStoreB16 "scratch_store_b16" None, None [Addr, I32] 0 0 0 (0) {Scratch 0x19}
    ScratchStoreB32 "scratch_store_b32" None, None [Addr, I32] 0 0 0 (0) {Scratch 0x1a}
    ScratchStoreB64 "scratch_store_b64" None, None [Addr, U64] 0 0 0 (0) {Scratch 0x1b}
    ScratchStoreB96 "scratch_store_b96" None, None [Addr, B96] 0 0 0 (0) {Scratch 0x1c}
    ScratchStoreB128 "scratch_store_b128" None, None [Addr, B128] 0 0 0 (0) {Scratch 0x1d}
    ScratchLoadD16U8 "scratch_load_d16_u8" I32, None [Addr] 0 0 0 (0) {Scratch 0x1e}
    ScratchLoadD16I8 "scratch_load_d16_i8" I32, None [Addr] 0 0 0 (0) {Scratch 0x1f}
    ScratchLoadD16B16 "scratch_load_d16_b16" I32, None [Addr] 0 0 0 (0) {Scratch 0x20}
    ScratchLoadD16HiU8 "scratch_load_d16_hi_u8" I32, None [Addr] 0 0 0 (0) {Scratch 0x21}
    ScratchLoadD16HiI8 "scratch_load_d16_hi_i8" I32, None [Addr] 0 0 0 (0) {Scratch 0x22}
    ScratchLoadD16HiB16 "scratch_load_d16_hi_b16" I32, None [Addr] 0 0 0 (0) {Scratch 0x23}
    ScratchStoreD16HiB8 "scratch_store_d16_hi_b8" None, None [Addr, I32] 0 0 0 (0) {Scratch 0x24}
    ScratchStoreD16HiB16 "scratch_store_d16_hi_b16" None, None [Addr, I32] 0 0 0 (0) {Scratch 0x25}
    // Global memory.
    GlobalLoadU8 "global_load_u8" I32, None [Addr] 0 0 0 (0) {Global 0x10}
    GlobalLoadI8 "global_load_i8" I32, None [Addr] 0 0 0 (0) {Global 0x11}
    GlobalLoadU16 "global_load_u16" I32, None [Addr] 0 0 0 (0) {Global 0x12}
    GlobalLoadI16 "global_load_i16" I32, None [Addr] 0 0 0 (0) {Global 0x13}
    GlobalLoadB32 "global_load_b32" I32, None [Addr] 0 0 0 (0) {Global 0x14}
    GlobalLoadB64 "global_load_b64" U64, None [Addr] 0 0 0 (0) {Global 0x15}
    GlobalLoadB96 "global_load_b96" B96, None [Addr] 0 0 0 (0) {Global 0x16}
    GlobalLoadB128 "global_load_b128" B128, None [Addr] 0 0 0 (0) {Global 0x17}
    GlobalStoreB8 "global_store_b8" None, None [Addr, I32] 0 0 0 (0) {Global 0x18}
    GlobalStoreB16 "global_store_b16" None, None [Addr, I32] 0 0 0 (0) {Global 0x19}
    GlobalStoreB32 "global_store_b32" None, None [Addr, I32] 0 0 0 (0) {Global 0x1a}
    GlobalStoreB64 "global_store_b64" None, None [Addr, U64] 0 0 0 (0) {Global 0x1b}
    GlobalStoreB96 "global_store_b96" None, None [Addr, B96] 0 0 0 (0) {Global 0x1c}
    GlobalStoreB128 "global_store_b128" None, None [Addr, B128] 0 0 0 (0) {Global 0x1d}
    GlobalLoadD16U8 "global_load_d16_u8" I32, None [Addr] 0 0 0 (0) {Global 0x1e}
    GlobalLoadD16I8 "global_load_d16_i8" I32, None [Addr] 0 0 0 (0) {Global 0x1f}
    GlobalLoadD16B16 "global_load_d16_b16" I32, None [Addr] 0 0 0 (0) {Global 0x20}
    GlobalLoadD16HiU8 "global_load_d16_hi_u8" I32, None [Addr] 0 0 0 (0) {Global 0x21}
    GlobalLoadD16HiI8 "global_load_d16_hi_i8" I32, None [Addr] 0 0 0 (0) {Global 0x22}
    GlobalLoadD16HiB16 "global_load_d16_hi_b16" I32, None [Addr] 0 0 0 (0) {Global 0x23}
    GlobalStoreD16HiB8 "global_store_d16_hi_b8" None, None [Addr, I32] 0 0 0 (0) {Global 0x24}
    GlobalStoreD16HiB16 "global_store_d16_hi_b16" None, None [Addr, I32] 0 0 0 (0) {Global 0x25}
    GlobalInv "global_inv" None, None [] 0 0 0 (0) {Global 0x2b}
    GlobalWb "global_wb" None, None [] 0 0 0 (0) {Global 0x2c}
    GlobalAtomicSwapB32 "global_atomic_swap_b32" I32, None [Addr, I32] 0 0 0 (0) {Global 0x33}
    GlobalAtomicCmpswapB32 "global_atomic_cmpswap_b32" I32, None [Addr, U64] 0 0 0 (0) {Global 0x34}
    GlobalAtomicAddU32 "global_atomic_add_u32" I32, None [Addr, I32] 0 0 0 (0) {Global 0x35}
    GlobalAtomicSubU32 "global_atomic_sub_u32" I32, None [Addr, I32] 0 0 0 (0) {Global 0x36}
    GlobalAtomicSubClampU32 "global_atomic_sub_clamp_u32" I32, None [Addr, I32] 0 0 0 (0) {Global 0x37}
    GlobalAtomicMinI32 "global_atomic_min_i32" I32, None [Addr, I32] 0 0 0 (0) {Global 0x38}
    GlobalAtomicMinU32 "global_atomic_min_u32" I32, None [Addr, I32] 0 0 0 (0) {Global 0x39}
    GlobalAtomicMaxI32 "global_atomic_max_i32" I32, None [Addr, I32] 0 0 0 (0) {Global 0x3a}
    GlobalAtomicMaxU32 "global_atomic_max_u32" I32, None [Addr, I32] 0 0 0 (0) {Global 0x3b}
    GlobalAtomicAndB32 "global_atomic_and_b32" I32, None [Addr, I32] 0 0 0 (0) {Global 0x3c}
    GlobalAtomicOrB32 "global_atomic_or_b32" I32, None [Addr, I32] 0 0 0 (0) {Global 0x3d}
    GlobalAtomicXorB32 "global_atomic_xor_b32" I32, None [Addr, I32] 0 0 0 (0) {Global 0x3e}
    GlobalAtomicIncU32 "global_atomic_inc_u32" I32, None [Addr, I32] 0 0 0 (0) {Global 0x3f}
    GlobalAtomicDecU32 "global_atomic_dec_u32" I32, None [Addr, I32] 0 0 0 (0) {Global 0x40}
    GlobalAtomicSwapB64 "global_atomic_swap_b64" U64, None [Addr, U64] 0 0 0 (0) {Global 0x41}
    GlobalAtomicCmpswapB64 "global_atomic_cmpswap_b64" U64, None [Addr, B128] 0 0 0 (0) {Global 0x42}
    GlobalAtomicAddU64 "global_atomic_add_u64" U64, None [Addr, U64] 0 0 0 (0) {Global 0x43}
    GlobalAtomicSubU64 "global_atomic_sub_u64" U64, None [Addr, U64] 0 0 0 (0) {Global 0x44}
    GlobalAtomicMinI64 "global_atomic_min_i64" U64, None [Addr, U64] 0 0 0 (0) {Global 0x45}
    GlobalAtomicMinU64 "global_atomic_min_u64" U64, None [Addr, U64] 0 0 0 (0) {Global 0x46}
    GlobalAtomicMaxI64 "global_atomic_max_i64" U64, None [Addr, U64] 0 0 0 (0) {Global 0x47}
    GlobalAtomicMaxU64 "global_atomic_max_u64" U64, None [Addr, U64] 0 0 0 (0) {Global 0x48}
    GlobalAtomicAndB64 "global_atomic_and_b64" U64, None [Addr, U64] 0 0 0 (0) {Global 0x49}
    GlobalAtomicOrB64 "global_atomic_or_b64" U64, None [Addr, U64] 0 0 0 (0) {Global 0x4a}
    GlobalAtomicXorB64 "global_atomic_xor_b64" U64, None [Addr, U64] 0 0 0 (0) {Global 0x4b}
    GlobalAtomicIncU64 "global_atomic_inc_u64" U64, None [Addr, U64] 0 0 0 (0) {Global 0x4c}
    GlobalAtomicDecU64 "global_atomic_dec_u64" U64, None [Addr, U64] 0 0 0 (0) {Global 0x4d}
    GlobalWbinv "global_wbinv" None, None [] 0 0 0 (0) {Global 0x4f}
    GlobalAtomicCondSubU32 "global_atomic_cond_sub_u32" I32, None [Addr, I32] 0 0 0 (0) {Global 0x50}
    GlobalAtomicMinNumF32 "global_atomic_min_num_f32" I32, None [Addr, I32] 0 0 0 (0) {Global 0x51}
    GlobalAtomicMaxNumF32 "global_atomic_max_num_f32" I32, None [Addr, I32] 0 0 0 (0) {Global 0x52}
    GlobalAtomicAddF32 "global_atomic_add_f32" I32, None [Addr, I32] 0 0 0 (0) {Global 0x56}
    GlobalLoadTrB128 "global_load_tr_b128" B128, None [Addr] 0 0 0 (0) {Global 0x57}
    GlobalLoadTrB64 "global_load_tr_b64" U64, None [Addr] 0 0 0 (0) {Global 0x58}
    GlobalAtomicPkAddF16 "global_atomic_pk_add_f16" I32, None [Addr, I32] 0 0 0 (0) {Global 0x59}
    GlobalAtomicPkAddBf16 "global_atomic_pk_add_bf16" I32, None [Addr, I32] 0 0 0 (0) {Global 0x5a}
}
