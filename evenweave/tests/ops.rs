//! Every function of `ops`: what it gives, where it puts it, and what it says to arguments that do not fit.

use evenweave::{
    Error, LoadOptions, Result,
    ops::{self, *},
    prelude::*,
};

fn cpu() -> Device {
    Device::open("cpu").unwrap()
}

/// Tensors of results.
trait All: Clone {
    fn all(&self) -> Vec<Tensor>;
}

impl All for Tensor {
    fn all(&self) -> Vec<Tensor> {
        vec![self.clone()]
    }
}

macro_rules! all {
    ($($name:ident { $($field:ident)* })*) => { $(
        impl All for $name {
            fn all(&self) -> Vec<Tensor> {
                vec![$(self.$field.clone()),*]
            }
        }
    )* };
}
all! {
    Added { sum y }
    Pair { sum product }
    Ordered { values indices }
    Routed { experts weights }
    Permuted { y offsets token place }
    Stepped { y y_state }
    DeltaGates { gate beta }
    Cell { h new_c }
    Convolved { y new_state }
}

impl All for Packed {
    fn all(&self) -> Vec<Tensor> {
        let rest = [&self.scales, &self.biases].into_iter().flatten();
        std::iter::once(&self.codes).chain(rest).cloned().collect()
    }
}

/// Runs an operation into new memory and into memory that is there: the bytes are the same.
fn both<'a, R: All>(make: impl Fn() -> Op<'a, R>) -> Result<Vec<Vec<u8>>> {
    let read = |r: &R| r.all().iter().map(Tensor::to_bytes).collect::<Result<Vec<_>>>();
    let (new, there) = (make().run()?, make().run()?);
    for tensor in there.all() {
        tensor.device().raw().fill(tensor.memory(), 0xa5)?;
    }
    make().into(&there)?;
    let (new, there) = (read(&new)?, read(&there)?);
    assert_eq!(new, there);
    Ok(new)
}

/// A function under test, on its arguments: the bytes of its results.
type Run = Box<dyn Fn(&[Tensor]) -> Result<Vec<Vec<u8>>>>;

/// A function of tensors, with arguments that fit.
struct Function {
    name: &'static str,
    arguments: Vec<(&'static str, Tensor)>,
    run: Run,
}

fn f32s(device: &Device, shape: &[u32]) -> Tensor {
    let n: u32 = shape.iter().product();
    let values: Vec<f32> = (0..n).map(|i| ((i * 7 + 3) % 11) as f32 / 4.0 - 1.0).collect();
    device.tensor(shape, &values).unwrap()
}

fn u32s(device: &Device, shape: &[u32], below: u32) -> Tensor {
    let n: u32 = shape.iter().product();
    device.tensor(shape, &(0..n).map(|i| (i * 5 + 1) % below).collect::<Vec<_>>()).unwrap()
}

macro_rules! functions {
    ($device:ident; $($name:ident($($arg:ident: $value:expr),*) = $call:expr;)*) => {
        vec![$(Function {
            name: stringify!($name),
            arguments: vec![$((stringify!($arg), $value)),*],
            run: Box::new(|given| {
                let [$($arg),*] = given else { unreachable!("as many as there are names") };
                both(|| $call)
            }),
        }),*]
    };
}

/// Formats and experts hold their tensors in structs; these make them of loose ones.
fn packed(k: u32, codes: &Tensor, scales: &Tensor, biases: &Tensor) -> Packed {
    Packed {
        format: "affine4".into(),
        block: 32,
        k,
        dtype: DType::F32,
        codes: codes.clone(),
        scales: Some(scales.clone()),
        biases: Some(biases.clone()),
        global: None,
    }
}

fn dense(w: &Tensor) -> &'static Weight {
    Box::leak(Box::new(Weight::Dense(w.clone())))
}

fn leaked<T>(x: T) -> &'static T {
    Box::leak(Box::new(x))
}

