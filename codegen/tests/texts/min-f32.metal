struct min_1_launch {
    u32 first_x;
    u32 n;
    u64 a_len;
    u64 b_len;
    u64 y_len;
};
[[max_total_threads_per_threadgroup(256)]]
kernel void min_1(
    device const f32* a [[buffer(0)]],
    device const f32* b [[buffer(1)]],
    device f32* y [[buffer(2)]],
    constant min_1_launch& launch [[buffer(3)]],
    uint thread_in_group [[thread_index_in_threadgroup]],
    uint3 group [[threadgroup_position_in_grid]]) {
    const u32 v0 = (launch.first_x + group.x) * 256u + thread_in_group;
    if (v0 < launch.n) {
        const f32 v1 = (v0 < launch.a_len) ? a[v0] : 0.0f;
        const f32 v2 = (v0 < launch.b_len) ? b[v0] : 0.0f;
        const u32 v3 = canonical(v1);
        const u32 v4 = canonical(v2);
        const u32 v5 = v3;
        const u32 v6 = v4;
        const u32 v7 = (max_of(v3 & 0x7fffffffu, v4 & 0x7fffffffu) <= 0x7f800000u) ? (((i32)(v5 ^ ((u32)((i32)v5 >> 31u) & 0x7fffffffu)) < (i32)(v6 ^ (0x7fffffffu & (u32)((i32)v6 >> 31u)))) ? v3 : v4) : 0x7fc00000u;
        if (v0 < launch.y_len) {
            y[v0] = stored(f32_of(v7));
        }
    }
}
