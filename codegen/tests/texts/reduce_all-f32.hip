extern "C" __attribute__((global, amdgpu_flat_work_group_size(128, 128)))
void reduce_all(
    const f32* __restrict__ x,
    f32* y,
    u32 grid_y,
    u32 first_x,
    u32 first_y,
    u32 row_elems,
    u64 x_len,
    u64 y_len) {
    static __attribute__((shared)) f32 parts[4];
    f32 acc_0;
    f32 acc_1;
    f32 acc_2;
    f32 acc_3;
    f32 part;
    const u32 v0 = row_elems;
    const u32 v1 = v0 & 0xfffffffcu;
    const u32 v2 = first_y + __builtin_amdgcn_workgroup_id_y();
    const u32 v3 = v2 * 0x10000u;
    const u64 v4 = (u64)(first_x + __builtin_amdgcn_workgroup_id_x());
    const u64 v5 = (v4 * (u64)v1) + (u64)v3;
    const u32 v6 = min_of(0x10000u, v1 - v3);
    acc_0 = (-0.0f);
    acc_1 = (-0.0f);
    acc_2 = (-0.0f);
    acc_3 = (-0.0f);
    const u32 v7 = __builtin_amdgcn_workitem_id_x();
    const u32 v8 = v7 * 4u;
    if (0u < v6) {
        bool i_goes = true;
        for (u32 i = 0u; i_goes; i_goes = v6 - i > 512u, i += 512u) {
            const u32 v9 = v8 + i;
            if (v9 < v6) {
                const u64 v10 = v5 + (u64)v9;
                const bool v11 = (u64)v10 + 3 < x_len;
                const u32x4 v12 = v11 ? *(const u32x4*)(x + v10) : u32x4_of(0u, 0u, 0u, 0u);
                const f32 v13 = f32_of(v12.x);
                const f32 v14 = f32_of(v12.y);
                const f32 v15 = f32_of(v12.z);
                const f32 v16 = f32_of(v12.w);
                acc_0 = v13 + acc_0;
                acc_1 = v14 + acc_1;
                acc_2 = v15 + acc_2;
                acc_3 = v16 + acc_3;
            }
        }
    }
    const f32 v17 = (acc_0 + acc_1) + (acc_2 + acc_3);
    const f32 v18 = shuffle_xor(v17, 1u);
    const f32 v19 = v17 + v18;
    const f32 v20 = shuffle_xor(v19, 2u);
    const f32 v21 = v19 + v20;
    const f32 v22 = shuffle_xor(v21, 4u);
    const f32 v23 = v21 + v22;
    const f32 v24 = shuffle_xor(v23, 8u);
    const f32 v25 = v23 + v24;
    const f32 v26 = shuffle_xor(v25, 16u);
    const f32 v27 = shuffle(v25 + v26, 0u);
    const u32 v28 = __builtin_amdgcn_workitem_id_x() & 31u;
    if (0u == v28) {
        const u32 v29 = __builtin_amdgcn_workitem_id_x() >> 5u;
        parts[v29] = v27;
    }
    barrier();
    part = (-0.0f);
    if (v28 < 4u) {
        const f32 v30 = parts[v28];
        part = v30;
    }
    const f32 v31 = part;
    const f32 v32 = shuffle_xor(v31, 1u);
    const f32 v33 = v31 + v32;
    const f32 v34 = shuffle_xor(v33, 2u);
    const f32 v35 = v33 + v34;
    const f32 v36 = shuffle_xor(v35, 4u);
    const f32 v37 = v35 + v36;
    const f32 v38 = shuffle_xor(v37, 8u);
    const f32 v39 = v37 + v38;
    const f32 v40 = shuffle_xor(v39, 16u);
    const f32 v41 = shuffle(v39 + v40, 0u);
    if (0u == v7) {
        const u64 v42 = (v4 * (u64)grid_y) + (u64)v2;
        if (v42 < y_len) {
            y[v42] = stored(v41);
        }
    }
}
