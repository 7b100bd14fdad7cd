extern "C" __attribute__((global, amdgpu_flat_work_group_size(256, 256)))
void tanh(
    const u16* __restrict__ x,
    u16* y,
    u32 first_x,
    u32 n,
    u64 x_len,
    u64 y_len) {
    const u32 v0 = n;
    const u32 v1 = ((first_x + __builtin_amdgcn_workgroup_id_x()) * 256u + __builtin_amdgcn_workitem_id_x()) * 4u;
    if (v1 < v0) {
        if ((v0 - v1) >= 4u) {
            const bool v2 = (u64)v1 + 3 < x_len;
            const u32x2 v3 = v2 ? *(const u32x2*)(x + v1) : u32x2_of(0u, 0u);
            const u32 v4 = v3.x & 0xffffu;
            const u32 v5 = v3.x >> 16u;
            const u32 v6 = v3.y & 0xffffu;
            const u32 v7 = v3.y >> 16u;
            const f32 v8 = f32_of_f16(v4);
            const f32 v9 = __builtin_fabsf(v8);
            const f32 v10 = pick(v9 < 9.2f, v9, 9.2f);
            const f32 v11 = v10 + v10;
            const f32 v12 = __builtin_fmaf(v11, 1.442695f, 12582912.0f);
            const f32 v13 = -(v12 - 12582912.0f);
            const f32 v14 = __builtin_fmaf(v13, (-1.9046542e-9f), __builtin_fmaf(v13, 0.6931472f, v11));
            const f32 v15 = __builtin_fmaf(v14, __builtin_fmaf(v14, __builtin_fmaf(v14, __builtin_fmaf(v14, 0.0013782458f, 0.008368669f), 0.041668963f), 0.16666521f), 0.4999999f);
            const f32 v16 = 1.0f + f32_of((canonical(v12) << 23u) + canonical(__builtin_fmaf(v14, __builtin_fmaf(v14, v15, 1.0f), 1.0f)));
            const f32 v17 = f32_of(0x7ef311c7u - canonical(v16));
            const f32 v18 = -v16;
            const f32 v19 = __builtin_fmaf(v17, v18, 1.0f);
            const f32 v20 = __builtin_fmaf(v17, __builtin_fmaf(v19, v19, v19), v17);
            const f32 v21 = __builtin_fmaf(v18, v20, 1.0f);
            const f32 v22 = v9 * v9;
            const f32 v23 = __builtin_fmaf(v22, __builtin_fmaf(v22, __builtin_fmaf(v22, (-0.005700092f), 0.020634118f), (-0.05373794f)), 0.13331416f);
            const f32 v24 = pick(v9 < 0.625f, __builtin_fmaf(__builtin_fmaf(v22, v23, (-0.3333328f)), v9 * v22, v9), __builtin_fmaf(__builtin_fmaf(v20, __builtin_fmaf(v21, v21, v21), v20), (-2.0f), 1.0f));
            const u32 v25 = bits_of(v8);
            const u32 v26 = v25 & 0x7fffffffu;
            const f32 v27 = f32_of_f16(v5);
            const f32 v28 = __builtin_fabsf(v27);
            const f32 v29 = pick(v28 < 9.2f, v28, 9.2f);
            const f32 v30 = v29 + v29;
            const f32 v31 = __builtin_fmaf(1.442695f, v30, 12582912.0f);
            const f32 v32 = -(v31 - 12582912.0f);
            const f32 v33 = __builtin_fmaf((-1.9046542e-9f), v32, __builtin_fmaf(0.6931472f, v32, v30));
            const f32 v34 = __builtin_fmaf(v33, __builtin_fmaf(v33, __builtin_fmaf(v33, __builtin_fmaf(0.0013782458f, v33, 0.008368669f), 0.041668963f), 0.16666521f), 0.4999999f);
            const f32 v35 = 1.0f + f32_of((canonical(v31) << 23u) + canonical(__builtin_fmaf(v33, __builtin_fmaf(v33, v34, 1.0f), 1.0f)));
            const f32 v36 = f32_of(0x7ef311c7u - canonical(v35));
            const f32 v37 = -v35;
            const f32 v38 = __builtin_fmaf(v36, v37, 1.0f);
            const f32 v39 = __builtin_fmaf(v36, __builtin_fmaf(v38, v38, v38), v36);
            const f32 v40 = __builtin_fmaf(v37, v39, 1.0f);
            const f32 v41 = v28 * v28;
            const f32 v42 = __builtin_fmaf(v41, __builtin_fmaf(v41, __builtin_fmaf((-0.005700092f), v41, 0.020634118f), (-0.05373794f)), 0.13331416f);
            const f32 v43 = pick(v28 < 0.625f, __builtin_fmaf(__builtin_fmaf(v41, v42, (-0.3333328f)), v28 * v41, v28), __builtin_fmaf((-2.0f), __builtin_fmaf(v39, __builtin_fmaf(v40, v40, v40), v39), 1.0f));
            const u32 v44 = bits_of(v27);
            const u32 v45 = 0x7fffffffu & v44;
            const f32 v46 = f32_of_f16(v6);
            const f32 v47 = __builtin_fabsf(v46);
            const f32 v48 = pick(v47 < 9.2f, v47, 9.2f);
            const f32 v49 = v48 + v48;
            const f32 v50 = __builtin_fmaf(1.442695f, v49, 12582912.0f);
            const f32 v51 = -(v50 - 12582912.0f);
            const f32 v52 = __builtin_fmaf((-1.9046542e-9f), v51, __builtin_fmaf(0.6931472f, v51, v49));
            const f32 v53 = __builtin_fmaf(v52, __builtin_fmaf(v52, __builtin_fmaf(v52, __builtin_fmaf(0.0013782458f, v52, 0.008368669f), 0.041668963f), 0.16666521f), 0.4999999f);
            const f32 v54 = 1.0f + f32_of((canonical(v50) << 23u) + canonical(__builtin_fmaf(v52, __builtin_fmaf(v52, v53, 1.0f), 1.0f)));
            const f32 v55 = f32_of(0x7ef311c7u - canonical(v54));
            const f32 v56 = -v54;
            const f32 v57 = __builtin_fmaf(v55, v56, 1.0f);
            const f32 v58 = __builtin_fmaf(v55, __builtin_fmaf(v57, v57, v57), v55);
            const f32 v59 = __builtin_fmaf(v56, v58, 1.0f);
            const f32 v60 = v47 * v47;
            const f32 v61 = __builtin_fmaf(v60, __builtin_fmaf(v60, __builtin_fmaf((-0.005700092f), v60, 0.020634118f), (-0.05373794f)), 0.13331416f);
            const f32 v62 = pick(v47 < 0.625f, __builtin_fmaf(__builtin_fmaf(v60, v61, (-0.3333328f)), v47 * v60, v47), __builtin_fmaf((-2.0f), __builtin_fmaf(v58, __builtin_fmaf(v59, v59, v59), v58), 1.0f));
            const u32 v63 = bits_of(v46);
            const u32 v64 = 0x7fffffffu & v63;
            const f32 v65 = f32_of_f16(v7);
            const f32 v66 = __builtin_fabsf(v65);
            const f32 v67 = pick(v66 < 9.2f, v66, 9.2f);
            const f32 v68 = v67 + v67;
            const f32 v69 = __builtin_fmaf(1.442695f, v68, 12582912.0f);
            const f32 v70 = -(v69 - 12582912.0f);
            const f32 v71 = __builtin_fmaf((-1.9046542e-9f), v70, __builtin_fmaf(0.6931472f, v70, v68));
            const f32 v72 = __builtin_fmaf(v71, __builtin_fmaf(v71, __builtin_fmaf(v71, __builtin_fmaf(0.0013782458f, v71, 0.008368669f), 0.041668963f), 0.16666521f), 0.4999999f);
            const f32 v73 = 1.0f + f32_of((canonical(v69) << 23u) + canonical(__builtin_fmaf(v71, __builtin_fmaf(v71, v72, 1.0f), 1.0f)));
            const f32 v74 = f32_of(0x7ef311c7u - canonical(v73));
            const f32 v75 = -v73;
            const f32 v76 = __builtin_fmaf(v74, v75, 1.0f);
            const f32 v77 = __builtin_fmaf(v74, __builtin_fmaf(v76, v76, v76), v74);
            const f32 v78 = __builtin_fmaf(v75, v77, 1.0f);
            const f32 v79 = v66 * v66;
            const f32 v80 = __builtin_fmaf(v79, __builtin_fmaf(v79, __builtin_fmaf((-0.005700092f), v79, 0.020634118f), (-0.05373794f)), 0.13331416f);
            const f32 v81 = pick(v66 < 0.625f, __builtin_fmaf(__builtin_fmaf(v79, v80, (-0.3333328f)), v66 * v79, v66), __builtin_fmaf((-2.0f), __builtin_fmaf(v77, __builtin_fmaf(v78, v78, v78), v77), 1.0f));
            const u32 v82 = bits_of(v65);
            const u32 v83 = 0x7fffffffu & v82;
            if ((u64)v1 + 3 < y_len) {
                *(u32x2*)(y + v1) = u32x2_of((canonical_f16(f16_of_f32(f32_of(pick(v8 != v8, 0x7fc00000u, pick(v26 < 0x39000000u, v26, canonical(v24)) ^ (v25 & 0x80000000u))))) & 0xffffu) | canonical_f16(f16_of_f32(f32_of(pick(v27 != v27, 0x7fc00000u, pick(v45 < 0x39000000u, v45, canonical(v43)) ^ (0x80000000u & v44))))) << 16u, (canonical_f16(f16_of_f32(f32_of(pick(v46 != v46, 0x7fc00000u, pick(v64 < 0x39000000u, v64, canonical(v62)) ^ (0x80000000u & v63))))) & 0xffffu) | canonical_f16(f16_of_f32(f32_of(pick(v65 != v65, 0x7fc00000u, pick(v83 < 0x39000000u, v83, canonical(v81)) ^ (0x80000000u & v82))))) << 16u);
            }
        } else {
            for (u32 i = v1; i < v0; i += 1u) {
                const u32 v84 = (i < x_len) ? x[i] : 0u;
                const f32 v85 = f32_of_f16(v84);
                const f32 v86 = __builtin_fabsf(v85);
                const f32 v87 = pick(v86 < 9.2f, v86, 9.2f);
                const f32 v88 = v87 + v87;
                const f32 v89 = __builtin_fmaf(v88, 1.442695f, 12582912.0f);
                const f32 v90 = -(v89 - 12582912.0f);
                const f32 v91 = __builtin_fmaf(v90, (-1.9046542e-9f), __builtin_fmaf(v90, 0.6931472f, v88));
                const f32 v92 = __builtin_fmaf(v91, __builtin_fmaf(v91, __builtin_fmaf(v91, __builtin_fmaf(v91, 0.0013782458f, 0.008368669f), 0.041668963f), 0.16666521f), 0.4999999f);
                const f32 v93 = 1.0f + f32_of((canonical(v89) << 23u) + canonical(__builtin_fmaf(v91, __builtin_fmaf(v91, v92, 1.0f), 1.0f)));
                const f32 v94 = f32_of(0x7ef311c7u - canonical(v93));
                const f32 v95 = -v93;
                const f32 v96 = __builtin_fmaf(v94, v95, 1.0f);
                const f32 v97 = __builtin_fmaf(v94, __builtin_fmaf(v96, v96, v96), v94);
                const f32 v98 = __builtin_fmaf(v95, v97, 1.0f);
                const f32 v99 = v86 * v86;
                const f32 v100 = __builtin_fmaf(v99, __builtin_fmaf(v99, __builtin_fmaf(v99, (-0.005700092f), 0.020634118f), (-0.05373794f)), 0.13331416f);
                const f32 v101 = pick(v86 < 0.625f, __builtin_fmaf(__builtin_fmaf(v99, v100, (-0.3333328f)), v86 * v99, v86), __builtin_fmaf(__builtin_fmaf(v97, __builtin_fmaf(v98, v98, v98), v97), (-2.0f), 1.0f));
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
