//! What no formula shows: loops, barriers, atomics, movements between lanes.
//!
//! Invariants
//! - How often a loop runs, which lane is asked and what is compared come from buffers; but `probe_ways_out` names its
//!   rounds, since what a driver does when it counts them is what it shows.
//! - Loops that wait for others are bounded: a device that is wrong gives wrong numbers and does not hang.

use super::{Disagreements, Part, cases::Random};
use crate::{
    device::{Device, LaunchArg, LoadOptions, Memory},
    error::DeviceError,
};
use evenweave_codegen::Fact;
use evenweave_lang::prelude::*;

const THREADS: u32 = 256;
const ROUNDS: u32 = 256;

/// One long loop, a nested one, one that leaves early, one with ways out of both.
#[kernel(group = 64, grid = 4)]
fn probe_loops(#[len(4)] bounds: &In<u32>, #[len(1024)] y: &mut Out<u32>) {
    let t = global_id();
    let mut long = t;
    for i in 0..bounds[0] {
        long = long * 1664525 + i;
    }
    y[t] = long;
    let mut nested = t;
    for i in 0..bounds[1] {
        for j in 0..bounds[2] {
            nested = (nested ^ (i + 7 * j)) * 2654435761;
        }
    }
    y[t + 256] = nested;
    let (mut steps, mut at) = (0u32, t + 1);
    while at != 1 {
        at = if at % 2 == 0 { at / 2 } else { 3 * at + 1 };
        steps += 1;
        if steps >= bounds[3] {
            break;
        }
    }
    y[t + 512] = steps;
    let mut count = 0u32;
    for i in 0..t {
        if i % 3 == 0 {
            continue;
        }
        for j in 0..i {
            if j * j > i {
                break;
            }
            count += j ^ i;
        }
    }
    y[t + 768] = count;
}

fn loops_on_the_host(bounds: [u32; 4]) -> Vec<u32> {
    let long = |t| (0..bounds[0]).fold(t, |h: u32, i| h.wrapping_mul(1664525).wrapping_add(i));
    let pairs = || (0..bounds[1]).flat_map(|i| (0..bounds[2]).map(move |j| i + 7 * j));
    let nested = |t| pairs().fold(t, |h: u32, k| (h ^ k).wrapping_mul(2654435761));
    let steps = |t: u32| {
        let next = |at: &u32| Some(if at.is_multiple_of(2) { at / 2 } else { 3 * at + 1 });
        let path = std::iter::successors(Some(t + 1), next);
        path.take_while(|&at| at != 1).take(bounds[3] as usize).count() as u32
    };
    let count = |t: u32| {
        let few = |i: u32| (0..i).take_while(move |j| j * j <= i).map(move |j| j ^ i);
        (0..t).filter(|i| i % 3 != 0).flat_map(few).sum::<u32>()
    };
    let rows: [&dyn Fn(u32) -> u32; 4] = [&long, &nested, &steps, &count];
    rows.iter().flat_map(|row| (0..THREADS).map(row)).collect()
}

/// After a loop of few rounds an inner loop with two ways out: one after some rounds, and one past the outer loop that its
/// first round takes.
#[kernel(group = 64, grid = 4)]
fn probe_ways_out(#[len(1)] mask: &In<u32>, #[len(256)] y: &mut Out<u32>) {
    let t = global_id();
    let mut h = t ^ mask[0];
    let mut n = 0u32;
    while n < 3 {
        h = h * 2654435761;
        n += 1;
    }
    'both: loop {
        let mut rounds = 0u32;
        loop {
            let before = rounds;
            rounds += 1;
            if before >= 2 {
                break;
            }
            if rounds != u32::MAX {
                break 'both;
            }
        }
        h = 0;
        break;
    }
    y[t] = h;
}

/// A sum of products that a loop carries.
#[kernel(group = 64, grid = 4)]
fn probe_sum(
    #[len(256)] a: &In<f32>,
    #[len(256)] b: &In<f32>,
    #[len(1)] bounds: &In<u32>,
    #[len(256)] y: &mut Out<f32>,
) {
    let t = global_id();
    let mut sum = a[t];
    for i in 0..bounds[0] {
        sum = sum + a[(t + i) % 256] * b[i % 256];
    }
    y[t] = sum;
}

