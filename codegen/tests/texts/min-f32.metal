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
    const u32 v0 = launch.n;
    const u32 v1 = ((launch.first_x + group.x) * 256u + thread_in_group) * 4u;
    if (v1 < v0) {
        if ((v0 - v1) >= 4u) {
            const bool v2 = (u64)v1 + 3 < launch.a_len;
            const u32x4 v3 = v2 ? *(device const u32x4*)(a + v1) : u32x4_of(0u, 0u, 0u, 0u);
            const f32 v4 = f32_of(v3.x);
            const f32 v5 = f32_of(v3.y);
            const f32 v6 = f32_of(v3.z);
            const f32 v7 = f32_of(v3.w);
            const bool v8 = (u64)v1 + 3 < launch.b_len;
            const u32x4 v9 = v8 ? *(device const u32x4*)(b + v1) : u32x4_of(0u, 0u, 0u, 0u);
            const f32 v10 = f32_of(v9.x);
            const f32 v11 = f32_of(v9.y);
            const f32 v12 = f32_of(v9.z);
            const f32 v13 = f32_of(v9.w);
            const u32 v14 = canonical(v4);
            const u32 v15 = canonical(v10);
            const u32 v16 = v14;
            const u32 v17 = v15;
            const u32 v18 = pick((i32)(v16 ^ ((u32)((i32)v16 >> 31u) & 0x7fffffffu)) < (i32)(v17 ^ (0x7fffffffu & (u32)((i32)v17 >> 31u))), v14, v15);
            const u32 v19 = canonical(v5);
            const u32 v20 = canonical(v11);
            const u32 v21 = v19;
            const u32 v22 = v20;
            const u32 v23 = pick((i32)(v21 ^ (0x7fffffffu & (u32)((i32)v21 >> 31u))) < (i32)(v22 ^ (0x7fffffffu & (u32)((i32)v22 >> 31u))), v19, v20);
            const u32 v24 = canonical(v6);
            const u32 v25 = canonical(v12);
            const u32 v26 = v24;
            const u32 v27 = v25;
            const u32 v28 = pick((i32)(v26 ^ (0x7fffffffu & (u32)((i32)v26 >> 31u))) < (i32)(v27 ^ (0x7fffffffu & (u32)((i32)v27 >> 31u))), v24, v25);
            const u32 v29 = canonical(v7);
            const u32 v30 = canonical(v13);
            const u32 v31 = v29;
            const u32 v32 = v30;
            const u32 v33 = pick((i32)(v31 ^ (0x7fffffffu & (u32)((i32)v31 >> 31u))) < (i32)(v32 ^ (0x7fffffffu & (u32)((i32)v32 >> 31u))), v29, v30);
            if ((u64)v1 + 3 < launch.y_len) {
                *(device u32x4*)(y + v1) = u32x4_of(bits_of(f32_of(pick(max_of(v14 & 0x7fffffffu, v15 & 0x7fffffffu) <= 0x7f800000u, v18, 0x7fc00000u))), bits_of(f32_of(pick(max_of(0x7fffffffu & v19, 0x7fffffffu & v20) <= 0x7f800000u, v23, 0x7fc00000u))), bits_of(f32_of(pick(max_of(0x7fffffffu & v24, 0x7fffffffu & v25) <= 0x7f800000u, v28, 0x7fc00000u))), bits_of(f32_of(pick(max_of(0x7fffffffu & v29, 0x7fffffffu & v30) <= 0x7f800000u, v33, 0x7fc00000u))));
            }
        } else {
            for (u32 i = v1; i < v0; i += 1u) {
                const f32 v34 = (i < launch.a_len) ? a[i] : 0.0f;
                const f32 v35 = (i < launch.b_len) ? b[i] : 0.0f;
                const u32 v36 = canonical(v34);
                const u32 v37 = canonical(v35);
                const u32 v38 = v36;
                const u32 v39 = v37;
                const u32 v40 = pick((i32)(v38 ^ ((u32)((i32)v38 >> 31u) & 0x7fffffffu)) < (i32)(v39 ^ (0x7fffffffu & (u32)((i32)v39 >> 31u))), v36, v37);
                if (i < launch.y_len) {
                    y[i] = f32_of(pick(max_of(v36 & 0x7fffffffu, v37 & 0x7fffffffu) <= 0x7f800000u, v40, 0x7fc00000u));
                }
            }
        }
    }
}
