//! Every checker of the machine fires, on code that clang-19 made of a small kernel, and what it says is right; and what is
//! right is let through. clang-19 must be here.

use evenweave_gfx12::{
    Cause, Fault, Launch, LaunchError, Machine, Module, Options, Stats,
    mem::{Access, AccessCause, AccessError, Space},
};
use std::{
    io::Write,
    process::{Command, Stdio},
    sync::Arc,
};

const HEAD: &str = r#"
#define KERNEL extern "C" __attribute__((global))
#define SHARED __attribute__((shared))
typedef unsigned u32; typedef unsigned char u8; typedef unsigned long long u64;
#define tid __builtin_amdgcn_workitem_id_x()
__attribute__((device)) inline void barrier() {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup", "local");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup", "local");
}
#line 1 "author.rs"
"#;

fn compile(text: &str) -> Arc<Module> {
    let mut child = Command::new("clang-19")
        .args([
            "-x",
            "hip",
            "--cuda-device-only",
            "--offload-arch=gfx1201",
            "-nogpuinc",
            "-nogpulib",
        ])
        .args(["-O3", "-std=c++17", "-gline-tables-only", "-Wno-unused-value"])
        .args(["--no-gpu-bundle-output", "-c", "-o", "-", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("clang-19 is needed by this test");
    child.stdin.take().unwrap().write_all([HEAD, text].concat().as_bytes()).unwrap();
    let out = child.wait_with_output().unwrap();
    assert!(out.status.success(), "clang-19 does not compile:\n{text}");
    Arc::new(Module::load(&out.stdout).unwrap())
}

/// A machine with one buffer of so many words, all 0, as first argument; more words follow.
struct Bench {
    machine: Machine,
    module: Arc<Module>,
    buffer: u64,
    words: usize,
}

impl Bench {
    fn with(text: &str, words: usize, options: Options) -> Bench {
        let mut machine = Machine::new(options);
        let buffer = machine.memory.alloc(4 * words as u64).unwrap();
        machine.memory.fill(buffer, 0, 4 * words as u64).unwrap();
        Bench { machine, module: compile(text), buffer, words }
    }

    fn new(text: &str, words: usize) -> Bench {
        Bench::with(text, words, Options::default())
    }

    fn run(&mut self, threads: u32, args: &[u32]) -> Result<Stats, LaunchError> {
        self.run_on([1, 1, 1], [threads, 1, 1], args)
    }

    fn run_on(
        &mut self,
        groups: [u32; 3],
        threads: [u32; 3],
        args: &[u32],
    ) -> Result<Stats, LaunchError> {
        let mut kernarg = self.buffer.to_le_bytes().to_vec();
        kernarg.extend(args.iter().flat_map(|word| word.to_le_bytes()));
        let launch = Launch { groups, threads, kernarg, dynamic_shared_bytes: 0 };
        self.machine.launch(&self.module, 0, &launch)
    }

    fn fault(&mut self, threads: u32, args: &[u32]) -> Fault {
        match self.run(threads, args) {
            Err(LaunchError::Fault(fault)) => *fault,
            other => panic!("no fault: {other:?}"),
        }
    }

    fn read(&mut self) -> Vec<u32> {
        let mut bytes = vec![0; 4 * self.words];
        self.machine.memory.read(self.buffer, &mut bytes).unwrap();
        bytes.chunks(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect()
    }
}

fn access(fault: &Fault) -> &AccessError {
    match &fault.cause {
        Cause::Access(error) => error,
        other => panic!("no access: {other}"),
    }
}

fn line(fault: &Fault) -> Option<u32> {
    assert!(fault.place.as_ref().is_none_or(|place| place.file == "author.rs"), "{fault}");
    fault.place.as_ref().map(|place| place.line)
}

#[test]
fn ids_and_sizes_are_those_of_the_launch() {
    let text = r#"
KERNEL void ids(u32* y) {
    u32 sx = __builtin_amdgcn_workgroup_size_x(), sy = __builtin_amdgcn_workgroup_size_y(), sz = __builtin_amdgcn_workgroup_size_z();
    u32 x = __builtin_amdgcn_workgroup_id_x() * sx + tid;
    u32 y_ = __builtin_amdgcn_workgroup_id_y() * sy + __builtin_amdgcn_workitem_id_y();
    u32 z = __builtin_amdgcn_workgroup_id_z() * sz + __builtin_amdgcn_workitem_id_z();
    u32 nx = __builtin_amdgcn_grid_size_x(), ny = __builtin_amdgcn_grid_size_y();
    y[(z * 12 + y_) * 10 + x] = x | y_ << 8 | z << 16;
}
"#;
    // `grid_size` reads the dispatch packet, which is not there: it is not used.
    let text = text.replace(
        "    u32 nx = __builtin_amdgcn_grid_size_x(), ny = __builtin_amdgcn_grid_size_y();\n",
        "",
    );
    let mut bench = Bench::new(&text, 10 * 12 * 6);
    let stats = bench.run_on([2, 3, 2], [5, 4, 3], &[]).unwrap();
    assert_eq!(stats.waves, 12 * 2);
    let got = bench.read();
    for z in 0..6 {
        for y in 0..12 {
            for x in 0..10 {
                assert_eq!(got[(z * 12 + y) * 10 + x], (x | y << 8 | z << 16) as u32);
            }
        }
    }
}

#[test]
fn global_memory_ends_where_it_ends() {
    let mut bench = Bench::new(
        "KERNEL void past(u32* y, u32 n) {\n    u32 i = tid + n;\n    y[i] = i;\n}\n",
        64,
    );
    bench.run(64, &[0]).unwrap();
    assert_eq!(bench.read()[63], 63);
    let fault = bench.fault(64, &[1]);
    let error = access(&fault);
    assert_eq!((error.lane, error.access, error.space), (31, Access::Store, Space::Global));
    assert_eq!(error.address, bench.buffer + 256);
    assert!(matches!(error.cause, AccessCause::OutOfBounds { bytes: 256, offset: 256, .. }));
    assert_eq!((fault.kernel.as_str(), fault.wave, line(&fault)), ("past", 1, Some(3)));
    let text = fault.to_string();
    for word in
        ["author.rs:3", "past", "global_store_b32", "lane 31", "allocation 1", "of 256 bytes"]
    {
        assert!(text.contains(word), "{word} is not in: {text}");
    }
    assert_eq!(text.lines().count(), 1);
}

#[test]
fn unwritten_and_freed_memory_is_not_read() {
    let text = "KERNEL void copy(u32* y, const u32* x) { y[tid] = x[tid]; }";
    let mut bench = Bench::new(text, 32);
    let other = bench.machine.memory.alloc(128).unwrap();
    bench.machine.memory.write(other, &[7; 100]).unwrap();
    let args = [other as u32, (other >> 32) as u32];
    let fault = bench.fault(32, &args);
    assert_eq!(access(&fault).lane, 25);
    assert_eq!(access(&fault).cause, AccessCause::Unwritten { at: other + 100 });
    bench.machine.memory.write(other + 100, &[7; 28]).unwrap();
    bench.run(32, &args).unwrap();
    assert_eq!(bench.read(), [0x0707_0707; 32]);
    bench.machine.memory.free(other).unwrap();
    assert!(matches!(access(&bench.fault(32, &args)).cause, AccessCause::Freed { bytes: 128, .. }));
}

#[test]
fn arguments_and_code_are_read_only_and_end() {
    let past = "KERNEL void args(u32* y, u32 i) {
    y[tid] = ((const __attribute__((address_space(4))) u32*)__builtin_amdgcn_kernarg_segment_ptr())[i];
}";
    let mut bench = Bench::new(past, 32);
    bench.run(32, &[2]).unwrap();
    assert_eq!(bench.read(), [2; 32]);
    // Behind the 12 bytes of arguments, in the 16 that compilers know to be there: nothing that could be used.
    let fault = bench.fault(32, &[3]);
    assert!(matches!(fault.cause, Cause::UnwrittenVgpr { lane: 0, .. }), "{fault}");
    let fault = bench.fault(32, &[4]);
    assert!(matches!(access(&fault).cause, AccessCause::OutOfBounds { offset: 16, .. }), "{fault}");
    let write = "KERNEL void self(u32* y, u32 i) { if (i) y = (u32*)__builtin_amdgcn_kernarg_segment_ptr(); y[tid % 2] = i; }";
    let mut bench = Bench::new(write, 32);
    bench.run(32, &[0]).unwrap();
    let fault = bench.fault(32, &[1]);
    assert!(matches!(access(&fault).cause, AccessCause::ReadOnly { .. }), "{fault}");
}

#[test]
fn shared_memory_ends_and_begins_unwritten() {
    let text = "KERNEL void shared(u32* y, u32 at, u32 from) {
    SHARED u32 a[64];
    a[tid + at] = tid;
    barrier();
    y[tid] = a[(tid + from) % 64];
}";
    let mut bench = Bench::new(text, 64);
    bench.run(64, &[0, 3]).unwrap();
    assert_eq!(bench.read()[62], 1);
    let fault = bench.fault(64, &[1, 0]);
    let error = access(&fault);
    assert_eq!(
        (error.space, error.lane, fault.wave, line(&fault)),
        (Space::Shared, 31, 1, Some(3))
    );
    assert!(matches!(error.cause, AccessCause::OutOfBounds { bytes: 256, offset: 256, .. }));
    let fault = bench.fault(32, &[0, 16]);
    let error = access(&fault);
    assert_eq!((error.access, error.lane, line(&fault)), (Access::Load, 16, Some(5)));
    assert_eq!(error.cause, AccessCause::Unwritten { at: 128 });
}

#[test]
fn scratch_ends_and_begins_unwritten() {
    let text = "KERNEL void scratch(u32* y, u32 at, u32 from) {
    u32 a[24];
    for (u32 i = 0; i < 20; i++) ((volatile u32*)a)[i * at % 24] = i + tid;
    y[tid] = ((volatile u32*)a)[from];
}";
    let mut bench = Bench::new(text, 32);
    bench.run(32, &[1, 19]).unwrap();
    assert_eq!(bench.read()[5], 24);
    // By a flat address, which is how the author's arrays are read: what is read there is used.
    let fault = bench.fault(32, &[1, 20]);
    let error = access(&fault);
    assert_eq!((error.space, error.access), (Space::Scratch, Access::Load), "{fault}");
    assert!(matches!(error.cause, AccessCause::Unwritten { .. }));
    let fault = bench.fault(32, &[1, 200]);
    assert!(matches!(access(&fault).cause, AccessCause::OutOfBounds { .. }), "{fault}");
}

