extern "C" __attribute__((global, amdgpu_flat_work_group_size(256, 256)))
void cast(
    const f32* __restrict__ x,
    u8* y,
    u32 first_x,
    u32 n,
    u64 x_len,
    u64 y_len) {
    const u32 v0 = n;
    const u32 v1 = ((first_x + __builtin_amdgcn_workgroup_id_x()) * 256u + __builtin_amdgcn_workitem_id_x()) * 4u;
    if (v1 < v0) {
        if ((v0 - v1) >= 4u) {
            const bool v2 = (u64)v1 + 3 < x_len;
            const u32x4 v3 = v2 ? *(const u32x4*)(x + v1) : u32x4_of(0u, 0u, 0u, 0u);
            const f32 v4 = f32_of(v3.x);
            const f32 v5 = f32_of(v3.y);
            const f32 v6 = f32_of(v3.z);
            const f32 v7 = f32_of(v3.w);
            if (v1 < y_len) {
                y[v1] = (u8)(((bits_of(v4) & 0x7fffffffu) != 0u) ? 1u : 0u);
            }
            const u32 v8 = v1 + 1u;
            if (v8 < y_len) {
                y[v8] = (u8)(((bits_of(v5) & 0x7fffffffu) != 0u) ? 1u : 0u);
            }
            const u32 v9 = v1 + 2u;
            if (v9 < y_len) {
                y[v9] = (u8)(((bits_of(v6) & 0x7fffffffu) != 0u) ? 1u : 0u);
            }
            const u32 v10 = v1 + 3u;
            if (v10 < y_len) {
                y[v10] = (u8)(((bits_of(v7) & 0x7fffffffu) != 0u) ? 1u : 0u);
            }
        } else {
            for (u32 i = v1; i < v0; i += 1u) {
                const f32 v11 = (i < x_len) ? x[i] : 0.0f;
                if (i < y_len) {
                    y[i] = (u8)(((bits_of(v11) & 0x7fffffffu) != 0u) ? 1u : 0u);
                }
            }
        }
    }
}
