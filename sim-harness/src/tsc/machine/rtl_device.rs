//! Verilated RTL in closed loop.

use crate::lockstep::Field;
use crate::rtl::Rtl;
use lwp_model::flat::Place;
use lwp_model::tsc::{Inputs, Outputs};
use lwp_model::{Moore, Unit};
use std::marker::PhantomData;

/// The RTL behind its ports, with nothing to compare. `U` is the model of the same size.
#[derive(Debug)]
pub struct RtlDevice<U> {
    rtl: Rtl,
    outputs: Outputs,
    inputs: Vec<u32>,
    shown: Vec<u32>,
    /// `reg_done`, `reg_result`, `reg_rdata`, `reg_aux`.
    fields: [Field; 4],
    size: PhantomData<U>,
}

impl<U: Unit<Inputs = Inputs, Outputs = Outputs>> RtlDevice<U> {
    /// RTL fresh from power-up, where its registers hold their reset values.
    ///
    /// # Panics
    /// If the rows of the RTL's build do not have the size of the unit's.
    #[must_use]
    pub fn new(rtl: Rtl) -> Self {
        assert_eq!((rtl.in_words(), rtl.out_words()), (U::INPUT_WORDS, U::OUTPUT_WORDS), "sizes of the RTL's build");
        let find = |name: &str| U::OUTPUT_FIELDS.iter().find(|field| field.name == name).copied();
        let fields = ["reg_done", "reg_result", "reg_rdata", "reg_aux"]
            .map(|name| find(name).unwrap_or_else(|| panic!("the unit has no output {name}")));
        let (inputs, shown) = (vec![0; U::INPUT_WORDS], vec![0; U::OUTPUT_WORDS]);
        let mut device = Self { rtl, outputs: Outputs::default(), inputs, shown, fields, size: PhantomData };
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
        let [done, result, rdata, aux] = self.fields.map(|field| field.of(&self.shown));
        let reg_result = Place::from_bits(result).expect("the RTL shows a result that exists");
        self.outputs = Outputs { reg_done: done != 0, reg_result, reg_rdata: rdata, reg_aux: aux as u32 };
    }
}

impl<U: Unit<Inputs = Inputs, Outputs = Outputs>> Moore for RtlDevice<U> {
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn outputs(&self) -> Outputs {
        self.outputs
    }

    fn step(&mut self, inputs: &Inputs) {
        U::pack_inputs(inputs, true, &mut self.inputs);
        self.rtl.present(&self.inputs);
        self.advance();
    }
}
