struct dequantize_affine_launch {
    u32 first_x;
    u32 first_y;
    u32 k;
    u64 codes_len;
    u64 scales_len;
    u64 biases_len;
    u64 w_len;
};
[[max_total_threads_per_threadgroup(256)]]
kernel void dequantize_affine(
    device const u32* codes [[buffer(0)]],
    device const u16* scales [[buffer(1)]],
    device const u16* biases [[buffer(2)]],
    device u16* w [[buffer(3)]],
    constant dequantize_affine_launch& launch [[buffer(4)]],
    uint thread_in_group [[thread_index_in_threadgroup]],
    uint3 group [[threadgroup_position_in_grid]]) {
    const u32 v0 = launch.k;
    const u32 v1 = (launch.first_x + group.x) * 256u + thread_in_group;
    const u32 v2 = launch.first_y + group.y;
    if (v1 < v0) {
        const u64 v3 = (u64)v2;
        const u64 v4 = (v3 * (u64)((v0 + 63u) >> 6u)) + (u64)(v1 >> 6u);
        const u32 v5 = 2u * (v1 & 31u);
        const u64 v6 = (v3 * (u64)(((v0 + 31u) >> 5u) * 2u)) + (u64)((2u * (v1 >> 5u)) + (v5 >> 5u));
        const u32 v7 = (v6 < launch.codes_len) ? codes[v6] : 0u;
        const u32 v8 = (v4 < launch.scales_len) ? scales[v4] : 0u;
        const u32 v9 = (v4 < launch.biases_len) ? biases[v4] : 0u;
        const u32 v10 = canonical(f32_of_u32((v7 >> ((31u & v5) & 31u)) & 3u));
        const u32 v11 = canonical(f32_of_f16(v8));
        const u32 v12 = canonical(f32_of_f16(v9));
        const u32 v13 = v10 & 0x7fffffffu;
        const u32 v14 = v11 & 0x7fffffffu;
        const u32 v15 = v12 & 0x7fffffffu;
        const u32 v16 = (v10 ^ v11) & 0x80000000u;
        const u32 v17 = v13 >> 23u;
        const u32 v18 = (v13 << 8u) | (((v17 != 0u) ? 1u : 0u) << 31u);
        const u32 v19 = leading_zeros(v18);
        const u32 v20 = v14 >> 23u;
        const u32 v21 = (v14 << 8u) | (((0u != v20) ? 1u : 0u) << 31u);
        const u32 v22 = leading_zeros(v21);
        const u32 v23 = v21 << (v22 & 31u);
        const u32 v24 = v15 >> 23u;
        const u32 v25 = (v15 << 8u) | (((0u != v24) ? 1u : 0u) << 31u);
        const u32 v26 = leading_zeros(v25);
        const u32 v27 = (v18 << (v19 & 31u)) >> 1u;
        const u32 v28 = mul_high_u32(v23, v27);
        const u32 v29 = v23 * v27;
        const bool v30 = 0u == min_of(v13, v14);
        const u32 v31 = v30 ? 0xfffffc18u : (((max_of(v17, 1u) - v19) + (max_of(1u, v20) - v22)) - 127u);
        const u32 v32 = (v15 == 0u) ? 0xfffffc18u : (max_of(1u, v24) - v26);
        const u32 v33 = v31 - v32;
        const bool v34 = (i32)v33 >= (i32)0u;
        const u32 v35 = (v25 << (v26 & 31u)) >> 2u;
        const u32 v36 = v34 ? v29 : 0u;
        const u32 v37 = v34 ? v35 : v28;
        const u32 v38 = v34 ? 0u : v29;
        const u32 v39 = min_signed(abs_signed(v33), 63u);
        const bool v40 = v39 > 31u;
        const u32 v41 = v40 ? 0u : v37;
        const u32 v42 = v40 ? v37 : v38;
        const u32 v43 = 31u & v39;
        const u32 v44 = v42 >> (v43 & 31u);
        const u32 v45 = (v44 | ((v41 << 1u) << ((31u - v43) & 31u))) | ((0u != ((v40 ? v38 : 0u) | (v42 ^ (v44 << (v43 & 31u))))) ? 1u : 0u);
        const u32 v46 = (u32)((i32)(v12 ^ v16) >> 31u);
        const u32 v47 = v36 + ((v45 ^ v46) - v46);
        const u32 v48 = ((v34 ? v28 : v35) + (((0u == v45) ? (1u & v46) : 0u) + ((v41 >> (v43 & 31u)) ^ v46))) + ((v47 < v36) ? 1u : 0u);
        const u32 v49 = v46 & (u32)((i32)v48 >> 31u);
        const u32 v50 = ((0u == v47) ? (1u & v49) : 0u) + (v48 ^ v49);
        const u32 v51 = (v47 ^ v49) - v49;
        const bool v52 = 0u == v50;
        const u32 v53 = v52 ? v51 : v50;
        const u32 v54 = v52 ? 0u : v51;
        const u32 v55 = leading_zeros(v53);
        const u32 v56 = ((v53 << (v55 & 31u)) | ((v54 >> 1u) >> ((31u - v55) & 31u))) | ((0u != (v54 << (v55 & 31u))) ? 1u : 0u);
        const u32 v57 = (max_signed(v31, v32) + 2u) - (v52 ? (v55 + 32u) : v55);
        const u32 v58 = min_signed(31u, max_signed(0u, 1u - v57));
        const u32 v59 = v56 >> (v58 & 31u);
        const u32 v60 = v59 | ((v56 != (v59 << (v58 & 31u))) ? 1u : 0u);
        const u32 v61 = v60 >> 8u;
        const u32 v62 = ((i32)v57 > (i32)254u) ? 0x7f800000u : (((max_signed(v57, 1u) - 1u) << 23u) + (v61 + ((((v60 & 255u) + (1u & v61)) > 128u) ? 1u : 0u)));
        const u32 v63 = max_of(v13, v14);
        const bool v64 = 0x7f800000u == v63;
        const u32 v65 = v64 ? (v16 | 0x7f800000u) : ((0u == (v50 | v51)) ? (0x80000000u & (v12 & v16)) : ((0x80000000u & (v49 ^ (v34 ? v16 : v12))) | v62));
        const bool v66 = v15 == 0x7f800000u;
        const u32 v67 = f16_of_f32(f32_of(((v64 && (v30 || (v66 && (0u != v46)))) || (max_of(v15, v63) > 0x7f800000u)) ? 0x7fc00000u : (v66 ? v12 : v65)));
        const u64 v68 = (v3 * (u64)v0) + (u64)v1;
        if (v68 < launch.w_len) {
            w[v68] = (u16)canonical_f16(v67);
        }
    }
}
