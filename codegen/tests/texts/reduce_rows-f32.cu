extern "C" __global__ __launch_bounds__(64)
void reduce_rows(
    const f32* __restrict__ x,
    f32* y,
    u32 grid_y,
    u32 first_x,
    u32 first_y,
    u32 row_elems,
    u64 x_len,
    u64 y_len) {
    __shared__ f32 parts[2];
    f32 acc_0;
    f32 part;
    const u32 v0 = row_elems;
    const u32 v1 = first_y + blockIdx.y;
    const u32 v2 = v1 * 0x10000u;
    const u64 v3 = (u64)(first_x + blockIdx.x);
    const u64 v4 = (v3 * (u64)v0) + (u64)v2;
    const u32 v5 = min_of(0x10000u, v0 - v2);
    acc_0 = (-0.0f);
    const u32 v6 = threadIdx.x;
    if (0u < v5) {
        bool i_goes = true;
        for (u32 i = 0u; i_goes; i_goes = v5 - i > 64u, i += 64u) {
            const u32 v7 = v6 + i;
            if (v7 < v5) {
                const u64 v8 = v4 + (u64)v7;
                const f32 v9 = (v8 < x_len) ? x[v8] : 0.0f;
                acc_0 = __fadd_rn(v9, acc_0);
            }
        }
    }
    const f32 v10 = acc_0;
    const f32 v11 = shuffle_xor(v10, 1u);
    const f32 v12 = __fadd_rn(v10, v11);
    const f32 v13 = shuffle_xor(v12, 2u);
    const f32 v14 = __fadd_rn(v12, v13);
    const f32 v15 = shuffle_xor(v14, 4u);
    const f32 v16 = __fadd_rn(v14, v15);
    const f32 v17 = shuffle_xor(v16, 8u);
    const f32 v18 = __fadd_rn(v16, v17);
    const f32 v19 = shuffle_xor(v18, 16u);
    const f32 v20 = shuffle(__fadd_rn(v18, v19), 0u);
    const u32 v21 = threadIdx.x & 31u;
    if (0u == v21) {
        const u32 v22 = threadIdx.x >> 5u;
        parts[v22] = v20;
    }
    barrier();
    part = (-0.0f);
    if (v21 < 2u) {
        const f32 v23 = parts[v21];
        part = v23;
    }
    const f32 v24 = part;
    const f32 v25 = shuffle_xor(v24, 1u);
    const f32 v26 = __fadd_rn(v24, v25);
    const f32 v27 = shuffle_xor(v26, 2u);
    const f32 v28 = __fadd_rn(v26, v27);
    const f32 v29 = shuffle_xor(v28, 4u);
    const f32 v30 = __fadd_rn(v28, v29);
    const f32 v31 = shuffle_xor(v30, 8u);
    const f32 v32 = __fadd_rn(v30, v31);
    const f32 v33 = shuffle_xor(v32, 16u);
    const f32 v34 = shuffle(__fadd_rn(v32, v33), 0u);
    if (0u == v6) {
        const u64 v35 = (v3 * (u64)grid_y) + (u64)v1;
        if (v35 < y_len) {
            y[v35] = stored(v34);
        }
    }
}
