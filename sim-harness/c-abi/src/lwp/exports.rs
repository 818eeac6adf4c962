//! The functions of `include/lwp_model.h` with structs of named fields, and those that know sizes by number.

use super::abi::{LwpConfig, LwpInputs, LwpOutputs};
use super::unit::{Given, Structs, Typed};
use super::{builds, config, limits};
use crate::abi::RowKind;
use crate::builds::Made;
use crate::failure::Failure;
use crate::guard::guard;
use crate::handle::{Model, hand_out, shared, step};
use crate::pointer::{Plain, array, bytes, fill, input, output};
use crate::unit::AnyUnit;
use lwp_model::lwp::flat::STRAP_WORDS;
use std::any::Any;

// SAFETY: integers without padding; `tests/layout.rs` adds up their sizes.
unsafe impl Plain for LwpConfig {}
// SAFETY: as above.
unsafe impl Plain for LwpInputs {}
// SAFETY: as above.
unsafe impl Plain for LwpOutputs {}

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
    model: *mut *mut Model,
) -> i32 {
    guard("lwp_model_new", || {
        // SAFETY: the caller promises it.
        let make = || make(unsafe { input(config, size, "config") }?);
        // SAFETY: the caller promises it.
        unsafe { hand_out(model, abi_version, make) }
    })
}

/// One clock edge.
///
/// # Safety
///
/// `model` and `inputs` are as the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lwp_model_step(model: *mut Model, inputs: *const LwpInputs, size: usize) -> i32 {
    guard("lwp_model_step", || {
        // SAFETY: the caller promises it.
        let inputs = || unsafe { input(inputs, size, "inputs") };
        let pack = |unit: &dyn AnyUnit, row: &mut [u32]| typed(unit)?.pack(given(inputs()?), row);
        let go = |unit: &mut dyn AnyUnit| typed_mut(unit)?.step(given(inputs()?));
        // SAFETY: the caller promises it.
        unsafe { step(model, pack, go) }
    })
}

/// Outputs in the present cycle.
///
/// # Safety
///
/// `model` and `outputs` are as the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lwp_model_outputs(model: *const Model, outputs: *mut LwpOutputs, size: usize) -> i32 {
    guard("lwp_model_outputs", || {
        // SAFETY: the caller promises it.
        let unit = typed(unsafe { shared(model) }?)?;
        // SAFETY: the caller promises it.
        unsafe { output(outputs, size, "outputs", || unit.outputs()) }
    })
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
    model: *mut *mut Model,
) -> i32 {
    let make_words = || {
        // SAFETY: the caller promises it.
        let straps = unsafe { array::<STRAP_WORDS>(straps, words, "straps") }?;
        let config = config::from_words(straps);
        limits::check_config(bytes(&config))?;
        builds::new(retire_lanes, event_slots, latency_bits, &config::straps(&config))
    };
    // SAFETY: the caller promises it.
    guard("lwp_model_new_words", || unsafe { hand_out(model, abi_version, make_words) })
}

/// Inputs in words.
///
/// # Safety
///
/// `model`, `inputs` and `row` are as the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lwp_model_pack_inputs(
    model: *const Model,
    inputs: *const LwpInputs,
    size: usize,
    row: *mut u32,
    words: u32,
) -> i32 {
    guard("lwp_model_pack_inputs", || {
        // SAFETY: the caller promises it.
        let unit = typed(unsafe { shared(model) }?)?;
        // SAFETY: the caller promises it.
        let inputs = unsafe { input(inputs, size, "inputs") }?;
        // The widest row: nothing is allocated.
        let mut packed = [0; lwp_model::lwp::flat::in_words(super::abi::MAX_LANES)];
        let packed = &mut packed[..unit.words(RowKind::Inputs)];
        unit.pack(given(inputs), packed)?;
        // SAFETY: the caller promises it.
        unsafe { fill(row, words, "row", packed) }
    })
}

/// The unit as one with structs; no other unit has these.
fn typed(unit: &dyn AnyUnit) -> Result<&dyn Typed, Failure> {
    let structs = (unit as &dyn Any).downcast_ref::<Structs>();
    structs.map(|structs| &*structs.0).ok_or_else(|| Failure::Unit { unit: unit.name() })
}

fn typed_mut(unit: &mut dyn AnyUnit) -> Result<&mut dyn Typed, Failure> {
    let name = unit.name();
    let structs = (unit as &mut dyn Any).downcast_mut::<Structs>();
    structs.map(|structs| &mut *structs.0).ok_or(Failure::Unit { unit: name })
}

fn given(fields: &LwpInputs) -> Given<'_> {
    Given { fields, bytes: bytes(fields) }
}

fn make(config: &LwpConfig) -> Result<Made, Failure> {
    limits::check_config(bytes(config))?;
    let sizes = [config.retire_lanes, config.event_slots, config.latency_bits].map(u32::from);
    builds::new(sizes[0], sizes[1], sizes[2], &config::straps(config))
}
