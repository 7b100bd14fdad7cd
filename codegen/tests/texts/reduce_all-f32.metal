struct reduce_all_launch {
    u32 grid_y;
    u32 first_x;
    u32 first_y;
    u32 row_elems;
    u64 x_len;
    u64 y_len;
};
[[max_total_threads_per_threadgroup(128)]]
kernel void reduce_all(
    device const f32* x [[buffer(0)]],
    device f32* y [[buffer(1)]],
    constant reduce_all_launch& launch [[buffer(2)]],
    uint thread_in_group [[thread_index_in_threadgroup]],
    uint3 group [[threadgroup_position_in_grid]]) {
    threadgroup f32 parts[4];
    f32 acc_0;
    f32 acc_1;
    f32 acc_2;
    f32 acc_3;
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
    f32 part;
    f32 join_13;
    f32 join_14;
    f32 join_15;
    f32 join_16;
    f32 join_17;
    const u32 v0 = launch.row_elems;
    const u32 v1 = v0 & 0xfffffffcu;
    const u32 v2 = launch.first_y + group.y;
    const u32 v3 = v2 * 0x10000u;
    const u64 v4 = (u64)(launch.first_x + group.x);
    const u64 v5 = (v4 * (u64)v1) + (u64)v3;
    const u32 v6 = min_of(0x10000u, v1 - v3);
    acc_0 = (-0.0f);
    acc_1 = (-0.0f);
    acc_2 = (-0.0f);
    acc_3 = (-0.0f);
    const u32 v7 = thread_in_group;
    const u32 v8 = v7 * 4u;
    if (0u < v6) {
        bool i_goes = true;
        for (u32 i = 0u; i_goes; i_goes = v6 - i > 512u, i += 512u) {
            const u32 v9 = v8 + i;
            if (v9 < v6) {
                const u64 v10 = v5 + (u64)v9;
                const bool v11 = (u64)v10 + 3 < launch.x_len;
                const u32x4 v12 = v11 ? *(device const u32x4*)(x + v10) : u32x4_of(0u, 0u, 0u, 0u);
                const f32 v13 = f32_of(v12.x);
                const f32 v14 = f32_of(v12.y);
                const f32 v15 = f32_of(v12.z);
                const f32 v16 = f32_of(v12.w);
                const f32 v17 = acc_0;
                const u32 v18 = canonical(v13);
                const u32 v19 = canonical(v17);
                const u32 v20 = v18 & 0x7fffffffu;
                const u32 v21 = v19 & 0x7fffffffu;
                if ((max_of(v20, v21) - 1u) >= 0xdffffffu) {
                    join = v13 + v17;
                } else {
                    const bool v22 = v20 < v21;
                    const u32 v23 = pick(v22, v19, v18);
                    const u32 v24 = pick(v22, v18, v19);
                    const u32 v25 = 0x7fffffffu & v23;
                    const u32 v26 = v25 >> 23u;
                    const bool v27 = 0u != v26;
                    const u32 v28 = pick(v27, v26, 1u);
                    const u32 v29 = 0x7fffffffu & v24;
                    const u32 v30 = v29 >> 23u;
                    const bool v31 = 0u != v30;
                    const u32 v32 = pick(v27, (v25 & 0x7fffffu) | 0x800000u, v25) << 6u;
                    const u32 v33 = pick(v31, 0x800000u | (0x7fffffu & v29), v29) << 6u;
                    const u32 v34 = min_of(v28 - pick(v31, v30, 1u), 31u);
                    const u32 v35 = v33 >> (v34 & 31u);
                    const u32 v36 = v35 | ((v33 != (v35 << (v34 & 31u))) ? 1u : 0u);
                    const u32 v37 = pick(0u == ((v23 ^ v24) & 0x80000000u), v32 + v36, v32 - v36);
                    const u32 v38 = leading_zeros(v37);
                    const u32 v39 = v37 << (v38 & 31u);
                    const u32 v40 = (v28 + 2u) - v38;
                    const u32 v41 = min_signed(max_signed(1u - v40, 0u), 31u);
                    const u32 v42 = v39 >> (v41 & 31u);
                    const u32 v43 = v42 | ((v39 != (v42 << (v41 & 31u))) ? 1u : 0u);
                    const u32 v44 = v43 >> 8u;
                    const u32 v45 = pick((i32)v40 > (i32)254u, 0x7f800000u, ((max_signed(v40, 1u) - 1u) << 23u) + (v44 + ((((v43 & 255u) + (1u & v44)) > 128u) ? 1u : 0u)));
                    join = f32_of(pick(0u == v37, 0x80000000u & (v23 & v24), v45 | (v23 & 0x80000000u)));
                }
                acc_0 = join;
                const f32 v46 = acc_1;
                const u32 v47 = canonical(v14);
                const u32 v48 = canonical(v46);
                const u32 v49 = 0x7fffffffu & v47;
                const u32 v50 = 0x7fffffffu & v48;
                if ((max_of(v49, v50) - 1u) >= 0xdffffffu) {
                    join_2 = v14 + v46;
                } else {
                    const bool v51 = v49 < v50;
                    const u32 v52 = pick(v51, v48, v47);
                    const u32 v53 = pick(v51, v47, v48);
                    const u32 v54 = 0x7fffffffu & v52;
                    const u32 v55 = v54 >> 23u;
                    const bool v56 = 0u != v55;
                    const u32 v57 = pick(v56, v55, 1u);
                    const u32 v58 = 0x7fffffffu & v53;
                    const u32 v59 = v58 >> 23u;
                    const bool v60 = 0u != v59;
                    const u32 v61 = pick(v56, (v54 & 0x7fffffu) | 0x800000u, v54) << 6u;
                    const u32 v62 = pick(v60, 0x800000u | (0x7fffffu & v58), v58) << 6u;
                    const u32 v63 = min_of(v57 - pick(v60, v59, 1u), 31u);
                    const u32 v64 = v62 >> (v63 & 31u);
                    const u32 v65 = v64 | ((v62 != (v64 << (v63 & 31u))) ? 1u : 0u);
                    const u32 v66 = pick(0u == ((v52 ^ v53) & 0x80000000u), v61 + v65, v61 - v65);
                    const u32 v67 = leading_zeros(v66);
                    const u32 v68 = v66 << (v67 & 31u);
                    const u32 v69 = (v57 + 2u) - v67;
                    const u32 v70 = min_signed(max_signed(1u - v69, 0u), 31u);
                    const u32 v71 = v68 >> (v70 & 31u);
                    const u32 v72 = v71 | ((v68 != (v71 << (v70 & 31u))) ? 1u : 0u);
                    const u32 v73 = v72 >> 8u;
                    const u32 v74 = pick((i32)v69 > (i32)254u, 0x7f800000u, ((max_signed(v69, 1u) - 1u) << 23u) + (v73 + ((((v72 & 255u) + (1u & v73)) > 128u) ? 1u : 0u)));
                    join_2 = f32_of(pick(0u == v66, 0x80000000u & (v52 & v53), v74 | (v52 & 0x80000000u)));
                }
                acc_1 = join_2;
                const f32 v75 = acc_2;
                const u32 v76 = canonical(v15);
                const u32 v77 = canonical(v75);
                const u32 v78 = 0x7fffffffu & v76;
                const u32 v79 = 0x7fffffffu & v77;
                if ((max_of(v78, v79) - 1u) >= 0xdffffffu) {
                    join_3 = v15 + v75;
                } else {
                    const bool v80 = v78 < v79;
                    const u32 v81 = pick(v80, v77, v76);
                    const u32 v82 = pick(v80, v76, v77);
                    const u32 v83 = 0x7fffffffu & v81;
                    const u32 v84 = v83 >> 23u;
                    const bool v85 = 0u != v84;
                    const u32 v86 = pick(v85, v84, 1u);
                    const u32 v87 = 0x7fffffffu & v82;
                    const u32 v88 = v87 >> 23u;
                    const bool v89 = 0u != v88;
                    const u32 v90 = pick(v85, (v83 & 0x7fffffu) | 0x800000u, v83) << 6u;
                    const u32 v91 = pick(v89, 0x800000u | (0x7fffffu & v87), v87) << 6u;
                    const u32 v92 = min_of(v86 - pick(v89, v88, 1u), 31u);
                    const u32 v93 = v91 >> (v92 & 31u);
                    const u32 v94 = v93 | ((v91 != (v93 << (v92 & 31u))) ? 1u : 0u);
                    const u32 v95 = pick(0u == ((v81 ^ v82) & 0x80000000u), v90 + v94, v90 - v94);
                    const u32 v96 = leading_zeros(v95);
                    const u32 v97 = v95 << (v96 & 31u);
                    const u32 v98 = (v86 + 2u) - v96;
                    const u32 v99 = min_signed(max_signed(1u - v98, 0u), 31u);
                    const u32 v100 = v97 >> (v99 & 31u);
                    const u32 v101 = v100 | ((v97 != (v100 << (v99 & 31u))) ? 1u : 0u);
                    const u32 v102 = v101 >> 8u;
                    const u32 v103 = pick((i32)v98 > (i32)254u, 0x7f800000u, ((max_signed(v98, 1u) - 1u) << 23u) + (v102 + ((((v101 & 255u) + (1u & v102)) > 128u) ? 1u : 0u)));
                    join_3 = f32_of(pick(0u == v95, 0x80000000u & (v81 & v82), v103 | (v81 & 0x80000000u)));
                }
                acc_2 = join_3;
                const f32 v104 = acc_3;
                const u32 v105 = canonical(v16);
                const u32 v106 = canonical(v104);
                const u32 v107 = 0x7fffffffu & v105;
                const u32 v108 = 0x7fffffffu & v106;
                if ((max_of(v107, v108) - 1u) >= 0xdffffffu) {
                    join_4 = v16 + v104;
                } else {
                    const bool v109 = v107 < v108;
                    const u32 v110 = pick(v109, v106, v105);
                    const u32 v111 = pick(v109, v105, v106);
                    const u32 v112 = 0x7fffffffu & v110;
                    const u32 v113 = v112 >> 23u;
                    const bool v114 = 0u != v113;
                    const u32 v115 = pick(v114, v113, 1u);
                    const u32 v116 = 0x7fffffffu & v111;
                    const u32 v117 = v116 >> 23u;
                    const bool v118 = 0u != v117;
                    const u32 v119 = pick(v114, (v112 & 0x7fffffu) | 0x800000u, v112) << 6u;
                    const u32 v120 = pick(v118, 0x800000u | (0x7fffffu & v116), v116) << 6u;
                    const u32 v121 = min_of(v115 - pick(v118, v117, 1u), 31u);
                    const u32 v122 = v120 >> (v121 & 31u);
                    const u32 v123 = v122 | ((v120 != (v122 << (v121 & 31u))) ? 1u : 0u);
                    const u32 v124 = pick(0u == ((v110 ^ v111) & 0x80000000u), v119 + v123, v119 - v123);
                    const u32 v125 = leading_zeros(v124);
                    const u32 v126 = v124 << (v125 & 31u);
                    const u32 v127 = (v115 + 2u) - v125;
                    const u32 v128 = min_signed(max_signed(1u - v127, 0u), 31u);
                    const u32 v129 = v126 >> (v128 & 31u);
                    const u32 v130 = v129 | ((v126 != (v129 << (v128 & 31u))) ? 1u : 0u);
                    const u32 v131 = v130 >> 8u;
                    const u32 v132 = pick((i32)v127 > (i32)254u, 0x7f800000u, ((max_signed(v127, 1u) - 1u) << 23u) + (v131 + ((((v130 & 255u) + (1u & v131)) > 128u) ? 1u : 0u)));
                    join_4 = f32_of(pick(0u == v124, 0x80000000u & (v110 & v111), v132 | (v110 & 0x80000000u)));
                }
                acc_3 = join_4;
            }
        }
    }
    const f32 v133 = acc_0;
    const f32 v134 = acc_1;
    const f32 v135 = acc_2;
    const f32 v136 = acc_3;
    const u32 v137 = canonical(v133);
    const u32 v138 = canonical(v134);
    const u32 v139 = v137 & 0x7fffffffu;
    const u32 v140 = v138 & 0x7fffffffu;
    if ((max_of(v139, v140) - 1u) >= 0xdffffffu) {
        join_5 = v133 + v134;
    } else {
        const bool v141 = v139 < v140;
        const u32 v142 = chosen(v141, v138, v137);
        const u32 v143 = chosen(v141, v137, v138);
        const u32 v144 = 0x7fffffffu & v142;
        const u32 v145 = v144 >> 23u;
        const bool v146 = 0u != v145;
        const u32 v147 = chosen(v146, v145, 1u);
        const u32 v148 = 0x7fffffffu & v143;
        const u32 v149 = v148 >> 23u;
        const bool v150 = 0u != v149;
        const u32 v151 = chosen(v146, (v144 & 0x7fffffu) | 0x800000u, v144) << 6u;
        const u32 v152 = chosen(v150, 0x800000u | (0x7fffffu & v148), v148) << 6u;
        const u32 v153 = min_of(v147 - chosen(v150, v149, 1u), 31u);
        const u32 v154 = v152 >> (v153 & 31u);
        const u32 v155 = v154 | ((v152 != (v154 << (v153 & 31u))) ? 1u : 0u);
        const u32 v156 = chosen(0u == ((v142 ^ v143) & 0x80000000u), v151 + v155, v151 - v155);
        const u32 v157 = leading_zeros(v156);
        const u32 v158 = v156 << (v157 & 31u);
        const u32 v159 = (v147 + 2u) - v157;
        const u32 v160 = min_signed(max_signed(1u - v159, 0u), 31u);
        const u32 v161 = v158 >> (v160 & 31u);
        const u32 v162 = v161 | ((v158 != (v161 << (v160 & 31u))) ? 1u : 0u);
        const u32 v163 = v162 >> 8u;
        const u32 v164 = chosen((i32)v159 > (i32)254u, 0x7f800000u, ((max_signed(v159, 1u) - 1u) << 23u) + (v163 + ((((v162 & 255u) + (1u & v163)) > 128u) ? 1u : 0u)));
        join_5 = f32_of(chosen(0u == v156, 0x80000000u & (v142 & v143), v164 | (v142 & 0x80000000u)));
    }
    const f32 v165 = join_5;
    const u32 v166 = canonical(v135);
    const u32 v167 = canonical(v136);
    const u32 v168 = 0x7fffffffu & v166;
    const u32 v169 = 0x7fffffffu & v167;
    if ((max_of(v168, v169) - 1u) >= 0xdffffffu) {
        join_6 = v135 + v136;
    } else {
        const bool v170 = v168 < v169;
        const u32 v171 = chosen(v170, v167, v166);
        const u32 v172 = chosen(v170, v166, v167);
        const u32 v173 = 0x7fffffffu & v171;
        const u32 v174 = v173 >> 23u;
        const bool v175 = 0u != v174;
        const u32 v176 = chosen(v175, v174, 1u);
        const u32 v177 = 0x7fffffffu & v172;
        const u32 v178 = v177 >> 23u;
        const bool v179 = 0u != v178;
        const u32 v180 = chosen(v175, (v173 & 0x7fffffu) | 0x800000u, v173) << 6u;
        const u32 v181 = chosen(v179, 0x800000u | (0x7fffffu & v177), v177) << 6u;
        const u32 v182 = min_of(v176 - chosen(v179, v178, 1u), 31u);
        const u32 v183 = v181 >> (v182 & 31u);
        const u32 v184 = v183 | ((v181 != (v183 << (v182 & 31u))) ? 1u : 0u);
        const u32 v185 = chosen(0u == ((v171 ^ v172) & 0x80000000u), v180 + v184, v180 - v184);
        const u32 v186 = leading_zeros(v185);
        const u32 v187 = v185 << (v186 & 31u);
        const u32 v188 = (v176 + 2u) - v186;
        const u32 v189 = min_signed(max_signed(1u - v188, 0u), 31u);
        const u32 v190 = v187 >> (v189 & 31u);
        const u32 v191 = v190 | ((v187 != (v190 << (v189 & 31u))) ? 1u : 0u);
        const u32 v192 = v191 >> 8u;
        const u32 v193 = chosen((i32)v188 > (i32)254u, 0x7f800000u, ((max_signed(v188, 1u) - 1u) << 23u) + (v192 + ((((v191 & 255u) + (1u & v192)) > 128u) ? 1u : 0u)));
        join_6 = f32_of(chosen(0u == v185, 0x80000000u & (v171 & v172), v193 | (v171 & 0x80000000u)));
    }
    const f32 v194 = join_6;
    const u32 v195 = canonical(v165);
    const u32 v196 = canonical(v194);
    const u32 v197 = 0x7fffffffu & v195;
    const u32 v198 = 0x7fffffffu & v196;
    if ((max_of(v197, v198) - 1u) >= 0xdffffffu) {
        join_7 = v165 + v194;
    } else {
        const bool v199 = v197 < v198;
        const u32 v200 = chosen(v199, v196, v195);
        const u32 v201 = chosen(v199, v195, v196);
        const u32 v202 = 0x7fffffffu & v200;
        const u32 v203 = v202 >> 23u;
        const bool v204 = 0u != v203;
        const u32 v205 = chosen(v204, v203, 1u);
        const u32 v206 = 0x7fffffffu & v201;
        const u32 v207 = v206 >> 23u;
        const bool v208 = 0u != v207;
        const u32 v209 = chosen(v204, (v202 & 0x7fffffu) | 0x800000u, v202) << 6u;
        const u32 v210 = chosen(v208, 0x800000u | (0x7fffffu & v206), v206) << 6u;
        const u32 v211 = min_of(v205 - chosen(v208, v207, 1u), 31u);
        const u32 v212 = v210 >> (v211 & 31u);
        const u32 v213 = v212 | ((v210 != (v212 << (v211 & 31u))) ? 1u : 0u);
        const u32 v214 = chosen(0u == ((v200 ^ v201) & 0x80000000u), v209 + v213, v209 - v213);
        const u32 v215 = leading_zeros(v214);
        const u32 v216 = v214 << (v215 & 31u);
        const u32 v217 = (v205 + 2u) - v215;
        const u32 v218 = min_signed(max_signed(1u - v217, 0u), 31u);
        const u32 v219 = v216 >> (v218 & 31u);
        const u32 v220 = v219 | ((v216 != (v219 << (v218 & 31u))) ? 1u : 0u);
        const u32 v221 = v220 >> 8u;
        const u32 v222 = chosen((i32)v217 > (i32)254u, 0x7f800000u, ((max_signed(v217, 1u) - 1u) << 23u) + (v221 + ((((v220 & 255u) + (1u & v221)) > 128u) ? 1u : 0u)));
        join_7 = f32_of(chosen(0u == v214, 0x80000000u & (v200 & v201), v222 | (v200 & 0x80000000u)));
    }
    const f32 v223 = join_7;
    const f32 v224 = shuffle_xor(v223, 1u);
    const u32 v225 = canonical(v223);
    const u32 v226 = canonical(v224);
    const u32 v227 = 0x7fffffffu & v225;
    const u32 v228 = 0x7fffffffu & v226;
    if ((max_of(v227, v228) - 1u) >= 0xdffffffu) {
        join_8 = v223 + v224;
    } else {
        const bool v229 = v227 < v228;
        const u32 v230 = chosen(v229, v226, v225);
        const u32 v231 = chosen(v229, v225, v226);
        const u32 v232 = 0x7fffffffu & v230;
        const u32 v233 = v232 >> 23u;
        const bool v234 = 0u != v233;
        const u32 v235 = chosen(v234, v233, 1u);
        const u32 v236 = 0x7fffffffu & v231;
        const u32 v237 = v236 >> 23u;
        const bool v238 = 0u != v237;
        const u32 v239 = chosen(v234, (v232 & 0x7fffffu) | 0x800000u, v232) << 6u;
        const u32 v240 = chosen(v238, 0x800000u | (0x7fffffu & v236), v236) << 6u;
        const u32 v241 = min_of(v235 - chosen(v238, v237, 1u), 31u);
        const u32 v242 = v240 >> (v241 & 31u);
        const u32 v243 = v242 | ((v240 != (v242 << (v241 & 31u))) ? 1u : 0u);
        const u32 v244 = chosen(0u == ((v230 ^ v231) & 0x80000000u), v239 + v243, v239 - v243);
        const u32 v245 = leading_zeros(v244);
        const u32 v246 = v244 << (v245 & 31u);
        const u32 v247 = (v235 + 2u) - v245;
        const u32 v248 = min_signed(max_signed(1u - v247, 0u), 31u);
        const u32 v249 = v246 >> (v248 & 31u);
        const u32 v250 = v249 | ((v246 != (v249 << (v248 & 31u))) ? 1u : 0u);
        const u32 v251 = v250 >> 8u;
        const u32 v252 = chosen((i32)v247 > (i32)254u, 0x7f800000u, ((max_signed(v247, 1u) - 1u) << 23u) + (v251 + ((((v250 & 255u) + (1u & v251)) > 128u) ? 1u : 0u)));
        join_8 = f32_of(chosen(0u == v244, 0x80000000u & (v230 & v231), v252 | (v230 & 0x80000000u)));
    }
    const f32 v253 = join_8;
    const f32 v254 = shuffle_xor(v253, 2u);
    const u32 v255 = canonical(v253);
    const u32 v256 = canonical(v254);
    const u32 v257 = 0x7fffffffu & v255;
    const u32 v258 = 0x7fffffffu & v256;
    if ((max_of(v257, v258) - 1u) >= 0xdffffffu) {
        join_9 = v253 + v254;
    } else {
        const bool v259 = v257 < v258;
        const u32 v260 = chosen(v259, v256, v255);
        const u32 v261 = chosen(v259, v255, v256);
        const u32 v262 = 0x7fffffffu & v260;
        const u32 v263 = v262 >> 23u;
        const bool v264 = 0u != v263;
        const u32 v265 = chosen(v264, v263, 1u);
        const u32 v266 = 0x7fffffffu & v261;
        const u32 v267 = v266 >> 23u;
        const bool v268 = 0u != v267;
        const u32 v269 = chosen(v264, (v262 & 0x7fffffu) | 0x800000u, v262) << 6u;
        const u32 v270 = chosen(v268, 0x800000u | (0x7fffffu & v266), v266) << 6u;
        const u32 v271 = min_of(v265 - chosen(v268, v267, 1u), 31u);
        const u32 v272 = v270 >> (v271 & 31u);
        const u32 v273 = v272 | ((v270 != (v272 << (v271 & 31u))) ? 1u : 0u);
        const u32 v274 = chosen(0u == ((v260 ^ v261) & 0x80000000u), v269 + v273, v269 - v273);
        const u32 v275 = leading_zeros(v274);
        const u32 v276 = v274 << (v275 & 31u);
        const u32 v277 = (2u + v265) - v275;
        const u32 v278 = min_signed(max_signed(1u - v277, 0u), 31u);
        const u32 v279 = v276 >> (v278 & 31u);
        const u32 v280 = v279 | ((v276 != (v279 << (v278 & 31u))) ? 1u : 0u);
        const u32 v281 = v280 >> 8u;
        const u32 v282 = chosen((i32)v277 > (i32)254u, 0x7f800000u, ((max_signed(v277, 1u) - 1u) << 23u) + (v281 + ((((v280 & 255u) + (1u & v281)) > 128u) ? 1u : 0u)));
        join_9 = f32_of(chosen(0u == v274, 0x80000000u & (v260 & v261), v282 | (v260 & 0x80000000u)));
    }
    const f32 v283 = join_9;
    const f32 v284 = shuffle_xor(v283, 4u);
    const u32 v285 = canonical(v283);
    const u32 v286 = canonical(v284);
    const u32 v287 = 0x7fffffffu & v285;
    const u32 v288 = 0x7fffffffu & v286;
    if ((max_of(v287, v288) - 1u) >= 0xdffffffu) {
        join_10 = v283 + v284;
    } else {
        const bool v289 = v287 < v288;
        const u32 v290 = chosen(v289, v286, v285);
        const u32 v291 = chosen(v289, v285, v286);
        const u32 v292 = 0x7fffffffu & v290;
        const u32 v293 = v292 >> 23u;
        const bool v294 = 0u != v293;
        const u32 v295 = chosen(v294, v293, 1u);
        const u32 v296 = 0x7fffffffu & v291;
        const u32 v297 = v296 >> 23u;
        const bool v298 = 0u != v297;
        const u32 v299 = chosen(v294, (v292 & 0x7fffffu) | 0x800000u, v292) << 6u;
        const u32 v300 = chosen(v298, 0x800000u | (0x7fffffu & v296), v296) << 6u;
        const u32 v301 = min_of(v295 - chosen(v298, v297, 1u), 31u);
        const u32 v302 = v300 >> (v301 & 31u);
        const u32 v303 = v302 | ((v300 != (v302 << (v301 & 31u))) ? 1u : 0u);
        const u32 v304 = chosen(0u == ((v290 ^ v291) & 0x80000000u), v299 + v303, v299 - v303);
        const u32 v305 = leading_zeros(v304);
        const u32 v306 = v304 << (v305 & 31u);
        const u32 v307 = (2u + v295) - v305;
        const u32 v308 = min_signed(max_signed(1u - v307, 0u), 31u);
        const u32 v309 = v306 >> (v308 & 31u);
        const u32 v310 = v309 | ((v306 != (v309 << (v308 & 31u))) ? 1u : 0u);
        const u32 v311 = v310 >> 8u;
        const u32 v312 = chosen((i32)v307 > (i32)254u, 0x7f800000u, ((max_signed(v307, 1u) - 1u) << 23u) + (v311 + ((((v310 & 255u) + (1u & v311)) > 128u) ? 1u : 0u)));
        join_10 = f32_of(chosen(0u == v304, 0x80000000u & (v290 & v291), v312 | (v290 & 0x80000000u)));
    }
    const f32 v313 = join_10;
    const f32 v314 = shuffle_xor(v313, 8u);
    const u32 v315 = canonical(v313);
    const u32 v316 = canonical(v314);
    const u32 v317 = 0x7fffffffu & v315;
    const u32 v318 = 0x7fffffffu & v316;
    if ((max_of(v317, v318) - 1u) >= 0xdffffffu) {
        join_11 = v313 + v314;
    } else {
        const bool v319 = v317 < v318;
        const u32 v320 = chosen(v319, v316, v315);
        const u32 v321 = chosen(v319, v315, v316);
        const u32 v322 = 0x7fffffffu & v320;
        const u32 v323 = v322 >> 23u;
        const bool v324 = 0u != v323;
        const u32 v325 = chosen(v324, v323, 1u);
        const u32 v326 = 0x7fffffffu & v321;
        const u32 v327 = v326 >> 23u;
        const bool v328 = 0u != v327;
        const u32 v329 = chosen(v324, (v322 & 0x7fffffu) | 0x800000u, v322) << 6u;
        const u32 v330 = chosen(v328, 0x800000u | (0x7fffffu & v326), v326) << 6u;
        const u32 v331 = min_of(v325 - chosen(v328, v327, 1u), 31u);
        const u32 v332 = v330 >> (v331 & 31u);
        const u32 v333 = v332 | ((v330 != (v332 << (v331 & 31u))) ? 1u : 0u);
        const u32 v334 = chosen(0u == ((v320 ^ v321) & 0x80000000u), v329 + v333, v329 - v333);
        const u32 v335 = leading_zeros(v334);
        const u32 v336 = v334 << (v335 & 31u);
        const u32 v337 = (2u + v325) - v335;
        const u32 v338 = min_signed(max_signed(1u - v337, 0u), 31u);
        const u32 v339 = v336 >> (v338 & 31u);
        const u32 v340 = v339 | ((v336 != (v339 << (v338 & 31u))) ? 1u : 0u);
        const u32 v341 = v340 >> 8u;
        const u32 v342 = chosen((i32)v337 > (i32)254u, 0x7f800000u, ((max_signed(v337, 1u) - 1u) << 23u) + (v341 + ((((v340 & 255u) + (1u & v341)) > 128u) ? 1u : 0u)));
        join_11 = f32_of(chosen(0u == v334, 0x80000000u & (v320 & v321), v342 | (v320 & 0x80000000u)));
    }
    const f32 v343 = join_11;
    const f32 v344 = shuffle_xor(v343, 16u);
    const u32 v345 = canonical(v343);
    const u32 v346 = canonical(v344);
    const u32 v347 = 0x7fffffffu & v345;
    const u32 v348 = 0x7fffffffu & v346;
    if ((max_of(v347, v348) - 1u) >= 0xdffffffu) {
        join_12 = v343 + v344;
    } else {
        const bool v349 = v347 < v348;
        const u32 v350 = chosen(v349, v346, v345);
        const u32 v351 = chosen(v349, v345, v346);
        const u32 v352 = 0x7fffffffu & v350;
        const u32 v353 = v352 >> 23u;
        const bool v354 = 0u != v353;
        const u32 v355 = chosen(v354, v353, 1u);
        const u32 v356 = 0x7fffffffu & v351;
        const u32 v357 = v356 >> 23u;
        const bool v358 = 0u != v357;
        const u32 v359 = chosen(v354, (v352 & 0x7fffffu) | 0x800000u, v352) << 6u;
        const u32 v360 = chosen(v358, 0x800000u | (0x7fffffu & v356), v356) << 6u;
        const u32 v361 = min_of(v355 - chosen(v358, v357, 1u), 31u);
        const u32 v362 = v360 >> (v361 & 31u);
        const u32 v363 = v362 | ((v360 != (v362 << (v361 & 31u))) ? 1u : 0u);
        const u32 v364 = chosen(0u == ((v350 ^ v351) & 0x80000000u), v359 + v363, v359 - v363);
        const u32 v365 = leading_zeros(v364);
        const u32 v366 = v364 << (v365 & 31u);
        const u32 v367 = (2u + v355) - v365;
        const u32 v368 = min_signed(max_signed(1u - v367, 0u), 31u);
        const u32 v369 = v366 >> (v368 & 31u);
        const u32 v370 = v369 | ((v366 != (v369 << (v368 & 31u))) ? 1u : 0u);
        const u32 v371 = v370 >> 8u;
        const u32 v372 = chosen((i32)v367 > (i32)254u, 0x7f800000u, ((max_signed(v367, 1u) - 1u) << 23u) + (v371 + ((((v370 & 255u) + (1u & v371)) > 128u) ? 1u : 0u)));
        join_12 = f32_of(chosen(0u == v364, 0x80000000u & (v350 & v351), v372 | (v350 & 0x80000000u)));
    }
    const f32 v373 = shuffle(join_12, 0u);
    const u32 v374 = thread_in_group & 31u;
    if (0u == v374) {
        const u32 v375 = thread_in_group >> 5u;
        parts[v375] = v373;
    }
    barrier();
    part = (-0.0f);
    if (v374 < 4u) {
        const f32 v376 = parts[v374];
        part = v376;
    }
    const f32 v377 = part;
    const f32 v378 = shuffle_xor(v377, 1u);
    const u32 v379 = canonical(v377);
    const u32 v380 = canonical(v378);
    const u32 v381 = 0x7fffffffu & v379;
    const u32 v382 = 0x7fffffffu & v380;
    if ((max_of(v381, v382) - 1u) >= 0xdffffffu) {
        join_13 = v377 + v378;
    } else {
        const bool v383 = v381 < v382;
        const u32 v384 = chosen(v383, v380, v379);
        const u32 v385 = chosen(v383, v379, v380);
        const u32 v386 = 0x7fffffffu & v384;
        const u32 v387 = v386 >> 23u;
        const bool v388 = 0u != v387;
        const u32 v389 = chosen(v388, v387, 1u);
        const u32 v390 = 0x7fffffffu & v385;
        const u32 v391 = v390 >> 23u;
        const bool v392 = 0u != v391;
        const u32 v393 = chosen(v388, (v386 & 0x7fffffu) | 0x800000u, v386) << 6u;
        const u32 v394 = chosen(v392, 0x800000u | (0x7fffffu & v390), v390) << 6u;
        const u32 v395 = min_of(v389 - chosen(v392, v391, 1u), 31u);
        const u32 v396 = v394 >> (v395 & 31u);
        const u32 v397 = v396 | ((v394 != (v396 << (v395 & 31u))) ? 1u : 0u);
        const u32 v398 = chosen(0u == ((v384 ^ v385) & 0x80000000u), v393 + v397, v393 - v397);
        const u32 v399 = leading_zeros(v398);
        const u32 v400 = v398 << (v399 & 31u);
        const u32 v401 = (2u + v389) - v399;
        const u32 v402 = min_signed(max_signed(1u - v401, 0u), 31u);
        const u32 v403 = v400 >> (v402 & 31u);
        const u32 v404 = v403 | ((v400 != (v403 << (v402 & 31u))) ? 1u : 0u);
        const u32 v405 = v404 >> 8u;
        const u32 v406 = chosen((i32)v401 > (i32)254u, 0x7f800000u, ((max_signed(v401, 1u) - 1u) << 23u) + (v405 + ((((v404 & 255u) + (1u & v405)) > 128u) ? 1u : 0u)));
        join_13 = f32_of(chosen(0u == v398, 0x80000000u & (v384 & v385), v406 | (v384 & 0x80000000u)));
    }
    const f32 v407 = join_13;
    const f32 v408 = shuffle_xor(v407, 2u);
    const u32 v409 = canonical(v407);
    const u32 v410 = canonical(v408);
    const u32 v411 = 0x7fffffffu & v409;
    const u32 v412 = 0x7fffffffu & v410;
    if ((max_of(v411, v412) - 1u) >= 0xdffffffu) {
        join_14 = v407 + v408;
    } else {
        const bool v413 = v411 < v412;
        const u32 v414 = chosen(v413, v410, v409);
        const u32 v415 = chosen(v413, v409, v410);
        const u32 v416 = 0x7fffffffu & v414;
        const u32 v417 = v416 >> 23u;
        const bool v418 = 0u != v417;
        const u32 v419 = chosen(v418, v417, 1u);
        const u32 v420 = 0x7fffffffu & v415;
        const u32 v421 = v420 >> 23u;
        const bool v422 = 0u != v421;
        const u32 v423 = chosen(v418, (v416 & 0x7fffffu) | 0x800000u, v416) << 6u;
        const u32 v424 = chosen(v422, 0x800000u | (0x7fffffu & v420), v420) << 6u;
        const u32 v425 = min_of(v419 - chosen(v422, v421, 1u), 31u);
        const u32 v426 = v424 >> (v425 & 31u);
        const u32 v427 = v426 | ((v424 != (v426 << (v425 & 31u))) ? 1u : 0u);
        const u32 v428 = chosen(0u == ((v414 ^ v415) & 0x80000000u), v423 + v427, v423 - v427);
        const u32 v429 = leading_zeros(v428);
        const u32 v430 = v428 << (v429 & 31u);
        const u32 v431 = (2u + v419) - v429;
        const u32 v432 = min_signed(max_signed(1u - v431, 0u), 31u);
        const u32 v433 = v430 >> (v432 & 31u);
        const u32 v434 = v433 | ((v430 != (v433 << (v432 & 31u))) ? 1u : 0u);
        const u32 v435 = v434 >> 8u;
        const u32 v436 = chosen((i32)v431 > (i32)254u, 0x7f800000u, ((max_signed(v431, 1u) - 1u) << 23u) + (v435 + ((((v434 & 255u) + (1u & v435)) > 128u) ? 1u : 0u)));
        join_14 = f32_of(chosen(0u == v428, 0x80000000u & (v414 & v415), v436 | (v414 & 0x80000000u)));
    }
    const f32 v437 = join_14;
    const f32 v438 = shuffle_xor(v437, 4u);
    const u32 v439 = canonical(v437);
    const u32 v440 = canonical(v438);
    const u32 v441 = 0x7fffffffu & v439;
    const u32 v442 = 0x7fffffffu & v440;
    if ((max_of(v441, v442) - 1u) >= 0xdffffffu) {
        join_15 = v437 + v438;
    } else {
        const bool v443 = v441 < v442;
        const u32 v444 = chosen(v443, v440, v439);
        const u32 v445 = chosen(v443, v439, v440);
        const u32 v446 = 0x7fffffffu & v444;
        const u32 v447 = v446 >> 23u;
        const bool v448 = 0u != v447;
        const u32 v449 = chosen(v448, v447, 1u);
        const u32 v450 = 0x7fffffffu & v445;
        const u32 v451 = v450 >> 23u;
        const bool v452 = 0u != v451;
        const u32 v453 = chosen(v448, (v446 & 0x7fffffu) | 0x800000u, v446) << 6u;
        const u32 v454 = chosen(v452, 0x800000u | (0x7fffffu & v450), v450) << 6u;
        const u32 v455 = min_of(v449 - chosen(v452, v451, 1u), 31u);
        const u32 v456 = v454 >> (v455 & 31u);
        const u32 v457 = v456 | ((v454 != (v456 << (v455 & 31u))) ? 1u : 0u);
        const u32 v458 = chosen(0u == ((v444 ^ v445) & 0x80000000u), v453 + v457, v453 - v457);
        const u32 v459 = leading_zeros(v458);
        const u32 v460 = v458 << (v459 & 31u);
        const u32 v461 = (2u + v449) - v459;
        const u32 v462 = min_signed(max_signed(1u - v461, 0u), 31u);
        const u32 v463 = v460 >> (v462 & 31u);
        const u32 v464 = v463 | ((v460 != (v463 << (v462 & 31u))) ? 1u : 0u);
        const u32 v465 = v464 >> 8u;
        const u32 v466 = chosen((i32)v461 > (i32)254u, 0x7f800000u, ((max_signed(v461, 1u) - 1u) << 23u) + (v465 + ((((v464 & 255u) + (1u & v465)) > 128u) ? 1u : 0u)));
        join_15 = f32_of(chosen(0u == v458, 0x80000000u & (v444 & v445), v466 | (v444 & 0x80000000u)));
    }
    const f32 v467 = join_15;
    const f32 v468 = shuffle_xor(v467, 8u);
    const u32 v469 = canonical(v467);
    const u32 v470 = canonical(v468);
    const u32 v471 = 0x7fffffffu & v469;
    const u32 v472 = 0x7fffffffu & v470;
    if ((max_of(v471, v472) - 1u) >= 0xdffffffu) {
        join_16 = v467 + v468;
    } else {
        const bool v473 = v471 < v472;
        const u32 v474 = chosen(v473, v470, v469);
        const u32 v475 = chosen(v473, v469, v470);
        const u32 v476 = 0x7fffffffu & v474;
        const u32 v477 = v476 >> 23u;
        const bool v478 = 0u != v477;
        const u32 v479 = chosen(v478, v477, 1u);
        const u32 v480 = 0x7fffffffu & v475;
        const u32 v481 = v480 >> 23u;
        const bool v482 = 0u != v481;
        const u32 v483 = chosen(v478, (v476 & 0x7fffffu) | 0x800000u, v476) << 6u;
        const u32 v484 = chosen(v482, 0x800000u | (0x7fffffu & v480), v480) << 6u;
        const u32 v485 = min_of(v479 - chosen(v482, v481, 1u), 31u);
        const u32 v486 = v484 >> (v485 & 31u);
        const u32 v487 = v486 | ((v484 != (v486 << (v485 & 31u))) ? 1u : 0u);
        const u32 v488 = chosen(0u == ((v474 ^ v475) & 0x80000000u), v483 + v487, v483 - v487);
        const u32 v489 = leading_zeros(v488);
        const u32 v490 = v488 << (v489 & 31u);
        const u32 v491 = (2u + v479) - v489;
        const u32 v492 = min_signed(max_signed(1u - v491, 0u), 31u);
        const u32 v493 = v490 >> (v492 & 31u);
        const u32 v494 = v493 | ((v490 != (v493 << (v492 & 31u))) ? 1u : 0u);
        const u32 v495 = v494 >> 8u;
        const u32 v496 = chosen((i32)v491 > (i32)254u, 0x7f800000u, ((max_signed(v491, 1u) - 1u) << 23u) + (v495 + ((((v494 & 255u) + (1u & v495)) > 128u) ? 1u : 0u)));
        join_16 = f32_of(chosen(0u == v488, 0x80000000u & (v474 & v475), v496 | (v474 & 0x80000000u)));
    }
    const f32 v497 = join_16;
    const f32 v498 = shuffle_xor(v497, 16u);
    const u32 v499 = canonical(v497);
    const u32 v500 = canonical(v498);
    const u32 v501 = 0x7fffffffu & v499;
    const u32 v502 = 0x7fffffffu & v500;
    if ((max_of(v501, v502) - 1u) >= 0xdffffffu) {
        join_17 = v497 + v498;
    } else {
        const bool v503 = v501 < v502;
        const u32 v504 = chosen(v503, v500, v499);
        const u32 v505 = chosen(v503, v499, v500);
        const u32 v506 = 0x7fffffffu & v504;
        const u32 v507 = v506 >> 23u;
        const bool v508 = 0u != v507;
        const u32 v509 = chosen(v508, v507, 1u);
        const u32 v510 = 0x7fffffffu & v505;
        const u32 v511 = v510 >> 23u;
        const bool v512 = 0u != v511;
        const u32 v513 = chosen(v508, (v506 & 0x7fffffu) | 0x800000u, v506) << 6u;
        const u32 v514 = chosen(v512, 0x800000u | (0x7fffffu & v510), v510) << 6u;
        const u32 v515 = min_of(v509 - chosen(v512, v511, 1u), 31u);
        const u32 v516 = v514 >> (v515 & 31u);
        const u32 v517 = v516 | ((v514 != (v516 << (v515 & 31u))) ? 1u : 0u);
        const u32 v518 = chosen(0u == ((v504 ^ v505) & 0x80000000u), v513 + v517, v513 - v517);
        const u32 v519 = leading_zeros(v518);
        const u32 v520 = v518 << (v519 & 31u);
        const u32 v521 = (2u + v509) - v519;
        const u32 v522 = min_signed(max_signed(1u - v521, 0u), 31u);
        const u32 v523 = v520 >> (v522 & 31u);
        const u32 v524 = v523 | ((v520 != (v523 << (v522 & 31u))) ? 1u : 0u);
        const u32 v525 = v524 >> 8u;
        const u32 v526 = chosen((i32)v521 > (i32)254u, 0x7f800000u, ((max_signed(v521, 1u) - 1u) << 23u) + (v525 + ((((v524 & 255u) + (1u & v525)) > 128u) ? 1u : 0u)));
        join_17 = f32_of(chosen(0u == v518, 0x80000000u & (v504 & v505), v526 | (v504 & 0x80000000u)));
    }
    const f32 v527 = shuffle(join_17, 0u);
    if (0u == v7) {
        const u64 v528 = (v4 * (u64)launch.grid_y) + (u64)v2;
        if (v528 < launch.y_len) {
            y[v528] = stored(v527);
        }
    }
}