fn all_functions(d: &Device) -> Vec<Function> {
    let x = |shape: &[u32]| f32s(d, shape);
    let n = |shape: &[u32], below| u32s(d, shape, below);
    let parts = ops::quantize(&x(&[6, 32]), "affine4", 32, None).run().unwrap();
    let [scales, biases] = [parts.scales, parts.biases].map(Option::unwrap);
    let codes = parts.codes;
    let caches = ops::quantize(&x(&[2, 1, 5, 32]), "affine4", 32, None).run().unwrap();
    let [kv_scales, kv_biases] = [caches.scales, caches.biases].map(Option::unwrap);
    let kv_codes = caches.codes;
    let mut all = functions! { d;
        rms_norm(x: x(&[2, 4]), weight: x(&[4])) = ops::rms_norm(x, weight, 1e-5);
        layer_norm(x: x(&[2, 4]), weight: x(&[4]), bias: x(&[4])) = ops::layer_norm(x, weight, bias, 1e-5);
        add_rms_norm(a: x(&[2, 4]), b: x(&[2, 4]), weight: x(&[4])) = ops::add_rms_norm(a, b, weight, 1e-5);
        rms_norm_residual(x: x(&[2, 4]), residual: x(&[2, 4]), weight: x(&[4])) =
            ops::rms_norm_residual(x, residual, weight, 1e-5);
        gated_rms_norm(x: x(&[2, 4]), gate: x(&[2, 4]), weight: x(&[4])) = ops::gated_rms_norm(x, gate, weight, 1e-5);
        group_norm(x: x(&[2, 4, 3]), weight: x(&[4]), bias: x(&[4])) = ops::group_norm(x, weight, bias, 2, 1e-5);
        rms_norm_rope(x: x(&[3, 2, 4]), weight: x(&[4]), positions: n(&[3], 9)) =
            ops::rms_norm_rope(x, weight, positions, 1e-6, 1e4);
        add(a: x(&[2, 3]), b: x(&[3])) = ops::add(a, b);
        pow(a: x(&[2, 3]), b: x(&[2, 1])) = ops::pow(a, b);
        relu(x: x(&[2, 3])) = ops::relu(x);
        gelu_erf(x: x(&[2, 3])) = ops::gelu_erf(x);
        swiglu(gate: x(&[2, 3]), up: x(&[2, 3])) = ops::swiglu(gate, up);
        gated(gate: x(&[2, 3]), up: x(&[2, 3])) = ops::gated(gate, up, Gate::Clipped { alpha: 1.7, limit: 7.0 });
        head_gate(x: x(&[2, 3]), gate: x(&[2])) = ops::head_gate(x, gate);
        clamp(x: x(&[2, 3])) = ops::clamp(x, -0.5, 0.5);
        scaled_add(base: x(&[2, 3]), v: x(&[2, 3]), scale: x(&[1])) = ops::scaled_add(base, v, scale);
        gated_add(base: x(&[2, 3]), v: x(&[2, 3]), gate: x(&[1])) = ops::gated_add(base, v, gate);
        add_and_mul(a: x(&[2, 3]), b: x(&[2, 3])) = ops::add_and_mul(a, b);
        select(condition: d.tensor(&[3], &[true, false, true]).unwrap(), a: x(&[3]), b: x(&[3])) =
            ops::select(condition, a, b);
        gather(table: x(&[5, 3]), indices: n(&[4], 5)) = ops::gather(table, indices);
        gather_axis(x: x(&[2, 3, 2]), indices: n(&[2, 2, 2], 3)) = ops::gather_axis(x, indices);
        scatter(x: x(&[5, 3]), indices: n(&[2], 5), updates: x(&[2, 3])) = ops::scatter(x, indices, updates);
        scatter_axis(x: x(&[2, 3, 2]), indices: n(&[2, 2, 2], 3), updates: x(&[2, 2, 2])) =
            ops::scatter_axis(x, indices, updates);
        reduce_rows(x: x(&[2, 3])) = ops::reduce_rows(x, Fold::Max);
        reduce_columns(x: x(&[2, 3])) = ops::reduce_columns(x, Fold::Sum);
        reduce_all(x: x(&[2, 3])) = ops::reduce_all(x, Fold::Prod);
        arg_max(x: x(&[2, 3])) = ops::arg_max(x);
        arg_min(x: x(&[2, 3])) = ops::arg_min(x);
        softmax(x: x(&[2, 3])) = ops::softmax(x);
        log_sum_exp(x: x(&[2, 3])) = ops::log_sum_exp(x);
        scan(x: x(&[2, 3])) = ops::scan(x, Fold::Sum, ScanKind::Exclusive);
        top_k(x: x(&[2, 7])) = ops::top_k(x, 3, Order::Descending);
        argsort(x: x(&[2, 7])) = ops::argsort(x, Order::Ascending);
        sample(x: x(&[2, 9]), u: d.tensor(&[2], &[0.2f32, 0.9]).unwrap()) =
            ops::sample(x, u, Sampling { temperature: Some(0.7), top_k: Some(4), top_p: Some(0.9), min_p: Some(0.01) });
        greedy(x: x(&[2, 9])) = ops::greedy(x);
        repetition_penalty(x: x(&[9]), tokens: n(&[3], 9)) = ops::repetition_penalty(x, tokens, 1.3);
        linear(x: x(&[2, 3, 4]), w: x(&[5, 4])) = ops::linear(x, dense(w));
        linear_with(x: x(&[3, 4]), w: x(&[5, 4]), bias: x(&[5])) = {
            ops::linear_with(x, dense(w), Linear { bias: Some(bias), activation: Activation::Silu, ..Linear::default() })
        };
        linear_packed(x: x(&[2, 2, 32]), codes: codes.clone(), scales: scales.clone(), biases: biases.clone(), bias: x(&[6])) = {
            let w = leaked(Weight::Packed(packed(32, codes, scales, biases)));
            ops::linear_with(x, w, Linear { bias: Some(bias), activation: Activation::Relu, ..Linear::default() })
        };
        matmul(a: x(&[2, 3, 4]), b: x(&[2, 4, 5])) = ops::matmul(a, b);
        quantize(w: x(&[2, 3, 32])) = ops::quantize(w, "affine4", 32, None);
        dequantize(codes: codes.clone(), scales: scales.clone(), biases: biases.clone(), index: n(&[3], 6)) = {
            let w = leaked(packed(32, codes, scales, biases));
            ops::dequantize(w, Dequantize { index: Some(index), dtype: None })
        };
        embedding(table: x(&[5, 3]), indices: n(&[2, 2], 5)) = ops::embedding(dense(table), indices);
        embedding_packed(codes: codes.clone(), scales: scales.clone(), biases: biases.clone(), indices: n(&[2, 2], 6)) =
            ops::embedding(leaked(Weight::Packed(packed(32, codes, scales, biases))), indices);
        attention(q: x(&[2, 2, 3, 4]), k: x(&[2, 1, 5, 4]), v: x(&[2, 1, 5, 4]), mask: x(&[3, 5]), sinks: x(&[2]),
            kv_lens: n(&[2], 5)) = ops::attention(q, k, v, Attention {
                causal: true, window: Some(4), scale: Some(0.3), mask: Some(mask), sinks: Some(sinks),
                filled: Filled::Of(kv_lens) });
        attention_quantized(q: x(&[2, 2, 3, 32]), k_codes: kv_codes.clone(), k_scales: kv_scales.clone(),
            k_biases: kv_biases.clone(), v_codes: kv_codes.clone(), v_scales: kv_scales.clone(), v_biases: kv_biases.clone()) = {
            let kv = [packed(32, k_codes, k_scales, k_biases), packed(32, v_codes, v_scales, v_biases)];
            ops::attention_quantized(q, &kv[0], &kv[1], Attention { filled: Filled::Keys(3), ..Attention::default() })
        };
        cache_update(cache: x(&[2, 2, 5, 3]), new: x(&[2, 1, 2, 3]), positions: n(&[2, 1], 5)) =
            ops::cache_update(cache, new, positions);
        rope(x: x(&[3, 2, 4]), positions: n(&[3], 9), frequencies: x(&[2])) =
            ops::rope(x, positions, Rope { frequencies: Some(frequencies), ..Rope::default() });
        route_experts(logits: x(&[3, 4]), bias: x(&[4])) =
            ops::route_experts(logits, Route { score: Score::Sigmoid, bias: Some(bias), ..Route::default() });
        permute_experts(x: x(&[3, 2]), expert: n(&[3, 2], 4)) = ops::permute_experts(x, expert, 4);
        unpermute_experts(rows: x(&[6, 2]), place: n(&[3, 2], 6), weights: x(&[3, 2])) =
            ops::unpermute_experts(rows, place, weights);
        linear_grouped(x: x(&[6, 2]), w: x(&[3, 4, 2]), offsets: d.tensor(&[4], &[0u32, 2, 2, 6]).unwrap()) =
            ops::linear_grouped(x, dense(w), offsets);
        linear_grouped_packed(x: x(&[6, 32]), codes: codes.reshape(&[3, 2, 4]).unwrap(), scales: scales.reshape(&[3, 2, 1]).unwrap(),
            biases: biases.reshape(&[3, 2, 1]).unwrap(), offsets: d.tensor(&[4], &[0u32, 2, 2, 6]).unwrap()) =
            ops::linear_grouped(x, leaked(Weight::Packed(packed(32, codes, scales, biases))), offsets);
        moe(x: x(&[5, 4]), router: x(&[3, 4]), gate: x(&[3, 6, 4]), up: x(&[3, 6, 4]), down: x(&[3, 4, 6])) = {
            let w = Experts { router: dense(router), gate: dense(gate), up: dense(up), down: dense(down) };
            ops::moe(x, w, Route::default(), Gate::Swiglu)
        };
        gated_delta(q: x(&[1, 3, 1, 4]), k: x(&[1, 3, 1, 4]), v: x(&[1, 3, 2, 5]), gate: x(&[1, 3, 2]), beta: x(&[1, 3, 2]),
            state: x(&[1, 2, 5, 4])) = ops::gated_delta([q, k, v], gate, beta, state, Steps::OneByOne);
        gated_delta_gates(a: x(&[3, 2]), b: x(&[3, 2]), a_log: x(&[2]), dt_bias: x(&[2])) =
            ops::gated_delta_gates(a, b, a_log, dt_bias);
        ssm(x: x(&[1, 3, 2, 5]), dt: x(&[1, 3, 2]), a: x(&[2, 4]), b: x(&[1, 3, 1, 4]), c: x(&[1, 3, 1, 4]), skip: x(&[2]),
            state: x(&[1, 2, 5, 4])) =
            ops::ssm(x, Ssm { dt, a, b, c, skip: Some(skip) }, state, Steps::OneByOne);
        lstm_cell(gates: x(&[2, 12]), c: x(&[2, 3])) = ops::lstm_cell(gates, c);
        causal_conv1d(x: x(&[2, 3, 4]), state: x(&[2, 4, 2]), w: x(&[4, 3]), bias: x(&[4])) =
            ops::causal_conv1d(x, state, w, Some(bias), Activation::Silu);
        causal_conv1d_step(x: x(&[2, 4]), state: x(&[2, 4, 2]), w: x(&[4, 3])) =
            ops::causal_conv1d(x, state, w, None, Activation::None);
        conv1d(x: x(&[2, 4, 9]), w: x(&[6, 2, 3]), bias: x(&[6])) =
            ops::conv1d(x, w, Conv1d { bias: Some(bias), groups: 2, pad: 1, ..Conv1d::default() });
    };
    let device = d.clone();
    let whole = functions! { d;
        cast(x: x(&[2, 3])) = ops::cast(x, DType::BF16);
        copy(x: x(&[2, 3])) = ops::copy(x);
    };
    all.extend(whole);
    for of in [0, 1, 2] {
        let device = device.clone();
        let run = move |_: &[Tensor]| {
            let r = Random { seed: 1, stream: 2, call: 3 };
            match of {
                0 => both(|| ops::random_uniform(&device, 9, r)),
                1 => both(|| ops::arange(&device, 9, 1.0, 0.5, DType::F16)),
                _ => both(|| {
                    ops::rope_frequencies(
                        &device,
                        4,
                        1e4,
                        Stretch::Yarn { factor: 4.0, low: 1.0, high: 3.0 },
                    )
                }),
            }
        };
        all.push(Function { name: "of nothing", arguments: Vec::new(), run: Box::new(run) });
    }
    all
}

