extern "C" __attribute__((global, amdgpu_flat_work_group_size(128, 128)))
void arg_reduce(
    const f32* __restrict__ x,
    u32* y,
    u32 first_x,
    u32 row_elems,
    u64 x_len,
    u64 y_len) {
    static __attribute__((shared)) u32 parts[4];
    static __attribute__((shared)) u32 parts_2[4];
    u32 best;
    u32 place;
    u32 part;
    u32 part_2;
    const u32 v0 = row_elems;
    const u32 v1 = v0 & 0xfffffffcu;
    const u32 v2 = first_x + __builtin_amdgcn_workgroup_id_x();
    const u64 v3 = (u64)v2 * (u64)v1;
    best = 0u;
    place = 0xffffffffu;
    const u32 v4 = __builtin_amdgcn_workitem_id_x();
    const u32 v5 = v4 * 4u;
    if (v5 < v1) {
        bool i_goes = true;
        for (u32 i = v5; i_goes; i_goes = v1 - i > 512u, i += 512u) {
            const u64 v6 = v3 + (u64)i;
            const bool v7 = (u64)v6 + 3 < x_len;
            const u32x4 v8 = v7 ? *(const u32x4*)(x + v6) : u32x4_of(0u, 0u, 0u, 0u);
            const f32 v9 = f32_of(v8.x);
            const f32 v10 = f32_of(v8.y);
            const f32 v11 = f32_of(v8.z);
            const f32 v12 = f32_of(v8.w);
            const u32 v13 = canonical(0.0f + v9);
            const u32 v14 = pick(v13 >= 0x80000000u, ~v13, 0x80000000u ^ v13);
            const u32 v15 = place;
            const u32 v16 = best;
            const bool v17 = (0xffffffffu == v15) || (v14 > v16);
            const u32 v18 = pick(v17, v14, v16);
            const u32 v19 = pick(v17, i, v15);
            const u32 v20 = canonical(0.0f + v10);
            const u32 v21 = pick(v20 >= 0x80000000u, ~v20, 0x80000000u ^ v20);
            const bool v22 = (0xffffffffu == v19) || (v21 > v18);
            const u32 v23 = pick(v22, v21, v18);
            const u32 v24 = pick(v22, 1u + i, v19);
            const u32 v25 = canonical(0.0f + v11);
            const u32 v26 = pick(v25 >= 0x80000000u, ~v25, 0x80000000u ^ v25);
            const bool v27 = (0xffffffffu == v24) || (v26 > v23);
            const u32 v28 = pick(v27, v26, v23);
            const u32 v29 = pick(v27, 2u + i, v24);
            const u32 v30 = canonical(0.0f + v12);
            const u32 v31 = pick(v30 >= 0x80000000u, ~v30, 0x80000000u ^ v30);
            const bool v32 = (0xffffffffu == v29) || (v31 > v28);
            best = pick(v32, v31, v28);
            place = pick(v32, 3u + i, v29);
        }
    }
    const u32 v33 = best;
    const u32 v34 = place;
    const u32 v35 = shuffle_xor(v33, 1u);
    const u32 v36 = max_of(v33, v35);
    const u32 v37 = shuffle_xor(v36, 2u);
    const u32 v38 = max_of(v36, v37);
    const u32 v39 = shuffle_xor(v38, 4u);
    const u32 v40 = max_of(v38, v39);
    const u32 v41 = shuffle_xor(v40, 8u);
    const u32 v42 = max_of(v40, v41);
    const u32 v43 = shuffle_xor(v42, 16u);
    const u32 v44 = shuffle(max_of(v42, v43), 0u);
    const u32 v45 = __builtin_amdgcn_workitem_id_x() & 31u;
    const bool v46 = 0u == v45;
    if (v46) {
        const u32 v47 = __builtin_amdgcn_workitem_id_x() >> 5u;
        parts[v47] = v44;
    }
    barrier();
    part = 0u;
    const bool v48 = v45 < 4u;
    if (v48) {
        const u32 v49 = parts[v45];
        part = v49;
    }
    const u32 v50 = part;
    const u32 v51 = shuffle_xor(v50, 1u);
    const u32 v52 = max_of(v50, v51);
    const u32 v53 = shuffle_xor(v52, 2u);
    const u32 v54 = max_of(v52, v53);
    const u32 v55 = shuffle_xor(v54, 4u);
    const u32 v56 = max_of(v54, v55);
    const u32 v57 = shuffle_xor(v56, 8u);
    const u32 v58 = max_of(v56, v57);
    const u32 v59 = shuffle_xor(v58, 16u);
    const u32 v60 = shuffle(max_of(v58, v59), 0u);
    const u32 v61 = chosen(v33 == v60, v34, 0xffffffffu);
    const u32 v62 = shuffle_xor(v61, 1u);
    const u32 v63 = min_of(v61, v62);
    const u32 v64 = shuffle_xor(v63, 2u);
    const u32 v65 = min_of(v63, v64);
    const u32 v66 = shuffle_xor(v65, 4u);
    const u32 v67 = min_of(v65, v66);
    const u32 v68 = shuffle_xor(v67, 8u);
    const u32 v69 = min_of(v67, v68);
    const u32 v70 = shuffle_xor(v69, 16u);
    const u32 v71 = shuffle(min_of(v69, v70), 0u);
    if (v46) {
        const u32 v72 = __builtin_amdgcn_workitem_id_x() >> 5u;
        parts_2[v72] = v71;
    }
    barrier();
    part_2 = 0xffffffffu;
    if (v48) {
        const u32 v73 = parts_2[v45];
        part_2 = v73;
    }
    const u32 v74 = part_2;
    const u32 v75 = shuffle_xor(v74, 1u);
    const u32 v76 = min_of(v74, v75);
    const u32 v77 = shuffle_xor(v76, 2u);
    const u32 v78 = min_of(v76, v77);
    const u32 v79 = shuffle_xor(v78, 4u);
    const u32 v80 = min_of(v78, v79);
    const u32 v81 = shuffle_xor(v80, 8u);
    const u32 v82 = min_of(v80, v81);
    const u32 v83 = shuffle_xor(v82, 16u);
    const u32 v84 = shuffle(min_of(v82, v83), 0u);
    if (0u == v4) {
        if (v2 < y_len) {
            y[v2] = v84;
        }
    }
}
