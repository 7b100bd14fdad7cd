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
            const f32 v22 = f32_of(v4 << 16u) + f32_of(v14 << 16u);
            const u32 v23 = bits_of(v22);
            const f32 v24 = f32_of(v5 << 16u) + f32_of(v15 << 16u);
            const u32 v25 = bits_of(v24);
            const f32 v26 = f32_of(v6 << 16u) + f32_of(v16 << 16u);
            const u32 v27 = bits_of(v26);
            const f32 v28 = f32_of(v7 << 16u) + f32_of(v17 << 16u);
            const u32 v29 = bits_of(v28);
            const f32 v30 = f32_of(v8 << 16u) + f32_of(v18 << 16u);
            const u32 v31 = bits_of(v30);
            const f32 v32 = f32_of(v9 << 16u) + f32_of(v19 << 16u);
            const u32 v33 = bits_of(v32);
            const f32 v34 = f32_of(v10 << 16u) + f32_of(v20 << 16u);
            const u32 v35 = bits_of(v34);
            const f32 v36 = f32_of(v11 << 16u) + f32_of(v21 << 16u);
            const u32 v37 = bits_of(v36);
            if ((u64)v1 + 7 < y_len) {
                *(u32x4*)(y + v1) = u32x4_of((canonical_bf16((pick(v22 != v22, 32704u, (32767u + (v23 + ((v23 >> 16u) & 1u))) >> 16u) & 65535u) & 65535u) & 0xffffu) | canonical_bf16((pick(v24 != v24, 32704u, (32767u + (v25 + (1u & (v25 >> 16u)))) >> 16u) & 65535u) & 65535u) << 16u, (canonical_bf16((pick(v26 != v26, 32704u, (32767u + (v27 + (1u & (v27 >> 16u)))) >> 16u) & 65535u) & 65535u) & 0xffffu) | canonical_bf16((pick(v28 != v28, 32704u, (32767u + (v29 + (1u & (v29 >> 16u)))) >> 16u) & 65535u) & 65535u) << 16u, (canonical_bf16((pick(v30 != v30, 32704u, (32767u + (v31 + (1u & (v31 >> 16u)))) >> 16u) & 65535u) & 65535u) & 0xffffu) | canonical_bf16((pick(v32 != v32, 32704u, (32767u + (v33 + (1u & (v33 >> 16u)))) >> 16u) & 65535u) & 65535u) << 16u, (canonical_bf16((pick(v34 != v34, 32704u, (32767u + (v35 + (1u & (v35 >> 16u)))) >> 16u) & 65535u) & 65535u) & 0xffffu) | canonical_bf16((pick(v36 != v36, 32704u, (32767u + (v37 + (1u & (v37 >> 16u)))) >> 16u) & 65535u) & 65535u) << 16u);
            }
        } else {
            for (u32 i = v1; i < v0; i += 1u) {
                const u32 v38 = (i < a_len) ? a[i] : 0u;
                const u32 v39 = (i < b_len) ? b[i] : 0u;
                const f32 v40 = f32_of(v38 << 16u) + f32_of(v39 << 16u);
                const u32 v41 = bits_of(v40);
                if (i < y_len) {
                    y[i] = (u16)canonical_bf16((pick(v40 != v40, 32704u, (32767u + (v41 + (1u & (v41 >> 16u)))) >> 16u) & 65535u) & 65535u);
                }
            }
        }
    }
}
