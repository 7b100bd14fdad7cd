use evenweave_lang::prelude::*;

#[kernel(group = 64, grid = n.div_ceil(64))]
fn store_to_in(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    x[0] = y.len() as f32;
}

#[kernel(group = 64, grid = n.div_ceil(64))]
fn load_of_out(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    y[0] = y[1] + x[0];
}

#[kernel(group = 64, grid = n.div_ceil(64))]
fn store_wrong_dtype(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    y[0] = x[0] as u32;
}

#[kernel(group = 64, grid = n.div_ceil(64))]
fn index_by_float(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    y[0] = x[x[1]];
}

#[kernel(group = 64, grid = n.div_ceil(64))]
fn index_by_signed(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    let i = global_id() as i32 - 1;
    y[0] = x[i];
}

#[kernel(group = 64, grid = n.div_ceil(64))]
fn wrong_rank(#[shape(n, n)] x: &InView<f32, 2>, #[len(n)] y: &mut Out<f32>, n: u32) {
    let i = global_id();
    y[i] = x[[i, i, i]];
}

#[kernel(group = 64, grid = n.div_ceil(64))]
fn view_without_brackets(#[shape(n, n)] x: &InView<f32, 2>, #[len(n)] y: &mut Out<f32>, n: u32) {
    let i = global_id();
    y[i] = x[i];
}

#[kernel(group = 64, grid = n.div_ceil(64))]
fn atomic_on_float(#[len(n)] y: &mut InOut<f32>, n: u32) {
    atomic_add(y, 0, 1.0);
}

#[kernel(group = 64, grid = n.div_ceil(64))]
fn atomic_on_in(#[len(n)] x: &In<u32>, n: u32) {
    atomic_add(x, 0, 1);
}

#[kernel(group = 64, grid = n.div_ceil(64))]
fn run_time_as_comptime(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    let tile = shared::<f32>(n);
    y[0] = tile[0] + x[0];
}

#[kernel(group = 64, grid = n.div_ceil(64))]
fn run_time_to_usize(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    let weights = [1.0f32, 2.0];
    let i = global_id();
    y[i] = x[i] * weights[(i % 2) as usize];
}

#[kernel(group = 64, grid = n.div_ceil(64))]
fn run_time_index_of_comptime(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    let weights = [1.0f32, 2.0];
    let i = global_id();
    y[i] = x[i] * weights[i % 2];
}

#[kernel(group = 64, grid = n.div_ceil(64))]
fn run_time_index_of_registers(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    let i = global_id();
    let mut sums = [0.0f32; 4];
    sums[i] += x[i];
    y[i] = sums[0];
}

fn main() {}
