extern "C" __global__ __launch_bounds__(256)
void add(
    const u16* __restrict__ a,
    const u16* __restrict__ b,
    u16* y,
    u32 first_x,
    u32 n,
    u64 a_len,
    u64 b_len,
    u64 y_len) {
    const u32 v0 = n;
    const u32 v1 = ((first_x + blockIdx.x) * 256u + threadIdx.x) * 8u;
    if (v1 < v0) {
        if ((v0 - v1) >= 8u) {
            const bool v2 = (u64)v1 + 7 < a_len;
            const u32x4 v3 = v2 ? *(const u32x4*)(a + v1) : u32x4_of(0u, 0u, 0u, 0u);
            const u32 v4 = v3.x & 0xffffu;
            const u32 v5 = v3.x >> 16u;
            const u32 v6 = v3.y & 0xffffu;
            const u32 v7 = v3.y >> 16u;
            const u32 v8 = v3.z & 0xffffu;
            const u32 v9 = v3.z >> 16u;
            const u32 v10 = v3.w & 0xffffu;
            const u32 v11 = v3.w >> 16u;
            const bool v12 = (u64)v1 + 7 < b_len;
            const u32x4 v13 = v12 ? *(const u32x4*)(b + v1) : u32x4_of(0u, 0u, 0u, 0u);
            const u32 v14 = v13.x & 0xffffu;
            const u32 v15 = v13.x >> 16u;
            const u32 v16 = v13.y & 0xffffu;
            const u32 v17 = v13.y >> 16u;
            const u32 v18 = v13.z & 0xffffu;
            const u32 v19 = v13.z >> 16u;
            const u32 v20 = v13.w & 0xffffu;
            const u32 v21 = v13.w >> 16u;
            if ((u64)v1 + 7 < y_len) {
                *(u32x4*)(y + v1) = u32x4_of((bf16_of_f32(__fadd_rn(f32_of(v4 << 16u), f32_of(v14 << 16u))) & 0xffffu) | bf16_of_f32(__fadd_rn(f32_of(v5 << 16u), f32_of(v15 << 16u))) << 16u, (bf16_of_f32(__fadd_rn(f32_of(v6 << 16u), f32_of(v16 << 16u))) & 0xffffu) | bf16_of_f32(__fadd_rn(f32_of(v7 << 16u), f32_of(v17 << 16u))) << 16u, (bf16_of_f32(__fadd_rn(f32_of(v8 << 16u), f32_of(v18 << 16u))) & 0xffffu) | bf16_of_f32(__fadd_rn(f32_of(v9 << 16u), f32_of(v19 << 16u))) << 16u, (bf16_of_f32(__fadd_rn(f32_of(v10 << 16u), f32_of(v20 << 16u))) & 0xffffu) | bf16_of_f32(__fadd_rn(f32_of(v11 << 16u), f32_of(v21 << 16u))) << 16u);
            }
        } else {
            for (u32 i = v1; i < v0; i += 1u) {
                const u32 v22 = (i < a_len) ? a[i] : 0u;
                const u32 v23 = (i < b_len) ? b[i] : 0u;
                if (i < y_len) {
                    y[i] = (u16)bf16_of_f32(__fadd_rn(f32_of(v22 << 16u), f32_of(v23 << 16u)));
                }
            }
        }
    }
}
