//! A program, its breakpoints, and what its debugger does at each stop.

use super::instruction::{Instruction, address};
use crate::memory::CODE;
use lwp_regs::debug::{Breakpoint, BreakpointSet, Condition, Enable, Length, Slot};

/// What the debugger does with RF before it lets the program go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rf {
    /// Leaves it as the operating system shows it.
    Keep,
    /// Sets it.
    Set,
    /// Clears it; at the first stops alone, since a breakpoint that is not passed over comes for ever.
    Clear,
}

/// How the debugger lets the program go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resume {
    /// With TF = 1.
    pub step: bool,
    /// RF.
    pub rf: Rf,
}

/// Where a breakpoint is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watch {
    /// An instruction, by its number.
    Execute(usize),
    /// Data, by their offset: written, or also read.
    Data {
        /// Offset of the first byte, a multiple of the length.
        at: u32,
        /// Bytes.
        length: Length,
        /// Reads count as well.
        reads: bool,
    },
}

/// How the core shows the program to the unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Core {
    /// Four lanes with two accesses, rather than one with one.
    pub four: bool,
    /// Instructions in a group at most.
    pub group: u8,
    /// The core asks before each group.
    pub asks: bool,
}

/// Stops at which [`Rf::Clear`] is obeyed.
const CLEARS: usize = 8;

/// A program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// 64-bit code, rather than 32-bit code in compatibility mode.
    pub wide: bool,
    /// Its instructions, the last of which is INT3.
    pub instructions: Vec<Instruction>,
    /// The breakpoints, DR0 first.
    pub breakpoints: Vec<Watch>,
    /// What the debugger does at the start and at each stop, over and over.
    pub resumes: Vec<Resume>,
    /// How the unit sees it.
    pub core: Core,
}

impl Program {
    /// Returns a program of 64-bit code without breakpoints that runs to its end.
    #[must_use]
    pub fn new(instructions: &[Instruction]) -> Self {
        Self {
            wide: true,
            instructions: [instructions, &[Instruction::Int3]].concat(),
            breakpoints: Vec::new(),
            resumes: vec![Resume { step: false, rf: Rf::Keep }],
            core: Core { four: false, group: 1, asks: false },
        }
    }

    /// The same with these breakpoints.
    #[must_use]
    pub fn watching(self, breakpoints: &[Watch]) -> Self {
        Self { breakpoints: breakpoints.to_vec(), ..self }
    }

    /// The same, stepped.
    #[must_use]
    pub fn stepped(self) -> Self {
        Self { resumes: vec![Resume { step: true, rf: Rf::Keep }], ..self }
    }

    /// Returns the offset of an instruction in the code, or of what is behind the last one.
    pub(super) fn offset(&self, number: usize) -> u64 {
        let before = self.instructions.iter().take(number);
        before.map(|instruction| instruction.encode(self.wide, 0).len() as u64).sum()
    }

    /// Returns the code.
    pub(super) fn code(&self) -> Vec<u8> {
        let each = self.instructions.iter().enumerate().flat_map(|(at, instruction)| {
            let over = match *instruction {
                Instruction::Call(over) | Instruction::Jump(over) => {
                    (self.offset(at + usize::from(over)) - self.offset(at + 1)) as u8
                }
                _ => 0,
            };
            instruction.encode(self.wide, over)
        });
        each.collect()
    }

    /// Returns what the debugger does when it lets the program go on for the `n`th time, and RF where it finds `rf`.
    pub(super) fn resume(&self, n: usize, rf: bool) -> (bool, bool) {
        let resume = self.resumes[n % self.resumes.len()];
        let rf = match resume.rf {
            Rf::Set => true,
            Rf::Clear if n <= CLEARS => false,
            Rf::Keep | Rf::Clear => rf,
        };
        (resume.step, rf)
    }

    /// Returns the debug registers.
    pub(super) fn set(&self) -> BreakpointSet {
        let mut set = BreakpointSet::new();
        for (slot, watch) in Slot::ALL.into_iter().zip(&self.breakpoints) {
            let breakpoint = match *watch {
                Watch::Execute(number) => Breakpoint::execute(CODE + self.offset(number)),
                Watch::Data { at, length, reads } => {
                    let condition = if reads { Condition::ReadWrite } else { Condition::Write };
                    Breakpoint { address: address(at), length, condition, enable: Enable::GLOBAL }
                }
            };
            // Linux knows local breakpoints alone.
            set.set_unchecked(slot, breakpoint.local());
        }
        set
    }
}
