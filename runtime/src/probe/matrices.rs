//! Products of small matrices, and of those in registers and shared memory: whether all lies where the layout says.
//!
//! Invariants
//! - Elements are small whole numbers, so that sums are exact in whatever order the hardware forms them.
//! - Places take all six pairs; words that the layout does not read hold pairs too. A word of places is put together from two halves: a
//!   compiler that takes an instruction to read less of it than it does leaves one out.

use super::{
    Disagreements, Part,
    cases::Random,
    flow::{Bench, POISON},
};
use evenweave_codegen::{Fact, Matrices};
use evenweave_lang::{
    eval,
    matrix::{
        Atom, LANES,
        wide::{SUBGROUPS, Wide},
    },
    prelude::*,
};
use half::{bf16, f16};

/// Products that are measured at once, a subgroup each.
const GROUPS: u32 = 16;

/// The operands of a lane lie `LANES` words apart, those of a group behind those of the one before.
#[kernel(group = 32, grid = 16)]
fn probe_matrix(
    #[len(16 * 32 * operands)] x: &In<u32>,
    #[len(16 * 32 * atom.sums())] y: &mut Out<u32>,
    #[comptime] atom: Atom,
    #[comptime] operands: u32,
) {
    let first = group_id() * (LANES * operands) + lane();
    let word = |operand: u32| x[first + operand * LANES];
    let some =
        |from: u32, count: u32| -> Vec<Val<u32>> { (from..from + count).map(word).collect() };
    let (a, b, sums) = (atom.a_words(), atom.b_words(), atom.sums());
    let given = some(a + b, sums);
    let places = (word(operands - 2) & 0xffff) | (word(operands - 1) << 16);
    let (left, right) = (some(0, a), some(a, b));
    let taken: Vec<Val<u32>> = if atom.sum() == DType::F32 {
        let c: Vec<Val<f32>> = given.iter().map(|&v| from_bits::<f32>(v)).collect();
        fast::matrix(atom, &left, &right, &c, places).into_iter().map(|v| bits(v)).collect()
    } else {
        let c: Vec<Val<i32>> = given.iter().map(|&v| from_bits::<i32>(v)).collect();
        matrix(atom, &left, &right, &c, places).into_iter().map(|v| bits(v)).collect()
    };
    let to = group_id() * (LANES * sums) + lane();
    for i in 0..sums {
        y[to + i * LANES] = taken[i as usize];
    }
}

fn kernel(atom: Atom) -> Result<Kernel, StageError> {
    probe_matrix(atom, words(atom) as u32)
}

/// Words of a lane: its operands, the word of places as two.
fn words(atom: Atom) -> usize {
    atom.operands() + 1
}

/// The products that a device with this feature has.
fn atoms(matrices: Matrices) -> impl Iterator<Item = Atom> {
    Atom::ALL.iter().copied().filter(move |atom| match matrices {
        Matrices::None => false,
        Matrices::Quads => atom.quads(),
        Matrices::Halves => !atom.quads(),
    })
}

/// A word of elements, small whole numbers.
fn word(dtype: DType, random: &mut Random) -> u32 {
    let bits = dtype.bits();
    let mut code = || match random.within(-8, 8) {
        x if dtype.is_int() => x as u32,
        x if dtype == DType::BF16 => u32::from(bf16::from_f32(x as f32).to_bits()),
        x if dtype == DType::F16 => u32::from(f16::from_f32(x as f32).to_bits()),
        x => eval::encode(dtype, u64::from((x as f32).to_bits())) as u32,
    };
    let mask = u32::MAX >> (32 - bits);
    (0..32 / bits).fold(0, |word, e| word | (code() & mask) << (bits * e))
}

/// Eight pairs of places.
fn places(random: &mut Random) -> u32 {
    const PAIRS: [u32; 6] = [0x4, 0x8, 0x9, 0xc, 0xd, 0xe];
    (0..8).fold(0, |word, i| word | PAIRS[random.within(0, 6) as usize] << (4 * i))
}

