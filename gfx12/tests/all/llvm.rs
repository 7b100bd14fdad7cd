//! LLVM's assembler and disassembler, which must be there.

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
