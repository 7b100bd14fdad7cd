extern "C" __global__ __launch_bounds__(32)
void rms_norm(
    const u16* __restrict__ x,
    const u16* __restrict__ weight,
    u16* y,
    u32 first_x,
    u32 row_elems,
    u32 eps,
    u64 x_len,
    u64 weight_len,
    u64 y_len) {
    __shared__ f32 parts[1];
    f32 acc_0;
    f32 part;
    const u32 v0 = row_elems;
    const u64 v1 = (u64)(first_x + blockIdx.x) * (u64)v0;
    acc_0 = (-0.0f);
    const u32 v2 = threadIdx.x;
    if (0u < v0) {
        bool i_goes = true;
        for (u32 i = 0u; i_goes; i_goes = v0 - i > 32u, i += 32u) {
            const u32 v3 = v2 + i;
            if (v3 < v0) {
                const u64 v4 = v1 + (u64)v3;
                const u32 v5 = (v4 < x_len) ? x[v4] : 0u;
                const f32 v6 = f32_of_f16(v5);
                acc_0 = __fmaf_rn(v6, v6, acc_0);
            }
        }
    }
    const f32 v7 = acc_0;
    const f32 v8 = shuffle_xor(v7, 1u);
    const f32 v9 = __fadd_rn(v7, v8);
    const f32 v10 = shuffle_xor(v9, 2u);
    const f32 v11 = __fadd_rn(v9, v10);
    const f32 v12 = shuffle_xor(v11, 4u);
    const f32 v13 = __fadd_rn(v11, v12);
    const f32 v14 = shuffle_xor(v13, 8u);
    const f32 v15 = __fadd_rn(v13, v14);
    const f32 v16 = shuffle_xor(v15, 16u);
    const f32 v17 = shuffle(__fadd_rn(v15, v16), 0u);
    if (0u == v2) {
        parts[0u] = v17;
    }
    barrier();
    part = (-0.0f);
    if (v2 < 1u) {
        const f32 v18 = parts[v2];
        part = v18;
    }
    const f32 v19 = part;
    const f32 v20 = shuffle_xor(v19, 1u);
    const f32 v21 = __fadd_rn(v19, v20);
    const f32 v22 = shuffle_xor(v21, 2u);
    const f32 v23 = __fadd_rn(v21, v22);
    const f32 v24 = shuffle_xor(v23, 4u);
    const f32 v25 = __fadd_rn(v23, v24);
    const f32 v26 = shuffle_xor(v25, 8u);
    const f32 v27 = __fadd_rn(v25, v26);
    const f32 v28 = shuffle_xor(v27, 16u);
    const f32 v29 = shuffle(__fadd_rn(v27, v28), 0u);
    const u32 v30 = canonical(__fadd_rn(f32_of(eps), __fdiv_rn(v29, f32_of_u32(v0))));
    const bool v31 = v30 < 0x800000u;
    const u32 v32 = pick(v31, bits_of(f32_of_i32(v30 << 1u)), v30);
    const f32 v33 = f32_of((v32 & 0xffffffu) | 0x3f000000u);
    const u32 v34 = canonical(v33);
    const f32 v35 = f32_of(0x5f375a86u - (v34 >> 1u));
    const f32 v36 = __fmaf_rn(v35, -__fmul_rn(v33, v35), 1.0f);
    const f32 v37 = __fmaf_rn(v35, __fmul_rn(v36, __fmaf_rn(v36, 0.375f, 0.5f)), v35);
    const f32 v38 = __fmaf_rn(v37, -__fmul_rn(v33, v37), 1.0f);
    const f32 v39 = __fmaf_rn(v37, __fmul_rn(v38, __fmaf_rn(0.375f, v38, 0.5f)), v37);
    const f32 v40 = -__fmul_rn(v33, v39);
    const f32 v41 = __fmaf_rn(v39, -__fmaf_rn(v33, v39, v40), __fmaf_rn(v39, v40, 1.0f));
    const u32 v42 = canonical(__fmaf_rn(v39, __fmul_rn(v41, __fmaf_rn(0.375f, v41, 0.5f)), v39));
    const u32 v43 = v30 & 0x7fffffffu;
    const u32 v44 = pick(v30 < 0x7f800000u, pick(v34 == 0x3f3a18e3u, v42 - 1u, v42) - ((((v32 & 0x7f000000u) >> 1u) - 0x1f800000u) - chosen(v31, 0x25800000u, 0u)), 0x7fc00000u);
    const f32 v45 = f32_of(pick(0u == v43, 0x7f800000u | (v30 - v43), pick(v30 == 0x7f800000u, 0u, v44)));
    if (v2 < v0) {
        bool i_1_goes = true;
        for (u32 i_1 = v2; i_1_goes; i_1_goes = v0 - i_1 > 32u, i_1 += 32u) {
            const u64 v46 = v1 + (u64)i_1;
            const u32 v47 = (v46 < x_len) ? x[v46] : 0u;
            const u32 v48 = (i_1 < weight_len) ? weight[i_1] : 0u;
            if (v46 < y_len) {
                y[v46] = (u16)canonical_f16(f16_of_f32(__fmul_rn(__fmul_rn(v45, f32_of_f16(v47)), f32_of_f16(v48))));
            }
        }
    }
}
