//! The recognition of a trace by its content.

use std::path::Path;

use super::capture_file;
use super::capture_reader::CaptureReader;
use super::champsim::{self, ChampSim};
use super::input::Input;
use super::retire_log::RetireLog;
use super::{TraceError, TraceReader};

/// Opens a trace of any known format, compressed or not. The name of the file does not matter.
///
/// # Errors
/// [`TraceError`] if the file does not exist, is a directory or is empty, or if its content is in no known format, is a
/// capture of a newer version, or is damaged at its beginning.
pub fn open(path: &Path) -> Result<Box<dyn TraceReader + Send>, TraceError> {
    let input = Input::open(path)?;
    match recognise(input.first()) {
        Format::Capture => Ok(Box::new(CaptureReader::new(input)?)),
        Format::RetireLog => Ok(Box::new(RetireLog::new(input))),
        Format::ChampSim => Ok(Box::new(ChampSim::new(input))),
        Format::Blank => Err(TraceError::Empty { path: path.to_owned() }),
        Format::Foreign => Err(TraceError::Foreign { path: path.to_owned(), first: describe(input.first()) }),
    }
}

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Capture,
    RetireLog,
    ChampSim,
    /// Only white space.
    Blank,
    Foreign,
}

/// Recognises the format by the first bytes of the decompressed content.
fn recognise(first: &[u8]) -> Format {
    // A capture that breaks off inside its magic is a truncated capture.
    if first.starts_with(&capture_file::MAGIC) || capture_file::MAGIC.starts_with(first) {
        return Format::Capture;
    }
    match first.trim_ascii() {
        [] => Format::Blank,
        [b'#', b'!', ..] => Format::Foreign,
        // Comments are not JSON, but a file with comments is meant as a retire log, and the message should report this.
        [b'{' | b'#', ..] | [b'/', b'/', ..] if is_text(first) => Format::RetireLog,
        _ if champsim::is_plausible(first) => Format::ChampSim,
        _ => Format::Foreign,
    }
}

/// Whether the beginning of the bytes can be text: the first line has no control characters.
fn is_text(first: &[u8]) -> bool {
    let line = first.trim_ascii_start();
    let line = line.split(|byte| *byte == b'\n').next().unwrap_or(line);
    !line.iter().any(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace())
}

/// Returns a description of the first bytes.
fn describe(first: &[u8]) -> String {
    let known: [(&[u8], &str); 7] = [
        (b"\x7fELF", "an ELF program; to trace it, capture it"),
        (b"#!", "a script"),
        (b"PK\x03\x04", "a zip archive"),
        (b"BZh", "bzip2-compressed data"),
        (b"PERFILE2", "a perf.data file"),
        (b"\x89PNG", "a PNG image"),
        (b"[", "a JSON array, or something like it; a retire log has one object a line"),
    ];
    let shown = &first[..first.len().min(16)];
    let hex: Vec<String> = shown.iter().map(|byte| format!("{byte:02x}")).collect();
    let what = known.iter().find(|(magic, _)| first.starts_with(magic));
    let what = what.map_or(String::new(), |(_, what)| format!(", which looks like {what}"));
    format!("{} (\"{}\"){what}", hex.join(" "), shown.escape_ascii())
}
