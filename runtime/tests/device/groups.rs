//! Groups, lanes, memory and atomics in the language, against their definitions.

use evenweave_lang::{launch::Layout, prelude::*};
use evenweave_runtime::{Device, LaunchArg, LoadOptions, Memory, OpenOptions, open};

fn put<const B: usize, T: Copy>(
    cpu: &dyn Device,
    x: &[T],
    bytes: fn(T) -> [u8; B],
    dtype: DType,
) -> Memory {
    let memory = cpu.alloc(dtype, x.len() as u64).unwrap();
    cpu.write(&memory, &x.iter().flat_map(|&x| bytes(x)).collect::<Vec<u8>>()).unwrap();
    memory
}

/// The memory of the first arguments; with a layout it is a view.
type Given = Vec<(Memory, Option<Layout>)>;

/// Launches the kernel as it is, optimised and watched; `args` gets the output of `elems` words.
fn words(kernel: Kernel, elems: u64, args: &dyn Fn(&dyn Device) -> Given) -> Vec<u32> {
    let cpu = open("cpu", &OpenOptions::default()).unwrap();
    let given = args(&*cpu);
    let dtype = kernel.params.last().unwrap().kind.dtype();
    let mut results: Vec<Vec<u32>> = Vec::new();
    for (optimise, sanitize) in [(false, false), (true, false), (false, true)] {
        let y = cpu.alloc(dtype, elems).unwrap();
        cpu.fill(&y, 0).unwrap();
        let options = LoadOptions { optimise, sanitize, ..Default::default() };
        let program = cpu.load(&kernel, &options).unwrap();
        let mut args: Vec<LaunchArg> = given
            .iter()
            .map(|(m, layout)| match layout {
                Some(layout) => LaunchArg::View(m, layout.clone()),
                None => LaunchArg::Buffer(m),
            })
            .collect();
        args.push(LaunchArg::Buffer(&y));
        cpu.launch(&program, &args).unwrap();
        let bytes = cpu.read(&y).unwrap();
        results.push(bytes.chunks(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect());
    }
    assert!(results.iter().all(|r| *r == results[0]), "{}: the ways differ", kernel.name);
    results.swap_remove(0)
}

#[kernel(group = threads, grid = 2)]
fn sums(
    #[len(2 * threads)] x: &In<f32>,
    #[len(6 * threads)] y: &mut Out<f32>,
    #[comptime] threads: u32,
) {
    let (i, base) = (local_id(), group_id() * threads);
    let v = x[base + i];
    y[base + i] = group_sum(v);
    y[2 * threads + base + i] = group_inclusive_sum(v);
    y[4 * threads + base + i] = group_exclusive_sum(v);
}

/// Adjacent first, with the identity where the number of threads is no power of two.
fn tree(x: &[f32]) -> f32 {
    let mut level = x.to_vec();
    level.resize(x.len().next_power_of_two(), -0.0);
    while level.len() > 1 {
        level = level.chunks(2).map(|p| p[0] + p[1]).collect();
    }
    level[0]
}

/// Sklansky's scan on the bits of the index.
fn scan(x: &[f32]) -> Vec<f32> {
    let mut p = x.to_vec();
    for d in 0..10 {
        let before = p.clone();
        for i in 0..p.len() {
            if i >> d & 1 == 1 {
                p[i] = before[((i >> d) << d) - 1] + before[i];
            }
        }
    }
    p
}

#[test]
fn sums_of_a_group_follow_the_index_tree() {
    for threads in [32u32, 64, 96, 160, 256, 992, 1024] {
        let n = threads as usize;
        // Magnitudes so mixed that any other order gives other bits.
        let x: Vec<f32> = (0..2 * n)
            .map(|i| {
                let h = (i as u32).wrapping_mul(0x9e37_79b9) ^ 0x5bd1_e995;
                (h as f32 / 4e9 - 0.5) * 10f32.powi((h % 13) as i32 - 6)
            })
            .collect();
        let got = words(sums(threads).unwrap(), 6 * u64::from(threads), &|cpu| {
            vec![(put(cpu, &x, f32::to_le_bytes, DType::F32), None)]
        });
        for group in 0..2 {
            let x = &x[group * n..][..n];
            let (total, inclusive) = (tree(x), scan(x));
            for i in 0..n {
                let at = group * n + i;
                assert_eq!(got[at], total.to_bits(), "sum of {threads}");
                assert_eq!(got[2 * n + at], inclusive[i].to_bits(), "scan of {threads} at {i}");
                let before = if i == 0 { -0.0 } else { inclusive[i - 1] };
                assert_eq!(got[4 * n + at], before.to_bits(), "exclusive scan of {threads} at {i}");
            }
        }
    }
}

#[kernel(group = 96, grid = 1)]
fn others(#[len(96)] x: &In<u32>, #[len(960)] y: &mut Out<u32>) {
    let (i, v) = (local_id(), x[local_id()]);
    let results = [
        group_max(v),
        group_min(v),
        group_xor(v),
        group_or(v),
        group_and(v | 1),
        group_prod(v | 1),
        group_inclusive_max(v),
        group_exclusive_min(v),
        group_and(v != 7) as u32,
        group_broadcast(v),
    ];
    for (k, r) in results.into_iter().enumerate() {
        y[i + 96 * k as u32] = r;
    }
}

#[test]
fn other_reductions_of_a_group() {
    let x: Vec<u32> = (0..96u32).map(|i| i.wrapping_mul(0x85eb_ca6b) >> 3).collect();
    let got = words(others().unwrap(), 960, &|cpu| {
        vec![(put(cpu, &x, u32::to_le_bytes, DType::U32), None)]
    });
    for i in 0..96 {
        let want = [
            *x.iter().max().unwrap(),
            *x.iter().min().unwrap(),
            x.iter().fold(0, |a, b| a ^ b),
            x.iter().fold(0, |a, b| a | b),
            x.iter().fold(!0, |a, b| a & (b | 1)),
            x.iter().fold(1u32, |a, b| a.wrapping_mul(b | 1)),
            *x[..=i].iter().max().unwrap(),
            *x[..i].iter().min().unwrap_or(&u32::MAX),
            x.iter().all(|&v| v != 7) as u32,
            x[0],
        ];
        let got: Vec<u32> = (0..10).map(|k| got[96 * k + i]).collect();
        assert_eq!(got, want, "thread {i}");
    }
}

#[kernel(group = (8, 4), grid = (x.extent(1).div_ceil(8), x.extent(0).div_ceil(4)))]
fn transpose(
    #[shape(rows, columns)] x: &InView<f32, 2>,
    #[len(rows * columns)] y: &mut Out<f32>,
    #[comptime] rows: u32,
    #[comptime] columns: u32,
) {
    let (c, r) = (global_id(), global_id_y());
    if r < x.extent(0) && c < x.extent(1) {
        y[c * x.extent(0) + r] = x[[r, c]] + x.stride(0) as f32 * 1000.0;
    }
}

#[test]
fn views_have_strides_and_offsets() {
    let (rows, columns) = (5u32, 11u32);
    let layout = Layout { shape: vec![rows, columns], strides: vec![13, 2], offset: 3 };
    let x: Vec<f32> = (0..100).map(|i| i as f32).collect();
    let got = words(transpose(rows, columns).unwrap(), 55, &|cpu| {
        vec![(put(cpu, &x, f32::to_le_bytes, DType::F32), Some(layout.clone()))]
    });
    for r in 0..rows {
        for c in 0..columns {
            let want = (3 + 13 * r + 2 * c) as f32 + 13_000.0;
            assert_eq!(got[(c * rows + r) as usize], want.to_bits(), "{r} {c}");
        }
    }
}

#[kernel(group = 64, grid = 3)]
fn histogram(#[len(192)] x: &In<u8>, #[len(16)] y: &mut InOut<u32>) {
    let bins = shared::<u32>(8);
    if local_id() < 8 {
        bins[local_id()] = 0;
    }
    barrier();
    let bin = (x[global_id()] % 8) as u32;
    atomic_add(&bins, bin, 1);
    atomic_max(y, 8 + bin, x[global_id()] as u32);
    barrier();
    if local_id() < 8 {
        atomic_add(y, local_id(), bins[local_id()]);
    }
}

#[test]
fn atomics_count() {
    let x: Vec<u8> = (0..192u32).map(|i| (i * i * 7 + i) as u8).collect();
    let got =
        words(histogram().unwrap(), 16, &|cpu| vec![(put(cpu, &x, |b| [b], DType::U8), None)]);
    for bin in 0..8 {
        let of_bin = || x.iter().filter(|&&v| v % 8 == bin);
        assert_eq!(got[usize::from(bin)], of_bin().count() as u32);
        assert_eq!(got[8 + usize::from(bin)], of_bin().max().map_or(0, |&m| m.into()));
    }
}
