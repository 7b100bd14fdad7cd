struct add_launch {
    u32 first_x;
    u32 n;
    u64 a_len;
    u64 b_len;
    u64 y_len;
};
[[max_total_threads_per_threadgroup(256)]]
kernel void add(
    device const u16* a [[buffer(0)]],
    device const u16* b [[buffer(1)]],
    device u16* y [[buffer(2)]],
    constant add_launch& launch [[buffer(3)]],
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
    const u32 v0 = launch.n;
    const u32 v1 = ((launch.first_x + group.x) * 256u + thread_in_group) * 8u;
    if (v1 < v0) {
        if ((v0 - v1) >= 8u) {
            const bool v2 = (u64)v1 + 7 < launch.a_len;
            const u32x4 v3 = v2 ? *(device const u32x4*)(a + v1) : u32x4_of(0u, 0u, 0u, 0u);
            const u32 v4 = v3.x & 0xffffu;
            const u32 v5 = v3.x >> 16u;
            const u32 v6 = v3.y & 0xffffu;
            const u32 v7 = v3.y >> 16u;
            const u32 v8 = v3.z & 0xffffu;
            const u32 v9 = v3.z >> 16u;
            const u32 v10 = v3.w & 0xffffu;
            const u32 v11 = v3.w >> 16u;
            const bool v12 = (u64)v1 + 7 < launch.b_len;
            const u32x4 v13 = v12 ? *(device const u32x4*)(b + v1) : u32x4_of(0u, 0u, 0u, 0u);
            const u32 v14 = v13.x & 0xffffu;
            const u32 v15 = v13.x >> 16u;
            const u32 v16 = v13.y & 0xffffu;
            const u32 v17 = v13.y >> 16u;
            const u32 v18 = v13.z & 0xffffu;
            const u32 v19 = v13.z >> 16u;
            const u32 v20 = v13.w & 0xffffu;
            const u32 v21 = v13.w >> 16u;
            const f32 v22 = f32_of_f16(v4);
            const f32 v23 = f32_of_f16(v14);
            const u32 v24 = canonical(v22);
            const u32 v25 = canonical(v23);
            const u32 v26 = v24 & 0x7fffffffu;
            const u32 v27 = v25 & 0x7fffffffu;
            if ((max_of(v26, v27) - 1u) >= 0xdffffffu) {
                join = v22 + v23;
            } else {
                const bool v28 = v26 < v27;
                const u32 v29 = pick(v28, v25, v24);
                const u32 v30 = pick(v28, v24, v25);
                const u32 v31 = 0x7fffffffu & v29;
                const u32 v32 = v31 >> 23u;
                const bool v33 = v32 != 0u;
                const u32 v34 = pick(v33, v32, 1u);
                const u32 v35 = 0x7fffffffu & v30;
                const u32 v36 = v35 >> 23u;
                const bool v37 = 0u != v36;
                const u32 v38 = pick(v33, (v31 & 0x7fffffu) | 0x800000u, v31) << 6u;
                const u32 v39 = pick(v37, 0x800000u | (0x7fffffu & v35), v35) << 6u;
                const u32 v40 = min_of(v34 - pick(v37, v36, 1u), 31u);
                const u32 v41 = v39 >> (v40 & 31u);
                const u32 v42 = v41 | ((v39 != (v41 << (v40 & 31u))) ? 1u : 0u);
                const u32 v43 = pick(0u == ((v29 ^ v30) & 0x80000000u), v38 + v42, v38 - v42);
                const u32 v44 = leading_zeros(v43);
                const u32 v45 = v43 << (v44 & 31u);
                const u32 v46 = (v34 + 2u) - v44;
                const u32 v47 = min_signed(max_signed(1u - v46, 0u), 31u);
                const u32 v48 = v45 >> (v47 & 31u);
                const u32 v49 = v48 | ((v45 != (v48 << (v47 & 31u))) ? 1u : 0u);
                const u32 v50 = v49 >> 8u;
                const u32 v51 = pick((i32)v46 > (i32)254u, 0x7f800000u, ((max_signed(v46, 1u) - 1u) << 23u) + (v50 + ((((v49 & 255u) + (1u & v50)) > 128u) ? 1u : 0u)));
                join = f32_of(pick(0u == v43, 0x80000000u & (v29 & v30), v51 | (v29 & 0x80000000u)));
            }
            const u32 v52 = f16_of_f32(join);
            const f32 v53 = f32_of_f16(v5);
            const f32 v54 = f32_of_f16(v15);
            const u32 v55 = canonical(v53);
            const u32 v56 = canonical(v54);
            const u32 v57 = 0x7fffffffu & v55;
            const u32 v58 = 0x7fffffffu & v56;
            if ((max_of(v57, v58) - 1u) >= 0xdffffffu) {
                join_2 = v53 + v54;
            } else {
                const bool v59 = v57 < v58;
                const u32 v60 = pick(v59, v56, v55);
                const u32 v61 = pick(v59, v55, v56);
                const u32 v62 = 0x7fffffffu & v60;
                const u32 v63 = v62 >> 23u;
                const bool v64 = v63 != 0u;
                const u32 v65 = pick(v64, v63, 1u);
                const u32 v66 = 0x7fffffffu & v61;
                const u32 v67 = v66 >> 23u;
                const bool v68 = 0u != v67;
                const u32 v69 = pick(v64, (v62 & 0x7fffffu) | 0x800000u, v62) << 6u;
                const u32 v70 = pick(v68, 0x800000u | (0x7fffffu & v66), v66) << 6u;
                const u32 v71 = min_of(v65 - pick(v68, v67, 1u), 31u);
                const u32 v72 = v70 >> (v71 & 31u);
                const u32 v73 = v72 | ((v70 != (v72 << (v71 & 31u))) ? 1u : 0u);
                const u32 v74 = pick(0u == ((v60 ^ v61) & 0x80000000u), v69 + v73, v69 - v73);
                const u32 v75 = leading_zeros(v74);
                const u32 v76 = v74 << (v75 & 31u);
                const u32 v77 = (v65 + 2u) - v75;
                const u32 v78 = min_signed(max_signed(1u - v77, 0u), 31u);
                const u32 v79 = v76 >> (v78 & 31u);
                const u32 v80 = v79 | ((v76 != (v79 << (v78 & 31u))) ? 1u : 0u);
                const u32 v81 = v80 >> 8u;
                const u32 v82 = pick((i32)v77 > (i32)254u, 0x7f800000u, ((max_signed(v77, 1u) - 1u) << 23u) + (v81 + ((((v80 & 255u) + (1u & v81)) > 128u) ? 1u : 0u)));
                join_2 = f32_of(pick(0u == v74, 0x80000000u & (v60 & v61), v82 | (v60 & 0x80000000u)));
            }
            const u32 v83 = f16_of_f32(join_2);
            const f32 v84 = f32_of_f16(v6);
            const f32 v85 = f32_of_f16(v16);
            const u32 v86 = canonical(v84);
            const u32 v87 = canonical(v85);
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
                const bool v95 = v94 != 0u;
                const u32 v96 = pick(v95, v94, 1u);
                const u32 v97 = 0x7fffffffu & v92;
                const u32 v98 = v97 >> 23u;
                const bool v99 = 0u != v98;
                const u32 v100 = pick(v95, (v93 & 0x7fffffu) | 0x800000u, v93) << 6u;
                const u32 v101 = pick(v99, 0x800000u | (0x7fffffu & v97), v97) << 6u;
                const u32 v102 = min_of(v96 - pick(v99, v98, 1u), 31u);
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
            const u32 v114 = f16_of_f32(join_3);
            const f32 v115 = f32_of_f16(v7);
            const f32 v116 = f32_of_f16(v17);
            const u32 v117 = canonical(v115);
            const u32 v118 = canonical(v116);
            const u32 v119 = 0x7fffffffu & v117;
            const u32 v120 = 0x7fffffffu & v118;
            if ((max_of(v119, v120) - 1u) >= 0xdffffffu) {
                join_4 = v115 + v116;
            } else {
                const bool v121 = v119 < v120;
                const u32 v122 = pick(v121, v118, v117);
                const u32 v123 = pick(v121, v117, v118);
                const u32 v124 = 0x7fffffffu & v122;
                const u32 v125 = v124 >> 23u;
                const bool v126 = v125 != 0u;
                const u32 v127 = pick(v126, v125, 1u);
                const u32 v128 = 0x7fffffffu & v123;
                const u32 v129 = v128 >> 23u;
                const bool v130 = 0u != v129;
                const u32 v131 = pick(v126, (v124 & 0x7fffffu) | 0x800000u, v124) << 6u;
                const u32 v132 = pick(v130, 0x800000u | (0x7fffffu & v128), v128) << 6u;
                const u32 v133 = min_of(v127 - pick(v130, v129, 1u), 31u);
                const u32 v134 = v132 >> (v133 & 31u);
                const u32 v135 = v134 | ((v132 != (v134 << (v133 & 31u))) ? 1u : 0u);
                const u32 v136 = pick(0u == ((v122 ^ v123) & 0x80000000u), v131 + v135, v131 - v135);
                const u32 v137 = leading_zeros(v136);
                const u32 v138 = v136 << (v137 & 31u);
                const u32 v139 = (2u + v127) - v137;
                const u32 v140 = min_signed(max_signed(1u - v139, 0u), 31u);
                const u32 v141 = v138 >> (v140 & 31u);
                const u32 v142 = v141 | ((v138 != (v141 << (v140 & 31u))) ? 1u : 0u);
                const u32 v143 = v142 >> 8u;
                const u32 v144 = pick((i32)v139 > (i32)254u, 0x7f800000u, ((max_signed(v139, 1u) - 1u) << 23u) + (v143 + ((((v142 & 255u) + (1u & v143)) > 128u) ? 1u : 0u)));
                join_4 = f32_of(pick(0u == v136, 0x80000000u & (v122 & v123), v144 | (v122 & 0x80000000u)));
            }
            const u32 v145 = f16_of_f32(join_4);
            const f32 v146 = f32_of_f16(v8);
            const f32 v147 = f32_of_f16(v18);
            const u32 v148 = canonical(v146);
            const u32 v149 = canonical(v147);
            const u32 v150 = 0x7fffffffu & v148;
            const u32 v151 = 0x7fffffffu & v149;
            if ((max_of(v150, v151) - 1u) >= 0xdffffffu) {
                join_5 = v146 + v147;
            } else {
                const bool v152 = v150 < v151;
                const u32 v153 = pick(v152, v149, v148);
                const u32 v154 = pick(v152, v148, v149);
                const u32 v155 = 0x7fffffffu & v153;
                const u32 v156 = v155 >> 23u;
                const bool v157 = v156 != 0u;
                const u32 v158 = pick(v157, v156, 1u);
                const u32 v159 = 0x7fffffffu & v154;
                const u32 v160 = v159 >> 23u;
                const bool v161 = 0u != v160;
                const u32 v162 = pick(v157, (v155 & 0x7fffffu) | 0x800000u, v155) << 6u;
                const u32 v163 = pick(v161, 0x800000u | (0x7fffffu & v159), v159) << 6u;
                const u32 v164 = min_of(v158 - pick(v161, v160, 1u), 31u);
                const u32 v165 = v163 >> (v164 & 31u);
                const u32 v166 = v165 | ((v163 != (v165 << (v164 & 31u))) ? 1u : 0u);
                const u32 v167 = pick(0u == ((v153 ^ v154) & 0x80000000u), v162 + v166, v162 - v166);
                const u32 v168 = leading_zeros(v167);
                const u32 v169 = v167 << (v168 & 31u);
                const u32 v170 = (2u + v158) - v168;
                const u32 v171 = min_signed(max_signed(1u - v170, 0u), 31u);
                const u32 v172 = v169 >> (v171 & 31u);
                const u32 v173 = v172 | ((v169 != (v172 << (v171 & 31u))) ? 1u : 0u);
                const u32 v174 = v173 >> 8u;
                const u32 v175 = pick((i32)v170 > (i32)254u, 0x7f800000u, ((max_signed(v170, 1u) - 1u) << 23u) + (v174 + ((((v173 & 255u) + (1u & v174)) > 128u) ? 1u : 0u)));
                join_5 = f32_of(pick(0u == v167, 0x80000000u & (v153 & v154), v175 | (v153 & 0x80000000u)));
            }
            const u32 v176 = f16_of_f32(join_5);
            const f32 v177 = f32_of_f16(v9);
            const f32 v178 = f32_of_f16(v19);
            const u32 v179 = canonical(v177);
            const u32 v180 = canonical(v178);
            const u32 v181 = 0x7fffffffu & v179;
            const u32 v182 = 0x7fffffffu & v180;
            if ((max_of(v181, v182) - 1u) >= 0xdffffffu) {
                join_6 = v177 + v178;
            } else {
                const bool v183 = v181 < v182;
                const u32 v184 = pick(v183, v180, v179);
                const u32 v185 = pick(v183, v179, v180);
                const u32 v186 = 0x7fffffffu & v184;
                const u32 v187 = v186 >> 23u;
                const bool v188 = v187 != 0u;
                const u32 v189 = pick(v188, v187, 1u);
                const u32 v190 = 0x7fffffffu & v185;
                const u32 v191 = v190 >> 23u;
                const bool v192 = 0u != v191;
                const u32 v193 = pick(v188, (v186 & 0x7fffffu) | 0x800000u, v186) << 6u;
                const u32 v194 = pick(v192, 0x800000u | (0x7fffffu & v190), v190) << 6u;
                const u32 v195 = min_of(v189 - pick(v192, v191, 1u), 31u);
                const u32 v196 = v194 >> (v195 & 31u);
                const u32 v197 = v196 | ((v194 != (v196 << (v195 & 31u))) ? 1u : 0u);
                const u32 v198 = pick(0u == ((v184 ^ v185) & 0x80000000u), v193 + v197, v193 - v197);
                const u32 v199 = leading_zeros(v198);
                const u32 v200 = v198 << (v199 & 31u);
                const u32 v201 = (2u + v189) - v199;
                const u32 v202 = min_signed(max_signed(1u - v201, 0u), 31u);
                const u32 v203 = v200 >> (v202 & 31u);
                const u32 v204 = v203 | ((v200 != (v203 << (v202 & 31u))) ? 1u : 0u);
                const u32 v205 = v204 >> 8u;
                const u32 v206 = pick((i32)v201 > (i32)254u, 0x7f800000u, ((max_signed(v201, 1u) - 1u) << 23u) + (v205 + ((((v204 & 255u) + (1u & v205)) > 128u) ? 1u : 0u)));
                join_6 = f32_of(pick(0u == v198, 0x80000000u & (v184 & v185), v206 | (v184 & 0x80000000u)));
            }
            const u32 v207 = f16_of_f32(join_6);
            const f32 v208 = f32_of_f16(v10);
            const f32 v209 = f32_of_f16(v20);
            const u32 v210 = canonical(v208);
            const u32 v211 = canonical(v209);
            const u32 v212 = 0x7fffffffu & v210;
            const u32 v213 = 0x7fffffffu & v211;
            if ((max_of(v212, v213) - 1u) >= 0xdffffffu) {
                join_7 = v208 + v209;
            } else {
                const bool v214 = v212 < v213;
                const u32 v215 = pick(v214, v211, v210);
                const u32 v216 = pick(v214, v210, v211);
                const u32 v217 = 0x7fffffffu & v215;
                const u32 v218 = v217 >> 23u;
                const bool v219 = v218 != 0u;
                const u32 v220 = pick(v219, v218, 1u);
                const u32 v221 = 0x7fffffffu & v216;
                const u32 v222 = v221 >> 23u;
                const bool v223 = 0u != v222;
                const u32 v224 = pick(v219, (v217 & 0x7fffffu) | 0x800000u, v217) << 6u;
                const u32 v225 = pick(v223, 0x800000u | (0x7fffffu & v221), v221) << 6u;
                const u32 v226 = min_of(v220 - pick(v223, v222, 1u), 31u);
                const u32 v227 = v225 >> (v226 & 31u);
                const u32 v228 = v227 | ((v225 != (v227 << (v226 & 31u))) ? 1u : 0u);
                const u32 v229 = pick(0u == ((v215 ^ v216) & 0x80000000u), v224 + v228, v224 - v228);
                const u32 v230 = leading_zeros(v229);
                const u32 v231 = v229 << (v230 & 31u);
                const u32 v232 = (2u + v220) - v230;
                const u32 v233 = min_signed(max_signed(1u - v232, 0u), 31u);
                const u32 v234 = v231 >> (v233 & 31u);
                const u32 v235 = v234 | ((v231 != (v234 << (v233 & 31u))) ? 1u : 0u);
                const u32 v236 = v235 >> 8u;
                const u32 v237 = pick((i32)v232 > (i32)254u, 0x7f800000u, ((max_signed(v232, 1u) - 1u) << 23u) + (v236 + ((((v235 & 255u) + (1u & v236)) > 128u) ? 1u : 0u)));
                join_7 = f32_of(pick(0u == v229, 0x80000000u & (v215 & v216), v237 | (v215 & 0x80000000u)));
            }
            const u32 v238 = f16_of_f32(join_7);
            const f32 v239 = f32_of_f16(v11);
            const f32 v240 = f32_of_f16(v21);
            const u32 v241 = canonical(v239);
            const u32 v242 = canonical(v240);
            const u32 v243 = 0x7fffffffu & v241;
            const u32 v244 = 0x7fffffffu & v242;
            if ((max_of(v243, v244) - 1u) >= 0xdffffffu) {
                join_8 = v239 + v240;
            } else {
                const bool v245 = v243 < v244;
                const u32 v246 = pick(v245, v242, v241);
                const u32 v247 = pick(v245, v241, v242);
                const u32 v248 = 0x7fffffffu & v246;
                const u32 v249 = v248 >> 23u;
                const bool v250 = v249 != 0u;
                const u32 v251 = pick(v250, v249, 1u);
                const u32 v252 = 0x7fffffffu & v247;
                const u32 v253 = v252 >> 23u;
                const bool v254 = 0u != v253;
                const u32 v255 = pick(v250, (v248 & 0x7fffffu) | 0x800000u, v248) << 6u;
                const u32 v256 = pick(v254, 0x800000u | (0x7fffffu & v252), v252) << 6u;
                const u32 v257 = min_of(v251 - pick(v254, v253, 1u), 31u);
                const u32 v258 = v256 >> (v257 & 31u);
                const u32 v259 = v258 | ((v256 != (v258 << (v257 & 31u))) ? 1u : 0u);
                const u32 v260 = pick(0u == ((v246 ^ v247) & 0x80000000u), v255 + v259, v255 - v259);
                const u32 v261 = leading_zeros(v260);
                const u32 v262 = v260 << (v261 & 31u);
                const u32 v263 = (2u + v251) - v261;
                const u32 v264 = min_signed(max_signed(1u - v263, 0u), 31u);
                const u32 v265 = v262 >> (v264 & 31u);
                const u32 v266 = v265 | ((v262 != (v265 << (v264 & 31u))) ? 1u : 0u);
                const u32 v267 = v266 >> 8u;
                const u32 v268 = pick((i32)v263 > (i32)254u, 0x7f800000u, ((max_signed(v263, 1u) - 1u) << 23u) + (v267 + ((((v266 & 255u) + (1u & v267)) > 128u) ? 1u : 0u)));
                join_8 = f32_of(pick(0u == v260, 0x80000000u & (v246 & v247), v268 | (v246 & 0x80000000u)));
            }
            const u32 v269 = f16_of_f32(join_8);
            if ((u64)v1 + 7 < launch.y_len) {
                *(device u32x4*)(y + v1) = u32x4_of((canonical_f16(v52) & 0xffffu) | canonical_f16(v83) << 16u, (canonical_f16(v114) & 0xffffu) | canonical_f16(v145) << 16u, (canonical_f16(v176) & 0xffffu) | canonical_f16(v207) << 16u, (canonical_f16(v238) & 0xffffu) | canonical_f16(v269) << 16u);
            }
        } else {
            for (u32 i = v1; i < v0; i += 1u) {
                const u32 v270 = (i < launch.a_len) ? a[i] : 0u;
                const u32 v271 = (i < launch.b_len) ? b[i] : 0u;
                const f32 v272 = f32_of_f16(v270);
                const f32 v273 = f32_of_f16(v271);
                const u32 v274 = canonical(v272);
                const u32 v275 = canonical(v273);
                const u32 v276 = v274 & 0x7fffffffu;
                const u32 v277 = v275 & 0x7fffffffu;
                if ((max_of(v276, v277) - 1u) >= 0xdffffffu) {
                    join_9 = v272 + v273;
                } else {
                    const bool v278 = v276 < v277;
                    const u32 v279 = pick(v278, v275, v274);
                    const u32 v280 = pick(v278, v274, v275);
                    const u32 v281 = 0x7fffffffu & v279;
                    const u32 v282 = v281 >> 23u;
                    const bool v283 = v282 != 0u;
                    const u32 v284 = pick(v283, v282, 1u);
                    const u32 v285 = 0x7fffffffu & v280;
                    const u32 v286 = v285 >> 23u;
                    const bool v287 = 0u != v286;
                    const u32 v288 = pick(v283, (v281 & 0x7fffffu) | 0x800000u, v281) << 6u;
                    const u32 v289 = pick(v287, 0x800000u | (0x7fffffu & v285), v285) << 6u;
                    const u32 v290 = min_of(v284 - pick(v287, v286, 1u), 31u);
                    const u32 v291 = v289 >> (v290 & 31u);
                    const u32 v292 = v291 | ((v289 != (v291 << (v290 & 31u))) ? 1u : 0u);
                    const u32 v293 = pick(0u == ((v279 ^ v280) & 0x80000000u), v288 + v292, v288 - v292);
                    const u32 v294 = leading_zeros(v293);
                    const u32 v295 = v293 << (v294 & 31u);
                    const u32 v296 = (v284 + 2u) - v294;
                    const u32 v297 = min_signed(max_signed(1u - v296, 0u), 31u);
                    const u32 v298 = v295 >> (v297 & 31u);
                    const u32 v299 = v298 | ((v295 != (v298 << (v297 & 31u))) ? 1u : 0u);
                    const u32 v300 = v299 >> 8u;
                    const u32 v301 = pick((i32)v296 > (i32)254u, 0x7f800000u, ((max_signed(v296, 1u) - 1u) << 23u) + (v300 + ((((v299 & 255u) + (1u & v300)) > 128u) ? 1u : 0u)));
                    join_9 = f32_of(pick(0u == v293, 0x80000000u & (v279 & v280), v301 | (v279 & 0x80000000u)));
                }
                if (i < launch.y_len) {
                    y[i] = (u16)canonical_f16(f16_of_f32(join_9));
                }
            }
        }
    }
}
