struct dequantize_launch {
    u32 first_x;
    u32 first_y;
    u32 rows;
    u32 parts;
    u32 k;
    u64 codes_len;
    u64 scales_len;
    u64 global_len;
    u64 w_len;
};
[[max_total_threads_per_threadgroup(256)]]
kernel void dequantize(
    device const u32* codes [[buffer(0)]],
    device const u8* scales [[buffer(1)]],
    device const f32* global_1 [[buffer(2)]],
    device u16* w [[buffer(3)]],
    constant dequantize_launch& launch [[buffer(4)]],
    uint thread_in_group [[thread_index_in_threadgroup]],
    uint3 group [[threadgroup_position_in_grid]]) {
    f32 join;
    f32 join_2;
    f32 join_3;
    f32 join_4;
    f32 join_5;
    f32 join_6;
    f32 join_7;
    f32 join_8;
    f32 join_9;
    f32 join_10;
    f32 join_11;
    f32 join_12;
    f32 join_13;
    f32 join_14;
    f32 join_15;
    f32 join_16;
    f32 join_17;
    f32 join_18;
    f32 join_19;
    f32 join_20;
    f32 join_21;
    f32 join_22;
    f32 join_23;
    f32 join_24;
    f32 join_25;
    const u32 v0 = launch.rows;
    const u32 v1 = launch.parts;
    const u32 v2 = launch.k;
    const u32 v3 = v2 & 0xfffffff8u;
    const u32 v4 = ((launch.first_x + group.x) * 256u + thread_in_group) * 8u;
    const u32 v5 = launch.first_y + group.y;
    if (v4 < v3) {
        const u64 v6 = (u64)v5;
        const u64 v7 = (v6 * (u64)((v3 + 15u) >> 4u)) + (u64)(v4 >> 4u);
        const u32 v8 = (v7 < launch.scales_len) ? scales[v7] : 0u;
        const u32 v9 = v8;
        const u32 v10 = v9 & 127u;
        const f32 v11 = f32_of(v10 | 0x46800000u);
        const u32 v12 = canonical(v11);
        const u32 v13 = v12 & 0x7fffffffu;
        if ((max_of(0x46800000u, v13) - 1u) >= 0xdffffffu) {
            join = v11 + (-16384.0f);
        } else {
            const bool v14 = v13 < 0x46800000u;
            const u32 v15 = pick(v14, 0xc6800000u, v12);
            const u32 v16 = pick(v14, v12, 0xc6800000u);
            const u32 v17 = 0x7fffffffu & v15;
            const u32 v18 = v17 >> 23u;
            const bool v19 = 0u != v18;
            const u32 v20 = pick(v19, v18, 1u);
            const u32 v21 = 0x7fffffffu & v16;
            const u32 v22 = v21 >> 23u;
            const bool v23 = 0u != v22;
            const u32 v24 = pick(v19, (v17 & 0x7fffffu) | 0x800000u, v17) << 6u;
            const u32 v25 = pick(v23, 0x800000u | (0x7fffffu & v21), v21) << 6u;
            const u32 v26 = min_of(v20 - pick(v23, v22, 1u), 31u);
            const u32 v27 = v25 >> (v26 & 31u);
            const u32 v28 = v27 | ((v25 != (v27 << (v26 & 31u))) ? 1u : 0u);
            const u32 v29 = pick(0u == (0x80000000u & (v15 ^ v16)), v24 + v28, v24 - v28);
            const u32 v30 = leading_zeros(v29);
            const u32 v31 = v29 << (v30 & 31u);
            const u32 v32 = (v20 + 2u) - v30;
            const u32 v33 = min_signed(max_signed(1u - v32, 0u), 31u);
            const u32 v34 = v31 >> (v33 & 31u);
            const u32 v35 = v34 | ((v31 != (v34 << (v33 & 31u))) ? 1u : 0u);
            const u32 v36 = v35 >> 8u;
            const u32 v37 = pick((i32)v32 > (i32)254u, 0x7f800000u, ((max_signed(v32, 1u) - 1u) << 23u) + (v36 + ((((v35 & 255u) + (1u & v36)) > 128u) ? 1u : 0u)));
            join = f32_of(pick(0u == v29, 0x80000000u & (v15 & v16), v37 | (0x80000000u & v15)));
        }
        const f32 v38 = f32_of(pick(127u == v10, 0x7fc00000u, pick(v10 < 8u, canonical(join), (v10 << 20u) + 0x3c000000u) | ((v9 & 128u) << 24u)));
        const u32 v39 = div_u32(min_of(v5, v0 - 1u), div_u32(v0, v1));
        const f32 v40 = (v39 < launch.global_len) ? global_1[v39] : 0.0f;
        const u64 v41 = (v6 * (u64)(4u * ((v3 + 31u) >> 5u))) + (u64)((4u * (v4 >> 5u)) + ((4u * (v4 & 31u)) >> 5u));
        const u32 v42 = (v41 < launch.codes_len) ? codes[v41] : 0u;
        const u32 v43 = 15u & v42;
        const u32 v44 = 15u & (v42 >> 4u);
        const u32 v45 = 15u & (v42 >> 8u);
        const u32 v46 = 15u & (v42 >> 12u);
        const u32 v47 = 15u & (v42 >> 16u);
        const u32 v48 = 15u & (v42 >> 20u);
        const u32 v49 = 15u & (v42 >> 24u);
        const u32 v50 = v42 >> 28u;
        const u32 v51 = 7u & v43;
        const f32 v52 = f32_of_u32(v51);
        const u32 v53 = bits_of(v52);
        const u32 v54 = 0x7fffffffu & v53;
        const u32 v55 = min_of(0x3f000000u, v54);
        const u32 v56 = v54 >> 23u;
        if (((v55 >= 0x800000u) && ((v56 + 126u) >= 130u)) || (0u == v55)) {
            join_2 = v52 * 0.5f;
        } else {
            const bool v57 = 0u != v56;
            const u32 v58 = pick(v57, 0x800000u | (v54 & 0x7fffffu), v54) << 8u;
            const u32 v59 = mul_high_u32(0x80000000u, v58);
            const u32 v60 = 0x80000000u * v58;
            const bool v61 = 0u == v59;
            const u32 v62 = pick(v61, v60, v59);
            const u32 v63 = pick(v61, 0u, v60);
            const u32 v64 = leading_zeros(v62);
            const u32 v65 = ((v62 << (v64 & 31u)) | ((v63 >> 1u) >> ((31u - v64) & 31u))) | ((0u != (v63 << (v64 & 31u))) ? 1u : 0u);
            const u32 v66 = ((126u + pick(v57, v56, 1u)) - 126u) - pick(v61, v64 + 32u, v64);
            const u32 v67 = min_signed(max_signed(1u - v66, 0u), 31u);
            const u32 v68 = v65 >> (v67 & 31u);
            const u32 v69 = v68 | ((v65 != (v68 << (v67 & 31u))) ? 1u : 0u);
            const u32 v70 = v69 >> 8u;
            const u32 v71 = pick((i32)v66 > (i32)254u, 0x7f800000u, ((max_signed(v66, 1u) - 1u) << 23u) + (v70 + ((((v69 & 255u) + (1u & v70)) > 128u) ? 1u : 0u)));
            const u32 v72 = max_of(0x3f000000u, v54);
            const f32 v73 = f32_of(pick(v72 > 0x7f800000u, 0x7fc00000u, pick(0x7f800000u == v72, 0x7f800000u, v71) | (0x80000000u & (0x3f000000u ^ v53))));
            join_2 = v73;
        }
        const f32 v74 = f32_of(pick(v51 < 2u, canonical(join_2), (v51 << 22u) + 0x3f000000u) | ((v43 >> 3u) << 31u));
        const u32 v75 = 7u & v44;
        const f32 v76 = f32_of_u32(v75);
        const u32 v77 = bits_of(v76);
        const u32 v78 = 0x7fffffffu & v77;
        const u32 v79 = min_of(0x3f000000u, v78);
        const u32 v80 = v78 >> 23u;
        if (((v79 >= 0x800000u) && ((126u + v80) >= 130u)) || (0u == v79)) {
            join_3 = 0.5f * v76;
        } else {
            const bool v81 = 0u != v80;
            const u32 v82 = pick(v81, 0x800000u | (v78 & 0x7fffffu), v78) << 8u;
            const u32 v83 = mul_high_u32(0x80000000u, v82);
            const u32 v84 = 0x80000000u * v82;
            const bool v85 = 0u == v83;
            const u32 v86 = pick(v85, v84, v83);
            const u32 v87 = pick(v85, 0u, v84);
            const u32 v88 = leading_zeros(v86);
            const u32 v89 = ((v86 << (v88 & 31u)) | ((v87 >> 1u) >> ((31u - v88) & 31u))) | ((0u != (v87 << (v88 & 31u))) ? 1u : 0u);
            const u32 v90 = ((126u + pick(v81, v80, 1u)) - 126u) - pick(v85, v88 + 32u, v88);
            const u32 v91 = min_signed(max_signed(1u - v90, 0u), 31u);
            const u32 v92 = v89 >> (v91 & 31u);
            const u32 v93 = v92 | ((v89 != (v92 << (v91 & 31u))) ? 1u : 0u);
            const u32 v94 = v93 >> 8u;
            const u32 v95 = pick((i32)v90 > (i32)254u, 0x7f800000u, ((max_signed(v90, 1u) - 1u) << 23u) + (v94 + ((((v93 & 255u) + (1u & v94)) > 128u) ? 1u : 0u)));
            const u32 v96 = max_of(0x3f000000u, v78);
            const f32 v97 = f32_of(pick(v96 > 0x7f800000u, 0x7fc00000u, pick(0x7f800000u == v96, 0x7f800000u, v95) | (0x80000000u & (0x3f000000u ^ v77))));
            join_3 = v97;
        }
        const f32 v98 = f32_of(pick(v75 < 2u, canonical(join_3), 0x3f000000u + (v75 << 22u)) | ((v44 >> 3u) << 31u));
        const u32 v99 = 7u & v45;
        const f32 v100 = f32_of_u32(v99);
        const u32 v101 = bits_of(v100);
        const u32 v102 = 0x7fffffffu & v101;
        const u32 v103 = min_of(0x3f000000u, v102);
        const u32 v104 = v102 >> 23u;
        if (((v103 >= 0x800000u) && ((126u + v104) >= 130u)) || (0u == v103)) {
            join_4 = 0.5f * v100;
        } else {
            const bool v105 = 0u != v104;
            const u32 v106 = pick(v105, 0x800000u | (v102 & 0x7fffffu), v102) << 8u;
            const u32 v107 = mul_high_u32(0x80000000u, v106);
            const u32 v108 = 0x80000000u * v106;
            const bool v109 = 0u == v107;
            const u32 v110 = pick(v109, v108, v107);
            const u32 v111 = pick(v109, 0u, v108);
            const u32 v112 = leading_zeros(v110);
            const u32 v113 = ((v110 << (v112 & 31u)) | ((v111 >> 1u) >> ((31u - v112) & 31u))) | ((0u != (v111 << (v112 & 31u))) ? 1u : 0u);
            const u32 v114 = ((126u + pick(v105, v104, 1u)) - 126u) - pick(v109, v112 + 32u, v112);
            const u32 v115 = min_signed(max_signed(1u - v114, 0u), 31u);
            const u32 v116 = v113 >> (v115 & 31u);
            const u32 v117 = v116 | ((v113 != (v116 << (v115 & 31u))) ? 1u : 0u);
            const u32 v118 = v117 >> 8u;
            const u32 v119 = pick((i32)v114 > (i32)254u, 0x7f800000u, ((max_signed(v114, 1u) - 1u) << 23u) + (v118 + ((((v117 & 255u) + (1u & v118)) > 128u) ? 1u : 0u)));
            const u32 v120 = max_of(0x3f000000u, v102);
            const u32 v121 = pick(v120 > 0x7f800000u, 0x7fc00000u, pick(0x7f800000u == v120, 0x7f800000u, v119) | (0x80000000u & (0x3f000000u ^ v101)));
            join_4 = f32_of(v121);
        }
        const f32 v122 = f32_of(pick(v99 < 2u, canonical(join_4), 0x3f000000u + (v99 << 22u)) | ((v45 >> 3u) << 31u));
        const u32 v123 = 7u & v46;
        const f32 v124 = f32_of_u32(v123);
        const u32 v125 = bits_of(v124);
        const u32 v126 = 0x7fffffffu & v125;
        const u32 v127 = min_of(0x3f000000u, v126);
        const u32 v128 = v126 >> 23u;
        if (((v127 >= 0x800000u) && ((126u + v128) >= 130u)) || (0u == v127)) {
            join_5 = 0.5f * v124;
        } else {
            const bool v129 = 0u != v128;
            const u32 v130 = pick(v129, 0x800000u | (v126 & 0x7fffffu), v126) << 8u;
            const u32 v131 = mul_high_u32(0x80000000u, v130);
            const u32 v132 = 0x80000000u * v130;
            const bool v133 = 0u == v131;
            const u32 v134 = pick(v133, v132, v131);
            const u32 v135 = pick(v133, 0u, v132);
            const u32 v136 = leading_zeros(v134);
            const u32 v137 = ((v134 << (v136 & 31u)) | ((v135 >> 1u) >> ((31u - v136) & 31u))) | ((0u != (v135 << (v136 & 31u))) ? 1u : 0u);
            const u32 v138 = ((126u + pick(v129, v128, 1u)) - 126u) - pick(v133, v136 + 32u, v136);
            const u32 v139 = min_signed(max_signed(1u - v138, 0u), 31u);
            const u32 v140 = v137 >> (v139 & 31u);
            const u32 v141 = v140 | ((v137 != (v140 << (v139 & 31u))) ? 1u : 0u);
            const u32 v142 = v141 >> 8u;
            const u32 v143 = pick((i32)v138 > (i32)254u, 0x7f800000u, ((max_signed(v138, 1u) - 1u) << 23u) + (v142 + ((((v141 & 255u) + (1u & v142)) > 128u) ? 1u : 0u)));
            const u32 v144 = max_of(0x3f000000u, v126);
            const u32 v145 = pick(v144 > 0x7f800000u, 0x7fc00000u, pick(0x7f800000u == v144, 0x7f800000u, v143) | (0x80000000u & (0x3f000000u ^ v125)));
            join_5 = f32_of(v145);
        }
        const f32 v146 = f32_of(pick(v123 < 2u, canonical(join_5), 0x3f000000u + (v123 << 22u)) | ((v46 >> 3u) << 31u));
        const u32 v147 = 7u & v47;
        const f32 v148 = f32_of_u32(v147);
        const u32 v149 = bits_of(v148);
        const u32 v150 = 0x7fffffffu & v149;
        const u32 v151 = min_of(0x3f000000u, v150);
        const u32 v152 = v150 >> 23u;
        if (((v151 >= 0x800000u) && ((126u + v152) >= 130u)) || (0u == v151)) {
            join_6 = 0.5f * v148;
        } else {
            const bool v153 = 0u != v152;
            const u32 v154 = pick(v153, 0x800000u | (v150 & 0x7fffffu), v150) << 8u;
            const u32 v155 = mul_high_u32(0x80000000u, v154);
            const u32 v156 = 0x80000000u * v154;
            const bool v157 = 0u == v155;
            const u32 v158 = pick(v157, v156, v155);
            const u32 v159 = pick(v157, 0u, v156);
            const u32 v160 = leading_zeros(v158);
            const u32 v161 = ((v158 << (v160 & 31u)) | ((v159 >> 1u) >> ((31u - v160) & 31u))) | ((0u != (v159 << (v160 & 31u))) ? 1u : 0u);
            const u32 v162 = ((126u + pick(v153, v152, 1u)) - 126u) - pick(v157, v160 + 32u, v160);
            const u32 v163 = min_signed(max_signed(1u - v162, 0u), 31u);
            const u32 v164 = v161 >> (v163 & 31u);
            const u32 v165 = v164 | ((v161 != (v164 << (v163 & 31u))) ? 1u : 0u);
            const u32 v166 = v165 >> 8u;
            const u32 v167 = pick((i32)v162 > (i32)254u, 0x7f800000u, ((max_signed(v162, 1u) - 1u) << 23u) + (v166 + ((((v165 & 255u) + (1u & v166)) > 128u) ? 1u : 0u)));
            const u32 v168 = max_of(0x3f000000u, v150);
            const u32 v169 = pick(v168 > 0x7f800000u, 0x7fc00000u, pick(0x7f800000u == v168, 0x7f800000u, v167) | (0x80000000u & (0x3f000000u ^ v149)));
            join_6 = f32_of(v169);
        }
        const f32 v170 = f32_of(pick(v147 < 2u, canonical(join_6), 0x3f000000u + (v147 << 22u)) | ((v47 >> 3u) << 31u));
        const u32 v171 = 7u & v48;
        const f32 v172 = f32_of_u32(v171);
        const u32 v173 = bits_of(v172);
        const u32 v174 = 0x7fffffffu & v173;
        const u32 v175 = min_of(0x3f000000u, v174);
        const u32 v176 = v174 >> 23u;
        if (((v175 >= 0x800000u) && ((126u + v176) >= 130u)) || (0u == v175)) {
            join_7 = 0.5f * v172;
        } else {
            const bool v177 = 0u != v176;
            const u32 v178 = pick(v177, 0x800000u | (v174 & 0x7fffffu), v174) << 8u;
            const u32 v179 = mul_high_u32(0x80000000u, v178);
            const u32 v180 = 0x80000000u * v178;
            const bool v181 = 0u == v179;
            const u32 v182 = pick(v181, v180, v179);
            const u32 v183 = pick(v181, 0u, v180);
            const u32 v184 = leading_zeros(v182);
            const u32 v185 = ((v182 << (v184 & 31u)) | ((v183 >> 1u) >> ((31u - v184) & 31u))) | ((0u != (v183 << (v184 & 31u))) ? 1u : 0u);
            const u32 v186 = ((126u + pick(v177, v176, 1u)) - 126u) - pick(v181, v184 + 32u, v184);
            const u32 v187 = min_signed(max_signed(1u - v186, 0u), 31u);
            const u32 v188 = v185 >> (v187 & 31u);
            const u32 v189 = v188 | ((v185 != (v188 << (v187 & 31u))) ? 1u : 0u);
            const u32 v190 = v189 >> 8u;
            const u32 v191 = pick((i32)v186 > (i32)254u, 0x7f800000u, ((max_signed(v186, 1u) - 1u) << 23u) + (v190 + ((((v189 & 255u) + (1u & v190)) > 128u) ? 1u : 0u)));
            const u32 v192 = max_of(0x3f000000u, v174);
            const u32 v193 = pick(v192 > 0x7f800000u, 0x7fc00000u, pick(0x7f800000u == v192, 0x7f800000u, v191) | (0x80000000u & (0x3f000000u ^ v173)));
            join_7 = f32_of(v193);
        }
        const f32 v194 = f32_of(pick(v171 < 2u, canonical(join_7), 0x3f000000u + (v171 << 22u)) | ((v48 >> 3u) << 31u));
        const u32 v195 = 7u & v49;
        const f32 v196 = f32_of_u32(v195);
        const u32 v197 = bits_of(v196);
        const u32 v198 = 0x7fffffffu & v197;
        const u32 v199 = min_of(0x3f000000u, v198);
        const u32 v200 = v198 >> 23u;
        if (((v199 >= 0x800000u) && ((126u + v200) >= 130u)) || (0u == v199)) {
            join_8 = 0.5f * v196;
        } else {
            const bool v201 = 0u != v200;
            const u32 v202 = pick(v201, 0x800000u | (v198 & 0x7fffffu), v198) << 8u;
            const u32 v203 = mul_high_u32(0x80000000u, v202);
            const u32 v204 = 0x80000000u * v202;
            const bool v205 = 0u == v203;
            const u32 v206 = pick(v205, v204, v203);
            const u32 v207 = pick(v205, 0u, v204);
            const u32 v208 = leading_zeros(v206);
            const u32 v209 = ((v206 << (v208 & 31u)) | ((v207 >> 1u) >> ((31u - v208) & 31u))) | ((0u != (v207 << (v208 & 31u))) ? 1u : 0u);
            const u32 v210 = ((126u + pick(v201, v200, 1u)) - 126u) - pick(v205, v208 + 32u, v208);
            const u32 v211 = min_signed(max_signed(1u - v210, 0u), 31u);
            const u32 v212 = v209 >> (v211 & 31u);
            const u32 v213 = v212 | ((v209 != (v212 << (v211 & 31u))) ? 1u : 0u);
            const u32 v214 = v213 >> 8u;
            const u32 v215 = pick((i32)v210 > (i32)254u, 0x7f800000u, ((max_signed(v210, 1u) - 1u) << 23u) + (v214 + ((((v213 & 255u) + (1u & v214)) > 128u) ? 1u : 0u)));
            const u32 v216 = max_of(0x3f000000u, v198);
            const u32 v217 = pick(v216 > 0x7f800000u, 0x7fc00000u, pick(0x7f800000u == v216, 0x7f800000u, v215) | (0x80000000u & (0x3f000000u ^ v197)));
            join_8 = f32_of(v217);
        }
        const f32 v218 = f32_of(pick(v195 < 2u, canonical(join_8), 0x3f000000u + (v195 << 22u)) | ((v49 >> 3u) << 31u));
        const u32 v219 = 7u & v50;
        const f32 v220 = f32_of_u32(v219);
        const u32 v221 = bits_of(v220);
        const u32 v222 = 0x7fffffffu & v221;
        const u32 v223 = min_of(0x3f000000u, v222);
        const u32 v224 = v222 >> 23u;
        if (((v223 >= 0x800000u) && ((126u + v224) >= 130u)) || (0u == v223)) {
            join_9 = 0.5f * v220;
        } else {
            const bool v225 = 0u != v224;
            const u32 v226 = pick(v225, 0x800000u | (v222 & 0x7fffffu), v222) << 8u;
            const u32 v227 = mul_high_u32(0x80000000u, v226);
            const u32 v228 = 0x80000000u * v226;
            const bool v229 = 0u == v227;
            const u32 v230 = pick(v229, v228, v227);
            const u32 v231 = pick(v229, 0u, v228);
            const u32 v232 = leading_zeros(v230);
            const u32 v233 = ((v230 << (v232 & 31u)) | ((v231 >> 1u) >> ((31u - v232) & 31u))) | ((0u != (v231 << (v232 & 31u))) ? 1u : 0u);
            const u32 v234 = ((126u + pick(v225, v224, 1u)) - 126u) - pick(v229, v232 + 32u, v232);
            const u32 v235 = min_signed(max_signed(1u - v234, 0u), 31u);
            const u32 v236 = v233 >> (v235 & 31u);
            const u32 v237 = v236 | ((v233 != (v236 << (v235 & 31u))) ? 1u : 0u);
            const u32 v238 = v237 >> 8u;
            const u32 v239 = pick((i32)v234 > (i32)254u, 0x7f800000u, ((max_signed(v234, 1u) - 1u) << 23u) + (v238 + ((((v237 & 255u) + (1u & v238)) > 128u) ? 1u : 0u)));
            const u32 v240 = max_of(0x3f000000u, v222);
            const u32 v241 = pick(v240 > 0x7f800000u, 0x7fc00000u, pick(0x7f800000u == v240, 0x7f800000u, v239) | (0x80000000u & (0x3f000000u ^ v221)));
            join_9 = f32_of(v241);
        }
        const f32 v242 = f32_of(pick(v219 < 2u, canonical(join_9), 0x3f000000u + (v219 << 22u)) | ((v50 >> 3u) << 31u));
        const u32 v243 = canonical(v38);
        const u32 v244 = canonical(v74);
        const u32 v245 = 0x7fffffffu & v243;
        const u32 v246 = 0x7fffffffu & v244;
        const u32 v247 = min_of(v245, v246);
        const u32 v248 = v245 >> 23u;
        const u32 v249 = v246 >> 23u;
        if (((v247 >= 0x800000u) && ((v248 + v249) >= 130u)) || (0u == v247)) {
            join_10 = v38 * v74;
        } else {
            const bool v250 = 0u != v248;
            const bool v251 = 0u != v249;
            const u32 v252 = pick(v250, 0x800000u | (v245 & 0x7fffffu), v245) << 8u;
            const u32 v253 = pick(v251, 0x800000u | (v246 & 0x7fffffu), v246) << 8u;
            const u32 v254 = mul_high_u32(v252, v253);
            const u32 v255 = v252 * v253;
            const bool v256 = 0u == v254;
            const u32 v257 = pick(v256, v255, v254);
            const u32 v258 = pick(v256, 0u, v255);
            const u32 v259 = leading_zeros(v257);
            const u32 v260 = ((v257 << (v259 & 31u)) | ((v258 >> 1u) >> ((31u - v259) & 31u))) | ((0u != (v258 << (v259 & 31u))) ? 1u : 0u);
            const u32 v261 = ((pick(v250, v248, 1u) + pick(v251, v249, 1u)) - 126u) - pick(v256, v259 + 32u, v259);
            const u32 v262 = min_signed(max_signed(1u - v261, 0u), 31u);
            const u32 v263 = v260 >> (v262 & 31u);
            const u32 v264 = v263 | ((v260 != (v263 << (v262 & 31u))) ? 1u : 0u);
            const u32 v265 = v264 >> 8u;
            const u32 v266 = pick((i32)v261 > (i32)254u, 0x7f800000u, ((max_signed(v261, 1u) - 1u) << 23u) + (v265 + ((((v264 & 255u) + (1u & v265)) > 128u) ? 1u : 0u)));
            const u32 v267 = max_of(v245, v246);
            const f32 v268 = f32_of(pick(v267 > 0x7f800000u, 0x7fc00000u, pick(0x7f800000u == v267, 0x7f800000u, v266) | (0x80000000u & (v243 ^ v244))));
            join_10 = v268;
        }
        const f32 v269 = join_10;
        const u32 v270 = canonical(v40);
        const u32 v271 = canonical(v269);
        const u32 v272 = 0x7fffffffu & v270;
        const u32 v273 = 0x7fffffffu & v271;
        const u32 v274 = min_of(v272, v273);
        const u32 v275 = v272 >> 23u;
        const u32 v276 = v273 >> 23u;
        if (((v274 >= 0x800000u) && ((v275 + v276) >= 130u)) || (0u == v274)) {
            join_11 = v40 * v269;
        } else {
            const bool v277 = 0u != v275;
            const bool v278 = 0u != v276;
            const u32 v279 = pick(v277, 0x800000u | (v272 & 0x7fffffu), v272) << 8u;
            const u32 v280 = chosen(v278, 0x800000u | (v273 & 0x7fffffu), v273) << 8u;
            const u32 v281 = mul_high_u32(v279, v280);
            const u32 v282 = v279 * v280;
            const bool v283 = 0u == v281;
            const u32 v284 = pick(v283, v282, v281);
            const u32 v285 = pick(v283, 0u, v282);
            const u32 v286 = leading_zeros(v284);
            const u32 v287 = ((v284 << (v286 & 31u)) | ((v285 >> 1u) >> ((31u - v286) & 31u))) | ((0u != (v285 << (v286 & 31u))) ? 1u : 0u);
            const u32 v288 = ((pick(v277, v275, 1u) + chosen(v278, v276, 1u)) - 126u) - pick(v283, v286 + 32u, v286);
            const u32 v289 = min_signed(max_signed(1u - v288, 0u), 31u);
            const u32 v290 = v287 >> (v289 & 31u);
            const u32 v291 = v290 | ((v287 != (v290 << (v289 & 31u))) ? 1u : 0u);
            const u32 v292 = v291 >> 8u;
            const u32 v293 = pick((i32)v288 > (i32)254u, 0x7f800000u, ((max_signed(v288, 1u) - 1u) << 23u) + (v292 + ((((v291 & 255u) + (1u & v292)) > 128u) ? 1u : 0u)));
            const u32 v294 = max_of(v272, v273);
            const f32 v295 = f32_of(pick(v294 > 0x7f800000u, 0x7fc00000u, pick(0x7f800000u == v294, 0x7f800000u, v293) | (0x80000000u & (v270 ^ v271))));
            join_11 = v295;
        }
        const f32 v296 = join_11;
        const u32 v297 = canonical(v98);
        const u32 v298 = 0x7fffffffu & v297;
        const u32 v299 = min_of(v245, v298);
        const u32 v300 = v298 >> 23u;
        if (((v299 >= 0x800000u) && ((v248 + v300) >= 130u)) || (0u == v299)) {
            join_12 = v38 * v98;
        } else {
            const bool v301 = 0u != v248;
            const bool v302 = 0u != v300;
            const u32 v303 = pick(v301, 0x800000u | (v245 & 0x7fffffu), v245) << 8u;
            const u32 v304 = pick(v302, 0x800000u | (v298 & 0x7fffffu), v298) << 8u;
            const u32 v305 = mul_high_u32(v303, v304);
            const u32 v306 = v303 * v304;
            const bool v307 = 0u == v305;
            const u32 v308 = pick(v307, v306, v305);
            const u32 v309 = pick(v307, 0u, v306);
            const u32 v310 = leading_zeros(v308);
            const u32 v311 = ((v308 << (v310 & 31u)) | ((v309 >> 1u) >> ((31u - v310) & 31u))) | ((0u != (v309 << (v310 & 31u))) ? 1u : 0u);
            const u32 v312 = ((pick(v301, v248, 1u) + pick(v302, v300, 1u)) - 126u) - pick(v307, v310 + 32u, v310);
            const u32 v313 = min_signed(max_signed(1u - v312, 0u), 31u);
            const u32 v314 = v311 >> (v313 & 31u);
            const u32 v315 = v314 | ((v311 != (v314 << (v313 & 31u))) ? 1u : 0u);
            const u32 v316 = v315 >> 8u;
            const u32 v317 = pick((i32)v312 > (i32)254u, 0x7f800000u, ((max_signed(v312, 1u) - 1u) << 23u) + (v316 + ((((v315 & 255u) + (1u & v316)) > 128u) ? 1u : 0u)));
            const u32 v318 = max_of(v245, v298);
            const f32 v319 = f32_of(pick(v318 > 0x7f800000u, 0x7fc00000u, pick(0x7f800000u == v318, 0x7f800000u, v317) | (0x80000000u & (v243 ^ v297))));
            join_12 = v319;
        }
        const f32 v320 = join_12;
        const u32 v321 = canonical(v320);
        const u32 v322 = 0x7fffffffu & v321;
        const u32 v323 = min_of(v272, v322);
        const u32 v324 = v322 >> 23u;
        if (((v323 >= 0x800000u) && ((v275 + v324) >= 130u)) || (0u == v323)) {
            join_13 = v40 * v320;
        } else {
            const bool v325 = 0u != v275;
            const bool v326 = 0u != v324;
            const u32 v327 = pick(v325, 0x800000u | (v272 & 0x7fffffu), v272) << 8u;
            const u32 v328 = chosen(v326, 0x800000u | (v322 & 0x7fffffu), v322) << 8u;
            const u32 v329 = mul_high_u32(v327, v328);
            const u32 v330 = v327 * v328;
            const bool v331 = 0u == v329;
            const u32 v332 = pick(v331, v330, v329);
            const u32 v333 = pick(v331, 0u, v330);
            const u32 v334 = leading_zeros(v332);
            const u32 v335 = ((v332 << (v334 & 31u)) | ((v333 >> 1u) >> ((31u - v334) & 31u))) | ((0u != (v333 << (v334 & 31u))) ? 1u : 0u);
            const u32 v336 = ((pick(v325, v275, 1u) + chosen(v326, v324, 1u)) - 126u) - pick(v331, v334 + 32u, v334);
            const u32 v337 = min_signed(max_signed(1u - v336, 0u), 31u);
            const u32 v338 = v335 >> (v337 & 31u);
            const u32 v339 = v338 | ((v335 != (v338 << (v337 & 31u))) ? 1u : 0u);
            const u32 v340 = v339 >> 8u;
            const u32 v341 = pick((i32)v336 > (i32)254u, 0x7f800000u, ((max_signed(v336, 1u) - 1u) << 23u) + (v340 + ((((v339 & 255u) + (1u & v340)) > 128u) ? 1u : 0u)));
            const u32 v342 = max_of(v272, v322);
            const f32 v343 = f32_of(pick(v342 > 0x7f800000u, 0x7fc00000u, pick(0x7f800000u == v342, 0x7f800000u, v341) | (0x80000000u & (v270 ^ v321))));
            join_13 = v343;
        }
        const f32 v344 = join_13;
        const u32 v345 = canonical(v122);
        const u32 v346 = 0x7fffffffu & v345;
        const u32 v347 = min_of(v245, v346);
        const u32 v348 = v346 >> 23u;
        if (((v347 >= 0x800000u) && ((v248 + v348) >= 130u)) || (0u == v347)) {
            join_14 = v38 * v122;
        } else {
            const bool v349 = 0u != v248;
            const bool v350 = 0u != v348;
            const u32 v351 = pick(v349, 0x800000u | (v245 & 0x7fffffu), v245) << 8u;
            const u32 v352 = pick(v350, 0x800000u | (v346 & 0x7fffffu), v346) << 8u;
            const u32 v353 = mul_high_u32(v351, v352);
            const u32 v354 = v351 * v352;
            const bool v355 = 0u == v353;
            const u32 v356 = pick(v355, v354, v353);
            const u32 v357 = pick(v355, 0u, v354);
            const u32 v358 = leading_zeros(v356);
            const u32 v359 = ((v356 << (v358 & 31u)) | ((v357 >> 1u) >> ((31u - v358) & 31u))) | ((0u != (v357 << (v358 & 31u))) ? 1u : 0u);
            const u32 v360 = ((pick(v349, v248, 1u) + pick(v350, v348, 1u)) - 126u) - pick(v355, v358 + 32u, v358);
            const u32 v361 = min_signed(max_signed(1u - v360, 0u), 31u);
            const u32 v362 = v359 >> (v361 & 31u);
            const u32 v363 = v362 | ((v359 != (v362 << (v361 & 31u))) ? 1u : 0u);
            const u32 v364 = v363 >> 8u;
            const u32 v365 = pick((i32)v360 > (i32)254u, 0x7f800000u, ((max_signed(v360, 1u) - 1u) << 23u) + (v364 + ((((v363 & 255u) + (1u & v364)) > 128u) ? 1u : 0u)));
            const u32 v366 = max_of(v245, v346);
            const f32 v367 = f32_of(pick(v366 > 0x7f800000u, 0x7fc00000u, pick(0x7f800000u == v366, 0x7f800000u, v365) | (0x80000000u & (v243 ^ v345))));
            join_14 = v367;
        }
        const f32 v368 = join_14;
        const u32 v369 = canonical(v368);
        const u32 v370 = 0x7fffffffu & v369;
        const u32 v371 = min_of(v272, v370);
        const u32 v372 = v370 >> 23u;
        if (((v371 >= 0x800000u) && ((v275 + v372) >= 130u)) || (0u == v371)) {
            join_15 = v40 * v368;
        } else {
            const bool v373 = 0u != v275;
            const bool v374 = 0u != v372;
            const u32 v375 = pick(v373, 0x800000u | (v272 & 0x7fffffu), v272) << 8u;
            const u32 v376 = chosen(v374, 0x800000u | (v370 & 0x7fffffu), v370) << 8u;
            const u32 v377 = mul_high_u32(v375, v376);
            const u32 v378 = v375 * v376;
            const bool v379 = 0u == v377;
            const u32 v380 = pick(v379, v378, v377);
            const u32 v381 = pick(v379, 0u, v378);
            const u32 v382 = leading_zeros(v380);
            const u32 v383 = ((v380 << (v382 & 31u)) | ((v381 >> 1u) >> ((31u - v382) & 31u))) | ((0u != (v381 << (v382 & 31u))) ? 1u : 0u);
            const u32 v384 = ((pick(v373, v275, 1u) + chosen(v374, v372, 1u)) - 126u) - pick(v379, v382 + 32u, v382);
            const u32 v385 = min_signed(max_signed(1u - v384, 0u), 31u);
            const u32 v386 = v383 >> (v385 & 31u);
            const u32 v387 = v386 | ((v383 != (v386 << (v385 & 31u))) ? 1u : 0u);
            const u32 v388 = v387 >> 8u;
            const u32 v389 = pick((i32)v384 > (i32)254u, 0x7f800000u, ((max_signed(v384, 1u) - 1u) << 23u) + (v388 + ((((v387 & 255u) + (1u & v388)) > 128u) ? 1u : 0u)));
            const u32 v390 = max_of(v272, v370);
            const f32 v391 = f32_of(pick(v390 > 0x7f800000u, 0x7fc00000u, pick(0x7f800000u == v390, 0x7f800000u, v389) | (0x80000000u & (v270 ^ v369))));
            join_15 = v391;
        }
        const f32 v392 = join_15;
        const u32 v393 = canonical(v146);
        const u32 v394 = 0x7fffffffu & v393;
        const u32 v395 = min_of(v245, v394);
        const u32 v396 = v394 >> 23u;
        if (((v395 >= 0x800000u) && ((v248 + v396) >= 130u)) || (0u == v395)) {
            join_16 = v38 * v146;
        } else {
            const bool v397 = 0u != v248;
            const bool v398 = 0u != v396;
            const u32 v399 = pick(v397, 0x800000u | (v245 & 0x7fffffu), v245) << 8u;
            const u32 v400 = pick(v398, 0x800000u | (v394 & 0x7fffffu), v394) << 8u;
            const u32 v401 = mul_high_u32(v399, v400);
            const u32 v402 = v399 * v400;
            const bool v403 = 0u == v401;
            const u32 v404 = pick(v403, v402, v401);
            const u32 v405 = pick(v403, 0u, v402);
            const u32 v406 = leading_zeros(v404);
            const u32 v407 = ((v404 << (v406 & 31u)) | ((v405 >> 1u) >> ((31u - v406) & 31u))) | ((0u != (v405 << (v406 & 31u))) ? 1u : 0u);
            const u32 v408 = ((pick(v397, v248, 1u) + pick(v398, v396, 1u)) - 126u) - pick(v403, v406 + 32u, v406);
            const u32 v409 = min_signed(max_signed(1u - v408, 0u), 31u);
            const u32 v410 = v407 >> (v409 & 31u);
            const u32 v411 = v410 | ((v407 != (v410 << (v409 & 31u))) ? 1u : 0u);
            const u32 v412 = v411 >> 8u;
            const u32 v413 = pick((i32)v408 > (i32)254u, 0x7f800000u, ((max_signed(v408, 1u) - 1u) << 23u) + (v412 + ((((v411 & 255u) + (1u & v412)) > 128u) ? 1u : 0u)));
            const u32 v414 = max_of(v245, v394);
            const f32 v415 = f32_of(pick(v414 > 0x7f800000u, 0x7fc00000u, pick(0x7f800000u == v414, 0x7f800000u, v413) | (0x80000000u & (v243 ^ v393))));
            join_16 = v415;
        }
        const f32 v416 = join_16;
        const u32 v417 = canonical(v416);
        const u32 v418 = 0x7fffffffu & v417;
        const u32 v419 = min_of(v272, v418);
        const u32 v420 = v418 >> 23u;
        if (((v419 >= 0x800000u) && ((v275 + v420) >= 130u)) || (0u == v419)) {
            join_17 = v40 * v416;
        } else {
            const bool v421 = 0u != v275;
            const bool v422 = 0u != v420;
            const u32 v423 = pick(v421, 0x800000u | (v272 & 0x7fffffu), v272) << 8u;
            const u32 v424 = chosen(v422, 0x800000u | (v418 & 0x7fffffu), v418) << 8u;
            const u32 v425 = mul_high_u32(v423, v424);
            const u32 v426 = v423 * v424;
            const bool v427 = 0u == v425;
            const u32 v428 = pick(v427, v426, v425);
            const u32 v429 = pick(v427, 0u, v426);
            const u32 v430 = leading_zeros(v428);
            const u32 v431 = ((v428 << (v430 & 31u)) | ((v429 >> 1u) >> ((31u - v430) & 31u))) | ((0u != (v429 << (v430 & 31u))) ? 1u : 0u);
            const u32 v432 = ((pick(v421, v275, 1u) + chosen(v422, v420, 1u)) - 126u) - pick(v427, v430 + 32u, v430);
            const u32 v433 = min_signed(max_signed(1u - v432, 0u), 31u);
            const u32 v434 = v431 >> (v433 & 31u);
            const u32 v435 = v434 | ((v431 != (v434 << (v433 & 31u))) ? 1u : 0u);
            const u32 v436 = v435 >> 8u;
            const u32 v437 = pick((i32)v432 > (i32)254u, 0x7f800000u, ((max_signed(v432, 1u) - 1u) << 23u) + (v436 + ((((v435 & 255u) + (1u & v436)) > 128u) ? 1u : 0u)));
            const u32 v438 = max_of(v272, v418);
            const f32 v439 = f32_of(pick(v438 > 0x7f800000u, 0x7fc00000u, pick(0x7f800000u == v438, 0x7f800000u, v437) | (0x80000000u & (v270 ^ v417))));
            join_17 = v439;
        }
        const f32 v440 = join_17;
        const u32 v441 = canonical(v170);
        const u32 v442 = 0x7fffffffu & v441;
        const u32 v443 = min_of(v245, v442);
        const u32 v444 = v442 >> 23u;
        if (((v443 >= 0x800000u) && ((v248 + v444) >= 130u)) || (0u == v443)) {
            join_18 = v38 * v170;
        } else {
            const bool v445 = 0u != v248;
            const bool v446 = 0u != v444;
            const u32 v447 = pick(v445, 0x800000u | (v245 & 0x7fffffu), v245) << 8u;
            const u32 v448 = pick(v446, 0x800000u | (v442 & 0x7fffffu), v442) << 8u;
            const u32 v449 = mul_high_u32(v447, v448);
            const u32 v450 = v447 * v448;
            const bool v451 = 0u == v449;
            const u32 v452 = pick(v451, v450, v449);
            const u32 v453 = pick(v451, 0u, v450);
            const u32 v454 = leading_zeros(v452);
            const u32 v455 = ((v452 << (v454 & 31u)) | ((v453 >> 1u) >> ((31u - v454) & 31u))) | ((0u != (v453 << (v454 & 31u))) ? 1u : 0u);
            const u32 v456 = ((pick(v445, v248, 1u) + pick(v446, v444, 1u)) - 126u) - pick(v451, v454 + 32u, v454);
            const u32 v457 = min_signed(max_signed(1u - v456, 0u), 31u);
            const u32 v458 = v455 >> (v457 & 31u);
            const u32 v459 = v458 | ((v455 != (v458 << (v457 & 31u))) ? 1u : 0u);
            const u32 v460 = v459 >> 8u;
            const u32 v461 = pick((i32)v456 > (i32)254u, 0x7f800000u, ((max_signed(v456, 1u) - 1u) << 23u) + (v460 + ((((v459 & 255u) + (1u & v460)) > 128u) ? 1u : 0u)));
            const u32 v462 = max_of(v245, v442);
            const f32 v463 = f32_of(pick(v462 > 0x7f800000u, 0x7fc00000u, pick(0x7f800000u == v462, 0x7f800000u, v461) | (0x80000000u & (v243 ^ v441))));
            join_18 = v463;
        }
        const f32 v464 = join_18;
        const u32 v465 = canonical(v464);
        const u32 v466 = 0x7fffffffu & v465;
        const u32 v467 = min_of(v272, v466);
        const u32 v468 = v466 >> 23u;
        if (((v467 >= 0x800000u) && ((v275 + v468) >= 130u)) || (0u == v467)) {
            join_19 = v40 * v464;
        } else {
            const bool v469 = 0u != v275;
            const bool v470 = 0u != v468;
            const u32 v471 = pick(v469, 0x800000u | (v272 & 0x7fffffu), v272) << 8u;
            const u32 v472 = chosen(v470, 0x800000u | (v466 & 0x7fffffu), v466) << 8u;
            const u32 v473 = mul_high_u32(v471, v472);
            const u32 v474 = v471 * v472;
            const bool v475 = 0u == v473;
            const u32 v476 = pick(v475, v474, v473);
            const u32 v477 = pick(v475, 0u, v474);
            const u32 v478 = leading_zeros(v476);
            const u32 v479 = ((v476 << (v478 & 31u)) | ((v477 >> 1u) >> ((31u - v478) & 31u))) | ((0u != (v477 << (v478 & 31u))) ? 1u : 0u);
            const u32 v480 = ((pick(v469, v275, 1u) + chosen(v470, v468, 1u)) - 126u) - pick(v475, v478 + 32u, v478);
            const u32 v481 = min_signed(max_signed(1u - v480, 0u), 31u);
            const u32 v482 = v479 >> (v481 & 31u);
            const u32 v483 = v482 | ((v479 != (v482 << (v481 & 31u))) ? 1u : 0u);
            const u32 v484 = v483 >> 8u;
            const u32 v485 = pick((i32)v480 > (i32)254u, 0x7f800000u, ((max_signed(v480, 1u) - 1u) << 23u) + (v484 + ((((v483 & 255u) + (1u & v484)) > 128u) ? 1u : 0u)));
            const u32 v486 = max_of(v272, v466);
            const f32 v487 = f32_of(pick(v486 > 0x7f800000u, 0x7fc00000u, pick(0x7f800000u == v486, 0x7f800000u, v485) | (0x80000000u & (v270 ^ v465))));
            join_19 = v487;
        }
        const f32 v488 = join_19;
        const u32 v489 = canonical(v194);
        const u32 v490 = 0x7fffffffu & v489;
        const u32 v491 = min_of(v245, v490);
        const u32 v492 = v490 >> 23u;
        if (((v491 >= 0x800000u) && ((v248 + v492) >= 130u)) || (0u == v491)) {
            join_20 = v38 * v194;
        } else {
            const bool v493 = 0u != v248;
            const bool v494 = 0u != v492;
            const u32 v495 = pick(v493, 0x800000u | (v245 & 0x7fffffu), v245) << 8u;
            const u32 v496 = pick(v494, 0x800000u | (v490 & 0x7fffffu), v490) << 8u;
            const u32 v497 = mul_high_u32(v495, v496);
            const u32 v498 = v495 * v496;
            const bool v499 = 0u == v497;
            const u32 v500 = pick(v499, v498, v497);
            const u32 v501 = pick(v499, 0u, v498);
            const u32 v502 = leading_zeros(v500);
            const u32 v503 = ((v500 << (v502 & 31u)) | ((v501 >> 1u) >> ((31u - v502) & 31u))) | ((0u != (v501 << (v502 & 31u))) ? 1u : 0u);
            const u32 v504 = ((pick(v493, v248, 1u) + pick(v494, v492, 1u)) - 126u) - pick(v499, v502 + 32u, v502);
            const u32 v505 = min_signed(max_signed(1u - v504, 0u), 31u);
            const u32 v506 = v503 >> (v505 & 31u);
            const u32 v507 = v506 | ((v503 != (v506 << (v505 & 31u))) ? 1u : 0u);
            const u32 v508 = v507 >> 8u;
            const u32 v509 = pick((i32)v504 > (i32)254u, 0x7f800000u, ((max_signed(v504, 1u) - 1u) << 23u) + (v508 + ((((v507 & 255u) + (1u & v508)) > 128u) ? 1u : 0u)));
            const u32 v510 = max_of(v245, v490);
            const f32 v511 = f32_of(pick(v510 > 0x7f800000u, 0x7fc00000u, pick(0x7f800000u == v510, 0x7f800000u, v509) | (0x80000000u & (v243 ^ v489))));
            join_20 = v511;
        }
        const f32 v512 = join_20;
        const u32 v513 = canonical(v512);
        const u32 v514 = 0x7fffffffu & v513;
        const u32 v515 = min_of(v272, v514);
        const u32 v516 = v514 >> 23u;
        if (((v515 >= 0x800000u) && ((v275 + v516) >= 130u)) || (0u == v515)) {
            join_21 = v40 * v512;
        } else {
            const bool v517 = 0u != v275;
            const bool v518 = 0u != v516;
            const u32 v519 = pick(v517, 0x800000u | (v272 & 0x7fffffu), v272) << 8u;
            const u32 v520 = chosen(v518, 0x800000u | (v514 & 0x7fffffu), v514) << 8u;
            const u32 v521 = mul_high_u32(v519, v520);
            const u32 v522 = v519 * v520;
            const bool v523 = 0u == v521;
            const u32 v524 = pick(v523, v522, v521);
            const u32 v525 = pick(v523, 0u, v522);
            const u32 v526 = leading_zeros(v524);
            const u32 v527 = ((v524 << (v526 & 31u)) | ((v525 >> 1u) >> ((31u - v526) & 31u))) | ((0u != (v525 << (v526 & 31u))) ? 1u : 0u);
            const u32 v528 = ((pick(v517, v275, 1u) + chosen(v518, v516, 1u)) - 126u) - pick(v523, v526 + 32u, v526);
            const u32 v529 = min_signed(max_signed(1u - v528, 0u), 31u);
            const u32 v530 = v527 >> (v529 & 31u);
            const u32 v531 = v530 | ((v527 != (v530 << (v529 & 31u))) ? 1u : 0u);
            const u32 v532 = v531 >> 8u;
            const u32 v533 = pick((i32)v528 > (i32)254u, 0x7f800000u, ((max_signed(v528, 1u) - 1u) << 23u) + (v532 + ((((v531 & 255u) + (1u & v532)) > 128u) ? 1u : 0u)));
            const u32 v534 = max_of(v272, v514);
            const f32 v535 = f32_of(pick(v534 > 0x7f800000u, 0x7fc00000u, pick(0x7f800000u == v534, 0x7f800000u, v533) | (0x80000000u & (v270 ^ v513))));
            join_21 = v535;
        }
        const f32 v536 = join_21;
        const u32 v537 = canonical(v218);
        const u32 v538 = 0x7fffffffu & v537;
        const u32 v539 = min_of(v245, v538);
        const u32 v540 = v538 >> 23u;
        if (((v539 >= 0x800000u) && ((v248 + v540) >= 130u)) || (0u == v539)) {
            join_22 = v38 * v218;
        } else {
            const bool v541 = 0u != v248;
            const bool v542 = 0u != v540;
            const u32 v543 = pick(v541, 0x800000u | (v245 & 0x7fffffu), v245) << 8u;
            const u32 v544 = pick(v542, 0x800000u | (v538 & 0x7fffffu), v538) << 8u;
            const u32 v545 = mul_high_u32(v543, v544);
            const u32 v546 = v543 * v544;
            const bool v547 = 0u == v545;
            const u32 v548 = pick(v547, v546, v545);
            const u32 v549 = pick(v547, 0u, v546);
            const u32 v550 = leading_zeros(v548);
            const u32 v551 = ((v548 << (v550 & 31u)) | ((v549 >> 1u) >> ((31u - v550) & 31u))) | ((0u != (v549 << (v550 & 31u))) ? 1u : 0u);
            const u32 v552 = ((pick(v541, v248, 1u) + pick(v542, v540, 1u)) - 126u) - pick(v547, v550 + 32u, v550);
            const u32 v553 = min_signed(max_signed(1u - v552, 0u), 31u);
            const u32 v554 = v551 >> (v553 & 31u);
            const u32 v555 = v554 | ((v551 != (v554 << (v553 & 31u))) ? 1u : 0u);
            const u32 v556 = v555 >> 8u;
            const u32 v557 = pick((i32)v552 > (i32)254u, 0x7f800000u, ((max_signed(v552, 1u) - 1u) << 23u) + (v556 + ((((v555 & 255u) + (1u & v556)) > 128u) ? 1u : 0u)));
            const u32 v558 = max_of(v245, v538);
            const f32 v559 = f32_of(pick(v558 > 0x7f800000u, 0x7fc00000u, pick(0x7f800000u == v558, 0x7f800000u, v557) | (0x80000000u & (v243 ^ v537))));
            join_22 = v559;
        }
        const f32 v560 = join_22;
        const u32 v561 = canonical(v560);
        const u32 v562 = 0x7fffffffu & v561;
        const u32 v563 = min_of(v272, v562);
        const u32 v564 = v562 >> 23u;
        if (((v563 >= 0x800000u) && ((v275 + v564) >= 130u)) || (0u == v563)) {
            join_23 = v40 * v560;
        } else {
            const bool v565 = 0u != v275;
            const bool v566 = 0u != v564;
            const u32 v567 = pick(v565, 0x800000u | (v272 & 0x7fffffu), v272) << 8u;
            const u32 v568 = chosen(v566, 0x800000u | (v562 & 0x7fffffu), v562) << 8u;
            const u32 v569 = mul_high_u32(v567, v568);
            const u32 v570 = v567 * v568;
            const bool v571 = 0u == v569;
            const u32 v572 = pick(v571, v570, v569);
            const u32 v573 = pick(v571, 0u, v570);
            const u32 v574 = leading_zeros(v572);
            const u32 v575 = ((v572 << (v574 & 31u)) | ((v573 >> 1u) >> ((31u - v574) & 31u))) | ((0u != (v573 << (v574 & 31u))) ? 1u : 0u);
            const u32 v576 = ((pick(v565, v275, 1u) + chosen(v566, v564, 1u)) - 126u) - pick(v571, v574 + 32u, v574);
            const u32 v577 = min_signed(max_signed(1u - v576, 0u), 31u);
            const u32 v578 = v575 >> (v577 & 31u);
            const u32 v579 = v578 | ((v575 != (v578 << (v577 & 31u))) ? 1u : 0u);
            const u32 v580 = v579 >> 8u;
            const u32 v581 = pick((i32)v576 > (i32)254u, 0x7f800000u, ((max_signed(v576, 1u) - 1u) << 23u) + (v580 + ((((v579 & 255u) + (1u & v580)) > 128u) ? 1u : 0u)));
            const u32 v582 = max_of(v272, v562);
            const f32 v583 = f32_of(pick(v582 > 0x7f800000u, 0x7fc00000u, pick(0x7f800000u == v582, 0x7f800000u, v581) | (0x80000000u & (v270 ^ v561))));
            join_23 = v583;
        }
        const f32 v584 = join_23;
        const u32 v585 = canonical(v242);
        const u32 v586 = 0x7fffffffu & v585;
        const u32 v587 = min_of(v245, v586);
        const u32 v588 = v586 >> 23u;
        if (((v587 >= 0x800000u) && ((v248 + v588) >= 130u)) || (0u == v587)) {
            join_24 = v38 * v242;
        } else {
            const bool v589 = 0u != v248;
            const bool v590 = 0u != v588;
            const u32 v591 = pick(v589, 0x800000u | (v245 & 0x7fffffu), v245) << 8u;
            const u32 v592 = pick(v590, 0x800000u | (v586 & 0x7fffffu), v586) << 8u;
            const u32 v593 = mul_high_u32(v591, v592);
            const u32 v594 = v591 * v592;
            const bool v595 = 0u == v593;
            const u32 v596 = pick(v595, v594, v593);
            const u32 v597 = pick(v595, 0u, v594);
            const u32 v598 = leading_zeros(v596);
            const u32 v599 = ((v596 << (v598 & 31u)) | ((v597 >> 1u) >> ((31u - v598) & 31u))) | ((0u != (v597 << (v598 & 31u))) ? 1u : 0u);
            const u32 v600 = ((pick(v589, v248, 1u) + pick(v590, v588, 1u)) - 126u) - pick(v595, v598 + 32u, v598);
            const u32 v601 = min_signed(max_signed(1u - v600, 0u), 31u);
            const u32 v602 = v599 >> (v601 & 31u);
            const u32 v603 = v602 | ((v599 != (v602 << (v601 & 31u))) ? 1u : 0u);
            const u32 v604 = v603 >> 8u;
            const u32 v605 = pick((i32)v600 > (i32)254u, 0x7f800000u, ((max_signed(v600, 1u) - 1u) << 23u) + (v604 + ((((v603 & 255u) + (1u & v604)) > 128u) ? 1u : 0u)));
            const u32 v606 = max_of(v245, v586);
            const f32 v607 = f32_of(pick(v606 > 0x7f800000u, 0x7fc00000u, pick(0x7f800000u == v606, 0x7f800000u, v605) | (0x80000000u & (v243 ^ v585))));
            join_24 = v607;
        }
        const f32 v608 = join_24;
        const u32 v609 = canonical(v608);
        const u32 v610 = 0x7fffffffu & v609;
        const u32 v611 = min_of(v272, v610);
        const u32 v612 = v610 >> 23u;
        if (((v611 >= 0x800000u) && ((v275 + v612) >= 130u)) || (0u == v611)) {
            join_25 = v40 * v608;
        } else {
            const bool v613 = 0u != v275;
            const bool v614 = 0u != v612;
            const u32 v615 = pick(v613, 0x800000u | (v272 & 0x7fffffu), v272) << 8u;
            const u32 v616 = chosen(v614, 0x800000u | (v610 & 0x7fffffu), v610) << 8u;
            const u32 v617 = mul_high_u32(v615, v616);
            const u32 v618 = v615 * v616;
            const bool v619 = 0u == v617;
            const u32 v620 = pick(v619, v618, v617);
            const u32 v621 = pick(v619, 0u, v618);
            const u32 v622 = leading_zeros(v620);
            const u32 v623 = ((v620 << (v622 & 31u)) | ((v621 >> 1u) >> ((31u - v622) & 31u))) | ((0u != (v621 << (v622 & 31u))) ? 1u : 0u);
            const u32 v624 = ((pick(v613, v275, 1u) + chosen(v614, v612, 1u)) - 126u) - pick(v619, v622 + 32u, v622);
            const u32 v625 = min_signed(max_signed(1u - v624, 0u), 31u);
            const u32 v626 = v623 >> (v625 & 31u);
            const u32 v627 = v626 | ((v623 != (v626 << (v625 & 31u))) ? 1u : 0u);
            const u32 v628 = v627 >> 8u;
            const u32 v629 = pick((i32)v624 > (i32)254u, 0x7f800000u, ((max_signed(v624, 1u) - 1u) << 23u) + (v628 + ((((v627 & 255u) + (1u & v628)) > 128u) ? 1u : 0u)));
            const u32 v630 = max_of(v272, v610);
            const f32 v631 = f32_of(pick(v630 > 0x7f800000u, 0x7fc00000u, pick(0x7f800000u == v630, 0x7f800000u, v629) | (0x80000000u & (v270 ^ v609))));
            join_25 = v631;
        }
        const u32 v632 = f16_of_f32(join_25);
        const u64 v633 = (v6 * (u64)v3) + (u64)v4;
        if ((u64)v633 + 7 < launch.w_len) {
            *(device u32x4*)(w + v633) = u32x4_of((canonical_f16(f16_of_f32(v296)) & 0xffffu) | canonical_f16(f16_of_f32(v344)) << 16u, (canonical_f16(f16_of_f32(v392)) & 0xffffu) | canonical_f16(f16_of_f32(v440)) << 16u, (canonical_f16(f16_of_f32(v488)) & 0xffffu) | canonical_f16(f16_of_f32(v536)) << 16u, (canonical_f16(f16_of_f32(v584)) & 0xffffu) | canonical_f16(v632) << 16u);
        }
    }
}
