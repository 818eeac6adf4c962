//! What runs on a logical processor: a program, or nothing.

use super::error::RunError;
use super::first_level::{FirstLevel, Size};
use super::program::{FirstLevels, Program};
use crate::rdt::environment::{self, Access};
use crate::traces::{TraceError, open};
use std::path::PathBuf;

/// Program of a logical processor.
#[derive(Debug)]
pub(super) enum Supply {
    /// A trace.
    Program(Box<Program>),
    /// It has nothing to do.
    Idle,
}

/// How programs reach the shared caches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Front {
    /// Sizes of the first-level caches for data and code; `None` without them.
    pub(super) first: Option<(Size, Size)>,
    /// Instructions of each trace.
    pub(super) limit: Option<u64>,
}

impl Front {
    /// Opens the traces; those that are not wanted are nothing.
    pub(super) fn open(
        &self,
        traces: &[PathBuf],
        line: u8,
        wanted: impl Fn(usize) -> bool,
    ) -> Result<Vec<Supply>, RunError> {
        let cache = |size: Size| {
            let sets = size.sets(line).ok_or_else(|| {
                let what = format!(
                    "a first-level cache of {} bytes has no power of two of sets of {} lines of {} bytes",
                    size.bytes,
                    size.ways,
                    1u32 << line
                );
                RunError::options(what, "for instance --l1 32K --l1-ways 8")
            })?;
            Ok::<_, RunError>(FirstLevel::new(sets, size.ways as usize))
        };
        let first = |(data, code)| Ok::<_, RunError>(FirstLevels { data: cache(data)?, code: cache(code)? });
        let first = self.first.map(first).transpose()?;
        let mut supplies = Vec::new();
        for (number, path) in traces.iter().enumerate() {
            supplies.push(if wanted(number) {
                Supply::Program(Box::new(Program::new(open(path)?, line, first.clone(), self.limit)))
            } else {
                Supply::Idle
            });
        }
        Ok(supplies)
    }
}

impl Supply {
    /// Bytes of the trace that were read, and its size.
    pub(super) fn position(&self) -> (u64, u64) {
        match self {
            Self::Program(program) => program.position(),
            Self::Idle => (0, 0),
        }
    }
}

impl environment::Program for Supply {
    fn next(&mut self) -> Result<Option<Access>, TraceError> {
        match self {
            Self::Program(program) => program.next(),
            Self::Idle => Ok(None),
        }
    }

    fn stop(&mut self) {
        if let Self::Program(program) = self {
            program.stop();
        }
    }
}
