//! Task switches, which need 32-bit protected mode: a program of two tasks.

use super::{CODE, Image};
use lwp_regs::debug::{Dr7, Enable, Slot};

/// Where the instructions of the second task are.
pub(crate) const SECOND: u64 = CODE + 0x800;
/// Selectors of the two TSSs, and the vector with a task gate to the second one.
pub(crate) const FIRST_TASK: u8 = 0x18;
pub(crate) const SECOND_TASK: u8 = 0x28;
pub(crate) const TASK_GATE: u8 = 50;

/// What switches to the second task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Jump,
    Call,
    /// IRET with NT.
    Return,
    /// INT of a vector with a task gate.
    Gate,
}

/// An instruction of a task, by number; each one takes a byte but the one that switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    First(u64),
    Second(u64),
}

/// Instructions before the switch, and of the second task before its end: NOPs.
pub(crate) const NOPS: u64 = 2;

/// A program of two tasks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TaskScenario {
    pub(crate) way: Way,
    /// T of the second TSS.
    pub(crate) trap: bool,
    /// Flags of the first task, and of the second TSS.
    pub(crate) images: [Image; 2],
    /// Instruction breakpoints.
    pub(crate) breakpoints: [Option<(Step, Enable)>; Slot::COUNT],
}

impl TaskScenario {
    /// The instruction that switches.
    pub(crate) fn switch(&self) -> &'static [u8] {
        match self.way {
            Way::Jump => &[0xEA, 0, 0, 0, 0, SECOND_TASK, 0],
            Way::Call => &[0x9A, 0, 0, 0, 0, SECOND_TASK, 0],
            Way::Return => &[0xCF],
            Way::Gate => &[0xCD, TASK_GATE],
        }
    }

    pub(crate) fn address(step: Step) -> u64 {
        match step {
            Step::First(number) => CODE + number,
            Step::Second(number) => SECOND + number,
        }
    }

    /// DR0 to DR3.
    pub(crate) fn addresses(&self) -> [u64; Slot::COUNT] {
        self.breakpoints.map(|breakpoint| breakpoint.map_or(0, |(step, _)| Self::address(step)))
    }

    /// DR7.
    pub(crate) fn control(&self) -> Dr7 {
        let enables = Slot::ALL.into_iter().zip(self.breakpoints);
        let enables = enables.filter_map(|(slot, breakpoint)| Some((slot, breakpoint?.1)));
        enables.fold(Dr7::RESET, |control, (slot, enable)| control.with_enable(slot, enable))
    }
}

impl core::fmt::Display for TaskScenario {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let [first, second] = self.images.map(|image| (u8::from(image.tf), u8::from(image.rf)));
        let enable = self.breakpoints[0].map_or(0, |(_, enable)| enable.bits());
        write!(f, "task {:?} t={} first={first:?} second={second:?} enable={enable}", self.way, u8::from(self.trap))
    }
}

/// Calls `visit` with every program of two tasks.
pub(crate) fn each(visit: &mut dyn FnMut(&TaskScenario)) {
    let images = [[false; 2], [true, false], [false, true], [true; 2]];
    let images = images.map(|[tf, rf]| Image { tf, rf, interrupts: false });
    for way in [Way::Jump, Way::Call, Way::Return, Way::Gate] {
        for (trap, of_second) in [false, true].into_iter().flat_map(|trap| images.map(|image| (trap, image))) {
            for of_first in [images[0], images[1]] {
                let mut scenario =
                    TaskScenario { way, trap, images: [of_first, of_second], breakpoints: [None; Slot::COUNT] };
                visit(&scenario);
                let all = [Step::First(1), Step::First(NOPS), Step::Second(0), Step::Second(1)];
                for enable in [Enable::LOCAL, Enable::GLOBAL, Enable::all()] {
                    scenario.breakpoints = all.map(|step| Some((step, enable)));
                    visit(&scenario);
                }
            }
        }
    }
}