/// Threads hand values round, through shared memory and through a buffer.
#[kernel(group = 128, grid = 16)]
fn probe_barrier(
    #[len(1)] bounds: &In<u32>,
    #[len(2048)] scratch: &mut InOut<u32>,
    #[len(4096)] y: &mut Out<u32>,
) {
    let (t, base) = (local_id(), group_id() * 128);
    let tile = shared::<u32>(128);
    let mut h = base + t;
    for r in 0..bounds[0] {
        tile[t] = h;
        barrier();
        h = tile[(t + r) % 128] * 1664525 + t;
        barrier();
    }
    y[base + t] = h;
    for r in 0..bounds[0] {
        scratch[base + t] = h;
        barrier();
        h = scratch[base + (t + r) % 128] * 1664525 + t;
        barrier();
    }
    y[2048 + base + t] = h;
}

fn barrier_on_the_host() -> Vec<u32> {
    let round = |h: &[u32], r: usize| -> Vec<u32> {
        let next = |t: usize| h[(t + r) % 128].wrapping_mul(1664525).wrapping_add(t as u32);
        (0..128).map(next).collect()
    };
    let rounds = |start: &[u32]| (0..ROUNDS as usize).fold(start.to_vec(), |h, r| round(&h, r));
    let all: Vec<u32> = (0..2048).collect();
    let tiles: Vec<u32> = all.chunks(128).flat_map(rounds).collect();
    let buffers: Vec<u32> = tiles.chunks(128).flat_map(rounds).collect();
    [tiles, buffers].concat()
}

/// Each update by all threads; what is left does not depend on their order.
#[kernel(group = 64, grid = 4)]
fn probe_atomics(
    #[len(256)] x: &In<u32>,
    #[len(1)] bounds: &In<u32>,
    #[len(8)] left: &mut InOut<u32>,
    #[len(2)] signed: &mut InOut<i32>,
    #[len(256)] seen: &mut InOut<u32>,
    #[len(4)] sums: &mut Out<u32>,
) {
    let (t, v) = (global_id(), x[global_id()]);
    let ticket = atomic_add(left, 0, 1);
    if ticket < 256 {
        atomic_add(seen, ticket, 1);
    }
    atomic_min(left, 1, v);
    atomic_max(left, 2, v);
    atomic_and(left, 3, v | 3);
    atomic_or(left, 4, v & 0xfff0);
    atomic_xor(left, 5, v);
    let before = atomic_exchange(left, 6, v);
    atomic_xor(left, 5, before);
    let mut done = false;
    for _k in 0..bounds[0] {
        if !done {
            let old = atomic_or(left, 7, 0);
            done = compare_exchange(left, 7, old, old + v) == old;
        }
    }
    atomic_min(signed, 0, v as i32);
    atomic_max(signed, 1, v as i32);
    let tile = shared::<u32>(1);
    if local_id() == 0 {
        tile[0] = 0;
    }
    barrier();
    atomic_add(&tile, 0, v ^ t);
    barrier();
    if local_id() == 0 {
        sums[group_id()] = tile[0];
    }
}

/// Values from lanes that the data names, and questions to all lanes.
#[kernel(group = 64, grid = 4)]
fn probe_lanes(
    #[len(256)] x: &In<u32>,
    #[len(256)] lanes: &In<u32>,
    #[len(4)] picks: &In<u32>,
    #[len(3072)] y: &mut Out<u32>,
) {
    let t = global_id();
    let v = x[t];
    y[t] = shuffle(v, lanes[t]);
    y[t + 256] = shuffle_xor(v, 1);
    y[t + 512] = shuffle_xor(v, 2);
    y[t + 768] = shuffle_xor(v, 4);
    y[t + 1024] = shuffle_xor(v, 8);
    y[t + 1280] = shuffle_xor(v, 16);
    y[t + 1536] = broadcast(v, picks[0]);
    y[t + 1792] = ballot(v % 2 == 1);
    y[t + 2048] = select(any(v == picks[1]), 1, 0);
    y[t + 2304] = select(all(v < picks[2]), 1, 0);
    let mut h = v;
    for r in 0..picks[3] {
        h = shuffle(h, h % 32 + r) * 1664525 + 12345;
    }
    y[t + 2560] = h;
    let mut part = v;
    if subgroup_id() == picks[0] % 2 {
        part = shuffle(v, lanes[t] + 1) + ballot(v % 4 == 0);
    }
    y[t + 2816] = part;
}

