// HIP C++ for clang and hipRTC, without any header. Nothing is contracted here or below, whatever the flags say.
#pragma clang fp contract(off)
typedef unsigned char u8;
typedef signed char i8;
typedef unsigned short u16;
typedef short i16;
typedef unsigned int u32;
typedef int i32;
typedef unsigned long long u64;
typedef long long i64;
typedef float f32;
typedef double f64;
typedef u32 u32x2 __attribute__((ext_vector_type(2)));
typedef u32 u32x4 __attribute__((ext_vector_type(4)));

#define FN static __attribute__((device, always_inline))
#define GLOBAL

FN u32 bits_of(f32 x) { return __builtin_bit_cast(u32, x); }
FN u64 bits_of(f64 x) { return __builtin_bit_cast(u64, x); }
FN f32 f32_of(u32 x) { return __builtin_bit_cast(f32, x); }
FN f64 f64_of(u64 x) { return __builtin_bit_cast(f64, x); }
FN u32x2 u32x2_of(u32 a, u32 b) { return u32x2{a, b}; }
FN u32x4 u32x4_of(u32 a, u32 b, u32 c, u32 d) { return u32x4{a, b, c, d}; }

// This compiler keeps a choice between constants as it is, and assembly would make it ask for arguments that nobody gives.
FN u32 hidden(u32 x) { return x; }
FN u64 hidden(u64 x) { return x; }

FN u32 count_ones(u32 x) { return (u32)__builtin_popcount(x); }
FN u32 leading_zeros(u32 x) { return x == 0u ? 32u : (u32)__builtin_clz(x); }
FN u32 trailing_zeros(u32 x) { return x == 0u ? 32u : (u32)__builtin_ctz(x); }
FN u32 mul_high_u32(u32 x, u32 y) { return (u32)((u64)x * y >> 32); }
FN u32 mul_high_i32(u32 x, u32 y) { return (u32)((i64)(i32)x * (i32)y >> 32); }

FN f32 f32_of_u32(u32 x) { return (f32)x; }
FN f32 f32_of_i32(u32 x) { return (f32)(i32)x; }
FN f32 f32_of_u64(u64 x) { return (f32)x; }
FN f32 f32_of_i64(u64 x) { return (f32)(i64)x; }
FN f64 f64_of_u32(u32 x) { return (f64)x; }
FN f64 f64_of_i32(u32 x) { return (f64)(i32)x; }
FN f64 f64_of_u64(u64 x) { return (f64)x; }
FN f64 f64_of_i64(u64 x) { return (f64)(i64)x; }
FN f32 f32_of_f64(f64 x) { return (f32)x; }
FN f64 f64_of_f32(f32 x) { return (f64)x; }
// The compiler would let the conversion absorb the product or sum before it, and round once: it must not see through.
FN u32 f16_of_f32(f32 x) {
    asm volatile("" : "+v"(x));
    return (u32)__builtin_bit_cast(u16, (_Float16)x);
}
FN f32 f32_of_f16(u32 h) {
    f32 x = (f32)__builtin_bit_cast(_Float16, (u16)h);
    asm volatile("" : "+v"(x));
    return x;
}

FN f32 recip(f32 x) { return 1.0f / x; }
FN f64 recip(f64 x) { return 1.0 / x; }
FN f32 fast_exp(f32 x) { return __builtin_amdgcn_exp2f(x * 1.44269504f); }
FN f32 fast_log(f32 x) { return __builtin_amdgcn_logf(x) * 0.693147181f; }
FN f32 fast_recip(f32 x) { return __builtin_amdgcn_rcpf(x); }
FN f32 fast_rsqrt(f32 x) { return __builtin_amdgcn_rsqf(x); }

FN void barrier() {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
// The lane of the hardware's subgroup, and the first one of this subgroup of 32 in it.
FN u32 native_lane() {
#if __AMDGCN_WAVEFRONT_SIZE == 64
    return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u));
#else
    return __builtin_amdgcn_mbcnt_lo(~0u, 0u);
#endif
}
FN u32 move(u32 x, u32 from) { return (u32)__builtin_amdgcn_ds_bpermute((i32)(from << 2), (i32)x); }
FN u32 shuffle(u32 x, u32 lane) { return move(x, (native_lane() & ~31u) | lane); }
FN u32 shuffle_xor(u32 x, u32 mask) { return move(x, native_lane() ^ mask); }
FN u32 ballot(bool x) {
#if __AMDGCN_WAVEFRONT_SIZE == 64
    return (u32)(__builtin_amdgcn_ballot_w64(x) >> (native_lane() & 32u));
#else
    return __builtin_amdgcn_ballot_w32(x);
#endif
}

