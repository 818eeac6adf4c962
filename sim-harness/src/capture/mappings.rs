//! The parser for lines of `/proc/PID/maps`.

use std::path::PathBuf;

use crate::traces::Mapping;

/// Returns the mappings of files in lines of `/proc/PID/maps`. Mappings of the same file at the same distance are
/// combined: the kernel splits and joins them as their protection changes.
pub(super) fn parse(text: &str) -> Vec<Mapping> {
    let mut mappings: Vec<Mapping> = Vec::new();
    for mapping in text.lines().filter_map(line) {
        let base = |mapping: &Mapping| mapping.start.wrapping_sub(mapping.offset);
        let same = mappings.iter_mut().find(|known| known.path == mapping.path && base(known) == base(&mapping));
        let Some(known) = same else {
            mappings.push(mapping);
            continue;
        };
        if mapping.start < known.start {
            known.start = mapping.start;
            known.offset = mapping.offset;
        }
        known.end = known.end.max(mapping.end);
    }
    mappings.sort_by_key(|mapping| mapping.start);
    mappings
}

/// Parses `start-end protection offset device inode path`; returns `None` if the mapping has no file.
fn line(line: &str) -> Option<Mapping> {
    let path = &line[line.find(" /")? + 1..];
    let mut fields = line.split_ascii_whitespace();
    let (start, end) = fields.next()?.split_once('-')?;
    let offset = fields.nth(1)?;
    let number = |digits| u64::from_str_radix(digits, 16).ok();
    Some(Mapping { path: PathBuf::from(path), start: number(start)?, end: number(end)?, offset: number(offset)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_one_file_are_joined_and_others_kept_apart() {
        let text = "\
4000001000-4000005000 r--p 00001000 fe:00 12 /usr/bin/a b
4000000000-4000001000 r--p 00000000 fe:00 12 /usr/bin/a b
4000005000-4000006000 rw-p 00005000 fe:00 12 /usr/bin/a b
4000805000-4000806000 r--p 00000000 fe:00 13 /lib/c.so
4000900000-4000901000 rw-p 00000000 00:00 0
";
        let expected = [
            Mapping { path: "/usr/bin/a b".into(), start: 0x40_0000_0000, end: 0x40_0000_6000, offset: 0 },
            Mapping { path: "/lib/c.so".into(), start: 0x40_0080_5000, end: 0x40_0080_6000, offset: 0 },
        ];
        assert_eq!(parse(text), expected);
    }
}
