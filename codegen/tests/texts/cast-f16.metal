struct cast_launch {
    u32 first_x;
    u32 n;
    u64 x_len;
    u64 y_len;
};
[[max_total_threads_per_threadgroup(256)]]
kernel void cast(
    device const u16* x [[buffer(0)]],
    device u8* y [[buffer(1)]],
    constant cast_launch& launch [[buffer(2)]],
    uint thread_in_group [[thread_index_in_threadgroup]],
    uint3 group [[threadgroup_position_in_grid]]) {
    const u32 v0 = launch.n;
    const u32 v1 = ((launch.first_x + group.x) * 256u + thread_in_group) * 8u;
    if (v1 < v0) {
        if ((v0 - v1) >= 8u) {
            const bool v2 = (u64)v1 + 7 < launch.x_len;
            const u32x4 v3 = v2 ? *(device const u32x4*)(x + v1) : u32x4_of(0u, 0u, 0u, 0u);
            const u32 v4 = v3.x & 0xffffu;
            const u32 v5 = v3.x >> 16u;
            const u32 v6 = v3.y & 0xffffu;
            const u32 v7 = v3.y >> 16u;
            const u32 v8 = v3.z & 0xffffu;
            const u32 v9 = v3.z >> 16u;
            const u32 v10 = v3.w & 0xffffu;
            const u32 v11 = v3.w >> 16u;
            if (v1 < launch.y_len) {
                y[v1] = (u8)(((v4 & 0x7fffu) != 0u) ? 1u : 0u);
            }
            const u32 v12 = v1 + 1u;
            if (v12 < launch.y_len) {
                y[v12] = (u8)(((v5 & 0x7fffu) != 0u) ? 1u : 0u);
            }
            const u32 v13 = v1 + 2u;
            if (v13 < launch.y_len) {
                y[v13] = (u8)(((v6 & 0x7fffu) != 0u) ? 1u : 0u);
            }
            const u32 v14 = v1 + 3u;
            if (v14 < launch.y_len) {
                y[v14] = (u8)(((v7 & 0x7fffu) != 0u) ? 1u : 0u);
            }
            const u32 v15 = v1 + 4u;
            if (v15 < launch.y_len) {
                y[v15] = (u8)(((v8 & 0x7fffu) != 0u) ? 1u : 0u);
            }
            const u32 v16 = v1 + 5u;
            if (v16 < launch.y_len) {
                y[v16] = (u8)(((v9 & 0x7fffu) != 0u) ? 1u : 0u);
            }
            const u32 v17 = v1 + 6u;
            if (v17 < launch.y_len) {
                y[v17] = (u8)(((v10 & 0x7fffu) != 0u) ? 1u : 0u);
            }
            const u32 v18 = v1 + 7u;
            if (v18 < launch.y_len) {
                y[v18] = (u8)(((v11 & 0x7fffu) != 0u) ? 1u : 0u);
            }
        } else {
            for (u32 i = v1; i < v0; i += 1u) {
                const u32 v19 = (i < launch.x_len) ? x[i] : 0u;
                if (i < launch.y_len) {
                    y[i] = (u8)(((v19 & 0x7fffu) != 0u) ? 1u : 0u);
                }
            }
        }
    }
}
