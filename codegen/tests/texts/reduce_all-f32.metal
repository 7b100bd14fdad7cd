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
    const u32 v0 = launch.row_elems & 0xfffffffcu;
    const u32 v1 = launch.first_y + group.y;
    const u32 v2 = v1 * 0x10000u;
    const u64 v3 = (u64)(launch.first_x + group.x);
    const u64 v4 = (v3 * (u64)v0) + (u64)v2;
    const u32 v5 = min_of(0x10000u, v0 - v2);
    acc_0 = (-0.0f);
    acc_1 = (-0.0f);
    acc_2 = (-0.0f);
    acc_3 = (-0.0f);
    const u32 v6 = thread_in_group;
    const u32 v7 = v6 * 4u;
    if (0u < v5) {
        bool i_goes = true;
        for (u32 i = 0u; i_goes; i_goes = v5 - i > 512u, i += 512u) {
            const u32 v8 = v7 + i;
            if (v8 < v5) {
                const f32 v9 = acc_0;
                const u64 v10 = v4 + (u64)v8;
                const bool v11 = (u64)v10 + 3 < launch.x_len;
                const u32x4 v12 = v11 ? *(device const u32x4*)(x + v10) : u32x4_of(0u, 0u, 0u, 0u);
                const f32 v13 = f32_of(v12.x);
                const f32 v14 = f32_of(v12.y);
                const f32 v15 = f32_of(v12.z);
                const f32 v16 = f32_of(v12.w);
                const u32 v17 = canonical(v9);
                const u32 v18 = canonical(v13);
                const u32 v19 = v17 & 0x7fffffffu;
                const u32 v20 = v18 & 0x7fffffffu;
                if ((max_of(v19, v20) - 1u) >= 0xdffffffu) {
                    join = v9 + v13;
                } else {
                    const bool v21 = v19 < v20;
                    const u32 v22 = v21 ? v18 : v17;
                    const u32 v23 = v21 ? v17 : v18;
                    const u32 v24 = 0x7fffffffu & v22;
                    const u32 v25 = v24 >> 23u;
                    const bool v26 = 0u != v25;
                    const u32 v27 = v26 ? v25 : 1u;
                    const u32 v28 = 0x7fffffffu & v23;
                    const u32 v29 = v28 >> 23u;
                    const bool v30 = 0u != v29;
                    const u32 v31 = (v26 ? ((v24 & 0x7fffffu) | 0x800000u) : v24) << 6u;
                    const u32 v32 = (v30 ? (0x800000u | (0x7fffffu & v28)) : v28) << 6u;
                    const u32 v33 = min_of(v27 - (v30 ? v29 : 1u), 31u);
                    const u32 v34 = v32 >> (v33 & 31u);
                    const u32 v35 = v34 | ((v32 != (v34 << (v33 & 31u))) ? 1u : 0u);
                    const u32 v36 = (0u == ((v22 ^ v23) & 0x80000000u)) ? (v31 + v35) : (v31 - v35);
                    const u32 v37 = leading_zeros(v36);
                    const u32 v38 = v36 << (v37 & 31u);
                    const u32 v39 = (v27 + 2u) - v37;
                    const u32 v40 = min_signed(max_signed(1u - v39, 0u), 31u);
                    const u32 v41 = v38 >> (v40 & 31u);
                    const u32 v42 = v41 | ((v38 != (v41 << (v40 & 31u))) ? 1u : 0u);
                    const u32 v43 = v42 >> 8u;
                    const u32 v44 = ((i32)v39 > (i32)254u) ? 0x7f800000u : (((max_signed(v39, 1u) - 1u) << 23u) + (v43 + ((((v42 & 255u) + (1u & v43)) > 128u) ? 1u : 0u)));
                    join = f32_of((0u == v36) ? (0x80000000u & (v22 & v23)) : (v44 | (v22 & 0x80000000u)));
                }
                acc_0 = join;
                const f32 v45 = acc_1;
                const u32 v46 = canonical(v45);
                const u32 v47 = canonical(v14);
                const u32 v48 = 0x7fffffffu & v46;
                const u32 v49 = 0x7fffffffu & v47;
                if ((max_of(v48, v49) - 1u) >= 0xdffffffu) {
                    join_2 = v45 + v14;
                } else {
                    const bool v50 = v48 < v49;
                    const u32 v51 = v50 ? v47 : v46;
                    const u32 v52 = v50 ? v46 : v47;
                    const u32 v53 = 0x7fffffffu & v51;
                    const u32 v54 = v53 >> 23u;
                    const bool v55 = 0u != v54;
                    const u32 v56 = v55 ? v54 : 1u;
                    const u32 v57 = 0x7fffffffu & v52;
                    const u32 v58 = v57 >> 23u;
                    const bool v59 = 0u != v58;
                    const u32 v60 = (v55 ? ((v53 & 0x7fffffu) | 0x800000u) : v53) << 6u;
                    const u32 v61 = (v59 ? (0x800000u | (0x7fffffu & v57)) : v57) << 6u;
                    const u32 v62 = min_of(v56 - (v59 ? v58 : 1u), 31u);
                    const u32 v63 = v61 >> (v62 & 31u);
                    const u32 v64 = v63 | ((v61 != (v63 << (v62 & 31u))) ? 1u : 0u);
                    const u32 v65 = (0u == ((v51 ^ v52) & 0x80000000u)) ? (v60 + v64) : (v60 - v64);
                    const u32 v66 = leading_zeros(v65);
                    const u32 v67 = v65 << (v66 & 31u);
                    const u32 v68 = (v56 + 2u) - v66;
                    const u32 v69 = min_signed(max_signed(1u - v68, 0u), 31u);
                    const u32 v70 = v67 >> (v69 & 31u);
                    const u32 v71 = v70 | ((v67 != (v70 << (v69 & 31u))) ? 1u : 0u);
                    const u32 v72 = v71 >> 8u;
                    const u32 v73 = ((i32)v68 > (i32)254u) ? 0x7f800000u : (((max_signed(v68, 1u) - 1u) << 23u) + (v72 + ((((v71 & 255u) + (1u & v72)) > 128u) ? 1u : 0u)));
                    join_2 = f32_of((0u == v65) ? (0x80000000u & (v51 & v52)) : (v73 | (v51 & 0x80000000u)));
                }
                acc_1 = join_2;
                const f32 v74 = acc_2;
                const u32 v75 = canonical(v74);
                const u32 v76 = canonical(v15);
                const u32 v77 = 0x7fffffffu & v75;
                const u32 v78 = 0x7fffffffu & v76;
                if ((max_of(v77, v78) - 1u) >= 0xdffffffu) {
                    join_3 = v74 + v15;
                } else {
                    const bool v79 = v77 < v78;
                    const u32 v80 = v79 ? v76 : v75;
                    const u32 v81 = v79 ? v75 : v76;
                    const u32 v82 = 0x7fffffffu & v80;
                    const u32 v83 = v82 >> 23u;
                    const bool v84 = 0u != v83;
                    const u32 v85 = v84 ? v83 : 1u;
                    const u32 v86 = 0x7fffffffu & v81;
                    const u32 v87 = v86 >> 23u;
                    const bool v88 = 0u != v87;
                    const u32 v89 = (v84 ? ((v82 & 0x7fffffu) | 0x800000u) : v82) << 6u;
                    const u32 v90 = (v88 ? (0x800000u | (0x7fffffu & v86)) : v86) << 6u;
                    const u32 v91 = min_of(v85 - (v88 ? v87 : 1u), 31u);
                    const u32 v92 = v90 >> (v91 & 31u);
                    const u32 v93 = v92 | ((v90 != (v92 << (v91 & 31u))) ? 1u : 0u);
                    const u32 v94 = (0u == ((v80 ^ v81) & 0x80000000u)) ? (v89 + v93) : (v89 - v93);
                    const u32 v95 = leading_zeros(v94);
                    const u32 v96 = v94 << (v95 & 31u);
                    const u32 v97 = (v85 + 2u) - v95;
                    const u32 v98 = min_signed(max_signed(1u - v97, 0u), 31u);
                    const u32 v99 = v96 >> (v98 & 31u);
                    const u32 v100 = v99 | ((v96 != (v99 << (v98 & 31u))) ? 1u : 0u);
                    const u32 v101 = v100 >> 8u;
                    const u32 v102 = ((i32)v97 > (i32)254u) ? 0x7f800000u : (((max_signed(v97, 1u) - 1u) << 23u) + (v101 + ((((v100 & 255u) + (1u & v101)) > 128u) ? 1u : 0u)));
                    join_3 = f32_of((0u == v94) ? (0x80000000u & (v80 & v81)) : (v102 | (v80 & 0x80000000u)));
                }
                acc_2 = join_3;
                const f32 v103 = acc_3;
                const u32 v104 = canonical(v103);
                const u32 v105 = canonical(v16);
                const u32 v106 = 0x7fffffffu & v104;
                const u32 v107 = 0x7fffffffu & v105;
                if ((max_of(v106, v107) - 1u) >= 0xdffffffu) {
                    join_4 = v103 + v16;
                } else {
                    const bool v108 = v106 < v107;
                    const u32 v109 = v108 ? v105 : v104;
                    const u32 v110 = v108 ? v104 : v105;
                    const u32 v111 = 0x7fffffffu & v109;
                    const u32 v112 = v111 >> 23u;
                    const bool v113 = 0u != v112;
                    const u32 v114 = v113 ? v112 : 1u;
                    const u32 v115 = 0x7fffffffu & v110;
                    const u32 v116 = v115 >> 23u;
                    const bool v117 = 0u != v116;
                    const u32 v118 = (v113 ? ((v111 & 0x7fffffu) | 0x800000u) : v111) << 6u;
                    const u32 v119 = (v117 ? (0x800000u | (0x7fffffu & v115)) : v115) << 6u;
                    const u32 v120 = min_of(v114 - (v117 ? v116 : 1u), 31u);
                    const u32 v121 = v119 >> (v120 & 31u);
                    const u32 v122 = v121 | ((v119 != (v121 << (v120 & 31u))) ? 1u : 0u);
                    const u32 v123 = (0u == ((v109 ^ v110) & 0x80000000u)) ? (v118 + v122) : (v118 - v122);
                    const u32 v124 = leading_zeros(v123);
                    const u32 v125 = v123 << (v124 & 31u);
                    const u32 v126 = (v114 + 2u) - v124;
                    const u32 v127 = min_signed(max_signed(1u - v126, 0u), 31u);
                    const u32 v128 = v125 >> (v127 & 31u);
                    const u32 v129 = v128 | ((v125 != (v128 << (v127 & 31u))) ? 1u : 0u);
                    const u32 v130 = v129 >> 8u;
                    const u32 v131 = ((i32)v126 > (i32)254u) ? 0x7f800000u : (((max_signed(v126, 1u) - 1u) << 23u) + (v130 + ((((v129 & 255u) + (1u & v130)) > 128u) ? 1u : 0u)));
                    join_4 = f32_of((0u == v123) ? (0x80000000u & (v109 & v110)) : (v131 | (v109 & 0x80000000u)));
                }
                acc_3 = join_4;
            }
        }
    }
    const f32 v132 = acc_0;
    const f32 v133 = acc_1;
    const f32 v134 = acc_2;
    const f32 v135 = acc_3;
    const u32 v136 = canonical(v132);
    const u32 v137 = canonical(v133);
    const u32 v138 = v136 & 0x7fffffffu;
    const u32 v139 = v137 & 0x7fffffffu;
    if ((max_of(v138, v139) - 1u) >= 0xdffffffu) {
        join_5 = v132 + v133;
    } else {
        const bool v140 = v138 < v139;
        const u32 v141 = v140 ? v137 : v136;
        const u32 v142 = v140 ? v136 : v137;
        const u32 v143 = 0x7fffffffu & v141;
        const u32 v144 = v143 >> 23u;
        const bool v145 = 0u != v144;
        const u32 v146 = v145 ? v144 : 1u;
        const u32 v147 = 0x7fffffffu & v142;
        const u32 v148 = v147 >> 23u;
        const bool v149 = 0u != v148;
        const u32 v150 = (v145 ? ((v143 & 0x7fffffu) | 0x800000u) : v143) << 6u;
        const u32 v151 = (v149 ? (0x800000u | (0x7fffffu & v147)) : v147) << 6u;
        const u32 v152 = min_of(v146 - (v149 ? v148 : 1u), 31u);
        const u32 v153 = v151 >> (v152 & 31u);
        const u32 v154 = v153 | ((v151 != (v153 << (v152 & 31u))) ? 1u : 0u);
        const u32 v155 = (0u == ((v141 ^ v142) & 0x80000000u)) ? (v150 + v154) : (v150 - v154);
        const u32 v156 = leading_zeros(v155);
        const u32 v157 = v155 << (v156 & 31u);
        const u32 v158 = (v146 + 2u) - v156;
        const u32 v159 = min_signed(max_signed(1u - v158, 0u), 31u);
        const u32 v160 = v157 >> (v159 & 31u);
        const u32 v161 = v160 | ((v157 != (v160 << (v159 & 31u))) ? 1u : 0u);
        const u32 v162 = v161 >> 8u;
        const u32 v163 = ((i32)v158 > (i32)254u) ? 0x7f800000u : (((max_signed(v158, 1u) - 1u) << 23u) + (v162 + ((((v161 & 255u) + (1u & v162)) > 128u) ? 1u : 0u)));
        join_5 = f32_of((0u == v155) ? (0x80000000u & (v141 & v142)) : (v163 | (v141 & 0x80000000u)));
    }
    const f32 v164 = join_5;
    const u32 v165 = canonical(v134);
    const u32 v166 = canonical(v135);
    const u32 v167 = 0x7fffffffu & v165;
    const u32 v168 = 0x7fffffffu & v166;
    if ((max_of(v167, v168) - 1u) >= 0xdffffffu) {
        join_6 = v134 + v135;
    } else {
        const bool v169 = v167 < v168;
        const u32 v170 = v169 ? v166 : v165;
        const u32 v171 = v169 ? v165 : v166;
        const u32 v172 = 0x7fffffffu & v170;
        const u32 v173 = v172 >> 23u;
        const bool v174 = 0u != v173;
        const u32 v175 = v174 ? v173 : 1u;
        const u32 v176 = 0x7fffffffu & v171;
        const u32 v177 = v176 >> 23u;
        const bool v178 = 0u != v177;
        const u32 v179 = (v174 ? ((v172 & 0x7fffffu) | 0x800000u) : v172) << 6u;
        const u32 v180 = (v178 ? (0x800000u | (0x7fffffu & v176)) : v176) << 6u;
        const u32 v181 = min_of(v175 - (v178 ? v177 : 1u), 31u);
        const u32 v182 = v180 >> (v181 & 31u);
        const u32 v183 = v182 | ((v180 != (v182 << (v181 & 31u))) ? 1u : 0u);
        const u32 v184 = (0u == ((v170 ^ v171) & 0x80000000u)) ? (v179 + v183) : (v179 - v183);
        const u32 v185 = leading_zeros(v184);
        const u32 v186 = v184 << (v185 & 31u);
        const u32 v187 = (v175 + 2u) - v185;
        const u32 v188 = min_signed(max_signed(1u - v187, 0u), 31u);
        const u32 v189 = v186 >> (v188 & 31u);
        const u32 v190 = v189 | ((v186 != (v189 << (v188 & 31u))) ? 1u : 0u);
        const u32 v191 = v190 >> 8u;
        const u32 v192 = ((i32)v187 > (i32)254u) ? 0x7f800000u : (((max_signed(v187, 1u) - 1u) << 23u) + (v191 + ((((v190 & 255u) + (1u & v191)) > 128u) ? 1u : 0u)));
        join_6 = f32_of((0u == v184) ? (0x80000000u & (v170 & v171)) : (v192 | (v170 & 0x80000000u)));
    }
    const f32 v193 = join_6;
    const u32 v194 = canonical(v164);
    const u32 v195 = canonical(v193);
    const u32 v196 = 0x7fffffffu & v194;
    const u32 v197 = 0x7fffffffu & v195;
    if ((max_of(v196, v197) - 1u) >= 0xdffffffu) {
        join_7 = v164 + v193;
    } else {
        const bool v198 = v196 < v197;
        const u32 v199 = v198 ? v195 : v194;
        const u32 v200 = v198 ? v194 : v195;
        const u32 v201 = 0x7fffffffu & v199;
        const u32 v202 = v201 >> 23u;
        const bool v203 = 0u != v202;
        const u32 v204 = v203 ? v202 : 1u;
        const u32 v205 = 0x7fffffffu & v200;
        const u32 v206 = v205 >> 23u;
        const bool v207 = 0u != v206;
        const u32 v208 = (v203 ? ((v201 & 0x7fffffu) | 0x800000u) : v201) << 6u;
        const u32 v209 = (v207 ? (0x800000u | (0x7fffffu & v205)) : v205) << 6u;
        const u32 v210 = min_of(v204 - (v207 ? v206 : 1u), 31u);
        const u32 v211 = v209 >> (v210 & 31u);
        const u32 v212 = v211 | ((v209 != (v211 << (v210 & 31u))) ? 1u : 0u);
        const u32 v213 = (0u == ((v199 ^ v200) & 0x80000000u)) ? (v208 + v212) : (v208 - v212);
        const u32 v214 = leading_zeros(v213);
        const u32 v215 = v213 << (v214 & 31u);
        const u32 v216 = (v204 + 2u) - v214;
        const u32 v217 = min_signed(max_signed(1u - v216, 0u), 31u);
        const u32 v218 = v215 >> (v217 & 31u);
        const u32 v219 = v218 | ((v215 != (v218 << (v217 & 31u))) ? 1u : 0u);
        const u32 v220 = v219 >> 8u;
        const u32 v221 = ((i32)v216 > (i32)254u) ? 0x7f800000u : (((max_signed(v216, 1u) - 1u) << 23u) + (v220 + ((((v219 & 255u) + (1u & v220)) > 128u) ? 1u : 0u)));
        join_7 = f32_of((0u == v213) ? (0x80000000u & (v199 & v200)) : (v221 | (v199 & 0x80000000u)));
    }
    const f32 v222 = join_7;
    const f32 v223 = shuffle_xor(v222, 1u);
    const u32 v224 = canonical(v222);
    const u32 v225 = canonical(v223);
    const u32 v226 = 0x7fffffffu & v224;
    const u32 v227 = 0x7fffffffu & v225;
    if ((max_of(v226, v227) - 1u) >= 0xdffffffu) {
        join_8 = v222 + v223;
    } else {
        const bool v228 = v226 < v227;
        const u32 v229 = v228 ? v225 : v224;
        const u32 v230 = v228 ? v224 : v225;
        const u32 v231 = 0x7fffffffu & v229;
        const u32 v232 = v231 >> 23u;
        const bool v233 = 0u != v232;
        const u32 v234 = v233 ? v232 : 1u;
        const u32 v235 = 0x7fffffffu & v230;
        const u32 v236 = v235 >> 23u;
        const bool v237 = 0u != v236;
        const u32 v238 = (v233 ? ((v231 & 0x7fffffu) | 0x800000u) : v231) << 6u;
        const u32 v239 = (v237 ? (0x800000u | (0x7fffffu & v235)) : v235) << 6u;
        const u32 v240 = min_of(v234 - (v237 ? v236 : 1u), 31u);
        const u32 v241 = v239 >> (v240 & 31u);
        const u32 v242 = v241 | ((v239 != (v241 << (v240 & 31u))) ? 1u : 0u);
        const u32 v243 = (0u == ((v229 ^ v230) & 0x80000000u)) ? (v238 + v242) : (v238 - v242);
        const u32 v244 = leading_zeros(v243);
        const u32 v245 = v243 << (v244 & 31u);
        const u32 v246 = (v234 + 2u) - v244;
        const u32 v247 = min_signed(max_signed(1u - v246, 0u), 31u);
        const u32 v248 = v245 >> (v247 & 31u);
        const u32 v249 = v248 | ((v245 != (v248 << (v247 & 31u))) ? 1u : 0u);
        const u32 v250 = v249 >> 8u;
        const u32 v251 = ((i32)v246 > (i32)254u) ? 0x7f800000u : (((max_signed(v246, 1u) - 1u) << 23u) + (v250 + ((((v249 & 255u) + (1u & v250)) > 128u) ? 1u : 0u)));
        join_8 = f32_of((0u == v243) ? (0x80000000u & (v229 & v230)) : (v251 | (v229 & 0x80000000u)));
    }
    const f32 v252 = join_8;
    const f32 v253 = shuffle_xor(v252, 2u);
    const u32 v254 = canonical(v252);
    const u32 v255 = canonical(v253);
    const u32 v256 = 0x7fffffffu & v254;
    const u32 v257 = 0x7fffffffu & v255;
    if ((max_of(v256, v257) - 1u) >= 0xdffffffu) {
        join_9 = v252 + v253;
    } else {
        const bool v258 = v256 < v257;
        const u32 v259 = v258 ? v255 : v254;
        const u32 v260 = v258 ? v254 : v255;
        const u32 v261 = 0x7fffffffu & v259;
        const u32 v262 = v261 >> 23u;
        const bool v263 = 0u != v262;
        const u32 v264 = v263 ? v262 : 1u;
        const u32 v265 = 0x7fffffffu & v260;
        const u32 v266 = v265 >> 23u;
        const bool v267 = 0u != v266;
        const u32 v268 = (v263 ? ((v261 & 0x7fffffu) | 0x800000u) : v261) << 6u;
        const u32 v269 = (v267 ? (0x800000u | (0x7fffffu & v265)) : v265) << 6u;
        const u32 v270 = min_of(v264 - (v267 ? v266 : 1u), 31u);
        const u32 v271 = v269 >> (v270 & 31u);
        const u32 v272 = v271 | ((v269 != (v271 << (v270 & 31u))) ? 1u : 0u);
        const u32 v273 = (0u == ((v259 ^ v260) & 0x80000000u)) ? (v268 + v272) : (v268 - v272);
        const u32 v274 = leading_zeros(v273);
        const u32 v275 = v273 << (v274 & 31u);
        const u32 v276 = (2u + v264) - v274;
        const u32 v277 = min_signed(max_signed(1u - v276, 0u), 31u);
        const u32 v278 = v275 >> (v277 & 31u);
        const u32 v279 = v278 | ((v275 != (v278 << (v277 & 31u))) ? 1u : 0u);
        const u32 v280 = v279 >> 8u;
        const u32 v281 = ((i32)v276 > (i32)254u) ? 0x7f800000u : (((max_signed(v276, 1u) - 1u) << 23u) + (v280 + ((((v279 & 255u) + (1u & v280)) > 128u) ? 1u : 0u)));
        join_9 = f32_of((0u == v273) ? (0x80000000u & (v259 & v260)) : (v281 | (v259 & 0x80000000u)));
    }
    const f32 v282 = join_9;
    const f32 v283 = shuffle_xor(v282, 4u);
    const u32 v284 = canonical(v282);
    const u32 v285 = canonical(v283);
    const u32 v286 = 0x7fffffffu & v284;
    const u32 v287 = 0x7fffffffu & v285;
    if ((max_of(v286, v287) - 1u) >= 0xdffffffu) {
        join_10 = v282 + v283;
    } else {
        const bool v288 = v286 < v287;
        const u32 v289 = v288 ? v285 : v284;
        const u32 v290 = v288 ? v284 : v285;
        const u32 v291 = 0x7fffffffu & v289;
        const u32 v292 = v291 >> 23u;
        const bool v293 = 0u != v292;
        const u32 v294 = v293 ? v292 : 1u;
        const u32 v295 = 0x7fffffffu & v290;
        const u32 v296 = v295 >> 23u;
        const bool v297 = 0u != v296;
        const u32 v298 = (v293 ? ((v291 & 0x7fffffu) | 0x800000u) : v291) << 6u;
        const u32 v299 = (v297 ? (0x800000u | (0x7fffffu & v295)) : v295) << 6u;
        const u32 v300 = min_of(v294 - (v297 ? v296 : 1u), 31u);
        const u32 v301 = v299 >> (v300 & 31u);
        const u32 v302 = v301 | ((v299 != (v301 << (v300 & 31u))) ? 1u : 0u);
        const u32 v303 = (0u == ((v289 ^ v290) & 0x80000000u)) ? (v298 + v302) : (v298 - v302);
        const u32 v304 = leading_zeros(v303);
        const u32 v305 = v303 << (v304 & 31u);
        const u32 v306 = (2u + v294) - v304;
        const u32 v307 = min_signed(max_signed(1u - v306, 0u), 31u);
        const u32 v308 = v305 >> (v307 & 31u);
        const u32 v309 = v308 | ((v305 != (v308 << (v307 & 31u))) ? 1u : 0u);
        const u32 v310 = v309 >> 8u;
        const u32 v311 = ((i32)v306 > (i32)254u) ? 0x7f800000u : (((max_signed(v306, 1u) - 1u) << 23u) + (v310 + ((((v309 & 255u) + (1u & v310)) > 128u) ? 1u : 0u)));
        join_10 = f32_of((0u == v303) ? (0x80000000u & (v289 & v290)) : (v311 | (v289 & 0x80000000u)));
    }
    const f32 v312 = join_10;
    const f32 v313 = shuffle_xor(v312, 8u);
    const u32 v314 = canonical(v312);
    const u32 v315 = canonical(v313);
    const u32 v316 = 0x7fffffffu & v314;
    const u32 v317 = 0x7fffffffu & v315;
    if ((max_of(v316, v317) - 1u) >= 0xdffffffu) {
        join_11 = v312 + v313;
    } else {
        const bool v318 = v316 < v317;
        const u32 v319 = v318 ? v315 : v314;
        const u32 v320 = v318 ? v314 : v315;
        const u32 v321 = 0x7fffffffu & v319;
        const u32 v322 = v321 >> 23u;
        const bool v323 = 0u != v322;
        const u32 v324 = v323 ? v322 : 1u;
        const u32 v325 = 0x7fffffffu & v320;
        const u32 v326 = v325 >> 23u;
        const bool v327 = 0u != v326;
        const u32 v328 = (v323 ? ((v321 & 0x7fffffu) | 0x800000u) : v321) << 6u;
        const u32 v329 = (v327 ? (0x800000u | (0x7fffffu & v325)) : v325) << 6u;
        const u32 v330 = min_of(v324 - (v327 ? v326 : 1u), 31u);
        const u32 v331 = v329 >> (v330 & 31u);
        const u32 v332 = v331 | ((v329 != (v331 << (v330 & 31u))) ? 1u : 0u);
        const u32 v333 = (0u == ((v319 ^ v320) & 0x80000000u)) ? (v328 + v332) : (v328 - v332);
        const u32 v334 = leading_zeros(v333);
        const u32 v335 = v333 << (v334 & 31u);
        const u32 v336 = (2u + v324) - v334;
        const u32 v337 = min_signed(max_signed(1u - v336, 0u), 31u);
        const u32 v338 = v335 >> (v337 & 31u);
        const u32 v339 = v338 | ((v335 != (v338 << (v337 & 31u))) ? 1u : 0u);
        const u32 v340 = v339 >> 8u;
        const u32 v341 = ((i32)v336 > (i32)254u) ? 0x7f800000u : (((max_signed(v336, 1u) - 1u) << 23u) + (v340 + ((((v339 & 255u) + (1u & v340)) > 128u) ? 1u : 0u)));
        join_11 = f32_of((0u == v333) ? (0x80000000u & (v319 & v320)) : (v341 | (v319 & 0x80000000u)));
    }
    const f32 v342 = join_11;
    const f32 v343 = shuffle_xor(v342, 16u);
    const u32 v344 = canonical(v342);
    const u32 v345 = canonical(v343);
    const u32 v346 = 0x7fffffffu & v344;
    const u32 v347 = 0x7fffffffu & v345;
    if ((max_of(v346, v347) - 1u) >= 0xdffffffu) {
        join_12 = v342 + v343;
    } else {
        const bool v348 = v346 < v347;
        const u32 v349 = v348 ? v345 : v344;
        const u32 v350 = v348 ? v344 : v345;
        const u32 v351 = 0x7fffffffu & v349;
        const u32 v352 = v351 >> 23u;
        const bool v353 = 0u != v352;
        const u32 v354 = v353 ? v352 : 1u;
        const u32 v355 = 0x7fffffffu & v350;
        const u32 v356 = v355 >> 23u;
        const bool v357 = 0u != v356;
        const u32 v358 = (v353 ? ((v351 & 0x7fffffu) | 0x800000u) : v351) << 6u;
        const u32 v359 = (v357 ? (0x800000u | (0x7fffffu & v355)) : v355) << 6u;
        const u32 v360 = min_of(v354 - (v357 ? v356 : 1u), 31u);
        const u32 v361 = v359 >> (v360 & 31u);
        const u32 v362 = v361 | ((v359 != (v361 << (v360 & 31u))) ? 1u : 0u);
        const u32 v363 = (0u == ((v349 ^ v350) & 0x80000000u)) ? (v358 + v362) : (v358 - v362);
        const u32 v364 = leading_zeros(v363);
        const u32 v365 = v363 << (v364 & 31u);
        const u32 v366 = (2u + v354) - v364;
        const u32 v367 = min_signed(max_signed(1u - v366, 0u), 31u);
        const u32 v368 = v365 >> (v367 & 31u);
        const u32 v369 = v368 | ((v365 != (v368 << (v367 & 31u))) ? 1u : 0u);
        const u32 v370 = v369 >> 8u;
        const u32 v371 = ((i32)v366 > (i32)254u) ? 0x7f800000u : (((max_signed(v366, 1u) - 1u) << 23u) + (v370 + ((((v369 & 255u) + (1u & v370)) > 128u) ? 1u : 0u)));
        join_12 = f32_of((0u == v363) ? (0x80000000u & (v349 & v350)) : (v371 | (v349 & 0x80000000u)));
    }
    const f32 v372 = shuffle(join_12, 0u);
    const u32 v373 = thread_in_group & 31u;
    if (0u == v373) {
        const u32 v374 = thread_in_group >> 5u;
        parts[v374] = v372;
    }
    barrier();
    part = (-0.0f);
    if (v373 < 4u) {
        const f32 v375 = parts[v373];
        part = v375;
    }
    const f32 v376 = part;
    const f32 v377 = shuffle_xor(v376, 1u);
    const u32 v378 = canonical(v376);
    const u32 v379 = canonical(v377);
    const u32 v380 = 0x7fffffffu & v378;
    const u32 v381 = 0x7fffffffu & v379;
    if ((max_of(v380, v381) - 1u) >= 0xdffffffu) {
        join_13 = v376 + v377;
    } else {
        const bool v382 = v380 < v381;
        const u32 v383 = v382 ? v379 : v378;
        const u32 v384 = v382 ? v378 : v379;
        const u32 v385 = 0x7fffffffu & v383;
        const u32 v386 = v385 >> 23u;
        const bool v387 = 0u != v386;
        const u32 v388 = v387 ? v386 : 1u;
        const u32 v389 = 0x7fffffffu & v384;
        const u32 v390 = v389 >> 23u;
        const bool v391 = 0u != v390;
        const u32 v392 = (v387 ? ((v385 & 0x7fffffu) | 0x800000u) : v385) << 6u;
        const u32 v393 = (v391 ? (0x800000u | (0x7fffffu & v389)) : v389) << 6u;
        const u32 v394 = min_of(v388 - (v391 ? v390 : 1u), 31u);
        const u32 v395 = v393 >> (v394 & 31u);
        const u32 v396 = v395 | ((v393 != (v395 << (v394 & 31u))) ? 1u : 0u);
        const u32 v397 = (0u == ((v383 ^ v384) & 0x80000000u)) ? (v392 + v396) : (v392 - v396);
        const u32 v398 = leading_zeros(v397);
        const u32 v399 = v397 << (v398 & 31u);
        const u32 v400 = (2u + v388) - v398;
        const u32 v401 = min_signed(max_signed(1u - v400, 0u), 31u);
        const u32 v402 = v399 >> (v401 & 31u);
        const u32 v403 = v402 | ((v399 != (v402 << (v401 & 31u))) ? 1u : 0u);
        const u32 v404 = v403 >> 8u;
        const u32 v405 = ((i32)v400 > (i32)254u) ? 0x7f800000u : (((max_signed(v400, 1u) - 1u) << 23u) + (v404 + ((((v403 & 255u) + (1u & v404)) > 128u) ? 1u : 0u)));
        join_13 = f32_of((0u == v397) ? (0x80000000u & (v383 & v384)) : (v405 | (v383 & 0x80000000u)));
    }
    const f32 v406 = join_13;
    const f32 v407 = shuffle_xor(v406, 2u);
    const u32 v408 = canonical(v406);
    const u32 v409 = canonical(v407);
    const u32 v410 = 0x7fffffffu & v408;
    const u32 v411 = 0x7fffffffu & v409;
    if ((max_of(v410, v411) - 1u) >= 0xdffffffu) {
        join_14 = v406 + v407;
    } else {
        const bool v412 = v410 < v411;
        const u32 v413 = v412 ? v409 : v408;
        const u32 v414 = v412 ? v408 : v409;
        const u32 v415 = 0x7fffffffu & v413;
        const u32 v416 = v415 >> 23u;
        const bool v417 = 0u != v416;
        const u32 v418 = v417 ? v416 : 1u;
        const u32 v419 = 0x7fffffffu & v414;
        const u32 v420 = v419 >> 23u;
        const bool v421 = 0u != v420;
        const u32 v422 = (v417 ? ((v415 & 0x7fffffu) | 0x800000u) : v415) << 6u;
        const u32 v423 = (v421 ? (0x800000u | (0x7fffffu & v419)) : v419) << 6u;
        const u32 v424 = min_of(v418 - (v421 ? v420 : 1u), 31u);
        const u32 v425 = v423 >> (v424 & 31u);
        const u32 v426 = v425 | ((v423 != (v425 << (v424 & 31u))) ? 1u : 0u);
        const u32 v427 = (0u == ((v413 ^ v414) & 0x80000000u)) ? (v422 + v426) : (v422 - v426);
        const u32 v428 = leading_zeros(v427);
        const u32 v429 = v427 << (v428 & 31u);
        const u32 v430 = (2u + v418) - v428;
        const u32 v431 = min_signed(max_signed(1u - v430, 0u), 31u);
        const u32 v432 = v429 >> (v431 & 31u);
        const u32 v433 = v432 | ((v429 != (v432 << (v431 & 31u))) ? 1u : 0u);
        const u32 v434 = v433 >> 8u;
        const u32 v435 = ((i32)v430 > (i32)254u) ? 0x7f800000u : (((max_signed(v430, 1u) - 1u) << 23u) + (v434 + ((((v433 & 255u) + (1u & v434)) > 128u) ? 1u : 0u)));
        join_14 = f32_of((0u == v427) ? (0x80000000u & (v413 & v414)) : (v435 | (v413 & 0x80000000u)));
    }
    const f32 v436 = join_14;
    const f32 v437 = shuffle_xor(v436, 4u);
    const u32 v438 = canonical(v436);
    const u32 v439 = canonical(v437);
    const u32 v440 = 0x7fffffffu & v438;
    const u32 v441 = 0x7fffffffu & v439;
    if ((max_of(v440, v441) - 1u) >= 0xdffffffu) {
        join_15 = v436 + v437;
    } else {
        const bool v442 = v440 < v441;
        const u32 v443 = v442 ? v439 : v438;
        const u32 v444 = v442 ? v438 : v439;
        const u32 v445 = 0x7fffffffu & v443;
        const u32 v446 = v445 >> 23u;
        const bool v447 = 0u != v446;
        const u32 v448 = v447 ? v446 : 1u;
        const u32 v449 = 0x7fffffffu & v444;
        const u32 v450 = v449 >> 23u;
        const bool v451 = 0u != v450;
        const u32 v452 = (v447 ? ((v445 & 0x7fffffu) | 0x800000u) : v445) << 6u;
        const u32 v453 = (v451 ? (0x800000u | (0x7fffffu & v449)) : v449) << 6u;
        const u32 v454 = min_of(v448 - (v451 ? v450 : 1u), 31u);
        const u32 v455 = v453 >> (v454 & 31u);
        const u32 v456 = v455 | ((v453 != (v455 << (v454 & 31u))) ? 1u : 0u);
        const u32 v457 = (0u == ((v443 ^ v444) & 0x80000000u)) ? (v452 + v456) : (v452 - v456);
        const u32 v458 = leading_zeros(v457);
        const u32 v459 = v457 << (v458 & 31u);
        const u32 v460 = (2u + v448) - v458;
        const u32 v461 = min_signed(max_signed(1u - v460, 0u), 31u);
        const u32 v462 = v459 >> (v461 & 31u);
        const u32 v463 = v462 | ((v459 != (v462 << (v461 & 31u))) ? 1u : 0u);
        const u32 v464 = v463 >> 8u;
        const u32 v465 = ((i32)v460 > (i32)254u) ? 0x7f800000u : (((max_signed(v460, 1u) - 1u) << 23u) + (v464 + ((((v463 & 255u) + (1u & v464)) > 128u) ? 1u : 0u)));
        join_15 = f32_of((0u == v457) ? (0x80000000u & (v443 & v444)) : (v465 | (v443 & 0x80000000u)));
    }
    const f32 v466 = join_15;
    const f32 v467 = shuffle_xor(v466, 8u);
    const u32 v468 = canonical(v466);
    const u32 v469 = canonical(v467);
    const u32 v470 = 0x7fffffffu & v468;
    const u32 v471 = 0x7fffffffu & v469;
    if ((max_of(v470, v471) - 1u) >= 0xdffffffu) {
        join_16 = v466 + v467;
    } else {
        const bool v472 = v470 < v471;
        const u32 v473 = v472 ? v469 : v468;
        const u32 v474 = v472 ? v468 : v469;
        const u32 v475 = 0x7fffffffu & v473;
        const u32 v476 = v475 >> 23u;
        const bool v477 = 0u != v476;
        const u32 v478 = v477 ? v476 : 1u;
        const u32 v479 = 0x7fffffffu & v474;
        const u32 v480 = v479 >> 23u;
        const bool v481 = 0u != v480;
        const u32 v482 = (v477 ? ((v475 & 0x7fffffu) | 0x800000u) : v475) << 6u;
        const u32 v483 = (v481 ? (0x800000u | (0x7fffffu & v479)) : v479) << 6u;
        const u32 v484 = min_of(v478 - (v481 ? v480 : 1u), 31u);
        const u32 v485 = v483 >> (v484 & 31u);
        const u32 v486 = v485 | ((v483 != (v485 << (v484 & 31u))) ? 1u : 0u);
        const u32 v487 = (0u == ((v473 ^ v474) & 0x80000000u)) ? (v482 + v486) : (v482 - v486);
        const u32 v488 = leading_zeros(v487);
        const u32 v489 = v487 << (v488 & 31u);
        const u32 v490 = (2u + v478) - v488;
        const u32 v491 = min_signed(max_signed(1u - v490, 0u), 31u);
        const u32 v492 = v489 >> (v491 & 31u);
        const u32 v493 = v492 | ((v489 != (v492 << (v491 & 31u))) ? 1u : 0u);
        const u32 v494 = v493 >> 8u;
        const u32 v495 = ((i32)v490 > (i32)254u) ? 0x7f800000u : (((max_signed(v490, 1u) - 1u) << 23u) + (v494 + ((((v493 & 255u) + (1u & v494)) > 128u) ? 1u : 0u)));
        join_16 = f32_of((0u == v487) ? (0x80000000u & (v473 & v474)) : (v495 | (v473 & 0x80000000u)));
    }
    const f32 v496 = join_16;
    const f32 v497 = shuffle_xor(v496, 16u);
    const u32 v498 = canonical(v496);
    const u32 v499 = canonical(v497);
    const u32 v500 = 0x7fffffffu & v498;
    const u32 v501 = 0x7fffffffu & v499;
    if ((max_of(v500, v501) - 1u) >= 0xdffffffu) {
        join_17 = v496 + v497;
    } else {
        const bool v502 = v500 < v501;
        const u32 v503 = v502 ? v499 : v498;
        const u32 v504 = v502 ? v498 : v499;
        const u32 v505 = 0x7fffffffu & v503;
        const u32 v506 = v505 >> 23u;
        const bool v507 = 0u != v506;
        const u32 v508 = v507 ? v506 : 1u;
        const u32 v509 = 0x7fffffffu & v504;
        const u32 v510 = v509 >> 23u;
        const bool v511 = 0u != v510;
        const u32 v512 = (v507 ? ((v505 & 0x7fffffu) | 0x800000u) : v505) << 6u;
        const u32 v513 = (v511 ? (0x800000u | (0x7fffffu & v509)) : v509) << 6u;
        const u32 v514 = min_of(v508 - (v511 ? v510 : 1u), 31u);
        const u32 v515 = v513 >> (v514 & 31u);
        const u32 v516 = v515 | ((v513 != (v515 << (v514 & 31u))) ? 1u : 0u);
        const u32 v517 = (0u == ((v503 ^ v504) & 0x80000000u)) ? (v512 + v516) : (v512 - v516);
        const u32 v518 = leading_zeros(v517);
        const u32 v519 = v517 << (v518 & 31u);
        const u32 v520 = (2u + v508) - v518;
        const u32 v521 = min_signed(max_signed(1u - v520, 0u), 31u);
        const u32 v522 = v519 >> (v521 & 31u);
        const u32 v523 = v522 | ((v519 != (v522 << (v521 & 31u))) ? 1u : 0u);
        const u32 v524 = v523 >> 8u;
        const u32 v525 = ((i32)v520 > (i32)254u) ? 0x7f800000u : (((max_signed(v520, 1u) - 1u) << 23u) + (v524 + ((((v523 & 255u) + (1u & v524)) > 128u) ? 1u : 0u)));
        join_17 = f32_of((0u == v517) ? (0x80000000u & (v503 & v504)) : (v525 | (v503 & 0x80000000u)));
    }
    const f32 v526 = shuffle(join_17, 0u);
    if (0u == v6) {
        const u64 v527 = (v3 * (u64)launch.grid_y) + (u64)v1;
        if (v527 < launch.y_len) {
            y[v527] = stored(v526);
        }
    }
}
