//! Implementation of [`Unit`] for the unit.

use super::config::{Config, ConfigError};
use super::flat;
use super::inputs::Inputs;
use super::outputs::Outputs;
use super::state::State;
use super::unit::Lwp;
use crate::flat::{Field, Values};
use crate::{Moore, Unit};

impl<const W: usize, const S: usize, const LAT: u32> Moore for Lwp<W, S, LAT> {
    type Inputs = Inputs<W>;
    type Outputs = Outputs;

    #[inline]
    fn outputs(&self) -> Outputs {
        self.outputs()
    }

    #[inline]
    fn step(&mut self, inputs: &Inputs<W>) {
        self.step(inputs);
    }
}

impl<const W: usize, const S: usize, const LAT: u32> Unit for Lwp<W, S, LAT> {
    const NAME: &'static str = "lwp";
    type Config = Config;
    type State = State;
    type Error = ConfigError;

    const INPUT_FIELDS: &'static [Field] = flat::input_fields(W);
    const OUTPUT_FIELDS: &'static [Field] = flat::fields::FIELDS;
    const STRAP_FIELDS: &'static [Field] = flat::STRAP_FIELDS;

    fn new(straps: Config) -> Result<Self, ConfigError> {
        Self::new(straps)
    }

    fn reset(&mut self) {
        self.reset();
    }

    fn resume(&mut self, row: &[u32]) {
        self.state = flat::unpack_shown(row).1;
    }

    fn state(&self) -> &State {
        self.state()
    }

    fn config(&self) -> &Config {
        self.config()
    }

    #[inline]
    fn pack_inputs(inputs: &Inputs<W>, rst_n: bool, row: &mut [u32]) {
        flat::pack_inputs(inputs, rst_n, row);
    }

    #[inline]
    fn read_inputs(row: &[u32], inputs: &mut Inputs<W>) -> bool {
        flat::read_inputs(row, inputs)
    }

    fn pack_straps(straps: &Config, row: &mut [u32]) {
        row.copy_from_slice(&flat::pack_straps(straps));
    }

    fn read_straps(row: &[u32]) -> Result<Config, &'static str> {
        flat::read_straps(row)
    }

    fn strap_values(visit: &mut dyn FnMut(Values)) {
        flat::strap_values(visit);
    }

    fn validate(straps: &Config) -> Result<(), ConfigError> {
        straps.validate()
    }

    fn culprits(error: &ConfigError) -> &'static [&'static str] {
        error.straps()
    }

    #[inline]
    fn pack_expected(state: &State, straps: &Config, row: &mut [u32]) {
        flat::pack_expected(state, straps, row);
    }

    fn unpack_outputs(row: &[u32]) -> Outputs {
        flat::unpack_shown(row).0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lwp::flat::{OUT_WORDS, STRAP_WORDS, in_words};
    use crate::lwp::{Control, CtlOp};

    #[test]
    fn the_rows_are_those_of_the_flat_image() {
        type Quick = Lwp<4, 8, 31>;
        assert_eq!(
            (Quick::INPUT_WORDS, Quick::OUTPUT_WORDS, Quick::STRAP_WORDS),
            (in_words(4), OUT_WORDS, STRAP_WORDS)
        );
        let mut words = [0; STRAP_WORDS];
        Quick::pack_straps(&Config::default(), &mut words);
        let straps = Quick::unpack_straps(&words).unwrap();
        let mut unit = <Quick as Unit>::new(straps).unwrap();
        let mut row = [0; in_words(4)];
        Quick::pack_inputs(&Inputs::default(), true, &mut row);
        let (inputs, rst_n) = Quick::unpack_inputs(&row);
        assert!(rst_n);
        Moore::step(&mut unit, &inputs);
        assert_eq!(Moore::outputs(&unit), unit.outputs());
        Unit::reset(&mut unit);
        assert_eq!(Ok(unit), <Quick as Unit>::new(straps));
    }

    // By hand: LWPMSR0 is written with INT, Enabled and the three events, then read, and answers in the cycle after the next; all that is shown comes back from the row.
    #[test]
    fn what_a_row_shows_comes_back() {
        type Quick = Lwp<4, 8, 31>;
        let mut unit = Quick::new(Config::default()).unwrap();
        let ask =
            |op, wdata| Inputs { ctl: Control { valid: true, op, wdata, ..Control::default() }, ..Inputs::default() };
        let (write, read, idle) = (ask(CtlOp::WriteMsr0, 0x8000_000F), ask(CtlOp::ReadMsr0, 0), Inputs::default());
        for inputs in [write, idle, idle, read, idle] {
            Moore::step(&mut unit, &inputs);
        }
        assert_eq!((unit.outputs().rsp_valid, unit.outputs().rsp_rdata), (true, 0x8000_000F));
        assert_eq!(unit.state().session.msr0.into_bits(), 0x8000_000F);
        let mut row = [0; OUT_WORDS];
        Quick::pack_expected(unit.state(), unit.config(), &mut row);
        assert_eq!(Quick::unpack_outputs(&row), unit.outputs());
        assert_eq!(Moore::outputs(&unit), unit.outputs());
        let mut other = Quick::new(Config::default()).unwrap();
        Unit::resume(&mut other, &row);
        assert_eq!(other, unit);
    }
}
