//! A compiled kernel as text, for people: `s` is a word of the scalar file, `n` a slot of 32-bit lanes, `w` one of
//! 64-bit lanes.
#![deny(clippy::wildcard_enum_match_arm)]

use super::program::{Compiled, Inst, Node, Slot};
use std::fmt::{self, Write};

impl fmt::Debug for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Slot::Scalar(i) => write!(f, "s{i}"),
            Slot::Narrow(i) => write!(f, "n{i}"),
            Slot::Wide(i) => write!(f, "w{i}"),
        }
    }
}

/// The program, a line an instruction, with the author's places.
pub(super) fn listing(program: &Compiled) -> String {
    let Compiled { scalars, narrow, wide, kernel, .. } = program;
    let mut text = format!(
        "program {}: {scalars} scalars, {narrow} narrow slots, {wide} wide slots\n",
        kernel.name
    );
    text.push_str("launch:\n");
    insts(&mut text, program, &program.once, 1);
    text.push_str("group:\n");
    nodes(&mut text, program, &program.body, 1);
    text
}

fn line(text: &mut String, depth: usize, what: fmt::Arguments<'_>) {
    writeln!(text, "{:width$}{what}", "", width = 2 * depth).expect("a String takes all");
}

fn insts(text: &mut String, program: &Compiled, all: &[Inst], depth: usize) {
    let kernel = &program.kernel;
    for Inst { at, code } in all {
        line(text, depth, format_args!("{code:?}  @{}", kernel.locate(kernel[*at].loc)));
    }
}

fn nodes(text: &mut String, program: &Compiled, all: &[Node], depth: usize) {
    for node in all {
        match node {
            Node::Run(run) => insts(text, program, run, depth),
            Node::If { cond, then, other } => {
                line(text, depth, format_args!("if {cond:?}"));
                nodes(text, program, then, depth + 1);
                if !other.is_empty() {
                    line(text, depth, format_args!("else"));
                    nodes(text, program, other, depth + 1);
                }
            }
            Node::For { exit, dtype, index, range: [start, end, step], body, .. } => {
                let range = format_args!("{start:?} to {end:?} step {step:?}");
                line(text, depth, format_args!("for #{exit} {index:?}: {dtype} = {range}"));
                nodes(text, program, body, depth + 1);
            }
            Node::Loop { exit, body, .. } => {
                line(text, depth, format_args!("loop #{exit}"));
                nodes(text, program, body, depth + 1);
            }
            Node::Scope { exit, body } => {
                line(text, depth, format_args!("scope #{exit}"));
                nodes(text, program, body, depth + 1);
            }
            Node::Break(exit) => line(text, depth, format_args!("break #{exit}")),
            Node::Continue(exit) => line(text, depth, format_args!("continue #{exit}")),
            Node::Return => line(text, depth, format_args!("return")),
        }
    }
}
