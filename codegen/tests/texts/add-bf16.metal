struct add_launch {
    u32 first_x;
    u32 n;
    u64 a_len;
    u64 b_len;
    u64 y_len;
};
[[max_total_threads_per_threadgroup(256)]]
kernel void add(
    device const u16* a [[buffer(0)]],
    device const u16* b [[buffer(1)]],
    device u16* y [[buffer(2)]],
    constant add_launch& launch [[buffer(3)]],
    uint thread_in_group [[thread_index_in_threadgroup]],
    uint3 group [[threadgroup_position_in_grid]]) {
    f32 join;
    const u32 v0 = (launch.first_x + group.x) * 256u + thread_in_group;
    if (v0 < launch.n) {
        const u32 v1 = (v0 < launch.a_len) ? a[v0] : 0u;
        const u32 v2 = (v0 < launch.b_len) ? b[v0] : 0u;
        const f32 v3 = f32_of(v1 << 16u);
        const f32 v4 = f32_of(v2 << 16u);
        const u32 v5 = canonical(v3);
        const u32 v6 = canonical(v4);
        const u32 v7 = v5 & 0x7fffffffu;
        const u32 v8 = v6 & 0x7fffffffu;
        if ((max_of(v7, v8) - 1u) >= 0xdffffffu) {
            join = v3 + v4;
        } else {
            const bool v9 = v7 < v8;
            const u32 v10 = v9 ? v6 : v5;
            const u32 v11 = v9 ? v5 : v6;
            const u32 v12 = 0x7fffffffu & v10;
            const u32 v13 = v12 >> 23u;
            const bool v14 = v13 != 0u;
            const u32 v15 = v14 ? v13 : 1u;
            const u32 v16 = 0x7fffffffu & v11;
            const u32 v17 = v16 >> 23u;
            const bool v18 = 0u != v17;
            const u32 v19 = (v14 ? ((v12 & 0x7fffffu) | 0x800000u) : v12) << 6u;
            const u32 v20 = (v18 ? (0x800000u | (0x7fffffu & v16)) : v16) << 6u;
            const u32 v21 = min_of(v15 - (v18 ? v17 : 1u), 31u);
            const u32 v22 = v20 >> (v21 & 31u);
            const u32 v23 = v22 | ((v20 != (v22 << (v21 & 31u))) ? 1u : 0u);
            const u32 v24 = (0u == ((v10 ^ v11) & 0x80000000u)) ? (v19 + v23) : (v19 - v23);
            const u32 v25 = leading_zeros(v24);
            const u32 v26 = v24 << (v25 & 31u);
            const u32 v27 = (v15 + 2u) - v25;
            const u32 v28 = min_signed(max_signed(1u - v27, 0u), 31u);
            const u32 v29 = v26 >> (v28 & 31u);
            const u32 v30 = v29 | ((v26 != (v29 << (v28 & 31u))) ? 1u : 0u);
            const u32 v31 = v30 >> 8u;
            const u32 v32 = ((i32)v27 > (i32)254u) ? 0x7f800000u : (((max_signed(v27, 1u) - 1u) << 23u) + (v31 + ((((v30 & 255u) + (1u & v31)) > 128u) ? 1u : 0u)));
            join = f32_of((0u == v24) ? (0x80000000u & (v10 & v11)) : (v32 | (v10 & 0x80000000u)));
        }
        const u32 v33 = canonical(join);
        if (v0 < launch.y_len) {
            y[v0] = (u16)canonical_bf16(((((0x7fffffffu & v33) > 0x7f800000u) ? 32704u : ((32767u + (v33 + (1u & (v33 >> 16u)))) >> 16u)) & 65535u) & 65535u);
        }
    }
}