#define ATOMIC(name, builtin) \
    FN u32 name(u32* p, u32 x) { return builtin(p, x, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT); } \
    FN u64 name(u64* p, u64 x) { return builtin(p, x, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT); }
ATOMIC(atomic_add, __hip_atomic_fetch_add)
ATOMIC(atomic_and, __hip_atomic_fetch_and)
ATOMIC(atomic_or, __hip_atomic_fetch_or)
ATOMIC(atomic_xor, __hip_atomic_fetch_xor)
ATOMIC(atomic_min, __hip_atomic_fetch_min)
ATOMIC(atomic_max, __hip_atomic_fetch_max)
ATOMIC(atomic_exchange, __hip_atomic_exchange)
#undef ATOMIC
FN u32 atomic_min_signed(u32* p, u32 x) {
    return (u32)__hip_atomic_fetch_min((i32*)p, (i32)x, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
FN u32 atomic_max_signed(u32* p, u32 x) {
    return (u32)__hip_atomic_fetch_max((i32*)p, (i32)x, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
FN u64 atomic_min_signed(u64* p, u64 x) {
    return (u64)__hip_atomic_fetch_min((i64*)p, (i64)x, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
FN u64 atomic_max_signed(u64* p, u64 x) {
    return (u64)__hip_atomic_fetch_max((i64*)p, (i64)x, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
#define COMPARE_EXCHANGE(type) \
    FN type atomic_compare_exchange(type* p, type expected, type x) { \
        __hip_atomic_compare_exchange_strong( \
            p, &expected, x, __ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT); \
        return expected; \
    }
COMPARE_EXCHANGE(u32)
COMPARE_EXCHANGE(u64)
#undef COMPARE_EXCHANGE

// Products of a 2:4 matrix and a dense one, by the lanes of a wave of 32.
#if defined(__gfx1200__) || defined(__gfx1201__)
typedef i32 i32x2 __attribute__((ext_vector_type(2)));
typedef i32 i32x4 __attribute__((ext_vector_type(4)));
typedef i32 i32x8 __attribute__((ext_vector_type(8)));
typedef f32 f32x8 __attribute__((ext_vector_type(8)));
typedef _Float16 f16x8 __attribute__((ext_vector_type(8)));
typedef _Float16 f16x16 __attribute__((ext_vector_type(16)));
typedef i16 i16x8 __attribute__((ext_vector_type(8)));
typedef i16 i16x16 __attribute__((ext_vector_type(16)));
#define SPARSE24(name, builtin, a_signed, b_signed)                                                             \
    FN void name(u32& d0, u32& d1, u32& d2, u32& d3, u32& d4, u32& d5, u32& d6, u32& d7, u32 a0, u32 a1, u32 b0,      \
                 u32 b1, u32 b2, u32 b3, u32 c0, u32 c1, u32 c2, u32 c3, u32 c4, u32 c5, u32 c6, u32 c7,              \
                 u32 places) {                                                                                       \
        i32x2 a = {(i32)a0, (i32)a1};                                                                                \
        i32x4 b = {(i32)b0, (i32)b1, (i32)b2, (i32)b3};                                                              \
        i32x8 c = {(i32)c0, (i32)c1, (i32)c2, (i32)c3, (i32)c4, (i32)c5, (i32)c6, (i32)c7};                          \
        i32x8 d = builtin(a_signed, a, b_signed, b, c, (i32)places, false);                                          \
        d0 = (u32)d[0], d1 = (u32)d[1], d2 = (u32)d[2], d3 = (u32)d[3];                                              \
        d4 = (u32)d[4], d5 = (u32)d[5], d6 = (u32)d[6], d7 = (u32)d[7];                                              \
    }
SPARSE24(sparse24_i8_m16n16k32, __builtin_amdgcn_swmmac_i32_16x16x32_iu8_w32, true, true)
#undef SPARSE24
// This one reads 32 bits of places. Clang 19's function for it takes 16 of them: the rest is lost wherever places are
// computed. Between a product and one that reads its result as a matrix the machine wants an instruction, which a compiler
// does not put around a text.
#define SPARSE24(name, signs)                                                                                        \
    FN void name(u32& d0, u32& d1, u32& d2, u32& d3, u32& d4, u32& d5, u32& d6, u32& d7, u32 a0, u32 a1, u32 b0,     \
                 u32 b1, u32 b2, u32 b3, u32 c0, u32 c1, u32 c2, u32 c3, u32 c4, u32 c5, u32 c6, u32 c7,             \
                 u32 places) {                                                                                       \
        i32x2 a = {(i32)a0, (i32)a1};                                                                                \
        i32x4 b = {(i32)b0, (i32)b1, (i32)b2, (i32)b3};                                                              \
        i32x8 d = {(i32)c0, (i32)c1, (i32)c2, (i32)c3, (i32)c4, (i32)c5, (i32)c6, (i32)c7};                          \
        asm volatile("v_nop\n\tv_swmmac_i32_16x16x64_iu4 %0, %1, %2, %3" signs "\n\tv_nop"                           \
                     : "+&v"(d)                                                                                      \
                     : "v"(a), "v"(b), "v"(places));                                                                 \
        d0 = (u32)d[0], d1 = (u32)d[1], d2 = (u32)d[2], d3 = (u32)d[3];                                              \
        d4 = (u32)d[4], d5 = (u32)d[5], d6 = (u32)d[6], d7 = (u32)d[7];                                              \
    }
SPARSE24(sparse24_i4_i4_m16n16k64, " neg_lo:[1,1,0]")
SPARSE24(sparse24_i4_u4_m16n16k64, " neg_lo:[1,0,0]")
SPARSE24(sparse24_u4_i4_m16n16k64, " neg_lo:[0,1,0]")
SPARSE24(sparse24_u4_u4_m16n16k64, "")
#undef SPARSE24
#define SPARSE24(name, builtin)                                                                                      \
    FN void name(f32& d0, f32& d1, f32& d2, f32& d3, f32& d4, f32& d5, f32& d6, f32& d7, u32 a0, u32 a1, u32 b0,      \
                 u32 b1, u32 b2, u32 b3, f32 c0, f32 c1, f32 c2, f32 c3, f32 c4, f32 c5, f32 c6, f32 c7,              \
                 u32 places) {                                                                                       \
        i32x2 a = {(i32)a0, (i32)a1};                                                                                \
        i32x4 b = {(i32)b0, (i32)b1, (i32)b2, (i32)b3};                                                              \
        f32x8 c = {c0, c1, c2, c3, c4, c5, c6, c7};                                                                  \
        f32x8 d = builtin(a, b, c, (i32)places);                                                                     \
        d0 = d[0], d1 = d[1], d2 = d[2], d3 = d[3], d4 = d[4], d5 = d[5], d6 = d[6], d7 = d[7];                       \
    }
SPARSE24(sparse24_e4m3_e4m3_m16n16k32, __builtin_amdgcn_swmmac_f32_16x16x32_fp8_fp8_w32)
SPARSE24(sparse24_e4m3_e5m2_m16n16k32, __builtin_amdgcn_swmmac_f32_16x16x32_fp8_bf8_w32)
SPARSE24(sparse24_e5m2_e4m3_m16n16k32, __builtin_amdgcn_swmmac_f32_16x16x32_bf8_fp8_w32)
SPARSE24(sparse24_e5m2_e5m2_m16n16k32, __builtin_amdgcn_swmmac_f32_16x16x32_bf8_bf8_w32)
#undef SPARSE24
#define SPARSE24(name, builtin, narrow, wide)                                                                        \
    FN void name(f32& d0, f32& d1, f32& d2, f32& d3, f32& d4, f32& d5, f32& d6, f32& d7, u32 a0, u32 a1, u32 a2,      \
                 u32 a3, u32 b0, u32 b1, u32 b2, u32 b3, u32 b4, u32 b5, u32 b6, u32 b7, f32 c0, f32 c1, f32 c2,      \
                 f32 c3, f32 c4, f32 c5, f32 c6, f32 c7, u32 places) {                                               \
        i32x4 a = {(i32)a0, (i32)a1, (i32)a2, (i32)a3};                                                              \
        i32x8 b = {(i32)b0, (i32)b1, (i32)b2, (i32)b3, (i32)b4, (i32)b5, (i32)b6, (i32)b7};                           \
        f32x8 c = {c0, c1, c2, c3, c4, c5, c6, c7};                                                                  \
        f32x8 d = builtin(__builtin_bit_cast(narrow, a), __builtin_bit_cast(wide, b), c, (i32)places);               \
        d0 = d[0], d1 = d[1], d2 = d[2], d3 = d[3], d4 = d[4], d5 = d[5], d6 = d[6], d7 = d[7];                       \
    }
SPARSE24(sparse24_f16_m16n16k32, __builtin_amdgcn_swmmac_f32_16x16x32_f16_w32, f16x8, f16x16)
SPARSE24(sparse24_bf16_m16n16k32, __builtin_amdgcn_swmmac_f32_16x16x32_bf16_w32, i16x8, i16x16)
#undef SPARSE24
#endif

