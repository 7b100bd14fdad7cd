//! 2:4 sparsity on the host: prune, check, compress, decompress and the product, in plain loops.
//!
//! A row's columns are cut into groups of 4, of which at most 2 elements are not zero. A group is stored as two values
//! and a nibble with their positions, `first | second << 2`; the nibbles of 16 columns are a `u16` word, the lowest group
//! in the lowest bits. `docs/sparse24.md` is the whole format.
//!
//! Invariants
//! - Positions ascend, so a nibble is one of `NIBBLES`. A slot without a survivor holds zero.
//! - One matrix has one image: short groups are coded as `canonical` says, nibbles past the last group are `EMPTY`.
//! - Zero is a value: -0.0 is zero and comes back as +0.0; NaN is none and takes a slot.
//! - Columns that a last, short group lacks are zero; they come back from no function here.
//!
//! Absent: a choice of what to keep where more than two elements are nonzero. That is `prune`, and nothing else does it.

use crate::number;
use evenweave_lang::dtype::{Class, DType};

/// Columns of a group.
pub const GROUP_ELEMS: usize = 4;
/// Stored values of a group.
pub const KEPT_ELEMS: usize = 2;
/// Columns that one word of the index describes.
pub const WORD_ELEMS: usize = 16;
/// The positions of a group without survivors, 2 and 3.
pub const EMPTY: u8 = 0xe;
/// The legal nibbles: positions 01, 02, 12, 03, 13, 23.
pub const NIBBLES: [u8; 6] = [0x4, 0x8, 0x9, 0xc, 0xd, 0xe];
/// The dtypes that a sparse matrix may have.
pub const DTYPES: [DType; 8] = [
    DType::F16,
    DType::BF16,
    DType::F32,
    DType::I8,
    DType::F8E4M3,
    DType::F8E5M2,
    DType::I4,
    DType::U4,
];

/// Groups of a row of `columns`.
pub const fn groups(columns: usize) -> usize {
    columns.div_ceil(GROUP_ELEMS)
}

/// Stored values of a row of `columns`.
pub const fn value_elems(columns: usize) -> usize {
    groups(columns) * KEPT_ELEMS
}

/// Words of the index of a row of `columns`.
pub const fn index_words(columns: usize) -> usize {
    columns.div_ceil(WORD_ELEMS)
}

/// What an element of a matrix must tell: integers and floats as values (`i128`, `f64`), or the bits of a dtype (`Coded`).
pub trait Cell: Copy {
    /// Zero of its kind.
    fn zero(self) -> Self;
    /// Whether its value is zero; -0.0 is.
    fn is_zero(self) -> bool;
    /// Whether it is NaN.
    fn is_nan(self) -> bool;
    /// A number that orders magnitudes.
    fn magnitude(self) -> u128;
    /// The value, for people.
    fn value(self) -> f64;
}

impl Cell for f64 {
    fn zero(self) -> f64 {
        0.0
    }
    fn is_zero(self) -> bool {
        self == 0.0
    }
    fn is_nan(self) -> bool {
        self.is_nan()
    }
    fn magnitude(self) -> u128 {
        self.abs().to_bits().into()
    }
    fn value(self) -> f64 {
        self
    }
}

impl Cell for i128 {
    fn zero(self) -> i128 {
        0
    }
    fn is_zero(self) -> bool {
        self == 0
    }
    fn is_nan(self) -> bool {
        false
    }
    fn magnitude(self) -> u128 {
        self.unsigned_abs()
    }
    fn value(self) -> f64 {
        self as f64
    }
}

/// The bits of an element with their dtype. Bits of a survivor are kept as they are, a NaN's payload too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coded {
    /// The dtype, one of `DTYPES`.
    pub dtype: DType,
    /// The bits, zero-extended.
    pub bits: u64,
}

impl Cell for Coded {
    fn zero(self) -> Coded {
        Coded { dtype: self.dtype, bits: 0 }
    }
    fn is_zero(self) -> bool {
        self.magnitude() == 0
    }
    fn is_nan(self) -> bool {
        self.dtype.is_float() && self.value().is_nan()
    }
    fn magnitude(self) -> u128 {
        match self.dtype.class() {
            // Without its sign, a float's bits are in the order of its magnitude.
            Class::Float => (self.bits & !(1 << (self.dtype.bits() - 1))).into(),
            Class::Bool | Class::Signed | Class::Unsigned => {
                number::decode_int(self.dtype, self.bits).magnitude()
            }
        }
    }
    fn value(self) -> f64 {
        number::decode(self.dtype, self.bits)
    }
}

