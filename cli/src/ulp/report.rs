//! The report of a measurement: on the terminal, as JSON, as the table of `docs/numerics.md`.

use super::{
    functions::{Function, Inputs},
    golden,
    measure::{Outcome, Set},
};
use evenweave_lang::dtype::DType;
use serde_json::{Value, json};
use std::fmt::Write;

/// The largest error of a result in f16 or bf16: an f32 result and one more rounding.
const HALF_PROMISE: f64 = 1.0;

/// What was measured of a function.
pub(crate) struct Row {
    /// The function.
    pub(crate) function: &'static Function,
    /// Which inputs of f32.
    pub(crate) set: Set,
    /// The f32 form.
    pub(crate) outcome: Outcome,
    /// The 16-bit forms.
    pub(crate) halves: Vec<(DType, Outcome)>,
    /// Operations of the sequence.
    pub(crate) operations: usize,
}

impl Row {
    /// The hash that the repository keeps.
    pub(crate) fn expected(&self) -> Option<u64> {
        golden::hash(self.function.name, self.set)
    }

    /// What is wrong, in words.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let mut all = Vec::new();
        let promise = self.function.promise();
        let forms = std::iter::once((DType::F32, &self.outcome, promise));
        let halves = self.halves.iter().map(|(dtype, o)| (*dtype, o, HALF_PROMISE));
        for (dtype, o, promise) in forms.chain(halves) {
            if o.max_ulp > promise {
                let at = self.operands(dtype, o.at);
                all.push(format!("{dtype}: {:.4} ULP at {at}, promised {promise}", o.max_ulp));
            }
            if o.faults > 0 {
                let at = self.operands(dtype, o.fault_at);
                all.push(format!("{dtype}: {} wrong special values, one at {at}", o.faults));
            }
        }
        match self.expected() {
            Some(hash) if hash == self.outcome.hash => {}
            Some(hash) => {
                all.push(format!("hash {:016x}, expected {hash:016x}", self.outcome.hash));
            }
            None => all.push(format!("hash {:016x} is not in docs/golden.txt", self.outcome.hash)),
        }
        all
    }

    /// Operands by their bits.
    fn operands(&self, dtype: DType, bits: [u32; 3]) -> String {
        let digits = if dtype == DType::F32 { 8 } else { 4 };
        let count = self.function.operands();
        let words: Vec<_> = bits[..count].iter().map(|b| format!("{b:0digits$x}")).collect();
        words.join(" ")
    }

    fn half(&self, dtype: DType) -> String {
        let found = self.halves.iter().find(|(d, _)| *d == dtype);
        found.map_or("-".into(), |(_, o)| format!("{:.3}", o.max_ulp))
    }

    fn cells(&self) -> [String; 9] {
        let o = &self.outcome;
        [
            self.function.name.into(),
            inputs(self.function.inputs, self.set, o.inputs),
            format!("{:.4}", o.max_ulp),
            self.operands(DType::F32, o.at),
            format!("{:.2}%", 100.0 * o.not_rounded_share()),
            self.half(DType::F16),
            self.half(DType::BF16),
            self.operations.to_string(),
            format!("{:016x}", o.hash),
        ]
    }

    /// As JSON.
    pub(crate) fn json(&self) -> Value {
        let form = |dtype: DType, o: &Outcome| {
            json!({
                "dtype": dtype.name(), "inputs": o.inputs, "max_ulp": o.max_ulp,
                "at": self.operands(dtype, o.at), "not_correctly_rounded": o.not_rounded_share(),
                "special_faults": o.faults,
            })
        };
        let halves = self.halves.iter().map(|(dtype, o)| form(*dtype, o));
        let forms: Vec<_> =
            std::iter::once(form(DType::F32, &self.outcome)).chain(halves).collect();
        json!({
            "function": self.function.name,
            "exhaustive": self.set == Set::All,
            "promise_ulp": self.function.promise(),
            "operations": self.operations,
            "forms": forms,
            "hash": format!("{:016x}", self.outcome.hash),
            "expected_hash": self.expected().map(|h| format!("{h:016x}")),
            "complaints": self.complaints(),
        })
    }
}

fn inputs(inputs: Inputs, set: Set, count: u64) -> String {
    let what = match (inputs, set) {
        (Inputs::Bits(count), Set::All) if count < 1 << 32 => " (x >= 0)",
        (Inputs::Bits(_), Set::All) => "",
        (Inputs::Bits(_), Set::Sample) => " sampled",
        (Inputs::Hashed(_), _) => " hashed",
    };
    match count.is_power_of_two() {
        true => format!("2^{}{what}", count.trailing_zeros()),
        false => format!("{count}{what}"),
    }
}

const HEAD: [&str; 9] =
    ["function", "inputs", "max ULP", "at", "not CR", "f16 ULP", "bf16 ULP", "ops", "hash"];
const WIDTHS: [usize; 9] = [15, 15, 8, 17, 7, 8, 8, 4, 16];

/// The head of the terminal's table.
pub(crate) fn head() -> String {
    line(HEAD.map(String::from))
}

/// A row of the terminal's table.
pub(crate) fn text(row: &Row) -> String {
    line(row.cells())
}

fn line(cells: [String; 9]) -> String {
    let mut line = String::new();
    for (i, (cell, width)) in cells.iter().zip(WIDTHS).enumerate() {
        let left = matches!(i, 0 | 1 | 3 | 8);
        let _ =
            if left { write!(line, "{cell:<width$} ") } else { write!(line, "{cell:>width$} ") };
    }
    line.truncate(line.trim_end().len());
    line
}

/// The rows as a table in Markdown.
pub(crate) fn markdown(rows: &[Row]) -> String {
    let join = |cells: [String; 9]| format!("| {} |\n", cells.join(" | "));
    let mut text = join(HEAD.map(String::from));
    text.push_str(&join(HEAD.map(|_| "---".into())));
    for row in rows {
        text.push_str(&join(row.cells()));
    }
    text
}

/// The rows' hashes in the form of `docs/golden.txt`.
pub(crate) fn hashes(rows: &[Row]) -> String {
    let set = |set| match set {
        Set::Sample => "sample",
        Set::All => "all",
    };
    let line = |r: &Row| format!("{} {} {:016x}\n", r.function.name, set(r.set), r.outcome.hash);
    rows.iter().map(line).collect()
}
