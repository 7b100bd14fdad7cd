extern "C" __global__ __launch_bounds__(256)
void dequantize(
    const u32* __restrict__ codes,
    const u8* __restrict__ scales,
    const f32* __restrict__ global_1,
    u16* w,
    u32 first_x,
    u32 first_y,
    u32 rows,
    u32 parts,
    u32 k,
    u64 codes_len,
    u64 scales_len,
    u64 global_len,
    u64 w_len) {
    const u32 v0 = rows;
    const u32 v1 = parts;
    const u32 v2 = k;
    const u32 v3 = v2 & 0xfffffff8u;
    const u32 v4 = ((first_x + blockIdx.x) * 256u + threadIdx.x) * 8u;
    const u32 v5 = first_y + blockIdx.y;
    if (v4 < v3) {
        const u64 v6 = (u64)v5;
        const u64 v7 = (v6 * (u64)((v3 + 15u) >> 4u)) + (u64)(v4 >> 4u);
        const u32 v8 = (v7 < scales_len) ? scales[v7] : 0u;
        const u32 v9 = v8;
        const u32 v10 = v9 & 127u;
        const u32 v11 = pick(v10 < 8u, canonical(__fsub_rn(f32_of(v10 | 0x46800000u), 16384.0f)), (v10 << 20u) + 0x3c000000u) | ((v9 & 128u) << 24u);
        const f32 v12 = f32_of(pick(127u == v10, 0x7fc00000u, v11));
        const u32 v13 = div_u32(min_of(v5, v0 - 1u), div_u32(v0, v1));
        const f32 v14 = (v13 < global_len) ? global_1[v13] : 0.0f;
        const u64 v15 = (v6 * (u64)(4u * ((v3 + 31u) >> 5u))) + (u64)((4u * (v4 >> 5u)) + ((4u * (v4 & 31u)) >> 5u));
        const u32 v16 = (v15 < codes_len) ? codes[v15] : 0u;
        const u32 v17 = 15u & v16;
        const u32 v18 = 15u & (v16 >> 4u);
        const u32 v19 = 15u & (v16 >> 8u);
        const u32 v20 = 15u & (v16 >> 12u);
        const u32 v21 = 15u & (v16 >> 16u);
        const u32 v22 = 15u & (v16 >> 20u);
        const u32 v23 = 15u & (v16 >> 24u);
        const u32 v24 = v16 >> 28u;
        const u32 v25 = 7u & v17;
        const u32 v26 = 7u & v18;
        const u32 v27 = 7u & v19;
        const u32 v28 = 7u & v20;
        const u32 v29 = 7u & v21;
        const u32 v30 = 7u & v22;
        const u32 v31 = 7u & v23;
        const u32 v32 = 7u & v24;
        const f32 v33 = __fmul_rn(v12, f32_of(pick(v25 < 2u, bits_of(__fmul_rn(f32_of_u32(v25), 0.5f)), (v25 << 22u) + 0x3f000000u) | ((v17 >> 3u) << 31u)));
        const f32 v34 = __fmul_rn(v12, f32_of(pick(v26 < 2u, bits_of(__fmul_rn(0.5f, f32_of_u32(v26))), 0x3f000000u + (v26 << 22u)) | ((v18 >> 3u) << 31u)));
        const f32 v35 = __fmul_rn(v12, f32_of(pick(v27 < 2u, bits_of(__fmul_rn(0.5f, f32_of_u32(v27))), 0x3f000000u + (v27 << 22u)) | ((v19 >> 3u) << 31u)));
        const f32 v36 = __fmul_rn(v12, f32_of(pick(v28 < 2u, bits_of(__fmul_rn(0.5f, f32_of_u32(v28))), 0x3f000000u + (v28 << 22u)) | ((v20 >> 3u) << 31u)));
        const f32 v37 = __fmul_rn(v12, f32_of(pick(v29 < 2u, bits_of(__fmul_rn(0.5f, f32_of_u32(v29))), 0x3f000000u + (v29 << 22u)) | ((v21 >> 3u) << 31u)));
        const f32 v38 = __fmul_rn(v12, f32_of(pick(v30 < 2u, bits_of(__fmul_rn(0.5f, f32_of_u32(v30))), 0x3f000000u + (v30 << 22u)) | ((v22 >> 3u) << 31u)));
        const f32 v39 = __fmul_rn(v12, f32_of(pick(v31 < 2u, bits_of(__fmul_rn(0.5f, f32_of_u32(v31))), 0x3f000000u + (v31 << 22u)) | ((v23 >> 3u) << 31u)));
        const f32 v40 = __fmul_rn(v12, f32_of(pick(v32 < 2u, bits_of(__fmul_rn(0.5f, f32_of_u32(v32))), 0x3f000000u + (v32 << 22u)) | ((v24 >> 3u) << 31u)));
        const u64 v41 = (v6 * (u64)v3) + (u64)v4;
        if ((u64)v41 + 7 < w_len) {
            *(u32x4*)(w + v41) = u32x4_of((canonical_f16(f16_of_f32(__fmul_rn(v14, v33))) & 0xffffu) | canonical_f16(f16_of_f32(__fmul_rn(v14, v34))) << 16u, (canonical_f16(f16_of_f32(__fmul_rn(v14, v35))) & 0xffffu) | canonical_f16(f16_of_f32(__fmul_rn(v14, v36))) << 16u, (canonical_f16(f16_of_f32(__fmul_rn(v14, v37))) & 0xffffu) | canonical_f16(f16_of_f32(__fmul_rn(v14, v38))) << 16u, (canonical_f16(f16_of_f32(__fmul_rn(v14, v39))) & 0xffffu) | canonical_f16(f16_of_f32(__fmul_rn(v14, v40))) << 16u);
        }
    }
}