/// The elements of packed bytes.
pub fn cells(dtype: DType, bytes: &[u8], elems: usize) -> Vec<Coded> {
    (0..elems).map(|i| Coded { dtype, bits: number::element(dtype, bytes, i) }).collect()
}

/// Elements packed end to end, the low nibble first.
pub fn bytes(dtype: DType, cells: &[Coded]) -> Vec<u8> {
    let size = dtype.bytes_for(cells.len() as u64).expect("they lie in memory");
    let mut bytes = vec![0; size as usize];
    for (i, cell) in cells.iter().enumerate() {
        number::set_element(dtype, &mut bytes, i, cell.bits);
    }
    bytes
}

/// A group with more than two nonzero elements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Violation {
    /// Its row.
    pub row: usize,
    /// Its place in the row, in groups.
    pub group: usize,
    /// How many elements are not zero.
    pub nonzeros: usize,
    /// The elements; zero where the row ends before the group.
    pub values: [f64; 4],
}

/// What `check` finds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Violations {
    /// How many groups have more than two nonzero elements.
    pub count: u64,
    /// The first of them, in the order of rows and groups.
    pub first: Vec<Violation>,
}

/// How many violations `check` keeps.
pub const FIRST: usize = 8;

/// Why there is no result. Rows and columns count from 0.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are what the messages name")]
pub enum Refusal {
    #[error("{got} has no 2:4 form (f16, bf16, f32, i8, f8e4m3, f8e5m2, i4 and u4 have)")]
    DType { got: DType },
    #[error("{rows} x {columns} takes {want} {what}, but there are {got}")]
    Length { what: &'static str, rows: usize, columns: usize, want: usize, got: usize },
    #[error(
        "row {}, columns {} to {}: {} nonzeros ({}), but a group has at most 2{}",
        first.row, first.group * 4, first.group * 4 + 3, first.nonzeros, listed(&first.values), more(*count)
    )]
    TooMany { first: Violation, count: u64 },
    #[error("row {row}, column {column}: NaN has no magnitude to prune by")]
    Nan { row: usize, column: usize },
    #[error("row {row}, columns {} to {}: the mask keeps {kept}, but a group has at most 2", group * 4, group * 4 + 3)]
    Mask { row: usize, group: usize, kept: usize },
    #[error(
        "row {row}, columns {} to {}: the index is {nibble:#x}, but it must be 4, 8, 9, c, d or e",
        group * 4, group * 4 + 3
    )]
    Nibble { row: usize, group: usize, nibble: u8 },
    #[error(
        "row {row}, columns {} to {}: the values {} with the index {nibble:#x} must be {} with {want:#x}",
        group * 4, group * 4 + 3, listed(values), listed(want_values)
    )]
    NotCanonical {
        row: usize,
        group: usize,
        values: [f64; 2],
        nibble: u8,
        want_values: [f64; 2],
        want: u8,
    },
    #[error("row {row}, past its last column: the index is {nibble:#x}, but it must be e")]
    Padding { row: usize, nibble: u8 },
    #[error("row {row}, column {column}: {value} lies past the last of {columns} columns")]
    Beyond { row: usize, column: usize, columns: usize, value: f64 },
}

impl Refusal {
    /// The same, `rows` further down.
    pub fn below(mut self, rows: usize) -> Refusal {
        match &mut self {
            Refusal::TooMany { first, .. } => first.row += rows,
            Refusal::Nan { row, .. }
            | Refusal::Mask { row, .. }
            | Refusal::Nibble { row, .. }
            | Refusal::NotCanonical { row, .. }
            | Refusal::Padding { row, .. }
            | Refusal::Beyond { row, .. } => *row += rows,
            Refusal::DType { .. } | Refusal::Length { .. } => {}
        }
        self
    }
}

fn listed(values: &[f64]) -> String {
    values.iter().map(f64::to_string).collect::<Vec<_>>().join(", ")
}

