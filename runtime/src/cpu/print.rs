//! What `debug_print!` writes.

use evenweave_lang::{
    dtype::{Class, DType},
    eval::{self, number::Number},
};

/// A value in words, for `debug_print!`.
pub(crate) fn show(dtype: DType, bits: u64) -> String {
    match dtype.class() {
        Class::Bool => (bits != 0).to_string(),
        Class::Signed => {
            let unused = 64 - dtype.bits();
            (i64::from_word(bits << unused) >> unused).to_string()
        }
        Class::Unsigned => bits.to_string(),
        Class::Float => {
            let wide = eval::cast(dtype, DType::F64, bits).expect("values have value dtypes");
            if dtype == DType::F32 {
                f32::from_word(bits).to_string()
            } else {
                f64::from_word(wide).to_string()
            }
        }
    }
}

/// The text with each `{}` replaced.
pub(crate) fn fill(text: &str, mut words: impl Iterator<Item = String>) -> String {
    let mut parts = text.split("{}");
    let mut line = parts.next().unwrap_or("").to_string();
    for part in parts {
        line += &words.next().unwrap_or_else(|| "{}".into());
        line += part;
    }
    line
}
