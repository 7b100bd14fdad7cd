extern "C" __global__ __launch_bounds__(256)
void select(
    const u8* __restrict__ condition,
    const f32* __restrict__ a,
    const f32* __restrict__ b,
    f32* y,
    u32 first_x,
    u32 n,
    u64 condition_len,
    u64 a_len,
    u64 b_len,
    u64 y_len) {
    const u32 v0 = n;
    const u32 v1 = ((first_x + blockIdx.x) * 256u + threadIdx.x) * 4u;
    if (v1 < v0) {
        if ((v0 - v1) >= 4u) {
            const bool v2 = (u64)v1 + 3 < condition_len;
            const u32 v3 = v2 ? *(const u32*)(condition + v1) : 0u;
            const u32 v4 = v3 & 0xffu;
            const u32 v5 = v3 >> 8u & 0xffu;
            const u32 v6 = v3 >> 16u & 0xffu;
            const u32 v7 = v3 >> 24u;
            const bool v8 = (u64)v1 + 3 < a_len;
            const u32x4 v9 = v8 ? *(const u32x4*)(a + v1) : u32x4_of(0u, 0u, 0u, 0u);
            const f32 v10 = f32_of(v9.x);
            const f32 v11 = f32_of(v9.y);
            const f32 v12 = f32_of(v9.z);
            const f32 v13 = f32_of(v9.w);
            const bool v14 = (u64)v1 + 3 < b_len;
            const u32x4 v15 = v14 ? *(const u32x4*)(b + v1) : u32x4_of(0u, 0u, 0u, 0u);
            const f32 v16 = f32_of(v15.x);
            const f32 v17 = f32_of(v15.y);
            const f32 v18 = f32_of(v15.z);
            const f32 v19 = f32_of(v15.w);
            if ((u64)v1 + 3 < y_len) {
                *(u32x4*)(y + v1) = u32x4_of(canonical(pick(v4 != 0u, v10, v16)), canonical(pick(v5 != 0u, v11, v17)), canonical(pick(v6 != 0u, v12, v18)), canonical(pick(v7 != 0u, v13, v19)));
            }
        } else {
            for (u32 i = v1; i < v0; i += 1u) {
                const u32 v20 = (i < condition_len) ? condition[i] : 0u;
                const f32 v21 = (i < a_len) ? a[i] : 0.0f;
                const f32 v22 = (i < b_len) ? b[i] : 0.0f;
                if (i < y_len) {
                    y[i] = stored(pick(v20 != 0u, v21, v22));
                }
            }
        }
    }
}
