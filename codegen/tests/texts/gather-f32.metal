struct gather_launch {
    u32 first_x;
    u32 first_y;
    u32 rows;
    u32 row_elems;
    u64 table_len;
    u64 indices_len;
    u64 y_len;
};
[[max_total_threads_per_threadgroup(128)]]
kernel void gather(
    device const f32* table [[buffer(0)]],
    device const u32* indices [[buffer(1)]],
    device f32* y [[buffer(2)]],
    constant gather_launch& launch [[buffer(3)]],
    uint thread_in_group [[thread_index_in_threadgroup]],
    uint3 group [[threadgroup_position_in_grid]]) {
    const u32 v0 = launch.row_elems;
    const u32 v1 = (launch.first_x + group.x) * 128u + thread_in_group;
    const u32 v2 = launch.first_y + group.y;
    const u32 v3 = (v2 < launch.indices_len) ? indices[v2] : 0u;
    if (v1 < v0) {
        const u64 v4 = (u64)v0;
        const u64 v5 = (u64)v1;
        const u64 v6 = ((u64)v3 * v4) + v5;
        const f32 v7 = (v6 < launch.table_len) ? table[v6] : 0.0f;
        const u64 v8 = v5 + (v4 * (u64)v2);
        if (v8 < launch.y_len) {
            y[v8] = stored(v7);
        }
    }
}
