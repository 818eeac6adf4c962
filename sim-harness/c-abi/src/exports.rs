//! The functions of `include/lwp_model.h` that serve every unit. The header says what they do; every one checks what it is given.

use crate::abi::{ABI_VERSION, BuildInfo, FieldInfo, RowKind};
use crate::builds::{BUILDS, MOST_WORDS, named};
use crate::difference::difference;
use crate::failure::Failure;
use crate::guard::{guard, last};
use crate::handle::{Model, hand_out, shared, step};
use crate::pointer::{Plain, check, check_size, fill, output, row as row_in, text};
use crate::unit::AnyUnit;
use std::ffi::c_char;

// SAFETY: integers without padding; `tests/layout.rs` adds up their sizes.
unsafe impl Plain for BuildInfo {}
// SAFETY: as above.
unsafe impl Plain for FieldInfo {}

/// The version of this library.
#[unsafe(no_mangle)]
pub extern "C" fn lwp_model_abi_version() -> u32 {
    ABI_VERSION
}

/// Frees a model.
///
/// # Safety
///
/// `model` is null, or as the header says, and not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lwp_model_free(model: *mut Model) -> i32 {
    guard("lwp_model_free", || {
        if model.is_null() {
            return Ok(());
        }
        // SAFETY: the caller promises it.
        unsafe { Model::free(model) }
    })
}

/// Every register back to 0.
///
/// # Safety
///
/// `model` is as the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lwp_model_reset(model: *mut Model) -> i32 {
    guard("lwp_model_reset", || {
        let pack = |_: &dyn AnyUnit, row: &mut [u32]| {
            row.fill(0);
            Ok(())
        };
        let reset = |unit: &mut dyn AnyUnit| {
            unit.reset();
            Ok(())
        };
        // SAFETY: the caller promises it.
        unsafe { step(model, pack, reset) }
    })
}

/// Text of the last failure in this thread.
#[unsafe(no_mangle)]
pub extern "C" fn lwp_model_last_error() -> *const c_char {
    last()
}

/// One clock edge, its inputs in words.
///
/// # Safety
///
/// `model` and `inputs` are as the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lwp_model_step_words(model: *mut Model, inputs: *const u32, words: u32) -> i32 {
    guard("lwp_model_step_words", || {
        // SAFETY: the caller promises it.
        let given = |wanted: usize| unsafe { row_in(inputs, words, wanted, "inputs") };
        let pack = |unit: &dyn AnyUnit, row: &mut [u32]| {
            row.copy_from_slice(given(unit.words(RowKind::Inputs))?);
            Ok(())
        };
        let go = |unit: &mut dyn AnyUnit| {
            unit.step_words(given(unit.words(RowKind::Inputs))?);
            Ok(())
        };
        // SAFETY: the caller promises it.
        unsafe { step(model, pack, go) }
    })
}

/// Outputs and every register in the present cycle.
///
/// # Safety
///
/// `model` and `row` are as the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lwp_model_probe(model: *const Model, row: *mut u32, words: u32) -> i32 {
    guard("lwp_model_probe", || {
        // SAFETY: the caller promises it.
        let unit = unsafe { shared(model) }?;
        let (shown, count) = row_of(unit);
        // SAFETY: the caller promises it.
        unsafe { fill(row, words, "row", &shown[..count]) }
    })
}

/// Straps in words.
///
/// # Safety
///
/// `model` and `row` are as the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lwp_model_pack_straps(model: *const Model, row: *mut u32, words: u32) -> i32 {
    guard("lwp_model_pack_straps", || {
        // SAFETY: the caller promises it.
        let unit = unsafe { shared(model) }?;
        let mut straps = vec![0; unit.words(RowKind::Straps)];
        unit.straps(&mut straps);
        // SAFETY: the caller promises it.
        unsafe { fill(row, words, "row", &straps) }
    })
}

/// Compares a row of another unit with the model's.
///
/// # Safety
///
/// `model` and `row` are as the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lwp_model_check(model: *const Model, row: *const u32, words: u32) -> i32 {
    guard("lwp_model_check", || {
        // SAFETY: the caller promises it.
        let unit = unsafe { shared(model) }?;
        let (shown, count) = row_of(unit);
        // SAFETY: the caller promises it.
        let row = unsafe { row_in(row, words, count, "row") }?;
        let fields = unit.fields(RowKind::Shown);
        difference(fields, &shown[..count], row).map_or(Ok(()), |text| Err(Failure::Mismatch(text)))
    })
}

/// What build `index` of the library is.
///
/// # Safety
///
/// `build` is null, misaligned, or points to room for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lwp_model_build(index: u32, build: *mut BuildInfo, size: usize) -> i32 {
    guard("lwp_model_build", || {
        check(build, "build")?;
        check_size::<BuildInfo>(size, "build")?;
        let one = BUILDS.get(index as usize);
        let one = one.ok_or_else(|| Failure::Build(format!("there are {} builds, from 0 on", BUILDS.len())))?;
        // SAFETY: the caller promises it.
        unsafe { output(build, size, "build", || BuildInfo::of(one)) }
    })
}

/// A unit as it comes out of reset, by its name.
///
/// # Safety
///
/// Each pointer is null, misaligned, or points to what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lwp_model_new_unit(
    unit: *const c_char,
    build: *const c_char,
    straps: *const u32,
    words: u32,
    abi_version: u32,
    model: *mut *mut Model,
) -> i32 {
    let make = || {
        // SAFETY: the caller promises it.
        let unit = unsafe { text(unit, "unit") }?;
        // SAFETY: the caller promises it.
        let build = unsafe { text(build, "build") }?;
        let one = named(unit, build)?;
        if straps.is_null() && words == 0 {
            return one.made(None);
        }
        // SAFETY: the caller promises it.
        one.made(Some(unsafe { row_in(straps, words, one.words[RowKind::Straps as usize], "straps") }?))
    };
    // SAFETY: the caller promises it.
    guard("lwp_model_new_unit", || unsafe { hand_out(model, abi_version, make) })
}

/// What field `index` of a row is.
///
/// # Safety
///
/// `model` and `field` are as the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lwp_model_field(
    model: *const Model,
    row: u32,
    index: u32,
    field: *mut FieldInfo,
    size: usize,
) -> i32 {
    guard("lwp_model_field", || {
        // SAFETY: the caller promises it.
        let unit = unsafe { shared(model) }?;
        let out_of_range = |field: &str, value: u32, most: usize| Failure::Range {
            field: field.into(),
            value: value.into(),
            most: most as u64,
        };
        let kind = RowKind::from_code(row).ok_or_else(|| out_of_range("row", row, 2))?;
        let fields = unit.fields(kind);
        let one = fields.get(index as usize).ok_or_else(|| out_of_range("index", index, fields.len() - 1))?;
        // SAFETY: the caller promises it.
        unsafe { output(field, size, "field", || FieldInfo::of(one)) }
    })
}

/// Outputs and every register, and how many words they are. Nothing is allocated.
fn row_of(unit: &dyn AnyUnit) -> ([u32; MOST_WORDS], usize) {
    let (mut row, count) = ([0; MOST_WORDS], unit.words(RowKind::Shown));
    unit.row(&mut row[..count]);
    (row, count)
}
