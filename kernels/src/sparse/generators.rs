//! Inputs that a wrong sparse product cannot survive, the same for the host's encoder, the models of the makers' registers
//! and every device.
//!
//! Tests of other libraries passed because their data always had two survivors, in fixed places. Here each of the 11
//! legal groups comes in every place, survivors differ from each other, and rows, columns and halves can be told apart.
//!
//! Invariants
//! - Every element is a number of its dtype, and every product is exact: small whole numbers, at most 2^24 in sum but
//!   for `Clamp`, which is of integers.
//! - The same request gives the same inputs on every machine.
//! - `Given::expected` is the dense product, or the literal one where `b` is poisoned; never what an encoder says.

use super::host::{self, GROUP_ELEMS, NIBBLES, Refusal, groups};
use crate::number;
use evenweave_lang::dtype::{Class, DType};

/// The kept positions of a legal group: pairs, single ones, none.
pub const CASES: [&[usize]; 11] =
    [&[0, 1], &[0, 2], &[0, 3], &[1, 2], &[1, 3], &[2, 3], &[0], &[1], &[2], &[3], &[]];

/// A way to make inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generator {
    /// Row r, group g has case r + g: every case in every place.
    Cycle,
    /// One case everywhere, each in turn: names the case that fails.
    Uniform,
    /// A single one a row: the product reads the position back.
    OneHot,
    /// Two survivors of different weight a row: tells them apart.
    OneHotPair,
    /// Each row is another: tells rows apart.
    DistinctRows,
    /// Nonzero in one half of K, then in the other.
    HalfSplit,
    /// Neighbouring words of the index hold different cases.
    IndexKey,
    /// The ends of the dtypes' ranges, in all mixtures of signedness.
    Extremes,
    /// Sums that leave 32 bits: wrapped or saturated.
    Clamp,
    /// Something to add to, and as much K as two steps take.
    Accumulate,
    /// A zero factor: what is added to comes back as it is.
    Zeros,
    /// Every zero is -0.0: same image, same result.
    MinusZero,
    /// One NaN, in each position: its row alone is NaN.
    Nan,
    /// NaN wherever no index points: no result is NaN.
    Poison,
    /// Three and four nonzeros in the first, a middle and the last group: refused.
    Invalid,
    /// Sizes that no tile fits.
    OddSizes,
    /// So much K that the index spans several words and steps.
    Tiles,
    /// For 4 bits: every case; and two controls that a wrong encoder passes, so that it is known what they cannot show:
    /// survivors at 0 and 2 alone, and whole bytes, which look the same in both nibble orders.
    NibbleOrder,
    /// For 4 bits: whole pairs of nibbles kept, as NVIDIA's own 4-bit sparsity has them, and what is legal there or here alone.
    Pairs,
}

impl Generator {
    /// All of them.
    pub const ALL: [Generator; 19] = [
        Generator::Cycle,
        Generator::Uniform,
        Generator::OneHot,
        Generator::OneHotPair,
        Generator::DistinctRows,
        Generator::HalfSplit,
        Generator::IndexKey,
        Generator::Extremes,
        Generator::Clamp,
        Generator::Accumulate,
        Generator::Zeros,
        Generator::MinusZero,
        Generator::Nan,
        Generator::Poison,
        Generator::Invalid,
        Generator::OddSizes,
        Generator::Tiles,
        Generator::NibbleOrder,
        Generator::Pairs,
    ];
}

/// What must come of some inputs.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The dense product.
    Dense,
    /// What the image gives, taken literally, since `b` holds NaN.
    Literal,
    /// So many groups are illegal, the first of them here.
    Refused {
        /// Row of the first.
        row: usize,
        /// Its group.
        group: usize,
        /// Its nonzeros.
        nonzeros: usize,
        /// How many groups.
        count: u64,
    },
}

/// Inputs of one product, row-major.
#[derive(Clone, Debug, PartialEq)]
pub struct Given {
    /// What is special.
    pub name: String,
    /// Of `a` and `b`.
    pub dtypes: [DType; 2],
    /// Rows of `a`, columns of `b`, columns of `a`.
    pub shape: [usize; 3],
    /// The sparse factor, not compressed.
    pub a: Vec<f64>,
    /// The dense factor.
    pub b: Vec<f64>,
    /// What is added; empty where nothing is.
    pub c: Vec<f64>,
    /// What must come of it.
    pub outcome: Outcome,
}

