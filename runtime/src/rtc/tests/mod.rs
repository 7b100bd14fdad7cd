//! The device on a driver without a device (`fake.c`): memory, order, errors, recordings, as both vendors' functions give them.
//!
//! Each test has a driver of its own: the library is built once, and opened from a copy. A machine without a C compiler says that
//! the tests were skipped; with `EVENWEAVE_REQUIRE_CC=1` that is a failure.

mod emulated;

use super::*;
use crate::library::Library;
use evenweave_codegen::Field;
use evenweave_lang::prelude::*;
use std::{ffi::CString, fs, path::PathBuf, process::Command, sync::OnceLock};

/// What the driver does is no more than this.
#[kernel(group = 64, grid = n.div_ceil(64))]
fn count_up(#[len(n)] y: &mut InOut<u32>, n: u32) {
    let i = global_id();
    if i < n {
        y[i] = y[i] + 1;
    }
}

/// The library of a vendor, built once.
fn built(kind: Kind) -> Option<&'static [u8]> {
    static BUILT: [OnceLock<Option<Vec<u8>>>; 2] = [OnceLock::new(), OnceLock::new()];
    let build = || {
        let folder = tempfile::tempdir().unwrap();
        let (to, from) = (folder.path().join("fake.so"), folder.path().join("fake.c"));
        fs::write(&from, include_str!("fake.c")).unwrap();
        let flags = ["-std=gnu11", "-O1", "-shared", "-fPIC", "-o"];
        let define = if kind == Kind::Hip { "-DHIP" } else { "-DCUDA" };
        let done = Command::new("cc").args(flags).arg(&to).arg(define).arg(&from).status();
        match done {
            Ok(status) => {
                assert!(status.success(), "the driver of the tests does not compile");
                Some(fs::read(to).unwrap())
            }
            Err(_) => {
                let required = std::env::var_os("EVENWEAVE_REQUIRE_CC").is_some_and(|v| v == "1");
                assert!(!required, "there is no C compiler, and one is required");
                eprintln!("skipped: there is no C compiler");
                None
            }
        }
    };
    BUILT[usize::from(kind == Kind::Hip)].get_or_init(build).as_deref()
}

/// A driver of a test's own.
struct Fake {
    driver: &'static Driver,
    library: Library,
    folder: tempfile::TempDir,
}

impl Fake {
    fn new(kind: Kind) -> Option<Fake> {
        let folder = tempfile::tempdir().unwrap();
        let names = match kind {
            Kind::Cuda => ["libcuda_fake.so", "libnvrtc.so.13"],
            Kind::Hip | Kind::Emulated => ["libamdhip64_fake.so", "libhiprtc.so.7"],
        };
        // One file under two names is one library: what is set is of the driver and of the compiler.
        let [driver, compiler] = names.map(|name| folder.path().join(name));
        fs::write(&driver, built(kind)?).unwrap();
        fs::hard_link(driver, compiler).unwrap();
        let place = [folder.path().to_path_buf()];
        let (library, _) = Library::find(kind.word(), &names[..1], &place, &[]).unwrap();
        let driver = Box::leak(Box::new(Driver::of(library, kind).unwrap()));
        Some(Fake { driver, library, folder })
    }

    /// Both vendors' drivers, where there is a C compiler.
    fn both() -> impl Iterator<Item = Fake> {
        [Kind::Cuda, Kind::Hip].into_iter().filter_map(Fake::new)
    }

    fn options(&self) -> OpenOptions {
        let libraries = vec![self.folder.path().to_path_buf()];
        OpenOptions { libraries, cache: Some(self.cache()), ..OpenOptions::default() }
    }

    fn cache(&self) -> PathBuf {
        self.folder.path().join("cache")
    }

    fn open(&self) -> Rtc {
        self.patient(Duration::from_secs(20))
    }

    fn patient(&self, patience: Duration) -> Rtc {
        open_unmeasured(self.driver, self.driver.kind.word(), &self.options(), patience).unwrap()
    }

    fn ask(&self, what: &'static str) -> i64 {
        // SAFETY: the functions of this form in `fake.c` take nothing and return numbers.
        unsafe {
            match what {
                "fake_violations" | "fake_blocked" => i64::from((self
                    .library
                    .function::<unsafe extern "C" fn() -> c_int>("fake", what)
                    .unwrap())()),
                _ => {
                    (self.library.function::<unsafe extern "C" fn() -> i64>("fake", what).unwrap())(
                    )
                }
            }
        }
    }

