//! What the inputs of a case hold, and how that lies in memory.
//!
//! Invariants
//! - A pattern gives the same numbers on every machine.
//! - Numbers are rounded to the dtype before anyone sees them: reference and device get the same.
//! - Memory that no element of a view names holds a poison that shows when it is read.

use crate::{entry::TensorDesc, number};
use evenweave_lang::{
    dtype::{Class, DType},
    launch::Layout,
};

/// What the elements of an input are, in logical order.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// `start + i * step`; integers wrap.
    Ramp {
        /// The first element.
        start: f64,
        /// The distance of neighbours.
        step: f64,
    },
    /// Normally distributed; integers are rounded.
    Normal {
        /// Of the generator.
        seed: u64,
        /// Mean.
        mean: f64,
        /// Standard deviation.
        sd: f64,
    },
    /// Uniform in `low..high`; integers in `low..=high`.
    Uniform {
        /// Of the generator.
        seed: u64,
        /// Least value.
        low: f64,
        /// Upper end.
        high: f64,
    },
    /// Bits without any structure: every number of the dtype may come, NaN and infinities too.
    Bits {
        /// Of the generator.
        seed: u64,
    },
    /// Small whole numbers such that neighbours along rows, columns and tiles differ, and sums and
    /// products of a few stay exact: `hash(i)` in `-8..=8` without 0, or `1..=15` for unsigned ones.
    Positions,
    /// The numbers where arithmetic goes wrong (`specials`), one after another. Of several inputs with
    /// `of` the same and `index` 0, 1, ... every combination comes, in `specials(dtype).len().pow(of)`
    /// elements.
    Specials {
        /// Which input this is.
        index: u32,
        /// How many inputs are combined.
        of: u32,
    },
    /// 0 but for `peak` in the middle of each row of `row_elems`.
    Peaked {
        /// Elements of a row.
        row_elems: u32,
        /// The value of the peak.
        peak: f64,
    },
    /// The same number everywhere.
    Constant(f64),
    /// These numbers, over and over.
    Cycle(Vec<f64>),
    /// These integers, over and over.
    CycleInt(Vec<i128>),
    /// Every code of the dtype in order, over and over. For dtypes of at most 16 bits.
    Codes,
    /// Each of `0..elems` once.
    Permutation {
        /// Of the generator.
        seed: u64,
    },
    /// Any of `0..below`, with repetitions.
    Indices {
        /// Of the generator.
        seed: u64,
        /// First index that does not come.
        below: u32,
    },
    /// Another pattern, with some elements replaced: index and value.
    With(Box<Pattern>, Vec<(usize, f64)>),
}

impl Pattern {
    /// Standard normal.
    pub fn normal(seed: u64) -> Pattern {
        Pattern::Normal { seed, mean: 0.0, sd: 1.0 }
    }

    /// Uniform in a range.
    pub fn uniform(seed: u64, low: f64, high: f64) -> Pattern {
        Pattern::Uniform { seed, low, high }
    }

    /// `start + i * step`.
    pub fn ramp(start: f64, step: f64) -> Pattern {
        Pattern::Ramp { start, step }
    }

    /// The specials of one input.
    pub fn specials() -> Pattern {
        Pattern::Specials { index: 0, of: 1 }
    }

    /// The specials of input `index` of `of`, in every combination.
    pub fn specials_of(index: u32, of: u32) -> Pattern {
        Pattern::Specials { index, of }
    }

    /// The same with some elements replaced.
    pub fn with(self, replaced: &[(usize, f64)]) -> Pattern {
        Pattern::With(Box::new(self), replaced.to_vec())
    }

