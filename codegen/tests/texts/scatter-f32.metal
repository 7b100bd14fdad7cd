struct scatter_launch {
    u32 first_x;
    u32 n;
    u64 x_len;
    u64 y_len;
};
[[max_total_threads_per_threadgroup(256)]]
kernel void scatter(
    device const f32* x [[buffer(0)]],
    device f32* y [[buffer(1)]],
    constant scatter_launch& launch [[buffer(2)]],
    uint thread_in_group [[thread_index_in_threadgroup]],
    uint3 group [[threadgroup_position_in_grid]]) {
    const u32 v0 = (launch.first_x + group.x) * 256u + thread_in_group;
    if (v0 < launch.n) {
        const f32 v1 = (v0 < launch.x_len) ? x[v0] : 0.0f;
        if (v0 < launch.y_len) {
            y[v0] = stored(v1);
        }
    }
}
struct scatter_launch {
    u32 first_x;
    u32 rows;
    u32 row_elems;
    u32 n;
    u64 indices_len;
    u64 updates_len;
    u64 y_len;
};
[[max_total_threads_per_threadgroup(128)]]
kernel void scatter(
    device const u32* indices [[buffer(0)]],
    device const f32* updates [[buffer(1)]],
    device f32* y [[buffer(2)]],
    constant scatter_launch& launch [[buffer(3)]],
    uint thread_in_group [[thread_index_in_threadgroup]],
    uint3 group [[threadgroup_position_in_grid]]) {
    const u32 v0 = launch.rows;
    const u32 v1 = launch.row_elems;
    const u32 v2 = launch.n;
    const u32 v3 = (launch.first_x + group.x) * 128u + thread_in_group;
    const bool v4 = v3 < v1;
    const u64 v5 = (u64)v1;
    const u64 v6 = (u64)v3;
    for (u32 i = 0u; i < v2; i += 1u) {
        const u32 v7 = (i < launch.indices_len) ? indices[i] : 0u;
        if (v4) {
            const u64 v8 = v6 + (v5 * (u64)i);
            const f32 v9 = (v8 < launch.updates_len) ? updates[v8] : 0.0f;
            const u64 v10 = v6 + (v5 * (u64)v7);
            if (v10 < launch.y_len) {
                y[v10] = stored(v9);
            }
        }
    }
}
