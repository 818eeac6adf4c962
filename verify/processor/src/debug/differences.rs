//! What a processor does otherwise than the documents say, and no strap covers.

use super::calibrate::Facts;
use super::instruction::{Instruction, SELECTOR};
use super::program::{Program, Watch};
use lwp_regs::debug::Length;

/// A difference that has been seen.
#[derive(Debug)]
pub struct Difference {
    /// What differs, in a few words.
    pub about: &'static str,
    /// Rows of the documents.
    pub rows: &'static str,
    /// The program.
    pub program: Program,
    /// What the unit stops with, as [`line`](super::line) tells it.
    pub unit: String,
    /// What a processor has been seen to stop with instead.
    pub seen: String,
}

/// SS is loaded from watched data.
fn held(behind: &[Instruction]) -> Program {
    let watch = Watch::Data { at: SELECTOR, length: Length::Two, reads: true };
    Program::new(&[&[Instruction::LoadSsFrom], behind].concat()).watching(&[watch])
}

/// Returns every known difference, with the stops of a processor of these facts.
#[must_use]
pub fn all(facts: &Facts) -> Vec<Difference> {
    let int1 = if facts.int1_stays { 6 } else { 7 };
    // The second SS load casts a shadow, or does not.
    let behind = if facts.straps.ss_chain { 9 } else { 8 };
    vec![
        Difference {
            about: "data breakpoint of an SS load, INT3 behind it",
            rows: "DBG-60, DBG-61",
            program: held(&[Instruction::Int3]),
            unit: "#BP B0 at +7; #BP at +8".to_owned(),
            seen: "#BP at +7; #BP at +8".to_owned(),
        },
        Difference {
            about: "data breakpoint of an SS load, INT n behind it",
            rows: "DBG-60, DBG-61",
            program: held(&[Instruction::System]),
            unit: "#BP B0 at +9".to_owned(),
            seen: "#BP at +9".to_owned(),
        },
        Difference {
            about: "data breakpoint of an SS load, INT1 behind it",
            rows: "DBG-57, DBG-33",
            program: held(&[Instruction::Int1]),
            unit: format!("#DB B0 at +{int1}; #BP at +8"),
            seen: format!("#DB (INT1) at +{int1}; #BP at +8"),
        },
        Difference {
            about: "data breakpoint of an SS load, MOV SS from a register behind it",
            rows: "DBG-57",
            program: held(&[Instruction::LoadSs, Instruction::Nop(1)]),
            unit: format!("#DB B0 at +{behind}; #BP at +10"),
            seen: "#DB B0 at +6; #BP at +10".to_owned(),
        },
    ]
}
