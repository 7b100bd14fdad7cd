struct add_launch {
    u32 first_x;
    u32 n;
    u64 a_len;
    u64 b_len;
    u64 y_len;
};
[[max_total_threads_per_threadgroup(256)]]
kernel void add(
    device const f32* a [[buffer(0)]],
    device const f32* b [[buffer(1)]],
    device f32* y [[buffer(2)]],
    constant add_launch& launch [[buffer(3)]],
    uint thread_in_group [[thread_index_in_threadgroup]],
    uint3 group [[threadgroup_position_in_grid]]) {
    f32 join;
    f32 join_2;
    f32 join_3;
    f32 join_4;
    f32 join_5;
    const u32 v0 = launch.n;
    const u32 v1 = ((launch.first_x + group.x) * 256u + thread_in_group) * 4u;
    if (v1 < v0) {
        if ((v0 - v1) >= 4u) {
            const bool v2 = (u64)v1 + 3 < launch.a_len;
            const u32x4 v3 = v2 ? *(device const u32x4*)(a + v1) : u32x4_of(0u, 0u, 0u, 0u);
            const f32 v4 = f32_of(v3.x);
            const f32 v5 = f32_of(v3.y);
            const f32 v6 = f32_of(v3.z);
            const f32 v7 = f32_of(v3.w);
            const bool v8 = (u64)v1 + 3 < launch.b_len;
            const u32x4 v9 = v8 ? *(device const u32x4*)(b + v1) : u32x4_of(0u, 0u, 0u, 0u);
            const f32 v10 = f32_of(v9.x);
            const f32 v11 = f32_of(v9.y);
            const f32 v12 = f32_of(v9.z);
            const f32 v13 = f32_of(v9.w);
            const u32 v14 = canonical(v4);
            const u32 v15 = canonical(v10);
            const u32 v16 = v14 & 0x7fffffffu;
            const u32 v17 = v15 & 0x7fffffffu;
            if ((max_of(v16, v17) - 1u) >= 0xdffffffu) {
                join = v4 + v10;
            } else {
                const bool v18 = v16 < v17;
                const u32 v19 = pick(v18, v15, v14);
                const u32 v20 = pick(v18, v14, v15);
                const u32 v21 = 0x7fffffffu & v19;
                const u32 v22 = v21 >> 23u;
                const bool v23 = v22 != 0u;
                const u32 v24 = pick(v23, v22, 1u);
                const u32 v25 = 0x7fffffffu & v20;
                const u32 v26 = v25 >> 23u;
                const bool v27 = 0u != v26;
                const u32 v28 = pick(v23, (v21 & 0x7fffffu) | 0x800000u, v21) << 6u;
                const u32 v29 = pick(v27, 0x800000u | (0x7fffffu & v25), v25) << 6u;
                const u32 v30 = min_of(v24 - pick(v27, v26, 1u), 31u);
                const u32 v31 = v29 >> (v30 & 31u);
                const u32 v32 = v31 | ((v29 != (v31 << (v30 & 31u))) ? 1u : 0u);
                const u32 v33 = pick(0u == ((v19 ^ v20) & 0x80000000u), v28 + v32, v28 - v32);
                const u32 v34 = leading_zeros(v33);
                const u32 v35 = v33 << (v34 & 31u);
                const u32 v36 = (v24 + 2u) - v34;
                const u32 v37 = min_signed(max_signed(1u - v36, 0u), 31u);
                const u32 v38 = v35 >> (v37 & 31u);
                const u32 v39 = v38 | ((v35 != (v38 << (v37 & 31u))) ? 1u : 0u);
                const u32 v40 = v39 >> 8u;
                const u32 v41 = pick((i32)v36 > (i32)254u, 0x7f800000u, ((max_signed(v36, 1u) - 1u) << 23u) + (v40 + ((((v39 & 255u) + (1u & v40)) > 128u) ? 1u : 0u)));
                join = f32_of(pick(0u == v33, 0x80000000u & (v19 & v20), v41 | (v19 & 0x80000000u)));
            }
            const f32 v42 = join;
            const u32 v43 = canonical(v5);
            const u32 v44 = canonical(v11);
            const u32 v45 = 0x7fffffffu & v43;
            const u32 v46 = 0x7fffffffu & v44;
            if ((max_of(v45, v46) - 1u) >= 0xdffffffu) {
                join_2 = v5 + v11;
            } else {
                const bool v47 = v45 < v46;
                const u32 v48 = pick(v47, v44, v43);
                const u32 v49 = pick(v47, v43, v44);
                const u32 v50 = 0x7fffffffu & v48;
                const u32 v51 = v50 >> 23u;
                const bool v52 = v51 != 0u;
                const u32 v53 = pick(v52, v51, 1u);
                const u32 v54 = 0x7fffffffu & v49;
                const u32 v55 = v54 >> 23u;
                const bool v56 = 0u != v55;
                const u32 v57 = pick(v52, (v50 & 0x7fffffu) | 0x800000u, v50) << 6u;
                const u32 v58 = pick(v56, 0x800000u | (0x7fffffu & v54), v54) << 6u;
                const u32 v59 = min_of(v53 - pick(v56, v55, 1u), 31u);
                const u32 v60 = v58 >> (v59 & 31u);
                const u32 v61 = v60 | ((v58 != (v60 << (v59 & 31u))) ? 1u : 0u);
                const u32 v62 = pick(0u == ((v48 ^ v49) & 0x80000000u), v57 + v61, v57 - v61);
                const u32 v63 = leading_zeros(v62);
                const u32 v64 = v62 << (v63 & 31u);
                const u32 v65 = (v53 + 2u) - v63;
                const u32 v66 = min_signed(max_signed(1u - v65, 0u), 31u);
                const u32 v67 = v64 >> (v66 & 31u);
                const u32 v68 = v67 | ((v64 != (v67 << (v66 & 31u))) ? 1u : 0u);
                const u32 v69 = v68 >> 8u;
                const u32 v70 = pick((i32)v65 > (i32)254u, 0x7f800000u, ((max_signed(v65, 1u) - 1u) << 23u) + (v69 + ((((v68 & 255u) + (1u & v69)) > 128u) ? 1u : 0u)));
                join_2 = f32_of(pick(0u == v62, 0x80000000u & (v48 & v49), v70 | (v48 & 0x80000000u)));
            }
            const f32 v71 = join_2;
            const u32 v72 = canonical(v6);
            const u32 v73 = canonical(v12);
            const u32 v74 = 0x7fffffffu & v72;
            const u32 v75 = 0x7fffffffu & v73;
            if ((max_of(v74, v75) - 1u) >= 0xdffffffu) {
                join_3 = v6 + v12;
            } else {
                const bool v76 = v74 < v75;
                const u32 v77 = pick(v76, v73, v72);
                const u32 v78 = pick(v76, v72, v73);
                const u32 v79 = 0x7fffffffu & v77;
                const u32 v80 = v79 >> 23u;
                const bool v81 = v80 != 0u;
                const u32 v82 = pick(v81, v80, 1u);
                const u32 v83 = 0x7fffffffu & v78;
                const u32 v84 = v83 >> 23u;
                const bool v85 = 0u != v84;
                const u32 v86 = pick(v81, (v79 & 0x7fffffu) | 0x800000u, v79) << 6u;
                const u32 v87 = pick(v85, 0x800000u | (0x7fffffu & v83), v83) << 6u;
                const u32 v88 = min_of(v82 - pick(v85, v84, 1u), 31u);
                const u32 v89 = v87 >> (v88 & 31u);
                const u32 v90 = v89 | ((v87 != (v89 << (v88 & 31u))) ? 1u : 0u);
                const u32 v91 = pick(0u == ((v77 ^ v78) & 0x80000000u), v86 + v90, v86 - v90);
                const u32 v92 = leading_zeros(v91);
                const u32 v93 = v91 << (v92 & 31u);
                const u32 v94 = (2u + v82) - v92;
                const u32 v95 = min_signed(max_signed(1u - v94, 0u), 31u);
                const u32 v96 = v93 >> (v95 & 31u);
                const u32 v97 = v96 | ((v93 != (v96 << (v95 & 31u))) ? 1u : 0u);
                const u32 v98 = v97 >> 8u;
                const u32 v99 = pick((i32)v94 > (i32)254u, 0x7f800000u, ((max_signed(v94, 1u) - 1u) << 23u) + (v98 + ((((v97 & 255u) + (1u & v98)) > 128u) ? 1u : 0u)));
                join_3 = f32_of(pick(0u == v91, 0x80000000u & (v77 & v78), v99 | (v77 & 0x80000000u)));
            }
            const f32 v100 = join_3;
            const u32 v101 = canonical(v7);
            const u32 v102 = canonical(v13);
            const u32 v103 = 0x7fffffffu & v101;
            const u32 v104 = 0x7fffffffu & v102;
            if ((max_of(v103, v104) - 1u) >= 0xdffffffu) {
                join_4 = v7 + v13;
            } else {
                const bool v105 = v103 < v104;
                const u32 v106 = pick(v105, v102, v101);
                const u32 v107 = pick(v105, v101, v102);
                const u32 v108 = 0x7fffffffu & v106;
                const u32 v109 = v108 >> 23u;
                const bool v110 = v109 != 0u;
                const u32 v111 = pick(v110, v109, 1u);
                const u32 v112 = 0x7fffffffu & v107;
                const u32 v113 = v112 >> 23u;
                const bool v114 = 0u != v113;
                const u32 v115 = pick(v110, (v108 & 0x7fffffu) | 0x800000u, v108) << 6u;
                const u32 v116 = pick(v114, 0x800000u | (0x7fffffu & v112), v112) << 6u;
                const u32 v117 = min_of(v111 - pick(v114, v113, 1u), 31u);
                const u32 v118 = v116 >> (v117 & 31u);
                const u32 v119 = v118 | ((v116 != (v118 << (v117 & 31u))) ? 1u : 0u);
                const u32 v120 = pick(0u == ((v106 ^ v107) & 0x80000000u), v115 + v119, v115 - v119);
                const u32 v121 = leading_zeros(v120);
                const u32 v122 = v120 << (v121 & 31u);
                const u32 v123 = (2u + v111) - v121;
                const u32 v124 = min_signed(max_signed(1u - v123, 0u), 31u);
                const u32 v125 = v122 >> (v124 & 31u);
                const u32 v126 = v125 | ((v122 != (v125 << (v124 & 31u))) ? 1u : 0u);
                const u32 v127 = v126 >> 8u;
                const u32 v128 = pick((i32)v123 > (i32)254u, 0x7f800000u, ((max_signed(v123, 1u) - 1u) << 23u) + (v127 + ((((v126 & 255u) + (1u & v127)) > 128u) ? 1u : 0u)));
                join_4 = f32_of(pick(0u == v120, 0x80000000u & (v106 & v107), v128 | (v106 & 0x80000000u)));
            }
            const f32 v129 = join_4;
            if ((u64)v1 + 3 < launch.y_len) {
                *(device u32x4*)(y + v1) = u32x4_of(canonical(v42), canonical(v71), canonical(v100), canonical(v129));
            }
        } else {
            for (u32 i = v1; i < v0; i += 1u) {
                const f32 v130 = (i < launch.a_len) ? a[i] : 0.0f;
                const f32 v131 = (i < launch.b_len) ? b[i] : 0.0f;
                const u32 v132 = canonical(v130);
                const u32 v133 = canonical(v131);
                const u32 v134 = v132 & 0x7fffffffu;
                const u32 v135 = v133 & 0x7fffffffu;
                if ((max_of(v134, v135) - 1u) >= 0xdffffffu) {
                    join_5 = v130 + v131;
                } else {
                    const bool v136 = v134 < v135;
                    const u32 v137 = pick(v136, v133, v132);
                    const u32 v138 = pick(v136, v132, v133);
                    const u32 v139 = 0x7fffffffu & v137;
                    const u32 v140 = v139 >> 23u;
                    const bool v141 = v140 != 0u;
                    const u32 v142 = pick(v141, v140, 1u);
                    const u32 v143 = 0x7fffffffu & v138;
                    const u32 v144 = v143 >> 23u;
                    const bool v145 = 0u != v144;
                    const u32 v146 = pick(v141, (v139 & 0x7fffffu) | 0x800000u, v139) << 6u;
                    const u32 v147 = pick(v145, 0x800000u | (0x7fffffu & v143), v143) << 6u;
                    const u32 v148 = min_of(v142 - pick(v145, v144, 1u), 31u);
                    const u32 v149 = v147 >> (v148 & 31u);
                    const u32 v150 = v149 | ((v147 != (v149 << (v148 & 31u))) ? 1u : 0u);
                    const u32 v151 = pick(0u == ((v137 ^ v138) & 0x80000000u), v146 + v150, v146 - v150);
                    const u32 v152 = leading_zeros(v151);
                    const u32 v153 = v151 << (v152 & 31u);
                    const u32 v154 = (v142 + 2u) - v152;
                    const u32 v155 = min_signed(max_signed(1u - v154, 0u), 31u);
                    const u32 v156 = v153 >> (v155 & 31u);
                    const u32 v157 = v156 | ((v153 != (v156 << (v155 & 31u))) ? 1u : 0u);
                    const u32 v158 = v157 >> 8u;
                    const u32 v159 = pick((i32)v154 > (i32)254u, 0x7f800000u, ((max_signed(v154, 1u) - 1u) << 23u) + (v158 + ((((v157 & 255u) + (1u & v158)) > 128u) ? 1u : 0u)));
                    join_5 = f32_of(pick(0u == v151, 0x80000000u & (v137 & v138), v159 | (v137 & 0x80000000u)));
                }
                if (i < launch.y_len) {
                    y[i] = stored(join_5);
                }
            }
        }
    }
}
