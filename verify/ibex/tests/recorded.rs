//! Recorded runs of Ibex with the unit: `make ibex ARGS='--record verify/ibex/tests'` prints the setups that belong to them.
//!
//! The runs themselves have no difference. Then one thing is made wrong at a time, everywhere in one, and the checker must see it.

use ibex::instruction::{Kind, kind};
use ibex::trace::{Access, Event, Shown, read};
use ibex::{Checker, Setup, Totals};

fn setup() -> Setup {
    Setup {
        block: 0x10_1300,
        ring: 0x10_1340,
        ring_bytes: 0x100,
        threshold: 0x80,
        intervals: [97, 43, 23],
        far: 0x20_0000..0x30_0000,
        latency: 9,
        handler: 0x10_002C,
        user_mode: true,
    }
}

fn events(bytes: &[u8]) -> Vec<Event> {
    let mut events = Vec::new();
    read(bytes, |event| events.push(event)).expect("the recording is whole");
    events
}

fn recorded() -> Vec<Event> {
    events(include_bytes!("interrupts.trace"))
}

/// Returns the totals of the run without interrupts, whose ring becomes full.
fn check_full(change: impl Fn(Event) -> Event) -> Totals {
    let mut checker = Checker::new(Setup { ring_bytes: 0x80, threshold: 0, intervals: [31, 13, 7], ..setup() });
    events(include_bytes!("full.trace")).into_iter().for_each(|event| checker.event(change(event)));
    checker.finish()
}

#[test]
fn a_full_ring_misses_events() {
    let clean = check_full(|event| event);
    assert_eq!(clean.texts, Vec::<String>::new());
    assert!(clean.missed > 5 && clean.all_records() == 3 && clean.interrupts == 0, "{clean:?}");
    let missed = setup().block + 24;
    let increment = |event: Event, add: u32| match event {
        Event::Unit(access) if access.write && access.address == missed => {
            Event::Unit(Access { data: access.data + add, ..access })
        }
        event => event,
    };
    assert_eq!(
        check_full(|event| increment(event, 1)).differences,
        u64::from(clean.missed),
        "each increment is compared"
    );
}

fn check(events: impl IntoIterator<Item = Event>) -> Totals {
    let mut checker = Checker::new(setup());
    events.into_iter().for_each(|event| checker.event(event));
    checker.finish()
}

/// Returns the totals of the run with the event at `place` replaced by these.
fn with(events: &[Event], place: usize, new: &[Event]) -> Totals {
    check(events[..place].iter().chain(new).chain(&events[place + 1..]).copied())
}

/// Returns the places of events that `choose` turns into another one, and requires that each is seen.
#[track_caller]
fn each_is_seen(what: &str, choose: impl Fn(Event) -> Option<Vec<Event>>) -> usize {
    let events = recorded();
    let mut tried = 0;
    for (place, &event) in events.iter().enumerate() {
        if let Some(new) = choose(event) {
            tried += 1;
            assert_ne!(with(&events, place, &new).differences, 0, "{what} is not seen: {event:x?}, {new:x?}");
        }
    }
    assert_ne!(tried, 0, "{what} was never tried");
    tried
}

fn is_counted(event: Event, begun: bool) -> Option<Shown> {
    match event {
        Event::Retire(shown) if begun && shown.mode == 0 && !shown.trap => Some(shown),
        _ => None,
    }
}

/// Returns the places of the instructions that count: from the write of Flags on.
fn counted(events: &[Event]) -> Vec<(usize, Shown)> {
    let block = setup().block;
    let flags = |event: &Event| matches!(event, Event::Unit(Access { address, write: true, bytes: 15, .. }) if *address == block);
    let begin = events.iter().position(flags).expect("a session begins");
    let all = events.iter().enumerate().skip(begin);
    all.filter_map(|(place, &event)| Some((place, is_counted(event, true)?))).collect()
}

