//! Kernels that use each part of the language, and the IR they become.

use evenweave_lang::prelude::*;
use evenweave_lang::{StageCause, text};

fn show(k: Result<Kernel, StageError>) -> String {
    match k {
        Ok(k) => text::print(&k),
        Err(e) => e.to_string(),
    }
}

/// SwiGLU: `y = silu(gate) * up`, element by element.
#[kernel(group = 256, grid = n.div_ceil(256))]
pub fn swiglu<T: Real>(
    #[len(n)] gate: &In<T>,
    #[len(n)] up: &In<T>,
    #[len(n)] y: &mut Out<T>,
    n: u32,
) {
    let i = global_id();
    if i < n {
        let g = gate[i] as f32;
        y[i] = (silu(g) * (up[i] as f32)) as T;
    }
}

#[kernel(group = (16, 16), grid = (n.div_ceil(16), m.div_ceil(16)))]
fn gemm<T: Real>(
    #[shape(m, k)] a: &InView<T, 2>,
    #[shape(k, n)] b: &InView<T, 2>,
    #[shape(m, n)] c: &mut OutView<T, 2>,
    m: u32,
    n: u32,
    k: u32,
    #[comptime] tile: u32,
) {
    let ta = shared::<f32>(tile * tile);
    let tb = shared::<f32>(tile * tile);
    let (row, col) = (global_id_y(), global_id());
    let (ly, lx) = (local_id_y(), local_id());
    let mut acc = 0.0;
    for k0 in (0..k).step_by(tile) {
        ta[ly * tile + lx] = if row < m && k0 + lx < k { a[[row, k0 + lx]] as f32 } else { 0.0 };
        tb[ly * tile + lx] = if col < n && k0 + ly < k { b[[k0 + ly, col]] as f32 } else { 0.0 };
        barrier();
        for j in 0..tile {
            acc += ta[ly * tile + j] * tb[j * tile + lx];
        }
        barrier();
    }
    if row < m && col < n {
        c[[row, col]] = acc as T;
    }
}

#[device]
fn clamp01(x: Val<f32>) -> Val<f32> {
    if x < 0.0 {
        return val(0.0);
    }
    if x > 1.0 {
        return val(1.0);
    }
    x
}

#[device]
fn first_over<T: Element<Value = f32>>(
    x: &In<T>,
    limit: Val<f32>,
    n: Val<u32>,
) -> (Val<bool>, Val<u32>) {
    for i in 0..n {
        if x[i] > limit {
            return (val(true), i);
        }
    }
    (val(false), n)
}

#[kernel(group = 32, grid = 1)]
fn control(
    #[len(n)] x: &In<f32>,
    #[len(n)] y: &mut InOut<f32>,
    #[len(n / 2)] z: &mut Out<u32>,
    n: u32,
) {
    let i = global_id();
    let mut a = 0u32;
    let mut b: f32 = 1.0;
    let (mut c, d) = (x[0], x[1u32]);
    while a < n {
        a += 1;
        if a % 2 == 0 {
            continue;
        }
        if a > 10 {
            break;
        }
        b *= 2.0;
    }
    'outer: loop {
        for j in i..=n {
            if j == 7 {
                break 'outer;
            }
            if j == 5 {
                continue;
            }
            c = c - d;
        }
        (b, c) = (c, b);
        if a == 3 {
            continue 'outer;
        }
        break;
    }
    let (found, at) = first_over(x, c, n);
    if !found {
        return;
    }
    y[at] += clamp01(b + c);
    y[i] = -y[i];
    z[at] = bits(b) ^ !(1 << a) | a;
    for j in [1u32, 2, 3] {
        if j == 2 {
            continue;
        }
        z[j] = j + a;
    }
    for j in 0..4 {
        if j == 3 {
            break;
        }
        z[j] = 5;
    }
    assert!(a < n, "a is small");
    debug_print!("a = {}, b = {}", a, b);
}

#[kernel(group = 64, grid = x.extent(0).div_ceil(4) * reps)]
fn comptime<T: Float, F: Fn(Val<f32>) -> Val<f32>>(
    #[shape(n, 4)] x: &InView<F8E4M3, 2>,
    #[len(n * 4 + reps)] y: &mut Out<T>,
    n: u64,
    #[comptime] reps: u32,
    #[comptime] f: F,
    #[comptime] weights: Vec<f32>,
) {
    let i = global_id();
    let mut acc = [0.0f32; 4];
    let mut grid = [[lit::<f32>(1.5); 2]; 2];
    for r in 0..4usize {
        if r % 2 == 0 && weights[r] > 0.0 {
            acc[r] += f(x[[i, r]]) * weights[r];
            grid[r / 2][1] -= 2.0;
        } else {
            acc[r] = grid[1][r / 2] + x[(i, 0)];
        }
    }
    match reps {
        1 => y[i] = acc[0] as T,
        2 | 3 => {
            y[i] = (acc[1] + acc[2]) as T;
        }
        _ => {}
    }
    if let Some(w) = weights.first() {
        y[i] = val(*w) as T;
    }
    let s = subgroup_sum(acc[3]);
    let e = exp(s) + fast::exp(s) + max(s, 0.0) + fma(s, 2.0, s) + select(s < 1.0, s, 0.5);
    y[0] = e as T;
}

#[kernel(group = 96, grid = 1)]
fn group(#[len(96)] x: &In<f32>, #[len(96)] y: &mut Out<f32>) {
    let i = local_id();
    let s = group_sum(x[i]);
    if s > 0.0 {
        barrier();
    }
    y[i] = group_exclusive_sum(x[i]) / s;
}

#[test]
fn they_stage() {
    for text in [
        show(swiglu::<f16>()),
        show(gemm::<bf16>(16)),
        show(control()),
        show(comptime::<f64, _>(2, |x| x * x, vec![1.0, -1.0, 2.0, 0.5])),
        show(group()),
    ] {
        assert!(text.starts_with("kernel "), "{text}");
        assert!(!text.contains("lang/src"), "{text}");
    }
    let _ = StageCause::LeftOpen;
}
