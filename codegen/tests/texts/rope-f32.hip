extern "C" __attribute__((global, amdgpu_flat_work_group_size(64, 64)))
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
    u32 skip,
    u32 axes,
    u32 log2_theta,
    u32 scale,
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
    const u32 v3 = skip;
    const u32 v4 = axes;
    const f32 v5 = f32_of(log2_theta);
    const f32 v6 = f32_of(scale);
    const u32 v7 = (first_x + __builtin_amdgcn_workgroup_id_x()) * 64u + __builtin_amdgcn_workitem_id_x();
    const u32 v8 = v2 >> 1u;
    const u32 v9 = (first_y + __builtin_amdgcn_workgroup_id_y()) * 8u;
    const u32 v10 = min_of(8u, v0 - v9);
    const u32 v11 = first_z + __builtin_amdgcn_workgroup_id_z();
    const u64 v12 = (u64)v1;
    const u64 v13 = (((u64)v11 * (u64)v0) + (u64)v9) * v12;
    if (v7 < v8) {
        const u32 v14 = div_u32(v2, v4);
        const u32 v15 = v14 >> 1u;
        const u32 v16 = div_u32(v7, v15);
        const u32 v17 = rem_u32(v7, v15);
        const u32 v18 = v17 + (v14 * v16);
        const f32 v19 = (-v5) * ((f32_of_u32(v17) * 2.0f) / f32_of_u32(v14));
        const f32 v20 = v19 + 12582912.0f;
        const f32 v21 = v19 - (v20 - 12582912.0f);
        const f32 v22 = __builtin_fmaf(v21, __builtin_fmaf(v21, __builtin_fmaf(v21, __builtin_fmaf(v21, 0.00015241285f, 0.0013391302f), 0.009618834f), 0.05550359f), 0.24022645f);
        const u32 v23 = pick(v19 < (-126.0f), 0u, min_of(bits_of(__builtin_fmaf(v21, __builtin_fmaf(v21, v22, 0.6931472f), 1.0f)) + (bits_of(v20) << 23u), 0x7f800000u));
        const u32 v24 = v16 + (v4 * v11);
        const u32 v25 = (v24 < positions_len) ? positions[v24] : 0u;
        const f32 v26 = f32_of(pick(v19 != v19, 0x7fc00000u, pick(v19 >= 128.0f, 0x7f800000u, v23))) * f32_of_u32(v25);
        const u32 v27 = canonical(v26);
        const u32 v28 = 0x7fffffffu & v27;
        const bool v29 = v28 < 0x7f800000u;
        const bool v30 = v28 > 0x47ce4780u;
        if (v30) {
            const u32 v31 = (v28 & 0x7fffffu) | 0x800000u;
            const u32 v32 = (v28 >> 23u) - 120u;
            const u32 v33 = v32 >> 5u;
            const u32 v34 = v32 & 31u;
            const bool v35 = 1u == v33;
            const bool v36 = v33 == 2u;
            const bool v37 = v33 == 3u;
            const bool v38 = v33 == 4u;
            const u32 v39 = pick(v38, 0xdb629599u, pick(v37, 0xf534ddc0u, pick(v36, 0xfc2757d1u, chosen(v35, 0x4e441529u, 0xa2f9836eu))));
            const u32 v40 = pick(v38, 0x3c439041u, pick(v37, 0xdb629599u, pick(v36, 0xf534ddc0u, chosen(v35, 0xfc2757d1u, 0x4e441529u))));
            const bool v41 = 0u == v34;
            const u32 v42 = 32u - v34;
            const u32 v43 = (pick(v38, 0xf534ddc0u, pick(v37, 0xfc2757d1u, pick(v36, 0x4e441529u, chosen(v35, 0xa2f9836eu, 0u)))) << (v34 & 31u)) | pick(v41, 0u, v39 >> (v42 & 31u));
            const u32 v44 = (v39 << (v34 & 31u)) | pick(v41, 0u, v40 >> (v42 & 31u));
            const u32 v45 = pick(v38, 0xfe5163abu, pick(v37, 0x3c439041u, pick(v36, 0xdb629599u, chosen(v35, 0xf534ddc0u, 0xfc2757d1u)))) >> (v42 & 31u);
            const u32 v46 = mul_high_u32(v31, (v40 << (v34 & 31u)) | pick(v41, 0u, v45));
            const u32 v47 = v46 + (v31 * v44);
            const u32 v48 = ((v31 * v43) + mul_high_u32(v31, v44)) + chosen(v47 < v46, 1u, 0u);
            const u32 v49 = (v48 + 0x20000000u) >> 30u;
            const u32 v50 = v48 - (v49 << 30u);
            const u32 v51 = (u32)((i32)v50 >> 31u);
            const u32 v52 = 1u & v51;
            const u32 v53 = (v47 ^ v51) + v52;
            const u32 v54 = (v50 ^ v51) + pick(0u == v53, v52, 0u);
            const f32 v55 = f32_of_i32(v54 >> 16u);
            const f32 v56 = f32_of_i32(v54 & 65535u);
            const f32 v57 = __builtin_fmaf(v55, 65536.0f, v56);
            const f32 v58 = __builtin_fmaf(1.5258789e-5f, __builtin_fmaf(f32_of_i32(v53 & 65535u), 1.5258789e-5f, f32_of_i32(v53 >> 16u)), v56 - (v57 - (v55 * 65536.0f)));
            const f32 v59 = v57 * 1.5707964f;
            const f32 v60 = (v59 + __builtin_fmaf(v58, 1.5707964f, __builtin_fmaf(v57, (-4.371139e-8f), __builtin_fmaf(v57, 1.5707964f, -v59)))) * 9.313226e-10f;
            join = f32_of(((v27 ^ v51) & 0x80000000u) ^ bits_of(v60));
            join_2 = pick(0x80000000u == (v27 & 0x80000000u), 0u - v49, v49);
        } else {
            const f32 v61 = __builtin_fmaf(v26, 0.63661975f, 12582912.0f);
            const f32 v62 = -(v61 - 12582912.0f);
            join = __builtin_fmaf(v62, (-1.7151245e-15f), __builtin_fmaf(v62, (-4.371139e-8f), __builtin_fmaf(v62, 1.5707964f, v26)));
            join_2 = canonical(v61);
        }
        const f32 v63 = join;
        const u32 v64 = 1u + join_2;
        const f32 v65 = v63 * v63;
        const f32 v66 = __builtin_fmaf(v65, __builtin_fmaf(v65, __builtin_fmaf(v65, 2.8005443e-6f, (-0.00019849911f)), 0.008333372f), (-0.16666667f));
        const f32 v67 = __builtin_fmaf(v65, __builtin_fmaf(v65, __builtin_fmaf(v65, __builtin_fmaf(v65, 2.4432564e-5f, (-0.0013887311f)), 0.041666646f), (-0.5f)), 1.0f);
        const u32 v68 = chosen(v29, canonical(chosen(0u == (1u & v64), __builtin_fmaf(v66, v63 * v65, v63), v67)) ^ ((v64 & 2u) << 30u), 0x7fc00000u);
        const f32 v69 = v6 * f32_of(v68);
        if (v30) {
            const u32 v70 = (v28 & 0x7fffffu) | 0x800000u;
            const u32 v71 = (v28 >> 23u) - 120u;
            const u32 v72 = v71 >> 5u;
            const u32 v73 = v71 & 31u;
            const bool v74 = 1u == v72;
            const bool v75 = 2u == v72;
            const bool v76 = v72 == 3u;
            const bool v77 = v72 == 4u;
            const u32 v78 = pick(v77, 0xdb629599u, pick(v76, 0xf534ddc0u, pick(v75, 0xfc2757d1u, chosen(v74, 0x4e441529u, 0xa2f9836eu))));
            const u32 v79 = pick(v77, 0x3c439041u, pick(v76, 0xdb629599u, pick(v75, 0xf534ddc0u, chosen(v74, 0xfc2757d1u, 0x4e441529u))));
            const bool v80 = 0u == v73;
            const u32 v81 = 32u - v73;
            const u32 v82 = (pick(v77, 0xf534ddc0u, pick(v76, 0xfc2757d1u, pick(v75, 0x4e441529u, chosen(v74, 0xa2f9836eu, 0u)))) << (v73 & 31u)) | pick(v80, 0u, v78 >> (v81 & 31u));
            const u32 v83 = (v78 << (v73 & 31u)) | pick(v80, 0u, v79 >> (v81 & 31u));
            const u32 v84 = pick(v77, 0xfe5163abu, pick(v76, 0x3c439041u, pick(v75, 0xdb629599u, chosen(v74, 0xf534ddc0u, 0xfc2757d1u)))) >> (v81 & 31u);
            const u32 v85 = mul_high_u32(v70, (v79 << (v73 & 31u)) | pick(v80, 0u, v84));
            const u32 v86 = v85 + (v70 * v83);
            const u32 v87 = ((v70 * v82) + mul_high_u32(v70, v83)) + chosen(v86 < v85, 1u, 0u);
            const u32 v88 = (v87 + 0x20000000u) >> 30u;
            const u32 v89 = v87 - (v88 << 30u);
            const u32 v90 = (u32)((i32)v89 >> 31u);
            const u32 v91 = 1u & v90;
            const u32 v92 = (v86 ^ v90) + v91;
            const u32 v93 = (v89 ^ v90) + pick(0u == v92, v91, 0u);
            const f32 v94 = f32_of_i32(v93 >> 16u);
            const f32 v95 = f32_of_i32(v93 & 65535u);
            const f32 v96 = __builtin_fmaf(v94, 65536.0f, v95);
            const f32 v97 = __builtin_fmaf(1.5258789e-5f, __builtin_fmaf(f32_of_i32(v92 & 65535u), 1.5258789e-5f, f32_of_i32(v92 >> 16u)), v95 - (v96 - (v94 * 65536.0f)));
            const f32 v98 = v96 * 1.5707964f;
            const f32 v99 = (v98 + __builtin_fmaf(v97, 1.5707964f, __builtin_fmaf(v96, (-4.371139e-8f), __builtin_fmaf(v96, 1.5707964f, -v98)))) * 9.313226e-10f;
            join_3 = f32_of(((v27 ^ v90) & 0x80000000u) ^ bits_of(v99));
            join_4 = pick(0x80000000u == (v27 & 0x80000000u), 0u - v88, v88);
        } else {
            const f32 v100 = __builtin_fmaf(v26, 0.63661975f, 12582912.0f);
            const f32 v101 = -(v100 - 12582912.0f);
            join_3 = __builtin_fmaf(v101, (-1.7151245e-15f), __builtin_fmaf(v101, (-4.371139e-8f), __builtin_fmaf(v101, 1.5707964f, v26)));
            join_4 = canonical(v100);
        }
        const f32 v102 = join_3;
        const u32 v103 = join_4;
        const f32 v104 = v102 * v102;
        const f32 v105 = __builtin_fmaf(v104, __builtin_fmaf(v104, __builtin_fmaf(2.8005443e-6f, v104, (-0.00019849911f)), 0.008333372f), (-0.16666667f));
        const f32 v106 = __builtin_fmaf(v104, __builtin_fmaf(v104, __builtin_fmaf(v104, __builtin_fmaf(2.4432564e-5f, v104, (-0.0013887311f)), 0.041666646f), (-0.5f)), 1.0f);
        const u32 v107 = pick(v28 < 0x39000000u, v27, canonical(chosen(0u == (1u & v103), __builtin_fmaf(v105, v102 * v104, v102), v106)) ^ ((2u & v103) << 30u));
        const f32 v108 = v6 * f32_of(pick(v29, v107, 0x7fc00000u));
        const u64 v109 = (u64)(v3 + v18);
        const u64 v110 = (u64)(v18 + (v3 + v15));
        for (u32 i = 0u; i < v10; i += 1u) {
            const u64 v111 = v12 * (u64)i;
            const u64 v112 = v13 + (v109 + v111);
            const f32 v113 = (v112 < x_len) ? x[v112] : 0.0f;
            const u64 v114 = v13 + (v110 + v111);
            const f32 v115 = (v114 < x_len) ? x[v114] : 0.0f;
            if (v112 < y_len) {
                y[v112] = stored((v69 * v113) - (v108 * v115));
            }
            if (v114 < y_len) {
                y[v114] = stored((v69 * v115) + (v108 * v113));
            }
        }
    } else {
        if (v7 < (v8 + (v1 - v2))) {
            const u32 v116 = v7 - v8;
            const u64 v117 = (u64)pick(v116 < v3, v116, v2 + v116);
            for (u32 i_1 = 0u; i_1 < v10; i_1 += 1u) {
                const u64 v118 = v13 + (v117 + (v12 * (u64)i_1));
                const f32 v119 = (v118 < x_len) ? x[v118] : 0.0f;
                if (v118 < y_len) {
                    y[v118] = stored(v119);
                }
            }
        }
    }
}