fn lanes_on_the_host(x: &[u32], lanes: &[u32], picks: &[u32]) -> Vec<u32> {
    let mut rows = vec![Vec::new(); 12];
    for (s, (x, lanes)) in x.chunks(32).zip(lanes.chunks(32)).enumerate() {
        let ballot = |p: &dyn Fn(u32) -> bool| {
            x.iter().enumerate().fold(0, |set, (lane, &v)| set | u32::from(p(v)) << lane)
        };
        let mut h = x.to_vec();
        for r in 0..picks[3] {
            let from = |v: &u32| h[((v % 32 + r) % 32) as usize];
            h = h.iter().map(|v| from(v).wrapping_mul(1664525).wrapping_add(12345)).collect();
        }
        for lane in 0..32 {
            rows[0].push(x[lanes[lane] as usize % 32]);
            for bit in 0..5 {
                rows[1 + bit].push(x[lane ^ 1 << bit]);
            }
            rows[6].push(x[picks[0] as usize % 32]);
            rows[7].push(ballot(&|v| v % 2 == 1));
            rows[8].push(u32::from(x.contains(&picks[1])));
            rows[9].push(u32::from(x.iter().all(|&v| v < picks[2])));
            rows[10].push(h[lane]);
            let inside = s as u32 % 2 == picks[0] % 2;
            let moved = x[(lanes[lane] as usize + 1) % 32];
            let part = moved.wrapping_add(ballot(&|v| v % 4 == 0));
            rows[11].push(if inside { part } else { x[lane] });
        }
    }
    rows.concat()
}

/// The parts of the probe that are no sheets.
pub(super) fn parts() -> Vec<Part> {
    vec![
        Part { facts: vec![Fact::Loops], run: Box::new(loops) },
        Part { facts: vec![Fact::Unrolled], run: Box::new(ways_out) },
        Part { facts: vec![Fact::Uncontracted], run: Box::new(sum) },
        Part { facts: vec![Fact::Barrier], run: Box::new(barriers) },
        Part { facts: vec![Fact::Atomics], run: Box::new(atomics) },
        Part { facts: vec![Fact::Shuffles], run: Box::new(movements) },
    ]
}

/// A device with the options of the probe.
pub(super) struct Bench<'a> {
    pub(super) device: &'a dyn Device,
    pub(super) options: &'a LoadOptions,
}

impl Bench<'_> {
    pub(super) fn memory(&self, dtype: DType, words: &[u32]) -> Result<Memory, DeviceError> {
        let memory = self.device.alloc(dtype, words.len() as u64)?;
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.device.write(&memory, &bytes)?;
        Ok(memory)
    }

    pub(super) fn run(
        &self,
        kernel: Result<Kernel, StageError>,
        memories: &[&Memory],
    ) -> Result<(), DeviceError> {
        let kernel = kernel.expect("the probe's kernels stage");
        let args: Vec<_> = memories.iter().map(|memory| LaunchArg::Buffer(memory)).collect();
        self.device.launch(&self.device.load(&kernel, self.options)?, &args)
    }

    fn words(&self, memory: &Memory) -> Result<Vec<u32>, DeviceError> {
        let bytes = self.device.read(memory)?;
        let word = |c: &[u8]| u32::from_le_bytes([c[0], c[1], c[2], c[3]]);
        Ok(bytes.chunks_exact(4).map(word).collect())
    }

    /// Compares what is in memory; row `i / width` has the words of its place in `rows`.
    pub(super) fn compare(
        &self,
        found: &mut Disagreements,
        (fact, rows): (Fact, &[&str]),
        memory: &Memory,
        want: &[u32],
    ) -> Result<(), DeviceError> {
        let got = self.words(memory)?;
        let width = want.len() / rows.len();
        for (i, (got, want)) in got.iter().zip(want).enumerate().filter(|(_, (g, w))| g != w) {
            found.add(fact, || {
                let (row, at) = (rows[i / width], i % width);
                format!("{row} gave {got:#x} at {at}, is {want:#x}")
            });
        }
        Ok(())
    }
}

