extern "C" __attribute__((global, amdgpu_flat_work_group_size(32, 32)))
void softmax(
    const f32* __restrict__ x,
    f32* y,
    u32 first_x,
    u32 row_elems,
    u64 x_len,
    u64 y_len) {
    static __attribute__((shared)) f32 parts[1];
    static __attribute__((shared)) f32 parts_2[1];
    f32 acc_0;
    f32 part;
    f32 acc_2_0;
    f32 part_2;
    const u32 v0 = row_elems;
    const u64 v1 = (u64)(first_x + __builtin_amdgcn_workgroup_id_x()) * (u64)v0;
    acc_0 = f32_of(0xff800000u);
    const u32 v2 = __builtin_amdgcn_workitem_id_x();
    if (0u < v0) {
        bool i_goes = true;
        for (u32 i = 0u; i_goes; i_goes = v0 - i > 32u, i += 32u) {
            const u32 v3 = v2 + i;
            if (v3 < v0) {
                const u64 v4 = v1 + (u64)v3;
                const f32 v5 = (v4 < x_len) ? x[v4] : 0.0f;
                acc_0 = max_of(v5, acc_0);
            }
        }
    }
    const f32 v6 = acc_0;
    const f32 v7 = shuffle_xor(v6, 1u);
    const f32 v8 = max_of(v6, v7);
    const f32 v9 = shuffle_xor(v8, 2u);
    const f32 v10 = max_of(v8, v9);
    const f32 v11 = shuffle_xor(v10, 4u);
    const f32 v12 = max_of(v10, v11);
    const f32 v13 = shuffle_xor(v12, 8u);
    const f32 v14 = max_of(v12, v13);
    const f32 v15 = shuffle_xor(v14, 16u);
    const f32 v16 = shuffle(max_of(v14, v15), 0u);
    const bool v17 = 0u == v2;
    if (v17) {
        parts[0u] = v16;
    }
    barrier();
    part = f32_of(0xff800000u);
    const bool v18 = v2 < 1u;
    if (v18) {
        const f32 v19 = parts[v2];
        part = v19;
    }
    const f32 v20 = part;
    const f32 v21 = shuffle_xor(v20, 1u);
    const f32 v22 = max_of(v20, v21);
    const f32 v23 = shuffle_xor(v22, 2u);
    const f32 v24 = max_of(v22, v23);
    const f32 v25 = shuffle_xor(v24, 4u);
    const f32 v26 = max_of(v24, v25);
    const f32 v27 = shuffle_xor(v26, 8u);
    const f32 v28 = max_of(v26, v27);
    const f32 v29 = shuffle_xor(v28, 16u);
    const f32 v30 = shuffle(max_of(v28, v29), 0u);
    const f32 v31 = chosen(f32_of(0xff800000u) == v30, 0.0f, v30);
    acc_2_0 = (-0.0f);
    if (0u < v0) {
        bool i_1_goes = true;
        for (u32 i_1 = 0u; i_1_goes; i_1_goes = v0 - i_1 > 32u, i_1 += 32u) {
            const u32 v32 = v2 + i_1;
            if (v32 < v0) {
                const u64 v33 = v1 + (u64)v32;
                const f32 v34 = (v33 < x_len) ? x[v33] : 0.0f;
                const f32 v35 = -__builtin_fabsf(v34 - v31);
                const f32 v36 = __builtin_fmaf(v35, 1.442695f, 12582912.0f);
                const f32 v37 = -(v36 - 12582912.0f);
                const f32 v38 = __builtin_fmaf(v37, (-1.9046542e-9f), __builtin_fmaf(v37, 0.6931472f, v35));
                const f32 v39 = __builtin_fmaf(v38, __builtin_fmaf(v38, __builtin_fmaf(v38, __builtin_fmaf(v38, 0.0013782458f, 0.008368669f), 0.041668963f), 0.16666521f), 0.4999999f);
                const u32 v40 = pick(v35 < (-87.33654f), 0u, min_of((bits_of(v36) << 23u) + bits_of(__builtin_fmaf(v38, __builtin_fmaf(v38, v39, 1.0f), 1.0f)), 0x7f800000u));
                acc_2_0 = f32_of(pick(v35 != v35, 0x7fc00000u, v40)) + acc_2_0;
            }
        }
    }
    const f32 v41 = acc_2_0;
    const f32 v42 = shuffle_xor(v41, 1u);
    const f32 v43 = v41 + v42;
    const f32 v44 = shuffle_xor(v43, 2u);
    const f32 v45 = v43 + v44;
    const f32 v46 = shuffle_xor(v45, 4u);
    const f32 v47 = v45 + v46;
    const f32 v48 = shuffle_xor(v47, 8u);
    const f32 v49 = v47 + v48;
    const f32 v50 = shuffle_xor(v49, 16u);
    const f32 v51 = shuffle(v49 + v50, 0u);
    if (v17) {
        parts_2[0u] = v51;
    }
    barrier();
    part_2 = (-0.0f);
    if (v18) {
        const f32 v52 = parts_2[v2];
        part_2 = v52;
    }
    const f32 v53 = part_2;
    const f32 v54 = shuffle_xor(v53, 1u);
    const f32 v55 = v53 + v54;
    const f32 v56 = shuffle_xor(v55, 2u);
    const f32 v57 = v55 + v56;
    const f32 v58 = shuffle_xor(v57, 4u);
    const f32 v59 = v57 + v58;
    const f32 v60 = shuffle_xor(v59, 8u);
    const f32 v61 = v59 + v60;
    const f32 v62 = shuffle_xor(v61, 16u);
    const f32 v63 = shuffle(v61 + v62, 0u);
    const f32 v64 = chosen(0.0f == v63, 0.0f, recip(v63));
    if (v2 < v0) {
        bool i_2_goes = true;
        for (u32 i_2 = v2; i_2_goes; i_2_goes = v0 - i_2 > 32u, i_2 += 32u) {
            const u64 v65 = v1 + (u64)i_2;
            const f32 v66 = (v65 < x_len) ? x[v65] : 0.0f;
            const f32 v67 = -__builtin_fabsf(v66 - v31);
            const f32 v68 = __builtin_fmaf(v67, 1.442695f, 12582912.0f);
            const f32 v69 = -(v68 - 12582912.0f);
            const f32 v70 = __builtin_fmaf(v69, (-1.9046542e-9f), __builtin_fmaf(v69, 0.6931472f, v67));
            const f32 v71 = __builtin_fmaf(v70, __builtin_fmaf(v70, __builtin_fmaf(v70, __builtin_fmaf(v70, 0.0013782458f, 0.008368669f), 0.041668963f), 0.16666521f), 0.4999999f);
            const u32 v72 = pick(v67 < (-87.33654f), 0u, min_of((bits_of(v68) << 23u) + bits_of(__builtin_fmaf(v70, __builtin_fmaf(v70, v71, 1.0f), 1.0f)), 0x7f800000u));
            if (v65 < y_len) {
                y[v65] = stored(v64 * f32_of(pick(v67 != v67, 0x7fc00000u, v72)));
            }
        }
    }
}