#[test]
fn the_run_has_no_difference() {
    let totals = check(recorded());
    assert_eq!(totals.texts, Vec::<String>::new());
    assert_eq!(totals.differences, 0);
    assert_eq!(totals.flushes, 11, "ten of the program, one of the kernel");
    assert_eq!(totals.counters_compared, 3 * totals.flushes);
    assert_eq!(totals.drained, totals.all_records());
    assert_eq!(totals.crossings, totals.interrupts);
    assert!(totals.records.iter().all(|&records| records > 0), "each event: {:?}", totals.records);
    assert!(totals.interrupts > 0 && totals.discarded > 0, "{totals:?}");
}

#[test]
fn every_bit_that_the_unit_writes_is_compared() {
    for bit in 0..32 {
        each_is_seen("a wrong bit", |event| match event {
            Event::Unit(access) if access.write && access.bytes != 0 => {
                Some(vec![Event::Unit(Access { data: access.data ^ 1 << bit, ..access })])
            }
            _ => None,
        });
    }
}

#[test]
fn every_write_is_needed_where_it_is() {
    let write = |event| match event {
        Event::Unit(access) if access.write && access.bytes != 0 => Some(access),
        _ => None,
    };
    // The head is written once more, unchanged, when the session ends; the word of a record may be that of a record that is discarded.
    let own = |access: Access| !(setup().ring..setup().ring + setup().ring_bytes).contains(&access.address);
    each_is_seen("another address", |event| {
        write(event).map(|access| vec![Event::Unit(Access { address: access.address ^ 0x40, ..access })])
    });
    each_is_seen("half of a word", |event| {
        let ring = setup().ring..setup().ring + setup().ring_bytes;
        let word = write(event).filter(|access| ring.contains(&access.address));
        word.map(|access| vec![Event::Unit(Access { bytes: 3, ..access })])
    });
    each_is_seen("a failed access", |event| {
        write(event).map(|access| vec![Event::Unit(Access { error: true, ..access })])
    });
    let head = setup().block + 16;
    each_is_seen("a missing write", |event| {
        write(event).filter(|access| own(*access) && access.address != head).map(|_| vec![])
    });
}

#[test]
fn every_word_of_a_published_record_must_arrive() {
    let events = recorded();
    let ring = setup().ring..setup().ring + setup().ring_bytes;
    let word = |event: &Event| matches!(event, Event::Unit(access) if access.write && ring.contains(&access.address));
    let places: Vec<_> = (0..events.len()).filter(|&place| word(&events[place])).collect();
    let seen = places.iter().filter(|&&place| with(&events, place, &[]).differences != 0).count();
    let published = check(events.clone()).all_records();
    assert!(seen as u64 >= 8 * published, "{seen} of {} words are missed, of {published} records", places.len());
}

/// Returns whether no record is in flight at this instruction. Else an event may wait at zero, and takes no further occurrence.
fn is_visible(events: &[Event], place: usize) -> bool {
    let unrecorded = |end: usize| check(events[..end].iter().copied()).unrecorded;
    unrecorded(place + 1) == unrecorded(place)
}

/// Returns how many of the visible instructions that `choose` accepts the checker notices if `change` replaces them, and how many
/// there are.
fn seen_of(choose: impl Fn(Shown) -> bool, change: impl Fn(Shown) -> Vec<Shown>) -> (usize, usize) {
    let events = recorded();
    let mut chosen = counted(&events);
    chosen.retain(|&(place, shown)| choose(shown) && is_visible(&events, place));
    let seen = chosen.iter().filter(|&&(place, shown)| {
        let new: Vec<_> = change(shown).into_iter().map(Event::Retire).collect();
        with(&events, place, &new).differences != 0
    });
    (seen.count(), chosen.len())
}

/// Requires that most are seen. An event that comes to zero a little earlier or later, while the record of another event
/// is in flight, may lead to the same record: some make no difference to a right checker either.
#[track_caller]
fn most_are_seen((seen, all): (usize, usize)) {
    assert!(all >= 20 && 3 * seen >= 2 * all, "{seen} of {all}");
}

#[test]
fn every_instruction_counts_once() {
    most_are_seen(seen_of(|_| true, |_| vec![]));
    most_are_seen(seen_of(|_| true, |shown| vec![shown, shown]));
    most_are_seen(seen_of(|_| true, |shown| vec![Shown { trap: true, ..shown }]));
}

