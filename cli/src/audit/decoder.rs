//! The decoder of the software gfx1201 against LLVM's: every instruction of a code object in the same words.
//!
//! Invariants
//! - No instruction is left out: both have as many.

use evenweave_gfx12::CodeObject;

/// The architecture that `evenweave-gfx12` decodes.
pub(super) const ARCH: &str = "gfx1201";

/// What our decoder makes of a code object, held to what `llvm-objdump -d` printed of it.
pub(super) fn compare(code: &[u8], disassembly: &str) -> Result<(), String> {
    let object = CodeObject::load(code).map_err(|e| e.to_string())?;
    let program = &object.program;
    let ours: Vec<(u64, String)> = (0..)
        .zip(&program.insts)
        .filter(|(_, inst)| inst.size_bytes > 0)
        .map(|(index, inst)| (inst.pc, program.text(index)))
        .collect();
    let theirs: Vec<(u64, &str)> = disassembly.lines().filter_map(instruction).collect();
    for ((pc, ours), (address, theirs)) in ours.iter().zip(&theirs) {
        if (pc, &**ours) != (address, theirs) {
            return Err(format!(
                "our decoder says `{ours}` at {pc:#x}, llvm-objdump `{theirs}` at {address:#x}"
            ));
        }
    }
    if ours.len() != theirs.len() {
        let (ours, theirs) = (ours.len(), theirs.len());
        return Err(format!("our decoder finds {ours} instructions, llvm-objdump {theirs}"));
    }
    Ok(())
}

/// A line that shows an instruction: a tab, the text, `// address: words`.
fn instruction(line: &str) -> Option<(u64, &str)> {
    let (text, words) = line.strip_prefix('\t')?.rsplit_once("// ")?;
    let (address, _) = words.split_once(':')?;
    Some((u64::from_str_radix(address, 16).ok()?, text.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::instruction;

    #[test]
    fn a_line_has_its_address_and_its_text() {
        let line = "\ts_load_b64 s[2:3], s[0:1], 0x10      // 000000005E00: F4002080 F8000010";
        assert_eq!(instruction(line), Some((0x5e00, "s_load_b64 s[2:3], s[0:1], 0x10")));
        let branch = "\ts_cbranch_execz 122// 000000005E30: BFA5007A <k0+0x21c>";
        assert_eq!(instruction(branch), Some((0x5e30, "s_cbranch_execz 122")));
        assert_eq!(instruction("0000000000005e00 <k0>:"), None);
    }
}
