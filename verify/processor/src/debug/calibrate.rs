//! Which of the choices that the documents leave, or that vendors make otherwise, this processor has taken: a strap for each.

use super::computer::Selectors;
use super::event::{Event, line};
use super::instruction::{Instruction, Text};
use super::processor::Processor;
use super::program::{Program, Watch};
use super::strategy::far_return;
use super::unit;
use crate::child::ChildError;
use crate::memory::{DATA, STACK};
use lwp_model::debug::Config;
use lwp_regs::debug::Length;

/// What is known of the processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The straps of a unit that does the same.
    pub straps: Config,
    /// INT1 saves its own address, as seen on a processor of AMD under a hypervisor.
    pub int1_stays: bool,
    /// Bytes of a selector on the stack that instructions access.
    pub selectors: Selectors,
}

impl Facts {
    /// What the documents say. User mode has neither regions that a debugger ends, nor DR6 as it was before.
    const DEFAULT: Self =
        Self { straps: Config { rtm: false, ..Config::DEFAULT }, int1_stays: false, selectors: Selectors::WHOLE };
}

/// Why there are no straps for this processor.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CalibrationError {
    /// The processor could not be asked.
    #[error(transparent)]
    Child(#[from] ChildError),
    /// No value of the strap gives what the processor does.
    #[error(
        "no value of `{strap}` does what this processor does: it stops with {seen}\nthe unit with the values in order:\n  {units}"
    )]
    NoValue {
        /// The strap.
        strap: &'static str,
        /// The processor's stops.
        seen: String,
        /// The unit's, for each value.
        units: String,
    },
    /// Model and RTL differ with a value of the strap, so the unit has no stops to compare.
    #[error("`{strap}` has no value yet: {difference}")]
    Unit {
        /// The strap.
        strap: &'static str,
        /// The first difference of model and RTL.
        difference: String,
    },
}

impl CalibrationError {
    /// Whether the unit is wrong, rather than that no unit could be compared.
    #[must_use]
    pub const fn is_difference(&self) -> bool {
        matches!(self, Self::NoValue { .. } | Self::Unit { .. })
    }
}

/// A strap, or another fact, and a program that tells its values apart.
struct Question {
    strap: &'static str,
    values: u8,
    set: fn(&mut Facts, u8),
    program: fn() -> Program,
}

const QUESTIONS: [Question; 9] = [
    Question {
        strap: "merge_next",
        values: 2,
        set: |facts, value| facts.straps.merge_next = value != 0,
        // A store to watched data, then an instruction with a breakpoint.
        program: || {
            let watch = Watch::Data { at: 0x100, length: Length::Four, reads: false };
            let code = [Instruction::Store(4, 0x100), Instruction::Nop(1)];
            Program::new(&code).watching(&[watch, Watch::Execute(1)])
        },
    },
    Question {
        strap: "ss_chain",
        values: 2,
        set: |facts, value| facts.straps.ss_chain = value != 0,
        program: || Program::new(&[Instruction::LoadSs; 4]).stepped(),
    },
    Question {
        strap: "ss_fetch",
        values: 2,
        set: |facts, value| facts.straps.ss_fetch = value != 0,
        program: || Program::new(&[Instruction::LoadSs, Instruction::Nop(1)]).watching(&[Watch::Execute(1)]),
    },
    Question {
        strap: "rep_rf",
        values: 2,
        set: |facts, value| facts.straps.rep_rf = value != 0,
        program: || repeated(3, 0x101),
    },
    Question {
        strap: "string_group",
        values: Config::MAX_STRING_GROUP + 1,
        set: |facts, value| facts.straps.string_group = value,
        program: || repeated(130, 0x100),
    },
    Question {
        strap: "int1_step",
        values: 2,
        set: |facts, value| facts.straps.int1_step = value != 0,
        program: || {
            let trap = [Instruction::PushFlags, Instruction::SetTrap, Instruction::PopFlags];
            Program::new(&[&trap[..], &[Instruction::Int1]].concat())
        },
    },
    Question {
        strap: "bytes of a selector that IRETQ reads",
        values: 3,
        set: |facts, value| facts.selectors.iret = 2 << value,
        // Breakpoints behind the selector of SS, and behind its first four bytes.
        program: || {
            let behind = |at| Watch::Data { at: TOP - 8 + at, length: Length::One, reads: true };
            Program::new(&far_return([false, false])).watching(&[behind(2), behind(4)])
        },
    },
    Question {
        strap: "bytes that PUSH SS writes",
        values: 2,
        set: |facts, value| facts.selectors.push = 2 << value,
        program: || pops(false),
    },
    Question {
        strap: "bytes that POP SS reads",
        values: 2,
        set: |facts, value| facts.selectors.pop = 2 << value,
        program: || pops(true),
    },
];

/// Offset of the top of the stack in the data.
const TOP: u32 = (STACK - DATA) as u32;

/// A program of 32-bit code that pushes and pops SS, with a breakpoint behind the selector.
fn pops(reads: bool) -> Program {
    let behind = Watch::Data { at: TOP - 2, length: Length::One, reads };
    Program {
        wide: false,
        ..Program::new(&[Instruction::PushSs, Instruction::PopSs, Instruction::Nop(1)]).watching(&[behind])
    }
}

/// A string instruction of so many iterations from offset 100H on, one of which writes the watched byte.
fn repeated(iterations: u8, at: u32) -> Program {
    let code = [Instruction::Count(iterations), Instruction::Destination(0x100), Instruction::Repeat(Text::Fill, 1)];
    Program::new(&code).watching(&[Watch::Data { at, length: Length::One, reads: false }])
}

/// Finds the straps that make the unit do what the processor does, by a directed program for each.
///
/// # Errors
///
/// [`CalibrationError`], if the processor cannot be asked, or does what no strap allows.
pub fn calibrate(processor: &mut Processor) -> Result<Facts, CalibrationError> {
    let mut facts = Facts { int1_stays: processor.int1_stays, ..Facts::DEFAULT };
    for question in QUESTIONS {
        let program = (question.program)();
        let seen = processor.run(&program)?;
        let run = |value| {
            let mut facts = facts;
            (question.set)(&mut facts, value);
            let stops = unit::run(&program, &facts);
            stops
                .map(|stops| (facts, stops))
                .map_err(|difference| CalibrationError::Unit { strap: question.strap, difference })
        };
        let runs: Vec<(Facts, Vec<Event>)> = (0..question.values).map(run).collect::<Result<_, _>>()?;
        let found = runs.iter().find(|(_, run)| *run == seen);
        let Some((found, _)) = found else {
            let units: Vec<String> = runs.iter().map(|(_, run)| line(run)).collect();
            return Err(CalibrationError::NoValue {
                strap: question.strap,
                seen: line(&seen),
                units: units.join("\n  "),
            });
        };
        facts = *found;
    }
    Ok(facts)
}

#[cfg(test)]
mod tests {
    use super::*;

    // A program that gives the same with two values would show nothing.
    #[test]
    fn every_question_tells_its_values_apart() {
        for question in QUESTIONS {
            let run = |value| {
                let mut facts = Facts::DEFAULT;
                (question.set)(&mut facts, value);
                unit::run(&(question.program)(), &facts).unwrap()
            };
            assert_ne!(run(0), run(1), "{}", question.strap);
        }
    }
}
