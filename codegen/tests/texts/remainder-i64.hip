extern "C" __attribute__((global, amdgpu_flat_work_group_size(256, 256)))
void remainder(
    const u64* __restrict__ a,
    const u64* __restrict__ b,
    u64* y,
    u32 first_x,
    u32 n,
    u64 a_len,
    u64 b_len,
    u64 y_len) {
    const u32 v0 = n;
    const u32 v1 = ((first_x + __builtin_amdgcn_workgroup_id_x()) * 256u + __builtin_amdgcn_workitem_id_x()) * 2u;
    if (v1 < v0) {
        if ((v0 - v1) >= 2u) {
            const bool v2 = (u64)v1 + 1 < a_len;
            const u32x4 v3 = v2 ? *(const u32x4*)(a + v1) : u32x4_of(0u, 0u, 0u, 0u);
            const u64 v4 = (u64)v3.y << 32 | v3.x;
            const u64 v5 = (u64)v3.w << 32 | v3.z;
            const bool v6 = (u64)v1 + 1 < b_len;
            const u32x4 v7 = v6 ? *(const u32x4*)(b + v1) : u32x4_of(0u, 0u, 0u, 0u);
            const u64 v8 = (u64)v7.y << 32 | v7.x;
            const u64 v9 = (u64)v7.w << 32 | v7.z;
            if ((u64)v1 + 1 < y_len) {
                const u64 v10 = rem_i64(v4, v8);
                const u64 v11 = rem_i64(v5, v9);
                *(u32x4*)(y + v1) = u32x4_of((u32)v10, (u32)(v10 >> 32), (u32)v11, (u32)(v11 >> 32));
            }
        } else {
            for (u32 i = v1; i < v0; i += 1u) {
                const u64 v12 = (i < a_len) ? a[i] : 0ull;
                const u64 v13 = (i < b_len) ? b[i] : 0ull;
                if (i < y_len) {
                    y[i] = rem_i64(v12, v13);
                }
            }
        }
    }
}
