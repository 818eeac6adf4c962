//! What callers hand in: pointers are checked for null and alignment, sizes for equality, before anything is read.

use crate::failure::Failure;
use std::ffi::{CStr, c_char};
use std::ptr;

/// Structs of integers without padding: any bytes are a value, and every byte is one.
///
/// # Safety
///
/// The type must be so.
pub(crate) unsafe trait Plain: Copy {}

/// Whether `pointer` can point to a `T` at all.
pub(crate) fn check<T>(pointer: *const T, what: &'static str) -> Result<(), Failure> {
    if pointer.is_null() {
        Err(Failure::Null { what })
    } else if pointer.is_aligned() {
        Ok(())
    } else {
        Err(Failure::Align { what, wanted: align_of::<T>() })
    }
}

/// Whether the caller's `size` in bytes is that of `T`.
pub(crate) fn check_size<T>(size: usize, what: &'static str) -> Result<(), Failure> {
    check_count(size, size_of::<T>(), what, "bytes")
}

/// Whether the caller's row has as many words as are wanted.
pub(crate) fn check_words(words: u32, wanted: usize, what: &'static str) -> Result<(), Failure> {
    check_count(words as usize, wanted, what, "words")
}

fn check_count(given: usize, wanted: usize, what: &'static str, unit: &'static str) -> Result<(), Failure> {
    if given == wanted { Ok(()) } else { Err(Failure::Size { what, unit, given, wanted }) }
}

/// The caller's struct.
///
/// # Safety
///
/// A pointer that is neither null nor misaligned must point to a `T` that nobody writes while the reference lives.
pub(crate) unsafe fn input<'a, T: Plain>(pointer: *const T, size: usize, what: &'static str) -> Result<&'a T, Failure> {
    check(pointer, what)?;
    check_size::<T>(size, what)?;
    // SAFETY: not null, aligned, and the caller promises the rest.
    Ok(unsafe { &*pointer })
}

/// Fills the caller's struct, which may be uninitialised.
///
/// # Safety
///
/// A pointer that is neither null nor misaligned must point to room for a `T` that nobody else uses.
pub(crate) unsafe fn output<T: Plain>(
    pointer: *mut T,
    size: usize,
    what: &'static str,
    value: impl FnOnce() -> T,
) -> Result<(), Failure> {
    check(pointer, what)?;
    check_size::<T>(size, what)?;
    // SAFETY: not null, aligned, and the caller promises the rest.
    unsafe { pointer.write(value()) };
    Ok(())
}

/// The caller's text. One that is not UTF-8 names nothing here.
///
/// # Safety
///
/// A pointer that is not null must point to bytes that end with a zero and that nobody writes while the reference lives.
pub(crate) unsafe fn text<'a>(pointer: *const c_char, what: &'static str) -> Result<&'a str, Failure> {
    check(pointer, what)?;
    // SAFETY: not null, and the caller promises the rest.
    Ok(unsafe { CStr::from_ptr(pointer) }.to_str().unwrap_or("?"))
}

/// The caller's row of `wanted` words.
///
/// # Safety
///
/// A pointer that is neither null nor misaligned must point to `words` words that nobody writes while the slice lives.
pub(crate) unsafe fn row<'a>(
    pointer: *const u32,
    words: u32,
    wanted: usize,
    what: &'static str,
) -> Result<&'a [u32], Failure> {
    check(pointer, what)?;
    check_words(words, wanted, what)?;
    // SAFETY: not null, aligned, and the caller promises the rest.
    Ok(unsafe { std::slice::from_raw_parts(pointer, wanted) })
}

/// The caller's row of `N` words.
///
/// # Safety
///
/// As [`row`].
pub(crate) unsafe fn array<'a, const N: usize>(
    pointer: *const u32,
    words: u32,
    what: &'static str,
) -> Result<&'a [u32; N], Failure> {
    check(pointer, what)?;
    check_words(words, N, what)?;
    // SAFETY: not null, aligned, and the caller promises the rest.
    Ok(unsafe { &*pointer.cast() })
}

/// Fills the caller's row, which may be uninitialised, with the words of `from`.
///
/// # Safety
///
/// A pointer that is neither null nor misaligned must point to room for `words` words that nobody else uses.
pub(crate) unsafe fn fill(pointer: *mut u32, words: u32, what: &'static str, from: &[u32]) -> Result<(), Failure> {
    check(pointer, what)?;
    check_words(words, from.len(), what)?;
    // SAFETY: not null, aligned, and the caller promises the rest; `from` is not the caller's.
    unsafe { ptr::copy_nonoverlapping(from.as_ptr(), pointer, from.len()) };
    Ok(())
}

/// The bytes of a struct.
pub(crate) fn bytes<T: Plain, const N: usize>(of: &T) -> &[u8; N] {
    const { assert!(size_of::<T>() == N) };
    // SAFETY: as many bytes, all of them initialised, as `Plain` has no padding.
    unsafe { &*ptr::from_ref(of).cast() }
}
