//! The unit on the bench: the model, and with it the RTL.

use lwp_model::lwp::{Config, ConfigError, Inputs, Lwp};
use sim_harness::lockstep::differences;
use sim_harness::lwp::fields::FIELDS;
use sim_harness::lwp::flat::{OUT_WORDS, in_words, pack_expected, pack_inputs, pack_straps};
use sim_harness::rtl::{BuildId, Flavour, Rtl};
use std::cell::RefCell;
use std::ops::Deref;

/// The unit of the tests that run on the model alone as well.
pub(crate) type Unit = Pair<4, 8, 31>;
/// The other quick build.
pub(crate) type Narrow = Pair<1, 3, 10>;

thread_local! {
    /// One instance for all units of a test: to make one takes far longer than to power it up again.
    static RTL: RefCell<Option<Rtl>> = const { RefCell::new(None) };
}

/// The model, with all that it was given and showed. When it goes out of scope, the RTL plays the same.
pub(crate) struct Pair<const W: usize, const S: usize, const LAT: u32> {
    model: Lwp<W, S, LAT>,
    straps: Config,
    inputs: Vec<u32>,
    expected: Vec<u32>,
}

impl<const W: usize, const S: usize, const LAT: u32> Pair<W, S, LAT> {
    pub(crate) const BUILD: BuildId = if W == 4 { BuildId::LwpW4 } else { BuildId::LwpW1 };

    pub(crate) fn new(straps: Config) -> Result<Self, ConfigError> {
        let mut unit = Pair { model: Lwp::new(straps)?, straps, inputs: Vec::new(), expected: Vec::new() };
        unit.reset();
        Ok(unit)
    }

    pub(crate) fn reset(&mut self) {
        self.model.reset();
        self.note(&Inputs::default(), false);
    }

    pub(crate) fn step(&mut self, inputs: &Inputs<W>) {
        self.note(inputs, true);
        self.model.step(inputs);
    }

    /// Appends the inputs of this cycle, and what the registers hold in it.
    fn note(&mut self, inputs: &Inputs<W>, rst_n: bool) {
        let (input, row) = (self.inputs.len(), self.expected.len());
        self.inputs.resize(input + in_words(W), 0);
        self.expected.resize(row + OUT_WORDS, 0);
        pack_inputs(inputs, rst_n, &mut self.inputs[input..]);
        pack_expected(self.model.state(), &self.straps, &mut self.expected[row..]);
    }

    /// Lets the RTL play what the model was given.
    fn agree(&self) -> Result<(), String> {
        let straps = pack_straps(&self.straps);
        RTL.with_borrow_mut(|kept| {
            let rtl = kept.get_or_insert_with(|| Rtl::new(Self::BUILD, Flavour::Traced, &straps));
            if rtl.build() != Self::BUILD {
                *rtl = Rtl::new(Self::BUILD, Flavour::Traced, &straps);
            }
            rtl.power_up(&straps);
            let Err(stop) = rtl.replay(&self.inputs, &self.expected) else { return Ok(()) };
            let cycle = stop.cycle_in_batch;
            if stop.assertion_failed {
                return Err(format!("{:?} of the RTL failed before cycle {cycle}", rtl.assertion_label()));
            }
            let model = &self.expected[cycle * OUT_WORDS..][..OUT_WORDS];
            let fields = differences(FIELDS, model, &stop.actual);
            let fields: Vec<_> = fields.iter().map(ToString::to_string).collect();
            Err(format!("model (expected) and RTL differ in cycle {cycle}: {}", fields.join("; ")))
        })
    }
}

impl<const W: usize, const S: usize, const LAT: u32> Deref for Pair<W, S, LAT> {
    type Target = Lwp<W, S, LAT>;

    fn deref(&self) -> &Self::Target {
        &self.model
    }
}

impl<const W: usize, const S: usize, const LAT: u32> Drop for Pair<W, S, LAT> {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            // The last step shows in the cycle after it.
            self.note(&Inputs::default(), true);
            self.agree().unwrap_or_else(|difference| panic!("{difference}"));
        }
    }
}

// A register that is off by one bit in one cycle is found.
#[test]
fn a_difference_is_found() {
    let mut unit = Unit::new(Config::default()).unwrap();
    (0..20).for_each(|_| unit.step(&Inputs::default()));
    assert_eq!(unit.agree(), Ok(()));
    unit.expected[10 * OUT_WORDS] ^= 1;
    let difference = unit.agree().unwrap_err();
    assert!(difference.starts_with("model (expected) and RTL differ in cycle 10: "), "{difference}");
    unit.expected[10 * OUT_WORDS] ^= 1;
}
