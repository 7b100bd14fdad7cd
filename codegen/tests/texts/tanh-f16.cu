extern "C" __global__ __launch_bounds__(256)
void tanh(
    const u16* __restrict__ x,
    u16* y,
    u32 first_x,
    u32 n,
    u64 x_len,
    u64 y_len) {
    const u32 v0 = n;
    const u32 v1 = ((first_x + blockIdx.x) * 256u + threadIdx.x) * 4u;
    if (v1 < v0) {
        if ((v0 - v1) >= 4u) {
            const bool v2 = (u64)v1 + 3 < x_len;
            const u32x2 v3 = v2 ? *(const u32x2*)(x + v1) : u32x2_of(0u, 0u);
            const u32 v4 = v3.x & 0xffffu;
            const u32 v5 = v3.x >> 16u;
            const u32 v6 = v3.y & 0xffffu;
            const u32 v7 = v3.y >> 16u;
            const f32 v8 = f32_of_f16(v4);
            const f32 v9 = fabsf(v8);
            const f32 v10 = pick(v9 < 9.2f, v9, 9.2f);
            const f32 v11 = __fadd_rn(v10, v10);
            const f32 v12 = __fmaf_rn(v11, 1.442695f, 12582912.0f);
            const f32 v13 = -__fsub_rn(v12, 12582912.0f);
            const f32 v14 = __fmaf_rn(v13, (-1.9046542e-9f), __fmaf_rn(v13, 0.6931472f, v11));
            const f32 v15 = __fmaf_rn(v14, __fmaf_rn(v14, __fmaf_rn(v14, __fmaf_rn(v14, 0.0013782458f, 0.008368669f), 0.041668963f), 0.16666521f), 0.4999999f);
            const f32 v16 = __fadd_rn(1.0f, f32_of((canonical(v12) << 23u) + canonical(__fmaf_rn(v14, __fmaf_rn(v14, v15, 1.0f), 1.0f))));
            const f32 v17 = f32_of(0x7ef311c7u - canonical(v16));
            const f32 v18 = -v16;
            const f32 v19 = __fmaf_rn(v17, v18, 1.0f);
            const f32 v20 = __fmaf_rn(v17, __fmaf_rn(v19, v19, v19), v17);
            const f32 v21 = __fmaf_rn(v18, v20, 1.0f);
            const f32 v22 = __fmul_rn(v9, v9);
            const f32 v23 = __fmaf_rn(v22, __fmaf_rn(v22, __fmaf_rn(v22, __fmaf_rn(v22, (-0.005700092f), 0.020634118f), (-0.05373794f)), 0.13331416f), (-0.3333328f));
            const f32 v24 = pick(v9 < 0.625f, __fmaf_rn(v23, __fmul_rn(v9, v22), v9), __fmaf_rn(__fmaf_rn(v20, __fmaf_rn(v21, v21, v21), v20), (-2.0f), 1.0f));
            const u32 v25 = bits_of(v8);
            const u32 v26 = v25 & 0x7fffffffu;
            const f32 v27 = f32_of_f16(v5);
            const f32 v28 = fabsf(v27);
            const f32 v29 = pick(v28 < 9.2f, v28, 9.2f);
            const f32 v30 = __fadd_rn(v29, v29);
            const f32 v31 = __fmaf_rn(1.442695f, v30, 12582912.0f);
            const f32 v32 = -__fsub_rn(v31, 12582912.0f);
            const f32 v33 = __fmaf_rn((-1.9046542e-9f), v32, __fmaf_rn(0.6931472f, v32, v30));
            const f32 v34 = __fmaf_rn(v33, __fmaf_rn(v33, __fmaf_rn(v33, __fmaf_rn(0.0013782458f, v33, 0.008368669f), 0.041668963f), 0.16666521f), 0.4999999f);
            const f32 v35 = __fadd_rn(1.0f, f32_of((canonical(v31) << 23u) + canonical(__fmaf_rn(v33, __fmaf_rn(v33, v34, 1.0f), 1.0f))));
            const f32 v36 = f32_of(0x7ef311c7u - canonical(v35));
            const f32 v37 = -v35;
            const f32 v38 = __fmaf_rn(v36, v37, 1.0f);
            const f32 v39 = __fmaf_rn(v36, __fmaf_rn(v38, v38, v38), v36);
            const f32 v40 = __fmaf_rn(v37, v39, 1.0f);
            const f32 v41 = __fmul_rn(v28, v28);
            const f32 v42 = __fmaf_rn(v41, __fmaf_rn(v41, __fmaf_rn(v41, __fmaf_rn((-0.005700092f), v41, 0.020634118f), (-0.05373794f)), 0.13331416f), (-0.3333328f));
            const f32 v43 = pick(v28 < 0.625f, __fmaf_rn(v42, __fmul_rn(v28, v41), v28), __fmaf_rn((-2.0f), __fmaf_rn(v39, __fmaf_rn(v40, v40, v40), v39), 1.0f));
            const u32 v44 = bits_of(v27);
            const u32 v45 = 0x7fffffffu & v44;
            const f32 v46 = f32_of_f16(v6);
            const f32 v47 = fabsf(v46);
            const f32 v48 = pick(v47 < 9.2f, v47, 9.2f);
            const f32 v49 = __fadd_rn(v48, v48);
            const f32 v50 = __fmaf_rn(1.442695f, v49, 12582912.0f);
            const f32 v51 = -__fsub_rn(v50, 12582912.0f);
            const f32 v52 = __fmaf_rn((-1.9046542e-9f), v51, __fmaf_rn(0.6931472f, v51, v49));
            const f32 v53 = __fmaf_rn(v52, __fmaf_rn(v52, __fmaf_rn(v52, __fmaf_rn(0.0013782458f, v52, 0.008368669f), 0.041668963f), 0.16666521f), 0.4999999f);
            const f32 v54 = __fadd_rn(1.0f, f32_of((canonical(v50) << 23u) + canonical(__fmaf_rn(v52, __fmaf_rn(v52, v53, 1.0f), 1.0f))));
            const f32 v55 = f32_of(0x7ef311c7u - canonical(v54));
            const f32 v56 = -v54;
            const f32 v57 = __fmaf_rn(v55, v56, 1.0f);
            const f32 v58 = __fmaf_rn(v55, __fmaf_rn(v57, v57, v57), v55);
            const f32 v59 = __fmaf_rn(v56, v58, 1.0f);
            const f32 v60 = __fmul_rn(v47, v47);
            const f32 v61 = __fmaf_rn(v60, __fmaf_rn(v60, __fmaf_rn(v60, __fmaf_rn((-0.005700092f), v60, 0.020634118f), (-0.05373794f)), 0.13331416f), (-0.3333328f));
            const f32 v62 = pick(v47 < 0.625f, __fmaf_rn(v61, __fmul_rn(v47, v60), v47), __fmaf_rn((-2.0f), __fmaf_rn(v58, __fmaf_rn(v59, v59, v59), v58), 1.0f));
            const u32 v63 = bits_of(v46);
            const u32 v64 = 0x7fffffffu & v63;
            const f32 v65 = f32_of_f16(v7);
            const f32 v66 = fabsf(v65);
            const f32 v67 = pick(v66 < 9.2f, v66, 9.2f);
            const f32 v68 = __fadd_rn(v67, v67);
            const f32 v69 = __fmaf_rn(1.442695f, v68, 12582912.0f);
            const f32 v70 = -__fsub_rn(v69, 12582912.0f);
            const f32 v71 = __fmaf_rn((-1.9046542e-9f), v70, __fmaf_rn(0.6931472f, v70, v68));
            const f32 v72 = __fmaf_rn(v71, __fmaf_rn(v71, __fmaf_rn(v71, __fmaf_rn(0.0013782458f, v71, 0.008368669f), 0.041668963f), 0.16666521f), 0.4999999f);
            const f32 v73 = __fadd_rn(1.0f, f32_of((canonical(v69) << 23u) + canonical(__fmaf_rn(v71, __fmaf_rn(v71, v72, 1.0f), 1.0f))));
            const f32 v74 = f32_of(0x7ef311c7u - canonical(v73));
            const f32 v75 = -v73;
            const f32 v76 = __fmaf_rn(v74, v75, 1.0f);
            const f32 v77 = __fmaf_rn(v74, __fmaf_rn(v76, v76, v76), v74);
            const f32 v78 = __fmaf_rn(v75, v77, 1.0f);
            const f32 v79 = __fmul_rn(v66, v66);
            const f32 v80 = __fmaf_rn(v79, __fmaf_rn(v79, __fmaf_rn(v79, __fmaf_rn((-0.005700092f), v79, 0.020634118f), (-0.05373794f)), 0.13331416f), (-0.3333328f));
            const f32 v81 = pick(v66 < 0.625f, __fmaf_rn(v80, __fmul_rn(v66, v79), v66), __fmaf_rn((-2.0f), __fmaf_rn(v77, __fmaf_rn(v78, v78, v78), v77), 1.0f));
            const u32 v82 = bits_of(v65);
            const u32 v83 = 0x7fffffffu & v82;
            if ((u64)v1 + 3 < y_len) {
                *(u32x2*)(y + v1) = u32x2_of((canonical_f16(f16_of_f32(f32_of(pick(v8 != v8, 0x7fc00000u, pick(v26 < 0x39000000u, v26, canonical(v24)) ^ (v25 & 0x80000000u))))) & 0xffffu) | canonical_f16(f16_of_f32(f32_of(pick(v27 != v27, 0x7fc00000u, pick(v45 < 0x39000000u, v45, canonical(v43)) ^ (0x80000000u & v44))))) << 16u, (canonical_f16(f16_of_f32(f32_of(pick(v46 != v46, 0x7fc00000u, pick(v64 < 0x39000000u, v64, canonical(v62)) ^ (0x80000000u & v63))))) & 0xffffu) | canonical_f16(f16_of_f32(f32_of(pick(v65 != v65, 0x7fc00000u, pick(v83 < 0x39000000u, v83, canonical(v81)) ^ (0x80000000u & v82))))) << 16u);
            }
        } else {
            for (u32 i = v1; i < v0; i += 1u) {
                const u32 v84 = (i < x_len) ? x[i] : 0u;
                const f32 v85 = f32_of_f16(v84);
                const f32 v86 = fabsf(v85);
                const f32 v87 = pick(v86 < 9.2f, v86, 9.2f);
                const f32 v88 = __fadd_rn(v87, v87);
                const f32 v89 = __fmaf_rn(v88, 1.442695f, 12582912.0f);
                const f32 v90 = -__fsub_rn(v89, 12582912.0f);
                const f32 v91 = __fmaf_rn(v90, (-1.9046542e-9f), __fmaf_rn(v90, 0.6931472f, v88));
                const f32 v92 = __fmaf_rn(v91, __fmaf_rn(v91, __fmaf_rn(v91, __fmaf_rn(v91, 0.0013782458f, 0.008368669f), 0.041668963f), 0.16666521f), 0.4999999f);
                const f32 v93 = __fadd_rn(1.0f, f32_of((canonical(v89) << 23u) + canonical(__fmaf_rn(v91, __fmaf_rn(v91, v92, 1.0f), 1.0f))));
                const f32 v94 = f32_of(0x7ef311c7u - canonical(v93));
                const f32 v95 = -v93;
                const f32 v96 = __fmaf_rn(v94, v95, 1.0f);
                const f32 v97 = __fmaf_rn(v94, __fmaf_rn(v96, v96, v96), v94);
                const f32 v98 = __fmaf_rn(v95, v97, 1.0f);
                const f32 v99 = __fmul_rn(v86, v86);
                const f32 v100 = __fmaf_rn(v99, __fmaf_rn(v99, __fmaf_rn(v99, __fmaf_rn(v99, (-0.005700092f), 0.020634118f), (-0.05373794f)), 0.13331416f), (-0.3333328f));
                const f32 v101 = pick(v86 < 0.625f, __fmaf_rn(v100, __fmul_rn(v86, v99), v86), __fmaf_rn(__fmaf_rn(v97, __fmaf_rn(v98, v98, v98), v97), (-2.0f), 1.0f));
                const u32 v102 = bits_of(v85);
                const u32 v103 = v102 & 0x7fffffffu;
                const u32 v104 = f16_of_f32(f32_of(pick(v85 != v85, 0x7fc00000u, pick(v103 < 0x39000000u, v103, canonical(v101)) ^ (v102 & 0x80000000u))));
                if (i < y_len) {
                    y[i] = (u16)canonical_f16(v104);
                }
            }
        }
    }
}