fn more(count: u64) -> String {
    match count {
        0 | 1 => String::new(),
        2 => "; 1 more group has too many".into(),
        _ => format!("; {} more groups have too many", count - 1),
    }
}

/// A compressed matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct Image<C> {
    /// Rows.
    pub rows: usize,
    /// Columns of the matrix that it stands for.
    pub columns: usize,
    /// `[rows][value_elems(columns)]`.
    pub values: Vec<C>,
    /// `[rows][index_words(columns)]`.
    pub index: Vec<u16>,
}

/// Two values and their nibble, as the one encoding of a group says; how many elements are nonzero where they are more
/// than two.
///
/// Two survivors are stored as they stand. One at 0 or 1 is the first value, with position 3 beside it; one at 2 or 3
/// keeps its place of positions 2 and 3, as none does.
pub fn encode_group<C: Cell>(group: [C; 4]) -> Result<([C; 2], u8), usize> {
    let zero = group[0].zero();
    let kept: Vec<usize> = (0..GROUP_ELEMS).filter(|&p| !group[p].is_zero()).collect();
    let (values, [first, second]) = match kept[..] {
        [] => ([zero, zero], [2, 3]),
        [3] => ([zero, group[3]], [2, 3]),
        [p] => ([group[p], zero], [p, 3]),
        [p, q] => ([group[p], group[q]], [p, q]),
        _ => return Err(kept.len()),
    };
    Ok((values, (first | second << 2) as u8))
}

/// The group of two values and a legal nibble. -0.0 becomes +0.0.
pub fn decode_group<C: Cell>(values: [C; 2], nibble: u8) -> [C; 4] {
    let mut group = [values[0].zero(); 4];
    for (slot, value) in values.into_iter().enumerate() {
        if !value.is_zero() {
            group[usize::from(nibble >> (2 * slot) & 3)] = value;
        }
    }
    group
}

/// The two elements of the largest magnitude, of equal ones the lower position; the rest is +0.0. There must be no NaN.
pub fn prune_group<C: Cell>(group: [C; 4]) -> [C; 4] {
    let mut order = [0, 1, 2, 3];
    // The sort keeps the order of equals.
    order.sort_by_key(|&p| std::cmp::Reverse(group[p].magnitude()));
    keep(group, |p| order[..KEPT_ELEMS].contains(&p))
}

fn keep<C: Cell>(group: [C; 4], kept: impl Fn(usize) -> bool) -> [C; 4] {
    let mut out = [group[0].zero(); 4];
    for p in 0..GROUP_ELEMS {
        if kept(p) && !group[p].is_zero() {
            out[p] = group[p];
        }
    }
    out
}

/// The nibble of a group in the index of its row.
pub fn nibble_of(row_index: &[u16], group: usize) -> u8 {
    (row_index[group / 4] >> (4 * (group % 4)) & 0xf) as u8
}

/// Group `group` of a row; zero where the row ends before it.
fn group_of<C: Cell>(row: &[C], group: usize) -> [C; 4] {
    let first = GROUP_ELEMS * group;
    std::array::from_fn(|p| row.get(first + p).copied().unwrap_or(row[first].zero()))
}

/// Every row with its number.
fn rows_of<C>(matrix: &[C], columns: usize) -> impl Iterator<Item = (usize, &[C])> {
    matrix.chunks(columns.max(1)).enumerate()
}

fn expect(
    what: &'static str,
    [rows, columns]: [usize; 2],
    row_elems: usize,
    got: usize,
) -> Result<(), Refusal> {
    match rows.saturating_mul(row_elems) {
        want if want == got => Ok(()),
        want => Err(Refusal::Length { what, rows, columns, want, got }),
    }
}

/// Every group keeps its two elements of the largest magnitude, of equal ones the lower position. NaN is refused.
pub fn prune<C: Cell>(matrix: &[C], shape: [usize; 2]) -> Result<Vec<C>, Refusal> {
    expect("elements", shape, shape[1], matrix.len())?;
    refuse_nan(matrix, shape[1])?;
    let mut out = Vec::with_capacity(matrix.len());
    for (_, row) in rows_of(matrix, shape[1]) {
        for g in 0..groups(row.len()) {
            let kept = prune_group(group_of(row, g));
            out.extend_from_slice(&kept[..GROUP_ELEMS.min(row.len() - GROUP_ELEMS * g)]);
        }
    }
    Ok(out)
}

