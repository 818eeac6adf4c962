//! Retire logs: any text behind a line that makes it one.

use super::reading::{self, Read};
use crate::file::with_file;
use lwp_model::retire::{Flags, Interruption, Io, Rep, Transaction};
use sim_harness::traces::{Retired, Store, TraceError};
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
    // Bytes that are not text may be read as a trace of ChampSim, which does not annotate, and whose stores have no size.
    if read.annotated {
        again(&read);
    }
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
    let _ = write!(text, ",\"loads\":[{}],\"cs_base\":\"{:#x}\"", loads.join(","), retired.cs_base);
    if retired.length > 0 {
        let _ = write!(text, ",\"length\":{}", retired.length);
    }
    if let Some(mode) = retired.op_mode {
        let _ = write!(text, ",\"mode\":\"{}\"", ["real", "v86", "protected", "compatibility", "64"][mode as usize]);
    }
    let store = |store: &Store| format!("{{\"addr\":\"{:#x}\",\"size\":{}}}", store.addr, store.size);
    let stores: Vec<String> = retired.stores.iter().map(store).collect();
    let _ = write!(text, ",\"stores\":[{}]", stores.join(","));
    let Io { valid, write, port, size } = retired.io;
    if valid {
        let _ = write!(text, ",\"io\":{{\"port\":\"{port:#x}\",\"size\":{size},\"write\":{write}}}");
    }
    let (Flags { tf, ss_load, rep }, Transaction { in_tx, tx_abort }) = (retired.flags, retired.transaction);
    let _ = write!(text, ",\"tf\":{tf},\"ss_load\":{ss_load},\"in_tx\":{in_tx},\"tx_abort\":{tx_abort}");
    if rep != Rep::None {
        let _ = write!(text, ",\"rep\":\"{}\"", ["first", "more", "last"][rep as usize - 1]);
    }
    let interruptions: Vec<String> = retired.interruptions.iter().map(interruption).collect();
    let _ = writeln!(text, ",\"interruption\":[{}]}}", interruptions.join(","));
    text
}

fn interruption(interruption: &Interruption) -> String {
    let kind = ["interrupt", "exception", "nmi", "smi", "rsm"][interruption.kind as usize];
    let (vector, from) = (interruption.vector, interruption.from);
    format!("{{\"kind\":\"{kind}\",\"vector\":{vector},\"from\":\"{from:#x}\"}}")
}

fn load(load: &sim_harness::traces::Load) -> String {
    let addr = load.addr.map_or_else(|| "null".to_owned(), |addr| format!("\"{addr:#x}\""));
    let (size, miss, latency, source) = (load.size, load.miss, load.latency, load.source);
    format!("{{\"addr\":{addr},\"size\":{size},\"miss\":{miss},\"latency\":{latency},\"source\":{source}}}")
}
