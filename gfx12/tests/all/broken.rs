//! Files of which bits are others: they are refused, or run to an end or a fault that is a value. Nothing panics, and nothing runs on.

use crate::llvm;
use crate::words::Random;
use evenweave_gfx12::{Launch, LaunchError, Machine, Module, Options, dispatch};
use std::sync::Arc;

/// Shared memory, scratch that is indexed, atomics, a loop, a branch, division, and half precision.
const KERNEL: &str = r#"
#define global __attribute__((address_space(1)))
static __attribute__((address_space(3), loader_uninitialized)) int tile[64];
__attribute__((amdgpu_kernel))
void work(global int *out, global const int *in, int n, float by) {
  unsigned t = __builtin_amdgcn_workitem_id_x(), i = __builtin_amdgcn_workgroup_id_x() * 64 + t;
  int own[12];
  for (int k = 0; k < 12; k++) own[k] = in[(i + k) & 127];
  tile[t] = own[t % 12];
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  float sum = 0;
  _Float16 half = (_Float16)by;
  for (int k = 0; k < n; k++) sum += (float)tile[(t + k) & 63] / (by + k) + (float)(half * (_Float16)k);
  int lane = __builtin_amdgcn_ds_bpermute(4 * (t ^ 5), (int)sum);
  if (t & 1) __atomic_fetch_add(&out[127], lane, __ATOMIC_RELAXED);
  if (i < 127) out[i] = lane / (in[i] | 1);
}
"#;

fn file() -> Vec<u8> {
    let scratch =
        ["-mllvm", "-disable-promote-alloca-to-vector", "-mllvm", "-disable-promote-alloca-to-lds"];
    llvm::compile(KERNEL, &scratch)
}

/// Runs the one kernel of a file, if there is one that can be run.
fn run(file: &[u8]) -> Option<Result<Vec<u8>, LaunchError>> {
    let module = Arc::new(Module::load(file).ok()?);
    let kernel = module.kernel("work")?;
    let mut machine = Machine::new(Options { budget: 20_000, ..Options::default() });
    let mut kernarg = Vec::new();
    let [out, input] = [0, 1].map(|_| machine.memory.alloc(512).expect("there is room"));
    for (buffer, byte) in [(out, 0), (input, 3)] {
        machine.memory.fill(buffer, byte, 512).expect("it is memory");
        kernarg.extend(buffer.to_le_bytes());
    }
    kernarg.extend(7u32.to_le_bytes());
    kernarg.extend(1.5f32.to_le_bytes());
    let launch =
        Launch { groups: [2, 1, 1], threads: [64, 1, 1], kernarg, dynamic_shared_bytes: 0 };
    Some(machine.launch(&module, kernel, &launch).map(|_| {
        let mut bytes = vec![0; 512];
        machine.memory.read(out, &mut bytes).expect("it is memory");
        bytes
    }))
}

#[test]
fn broken_code_ends_or_is_named() {
    let whole = file();
    let want = run(&whole).expect("it is loaded").expect("it runs");
    assert!(want.iter().any(|&byte| byte != 0));
    let object = Module::load(&whole).expect("it is read");
    let (base, last) = (object.program().base, object.program().insts.last().expect("code"));
    let code = whole
        .windows(64)
        .position(|bytes| *bytes == object.image()[base as usize..][..64])
        .expect("the code is in the file");
    let code_bytes = (last.pc + u64::from(last.size_bytes) - base) as u32;
    let mut random = Random::new(5);
    let (mut refused, mut faults, mut ended, mut other) = (0, 0, 0, 0);
    for _ in 0..6000 {
        let mut broken = whole.clone();
        for _ in 0..=random.below(3) {
            let place = match random.chance(80) {
                true => code + random.below(code_bytes.into()) as usize,
                false => random.below(whole.len() as u64) as usize,
            };
            broken[place] ^= 1 << random.below(8);
        }
        match run(&broken) {
            None => refused += 1,
            Some(Ok(got)) => {
                ended += 1;
                other += u32::from(got != want);
            }
            Some(Err(LaunchError::Fault(fault))) => {
                faults += 1;
                assert!(!fault.instruction.is_empty(), "{fault}");
                assert_eq!(fault.to_string().lines().count(), 1);
            }
            Some(Err(LaunchError::Limit { .. } | LaunchError::Memory(_))) => refused += 1,
        }
    }
    // All three happen, and code that does something else is not passed over.
    let all = [refused, faults, ended, other];
    assert!(all.iter().all(|&count| count > 200), "{all:?}");
}