fn given(f: &Function) -> Vec<Tensor> {
    f.arguments.iter().map(|(_, t)| t.clone()).collect()
}

#[test]
fn results_are_the_same_in_new_memory_and_in_the_callers() {
    let device = cpu();
    for f in all_functions(&device) {
        let all = (f.run)(&given(&f)).unwrap_or_else(|e| panic!("{}: {e}", f.name));
        assert!(all.iter().all(|bytes| !bytes.is_empty()), "{}", f.name);
    }
}

/// Whether an error names an argument of the function.
fn names_one(f: &Function, error: &Error) -> bool {
    let text = error.to_string();
    f.arguments.iter().any(|(name, _)| text.contains(&format!("`{name}`")))
        || (f.name.starts_with("linear") && text.contains("`w`"))
}

#[test]
fn a_wrong_dtype_is_refused_by_the_arguments_name() {
    let device = cpu();
    for f in all_functions(&device).into_iter().filter(|f| !["cast", "copy"].contains(&f.name)) {
        for (at, (name, tensor)) in f.arguments.iter().enumerate() {
            let mut args = given(&f);
            args[at] = device.empty(DType::F8E8M0, tensor.shape()).unwrap();
            let error = (f.run)(&args).expect_err(&format!("{}: `{name}` may be anything", f.name));
            assert!(names_one(&f, &error), "{} with a wrong `{name}`: {error}", f.name);
        }
    }
}

