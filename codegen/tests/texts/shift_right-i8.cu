extern "C" __global__ __launch_bounds__(256)
void shift_right(
    const i8* __restrict__ a,
    const i8* __restrict__ b,
    i8* y,
    u32 first_x,
    u32 n,
    u64 a_len,
    u64 b_len,
    u64 y_len) {
    const u32 v0 = (first_x + blockIdx.x) * 256u + threadIdx.x;
    if (v0 < n) {
        const u32 v1 = (v0 < a_len) ? (u32)(i32)a[v0] : 0u;
        const u32 v2 = (v0 < b_len) ? (u32)(i32)b[v0] : 0u;
        if (v0 < y_len) {
            y[v0] = (i8)(u32)(i32)(i8)(u32)((i32)v1 >> ((v2 & 7u) & 31u));
        }
    }
}
