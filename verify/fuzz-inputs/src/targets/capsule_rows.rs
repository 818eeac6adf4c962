//! Capsules whose text is sound and whose rows are any bytes, compressed.
//!
//! The input is the number of cycles (8 bytes) and the rows as they are before compression.

use super::capsule::one;
use crate::bytes::Bytes;
use crate::seal;
use crate::seeds;
use sim_harness::capsule::{Capsule, RowWriter};
use std::sync::LazyLock;

/// Rows that are written again.
const ROWS: u64 = 4096;

static TEXT: LazyLock<String> = LazyLock::new(|| {
    let capsule = seeds::capsule();
    let (text, _) = seal::split_capsule(&capsule).expect("a capsule");
    String::from_utf8(text.to_vec()).expect("text")
});

/// Reads it; rows that can be read, written and read again, are the same.
///
/// # Panics
/// If a promise is broken.
pub fn one_input(data: &[u8]) {
    let mut bytes = Bytes(data);
    let cycles = bytes.u64() >> 1;
    let file = file(cycles, bytes.0);
    one(&file);
    if let Ok(capsule) = Capsule::from_bytes(&file) {
        again(&capsule);
    }
}

/// The capsule that an input stands for.
fn file(cycles: u64, rows: &[u8]) -> Vec<u8> {
    let line = |line: &str| match line {
        line if line.starts_with("cycles = ") => format!("cycles = {cycles}\n"),
        line if line.starts_with("cycle = ") => "cycle = 0\n".to_owned(),
        line => format!("{line}\n"),
    };
    seal::capsule(TEXT.lines().map(line).collect::<String>().as_bytes(), &seal::compress(rows))
}

fn again(capsule: &Capsule) {
    let words = capsule.header().in_words;
    let (mut writer, mut rows) = (RowWriter::new(words), capsule.rows());
    while writer.cycles() < ROWS
        && let Some(row) = rows.next_row().expect("it was checked")
    {
        writer.push(row);
    }
    let cycles = writer.cycles();
    let written = writer.finish();
    let mut twice = sim_harness::capsule::RowReader::new(&written, words, cycles).expect("rows just written");
    let mut rows = capsule.rows();
    for _ in 0..cycles {
        assert_eq!(twice.next_row().expect("just written"), rows.next_row().expect("it was checked"));
    }
}
