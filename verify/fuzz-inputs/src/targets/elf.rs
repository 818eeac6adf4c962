//! Program files: what they are, where they are loaded, how their functions are called.
//!
//! The input is a file. Places to be named are taken from its end.

use crate::bytes::Bytes;
use crate::file::with_file;
use sim_harness::traces::elf;
use sim_harness::traces::{Mapping, ProgramMap};

/// Whatever the file is, there is an answer.
///
/// # Panics
/// If there is none.
pub fn one_input(data: &[u8]) {
    with_file(data, |path| {
        let kind = elf::kind(path).expect("it can be read");
        let segments = elf::segments(path);
        assert!(segments.is_none() || kind != elf::Kind::Unknown);
        let mut bytes = Bytes(&data[data.len().saturating_sub(32)..]);
        let (start, length, offset) = (bytes.u64(), bytes.u32(), bytes.u64());
        let any = Mapping { path: path.to_owned(), start, end: start.saturating_add(length.into()), offset };
        let whole = Mapping { path: path.to_owned(), start: 0x40_0000, end: 0x60_0000, offset: 0 };
        let ips = [start, start.saturating_add(bytes.u32().into()), 0x40_0000 + u64::from(bytes.u32() % (1 << 21))];
        let map = ProgramMap::new(vec![any, whole]);
        for ip in ips.into_iter().chain((0x40_0000..0x40_4000).step_by(0x333)) {
            let first = map.locate(ip);
            if let Some(location) = &first {
                assert!(!location.to_string().is_empty());
                let from = map.mappings().iter().filter(|mapping| (mapping.start..mapping.end).contains(&ip));
                let mut offsets = from.map(|mapping| mapping.offset.checked_add(ip - mapping.start));
                assert!(offsets.any(|offset| offset == Some(location.offset)), "an offset that is in no mapping");
            }
            assert_eq!(first, map.locate(ip), "another answer to the same question");
        }
    });
}
