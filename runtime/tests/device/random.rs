//! Random kernels: every way of running one gives the same bits.

use evenweave_codegen::PASSES;
use evenweave_lang::{
    generate::{Argument, Options, arguments, generate, pack},
    ir::Kernel,
};
use evenweave_runtime::{Device, DeviceError, LaunchArg, LoadOptions, Memory, OpenOptions, open};

/// The bytes of all memory after a launch.
pub(crate) fn outputs(
    device: &dyn Device,
    kernel: &Kernel,
    args: &[Argument],
    options: &LoadOptions,
) -> Result<Vec<Vec<u8>>, DeviceError> {
    let program = device.load(kernel, options)?;
    let memory: Vec<Option<Memory>> = args
        .iter()
        .map(|arg| match arg {
            Argument::Scalar(..) => None,
            Argument::Buffer(dtype, words) | Argument::View(dtype, words, _) => {
                let memory = device.alloc(*dtype, words.len() as u64).unwrap();
                device.write(&memory, &pack(*dtype, words)).unwrap();
                Some(memory)
            }
        })
        .collect();
    let launch: Vec<LaunchArg> = args
        .iter()
        .zip(&memory)
        .map(|(arg, memory)| match (arg, memory) {
            (Argument::View(_, _, layout), Some(memory)) => LaunchArg::View(memory, layout.clone()),
            (Argument::Scalar(dtype, bits), _) => LaunchArg::Scalar(*dtype, *bits),
            (_, Some(memory)) => LaunchArg::Buffer(memory),
            (_, None) => unreachable!("buffers have memory"),
        })
        .collect();
    device.launch(&program, &launch)?;
    Ok(memory.iter().flatten().map(|m| device.read(m).unwrap()).collect())
}

fn seeds() -> u64 {
    300
}

#[test]
fn every_way_of_running_gives_the_same_bits() {
    let cpu = open("cpu", &OpenOptions::default()).unwrap();
    let ways = [
        LoadOptions { optimise: false, sanitize: true, ..LoadOptions::default() },
        LoadOptions { optimise: false, ..LoadOptions::default() },
        LoadOptions::default(),
    ];
    for seed in 0..seeds() {
        let kernel = generate(seed, &Options::default());
        let args = arguments(&kernel, seed);
        let [plain, fast, optimised] = ways.map(|options| outputs(&*cpu, &kernel, &args, &options));
        let plain = plain.unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        assert_eq!(Ok(&plain), fast.as_ref(), "seed {seed}: plain and fast differ");
        assert_eq!(Ok(&plain), optimised.as_ref(), "seed {seed}: optimised differs");
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let cpu = open("cpu", &OpenOptions::default()).unwrap();
    for seed in 0..30 {
        let kernel = generate(seed, &Options::default());
        let args = arguments(&kernel, seed);
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| outputs(&*cpu, &kernel, &args, &LoadOptions::default()))
        };
        let one = run(1);
        assert!(one.is_ok());
        assert_eq!((&one, &one), (&run(2), &run(7)), "seed {seed}");
    }
}

/// A pass alone, without those that usually run before it.
#[test]
fn each_pass_alone_gives_the_same_bits() {
    let cpu = open("cpu", &OpenOptions::default()).unwrap();
    let plain = LoadOptions { optimise: false, ..LoadOptions::default() };
    for seed in 1000..1060 {
        let kernel = generate(seed, &Options::default());
        let args = arguments(&kernel, seed);
        let want = outputs(&*cpu, &kernel, &args, &plain);
        assert!(want.is_ok(), "seed {seed}");
        for pass in PASSES {
            let after = pass.apply(&kernel).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
            let got = outputs(&*cpu, &after, &args, &plain);
            assert_eq!(want, got, "seed {seed}: `{}` changed the result", pass.name);
        }
    }
}
