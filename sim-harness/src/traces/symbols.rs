//! Names for addresses: the file that an instruction came from, and the function that contains it.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use addr2line::Loader;
use serde::{Deserialize, Serialize};

use crate::traces::{elf, symbol_table};

/// A part of a file in the address space of the traced program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mapping {
    /// The file.
    pub path: PathBuf,
    /// The first linear address.
    pub start: u64,
    /// The linear address after the last one.
    pub end: u64,
    /// The offset in the file of the byte at `start`.
    pub offset: u64,
}

/// The origin of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeLocation {
    /// The file.
    pub file: Arc<Path>,
    /// The function, demangled; `None` if the file contains no name for it (a stripped file).
    pub function: Option<Arc<str>>,
    /// The offset of the instruction in its function, if the symbol table contains the function; 0 otherwise.
    pub into_function: u64,
    /// The offset of the instruction in the file.
    pub offset: u64,
}

impl fmt::Display for CodeLocation {
    /// Writes the function and the offset in it, or `file+0xoffset` if it has no name.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(function) = &self.function {
            formatter.write_str(function)?;
            return if self.into_function == 0 { Ok(()) } else { write!(formatter, "+{:#x}", self.into_function) };
        }
        let name = self.file.file_name().unwrap_or(self.file.as_os_str());
        write!(formatter, "{}+{:#x}", name.display(), self.offset)
    }
}

/// The files of a traced program in its address space. Symbols are loaded when they are first needed; every result is
/// cached.
pub struct ProgramMap {
    mappings: Vec<Mapping>,
    loaded: Mutex<Loaded>,
}

#[derive(Default)]
struct Loaded {
    files: HashMap<PathBuf, Option<Symbols>>,
    answers: HashMap<u64, Option<CodeLocation>>,
}

/// The source of names for the addresses of one file.
struct Symbols {
    loader: Loader,
    segments: Vec<elf::Segment>,
}

impl ProgramMap {
    /// Creates a map of these files.
    #[must_use]
    pub fn new(mut mappings: Vec<Mapping>) -> Self {
        mappings.sort_by_key(|mapping| mapping.start);
        Self { mappings, loaded: Mutex::default() }
    }

    /// Returns the mapped files, sorted by address.
    #[must_use]
    pub fn mappings(&self) -> &[Mapping] {
        &self.mappings
    }

    /// Returns the origin of the instruction at `ip`; `None` if no known file contains it. A file that does not exist
    /// or has no symbols yields a location without a function.
    #[must_use]
    pub fn locate(&self, ip: u64) -> Option<CodeLocation> {
        // The cache has no invariant that a panic elsewhere could have broken.
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(answer) = loaded.answers.get(&ip) {
            return answer.clone();
        }
        let answer = self.mapping(ip).and_then(|mapping| loaded.locate(mapping, ip));
        loaded.answers.insert(ip, answer.clone());
        answer
    }

    /// Returns the source file and the line of the instruction at `ip`, if debugging information has them.
    #[must_use]
    pub fn source_line(&self, ip: u64) -> Option<(String, u32)> {
        let mapping = self.mapping(ip)?;
        let offset = mapping.offset.checked_add(ip - mapping.start)?;
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        loaded.symbols(&mapping.path)?.source_line(offset)
    }

    /// Returns the address of a function or variable by its name, as the linker has it or demangled. The first file that has it
    /// counts, in the order of the addresses.
    #[must_use]
    pub fn address_of(&self, symbol: &str) -> Option<u64> {
        let mut seen: Vec<&Path> = Vec::new();
        self.mappings.iter().find_map(|mapping| {
            let new = !seen.contains(&mapping.path.as_path());
            seen.push(&mapping.path);
            let address = new.then(|| symbol_table::address(&mapping.path, symbol)).flatten()?;
            let segment = elf::segments(&mapping.path)?.into_iter().find(|segment| segment.maps(mapping.offset))?;
            let own = segment.address.wrapping_sub(segment.offset).wrapping_add(mapping.offset);
            Some(address.wrapping_sub(own).wrapping_add(mapping.start))
        })
    }

    /// Returns the mapping that contains `ip`.
    fn mapping(&self, ip: u64) -> Option<&Mapping> {
        let after = self.mappings.partition_point(|mapping| mapping.start <= ip);
        self.mappings[..after].last().filter(|mapping| ip < mapping.end)
    }
}

impl Loaded {
    /// Returns the origin of `ip`; `None` if the mapping, which comes from a file, is impossible.
    fn locate(&mut self, mapping: &Mapping, ip: u64) -> Option<CodeLocation> {
        let offset = mapping.offset.checked_add(ip - mapping.start)?;
        let symbols = self.symbols(&mapping.path);
        let (function, into_function) = symbols.and_then(|symbols| symbols.function(offset)).unzip();
        let into_function = into_function.unwrap_or(0);
        Some(CodeLocation { file: Arc::from(mapping.path.as_path()), function, into_function, offset })
    }

