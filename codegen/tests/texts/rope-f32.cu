extern "C" __global__ __launch_bounds__(64)
void rope(
    const f32* __restrict__ x,
    const u32* __restrict__ positions,
    f32* y,
    u32 first_x,
    u32 first_y,
    u32 first_z,
    u32 heads,
    u32 dim,
    u32 rotary,
    u32 log2_theta,
    u64 x_len,
    u64 positions_len,
    u64 y_len) {
    f32 join;
    u32 join_2;
    f32 join_3;
    u32 join_4;
    const u32 v0 = heads;
    const u32 v1 = dim;
    const u32 v2 = rotary;
    const f32 v3 = f32_of(log2_theta);
    const u32 v4 = (first_x + blockIdx.x) * 64u + threadIdx.x;
    const u32 v5 = v2 >> 1u;
    const u32 v6 = (first_y + blockIdx.y) * 8u;
    const u32 v7 = min_of(8u, v0 - v6);
    const u32 v8 = first_z + blockIdx.z;
    const u64 v9 = (u64)v1;
    const u64 v10 = (((u64)v8 * (u64)v0) + (u64)v6) * v9;
    if (v4 < v5) {
        const f32 v11 = __fmul_rn(-v3, __fdiv_rn(__fmul_rn(f32_of_u32(v4), 2.0f), f32_of_u32(v2)));
        const f32 v12 = __fadd_rn(v11, 12582912.0f);
        const f32 v13 = __fsub_rn(v11, __fsub_rn(v12, 12582912.0f));
        const f32 v14 = __fmaf_rn(v13, __fmaf_rn(v13, __fmaf_rn(v13, __fmaf_rn(v13, 0.00015241285f, 0.0013391302f), 0.009618834f), 0.05550359f), 0.24022645f);
        const u32 v15 = pick(v11 < (-126.0f), 0u, min_of(bits_of(__fmaf_rn(v13, __fmaf_rn(v13, v14, 0.6931472f), 1.0f)) + (bits_of(v12) << 23u), 0x7f800000u));
        const u32 v16 = (v8 < positions_len) ? positions[v8] : 0u;
        const f32 v17 = __fmul_rn(f32_of(pick(v11 != v11, 0x7fc00000u, pick(v11 >= 128.0f, 0x7f800000u, v15))), f32_of_u32(v16));
        const u32 v18 = canonical(v17);
        const u32 v19 = 0x7fffffffu & v18;
        const bool v20 = v19 < 0x7f800000u;
        const bool v21 = v19 > 0x47ce4780u;
        if (v21) {
            const u32 v22 = (v19 & 0x7fffffu) | 0x800000u;
            const u32 v23 = (v19 >> 23u) - 120u;
            const u32 v24 = v23 >> 5u;
            const u32 v25 = v23 & 31u;
            const bool v26 = 1u == v24;
            const bool v27 = v24 == 2u;
            const bool v28 = v24 == 3u;
            const bool v29 = v24 == 4u;
            const u32 v30 = pick(v29, 0xdb629599u, pick(v28, 0xf534ddc0u, pick(v27, 0xfc2757d1u, chosen(v26, 0x4e441529u, 0xa2f9836eu))));
            const u32 v31 = pick(v29, 0x3c439041u, pick(v28, 0xdb629599u, pick(v27, 0xf534ddc0u, chosen(v26, 0xfc2757d1u, 0x4e441529u))));
            const bool v32 = 0u == v25;
            const u32 v33 = 32u - v25;
            const u32 v34 = (pick(v29, 0xf534ddc0u, pick(v28, 0xfc2757d1u, pick(v27, 0x4e441529u, chosen(v26, 0xa2f9836eu, 0u)))) << (v25 & 31u)) | pick(v32, 0u, v30 >> (v33 & 31u));
            const u32 v35 = (v30 << (v25 & 31u)) | pick(v32, 0u, v31 >> (v33 & 31u));
            const u32 v36 = pick(v29, 0xfe5163abu, pick(v28, 0x3c439041u, pick(v27, 0xdb629599u, chosen(v26, 0xf534ddc0u, 0xfc2757d1u)))) >> (v33 & 31u);
            const u32 v37 = mul_high_u32(v22, (v31 << (v25 & 31u)) | pick(v32, 0u, v36));
            const u32 v38 = v37 + (v22 * v35);
            const u32 v39 = ((v22 * v34) + mul_high_u32(v22, v35)) + chosen(v38 < v37, 1u, 0u);
            const u32 v40 = (v39 + 0x20000000u) >> 30u;
            const u32 v41 = v39 - (v40 << 30u);
            const u32 v42 = (u32)((i32)v41 >> 31u);
            const u32 v43 = 1u & v42;
            const u32 v44 = (v38 ^ v42) + v43;
            const u32 v45 = (v41 ^ v42) + pick(0u == v44, v43, 0u);
            const f32 v46 = f32_of_i32(v45 >> 16u);
            const f32 v47 = f32_of_i32(v45 & 65535u);
            const f32 v48 = __fmaf_rn(v46, 65536.0f, v47);
            const f32 v49 = __fmaf_rn(1.5258789e-5f, __fmaf_rn(f32_of_i32(v44 & 65535u), 1.5258789e-5f, f32_of_i32(v44 >> 16u)), __fsub_rn(v47, __fsub_rn(v48, __fmul_rn(v46, 65536.0f))));
            const f32 v50 = __fmul_rn(v48, 1.5707964f);
            const f32 v51 = __fmul_rn(__fadd_rn(v50, __fmaf_rn(v49, 1.5707964f, __fmaf_rn(v48, (-4.371139e-8f), __fmaf_rn(v48, 1.5707964f, -v50)))), 9.313226e-10f);
            join = f32_of(((v18 ^ v42) & 0x80000000u) ^ bits_of(v51));
            join_2 = pick(0x80000000u == (v18 & 0x80000000u), 0u - v40, v40);
        } else {
            const f32 v52 = __fmaf_rn(v17, 0.63661975f, 12582912.0f);
            const f32 v53 = -__fsub_rn(v52, 12582912.0f);
            join = __fmaf_rn(v53, (-1.7151245e-15f), __fmaf_rn(v53, (-4.371139e-8f), __fmaf_rn(v53, 1.5707964f, v17)));
            join_2 = canonical(v52);
        }
        const f32 v54 = join;
        const u32 v55 = 1u + join_2;
        const f32 v56 = __fmul_rn(v54, v54);
        const f32 v57 = __fmaf_rn(__fmaf_rn(v56, __fmaf_rn(v56, __fmaf_rn(v56, 2.8005443e-6f, (-0.00019849911f)), 0.008333372f), (-0.16666667f)), __fmul_rn(v54, v56), v54);
        const f32 v58 = __fmaf_rn(v56, __fmaf_rn(v56, __fmaf_rn(v56, __fmaf_rn(v56, 2.4432564e-5f, (-0.0013887311f)), 0.041666646f), (-0.5f)), 1.0f);
        const f32 v59 = f32_of(chosen(v20, canonical(chosen(0u == (1u & v55), v57, v58)) ^ ((v55 & 2u) << 30u), 0x7fc00000u));
        if (v21) {
            const u32 v60 = (v19 & 0x7fffffu) | 0x800000u;
            const u32 v61 = (v19 >> 23u) - 120u;
            const u32 v62 = v61 >> 5u;
            const u32 v63 = v61 & 31u;
            const bool v64 = 1u == v62;
            const bool v65 = 2u == v62;
            const bool v66 = v62 == 3u;
            const bool v67 = v62 == 4u;
            const u32 v68 = pick(v67, 0xdb629599u, pick(v66, 0xf534ddc0u, pick(v65, 0xfc2757d1u, chosen(v64, 0x4e441529u, 0xa2f9836eu))));
            const u32 v69 = pick(v67, 0x3c439041u, pick(v66, 0xdb629599u, pick(v65, 0xf534ddc0u, chosen(v64, 0xfc2757d1u, 0x4e441529u))));
            const bool v70 = 0u == v63;
            const u32 v71 = 32u - v63;
            const u32 v72 = (pick(v67, 0xf534ddc0u, pick(v66, 0xfc2757d1u, pick(v65, 0x4e441529u, chosen(v64, 0xa2f9836eu, 0u)))) << (v63 & 31u)) | pick(v70, 0u, v68 >> (v71 & 31u));
            const u32 v73 = (v68 << (v63 & 31u)) | pick(v70, 0u, v69 >> (v71 & 31u));
            const u32 v74 = pick(v67, 0xfe5163abu, pick(v66, 0x3c439041u, pick(v65, 0xdb629599u, chosen(v64, 0xf534ddc0u, 0xfc2757d1u)))) >> (v71 & 31u);
            const u32 v75 = mul_high_u32(v60, (v69 << (v63 & 31u)) | pick(v70, 0u, v74));
            const u32 v76 = v75 + (v60 * v73);
            const u32 v77 = ((v60 * v72) + mul_high_u32(v60, v73)) + chosen(v76 < v75, 1u, 0u);
            const u32 v78 = (v77 + 0x20000000u) >> 30u;
            const u32 v79 = v77 - (v78 << 30u);
            const u32 v80 = (u32)((i32)v79 >> 31u);
            const u32 v81 = 1u & v80;
            const u32 v82 = (v76 ^ v80) + v81;
            const u32 v83 = (v79 ^ v80) + pick(0u == v82, v81, 0u);
            const f32 v84 = f32_of_i32(v83 >> 16u);
            const f32 v85 = f32_of_i32(v83 & 65535u);
            const f32 v86 = __fmaf_rn(v84, 65536.0f, v85);
            const f32 v87 = __fmaf_rn(1.5258789e-5f, __fmaf_rn(f32_of_i32(v82 & 65535u), 1.5258789e-5f, f32_of_i32(v82 >> 16u)), __fsub_rn(v85, __fsub_rn(v86, __fmul_rn(v84, 65536.0f))));
            const f32 v88 = __fmul_rn(v86, 1.5707964f);
            const f32 v89 = __fmul_rn(__fadd_rn(v88, __fmaf_rn(v87, 1.5707964f, __fmaf_rn(v86, (-4.371139e-8f), __fmaf_rn(v86, 1.5707964f, -v88)))), 9.313226e-10f);
            join_3 = f32_of(((v18 ^ v80) & 0x80000000u) ^ bits_of(v89));
            join_4 = pick(0x80000000u == (v18 & 0x80000000u), 0u - v78, v78);
        } else {
            const f32 v90 = __fmaf_rn(v17, 0.63661975f, 12582912.0f);
            const f32 v91 = -__fsub_rn(v90, 12582912.0f);
            join_3 = __fmaf_rn(v91, (-1.7151245e-15f), __fmaf_rn(v91, (-4.371139e-8f), __fmaf_rn(v91, 1.5707964f, v17)));
            join_4 = canonical(v90);
        }
        const f32 v92 = join_3;
        const u32 v93 = join_4;
        const f32 v94 = __fmul_rn(v92, v92);
        const f32 v95 = __fmaf_rn(__fmaf_rn(v94, __fmaf_rn(v94, __fmaf_rn(2.8005443e-6f, v94, (-0.00019849911f)), 0.008333372f), (-0.16666667f)), __fmul_rn(v92, v94), v92);
        const f32 v96 = __fmaf_rn(v94, __fmaf_rn(v94, __fmaf_rn(v94, __fmaf_rn(2.4432564e-5f, v94, (-0.0013887311f)), 0.041666646f), (-0.5f)), 1.0f);
        const u32 v97 = pick(v20, pick(v19 < 0x39000000u, v18, canonical(chosen(0u == (1u & v93), v95, v96)) ^ ((2u & v93) << 30u)), 0x7fc00000u);
        const f32 v98 = f32_of(v97);
        const u64 v99 = (u64)v4;
        const u64 v100 = (u64)(v4 + v5);
        for (u32 i = 0u; i < v7; i += 1u) {
            const u64 v101 = v9 * (u64)i;
            const u64 v102 = v10 + (v99 + v101);
            const f32 v103 = (v102 < x_len) ? x[v102] : 0.0f;
            const u64 v104 = v10 + (v100 + v101);
            const f32 v105 = (v104 < x_len) ? x[v104] : 0.0f;
            if (v102 < y_len) {
                y[v102] = stored(__fsub_rn(__fmul_rn(v59, v103), __fmul_rn(v98, v105)));
            }
            if (v104 < y_len) {
                y[v104] = stored(__fadd_rn(__fmul_rn(v59, v105), __fmul_rn(v98, v103)));
            }
        }
    } else {
        if (v4 < (v5 + (v1 - v2))) {
            const u64 v106 = (u64)(v4 + v5);
            for (u32 i_1 = 0u; i_1 < v7; i_1 += 1u) {
                const u64 v107 = v10 + (v106 + (v9 * (u64)i_1));
                const f32 v108 = (v107 < x_len) ? x[v107] : 0.0f;
                if (v107 < y_len) {
                    y[v107] = stored(v108);
                }
            }
        }
    }
}
