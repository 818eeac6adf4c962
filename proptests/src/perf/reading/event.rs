//! The number of occurrences of an event in a cycle, and the clock that it is counted in.

use lwp_model::Choice;
use lwp_model::perf::{Config, Inputs, Line};
use lwp_model::retire::{BranchKind, IntKind, OpMode};

/// The clock in which an event is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clock {
    /// The processor's clock.
    Core,
    /// The bus clock.
    Bus,
}

/// Something whose occurrences in a cycle are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    /// A line of the event bus.
    Bus(Line),
    /// Instructions retired.
    Instructions,
    /// Branches retired.
    Branches,
    /// Branches retired that were mispredicted.
    Mispredicted,
    /// Branches retired that were taken.
    Taken,
    /// Branches retired that were taken and mispredicted.
    TakenMispredicted,
    /// Hardware interrupts received.
    Interrupts,
    /// Clocks in which the processor is not halted.
    Unhalted,
}

/// The meaning of event select and unit mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Selected {
    /// The sum of these, counted in this clock.
    Sum(&'static [Number], Clock),
    /// The sum of the lines whose bit of the unit mask is 1, the lowest bit first, counted in the processor's clock.
    States([Line; 4], u8),
    /// Nothing.
    Nothing,
    /// The documents do not define it.
    Open,
}

impl Selected {
    /// Returns the clock in which it is counted.
    pub(super) const fn clock(self) -> Clock {
        match self {
            Self::Sum(_, clock) => clock,
            _ => Clock::Core,
        }
    }

    /// Returns the least and the most occurrences in this cycle for logical processors of the core. They differ only for an NMI and an SMI,
    /// which the documents neither call a hardware interrupt nor exclude.
    pub(super) fn occurrences<const LP: usize, const LANES: usize>(
        self,
        inputs: &Inputs<LP, LANES>,
        processors: &[usize],
    ) -> [u16; 2] {
        let all = processors.iter().map(|lp| self.of_one(inputs, *lp));
        let sum = all.fold([0, 0], |[least, most], [low, high]| [least + low, most + high]);
        // SDM 3B, table 19-3, 3CH with AnyThread: "Cycles while at least one logical processor is not in a halt state".
        if self.is_clock() { sum.map(|count| count.min(1)) } else { sum }
    }

    /// Returns whether the occurrences are clocks, which the logical processors of the core have in common.
    const fn is_clock(self) -> bool {
        matches!(self, Self::Sum([Number::Unhalted], _))
    }

    fn of_one<const LP: usize, const LANES: usize>(self, inputs: &Inputs<LP, LANES>, lp: usize) -> [u16; 2] {
        let sum = |numbers: &[Number]| {
            numbers
                .iter()
                .map(|number| number.occurrences(inputs, lp))
                .fold([0, 0], |[least, most], [low, high]| [least + low, most + high])
        };
        match self {
            Self::Sum(numbers, _) => sum(numbers),
            Self::States(lines, mask) => {
                let selected = (0..4).filter(|bit| mask >> bit & 1 == 1).map(|bit| lines[bit as usize]);
                let count = selected.map(|line| u16::from(inputs.lp[lp].events.line(line))).sum();
                [count; 2]
            }
            Self::Nothing | Self::Open => [0; 2],
        }
    }
}

impl Number {
    fn occurrences<const LP: usize, const LANES: usize>(self, inputs: &Inputs<LP, LANES>, lp: usize) -> [u16; 2] {
        let own = &inputs.lp[lp];
        // Lanes are ignored in the cycle of an interruption, and nothing retires in a partial cycle.
        let retired = !own.int_valid && !own.partial;
        let lanes = inputs.lanes[lp].iter().filter(|lane| retired && lane.valid);
        let branches = lanes.clone().filter(|lane| lane.branch_kind != BranchKind::None);
        let mispredicted = branches.clone().filter(|lane| lane.branch_pred_valid && !lane.branch_pred_ok);
        let count = match self {
            Self::Bus(line) => own.events.line(line).into(),
            Self::Instructions => lanes.filter(|lane| lane.counts).count(),
            Self::Branches => branches.count(),
            Self::Mispredicted => mispredicted.count(),
            Self::Taken => branches.filter(|lane| lane.branch_taken).count(),
            Self::TakenMispredicted => mispredicted.filter(|lane| lane.branch_taken).count(),
            Self::Interrupts => return interrupts(own.int_valid, own.int_kind),
            Self::Unhalted => usize::from(!own.halted),
        };
        [count as u16; 2]
    }
}

