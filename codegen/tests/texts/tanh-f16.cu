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
            const f32 v10 = (v9 < 9.2f) ? v9 : 9.2f;
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
            const f32 v24 = (v9 < 0.625f) ? __fmaf_rn(v23, __fmul_rn(v9, v22), v9) : __fmaf_rn(__fmaf_rn(v20, __fmaf_rn(v21, v21, v21), v20), (-2.0f), 1.0f);
            const u32 v25 = canonical(v8);
            const u32 v26 = v25 & 0x7fffffffu;
            const u32 v27 = f16_of_f32(f32_of((v26 > 0x7f800000u) ? 0x7fc00000u : (((v26 < 0x39000000u) ? v26 : canonical(v24)) ^ (v25 & 0x80000000u))));
            const f32 v28 = f32_of_f16(v5);
            const f32 v29 = fabsf(v28);
            const f32 v30 = (v29 < 9.2f) ? v29 : 9.2f;
            const f32 v31 = __fadd_rn(v30, v30);
            const f32 v32 = __fmaf_rn(1.442695f, v31, 12582912.0f);
            const f32 v33 = -__fsub_rn(v32, 12582912.0f);
            const f32 v34 = __fmaf_rn((-1.9046542e-9f), v33, __fmaf_rn(0.6931472f, v33, v31));
            const f32 v35 = __fmaf_rn(v34, __fmaf_rn(v34, __fmaf_rn(v34, __fmaf_rn(0.0013782458f, v34, 0.008368669f), 0.041668963f), 0.16666521f), 0.4999999f);
            const f32 v36 = __fadd_rn(1.0f, f32_of((canonical(v32) << 23u) + canonical(__fmaf_rn(v34, __fmaf_rn(v34, v35, 1.0f), 1.0f))));
            const f32 v37 = f32_of(0x7ef311c7u - canonical(v36));
            const f32 v38 = -v36;
            const f32 v39 = __fmaf_rn(v37, v38, 1.0f);
            const f32 v40 = __fmaf_rn(v37, __fmaf_rn(v39, v39, v39), v37);
            const f32 v41 = __fmaf_rn(v38, v40, 1.0f);
            const f32 v42 = __fmul_rn(v29, v29);
            const f32 v43 = __fmaf_rn(v42, __fmaf_rn(v42, __fmaf_rn(v42, __fmaf_rn((-0.005700092f), v42, 0.020634118f), (-0.05373794f)), 0.13331416f), (-0.3333328f));
            const f32 v44 = (v29 < 0.625f) ? __fmaf_rn(v43, __fmul_rn(v29, v42), v29) : __fmaf_rn((-2.0f), __fmaf_rn(v40, __fmaf_rn(v41, v41, v41), v40), 1.0f);
            const u32 v45 = canonical(v28);
            const u32 v46 = 0x7fffffffu & v45;
            const u32 v47 = f16_of_f32(f32_of((v46 > 0x7f800000u) ? 0x7fc00000u : (((v46 < 0x39000000u) ? v46 : canonical(v44)) ^ (0x80000000u & v45))));
            const f32 v48 = f32_of_f16(v6);
            const f32 v49 = fabsf(v48);
            const f32 v50 = (v49 < 9.2f) ? v49 : 9.2f;
            const f32 v51 = __fadd_rn(v50, v50);
            const f32 v52 = __fmaf_rn(1.442695f, v51, 12582912.0f);
            const f32 v53 = -__fsub_rn(v52, 12582912.0f);
            const f32 v54 = __fmaf_rn((-1.9046542e-9f), v53, __fmaf_rn(0.6931472f, v53, v51));
            const f32 v55 = __fmaf_rn(v54, __fmaf_rn(v54, __fmaf_rn(v54, __fmaf_rn(0.0013782458f, v54, 0.008368669f), 0.041668963f), 0.16666521f), 0.4999999f);
            const f32 v56 = __fadd_rn(1.0f, f32_of((canonical(v52) << 23u) + canonical(__fmaf_rn(v54, __fmaf_rn(v54, v55, 1.0f), 1.0f))));
            const f32 v57 = f32_of(0x7ef311c7u - canonical(v56));
            const f32 v58 = -v56;
            const f32 v59 = __fmaf_rn(v57, v58, 1.0f);
            const f32 v60 = __fmaf_rn(v57, __fmaf_rn(v59, v59, v59), v57);
            const f32 v61 = __fmaf_rn(v58, v60, 1.0f);
            const f32 v62 = __fmul_rn(v49, v49);
            const f32 v63 = __fmaf_rn(v62, __fmaf_rn(v62, __fmaf_rn(v62, __fmaf_rn((-0.005700092f), v62, 0.020634118f), (-0.05373794f)), 0.13331416f), (-0.3333328f));
            const f32 v64 = (v49 < 0.625f) ? __fmaf_rn(v63, __fmul_rn(v49, v62), v49) : __fmaf_rn((-2.0f), __fmaf_rn(v60, __fmaf_rn(v61, v61, v61), v60), 1.0f);
            const u32 v65 = canonical(v48);
            const u32 v66 = 0x7fffffffu & v65;
            const u32 v67 = f16_of_f32(f32_of((v66 > 0x7f800000u) ? 0x7fc00000u : (((v66 < 0x39000000u) ? v66 : canonical(v64)) ^ (0x80000000u & v65))));
            const f32 v68 = f32_of_f16(v7);
            const f32 v69 = fabsf(v68);
            const f32 v70 = (v69 < 9.2f) ? v69 : 9.2f;
            const f32 v71 = __fadd_rn(v70, v70);
            const f32 v72 = __fmaf_rn(1.442695f, v71, 12582912.0f);
            const f32 v73 = -__fsub_rn(v72, 12582912.0f);
            const f32 v74 = __fmaf_rn((-1.9046542e-9f), v73, __fmaf_rn(0.6931472f, v73, v71));
            const f32 v75 = __fmaf_rn(v74, __fmaf_rn(v74, __fmaf_rn(v74, __fmaf_rn(0.0013782458f, v74, 0.008368669f), 0.041668963f), 0.16666521f), 0.4999999f);
            const f32 v76 = __fadd_rn(1.0f, f32_of((canonical(v72) << 23u) + canonical(__fmaf_rn(v74, __fmaf_rn(v74, v75, 1.0f), 1.0f))));
            const f32 v77 = f32_of(0x7ef311c7u - canonical(v76));
            const f32 v78 = -v76;
            const f32 v79 = __fmaf_rn(v77, v78, 1.0f);
            const f32 v80 = __fmaf_rn(v77, __fmaf_rn(v79, v79, v79), v77);
            const f32 v81 = __fmaf_rn(v78, v80, 1.0f);
            const f32 v82 = __fmul_rn(v69, v69);
            const f32 v83 = __fmaf_rn(v82, __fmaf_rn(v82, __fmaf_rn(v82, __fmaf_rn((-0.005700092f), v82, 0.020634118f), (-0.05373794f)), 0.13331416f), (-0.3333328f));
            const f32 v84 = (v69 < 0.625f) ? __fmaf_rn(v83, __fmul_rn(v69, v82), v69) : __fmaf_rn((-2.0f), __fmaf_rn(v80, __fmaf_rn(v81, v81, v81), v80), 1.0f);
            const u32 v85 = canonical(v68);
            const u32 v86 = 0x7fffffffu & v85;
            const u32 v87 = f16_of_f32(f32_of((v86 > 0x7f800000u) ? 0x7fc00000u : (((v86 < 0x39000000u) ? v86 : canonical(v84)) ^ (0x80000000u & v85))));
            if ((u64)v1 + 3 < y_len) {
                *(u32x2*)(y + v1) = u32x2_of((canonical_f16(v27) & 0xffffu) | canonical_f16(v47) << 16u, (canonical_f16(v67) & 0xffffu) | canonical_f16(v87) << 16u);
            }
        } else {
            for (u32 i = v1; i < v0; i += 1u) {
                const u32 v88 = (i < x_len) ? x[i] : 0u;
                const f32 v89 = f32_of_f16(v88);
                const f32 v90 = fabsf(v89);
                const f32 v91 = (v90 < 9.2f) ? v90 : 9.2f;
                const f32 v92 = __fadd_rn(v91, v91);
                const f32 v93 = __fmaf_rn(v92, 1.442695f, 12582912.0f);
                const f32 v94 = -__fsub_rn(v93, 12582912.0f);
                const f32 v95 = __fmaf_rn(v94, (-1.9046542e-9f), __fmaf_rn(v94, 0.6931472f, v92));
                const f32 v96 = __fmaf_rn(v95, __fmaf_rn(v95, __fmaf_rn(v95, __fmaf_rn(v95, 0.0013782458f, 0.008368669f), 0.041668963f), 0.16666521f), 0.4999999f);
                const f32 v97 = __fadd_rn(1.0f, f32_of((canonical(v93) << 23u) + canonical(__fmaf_rn(v95, __fmaf_rn(v95, v96, 1.0f), 1.0f))));
                const f32 v98 = f32_of(0x7ef311c7u - canonical(v97));
                const f32 v99 = -v97;
                const f32 v100 = __fmaf_rn(v98, v99, 1.0f);
                const f32 v101 = __fmaf_rn(v98, __fmaf_rn(v100, v100, v100), v98);
                const f32 v102 = __fmaf_rn(v99, v101, 1.0f);
                const f32 v103 = __fmul_rn(v90, v90);
                const f32 v104 = __fmaf_rn(v103, __fmaf_rn(v103, __fmaf_rn(v103, __fmaf_rn(v103, (-0.005700092f), 0.020634118f), (-0.05373794f)), 0.13331416f), (-0.3333328f));
                const f32 v105 = (v90 < 0.625f) ? __fmaf_rn(v104, __fmul_rn(v90, v103), v90) : __fmaf_rn(__fmaf_rn(v101, __fmaf_rn(v102, v102, v102), v101), (-2.0f), 1.0f);
                const u32 v106 = canonical(v89);
                const u32 v107 = v106 & 0x7fffffffu;
                const u32 v108 = f16_of_f32(f32_of((v107 > 0x7f800000u) ? 0x7fc00000u : (((v107 < 0x39000000u) ? v107 : canonical(v105)) ^ (v106 & 0x80000000u))));
                if (i < y_len) {
                    y[i] = (u16)canonical_f16(v108);
                }
            }
        }
    }
}
