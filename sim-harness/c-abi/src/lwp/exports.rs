//! The functions of `include/lwp_model.h`, in its order. The header says what they do; every one checks what it is given.

use crate::abi::{ABI_VERSION, LwpConfig, LwpInputs, LwpOutputs};
use crate::failure::Failure;
use crate::guard::{guard, last};
use crate::handle::{LwpModel, change, shared};
use crate::outputs::{Row, difference};
use crate::pointer::{Plain, array, bytes, check, fill, input, output, row};
use crate::unit::{AnyUnit, Given};
use crate::{builds, config, limits};
use lwp_model::lwp::flat::{OUT_WORDS, STRAP_WORDS};
use std::ffi::c_char;

// SAFETY: integers without padding; `tests/layout.rs` adds up their sizes.
unsafe impl Plain for LwpConfig {}
// SAFETY: as above.
unsafe impl Plain for LwpInputs {}
// SAFETY: as above.
unsafe impl Plain for LwpOutputs {}

/// The version of this library.
#[unsafe(no_mangle)]
pub extern "C" fn lwp_model_abi_version() -> u32 {
    ABI_VERSION
}

/// The default sizes and straps.
///
/// # Safety
///
/// `config` is null, misaligned, or points to room for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lwp_config_init(config: *mut LwpConfig, size: usize) -> i32 {
    // SAFETY: the caller promises it.
    guard("lwp_config_init", || unsafe { output(config, size, "config", LwpConfig::default) })
}

/// A unit as it comes out of reset.
///
/// # Safety
///
/// Each pointer is null, misaligned, or points to what the header says; `config` to `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lwp_model_new(
    config: *const LwpConfig,
    size: usize,
    abi_version: u32,
    model: *mut *mut LwpModel,
) -> i32 {
    guard("lwp_model_new", || {
        // SAFETY: the caller promises it.
        let make = || make(unsafe { input(config, size, "config") }?);
        // SAFETY: the caller promises it.
        unsafe { hand_out(model, abi_version, make) }
    })
}

/// Frees a model.
///
/// # Safety
///
/// `model` is null, or as the header says, and not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lwp_model_free(model: *mut LwpModel) -> i32 {
    guard("lwp_model_free", || {
        if model.is_null() {
            return Ok(());
        }
        // SAFETY: the caller promises it.
        unsafe { LwpModel::free(model) }
    })
}

/// Every register back to 0.
///
/// # Safety
///
/// `model` is as the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lwp_model_reset(model: *mut LwpModel) -> i32 {
    guard("lwp_model_reset", || {
        let reset = |unit: &mut dyn AnyUnit| {
            unit.reset();
            Ok(())
        };
        // SAFETY: the caller promises it.
        unsafe { change(model, reset) }
    })
}

/// One clock edge.
///
/// # Safety
///
/// `model` and `inputs` are as the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lwp_model_step(model: *mut LwpModel, inputs: *const LwpInputs, size: usize) -> i32 {
    guard("lwp_model_step", || {
        // SAFETY: the caller promises it.
        let step = |unit: &mut dyn AnyUnit| unit.step(given(unsafe { input(inputs, size, "inputs") }?));
        // SAFETY: the caller promises it.
        unsafe { change(model, step) }
    })
}

/// Outputs in the present cycle.
///
/// # Safety
///
/// `model` and `outputs` are as the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lwp_model_outputs(model: *const LwpModel, outputs: *mut LwpOutputs, size: usize) -> i32 {
    guard("lwp_model_outputs", || {
        // SAFETY: the caller promises it.
        let unit = unsafe { shared(model) }?;
        // SAFETY: the caller promises it.
        unsafe { output(outputs, size, "outputs", || unit.outputs()) }
    })
}

/// Text of the last failure in this thread.
#[unsafe(no_mangle)]
pub extern "C" fn lwp_model_last_error() -> *const c_char {
    last()
}

/// A unit as it comes out of reset, its straps in words.
///
/// # Safety
///
/// Each pointer is null, misaligned, or points to what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lwp_model_new_words(
    straps: *const u32,
    words: u32,
    retire_lanes: u32,
    event_slots: u32,
    latency_bits: u32,
    abi_version: u32,
    model: *mut *mut LwpModel,
) -> i32 {
    let make_words = || {
        // SAFETY: the caller promises it.
        let straps = unsafe { array::<STRAP_WORDS>(straps, words, "straps") }?;
        let config = config::from_words(straps);
        limits::check_config(bytes(&config))?;
        builds::new(retire_lanes, event_slots, latency_bits, config::straps(&config))
    };
    // SAFETY: the caller promises it.
    guard("lwp_model_new_words", || unsafe { hand_out(model, abi_version, make_words) })
}

