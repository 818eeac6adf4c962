//! The checker of breakpoints, on a recorded run of Ibex with the debug unit (`make ibex ARGS='--record verify/ibex/tests'`) and on
//! events that are written here.

use ibex::breakpoints::{Breakpoint, Checker, Setup, Totals};
use ibex::instruction::{DataAccess, data_access};
use ibex::trace::{Access, End, Event, Shown, read};

const NOTHING: u32 = 0x0000_0013;
const STORE_BYTE: u32 = 0x00A5_0023;

const STATUS: u32 = 0x4000_2000;
const ACK: u32 = 0x4000_2004;
const FLAGS: u32 = 0x4000_2008;
const FROM: u32 = 0x4000_200C;
const START: u32 = 0x4000_1000;
const NUMBER: u32 = 0x4000_1008;
const RESULT: u32 = 0x4000_100C;
const WDATA: u32 = 0x4000_1010;
const RDATA: u32 = 0x4000_1018;

fn setup() -> Setup {
    Setup { handler: 0x10_0040, depth: 16, within: 12, loses: false }
}

fn recorded() -> Vec<Event> {
    let mut events = Vec::new();
    read(&include_bytes!("debug.trace")[..], |event| events.push(event)).expect("the recording is whole");
    events
}

fn check(events: impl IntoIterator<Item = Event>) -> Totals {
    let mut checker = Checker::new(setup());
    events.into_iter().for_each(|event| checker.event(event));
    checker.finish()
}

/// Returns the differences of the run with the event at `place` replaced by these.
fn with(events: &[Event], place: usize, new: &[Event]) -> u64 {
    check(events[..place].iter().chain(new).chain(&events[place + 1..]).copied()).differences
}