#[test]
fn what_is_spilled_need_not_have_been_written() {
    // A tuple of which v50 is written in lanes below `n` alone goes to the stack and comes back; then `uses` takes place.
    let text = |uses: &str| {
        format!(
            r#"KERNEL void spill(u32* y, u32 n) {{
    volatile u32 a[4];
    a[0] = 1, a[1] = 2, a[2] = 3, a[3] = 4;
    u32 at = (u32)(__attribute__((address_space(5))) u32*)a, x = 7, z = 7;
    asm volatile("v_mov_b32 v48, %0\n v_mov_b32 v49, 5" :: "v"(tid) : "v48", "v49");
    if (tid < n) asm volatile("v_mov_b32 v50, 9" ::: "v50");
    asm volatile("scratch_store_b96 %0, v[48:50], off\n v_mov_b32 v50, 1\n scratch_load_b96 v[51:53], %0, off\n s_wait_loadcnt 0x0" :: "v"(at) : "v48", "v49", "v50", "v51", "v52", "v53");
{uses}
    y[tid] = x + z;
}}"#
        )
    };
    let run = |uses: &str, n: u32| {
        let mut bench = Bench::new(&text(uses), 32);
        let result = bench.run(32, &[n]);
        (result, bench.read())
    };
    let fault = |uses: &str, n: u32| match run(uses, n).0 {
        Err(LaunchError::Fault(fault)) => *fault,
        other => panic!("no fault: {other:?}"),
    };
    // The two that were written are what they were; the third is not used, not even by a copy or a second spill.
    let used = r#"    asm volatile("v_mov_b32 %0, v51\n v_mov_b32 %1, v52" : "=&v"(x), "=&v"(z) :: "v51", "v52");"#;
    let copied = r#"    asm volatile("v_mov_b32 v54, v53\n scratch_store_b32 %0, v54, off offset:12\n scratch_load_b32 v55, %0, off offset:12\n s_wait_loadcnt 0x0" :: "v"(at) : "v53", "v54", "v55");"#;
    for uses in [used.to_owned(), [copied, used].join("\n")] {
        let (result, y) = run(&uses, 0);
        result.unwrap();
        assert_eq!(y, (0..32).map(|lane| lane + 5).collect::<Vec<u32>>());
    }
    // A use names the first lane that has nothing, and the line; where all lanes have something it is none.
    let add = r#"    asm volatile("v_add_nc_u32 %0, v53, v53" : "=v"(x) :: "v53");"#;
    let fault_of_use = fault(add, 11);
    assert_eq!(fault_of_use.cause, Cause::UnwrittenVgpr { register: 53, lane: 11 });
    assert_eq!(line(&fault_of_use), Some(8), "{fault_of_use}");
    assert_eq!(run(add, 32).1[3], 18 + 7);
    // A half, a byte, and a part of a wider load are as unwritten.
    for load in ["b32 v53", "u16 v53", "i8 v53", "d16_b16 v53", "d16_hi_b16 v53", "b64 v[52:53]"] {
        let from = if load.starts_with("b64") { 4 } else { 8 };
        let again = format!(
            "    asm volatile(\"scratch_load_{load}, %1, off offset:{from}\\n s_wait_loadcnt 0x0\\n v_add_nc_u32 %0, v53, v53\" : \"=v\"(x) : \"v\"(at) : \"v52\", \"v53\");"
        );
        let fault = fault(&again, 0);
        assert_eq!(fault.cause, Cause::UnwrittenVgpr { register: 53, lane: 0 }, "{load}");
    }
    // What is written after that, by a byte as well, is written; the rest of the word is not.
    let bytes = |count: u32| {
        let stores: String = (8..8 + count)
            .map(|at| format!("scratch_store_b8 %1, v48, off offset:{at}\\n "))
            .collect();
        format!(
            "    asm volatile(\"{stores}scratch_load_b32 v53, %1, off offset:8\\n s_wait_loadcnt 0x0\\n v_add_nc_u32 %0, v53, v53\" : \"=v\"(x) : \"v\"(at) : \"v48\", \"v53\");"
        )
    };
    assert_eq!(run(&bytes(4), 0).1[3], 2 * 0x0303_0303 + 7);
    assert!(matches!(fault(&bytes(3), 0).cause, Cause::UnwrittenVgpr { register: 53, lane: 0 }));
    // A store for others to see is a use.
    for store in [
        r#"global_store_b96 %0, v[51:53], off" :: "v"(y)"#,
        r#"ds_store_b32 %0, v53" :: "v"(0)"#,
        r#"flat_store_b32 %0, v53" :: "v"(y)"#,
    ] {
        let fault = fault(&format!("    asm volatile(\"{store} : \"memory\");"), 0);
        assert_eq!(fault.cause, Cause::UnwrittenVgpr { register: 53, lane: 0 }, "{store}");
    }
}

