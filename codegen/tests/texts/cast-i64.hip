extern "C" __attribute__((global, amdgpu_flat_work_group_size(256, 256)))
void cast(
    const u64* __restrict__ x,
    u8* y,
    u32 first_x,
    u32 n,
    u64 x_len,
    u64 y_len) {
    const u32 v0 = n;
    const u32 v1 = ((first_x + __builtin_amdgcn_workgroup_id_x()) * 256u + __builtin_amdgcn_workitem_id_x()) * 2u;
    if (v1 < v0) {
        if ((v0 - v1) >= 2u) {
            const bool v2 = (u64)v1 + 1 < x_len;
            const u32x4 v3 = v2 ? *(const u32x4*)(x + v1) : u32x4_of(0u, 0u, 0u, 0u);
            const u64 v4 = (u64)v3.y << 32 | v3.x;
            const u64 v5 = (u64)v3.w << 32 | v3.z;
            if (v1 < y_len) {
                y[v1] = (u8)((v4 != 0u) ? 1u : 0u);
            }
            const u32 v6 = v1 + 1u;
            if (v6 < y_len) {
                y[v6] = (u8)((v5 != 0u) ? 1u : 0u);
            }
        } else {
            for (u32 i = v1; i < v0; i += 1u) {
                const u64 v7 = (i < x_len) ? x[i] : 0ull;
                if (i < y_len) {
                    y[i] = (u8)((v7 != 0u) ? 1u : 0u);
                }
            }
        }
    }
}
