extern "C" __global__ __launch_bounds__(256)
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
    const u32 v4 = ((first_x + blockIdx.x) * 8u) + (threadIdx.x / 32u);
    const u32 v5 = threadIdx.x % 32u;
    const bool v6 = v4 < v2;
    const u32 v7 = v6 ? v3 : 0u;
    const u64 v8 = (u64)v4;
    const u64 v9 = v8 * (u64)(((v3 + 31u) >> 5u) * 4u);
    const u64 v10 = v8 * (u64)((v3 + 15u) >> 4u);
    const u64 v11 = (u64)(first_y + blockIdx.y);
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
            const f32 v58 = __fmul_rn(f32_of_f16(v55), f32_of(((v57 < 2u) ? canonical(__fmul_rn(0.5f, f32_of_u32(v57))) : (0x3f000000u + (v57 << 22u))) | ((v56 >> 3u) << 31u)));
            const u64 v59 = v14 + v53;
            const u32 v60 = (v59 < x_len) ? x[v59] : 0u;
            const u32 v61 = 15u & (v48 >> 4u);
            const u32 v62 = 7u & v61;
            const f32 v63 = __fmaf_rn(f32_of_f16(v60), f32_of(((v62 < 2u) ? canonical(__fmul_rn(0.5f, f32_of_u32(v62))) : (0x3f000000u + (v62 << 22u))) | ((v61 >> 3u) << 31u)), v58);
            const u64 v64 = v15 + v53;
            const u32 v65 = (v64 < x_len) ? x[v64] : 0u;
            const u32 v66 = 15u & (v48 >> 8u);
            const u32 v67 = 7u & v66;
            const f32 v68 = __fmaf_rn(f32_of_f16(v65), f32_of(((v67 < 2u) ? canonical(__fmul_rn(0.5f, f32_of_u32(v67))) : (0x3f000000u + (v67 << 22u))) | ((v66 >> 3u) << 31u)), v63);
            const u64 v69 = v16 + v53;
            const u32 v70 = (v69 < x_len) ? x[v69] : 0u;
            const u32 v71 = 15u & (v48 >> 12u);
            const u32 v72 = 7u & v71;
            const f32 v73 = __fmaf_rn(f32_of_f16(v70), f32_of(((v72 < 2u) ? canonical(__fmul_rn(0.5f, f32_of_u32(v72))) : (0x3f000000u + (v72 << 22u))) | ((v71 >> 3u) << 31u)), v68);
            const u64 v74 = v17 + v53;
            const u32 v75 = (v74 < x_len) ? x[v74] : 0u;
            const u32 v76 = 15u & (v48 >> 16u);
            const u32 v77 = 7u & v76;
            const f32 v78 = __fmaf_rn(f32_of_f16(v75), f32_of(((v77 < 2u) ? canonical(__fmul_rn(0.5f, f32_of_u32(v77))) : (0x3f000000u + (v77 << 22u))) | ((v76 >> 3u) << 31u)), v73);
            const u64 v79 = v18 + v53;
            const u32 v80 = (v79 < x_len) ? x[v79] : 0u;
            const u32 v81 = 15u & (v48 >> 20u);
            const u32 v82 = 7u & v81;
            const f32 v83 = __fmaf_rn(f32_of_f16(v80), f32_of(((v82 < 2u) ? canonical(__fmul_rn(0.5f, f32_of_u32(v82))) : (0x3f000000u + (v82 << 22u))) | ((v81 >> 3u) << 31u)), v78);
            const u64 v84 = v19 + v53;
            const u32 v85 = (v84 < x_len) ? x[v84] : 0u;
            const u32 v86 = 15u & (v48 >> 24u);
            const u32 v87 = 7u & v86;
            const f32 v88 = __fmaf_rn(f32_of_f16(v85), f32_of(((v87 < 2u) ? canonical(__fmul_rn(0.5f, f32_of_u32(v87))) : (0x3f000000u + (v87 << 22u))) | ((v86 >> 3u) << 31u)), v83);
            const u64 v89 = v20 + v53;
            const u32 v90 = (v89 < x_len) ? x[v89] : 0u;
            const u32 v91 = v48 >> 28u;
            const u32 v92 = 7u & v91;
            const f32 v93 = __fmaf_rn(f32_of_f16(v90), f32_of(((v92 < 2u) ? canonical(__fmul_rn(0.5f, f32_of_u32(v92))) : (0x3f000000u + (v92 << 22u))) | ((v91 >> 3u) << 31u)), v88);
            const u64 v94 = v21 + v53;
            const u32 v95 = (v94 < x_len) ? x[v94] : 0u;
            const u32 v96 = 15u & v49;
            const u32 v97 = 7u & v96;
            const f32 v98 = __fmaf_rn(f32_of_f16(v95), f32_of(((v97 < 2u) ? canonical(__fmul_rn(0.5f, f32_of_u32(v97))) : (0x3f000000u + (v97 << 22u))) | ((v96 >> 3u) << 31u)), v93);
            const u64 v99 = v22 + v53;
            const u32 v100 = (v99 < x_len) ? x[v99] : 0u;
            const u32 v101 = 15u & (v49 >> 4u);
            const u32 v102 = 7u & v101;
            const f32 v103 = f32_of(((v102 < 2u) ? canonical(__fmul_rn(0.5f, f32_of_u32(v102))) : (0x3f000000u + (v102 << 22u))) | ((v101 >> 3u) << 31u));
            const u64 v104 = v23 + v53;
            const u32 v105 = (v104 < x_len) ? x[v104] : 0u;
            const u32 v106 = 15u & (v49 >> 8u);
            const u32 v107 = 7u & v106;
            const f32 v108 = f32_of(((v107 < 2u) ? canonical(__fmul_rn(0.5f, f32_of_u32(v107))) : (0x3f000000u + (v107 << 22u))) | ((v106 >> 3u) << 31u));
            const u64 v109 = v24 + v53;
            const u32 v110 = (v109 < x_len) ? x[v109] : 0u;
            const u32 v111 = 15u & (v49 >> 12u);
            const u32 v112 = 7u & v111;
            const f32 v113 = f32_of(((v112 < 2u) ? canonical(__fmul_rn(0.5f, f32_of_u32(v112))) : (0x3f000000u + (v112 << 22u))) | ((v111 >> 3u) << 31u));
            const u64 v114 = v25 + v53;
            const u32 v115 = (v114 < x_len) ? x[v114] : 0u;
            const u32 v116 = 15u & (v49 >> 16u);
            const u32 v117 = 7u & v116;
            const f32 v118 = f32_of(((v117 < 2u) ? canonical(__fmul_rn(0.5f, f32_of_u32(v117))) : (0x3f000000u + (v117 << 22u))) | ((v116 >> 3u) << 31u));
            const f32 v119 = __fmaf_rn(f32_of_f16(v115), v118, __fmaf_rn(f32_of_f16(v110), v113, __fmaf_rn(f32_of_f16(v105), v108, __fmaf_rn(f32_of_f16(v100), v103, v98))));
            const u64 v120 = v26 + v53;
            const u32 v121 = (v120 < x_len) ? x[v120] : 0u;
            const u32 v122 = 15u & (v49 >> 20u);
            const u32 v123 = 7u & v122;
            const f32 v124 = f32_of(((v123 < 2u) ? canonical(__fmul_rn(0.5f, f32_of_u32(v123))) : (0x3f000000u + (v123 << 22u))) | ((v122 >> 3u) << 31u));
            const u64 v125 = v27 + v53;
            const u32 v126 = (v125 < x_len) ? x[v125] : 0u;
            const u32 v127 = 15u & (v49 >> 24u);
            const u32 v128 = 7u & v127;
            const f32 v129 = f32_of(((v128 < 2u) ? canonical(__fmul_rn(0.5f, f32_of_u32(v128))) : (0x3f000000u + (v128 << 22u))) | ((v127 >> 3u) << 31u));
            const u64 v130 = v28 + v53;
            const u32 v131 = (v130 < x_len) ? x[v130] : 0u;
            const u32 v132 = v49 >> 28u;
            const u32 v133 = 7u & v132;
            const f32 v134 = f32_of(((v133 < 2u) ? canonical(__fmul_rn(0.5f, f32_of_u32(v133))) : (0x3f000000u + (v133 << 22u))) | ((v132 >> 3u) << 31u));
            const u64 v135 = v10 + (u64)(v52 >> 4u);
            const u32 v136 = (v135 < scales_len) ? scales[v135] : 0u;
            const u32 v137 = v136;
            const u32 v138 = v137 & 127u;
            const u32 v139 = ((v138 < 8u) ? canonical(__fsub_rn(f32_of(v138 | 0x46800000u), 16384.0f)) : ((v138 << 20u) + 0x3c000000u)) | ((v137 & 128u) << 24u);
            const f32 v140 = __fmaf_rn(__fmaf_rn(f32_of_f16(v131), v134, __fmaf_rn(f32_of_f16(v126), v129, __fmaf_rn(f32_of_f16(v121), v124, v119))), f32_of((127u == v138) ? 0x7fc00000u : v139), acc);
            const u64 v141 = v29 + v53;
            const u32 v142 = (v141 < x_len) ? x[v141] : 0u;
            const u32 v143 = 15u & v50;
            const u32 v144 = 7u & v143;
            const f32 v145 = f32_of(((v144 < 2u) ? canonical(__fmul_rn(0.5f, f32_of_u32(v144))) : (0x3f000000u + (v144 << 22u))) | ((v143 >> 3u) << 31u));
            const u64 v146 = v30 + v53;
            const u32 v147 = (v146 < x_len) ? x[v146] : 0u;
            const u32 v148 = 15u & (v50 >> 4u);
            const u32 v149 = 7u & v148;
            const f32 v150 = f32_of(((v149 < 2u) ? canonical(__fmul_rn(0.5f, f32_of_u32(v149))) : (0x3f000000u + (v149 << 22u))) | ((v148 >> 3u) << 31u));
            const u64 v151 = v31 + v53;
            const u32 v152 = (v151 < x_len) ? x[v151] : 0u;
            const u32 v153 = 15u & (v50 >> 8u);
            const u32 v154 = 7u & v153;
            const f32 v155 = f32_of(((v154 < 2u) ? canonical(__fmul_rn(0.5f, f32_of_u32(v154))) : (0x3f000000u + (v154 << 22u))) | ((v153 >> 3u) << 31u));
            const u64 v156 = v32 + v53;
            const u32 v157 = (v156 < x_len) ? x[v156] : 0u;
            const u32 v158 = 15u & (v50 >> 12u);
            const u32 v159 = 7u & v158;
            const f32 v160 = f32_of(((v159 < 2u) ? canonical(__fmul_rn(0.5f, f32_of_u32(v159))) : (0x3f000000u + (v159 << 22u))) | ((v158 >> 3u) << 31u));
            const f32 v161 = __fmaf_rn(f32_of_f16(v157), v160, __fmaf_rn(f32_of_f16(v152), v155, __fmaf_rn(f32_of_f16(v147), v150, __fmul_rn(f32_of_f16(v142), v145))));
            const u64 v162 = v33 + v53;
            const u32 v163 = (v162 < x_len) ? x[v162] : 0u;
            const u32 v164 = 15u & (v50 >> 16u);
            const u32 v165 = 7u & v164;
            const f32 v166 = f32_of(((v165 < 2u) ? canonical(__fmul_rn(0.5f, f32_of_u32(v165))) : (0x3f000000u + (v165 << 22u))) | ((v164 >> 3u) << 31u));
            const u64 v167 = v34 + v53;
            const u32 v168 = (v167 < x_len) ? x[v167] : 0u;
            const u32 v169 = 15u & (v50 >> 20u);
            const u32 v170 = 7u & v169;
            const f32 v171 = f32_of(((v170 < 2u) ? canonical(__fmul_rn(0.5f, f32_of_u32(v170))) : (0x3f000000u + (v170 << 22u))) | ((v169 >> 3u) << 31u));
            const u64 v172 = v35 + v53;
            const u32 v173 = (v172 < x_len) ? x[v172] : 0u;
            const u32 v174 = 15u & (v50 >> 24u);
            const u32 v175 = 7u & v174;
            const f32 v176 = f32_of(((v175 < 2u) ? canonical(__fmul_rn(0.5f, f32_of_u32(v175))) : (0x3f000000u + (v175 << 22u))) | ((v174 >> 3u) << 31u));
            const u64 v177 = v36 + v53;
            const u32 v178 = (v177 < x_len) ? x[v177] : 0u;
            const u32 v179 = v50 >> 28u;
            const u32 v180 = 7u & v179;
            const f32 v181 = f32_of(((v180 < 2u) ? canonical(__fmul_rn(0.5f, f32_of_u32(v180))) : (0x3f000000u + (v180 << 22u))) | ((v179 >> 3u) << 31u));
            const f32 v182 = __fmaf_rn(f32_of_f16(v178), v181, __fmaf_rn(f32_of_f16(v173), v176, __fmaf_rn(f32_of_f16(v168), v171, __fmaf_rn(f32_of_f16(v163), v166, v161))));
            const u64 v183 = v37 + v53;
            const u32 v184 = (v183 < x_len) ? x[v183] : 0u;
            const u32 v185 = 15u & v51;
            const u32 v186 = 7u & v185;
            const f32 v187 = f32_of(((v186 < 2u) ? canonical(__fmul_rn(0.5f, f32_of_u32(v186))) : (0x3f000000u + (v186 << 22u))) | ((v185 >> 3u) << 31u));
            const u64 v188 = v38 + v53;
            const u32 v189 = (v188 < x_len) ? x[v188] : 0u;
            const u32 v190 = 15u & (v51 >> 4u);
            const u32 v191 = 7u & v190;
            const f32 v192 = f32_of(((v191 < 2u) ? canonical(__fmul_rn(0.5f, f32_of_u32(v191))) : (0x3f000000u + (v191 << 22u))) | ((v190 >> 3u) << 31u));
            const u64 v193 = v39 + v53;
            const u32 v194 = (v193 < x_len) ? x[v193] : 0u;
            const u32 v195 = 15u & (v51 >> 8u);
            const u32 v196 = 7u & v195;
            const f32 v197 = f32_of(((v196 < 2u) ? canonical(__fmul_rn(0.5f, f32_of_u32(v196))) : (0x3f000000u + (v196 << 22u))) | ((v195 >> 3u) << 31u));
            const u64 v198 = v40 + v53;
            const u32 v199 = (v198 < x_len) ? x[v198] : 0u;
            const u32 v200 = 15u & (v51 >> 12u);
            const u32 v201 = 7u & v200;
            const f32 v202 = f32_of(((v201 < 2u) ? canonical(__fmul_rn(0.5f, f32_of_u32(v201))) : (0x3f000000u + (v201 << 22u))) | ((v200 >> 3u) << 31u));
            const f32 v203 = __fmaf_rn(f32_of_f16(v199), v202, __fmaf_rn(f32_of_f16(v194), v197, __fmaf_rn(f32_of_f16(v189), v192, __fmaf_rn(f32_of_f16(v184), v187, v182))));
            const u64 v204 = v41 + v53;
            const u32 v205 = (v204 < x_len) ? x[v204] : 0u;
            const u32 v206 = 15u & (v51 >> 16u);
            const u32 v207 = 7u & v206;
            const f32 v208 = f32_of(((v207 < 2u) ? canonical(__fmul_rn(0.5f, f32_of_u32(v207))) : (0x3f000000u + (v207 << 22u))) | ((v206 >> 3u) << 31u));
            const u64 v209 = v42 + v53;
            const u32 v210 = (v209 < x_len) ? x[v209] : 0u;
            const u32 v211 = 15u & (v51 >> 20u);
            const u32 v212 = 7u & v211;
            const f32 v213 = f32_of(((v212 < 2u) ? canonical(__fmul_rn(0.5f, f32_of_u32(v212))) : (0x3f000000u + (v212 << 22u))) | ((v211 >> 3u) << 31u));
            const u64 v214 = v43 + v53;
            const u32 v215 = (v214 < x_len) ? x[v214] : 0u;
            const u32 v216 = 15u & (v51 >> 24u);
            const u32 v217 = 7u & v216;
            const f32 v218 = f32_of(((v217 < 2u) ? canonical(__fmul_rn(0.5f, f32_of_u32(v217))) : (0x3f000000u + (v217 << 22u))) | ((v216 >> 3u) << 31u));
            const u64 v219 = v44 + v53;
            const u32 v220 = (v219 < x_len) ? x[v219] : 0u;
            const u32 v221 = v51 >> 28u;
            const u32 v222 = 7u & v221;
            const f32 v223 = f32_of(((v222 < 2u) ? canonical(__fmul_rn(0.5f, f32_of_u32(v222))) : (0x3f000000u + (v222 << 22u))) | ((v221 >> 3u) << 31u));
            const f32 v224 = __fmaf_rn(f32_of_f16(v220), v223, __fmaf_rn(f32_of_f16(v215), v218, __fmaf_rn(f32_of_f16(v210), v213, __fmaf_rn(f32_of_f16(v205), v208, v203))));
            const u64 v225 = v10 + (u64)((16u + v52) >> 4u);
            const u32 v226 = (v225 < scales_len) ? scales[v225] : 0u;
            const u32 v227 = v226;
            const u32 v228 = 127u & v227;
            const u32 v229 = ((v228 < 8u) ? canonical(__fsub_rn(f32_of(0x46800000u | v228), 16384.0f)) : (0x3c000000u + (v228 << 20u))) | ((128u & v227) << 24u);
            acc = __fmaf_rn(v224, f32_of((127u == v228) ? 0x7fc00000u : v229), v140);
        }
    }
    const u32 v230 = 32u * v13;
    if (v5 == (31u & v13)) {
        if (v230 < v7) {
            s_3 = (-0.0f);
            const u32 v231 = min_of(v7, 16u + v230);
            for (u32 i_1 = v230; i_1 < v231; i_1 += 1u) {
                const u64 v232 = v12 + (u64)i_1;
                const u32 v233 = (v232 < x_len) ? x[v232] : 0u;
                const u32 v234 = 4u * (31u & i_1);
                const u64 v235 = v9 + (u64)((4u * (i_1 >> 5u)) + (v234 >> 5u));
                const u32 v236 = (v235 < codes_len) ? codes[v235] : 0u;
                const u32 v237 = 15u & (v236 >> ((31u & v234) & 31u));
                const u32 v238 = 7u & v237;
                const f32 v239 = f32_of(((v238 < 2u) ? canonical(__fmul_rn(0.5f, f32_of_u32(v238))) : (0x3f000000u + (v238 << 22u))) | ((v237 >> 3u) << 31u));
                s_3 = __fmaf_rn(f32_of_f16(v233), v239, s_3);
            }
            const u64 v240 = v10 + (u64)(v230 >> 4u);
            const u32 v241 = (v240 < scales_len) ? scales[v240] : 0u;
            const u32 v242 = v241;
            const u32 v243 = v242 & 127u;
            const u32 v244 = ((v243 < 8u) ? canonical(__fsub_rn(f32_of(v243 | 0x46800000u), 16384.0f)) : ((v243 << 20u) + 0x3c000000u)) | ((v242 & 128u) << 24u);
            acc = __fmaf_rn(s_3, f32_of((127u == v243) ? 0x7fc00000u : v244), acc);
        }
        const u32 v245 = 16u + v230;
        if (v245 < v7) {
            s_4 = (-0.0f);
            const u32 v246 = min_of(v7, 32u + v230);
            for (u32 i_2 = v245; i_2 < v246; i_2 += 1u) {
                const u64 v247 = v12 + (u64)i_2;
                const u32 v248 = (v247 < x_len) ? x[v247] : 0u;
                const u32 v249 = 4u * (31u & i_2);
                const u64 v250 = v9 + (u64)((4u * (i_2 >> 5u)) + (v249 >> 5u));
                const u32 v251 = (v250 < codes_len) ? codes[v250] : 0u;
                const u32 v252 = 15u & (v251 >> ((31u & v249) & 31u));
                const u32 v253 = 7u & v252;
                const f32 v254 = f32_of(((v253 < 2u) ? canonical(__fmul_rn(0.5f, f32_of_u32(v253))) : (0x3f000000u + (v253 << 22u))) | ((v252 >> 3u) << 31u));
                s_4 = __fmaf_rn(f32_of_f16(v248), v254, s_4);
            }
            const u64 v255 = v10 + (u64)(v245 >> 4u);
            const u32 v256 = (v255 < scales_len) ? scales[v255] : 0u;
            const u32 v257 = v256;
            const u32 v258 = v257 & 127u;
            const u32 v259 = ((v258 < 8u) ? canonical(__fsub_rn(f32_of(v258 | 0x46800000u), 16384.0f)) : ((v258 << 20u) + 0x3c000000u)) | ((v257 & 128u) << 24u);
            acc = __fmaf_rn(s_4, f32_of((127u == v258) ? 0x7fc00000u : v259), acc);
        }
    }
    const f32 v260 = acc;
    const f32 v261 = shuffle_xor(v260, 1u);
    const f32 v262 = __fadd_rn(v260, v261);
    const f32 v263 = shuffle_xor(v262, 2u);
    const f32 v264 = __fadd_rn(v262, v263);
    const f32 v265 = shuffle_xor(v264, 4u);
    const f32 v266 = __fadd_rn(v264, v265);
    const f32 v267 = shuffle_xor(v266, 8u);
    const f32 v268 = __fadd_rn(v266, v267);
    const f32 v269 = shuffle_xor(v268, 16u);
    const f32 v270 = shuffle(__fadd_rn(v268, v269), 0u);
    if (v6 && (0u == v5)) {
        const u32 v271 = div_u32(v4, div_u32(v0, v1));
        const f32 v272 = (v271 < global_len) ? global_1[v271] : 0.0f;
        const u64 v273 = v8 + (v11 * (u64)v2);
        if (v273 < y_len) {
            y[v273] = (u16)canonical_f16(f16_of_f32(__fmul_rn(v270, v272)));
        }
    }
}
