//! Code objects that clang makes, and what is refused of them when a byte is another.

use crate::llvm;
use crate::words::Random;
use evenweave_gfx12::co::{ArgKind, DescriptorError, MetadataError, UserSgpr};
use evenweave_gfx12::{CodeObject, LoadError};

const KERNEL: &str = r#"
static __attribute__((address_space(3), loader_uninitialized)) int tile[33];
__attribute__((amdgpu_kernel))
void copy(__attribute__((address_space(1))) int *out, __attribute__((address_space(1))) const int *in, int n, short bias) {
  unsigned i = __builtin_amdgcn_workgroup_id_y() * 64 + __builtin_amdgcn_workitem_id_x();
  tile[__builtin_amdgcn_workitem_id_x() % 33] = bias;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  if (i < n) out[i] = in[i] + tile[i % 7];
}
"#;

fn file() -> Vec<u8> {
    llvm::compile(KERNEL, &[])
}

#[test]
fn a_kernel_is_read_as_clang_wrote_it() {
    let object = CodeObject::load(&file()).expect("it is read");
    let kernel = object.kernel("copy").expect("it is there");
    assert!(object.kernel("other").is_none());
    // Two addresses, an int, a short: 22 bytes; 33 ints of shared memory.
    let args: Vec<(u32, u32, ArgKind)> =
        kernel.args.iter().map(|arg| (arg.offset_bytes, arg.size_bytes, arg.kind)).collect();
    let (buffer, value) = (ArgKind::GlobalBuffer, ArgKind::ByValue);
    assert_eq!(args, [(0, 8, buffer), (8, 8, buffer), (16, 4, value), (20, 2, value)]);
    assert_eq!(kernel.descriptor.kernarg_bytes, 24);
    assert_eq!(kernel.descriptor.shared_bytes, 132);
    assert_eq!(kernel.descriptor.scratch_bytes, 0);
    assert_eq!(kernel.descriptor.user_sgprs, [UserSgpr::Kernarg]);
    assert_eq!(kernel.descriptor.thread_ids, 1);
    assert!(kernel.descriptor.group_ids[1], "the group's number along y is used");
    assert_eq!(kernel.max_group_threads, 1024);
    let entry = &object.program.insts[kernel.entry_index as usize];
    assert_eq!(entry.pc, kernel.entry);
    assert_eq!(object.function_at(kernel.entry).map(|f| &*f.name), Some("copy"));
    let code = object.segments.iter().find(|segment| segment.executable).expect("there is code");
    let range = code.address..code.address + code.bytes.len() as u64;
    assert!(range.contains(&kernel.entry) && !code.writable);
}

#[test]
fn hidden_arguments_have_their_kinds() {
    let text = "__attribute__((amdgpu_kernel)) void size(__attribute__((address_space(1))) int *out) {
        __attribute__((address_space(4))) const unsigned short *hidden =
            (__attribute__((address_space(4))) const unsigned short *)__builtin_amdgcn_implicitarg_ptr();
        *out = hidden[6];
    }";
    let object = CodeObject::load(&llvm::compile(text, &[])).expect("it is read");
    let kernel = object.kernel("size").expect("it is there");
    // The size along x is 12 bytes behind the first hidden argument, at the next multiple of 8.
    let arg = kernel.args.iter().find(|arg| arg.kind == ArgKind::GroupSize(0));
    assert_eq!(arg.map(|arg| (arg.offset_bytes, arg.size_bytes)), Some((20, 2)));
}

/// The file with other bytes at this place.
fn patched(place: usize, bytes: &[u8]) -> LoadError {
    let mut file = file();
    file[place..place + bytes.len()].copy_from_slice(bytes);
    CodeObject::load(&file).expect_err("it is refused")
}

#[test]
fn other_machines_are_refused() {
    assert!(matches!(CodeObject::load(b"no ELF"), Err(LoadError::Elf(_))));
    assert!(matches!(patched(18, &62_u16.to_le_bytes()), LoadError::Machine { machine: 62 }));
    assert!(matches!(patched(7, &[0]), LoadError::Abi { os_abi: 0, .. }));
    assert!(matches!(patched(8, &[2]), LoadError::Abi { version: 2, .. }));
    assert!(matches!(patched(16, &1_u16.to_le_bytes()), LoadError::Unlinked { kind: 1 }));
    // gfx1100, and gfx1201 with a feature that it does not have.
    assert!(matches!(patched(48, &0x41_u32.to_le_bytes()), LoadError::Flags { flags: 0x41 }));
    assert!(matches!(patched(48, &0x34e_u32.to_le_bytes()), LoadError::Flags { flags: 0x34e }));
}

