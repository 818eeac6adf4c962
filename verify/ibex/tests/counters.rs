//! The checker of the performance counters, on a recorded run of Ibex with them (`make ibex ARGS='--record verify/ibex/tests'`) and on
//! events that are written here.

use ibex::counters::{Checker, Setup, Totals};
use ibex::trace::{Access, End, Event, Shown, read};

const NOTHING: u32 = 0x0000_0013;
const MRET: u32 = 0x3020_0073;
const LOAD: u32 = 0x0005_2503;

const STATUS: u32 = 0x4000_2000;
const ACK: u32 = 0x4000_2004;
const LVT: u32 = 0x4000_2008;
const USER: u32 = 0x4000_0000;
const KERNEL: u32 = 0x4000_1000;
const NUMBER: u32 = 0x8;
const RESULT: u32 = 0xC;
const WDATA: u32 = 0x10;
const RDATA: u32 = 0x18;

const RDMSR: u32 = 0;
const WRMSR: u32 = 1;
const RDPMC: u32 = 4;

fn setup() -> Setup {
    Setup { architectural: false, handler: 0x10_0040, within: 12, bus: (4, 1) }
}

fn recorded() -> Vec<Event> {
    let mut events = Vec::new();
    read(&include_bytes!("perf.trace")[..], |event| events.push(event)).expect("the recording is whole");
    events
}

fn check(events: impl IntoIterator<Item = Event>) -> Totals {
    let mut checker = Checker::new(setup());
    events.into_iter().for_each(|event| checker.event(event));
    checker.finish()
}

/// Returns how many of the events that `choose` turns into others are seen, and how many there are.
fn seen_of(choose: impl Fn(Event) -> Option<Vec<Event>>) -> (u64, u64) {
    let events = recorded();
    let (mut seen, mut all) = (0, 0);
    for (place, &event) in events.iter().enumerate() {
        if let Some(new) = choose(event) {
            let changed = events[..place].iter().chain(&new).chain(&events[place + 1..]).copied();
            all += 1;
            seen += u64::from(check(changed).differences != 0);
        }
    }
    (seen, all)
}

#[track_caller]
fn each_is_seen(what: &str, choose: impl Fn(Event) -> Option<Vec<Event>>) {
    let (seen, all) = seen_of(choose);
    assert!(all != 0 && seen == all, "{what}: {seen} of {all} are seen");
}

/// Returns the access if it is one of this kind at one of these addresses.
fn at(event: Event, write: bool, addresses: &[u32]) -> Option<Access> {
    match event {
        Event::Unit(access) if access.write == write && addresses.contains(&access.address) => Some(access),
        _ => None,
    }
}

#[test]
fn the_run_has_no_difference() {
    let totals = check(recorded());
    assert_eq!(totals.texts, Vec::<String>::new());
    assert!(totals.interrupts > 4 && totals.asked == totals.interrupts, "{totals:?}");
    assert!(totals.requests > 40 && totals.counters_compared > 20, "{totals:?}");
    assert_eq!((totals.refused, totals.samples.len() as u64), (6, totals.interrupts));
}

#[test]
fn every_bit_that_software_reads_is_compared() {
    for bit in [0, 1, 7, 8, 16, 20, 31] {
        each_is_seen("a wrong bit", |event| {
            let access = at(event, false, &[STATUS, LVT, KERNEL | RDATA, KERNEL | (RDATA + 4), KERNEL | RESULT])?;
            Some(vec![Event::Unit(Access { data: access.data ^ 1 << bit, ..access })])
        });
    }
}

#[test]
fn every_register_that_the_handler_writes_matters() {
    // Behind the last one the program ends soon.
    let (seen, all) = seen_of(|event| at(event, true, &[ACK]).map(|_| vec![]));
    assert!(all > 5 && seen + 1 >= all, "a missing acknowledge: {seen} of {all}");
    each_is_seen("a masked entry", |event| {
        let access = at(event, true, &[LVT])?;
        Some(vec![Event::Unit(Access { data: access.data | 1 << 16, ..access })])
    });
    each_is_seen("an access that was refused", |event| {
        let access = at(event, true, &[ACK, LVT, KERNEL, KERNEL | NUMBER, KERNEL | WDATA])?;
        Some(vec![Event::Unit(Access { error: true, ..access })])
    });
    // Two requests of the kernel are to be *not mine*, as this operation is.
    let (seen, all) = seen_of(|event| {
        let access = at(event, true, &[KERNEL])?;
        Some(vec![Event::Unit(Access { data: 7, ..access })])
    });
    assert!(all > 40 && seen == all - 2, "another operation: {seen} of {all}");
}

