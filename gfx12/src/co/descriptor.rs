//! Kernel descriptors: the 64 bytes that tell the hardware how a wave begins.
//!
//! Invariants
//! - A bit without a known meaning, or one that asks for what this machine does not do, is an error.
//!
//! Deliberately absent: wave64, trap handlers, exceptions, and preloaded arguments.

/// Scalar registers that a wave begins with, in the order of the descriptor's properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UserSgpr {
    /// Two registers: the address of the arguments.
    Kernarg,
    /// Two registers: a number of the dispatch.
    DispatchId,
    /// One register: bytes of scratch memory of a lane.
    ScratchBytes,
}

/// What a kernel descriptor says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Descriptor {
    /// Static shared memory of a group.
    pub shared_bytes: u32,
    /// Scratch memory of a lane.
    pub scratch_bytes: u32,
    /// The arguments' size.
    pub kernarg_bytes: u32,
    /// From the descriptor's address to the first instruction.
    pub entry_offset: i64,
    /// Vector registers that a wave has.
    pub vgprs: u16,
    /// Scalar registers that are set when a wave begins, from s0 on.
    pub user_sgprs: Vec<UserSgpr>,
    /// Whether the group's number along x, y and z is in TTMP9 and TTMP7.
    pub group_ids: [bool; 3],
    /// How many of the thread's numbers along x, y and z are in v0.
    pub thread_ids: u8,
    /// Subnormal f32 values stay.
    pub f32_denormals: Denormals,
    /// Subnormal f16 and f64 values stay.
    pub f16_f64_denormals: Denormals,
    /// The stack is larger than the scratch memory that the descriptor knows of.
    pub dynamic_stack: bool,
    /// The register as it is.
    pub rsrc1: u32,
}

/// What becomes of subnormal values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denormals {
    /// Sources and results are flushed to zero.
    FlushBoth,
    /// Results are flushed to zero.
    FlushResults,
    /// Sources are flushed to zero.
    FlushSources,
    /// They stay.
    Keep,
}

/// Why a descriptor cannot be honoured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DescriptorError {
    /// A bit without a known meaning, or one that asks for what there is not.
    #[error("its descriptor's {field} is {bits:#x}; the bits {unsupported:#x} are not supported")]
    Bits {
        /// The field, as the ABI's description names it.
        field: &'static str,
        /// Its bits.
        bits: u32,
        /// Those that are not supported.
        unsupported: u32,
    },
    /// It is for waves of 64 lanes.
    #[error("it is compiled for waves of 64 lanes, expected 32")]
    Wave64,
    /// It rounds otherwise than to nearest, ties to even.
    #[error("its rounding modes are {rounding:#x}, expected 0 (to nearest, ties to even)")]
    Rounding {
        /// Modes of f32 in bits 1:0, of f16 and f64 in bits 3:2.
        rounding: u32,
    },
    /// The properties name another number of scalar registers than the count.
    #[error("its descriptor counts {counted} user SGPRs, its properties come to {named}")]
    UserSgprs {
        /// By the count.
        counted: u32,
        /// By the properties.
        named: u32,
    },
}

/// Granules of vector registers and of scalar ones (which the hardware ignores), rounding, denormals, round robin, WGP mode, memory order, forward progress.
const RSRC1_SUPPORTED: u32 = 0x3ff | 0xf << 12 | 0xf << 16 | 1 << 21 | 7 << 29;
/// Scratch, count of user SGPRs, group ids, thread ids.
const RSRC2_SUPPORTED: u32 = 1 | 0x1f << 1 | 7 << 7 | 3 << 11;
/// How far instructions are fetched ahead.
const RSRC3_SUPPORTED: u32 = 0xff << 4;
/// Arguments' address, dispatch id, scratch size, wave32, dynamic stack.
const PROPERTIES_SUPPORTED: u32 = 1 << 3 | 1 << 4 | 1 << 6 | 1 << 10 | 1 << 11;

impl Descriptor {
    /// A descriptor's size.
    pub const BYTES: usize = 64;

    /// Reads a descriptor.
    pub(super) fn parse(bytes: &[u8; Descriptor::BYTES]) -> Result<Descriptor, DescriptorError> {
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("4 bytes"));
        let (rsrc3, rsrc1, rsrc2) = (word(44), word(48), word(52));
        let properties = word(56) & 0xffff;
        supported("properties", properties, PROPERTIES_SUPPORTED)?;
        supported("compute_pgm_rsrc1", rsrc1, RSRC1_SUPPORTED)?;
        supported("compute_pgm_rsrc2", rsrc2, RSRC2_SUPPORTED)?;
        supported("compute_pgm_rsrc3", rsrc3, RSRC3_SUPPORTED)?;
        supported("kernarg_preload", word(56) >> 16, 0)?;
        for (field, at) in [("bytes 12:15", 12), ("bytes 60:63", 60)] {
            supported(field, word(at), 0)?;
        }
        if properties >> 10 & 1 == 0 {
            return Err(DescriptorError::Wave64);
        }
        let rounding = rsrc1 >> 12 & 15;
        if rounding != 0 {
            return Err(DescriptorError::Rounding { rounding });
        }
        let low = u64::from(word(16));
        Ok(Descriptor {
            shared_bytes: word(0),
            scratch_bytes: word(4),
            kernarg_bytes: word(8),
            entry_offset: (u64::from(word(20)) << 32 | low) as i64,
            vgprs: 8 * ((rsrc1 & 0x3f) as u16 + 1),
            user_sgprs: user_sgprs(properties, rsrc2 >> 1 & 0x1f)?,
            group_ids: [7, 8, 9].map(|bit| rsrc2 >> bit & 1 == 1),
            thread_ids: (rsrc2 >> 11 & 3) as u8 + 1,
            f32_denormals: denormals(rsrc1 >> 16),
            f16_f64_denormals: denormals(rsrc1 >> 18),
            dynamic_stack: properties >> 11 & 1 == 1,
            rsrc1,
        })
    }
}

fn supported(field: &'static str, bits: u32, mask: u32) -> Result<(), DescriptorError> {
    let unsupported = bits & !mask;
    if unsupported == 0 { Ok(()) } else { Err(DescriptorError::Bits { field, bits, unsupported }) }
}

fn denormals(bits: u32) -> Denormals {
    match bits & 3 {
        0 => Denormals::FlushBoth,
        1 => Denormals::FlushResults,
        2 => Denormals::FlushSources,
        _ => Denormals::Keep,
    }
}

fn user_sgprs(properties: u32, counted: u32) -> Result<Vec<UserSgpr>, DescriptorError> {
    let order =
        [(3, UserSgpr::Kernarg, 2), (4, UserSgpr::DispatchId, 2), (6, UserSgpr::ScratchBytes, 1)];
    let mut named = 0;
    let mut registers = Vec::new();
    for (bit, register, count) in order {
        if properties >> bit & 1 == 1 {
            registers.push(register);
            named += count;
        }
    }
    if named == counted {
        Ok(registers)
    } else {
        Err(DescriptorError::UserSgprs { counted, named })
    }
}