pub(super) const POISON: u32 = 0xa5a5_a5a5;

fn loops(
    device: &dyn Device,
    options: &LoadOptions,
    found: &mut Disagreements,
) -> Result<(), DeviceError> {
    let (bench, bounds) = (Bench { device, options }, [70_000, 300, 300, 1000]);
    let y = bench.memory(DType::U32, &[POISON; 1024])?;
    bench.run(probe_loops(), &[&bench.memory(DType::U32, &bounds)?, &y])?;
    let rows = [
        "a loop of 70000 rounds",
        "a loop of 300 in one of 300 rounds",
        "a loop left by a condition",
        "nested loops with breaks and continues",
    ];
    bench.compare(found, (Fact::Loops, &rows), &y, &loops_on_the_host(bounds))
}

fn ways_out(
    device: &dyn Device,
    options: &LoadOptions,
    found: &mut Disagreements,
) -> Result<(), DeviceError> {
    let (bench, mask) = (Bench { device, options }, 0x1234_5678);
    let y = bench.memory(DType::U32, &[POISON; THREADS as usize])?;
    bench.run(probe_ways_out(), &[&bench.memory(DType::U32, &[mask])?, &y])?;
    let hash = |t: u32| (0..3).fold(t ^ mask, |h: u32, _| h.wrapping_mul(2654435761));
    let want: Vec<u32> = (0..THREADS).map(hash).collect();
    bench.compare(found, (Fact::Unrolled, &["a way out of two loops"]), &y, &want)
}

fn sum(
    device: &dyn Device,
    options: &LoadOptions,
    found: &mut Disagreements,
) -> Result<(), DeviceError> {
    let bench = Bench { device, options };
    let mut random = Random(7);
    let [a, b] = [0; 2].map(|_| -> Vec<f32> {
        (0..THREADS).map(|_| 1.0 + random.within(-(1 << 22), 1 << 22) as f32 / 8388608.0).collect()
    });
    let bits = |x: &[f32]| -> Vec<u32> { x.iter().map(|x| x.to_bits()).collect() };
    let y = bench.memory(DType::F32, &[POISON; 256])?;
    let (ma, mb) = (bench.memory(DType::F32, &bits(&a))?, bench.memory(DType::F32, &bits(&b))?);
    bench.run(probe_sum(), &[&ma, &mb, &bench.memory(DType::U32, &[ROUNDS])?, &y])?;
    let of = |t: usize| (0..ROUNDS as usize).fold(a[t], |s, i| s + a[(t + i) % 256] * b[i % 256]);
    let want: Vec<f32> = (0..THREADS as usize).map(of).collect();
    let rows = ["a sum of products in a loop"];
    bench.compare(found, (Fact::Uncontracted, &rows), &y, &bits(&want))
}

fn barriers(
    device: &dyn Device,
    options: &LoadOptions,
    found: &mut Disagreements,
) -> Result<(), DeviceError> {
    let bench = Bench { device, options };
    let y = bench.memory(DType::U32, &[POISON; 4096])?;
    let scratch = bench.memory(DType::U32, &[POISON; 2048])?;
    bench.run(probe_barrier(), &[&bench.memory(DType::U32, &[ROUNDS])?, &scratch, &y])?;
    let rows = ["shared memory across barriers", "a buffer across barriers"];
    bench.compare(found, (Fact::Barrier, &rows), &y, &barrier_on_the_host())
}

