//! The unit: one cycle after the other.

use super::config::{Config, ConfigError};
use super::control::Asked;
use super::filter::Seen;
use super::flat::{self, ExpectedRow, InputRow, StrapRow};
use super::inputs::Inputs;
use super::lines;
use super::outputs::Outputs;
use super::processor::Registers;
use super::request::{self, Asking, Existing, Kind, Register, Write};
use super::state::{Answer, State};
use crate::flat::{Field, Values};
use crate::{Moore, Unit};

/// The performance counters of a core with `LP` logical processors, each with `GENERAL` general and `FIXED` fixed counters and
/// `LANES` retire lanes.
///
/// Sizes outside the contract (1, 2, 4, 8; 1 to 8; 0 to 3; 1, 2, 4, 8) do not compile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Perf<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> {
    straps: Config,
    /// The registers that exist with these straps.
    existing: Existing,
    state: State<LP, GENERAL, FIXED>,
    /// What the registers ask of the general counters and of the fixed ones: a function of straps and registers.
    asked: [[Asked; GENERAL]; LP],
    asked_fixed: [[Asked; FIXED]; LP],
    /// Some counter counts a line that the unit makes for a logical processor.
    wants_made: [bool; LP],
    /// Whether anything of a logical processor's counters can change in a cycle without a write.
    at_work: [bool; LP],
}

impl<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> Perf<LP, GENERAL, FIXED, LANES> {
    const SIZES: () = {
        assert!(matches!(LP, 1 | 2 | 4 | 8), "logical processors: 1, 2, 4 or 8");
        assert!(GENERAL >= 1 && GENERAL <= 8, "general counters: 1 to 8");
        assert!(FIXED <= 3, "fixed counters: 0 to 3");
        assert!(matches!(LANES, 1 | 2 | 4 | 8), "retire lanes: 1, 2, 4 or 8");
    };

    /// The unit as it comes out of reset.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] if the straps contradict one another or the sizes.
    pub fn new(straps: Config) -> Result<Self, ConfigError> {
        () = Self::SIZES;
        straps.validate(GENERAL, FIXED)?;
        let mut unit = Self {
            straps,
            existing: Existing::of(&straps),
            state: State::default(),
            asked: [[Asked::NOTHING; GENERAL]; LP],
            asked_fixed: [[Asked::NOTHING; FIXED]; LP],
            wants_made: [false; LP],
            at_work: [false; LP],
        };
        unit.decode();
        Ok(unit)
    }

    /// Every register, as it is in the present cycle.
    #[must_use]
    pub const fn state(&self) -> &State<LP, GENERAL, FIXED> {
        &self.state
    }

    /// The outputs of the present cycle.
    #[must_use]
    pub fn outputs(&self) -> Outputs<LP, GENERAL, FIXED> {
        Outputs::of(&self.state)
    }

    /// The straps.
    #[must_use]
    pub const fn config(&self) -> &Config {
        &self.straps
    }

    /// Back to the state after reset.
    pub fn reset(&mut self) {
        self.state = State::default();
        self.decode();
    }

    /// Works out what the registers ask of all counters.
    fn decode(&mut self) {
        for (own, (asked, fixed)) in self.asked.iter_mut().zip(&mut self.asked_fixed).enumerate() {
            let (of_general, of_fixed) = (&self.state.general[own], &self.state.fixed[own]);
            *asked = core::array::from_fn(|index| Asked::general(&of_general[index], index, &self.straps));
            *fixed = core::array::from_fn(|index| Asked::fixed(&of_fixed[index], index, &self.straps));
        }
        self.sum_up();
    }

    /// Works out what all counters together look at, and which logical processors have counters at work.
    fn sum_up(&mut self) {
        let asked =
            |own: usize| self.asked[own].iter().chain(&self.asked_fixed[own]).filter(|asked| asked.counts_made());
        let by_all = (0..LP).any(|own| asked(own).any(|asked| asked.any));
        self.wants_made = core::array::from_fn(|own| by_all || asked(own).next().is_some());
        for own in 0..LP {
            self.at_work[own] = self.registers(own).is_at_work();
        }
    }

    /// One cycle: the inputs are seen, and every register changes once.
    #[inline]
    pub fn step(&mut self, inputs: &Inputs<LP, LANES>) {
        let mut levels = [0; LP];
        for (level, lp) in levels.iter_mut().zip(&inputs.lp) {
            *level = lp.op_mode.level(lp.cpl);
        }
        let (answer, write) = self.request(inputs, &levels);
        let asking = usize::from(inputs.reg.lp) % LP;
        let fits = matches!(inputs.core_ratio, 4 | 6);
        let fits_now = if inputs.bus_tick { fits } else { self.state.ratio_fits };
        let made = lines::made_of_all(inputs, &self.wants_made);
        let seen = Seen { inputs, fits_now, levels, made };
        for own in 0..LP {
            let write = if own == asking { &write } else { &Write::NOTHING };
            let apic = Some(&inputs.apic).filter(|apic| apic.write & (own == usize::from(apic.lp) % LP));
            self.registers(own).step(own, &seen, write, apic);
        }
        if write.register != Register::NOT_MINE {
            self.registers(asking).write(write);
            if matches!(write.register.kind, Kind::Select | Kind::FixedControl) {
                self.sum_up();
            }
        }
        self.state.ratio_fits = fits_now;
        self.state.answer = answer;
    }

