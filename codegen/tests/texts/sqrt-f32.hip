extern "C" __attribute__((global, amdgpu_flat_work_group_size(256, 256)))
void sqrt_1(
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
                *(u32x4*)(y + v1) = u32x4_of(canonical(__builtin_sqrtf(v4)), canonical(__builtin_sqrtf(v5)), canonical(__builtin_sqrtf(v6)), canonical(__builtin_sqrtf(v7)));
            }
        } else {
            for (u32 i = v1; i < v0; i += 1u) {
                const f32 v8 = (i < x_len) ? x[i] : 0.0f;
                if (i < y_len) {
                    y[i] = stored(__builtin_sqrtf(v8));
                }
            }
        }
    }
}
