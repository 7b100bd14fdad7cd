// binary<f64,op=Add> (kernels/src/elementwise/binary.rs:117): metal has no f64 that can be relied on