impl Given {
    /// The product and its addend, exact; what the image of `a` gives where the outcome is `Literal`.
    pub fn expected(&self) -> Result<Vec<f64>, Refusal> {
        let [m, n, k] = self.shape;
        match self.outcome {
            Outcome::Literal => {
                host::product_of_image(&host::compress(&self.a, [m, k])?, &self.b, &self.c, n)
            }
            Outcome::Dense | Outcome::Refused { .. } => {
                Ok(host::product_float(&self.a, &self.b, &self.c, self.shape).0)
            }
        }
    }

    /// The elements of `a` as bits of its dtype.
    pub fn coded_a(&self) -> Vec<host::Coded> {
        coded(self.dtypes[0], &self.a)
    }

    /// The elements of `b` as bits of its dtype.
    pub fn coded_b(&self) -> Vec<host::Coded> {
        coded(self.dtypes[1], &self.b)
    }
}

fn coded(dtype: DType, values: &[f64]) -> Vec<host::Coded> {
    values.iter().map(|&x| host::Coded { dtype, bits: number::encode(dtype, x) }).collect()
}

/// The inputs of a generator for dtypes of `a` and `b` and sizes m, n, k; none where it has nothing to say about them.
/// `OddSizes`, `Tiles` and `Accumulate` choose sizes of their own from it.
pub fn given(generator: Generator, dtypes: [DType; 2], shape: [usize; 3]) -> Vec<Given> {
    let make = Make { dtypes, shape };
    let floats = dtypes.iter().all(|d| d.is_float());
    let nibbles = dtypes.iter().all(|d| d.bits() == 4 && d.is_int());
    match generator {
        Generator::Cycle => vec![make.cycle("cycle")],
        Generator::Uniform => (0..11).map(|case| make.uniform(case)).collect(),
        Generator::OneHot => make.one_hot(),
        Generator::OneHotPair => make.one_hot_pair(),
        Generator::DistinctRows => vec![make.distinct_rows()],
        Generator::HalfSplit => vec![make.half(0), make.half(1)],
        Generator::IndexKey => (0..11).map(|case| make.index_key(case)).collect(),
        Generator::Extremes => make.extremes(),
        Generator::Clamp if floats => Vec::new(),
        Generator::Clamp => vec![make.clamp(1.0), make.clamp(-1.0)],
        Generator::Accumulate => vec![make.accumulate()],
        Generator::Zeros => make.zeros(),
        Generator::MinusZero if !dtypes[0].is_float() => Vec::new(),
        Generator::MinusZero => vec![make.minus_zero()],
        Generator::Nan if !floats => Vec::new(),
        Generator::Nan => (0..shape[2].min(8)).map(|column| make.nan(column)).collect(),
        Generator::Poison if !floats => Vec::new(),
        Generator::Poison => (0..11).map(|case| make.poison(case)).collect(),
        Generator::Invalid => make.invalid(),
        Generator::OddSizes => make.odd_sizes(),
        Generator::Tiles => [128, 256]
            .map(|k| Make { shape: [shape[0], shape[1], k], ..make }.cycle(&format!("tiles {k}")))
            .into(),
        Generator::NibbleOrder | Generator::Pairs if !nibbles => Vec::new(),
        Generator::NibbleOrder => {
            vec![make.cycle("nibbles"), make.fixed_places(), make.whole_bytes()]
        }
        Generator::Pairs => make.pairs(),
    }
}

/// What all generators make, for dtypes and sizes.
pub fn all(dtypes: [DType; 2], shape: [usize; 3]) -> Vec<Given> {
    Generator::ALL.into_iter().flat_map(|generator| given(generator, dtypes, shape)).collect()
}

#[derive(Clone, Copy)]
struct Make {
    dtypes: [DType; 2],
    shape: [usize; 3],
}