#[test]
fn registers_are_written_before_they_are_read() {
    let vector = r#"KERNEL void vector(u32* y, u32 n) {
    u32 x;
    if (tid < n) asm volatile("v_mov_b32 v9, 5" ::: "v9");
    asm volatile("v_add_nc_u32 %0, v9, v9" : "=v"(x) :: "v9");
    y[tid] = x;
}"#;
    let mut bench = Bench::new(vector, 32);
    bench.run(32, &[32]).unwrap();
    assert_eq!(bench.read(), [10; 32]);
    let fault = bench.fault(32, &[7]);
    assert_eq!(fault.cause, Cause::UnwrittenVgpr { register: 9, lane: 7 });
    assert_eq!(line(&fault), Some(4));
    let scalar = r#"KERNEL void scalar(u32* y) {
    u32 x;
    asm volatile("s_add_co_u32 %0, s20, s20" : "=s"(x) :: "s20");
    y[tid] = x;
}"#;
    let fault = Bench::new(scalar, 32).fault(32, &[]);
    assert_eq!(fault.cause, Cause::UnwrittenSgpr { register: 20 });
}

const RACE: &str = "KERNEL void race(u32* y, u32 n) {
    SHARED u32 a[128];
    a[tid] = tid;
    if (n > 0) barrier();
    y[tid] = a[(tid + 32) % 128];
}";

