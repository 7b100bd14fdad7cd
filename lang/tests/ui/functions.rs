use evenweave_lang::prelude::*;

#[kernel(group = 64, grid = n.div_ceil(64))]
fn exp_of_integer(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    y[0] = exp(n) as f32 + x[0];
}

#[kernel(group = 64, grid = n.div_ceil(64))]
fn exp_of_f64(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    y[0] = exp(x[0] as f64) as f32;
}

fn main() {}
