extern "C" __global__ __launch_bounds__(256)
void add(
    const u64* __restrict__ a,
    const u64* __restrict__ b,
    u64* y,
    u32 first_x,
    u32 n,
    u64 a_len,
    u64 b_len,
    u64 y_len) {
    const u32 v0 = (first_x + blockIdx.x) * 256u + threadIdx.x;
    if (v0 < n) {
        const u64 v1 = (v0 < a_len) ? a[v0] : 0ull;
        const u64 v2 = (v0 < b_len) ? b[v0] : 0ull;
        if (v0 < y_len) {
            y[v0] = v1 + v2;
        }
    }
}
