//! The library as callers have it.

use evenweave::kernels::entry::PlanError;
use evenweave::{Error, prelude::*};

fn cpu() -> Device {
    Device::open("cpu").unwrap()
}

fn counted(device: &Device, shape: &[u32]) -> Tensor {
    let values: Vec<f32> = (0..shape.iter().product()).map(|i| i as f32).collect();
    device.tensor(shape, &values).unwrap()
}

#[test]
fn every_number_of_the_host_comes_back() {
    let device = cpu();
    fn check<T: Host + PartialEq + std::fmt::Debug>(device: &Device, values: [T; 3]) {
        let tensor = device.tensor(&[3], &values).unwrap();
        assert_eq!(tensor.to_vec::<T>().unwrap(), values);
        assert_eq!(tensor.dtype(), T::DTYPE);
    }
    check(&device, [true, false, true]);
    check(&device, [i8::MIN, -1, i8::MAX]);
    check(&device, [0, 1, u8::MAX]);
    check(&device, [i16::MIN, -1, i16::MAX]);
    check(&device, [0, 1, u16::MAX]);
    check(&device, [i32::MIN, -1, i32::MAX]);
    check(&device, [0, 1, u32::MAX]);
    check(&device, [i64::MIN, -1, i64::MAX]);
    check(&device, [0, 1, u64::MAX]);
    check(&device, [f16::MIN, f16::EPSILON, f16::INFINITY]);
    check(&device, [bf16::MIN, bf16::EPSILON, bf16::INFINITY]);
    check(&device, [f32::MIN, 1e-45, f32::INFINITY]);
    check(&device, [f64::MIN, 5e-324, f64::INFINITY]);
}

#[test]
fn views_name_the_same_memory() {
    let device = cpu();
    let x = counted(&device, &[2, 3]);
    let take = |t: evenweave::Result<Tensor>| t.unwrap().to_vec::<f32>().unwrap();
    assert_eq!(take(x.slice(1, 1, 2)), [1.0, 2.0, 4.0, 5.0]);
    assert_eq!(take(x.slice(0, 1, 1).and_then(|r| r.reshape(&[3]))), [3.0, 4.0, 5.0]);
    assert_eq!(take(x.slice(0, 1, 1).and_then(|r| r.broadcast(&[2, 3]))), [3., 4., 5., 3., 4., 5.]);
    assert_eq!(take(x.reshape(&[3, 2]).and_then(|r| r.transpose(0, 1))), [0., 2., 4., 1., 3., 5.]);
    let column = x.slice(1, 2, 1).unwrap();
    assert_eq!(column.to_bytes().unwrap(), [2f32, 5.0].map(f32::to_le_bytes).concat());
    for none in [
        x.slice(0, 1, 2),
        x.slice(2, 0, 1),
        x.slice(0, u32::MAX, 2),
        x.transpose(0, 2),
        x.reshape(&[4]),
        x.transpose(0, 1).unwrap().reshape(&[6]),
        x.broadcast(&[3]),
        x.broadcast(&[4, 3]),
    ] {
        let error = none.unwrap_err();
        assert!(matches!(&error, Error::View { .. }), "{error}");
    }
}

#[test]
fn an_operation_takes_views_and_gives_what_it_gives_of_copies() {
    let device = cpu();
    let (gate, up) = (counted(&device, &[4, 5]), counted(&device, &[5, 4]));
    let view = up.transpose(0, 1).unwrap();
    let copy = device.tensor(&[4, 5], &view.to_vec::<f32>().unwrap()).unwrap();
    let run = |up: &Tensor| {
        let call = device.call("swiglu").input("gate", &gate).input("up", up);
        call.run_one().unwrap().to_vec::<f32>().unwrap()
    };
    assert_eq!(run(&view), run(&copy));
    let row = up.slice(0, 1, 1).unwrap().broadcast(&[5, 4]).unwrap().transpose(0, 1).unwrap();
    let copy = device.tensor(&[4, 5], &row.to_vec::<f32>().unwrap()).unwrap();
    assert_eq!(run(&row), run(&copy));
}

#[test]
fn what_does_not_fit_is_said() {
    let (device, other) = (cpu(), cpu());
    let x = counted(&device, &[2, 3]);
    for (name, want) in
        [("swiglo", &["swiglu"][..]), ("softmx", &["softmax"]), ("", &[]), ("xyz", &[])]
    {
        let error = device.call(name).run().unwrap_err();
        let near = matches!(&error, Error::UnknownOperation { near, .. } if near == want);
        assert!(near, "{error}");
    }
    let error = device.call("swiglu").input("gate", &x).run().unwrap_err();
    assert!(matches!(error, Error::Plan(PlanError::MissingInput { .. })), "{error}");
    let foreign = counted(&other, &[2, 3]);
    let error = device.call("swiglu").input("gate", &x).input("up", &foreign).run().unwrap_err();
    assert!(matches!(error, Error::Foreign { .. }), "{error}");
    let error = x.to_vec::<f64>().unwrap_err();
    assert!(matches!(error, Error::HostType { .. }), "{error}");
    let error = device.tensor(&[2], &[1.0f32]).unwrap_err();
    assert!(matches!(error, Error::Length { want_elems: 2, got_elems: 1, .. }), "{error}");
    let outputs = device.call("swiglu").input("gate", &x).input("up", &x).run().unwrap();
    assert!(matches!(outputs.get("z").unwrap_err(), Error::Output { .. }));
    assert_eq!(outputs["y"].shape(), [2, 3]);
}

/// `y = x + 1`.
#[kernel(group = 64, grid = n.div_ceil(64))]
fn increment(#[len(n)] x: &In<u32>, #[len(n)] y: &mut Out<u32>, n: u32) {
    let i = global_id();
    if i < n {
        y[i] = x[i] + 1;
    }
}

#[test]
fn own_kernels_run_and_wrong_launches_do_not() {
    let device = cpu();
    let kernel = increment().unwrap();
    let x = device.tensor(&[100], &(0..100).collect::<Vec<u32>>()).unwrap();
    let y = device.empty(DType::U32, &[100]).unwrap();
    device.launch(&kernel, &[&x, &y, &100u32]).unwrap();
    assert_eq!(y.to_vec::<u32>().unwrap(), (1..=100).collect::<Vec<u32>>());
    let error = device.launch(&kernel, &[&x, &y]).unwrap_err();
    assert!(matches!(error, Error::Arguments { want: 3, got: 2, .. }), "{error}");
    let error = device.launch(&kernel, &[&x, &y, &101u32]).unwrap_err();
    assert!(matches!(error, Error::Device(_)), "{error}");
    let error = device.launch(&kernel, &[&x, &y, &100i32]).unwrap_err();
    assert!(matches!(error, Error::Device(_)), "{error}");
    let strided = x.reshape(&[10, 10]).unwrap().transpose(0, 1).unwrap();
    let error = device.launch(&kernel, &[&strided, &y, &100u32]).unwrap_err();
    assert!(matches!(error, Error::View { .. }), "{error}");
    let elsewhere = cpu().empty(DType::U32, &[100]).unwrap();
    let error = device.launch(&kernel, &[&x, &elsewhere, &100u32]).unwrap_err();
    assert!(matches!(error, Error::Foreign { .. }), "{error}");
}
