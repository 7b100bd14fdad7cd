// CUDA C++ for NVRTC, without any header. Sums and products are the intrinsics that no flag fuses.
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
typedef uint2 u32x2;
typedef uint4 u32x4;

#define FN static __device__ __forceinline__
#define GLOBAL

FN u32 bits_of(f32 x) { return __float_as_uint(x); }
FN u64 bits_of(f64 x) { return (u64)__double_as_longlong(x); }
FN f32 f32_of(u32 x) { return __uint_as_float(x); }
FN f64 f64_of(u64 x) { return __longlong_as_double((i64)x); }
FN u32x2 u32x2_of(u32 a, u32 b) { return make_uint2(a, b); }
FN u32x4 u32x4_of(u32 a, u32 b, u32 c, u32 d) { return make_uint4(a, b, c, d); }

// The compiler knows nothing of what this returns.
FN u32 hidden(u32 x) { asm("" : "+r"(x)); return x; }
FN u64 hidden(u64 x) { asm("" : "+l"(x)); return x; }

FN u32 count_ones(u32 x) { return (u32)__popc(x); }
FN u32 leading_zeros(u32 x) { return (u32)__clz((i32)x); }
FN u32 trailing_zeros(u32 x) { return x == 0u ? 32u : (u32)__ffs((i32)x) - 1u; }
FN u32 mul_high_u32(u32 x, u32 y) { return __umulhi(x, y); }
FN u32 mul_high_i32(u32 x, u32 y) { return (u32)__mulhi((i32)x, (i32)y); }

FN f32 f32_of_u32(u32 x) { return __uint2float_rn(x); }
FN f32 f32_of_i32(u32 x) { return __int2float_rn((i32)x); }
FN f32 f32_of_u64(u64 x) { return __ull2float_rn(x); }
FN f32 f32_of_i64(u64 x) { return __ll2float_rn((i64)x); }
FN f64 f64_of_u32(u32 x) { return __uint2double_rn(x); }
FN f64 f64_of_i32(u32 x) { return __int2double_rn((i32)x); }
FN f64 f64_of_u64(u64 x) { return __ull2double_rn(x); }
FN f64 f64_of_i64(u64 x) { return __ll2double_rn((i64)x); }
FN f32 f32_of_f64(f64 x) { return __double2float_rn(x); }
FN f64 f64_of_f32(f32 x) { return (f64)x; }
FN u32 f16_of_f32(f32 x) {
    u16 h;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(x));
    return h;
}
FN u32 bf16_of_number(f32 x) {
#if __CUDA_ARCH__ >= 800
    // The form for two is one instruction where that for one is a slow one.
    u32 h;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(h) : "f"(0.0f), "f"(x));
    return h;
#else
    u32 bits = __float_as_uint(x);
    return (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
#endif
}
FN u32 bf16_of_f32(f32 x) {
    u32 h = bf16_of_number(x);
    return x == x ? h : 0x7fc0u;
}
FN f32 f32_of_f16(u32 h) {
    f32 x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"((u16)h));
    return x;
}

// NaN wins, and -0 is below +0.
#if __CUDA_ARCH__ >= 800
#define NATIVE_MIN_MAX
FN f32 min_of(f32 x, f32 y) {
    f32 z;
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(z) : "f"(x), "f"(y));
    return z;
}
FN f32 max_of(f32 x, f32 y) {
    f32 z;
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(z) : "f"(x), "f"(y));
    return z;
}
#endif

FN f32 recip(f32 x) { return __frcp_rn(x); }
FN f64 recip(f64 x) { return __drcp_rn(x); }
FN f32 fast_exp(f32 x) { return __expf(x); }
FN f32 fast_log(f32 x) { return __logf(x); }
FN f32 fast_recip(f32 x) { return __fdividef(1.0f, x); }
FN f32 fast_rsqrt(f32 x) { return rsqrtf(x); }

FN void barrier() { __syncthreads(); }
FN u32 lane_of() { return threadIdx.x & 31u; }
FN u32 shuffle(u32 x, u32 lane) { return __shfl_sync(0xffffffffu, x, (i32)lane); }
FN u32 shuffle_xor(u32 x, u32 mask) { return __shfl_xor_sync(0xffffffffu, x, (i32)mask); }
FN u32 ballot(bool x) { return __ballot_sync(0xffffffffu, x); }

FN u32 atomic_add(u32* p, u32 x) { return atomicAdd(p, x); }
FN u32 atomic_and(u32* p, u32 x) { return atomicAnd(p, x); }
FN u32 atomic_or(u32* p, u32 x) { return atomicOr(p, x); }
FN u32 atomic_xor(u32* p, u32 x) { return atomicXor(p, x); }
FN u32 atomic_exchange(u32* p, u32 x) { return atomicExch(p, x); }
FN u32 atomic_min(u32* p, u32 x) { return atomicMin(p, x); }
FN u32 atomic_max(u32* p, u32 x) { return atomicMax(p, x); }
FN u32 atomic_min_signed(u32* p, u32 x) { return (u32)atomicMin((i32*)p, (i32)x); }
FN u32 atomic_max_signed(u32* p, u32 x) { return (u32)atomicMax((i32*)p, (i32)x); }
FN u32 atomic_compare_exchange(u32* p, u32 expected, u32 x) { return atomicCAS(p, expected, x); }
FN u64 atomic_add(u64* p, u64 x) { return atomicAdd(p, x); }
FN u64 atomic_and(u64* p, u64 x) { return atomicAnd(p, x); }
FN u64 atomic_or(u64* p, u64 x) { return atomicOr(p, x); }
FN u64 atomic_xor(u64* p, u64 x) { return atomicXor(p, x); }
FN u64 atomic_exchange(u64* p, u64 x) { return atomicExch(p, x); }
FN u64 atomic_min(u64* p, u64 x) { return atomicMin(p, x); }
FN u64 atomic_max(u64* p, u64 x) { return atomicMax(p, x); }
FN u64 atomic_min_signed(u64* p, u64 x) { return (u64)atomicMin((i64*)p, (i64)x); }
FN u64 atomic_max_signed(u64* p, u64 x) { return (u64)atomicMax((i64*)p, (i64)x); }
FN u64 atomic_compare_exchange(u64* p, u64 expected, u64 x) { return atomicCAS(p, expected, x); }


// Products of a 2:4 matrix and a dense one, by the lanes of a warp.
#define SPARSE24(name, types, sum, form)                                                               \
    FN void name(sum& d0, sum& d1, sum& d2, sum& d3, u32 a0, u32 a1, u32 a2, u32 a3, u32 b0, u32 b1,   \
                 u32 b2, u32 b3, sum c0, sum c1, sum c2, sum c3, u32 places) {                         \
        asm volatile("mma.sp::ordered_metadata.sync.aligned." types                                    \
                     " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9, %10, %11}, {%12, %13, %14, %15},"  \
                     " %16, 0x0;"                                                                      \
                     : "=" form(d0), "=" form(d1), "=" form(d2), "=" form(d3)                          \
                     : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1), "r"(b2), "r"(b3),         \
                       form(c0), form(c1), form(c2), form(c3), "r"(places));                           \
    }
SPARSE24(sparse24_i8_m16n8k64, "m16n8k64.row.col.s32.s8.s8.s32", u32, "r")
SPARSE24(sparse24_f16_m16n8k32, "m16n8k32.row.col.f32.f16.f16.f32", f32, "f")
SPARSE24(sparse24_bf16_m16n8k32, "m16n8k32.row.col.f32.bf16.bf16.f32", f32, "f")
#undef SPARSE24

