//! The processing of the plugin's output without a running program, for tests and fuzzing.

use std::path::Path;

use super::assembler::Assembler;
use super::{CaptureError, mappings};
use crate::traces::capture_file::Header;
use crate::traces::{CaptureWriter, Mapping};

/// Returns a capture file assembled from the plugin's records, which are little-endian words as in shared memory. A
/// record that is cut off at the end is left out.
///
/// # Errors
/// [`CaptureError::Stream`] if the records are inconsistent.
pub fn assemble(words: &[u8]) -> Result<Vec<u8>, CaptureError> {
    let name = Path::new("records of the plugin");
    let cannot_write = |error| CaptureError::write(name, error);
    let writer = CaptureWriter::new(Vec::new(), &Header::default()).map_err(cannot_write)?;
    let mut assembler = Assembler::new(writer, u64::MAX);
    let taken = assembler.take(words).and_then(|_| assembler.finish());
    taken.map_err(|error| error.in_file(name))?;
    Ok(assembler.into_writer().finish("the end of the records", 0, Vec::new()).map_err(cannot_write)?.out)
}

/// Returns the mapped files in lines of `/proc/PID/maps`, as the plugin writes them in addition to the records.
#[must_use]
pub fn parse_mappings(text: &str) -> Vec<Mapping> {
    mappings::parse(text)
}
