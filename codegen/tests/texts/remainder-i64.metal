struct remainder_launch {
    u32 first_x;
    u32 n;
    u64 a_len;
    u64 b_len;
    u64 y_len;
};
[[max_total_threads_per_threadgroup(256)]]
kernel void remainder(
    device const u64* a [[buffer(0)]],
    device const u64* b [[buffer(1)]],
    device u64* y [[buffer(2)]],
    constant remainder_launch& launch [[buffer(3)]],
    uint thread_in_group [[thread_index_in_threadgroup]],
    uint3 group [[threadgroup_position_in_grid]]) {
    const u32 v0 = launch.n;
    const u32 v1 = ((launch.first_x + group.x) * 256u + thread_in_group) * 2u;
    if (v1 < v0) {
        if ((v0 - v1) >= 2u) {
            const bool v2 = (u64)v1 + 1 < launch.a_len;
            const u32x4 v3 = v2 ? *(device const u32x4*)(a + v1) : u32x4_of(0u, 0u, 0u, 0u);
            const u64 v4 = (u64)v3.y << 32 | v3.x;
            const u64 v5 = (u64)v3.w << 32 | v3.z;
            const bool v6 = (u64)v1 + 1 < launch.b_len;
            const u32x4 v7 = v6 ? *(device const u32x4*)(b + v1) : u32x4_of(0u, 0u, 0u, 0u);
            const u64 v8 = (u64)v7.y << 32 | v7.x;
            const u64 v9 = (u64)v7.w << 32 | v7.z;
            if ((u64)v1 + 1 < launch.y_len) {
                const u64 v10 = rem_i64(v4, v8);
                const u64 v11 = rem_i64(v5, v9);
                *(device u32x4*)(y + v1) = u32x4_of((u32)v10, (u32)(v10 >> 32), (u32)v11, (u32)(v11 >> 32));
            }
        } else {
            for (u32 i = v1; i < v0; i += 1u) {
                const u64 v12 = (i < launch.a_len) ? a[i] : 0ull;
                const u64 v13 = (i < launch.b_len) ? b[i] : 0ull;
                if (i < launch.y_len) {
                    y[i] = rem_i64(v12, v13);
                }
            }
        }
    }
}
