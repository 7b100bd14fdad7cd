//! Kernels that use one part of the language each, and the IR they become.

use evenweave_lang::{prelude::*, text};

/// The kernel's lines without places, and without the indentation that all share.
fn lines(kernel: Result<Kernel, StageError>) -> String {
    let kernel = kernel.unwrap();
    let text = text::print(&kernel);
    assert_eq!(text::parse(&text).as_ref(), Ok(&kernel));
    let line = |l: &str| l.split(" @lang").next().unwrap().trim_end().to_string();
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

macro_rules! becomes {
    ($($test:ident: $kernel:expr => $want:literal;)*) => { $(
        #[test]
        fn $test() {
            let got = lines($kernel);
            let want = $want.trim();
            assert!(got == want, "got:\n{got}\nwant:\n{want}");
        }
    )* };
}

#[kernel(group = 256, grid = n.div_ceil(256))]
fn swiglu<T: Real>(#[len(n)] gate: &In<T>, #[len(n)] up: &In<T>, #[len(n)] y: &mut Out<T>, n: u32) {
    let i = global_id();
    if i < n {
        let g = gate[i] as f32;
        y[i] = (silu(g) * (up[i] as f32)) as T;
    }
}

#[kernel(group = (8, 4), grid = (w.div_ceil(8), h.div_ceil(4) * 2, x.extent(2).min(7)))]
fn geometry<T: Element, const N: usize>(
    #[shape(h, w, depth)] x: &InView<F8E4M3, 3>,
    #[len(w * h + depth as u32 % 3)] y: &mut InOut<T>,
    #[len(depth * w - y.len() / 2)] z: &mut Out<I4>,
    w: u32,
    h: u32,
    #[comptime] depth: usize,
    #[comptime] label: &'static str,
) {
    z[0] = x[[global_id(), 1, 0]] as i32 + lit::<i32>(label.len() as f64) + N as i32;
}

#[kernel(group = 32, grid = 1)]
fn literals(#[len(8)] y: &mut Out<f32>, #[len(8)] z: &mut Out<u8>) {
    let x = y.len() as f32;
    y[1] = 2.0 * x + 1.0 - 0.5 / -x;
    z[2u64] = (1 << (z.len() as u8)) | 3;
    z[3] = !(7 as u8) & 200;
}

#[kernel(group = 32, grid = 1)]
fn generic_literals<T: Float>(#[len(8)] y: &mut Out<T>, s: T) {
    let half = 0.5 as T;
    y[0] = s * half + lit(2.0);
}

#[kernel(group = 32, grid = 1)]
fn registers(#[len(8)] y: &mut Out<f32>, n: u32) {
    let mut a = 0.0;
    let (mut b, c) = (n, n + 1);
    let mut d: u64 = 3;
    a += 1.5;
    b <<= c;
    d = d * 2;
    let a = a;
    y[d] = a + b as f32;
}

#[kernel(group = 32, grid = 1)]
fn register_arrays(#[len(8)] y: &mut Out<f32>, n: u32) {
    let mut a = [0.5f32; 2];
    let mut b: [[u32; 2]; 1] = [[1, 2]];
    a[1] += 1.0;
    b[0][1] = n;
    y[b[0][1]] = a[0] + a[1usize];
}

#[kernel(group = 32, grid = 1)]
fn values_of_if(#[len(8)] y: &mut Out<f32>, n: u32) {
    let x = if n > 3 { y.len() as f32 } else { 1.0 };
    let (p, q) = if n == 0 { (x, 1u32) } else { (2.0, n) };
    y[q] = p;
}

#[kernel(group = 32, grid = 1)]
fn comptime_if(#[len(8)] y: &mut Out<f32>, n: u32, #[comptime] fast: bool) {
    if fast && n > 3 {
        y[0] = 1.0;
    }
    if !fast {
        y[1] = 2.0;
    } else if n == 1 || fast {
        y[2] = 3.0;
    }
}

#[kernel(group = 32, grid = 1)]
fn short_circuit(#[len(8)] x: &In<f32>, #[len(8)] y: &mut Out<bool>, n: u32) {
    y[0] = n > 3 && n < 7;
    y[1] = n == 3 || x[n] > 0.5;
}

#[kernel(group = 32, grid = 1)]
fn loops(#[len(8)] y: &mut InOut<f32>, n: u32, #[comptime] taps: usize) {
    for i in (0..n).step_by(4) {
        for t in 0..taps {
            if t == 2 {
                break;
            }
            y[i + t as u32] = t as f32;
        }
        if i == 8 {
            continue;
        }
    }
    let mut i = n;
    'outer: while i > 0 {
        i -= 1;
        loop {
            if i == 5 {
                break 'outer;
            }
            break;
        }
    }
}

