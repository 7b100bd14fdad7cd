extern "C" __attribute__((global, amdgpu_flat_work_group_size(256, 256)))
void gemv_quantized(
    const u32* __restrict__ codes,
    const u8* __restrict__ scales,
    const u16* __restrict__ x,
    u16* y,
    u32 first_x,
    u32 first_y,
    u32 n,
    u32 k,
    u32 ends_0,
    u64 codes_len,
    u64 scales_len,
    u64 x_len,
    u64 y_len) {
    f32 acc;
    f32 s_2;
    const u32 v0 = k;
    const u32 v1 = ends_0;
    const u32 v2 = ((first_x + __builtin_amdgcn_workgroup_id_x()) * 8u) + (__builtin_amdgcn_workitem_id_x() / 32u);
    const u64 v3 = (u64)(first_y + __builtin_amdgcn_workgroup_id_y());
    const u64 v4 = v3 * (u64)v0;
    const bool v5 = v2 < n;
    const u32 v6 = pick(v5, v0, 0u);
    acc = (-0.0f);
    const u32 v7 = __builtin_amdgcn_workitem_id_x() & 31u;
    const u32 v8 = v6 >> 5u;
    const u64 v9 = (u64)v2;
    const u32 v10 = (v0 + 31u) >> 5u;
    const u64 v11 = v9 * (u64)(v10 * 4u);
    const u64 v12 = v4 + 1ull;
    const u64 v13 = v4 + 2ull;
    const u64 v14 = v4 + 3ull;
    const u64 v15 = v4 + 4ull;
    const u64 v16 = v4 + 5ull;
    const u64 v17 = v4 + 6ull;
    const u64 v18 = v4 + 7ull;
    const u64 v19 = v4 + 8ull;
    const u64 v20 = v4 + 9ull;
    const u64 v21 = v4 + 10ull;
    const u64 v22 = v4 + 11ull;
    const u64 v23 = v4 + 12ull;
    const u64 v24 = v4 + 13ull;
    const u64 v25 = v4 + 14ull;
    const u64 v26 = v4 + 15ull;
    const u64 v27 = v4 + 16ull;
    const u64 v28 = v4 + 17ull;
    const u64 v29 = v4 + 18ull;
    const u64 v30 = v4 + 19ull;
    const u64 v31 = v4 + 20ull;
    const u64 v32 = v4 + 21ull;
    const u64 v33 = v4 + 22ull;
    const u64 v34 = v4 + 23ull;
    const u64 v35 = v4 + 24ull;
    const u64 v36 = v4 + 25ull;
    const u64 v37 = v4 + 26ull;
    const u64 v38 = v4 + 27ull;
    const u64 v39 = v4 + 28ull;
    const u64 v40 = v4 + 29ull;
    const u64 v41 = v4 + 30ull;
    const u64 v42 = v4 + 31ull;
    const u64 v43 = v9 * (u64)v10;
    if (v7 < v8) {
        bool i_goes = true;
        for (u32 i = v7; i_goes; i_goes = v8 - i > 32u, i += 32u) {
            const u32 v44 = 32u * i;
            const u32 v45 = v44 >> 5u;
            const u64 v46 = v11 + (u64)((4u * v45) + ((4u * (31u & v44)) >> 5u));
            const bool v47 = (u64)v46 + 3 < codes_len;
            const u32x4 v48 = v47 ? *(const u32x4*)(codes + v46) : u32x4_of(0u, 0u, 0u, 0u);
            const u32 v49 = v48.x;
            const u32 v50 = v48.y;
            const u32 v51 = v48.z;
            const u32 v52 = v48.w;
            const u32 v53 = 15u & v49;
            const u32 v54 = 15u & (v49 >> 4u);
            const u32 v55 = 15u & (v49 >> 8u);
            const u32 v56 = 15u & (v49 >> 12u);
            const u32 v57 = 15u & (v49 >> 16u);
            const u32 v58 = 15u & (v49 >> 20u);
            const u32 v59 = 15u & (v49 >> 24u);
            const u32 v60 = v49 >> 28u;
            const u32 v61 = 15u & v50;
            const u32 v62 = 15u & (v50 >> 4u);
            const u32 v63 = 15u & (v50 >> 8u);
            const u32 v64 = 15u & (v50 >> 12u);
            const u32 v65 = 15u & (v50 >> 16u);
            const u32 v66 = 15u & (v50 >> 20u);
            const u32 v67 = 15u & (v50 >> 24u);
            const u32 v68 = v50 >> 28u;
            const u32 v69 = 15u & v51;
            const u32 v70 = 15u & (v51 >> 4u);
            const u32 v71 = 15u & (v51 >> 8u);
            const u32 v72 = 15u & (v51 >> 12u);
            const u32 v73 = 15u & (v51 >> 16u);
            const u32 v74 = 15u & (v51 >> 20u);
            const u32 v75 = 15u & (v51 >> 24u);
            const u32 v76 = v51 >> 28u;
            const u32 v77 = 15u & v52;
            const u32 v78 = 15u & (v52 >> 4u);
            const u32 v79 = 15u & (v52 >> 8u);
            const u32 v80 = 15u & (v52 >> 12u);
            const u32 v81 = 15u & (v52 >> 16u);
            const u32 v82 = 15u & (v52 >> 20u);
            const u32 v83 = 15u & (v52 >> 24u);
            const u32 v84 = v52 >> 28u;
            const u32 v85 = 7u & v53;
            const u32 v86 = 7u & v54;
            const u32 v87 = 7u & v55;
            const u32 v88 = 7u & v56;
            const u32 v89 = 7u & v57;
            const u32 v90 = 7u & v58;
            const u32 v91 = 7u & v59;
            const u32 v92 = 7u & v60;
            const u32 v93 = 7u & v61;
            const u32 v94 = 7u & v62;
            const u32 v95 = 7u & v63;
            const u32 v96 = 7u & v64;
            const u32 v97 = 7u & v65;
            const u32 v98 = 7u & v66;
            const u32 v99 = 7u & v67;
            const u32 v100 = 7u & v68;
            const u32 v101 = 7u & v69;
            const u32 v102 = 7u & v70;
            const u32 v103 = 7u & v71;
            const u32 v104 = 7u & v72;
            const u32 v105 = 7u & v73;
            const u32 v106 = 7u & v74;
            const u32 v107 = 7u & v75;
            const u32 v108 = 7u & v76;
            const u32 v109 = 7u & v77;
            const u32 v110 = 7u & v78;
            const u32 v111 = 7u & v79;
            const u32 v112 = 7u & v80;
            const u32 v113 = 7u & v81;
            const u32 v114 = 7u & v82;
            const u32 v115 = 7u & v83;
            const u32 v116 = 7u & v84;
            const u64 v117 = (u64)v44;
            const u64 v118 = v4 + v117;
            const u32 v119 = (v118 < x_len) ? x[v118] : 0u;
            const f32 v120 = f32_of(pick(v85 < 2u, bits_of(0.5f * f32_of_u32(v85)), 0x3f000000u + (v85 << 22u)) | ((v53 >> 3u) << 31u)) * f32_of_f16(v119);
            const u64 v121 = v12 + v117;
            const u32 v122 = (v121 < x_len) ? x[v121] : 0u;
            const f32 v123 = __builtin_fmaf(f32_of(pick(v86 < 2u, bits_of(0.5f * f32_of_u32(v86)), 0x3f000000u + (v86 << 22u)) | ((v54 >> 3u) << 31u)), f32_of_f16(v122), v120);
            const u64 v124 = v13 + v117;
            const u32 v125 = (v124 < x_len) ? x[v124] : 0u;
            const f32 v126 = __builtin_fmaf(f32_of(pick(v87 < 2u, bits_of(0.5f * f32_of_u32(v87)), 0x3f000000u + (v87 << 22u)) | ((v55 >> 3u) << 31u)), f32_of_f16(v125), v123);
            const u64 v127 = v14 + v117;
            const u32 v128 = (v127 < x_len) ? x[v127] : 0u;
            const f32 v129 = __builtin_fmaf(f32_of(pick(v88 < 2u, bits_of(0.5f * f32_of_u32(v88)), 0x3f000000u + (v88 << 22u)) | ((v56 >> 3u) << 31u)), f32_of_f16(v128), v126);
            const u64 v130 = v15 + v117;
            const u32 v131 = (v130 < x_len) ? x[v130] : 0u;
            const f32 v132 = __builtin_fmaf(f32_of(pick(v89 < 2u, bits_of(0.5f * f32_of_u32(v89)), 0x3f000000u + (v89 << 22u)) | ((v57 >> 3u) << 31u)), f32_of_f16(v131), v129);
            const u64 v133 = v16 + v117;
            const u32 v134 = (v133 < x_len) ? x[v133] : 0u;
            const f32 v135 = __builtin_fmaf(f32_of(pick(v90 < 2u, bits_of(0.5f * f32_of_u32(v90)), 0x3f000000u + (v90 << 22u)) | ((v58 >> 3u) << 31u)), f32_of_f16(v134), v132);
            const u64 v136 = v17 + v117;
            const u32 v137 = (v136 < x_len) ? x[v136] : 0u;
            const f32 v138 = __builtin_fmaf(f32_of(pick(v91 < 2u, bits_of(0.5f * f32_of_u32(v91)), 0x3f000000u + (v91 << 22u)) | ((v59 >> 3u) << 31u)), f32_of_f16(v137), v135);
            const u64 v139 = v18 + v117;
            const u32 v140 = (v139 < x_len) ? x[v139] : 0u;
            const f32 v141 = __builtin_fmaf(f32_of(pick(v92 < 2u, bits_of(0.5f * f32_of_u32(v92)), 0x3f000000u + (v92 << 22u)) | ((v60 >> 3u) << 31u)), f32_of_f16(v140), v138);
            const u64 v142 = v19 + v117;
            const u32 v143 = (v142 < x_len) ? x[v142] : 0u;
            const f32 v144 = __builtin_fmaf(f32_of(pick(v93 < 2u, bits_of(0.5f * f32_of_u32(v93)), 0x3f000000u + (v93 << 22u)) | ((v61 >> 3u) << 31u)), f32_of_f16(v143), v141);
            const u64 v145 = v20 + v117;
            const u32 v146 = (v145 < x_len) ? x[v145] : 0u;
            const f32 v147 = __builtin_fmaf(f32_of(pick(v94 < 2u, bits_of(0.5f * f32_of_u32(v94)), 0x3f000000u + (v94 << 22u)) | ((v62 >> 3u) << 31u)), f32_of_f16(v146), v144);
            const u64 v148 = v21 + v117;
            const u32 v149 = (v148 < x_len) ? x[v148] : 0u;
            const f32 v150 = __builtin_fmaf(f32_of(pick(v95 < 2u, bits_of(0.5f * f32_of_u32(v95)), 0x3f000000u + (v95 << 22u)) | ((v63 >> 3u) << 31u)), f32_of_f16(v149), v147);
            const u64 v151 = v22 + v117;
            const u32 v152 = (v151 < x_len) ? x[v151] : 0u;
            const f32 v153 = __builtin_fmaf(f32_of(pick(v96 < 2u, bits_of(0.5f * f32_of_u32(v96)), 0x3f000000u + (v96 << 22u)) | ((v64 >> 3u) << 31u)), f32_of_f16(v152), v150);
            const u64 v154 = v23 + v117;
            const u32 v155 = (v154 < x_len) ? x[v154] : 0u;
            const f32 v156 = __builtin_fmaf(f32_of(pick(v97 < 2u, bits_of(0.5f * f32_of_u32(v97)), 0x3f000000u + (v97 << 22u)) | ((v65 >> 3u) << 31u)), f32_of_f16(v155), v153);
            const u64 v157 = v24 + v117;
            const u32 v158 = (v157 < x_len) ? x[v157] : 0u;
            const f32 v159 = __builtin_fmaf(f32_of(pick(v98 < 2u, bits_of(0.5f * f32_of_u32(v98)), 0x3f000000u + (v98 << 22u)) | ((v66 >> 3u) << 31u)), f32_of_f16(v158), v156);
            const u64 v160 = v25 + v117;
            const u32 v161 = (v160 < x_len) ? x[v160] : 0u;
            const f32 v162 = __builtin_fmaf(f32_of(pick(v99 < 2u, bits_of(0.5f * f32_of_u32(v99)), 0x3f000000u + (v99 << 22u)) | ((v67 >> 3u) << 31u)), f32_of_f16(v161), v159);
            const u64 v163 = v26 + v117;
            const u32 v164 = (v163 < x_len) ? x[v163] : 0u;
            const f32 v165 = __builtin_fmaf(f32_of(pick(v100 < 2u, bits_of(0.5f * f32_of_u32(v100)), 0x3f000000u + (v100 << 22u)) | ((v68 >> 3u) << 31u)), f32_of_f16(v164), v162);
            const u64 v166 = v27 + v117;
            const u32 v167 = (v166 < x_len) ? x[v166] : 0u;
            const f32 v168 = __builtin_fmaf(f32_of(pick(v101 < 2u, bits_of(0.5f * f32_of_u32(v101)), 0x3f000000u + (v101 << 22u)) | ((v69 >> 3u) << 31u)), f32_of_f16(v167), v165);
            const u64 v169 = v28 + v117;
            const u32 v170 = (v169 < x_len) ? x[v169] : 0u;
            const f32 v171 = __builtin_fmaf(f32_of(pick(v102 < 2u, bits_of(0.5f * f32_of_u32(v102)), 0x3f000000u + (v102 << 22u)) | ((v70 >> 3u) << 31u)), f32_of_f16(v170), v168);
            const u64 v172 = v29 + v117;
            const u32 v173 = (v172 < x_len) ? x[v172] : 0u;
            const f32 v174 = __builtin_fmaf(f32_of(pick(v103 < 2u, bits_of(0.5f * f32_of_u32(v103)), 0x3f000000u + (v103 << 22u)) | ((v71 >> 3u) << 31u)), f32_of_f16(v173), v171);
            const u64 v175 = v30 + v117;
            const u32 v176 = (v175 < x_len) ? x[v175] : 0u;
            const f32 v177 = __builtin_fmaf(f32_of(pick(v104 < 2u, bits_of(0.5f * f32_of_u32(v104)), 0x3f000000u + (v104 << 22u)) | ((v72 >> 3u) << 31u)), f32_of_f16(v176), v174);
            const u64 v178 = v31 + v117;
            const u32 v179 = (v178 < x_len) ? x[v178] : 0u;
            const f32 v180 = __builtin_fmaf(f32_of(pick(v105 < 2u, bits_of(0.5f * f32_of_u32(v105)), 0x3f000000u + (v105 << 22u)) | ((v73 >> 3u) << 31u)), f32_of_f16(v179), v177);
            const u64 v181 = v32 + v117;
            const u32 v182 = (v181 < x_len) ? x[v181] : 0u;
            const f32 v183 = __builtin_fmaf(f32_of(pick(v106 < 2u, bits_of(0.5f * f32_of_u32(v106)), 0x3f000000u + (v106 << 22u)) | ((v74 >> 3u) << 31u)), f32_of_f16(v182), v180);
            const u64 v184 = v33 + v117;
            const u32 v185 = (v184 < x_len) ? x[v184] : 0u;
            const f32 v186 = __builtin_fmaf(f32_of(pick(v107 < 2u, bits_of(0.5f * f32_of_u32(v107)), 0x3f000000u + (v107 << 22u)) | ((v75 >> 3u) << 31u)), f32_of_f16(v185), v183);
            const u64 v187 = v34 + v117;
            const u32 v188 = (v187 < x_len) ? x[v187] : 0u;
            const f32 v189 = __builtin_fmaf(f32_of(pick(v108 < 2u, bits_of(0.5f * f32_of_u32(v108)), 0x3f000000u + (v108 << 22u)) | ((v76 >> 3u) << 31u)), f32_of_f16(v188), v186);
            const u64 v190 = v35 + v117;
            const u32 v191 = (v190 < x_len) ? x[v190] : 0u;
            const f32 v192 = __builtin_fmaf(f32_of(pick(v109 < 2u, bits_of(0.5f * f32_of_u32(v109)), 0x3f000000u + (v109 << 22u)) | ((v77 >> 3u) << 31u)), f32_of_f16(v191), v189);
            const u64 v193 = v36 + v117;
            const u32 v194 = (v193 < x_len) ? x[v193] : 0u;
            const f32 v195 = __builtin_fmaf(f32_of(pick(v110 < 2u, bits_of(0.5f * f32_of_u32(v110)), 0x3f000000u + (v110 << 22u)) | ((v78 >> 3u) << 31u)), f32_of_f16(v194), v192);
            const u64 v196 = v37 + v117;
            const u32 v197 = (v196 < x_len) ? x[v196] : 0u;
            const f32 v198 = __builtin_fmaf(f32_of(pick(v111 < 2u, bits_of(0.5f * f32_of_u32(v111)), 0x3f000000u + (v111 << 22u)) | ((v79 >> 3u) << 31u)), f32_of_f16(v197), v195);
            const u64 v199 = v38 + v117;
            const u32 v200 = (v199 < x_len) ? x[v199] : 0u;
            const f32 v201 = __builtin_fmaf(f32_of(pick(v112 < 2u, bits_of(0.5f * f32_of_u32(v112)), 0x3f000000u + (v112 << 22u)) | ((v80 >> 3u) << 31u)), f32_of_f16(v200), v198);
            const u64 v202 = v39 + v117;
            const u32 v203 = (v202 < x_len) ? x[v202] : 0u;
            const f32 v204 = __builtin_fmaf(f32_of(pick(v113 < 2u, bits_of(0.5f * f32_of_u32(v113)), 0x3f000000u + (v113 << 22u)) | ((v81 >> 3u) << 31u)), f32_of_f16(v203), v201);
            const u64 v205 = v40 + v117;
            const u32 v206 = (v205 < x_len) ? x[v205] : 0u;
            const f32 v207 = __builtin_fmaf(f32_of(pick(v114 < 2u, bits_of(0.5f * f32_of_u32(v114)), 0x3f000000u + (v114 << 22u)) | ((v82 >> 3u) << 31u)), f32_of_f16(v206), v204);
            const u64 v208 = v41 + v117;
            const u32 v209 = (v208 < x_len) ? x[v208] : 0u;
            const f32 v210 = __builtin_fmaf(f32_of(pick(v115 < 2u, bits_of(0.5f * f32_of_u32(v115)), 0x3f000000u + (v115 << 22u)) | ((v83 >> 3u) << 31u)), f32_of_f16(v209), v207);
            const u64 v211 = v42 + v117;
            const u32 v212 = (v211 < x_len) ? x[v211] : 0u;
            const f32 v213 = __builtin_fmaf(f32_of(pick(v116 < 2u, bits_of(0.5f * f32_of_u32(v116)), 0x3f000000u + (v116 << 22u)) | ((v84 >> 3u) << 31u)), f32_of_f16(v212), v210);
            const u64 v214 = v43 + (u64)v45;
            const u32 v215 = (v214 < scales_len) ? scales[v214] : 0u;
            const u32 v216 = v215 & 255u;
            acc = __builtin_fmaf(v213, f32_of(pick(255u == v216, 0x7fc00000u, pick(0u == v216, 0x400000u, v216 << 23u))), acc);
        }
    }
    const u32 v217 = 32u * v8;
    if (v7 == (v8 & 31u)) {
        if (v217 < v6) {
            bool i_1_goes = true;
            for (u32 i_1 = v217; i_1_goes; i_1_goes = v6 - i_1 > 32u, i_1 += 32u) {
                s_2 = (-0.0f);
                const u32 v218 = min_of(v6, 32u + i_1);
                for (u32 i_2 = i_1; i_2 < v218; i_2 += 1u) {
                    const u64 v219 = v4 + (u64)i_2;
                    const u32 v220 = (v219 < x_len) ? x[v219] : 0u;
                    const u32 v221 = 4u * (31u & i_2);
                    const u64 v222 = v11 + (u64)((4u * (i_2 >> 5u)) + (v221 >> 5u));
                    const u32 v223 = (v222 < codes_len) ? codes[v222] : 0u;
                    const u32 v224 = 15u & (v223 >> ((31u & v221) & 31u));
                    const u32 v225 = 7u & v224;
                    const f32 v226 = __builtin_fmaf(f32_of_f16(v220), f32_of(pick(v225 < 2u, bits_of(0.5f * f32_of_u32(v225)), 0x3f000000u + (v225 << 22u)) | ((v224 >> 3u) << 31u)), s_2);
                    s_2 = v226;
                }
                const u64 v227 = v43 + (u64)(i_1 >> 5u);
                const u32 v228 = (v227 < scales_len) ? scales[v227] : 0u;
                const u32 v229 = v228 & 255u;
                acc = __builtin_fmaf(f32_of(pick(255u == v229, 0x7fc00000u, pick(0u == v229, 0x400000u, v229 << 23u))), s_2, acc);
            }
        }
    }
    const f32 v230 = acc;
    const f32 v231 = shuffle_xor(v230, 1u);
    const f32 v232 = v230 + v231;
    const f32 v233 = shuffle_xor(v232, 2u);
    const f32 v234 = v232 + v233;
    const f32 v235 = shuffle_xor(v234, 4u);
    const f32 v236 = v234 + v235;
    const f32 v237 = shuffle_xor(v236, 8u);
    const f32 v238 = v236 + v237;
    const f32 v239 = shuffle_xor(v238, 16u);
    const f32 v240 = shuffle(v238 + v239, 0u);
    if (v5 && (0u == (__builtin_amdgcn_workitem_id_x() % 32u))) {
        if (v2 < v1) {
            const u64 v241 = v9 + (v3 * (u64)v1);
            if (v241 < y_len) {
                y[v241] = (u16)canonical_f16(f16_of_f32(v240));
            }
        }
    }
}
