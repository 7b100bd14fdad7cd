// Metal's shading language. Nothing is contracted here or below; the caller asks for safe mathematics and precise functions.
#include <metal_stdlib>
#pragma METAL fp contract(off)
using namespace metal;
typedef uchar u8;
typedef char i8;
typedef ushort u16;
typedef short i16;
typedef uint u32;
typedef int i32;
typedef ulong u64;
typedef long i64;
typedef float f32;
typedef uint2 u32x2;
typedef uint4 u32x4;

#define FN static inline
#define GLOBAL device

FN u32 bits_of(f32 x) { return as_type<u32>(x); }
FN f32 f32_of(u32 x) { return as_type<f32>(x); }
FN u32x2 u32x2_of(u32 a, u32 b) { return u32x2(a, b); }
FN u32x4 u32x4_of(u32 a, u32 b, u32 c, u32 d) { return u32x4(a, b, c, d); }

// The compiler knows nothing of what this returns.
FN u32 hidden(u32 x) { volatile u32 y = x; return y; }
FN u64 hidden(u64 x) { volatile u64 y = x; return y; }

FN u32 count_ones(u32 x) { return popcount(x); }
FN u32 leading_zeros(u32 x) { return clz(x); }
FN u32 trailing_zeros(u32 x) { return ctz(x); }
FN u32 mul_high_u32(u32 x, u32 y) { return mulhi(x, y); }
FN u32 mul_high_i32(u32 x, u32 y) { return (u32)mulhi((i32)x, (i32)y); }

FN f32 f32_of_u32(u32 x) { return (f32)x; }
FN f32 f32_of_i32(u32 x) { return (f32)(i32)x; }
FN f32 f32_of_u64(u64 x) { return (f32)x; }
FN f32 f32_of_i64(u64 x) { return (f32)(i64)x; }
FN u32 f16_of_f32(f32 x) { return (u32)as_type<u16>((half)as_type<f32>(as_type<u32>(x))); }
FN f32 f32_of_f16(u32 h) { return (f32)as_type<half>((u16)h); }

FN f32 recip(f32 x) { return 1.0f / x; }
FN f32 fast_exp(f32 x) { return fast::exp(x); }
FN f32 fast_log(f32 x) { return fast::log(x); }
FN f32 fast_recip(f32 x) { return fast::divide(1.0f, x); }
FN f32 fast_rsqrt(f32 x) { return fast::rsqrt(x); }

FN void barrier() { threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup); }
FN u32 shuffle(u32 x, u32 lane) { return simd_shuffle(x, (u16)lane); }
FN u32 shuffle_xor(u32 x, u32 mask) { return simd_shuffle_xor(x, (u16)mask); }
FN u32 ballot(bool x) { return (u32)(u64)simd_ballot(x); }

#define ATOMIC(space, name, function, type) \
    FN u32 name(space u32* p, u32 x) { \
        return (u32)function((space atomic_##type*)p, (type)x, memory_order_relaxed); \
    }
#define ATOMICS(space) \
    ATOMIC(space, atomic_add, atomic_fetch_add_explicit, uint) \
    ATOMIC(space, atomic_and, atomic_fetch_and_explicit, uint) \
    ATOMIC(space, atomic_or, atomic_fetch_or_explicit, uint) \
    ATOMIC(space, atomic_xor, atomic_fetch_xor_explicit, uint) \
    ATOMIC(space, atomic_min, atomic_fetch_min_explicit, uint) \
    ATOMIC(space, atomic_max, atomic_fetch_max_explicit, uint) \
    ATOMIC(space, atomic_min_signed, atomic_fetch_min_explicit, int) \
    ATOMIC(space, atomic_max_signed, atomic_fetch_max_explicit, int) \
    ATOMIC(space, atomic_exchange, atomic_exchange_explicit, uint) \
    FN u32 atomic_compare_exchange(space u32* p, u32 expected, u32 x) { \
        u32 seen = expected; \
        while (!atomic_compare_exchange_weak_explicit( \
                   (space atomic_uint*)p, &seen, x, memory_order_relaxed, memory_order_relaxed) \
               && seen == expected) { \
        } \
        return seen; \
    }
ATOMICS(device)
ATOMICS(threadgroup)
#undef ATOMICS
#undef ATOMIC

#define NO_F64

