//! The capture file: everything comes back, and every kind of damage is found.

use crate::trace_support::{file, random_capture, read};
use sim_harness::traces::capture_file::Header;
use sim_harness::traces::{CaptureWriter, Load, Retired, Store, TraceError, TraceNotes, open};

#[test]
fn random_instructions_come_back() {
    let (all, bytes) = random_capture(1, 8_000);
    let (back, notes, error) = read(&bytes);
    assert!(error.is_none(), "{error:?}");
    assert_eq!(back.len(), all.len());
    for (number, (left, right)) in back.iter().zip(&all).enumerate() {
        assert_eq!(left, right, "instruction {number}");
    }
    assert_eq!(notes.other_threads, 7);
    assert!(notes.gaps > 100, "{notes:?}");
}

#[test]
fn totals_and_mappings_are_known_before_reading() {
    let (_, bytes) = random_capture(2, 100);
    let kept = file(&bytes);
    let reader = open(kept.path()).expect("opens");
    assert_eq!(reader.total(), Some(100));
    assert!(!reader.annotated());
    let place = reader.symbols().and_then(|map| map.locate(0x40_0010)).expect("mapped");
    assert_eq!((place.file.to_str(), place.offset), (Some("/bin/true"), 0x10));
    assert_eq!(reader.symbols().and_then(|map| map.locate(0x50_0000)), None);
}

#[test]
fn a_file_that_breaks_off_gives_its_whole_blocks() {
    let (all, bytes) = random_capture(3, 8_000);
    for length in (8..bytes.len()).step_by(bytes.len() / 31) {
        let (back, _, error) = read(&bytes[..length]);
        assert!(matches!(error, Some(TraceError::Truncated { .. })), "{length}: {error:?}");
        assert_eq!(back, all[..back.len()], "{length}");
    }
    // Cut just before the trailer: everything is there.
    let footer = bytes.len() - 16;
    let trailer = u64::from_le_bytes(bytes[footer..footer + 8].try_into().expect("8 bytes")) as usize;
    assert_eq!(read(&bytes[..trailer]).0.len(), all.len());
}

#[test]
fn every_changed_bit_is_found() {
    let (all, bytes) = random_capture(4, 60);
    for place in 0..bytes.len() - 16 {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1 << (place % 8);
        let (back, _, error) = read(&damaged);
        assert!(error.is_some(), "byte {place}");
        assert!(all.starts_with(&back), "byte {place}");
    }
}

#[test]
fn a_newer_version_is_named() {
    let (_, mut bytes) = random_capture(5, 10);
    bytes[8] = 3;
    let error = open(file(&bytes).path()).err();
    assert!(matches!(error, Some(TraceError::Newer { found: 3, known: 2, .. })), "{error:?}");
}

/// `every_branch.S`, captured by a program that wrote version 1.
#[test]
fn the_first_version_is_read() {
    let (all, notes, error) = read(include_bytes!("data/version_1.lwptrace"));
    assert!(error.is_none(), "{error:?}");
    assert_eq!(notes, TraceNotes::default());
    assert_eq!(all.len(), 50);
    for pair in all.windows(2) {
        let next = pair[0].branch.map_or(pair[0].neighbour(), |branch| Some(branch.next));
        assert_eq!(next, Some(pair[1].ip));
    }
    assert_eq!(all.iter().filter(|one| one.branch.is_some()).count(), 16);
    assert_eq!(all.iter().map(|one| one.loads.len()).sum::<usize>(), 23);
    assert!(all.iter().all(|one| one.stores.is_empty() && one.interruptions.is_empty() && !one.flags.ss_load));
}

#[test]
fn a_length_that_is_not_known_comes_back() {
    let mut writer = CaptureWriter::new(Vec::new(), &Header::default()).expect("memory can be written");
    let list: Vec<Retired> = (0..9)
        .map(|at| Retired {
            ip: 0x1000 + 4 * (at % 3),
            cpl: 3,
            loads: vec![Load { addr: Some(at), ..Load::default() }],
            stores: vec![Store { addr: 8 * at, size: 0 }],
            ..Retired::default()
        })
        .collect();
    list.iter().for_each(|one| writer.push(one, false).expect("memory can be written"));
    let finished = writer.finish("done", 0, Vec::new()).expect("memory can be written");
    assert_eq!((finished.trailer.loads, finished.trailer.stores), (9, 9));
    assert_eq!(read(&finished.out).0, list);
}

#[test]
fn bytes_behind_the_end_are_foreign() {
    let (_, mut bytes) = random_capture(6, 10);
    bytes.push(0);
    assert!(matches!(read(&bytes).2, Some(TraceError::Corrupt { .. })));
}
