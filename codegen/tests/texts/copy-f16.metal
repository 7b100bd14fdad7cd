struct copy_launch {
    u32 first_x;
    u32 n;
    u64 x_len;
    u64 y_len;
};
[[max_total_threads_per_threadgroup(256)]]
kernel void copy(
    device const u16* x [[buffer(0)]],
    device u16* y [[buffer(1)]],
    constant copy_launch& launch [[buffer(2)]],
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
            if ((u64)v1 + 7 < launch.y_len) {
                *(device u32x4*)(y + v1) = u32x4_of((canonical_f16(v4) & 0xffffu) | canonical_f16(v5) << 16u, (canonical_f16(v6) & 0xffffu) | canonical_f16(v7) << 16u, (canonical_f16(v8) & 0xffffu) | canonical_f16(v9) << 16u, (canonical_f16(v10) & 0xffffu) | canonical_f16(v11) << 16u);
            }
        } else {
            for (u32 i = v1; i < v0; i += 1u) {
                const u32 v12 = (i < launch.x_len) ? x[i] : 0u;
                if (i < launch.y_len) {
                    y[i] = (u16)canonical_f16(v12);
                }
            }
        }
    }
}
