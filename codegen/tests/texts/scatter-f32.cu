extern "C" __global__ __launch_bounds__(256)
void scatter(
    const f32* __restrict__ x,
    f32* y,
    u32 first_x,
    u32 n,
    u64 x_len,
    u64 y_len) {
    const u32 v0 = (first_x + blockIdx.x) * 256u + threadIdx.x;
    if (v0 < n) {
        const f32 v1 = (v0 < x_len) ? x[v0] : 0.0f;
        if (v0 < y_len) {
            y[v0] = stored(v1);
        }
    }
}
extern "C" __global__ __launch_bounds__(128)
void scatter(
    const u32* __restrict__ indices,
    const f32* __restrict__ updates,
    f32* y,
    u32 first_x,
    u32 rows,
    u32 row_elems,
    u32 n,
    u64 indices_len,
    u64 updates_len,
    u64 y_len) {
    const u32 v0 = rows;
    const u32 v1 = row_elems;
    const u32 v2 = n;
    const u32 v3 = (first_x + blockIdx.x) * 128u + threadIdx.x;
    const bool v4 = v3 < v1;
    const u64 v5 = (u64)v1;
    const u64 v6 = (u64)v3;
    for (u32 i = 0u; i < v2; i += 1u) {
        const u32 v7 = (i < indices_len) ? indices[i] : 0u;
        if (v4) {
            const u64 v8 = v6 + (v5 * (u64)i);
            const f32 v9 = (v8 < updates_len) ? updates[v8] : 0.0f;
            const u64 v10 = v6 + (v5 * (u64)v7);
            if (v10 < y_len) {
                y[v10] = stored(v9);
            }
        }
    }
}
