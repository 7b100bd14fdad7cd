use evenweave_lang::prelude::*;

#[kernel(grid = 1)]
fn missing_group(#[len(1)] y: &mut Out<f32>) {
    y[0] = 1.0;
}

#[kernel(group = 64)]
fn missing_grid(#[len(1)] y: &mut Out<f32>) {
    y[0] = 1.0;
}

#[kernel(group = 64, grid = 1, fast = true)]
fn unknown_attribute(#[len(1)] y: &mut Out<f32>) {
    y[0] = 1.0;
}

#[kernel(group = 64, grid = 1)]
fn unknown_parameter_attribute(#[length(1)] y: &mut Out<f32>) {
    y[0] = 1.0;
}

#[kernel(group = 64, grid = 1)]
fn missing_len(y: &mut Out<f32>) {
    y[0] = 1.0;
}

#[kernel(group = 64, grid = 1)]
fn missing_shape(y: &mut OutView<f32, 2>) {
    y[[0, 0]] = 1.0;
}

#[kernel(group = 64, grid = 1)]
fn len_on_view(#[len(n)] y: &mut OutView<f32, 1>, n: u32) {
    y[[n]] = 1.0;
}

#[kernel(group = 64, grid = 1)]
fn out_without_mut(#[len(1)] y: &Out<f32>) {
    y[0] = 1.0;
}

#[kernel(group = 64, grid = 1)]
fn memory_by_value(#[len(1)] y: Out<f32>) {
    y[0] = 1.0;
}

#[kernel(group = 64, grid = 1)]
fn kernel_returns(#[len(1)] x: &In<f32>) -> Val<f32> {
    x[0]
}

#[kernel(group = 64, grid = 1)]
async fn async_kernel(#[len(1)] y: &mut Out<f32>) {
    y[0] = 1.0;
}

#[device]
struct Misuse;

#[device(inline)]
fn device_option(x: Val<f32>) -> Val<f32> {
    x
}

fn main() {}
