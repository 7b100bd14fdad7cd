struct copy_launch {
    u32 first_x;
    u32 n;
    u64 x_len;
    u64 y_len;
};
[[max_total_threads_per_threadgroup(256)]]
kernel void copy(
    device const f32* x [[buffer(0)]],
    device f32* y [[buffer(1)]],
    constant copy_launch& launch [[buffer(2)]],
    uint thread_in_group [[thread_index_in_threadgroup]],
    uint3 group [[threadgroup_position_in_grid]]) {
    const u32 v0 = launch.n;
    const u32 v1 = ((launch.first_x + group.x) * 256u + thread_in_group) * 4u;
    if (v1 < v0) {
        if ((v0 - v1) >= 4u) {
            const bool v2 = (u64)v1 + 3 < launch.x_len;
            const u32x4 v3 = v2 ? *(device const u32x4*)(x + v1) : u32x4_of(0u, 0u, 0u, 0u);
            const f32 v4 = f32_of(v3.x);
            const f32 v5 = f32_of(v3.y);
            const f32 v6 = f32_of(v3.z);
            const f32 v7 = f32_of(v3.w);
            if ((u64)v1 + 3 < launch.y_len) {
                *(device u32x4*)(y + v1) = u32x4_of(canonical(v4), canonical(v5), canonical(v6), canonical(v7));
            }
        } else {
            for (u32 i = v1; i < v0; i += 1u) {
                const f32 v8 = (i < launch.x_len) ? x[i] : 0.0f;
                if (i < launch.y_len) {
                    y[i] = stored(v8);
                }
            }
        }
    }
}
