extern "C" __attribute__((global, amdgpu_flat_work_group_size(256, 256)))
void exp_1(
    const f32* __restrict__ x,
    f32* y,
    u32 first_x,
    u32 n,
    u64 x_len,
    u64 y_len) {
    const u32 v0 = (first_x + __builtin_amdgcn_workgroup_id_x()) * 256u + __builtin_amdgcn_workitem_id_x();
    if (v0 < n) {
        const f32 v1 = (v0 < x_len) ? x[v0] : 0.0f;
        const f32 v2 = __builtin_fmaf(v1, 1.442695f, 12582912.0f);
        const f32 v3 = -(v2 - 12582912.0f);
        const f32 v4 = __builtin_fmaf(v3, (-1.9046542e-9f), __builtin_fmaf(v3, 0.6931472f, v1));
        const f32 v5 = __builtin_fmaf(v4, __builtin_fmaf(v4, __builtin_fmaf(v4, __builtin_fmaf(v4, 0.0013782458f, 0.008368669f), 0.041668963f), 0.16666521f), 0.4999999f);
        const u32 v6 = (v1 < (-87.33654f)) ? 0u : canonical(f32_of((canonical(v2) << 23u) + canonical(__builtin_fmaf(v4, __builtin_fmaf(v4, v5, 1.0f), 1.0f))));
        if (v0 < y_len) {
            y[v0] = stored(f32_of(((canonical(v1) & 0x7fffffffu) > 0x7f800000u) ? 0x7fc00000u : ((v1 >= 88.72284f) ? 0x7f800000u : v6)));
        }
    }
}
