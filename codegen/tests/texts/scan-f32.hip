extern "C" __attribute__((global, amdgpu_flat_work_group_size(64, 64)))
void scan(
    const f32* __restrict__ x,
    f32* y,
    u32 first_x,
    u32 row_elems,
    u64 x_len,
    u64 y_len) {
    static __attribute__((shared)) f32 subgroup_totals[2];
    f32 totals[32];
    f32 prefix;
    f32 total;
    u32 level;
    bool carries;
    const u32 v0 = row_elems;
    const u64 v1 = (u64)(first_x + __builtin_amdgcn_workgroup_id_x()) * (u64)v0;
    const u32 v2 = __builtin_amdgcn_workitem_id_x();
    const u32 v3 = __builtin_amdgcn_workitem_id_x() & 31u;
    const bool v4 = v3 == 31u;
    const u32 v5 = __builtin_amdgcn_workitem_id_x() >> 5u;
    const bool v6 = v3 < 2u;
    const u32 v7 = 1u & v5;
    const u32 v8 = v5 - v7;
    const bool v9 = 1u == v7;
    const u32 v10 = v3 - 1u;
    const bool v11 = 0u != (1u & v3);
    const u32 v12 = (v3 & 0xfffffffeu) - 1u;
    const bool v13 = 0u != (v3 & 2u);
    const u32 v14 = (v3 & 0xfffffffcu) - 1u;
    const bool v15 = 0u != (v3 & 4u);
    const u32 v16 = (v3 & 0xfffffff8u) - 1u;
    const bool v17 = 0u != (v3 & 8u);
    const u32 v18 = (v3 & 0xfffffff0u) - 1u;
    const bool v19 = 0u != (v3 & 16u);
    if (0u < v0) {
        bool i_goes = true;
        for (u32 i = 0u; i_goes; i_goes = v0 - i > 64u, i += 64u) {
            const u32 v20 = v2 + i;
            prefix = (-0.0f);
            const bool v21 = v20 < v0;
            if (v21) {
                const u64 v22 = v1 + (u64)v20;
                const f32 v23 = (v22 < x_len) ? x[v22] : 0.0f;
                prefix = v23;
            }
            const f32 v24 = prefix;
            const f32 v25 = shuffle(v24, v10 & 31u);
            const f32 v26 = chosen(v11, v24 + v25, v24);
            const f32 v27 = shuffle(v26, v12 & 31u);
            const f32 v28 = pick(v13, v26 + v27, v26);
            const f32 v29 = shuffle(v28, v14 & 31u);
            const f32 v30 = pick(v15, v28 + v29, v28);
            const f32 v31 = shuffle(v30, v16 & 31u);
            const f32 v32 = pick(v17, v30 + v31, v30);
            const f32 v33 = shuffle(v32, v18 & 31u);
            const f32 v34 = pick(v19, v32 + v33, v32);
            prefix = v34;
            if (v4) {
                subgroup_totals[v5] = v34;
            }
            barrier();
            total = (-0.0f);
            if (v6) {
                const f32 v35 = subgroup_totals[v3];
                total = v35;
            }
            const f32 v36 = total;
            const f32 v37 = shuffle(v36, v8 & 31u);
            prefix = pick(v9, v34 + v37, v34);
            const f32 v38 = shuffle_xor(v36, 1u);
            const f32 v39 = shuffle(v36 + v38, 0u);
            total = v39;
            const u32 v40 = i >> 6u;
            level = 0u;
            carries = true;
            for (;;) {
                const u32 v41 = level;
                const u32 v42 = v40 >> (v41 & 31u);
                if (0u == v42) {
                    break;
                }
                if (1u == (1u & v42)) {
                    const f32 v43 = totals[v41];
                    prefix = v43 + prefix;
                    if (carries) {
                        const f32 v44 = totals[v41];
                        total = v44 + total;
                    }
                } else {
                    if (carries) {
                        totals[v41] = total;
                        carries = false;
                    }
                }
                level = 1u + v41;
            }
            if (carries) {
                totals[level] = total;
            }
            if (v21) {
                const u64 v45 = v1 + (u64)v20;
                if (v45 < y_len) {
                    y[v45] = stored(prefix);
                }
            }
            barrier();
        }
    }
}
