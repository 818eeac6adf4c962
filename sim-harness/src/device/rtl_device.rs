//! Verilated RTL as a unit for a closed loop.

use crate::rtl::Rtl;
use lwp_model::{Moore, Unit};

/// Verilated RTL behind the ports of a unit.
#[derive(Debug)]
pub struct RtlDevice<U: Unit> {
    rtl: Rtl,
    outputs: U::Outputs,
    inputs: Vec<u32>,
    shown: Vec<u32>,
}

impl<U: Unit> RtlDevice<U> {
    /// Wraps RTL at power-up, where its registers hold their reset values.
    ///
    /// # Panics
    /// If the rows of the RTL's build do not have the size of this unit's.
    #[must_use]
    pub fn new(mut rtl: Rtl) -> Self {
        assert_eq!((rtl.in_words(), rtl.out_words()), (U::INPUT_WORDS, U::OUTPUT_WORDS), "sizes of the RTL's build");
        let (inputs, mut shown) = (vec![0; U::INPUT_WORDS], vec![0; U::OUTPUT_WORDS]);
        rtl.advance(&mut shown);
        Self { outputs: U::unpack_outputs(&shown), rtl, inputs, shown }
    }

    /// Returns the RTL, for its waves and its assertions.
    #[must_use]
    pub fn into_rtl(self) -> Rtl {
        self.rtl
    }

    /// Returns the row that the RTL shows in the present cycle.
    #[must_use]
    pub fn row(&self) -> &[u32] {
        &self.shown
    }
}

impl<U: Unit> Moore for RtlDevice<U> {
    type Inputs = U::Inputs;
    type Outputs = U::Outputs;

    fn outputs(&self) -> U::Outputs {
        self.outputs.clone()
    }

    fn step(&mut self, inputs: &U::Inputs) {
        U::pack_inputs(inputs, true, &mut self.inputs);
        self.rtl.present(&self.inputs);
        self.rtl.advance(&mut self.shown);
        self.outputs = U::unpack_outputs(&self.shown);
    }
}
