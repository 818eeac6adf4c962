//! Retire logs: any text behind a line that makes it one.

use super::reading::{self, Read};
use crate::file::with_file;
use sim_harness::trace::{Retired, TraceError};
use std::fmt::Write;

/// Reads it; a complaint names a line and a column in it; what was read, written and read again, is the same.
///
/// # Panics
/// If a promise is broken.
pub fn one_input(data: &[u8]) {
    // Recognised by its first byte that is no space.
    let data = [b"{", data].concat();
    let read = with_file(&data, |path| reading::read(path, u64::MAX));
    if let Some(TraceError::Line(error)) = &read.error {
        let line = data.split(|byte| *byte == b'\n').nth(error.line as usize - 1);
        let length = line.expect("a complaint about a line that there is").len();
        assert!((1..=length + 1).contains(&error.column), "column {} of {length}", error.column);
    }
    assert!(read.count <= data.len() as u64 / 8);
    again(&read);
}

fn again(read: &Read) {
    if read.kept.is_empty() {
        return;
    }
    let text = read.kept.iter().fold(String::new(), |text, retired| text + &line(retired));
    let twice = with_file(text.as_bytes(), |path| reading::read(path, u64::MAX));
    assert!(twice.error.is_none(), "a log that was just written: {:?}", twice.error);
    assert!(twice.kept == read.kept, "written and read, a log has changed:\n{text}");
}

/// A line as the book says that it looks.
fn line(retired: &Retired) -> String {
    let mut text = format!("{{\"ip\":\"{:#x}\",\"cpl\":{},\"smm\":{}", retired.ip, retired.cpl, retired.smm);
    if let Some(branch) = retired.branch {
        let predicted = branch.predicted.map_or_else(|| "null".to_owned(), |good| good.to_string());
        let (kind, taken, next) = (branch.kind.name(), branch.taken, branch.next);
        let _ = write!(
            text,
            ",\"branch\":{{\"kind\":\"{kind}\",\"taken\":{taken},\"next\":\"{next:#x}\",\"predicted\":{predicted}}}"
        );
    }
    let loads: Vec<String> = retired.loads.iter().map(load).collect();
    let _ = writeln!(text, ",\"loads\":[{}]}}", loads.join(","));
    text
}

fn load(load: &sim_harness::trace::Load) -> String {
    let addr = load.addr.map_or_else(|| "null".to_owned(), |addr| format!("\"{addr:#x}\""));
    let (size, miss, latency, source) = (load.size, load.miss, load.latency, load.source);
    format!("{{\"addr\":{addr},\"size\":{size},\"miss\":{miss},\"latency\":{latency},\"source\":{source}}}")
}
