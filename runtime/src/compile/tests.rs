//! Compilers that are on this machine, or that a folder holds.
//!
//! A machine without one says that the test was skipped; with `EVENWEAVE_REQUIRE_COMPILERS=1` that is a failure.

use super::*;
use crate::cache::USUAL_BYTES;

const CUDA: &str = r#"
extern "C" __global__ void axpy(float* y, const float* x, unsigned n) {
    unsigned i = blockIdx.x * 128u + threadIdx.x;
    if (i < n) y[i] = x[i] * 2.0f + y[i];
}
"#;

const HIP: &str = r#"
extern "C" __attribute__((global)) void axpy(float* y, const float* x, unsigned n) {
    unsigned i = __builtin_amdgcn_workgroup_id_x() * 128u + __builtin_amdgcn_workitem_id_x();
    if (i < n) y[i] = x[i] * 2.0f + y[i];
}
"#;

/// Where the check's own NVRTC is.
fn libraries() -> Vec<PathBuf> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let mut all: Vec<PathBuf> = vec![format!("{root}/target/cuda/nvidia/cu13/lib").into()];
    let more = std::env::var_os("EVENWEAVE_LIBRARIES").unwrap_or_default();
    all.extend(std::env::split_paths(&more));
    all
}

/// The compiler, where it is there; where it is not, what is missing must be named.
fn wanted(found: Result<Compiler, DeviceError>, word: &str) -> Option<Compiler> {
    match found {
        Ok(compiler) => Some(compiler),
        Err(error) => {
            let names = matches!(&error, DeviceError::Missing { what, .. } if what.contains(word));
            assert!(names, "{error}");
            let required =
                std::env::var_os("EVENWEAVE_REQUIRE_COMPILERS").is_some_and(|v| v == "1");
            assert!(!required, "a compiler is required: {error}");
            eprintln!("skipped: {error}");
            None
        }
    }
}

fn nvrtc() -> Option<Compiler> {
    wanted(Compiler::nvrtc(&libraries()), "libnvrtc.so.13")
}

fn clang() -> Option<Compiler> {
    wanted(Compiler::clang(), "amdgcn")
}

/// The machine of an ELF file: 190 is NVIDIA's, 224 AMD's.
fn machine(code: &[u8]) -> u16 {
    assert!(code.starts_with(b"\x7fELF"), "no ELF file");
    u16::from_le_bytes([code[18], code[19]])
}

fn refuses(compiler: &Compiler, text: &str, arch: &str, word: &str) {
    let error = compiler.compile(text, arch).unwrap_err();
    let DeviceError::Compile { compiler: name, arch: of, log } = &error else { panic!("{error}") };
    assert_eq!((&**name, &**of), (compiler.name_and_version(), arch));
    assert!(log.contains(word), "{word} is not in: {log}");
    assert_eq!(error.to_string().lines().count(), 1, "{error}");
}

#[test]
fn nvrtc_writes_cubins_without_a_device() {
    let Some(compiler) = nvrtc() else { return };
    assert!(compiler.name_and_version().starts_with("nvrtc 1"), "{}", compiler.name_and_version());
    for arch in ["sm_90a", "sm_75"] {
        let text = [prelude(Dialect::Cuda), CUDA].concat();
        let made = compiler.compile(&text, arch).unwrap();
        assert_eq!(machine(&made.code), 190);
    }
    refuses(&compiler, "extern \"C\" __global__ void k() { nowhere(); }", "sm_90a", "nowhere");
    refuses(&compiler, CUDA, "sm_1", "architecture");
    refuses(&compiler, "a\0b", "sm_90a", "zero byte");
}

#[test]
fn nvrtc_compiles_on_many_threads() {
    let Some(compiler) = nvrtc() else { return };
    let all = std::thread::scope(|scope| {
        let run = |_| scope.spawn(|| compiler.compile(CUDA, "sm_90a").unwrap().code);
        let threads: Vec<_> = (0..4).map(run).collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect::<Vec<_>>()
    });
    assert!(all.iter().all(|code| *code == all[0]), "equal texts give equal code");
}

