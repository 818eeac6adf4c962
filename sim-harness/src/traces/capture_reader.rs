//! The reader of a capture file.

use std::fmt;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

use serde::de::DeserializeOwned;
use zstd::bulk::Decompressor;

use super::capture_block::Block;
use super::capture_file::{END, FOOTER, FRAME_HEAD, Header, MAGIC, Trailer, VERSION};
use super::capture_frame::FrameHead;
use super::captured_code::Code;
use super::input::Input;
use super::{Part, ProgramMap, Retired, TraceError, TraceNotes, TraceReader};

/// A reader of captured instructions, block by block.
pub(super) struct CaptureReader {
    input: Input,
    version: u32,
    frame: u32,
    stored: Vec<u8>,
    plain: Vec<u8>,
    decompressor: Decompressor<'static>,
    code: Code,
    block: Block,
    read: u64,
    /// Whether the trailer was read, or an error was found.
    ended: bool,
    /// The trailer, read from the end of the file on opening, if that is possible.
    trailer: Option<Trailer>,
    map: Option<ProgramMap>,
    notes: TraceNotes,
}

impl CaptureReader {
    /// Reads the magic, the version and the header.
    pub(super) fn new(mut input: Input) -> Result<Self, TraceError> {
        let mut magic = [0; MAGIC.len() + 4];
        if input.fill(&mut magic, "the magic")? < magic.len() {
            return Err(input.truncated("its first 12 bytes"));
        }
        let found = u32::from_le_bytes([magic[8], magic[9], magic[10], magic[11]]);
        if found > VERSION {
            return Err(TraceError::Newer { path: input.path().to_owned(), found, known: VERSION });
        }
        if found == 0 {
            return Err(input.corrupt("format version 0 does not exist"));
        }
        let decompressor = Decompressor::new().map_err(|error| TraceError::from_io(input.path(), error))?;
        let trailer = if input.is_plain() { trailer_at_end(input.path()) } else { None };
        let map = trailer.as_ref().map(|trailer| ProgramMap::new(trailer.mappings.clone()));
        let mut reader = Self {
            input,
            version: found,
            frame: 0,
            stored: Vec::new(),
            plain: Vec::new(),
            decompressor,
            code: Code::new(),
            block: Block::new(found),
            read: 0,
            ended: false,
            trailer,
            map,
            notes: TraceNotes::default(),
        };
        if reader.read_frame()? != b'H' {
            return Err(reader.input.corrupt("the first frame is not a header"));
        }
        reader.json::<Header>("header")?;
        Ok(reader)
    }

    /// Reads a frame into `plain` and returns its kind.
    fn read_frame(&mut self) -> Result<u8, TraceError> {
        let number = self.frame;
        let begin = self.input.offset();
        let place = format!("frame {number}, which begins at byte {begin} (after instruction {})", self.read);
        let mut head = [0; FRAME_HEAD];
        if self.input.fill(&mut head, &place)? < head.len() {
            return Err(self.input.truncated(place));
        }
        let head = FrameHead::from_bytes(&head);
        if !head.is_sane() {
            return Err(self.input.corrupt(format!("impossible lengths in {place}")));
        }
        let stored_bytes = head.stored_bytes as usize;
        if self.input.take(&mut self.stored, stored_bytes, &place)? < stored_bytes {
            return Err(self.input.truncated(place));
        }
        if head.sum(&self.stored) != head.checksum {
            return Err(self.input.corrupt(format!("wrong checksum in {place}")));
        }
        if head.number != number {
            return Err(self.input.corrupt(format!("frame {} stands in place of {place}", head.number)));
        }
        self.plain.resize(head.plain_bytes as usize, 0);
        match self.decompressor.decompress_to_buffer(&self.stored, &mut self.plain) {
            Ok(count) if count == self.plain.len() => {}
            _ => return Err(self.input.corrupt(format!("undecodable content in {place}"))),
        }
        self.frame = number.wrapping_add(1);
        Ok(head.kind)
    }

    /// Decodes the content of the frame just read.
    fn json<T: DeserializeOwned>(&self, what: &str) -> Result<T, TraceError> {
        serde_json::from_slice(&self.plain).map_err(|error| self.input.corrupt(format!("unreadable {what}: {error}")))
    }

