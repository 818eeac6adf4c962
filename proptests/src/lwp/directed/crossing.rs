//! Runs that lead a register over a power of two: it starts just below (or at) 2^b, something happens once, and it has
//! the next value.

use super::Directed;
use super::building_blocks::{context, kernel, of_block, steps, user};
use crate::lwp::bench::{BLOCKS, Recording};
use crate::lwp::scenario::{Block, Op, Sequence, Step};
use lwp_model::lwp::flat::fields::FIELDS;
use lwp_model::lwp::flat::{OUT_WORDS, pack_expected};
use lwp_model::lwp::{Config, Inputs, Lane};

/// The values that a register has to take in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The first value before a clock edge and the second value after it.
    Steps(u64, u64),
    /// This value in some cycle.
    Reaches(u64),
    /// This value in the last cycle, and no other value once it has had it.
    Stays(u64),
}

/// A run, and the values that registers have to take in it.
#[derive(Clone, Debug)]
pub struct Crossing {
    /// The run.
    pub run: Directed,
    /// Registers or outputs, by their names in the flat image, and the values that they have to take.
    pub does: Vec<(&'static str, Way)>,
}

impl Crossing {
    pub(super) fn of(sequence: Sequence, does: impl Into<Vec<(&'static str, Way)>>) -> Self {
        // The cycle that shows the situation depends on the register; `check` finds it.
        let run = Directed { situation: "a register crosses a power of two", sequence, seen: runs };
        Self { run, does: does.into() }
    }

    pub(super) fn new(register: &'static str, way: Way, sequence: Sequence) -> Self {
        Self::of(sequence, [(register, way)])
    }

    pub(super) fn steps(register: &'static str, from: u64, to: u64, sequence: Sequence) -> Self {
        Self::new(register, Way::Steps(from, to), sequence)
    }

    /// Checks that the registers take those values in this recording of the run.
    ///
    /// # Errors
    ///
    /// Names the register that does not, and the values that it should take.
    pub fn check<const W: usize>(&self, recording: &Recording<W>) -> Result<(), String> {
        let straps = &self.run.sequence.scenario.straps;
        let mut rows = vec![0; recording.cycles.len() * OUT_WORDS];
        for (cycle, row) in recording.cycles.iter().zip(rows.chunks_exact_mut(OUT_WORDS)) {
            pack_expected(&cycle.state, straps, row);
        }
        for (register, way) in &self.does {
            let field = FIELDS.iter().find(|field| field.name == *register);
            let field = field.ok_or_else(|| format!("there is no {register}"))?;
            let values: Vec<u64> = rows.chunks_exact(OUT_WORDS).map(|row| field.of(row)).collect();
            if !way.taken(&values) {
                return Err(format!("{register} does not do {way:x?}"));
            }
        }
        Ok(())
    }
}

impl Way {
    /// Whether a register with these values, cycle by cycle, takes the required ones.
    fn taken(self, values: &[u64]) -> bool {
        match self {
            Self::Steps(from, to) => values.windows(2).any(|pair| *pair == [from, to]),
            Self::Reaches(value) => values.contains(&value),
            Self::Stays(value) => {
                let first = values.iter().position(|is| *is == value);
                first.is_some_and(|at| values[at..].iter().all(|is| *is == value))
            }
        }
    }
}

/// Whether a session runs.
fn runs(cycle: &crate::lwp::bench::Cycle<4>) -> bool {
    cycle.state.session.active
}

/// Returns a run in which the kernel restores these words of a context into the session of block 0, and the program
/// continues.
pub(super) fn resumed(straps: Config, block: Block, words: &[(u8, u64)], run: Vec<Step>) -> Sequence {
    let mut ops = vec![kernel(), Op::Idle(2)];
    ops.extend(context(true, 7, 0));
    ops.extend(words.iter().flat_map(|(word, value)| context(true, *word, *value)));
    ops.extend(context(true, 0, BLOCKS[0]));
    ops.extend([user(), Op::Idle(60)]);
    of_block(straps, block, steps(ops).into_iter().chain(run).collect())
}

/// Returns one cycle with these inputs.
pub(super) fn cycle(inputs: Inputs<4>) -> Step {
    Step::Burst(vec![Box::new(inputs)])
}

/// Returns the steps in which one instruction retires and all its effects complete.
pub(super) fn retired(lane: Lane) -> Vec<Step> {
    vec![super::building_blocks::group(&[lane]), Step::Do(Op::Idle(60))]
}

/// Returns 2^`bit`.
pub(super) const fn power(bit: u32) -> u64 {
    1 << bit
}