#[test]
fn clang_writes_code_objects_without_a_device() {
    let Some(compiler) = clang() else { return };
    assert!(compiler.name_and_version().contains("clang"), "{}", compiler.name_and_version());
    for arch in ["gfx1201", "gfx90a"] {
        let text = [prelude(Dialect::Hip), HIP].concat();
        let made = compiler.compile(&text, arch).unwrap();
        assert_eq!(machine(&made.code), 224);
    }
    refuses(
        &compiler,
        "extern \"C\" __attribute__((global)) void k() { nowhere(); }",
        "gfx1201",
        "nowhere",
    );
    refuses(&compiler, HIP, "gfx1", "gfx1");
}

/// The bytes of the section of code.
fn code_of(elf: &[u8]) -> &[u8] {
    let number = |at: usize, bytes: usize| {
        elf[at..at + bytes].iter().rev().fold(0usize, |n, &byte| n << 8 | usize::from(byte))
    };
    let (table, count) = (number(40, 8), number(60, 2));
    let is_code = |&at: &usize| number(at + 8, 8) & 4 != 0;
    let at = (0..count).map(|i| table + 64 * i).find(is_code).expect("a section of code");
    &elf[number(at + 24, 8)..][..number(at + 32, 8)]
}

#[test]
fn line_tables_change_no_code() {
    let Some(compiler) = clang() else { return };
    let lined = HIP.replace("    if (i", "#line 7 \"author.rs\"\n    if (i");
    let plain = Programs::hip("gfx1201", Ok(compiler.clone()), None).code(HIP).unwrap();
    let programs = Programs::hip("gfx1201", Ok(compiler), None).with_lines();
    let with = programs.code(&lined).unwrap();
    assert!(
        with.windows(9).any(|w| w == b"author.rs") && !plain.windows(9).any(|w| w == b"author.rs")
    );
    assert!(code_of(&with).len() > 64 && code_of(&with) == code_of(&plain));
}

#[test]
fn a_compiler_that_is_not_there_is_an_answer() {
    if let Err(error) = Compiler::hiprtc(&["/nowhere".into()]) {
        let DeviceError::Missing { device, what } = &error else { panic!("{error}") };
        assert_eq!(device, "hiprtc");
        assert!(
            what.contains("libhiprtc.so.6")
                && what.contains("/nowhere")
                && what.contains("/opt/rocm/lib")
        );
    }
}

/// What a device without a compiler takes, and what one with a compiler does.
#[test]
fn programs_come_from_the_cache_by_the_rule() {
    let Some(clang) = clang() else { return };
    let folder = tempfile::tempdir().unwrap();
    let cache = || Some(Cache::open(folder.path(), USUAL_BYTES));
    let none = || {
        let (device, what) = ("hiprtc".to_string(), "libhiprtc.so".to_string());
        Err(DeviceError::Missing { device, what })
    };
    let without = Programs::hip("gfx1201", none(), cache());
    let error = without.code(HIP).unwrap_err().to_string();
    for word in ["evenweave build", "hip:gfx1201", "libhiprtc.so", "programs"] {
        assert!(error.contains(word), "{word} is not in: {error}");
    }
    let with = Programs::hip("gfx1201", Ok(clang.clone()), cache());
    let (built, was_there) = with.entry(HIP).unwrap();
    assert_eq!((machine(&built.code), was_there), (224, false));
    assert_eq!(with.entry(HIP).unwrap(), (built.clone(), true));
    assert_eq!(without.entry(HIP).unwrap(), (built.clone(), true), "built ahead of time");
    let other = Programs::hip("gfx1100", none(), cache());
    assert!(other.code(HIP).is_err(), "of another architecture");

    // What another compiler made is replaced where there is a compiler, and taken where there is none.
    let key = Key::of("hip", "gfx1201", HIP_FLAGS, HIP);
    let foreign = Entry { compiler: "another 1.0".into(), code: b"code".to_vec() };
    Cache::open(folder.path(), USUAL_BYTES).put(&key, &foreign).unwrap();
    assert_eq!(without.entry(HIP).unwrap(), (foreign, true));
    assert_eq!(with.entry(HIP).unwrap(), (built, false));
}