    /// Returns the symbols of a file, if it has any.
    fn symbols(&mut self, path: &Path) -> Option<&Symbols> {
        self.files.entry(path.to_owned()).or_insert_with(|| Symbols::load(path)).as_ref()
    }
}

impl Symbols {
    /// Loads the symbols of a file, if it has any.
    fn load(path: &Path) -> Option<Self> {
        let segments = elf::segments(path)?;
        let loader = Loader::new(path).ok()?;
        Some(Self { loader, segments })
    }

    /// Returns the source file and the line at an offset of the file.
    fn source_line(&self, offset: u64) -> Option<(String, u32)> {
        let address = self.segments.iter().find_map(|segment| segment.address(offset))?;
        let location = self.loader.find_location(address).ok()??;
        Some((location.file?.to_owned(), location.line?))
    }

    /// Returns the function at an offset of the file, and the offset in the function. The symbol table is searched first,
    /// because it has every function that exists as such; debugging information has the others. A table of the exported
    /// functions alone yields the one before, with a large offset.
    fn function(&self, offset: u64) -> Option<(Arc<str>, u64)> {
        let address = self.segments.iter().find_map(|segment| segment.address(offset))?;
        if let Some(symbol) = self.loader.find_symbol_info(address) {
            let name = Arc::from(addr2line::demangle_auto(symbol.name().into(), None));
            return Some((name, address.saturating_sub(symbol.address())));
        }
        let mut frames = self.loader.find_frames(address).ok()?;
        let mut name = None;
        // The last frame is the function itself; the earlier ones were inlined into it.
        while let Ok(Some(frame)) = frames.next() {
            name = frame.function.and_then(|function| Some(Arc::from(function.demangle().ok()?)));
        }
        name.map(|name| (name, 0))
    }
}

impl fmt::Debug for ProgramMap {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ProgramMap").field("mappings", &self.mappings).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list of the hottest instructions may have many of one function.
    #[test]
    fn instructions_of_one_function_are_told_apart() {
        let at = |into_function| CodeLocation {
            file: Arc::from(Path::new("/lib/libc.so.6")),
            function: Some(Arc::from("getenv")),
            into_function,
            offset: 0x4000 + into_function,
        };
        assert_eq!([at(0), at(0x1b)].map(|place| place.to_string()), ["getenv", "getenv+0x1b"]);
        let unnamed = CodeLocation { function: None, ..at(0) };
        assert_eq!(unnamed.to_string(), "libc.so.6+0x4000");
    }

    /// This program.
    fn own_program() -> ProgramMap {
        let own = std::env::current_exe().unwrap();
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let mapping = |line: &str| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let (start, end) = words[0].split_once('-').unwrap();
            let number = |digits: &str| u64::from_str_radix(digits, 16).unwrap();
            Mapping { path: own.clone(), start: number(start), end: number(end), offset: number(words[2]) }
        };
        let lines = maps.lines().filter(|line| line.ends_with(&*own.to_string_lossy()));
        ProgramMap::new(lines.map(mapping).collect())
    }

    /// A function of this program, by the program's own symbols.
    #[test]
    fn the_offset_counts_from_the_first_byte_of_the_function() {
        let map = own_program();
        let first = instructions_of_one_function_are_told_apart as fn() as usize as u64;
        for into in [0, 3] {
            let place = map.locate(first + into).expect("it is mapped");
            assert_eq!(place.into_function, into, "{place}");
        }
    }

    static WATCHED: u64 = 7;

    /// A variable of this program, and a function, by their names.
    #[test]
    fn a_symbol_has_its_address() {
        let map = own_program();
        let function = map.locate(own_program as fn() -> ProgramMap as usize as u64).unwrap().function.unwrap();
        assert_eq!(map.address_of(&function), Some(own_program as fn() -> ProgramMap as usize as u64), "{function}");
        let variable = format!("{}::WATCHED", module_path!());
        assert_eq!(map.address_of(&variable), Some(&raw const WATCHED as u64), "{WATCHED}");
        assert_eq!(map.address_of("no such symbol"), None);
    }

    /// Mappings come from a file, which may contain an offset near the maximum.
    #[test]
    fn an_offset_beyond_all_files_is_no_place() {
        let path = std::path::PathBuf::from("/proc/nonexistent");
        let mapping = Mapping { path, start: 0x1000, end: 0x3000, offset: u64::MAX - 0xfff };
        let map = ProgramMap::new(vec![mapping]);
        assert_eq!(map.locate(0x1fff).map(|location| location.offset), Some(u64::MAX));
        assert_eq!(map.locate(0x2000), None);
    }
}