#[test]
fn a_wrong_shape_is_refused_by_an_arguments_name() {
    let device = cpu();
    let mut refused = 0;
    for f in all_functions(&device).into_iter().filter(|f| f.arguments.len() > 1) {
        for (at, (name, tensor)) in f.arguments.iter().enumerate() {
            let shape = tensor.shape();
            let last = shape.len() - 1;
            let mut wider = shape.to_vec();
            wider[last] += 1;
            for shape in [wider, [shape, &[1, 1]].concat()] {
                let mut args = given(&f);
                args[at] = device.empty(tensor.dtype(), &shape).unwrap();
                device.raw().fill(args[at].memory(), 0).unwrap();
                match (f.run)(&args) {
                    Ok(_) => {}
                    Err(error) => {
                        refused += 1;
                        assert!(names_one(&f, &error), "{}, `{name}` {shape:?}: {error}", f.name);
                    }
                }
            }
        }
    }
    // All but tables and lists of any length or rank.
    assert!(refused > 240, "{refused}");
}

#[test]
fn a_tensor_of_another_device_is_refused_by_name() {
    let (device, other) = (cpu(), cpu());
    let foreign = all_functions(&other);
    for (f, g) in all_functions(&device).into_iter().zip(foreign) {
        if f.arguments.len() < 2 {
            continue;
        }
        for (at, (name, _)) in f.arguments.iter().enumerate() {
            let mut args = given(&f);
            args[at] = g.arguments[at].1.clone();
            let error = (f.run)(&args).expect_err(f.name);
            assert!(matches!(error, Error::Foreign { .. }), "{} `{name}`: {error}", f.name);
        }
    }
}

