//! The library's functions behind slices and `Result`, for tests in Rust.

use lwp_model::lwp::flat::{OUT_WORDS, STRAP_WORDS, in_words};
use lwp_model_c::LwpModel;
use lwp_model_c::api::{self, ABI_VERSION, LwpConfig, LwpInputs, LwpOutputs};
use std::ffi::CStr;
use std::ptr;

/// A model of the library; freed with it.
pub(crate) struct Model {
    handle: *mut LwpModel,
    pub lanes: usize,
}

impl Drop for Model {
    fn drop(&mut self) {
        // SAFETY: a model of the library, not used any more.
        assert_eq!(unsafe { api::lwp_model_free(self.handle) }, 0);
    }
}

fn text() -> String {
    // SAFETY: the text of this thread, before another failure.
    unsafe { CStr::from_ptr(api::lwp_model_last_error()) }.to_str().unwrap().to_owned()
}

fn result(status: i32) -> Result<(), String> {
    if status == 0 { Ok(()) } else { Err(text()) }
}

impl Model {
    pub(crate) fn new(config: &LwpConfig) -> Result<Self, String> {
        let mut handle = ptr::null_mut();
        // SAFETY: a config of its size, and room for a handle.
        result(unsafe { api::lwp_model_new(config, size_of::<LwpConfig>(), ABI_VERSION, &raw mut handle) })?;
        Ok(Self { handle, lanes: config.retire_lanes.into() })
    }

    pub(crate) fn from_words(straps: [u32; STRAP_WORDS], sizes: [u32; 3]) -> Result<Self, String> {
        let mut handle = ptr::null_mut();
        let [lanes, slots, bits] = sizes;
        // SAFETY: a row of its size, and room for a handle.
        result(unsafe {
            api::lwp_model_new_words(straps.as_ptr(), 3, lanes, slots, bits, ABI_VERSION, &raw mut handle)
        })?;
        Ok(Self { handle, lanes: lanes as usize })
    }

    pub(crate) fn reset(&mut self) {
        // SAFETY: a model.
        assert_eq!(unsafe { api::lwp_model_reset(self.handle) }, 0);
    }

    pub(crate) fn step(&mut self, inputs: &LwpInputs) -> Result<(), String> {
        // SAFETY: a model, and inputs of their size.
        result(unsafe { api::lwp_model_step(self.handle, inputs, size_of::<LwpInputs>()) })
    }

    pub(crate) fn step_words(&mut self, row: &[u32]) -> Result<(), String> {
        // SAFETY: a model, and a row of its size.
        result(unsafe { api::lwp_model_step_words(self.handle, row.as_ptr(), row.len() as u32) })
    }

    pub(crate) fn outputs(&self) -> LwpOutputs {
        let mut outputs = LwpOutputs::default();
        // SAFETY: a model, and room for outputs.
        let status = unsafe { api::lwp_model_outputs(self.handle, &raw mut outputs, size_of::<LwpOutputs>()) };
        result(status).unwrap();
        outputs
    }

    pub(crate) fn probe(&self) -> [u32; OUT_WORDS] {
        let mut row = [0; OUT_WORDS];
        // SAFETY: a model, and room for a row.
        result(unsafe { api::lwp_model_probe(self.handle, row.as_mut_ptr(), OUT_WORDS as u32) }).unwrap();
        row
    }

    pub(crate) fn straps(&self) -> [u32; STRAP_WORDS] {
        let mut row = [0; STRAP_WORDS];
        // SAFETY: a model, and room for a row.
        result(unsafe { api::lwp_model_pack_straps(self.handle, row.as_mut_ptr(), STRAP_WORDS as u32) }).unwrap();
        row
    }

    pub(crate) fn pack(&self, inputs: &LwpInputs) -> Result<Vec<u32>, String> {
        let mut row = vec![0; in_words(self.lanes)];
        let (words, size) = (row.len() as u32, size_of::<LwpInputs>());
        // SAFETY: a model, inputs of their size, and room for a row.
        result(unsafe { api::lwp_model_pack_inputs(self.handle, inputs, size, row.as_mut_ptr(), words) })?;
        Ok(row)
    }

    pub(crate) fn check(&self, row: &[u32]) -> Result<(), String> {
        // SAFETY: a model, and a row of its size.
        result(unsafe { api::lwp_model_check(self.handle, row.as_ptr(), row.len() as u32) })
    }
}
