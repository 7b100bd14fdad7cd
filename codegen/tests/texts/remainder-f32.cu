extern "C" __global__ __launch_bounds__(256)
void remainder(
    const f32* __restrict__ a,
    const f32* __restrict__ b,
    f32* y,
    u32 first_x,
    u32 n,
    u64 a_len,
    u64 b_len,
    u64 y_len) {
    u32 r;
    u32 rest;
    u32 left;
    u32 r_2;
    u32 rest_2;
    u32 left_2;
    u32 r_3;
    u32 rest_3;
    u32 left_3;
    u32 r_4;
    u32 rest_4;
    u32 left_4;
    u32 r_5;
    u32 rest_5;
    u32 left_5;
    const u32 v0 = n;
    const u32 v1 = ((first_x + blockIdx.x) * 256u + threadIdx.x) * 4u;
    if (v1 < v0) {
        if ((v0 - v1) >= 4u) {
            const bool v2 = (u64)v1 + 3 < a_len;
            const u32x4 v3 = v2 ? *(const u32x4*)(a + v1) : u32x4_of(0u, 0u, 0u, 0u);
            const f32 v4 = f32_of(v3.x);
            const f32 v5 = f32_of(v3.y);
            const f32 v6 = f32_of(v3.z);
            const f32 v7 = f32_of(v3.w);
            const bool v8 = (u64)v1 + 3 < b_len;
            const u32x4 v9 = v8 ? *(const u32x4*)(b + v1) : u32x4_of(0u, 0u, 0u, 0u);
            const f32 v10 = f32_of(v9.x);
            const f32 v11 = f32_of(v9.y);
            const f32 v12 = f32_of(v9.z);
            const f32 v13 = f32_of(v9.w);
            const u32 v14 = canonical(v4);
            const u32 v15 = v14 & 0x7fffffffu;
            const u32 v16 = canonical(v10) & 0x7fffffffu;
            const bool v17 = ((v16 == 0u) || (v15 >= 0x7f800000u)) || (v10 != v10);
            r = pick(v17, 0x7fc00000u, v14);
            if ((!v17) && (v16 <= v15)) {
                const u32 v18 = v15 >> 23u;
                const bool v19 = 0u != v18;
                const u32 v20 = v16 >> 23u;
                const bool v21 = 0u != v20;
                const u32 v22 = pick(v21, 0x800000u | (v16 & 0x7fffffu), v16);
                const u32 v23 = pick(v21, v20, 1u);
                rest = rem_u32(pick(v19, (v15 & 0x7fffffu) | 0x800000u, v15), v22);
                left = pick(v19, v18, 1u) - v23;
                for (;;) {
                    const u32 v24 = left;
                    const u32 v25 = rest;
                    if (!((0u != v24) && (0u != v25))) {
                        break;
                    }
                    const u32 v26 = min_of(v24, 8u);
                    rest = rem_u32(v25 << (v26 & 31u), v22);
                    left = v24 - v26;
                }
                const u32 v27 = rest;
                const u32 v28 = min_of(leading_zeros(v27) - 8u, v23 - 1u);
                r = pick(0u == v27, 0u, (v27 << (v28 & 31u)) + (((v23 - v28) - 1u) << 23u)) | (v14 ^ v15);
            }
            const f32 v29 = f32_of(r);
            const u32 v30 = canonical(v5);
            const u32 v31 = 0x7fffffffu & v30;
            const u32 v32 = 0x7fffffffu & canonical(v11);
            const bool v33 = ((0u == v32) || (v31 >= 0x7f800000u)) || (v11 != v11);
            r_2 = pick(v33, 0x7fc00000u, v30);
            if ((!v33) && (v32 <= v31)) {
                const u32 v34 = v31 >> 23u;
                const bool v35 = 0u != v34;
                const u32 v36 = v32 >> 23u;
                const bool v37 = 0u != v36;
                const u32 v38 = pick(v37, 0x800000u | (v32 & 0x7fffffu), v32);
                const u32 v39 = pick(v37, v36, 1u);
                rest_2 = rem_u32(pick(v35, (v31 & 0x7fffffu) | 0x800000u, v31), v38);
                left_2 = pick(v35, v34, 1u) - v39;
                for (;;) {
                    const u32 v40 = left_2;
                    const u32 v41 = rest_2;
                    if (!((0u != v40) && (0u != v41))) {
                        break;
                    }
                    const u32 v42 = min_of(v40, 8u);
                    rest_2 = rem_u32(v41 << (v42 & 31u), v38);
                    left_2 = v40 - v42;
                }
                const u32 v43 = rest_2;
                const u32 v44 = min_of(leading_zeros(v43) - 8u, v39 - 1u);
                r_2 = pick(0u == v43, 0u, (v43 << (v44 & 31u)) + (((v39 - v44) - 1u) << 23u)) | (v30 ^ v31);
            }
            const f32 v45 = f32_of(r_2);
            const u32 v46 = canonical(v6);
            const u32 v47 = 0x7fffffffu & v46;
            const u32 v48 = 0x7fffffffu & canonical(v12);
            const bool v49 = ((0u == v48) || (v47 >= 0x7f800000u)) || (v12 != v12);
            r_3 = pick(v49, 0x7fc00000u, v46);
            if ((!v49) && (v48 <= v47)) {
                const u32 v50 = v47 >> 23u;
                const bool v51 = 0u != v50;
                const u32 v52 = v48 >> 23u;
                const bool v53 = 0u != v52;
                const u32 v54 = pick(v53, 0x800000u | (v48 & 0x7fffffu), v48);
                const u32 v55 = pick(v53, v52, 1u);
                rest_3 = rem_u32(pick(v51, (v47 & 0x7fffffu) | 0x800000u, v47), v54);
                left_3 = pick(v51, v50, 1u) - v55;
                for (;;) {
                    const u32 v56 = left_3;
                    const u32 v57 = rest_3;
                    if (!((0u != v56) && (0u != v57))) {
                        break;
                    }
                    const u32 v58 = min_of(v56, 8u);
                    rest_3 = rem_u32(v57 << (v58 & 31u), v54);
                    left_3 = v56 - v58;
                }
                const u32 v59 = rest_3;
                const u32 v60 = min_of(leading_zeros(v59) - 8u, v55 - 1u);
                r_3 = pick(0u == v59, 0u, (v59 << (v60 & 31u)) + (((v55 - v60) - 1u) << 23u)) | (v46 ^ v47);
            }
            const f32 v61 = f32_of(r_3);
            const u32 v62 = canonical(v7);
            const u32 v63 = 0x7fffffffu & v62;
            const u32 v64 = 0x7fffffffu & canonical(v13);
            const bool v65 = ((0u == v64) || (v63 >= 0x7f800000u)) || (v13 != v13);
            r_4 = pick(v65, 0x7fc00000u, v62);
            if ((!v65) && (v64 <= v63)) {
                const u32 v66 = v63 >> 23u;
                const bool v67 = 0u != v66;
                const u32 v68 = v64 >> 23u;
                const bool v69 = 0u != v68;
                const u32 v70 = pick(v69, 0x800000u | (v64 & 0x7fffffu), v64);
                const u32 v71 = pick(v69, v68, 1u);
                rest_4 = rem_u32(pick(v67, (v63 & 0x7fffffu) | 0x800000u, v63), v70);
                left_4 = pick(v67, v66, 1u) - v71;
                for (;;) {
                    const u32 v72 = left_4;
                    const u32 v73 = rest_4;
                    if (!((0u != v72) && (0u != v73))) {
                        break;
                    }
                    const u32 v74 = min_of(v72, 8u);
                    rest_4 = rem_u32(v73 << (v74 & 31u), v70);
                    left_4 = v72 - v74;
                }
                const u32 v75 = rest_4;
                const u32 v76 = min_of(leading_zeros(v75) - 8u, v71 - 1u);
                r_4 = pick(0u == v75, 0u, (v75 << (v76 & 31u)) + (((v71 - v76) - 1u) << 23u)) | (v62 ^ v63);
            }
            const f32 v77 = f32_of(r_4);
            if ((u64)v1 + 3 < y_len) {
                *(u32x4*)(y + v1) = u32x4_of(canonical(v29), canonical(v45), canonical(v61), canonical(v77));
            }
        } else {
            for (u32 i = v1; i < v0; i += 1u) {
                const f32 v78 = (i < a_len) ? a[i] : 0.0f;
                const f32 v79 = (i < b_len) ? b[i] : 0.0f;
                const u32 v80 = canonical(v78);
                const u32 v81 = v80 & 0x7fffffffu;
                const u32 v82 = canonical(v79) & 0x7fffffffu;
                const bool v83 = ((v82 == 0u) || (v81 >= 0x7f800000u)) || (v79 != v79);
                r_5 = pick(v83, 0x7fc00000u, v80);
                if ((!v83) && (v82 <= v81)) {
                    const u32 v84 = v81 >> 23u;
                    const bool v85 = 0u != v84;
                    const u32 v86 = v82 >> 23u;
                    const bool v87 = 0u != v86;
                    const u32 v88 = pick(v87, 0x800000u | (v82 & 0x7fffffu), v82);
                    const u32 v89 = pick(v87, v86, 1u);
                    rest_5 = rem_u32(pick(v85, (v81 & 0x7fffffu) | 0x800000u, v81), v88);
                    left_5 = pick(v85, v84, 1u) - v89;
                    for (;;) {
                        const u32 v90 = left_5;
                        const u32 v91 = rest_5;
                        if (!((0u != v90) && (0u != v91))) {
                            break;
                        }
                        const u32 v92 = min_of(v90, 8u);
                        rest_5 = rem_u32(v91 << (v92 & 31u), v88);
                        left_5 = v90 - v92;
                    }
                    const u32 v93 = rest_5;
                    const u32 v94 = min_of(leading_zeros(v93) - 8u, v89 - 1u);
                    r_5 = pick(0u == v93, 0u, (v93 << (v94 & 31u)) + (((v89 - v94) - 1u) << 23u)) | (v80 ^ v81);
                }
                if (i < y_len) {
                    y[i] = stored(f32_of(r_5));
                }
            }
        }
    }
}
