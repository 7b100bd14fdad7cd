extern "C" __attribute__((global, amdgpu_flat_work_group_size(256, 256)))
void cast(
    const u16* __restrict__ x,
    u8* y,
    u32 first_x,
    u32 n,
    u64 x_len,
    u64 y_len) {
    const u32 v0 = (first_x + __builtin_amdgcn_workgroup_id_x()) * 256u + __builtin_amdgcn_workitem_id_x();
    if (v0 < n) {
        const u32 v1 = (v0 < x_len) ? x[v0] : 0u;
        if (v0 < y_len) {
            y[v0] = (u8)(((v1 & 0x7fffu) != 0u) ? 1u : 0u);
        }
    }
}
