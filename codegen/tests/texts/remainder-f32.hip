extern "C" __attribute__((global, amdgpu_flat_work_group_size(256, 256)))
void remainder(
    const f32* __restrict__ a,
    const f32* __restrict__ b,
    f32* y,
    u32 first_x,
    u32 n,
    u64 a_len,
    u64 b_len,
    u64 y_len) {
    u32 r;
    u32 rest;
    u32 left;
    const u32 v0 = (first_x + __builtin_amdgcn_workgroup_id_x()) * 256u + __builtin_amdgcn_workitem_id_x();
    if (v0 < n) {
        const f32 v1 = (v0 < a_len) ? a[v0] : 0.0f;
        const f32 v2 = (v0 < b_len) ? b[v0] : 0.0f;
        const u32 v3 = canonical(v1);
        const u32 v4 = v3 & 0x7fffffffu;
        const u32 v5 = canonical(v2) & 0x7fffffffu;
        const bool v6 = ((v5 == 0u) || (v4 >= 0x7f800000u)) || (v5 > 0x7f800000u);
        r = v6 ? 0x7fc00000u : v3;
        if ((!v6) && (v5 <= v4)) {
            const u32 v7 = v4 >> 23u;
            const bool v8 = 0u != v7;
            const u32 v9 = v5 >> 23u;
            const bool v10 = 0u != v9;
            const u32 v11 = v10 ? (0x800000u | (v5 & 0x7fffffu)) : v5;
            const u32 v12 = v10 ? v9 : 1u;
            rest = rem_u32(v8 ? ((v4 & 0x7fffffu) | 0x800000u) : v4, v11);
            left = (v8 ? v7 : 1u) - v12;
            for (;;) {
                const u32 v13 = left;
                const u32 v14 = rest;
                if (!((0u != v13) && (0u != v14))) {
                    break;
                }
                const u32 v15 = min_of(v13, 8u);
                rest = rem_u32(v14 << (v15 & 31u), v11);
                left = v13 - v15;
            }
            const u32 v16 = rest;
            const u32 v17 = min_of(leading_zeros(v16) - 8u, v12 - 1u);
            r = ((0u == v16) ? 0u : ((v16 << (v17 & 31u)) + (((v12 - v17) - 1u) << 23u))) | (v3 ^ v4);
        }
        if (v0 < y_len) {
            y[v0] = stored(f32_of(r));
        }
    }
}
