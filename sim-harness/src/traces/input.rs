//! The bytes of a trace: opening, counting and decompression.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::TraceError;

/// The number of bytes that are examined to recognise a format.
const PEEK: usize = 1024;
/// The number of bytes read from the operating system at once.
const CHUNK: usize = 1 << 18;
/// The memory that a decompressor may use, in bytes: twice what `xz -9` needs, and the limit that zstd sets itself.
const DECOMPRESSOR_MEMORY: u64 = 1 << 28;

/// The compression of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compression {
    None,
    Xz,
    Gzip,
    Zstd,
}

impl Compression {
    /// Recognises a compression by the magic bytes of its format.
    fn recognise(first: &[u8]) -> Self {
        if first.starts_with(b"\xfd7zXZ\0") {
            Self::Xz
        } else if first.starts_with(b"\x1f\x8b") {
            Self::Gzip
        } else if first.starts_with(b"\x28\xb5\x2f\xfd") {
            Self::Zstd
        } else {
            Self::None
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::None => "plain",
            Self::Xz => "xz",
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }
}

/// A reader that publishes the number of bytes read.
struct Counted<R> {
    inner: R,
    bytes: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(into)?;
        self.bytes.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// The decompressed content of a trace, with its name and the position reached.
pub(super) struct Input {
    path: PathBuf,
    compression: Compression,
    bytes: Arc<AtomicU64>,
    size: u64,
    first: Vec<u8>,
    offset: u64,
    reader: Box<dyn BufRead + Send>,
}

impl Input {
    /// Opens `path` and examines its first bytes.
    pub(super) fn open(path: &Path) -> Result<Self, TraceError> {
        let file = File::open(path).map_err(|error| TraceError::from_io(path, error))?;
        let about = file.metadata().map_err(|error| TraceError::from_io(path, error))?;
        if about.is_dir() {
            return Err(TraceError::Directory { path: path.to_owned() });
        }
        Self::from_reader(path, file, about.len())
    }

    /// Opens any stream of bytes; `path` is its name in messages.
    pub(super) fn from_reader(path: &Path, reader: impl Read + Send + 'static, size: u64) -> Result<Self, TraceError> {
        let bytes = Arc::new(AtomicU64::new(0));
        let counted = Counted { inner: reader, bytes: Arc::clone(&bytes) };
        let unreadable = |error| TraceError::from_io(path, error);
        let (first, raw) = peek(BufReader::with_capacity(CHUNK, counted)).map_err(unreadable)?;
        if first.is_empty() {
            return Err(TraceError::Empty { path: path.to_owned() });
        }
        let compression = Compression::recognise(&first);
        let plain = decompress(compression, raw).map_err(unreadable)?;
        let mut input =
            Self { path: path.to_owned(), compression, bytes, size, first, offset: 0, reader: Box::new(io::empty()) };
        let (first, reader) = peek(plain).map_err(|error| input.error(error, "the compressed data"))?;
        if first.is_empty() {
            return Err(TraceError::Empty { path: path.to_owned() });
        }
        input.first = first;
        input.reader = Box::new(reader);
        Ok(input)
    }

    /// Returns the first bytes of the content (fewer than 1024 only if the content is shorter).
    pub(super) fn first(&self) -> &[u8] {
        &self.first
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the number of bytes of content read so far.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the number of bytes of the file read so far, and its size.
    pub(super) fn position(&self) -> (u64, u64) {
        (self.bytes.load(Ordering::Relaxed), self.size)
    }

    /// Whether the content is not compressed, so that it equals the bytes of the file.
    pub(super) fn is_plain(&self) -> bool {
        self.compression == Compression::None
    }

    /// Fills `into` as far as the content reaches, and returns the number of bytes read.
    pub(super) fn fill(&mut self, into: &mut [u8], what: &str) -> Result<usize, TraceError> {
        let mut filled = 0;
        while filled < into.len() {
            match self.reader.read(&mut into[filled..]) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.error(error, what)),
            }
        }
        self.offset += filled as u64;
        Ok(filled)
    }