mod counted {
    //! The CPU device, counting what a host waits for.

    use evenweave_runtime::{
        Device, DeviceError, DeviceInfo, LaunchArg, LoadOptions, Memory, OpenOptions, Program, open,
    };
    use std::sync::{
        Arc,
        atomic::{AtomicU32, Ordering::Relaxed},
    };

    pub(crate) struct Counted {
        cpu: Box<dyn Device>,
        pub(crate) moved: Arc<AtomicU32>,
    }

    impl Counted {
        pub(crate) fn new() -> Counted {
            let cpu = open("cpu", &OpenOptions::default()).unwrap();
            Counted { cpu, moved: Arc::default() }
        }
    }

    impl Device for Counted {
        fn info(&self) -> &DeviceInfo {
            self.cpu.info()
        }
        fn facts(&self) -> Option<evenweave_codegen::Facts> {
            self.cpu.facts()
        }
        fn alloc(&self, dtype: super::DType, elems: u64) -> Result<Memory, DeviceError> {
            self.cpu.alloc(dtype, elems)
        }
        fn write(&self, memory: &Memory, bytes: &[u8]) -> Result<(), DeviceError> {
            self.moved.fetch_add(1, Relaxed);
            self.cpu.write(memory, bytes)
        }
        fn read(&self, memory: &Memory) -> Result<Vec<u8>, DeviceError> {
            self.moved.fetch_add(1, Relaxed);
            self.cpu.read(memory)
        }
        fn fill(&self, memory: &Memory, byte: u8) -> Result<(), DeviceError> {
            self.cpu.fill(memory, byte)
        }
        fn load(
            &self,
            kernel: &evenweave::lang::ir::Kernel,
            options: &LoadOptions,
        ) -> Result<Program, DeviceError> {
            self.cpu.load(kernel, options)
        }
        fn artifact(&self, program: &Program) -> Result<String, DeviceError> {
            self.cpu.artifact(program)
        }
        fn launch(&self, program: &Program, args: &[LaunchArg]) -> Result<(), DeviceError> {
            self.cpu.launch(program, args)
        }
    }
}

