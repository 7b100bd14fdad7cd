extern "C" __attribute__((global, amdgpu_flat_work_group_size(128, 128)))
void gather(
    const f32* __restrict__ table,
    const u32* __restrict__ indices,
    f32* y,
    u32 first_x,
    u32 first_y,
    u32 rows,
    u32 row_elems,
    u64 table_len,
    u64 indices_len,
    u64 y_len) {
    const u32 v0 = row_elems;
    const u32 v1 = (first_x + __builtin_amdgcn_workgroup_id_x()) * 128u + __builtin_amdgcn_workitem_id_x();
    const u32 v2 = first_y + __builtin_amdgcn_workgroup_id_y();
    const u32 v3 = (v2 < indices_len) ? indices[v2] : 0u;
    if (v1 < v0) {
        const u64 v4 = (u64)v0;
        const u64 v5 = (u64)v1;
        const u64 v6 = ((u64)v3 * v4) + v5;
        const f32 v7 = (v6 < table_len) ? table[v6] : 0.0f;
        const u64 v8 = v5 + (v4 * (u64)v2);
        if (v8 < y_len) {
            y[v8] = stored(v7);
        }
    }
}
