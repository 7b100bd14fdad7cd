use super::*;

/// The survivors' positions and how they are stored: value slots as positions (`None` is zero) and the nibble.
type Row = (&'static [usize], [Option<usize>; 2], u8);

/// Every legal group, from the format's table.
const TABLE: [Row; 11] = [
    (&[], [None, None], 0xe),
    (&[0], [Some(0), None], 0xc),
    (&[1], [Some(1), None], 0xd),
    (&[2], [Some(2), None], 0xe),
    (&[3], [None, Some(3)], 0xe),
    (&[0, 1], [Some(0), Some(1)], 0x4),
    (&[0, 2], [Some(0), Some(2)], 0x8),
    (&[0, 3], [Some(0), Some(3)], 0xc),
    (&[1, 2], [Some(1), Some(2)], 0x9),
    (&[1, 3], [Some(1), Some(3)], 0xd),
    (&[2, 3], [Some(2), Some(3)], 0xe),
];

#[test]
fn every_legal_group_has_its_one_code_and_comes_back() {
    for (kept, slots, nibble) in TABLE {
        let group: [i128; 4] =
            std::array::from_fn(|p| if kept.contains(&p) { 10 + p as i128 } else { 0 });
        let values = slots.map(|s| s.map_or(0, |p| 10 + p as i128));
        assert_eq!(encode_group(group), Ok((values, nibble)), "{kept:?}");
        assert_eq!(decode_group(values, nibble), group, "{kept:?}");
    }
    for mask in 0..16u32 {
        let group: [i128; 4] = std::array::from_fn(|p| i128::from(mask >> p & 1));
        let ones = mask.count_ones() as usize;
        assert_eq!(encode_group(group).err(), (ones > 2).then_some(ones), "{mask:#b}");
    }
}

#[test]
fn the_larger_magnitudes_stay_and_of_equals_the_lower_position() {
    assert_eq!(prune_group([1i128, -4, 3, 2]), [0, -4, 3, 0]);
    assert_eq!(prune_group([2i128, -2, 2, -2]), [2, -2, 0, 0]);
    assert_eq!(prune_group([1i128, -2, 2, 2]), [0, -2, 2, 0]);
    assert_eq!(prune_group([1.0, f64::NEG_INFINITY, 3.0, 2.0]), [0.0, f64::NEG_INFINITY, 3.0, 0.0]);
    // -8 is the largest of a nibble, whose negative is none.
    let codes = [6u64, 8, 9, 1].map(|bits| Coded { dtype: DType::I4, bits });
    assert_eq!(prune_group(codes).map(|c| c.bits), [0, 8, 9, 0]);
}

#[test]
fn minus_zero_is_zero_and_nan_is_a_survivor() {
    let group = [-0.0, 5.0, -0.0, f64::NAN];
    let (values, nibble) = encode_group(group).unwrap();
    assert_eq!((values[0], values[1].is_nan(), nibble), (5.0, true, 0xd));
    let kept = prune(&[-0.0f64, 5.0, -0.0, 0.0], [1, 4]).unwrap();
    assert!(kept.iter().all(|x| x.is_sign_positive()));
    let refused = prune(&[1.0, 2.0, 3.0, 4.0, 5.0, f64::NAN], [2, 3]);
    assert_eq!(refused, Err(Refusal::Nan { row: 1, column: 2 }));
}

#[test]
fn a_row_may_end_within_a_group() {
    let matrix = [0i128, 0, 0, 1, 0, 7, /* next row */ 2, 3, 0, 0, 0, 0];
    let image = compress(&matrix, [2, 6]).unwrap();
    assert_eq!(image.values, [0, 1, 7, 0, 2, 3, 0, 0]);
    assert_eq!(image.index, [0xeede, 0xeee4]);
    assert_eq!(decompress(&image).unwrap(), matrix);
    let beyond = Image { values: vec![0, 1, 7, 5, 2, 3, 0, 0], ..image };
    let refused = Refusal::Beyond { row: 0, column: 7, columns: 6, value: 5.0 };
    assert_eq!(decompress(&beyond), Err(refused));
}

#[test]
fn what_has_no_image_is_refused_with_its_place() {
    let matrix = [1i128, 0, 2, 0, 1, 2, 3, 0, 0, 0, 0, 9, 4, 3, 2, 1];
    let refused = compress(&matrix, [2, 8]).unwrap_err();
    let text = "row 0, columns 4 to 7: 3 nonzeros (1, 2, 3, 0), but a group has at most 2; \
                1 more group has too many";
    assert_eq!(refused.to_string(), text);
    let found = check(&matrix, [2, 8]).unwrap();
    let places: Vec<_> = found.first.iter().map(|v| (v.row, v.group, v.nonzeros)).collect();
    assert_eq!((found.count, places), (2, vec![(0, 1, 3), (1, 1, 4)]));
    let short = compress(&matrix, [2, 9]).unwrap_err();
    assert_eq!(short.to_string(), "2 x 9 takes 18 elements, but there are 16");
}

#[test]
fn only_the_one_image_is_canonical() {
    let image = compress(&[0i128, 0, 0, 4], [1, 4]).unwrap();
    assert_eq!(expect_canonical(&image), Ok(()));
    let with = |values: [i128; 2], index: u16| {
        expect_canonical(&Image { values: values.into(), index: vec![index], ..image.clone() })
    };
    let other = Refusal::NotCanonical {
        row: 0,
        group: 0,
        values: [0.0, 4.0],
        nibble: 0xc,
        want_values: [0.0, 4.0],
        want: 0xe,
    };
    assert_eq!(with([0, 4], 0xeeec), Err(other));
    assert_eq!(with([0, 4], 0xeee6), Err(Refusal::Nibble { row: 0, group: 0, nibble: 6 }));
    assert_eq!(with([0, 4], 0x4eee), Err(Refusal::Padding { row: 0, nibble: 4 }));
    let minus = Image { rows: 1, columns: 4, values: vec![-0.0, 1.0], index: vec![0xeeee] };
    assert!(matches!(expect_canonical(&minus), Err(Refusal::NotCanonical { .. })));
}

#[test]
fn a_mask_chooses() {
    let mask = [false, true, true, false, true, false];
    assert_eq!(prune_by_mask(&[9i128, 1, 0, 8, 5, 7], &mask, [1, 6]), Ok(vec![0, 1, 0, 0, 5, 0]));
    let refused = prune_by_mask(&[1i128; 4], &[true, true, false, true], [1, 4]);
    assert_eq!(refused, Err(Refusal::Mask { row: 0, group: 0, kept: 3 }));
}

#[test]
fn the_image_gives_the_dense_product_and_meets_only_what_it_names() {
    let a = [0.0, 2.0, 0.0, 3.0];
    let b = [f64::NAN, 5.0, f64::NAN, 7.0];
    let image = compress(&a, [1, 4]).unwrap();
    assert_eq!(product_of_image(&image, &b, &[1.0], 1), Ok(vec![32.0]));
    assert!(product_float(&a, &b, &[], [1, 1, 4]).0[0].is_nan());
    assert_eq!(product_int(&[1, 2, 3, 4], &[5, 6, 7, 8], &[1, 0, 0, 0], [2, 2, 2])[..2], [20, 22]);
    assert_eq!(product_int(&[1, 2, 3, 4], &[5, 6, 7, 8], &[], [2, 2, 2])[2..], [43, 50]);
}
