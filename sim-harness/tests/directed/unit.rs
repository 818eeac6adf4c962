//! The unit on the bench: the model, and with it the RTL.

use lwp_model::Unit as Model;
use lwp_model::lwp::{Config, Inputs, Lwp};
use sim_harness::lockstep::compare;
use sim_harness::rtl::{BuildId, Flavour, Rtl, strap_words};
use std::cell::RefCell;
use std::ops::Deref;

/// The unit of the tests that run on the model alone as well.
pub(crate) type Unit = Pair<Lwp<4, 8, 31>>;
/// The other quick build.
pub(crate) type Narrow = Pair<Lwp<1, 3, 10>>;
/// The time-stamp counter of so many logical processors.
pub(crate) type Tsc<const LP: usize> = Pair<lwp_model::tsc::Tsc<LP>>;
/// The performance counters of this size.
pub(crate) type Perf<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> =
    Pair<lwp_model::perf::Perf<LP, GENERAL, FIXED, LANES>>;
/// The debug unit of this size.
pub(crate) type Debug<const LANES: usize, const ACCESSES: usize> = Pair<lwp_model::debug::DebugUnit<LANES, ACCESSES>>;
/// The branch records of this size.
pub(crate) type Trace<const LANES: usize, const ENTRIES: usize> = Pair<lwp_model::trace::TraceUnit<LANES, ENTRIES>>;
/// The shared cache of this size.
pub(crate) type Rdt<
    const LPS: usize,
    const L3_SETS: usize,
    const L3_WAYS: usize,
    const L2_SETS: usize,
    const L2_WAYS: usize,
    const RMIDS: usize,
    const CLASSES: usize,
> = Pair<lwp_model::rdt::Rdt<LPS, L3_SETS, L3_WAYS, L2_SETS, L2_WAYS, RMIDS, CLASSES>>;

/// The event qualification of this size.
pub(crate) type Itanium<const BUNDLES: usize, const ENTRIES: usize> =
    Pair<lwp_model::itanium::Itanium<BUNDLES, ENTRIES>>;

thread_local! {
    /// One instance for all units of a test: to make one takes far longer than to power it up again.
    static RTL: RefCell<Option<Rtl>> = const { RefCell::new(None) };
}

/// The model, with all that it was given and showed. When it goes out of scope, the RTL plays the same.
#[derive(Debug)]
pub(crate) struct Pair<U: Model> {
    model: U,
    straps: U::Config,
    inputs: Vec<u32>,
    expected: Vec<u32>,
}

impl<U: Model> Pair<U> {
    pub(crate) fn new(straps: U::Config) -> Result<Self, U::Error> {
        let mut unit = Pair { model: U::new(straps.clone())?, straps, inputs: Vec::new(), expected: Vec::new() };
        unit.reset();
        Ok(unit)
    }

    /// The build of the RTL that has the model's sizes.
    ///
    /// # Panics
    ///
    /// If there is none: a test would run on the model alone.
    pub(crate) fn build() -> BuildId {
        let fits = |build: &&BuildId| {
            let info = build.info();
            (info.unit, info.in_words, info.out_words) == (U::NAME, U::INPUT_WORDS, U::OUTPUT_WORDS)
        };
        *BuildId::ALL.iter().find(fits).expect("a build of the RTL has these sizes")
    }

    pub(crate) fn reset(&mut self) {
        self.model.reset();
        self.note(&U::Inputs::default(), false);
    }

    pub(crate) fn step(&mut self, inputs: &U::Inputs) {
        self.note(inputs, true);
        self.model.step(inputs);
    }

    /// Appends the inputs of this cycle, and what the registers hold in it.
    fn note(&mut self, inputs: &U::Inputs, rst_n: bool) {
        let (input, row) = (self.inputs.len(), self.expected.len());
        self.inputs.resize(input + U::INPUT_WORDS, 0);
        self.expected.resize(row + U::OUTPUT_WORDS, 0);
        U::pack_inputs(inputs, rst_n, &mut self.inputs[input..]);
        U::pack_expected(self.model.state(), &self.straps, &mut self.expected[row..]);
    }

    /// Lets the RTL play what the model was given.
    fn agree(&self) -> Result<(), String> {
        let straps = strap_words::<U>(&self.straps);
        let build = Self::build();
        RTL.with_borrow_mut(|kept| {
            let rtl = kept.get_or_insert_with(|| Rtl::new(build, Flavour::Traced, &straps));
            if rtl.build() != build {
                *rtl = Rtl::new(build, Flavour::Traced, &straps);
            }
            rtl.power_up(&straps);
            compare(rtl, U::OUTPUT_FIELDS, &self.inputs, &self.expected).map_err(|departure| departure.to_string())
        })
    }
}

impl<U: Model> Deref for Pair<U> {
    type Target = U;

    fn deref(&self) -> &Self::Target {
        &self.model
    }
}

impl<U: Model> Drop for Pair<U> {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            // The last step shows in the cycle after it.
            self.note(&U::Inputs::default(), true);
            self.agree().unwrap_or_else(|difference| panic!("{difference}"));
        }
    }
}

// A register that is off by one bit in one cycle is found.
#[test]
fn a_difference_is_found() {
    const WORDS: usize = <Lwp<4, 8, 31> as Model>::OUTPUT_WORDS;
    let mut unit = Unit::new(Config::default()).unwrap();
    (0..20).for_each(|_| unit.step(&Inputs::default()));
    assert_eq!(unit.agree(), Ok(()));
    unit.expected[10 * WORDS] ^= 1;
    let difference = unit.agree().unwrap_err();
    assert!(difference.starts_with("model (expected) and RTL differ in cycle 10: "), "{difference}");
    unit.expected[10 * WORDS] ^= 1;
}