impl Make {
    fn given(&self, name: impl Into<String>, a: Vec<f64>, b: Vec<f64>) -> Given {
        let (dtypes, shape, c) = (self.dtypes, self.shape, Vec::new());
        Given { name: name.into(), dtypes, shape, a, b, c, outcome: Outcome::Dense }
    }

    /// `a` whose group g of row r keeps what `kept` says, with the cycle's values.
    fn keep(&self, kept: impl Fn(usize, usize) -> &'static [usize]) -> Vec<f64> {
        let [m, _, k] = self.shape;
        let one = |r: usize, column: usize| {
            let (g, p) = (column / GROUP_ELEMS, column % GROUP_ELEMS);
            if kept(r, g).contains(&p) { self.value(r, g, p) } else { 0.0 }
        };
        (0..m).flat_map(|r| (0..k).map(move |column| (r, column))).map(|(r, c)| one(r, c)).collect()
    }

    /// 1 to 7, negative where r + g + p is odd and the dtype has negative numbers.
    fn value(&self, r: usize, g: usize, p: usize) -> f64 {
        let magnitude = (1 + (5 * g + 3 * p + r) % 7) as f64;
        let negative = (g + p + r) % 2 == 1 && !unsigned(self.dtypes[0]);
        if negative { -magnitude } else { magnitude }
    }

    /// -8 to 7, or 0 to 15; different along k and n.
    fn b(&self) -> Vec<f64> {
        let [_, n, k] = self.shape;
        let low = if unsigned(self.dtypes[1]) { 0.0 } else { -8.0 };
        let one = |i: usize| ((5 * (i / n) + 3 * (i % n)) % 16) as f64 + low;
        (0..k * n).map(one).collect()
    }

    fn cycle(&self, name: &str) -> Given {
        self.given(name, self.keep(|r, g| CASES[(r + g) % 11]), self.b())
    }

    fn uniform(&self, case: usize) -> Given {
        let name = format!("uniform {}", case_word(case));
        self.given(name, self.keep(|_, _| CASES[case]), self.b())
    }

    fn distinct_rows(&self) -> Given {
        // Neighbouring rows are 4 cases apart, and each has a weight that tells it from the 6 before it.
        let mut given =
            self.given("distinct rows", self.keep(|r, g| CASES[(4 * r + g) % 11]), self.b());
        for (at, x) in given.a.iter_mut().enumerate() {
            if *x != 0.0 {
                *x = x.signum() * (1 + (at / self.shape[2]) % 7) as f64;
            }
        }
        given
    }

    fn half(&self, half: usize) -> Given {
        let mut given = self.cycle(&format!("half {half}"));
        let k = self.shape[2];
        for (at, x) in given.a.iter_mut().enumerate() {
            if usize::from(at % k >= k / 2) != half {
                *x = 0.0;
            }
        }
        given
    }

    fn index_key(&self, case: usize) -> Given {
        let name = format!("index key {}", case_word(case));
        self.given(name, self.keep(|_, g| CASES[(case + g / 4) % 11]), self.b())
    }

    /// Rows of `b` that read a position back: k + 1, or the binary digits of k along n where the dtype is too small.
    fn position_b(&self) -> Vec<f64> {
        let [_, n, k] = self.shape;
        let whole = match self.dtypes[1] {
            DType::F16 => 2048,
            DType::BF16 => 256,
            DType::F8E4M3 => 16,
            DType::F8E5M2 => 8,
            other => number::int_range(other).1,
        };
        let digits = k as i128 > whole;
        let one = |i: usize| match digits {
            true => ((i / n) >> (i % n).min(63) & 1) as f64,
            false => (i / n + 1) as f64,
        };
        (0..k * n).map(one).collect()
    }

    fn one_hot(&self) -> Vec<Given> {
        let [m, _, k] = self.shape;
        let each = |first: usize| {
            let hot = |i: usize| if i % k == first + i / k { 1.0 } else { 0.0 };
            self.given(format!("one hot {first}"), (0..m * k).map(hot).collect(), self.position_b())
        };
        (0..k).step_by(m.max(1)).map(each).collect()
    }

