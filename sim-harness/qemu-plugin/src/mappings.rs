//! Which files the guest's code comes from.

use std::fs::{self, File};
use std::io::Write;

/// Address ranges that code was translated from, and the file that gets a line for each that has a
/// file behind it.
pub(crate) struct Mappings {
    known: Vec<(u64, u64)>,
    out: File,
}

impl Mappings {
    /// Writes the lines to `out`.
    pub(crate) fn new(out: File) -> Self {
        Self { known: Vec::new(), out }
    }

    /// Notes that the guest has code at `address`. If the address is in a range that is not known
    /// yet, its line of `/proc/self/maps` is written: QEMU maps the guest's files at the guest's
    /// addresses. Lines of QEMU itself are thus never written.
    pub(crate) fn note(&mut self, address: u64) {
        if self.known.iter().any(|(start, end)| (*start..*end).contains(&address)) {
            return;
        }
        let Ok(text) = fs::read_to_string("/proc/self/maps") else { return };
        for line in text.lines() {
            let Some((start, end)) = range(line) else { continue };
            if (start..end).contains(&address) {
                self.known.push((start, end));
                if line.contains(" /") {
                    // A name that is lost costs a name in a report, nothing else.
                    let _ = writeln!(self.out, "{line}");
                }
            }
        }
    }
}

/// The addresses at the beginning of a line.
fn range(line: &str) -> Option<(u64, u64)> {
    let (start, rest) = line.split_once('-')?;
    let (end, _) = rest.split_once(' ')?;
    Some((u64::from_str_radix(start, 16).ok()?, u64::from_str_radix(end, 16).ok()?))
}
