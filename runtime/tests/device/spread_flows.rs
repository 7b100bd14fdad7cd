//! Flows that part and meet again between movements of lanes, spread over narrower subgroups.

use crate::spread::same;
use evenweave_lang::{dtype::DType, generate::Argument, prelude::*};

/// Words without a pattern.
fn word(i: u64) -> u64 {
    let h = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (h ^ (h >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32
}

/// Runs a kernel over words `x`, writing words `y`, on all hardware.
#[track_caller]
fn check<E: std::fmt::Debug>(kernel: Result<Kernel, E>, x_elems: u64, y_elems: u64) {
    let kernel = kernel.unwrap();
    let x = Argument::Buffer(DType::U32, (0..x_elems).map(word).collect());
    let y = Argument::Buffer(DType::U32, vec![0; y_elems as usize]);
    same(&kernel, &[x, y, Argument::Scalar(DType::U32, 5)], true, &kernel.name);
}

/// Runs a kernel of 2 groups that writes one word a thread.
#[track_caller]
fn check_all<E: std::fmt::Debug>(kernel: impl Fn(u32) -> Result<Kernel, E>) {
    for threads in [32, 96] {
        let elems = 2 * u64::from(threads);
        check(kernel(threads), elems, elems);
    }
}

macro_rules! flows {
    ($($(#[$meta:meta])* $name:ident($v:ident, $n:ident) $body:block)*) => { $(
        $(#[$meta])*
        #[test]
        fn $name() {
            #[device]
            fn flow($v: Val<u32>, $n: Val<u32>) -> Val<u32> $body

            /// What comes out is moved again, and the threads must have met for that.
            #[kernel(group = threads, grid = 2)]
            fn run(
                #[len(2 * threads)] x: &In<u32>,
                #[len(2 * threads)] y: &mut Out<u32>,
                n: u32,
                #[comptime] threads: u32,
            ) {
                let i = global_id();
                let got = flow(x[i], n);
                y[i] = subgroup_inclusive_sum(got) ^ got;
            }
            check_all(run);
        }
    )* };
}

flows! {
    left_after_a_sum(v, n) {
        let sum = subgroup_sum(v);
        if v % 3 == 0 {
            return sum + n;
        }
        let mut w = v ^ sum;
        if w % 2 == 1 {
            return w + lane();
        }
        w += 7;
        w * 3
    }

    continued_behind_a_sum(v, n) {
        let mut acc = v;
        for round in 0..n {
            let sum = subgroup_sum(acc);
            if (acc ^ sum) % 4 == round % 4 {
                continue;
            }
            acc += sum ^ lane();
            if acc % 5 == 0 {
                continue;
            }
            acc = acc * 5 + round;
        }
        acc
    }

    left_inside_uniform_branches(v, n) {
        let mut acc = v;
        if any(v % 64 == 1) {
            acc += subgroup_max(v);
            if group_id() == 0 {
                acc ^= shuffle(acc, v);
                if acc % 5 < 2 {
                    return acc;
                }
                acc += 1;
            } else {
                acc += broadcast(acc, n);
            }
            acc *= 3;
        } else {
            acc = subgroup_exclusive_sum(acc);
        }
        acc += 11;
        acc
    }

    uniform_loops_in_a_scope_left_by_some(v, n) {
        let mut acc = v;
        'rows: for i in 0..n {
            acc += subgroup_min(acc) + i;
            for j in 0..i {
                acc = shuffle_xor(acc, j) + 1;
            }
            for j in 0..i + 2 {
                if (acc + j) % 6 == 0 {
                    continue 'rows;
                }
                acc = acc * 7 + j;
            }
            acc ^= 0x55;
        }
        if acc % 7 < 3 {
            return acc;
        }
        for i in 0..n {
            acc = acc * 3 + i;
            if acc % 11 == 0 {
                return i;
            }
        }
        acc + 1
    }

    met_again_each_round(v, n) {
        let mut acc = v;
        for round in 0..n {
            acc = subgroup_xor(leave_early(acc, round)) ^ acc;
            if all(acc % 3 != 5) && round == 3 {
                break;
            }
        }
        acc
    }

    until_all_are_done(v, n) {
        let mut x = v % 64 + 1;
        let mut rounds = val(0u32);
        loop {
            if !any(x != 1) {
                break;
            }
            if x == 1 {
                continue;
            }
            rounds += 1;
            if x % 2 == 0 {
                x /= 2;
                continue;
            }
            x = x * 3 + 1;
        }
        rounds + n
    }

    registers_of_both_kinds(v, n) {
        let mut shared = n;
        let mut own = v;
        for i in 0..n {
            shared = subgroup_sum(own) + shared * 3;
            if own % 2 == 0 {
                own += shared;
            } else {
                own ^= i;
            }
            shared = broadcast(shared, i);
        }
        own + shared
    }
}

#[device]
fn leave_early(v: Val<u32>, round: Val<u32>) -> Val<u32> {
    let seen = ballot(v % 3 == 0);
    for i in 0..round + 1 {
        if (v >> i) % 3 == 0 {
            return seen + i;
        }
        if seen >> i & 1 == 1 {
            if v % 2 == 0 {
                return v;
            }
        }
    }
    v ^ seen
}

/// A thread's end within uniform branches and loops, and what the others do then.
#[kernel(group = threads, grid = 2)]
fn ends(
    #[len(2 * threads)] x: &In<u32>,
    #[len(2 * threads)] y: &mut Out<u32>,
    n: u32,
    #[comptime] threads: u32,
) {
    let i = global_id();
    let mut v = x[i];
    for round in 0..n {
        v += subgroup_inclusive_max(v) + round;
        y[i] = v;
    }
    if group_id() == 1 {
        v ^= subgroup_sum(v);
        if v % 3 == 0 {
            return;
        }
        y[i] = v;
    }
    if v % 5 == 0 {
        y[i] = v + 1;
        return;
    }
    y[i] = v + 2;
}

#[test]
fn threads_end_apart() {
    check_all(ends);
}

/// Each movement with lanes that are constant, uniform and varying; one row of `y` for each.
#[kernel(group = 64, grid = 1)]
fn movements(#[len(64)] x: &In<u32>, #[len(64 * 70)] y: &mut Out<u32>, n: u32) {
    let (i, v) = (local_id(), x[local_id()]);
    let uniform = broadcast(v, 9) + n;
    let mut row = 0;
    let rows = [
        shuffle(v, 7),
        shuffle(v, uniform),
        shuffle(v, v),
        shuffle(v, lane() + 31),
        shuffle(v, lane() * 5),
        shuffle(n, v),
        shuffle_xor(v, uniform),
        broadcast(v, uniform),
        broadcast(v, 31),
        ballot(v % 3 == 0),
        ballot(n == 5),
        any(v % 64 == 3) as u32,
        any(lane() == 32) as u32,
        all(v % 64 != 3) as u32,
        all(lane() < 32) as u32,
        lane(),
        subgroup_id(),
        subgroups(),
        thread_id(),
        subgroup_sum(n),
        subgroup_inclusive_sum(n),
    ];
    for got in rows {
        y[row * 64 + i] = got;
        row += 1;
    }
    for mask in 0..37 {
        y[row * 64 + i] = shuffle_xor(v, mask);
        row += 1;
    }
}

#[test]
fn lanes_are_found_wherever_they_lie() {
    check(movements(), 64, 64 * 70);
}

/// Reductions and scans of a dtype; floats so mixed that any other order gives other bits.
#[kernel(group = 64, grid = 1)]
fn scans<T: Numeric>(#[len(64)] x: &In<T>, #[len(64 * 12)] y: &mut Out<T>) {
    let (i, v) = (local_id(), x[local_id()]);
    let mut row = 0;
    for got in [
        subgroup_sum(v),
        subgroup_inclusive_sum(v),
        subgroup_exclusive_sum(v),
        subgroup_prod(v),
        subgroup_inclusive_prod(v),
        subgroup_exclusive_prod(v),
        subgroup_min(v),
        subgroup_inclusive_min(v),
        subgroup_exclusive_min(v),
        subgroup_max(v),
        subgroup_inclusive_max(v),
        subgroup_exclusive_max(v),
    ] {
        y[row * 64 + i] = got;
        row += 1;
    }
}

#[test]
fn scans_keep_their_order() {
    let kernels = [
        (DType::U32, scans::<u32>()),
        (DType::I8, scans::<i8>()),
        (DType::I64, scans::<i64>()),
        (DType::F16, scans::<f16>()),
        (DType::BF16, scans::<bf16>()),
        (DType::F32, scans::<f32>()),
        (DType::F64, scans::<f64>()),
    ];
    for (dtype, kernel) in kernels {
        let float = |i: u64| {
            let exponent = (word(i + 7) % 17) as i32 - 8;
            (word(i) as f64 / 4e9 - 0.5) * 2f64.powi(exponent)
        };
        let bits = |i: u64| match dtype {
            DType::F16 => half_bits(float(i), DType::F16),
            DType::BF16 => half_bits(float(i), DType::BF16),
            DType::F32 => (float(i) as f32).to_bits().into(),
            DType::F64 => float(i).to_bits(),
            _ => (word(i) | word(i + 99) << 32) & (u64::MAX >> (64 - dtype.bits())),
        };
        let x = Argument::Buffer(dtype, (0..64).map(bits).collect());
        let y = Argument::Buffer(dtype, vec![0; 64 * 12]);
        same(&kernel.unwrap(), &[x, y], true, dtype.name());
    }
}

fn half_bits(x: f64, dtype: DType) -> u64 {
    evenweave_kernels::number::encode(dtype, x)
}

/// Atomic updates by every lane, with operands that are the same for all of them.
#[kernel(group = threads, grid = 2)]
fn updates(
    #[len(2 * threads)] x: &In<u32>,
    #[len(8)] y: &mut InOut<u32>,
    n: u32,
    #[comptime] threads: u32,
) {
    let count = shared::<u32>(1);
    if local_id() == 0 {
        count[0] = 0;
    }
    barrier();
    let most = subgroup_max(x[global_id()]);
    atomic_add(&count, 0, 1);
    atomic_add(y, 0, n);
    atomic_xor(y, 1, most);
    atomic_max(y, 2, most);
    if most % 2 == 0 {
        atomic_add(y, 3, 1);
    }
    barrier();
    let all = group_broadcast(count[0] + local_id());
    if local_id() == threads - 1 {
        atomic_add(y, 4, all);
    }
}

#[test]
fn every_lane_updates() {
    for threads in [32, 96] {
        check(updates(threads), 2 * u64::from(threads), 8);
    }
}

/// One word a subgroup, written by all its lanes: the sanitizer calls that a race, whatever they write.
#[kernel(group = 96, grid = 2)]
fn uniform_stores(#[len(192)] x: &In<u32>, #[len(6)] y: &mut Out<u32>, n: u32) {
    y[group_id() * 3 + subgroup_id()] = 1;
    let place = broadcast(group_id() * 3 + subgroup_id(), n);
    y[place] = subgroup_sum(x[global_id()]) + n;
}

#[test]
fn a_subgroup_stores_together() {
    let x = Argument::Buffer(DType::U32, (0..192).map(word).collect());
    let y = Argument::Buffer(DType::U32, vec![0; 6]);
    let n = Argument::Scalar(DType::U32, 5);
    same(&uniform_stores().unwrap(), &[x, y, n], false, "uniform stores");
}

/// Where a thread is, and an array of its own; with movements between lanes or without.
#[kernel(group = (a, b, c), grid = (2, 1, 2))]
fn places(
    #[len(4 * a * b * c)] x: &In<u32>,
    #[len(4 * a * b * c)] y: &mut Out<u32>,
    n: u32,
    #[comptime] a: u32,
    #[comptime] b: u32,
    #[comptime] c: u32,
    #[comptime] moves: bool,
) {
    let group = group_id() + group_id_z() * 2;
    let i = group * (a * b * c) + thread_id();
    let own = private::<u32>(2);
    own[0] = global_id() + global_id_y() * 1000 + global_id_z() * 100_000;
    own[1] = local_id() + local_id_y() * 64 + local_id_z() * 4096;
    let mut hash = own[x[i] % 2] ^ own[1];
    hash = hash * 31 + lane() + subgroup_id() * 100 + subgroups() * 1000;
    hash = hash * 31 + group_size() + group_size_y() * 7 + grid_size() + grid_size_z() * 3;
    if moves {
        hash += subgroup_sum(hash) * n;
    }
    if local_id_y() == 1 {
        hash += 1;
    }
    y[i] = hash;
}

#[test]
fn threads_know_their_places() {
    for [a, b, c] in [[32, 1, 1], [8, 4, 2], [4, 2, 4], [1, 64, 1], [2, 32, 3], [1024, 1, 1]] {
        let elems = 4 * u64::from(a * b * c);
        check(places(a, b, c, true), elems, elems);
        check(places(a, b, c, false), elems, elems);
    }
    for [a, b, c] in [[1, 1, 1], [3, 7, 5], [6, 1, 31], [99, 1, 1]] {
        let elems = 4 * u64::from(a * b * c);
        check(places(a, b, c, false), elems, elems);
    }
}