    /// Moves to the next block; returns `Ok(false)` after the last one.
    #[cold]
    fn next_block(&mut self) -> Result<bool, TraceError> {
        match self.read_frame()? {
            b'B' => self.block.begin(&self.plain).map(|()| true).ok_or_else(|| self.undecodable()),
            b'T' => self.end().map(|()| false),
            kind => Err(self.input.corrupt(format!("frame {} of unknown kind {kind}", self.frame - 1))),
        }
    }

    /// Checks the trailer and the footer.
    fn end(&mut self) -> Result<(), TraceError> {
        let trailer: Trailer = self.json("trailer")?;
        let mut footer = [0; FOOTER + 1];
        let count = self.input.fill(&mut footer, "the footer")?;
        if count < FOOTER {
            return Err(self.input.truncated("the footer, its last 16 bytes"));
        }
        if count > FOOTER || footer[8..FOOTER] != END {
            return Err(self.input.corrupt("foreign bytes after the trailer"));
        }
        if trailer.instructions != self.read {
            let what = format!("the trailer says {} instructions, there are {}", trailer.instructions, self.read);
            return Err(self.input.corrupt(what));
        }
        self.notes.loads_left_out = trailer.loads_left_out;
        self.notes.stores_left_out = trailer.stores_left_out;
        self.notes.other_threads = trailer.other_threads;
        if self.map.is_none() {
            self.map = Some(ProgramMap::new(trailer.mappings));
        }
        Ok(())
    }

    fn undecodable(&self) -> TraceError {
        let frame = self.frame.wrapping_sub(1);
        self.input.corrupt(format!("frame {frame} does not decode after instruction {}", self.read))
    }
}

/// A capture contains the destination of each branch, and all of it is in user mode: it needs no look-ahead.
impl TraceReader for CaptureReader {
    fn next(&mut self, into: &mut Retired) -> Result<bool, TraceError> {
        if self.ended {
            return Ok(false);
        }
        while self.block.is_at_end() {
            if !self.block.is_used_up() {
                return Err(self.undecodable());
            }
            self.ended = true;
            if !self.next_block()? {
                return Ok(false);
            }
            self.ended = false;
        }
        let Some(gaps) = self.block.decode(&self.plain, &mut self.code, into) else {
            return Err(self.undecodable());
        };
        // The beginning is not a gap.
        self.notes.gaps += u64::from(gaps && self.read > 0);
        self.read += 1;
        Ok(true)
    }

    fn annotated(&self) -> bool {
        false
    }

    fn lacks(&self) -> &'static [Part] {
        if self.version == 1 { &[Part::Stores, Part::Interruptions] } else { &[] }
    }

    fn total(&self) -> Option<u64> {
        self.trailer.as_ref().map(|trailer| trailer.instructions)
    }

    fn position(&self) -> (u64, u64) {
        self.input.position()
    }

    fn symbols(&self) -> Option<&ProgramMap> {
        self.map.as_ref()
    }

    fn notes(&self) -> TraceNotes {
        self.notes
    }
}

impl fmt::Debug for CaptureReader {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "CaptureReader(instruction {} of {:?})", self.read, self.input)
    }
}

/// Returns the trailer, which the footer points to; `None` if anything about it is wrong. Reading the frames in order
/// then reports the error.
fn trailer_at_end(path: &Path) -> Option<Trailer> {
    let file = File::open(path).ok()?;
    let size = file.metadata().ok().filter(std::fs::Metadata::is_file)?.len();
    let mut footer = [0; FOOTER];
    let end = size.checked_sub(FOOTER as u64)?;
    file.read_exact_at(&mut footer, end).ok()?;
    if footer[8..] != END {
        return None;
    }
    let mut offset = [0; 8];
    offset.copy_from_slice(&footer[..8]);
    let offset = u64::from_le_bytes(offset);
    let mut head = [0; FRAME_HEAD];
    file.read_exact_at(&mut head, offset).ok()?;
    let head = FrameHead::from_bytes(&head);
    if head.kind != b'T' || !head.is_sane() {
        return None;
    }
    let payload = offset.checked_add(FRAME_HEAD as u64)?;
    // Checked before memory is allocated: the payload ends where the footer begins.
    if payload.checked_add(head.stored_bytes.into())? != end {
        return None;
    }
    let mut stored = vec![0; head.stored_bytes as usize];
    file.read_exact_at(&mut stored, payload).ok()?;
    if head.sum(&stored) != head.checksum {
        return None;
    }
    let plain = zstd::bulk::decompress(&stored, head.plain_bytes as usize).ok()?;
    serde_json::from_slice(&plain).ok()
}
