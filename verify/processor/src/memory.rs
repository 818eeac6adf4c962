//! Memory that this program shares with the child: code, data, and pages that are absent until they are touched.

use nix::errno::Errno;
use nix::libc;
use std::ffi::{c_int, c_void};
use std::ops::Range;
use std::ptr::{copy_nonoverlapping, with_exposed_provenance_mut, write_bytes};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Bytes of a page.
pub const PAGE: u64 = 4096;
/// Address of the code. Below 4 GiB, as all of the memory, so that 32-bit code can use it.
pub const CODE: u64 = 0x1000_0000;
/// Bytes of the code.
pub const CODE_BYTES: u64 = PAGE;
/// Address of the data: a page that is always present.
pub const DATA: u64 = 0x2000_0000;
/// Where the stack begins, in a page that is always present.
pub const STACK: u64 = DATA + PAGE + PAGE / 2;
/// Pages that are absent when a program begins.
pub const ABSENT: Range<u64> = DATA + 2 * PAGE..DATA + 6 * PAGE;

/// The addresses are fixed: one memory in a process at a time.
static IN_USE: Mutex<()> = Mutex::new(());

/// The memory, at the same addresses here and in a child that is made after it.
#[derive(Debug)]
pub struct Memory {
    file: c_int,
    /// What has been mapped: address and bytes.
    mapped: Vec<(u64, u64)>,
    _in_use: MutexGuard<'static, ()>,
}

impl Memory {
    /// Maps the memory; waits while another one of this process is mapped.
    ///
    /// # Errors
    ///
    /// What the system said: the addresses are in use, or there is no memory.
    pub fn new() -> Result<Self, Errno> {
        let in_use = IN_USE.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the name is a string that ends in 0.
        let file = Errno::result(unsafe { libc::memfd_create(c"program".as_ptr(), libc::MFD_CLOEXEC) })?;
        let mut memory = Self { file, mapped: Vec::new(), _in_use: in_use };
        let bytes = ABSENT.end - DATA + CODE_BYTES;
        // SAFETY: the file is ours.
        Errno::result(unsafe { libc::ftruncate(file, bytes as i64) })?;
        memory.map(CODE, CODE_BYTES, libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC, ABSENT.end - DATA)?;
        memory.map(DATA, ABSENT.end - DATA, libc::PROT_READ | libc::PROT_WRITE, 0)?;
        Ok(memory)
    }

    fn map(&mut self, address: u64, bytes: u64, access: c_int, from: u64) -> Result<(), Errno> {
        let flags = libc::MAP_SHARED | libc::MAP_FIXED_NOREPLACE;
        let place: *mut c_void = with_exposed_provenance_mut(address as usize);
        // SAFETY: nothing of this program is replaced.
        let mapped = unsafe { libc::mmap(place, bytes as usize, access, flags, self.file, from as i64) };
        if mapped == libc::MAP_FAILED {
            return Err(Errno::last());
        }
        self.mapped.push((address, bytes));
        Ok(())
    }

    /// Writes `code` and fills what is left of the page with INT3.
    ///
    /// # Panics
    ///
    /// If the code is longer than the page.
    pub fn set_code(&mut self, code: &[u8]) {
        assert!(code.len() <= CODE_BYTES as usize, "{} bytes of code do not fit a page", code.len());
        let place: *mut u8 = with_exposed_provenance_mut(CODE as usize);
        // SAFETY: the page is mapped as long as `self` lives. The child that shares it is stopped.
        unsafe { write_bytes(place, 0xCC, CODE_BYTES as usize) };
        // SAFETY: as above; the code fits.
        unsafe { copy_nonoverlapping(code.as_ptr(), place, code.len()) };
    }

    /// Writes two bytes of the data.
    ///
    /// # Panics
    ///
    /// If the address is outside of the first page.
    pub fn set_word(&mut self, address: u64, value: u16) {
        assert!((DATA..DATA + PAGE - 1).contains(&address), "{address:#x} is outside of the first page of data");
        let place: *mut u8 = with_exposed_provenance_mut(address as usize);
        let bytes = value.to_le_bytes();
        // SAFETY: the page is mapped as long as `self` lives. The child that shares it is stopped.
        unsafe { copy_nonoverlapping(bytes.as_ptr(), place, bytes.len()) };
    }

    /// Takes the pages of [`ABSENT`] away, here and in the child: the next access raises #PF, which the system resolves.
    ///
    /// # Errors
    ///
    /// What the system said.
    pub fn take_pages(&mut self) -> Result<(), Errno> {
        let (from, bytes) = ((ABSENT.start - DATA) as i64, (ABSENT.end - ABSENT.start) as i64);
        // SAFETY: the file is ours, and nothing of this program refers to these pages.
        let done =
            unsafe { libc::fallocate(self.file, libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE, from, bytes) };
        Errno::result(done).map(drop)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        for &(address, bytes) in &self.mapped {
            let place: *mut c_void = with_exposed_provenance_mut(address as usize);
            // SAFETY: mapped by `map`, and nothing refers to it behind `self`.
            let _ = unsafe { libc::munmap(place, bytes as usize) };
        }
        // SAFETY: opened by `new`, and not used any more.
        let _ = unsafe { libc::close(self.file) };
    }
}
