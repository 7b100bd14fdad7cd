//! Runs code on one wave after another: compiled kernels over buffers, and assembled snippets over registers.

use evenweave_gfx12::co::CodeObject;
use evenweave_gfx12::env::{Barrier, Env, Start, Stop};
use evenweave_gfx12::exec::{Row, Wave};
use evenweave_gfx12::fault::Cause;
use evenweave_gfx12::mem::{Grain, Memory, Scratch, Shared, Spaces};
use evenweave_gfx12::{Op, Program, decode};
use object::{Object, ObjectSection};
use std::io::Write;
use std::process::{Command, Stdio};

/// Numbers that look random and are the same in every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u64
    }
}

fn tool(program: &str, arguments: &[&str], input: &str) -> Vec<u8> {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|e| panic!("{program} cannot be run: {e}"));
    let mut stdin = child.stdin.take().expect("the input is a pipe");
    let text = input.to_string();
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let out = child.wait_with_output().expect("its output can be read");
    writer.join().expect("the writer ends").expect("it reads its input");
    assert!(out.status.success(), "{program}: {}", String::from_utf8_lossy(&out.stderr));
    out.stdout
}

/// A code object of C.
pub(crate) fn compile(text: &str) -> CodeObject {
    let prelude = "#define KERNEL __attribute__((amdgpu_kernel))\n\
        #define INDEX (__builtin_amdgcn_workgroup_id_x() * 32 + __builtin_amdgcn_workitem_id_x())\n\
        typedef unsigned char u8; typedef unsigned short u16; typedef unsigned int u32; typedef unsigned long u64;\n\
        typedef signed char i8; typedef short i16; typedef int i32; typedef long i64;\n\
        typedef _Float16 f16; typedef float f32; typedef double f64;\n";
    let arguments = [
        "-x",
        "c",
        "--target=amdgcn-amd-amdhsa",
        "-mcpu=gfx1201",
        "-nogpulib",
        "-O2",
        "-ffp-contract=off",
        "-o",
        "-",
        "-",
    ];
    let file = tool("clang-19", &arguments, &format!("{prelude}{text}"));
    CodeObject::load(&file).unwrap_or_else(|e| panic!("{e}"))
}

/// The program of assembly text.
pub(crate) fn assemble(text: &str) -> Program {
    let arguments = ["--arch=amdgcn", "--mcpu=gfx1201", "--filetype=obj", "-o", "-"];
    let file = tool("llvm-mc-19", &arguments, text);
    let object = object::File::parse(&*file).expect("an object file");
    let section = object.section_by_name(".text").expect("there is code");
    decode(section.data().expect("code has bytes"), 0).unwrap_or_else(|e| panic!("{e}"))
}

/// The programs of many texts, by one call of the assembler; each ends with `s_endpgm`.
pub(crate) fn assemble_each(texts: &[String]) -> Vec<Program> {
    let all = assemble(&texts.iter().map(|text| format!("{text}\ns_endpgm\n")).collect::<String>());
    let mut programs = Vec::new();
    let mut insts = Vec::new();
    for inst in all.insts {
        let ends = inst.op == Op::SEndpgm;
        insts.push(inst);
        if ends {
            programs.push(Program::new(0, std::mem::take(&mut insts), Vec::new()));
        }
    }
    assert_eq!(programs.len(), texts.len(), "one program a text");
    programs
}

/// One wave with nothing around it but memory.
pub(crate) struct Machine {
    pub(crate) memory: Memory,
    pub(crate) shared: Shared,
    pub(crate) perturb: Option<u64>,
    pub(crate) executed: u64,
}

impl Machine {
    pub(crate) fn new() -> Machine {
        let mut shared = Shared::default();
        shared.reset(1 << 12, Grain::Word);
        Machine { memory: Memory::new(1 << 30), shared, perturb: None, executed: 0 }
    }

