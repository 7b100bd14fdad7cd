//! The driver through its own functions, on code that clang-19 made: what is refused, what is done late, and what faults.

use super::*;
use std::{
    io::Write,
    process::{Command, Stdio},
    ptr::{null_mut, without_provenance_mut},
};

const KERNEL: &str = r#"
extern "C" __attribute__((global, amdgpu_flat_work_group_size(1, 256)))
void scale(float* y, unsigned char n, const float* x, float by, unsigned long long first) {
    __attribute__((shared)) static float part[256];
    unsigned i = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
    part[__builtin_amdgcn_workitem_id_x()] = by;
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
    if (i < n) y[first + i] = x[i] * part[__builtin_amdgcn_workitem_id_x() ^ 1];
}
"#;

fn compile(arch: &str) -> Vec<u8> {
    let mut child = Command::new("clang-19")
        .args(["-x", "hip", "--cuda-device-only", "-nogpuinc", "-nogpulib", "-O3"])
        .args([&format!("--offload-arch={arch}"), "--no-gpu-bundle-output", "-c", "-o", "-", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("clang-19 is needed by this test");
    child.stdin.take().unwrap().write_all(KERNEL.as_bytes()).unwrap();
    let out = child.wait_with_output().unwrap();
    assert!(out.status.success());
    out.stdout
}

/// A result that a function puts in a place.
fn made<T: Default>(call: impl FnOnce(*mut T) -> c_int) -> Result<T, c_int> {
    let mut value = T::default();
    match call(&mut value) {
        0 => Ok(value),
        code => Err(code),
    }
}

struct Bench {
    stream: usize,
    module: usize,
    function: usize,
    x: u64,
    y: u64,
}

const ELEMS: usize = 100;

impl Bench {
    /// A stream with `x` of 0, 1, 2, ... and `y` filled with ones.
    fn new() -> Bench {
        let image = compile("gfx1201");
        // SAFETY: places, a whole image and names that end; copies of memory that is not pinned are done with it when they return.
        unsafe {
            let stream = made(|p| hipStreamCreateWithFlags(p, 1)).unwrap();
            let module = made(|p| hipModuleLoadData(p, image.as_ptr())).unwrap();
            let function = made(|p| hipModuleGetFunction(p, module, c"scale".as_ptr())).unwrap();
            let [x, y] = [0, 1].map(|_| made(|p| hipMallocAsync(p, 4 * ELEMS, stream)).unwrap());
            let mut values: Vec<f32> = (0..ELEMS).map(|i| i as f32).collect();
            assert_eq!(hipMemcpyHtoDAsync(x, values.as_mut_ptr().cast(), 4 * ELEMS, stream), 0);
            values.fill(f32::NAN);
            assert_eq!(hipMemsetD8Async(y, 0x3f, 4 * ELEMS, stream), 0);
            Bench { stream, module, function, x, y }
        }
    }

    fn launch_with(&self, n: u8, first: u64, groups: u32, threads: u32, shared: u32) -> c_int {
        let (mut y, mut n, mut x, mut by, mut first) = (self.y, n, self.x, 2.0f32, first);
        let place = |p: *mut u8| p.cast::<c_void>();
        let mut params = [
            place((&raw mut y).cast()),
            place(&raw mut n),
            place((&raw mut x).cast()),
            place((&raw mut by).cast()),
            place((&raw mut first).cast()),
        ];
        // SAFETY: a place for each of the five arguments.
        unsafe {
            hipModuleLaunchKernel(
                self.function,
                groups,
                1,
                1,
                threads,
                1,
                1,
                shared,
                self.stream,
                params.as_mut_ptr(),
                null_mut(),
            )
        }
    }

    fn launch(&self, n: u8, first: u64) -> c_int {
        self.launch_with(n, first, 2, 64, 0)
    }

    fn read(&self) -> Result<Vec<f32>, c_int> {
        let mut out = vec![0f32; ELEMS];
        // SAFETY: room for so many bytes.
        match unsafe { hipMemcpyDtoHAsync(out.as_mut_ptr().cast(), self.y, 4 * ELEMS, self.stream) }
        {
            0 => Ok(out),
            code => Err(code),
        }
    }

    fn fault(&self) -> String {
        let mut room = [0u8; 512];
        // SAFETY: room for so many bytes.
        let bytes = unsafe { evenweaveFault(self.stream, room.as_mut_ptr().cast(), room.len()) };
        String::from_utf8_lossy(&room[..bytes.min(511)]).into_owned()
    }
}

const ONES: f32 = f32::from_bits(0x3f3f_3f3f);

#[test]
fn the_device_says_that_it_is_emulated() {
    // SAFETY: places and rooms as long as is said.
    unsafe {
        assert_eq!(hipInit(0), 0);
        assert_eq!(made(|p| hipGetDeviceCount(p)), Ok(1));
        assert_eq!(made(|p| hipDeviceGet(p, 1)), Err(Code::InvalidDevice as c_int));
        let mut name = [0; 64];
        assert_eq!(hipDeviceGetName(name.as_mut_ptr(), 64, 0), 0);
        assert_eq!(CStr::from_ptr(name.as_ptr()), c"gfx1201, emulated");
        assert_eq!(hipDeviceGetName(name.as_mut_ptr(), 4, 0), Code::InvalidValue as c_int);
        let mut properties = vec![0xffu8; 1472];
        assert_eq!(hipGetDevicePropertiesR0600(properties.as_mut_ptr(), 0), 0);
        assert_eq!(&properties[1160..1168], b"gfx1201\0");
        let text = made(|p: *mut usize| hipDrvGetErrorName(700, p.cast())).unwrap();
        assert_eq!(CStr::from_ptr(text as *const c_char), c"hipErrorIllegalAddress");
        assert_eq!(
            hipDrvGetErrorName(-7, (&raw mut properties).cast()),
            Code::InvalidValue as c_int
        );
        assert_eq!(hipGetDeviceCount(null_mut()), Code::InvalidValue as c_int);
    }
}

#[test]
fn arguments_reach_the_kernel_from_places_and_packed() {
    let bench = Bench::new();
    assert_eq!(bench.launch(90, 3), 0);
    let want: Vec<f32> = (0..ELEMS)
        .map(|i| if (3..93).contains(&i) { 2.0 * (i - 3) as f32 } else { ONES })
        .collect();
    assert_eq!(bench.read().unwrap(), want);
    // The same, packed by the rules of C.
    let mut packed = Vec::new();
    packed.extend(bench.y.to_le_bytes());
    packed.extend([5, 0, 0, 0, 0, 0, 0, 0]);
    packed.extend(bench.x.to_le_bytes());
    packed.extend(4.0f32.to_le_bytes());
    packed.extend([0; 4]);
    packed.extend(10u64.to_le_bytes());
    let mut size = packed.len();
    let mut extra = [
        without_provenance_mut(1),
        packed.as_mut_ptr().cast(),
        without_provenance_mut(2),
        (&raw mut size).cast(),
        without_provenance_mut(3),
    ];
    // SAFETY: a list with its end.
    let code = unsafe {
        hipModuleLaunchKernel(
            bench.function,
            1,
            1,
            1,
            64,
            1,
            1,
            0,
            bench.stream,
            null_mut(),
            extra.as_mut_ptr(),
        )
    };
    assert_eq!(code, 0);
    assert_eq!(bench.read().unwrap()[8..16], [10.0, 12.0, 0.0, 4.0, 8.0, 12.0, 16.0, 24.0]);
}

#[test]
fn work_is_done_when_somebody_waits_and_not_before() {
    let bench = Bench::new();
    // SAFETY: places; pinned memory that is kept until it is given back.
    unsafe {
        let at = made(|p: *mut usize| hipHostMalloc(p.cast(), 4 * ELEMS, 0)).unwrap() as *mut f32;
        let pinned = std::slice::from_raw_parts_mut(at, ELEMS);
        pinned.fill(-1.0);
        let event = made(|p| hipEventCreateWithFlags(p, 2)).unwrap();
        assert_eq!(bench.launch(100, 0), 0);
        assert_eq!(hipMemcpyDtoHAsync(at.cast(), bench.y, 4 * ELEMS, bench.stream), 0);
        assert_eq!(hipEventRecord(event, bench.stream), 0);
        assert_eq!(pinned[7], -1.0, "nobody has waited");
        assert_eq!(hipEventQuery(event), Code::NotReady as c_int);
        assert_eq!(pinned[7], -1.0, "who has asked has not waited");
        assert_eq!(hipEventQuery(event), 0);
        assert_eq!(pinned[7], 14.0);
        assert_eq!(hipEventQuery(event), 0);
        // Pinned memory is read as late: what changes it too early is seen.
        pinned.fill(5.0);
        assert_eq!(hipMemcpyHtoDAsync(bench.x, at.cast(), 4 * ELEMS, bench.stream), 0);
        pinned.fill(6.0);
        assert_eq!(bench.launch(100, 0), 0);
        assert_eq!(hipStreamQuery(bench.stream), Code::NotReady as c_int);
        assert_eq!(bench.read().unwrap()[7], 12.0);
        assert_eq!(hipStreamQuery(bench.stream), 0);
        assert_eq!(hipHostFree(at.cast()), 0);
        assert_eq!(hipHostFree(at.cast()), Code::InvalidValue as c_int);
        assert_eq!(hipEventDestroy(event), 0);
        assert_eq!(hipEventQuery(event), Code::InvalidHandle as c_int);
    }
}

#[test]
fn a_recorded_sequence_runs_when_it_is_launched() {
    let bench = Bench::new();
    // SAFETY: places.
    unsafe {
        let recorder = made(|p| hipStreamCreateWithFlags(p, 1)).unwrap();
        let recording = Bench { stream: recorder, ..bench };
        assert_eq!(hipStreamBeginCapture(recorder, 2), 0);
        assert_eq!(recording.launch(4, 0), 0);
        assert_eq!(recording.launch(4, 4), 0);
        assert_eq!(
            made(|p| hipMallocAsync(p, 16, recorder)),
            Err(Code::StreamCaptureUnsupported as c_int)
        );
        let graph = made(|p| hipStreamEndCapture(recorder, p)).unwrap();
        let exec = made(|p| hipGraphInstantiateWithFlags(p, graph, 0)).unwrap();
        assert_eq!(hipGraphDestroy(graph), 0);
        assert_eq!(bench.read().unwrap()[..8], [ONES; 8]);
        assert_eq!(hipGraphLaunch(exec, bench.stream), 0);
        assert_eq!(bench.read().unwrap()[..8], [0.0, 2.0, 4.0, 6.0, 0.0, 2.0, 4.0, 6.0]);
        assert_eq!(hipGraphExecDestroy(exec), 0);
        assert_eq!(hipGraphLaunch(exec, bench.stream), Code::InvalidHandle as c_int);
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let bench = Bench::new();
    let [configuration, value] =
        [Code::InvalidConfiguration, Code::InvalidValue].map(|c| c as c_int);
    assert_eq!(bench.launch_with(9, 0, 0, 64, 0), configuration);
    assert_eq!(bench.launch_with(9, 0, 1, 0, 0), configuration);
    assert_eq!(bench.launch_with(9, 0, 1, 1025, 0), configuration);
    assert_eq!(bench.launch_with(9, 0, 1 << 25, 256, 0), configuration);
    assert_eq!(bench.launch_with(9, 0, 1, 257, 0), Code::LaunchFailure as c_int);
    assert_eq!(bench.launch_with(9, 0, 1, 64, 64 << 10), value);
    let (other, broken) = (compile("gfx1100"), [7u8; 64]);
    // SAFETY: places, whole images or what is long enough to be seen as none, and a name that ends.
    unsafe {
        assert_eq!(
            made(|p| hipModuleLoadData(p, other.as_ptr())),
            Err(Code::NoBinaryForGpu as c_int)
        );
        assert_eq!(
            made(|p| hipModuleLoadData(p, broken.as_ptr())),
            Err(Code::InvalidImage as c_int)
        );
        let none = made(|p| hipModuleGetFunction(p, bench.module, c"none".as_ptr()));
        assert_eq!(none, Err(Code::NotFound as c_int));
        assert_eq!(
            made(|p| hipMallocAsync(p, 1 << 40, bench.stream)),
            Err(Code::OutOfMemory as c_int)
        );
        assert_eq!(hipStreamQuery(bench.stream + 1), Code::InvalidHandle as c_int);
        assert_eq!(hipStreamQuery(bench.module), Code::InvalidHandle as c_int);
        assert_eq!(hipModuleUnload(bench.module), 0);
        assert_eq!(hipModuleUnload(bench.module), Code::InvalidHandle as c_int);
    }
    assert_eq!(bench.launch(9, 0), Code::InvalidHandle as c_int, "its module is gone");
    assert!(bench.read().is_ok(), "nothing of this is the stream's fault");
}

#[test]
fn a_fault_shows_at_the_next_wait_and_stays() {
    let (bench, other) = (Bench::new(), Bench::new());
    assert_eq!(bench.launch(100, 1), 0);
    assert_eq!(bench.fault(), "");
    assert_eq!(bench.read(), Err(Code::IllegalAddress as c_int));
    let fault = bench.fault();
    for word in ["scale", "out of bounds", "of 400 bytes", "global_store_b32", "lane 3"] {
        assert!(fault.contains(word), "{word} is not in: {fault}");
    }
    assert_eq!(bench.launch(1, 0), Code::IllegalAddress as c_int);
    assert_eq!((other.launch(1, 0), other.read().map(|y| y[0])), (0, Ok(0.0)));
    // Another stream's memory is not there.
    assert_eq!(Bench { x: bench.x, ..other }.launch(1, 0), 0);
    assert!(other.read().is_err() && other.fault().contains("no memory"), "{}", other.fault());
}

/// What a host does in the wrong order is seen: each of these ends well where the host waits.
#[test]
fn memory_and_code_that_are_given_back_too_early_are_missed() {
    let late = Code::IllegalAddress as c_int;
    // SAFETY: places; what is given back is not used by the host again.
    unsafe {
        // In the stream's order memory outlives the launch, and not the next one; nor is it given back twice.
        let bench = Bench::new();
        assert_eq!((bench.launch(100, 0), hipFreeAsync(bench.x, bench.stream)), (0, 0));
        assert_eq!(bench.read().unwrap()[7], 14.0);
        let again = hipFreeAsync(bench.x, bench.stream);
        assert_eq!(again, Code::InvalidValue as c_int);
        assert_eq!((bench.launch(100, 0), bench.read()), (0, Err(late)));
        assert!(bench.fault().contains("of 400 bytes was freed"), "{}", bench.fault());
        // Another stream's order is none: there the kernel is too late, unless somebody has waited for it.
        let (bench, waited) = (Bench::new(), Bench::new());
        let other = made(|p| hipStreamCreateWithFlags(p, 1)).unwrap();
        assert_eq!(hipStreamSynchronize(bench.stream), 0);
        assert_eq!((bench.launch(100, 0), waited.launch(100, 0)), (0, 0));
        assert_eq!(hipStreamSynchronize(waited.stream), 0);
        assert_eq!((hipFreeAsync(bench.x, other), hipFreeAsync(waited.x, other)), (0, 0));
        assert_eq!((bench.read(), waited.read().map(|y| y[7])), (Err(late), Ok(14.0)));
        assert!(bench.fault().contains("was freed"), "{}", bench.fault());
        // A copy that was asked for finds as little.
        let bench = Bench::new();
        let mut bytes = [0u8; 4];
        assert_eq!(hipMemcpyHtoDAsync(bench.y, bytes.as_mut_ptr().cast(), 4, bench.stream), 0);
        assert_eq!(hipFreeAsync(bench.y, other), 0);
        assert_eq!(hipStreamSynchronize(bench.stream), late);
        // A module that is unloaded takes its code with it.
        let (bench, waited) = (Bench::new(), Bench::new());
        assert_eq!((bench.launch(100, 0), waited.launch(100, 0)), (0, 0));
        assert_eq!(hipStreamSynchronize(waited.stream), 0);
        assert_eq!((hipModuleUnload(bench.module), hipModuleUnload(waited.module)), (0, 0));
        assert_eq!((bench.read(), waited.read().map(|y| y[7])), (Err(late), Ok(14.0)));
        assert!(bench.fault().contains("module was unloaded"), "{}", bench.fault());
    }
}