#[test]
fn each_interrupt_comes_in_its_cycle() {
    let asserted = |event| match event {
        Event::Device { cycle, register: 7, data } => Some((cycle, data)),
        _ => None,
    };
    each_is_seen("no interrupt", |event| asserted(event).map(|_| vec![]));
    each_is_seen("an interrupt one cycle early", |event| {
        asserted(event).map(|(cycle, data)| vec![Event::Device { cycle, register: 7, data: data + 1 }])
    });
    each_is_seen("an interrupt that is not due", |event| match event {
        Event::Unit(Access { cycle, address: KERNEL, .. }) => {
            Some(vec![event, Event::Device { cycle, register: 7, data: 0 }])
        }
        _ => None,
    });
    each_is_seen("a handler that does not begin", |event| match event {
        Event::Retire(shown) if shown.pc == setup().handler => Some(vec![]),
        _ => None,
    });
}

#[test]
fn each_sample_is_the_instruction_that_was_interrupted() {
    for bit in [1, 4, 31] {
        each_is_seen("another address", |event| match event {
            Event::Device { cycle, register: 2, data } => {
                Some(vec![Event::Device { cycle, register: 2, data: data ^ 1 << bit }])
            }
            _ => None,
        });
    }
    each_is_seen("no sample", |event| matches!(event, Event::Device { register: 2, .. }).then(Vec::new));
}

#[test]
fn every_reference_is_counted_while_the_counter_runs() {
    // The first setting counts those of user mode, until its third interrupt.
    let load = |event| match event {
        Event::Retire(shown) if shown.word & 0x7F == LOAD & 0x7F && !shown.trap => Some(shown),
        _ => None,
    };
    let (seen, all) = seen_of(|event| load(event).map(|shown| vec![Event::Retire(Shown { word: NOTHING, ..shown })]));
    assert!(seen > 10 && seen < all, "{seen} of {all}");
    let (split, _) =
        seen_of(|event| load(event).map(|shown| vec![Event::Retire(Shown { address: shown.address | 3, ..shown })]));
    assert!(split > 5 && split <= seen, "{split} of {seen} as two references");
}

#[test]
fn every_instruction_is_counted_while_the_counter_runs() {
    // Both settings count them. One that traps instead moves an interrupt, or changes a count that is read at the end.
    let (seen, all) = seen_of(|event| match event {
        Event::Retire(shown) if shown.mode == 0 && !shown.trap => {
            Some(vec![Event::Retire(Shown { trap: true, ..shown })])
        }
        _ => None,
    });
    assert!(all > 200 && seen == all, "{seen} of {all}");
}

#[test]
fn the_run_must_end_well() {
    each_is_seen("another exit code", |event| match event {
        Event::Device { cycle, register: 0, data } => Some(vec![Event::Device { cycle, register: 0, data: data + 1 }]),
        _ => None,
    });
    each_is_seen("the limit of cycles", |event| match event {
        Event::End(end) => Some(vec![Event::End(End { ended: false, ..end })]),
        _ => None,
    });
}

/// A run that is written here, of version 2: its events, and the cycle of the next one.
#[derive(Clone)]
struct Run(Vec<Event>, u32);

impl Run {
    fn new() -> Self {
        Self(Vec::new(), 8)
    }

    fn access(mut self, address: u32, write: bool, data: u32) -> Self {
        self.1 += 4;
        self.0.push(Event::Unit(Access { cycle: self.1, address, data, bytes: 15, write, error: false }));
        self
    }

    fn request(self, page: u32, operation: u32, number: u32, result: u32) -> Self {
        let asked = self.access(page | NUMBER, true, number).access(page, true, operation);
        asked.access(page | RESULT, false, result)
    }

    fn writes(self, number: u32, low: u32, high: u32, result: u32) -> Self {
        let value = self.access(KERNEL | WDATA, true, low).access(KERNEL | (WDATA + 4), true, high);
        value.request(KERNEL, WRMSR, number, result)
    }

    fn reads(self, operation: u32, number: u32, low: u32, high: u32) -> Self {
        let asked = self.request(KERNEL, operation, number, 0);
        asked.access(KERNEL | RDATA, false, low).access(KERNEL | (RDATA + 4), false, high)
    }

