extern "C" __global__ __launch_bounds__(256)
void reduce_columns(
    const f32* __restrict__ x,
    f32* y,
    u32 first_x,
    u32 first_y,
    u32 rows,
    u32 columns,
    u64 x_len,
    u64 y_len) {
    __shared__ f32 tile[1056];
    f32 parts_0;
    f32 parts_1;
    f32 parts_2;
    f32 parts_3;
    f32 acc;
    f32 acc_2;
    f32 acc_3;
    f32 acc_4;
    const u32 v0 = columns;
    const u32 v1 = first_y + blockIdx.y;
    const u32 v2 = v1 * 0x10000u;
    const u32 v3 = min_of(0x10000u, rows - v2);
    const u32 v4 = (first_x + blockIdx.x) * 32u + (threadIdx.x % 32u);
    parts_0 = (-0.0f);
    parts_1 = (-0.0f);
    parts_2 = (-0.0f);
    parts_3 = (-0.0f);
    const u32 v5 = min_of(v3, 1024u);
    const u32 v6 = threadIdx.x / 32u;
    const bool v7 = v4 < v0;
    const u64 v8 = (u64)v0;
    const u64 v9 = (u64)v4;
    const u32 v10 = threadIdx.x & 31u;
    const u32 v11 = (v6 * 33u) + v10;
    const u32 v12 = v11 + 264u;
    const u32 v13 = v11 + 528u;
    const u32 v14 = v11 + 792u;
    const u32 v15 = threadIdx.x >> 5u;
    const u32 v16 = (33u * v10) + v15;
    const u32 v17 = 8u + v16;
    const u32 v18 = 16u + v16;
    const u32 v19 = 24u + v16;
    if (0u < v5) {
        bool i_goes = true;
        for (u32 i = 0u; i_goes; i_goes = v5 - i > 32u, i += 32u) {
            acc = (-0.0f);
            if (v7) {
                const u32 v20 = v6 + i;
                if (v20 < v3) {
                    bool i_1_goes = true;
                    for (u32 i_1 = v20; i_1_goes; i_1_goes = v3 - i_1 > 1024u, i_1 += 1024u) {
                        const u64 v21 = v9 + (v8 * (u64)(v2 + i_1));
                        const f32 v22 = (v21 < x_len) ? x[v21] : 0.0f;
                        acc = __fadd_rn(acc, v22);
                    }
                }
            }
            tile[v11] = acc;
            acc_2 = (-0.0f);
            if (v7) {
                const u32 v23 = 8u + (v6 + i);
                if (v23 < v3) {
                    bool i_2_goes = true;
                    for (u32 i_2 = v23; i_2_goes; i_2_goes = v3 - i_2 > 1024u, i_2 += 1024u) {
                        const u64 v24 = v9 + (v8 * (u64)(v2 + i_2));
                        const f32 v25 = (v24 < x_len) ? x[v24] : 0.0f;
                        acc_2 = __fadd_rn(acc_2, v25);
                    }
                }
            }
            tile[v12] = acc_2;
            acc_3 = (-0.0f);
            if (v7) {
                const u32 v26 = 16u + (v6 + i);
                if (v26 < v3) {
                    bool i_3_goes = true;
                    for (u32 i_3 = v26; i_3_goes; i_3_goes = v3 - i_3 > 1024u, i_3 += 1024u) {
                        const u64 v27 = v9 + (v8 * (u64)(v2 + i_3));
                        const f32 v28 = (v27 < x_len) ? x[v27] : 0.0f;
                        acc_3 = __fadd_rn(acc_3, v28);
                    }
                }
            }
            tile[v13] = acc_3;
            acc_4 = (-0.0f);
            if (v7) {
                const u32 v29 = 24u + (v6 + i);
                if (v29 < v3) {
                    bool i_4_goes = true;
                    for (u32 i_4 = v29; i_4_goes; i_4_goes = v3 - i_4 > 1024u, i_4 += 1024u) {
                        const u64 v30 = v9 + (v8 * (u64)(v2 + i_4));
                        const f32 v31 = (v30 < x_len) ? x[v30] : 0.0f;
                        acc_4 = __fadd_rn(acc_4, v31);
                    }
                }
            }
            tile[v14] = acc_4;
            barrier();
            const f32 v32 = tile[v16];
            const f32 v33 = shuffle_xor(v32, 1u);
            const f32 v34 = __fadd_rn(v32, v33);
            const f32 v35 = shuffle_xor(v34, 2u);
            const f32 v36 = __fadd_rn(v34, v35);
            const f32 v37 = shuffle_xor(v36, 4u);
            const f32 v38 = __fadd_rn(v36, v37);
            const f32 v39 = shuffle_xor(v38, 8u);
            const f32 v40 = __fadd_rn(v38, v39);
            const f32 v41 = shuffle_xor(v40, 16u);
            const f32 v42 = shuffle(__fadd_rn(v40, v41), 0u);
            const bool v43 = v10 == (i >> 5u);
            parts_0 = chosen(v43, v42, parts_0);
            const f32 v44 = tile[v17];
            const f32 v45 = shuffle_xor(v44, 1u);
            const f32 v46 = __fadd_rn(v44, v45);
            const f32 v47 = shuffle_xor(v46, 2u);
            const f32 v48 = __fadd_rn(v46, v47);
            const f32 v49 = shuffle_xor(v48, 4u);
            const f32 v50 = __fadd_rn(v48, v49);
            const f32 v51 = shuffle_xor(v50, 8u);
            const f32 v52 = __fadd_rn(v50, v51);
            const f32 v53 = shuffle_xor(v52, 16u);
            const f32 v54 = shuffle(__fadd_rn(v52, v53), 0u);
            parts_1 = chosen(v43, v54, parts_1);
            const f32 v55 = tile[v18];
            const f32 v56 = shuffle_xor(v55, 1u);
            const f32 v57 = __fadd_rn(v55, v56);
            const f32 v58 = shuffle_xor(v57, 2u);
            const f32 v59 = __fadd_rn(v57, v58);
            const f32 v60 = shuffle_xor(v59, 4u);
            const f32 v61 = __fadd_rn(v59, v60);
            const f32 v62 = shuffle_xor(v61, 8u);
            const f32 v63 = __fadd_rn(v61, v62);
            const f32 v64 = shuffle_xor(v63, 16u);
            const f32 v65 = shuffle(__fadd_rn(v63, v64), 0u);
            parts_2 = chosen(v43, v65, parts_2);
            const f32 v66 = tile[v19];
            const f32 v67 = shuffle_xor(v66, 1u);
            const f32 v68 = __fadd_rn(v66, v67);
            const f32 v69 = shuffle_xor(v68, 2u);
            const f32 v70 = __fadd_rn(v68, v69);
            const f32 v71 = shuffle_xor(v70, 4u);
            const f32 v72 = __fadd_rn(v70, v71);
            const f32 v73 = shuffle_xor(v72, 8u);
            const f32 v74 = __fadd_rn(v72, v73);
            const f32 v75 = shuffle_xor(v74, 16u);
            const f32 v76 = shuffle(__fadd_rn(v74, v75), 0u);
            parts_3 = chosen(v43, v76, parts_3);
            barrier();
        }
    }
    const f32 v77 = parts_0;
    const f32 v78 = shuffle_xor(v77, 1u);
    const f32 v79 = __fadd_rn(v77, v78);
    const f32 v80 = shuffle_xor(v79, 2u);
    const f32 v81 = __fadd_rn(v79, v80);
    const f32 v82 = shuffle_xor(v81, 4u);
    const f32 v83 = __fadd_rn(v81, v82);
    const f32 v84 = shuffle_xor(v83, 8u);
    const f32 v85 = __fadd_rn(v83, v84);
    const f32 v86 = shuffle_xor(v85, 16u);
    const f32 v87 = shuffle(__fadd_rn(v85, v86), 0u);
    const u32 v88 = 32u * (first_x + blockIdx.x);
    const u32 v89 = v15 + v88;
    const bool v90 = 0u == v10;
    if (v90 && (v89 < v0)) {
        const u64 v91 = (v8 * (u64)v1) + (u64)v89;
        if (v91 < y_len) {
            y[v91] = stored(v87);
        }
    }
    const f32 v92 = parts_1;
    const f32 v93 = shuffle_xor(v92, 1u);
    const f32 v94 = __fadd_rn(v92, v93);
    const f32 v95 = shuffle_xor(v94, 2u);
    const f32 v96 = __fadd_rn(v94, v95);
    const f32 v97 = shuffle_xor(v96, 4u);
    const f32 v98 = __fadd_rn(v96, v97);
    const f32 v99 = shuffle_xor(v98, 8u);
    const f32 v100 = __fadd_rn(v98, v99);
    const f32 v101 = shuffle_xor(v100, 16u);
    const f32 v102 = shuffle(__fadd_rn(v100, v101), 0u);
    const u32 v103 = v15 + (8u + v88);
    if (v90 && (v103 < v0)) {
        const u64 v104 = (v8 * (u64)v1) + (u64)v103;
        if (v104 < y_len) {
            y[v104] = stored(v102);
        }
    }
    const f32 v105 = parts_2;
    const f32 v106 = shuffle_xor(v105, 1u);
    const f32 v107 = __fadd_rn(v105, v106);
    const f32 v108 = shuffle_xor(v107, 2u);
    const f32 v109 = __fadd_rn(v107, v108);
    const f32 v110 = shuffle_xor(v109, 4u);
    const f32 v111 = __fadd_rn(v109, v110);
    const f32 v112 = shuffle_xor(v111, 8u);
    const f32 v113 = __fadd_rn(v111, v112);
    const f32 v114 = shuffle_xor(v113, 16u);
    const f32 v115 = shuffle(__fadd_rn(v113, v114), 0u);
    const u32 v116 = v15 + (16u + v88);
    if (v90 && (v116 < v0)) {
        const u64 v117 = (v8 * (u64)v1) + (u64)v116;
        if (v117 < y_len) {
            y[v117] = stored(v115);
        }
    }
    const f32 v118 = parts_3;
    const f32 v119 = shuffle_xor(v118, 1u);
    const f32 v120 = __fadd_rn(v118, v119);
    const f32 v121 = shuffle_xor(v120, 2u);
    const f32 v122 = __fadd_rn(v120, v121);
    const f32 v123 = shuffle_xor(v122, 4u);
    const f32 v124 = __fadd_rn(v122, v123);
    const f32 v125 = shuffle_xor(v124, 8u);
    const f32 v126 = __fadd_rn(v124, v125);
    const f32 v127 = shuffle_xor(v126, 16u);
    const f32 v128 = shuffle(__fadd_rn(v126, v127), 0u);
    const u32 v129 = v15 + (24u + v88);
    if (v90 && (v129 < v0)) {
        const u64 v130 = (v8 * (u64)v1) + (u64)v129;
        if (v130 < y_len) {
            y[v130] = stored(v128);
        }
    }
}
