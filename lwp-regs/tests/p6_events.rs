//! The table of the P6 family's events, and what is made from it: compared with the list it was taken from, and swept.

use lwp_regs::Rule;
use lwp_regs::access::GeneralProtection;
use lwp_regs::perf::p6::event::{EVENTS, Event, EventUnit, UnitMask, pentium_m};
use lwp_regs::perf::p6::*;
use proptest::prelude::*;

/// unit, code_hex, mnemonic, umask(s), counters, families; one line for each event.
const LIST: &str = include_str!("data/p6-events.csv");

fn unit(event: &Event) -> &'static str {
    match event.unit() {
        EventUnit::Dcu => "DCU",
        EventUnit::Ifu => "IFU",
        EventUnit::L2 => "L2",
        EventUnit::Ebl => "EBL",
        EventUnit::Fpu => "FPU",
        EventUnit::MemoryOrdering => "MEM_ORDER",
        EventUnit::DecodeRetire => "DECODE_RETIRE",
        EventUnit::Interrupts => "INTERRUPT",
        EventUnit::Branches => "BRANCH",
        EventUnit::Stalls => "STALL",
        EventUnit::SegmentLoads => "SEG_LOAD",
        EventUnit::Clocks => "CLOCK",
        EventUnit::Mmx => "MMX",
        EventUnit::SegmentRenaming => "SEG_RENAME",
    }
}

fn unit_masks(event: &Event) -> String {
    match event.unit_mask() {
        UnitMask::Fixed(only) => format!("{only:02X}"),
        kinds => {
            let choices = kinds.choices().iter().map(|choice| format!("{}={:02X}", choice.name, choice.mask));
            choices.collect::<Vec<_>>().join("|")
        }
    }
}

fn counters(event: &Event) -> String {
    let counters = Counter::ALL.into_iter().filter(|counter| event.counts_on(*counter));
    counters.map(|counter| counter.index().to_string()).collect::<Vec<_>>().join("|")
}

/// The name in the list; on a Pentium M the event 27H lacks the last letter of it.
fn name(event: &Event) -> &'static str {
    if event.code() == 0x27 { "L2_M_LINES_OUTM" } else { event.mnemonic() }
}

fn families(event: &Event) -> String {
    let short = |model| match model {
        P6Model::PentiumPro => "PPro",
        P6Model::PentiumII => "PII",
        P6Model::PentiumIII => "PIII",
        P6Model::PentiumM => "PM",
    };
    let has = |model: &P6Model| Event::by_code(*model, event.code()).is_some_and(|of| name(of) == name(event));
    P6Model::ALL.into_iter().filter(has).map(short).collect::<Vec<_>>().join("|")
}

// P6EV-83: unit, code, name, unit masks, counters and processors of all 82 events, in the order of the list
#[test]
fn the_table_is_the_list() {
    let mut lines = LIST.lines();
    assert_eq!(lines.next(), Some("unit,code_hex,mnemonic,umask(s),counters,families"));
    let listed: Vec<&str> = lines.collect();
    let table: Vec<String> = EVENTS
        .iter()
        .map(|event| {
            let (unit, masks, counters, families) = (unit(event), unit_masks(event), counters(event), families(event));
            format!("{unit},{:02X},{},{masks},{counters},{families}", event.code(), name(event))
        })
        .collect();
    assert_eq!(table.len(), 82);
    assert_eq!(table, listed);
}