/// A function asks for memory and launches, and neither reads nor writes any from the host: captured, it does nothing else, and
/// a replay gives its bytes.
#[test]
fn nothing_waits_for_the_device() {
    let counted = counted::Counted::new();
    let moved = counted.moved.clone();
    let device = Device::of_raw(Box::new(counted), LoadOptions::default());
    let x = f32s(&device, &[5, 4]);
    let w = |shape: &[u32]| Weight::Dense(f32s(&device, shape));
    let (router, gate, up, down) = (w(&[3, 4]), w(&[3, 6, 4]), w(&[3, 6, 4]), w(&[3, 4, 6]));
    let experts = Experts { router: &router, gate: &gate, up: &up, down: &down };
    let u = device.tensor(&[5], &[0.5f32; 5]).unwrap();
    let how = Sampling { temperature: Some(0.5), top_k: Some(2), ..Sampling::default() };
    let work = || {
        let y = ops::moe(&x, experts, Route::default(), Gate::Swiglu).run()?;
        ops::add(&y, &x).into(&y)?;
        let packed = ops::quantize(&y, "affine8", 0, None).run()?;
        let y = ops::dequantize(&packed, Dequantize::default()).run()?;
        ops::sample(&ops::linear(&y, &router).run()?, &u, how).run()
    };
    let before = moved.load(std::sync::atomic::Ordering::Relaxed);
    let want = work().unwrap();
    let (got, captured) = device.capture(work).unwrap();
    captured.replay().unwrap();
    assert_eq!(moved.load(std::sync::atomic::Ordering::Relaxed), before, "a host waited");
    assert_eq!(got.to_vec::<u32>().unwrap(), want.to_vec::<u32>().unwrap());
    assert!(captured.launches() > 10);
}

