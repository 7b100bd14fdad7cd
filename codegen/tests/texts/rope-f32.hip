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
    const u32 v4 = (first_x + __builtin_amdgcn_workgroup_id_x()) * 64u + __builtin_amdgcn_workitem_id_x();
    const u32 v5 = v2 >> 1u;
    const u32 v6 = (first_y + __builtin_amdgcn_workgroup_id_y()) * 8u;
    const u32 v7 = min_of(8u, v0 - v6);
    const u32 v8 = first_z + __builtin_amdgcn_workgroup_id_z();
    const u64 v9 = (u64)v1;
    const u64 v10 = (((u64)v8 * (u64)v0) + (u64)v6) * v9;
    if (v4 < v5) {
        const f32 v11 = (-v3) * ((f32_of_u32(v4) * 2.0f) / f32_of_u32(v2));
        const f32 v12 = v11 + 12582912.0f;
        const f32 v13 = v11 - (v12 - 12582912.0f);
        const f32 v14 = __builtin_fmaf(v13, __builtin_fmaf(v13, __builtin_fmaf(v13, __builtin_fmaf(v13, 0.00015241285f, 0.0013391302f), 0.009618834f), 0.05550359f), 0.24022645f);
        const u32 v15 = pick(v11 < (-126.0f), 0u, min_of(bits_of(__builtin_fmaf(v13, __builtin_fmaf(v13, v14, 0.6931472f), 1.0f)) + (bits_of(v12) << 23u), 0x7f800000u));
        const u32 v16 = (v8 < positions_len) ? positions[v8] : 0u;
        const f32 v17 = f32_of(pick(v11 != v11, 0x7fc00000u, pick(v11 >= 128.0f, 0x7f800000u, v15))) * f32_of_u32(v16);
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
            const f32 v48 = __builtin_fmaf(v46, 65536.0f, v47);
            const f32 v49 = __builtin_fmaf(1.5258789e-5f, __builtin_fmaf(f32_of_i32(v44 & 65535u), 1.5258789e-5f, f32_of_i32(v44 >> 16u)), v47 - (v48 - (v46 * 65536.0f)));
            const f32 v50 = v48 * 1.5707964f;
            const f32 v51 = (v50 + __builtin_fmaf(v49, 1.5707964f, __builtin_fmaf(v48, (-4.371139e-8f), __builtin_fmaf(v48, 1.5707964f, -v50)))) * 9.313226e-10f;
            join = f32_of(((v18 ^ v42) & 0x80000000u) ^ bits_of(v51));
            join_2 = pick(0x80000000u == (v18 & 0x80000000u), 0u - v40, v40);
        } else {
            const f32 v52 = __builtin_fmaf(v17, 0.63661975f, 12582912.0f);
            const f32 v53 = -(v52 - 12582912.0f);
            join = __builtin_fmaf(v53, (-1.7151245e-15f), __builtin_fmaf(v53, (-4.371139e-8f), __builtin_fmaf(v53, 1.5707964f, v17)));
            join_2 = canonical(v52);
        }
        const f32 v54 = join;
        const u32 v55 = 1u + join_2;
        const f32 v56 = v54 * v54;
        const f32 v57 = __builtin_fmaf(v56, __builtin_fmaf(v56, __builtin_fmaf(v56, 2.8005443e-6f, (-0.00019849911f)), 0.008333372f), (-0.16666667f));
        const f32 v58 = __builtin_fmaf(v56, __builtin_fmaf(v56, __builtin_fmaf(v56, __builtin_fmaf(v56, 2.4432564e-5f, (-0.0013887311f)), 0.041666646f), (-0.5f)), 1.0f);
        const u32 v59 = chosen(v20, canonical(chosen(0u == (1u & v55), __builtin_fmaf(v57, v54 * v56, v54), v58)) ^ ((v55 & 2u) << 30u), 0x7fc00000u);
        const f32 v60 = f32_of(v59);
        if (v21) {
            const u32 v61 = (v19 & 0x7fffffu) | 0x800000u;
            const u32 v62 = (v19 >> 23u) - 120u;
            const u32 v63 = v62 >> 5u;
            const u32 v64 = v62 & 31u;
            const bool v65 = 1u == v63;
            const bool v66 = 2u == v63;
            const bool v67 = v63 == 3u;
            const bool v68 = v63 == 4u;
            const u32 v69 = pick(v68, 0xdb629599u, pick(v67, 0xf534ddc0u, pick(v66, 0xfc2757d1u, chosen(v65, 0x4e441529u, 0xa2f9836eu))));
            const u32 v70 = pick(v68, 0x3c439041u, pick(v67, 0xdb629599u, pick(v66, 0xf534ddc0u, chosen(v65, 0xfc2757d1u, 0x4e441529u))));
            const bool v71 = 0u == v64;
            const u32 v72 = 32u - v64;
            const u32 v73 = (pick(v68, 0xf534ddc0u, pick(v67, 0xfc2757d1u, pick(v66, 0x4e441529u, chosen(v65, 0xa2f9836eu, 0u)))) << (v64 & 31u)) | pick(v71, 0u, v69 >> (v72 & 31u));
            const u32 v74 = (v69 << (v64 & 31u)) | pick(v71, 0u, v70 >> (v72 & 31u));
            const u32 v75 = pick(v68, 0xfe5163abu, pick(v67, 0x3c439041u, pick(v66, 0xdb629599u, chosen(v65, 0xf534ddc0u, 0xfc2757d1u)))) >> (v72 & 31u);
            const u32 v76 = mul_high_u32(v61, (v70 << (v64 & 31u)) | pick(v71, 0u, v75));
            const u32 v77 = v76 + (v61 * v74);
            const u32 v78 = ((v61 * v73) + mul_high_u32(v61, v74)) + chosen(v77 < v76, 1u, 0u);
            const u32 v79 = (v78 + 0x20000000u) >> 30u;
            const u32 v80 = v78 - (v79 << 30u);
            const u32 v81 = (u32)((i32)v80 >> 31u);
            const u32 v82 = 1u & v81;
            const u32 v83 = (v77 ^ v81) + v82;
            const u32 v84 = (v80 ^ v81) + pick(0u == v83, v82, 0u);
            const f32 v85 = f32_of_i32(v84 >> 16u);
            const f32 v86 = f32_of_i32(v84 & 65535u);
            const f32 v87 = __builtin_fmaf(v85, 65536.0f, v86);
            const f32 v88 = __builtin_fmaf(1.5258789e-5f, __builtin_fmaf(f32_of_i32(v83 & 65535u), 1.5258789e-5f, f32_of_i32(v83 >> 16u)), v86 - (v87 - (v85 * 65536.0f)));
            const f32 v89 = v87 * 1.5707964f;
            const f32 v90 = (v89 + __builtin_fmaf(v88, 1.5707964f, __builtin_fmaf(v87, (-4.371139e-8f), __builtin_fmaf(v87, 1.5707964f, -v89)))) * 9.313226e-10f;
            join_3 = f32_of(((v18 ^ v81) & 0x80000000u) ^ bits_of(v90));
            join_4 = pick(0x80000000u == (v18 & 0x80000000u), 0u - v79, v79);
        } else {
            const f32 v91 = __builtin_fmaf(v17, 0.63661975f, 12582912.0f);
            const f32 v92 = -(v91 - 12582912.0f);
            join_3 = __builtin_fmaf(v92, (-1.7151245e-15f), __builtin_fmaf(v92, (-4.371139e-8f), __builtin_fmaf(v92, 1.5707964f, v17)));
            join_4 = canonical(v91);
        }
        const f32 v93 = join_3;
        const u32 v94 = join_4;
        const f32 v95 = v93 * v93;
        const f32 v96 = __builtin_fmaf(v95, __builtin_fmaf(v95, __builtin_fmaf(2.8005443e-6f, v95, (-0.00019849911f)), 0.008333372f), (-0.16666667f));
        const f32 v97 = __builtin_fmaf(v95, __builtin_fmaf(v95, __builtin_fmaf(v95, __builtin_fmaf(2.4432564e-5f, v95, (-0.0013887311f)), 0.041666646f), (-0.5f)), 1.0f);
        const u32 v98 = pick(v19 < 0x39000000u, v18, canonical(chosen(0u == (1u & v94), __builtin_fmaf(v96, v93 * v95, v93), v97)) ^ ((2u & v94) << 30u));
        const f32 v99 = f32_of(pick(v20, v98, 0x7fc00000u));
        const u64 v100 = (u64)v4;
        const u64 v101 = (u64)(v4 + v5);
        for (u32 i = 0u; i < v7; i += 1u) {
            const u64 v102 = v9 * (u64)i;
            const u64 v103 = v10 + (v100 + v102);
            const f32 v104 = (v103 < x_len) ? x[v103] : 0.0f;
            const u64 v105 = v10 + (v101 + v102);
            const f32 v106 = (v105 < x_len) ? x[v105] : 0.0f;
            if (v103 < y_len) {
                y[v103] = stored((v60 * v104) - (v99 * v106));
            }
            if (v105 < y_len) {
                y[v105] = stored((v60 * v106) + (v99 * v104));
            }
        }
    } else {
        if (v4 < (v5 + (v1 - v2))) {
            const u64 v107 = (u64)(v4 + v5);
            for (u32 i_1 = 0u; i_1 < v7; i_1 += 1u) {
                const u64 v108 = v10 + (v107 + (v9 * (u64)i_1));
                const f32 v109 = (v108 < x_len) ? x[v108] : 0.0f;
                if (v108 < y_len) {
                    y[v108] = stored(v109);
                }
            }
        }
    }
}
