//! Code objects: the ELF files that AMD's compilers make, with their kernels' descriptors and metadata.
//!
//! Invariants
//! - What a loader would have to do and this one does not is an error: another machine, wave64, relocations,
//!   properties and flags without a known meaning, arguments that nobody here fills in.
//! - A kernel's descriptor and its metadata agree; where they do not, the file is refused.
//! - Addresses are those of the file; where it is placed in memory is the loader's matter.
//!
//! Deliberately absent: clang's bundles of several code objects, and line tables.

mod descriptor;
mod metadata;

pub use descriptor::{Descriptor, DescriptorError, UserSgpr};
pub use metadata::{Arg, ArgKind, MetadataError};

use crate::decode::{DecodeError, decode};
use crate::inst::Program;
use metadata::KernelNote;
use object::LittleEndian;
use object::elf::{self, FileHeader64};
use object::read::elf::{FileHeader, ProgramHeader, SectionHeader, SectionTable, Sym};

/// Why a code object is refused.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// It is no ELF file, or a broken one.
    #[error("the code object is no ELF file that can be read: {0}")]
    Elf(#[from] object::read::Error),
    /// It is for another machine.
    #[error("the code object is for ELF machine {machine}, expected 224 (AMD GPU)")]
    Machine {
        /// `e_machine`.
        machine: u16,
    },
    /// It is for another operating system or version of the ABI.
    #[error(
        "the code object has OS ABI {os_abi} version {version}, expected 64 (AMD HSA) version 3 or 4"
    )]
    Abi {
        /// `EI_OSABI`.
        os_abi: u8,
        /// `EI_ABIVERSION`.
        version: u8,
    },
    /// It is for another processor, or asks for what that processor does not have.
    #[error(
        "the code object has ELF flags {flags:#x}, expected 0x4e (gfx1201) or 0x59 (gfx12-generic)"
    )]
    Flags {
        /// `e_flags`.
        flags: u32,
    },
    /// It is no finished code object.
    #[error("the code object has ELF type {kind}, expected 3 (shared object)")]
    Unlinked {
        /// `e_type`.
        kind: u16,
    },
    /// It must be relocated.
    #[error("the code object has {count} relocations in {section}, expected none")]
    Relocations {
        /// How many.
        count: usize,
        /// The section that has them.
        section: String,
    },
    /// A segment or section reaches beyond the file.
    #[error("the code object's part at {offset:#x} of {size_bytes} bytes is not in the file")]
    Outside {
        /// Where it begins in the file.
        offset: u64,
        /// Its size.
        size_bytes: u64,
    },
    /// There is not exactly one section of code.
    #[error("the code object has {count} sections of code, expected one")]
    Texts {
        /// How many.
        count: usize,
    },
    /// Something refers to what is not there.
    #[error("kernel {kernel}: there is no symbol {symbol}")]
    Symbol {
        /// The kernel.
        kernel: String,
        /// The symbol that is missing.
        symbol: String,
    },
    /// A descriptor that cannot be honoured.
    #[error("kernel {kernel}: {cause}")]
    Descriptor {
        /// The kernel.
        kernel: String,
        /// What is wrong.
        cause: DescriptorError,
    },
    /// A kernel that begins where no instruction does.
    #[error("kernel {kernel}: no instruction begins at its entry {entry:#x}")]
    Entry {
        /// The kernel.
        kernel: String,
        /// Its address.
        entry: u64,
    },
    /// Descriptor and metadata of a kernel say different things.
    #[error("kernel {kernel}: its descriptor says {what} {descriptor}, its metadata {metadata}")]
    Disagreement {
        /// The kernel.
        kernel: String,
        /// What they disagree about.
        what: &'static str,
        /// As the descriptor says.
        descriptor: u32,
        /// As the metadata says.
        metadata: u32,
    },
    /// Metadata that cannot be read or honoured.
    #[error(transparent)]
    Metadata(#[from] MetadataError),
    /// An instruction that cannot be decoded.
    #[error(transparent)]
    Decode(#[from] DecodeError),
}

/// A part of the file that is in memory when a kernel runs.
#[derive(Clone, Debug)]
pub struct Segment {
    /// Its address in the file's address space.
    pub address: u64,
    /// Its bytes, zeros included that the file leaves out.
    pub bytes: Vec<u8>,
    /// Kernels may write it.
    pub writable: bool,
    /// It holds code.
    pub executable: bool,
}

/// A named place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// Its address.
    pub address: u64,
    /// How far it reaches.
    pub size_bytes: u64,
    /// It is code.
    pub is_function: bool,
}

