extern "C" __attribute__((global, amdgpu_flat_work_group_size(32, 32)))
void layer_norm(
    const f32* __restrict__ x,
    const f32* __restrict__ weight,
    const f32* __restrict__ bias,
    f32* y,
    u32 first_x,
    u32 row_elems,
    u32 eps,
    u64 x_len,
    u64 weight_len,
    u64 bias_len,
    u64 y_len) {
    static __attribute__((shared)) f32 parts[1];
    static __attribute__((shared)) f32 parts_2[1];
    f32 acc_0;
    f32 part;
    f32 acc_2_0;
    f32 part_2;
    const u32 v0 = row_elems;
    const u64 v1 = (u64)(first_x + __builtin_amdgcn_workgroup_id_x()) * (u64)v0;
    acc_0 = (-0.0f);
    const u32 v2 = __builtin_amdgcn_workitem_id_x();
    if (0u < v0) {
        bool i_goes = true;
        for (u32 i = 0u; i_goes; i_goes = v0 - i > 32u, i += 32u) {
            const u32 v3 = v2 + i;
            if (v3 < v0) {
                const u64 v4 = v1 + (u64)v3;
                const f32 v5 = (v4 < x_len) ? x[v4] : 0.0f;
                acc_0 = v5 + acc_0;
            }
        }
    }
    const f32 v6 = acc_0;
    const f32 v7 = shuffle_xor(v6, 1u);
    const f32 v8 = v6 + v7;
    const f32 v9 = shuffle_xor(v8, 2u);
    const f32 v10 = v8 + v9;
    const f32 v11 = shuffle_xor(v10, 4u);
    const f32 v12 = v10 + v11;
    const f32 v13 = shuffle_xor(v12, 8u);
    const f32 v14 = v12 + v13;
    const f32 v15 = shuffle_xor(v14, 16u);
    const f32 v16 = shuffle(v14 + v15, 0u);
    const bool v17 = 0u == v2;
    if (v17) {
        parts[0u] = v16;
    }
    barrier();
    part = (-0.0f);
    const bool v18 = v2 < 1u;
    if (v18) {
        const f32 v19 = parts[v2];
        part = v19;
    }
    const f32 v20 = part;
    const f32 v21 = shuffle_xor(v20, 1u);
    const f32 v22 = v20 + v21;
    const f32 v23 = shuffle_xor(v22, 2u);
    const f32 v24 = v22 + v23;
    const f32 v25 = shuffle_xor(v24, 4u);
    const f32 v26 = v24 + v25;
    const f32 v27 = shuffle_xor(v26, 8u);
    const f32 v28 = v26 + v27;
    const f32 v29 = shuffle_xor(v28, 16u);
    const f32 v30 = shuffle(v28 + v29, 0u);
    const f32 v31 = f32_of_u32(v0);
    const f32 v32 = v30 / v31;
    acc_2_0 = (-0.0f);
    if (0u < v0) {
        bool i_1_goes = true;
        for (u32 i_1 = 0u; i_1_goes; i_1_goes = v0 - i_1 > 32u, i_1 += 32u) {
            const u32 v33 = v2 + i_1;
            if (v33 < v0) {
                const u64 v34 = v1 + (u64)v33;
                const f32 v35 = (v34 < x_len) ? x[v34] : 0.0f;
                const f32 v36 = v35 - v32;
                acc_2_0 = __builtin_fmaf(v36, v36, acc_2_0);
            }
        }
    }
    const f32 v37 = acc_2_0;
    const f32 v38 = shuffle_xor(v37, 1u);
    const f32 v39 = v37 + v38;
    const f32 v40 = shuffle_xor(v39, 2u);
    const f32 v41 = v39 + v40;
    const f32 v42 = shuffle_xor(v41, 4u);
    const f32 v43 = v41 + v42;
    const f32 v44 = shuffle_xor(v43, 8u);
    const f32 v45 = v43 + v44;
    const f32 v46 = shuffle_xor(v45, 16u);
    const f32 v47 = shuffle(v45 + v46, 0u);
    if (v17) {
        parts_2[0u] = v47;
    }
    barrier();
    part_2 = (-0.0f);
    if (v18) {
        const f32 v48 = parts_2[v2];
        part_2 = v48;
    }
    const f32 v49 = part_2;
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
    const u32 v60 = canonical(f32_of(eps) + (v59 / v31));
    const bool v61 = v60 < 0x800000u;
    const u32 v62 = pick(v61, bits_of(f32_of_i32(v60 << 1u)), v60);
    const f32 v63 = f32_of((v62 & 0xffffffu) | 0x3f000000u);
    const u32 v64 = canonical(v63);
    const f32 v65 = f32_of(0x5f375a86u - (v64 >> 1u));
    const f32 v66 = __builtin_fmaf(v65, -(v63 * v65), 1.0f);
    const f32 v67 = __builtin_fmaf(v65, v66 * __builtin_fmaf(v66, 0.375f, 0.5f), v65);
    const f32 v68 = __builtin_fmaf(v67, -(v63 * v67), 1.0f);
    const f32 v69 = __builtin_fmaf(v67, v68 * __builtin_fmaf(0.375f, v68, 0.5f), v67);
    const f32 v70 = -(v63 * v69);
    const f32 v71 = __builtin_fmaf(v69, -__builtin_fmaf(v63, v69, v70), __builtin_fmaf(v69, v70, 1.0f));
    const u32 v72 = canonical(__builtin_fmaf(v69, v71 * __builtin_fmaf(0.375f, v71, 0.5f), v69));
    const u32 v73 = v60 & 0x7fffffffu;
    const u32 v74 = pick(v60 < 0x7f800000u, pick(v64 == 0x3f3a18e3u, v72 - 1u, v72) - ((((v62 & 0x7f000000u) >> 1u) - 0x1f800000u) - chosen(v61, 0x25800000u, 0u)), 0x7fc00000u);
    const f32 v75 = f32_of(pick(0u == v73, 0x7f800000u | (v60 - v73), pick(v60 == 0x7f800000u, 0u, v74)));
    if (v2 < v0) {
        bool i_2_goes = true;
        for (u32 i_2 = v2; i_2_goes; i_2_goes = v0 - i_2 > 32u, i_2 += 32u) {
            const u64 v76 = v1 + (u64)i_2;
            const f32 v77 = (v76 < x_len) ? x[v76] : 0.0f;
            const f32 v78 = (i_2 < weight_len) ? weight[i_2] : 0.0f;
            const f32 v79 = (i_2 < bias_len) ? bias[i_2] : 0.0f;
            if (v76 < y_len) {
                y[v76] = stored(__builtin_fmaf(v75 * (v77 - v32), v78, v79));
            }
        }
    }
}
