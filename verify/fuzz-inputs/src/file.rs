//! Bytes as a file with a path: readers open paths, some of them twice.

use nix::sys::memfd::{MFdFlags, memfd_create};
use std::cell::RefCell;
use std::fs::File;
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

thread_local! {
    static FILE: RefCell<Option<File>> = const { RefCell::new(None) };
}

/// Calls `work` with the path of a file that holds these bytes. The file is in memory and belongs to the thread: calls do not nest.
///
/// # Panics
/// If the system gives no file, or `work` calls this again.
pub fn with_file<T>(bytes: &[u8], work: impl FnOnce(&Path) -> T) -> T {
    FILE.with_borrow_mut(|slot| {
        let file = slot.get_or_insert_with(|| {
            File::from(memfd_create(c"input", MFdFlags::MFD_CLOEXEC).expect("a file in memory"))
        });
        file.set_len(0).and_then(|()| file.write_all_at(bytes, 0)).expect("memory takes it");
        work(&PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd())))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_open_begins_at_the_front() {
        for content in [&b"first"[..], b"x", b""] {
            with_file(content, |path| {
                assert_eq!(std::fs::read(path).unwrap(), content);
                assert_eq!(std::fs::read(path).unwrap(), content);
            });
        }
    }
}