/// A kernel of a code object.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The name by which it is looked up.
    pub name: String,
    /// Address of its first instruction.
    pub entry: u64,
    /// Index of its first instruction.
    pub entry_index: u32,
    /// What the hardware is told.
    pub descriptor: Descriptor,
    /// Alignment of its arguments.
    pub kernarg_align_bytes: u32,
    /// The most threads of a group.
    pub max_group_threads: u32,
    /// The group's extents, where the kernel is compiled for these alone.
    pub required_group: Option<[u32; 3]>,
    /// Its arguments, in order.
    pub args: Vec<Arg>,
}

/// A code object, decoded.
#[derive(Clone, Debug)]
pub struct CodeObject {
    /// What is in memory.
    pub segments: Vec<Segment>,
    /// Functions and objects, by address.
    pub symbols: Vec<Symbol>,
    /// The kernels, in the metadata's order.
    pub kernels: Vec<Kernel>,
    /// The section of code.
    pub program: Program,
}

/// What the structures of an ELF file of 64 bits are aligned to.
const FILE_ALIGN: usize = 8;

impl CodeObject {
    /// Reads and decodes a file.
    ///
    /// # Errors
    /// The first thing that is not as a gfx1201 code object must be.
    pub fn load(file: &[u8]) -> Result<CodeObject, LoadError> {
        // The structures of a file are read where they lie, and a file that is part of another may lie anywhere.
        let mut aligned = vec![0; file.len() + FILE_ALIGN];
        let first = aligned.as_ptr().align_offset(FILE_ALIGN);
        let file = match aligned.get_mut(first..first + file.len()) {
            Some(place) => {
                place.copy_from_slice(file);
                &*place
            }
            None => file,
        };
        let header = FileHeader64::<LittleEndian>::parse(file)?;
        let endian = header.endian()?;
        check_header(header, endian)?;
        let segments = segments(header, endian, file)?;
        let sections = header.sections(endian, file)?;
        check_relocations(&sections, endian, file)?;
        let symbols = symbols(&sections, endian, file)?;
        let (base, text) = text(&sections, endian, file)?;
        let program = decode(text, base).map_err(|mut error| {
            error.symbol = function_at(&symbols, error.pc).map(|symbol| symbol.name.clone());
            error
        })?;
        let note = note(header, endian, file)?;
        let kernels = metadata::kernels(note)?
            .into_iter()
            .map(|note| kernel(note, &segments, &symbols, &program))
            .collect::<Result<_, _>>()?;
        Ok(CodeObject { segments, symbols, kernels, program })
    }

    /// The kernel of this name.
    #[must_use]
    pub fn kernel(&self, name: &str) -> Option<&Kernel> {
        self.kernels.iter().find(|kernel| kernel.name == name)
    }

    /// The function that an address belongs to.
    #[must_use]
    pub fn function_at(&self, pc: u64) -> Option<&Symbol> {
        function_at(&self.symbols, pc)
    }
}

fn function_at(symbols: &[Symbol], pc: u64) -> Option<&Symbol> {
    symbols
        .iter()
        .filter(|symbol| symbol.is_function && symbol.address <= pc)
        .max_by_key(|symbol| symbol.address)
}

