extern "C" __attribute__((global, amdgpu_flat_work_group_size(256, 256)))
void tanh(
    const u16* __restrict__ x,
    u16* y,
    u32 first_x,
    u32 n,
    u64 x_len,
    u64 y_len) {
    const u32 v0 = (first_x + __builtin_amdgcn_workgroup_id_x()) * 256u + __builtin_amdgcn_workitem_id_x();
    if (v0 < n) {
        const u32 v1 = (v0 < x_len) ? x[v0] : 0u;
        const f32 v2 = f32_of_f16(v1);
        const f32 v3 = __builtin_fabsf(v2);
        const f32 v4 = (v3 < 9.2f) ? v3 : 9.2f;
        const f32 v5 = v4 + v4;
        const f32 v6 = __builtin_fmaf(v5, 1.442695f, 12582912.0f);
        const f32 v7 = -(v6 - 12582912.0f);
        const f32 v8 = __builtin_fmaf(v7, (-1.9046542e-9f), __builtin_fmaf(v7, 0.6931472f, v5));
        const f32 v9 = __builtin_fmaf(v8, __builtin_fmaf(v8, __builtin_fmaf(v8, __builtin_fmaf(v8, 0.0013782458f, 0.008368669f), 0.041668963f), 0.16666521f), 0.4999999f);
        const f32 v10 = 1.0f + f32_of((canonical(v6) << 23u) + canonical(__builtin_fmaf(v8, __builtin_fmaf(v8, v9, 1.0f), 1.0f)));
        const f32 v11 = f32_of(0x7ef311c7u - canonical(v10));
        const f32 v12 = -v10;
        const f32 v13 = __builtin_fmaf(v11, v12, 1.0f);
        const f32 v14 = __builtin_fmaf(v11, __builtin_fmaf(v13, v13, v13), v11);
        const f32 v15 = __builtin_fmaf(v12, v14, 1.0f);
        const f32 v16 = v3 * v3;
        const f32 v17 = __builtin_fmaf(v16, __builtin_fmaf(v16, __builtin_fmaf(v16, (-0.005700092f), 0.020634118f), (-0.05373794f)), 0.13331416f);
        const f32 v18 = (v3 < 0.625f) ? __builtin_fmaf(__builtin_fmaf(v16, v17, (-0.3333328f)), v3 * v16, v3) : __builtin_fmaf(__builtin_fmaf(v14, __builtin_fmaf(v15, v15, v15), v14), (-2.0f), 1.0f);
        const u32 v19 = canonical(v2);
        const u32 v20 = v19 & 0x7fffffffu;
        const u32 v21 = f16_of_f32(f32_of((v20 > 0x7f800000u) ? 0x7fc00000u : (((v20 < 0x39000000u) ? v20 : canonical(v18)) ^ (v19 & 0x80000000u))));
        if (v0 < y_len) {
            y[v0] = (u16)canonical_f16(v21);
        }
    }
}
