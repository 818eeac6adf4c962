//! The code of a traced program, from the files that it was mapped from.

use super::decode::{self, Decoded};
use crate::traces::{Mapping, Retired};
use std::collections::HashMap;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

/// Bytes of the longest instruction.
const LONGEST: usize = 15;

/// Places of instructions that are found without a search, a power of two.
const RECENT: usize = 1 << 14;

/// Instructions by address, decoded once.
#[derive(Debug)]
pub(super) struct ProgramCode {
    mappings: Vec<Mapping>,
    files: HashMap<PathBuf, Option<File>>,
    known: Vec<Result<Decoded, String>>,
    places: HashMap<u64, u32>,
    /// Address and place of the instruction that was looked for last, of those with the same lowest bits.
    recent: Vec<(u64, u32)>,
}

impl ProgramCode {
    /// The code in these files; without files no instruction has any.
    pub(super) fn new(mappings: &[Mapping]) -> Self {
        let (known, places, files) = (Vec::new(), HashMap::new(), HashMap::new());
        Self { mappings: mappings.to_vec(), files, known, places, recent: vec![(0, u32::MAX); RECENT] }
    }

    /// What the code of an instruction tells, or why there is none.
    #[inline]
    pub(super) fn of(&mut self, retired: &Retired) -> Result<&Decoded, &str> {
        let slot = retired.ip as usize % RECENT;
        let (ip, mut place) = self.recent[slot];
        if ip != retired.ip || place == u32::MAX {
            place = self.find(retired);
            self.recent[slot] = (retired.ip, place);
        }
        self.known[place as usize].as_ref().map_err(String::as_str)
    }

    fn find(&mut self, retired: &Retired) -> u32 {
        if let Some(place) = self.places.get(&retired.ip) {
            return *place;
        }
        let (decoded, place) = (self.decode(retired), self.known.len() as u32);
        self.known.push(decoded);
        self.places.insert(retired.ip, place);
        place
    }

    #[cold]
    fn decode(&mut self, retired: &Retired) -> Result<Decoded, String> {
        let ip = retired.ip;
        if self.mappings.is_empty() {
            return Err("the trace has no code".to_owned());
        }
        let mapping = self.mappings.iter().find(|mapping| (mapping.start..mapping.end).contains(&ip));
        let mapping = mapping.ok_or_else(|| "its code is in no file".to_owned())?;
        let (path, offset) = (mapping.path.clone(), mapping.offset.wrapping_add(ip - mapping.start));
        let file = self.files.entry(path.clone()).or_insert_with(|| File::open(&path).ok()).as_ref();
        let file = file.ok_or_else(|| format!("its code is in `{}`, which cannot be read", path.display()))?;
        let mut code = [0; LONGEST];
        let read = file.read_at(&mut code, offset).unwrap_or(0);
        let changed = || format!("`{}` has changed since the capture", path.display());
        let (length, decoded) = decode::decode(ip, &code[..read]).ok_or_else(changed)?;
        if retired.length == length { Ok(decoded) } else { Err(changed()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perf::count::facts::Fact;
    use std::io::Write;

    fn at(ip: u64, length: u8) -> Retired {
        Retired { ip, length, ..Retired::default() }
    }

    #[test]
    fn code_is_read_from_the_mapped_file() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&[0x90, 0xD8, 0xC1, 0xC3]).unwrap();
        let mapping = Mapping { path: file.path().to_owned(), start: 0x5000, end: 0x5010, offset: 0 };
        let mut code = ProgramCode::new(&[mapping]);
        assert_eq!(code.of(&at(0x5001, 2)).unwrap().facts, [Fact::Flops, Fact::Computations]);
        assert_eq!(code.of(&at(0x5000, 1)).unwrap().facts, []);
        assert!(code.of(&at(0x5003, 2)).unwrap_err().contains("has changed since the capture"), "ret has one byte");
        assert_eq!(code.of(&at(0x9000, 1)), Err("its code is in no file"));
    }

    #[test]
    fn a_trace_without_files_has_no_code() {
        assert_eq!(ProgramCode::new(&[]).of(&at(0, 1)), Err("the trace has no code"));
        let missing = Mapping { path: "/nonexistent/program".into(), start: 0, end: 0x1000, offset: 0 };
        assert!(ProgramCode::new(&[missing]).of(&at(0, 1)).unwrap_err().contains("cannot be read"));
    }
}
