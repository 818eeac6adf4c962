//! Verilated RTL in closed loop.

use crate::lwp::{flat, unflat};
use crate::rtl::Rtl;
use lwp_model::Moore;
use lwp_model::lwp::{Inputs, Outputs};

/// The RTL behind its ports, with nothing to compare.
#[derive(Debug)]
pub struct RtlDevice<const W: usize> {
    rtl: Rtl,
    outputs: Outputs,
    inputs: Vec<u32>,
    shown: Vec<u32>,
}

impl<const W: usize> RtlDevice<W> {
    /// RTL fresh from power-up, where its registers hold their reset values.
    ///
    /// # Panics
    /// If the rows of the RTL's build do not have the size of this unit's.
    #[must_use]
    pub fn new(rtl: Rtl) -> Self {
        assert_eq!((rtl.in_words(), rtl.out_words()), (flat::in_words(W), flat::OUT_WORDS), "sizes of the RTL's build");
        let (inputs, shown) = (vec![0; flat::in_words(W)], vec![0; flat::OUT_WORDS]);
        let mut device = Self { rtl, outputs: Outputs::default(), inputs, shown };
        device.advance();
        device
    }

    /// Gives the RTL back, for its waves and its assertions.
    #[must_use]
    pub fn into_rtl(self) -> Rtl {
        self.rtl
    }

    /// Begins the next cycle and looks at its outputs.
    fn advance(&mut self) {
        self.rtl.advance(&mut self.shown);
        self.outputs = unflat::unpack_outputs(&self.shown);
    }
}

impl<const W: usize> Moore for RtlDevice<W> {
    type Inputs = Inputs<W>;
    type Outputs = Outputs;

    fn outputs(&self) -> Outputs {
        self.outputs
    }

    fn step(&mut self, inputs: &Inputs<W>) {
        flat::pack_inputs(inputs, true, &mut self.inputs);
        self.rtl.present(&self.inputs);
        self.advance();
    }
}