    pub(crate) fn buffer(&mut self, bytes: &[u8]) -> u64 {
        let at = self.memory.alloc(bytes.len() as u64).expect("there is memory");
        self.memory.write(at, bytes).expect("it was allocated");
        at
    }

    pub(crate) fn empty(&mut self, bytes: usize) -> u64 {
        self.memory.alloc(bytes as u64).expect("there is memory")
    }

    pub(crate) fn read(&mut self, at: u64, bytes: usize) -> Vec<u8> {
        let mut out = vec![0; bytes];
        self.memory.read(at, &mut out).expect("it was allocated");
        out
    }

    pub(crate) fn run(
        &mut self,
        program: &Program,
        wave: &mut Wave,
        scratch: &mut Scratch,
    ) -> Result<(), Cause> {
        let mut barrier = Barrier::new(1);
        let spaces = Spaces { global: &mut self.memory, shared: &mut self.shared, scratch };
        let mut env = Env {
            spaces,
            barrier: &mut barrier,
            wave: 0,
            epoch: 0,
            code_base: 0,
            perturb: self.perturb,
            check_registers: true,
        };
        let stop = wave.run(program, &mut env, 1 << 24)?;
        assert_eq!(stop, Stop::Ended);
        self.executed += wave.executed;
        Ok(())
    }

    /// Runs a kernel over groups of 32 threads; its arguments are addresses.
    pub(crate) fn launch(
        &mut self,
        code: &CodeObject,
        kernel: &str,
        groups: u32,
        arguments: &[u64],
    ) {
        let of = code.kernel(kernel).expect("the kernel is there");
        let bytes = arguments.iter().flat_map(|a| a.to_le_bytes()).collect::<Vec<_>>();
        assert_eq!(bytes.len() as u32, of.descriptor.kernarg_bytes, "all arguments are given");
        let kernarg = self.memory.alloc_read_only(bytes, "arguments").expect("there is memory");
        let mut scratch = Scratch::new(of.descriptor.scratch_bytes);
        let mut wave = Wave::begin(&start(32));
        for group in 0..groups {
            let begin = Start {
                index: of.entry_index,
                vgprs: of.descriptor.vgprs,
                exec: u32::MAX,
                sgprs: vec![
                    (0, kernarg as u32),
                    (1, (kernarg >> 32) as u32),
                    (117, group),
                    (115, 0),
                ],
                v0: std::array::from_fn(|l| l as u32),
                rsrc1: of.descriptor.rsrc1,
            };
            wave.restart(&begin);
            scratch.reset();
            self.run(&code.program, &mut wave, &mut scratch)
                .unwrap_or_else(|e| panic!("{kernel}, instruction {}: {e}", wave.next));
        }
        self.memory.free(kernarg).expect("it was allocated");
    }
}

/// How a wave of a snippet begins.
pub(crate) fn start(vgprs: u16) -> Start {
    Start {
        index: 0,
        vgprs,
        exec: u32::MAX,
        sgprs: Vec::new(),
        v0: std::array::from_fn(|l| l as u32),
        // Rounding to nearest, subnormals kept.
        rsrc1: 0xf0000,
    }
}

/// Registers before a snippet runs.
#[derive(Clone, Default)]
pub(crate) struct Registers<'a> {
    pub(crate) v: &'a [(u8, Row)],
    pub(crate) s: &'a [(u8, u32)],
    pub(crate) exec: Option<u32>,
    pub(crate) perturb: Option<u64>,
}

/// The wave after assembly text ran on it; `s_endpgm` is added.
pub(crate) fn snippet(text: &str, registers: &Registers) -> Result<Wave, Cause> {
    run_program(&assemble(&format!("{text}\ns_endpgm\n")), registers)
}

