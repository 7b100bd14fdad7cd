struct scan_launch {
    u32 first_x;
    u32 row_elems;
    u64 x_len;
    u64 y_len;
};
[[max_total_threads_per_threadgroup(64)]]
kernel void scan(
    device const f32* x [[buffer(0)]],
    device f32* y [[buffer(1)]],
    constant scan_launch& launch [[buffer(2)]],
    uint thread_in_group [[thread_index_in_threadgroup]],
    uint3 group [[threadgroup_position_in_grid]]) {
    threadgroup f32 subgroup_totals[2];
    f32 totals[32];
    f32 prefix;
    f32 join;
    f32 join_2;
    f32 join_3;
    f32 join_4;
    f32 join_5;
    f32 total;
    f32 join_6;
    f32 join_7;
    u32 level;
    bool carries;
    f32 join_8;
    f32 join_9;
    const u32 v0 = launch.row_elems;
    const u64 v1 = (u64)(launch.first_x + group.x) * (u64)v0;
    const u32 v2 = thread_in_group;
    const u32 v3 = thread_in_group & 31u;
    const bool v4 = v3 == 31u;
    const u32 v5 = thread_in_group >> 5u;
    const bool v6 = v3 < 2u;
    const u32 v7 = 1u & v5;
    const u32 v8 = v5 - v7;
    const bool v9 = 1u == v7;
    const u32 v10 = v3 - 1u;
    const bool v11 = 0u != (1u & v3);
    const u32 v12 = (v3 & 0xfffffffeu) - 1u;
    const bool v13 = 0u != (v3 & 2u);
    const u32 v14 = (v3 & 0xfffffffcu) - 1u;
    const bool v15 = 0u != (v3 & 4u);
    const u32 v16 = (v3 & 0xfffffff8u) - 1u;
    const bool v17 = 0u != (v3 & 8u);
    const u32 v18 = (v3 & 0xfffffff0u) - 1u;
    const bool v19 = 0u != (v3 & 16u);
    if (0u < v0) {
        bool i_goes = true;
        for (u32 i = 0u; i_goes; i_goes = v0 - i > 64u, i += 64u) {
            const u32 v20 = v2 + i;
            prefix = (-0.0f);
            const bool v21 = v20 < v0;
            if (v21) {
                const u64 v22 = v1 + (u64)v20;
                const f32 v23 = (v22 < launch.x_len) ? x[v22] : 0.0f;
                prefix = v23;
            }
            const f32 v24 = prefix;
            const f32 v25 = shuffle(v24, v10 & 31u);
            const u32 v26 = canonical(v25);
            const u32 v27 = canonical(v24);
            const u32 v28 = v26 & 0x7fffffffu;
            const u32 v29 = v27 & 0x7fffffffu;
            if ((max_of(v28, v29) - 1u) >= 0xdffffffu) {
                join = v24 + v25;
            } else {
                const bool v30 = v28 < v29;
                const u32 v31 = chosen(v30, v27, v26);
                const u32 v32 = chosen(v30, v26, v27);
                const u32 v33 = 0x7fffffffu & v31;
                const u32 v34 = v33 >> 23u;
                const bool v35 = 0u != v34;
                const u32 v36 = chosen(v35, v34, 1u);
                const u32 v37 = 0x7fffffffu & v32;
                const u32 v38 = v37 >> 23u;
                const bool v39 = 0u != v38;
                const u32 v40 = chosen(v35, (v33 & 0x7fffffu) | 0x800000u, v33) << 6u;
                const u32 v41 = chosen(v39, 0x800000u | (0x7fffffu & v37), v37) << 6u;
                const u32 v42 = min_of(31u, v36 - chosen(v39, v38, 1u));
                const u32 v43 = v41 >> (v42 & 31u);
                const u32 v44 = v43 | ((v41 != (v43 << (v42 & 31u))) ? 1u : 0u);
                const u32 v45 = chosen(0u == ((v31 ^ v32) & 0x80000000u), v40 + v44, v40 - v44);
                const u32 v46 = leading_zeros(v45);
                const u32 v47 = v45 << (v46 & 31u);
                const u32 v48 = (2u + v36) - v46;
                const u32 v49 = min_signed(max_signed(1u - v48, 0u), 31u);
                const u32 v50 = v47 >> (v49 & 31u);
                const u32 v51 = v50 | ((v47 != (v50 << (v49 & 31u))) ? 1u : 0u);
                const u32 v52 = v51 >> 8u;
                const u32 v53 = chosen((i32)v48 > (i32)254u, 0x7f800000u, ((max_signed(v48, 1u) - 1u) << 23u) + (v52 + ((((v51 & 255u) + (1u & v52)) > 128u) ? 1u : 0u)));
                join = f32_of(chosen(0u == v45, 0x80000000u & (v31 & v32), v53 | (v31 & 0x80000000u)));
            }
            const f32 v54 = chosen(v11, join, v24);
            const f32 v55 = shuffle(v54, v12 & 31u);
            const u32 v56 = canonical(v55);
            const u32 v57 = canonical(v54);
            const u32 v58 = 0x7fffffffu & v56;
            const u32 v59 = 0x7fffffffu & v57;
            if ((max_of(v58, v59) - 1u) >= 0xdffffffu) {
                join_2 = v54 + v55;
            } else {
                const bool v60 = v58 < v59;
                const u32 v61 = pick(v60, v57, v56);
                const u32 v62 = pick(v60, v56, v57);
                const u32 v63 = 0x7fffffffu & v61;
                const u32 v64 = v63 >> 23u;
                const bool v65 = 0u != v64;
                const u32 v66 = pick(v65, v64, 1u);
                const u32 v67 = 0x7fffffffu & v62;
                const u32 v68 = v67 >> 23u;
                const bool v69 = 0u != v68;
                const u32 v70 = pick(v65, (v63 & 0x7fffffu) | 0x800000u, v63) << 6u;
                const u32 v71 = pick(v69, 0x800000u | (0x7fffffu & v67), v67) << 6u;
                const u32 v72 = min_of(31u, v66 - pick(v69, v68, 1u));
                const u32 v73 = v71 >> (v72 & 31u);
                const u32 v74 = v73 | ((v71 != (v73 << (v72 & 31u))) ? 1u : 0u);
                const u32 v75 = pick(0u == ((v61 ^ v62) & 0x80000000u), v70 + v74, v70 - v74);
                const u32 v76 = leading_zeros(v75);
                const u32 v77 = v75 << (v76 & 31u);
                const u32 v78 = (2u + v66) - v76;
                const u32 v79 = min_signed(max_signed(1u - v78, 0u), 31u);
                const u32 v80 = v77 >> (v79 & 31u);
                const u32 v81 = v80 | ((v77 != (v80 << (v79 & 31u))) ? 1u : 0u);
                const u32 v82 = v81 >> 8u;
                const u32 v83 = pick((i32)v78 > (i32)254u, 0x7f800000u, ((max_signed(v78, 1u) - 1u) << 23u) + (v82 + ((((v81 & 255u) + (1u & v82)) > 128u) ? 1u : 0u)));
                join_2 = f32_of(pick(0u == v75, 0x80000000u & (v61 & v62), v83 | (v61 & 0x80000000u)));
            }
            const f32 v84 = pick(v13, join_2, v54);
            const f32 v85 = shuffle(v84, v14 & 31u);
            const u32 v86 = canonical(v85);
            const u32 v87 = canonical(v84);
            const u32 v88 = 0x7fffffffu & v86;
            const u32 v89 = 0x7fffffffu & v87;
            if ((max_of(v88, v89) - 1u) >= 0xdffffffu) {
                join_3 = v84 + v85;
            } else {
                const bool v90 = v88 < v89;
                const u32 v91 = pick(v90, v87, v86);
                const u32 v92 = pick(v90, v86, v87);
                const u32 v93 = 0x7fffffffu & v91;
                const u32 v94 = v93 >> 23u;
                const bool v95 = 0u != v94;
                const u32 v96 = pick(v95, v94, 1u);
                const u32 v97 = 0x7fffffffu & v92;
                const u32 v98 = v97 >> 23u;
                const bool v99 = 0u != v98;
                const u32 v100 = pick(v95, (v93 & 0x7fffffu) | 0x800000u, v93) << 6u;
                const u32 v101 = pick(v99, 0x800000u | (0x7fffffu & v97), v97) << 6u;
                const u32 v102 = min_of(31u, v96 - pick(v99, v98, 1u));
                const u32 v103 = v101 >> (v102 & 31u);
                const u32 v104 = v103 | ((v101 != (v103 << (v102 & 31u))) ? 1u : 0u);
                const u32 v105 = pick(0u == ((v91 ^ v92) & 0x80000000u), v100 + v104, v100 - v104);
                const u32 v106 = leading_zeros(v105);
                const u32 v107 = v105 << (v106 & 31u);
                const u32 v108 = (2u + v96) - v106;
                const u32 v109 = min_signed(max_signed(1u - v108, 0u), 31u);
                const u32 v110 = v107 >> (v109 & 31u);
                const u32 v111 = v110 | ((v107 != (v110 << (v109 & 31u))) ? 1u : 0u);
                const u32 v112 = v111 >> 8u;
                const u32 v113 = pick((i32)v108 > (i32)254u, 0x7f800000u, ((max_signed(v108, 1u) - 1u) << 23u) + (v112 + ((((v111 & 255u) + (1u & v112)) > 128u) ? 1u : 0u)));
                join_3 = f32_of(pick(0u == v105, 0x80000000u & (v91 & v92), v113 | (v91 & 0x80000000u)));
            }
            const f32 v114 = pick(v15, join_3, v84);
            const f32 v115 = shuffle(v114, v16 & 31u);
            const u32 v116 = canonical(v115);
            const u32 v117 = canonical(v114);
            const u32 v118 = 0x7fffffffu & v116;
            const u32 v119 = 0x7fffffffu & v117;
            if ((max_of(v118, v119) - 1u) >= 0xdffffffu) {
                join_4 = v114 + v115;
            } else {
                const bool v120 = v118 < v119;
                const u32 v121 = pick(v120, v117, v116);
                const u32 v122 = pick(v120, v116, v117);
                const u32 v123 = 0x7fffffffu & v121;
                const u32 v124 = v123 >> 23u;
                const bool v125 = 0u != v124;
                const u32 v126 = pick(v125, v124, 1u);
                const u32 v127 = 0x7fffffffu & v122;
                const u32 v128 = v127 >> 23u;
                const bool v129 = 0u != v128;
                const u32 v130 = pick(v125, (v123 & 0x7fffffu) | 0x800000u, v123) << 6u;
                const u32 v131 = pick(v129, 0x800000u | (0x7fffffu & v127), v127) << 6u;
                const u32 v132 = min_of(31u, v126 - pick(v129, v128, 1u));
                const u32 v133 = v131 >> (v132 & 31u);
                const u32 v134 = v133 | ((v131 != (v133 << (v132 & 31u))) ? 1u : 0u);
                const u32 v135 = pick(0u == ((v121 ^ v122) & 0x80000000u), v130 + v134, v130 - v134);
                const u32 v136 = leading_zeros(v135);
                const u32 v137 = v135 << (v136 & 31u);
                const u32 v138 = (2u + v126) - v136;
                const u32 v139 = min_signed(max_signed(1u - v138, 0u), 31u);
                const u32 v140 = v137 >> (v139 & 31u);
                const u32 v141 = v140 | ((v137 != (v140 << (v139 & 31u))) ? 1u : 0u);
                const u32 v142 = v141 >> 8u;
                const u32 v143 = pick((i32)v138 > (i32)254u, 0x7f800000u, ((max_signed(v138, 1u) - 1u) << 23u) + (v142 + ((((v141 & 255u) + (1u & v142)) > 128u) ? 1u : 0u)));
                join_4 = f32_of(pick(0u == v135, 0x80000000u & (v121 & v122), v143 | (v121 & 0x80000000u)));
            }
            const f32 v144 = pick(v17, join_4, v114);
            const f32 v145 = shuffle(v144, v18 & 31u);
            const u32 v146 = canonical(v145);
            const u32 v147 = canonical(v144);
            const u32 v148 = 0x7fffffffu & v146;
            const u32 v149 = 0x7fffffffu & v147;
            if ((max_of(v148, v149) - 1u) >= 0xdffffffu) {
                join_5 = v144 + v145;
            } else {
                const bool v150 = v148 < v149;
                const u32 v151 = pick(v150, v147, v146);
                const u32 v152 = pick(v150, v146, v147);
                const u32 v153 = 0x7fffffffu & v151;
                const u32 v154 = v153 >> 23u;
                const bool v155 = 0u != v154;
                const u32 v156 = pick(v155, v154, 1u);
                const u32 v157 = 0x7fffffffu & v152;
                const u32 v158 = v157 >> 23u;
                const bool v159 = 0u != v158;
                const u32 v160 = pick(v155, (v153 & 0x7fffffu) | 0x800000u, v153) << 6u;
                const u32 v161 = pick(v159, 0x800000u | (0x7fffffu & v157), v157) << 6u;
                const u32 v162 = min_of(31u, v156 - pick(v159, v158, 1u));
                const u32 v163 = v161 >> (v162 & 31u);
                const u32 v164 = v163 | ((v161 != (v163 << (v162 & 31u))) ? 1u : 0u);
                const u32 v165 = pick(0u == ((v151 ^ v152) & 0x80000000u), v160 + v164, v160 - v164);
                const u32 v166 = leading_zeros(v165);
                const u32 v167 = v165 << (v166 & 31u);
                const u32 v168 = (2u + v156) - v166;
                const u32 v169 = min_signed(max_signed(1u - v168, 0u), 31u);
                const u32 v170 = v167 >> (v169 & 31u);
                const u32 v171 = v170 | ((v167 != (v170 << (v169 & 31u))) ? 1u : 0u);
                const u32 v172 = v171 >> 8u;
                const u32 v173 = pick((i32)v168 > (i32)254u, 0x7f800000u, ((max_signed(v168, 1u) - 1u) << 23u) + (v172 + ((((v171 & 255u) + (1u & v172)) > 128u) ? 1u : 0u)));
                join_5 = f32_of(pick(0u == v165, 0x80000000u & (v151 & v152), v173 | (v151 & 0x80000000u)));
            }
            const f32 v174 = pick(v19, join_5, v144);
            prefix = v174;
            if (v4) {
                subgroup_totals[v5] = v174;
            }
            barrier();
            total = (-0.0f);
            if (v6) {
                const f32 v175 = subgroup_totals[v3];
                total = v175;
            }
            const f32 v176 = total;
            const f32 v177 = shuffle(v176, v8 & 31u);
            const u32 v178 = canonical(v174);
            const u32 v179 = canonical(v177);
            const u32 v180 = 0x7fffffffu & v178;
            const u32 v181 = 0x7fffffffu & v179;
            if ((max_of(v180, v181) - 1u) >= 0xdffffffu) {
                join_6 = v174 + v177;
            } else {
                const bool v182 = v180 < v181;
                const u32 v183 = pick(v182, v179, v178);
                const u32 v184 = pick(v182, v178, v179);
                const u32 v185 = 0x7fffffffu & v183;
                const u32 v186 = v185 >> 23u;
                const bool v187 = 0u != v186;
                const u32 v188 = pick(v187, v186, 1u);
                const u32 v189 = 0x7fffffffu & v184;
                const u32 v190 = v189 >> 23u;
                const bool v191 = 0u != v190;
                const u32 v192 = pick(v187, (v185 & 0x7fffffu) | 0x800000u, v185) << 6u;
                const u32 v193 = pick(v191, 0x800000u | (0x7fffffu & v189), v189) << 6u;
                const u32 v194 = min_of(31u, v188 - pick(v191, v190, 1u));
                const u32 v195 = v193 >> (v194 & 31u);
                const u32 v196 = v195 | ((v193 != (v195 << (v194 & 31u))) ? 1u : 0u);
                const u32 v197 = pick(0u == ((v183 ^ v184) & 0x80000000u), v192 + v196, v192 - v196);
                const u32 v198 = leading_zeros(v197);
                const u32 v199 = v197 << (v198 & 31u);
                const u32 v200 = (2u + v188) - v198;
                const u32 v201 = min_signed(max_signed(1u - v200, 0u), 31u);
                const u32 v202 = v199 >> (v201 & 31u);
                const u32 v203 = v202 | ((v199 != (v202 << (v201 & 31u))) ? 1u : 0u);
                const u32 v204 = v203 >> 8u;
                const u32 v205 = pick((i32)v200 > (i32)254u, 0x7f800000u, ((max_signed(v200, 1u) - 1u) << 23u) + (v204 + ((((v203 & 255u) + (1u & v204)) > 128u) ? 1u : 0u)));
                join_6 = f32_of(pick(0u == v197, 0x80000000u & (v183 & v184), v205 | (v183 & 0x80000000u)));
            }
            prefix = pick(v9, join_6, v174);
            const f32 v206 = shuffle_xor(v176, 1u);
            const u32 v207 = canonical(v176);
            const u32 v208 = canonical(v206);
            const u32 v209 = 0x7fffffffu & v207;
            const u32 v210 = 0x7fffffffu & v208;
            if ((max_of(v209, v210) - 1u) >= 0xdffffffu) {
                join_7 = v176 + v206;
            } else {
                const bool v211 = v209 < v210;
                const u32 v212 = chosen(v211, v208, v207);
                const u32 v213 = chosen(v211, v207, v208);
                const u32 v214 = 0x7fffffffu & v212;
                const u32 v215 = v214 >> 23u;
                const bool v216 = 0u != v215;
                const u32 v217 = chosen(v216, v215, 1u);
                const u32 v218 = 0x7fffffffu & v213;
                const u32 v219 = v218 >> 23u;
                const bool v220 = 0u != v219;
                const u32 v221 = chosen(v216, (v214 & 0x7fffffu) | 0x800000u, v214) << 6u;
                const u32 v222 = chosen(v220, 0x800000u | (0x7fffffu & v218), v218) << 6u;
                const u32 v223 = min_of(31u, v217 - chosen(v220, v219, 1u));
                const u32 v224 = v222 >> (v223 & 31u);
                const u32 v225 = v224 | ((v222 != (v224 << (v223 & 31u))) ? 1u : 0u);
                const u32 v226 = chosen(0u == ((v212 ^ v213) & 0x80000000u), v221 + v225, v221 - v225);
                const u32 v227 = leading_zeros(v226);
                const u32 v228 = v226 << (v227 & 31u);
                const u32 v229 = (2u + v217) - v227;
                const u32 v230 = min_signed(max_signed(1u - v229, 0u), 31u);
                const u32 v231 = v228 >> (v230 & 31u);
                const u32 v232 = v231 | ((v228 != (v231 << (v230 & 31u))) ? 1u : 0u);
                const u32 v233 = v232 >> 8u;
                const u32 v234 = chosen((i32)v229 > (i32)254u, 0x7f800000u, ((max_signed(v229, 1u) - 1u) << 23u) + (v233 + ((((v232 & 255u) + (1u & v233)) > 128u) ? 1u : 0u)));
                join_7 = f32_of(chosen(0u == v226, 0x80000000u & (v212 & v213), v234 | (v212 & 0x80000000u)));
            }
            const f32 v235 = shuffle(join_7, 0u);
            total = v235;
            const u32 v236 = i >> 6u;
            level = 0u;
            carries = true;
            for (;;) {
                const u32 v237 = level;
                const u32 v238 = v236 >> (v237 & 31u);
                if (0u == v238) {
                    break;
                }
                if (1u == (1u & v238)) {
                    const f32 v239 = totals[v237];
                    const f32 v240 = prefix;
                    const u32 v241 = canonical(v239);
                    const u32 v242 = canonical(v240);
                    const u32 v243 = 0x7fffffffu & v241;
                    const u32 v244 = 0x7fffffffu & v242;
                    if ((max_of(v243, v244) - 1u) >= 0xdffffffu) {
                        join_8 = v239 + v240;
                    } else {
                        const bool v245 = v243 < v244;
                        const u32 v246 = chosen(v245, v242, v241);
                        const u32 v247 = chosen(v245, v241, v242);
                        const u32 v248 = 0x7fffffffu & v246;
                        const u32 v249 = v248 >> 23u;
                        const bool v250 = 0u != v249;
                        const u32 v251 = chosen(v250, v249, 1u);
                        const u32 v252 = 0x7fffffffu & v247;
                        const u32 v253 = v252 >> 23u;
                        const bool v254 = 0u != v253;
                        const u32 v255 = chosen(v250, (v248 & 0x7fffffu) | 0x800000u, v248) << 6u;
                        const u32 v256 = chosen(v254, 0x800000u | (0x7fffffu & v252), v252) << 6u;
                        const u32 v257 = min_of(31u, v251 - chosen(v254, v253, 1u));
                        const u32 v258 = v256 >> (v257 & 31u);
                        const u32 v259 = v258 | ((v256 != (v258 << (v257 & 31u))) ? 1u : 0u);
                        const u32 v260 = chosen(0u == ((v246 ^ v247) & 0x80000000u), v255 + v259, v255 - v259);
                        const u32 v261 = leading_zeros(v260);
                        const u32 v262 = v260 << (v261 & 31u);
                        const u32 v263 = (2u + v251) - v261;
                        const u32 v264 = min_signed(max_signed(1u - v263, 0u), 31u);
                        const u32 v265 = v262 >> (v264 & 31u);
                        const u32 v266 = v265 | ((v262 != (v265 << (v264 & 31u))) ? 1u : 0u);
                        const u32 v267 = v266 >> 8u;
                        const u32 v268 = chosen((i32)v263 > (i32)254u, 0x7f800000u, ((max_signed(v263, 1u) - 1u) << 23u) + (v267 + ((((v266 & 255u) + (1u & v267)) > 128u) ? 1u : 0u)));
                        join_8 = f32_of(chosen(0u == v260, 0x80000000u & (v246 & v247), v268 | (v246 & 0x80000000u)));
                    }
                    prefix = join_8;
                    if (carries) {
                        const f32 v269 = totals[v237];
                        const f32 v270 = total;
                        const u32 v271 = canonical(v269);
                        const u32 v272 = canonical(v270);
                        const u32 v273 = 0x7fffffffu & v271;
                        const u32 v274 = 0x7fffffffu & v272;
                        if ((max_of(v273, v274) - 1u) >= 0xdffffffu) {
                            join_9 = v269 + v270;
                        } else {
                            const bool v275 = v273 < v274;
                            const u32 v276 = chosen(v275, v272, v271);
                            const u32 v277 = chosen(v275, v271, v272);
                            const u32 v278 = 0x7fffffffu & v276;
                            const u32 v279 = v278 >> 23u;
                            const bool v280 = 0u != v279;
                            const u32 v281 = chosen(v280, v279, 1u);
                            const u32 v282 = 0x7fffffffu & v277;
                            const u32 v283 = v282 >> 23u;
                            const bool v284 = 0u != v283;
                            const u32 v285 = chosen(v280, (v278 & 0x7fffffu) | 0x800000u, v278) << 6u;
                            const u32 v286 = chosen(v284, 0x800000u | (0x7fffffu & v282), v282) << 6u;
                            const u32 v287 = min_of(31u, v281 - chosen(v284, v283, 1u));
                            const u32 v288 = v286 >> (v287 & 31u);
                            const u32 v289 = v288 | ((v286 != (v288 << (v287 & 31u))) ? 1u : 0u);
                            const u32 v290 = chosen(0u == ((v276 ^ v277) & 0x80000000u), v285 + v289, v285 - v289);
                            const u32 v291 = leading_zeros(v290);
                            const u32 v292 = v290 << (v291 & 31u);
                            const u32 v293 = (2u + v281) - v291;
                            const u32 v294 = min_signed(max_signed(1u - v293, 0u), 31u);
                            const u32 v295 = v292 >> (v294 & 31u);
                            const u32 v296 = v295 | ((v292 != (v295 << (v294 & 31u))) ? 1u : 0u);
                            const u32 v297 = v296 >> 8u;
                            const u32 v298 = chosen((i32)v293 > (i32)254u, 0x7f800000u, ((max_signed(v293, 1u) - 1u) << 23u) + (v297 + ((((v296 & 255u) + (1u & v297)) > 128u) ? 1u : 0u)));
                            join_9 = f32_of(chosen(0u == v290, 0x80000000u & (v276 & v277), v298 | (v276 & 0x80000000u)));
                        }
                        total = join_9;
                    }
                } else {
                    if (carries) {
                        totals[v237] = total;
                        carries = false;
                    }
                }
                level = 1u + v237;
            }
            if (carries) {
                totals[level] = total;
            }
            if (v21) {
                const u64 v299 = v1 + (u64)v20;
                if (v299 < launch.y_len) {
                    y[v299] = stored(prefix);
                }
            }
            barrier();
        }
    }
}
