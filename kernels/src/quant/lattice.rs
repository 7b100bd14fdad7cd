//! Weights in groups of eight, each a point of a lattice with signs (GGUF's IQ2_XXS): from codes to weights.
//!
//! A block of 256 weights is 66 bytes: an f16 `d`, then for each 32 weights four bytes, the points of four groups, and a `u32`: four
//! times seven signs from the lowest bit up, and in the top four bits s. The eighth sign of a group is what makes the number of its
//! minus signs even. A weight is `d (s + 1/2) / 4 * point * sign`, computed in f32 from left to right.
//!
//! The points are an input, `grid` [256, 8]. The format's own 256 are a list that was found by search and follows from no rule; it is
//! published inside one program, so that whoever reads such files brings it along.

use crate::prelude::*;

/// Weights of a block, and its bytes.
const ELEMS: u32 = 256;
const BYTES: u32 = 66;

/// The operation.
pub const ENTRY: Entry = Entry::new("dequantize_lattice", "quant", plan, reference, cases)
    .summary("w[r,i] = d (s + 1/2) / 4 * grid[code of i's group, i % 8] * sign")
    .inputs(&[
        InputSpec::new("codes", &[DType::U8], "[rows, k / 256 * 66], blocks of IQ2_XXS"),
        InputSpec::new("grid", &[DType::U8], "[256, 8]: magnitudes of the points"),
    ])
    .outputs(&[OutputSpec::new("w", "[rows, k]")])
    .settings(&[SettingSpec::required_int("k", "weights of a row, a multiple of 256")])
    .words(&[WordSpec::new("dtype", &["f32", "f16", "bf16"], "of w")]);

/// Definition: a thread a group of eight.
#[kernel(group = 128, grid = (blocks * (ELEMS / 8)).div_ceil(128))]
pub fn dequantize_lattice<T: Real>(
    #[len(blocks * BYTES)] codes: &In<u8>,
    #[len(256 * 8)] grid: &In<u8>,
    #[len(blocks * ELEMS)] w: &mut Out<T>,
    blocks: u32,
) {
    let group = global_id();
    if group < blocks * (ELEMS / 8) {
        let block = (group / 32) as u64 * BYTES as u64;
        let byte = |place: Val<u32>| codes[block + place as u64] as u32;
        let d = from_bits::<f16>((byte(val(0)) | (byte(val(1)) << 8)) as u16) as f32;
        // Four points and four bytes of signs for each 32 weights.
        let (part, own) = (group % 32 / 4 * 8 + 2, group % 4);
        let word = (0..4).map(|i| byte(part + (4 + i)) << (8 * i)).fold(val(0u32), |a, b| a | b);
        let scale = d * ((word >> 28) as f32 + 0.5) * 0.25;
        let seven = (word >> (own * 7)) & 127;
        let signs = seven | ((count_ones(seven) & 1) << 7);
        let point = byte(part + own) * 8;
        let first = group as u64 * 8;
        for j in 0..8 {
            let size = scale * (grid[point + j] as f32);
            w[first + j as u64] = select((signs >> j) & 1 == 1, -size, size) as T;
        }
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let [rows, _] = call.shape("codes")?;
    let k = call.int_in("k", 0..=i64::from(u32::MAX))?;
    call.expect(k.is_multiple_of(ELEMS), "`k`", format_args!("a multiple of {ELEMS}"), k)?;
    call.expect_shape("codes", &[rows, k / ELEMS * BYTES])?;
    call.expect_shape("grid", &[256, 8])?;
    call.product("w", &[rows, k])?;
    let mut plan = Plan::new();
    let dtype = call.dtype_word("dtype");
    let w = plan.output("w", dtype, &[rows, k]);
    let kernel = with_real!(call, dtype, T => dequantize_lattice::<T>())?;
    let blocks = rows * (k / ELEMS);
    plan.step(kernel, [call.buffer("codes"), call.buffer("grid"), w.buffer(), blocks.into()]);
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let (codes, grid) = (known.int("codes"), known.int("grid"));
    let mut w = Vec::new();
    for block in codes.chunks(BYTES as usize) {
        let d = number::decode(DType::F16, (block[0] + 256 * block[1]) as u64);
        for i in 0..256 {
            let part = &block[2 + i / 32 * 8..][..8];
            let word: i128 = (0..4).map(|j| part[4 + j] << (8 * j)).sum();
            let group = i / 8 % 4;
            let minus = |j: usize| (word >> (7 * group + j) & 1) == 1;
            let negative = match i % 8 {
                7 => (0..7).filter(|&j| minus(j)).count() % 2 == 1,
                j => minus(j),
            };
            let size = grid[part[group] as usize * 8 + i % 8] as f64;
            let value = d * ((word >> 28) as f64 + 0.5) * 0.25 * size;
            w.push(if negative { -value } else { value });
        }
    }
    vec![Expected::float("w", w)]
}

/// `d` has 11 bits, `s + 1/2` five and a point eight: a product of 24 bits is exact in f32.
fn cases(_: &Entry) -> Vec<Case> {
    let grid = || {
        Pattern::CycleInt((0..2048).map(|i| [8, 25, 43][i * 7 / 5 % 3] + i as i128 % 2).collect())
    };
    let case = |name: &str, dtype: DType, rows: u32, k: u32| {
        // An exponent that keeps the f16 of each block a number.
        let codes = (0..BYTES as usize * 4).map(|i| match i % BYTES as usize {
            1 => 0x2c + (i as i128 % 7),
            _ => (i as i128 * 151 + 17) % 256,
        });
        Case::new(name, dtype)
            .input_as(
                "codes",
                DType::U8,
                &[rows, k / 256 * BYTES],
                Pattern::CycleInt(codes.collect()),
            )
            .input_as("grid", DType::U8, &[256, 8], grid())
            .set("k", k)
            .word("dtype", dtype.name())
    };
    let mut all: Vec<Case> = REALS.iter().map(|&dtype| case("rows", dtype, 3, 512)).collect();
    let any = Pattern::Codes;
    let one = case("every byte", DType::F32, 1, 256);
    all.push(one.input_as("codes", DType::U8, &[1, BYTES], any));
    let nan = case("nan and inf", DType::F32, 1, 512);
    let mut codes: Vec<i128> = (0..132).map(|i| i * 37 % 256).collect();
    codes[..2].copy_from_slice(&[0x01, 0x7e]);
    codes[66..68].copy_from_slice(&[0, 0xfc]);
    all.push(nan.input_as("codes", DType::U8, &[1, 132], Pattern::CycleInt(codes)));
    all.push(case("empty", DType::F32, 0, 256).empty());
    all.push(case("no columns", DType::F32, 2, 0).empty());
    all
}
