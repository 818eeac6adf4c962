//! The reading side of the ring in shared memory that the plugin writes to. `qemu-plugin/src/ring.rs` describes the
//! layout.
//!
//! This side does not map the file. Reads and writes through the kernel access the same memory, need no unsafe code,
//! and cost little for the large pieces that are read here.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use super::CaptureError;
use super::mappings;
use crate::report::TemporaryFolder;
use crate::traces::Mapping;

const HEAD: u64 = 4096;
/// Beginning of the names of a capture's temporary directories.
pub(super) const PREFIX: &str = "lwp-sim-";
/// Files in the directory of the ring.
const FILES: [&str; 2] = ["ring", "ring.maps"];
/// The number of words in the ring: 16 MiB, which the plugin writes in about a tenth of a second.
const WORDS: u64 = 1 << 22;
/// The maximum number of words that are read at once.
const CHUNK: u64 = 1 << 18;

const AT_WRITTEN: u64 = 0;
const AT_READ: u64 = 64;
const AT_OTHERS: u64 = 128;
const AT_REPLACING: u64 = 136;
const AT_RUNNING: u64 = 144;

/// The ring, and the directory that contains it.
#[derive(Debug)]
pub(super) struct Ring {
    file: File,
    directory: TemporaryFolder,
    /// The number of words consumed since the beginning.
    read: u64,
    buffer: Vec<u8>,
}

impl Ring {
    /// Creates an empty ring, in memory if the system has a file system for that.
    pub(super) fn create() -> Result<Self, CaptureError> {
        Self::try_create().map_err(CaptureError::system("make the shared memory for QEMU's plugin"))
    }

    fn try_create() -> io::Result<Self> {
        let folder = |place: &Path| TemporaryFolder::create(place, PREFIX, &FILES);
        let directory = folder(Path::new("/dev/shm")).or_else(|_| folder(&std::env::temp_dir()))?;
        let path = directory.path().join("ring");
        let file = File::options().read(true).write(true).create_new(true).open(path)?;
        // The file is written, not only sized: a hole that cannot be filled later would kill the traced program.
        let zeros = vec![0; CHUNK as usize];
        let bytes = HEAD + 4 * WORDS;
        let mut at = 0;
        while at < bytes {
            let count = zeros.len().min((bytes - at) as usize);
            file.write_all_at(&zeros[..count], at)?;
            at += count as u64;
        }
        Ok(Self { file, directory, read: 0, buffer: Vec::new() })
    }

    /// Returns the path of the file, for the plugin.
    pub(super) fn path(&self) -> PathBuf {
        self.directory.path().join("ring")
    }

    /// Returns the words that were written and not consumed yet, as little-endian bytes; empty if there are none.
    pub(super) fn read(&mut self) -> Result<&[u8], CaptureError> {
        let written = self.position(AT_WRITTEN)?;
        let begin = self.read % WORDS;
        let count = written.wrapping_sub(self.read).min(CHUNK);
        let first = count.min(WORDS - begin);
        self.buffer.resize(4 * count as usize, 0);
        let (head, tail) = self.buffer.split_at_mut(4 * first as usize);
        let read = self.file.read_exact_at(head, HEAD + 4 * begin).and_then(|()| self.file.read_exact_at(tail, HEAD));
        read.map_err(CaptureError::system("read the shared memory"))?;
        Ok(&self.buffer)
    }

    /// Returns `words` entries of the ring to the plugin.
    pub(super) fn consume(&mut self, words: usize) -> Result<(), CaptureError> {
        self.read += words as u64;
        let bytes = self.read.to_ne_bytes();
        self.file.write_all_at(&bytes, AT_READ).map_err(CaptureError::system("write the shared memory"))
    }

    /// Returns the number of instructions of other threads.
    pub(super) fn other_threads(&self) -> Result<u64, CaptureError> {
        self.position(AT_OTHERS)
    }

    /// Whether the program was about to replace itself when the plugin last reported.
    pub(super) fn was_replaced(&self) -> Result<bool, CaptureError> {
        Ok(self.position(AT_REPLACING)? != 0)
    }

    /// Whether the plugin was ever loaded.
    pub(super) fn was_connected(&self) -> Result<bool, CaptureError> {
        Ok(self.position(AT_RUNNING)? != 0)
    }

    /// Returns the mapped files that contain code. If the list cannot be read, the trace has no names; this is not an
    /// error.
    pub(super) fn mappings(&self) -> Vec<Mapping> {
        let text = fs::read_to_string(Path::new(self.directory.path()).join("ring.maps"));
        mappings::parse(&text.unwrap_or_default())
    }

    fn position(&self, place: u64) -> Result<u64, CaptureError> {
        let mut bytes = [0; 8];
        self.file.read_exact_at(&mut bytes, place).map_err(CaptureError::system("read the shared memory"))?;
        Ok(u64::from_ne_bytes(bytes))
    }
}
