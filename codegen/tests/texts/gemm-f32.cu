extern "C" __global__ __launch_bounds__(64)
void gemm(
    const f32* __restrict__ a,
    const f32* __restrict__ b,
    f32* y,
    u32 first_x,
    u32 first_y,
    u32 first_z,
    u32 m,
    u32 n,
    u32 k,
    u64 a_len,
    u64 b_len,
    u64 y_len,
    u64 a_stride0,
    u64 a_stride1,
    u64 a_stride2,
    u64 b_stride0,
    u64 b_stride1,
    u64 b_stride2,
    u64 a_offset,
    u64 b_offset) {
    __shared__ f32 a_slab[64];
    __shared__ f32 b_slab[128];
    f32 acc_0;
    f32 acc_1;
    f32 join;
    f32 join_2;
    f32 join_3;
    const u32 v0 = m;
    const u32 v1 = n;
    const u32 v2 = k;
    const u32 v3 = (first_y + blockIdx.y) * 8u;
    const u32 v4 = (first_x + blockIdx.x) * 16u;
    const u32 v5 = threadIdx.x;
    acc_0 = (-0.0f);
    acc_1 = (-0.0f);
    const u32 v6 = v5 >> 3u;
    const u32 v7 = v5 & 7u;
    const u32 v8 = v3 + v6;
    const bool v9 = v8 < v0;
    const u32 v10 = v6 + (8u * v7);
    const u64 v11 = (u64)(first_z + blockIdx.z);
    const u64 v12 = a_offset + (v11 * a_stride0);
    const u64 v13 = (u64)v8 * a_stride1;
    const u32 v14 = v5 & 15u;
    const u32 v15 = v5 >> 4u;
    const u32 v16 = v4 + v14;
    const bool v17 = v16 < v1;
    const u32 v18 = v14 + (16u * v15);
    const u64 v19 = b_offset + (v11 * b_stride0);
    const u64 v20 = (u64)v16 * b_stride2;
    const u32 v21 = v5 + 64u;
    const u32 v22 = 15u & v21;
    const u32 v23 = v21 >> 4u;
    const u32 v24 = v4 + v22;
    const bool v25 = v24 < v1;
    const u32 v26 = v22 + (16u * v23);
    const u64 v27 = b_stride2 * (u64)v24;
    const u32 v28 = (threadIdx.x / 16u) * 2u;
    const u32 v29 = threadIdx.x % 16u;
    if (0u < v2) {
        bool i_goes = true;
        for (u32 i = 0u; i_goes; i_goes = v2 - i > 8u, i += 8u) {
            const u32 v30 = v7 + i;
            if (v9 && (v30 < v2)) {
                const u64 v31 = v12 + (v13 + (a_stride2 * (u64)v30));
                const f32 v32 = (v31 < a_len) ? a[v31] : 0.0f;
                join = v32;
            } else {
                join = 0.0f;
            }
            a_slab[v10] = join;
            const u32 v33 = v15 + i;
            if (v17 && (v33 < v2)) {
                const u64 v34 = v19 + (v20 + (b_stride1 * (u64)v33));
                const f32 v35 = (v34 < b_len) ? b[v34] : 0.0f;
                join_2 = v35;
            } else {
                join_2 = (-0.0f);
            }
            b_slab[v18] = join_2;
            const u32 v36 = v23 + i;
            if (v25 && (v36 < v2)) {
                const u64 v37 = v19 + (v27 + (b_stride1 * (u64)v36));
                const f32 v38 = (v37 < b_len) ? b[v37] : 0.0f;
                join_3 = v38;
            } else {
                join_3 = (-0.0f);
            }
            b_slab[v26] = join_3;
            barrier();
            for (u32 i_1 = 0u; i_1 < 8u; i_1 += 1u) {
                const u32 v39 = v29 + (16u * i_1);
                const f32 v40 = b_slab[v39];
                const u32 v41 = v28 + (8u * i_1);
                const f32 v42 = a_slab[v41];
                const f32 v43 = a_slab[v41 + 1u];
                acc_0 = __fmaf_rn(v40, v42, acc_0);
                acc_1 = __fmaf_rn(v40, v43, acc_1);
            }
            barrier();
        }
    }
    const u32 v44 = v3 + v28;
    const u32 v45 = v4 + v29;
    const bool v46 = v45 < v1;
    if ((v44 < v0) && v46) {
        const u64 v47 = (u64)v1;
        const u64 v48 = ((v11 * (u64)v0) * v47) + (((u64)v44 * v47) + (u64)v45);
        if (v48 < y_len) {
            y[v48] = stored(acc_0);
        }
    }
    const u32 v49 = v28 + (v3 + 1u);
    if (v46 && (v49 < v0)) {
        const u64 v50 = (u64)v1;
        const u64 v51 = ((v11 * (u64)v0) * v50) + (((u64)v49 * v50) + (u64)v45);
        if (v51 < y_len) {
            y[v51] = stored(acc_1);
        }
    }
}
