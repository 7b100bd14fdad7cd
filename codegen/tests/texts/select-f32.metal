struct select_launch {
    u32 first_x;
    u32 n;
    u64 condition_len;
    u64 a_len;
    u64 b_len;
    u64 y_len;
};
[[max_total_threads_per_threadgroup(256)]]
kernel void select(
    device const u8* condition [[buffer(0)]],
    device const f32* a [[buffer(1)]],
    device const f32* b [[buffer(2)]],
    device f32* y [[buffer(3)]],
    constant select_launch& launch [[buffer(4)]],
    uint thread_in_group [[thread_index_in_threadgroup]],
    uint3 group [[threadgroup_position_in_grid]]) {
    const u32 v0 = launch.n;
    const u32 v1 = ((launch.first_x + group.x) * 256u + thread_in_group) * 4u;
    if (v1 < v0) {
        if ((v0 - v1) >= 4u) {
            const bool v2 = (u64)v1 + 3 < launch.condition_len;
            const u32 v3 = v2 ? *(device const u32*)(condition + v1) : 0u;
            const u32 v4 = v3 & 0xffu;
            const u32 v5 = v3 >> 8u & 0xffu;
            const u32 v6 = v3 >> 16u & 0xffu;
            const u32 v7 = v3 >> 24u;
            const bool v8 = (u64)v1 + 3 < launch.a_len;
            const u32x4 v9 = v8 ? *(device const u32x4*)(a + v1) : u32x4_of(0u, 0u, 0u, 0u);
            const f32 v10 = f32_of(v9.x);
            const f32 v11 = f32_of(v9.y);
            const f32 v12 = f32_of(v9.z);
            const f32 v13 = f32_of(v9.w);
            const bool v14 = (u64)v1 + 3 < launch.b_len;
            const u32x4 v15 = v14 ? *(device const u32x4*)(b + v1) : u32x4_of(0u, 0u, 0u, 0u);
            const f32 v16 = f32_of(v15.x);
            const f32 v17 = f32_of(v15.y);
            const f32 v18 = f32_of(v15.z);
            const f32 v19 = f32_of(v15.w);
            if ((u64)v1 + 3 < launch.y_len) {
                *(device u32x4*)(y + v1) = u32x4_of(canonical(pick(v4 != 0u, v10, v16)), canonical(pick(v5 != 0u, v11, v17)), canonical(pick(v6 != 0u, v12, v18)), canonical(pick(v7 != 0u, v13, v19)));
            }
        } else {
            for (u32 i = v1; i < v0; i += 1u) {
                const u32 v20 = (i < launch.condition_len) ? condition[i] : 0u;
                const f32 v21 = (i < launch.a_len) ? a[i] : 0.0f;
                const f32 v22 = (i < launch.b_len) ? b[i] : 0.0f;
                if (i < launch.y_len) {
                    y[i] = stored(pick(v20 != 0u, v21, v22));
                }
            }
        }
    }
}