#[kernel(group = 32, grid = 1)]
fn inclusive(#[len(8)] y: &mut Out<u8>, #[comptime] end: u8) {
    for i in val(250)..=end {
        if i == 251 {
            continue;
        }
        y[i as u32] = i;
    }
}

#[device]
fn first_negative(x: &In<f32>, n: Val<u32>) -> Val<u32> {
    for i in 0..n {
        if x[i] < 0.0 {
            return i;
        }
    }
    n
}

#[device]
fn halve(mut x: Val<f32>) -> Val<f32> {
    x *= 0.5;
    x
}

#[kernel(group = 32, grid = 1)]
fn device_functions(#[len(n)] x: &In<f32>, #[len(n)] y: &mut Out<f32>, n: u32) {
    let at = first_negative(x, n);
    if at == n {
        return;
    }
    y[at] = halve(x[at]);
}

trait Scale {
    #[allow(clippy::wrong_self_convention)]
    fn scale(&self, x: Val<f32>) -> Val<f32>;
}
struct By(f32);
#[device]
impl Scale for By {
    fn scale(&self, x: Val<f32>) -> Val<f32> {
        if x > self.0 { x * self.0 } else { x }
    }
}

#[kernel(group = 32, grid = 1)]
fn closures_and_traits<S: Scale>(
    #[len(8)] y: &mut InOut<f32>,
    #[comptime] by: S,
    #[comptime] ways: Vec<Option<u32>>,
) {
    let twice = |x: Val<f32>| x * 2.0;
    for way in ways.iter() {
        match way {
            Some(i) if *i > 0 => y[*i] = twice(y[*i]),
            Some(_) | None => continue,
        }
    }
    if let Some(Some(i)) = ways.first() {
        y[*i] = by.scale(twice(y[0]));
    }
}

#[kernel(group = 64, grid = 1)]
fn memory(#[len(8)] y: &mut InOut<u32>, n: u32) {
    let tile = shared::<u32>(64);
    let mine = private::<u32>(2usize);
    tile[local_id()] = n;
    barrier();
    mine[1] = tile[63 - local_id()];
    let old = atomic_add(y, 0, mine[1]);
    let seen = compare_exchange(&tile, old % 64, 0, n);
    y[1] = seen + group_broadcast(old);
}

#[kernel(group = 64, grid = 1)]
fn lanes(#[len(64)] y: &mut Out<f32>, x: f32) {
    let total = subgroup_sum(x + lane() as f32);
    let next = shuffle(total, lane() + 1);
    let all_positive = all(next > 0.0) && !any(x < 0.0);
    y[ballot(all_positive) % 8] =
        subgroup_exclusive_max(next) + shuffle_xor(x, 1) + broadcast(total, 0);
}

#[kernel(group = 32, grid = 1)]
fn told(n: u32) {
    assert!(n < 8, "n is small");
    assert!(n > 0);
    debug_print!("n = {}, half = {}", n, 0.5f32);
}

