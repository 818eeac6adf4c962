//! Traces as they are found: any bytes as a file, whatever format and compression they claim.

use super::reading::{self, Read};
use crate::file::with_file;
use sim_harness::traces::capture_file::Header;
use sim_harness::traces::{CaptureWriter, Retired};

/// Compression makes much of little; what is behind this is more of the same.
const LIMIT: u64 = 1 << 21;

/// Reads it; what could be read of a capture, written as a capture and read again, is the same.
///
/// # Panics
/// If a promise is broken.
pub fn one_input(data: &[u8]) {
    let read = with_file(data, |path| reading::read(path, LIMIT));
    again(&read);
}

/// Writes what was read as a capture file and reads that, if a capture file can say it.
///
/// # Panics
/// If it comes back changed.
pub fn again(read: &Read) {
    let says = |retired: &Retired| {
        let plain = |load: &sim_harness::traces::Load| {
            load.addr.is_some() && !load.miss && load.latency == 0 && load.source == 0
        };
        let branch = retired.branch.is_none_or(|branch| branch.predicted.is_none());
        retired.cpl == 3 && !retired.smm && branch && retired.loads.iter().all(plain)
    };
    if read.annotated || read.kept.is_empty() || !read.kept.iter().all(says) {
        return;
    }
    let mut writer = CaptureWriter::new(Vec::new(), &Header::default()).expect("memory takes it");
    for (at, retired) in read.kept.iter().enumerate() {
        writer.push(retired, at % 7 == 0).expect("memory takes it");
    }
    let bytes = writer.finish("the end", 0, Vec::new()).expect("memory takes it").out;
    let twice = with_file(&bytes, |path| reading::read(path, u64::MAX));
    assert!(twice.error.is_none(), "a capture that was just written: {:?}", twice.error);
    assert_eq!(twice.count, read.kept.len() as u64);
    assert!(twice.kept == read.kept, "written and read, a trace has changed");
}
