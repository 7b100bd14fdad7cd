struct gemm_launch {
    u32 first_x;
    u32 first_y;
    u32 first_z;
    u32 m;
    u32 n;
    u32 k;
    u64 a_len;
    u64 b_len;
    u64 y_len;
    u64 a_stride0;
    u64 a_stride1;
    u64 a_stride2;
    u64 b_stride0;
    u64 b_stride1;
    u64 b_stride2;
    u64 a_offset;
    u64 b_offset;
};
[[max_total_threads_per_threadgroup(64)]]
kernel void gemm(
    device const f32* a [[buffer(0)]],
    device const f32* b [[buffer(1)]],
    device f32* y [[buffer(2)]],
    constant gemm_launch& launch [[buffer(3)]],
    uint thread_in_group [[thread_index_in_threadgroup]],
    uint3 group [[threadgroup_position_in_grid]]) {
    threadgroup f32 a_slab[64];
    threadgroup f32 b_slab[128];
    f32 acc_0;
    f32 acc_1;
    f32 join;
    f32 join_2;
    f32 join_3;
    const u32 v0 = launch.m;
    const u32 v1 = launch.n;
    const u32 v2 = launch.k;
    const u32 v3 = (launch.first_y + group.y) * 8u;
    const u32 v4 = (launch.first_x + group.x) * 16u;
    const u32 v5 = thread_in_group;
    acc_0 = (-0.0f);
    acc_1 = (-0.0f);
    const u32 v6 = v5 >> 3u;
    const u32 v7 = v5 & 7u;
    const u32 v8 = v3 + v6;
    const bool v9 = v8 < v0;
    const u32 v10 = v6 + (8u * v7);
    const u64 v11 = (u64)(launch.first_z + group.z);
    const u64 v12 = launch.a_offset + (v11 * launch.a_stride0);
    const u64 v13 = (u64)v8 * launch.a_stride1;
    const u32 v14 = v5 & 15u;
    const u32 v15 = v5 >> 4u;
    const u32 v16 = v4 + v14;
    const bool v17 = v16 < v1;
    const u32 v18 = v14 + (16u * v15);
    const u64 v19 = launch.b_offset + (v11 * launch.b_stride0);
    const u64 v20 = (u64)v16 * launch.b_stride2;
    const u32 v21 = v5 + 64u;
    const u32 v22 = 15u & v21;
    const u32 v23 = v21 >> 4u;
    const u32 v24 = v4 + v22;
    const bool v25 = v24 < v1;
    const u32 v26 = v22 + (16u * v23);
    const u64 v27 = launch.b_stride2 * (u64)v24;
    const u32 v28 = (thread_in_group / 16u) * 2u;
    const u32 v29 = thread_in_group % 16u;
    if (0u < v2) {
        bool i_goes = true;
        for (u32 i = 0u; i_goes; i_goes = v2 - i > 8u, i += 8u) {
            const u32 v30 = v7 + i;
            if (v9 && (v30 < v2)) {
                const u64 v31 = v12 + (v13 + (launch.a_stride2 * (u64)v30));
                const f32 v32 = (v31 < launch.a_len) ? a[v31] : 0.0f;
                join = v32;
            } else {
                join = 0.0f;
            }
            a_slab[v10] = join;
            const u32 v33 = v15 + i;
            if (v17 && (v33 < v2)) {
                const u64 v34 = v19 + (v20 + (launch.b_stride1 * (u64)v33));
                const f32 v35 = (v34 < launch.b_len) ? b[v34] : 0.0f;
                join_2 = v35;
            } else {
                join_2 = (-0.0f);
            }
            b_slab[v18] = join_2;
            const u32 v36 = v23 + i;
            if (v25 && (v36 < v2)) {
                const u64 v37 = v19 + (v27 + (launch.b_stride1 * (u64)v36));
                const f32 v38 = (v37 < launch.b_len) ? b[v37] : 0.0f;
                join_3 = v38;
            } else {
                join_3 = (-0.0f);
            }
            b_slab[v26] = join_3;
            barrier();
            for (u32 i_1 = 0u; i_1 < 8u; i_1 += 1u) {
                const u32 v39 = v29 + (16u * i_1);
                const f32 v40 = b_slab[v39];
                const u32 v41 = v28 + (8u * i_1);
                const f32 v42 = a_slab[v41];
                const f32 v43 = a_slab[v41 + 1u];
                const u32 v44 = canonical(v40);
                const u32 v45 = canonical(v42);
                const u32 v46 = canonical(acc_0);
                const u32 v47 = v44 & 0x7fffffffu;
                const u32 v48 = v45 & 0x7fffffffu;
                const u32 v49 = v46 & 0x7fffffffu;
                const u32 v50 = (v44 ^ v45) & 0x80000000u;
                const u32 v51 = v47 >> 23u;
                const u32 v52 = (v47 << 8u) | (((0u != v51) ? 1u : 0u) << 31u);
                const u32 v53 = leading_zeros(v52);
                const u32 v54 = max_of(1u, v51) - v53;
                const u32 v55 = v48 >> 23u;
                const u32 v56 = (v48 << 8u) | (((0u != v55) ? 1u : 0u) << 31u);
                const u32 v57 = leading_zeros(v56);
                const u32 v58 = v56 << (v57 & 31u);
                const u32 v59 = v49 >> 23u;
                const u32 v60 = (v49 << 8u) | (((0u != v59) ? 1u : 0u) << 31u);
                const u32 v61 = leading_zeros(v60);
                const u32 v62 = (v52 << (v53 & 31u)) >> 1u;
                const u32 v63 = mul_high_u32(v58, v62);
                const u32 v64 = v58 * v62;
                const bool v65 = 0u == min_of(v47, v48);
                const u32 v66 = chosen(v65, 0xfffffc18u, (v54 + (max_of(1u, v55) - v57)) - 127u);
                const u32 v67 = chosen(0u == v49, 0xfffffc18u, max_of(1u, v59) - v61);
                const u32 v68 = v66 - v67;
                const bool v69 = (i32)v68 >= (i32)0u;
                const u32 v70 = (v60 << (v61 & 31u)) >> 2u;
                const u32 v71 = chosen(v69, v64, 0u);
                const u32 v72 = chosen(v69, v70, v63);
                const u32 v73 = chosen(v69, 0u, v64);
                const u32 v74 = min_signed(abs_signed(v68), 63u);
                const bool v75 = v74 > 31u;
                const u32 v76 = chosen(v75, 0u, v72);
                const u32 v77 = chosen(v75, v72, v73);
                const u32 v78 = 31u & v74;
                const u32 v79 = v77 >> (v78 & 31u);
                const u32 v80 = (v79 | ((v76 << 1u) << ((31u - v78) & 31u))) | ((0u != (chosen(v75, v73, 0u) | (v77 ^ (v79 << (v78 & 31u))))) ? 1u : 0u);
                const u32 v81 = (u32)((i32)(v46 ^ v50) >> 31u);
                const u32 v82 = v71 + ((v80 ^ v81) - v81);
                const u32 v83 = (chosen(v69, v63, v70) + (chosen(0u == v80, 1u & v81, 0u) + ((v76 >> (v78 & 31u)) ^ v81))) + ((v82 < v71) ? 1u : 0u);
                const u32 v84 = v81 & (u32)((i32)v83 >> 31u);
                const u32 v85 = chosen(0u == v82, 1u & v84, 0u) + (v83 ^ v84);
                const u32 v86 = (v82 ^ v84) - v84;
                const bool v87 = 0u == v85;
                const u32 v88 = chosen(v87, v86, v85);
                const u32 v89 = chosen(v87, 0u, v86);
                const u32 v90 = leading_zeros(v88);
                const u32 v91 = ((v88 << (v90 & 31u)) | ((v89 >> 1u) >> ((31u - v90) & 31u))) | ((0u != (v89 << (v90 & 31u))) ? 1u : 0u);
                const u32 v92 = (max_signed(v66, v67) + 2u) - chosen(v87, v90 + 32u, v90);
                const u32 v93 = min_signed(31u, max_signed(0u, 1u - v92));
                const u32 v94 = v91 >> (v93 & 31u);
                const u32 v95 = v94 | ((v91 != (v94 << (v93 & 31u))) ? 1u : 0u);
                const u32 v96 = v95 >> 8u;
                const u32 v97 = chosen((i32)v92 > (i32)254u, 0x7f800000u, ((max_signed(v92, 1u) - 1u) << 23u) + (v96 + ((((v95 & 255u) + (1u & v96)) > 128u) ? 1u : 0u)));
                const u32 v98 = max_of(v47, v48);
                const bool v99 = 0x7f800000u == v98;
                const u32 v100 = chosen(v99, v50 | 0x7f800000u, chosen(0u == (v85 | v86), 0x80000000u & (v46 & v50), (0x80000000u & (v84 ^ chosen(v69, v50, v46))) | v97));
                const bool v101 = v49 == 0x7f800000u;
                const u32 v102 = chosen((v99 && (v65 || (v101 && (0u != v81)))) || (max_of(v49, v98) > 0x7f800000u), 0x7fc00000u, chosen(v101, v46, v100));
                acc_0 = f32_of(v102);
                const u32 v103 = canonical(v43);
                const u32 v104 = canonical(acc_1);
                const u32 v105 = 0x7fffffffu & v103;
                const u32 v106 = 0x7fffffffu & v104;
                const u32 v107 = 0x80000000u & (v44 ^ v103);
                const u32 v108 = v105 >> 23u;
                const u32 v109 = (v105 << 8u) | (((0u != v108) ? 1u : 0u) << 31u);
                const u32 v110 = leading_zeros(v109);
                const u32 v111 = v109 << (v110 & 31u);
                const u32 v112 = v106 >> 23u;
                const u32 v113 = (v106 << 8u) | (((0u != v112) ? 1u : 0u) << 31u);
                const u32 v114 = leading_zeros(v113);
                const u32 v115 = mul_high_u32(v62, v111);
                const u32 v116 = v62 * v111;
                const bool v117 = 0u == min_of(v47, v105);
                const u32 v118 = chosen(v117, 0xfffffc18u, (v54 + (max_of(1u, v108) - v110)) - 127u);
                const u32 v119 = chosen(0u == v106, 0xfffffc18u, max_of(1u, v112) - v114);
                const u32 v120 = v118 - v119;
                const bool v121 = (i32)v120 >= (i32)0u;
                const u32 v122 = (v113 << (v114 & 31u)) >> 2u;
                const u32 v123 = chosen(v121, v116, 0u);
                const u32 v124 = chosen(v121, v122, v115);
                const u32 v125 = chosen(v121, 0u, v116);
                const u32 v126 = min_signed(63u, abs_signed(v120));
                const bool v127 = v126 > 31u;
                const u32 v128 = chosen(v127, 0u, v124);
                const u32 v129 = chosen(v127, v124, v125);
                const u32 v130 = 31u & v126;
                const u32 v131 = v129 >> (v130 & 31u);
                const u32 v132 = (v131 | ((v128 << 1u) << ((31u - v130) & 31u))) | ((0u != (chosen(v127, v125, 0u) | (v129 ^ (v131 << (v130 & 31u))))) ? 1u : 0u);
                const u32 v133 = (u32)((i32)(v104 ^ v107) >> 31u);
                const u32 v134 = v123 + ((v132 ^ v133) - v133);
                const u32 v135 = (chosen(v121, v115, v122) + (chosen(0u == v132, 1u & v133, 0u) + ((v128 >> (v130 & 31u)) ^ v133))) + ((v134 < v123) ? 1u : 0u);
                const u32 v136 = v133 & (u32)((i32)v135 >> 31u);
                const u32 v137 = chosen(0u == v134, 1u & v136, 0u) + (v135 ^ v136);
                const u32 v138 = (v134 ^ v136) - v136;
                const bool v139 = 0u == v137;
                const u32 v140 = chosen(v139, v138, v137);
                const u32 v141 = chosen(v139, 0u, v138);
                const u32 v142 = leading_zeros(v140);
                const u32 v143 = ((v140 << (v142 & 31u)) | ((v141 >> 1u) >> ((31u - v142) & 31u))) | ((0u != (v141 << (v142 & 31u))) ? 1u : 0u);
                const u32 v144 = (2u + max_signed(v118, v119)) - chosen(v139, 32u + v142, v142);
                const u32 v145 = min_signed(31u, max_signed(0u, 1u - v144));
                const u32 v146 = v143 >> (v145 & 31u);
                const u32 v147 = v146 | ((v143 != (v146 << (v145 & 31u))) ? 1u : 0u);
                const u32 v148 = v147 >> 8u;
                const u32 v149 = chosen((i32)v144 > (i32)254u, 0x7f800000u, ((max_signed(1u, v144) - 1u) << 23u) + (v148 + ((((255u & v147) + (1u & v148)) > 128u) ? 1u : 0u)));
                const u32 v150 = max_of(v47, v105);
                const bool v151 = 0x7f800000u == v150;
                const u32 v152 = chosen(v151, 0x7f800000u | v107, chosen(0u == (v137 | v138), 0x80000000u & (v104 & v107), (0x80000000u & (v136 ^ chosen(v121, v107, v104))) | v149));
                const bool v153 = 0x7f800000u == v106;
                const u32 v154 = chosen((v151 && (v117 || (v153 && (0u != v133)))) || (max_of(v106, v150) > 0x7f800000u), 0x7fc00000u, chosen(v153, v104, v152));
                acc_1 = f32_of(v154);
            }
            barrier();
        }
    }
    const u32 v155 = v3 + v28;
    const u32 v156 = v4 + v29;
    const bool v157 = v156 < v1;
    if ((v155 < v0) && v157) {
        const u64 v158 = (u64)v1;
        const u64 v159 = ((v11 * (u64)v0) * v158) + (((u64)v155 * v158) + (u64)v156);
        if (v159 < launch.y_len) {
            y[v159] = stored(acc_0);
        }
    }
    const u32 v160 = v28 + (v3 + 1u);
    if (v157 && (v160 < v0)) {
        const u64 v161 = (u64)v1;
        const u64 v162 = ((v11 * (u64)v0) * v161) + (((u64)v160 * v161) + (u64)v156);
        if (v162 < launch.y_len) {
            y[v162] = stored(acc_1);
        }
    }
}
