//! Random words of every operation in every format: what the decoder takes, LLVM prints in the same words.

use crate::llvm;
use evenweave_gfx12::inst::Omod;
use evenweave_gfx12::ops::{CLAMP, DPP, DPP3, Format, OMOD, OPS, Op};
use evenweave_gfx12::{DppControl, Inst, Program, decode};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Instructions that are wanted of every operation in every format.
const WANTED: usize = 24;
/// Words that are tried for them.
const TRIED: usize = 60_000;

pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub(crate) fn below(&mut self, end: u64) -> u32 {
        (self.next() % end) as u32
    }

    pub(crate) fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }

    /// Bits of a field that is often zero.
    fn field(&mut self, bits: u32) -> u32 {
        if self.chance(50) { 0 } else { self.below(1 << bits) }
    }

    /// The number of a source of 9 bits.
    fn source(&mut self) -> u32 {
        match self.below(10) {
            0..4 => 256 + self.below(256),
            4 => self.below(108),
            5 => 2 * self.below(64),
            6 => [235, 236, 237, 238, 253, 124, 125, 126, 127][self.below(9) as usize],
            7 => 128 + self.below(128),
            8 => 255,
            _ => 0,
        }
    }

    /// The number of a first source: sometimes DPP.
    fn first_source(&mut self) -> u32 {
        if self.chance(25) { [0xfa, 0xe9, 0xea][self.below(3) as usize] } else { self.source() }
    }

    /// A literal, or a DPP word.
    fn extra(&mut self) -> u32 {
        const LITERALS: [u32; 7] =
            [0, 1, 0xffff_ffff, 0x3f80_0000, 0x3c00, 0x1234_5678, 0x3ff0_0000];
        match self.below(4) {
            0 => LITERALS[self.below(7) as usize],
            1 => self.next() as u32,
            // A pattern that exists, with few modifiers.
            _ => {
                let patterns = [self.below(256), 0x101 + self.below(15), 0x111 + self.below(15)];
                let more = [0x121 + self.below(15), 0x140 + self.below(2), 0x150 + self.below(32)];
                let pattern = [patterns, more][self.below(2) as usize][self.below(3) as usize];
                self.below(256)
                    | pattern << 8
                    | self.field(2) << 18
                    | self.field(4) << 20
                    | self.below(256) << 24
            }
        }
    }
}

