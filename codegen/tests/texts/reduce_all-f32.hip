extern "C" __attribute__((global, amdgpu_flat_work_group_size(256, 256)))
void reduce_all(
    const f32* __restrict__ x,
    f32* y,
    u32 grid_y,
    u32 first_x,
    u32 first_y,
    u32 row_elems,
    u64 x_len,
    u64 y_len) {
    static __attribute__((shared)) f32 parts[16];
    f32 acc_0;
    f32 acc_1;
    f32 part;
    const u32 v0 = row_elems;
    const u32 v1 = first_y + __builtin_amdgcn_workgroup_id_y();
    const u32 v2 = v1 * 0x10000u;
    const u64 v3 = (u64)(first_x + __builtin_amdgcn_workgroup_id_x());
    const u64 v4 = (v3 * (u64)v0) + (u64)v2;
    const u32 v5 = min_of(0x10000u, v0 - v2);
    acc_0 = (-0.0f);
    acc_1 = (-0.0f);
    const u32 v6 = __builtin_amdgcn_workitem_id_x();
    if (0u < v5) {
        bool i_goes = true;
        for (u32 i = 0u; i_goes; i_goes = v5 - i > 512u, i += 512u) {
            const u32 v7 = v6 + i;
            if (v7 < v5) {
                const u64 v8 = v4 + (u64)v7;
                const f32 v9 = (v8 < x_len) ? x[v8] : 0.0f;
                acc_0 = acc_0 + v9;
            }
            const u32 v10 = 256u + v7;
            if (v10 < v5) {
                const u64 v11 = v4 + (u64)v10;
                const f32 v12 = (v11 < x_len) ? x[v11] : 0.0f;
                acc_1 = acc_1 + v12;
            }
        }
    }
    const f32 v13 = acc_0;
    const f32 v14 = shuffle_xor(v13, 1u);
    const f32 v15 = v13 + v14;
    const f32 v16 = shuffle_xor(v15, 2u);
    const f32 v17 = v15 + v16;
    const f32 v18 = shuffle_xor(v17, 4u);
    const f32 v19 = v17 + v18;
    const f32 v20 = shuffle_xor(v19, 8u);
    const f32 v21 = v19 + v20;
    const f32 v22 = shuffle_xor(v21, 16u);
    const f32 v23 = shuffle(v21 + v22, 0u);
    const u32 v24 = __builtin_amdgcn_workitem_id_x() & 31u;
    const bool v25 = 0u == v24;
    if (v25) {
        const u32 v26 = __builtin_amdgcn_workitem_id_x() >> 5u;
        parts[v26] = v23;
    }
    const f32 v27 = acc_1;
    const f32 v28 = shuffle_xor(v27, 1u);
    const f32 v29 = v27 + v28;
    const f32 v30 = shuffle_xor(v29, 2u);
    const f32 v31 = v29 + v30;
    const f32 v32 = shuffle_xor(v31, 4u);
    const f32 v33 = v31 + v32;
    const f32 v34 = shuffle_xor(v33, 8u);
    const f32 v35 = v33 + v34;
    const f32 v36 = shuffle_xor(v35, 16u);
    const f32 v37 = shuffle(v35 + v36, 0u);
    if (v25) {
        const u32 v38 = 8u + (__builtin_amdgcn_workitem_id_x() >> 5u);
        parts[v38] = v37;
    }
    barrier();
    part = (-0.0f);
    if (v24 < 16u) {
        const f32 v39 = parts[v24];
        part = v39;
    }
    const f32 v40 = part;
    const f32 v41 = shuffle_xor(v40, 1u);
    const f32 v42 = v40 + v41;
    const f32 v43 = shuffle_xor(v42, 2u);
    const f32 v44 = v42 + v43;
    const f32 v45 = shuffle_xor(v44, 4u);
    const f32 v46 = v44 + v45;
    const f32 v47 = shuffle_xor(v46, 8u);
    const f32 v48 = v46 + v47;
    const f32 v49 = shuffle_xor(v48, 16u);
    const f32 v50 = shuffle(v48 + v49, 0u);
    if (0u == v6) {
        const u64 v51 = (v3 * (u64)grid_y) + (u64)v1;
        if (v51 < y_len) {
            y[v51] = stored(v50);
        }
    }
}
