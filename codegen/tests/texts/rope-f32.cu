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
    const u32 v0 = dim;
    const u32 v1 = rotary;
    const f32 v2 = f32_of(log2_theta);
    const u32 v3 = (first_x + blockIdx.x) * 64u + threadIdx.x;
    const u32 v4 = v1 >> 1u;
    const u32 v5 = first_z + blockIdx.z;
    const u64 v6 = (((u64)v5 * (u64)heads) + (u64)(first_y + blockIdx.y)) * (u64)v0;
    if (v3 < v4) {
        const f32 v7 = __fmul_rn(-v2, __fdiv_rn(__fmul_rn(f32_of_u32(v3), 2.0f), f32_of_u32(v1)));
        const f32 v8 = __fadd_rn(v7, 12582912.0f);
        const f32 v9 = __fsub_rn(v7, __fsub_rn(v8, 12582912.0f));
        const f32 v10 = __fmaf_rn(v9, __fmaf_rn(v9, __fmaf_rn(v9, __fmaf_rn(v9, 0.00015241285f, 0.0013391302f), 0.009618834f), 0.05550359f), 0.24022645f);
        const u32 v11 = (v7 < (-126.0f)) ? 0u : canonical(f32_of(canonical(__fmaf_rn(v9, __fmaf_rn(v9, v10, 0.6931472f), 1.0f)) + (canonical(v8) << 23u)));
        const u32 v12 = (v5 < positions_len) ? positions[v5] : 0u;
        const f32 v13 = __fmul_rn(f32_of(((canonical(v7) & 0x7fffffffu) > 0x7f800000u) ? 0x7fc00000u : ((v7 >= 128.0f) ? 0x7f800000u : v11)), f32_of_u32(v12));
        const u32 v14 = canonical(v13);
        const u32 v15 = 0x7fffffffu & v14;
        const bool v16 = v15 < 0x7f800000u;
        const bool v17 = v15 > 0x47ce4780u;
        if (v17) {
            const u32 v18 = (v15 & 0x7fffffu) | 0x800000u;
            const u32 v19 = (v15 >> 23u) - 120u;
            const u32 v20 = v19 >> 5u;
            const u32 v21 = v19 & 31u;
            const bool v22 = 1u == v20;
            const bool v23 = v20 == 2u;
            const bool v24 = v20 == 3u;
            const bool v25 = v20 == 4u;
            const u32 v26 = v25 ? 0xdb629599u : (v24 ? 0xf534ddc0u : (v23 ? 0xfc2757d1u : (v22 ? 0x4e441529u : 0xa2f9836eu)));
            const u32 v27 = v25 ? 0x3c439041u : (v24 ? 0xdb629599u : (v23 ? 0xf534ddc0u : (v22 ? 0xfc2757d1u : 0x4e441529u)));
            const bool v28 = 0u == v21;
            const u32 v29 = 32u - v21;
            const u32 v30 = ((v25 ? 0xf534ddc0u : (v24 ? 0xfc2757d1u : (v23 ? 0x4e441529u : (v22 ? 0xa2f9836eu : 0u)))) << (v21 & 31u)) | (v28 ? 0u : (v26 >> (v29 & 31u)));
            const u32 v31 = (v26 << (v21 & 31u)) | (v28 ? 0u : (v27 >> (v29 & 31u)));
            const u32 v32 = v28 ? 0u : ((v25 ? 0xfe5163abu : (v24 ? 0x3c439041u : (v23 ? 0xdb629599u : (v22 ? 0xf534ddc0u : 0xfc2757d1u)))) >> (v29 & 31u));
            const u32 v33 = mul_high_u32(v18, (v27 << (v21 & 31u)) | v32);
            const u32 v34 = v33 + (v18 * v31);
            const u32 v35 = ((v18 * v30) + mul_high_u32(v18, v31)) + ((v34 < v33) ? 1u : 0u);
            const u32 v36 = (v35 + 0x20000000u) >> 30u;
            const u32 v37 = v35 - (v36 << 30u);
            const u32 v38 = (u32)((i32)v37 >> 31u);
            const u32 v39 = 1u & v38;
            const u32 v40 = (v34 ^ v38) + v39;
            const u32 v41 = (v37 ^ v38) + ((0u == v40) ? v39 : 0u);
            const f32 v42 = f32_of_i32(v41 >> 16u);
            const f32 v43 = f32_of_i32(v41 & 65535u);
            const f32 v44 = __fmaf_rn(v42, 65536.0f, v43);
            const f32 v45 = __fmaf_rn(1.5258789e-5f, __fmaf_rn(f32_of_i32(v40 & 65535u), 1.5258789e-5f, f32_of_i32(v40 >> 16u)), __fsub_rn(v43, __fsub_rn(v44, __fmul_rn(v42, 65536.0f))));
            const f32 v46 = __fmul_rn(v44, 1.5707964f);
            const f32 v47 = __fmul_rn(__fadd_rn(v46, __fmaf_rn(v45, 1.5707964f, __fmaf_rn(v44, (-4.371139e-8f), __fmaf_rn(v44, 1.5707964f, -v46)))), 9.313226e-10f);
            join = f32_of(((v14 ^ v38) & 0x80000000u) ^ canonical(v47));
            join_2 = (0x80000000u == (v14 & 0x80000000u)) ? (0u - v36) : v36;
        } else {
            const f32 v48 = __fmaf_rn(v13, 0.63661975f, 12582912.0f);
            const f32 v49 = -__fsub_rn(v48, 12582912.0f);
            join = __fmaf_rn(v49, (-1.7151245e-15f), __fmaf_rn(v49, (-4.371139e-8f), __fmaf_rn(v49, 1.5707964f, v13)));
            join_2 = canonical(v48);
        }
        const f32 v50 = join;
        const u32 v51 = 1u + join_2;
        const f32 v52 = __fmul_rn(v50, v50);
        const f32 v53 = __fmaf_rn(__fmaf_rn(v52, __fmaf_rn(v52, __fmaf_rn(v52, 2.8005443e-6f, (-0.00019849911f)), 0.008333372f), (-0.16666667f)), __fmul_rn(v50, v52), v50);
        const f32 v54 = __fmaf_rn(v52, __fmaf_rn(v52, __fmaf_rn(v52, __fmaf_rn(v52, 2.4432564e-5f, (-0.0013887311f)), 0.041666646f), (-0.5f)), 1.0f);
        const f32 v55 = f32_of(v16 ? (canonical((0u == (1u & v51)) ? v53 : v54) ^ ((v51 & 2u) << 30u)) : 0x7fc00000u);
        if (v17) {
            const u32 v56 = (v15 & 0x7fffffu) | 0x800000u;
            const u32 v57 = (v15 >> 23u) - 120u;
            const u32 v58 = v57 >> 5u;
            const u32 v59 = v57 & 31u;
            const bool v60 = 1u == v58;
            const bool v61 = 2u == v58;
            const bool v62 = v58 == 3u;
            const bool v63 = v58 == 4u;
            const u32 v64 = v63 ? 0xdb629599u : (v62 ? 0xf534ddc0u : (v61 ? 0xfc2757d1u : (v60 ? 0x4e441529u : 0xa2f9836eu)));
            const u32 v65 = v63 ? 0x3c439041u : (v62 ? 0xdb629599u : (v61 ? 0xf534ddc0u : (v60 ? 0xfc2757d1u : 0x4e441529u)));
            const bool v66 = 0u == v59;
            const u32 v67 = 32u - v59;
            const u32 v68 = ((v63 ? 0xf534ddc0u : (v62 ? 0xfc2757d1u : (v61 ? 0x4e441529u : (v60 ? 0xa2f9836eu : 0u)))) << (v59 & 31u)) | (v66 ? 0u : (v64 >> (v67 & 31u)));
            const u32 v69 = (v64 << (v59 & 31u)) | (v66 ? 0u : (v65 >> (v67 & 31u)));
            const u32 v70 = v66 ? 0u : ((v63 ? 0xfe5163abu : (v62 ? 0x3c439041u : (v61 ? 0xdb629599u : (v60 ? 0xf534ddc0u : 0xfc2757d1u)))) >> (v67 & 31u));
            const u32 v71 = mul_high_u32(v56, (v65 << (v59 & 31u)) | v70);
            const u32 v72 = v71 + (v56 * v69);
            const u32 v73 = ((v56 * v68) + mul_high_u32(v56, v69)) + ((v72 < v71) ? 1u : 0u);
            const u32 v74 = (v73 + 0x20000000u) >> 30u;
            const u32 v75 = v73 - (v74 << 30u);
            const u32 v76 = (u32)((i32)v75 >> 31u);
            const u32 v77 = 1u & v76;
            const u32 v78 = (v72 ^ v76) + v77;
            const u32 v79 = (v75 ^ v76) + ((0u == v78) ? v77 : 0u);
            const f32 v80 = f32_of_i32(v79 >> 16u);
            const f32 v81 = f32_of_i32(v79 & 65535u);
            const f32 v82 = __fmaf_rn(v80, 65536.0f, v81);
            const f32 v83 = __fmaf_rn(1.5258789e-5f, __fmaf_rn(f32_of_i32(v78 & 65535u), 1.5258789e-5f, f32_of_i32(v78 >> 16u)), __fsub_rn(v81, __fsub_rn(v82, __fmul_rn(v80, 65536.0f))));
            const f32 v84 = __fmul_rn(v82, 1.5707964f);
            const f32 v85 = __fmul_rn(__fadd_rn(v84, __fmaf_rn(v83, 1.5707964f, __fmaf_rn(v82, (-4.371139e-8f), __fmaf_rn(v82, 1.5707964f, -v84)))), 9.313226e-10f);
            join_3 = f32_of(((v14 ^ v76) & 0x80000000u) ^ canonical(v85));
            join_4 = (0x80000000u == (v14 & 0x80000000u)) ? (0u - v74) : v74;
        } else {
            const f32 v86 = __fmaf_rn(v13, 0.63661975f, 12582912.0f);
            const f32 v87 = -__fsub_rn(v86, 12582912.0f);
            join_3 = __fmaf_rn(v87, (-1.7151245e-15f), __fmaf_rn(v87, (-4.371139e-8f), __fmaf_rn(v87, 1.5707964f, v13)));
            join_4 = canonical(v86);
        }
        const f32 v88 = join_3;
        const u32 v89 = join_4;
        const f32 v90 = __fmul_rn(v88, v88);
        const f32 v91 = __fmaf_rn(__fmaf_rn(v90, __fmaf_rn(v90, __fmaf_rn(2.8005443e-6f, v90, (-0.00019849911f)), 0.008333372f), (-0.16666667f)), __fmul_rn(v88, v90), v88);
        const f32 v92 = __fmaf_rn(v90, __fmaf_rn(v90, __fmaf_rn(v90, __fmaf_rn(2.4432564e-5f, v90, (-0.0013887311f)), 0.041666646f), (-0.5f)), 1.0f);
        const f32 v93 = f32_of(v16 ? ((v15 < 0x39000000u) ? v14 : (canonical((0u == (1u & v89)) ? v91 : v92) ^ ((2u & v89) << 30u))) : 0x7fc00000u);
        const u64 v94 = v6 + (u64)v3;
        const f32 v95 = (v94 < x_len) ? x[v94] : 0.0f;
        const u64 v96 = v6 + (u64)(v3 + v4);
        const f32 v97 = (v96 < x_len) ? x[v96] : 0.0f;
        if (v94 < y_len) {
            y[v94] = stored(__fsub_rn(__fmul_rn(v55, v95), __fmul_rn(v93, v97)));
        }
        if (v96 < y_len) {
            y[v96] = stored(__fadd_rn(__fmul_rn(v55, v97), __fmul_rn(v93, v95)));
        }
    } else {
        if (v3 < (v4 + (v0 - v1))) {
            const u64 v98 = v6 + (u64)(v3 + v4);
            const f32 v99 = (v98 < x_len) ? x[v98] : 0.0f;
            if (v98 < y_len) {
                y[v98] = stored(v99);
            }
        }
    }
}