    /// The bits of `elems` elements.
    pub fn bits(&self, dtype: DType, elems: usize) -> Vec<u64> {
        let float = |x: f64| match dtype.class() {
            Class::Signed | Class::Unsigned if x.is_finite() => {
                number::encode_int(dtype, libm::rint(x) as i128)
            }
            Class::Bool | Class::Signed | Class::Unsigned | Class::Float => {
                number::encode(dtype, x)
            }
        };
        let each = |f: &mut dyn FnMut(usize) -> u64| (0..elems).map(f).collect();
        match self {
            Pattern::Ramp { start, step } => each(&mut |i| float(start + i as f64 * step)),
            Pattern::Normal { seed, mean, sd } => {
                let mut random = Random::new(*seed);
                each(&mut |_| float(mean + sd * random.normal()))
            }
            Pattern::Uniform { seed, low, high } => {
                let mut random = Random::new(*seed);
                let whole = !dtype.is_float();
                let span = high - low + if whole { 1.0 } else { 0.0 };
                each(&mut |_| {
                    let x = low + span * random.unit();
                    float(if whole { x.floor() } else { x })
                })
            }
            Pattern::Bits { seed } => {
                let mut random = Random::new(*seed);
                each(&mut |_| match dtype.class() {
                    Class::Bool => random.next() & 1,
                    Class::Signed | Class::Unsigned | Class::Float => {
                        random.next() >> (64 - dtype.bits())
                    }
                })
            }
            Pattern::Positions => each(&mut |i| float(position_code(dtype, i))),
            Pattern::Specials { index, of } => {
                let all = specials(dtype);
                let stride = all.len().pow(of - 1 - index);
                each(&mut |i| all[i / stride % all.len()])
            }
            Pattern::Peaked { row_elems, peak } => {
                let row = (*row_elems).max(1) as usize;
                each(&mut |i| float(if i % row == row / 2 { *peak } else { 0.0 }))
            }
            Pattern::Constant(x) => each(&mut |_| float(*x)),
            Pattern::Cycle(all) => each(&mut |i| float(all[i % all.len()])),
            Pattern::CycleInt(all) => each(&mut |i| match dtype.is_float() {
                true => float(all[i % all.len()] as f64),
                false => number::encode_int(dtype, all[i % all.len()]),
            }),
            Pattern::Codes => match dtype.class() {
                Class::Bool => each(&mut |i| i as u64 & 1),
                Class::Signed | Class::Unsigned | Class::Float => {
                    each(&mut |i| i as u64 & (u64::MAX >> (64 - dtype.bits())))
                }
            },
            Pattern::Permutation { seed } => permutation(*seed, elems)
                .into_iter()
                .map(|i| number::encode_int(dtype, i as i128))
                .collect(),
            Pattern::Indices { seed, below } => {
                let mut random = Random::new(*seed);
                each(&mut |_| number::encode_int(dtype, i128::from(random.below(*below))))
            }
            Pattern::With(base, replaced) => {
                let mut bits = base.bits(dtype, elems);
                for &(at, x) in replaced {
                    if let Some(slot) = bits.get_mut(at) {
                        *slot = float(x);
                    }
                }
                bits
            }
        }
    }

    /// The bytes of a tensor's buffer: the pattern where the view has elements, poison elsewhere. Where
    /// elements of a view share memory, the last one's number stands.
    pub fn memory(&self, desc: &TensorDesc) -> Vec<u8> {
        let buffer_elems = desc.layout.span_elems().unwrap_or(u64::MAX);
        let bytes = desc.dtype.bytes_for(buffer_elems).unwrap_or(u64::MAX);
        let bytes = usize::try_from(bytes).expect("a case fits in memory");
        if let Pattern::Cycle(all) = self
            && all.len() < desc.elems() as usize
            && desc.dtype.bits() >= 8
            && desc.layout == Layout::contiguous(&desc.layout.shape)
        {
            // Its first round over and over: a large bench has hundreds of millions of elements.
            let round = self.memory(&TensorDesc::new(desc.dtype, &[all.len() as u32]));
            let mut memory = round.repeat(bytes.div_ceil(round.len()));
            memory.truncate(bytes);
            return memory;
        }
        let mut memory = vec![0; bytes];
        for index in 0..buffer_elems as usize {
            number::set_element(desc.dtype, &mut memory, index, poison(desc.dtype));
        }
        let bits = self.bits(desc.dtype, desc.elems() as usize);
        for (place, bits) in places(desc).zip(bits) {
            number::set_element(desc.dtype, &mut memory, place, bits);
        }
        memory
    }
}

