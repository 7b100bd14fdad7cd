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
    const u32 v0 = launch.row_elems;
    const u32 v1 = v0 & 0xfffffffcu;
    const u32 v2 = launch.first_x + group.x;
    const u64 v3 = (u64)v2 * (u64)v1;
    best = 0u;
    place = 0xffffffffu;
    const u32 v4 = thread_in_group;
    const u32 v5 = v4 * 4u;
    if (v5 < v1) {
        bool i_goes = true;
        for (u32 i = v5; i_goes; i_goes = v1 - i > 512u, i += 512u) {
            const u64 v6 = v3 + (u64)i;
            const bool v7 = (u64)v6 + 3 < launch.x_len;
            const u32x4 v8 = v7 ? *(device const u32x4*)(x + v6) : u32x4_of(0u, 0u, 0u, 0u);
            const f32 v9 = f32_of(v8.x);
            const f32 v10 = f32_of(v8.y);
            const f32 v11 = f32_of(v8.z);
            const f32 v12 = f32_of(v8.w);
            const u32 v13 = canonical(v9);
            const u32 v14 = v13 & 0x7fffffffu;
            if ((max_of(0u, v14) - 1u) >= 0xdffffffu) {
                join = 0.0f + v9;
            } else {
                const u32 v15 = v14 >> 23u;
                const bool v16 = 0u != v15;
                const u32 v17 = pick(v16, v15, 1u);
                const u32 v18 = pick(v16, (v14 & 0x7fffffu) | 0x800000u, v14) << 6u;
                const u32 v19 = min_of(v17 - 1u, 31u);
                const u32 v20 = 0u >> (v19 & 31u);
                const u32 v21 = v20 | ((0u != (v20 << (v19 & 31u))) ? 1u : 0u);
                const u32 v22 = 0x80000000u & v13;
                const u32 v23 = pick(0u == v22, v18 + v21, v18 - v21);
                const u32 v24 = leading_zeros(v23);
                const u32 v25 = v23 << (v24 & 31u);
                const u32 v26 = (2u + v17) - v24;
                const u32 v27 = min_signed(max_signed(1u - v26, 0u), 31u);
                const u32 v28 = v25 >> (v27 & 31u);
                const u32 v29 = v28 | ((v25 != (v28 << (v27 & 31u))) ? 1u : 0u);
                const u32 v30 = v29 >> 8u;
                const u32 v31 = pick((i32)v26 > (i32)254u, 0x7f800000u, ((max_signed(v26, 1u) - 1u) << 23u) + (v30 + ((((v29 & 255u) + (1u & v30)) > 128u) ? 1u : 0u)));
                join = f32_of(pick(0u == v23, 0u, v22 | v31));
            }
            const u32 v32 = canonical(join);
            const u32 v33 = chosen(v32 >= 0x80000000u, ~v32, 0x80000000u ^ v32);
            const u32 v34 = place;
            const u32 v35 = best;
            const bool v36 = (0xffffffffu == v34) || (v33 > v35);
            const u32 v37 = chosen(v36, v33, v35);
            const u32 v38 = pick(v36, i, v34);
            const u32 v39 = canonical(v10);
            const u32 v40 = 0x7fffffffu & v39;
            if ((max_of(0u, v40) - 1u) >= 0xdffffffu) {
                join_2 = 0.0f + v10;
            } else {
                const bool v41 = v40 > 0u;
                const u32 v42 = pick(v41, v39, 0u);
                const u32 v43 = pick(v41, 0u, v39);
                const u32 v44 = 0x7fffffffu & v42;
                const u32 v45 = v44 >> 23u;
                const bool v46 = 0u != v45;
                const u32 v47 = pick(v46, v45, 1u);
                const u32 v48 = 0x7fffffffu & v43;
                const u32 v49 = v48 >> 23u;
                const bool v50 = 0u != v49;
                const u32 v51 = pick(v46, (v44 & 0x7fffffu) | 0x800000u, v44) << 6u;
                const u32 v52 = pick(v50, 0x800000u | (0x7fffffu & v48), v48) << 6u;
                const u32 v53 = min_of(v47 - pick(v50, v49, 1u), 31u);
                const u32 v54 = v52 >> (v53 & 31u);
                const u32 v55 = v54 | ((v52 != (v54 << (v53 & 31u))) ? 1u : 0u);
                const u32 v56 = pick(0u == (0x80000000u & (v42 ^ v43)), v51 + v55, v51 - v55);
                const u32 v57 = leading_zeros(v56);
                const u32 v58 = v56 << (v57 & 31u);
                const u32 v59 = (2u + v47) - v57;
                const u32 v60 = min_signed(max_signed(1u - v59, 0u), 31u);
                const u32 v61 = v58 >> (v60 & 31u);
                const u32 v62 = v61 | ((v58 != (v61 << (v60 & 31u))) ? 1u : 0u);
                const u32 v63 = v62 >> 8u;
                const u32 v64 = pick((i32)v59 > (i32)254u, 0x7f800000u, ((max_signed(v59, 1u) - 1u) << 23u) + (v63 + ((((v62 & 255u) + (1u & v63)) > 128u) ? 1u : 0u)));
                join_2 = f32_of(pick(0u == v56, 0x80000000u & (v42 & v43), v64 | (0x80000000u & v42)));
            }
            const u32 v65 = canonical(join_2);
            const u32 v66 = chosen(v65 >= 0x80000000u, ~v65, 0x80000000u ^ v65);
            const bool v67 = (0xffffffffu == v38) || (v66 > v37);
            const u32 v68 = chosen(v67, v66, v37);
            const u32 v69 = pick(v67, 1u + i, v38);
            const u32 v70 = canonical(v11);
            const u32 v71 = 0x7fffffffu & v70;
            if ((max_of(0u, v71) - 1u) >= 0xdffffffu) {
                join_3 = 0.0f + v11;
            } else {
                const bool v72 = v71 > 0u;
                const u32 v73 = pick(v72, v70, 0u);
                const u32 v74 = pick(v72, 0u, v70);
                const u32 v75 = 0x7fffffffu & v73;
                const u32 v76 = v75 >> 23u;
                const bool v77 = 0u != v76;
                const u32 v78 = pick(v77, v76, 1u);
                const u32 v79 = 0x7fffffffu & v74;
                const u32 v80 = v79 >> 23u;
                const bool v81 = 0u != v80;
                const u32 v82 = pick(v77, (v75 & 0x7fffffu) | 0x800000u, v75) << 6u;
                const u32 v83 = pick(v81, 0x800000u | (0x7fffffu & v79), v79) << 6u;
                const u32 v84 = min_of(v78 - pick(v81, v80, 1u), 31u);
                const u32 v85 = v83 >> (v84 & 31u);
                const u32 v86 = v85 | ((v83 != (v85 << (v84 & 31u))) ? 1u : 0u);
                const u32 v87 = pick(0u == (0x80000000u & (v73 ^ v74)), v82 + v86, v82 - v86);
                const u32 v88 = leading_zeros(v87);
                const u32 v89 = v87 << (v88 & 31u);
                const u32 v90 = (2u + v78) - v88;
                const u32 v91 = min_signed(max_signed(1u - v90, 0u), 31u);
                const u32 v92 = v89 >> (v91 & 31u);
                const u32 v93 = v92 | ((v89 != (v92 << (v91 & 31u))) ? 1u : 0u);
                const u32 v94 = v93 >> 8u;
                const u32 v95 = pick((i32)v90 > (i32)254u, 0x7f800000u, ((max_signed(v90, 1u) - 1u) << 23u) + (v94 + ((((v93 & 255u) + (1u & v94)) > 128u) ? 1u : 0u)));
                join_3 = f32_of(pick(0u == v87, 0x80000000u & (v73 & v74), v95 | (0x80000000u & v73)));
            }
            const u32 v96 = canonical(join_3);
            const u32 v97 = chosen(v96 >= 0x80000000u, ~v96, 0x80000000u ^ v96);
            const bool v98 = (0xffffffffu == v69) || (v97 > v68);
            const u32 v99 = pick(v98, v97, v68);
            const u32 v100 = pick(v98, 2u + i, v69);
            const u32 v101 = canonical(v12);
            const u32 v102 = 0x7fffffffu & v101;
            if ((max_of(0u, v102) - 1u) >= 0xdffffffu) {
                join_4 = 0.0f + v12;
            } else {
                const bool v103 = v102 > 0u;
                const u32 v104 = pick(v103, v101, 0u);
                const u32 v105 = pick(v103, 0u, v101);
                const u32 v106 = 0x7fffffffu & v104;
                const u32 v107 = v106 >> 23u;
                const bool v108 = 0u != v107;
                const u32 v109 = pick(v108, v107, 1u);
                const u32 v110 = 0x7fffffffu & v105;
                const u32 v111 = v110 >> 23u;
                const bool v112 = 0u != v111;
                const u32 v113 = pick(v108, (v106 & 0x7fffffu) | 0x800000u, v106) << 6u;
                const u32 v114 = pick(v112, 0x800000u | (0x7fffffu & v110), v110) << 6u;
                const u32 v115 = min_of(v109 - pick(v112, v111, 1u), 31u);
                const u32 v116 = v114 >> (v115 & 31u);
                const u32 v117 = v116 | ((v114 != (v116 << (v115 & 31u))) ? 1u : 0u);
                const u32 v118 = pick(0u == (0x80000000u & (v104 ^ v105)), v113 + v117, v113 - v117);
                const u32 v119 = leading_zeros(v118);
                const u32 v120 = v118 << (v119 & 31u);
                const u32 v121 = (2u + v109) - v119;
                const u32 v122 = min_signed(max_signed(1u - v121, 0u), 31u);
                const u32 v123 = v120 >> (v122 & 31u);
                const u32 v124 = v123 | ((v120 != (v123 << (v122 & 31u))) ? 1u : 0u);
                const u32 v125 = v124 >> 8u;
                const u32 v126 = pick((i32)v121 > (i32)254u, 0x7f800000u, ((max_signed(v121, 1u) - 1u) << 23u) + (v125 + ((((v124 & 255u) + (1u & v125)) > 128u) ? 1u : 0u)));
                join_4 = f32_of(pick(0u == v118, 0x80000000u & (v104 & v105), v126 | (0x80000000u & v104)));
            }
            const u32 v127 = canonical(join_4);
            const u32 v128 = chosen(v127 >= 0x80000000u, ~v127, 0x80000000u ^ v127);
            const bool v129 = (0xffffffffu == v100) || (v128 > v99);
            best = pick(v129, v128, v99);
            place = pick(v129, 3u + i, v100);
        }
    }
    const u32 v130 = best;
    const u32 v131 = place;
    const u32 v132 = shuffle_xor(v130, 1u);
    const u32 v133 = max_of(v130, v132);
    const u32 v134 = shuffle_xor(v133, 2u);
    const u32 v135 = max_of(v133, v134);
    const u32 v136 = shuffle_xor(v135, 4u);
    const u32 v137 = max_of(v135, v136);
    const u32 v138 = shuffle_xor(v137, 8u);
    const u32 v139 = max_of(v137, v138);
    const u32 v140 = shuffle_xor(v139, 16u);
    const u32 v141 = shuffle(max_of(v139, v140), 0u);
    const u32 v142 = thread_in_group & 31u;
    const bool v143 = 0u == v142;
    if (v143) {
        const u32 v144 = thread_in_group >> 5u;
        parts[v144] = v141;
    }
    barrier();
    part = 0u;
    const bool v145 = v142 < 4u;
    if (v145) {
        const u32 v146 = parts[v142];
        part = v146;
    }
    const u32 v147 = part;
    const u32 v148 = shuffle_xor(v147, 1u);
    const u32 v149 = max_of(v147, v148);
    const u32 v150 = shuffle_xor(v149, 2u);
    const u32 v151 = max_of(v149, v150);
    const u32 v152 = shuffle_xor(v151, 4u);
    const u32 v153 = max_of(v151, v152);
    const u32 v154 = shuffle_xor(v153, 8u);
    const u32 v155 = max_of(v153, v154);
    const u32 v156 = shuffle_xor(v155, 16u);
    const u32 v157 = shuffle(max_of(v155, v156), 0u);
    const u32 v158 = chosen(v130 == v157, v131, 0xffffffffu);
    const u32 v159 = shuffle_xor(v158, 1u);
    const u32 v160 = min_of(v158, v159);
    const u32 v161 = shuffle_xor(v160, 2u);
    const u32 v162 = min_of(v160, v161);
    const u32 v163 = shuffle_xor(v162, 4u);
    const u32 v164 = min_of(v162, v163);
    const u32 v165 = shuffle_xor(v164, 8u);
    const u32 v166 = min_of(v164, v165);
    const u32 v167 = shuffle_xor(v166, 16u);
    const u32 v168 = shuffle(min_of(v166, v167), 0u);
    if (v143) {
        const u32 v169 = thread_in_group >> 5u;
        parts_2[v169] = v168;
    }
    barrier();
    part_2 = 0xffffffffu;
    if (v145) {
        const u32 v170 = parts_2[v142];
        part_2 = v170;
    }
    const u32 v171 = part_2;
    const u32 v172 = shuffle_xor(v171, 1u);
    const u32 v173 = min_of(v171, v172);
    const u32 v174 = shuffle_xor(v173, 2u);
    const u32 v175 = min_of(v173, v174);
    const u32 v176 = shuffle_xor(v175, 4u);
    const u32 v177 = min_of(v175, v176);
    const u32 v178 = shuffle_xor(v177, 8u);
    const u32 v179 = min_of(v177, v178);
    const u32 v180 = shuffle_xor(v179, 16u);
    const u32 v181 = shuffle(min_of(v179, v180), 0u);
    if (0u == v4) {
        if (v2 < launch.y_len) {
            y[v2] = v181;
        }
    }
}
