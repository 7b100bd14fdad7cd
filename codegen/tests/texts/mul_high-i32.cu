extern "C" __global__ __launch_bounds__(256)
void mul_high(
    const u32* __restrict__ a,
    const u32* __restrict__ b,
    u32* y,
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
            const u32 v4 = v3.x;
            const u32 v5 = v3.y;
            const u32 v6 = v3.z;
            const u32 v7 = v3.w;
            const bool v8 = (u64)v1 + 3 < b_len;
            const u32x4 v9 = v8 ? *(const u32x4*)(b + v1) : u32x4_of(0u, 0u, 0u, 0u);
            const u32 v10 = v9.x;
            const u32 v11 = v9.y;
            const u32 v12 = v9.z;
            const u32 v13 = v9.w;
            if ((u64)v1 + 3 < y_len) {
                *(u32x4*)(y + v1) = u32x4_of(mul_high_i32(v4, v10), mul_high_i32(v5, v11), mul_high_i32(v6, v12), mul_high_i32(v7, v13));
            }
        } else {
            for (u32 i = v1; i < v0; i += 1u) {
                const u32 v14 = (i < a_len) ? a[i] : 0u;
                const u32 v15 = (i < b_len) ? b[i] : 0u;
                if (i < y_len) {
                    y[i] = mul_high_i32(v14, v15);
                }
            }
        }
    }
}