    /// The `nth` call of a function from now on fails.
    fn fail(&self, name: &str, nth: c_int, code: c_int) {
        let name = CString::new(name).unwrap();
        // SAFETY: `fake_fail` in `fake.c` is of this type, and copies the text.
        unsafe {
            let fail: unsafe extern "C" fn(*const std::ffi::c_char, c_int, c_int) =
                self.library.function("fake", "fake_fail").unwrap();
            fail(name.as_ptr(), nth, code);
        }
    }

    fn hang(&self) {
        // SAFETY: `fake_hang` in `fake.c` is of this type.
        unsafe {
            (self.library.function::<unsafe extern "C" fn(c_int)>("fake", "fake_hang").unwrap())(1)
        }
    }

    fn room(&self, bytes: usize) {
        // SAFETY: `fake_room` in `fake.c` is of this type.
        unsafe {
            (self.library.function::<unsafe extern "C" fn(usize)>("fake", "fake_room").unwrap())(
                bytes,
            )
        }
    }
}

/// The kernel, loaded as a probe loads: nothing is known of the device.
fn load(device: &Rtc) -> Program {
    let facts = Some(Facts { holds: FactSet::ALL, ..device.facts });
    device.load(&count_up().unwrap(), &LoadOptions { facts, ..LoadOptions::default() }).unwrap()
}

/// A call of the device's.
type Calling<'a> = &'a dyn Fn() -> Result<(), DeviceError>;