#[test]
fn cut_files_are_refused() {
    let whole = file();
    for bytes in 0..whole.len() {
        // The table of sections is the last thing in the file: no shorter one is whole.
        assert!(Module::load(&whole[..bytes]).is_err(), "{bytes} of {}", whole.len());
    }
}

/// A descriptor and metadata that agree about more than there can be.
#[test]
fn more_than_the_machine_has_is_refused_before_it_is_taken() {
    let whole = file();
    let object = Module::load(&whole).expect("it is read");
    let descriptor = &object.kernels()[0].descriptor;
    let (scratch, args) = (descriptor.scratch_bytes, descriptor.kernarg_bytes);
    assert!((48..128).contains(&scratch) && args == 24, "small numbers, of a byte in MessagePack");
    // The same bytes with a number of 32 bits in the metadata: the note grows by four, so a key that nobody reads makes room.
    let grown = |key: &str, was: u32, at: usize, number: u32| {
        let mut file = whole.clone();
        let place = find(&file, key.as_bytes()) + key.len();
        assert_eq!(u32::from(file[place]), was);
        // A key that nobody reads: `.sgpr_spill_count` becomes `.sgpr_spill_c`.
        let room = find(&file, b"\xb1.sgpr_spill_count");
        let shorter = b"\xad.sgpr_spill_c";
        assert!(place < room);
        let mut note = vec![0xce];
        note.extend(number.to_be_bytes());
        note.extend(&file[place + 1..room]);
        note.extend(shorter);
        file[place..place + note.len()].copy_from_slice(&note);
        let symbol = find(&whole, &object.image()[kd(&whole)..][..64]);
        file[symbol + at..symbol + at + 4].copy_from_slice(&number.to_le_bytes());
        file
    };
    for (key, was, at, most, what) in [
        (
            ".private_segment_fixed_size",
            scratch,
            4,
            dispatch::MOST_SCRATCH_BYTES,
            "bytes of scratch memory of a lane",
        ),
        (".kernarg_segment_size", args, 8, 1 << 20, "bytes of arguments"),
    ] {
        assert!(matches!(run(&grown(key, was, at, most)), Some(Ok(_))), "{key}");
        for number in [most + 1, u32::MAX] {
            match run(&grown(key, was, at, number)) {
                Some(Err(LaunchError::Limit { what: named, count, limit, .. })) => {
                    assert_eq!((named, count, limit), (what, number.into(), most.into()));
                }
                other => panic!("{key} of {number}: {other:?}"),
            }
        }
    }
}

fn find(file: &[u8], what: &[u8]) -> usize {
    file.windows(what.len()).position(|bytes| bytes == what).expect("it is in the file")
}

/// Where the kernel's descriptor is.
fn kd(file: &[u8]) -> usize {
    let object = evenweave_gfx12::CodeObject::load(file).expect("it is read");
    let symbol = object.symbols.iter().find(|symbol| symbol.name == "work.kd");
    symbol.expect("a kernel has a descriptor").address as usize
}

/// The product of the second shape is 349 * 2^64 + 32: in 64 bits, 32.
#[test]
fn a_group_of_more_threads_than_can_be_counted_is_refused() {
    let module = Arc::new(Module::load(&file()).expect("it is read"));
    let mut machine = Machine::new(Options::default());
    for threads in [[u32::MAX; 3], [3_377_834_149, 1_768_936, 1_077_444], [1 << 31, 1 << 31, 4]] {
        let launch =
            Launch { groups: [1; 3], threads, kernarg: vec![0; 24], dynamic_shared_bytes: 0 };
        let refused = machine.launch(&module, 0, &launch);
        assert!(
            matches!(refused, Err(LaunchError::Limit { what: "threads of a group", .. })),
            "{threads:?}: {refused:?}"
        );
    }
}