/// Random words of a format with this opcode.
fn words(random: &mut Random, format: Format, opcode: u32) -> Vec<u32> {
    let r = random;
    let byte = |r: &mut Random| if r.chance(50) { 0 } else { r.below(256) };
    match format {
        Format::Sop1 => {
            vec![0xbe80_0000 | r.field(7) << 16 | opcode << 8 | r.source() & 255, r.extra()]
        }
        Format::Sop2 => {
            let sources = (r.source() & 255) << 8 | r.source() & 255;
            vec![0x8000_0000 | opcode << 23 | r.field(7) << 16 | sources, r.extra()]
        }
        Format::Sopc => {
            let sources = (r.source() & 255) << 8 | r.source() & 255;
            vec![0xbf00_0000 | opcode << 16 | sources, r.extra()]
        }
        Format::Sopp => {
            let bits = if r.chance(50) { 16 } else { 8 };
            vec![0xbf80_0000 | opcode << 16 | r.field(bits)]
        }
        Format::Sopk => vec![0xb000_0000 | opcode << 23 | r.field(7) << 16 | r.field(16)],
        Format::Smem => vec![
            0xf400_0000 | opcode << 13 | r.field(4) << 21 | r.field(7) << 6 | r.field(6),
            (if r.chance(50) { 124 } else { r.below(128) }) << 25 | r.field(24),
        ],
        Format::Vop1 => {
            let vdst = byte(r) << 17;
            vec![0x7e00_0000 | vdst | opcode << 9 | r.first_source(), r.extra()]
        }
        Format::Vop2 => {
            let (vdst, vsrc1) = (byte(r) << 17, byte(r) << 9);
            vec![opcode << 25 | vdst | vsrc1 | r.first_source(), r.extra()]
        }
        Format::Vopc => {
            let vsrc1 = byte(r) << 9;
            vec![0x7c00_0000 | opcode << 17 | vsrc1 | r.first_source(), r.extra()]
        }
        Format::Vop3 | Format::Vop3sd => {
            let vdst = if r.chance(10) { 126 } else { byte(r) };
            let first = 0xd400_0000 | opcode << 16 | vdst | r.field(8) << 8;
            let sources = r.first_source() | r.source() << 9 | r.source() << 18;
            vec![first, sources | r.field(2) << 27 | r.field(3) << 29, r.extra()]
        }
        Format::Vop3p => {
            let usual = r.chance(50);
            let first = 0xcc00_0000 | opcode << 16 | r.field(8) << 8 | byte(r);
            let sources = r.first_source() | r.source() << 9 | r.source() << 18;
            let second = sources | r.field(2) << 27 | r.field(3) << 29;
            let all_high = if usual { (1 << 14, 3 << 27) } else { (0, 0) };
            vec![first | all_high.0, second | all_high.1, r.extra()]
        }
        Format::VopdX | Format::VopdY => {
            let (x, y) = match format {
                Format::VopdX => (opcode, r.below(19)),
                _ => (r.below(12), opcode),
            };
            let first = 0xc800_0000 | x << 22 | y << 17 | byte(r) << 9 | r.source();
            vec![first, r.below(1 << 15) << 17 | byte(r) << 9 | r.source(), r.extra()]
        }
        Format::Ds => {
            vec![
                0xd800_0000 | opcode << 18 | r.field(16),
                byte(r) | byte(r) << 8 | byte(r) << 16 | byte(r) << 24,
            ]
        }
        Format::Flat | Format::Global | Format::Scratch => {
            let kind = match format {
                Format::Flat => 0xec,
                Format::Scratch => 0xed,
                _ => 0xee,
            };
            let saddr = if r.chance(60) { 124 } else { 2 * r.below(64) };
            let second = byte(r) | r.field(1) << 17 | r.field(2) << 18 | r.field(3) << 20;
            vec![
                kind << 24 | opcode << 14 | saddr,
                second | byte(r) << 23,
                byte(r) | r.field(24) << 8,
            ]
        }
    }
}

/// Clears the modifiers that the operation does not take, so that those that it takes are not refused for the company they keep.
fn drop_what_it_does_not_take(words: &mut [u32], op: Op, format: Format) {
    let info = op.info();
    let is_packed = format == Format::Vop3p;
    if !is_packed && !matches!(format, Format::Vop3 | Format::Vop3sd) {
        return;
    }
    let clamp = u32::from(info.flags & CLAMP != 0);
    let omod = if info.flags & OMOD != 0 { 3 } else { 0 };
    let (abs, halves) = (u32::from(info.abs & 7), u32::from(info.op_sel & 15));
    // A scalar destination stands where magnitudes and halves do.
    if format != Format::Vop3sd {
        words[0] &= !0xff00 | abs << 8 | halves << 11 | clamp << 15;
    }
    words[1] &= !(31 << 27) | omod << 27 | u32::from(info.neg & 7) << 29;
    if is_packed {
        words[0] |= 1 << 14;
        words[1] |= 3 << 27;
    }
    if op.mnemonic().starts_with("v_cmpx") {
        words[0] = words[0] & !255 | 126;
    }
}

