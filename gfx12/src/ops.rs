//! Every supported operation: its mnemonic, its encodings, its operands and the modifiers that it takes.
//!
//! Invariants
//! - An operation is one row of `table`, and one variant of `Op`, whatever the formats that encode it.
//! - A row says everything that decoding and printing need to know; what the operation computes is `exec`'s to say.
//! - `INFO[op as usize]` is the row of `op`.
//!
//! Deliberately absent: implicit operands (SCC, VCC of `v_div_fmas`, M0, the old destination of `v_fmac`), which are
//! part of what an operation means.

/// How an instruction is laid out in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names are those of the ISA's manual")]
pub enum Format {
    Sop1,
    Sop2,
    Sopc,
    Sopp,
    Sopk,
    Smem,
    Vop1,
    Vop2,
    Vopc,
    Vop3,
    /// VOP3 with a scalar destination beside the vector one.
    Vop3sd,
    Vop3p,
    /// The first half of a VOPD pair; the second half is the next entry of the program.
    VopdX,
    /// The second half of a VOPD pair.
    VopdY,
    Ds,
    Flat,
    Global,
    Scratch,
}

/// How many formats there are.
pub const FORMATS: usize = Format::Scratch as usize + 1;

/// What an operand is: its width in registers, and how a constant in its place is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// No operand.
    None,
    /// 16 bits of any integer, or of no type.
    I16,
    /// An f16.
    F16,
    /// A bf16.
    Bf16,
    /// 32 bits of any integer, or of no type.
    I32,
    /// An f32.
    F32,
    /// 64 bits; a 32-bit literal is sign-extended.
    I64,
    /// 64 bits; a 32-bit literal is zero-extended.
    U64,
    /// An f64; a 32-bit literal is its high word.
    F64,
    /// Two 16-bit integers.
    PkI16,
    /// Two f16.
    PkF16,
    /// Two bf16.
    PkBf16,
    /// An f32 or one half of two f16, as `op_sel_hi` says.
    Mix,
    /// A mask of lanes: one scalar register of 32 bits.
    Mask,
    /// The address of a memory operation: no, one or two vector registers, as the form says.
    Addr,
    /// Three registers.
    B96,
    /// Four registers.
    B128,
    /// Eight registers.
    B256,
    /// Sixteen registers.
    B512,
    /// A lane's part of a matrix: eight f32.
    F32x8,
    /// A lane's part of a matrix: eight 32-bit integers.
    I32x8,
    /// A lane's part of a matrix: eight f16 in four registers.
    PkF16x4,
    /// A lane's part of a matrix: eight bf16 in four registers.
    PkBf16x4,
}

impl Kind {
    /// Registers of 32 bits that the operand takes. An address is counted as none: its form decides.
    #[must_use]
    pub const fn dwords(self) -> u8 {
        match self {
            Kind::None | Kind::Addr => 0,
            Kind::I16
            | Kind::F16
            | Kind::Bf16
            | Kind::I32
            | Kind::F32
            | Kind::PkI16
            | Kind::PkF16
            | Kind::PkBf16
            | Kind::Mix
            | Kind::Mask => 1,
            Kind::I64 | Kind::U64 | Kind::F64 => 2,
            Kind::B96 => 3,
            Kind::B128 | Kind::PkF16x4 | Kind::PkBf16x4 => 4,
            Kind::B256 | Kind::F32x8 | Kind::I32x8 => 8,
            Kind::B512 => 16,
        }
    }

    /// Whether the operand is one half of a register, which `op_sel` chooses.
    #[must_use]
    pub const fn is_half(self) -> bool {
        matches!(self, Kind::I16 | Kind::F16 | Kind::Bf16)
    }
}

/// The row of an operation.
#[derive(Clone, Copy, Debug)]
pub struct OpInfo {
    /// LLVM's name without a suffix for the encoding.
    pub mnemonic: &'static str,
    /// What is written.
    pub dst: Kind,
    /// The second destination: the carry of VOP3SD.
    pub dst2: Kind,
    /// What is read, in the order in which it is printed.
    pub src: &'static [Kind],
    /// Sources that may be negated, one bit each; of VOP3P, bits that `neg_lo` may set.
    pub neg: u8,
    /// Sources of which the magnitude may be taken; of VOP3P, bits that `neg_hi` may set.
    pub abs: u8,
    /// Bits that `op_sel` may set: one a source, and bit 3 for the destination.
    pub op_sel: u8,
    /// Further modifiers: `CLAMP`, `OMOD`, `DPP`, `DPP3`, `SEL_HI`.
    pub flags: u8,
    /// Formats and opcode numbers.
    pub encodings: &'static [(Format, u16)],
}

/// The result may be clamped.
pub const CLAMP: u8 = 1;
/// The result may be scaled.
pub const OMOD: u8 = 2;
/// DPP in VOP1, VOP2 and VOPC.
pub const DPP: u8 = 4;
/// DPP in VOP3 and VOP3P.
pub const DPP3: u8 = 8;
/// `op_sel_hi` of VOP3P means something.
pub const SEL_HI: u8 = 16;

macro_rules! ops {
    ($($name:ident $mnemonic:literal $dst:ident, $dst2:ident [$($src:ident),*] $neg:literal $abs:literal $sel:literal
        ($($flags:tt)*) {$($format:ident $opcode:literal),*})*) => {
        /// An operation, by mnemonic; its encodings are merged.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u16)]
        #[expect(missing_docs, reason = "the names are LLVM's mnemonics")]
        pub enum Op { $($name),* }

        /// Every operation, in the table's order.
        pub const OPS: &[Op] = &[$(Op::$name),*];

        /// The rows, by operation.
        pub static INFO: &[OpInfo] = &[$(OpInfo {
            mnemonic: $mnemonic,
            dst: Kind::$dst,
            dst2: Kind::$dst2,
            src: &[$(Kind::$src),*],
            neg: $neg,
            abs: $abs,
            op_sel: $sel,
            flags: $($flags)*,
            encodings: &[$((Format::$format, $opcode)),*],
        }),*];
    };
}

include!("table.rs");

impl Op {
    /// The operation's row.
    #[must_use]
    pub fn info(self) -> &'static OpInfo {
        &INFO[self as usize]
    }

    /// LLVM's name without a suffix for the encoding.
    #[must_use]
    pub fn mnemonic(self) -> &'static str {
        self.info().mnemonic
    }
}