    /// The registers of a logical processor.
    #[inline]
    fn registers(&mut self, own: usize) -> Registers<'_, GENERAL, FIXED> {
        Registers {
            general: &mut self.state.general[own],
            fixed: &mut self.state.fixed[own],
            processor: &mut self.state.lp[own],
            asked: &mut self.asked[own],
            asked_fixed: &mut self.asked_fixed[own],
            at_work: &mut self.at_work[own],
            straps: &self.straps,
        }
    }

    /// The answer to the request of the cycle, and what it writes.
    #[inline(always)]
    fn request(&self, inputs: &Inputs<LP, LANES>, levels: &[u8; LP]) -> (Answer, Write) {
        if !inputs.reg.valid {
            return (Answer::default(), Write::NOTHING);
        }
        let lp = usize::from(inputs.reg.lp) % LP;
        let asking = Asking {
            level: levels[lp],
            pce: inputs.lp[lp].pce,
            general: &self.state.general[lp],
            fixed: &self.state.fixed[lp],
            processor: &self.state.lp[lp],
        };
        request::decide(&inputs.reg, &asking, &self.existing, &self.straps)
    }
}

impl<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> Moore
    for Perf<LP, GENERAL, FIXED, LANES>
{
    type Inputs = Inputs<LP, LANES>;
    type Outputs = Outputs<LP, GENERAL, FIXED>;

    #[inline]
    fn outputs(&self) -> Self::Outputs {
        self.outputs()
    }

    #[inline]
    fn step(&mut self, inputs: &Self::Inputs) {
        self.step(inputs);
    }
}

impl<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> Unit
    for Perf<LP, GENERAL, FIXED, LANES>
{
    const NAME: &'static str = "perf";
    type Config = Config;
    type State = State<LP, GENERAL, FIXED>;
    type Error = ConfigError;

    const INPUT_FIELDS: &'static [Field] = InputRow::<LP, LANES>::FIELDS;
    const OUTPUT_FIELDS: &'static [Field] = ExpectedRow::<LP, GENERAL, FIXED>::FIELDS;
    const STRAP_FIELDS: &'static [Field] = StrapRow::FIELDS;

    fn new(straps: Config) -> Result<Self, ConfigError> {
        Self::new(straps)
    }

    fn reset(&mut self) {
        self.reset();
    }

    /// The event selects are decoded again.
    fn resume(&mut self, row: &[u32]) {
        self.state = flat::unpack_shown(row).1;
        self.decode();
    }

    fn state(&self) -> &Self::State {
        self.state()
    }

    fn config(&self) -> &Config {
        self.config()
    }

    #[inline]
    fn pack_inputs(inputs: &Self::Inputs, rst_n: bool, row: &mut [u32]) {
        InputRow::<LP, LANES>::pack(&rst_n, inputs, row);
    }

    #[inline]
    fn read_inputs(row: &[u32], inputs: &mut Self::Inputs) -> bool {
        flat::read_inputs(row, inputs)
    }

    fn pack_straps(straps: &Config, row: &mut [u32]) {
        StrapRow::pack(straps, row);
    }

    fn read_straps(row: &[u32]) -> Result<Config, &'static str> {
        flat::read_straps(row)
    }

    fn strap_values(visit: &mut dyn FnMut(Values)) {
        StrapRow::values(&Config::default(), visit);
    }

    fn validate(straps: &Config) -> Result<(), ConfigError> {
        straps.validate(GENERAL, FIXED)
    }

    fn culprits(error: &ConfigError) -> &'static [&'static str] {
        error.straps()
    }

    #[inline]
    fn pack_expected(state: &Self::State, _straps: &Config, row: &mut [u32]) {
        ExpectedRow::<LP, GENERAL, FIXED>::pack(&Outputs::of(state), state, row);
    }

    fn unpack_outputs(row: &[u32]) -> Self::Outputs {
        flat::unpack_shown::<LP, GENERAL, FIXED>(row).0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perf::events::{Events, Line};
    use crate::retire::{OpMode, RegOp, RegRequest};

    type Two = Perf<1, 2, 0, 4>;

    fn inputs() -> Inputs<1, 4> {
        let mut inputs = Inputs { core_clock: true, ..Inputs::default() };
        (inputs.lp[0].op_mode, inputs.lp[0].halted) = (OpMode::Long64, true);
        inputs
    }

    fn write(unit: &mut Two, msr: u32, wdata: u64) {
        let reg = RegRequest { valid: true, op: RegOp::Wrmsr, number: msr, wdata, ..RegRequest::default() };
        unit.step(&Inputs { reg, ..inputs() });
    }

    #[test]
    fn only_counters_at_work_are_stepped() {
        let mut unit = Two::new(Config::default()).unwrap();
        let found = |unit: &Two| (unit.at_work, unit.wants_made);
        assert_eq!(found(&unit), ([false], [false]), "after reset");
        // DATA_MEM_REFS and INST_RETIRED at all levels; EN of event select 0 is for both.
        write(&mut unit, 0x187, 0x3_00C0);
        assert_eq!(found(&unit), ([false], [true]), "nothing is enabled");
        write(&mut unit, 0x186, 0x40_0043);
        assert_eq!(found(&unit), ([true], [true]));
        write(&mut unit, 0x187, 0);
        assert_eq!(found(&unit), ([false], [false]), "enabled, at no level");
        write(&mut unit, 0x186, 0x4B_0043);
        assert_eq!(found(&unit), ([true], [false]), "a line of the bus, shown by the pin");
        let mut shown = inputs();
        shown.lp[0].events = Events::default().with(Line::DataMemRefs, 1);
        unit.step(&shown);
        write(&mut unit, 0x186, 0);
        assert_eq!(found(&unit), ([true], [false]), "the pin is to be asserted");
        for pin in [true, false] {
            unit.step(&Inputs { bus_tick: true, ..inputs() });
            assert_eq!((unit.state.general[0][0].pin, found(&unit)), (pin, ([pin], [false])));
        }
    }
}