/// Every group keeps the elements that a mask names, at most two. NaN is refused, kept or not.
pub fn prune_by_mask<C: Cell>(
    matrix: &[C],
    mask: &[bool],
    shape: [usize; 2],
) -> Result<Vec<C>, Refusal> {
    expect("elements", shape, shape[1], matrix.len())?;
    expect("elements of the mask", shape, shape[1], mask.len())?;
    for (row, named) in rows_of(mask, shape[1]) {
        for (group, four) in named.chunks(GROUP_ELEMS).enumerate() {
            let kept = four.iter().filter(|&&m| m).count();
            if kept > KEPT_ELEMS {
                return Err(Refusal::Mask { row, group, kept });
            }
        }
    }
    refuse_nan(matrix, shape[1])?;
    let one = |(x, &kept): (&C, &bool)| if kept && !x.is_zero() { *x } else { x.zero() };
    Ok(matrix.iter().zip(mask).map(one).collect())
}

fn refuse_nan<C: Cell>(matrix: &[C], columns: usize) -> Result<(), Refusal> {
    match matrix.iter().position(|x| x.is_nan()) {
        Some(at) => Err(Refusal::Nan { row: at / columns, column: at % columns }),
        None => Ok(()),
    }
}

/// The groups with more than two nonzero elements: their number and the first `FIRST`.
pub fn check<C: Cell>(matrix: &[C], shape: [usize; 2]) -> Result<Violations, Refusal> {
    expect("elements", shape, shape[1], matrix.len())?;
    let mut found = Violations::default();
    for (row, elements) in rows_of(matrix, shape[1]) {
        for group in 0..groups(elements.len()) {
            let four = group_of(elements, group);
            let nonzeros = four.iter().filter(|x| !x.is_zero()).count();
            if nonzeros > KEPT_ELEMS {
                found.count += 1;
                if found.first.len() < FIRST {
                    let values = four.map(Cell::value);
                    found.first.push(Violation { row, group, nonzeros, values });
                }
            }
        }
    }
    Ok(found)
}

/// The image of a matrix that `check` finds nothing in.
pub fn compress<C: Cell>(matrix: &[C], shape: [usize; 2]) -> Result<Image<C>, Refusal> {
    let found = check(matrix, shape)?;
    if let Some(&first) = found.first.first() {
        return Err(Refusal::TooMany { first, count: found.count });
    }
    let [rows, columns] = shape;
    let mut values = Vec::with_capacity(rows * value_elems(columns));
    let mut index = Vec::with_capacity(rows * index_words(columns));
    for (_, row) in rows_of(matrix, columns) {
        let mut words = vec![0xeeee_u16; index_words(columns)];
        for g in 0..groups(columns) {
            let coded = encode_group(group_of(row, g));
            let (two, nibble) = coded.expect("every group was checked");
            values.extend(two);
            let shift = 4 * (g % 4);
            words[g / 4] = words[g / 4] & !(0xf << shift) | u16::from(nibble) << shift;
        }
        index.extend(words);
    }
    Ok(Image { rows, columns, values, index })
}

/// The matrix of an image, whose nibbles must be legal.
pub fn decompress<C: Cell>(image: &Image<C>) -> Result<Vec<C>, Refusal> {
    let mut matrix = Vec::with_capacity(image.rows * image.columns);
    each_group(image, |row, group, two, nibble| {
        let four = decode_group(two, nibble);
        let there = GROUP_ELEMS.min(image.columns - GROUP_ELEMS * group);
        if let Some(p) = (there..GROUP_ELEMS).find(|&p| !four[p].is_zero()) {
            let (column, value) = (GROUP_ELEMS * group + p, four[p].value());
            return Err(Refusal::Beyond { row, column, columns: image.columns, value });
        }
        matrix.extend_from_slice(&four[..there]);
        Ok(())
    })?;
    Ok(matrix)
}

