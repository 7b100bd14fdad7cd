//! LLVM's assembler and disassembler, which must be there.

use object::{Object, ObjectSection};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A tool of LLVM 19 for gfx1201.
fn tool(name: &str) -> Command {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|folder| folder.join(name)).find(|p| p.is_file());
    Command::new(found.unwrap_or_else(|| panic!("no {name} in PATH; `./check` installs it")))
}

fn run(mut command: Command) -> String {
    let output = command.stdin(Stdio::null()).output().expect("the tool runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{command:?}: {said}");
    String::from_utf8(output.stdout).expect("the tool writes UTF-8")
}

/// Assembles a text into an object file in this folder.
pub(crate) fn assemble(folder: &Path, text: &str) -> PathBuf {
    let (source, object) = (folder.join("text.s"), folder.join("text.o"));
    std::fs::write(&source, text).expect("the folder can be written");
    let mut command = tool("llvm-mc-19");
    command.args(["--arch=amdgcn", "-mcpu=gfx1201", "--filetype=obj", "-o"]);
    command.arg(&object).arg(&source);
    run(command);
    object
}

/// Assembles those of the lines that LLVM takes, and says which they are.
pub(crate) fn assemble_what_can_be(folder: &Path, lines: &[String]) -> (PathBuf, Vec<usize>) {
    let source = folder.join("lines.s");
    std::fs::write(&source, lines.join("\n") + "\n").expect("the folder can be written");
    let mut command = tool("llvm-mc-19");
    command.args(["--arch=amdgcn", "-mcpu=gfx1201", "--filetype=null"]).arg(&source);
    let output = command.stdin(Stdio::null()).output().expect("the tool runs");
    let said = String::from_utf8_lossy(&output.stderr);
    let refused: BTreeSet<usize> = said
        .lines()
        .filter(|line| line.contains(": error: "))
        .map(|line| {
            let number = line[source.as_os_str().len() + 1..].split(':').next();
            number.and_then(|n| n.parse().ok()).expect("an error names its line")
        })
        .collect();
    let taken: Vec<usize> =
        (0..lines.len()).filter(|place| !refused.contains(&(place + 1))).collect();
    let text: Vec<&str> = taken.iter().map(|&place| &*lines[place]).collect();
    (assemble(folder, &(text.join("\n") + "\n")), taken)
}

/// The code of an object file.
pub(crate) fn text_section(object: &Path) -> Vec<u8> {
    let file = std::fs::read(object).expect("the file is there");
    let file = object::File::parse(&*file).expect("LLVM writes ELF files");
    let section = file.section_by_name(".text").expect("there is code");
    section.data().expect("the code is in the file").to_vec()
}

/// The instructions of a file as LLVM prints them: address, text.
pub(crate) fn disassemble(file: &Path) -> Vec<(u64, String)> {
    let mut command = tool("llvm-objdump-19");
    command.args(["-d", "--mcpu=gfx1201"]).arg(file);
    run(command).lines().filter_map(instruction).collect()
}

/// A line of the disassembler that shows an instruction: a tab, the text, `// address: words`.
fn instruction(line: &str) -> Option<(u64, String)> {
    let (text, words) = line.strip_prefix('\t')?.rsplit_once("// ")?;
    let (address, _) = words.split_once(':')?;
    Some((u64::from_str_radix(address, 16).ok()?, text.trim_end().to_owned()))
}

/// The words of an assembly text.
pub(crate) fn words(text: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    text_section(&assemble(folder.path(), text))
}

/// A code object that clang makes of a C text.
pub(crate) fn compile(text: &str, flags: &[&str]) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (source, object) = (folder.path().join("kernel.c"), folder.path().join("kernel.co"));
    std::fs::write(&source, text).expect("the folder can be written");
    let mut command = tool("clang-19");
    command.args(["--target=amdgcn-amd-amdhsa", "-mcpu=gfx1201", "-nogpulib", "-O3", "-o"]);
    command.arg(&object).args(flags).arg(&source);
    run(command);
    std::fs::read(&object).expect("clang wrote the file")
}