/// Returns how many of the events that `choose` turns into others are seen, and how many there are.
fn seen_of(choose: impl Fn(Event) -> Option<Vec<Event>>) -> (u64, u64) {
    let events = recorded();
    let (mut seen, mut all) = (0, 0);
    for (place, &event) in events.iter().enumerate() {
        if let Some(new) = choose(event) {
            all += 1;
            seen += u64::from(with(&events, place, &new) != 0);
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

fn user(event: Event) -> Option<Shown> {
    match event {
        Event::Retire(shown) if shown.mode == 0 && !shown.trap => Some(shown),
        _ => None,
    }
}

#[test]
fn the_run_has_no_difference() {
    let totals = check(recorded());
    assert_eq!(totals.texts, Vec::<String>::new());
    assert!(totals.hits.iter().all(|&hits| hits > 0), "{totals:?}");
    assert!(totals.in_skid > 0 && totals.unaligned > 0 && totals.moves > 100, "{totals:?}");
    assert_eq!((totals.detected, totals.refused, totals.lost), (1, 2, 0));
    assert_eq!(totals.interrupts + totals.in_skid + totals.detected, totals.taken);
}

#[test]
fn every_bit_that_software_reads_is_compared() {
    for bit in 0..32 {
        each_is_seen("a wrong bit", |event| {
            let access = at(event, false, &[STATUS, FROM, RDATA, RESULT])?;
            Some(vec![Event::Unit(Access { data: access.data ^ 1 << bit, ..access })])
        });
    }
}

#[test]
fn every_access_of_the_handler_is_needed() {
    each_is_seen("a missing write", |event| at(event, true, &[ACK, START]).map(|_| vec![]));
    each_is_seen("an access that was refused", |event| {
        let access = at(event, true, &[ACK, START, NUMBER, WDATA])?;
        Some(vec![Event::Unit(Access { error: true, ..access })])
    });
    each_is_seen("a #DB that is taken twice", |event| at(event, true, &[ACK]).map(|_| vec![event, event]));
}

#[test]
fn every_instruction_that_hits_raises_one_db() {
    let clean = check(recorded());
    let hits = clean.taken - clean.detected;
    let (seen, all) = seen_of(|event| user(event).map(|shown| vec![Event::Retire(Shown { word: NOTHING, ..shown })]));
    assert!(seen == hits && all > 10 * hits, "{seen} of {hits}");
    // Somewhere else in memory.
    let (seen, _) = seen_of(|event| {
        user(event).map(|shown| vec![Event::Retire(Shown { address: shown.address ^ 0x8000, ..shown })])
    });
    assert_eq!(seen, hits, "addresses");
    each_is_seen("an instruction that traps", |event| {
        let shown = user(event).filter(|shown| data_access(shown.word).is_some())?;
        let other = Shown { trap: true, ..shown };
        (with_hit(&shown)).then(|| vec![Event::Retire(other)])
    });
}

/// Returns whether an instruction hits in the run, by its cycle.
fn with_hit(shown: &Shown) -> bool {
    let events = recorded();
    let place = events.iter().position(|event| user(*event) == Some(*shown)).expect("an instruction of the run");
    with(&events, place, &[Event::Retire(Shown { word: NOTHING, ..*shown })]) != 0
}

#[test]
fn interrupts_come_when_a_db_is_pending() {
    let handler = |event| matches!(event, Event::Retire(shown) if shown.pc == setup().handler && shown.mode == 3);
    each_is_seen("a missing interrupt", |event| handler(event).then(Vec::new));
    each_is_seen("an interrupt twice", |event| handler(event).then(|| vec![event, event]));
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

/// A run that is written here: events with a cycle each.
#[derive(Default)]
struct Run(Vec<Event>);

impl Run {
    fn cycle(&self) -> u32 {
        self.0.len() as u32
    }

    fn access(mut self, address: u32, write: bool, data: u32) -> Self {
        let cycle = self.cycle();
        self.0.push(Event::Unit(Access { cycle, address, data, bytes: 15, write, error: false }));
        self
    }

    fn write(self, address: u32, data: u32) -> Self {
        self.access(address, true, data)
    }

    fn reads(self, address: u32, data: u32) -> Self {
        self.access(address, false, data)
    }

    fn moves_to(self, number: u32, value: u32) -> Self {
        self.write(NUMBER, number).write(WDATA, value).write(START, 6).reads(RESULT, 0)
    }

    fn dr6(self, value: u32) -> Self {
        self.write(NUMBER, 6).write(START, 5).reads(RDATA, value).reads(RESULT, 0)
    }

    fn user(mut self, pc: u32, word: u32, address: u32) -> Self {
        let cycle = self.cycle();
        self.0.push(Event::Retire(Shown { cycle, pc, next: pc + 4, word, address, mode: 0, trap: false }));
        self
    }

    fn interrupt(mut self) -> Self {
        let (cycle, pc) = (self.cycle(), setup().handler);
        self.0.push(Event::Retire(Shown { cycle, pc, next: pc + 4, word: NOTHING, address: 0, mode: 3, trap: false }));
        self
    }

    fn totals(mut self, setup: Setup) -> Totals {
        let cycle = self.cycle();
        self.0.push(Event::Device { cycle, register: 0, data: 0 });
        self.0.push(Event::End(End { cycle, ended: true, nanoseconds: 0 }));
        let mut checker = Checker::new(setup);
        self.0.into_iter().for_each(|event| checker.event(event));
        checker.finish()
    }
}

#[test]
fn single_steps_are_one_db_for_each_instruction() {
    let run = || {
        let begun = Run::default().write(FLAGS, 1).reads(FLAGS, 1);
        begun.user(0x100, NOTHING, 0).user(0x104, NOTHING, 0).interrupt()
    };
    let first = run().write(ACK, 1).dr6(0xFFFF_4FF0).reads(FROM, 0x104);
    // BS is kept, since software has not cleared it; the second instruction had retired behind the first.
    let second = first.write(ACK, 2).reads(STATUS, 1).write(ACK, 1).dr6(0xFFFF_4FF0).reads(FROM, 0x108);
    let totals = second.write(FLAGS, 0).write(ACK, 2).reads(STATUS, 0).totals(setup());
    assert_eq!(totals.texts, Vec::<String>::new());
    assert_eq!((totals.steps, totals.in_skid, totals.skid[1]), (2, 1, 1));
    // Without the second step.
    let totals = run().write(ACK, 1).write(ACK, 2).reads(STATUS, 0).totals(setup());
    assert_ne!(totals.differences, 0);
}

#[test]
fn instructions_that_find_the_queue_full_are_lost() {
    let small = Setup { depth: 2, loses: true, ..setup() };
    let run = |lost: u32| {
        let mut run = Run::default().moves_to(0, 0x200).moves_to(7, 0x000D_0001).user(0x100, STORE_BYTE, 0x203);
        for step in 1..4 {
            run = run.user(0x100 + 4 * step, STORE_BYTE, 0x200);
        }
        run = run.interrupt();
        for _ in 0..3 {
            run = run.write(ACK, 1).dr6(0xFFFF_0FF1).write(ACK, 2);
        }
        run.reads(STATUS, lost).write(ACK, 4).reads(STATUS, 0)
    };
    let totals = run(4).totals(small);
    assert_eq!(totals.texts, Vec::<String>::new());
    assert_eq!((totals.lost, totals.taken, totals.in_skid), (1, 3, 2));
    assert_ne!(run(0).totals(small).differences, 0, "the bit is compared");
    assert_ne!(run(4).totals(Setup { loses: false, ..small }).differences, 0, "nothing may be lost");
}

#[test]
fn breakpoints_hit_as_the_document_says() {
    let load = |bytes| DataAccess { stores: false, bytes };
    let store = |bytes| DataAccess { stores: true, bytes };
    // LEN 11, R/W 01, L0; the low bits of the address are ignored.
    let word = Breakpoint::of(&[0x102, 0, 0, 0], 0x000D_0001, 0);
    for (access, address, hits) in [
        (store(4), 0x100, true),
        (store(1), 0x103, true),
        (store(2), 0xFF, true),
        (store(1), 0xFF, false),
        (store(1), 0x104, false),
        (load(4), 0x100, false),
    ] {
        assert_eq!(word.hit(access, address), hits, "{access:?} {address:#x}");
    }
    assert!(Breakpoint::of(&[0, 0x100, 0, 0], 0x00F0_0008, 1).hit(load(1), 0x102), "R/W 11, G1");
    assert!(!Breakpoint::of(&[0, 0x100, 0, 0], 0x00F0_0001, 1).hit(load(1), 0x102), "off");
    assert!(Breakpoint::of(&[0, 0, 0, 0x104], 0xB000_0040, 3).hit(load(1), 0x100), "LEN 10 is 8 bytes");
    assert!(Breakpoint::of(&[0; 4], 0x0003_0001, 0).hit(load(4), 0xFFFF_FFFD), "an access wraps");
}
