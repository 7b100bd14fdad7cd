//! Names that a text may use: the author's where they are free.

use super::dialect::{Dialect, prelude};
use std::{collections::HashSet, sync::LazyLock};

/// Words of the languages and of the preludes that an author may have used for something else.
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

/// The functions that a prelude defines: a parameter of such a name would hide one.
fn functions(prelude: &'static str) -> impl Iterator<Item = &'static str> {
    prelude.lines().filter_map(|line| {
        let (head, _) = line.trim_start().strip_prefix("FN ")?.split_once('(')?;
        head.rsplit([' ', '*', '&']).next()
    })
}

/// What no author's name may be.
static WORDS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let functions = Dialect::ALL.iter().flat_map(|&dialect| functions(prelude(dialect)));
    RESERVED.iter().copied().chain(functions).collect()
});

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
            if !WORDS.contains(&*free) && self.taken.insert(free.clone()) {
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
    fn what_a_prelude_defines_is_taken() {
        for &dialect in &Dialect::ALL {
            let all: Vec<_> = functions(prelude(dialect)).collect();
            for name in ["chosen", "pick", "bits_of", "div_u32", "atomic_add", "stored"] {
                assert!(all.contains(&name), "{dialect:?} has no {name}");
            }
            for name in all {
                assert_ne!(Names::new().free(name), name);
            }
        }
    }

    #[test]
    fn names_are_free_and_are_words_of_c() {
        let mut names = Names::new();
        let mut seen = HashSet::new();
        for like in ["x", "x", "x_1", "float", "v12", "é", "_", "__a__b", "1st", "and", "u32", "x"]
        {
            let name = names.free(like);
            assert!(seen.insert(name.clone()), "{name} twice");
            assert!(!RESERVED.contains(&&*name), "{name} is reserved");
            assert!(name.starts_with(|c: char| c.is_ascii_alphabetic()), "{name}");
            assert!(!name.contains("__"), "{name}");
            assert!(name != "v12");
        }
    }
}
