extern "C" __attribute__((global, amdgpu_flat_work_group_size(256, 256)))
void add(
    const f32* __restrict__ a,
    const f32* __restrict__ b,
    f32* y,
    u32 first_x,
    u32 n,
    u64 a_len,
    u64 b_len,
    u64 y_len) {
    const u32 v0 = (first_x + __builtin_amdgcn_workgroup_id_x()) * 256u + __builtin_amdgcn_workitem_id_x();
    if (v0 < n) {
        const f32 v1 = (v0 < a_len) ? a[v0] : 0.0f;
        const f32 v2 = (v0 < b_len) ? b[v0] : 0.0f;
        if (v0 < y_len) {
            y[v0] = stored(v1 + v2);
        }
    }
}
