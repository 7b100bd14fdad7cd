extern "C" __global__ __launch_bounds__(256)
void add(
    const f32* __restrict__ a,
    const f32* __restrict__ b,
    f32* y,
    u32 first_x,
    u32 n,
    u64 a_len,
    u64 b_len,
    u64 y_len) {
    const u32 v0 = n;
    const u32 v1 = ((first_x + blockIdx.x) * 256u + threadIdx.x) * 4u;
    if (v1 < v0) {
        if ((v0 - v1) >= 4u) {
            const bool v2 = (u64)v1 + 3 < a_len;
            const u32x4 v3 = v2 ? *(const u32x4*)(a + v1) : u32x4_of(0u, 0u, 0u, 0u);
            const f32 v4 = f32_of(v3.x);
            const f32 v5 = f32_of(v3.y);
            const f32 v6 = f32_of(v3.z);
            const f32 v7 = f32_of(v3.w);
            const bool v8 = (u64)v1 + 3 < b_len;
            const u32x4 v9 = v8 ? *(const u32x4*)(b + v1) : u32x4_of(0u, 0u, 0u, 0u);
            const f32 v10 = f32_of(v9.x);
            const f32 v11 = f32_of(v9.y);
            const f32 v12 = f32_of(v9.z);
            const f32 v13 = f32_of(v9.w);
            if ((u64)v1 + 3 < y_len) {
                *(u32x4*)(y + v1) = u32x4_of(canonical(__fadd_rn(v4, v10)), canonical(__fadd_rn(v5, v11)), canonical(__fadd_rn(v6, v12)), canonical(__fadd_rn(v7, v13)));
            }
        } else {
            for (u32 i = v1; i < v0; i += 1u) {
                const f32 v14 = (i < a_len) ? a[i] : 0.0f;
                const f32 v15 = (i < b_len) ? b[i] : 0.0f;
                if (i < y_len) {
                    y[i] = stored(__fadd_rn(v14, v15));
                }
            }
        }
    }
}
