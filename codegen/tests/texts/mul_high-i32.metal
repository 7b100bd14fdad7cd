struct mul_high_launch {
    u32 first_x;
    u32 n;
    u64 a_len;
    u64 b_len;
    u64 y_len;
};
[[max_total_threads_per_threadgroup(256)]]
kernel void mul_high(
    device const u32* a [[buffer(0)]],
    device const u32* b [[buffer(1)]],
    device u32* y [[buffer(2)]],
    constant mul_high_launch& launch [[buffer(3)]],
    uint thread_in_group [[thread_index_in_threadgroup]],
    uint3 group [[threadgroup_position_in_grid]]) {
    const u32 v0 = (launch.first_x + group.x) * 256u + thread_in_group;
    if (v0 < launch.n) {
        const u32 v1 = (v0 < launch.a_len) ? a[v0] : 0u;
        const u32 v2 = (v0 < launch.b_len) ? b[v0] : 0u;
        if (v0 < launch.y_len) {
            y[v0] = mul_high_i32(v1, v2);
        }
    }
}
