use evenweave_lang::prelude::*;

#[kernel(group = 64, grid = 1)]
fn shape_of_wrong_rank(#[shape(n, n, 4)] y: &mut OutView<f32, 2>, n: u32) {
    y[[0, n]] = 1.0;
}

#[kernel(group = 64, grid = 1)]
fn len_of_float(#[len(s)] y: &mut Out<f32>, s: f32) {
    y[0] = s;
}

#[kernel(group = n, grid = 1)]
fn run_time_group(#[len(n)] y: &mut Out<f32>, n: u32) {
    y[n] = 1.0;
}

fn main() {}
