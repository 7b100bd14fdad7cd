//! Registers and constants as text.

use crate::decode::operand::{FLOATS_16, FLOATS_32, FLOATS_64, FLOATS_BF16, literal_place};
use crate::inst::{Dst, EXEC, Inst, M0, NULL, Src, VCC};
use crate::ops::{Format, Kind};

pub(super) fn vgpr(first: u8, dwords: u8) -> String {
    if dwords <= 1 {
        return format!("v{first}");
    }
    format!("v[{first}:{}]", u16::from(first) + u16::from(dwords) - 1)
}

pub(super) fn sgpr(first: u8, dwords: u8) -> String {
    let (file, number) = match first {
        0..VCC => ("s", first),
        108..NULL => ("ttmp", first - 108),
        _ => return special(first, dwords).to_owned(),
    };
    if dwords <= 1 {
        return format!("{file}{number}");
    }
    format!("{file}[{number}:{}]", number + dwords - 1)
}

fn special(register: u8, dwords: u8) -> &'static str {
    match (register, dwords) {
        (VCC, 2) => "vcc",
        (VCC, _) => "vcc_lo",
        (107, _) => "vcc_hi",
        (NULL, _) => "null",
        (M0, _) => "m0",
        (EXEC, 2) => "exec",
        (EXEC, _) => "exec_lo",
        _ => "exec_hi",
    }
}

pub(super) fn dst(dst: Dst, kind: Kind) -> String {
    match dst {
        Dst::None => String::new(),
        Dst::Vgpr(first) => vgpr(first, kind.dwords()),
        Dst::Sgpr(first) => sgpr(first, kind.dwords()),
        Dst::Null => "null".to_owned(),
    }
}

/// The source of an instruction at this place.
pub(super) fn source(inst: &Inst, place: usize, kind: Kind) -> String {
    match inst.src[place] {
        // The literal that an operation always has is never printed as an inline constant.
        Src::Literal(value) if literal_place(inst.op) == Some(place) => format!("{value:#x}"),
        // LLVM knows no floats in comparisons of scalar f16.
        Src::Const(value) | Src::Literal(value)
            if inst.format == Format::Sopc && kind == Kind::F16 =>
        {
            small_integer(i64::from(value as i16)).unwrap_or_else(|| format!("{value:#x}"))
        }
        // Nor in literals of scalar operations on one f16: there it knows 32 bits.
        Src::Literal(value) if inst.format == Format::Sop1 && kind == Kind::F16 => {
            constant_32(value as u32)
        }
        Src::Literal(value) if kind == Kind::I64 => constant_64(value & 0xffff_ffff, kind),
        source => src(source, kind),
    }
}

pub(super) fn src(src: Src, kind: Kind) -> String {
    match src {
        Src::None => "off".to_owned(),
        Src::Vgpr(first) => vgpr(first, kind.dwords()),
        Src::Sgpr(first) => sgpr(first, kind.dwords()),
        Src::Null => "null".to_owned(),
        Src::Scc => "src_scc".to_owned(),
        Src::Aperture(number) => {
            let names =
                ["src_shared_base", "src_shared_limit", "src_private_base", "src_private_limit"];
            names[usize::from(number) - 235].to_owned()
        }
        Src::Const(value) | Src::Literal(value) => constant(value, kind),
    }
}

const NAMES: [&str; 9] = ["0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0", "0.15915494"];

/// A constant by its value: LLVM prints a literal that an inline constant could say like that constant.
fn constant(value: u64, kind: Kind) -> String {
    match kind {
        Kind::F64 | Kind::I64 | Kind::U64 => constant_64(value, kind),
        Kind::I16 => {
            let bits = value as u16;
            small_integer(i64::from(bits as i16)).unwrap_or_else(|| format!("{bits:#x}"))
        }
        Kind::F16 | Kind::Bf16 | Kind::PkF16x4 | Kind::PkBf16x4 => {
            let bits = value as u16;
            small_integer(i64::from(bits as i16))
                .or_else(|| half_name(bits, kind))
                .unwrap_or_else(|| format!("{bits:#x}"))
        }
        Kind::PkF16 | Kind::PkBf16 => {
            let bits = value as u32;
            let half = u16::try_from(bits).ok();
            small_integer(i64::from(bits as i32))
                .or_else(|| half.and_then(|bits| half_name(bits, kind)))
                .unwrap_or_else(|| format!("{bits:#x}"))
        }
        Kind::None
        | Kind::I32
        | Kind::F32
        | Kind::PkI16
        | Kind::Mix
        | Kind::Mask
        | Kind::Addr
        | Kind::B96
        | Kind::B128
        | Kind::B256
        | Kind::B512
        | Kind::F32x8
        | Kind::I32x8 => constant_32(value as u32),
    }
}

/// A constant of 32 bits.
pub(super) fn constant_32(bits: u32) -> String {
    let name = FLOATS_32.iter().position(|&float| float == bits).map(|place| NAMES[place]);
    small_integer(i64::from(bits as i32))
        .or_else(|| name.map(str::to_owned))
        .unwrap_or_else(|| format!("{bits:#x}"))
}

fn half_name(bits: u16, kind: Kind) -> Option<String> {
    let floats = match kind {
        Kind::Bf16 | Kind::PkBf16 | Kind::PkBf16x4 => FLOATS_BF16,
        _ => FLOATS_16,
    };
    floats.iter().position(|&float| float == bits).map(|place| NAMES[place].to_owned())
}

fn constant_64(value: u64, kind: Kind) -> String {
    let name = FLOATS_64.iter().position(|&float| float == value).map(|place| match place {
        8 => "0.15915494309189532",
        _ => NAMES[place],
    });
    let literal = if kind == Kind::F64 { value >> 32 } else { value & 0xffff_ffff };
    small_integer(value as i64)
        .or_else(|| name.map(str::to_owned))
        .unwrap_or_else(|| format!("{literal:#x}"))
}

fn small_integer(value: i64) -> Option<String> {
    (-16..=64).contains(&value).then(|| value.to_string())
}
