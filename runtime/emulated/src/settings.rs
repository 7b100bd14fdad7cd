//! How the machines of the streams run: what the environment variable `EVENWEAVE_EMULATED` says, as AMD's own driver takes
//! settings from its environment.
//!
//! Invariants
//! - A word that is not known is an error of `hipInit`: nothing runs otherwise than was asked for.

use crate::stream::MEMORY_BYTES;
use evenweave_gfx12::Options;

/// The variable's name.
const NAME: &str = "EVENWEAVE_EMULATED";

/// What the environment asks for.
pub(crate) fn options() -> Result<Options, String> {
    parse(&std::env::var(NAME).unwrap_or_default())
}

/// Words between commas: `order=SEED`, `perturb=SEED`, `instructions=COUNT`.
fn parse(words: &str) -> Result<Options, String> {
    let mut options = Options { memory_bytes: MEMORY_BYTES, ..Options::default() };
    for word in words.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        let known = word.split_once('=').and_then(|(key, value)| Some((key, value.parse().ok()?)));
        match known {
            Some(("order", seed)) => options.wave_order = Some(seed),
            Some(("perturb", seed)) => options.perturb = Some(seed),
            Some(("instructions", count)) => options.budget = count,
            Some(_) | None => {
                return Err(format!(
                    "{NAME}: `{word}` is none of order=SEED, perturb=SEED, instructions=COUNT"
                ));
            }
        }
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_set_what_they_name() {
        let options = parse("order=7, perturb=3,instructions=1000").unwrap();
        assert_eq!((options.wave_order, options.perturb, options.budget), (Some(7), Some(3), 1000));
        assert_eq!(parse("").unwrap().wave_order, None);
        for bad in ["order", "order=x", "seed=1", "order=1;perturb=2"] {
            assert!(parse(bad).unwrap_err().contains(bad), "{bad}");
        }
    }
}