#[test]
fn every_branch_and_every_miss_counts() {
    const NOTHING: u32 = 0x0000_0013;
    let nothing = |shown| vec![Shown { word: NOTHING, ..shown }];
    most_are_seen(seen_of(|shown| matches!(kind(shown.word), Kind::Conditional | Kind::Unconditional), nothing));
    let miss = |shown: Shown| kind(shown.word) == Kind::Load && setup().far.contains(&shown.address);
    most_are_seen(seen_of(miss, nothing));
    most_are_seen(seen_of(miss, |shown| vec![Shown { address: 0x10_2000, ..shown }]));
    let near = |shown: Shown| kind(shown.word) == Kind::Load && !setup().far.contains(&shown.address);
    most_are_seen(seen_of(near, |shown| vec![Shown { address: 0x20_0000, ..shown }]));
}

#[test]
fn the_fields_of_a_record_are_those_of_its_instruction() {
    let events = recorded();
    let clean = check(events.clone());
    let counted = counted(&events);
    let seen = |change: &dyn Fn(Shown) -> Shown| {
        let differs =
            |&&(place, shown): &&(usize, Shown)| with(&events, place, &[Event::Retire(change(shown))]).differences != 0;
        counted.iter().filter(differs).count() as u64
    };
    // Discarded records are compared as far as they arrived.
    let one_of = |seen: u64, records: u64, what: &str| {
        assert!((records..=records + clean.discarded).contains(&seen), "{what}: {seen} of {records}");
    };
    let [_, branches, misses] = clean.records;
    one_of(seen(&|shown| Shown { pc: shown.pc ^ 0x8000, ..shown }), clean.all_records(), "address of the instruction");
    one_of(seen(&|shown| Shown { next: shown.next ^ 0x8000, ..shown }), branches, "target");
    // An address within far memory: the load still misses.
    one_of(seen(&|shown| Shown { address: shown.address ^ 0x8000, ..shown }), misses, "address of the data");
}

#[test]
fn the_kernel_takes_every_record_in_order() {
    let word = |event| match event {
        Event::Device { cycle, register: 2, data } => Some((cycle, data)),
        _ => None,
    };
    each_is_seen("a wrong word", |event| {
        word(event).map(|(cycle, data)| vec![Event::Device { cycle, register: 2, data: data ^ 4 }])
    });
    each_is_seen("a missing word", |event| word(event).map(|_| vec![]));
    each_is_seen("a word twice", |event| word(event).map(|_| vec![event, event]));
}

#[test]
fn interrupts_come_when_the_threshold_is_crossed() {
    let events = recorded();
    let handler = setup().handler;
    each_is_seen("a missing interrupt", |event| match event {
        Event::Retire(shown) if shown.pc == handler => Some(vec![Event::Retire(Shown { pc: handler + 4, ..shown })]),
        _ => None,
    });
    let (place, shown) = counted(&events)[5];
    let interrupt = Event::Retire(Shown { pc: handler, mode: 3, ..shown });
    assert_ne!(with(&events, place, &[events[place], interrupt]).differences, 0, "an interrupt too many");
}

#[test]
fn the_run_must_end_well() {
    let count = each_is_seen("another exit code", |event| match event {
        Event::Device { cycle, register: 0, data } => Some(vec![Event::Device { cycle, register: 0, data: data + 1 }]),
        _ => None,
    });
    assert_eq!(count, 1);
    each_is_seen("the limit of cycles", |event| match event {
        Event::End(end) => Some(vec![Event::End(ibex::trace::End { ended: false, ..end })]),
        _ => None,
    });
    let events = recorded();
    let session = events.iter().rposition(|event| matches!(event, Event::Unit(_))).expect("the unit writes");
    let flush = events[..=session]
        .iter()
        .filter(|event| !matches!(event, Event::Unit(access) if access.cycle + 100 > last(&events)));
    let rest = &events[session + 1..];
    assert_ne!(check(flush.chain(rest).copied()).differences, 0, "no flush");
}

/// Returns the cycle of the last access of the unit.
fn last(events: &[Event]) -> u32 {
    let cycle = |event: &Event| if let Event::Unit(access) = event { Some(access.cycle) } else { None };
    events.iter().filter_map(cycle).max().unwrap_or(0)
}
