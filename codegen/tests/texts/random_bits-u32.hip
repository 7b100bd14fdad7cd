extern "C" __attribute__((global, amdgpu_flat_work_group_size(64, 64)))
void random_bits(
    u32* y,
    u32 first_x,
    u32 n,
    u32 seed,
    u32 stream,
    u32 call,
    u64 y_len) {
    const u32 v0 = n;
    const u32 v1 = seed;
    const u32 v2 = stream;
    const u32 v3 = call;
    const u32 v4 = (first_x + __builtin_amdgcn_workgroup_id_x()) * 64u + __builtin_amdgcn_workitem_id_x();
    const u32 v5 = v1 ^ mul_high_u32(v3, 0xcd9e8d57u);
    const u32 v6 = v2 ^ mul_high_u32(v4, 0xd2511f53u);
    const u32 v7 = v1 + 0x9e3779b9u;
    const u32 v8 = v2 + 0xbb67ae85u;
    const u32 v9 = v7 ^ ((v3 * 0xcd9e8d57u) ^ mul_high_u32(0xcd9e8d57u, v6));
    const u32 v10 = v8 ^ ((v4 * 0xd2511f53u) ^ mul_high_u32(v5, 0xd2511f53u));
    const u32 v11 = 0x9e3779b9u + v7;
    const u32 v12 = 0xbb67ae85u + v8;
    const u32 v13 = v11 ^ ((0xcd9e8d57u * v6) ^ mul_high_u32(0xcd9e8d57u, v10));
    const u32 v14 = v12 ^ ((v5 * 0xd2511f53u) ^ mul_high_u32(0xd2511f53u, v9));
    const u32 v15 = 0x9e3779b9u + v11;
    const u32 v16 = 0xbb67ae85u + v12;
    const u32 v17 = v15 ^ ((0xcd9e8d57u * v10) ^ mul_high_u32(0xcd9e8d57u, v14));
    const u32 v18 = v16 ^ ((0xd2511f53u * v9) ^ mul_high_u32(0xd2511f53u, v13));
    const u32 v19 = 0x9e3779b9u + v15;
    const u32 v20 = 0xbb67ae85u + v16;
    const u32 v21 = v19 ^ ((0xcd9e8d57u * v14) ^ mul_high_u32(0xcd9e8d57u, v18));
    const u32 v22 = v20 ^ ((0xd2511f53u * v13) ^ mul_high_u32(0xd2511f53u, v17));
    const u32 v23 = 0x9e3779b9u + v19;
    const u32 v24 = 0xbb67ae85u + v20;
    const u32 v25 = v23 ^ ((0xcd9e8d57u * v18) ^ mul_high_u32(0xcd9e8d57u, v22));
    const u32 v26 = v24 ^ ((0xd2511f53u * v17) ^ mul_high_u32(0xd2511f53u, v21));
    const u32 v27 = 0x9e3779b9u + v23;
    const u32 v28 = 0xbb67ae85u + v24;
    const u32 v29 = v27 ^ ((0xcd9e8d57u * v22) ^ mul_high_u32(0xcd9e8d57u, v26));
    const u32 v30 = v28 ^ ((0xd2511f53u * v21) ^ mul_high_u32(0xd2511f53u, v25));
    const u32 v31 = 0x9e3779b9u + v27;
    const u32 v32 = 0xbb67ae85u + v28;
    const u32 v33 = v31 ^ ((0xcd9e8d57u * v26) ^ mul_high_u32(0xcd9e8d57u, v30));
    const u32 v34 = v32 ^ ((0xd2511f53u * v25) ^ mul_high_u32(0xd2511f53u, v29));
    const u32 v35 = 0x9e3779b9u + v31;
    const u32 v36 = 0xbb67ae85u + v32;
    const u32 v37 = v35 ^ ((0xcd9e8d57u * v30) ^ mul_high_u32(0xcd9e8d57u, v34));
    const u32 v38 = v36 ^ ((0xd2511f53u * v29) ^ mul_high_u32(0xd2511f53u, v33));
    const u32 v39 = (0x9e3779b9u + v35) ^ ((0xcd9e8d57u * v34) ^ mul_high_u32(0xcd9e8d57u, v38));
    const u32 v40 = 0xcd9e8d57u * v38;
    const u32 v41 = (0xbb67ae85u + v36) ^ ((0xd2511f53u * v33) ^ mul_high_u32(0xd2511f53u, v37));
    const u32 v42 = 0xd2511f53u * v37;
    const u32 v43 = v4 * 4u;
    if (v43 < v0) {
        if (v43 < y_len) {
            y[v43] = v39;
        }
    }
    const u32 v44 = v43 + 1u;
    if (v44 < v0) {
        if (v44 < y_len) {
            y[v44] = v40;
        }
    }
    const u32 v45 = v43 + 2u;
    if (v45 < v0) {
        if (v45 < y_len) {
            y[v45] = v41;
        }
    }
    const u32 v46 = v43 + 3u;
    if (v46 < v0) {
        if (v46 < y_len) {
            y[v46] = v42;
        }
    }
}