/// The operands of all lanes of all groups.
fn operands(atom: Atom) -> Vec<u32> {
    let mut random = Random(10);
    let (of_a, of_both) = (atom.a_words() as usize, (atom.a_words() + atom.b_words()) as usize);
    let mut all = Vec::new();
    for operand in (0..GROUPS).flat_map(|_| 0..words(atom)) {
        for _ in 0..LANES {
            all.push(if operand < of_both {
                word(atom.elements()[usize::from(operand >= of_a)], &mut random)
            } else if operand + 1 < atom.operands() {
                let sum = random.within(-1000, 1000);
                if atom.sum() == DType::F32 { (sum as f32).to_bits() } else { sum as i32 as u32 }
            } else {
                places(&mut random)
            });
        }
    }
    all
}

/// The part of the probe for a device with this feature.
pub(super) fn part(matrices: Matrices) -> Part {
    let run = move |device: &dyn crate::device::Device,
                    options: &crate::device::LoadOptions,
                    found: &mut Disagreements| {
        let bench = Bench { device, options };
        for atom in atoms(matrices) {
            let x = operands(atom);
            let (lanes, last) = (LANES as usize, atom.operands() - 1);
            let given = |x: &[u32], operand: usize, lane: usize| match operand == last {
                true => x[last * lanes + lane] & 0xffff | x[(last + 1) * lanes + lane] << 16,
                false => x[operand * lanes + lane],
            };
            let want: Vec<u32> = x
                .chunks(lanes * words(atom))
                .flat_map(|x| eval::matrix::product(atom, |operand, lane| given(x, operand, lane)))
                .flatten()
                .collect();
            let y = bench.memory(DType::U32, &vec![POISON; want.len()])?;
            bench.run(kernel(atom), &[&bench.memory(DType::U32, &x)?, &y])?;
            bench.compare(found, (Fact::Matrices, &[atom.name()]), &y, &want)?;
        }
        Ok(())
    };
    Part { facts: vec![Fact::Matrices], run: Box::new(run) }
}

/// The kernels, for what depends on them.
pub(super) fn kernels(matrices: Matrices) -> Vec<Kernel> {
    atoms(matrices).map(|atom| kernel(atom).expect("the probe's kernels stage")).collect()
}

/// Groups that a product with shared memory is measured by.
const WIDE_GROUPS: u32 = 2;
/// Threads of one.
const THREADS: u32 = SUBGROUPS * LANES;

/// Two products on the same sums. Words of a thread, and its sums, lie `THREADS` words apart.
#[kernel(group = 128, grid = 2)]
fn probe_wide(
    #[len(2 * 128 * operands)] x: &In<u32>,
    #[len(2 * wide.tile_words())] b: &In<u32>,
    #[len(2 * 128 * wide.sums())] c: &In<u32>,
    #[len(2 * 128 * wide.sums())] y: &mut Out<u32>,
    #[comptime] wide: Wide,
    #[comptime] operands: u32,
) {
    let (words, sums) = (wide.tile_words(), wide.sums());
    let (group, thread) = (group_id(), thread_id());
    let tile = shared::<u32>(words);
    for i in (thread..words).step_by(THREADS) {
        tile[i] = b[group * words + i];
    }
    barrier();
    let word = |operand: u32| x[group * (THREADS * operands) + operand * THREADS + thread];
    let a: Vec<Val<u32>> = (0..wide.a_words()).map(word).collect();
    let places: Vec<Val<u32>> = (wide.a_words()..operands).map(word).collect();
    let first = group * (THREADS * sums) + thread;
    if wide.is_float() {
        let acc = private::<f32>(sums);
        for i in 0..sums {
            acc[i] = from_bits::<f32>(c[first + i * THREADS]);
        }
        fast::wide_matrix(wide, acc, &a, &places, tile);
        fast::wide_matrix(wide, acc, &a, &places, tile);
        for i in 0..sums {
            y[first + i * THREADS] = bits(acc[i]);
        }
    } else {
        let acc = private::<i32>(sums);
        for i in 0..sums {
            acc[i] = from_bits::<i32>(c[first + i * THREADS]);
        }
        wide_matrix(wide, acc, &a, &places, tile);
        wide_matrix(wide, acc, &a, &places, tile);
        for i in 0..sums {
            y[first + i * THREADS] = bits(acc[i]);
        }
    }
}