/// Refuses an image that is not the one of its matrix: an illegal nibble, another coding of a short group, a -0.0,
/// a nibble past the last column that is not `EMPTY`.
pub fn expect_canonical<C: Cell + PartialEq>(image: &Image<C>) -> Result<(), Refusal> {
    decompress(image)?;
    each_group(image, |row, group, two, nibble| {
        let (want_two, want) = encode_group(decode_group(two, nibble)).expect("two at most");
        if want == nibble && (0..2).all(|i| same(two[i], want_two[i])) {
            return Ok(());
        }
        let (values, want_values) = (two.map(Cell::value), want_two.map(Cell::value));
        Err(Refusal::NotCanonical { row, group, values, nibble, want_values, want })
    })?;
    let words = index_words(image.columns);
    for (row, index) in rows_of(&image.index, words) {
        let past = groups(image.columns)..4 * words;
        if let Some(nibble) = past.map(|g| nibble_of(index, g)).find(|&n| n != EMPTY) {
            return Err(Refusal::Padding { row, nibble });
        }
    }
    Ok(())
}

/// Whether two survivors are one: a NaN is itself, and -0.0 is not +0.0.
fn same<C: Cell + PartialEq>(a: C, b: C) -> bool {
    (a == b || (a.is_nan() && b.is_nan()))
        && a.value().is_sign_negative() == b.value().is_sign_negative()
}

fn each_group<C: Cell>(
    image: &Image<C>,
    mut f: impl FnMut(usize, usize, [C; 2], u8) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let shape = [image.rows, image.columns];
    let (row_values, words) = (value_elems(image.columns), index_words(image.columns));
    expect("values", shape, row_values, image.values.len())?;
    expect("words of the index", shape, words, image.index.len())?;
    for (row, index) in rows_of(&image.index, words) {
        for group in 0..groups(image.columns) {
            let at = row * row_values + KEPT_ELEMS * group;
            let nibble = nibble_of(index, group);
            if !NIBBLES.contains(&nibble) {
                return Err(Refusal::Nibble { row, group, nibble });
            }
            f(row, group, [image.values[at], image.values[at + 1]], nibble)?;
        }
    }
    Ok(())
}

/// `c + a b` of integers, `a` `[m][k]` and `b` `[k][n]`; `c` `[m][n]`, or empty for zero.
pub fn product_int(a: &[i128], b: &[i128], c: &[i128], [m, n, k]: [usize; 3]) -> Vec<i128> {
    let mut out = vec![0; m * n];
    for i in 0..m {
        for j in 0..n {
            let sum: i128 = (0..k).map(|p| a[i * k + p] * b[p * n + j]).sum();
            out[i * n + j] = sum + c.get(i * n + j).copied().unwrap_or(0);
        }
    }
    out
}

/// `c + a b` in f64, and the sums of the terms' magnitudes.
pub fn product_float(
    a: &[f64],
    b: &[f64],
    c: &[f64],
    [m, n, k]: [usize; 3],
) -> (Vec<f64>, Vec<f64>) {
    let (mut out, mut magnitude) = (vec![0.0; m * n], vec![0.0; m * n]);
    for i in 0..m {
        for j in 0..n {
            let at = i * n + j;
            for p in 0..k {
                let term = a[i * k + p] * b[p * n + j];
                out[at] += term;
                magnitude[at] += term.abs();
            }
            let c = c.get(at).copied().unwrap_or(0.0);
            out[at] += c;
            magnitude[at] += c.abs();
        }
    }
    (out, magnitude)
}

/// `c + a b` in f64 where `a` is an image, taken literally: every stored value meets the element of `b` that its position
/// names, a zero too, and no other element of `b` is met. It differs from the dense product where `b` is not finite.
/// A position past the last row of `b` meets zero.
pub fn product_of_image(
    a: &Image<f64>,
    b: &[f64],
    c: &[f64],
    n: usize,
) -> Result<Vec<f64>, Refusal> {
    let mut out = vec![0.0; a.rows * n];
    each_group(a, |row, group, two, nibble| {
        for j in 0..n {
            for (slot, value) in two.into_iter().enumerate() {
                let k = GROUP_ELEMS * group + usize::from(nibble >> (2 * slot) & 3);
                out[row * n + j] += value * b.get(k * n + j).copied().unwrap_or(0.0);
            }
        }
        Ok(())
    })?;
    for (out, c) in out.iter_mut().zip(c) {
        *out += c;
    }
    Ok(out)
}

#[cfg(test)]
#[path = "host_tests.rs"]
mod tests;
