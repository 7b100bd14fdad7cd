// What follows is the same in every language.
FN bool pick(bool c, bool x, bool y) { return c ? x : y; }
FN u32 pick(bool c, u32 x, u32 y) { return c ? x : y; }
FN u64 pick(bool c, u64 x, u64 y) { return c ? x : y; }
FN f32 pick(bool c, f32 x, f32 y) { return c ? x : y; }

// Between constants: as integers, whose choice no compiler makes arithmetic of.
FN u32 chosen(bool c, u32 x, u32 y) { return hidden(pick(c, x, y)); }
FN u64 chosen(bool c, u64 x, u64 y) { return hidden(pick(c, x, y)); }
FN f32 chosen(bool c, f32 x, f32 y) { return f32_of(chosen(c, bits_of(x), bits_of(y))); }
#ifndef NO_F64
FN f64 pick(bool c, f64 x, f64 y) { return c ? x : y; }
FN f64 chosen(bool c, f64 x, f64 y) { return f64_of(chosen(c, bits_of(x), bits_of(y))); }
#endif

FN u64 count_ones(u64 x) { return count_ones((u32)x) + count_ones((u32)(x >> 32)); }
FN u64 leading_zeros(u64 x) {
    u32 high = (u32)(x >> 32);
    return high != 0u ? leading_zeros(high) : 32u + leading_zeros((u32)x);
}
FN u64 trailing_zeros(u64 x) {
    u32 low = (u32)x;
    return low != 0u ? trailing_zeros(low) : 32u + trailing_zeros((u32)(x >> 32));
}

// Division by 0 gives all ones and leaves the dividend; the least number by -1 gives itself and leaves 0.
FN u32 div_u32(u32 x, u32 y) { return y == 0u ? ~0u : x / y; }
FN u32 rem_u32(u32 x, u32 y) { return y == 0u ? x : x % y; }
FN u32 div_i32(u32 x, u32 y) {
    return y == 0u ? ~0u : y == ~0u ? 0u - x : (u32)((i32)x / (i32)y);
}
FN u32 rem_i32(u32 x, u32 y) { return y == 0u ? x : y == ~0u ? 0u : (u32)((i32)x % (i32)y); }
FN u64 div_u64(u64 x, u64 y) { return y == 0u ? ~(u64)0 : x / y; }
FN u64 rem_u64(u64 x, u64 y) { return y == 0u ? x : x % y; }
FN u64 div_i64(u64 x, u64 y) {
    return y == 0u ? ~(u64)0 : y == ~(u64)0 ? (u64)0 - x : (u64)((i64)x / (i64)y);
}
FN u64 rem_i64(u64 x, u64 y) {
    return y == 0u ? x : y == ~(u64)0 ? (u64)0 : (u64)((i64)x % (i64)y);
}

FN u32 min_of(u32 x, u32 y) { return x < y ? x : y; }
FN u32 max_of(u32 x, u32 y) { return x > y ? x : y; }
FN u64 min_of(u64 x, u64 y) { return x < y ? x : y; }
FN u64 max_of(u64 x, u64 y) { return x > y ? x : y; }
FN u32 min_signed(u32 x, u32 y) { return (i32)x < (i32)y ? x : y; }
FN u32 max_signed(u32 x, u32 y) { return (i32)x > (i32)y ? x : y; }
FN u64 min_signed(u64 x, u64 y) { return (i64)x < (i64)y ? x : y; }
FN u64 max_signed(u64 x, u64 y) { return (i64)x > (i64)y ? x : y; }
FN u32 abs_signed(u32 x) { return (i32)x < 0 ? 0u - x : x; }
FN u64 abs_signed(u64 x) { return (i64)x < 0 ? (u64)0 - x : x; }

// Every NaN that is seen as bits is the one.
FN u32 canonical(f32 x) { return x == x ? bits_of(x) : 0x7fc00000u; }
FN u32 canonical_f16(u32 h) { return (h & 0x7fffu) > 0x7c00u ? 0x7e00u : h; }
FN u32 canonical_bf16(u32 h) { return (h & 0x7fffu) > 0x7f80u ? 0x7fc0u : h; }
FN f32 stored(f32 x) { return f32_of(canonical(x)); }

