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
    const u32 v0 = row_elems & 0xfffffffcu;
    const u32 v1 = first_y + __builtin_amdgcn_workgroup_id_y();
    const u32 v2 = v1 * 0x10000u;
    const u64 v3 = (u64)(first_x + __builtin_amdgcn_workgroup_id_x());
    const u64 v4 = (v3 * (u64)v0) + (u64)v2;
    const u32 v5 = min_of(0x10000u, v0 - v2);
    acc_0 = (-0.0f);
    acc_1 = (-0.0f);
    acc_2 = (-0.0f);
    acc_3 = (-0.0f);
    const u32 v6 = __builtin_amdgcn_workitem_id_x();
    const u32 v7 = v6 * 4u;
    if (0u < v5) {
        bool i_goes = true;
        for (u32 i = 0u; i_goes; i_goes = v5 - i > 512u, i += 512u) {
            const u32 v8 = v7 + i;
            if (v8 < v5) {
                const u64 v9 = v4 + (u64)v8;
                const bool v10 = (u64)v9 + 3 < x_len;
                const u32x4 v11 = v10 ? *(const u32x4*)(x + v9) : u32x4_of(0u, 0u, 0u, 0u);
                const f32 v12 = f32_of(v11.x);
                const f32 v13 = f32_of(v11.y);
                const f32 v14 = f32_of(v11.z);
                const f32 v15 = f32_of(v11.w);
                acc_0 = acc_0 + v12;
                acc_1 = acc_1 + v13;
                acc_2 = acc_2 + v14;
                acc_3 = acc_3 + v15;
            }
        }
    }
    const f32 v16 = (acc_0 + acc_1) + (acc_2 + acc_3);
    const f32 v17 = shuffle_xor(v16, 1u);
    const f32 v18 = v16 + v17;
    const f32 v19 = shuffle_xor(v18, 2u);
    const f32 v20 = v18 + v19;
    const f32 v21 = shuffle_xor(v20, 4u);
    const f32 v22 = v20 + v21;
    const f32 v23 = shuffle_xor(v22, 8u);
    const f32 v24 = v22 + v23;
    const f32 v25 = shuffle_xor(v24, 16u);
    const f32 v26 = shuffle(v24 + v25, 0u);
    const u32 v27 = __builtin_amdgcn_workitem_id_x() & 31u;
    if (0u == v27) {
        const u32 v28 = __builtin_amdgcn_workitem_id_x() >> 5u;
        parts[v28] = v26;
    }
    barrier();
    part = (-0.0f);
    if (v27 < 4u) {
        const f32 v29 = parts[v27];
        part = v29;
    }
    const f32 v30 = part;
    const f32 v31 = shuffle_xor(v30, 1u);
    const f32 v32 = v30 + v31;
    const f32 v33 = shuffle_xor(v32, 2u);
    const f32 v34 = v32 + v33;
    const f32 v35 = shuffle_xor(v34, 4u);
    const f32 v36 = v34 + v35;
    const f32 v37 = shuffle_xor(v36, 8u);
    const f32 v38 = v36 + v37;
    const f32 v39 = shuffle_xor(v38, 16u);
    const f32 v40 = shuffle(v38 + v39, 0u);
    if (0u == v6) {
        const u64 v41 = (v3 * (u64)grid_y) + (u64)v1;
        if (v41 < y_len) {
            y[v41] = stored(v40);
        }
    }
}
