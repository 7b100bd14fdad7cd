struct reduce_all_launch {
    u32 grid_y;
    u32 first_x;
    u32 first_y;
    u32 row_elems;
    u64 x_len;
    u64 y_len;
};
[[max_total_threads_per_threadgroup(256)]]
kernel void reduce_all(
    device const f32* x [[buffer(0)]],
    device f32* y [[buffer(1)]],
    constant reduce_all_launch& launch [[buffer(2)]],
    uint thread_in_group [[thread_index_in_threadgroup]],
    uint3 group [[threadgroup_position_in_grid]]) {
    threadgroup f32 parts[16];
    f32 acc_0;
    f32 acc_1;
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
    const u32 v1 = launch.first_y + group.y;
    const u32 v2 = v1 * 0x10000u;
    const u64 v3 = (u64)(launch.first_x + group.x);
    const u64 v4 = (v3 * (u64)v0) + (u64)v2;
    const u32 v5 = min_of(0x10000u, v0 - v2);
    acc_0 = (-0.0f);
    acc_1 = (-0.0f);
    const u32 v6 = thread_in_group;
    if (0u < v5) {
        bool i_goes = true;
        for (u32 i = 0u; i_goes; i_goes = v5 - i > 512u, i += 512u) {
            const u32 v7 = v6 + i;
            if (v7 < v5) {
                const f32 v8 = acc_0;
                const u64 v9 = v4 + (u64)v7;
                const f32 v10 = (v9 < launch.x_len) ? x[v9] : 0.0f;
                const u32 v11 = canonical(v8);
                const u32 v12 = canonical(v10);
                const u32 v13 = v11 & 0x7fffffffu;
                const u32 v14 = v12 & 0x7fffffffu;
                if ((max_of(v13, v14) - 1u) >= 0xdffffffu) {
                    join = v8 + v10;
                } else {
                    const bool v15 = v13 < v14;
                    const u32 v16 = v15 ? v12 : v11;
                    const u32 v17 = v15 ? v11 : v12;
                    const u32 v18 = 0x7fffffffu & v16;
                    const u32 v19 = v18 >> 23u;
                    const bool v20 = 0u != v19;
                    const u32 v21 = v20 ? v19 : 1u;
                    const u32 v22 = 0x7fffffffu & v17;
                    const u32 v23 = v22 >> 23u;
                    const bool v24 = 0u != v23;
                    const u32 v25 = (v20 ? ((v18 & 0x7fffffu) | 0x800000u) : v18) << 6u;
                    const u32 v26 = (v24 ? (0x800000u | (0x7fffffu & v22)) : v22) << 6u;
                    const u32 v27 = min_of(v21 - (v24 ? v23 : 1u), 31u);
                    const u32 v28 = v26 >> (v27 & 31u);
                    const u32 v29 = v28 | ((v26 != (v28 << (v27 & 31u))) ? 1u : 0u);
                    const u32 v30 = (0u == ((v16 ^ v17) & 0x80000000u)) ? (v25 + v29) : (v25 - v29);
                    const u32 v31 = leading_zeros(v30);
                    const u32 v32 = v30 << (v31 & 31u);
                    const u32 v33 = (v21 + 2u) - v31;
                    const u32 v34 = min_signed(max_signed(1u - v33, 0u), 31u);
                    const u32 v35 = v32 >> (v34 & 31u);
                    const u32 v36 = v35 | ((v32 != (v35 << (v34 & 31u))) ? 1u : 0u);
                    const u32 v37 = v36 >> 8u;
                    const u32 v38 = ((i32)v33 > (i32)254u) ? 0x7f800000u : (((max_signed(v33, 1u) - 1u) << 23u) + (v37 + ((((v36 & 255u) + (1u & v37)) > 128u) ? 1u : 0u)));
                    join = f32_of((0u == v30) ? (0x80000000u & (v16 & v17)) : (v38 | (v16 & 0x80000000u)));
                }
                acc_0 = join;
            }
            const u32 v39 = 256u + v7;
            if (v39 < v5) {
                const f32 v40 = acc_1;
                const u64 v41 = v4 + (u64)v39;
                const f32 v42 = (v41 < launch.x_len) ? x[v41] : 0.0f;
                const u32 v43 = canonical(v40);
                const u32 v44 = canonical(v42);
                const u32 v45 = v43 & 0x7fffffffu;
                const u32 v46 = v44 & 0x7fffffffu;
                if ((max_of(v45, v46) - 1u) >= 0xdffffffu) {
                    join_2 = v40 + v42;
                } else {
                    const bool v47 = v45 < v46;
                    const u32 v48 = v47 ? v44 : v43;
                    const u32 v49 = v47 ? v43 : v44;
                    const u32 v50 = 0x7fffffffu & v48;
                    const u32 v51 = v50 >> 23u;
                    const bool v52 = 0u != v51;
                    const u32 v53 = v52 ? v51 : 1u;
                    const u32 v54 = 0x7fffffffu & v49;
                    const u32 v55 = v54 >> 23u;
                    const bool v56 = 0u != v55;
                    const u32 v57 = (v52 ? ((v50 & 0x7fffffu) | 0x800000u) : v50) << 6u;
                    const u32 v58 = (v56 ? (0x800000u | (0x7fffffu & v54)) : v54) << 6u;
                    const u32 v59 = min_of(v53 - (v56 ? v55 : 1u), 31u);
                    const u32 v60 = v58 >> (v59 & 31u);
                    const u32 v61 = v60 | ((v58 != (v60 << (v59 & 31u))) ? 1u : 0u);
                    const u32 v62 = (0u == ((v48 ^ v49) & 0x80000000u)) ? (v57 + v61) : (v57 - v61);
                    const u32 v63 = leading_zeros(v62);
                    const u32 v64 = v62 << (v63 & 31u);
                    const u32 v65 = (v53 + 2u) - v63;
                    const u32 v66 = min_signed(max_signed(1u - v65, 0u), 31u);
                    const u32 v67 = v64 >> (v66 & 31u);
                    const u32 v68 = v67 | ((v64 != (v67 << (v66 & 31u))) ? 1u : 0u);
                    const u32 v69 = v68 >> 8u;
                    const u32 v70 = ((i32)v65 > (i32)254u) ? 0x7f800000u : (((max_signed(v65, 1u) - 1u) << 23u) + (v69 + ((((v68 & 255u) + (1u & v69)) > 128u) ? 1u : 0u)));
                    join_2 = f32_of((0u == v62) ? (0x80000000u & (v48 & v49)) : (v70 | (v48 & 0x80000000u)));
                }
                acc_1 = join_2;
            }
        }
    }
    const f32 v71 = acc_0;
    const f32 v72 = shuffle_xor(v71, 1u);
    const u32 v73 = canonical(v71);
    const u32 v74 = canonical(v72);
    const u32 v75 = v73 & 0x7fffffffu;
    const u32 v76 = v74 & 0x7fffffffu;
    if ((max_of(v75, v76) - 1u) >= 0xdffffffu) {
        join_3 = v71 + v72;
    } else {
        const bool v77 = v75 < v76;
        const u32 v78 = v77 ? v74 : v73;
        const u32 v79 = v77 ? v73 : v74;
        const u32 v80 = 0x7fffffffu & v78;
        const u32 v81 = v80 >> 23u;
        const bool v82 = 0u != v81;
        const u32 v83 = v82 ? v81 : 1u;
        const u32 v84 = 0x7fffffffu & v79;
        const u32 v85 = v84 >> 23u;
        const bool v86 = 0u != v85;
        const u32 v87 = (v82 ? ((v80 & 0x7fffffu) | 0x800000u) : v80) << 6u;
        const u32 v88 = (v86 ? (0x800000u | (0x7fffffu & v84)) : v84) << 6u;
        const u32 v89 = min_of(v83 - (v86 ? v85 : 1u), 31u);
        const u32 v90 = v88 >> (v89 & 31u);
        const u32 v91 = v90 | ((v88 != (v90 << (v89 & 31u))) ? 1u : 0u);
        const u32 v92 = (0u == ((v78 ^ v79) & 0x80000000u)) ? (v87 + v91) : (v87 - v91);
        const u32 v93 = leading_zeros(v92);
        const u32 v94 = v92 << (v93 & 31u);
        const u32 v95 = (v83 + 2u) - v93;
        const u32 v96 = min_signed(max_signed(1u - v95, 0u), 31u);
        const u32 v97 = v94 >> (v96 & 31u);
        const u32 v98 = v97 | ((v94 != (v97 << (v96 & 31u))) ? 1u : 0u);
        const u32 v99 = v98 >> 8u;
        const u32 v100 = ((i32)v95 > (i32)254u) ? 0x7f800000u : (((max_signed(v95, 1u) - 1u) << 23u) + (v99 + ((((v98 & 255u) + (1u & v99)) > 128u) ? 1u : 0u)));
        join_3 = f32_of((0u == v92) ? (0x80000000u & (v78 & v79)) : (v100 | (v78 & 0x80000000u)));
    }
    const f32 v101 = join_3;
    const f32 v102 = shuffle_xor(v101, 2u);
    const u32 v103 = canonical(v101);
    const u32 v104 = canonical(v102);
    const u32 v105 = 0x7fffffffu & v103;
    const u32 v106 = 0x7fffffffu & v104;
    if ((max_of(v105, v106) - 1u) >= 0xdffffffu) {
        join_4 = v101 + v102;
    } else {
        const bool v107 = v105 < v106;
        const u32 v108 = v107 ? v104 : v103;
        const u32 v109 = v107 ? v103 : v104;
        const u32 v110 = 0x7fffffffu & v108;
        const u32 v111 = v110 >> 23u;
        const bool v112 = 0u != v111;
        const u32 v113 = v112 ? v111 : 1u;
        const u32 v114 = 0x7fffffffu & v109;
        const u32 v115 = v114 >> 23u;
        const bool v116 = 0u != v115;
        const u32 v117 = (v112 ? ((v110 & 0x7fffffu) | 0x800000u) : v110) << 6u;
        const u32 v118 = (v116 ? (0x800000u | (0x7fffffu & v114)) : v114) << 6u;
        const u32 v119 = min_of(v113 - (v116 ? v115 : 1u), 31u);
        const u32 v120 = v118 >> (v119 & 31u);
        const u32 v121 = v120 | ((v118 != (v120 << (v119 & 31u))) ? 1u : 0u);
        const u32 v122 = (0u == ((v108 ^ v109) & 0x80000000u)) ? (v117 + v121) : (v117 - v121);
        const u32 v123 = leading_zeros(v122);
        const u32 v124 = v122 << (v123 & 31u);
        const u32 v125 = (2u + v113) - v123;
        const u32 v126 = min_signed(max_signed(1u - v125, 0u), 31u);
        const u32 v127 = v124 >> (v126 & 31u);
        const u32 v128 = v127 | ((v124 != (v127 << (v126 & 31u))) ? 1u : 0u);
        const u32 v129 = v128 >> 8u;
        const u32 v130 = ((i32)v125 > (i32)254u) ? 0x7f800000u : (((max_signed(v125, 1u) - 1u) << 23u) + (v129 + ((((v128 & 255u) + (1u & v129)) > 128u) ? 1u : 0u)));
        join_4 = f32_of((0u == v122) ? (0x80000000u & (v108 & v109)) : (v130 | (v108 & 0x80000000u)));
    }
    const f32 v131 = join_4;
    const f32 v132 = shuffle_xor(v131, 4u);
    const u32 v133 = canonical(v131);
    const u32 v134 = canonical(v132);
    const u32 v135 = 0x7fffffffu & v133;
    const u32 v136 = 0x7fffffffu & v134;
    if ((max_of(v135, v136) - 1u) >= 0xdffffffu) {
        join_5 = v131 + v132;
    } else {
        const bool v137 = v135 < v136;
        const u32 v138 = v137 ? v134 : v133;
        const u32 v139 = v137 ? v133 : v134;
        const u32 v140 = 0x7fffffffu & v138;
        const u32 v141 = v140 >> 23u;
        const bool v142 = 0u != v141;
        const u32 v143 = v142 ? v141 : 1u;
        const u32 v144 = 0x7fffffffu & v139;
        const u32 v145 = v144 >> 23u;
        const bool v146 = 0u != v145;
        const u32 v147 = (v142 ? ((v140 & 0x7fffffu) | 0x800000u) : v140) << 6u;
        const u32 v148 = (v146 ? (0x800000u | (0x7fffffu & v144)) : v144) << 6u;
        const u32 v149 = min_of(v143 - (v146 ? v145 : 1u), 31u);
        const u32 v150 = v148 >> (v149 & 31u);
        const u32 v151 = v150 | ((v148 != (v150 << (v149 & 31u))) ? 1u : 0u);
        const u32 v152 = (0u == ((v138 ^ v139) & 0x80000000u)) ? (v147 + v151) : (v147 - v151);
        const u32 v153 = leading_zeros(v152);
        const u32 v154 = v152 << (v153 & 31u);
        const u32 v155 = (2u + v143) - v153;
        const u32 v156 = min_signed(max_signed(1u - v155, 0u), 31u);
        const u32 v157 = v154 >> (v156 & 31u);
        const u32 v158 = v157 | ((v154 != (v157 << (v156 & 31u))) ? 1u : 0u);
        const u32 v159 = v158 >> 8u;
        const u32 v160 = ((i32)v155 > (i32)254u) ? 0x7f800000u : (((max_signed(v155, 1u) - 1u) << 23u) + (v159 + ((((v158 & 255u) + (1u & v159)) > 128u) ? 1u : 0u)));
        join_5 = f32_of((0u == v152) ? (0x80000000u & (v138 & v139)) : (v160 | (v138 & 0x80000000u)));
    }
    const f32 v161 = join_5;
    const f32 v162 = shuffle_xor(v161, 8u);
    const u32 v163 = canonical(v161);
    const u32 v164 = canonical(v162);
    const u32 v165 = 0x7fffffffu & v163;
    const u32 v166 = 0x7fffffffu & v164;
    if ((max_of(v165, v166) - 1u) >= 0xdffffffu) {
        join_6 = v161 + v162;
    } else {
        const bool v167 = v165 < v166;
        const u32 v168 = v167 ? v164 : v163;
        const u32 v169 = v167 ? v163 : v164;
        const u32 v170 = 0x7fffffffu & v168;
        const u32 v171 = v170 >> 23u;
        const bool v172 = 0u != v171;
        const u32 v173 = v172 ? v171 : 1u;
        const u32 v174 = 0x7fffffffu & v169;
        const u32 v175 = v174 >> 23u;
        const bool v176 = 0u != v175;
        const u32 v177 = (v172 ? ((v170 & 0x7fffffu) | 0x800000u) : v170) << 6u;
        const u32 v178 = (v176 ? (0x800000u | (0x7fffffu & v174)) : v174) << 6u;
        const u32 v179 = min_of(v173 - (v176 ? v175 : 1u), 31u);
        const u32 v180 = v178 >> (v179 & 31u);
        const u32 v181 = v180 | ((v178 != (v180 << (v179 & 31u))) ? 1u : 0u);
        const u32 v182 = (0u == ((v168 ^ v169) & 0x80000000u)) ? (v177 + v181) : (v177 - v181);
        const u32 v183 = leading_zeros(v182);
        const u32 v184 = v182 << (v183 & 31u);
        const u32 v185 = (2u + v173) - v183;
        const u32 v186 = min_signed(max_signed(1u - v185, 0u), 31u);
        const u32 v187 = v184 >> (v186 & 31u);
        const u32 v188 = v187 | ((v184 != (v187 << (v186 & 31u))) ? 1u : 0u);
        const u32 v189 = v188 >> 8u;
        const u32 v190 = ((i32)v185 > (i32)254u) ? 0x7f800000u : (((max_signed(v185, 1u) - 1u) << 23u) + (v189 + ((((v188 & 255u) + (1u & v189)) > 128u) ? 1u : 0u)));
        join_6 = f32_of((0u == v182) ? (0x80000000u & (v168 & v169)) : (v190 | (v168 & 0x80000000u)));
    }
    const f32 v191 = join_6;
    const f32 v192 = shuffle_xor(v191, 16u);
    const u32 v193 = canonical(v191);
    const u32 v194 = canonical(v192);
    const u32 v195 = 0x7fffffffu & v193;
    const u32 v196 = 0x7fffffffu & v194;
    if ((max_of(v195, v196) - 1u) >= 0xdffffffu) {
        join_7 = v191 + v192;
    } else {
        const bool v197 = v195 < v196;
        const u32 v198 = v197 ? v194 : v193;
        const u32 v199 = v197 ? v193 : v194;
        const u32 v200 = 0x7fffffffu & v198;
        const u32 v201 = v200 >> 23u;
        const bool v202 = 0u != v201;
        const u32 v203 = v202 ? v201 : 1u;
        const u32 v204 = 0x7fffffffu & v199;
        const u32 v205 = v204 >> 23u;
        const bool v206 = 0u != v205;
        const u32 v207 = (v202 ? ((v200 & 0x7fffffu) | 0x800000u) : v200) << 6u;
        const u32 v208 = (v206 ? (0x800000u | (0x7fffffu & v204)) : v204) << 6u;
        const u32 v209 = min_of(v203 - (v206 ? v205 : 1u), 31u);
        const u32 v210 = v208 >> (v209 & 31u);
        const u32 v211 = v210 | ((v208 != (v210 << (v209 & 31u))) ? 1u : 0u);
        const u32 v212 = (0u == ((v198 ^ v199) & 0x80000000u)) ? (v207 + v211) : (v207 - v211);
        const u32 v213 = leading_zeros(v212);
        const u32 v214 = v212 << (v213 & 31u);
        const u32 v215 = (2u + v203) - v213;
        const u32 v216 = min_signed(max_signed(1u - v215, 0u), 31u);
        const u32 v217 = v214 >> (v216 & 31u);
        const u32 v218 = v217 | ((v214 != (v217 << (v216 & 31u))) ? 1u : 0u);
        const u32 v219 = v218 >> 8u;
        const u32 v220 = ((i32)v215 > (i32)254u) ? 0x7f800000u : (((max_signed(v215, 1u) - 1u) << 23u) + (v219 + ((((v218 & 255u) + (1u & v219)) > 128u) ? 1u : 0u)));
        join_7 = f32_of((0u == v212) ? (0x80000000u & (v198 & v199)) : (v220 | (v198 & 0x80000000u)));
    }
    const f32 v221 = shuffle(join_7, 0u);
    const u32 v222 = thread_in_group & 31u;
    const bool v223 = 0u == v222;
    if (v223) {
        const u32 v224 = thread_in_group >> 5u;
        parts[v224] = v221;
    }
    const f32 v225 = acc_1;
    const f32 v226 = shuffle_xor(v225, 1u);
    const u32 v227 = canonical(v225);
    const u32 v228 = canonical(v226);
    const u32 v229 = 0x7fffffffu & v227;
    const u32 v230 = 0x7fffffffu & v228;
    if ((max_of(v229, v230) - 1u) >= 0xdffffffu) {
        join_8 = v225 + v226;
    } else {
        const bool v231 = v229 < v230;
        const u32 v232 = v231 ? v228 : v227;
        const u32 v233 = v231 ? v227 : v228;
        const u32 v234 = 0x7fffffffu & v232;
        const u32 v235 = v234 >> 23u;
        const bool v236 = 0u != v235;
        const u32 v237 = v236 ? v235 : 1u;
        const u32 v238 = 0x7fffffffu & v233;
        const u32 v239 = v238 >> 23u;
        const bool v240 = 0u != v239;
        const u32 v241 = (v236 ? ((v234 & 0x7fffffu) | 0x800000u) : v234) << 6u;
        const u32 v242 = (v240 ? (0x800000u | (0x7fffffu & v238)) : v238) << 6u;
        const u32 v243 = min_of(v237 - (v240 ? v239 : 1u), 31u);
        const u32 v244 = v242 >> (v243 & 31u);
        const u32 v245 = v244 | ((v242 != (v244 << (v243 & 31u))) ? 1u : 0u);
        const u32 v246 = (0u == ((v232 ^ v233) & 0x80000000u)) ? (v241 + v245) : (v241 - v245);
        const u32 v247 = leading_zeros(v246);
        const u32 v248 = v246 << (v247 & 31u);
        const u32 v249 = (2u + v237) - v247;
        const u32 v250 = min_signed(max_signed(1u - v249, 0u), 31u);
        const u32 v251 = v248 >> (v250 & 31u);
        const u32 v252 = v251 | ((v248 != (v251 << (v250 & 31u))) ? 1u : 0u);
        const u32 v253 = v252 >> 8u;
        const u32 v254 = ((i32)v249 > (i32)254u) ? 0x7f800000u : (((max_signed(v249, 1u) - 1u) << 23u) + (v253 + ((((v252 & 255u) + (1u & v253)) > 128u) ? 1u : 0u)));
        join_8 = f32_of((0u == v246) ? (0x80000000u & (v232 & v233)) : (v254 | (v232 & 0x80000000u)));
    }
    const f32 v255 = join_8;
    const f32 v256 = shuffle_xor(v255, 2u);
    const u32 v257 = canonical(v255);
    const u32 v258 = canonical(v256);
    const u32 v259 = 0x7fffffffu & v257;
    const u32 v260 = 0x7fffffffu & v258;
    if ((max_of(v259, v260) - 1u) >= 0xdffffffu) {
        join_9 = v255 + v256;
    } else {
        const bool v261 = v259 < v260;
        const u32 v262 = v261 ? v258 : v257;
        const u32 v263 = v261 ? v257 : v258;
        const u32 v264 = 0x7fffffffu & v262;
        const u32 v265 = v264 >> 23u;
        const bool v266 = 0u != v265;
        const u32 v267 = v266 ? v265 : 1u;
        const u32 v268 = 0x7fffffffu & v263;
        const u32 v269 = v268 >> 23u;
        const bool v270 = 0u != v269;
        const u32 v271 = (v266 ? ((v264 & 0x7fffffu) | 0x800000u) : v264) << 6u;
        const u32 v272 = (v270 ? (0x800000u | (0x7fffffu & v268)) : v268) << 6u;
        const u32 v273 = min_of(v267 - (v270 ? v269 : 1u), 31u);
        const u32 v274 = v272 >> (v273 & 31u);
        const u32 v275 = v274 | ((v272 != (v274 << (v273 & 31u))) ? 1u : 0u);
        const u32 v276 = (0u == ((v262 ^ v263) & 0x80000000u)) ? (v271 + v275) : (v271 - v275);
        const u32 v277 = leading_zeros(v276);
        const u32 v278 = v276 << (v277 & 31u);
        const u32 v279 = (2u + v267) - v277;
        const u32 v280 = min_signed(max_signed(1u - v279, 0u), 31u);
        const u32 v281 = v278 >> (v280 & 31u);
        const u32 v282 = v281 | ((v278 != (v281 << (v280 & 31u))) ? 1u : 0u);
        const u32 v283 = v282 >> 8u;
        const u32 v284 = ((i32)v279 > (i32)254u) ? 0x7f800000u : (((max_signed(v279, 1u) - 1u) << 23u) + (v283 + ((((v282 & 255u) + (1u & v283)) > 128u) ? 1u : 0u)));
        join_9 = f32_of((0u == v276) ? (0x80000000u & (v262 & v263)) : (v284 | (v262 & 0x80000000u)));
    }
    const f32 v285 = join_9;
    const f32 v286 = shuffle_xor(v285, 4u);
    const u32 v287 = canonical(v285);
    const u32 v288 = canonical(v286);
    const u32 v289 = 0x7fffffffu & v287;
    const u32 v290 = 0x7fffffffu & v288;
    if ((max_of(v289, v290) - 1u) >= 0xdffffffu) {
        join_10 = v285 + v286;
    } else {
        const bool v291 = v289 < v290;
        const u32 v292 = v291 ? v288 : v287;
        const u32 v293 = v291 ? v287 : v288;
        const u32 v294 = 0x7fffffffu & v292;
        const u32 v295 = v294 >> 23u;
        const bool v296 = 0u != v295;
        const u32 v297 = v296 ? v295 : 1u;
        const u32 v298 = 0x7fffffffu & v293;
        const u32 v299 = v298 >> 23u;
        const bool v300 = 0u != v299;
        const u32 v301 = (v296 ? ((v294 & 0x7fffffu) | 0x800000u) : v294) << 6u;
        const u32 v302 = (v300 ? (0x800000u | (0x7fffffu & v298)) : v298) << 6u;
        const u32 v303 = min_of(v297 - (v300 ? v299 : 1u), 31u);
        const u32 v304 = v302 >> (v303 & 31u);
        const u32 v305 = v304 | ((v302 != (v304 << (v303 & 31u))) ? 1u : 0u);
        const u32 v306 = (0u == ((v292 ^ v293) & 0x80000000u)) ? (v301 + v305) : (v301 - v305);
        const u32 v307 = leading_zeros(v306);
        const u32 v308 = v306 << (v307 & 31u);
        const u32 v309 = (2u + v297) - v307;
        const u32 v310 = min_signed(max_signed(1u - v309, 0u), 31u);
        const u32 v311 = v308 >> (v310 & 31u);
        const u32 v312 = v311 | ((v308 != (v311 << (v310 & 31u))) ? 1u : 0u);
        const u32 v313 = v312 >> 8u;
        const u32 v314 = ((i32)v309 > (i32)254u) ? 0x7f800000u : (((max_signed(v309, 1u) - 1u) << 23u) + (v313 + ((((v312 & 255u) + (1u & v313)) > 128u) ? 1u : 0u)));
        join_10 = f32_of((0u == v306) ? (0x80000000u & (v292 & v293)) : (v314 | (v292 & 0x80000000u)));
    }
    const f32 v315 = join_10;
    const f32 v316 = shuffle_xor(v315, 8u);
    const u32 v317 = canonical(v315);
    const u32 v318 = canonical(v316);
    const u32 v319 = 0x7fffffffu & v317;
    const u32 v320 = 0x7fffffffu & v318;
    if ((max_of(v319, v320) - 1u) >= 0xdffffffu) {
        join_11 = v315 + v316;
    } else {
        const bool v321 = v319 < v320;
        const u32 v322 = v321 ? v318 : v317;
        const u32 v323 = v321 ? v317 : v318;
        const u32 v324 = 0x7fffffffu & v322;
        const u32 v325 = v324 >> 23u;
        const bool v326 = 0u != v325;
        const u32 v327 = v326 ? v325 : 1u;
        const u32 v328 = 0x7fffffffu & v323;
        const u32 v329 = v328 >> 23u;
        const bool v330 = 0u != v329;
        const u32 v331 = (v326 ? ((v324 & 0x7fffffu) | 0x800000u) : v324) << 6u;
        const u32 v332 = (v330 ? (0x800000u | (0x7fffffu & v328)) : v328) << 6u;
        const u32 v333 = min_of(v327 - (v330 ? v329 : 1u), 31u);
        const u32 v334 = v332 >> (v333 & 31u);
        const u32 v335 = v334 | ((v332 != (v334 << (v333 & 31u))) ? 1u : 0u);
        const u32 v336 = (0u == ((v322 ^ v323) & 0x80000000u)) ? (v331 + v335) : (v331 - v335);
        const u32 v337 = leading_zeros(v336);
        const u32 v338 = v336 << (v337 & 31u);
        const u32 v339 = (2u + v327) - v337;
        const u32 v340 = min_signed(max_signed(1u - v339, 0u), 31u);
        const u32 v341 = v338 >> (v340 & 31u);
        const u32 v342 = v341 | ((v338 != (v341 << (v340 & 31u))) ? 1u : 0u);
        const u32 v343 = v342 >> 8u;
        const u32 v344 = ((i32)v339 > (i32)254u) ? 0x7f800000u : (((max_signed(v339, 1u) - 1u) << 23u) + (v343 + ((((v342 & 255u) + (1u & v343)) > 128u) ? 1u : 0u)));
        join_11 = f32_of((0u == v336) ? (0x80000000u & (v322 & v323)) : (v344 | (v322 & 0x80000000u)));
    }
    const f32 v345 = join_11;
    const f32 v346 = shuffle_xor(v345, 16u);
    const u32 v347 = canonical(v345);
    const u32 v348 = canonical(v346);
    const u32 v349 = 0x7fffffffu & v347;
    const u32 v350 = 0x7fffffffu & v348;
    if ((max_of(v349, v350) - 1u) >= 0xdffffffu) {
        join_12 = v345 + v346;
    } else {
        const bool v351 = v349 < v350;
        const u32 v352 = v351 ? v348 : v347;
        const u32 v353 = v351 ? v347 : v348;
        const u32 v354 = 0x7fffffffu & v352;
        const u32 v355 = v354 >> 23u;
        const bool v356 = 0u != v355;
        const u32 v357 = v356 ? v355 : 1u;
        const u32 v358 = 0x7fffffffu & v353;
        const u32 v359 = v358 >> 23u;
        const bool v360 = 0u != v359;
        const u32 v361 = (v356 ? ((v354 & 0x7fffffu) | 0x800000u) : v354) << 6u;
        const u32 v362 = (v360 ? (0x800000u | (0x7fffffu & v358)) : v358) << 6u;
        const u32 v363 = min_of(v357 - (v360 ? v359 : 1u), 31u);
        const u32 v364 = v362 >> (v363 & 31u);
        const u32 v365 = v364 | ((v362 != (v364 << (v363 & 31u))) ? 1u : 0u);
        const u32 v366 = (0u == ((v352 ^ v353) & 0x80000000u)) ? (v361 + v365) : (v361 - v365);
        const u32 v367 = leading_zeros(v366);
        const u32 v368 = v366 << (v367 & 31u);
        const u32 v369 = (2u + v357) - v367;
        const u32 v370 = min_signed(max_signed(1u - v369, 0u), 31u);
        const u32 v371 = v368 >> (v370 & 31u);
        const u32 v372 = v371 | ((v368 != (v371 << (v370 & 31u))) ? 1u : 0u);
        const u32 v373 = v372 >> 8u;
        const u32 v374 = ((i32)v369 > (i32)254u) ? 0x7f800000u : (((max_signed(v369, 1u) - 1u) << 23u) + (v373 + ((((v372 & 255u) + (1u & v373)) > 128u) ? 1u : 0u)));
        join_12 = f32_of((0u == v366) ? (0x80000000u & (v352 & v353)) : (v374 | (v352 & 0x80000000u)));
    }
    const f32 v375 = shuffle(join_12, 0u);
    if (v223) {
        const u32 v376 = 8u + (thread_in_group >> 5u);
        parts[v376] = v375;
    }
    barrier();
    part = (-0.0f);
    if (v222 < 16u) {
        const f32 v377 = parts[v222];
        part = v377;
    }
    const f32 v378 = part;
    const f32 v379 = shuffle_xor(v378, 1u);
    const u32 v380 = canonical(v378);
    const u32 v381 = canonical(v379);
    const u32 v382 = 0x7fffffffu & v380;
    const u32 v383 = 0x7fffffffu & v381;
    if ((max_of(v382, v383) - 1u) >= 0xdffffffu) {
        join_13 = v378 + v379;
    } else {
        const bool v384 = v382 < v383;
        const u32 v385 = v384 ? v381 : v380;
        const u32 v386 = v384 ? v380 : v381;
        const u32 v387 = 0x7fffffffu & v385;
        const u32 v388 = v387 >> 23u;
        const bool v389 = 0u != v388;
        const u32 v390 = v389 ? v388 : 1u;
        const u32 v391 = 0x7fffffffu & v386;
        const u32 v392 = v391 >> 23u;
        const bool v393 = 0u != v392;
        const u32 v394 = (v389 ? ((v387 & 0x7fffffu) | 0x800000u) : v387) << 6u;
        const u32 v395 = (v393 ? (0x800000u | (0x7fffffu & v391)) : v391) << 6u;
        const u32 v396 = min_of(v390 - (v393 ? v392 : 1u), 31u);
        const u32 v397 = v395 >> (v396 & 31u);
        const u32 v398 = v397 | ((v395 != (v397 << (v396 & 31u))) ? 1u : 0u);
        const u32 v399 = (0u == ((v385 ^ v386) & 0x80000000u)) ? (v394 + v398) : (v394 - v398);
        const u32 v400 = leading_zeros(v399);
        const u32 v401 = v399 << (v400 & 31u);
        const u32 v402 = (2u + v390) - v400;
        const u32 v403 = min_signed(max_signed(1u - v402, 0u), 31u);
        const u32 v404 = v401 >> (v403 & 31u);
        const u32 v405 = v404 | ((v401 != (v404 << (v403 & 31u))) ? 1u : 0u);
        const u32 v406 = v405 >> 8u;
        const u32 v407 = ((i32)v402 > (i32)254u) ? 0x7f800000u : (((max_signed(v402, 1u) - 1u) << 23u) + (v406 + ((((v405 & 255u) + (1u & v406)) > 128u) ? 1u : 0u)));
        join_13 = f32_of((0u == v399) ? (0x80000000u & (v385 & v386)) : (v407 | (v385 & 0x80000000u)));
    }
    const f32 v408 = join_13;
    const f32 v409 = shuffle_xor(v408, 2u);
    const u32 v410 = canonical(v408);
    const u32 v411 = canonical(v409);
    const u32 v412 = 0x7fffffffu & v410;
    const u32 v413 = 0x7fffffffu & v411;
    if ((max_of(v412, v413) - 1u) >= 0xdffffffu) {
        join_14 = v408 + v409;
    } else {
        const bool v414 = v412 < v413;
        const u32 v415 = v414 ? v411 : v410;
        const u32 v416 = v414 ? v410 : v411;
        const u32 v417 = 0x7fffffffu & v415;
        const u32 v418 = v417 >> 23u;
        const bool v419 = 0u != v418;
        const u32 v420 = v419 ? v418 : 1u;
        const u32 v421 = 0x7fffffffu & v416;
        const u32 v422 = v421 >> 23u;
        const bool v423 = 0u != v422;
        const u32 v424 = (v419 ? ((v417 & 0x7fffffu) | 0x800000u) : v417) << 6u;
        const u32 v425 = (v423 ? (0x800000u | (0x7fffffu & v421)) : v421) << 6u;
        const u32 v426 = min_of(v420 - (v423 ? v422 : 1u), 31u);
        const u32 v427 = v425 >> (v426 & 31u);
        const u32 v428 = v427 | ((v425 != (v427 << (v426 & 31u))) ? 1u : 0u);
        const u32 v429 = (0u == ((v415 ^ v416) & 0x80000000u)) ? (v424 + v428) : (v424 - v428);
        const u32 v430 = leading_zeros(v429);
        const u32 v431 = v429 << (v430 & 31u);
        const u32 v432 = (2u + v420) - v430;
        const u32 v433 = min_signed(max_signed(1u - v432, 0u), 31u);
        const u32 v434 = v431 >> (v433 & 31u);
        const u32 v435 = v434 | ((v431 != (v434 << (v433 & 31u))) ? 1u : 0u);
        const u32 v436 = v435 >> 8u;
        const u32 v437 = ((i32)v432 > (i32)254u) ? 0x7f800000u : (((max_signed(v432, 1u) - 1u) << 23u) + (v436 + ((((v435 & 255u) + (1u & v436)) > 128u) ? 1u : 0u)));
        join_14 = f32_of((0u == v429) ? (0x80000000u & (v415 & v416)) : (v437 | (v415 & 0x80000000u)));
    }
    const f32 v438 = join_14;
    const f32 v439 = shuffle_xor(v438, 4u);
    const u32 v440 = canonical(v438);
    const u32 v441 = canonical(v439);
    const u32 v442 = 0x7fffffffu & v440;
    const u32 v443 = 0x7fffffffu & v441;
    if ((max_of(v442, v443) - 1u) >= 0xdffffffu) {
        join_15 = v438 + v439;
    } else {
        const bool v444 = v442 < v443;
        const u32 v445 = v444 ? v441 : v440;
        const u32 v446 = v444 ? v440 : v441;
        const u32 v447 = 0x7fffffffu & v445;
        const u32 v448 = v447 >> 23u;
        const bool v449 = 0u != v448;
        const u32 v450 = v449 ? v448 : 1u;
        const u32 v451 = 0x7fffffffu & v446;
        const u32 v452 = v451 >> 23u;
        const bool v453 = 0u != v452;
        const u32 v454 = (v449 ? ((v447 & 0x7fffffu) | 0x800000u) : v447) << 6u;
        const u32 v455 = (v453 ? (0x800000u | (0x7fffffu & v451)) : v451) << 6u;
        const u32 v456 = min_of(v450 - (v453 ? v452 : 1u), 31u);
        const u32 v457 = v455 >> (v456 & 31u);
        const u32 v458 = v457 | ((v455 != (v457 << (v456 & 31u))) ? 1u : 0u);
        const u32 v459 = (0u == ((v445 ^ v446) & 0x80000000u)) ? (v454 + v458) : (v454 - v458);
        const u32 v460 = leading_zeros(v459);
        const u32 v461 = v459 << (v460 & 31u);
        const u32 v462 = (2u + v450) - v460;
        const u32 v463 = min_signed(max_signed(1u - v462, 0u), 31u);
        const u32 v464 = v461 >> (v463 & 31u);
        const u32 v465 = v464 | ((v461 != (v464 << (v463 & 31u))) ? 1u : 0u);
        const u32 v466 = v465 >> 8u;
        const u32 v467 = ((i32)v462 > (i32)254u) ? 0x7f800000u : (((max_signed(v462, 1u) - 1u) << 23u) + (v466 + ((((v465 & 255u) + (1u & v466)) > 128u) ? 1u : 0u)));
        join_15 = f32_of((0u == v459) ? (0x80000000u & (v445 & v446)) : (v467 | (v445 & 0x80000000u)));
    }
    const f32 v468 = join_15;
    const f32 v469 = shuffle_xor(v468, 8u);
    const u32 v470 = canonical(v468);
    const u32 v471 = canonical(v469);
    const u32 v472 = 0x7fffffffu & v470;
    const u32 v473 = 0x7fffffffu & v471;
    if ((max_of(v472, v473) - 1u) >= 0xdffffffu) {
        join_16 = v468 + v469;
    } else {
        const bool v474 = v472 < v473;
        const u32 v475 = v474 ? v471 : v470;
        const u32 v476 = v474 ? v470 : v471;
        const u32 v477 = 0x7fffffffu & v475;
        const u32 v478 = v477 >> 23u;
        const bool v479 = 0u != v478;
        const u32 v480 = v479 ? v478 : 1u;
        const u32 v481 = 0x7fffffffu & v476;
        const u32 v482 = v481 >> 23u;
        const bool v483 = 0u != v482;
        const u32 v484 = (v479 ? ((v477 & 0x7fffffu) | 0x800000u) : v477) << 6u;
        const u32 v485 = (v483 ? (0x800000u | (0x7fffffu & v481)) : v481) << 6u;
        const u32 v486 = min_of(v480 - (v483 ? v482 : 1u), 31u);
        const u32 v487 = v485 >> (v486 & 31u);
        const u32 v488 = v487 | ((v485 != (v487 << (v486 & 31u))) ? 1u : 0u);
        const u32 v489 = (0u == ((v475 ^ v476) & 0x80000000u)) ? (v484 + v488) : (v484 - v488);
        const u32 v490 = leading_zeros(v489);
        const u32 v491 = v489 << (v490 & 31u);
        const u32 v492 = (2u + v480) - v490;
        const u32 v493 = min_signed(max_signed(1u - v492, 0u), 31u);
        const u32 v494 = v491 >> (v493 & 31u);
        const u32 v495 = v494 | ((v491 != (v494 << (v493 & 31u))) ? 1u : 0u);
        const u32 v496 = v495 >> 8u;
        const u32 v497 = ((i32)v492 > (i32)254u) ? 0x7f800000u : (((max_signed(v492, 1u) - 1u) << 23u) + (v496 + ((((v495 & 255u) + (1u & v496)) > 128u) ? 1u : 0u)));
        join_16 = f32_of((0u == v489) ? (0x80000000u & (v475 & v476)) : (v497 | (v475 & 0x80000000u)));
    }
    const f32 v498 = join_16;
    const f32 v499 = shuffle_xor(v498, 16u);
    const u32 v500 = canonical(v498);
    const u32 v501 = canonical(v499);
    const u32 v502 = 0x7fffffffu & v500;
    const u32 v503 = 0x7fffffffu & v501;
    if ((max_of(v502, v503) - 1u) >= 0xdffffffu) {
        join_17 = v498 + v499;
    } else {
        const bool v504 = v502 < v503;
        const u32 v505 = v504 ? v501 : v500;
        const u32 v506 = v504 ? v500 : v501;
        const u32 v507 = 0x7fffffffu & v505;
        const u32 v508 = v507 >> 23u;
        const bool v509 = 0u != v508;
        const u32 v510 = v509 ? v508 : 1u;
        const u32 v511 = 0x7fffffffu & v506;
        const u32 v512 = v511 >> 23u;
        const bool v513 = 0u != v512;
        const u32 v514 = (v509 ? ((v507 & 0x7fffffu) | 0x800000u) : v507) << 6u;
        const u32 v515 = (v513 ? (0x800000u | (0x7fffffu & v511)) : v511) << 6u;
        const u32 v516 = min_of(v510 - (v513 ? v512 : 1u), 31u);
        const u32 v517 = v515 >> (v516 & 31u);
        const u32 v518 = v517 | ((v515 != (v517 << (v516 & 31u))) ? 1u : 0u);
        const u32 v519 = (0u == ((v505 ^ v506) & 0x80000000u)) ? (v514 + v518) : (v514 - v518);
        const u32 v520 = leading_zeros(v519);
        const u32 v521 = v519 << (v520 & 31u);
        const u32 v522 = (2u + v510) - v520;
        const u32 v523 = min_signed(max_signed(1u - v522, 0u), 31u);
        const u32 v524 = v521 >> (v523 & 31u);
        const u32 v525 = v524 | ((v521 != (v524 << (v523 & 31u))) ? 1u : 0u);
        const u32 v526 = v525 >> 8u;
        const u32 v527 = ((i32)v522 > (i32)254u) ? 0x7f800000u : (((max_signed(v522, 1u) - 1u) << 23u) + (v526 + ((((v525 & 255u) + (1u & v526)) > 128u) ? 1u : 0u)));
        join_17 = f32_of((0u == v519) ? (0x80000000u & (v505 & v506)) : (v527 | (v505 & 0x80000000u)));
    }
    const f32 v528 = shuffle(join_17, 0u);
    if (0u == v6) {
        const u64 v529 = (v3 * (u64)launch.grid_y) + (u64)v1;
        if (v529 < launch.y_len) {
            y[v529] = stored(v528);
        }
    }
}
