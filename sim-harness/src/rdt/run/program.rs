//! A program: the accesses of its trace, behind its own first-level caches.

use super::first_level::{FirstLevel, Looked};
use crate::rdt::environment::{self, Access};
use crate::traces::{AccessCursor, Retired, TraceError, TraceReader};
use std::collections::VecDeque;
use std::fmt;

/// First-level caches of a program.
#[derive(Clone, Debug)]
pub(super) struct FirstLevels {
    /// For data.
    pub(super) data: FirstLevel,
    /// For code.
    pub(super) code: FirstLevel,
}

/// What a program did in front of the shared caches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Before {
    /// Instructions that were read.
    pub(super) instructions: u64,
    /// Data accesses, split at lines.
    pub(super) data: u64,
    /// Hits of the first-level cache for data.
    pub(super) data_hits: u64,
}

/// The accesses of a trace, in order.
pub(super) struct Program {
    reader: Box<dyn TraceReader + Send>,
    present: Retired,
    /// Bytes of a line are 2^`line`.
    line: u8,
    /// `None` sends every data access to the shared caches, and no fetch.
    first: Option<FirstLevels>,
    /// Line of code that was fetched last.
    fetched: Option<u64>,
    ready: VecDeque<Access>,
    left: u64,
    /// What it did up to now.
    pub(super) before: Before,
}

impl Program {
    /// The program of a trace, with lines of 2^`line` bytes; of the trace so many instructions.
    pub(super) fn new(
        reader: Box<dyn TraceReader + Send>,
        line: u8,
        first: Option<FirstLevels>,
        limit: Option<u64>,
    ) -> Self {
        Self {
            reader,
            present: Retired::default(),
            line,
            first,
            fetched: None,
            ready: VecDeque::new(),
            left: limit.unwrap_or(u64::MAX),
            before: Before::default(),
        }
    }

    /// Bytes of the trace that were read, and its size.
    pub(super) fn position(&self) -> (u64, u64) {
        self.reader.position()
    }

    /// Makes the accesses of the present instruction: its code, then its data.
    fn instruction(&mut self) {
        if self.first.is_some() {
            self.fetch();
        }
        let mut present = std::mem::take(&mut self.present);
        // A format without sizes still has addresses: at least a byte was accessed.
        present.loads.iter_mut().for_each(|load| load.size = load.size.max(1));
        present.stores.iter_mut().for_each(|store| store.size = store.size.max(1));
        let mut cursor = AccessCursor::default();
        while let Some(access) = cursor.next(&present) {
            let last = access.addr.wrapping_add(u64::from(access.size) - 1);
            let (mut line, last) = (access.addr >> self.line, last >> self.line);
            loop {
                self.data(line, access.write);
                if line == last {
                    break;
                }
                line = (line + 1) & (u64::MAX >> self.line);
            }
        }
        self.present = present;
    }

    /// Accesses a line of data, by its linear number.
    fn data(&mut self, line: u64, write: bool) {
        self.before.data += 1;
        let line = self.kept(line);
        let Some(first) = &mut self.first else {
            self.ready.push_back(self.access(line, write, false));
            return;
        };
        match first.data.access(line, write) {
            Looked::Hit => self.before.data_hits += 1,
            Looked::Miss { written_back } => {
                // What is to be written is read first; the line goes back when it is displaced.
                self.ready.push_back(self.access(line, false, false));
                self.ready.extend(written_back.map(|line| self.access(line, true, false)));
            }
        }
    }

    /// Fetches the lines of the present instruction, but for the one that was fetched last.
    fn fetch(&mut self) {
        let end = self.present.ip.wrapping_add(u64::from(self.present.length.max(1)) - 1);
        for line in [self.present.ip >> self.line, end >> self.line] {
            if self.fetched == Some(line) {
                continue;
            }
            self.fetched = Some(line);
            let line = self.kept(line);
            let Some(first) = &mut self.first else { return };
            if first.code.access(line, false) != Looked::Hit {
                self.ready.push_back(self.access(line, false, true));
            }
        }
    }