// P6EV-12, P6EV-14, P6EV-15, P6EV-17, P6EV-83, P6EV-84: the list gives the Pentium M four events with the masks of the others. There they are
// events of their own, which take these masks and, in bits 5:4, whether prefetched lines count; their default is all lines
#[test]
fn four_events_of_the_pentium_m_have_more_masks() {
    let listed: Vec<_> = LIST.lines().filter(|line| line.ends_with("|PM")).collect();
    assert_eq!(listed.len(), 78);
    let other = |event: &&Event| !event.models().has(P6Model::PentiumM) && event.code() != 0xD8 && event.code() != 0xD9;
    let replaced: Vec<_> =
        EVENTS.iter().filter(other).map(Event::code).filter(|code| !matches!(code, 0xB0 | 0xCE)).collect();
    assert_eq!(replaced, [0x29, 0x24, 0x26, 0x27]);
    for (code, line) in [
        (0x29, "L2,29,L2_LD,I=01|S=02|E=04|M=08|ALL=0F,0|1,PPro|PII|PIII|PM"),
        (0x24, "L2,24,L2_LINES_IN,00,0|1,PPro|PII|PIII|PM"),
        (0x26, "L2,26,L2_LINES_OUT,00,0|1,PPro|PII|PIII|PM"),
        (0x27, "L2,27,L2_M_LINES_OUTM,00,0|1,PPro|PII|PIII|PM"),
    ] {
        assert!(listed.contains(&line), "{line}");
        let event = Event::by_code(P6Model::PentiumM, code).unwrap();
        assert!(pentium_m::EVENTS.contains(event), "{code:02X}");
        let select =
            |mask| EventSelect::new(event).unit_mask(mask).counter0(P6Model::PentiumM).map(PerfEvtSel0::into_bits);
        for mask in [0x00, 0x0F, 0x1F, 0x2F, 0x3F] {
            assert_eq!(
                select(mask).unwrap(),
                0x0003_0000 | u64::from(mask) << 8 | u64::from(code),
                "{code:02X}.{mask:02X}"
            );
        }
        assert!(select(0x40).is_err() && select(0x80).is_err(), "{code:02X}");
        let default = EventSelect::new(event).counter0(P6Model::PentiumM).unwrap().into_bits();
        assert_eq!(default, 0x0003_2F00 | u64::from(code), "{code:02X}");
    }
}

// P6EV-83: no code and no name is given twice, and each event says what it counts
#[test]
fn codes_and_names_are_unique() {
    for (i, event) in EVENTS.iter().enumerate() {
        assert!(EVENTS[..i].iter().all(|other| other.code() != event.code()), "{}", event.mnemonic());
        assert!(EVENTS[..i].iter().all(|other| other.mnemonic() != event.mnemonic()), "{}", event.mnemonic());
        assert!(event.description().ends_with('.'), "{}", event.mnemonic());
        assert!(event.comment().is_empty() || event.comment().ends_with('.'), "{}", event.mnemonic());
    }
}

// P6EV-85, P6EV-84, MET-04: of all events, unit masks, counters and processors, those of the table are taken
#[test]
fn the_builder_takes_what_the_table_has_and_nothing_else() {
    for (event, model) in
        EVENTS.iter().chain(pentium_m::EVENTS).flat_map(|event| P6Model::ALL.map(|model| (event, model)))
    {
        for mask in 0..=0xFF {
            let select = EventSelect::new(event).unit_mask(mask);
            let known = event.models().has(model) && event.unit_mask().allows(mask);
            let value = u64::from(event.code()) | u64::from(mask) << 8 | 0x0003_0000;
            let expected = |counter| (known && event.counts_on(counter)).then_some(value);
            let select0 = select.counter0(model).ok().map(PerfEvtSel0::into_bits);
            let select1 = select.counter1(model).ok().map(PerfEvtSel1::into_bits);
            assert_eq!([select0, select1], Counter::ALL.map(expected), "{} {mask:#x} {model}", event.mnemonic());
        }
    }
}

fn event() -> impl Strategy<Value = &'static Event> {
    (0..EVENTS.len()).prop_map(|i| &EVENTS[i])
}

/// Mostly events that have no choice of counter; of those there are few.
fn events() -> impl Strategy<Value = Vec<EventSelect>> {
    let restricted: Vec<&Event> = EVENTS.iter().filter(|event| event.only_on().is_some()).collect();
    let either = prop_oneof![event(), proptest::sample::select(restricted)];
    proptest::collection::vec(either.prop_map(EventSelect::new), 0..20)
}

