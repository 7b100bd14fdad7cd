use evenweave_lang::prelude::*;

#[kernel(group = 64, grid = n.div_ceil(64))]
fn not_a_function(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    y[0] = exq(x[0]);
}

#[kernel(group = 64, grid = m)]
fn len_of_unknown_name(#[len(n)] y: &mut Out<f32>, n: u32) {
    y[n] = 1.0;
}

fn main() {}
