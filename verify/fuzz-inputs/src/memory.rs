//! An allocator that counts, thread by thread, how much is allocated and how much that was at most.
//!
//! It sees what Rust allocates. The decompressors of xz and zstd are C and have limits of their own, which the readers set.
#![allow(unsafe_code, reason = "an allocator is unsafe by its trait")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, counted.
#[derive(Debug)]
pub struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

thread_local! {
    // Without destructors, so that they can be used for as long as there is a thread.
    static NOW: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
}

/// Counts a change. Memory that another thread frees makes the count of that thread negative, which does no harm.
fn count(bytes: isize) {
    let now = NOW.get().wrapping_add(bytes);
    NOW.set(now);
    MOST.set(MOST.get().max(now));
}

fn signed(bytes: usize) -> isize {
    isize::try_from(bytes).unwrap_or(isize::MAX)
}

// SAFETY: all memory comes from the system's allocator and goes back to it, with the same layouts.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(signed(layout.size()));
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(signed(layout.size()));
        // SAFETY: the caller's promise.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        count(-signed(layout.size()));
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(memory, layout) };
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(signed(size) - signed(layout.size()));
        // SAFETY: the caller's promise.
        unsafe { System.realloc(memory, layout, size) }
    }
}

/// Bytes that `work` had allocated at most in this thread, beyond those at its beginning.
pub fn most_during(work: impl FnOnce()) -> usize {
    let before = NOW.get();
    MOST.set(before);
    work();
    usize::try_from(MOST.get().wrapping_sub(before)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_freed_again_counts_at_its_most() {
        let most = most_during(|| {
            let first = std::hint::black_box(vec![1_u8; 1 << 20]);
            drop(first);
            drop(std::hint::black_box(vec![0_u8; 3 << 19]));
        });
        assert!((3 << 19..(3 << 19) + 4096).contains(&most), "{most}");
        assert!(most_during(|| ()) == 0);
    }
}