/// A cache that is partly filled gives the bits of its filled part, whatever lies behind it.
#[test]
fn attention_over_a_cache_has_the_bits_of_attention_over_what_is_filled() {
    let device = cpu();
    let normal = |shape: &[u32], stream| {
        let of = Random { seed: 5, stream, call: 0 };
        let n = shape.iter().product();
        ops::random_normal(&device, n, of).run().and_then(|x| x.reshape(shape)).unwrap()
    };
    let q = normal(&[2, 4, 3, 16], 1);
    let cache = |stream| {
        let cache = device.tensor(&[2, 2, 40, 16], &[f32::NAN; 2 * 2 * 40 * 16]).unwrap();
        let filled = normal(&[2, 40, 2, 16], stream);
        // Position by position, from the first on.
        move |len: u32| {
            let new = filled.slice(1, 0, len).unwrap();
            let at: Vec<u32> = (0..len).chain(0..len).collect();
            let at = cache.device().tensor(&[2, len], &at).unwrap();
            ops::cache_update(&cache, &new, &at).into(&cache).unwrap();
            cache.clone()
        }
    };
    let (keys, values) = (cache(2), cache(3));
    for causal in [false, true] {
        for len in [0, 1, 17, 33, 40] {
            let (k, v) = (keys(len), values(len));
            let of = |k: &Tensor, v: &Tensor, filled| {
                let how = Attention { causal, filled, ..Attention::default() };
                ops::attention(&q, k, v, how).run().unwrap().to_bytes().unwrap()
            };
            let [short_k, short_v] = [&k, &v].map(|x| x.slice(2, 0, len).unwrap());
            let want = of(&short_k, &short_v, Filled::All);
            assert_eq!(of(&k, &v, Filled::Keys(len)), want, "{len}");
            let lens = device.tensor(&[2], &[len, len]).unwrap();
            assert_eq!(of(&k, &v, Filled::Of(&lens)), want, "{len}");
            assert!(len > 0 || want.iter().all(|&byte| byte == 0), "nothing seen gives 0");
        }
    }
    let how = Attention { filled: Filled::Keys(41), ..Attention::default() };
    let error = ops::attention(&q, &keys(0), &values(0), how).run().unwrap_err();
    assert_eq!(error.to_string(), "attention: `kv_len` must be 0 to 40, but it is 41");
}

