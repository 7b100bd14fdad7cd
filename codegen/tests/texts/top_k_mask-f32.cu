extern "C" __global__ __launch_bounds__(32)
void top_k_mask(
    const f32* __restrict__ x,
    f32* y,
    u32 first_x,
    u32 vocabulary,
    u32 k,
    u64 x_len,
    u64 y_len) {
    __shared__ f32 parts[1];
    __shared__ u32 parts_2[1];
    f32 acc_0;
    u32 least_key;
    u32 acc_2_0;
    u32 part_2;
    __shared__ u32 broadcast;
    const u32 v0 = vocabulary;
    const u32 v1 = k;
    const u64 v2 = (u64)(first_x + blockIdx.x) * (u64)v0;
    acc_0 = f32_of(0xff800000u);
    const u32 v3 = threadIdx.x;
    if (0u < v0) {
        bool i_goes = true;
        for (u32 i = 0u; i_goes; i_goes = v0 - i > 32u, i += 32u) {
            const u32 v4 = v3 + i;
            if (v4 < v0) {
                const u64 v5 = v2 + (u64)v4;
                const f32 v6 = (v5 < x_len) ? x[v5] : 0.0f;
                acc_0 = max_of(v6, acc_0);
            }
        }
    }
    const f32 v7 = acc_0;
    const f32 v8 = shuffle_xor(v7, 1u);
    const f32 v9 = max_of(v7, v8);
    const f32 v10 = shuffle_xor(v9, 2u);
    const f32 v11 = max_of(v9, v10);
    const f32 v12 = shuffle_xor(v11, 4u);
    const f32 v13 = max_of(v11, v12);
    const f32 v14 = shuffle_xor(v13, 8u);
    const f32 v15 = max_of(v13, v14);
    const f32 v16 = shuffle_xor(v15, 16u);
    const f32 v17 = shuffle(max_of(v15, v16), 0u);
    const bool v18 = 0u == v3;
    if (v18) {
        parts[0u] = v17;
    }
    barrier();
    const bool v19 = v3 < 1u;
    if (v19) {
        const f32 v20 = parts[v3];
    }
    least_key = 0u;
    for (u32 i_1 = 0u; i_1 < 32u; i_1 += 1u) {
        const u32 v21 = least_key;
        const u32 v22 = v21 | (1u << ((31u - i_1) & 31u));
        acc_2_0 = 0u;
        if (0u < v0) {
            bool i_2_goes = true;
            for (u32 i_2 = 0u; i_2_goes; i_2_goes = v0 - i_2 > 32u, i_2 += 32u) {
                const u32 v23 = v3 + i_2;
                if (v23 < v0) {
                    const u64 v24 = v2 + (u64)v23;
                    const f32 v25 = (v24 < x_len) ? x[v24] : 0.0f;
                    const u32 v26 = canonical(v25);
                    acc_2_0 = ((pick(v26 >= 0x80000000u, ~v26, 0x80000000u ^ v26) >= v22) ? 1u : 0u) + acc_2_0;
                }
            }
        }
        const u32 v27 = acc_2_0;
        const u32 v28 = shuffle_xor(v27, 1u);
        const u32 v29 = v27 + v28;
        const u32 v30 = shuffle_xor(v29, 2u);
        const u32 v31 = v29 + v30;
        const u32 v32 = shuffle_xor(v31, 4u);
        const u32 v33 = v31 + v32;
        const u32 v34 = shuffle_xor(v33, 8u);
        const u32 v35 = v33 + v34;
        const u32 v36 = shuffle_xor(v35, 16u);
        const u32 v37 = shuffle(v35 + v36, 0u);
        if (v18) {
            parts_2[0u] = v37;
        }
        barrier();
        part_2 = 0u;
        if (v19) {
            const u32 v38 = parts_2[v3];
            part_2 = v38;
        }
        const u32 v39 = part_2;
        const u32 v40 = shuffle_xor(v39, 1u);
        const u32 v41 = v39 + v40;
        const u32 v42 = shuffle_xor(v41, 2u);
        const u32 v43 = v41 + v42;
        const u32 v44 = shuffle_xor(v43, 4u);
        const u32 v45 = v43 + v44;
        const u32 v46 = shuffle_xor(v45, 8u);
        const u32 v47 = v45 + v46;
        const u32 v48 = shuffle_xor(v47, 16u);
        const u32 v49 = shuffle(v47 + v48, 0u);
        if (threadIdx.x == 0u) {
            broadcast = v49;
        }
        barrier();
        const u32 v50 = broadcast;
        barrier();
        least_key = pick(v50 >= v1, v22, v21);
        barrier();
    }
    if (v3 < v0) {
        bool i_3_goes = true;
        for (u32 i_3 = v3; i_3_goes; i_3_goes = v0 - i_3 > 32u, i_3 += 32u) {
            const u64 v51 = v2 + (u64)i_3;
            const f32 v52 = (v51 < x_len) ? x[v51] : 0.0f;
            const u32 v53 = canonical(v52);
            if (v51 < y_len) {
                y[v51] = stored(pick(pick(v53 >= 0x80000000u, ~v53, 0x80000000u ^ v53) >= least_key, v52, f32_of(0xff800000u)));
            }
        }
    }
}
