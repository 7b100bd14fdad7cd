//! How fast the CPU device is: bytes and flops a second of a few plain kernels, a thread.

use evenweave_lang::prelude::*;
use evenweave_runtime::{Device, LaunchArg, LoadOptions, Memory, open};
use std::time::Instant;

#[kernel(group = 256, grid = n.div_ceil(256))]
fn add(#[len(n)] a: &In<f32>, #[len(n)] b: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    let i = global_id();
    if i < n {
        y[i] = a[i] + b[i];
    }
}

#[kernel(group = 256, grid = n.div_ceil(256))]
fn exponential(#[len(n)] a: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    let i = global_id();
    if i < n {
        y[i] = exp(a[i]);
    }
}

#[kernel(group = 256, grid = rows)]
fn row_sums(
    #[len(rows * width)] a: &In<f32>,
    #[len(rows)] y: &mut Out<f32>,
    rows: u32,
    width: u32,
) {
    let mut sum = 0.0f32;
    for i in (thread_id()..width).step_by(256) {
        sum += a[group_id() * width + i];
    }
    let total = group_sum(sum);
    if thread_id() == 0 {
        y[group_id()] = total;
    }
}

/// `c = a * b`, square, in tiles of 64 x 64 by 16, four by four elements a thread.
#[kernel(group = (16, 16), grid = (n.div_ceil(64), n.div_ceil(64)))]
fn gemm(
    #[len(n * n)] a: &In<f32>,
    #[len(n * n)] b: &In<f32>,
    #[len(n * n)] c: &mut Out<f32>,
    n: u32,
) {
    let left = shared::<f32>(64 * 16);
    let right = shared::<f32>(16 * 64);
    let acc = private::<f32>(16);
    let (x, y, t) = (local_id(), local_id_y(), thread_id());
    let (row, column) = (group_id_y() * 64, group_id() * 64);
    for i in 0..16u32 {
        acc[i] = 0.0;
    }
    for k in (val(0u32)..n).step_by(16) {
        for i in 0..4u32 {
            let at = t + i * 256;
            let (r, q) = (at / 16, at % 16);
            left[q * 64 + r] = a[(row + r) * n + k + q];
            let (r, q) = (at / 64, at % 64);
            right[r * 64 + q] = b[(k + r) * n + column + q];
        }
        barrier();
        for q in 0..16u32 {
            for i in 0..4u32 {
                for j in 0..4u32 {
                    let e = i * 4 + j;
                    acc[e] = fma(left[q * 64 + y * 4 + i], right[q * 64 + x + j * 16], acc[e]);
                }
            }
        }
        barrier();
    }
    for i in 0..4u32 {
        for j in 0..4u32 {
            c[(row + y * 4 + i) * n + column + x + j * 16] = acc[i * 4 + j];
        }
    }
}

fn buffer(cpu: &dyn Device, elems: u64) -> Memory {
    let memory = cpu.alloc(DType::F32, elems).unwrap();
    let bytes: Vec<u8> =
        (0..elems).flat_map(|i| ((i % 251) as f32 / 251.0 - 0.5).to_le_bytes()).collect();
    cpu.write(&memory, &bytes).unwrap();
    memory
}

/// Seconds that this thread has run, where the system tells; a busy machine does not count.
fn now() -> f64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let ran = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let ran = ran.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    match ran {
        Some(nanoseconds) => nanoseconds * 1e-9,
        None => START.get_or_init(Instant::now).elapsed().as_secs_f64(),
    }
}

fn time(cpu: &dyn Device, kernel: Kernel, args: &[LaunchArg], what: &str, work: f64, unit: &str) {
    let program = cpu.load(&kernel, &LoadOptions::default()).unwrap();
    let seconds = (0..5)
        .map(|_| {
            let start = now();
            cpu.launch(&program, args).unwrap();
            now() - start
        })
        .fold(f64::INFINITY, f64::min);
    println!("{what:<28} {:>8.2} {unit}  ({:.3} ms)", work / seconds / 1e9, seconds * 1e3);
}

fn main() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| measure(&*open("cpu", &Default::default()).unwrap()));
}

fn measure(cpu: &dyn Device) {
    let n = 1u32 << 22;
    let elems = |k: u32| LaunchArg::Scalar(DType::U32, k.into());
    let [a, b, y] = [(); 3].map(|()| buffer(cpu, n.into()));
    let (a, b, y) = (LaunchArg::Buffer(&a), LaunchArg::Buffer(&b), LaunchArg::Buffer(&y));
    let bytes = 4.0 * f64::from(n);
    time(
        cpu,
        add().unwrap(),
        &[a.clone(), b.clone(), y.clone(), elems(n)],
        "add",
        3.0 * bytes,
        "GB/s",
    );
    time(
        cpu,
        exponential().unwrap(),
        &[a.clone(), y.clone(), elems(n)],
        "exp",
        2.0 * bytes,
        "GB/s",
    );
    let rows = [a.clone(), y.clone(), elems(1 << 10), elems(1 << 12)];
    time(cpu, row_sums().unwrap(), &rows, "row sums of 4096", bytes, "GB/s");
    let size = 512u32;
    let flops = 2.0 * f64::from(size).powi(3);
    time(cpu, gemm().unwrap(), &[a, b, y, elems(size)], "gemm 512", flops, "GFLOP/s");
}
