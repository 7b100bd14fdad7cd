extern "C" __global__ __launch_bounds__(256)
void gemv_quantized(
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
    u32 ends_0,
    u64 codes_len,
    u64 scales_len,
    u64 global_len,
    u64 x_len,
    u64 y_len) {
    f32 acc;
    f32 s_3;
    const u32 v0 = rows;
    const u32 v1 = k;
    const u32 v2 = ends_0;
    const u32 v3 = ((first_x + blockIdx.x) * 8u) + (threadIdx.x / 32u);
    const u64 v4 = (u64)(first_y + blockIdx.y);
    const u64 v5 = v4 * (u64)v1;
    const bool v6 = v3 < n;
    const u32 v7 = pick(v6, v1, 0u);
    acc = (-0.0f);
    const u32 v8 = threadIdx.x & 31u;
    const u32 v9 = v7 >> 5u;
    const u64 v10 = (u64)v3;
    const u64 v11 = v10 * (u64)(((v1 + 31u) >> 5u) * 4u);
    const u64 v12 = v5 + 1ull;
    const u64 v13 = v5 + 2ull;
    const u64 v14 = v5 + 3ull;
    const u64 v15 = v5 + 4ull;
    const u64 v16 = v5 + 5ull;
    const u64 v17 = v5 + 6ull;
    const u64 v18 = v5 + 7ull;
    const u64 v19 = v5 + 8ull;
    const u64 v20 = v5 + 9ull;
    const u64 v21 = v5 + 10ull;
    const u64 v22 = v5 + 11ull;
    const u64 v23 = v5 + 12ull;
    const u64 v24 = v5 + 13ull;
    const u64 v25 = v5 + 14ull;
    const u64 v26 = v5 + 15ull;
    const u64 v27 = v10 * (u64)((v1 + 15u) >> 4u);
    const u64 v28 = v5 + 16ull;
    const u64 v29 = v5 + 17ull;
    const u64 v30 = v5 + 18ull;
    const u64 v31 = v5 + 19ull;
    const u64 v32 = v5 + 20ull;
    const u64 v33 = v5 + 21ull;
    const u64 v34 = v5 + 22ull;
    const u64 v35 = v5 + 23ull;
    const u64 v36 = v5 + 24ull;
    const u64 v37 = v5 + 25ull;
    const u64 v38 = v5 + 26ull;
    const u64 v39 = v5 + 27ull;
    const u64 v40 = v5 + 28ull;
    const u64 v41 = v5 + 29ull;
    const u64 v42 = v5 + 30ull;
    const u64 v43 = v5 + 31ull;
    if (v8 < v9) {
        bool i_goes = true;
        for (u32 i = v8; i_goes; i_goes = v9 - i > 32u, i += 32u) {
            const u32 v44 = 32u * i;
            const u64 v45 = v11 + (u64)((4u * (v44 >> 5u)) + ((4u * (31u & v44)) >> 5u));
            const bool v46 = (u64)v45 + 3 < codes_len;
            const u32x4 v47 = v46 ? *(const u32x4*)(codes + v45) : u32x4_of(0u, 0u, 0u, 0u);
            const u32 v48 = v47.x;
            const u32 v49 = v47.y;
            const u32 v50 = v47.z;
            const u32 v51 = v47.w;
            const u32 v52 = 15u & v48;
            const u32 v53 = 15u & (v48 >> 4u);
            const u32 v54 = 15u & (v48 >> 8u);
            const u32 v55 = 15u & (v48 >> 12u);
            const u32 v56 = 15u & (v48 >> 16u);
            const u32 v57 = 15u & (v48 >> 20u);
            const u32 v58 = 15u & (v48 >> 24u);
            const u32 v59 = v48 >> 28u;
            const u32 v60 = 15u & v49;
            const u32 v61 = 15u & (v49 >> 4u);
            const u32 v62 = 15u & (v49 >> 8u);
            const u32 v63 = 15u & (v49 >> 12u);
            const u32 v64 = 15u & (v49 >> 16u);
            const u32 v65 = 15u & (v49 >> 20u);
            const u32 v66 = 15u & (v49 >> 24u);
            const u32 v67 = v49 >> 28u;
            const u32 v68 = 15u & v50;
            const u32 v69 = 15u & (v50 >> 4u);
            const u32 v70 = 15u & (v50 >> 8u);
            const u32 v71 = 15u & (v50 >> 12u);
            const u32 v72 = 15u & (v50 >> 16u);
            const u32 v73 = 15u & (v50 >> 20u);
            const u32 v74 = 15u & (v50 >> 24u);
            const u32 v75 = v50 >> 28u;
            const u32 v76 = 15u & v51;
            const u32 v77 = 15u & (v51 >> 4u);
            const u32 v78 = 15u & (v51 >> 8u);
            const u32 v79 = 15u & (v51 >> 12u);
            const u32 v80 = 15u & (v51 >> 16u);
            const u32 v81 = 15u & (v51 >> 20u);
            const u32 v82 = 15u & (v51 >> 24u);
            const u32 v83 = v51 >> 28u;
            const u32 v84 = 7u & v52;
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
            const u64 v116 = (u64)v44;
            const u64 v117 = v5 + v116;
            const u32 v118 = (v117 < x_len) ? x[v117] : 0u;
            const f32 v119 = __fmul_rn(f32_of(pick(v84 < 2u, bits_of(__fmul_rn(0.5f, f32_of_u32(v84))), 0x3f000000u + (v84 << 22u)) | ((v52 >> 3u) << 31u)), f32_of_f16(v118));
            const u64 v120 = v12 + v116;
            const u32 v121 = (v120 < x_len) ? x[v120] : 0u;
            const f32 v122 = __fmaf_rn(f32_of(pick(v85 < 2u, bits_of(__fmul_rn(0.5f, f32_of_u32(v85))), 0x3f000000u + (v85 << 22u)) | ((v53 >> 3u) << 31u)), f32_of_f16(v121), v119);
            const u64 v123 = v13 + v116;
            const u32 v124 = (v123 < x_len) ? x[v123] : 0u;
            const f32 v125 = __fmaf_rn(f32_of(pick(v86 < 2u, bits_of(__fmul_rn(0.5f, f32_of_u32(v86))), 0x3f000000u + (v86 << 22u)) | ((v54 >> 3u) << 31u)), f32_of_f16(v124), v122);
            const u64 v126 = v14 + v116;
            const u32 v127 = (v126 < x_len) ? x[v126] : 0u;
            const f32 v128 = __fmaf_rn(f32_of(pick(v87 < 2u, bits_of(__fmul_rn(0.5f, f32_of_u32(v87))), 0x3f000000u + (v87 << 22u)) | ((v55 >> 3u) << 31u)), f32_of_f16(v127), v125);
            const u64 v129 = v15 + v116;
            const u32 v130 = (v129 < x_len) ? x[v129] : 0u;
            const f32 v131 = __fmaf_rn(f32_of(pick(v88 < 2u, bits_of(__fmul_rn(0.5f, f32_of_u32(v88))), 0x3f000000u + (v88 << 22u)) | ((v56 >> 3u) << 31u)), f32_of_f16(v130), v128);
            const u64 v132 = v16 + v116;
            const u32 v133 = (v132 < x_len) ? x[v132] : 0u;
            const f32 v134 = __fmaf_rn(f32_of(pick(v89 < 2u, bits_of(__fmul_rn(0.5f, f32_of_u32(v89))), 0x3f000000u + (v89 << 22u)) | ((v57 >> 3u) << 31u)), f32_of_f16(v133), v131);
            const u64 v135 = v17 + v116;
            const u32 v136 = (v135 < x_len) ? x[v135] : 0u;
            const f32 v137 = __fmaf_rn(f32_of(pick(v90 < 2u, bits_of(__fmul_rn(0.5f, f32_of_u32(v90))), 0x3f000000u + (v90 << 22u)) | ((v58 >> 3u) << 31u)), f32_of_f16(v136), v134);
            const u64 v138 = v18 + v116;
            const u32 v139 = (v138 < x_len) ? x[v138] : 0u;
            const f32 v140 = __fmaf_rn(f32_of(pick(v91 < 2u, bits_of(__fmul_rn(0.5f, f32_of_u32(v91))), 0x3f000000u + (v91 << 22u)) | ((v59 >> 3u) << 31u)), f32_of_f16(v139), v137);
            const u64 v141 = v19 + v116;
            const u32 v142 = (v141 < x_len) ? x[v141] : 0u;
            const f32 v143 = __fmaf_rn(f32_of(pick(v92 < 2u, bits_of(__fmul_rn(0.5f, f32_of_u32(v92))), 0x3f000000u + (v92 << 22u)) | ((v60 >> 3u) << 31u)), f32_of_f16(v142), v140);
            const u64 v144 = v20 + v116;
            const u32 v145 = (v144 < x_len) ? x[v144] : 0u;
            const f32 v146 = __fmaf_rn(f32_of(pick(v93 < 2u, bits_of(__fmul_rn(0.5f, f32_of_u32(v93))), 0x3f000000u + (v93 << 22u)) | ((v61 >> 3u) << 31u)), f32_of_f16(v145), v143);
            const u64 v147 = v21 + v116;
            const u32 v148 = (v147 < x_len) ? x[v147] : 0u;
            const f32 v149 = __fmaf_rn(f32_of(pick(v94 < 2u, bits_of(__fmul_rn(0.5f, f32_of_u32(v94))), 0x3f000000u + (v94 << 22u)) | ((v62 >> 3u) << 31u)), f32_of_f16(v148), v146);
            const u64 v150 = v22 + v116;
            const u32 v151 = (v150 < x_len) ? x[v150] : 0u;
            const f32 v152 = __fmaf_rn(f32_of(pick(v95 < 2u, bits_of(__fmul_rn(0.5f, f32_of_u32(v95))), 0x3f000000u + (v95 << 22u)) | ((v63 >> 3u) << 31u)), f32_of_f16(v151), v149);
            const u64 v153 = v23 + v116;
            const u32 v154 = (v153 < x_len) ? x[v153] : 0u;
            const f32 v155 = __fmaf_rn(f32_of(pick(v96 < 2u, bits_of(__fmul_rn(0.5f, f32_of_u32(v96))), 0x3f000000u + (v96 << 22u)) | ((v64 >> 3u) << 31u)), f32_of_f16(v154), v152);
            const u64 v156 = v24 + v116;
            const u32 v157 = (v156 < x_len) ? x[v156] : 0u;
            const f32 v158 = __fmaf_rn(f32_of(pick(v97 < 2u, bits_of(__fmul_rn(0.5f, f32_of_u32(v97))), 0x3f000000u + (v97 << 22u)) | ((v65 >> 3u) << 31u)), f32_of_f16(v157), v155);
            const u64 v159 = v25 + v116;
            const u32 v160 = (v159 < x_len) ? x[v159] : 0u;
            const f32 v161 = __fmaf_rn(f32_of(pick(v98 < 2u, bits_of(__fmul_rn(0.5f, f32_of_u32(v98))), 0x3f000000u + (v98 << 22u)) | ((v66 >> 3u) << 31u)), f32_of_f16(v160), v158);
            const u64 v162 = v26 + v116;
            const u32 v163 = (v162 < x_len) ? x[v162] : 0u;
            const f32 v164 = __fmaf_rn(f32_of(pick(v99 < 2u, bits_of(__fmul_rn(0.5f, f32_of_u32(v99))), 0x3f000000u + (v99 << 22u)) | ((v67 >> 3u) << 31u)), f32_of_f16(v163), v161);
            const u64 v165 = v27 + (u64)(v44 >> 4u);
            const u32 v166 = (v165 < scales_len) ? scales[v165] : 0u;
            const u32 v167 = v166;
            const u32 v168 = v167 & 127u;
            const u32 v169 = pick(v168 < 8u, canonical(__fsub_rn(f32_of(v168 | 0x46800000u), 16384.0f)), (v168 << 20u) + 0x3c000000u) | ((v167 & 128u) << 24u);
            const u64 v170 = v28 + v116;
            const u32 v171 = (v170 < x_len) ? x[v170] : 0u;
            const f32 v172 = __fmul_rn(f32_of(pick(v100 < 2u, bits_of(__fmul_rn(0.5f, f32_of_u32(v100))), 0x3f000000u + (v100 << 22u)) | ((v68 >> 3u) << 31u)), f32_of_f16(v171));
            const u64 v173 = v29 + v116;
            const u32 v174 = (v173 < x_len) ? x[v173] : 0u;
            const f32 v175 = __fmaf_rn(f32_of(pick(v101 < 2u, bits_of(__fmul_rn(0.5f, f32_of_u32(v101))), 0x3f000000u + (v101 << 22u)) | ((v69 >> 3u) << 31u)), f32_of_f16(v174), v172);
            const u64 v176 = v30 + v116;
            const u32 v177 = (v176 < x_len) ? x[v176] : 0u;
            const f32 v178 = __fmaf_rn(f32_of(pick(v102 < 2u, bits_of(__fmul_rn(0.5f, f32_of_u32(v102))), 0x3f000000u + (v102 << 22u)) | ((v70 >> 3u) << 31u)), f32_of_f16(v177), v175);
            const u64 v179 = v31 + v116;
            const u32 v180 = (v179 < x_len) ? x[v179] : 0u;
            const f32 v181 = __fmaf_rn(f32_of(pick(v103 < 2u, bits_of(__fmul_rn(0.5f, f32_of_u32(v103))), 0x3f000000u + (v103 << 22u)) | ((v71 >> 3u) << 31u)), f32_of_f16(v180), v178);
            const u64 v182 = v32 + v116;
            const u32 v183 = (v182 < x_len) ? x[v182] : 0u;
            const f32 v184 = __fmaf_rn(f32_of(pick(v104 < 2u, bits_of(__fmul_rn(0.5f, f32_of_u32(v104))), 0x3f000000u + (v104 << 22u)) | ((v72 >> 3u) << 31u)), f32_of_f16(v183), v181);
            const u64 v185 = v33 + v116;
            const u32 v186 = (v185 < x_len) ? x[v185] : 0u;
            const f32 v187 = __fmaf_rn(f32_of(pick(v105 < 2u, bits_of(__fmul_rn(0.5f, f32_of_u32(v105))), 0x3f000000u + (v105 << 22u)) | ((v73 >> 3u) << 31u)), f32_of_f16(v186), v184);
            const u64 v188 = v34 + v116;
            const u32 v189 = (v188 < x_len) ? x[v188] : 0u;
            const f32 v190 = __fmaf_rn(f32_of(pick(v106 < 2u, bits_of(__fmul_rn(0.5f, f32_of_u32(v106))), 0x3f000000u + (v106 << 22u)) | ((v74 >> 3u) << 31u)), f32_of_f16(v189), v187);
            const u64 v191 = v35 + v116;
            const u32 v192 = (v191 < x_len) ? x[v191] : 0u;
            const f32 v193 = __fmaf_rn(f32_of(pick(v107 < 2u, bits_of(__fmul_rn(0.5f, f32_of_u32(v107))), 0x3f000000u + (v107 << 22u)) | ((v75 >> 3u) << 31u)), f32_of_f16(v192), v190);
            const u64 v194 = v36 + v116;
            const u32 v195 = (v194 < x_len) ? x[v194] : 0u;
            const f32 v196 = __fmaf_rn(f32_of(pick(v108 < 2u, bits_of(__fmul_rn(0.5f, f32_of_u32(v108))), 0x3f000000u + (v108 << 22u)) | ((v76 >> 3u) << 31u)), f32_of_f16(v195), v193);
            const u64 v197 = v37 + v116;
            const u32 v198 = (v197 < x_len) ? x[v197] : 0u;
            const f32 v199 = __fmaf_rn(f32_of(pick(v109 < 2u, bits_of(__fmul_rn(0.5f, f32_of_u32(v109))), 0x3f000000u + (v109 << 22u)) | ((v77 >> 3u) << 31u)), f32_of_f16(v198), v196);
            const u64 v200 = v38 + v116;
            const u32 v201 = (v200 < x_len) ? x[v200] : 0u;
            const f32 v202 = __fmaf_rn(f32_of(pick(v110 < 2u, bits_of(__fmul_rn(0.5f, f32_of_u32(v110))), 0x3f000000u + (v110 << 22u)) | ((v78 >> 3u) << 31u)), f32_of_f16(v201), v199);
            const u64 v203 = v39 + v116;
            const u32 v204 = (v203 < x_len) ? x[v203] : 0u;
            const f32 v205 = __fmaf_rn(f32_of(pick(v111 < 2u, bits_of(__fmul_rn(0.5f, f32_of_u32(v111))), 0x3f000000u + (v111 << 22u)) | ((v79 >> 3u) << 31u)), f32_of_f16(v204), v202);
            const u64 v206 = v40 + v116;
            const u32 v207 = (v206 < x_len) ? x[v206] : 0u;
            const f32 v208 = __fmaf_rn(f32_of(pick(v112 < 2u, bits_of(__fmul_rn(0.5f, f32_of_u32(v112))), 0x3f000000u + (v112 << 22u)) | ((v80 >> 3u) << 31u)), f32_of_f16(v207), v205);
            const u64 v209 = v41 + v116;
            const u32 v210 = (v209 < x_len) ? x[v209] : 0u;
            const f32 v211 = __fmaf_rn(f32_of(pick(v113 < 2u, bits_of(__fmul_rn(0.5f, f32_of_u32(v113))), 0x3f000000u + (v113 << 22u)) | ((v81 >> 3u) << 31u)), f32_of_f16(v210), v208);
            const u64 v212 = v42 + v116;
            const u32 v213 = (v212 < x_len) ? x[v212] : 0u;
            const f32 v214 = __fmaf_rn(f32_of(pick(v114 < 2u, bits_of(__fmul_rn(0.5f, f32_of_u32(v114))), 0x3f000000u + (v114 << 22u)) | ((v82 >> 3u) << 31u)), f32_of_f16(v213), v211);
            const u64 v215 = v43 + v116;
            const u32 v216 = (v215 < x_len) ? x[v215] : 0u;
            const f32 v217 = __fmaf_rn(f32_of(pick(v115 < 2u, bits_of(__fmul_rn(0.5f, f32_of_u32(v115))), 0x3f000000u + (v115 << 22u)) | ((v83 >> 3u) << 31u)), f32_of_f16(v216), v214);
            const u64 v218 = v27 + (u64)((16u + v44) >> 4u);
            const u32 v219 = (v218 < scales_len) ? scales[v218] : 0u;
            const u32 v220 = v219;
            const u32 v221 = 127u & v220;
            const u32 v222 = pick(v221 < 8u, canonical(__fsub_rn(f32_of(0x46800000u | v221), 16384.0f)), 0x3c000000u + (v221 << 20u)) | ((128u & v220) << 24u);
            const f32 v223 = __fmaf_rn(v217, f32_of(pick(127u == v221, 0x7fc00000u, v222)), __fmaf_rn(v164, f32_of(pick(127u == v168, 0x7fc00000u, v169)), acc));
            acc = v223;
        }
    }
    const u32 v224 = 32u * v9;
    if (v8 == (v9 & 31u)) {
        if (v224 < v7) {
            bool i_1_goes = true;
            for (u32 i_1 = v224; i_1_goes; i_1_goes = v7 - i_1 > 16u, i_1 += 16u) {
                s_3 = (-0.0f);
                const u32 v225 = min_of(v7, 16u + i_1);
                for (u32 i_2 = i_1; i_2 < v225; i_2 += 1u) {
                    const u64 v226 = v5 + (u64)i_2;
                    const u32 v227 = (v226 < x_len) ? x[v226] : 0u;
                    const u32 v228 = 4u * (31u & i_2);
                    const u64 v229 = v11 + (u64)((4u * (i_2 >> 5u)) + (v228 >> 5u));
                    const u32 v230 = (v229 < codes_len) ? codes[v229] : 0u;
                    const u32 v231 = 15u & (v230 >> ((31u & v228) & 31u));
                    const u32 v232 = 7u & v231;
                    const f32 v233 = __fmaf_rn(f32_of_f16(v227), f32_of(pick(v232 < 2u, bits_of(__fmul_rn(0.5f, f32_of_u32(v232))), 0x3f000000u + (v232 << 22u)) | ((v231 >> 3u) << 31u)), s_3);
                    s_3 = v233;
                }
                const u64 v234 = v27 + (u64)(i_1 >> 4u);
                const u32 v235 = (v234 < scales_len) ? scales[v234] : 0u;
                const u32 v236 = v235;
                const u32 v237 = v236 & 127u;
                const u32 v238 = pick(v237 < 8u, canonical(__fsub_rn(f32_of(v237 | 0x46800000u), 16384.0f)), (v237 << 20u) + 0x3c000000u) | ((v236 & 128u) << 24u);
                acc = __fmaf_rn(f32_of(pick(127u == v237, 0x7fc00000u, v238)), s_3, acc);
            }
        }
    }
    const f32 v239 = acc;
    const f32 v240 = shuffle_xor(v239, 1u);
    const f32 v241 = __fadd_rn(v239, v240);
    const f32 v242 = shuffle_xor(v241, 2u);
    const f32 v243 = __fadd_rn(v241, v242);
    const f32 v244 = shuffle_xor(v243, 4u);
    const f32 v245 = __fadd_rn(v243, v244);
    const f32 v246 = shuffle_xor(v245, 8u);
    const f32 v247 = __fadd_rn(v245, v246);
    const f32 v248 = shuffle_xor(v247, 16u);
    const f32 v249 = shuffle(__fadd_rn(v247, v248), 0u);
    const u32 v250 = div_u32(min_of(v3, v0 - 1u), div_u32(v0, parts));
    const f32 v251 = (v250 < global_len) ? global_1[v250] : 0.0f;
    const f32 v252 = __fmul_rn(v249, v251);
    if (v6 && (0u == (threadIdx.x % 32u))) {
        if (v3 < v2) {
            const u64 v253 = v10 + (v4 * (u64)v2);
            if (v253 < y_len) {
                y[v253] = (u16)canonical_f16(f16_of_f32(v252));
            }
        }
    }
}