    fn one_hot_pair(&self) -> Vec<Given> {
        let k = self.shape[2];
        let second = match self.dtypes[0] {
            DType::I4 => -8.0,
            DType::U4 => 8.0,
            _ => 16.0,
        };
        let each = |case: usize| {
            let [first, last] = [CASES[case][0], CASES[case][1]];
            let one = |i: usize| match i % k % GROUP_ELEMS {
                _ if i % k / GROUP_ELEMS != i / k % groups(k) => 0.0,
                p if p == first => 1.0,
                p if p == last => second,
                _ => 0.0,
            };
            let a = (0..self.shape[0] * k).map(one).collect();
            self.given(format!("one hot pair {}", case_word(case)), a, self.position_b())
        };
        (0..6).map(each).collect()
    }

    /// The least and the greatest number of each dtype, in all four pairs.
    fn extremes(&self) -> Vec<Given> {
        let ends = |dtype: DType| match dtype.class() {
            Class::Float => [-8.0, 8.0],
            Class::Bool | Class::Signed | Class::Unsigned => {
                let (low, high) = number::int_range(dtype);
                [low as f64, high as f64]
            }
        };
        let ([_, n, k], mut all) = (self.shape, Vec::new());
        for x in ends(self.dtypes[0]) {
            for y in ends(self.dtypes[1]) {
                let a = self.keep(|r, g| CASES[(r + g) % 6]);
                let a = a.into_iter().map(|v| if v == 0.0 { 0.0 } else { x }).collect();
                all.push(self.given(format!("extremes {x} {y}"), a, vec![y; k * n]));
            }
        }
        all
    }

    /// A sum of K / 2 ones beside an end of 32 bits.
    fn clamp(&self, sign: f64) -> Given {
        let [m, n, k] = self.shape;
        let sign = if self.dtypes.iter().any(|&d| unsigned(d)) { 1.0 } else { sign };
        let a = self.keep(|r, g| CASES[(r + g) % 6]);
        let a = a.into_iter().map(|v| if v == 0.0 { 0.0 } else { 1.0 }).collect();
        let mut given = self.given(format!("clamp {sign}"), a, vec![sign; k * n]);
        let end = if sign > 0.0 { f64::from(i32::MAX) - 4.0 } else { f64::from(i32::MIN) + 4.0 };
        given.c = vec![end; m * n];
        given
    }

    fn accumulate(&self) -> Given {
        let [m, n, k] = self.shape;
        let mut given = Make { shape: [m, n, 2 * k], ..*self }.cycle("accumulate");
        given.c = (0..m * n).map(|i| ((7 * (i / n) + i % n) % 31) as f64 - 15.0).collect();
        given
    }

    fn zeros(&self) -> Vec<Given> {
        let [m, n, _] = self.shape;
        let (mut no_a, mut no_b) = (self.cycle("zero a"), self.cycle("zero b"));
        no_a.a.fill(0.0);
        no_b.b.fill(0.0);
        for given in [&mut no_a, &mut no_b] {
            given.c = (0..m * n).map(|i| (i % 97) as f64 - 48.0).collect();
        }
        vec![no_a, no_b]
    }

    fn minus_zero(&self) -> Given {
        let mut given = self.cycle("minus zero");
        given.a.iter_mut().filter(|x| **x == 0.0).for_each(|x| *x = -0.0);
        given
    }

    fn nan(&self, column: usize) -> Given {
        // The group has no other survivor: each position is tried alone.
        let mut given = self.cycle(&format!("nan {column}"));
        let row = column % self.shape[0].max(1);
        let group = row * self.shape[2] + column / GROUP_ELEMS * GROUP_ELEMS;
        let end = (group + GROUP_ELEMS).min((row + 1) * self.shape[2]);
        given.a[group..end].fill(0.0);
        given.a[row * self.shape[2] + column] = f64::NAN;
        given
    }

    fn poison(&self, case: usize) -> Given {
        let mut given = self.uniform(case);
        let nibble = pointed(case);
        let n = self.shape[1];
        for (at, x) in given.b.iter_mut().enumerate() {
            let p = at / n % GROUP_ELEMS;
            if p != usize::from(nibble & 3) && p != usize::from(nibble >> 2) {
                *x = f64::NAN;
            }
        }
        given.name = format!("poison {}", case_word(case));
        given.outcome = Outcome::Literal;
        given
    }

