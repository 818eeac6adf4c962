//! Recognition of formats, compression, and bytes that are no trace at all.

use std::path::Path;

use crate::trace_support::{Random, champsim, compressed, random_capture, read};
use sim_harness::traces::{TraceError, open};

/// One small trace of each format, with its name and number of instructions.
fn samples() -> [(&'static str, Vec<u8>, usize); 3] {
    let log: String =
        (0..200).map(|index| format!("{{\"ip\":{},\"loads\":[{{\"addr\":1}}]}}\n", 4096 + index)).collect();
    let records: Vec<u8> =
        (0..200).flat_map(|index| champsim(0x1000 + index, [0, 0], [1, 0], [2, 0, 0, 0], [0x5000, 0, 0, 0])).collect();
    [("retire log", log.into_bytes(), 200), ("ChampSim", records, 200), ("capture", random_capture(9, 200).1, 200)]
}

#[test]
fn every_format_is_recognised_in_every_compression() {
    for (format, bytes, count) in samples() {
        for (compression, packed) in compressed(&bytes) {
            let (all, _, error) = read(&packed);
            assert!(error.is_none(), "{format} {compression}: {error:?}");
            assert_eq!(all.len(), count, "{format} {compression}");
        }
    }
}

#[test]
fn a_cut_stream_is_truncated_and_a_changed_one_corrupt() {
    let (_, bytes, _) = samples().into_iter().nth(1).expect("ChampSim");
    for (compression, packed) in compressed(&bytes).into_iter().skip(1) {
        let error = read(&packed[..packed.len() - 9]).2;
        assert!(matches!(error, Some(TraceError::Truncated { .. })), "{compression}: {error:?}");
        // The last bytes are checksums in every one of them, apart from zstd, which has none here.
        let mut changed = packed;
        let place = changed.len() / 2;
        changed[place] ^= 0x55;
        let error = read(&changed).2;
        let found = matches!(error, Some(TraceError::Corrupt { .. } | TraceError::Truncated { .. }));
        assert!(found || compression == "zstd", "{compression}: {error:?}");
    }
}

#[test]
fn what_is_no_trace_is_named() {
    assert!(matches!(open(Path::new("/no/such/trace")).err(), Some(TraceError::Missing { .. })));
    assert!(matches!(open(Path::new("/")).err(), Some(TraceError::Directory { .. })));
    assert!(matches!(read(b"").2, Some(TraceError::Empty { .. })));
    assert!(matches!(read(b" \n\n").2, Some(TraceError::Empty { .. })));
    let elf = std::fs::read("/bin/true").expect("there is one");
    let foreign: [(&[u8], &str); 5] = [
        (&elf, "an ELF program"),
        (b"#!/bin/sh\necho\n", "a script"),
        (b"ip,addr\n1,2\n", "69 70 2c"),
        (b"[1,2]", "a JSON array"),
        (&[0; 640], "00 00 00"),
    ];
    for (bytes, words) in foreign {
        let error = read(bytes).2;
        assert!(matches!(&error, Some(TraceError::Foreign { first, .. }) if first.contains(words)), "{error:?}");
    }
    // Empty once decompressed.
    for (compression, packed) in compressed(b"").into_iter().skip(1) {
        assert!(matches!(read(&packed).2, Some(TraceError::Empty { .. })), "{compression}");
    }
}

/// Whatever the bytes, a reader ends with instructions or an error and never panics.
#[test]
fn no_bytes_make_a_reader_panic() {
    let mut random = Random(0x5eed);
    let mut starts: Vec<Vec<u8>> = vec![Vec::new()];
    for (_, bytes, _) in samples() {
        starts.extend(compressed(&bytes).into_iter().map(|(_, packed)| packed));
    }
    for round in 0..3000 {
        let mut bytes = starts[round % starts.len()].clone();
        match random.below(4) {
            0 => bytes.truncate(random.below(bytes.len() as u64 + 1) as usize),
            1 => {
                let keep = random.below(64) as usize;
                bytes.truncate(keep);
                bytes.extend((0..random.below(2000)).map(|_| random.next() as u8));
            }
            _ => {
                for _ in 0..=random.below(8) {
                    let place = random.below(bytes.len().max(1) as u64) as usize;
                    if let Some(byte) = bytes.get_mut(place) {
                        *byte ^= 1 << random.below(8);
                    }
                }
            }
        }
        let (all, _, _) = read(&bytes);
        assert!(all.len() < 100_000);
    }
}