/// One clock edge, its inputs in words.
///
/// # Safety
///
/// `model` and `inputs` are as the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lwp_model_step_words(model: *mut LwpModel, inputs: *const u32, words: u32) -> i32 {
    guard("lwp_model_step_words", || {
        let step = |unit: &mut dyn AnyUnit| {
            // SAFETY: the caller promises it.
            unit.step_words(unsafe { row(inputs, words, unit.input_words(), "inputs") }?);
            Ok(())
        };
        // SAFETY: the caller promises it.
        unsafe { change(model, step) }
    })
}

/// Outputs and every register in the present cycle.
///
/// # Safety
///
/// `model` and `row` are as the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lwp_model_probe(model: *const LwpModel, row: *mut u32, words: u32) -> i32 {
    guard("lwp_model_probe", || {
        // SAFETY: the caller promises it.
        let unit = unsafe { shared(model) }?;
        // SAFETY: the caller promises it.
        unsafe { fill(row, words, "row", &row_of(unit)) }
    })
}

/// Straps in words.
///
/// # Safety
///
/// `model` and `row` are as the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lwp_model_pack_straps(model: *const LwpModel, row: *mut u32, words: u32) -> i32 {
    guard("lwp_model_pack_straps", || {
        // SAFETY: the caller promises it.
        let unit = unsafe { shared(model) }?;
        let mut straps = [0; STRAP_WORDS];
        unit.straps(&mut straps);
        // SAFETY: the caller promises it.
        unsafe { fill(row, words, "row", &straps) }
    })
}

/// Inputs in words.
///
/// # Safety
///
/// `model`, `inputs` and `row` are as the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lwp_model_pack_inputs(
    model: *const LwpModel,
    inputs: *const LwpInputs,
    size: usize,
    row: *mut u32,
    words: u32,
) -> i32 {
    guard("lwp_model_pack_inputs", || {
        // SAFETY: the caller promises it.
        let unit = unsafe { shared(model) }?;
        // SAFETY: the caller promises it.
        let inputs = unsafe { input(inputs, size, "inputs") }?;
        // The widest row: nothing is allocated.
        let mut packed = [0; lwp_model::lwp::flat::in_words(crate::abi::MAX_LANES)];
        let packed = &mut packed[..unit.input_words()];
        unit.pack(given(inputs), packed)?;
        // SAFETY: the caller promises it.
        unsafe { fill(row, words, "row", packed) }
    })
}

/// Compares a row of another unit with the model's.
///
/// # Safety
///
/// `model` and `row` are as the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lwp_model_check(model: *const LwpModel, row: *const u32, words: u32) -> i32 {
    guard("lwp_model_check", || {
        // SAFETY: the caller promises it.
        let unit = unsafe { shared(model) }?;
        // SAFETY: the caller promises it.
        let row = unsafe { array::<OUT_WORDS>(row, words, "row") }?;
        difference(&row_of(unit), row).map_or(Ok(()), |text| Err(Failure::Mismatch(text)))
    })
}

/// Outputs and every register.
fn row_of(unit: &dyn AnyUnit) -> Row {
    let mut row = [0; OUT_WORDS];
    unit.row(&mut row);
    row
}

fn given(fields: &LwpInputs) -> Given<'_> {
    Given { fields, bytes: bytes(fields) }
}

fn make(config: &LwpConfig) -> Result<Box<dyn AnyUnit>, Failure> {
    limits::check_config(bytes(config))?;
    let sizes = [config.retire_lanes, config.event_slots, config.latency_bits].map(u32::from);
    builds::new(sizes[0], sizes[1], sizes[2], config::straps(config))
}

/// Gives the caller a model, or null.
///
/// # Safety
///
/// A `model` that is neither null nor misaligned must point to room for a pointer.
unsafe fn hand_out(
    model: *mut *mut LwpModel,
    abi_version: u32,
    make: impl FnOnce() -> Result<Box<dyn AnyUnit>, Failure>,
) -> Result<(), Failure> {
    check(model, "model")?;
    // SAFETY: not null, aligned, and the caller promises the rest.
    unsafe { model.write(std::ptr::null_mut()) };
    if abi_version != ABI_VERSION {
        return Err(Failure::Version { given: abi_version });
    }
    let unit = make()?;
    // SAFETY: as above.
    unsafe { model.write(LwpModel::leak(unit)) };
    Ok(())
}