/// The words of all threads, the tiles and the sums, and what the sums become.
struct Wides {
    x: Vec<u32>,
    b: Vec<u32>,
    c: Vec<u32>,
    want: Vec<u32>,
}

impl Wides {
    fn of(wide: Wide) -> Wides {
        let mut random = Random(11);
        let [of_a, of_b] = wide.elements();
        let threads = THREADS as usize;
        let (operands, sums) = (wide.operands(), wide.sums() as usize);
        let x = (0..WIDE_GROUPS as usize * operands * threads).map(|i| {
            let operand = (i / threads % operands) as u32;
            if operand < wide.a_words() { word(of_a, &mut random) } else { places(&mut random) }
        });
        let x: Vec<u32> = x.collect();
        let b: Vec<u32> =
            (0..WIDE_GROUPS * wide.tile_words()).map(|_| word(of_b, &mut random)).collect();
        let c = (0..WIDE_GROUPS as usize * sums * threads).map(|_| {
            let sum = random.within(-1000, 1000);
            if wide.is_float() { (sum as f32).to_bits() } else { sum as i32 as u32 }
        });
        let c: Vec<u32> = c.collect();
        let mut want = c.clone();
        let tile_words = wide.tile_words() as usize;
        for subgroup in 0..(WIDE_GROUPS * SUBGROUPS) as usize {
            let (group, first) = (subgroup / 4, subgroup % 4 * LANES as usize);
            let at = |sum: usize, lane: usize| (group * sums + sum) * threads + first + lane;
            for _ in 0..2 {
                let d = eval::wide::product(
                    wide,
                    |operand, lane| x[(group * operands + operand) * threads + first + lane],
                    |word| b[group * tile_words + word],
                    |sum, lane| want[at(sum, lane)],
                );
                for (sum, lanes) in d.into_iter().enumerate() {
                    for (lane, bits) in lanes.into_iter().enumerate() {
                        want[at(sum, lane)] = bits;
                    }
                }
            }
        }
        Wides { x, b, c, want }
    }
}

fn wide_kernel(wide: Wide) -> Result<Kernel, StageError> {
    probe_wide(wide, wide.operands() as u32)
}

/// The products with shared memory that a device has, all or none.
fn wides(has: bool) -> impl Iterator<Item = Wide> {
    Wide::ALL.iter().copied().filter(move |_| has)
}

/// The part of the probe for a device that has such products, or has none.
pub(super) fn wide_part(has: bool) -> Part {
    let run = move |device: &dyn crate::device::Device,
                    options: &crate::device::LoadOptions,
                    found: &mut Disagreements| {
        let bench = Bench { device, options };
        for wide in wides(has) {
            let Wides { x, b, c, want } = Wides::of(wide);
            let [x, b, c, y] = [&x, &b, &c, &vec![POISON; want.len()]]
                .map(|words| bench.memory(DType::U32, words));
            let y = y?;
            bench.run(wide_kernel(wide), &[&x?, &b?, &c?, &y])?;
            bench.compare(found, (Fact::WideMatrices, &[wide.name()]), &y, &want)?;
        }
        Ok(())
    };
    Part { facts: vec![Fact::WideMatrices], run: Box::new(run) }
}

/// Its kernels, for what depends on them.
pub(super) fn wide_kernels(has: bool) -> Vec<Kernel> {
    wides(has).map(|wide| wide_kernel(wide).expect("the probe's kernels stage")).collect()
}
