//! Hard inputs for SWMMAC in every form, with each sign, clamp and index key: steps of K in a row, zeros of both signs, NaN in
//! one place, and NaN where no index leads.

use crate::matrix::{
    Accumulator, Case, Element, cases, check, filled, product, run, run_coded, sparse, telling,
    telling_b,
};

/// A NaN of the format; integers have none.
fn nan(element: Element) -> Option<u32> {
    match element {
        Element::F16 => Some(0x7e00),
        Element::Bf16 => Some(0x7fc0),
        Element::Fp8 => Some(0x7f),
        Element::Bf8 => Some(0x7e),
        Element::Int { .. } => None,
    }
}

fn is_nan(case: &Case, code: u32) -> bool {
    match case.form.accumulator {
        Accumulator::F32 => f32::from_bits(code).is_nan(),
        Accumulator::F16 => code & 0x7fff > 0x7c00,
        Accumulator::Bf16 => code & 0x7fff > 0x7f80,
        Accumulator::I32 => false,
    }
}

#[test]
fn two_steps_are_the_product_of_twice_the_depth() {
    for case in &cases(true) {
        let form = &case.form;
        let (value, b) = (telling(form), telling_b(form));
        let first = sparse(form.k, |r, g| r + g, &value);
        let second = sparse(form.k, |r, g| 2 * r + g + 3, &value);
        let start = filled(16, 16, |i, j| ((3 * i + j) % 5) as i64 - 2);
        let between = product(&first, &b, &start);
        check(case, &first, &b, &start, "the first step");
        check(case, &second, &b, &between, "the second step");
        // Beside each other, in plain arithmetic.
        let beside =
            filled(
                16,
                2 * form.k,
                |i, k| {
                    if k < form.k { first[i][k] } else { second[i][k - form.k] }
                },
            );
        let below = filled(2 * form.k, 16, |k, j| b[k % form.k][j]);
        assert_eq!(product(&beside, &below, &start), product(&second, &b, &between));
    }
}

#[test]
fn zeros_leave_the_sum_as_it_is() {
    for case in &cases(true) {
        let form = &case.form;
        let start = filled(16, 16, |i, j| ((7 * i + 5 * j) % 11) as i64 - 5);
        let (a, b) = (sparse(form.k, |r, g| r + g, telling(form)), telling_b(form));
        let nothing = |rows, columns| filled(rows, columns, |_, _| 0);
        check(case, &nothing(16, form.k), &b, &start, "A is zero");
        check(case, &a, &nothing(form.k, 16), &start, "B is zero");
    }
}

/// Zeros of A that are negative are as good as others.
#[test]
fn negative_zeros_are_zeros() {
    for case in &cases(true) {
        let form = &case.form;
        if nan(form.a).is_none() {
            continue;
        }
        let sign = 1 << (form.a.bits() - 1);
        let (a, b) = (sparse(form.k, |r, g| r + g, telling(form)), telling_b(form));
        let start = filled(16, 16, |i, j| ((7 * i + j) % 9) as i64 - 4);
        let plain = run(case, &a, &b, &start, None);
        let negative = |_, _, code| if code == 0 { sign } else { code };
        let other = run_coded(case, [&a, &b, &start], negative, |_, _, code| code, None);
        // A sum of nothing but zeros may have either sign.
        let value = |code: u32| if matches!(code, 0x8000 | 0x8000_0000) { 0 } else { code };
        for (row, (plain, other)) in plain.iter().zip(&other).enumerate() {
            let [plain, other] =
                [plain, other].map(|row| row.iter().map(|&c| value(c)).collect::<Vec<_>>());
            assert_eq!(plain, other, "{form:?}, key {}, row {row}", case.key);
        }
    }
}

/// One NaN in A, at each position of a row that is kept: that row is NaN and no other.
#[test]
fn a_nan_of_a_is_in_its_row_alone() {
    for case in &cases(true) {
        let form = &case.form;
        let Some(nan) = nan(form.a) else { continue };
        let (a, b) = (sparse(form.k, |r, g| r + g, telling(form)), telling_b(form));
        let start = filled(16, 16, |_, _| 0);
        for k in 0..form.k {
            let row = (5 * k + 3) % 16;
            if a[row][k] == 0 {
                continue;
            }
            let spoiled = |i, p, code| if (i, p) == (row, k) { nan } else { code };
            let got = run_coded(case, [&a, &b, &start], spoiled, |_, _, code| code, None);
            for (i, codes) in got.iter().enumerate() {
                for &code in codes {
                    assert_eq!(
                        is_nan(case, code),
                        i == row,
                        "{form:?}, NaN at [{row}][{k}], row {i}"
                    );
                }
            }
        }
    }
}

/// Rows of B that no index names are NaN: none reaches a result.
#[test]
fn what_no_index_names_is_not_read() {
    for case in &cases(true) {
        let form = &case.form;
        let Some(nan) = nan(form.b) else { continue };
        let b = telling_b(form);
        let start = filled(16, 16, |_, _| 0);
        // The six pairs: whatever of the four places they leave out.
        for (pair, kept) in [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]].into_iter().enumerate()
        {
            let a = sparse(form.k, |_, _| pair, telling(form));
            let spoiled = |k: usize, _, code| if kept.contains(&(k % 4)) { code } else { nan };
            let got = run_coded(case, [&a, &b, &start], |_, _, code| code, spoiled, None);
            assert_eq!(got, run(case, &a, &b, &start, None), "{form:?}, key {}", case.key);
            assert!(got.iter().flatten().all(|&code| !is_nan(case, code)), "{form:?}");
            // Where the index does name it, it does.
            let seen = |k: usize, _, code| if k % 4 == kept[0] { nan } else { code };
            let got = run_coded(case, [&a, &b, &start], |_, _, code| code, seen, None);
            assert!(got.iter().flatten().all(|&code| is_nan(case, code)), "{form:?}");
        }
    }
}
