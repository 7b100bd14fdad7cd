extern "C" __attribute__((global, amdgpu_flat_work_group_size(512, 512)))
void arg_reduce(
    const f32* __restrict__ x,
    u32* y,
    u32 first_x,
    u32 row_elems,
    u64 x_len,
    u64 y_len) {
    static __attribute__((shared)) u32 parts[16];
    static __attribute__((shared)) u32 parts_2[16];
    u32 best;
    u32 place;
    u32 part;
    u32 part_2;
    const u32 v0 = row_elems;
    const u32 v1 = first_x + __builtin_amdgcn_workgroup_id_x();
    const u64 v2 = (u64)v1 * (u64)v0;
    best = 0u;
    place = 0xffffffffu;
    const u32 v3 = __builtin_amdgcn_workitem_id_x();
    if (v3 < v0) {
        bool i_goes = true;
        for (u32 i = v3; i_goes; i_goes = v0 - i > 512u, i += 512u) {
            const u64 v4 = v2 + (u64)i;
            const f32 v5 = (v4 < x_len) ? x[v4] : 0.0f;
            const u32 v6 = canonical(0.0f + v5);
            const u32 v7 = (v6 >= 0x80000000u) ? (~v6) : (0x80000000u ^ v6);
            const u32 v8 = place;
            const u32 v9 = best;
            const bool v10 = (0xffffffffu == v8) || (v7 > v9);
            best = v10 ? v7 : v9;
            place = v10 ? i : v8;
        }
    }
    const u32 v11 = best;
    const u32 v12 = place;
    const u32 v13 = shuffle_xor(v11, 1u);
    const u32 v14 = max_of(v11, v13);
    const u32 v15 = shuffle_xor(v14, 2u);
    const u32 v16 = max_of(v14, v15);
    const u32 v17 = shuffle_xor(v16, 4u);
    const u32 v18 = max_of(v16, v17);
    const u32 v19 = shuffle_xor(v18, 8u);
    const u32 v20 = max_of(v18, v19);
    const u32 v21 = shuffle_xor(v20, 16u);
    const u32 v22 = shuffle(max_of(v20, v21), 0u);
    const u32 v23 = __builtin_amdgcn_workitem_id_x() & 31u;
    const bool v24 = 0u == v23;
    if (v24) {
        const u32 v25 = __builtin_amdgcn_workitem_id_x() >> 5u;
        parts[v25] = v22;
    }
    barrier();
    part = 0u;
    const bool v26 = v23 < 16u;
    if (v26) {
        const u32 v27 = parts[v23];
        part = v27;
    }
    const u32 v28 = part;
    const u32 v29 = shuffle_xor(v28, 1u);
    const u32 v30 = max_of(v28, v29);
    const u32 v31 = shuffle_xor(v30, 2u);
    const u32 v32 = max_of(v30, v31);
    const u32 v33 = shuffle_xor(v32, 4u);
    const u32 v34 = max_of(v32, v33);
    const u32 v35 = shuffle_xor(v34, 8u);
    const u32 v36 = max_of(v34, v35);
    const u32 v37 = shuffle_xor(v36, 16u);
    const u32 v38 = shuffle(max_of(v36, v37), 0u);
    const u32 v39 = (v11 == v38) ? v12 : 0xffffffffu;
    const u32 v40 = shuffle_xor(v39, 1u);
    const u32 v41 = min_of(v39, v40);
    const u32 v42 = shuffle_xor(v41, 2u);
    const u32 v43 = min_of(v41, v42);
    const u32 v44 = shuffle_xor(v43, 4u);
    const u32 v45 = min_of(v43, v44);
    const u32 v46 = shuffle_xor(v45, 8u);
    const u32 v47 = min_of(v45, v46);
    const u32 v48 = shuffle_xor(v47, 16u);
    const u32 v49 = shuffle(min_of(v47, v48), 0u);
    if (v24) {
        const u32 v50 = __builtin_amdgcn_workitem_id_x() >> 5u;
        parts_2[v50] = v49;
    }
    barrier();
    part_2 = 0xffffffffu;
    if (v26) {
        const u32 v51 = parts_2[v23];
        part_2 = v51;
    }
    const u32 v52 = part_2;
    const u32 v53 = shuffle_xor(v52, 1u);
    const u32 v54 = min_of(v52, v53);
    const u32 v55 = shuffle_xor(v54, 2u);
    const u32 v56 = min_of(v54, v55);
    const u32 v57 = shuffle_xor(v56, 4u);
    const u32 v58 = min_of(v56, v57);
    const u32 v59 = shuffle_xor(v58, 8u);
    const u32 v60 = min_of(v58, v59);
    const u32 v61 = shuffle_xor(v60, 16u);
    const u32 v62 = shuffle(min_of(v60, v61), 0u);
    if (0u == v3) {
        if (v1 < y_len) {
            y[v1] = v62;
        }
    }
}
