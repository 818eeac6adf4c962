//! Three processes, ordinary context-switch code, and one counter: what the nine monitor plans count.

use lwp_regs::bits::U2;
use lwp_regs::itanium::*;
use std::collections::BTreeMap;

/// The three kinds of execution that the manual's figures tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    User,
    Kernel,
    Interrupt,
}
use Kind::{Interrupt, Kernel, User};

const PROCESSES: [char; 3] = ['A', 'B', 'C'];

/// A processor with one counter. The switch code knows nothing about monitoring: it saves and restores the PSR.
struct Machine {
    monitor: Monitor,
    dcr: Dcr,
    psr: Psr,
    saved: BTreeMap<char, Psr>,
    pmd: Pmd,
    /// Entry code of interruption handlers clears PSR.up.
    handlers_clear_up: bool,
    counted: BTreeMap<(char, Kind), u32>,
}

impl Machine {
    fn new(plan: MonitorPlan, chosen: &[char], handlers_clear_up: bool) -> Self {
        let user = Psr::new().with_cpl(U2::of::<3>());
        Self {
            monitor: plan.monitor(Ism::Both),
            dcr: plan.dcr(Dcr::new()),
            psr: Psr::new(),
            saved: PROCESSES.map(|process| (process, plan.psr(user, chosen.contains(&process)))).into(),
            pmd: Pmd::new(),
            handlers_clear_up,
            counted: BTreeMap::new(),
        }
    }

    fn event(&mut self, process: char, kind: Kind) {
        if self.monitor.enabled(Pmc0::RUNNING, self.psr) {
            self.pmd = self.pmd.plus(1).0;
            *self.counted.entry((process, kind)).or_default() += 1;
        }
    }

    /// A time slice: user code, a system call by privilege promotion (epc, which changes the level alone), an
    /// interrupt.
    fn slice(&mut self, process: char) {
        self.psr = self.saved[&process];
        self.event(process, User);
        self.psr = self.psr.with_cpl(U2::of::<0>());
        self.event(process, Kernel);
        self.psr = self.psr.with_cpl(U2::of::<3>());
        let interrupted = self.psr;
        self.psr = self.psr.after_interruption(self.dcr);
        if self.handlers_clear_up {
            self.psr = self.psr.with_up(false);
        }
        self.event(process, Interrupt);
        self.psr = interrupted;
        self.saved.insert(process, self.psr);
    }
}

/// What was counted over three rounds of A, B and C.
fn counted(scope: Scope, depth: Depth, chosen: &[char], handlers_clear_up: bool) -> Vec<(char, Kind)> {
    let mut machine = Machine::new(MonitorPlan::new(scope, depth), chosen, handlers_clear_up);
    for _ in 0..3 {
        PROCESSES.into_iter().for_each(|process| machine.slice(process));
    }
    assert!(machine.counted.values().all(|count| *count == 3), "some slices were counted and some were not");
    assert_eq!(machine.pmd.count() as usize, 3 * machine.counted.len());
    machine.counted.into_keys().collect()
}

/// And all interrupts besides: DCR.pp belongs to the processor, not to a process.
fn with_all_interrupts(mut counted: Vec<(char, Kind)>) -> Vec<(char, Kind)> {
    counted.extend(PROCESSES.map(|process| (process, Interrupt)));
    counted.sort_unstable();
    counted.dedup();
    counted
}

fn of(processes: &[char], kinds: &[Kind]) -> Vec<(char, Kind)> {
    processes.iter().flat_map(|process| kinds.iter().map(|kind| (*process, *kind))).collect()
}

/// The settings of a panel: pm, plm, DCR.pp, and PSR.up and PSR.pp of a chosen and of another process.
fn settings(scope: Scope, depth: Depth) -> (u8, u8, bool, [bool; 2], [bool; 2]) {
    let plan = MonitorPlan::new(scope, depth);
    let pmc = Pmc45::new().with_monitor(plan.monitor(Ism::Both));
    let bits = |psr: Psr| [psr.up(), psr.pp()];
    (
        (pmc.into_bits() >> 6 & 1) as u8,
        (pmc.into_bits() & 0xF) as u8,
        plan.dcr(Dcr::new()).pp(),
        bits(plan.psr(Psr::new(), true)),
        bits(plan.psr(Psr::new(), false)),
    )
}

const UP: [bool; 2] = [true, false];
const PP: [bool; 2] = [false, true];
const NONE: [bool; 2] = [false, false];

