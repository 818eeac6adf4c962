//! This repository keeps what its requirements promise.
use requirements::document::{Document, LWP, MONITORING};
use requirements::{Kind, Repository, Row, Trace, report, rows};
use std::path::Path;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn trace() -> Trace {
    Trace::of(&Repository::open(root()).unwrap()).unwrap()
}

/// What was given must not be edited; what shows a row may.
fn as_given(document: &'static Document, checksum: u32, kinds: &[usize]) {
    let (rows, problems) = rows(document, &std::fs::read_to_string(root().join(document.file)).unwrap());
    assert_eq!((rows.len(), problems.len()), (kinds.iter().sum(), 0));
    let given = |row: &Row| {
        [row.id.as_str(), &row.section, &row.area, row.kind.word(), &row.statement, &row.check]
            .map(str::to_owned)
            .join("\u{1F}")
    };
    let text = rows.iter().map(given).collect::<Vec<_>>().join("\n");
    let file = document.file;
    assert_eq!(crc32fast::hash(text.as_bytes()), checksum, "only the column shown_by of {file} may change");
    let count = |&kind: &Kind| rows.iter().filter(|row| row.kind == kind).count();
    assert_eq!(document.kinds.iter().map(count).collect::<Vec<_>>(), kinds);
}

#[test]
fn the_rows_are_those_that_were_given() {
    as_given(&LWP, 0x11F7_2077, &[318, 48, 32, 12]);
    as_given(&MONITORING, 0x7D7A_FCBA, &[96, 113, 331, 33, 57]);
}

#[test]
fn every_name_and_claim_exists() {
    let problems: Vec<_> = trace().problems.iter().map(ToString::to_string).collect();
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn every_row_is_shown() {
    let trace = trace();
    println!("{}", report::summary(&trace));
    assert!(trace.missing().next().is_none(), "{}", report::missing(&trace));
    assert!(trace.rows.iter().all(|row| row.later.is_none()), "every unit exists");
}