    /// Instructions one after the other, in cycles without a gap.
    fn shows(mut self, mode: u32, words: &[u32], pc: u32) -> Self {
        self.1 += 4;
        for (place, &word) in words.iter().enumerate() {
            let pc = pc + 4 * place as u32;
            self.0.push(Event::Retire(Shown { cycle: self.1, pc, next: pc + 4, word, address: 0, mode, trap: false }));
            self.1 += 1;
        }
        self
    }

    fn totals(mut self) -> Totals {
        let cycle = self.1 + 4;
        self.0.push(Event::Device { cycle, register: 0, data: 0 });
        self.0.push(Event::End(End { cycle, ended: true, nanoseconds: 0 }));
        let mut checker = Checker::new(Setup { architectural: true, ..setup() });
        self.0.into_iter().for_each(|event| checker.event(event));
        checker.finish()
    }

    #[track_caller]
    fn passes(self) {
        assert_eq!(self.totals().texts, Vec::<String>::new());
    }
}

#[test]
fn fixed_counters_count_the_modes_that_they_are_told() {
    let run = || {
        let on = Run::new().writes(0x38D, 0x021, 0, 0).writes(0x38F, 0, 3, 0);
        // The kernel returns; fixed counter 0 counts it, and fixed counter 1 the cycles of user mode.
        on.shows(3, &[NOTHING, MRET], 0x100).shows(0, &[NOTHING, LOAD, NOTHING], 0x200)
    };
    run().writes(0x38F, 0, 0, 0).reads(RDMSR, 0x309, 2, 0).passes();
    let cycles = (0..64)
        .filter(|&cycles| run().writes(0x38F, 0, 0, 0).reads(RDPMC, 1 << 30 | 1, cycles, 0).totals().differences == 0);
    assert_eq!(cycles.count(), 1);
    assert_ne!(run().writes(0x38F, 0, 0, 0).reads(RDMSR, 0x309, 3, 0).totals().differences, 0);
}

#[test]
fn thresholds_inversion_and_edges_are_those_of_the_contract() {
    const BASE: u32 = 1 << 22 | 1 << 16 | 0xC0;
    for (bits, expected) in [(0, 5), (1 << 24, 5), (1 << 24 | 1 << 18, 2), (2 << 24, 0)] {
        let on = Run::new().writes(0x186, BASE | bits, 0, 0).shows(3, &[MRET], 0x100);
        let two = on.shows(0, &[NOTHING; 3], 0x200).shows(0, &[NOTHING; 2], 0x20C);
        two.reads(RDMSR, 0xC1, expected, 0).passes();
    }
}

#[test]
fn a_write_of_a_counter_extends_its_sign_and_an_overflow_sets_its_status() {
    let on = Run::new().writes(0x187, 1 << 22 | 1 << 16 | 0xC4, 0, 0).writes(0xC2, 0xFFFF_FFFF, 0x55, 0);
    let on = on.reads(RDMSR, 0xC2, 0xFFFF_FFFF, 0xFF).reads(RDMSR, 0x38E, 0, 0).shows(3, &[MRET], 0x100);
    let over = on.shows(0, &[0x0000_006F], 0x200).reads(RDPMC, 1, 0, 0).reads(RDMSR, 0x38E, 2, 0);
    over.clone().passes();
    over.writes(0x390, 2, 0, 0).reads(RDMSR, 0x38E, 0, 0).passes();
}

#[test]
fn what_is_refused_has_the_result_of_the_contract() {
    let results = [
        (KERNEL, RDMSR, 0x10, 4),
        (KERNEL, RDMSR, 0x18A, 4),
        (KERNEL, RDPMC, 4, 4),
        (KERNEL, RDPMC, 1 << 30 | 3, 4),
        (KERNEL, RDPMC, 1 << 31, 4),
        (KERNEL, 2, 0, 4),
        (USER, RDMSR, 0xC1, 2),
        (USER, WRMSR, 0xC1, 2),
        (USER, RDPMC, 0, 0),
        (KERNEL, WRMSR, 0x38E, 2),
    ];
    for (page, operation, number, result) in results {
        Run::new().request(page, operation, number, result).passes();
        let other = Run::new().request(page, operation, number, result ^ 2).totals();
        assert_ne!(other.differences, 0, "{operation} {number:#x}");
    }
    for (number, low, high) in
        [(0x186, 1 << 21, 0), (0x186, 0, 1), (0x309, 0, 0x100), (0x38D, 4, 0), (0x38F, 16, 0), (0x390, 0, 8)]
    {
        Run::new().writes(number, low, high, 2).passes();
    }
    Run::new().writes(0x390, 0, 3 << 30, 0).passes();
}