    /// Number of the line without the bits that repeat the sign of the address, which a physical address does not have.
    fn kept(&self, line: u64) -> u64 {
        line & ((1 << (48 - u32::from(self.line))) - 1)
    }

    fn access(&self, line: u64, write: bool, code: bool) -> Access {
        Access { gap: 0, addr: line << self.line, write, code }
    }
}

impl environment::Program for Program {
    fn next(&mut self) -> Result<Option<Access>, TraceError> {
        loop {
            if let Some(access) = self.ready.pop_front() {
                return Ok(Some(access));
            }
            if self.left == 0 {
                return Ok(None);
            }
            match self.reader.next(&mut self.present) {
                Ok(true) => {}
                other => {
                    self.left = 0;
                    return other.map(|_| None);
                }
            }
            self.left -= 1;
            self.before.instructions += 1;
            self.instruction();
        }
    }

    fn stop(&mut self) {
        self.ready.clear();
        self.left = 0;
    }
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program").field("before", &self.before).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rdt::environment::Program as _;
    use crate::traces::open;
    use std::fs;

    /// The accesses of a retire log: address, and `w` for a write, `c` for code, `r` for a read.
    fn accesses(log: &str, first: Option<FirstLevels>) -> (Vec<(u64, char)>, Before) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        fs::write(&path, log).unwrap();
        let mut program = Program::new(open(&path).unwrap(), 6, first, None);
        let mut all = Vec::new();
        while let Some(access) = program.next().unwrap() {
            let kind = if access.code {
                'c'
            } else if access.write {
                'w'
            } else {
                'r'
            };
            all.push((access.addr, kind));
        }
        assert_eq!(program.next().unwrap(), None, "it stays over");
        (all, program.before)
    }

    #[test]
    fn direct_accesses_are_split_at_lines() {
        let log = r#"{"ip":"0x1000","loads":[{"addr":"0x103c","size":8},{"addr":"0x2000"}]}
{"ip":"0x1004","loads":[{"addr":"0x3000","size":4}],"stores":[{"addr":"0x3000","size":4},{"addr":"0x40","size":200}]}
{"ip":"0x1008"}
"#;
        let (all, before) = accesses(log, None);
        let split = [(0x1000, 'r'), (0x1040, 'r')];
        let long = [(0x40, 'w'), (0x80, 'w'), (0xC0, 'w'), (0x100, 'w')];
        let both = [(0x2000, 'r'), (0x3000, 'w')];
        assert_eq!(all, [&split[..], &both, &long].concat());
        assert_eq!(before, Before { instructions: 3, data: 8, data_hits: 0 });
    }

    #[test]
    fn the_end_of_the_address_space_is_followed_by_its_beginning() {
        let (all, _) = accesses("{\"ip\":\"0x0\",\"loads\":[{\"addr\":\"0xfffffffffffffff8\",\"size\":16}]}\n", None);
        assert_eq!(all, [(0xFFFF_FFFF_FFC0, 'r'), (0, 'r')]);
    }

    /// One set of one line each.
    #[test]
    fn first_level_caches_fetch_and_write_back() {
        let first = FirstLevels { data: FirstLevel::new(1, 1), code: FirstLevel::new(1, 1) };
        let log = r#"{"ip":"0x103e","length":4,"stores":[{"addr":"0x2000","size":4}]}
{"ip":"0x1042","length":2,"loads":[{"addr":"0x2004","size":4}]}
{"ip":"0x1044","length":2,"loads":[{"addr":"0x3000","size":4}]}
{"ip":"0x1000","length":2}
"#;
        let (all, before) = accesses(log, Some(first));
        let expected = [(0x1000, 'c'), (0x1040, 'c'), (0x2000, 'r'), (0x3000, 'r'), (0x2000, 'w'), (0x1000, 'c')];
        assert_eq!(all, expected);
        assert_eq!(before, Before { instructions: 4, data: 3, data_hits: 1 });
    }
}
