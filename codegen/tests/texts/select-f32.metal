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
    const u32 v0 = (launch.first_x + group.x) * 256u + thread_in_group;
    if (v0 < launch.n) {
        const u32 v1 = (v0 < launch.condition_len) ? condition[v0] : 0u;
        if (v1 != 0u) {
            const f32 v2 = (v0 < launch.a_len) ? a[v0] : 0.0f;
            if (v0 < launch.y_len) {
                y[v0] = stored(v2);
            }
        } else {
            const f32 v3 = (v0 < launch.b_len) ? b[v0] : 0.0f;
            if (v0 < launch.y_len) {
                y[v0] = stored(v3);
            }
        }
    }
}
