//! What the plugin leaves in shared memory, without a program that runs: for tests and fuzzing.

use std::path::Path;

use super::assembler::Assembler;
use super::{CaptureError, mappings};
use crate::trace::capture_file::Header;
use crate::trace::{CaptureWriter, Mapping};

/// Makes a capture file of the plugin's records, little-endian words as they lie in shared memory. A record that is cut off at the
/// end is left out, as it would wait for its rest.
///
/// # Errors
/// [`CaptureError::Stream`] if the records make no sense.
pub fn assemble(words: &[u8]) -> Result<Vec<u8>, CaptureError> {
    let name = Path::new("records of the plugin");
    let cannot_write = |error| CaptureError::write(name, error);
    let writer = CaptureWriter::new(Vec::new(), &Header::default()).map_err(cannot_write)?;
    let mut assembler = Assembler::new(writer, u64::MAX);
    let taken = assembler.take(words).and_then(|_| assembler.finish());
    taken.map_err(|error| error.in_file(name))?;
    Ok(assembler.into_writer().finish("the end of the records", 0, Vec::new()).map_err(cannot_write)?.out)
}

/// The files in lines of `/proc/PID/maps`, as the plugin leaves them beside the records.
#[must_use]
pub fn parse_mappings(text: &str) -> Vec<Mapping> {
    mappings::parse(text)
}