/// The element of the buffer that each logical element is, in logical order.
pub fn places(desc: &TensorDesc) -> impl Iterator<Item = usize> + '_ {
    let layout = &desc.layout;
    (0..desc.elems()).map(move |mut at| {
        let mut place = layout.offset;
        for (&extent, &stride) in layout.shape.iter().zip(&layout.strides).rev() {
            place += at % u64::from(extent) * stride;
            at /= u64::from(extent);
        }
        place as usize
    })
}

/// Bits that no kernel makes by chance and that spread: a NaN with a payload, a large odd integer.
pub fn poison(dtype: DType) -> u64 {
    match dtype {
        DType::F32 => 0x7fa5_a5a5,
        DType::F64 => 0x7ff5_a5a5_a5a5_a5a5,
        DType::F16 => 0x7da5,
        DType::BF16 => 0x7fa5,
        DType::F8E4M3 => 0xff,
        DType::F8E5M2 => 0x7d,
        DType::F8E8M0 => 0xff,
        DType::F4E2M1 | DType::U4 | DType::I4 => 0xd,
        DType::Bool => 1,
        DType::I8 | DType::U8 => 0xa5,
        DType::I16 | DType::U16 => 0xa5a5,
        DType::I32 | DType::U32 => 0xa5a5_a5a5,
        DType::I64 | DType::U64 => 0xa5a5_a5a5_a5a5_a5a5,
    }
}

/// The numbers of a dtype where arithmetic goes wrong, as bits.
pub fn specials(dtype: DType) -> Vec<u64> {
    match dtype.class() {
        Class::Bool => vec![0, 1],
        Class::Signed | Class::Unsigned => special_ints(dtype),
        Class::Float if dtype.bits() <= 8 => (0..1u64 << dtype.bits()).collect(),
        Class::Float => special_floats(dtype),
    }
}

fn special_ints(dtype: DType) -> Vec<u64> {
    let (low, high) = number::int_range(dtype);
    let half = 1i128 << (dtype.bits() / 2);
    #[rustfmt::skip]
    let all = [
        0, 1, 2, 3, 5, 7, 31, 32, 33, -1, -2, -3, -7, -31, -32, half - 1, half, half + 1, -half,
        (1 << 24) - 1, (1 << 24) + 1, low, low + 1, low + 2, high, high - 1, high / 2, high / 3,
    ];
    let mut bits = Vec::new();
    for x in all.into_iter().filter(|x| (low..=high).contains(x)) {
        let code = number::encode_int(dtype, x);
        if !bits.contains(&code) {
            bits.push(code);
        }
    }
    bits
}

fn special_floats(dtype: DType) -> Vec<u64> {
    let (mantissa_bits, min_normal) = match number::float_format(dtype) {
        Some(f) => (f.mantissa_bits as i32, 2f64.powi(1 - f.bias)),
        None => (52, f64::MIN_POSITIVE),
    };
    let max = number::max_finite(dtype);
    let eps = number::ulp(dtype, 1.0);
    // The last two numbers with a fraction, both half way between whole ones.
    let halves = 2f64.powi(mantissa_bits - 1);
    #[rustfmt::skip]
    let positive = [
        0.0, number::ulp(dtype, 0.0), min_normal - number::ulp(dtype, 0.0), min_normal, max, max / 2.0,
        f64::INFINITY, 1.0, 1.0 + eps, 1.0 - eps / 2.0, 0.5, 1.5, 2.0, 2.5, 3.0, halves - 0.5, halves + 0.5,
        2.0 * halves + 1.0, 0.1, std::f64::consts::PI, 88.72, 1e-3, 1e-5, max.sqrt(), min_normal.sqrt(),
    ];
    let mut bits = vec![number::encode(dtype, f64::NAN)];
    for x in positive {
        for x in [x, -x] {
            let code = number::encode(dtype, x);
            if !bits.contains(&code) {
                bits.push(code);
            }
        }
    }
    bits
}

fn position_code(dtype: DType, index: usize) -> f64 {
    let hash = mix(index as u64 ^ 0x5eed);
    match dtype.class() {
        Class::Bool => (hash & 1) as f64,
        Class::Unsigned => (1 + hash % 15) as f64,
        Class::Signed if dtype.bits() == 4 => (hash % 15) as f64 - 7.0,
        Class::Signed | Class::Float => {
            let magnitude = (1 + (hash >> 1) % 8) as f64;
            if hash & 1 == 0 { magnitude } else { -magnitude }
        }
    }
}

