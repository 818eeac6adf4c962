//! The memory that the views share with hardware, as loom has it (tests with `--cfg loom`).
//!
//! The views keep their pointers into real memory; behind the addresses that a test registers stands loom's memory instead, and
//! every access of the views goes there. Words of the block are relaxed atomics, since a volatile access is one access and orders
//! nothing. Words of records are cells that nobody may write while another reads: loom fails a schedule in which neither side's
//! ordering (the reader's fences, the hardware's order of stores) keeps the two apart.

use core::cell::RefCell;
use core::mem::ManuallyDrop;
use core::ptr::NonNull;
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU32, Ordering};
use std::collections::HashMap;
use std::thread_local;

extern crate std;

/// A word of a record.
pub(crate) struct RecordWord(UnsafeCell<u64>);

// SAFETY: loom runs its threads one at a time and fails a schedule in which accesses are not ordered.
unsafe impl Sync for RecordWord {}
// SAFETY: as above.
unsafe impl Send for RecordWord {}

impl RecordWord {
    pub(crate) fn new(value: u64) -> Arc<Self> {
        Arc::new(Self(UnsafeCell::new(value)))
    }

    /// The hardware's store.
    pub(crate) fn write(&self, value: u64) {
        self.0.with_mut(|word| {
            // SAFETY: loom has checked that nobody else accesses it.
            unsafe { *word = value };
        });
    }

    fn read(&self) -> u64 {
        self.0.with(|word| {
            // SAFETY: loom has checked that nobody writes it.
            unsafe { *word }
        })
    }
}

/// What stands behind addresses, in one execution. Loom's threads are all in one thread of the system.
#[derive(Default)]
struct Memory {
    words: HashMap<usize, Arc<AtomicU32>>,
    records: HashMap<usize, Arc<RecordWord>>,
}

thread_local! {
    // Never dropped by itself: what a schedule that failed leaves behind belongs to an execution that is gone.
    static MEMORY: RefCell<ManuallyDrop<Memory>> = RefCell::default();
}

/// Puts an atomic behind a 32-bit word of the block.
pub(crate) fn register_word(address: usize, word: &Arc<AtomicU32>) {
    MEMORY.with_borrow_mut(|memory| memory.words.insert(address, Arc::clone(word)));
}

/// Puts a cell behind a word of a record.
pub(crate) fn register_record_word(address: usize, word: &Arc<RecordWord>) {
    MEMORY.with_borrow_mut(|memory| memory.records.insert(address, Arc::clone(word)));
}

/// Forgets all. To be called at the end of each execution: loom's memory does not live longer.
pub(crate) fn forget() {
    drop(ManuallyDrop::into_inner(MEMORY.take()));
}

/// A cell of the block, as the views access it.
pub(crate) struct Cell<T> {
    address: *const T,
    word: Option<Arc<AtomicU32>>,
}

/// The cell at an address.
///
/// # Safety
///
/// The address is valid and aligned for as long as the cell is used.
pub(crate) unsafe fn cell<T>(address: *const T) -> Cell<T> {
    Cell { address, word: MEMORY.with_borrow(|memory| memory.words.get(&address.addr()).cloned()) }
}

/// What a volatile cell holds.
pub(crate) trait Volatile {
    type Value: Copy;
    fn of_word(word: u32) -> Self::Value;
    fn to_word(value: Self::Value) -> u32;
}

macro_rules! volatile {
    ($($cell:ident<$value:ident>),*) => {$(
        impl Volatile for volatile_register::$cell<$value> {
            type Value = $value;
            fn of_word(word: u32) -> $value {
                word as $value
            }
            fn to_word(value: $value) -> u32 {
                value as u32
            }
        }
    )*};
}

volatile!(RO<u32>, RW<u32>, RO<u64>);

impl<T: Volatile> Cell<T> {
    pub(crate) fn read(&self) -> T::Value {
        match &self.word {
            Some(word) => T::of_word(word.load(Ordering::Relaxed)),
            // SAFETY: nobody registered it, so it is constant; the view's memory is valid.
            None => unsafe { self.address.cast::<T::Value>().read_volatile() },
        }
    }

    /// # Safety
    ///
    /// As for the volatile cell.
    pub(crate) unsafe fn write(&self, value: T::Value) {
        let word = self.word.as_ref().expect("the only cell that is written is registered");
        word.store(T::to_word(value), Ordering::Relaxed);
    }
}

/// Reads a word of a record.
///
/// # Safety
///
/// It is valid and aligned.
pub(crate) unsafe fn read_word(word: NonNull<u64>) -> u64 {
    match MEMORY.with_borrow(|memory| memory.records.get(&word.as_ptr().addr()).cloned()) {
        Some(record) => record.read(),
        // SAFETY: the caller's promise.
        None => unsafe { word.read_volatile() },
    }
}