// Floats to integers: truncated, saturated, NaN to 0.
FN u32 u32_of(f32 x) { return x >= 4294967296.0f ? ~0u : x >= 0.0f ? (u32)x : 0u; }
FN u32 i32_of(f32 x) {
    return x >= 2147483648.0f ? 0x7fffffffu
         : x >= -2147483648.0f ? (u32)(i32)x
         : x != x ? 0u : 0x80000000u;
}
FN u64 u64_of(f32 x) { return x >= 18446744073709551616.0f ? ~(u64)0 : x >= 0.0f ? (u64)x : (u64)0; }
FN u64 i64_of(f32 x) {
    return x >= 9223372036854775808.0f ? ~(u64)0 >> 1
         : x >= -9223372036854775808.0f ? (u64)(i64)x
         : x != x ? (u64)0 : (u64)1 << 63;
}

// Minimum and maximum: NaN wins and -0 is below +0. Equal numbers are the same bits, or two zeros.
#ifndef NATIVE_MIN_MAX
FN f32 min_of(f32 x, f32 y) {
    f32 least = x < y ? x : x == y ? f32_of(bits_of(x) | bits_of(y)) : y;
    return x != x ? x : least;
}
FN f32 max_of(f32 x, f32 y) {
    f32 most = x > y ? x : x == y ? f32_of(bits_of(x) & bits_of(y)) : y;
    return x != x ? x : most;
}
#endif
FN f32 min_number(f32 x, f32 y) { return x != x ? y : y != y ? x : min_of(x, y); }
FN f32 max_number(f32 x, f32 y) { return x != x ? y : y != y ? x : max_of(x, y); }

FN f32 shuffle(f32 x, u32 lane) { return f32_of(shuffle(bits_of(x), lane)); }
FN f32 shuffle_xor(f32 x, u32 mask) { return f32_of(shuffle_xor(bits_of(x), mask)); }
FN u64 shuffle(u64 x, u32 lane) {
    return (u64)shuffle((u32)(x >> 32), lane) << 32 | shuffle((u32)x, lane);
}
FN u64 shuffle_xor(u64 x, u32 mask) {
    return (u64)shuffle_xor((u32)(x >> 32), mask) << 32 | shuffle_xor((u32)x, mask);
}
FN bool shuffle(bool x, u32 lane) { return shuffle((u32)x, lane) != 0u; }
FN bool shuffle_xor(bool x, u32 mask) { return shuffle_xor((u32)x, mask) != 0u; }

// An element of fewer bits than memory has: its neighbours in the word belong to other threads.
FN void store_part(GLOBAL u32* p, u32 shift, u32 mask, u32 x) {
    atomic_and(p, ~(mask << shift));
    atomic_or(p, (x & mask) << shift);
}

#ifndef NO_F64
FN u64 canonical(f64 x) { return x == x ? bits_of(x) : 0x7ff8000000000000ull; }
FN f64 stored(f64 x) { return f64_of(canonical(x)); }
FN u32 u32_of(f64 x) { return x >= 4294967296.0 ? ~0u : x >= 0.0 ? (u32)x : 0u; }
FN u32 i32_of(f64 x) {
    return x >= 2147483648.0 ? 0x7fffffffu
         : x >= -2147483648.0 ? (u32)(i32)x
         : x != x ? 0u : 0x80000000u;
}
FN u64 u64_of(f64 x) { return x >= 18446744073709551616.0 ? ~(u64)0 : x >= 0.0 ? (u64)x : (u64)0; }
FN u64 i64_of(f64 x) {
    return x >= 9223372036854775808.0 ? ~(u64)0 >> 1
         : x >= -9223372036854775808.0 ? (u64)(i64)x
         : x != x ? (u64)0 : (u64)1 << 63;
}
FN f64 min_of(f64 x, f64 y) {
    f64 least = x < y ? x : x == y ? f64_of(bits_of(x) | bits_of(y)) : y;
    return x != x ? x : least;
}
FN f64 max_of(f64 x, f64 y) {
    f64 most = x > y ? x : x == y ? f64_of(bits_of(x) & bits_of(y)) : y;
    return x != x ? x : most;
}
FN f64 min_number(f64 x, f64 y) { return x != x ? y : y != y ? x : min_of(x, y); }
FN f64 max_number(f64 x, f64 y) { return x != x ? y : y != y ? x : max_of(x, y); }
FN f64 shuffle(f64 x, u32 lane) { return f64_of(shuffle(bits_of(x), lane)); }
FN f64 shuffle_xor(f64 x, u32 mask) { return f64_of(shuffle_xor(bits_of(x), mask)); }
#endif

