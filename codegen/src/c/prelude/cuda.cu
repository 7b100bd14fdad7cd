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


#ifdef __CUDA_ARCH_FEAT_SM90_ALL
// Products of a 2:4 matrix in registers and a dense one in shared memory, by four warps; they run on until they are waited for.
#define TILE __align__(1024)
// The tile's columns are 128 bytes whose chunks of 16 are exchanged by the low bits of the column; eight columns are 1024 bytes.
FN u64 tile_of(const u32* tile, u32 step) {
    u32 at = (u32)__cvta_generic_to_shared(tile) + 64u * step;
    return (u64)(at >> 4 & 0x3fffu) | (u64)1 << 16 | (u64)64 << 32 | (u64)1 << 62;
}
FN void product_begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
FN void product_end() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
FN void product_wait() { asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory"); }
// A word in a register that nothing but this instruction writes. The number of a multiprocessor is below 2^24, which no compiler knows.
FN u32 product_word(u32 x) {
    u32 y, number;
    asm("mov.u32 %0, %%smid;" : "=r"(number));
    asm volatile("or.b32 %0, %1, %2;" : "=r"(y) : "r"(x), "r"(number >> 24));
    return y;
}
FN void product_barrier() {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
}
#define SUMS64(F, d) \
    F(d[0]), F(d[1]), F(d[2]), F(d[3]), F(d[4]), F(d[5]), F(d[6]), F(d[7]), \
    F(d[8]), F(d[9]), F(d[10]), F(d[11]), F(d[12]), F(d[13]), F(d[14]), F(d[15]), \
    F(d[16]), F(d[17]), F(d[18]), F(d[19]), F(d[20]), F(d[21]), F(d[22]), F(d[23]), \
    F(d[24]), F(d[25]), F(d[26]), F(d[27]), F(d[28]), F(d[29]), F(d[30]), F(d[31]), \
    F(d[32]), F(d[33]), F(d[34]), F(d[35]), F(d[36]), F(d[37]), F(d[38]), F(d[39]), \
    F(d[40]), F(d[41]), F(d[42]), F(d[43]), F(d[44]), F(d[45]), F(d[46]), F(d[47]), \
    F(d[48]), F(d[49]), F(d[50]), F(d[51]), F(d[52]), F(d[53]), F(d[54]), F(d[55]), \
    F(d[56]), F(d[57]), F(d[58]), F(d[59]), F(d[60]), F(d[61]), F(d[62]), F(d[63])
#define WORDS64 \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, " \
    "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, " \
    "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, " \
    "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define FLOATS(d) "+f"(d)
#define INTS(d) "+r"(d)
#define WIDE24(name, types, sum, forms, more)                                                          \
    FN void name(sum (&d)[64], const u32* tile, u32 a0, u32 a1, u32 a2, u32 a3, u32 a4, u32 a5,        \
                 u32 a6, u32 a7, u32 p0, u32 p1) {                                                     \
        asm volatile("{ .reg .pred more; setp.eq.u32 more, 0, 0;"                                      \
                     " wgmma.mma_async.sp.sync.aligned." types " {" WORDS64 "},"                       \
                     " {%64, %65, %66, %67}, %68, %69, 0, more" more "; }"                             \
                     : SUMS64(forms, d)                                                                \
                     : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(tile_of(tile, 0)), "r"(p0)              \
                     : "memory");                                                                      \
        asm volatile("{ .reg .pred more; setp.eq.u32 more, 0, 0;"                                      \
                     " wgmma.mma_async.sp.sync.aligned." types " {" WORDS64 "},"                       \
                     " {%64, %65, %66, %67}, %68, %69, 0, more" more "; }"                             \
                     : SUMS64(forms, d)                                                                \
                     : "r"(a4), "r"(a5), "r"(a6), "r"(a7), "l"(tile_of(tile, 1)), "r"(p1)              \
                     : "memory");                                                                      \
    }
#define DONE(sum, forms)                                                                               \
    FN void product_done(sum (&d)[64], u32 a0, u32 a1, u32 a2, u32 a3, u32 a4, u32 a5, u32 a6,         \
                         u32 a7) {                                                                     \
        asm volatile("" : SUMS64(forms, d)                                                             \
                     : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a5), "r"(a6), "r"(a7)          \
                     : "memory");                                                                      \
    }
DONE(f32, FLOATS)
DONE(u32, INTS)
WIDE24(wide24_i8_n128k128, "m64n128k64.s32.s8.s8", u32, INTS, "")
WIDE24(wide24_f16_n128k64, "m64n128k32.f32.f16.f16", f32, FLOATS, ", 1, 1, 0")
WIDE24(wide24_bf16_n128k64, "m64n128k32.f32.bf16.bf16", f32, FLOATS, ", 1, 1, 0")
WIDE24(wide24_e4m3_e4m3_n128k128, "m64n128k64.f32.e4m3.e4m3", f32, FLOATS, ", 1, 1")
WIDE24(wide24_e4m3_e5m2_n128k128, "m64n128k64.f32.e4m3.e5m2", f32, FLOATS, ", 1, 1")
WIDE24(wide24_e5m2_e4m3_n128k128, "m64n128k64.f32.e5m2.e4m3", f32, FLOATS, ", 1, 1")
WIDE24(wide24_e5m2_e5m2_n128k128, "m64n128k64.f32.e5m2.e5m2", f32, FLOATS, ", 1, 1")
#undef WIDE24
#undef DONE
#undef FLOATS
#undef INTS
#undef WORDS64
#undef SUMS64
#endif
