//! Which lines an event selects: the table of the page `docs/src/perf/events.md`, line by line.

use super::bench::{ALL, C2, C4, CONTROL, COUNTER, EN, FIXED_CONTROL, SELECT, version_1, version_3};
use crate::page::{number, table};
use lwp_model::Choice;
use lwp_model::perf::{Config, Line, bus_lines};
use lwp_model::retire::{BranchKind, IntKind};
use lwp_regs::perf::p6::P6Model;

const PAGE: &str = include_str!("../../../docs/src/perf/events.md");

const MADE: [&str; 7] = [
    "instructions",
    "branches",
    "branches_taken",
    "branches_missed",
    "branches_taken_missed",
    "interrupts",
    "unhalted",
];

/// A row of the table of P6 events, of one mask: its lines by name.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Select {
    code: u8,
    mask: u8,
    lines: Vec<&'static str>,
    bus: bool,
    counters: Vec<usize>,
    models: Vec<usize>,
}

fn hexadecimal(text: &str) -> u8 {
    u8::from_str_radix(text, 16).unwrap_or_else(|_| panic!("{text}"))
}

fn names(text: &'static str) -> Vec<&'static str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// All pairs of code and mask of the page.
fn selects() -> Vec<Select> {
    let mut all = Vec::new();
    for row in table(PAGE, "P6 events").rows() {
        let list = |head| match row.text(head) {
            "all" => vec![0, 1, 2, 3],
            text => text.split(", ").map(|text| number(text) as usize).collect(),
        };
        let code = hexadecimal(row.text("code"));
        let bus = |mask: &str| match row.text("clock") {
            "core" => false,
            "bus" => true,
            "00: bus; 20: core" => mask == "00",
            clock => panic!("{clock}"),
        };
        let select = |mask: &str, lines| Select {
            code,
            mask: hexadecimal(mask),
            lines,
            bus: bus(mask),
            counters: list("counters"),
            models: list("p6_model"),
        };
        let text = row.text("masks and lines");
        if let Some(lines) = text.strip_prefix("MESI: ") {
            for mask in 0..16_u8 {
                let lines = names(lines).into_iter().enumerate().filter(|(bit, _)| mask >> bit & 1 != 0);
                all.push(select(&format!("{mask:02X}"), lines.map(|(_, name)| name).collect()));
            }
            continue;
        }
        let mut four = Vec::new();
        for part in text.split("; ") {
            let (mask, lines) = part.split_once(": ").unwrap();
            if lines == "all four" {
                all.push(select(mask, four.clone()));
            } else {
                four.extend(names(lines));
                all.push(select(mask, names(lines)));
            }
        }
    }
    all
}

/// One cycle in which this line alone shows something; how much.
fn show(bench: &mut C2, name: &str, value: u8) -> u64 {
    let (inputs, lp) = (bench.inputs, &mut bench.inputs.lp[0]);
    let lanes = &mut bench.inputs.lanes[0];
    let shown = match name {
        "instructions" => {
            for lane in &mut lanes[..3] {
                (lane.valid, lane.counts) = (true, true);
            }
            3
        }
        "interrupts" => {
            (lp.int_valid, lp.int_kind) = (true, IntKind::Nmi);
            1
        }
        "unhalted" => {
            lp.halted = false;
            1
        }
        branch if branch.starts_with("branches") => {
            for lane in &mut lanes[..2] {
                (lane.valid, lane.branch_kind) = (true, BranchKind::Unused15);
                lane.branch_taken = branch.contains("taken");
                lane.branch_pred_valid = branch.contains("missed");
            }
            2
        }
        name => {
            let line = Line::from_name(name).unwrap();
            lp.events.set(line, value);
            u64::from(lp.events.line(line))
        }
    };
    bench.cycle();
    bench.inputs = inputs;
    shown
}

/// What a line of the branches shows as well.
fn shows(name: &str, line: &str) -> bool {
    name == line
        || match name {
            "branches_taken" | "branches_missed" => line == "branches",
            "branches_taken_missed" => line.starts_with("branches"),
            _ => false,
        }
}

#[test]
fn the_bus_is_the_page() {
    let page = table(PAGE, "Lines of the bus");
    assert_eq!(page.rows().count(), Line::ALL.len());
    for (row, line) in page.rows().zip(Line::ALL) {
        assert_eq!(row.text("name").replace('`', ""), line.name());
        assert_eq!((row.number("index"), row.number("width") == 1), (u64::from(line.code()), line.is_level()));
    }
    assert_eq!((selects().len(), MADE.len()), (82 - 4 + 64 + 14 + 6 + 2 + 5 + 1 + 8, 7));
}

// P6EV-01 to P6EV-82, P6EV-85, P6EV-86, P6EV-87: each line alone advances a counter exactly if the page names it
#[test]
fn each_select_has_its_lines_and_no_other() {
    let names: Vec<_> = Line::ALL.iter().map(|line| line.name()).chain(MADE).collect();
    let mut used = 0;
    for select in selects() {
        for counter in 0..2 {
            let p6_model = P6Model::ALL[select.models[0]];
            let mut bench = C2::new(Config { p6_model, ..Config::default() });
            bench.inputs.bus_tick = true;
            let bits = ALL | u64::from(select.code) | u64::from(select.mask) << 8;
            bench.write(SELECT + counter, bits | if counter == 0 { EN } else { 0 });
            if counter == 1 {
                bench.write(SELECT, EN);
            }
            let counter = counter as usize;
            for name in &names {
                let before = bench.count(counter);
                let shown = show(&mut bench, name, 9);
                let counts = select.counters.contains(&counter) && select.lines.iter().any(|line| shows(name, line));
                let expected = if counts { shown } else { 0 };
                assert_eq!(bench.count(counter) - before, expected, "{name} on {counter}: {select:?}");
                used += u32::from(counts);
            }
        }
    }
    assert!(used > 300, "{used}");
}

/// The lines of the bus that an event select names, for those who supply them.
#[test]
fn the_lines_of_a_select_are_those_of_the_page() {
    for select in selects() {
        let straps = Config { p6_model: P6Model::ALL[select.models[0]], ..Config::default() };
        let on_bus = |name: &&&str| !MADE.contains(name);
        let mut named: Vec<_> = select.lines.iter().filter(on_bus).copied().collect();
        named.sort_unstable();
        for index in 0..2 {
            let lines = bus_lines(u32::from(select.code) | u32::from(select.mask) << 8, index, &straps);
            let mut found: Option<Vec<_>> = lines.map(|four| four.into_iter().flatten().map(Choice::name).collect());
            if let Some(found) = &mut found {
                found.sort_unstable();
            }
            let expected = select.counters.contains(&index).then(|| named.clone());
            assert_eq!(found, expected, "counter {index}: {select:?}");
        }
    }
}

// P6EV-85, P6EV-84, P6-11, P6-12: all codes and masks, all processors, both counters; what is not listed counts nothing
#[test]
fn only_listed_pairs_count() {
    let listed = selects();
    for (model, &p6_model) in P6Model::ALL.iter().enumerate() {
        let mut bench = C2::new(Config { p6_model, ..Config::default() });
        bench.inputs.bus_tick = true;
        bench.inputs.lp[0].halted = false;
        for &line in Line::ALL {
            bench.inputs.lp[0].events.set(line, 15);
        }
        for pair in 0..=0xFFFF_u16 {
            let [code, mask] = pair.to_le_bytes();
            let found = listed.iter().find(|select| (select.code, select.mask) == (code, mask));
            let found = found.filter(|select| select.models.contains(&model));
            // A cycle with fewer than 255 events: what is selected counts it, whatever the lines are.
            let bits = ALL | 1 << 23 | 255 << 24 | u64::from(pair);
            bench.write(SELECT + 1, bits);
            bench.write(SELECT, bits | EN);
            bench.cycle();
            let before = [0, 1].map(|c| bench.count(c));
            bench.cycle();
            let counts = [0, 1].map(|c| found.is_some_and(|select| select.counters.contains(&c)));
            assert_eq!([0, 1].map(|c| bench.count(c) != before[c]), counts, "{model} {code:02X}.{mask:02X}");
        }
    }
}

// P6EV-43, P6EV-50, P6EV-88: work on the wrong path is shown on the lines that include it, and counted by their events alone; what retires, by the others too
#[test]
fn the_wrong_path() {
    // "This event includes counts due to speculative execution", "and is speculative", "speculative prefetches are included", decoded;
    // executed (10H), and "blocked, squashed, or missed" (05H).
    let speculative = [0x05, 0x07, 0x10, 0x11, 0x12, 0x13, 0x14, 0xD0, 0xE0];
    let prefetches = [Line::KniPrefDispatchedNta, Line::KniPrefDispatchedT1, Line::KniPrefDispatchedT2];
    let others = [Line::FpAssist, Line::Mul, Line::Div, Line::DivBusy, Line::InstDecoded, Line::BrDecoded];
    let more = [Line::KniPrefDispatchedWeak, Line::FpCompOpsExe, Line::MisalignMemRef];
    let lines = [&prefetches[..], &more, &others].concat();
    let retired = [0xC0, 0xC1, 0xC2, 0xC4, 0xC5, 0xC9, 0xCA];
    for select in selects() {
        let (p6_model, counter) = (P6Model::ALL[select.models[0]], select.counters[0]);
        let mut bench = C2::new(Config { p6_model, ..Config::default() });
        let bits = ALL | u64::from(select.code) | u64::from(select.mask) << 8;
        bench.write(SELECT + counter as u32, bits);
        bench.write(SELECT, EN | if counter == 0 { bits } else { 0 });
        for &line in Line::ALL {
            bench.inputs.lp[0].events.set(line, u8::from(lines.contains(&line)));
        }
        bench.inputs.bus_tick = true;
        let before = bench.count(counter);
        bench.cycle();
        let wrong_path = bench.count(counter) - before;
        assert_eq!(wrong_path != 0, speculative.contains(&select.code), "{select:?}");
        if !retired.contains(&select.code) {
            continue;
        }
        for line in [Line::UopsRetired, Line::Flops] {
            bench.inputs.lp[0].events.set(line, 1);
        }
        let lane = &mut bench.inputs.lanes[0][0];
        (lane.valid, lane.counts, lane.branch_kind, lane.branch_taken) = (true, true, BranchKind::Ret, true);
        (lane.branch_pred_valid, lane.branch_pred_ok) = (true, false);
        bench.cycle();
        assert_eq!(bench.count(counter) - before, 1, "what retires: {select:?}");
    }
}

// P6-04, P6EV-89: cycles with a tick of the event's clock alone
#[test]
fn each_event_has_its_clock() {
    for select in selects().into_iter().filter(|select| !select.lines.is_empty()) {
        let p6_model = P6Model::ALL[select.models[0]];
        let counter = select.counters[0];
        let mut bench = C2::new(Config { p6_model, ..Config::default() });
        bench.inputs.core_clock = false;
        let bits = ALL | u64::from(select.code) | u64::from(select.mask) << 8;
        bench.write(SELECT + counter as u32, bits);
        let first = if counter == 0 { bits } else { 0 };
        bench.write(SELECT, first | EN);
        for (core_clock, bus_tick) in [(false, false), (true, false), (false, true), (true, true)] {
            (bench.inputs.core_clock, bench.inputs.bus_tick) = (core_clock, bus_tick);
            let before = bench.count(counter);
            let shown = show(&mut bench, select.lines[0], 5);
            let ticks = if select.bus { bus_tick } else { core_clock };
            assert_eq!(bench.count(counter) - before, if ticks { shown } else { 0 }, "{select:?}");
        }
    }
}

// P6EV-61 to P6EV-64, P6EV-53, P6EV-58: what the lanes tell
#[test]
fn lines_of_the_lanes() {
    let mut bench = C2::new(Config::default());
    let mut count = |code: u64, set: &dyn Fn(&mut C2)| {
        bench = C2::new(Config::default());
        bench.write(SELECT, EN | ALL | code);
        set(&mut bench);
        bench.cycle();
        bench.count(0)
    };
    let all_branches = |bench: &mut C2| {
        for lane in &mut bench.inputs.lanes[0] {
            (lane.valid, lane.branch_kind, lane.branch_taken) = (true, BranchKind::Ret, true);
        }
        bench.inputs.lanes[0][3].valid = false;
        bench.inputs.lanes[0][0].branch_pred_valid = true;
        (bench.inputs.lanes[0][1].branch_pred_valid, bench.inputs.lanes[0][1].branch_pred_ok) = (true, true);
        bench.inputs.lanes[0][2].counts = true;
        bench.inputs.lanes[0][2].branch_taken = false;
    };
    assert_eq!([0xC0, 0xC4, 0xC9, 0xC5, 0xCA].map(|code| count(code, &all_branches)), [1, 3, 2, 1, 1]);
    for part in [(|bench: &mut C2| bench.inputs.lp[0].partial = true) as fn(&mut C2), |bench: &mut C2| {
        bench.inputs.lp[0].int_valid = true;
    }] {
        let both = |bench: &mut C2| {
            all_branches(bench);
            part(bench);
        };
        assert_eq!([0xC0, 0xC4, 0xC9, 0xC5, 0xCA].map(|code| count(code, &both)), [0; 5]);
    }
    for &kind in IntKind::ALL {
        let taken = |bench: &mut C2| (bench.inputs.lp[0].int_valid, bench.inputs.lp[0].int_kind) = (true, kind);
        let counts = !matches!(kind, IntKind::Exception | IntKind::Smi | IntKind::Rsm);
        assert_eq!(count(0xC8, &taken), u64::from(counts), "{kind:?}");
    }
}

// APM-16, APM-18, APM-19, APM-20: the seven events, each by its bit, and no other pair
#[test]
fn architectural_events() {
    let page: Vec<_> = table(PAGE, "Architectural events")
        .rows()
        .map(|row| {
            let line = names(row.text("line"))[0];
            (
                number(row.text("bit of events")),
                hexadecimal(row.text("code")),
                hexadecimal(row.text("mask")),
                line,
                row.text("clock") == "bus",
            )
        })
        .collect();
    assert_eq!(page.len(), 7);
    for &(bit, code, mask, line, bus) in &page {
        for available in [true, false] {
            let events = if available { 1 << bit } else { 127 & !(1 << bit) };
            let mut bench = C2::new(Config { events, ..version_1() });
            bench.write(SELECT, EN | ALL | u64::from(code) | u64::from(mask) << 8);
            for name in Line::ALL.iter().map(|line| line.name()).chain(MADE) {
                bench.inputs.bus_tick = bus;
                bench.inputs.core_clock = !bus;
                let before = bench.count(0);
                let shown = show(&mut bench, name, 9);
                let expected = if available && shows(name, line) { shown } else { 0 };
                assert_eq!(bench.count(0) - before, expected, "{name}: {code:02X}.{mask:02X}");
            }
        }
    }
    let mut bench = C2::new(version_1());
    bench.inputs.bus_tick = true;
    for pair in 0..=0xFFFF_u16 {
        bench.write(SELECT, EN | ALL | 1 << 23 | 255 << 24 | u64::from(pair));
        let before = bench.count(0);
        bench.cycle();
        let [code, mask] = pair.to_le_bytes();
        let listed = page.iter().any(|&(_, c, m, ..)| (c, m) == (code, mask));
        assert_eq!(bench.count(0) != before, listed, "{code:02X}.{mask:02X}");
    }
}

// APM-38: the fixed counters, whatever `events` is
#[test]
fn fixed_counters() {
    let mut bench = C4::new(lwp_model::perf::Config { events: 0, ..version_3() });
    bench.write(FIXED_CONTROL, 0x333);
    bench.write(CONTROL, 7 << 32);
    let counts = |bench: &C4| [0, 1, 2].map(|k| bench.fixed(k).counter);
    bench.inputs.lp[0].halted = false;
    bench.instructions(2);
    assert_eq!(counts(&bench), [2, 1, 0]);
    bench.inputs.bus_tick = true;
    bench.inputs.core_clock = false;
    bench.instructions(2);
    assert_eq!(counts(&bench), [2, 1, 1]);
    bench.inputs.lp[0].halted = true;
    bench.inputs.core_clock = true;
    bench.instructions(1);
    assert_eq!(counts(&bench), [3, 1, 1]);
    assert_eq!(bench.read(COUNTER), 0);
}
