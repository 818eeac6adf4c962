//! Calls of the C ABI, in any order and with arguments that are wrong in every way that the header says is checked.
//!
//! A call is a byte that says which, and what it takes. Beside the model that is called by structs stands one that is
//! called by words; the two must stay the same.
#![allow(unsafe_code, reason = "the functions of a C ABI are unsafe to call")]

use crate::bytes::Bytes;
use lwp_model::lwp::flat::{OUT_WORDS, STRAP_WORDS, in_words};
use lwp_model_c::LwpModel;
use lwp_model_c::api as c;
use lwp_model_c::api::{ABI_VERSION, LwpConfig, LwpInputs, LwpLane, LwpOutputs, MAX_LANES, Status};
use std::ffi::CStr;
use std::ptr;

const CONFIG: usize = size_of::<LwpConfig>();
const INPUTS: usize = size_of::<LwpInputs>();
const OUTPUTS: usize = size_of::<LwpOutputs>();
const ROW: u32 = OUT_WORDS as u32;
const WIDEST: usize = in_words(MAX_LANES);

/// Two models of the same unit: called by structs, and by words.
struct Pair {
    structs: *mut LwpModel,
    words: *mut LwpModel,
    row_words: u32,
}

impl Drop for Pair {
    fn drop(&mut self) {
        for model in [self.structs, self.words] {
            // SAFETY: a model of the library, not used any more.
            assert_eq!(unsafe { c::lwp_model_free(model) }, OK);
        }
    }
}

const OK: i32 = Status::Ok as i32;

/// A refusal has a text, and is never a bug of the model.
fn refused(status: i32) {
    assert!((1..Status::Internal as i32).contains(&status), "status {status}: {}", text());
    assert!(!text().is_empty());
}

fn text() -> String {
    // SAFETY: the text of this thread, before another failure.
    unsafe { CStr::from_ptr(c::lwp_model_last_error()) }.to_str().expect("text").to_owned()
}

/// Every call answers as the header says.
///
/// # Panics
/// If one does not.
pub fn one_input(data: &[u8]) {
    let mut bytes = Bytes(data);
    let mut pair = None;
    while !bytes.is_empty() {
        match (bytes.byte() % 8, &mut pair) {
            (0, pair) => *pair = make(&mut bytes),
            (1, _) => wrong_arguments(bytes.byte()),
            (2, Some(pair)) => reset(pair),
            (3, Some(pair)) => step_words(pair, &mut bytes),
            (4, Some(pair)) => check(pair, bytes.byte()),
            (_, Some(pair)) => step(pair, &mut bytes),
            (_, pair) => *pair = make(&mut Bytes(&[])),
        }
    }
}

/// A pair of a config with some fields changed, if there is such a unit.
fn make(bytes: &mut Bytes<'_>) -> Option<Pair> {
    let mut config = LwpConfig::default();
    for _ in 0..bytes.byte() % 8 {
        set(&mut config, bytes.byte(), bytes.byte());
    }
    let sizes = [[4, 8, 31], [1, 3, 10], [2, 13, 20], [8, 26, 16], [1, 8, 31]];
    if let Some(sizes) = sizes.get(usize::from(bytes.byte()) % 8) {
        [config.retire_lanes, config.event_slots, config.latency_bits] = *sizes;
    }
    let mut structs = ptr::NonNull::<LwpModel>::dangling().as_ptr();
    // SAFETY: a config of its size, and room for a model.
    let status = unsafe { c::lwp_model_new(&raw const config, CONFIG, ABI_VERSION, &raw mut structs) };
    if status != OK {
        refused(status);
        assert!(structs.is_null(), "on failure *model is null");
        return None;
    }
    let (mut straps, mut words) = ([0; STRAP_WORDS], ptr::null_mut());
    // SAFETY: a model, and room for a row.
    assert_eq!(unsafe { c::lwp_model_pack_straps(structs, straps.as_mut_ptr(), STRAP_WORDS as u32) }, OK);
    let [lanes, slots, bits] = [config.retire_lanes, config.event_slots, config.latency_bits].map(u32::from);
    // SAFETY: a row of its size, and room for a model.
    let status = unsafe { c::lwp_model_new_words(straps.as_ptr(), 3, lanes, slots, bits, ABI_VERSION, &raw mut words) };
    assert_eq!(status, OK, "{}", text());
    Some(Pair { structs, words, row_words: in_words(lanes as usize) as u32 })
}

/// Sets a byte of a struct of integers.
fn set<T: Copy>(of: &mut T, at: u8, value: u8) {
    let at = usize::from(at) * size_of::<T>() / 256;
    let byte = ptr::from_mut(of).cast::<u8>().wrapping_add(at);
    // SAFETY: within the struct, and any byte is a value of its integers.
    unsafe { byte.write(value) };
}

