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
    const u32 v0 = k & 0xfffffff8u;
    const u32 v1 = ((first_x + blockIdx.x) * 256u + threadIdx.x) * 8u;
    const u32 v2 = first_y + blockIdx.y;
    if (v1 < v0) {
        const u64 v3 = (u64)v2;
        const u64 v4 = (v3 * (u64)((v0 + 63u) >> 6u)) + (u64)(v1 >> 6u);
        const u32 v5 = (v4 < scales_len) ? scales[v4] : 0u;
        const f32 v6 = f32_of_f16(v5);
        const u32 v7 = 2u * (v1 & 31u);
        const u64 v8 = (v3 * (u64)(((v0 + 31u) >> 5u) * 2u)) + (u64)((2u * (v1 >> 5u)) + (v7 >> 5u));
        const u32 v9 = (v8 < codes_len) ? codes[v8] : 0u;
        const u32 v10 = v9 >> ((31u & v7) & 31u);
        const u32 v11 = (v4 < biases_len) ? biases[v4] : 0u;
        const f32 v12 = f32_of_f16(v11);
        const u64 v13 = (v3 * (u64)v0) + (u64)v1;
        if ((u64)v13 + 7 < w_len) {
            *(u32x4*)(w + v13) = u32x4_of((canonical_f16(f16_of_f32(__fmaf_rn(v6, f32_of_u32(v10 & 3u), v12))) & 0xffffu) | canonical_f16(f16_of_f32(__fmaf_rn(v6, f32_of_u32(3u & (v10 >> 2u)), v12))) << 16u, (canonical_f16(f16_of_f32(__fmaf_rn(v6, f32_of_u32(3u & (v10 >> 4u)), v12))) & 0xffffu) | canonical_f16(f16_of_f32(__fmaf_rn(v6, f32_of_u32(3u & (v10 >> 6u)), v12))) << 16u, (canonical_f16(f16_of_f32(__fmaf_rn(v6, f32_of_u32(3u & (v10 >> 8u)), v12))) & 0xffffu) | canonical_f16(f16_of_f32(__fmaf_rn(v6, f32_of_u32(3u & (v10 >> 10u)), v12))) << 16u, (canonical_f16(f16_of_f32(__fmaf_rn(v6, f32_of_u32(3u & (v10 >> 12u)), v12))) & 0xffffu) | canonical_f16(f16_of_f32(__fmaf_rn(v6, f32_of_u32(3u & (v10 >> 14u)), v12))) << 16u);
        }
    }
}
