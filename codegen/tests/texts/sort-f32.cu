extern "C" __global__ __launch_bounds__(32)
void sort(
    const f32* __restrict__ x,
    u32* keys,
    u32 first_x,
    u32 first_y,
    u32 row_elems,
    u64 x_len,
    u64 keys_len) {
    __shared__ u32 tile[64];
    u32 key;
    u32 key_2;
    u32 index;
    const u32 v0 = row_elems;
    const u64 v1 = (u64)(first_x + blockIdx.x) * (u64)v0;
    const u32 v2 = (first_y + blockIdx.y) * 64u;
    const u32 v3 = threadIdx.x;
    const u32 v4 = v2 + v3;
    key = 0xffffffffu;
    const bool v5 = v4 < v0;
    if (v5) {
        const u64 v6 = v1 + (u64)v4;
        const f32 v7 = (v6 < x_len) ? x[v6] : 0.0f;
        const u32 v8 = canonical(v7);
        key = (v8 >= 0x80000000u) ? (~v8) : (v8 ^ 0x80000000u);
    }
    tile[v3] = key;
    const u32 v9 = v3 + 32u;
    const u32 v10 = v3 + (v2 + 32u);
    key_2 = 0xffffffffu;
    const bool v11 = v10 < v0;
    if (v11) {
        const u64 v12 = v1 + (u64)v10;
        const f32 v13 = (v12 < x_len) ? x[v12] : 0.0f;
        const u32 v14 = canonical(v13);
        key_2 = (v14 >= 0x80000000u) ? (~v14) : (v14 ^ 0x80000000u);
    }
    tile[v9] = key_2;
    barrier();
    index = 1u;
    for (;;) {
        const u32 v15 = index;
        const u32 v16 = v15 - 1u;
        for (u32 i = 0u; i < v15; i += 1u) {
            const u32 v17 = 1u << ((v16 - i) & 31u);
            const u32 v18 = v3 & (v17 - 1u);
            const u32 v19 = v18 + ((v3 - v18) << 1u);
            const u32 v20 = tile[v19];
            const u32 v21 = v17 + v19;
            const u32 v22 = tile[v21];
            const bool v23 = 0u == (1u & (v19 >> (v15 & 31u)));
            const u32 v24 = min_of(v20, v22);
            const u32 v25 = max_of(v20, v22);
            tile[v19] = v23 ? v24 : v25;
            tile[v21] = v23 ? v25 : v24;
            barrier();
        }
        if ((6u - v15) < 1u) {
            break;
        }
        index = 1u + v15;
    }
    if (v5) {
        const u32 v26 = tile[v3];
        const u64 v27 = v1 + (u64)v4;
        if (v27 < keys_len) {
            keys[v27] = v26;
        }
    }
    if (v11) {
        const u32 v28 = tile[v9];
        const u64 v29 = v1 + (u64)v10;
        if (v29 < keys_len) {
            keys[v29] = v28;
        }
    }
}
extern "C" __global__ __launch_bounds__(256)
void sort(
    const u32* __restrict__ keys,
    f32* values,
    u32 first_x,
    u32 elems,
    u64 keys_len,
    u64 values_len) {
    const u32 v0 = (first_x + blockIdx.x) * 256u + threadIdx.x;
    if (v0 < elems) {
        const u32 v1 = (v0 < keys_len) ? keys[v0] : 0u;
        if (v0 < values_len) {
            values[v0] = stored(f32_of((v1 >= 0x80000000u) ? (v1 ^ 0x80000000u) : (~v1)));
        }
    }
}
