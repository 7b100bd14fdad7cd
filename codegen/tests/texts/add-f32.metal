struct add_launch {
    u32 first_x;
    u32 n;
    u64 a_len;
    u64 b_len;
    u64 y_len;
};
[[max_total_threads_per_threadgroup(256)]]
kernel void add(
    device const f32* a [[buffer(0)]],
    device const f32* b [[buffer(1)]],
    device f32* y [[buffer(2)]],
    constant add_launch& launch [[buffer(3)]],
    uint thread_in_group [[thread_index_in_threadgroup]],
    uint3 group [[threadgroup_position_in_grid]]) {
    f32 join;
    const u32 v0 = (launch.first_x + group.x) * 256u + thread_in_group;
    if (v0 < launch.n) {
        const f32 v1 = (v0 < launch.a_len) ? a[v0] : 0.0f;
        const f32 v2 = (v0 < launch.b_len) ? b[v0] : 0.0f;
        const u32 v3 = canonical(v1);
        const u32 v4 = canonical(v2);
        const u32 v5 = v3 & 0x7fffffffu;
        const u32 v6 = v4 & 0x7fffffffu;
        if ((max_of(v5, v6) - 1u) >= 0xdffffffu) {
            join = v1 + v2;
        } else {
            const bool v7 = v5 < v6;
            const u32 v8 = v7 ? v4 : v3;
            const u32 v9 = v7 ? v3 : v4;
            const u32 v10 = 0x7fffffffu & v8;
            const u32 v11 = v10 >> 23u;
            const bool v12 = v11 != 0u;
            const u32 v13 = v12 ? v11 : 1u;
            const u32 v14 = 0x7fffffffu & v9;
            const u32 v15 = v14 >> 23u;
            const bool v16 = 0u != v15;
            const u32 v17 = (v12 ? ((v10 & 0x7fffffu) | 0x800000u) : v10) << 6u;
            const u32 v18 = (v16 ? (0x800000u | (0x7fffffu & v14)) : v14) << 6u;
            const u32 v19 = min_of(v13 - (v16 ? v15 : 1u), 31u);
            const u32 v20 = v18 >> (v19 & 31u);
            const u32 v21 = v20 | ((v18 != (v20 << (v19 & 31u))) ? 1u : 0u);
            const u32 v22 = (0u == ((v8 ^ v9) & 0x80000000u)) ? (v17 + v21) : (v17 - v21);
            const u32 v23 = leading_zeros(v22);
            const u32 v24 = v22 << (v23 & 31u);
            const u32 v25 = (v13 + 2u) - v23;
            const u32 v26 = min_signed(max_signed(1u - v25, 0u), 31u);
            const u32 v27 = v24 >> (v26 & 31u);
            const u32 v28 = v27 | ((v24 != (v27 << (v26 & 31u))) ? 1u : 0u);
            const u32 v29 = v28 >> 8u;
            const u32 v30 = ((i32)v25 > (i32)254u) ? 0x7f800000u : (((max_signed(v25, 1u) - 1u) << 23u) + (v29 + ((((v28 & 255u) + (1u & v29)) > 128u) ? 1u : 0u)));
            join = f32_of((0u == v22) ? (0x80000000u & (v8 & v9)) : (v30 | (v8 & 0x80000000u)));
        }
        if (v0 < launch.y_len) {
            y[v0] = stored(join);
        }
    }
}
