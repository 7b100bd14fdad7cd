//! The kernel language against Rust itself: each body below is compiled twice, once as plain Rust and once
//! as a `#[device]` function, and both must compute the same for all inputs.

use evenweave_lang::prelude::*;
use evenweave_runtime::{LaunchArg, LoadOptions, OpenOptions, open};

/// What the language's functions are in plain Rust.
mod host {
    pub(super) fn val<T>(x: T) -> T {
        x
    }
    pub(super) fn min<T: PartialOrd>(a: T, b: T) -> T {
        if b < a { b } else { a }
    }
    pub(super) fn select<T>(c: bool, a: T, b: T) -> T {
        if c { a } else { b }
    }
    pub(super) fn count_ones(x: u32) -> u32 {
        x.count_ones()
    }
}

#[kernel(group = 64, grid = n.div_ceil(64))]
fn map<T: Scalar, F: Fn(Val<T>, Val<T>) -> Val<T>>(
    #[len(n)] a: &In<T>,
    #[len(n)] b: &In<T>,
    #[len(n)] y: &mut Out<T>,
    n: u32,
    #[comptime] f: F,
) {
    let i = global_id();
    if i < n {
        y[i] = f(a[i], b[i]);
    }
}

#[kernel(group = 32, grid = 1)]
fn run_time_steps(
    #[len(32)] a: &In<i32>,
    #[len(32)] b: &In<i32>,
    #[len(32)] y: &mut Out<i32>,
    n: u32,
) {
    let i = local_id();
    let mut rounds = 0;
    if i < n {
        for _k in (0..a[i]).step_by(b[i]) {
            rounds += 1;
        }
        for _k in (0..=a[i]).step_by(b[i]) {
            rounds += 100;
        }
        for _k in (0..9).step_by(b[i]) {
            rounds += 10_000;
        }
        y[i] = rounds;
    }
}

#[test]
fn a_step_below_1_counts_as_1() {
    let (a, b) = ([7, 7, 7, -1, 0], [2, 0, -5, 1, 3]);
    let kernel = run_time_steps().unwrap();
    let mut padded = ([0; 32], [1; 32]);
    padded.0[..5].copy_from_slice(&a);
    padded.1[..5].copy_from_slice(&b);
    // Watched, a step of 0 is a fault.
    for got in run(kernel, &padded.0, &padded.1, bytes_i32, &WAYS[..2]) {
        let want = [50_404, 90_807, 90_807, 90_000, 30_100];
        assert_eq!(got[..20], bytes_i32(&want));
    }
}

/// Whether to optimise, and whether to watch.
const WAYS: &[(bool, bool)] = &[(false, false), (true, false), (false, true)];

/// Runs a kernel of two inputs and an output each way through the device.
fn run<T: Copy>(
    kernel: Kernel,
    a: &[T],
    b: &[T],
    bytes: fn(&[T]) -> Vec<u8>,
    ways: &[(bool, bool)],
) -> Vec<Vec<u8>> {
    let cpu = open("cpu", &OpenOptions::default()).unwrap();
    let dtype = kernel.params[0].kind.dtype();
    let n = a.len() as u64;
    let [x, z, y] = [(); 3].map(|()| cpu.alloc(dtype, n).unwrap());
    cpu.write(&x, &bytes(a)).unwrap();
    cpu.write(&z, &bytes(b)).unwrap();
    let run = |&(optimise, sanitize): &(bool, bool)| {
        cpu.fill(&y, 0xa5).unwrap();
        let program =
            cpu.load(&kernel, &LoadOptions { optimise, sanitize, ..Default::default() }).unwrap();
        let args = [
            LaunchArg::Buffer(&x),
            LaunchArg::Buffer(&z),
            LaunchArg::Buffer(&y),
            LaunchArg::Scalar(DType::U32, n),
        ];
        cpu.launch(&program, &args).unwrap();
        cpu.read(&y).unwrap()
    };
    ways.iter().map(run).collect()
}

