extern "C" __attribute__((global, amdgpu_flat_work_group_size(256, 256)))
void scatter(
    const f32* __restrict__ x,
    f32* y,
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
            if ((u64)v1 + 3 < y_len) {
                *(u32x4*)(y + v1) = u32x4_of(canonical(v4), canonical(v5), canonical(v6), canonical(v7));
            }
        } else {
            for (u32 i = v1; i < v0; i += 1u) {
                const f32 v8 = (i < x_len) ? x[i] : 0.0f;
                if (i < y_len) {
                    y[i] = stored(v8);
                }
            }
        }
    }
}
extern "C" __attribute__((global, amdgpu_flat_work_group_size(128, 128)))
void scatter(
    const u32* __restrict__ indices,
    const f32* __restrict__ updates,
    f32* y,
    u32 first_x,
    u32 rows,
    u32 row_elems,
    u32 n,
    u64 indices_len,
    u64 updates_len,
    u64 y_len) {
    const u32 v0 = rows;
    const u32 v1 = row_elems;
    const u32 v2 = n;
    const u32 v3 = (first_x + __builtin_amdgcn_workgroup_id_x()) * 128u + __builtin_amdgcn_workitem_id_x();
    const bool v4 = v3 < v1;
    const u64 v5 = (u64)v1;
    const u64 v6 = (u64)v3;
    for (u32 i = 0u; i < v2; i += 1u) {
        const u32 v7 = (i < indices_len) ? indices[i] : 0u;
        if (v4) {
            const u64 v8 = v6 + (v5 * (u64)i);
            const f32 v9 = (v8 < updates_len) ? updates[v8] : 0.0f;
            const u64 v10 = v6 + (v5 * (u64)v7);
            if (v10 < y_len) {
                y[v10] = stored(v9);
            }
        }
    }
}
