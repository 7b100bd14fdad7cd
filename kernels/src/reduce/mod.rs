//! Reductions: sum, product, maximum and minimum of all elements, of rows, of columns and of runs; and where the
//! greatest and least element stands.

pub mod all;
pub mod arg;
pub mod columns;
mod reference;
pub mod rows;
pub mod segments;

use crate::entry::Entry;

/// The operations of this family.
pub static ENTRIES: &[Entry] =
    &[rows::ENTRY, columns::ENTRY, all::ENTRY, segments::ENTRY, arg::ENTRY];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    #[test]
    fn what_does_not_fit_is_refused() {
        let x = |shape: &[u32]| TensorDesc::new(DType::F32, shape);
        let refusal = |entry: &Entry, r: Request| entry.plan(&r).unwrap_err().to_string();
        assert_eq!(
            refusal(&arg::ENTRY, Request::new().input("x", x(&[3, 0]))),
            "arg_reduce: the last extent of `x` must be at least 1, but it is 0"
        );
        assert_eq!(
            refusal(&columns::ENTRY, Request::new().input("x", x(&[]))),
            "reduce_columns: the rank of `x` must be at least 1, but it is 0"
        );
        let offsets = TensorDesc::new(DType::U32, &[0]);
        assert_eq!(
            refusal(&segments::ENTRY, Request::new().input("x", x(&[3])).input("offsets", offsets)),
            "reduce_segments: the length of `offsets` must be at least 1, but it is 0"
        );
        assert_eq!(
            refusal(&rows::ENTRY, Request::new().input("x", x(&[3])).word("op", "mean")),
            "reduce_rows: `op` is `mean`, but it must be one of: sum, prod, max, min"
        );
    }

    #[test]
    fn the_words_name_the_folds() {
        use crate::pieces::fold::{FOLDS, Fold};
        let all = [Fold::Sum, Fold::Prod, Fold::Max, Fold::Min];
        assert_eq!(FOLDS, reference::WORDS);
        assert_eq!(FOLDS.iter().map(|w| Fold::named(w)).collect::<Vec<_>>(), all);
    }
}
