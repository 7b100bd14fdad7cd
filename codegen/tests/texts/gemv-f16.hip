extern "C" __attribute__((global, amdgpu_flat_work_group_size(256, 256)))
void gemv(
    const u16* __restrict__ a,
    const u16* __restrict__ x,
    u16* y,
    u32 first_x,
    u32 m,
    u32 k,
    u64 a_len,
    u64 x_len,
    u64 y_len,
    u64 a_stride0,
    u64 a_stride1,
    u64 x_stride0,
    u64 a_offset,
    u64 x_offset) {
    f32 acc_0;
    f32 acc_1;
    f32 acc_2;
    f32 acc_3;
    const u32 v0 = ((first_x + __builtin_amdgcn_workgroup_id_x()) * 8u) + (__builtin_amdgcn_workitem_id_x() / 32u);
    const u32 v1 = __builtin_amdgcn_workitem_id_x() % 32u;
    const bool v2 = v0 < m;
    const u32 v3 = pick(v2, k, 0u);
    acc_0 = (-0.0f);
    acc_1 = (-0.0f);
    acc_2 = (-0.0f);
    acc_3 = (-0.0f);
    const u32 v4 = v3 - (v3 & 3u);
    const u32 v5 = v1 * 4u;
    const u64 v6 = (u64)v0 * a_stride0;
    const u64 v7 = a_offset + a_stride1;
    const u64 v8 = x_offset + x_stride0;
    const u64 v9 = a_offset + (a_stride1 * 2ull);
    const u64 v10 = x_offset + (x_stride0 * 2ull);
    const u64 v11 = a_offset + (a_stride1 * 3ull);
    const u64 v12 = x_offset + (x_stride0 * 3ull);
    if (v5 < v4) {
        bool i_goes = true;
        for (u32 i = v5; i_goes; i_goes = v4 - i > 128u, i += 128u) {
            const u64 v13 = (u64)i;
            const u64 v14 = v6 + (a_stride1 * v13);
            const u64 v15 = a_offset + v14;
            const u32 v16 = (v15 < a_len) ? a[v15] : 0u;
            const u64 v17 = x_stride0 * v13;
            const u64 v18 = x_offset + v17;
            const u32 v19 = (v18 < x_len) ? x[v18] : 0u;
            acc_0 = __builtin_fmaf(f32_of_f16(v16), f32_of_f16(v19), acc_0);
            const u64 v20 = v7 + v14;
            const u32 v21 = (v20 < a_len) ? a[v20] : 0u;
            const u64 v22 = v8 + v17;
            const u32 v23 = (v22 < x_len) ? x[v22] : 0u;
            acc_1 = __builtin_fmaf(f32_of_f16(v21), f32_of_f16(v23), acc_1);
            const u64 v24 = v9 + v14;
            const u32 v25 = (v24 < a_len) ? a[v24] : 0u;
            const u64 v26 = v10 + v17;
            const u32 v27 = (v26 < x_len) ? x[v26] : 0u;
            acc_2 = __builtin_fmaf(f32_of_f16(v25), f32_of_f16(v27), acc_2);
            const u64 v28 = v11 + v14;
            const u32 v29 = (v28 < a_len) ? a[v28] : 0u;
            const u64 v30 = v12 + v17;
            const u32 v31 = (v30 < x_len) ? x[v30] : 0u;
            acc_3 = __builtin_fmaf(f32_of_f16(v29), f32_of_f16(v31), acc_3);
        }
    }
    if (v1 == ((v4 >> 2u) & 31u)) {
        if (v4 < v3) {
            const u64 v32 = (u64)v4;
            const u64 v33 = a_offset + (v6 + (a_stride1 * v32));
            const u32 v34 = (v33 < a_len) ? a[v33] : 0u;
            const u64 v35 = x_offset + (x_stride0 * v32);
            const u32 v36 = (v35 < x_len) ? x[v35] : 0u;
            acc_0 = __builtin_fmaf(f32_of_f16(v34), f32_of_f16(v36), acc_0);
        }
        const u32 v37 = 1u + v4;
        if (v37 < v3) {
            const u64 v38 = (u64)v37;
            const u64 v39 = a_offset + (v6 + (a_stride1 * v38));
            const u32 v40 = (v39 < a_len) ? a[v39] : 0u;
            const u64 v41 = x_offset + (x_stride0 * v38);
            const u32 v42 = (v41 < x_len) ? x[v41] : 0u;
            acc_1 = __builtin_fmaf(f32_of_f16(v40), f32_of_f16(v42), acc_1);
        }
        const u32 v43 = 2u + v4;
        if (v43 < v3) {
            const u64 v44 = (u64)v43;
            const u64 v45 = a_offset + (v6 + (a_stride1 * v44));
            const u32 v46 = (v45 < a_len) ? a[v45] : 0u;
            const u64 v47 = x_offset + (x_stride0 * v44);
            const u32 v48 = (v47 < x_len) ? x[v47] : 0u;
            acc_2 = __builtin_fmaf(f32_of_f16(v46), f32_of_f16(v48), acc_2);
        }
    }
    const f32 v49 = (acc_0 + acc_1) + (acc_2 + acc_3);
    const f32 v50 = shuffle_xor(v49, 1u);
    const f32 v51 = v49 + v50;
    const f32 v52 = shuffle_xor(v51, 2u);
    const f32 v53 = v51 + v52;
    const f32 v54 = shuffle_xor(v53, 4u);
    const f32 v55 = v53 + v54;
    const f32 v56 = shuffle_xor(v55, 8u);
    const f32 v57 = v55 + v56;
    const f32 v58 = shuffle_xor(v57, 16u);
    const f32 v59 = shuffle(v57 + v58, 0u);
    if (v2 && (v1 == 0u)) {
        if (v0 < y_len) {
            y[v0] = (u16)canonical_f16(f16_of_f32(v59));
        }
    }
}
