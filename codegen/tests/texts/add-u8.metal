struct add_launch {
    u32 first_x;
    u32 n;
    u64 a_len;
    u64 b_len;
    u64 y_len;
};
[[max_total_threads_per_threadgroup(256)]]
kernel void add(
    device const u8* a [[buffer(0)]],
    device const u8* b [[buffer(1)]],
    device u8* y [[buffer(2)]],
    constant add_launch& launch [[buffer(3)]],
    uint thread_in_group [[thread_index_in_threadgroup]],
    uint3 group [[threadgroup_position_in_grid]]) {
    const u32 v0 = launch.n;
    const u32 v1 = ((launch.first_x + group.x) * 256u + thread_in_group) * 16u;
    if (v1 < v0) {
        if ((v0 - v1) >= 16u) {
            const bool v2 = (u64)v1 + 15 < launch.a_len;
            const u32x4 v3 = v2 ? *(device const u32x4*)(a + v1) : u32x4_of(0u, 0u, 0u, 0u);
            const u32 v4 = v3.x & 0xffu;
            const u32 v5 = v3.x >> 8u & 0xffu;
            const u32 v6 = v3.x >> 16u & 0xffu;
            const u32 v7 = v3.x >> 24u;
            const u32 v8 = v3.y & 0xffu;
            const u32 v9 = v3.y >> 8u & 0xffu;
            const u32 v10 = v3.y >> 16u & 0xffu;
            const u32 v11 = v3.y >> 24u;
            const u32 v12 = v3.z & 0xffu;
            const u32 v13 = v3.z >> 8u & 0xffu;
            const u32 v14 = v3.z >> 16u & 0xffu;
            const u32 v15 = v3.z >> 24u;
            const u32 v16 = v3.w & 0xffu;
            const u32 v17 = v3.w >> 8u & 0xffu;
            const u32 v18 = v3.w >> 16u & 0xffu;
            const u32 v19 = v3.w >> 24u;
            const bool v20 = (u64)v1 + 15 < launch.b_len;
            const u32x4 v21 = v20 ? *(device const u32x4*)(b + v1) : u32x4_of(0u, 0u, 0u, 0u);
            const u32 v22 = v21.x & 0xffu;
            const u32 v23 = v21.x >> 8u & 0xffu;
            const u32 v24 = v21.x >> 16u & 0xffu;
            const u32 v25 = v21.x >> 24u;
            const u32 v26 = v21.y & 0xffu;
            const u32 v27 = v21.y >> 8u & 0xffu;
            const u32 v28 = v21.y >> 16u & 0xffu;
            const u32 v29 = v21.y >> 24u;
            const u32 v30 = v21.z & 0xffu;
            const u32 v31 = v21.z >> 8u & 0xffu;
            const u32 v32 = v21.z >> 16u & 0xffu;
            const u32 v33 = v21.z >> 24u;
            const u32 v34 = v21.w & 0xffu;
            const u32 v35 = v21.w >> 8u & 0xffu;
            const u32 v36 = v21.w >> 16u & 0xffu;
            const u32 v37 = v21.w >> 24u;
            if ((u64)v1 + 15 < launch.y_len) {
                *(device u32x4*)(y + v1) = u32x4_of((((v4 + v22) & 255u) & 0xffu) | (((v5 + v23) & 255u) & 0xffu) << 8u | (((v6 + v24) & 255u) & 0xffu) << 16u | ((v7 + v25) & 255u) << 24u, (((v8 + v26) & 255u) & 0xffu) | (((v9 + v27) & 255u) & 0xffu) << 8u | (((v10 + v28) & 255u) & 0xffu) << 16u | ((v11 + v29) & 255u) << 24u, (((v12 + v30) & 255u) & 0xffu) | (((v13 + v31) & 255u) & 0xffu) << 8u | (((v14 + v32) & 255u) & 0xffu) << 16u | ((v15 + v33) & 255u) << 24u, (((v16 + v34) & 255u) & 0xffu) | (((v17 + v35) & 255u) & 0xffu) << 8u | (((v18 + v36) & 255u) & 0xffu) << 16u | ((v19 + v37) & 255u) << 24u);
            }
        } else {
            for (u32 i = v1; i < v0; i += 1u) {
                const u32 v38 = (i < launch.a_len) ? a[i] : 0u;
                const u32 v39 = (i < launch.b_len) ? b[i] : 0u;
                if (i < launch.y_len) {
                    y[i] = (u8)((v38 + v39) & 255u);
                }
            }
        }
    }
}
