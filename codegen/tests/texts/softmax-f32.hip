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
    f32 tops_0;
    f32 sums_0;
    f32 part;
    f32 part_2;
    const u32 v0 = row_elems;
    const u64 v1 = (u64)(first_x + __builtin_amdgcn_workgroup_id_x()) * (u64)v0;
    tops_0 = f32_of(0xff800000u);
    sums_0 = 0.0f;
    const u32 v2 = __builtin_amdgcn_workitem_id_x();
    if (0u < v0) {
        bool i_goes = true;
        for (u32 i = 0u; i_goes; i_goes = v0 - i > 32u, i += 32u) {
            const u32 v3 = v2 + i;
            if (v3 < v0) {
                const u64 v4 = v1 + (u64)v3;
                const f32 v5 = (v4 < x_len) ? x[v4] : 0.0f;
                const f32 v6 = tops_0;
                const f32 v7 = (v5 == v6) ? 0.0f : (-__builtin_fabsf(v5 - v6));
                const f32 v8 = __builtin_fmaf(v7, 1.442695f, 12582912.0f);
                const f32 v9 = -(v8 - 12582912.0f);
                const f32 v10 = __builtin_fmaf(v9, (-1.9046542e-9f), __builtin_fmaf(v9, 0.6931472f, v7));
                const f32 v11 = __builtin_fmaf(v10, __builtin_fmaf(v10, __builtin_fmaf(v10, __builtin_fmaf(v10, 0.0013782458f, 0.008368669f), 0.041668963f), 0.16666521f), 0.4999999f);
                const u32 v12 = (v7 < (-87.33654f)) ? 0u : canonical(f32_of((canonical(v8) << 23u) + canonical(__builtin_fmaf(v10, __builtin_fmaf(v10, v11, 1.0f), 1.0f))));
                const f32 v13 = f32_of(((canonical(v7) & 0x7fffffffu) > 0x7f800000u) ? 0x7fc00000u : ((v7 >= 88.72284f) ? 0x7f800000u : v12));
                const f32 v14 = sums_0;
                sums_0 = (v5 > v6) ? __builtin_fmaf(v13, v14, 1.0f) : (v13 + v14);
                tops_0 = max_of(v5, v6);
            }
        }
    }
    const f32 v15 = tops_0;
    const f32 v16 = shuffle_xor(v15, 1u);
    const f32 v17 = max_of(v15, v16);
    const f32 v18 = shuffle_xor(v17, 2u);
    const f32 v19 = max_of(v17, v18);
    const f32 v20 = shuffle_xor(v19, 4u);
    const f32 v21 = max_of(v19, v20);
    const f32 v22 = shuffle_xor(v21, 8u);
    const f32 v23 = max_of(v21, v22);
    const f32 v24 = shuffle_xor(v23, 16u);
    const f32 v25 = shuffle(max_of(v23, v24), 0u);
    const bool v26 = 0u == v2;
    if (v26) {
        parts[0u] = v25;
    }
    barrier();
    part = f32_of(0xff800000u);
    const bool v27 = v2 < 1u;
    if (v27) {
        const f32 v28 = parts[v2];
        part = v28;
    }
    const f32 v29 = part;
    const f32 v30 = shuffle_xor(v29, 1u);
    const f32 v31 = max_of(v29, v30);
    const f32 v32 = shuffle_xor(v31, 2u);
    const f32 v33 = max_of(v31, v32);
    const f32 v34 = shuffle_xor(v33, 4u);
    const f32 v35 = max_of(v33, v34);
    const f32 v36 = shuffle_xor(v35, 8u);
    const f32 v37 = max_of(v35, v36);
    const f32 v38 = shuffle_xor(v37, 16u);
    const f32 v39 = shuffle(max_of(v37, v38), 0u);
    const f32 v40 = (f32_of(0xff800000u) == v39) ? 0.0f : v39;
    const f32 v41 = v15 - v40;
    const f32 v42 = __builtin_fmaf(v41, 1.442695f, 12582912.0f);
    const f32 v43 = -(v42 - 12582912.0f);
    const f32 v44 = __builtin_fmaf(v43, (-1.9046542e-9f), __builtin_fmaf(v43, 0.6931472f, v41));
    const f32 v45 = __builtin_fmaf(v44, __builtin_fmaf(v44, __builtin_fmaf(v44, __builtin_fmaf(v44, 0.0013782458f, 0.008368669f), 0.041668963f), 0.16666521f), 0.4999999f);
    const u32 v46 = (v41 < (-87.33654f)) ? 0u : canonical(f32_of((canonical(v42) << 23u) + canonical(__builtin_fmaf(v44, __builtin_fmaf(v44, v45, 1.0f), 1.0f))));
    const f32 v47 = sums_0 * f32_of(((canonical(v41) & 0x7fffffffu) > 0x7f800000u) ? 0x7fc00000u : ((v41 >= 88.72284f) ? 0x7f800000u : v46));
    const f32 v48 = shuffle_xor(v47, 1u);
    const f32 v49 = v47 + v48;
    const f32 v50 = shuffle_xor(v49, 2u);
    const f32 v51 = v49 + v50;
    const f32 v52 = shuffle_xor(v51, 4u);
    const f32 v53 = v51 + v52;
    const f32 v54 = shuffle_xor(v53, 8u);
    const f32 v55 = v53 + v54;
    const f32 v56 = shuffle_xor(v55, 16u);
    const f32 v57 = shuffle(v55 + v56, 0u);
    if (v26) {
        parts_2[0u] = v57;
    }
    barrier();
    part_2 = (-0.0f);
    if (v27) {
        const f32 v58 = parts_2[v2];
        part_2 = v58;
    }
    const f32 v59 = part_2;
    const f32 v60 = shuffle_xor(v59, 1u);
    const f32 v61 = v59 + v60;
    const f32 v62 = shuffle_xor(v61, 2u);
    const f32 v63 = v61 + v62;
    const f32 v64 = shuffle_xor(v63, 4u);
    const f32 v65 = v63 + v64;
    const f32 v66 = shuffle_xor(v65, 8u);
    const f32 v67 = v65 + v66;
    const f32 v68 = shuffle_xor(v67, 16u);
    const f32 v69 = shuffle(v67 + v68, 0u);
    const f32 v70 = (0.0f == v69) ? 0.0f : recip(v69);
    if (v2 < v0) {
        bool i_1_goes = true;
        for (u32 i_1 = v2; i_1_goes; i_1_goes = v0 - i_1 > 32u, i_1 += 32u) {
            const u64 v71 = v1 + (u64)i_1;
            const f32 v72 = (v71 < x_len) ? x[v71] : 0.0f;
            const f32 v73 = v72 - v40;
            const f32 v74 = __builtin_fmaf(1.442695f, v73, 12582912.0f);
            const f32 v75 = -(v74 - 12582912.0f);
            const f32 v76 = __builtin_fmaf((-1.9046542e-9f), v75, __builtin_fmaf(0.6931472f, v75, v73));
            const f32 v77 = __builtin_fmaf(v76, __builtin_fmaf(v76, __builtin_fmaf(v76, __builtin_fmaf(0.0013782458f, v76, 0.008368669f), 0.041668963f), 0.16666521f), 0.4999999f);
            const u32 v78 = (v73 < (-87.33654f)) ? 0u : canonical(f32_of((canonical(v74) << 23u) + canonical(__builtin_fmaf(v76, __builtin_fmaf(v76, v77, 1.0f), 1.0f))));
            if (v71 < y_len) {
                y[v71] = stored(v70 * f32_of(((0x7fffffffu & canonical(v73)) > 0x7f800000u) ? 0x7fc00000u : ((v73 >= 88.72284f) ? 0x7f800000u : v78)));
            }
        }
    }
}
