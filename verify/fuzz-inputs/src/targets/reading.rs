//! Reads a trace to its end, as everybody who opens one does, and looks at what comes out.

use super::complaint;
use sim_harness::traces::{self, BranchKind, Retired, TraceError};
use std::path::Path;

/// Instructions that are kept to be compared; reading goes on behind them.
pub const KEPT: usize = 4096;

/// What a trace held.
#[derive(Debug, Default)]
pub struct Read {
    /// Its first instructions.
    pub kept: Vec<Retired>,
    /// How many there were.
    pub count: u64,
    /// Whether it says itself how loads went.
    pub annotated: bool,
    /// How reading ended, if not at the end of the trace.
    pub error: Option<TraceError>,
}

/// Reads a trace, but at most `limit` instructions.
///
/// # Panics
/// If what is read breaks a promise of the reader.
#[must_use]
pub fn read(path: &Path, limit: u64) -> Read {
    let mut read = Read::default();
    let mut reader = match traces::open(path) {
        Ok(reader) => reader,
        Err(error) => {
            complaint::check(&error);
            read.error = Some(error);
            return read;
        }
    };
    read.annotated = reader.annotated();
    let mut into = Retired::default();
    while read.count < limit {
        match reader.next(&mut into) {
            Ok(true) => check(&into),
            Ok(false) => break,
            Err(error) => {
                complaint::check(&error);
                read.error = Some(error);
                break;
            }
        }
        read.count += 1;
        if read.kept.len() < KEPT {
            read.kept.push(into.clone());
        }
    }
    let (at, size) = reader.position();
    assert!(at <= size, "{at} of {size} bytes read");
    assert!(reader.notes().sentences().iter().all(|sentence| !sentence.is_empty()));
    if let Some(map) = reader.symbols() {
        read.kept.iter().take(4).for_each(|retired| drop(map.locate(retired.ip)));
    }
    read
}

fn check(retired: &Retired) {
    assert!(retired.cpl <= 3);
    assert!(retired.loads.iter().all(|load| load.source <= 7));
    if let Some(branch) = retired.branch {
        let may_fall_through = matches!(branch.kind, BranchKind::Jcc | BranchKind::System);
        assert!(branch.taken || may_fall_through || branch.predicted.is_none(), "{branch:?}");
    }
}
