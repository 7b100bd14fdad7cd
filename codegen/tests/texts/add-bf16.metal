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
            const f32 v22 = f32_of(v4 << 16u);
            const f32 v23 = f32_of(v14 << 16u);
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
            const u32 v52 = canonical(join);
            const u32 v53 = 0x7fffffffu & v52;
            const u32 v54 = chosen(((v52 == v52) || ((0x7fffffffu & (v52 | v52)) == 0u)) && (max_of(v53, v53) <= 0x7f800000u), (32767u + (v52 + (1u & (v52 >> 16u)))) >> 16u, 32704u);
            const f32 v55 = f32_of(v5 << 16u);
            const f32 v56 = f32_of(v15 << 16u);
            const u32 v57 = canonical(v55);
            const u32 v58 = canonical(v56);
            const u32 v59 = 0x7fffffffu & v57;
            const u32 v60 = 0x7fffffffu & v58;
            if ((max_of(v59, v60) - 1u) >= 0xdffffffu) {
                join_2 = v55 + v56;
            } else {
                const bool v61 = v59 < v60;
                const u32 v62 = pick(v61, v58, v57);
                const u32 v63 = pick(v61, v57, v58);
                const u32 v64 = 0x7fffffffu & v62;
                const u32 v65 = v64 >> 23u;
                const bool v66 = 0u != v65;
                const u32 v67 = pick(v66, v65, 1u);
                const u32 v68 = 0x7fffffffu & v63;
                const u32 v69 = v68 >> 23u;
                const bool v70 = 0u != v69;
                const u32 v71 = pick(v66, (v64 & 0x7fffffu) | 0x800000u, v64) << 6u;
                const u32 v72 = pick(v70, 0x800000u | (0x7fffffu & v68), v68) << 6u;
                const u32 v73 = min_of(v67 - pick(v70, v69, 1u), 31u);
                const u32 v74 = v72 >> (v73 & 31u);
                const u32 v75 = v74 | ((v72 != (v74 << (v73 & 31u))) ? 1u : 0u);
                const u32 v76 = pick(0u == ((v62 ^ v63) & 0x80000000u), v71 + v75, v71 - v75);
                const u32 v77 = leading_zeros(v76);
                const u32 v78 = v76 << (v77 & 31u);
                const u32 v79 = (v67 + 2u) - v77;
                const u32 v80 = min_signed(max_signed(1u - v79, 0u), 31u);
                const u32 v81 = v78 >> (v80 & 31u);
                const u32 v82 = v81 | ((v78 != (v81 << (v80 & 31u))) ? 1u : 0u);
                const u32 v83 = v82 >> 8u;
                const u32 v84 = pick((i32)v79 > (i32)254u, 0x7f800000u, ((max_signed(v79, 1u) - 1u) << 23u) + (v83 + ((((v82 & 255u) + (1u & v83)) > 128u) ? 1u : 0u)));
                join_2 = f32_of(pick(0u == v76, 0x80000000u & (v62 & v63), v84 | (v62 & 0x80000000u)));
            }
            const u32 v85 = canonical(join_2);
            const u32 v86 = 0x7fffffffu & v85;
            const u32 v87 = chosen(((v85 == v85) || (0u == (0x7fffffffu & (v85 | v85)))) && (max_of(v86, v86) <= 0x7f800000u), (32767u + (v85 + (1u & (v85 >> 16u)))) >> 16u, 32704u);
            const f32 v88 = f32_of(v6 << 16u);
            const f32 v89 = f32_of(v16 << 16u);
            const u32 v90 = canonical(v88);
            const u32 v91 = canonical(v89);
            const u32 v92 = 0x7fffffffu & v90;
            const u32 v93 = 0x7fffffffu & v91;
            if ((max_of(v92, v93) - 1u) >= 0xdffffffu) {
                join_3 = v88 + v89;
            } else {
                const bool v94 = v92 < v93;
                const u32 v95 = pick(v94, v91, v90);
                const u32 v96 = pick(v94, v90, v91);
                const u32 v97 = 0x7fffffffu & v95;
                const u32 v98 = v97 >> 23u;
                const bool v99 = 0u != v98;
                const u32 v100 = pick(v99, v98, 1u);
                const u32 v101 = 0x7fffffffu & v96;
                const u32 v102 = v101 >> 23u;
                const bool v103 = 0u != v102;
                const u32 v104 = pick(v99, (v97 & 0x7fffffu) | 0x800000u, v97) << 6u;
                const u32 v105 = pick(v103, 0x800000u | (0x7fffffu & v101), v101) << 6u;
                const u32 v106 = min_of(v100 - pick(v103, v102, 1u), 31u);
                const u32 v107 = v105 >> (v106 & 31u);
                const u32 v108 = v107 | ((v105 != (v107 << (v106 & 31u))) ? 1u : 0u);
                const u32 v109 = pick(0u == ((v95 ^ v96) & 0x80000000u), v104 + v108, v104 - v108);
                const u32 v110 = leading_zeros(v109);
                const u32 v111 = v109 << (v110 & 31u);
                const u32 v112 = (2u + v100) - v110;
                const u32 v113 = min_signed(max_signed(1u - v112, 0u), 31u);
                const u32 v114 = v111 >> (v113 & 31u);
                const u32 v115 = v114 | ((v111 != (v114 << (v113 & 31u))) ? 1u : 0u);
                const u32 v116 = v115 >> 8u;
                const u32 v117 = pick((i32)v112 > (i32)254u, 0x7f800000u, ((max_signed(v112, 1u) - 1u) << 23u) + (v116 + ((((v115 & 255u) + (1u & v116)) > 128u) ? 1u : 0u)));
                join_3 = f32_of(pick(0u == v109, 0x80000000u & (v95 & v96), v117 | (v95 & 0x80000000u)));
            }
            const u32 v118 = canonical(join_3);
            const u32 v119 = 0x7fffffffu & v118;
            const u32 v120 = chosen(((v118 == v118) || (0u == (0x7fffffffu & (v118 | v118)))) && (max_of(v119, v119) <= 0x7f800000u), (32767u + (v118 + (1u & (v118 >> 16u)))) >> 16u, 32704u);
            const f32 v121 = f32_of(v7 << 16u);
            const f32 v122 = f32_of(v17 << 16u);
            const u32 v123 = canonical(v121);
            const u32 v124 = canonical(v122);
            const u32 v125 = 0x7fffffffu & v123;
            const u32 v126 = 0x7fffffffu & v124;
            if ((max_of(v125, v126) - 1u) >= 0xdffffffu) {
                join_4 = v121 + v122;
            } else {
                const bool v127 = v125 < v126;
                const u32 v128 = pick(v127, v124, v123);
                const u32 v129 = pick(v127, v123, v124);
                const u32 v130 = 0x7fffffffu & v128;
                const u32 v131 = v130 >> 23u;
                const bool v132 = 0u != v131;
                const u32 v133 = pick(v132, v131, 1u);
                const u32 v134 = 0x7fffffffu & v129;
                const u32 v135 = v134 >> 23u;
                const bool v136 = 0u != v135;
                const u32 v137 = pick(v132, (v130 & 0x7fffffu) | 0x800000u, v130) << 6u;
                const u32 v138 = pick(v136, 0x800000u | (0x7fffffu & v134), v134) << 6u;
                const u32 v139 = min_of(v133 - pick(v136, v135, 1u), 31u);
                const u32 v140 = v138 >> (v139 & 31u);
                const u32 v141 = v140 | ((v138 != (v140 << (v139 & 31u))) ? 1u : 0u);
                const u32 v142 = pick(0u == ((v128 ^ v129) & 0x80000000u), v137 + v141, v137 - v141);
                const u32 v143 = leading_zeros(v142);
                const u32 v144 = v142 << (v143 & 31u);
                const u32 v145 = (2u + v133) - v143;
                const u32 v146 = min_signed(max_signed(1u - v145, 0u), 31u);
                const u32 v147 = v144 >> (v146 & 31u);
                const u32 v148 = v147 | ((v144 != (v147 << (v146 & 31u))) ? 1u : 0u);
                const u32 v149 = v148 >> 8u;
                const u32 v150 = pick((i32)v145 > (i32)254u, 0x7f800000u, ((max_signed(v145, 1u) - 1u) << 23u) + (v149 + ((((v148 & 255u) + (1u & v149)) > 128u) ? 1u : 0u)));
                join_4 = f32_of(pick(0u == v142, 0x80000000u & (v128 & v129), v150 | (v128 & 0x80000000u)));
            }
            const u32 v151 = canonical(join_4);
            const u32 v152 = 0x7fffffffu & v151;
            const u32 v153 = chosen(((v151 == v151) || (0u == (0x7fffffffu & (v151 | v151)))) && (max_of(v152, v152) <= 0x7f800000u), (32767u + (v151 + (1u & (v151 >> 16u)))) >> 16u, 32704u);
            const f32 v154 = f32_of(v8 << 16u);
            const f32 v155 = f32_of(v18 << 16u);
            const u32 v156 = canonical(v154);
            const u32 v157 = canonical(v155);
            const u32 v158 = 0x7fffffffu & v156;
            const u32 v159 = 0x7fffffffu & v157;
            if ((max_of(v158, v159) - 1u) >= 0xdffffffu) {
                join_5 = v154 + v155;
            } else {
                const bool v160 = v158 < v159;
                const u32 v161 = pick(v160, v157, v156);
                const u32 v162 = pick(v160, v156, v157);
                const u32 v163 = 0x7fffffffu & v161;
                const u32 v164 = v163 >> 23u;
                const bool v165 = 0u != v164;
                const u32 v166 = pick(v165, v164, 1u);
                const u32 v167 = 0x7fffffffu & v162;
                const u32 v168 = v167 >> 23u;
                const bool v169 = 0u != v168;
                const u32 v170 = pick(v165, (v163 & 0x7fffffu) | 0x800000u, v163) << 6u;
                const u32 v171 = pick(v169, 0x800000u | (0x7fffffu & v167), v167) << 6u;
                const u32 v172 = min_of(v166 - pick(v169, v168, 1u), 31u);
                const u32 v173 = v171 >> (v172 & 31u);
                const u32 v174 = v173 | ((v171 != (v173 << (v172 & 31u))) ? 1u : 0u);
                const u32 v175 = pick(0u == ((v161 ^ v162) & 0x80000000u), v170 + v174, v170 - v174);
                const u32 v176 = leading_zeros(v175);
                const u32 v177 = v175 << (v176 & 31u);
                const u32 v178 = (2u + v166) - v176;
                const u32 v179 = min_signed(max_signed(1u - v178, 0u), 31u);
                const u32 v180 = v177 >> (v179 & 31u);
                const u32 v181 = v180 | ((v177 != (v180 << (v179 & 31u))) ? 1u : 0u);
                const u32 v182 = v181 >> 8u;
                const u32 v183 = pick((i32)v178 > (i32)254u, 0x7f800000u, ((max_signed(v178, 1u) - 1u) << 23u) + (v182 + ((((v181 & 255u) + (1u & v182)) > 128u) ? 1u : 0u)));
                join_5 = f32_of(pick(0u == v175, 0x80000000u & (v161 & v162), v183 | (v161 & 0x80000000u)));
            }
            const u32 v184 = canonical(join_5);
            const u32 v185 = 0x7fffffffu & v184;
            const u32 v186 = chosen(((v184 == v184) || (0u == (0x7fffffffu & (v184 | v184)))) && (max_of(v185, v185) <= 0x7f800000u), (32767u + (v184 + (1u & (v184 >> 16u)))) >> 16u, 32704u);
            const f32 v187 = f32_of(v9 << 16u);
            const f32 v188 = f32_of(v19 << 16u);
            const u32 v189 = canonical(v187);
            const u32 v190 = canonical(v188);
            const u32 v191 = 0x7fffffffu & v189;
            const u32 v192 = 0x7fffffffu & v190;
            if ((max_of(v191, v192) - 1u) >= 0xdffffffu) {
                join_6 = v187 + v188;
            } else {
                const bool v193 = v191 < v192;
                const u32 v194 = pick(v193, v190, v189);
                const u32 v195 = pick(v193, v189, v190);
                const u32 v196 = 0x7fffffffu & v194;
                const u32 v197 = v196 >> 23u;
                const bool v198 = 0u != v197;
                const u32 v199 = pick(v198, v197, 1u);
                const u32 v200 = 0x7fffffffu & v195;
                const u32 v201 = v200 >> 23u;
                const bool v202 = 0u != v201;
                const u32 v203 = pick(v198, (v196 & 0x7fffffu) | 0x800000u, v196) << 6u;
                const u32 v204 = pick(v202, 0x800000u | (0x7fffffu & v200), v200) << 6u;
                const u32 v205 = min_of(v199 - pick(v202, v201, 1u), 31u);
                const u32 v206 = v204 >> (v205 & 31u);
                const u32 v207 = v206 | ((v204 != (v206 << (v205 & 31u))) ? 1u : 0u);
                const u32 v208 = pick(0u == ((v194 ^ v195) & 0x80000000u), v203 + v207, v203 - v207);
                const u32 v209 = leading_zeros(v208);
                const u32 v210 = v208 << (v209 & 31u);
                const u32 v211 = (2u + v199) - v209;
                const u32 v212 = min_signed(max_signed(1u - v211, 0u), 31u);
                const u32 v213 = v210 >> (v212 & 31u);
                const u32 v214 = v213 | ((v210 != (v213 << (v212 & 31u))) ? 1u : 0u);
                const u32 v215 = v214 >> 8u;
                const u32 v216 = pick((i32)v211 > (i32)254u, 0x7f800000u, ((max_signed(v211, 1u) - 1u) << 23u) + (v215 + ((((v214 & 255u) + (1u & v215)) > 128u) ? 1u : 0u)));
                join_6 = f32_of(pick(0u == v208, 0x80000000u & (v194 & v195), v216 | (v194 & 0x80000000u)));
            }
            const u32 v217 = canonical(join_6);
            const u32 v218 = 0x7fffffffu & v217;
            const u32 v219 = chosen(((v217 == v217) || (0u == (0x7fffffffu & (v217 | v217)))) && (max_of(v218, v218) <= 0x7f800000u), (32767u + (v217 + (1u & (v217 >> 16u)))) >> 16u, 32704u);
            const f32 v220 = f32_of(v10 << 16u);
            const f32 v221 = f32_of(v20 << 16u);
            const u32 v222 = canonical(v220);
            const u32 v223 = canonical(v221);
            const u32 v224 = 0x7fffffffu & v222;
            const u32 v225 = 0x7fffffffu & v223;
            if ((max_of(v224, v225) - 1u) >= 0xdffffffu) {
                join_7 = v220 + v221;
            } else {
                const bool v226 = v224 < v225;
                const u32 v227 = pick(v226, v223, v222);
                const u32 v228 = pick(v226, v222, v223);
                const u32 v229 = 0x7fffffffu & v227;
                const u32 v230 = v229 >> 23u;
                const bool v231 = 0u != v230;
                const u32 v232 = pick(v231, v230, 1u);
                const u32 v233 = 0x7fffffffu & v228;
                const u32 v234 = v233 >> 23u;
                const bool v235 = 0u != v234;
                const u32 v236 = pick(v231, (v229 & 0x7fffffu) | 0x800000u, v229) << 6u;
                const u32 v237 = pick(v235, 0x800000u | (0x7fffffu & v233), v233) << 6u;
                const u32 v238 = min_of(v232 - pick(v235, v234, 1u), 31u);
                const u32 v239 = v237 >> (v238 & 31u);
                const u32 v240 = v239 | ((v237 != (v239 << (v238 & 31u))) ? 1u : 0u);
                const u32 v241 = pick(0u == ((v227 ^ v228) & 0x80000000u), v236 + v240, v236 - v240);
                const u32 v242 = leading_zeros(v241);
                const u32 v243 = v241 << (v242 & 31u);
                const u32 v244 = (2u + v232) - v242;
                const u32 v245 = min_signed(max_signed(1u - v244, 0u), 31u);
                const u32 v246 = v243 >> (v245 & 31u);
                const u32 v247 = v246 | ((v243 != (v246 << (v245 & 31u))) ? 1u : 0u);
                const u32 v248 = v247 >> 8u;
                const u32 v249 = pick((i32)v244 > (i32)254u, 0x7f800000u, ((max_signed(v244, 1u) - 1u) << 23u) + (v248 + ((((v247 & 255u) + (1u & v248)) > 128u) ? 1u : 0u)));
                join_7 = f32_of(pick(0u == v241, 0x80000000u & (v227 & v228), v249 | (v227 & 0x80000000u)));
            }
            const u32 v250 = canonical(join_7);
            const u32 v251 = 0x7fffffffu & v250;
            const u32 v252 = chosen(((v250 == v250) || (0u == (0x7fffffffu & (v250 | v250)))) && (max_of(v251, v251) <= 0x7f800000u), (32767u + (v250 + (1u & (v250 >> 16u)))) >> 16u, 32704u);
            const f32 v253 = f32_of(v11 << 16u);
            const f32 v254 = f32_of(v21 << 16u);
            const u32 v255 = canonical(v253);
            const u32 v256 = canonical(v254);
            const u32 v257 = 0x7fffffffu & v255;
            const u32 v258 = 0x7fffffffu & v256;
            if ((max_of(v257, v258) - 1u) >= 0xdffffffu) {
                join_8 = v253 + v254;
            } else {
                const bool v259 = v257 < v258;
                const u32 v260 = pick(v259, v256, v255);
                const u32 v261 = pick(v259, v255, v256);
                const u32 v262 = 0x7fffffffu & v260;
                const u32 v263 = v262 >> 23u;
                const bool v264 = 0u != v263;
                const u32 v265 = pick(v264, v263, 1u);
                const u32 v266 = 0x7fffffffu & v261;
                const u32 v267 = v266 >> 23u;
                const bool v268 = 0u != v267;
                const u32 v269 = pick(v264, (v262 & 0x7fffffu) | 0x800000u, v262) << 6u;
                const u32 v270 = pick(v268, 0x800000u | (0x7fffffu & v266), v266) << 6u;
                const u32 v271 = min_of(v265 - pick(v268, v267, 1u), 31u);
                const u32 v272 = v270 >> (v271 & 31u);
                const u32 v273 = v272 | ((v270 != (v272 << (v271 & 31u))) ? 1u : 0u);
                const u32 v274 = pick(0u == ((v260 ^ v261) & 0x80000000u), v269 + v273, v269 - v273);
                const u32 v275 = leading_zeros(v274);
                const u32 v276 = v274 << (v275 & 31u);
                const u32 v277 = (2u + v265) - v275;
                const u32 v278 = min_signed(max_signed(1u - v277, 0u), 31u);
                const u32 v279 = v276 >> (v278 & 31u);
                const u32 v280 = v279 | ((v276 != (v279 << (v278 & 31u))) ? 1u : 0u);
                const u32 v281 = v280 >> 8u;
                const u32 v282 = pick((i32)v277 > (i32)254u, 0x7f800000u, ((max_signed(v277, 1u) - 1u) << 23u) + (v281 + ((((v280 & 255u) + (1u & v281)) > 128u) ? 1u : 0u)));
                join_8 = f32_of(pick(0u == v274, 0x80000000u & (v260 & v261), v282 | (v260 & 0x80000000u)));
            }
            const u32 v283 = canonical(join_8);
            const u32 v284 = 0x7fffffffu & v283;
            const u32 v285 = chosen(((v283 == v283) || (0u == (0x7fffffffu & (v283 | v283)))) && (max_of(v284, v284) <= 0x7f800000u), (32767u + (v283 + (1u & (v283 >> 16u)))) >> 16u, 32704u);
            if ((u64)v1 + 7 < launch.y_len) {
                *(device u32x4*)(y + v1) = u32x4_of((canonical_bf16((v54 & 65535u) & 65535u) & 0xffffu) | canonical_bf16((v87 & 65535u) & 65535u) << 16u, (canonical_bf16((v120 & 65535u) & 65535u) & 0xffffu) | canonical_bf16((v153 & 65535u) & 65535u) << 16u, (canonical_bf16((v186 & 65535u) & 65535u) & 0xffffu) | canonical_bf16((v219 & 65535u) & 65535u) << 16u, (canonical_bf16((v252 & 65535u) & 65535u) & 0xffffu) | canonical_bf16((v285 & 65535u) & 65535u) << 16u);
            }
        } else {
            for (u32 i = v1; i < v0; i += 1u) {
                const u32 v286 = (i < launch.a_len) ? a[i] : 0u;
                const u32 v287 = (i < launch.b_len) ? b[i] : 0u;
                const f32 v288 = f32_of(v286 << 16u);
                const f32 v289 = f32_of(v287 << 16u);
                const u32 v290 = canonical(v288);
                const u32 v291 = canonical(v289);
                const u32 v292 = v290 & 0x7fffffffu;
                const u32 v293 = v291 & 0x7fffffffu;
                if ((max_of(v292, v293) - 1u) >= 0xdffffffu) {
                    join_9 = v288 + v289;
                } else {
                    const bool v294 = v292 < v293;
                    const u32 v295 = pick(v294, v291, v290);
                    const u32 v296 = pick(v294, v290, v291);
                    const u32 v297 = 0x7fffffffu & v295;
                    const u32 v298 = v297 >> 23u;
                    const bool v299 = v298 != 0u;
                    const u32 v300 = pick(v299, v298, 1u);
                    const u32 v301 = 0x7fffffffu & v296;
                    const u32 v302 = v301 >> 23u;
                    const bool v303 = 0u != v302;
                    const u32 v304 = pick(v299, (v297 & 0x7fffffu) | 0x800000u, v297) << 6u;
                    const u32 v305 = pick(v303, 0x800000u | (0x7fffffu & v301), v301) << 6u;
                    const u32 v306 = min_of(v300 - pick(v303, v302, 1u), 31u);
                    const u32 v307 = v305 >> (v306 & 31u);
                    const u32 v308 = v307 | ((v305 != (v307 << (v306 & 31u))) ? 1u : 0u);
                    const u32 v309 = pick(0u == ((v295 ^ v296) & 0x80000000u), v304 + v308, v304 - v308);
                    const u32 v310 = leading_zeros(v309);
                    const u32 v311 = v309 << (v310 & 31u);
                    const u32 v312 = (v300 + 2u) - v310;
                    const u32 v313 = min_signed(max_signed(1u - v312, 0u), 31u);
                    const u32 v314 = v311 >> (v313 & 31u);
                    const u32 v315 = v314 | ((v311 != (v314 << (v313 & 31u))) ? 1u : 0u);
                    const u32 v316 = v315 >> 8u;
                    const u32 v317 = pick((i32)v312 > (i32)254u, 0x7f800000u, ((max_signed(v312, 1u) - 1u) << 23u) + (v316 + ((((v315 & 255u) + (1u & v316)) > 128u) ? 1u : 0u)));
                    join_9 = f32_of(pick(0u == v309, 0x80000000u & (v295 & v296), v317 | (v295 & 0x80000000u)));
                }
                const u32 v318 = canonical(join_9);
                const u32 v319 = 0x7fffffffu & v318;
                const u32 v320 = chosen(((v318 == v318) || ((0x7fffffffu & (v318 | v318)) == 0u)) && (max_of(v319, v319) <= 0x7f800000u), (32767u + (v318 + (1u & (v318 >> 16u)))) >> 16u, 32704u);
                if (i < launch.y_len) {
                    y[i] = (u16)canonical_bf16((v320 & 65535u) & 65535u);
                }
            }
        }
    }
}
