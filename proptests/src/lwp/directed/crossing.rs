//! Runs that lead a register over a power of two: it starts just below (or at) 2^b, something happens once, and it has the next value.

use super::Directed;
use super::world::{context, kernel, of_block, steps, user};
use crate::lwp::bench::{BLOCKS, Recording};
use crate::lwp::scenario::{Block, Op, Sequence, Step};
use lwp_model::lwp::flat::fields::FIELDS;
use lwp_model::lwp::flat::{OUT_WORDS, pack_expected};
use lwp_model::lwp::{Config, Inputs, Lane};

/// What a register has to do in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// From the first value to the second one at a clock edge.
    Steps(u64, u64),
    /// It has this value in some cycle.
    Reaches(u64),
    /// It has this value in the last cycle, and once it had it never another one.
    Stays(u64),
}

/// A run, and what registers have to do in it.
#[derive(Clone, Debug)]
pub struct Crossing {
    /// The run.
    pub run: Directed,
    /// Registers or outputs, by their names in the flat image, and what they have to do.
    pub does: Vec<(&'static str, Way)>,
}

impl Crossing {
    pub(super) fn of(sequence: Sequence, does: impl Into<Vec<(&'static str, Way)>>) -> Self {
        // Which cycle is meant depends on the register; `check` knows.
        let run = Directed { situation: "a register crosses a power of two", sequence, seen: runs };
        Self { run, does: does.into() }
    }

    pub(super) fn new(register: &'static str, way: Way, sequence: Sequence) -> Self {
        Self::of(sequence, [(register, way)])
    }

    pub(super) fn steps(register: &'static str, from: u64, to: u64, sequence: Sequence) -> Self {
        Self::new(register, Way::Steps(from, to), sequence)
    }

    /// Whether the registers do that in this recording of the run.
    ///
    /// # Errors
    ///
    /// What is not done.
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
    /// Whether a register with these values, cycle by cycle, does it.
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

/// A session runs.
fn runs(cycle: &crate::lwp::bench::Cycle<4>) -> bool {
    cycle.state.session.active
}

/// The kernel restores these words of a context into the session of block 0, and the program goes on.
pub(super) fn resumed(straps: Config, block: Block, words: &[(u8, u64)], run: Vec<Step>) -> Sequence {
    let mut ops = vec![kernel(), Op::Idle(2)];
    ops.extend(context(true, 7, 0));
    ops.extend(words.iter().flat_map(|(word, value)| context(true, *word, *value)));
    ops.extend(context(true, 0, BLOCKS[0]));
    ops.extend([user(), Op::Idle(60)]);
    of_block(straps, block, steps(ops).into_iter().chain(run).collect())
}

/// One cycle with these inputs.
pub(super) fn cycle(inputs: Inputs<4>) -> Step {
    Step::Burst(vec![Box::new(inputs)])
}

/// One instruction retires, and what it causes comes to its end.
pub(super) fn retired(lane: Lane) -> Vec<Step> {
    vec![super::world::group(&[lane]), Step::Do(Op::Idle(60))]
}

/// 2^b - 1 and the like.
pub(super) const fn power(bit: u32) -> u64 {
    1 << bit
}