/// The wave after a program ran on it.
pub(crate) fn run_program(program: &Program, registers: &Registers) -> Result<Wave, Cause> {
    let mut wave = Wave::begin(&Start { exec: registers.exec.unwrap_or(u32::MAX), ..start(256) });
    for (register, row) in registers.v {
        wave.set_vgpr(*register, *row);
    }
    for &(register, value) in registers.s {
        wave.set_sgpr(register, value);
    }
    let mut machine = Machine { perturb: registers.perturb, ..Machine::new() };
    machine.run(program, &mut wave, &mut Scratch::new(0))?;
    Ok(wave)
}

/// The bytes of values.
pub(crate) fn bytes_of<const N: usize>(values: impl IntoIterator<Item = [u8; N]>) -> Vec<u8> {
    values.into_iter().flatten().collect()
}

/// The text of an operation on operands of so many bits: `{0}`, `{1}`, `{2}`, and the destination `{d}`.
pub(crate) fn fill_in(text: &str, bits: [u32; 3], result_bits: u32) -> String {
    let name = |register: u32, bits: u32| {
        if bits == 64 { format!("v[{register}:{}]", register + 1) } else { format!("v{register}") }
    };
    let with_result = text.replace("{d}", &name(20, result_bits));
    (0..3).fold(with_result, |text, k| {
        text.replace(&format!("{{{k}}}"), &name(10 + 2 * k as u32, bits[k]))
    })
}

/// Applies an operation to operands of so many bits, thirty-two at a time.
pub(crate) fn apply(
    text: &str,
    bits: [u32; 3],
    result_bits: u32,
    operands: &[Vec<u64>],
    perturb: Option<u64>,
) -> Vec<u64> {
    let program = assemble(&format!("{}\ns_endpgm\n", fill_in(text, bits, result_bits)));
    apply_program(&program, result_bits, operands, perturb)
}

/// Applies a program over the registers that `fill_in` names.
pub(crate) fn apply_program(
    program: &Program,
    result_bits: u32,
    operands: &[Vec<u64>],
    perturb: Option<u64>,
) -> Vec<u64> {
    let count = operands[0].len();
    let mut out = Vec::with_capacity(count);
    for first in (0..count).step_by(32) {
        let mut rows = vec![(20, [0; 32]), (21, [0; 32])];
        for (k, values) in operands.iter().enumerate() {
            let at = |l: usize| values[(first + l).min(count - 1)];
            rows.push((10 + 2 * k as u8, std::array::from_fn(|l| at(l) as u32)));
            rows.push((11 + 2 * k as u8, std::array::from_fn(|l| (at(l) >> 32) as u32)));
        }
        let registers = Registers { v: &rows, s: &[], exec: None, perturb };
        let wave = run_program(program, &registers)
            .unwrap_or_else(|e| panic!("{}: {e}", program.insts[0].op.mnemonic()));
        for l in 0..32.min(count - first) {
            let high = if result_bits == 64 { u64::from(wave.v[21][l]) << 32 } else { 0 };
            out.push(u64::from(wave.v[20][l]) | high);
        }
    }
    out
}

/// The value of a code of a format without surprises: IEEE's rules for so many bits of exponent and fraction.
pub(crate) fn value_of(code: u64, exponent_bits: u32, fraction_bits: u32) -> f64 {
    let field = (code >> fraction_bits) & ((1 << exponent_bits) - 1);
    let fraction = code & ((1 << fraction_bits) - 1);
    let bias = (1i32 << (exponent_bits - 1)) - 1;
    let scaled = |digits: u64, exponent: i32| {
        digits as f64 * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2)
    };
    let least = 1 - bias - fraction_bits as i32;
    let magnitude = match field {
        0 => scaled(fraction, least),
        f if f == (1 << exponent_bits) - 1 => {
            if fraction == 0 {
                f64::INFINITY
            } else {
                f64::NAN
            }
        }
        f => scaled(fraction | (1 << fraction_bits), least + f as i32 - 1),
    };
    if code >> (exponent_bits + fraction_bits) & 1 == 1 { -magnitude } else { magnitude }
}