fn bytes_u32(x: &[u32]) -> Vec<u8> {
    x.iter().flat_map(|x| x.to_le_bytes()).collect()
}
fn bytes_i32(x: &[i32]) -> Vec<u8> {
    x.iter().flat_map(|x| x.to_le_bytes()).collect()
}
fn bytes_f32(x: &[f32]) -> Vec<u8> {
    x.iter().flat_map(|x| x.to_le_bytes()).collect()
}

macro_rules! same {
    ($ty:ty, $test:ident, $plain:ident, $staged:ident, $bytes:ident, $inputs:expr; $(fn $name:ident($a:ident, $b:ident) { $($body:tt)* })*) => {
        #[allow(unused_assignments, unused_mut, unused_parens, clippy::all)]
        mod $plain {
            #[allow(unused_imports)]
            use super::host::*;
            $(pub(super) fn $name($a: $ty, $b: $ty) -> $ty { $($body)* })*
        }
        mod $staged {
            use evenweave_lang::prelude::*;
            $(#[device] pub(super) fn $name($a: Val<$ty>, $b: Val<$ty>) -> Val<$ty> { $($body)* })*
        }
        #[test]
        fn $test() {
            let inputs: Vec<($ty, $ty)> = $inputs;
            let (a, b): (Vec<$ty>, Vec<$ty>) = inputs.iter().copied().unzip();
            $({
                let want: Vec<$ty> = inputs.iter().map(|&(a, b)| $plain::$name(a, b)).collect();
                let kernel = map::<$ty, _>($staged::$name).unwrap();
                for (way, got) in run(kernel, &a, &b, $bytes, WAYS).into_iter().enumerate() {
                    let got: Vec<$ty> = got.chunks(4).map(|c| <$ty>::from_le_bytes(c.try_into().unwrap())).collect();
                    for (i, (got, want)) in got.iter().zip(&want).enumerate() {
                        let (got_bits, want_bits) = (got.to_le_bytes(), want.to_le_bytes());
                        assert_eq!(got_bits, want_bits, "{} way {way} of {:?}: {got} for {want}", stringify!($name), inputs[i]);
                    }
                }
            })*
        }
    };
}

same! { u32, integers_compute_as_in_rust, plain_u32, staged_u32, bytes_u32,
    (0..16).flat_map(|a| (0..16).map(move |b| (a, b))).chain([(u32::MAX, 3), (1 << 31, 31), (77, 1000)]).collect();

    fn collatz(a, b) {
        let mut x = a + 1;
        let mut steps = 0;
        while x != 1 {
            if steps > 50 { break; }
            x = if x % 2 == 0 { x / 2 } else { 3 * x + 1 };
            steps += 1;
        }
        steps + b
    }
    fn labels(a, b) {
        let mut sum = 0u32;
        'rows: for i in 0..min(a, 9) {
            for j in 0..min(b, 9) {
                if j > i { continue 'rows; }
                if i * j == 20 { break 'rows; }
                if j == 2 { continue; }
                sum += i * 10 + j;
            }
            sum += 1000;
        }
        sum
    }
    fn early_return(a, b) {
        for i in 0..min(a, 40) {
            let mut j = i;
            loop {
                if j > 20 { break; }
                if i + j == b { return i * 100 + j; }
                j += 3;
            }
            if i > 12 { return val(7); }
        }
        a
    }
    fn inclusive(a, b) {
        let mut sum = 0;
        for i in 0..=min(a, 12) {
            if i == 3 { continue; }
            if i == 9 { break; }
            sum += i;
        }
        for i in (1..=min(b, 30)).step_by(4) { sum += i * i; }
        for i in (min(a, 5)..min(b, 60)).step_by(7) { sum = sum * 3 + i; }
        sum
    }
    fn inclusive_to_the_end(a, b) {
        let mut rounds = 0u32;
        for i in (u32::MAX - min(a, 5))..=u32::MAX { rounds += i - u32::MAX + 100; }
        for i in (u32::MAX - min(b, 9)..=u32::MAX).step_by(4) { rounds += i % 7; }
        for i in val(250u8)..=255 { rounds += (i as u32); }
        rounds
    }
    fn signed_ranges(a, b) {
        let (lo, hi) = (-(min(a, 20) as i32), min(b, 20) as i32);
        let mut sum = 0i32;
        for i in lo..hi { sum += i * 3; }
        for i in lo..=hi { sum -= i; }
        for i in val(-3i32)..=2 { sum += i * i; }
        for i in (lo..=hi).step_by(5) { sum ^= i; }
        sum as u32
    }
    fn if_values(a, b) {
        let x = if a < b { a } else if a == b { 100 } else { b + 1 };
        let (p, q) = if a > 7 && b > 7 { (a, 1) } else { (3, b) };
        let z = { let t = x * 2; t + p };
        if z > 20 || q == 1 { z } else { z + q }
    }
    fn shadowing(a, b) {
        let mut x = a;
        x += 1;
        let y = x;
        {
            let x = b * 2;
            let mut y = x;
            y += x;
            if y == 12 { return y; }
        }
        let x = x + y;
        let mut y = x;
        if b > 3 { let mut y = x; y += 5; if y > 30 { return y; } }
        y += 2;
        x + y
    }
    fn short_circuits(a, b) {
        let mut evaluated = 0;
        let c = a > 3 && { evaluated += 1; b > 2 };
        let d = c || { evaluated += 10; a == b };
        let e = !d && (a < 8 || { evaluated += 100; b < 8 });
        evaluated * 8 + select(c, val(4), val(0)) + select(d, val(2), val(0)) + select(e, val(1), val(0))
    }
    fn compound(a, b) {
        let mut x = a;
        x += b; x *= 5; x -= 3; x /= b + 1; x %= 1000; x |= 64; x &= 0xffff; x ^= a; x <<= 3; x >>= 2u32;
        x
    }
    fn tuples(a, b) {
        let (mut x, y) = (a, b);
        let mut z = y;
        for _i in 0..3u32 { (x, z) = (z, x + z); }
        let (mut p, mut q) = (x, z);
        p += q;
        (p, q) = (q, p);
        x + 3 * z + p - q
    }
    fn casts(a, b) {
        let small = (a * 100) as u8 as u32;
        let signed = (0u32 - b) as i32 as i64;
        let wrapped = (a as i8) as i16 as u16 as u32;
        let float = (a as f32 / 3.0 - b as f32) as i32 as u32;
        let truth = (a > b) as u32;
        small + signed as u32 + wrapped * 3 + float + truth + ((a as f64 * 0.1) as u32)
    }
    fn register_arrays(a, b) {
        let mut acc = [0u32; 4];
        let mut table: [[u32; 2]; 2] = [[1, 2], [3, 4]];
        for i in 0..4usize {
            acc[i] = a * (i as u32);
            acc[(i + 1) % 4] += b;
            table[i / 2][i % 2] *= acc[i] + 1;
        }
        let [p, q, r, s] = acc;
        p + q * 3 + r * 5 + s * 7 + table[0][1] + table[1][0]
    }
    fn loops(a, b) {
        let mut i = 0;
        let mut sum = 0;
        loop {
            i += 1;
            if i > 20 { break; }
            if i % 3 == (a % 3) { continue; }
            let mut j = 0;
            while j < i && sum < 500 {
                j += 1;
                if j == b { continue; }
                sum += j;
                if sum % 11 == 0 { break; }
            }
        }
        sum
    }
    fn comptime_parts(a, b) {
        const ROWS: usize = 3;
        let weights = [1u32, 10, 100];
        let mut sum = 0;
        for (i, w) in weights.iter().enumerate() {
            if i == 1 { continue; }
            sum += a * *w;
        }
        for i in 0..ROWS {
            if i == 2 && weights[i] > 50 { break; }
            sum += match weights[i] { 1 => a, 10 => b, _ => a + b };
        }
        if let Some(w) = weights.last() { sum += *w; }
        for i in (0..10u32).rev() { if i == 4 { break; } sum = sum * 2 + i; }
        sum
    }
    fn nested_returns(a, b) {
        if a > 3 {
            if b > 3 { return a; }
            else { for i in 0..b { if i == 2 { return val(50); } } }
        } else if b == 0 { return val(9); }
        while a > b { return b; }
        a * b
    }
    fn bits_of_it(a, b) {
        let m = (a & 12) | (b ^ 5);
        let n = !(m << (a % 5)) >> (b % 3);
        count_ones(n) + (n & 0xff)
    }
}

same! { i32, signed_integers_compute_as_in_rust, plain_i32, staged_i32, bytes_i32,
    [i32::MIN, -77, -8, -3, -1, 0, 1, 2, 5, 9, 100, 65_537, i32::MAX].into_iter()
        .flat_map(|a| [-9, -2, -1, 0, 1, 3, 6, 31].map(|b| (a, b))).collect();

    fn shifts(a, b) { (a << (b & 7)) >> (b & 3) ^ (a >> 1u8) ^ (1 << (b & 31)) }
    fn division(a, b) { a / (b * b + 1) + a % 7 - (a / 2) }
    fn casts(a, b) {
        let narrow = (a as i8) as i32 + (a as u8 as i32) + (a as i16 as u16 as i32);
        let wide = ((a as i64) * (b as i64)) as i32;
        let saturated = (a as f32 * 1e9) as i32 ^ ((a as f64 * -3.7) as u8 as i32) ^ (a as f32 / 0.0) as i32;
        narrow ^ wide ^ saturated
    }
    fn truths(a, b) {
        let (p, q) = (a > b, b > 0);
        let r = (p & !q) | (p ^ q);
        let mut s = r == q;
        s |= a == 5;
        s ^= p;
        if s != r && !(p & q) { a ^ 1 } else if s { b } else { -a }
    }
    fn closures(a, b) {
        let mut acc = 1;
        let mut more = |v: i32| { acc = acc * 3 + v; };
        if a > 0 { more(4); }
        for i in 0..3 { more(i); }
        let last = |w| acc - w;
        last(b)
    }
    fn comptime_loops_within(a, b) {
        let mut sum = 0;
        for i in 0..(b & 7) {
            for tap in [1, 5, 7] {
                if tap == 7 { break; }
                if a > i * tap { sum += tap; }
                if tap == 5 { continue; }
                sum ^= i;
            }
            for k in 0..4 { if i == k { return sum; } }
        }
        sum
    }
    fn matches(a, b) {
        let mut sum = a;
        for way in [Some(3), None, Some(-1)] {
            sum = match way {
                Some(w) if w > 0 => sum ^ w,
                Some(w) => if b > 0 { sum & w } else { w },
                None => sum / 2,
            };
            if matches!(way, Some(3)) && b == 3 { return sum; }
        }
        sum
    }
    fn steps(a, b) {
        let mut n = 0;
        for i in (-20..(a & 63)).step_by(3) { n += i; if n > 900 { break; } }
        for i in ((a & 15) - 8..=b).step_by(2) { n ^= i; }
        n
    }
}

same! { f32, floats_compute_as_in_rust, plain_f32, staged_f32, bytes_f32,
    [-2.5, -1.0, -0.0, 0.0, 0.5, 1.0, 3.0, 1e30, f32::INFINITY].into_iter()
        .flat_map(|a| [-1.5, -0.0, 0.25, 2.0, 7.0].map(|b| (a, b))).collect();

    fn arithmetic(a, b) { (a * 2.0 - b / 4.0) + 1.0 / (b + 8.0) - -a * 0.5 }
    fn newton(a, b) {
        let mut x = 1.0;
        for _i in 0..6 { x = x - (x * x - (b + 3.0)) / (2.0 * x); }
        let mut s = x;
        if a < 0.0 { s = -s; }
        s
    }
    fn comparisons(a, b) {
        let mut n = 0.0;
        if a < b { n += 1.0; }
        if a <= b { n += 2.0; }
        if a == b { n += 4.0; }
        if a != b { n += 8.0; }
        if 0.0 > a { n += 16.0; }
        if a >= 0.5 { n += 32.0; }
        n
    }
}