    fn invalid(&self) -> Vec<Given> {
        let [m, _, k] = self.shape;
        let (last, mut all) = (k / GROUP_ELEMS, Vec::new());
        for (row, group) in
            [(0, 0), (m / 2, last / 2), (m.saturating_sub(1), last.saturating_sub(1))]
        {
            for nonzeros in [3, 4] {
                if m == 0 || last == 0 {
                    continue;
                }
                let mut given = self.cycle(&format!("invalid {nonzeros} in {row} {group}"));
                let first = row * k + GROUP_ELEMS * group;
                let skipped = if nonzeros == 3 { (row + group) % GROUP_ELEMS } else { GROUP_ELEMS };
                for p in 0..GROUP_ELEMS {
                    given.a[first + p] = if p == skipped { 0.0 } else { 1.0 + p as f64 };
                }
                given.outcome = Outcome::Refused { row, group, nonzeros, count: 1 };
                all.push(given);
            }
        }
        all
    }

    /// Every size of m, n and k at least twice, not every triple.
    fn odd_sizes(&self) -> Vec<Given> {
        const MN: [usize; 5] = [1, 15, 16, 17, 33];
        const K: [usize; 12] = [4, 28, 32, 36, 60, 64, 68, 100, 132, 1, 30, 33];
        let each = |i: usize| {
            let (m, n, k) = (MN[i % 5], MN[(2 * i + i / 5) % 5], K[i % 12]);
            let make = Make { shape: [m, n, k], ..*self };
            make.cycle(&format!("odd {m} {n} {k}"))
        };
        (0..24).map(each).collect()
    }

    fn fixed_places(&self) -> Given {
        self.given("fixed places", self.keep(|_, _| CASES[1]), self.b())
    }

    fn whole_bytes(&self) -> Given {
        self.given("whole bytes", self.keep(|r, g| CASES[5 * ((r + g) % 2)]), self.b())
    }

    /// Chunks of 8 nibbles of which two bytes are kept whole, a byte, none; then what is legal here or there alone.
    fn pairs(&self) -> Vec<Given> {
        const BYTES: [&[usize]; 11] =
            [&[0, 1], &[0, 2], &[0, 3], &[1, 2], &[1, 3], &[2, 3], &[0], &[1], &[2], &[3], &[]];
        let k = self.shape[2];
        if self.shape[0] == 0 || k < 8 || !k.is_multiple_of(8) {
            return Vec::new();
        }
        let mut all: Vec<Given> = BYTES
            .iter()
            .map(|bytes| {
                let mut given = self.cycle(&format!("pairs {bytes:?}"));
                for (at, x) in given.a.iter_mut().enumerate() {
                    let kept = bytes.contains(&(at % k % 8 / 2));
                    *x = if kept { self.value(at / k, at % k / 4, at % 4) } else { 0.0 };
                }
                let full = |group: usize| bytes.iter().filter(|&&b| b / 2 == group).count() == 2;
                if let Some(group) = (0..2).find(|&g| full(g)) {
                    let count = (self.shape[0] * k / 8) as u64;
                    given.outcome = Outcome::Refused { row: 0, group, nonzeros: 4, count };
                }
                given
            })
            .collect();
        let here = self.keep(|_, g| if g % 2 == 0 { CASES[1] } else { CASES[0] });
        all.push(self.given("pairs three bytes", here, self.b()));
        all
    }
}

fn unsigned(dtype: DType) -> bool {
    matches!(dtype.class(), Class::Unsigned)
}

/// The kept positions as a word: `02`, `none`.
fn case_word(case: usize) -> String {
    match CASES[case] {
        [] => "none".into(),
        kept => kept.iter().map(|p| p.to_string()).collect(),
    }
}

/// The positions that the canonical code of a case points to, from the format's table.
fn pointed(case: usize) -> u8 {
    const POINTED: [u8; 11] = [0x4, 0x8, 0xc, 0x9, 0xd, 0xe, 0xc, 0xd, 0xe, 0xe, 0xe];
    debug_assert!(NIBBLES.contains(&POINTED[case]));
    POINTED[case]
}
