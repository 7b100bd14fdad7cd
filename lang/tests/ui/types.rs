use evenweave_lang::prelude::*;

#[kernel(group = 64, grid = n.div_ceil(64))]
fn mixed_types(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    let i = global_id();
    y[i] = x[i] * i;
}

#[kernel(group = 64, grid = n.div_ceil(64))]
fn mixed_floats(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    let i = global_id();
    let wide = x[i] as f64;
    y[i] = x[i] + wide;
}

#[kernel(group = 64, grid = n.div_ceil(64))]
fn float_plus_integer_literal(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    y[0] = x[0] + 1;
}

#[kernel(group = 64, grid = n.div_ceil(64))]
fn compare_mixed(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    let i = global_id();
    if i < x[i] {
        y[i] = x[i];
    }
}

#[kernel(group = 64, grid = n.div_ceil(64))]
fn condition_not_bool(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    if n {
        y[0] = x[0];
    }
}

#[kernel(group = 64, grid = n.div_ceil(64))]
fn arms_differ(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    let i = global_id();
    y[i] = if x[i] > 0.0 { x[i] } else { i };
}

#[kernel(group = 64, grid = n.div_ceil(64))]
fn range_mixed(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    for i in 0..x.len() {
        let j = global_id() + i;
        y[j] = x[i];
    }
    for i in n..x.len() {
        y[i] = x[i];
    }
}

#[kernel(group = 64, grid = n.div_ceil(64))]
fn bitwise_on_float(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    y[0] = x[0] & x[1];
}

#[kernel(group = 64, grid = n.div_ceil(64))]
fn negate_unsigned(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    let i = -n;
    y[i] = x[i];
}

#[kernel(group = 64, grid = n.div_ceil(64))]
fn not_on_float(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    y[0] = !x[0];
}

#[device]
fn device_result_mixed(x: Val<f32>) -> Val<f32> {
    if x > 0.0 {
        return 1;
    }
    x
}

#[kernel(group = 64, grid = n.div_ceil(64))]
fn register_of_usize(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    let mut count = 0usize;
    count += 1;
    y[0] = x[count];
}

#[kernel(group = 64, grid = n.div_ceil(64))]
fn storage_dtype_as_value(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    let tile = shared::<F8E4M3>(64);
    y[0] = x[0] as F8E4M3;
}

#[kernel(group = 64, grid = n.div_ceil(64))]
fn match_on_run_time(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    let i = global_id();
    match i {
        0 => y[i] = x[i],
        _ => {}
    }
}

#[device]
fn comptime_result_with_return(n: u32) -> u32 {
    if n > 3 {
        return 3;
    }
    n
}

#[kernel(group = 64, grid = 1)]
fn scalar_of_usize(#[len(1)] y: &mut Out<f32>, n: usize) {
    y[n] = 1.0;
}

fn main() {}