fn bytes_of(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// The instructions that the words begin with, if the decoder takes them as this operation in this format.
fn accepted(words: &[u32], op: Op, format: Format) -> Option<Vec<Inst>> {
    (1..=words.len()).find_map(|count| {
        let program = decode(&bytes_of(&words[..count]), 0).ok()?;
        let whole = program.insts.iter().filter(|inst| inst.size_bytes > 0).count() == 1;
        let named = program.insts.iter().any(|inst| (inst.op, inst.format) == (op, format));
        (whole && named).then_some(program.insts)
    })
}

#[test]
fn llvm_prints_what_the_decoder_takes() {
    let mut random = Random::new(1);
    let mut text = String::from(".text\n");
    let (mut all, mut without) = (Vec::new(), String::new());
    for &op in OPS {
        for &(format, opcode) in op.info().encodings {
            // LLVM 19 has this one for later machines only.
            if (op, format) == (Op::VMovB16, Format::Vop3) {
                continue;
            }
            let (mut count, mut seen, possible) = (0, 0, possible(op, format));
            for _ in 0..TRIED {
                let mut words = words(&mut random, format, u32::from(opcode));
                if random.chance(60) {
                    drop_what_it_does_not_take(&mut words, op, format);
                }
                let Some(insts) = accepted(&words, op, format) else { continue };
                let shown = insts.iter().map(modifiers).fold(0, |all, bits| all | bits);
                let is_new = shown & possible & !seen != 0;
                if !insts.iter().all(is_shown_by_llvm) || (count >= WANTED && !is_new) {
                    continue;
                }
                seen |= shown;
                let taken = usize::from(insts[0].size_bytes) / 4;
                for word in &words[..taken] {
                    writeln!(text, ".long {word:#x}").expect("a string takes all");
                }
                all.extend_from_slice(&bytes_of(&words[..taken]));
                count += 1;
                if count >= WANTED && possible & !seen == 0 {
                    break;
                }
            }
            assert!(count > 0, "no words of {op:?} in {format:?} were taken");
            let missing: Vec<&str> = names(possible & !seen).collect();
            if !missing.is_empty() {
                writeln!(without, "{op:?} in {format:?}: {}", missing.join(", "))
                    .expect("a string");
            }
        }
    }
    assert!(without.is_empty(), "modifiers that no words had:\n{without}");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let theirs = llvm::disassemble(&llvm::assemble(folder.path(), &text));
    let program = decode(&all, 0).expect("what was taken alone is taken in a row");
    compare(&program, &theirs);
    let lines: Vec<String> = lines(&program).into_iter().map(|(_, line)| line).collect();
    let (object, taken) = llvm::assemble_what_can_be(folder.path(), &lines);
    // Registers of one bank, too many scalar operands, temporal hints that say nothing: few.
    assert!(taken.len() * 20 > lines.len() * 19, "{} of {} lines", taken.len(), lines.len());
    let names: BTreeSet<&str> = lines.iter().map(|line| mnemonic(line)).collect();
    let assembled: BTreeSet<&str> = taken.iter().map(|&place| mnemonic(&lines[place])).collect();
    assert_eq!(names, assembled, "every mnemonic is assembled at least once");
    let code = decode(&llvm::text_section(&object), 0).expect("LLVM's own words are taken");
    compare(&code, &llvm::disassemble(&object));
}

/// What modifies an instruction, a bit each.
const MODIFIERS: [&str; 20] = [
    "neg 0", "neg 1", "neg 2", "neg 3", "abs 0", "abs 1", "abs 2", "abs 3", "op_sel 0", "op_sel 1",
    "op_sel 2", "op_sel 3", "clamp", "omod", "dpp16", "dpp8", "offset", "offset1", "th", "scope",
];

fn names(bits: u32) -> impl Iterator<Item = &'static str> {
    MODIFIERS.into_iter().enumerate().filter(move |(n, _)| bits >> n & 1 != 0).map(|(_, name)| name)
}

/// The modifiers of an instruction.
fn modifiers(inst: &Inst) -> u32 {
    let dpp = match inst.dpp.as_ref().map(|dpp| dpp.control) {
        None => 0,
        Some(DppControl::Dpp16 { .. }) => 1 << 14,
        Some(DppControl::Dpp8(_)) => 1 << 15,
    };
    let bit = |is: bool, n: u32| u32::from(is) << n;
    u32::from(inst.neg & 15)
        | u32::from(inst.abs & 15) << 4
        | u32::from(inst.op_sel & 15) << 8
        | bit(inst.clamp, 12)
        | bit(inst.omod != Omod::None, 13)
        | dpp
        | bit(inst.imm != 0 || inst.offset0 != 0, 16)
        | bit(inst.offset1 != 0, 17)
        | bit(inst.th != 0, 18)
        | bit(inst.scope != 0, 19)
}