/// Null, misaligned, of another size, of another version.
fn wrong_arguments(how: u8) {
    let mut space = [0_u64; OUT_WORDS + 80];
    let misaligned = space.as_mut_ptr().cast::<u8>().wrapping_add(1);
    let pointer = if how & 1 == 0 { ptr::null_mut() } else { misaligned };
    #[expect(clippy::multiple_unsafe_ops_per_block, reason = "one of them is done, all for the same reason")]
    // SAFETY: null or misaligned pointers are refused before anything is read, as the header says.
    let status = unsafe {
        match how >> 1 & 7 {
            0 => c::lwp_config_init(pointer.cast(), CONFIG),
            1 => c::lwp_model_new(pointer.cast(), CONFIG, ABI_VERSION, ptr::null_mut()),
            2 => c::lwp_model_reset(pointer.cast()),
            3 => c::lwp_model_step(pointer.cast(), ptr::null(), INPUTS),
            4 => c::lwp_model_outputs(pointer.cast(), ptr::null_mut(), OUTPUTS),
            5 => c::lwp_model_probe(space.as_ptr().cast(), pointer.cast(), ROW),
            6 => c::lwp_model_check(space.as_ptr().cast(), pointer.cast(), ROW),
            _ => c::lwp_config_init(space.as_mut_ptr().cast(), usize::from(how) + CONFIG),
        }
    };
    refused(status);
}

fn reset(pair: &Pair) {
    for model in [pair.structs, pair.words] {
        // SAFETY: a model.
        assert_eq!(unsafe { c::lwp_model_reset(model) }, OK);
    }
}

/// Inputs that are idle but for some bytes.
fn step(pair: &Pair, bytes: &mut Bytes<'_>) {
    let mut inputs = LwpInputs { op_mode: 4, cpl: 3, ..LwpInputs::default() };
    for _ in 0..bytes.byte() % 8 {
        set(&mut inputs, bytes.byte(), bytes.byte());
    }
    if bytes.byte() & 1 == 1 {
        inputs.lanes[0] = LwpLane { valid: 1, counts: 1, ip: bytes.u32().into(), ..LwpLane::default() };
    }
    let mut row = [0; WIDEST];
    // SAFETY: a model, inputs of their size, and room for a row.
    let packed =
        unsafe { c::lwp_model_pack_inputs(pair.structs, &raw const inputs, INPUTS, row.as_mut_ptr(), pair.row_words) };
    // SAFETY: a model, and inputs of their size.
    let status = unsafe { c::lwp_model_step(pair.structs, &raw const inputs, INPUTS) };
    assert_eq!(status, packed, "one function takes what another refuses");
    if status == OK {
        // SAFETY: a model, and a row of its size.
        assert_eq!(unsafe { c::lwp_model_step_words(pair.words, row.as_ptr(), pair.row_words) }, OK);
    } else {
        refused(status);
    }
    compare(pair);
}

/// Any words, which are what wires carry.
fn step_words(pair: &Pair, bytes: &mut Bytes<'_>) {
    let mut row = [0; WIDEST];
    row[0] = 1;
    for _ in 0..bytes.byte() % 16 {
        row[usize::from(bytes.byte()) % WIDEST] = bytes.u32();
    }
    for model in [pair.structs, pair.words] {
        // SAFETY: a model, and a row of its size.
        assert_eq!(unsafe { c::lwp_model_step_words(model, row.as_ptr(), pair.row_words) }, OK);
        // SAFETY: as above, with a size that is wrong.
        refused(unsafe { c::lwp_model_step_words(model, row.as_ptr(), pair.row_words - 1) });
    }
    compare(pair);
}

fn probe(model: *const LwpModel) -> [u32; OUT_WORDS] {
    let mut row = [0; OUT_WORDS];
    // SAFETY: a model, and room for a row.
    assert_eq!(unsafe { c::lwp_model_probe(model, row.as_mut_ptr(), ROW) }, OK);
    row
}

fn compare(pair: &Pair) {
    assert!(probe(pair.structs) == probe(pair.words), "called by structs and by words, a unit differs");
}

/// A row with one bit changed is another one; the model's own is the same.
fn check(pair: &Pair, bit: u8) {
    let mut row = probe(pair.words);
    // SAFETY: a model, and a row of its size.
    assert_eq!(unsafe { c::lwp_model_check(pair.structs, row.as_ptr(), ROW) }, OK);
    row[usize::from(bit) % OUT_WORDS] ^= 1 << (bit % 32);
    // SAFETY: as above.
    assert_eq!(unsafe { c::lwp_model_check(pair.structs, row.as_ptr(), ROW) }, Status::Mismatch as i32);
    let mut outputs = LwpOutputs::default();
    // SAFETY: a model, and room for outputs.
    assert_eq!(unsafe { c::lwp_model_outputs(pair.structs, &raw mut outputs, OUTPUTS) }, OK);
}
