struct arg_reduce_launch {
    u32 first_x;
    u32 row_elems;
    u64 x_len;
    u64 y_len;
};
[[max_total_threads_per_threadgroup(512)]]
kernel void arg_reduce(
    device const f32* x [[buffer(0)]],
    device u32* y [[buffer(1)]],
    constant arg_reduce_launch& launch [[buffer(2)]],
    uint thread_in_group [[thread_index_in_threadgroup]],
    uint3 group [[threadgroup_position_in_grid]]) {
    threadgroup u32 parts[16];
    threadgroup u32 parts_2[16];
    u32 best;
    u32 place;
    f32 join;
    u32 part;
    u32 part_2;
    const u32 v0 = launch.row_elems;
    const u32 v1 = launch.first_x + group.x;
    const u64 v2 = (u64)v1 * (u64)v0;
    best = 0u;
    place = 0xffffffffu;
    const u32 v3 = thread_in_group;
    if (v3 < v0) {
        bool i_goes = true;
        for (u32 i = v3; i_goes; i_goes = v0 - i > 512u, i += 512u) {
            const u64 v4 = v2 + (u64)i;
            const f32 v5 = (v4 < launch.x_len) ? x[v4] : 0.0f;
            const u32 v6 = canonical(v5);
            const u32 v7 = v6 & 0x7fffffffu;
            if ((max_of(0u, v7) - 1u) >= 0xdffffffu) {
                join = 0.0f + v5;
            } else {
                const u32 v8 = v7 >> 23u;
                const bool v9 = 0u != v8;
                const u32 v10 = v9 ? v8 : 1u;
                const u32 v11 = (v9 ? ((v7 & 0x7fffffu) | 0x800000u) : v7) << 6u;
                const u32 v12 = min_of(v10 - 1u, 31u);
                const u32 v13 = 0u >> (v12 & 31u);
                const u32 v14 = v13 | ((0u != (v13 << (v12 & 31u))) ? 1u : 0u);
                const u32 v15 = 0x80000000u & v6;
                const u32 v16 = (0u == v15) ? (v11 + v14) : (v11 - v14);
                const u32 v17 = leading_zeros(v16);
                const u32 v18 = v16 << (v17 & 31u);
                const u32 v19 = (v10 + 2u) - v17;
                const u32 v20 = min_signed(max_signed(1u - v19, 0u), 31u);
                const u32 v21 = v18 >> (v20 & 31u);
                const u32 v22 = v21 | ((v18 != (v21 << (v20 & 31u))) ? 1u : 0u);
                const u32 v23 = v22 >> 8u;
                const u32 v24 = ((i32)v19 > (i32)254u) ? 0x7f800000u : (((max_signed(v19, 1u) - 1u) << 23u) + (v23 + ((((v22 & 255u) + (1u & v23)) > 128u) ? 1u : 0u)));
                join = f32_of((0u == v16) ? 0u : (v15 | v24));
            }
            const u32 v25 = canonical(join);
            const u32 v26 = (v25 >= 0x80000000u) ? (~v25) : (0x80000000u ^ v25);
            const u32 v27 = place;
            const u32 v28 = best;
            const bool v29 = (0xffffffffu == v27) || (v26 > v28);
            best = v29 ? v26 : v28;
            place = v29 ? i : v27;
        }
    }
    const u32 v30 = best;
    const u32 v31 = place;
    const u32 v32 = shuffle_xor(v30, 1u);
    const u32 v33 = max_of(v30, v32);
    const u32 v34 = shuffle_xor(v33, 2u);
    const u32 v35 = max_of(v33, v34);
    const u32 v36 = shuffle_xor(v35, 4u);
    const u32 v37 = max_of(v35, v36);
    const u32 v38 = shuffle_xor(v37, 8u);
    const u32 v39 = max_of(v37, v38);
    const u32 v40 = shuffle_xor(v39, 16u);
    const u32 v41 = shuffle(max_of(v39, v40), 0u);
    const u32 v42 = thread_in_group & 31u;
    const bool v43 = 0u == v42;
    if (v43) {
        const u32 v44 = thread_in_group >> 5u;
        parts[v44] = v41;
    }
    barrier();
    part = 0u;
    const bool v45 = v42 < 16u;
    if (v45) {
        const u32 v46 = parts[v42];
        part = v46;
    }
    const u32 v47 = part;
    const u32 v48 = shuffle_xor(v47, 1u);
    const u32 v49 = max_of(v47, v48);
    const u32 v50 = shuffle_xor(v49, 2u);
    const u32 v51 = max_of(v49, v50);
    const u32 v52 = shuffle_xor(v51, 4u);
    const u32 v53 = max_of(v51, v52);
    const u32 v54 = shuffle_xor(v53, 8u);
    const u32 v55 = max_of(v53, v54);
    const u32 v56 = shuffle_xor(v55, 16u);
    const u32 v57 = shuffle(max_of(v55, v56), 0u);
    const u32 v58 = (v30 == v57) ? v31 : 0xffffffffu;
    const u32 v59 = shuffle_xor(v58, 1u);
    const u32 v60 = min_of(v58, v59);
    const u32 v61 = shuffle_xor(v60, 2u);
    const u32 v62 = min_of(v60, v61);
    const u32 v63 = shuffle_xor(v62, 4u);
    const u32 v64 = min_of(v62, v63);
    const u32 v65 = shuffle_xor(v64, 8u);
    const u32 v66 = min_of(v64, v65);
    const u32 v67 = shuffle_xor(v66, 16u);
    const u32 v68 = shuffle(min_of(v66, v67), 0u);
    if (v43) {
        const u32 v69 = thread_in_group >> 5u;
        parts_2[v69] = v68;
    }
    barrier();
    part_2 = 0xffffffffu;
    if (v45) {
        const u32 v70 = parts_2[v42];
        part_2 = v70;
    }
    const u32 v71 = part_2;
    const u32 v72 = shuffle_xor(v71, 1u);
    const u32 v73 = min_of(v71, v72);
    const u32 v74 = shuffle_xor(v73, 2u);
    const u32 v75 = min_of(v73, v74);
    const u32 v76 = shuffle_xor(v75, 4u);
    const u32 v77 = min_of(v75, v76);
    const u32 v78 = shuffle_xor(v77, 8u);
    const u32 v79 = min_of(v77, v78);
    const u32 v80 = shuffle_xor(v79, 16u);
    const u32 v81 = shuffle(min_of(v79, v80), 0u);
    if (0u == v3) {
        if (v1 < launch.y_len) {
            y[v1] = v81;
        }
    }
}
