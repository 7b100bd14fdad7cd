struct arg_reduce_launch {
    u32 first_x;
    u32 row_elems;
    u64 x_len;
    u64 y_len;
};
[[max_total_threads_per_threadgroup(128)]]
kernel void arg_reduce(
    device const f32* x [[buffer(0)]],
    device u32* y [[buffer(1)]],
    constant arg_reduce_launch& launch [[buffer(2)]],
    uint thread_in_group [[thread_index_in_threadgroup]],
    uint3 group [[threadgroup_position_in_grid]]) {
    threadgroup u32 parts[4];
    threadgroup u32 parts_2[4];
    u32 best;
    u32 place;
    f32 join;
    f32 join_2;
    f32 join_3;
    f32 join_4;
    u32 part;
    u32 part_2;
    const u32 v0 = launch.row_elems & 0xfffffffcu;
    const u32 v1 = launch.first_x + group.x;
    const u64 v2 = (u64)v1 * (u64)v0;
    best = 0u;
    place = 0xffffffffu;
    const u32 v3 = thread_in_group;
    const u32 v4 = v3 * 4u;
    if (v4 < v0) {
        bool i_goes = true;
        for (u32 i = v4; i_goes; i_goes = v0 - i > 512u, i += 512u) {
            const u64 v5 = v2 + (u64)i;
            const bool v6 = (u64)v5 + 3 < launch.x_len;
            const u32x4 v7 = v6 ? *(device const u32x4*)(x + v5) : u32x4_of(0u, 0u, 0u, 0u);
            const f32 v8 = f32_of(v7.x);
            const f32 v9 = f32_of(v7.y);
            const f32 v10 = f32_of(v7.z);
            const f32 v11 = f32_of(v7.w);
            const u32 v12 = canonical(v8);
            const u32 v13 = v12 & 0x7fffffffu;
            if ((max_of(0u, v13) - 1u) >= 0xdffffffu) {
                join = 0.0f + v8;
            } else {
                const u32 v14 = v13 >> 23u;
                const bool v15 = 0u != v14;
                const u32 v16 = v15 ? v14 : 1u;
                const u32 v17 = (v15 ? ((v13 & 0x7fffffu) | 0x800000u) : v13) << 6u;
                const u32 v18 = min_of(v16 - 1u, 31u);
                const u32 v19 = 0u >> (v18 & 31u);
                const u32 v20 = v19 | ((0u != (v19 << (v18 & 31u))) ? 1u : 0u);
                const u32 v21 = 0x80000000u & v12;
                const u32 v22 = (0u == v21) ? (v17 + v20) : (v17 - v20);
                const u32 v23 = leading_zeros(v22);
                const u32 v24 = v22 << (v23 & 31u);
                const u32 v25 = (2u + v16) - v23;
                const u32 v26 = min_signed(max_signed(1u - v25, 0u), 31u);
                const u32 v27 = v24 >> (v26 & 31u);
                const u32 v28 = v27 | ((v24 != (v27 << (v26 & 31u))) ? 1u : 0u);
                const u32 v29 = v28 >> 8u;
                const u32 v30 = ((i32)v25 > (i32)254u) ? 0x7f800000u : (((max_signed(v25, 1u) - 1u) << 23u) + (v29 + ((((v28 & 255u) + (1u & v29)) > 128u) ? 1u : 0u)));
                join = f32_of((0u == v22) ? 0u : (v21 | v30));
            }
            const u32 v31 = canonical(join);
            const u32 v32 = (v31 >= 0x80000000u) ? (~v31) : (0x80000000u ^ v31);
            const u32 v33 = place;
            const u32 v34 = best;
            const bool v35 = (0xffffffffu == v33) || (v32 > v34);
            const u32 v36 = v35 ? v32 : v34;
            const u32 v37 = v35 ? i : v33;
            const u32 v38 = canonical(v9);
            const u32 v39 = 0x7fffffffu & v38;
            if ((max_of(0u, v39) - 1u) >= 0xdffffffu) {
                join_2 = 0.0f + v9;
            } else {
                const bool v40 = v39 > 0u;
                const u32 v41 = v40 ? v38 : 0u;
                const u32 v42 = v40 ? 0u : v38;
                const u32 v43 = 0x7fffffffu & v41;
                const u32 v44 = v43 >> 23u;
                const bool v45 = 0u != v44;
                const u32 v46 = v45 ? v44 : 1u;
                const u32 v47 = 0x7fffffffu & v42;
                const u32 v48 = v47 >> 23u;
                const bool v49 = 0u != v48;
                const u32 v50 = (v45 ? ((v43 & 0x7fffffu) | 0x800000u) : v43) << 6u;
                const u32 v51 = (v49 ? (0x800000u | (0x7fffffu & v47)) : v47) << 6u;
                const u32 v52 = min_of(v46 - (v49 ? v48 : 1u), 31u);
                const u32 v53 = v51 >> (v52 & 31u);
                const u32 v54 = v53 | ((v51 != (v53 << (v52 & 31u))) ? 1u : 0u);
                const u32 v55 = (0u == (0x80000000u & (v41 ^ v42))) ? (v50 + v54) : (v50 - v54);
                const u32 v56 = leading_zeros(v55);
                const u32 v57 = v55 << (v56 & 31u);
                const u32 v58 = (2u + v46) - v56;
                const u32 v59 = min_signed(max_signed(1u - v58, 0u), 31u);
                const u32 v60 = v57 >> (v59 & 31u);
                const u32 v61 = v60 | ((v57 != (v60 << (v59 & 31u))) ? 1u : 0u);
                const u32 v62 = v61 >> 8u;
                const u32 v63 = ((i32)v58 > (i32)254u) ? 0x7f800000u : (((max_signed(v58, 1u) - 1u) << 23u) + (v62 + ((((v61 & 255u) + (1u & v62)) > 128u) ? 1u : 0u)));
                join_2 = f32_of((0u == v55) ? (0x80000000u & (v41 & v42)) : (v63 | (0x80000000u & v41)));
            }
            const u32 v64 = canonical(join_2);
            const u32 v65 = (v64 >= 0x80000000u) ? (~v64) : (0x80000000u ^ v64);
            const bool v66 = (0xffffffffu == v37) || (v65 > v36);
            const u32 v67 = v66 ? v65 : v36;
            const u32 v68 = v66 ? (1u + i) : v37;
            const u32 v69 = canonical(v10);
            const u32 v70 = 0x7fffffffu & v69;
            if ((max_of(0u, v70) - 1u) >= 0xdffffffu) {
                join_3 = 0.0f + v10;
            } else {
                const bool v71 = v70 > 0u;
                const u32 v72 = v71 ? v69 : 0u;
                const u32 v73 = v71 ? 0u : v69;
                const u32 v74 = 0x7fffffffu & v72;
                const u32 v75 = v74 >> 23u;
                const bool v76 = 0u != v75;
                const u32 v77 = v76 ? v75 : 1u;
                const u32 v78 = 0x7fffffffu & v73;
                const u32 v79 = v78 >> 23u;
                const bool v80 = 0u != v79;
                const u32 v81 = (v76 ? ((v74 & 0x7fffffu) | 0x800000u) : v74) << 6u;
                const u32 v82 = (v80 ? (0x800000u | (0x7fffffu & v78)) : v78) << 6u;
                const u32 v83 = min_of(v77 - (v80 ? v79 : 1u), 31u);
                const u32 v84 = v82 >> (v83 & 31u);
                const u32 v85 = v84 | ((v82 != (v84 << (v83 & 31u))) ? 1u : 0u);
                const u32 v86 = (0u == (0x80000000u & (v72 ^ v73))) ? (v81 + v85) : (v81 - v85);
                const u32 v87 = leading_zeros(v86);
                const u32 v88 = v86 << (v87 & 31u);
                const u32 v89 = (2u + v77) - v87;
                const u32 v90 = min_signed(max_signed(1u - v89, 0u), 31u);
                const u32 v91 = v88 >> (v90 & 31u);
                const u32 v92 = v91 | ((v88 != (v91 << (v90 & 31u))) ? 1u : 0u);
                const u32 v93 = v92 >> 8u;
                const u32 v94 = ((i32)v89 > (i32)254u) ? 0x7f800000u : (((max_signed(v89, 1u) - 1u) << 23u) + (v93 + ((((v92 & 255u) + (1u & v93)) > 128u) ? 1u : 0u)));
                join_3 = f32_of((0u == v86) ? (0x80000000u & (v72 & v73)) : (v94 | (0x80000000u & v72)));
            }
            const u32 v95 = canonical(join_3);
            const u32 v96 = (v95 >= 0x80000000u) ? (~v95) : (0x80000000u ^ v95);
            const bool v97 = (0xffffffffu == v68) || (v96 > v67);
            const u32 v98 = v97 ? v96 : v67;
            const u32 v99 = v97 ? (2u + i) : v68;
            const u32 v100 = canonical(v11);
            const u32 v101 = 0x7fffffffu & v100;
            if ((max_of(0u, v101) - 1u) >= 0xdffffffu) {
                join_4 = 0.0f + v11;
            } else {
                const bool v102 = v101 > 0u;
                const u32 v103 = v102 ? v100 : 0u;
                const u32 v104 = v102 ? 0u : v100;
                const u32 v105 = 0x7fffffffu & v103;
                const u32 v106 = v105 >> 23u;
                const bool v107 = 0u != v106;
                const u32 v108 = v107 ? v106 : 1u;
                const u32 v109 = 0x7fffffffu & v104;
                const u32 v110 = v109 >> 23u;
                const bool v111 = 0u != v110;
                const u32 v112 = (v107 ? ((v105 & 0x7fffffu) | 0x800000u) : v105) << 6u;
                const u32 v113 = (v111 ? (0x800000u | (0x7fffffu & v109)) : v109) << 6u;
                const u32 v114 = min_of(v108 - (v111 ? v110 : 1u), 31u);
                const u32 v115 = v113 >> (v114 & 31u);
                const u32 v116 = v115 | ((v113 != (v115 << (v114 & 31u))) ? 1u : 0u);
                const u32 v117 = (0u == (0x80000000u & (v103 ^ v104))) ? (v112 + v116) : (v112 - v116);
                const u32 v118 = leading_zeros(v117);
                const u32 v119 = v117 << (v118 & 31u);
                const u32 v120 = (2u + v108) - v118;
                const u32 v121 = min_signed(max_signed(1u - v120, 0u), 31u);
                const u32 v122 = v119 >> (v121 & 31u);
                const u32 v123 = v122 | ((v119 != (v122 << (v121 & 31u))) ? 1u : 0u);
                const u32 v124 = v123 >> 8u;
                const u32 v125 = ((i32)v120 > (i32)254u) ? 0x7f800000u : (((max_signed(v120, 1u) - 1u) << 23u) + (v124 + ((((v123 & 255u) + (1u & v124)) > 128u) ? 1u : 0u)));
                join_4 = f32_of((0u == v117) ? (0x80000000u & (v103 & v104)) : (v125 | (0x80000000u & v103)));
            }
            const u32 v126 = canonical(join_4);
            const u32 v127 = (v126 >= 0x80000000u) ? (~v126) : (0x80000000u ^ v126);
            const bool v128 = (0xffffffffu == v99) || (v127 > v98);
            best = v128 ? v127 : v98;
            place = v128 ? (3u + i) : v99;
        }
    }
    const u32 v129 = best;
    const u32 v130 = place;
    const u32 v131 = shuffle_xor(v129, 1u);
    const u32 v132 = max_of(v129, v131);
    const u32 v133 = shuffle_xor(v132, 2u);
    const u32 v134 = max_of(v132, v133);
    const u32 v135 = shuffle_xor(v134, 4u);
    const u32 v136 = max_of(v134, v135);
    const u32 v137 = shuffle_xor(v136, 8u);
    const u32 v138 = max_of(v136, v137);
    const u32 v139 = shuffle_xor(v138, 16u);
    const u32 v140 = shuffle(max_of(v138, v139), 0u);
    const u32 v141 = thread_in_group & 31u;
    const bool v142 = 0u == v141;
    if (v142) {
        const u32 v143 = thread_in_group >> 5u;
        parts[v143] = v140;
    }
    barrier();
    part = 0u;
    const bool v144 = v141 < 4u;
    if (v144) {
        const u32 v145 = parts[v141];
        part = v145;
    }
    const u32 v146 = part;
    const u32 v147 = shuffle_xor(v146, 1u);
    const u32 v148 = max_of(v146, v147);
    const u32 v149 = shuffle_xor(v148, 2u);
    const u32 v150 = max_of(v148, v149);
    const u32 v151 = shuffle_xor(v150, 4u);
    const u32 v152 = max_of(v150, v151);
    const u32 v153 = shuffle_xor(v152, 8u);
    const u32 v154 = max_of(v152, v153);
    const u32 v155 = shuffle_xor(v154, 16u);
    const u32 v156 = shuffle(max_of(v154, v155), 0u);
    const u32 v157 = (v129 == v156) ? v130 : 0xffffffffu;
    const u32 v158 = shuffle_xor(v157, 1u);
    const u32 v159 = min_of(v157, v158);
    const u32 v160 = shuffle_xor(v159, 2u);
    const u32 v161 = min_of(v159, v160);
    const u32 v162 = shuffle_xor(v161, 4u);
    const u32 v163 = min_of(v161, v162);
    const u32 v164 = shuffle_xor(v163, 8u);
    const u32 v165 = min_of(v163, v164);
    const u32 v166 = shuffle_xor(v165, 16u);
    const u32 v167 = shuffle(min_of(v165, v166), 0u);
    if (v142) {
        const u32 v168 = thread_in_group >> 5u;
        parts_2[v168] = v167;
    }
    barrier();
    part_2 = 0xffffffffu;
    if (v144) {
        const u32 v169 = parts_2[v141];
        part_2 = v169;
    }
    const u32 v170 = part_2;
    const u32 v171 = shuffle_xor(v170, 1u);
    const u32 v172 = min_of(v170, v171);
    const u32 v173 = shuffle_xor(v172, 2u);
    const u32 v174 = min_of(v172, v173);
    const u32 v175 = shuffle_xor(v174, 4u);
    const u32 v176 = min_of(v174, v175);
    const u32 v177 = shuffle_xor(v176, 8u);
    const u32 v178 = min_of(v176, v177);
    const u32 v179 = shuffle_xor(v178, 16u);
    const u32 v180 = shuffle(min_of(v178, v179), 0u);
    if (0u == v3) {
        if (v1 < launch.y_len) {
            y[v1] = v180;
        }
    }
}
