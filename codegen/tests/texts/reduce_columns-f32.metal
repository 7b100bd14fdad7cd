struct reduce_columns_launch {
    u32 first_x;
    u32 first_y;
    u32 rows;
    u32 columns;
    u64 x_len;
    u64 y_len;
};
[[max_total_threads_per_threadgroup(256)]]
kernel void reduce_columns(
    device const f32* x [[buffer(0)]],
    device f32* y [[buffer(1)]],
    constant reduce_columns_launch& launch [[buffer(2)]],
    uint thread_in_group [[thread_index_in_threadgroup]],
    uint3 group [[threadgroup_position_in_grid]]) {
    threadgroup f32 tile[1056];
    f32 parts_0;
    f32 parts_1;
    f32 parts_2;
    f32 parts_3;
    f32 acc;
    f32 join;
    f32 acc_2;
    f32 join_2;
    f32 acc_3;
    f32 join_3;
    f32 acc_4;
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
    f32 join_26;
    f32 join_27;
    f32 join_28;
    f32 join_29;
    f32 join_30;
    f32 join_31;
    f32 join_32;
    f32 join_33;
    f32 join_34;
    f32 join_35;
    f32 join_36;
    f32 join_37;
    f32 join_38;
    f32 join_39;
    f32 join_40;
    f32 join_41;
    f32 join_42;
    f32 join_43;
    f32 join_44;
    const u32 v0 = launch.columns;
    const u32 v1 = launch.first_y + group.y;
    const u32 v2 = v1 * 0x10000u;
    const u32 v3 = min_of(0x10000u, launch.rows - v2);
    const u32 v4 = (launch.first_x + group.x) * 32u + (thread_in_group % 32u);
    parts_0 = (-0.0f);
    parts_1 = (-0.0f);
    parts_2 = (-0.0f);
    parts_3 = (-0.0f);
    const u32 v5 = min_of(v3, 1024u);
    const u32 v6 = thread_in_group / 32u;
    const bool v7 = v4 < v0;
    const u64 v8 = (u64)v0;
    const u64 v9 = (u64)v4;
    const u32 v10 = thread_in_group & 31u;
    const u32 v11 = (v6 * 33u) + v10;
    const u32 v12 = v11 + 264u;
    const u32 v13 = v11 + 528u;
    const u32 v14 = v11 + 792u;
    const u32 v15 = thread_in_group >> 5u;
    const u32 v16 = (33u * v10) + v15;
    const u32 v17 = 8u + v16;
    const u32 v18 = 16u + v16;
    const u32 v19 = 24u + v16;
    if (0u < v5) {
        bool i_goes = true;
        for (u32 i = 0u; i_goes; i_goes = v5 - i > 32u, i += 32u) {
            acc = (-0.0f);
            if (v7) {
                const u32 v20 = v6 + i;
                if (v20 < v3) {
                    bool i_1_goes = true;
                    for (u32 i_1 = v20; i_1_goes; i_1_goes = v3 - i_1 > 1024u, i_1 += 1024u) {
                        const f32 v21 = acc;
                        const u64 v22 = v9 + (v8 * (u64)(v2 + i_1));
                        const f32 v23 = (v22 < launch.x_len) ? x[v22] : 0.0f;
                        const u32 v24 = canonical(v21);
                        const u32 v25 = canonical(v23);
                        const u32 v26 = v24 & 0x7fffffffu;
                        const u32 v27 = v25 & 0x7fffffffu;
                        if ((max_of(v26, v27) - 1u) >= 0xdffffffu) {
                            join = v21 + v23;
                        } else {
                            const bool v28 = v26 < v27;
                            const u32 v29 = pick(v28, v25, v24);
                            const u32 v30 = pick(v28, v24, v25);
                            const u32 v31 = 0x7fffffffu & v29;
                            const u32 v32 = v31 >> 23u;
                            const bool v33 = 0u != v32;
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
                        acc = join;
                    }
                }
            }
            tile[v11] = acc;
            acc_2 = (-0.0f);
            if (v7) {
                const u32 v52 = 8u + (v6 + i);
                if (v52 < v3) {
                    bool i_2_goes = true;
                    for (u32 i_2 = v52; i_2_goes; i_2_goes = v3 - i_2 > 1024u, i_2 += 1024u) {
                        const f32 v53 = acc_2;
                        const u64 v54 = v9 + (v8 * (u64)(v2 + i_2));
                        const f32 v55 = (v54 < launch.x_len) ? x[v54] : 0.0f;
                        const u32 v56 = canonical(v53);
                        const u32 v57 = canonical(v55);
                        const u32 v58 = v56 & 0x7fffffffu;
                        const u32 v59 = v57 & 0x7fffffffu;
                        if ((max_of(v58, v59) - 1u) >= 0xdffffffu) {
                            join_2 = v53 + v55;
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
                            const u32 v72 = min_of(v66 - pick(v69, v68, 1u), 31u);
                            const u32 v73 = v71 >> (v72 & 31u);
                            const u32 v74 = v73 | ((v71 != (v73 << (v72 & 31u))) ? 1u : 0u);
                            const u32 v75 = pick(0u == ((v61 ^ v62) & 0x80000000u), v70 + v74, v70 - v74);
                            const u32 v76 = leading_zeros(v75);
                            const u32 v77 = v75 << (v76 & 31u);
                            const u32 v78 = (v66 + 2u) - v76;
                            const u32 v79 = min_signed(max_signed(1u - v78, 0u), 31u);
                            const u32 v80 = v77 >> (v79 & 31u);
                            const u32 v81 = v80 | ((v77 != (v80 << (v79 & 31u))) ? 1u : 0u);
                            const u32 v82 = v81 >> 8u;
                            const u32 v83 = pick((i32)v78 > (i32)254u, 0x7f800000u, ((max_signed(v78, 1u) - 1u) << 23u) + (v82 + ((((v81 & 255u) + (1u & v82)) > 128u) ? 1u : 0u)));
                            join_2 = f32_of(pick(0u == v75, 0x80000000u & (v61 & v62), v83 | (v61 & 0x80000000u)));
                        }
                        acc_2 = join_2;
                    }
                }
            }
            tile[v12] = acc_2;
            acc_3 = (-0.0f);
            if (v7) {
                const u32 v84 = 16u + (v6 + i);
                if (v84 < v3) {
                    bool i_3_goes = true;
                    for (u32 i_3 = v84; i_3_goes; i_3_goes = v3 - i_3 > 1024u, i_3 += 1024u) {
                        const f32 v85 = acc_3;
                        const u64 v86 = v9 + (v8 * (u64)(v2 + i_3));
                        const f32 v87 = (v86 < launch.x_len) ? x[v86] : 0.0f;
                        const u32 v88 = canonical(v85);
                        const u32 v89 = canonical(v87);
                        const u32 v90 = v88 & 0x7fffffffu;
                        const u32 v91 = v89 & 0x7fffffffu;
                        if ((max_of(v90, v91) - 1u) >= 0xdffffffu) {
                            join_3 = v85 + v87;
                        } else {
                            const bool v92 = v90 < v91;
                            const u32 v93 = pick(v92, v89, v88);
                            const u32 v94 = pick(v92, v88, v89);
                            const u32 v95 = 0x7fffffffu & v93;
                            const u32 v96 = v95 >> 23u;
                            const bool v97 = 0u != v96;
                            const u32 v98 = pick(v97, v96, 1u);
                            const u32 v99 = 0x7fffffffu & v94;
                            const u32 v100 = v99 >> 23u;
                            const bool v101 = 0u != v100;
                            const u32 v102 = pick(v97, (v95 & 0x7fffffu) | 0x800000u, v95) << 6u;
                            const u32 v103 = pick(v101, 0x800000u | (0x7fffffu & v99), v99) << 6u;
                            const u32 v104 = min_of(v98 - pick(v101, v100, 1u), 31u);
                            const u32 v105 = v103 >> (v104 & 31u);
                            const u32 v106 = v105 | ((v103 != (v105 << (v104 & 31u))) ? 1u : 0u);
                            const u32 v107 = pick(0u == ((v93 ^ v94) & 0x80000000u), v102 + v106, v102 - v106);
                            const u32 v108 = leading_zeros(v107);
                            const u32 v109 = v107 << (v108 & 31u);
                            const u32 v110 = (v98 + 2u) - v108;
                            const u32 v111 = min_signed(max_signed(1u - v110, 0u), 31u);
                            const u32 v112 = v109 >> (v111 & 31u);
                            const u32 v113 = v112 | ((v109 != (v112 << (v111 & 31u))) ? 1u : 0u);
                            const u32 v114 = v113 >> 8u;
                            const u32 v115 = pick((i32)v110 > (i32)254u, 0x7f800000u, ((max_signed(v110, 1u) - 1u) << 23u) + (v114 + ((((v113 & 255u) + (1u & v114)) > 128u) ? 1u : 0u)));
                            join_3 = f32_of(pick(0u == v107, 0x80000000u & (v93 & v94), v115 | (v93 & 0x80000000u)));
                        }
                        acc_3 = join_3;
                    }
                }
            }
            tile[v13] = acc_3;
            acc_4 = (-0.0f);
            if (v7) {
                const u32 v116 = 24u + (v6 + i);
                if (v116 < v3) {
                    bool i_4_goes = true;
                    for (u32 i_4 = v116; i_4_goes; i_4_goes = v3 - i_4 > 1024u, i_4 += 1024u) {
                        const f32 v117 = acc_4;
                        const u64 v118 = v9 + (v8 * (u64)(v2 + i_4));
                        const f32 v119 = (v118 < launch.x_len) ? x[v118] : 0.0f;
                        const u32 v120 = canonical(v117);
                        const u32 v121 = canonical(v119);
                        const u32 v122 = v120 & 0x7fffffffu;
                        const u32 v123 = v121 & 0x7fffffffu;
                        if ((max_of(v122, v123) - 1u) >= 0xdffffffu) {
                            join_4 = v117 + v119;
                        } else {
                            const bool v124 = v122 < v123;
                            const u32 v125 = pick(v124, v121, v120);
                            const u32 v126 = pick(v124, v120, v121);
                            const u32 v127 = 0x7fffffffu & v125;
                            const u32 v128 = v127 >> 23u;
                            const bool v129 = 0u != v128;
                            const u32 v130 = pick(v129, v128, 1u);
                            const u32 v131 = 0x7fffffffu & v126;
                            const u32 v132 = v131 >> 23u;
                            const bool v133 = 0u != v132;
                            const u32 v134 = pick(v129, (v127 & 0x7fffffu) | 0x800000u, v127) << 6u;
                            const u32 v135 = pick(v133, 0x800000u | (0x7fffffu & v131), v131) << 6u;
                            const u32 v136 = min_of(v130 - pick(v133, v132, 1u), 31u);
                            const u32 v137 = v135 >> (v136 & 31u);
                            const u32 v138 = v137 | ((v135 != (v137 << (v136 & 31u))) ? 1u : 0u);
                            const u32 v139 = pick(0u == ((v125 ^ v126) & 0x80000000u), v134 + v138, v134 - v138);
                            const u32 v140 = leading_zeros(v139);
                            const u32 v141 = v139 << (v140 & 31u);
                            const u32 v142 = (v130 + 2u) - v140;
                            const u32 v143 = min_signed(max_signed(1u - v142, 0u), 31u);
                            const u32 v144 = v141 >> (v143 & 31u);
                            const u32 v145 = v144 | ((v141 != (v144 << (v143 & 31u))) ? 1u : 0u);
                            const u32 v146 = v145 >> 8u;
                            const u32 v147 = pick((i32)v142 > (i32)254u, 0x7f800000u, ((max_signed(v142, 1u) - 1u) << 23u) + (v146 + ((((v145 & 255u) + (1u & v146)) > 128u) ? 1u : 0u)));
                            join_4 = f32_of(pick(0u == v139, 0x80000000u & (v125 & v126), v147 | (v125 & 0x80000000u)));
                        }
                        acc_4 = join_4;
                    }
                }
            }
            tile[v14] = acc_4;
            barrier();
            const f32 v148 = tile[v16];
            const f32 v149 = shuffle_xor(v148, 1u);
            const u32 v150 = canonical(v148);
            const u32 v151 = canonical(v149);
            const u32 v152 = v150 & 0x7fffffffu;
            const u32 v153 = v151 & 0x7fffffffu;
            if ((max_of(v152, v153) - 1u) >= 0xdffffffu) {
                join_5 = v148 + v149;
            } else {
                const bool v154 = v152 < v153;
                const u32 v155 = chosen(v154, v151, v150);
                const u32 v156 = chosen(v154, v150, v151);
                const u32 v157 = 0x7fffffffu & v155;
                const u32 v158 = v157 >> 23u;
                const bool v159 = 0u != v158;
                const u32 v160 = chosen(v159, v158, 1u);
                const u32 v161 = 0x7fffffffu & v156;
                const u32 v162 = v161 >> 23u;
                const bool v163 = 0u != v162;
                const u32 v164 = chosen(v159, (v157 & 0x7fffffu) | 0x800000u, v157) << 6u;
                const u32 v165 = chosen(v163, 0x800000u | (0x7fffffu & v161), v161) << 6u;
                const u32 v166 = min_of(v160 - chosen(v163, v162, 1u), 31u);
                const u32 v167 = v165 >> (v166 & 31u);
                const u32 v168 = v167 | ((v165 != (v167 << (v166 & 31u))) ? 1u : 0u);
                const u32 v169 = chosen(0u == ((v155 ^ v156) & 0x80000000u), v164 + v168, v164 - v168);
                const u32 v170 = leading_zeros(v169);
                const u32 v171 = v169 << (v170 & 31u);
                const u32 v172 = (v160 + 2u) - v170;
                const u32 v173 = min_signed(max_signed(1u - v172, 0u), 31u);
                const u32 v174 = v171 >> (v173 & 31u);
                const u32 v175 = v174 | ((v171 != (v174 << (v173 & 31u))) ? 1u : 0u);
                const u32 v176 = v175 >> 8u;
                const u32 v177 = chosen((i32)v172 > (i32)254u, 0x7f800000u, ((max_signed(v172, 1u) - 1u) << 23u) + (v176 + ((((v175 & 255u) + (1u & v176)) > 128u) ? 1u : 0u)));
                join_5 = f32_of(chosen(0u == v169, 0x80000000u & (v155 & v156), v177 | (v155 & 0x80000000u)));
            }
            const f32 v178 = join_5;
            const f32 v179 = shuffle_xor(v178, 2u);
            const u32 v180 = canonical(v178);
            const u32 v181 = canonical(v179);
            const u32 v182 = 0x7fffffffu & v180;
            const u32 v183 = 0x7fffffffu & v181;
            if ((max_of(v182, v183) - 1u) >= 0xdffffffu) {
                join_6 = v178 + v179;
            } else {
                const bool v184 = v182 < v183;
                const u32 v185 = chosen(v184, v181, v180);
                const u32 v186 = chosen(v184, v180, v181);
                const u32 v187 = 0x7fffffffu & v185;
                const u32 v188 = v187 >> 23u;
                const bool v189 = 0u != v188;
                const u32 v190 = chosen(v189, v188, 1u);
                const u32 v191 = 0x7fffffffu & v186;
                const u32 v192 = v191 >> 23u;
                const bool v193 = 0u != v192;
                const u32 v194 = chosen(v189, (v187 & 0x7fffffu) | 0x800000u, v187) << 6u;
                const u32 v195 = chosen(v193, 0x800000u | (0x7fffffu & v191), v191) << 6u;
                const u32 v196 = min_of(v190 - chosen(v193, v192, 1u), 31u);
                const u32 v197 = v195 >> (v196 & 31u);
                const u32 v198 = v197 | ((v195 != (v197 << (v196 & 31u))) ? 1u : 0u);
                const u32 v199 = chosen(0u == ((v185 ^ v186) & 0x80000000u), v194 + v198, v194 - v198);
                const u32 v200 = leading_zeros(v199);
                const u32 v201 = v199 << (v200 & 31u);
                const u32 v202 = (2u + v190) - v200;
                const u32 v203 = min_signed(max_signed(1u - v202, 0u), 31u);
                const u32 v204 = v201 >> (v203 & 31u);
                const u32 v205 = v204 | ((v201 != (v204 << (v203 & 31u))) ? 1u : 0u);
                const u32 v206 = v205 >> 8u;
                const u32 v207 = chosen((i32)v202 > (i32)254u, 0x7f800000u, ((max_signed(v202, 1u) - 1u) << 23u) + (v206 + ((((v205 & 255u) + (1u & v206)) > 128u) ? 1u : 0u)));
                join_6 = f32_of(chosen(0u == v199, 0x80000000u & (v185 & v186), v207 | (v185 & 0x80000000u)));
            }
            const f32 v208 = join_6;
            const f32 v209 = shuffle_xor(v208, 4u);
            const u32 v210 = canonical(v208);
            const u32 v211 = canonical(v209);
            const u32 v212 = 0x7fffffffu & v210;
            const u32 v213 = 0x7fffffffu & v211;
            if ((max_of(v212, v213) - 1u) >= 0xdffffffu) {
                join_7 = v208 + v209;
            } else {
                const bool v214 = v212 < v213;
                const u32 v215 = chosen(v214, v211, v210);
                const u32 v216 = chosen(v214, v210, v211);
                const u32 v217 = 0x7fffffffu & v215;
                const u32 v218 = v217 >> 23u;
                const bool v219 = 0u != v218;
                const u32 v220 = chosen(v219, v218, 1u);
                const u32 v221 = 0x7fffffffu & v216;
                const u32 v222 = v221 >> 23u;
                const bool v223 = 0u != v222;
                const u32 v224 = chosen(v219, (v217 & 0x7fffffu) | 0x800000u, v217) << 6u;
                const u32 v225 = chosen(v223, 0x800000u | (0x7fffffu & v221), v221) << 6u;
                const u32 v226 = min_of(v220 - chosen(v223, v222, 1u), 31u);
                const u32 v227 = v225 >> (v226 & 31u);
                const u32 v228 = v227 | ((v225 != (v227 << (v226 & 31u))) ? 1u : 0u);
                const u32 v229 = chosen(0u == ((v215 ^ v216) & 0x80000000u), v224 + v228, v224 - v228);
                const u32 v230 = leading_zeros(v229);
                const u32 v231 = v229 << (v230 & 31u);
                const u32 v232 = (2u + v220) - v230;
                const u32 v233 = min_signed(max_signed(1u - v232, 0u), 31u);
                const u32 v234 = v231 >> (v233 & 31u);
                const u32 v235 = v234 | ((v231 != (v234 << (v233 & 31u))) ? 1u : 0u);
                const u32 v236 = v235 >> 8u;
                const u32 v237 = chosen((i32)v232 > (i32)254u, 0x7f800000u, ((max_signed(v232, 1u) - 1u) << 23u) + (v236 + ((((v235 & 255u) + (1u & v236)) > 128u) ? 1u : 0u)));
                join_7 = f32_of(chosen(0u == v229, 0x80000000u & (v215 & v216), v237 | (v215 & 0x80000000u)));
            }
            const f32 v238 = join_7;
            const f32 v239 = shuffle_xor(v238, 8u);
            const u32 v240 = canonical(v238);
            const u32 v241 = canonical(v239);
            const u32 v242 = 0x7fffffffu & v240;
            const u32 v243 = 0x7fffffffu & v241;
            if ((max_of(v242, v243) - 1u) >= 0xdffffffu) {
                join_8 = v238 + v239;
            } else {
                const bool v244 = v242 < v243;
                const u32 v245 = chosen(v244, v241, v240);
                const u32 v246 = chosen(v244, v240, v241);
                const u32 v247 = 0x7fffffffu & v245;
                const u32 v248 = v247 >> 23u;
                const bool v249 = 0u != v248;
                const u32 v250 = chosen(v249, v248, 1u);
                const u32 v251 = 0x7fffffffu & v246;
                const u32 v252 = v251 >> 23u;
                const bool v253 = 0u != v252;
                const u32 v254 = chosen(v249, (v247 & 0x7fffffu) | 0x800000u, v247) << 6u;
                const u32 v255 = chosen(v253, 0x800000u | (0x7fffffu & v251), v251) << 6u;
                const u32 v256 = min_of(v250 - chosen(v253, v252, 1u), 31u);
                const u32 v257 = v255 >> (v256 & 31u);
                const u32 v258 = v257 | ((v255 != (v257 << (v256 & 31u))) ? 1u : 0u);
                const u32 v259 = chosen(0u == ((v245 ^ v246) & 0x80000000u), v254 + v258, v254 - v258);
                const u32 v260 = leading_zeros(v259);
                const u32 v261 = v259 << (v260 & 31u);
                const u32 v262 = (2u + v250) - v260;
                const u32 v263 = min_signed(max_signed(1u - v262, 0u), 31u);
                const u32 v264 = v261 >> (v263 & 31u);
                const u32 v265 = v264 | ((v261 != (v264 << (v263 & 31u))) ? 1u : 0u);
                const u32 v266 = v265 >> 8u;
                const u32 v267 = chosen((i32)v262 > (i32)254u, 0x7f800000u, ((max_signed(v262, 1u) - 1u) << 23u) + (v266 + ((((v265 & 255u) + (1u & v266)) > 128u) ? 1u : 0u)));
                join_8 = f32_of(chosen(0u == v259, 0x80000000u & (v245 & v246), v267 | (v245 & 0x80000000u)));
            }
            const f32 v268 = join_8;
            const f32 v269 = shuffle_xor(v268, 16u);
            const u32 v270 = canonical(v268);
            const u32 v271 = canonical(v269);
            const u32 v272 = 0x7fffffffu & v270;
            const u32 v273 = 0x7fffffffu & v271;
            if ((max_of(v272, v273) - 1u) >= 0xdffffffu) {
                join_9 = v268 + v269;
            } else {
                const bool v274 = v272 < v273;
                const u32 v275 = chosen(v274, v271, v270);
                const u32 v276 = chosen(v274, v270, v271);
                const u32 v277 = 0x7fffffffu & v275;
                const u32 v278 = v277 >> 23u;
                const bool v279 = 0u != v278;
                const u32 v280 = chosen(v279, v278, 1u);
                const u32 v281 = 0x7fffffffu & v276;
                const u32 v282 = v281 >> 23u;
                const bool v283 = 0u != v282;
                const u32 v284 = chosen(v279, (v277 & 0x7fffffu) | 0x800000u, v277) << 6u;
                const u32 v285 = chosen(v283, 0x800000u | (0x7fffffu & v281), v281) << 6u;
                const u32 v286 = min_of(v280 - chosen(v283, v282, 1u), 31u);
                const u32 v287 = v285 >> (v286 & 31u);
                const u32 v288 = v287 | ((v285 != (v287 << (v286 & 31u))) ? 1u : 0u);
                const u32 v289 = chosen(0u == ((v275 ^ v276) & 0x80000000u), v284 + v288, v284 - v288);
                const u32 v290 = leading_zeros(v289);
                const u32 v291 = v289 << (v290 & 31u);
                const u32 v292 = (2u + v280) - v290;
                const u32 v293 = min_signed(max_signed(1u - v292, 0u), 31u);
                const u32 v294 = v291 >> (v293 & 31u);
                const u32 v295 = v294 | ((v291 != (v294 << (v293 & 31u))) ? 1u : 0u);
                const u32 v296 = v295 >> 8u;
                const u32 v297 = chosen((i32)v292 > (i32)254u, 0x7f800000u, ((max_signed(v292, 1u) - 1u) << 23u) + (v296 + ((((v295 & 255u) + (1u & v296)) > 128u) ? 1u : 0u)));
                join_9 = f32_of(chosen(0u == v289, 0x80000000u & (v275 & v276), v297 | (v275 & 0x80000000u)));
            }
            const f32 v298 = shuffle(join_9, 0u);
            const bool v299 = v10 == (i >> 5u);
            parts_0 = chosen(v299, v298, parts_0);
            const f32 v300 = tile[v17];
            const f32 v301 = shuffle_xor(v300, 1u);
            const u32 v302 = canonical(v300);
            const u32 v303 = canonical(v301);
            const u32 v304 = 0x7fffffffu & v302;
            const u32 v305 = 0x7fffffffu & v303;
            if ((max_of(v304, v305) - 1u) >= 0xdffffffu) {
                join_10 = v300 + v301;
            } else {
                const bool v306 = v304 < v305;
                const u32 v307 = chosen(v306, v303, v302);
                const u32 v308 = chosen(v306, v302, v303);
                const u32 v309 = 0x7fffffffu & v307;
                const u32 v310 = v309 >> 23u;
                const bool v311 = 0u != v310;
                const u32 v312 = chosen(v311, v310, 1u);
                const u32 v313 = 0x7fffffffu & v308;
                const u32 v314 = v313 >> 23u;
                const bool v315 = 0u != v314;
                const u32 v316 = chosen(v311, (v309 & 0x7fffffu) | 0x800000u, v309) << 6u;
                const u32 v317 = chosen(v315, 0x800000u | (0x7fffffu & v313), v313) << 6u;
                const u32 v318 = min_of(v312 - chosen(v315, v314, 1u), 31u);
                const u32 v319 = v317 >> (v318 & 31u);
                const u32 v320 = v319 | ((v317 != (v319 << (v318 & 31u))) ? 1u : 0u);
                const u32 v321 = chosen(0u == ((v307 ^ v308) & 0x80000000u), v316 + v320, v316 - v320);
                const u32 v322 = leading_zeros(v321);
                const u32 v323 = v321 << (v322 & 31u);
                const u32 v324 = (2u + v312) - v322;
                const u32 v325 = min_signed(max_signed(1u - v324, 0u), 31u);
                const u32 v326 = v323 >> (v325 & 31u);
                const u32 v327 = v326 | ((v323 != (v326 << (v325 & 31u))) ? 1u : 0u);
                const u32 v328 = v327 >> 8u;
                const u32 v329 = chosen((i32)v324 > (i32)254u, 0x7f800000u, ((max_signed(v324, 1u) - 1u) << 23u) + (v328 + ((((v327 & 255u) + (1u & v328)) > 128u) ? 1u : 0u)));
                join_10 = f32_of(chosen(0u == v321, 0x80000000u & (v307 & v308), v329 | (v307 & 0x80000000u)));
            }
            const f32 v330 = join_10;
            const f32 v331 = shuffle_xor(v330, 2u);
            const u32 v332 = canonical(v330);
            const u32 v333 = canonical(v331);
            const u32 v334 = 0x7fffffffu & v332;
            const u32 v335 = 0x7fffffffu & v333;
            if ((max_of(v334, v335) - 1u) >= 0xdffffffu) {
                join_11 = v330 + v331;
            } else {
                const bool v336 = v334 < v335;
                const u32 v337 = chosen(v336, v333, v332);
                const u32 v338 = chosen(v336, v332, v333);
                const u32 v339 = 0x7fffffffu & v337;
                const u32 v340 = v339 >> 23u;
                const bool v341 = 0u != v340;
                const u32 v342 = chosen(v341, v340, 1u);
                const u32 v343 = 0x7fffffffu & v338;
                const u32 v344 = v343 >> 23u;
                const bool v345 = 0u != v344;
                const u32 v346 = chosen(v341, (v339 & 0x7fffffu) | 0x800000u, v339) << 6u;
                const u32 v347 = chosen(v345, 0x800000u | (0x7fffffu & v343), v343) << 6u;
                const u32 v348 = min_of(v342 - chosen(v345, v344, 1u), 31u);
                const u32 v349 = v347 >> (v348 & 31u);
                const u32 v350 = v349 | ((v347 != (v349 << (v348 & 31u))) ? 1u : 0u);
                const u32 v351 = chosen(0u == ((v337 ^ v338) & 0x80000000u), v346 + v350, v346 - v350);
                const u32 v352 = leading_zeros(v351);
                const u32 v353 = v351 << (v352 & 31u);
                const u32 v354 = (2u + v342) - v352;
                const u32 v355 = min_signed(max_signed(1u - v354, 0u), 31u);
                const u32 v356 = v353 >> (v355 & 31u);
                const u32 v357 = v356 | ((v353 != (v356 << (v355 & 31u))) ? 1u : 0u);
                const u32 v358 = v357 >> 8u;
                const u32 v359 = chosen((i32)v354 > (i32)254u, 0x7f800000u, ((max_signed(v354, 1u) - 1u) << 23u) + (v358 + ((((v357 & 255u) + (1u & v358)) > 128u) ? 1u : 0u)));
                join_11 = f32_of(chosen(0u == v351, 0x80000000u & (v337 & v338), v359 | (v337 & 0x80000000u)));
            }
            const f32 v360 = join_11;
            const f32 v361 = shuffle_xor(v360, 4u);
            const u32 v362 = canonical(v360);
            const u32 v363 = canonical(v361);
            const u32 v364 = 0x7fffffffu & v362;
            const u32 v365 = 0x7fffffffu & v363;
            if ((max_of(v364, v365) - 1u) >= 0xdffffffu) {
                join_12 = v360 + v361;
            } else {
                const bool v366 = v364 < v365;
                const u32 v367 = chosen(v366, v363, v362);
                const u32 v368 = chosen(v366, v362, v363);
                const u32 v369 = 0x7fffffffu & v367;
                const u32 v370 = v369 >> 23u;
                const bool v371 = 0u != v370;
                const u32 v372 = chosen(v371, v370, 1u);
                const u32 v373 = 0x7fffffffu & v368;
                const u32 v374 = v373 >> 23u;
                const bool v375 = 0u != v374;
                const u32 v376 = chosen(v371, (v369 & 0x7fffffu) | 0x800000u, v369) << 6u;
                const u32 v377 = chosen(v375, 0x800000u | (0x7fffffu & v373), v373) << 6u;
                const u32 v378 = min_of(v372 - chosen(v375, v374, 1u), 31u);
                const u32 v379 = v377 >> (v378 & 31u);
                const u32 v380 = v379 | ((v377 != (v379 << (v378 & 31u))) ? 1u : 0u);
                const u32 v381 = chosen(0u == ((v367 ^ v368) & 0x80000000u), v376 + v380, v376 - v380);
                const u32 v382 = leading_zeros(v381);
                const u32 v383 = v381 << (v382 & 31u);
                const u32 v384 = (2u + v372) - v382;
                const u32 v385 = min_signed(max_signed(1u - v384, 0u), 31u);
                const u32 v386 = v383 >> (v385 & 31u);
                const u32 v387 = v386 | ((v383 != (v386 << (v385 & 31u))) ? 1u : 0u);
                const u32 v388 = v387 >> 8u;
                const u32 v389 = chosen((i32)v384 > (i32)254u, 0x7f800000u, ((max_signed(v384, 1u) - 1u) << 23u) + (v388 + ((((v387 & 255u) + (1u & v388)) > 128u) ? 1u : 0u)));
                join_12 = f32_of(chosen(0u == v381, 0x80000000u & (v367 & v368), v389 | (v367 & 0x80000000u)));
            }
            const f32 v390 = join_12;
            const f32 v391 = shuffle_xor(v390, 8u);
            const u32 v392 = canonical(v390);
            const u32 v393 = canonical(v391);
            const u32 v394 = 0x7fffffffu & v392;
            const u32 v395 = 0x7fffffffu & v393;
            if ((max_of(v394, v395) - 1u) >= 0xdffffffu) {
                join_13 = v390 + v391;
            } else {
                const bool v396 = v394 < v395;
                const u32 v397 = chosen(v396, v393, v392);
                const u32 v398 = chosen(v396, v392, v393);
                const u32 v399 = 0x7fffffffu & v397;
                const u32 v400 = v399 >> 23u;
                const bool v401 = 0u != v400;
                const u32 v402 = chosen(v401, v400, 1u);
                const u32 v403 = 0x7fffffffu & v398;
                const u32 v404 = v403 >> 23u;
                const bool v405 = 0u != v404;
                const u32 v406 = chosen(v401, (v399 & 0x7fffffu) | 0x800000u, v399) << 6u;
                const u32 v407 = chosen(v405, 0x800000u | (0x7fffffu & v403), v403) << 6u;
                const u32 v408 = min_of(v402 - chosen(v405, v404, 1u), 31u);
                const u32 v409 = v407 >> (v408 & 31u);
                const u32 v410 = v409 | ((v407 != (v409 << (v408 & 31u))) ? 1u : 0u);
                const u32 v411 = chosen(0u == ((v397 ^ v398) & 0x80000000u), v406 + v410, v406 - v410);
                const u32 v412 = leading_zeros(v411);
                const u32 v413 = v411 << (v412 & 31u);
                const u32 v414 = (2u + v402) - v412;
                const u32 v415 = min_signed(max_signed(1u - v414, 0u), 31u);
                const u32 v416 = v413 >> (v415 & 31u);
                const u32 v417 = v416 | ((v413 != (v416 << (v415 & 31u))) ? 1u : 0u);
                const u32 v418 = v417 >> 8u;
                const u32 v419 = chosen((i32)v414 > (i32)254u, 0x7f800000u, ((max_signed(v414, 1u) - 1u) << 23u) + (v418 + ((((v417 & 255u) + (1u & v418)) > 128u) ? 1u : 0u)));
                join_13 = f32_of(chosen(0u == v411, 0x80000000u & (v397 & v398), v419 | (v397 & 0x80000000u)));
            }
            const f32 v420 = join_13;
            const f32 v421 = shuffle_xor(v420, 16u);
            const u32 v422 = canonical(v420);
            const u32 v423 = canonical(v421);
            const u32 v424 = 0x7fffffffu & v422;
            const u32 v425 = 0x7fffffffu & v423;
            if ((max_of(v424, v425) - 1u) >= 0xdffffffu) {
                join_14 = v420 + v421;
            } else {
                const bool v426 = v424 < v425;
                const u32 v427 = chosen(v426, v423, v422);
                const u32 v428 = chosen(v426, v422, v423);
                const u32 v429 = 0x7fffffffu & v427;
                const u32 v430 = v429 >> 23u;
                const bool v431 = 0u != v430;
                const u32 v432 = chosen(v431, v430, 1u);
                const u32 v433 = 0x7fffffffu & v428;
                const u32 v434 = v433 >> 23u;
                const bool v435 = 0u != v434;
                const u32 v436 = chosen(v431, (v429 & 0x7fffffu) | 0x800000u, v429) << 6u;
                const u32 v437 = chosen(v435, 0x800000u | (0x7fffffu & v433), v433) << 6u;
                const u32 v438 = min_of(v432 - chosen(v435, v434, 1u), 31u);
                const u32 v439 = v437 >> (v438 & 31u);
                const u32 v440 = v439 | ((v437 != (v439 << (v438 & 31u))) ? 1u : 0u);
                const u32 v441 = chosen(0u == ((v427 ^ v428) & 0x80000000u), v436 + v440, v436 - v440);
                const u32 v442 = leading_zeros(v441);
                const u32 v443 = v441 << (v442 & 31u);
                const u32 v444 = (2u + v432) - v442;
                const u32 v445 = min_signed(max_signed(1u - v444, 0u), 31u);
                const u32 v446 = v443 >> (v445 & 31u);
                const u32 v447 = v446 | ((v443 != (v446 << (v445 & 31u))) ? 1u : 0u);
                const u32 v448 = v447 >> 8u;
                const u32 v449 = chosen((i32)v444 > (i32)254u, 0x7f800000u, ((max_signed(v444, 1u) - 1u) << 23u) + (v448 + ((((v447 & 255u) + (1u & v448)) > 128u) ? 1u : 0u)));
                join_14 = f32_of(chosen(0u == v441, 0x80000000u & (v427 & v428), v449 | (v427 & 0x80000000u)));
            }
            const f32 v450 = shuffle(join_14, 0u);
            parts_1 = chosen(v299, v450, parts_1);
            const f32 v451 = tile[v18];
            const f32 v452 = shuffle_xor(v451, 1u);
            const u32 v453 = canonical(v451);
            const u32 v454 = canonical(v452);
            const u32 v455 = 0x7fffffffu & v453;
            const u32 v456 = 0x7fffffffu & v454;
            if ((max_of(v455, v456) - 1u) >= 0xdffffffu) {
                join_15 = v451 + v452;
            } else {
                const bool v457 = v455 < v456;
                const u32 v458 = chosen(v457, v454, v453);
                const u32 v459 = chosen(v457, v453, v454);
                const u32 v460 = 0x7fffffffu & v458;
                const u32 v461 = v460 >> 23u;
                const bool v462 = 0u != v461;
                const u32 v463 = chosen(v462, v461, 1u);
                const u32 v464 = 0x7fffffffu & v459;
                const u32 v465 = v464 >> 23u;
                const bool v466 = 0u != v465;
                const u32 v467 = chosen(v462, (v460 & 0x7fffffu) | 0x800000u, v460) << 6u;
                const u32 v468 = chosen(v466, 0x800000u | (0x7fffffu & v464), v464) << 6u;
                const u32 v469 = min_of(v463 - chosen(v466, v465, 1u), 31u);
                const u32 v470 = v468 >> (v469 & 31u);
                const u32 v471 = v470 | ((v468 != (v470 << (v469 & 31u))) ? 1u : 0u);
                const u32 v472 = chosen(0u == ((v458 ^ v459) & 0x80000000u), v467 + v471, v467 - v471);
                const u32 v473 = leading_zeros(v472);
                const u32 v474 = v472 << (v473 & 31u);
                const u32 v475 = (2u + v463) - v473;
                const u32 v476 = min_signed(max_signed(1u - v475, 0u), 31u);
                const u32 v477 = v474 >> (v476 & 31u);
                const u32 v478 = v477 | ((v474 != (v477 << (v476 & 31u))) ? 1u : 0u);
                const u32 v479 = v478 >> 8u;
                const u32 v480 = chosen((i32)v475 > (i32)254u, 0x7f800000u, ((max_signed(v475, 1u) - 1u) << 23u) + (v479 + ((((v478 & 255u) + (1u & v479)) > 128u) ? 1u : 0u)));
                join_15 = f32_of(chosen(0u == v472, 0x80000000u & (v458 & v459), v480 | (v458 & 0x80000000u)));
            }
            const f32 v481 = join_15;
            const f32 v482 = shuffle_xor(v481, 2u);
            const u32 v483 = canonical(v481);
            const u32 v484 = canonical(v482);
            const u32 v485 = 0x7fffffffu & v483;
            const u32 v486 = 0x7fffffffu & v484;
            if ((max_of(v485, v486) - 1u) >= 0xdffffffu) {
                join_16 = v481 + v482;
            } else {
                const bool v487 = v485 < v486;
                const u32 v488 = chosen(v487, v484, v483);
                const u32 v489 = chosen(v487, v483, v484);
                const u32 v490 = 0x7fffffffu & v488;
                const u32 v491 = v490 >> 23u;
                const bool v492 = 0u != v491;
                const u32 v493 = chosen(v492, v491, 1u);
                const u32 v494 = 0x7fffffffu & v489;
                const u32 v495 = v494 >> 23u;
                const bool v496 = 0u != v495;
                const u32 v497 = chosen(v492, (v490 & 0x7fffffu) | 0x800000u, v490) << 6u;
                const u32 v498 = chosen(v496, 0x800000u | (0x7fffffu & v494), v494) << 6u;
                const u32 v499 = min_of(v493 - chosen(v496, v495, 1u), 31u);
                const u32 v500 = v498 >> (v499 & 31u);
                const u32 v501 = v500 | ((v498 != (v500 << (v499 & 31u))) ? 1u : 0u);
                const u32 v502 = chosen(0u == ((v488 ^ v489) & 0x80000000u), v497 + v501, v497 - v501);
                const u32 v503 = leading_zeros(v502);
                const u32 v504 = v502 << (v503 & 31u);
                const u32 v505 = (2u + v493) - v503;
                const u32 v506 = min_signed(max_signed(1u - v505, 0u), 31u);
                const u32 v507 = v504 >> (v506 & 31u);
                const u32 v508 = v507 | ((v504 != (v507 << (v506 & 31u))) ? 1u : 0u);
                const u32 v509 = v508 >> 8u;
                const u32 v510 = chosen((i32)v505 > (i32)254u, 0x7f800000u, ((max_signed(v505, 1u) - 1u) << 23u) + (v509 + ((((v508 & 255u) + (1u & v509)) > 128u) ? 1u : 0u)));
                join_16 = f32_of(chosen(0u == v502, 0x80000000u & (v488 & v489), v510 | (v488 & 0x80000000u)));
            }
            const f32 v511 = join_16;
            const f32 v512 = shuffle_xor(v511, 4u);
            const u32 v513 = canonical(v511);
            const u32 v514 = canonical(v512);
            const u32 v515 = 0x7fffffffu & v513;
            const u32 v516 = 0x7fffffffu & v514;
            if ((max_of(v515, v516) - 1u) >= 0xdffffffu) {
                join_17 = v511 + v512;
            } else {
                const bool v517 = v515 < v516;
                const u32 v518 = chosen(v517, v514, v513);
                const u32 v519 = chosen(v517, v513, v514);
                const u32 v520 = 0x7fffffffu & v518;
                const u32 v521 = v520 >> 23u;
                const bool v522 = 0u != v521;
                const u32 v523 = chosen(v522, v521, 1u);
                const u32 v524 = 0x7fffffffu & v519;
                const u32 v525 = v524 >> 23u;
                const bool v526 = 0u != v525;
                const u32 v527 = chosen(v522, (v520 & 0x7fffffu) | 0x800000u, v520) << 6u;
                const u32 v528 = chosen(v526, 0x800000u | (0x7fffffu & v524), v524) << 6u;
                const u32 v529 = min_of(v523 - chosen(v526, v525, 1u), 31u);
                const u32 v530 = v528 >> (v529 & 31u);
                const u32 v531 = v530 | ((v528 != (v530 << (v529 & 31u))) ? 1u : 0u);
                const u32 v532 = chosen(0u == ((v518 ^ v519) & 0x80000000u), v527 + v531, v527 - v531);
                const u32 v533 = leading_zeros(v532);
                const u32 v534 = v532 << (v533 & 31u);
                const u32 v535 = (2u + v523) - v533;
                const u32 v536 = min_signed(max_signed(1u - v535, 0u), 31u);
                const u32 v537 = v534 >> (v536 & 31u);
                const u32 v538 = v537 | ((v534 != (v537 << (v536 & 31u))) ? 1u : 0u);
                const u32 v539 = v538 >> 8u;
                const u32 v540 = chosen((i32)v535 > (i32)254u, 0x7f800000u, ((max_signed(v535, 1u) - 1u) << 23u) + (v539 + ((((v538 & 255u) + (1u & v539)) > 128u) ? 1u : 0u)));
                join_17 = f32_of(chosen(0u == v532, 0x80000000u & (v518 & v519), v540 | (v518 & 0x80000000u)));
            }
            const f32 v541 = join_17;
            const f32 v542 = shuffle_xor(v541, 8u);
            const u32 v543 = canonical(v541);
            const u32 v544 = canonical(v542);
            const u32 v545 = 0x7fffffffu & v543;
            const u32 v546 = 0x7fffffffu & v544;
            if ((max_of(v545, v546) - 1u) >= 0xdffffffu) {
                join_18 = v541 + v542;
            } else {
                const bool v547 = v545 < v546;
                const u32 v548 = chosen(v547, v544, v543);
                const u32 v549 = chosen(v547, v543, v544);
                const u32 v550 = 0x7fffffffu & v548;
                const u32 v551 = v550 >> 23u;
                const bool v552 = 0u != v551;
                const u32 v553 = chosen(v552, v551, 1u);
                const u32 v554 = 0x7fffffffu & v549;
                const u32 v555 = v554 >> 23u;
                const bool v556 = 0u != v555;
                const u32 v557 = chosen(v552, (v550 & 0x7fffffu) | 0x800000u, v550) << 6u;
                const u32 v558 = chosen(v556, 0x800000u | (0x7fffffu & v554), v554) << 6u;
                const u32 v559 = min_of(v553 - chosen(v556, v555, 1u), 31u);
                const u32 v560 = v558 >> (v559 & 31u);
                const u32 v561 = v560 | ((v558 != (v560 << (v559 & 31u))) ? 1u : 0u);
                const u32 v562 = chosen(0u == ((v548 ^ v549) & 0x80000000u), v557 + v561, v557 - v561);
                const u32 v563 = leading_zeros(v562);
                const u32 v564 = v562 << (v563 & 31u);
                const u32 v565 = (2u + v553) - v563;
                const u32 v566 = min_signed(max_signed(1u - v565, 0u), 31u);
                const u32 v567 = v564 >> (v566 & 31u);
                const u32 v568 = v567 | ((v564 != (v567 << (v566 & 31u))) ? 1u : 0u);
                const u32 v569 = v568 >> 8u;
                const u32 v570 = chosen((i32)v565 > (i32)254u, 0x7f800000u, ((max_signed(v565, 1u) - 1u) << 23u) + (v569 + ((((v568 & 255u) + (1u & v569)) > 128u) ? 1u : 0u)));
                join_18 = f32_of(chosen(0u == v562, 0x80000000u & (v548 & v549), v570 | (v548 & 0x80000000u)));
            }
            const f32 v571 = join_18;
            const f32 v572 = shuffle_xor(v571, 16u);
            const u32 v573 = canonical(v571);
            const u32 v574 = canonical(v572);
            const u32 v575 = 0x7fffffffu & v573;
            const u32 v576 = 0x7fffffffu & v574;
            if ((max_of(v575, v576) - 1u) >= 0xdffffffu) {
                join_19 = v571 + v572;
            } else {
                const bool v577 = v575 < v576;
                const u32 v578 = chosen(v577, v574, v573);
                const u32 v579 = chosen(v577, v573, v574);
                const u32 v580 = 0x7fffffffu & v578;
                const u32 v581 = v580 >> 23u;
                const bool v582 = 0u != v581;
                const u32 v583 = chosen(v582, v581, 1u);
                const u32 v584 = 0x7fffffffu & v579;
                const u32 v585 = v584 >> 23u;
                const bool v586 = 0u != v585;
                const u32 v587 = chosen(v582, (v580 & 0x7fffffu) | 0x800000u, v580) << 6u;
                const u32 v588 = chosen(v586, 0x800000u | (0x7fffffu & v584), v584) << 6u;
                const u32 v589 = min_of(v583 - chosen(v586, v585, 1u), 31u);
                const u32 v590 = v588 >> (v589 & 31u);
                const u32 v591 = v590 | ((v588 != (v590 << (v589 & 31u))) ? 1u : 0u);
                const u32 v592 = chosen(0u == ((v578 ^ v579) & 0x80000000u), v587 + v591, v587 - v591);
                const u32 v593 = leading_zeros(v592);
                const u32 v594 = v592 << (v593 & 31u);
                const u32 v595 = (2u + v583) - v593;
                const u32 v596 = min_signed(max_signed(1u - v595, 0u), 31u);
                const u32 v597 = v594 >> (v596 & 31u);
                const u32 v598 = v597 | ((v594 != (v597 << (v596 & 31u))) ? 1u : 0u);
                const u32 v599 = v598 >> 8u;
                const u32 v600 = chosen((i32)v595 > (i32)254u, 0x7f800000u, ((max_signed(v595, 1u) - 1u) << 23u) + (v599 + ((((v598 & 255u) + (1u & v599)) > 128u) ? 1u : 0u)));
                join_19 = f32_of(chosen(0u == v592, 0x80000000u & (v578 & v579), v600 | (v578 & 0x80000000u)));
            }
            const f32 v601 = shuffle(join_19, 0u);
            parts_2 = chosen(v299, v601, parts_2);
            const f32 v602 = tile[v19];
            const f32 v603 = shuffle_xor(v602, 1u);
            const u32 v604 = canonical(v602);
            const u32 v605 = canonical(v603);
            const u32 v606 = 0x7fffffffu & v604;
            const u32 v607 = 0x7fffffffu & v605;
            if ((max_of(v606, v607) - 1u) >= 0xdffffffu) {
                join_20 = v602 + v603;
            } else {
                const bool v608 = v606 < v607;
                const u32 v609 = chosen(v608, v605, v604);
                const u32 v610 = chosen(v608, v604, v605);
                const u32 v611 = 0x7fffffffu & v609;
                const u32 v612 = v611 >> 23u;
                const bool v613 = 0u != v612;
                const u32 v614 = chosen(v613, v612, 1u);
                const u32 v615 = 0x7fffffffu & v610;
                const u32 v616 = v615 >> 23u;
                const bool v617 = 0u != v616;
                const u32 v618 = chosen(v613, (v611 & 0x7fffffu) | 0x800000u, v611) << 6u;
                const u32 v619 = chosen(v617, 0x800000u | (0x7fffffu & v615), v615) << 6u;
                const u32 v620 = min_of(v614 - chosen(v617, v616, 1u), 31u);
                const u32 v621 = v619 >> (v620 & 31u);
                const u32 v622 = v621 | ((v619 != (v621 << (v620 & 31u))) ? 1u : 0u);
                const u32 v623 = chosen(0u == ((v609 ^ v610) & 0x80000000u), v618 + v622, v618 - v622);
                const u32 v624 = leading_zeros(v623);
                const u32 v625 = v623 << (v624 & 31u);
                const u32 v626 = (2u + v614) - v624;
                const u32 v627 = min_signed(max_signed(1u - v626, 0u), 31u);
                const u32 v628 = v625 >> (v627 & 31u);
                const u32 v629 = v628 | ((v625 != (v628 << (v627 & 31u))) ? 1u : 0u);
                const u32 v630 = v629 >> 8u;
                const u32 v631 = chosen((i32)v626 > (i32)254u, 0x7f800000u, ((max_signed(v626, 1u) - 1u) << 23u) + (v630 + ((((v629 & 255u) + (1u & v630)) > 128u) ? 1u : 0u)));
                join_20 = f32_of(chosen(0u == v623, 0x80000000u & (v609 & v610), v631 | (v609 & 0x80000000u)));
            }
            const f32 v632 = join_20;
            const f32 v633 = shuffle_xor(v632, 2u);
            const u32 v634 = canonical(v632);
            const u32 v635 = canonical(v633);
            const u32 v636 = 0x7fffffffu & v634;
            const u32 v637 = 0x7fffffffu & v635;
            if ((max_of(v636, v637) - 1u) >= 0xdffffffu) {
                join_21 = v632 + v633;
            } else {
                const bool v638 = v636 < v637;
                const u32 v639 = chosen(v638, v635, v634);
                const u32 v640 = chosen(v638, v634, v635);
                const u32 v641 = 0x7fffffffu & v639;
                const u32 v642 = v641 >> 23u;
                const bool v643 = 0u != v642;
                const u32 v644 = chosen(v643, v642, 1u);
                const u32 v645 = 0x7fffffffu & v640;
                const u32 v646 = v645 >> 23u;
                const bool v647 = 0u != v646;
                const u32 v648 = chosen(v643, (v641 & 0x7fffffu) | 0x800000u, v641) << 6u;
                const u32 v649 = chosen(v647, 0x800000u | (0x7fffffu & v645), v645) << 6u;
                const u32 v650 = min_of(v644 - chosen(v647, v646, 1u), 31u);
                const u32 v651 = v649 >> (v650 & 31u);
                const u32 v652 = v651 | ((v649 != (v651 << (v650 & 31u))) ? 1u : 0u);
                const u32 v653 = chosen(0u == ((v639 ^ v640) & 0x80000000u), v648 + v652, v648 - v652);
                const u32 v654 = leading_zeros(v653);
                const u32 v655 = v653 << (v654 & 31u);
                const u32 v656 = (2u + v644) - v654;
                const u32 v657 = min_signed(max_signed(1u - v656, 0u), 31u);
                const u32 v658 = v655 >> (v657 & 31u);
                const u32 v659 = v658 | ((v655 != (v658 << (v657 & 31u))) ? 1u : 0u);
                const u32 v660 = v659 >> 8u;
                const u32 v661 = chosen((i32)v656 > (i32)254u, 0x7f800000u, ((max_signed(v656, 1u) - 1u) << 23u) + (v660 + ((((v659 & 255u) + (1u & v660)) > 128u) ? 1u : 0u)));
                join_21 = f32_of(chosen(0u == v653, 0x80000000u & (v639 & v640), v661 | (v639 & 0x80000000u)));
            }
            const f32 v662 = join_21;
            const f32 v663 = shuffle_xor(v662, 4u);
            const u32 v664 = canonical(v662);
            const u32 v665 = canonical(v663);
            const u32 v666 = 0x7fffffffu & v664;
            const u32 v667 = 0x7fffffffu & v665;
            if ((max_of(v666, v667) - 1u) >= 0xdffffffu) {
                join_22 = v662 + v663;
            } else {
                const bool v668 = v666 < v667;
                const u32 v669 = chosen(v668, v665, v664);
                const u32 v670 = chosen(v668, v664, v665);
                const u32 v671 = 0x7fffffffu & v669;
                const u32 v672 = v671 >> 23u;
                const bool v673 = 0u != v672;
                const u32 v674 = chosen(v673, v672, 1u);
                const u32 v675 = 0x7fffffffu & v670;
                const u32 v676 = v675 >> 23u;
                const bool v677 = 0u != v676;
                const u32 v678 = chosen(v673, (v671 & 0x7fffffu) | 0x800000u, v671) << 6u;
                const u32 v679 = chosen(v677, 0x800000u | (0x7fffffu & v675), v675) << 6u;
                const u32 v680 = min_of(v674 - chosen(v677, v676, 1u), 31u);
                const u32 v681 = v679 >> (v680 & 31u);
                const u32 v682 = v681 | ((v679 != (v681 << (v680 & 31u))) ? 1u : 0u);
                const u32 v683 = chosen(0u == ((v669 ^ v670) & 0x80000000u), v678 + v682, v678 - v682);
                const u32 v684 = leading_zeros(v683);
                const u32 v685 = v683 << (v684 & 31u);
                const u32 v686 = (2u + v674) - v684;
                const u32 v687 = min_signed(max_signed(1u - v686, 0u), 31u);
                const u32 v688 = v685 >> (v687 & 31u);
                const u32 v689 = v688 | ((v685 != (v688 << (v687 & 31u))) ? 1u : 0u);
                const u32 v690 = v689 >> 8u;
                const u32 v691 = chosen((i32)v686 > (i32)254u, 0x7f800000u, ((max_signed(v686, 1u) - 1u) << 23u) + (v690 + ((((v689 & 255u) + (1u & v690)) > 128u) ? 1u : 0u)));
                join_22 = f32_of(chosen(0u == v683, 0x80000000u & (v669 & v670), v691 | (v669 & 0x80000000u)));
            }
            const f32 v692 = join_22;
            const f32 v693 = shuffle_xor(v692, 8u);
            const u32 v694 = canonical(v692);
            const u32 v695 = canonical(v693);
            const u32 v696 = 0x7fffffffu & v694;
            const u32 v697 = 0x7fffffffu & v695;
            if ((max_of(v696, v697) - 1u) >= 0xdffffffu) {
                join_23 = v692 + v693;
            } else {
                const bool v698 = v696 < v697;
                const u32 v699 = chosen(v698, v695, v694);
                const u32 v700 = chosen(v698, v694, v695);
                const u32 v701 = 0x7fffffffu & v699;
                const u32 v702 = v701 >> 23u;
                const bool v703 = 0u != v702;
                const u32 v704 = chosen(v703, v702, 1u);
                const u32 v705 = 0x7fffffffu & v700;
                const u32 v706 = v705 >> 23u;
                const bool v707 = 0u != v706;
                const u32 v708 = chosen(v703, (v701 & 0x7fffffu) | 0x800000u, v701) << 6u;
                const u32 v709 = chosen(v707, 0x800000u | (0x7fffffu & v705), v705) << 6u;
                const u32 v710 = min_of(v704 - chosen(v707, v706, 1u), 31u);
                const u32 v711 = v709 >> (v710 & 31u);
                const u32 v712 = v711 | ((v709 != (v711 << (v710 & 31u))) ? 1u : 0u);
                const u32 v713 = chosen(0u == ((v699 ^ v700) & 0x80000000u), v708 + v712, v708 - v712);
                const u32 v714 = leading_zeros(v713);
                const u32 v715 = v713 << (v714 & 31u);
                const u32 v716 = (2u + v704) - v714;
                const u32 v717 = min_signed(max_signed(1u - v716, 0u), 31u);
                const u32 v718 = v715 >> (v717 & 31u);
                const u32 v719 = v718 | ((v715 != (v718 << (v717 & 31u))) ? 1u : 0u);
                const u32 v720 = v719 >> 8u;
                const u32 v721 = chosen((i32)v716 > (i32)254u, 0x7f800000u, ((max_signed(v716, 1u) - 1u) << 23u) + (v720 + ((((v719 & 255u) + (1u & v720)) > 128u) ? 1u : 0u)));
                join_23 = f32_of(chosen(0u == v713, 0x80000000u & (v699 & v700), v721 | (v699 & 0x80000000u)));
            }
            const f32 v722 = join_23;
            const f32 v723 = shuffle_xor(v722, 16u);
            const u32 v724 = canonical(v722);
            const u32 v725 = canonical(v723);
            const u32 v726 = 0x7fffffffu & v724;
            const u32 v727 = 0x7fffffffu & v725;
            if ((max_of(v726, v727) - 1u) >= 0xdffffffu) {
                join_24 = v722 + v723;
            } else {
                const bool v728 = v726 < v727;
                const u32 v729 = chosen(v728, v725, v724);
                const u32 v730 = chosen(v728, v724, v725);
                const u32 v731 = 0x7fffffffu & v729;
                const u32 v732 = v731 >> 23u;
                const bool v733 = 0u != v732;
                const u32 v734 = chosen(v733, v732, 1u);
                const u32 v735 = 0x7fffffffu & v730;
                const u32 v736 = v735 >> 23u;
                const bool v737 = 0u != v736;
                const u32 v738 = chosen(v733, (v731 & 0x7fffffu) | 0x800000u, v731) << 6u;
                const u32 v739 = chosen(v737, 0x800000u | (0x7fffffu & v735), v735) << 6u;
                const u32 v740 = min_of(v734 - chosen(v737, v736, 1u), 31u);
                const u32 v741 = v739 >> (v740 & 31u);
                const u32 v742 = v741 | ((v739 != (v741 << (v740 & 31u))) ? 1u : 0u);
                const u32 v743 = chosen(0u == ((v729 ^ v730) & 0x80000000u), v738 + v742, v738 - v742);
                const u32 v744 = leading_zeros(v743);
                const u32 v745 = v743 << (v744 & 31u);
                const u32 v746 = (2u + v734) - v744;
                const u32 v747 = min_signed(max_signed(1u - v746, 0u), 31u);
                const u32 v748 = v745 >> (v747 & 31u);
                const u32 v749 = v748 | ((v745 != (v748 << (v747 & 31u))) ? 1u : 0u);
                const u32 v750 = v749 >> 8u;
                const u32 v751 = chosen((i32)v746 > (i32)254u, 0x7f800000u, ((max_signed(v746, 1u) - 1u) << 23u) + (v750 + ((((v749 & 255u) + (1u & v750)) > 128u) ? 1u : 0u)));
                join_24 = f32_of(chosen(0u == v743, 0x80000000u & (v729 & v730), v751 | (v729 & 0x80000000u)));
            }
            const f32 v752 = shuffle(join_24, 0u);
            parts_3 = chosen(v299, v752, parts_3);
            barrier();
        }
    }
    const f32 v753 = parts_0;
    const f32 v754 = shuffle_xor(v753, 1u);
    const u32 v755 = canonical(v753);
    const u32 v756 = canonical(v754);
    const u32 v757 = v755 & 0x7fffffffu;
    const u32 v758 = v756 & 0x7fffffffu;
    if ((max_of(v757, v758) - 1u) >= 0xdffffffu) {
        join_25 = v753 + v754;
    } else {
        const bool v759 = v757 < v758;
        const u32 v760 = chosen(v759, v756, v755);
        const u32 v761 = chosen(v759, v755, v756);
        const u32 v762 = 0x7fffffffu & v760;
        const u32 v763 = v762 >> 23u;
        const bool v764 = 0u != v763;
        const u32 v765 = chosen(v764, v763, 1u);
        const u32 v766 = 0x7fffffffu & v761;
        const u32 v767 = v766 >> 23u;
        const bool v768 = 0u != v767;
        const u32 v769 = chosen(v764, (v762 & 0x7fffffu) | 0x800000u, v762) << 6u;
        const u32 v770 = chosen(v768, 0x800000u | (0x7fffffu & v766), v766) << 6u;
        const u32 v771 = min_of(v765 - chosen(v768, v767, 1u), 31u);
        const u32 v772 = v770 >> (v771 & 31u);
        const u32 v773 = v772 | ((v770 != (v772 << (v771 & 31u))) ? 1u : 0u);
        const u32 v774 = chosen(0u == ((v760 ^ v761) & 0x80000000u), v769 + v773, v769 - v773);
        const u32 v775 = leading_zeros(v774);
        const u32 v776 = v774 << (v775 & 31u);
        const u32 v777 = (v765 + 2u) - v775;
        const u32 v778 = min_signed(max_signed(1u - v777, 0u), 31u);
        const u32 v779 = v776 >> (v778 & 31u);
        const u32 v780 = v779 | ((v776 != (v779 << (v778 & 31u))) ? 1u : 0u);
        const u32 v781 = v780 >> 8u;
        const u32 v782 = chosen((i32)v777 > (i32)254u, 0x7f800000u, ((max_signed(v777, 1u) - 1u) << 23u) + (v781 + ((((v780 & 255u) + (1u & v781)) > 128u) ? 1u : 0u)));
        join_25 = f32_of(chosen(0u == v774, 0x80000000u & (v760 & v761), v782 | (v760 & 0x80000000u)));
    }
    const f32 v783 = join_25;
    const f32 v784 = shuffle_xor(v783, 2u);
    const u32 v785 = canonical(v783);
    const u32 v786 = canonical(v784);
    const u32 v787 = 0x7fffffffu & v785;
    const u32 v788 = 0x7fffffffu & v786;
    if ((max_of(v787, v788) - 1u) >= 0xdffffffu) {
        join_26 = v783 + v784;
    } else {
        const bool v789 = v787 < v788;
        const u32 v790 = chosen(v789, v786, v785);
        const u32 v791 = chosen(v789, v785, v786);
        const u32 v792 = 0x7fffffffu & v790;
        const u32 v793 = v792 >> 23u;
        const bool v794 = 0u != v793;
        const u32 v795 = chosen(v794, v793, 1u);
        const u32 v796 = 0x7fffffffu & v791;
        const u32 v797 = v796 >> 23u;
        const bool v798 = 0u != v797;
        const u32 v799 = chosen(v794, (v792 & 0x7fffffu) | 0x800000u, v792) << 6u;
        const u32 v800 = chosen(v798, 0x800000u | (0x7fffffu & v796), v796) << 6u;
        const u32 v801 = min_of(v795 - chosen(v798, v797, 1u), 31u);
        const u32 v802 = v800 >> (v801 & 31u);
        const u32 v803 = v802 | ((v800 != (v802 << (v801 & 31u))) ? 1u : 0u);
        const u32 v804 = chosen(0u == ((v790 ^ v791) & 0x80000000u), v799 + v803, v799 - v803);
        const u32 v805 = leading_zeros(v804);
        const u32 v806 = v804 << (v805 & 31u);
        const u32 v807 = (2u + v795) - v805;
        const u32 v808 = min_signed(max_signed(1u - v807, 0u), 31u);
        const u32 v809 = v806 >> (v808 & 31u);
        const u32 v810 = v809 | ((v806 != (v809 << (v808 & 31u))) ? 1u : 0u);
        const u32 v811 = v810 >> 8u;
        const u32 v812 = chosen((i32)v807 > (i32)254u, 0x7f800000u, ((max_signed(v807, 1u) - 1u) << 23u) + (v811 + ((((v810 & 255u) + (1u & v811)) > 128u) ? 1u : 0u)));
        join_26 = f32_of(chosen(0u == v804, 0x80000000u & (v790 & v791), v812 | (v790 & 0x80000000u)));
    }
    const f32 v813 = join_26;
    const f32 v814 = shuffle_xor(v813, 4u);
    const u32 v815 = canonical(v813);
    const u32 v816 = canonical(v814);
    const u32 v817 = 0x7fffffffu & v815;
    const u32 v818 = 0x7fffffffu & v816;
    if ((max_of(v817, v818) - 1u) >= 0xdffffffu) {
        join_27 = v813 + v814;
    } else {
        const bool v819 = v817 < v818;
        const u32 v820 = chosen(v819, v816, v815);
        const u32 v821 = chosen(v819, v815, v816);
        const u32 v822 = 0x7fffffffu & v820;
        const u32 v823 = v822 >> 23u;
        const bool v824 = 0u != v823;
        const u32 v825 = chosen(v824, v823, 1u);
        const u32 v826 = 0x7fffffffu & v821;
        const u32 v827 = v826 >> 23u;
        const bool v828 = 0u != v827;
        const u32 v829 = chosen(v824, (v822 & 0x7fffffu) | 0x800000u, v822) << 6u;
        const u32 v830 = chosen(v828, 0x800000u | (0x7fffffu & v826), v826) << 6u;
        const u32 v831 = min_of(v825 - chosen(v828, v827, 1u), 31u);
        const u32 v832 = v830 >> (v831 & 31u);
        const u32 v833 = v832 | ((v830 != (v832 << (v831 & 31u))) ? 1u : 0u);
        const u32 v834 = chosen(0u == ((v820 ^ v821) & 0x80000000u), v829 + v833, v829 - v833);
        const u32 v835 = leading_zeros(v834);
        const u32 v836 = v834 << (v835 & 31u);
        const u32 v837 = (2u + v825) - v835;
        const u32 v838 = min_signed(max_signed(1u - v837, 0u), 31u);
        const u32 v839 = v836 >> (v838 & 31u);
        const u32 v840 = v839 | ((v836 != (v839 << (v838 & 31u))) ? 1u : 0u);
        const u32 v841 = v840 >> 8u;
        const u32 v842 = chosen((i32)v837 > (i32)254u, 0x7f800000u, ((max_signed(v837, 1u) - 1u) << 23u) + (v841 + ((((v840 & 255u) + (1u & v841)) > 128u) ? 1u : 0u)));
        join_27 = f32_of(chosen(0u == v834, 0x80000000u & (v820 & v821), v842 | (v820 & 0x80000000u)));
    }
    const f32 v843 = join_27;
    const f32 v844 = shuffle_xor(v843, 8u);
    const u32 v845 = canonical(v843);
    const u32 v846 = canonical(v844);
    const u32 v847 = 0x7fffffffu & v845;
    const u32 v848 = 0x7fffffffu & v846;
    if ((max_of(v847, v848) - 1u) >= 0xdffffffu) {
        join_28 = v843 + v844;
    } else {
        const bool v849 = v847 < v848;
        const u32 v850 = chosen(v849, v846, v845);
        const u32 v851 = chosen(v849, v845, v846);
        const u32 v852 = 0x7fffffffu & v850;
        const u32 v853 = v852 >> 23u;
        const bool v854 = 0u != v853;
        const u32 v855 = chosen(v854, v853, 1u);
        const u32 v856 = 0x7fffffffu & v851;
        const u32 v857 = v856 >> 23u;
        const bool v858 = 0u != v857;
        const u32 v859 = chosen(v854, (v852 & 0x7fffffu) | 0x800000u, v852) << 6u;
        const u32 v860 = chosen(v858, 0x800000u | (0x7fffffu & v856), v856) << 6u;
        const u32 v861 = min_of(v855 - chosen(v858, v857, 1u), 31u);
        const u32 v862 = v860 >> (v861 & 31u);
        const u32 v863 = v862 | ((v860 != (v862 << (v861 & 31u))) ? 1u : 0u);
        const u32 v864 = chosen(0u == ((v850 ^ v851) & 0x80000000u), v859 + v863, v859 - v863);
        const u32 v865 = leading_zeros(v864);
        const u32 v866 = v864 << (v865 & 31u);
        const u32 v867 = (2u + v855) - v865;
        const u32 v868 = min_signed(max_signed(1u - v867, 0u), 31u);
        const u32 v869 = v866 >> (v868 & 31u);
        const u32 v870 = v869 | ((v866 != (v869 << (v868 & 31u))) ? 1u : 0u);
        const u32 v871 = v870 >> 8u;
        const u32 v872 = chosen((i32)v867 > (i32)254u, 0x7f800000u, ((max_signed(v867, 1u) - 1u) << 23u) + (v871 + ((((v870 & 255u) + (1u & v871)) > 128u) ? 1u : 0u)));
        join_28 = f32_of(chosen(0u == v864, 0x80000000u & (v850 & v851), v872 | (v850 & 0x80000000u)));
    }
    const f32 v873 = join_28;
    const f32 v874 = shuffle_xor(v873, 16u);
    const u32 v875 = canonical(v873);
    const u32 v876 = canonical(v874);
    const u32 v877 = 0x7fffffffu & v875;
    const u32 v878 = 0x7fffffffu & v876;
    if ((max_of(v877, v878) - 1u) >= 0xdffffffu) {
        join_29 = v873 + v874;
    } else {
        const bool v879 = v877 < v878;
        const u32 v880 = chosen(v879, v876, v875);
        const u32 v881 = chosen(v879, v875, v876);
        const u32 v882 = 0x7fffffffu & v880;
        const u32 v883 = v882 >> 23u;
        const bool v884 = 0u != v883;
        const u32 v885 = chosen(v884, v883, 1u);
        const u32 v886 = 0x7fffffffu & v881;
        const u32 v887 = v886 >> 23u;
        const bool v888 = 0u != v887;
        const u32 v889 = chosen(v884, (v882 & 0x7fffffu) | 0x800000u, v882) << 6u;
        const u32 v890 = chosen(v888, 0x800000u | (0x7fffffu & v886), v886) << 6u;
        const u32 v891 = min_of(v885 - chosen(v888, v887, 1u), 31u);
        const u32 v892 = v890 >> (v891 & 31u);
        const u32 v893 = v892 | ((v890 != (v892 << (v891 & 31u))) ? 1u : 0u);
        const u32 v894 = chosen(0u == ((v880 ^ v881) & 0x80000000u), v889 + v893, v889 - v893);
        const u32 v895 = leading_zeros(v894);
        const u32 v896 = v894 << (v895 & 31u);
        const u32 v897 = (2u + v885) - v895;
        const u32 v898 = min_signed(max_signed(1u - v897, 0u), 31u);
        const u32 v899 = v896 >> (v898 & 31u);
        const u32 v900 = v899 | ((v896 != (v899 << (v898 & 31u))) ? 1u : 0u);
        const u32 v901 = v900 >> 8u;
        const u32 v902 = chosen((i32)v897 > (i32)254u, 0x7f800000u, ((max_signed(v897, 1u) - 1u) << 23u) + (v901 + ((((v900 & 255u) + (1u & v901)) > 128u) ? 1u : 0u)));
        join_29 = f32_of(chosen(0u == v894, 0x80000000u & (v880 & v881), v902 | (v880 & 0x80000000u)));
    }
    const f32 v903 = shuffle(join_29, 0u);
    const u32 v904 = 32u * (launch.first_x + group.x);
    const u32 v905 = v15 + v904;
    const bool v906 = 0u == v10;
    if (v906 && (v905 < v0)) {
        const u64 v907 = (v8 * (u64)v1) + (u64)v905;
        if (v907 < launch.y_len) {
            y[v907] = stored(v903);
        }
    }
    const f32 v908 = parts_1;
    const f32 v909 = shuffle_xor(v908, 1u);
    const u32 v910 = canonical(v908);
    const u32 v911 = canonical(v909);
    const u32 v912 = 0x7fffffffu & v910;
    const u32 v913 = 0x7fffffffu & v911;
    if ((max_of(v912, v913) - 1u) >= 0xdffffffu) {
        join_30 = v908 + v909;
    } else {
        const bool v914 = v912 < v913;
        const u32 v915 = chosen(v914, v911, v910);
        const u32 v916 = chosen(v914, v910, v911);
        const u32 v917 = 0x7fffffffu & v915;
        const u32 v918 = v917 >> 23u;
        const bool v919 = 0u != v918;
        const u32 v920 = chosen(v919, v918, 1u);
        const u32 v921 = 0x7fffffffu & v916;
        const u32 v922 = v921 >> 23u;
        const bool v923 = 0u != v922;
        const u32 v924 = chosen(v919, (v917 & 0x7fffffu) | 0x800000u, v917) << 6u;
        const u32 v925 = chosen(v923, 0x800000u | (0x7fffffu & v921), v921) << 6u;
        const u32 v926 = min_of(v920 - chosen(v923, v922, 1u), 31u);
        const u32 v927 = v925 >> (v926 & 31u);
        const u32 v928 = v927 | ((v925 != (v927 << (v926 & 31u))) ? 1u : 0u);
        const u32 v929 = chosen(0u == ((v915 ^ v916) & 0x80000000u), v924 + v928, v924 - v928);
        const u32 v930 = leading_zeros(v929);
        const u32 v931 = v929 << (v930 & 31u);
        const u32 v932 = (2u + v920) - v930;
        const u32 v933 = min_signed(max_signed(1u - v932, 0u), 31u);
        const u32 v934 = v931 >> (v933 & 31u);
        const u32 v935 = v934 | ((v931 != (v934 << (v933 & 31u))) ? 1u : 0u);
        const u32 v936 = v935 >> 8u;
        const u32 v937 = chosen((i32)v932 > (i32)254u, 0x7f800000u, ((max_signed(v932, 1u) - 1u) << 23u) + (v936 + ((((v935 & 255u) + (1u & v936)) > 128u) ? 1u : 0u)));
        join_30 = f32_of(chosen(0u == v929, 0x80000000u & (v915 & v916), v937 | (v915 & 0x80000000u)));
    }
    const f32 v938 = join_30;
    const f32 v939 = shuffle_xor(v938, 2u);
    const u32 v940 = canonical(v938);
    const u32 v941 = canonical(v939);
    const u32 v942 = 0x7fffffffu & v940;
    const u32 v943 = 0x7fffffffu & v941;
    if ((max_of(v942, v943) - 1u) >= 0xdffffffu) {
        join_31 = v938 + v939;
    } else {
        const bool v944 = v942 < v943;
        const u32 v945 = chosen(v944, v941, v940);
        const u32 v946 = chosen(v944, v940, v941);
        const u32 v947 = 0x7fffffffu & v945;
        const u32 v948 = v947 >> 23u;
        const bool v949 = 0u != v948;
        const u32 v950 = chosen(v949, v948, 1u);
        const u32 v951 = 0x7fffffffu & v946;
        const u32 v952 = v951 >> 23u;
        const bool v953 = 0u != v952;
        const u32 v954 = chosen(v949, (v947 & 0x7fffffu) | 0x800000u, v947) << 6u;
        const u32 v955 = chosen(v953, 0x800000u | (0x7fffffu & v951), v951) << 6u;
        const u32 v956 = min_of(v950 - chosen(v953, v952, 1u), 31u);
        const u32 v957 = v955 >> (v956 & 31u);
        const u32 v958 = v957 | ((v955 != (v957 << (v956 & 31u))) ? 1u : 0u);
        const u32 v959 = chosen(0u == ((v945 ^ v946) & 0x80000000u), v954 + v958, v954 - v958);
        const u32 v960 = leading_zeros(v959);
        const u32 v961 = v959 << (v960 & 31u);
        const u32 v962 = (2u + v950) - v960;
        const u32 v963 = min_signed(max_signed(1u - v962, 0u), 31u);
        const u32 v964 = v961 >> (v963 & 31u);
        const u32 v965 = v964 | ((v961 != (v964 << (v963 & 31u))) ? 1u : 0u);
        const u32 v966 = v965 >> 8u;
        const u32 v967 = chosen((i32)v962 > (i32)254u, 0x7f800000u, ((max_signed(v962, 1u) - 1u) << 23u) + (v966 + ((((v965 & 255u) + (1u & v966)) > 128u) ? 1u : 0u)));
        join_31 = f32_of(chosen(0u == v959, 0x80000000u & (v945 & v946), v967 | (v945 & 0x80000000u)));
    }
    const f32 v968 = join_31;
    const f32 v969 = shuffle_xor(v968, 4u);
    const u32 v970 = canonical(v968);
    const u32 v971 = canonical(v969);
    const u32 v972 = 0x7fffffffu & v970;
    const u32 v973 = 0x7fffffffu & v971;
    if ((max_of(v972, v973) - 1u) >= 0xdffffffu) {
        join_32 = v968 + v969;
    } else {
        const bool v974 = v972 < v973;
        const u32 v975 = chosen(v974, v971, v970);
        const u32 v976 = chosen(v974, v970, v971);
        const u32 v977 = 0x7fffffffu & v975;
        const u32 v978 = v977 >> 23u;
        const bool v979 = 0u != v978;
        const u32 v980 = chosen(v979, v978, 1u);
        const u32 v981 = 0x7fffffffu & v976;
        const u32 v982 = v981 >> 23u;
        const bool v983 = 0u != v982;
        const u32 v984 = chosen(v979, (v977 & 0x7fffffu) | 0x800000u, v977) << 6u;
        const u32 v985 = chosen(v983, 0x800000u | (0x7fffffu & v981), v981) << 6u;
        const u32 v986 = min_of(v980 - chosen(v983, v982, 1u), 31u);
        const u32 v987 = v985 >> (v986 & 31u);
        const u32 v988 = v987 | ((v985 != (v987 << (v986 & 31u))) ? 1u : 0u);
        const u32 v989 = chosen(0u == ((v975 ^ v976) & 0x80000000u), v984 + v988, v984 - v988);
        const u32 v990 = leading_zeros(v989);
        const u32 v991 = v989 << (v990 & 31u);
        const u32 v992 = (2u + v980) - v990;
        const u32 v993 = min_signed(max_signed(1u - v992, 0u), 31u);
        const u32 v994 = v991 >> (v993 & 31u);
        const u32 v995 = v994 | ((v991 != (v994 << (v993 & 31u))) ? 1u : 0u);
        const u32 v996 = v995 >> 8u;
        const u32 v997 = chosen((i32)v992 > (i32)254u, 0x7f800000u, ((max_signed(v992, 1u) - 1u) << 23u) + (v996 + ((((v995 & 255u) + (1u & v996)) > 128u) ? 1u : 0u)));
        join_32 = f32_of(chosen(0u == v989, 0x80000000u & (v975 & v976), v997 | (v975 & 0x80000000u)));
    }
    const f32 v998 = join_32;
    const f32 v999 = shuffle_xor(v998, 8u);
    const u32 v1000 = canonical(v998);
    const u32 v1001 = canonical(v999);
    const u32 v1002 = 0x7fffffffu & v1000;
    const u32 v1003 = 0x7fffffffu & v1001;
    if ((max_of(v1002, v1003) - 1u) >= 0xdffffffu) {
        join_33 = v998 + v999;
    } else {
        const bool v1004 = v1002 < v1003;
        const u32 v1005 = chosen(v1004, v1001, v1000);
        const u32 v1006 = chosen(v1004, v1000, v1001);
        const u32 v1007 = 0x7fffffffu & v1005;
        const u32 v1008 = v1007 >> 23u;
        const bool v1009 = 0u != v1008;
        const u32 v1010 = chosen(v1009, v1008, 1u);
        const u32 v1011 = 0x7fffffffu & v1006;
        const u32 v1012 = v1011 >> 23u;
        const bool v1013 = 0u != v1012;
        const u32 v1014 = chosen(v1009, (v1007 & 0x7fffffu) | 0x800000u, v1007) << 6u;
        const u32 v1015 = chosen(v1013, 0x800000u | (0x7fffffu & v1011), v1011) << 6u;
        const u32 v1016 = min_of(v1010 - chosen(v1013, v1012, 1u), 31u);
        const u32 v1017 = v1015 >> (v1016 & 31u);
        const u32 v1018 = v1017 | ((v1015 != (v1017 << (v1016 & 31u))) ? 1u : 0u);
        const u32 v1019 = chosen(0u == ((v1005 ^ v1006) & 0x80000000u), v1014 + v1018, v1014 - v1018);
        const u32 v1020 = leading_zeros(v1019);
        const u32 v1021 = v1019 << (v1020 & 31u);
        const u32 v1022 = (2u + v1010) - v1020;
        const u32 v1023 = min_signed(max_signed(1u - v1022, 0u), 31u);
        const u32 v1024 = v1021 >> (v1023 & 31u);
        const u32 v1025 = v1024 | ((v1021 != (v1024 << (v1023 & 31u))) ? 1u : 0u);
        const u32 v1026 = v1025 >> 8u;
        const u32 v1027 = chosen((i32)v1022 > (i32)254u, 0x7f800000u, ((max_signed(v1022, 1u) - 1u) << 23u) + (v1026 + ((((v1025 & 255u) + (1u & v1026)) > 128u) ? 1u : 0u)));
        join_33 = f32_of(chosen(0u == v1019, 0x80000000u & (v1005 & v1006), v1027 | (v1005 & 0x80000000u)));
    }
    const f32 v1028 = join_33;
    const f32 v1029 = shuffle_xor(v1028, 16u);
    const u32 v1030 = canonical(v1028);
    const u32 v1031 = canonical(v1029);
    const u32 v1032 = 0x7fffffffu & v1030;
    const u32 v1033 = 0x7fffffffu & v1031;
    if ((max_of(v1032, v1033) - 1u) >= 0xdffffffu) {
        join_34 = v1028 + v1029;
    } else {
        const bool v1034 = v1032 < v1033;
        const u32 v1035 = chosen(v1034, v1031, v1030);
        const u32 v1036 = chosen(v1034, v1030, v1031);
        const u32 v1037 = 0x7fffffffu & v1035;
        const u32 v1038 = v1037 >> 23u;
        const bool v1039 = 0u != v1038;
        const u32 v1040 = chosen(v1039, v1038, 1u);
        const u32 v1041 = 0x7fffffffu & v1036;
        const u32 v1042 = v1041 >> 23u;
        const bool v1043 = 0u != v1042;
        const u32 v1044 = chosen(v1039, (v1037 & 0x7fffffu) | 0x800000u, v1037) << 6u;
        const u32 v1045 = chosen(v1043, 0x800000u | (0x7fffffu & v1041), v1041) << 6u;
        const u32 v1046 = min_of(v1040 - chosen(v1043, v1042, 1u), 31u);
        const u32 v1047 = v1045 >> (v1046 & 31u);
        const u32 v1048 = v1047 | ((v1045 != (v1047 << (v1046 & 31u))) ? 1u : 0u);
        const u32 v1049 = chosen(0u == ((v1035 ^ v1036) & 0x80000000u), v1044 + v1048, v1044 - v1048);
        const u32 v1050 = leading_zeros(v1049);
        const u32 v1051 = v1049 << (v1050 & 31u);
        const u32 v1052 = (2u + v1040) - v1050;
        const u32 v1053 = min_signed(max_signed(1u - v1052, 0u), 31u);
        const u32 v1054 = v1051 >> (v1053 & 31u);
        const u32 v1055 = v1054 | ((v1051 != (v1054 << (v1053 & 31u))) ? 1u : 0u);
        const u32 v1056 = v1055 >> 8u;
        const u32 v1057 = chosen((i32)v1052 > (i32)254u, 0x7f800000u, ((max_signed(v1052, 1u) - 1u) << 23u) + (v1056 + ((((v1055 & 255u) + (1u & v1056)) > 128u) ? 1u : 0u)));
        join_34 = f32_of(chosen(0u == v1049, 0x80000000u & (v1035 & v1036), v1057 | (v1035 & 0x80000000u)));
    }
    const f32 v1058 = shuffle(join_34, 0u);
    const u32 v1059 = v15 + (8u + v904);
    if (v906 && (v1059 < v0)) {
        const u64 v1060 = (v8 * (u64)v1) + (u64)v1059;
        if (v1060 < launch.y_len) {
            y[v1060] = stored(v1058);
        }
    }
    const f32 v1061 = parts_2;
    const f32 v1062 = shuffle_xor(v1061, 1u);
    const u32 v1063 = canonical(v1061);
    const u32 v1064 = canonical(v1062);
    const u32 v1065 = 0x7fffffffu & v1063;
    const u32 v1066 = 0x7fffffffu & v1064;
    if ((max_of(v1065, v1066) - 1u) >= 0xdffffffu) {
        join_35 = v1061 + v1062;
    } else {
        const bool v1067 = v1065 < v1066;
        const u32 v1068 = chosen(v1067, v1064, v1063);
        const u32 v1069 = chosen(v1067, v1063, v1064);
        const u32 v1070 = 0x7fffffffu & v1068;
        const u32 v1071 = v1070 >> 23u;
        const bool v1072 = 0u != v1071;
        const u32 v1073 = chosen(v1072, v1071, 1u);
        const u32 v1074 = 0x7fffffffu & v1069;
        const u32 v1075 = v1074 >> 23u;
        const bool v1076 = 0u != v1075;
        const u32 v1077 = chosen(v1072, (v1070 & 0x7fffffu) | 0x800000u, v1070) << 6u;
        const u32 v1078 = chosen(v1076, 0x800000u | (0x7fffffu & v1074), v1074) << 6u;
        const u32 v1079 = min_of(v1073 - chosen(v1076, v1075, 1u), 31u);
        const u32 v1080 = v1078 >> (v1079 & 31u);
        const u32 v1081 = v1080 | ((v1078 != (v1080 << (v1079 & 31u))) ? 1u : 0u);
        const u32 v1082 = chosen(0u == ((v1068 ^ v1069) & 0x80000000u), v1077 + v1081, v1077 - v1081);
        const u32 v1083 = leading_zeros(v1082);
        const u32 v1084 = v1082 << (v1083 & 31u);
        const u32 v1085 = (2u + v1073) - v1083;
        const u32 v1086 = min_signed(max_signed(1u - v1085, 0u), 31u);
        const u32 v1087 = v1084 >> (v1086 & 31u);
        const u32 v1088 = v1087 | ((v1084 != (v1087 << (v1086 & 31u))) ? 1u : 0u);
        const u32 v1089 = v1088 >> 8u;
        const u32 v1090 = chosen((i32)v1085 > (i32)254u, 0x7f800000u, ((max_signed(v1085, 1u) - 1u) << 23u) + (v1089 + ((((v1088 & 255u) + (1u & v1089)) > 128u) ? 1u : 0u)));
        join_35 = f32_of(chosen(0u == v1082, 0x80000000u & (v1068 & v1069), v1090 | (v1068 & 0x80000000u)));
    }
    const f32 v1091 = join_35;
    const f32 v1092 = shuffle_xor(v1091, 2u);
    const u32 v1093 = canonical(v1091);
    const u32 v1094 = canonical(v1092);
    const u32 v1095 = 0x7fffffffu & v1093;
    const u32 v1096 = 0x7fffffffu & v1094;
    if ((max_of(v1095, v1096) - 1u) >= 0xdffffffu) {
        join_36 = v1091 + v1092;
    } else {
        const bool v1097 = v1095 < v1096;
        const u32 v1098 = chosen(v1097, v1094, v1093);
        const u32 v1099 = chosen(v1097, v1093, v1094);
        const u32 v1100 = 0x7fffffffu & v1098;
        const u32 v1101 = v1100 >> 23u;
        const bool v1102 = 0u != v1101;
        const u32 v1103 = chosen(v1102, v1101, 1u);
        const u32 v1104 = 0x7fffffffu & v1099;
        const u32 v1105 = v1104 >> 23u;
        const bool v1106 = 0u != v1105;
        const u32 v1107 = chosen(v1102, (v1100 & 0x7fffffu) | 0x800000u, v1100) << 6u;
        const u32 v1108 = chosen(v1106, 0x800000u | (0x7fffffu & v1104), v1104) << 6u;
        const u32 v1109 = min_of(v1103 - chosen(v1106, v1105, 1u), 31u);
        const u32 v1110 = v1108 >> (v1109 & 31u);
        const u32 v1111 = v1110 | ((v1108 != (v1110 << (v1109 & 31u))) ? 1u : 0u);
        const u32 v1112 = chosen(0u == ((v1098 ^ v1099) & 0x80000000u), v1107 + v1111, v1107 - v1111);
        const u32 v1113 = leading_zeros(v1112);
        const u32 v1114 = v1112 << (v1113 & 31u);
        const u32 v1115 = (2u + v1103) - v1113;
        const u32 v1116 = min_signed(max_signed(1u - v1115, 0u), 31u);
        const u32 v1117 = v1114 >> (v1116 & 31u);
        const u32 v1118 = v1117 | ((v1114 != (v1117 << (v1116 & 31u))) ? 1u : 0u);
        const u32 v1119 = v1118 >> 8u;
        const u32 v1120 = chosen((i32)v1115 > (i32)254u, 0x7f800000u, ((max_signed(v1115, 1u) - 1u) << 23u) + (v1119 + ((((v1118 & 255u) + (1u & v1119)) > 128u) ? 1u : 0u)));
        join_36 = f32_of(chosen(0u == v1112, 0x80000000u & (v1098 & v1099), v1120 | (v1098 & 0x80000000u)));
    }
    const f32 v1121 = join_36;
    const f32 v1122 = shuffle_xor(v1121, 4u);
    const u32 v1123 = canonical(v1121);
    const u32 v1124 = canonical(v1122);
    const u32 v1125 = 0x7fffffffu & v1123;
    const u32 v1126 = 0x7fffffffu & v1124;
    if ((max_of(v1125, v1126) - 1u) >= 0xdffffffu) {
        join_37 = v1121 + v1122;
    } else {
        const bool v1127 = v1125 < v1126;
        const u32 v1128 = chosen(v1127, v1124, v1123);
        const u32 v1129 = chosen(v1127, v1123, v1124);
        const u32 v1130 = 0x7fffffffu & v1128;
        const u32 v1131 = v1130 >> 23u;
        const bool v1132 = 0u != v1131;
        const u32 v1133 = chosen(v1132, v1131, 1u);
        const u32 v1134 = 0x7fffffffu & v1129;
        const u32 v1135 = v1134 >> 23u;
        const bool v1136 = 0u != v1135;
        const u32 v1137 = chosen(v1132, (v1130 & 0x7fffffu) | 0x800000u, v1130) << 6u;
        const u32 v1138 = chosen(v1136, 0x800000u | (0x7fffffu & v1134), v1134) << 6u;
        const u32 v1139 = min_of(v1133 - chosen(v1136, v1135, 1u), 31u);
        const u32 v1140 = v1138 >> (v1139 & 31u);
        const u32 v1141 = v1140 | ((v1138 != (v1140 << (v1139 & 31u))) ? 1u : 0u);
        const u32 v1142 = chosen(0u == ((v1128 ^ v1129) & 0x80000000u), v1137 + v1141, v1137 - v1141);
        const u32 v1143 = leading_zeros(v1142);
        const u32 v1144 = v1142 << (v1143 & 31u);
        const u32 v1145 = (2u + v1133) - v1143;
        const u32 v1146 = min_signed(max_signed(1u - v1145, 0u), 31u);
        const u32 v1147 = v1144 >> (v1146 & 31u);
        const u32 v1148 = v1147 | ((v1144 != (v1147 << (v1146 & 31u))) ? 1u : 0u);
        const u32 v1149 = v1148 >> 8u;
        const u32 v1150 = chosen((i32)v1145 > (i32)254u, 0x7f800000u, ((max_signed(v1145, 1u) - 1u) << 23u) + (v1149 + ((((v1148 & 255u) + (1u & v1149)) > 128u) ? 1u : 0u)));
        join_37 = f32_of(chosen(0u == v1142, 0x80000000u & (v1128 & v1129), v1150 | (v1128 & 0x80000000u)));
    }
    const f32 v1151 = join_37;
    const f32 v1152 = shuffle_xor(v1151, 8u);
    const u32 v1153 = canonical(v1151);
    const u32 v1154 = canonical(v1152);
    const u32 v1155 = 0x7fffffffu & v1153;
    const u32 v1156 = 0x7fffffffu & v1154;
    if ((max_of(v1155, v1156) - 1u) >= 0xdffffffu) {
        join_38 = v1151 + v1152;
    } else {
        const bool v1157 = v1155 < v1156;
        const u32 v1158 = chosen(v1157, v1154, v1153);
        const u32 v1159 = chosen(v1157, v1153, v1154);
        const u32 v1160 = 0x7fffffffu & v1158;
        const u32 v1161 = v1160 >> 23u;
        const bool v1162 = 0u != v1161;
        const u32 v1163 = chosen(v1162, v1161, 1u);
        const u32 v1164 = 0x7fffffffu & v1159;
        const u32 v1165 = v1164 >> 23u;
        const bool v1166 = 0u != v1165;
        const u32 v1167 = chosen(v1162, (v1160 & 0x7fffffu) | 0x800000u, v1160) << 6u;
        const u32 v1168 = chosen(v1166, 0x800000u | (0x7fffffu & v1164), v1164) << 6u;
        const u32 v1169 = min_of(v1163 - chosen(v1166, v1165, 1u), 31u);
        const u32 v1170 = v1168 >> (v1169 & 31u);
        const u32 v1171 = v1170 | ((v1168 != (v1170 << (v1169 & 31u))) ? 1u : 0u);
        const u32 v1172 = chosen(0u == ((v1158 ^ v1159) & 0x80000000u), v1167 + v1171, v1167 - v1171);
        const u32 v1173 = leading_zeros(v1172);
        const u32 v1174 = v1172 << (v1173 & 31u);
        const u32 v1175 = (2u + v1163) - v1173;
        const u32 v1176 = min_signed(max_signed(1u - v1175, 0u), 31u);
        const u32 v1177 = v1174 >> (v1176 & 31u);
        const u32 v1178 = v1177 | ((v1174 != (v1177 << (v1176 & 31u))) ? 1u : 0u);
        const u32 v1179 = v1178 >> 8u;
        const u32 v1180 = chosen((i32)v1175 > (i32)254u, 0x7f800000u, ((max_signed(v1175, 1u) - 1u) << 23u) + (v1179 + ((((v1178 & 255u) + (1u & v1179)) > 128u) ? 1u : 0u)));
        join_38 = f32_of(chosen(0u == v1172, 0x80000000u & (v1158 & v1159), v1180 | (v1158 & 0x80000000u)));
    }
    const f32 v1181 = join_38;
    const f32 v1182 = shuffle_xor(v1181, 16u);
    const u32 v1183 = canonical(v1181);
    const u32 v1184 = canonical(v1182);
    const u32 v1185 = 0x7fffffffu & v1183;
    const u32 v1186 = 0x7fffffffu & v1184;
    if ((max_of(v1185, v1186) - 1u) >= 0xdffffffu) {
        join_39 = v1181 + v1182;
    } else {
        const bool v1187 = v1185 < v1186;
        const u32 v1188 = chosen(v1187, v1184, v1183);
        const u32 v1189 = chosen(v1187, v1183, v1184);
        const u32 v1190 = 0x7fffffffu & v1188;
        const u32 v1191 = v1190 >> 23u;
        const bool v1192 = 0u != v1191;
        const u32 v1193 = chosen(v1192, v1191, 1u);
        const u32 v1194 = 0x7fffffffu & v1189;
        const u32 v1195 = v1194 >> 23u;
        const bool v1196 = 0u != v1195;
        const u32 v1197 = chosen(v1192, (v1190 & 0x7fffffu) | 0x800000u, v1190) << 6u;
        const u32 v1198 = chosen(v1196, 0x800000u | (0x7fffffu & v1194), v1194) << 6u;
        const u32 v1199 = min_of(v1193 - chosen(v1196, v1195, 1u), 31u);
        const u32 v1200 = v1198 >> (v1199 & 31u);
        const u32 v1201 = v1200 | ((v1198 != (v1200 << (v1199 & 31u))) ? 1u : 0u);
        const u32 v1202 = chosen(0u == ((v1188 ^ v1189) & 0x80000000u), v1197 + v1201, v1197 - v1201);
        const u32 v1203 = leading_zeros(v1202);
        const u32 v1204 = v1202 << (v1203 & 31u);
        const u32 v1205 = (2u + v1193) - v1203;
        const u32 v1206 = min_signed(max_signed(1u - v1205, 0u), 31u);
        const u32 v1207 = v1204 >> (v1206 & 31u);
        const u32 v1208 = v1207 | ((v1204 != (v1207 << (v1206 & 31u))) ? 1u : 0u);
        const u32 v1209 = v1208 >> 8u;
        const u32 v1210 = chosen((i32)v1205 > (i32)254u, 0x7f800000u, ((max_signed(v1205, 1u) - 1u) << 23u) + (v1209 + ((((v1208 & 255u) + (1u & v1209)) > 128u) ? 1u : 0u)));
        join_39 = f32_of(chosen(0u == v1202, 0x80000000u & (v1188 & v1189), v1210 | (v1188 & 0x80000000u)));
    }
    const f32 v1211 = shuffle(join_39, 0u);
    const u32 v1212 = v15 + (16u + v904);
    if (v906 && (v1212 < v0)) {
        const u64 v1213 = (v8 * (u64)v1) + (u64)v1212;
        if (v1213 < launch.y_len) {
            y[v1213] = stored(v1211);
        }
    }
    const f32 v1214 = parts_3;
    const f32 v1215 = shuffle_xor(v1214, 1u);
    const u32 v1216 = canonical(v1214);
    const u32 v1217 = canonical(v1215);
    const u32 v1218 = 0x7fffffffu & v1216;
    const u32 v1219 = 0x7fffffffu & v1217;
    if ((max_of(v1218, v1219) - 1u) >= 0xdffffffu) {
        join_40 = v1214 + v1215;
    } else {
        const bool v1220 = v1218 < v1219;
        const u32 v1221 = chosen(v1220, v1217, v1216);
        const u32 v1222 = chosen(v1220, v1216, v1217);
        const u32 v1223 = 0x7fffffffu & v1221;
        const u32 v1224 = v1223 >> 23u;
        const bool v1225 = 0u != v1224;
        const u32 v1226 = chosen(v1225, v1224, 1u);
        const u32 v1227 = 0x7fffffffu & v1222;
        const u32 v1228 = v1227 >> 23u;
        const bool v1229 = 0u != v1228;
        const u32 v1230 = chosen(v1225, (v1223 & 0x7fffffu) | 0x800000u, v1223) << 6u;
        const u32 v1231 = chosen(v1229, 0x800000u | (0x7fffffu & v1227), v1227) << 6u;
        const u32 v1232 = min_of(v1226 - chosen(v1229, v1228, 1u), 31u);
        const u32 v1233 = v1231 >> (v1232 & 31u);
        const u32 v1234 = v1233 | ((v1231 != (v1233 << (v1232 & 31u))) ? 1u : 0u);
        const u32 v1235 = chosen(0u == ((v1221 ^ v1222) & 0x80000000u), v1230 + v1234, v1230 - v1234);
        const u32 v1236 = leading_zeros(v1235);
        const u32 v1237 = v1235 << (v1236 & 31u);
        const u32 v1238 = (2u + v1226) - v1236;
        const u32 v1239 = min_signed(max_signed(1u - v1238, 0u), 31u);
        const u32 v1240 = v1237 >> (v1239 & 31u);
        const u32 v1241 = v1240 | ((v1237 != (v1240 << (v1239 & 31u))) ? 1u : 0u);
        const u32 v1242 = v1241 >> 8u;
        const u32 v1243 = chosen((i32)v1238 > (i32)254u, 0x7f800000u, ((max_signed(v1238, 1u) - 1u) << 23u) + (v1242 + ((((v1241 & 255u) + (1u & v1242)) > 128u) ? 1u : 0u)));
        join_40 = f32_of(chosen(0u == v1235, 0x80000000u & (v1221 & v1222), v1243 | (v1221 & 0x80000000u)));
    }
    const f32 v1244 = join_40;
    const f32 v1245 = shuffle_xor(v1244, 2u);
    const u32 v1246 = canonical(v1244);
    const u32 v1247 = canonical(v1245);
    const u32 v1248 = 0x7fffffffu & v1246;
    const u32 v1249 = 0x7fffffffu & v1247;
    if ((max_of(v1248, v1249) - 1u) >= 0xdffffffu) {
        join_41 = v1244 + v1245;
    } else {
        const bool v1250 = v1248 < v1249;
        const u32 v1251 = chosen(v1250, v1247, v1246);
        const u32 v1252 = chosen(v1250, v1246, v1247);
        const u32 v1253 = 0x7fffffffu & v1251;
        const u32 v1254 = v1253 >> 23u;
        const bool v1255 = 0u != v1254;
        const u32 v1256 = chosen(v1255, v1254, 1u);
        const u32 v1257 = 0x7fffffffu & v1252;
        const u32 v1258 = v1257 >> 23u;
        const bool v1259 = 0u != v1258;
        const u32 v1260 = chosen(v1255, (v1253 & 0x7fffffu) | 0x800000u, v1253) << 6u;
        const u32 v1261 = chosen(v1259, 0x800000u | (0x7fffffu & v1257), v1257) << 6u;
        const u32 v1262 = min_of(v1256 - chosen(v1259, v1258, 1u), 31u);
        const u32 v1263 = v1261 >> (v1262 & 31u);
        const u32 v1264 = v1263 | ((v1261 != (v1263 << (v1262 & 31u))) ? 1u : 0u);
        const u32 v1265 = chosen(0u == ((v1251 ^ v1252) & 0x80000000u), v1260 + v1264, v1260 - v1264);
        const u32 v1266 = leading_zeros(v1265);
        const u32 v1267 = v1265 << (v1266 & 31u);
        const u32 v1268 = (2u + v1256) - v1266;
        const u32 v1269 = min_signed(max_signed(1u - v1268, 0u), 31u);
        const u32 v1270 = v1267 >> (v1269 & 31u);
        const u32 v1271 = v1270 | ((v1267 != (v1270 << (v1269 & 31u))) ? 1u : 0u);
        const u32 v1272 = v1271 >> 8u;
        const u32 v1273 = chosen((i32)v1268 > (i32)254u, 0x7f800000u, ((max_signed(v1268, 1u) - 1u) << 23u) + (v1272 + ((((v1271 & 255u) + (1u & v1272)) > 128u) ? 1u : 0u)));
        join_41 = f32_of(chosen(0u == v1265, 0x80000000u & (v1251 & v1252), v1273 | (v1251 & 0x80000000u)));
    }
    const f32 v1274 = join_41;
    const f32 v1275 = shuffle_xor(v1274, 4u);
    const u32 v1276 = canonical(v1274);
    const u32 v1277 = canonical(v1275);
    const u32 v1278 = 0x7fffffffu & v1276;
    const u32 v1279 = 0x7fffffffu & v1277;
    if ((max_of(v1278, v1279) - 1u) >= 0xdffffffu) {
        join_42 = v1274 + v1275;
    } else {
        const bool v1280 = v1278 < v1279;
        const u32 v1281 = chosen(v1280, v1277, v1276);
        const u32 v1282 = chosen(v1280, v1276, v1277);
        const u32 v1283 = 0x7fffffffu & v1281;
        const u32 v1284 = v1283 >> 23u;
        const bool v1285 = 0u != v1284;
        const u32 v1286 = chosen(v1285, v1284, 1u);
        const u32 v1287 = 0x7fffffffu & v1282;
        const u32 v1288 = v1287 >> 23u;
        const bool v1289 = 0u != v1288;
        const u32 v1290 = chosen(v1285, (v1283 & 0x7fffffu) | 0x800000u, v1283) << 6u;
        const u32 v1291 = chosen(v1289, 0x800000u | (0x7fffffu & v1287), v1287) << 6u;
        const u32 v1292 = min_of(v1286 - chosen(v1289, v1288, 1u), 31u);
        const u32 v1293 = v1291 >> (v1292 & 31u);
        const u32 v1294 = v1293 | ((v1291 != (v1293 << (v1292 & 31u))) ? 1u : 0u);
        const u32 v1295 = chosen(0u == ((v1281 ^ v1282) & 0x80000000u), v1290 + v1294, v1290 - v1294);
        const u32 v1296 = leading_zeros(v1295);
        const u32 v1297 = v1295 << (v1296 & 31u);
        const u32 v1298 = (2u + v1286) - v1296;
        const u32 v1299 = min_signed(max_signed(1u - v1298, 0u), 31u);
        const u32 v1300 = v1297 >> (v1299 & 31u);
        const u32 v1301 = v1300 | ((v1297 != (v1300 << (v1299 & 31u))) ? 1u : 0u);
        const u32 v1302 = v1301 >> 8u;
        const u32 v1303 = chosen((i32)v1298 > (i32)254u, 0x7f800000u, ((max_signed(v1298, 1u) - 1u) << 23u) + (v1302 + ((((v1301 & 255u) + (1u & v1302)) > 128u) ? 1u : 0u)));
        join_42 = f32_of(chosen(0u == v1295, 0x80000000u & (v1281 & v1282), v1303 | (v1281 & 0x80000000u)));
    }
    const f32 v1304 = join_42;
    const f32 v1305 = shuffle_xor(v1304, 8u);
    const u32 v1306 = canonical(v1304);
    const u32 v1307 = canonical(v1305);
    const u32 v1308 = 0x7fffffffu & v1306;
    const u32 v1309 = 0x7fffffffu & v1307;
    if ((max_of(v1308, v1309) - 1u) >= 0xdffffffu) {
        join_43 = v1304 + v1305;
    } else {
        const bool v1310 = v1308 < v1309;
        const u32 v1311 = chosen(v1310, v1307, v1306);
        const u32 v1312 = chosen(v1310, v1306, v1307);
        const u32 v1313 = 0x7fffffffu & v1311;
        const u32 v1314 = v1313 >> 23u;
        const bool v1315 = 0u != v1314;
        const u32 v1316 = chosen(v1315, v1314, 1u);
        const u32 v1317 = 0x7fffffffu & v1312;
        const u32 v1318 = v1317 >> 23u;
        const bool v1319 = 0u != v1318;
        const u32 v1320 = chosen(v1315, (v1313 & 0x7fffffu) | 0x800000u, v1313) << 6u;
        const u32 v1321 = chosen(v1319, 0x800000u | (0x7fffffu & v1317), v1317) << 6u;
        const u32 v1322 = min_of(v1316 - chosen(v1319, v1318, 1u), 31u);
        const u32 v1323 = v1321 >> (v1322 & 31u);
        const u32 v1324 = v1323 | ((v1321 != (v1323 << (v1322 & 31u))) ? 1u : 0u);
        const u32 v1325 = chosen(0u == ((v1311 ^ v1312) & 0x80000000u), v1320 + v1324, v1320 - v1324);
        const u32 v1326 = leading_zeros(v1325);
        const u32 v1327 = v1325 << (v1326 & 31u);
        const u32 v1328 = (2u + v1316) - v1326;
        const u32 v1329 = min_signed(max_signed(1u - v1328, 0u), 31u);
        const u32 v1330 = v1327 >> (v1329 & 31u);
        const u32 v1331 = v1330 | ((v1327 != (v1330 << (v1329 & 31u))) ? 1u : 0u);
        const u32 v1332 = v1331 >> 8u;
        const u32 v1333 = chosen((i32)v1328 > (i32)254u, 0x7f800000u, ((max_signed(v1328, 1u) - 1u) << 23u) + (v1332 + ((((v1331 & 255u) + (1u & v1332)) > 128u) ? 1u : 0u)));
        join_43 = f32_of(chosen(0u == v1325, 0x80000000u & (v1311 & v1312), v1333 | (v1311 & 0x80000000u)));
    }
    const f32 v1334 = join_43;
    const f32 v1335 = shuffle_xor(v1334, 16u);
    const u32 v1336 = canonical(v1334);
    const u32 v1337 = canonical(v1335);
    const u32 v1338 = 0x7fffffffu & v1336;
    const u32 v1339 = 0x7fffffffu & v1337;
    if ((max_of(v1338, v1339) - 1u) >= 0xdffffffu) {
        join_44 = v1334 + v1335;
    } else {
        const bool v1340 = v1338 < v1339;
        const u32 v1341 = chosen(v1340, v1337, v1336);
        const u32 v1342 = chosen(v1340, v1336, v1337);
        const u32 v1343 = 0x7fffffffu & v1341;
        const u32 v1344 = v1343 >> 23u;
        const bool v1345 = 0u != v1344;
        const u32 v1346 = chosen(v1345, v1344, 1u);
        const u32 v1347 = 0x7fffffffu & v1342;
        const u32 v1348 = v1347 >> 23u;
        const bool v1349 = 0u != v1348;
        const u32 v1350 = chosen(v1345, (v1343 & 0x7fffffu) | 0x800000u, v1343) << 6u;
        const u32 v1351 = chosen(v1349, 0x800000u | (0x7fffffu & v1347), v1347) << 6u;
        const u32 v1352 = min_of(v1346 - chosen(v1349, v1348, 1u), 31u);
        const u32 v1353 = v1351 >> (v1352 & 31u);
        const u32 v1354 = v1353 | ((v1351 != (v1353 << (v1352 & 31u))) ? 1u : 0u);
        const u32 v1355 = chosen(0u == ((v1341 ^ v1342) & 0x80000000u), v1350 + v1354, v1350 - v1354);
        const u32 v1356 = leading_zeros(v1355);
        const u32 v1357 = v1355 << (v1356 & 31u);
        const u32 v1358 = (2u + v1346) - v1356;
        const u32 v1359 = min_signed(max_signed(1u - v1358, 0u), 31u);
        const u32 v1360 = v1357 >> (v1359 & 31u);
        const u32 v1361 = v1360 | ((v1357 != (v1360 << (v1359 & 31u))) ? 1u : 0u);
        const u32 v1362 = v1361 >> 8u;
        const u32 v1363 = chosen((i32)v1358 > (i32)254u, 0x7f800000u, ((max_signed(v1358, 1u) - 1u) << 23u) + (v1362 + ((((v1361 & 255u) + (1u & v1362)) > 128u) ? 1u : 0u)));
        join_44 = f32_of(chosen(0u == v1355, 0x80000000u & (v1341 & v1342), v1363 | (v1341 & 0x80000000u)));
    }
    const f32 v1364 = shuffle(join_44, 0u);
    const u32 v1365 = v15 + (24u + v904);
    if (v906 && (v1365 < v0)) {
        const u64 v1366 = (v8 * (u64)v1) + (u64)v1365;
        if (v1366 < launch.y_len) {
            y[v1366] = stored(v1364);
        }
    }
}