#[test]
fn a_race_names_both_instructions() {
    let mut bench = Bench::new(RACE, 128);
    bench.run(128, &[1]).unwrap();
    assert_eq!(bench.read()[100], 4);
    // In order the second wave reads the third's place before that is written, the last one what the first has written.
    let options = Options {
        checks: evenweave_gfx12::Checks { memory: false, ..Options::default().checks },
        ..Options::default()
    };
    let mut bench = Bench::with(RACE, 128, options);
    let fault = bench.fault(128, &[0]);
    let error = access(&fault);
    let AccessCause::Race { wave, pc, access } = error.cause else { panic!("{fault}") };
    assert_eq!((fault.wave, wave, access, error.access), (1, 0, Access::Load, Access::Store));
    assert_ne!(u64::from(pc), fault.pc);
    assert_eq!(line(&fault), Some(3));
    assert_eq!(fault.other_place.as_ref().map(|place| place.line), Some(5));
    // In words: both lines, both addresses; and at the other address is the load.
    let text = fault.to_string();
    let addresses = [format!("at pc {pc:#x}, no barrier"), format!("at pc {:#x}, group", fault.pc)];
    for word in ["author.rs:3: race: store", "(author.rs:5)", &addresses[0], &addresses[1]] {
        assert!(text.contains(word), "{word} is not in: {text}");
    }
    let program = bench.module.program();
    let other = program.index_at(pc.into()).expect("an instruction begins there");
    assert!(program.text(other).starts_with("ds_load_b32"), "{}", program.text(other));
    // One wave does not race with itself.
    bench.run(32, &[0]).unwrap();
}