fn words(device: &Rtc, memory: &Memory) -> Vec<u32> {
    let bytes = device.read(memory).unwrap();
    bytes.chunks(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect()
}

fn put(device: &Rtc, words: &[u32]) -> Memory {
    let memory = device.alloc(DType::U32, words.len() as u64).unwrap();
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    device.write(&memory, &bytes).unwrap();
    memory
}

fn args(memory: &Memory) -> [LaunchArg<'_>; 2] {
    [LaunchArg::Buffer(memory), LaunchArg::Scalar(DType::U32, memory.elems())]
}

#[test]
fn the_first_argument_is_the_buffer() {
    for fake in Fake::both() {
        let device = fake.open();
        let program = load(&device);
        let loaded = device.loaded(&program).unwrap();
        assert!(matches!(loaded.source.fields[0], Field::Address(_)), "fake.c relies on it");
    }
}

#[test]
fn devices_are_described_and_found() {
    for fake in Fake::both() {
        let all = of_driver(fake.driver);
        let word = fake.driver.kind.word();
        let names: Vec<&str> = all.iter().map(|d| &*d.name).collect();
        assert_eq!(names, [format!("{word}:0"), format!("{word}:1")]);
        let arch = if word == "cuda" { "sm_90a" } else { "gfx1201" };
        assert_eq!(all[0].description, format!("Fake One ({arch})"));
        assert_eq!(all[1].device_uuid, Some([8; 16]));
        let options = fake.options();
        let open = |name: &str| open_unmeasured(fake.driver, name, &options, PATIENCE);
        assert_eq!(open(&format!("{word}:two")).unwrap().info.name, format!("{word}:1"));
        assert!(matches!(open(&format!("{word}:2")), Err(DeviceError::Unknown { .. })));
        assert!(matches!(open(&format!("{word}:fake")), Err(DeviceError::Ambiguous { .. })));
        let watched = OpenOptions { validate: true, ..options.clone() };
        let refused = open_unmeasured(fake.driver, word, &watched, PATIENCE);
        assert!(matches!(refused, Err(DeviceError::Missing { .. })));
    }
}

#[test]
fn work_is_done_in_order_and_memory_outlives_its_launches() {
    for fake in Fake::both() {
        let device = fake.open();
        let program = load(&device);
        let x = put(&device, &[1, 2, u32::MAX]);
        for _ in 0..5 {
            device.launch(&program, &args(&x)).unwrap();
        }
        // Dropped while launches on it wait, and the program as well.
        let y = put(&device, &[7; 9]);
        device.launch(&program, &args(&y)).unwrap();
        drop((y, program));
        assert!(fake.ask("fake_launches") < 6, "nothing has waited yet");
        assert_eq!(words(&device, &x), [6, 7, 4]);
        device.fill(&x, 0xff).unwrap();
        assert_eq!(words(&device, &x), [u32::MAX; 3]);
        let none = device.alloc(DType::F32, 0).unwrap();
        device.write(&none, &[]).unwrap();
        device.fill(&none, 1).unwrap();
        assert_eq!(device.read(&none).unwrap(), []);
        let size = device.write(&x, &[0; 11]);
        assert!(matches!(size, Err(DeviceError::Size { want_bytes: 12, got_bytes: 11, .. })));
        drop((x, none, device));
        assert_eq!(fake.ask("fake_violations"), 0);
        assert_eq!(fake.ask("fake_launches"), 6);
        assert_eq!(fake.ask("fake_live"), 0, "what was made is given back");
    }
}

/// More bytes than the staging memory has, so that both of its pieces are used again and again.
#[test]
fn large_memory_goes_in_and_out_in_pieces() {
    for fake in Fake::both() {
        let device = fake.open();
        let elems = (11 << 20) + 5;
        let bytes: Vec<u8> =
            (0..elems).map(|i: u32| (i.wrapping_mul(2654435761) >> 24) as u8).collect();
        let memory = device.alloc(DType::U8, elems.into()).unwrap();
        device.write(&memory, &bytes).unwrap();
        assert!(device.read(&memory).unwrap() == bytes);
        assert_eq!(fake.ask("fake_violations"), 0);
    }
}

#[test]
fn memory_that_cannot_be_had_is_an_answer_and_the_device_goes_on() {
    for fake in Fake::both() {
        let device = fake.open();
        fake.room(1 << 20);
        let most = device.alloc(DType::U8, 1 << 20).unwrap();
        let more = device.alloc(DType::U8, 1);
        assert!(matches!(more, Err(DeviceError::OutOfMemory { elems: 1, .. })), "{more:?}");
        assert_eq!(fake.ask("fake_trims"), 1, "what the pool keeps was given back first");
        for elems in [u64::MAX, u64::MAX / 2] {
            let huge = device.alloc(DType::F64, elems);
            assert!(matches!(huge, Err(DeviceError::OutOfMemory { .. })));
        }
        // Freed in the stream's order, which the allocation then waits for.
        drop(most);
        let again = device.alloc(DType::U8, 1 << 20).unwrap();
        device.fill(&again, 3).unwrap();
        assert!(device.read(&again).unwrap().iter().all(|&b| b == 3));
        assert_eq!(fake.ask("fake_violations"), 0);
    }
}

#[test]
fn a_call_that_fails_is_an_error_of_the_call_alone() {
    for fake in Fake::both() {
        let device = fake.open();
        let (program, x) = (load(&device), put(&device, &[0]));
        let calls: [(&str, Calling); 5] = [
            ("launch", &|| device.launch(&program, &args(&x))),
            ("fill", &|| device.fill(&x, 0)),
            ("copy_in", &|| device.write(&x, &[0; 4])),
            ("copy_out", &|| device.read(&x).map(drop)),
            ("alloc", &|| device.alloc(DType::U8, 1).map(drop)),
        ];
        for (name, call) in calls {
            fake.fail(name, 1, 1);
            let error = call().unwrap_err();
            assert!(matches!(&error, DeviceError::Call { code: 1, .. }), "{name}: {error}");
            assert!(error.to_string().contains("SOME_ERROR (1)"), "{name}: {error}");
            call().unwrap();
        }
        assert_eq!(fake.ask("fake_violations"), 0);
    }
}

#[test]
fn a_device_that_trapped_stays_lost_and_says_why() {
    for fake in Fake::both() {
        let device = fake.open();
        let (program, x) = (load(&device), put(&device, &[0]));
        fake.fail("query", 2, 700);
        device.launch(&program, &args(&x)).unwrap();
        let errors = [
            device.read(&x).unwrap_err(),
            device.launch(&program, &args(&x)).unwrap_err(),
            device.alloc(DType::U8, 1).unwrap_err(),
            device.load(&count_up().unwrap(), &LoadOptions::default()).unwrap_err(),
        ];
        for error in errors {
            assert!(matches!(error, DeviceError::Lost { .. }), "{error}");
            assert!(error.to_string().contains("ILLEGAL_ADDRESS (700)"), "{error}");
        }
        drop((program, x, device));
    }
}

#[test]
fn a_launch_that_does_not_end_hangs_and_the_host_does_not() {
    for fake in Fake::both() {
        let device = fake.patient(Duration::from_millis(200));
        let (program, x) = (load(&device), put(&device, &[0]));
        assert_eq!(words(&device, &x), [0]);
        fake.hang();
        // Far more than a driver queues.
        let asked = (0..5000).try_for_each(|_| device.launch(&program, &args(&x)));
        assert!(matches!(asked, Err(DeviceError::Hung { .. })), "{asked:?}");
        assert_eq!(fake.ask("fake_blocked"), 0, "no launch had to wait inside the driver");
        assert!(matches!(device.read(&x), Err(DeviceError::Lost { .. })));
        drop((program, x, device));
    }
}

/// `y = x`, in place where both are one memory.
#[kernel(group = 64, grid = n.div_ceil(64))]
fn copied(#[len(n)] x: &In<u32>, #[len(n)] y: &mut Out<u32>, n: u32) {
    let i = global_id();
    if i < n {
        y[i] = x[i];
    }
}

#[test]
fn a_launch_in_place_is_recorded_where_it_is_asked_for() {
    for fake in Fake::both() {
        let device = fake.open();
        let program = device.load(&copied().unwrap(), &LoadOptions::default()).unwrap();
        let x = put(&device, &[1, 2]);
        let n = || LaunchArg::Scalar(DType::U32, 2);
        let over = || Launch {
            program: &program,
            args: vec![LaunchArg::Buffer(&x), LaunchArg::Over(&x), n()],
        };
        let plain =
            Launch { args: vec![LaunchArg::Buffer(&x), LaunchArg::Buffer(&x), n()], ..over() };
        let before = fake.ask("fake_launches");
        let recording = device.record(&[over(), over()]).unwrap();
        assert_eq!(fake.ask("fake_launches"), before, "recording runs nothing");
        device.replay(&recording).unwrap();
        words(&device, &x);
        assert_eq!(fake.ask("fake_launches"), before + 2);
        assert!(matches!(device.record(&[plain]), Err(DeviceError::Launch(_))));
    }
}

#[test]
fn a_recording_is_replayed_on_what_memory_holds_then() {
    for fake in Fake::both() {
        let device = fake.open();
        let (program, x) = (load(&device), put(&device, &[10, 20]));
        let launch = || Launch { program: &program, args: args(&x).to_vec() };
        let recording = device.record(&[launch(), launch(), launch()]).unwrap();
        assert_eq!(words(&device, &x), [10, 20], "recording runs nothing");
        device.replay(&recording).unwrap();
        device.launch(&program, &args(&x)).unwrap();
        device.replay(&recording).unwrap();
        assert_eq!(words(&device, &x), [17, 27]);
        device.replay(&device.record(&[]).unwrap()).unwrap();

        // A launch that fails while it is recorded fails the recording alone.
        for (name, live) in [("launch", 0), ("instantiate", 0)] {
            let before = fake.ask("fake_live");
            fake.fail(name, 1, 1);
            let failed = device.record(&[launch(), launch()]);
            assert!(matches!(failed, Err(DeviceError::Call { .. })), "{name}");
            assert_eq!(fake.ask("fake_live") - before, live, "{name}: nothing is left");
        }
        let wrong = Launch { program: &program, args: vec![] };
        assert!(matches!(device.record(&[wrong]), Err(DeviceError::Launch(_))));
        let other = fake.open();
        assert!(matches!(other.replay(&recording), Err(DeviceError::Foreign { .. })));

        // What it uses lives as long as it does.
        drop((program, x));
        device.replay(&recording).unwrap();
        drop((recording, other, device));
        assert_eq!(fake.ask("fake_violations"), 0);
        assert_eq!(fake.ask("fake_launches"), 10);
        assert_eq!(fake.ask("fake_live"), 0);
    }
}

#[test]
fn programs_are_compiled_once_and_unloaded_when_nothing_runs_them() {
    for fake in Fake::both() {
        let device = fake.open();
        fake.fail("compile", 1, 1);
        let kernel = count_up().unwrap();
        let facts = Some(Facts { holds: FactSet::ALL, ..device.facts });
        let options = LoadOptions { facts, ..LoadOptions::default() };
        let error = device.load(&kernel, &options).unwrap_err();
        assert!(
            matches!(&error, DeviceError::Compile { log, .. } if log.contains("bad text")),
            "{error}"
        );
        let first = load(&device);
        fake.fail("compile", 1, 1);
        let all: Vec<Program> = (0..300).map(|_| load(&device)).collect();
        assert_eq!(fake.ask("fake_modules"), 301, "the cache had the program");
        drop(all);
        assert!(fake.ask("fake_modules") < 100, "many that nobody has are unloaded");
        drop((first, device));
        assert_eq!(fake.ask("fake_live"), 0);

        // A device without a compiler runs what was built, and says what is missing for the rest.
        let without = OpenOptions { libraries: vec![], ..fake.options() };
        let word = fake.driver.kind.word();
        let device = open_unmeasured(fake.driver, word, &without, PATIENCE).unwrap();
        if device.programs.compiler() == "no compiler" {
            drop(load(&device));
            fs::remove_dir_all(fake.cache()).unwrap();
            let error = device.load(&kernel, &options).unwrap_err();
            assert!(error.to_string().contains("evenweave build --target"), "{error}");
        }
        assert_eq!(fake.ask("fake_violations"), 0);
    }
}

#[test]
fn threads_share_a_device() {
    for fake in Fake::both() {
        let device = fake.open();
        let program = load(&device);
        std::thread::scope(|scope| {
            for t in 0..4u32 {
                let (device, program) = (&device, &program);
                scope.spawn(move || {
                    for round in 0..20 {
                        let x = put(device, &[t, round]);
                        device.launch(program, &args(&x)).unwrap();
                        assert_eq!(words(device, &x), [t + 1, round + 1]);
                    }
                });
            }
        });
        assert_eq!(fake.ask("fake_violations"), 0);
    }
}

/// What one thread waits for ends though another never stops asking.
#[test]
fn nobody_waits_for_what_others_ask_later() {
    for fake in Fake::both() {
        let device = fake.patient(Duration::from_secs(5));
        let (program, x) = (load(&device), put(&device, &[0]));
        let stop = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                    device.launch(&program, &args(&x)).unwrap();
                }
            });
            let ended =
                (0..20).try_for_each(|_| device.gpu.enter().and_then(|()| device.gpu.finish()));
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
            ended.unwrap();
        });
        assert_eq!(fake.ask("fake_violations"), 0);
    }
}

