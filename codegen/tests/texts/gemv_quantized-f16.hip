extern "C" __attribute__((global, amdgpu_flat_work_group_size(256, 256)))
void gemv_block_scaled(
    const u32* __restrict__ codes,
    const u8* __restrict__ scales,
    const f32* __restrict__ global_1,
    const u16* __restrict__ x,
    u16* y,
    u32 first_x,
    u32 first_y,
    u32 rows,
    u32 parts,
    u32 n,
    u32 k,
    u64 codes_len,
    u64 scales_len,
    u64 global_len,
    u64 x_len,
    u64 y_len) {
    f32 acc;
    f32 s_3;
    f32 s_4;
    const u32 v0 = rows;
    const u32 v1 = parts;
    const u32 v2 = n;
    const u32 v3 = k;
    const u32 v4 = ((first_x + __builtin_amdgcn_workgroup_id_x()) * 8u) + (__builtin_amdgcn_workitem_id_x() / 32u);
    const u32 v5 = __builtin_amdgcn_workitem_id_x() % 32u;
    const bool v6 = v4 < v2;
    const u32 v7 = pick(v6, v3, 0u);
    const u64 v8 = (u64)v4;
    const u64 v9 = v8 * (u64)(((v3 + 31u) >> 5u) * 4u);
    const u64 v10 = v8 * (u64)((v3 + 15u) >> 4u);
    const u64 v11 = (u64)(first_y + __builtin_amdgcn_workgroup_id_y());
    const u64 v12 = v11 * (u64)v3;
    acc = (-0.0f);
    const u32 v13 = v7 >> 5u;
    const u64 v14 = v12 + 1ull;
    const u64 v15 = v12 + 2ull;
    const u64 v16 = v12 + 3ull;
    const u64 v17 = v12 + 4ull;
    const u64 v18 = v12 + 5ull;
    const u64 v19 = v12 + 6ull;
    const u64 v20 = v12 + 7ull;
    const u64 v21 = v12 + 8ull;
    const u64 v22 = v12 + 9ull;
    const u64 v23 = v12 + 10ull;
    const u64 v24 = v12 + 11ull;
    const u64 v25 = v12 + 12ull;
    const u64 v26 = v12 + 13ull;
    const u64 v27 = v12 + 14ull;
    const u64 v28 = v12 + 15ull;
    const u64 v29 = v12 + 16ull;
    const u64 v30 = v12 + 17ull;
    const u64 v31 = v12 + 18ull;
    const u64 v32 = v12 + 19ull;
    const u64 v33 = v12 + 20ull;
    const u64 v34 = v12 + 21ull;
    const u64 v35 = v12 + 22ull;
    const u64 v36 = v12 + 23ull;
    const u64 v37 = v12 + 24ull;
    const u64 v38 = v12 + 25ull;
    const u64 v39 = v12 + 26ull;
    const u64 v40 = v12 + 27ull;
    const u64 v41 = v12 + 28ull;
    const u64 v42 = v12 + 29ull;
    const u64 v43 = v12 + 30ull;
    const u64 v44 = v12 + 31ull;
    if (v5 < v13) {
        bool i_goes = true;
        for (u32 i = v5; i_goes; i_goes = v13 - i > 32u, i += 32u) {
            const u64 v45 = v9 + (u64)(4u * i);
            const bool v46 = (u64)v45 + 3 < codes_len;
            const u32x4 v47 = v46 ? *(const u32x4*)(codes + v45) : u32x4_of(0u, 0u, 0u, 0u);
            const u32 v48 = v47.x;
            const u32 v49 = v47.y;
            const u32 v50 = v47.z;
            const u32 v51 = v47.w;
            const u32 v52 = 32u * i;
            const u64 v53 = (u64)v52;
            const u64 v54 = v12 + v53;
            const u32 v55 = (v54 < x_len) ? x[v54] : 0u;
            const u32 v56 = 15u & v48;
            const u32 v57 = 7u & v56;
            const f32 v58 = f32_of_f16(v55) * f32_of(pick(v57 < 2u, bits_of(0.5f * f32_of_u32(v57)), 0x3f000000u + (v57 << 22u)) | ((v56 >> 3u) << 31u));
            const u64 v59 = v14 + v53;
            const u32 v60 = (v59 < x_len) ? x[v59] : 0u;
            const u32 v61 = 15u & (v48 >> 4u);
            const u32 v62 = 7u & v61;
            const f32 v63 = __builtin_fmaf(f32_of_f16(v60), f32_of(pick(v62 < 2u, bits_of(0.5f * f32_of_u32(v62)), 0x3f000000u + (v62 << 22u)) | ((v61 >> 3u) << 31u)), v58);
            const u64 v64 = v15 + v53;
            const u32 v65 = (v64 < x_len) ? x[v64] : 0u;
            const u32 v66 = 15u & (v48 >> 8u);
            const u32 v67 = 7u & v66;
            const f32 v68 = __builtin_fmaf(f32_of_f16(v65), f32_of(pick(v67 < 2u, bits_of(0.5f * f32_of_u32(v67)), 0x3f000000u + (v67 << 22u)) | ((v66 >> 3u) << 31u)), v63);
            const u64 v69 = v16 + v53;
            const u32 v70 = (v69 < x_len) ? x[v69] : 0u;
            const u32 v71 = 15u & (v48 >> 12u);
            const u32 v72 = 7u & v71;
            const f32 v73 = __builtin_fmaf(f32_of_f16(v70), f32_of(pick(v72 < 2u, bits_of(0.5f * f32_of_u32(v72)), 0x3f000000u + (v72 << 22u)) | ((v71 >> 3u) << 31u)), v68);
            const u64 v74 = v17 + v53;
            const u32 v75 = (v74 < x_len) ? x[v74] : 0u;
            const u32 v76 = 15u & (v48 >> 16u);
            const u32 v77 = 7u & v76;
            const f32 v78 = __builtin_fmaf(f32_of_f16(v75), f32_of(pick(v77 < 2u, bits_of(0.5f * f32_of_u32(v77)), 0x3f000000u + (v77 << 22u)) | ((v76 >> 3u) << 31u)), v73);
            const u64 v79 = v18 + v53;
            const u32 v80 = (v79 < x_len) ? x[v79] : 0u;
            const u32 v81 = 15u & (v48 >> 20u);
            const u32 v82 = 7u & v81;
            const f32 v83 = __builtin_fmaf(f32_of_f16(v80), f32_of(pick(v82 < 2u, bits_of(0.5f * f32_of_u32(v82)), 0x3f000000u + (v82 << 22u)) | ((v81 >> 3u) << 31u)), v78);
            const u64 v84 = v19 + v53;
            const u32 v85 = (v84 < x_len) ? x[v84] : 0u;
            const u32 v86 = 15u & (v48 >> 24u);
            const u32 v87 = 7u & v86;
            const f32 v88 = __builtin_fmaf(f32_of_f16(v85), f32_of(pick(v87 < 2u, bits_of(0.5f * f32_of_u32(v87)), 0x3f000000u + (v87 << 22u)) | ((v86 >> 3u) << 31u)), v83);
            const u64 v89 = v20 + v53;
            const u32 v90 = (v89 < x_len) ? x[v89] : 0u;
            const u32 v91 = v48 >> 28u;
            const u32 v92 = 7u & v91;
            const f32 v93 = __builtin_fmaf(f32_of_f16(v90), f32_of(pick(v92 < 2u, bits_of(0.5f * f32_of_u32(v92)), 0x3f000000u + (v92 << 22u)) | ((v91 >> 3u) << 31u)), v88);
            const u64 v94 = v21 + v53;
            const u32 v95 = (v94 < x_len) ? x[v94] : 0u;
            const u32 v96 = 15u & v49;
            const u32 v97 = 7u & v96;
            const f32 v98 = __builtin_fmaf(f32_of_f16(v95), f32_of(pick(v97 < 2u, bits_of(0.5f * f32_of_u32(v97)), 0x3f000000u + (v97 << 22u)) | ((v96 >> 3u) << 31u)), v93);
            const u64 v99 = v22 + v53;
            const u32 v100 = (v99 < x_len) ? x[v99] : 0u;
            const u32 v101 = 15u & (v49 >> 4u);
            const u32 v102 = 7u & v101;
            const f32 v103 = __builtin_fmaf(f32_of_f16(v100), f32_of(pick(v102 < 2u, bits_of(0.5f * f32_of_u32(v102)), 0x3f000000u + (v102 << 22u)) | ((v101 >> 3u) << 31u)), v98);
            const u64 v104 = v23 + v53;
            const u32 v105 = (v104 < x_len) ? x[v104] : 0u;
            const u32 v106 = 15u & (v49 >> 8u);
            const u32 v107 = 7u & v106;
            const f32 v108 = __builtin_fmaf(f32_of_f16(v105), f32_of(pick(v107 < 2u, bits_of(0.5f * f32_of_u32(v107)), 0x3f000000u + (v107 << 22u)) | ((v106 >> 3u) << 31u)), v103);
            const u64 v109 = v24 + v53;
            const u32 v110 = (v109 < x_len) ? x[v109] : 0u;
            const u32 v111 = 15u & (v49 >> 12u);
            const u32 v112 = 7u & v111;
            const f32 v113 = __builtin_fmaf(f32_of_f16(v110), f32_of(pick(v112 < 2u, bits_of(0.5f * f32_of_u32(v112)), 0x3f000000u + (v112 << 22u)) | ((v111 >> 3u) << 31u)), v108);
            const u64 v114 = v25 + v53;
            const u32 v115 = (v114 < x_len) ? x[v114] : 0u;
            const u32 v116 = 15u & (v49 >> 16u);
            const u32 v117 = 7u & v116;
            const f32 v118 = __builtin_fmaf(f32_of_f16(v115), f32_of(pick(v117 < 2u, bits_of(0.5f * f32_of_u32(v117)), 0x3f000000u + (v117 << 22u)) | ((v116 >> 3u) << 31u)), v113);
            const u64 v119 = v26 + v53;
            const u32 v120 = (v119 < x_len) ? x[v119] : 0u;
            const u32 v121 = 15u & (v49 >> 20u);
            const u32 v122 = 7u & v121;
            const f32 v123 = __builtin_fmaf(f32_of_f16(v120), f32_of(pick(v122 < 2u, bits_of(0.5f * f32_of_u32(v122)), 0x3f000000u + (v122 << 22u)) | ((v121 >> 3u) << 31u)), v118);
            const u64 v124 = v27 + v53;
            const u32 v125 = (v124 < x_len) ? x[v124] : 0u;
            const u32 v126 = 15u & (v49 >> 24u);
            const u32 v127 = 7u & v126;
            const f32 v128 = __builtin_fmaf(f32_of_f16(v125), f32_of(pick(v127 < 2u, bits_of(0.5f * f32_of_u32(v127)), 0x3f000000u + (v127 << 22u)) | ((v126 >> 3u) << 31u)), v123);
            const u64 v129 = v28 + v53;
            const u32 v130 = (v129 < x_len) ? x[v129] : 0u;
            const u32 v131 = v49 >> 28u;
            const u32 v132 = 7u & v131;
            const f32 v133 = __builtin_fmaf(f32_of_f16(v130), f32_of(pick(v132 < 2u, bits_of(0.5f * f32_of_u32(v132)), 0x3f000000u + (v132 << 22u)) | ((v131 >> 3u) << 31u)), v128);
            const u64 v134 = v10 + (u64)(v52 >> 4u);
            const u32 v135 = (v134 < scales_len) ? scales[v134] : 0u;
            const u32 v136 = v135;
            const u32 v137 = v136 & 127u;
            const u32 v138 = pick(127u == v137, 0x7fc00000u, pick(v137 < 8u, canonical(f32_of(v137 | 0x46800000u) - 16384.0f), (v137 << 20u) + 0x3c000000u) | ((v136 & 128u) << 24u));
            const u64 v139 = v29 + v53;
            const u32 v140 = (v139 < x_len) ? x[v139] : 0u;
            const u32 v141 = 15u & v50;
            const u32 v142 = 7u & v141;
            const f32 v143 = f32_of_f16(v140) * f32_of(pick(v142 < 2u, bits_of(0.5f * f32_of_u32(v142)), 0x3f000000u + (v142 << 22u)) | ((v141 >> 3u) << 31u));
            const u64 v144 = v30 + v53;
            const u32 v145 = (v144 < x_len) ? x[v144] : 0u;
            const u32 v146 = 15u & (v50 >> 4u);
            const u32 v147 = 7u & v146;
            const f32 v148 = __builtin_fmaf(f32_of_f16(v145), f32_of(pick(v147 < 2u, bits_of(0.5f * f32_of_u32(v147)), 0x3f000000u + (v147 << 22u)) | ((v146 >> 3u) << 31u)), v143);
            const u64 v149 = v31 + v53;
            const u32 v150 = (v149 < x_len) ? x[v149] : 0u;
            const u32 v151 = 15u & (v50 >> 8u);
            const u32 v152 = 7u & v151;
            const f32 v153 = __builtin_fmaf(f32_of_f16(v150), f32_of(pick(v152 < 2u, bits_of(0.5f * f32_of_u32(v152)), 0x3f000000u + (v152 << 22u)) | ((v151 >> 3u) << 31u)), v148);
            const u64 v154 = v32 + v53;
            const u32 v155 = (v154 < x_len) ? x[v154] : 0u;
            const u32 v156 = 15u & (v50 >> 12u);
            const u32 v157 = 7u & v156;
            const f32 v158 = __builtin_fmaf(f32_of_f16(v155), f32_of(pick(v157 < 2u, bits_of(0.5f * f32_of_u32(v157)), 0x3f000000u + (v157 << 22u)) | ((v156 >> 3u) << 31u)), v153);
            const u64 v159 = v33 + v53;
            const u32 v160 = (v159 < x_len) ? x[v159] : 0u;
            const u32 v161 = 15u & (v50 >> 16u);
            const u32 v162 = 7u & v161;
            const f32 v163 = __builtin_fmaf(f32_of_f16(v160), f32_of(pick(v162 < 2u, bits_of(0.5f * f32_of_u32(v162)), 0x3f000000u + (v162 << 22u)) | ((v161 >> 3u) << 31u)), v158);
            const u64 v164 = v34 + v53;
            const u32 v165 = (v164 < x_len) ? x[v164] : 0u;
            const u32 v166 = 15u & (v50 >> 20u);
            const u32 v167 = 7u & v166;
            const f32 v168 = __builtin_fmaf(f32_of_f16(v165), f32_of(pick(v167 < 2u, bits_of(0.5f * f32_of_u32(v167)), 0x3f000000u + (v167 << 22u)) | ((v166 >> 3u) << 31u)), v163);
            const u64 v169 = v35 + v53;
            const u32 v170 = (v169 < x_len) ? x[v169] : 0u;
            const u32 v171 = 15u & (v50 >> 24u);
            const u32 v172 = 7u & v171;
            const f32 v173 = __builtin_fmaf(f32_of_f16(v170), f32_of(pick(v172 < 2u, bits_of(0.5f * f32_of_u32(v172)), 0x3f000000u + (v172 << 22u)) | ((v171 >> 3u) << 31u)), v168);
            const u64 v174 = v36 + v53;
            const u32 v175 = (v174 < x_len) ? x[v174] : 0u;
            const u32 v176 = v50 >> 28u;
            const u32 v177 = 7u & v176;
            const f32 v178 = __builtin_fmaf(f32_of_f16(v175), f32_of(pick(v177 < 2u, bits_of(0.5f * f32_of_u32(v177)), 0x3f000000u + (v177 << 22u)) | ((v176 >> 3u) << 31u)), v173);
            const u64 v179 = v37 + v53;
            const u32 v180 = (v179 < x_len) ? x[v179] : 0u;
            const u32 v181 = 15u & v51;
            const u32 v182 = 7u & v181;
            const f32 v183 = __builtin_fmaf(f32_of_f16(v180), f32_of(pick(v182 < 2u, bits_of(0.5f * f32_of_u32(v182)), 0x3f000000u + (v182 << 22u)) | ((v181 >> 3u) << 31u)), v178);
            const u64 v184 = v38 + v53;
            const u32 v185 = (v184 < x_len) ? x[v184] : 0u;
            const u32 v186 = 15u & (v51 >> 4u);
            const u32 v187 = 7u & v186;
            const f32 v188 = __builtin_fmaf(f32_of_f16(v185), f32_of(pick(v187 < 2u, bits_of(0.5f * f32_of_u32(v187)), 0x3f000000u + (v187 << 22u)) | ((v186 >> 3u) << 31u)), v183);
            const u64 v189 = v39 + v53;
            const u32 v190 = (v189 < x_len) ? x[v189] : 0u;
            const u32 v191 = 15u & (v51 >> 8u);
            const u32 v192 = 7u & v191;
            const f32 v193 = __builtin_fmaf(f32_of_f16(v190), f32_of(pick(v192 < 2u, bits_of(0.5f * f32_of_u32(v192)), 0x3f000000u + (v192 << 22u)) | ((v191 >> 3u) << 31u)), v188);
            const u64 v194 = v40 + v53;
            const u32 v195 = (v194 < x_len) ? x[v194] : 0u;
            const u32 v196 = 15u & (v51 >> 12u);
            const u32 v197 = 7u & v196;
            const f32 v198 = __builtin_fmaf(f32_of_f16(v195), f32_of(pick(v197 < 2u, bits_of(0.5f * f32_of_u32(v197)), 0x3f000000u + (v197 << 22u)) | ((v196 >> 3u) << 31u)), v193);
            const u64 v199 = v41 + v53;
            const u32 v200 = (v199 < x_len) ? x[v199] : 0u;
            const u32 v201 = 15u & (v51 >> 16u);
            const u32 v202 = 7u & v201;
            const f32 v203 = __builtin_fmaf(f32_of_f16(v200), f32_of(pick(v202 < 2u, bits_of(0.5f * f32_of_u32(v202)), 0x3f000000u + (v202 << 22u)) | ((v201 >> 3u) << 31u)), v198);
            const u64 v204 = v42 + v53;
            const u32 v205 = (v204 < x_len) ? x[v204] : 0u;
            const u32 v206 = 15u & (v51 >> 20u);
            const u32 v207 = 7u & v206;
            const f32 v208 = __builtin_fmaf(f32_of_f16(v205), f32_of(pick(v207 < 2u, bits_of(0.5f * f32_of_u32(v207)), 0x3f000000u + (v207 << 22u)) | ((v206 >> 3u) << 31u)), v203);
            const u64 v209 = v43 + v53;
            const u32 v210 = (v209 < x_len) ? x[v209] : 0u;
            const u32 v211 = 15u & (v51 >> 24u);
            const u32 v212 = 7u & v211;
            const f32 v213 = __builtin_fmaf(f32_of_f16(v210), f32_of(pick(v212 < 2u, bits_of(0.5f * f32_of_u32(v212)), 0x3f000000u + (v212 << 22u)) | ((v211 >> 3u) << 31u)), v208);
            const u64 v214 = v44 + v53;
            const u32 v215 = (v214 < x_len) ? x[v214] : 0u;
            const u32 v216 = v51 >> 28u;
            const u32 v217 = 7u & v216;
            const f32 v218 = __builtin_fmaf(f32_of_f16(v215), f32_of(pick(v217 < 2u, bits_of(0.5f * f32_of_u32(v217)), 0x3f000000u + (v217 << 22u)) | ((v216 >> 3u) << 31u)), v213);
            const u64 v219 = v10 + (u64)((16u + v52) >> 4u);
            const u32 v220 = (v219 < scales_len) ? scales[v219] : 0u;
            const u32 v221 = v220;
            const u32 v222 = 127u & v221;
            const u32 v223 = pick(127u == v222, 0x7fc00000u, pick(v222 < 8u, canonical(f32_of(0x46800000u | v222) - 16384.0f), 0x3c000000u + (v222 << 20u)) | ((128u & v221) << 24u));
            acc = __builtin_fmaf(v218, f32_of(v223), __builtin_fmaf(v133, f32_of(v138), acc));
        }
    }
    const u32 v224 = 32u * v13;
    if (v5 == (31u & v13)) {
        if (v224 < v7) {
            s_3 = (-0.0f);
            const u32 v225 = min_of(v7, 16u + v224);
            for (u32 i_1 = v224; i_1 < v225; i_1 += 1u) {
                const u64 v226 = v12 + (u64)i_1;
                const u32 v227 = (v226 < x_len) ? x[v226] : 0u;
                const u32 v228 = 4u * (31u & i_1);
                const u64 v229 = v9 + (u64)((4u * (i_1 >> 5u)) + (v228 >> 5u));
                const u32 v230 = (v229 < codes_len) ? codes[v229] : 0u;
                const u32 v231 = 15u & (v230 >> ((31u & v228) & 31u));
                const u32 v232 = 7u & v231;
                const f32 v233 = __builtin_fmaf(f32_of_f16(v227), f32_of(pick(v232 < 2u, bits_of(0.5f * f32_of_u32(v232)), 0x3f000000u + (v232 << 22u)) | ((v231 >> 3u) << 31u)), s_3);
                s_3 = v233;
            }
            const u64 v234 = v10 + (u64)(v224 >> 4u);
            const u32 v235 = (v234 < scales_len) ? scales[v234] : 0u;
            const u32 v236 = v235;
            const u32 v237 = v236 & 127u;
            const u32 v238 = pick(127u == v237, 0x7fc00000u, pick(v237 < 8u, canonical(f32_of(v237 | 0x46800000u) - 16384.0f), (v237 << 20u) + 0x3c000000u) | ((v236 & 128u) << 24u));
            acc = __builtin_fmaf(s_3, f32_of(v238), acc);
        }
        const u32 v239 = 16u + v224;
        if (v239 < v7) {
            s_4 = (-0.0f);
            const u32 v240 = min_of(v7, 32u + v224);
            for (u32 i_2 = v239; i_2 < v240; i_2 += 1u) {
                const u64 v241 = v12 + (u64)i_2;
                const u32 v242 = (v241 < x_len) ? x[v241] : 0u;
                const u32 v243 = 4u * (31u & i_2);
                const u64 v244 = v9 + (u64)((4u * (i_2 >> 5u)) + (v243 >> 5u));
                const u32 v245 = (v244 < codes_len) ? codes[v244] : 0u;
                const u32 v246 = 15u & (v245 >> ((31u & v243) & 31u));
                const u32 v247 = 7u & v246;
                const f32 v248 = __builtin_fmaf(f32_of_f16(v242), f32_of(pick(v247 < 2u, bits_of(0.5f * f32_of_u32(v247)), 0x3f000000u + (v247 << 22u)) | ((v246 >> 3u) << 31u)), s_4);
                s_4 = v248;
            }
            const u64 v249 = v10 + (u64)(v239 >> 4u);
            const u32 v250 = (v249 < scales_len) ? scales[v249] : 0u;
            const u32 v251 = v250;
            const u32 v252 = v251 & 127u;
            const u32 v253 = pick(127u == v252, 0x7fc00000u, pick(v252 < 8u, canonical(f32_of(v252 | 0x46800000u) - 16384.0f), (v252 << 20u) + 0x3c000000u) | ((v251 & 128u) << 24u));
            acc = __builtin_fmaf(s_4, f32_of(v253), acc);
        }
    }
    const f32 v254 = acc;
    const f32 v255 = shuffle_xor(v254, 1u);
    const f32 v256 = v254 + v255;
    const f32 v257 = shuffle_xor(v256, 2u);
    const f32 v258 = v256 + v257;
    const f32 v259 = shuffle_xor(v258, 4u);
    const f32 v260 = v258 + v259;
    const f32 v261 = shuffle_xor(v260, 8u);
    const f32 v262 = v260 + v261;
    const f32 v263 = shuffle_xor(v262, 16u);
    const f32 v264 = shuffle(v262 + v263, 0u);
    if (v6 && (0u == v5)) {
        const u32 v265 = div_u32(v4, div_u32(v0, v1));
        const f32 v266 = (v265 < global_len) ? global_1[v265] : 0.0f;
        const u64 v267 = v8 + (v11 * (u64)v2);
        if (v267 < y_len) {
            y[v267] = (u16)canonical_f16(f16_of_f32(v264 * v266));
        }
    }
}
