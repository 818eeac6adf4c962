//! The header's functions for failure capsules.

use super::{Shown, capsule, keep};
use crate::abi::RowKind;
use crate::failure::Failure;
use crate::guard::guard;
use crate::handle::{Model, record, recorded};
use crate::pointer::{row as row_in, text};
use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::path::Path;

thread_local! {
    /// Path of the last capsule that this thread wrote.
    static WRITTEN: RefCell<CString> = RefCell::new(CString::default());
}

/// Keeps the inputs of every cycle from now on.
///
/// # Safety
///
/// `model` is as the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lwp_model_record(model: *mut Model) -> i32 {
    // SAFETY: the caller promises it.
    guard("lwp_model_record", || unsafe { record(model) })
}

/// Writes a failure capsule.
///
/// # Safety
///
/// Each pointer is null, misaligned, or points to what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lwp_model_capsule(
    model: *const Model,
    path: *const c_char,
    found_by: *const c_char,
    row: *const u32,
    row_words: u32,
    inputs: *const u32,
    input_words: u32,
) -> i32 {
    guard("lwp_model_capsule", || {
        // SAFETY: the caller promises it.
        let (unit, build, recorder) = unsafe { recorded(model) }?;
        // SAFETY: the caller promises it.
        let path = unsafe { text(path, "path") }?;
        // SAFETY: the caller promises it.
        let found_by = unsafe { text(found_by, "found_by") }?;
        // SAFETY: the caller promises it.
        let row = unsafe { row_in(row, row_words, unit.words(RowKind::Shown), "row") }?;
        let inputs = if inputs.is_null() && input_words == 0 {
            None
        } else {
            // SAFETY: the caller promises it.
            Some(unsafe { row_in(inputs, input_words, unit.words(RowKind::Inputs), "inputs") }?)
        };
        let (bytes, cycle) = capsule(unit, build, recorder, &Shown { row, inputs, found_by })?;
        let name = format!("{}_{}-cycle{cycle}.capsule", unit.name(), build.name);
        let written = keep(Path::new(path), &name, &bytes)?;
        let written = CString::new(written.into_os_string().into_encoded_bytes());
        let written = written.map_err(|error| Failure::Internal(error.to_string()))?;
        // A thread that is ending keeps no texts.
        let _ = WRITTEN.try_with(|last| last.replace(written));
        Ok(())
    })
}

/// Path of the last capsule that this thread wrote.
#[unsafe(no_mangle)]
pub extern "C" fn lwp_model_last_capsule() -> *const c_char {
    // The text stays where it is until the next capsule replaces it.
    WRITTEN.try_with(|last| last.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}
