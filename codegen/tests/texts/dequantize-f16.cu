extern "C" __global__ __launch_bounds__(256)
void dequantize_affine(
    const u32* __restrict__ codes,
    const u16* __restrict__ scales,
    const u16* __restrict__ biases,
    u16* w,
    u32 first_x,
    u32 first_y,
    u32 k,
    u64 codes_len,
    u64 scales_len,
    u64 biases_len,
    u64 w_len) {
    const u32 v0 = k;
    const u32 v1 = v0 & 0xfffffff8u;
    const u32 v2 = ((first_x + blockIdx.x) * 256u + threadIdx.x) * 8u;
    const u32 v3 = first_y + blockIdx.y;
    if (v2 < v1) {
        const u64 v4 = (u64)v3;
        const u64 v5 = (v4 * (u64)((v1 + 63u) >> 6u)) + (u64)(v2 >> 6u);
        const u32 v6 = (v5 < scales_len) ? scales[v5] : 0u;
        const f32 v7 = f32_of_f16(v6);
        const u32 v8 = 2u * (v2 & 31u);
        const u64 v9 = (v4 * (u64)(((v1 + 31u) >> 5u) * 2u)) + (u64)((2u * (v2 >> 5u)) + (v8 >> 5u));
        const u32 v10 = (v9 < codes_len) ? codes[v9] : 0u;
        const u32 v11 = v10 >> ((31u & v8) & 31u);
        const u32 v12 = (v5 < biases_len) ? biases[v5] : 0u;
        const f32 v13 = f32_of_f16(v12);
        const u64 v14 = (v4 * (u64)v1) + (u64)v2;
        if ((u64)v14 + 7 < w_len) {
            *(u32x4*)(w + v14) = u32x4_of((canonical_f16(f16_of_f32(__fmaf_rn(v7, f32_of_u32(v11 & 3u), v13))) & 0xffffu) | canonical_f16(f16_of_f32(__fmaf_rn(v7, f32_of_u32(3u & (v11 >> 2u)), v13))) << 16u, (canonical_f16(f16_of_f32(__fmaf_rn(v7, f32_of_u32(3u & (v11 >> 4u)), v13))) & 0xffffu) | canonical_f16(f16_of_f32(__fmaf_rn(v7, f32_of_u32(3u & (v11 >> 6u)), v13))) << 16u, (canonical_f16(f16_of_f32(__fmaf_rn(v7, f32_of_u32(3u & (v11 >> 8u)), v13))) & 0xffffu) | canonical_f16(f16_of_f32(__fmaf_rn(v7, f32_of_u32(3u & (v11 >> 10u)), v13))) << 16u, (canonical_f16(f16_of_f32(__fmaf_rn(v7, f32_of_u32(3u & (v11 >> 12u)), v13))) & 0xffffu) | canonical_f16(f16_of_f32(__fmaf_rn(v7, f32_of_u32(3u & (v11 >> 14u)), v13))) << 16u);
        }
    }
}
