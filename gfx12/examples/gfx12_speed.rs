//! How many instructions of waves a second are executed: a tiled product of two f32 matrices, on one thread, with all checks and
//! with none. clang-19 must be here.

use evenweave_gfx12::{Checks, Launch, Machine, Module, Options};
use std::{
    io::Write,
    process::{Command, Stdio},
    sync::Arc,
    time::Instant,
};

/// Tiles of 64 by 64, 16 deep; 256 threads, each of which has 4 by 4.
const KERNEL: &str = r#"
extern "C" __attribute__((global, amdgpu_flat_work_group_size(256, 256)))
void gemm(float* c, const float* a, const float* b, unsigned n) {
    __attribute__((shared)) static float as[16][68], bs[16][68];
    unsigned t = __builtin_amdgcn_workitem_id_x(), tx = t % 16, ty = t / 16;
    unsigned row = __builtin_amdgcn_workgroup_id_y() * 64, col = __builtin_amdgcn_workgroup_id_x() * 64;
    float sum[4][4] = {};
    for (unsigned k = 0; k < n; k += 16) {
        for (unsigned i = 0; i < 4; i++) {
            as[tx][ty + 16 * i] = a[(row + ty + 16 * i) * n + k + tx];
            bs[ty][tx + 16 * i] = b[(k + ty) * n + col + tx + 16 * i];
        }
        __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup", "local");
        __builtin_amdgcn_s_barrier();
        __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup", "local");
        #pragma unroll
        for (unsigned j = 0; j < 16; j++)
            for (unsigned y = 0; y < 4; y++)
                for (unsigned x = 0; x < 4; x++)
                    sum[y][x] = __builtin_fmaf(as[j][4 * ty + y], bs[j][4 * tx + x], sum[y][x]);
        __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup", "local");
        __builtin_amdgcn_s_barrier();
        __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup", "local");
    }
    for (unsigned y = 0; y < 4; y++)
        for (unsigned x = 0; x < 4; x++) c[(row + 4 * ty + y) * n + col + 4 * tx + x] = sum[y][x];
}
"#;

const N: usize = 512;

/// Time of this thread on a processor, so that a busy machine counts as an idle one; of the wall where the system does not tell.
struct Clock {
    started: Instant,
    on_processor: Option<u64>,
}

impl Clock {
    /// Nanoseconds that the main thread has run.
    fn on_processor() -> Option<u64> {
        let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
        text.split_whitespace().next()?.parse().ok()
    }

    fn start() -> Clock {
        Clock { started: Instant::now(), on_processor: Clock::on_processor() }
    }

    fn seconds(&self) -> f64 {
        match (self.on_processor, Clock::on_processor()) {
            (Some(from), Some(to)) => (to - from) as f64 / 1e9,
            (None, _) | (_, None) => self.started.elapsed().as_secs_f64(),
        }
    }
}

fn main() {
    let mut child = Command::new("clang-19")
        .args(["-x", "hip", "--cuda-device-only", "--offload-arch=gfx1201", "-nogpuinc"])
        .args(["-nogpulib", "-O3", "--no-gpu-bundle-output", "-c", "-o", "-", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("clang-19 is needed");
    child.stdin.take().expect("a pipe").write_all(KERNEL.as_bytes()).expect("clang-19 reads");
    let object = child.wait_with_output().expect("clang-19 ends").stdout;
    let module = Arc::new(Module::load(&object).expect("a code object"));
    let all = Options::default().checks;
    let none = Checks { memory: false, registers: false, races: false };
    for (what, checks) in [("all checks", all), ("no checks", none)].repeat(2) {
        let mut machine = Machine::new(Options { checks, ..Options::default() });
        let value = |i: usize| (i % 17) as f32 - 8.0;
        let bytes: Vec<u8> = (0..N * N).flat_map(|i| value(i).to_le_bytes()).collect();
        let [c, a, b] = [0; 3].map(|_| machine.memory.alloc(bytes.len() as u64).expect("memory"));
        for input in [a, b] {
            machine.memory.write(input, &bytes).expect("allocated above");
        }
        let mut kernarg: Vec<u8> = [c, a, b].iter().flat_map(|p| p.to_le_bytes()).collect();
        kernarg.extend((N as u32).to_le_bytes());
        let groups = [N as u32 / 64, N as u32 / 64, 1];
        let launch = Launch { groups, threads: [256, 1, 1], kernarg, dynamic_shared_bytes: 0 };
        let clock = Clock::start();
        let stats = machine.launch(&module, 0, &launch).expect("no fault");
        let seconds = clock.seconds();
        let mut got = vec![0; bytes.len()];
        machine.memory.read(c, &mut got).expect("allocated above");
        // Whole numbers below 2^24 are exact in any order.
        let right = got.chunks(4).enumerate().all(|(i, got)| {
            let (y, x) = (i / N, i % N);
            let sum: f32 = (0..N).map(|k| value(y * N + k) * value(k * N + x)).sum();
            got == sum.to_le_bytes()
        });
        assert!(right, "the product is wrong");
        let rate = stats.instructions as f64 / seconds / 1e6;
        println!(
            "{what}: {} instructions of waves, {rate:.1} million a second",
            stats.instructions
        );
    }
}