// ITA-57, ITA-58, ITA-59: Figure 6-6; ITA-60, ITA-61, ITA-62: Figure 6-7; ITA-66: the nine presets
#[test]
fn settings_of_the_figures() {
    for scope in [Scope::SingleProcess, Scope::MultipleProcesses] {
        assert_eq!(settings(scope, Depth::User), (0, 0b1000, false, UP, NONE));
        assert_eq!(settings(scope, Depth::UserAndKernel), (0, 0b1001, false, UP, NONE));
        assert_eq!(settings(scope, Depth::WithInterrupts), (1, 0b1001, true, PP, NONE));
    }
    // ITA-63: pm = 0 with PSR.up, the consistent reading; ITA-64; ITA-65: Figure 6-8, all processes
    assert_eq!(settings(Scope::SystemWide, Depth::User), (0, 0b1000, false, UP, UP));
    assert_eq!(settings(Scope::SystemWide, Depth::UserAndKernel), (0, 0b1001, false, UP, UP));
    assert_eq!(settings(Scope::SystemWide, Depth::WithInterrupts), (1, 0b1001, true, PP, PP));
}

// ITA-57: A at level 3; ITA-58: A at levels 3 and 0; ITA-59: with interrupt level
#[test]
fn a_single_process() {
    let count = |depth| counted(Scope::SingleProcess, depth, &['A'], true);
    assert_eq!(count(Depth::User), of(&['A'], &[User]));
    assert_eq!(count(Depth::UserAndKernel), of(&['A'], &[User, Kernel]));
    assert_eq!(count(Depth::WithInterrupts), with_all_interrupts(of(&['A'], &[User, Kernel])));
}

// ITA-60, ITA-61, ITA-62: A and B, not C
#[test]
fn some_processes() {
    let count = |depth| counted(Scope::MultipleProcesses, depth, &['A', 'B'], true);
    assert_eq!(count(Depth::User), of(&['A', 'B'], &[User]));
    assert_eq!(count(Depth::UserAndKernel), of(&['A', 'B'], &[User, Kernel]));
    assert_eq!(count(Depth::WithInterrupts), with_all_interrupts(of(&['A', 'B'], &[User, Kernel])));
}

// ITA-63, ITA-64, ITA-65: all of them
#[test]
fn the_whole_system() {
    let count = |depth| counted(Scope::SystemWide, depth, &[], true);
    assert_eq!(count(Depth::User), of(&PROCESSES, &[User]));
    assert_eq!(count(Depth::UserAndKernel), of(&PROCESSES, &[User, Kernel]));
    assert_eq!(count(Depth::WithInterrupts), of(&PROCESSES, &[User, Kernel, Interrupt]));
}

// ITA-63: the other consistent pairing, pm = 1 with PSR.pp, counts the same
#[test]
fn user_level_by_pp() {
    let mut machine = Machine::new(MonitorPlan::new(Scope::SystemWide, Depth::User), &[], true);
    machine.monitor.pm = MonitorLevel::System;
    machine.saved.values_mut().for_each(|psr| *psr = psr.with_up(false).with_pp(true));
    PROCESSES.into_iter().for_each(|process| machine.slice(process));
    assert_eq!(machine.counted.into_keys().collect::<Vec<_>>(), of(&PROCESSES, &[User]));
}

// ITA-51: without DCR.pp a system-level monitor counts no interruption, with it all
#[test]
fn dcr_pp_decides_about_interruptions() {
    for pp in [false, true] {
        let mut machine = Machine::new(MonitorPlan::new(Scope::SystemWide, Depth::WithInterrupts), &[], false);
        machine.dcr = Dcr::new().with_pp(pp);
        machine.slice('A');
        assert_eq!(machine.counted.contains_key(&('A', Interrupt)), pp);
    }
}

// ITA-52: the PSR is set once; the switch code, which only saves and restores it, does the rest, process by process
#[test]
fn unmodified_switch_code_gives_counts_per_process() {
    let plan = MonitorPlan::new(Scope::SingleProcess, Depth::User);
    for chosen in PROCESSES {
        let mut machine = Machine::new(plan, &[chosen], true);
        for process in ['A', 'B', 'A', 'C', 'B', 'A'] {
            machine.slice(process);
        }
        let slices = match chosen {
            'A' => 3,
            'B' => 2,
            _ => 1,
        };
        assert_eq!(machine.pmd.count(), slices, "{chosen}");
    }
}

// The reading of PSR.up that the crate takes: it survives an interruption, so handlers that leave it alone count for
// the process that they interrupt
#[test]
fn handlers_that_leave_up_alone_count_for_their_process() {
    let counted = counted(Scope::SingleProcess, Depth::UserAndKernel, &['A'], false);
    assert_eq!(counted, of(&['A'], &[User, Kernel, Interrupt]));
}
