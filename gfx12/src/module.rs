//! A loaded code object as machines run it: its image, its lines, and what a launch lays out for its kernels.
//!
//! Invariants
//! - Addresses are those of the code object; where it lies in memory is each machine's own.
//! - The image is code and constants: kernels do not write it.
//!
//! Deliberately absent: global variables that kernels write, and what only a full runtime can give a kernel.

use crate::{
    co::{Arg, ArgKind, CodeObject, Kernel, LoadError, UserSgpr},
    inst::{Inst, Program},
    lines::Lines,
    mem::{Grain, PRIVATE_APERTURE, SHARED_APERTURE},
};

/// How a kernel is launched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Launch {
    /// Groups along x, y and z.
    pub groups: [u32; 3],
    /// Threads of a group along x, y and z.
    pub threads: [u32; 3],
    /// The arguments as they lie in memory, without the hidden ones.
    pub kernarg: Vec<u8>,
    /// Shared memory of a group beside what the kernel declares.
    pub dynamic_shared_bytes: u32,
}

/// A loaded code object.
#[derive(Clone, Debug)]
pub struct Module {
    object: CodeObject,
    image: Vec<u8>,
    lines: Lines,
    grain: Grain,
}

impl Module {
    /// Loads a code object as AMD's compilers write it.
    ///
    /// # Errors
    /// The first thing that is not as a gfx1201 code object must be.
    pub fn load(file: &[u8]) -> Result<Module, LoadError> {
        let object = CodeObject::load(file)?;
        let mut image = Vec::new();
        for segment in &object.segments {
            let at = segment.address as usize;
            let end = at.checked_add(segment.bytes.len()).filter(|&end| end <= MOST_IMAGE_BYTES);
            let outside = LoadError::Outside {
                offset: segment.address,
                size_bytes: segment.bytes.len() as u64,
            };
            let end = end.ok_or(outside)?;
            image.resize(image.len().max(end), 0);
            image[at..end].copy_from_slice(&segment.bytes);
        }
        let is_narrow = object.program.insts.iter().any(is_narrow);
        let grain = if is_narrow { Grain::Byte } else { Grain::Word };
        Ok(Module { object, image, lines: Lines::of(file), grain })
    }

    /// What lies in memory, from address 0 of the code object on.
    #[must_use]
    pub fn image(&self) -> &[u8] {
        &self.image
    }

    /// The decoded code.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.object.program
    }

    /// Its kernels.
    #[must_use]
    pub fn kernels(&self) -> &[Kernel] {
        &self.object.kernels
    }

    /// The index of the kernel of this name.
    #[must_use]
    pub fn kernel(&self, name: &str) -> Option<usize> {
        self.kernels().iter().position(|kernel| kernel.name == name)
    }

    /// Which lines instructions come from.
    #[must_use]
    pub fn lines(&self) -> &Lines {
        &self.lines
    }

    pub(crate) fn grain(&self) -> Grain {
        self.grain
    }
}

/// Bytes of an image, at most.
const MOST_IMAGE_BYTES: usize = 1 << 28;

/// Whether an instruction may access less than 4 bytes of shared memory.
fn is_narrow(inst: &Inst) -> bool {
    let name = inst.op.mnemonic();
    let is_shared = name.starts_with("ds_") || name.starts_with("flat_");
    let narrow = ["_u8", "_i8", "_b8", "_u16", "_i16", "_b16", "d16"];
    is_shared && narrow.iter().any(|word| name.contains(word))
}

/// Whether the caller gives an argument, not the runtime.
#[must_use]
pub fn is_explicit(arg: &Arg) -> bool {
    match arg.kind {
        ArgKind::GlobalBuffer | ArgKind::ByValue | ArgKind::DynamicSharedPointer => true,
        ArgKind::BlockCount(_)
        | ArgKind::GroupSize(_)
        | ArgKind::Remainder(_)
        | ArgKind::GlobalOffset(_)
        | ArgKind::GridDims
        | ArgKind::DynamicSharedBytes
        | ArgKind::PrivateBase
        | ArgKind::SharedBase
        | ArgKind::HiddenNone => false,
    }
}

/// Bytes of the arguments that the caller gives.
#[must_use]
pub fn explicit_bytes(kernel: &Kernel) -> usize {
    let explicit = kernel.args.iter().filter(|arg| is_explicit(arg));
    explicit.map(|arg| (arg.offset_bytes + arg.size_bytes) as usize).max().unwrap_or(0)
}

/// The arguments of a launch as they lie in memory.
pub(crate) fn kernarg(kernel: &Kernel, launch: &Launch) -> Vec<u8> {
    let mut bytes = launch.kernarg.clone();
    bytes.resize(kernel.descriptor.kernarg_bytes as usize, 0);
    for arg in &kernel.args {
        let value: u64 = match arg.kind {
            ArgKind::GlobalBuffer | ArgKind::ByValue | ArgKind::DynamicSharedPointer => continue,
            ArgKind::BlockCount(axis) => launch.groups[usize::from(axis)].into(),
            ArgKind::GroupSize(axis) => launch.threads[usize::from(axis)].into(),
            ArgKind::GridDims => {
                let is_used = |&i: &usize| launch.groups[i] > 1 || launch.threads[i] > 1;
                (0..3).rev().find(is_used).map_or(1, |axis| axis as u64 + 1)
            }
            ArgKind::DynamicSharedBytes => launch.dynamic_shared_bytes.into(),
            ArgKind::PrivateBase => PRIVATE_APERTURE.into(),
            ArgKind::SharedBase => SHARED_APERTURE.into(),
            // Groups are whole and a grid begins at 0.
            ArgKind::Remainder(_) | ArgKind::GlobalOffset(_) | ArgKind::HiddenNone => 0,
        };
        let (at, size) = (arg.offset_bytes as usize, arg.size_bytes as usize);
        let value = value.to_le_bytes();
        let size = size.min(value.len());
        bytes[at..at + size].copy_from_slice(&value[..size]);
    }
    bytes
}

/// The scalar registers that a wave begins with, from s0 on.
pub(crate) fn user_sgprs(kernel: &Kernel, kernarg: u64) -> Vec<u32> {
    let mut all = Vec::new();
    for register in &kernel.descriptor.user_sgprs {
        match register {
            UserSgpr::Kernarg => all.extend([kernarg as u32, (kernarg >> 32) as u32]),
            UserSgpr::DispatchId => all.extend([0, 0]),
            UserSgpr::ScratchBytes => all.push(kernel.descriptor.scratch_bytes),
        }
    }
    all
}
