//! Names that a text may use: the author's where they are free.

use super::{Dialect, prelude};
use std::{collections::HashSet, sync::LazyLock};

/// Words of the languages, and types of the preludes, that an author may have used for something else.
#[rustfmt::skip]
const RESERVED: &[&str] = &[
    "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char", "class",
    "compl", "const", "constant", "constexpr", "const_cast", "continue", "decltype", "default", "delete", "device", "do",
    "double", "dynamic_cast", "else", "enum", "explicit", "export", "extern", "false", "float", "for", "fragment", "friend",
    "global", "goto", "group", "half", "if", "inline", "int", "kernel", "launch", "long", "main", "metal", "mutable",
    "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or", "or_eq", "precise", "private", "protected",
    "public", "register", "reinterpret_cast", "restrict", "return", "sampler", "shared", "short", "signed", "sizeof", "static",
    "static_assert", "static_cast", "struct", "switch", "template", "texture", "this", "thread", "thread_in_group",
    "threadgroup", "throw", "true", "try", "typedef", "typeid", "typename", "uint", "union", "unsigned", "using", "vertex",
    "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq",
    "u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "f32", "f64", "u32x2", "u32x4", "bits_of", "f32_of", "f64_of",
    "barrier", "shuffle", "shuffle_xor", "ballot", "lane", "subgroup", "blockIdx", "threadIdx", "blockDim", "gridDim", "warpSize",
    "fma", "sqrt", "exp", "log", "floor", "ceil", "trunc", "rint", "fabs", "min", "max", "abs", "clz", "ctz", "popcount",
];

/// What no author's name may hide: those words, and all that a prelude calls, defines or names as a macro, whatever the
/// dialect, so that texts differ by dialect alone.
static TAKEN: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let preludes = [Dialect::Cuda, Dialect::Hip, Dialect::Metal].map(prelude);
    let of_preludes = preludes.iter().flat_map(|text| called(text).chain(macros(text)));
    of_preludes.chain(RESERVED.iter().copied()).collect()
});

/// Words that a parenthesis follows.
fn called(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices('(').filter_map(|(at, _)| {
        let before = &text[..at];
        let word = before.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').len();
        Some(&before[word..]).filter(|word| !word.is_empty())
    })
}

fn macros(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| line.strip_prefix("#define ")?.split([' ', '(']).next())
}

/// The names of one function.
pub(super) struct Names {
    taken: HashSet<String>,
}

impl Names {
    pub(super) fn new() -> Names {
        Names { taken: HashSet::new() }
    }

    /// A name like this one that nothing else has. `v` and digits are for values, so no other is of that form.
    pub(super) fn free(&mut self, like: &str) -> String {
        let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let mut name: String = like.chars().map(letter).collect();
        let is_value = |name: &str| {
            name.strip_prefix('v').is_some_and(|n| n.chars().all(|c| c.is_ascii_digit()))
        };
        // Two underscores in a row, or one in front, are the compiler's.
        while name.contains("__") {
            name = name.replace("__", "_");
        }
        name = name.trim_start_matches('_').to_string();
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) || is_value(&name) {
            name.insert_str(0, "the_");
        }
        let name = name.trim_end_matches('_').to_string();
        let mut free = name.clone();
        for n in 1.. {
            if !TAKEN.contains(&*free) && self.taken.insert(free.clone()) {
                break;
            }
            free = format!("{name}_{n}");
        }
        free
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_free_and_are_words_of_c() {
        let mut names = Names::new();
        let mut seen = HashSet::new();
        for like in ["x", "x", "x_1", "float", "v12", "é", "_", "__a__b", "1st", "and", "u32", "x"]
        {
            let name = names.free(like);
            assert!(seen.insert(name.clone()), "{name} twice");
            assert!(!TAKEN.contains(&*name), "{name} is reserved");
            assert!(name.starts_with(|c: char| c.is_ascii_alphabetic()), "{name}");
            assert!(!name.contains("__"), "{name}");
            assert!(name != "v12");
        }
    }

    #[test]
    fn no_name_hides_a_function_of_a_prelude() {
        for word in ["pick", "hidden", "recip", "bits_of", "FN", "mul_high_u32", "fast_exp"] {
            assert!(TAKEN.contains(word), "{word}");
            assert_eq!(Names::new().free(word), format!("{word}_1"));
        }
    }
}
