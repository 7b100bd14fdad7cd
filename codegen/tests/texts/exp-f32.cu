extern "C" __global__ __launch_bounds__(256)
void exp_1(
    const f32* __restrict__ x,
    f32* y,
    u32 first_x,
    u32 n,
    u64 x_len,
    u64 y_len) {
    const u32 v0 = n;
    const u32 v1 = ((first_x + blockIdx.x) * 256u + threadIdx.x) * 4u;
    if (v1 < v0) {
        if ((v0 - v1) >= 4u) {
            const bool v2 = (u64)v1 + 3 < x_len;
            const u32x4 v3 = v2 ? *(const u32x4*)(x + v1) : u32x4_of(0u, 0u, 0u, 0u);
            const f32 v4 = f32_of(v3.x);
            const f32 v5 = f32_of(v3.y);
            const f32 v6 = f32_of(v3.z);
            const f32 v7 = f32_of(v3.w);
            const f32 v8 = __fmaf_rn(v4, 1.442695f, 12582912.0f);
            const f32 v9 = -__fsub_rn(v8, 12582912.0f);
            const f32 v10 = __fmaf_rn(v9, (-1.9046542e-9f), __fmaf_rn(v9, 0.6931472f, v4));
            const f32 v11 = __fmaf_rn(v10, __fmaf_rn(v10, __fmaf_rn(v10, __fmaf_rn(v10, 0.0013782458f, 0.008368669f), 0.041668963f), 0.16666521f), 0.4999999f);
            const u32 v12 = pick(v4 < (-87.33654f), 0u, min_of((bits_of(v8) << 23u) + bits_of(__fmaf_rn(v10, __fmaf_rn(v10, v11, 1.0f), 1.0f)), 0x7f800000u));
            const f32 v13 = __fmaf_rn(1.442695f, v5, 12582912.0f);
            const f32 v14 = -__fsub_rn(v13, 12582912.0f);
            const f32 v15 = __fmaf_rn((-1.9046542e-9f), v14, __fmaf_rn(0.6931472f, v14, v5));
            const f32 v16 = __fmaf_rn(v15, __fmaf_rn(v15, __fmaf_rn(v15, __fmaf_rn(0.0013782458f, v15, 0.008368669f), 0.041668963f), 0.16666521f), 0.4999999f);
            const u32 v17 = pick(v5 < (-87.33654f), 0u, min_of(0x7f800000u, (bits_of(v13) << 23u) + bits_of(__fmaf_rn(v15, __fmaf_rn(v15, v16, 1.0f), 1.0f))));
            const f32 v18 = __fmaf_rn(1.442695f, v6, 12582912.0f);
            const f32 v19 = -__fsub_rn(v18, 12582912.0f);
            const f32 v20 = __fmaf_rn((-1.9046542e-9f), v19, __fmaf_rn(0.6931472f, v19, v6));
            const f32 v21 = __fmaf_rn(v20, __fmaf_rn(v20, __fmaf_rn(v20, __fmaf_rn(0.0013782458f, v20, 0.008368669f), 0.041668963f), 0.16666521f), 0.4999999f);
            const u32 v22 = pick(v6 < (-87.33654f), 0u, min_of(0x7f800000u, (bits_of(v18) << 23u) + bits_of(__fmaf_rn(v20, __fmaf_rn(v20, v21, 1.0f), 1.0f))));
            const f32 v23 = __fmaf_rn(1.442695f, v7, 12582912.0f);
            const f32 v24 = -__fsub_rn(v23, 12582912.0f);
            const f32 v25 = __fmaf_rn((-1.9046542e-9f), v24, __fmaf_rn(0.6931472f, v24, v7));
            const f32 v26 = __fmaf_rn(v25, __fmaf_rn(v25, __fmaf_rn(v25, __fmaf_rn(0.0013782458f, v25, 0.008368669f), 0.041668963f), 0.16666521f), 0.4999999f);
            const u32 v27 = pick(v7 < (-87.33654f), 0u, min_of(0x7f800000u, (bits_of(v23) << 23u) + bits_of(__fmaf_rn(v25, __fmaf_rn(v25, v26, 1.0f), 1.0f))));
            if ((u64)v1 + 3 < y_len) {
                *(u32x4*)(y + v1) = u32x4_of(bits_of(f32_of(pick(v4 != v4, 0x7fc00000u, pick(v4 >= 88.72284f, 0x7f800000u, v12)))), bits_of(f32_of(pick(v5 != v5, 0x7fc00000u, pick(v5 >= 88.72284f, 0x7f800000u, v17)))), bits_of(f32_of(pick(v6 != v6, 0x7fc00000u, pick(v6 >= 88.72284f, 0x7f800000u, v22)))), bits_of(f32_of(pick(v7 != v7, 0x7fc00000u, pick(v7 >= 88.72284f, 0x7f800000u, v27)))));
            }
        } else {
            for (u32 i = v1; i < v0; i += 1u) {
                const f32 v28 = (i < x_len) ? x[i] : 0.0f;
                const f32 v29 = __fmaf_rn(v28, 1.442695f, 12582912.0f);
                const f32 v30 = -__fsub_rn(v29, 12582912.0f);
                const f32 v31 = __fmaf_rn(v30, (-1.9046542e-9f), __fmaf_rn(v30, 0.6931472f, v28));
                const f32 v32 = __fmaf_rn(v31, __fmaf_rn(v31, __fmaf_rn(v31, __fmaf_rn(v31, 0.0013782458f, 0.008368669f), 0.041668963f), 0.16666521f), 0.4999999f);
                const u32 v33 = pick(v28 < (-87.33654f), 0u, min_of((bits_of(v29) << 23u) + bits_of(__fmaf_rn(v31, __fmaf_rn(v31, v32, 1.0f), 1.0f)), 0x7f800000u));
                if (i < y_len) {
                    y[i] = f32_of(pick(v28 != v28, 0x7fc00000u, pick(v28 >= 88.72284f, 0x7f800000u, v33)));
                }
            }
        }
    }
}