proptest! {
    // MET-04: a pair is put where both count, or it is truly impossible
    #[test]
    fn a_pair_honours_the_restrictions(first in event(), second in event()) {
        let fits = |event: &Event, counter| event.counts_on(counter);
        let straight = fits(first, Counter::Counter0) && fits(second, Counter::Counter1);
        let crossed = fits(second, Counter::Counter0) && fits(first, Counter::Counter1);
        match Run::pair(EventSelect::new(first), EventSelect::new(second)) {
            Ok(run) => {
                let [on0, on1] = Counter::ALL.map(|counter| run.on(counter).unwrap().event());
                prop_assert_eq!([on0, on1], if straight { [first, second] } else { [second, first] });
                prop_assert!(fits(on0, Counter::Counter0) && fits(on1, Counter::Counter1));
            }
            Err(refused) => {
                prop_assert!(!straight && !crossed);
                prop_assert!(fits(first, refused.counter) && fits(second, refused.counter));
            }
        }
    }

    // MET-04, MET-03: every event once, where it counts, in as few runs as two counters allow
    #[test]
    fn runs_are_complete_legal_and_few(events in events()) {
        let runs: Vec<Run> = runs(&events).collect();
        let mut placed = Vec::new();
        for (run, counter) in runs.iter().flat_map(|run| Counter::ALL.map(|counter| (run, counter))) {
            if let Some(select) = run.on(counter) {
                prop_assert!(select.event().counts_on(counter));
                placed.push(select.event().code());
            }
        }
        let mut wanted: Vec<u8> = events.iter().map(|select| select.event().code()).collect();
        placed.sort_unstable();
        wanted.sort_unstable();
        prop_assert_eq!(placed, wanted);
        let only = |counter| events.iter().filter(|select| select.event().only_on() == Some(counter)).count();
        let fewest = events.len().div_ceil(2).max(only(Counter::Counter0)).max(only(Counter::Counter1));
        prop_assert_eq!(runs.len(), fewest);
    }

    #[test]
    fn any_bits_come_back(bits: u64) {
        prop_assert_eq!(PerfEvtSel0::from_bits(bits).into_bits(), bits);
        prop_assert_eq!(PerfEvtSel1::from_bits(bits).into_bits(), bits);
        prop_assert_eq!(PerfCtr::from_bits(bits).into_bits(), bits);
    }

    // P6-25, P6-27: a write is taken as it is, or faults for its reserved bits
    #[test]
    fn writes_of_selections(old: u64, high in prop_oneof![Just(0u64), any::<u64>()], low: u32) {
        let new = high << 32 | u64::from(low);
        for (name, reserved, result) in [
            ("PerfEvtSel0", 0xFFFF_FFFF_0020_0000,
                PerfEvtSel0::check_write(PerfEvtSel0::from_bits(old), new, &()).map(PerfEvtSel0::into_bits)),
            ("PerfEvtSel1", 0xFFFF_FFFF_0060_0000,
                PerfEvtSel1::check_write(PerfEvtSel1::from_bits(old), new, &()).map(PerfEvtSel1::into_bits)),
        ] {
            let expected = match new & reserved {
                0 => Ok(new),
                bits => Err(GeneralProtection::refused(name, bits, Rule::MustBeZero)),
            };
            prop_assert_eq!(result, expected);
        }
    }

    // P6-37: the low 32 bits as written, eight copies of bit 31 above
    #[test]
    fn writes_of_counters(old: u64, new: u64) {
        let counter = PerfCtr::check_write(PerfCtr::from_bits(old), new, &()).unwrap();
        prop_assert_eq!(counter.into_bits() as u32, new as u32);
        prop_assert_eq!(counter.into_bits() >> 32, if new >> 31 & 1 == 1 { 0xFF } else { 0 });
        prop_assert_eq!(PerfCtr::loadable(counter.into_bits()), Ok(counter));
    }

    // P6-38: Preset(-n) overflows after n events, not before
    #[test]
    fn presets(n in prop_oneof![1..=0x8000_0000u32, 1..1000u32]) {
        let counter = PerfCtr::preset(SamplePeriod::new(n).unwrap());
        prop_assert_eq!(counter.into_bits() + u64::from(n), 1 << 40);
        prop_assert_eq!(PerfCtr::written(counter.into_bits()), counter);
        prop_assert!(!counter.advanced(u64::from(n) - 1).has_overflowed());
        prop_assert!(counter.advanced(u64::from(n)).has_overflowed());
        prop_assert_eq!(counter.advanced(u64::from(n)).since(counter), u64::from(n));
    }
}
