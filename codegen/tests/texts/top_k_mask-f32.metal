struct top_k_mask_launch {
    u32 first_x;
    u32 vocabulary;
    u32 k;
    u64 x_len;
    u64 y_len;
};
[[max_total_threads_per_threadgroup(32)]]
kernel void top_k_mask(
    device const f32* x [[buffer(0)]],
    device f32* y [[buffer(1)]],
    constant top_k_mask_launch& launch [[buffer(2)]],
    uint thread_in_group [[thread_index_in_threadgroup]],
    uint3 group [[threadgroup_position_in_grid]]) {
    threadgroup f32 parts[1];
    threadgroup u32 parts_2[1];
    f32 acc_0;
    u32 least_key;
    u32 acc_2_0;
    u32 part_2;
    threadgroup u32 broadcast;
    const u32 v0 = launch.vocabulary;
    const u32 v1 = launch.k;
    const u64 v2 = (u64)(launch.first_x + group.x) * (u64)v0;
    acc_0 = f32_of(0xff800000u);
    const u32 v3 = thread_in_group;
    if (0u < v0) {
        bool i_goes = true;
        for (u32 i = 0u; i_goes; i_goes = v0 - i > 32u, i += 32u) {
            const u32 v4 = v3 + i;
            if (v4 < v0) {
                const u64 v5 = v2 + (u64)v4;
                const f32 v6 = (v5 < launch.x_len) ? x[v5] : 0.0f;
                const u32 v7 = canonical(v6);
                const u32 v8 = canonical(acc_0);
                const u32 v9 = v7;
                const u32 v10 = v8;
                const u32 v11 = pick(max_of(v7 & 0x7fffffffu, v8 & 0x7fffffffu) <= 0x7f800000u, pick((i32)(v9 ^ ((u32)((i32)v9 >> 31u) & 0x7fffffffu)) < (i32)(v10 ^ (0x7fffffffu & (u32)((i32)v10 >> 31u))), v8, v7), 0x7fc00000u);
                acc_0 = f32_of(v11);
            }
        }
    }
    const f32 v12 = acc_0;
    const f32 v13 = shuffle_xor(v12, 1u);
    const u32 v14 = canonical(v12);
    const u32 v15 = canonical(v13);
    const u32 v16 = v14;
    const u32 v17 = v15;
    const u32 v18 = chosen((i32)(v16 ^ ((u32)((i32)v16 >> 31u) & 0x7fffffffu)) < (i32)(v17 ^ (0x7fffffffu & (u32)((i32)v17 >> 31u))), v15, v14);
    const f32 v19 = f32_of(chosen(max_of(v14 & 0x7fffffffu, v15 & 0x7fffffffu) <= 0x7f800000u, v18, 0x7fc00000u));
    const f32 v20 = shuffle_xor(v19, 2u);
    const u32 v21 = bits_of(v19);
    const u32 v22 = canonical(v20);
    const u32 v23 = v21;
    const u32 v24 = v22;
    const u32 v25 = chosen((i32)(v23 ^ (0x7fffffffu & (u32)((i32)v23 >> 31u))) < (i32)(v24 ^ (0x7fffffffu & (u32)((i32)v24 >> 31u))), v22, v21);
    const f32 v26 = f32_of(chosen(max_of(0x7fffffffu & v21, 0x7fffffffu & v22) <= 0x7f800000u, v25, 0x7fc00000u));
    const f32 v27 = shuffle_xor(v26, 4u);
    const u32 v28 = bits_of(v26);
    const u32 v29 = canonical(v27);
    const u32 v30 = v28;
    const u32 v31 = v29;
    const u32 v32 = chosen((i32)(v30 ^ (0x7fffffffu & (u32)((i32)v30 >> 31u))) < (i32)(v31 ^ (0x7fffffffu & (u32)((i32)v31 >> 31u))), v29, v28);
    const f32 v33 = f32_of(chosen(max_of(0x7fffffffu & v28, 0x7fffffffu & v29) <= 0x7f800000u, v32, 0x7fc00000u));
    const f32 v34 = shuffle_xor(v33, 8u);
    const u32 v35 = bits_of(v33);
    const u32 v36 = canonical(v34);
    const u32 v37 = v35;
    const u32 v38 = v36;
    const u32 v39 = chosen((i32)(v37 ^ (0x7fffffffu & (u32)((i32)v37 >> 31u))) < (i32)(v38 ^ (0x7fffffffu & (u32)((i32)v38 >> 31u))), v36, v35);
    const f32 v40 = f32_of(chosen(max_of(0x7fffffffu & v35, 0x7fffffffu & v36) <= 0x7f800000u, v39, 0x7fc00000u));
    const f32 v41 = shuffle_xor(v40, 16u);
    const u32 v42 = bits_of(v40);
    const u32 v43 = canonical(v41);
    const u32 v44 = v42;
    const u32 v45 = v43;
    const u32 v46 = chosen((i32)(v44 ^ (0x7fffffffu & (u32)((i32)v44 >> 31u))) < (i32)(v45 ^ (0x7fffffffu & (u32)((i32)v45 >> 31u))), v43, v42);
    const f32 v47 = shuffle(f32_of(chosen(max_of(0x7fffffffu & v42, 0x7fffffffu & v43) <= 0x7f800000u, v46, 0x7fc00000u)), 0u);
    const bool v48 = 0u == v3;
    if (v48) {
        parts[0u] = v47;
    }
    barrier();
    const bool v49 = v3 < 1u;
    if (v49) {
        const f32 v50 = parts[v3];
    }
    least_key = 0u;
    for (u32 i_1 = 0u; i_1 < 32u; i_1 += 1u) {
        const u32 v51 = least_key;
        const u32 v52 = v51 | (1u << ((31u - i_1) & 31u));
        acc_2_0 = 0u;
        if (0u < v0) {
            bool i_2_goes = true;
            for (u32 i_2 = 0u; i_2_goes; i_2_goes = v0 - i_2 > 32u, i_2 += 32u) {
                const u32 v53 = v3 + i_2;
                if (v53 < v0) {
                    const u64 v54 = v2 + (u64)v53;
                    const f32 v55 = (v54 < launch.x_len) ? x[v54] : 0.0f;
                    const u32 v56 = canonical(v55);
                    acc_2_0 = ((pick(v56 >= 0x80000000u, ~v56, 0x80000000u ^ v56) >= v52) ? 1u : 0u) + acc_2_0;
                }
            }
        }
        const u32 v57 = acc_2_0;
        const u32 v58 = shuffle_xor(v57, 1u);
        const u32 v59 = v57 + v58;
        const u32 v60 = shuffle_xor(v59, 2u);
        const u32 v61 = v59 + v60;
        const u32 v62 = shuffle_xor(v61, 4u);
        const u32 v63 = v61 + v62;
        const u32 v64 = shuffle_xor(v63, 8u);
        const u32 v65 = v63 + v64;
        const u32 v66 = shuffle_xor(v65, 16u);
        const u32 v67 = shuffle(v65 + v66, 0u);
        if (v48) {
            parts_2[0u] = v67;
        }
        barrier();
        part_2 = 0u;
        if (v49) {
            const u32 v68 = parts_2[v3];
            part_2 = v68;
        }
        const u32 v69 = part_2;
        const u32 v70 = shuffle_xor(v69, 1u);
        const u32 v71 = v69 + v70;
        const u32 v72 = shuffle_xor(v71, 2u);
        const u32 v73 = v71 + v72;
        const u32 v74 = shuffle_xor(v73, 4u);
        const u32 v75 = v73 + v74;
        const u32 v76 = shuffle_xor(v75, 8u);
        const u32 v77 = v75 + v76;
        const u32 v78 = shuffle_xor(v77, 16u);
        const u32 v79 = shuffle(v77 + v78, 0u);
        if (thread_in_group == 0u) {
            broadcast = v79;
        }
        barrier();
        const u32 v80 = broadcast;
        barrier();
        least_key = pick(v80 >= v1, v52, v51);
        barrier();
    }
    if (v3 < v0) {
        bool i_3_goes = true;
        for (u32 i_3 = v3; i_3_goes; i_3_goes = v0 - i_3 > 32u, i_3 += 32u) {
            const u64 v81 = v2 + (u64)i_3;
            const f32 v82 = (v81 < launch.x_len) ? x[v81] : 0.0f;
            const u32 v83 = canonical(v82);
            if (v81 < launch.y_len) {
                y[v81] = stored(pick(pick(v83 >= 0x80000000u, ~v83, 0x80000000u ^ v83) >= least_key, v82, f32_of(0xff800000u)));
            }
        }
    }
}
