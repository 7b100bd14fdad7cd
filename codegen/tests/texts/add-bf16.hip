extern "C" __attribute__((global, amdgpu_flat_work_group_size(256, 256)))
void add(
    const u16* __restrict__ a,
    const u16* __restrict__ b,
    u16* y,
    u32 first_x,
    u32 n,
    u64 a_len,
    u64 b_len,
    u64 y_len) {
    const u32 v0 = n;
    const u32 v1 = ((first_x + __builtin_amdgcn_workgroup_id_x()) * 256u + __builtin_amdgcn_workitem_id_x()) * 8u;
    if (v1 < v0) {
        if ((v0 - v1) >= 8u) {
            const bool v2 = (u64)v1 + 7 < a_len;
            const u32x4 v3 = v2 ? *(const u32x4*)(a + v1) : u32x4_of(0u, 0u, 0u, 0u);
            const u32 v4 = v3.x & 0xffffu;
            const u32 v5 = v3.x >> 16u;
            const u32 v6 = v3.y & 0xffffu;
            const u32 v7 = v3.y >> 16u;
            const u32 v8 = v3.z & 0xffffu;
            const u32 v9 = v3.z >> 16u;
            const u32 v10 = v3.w & 0xffffu;
            const u32 v11 = v3.w >> 16u;
            const bool v12 = (u64)v1 + 7 < b_len;
            const u32x4 v13 = v12 ? *(const u32x4*)(b + v1) : u32x4_of(0u, 0u, 0u, 0u);
            const u32 v14 = v13.x & 0xffffu;
            const u32 v15 = v13.x >> 16u;
            const u32 v16 = v13.y & 0xffffu;
            const u32 v17 = v13.y >> 16u;
            const u32 v18 = v13.z & 0xffffu;
            const u32 v19 = v13.z >> 16u;
            const u32 v20 = v13.w & 0xffffu;
            const u32 v21 = v13.w >> 16u;
            const u32 v22 = canonical(f32_of(v4 << 16u) + f32_of(v14 << 16u));
            const u32 v23 = canonical(f32_of(v5 << 16u) + f32_of(v15 << 16u));
            const u32 v24 = canonical(f32_of(v6 << 16u) + f32_of(v16 << 16u));
            const u32 v25 = canonical(f32_of(v7 << 16u) + f32_of(v17 << 16u));
            const u32 v26 = canonical(f32_of(v8 << 16u) + f32_of(v18 << 16u));
            const u32 v27 = canonical(f32_of(v9 << 16u) + f32_of(v19 << 16u));
            const u32 v28 = canonical(f32_of(v10 << 16u) + f32_of(v20 << 16u));
            const u32 v29 = canonical(f32_of(v11 << 16u) + f32_of(v21 << 16u));
            if ((u64)v1 + 7 < y_len) {
                *(u32x4*)(y + v1) = u32x4_of((canonical_bf16(((((v22 & 0x7fffffffu) > 0x7f800000u) ? 32704u : ((32767u + (v22 + ((v22 >> 16u) & 1u))) >> 16u)) & 65535u) & 65535u) & 0xffffu) | canonical_bf16(((((0x7fffffffu & v23) > 0x7f800000u) ? 32704u : ((32767u + (v23 + (1u & (v23 >> 16u)))) >> 16u)) & 65535u) & 65535u) << 16u, (canonical_bf16(((((0x7fffffffu & v24) > 0x7f800000u) ? 32704u : ((32767u + (v24 + (1u & (v24 >> 16u)))) >> 16u)) & 65535u) & 65535u) & 0xffffu) | canonical_bf16(((((0x7fffffffu & v25) > 0x7f800000u) ? 32704u : ((32767u + (v25 + (1u & (v25 >> 16u)))) >> 16u)) & 65535u) & 65535u) << 16u, (canonical_bf16(((((0x7fffffffu & v26) > 0x7f800000u) ? 32704u : ((32767u + (v26 + (1u & (v26 >> 16u)))) >> 16u)) & 65535u) & 65535u) & 0xffffu) | canonical_bf16(((((0x7fffffffu & v27) > 0x7f800000u) ? 32704u : ((32767u + (v27 + (1u & (v27 >> 16u)))) >> 16u)) & 65535u) & 65535u) << 16u, (canonical_bf16(((((0x7fffffffu & v28) > 0x7f800000u) ? 32704u : ((32767u + (v28 + (1u & (v28 >> 16u)))) >> 16u)) & 65535u) & 65535u) & 0xffffu) | canonical_bf16(((((0x7fffffffu & v29) > 0x7f800000u) ? 32704u : ((32767u + (v29 + (1u & (v29 >> 16u)))) >> 16u)) & 65535u) & 65535u) << 16u);
            }
        } else {
            for (u32 i = v1; i < v0; i += 1u) {
                const u32 v30 = (i < a_len) ? a[i] : 0u;
                const u32 v31 = (i < b_len) ? b[i] : 0u;
                const u32 v32 = canonical(f32_of(v30 << 16u) + f32_of(v31 << 16u));
                if (i < y_len) {
                    y[i] = (u16)canonical_bf16(((((v32 & 0x7fffffffu) > 0x7f800000u) ? 32704u : ((32767u + (v32 + (1u & (v32 >> 16u)))) >> 16u)) & 65535u) & 65535u);
                }
            }
        }
    }
}
