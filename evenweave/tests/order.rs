//! What reductions promise beyond their cases: the order of sums, scans and sums of exponentials is defined on
//! element index, so nothing that a tuner may choose changes a bit; and runs that make no sense are an error.

use evenweave::{Device, prelude::*};
use evenweave_kernels::{
    pattern::Random,
    pieces::fold::{ACCUMULATORS, Fold, Lanes},
    reduce::{columns::fold_columns, rows::fold_rows},
    scans::scan::scan_rows,
    softmax::softmax::softmax,
};

const LENGTHS: [u32; 13] = [0, 1, 2, 3, 31, 33, 100, 1_000, 1_024, 1_025, 3_072, 5_000, 65_536];

fn numbers(elems: u32) -> Vec<f32> {
    let mut random = Random::new(u64::from(elems));
    (0..elems).map(|_| (random.normal() * 10.0) as f32).collect()
}

fn bits(x: &[f32]) -> Vec<u32> {
    x.iter().map(|x| x.to_bits()).collect()
}

/// The definition, word for word: strided accumulators from -0.0, then neighbours until one is left.
fn canonical_sum(x: &[f32], accumulators: usize) -> f32 {
    let mut acc = vec![-0.0f32; accumulators];
    for (i, x) in x.iter().enumerate() {
        acc[i % accumulators] += x;
    }
    while acc.len() > 1 {
        acc = acc.chunks(2).map(|pair| pair[0] + pair[1]).collect();
    }
    acc[0]
}

/// The definition: at level d, where bit d of i is set, the last of the block below joins from the left.
fn canonical_scan(x: &[f32]) -> Vec<f32> {
    let mut p = x.to_vec();
    let mut d = 0;
    while 1 << d < x.len() {
        for i in (0..p.len()).filter(|i| i >> d & 1 == 1) {
            // The last of the block below has bit d clear, so this level leaves it as it is.
            p[i] += p[((i >> d) << d) - 1];
        }
        d += 1;
    }
    p
}

/// Every way to share the accumulators of a row of this length.
fn all_lanes(row_elems: u32) -> Vec<Lanes> {
    let mut all = vec![Lanes::for_row(row_elems)];
    for threads in [32, 64, 256, 1_024] {
        for width in [1, 2, 4, 16, 32] {
            if threads * width <= ACCUMULATORS && row_elems.is_multiple_of(width) {
                let anew = Lanes { accumulators: ACCUMULATORS, threads, width, rounds: 0 };
                all.push(anew);
                // A row of whole rounds may be kept in registers.
                let rounds = row_elems / ACCUMULATORS;
                if row_elems.is_multiple_of(ACCUMULATORS) && rounds <= 4 {
                    all.push(Lanes { rounds, ..anew });
                }
            }
        }
    }
    all
}

#[test]
fn a_sum_depends_on_the_elements_alone() {
    let device = Device::open("cpu").unwrap();
    for n in LENGTHS {
        let row = numbers(n);
        let want = canonical_sum(&row, ACCUMULATORS as usize);
        let x = device.tensor(&[n], &row).unwrap();
        for lanes in all_lanes(n) {
            let y = device.empty(DType::F32, &[1]).unwrap();
            let kernel = fold_rows::<f32, f32, f32>(Fold::Sum, lanes).unwrap();
            device.launch(&kernel, &[&x, &y, &1u32, &n]).unwrap();
            assert_eq!(bits(&y.to_vec().unwrap()), [want.to_bits()], "{n} elements, {lanes:?}");
        }
    }
}

#[test]
fn columns_have_the_bits_of_rows() {
    let device = Device::open("cpu").unwrap();
    for n in [1, 33, 1_024, 1_025, 3_000] {
        let columns = 35;
        let all = numbers(n * columns);
        let column = |c: u32| (0..n).map(|r| all[(r * columns + c) as usize]).collect::<Vec<_>>();
        let want: Vec<f32> =
            (0..columns).map(|c| canonical_sum(&column(c), ACCUMULATORS as usize)).collect();
        let x = device.tensor(&[n, columns], &all).unwrap();
        let y = device.empty(DType::F32, &[columns]).unwrap();
        let kernel = fold_columns::<f32, f32, f32>(Fold::Sum).unwrap();
        device.launch(&kernel, &[&x, &y, &n, &columns]).unwrap();
        assert_eq!(bits(&y.to_vec().unwrap()), bits(&want), "{n} rows");
    }
}

#[test]
fn a_long_axis_is_cut_into_segments() {
    let device = Device::open("cpu").unwrap();
    let n = 150_001;
    let row = numbers(n);
    let parts: Vec<f32> =
        row.chunks(65_536).map(|part| canonical_sum(part, ACCUMULATORS as usize)).collect();
    let want = canonical_sum(&parts, ACCUMULATORS as usize);
    let x = device.tensor(&[n], &row).unwrap();
    let y = device.call("reduce_all").input("x", &x).run_one().unwrap();
    assert_eq!(bits(&y.to_vec().unwrap()), [want.to_bits()]);
}

#[test]
fn a_scan_follows_the_index_tree() {
    let device = Device::open("cpu").unwrap();
    for n in LENGTHS {
        let row = numbers(n);
        let want = canonical_scan(&row);
        let x = device.tensor(&[n], &row).unwrap();
        for threads in [32, 64, 256, 1_024] {
            let y = device.empty(DType::F32, &[n]).unwrap();
            let kernel = scan_rows::<f32, f32>(Fold::Sum, false, threads).unwrap();
            device.launch(&kernel, &[&x, &y, &1u32, &n]).unwrap();
            assert!(bits(&y.to_vec().unwrap()) == bits(&want), "{n} elements, {threads} threads");
        }
    }
}

#[test]
fn a_softmax_depends_on_the_elements_alone() {
    let device = Device::open("cpu").unwrap();
    for n in LENGTHS {
        let x = device.tensor(&[n], &numbers(n)).unwrap();
        let mut first = None;
        for lanes in all_lanes(n) {
            let y = device.empty(DType::F32, &[n]).unwrap();
            let kernel = softmax::<f32>(lanes).unwrap();
            device.launch(&kernel, &[&x, &y, &1u32, &n]).unwrap();
            let got = bits(&y.to_vec().unwrap());
            assert!(&got == first.get_or_insert(got.clone()), "{n} elements, {lanes:?}");
        }
    }
}

#[test]
fn runs_that_descend_or_pass_the_end_are_an_error() {
    let device = Device::open("cpu").unwrap();
    let x = device.tensor(&[4], &[1.0f32, 2.0, 3.0, 4.0]).unwrap();
    let sums = |offsets: &[u32]| {
        let offsets = device.tensor(&[offsets.len() as u32], offsets).unwrap();
        let call = device.call("reduce_segments").input("x", &x).input("offsets", &offsets);
        call.run_one().and_then(|y| y.to_vec::<f32>())
    };
    assert_eq!(sums(&[0, 1, 4]).unwrap(), [1.0, 9.0]);
    for offsets in [[0, 3, 2], [0, 2, 5]] {
        let message = sums(&offsets).unwrap_err().to_string();
        assert!(message.contains("offsets must ascend and end within x"), "{message}");
        assert!(message.contains("segments.rs:"), "{message}");
    }
}