fn atomics(
    device: &dyn Device,
    options: &LoadOptions,
    found: &mut Disagreements,
) -> Result<(), DeviceError> {
    let bench = Bench { device, options };
    let mut random = Random(8);
    let x: Vec<u32> = (0..THREADS).map(|_| random.next() as u32).collect();
    let start = [0, u32::MAX, 0, u32::MAX, 0, 0, 99, 5];
    let left = bench.memory(DType::U32, &start)?;
    let signed = bench.memory(DType::I32, &[i32::MAX as u32, i32::MIN as u32])?;
    let seen = bench.memory(DType::U32, &[0; 256])?;
    let sums = bench.memory(DType::U32, &[POISON; 4])?;
    let (mx, bounds) = (bench.memory(DType::U32, &x)?, bench.memory(DType::U32, &[4096])?);
    bench.run(probe_atomics(), &[&mx, &bounds, &left, &signed, &seen, &sums])?;
    // Each value is exchanged in once and, but for the last, out once; 99 comes out. So what the exchanges add to the
    // xor is all of them but the last, and the last is whatever is left.
    let last = bench.words(&left)?[6];
    let fold = |f: fn(u32, u32) -> u32, first: u32| x.iter().fold(first, |a, &b| f(a, b));
    let want = [
        THREADS,
        fold(u32::min, u32::MAX),
        fold(u32::max, 0),
        fold(|a, b| a & (b | 3), u32::MAX),
        fold(|a, b| a | b & 0xfff0, 0),
        99 ^ last,
        if x.contains(&last) { last } else { x[0] },
        fold(u32::wrapping_add, 5),
    ];
    let rows = [
        "atomic_add",
        "atomic_min",
        "atomic_max",
        "atomic_and",
        "atomic_or",
        "atomic_xor",
        "atomic_exchange",
        "compare_exchange",
    ];
    bench.compare(found, (Fact::Atomics, &rows), &left, &want)?;
    let ints = || x.iter().map(|&v| v as i32);
    let ends = [ints().min(), ints().max()].map(|v| v.expect("there are values") as u32);
    let rows = ["atomic_min, signed", "atomic_max, signed"];
    bench.compare(found, (Fact::Atomics, &rows), &signed, &ends)?;
    let tickets = ["what atomic_add returns, times it was returned"];
    bench.compare(found, (Fact::Atomics, &tickets), &seen, &[1; 256])?;
    let value = |(t, &v): (usize, &u32)| v ^ t as u32;
    let all: Vec<u32> = x.iter().enumerate().map(value).collect();
    let totals: Vec<u32> =
        all.chunks(64).map(|c| c.iter().fold(0u32, |a, &b| a.wrapping_add(b))).collect();
    bench.compare(found, (Fact::Atomics, &["atomic_add in shared memory"]), &sums, &totals)
}

fn movements(
    device: &dyn Device,
    options: &LoadOptions,
    found: &mut Disagreements,
) -> Result<(), DeviceError> {
    let bench = Bench { device, options };
    let mut random = Random(9);
    let [x, lanes] =
        [0; 2].map(|_| -> Vec<u32> { (0..THREADS).map(|_| random.next() as u32).collect() });
    let lanes: Vec<u32> = lanes.iter().map(|lane| lane % 32).collect();
    let most = x[..32].iter().max().map_or(0, |m| m.saturating_add(1));
    let picks = [13, x[77], most, ROUNDS];
    let y = bench.memory(DType::U32, &[POISON; 3072])?;
    let [mx, ml, mp] = [&x[..], &lanes, &picks].map(|words| bench.memory(DType::U32, words));
    bench.run(probe_lanes(), &[&mx?, &ml?, &mp?, &y])?;
    let rows = [
        "shuffle",
        "shuffle_xor by 1",
        "shuffle_xor by 2",
        "shuffle_xor by 4",
        "shuffle_xor by 8",
        "shuffle_xor by 16",
        "broadcast",
        "ballot",
        "any",
        "all",
        "shuffles in a loop",
        "a shuffle and a ballot in a branch",
    ];
    bench.compare(found, (Fact::Shuffles, &rows), &y, &lanes_on_the_host(&x, &lanes, &picks))
}

/// The kernels, for what depends on them.
pub(super) fn kernels() -> Vec<Kernel> {
    let flow = [probe_loops(), probe_ways_out(), probe_barrier()];
    let all = [probe_sum(), probe_atomics(), probe_lanes()].into_iter().chain(flow);
    all.map(|kernel| kernel.expect("the probe's kernels stage")).collect()
}