#[kernel(group = 32, grid = 1)]
fn comptime_macros(#[len(8)] y: &mut Out<u32>, n: u32, #[comptime] way: Option<u32>) {
    let mut x = n;
    x += 1;
    let pair = vec![x; 2];
    let other = vec![pair[0] + 1, x];
    if matches!(way, Some(w) if w > 2) {
        y[pair[1]] = other[0] + format!("{:>way$}", "", way = way.unwrap() as usize).len() as u32;
    }
    if way.is_none() {
        panic!("no way for {}", "this");
    }
}

#[kernel(group = 32, grid = 1, name = format!("slice_{}", taps.len()))]
fn slices(#[len(8)] y: &mut Out<f32>, #[comptime] taps: Vec<f32>) {
    let inner = &taps[1..taps.len() - 1];
    for (i, t) in taps[..2].iter().enumerate() {
        y[i] = val(*t + inner[0]) - taps[2..=2][0];
    }
}

becomes! {
    a_kernel_has_the_name_it_is_given: slices(vec![1.0, 2.0, 4.0]) => r#"
kernel slice_3<taps=_1.0_2.0_4.0_>(y: out f32[8]) group 32 grid 1
    v0: f32 = const 3.0
    v1: f32 = const 4.0
    v2: f32 = sub v0, v1
    v3: u32 = const 0
    store y[v3], v2
    v5: f32 = const 4.0
    v6: f32 = const 4.0
    v7: f32 = sub v5, v6
    v8: u32 = const 1
    store y[v8], v7
"#;
    macros_of_rust_are_comptime: comptime_macros(Some(5)) => r#"
kernel comptime_macros<way=Some_5_>(y: out u32[8], n: u32) group 32 grid 1
    var x: u32
    v0: u32 = scalar n
    set x, v0
    v2: u32 = get x
    v3: u32 = const 1
    v4: u32 = add v2, v3
    set x, v4
    v6: u32 = get x
    v7: u32 = const 1
    v8: u32 = add v6, v7
    v9: u32 = get x
    v10: u32 = const 5
    v11: u32 = add v8, v10
    store y[v6], v11
"#;
    the_example_of_the_manual: swiglu::<f16>() => r#"
kernel swiglu<f16>(gate: in f16[n], up: in f16[n], y: out f16[n], n: u32) group 256 grid n.div_ceil(256)
    v0: u32 = scalar n
    v1: u32 = global_id.x
    v2: bool = lt v1, v0
    if v2 {
        v4: f16 = load gate[v1]
        v5: f32 = cast v4
        v6: f32 = silu v5
        v7: f16 = load up[v1]
        v8: f32 = cast v7
        v9: f32 = mul v6, v8
        v10: f16 = cast v9
        store y[v1], v10
    }
"#;
    geometry_and_names: geometry::<bf16, 5>(9, "ab c") => r#"
kernel geometry<bf16,N=5,depth=9,label=abc>(
    x: in view f8e4m3[h, w, 9],
    y: inout bf16[w * h + 0],
    z: out i4[9 * w - y.len() / 2],
    w: u32,
    h: u32,
) group [8, 4] grid [w.div_ceil(8), h.div_ceil(4) * 2, x.extent(2).min(7)]
    v0: u32 = scalar w
    v1: u32 = scalar h
    v2: u32 = global_id.x
    v3: u64 = offset x
    v4: u64 = cast v2
    v5: u64 = const 1
    v6: u64 = stride x, 0
    v7: u64 = mul v4, v6
    v8: u64 = add v3, v7
    v9: u64 = stride x, 1
    v10: u64 = mul v5, v9
    v11: u64 = add v8, v10
    v12: f32 = load x[v11]
    v13: i32 = cast v12
    v14: i32 = const 4
    v15: i32 = add v13, v14
    v16: i32 = const 5
    v17: i32 = add v15, v16
    v18: u32 = const 0
    store z[v18], v17
"#;
    literals_take_the_dtype_beside_them: literals() => r#"
kernel literals(y: out f32[8], z: out u8[8]) group 32 grid 1
    v0: u64 = length y
    v1: f32 = cast v0
    v2: f32 = const 2.0
    v3: f32 = mul v2, v1
    v4: f32 = const 1.0
    v5: f32 = add v3, v4
    v6: f32 = neg v1
    v7: f32 = const 0.5
    v8: f32 = div v7, v6
    v9: f32 = sub v5, v8
    v10: u32 = const 1
    store y[v10], v9
    v12: u64 = length z
    v13: u8 = cast v12
    v14: u8 = const 1
    v15: u8 = shl v14, v13
    v16: u8 = const 3
    v17: u8 = or v15, v16
    v18: u32 = const 2
    store z[v18], v17
    v20: u8 = const 200
    v21: u32 = const 3
    store z[v21], v20
"#;
    literals_of_a_generic_dtype: generic_literals::<bf16>() => r#"
kernel generic_literals<bf16>(y: out bf16[8], s: bf16) group 32 grid 1
    v0: bf16 = scalar s
    v1: bf16 = const 0.5
    v2: bf16 = mul v0, v1
    v3: bf16 = const 2.0
    v4: bf16 = add v2, v3
    v5: u32 = const 0
    store y[v5], v4
"#;
    let_mut_is_a_register: registers() => r#"
kernel registers(y: out f32[8], n: u32) group 32 grid 1
    var a: f32
    var b: u32
    var d: u64
    v0: u32 = scalar n
    v1: f32 = const 0.0
    set a, v1
    v3: u32 = const 1
    v4: u32 = add v0, v3
    set b, v0
    v6: u64 = const 3
    set d, v6
    v8: f32 = get a
    v9: f32 = const 1.5
    v10: f32 = add v8, v9
    set a, v10
    v12: u32 = get b
    v13: u32 = shl v12, v4
    set b, v13
    v15: u64 = get d
    v16: u64 = const 2
    v17: u64 = mul v15, v16
    set d, v17
    v19: f32 = get a
    v20: u64 = get d
    v21: u32 = get b
    v22: f32 = cast v21
    v23: f32 = add v19, v22
    store y[v20], v23
"#;
    arrays_of_registers: register_arrays() => r#"
kernel register_arrays(y: out f32[8], n: u32) group 32 grid 1
    var a: f32
    var a_2: f32
    var b: u32
    var b_2: u32
    v0: u32 = scalar n
    v1: f32 = const 0.5
    set a, v1
    v3: f32 = const 0.5
    set a_2, v3
    v5: u32 = const 1
    set b, v5
    v7: u32 = const 2
    set b_2, v7
    v9: f32 = get a_2
    v10: f32 = const 1.0
    v11: f32 = add v9, v10
    set a_2, v11
    set b_2, v0
    v14: u32 = get b_2
    v15: f32 = get a
    v16: f32 = get a_2
    v17: f32 = add v15, v16
    store y[v14], v17
"#;
    an_if_has_a_value: values_of_if() => r#"
kernel values_of_if(y: out f32[8], n: u32) group 32 grid 1
    var join: f32
    var join_2: f32
    var join_3: u32
    v0: u32 = scalar n
    v1: u32 = const 3
    v2: bool = gt v0, v1
    if v2 {
        v4: u64 = length y
        v5: f32 = cast v4
        set join, v5
    } else {
        v7: f32 = const 1.0
        set join, v7
    }
    v9: f32 = get join
    v10: u32 = const 0
    v11: bool = eq v0, v10
    if v11 {
        set join_2, v9
        v14: u32 = const 1
        set join_3, v14
    } else {
        v16: f32 = const 2.0
        set join_2, v16
        set join_3, v0
    }
    v19: f32 = get join_2
    v20: u32 = get join_3
    store y[v20], v19
"#;
    a_comptime_if_that_holds: comptime_if(true) => r#"
kernel comptime_if<fast=true>(y: out f32[8], n: u32) group 32 grid 1
    v0: u32 = scalar n
    v1: u32 = const 3
    v2: bool = gt v0, v1
    if v2 {
        v4: f32 = const 1.0
        v5: u32 = const 0
        store y[v5], v4
    }
    v7: u32 = const 1
    v8: bool = eq v0, v7
    v9: bool = not v8
    v10: bool = const true
    v11: bool = or v8, v10
    if v11 {
        v13: f32 = const 3.0
        v14: u32 = const 2
        store y[v14], v13
    }
"#;
    a_comptime_if_that_does_not: comptime_if(false) => r#"
kernel comptime_if<fast=false>(y: out f32[8], n: u32) group 32 grid 1
    v0: u32 = scalar n
    v1: bool = const false
    if v1 {
        v3: f32 = const 1.0
        v4: u32 = const 0
        store y[v4], v3
    }
    v6: f32 = const 2.0
    v7: u32 = const 1
    store y[v7], v6
"#;
    b_does_not_run_where_a_decides: short_circuit() => r#"
kernel short_circuit(x: in f32[8], y: out bool[8], n: u32) group 32 grid 1
    var join: bool
    v0: u32 = scalar n
    v1: u32 = const 3
    v2: bool = gt v0, v1
    v3: u32 = const 7
    v4: bool = lt v0, v3
    v5: bool = and v2, v4
    v6: u32 = const 0
    store y[v6], v5
    v8: u32 = const 3
    v9: bool = eq v0, v8
    v10: bool = not v9
    if v10 {
        v12: f32 = load x[v0]
        v13: f32 = const 0.5
        v14: bool = gt v12, v13
        set join, v14
    } else {
        v16: bool = const true
        set join, v16
    }
    v18: bool = get join
    v19: u32 = const 1
    store y[v19], v18
"#;
    loops_unroll_or_run: loops(3) => r#"
kernel loops<taps=3>(y: inout f32[8], n: u32) group 32 grid 1
    var i: u32
    v0: u32 = scalar n
    v1: u32 = const 0
    v2: u32 = const 1
    v3: u32 = const 4
    v4: u32 = for v1 to v0 step v3 {
        v5: u32 = const 0
        v6: u32 = add v4, v5
        v7: f32 = const 0.0
        store y[v6], v7
        v9: u32 = const 1
        v10: u32 = add v4, v9
        v11: f32 = const 1.0
        store y[v10], v11
        v13: u32 = const 8
        v14: bool = eq v4, v13
        if v14 {
            continue v4
        }
    }
    set i, v0
    v18: loop {
        v19: u32 = get i
        v20: u32 = const 0
        v21: bool = gt v19, v20
        v22: bool = not v21
        if v22 {
            break v18
        }
        v25: u32 = get i
        v26: u32 = const 1
        v27: u32 = sub v25, v26
        set i, v27
        v29: loop {
            v30: u32 = get i
            v31: u32 = const 5
            v32: bool = eq v30, v31
            if v32 {
                break v18
            }
            break v29
        }
    }
"#;
    an_inclusive_range_reaches_the_greatest: inclusive(255) => r#"
kernel inclusive<end=255>(y: out u8[8]) group 32 grid 1
    var index: u8
    v0: u8 = const 250
    v1: u8 = const 255
    v2: u8 = const 1
    v3: bool = le v0, v1
    if v3 {
        set index, v0
        v6: loop {
            v7: scope {
                v8: u8 = get index
                v9: u8 = const 251
                v10: bool = eq v8, v9
                if v10 {
                    break v7
                }
                v13: u32 = cast v8
                store y[v13], v8
            }
            v15: u8 = get index
            v16: u8 = sub v1, v15
            v17: bool = lt v16, v2
            if v17 {
                break v6
            }
            v20: u8 = add v15, v2
            set index, v20
        }
    }
"#;
    device_functions_return: device_functions() => r#"
kernel device_functions(x: in f32[n], y: out f32[n], n: u32) group 32 grid 1
    var result: u32
    var x_2: f32
    v0: u32 = scalar n
    v1: scope {
        v2: u32 = const 0
        v3: u32 = const 1
        v4: u32 = for v2 to v0 step v3 {
            v5: f32 = load x[v4]
            v6: f32 = const 0.0
            v7: bool = lt v5, v6
            if v7 {
                set result, v4
                break v1
            }
        }
        set result, v0
    }
    v12: u32 = get result
    v13: bool = eq v12, v0
    if v13 {
        return
    }
    v16: f32 = load x[v12]
    set x_2, v16
    v18: f32 = get x_2
    v19: f32 = const 0.5
    v20: f32 = mul v18, v19
    set x_2, v20
    v22: f32 = get x_2
    store y[v12], v22
"#;
    closures_traits_and_comptime_matches: closures_and_traits(By(3.0), vec![Some(1), None, Some(0)]) => r#"
kernel closures_and_traits<By,ways=_Some_1__None_Some_0__>(y: inout f32[8]) group 32 grid 1
    var join: f32
    v0: u32 = const 1
    v1: f32 = load y[v0]
    v2: f32 = const 2.0
    v3: f32 = mul v1, v2
    v4: u32 = const 1
    store y[v4], v3
    v6: u32 = const 0
    v7: f32 = load y[v6]
    v8: f32 = const 2.0
    v9: f32 = mul v7, v8
    v10: f32 = const 3.0
    v11: bool = gt v9, v10
    if v11 {
        v13: f32 = const 3.0
        v14: f32 = mul v9, v13
        set join, v14
    } else {
        set join, v9
    }
    v17: f32 = get join
    v18: u32 = const 1
    store y[v18], v17
"#;
    memory_of_a_group: memory() => r#"
kernel memory(y: inout u32[8], n: u32) group 64 grid 1
    shared tile: u32[64]
    private mine: u32[2]
    v0: u32 = scalar n
    v1: u32 = local_id.x
    store tile[v1], v0
    barrier
    v4: u32 = local_id.x
    v5: u32 = const 63
    v6: u32 = sub v5, v4
    v7: u32 = load tile[v6]
    v8: u32 = const 1
    store mine[v8], v7
    v10: u32 = const 1
    v11: u32 = load mine[v10]
    v12: u32 = const 0
    v13: u32 = atomic_add y[v12], v11
    v14: u32 = const 64
    v15: u32 = rem v13, v14
    v16: u32 = const 0
    v17: u32 = compare_exchange tile[v15], v16, v0
    v18: u32 = group_broadcast v13
    v19: u32 = add v17, v18
    v20: u32 = const 1
    store y[v20], v19
"#;
    lanes_of_a_subgroup: lanes() => r#"
kernel lanes(y: out f32[64], x: f32) group 64 grid 1
    var join: bool
    v0: f32 = scalar x
    v1: u32 = lane
    v2: f32 = cast v1
    v3: f32 = add v0, v2
    v4: f32 = reduce sum v3
    v5: u32 = lane
    v6: u32 = const 1
    v7: u32 = add v5, v6
    v8: f32 = shuffle v4, v7
    v9: f32 = const 0.0
    v10: bool = gt v8, v9
    v11: bool = all v10
    if v11 {
        v13: f32 = const 0.0
        v14: bool = lt v0, v13
        v15: bool = any v14
        v16: bool = not v15
        set join, v16
    } else {
        v18: bool = const false
        set join, v18
    }
    v20: bool = get join
    v21: u32 = ballot v20
    v22: u32 = const 8
    v23: u32 = rem v21, v22
    v24: f32 = exclusive_scan max v8
    v25: u32 = const 1
    v26: f32 = shuffle_xor v0, v25
    v27: f32 = add v24, v26
    v28: u32 = const 0
    v29: f32 = broadcast v4, v28
    v30: f32 = add v27, v29
    store y[v23], v30
"#;
    claims_and_prints: told() => r#"
kernel told(n: u32) group 32 grid 1
    v0: u32 = scalar n
    v1: u32 = const 8
    v2: bool = lt v0, v1
    assert v2, "n is small"
    v4: u32 = const 0
    v5: bool = gt v0, v4
    assert v5, "n > 0"
    v7: f32 = const 0.5
    print "n = {}, half = {}", v0, v7
"#;
}
