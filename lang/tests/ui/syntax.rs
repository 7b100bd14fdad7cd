use evenweave_lang::prelude::*;

#[kernel(group = 64, grid = n.div_ceil(64))]
fn assert_with_format(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    assert!(n > 0, "n is {}", n);
    y[0] = x[0];
}

#[kernel(group = 64, grid = n.div_ceil(64))]
fn assign_without_mut(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    let sum = x[0];
    sum += x[1];
    y[0] = sum;
}

#[kernel(group = 64, grid = n.div_ceil(64))]
fn borrow_of_register(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    let mut sum = x[0];
    std::mem::swap(&mut sum, &mut sum);
    y[0] = sum;
}

#[kernel(group = 64, grid = n.div_ceil(64))]
fn uninitialised_register(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    let mut sum: f32;
    sum = x[0];
    y[0] = sum;
}

#[kernel(group = 64, grid = n.div_ceil(64))]
fn unknown_macro(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    println!("{}", n);
    y[0] = x[0];
}

#[kernel(group = 64, grid = n.div_ceil(64))]
fn let_else(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    let Some(scale) = Some(2.0f32) else { return };
    y[0] = x[0] * scale;
}

#[kernel(group = 64, grid = n.div_ceil(64))]
fn question_mark(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    let scale = "2.0".parse::<f32>()?;
    y[0] = x[0] * scale;
}

#[kernel(group = 64, grid = n.div_ceil(64))]
fn unsafe_block(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    unsafe {
        y[0] = x[0];
    }
}

#[kernel(group = 64, grid = n.div_ceil(64))]
fn nested_function(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    fn double(x: Val<f32>) -> Val<f32> {
        x * 2.0
    }
    y[0] = double(x[0]);
}

#[kernel(group = 64, grid = 1)]
fn conditional_compilation(#[len(1)] y: &mut Out<f32>) {
    #[cfg(debug_assertions)]
    let mut sum = 1.0f32;
    y[0] = sum;
}

fn main() {}
