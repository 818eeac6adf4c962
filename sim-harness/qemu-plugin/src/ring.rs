//! The ring in shared memory through which the records go to the program that captures.
//!
//! The file that it lives in is made by the reader: a page with positions, then a power of two of
//! 32-bit words. A file in shared memory has three virtues that a pipe lacks: a guest that closes
//! all its files does not close it, what was written survives the death of the process, and writing
//! costs no system call.
//!
//! | byte | content, 64 bits, native byte order |
//! |---|---|
//! | 0 | words written since the beginning; only whole records count |
//! | 64 | words read since the beginning; written by the reader |
//! | 128 | instructions of other virtual CPUs than the first |
//! | 136 | 1 while a system call that replaces the program is under way, and so for ever if it succeeds |
//! | 144 | 1 once the plugin runs |

use std::ffi::{c_int, c_void};
use std::fs::File;
use std::os::fd::AsRawFd;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

/// Bytes before the words.
const HEAD: usize = 4096;
/// Words that the longest record may have.
const LONGEST: u64 = 64;
/// How long to sleep while the reader makes room.
const NAP: Duration = Duration::from_micros(100);

const PROT_READ_WRITE: c_int = 1 | 2;
const MAP_SHARED: c_int = 1;

unsafe extern "C" {
    fn mmap(place: *mut c_void, bytes: usize, access: c_int, flags: c_int, file: c_int, offset: i64) -> *mut c_void;
}

/// The ring. Only the first virtual CPU writes records.
pub(crate) struct Ring {
    head: &'static [AtomicU64],
    words: &'static [AtomicU32],
    /// Words up to which there is room, as far as is known.
    room: AtomicU64,
    /// Set when nothing is to be written any more: in a forked child, or if the reader is gone.
    silent: AtomicBool,
    reader: u32,
}

const WRITTEN: usize = 0;
const READ: usize = 8;
const OTHERS: usize = 16;
const REPLACING: usize = 17;
const RUNNING: usize = 18;

impl Ring {
    /// Maps the ring in `path`; `None` if it is not as the reader makes it.
    pub(crate) fn open(path: &std::path::Path) -> Option<Self> {
        let file = File::options().read(true).write(true).open(path).ok()?;
        let bytes = usize::try_from(file.metadata().ok()?.len()).ok()?;
        let count = bytes.checked_sub(HEAD)? / 4;
        if !count.is_power_of_two() || (count as u64) < 4 * LONGEST {
            return None;
        }
        // SAFETY: a new mapping at a place that the kernel chooses touches no memory of ours.
        let place = unsafe { mmap(std::ptr::null_mut(), bytes, PROT_READ_WRITE, MAP_SHARED, file.as_raw_fd(), 0) };
        if place.is_null() || place.addr() == usize::MAX {
            return None;
        }
        // SAFETY: the mapping is never undone, begins on a page, has more than HEAD bytes, and both
        // sides touch it only with atomic or kernel accesses.
        let head = unsafe { std::slice::from_raw_parts(place.cast::<AtomicU64>(), HEAD / 8) };
        // SAFETY: the place is inside the mapping, which is longer than HEAD.
        let words = unsafe { place.byte_add(HEAD) };
        // SAFETY: as for the head; `count` words follow it.
        let words = unsafe { std::slice::from_raw_parts(words.cast::<AtomicU32>(), count) };
        head[RUNNING].store(1, Ordering::Release);
        let reader = std::os::unix::process::parent_id();
        Some(Self { head, words, room: AtomicU64::new(count as u64), silent: AtomicBool::new(false), reader })
    }

    /// Appends one record. To be called by the first virtual CPU only.
    #[inline]
    pub(crate) fn put<const WORDS: usize>(&self, record: [u32; WORDS]) {
        let begin = self.head[WRITTEN].load(Ordering::Relaxed);
        let end = begin + WORDS as u64;
        // Silence ends in no room, so that this is the only check on the fast path.
        if end > self.room.load(Ordering::Relaxed) && !self.make_room(end) {
            return;
        }
        let mask = self.words.len() - 1;
        for (index, word) in record.into_iter().enumerate() {
            self.words[(begin as usize + index) & mask].store(word, Ordering::Relaxed);
        }
        self.head[WRITTEN].store(end, Ordering::Release);
    }

    /// Waits until the reader has made room for words up to `end`; false if there will never be any.
    #[cold]
    fn make_room(&self, end: u64) -> bool {
        while !self.silent.load(Ordering::Relaxed) {
            let room = self.head[READ].load(Ordering::Acquire) + self.words.len() as u64;
            self.room.store(room, Ordering::Relaxed);
            if end <= room {
                return true;
            }
            if std::os::unix::process::parent_id() != self.reader {
                self.silence();
            }
            std::thread::sleep(NAP);
        }
        false
    }

    /// Writes nothing from now on.
    pub(crate) fn silence(&self) {
        self.silent.store(true, Ordering::Relaxed);
        self.room.store(0, Ordering::Relaxed);
    }

    /// Whether nothing is written any more.
    pub(crate) fn is_silent(&self) -> bool {
        self.silent.load(Ordering::Relaxed)
    }

    /// Counts an instruction of another virtual CPU.
    pub(crate) fn count_other(&self) {
        if !self.is_silent() {
            self.head[OTHERS].fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Says whether a system call that replaces the program is under way.
    pub(crate) fn set_replacing(&self, replacing: bool) {
        if !self.is_silent() {
            self.head[REPLACING].store(u64::from(replacing), Ordering::Relaxed);
        }
    }
}