/// Where the descriptor of `copy` begins in the file: read-only data is where the file has it.
fn descriptor(file: &[u8]) -> usize {
    let object = CodeObject::load(file).expect("it is read");
    let symbol = object.symbols.iter().find(|symbol| symbol.name == "copy.kd");
    symbol.expect("a kernel has a descriptor").address as usize
}

#[test]
fn descriptors_that_cannot_be_honoured_are_refused() {
    let file = file();
    let at = descriptor(&file);
    let refused = |offset: usize, flip: u32| {
        let place = at + offset;
        let word = u32::from_le_bytes(file[place..place + 4].try_into().expect("four bytes"));
        match patched(place, &(word ^ flip).to_le_bytes()) {
            LoadError::Descriptor { kernel, cause } => {
                assert_eq!(kernel, "copy");
                cause
            }
            other => panic!("{other}"),
        }
    };
    assert_eq!(refused(56, 1 << 10), DescriptorError::Wave64);
    assert_eq!(refused(48, 1 << 12), DescriptorError::Rounding { rounding: 1 });
    let bits = |cause| match cause {
        DescriptorError::Bits { field, unsupported, .. } => (field, unsupported),
        other => panic!("{other}"),
    };
    // Clamping of f16, a trap handler, the queue's address, preloaded arguments.
    assert_eq!(bits(refused(48, 1 << 26)), ("compute_pgm_rsrc1", 1 << 26));
    assert_eq!(bits(refused(52, 1 << 6)), ("compute_pgm_rsrc2", 1 << 6));
    assert_eq!(bits(refused(56, 1 << 2)), ("properties", 1 << 2));
    assert_eq!(bits(refused(56, 1 << 16)), ("kernarg_preload", 1));
    let counts = DescriptorError::UserSgprs { counted: 2, named: 4 };
    assert_eq!(refused(56, 1 << 4), counts);
}

#[test]
fn descriptor_and_metadata_must_agree() {
    let file = file();
    let at = descriptor(&file);
    let error = patched(at, &136_u32.to_le_bytes());
    assert_eq!(
        error.to_string(),
        "kernel copy: its descriptor says shared memory of 136, its metadata 132"
    );
    let error = patched(at + 16, &0_u64.to_le_bytes());
    assert!(matches!(error, LoadError::Entry { .. }), "{error}");
}

#[test]
fn unknown_metadata_is_refused() {
    let replaced = |from: &str, to: &str| {
        assert_eq!(from.len(), to.len());
        let mut file = file();
        let place = file
            .windows(from.len())
            .position(|window| window == from.as_bytes())
            .expect("the metadata say so");
        file[place..place + to.len()].copy_from_slice(to.as_bytes());
        CodeObject::load(&file).expect_err("it is refused")
    };
    let error = replaced("global_buffer", "global_biffer");
    let LoadError::Metadata(error) = error else { panic!("{error}") };
    let (kernel, kind) = ("copy".to_owned(), "global_biffer".to_owned());
    assert_eq!(error, MetadataError::ArgKind { kernel, kind });
    let error = replaced("amdhsa--gfx1201", "amdhsa--gfx1100");
    assert!(matches!(error, LoadError::Metadata(MetadataError::Target { .. })), "{error}");
    let error = replaced(".value_kind", ".valve_kind");
    assert!(matches!(error, LoadError::Metadata(MetadataError::Key { .. })), "{error}");
}

#[test]
fn an_unknown_instruction_names_its_kernel() {
    let file = file();
    let object = CodeObject::load(&file).expect("it is read");
    let kernel = object.kernel("copy").expect("it is there");
    let code = object.segments.iter().find(|segment| segment.executable).expect("there is code");
    let first = file
        .windows(code.bytes.len())
        .position(|window| window == code.bytes)
        .expect("the code is in the file");
    let place = first + (kernel.entry - code.address) as usize;
    let error = patched(place, &0xbf90_0001_u32.to_le_bytes());
    let LoadError::Decode(error) = error else { panic!("{error}") };
    assert_eq!(error.symbol.as_deref(), Some("copy"));
    assert_eq!(error.pc, kernel.entry);
}

/// Files with a few bytes changed anywhere: read or refused, in either case by a value.
#[test]
fn broken_files_are_refused_without_a_panic() {
    let file = file();
    let mut random = Random::new(2);
    let mut refused = 0;
    for _ in 0..4000 {
        let mut broken = file.clone();
        for _ in 0..=random.below(3) {
            let place = random.below(file.len() as u64) as usize;
            broken[place] = random.next() as u8;
        }
        if random.chance(10) {
            broken.truncate(random.below(file.len() as u64) as usize);
        }
        refused += u32::from(CodeObject::load(&broken).is_err());
    }
    assert!(refused > 400, "{refused} of 4000 were refused");
}