/// AMD HSA.
const ELFOSABI_AMDGPU_HSA: u8 = 64;

fn check_header(
    header: &FileHeader64<LittleEndian>,
    endian: LittleEndian,
) -> Result<(), LoadError> {
    let machine = header.e_machine(endian);
    if machine != elf::EM_AMDGPU {
        return Err(LoadError::Machine { machine });
    }
    let (os_abi, version) = (header.e_ident().os_abi, header.e_ident().abi_version);
    if os_abi != ELFOSABI_AMDGPU_HSA || !matches!(version, 3 | 4) {
        return Err(LoadError::Abi { os_abi, version });
    }
    let flags = header.e_flags(endian);
    // The upper byte of a generic target is its version.
    if !(flags == 0x4e || (flags & 0x00ff_ffff == 0x59)) {
        return Err(LoadError::Flags { flags });
    }
    let kind = header.e_type(endian);
    if kind != elf::ET_DYN {
        return Err(LoadError::Unlinked { kind });
    }
    Ok(())
}

fn part(file: &[u8], offset: u64, size_bytes: u64) -> Result<&[u8], LoadError> {
    let range = usize::try_from(offset)
        .ok()
        .and_then(|start| Some(start..start.checked_add(usize::try_from(size_bytes).ok()?)?));
    range.and_then(|range| file.get(range)).ok_or(LoadError::Outside { offset, size_bytes })
}

/// More than any code object's segments take; a broken size shall not ask for all memory.
const MOST_SEGMENT_BYTES: u64 = 1 << 28;

fn segments(
    header: &FileHeader64<LittleEndian>,
    endian: LittleEndian,
    file: &[u8],
) -> Result<Vec<Segment>, LoadError> {
    let mut segments = Vec::new();
    for program in header.program_headers(endian, file)? {
        if program.p_type(endian) != elf::PT_LOAD {
            continue;
        }
        let (offset, size_bytes) = program.file_range(endian);
        let memory_bytes = program.p_memsz(endian);
        let mut bytes = part(file, offset, size_bytes)?.to_vec();
        if memory_bytes < size_bytes || memory_bytes > MOST_SEGMENT_BYTES {
            return Err(LoadError::Outside { offset, size_bytes: memory_bytes });
        }
        bytes.resize(memory_bytes as usize, 0);
        let flags = program.p_flags(endian);
        segments.push(Segment {
            address: program.p_vaddr(endian),
            bytes,
            writable: flags & elf::PF_W != 0,
            executable: flags & elf::PF_X != 0,
        });
    }
    Ok(segments)
}

type Sections<'a> = SectionTable<'a, FileHeader64<LittleEndian>>;

fn check_relocations(
    sections: &Sections<'_>,
    endian: LittleEndian,
    file: &[u8],
) -> Result<(), LoadError> {
    for section in sections.iter() {
        let entry_bytes = match section.sh_type(endian) {
            elf::SHT_RELA => 24,
            elf::SHT_REL => 16,
            _ => continue,
        };
        let count = section.data(endian, file)?.len() / entry_bytes;
        if count > 0 {
            let section = String::from_utf8_lossy(sections.section_name(endian, section)?);
            return Err(LoadError::Relocations { count, section: section.into_owned() });
        }
    }
    Ok(())
}

fn symbols(
    sections: &Sections<'_>,
    endian: LittleEndian,
    file: &[u8],
) -> Result<Vec<Symbol>, LoadError> {
    let mut table = sections.symbols(endian, file, elf::SHT_SYMTAB)?;
    if table.is_empty() {
        table = sections.symbols(endian, file, elf::SHT_DYNSYM)?;
    }
    let mut symbols = Vec::new();
    for symbol in table.iter() {
        let kind = symbol.st_type();
        if symbol.is_undefined(endian) || !matches!(kind, elf::STT_FUNC | elf::STT_OBJECT) {
            continue;
        }
        let name = String::from_utf8_lossy(table.symbol_name(endian, symbol)?).into_owned();
        symbols.push(Symbol {
            name,
            address: symbol.st_value(endian),
            size_bytes: symbol.st_size(endian),
            is_function: kind == elf::STT_FUNC,
        });
    }
    symbols.sort_by_key(|symbol| symbol.address);
    Ok(symbols)
}

