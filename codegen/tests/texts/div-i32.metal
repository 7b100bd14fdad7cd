struct div_launch {
    u32 first_x;
    u32 n;
    u64 a_len;
    u64 b_len;
    u64 y_len;
};
[[max_total_threads_per_threadgroup(256)]]
kernel void div(
    device const u32* a [[buffer(0)]],
    device const u32* b [[buffer(1)]],
    device u32* y [[buffer(2)]],
    constant div_launch& launch [[buffer(3)]],
    uint thread_in_group [[thread_index_in_threadgroup]],
    uint3 group [[threadgroup_position_in_grid]]) {
    const u32 v0 = launch.n;
    const u32 v1 = ((launch.first_x + group.x) * 256u + thread_in_group) * 4u;
    if (v1 < v0) {
        if ((v0 - v1) >= 4u) {
            const bool v2 = (u64)v1 + 3 < launch.a_len;
            const u32x4 v3 = v2 ? *(device const u32x4*)(a + v1) : u32x4_of(0u, 0u, 0u, 0u);
            const u32 v4 = v3.x;
            const u32 v5 = v3.y;
            const u32 v6 = v3.z;
            const u32 v7 = v3.w;
            const bool v8 = (u64)v1 + 3 < launch.b_len;
            const u32x4 v9 = v8 ? *(device const u32x4*)(b + v1) : u32x4_of(0u, 0u, 0u, 0u);
            const u32 v10 = v9.x;
            const u32 v11 = v9.y;
            const u32 v12 = v9.z;
            const u32 v13 = v9.w;
            if ((u64)v1 + 3 < launch.y_len) {
                *(device u32x4*)(y + v1) = u32x4_of(div_i32(v4, v10), div_i32(v5, v11), div_i32(v6, v12), div_i32(v7, v13));
            }
        } else {
            for (u32 i = v1; i < v0; i += 1u) {
                const u32 v14 = (i < launch.a_len) ? a[i] : 0u;
                const u32 v15 = (i < launch.b_len) ? b[i] : 0u;
                if (i < launch.y_len) {
                    y[i] = div_i32(v14, v15);
                }
            }
        }
    }
}
