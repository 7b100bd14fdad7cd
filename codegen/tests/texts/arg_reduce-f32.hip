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
    const u32 v0 = row_elems & 0xfffffffcu;
    const u32 v1 = first_x + __builtin_amdgcn_workgroup_id_x();
    const u64 v2 = (u64)v1 * (u64)v0;
    best = 0u;
    place = 0xffffffffu;
    const u32 v3 = __builtin_amdgcn_workitem_id_x();
    const u32 v4 = v3 * 4u;
    if (v4 < v0) {
        bool i_goes = true;
        for (u32 i = v4; i_goes; i_goes = v0 - i > 512u, i += 512u) {
            const u64 v5 = v2 + (u64)i;
            const bool v6 = (u64)v5 + 3 < x_len;
            const u32x4 v7 = v6 ? *(const u32x4*)(x + v5) : u32x4_of(0u, 0u, 0u, 0u);
            const f32 v8 = f32_of(v7.x);
            const f32 v9 = f32_of(v7.y);
            const f32 v10 = f32_of(v7.z);
            const f32 v11 = f32_of(v7.w);
            const u32 v12 = canonical(0.0f + v8);
            const u32 v13 = (v12 >= 0x80000000u) ? (~v12) : (0x80000000u ^ v12);
            const u32 v14 = place;
            const u32 v15 = best;
            const bool v16 = (0xffffffffu == v14) || (v13 > v15);
            const u32 v17 = v16 ? v13 : v15;
            const u32 v18 = v16 ? i : v14;
            const u32 v19 = canonical(0.0f + v9);
            const u32 v20 = (v19 >= 0x80000000u) ? (~v19) : (0x80000000u ^ v19);
            const bool v21 = (0xffffffffu == v18) || (v20 > v17);
            const u32 v22 = v21 ? v20 : v17;
            const u32 v23 = v21 ? (1u + i) : v18;
            const u32 v24 = canonical(0.0f + v10);
            const u32 v25 = (v24 >= 0x80000000u) ? (~v24) : (0x80000000u ^ v24);
            const bool v26 = (0xffffffffu == v23) || (v25 > v22);
            const u32 v27 = v26 ? v25 : v22;
            const u32 v28 = v26 ? (2u + i) : v23;
            const u32 v29 = canonical(0.0f + v11);
            const u32 v30 = (v29 >= 0x80000000u) ? (~v29) : (0x80000000u ^ v29);
            const bool v31 = (0xffffffffu == v28) || (v30 > v27);
            best = v31 ? v30 : v27;
            place = v31 ? (3u + i) : v28;
        }
    }
    const u32 v32 = best;
    const u32 v33 = place;
    const u32 v34 = shuffle_xor(v32, 1u);
    const u32 v35 = max_of(v32, v34);
    const u32 v36 = shuffle_xor(v35, 2u);
    const u32 v37 = max_of(v35, v36);
    const u32 v38 = shuffle_xor(v37, 4u);
    const u32 v39 = max_of(v37, v38);
    const u32 v40 = shuffle_xor(v39, 8u);
    const u32 v41 = max_of(v39, v40);
    const u32 v42 = shuffle_xor(v41, 16u);
    const u32 v43 = shuffle(max_of(v41, v42), 0u);
    const u32 v44 = __builtin_amdgcn_workitem_id_x() & 31u;
    const bool v45 = 0u == v44;
    if (v45) {
        const u32 v46 = __builtin_amdgcn_workitem_id_x() >> 5u;
        parts[v46] = v43;
    }
    barrier();
    part = 0u;
    const bool v47 = v44 < 4u;
    if (v47) {
        const u32 v48 = parts[v44];
        part = v48;
    }
    const u32 v49 = part;
    const u32 v50 = shuffle_xor(v49, 1u);
    const u32 v51 = max_of(v49, v50);
    const u32 v52 = shuffle_xor(v51, 2u);
    const u32 v53 = max_of(v51, v52);
    const u32 v54 = shuffle_xor(v53, 4u);
    const u32 v55 = max_of(v53, v54);
    const u32 v56 = shuffle_xor(v55, 8u);
    const u32 v57 = max_of(v55, v56);
    const u32 v58 = shuffle_xor(v57, 16u);
    const u32 v59 = shuffle(max_of(v57, v58), 0u);
    const u32 v60 = (v32 == v59) ? v33 : 0xffffffffu;
    const u32 v61 = shuffle_xor(v60, 1u);
    const u32 v62 = min_of(v60, v61);
    const u32 v63 = shuffle_xor(v62, 2u);
    const u32 v64 = min_of(v62, v63);
    const u32 v65 = shuffle_xor(v64, 4u);
    const u32 v66 = min_of(v64, v65);
    const u32 v67 = shuffle_xor(v66, 8u);
    const u32 v68 = min_of(v66, v67);
    const u32 v69 = shuffle_xor(v68, 16u);
    const u32 v70 = shuffle(min_of(v68, v69), 0u);
    if (v45) {
        const u32 v71 = __builtin_amdgcn_workitem_id_x() >> 5u;
        parts_2[v71] = v70;
    }
    barrier();
    part_2 = 0xffffffffu;
    if (v47) {
        const u32 v72 = parts_2[v44];
        part_2 = v72;
    }
    const u32 v73 = part_2;
    const u32 v74 = shuffle_xor(v73, 1u);
    const u32 v75 = min_of(v73, v74);
    const u32 v76 = shuffle_xor(v75, 2u);
    const u32 v77 = min_of(v75, v76);
    const u32 v78 = shuffle_xor(v77, 4u);
    const u32 v79 = min_of(v77, v78);
    const u32 v80 = shuffle_xor(v79, 8u);
    const u32 v81 = min_of(v79, v80);
    const u32 v82 = shuffle_xor(v81, 16u);
    const u32 v83 = shuffle(min_of(v81, v82), 0u);
    if (0u == v3) {
        if (v1 < y_len) {
            y[v1] = v83;
        }
    }
}
