use evenweave_lang::prelude::*;

#[kernel(group = 64, grid = n.div_ceil(64))]
fn break_with_value(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    let i = loop {
        break global_id();
    };
    y[i] = x[i];
}

#[kernel(group = 64, grid = n.div_ceil(64))]
fn break_outside_loop(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    if n > 3 {
        break;
    }
    y[0] = x[0];
}

#[kernel(group = 64, grid = n.div_ceil(64))]
fn return_with_value(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    if n == 0 {
        return n;
    }
    y[0] = x[0];
}

#[kernel(group = 64, grid = n.div_ceil(64))]
fn while_let(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    while let Some(i) = Some(n) {
        y[i] = x[i];
    }
}

#[kernel(group = 64, grid = n.div_ceil(64))]
fn infinite_range(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    for i in 0.. {
        y[i] = x[i];
    }
}

#[kernel(group = 64, grid = n.div_ceil(64))]
fn closure_returns(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    let f = |v: Val<f32>| {
        if n > 0 {
            return v;
        }
        v * 2.0
    };
    y[0] = f(x[0]);
}

fn main() {}