#[test]
fn time_is_the_devices() {
    for fake in Fake::both() {
        let device = fake.open();
        let (program, x) = (load(&device), put(&device, &[0]));
        let ns = device.time(&mut || device.launch(&program, &args(&x))).unwrap();
        assert_eq!(ns, 1_500_000);
        let failed = device.time(&mut || Err(DeviceError::Faults(vec![])));
        assert!(matches!(failed, Err(DeviceError::Faults(_))));
    }
}

#[test]
fn an_opening_that_fails_says_where() {
    for fake in Fake::both() {
        let (word, options) = (fake.driver.kind.word(), fake.options());
        let open = || open_unmeasured(fake.driver, word, &options, PATIENCE);
        for name in ["stream", "event", "pinned"] {
            fake.fail(name, 1, 1);
            let opened = open();
            assert!(matches!(opened.err(), Some(DeviceError::Call { code: 1, .. })), "{name}");
        }
        for name in ["stream", "event", "pinned"] {
            fake.fail(name, 2, 1);
            assert!(open().is_err(), "{name}");
            assert_eq!(fake.ask("fake_live"), 0, "{name}: what was made before is given back");
        }
        drop(fake.open());
        assert_eq!(fake.ask("fake_live"), 0);
    }
}

#[test]
fn bare_launches_are_launches() {
    for fake in Fake::both() {
        let device = fake.open();
        let (program, x) = (load(&device), put(&device, &[0]));
        device.enqueue_bare(&program, &args(&x), 7).unwrap();
        assert_eq!(words(&device, &x), [7]);
        let wrong = device.enqueue_bare(&program, &[], 7);
        assert!(matches!(wrong, Err(DeviceError::Launch(_))));
        assert_eq!(fake.ask("fake_violations"), 0);
    }
}
