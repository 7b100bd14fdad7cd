struct remainder_launch {
    u32 first_x;
    u32 n;
    u64 a_len;
    u64 b_len;
    u64 y_len;
};
[[max_total_threads_per_threadgroup(256)]]
kernel void remainder(
    device const f32* a [[buffer(0)]],
    device const f32* b [[buffer(1)]],
    device f32* y [[buffer(2)]],
    constant remainder_launch& launch [[buffer(3)]],
    uint thread_in_group [[thread_index_in_threadgroup]],
    uint3 group [[threadgroup_position_in_grid]]) {
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
    const u32 v0 = launch.n;
    const u32 v1 = ((launch.first_x + group.x) * 256u + thread_in_group) * 4u;
    if (v1 < v0) {
        if ((v0 - v1) >= 4u) {
            const bool v2 = (u64)v1 + 3 < launch.a_len;
            const u32x4 v3 = v2 ? *(device const u32x4*)(a + v1) : u32x4_of(0u, 0u, 0u, 0u);
            const f32 v4 = f32_of(v3.x);
            const f32 v5 = f32_of(v3.y);
            const f32 v6 = f32_of(v3.z);
            const f32 v7 = f32_of(v3.w);
            const bool v8 = (u64)v1 + 3 < launch.b_len;
            const u32x4 v9 = v8 ? *(device const u32x4*)(b + v1) : u32x4_of(0u, 0u, 0u, 0u);
            const f32 v10 = f32_of(v9.x);
            const f32 v11 = f32_of(v9.y);
            const f32 v12 = f32_of(v9.z);
            const f32 v13 = f32_of(v9.w);
            const u32 v14 = canonical(v4);
            const u32 v15 = canonical(v10);
            const u32 v16 = v14 & 0x7fffffffu;
            const u32 v17 = v15 & 0x7fffffffu;
            const bool v18 = ((v17 == 0u) || (v16 >= 0x7f800000u)) || (!(((v15 == v15) || (0u == (0x7fffffffu & (v15 | v15)))) && (max_of(v17, v17) <= 0x7f800000u)));
            r = pick(v18, 0x7fc00000u, v14);
            if ((!v18) && (v17 <= v16)) {
                const u32 v19 = v16 >> 23u;
                const bool v20 = 0u != v19;
                const u32 v21 = v17 >> 23u;
                const bool v22 = 0u != v21;
                const u32 v23 = pick(v22, 0x800000u | (v17 & 0x7fffffu), v17);
                const u32 v24 = pick(v22, v21, 1u);
                rest = rem_u32(pick(v20, (v16 & 0x7fffffu) | 0x800000u, v16), v23);
                left = pick(v20, v19, 1u) - v24;
                for (;;) {
                    const u32 v25 = left;
                    const u32 v26 = rest;
                    if (!((0u != v25) && (0u != v26))) {
                        break;
                    }
                    const u32 v27 = min_of(v25, 8u);
                    rest = rem_u32(v26 << (v27 & 31u), v23);
                    left = v25 - v27;
                }
                const u32 v28 = rest;
                const u32 v29 = min_of(leading_zeros(v28) - 8u, v24 - 1u);
                r = pick(0u == v28, 0u, (v28 << (v29 & 31u)) + (((v24 - v29) - 1u) << 23u)) | (v14 ^ v16);
            }
            const f32 v30 = f32_of(r);
            const u32 v31 = canonical(v5);
            const u32 v32 = canonical(v11);
            const u32 v33 = 0x7fffffffu & v31;
            const u32 v34 = 0x7fffffffu & v32;
            const bool v35 = ((0u == v34) || (v33 >= 0x7f800000u)) || (!(((v32 == v32) || (0u == (0x7fffffffu & (v32 | v32)))) && (max_of(v34, v34) <= 0x7f800000u)));
            r_2 = pick(v35, 0x7fc00000u, v31);
            if ((!v35) && (v34 <= v33)) {
                const u32 v36 = v33 >> 23u;
                const bool v37 = 0u != v36;
                const u32 v38 = v34 >> 23u;
                const bool v39 = 0u != v38;
                const u32 v40 = pick(v39, 0x800000u | (v34 & 0x7fffffu), v34);
                const u32 v41 = pick(v39, v38, 1u);
                rest_2 = rem_u32(pick(v37, (v33 & 0x7fffffu) | 0x800000u, v33), v40);
                left_2 = pick(v37, v36, 1u) - v41;
                for (;;) {
                    const u32 v42 = left_2;
                    const u32 v43 = rest_2;
                    if (!((0u != v42) && (0u != v43))) {
                        break;
                    }
                    const u32 v44 = min_of(v42, 8u);
                    rest_2 = rem_u32(v43 << (v44 & 31u), v40);
                    left_2 = v42 - v44;
                }
                const u32 v45 = rest_2;
                const u32 v46 = min_of(leading_zeros(v45) - 8u, v41 - 1u);
                r_2 = pick(0u == v45, 0u, (v45 << (v46 & 31u)) + (((v41 - v46) - 1u) << 23u)) | (v31 ^ v33);
            }
            const f32 v47 = f32_of(r_2);
            const u32 v48 = canonical(v6);
            const u32 v49 = canonical(v12);
            const u32 v50 = 0x7fffffffu & v48;
            const u32 v51 = 0x7fffffffu & v49;
            const bool v52 = ((0u == v51) || (v50 >= 0x7f800000u)) || (!(((v49 == v49) || (0u == (0x7fffffffu & (v49 | v49)))) && (max_of(v51, v51) <= 0x7f800000u)));
            r_3 = pick(v52, 0x7fc00000u, v48);
            if ((!v52) && (v51 <= v50)) {
                const u32 v53 = v50 >> 23u;
                const bool v54 = 0u != v53;
                const u32 v55 = v51 >> 23u;
                const bool v56 = 0u != v55;
                const u32 v57 = pick(v56, 0x800000u | (v51 & 0x7fffffu), v51);
                const u32 v58 = pick(v56, v55, 1u);
                rest_3 = rem_u32(pick(v54, (v50 & 0x7fffffu) | 0x800000u, v50), v57);
                left_3 = pick(v54, v53, 1u) - v58;
                for (;;) {
                    const u32 v59 = left_3;
                    const u32 v60 = rest_3;
                    if (!((0u != v59) && (0u != v60))) {
                        break;
                    }
                    const u32 v61 = min_of(v59, 8u);
                    rest_3 = rem_u32(v60 << (v61 & 31u), v57);
                    left_3 = v59 - v61;
                }
                const u32 v62 = rest_3;
                const u32 v63 = min_of(leading_zeros(v62) - 8u, v58 - 1u);
                r_3 = pick(0u == v62, 0u, (v62 << (v63 & 31u)) + (((v58 - v63) - 1u) << 23u)) | (v48 ^ v50);
            }
            const f32 v64 = f32_of(r_3);
            const u32 v65 = canonical(v7);
            const u32 v66 = canonical(v13);
            const u32 v67 = 0x7fffffffu & v65;
            const u32 v68 = 0x7fffffffu & v66;
            const bool v69 = ((0u == v68) || (v67 >= 0x7f800000u)) || (!(((v66 == v66) || (0u == (0x7fffffffu & (v66 | v66)))) && (max_of(v68, v68) <= 0x7f800000u)));
            r_4 = pick(v69, 0x7fc00000u, v65);
            if ((!v69) && (v68 <= v67)) {
                const u32 v70 = v67 >> 23u;
                const bool v71 = 0u != v70;
                const u32 v72 = v68 >> 23u;
                const bool v73 = 0u != v72;
                const u32 v74 = pick(v73, 0x800000u | (v68 & 0x7fffffu), v68);
                const u32 v75 = pick(v73, v72, 1u);
                rest_4 = rem_u32(pick(v71, (v67 & 0x7fffffu) | 0x800000u, v67), v74);
                left_4 = pick(v71, v70, 1u) - v75;
                for (;;) {
                    const u32 v76 = left_4;
                    const u32 v77 = rest_4;
                    if (!((0u != v76) && (0u != v77))) {
                        break;
                    }
                    const u32 v78 = min_of(v76, 8u);
                    rest_4 = rem_u32(v77 << (v78 & 31u), v74);
                    left_4 = v76 - v78;
                }
                const u32 v79 = rest_4;
                const u32 v80 = min_of(leading_zeros(v79) - 8u, v75 - 1u);
                r_4 = pick(0u == v79, 0u, (v79 << (v80 & 31u)) + (((v75 - v80) - 1u) << 23u)) | (v65 ^ v67);
            }
            const f32 v81 = f32_of(r_4);
            if ((u64)v1 + 3 < launch.y_len) {
                *(device u32x4*)(y + v1) = u32x4_of(canonical(v30), canonical(v47), canonical(v64), canonical(v81));
            }
        } else {
            for (u32 i = v1; i < v0; i += 1u) {
                const f32 v82 = (i < launch.a_len) ? a[i] : 0.0f;
                const f32 v83 = (i < launch.b_len) ? b[i] : 0.0f;
                const u32 v84 = canonical(v82);
                const u32 v85 = canonical(v83);
                const u32 v86 = v84 & 0x7fffffffu;
                const u32 v87 = v85 & 0x7fffffffu;
                const bool v88 = ((v87 == 0u) || (v86 >= 0x7f800000u)) || (!(((v85 == v85) || (0u == (0x7fffffffu & (v85 | v85)))) && (max_of(v87, v87) <= 0x7f800000u)));
                r_5 = pick(v88, 0x7fc00000u, v84);
                if ((!v88) && (v87 <= v86)) {
                    const u32 v89 = v86 >> 23u;
                    const bool v90 = 0u != v89;
                    const u32 v91 = v87 >> 23u;
                    const bool v92 = 0u != v91;
                    const u32 v93 = pick(v92, 0x800000u | (v87 & 0x7fffffu), v87);
                    const u32 v94 = pick(v92, v91, 1u);
                    rest_5 = rem_u32(pick(v90, (v86 & 0x7fffffu) | 0x800000u, v86), v93);
                    left_5 = pick(v90, v89, 1u) - v94;
                    for (;;) {
                        const u32 v95 = left_5;
                        const u32 v96 = rest_5;
                        if (!((0u != v95) && (0u != v96))) {
                            break;
                        }
                        const u32 v97 = min_of(v95, 8u);
                        rest_5 = rem_u32(v96 << (v97 & 31u), v93);
                        left_5 = v95 - v97;
                    }
                    const u32 v98 = rest_5;
                    const u32 v99 = min_of(leading_zeros(v98) - 8u, v94 - 1u);
                    r_5 = pick(0u == v98, 0u, (v98 << (v99 & 31u)) + (((v94 - v99) - 1u) << 23u)) | (v84 ^ v86);
                }
                if (i < launch.y_len) {
                    y[i] = stored(f32_of(r_5));
                }
            }
        }
    }
}
