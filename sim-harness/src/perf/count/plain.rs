//! The plain counter: exact counts of a trace, which neither the unit nor its environment makes.
//!
//! It forms the cycles of the core by the rules of the page "Count a program" of the book, and adds what happens in them. It also says
//! at which instructions the portions and the intervals begin and end.

use super::event::{Modifiers, Wanted};
use super::facts::Facts;
use super::meaning::Meaning;
use crate::traces::Retired;
use lwp_model::retire::{IntKind, OpMode};
use lwp_regs::perf::Levels;

/// Cycles of the driver, at level 0, at the beginning and at the end of a time in which an event counts.
pub(super) type Own = (u64, u64);

/// What happens in a cycle besides the facts.
#[derive(Clone, Copy, Debug, Default)]
struct Cycle {
    instructions: u32,
    branches: u32,
    taken: u32,
    missed: u32,
    taken_missed: u32,
    interrupts: u32,
}

/// Counts one event.
#[derive(Clone, Debug)]
struct Tally {
    meaning: Meaning,
    modifiers: Modifiers,
    own: Own,
    held: bool,
    count: u64,
}

impl Tally {
    fn number(&self, cycle: &Cycle, facts: &Facts) -> u32 {
        match &self.meaning {
            Meaning::Facts(of) => of.iter().map(|fact| facts.of(*fact)).sum(),
            Meaning::Instructions => cycle.instructions,
            Meaning::Branches { taken: false, missed: false } => cycle.branches,
            Meaning::Branches { taken: true, missed: false } => cycle.taken,
            Meaning::Branches { taken: false, missed: true } => cycle.missed,
            Meaning::Branches { taken: true, missed: true } => cycle.taken_missed,
            Meaning::Interrupts => cycle.interrupts,
            Meaning::Cycles => 1,
        }
    }

    /// A cycle at level 0 or at another one.
    fn cycle(&mut self, system: bool, number: u32) {
        let counts = match self.modifiers.levels {
            Levels::All => true,
            Levels::User => !system,
            Levels::Os => system,
        };
        let holds = match self.modifiers.threshold {
            None => number > 0,
            Some(least) => (number >= u32::from(least)) != self.modifiers.inverted,
        };
        if counts {
            self.count += match (self.modifiers.edge, self.modifiers.threshold) {
                (true, _) => u64::from(holds && !self.held),
                (false, Some(_)) => u64::from(holds),
                (false, None) => u64::from(number),
            };
        }
        self.held = counts && holds;
    }

    /// Cycles of the driver.
    fn system(&mut self, cycles: u64) {
        let number = u32::from(self.meaning == Meaning::Cycles);
        (0..cycles).for_each(|_| self.cycle(true, number));
    }
}

/// Groups instructions into cycles, and counts.
#[derive(Clone, Debug)]
pub(super) struct Plain {
    tallies: Vec<Tally>,
    lanes: usize,
    spacing: u64,
    mode: (u8, OpMode),
    now: u64,
    due: u64,
    /// The group that is being formed: its instructions, what they do, their facts.
    members: usize,
    group: Cycle,
    facts: Facts,
    active: bool,
}

impl Plain {
    /// Counts these events; each with the cycles of the driver that come in.
    pub(super) fn new(events: &[(Wanted, Own)], lanes: usize, spacing: u64) -> Self {
        let tally = |(wanted, own): &(Wanted, Own)| Tally {
            meaning: Meaning::of(wanted),
            modifiers: wanted.modifiers,
            own: *own,
            held: false,
            count: 0,
        };
        Self {
            tallies: events.iter().map(tally).collect(),
            lanes,
            spacing,
            mode: (3, OpMode::Long64),
            now: 0,
            due: 0,
            members: 0,
            group: Cycle::default(),
            facts: Facts::default(),
            active: false,
        }
    }

    /// The counters begin to count.
    pub(super) fn begin(&mut self) {
        self.close();
        self.active = true;
        for tally in &mut self.tallies {
            tally.held = false;
            tally.system(tally.own.0);
        }
    }

    /// The counters stop.
    pub(super) fn end(&mut self) {
        self.close();
        self.active = false;
        self.tallies.iter_mut().for_each(|tally| tally.system(tally.own.1));
    }

    /// The counts so far.
    pub(super) fn counts(&self) -> Vec<u64> {
        self.tallies.iter().map(|tally| tally.count).collect()
    }

    /// An instruction, and its facts.
    pub(super) fn instruction(&mut self, retired: &Retired, add: impl FnOnce(&mut Facts)) {
        for interruption in &retired.interruptions {
            self.close();
            let other = matches!(interruption.kind, IntKind::Exception | IntKind::Smi | IntKind::Rsm);
            self.cycle(&Cycle { interrupts: u32::from(!other), ..Cycle::default() }, &Facts::default());
        }
        let mode = (retired.cpl, retired.op_mode.unwrap_or(OpMode::Long64));
        let interrupted = !retired.interruptions.is_empty();
        if interrupted || mode != self.mode {
            self.close();
            if !interrupted {
                self.idle_until(self.due.saturating_sub(1));
            }
            self.mode = mode;
            self.cycle(&Cycle::default(), &Facts::default());
        }
        if self.members == self.lanes {
            self.close();
        }
        if self.members == 0 {
            self.idle_until(self.due);
            self.due = self.now + self.spacing;
        }
        self.members += 1;
        self.retire(retired);
        add(&mut self.facts);
    }

    fn retire(&mut self, retired: &Retired) {
        let group = &mut self.group;
        group.instructions += u32::from(retired.flags.rep.counts());
        if let Some(branch) = &retired.branch {
            let (taken, missed) = (branch.taken, branch.predicted == Some(false));
            group.branches += 1;
            group.taken += u32::from(taken);
            group.missed += u32::from(missed);
            group.taken_missed += u32::from(taken && missed);
        }
    }

    /// Ends the group: its cycle, and those that its facts take beyond it.
    fn close(&mut self) {
        if self.members == 0 {
            return;
        }
        self.members = 0;
        let mut cycle = std::mem::take(&mut self.group);
        let mut left = std::mem::take(&mut self.facts);
        let most = left.iter().map(|(fact, number)| number.div_ceil(fact.most())).max().unwrap_or(1);
        for _ in 0..most {
            let shown = left.take_cycle();
            self.cycle(&cycle, &shown);
            cycle = Cycle::default();
        }
    }

    fn idle_until(&mut self, cycle: u64) {
        while self.now < cycle {
            self.cycle(&Cycle::default(), &Facts::default());
        }
    }

    fn cycle(&mut self, cycle: &Cycle, facts: &Facts) {
        self.now += 1;
        if !self.active {
            return;
        }
        let system = match self.mode {
            (_, OpMode::Real) => true,
            (_, OpMode::Virtual8086) => false,
            (cpl, _) => cpl == 0,
        };
        for tally in &mut self.tallies {
            let number = tally.number(cycle, facts);
            tally.cycle(system, number);
        }
    }
}
