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
    const u32 v0 = n;
    const u32 v1 = ((first_x + blockIdx.x) * 256u + threadIdx.x) * 16u;
    if (v1 < v0) {
        if ((v0 - v1) >= 16u) {
            const bool v2 = (u64)v1 + 15 < a_len;
            const u32x4 v3 = v2 ? *(const u32x4*)(a + v1) : u32x4_of(0u, 0u, 0u, 0u);
            const u32 v4 = (u32)(i32)(i8)(v3.x & 0xffu);
            const u32 v5 = (u32)(i32)(i8)(v3.x >> 8u & 0xffu);
            const u32 v6 = (u32)(i32)(i8)(v3.x >> 16u & 0xffu);
            const u32 v7 = (u32)(i32)(i8)(v3.x >> 24u);
            const u32 v8 = (u32)(i32)(i8)(v3.y & 0xffu);
            const u32 v9 = (u32)(i32)(i8)(v3.y >> 8u & 0xffu);
            const u32 v10 = (u32)(i32)(i8)(v3.y >> 16u & 0xffu);
            const u32 v11 = (u32)(i32)(i8)(v3.y >> 24u);
            const u32 v12 = (u32)(i32)(i8)(v3.z & 0xffu);
            const u32 v13 = (u32)(i32)(i8)(v3.z >> 8u & 0xffu);
            const u32 v14 = (u32)(i32)(i8)(v3.z >> 16u & 0xffu);
            const u32 v15 = (u32)(i32)(i8)(v3.z >> 24u);
            const u32 v16 = (u32)(i32)(i8)(v3.w & 0xffu);
            const u32 v17 = (u32)(i32)(i8)(v3.w >> 8u & 0xffu);
            const u32 v18 = (u32)(i32)(i8)(v3.w >> 16u & 0xffu);
            const u32 v19 = (u32)(i32)(i8)(v3.w >> 24u);
            const bool v20 = (u64)v1 + 15 < b_len;
            const u32x4 v21 = v20 ? *(const u32x4*)(b + v1) : u32x4_of(0u, 0u, 0u, 0u);
            const u32 v22 = (u32)(i32)(i8)(v21.x & 0xffu);
            const u32 v23 = (u32)(i32)(i8)(v21.x >> 8u & 0xffu);
            const u32 v24 = (u32)(i32)(i8)(v21.x >> 16u & 0xffu);
            const u32 v25 = (u32)(i32)(i8)(v21.x >> 24u);
            const u32 v26 = (u32)(i32)(i8)(v21.y & 0xffu);
            const u32 v27 = (u32)(i32)(i8)(v21.y >> 8u & 0xffu);
            const u32 v28 = (u32)(i32)(i8)(v21.y >> 16u & 0xffu);
            const u32 v29 = (u32)(i32)(i8)(v21.y >> 24u);
            const u32 v30 = (u32)(i32)(i8)(v21.z & 0xffu);
            const u32 v31 = (u32)(i32)(i8)(v21.z >> 8u & 0xffu);
            const u32 v32 = (u32)(i32)(i8)(v21.z >> 16u & 0xffu);
            const u32 v33 = (u32)(i32)(i8)(v21.z >> 24u);
            const u32 v34 = (u32)(i32)(i8)(v21.w & 0xffu);
            const u32 v35 = (u32)(i32)(i8)(v21.w >> 8u & 0xffu);
            const u32 v36 = (u32)(i32)(i8)(v21.w >> 16u & 0xffu);
            const u32 v37 = (u32)(i32)(i8)(v21.w >> 24u);
            if ((u64)v1 + 15 < y_len) {
                *(u32x4*)(y + v1) = u32x4_of(((u32)(i32)(i8)(u32)((i32)v4 >> ((v22 & 7u) & 31u)) & 0xffu) | ((u32)(i32)(i8)(u32)((i32)v5 >> ((7u & v23) & 31u)) & 0xffu) << 8u | ((u32)(i32)(i8)(u32)((i32)v6 >> ((7u & v24) & 31u)) & 0xffu) << 16u | (u32)(i32)(i8)(u32)((i32)v7 >> ((7u & v25) & 31u)) << 24u, ((u32)(i32)(i8)(u32)((i32)v8 >> ((7u & v26) & 31u)) & 0xffu) | ((u32)(i32)(i8)(u32)((i32)v9 >> ((7u & v27) & 31u)) & 0xffu) << 8u | ((u32)(i32)(i8)(u32)((i32)v10 >> ((7u & v28) & 31u)) & 0xffu) << 16u | (u32)(i32)(i8)(u32)((i32)v11 >> ((7u & v29) & 31u)) << 24u, ((u32)(i32)(i8)(u32)((i32)v12 >> ((7u & v30) & 31u)) & 0xffu) | ((u32)(i32)(i8)(u32)((i32)v13 >> ((7u & v31) & 31u)) & 0xffu) << 8u | ((u32)(i32)(i8)(u32)((i32)v14 >> ((7u & v32) & 31u)) & 0xffu) << 16u | (u32)(i32)(i8)(u32)((i32)v15 >> ((7u & v33) & 31u)) << 24u, ((u32)(i32)(i8)(u32)((i32)v16 >> ((7u & v34) & 31u)) & 0xffu) | ((u32)(i32)(i8)(u32)((i32)v17 >> ((7u & v35) & 31u)) & 0xffu) << 8u | ((u32)(i32)(i8)(u32)((i32)v18 >> ((7u & v36) & 31u)) & 0xffu) << 16u | (u32)(i32)(i8)(u32)((i32)v19 >> ((7u & v37) & 31u)) << 24u);
            }
        } else {
            for (u32 i = v1; i < v0; i += 1u) {
                const u32 v38 = (i < a_len) ? (u32)(i32)a[i] : 0u;
                const u32 v39 = (i < b_len) ? (u32)(i32)b[i] : 0u;
                if (i < y_len) {
                    y[i] = (i8)(u32)(i32)(i8)(u32)((i32)v38 >> ((v39 & 7u) & 31u));
                }
            }
        }
    }
}