fn text<'a>(
    sections: &Sections<'a>,
    endian: LittleEndian,
    file: &'a [u8],
) -> Result<(u64, &'a [u8]), LoadError> {
    let is_code = |flags: u64| {
        flags & u64::from(elf::SHF_EXECINSTR) != 0 && flags & u64::from(elf::SHF_ALLOC) != 0
    };
    let mut texts = sections.iter().filter(|section| is_code(section.sh_flags(endian)));
    match (texts.next(), texts.next()) {
        (Some(section), None) => Ok((section.sh_addr(endian), section.data(endian, file)?)),
        (None, _) => Err(LoadError::Texts { count: 0 }),
        (Some(_), Some(_)) => Err(LoadError::Texts { count: 2 + texts.count() }),
    }
}

/// The type of the note that holds the metadata.
const NT_AMDGPU_METADATA: u32 = 32;

fn note<'a>(
    header: &FileHeader64<LittleEndian>,
    endian: LittleEndian,
    file: &'a [u8],
) -> Result<&'a [u8], LoadError> {
    for program in header.program_headers(endian, file)? {
        let Some(mut notes) = program.notes(endian, file)? else { continue };
        while let Some(note) = notes.next()? {
            if note.name() == b"AMDGPU" && note.n_type(endian) == NT_AMDGPU_METADATA {
                return Ok(note.desc());
            }
        }
    }
    Err(MetadataError::Absent.into())
}

fn bytes_at(segments: &[Segment], address: u64, count: usize) -> Option<&[u8]> {
    segments.iter().find_map(|segment| {
        let start = usize::try_from(address.checked_sub(segment.address)?).ok()?;
        segment.bytes.get(start..start.checked_add(count)?)
    })
}

fn kernel(
    note: KernelNote,
    segments: &[Segment],
    symbols: &[Symbol],
    program: &Program,
) -> Result<Kernel, LoadError> {
    let missing = || LoadError::Symbol { kernel: note.name.clone(), symbol: note.symbol.clone() };
    let symbol = symbols.iter().find(|symbol| symbol.name == note.symbol).ok_or_else(missing)?;
    let bytes = bytes_at(segments, symbol.address, Descriptor::BYTES).ok_or_else(missing)?;
    let bytes = bytes.try_into().expect("as many bytes as were asked for");
    let descriptor = Descriptor::parse(bytes)
        .map_err(|cause| LoadError::Descriptor { kernel: note.name.clone(), cause })?;
    let agreements = [
        ("shared memory of", descriptor.shared_bytes, note.shared_bytes),
        ("scratch memory of", descriptor.scratch_bytes, note.scratch_bytes),
        ("arguments of", descriptor.kernarg_bytes, note.kernarg_bytes),
        ("lanes of a wave:", 32, note.wave_lanes),
    ];
    for (what, descriptor, metadata) in agreements {
        if descriptor != metadata {
            return Err(LoadError::Disagreement { kernel: note.name, what, descriptor, metadata });
        }
    }
    let entry = symbol.address.wrapping_add_signed(descriptor.entry_offset);
    let entry_index = program
        .index_at(entry)
        .ok_or_else(|| LoadError::Entry { kernel: note.name.clone(), entry })?;
    Ok(Kernel {
        name: note.name,
        entry,
        entry_index,
        descriptor,
        kernarg_align_bytes: note.kernarg_align_bytes,
        max_group_threads: note.max_group_threads,
        required_group: note.required_group,
        args: note.args,
    })
}
