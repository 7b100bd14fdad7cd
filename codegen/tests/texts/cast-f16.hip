extern "C" __attribute__((global, amdgpu_flat_work_group_size(256, 256)))
void cast(
    const u16* __restrict__ x,
    u8* y,
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
            if (v1 < y_len) {
                y[v1] = (u8)(((v4 & 0x7fffu) != 0u) ? 1u : 0u);
            }
            const u32 v12 = v1 + 1u;
            if (v12 < y_len) {
                y[v12] = (u8)(((v5 & 0x7fffu) != 0u) ? 1u : 0u);
            }
            const u32 v13 = v1 + 2u;
            if (v13 < y_len) {
                y[v13] = (u8)(((v6 & 0x7fffu) != 0u) ? 1u : 0u);
            }
            const u32 v14 = v1 + 3u;
            if (v14 < y_len) {
                y[v14] = (u8)(((v7 & 0x7fffu) != 0u) ? 1u : 0u);
            }
            const u32 v15 = v1 + 4u;
            if (v15 < y_len) {
                y[v15] = (u8)(((v8 & 0x7fffu) != 0u) ? 1u : 0u);
            }
            const u32 v16 = v1 + 5u;
            if (v16 < y_len) {
                y[v16] = (u8)(((v9 & 0x7fffu) != 0u) ? 1u : 0u);
            }
            const u32 v17 = v1 + 6u;
            if (v17 < y_len) {
                y[v17] = (u8)(((v10 & 0x7fffu) != 0u) ? 1u : 0u);
            }
            const u32 v18 = v1 + 7u;
            if (v18 < y_len) {
                y[v18] = (u8)(((v11 & 0x7fffu) != 0u) ? 1u : 0u);
            }
        } else {
            for (u32 i = v1; i < v0; i += 1u) {
                const u32 v19 = (i < x_len) ? x[i] : 0u;
                if (i < y_len) {
                    y[i] = (u8)(((v19 & 0x7fffu) != 0u) ? 1u : 0u);
                }
            }
        }
    }
}
