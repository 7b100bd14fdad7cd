struct reduce_rows_launch {
    u32 grid_y;
    u32 first_x;
    u32 first_y;
    u32 row_elems;
    u64 x_len;
    u64 y_len;
};
[[max_total_threads_per_threadgroup(64)]]
kernel void reduce_rows(
    device const f32* x [[buffer(0)]],
    device f32* y [[buffer(1)]],
    constant reduce_rows_launch& launch [[buffer(2)]],
    uint thread_in_group [[thread_index_in_threadgroup]],
    uint3 group [[threadgroup_position_in_grid]]) {
    threadgroup f32 parts[2];
    f32 acc_0;
    f32 join;
    f32 join_2;
    f32 join_3;
    f32 join_4;
    f32 join_5;
    f32 join_6;
    f32 part;
    f32 join_7;
    f32 join_8;
    f32 join_9;
    f32 join_10;
    f32 join_11;
    const u32 v0 = launch.row_elems;
    const u32 v1 = launch.first_y + group.y;
    const u32 v2 = v1 * 0x10000u;
    const u64 v3 = (u64)(launch.first_x + group.x);
    const u64 v4 = (v3 * (u64)v0) + (u64)v2;
    const u32 v5 = min_of(0x10000u, v0 - v2);
    acc_0 = (-0.0f);
    const u32 v6 = thread_in_group;
    if (0u < v5) {
        bool i_goes = true;
        for (u32 i = 0u; i_goes; i_goes = v5 - i > 64u, i += 64u) {
            const u32 v7 = v6 + i;
            if (v7 < v5) {
                const u64 v8 = v4 + (u64)v7;
                const f32 v9 = (v8 < launch.x_len) ? x[v8] : 0.0f;
                const f32 v10 = acc_0;
                const u32 v11 = canonical(v9);
                const u32 v12 = canonical(v10);
                const u32 v13 = v11 & 0x7fffffffu;
                const u32 v14 = v12 & 0x7fffffffu;
                if ((max_of(v13, v14) - 1u) >= 0xdffffffu) {
                    join = v9 + v10;
                } else {
                    const bool v15 = v13 < v14;
                    const u32 v16 = pick(v15, v12, v11);
                    const u32 v17 = pick(v15, v11, v12);
                    const u32 v18 = 0x7fffffffu & v16;
                    const u32 v19 = v18 >> 23u;
                    const bool v20 = 0u != v19;
                    const u32 v21 = pick(v20, v19, 1u);
                    const u32 v22 = 0x7fffffffu & v17;
                    const u32 v23 = v22 >> 23u;
                    const bool v24 = 0u != v23;
                    const u32 v25 = pick(v20, (v18 & 0x7fffffu) | 0x800000u, v18) << 6u;
                    const u32 v26 = pick(v24, 0x800000u | (0x7fffffu & v22), v22) << 6u;
                    const u32 v27 = min_of(v21 - pick(v24, v23, 1u), 31u);
                    const u32 v28 = v26 >> (v27 & 31u);
                    const u32 v29 = v28 | ((v26 != (v28 << (v27 & 31u))) ? 1u : 0u);
                    const u32 v30 = pick(0u == ((v16 ^ v17) & 0x80000000u), v25 + v29, v25 - v29);
                    const u32 v31 = leading_zeros(v30);
                    const u32 v32 = v30 << (v31 & 31u);
                    const u32 v33 = (v21 + 2u) - v31;
                    const u32 v34 = min_signed(max_signed(1u - v33, 0u), 31u);
                    const u32 v35 = v32 >> (v34 & 31u);
                    const u32 v36 = v35 | ((v32 != (v35 << (v34 & 31u))) ? 1u : 0u);
                    const u32 v37 = v36 >> 8u;
                    const u32 v38 = pick((i32)v33 > (i32)254u, 0x7f800000u, ((max_signed(v33, 1u) - 1u) << 23u) + (v37 + ((((v36 & 255u) + (1u & v37)) > 128u) ? 1u : 0u)));
                    join = f32_of(pick(0u == v30, 0x80000000u & (v16 & v17), v38 | (v16 & 0x80000000u)));
                }
                acc_0 = join;
            }
        }
    }
    const f32 v39 = acc_0;
    const f32 v40 = shuffle_xor(v39, 1u);
    const u32 v41 = canonical(v39);
    const u32 v42 = canonical(v40);
    const u32 v43 = v41 & 0x7fffffffu;
    const u32 v44 = v42 & 0x7fffffffu;
    if ((max_of(v43, v44) - 1u) >= 0xdffffffu) {
        join_2 = v39 + v40;
    } else {
        const bool v45 = v43 < v44;
        const u32 v46 = chosen(v45, v42, v41);
        const u32 v47 = chosen(v45, v41, v42);
        const u32 v48 = 0x7fffffffu & v46;
        const u32 v49 = v48 >> 23u;
        const bool v50 = 0u != v49;
        const u32 v51 = chosen(v50, v49, 1u);
        const u32 v52 = 0x7fffffffu & v47;
        const u32 v53 = v52 >> 23u;
        const bool v54 = 0u != v53;
        const u32 v55 = chosen(v50, (v48 & 0x7fffffu) | 0x800000u, v48) << 6u;
        const u32 v56 = chosen(v54, 0x800000u | (0x7fffffu & v52), v52) << 6u;
        const u32 v57 = min_of(v51 - chosen(v54, v53, 1u), 31u);
        const u32 v58 = v56 >> (v57 & 31u);
        const u32 v59 = v58 | ((v56 != (v58 << (v57 & 31u))) ? 1u : 0u);
        const u32 v60 = chosen(0u == ((v46 ^ v47) & 0x80000000u), v55 + v59, v55 - v59);
        const u32 v61 = leading_zeros(v60);
        const u32 v62 = v60 << (v61 & 31u);
        const u32 v63 = (v51 + 2u) - v61;
        const u32 v64 = min_signed(max_signed(1u - v63, 0u), 31u);
        const u32 v65 = v62 >> (v64 & 31u);
        const u32 v66 = v65 | ((v62 != (v65 << (v64 & 31u))) ? 1u : 0u);
        const u32 v67 = v66 >> 8u;
        const u32 v68 = chosen((i32)v63 > (i32)254u, 0x7f800000u, ((max_signed(v63, 1u) - 1u) << 23u) + (v67 + ((((v66 & 255u) + (1u & v67)) > 128u) ? 1u : 0u)));
        join_2 = f32_of(chosen(0u == v60, 0x80000000u & (v46 & v47), v68 | (v46 & 0x80000000u)));
    }
    const f32 v69 = join_2;
    const f32 v70 = shuffle_xor(v69, 2u);
    const u32 v71 = canonical(v69);
    const u32 v72 = canonical(v70);
    const u32 v73 = 0x7fffffffu & v71;
    const u32 v74 = 0x7fffffffu & v72;
    if ((max_of(v73, v74) - 1u) >= 0xdffffffu) {
        join_3 = v69 + v70;
    } else {
        const bool v75 = v73 < v74;
        const u32 v76 = chosen(v75, v72, v71);
        const u32 v77 = chosen(v75, v71, v72);
        const u32 v78 = 0x7fffffffu & v76;
        const u32 v79 = v78 >> 23u;
        const bool v80 = 0u != v79;
        const u32 v81 = chosen(v80, v79, 1u);
        const u32 v82 = 0x7fffffffu & v77;
        const u32 v83 = v82 >> 23u;
        const bool v84 = 0u != v83;
        const u32 v85 = chosen(v80, (v78 & 0x7fffffu) | 0x800000u, v78) << 6u;
        const u32 v86 = chosen(v84, 0x800000u | (0x7fffffu & v82), v82) << 6u;
        const u32 v87 = min_of(v81 - chosen(v84, v83, 1u), 31u);
        const u32 v88 = v86 >> (v87 & 31u);
        const u32 v89 = v88 | ((v86 != (v88 << (v87 & 31u))) ? 1u : 0u);
        const u32 v90 = chosen(0u == ((v76 ^ v77) & 0x80000000u), v85 + v89, v85 - v89);
        const u32 v91 = leading_zeros(v90);
        const u32 v92 = v90 << (v91 & 31u);
        const u32 v93 = (2u + v81) - v91;
        const u32 v94 = min_signed(max_signed(1u - v93, 0u), 31u);
        const u32 v95 = v92 >> (v94 & 31u);
        const u32 v96 = v95 | ((v92 != (v95 << (v94 & 31u))) ? 1u : 0u);
        const u32 v97 = v96 >> 8u;
        const u32 v98 = chosen((i32)v93 > (i32)254u, 0x7f800000u, ((max_signed(v93, 1u) - 1u) << 23u) + (v97 + ((((v96 & 255u) + (1u & v97)) > 128u) ? 1u : 0u)));
        join_3 = f32_of(chosen(0u == v90, 0x80000000u & (v76 & v77), v98 | (v76 & 0x80000000u)));
    }
    const f32 v99 = join_3;
    const f32 v100 = shuffle_xor(v99, 4u);
    const u32 v101 = canonical(v99);
    const u32 v102 = canonical(v100);
    const u32 v103 = 0x7fffffffu & v101;
    const u32 v104 = 0x7fffffffu & v102;
    if ((max_of(v103, v104) - 1u) >= 0xdffffffu) {
        join_4 = v99 + v100;
    } else {
        const bool v105 = v103 < v104;
        const u32 v106 = chosen(v105, v102, v101);
        const u32 v107 = chosen(v105, v101, v102);
        const u32 v108 = 0x7fffffffu & v106;
        const u32 v109 = v108 >> 23u;
        const bool v110 = 0u != v109;
        const u32 v111 = chosen(v110, v109, 1u);
        const u32 v112 = 0x7fffffffu & v107;
        const u32 v113 = v112 >> 23u;
        const bool v114 = 0u != v113;
        const u32 v115 = chosen(v110, (v108 & 0x7fffffu) | 0x800000u, v108) << 6u;
        const u32 v116 = chosen(v114, 0x800000u | (0x7fffffu & v112), v112) << 6u;
        const u32 v117 = min_of(v111 - chosen(v114, v113, 1u), 31u);
        const u32 v118 = v116 >> (v117 & 31u);
        const u32 v119 = v118 | ((v116 != (v118 << (v117 & 31u))) ? 1u : 0u);
        const u32 v120 = chosen(0u == ((v106 ^ v107) & 0x80000000u), v115 + v119, v115 - v119);
        const u32 v121 = leading_zeros(v120);
        const u32 v122 = v120 << (v121 & 31u);
        const u32 v123 = (2u + v111) - v121;
        const u32 v124 = min_signed(max_signed(1u - v123, 0u), 31u);
        const u32 v125 = v122 >> (v124 & 31u);
        const u32 v126 = v125 | ((v122 != (v125 << (v124 & 31u))) ? 1u : 0u);
        const u32 v127 = v126 >> 8u;
        const u32 v128 = chosen((i32)v123 > (i32)254u, 0x7f800000u, ((max_signed(v123, 1u) - 1u) << 23u) + (v127 + ((((v126 & 255u) + (1u & v127)) > 128u) ? 1u : 0u)));
        join_4 = f32_of(chosen(0u == v120, 0x80000000u & (v106 & v107), v128 | (v106 & 0x80000000u)));
    }
    const f32 v129 = join_4;
    const f32 v130 = shuffle_xor(v129, 8u);
    const u32 v131 = canonical(v129);
    const u32 v132 = canonical(v130);
    const u32 v133 = 0x7fffffffu & v131;
    const u32 v134 = 0x7fffffffu & v132;
    if ((max_of(v133, v134) - 1u) >= 0xdffffffu) {
        join_5 = v129 + v130;
    } else {
        const bool v135 = v133 < v134;
        const u32 v136 = chosen(v135, v132, v131);
        const u32 v137 = chosen(v135, v131, v132);
        const u32 v138 = 0x7fffffffu & v136;
        const u32 v139 = v138 >> 23u;
        const bool v140 = 0u != v139;
        const u32 v141 = chosen(v140, v139, 1u);
        const u32 v142 = 0x7fffffffu & v137;
        const u32 v143 = v142 >> 23u;
        const bool v144 = 0u != v143;
        const u32 v145 = chosen(v140, (v138 & 0x7fffffu) | 0x800000u, v138) << 6u;
        const u32 v146 = chosen(v144, 0x800000u | (0x7fffffu & v142), v142) << 6u;
        const u32 v147 = min_of(v141 - chosen(v144, v143, 1u), 31u);
        const u32 v148 = v146 >> (v147 & 31u);
        const u32 v149 = v148 | ((v146 != (v148 << (v147 & 31u))) ? 1u : 0u);
        const u32 v150 = chosen(0u == ((v136 ^ v137) & 0x80000000u), v145 + v149, v145 - v149);
        const u32 v151 = leading_zeros(v150);
        const u32 v152 = v150 << (v151 & 31u);
        const u32 v153 = (2u + v141) - v151;
        const u32 v154 = min_signed(max_signed(1u - v153, 0u), 31u);
        const u32 v155 = v152 >> (v154 & 31u);
        const u32 v156 = v155 | ((v152 != (v155 << (v154 & 31u))) ? 1u : 0u);
        const u32 v157 = v156 >> 8u;
        const u32 v158 = chosen((i32)v153 > (i32)254u, 0x7f800000u, ((max_signed(v153, 1u) - 1u) << 23u) + (v157 + ((((v156 & 255u) + (1u & v157)) > 128u) ? 1u : 0u)));
        join_5 = f32_of(chosen(0u == v150, 0x80000000u & (v136 & v137), v158 | (v136 & 0x80000000u)));
    }
    const f32 v159 = join_5;
    const f32 v160 = shuffle_xor(v159, 16u);
    const u32 v161 = canonical(v159);
    const u32 v162 = canonical(v160);
    const u32 v163 = 0x7fffffffu & v161;
    const u32 v164 = 0x7fffffffu & v162;
    if ((max_of(v163, v164) - 1u) >= 0xdffffffu) {
        join_6 = v159 + v160;
    } else {
        const bool v165 = v163 < v164;
        const u32 v166 = chosen(v165, v162, v161);
        const u32 v167 = chosen(v165, v161, v162);
        const u32 v168 = 0x7fffffffu & v166;
        const u32 v169 = v168 >> 23u;
        const bool v170 = 0u != v169;
        const u32 v171 = chosen(v170, v169, 1u);
        const u32 v172 = 0x7fffffffu & v167;
        const u32 v173 = v172 >> 23u;
        const bool v174 = 0u != v173;
        const u32 v175 = chosen(v170, (v168 & 0x7fffffu) | 0x800000u, v168) << 6u;
        const u32 v176 = chosen(v174, 0x800000u | (0x7fffffu & v172), v172) << 6u;
        const u32 v177 = min_of(v171 - chosen(v174, v173, 1u), 31u);
        const u32 v178 = v176 >> (v177 & 31u);
        const u32 v179 = v178 | ((v176 != (v178 << (v177 & 31u))) ? 1u : 0u);
        const u32 v180 = chosen(0u == ((v166 ^ v167) & 0x80000000u), v175 + v179, v175 - v179);
        const u32 v181 = leading_zeros(v180);
        const u32 v182 = v180 << (v181 & 31u);
        const u32 v183 = (2u + v171) - v181;
        const u32 v184 = min_signed(max_signed(1u - v183, 0u), 31u);
        const u32 v185 = v182 >> (v184 & 31u);
        const u32 v186 = v185 | ((v182 != (v185 << (v184 & 31u))) ? 1u : 0u);
        const u32 v187 = v186 >> 8u;
        const u32 v188 = chosen((i32)v183 > (i32)254u, 0x7f800000u, ((max_signed(v183, 1u) - 1u) << 23u) + (v187 + ((((v186 & 255u) + (1u & v187)) > 128u) ? 1u : 0u)));
        join_6 = f32_of(chosen(0u == v180, 0x80000000u & (v166 & v167), v188 | (v166 & 0x80000000u)));
    }
    const f32 v189 = shuffle(join_6, 0u);
    const u32 v190 = thread_in_group & 31u;
    if (0u == v190) {
        const u32 v191 = thread_in_group >> 5u;
        parts[v191] = v189;
    }
    barrier();
    part = (-0.0f);
    if (v190 < 2u) {
        const f32 v192 = parts[v190];
        part = v192;
    }
    const f32 v193 = part;
    const f32 v194 = shuffle_xor(v193, 1u);
    const u32 v195 = canonical(v193);
    const u32 v196 = canonical(v194);
    const u32 v197 = 0x7fffffffu & v195;
    const u32 v198 = 0x7fffffffu & v196;
    if ((max_of(v197, v198) - 1u) >= 0xdffffffu) {
        join_7 = v193 + v194;
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
        const u32 v217 = (2u + v205) - v215;
        const u32 v218 = min_signed(max_signed(1u - v217, 0u), 31u);
        const u32 v219 = v216 >> (v218 & 31u);
        const u32 v220 = v219 | ((v216 != (v219 << (v218 & 31u))) ? 1u : 0u);
        const u32 v221 = v220 >> 8u;
        const u32 v222 = chosen((i32)v217 > (i32)254u, 0x7f800000u, ((max_signed(v217, 1u) - 1u) << 23u) + (v221 + ((((v220 & 255u) + (1u & v221)) > 128u) ? 1u : 0u)));
        join_7 = f32_of(chosen(0u == v214, 0x80000000u & (v200 & v201), v222 | (v200 & 0x80000000u)));
    }
    const f32 v223 = join_7;
    const f32 v224 = shuffle_xor(v223, 2u);
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
        const u32 v247 = (2u + v235) - v245;
        const u32 v248 = min_signed(max_signed(1u - v247, 0u), 31u);
        const u32 v249 = v246 >> (v248 & 31u);
        const u32 v250 = v249 | ((v246 != (v249 << (v248 & 31u))) ? 1u : 0u);
        const u32 v251 = v250 >> 8u;
        const u32 v252 = chosen((i32)v247 > (i32)254u, 0x7f800000u, ((max_signed(v247, 1u) - 1u) << 23u) + (v251 + ((((v250 & 255u) + (1u & v251)) > 128u) ? 1u : 0u)));
        join_8 = f32_of(chosen(0u == v244, 0x80000000u & (v230 & v231), v252 | (v230 & 0x80000000u)));
    }
    const f32 v253 = join_8;
    const f32 v254 = shuffle_xor(v253, 4u);
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
    const f32 v284 = shuffle_xor(v283, 8u);
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
    const f32 v314 = shuffle_xor(v313, 16u);
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
    const f32 v343 = shuffle(join_11, 0u);
    if (0u == v6) {
        const u64 v344 = (v3 * (u64)launch.grid_y) + (u64)v1;
        if (v344 < launch.y_len) {
            y[v344] = stored(v343);
        }
    }
}
