extern "C" __attribute__((global, amdgpu_flat_work_group_size(256, 256)))
void swiglu(
    const u16* __restrict__ gate,
    const u16* __restrict__ up,
    u16* y,
    u32 first_x,
    u32 n,
    u64 gate_len,
    u64 up_len,
    u64 y_len) {
    const u32 v0 = (first_x + __builtin_amdgcn_workgroup_id_x()) * 256u + __builtin_amdgcn_workitem_id_x();
    if (v0 < n) {
        const u32 v1 = (v0 < gate_len) ? gate[v0] : 0u;
        const f32 v2 = f32_of_f16(v1);
        const bool v3 = v2 < 0.0f;
        const f32 v4 = -__builtin_fabsf(v2);
        const f32 v5 = (v4 < (-120.0f)) ? (-120.0f) : v4;
        const f32 v6 = __builtin_fmaf(v5, 1.442695f, 12582912.0f);
        const f32 v7 = -(v6 - 12582912.0f);
        const f32 v8 = __builtin_fmaf(v7, 0.6931472f, v5);
        const f32 v9 = __builtin_fmaf(v7, (-1.9046542e-9f), v8);
        const u32 v10 = canonical(v6) << 23u;
        const f32 v11 = (v3 ? 0.0f : (-0.0f)) + __builtin_fmaf(v7, (-1.9046542e-9f), v8 - v9);
        const f32 v12 = v9 + 1.0f;
        const f32 v13 = __builtin_fmaf(v9, __builtin_fmaf(v9, __builtin_fmaf(v9, __builtin_fmaf(v9, 0.00019743273f, 0.0013933688f), 0.008333567f), 0.041666478f), 0.16666666f);
        const f32 v14 = __builtin_fmaf(v9 * v9, __builtin_fmaf(v9, v13, 0.5f), v11 + (v9 - (v12 - 1.0f)));
        const f32 v15 = v12 + v14;
        const f32 v16 = __builtin_fmaf(v11, v15 - 1.0f, v14 + (v12 - v15));
        const bool v17 = v4 < (-40.0f);
        const f32 v18 = f32_of(v17 ? 0u : (v10 + canonical(v15)));
        const f32 v19 = 1.0f + v18;
        const f32 v20 = f32_of(0x7ef311c7u - canonical(v19));
        const f32 v21 = -v19;
        const f32 v22 = __builtin_fmaf(v20, v21, 1.0f);
        const f32 v23 = __builtin_fmaf(v20, __builtin_fmaf(v22, v22, v22), v20);
        const f32 v24 = __builtin_fmaf(v21, v23, 1.0f);
        const f32 v25 = __builtin_fmaf(v23, __builtin_fmaf(v24, v24, v24), v23);
        const f32 v26 = v2 * v15;
        const f32 v27 = v3 ? v26 : v2;
        const f32 v28 = v25 * v27;
        const f32 v29 = __builtin_fmaf(v28, -((v16 * f32_of(v17 ? 0u : (v10 + 0x3f800000u))) + (v18 - (v19 - 1.0f))), __builtin_fmaf(v21, v28, v27));
        const u32 v30 = canonical(__builtin_fmaf(v25, (v3 ? __builtin_fmaf(v2, v16, __builtin_fmaf(v2, v15, -v26)) : 0.0f) + v29, v28)) & 0x7fffffffu;
        const u32 v31 = canonical(v2);
        const u32 v32 = 0x7fffffffu & v31;
        const u32 v33 = (v32 < 0x32800000u) ? (v32 - 0x800000u) : (v30 + (v3 ? v10 : 0u));
        const u32 v34 = (v32 > 0x7f800000u) ? 0x7fc00000u : (((v2 < (-120.0f)) ? 0u : ((v2 > 87.0f) ? v32 : (((i32)v33 < (i32)0x800000u) ? 0u : v33))) | (v31 & 0x80000000u));
        const u32 v35 = (v0 < up_len) ? up[v0] : 0u;
        if (v0 < y_len) {
            y[v0] = (u16)canonical_f16(f16_of_f32(f32_of(v34) * f32_of_f16(v35)));
        }
    }
}
