extern "C" __attribute__((global, amdgpu_flat_work_group_size(256, 256)))
void copy(
    const u16* __restrict__ x,
    u16* y,
    u32 first_x,
    u32 n,
    u64 x_len,
    u64 y_len) {
    const u32 v0 = n;
    const u32 v1 = ((first_x + __builtin_amdgcn_workgroup_id_x()) * 256u + __builtin_amdgcn_workitem_id_x()) * 8u;
    if (v1 < v0) {
        if ((v0 - v1) >= 8u) {
            const bool v2 = (u64)v1 + 7 < x_len;
            const u32x4 v3 = v2 ? *(const u32x4*)(x + v1) : u32x4_of(0u, 0u, 0u, 0u);
            const u32 v4 = v3.x & 0xffffu;
            const u32 v5 = v3.x >> 16u;
            const u32 v6 = v3.y & 0xffffu;
            const u32 v7 = v3.y >> 16u;
            const u32 v8 = v3.z & 0xffffu;
            const u32 v9 = v3.z >> 16u;
            const u32 v10 = v3.w & 0xffffu;
            const u32 v11 = v3.w >> 16u;
            if ((u64)v1 + 7 < y_len) {
                *(u32x4*)(y + v1) = u32x4_of((canonical_f16(v4) & 0xffffu) | canonical_f16(v5) << 16u, (canonical_f16(v6) & 0xffffu) | canonical_f16(v7) << 16u, (canonical_f16(v8) & 0xffffu) | canonical_f16(v9) << 16u, (canonical_f16(v10) & 0xffffu) | canonical_f16(v11) << 16u);
            }
        } else {
            for (u32 i = v1; i < v0; i += 1u) {
                const u32 v12 = (i < x_len) ? x[i] : 0u;
                if (i < y_len) {
                    y[i] = (u16)canonical_f16(v12);
                }
            }
        }
    }
}
