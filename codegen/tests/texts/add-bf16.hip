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
    const u32 v0 = (first_x + __builtin_amdgcn_workgroup_id_x()) * 256u + __builtin_amdgcn_workitem_id_x();
    if (v0 < n) {
        const u32 v1 = (v0 < a_len) ? a[v0] : 0u;
        const u32 v2 = (v0 < b_len) ? b[v0] : 0u;
        const u32 v3 = canonical(f32_of(v1 << 16u) + f32_of(v2 << 16u));
        if (v0 < y_len) {
            y[v0] = (u16)canonical_bf16(((((v3 & 0x7fffffffu) > 0x7f800000u) ? 32704u : ((32767u + (v3 + ((v3 >> 16u) & 1u))) >> 16u)) & 65535u) & 65535u);
        }
    }
}
