//! The hashes that every device must meet, from `docs/golden.txt`.

use super::measure::Set;

const TEXT: &str = include_str!("../../../docs/golden.txt");

/// The hash of a function over the set, where the file has one.
pub(crate) fn hash(function: &str, set: Set) -> Option<u64> {
    let set = match set {
        Set::Sample => "sample",
        Set::All => "all",
    };
    rows()
        .find(|row| row[0] == function && row[1] == set)
        .map(|row| u64::from_str_radix(row[2], 16).expect("a hash is hexadecimal"))
}

fn rows() -> impl Iterator<Item = [&'static str; 3]> {
    let lines = TEXT.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.map(|line| {
        let words: Vec<_> = line.split_whitespace().collect();
        words.try_into().expect("a row is function, set, hash")
    })
}
