extern "C" __global__ __launch_bounds__(256)
void cast(
    const f32* __restrict__ x,
    u8* y,
    u32 first_x,
    u32 n,
    u64 x_len,
    u64 y_len) {
    const u32 v0 = (first_x + blockIdx.x) * 256u + threadIdx.x;
    if (v0 < n) {
        const f32 v1 = (v0 < x_len) ? x[v0] : 0.0f;
        if (v0 < y_len) {
            y[v0] = (u8)(((bits_of(v1) & 0x7fffffffu) != 0u) ? 1u : 0u);
        }
    }
}