fn permutation(seed: u64, elems: usize) -> Vec<usize> {
    let mut random = Random::new(seed);
    let mut all: Vec<usize> = (0..elems).collect();
    for i in (1..elems).rev() {
        all.swap(i, random.below(i as u32 + 1) as usize);
    }
    all
}

/// Numbers without structure, the same everywhere: a counter through a mixing function.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// A sequence of its own for each seed.
    pub fn new(seed: u64) -> Random {
        Random { state: mix(seed ^ 0x0123_4567_89ab_cdef) }
    }

    /// The next 64 bits.
    #[allow(clippy::should_implement_trait, reason = "it never ends, so it is no iterator")]
    pub fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.state)
    }

    /// Uniform in `0.0..1.0`, 53 bits.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 * 2f64.powi(-53)
    }

    /// Uniform in `0..below`; 0 where that is empty.
    pub fn below(&mut self, below: u32) -> u32 {
        ((u128::from(self.next()) * u128::from(below)) >> 64) as u32
    }

    /// Standard normal.
    pub fn normal(&mut self) -> f64 {
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - self.unit()));
        radius * libm::cos(std::f64::consts::TAU * self.unit())
    }
}

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_poisoned_and_views_share() {
        let gaps = TensorDesc::strided(DType::F32, &[2, 2], &[4, 1], 1);
        let memory = Pattern::ramp(1.0, 1.0).memory(&gaps);
        let all: Vec<f32> = (0..memory.len() / 4)
            .map(|i| f32::from_bits(number::element(DType::F32, &memory, i) as u32))
            .collect();
        assert!(all[0].is_nan() && all[3].is_nan() && all[4].is_nan());
        assert_eq!([all[1], all[2], all[5], all[6]], [1.0, 2.0, 3.0, 4.0]);
        let repeated = TensorDesc::strided(DType::F32, &[3, 2], &[0, 1], 0);
        assert_eq!(Pattern::ramp(1.0, 1.0).memory(&repeated).len(), 8);
    }

    #[test]
    fn a_cycle_fills_a_tensor_element_by_element() {
        let cycle = Pattern::Cycle(vec![1.0, -2.0, 3.0]);
        for dtype in [DType::F32, DType::F16, DType::I8, DType::I4] {
            let memory = cycle.memory(&TensorDesc::new(dtype, &[2, 4]));
            let got = (0..8).map(|i| number::decode(dtype, number::element(dtype, &memory, i)));
            assert!(got.eq([1.0, -2.0, 3.0, 1.0, -2.0, 3.0, 1.0, -2.0]), "{dtype}");
            assert_eq!(memory.len(), dtype.bits() as usize, "{dtype}");
        }
    }

    #[test]
    fn specials_hold_what_they_promise() {
        for dtype in [DType::F16, DType::BF16, DType::F32, DType::F64] {
            let all: Vec<f64> =
                specials(dtype).into_iter().map(|b| number::decode(dtype, b)).collect();
            assert!(all.iter().any(|x| x.is_nan()), "{dtype}");
            for want in [f64::INFINITY, f64::NEG_INFINITY, number::max_finite(dtype), 2.5] {
                assert!(all.contains(&want), "{dtype} lacks {want}");
            }
            assert!(all.iter().any(|x| x.to_bits() == (-0.0f64).to_bits()), "{dtype}");
        }
        let pairs = specials(DType::I8).len();
        let first = Pattern::specials_of(0, 2).bits(DType::I8, pairs * pairs);
        let second = Pattern::specials_of(1, 2).bits(DType::I8, pairs * pairs);
        let mut seen: Vec<_> = first.into_iter().zip(second).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), pairs * pairs);
    }

    #[test]
    fn a_permutation_has_each_index_once() {
        let mut all = Pattern::Permutation { seed: 3 }.bits(DType::U32, 100);
        assert_ne!(all, (0..100).collect::<Vec<_>>());
        all.sort_unstable();
        assert_eq!(all, (0..100).collect::<Vec<_>>());
    }
}
