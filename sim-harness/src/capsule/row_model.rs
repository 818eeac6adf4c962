//! Models behind rows of words, with the rules of their ports.

use super::unit::{Drive, Model, Played};
use lwp_model::Unit;
use std::fmt::{self, Debug};

/// Environment of a unit when a capsule is replayed: a referee, which knows the rules of the ports, and a core and a memory that keep
/// the rules for any list of inputs.
pub trait Surroundings<U: Unit>: Clone + Debug + Send + Sized {
    /// What was learnt of the answers in a list of inputs.
    type Learnt: Clone + Debug + Default + Send;

    /// Returns the referee at reset.
    fn new(straps: &U::Config) -> Self;

    /// Returns the referee of a unit that begins in a state of a run, as far as its registers tell what is in flight.
    fn resume(unit: &U) -> Self {
        Self::new(unit.config())
    }

    /// One cycle outside reset: what the unit is given while it shows `out`.
    ///
    /// # Errors
    /// Returns the first rule that the inputs break. The caller passes every cycle, also after the first broken rule.
    fn check(&mut self, inputs: &U::Inputs, out: &U::Outputs) -> Result<(), &'static str>;

    /// One cycle in reset.
    fn reset(&mut self, inputs: &U::Inputs);

    /// What the answers in these rows teach. `run` is at reset.
    fn learn(run: RowModel<U, Self>, rows: &[u32]) -> Self::Learnt {
        let _ = (run, rows);
        Self::Learnt::default()
    }

    /// Plays rows through a core and a memory; `run` is at reset, and `how` is not [`Drive::Raw`]. False: there are more than `limit`
    /// cycles.
    fn drive(
        run: &mut RowModel<U, Self>,
        learnt: &Self::Learnt,
        rows: &[u32],
        how: Drive,
        limit: usize,
        into: &mut Played,
    ) -> bool {
        let _ = (learnt, how, limit);
        run.play(rows, into);
        true
    }
}

/// No rules: the unit takes any inputs in any cycle, and they are always played as they are.
#[derive(Clone, Copy, Debug)]
pub struct AnyInputs;

impl<U: Unit> Surroundings<U> for AnyInputs {
    type Learnt = ();

    fn new(_: &U::Config) -> Self {
        Self
    }

    fn check(&mut self, _: &U::Inputs, _: &U::Outputs) -> Result<(), &'static str> {
        Ok(())
    }

    fn reset(&mut self, _: &U::Inputs) {}
}

/// Model with its referee.
#[derive(Clone)]
pub struct RowModel<U: Unit, S: Surroundings<U>> {
    pub(crate) unit: U,
    pub(crate) rules: S,
    cycle: u64,
    broken: Option<(u64, &'static str)>,
    learnt: S::Learnt,
    /// Where runs begin, if that is not reset.
    start: Option<Box<(U, S)>>,
}

impl<U: Unit, S: Surroundings<U>> RowModel<U, S> {
    /// Model at reset.
    pub fn new(unit: U) -> Self {
        let rules = S::new(unit.config());
        Self { unit, rules, cycle: 0, broken: None, learnt: S::Learnt::default(), start: None }
    }

    /// The same at its start, with nothing learnt.
    fn fresh(&self) -> Self {
        if let Some(start) = &self.start {
            let (unit, rules) = start.as_ref().clone();
            return Self { rules, start: self.start.clone(), ..Self::new(unit) };
        }
        let mut unit = self.unit.clone();
        unit.reset();
        Self::new(unit)
    }

    /// Replays rows without changes.
    fn play(&mut self, rows: &[u32], into: &mut Played) {
        rows.chunks_exact(U::INPUT_WORDS).for_each(|inputs| self.record(inputs, into));
    }

    /// A cycle, and both rows of it.
    pub(crate) fn record(&mut self, inputs: &[u32], into: &mut Played) {
        let at = into.expected.len();
        into.inputs.extend_from_slice(inputs);
        into.expected.resize(at + U::OUTPUT_WORDS, 0);
        self.cycle(inputs, &mut into.expected[at..]);
    }
}

impl<U: Unit, S: Surroundings<U>> Model for RowModel<U, S> {
    fn cycle(&mut self, inputs: &[u32], expected: &mut [u32]) {
        let (inputs, rst_n) = U::unpack_inputs(inputs);
        if !rst_n {
            self.unit.reset();
            self.rules.reset(&inputs);
        }
        U::pack_expected(self.unit.state(), self.unit.config(), expected);
        if rst_n {
            if let Err(rule) = self.rules.check(&inputs, &self.unit.outputs()) {
                self.broken.get_or_insert((self.cycle, rule));
            }
            self.unit.step(&inputs);
        }
        self.cycle += 1;
    }

    fn resume(&mut self, row: &[u32]) -> bool {
        if row.len() != U::OUTPUT_WORDS || !U::CHECKPOINTS {
            return false;
        }
        self.unit.resume(row);
        let mut shown = vec![0; U::OUTPUT_WORDS];
        U::pack_expected(self.unit.state(), self.unit.config(), &mut shown);
        let rules = S::resume(&self.unit);
        self.start = Some(Box::new((self.unit.clone(), rules)));
        *self = self.fresh();
        shown == row
    }

    fn broken(&self) -> Option<(u64, &'static str)> {
        self.broken
    }

    fn learn(&mut self, rows: &[u32]) {
        self.learnt = S::learn(self.fresh(), rows);
    }

    fn drive(&mut self, rows: &[u32], how: Drive, limit: usize, into: &mut Played) -> bool {
        into.inputs.clear();
        into.expected.clear();
        let mut run = self.fresh();
        let whole = match how {
            Drive::Raw => {
                run.play(rows, into);
                true
            }
            Drive::Polite | Drive::Prompt => S::drive(&mut run, &self.learnt, rows, how, limit, into),
        };
        into.broken = run.broken;
        whole
    }
}

impl<U: Unit, S: Surroundings<U>> Debug for RowModel<U, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RowModel").field("unit", &U::NAME).field("cycle", &self.cycle).finish_non_exhaustive()
    }
}