    /// Replaces the contents of `into` by the next `count` bytes, or by all that remain, and returns their number.
    /// Memory is allocated as the bytes arrive, so that a count that exceeds the content costs none.
    pub(super) fn take(&mut self, into: &mut Vec<u8>, count: usize, what: &str) -> Result<usize, TraceError> {
        into.clear();
        let read = (&mut self.reader).take(count as u64).read_to_end(into);
        read.map_err(|error| self.error(error, what))?;
        self.offset += into.len() as u64;
        Ok(into.len())
    }

    /// Appends a line including its end to `into`, but at most `limit` bytes of it, and returns the number of bytes.
    pub(super) fn line(&mut self, into: &mut Vec<u8>, limit: u64, what: &str) -> Result<usize, TraceError> {
        let read = (&mut self.reader).take(limit).read_until(b'\n', into);
        let count = read.map_err(|error| self.error(error, what))?;
        self.offset += count as u64;
        Ok(count)
    }

    /// Returns the error that the content ends in the middle of `at`.
    pub(super) fn truncated(&self, at: impl Into<String>) -> TraceError {
        TraceError::Truncated { path: self.path.clone(), at: at.into() }
    }

    /// Returns the error that the content contradicts itself.
    pub(super) fn corrupt(&self, what: impl Into<String>) -> TraceError {
        TraceError::Corrupt { path: self.path.clone(), what: what.into() }
    }

    /// Returns the meaning of an error of the stream. Decompressors report their errors as [`io::Error`] too.
    fn error(&self, error: io::Error, what: &str) -> TraceError {
        let name = self.compression.name();
        match (self.compression, error.kind()) {
            (Compression::None, _) => TraceError::from_io(&self.path, error),
            (_, io::ErrorKind::UnexpectedEof) => {
                self.truncated(format!("the {name} stream, in {what} (byte {} of the content)", self.offset))
            }
            // A real error of the operating system carries its number.
            _ if error.raw_os_error().is_some() => TraceError::from_io(&self.path, error),
            _ => self.corrupt(format!("the {name} stream is damaged in {what}: {error}")),
        }
    }
}

/// The first bytes, and the reader that returns them again.
type Peeked<R> = (Vec<u8>, Chain<Cursor<Vec<u8>>, R>);

/// Reads the first bytes and puts them back in front of the reader.
fn peek<R: BufRead>(mut reader: R) -> io::Result<Peeked<R>> {
    let mut first = Vec::with_capacity(PEEK);
    (&mut reader).take(PEEK as u64).read_to_end(&mut first)?;
    let chain = Cursor::new(first.clone()).chain(reader);
    Ok((first, chain))
}

/// Decompresses `raw`. Several streams in sequence count as one, as in the usual tools.
fn decompress(compression: Compression, raw: impl BufRead + Send + 'static) -> io::Result<Box<dyn BufRead + Send>> {
    Ok(match compression {
        Compression::None => Box::new(raw),
        Compression::Gzip => Box::new(BufReader::with_capacity(CHUNK, flate2::bufread::MultiGzDecoder::new(raw))),
        Compression::Zstd => Box::new(BufReader::with_capacity(CHUNK, zstd::stream::read::Decoder::with_buffer(raw)?)),
        Compression::Xz => {
            let flags = liblzma::stream::CONCATENATED;
            let stream = liblzma::stream::Stream::new_stream_decoder(DECOMPRESSOR_MEMORY, flags)?;
            Box::new(BufReader::with_capacity(CHUNK, liblzma::bufread::XzDecoder::new_stream(raw, stream)))
        }
    })
}

impl std::fmt::Debug for Input {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (read, size) = self.position();
        write!(formatter, "Input({}, {}, {read} of {size} bytes)", self.path.display(), self.compression.name())
    }
}
