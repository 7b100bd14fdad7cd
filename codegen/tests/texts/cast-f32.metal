struct cast_launch {
    u32 first_x;
    u32 n;
    u64 x_len;
    u64 y_len;
};
[[max_total_threads_per_threadgroup(256)]]
kernel void cast(
    device const f32* x [[buffer(0)]],
    device u8* y [[buffer(1)]],
    constant cast_launch& launch [[buffer(2)]],
    uint thread_in_group [[thread_index_in_threadgroup]],
    uint3 group [[threadgroup_position_in_grid]]) {
    const u32 v0 = (launch.first_x + group.x) * 256u + thread_in_group;
    if (v0 < launch.n) {
        const f32 v1 = (v0 < launch.x_len) ? x[v0] : 0.0f;
        if (v0 < launch.y_len) {
            y[v0] = (u8)(((bits_of(v1) & 0x7fffffffu) != 0u) ? 1u : 0u);
        }
    }
}