/// Returns how many hardware interrupts are received. The unused codes of `int_kind` act as 0, an interrupt.
const fn interrupts(valid: bool, kind: IntKind) -> [u16; 2] {
    match (valid, kind) {
        (false, _) | (_, IntKind::Exception | IntKind::Rsm) => [0, 0],
        (_, IntKind::Nmi | IntKind::Smi) => [0, 1],
        _ => [1, 1],
    }
}

/// Returns the privilege level of a logical processor: 0 in real mode, 3 in virtual-8086 mode, and otherwise its CPL.
pub(super) fn level<const LP: usize, const LANES: usize>(inputs: &Inputs<LP, LANES>, lp: usize) -> u8 {
    match inputs.lp[lp].op_mode {
        OpMode::Real => 0,
        OpMode::Virtual8086 => 3,
        _ => inputs.lp[lp].cpl & 3,
    }
}

/// A row of the table of the P6 family.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// The event select.
    pub(super) code: u8,
    /// The members of the family that have the event, a bit each in the order of the strap `p6_model`.
    pub(super) members: u8,
    /// Whether each of the two counters can count it.
    pub(super) counters: [bool; 2],
    /// Its unit masks.
    pub(super) masks: Masks,
}

/// The unit masks of an event.
#[derive(Clone, Copy, Debug)]
pub(super) enum Masks {
    /// Bits 0 to 3 select the states I, S, E and M.
    States([Line; 4]),
    /// The masks that the table lists.
    Listed(&'static [(u8, &'static [Number], Clock)]),
}

/// Returns the meaning of event select and unit mask of a counter.
pub(super) fn selected(straps: &Config, counter: usize, code: u8, mask: u8) -> Selected {
    if straps.personality.code() == 0 { p6(straps, counter, code, mask) } else { architectural(straps, code, mask) }
}

fn p6(straps: &Config, counter: usize, code: u8, mask: u8) -> Selected {
    let member = straps.p6_model.code();
    // P6EV-85: the results of encodings that are not listed are undefined; the check asks that nothing is counted. The facts say that a
    // Pentium M uses three of the codes for events of its own.
    let Some(row) = super::p6_events::ROWS.iter().find(|row| row.code == code) else { return Selected::Nothing };
    if row.members >> member & 1 == 0 || !row.counters[counter] {
        return if member == 3 && matches!(code, 0xCE | 0xD8 | 0xD9) { Selected::Open } else { Selected::Nothing };
    }
    match row.masks {
        Masks::States(lines) if mask <= 0x0F => Selected::States(lines, mask),
        Masks::States(_) => Selected::Open,
        Masks::Listed(masks) => masks
            .iter()
            .find(|(listed, ..)| *listed == mask)
            .map_or(Selected::Open, |(_, numbers, clock)| Selected::Sum(numbers, *clock)),
    }
}

/// The architectural events in the order of the bits of CPUID.0AH:EBX.
const ARCHITECTURAL: [(u8, u8, &[Number], Clock); 7] = [
    (0x3C, 0x00, &[Number::Unhalted], Clock::Core),
    (0xC0, 0x00, &[Number::Instructions], Clock::Core),
    (0x3C, 0x01, &[Number::Unhalted], Clock::Bus),
    (0x2E, 0x4F, &[Number::Bus(Line::LlcReferences)], Clock::Core),
    (0x2E, 0x41, &[Number::Bus(Line::LlcMisses)], Clock::Core),
    (0xC4, 0x00, &[Number::Branches], Clock::Core),
    (0xC5, 0x00, &[Number::Mispredicted], Clock::Core),
];

// APM-16, APM-19: only these may be used, and some may not be available.
fn architectural(straps: &Config, code: u8, mask: u8) -> Selected {
    let at = ARCHITECTURAL.iter().position(|(event, unit, ..)| (*event, *unit) == (code, mask));
    match at {
        Some(at) if straps.events >> at & 1 == 1 => Selected::Sum(ARCHITECTURAL[at].2, ARCHITECTURAL[at].3),
        _ => Selected::Open,
    }
}

/// The events of the fixed counters: instructions retired, core clocks and reference clocks, both while the processor is not halted.
pub(super) const FIXED: [Selected; 3] = [
    Selected::Sum(&[Number::Instructions], Clock::Core),
    Selected::Sum(&[Number::Unhalted], Clock::Core),
    Selected::Sum(&[Number::Unhalted], Clock::Bus),
];