#[test]
fn waves_that_all_wait_are_a_deadlock() {
    let text = r#"KERNEL void wait(u32* y, u32 n) {
    if (__builtin_amdgcn_readfirstlane(tid) < n) asm volatile("s_barrier_signal -1");
    asm volatile("s_barrier_wait -1");
    y[tid] = 1;
}"#;
    let mut bench = Bench::new(text, 96);
    bench.run(96, &[96]).unwrap();
    let fault = bench.fault(96, &[64]);
    assert_eq!(fault.cause, Cause::Deadlock { waiting: 3, waves: 3 });
    assert!(fault.instruction.contains("s_barrier_wait"), "{fault}");
    assert_eq!(line(&fault), Some(3));
}

#[test]
fn a_barrier_that_a_wave_leaves_out_is_passed_when_it_ends() {
    let text = "KERNEL void leave(u32* y, u32 n) {
    if (__builtin_amdgcn_readfirstlane(tid) < n) barrier();
    y[tid] = 1;
}";
    Bench::new(text, 96).run(96, &[64]).unwrap();
}

#[test]
fn what_does_not_end_is_stopped() {
    let text = "KERNEL void spin(u32* y, u32 n) {
    while (*(volatile u32*)y != n);
}";
    let mut bench = Bench::with(text, 1, Options { budget: 10_000, ..Options::default() });
    bench.run(32, &[0]).unwrap();
    let fault = bench.fault(32, &[1]);
    assert_eq!(fault.cause, Cause::Budget { instructions: 10_000 });
    assert_eq!(line(&fault), Some(2));
}

#[test]
fn a_seed_decides_the_order_of_waves() {
    let text = "KERNEL void order(u32* y) {
    if (tid % 32 == 0) y[1 + __atomic_fetch_add(y, 1, __ATOMIC_RELAXED)] = tid / 32;
}";
    let orders = |seed: Option<u64>| {
        let mut bench = Bench::with(text, 17, Options { wave_order: seed, ..Options::default() });
        bench.run(512, &[]).unwrap();
        bench.read()[1..].to_vec()
    };
    let in_order: Vec<u32> = (0..16).collect();
    assert_eq!(orders(None), in_order);
    let mixed: Vec<Vec<u32>> = (0..4).map(|seed| orders(Some(seed))).collect();
    for (seed, order) in (0..).zip(&mixed) {
        assert_eq!(*order, orders(Some(seed)));
        let mut sorted = order.clone();
        sorted.sort();
        assert_eq!(sorted, in_order);
    }
    assert!(mixed.iter().any(|order| *order != mixed[0]) && mixed.iter().any(|o| *o != in_order));
}

#[test]
fn a_launch_that_cannot_be_is_refused() {
    let mut bench = Bench::new(RACE, 128);
    for (threads, args) in [(0, &[1][..]), (1025, &[1]), (128, &[]), (128, &[1, 1])] {
        assert!(matches!(bench.run(threads, args), Err(LaunchError::Limit { .. })), "{threads}");
    }
    let launch = Launch {
        groups: [1, 1, 1],
        threads: [32, 1, 1],
        kernarg: vec![0; 12],
        dynamic_shared_bytes: 65536 - 511,
    };
    let refused = bench.machine.launch(&bench.module, 0, &launch);
    assert!(matches!(refused, Err(LaunchError::Limit { what: "bytes of shared memory", .. })));
}
