//! Which line of which file an instruction comes from, by the code object's DWARF line tables.
//!
//! Invariants
//! - File names are as the compiler was given them, without the folder that it ran in.
//! - A code object without line tables, or with damaged ones, has no lines: they are for messages alone.

use crate::fault::Place;
use gimli::{Dwarf, EndianSlice, LittleEndian, Reader};
use object::{Object, ObjectSection};

/// The lines of a code object: from an address on, until the next.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    files: Vec<String>,
    /// By address: file, and line; 0 where nothing is known.
    rows: Vec<(u64, u32, u32)>,
}

impl Lines {
    /// The line tables of a code object.
    #[must_use]
    pub fn of(code_object: &[u8]) -> Lines {
        let Ok(file) = object::File::parse(code_object) else { return Lines::default() };
        let section = |id: gimli::SectionId| -> Result<_, gimli::Error> {
            let data = file.section_by_name(id.name()).and_then(|s| s.data().ok()).unwrap_or(&[]);
            Ok(EndianSlice::new(data, LittleEndian))
        };
        let mut lines = Lines::default();
        let read = Dwarf::load(section).and_then(|dwarf| lines.read(&dwarf));
        if read.is_err() {
            return Lines::default();
        }
        lines.rows.sort_by_key(|row| row.0);
        lines
    }

    fn read<R: Reader>(&mut self, dwarf: &Dwarf<R>) -> Result<(), gimli::Error> {
        let mut headers = dwarf.units();
        while let Some(header) = headers.next()? {
            let unit = dwarf.unit(header)?;
            let Some(program) = unit.line_program.clone() else { continue };
            let mut rows = program.rows();
            while let Some((header, row)) = rows.next_row()? {
                let known = row.file(header).zip(row.line()).filter(|_| !row.end_sequence());
                let (file, line) = match known {
                    None => (0, 0),
                    Some((file, line)) => {
                        let name = dwarf.attr_string(&unit, file.path_name())?;
                        (self.file(&name.to_string_lossy()?), line.get() as u32)
                    }
                };
                self.rows.push((row.address(), file, line));
            }
        }
        Ok(())
    }

    fn file(&mut self, name: &str) -> u32 {
        let known = self.files.iter().position(|file| file == name);
        known.unwrap_or_else(|| {
            self.files.push(name.into());
            self.files.len() - 1
        }) as u32
    }

    /// The line of the instruction at an address of the code object.
    #[must_use]
    pub fn at(&self, address: u64) -> Option<Place> {
        let after = self.rows.partition_point(|row| row.0 <= address);
        // A line of 0 says that the instruction is nobody's: the one before it is nearest.
        let known = self.rows[..after].iter().rev().take(8).find(|row| row.2 != 0);
        known.map(|&(_, file, line)| Place { file: self.files[file as usize].clone(), line })
    }
}