/// The modifiers that an operation takes in a format, by its row.
fn possible(op: Op, format: Format) -> u32 {
    let info = op.info();
    let has = |flag: u8, bits: u32| if info.flags & flag != 0 { bits } else { 0 };
    match format {
        Format::Vop3 | Format::Vop3sd | Format::Vop3p => {
            let halves = if shows_halves(op, format) { u32::from(info.op_sel) << 8 } else { 0 };
            u32::from(info.neg)
                | u32::from(info.abs) << 4
                | halves
                | has(CLAMP, 1 << 12)
                | has(OMOD, 1 << 13)
                | has(DPP3, 3 << 14)
        }
        Format::Vop1 | Format::Vop2 | Format::Vopc => has(DPP, 3 << 14),
        Format::Ds if op.mnemonic().contains("2addr") => 3 << 16,
        Format::Ds | Format::Smem => 1 << 16,
        Format::Flat | Format::Global | Format::Scratch => match op {
            Op::GlobalInv | Op::GlobalWb | Op::GlobalWbinv => 1 << 19,
            _ => 1 << 16 | 3 << 18,
        },
        Format::Sop1
        | Format::Sop2
        | Format::Sopc
        | Format::Sopp
        | Format::Sopk
        | Format::VopdX
        | Format::VopdY => 0,
    }
}

fn mnemonic(line: &str) -> &str {
    line.split(' ').next().unwrap_or(line)
}

/// Operations that are only in VOP3 and of which LLVM 19 knows the low halves alone.
const LOW_HALVES: &[Op] = &[
    Op::VCndmaskB16,
    Op::VMinmaxNumF16,
    Op::VMaxminNumF16,
    Op::VMulLoU16,
    Op::VMaxU16,
    Op::VMaxI16,
    Op::VMinU16,
    Op::VMinI16,
    Op::VLshlrevB16,
    Op::VLshrrevB16,
    Op::VAshrrevI16,
    Op::VAndB16,
    Op::VOrB16,
    Op::VXorB16,
    Op::VMinimumF16,
    Op::VMaximumF16,
];

/// LLVM 19 knows only the low halves of registers in most operations of 16 bits, and shows no others.
fn is_shown_by_llvm(inst: &Inst) -> bool {
    // LLVM 19 closes the magnitude of this one's second source behind the third.
    let is_misprinted =
        inst.op == Op::VCndmaskB32 && inst.format == Format::Vop2 && inst.abs & 2 != 0;
    !is_misprinted && (inst.op_sel == 0 || shows_halves(inst.op, inst.format))
}

fn shows_halves(op: Op, format: Format) -> bool {
    let is_short = |format| matches!(format, Format::Vop1 | Format::Vop2 | Format::Vopc);
    let has_short = op.info().encodings.iter().any(|&(format, _)| is_short(format));
    let has_halves = matches!(op, Op::VFmacF16 | Op::VCvtF32Fp8 | Op::VCvtF32Bf8);
    !is_short(format) && (has_halves || !has_short) && !LOW_HALVES.contains(&op)
}

/// Addresses and texts of a program's instructions.
fn lines(program: &Program) -> Vec<(u64, String)> {
    (0..)
        .zip(&program.insts)
        .filter(|(_, inst)| inst.size_bytes > 0)
        .map(|(index, inst)| (inst.pc, program.text(index)))
        .collect()
}

/// Every line, ours and theirs.
pub(crate) fn compare(program: &Program, theirs: &[(u64, String)]) {
    let mut differences = String::new();
    let ours = lines(program);
    let mut count = 0;
    for ((pc, ours), (address, theirs)) in ours.iter().zip(theirs) {
        if (pc, ours) != (address, theirs) {
            writeln!(differences, "{pc:#x} ours   {ours}\n{address:#x} LLVM's {theirs}")
                .expect("a string takes all");
            count += 1;
        }
    }
    assert!(count == 0, "{count} of {} differ:\n{differences}", ours.len());
    assert_eq!(ours.len(), theirs.len(), "as many instructions");
}