/// Numbers by their formulas in f64.
#[test]
fn functions_compute_what_they_say() {
    let device = cpu();
    let of = |t: &Tensor| -> Vec<f64> {
        t.to_vec::<f32>().unwrap().into_iter().map(f64::from).collect()
    };
    let near = |got: &Tensor, want: Vec<f64>, what: &str| {
        let got = of(got);
        assert_eq!(got.len(), want.len(), "{what}");
        for (i, (a, b)) in got.iter().zip(&want).enumerate() {
            assert!((a - b).abs() <= 1e-5 * (1.0 + b.abs()), "{what} at {i}: {a}, not {b}");
        }
    };
    let (x, w, bias) = (f32s(&device, &[3, 8]), f32s(&device, &[5, 8]), f32s(&device, &[5]));
    let (xs, ws, biases) = (of(&x), of(&w), of(&bias));
    let swish = |x: f64| x / (1.0 + (-x).exp());
    let product = |f: &dyn Fn(f64) -> f64| -> Vec<f64> {
        let dot = |r: usize, j: usize| (0..8).map(|k| xs[r * 8 + k] * ws[j * 8 + k]).sum::<f64>();
        (0..15).map(|at| f(dot(at / 5, at % 5) + biases[at % 5])).collect()
    };
    let how = Linear { bias: Some(&bias), activation: Activation::Silu, ..Linear::default() };
    near(
        &ops::linear_with(&x, &Weight::Dense(w.clone()), how).run().unwrap(),
        product(&swish),
        "linear",
    );

    // Packed in 8 bits of blocks, and 2:4 sparse, as what they stand for.
    let packed = ops::quantize(&w, "affine8", 32, None).run().unwrap();
    let stands_for = ops::dequantize(&packed, Dequantize::default()).run().unwrap();
    let how = Linear { bias: Some(&bias), ..Linear::default() };
    for sums in [Sums::ByLanes, Sums::ByTiles] {
        let got =
            ops::linear_with(&x, &packed.clone().into(), Linear { sums, ..how }).run().unwrap();
        let want = ops::linear_with(&x, &stands_for.clone().into(), how).run().unwrap();
        near(&got, of(&want), "packed");
    }
    let bytes: Vec<u8> = ws.iter().flat_map(|&w| (w as f32).to_le_bytes()).collect();
    let sparse = evenweave::AnySparse24::prune(DType::F32, [5, 8], &bytes).unwrap();
    let dense = device.tensor_of_bytes(DType::F32, &[5, 8], &sparse.decompress()).unwrap();
    let got = ops::linear_with(&x, &Weight::sparse(&device, &sparse).unwrap(), how).run().unwrap();
    near(&got, of(&ops::linear_with(&x, &dense.into(), how).run().unwrap()), "sparse");

    let soft = |row: &[f64]| {
        let sum: f64 = row.iter().map(|x| x.exp()).sum();
        row.iter().map(|x| x.exp() / sum).collect::<Vec<_>>()
    };
    near(&ops::softmax(&x).run().unwrap(), xs.chunks(8).flat_map(soft).collect(), "softmax");

    // Two of three experts a token, by the softmax of all logits, scaled to add up to one.
    let [router, gate, up, down] = [&[3, 8][..], &[3, 6, 8], &[3, 6, 8], &[3, 8, 6]]
        .map(|shape| Weight::Dense(f32s(&device, shape)));
    let weights = [&router, &gate, &up, &down].map(|w| match w {
        Weight::Dense(w) => of(w),
        Weight::Packed(_) | Weight::Sparse(_) => unreachable!("made above"),
    });
    let rows = |w: &[f64], e: usize, n: usize, x: &[f64]| -> Vec<f64> {
        let w = &w[e * n * x.len()..][..n * x.len()];
        w.chunks(x.len()).map(|w| w.iter().zip(x).map(|(w, x)| w * x).sum()).collect()
    };
    let mut want = Vec::new();
    for x in xs.chunks(8) {
        let scores = soft(&rows(&weights[0], 0, 3, x));
        let mut best = [0, 1, 2];
        best.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));
        let total = scores[best[0]] + scores[best[1]];
        let mut y = [0.0; 8];
        for e in [best[0], best[1]] {
            let (g, u) = (rows(&weights[1], e, 6, x), rows(&weights[2], e, 6, x));
            let inner: Vec<f64> = g.iter().zip(&u).map(|(&g, u)| swish(g) * u).collect();
            let part = rows(&weights[3], e, 8, &inner);
            y.iter_mut().zip(part).for_each(|(y, part)| *y += scores[e] / total * part);
        }
        want.extend(y);
    }
    let experts = Experts { router: &router, gate: &gate, up: &up, down: &down };
    let got = ops::moe(&x, experts, Route::default(), Gate::Swiglu).run().unwrap();
    near(&got, want, "moe");

    // The greatest logit is drawn where it has all the weight; u picks a token by the sums of probabilities.
    let logits = device.tensor(&[3, 3], &[0.0f32, 9.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]).unwrap();
    let u = device.tensor(&[3], &[0.5f32, 0.1, 0.9]).unwrap();
    let sharp = Sampling { temperature: Some(0.5), ..Sampling::default() };
    let drawn = ops::sample(&logits, &u, sharp).run().unwrap().to_vec::<u32>().unwrap();
    assert_eq!(drawn, [1, 0, 2]);
    assert_eq!(ops::greedy(&logits).run().unwrap().to_vec::<u32>().unwrap(), [1, 0, 0]);
}
