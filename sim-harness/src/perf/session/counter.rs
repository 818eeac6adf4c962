//! Tables `[[counter]]`: what is counted.

use crate::perf::environment::{Counter, SUPPLIED, Which};
use crate::session::{Choice, Complaint, Flag, Number, Number32, choose};
use lwp_model::Choice as _;
use lwp_model::perf::{Config, Personality, bus_lines};
use lwp_regs::perf::architectural::ArchitecturalEvent;
use lwp_regs::perf::p6::Event;
use serde::Deserialize;
use std::ops::Range;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CounterTable {
    lp: Option<Spanned<Number<7>>>,
    general: Option<Spanned<Number<7>>>,
    fixed: Option<Spanned<Number<2>>>,
    event: Option<Spanned<Choice>>,
    unit_mask: Option<Spanned<Number<255>>>,
    levels: Option<Spanned<Choice>>,
    #[serde(default)]
    edge: Flag,
    #[serde(default)]
    pin: Flag,
    any_thread: Option<Spanned<Flag>>,
    #[serde(default)]
    invert: Flag,
    threshold: Option<Number<255>>,
    period: Option<Spanned<Number32>>,
}

/// Levels at which events count: bits USR and OS, and name.
const LEVELS: [(u32, &str); 3] = [(3, "all"), (1, "user"), (2, "system")];

/// Instructions with an interrupt every 10,000; on a second counter, mispredicted branches.
pub(super) fn default_counters(straps: &Config) -> Vec<Counter> {
    let events = if straps.personality == Personality::P6 {
        [0xC0, 0xC5]
    } else {
        [ArchitecturalEvent::Instructions, ArchitecturalEvent::BranchMisses]
            .map(|event| u32::from(event.code().0) | u32::from(event.code().1) << 8)
    };
    let counter = |(index, event): (usize, u32)| {
        let period = (index == 0).then_some(10_000);
        let interrupt = u32::from(period.is_some()) << 20;
        let select = event | 3 << 16 | interrupt | enable(index as u8, straps);
        Counter { lp: 0, which: Which::General(index as u8), select, period }
    };
    events.into_iter().enumerate().take(straps.counters.into()).map(counter).collect()
}

/// Returns the counters, each of which is named once.
pub(super) fn counters(
    tables: Vec<Spanned<CounterTable>>,
    straps: &Config,
    processors: usize,
) -> Result<Vec<Counter>, Complaint> {
    let mut counters: Vec<Counter> = Vec::new();
    for table in tables {
        let place = table.span();
        let counter = counter(table, straps, processors)?;
        if counters.iter().any(|other| (other.lp, other.which) == (counter.lp, counter.which)) {
            return Err(("this counter has a table above".to_owned(), Some(place)));
        }
        counters.push(counter);
    }
    enable_p6(&mut counters, straps);
    Ok(counters)
}

/// In P6 the enable of register 0 is for both counters, also if only counter 1 counts.
fn enable_p6(counters: &mut Vec<Counter>, straps: &Config) {
    let of_first = |counter: &Counter| counter.which == Which::General(0);
    if straps.personality == Personality::P6 && !counters.is_empty() && !counters.iter().any(of_first) {
        counters.push(Counter { lp: 0, which: Which::General(0), select: 1 << 22, period: None });
    }
}

/// Returns the logical processor of a table.
pub(super) fn processor(given: Option<Spanned<Number<7>>>, processors: usize) -> Result<u8, Complaint> {
    match given {
        Some(lp) if usize::from(lp.get_ref().u8()) >= processors => {
            let what = format!("there is no logical processor {}: there are {processors}", lp.get_ref().0);
            Err((what, Some(lp.span())))
        }
        given => Ok(given.map_or(0, |lp| lp.get_ref().u8())),
    }
}

fn counter(table: Spanned<CounterTable>, straps: &Config, processors: usize) -> Result<Counter, Complaint> {
    let whole = table.span();
    let mut table = table.into_inner();
    let lp = processor(table.lp.take(), processors)?;
    let which = which(&table, straps, &whole)?;
    let period = table.period.as_ref().map(|period| (period.get_ref().u32(), period.span()));
    if let Some((0, place)) | Some((0x8000_0001.., place)) = &period {
        return Err((
            "a period is 1 to 2147483648 events: a write sets 32 bits and a sign".to_owned(),
            Some(place.clone()),
        ));
    }
    let period = period.map(|(period, _)| period);
    let select = match which {
        Which::General(index) => general(table, index, period.is_some(), straps, &whole)?,
        Which::Fixed(_) => fixed(table, period.is_some(), straps)?,
    };
    Ok(Counter { lp, which, select, period })
}

fn which(table: &CounterTable, straps: &Config, whole: &Range<usize>) -> Result<Which, Complaint> {
    let (which, index, most, place) = match (&table.general, &table.fixed) {
        (Some(index), None) => {
            (Which::General(index.get_ref().u8()), index.get_ref().u8(), straps.counters, index.span())
        }
        (None, Some(index)) => (Which::Fixed(index.get_ref().u8()), index.get_ref().u8(), straps.fixed, index.span()),
        _ => return Err(("a counter needs either `general` or `fixed`".to_owned(), Some(whole.clone()))),
    };
    if index >= most {
        return Err((format!("there is no such counter {index}: the straps have {most}"), Some(place)));
    }
    Ok(which)
}

fn any_thread(given: Option<&Spanned<Flag>>, straps: &Config) -> Result<bool, Complaint> {
    match given {
        Some(flag) if flag.get_ref().0 && !straps.any_thread => {
            Err(("any_thread needs the strap `any_thread`".to_owned(), Some(flag.span())))
        }
        given => Ok(given.is_some_and(|flag| flag.get_ref().0)),
    }
}

fn fixed(table: CounterTable, interrupts: bool, straps: &Config) -> Result<u32, Complaint> {
    let of_event = [table.event.as_ref().map(Spanned::span), table.unit_mask.as_ref().map(Spanned::span)];
    if let Some(place) = of_event.into_iter().flatten().next() {
        return Err(("a fixed counter has its own event".to_owned(), Some(place)));
    }
    let any = any_thread(table.any_thread.as_ref(), straps)?;
    let (levels, _) = choose(table.levels, LEVELS[0], &LEVELS, |(_, name)| name)?;
    // Bit 0 is OS, bit 1 USR.
    Ok((levels >> 1) | (levels & 1) << 1 | u32::from(any) << 2 | u32::from(interrupts) << 3)
}

fn general(
    table: CounterTable,
    index: u8,
    interrupts: bool,
    straps: &Config,
    whole: &Range<usize>,
) -> Result<u32, Complaint> {
    let Some(event) = &table.event else {
        return Err(("a general counter needs an `event`".to_owned(), Some(whole.clone())));
    };
    let (code, mask) = event_code(event, straps)?;
    let mask = table.unit_mask.as_ref().map_or(mask, |mask| mask.get_ref().u8());
    let any = any_thread(table.any_thread.as_ref(), straps)?;
    let (levels, _) = choose(table.levels, LEVELS[0], &LEVELS, |(_, name)| name)?;
    let select = u32::from(code)
        | u32::from(mask) << 8
        | levels << 16
        | u32::from(table.edge.0) << 18
        | u32::from(table.pin.0) << 19
        | u32::from(interrupts) << 20
        | u32::from(any) << 21
        | enable(index, straps)
        | u32::from(table.invert.0) << 23
        | table.threshold.map_or(0, Number::u32) << 24;
    let place = table.unit_mask.as_ref().map_or_else(|| event.span(), Spanned::span);
    supplied(select, index, straps).map_err(|what| (what, Some(place)))?;
    Ok(select)
}

/// Bit 22; PerfEvtSel1 of P6 has none.
fn enable(index: u8, straps: &Config) -> u32 {
    u32::from(straps.personality != Personality::P6 || index == 0) << 22
}

/// Returns code and unit mask of an event that is given by its name or its code.
fn event_code(given: &Spanned<Choice>, straps: &Config) -> Result<(u8, u8), Complaint> {
    let text = given.get_ref().text();
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let code = digits.map_or_else(|| text.parse().ok(), |digits| u8::from_str_radix(digits, 16).ok());
    let named = if straps.personality == Personality::P6 {
        Event::by_name(straps.p6_model, text).map(|event| (event.code(), event.unit_mask().default_mask().unwrap_or(0)))
    } else {
        let plain = |name: &str| name.replace(['_', ' '], "-").to_lowercase();
        ArchitecturalEvent::ALL
            .into_iter()
            .find(|event| plain(event.name()) == plain(text))
            .map(ArchitecturalEvent::code)
    };
    named.or(code.map(|code| (code, 0))).ok_or_else(|| {
        let what = if straps.personality == Personality::P6 {
            format!("there is no event `{text}` on this processor: a name as in the table of P6 events, or a code")
        } else {
            let names = ArchitecturalEvent::ALL.map(|event| format!("`{}`", event.name()));
            format!("there is no event `{text}`, expected one of {}, or a code", names.join(", "))
        };
        (what, Some(given.span()))
    })
}

/// Complains about an event that does not exist on this counter, and about one that neither the trace nor the front end knows.
fn supplied(select: u32, index: u8, straps: &Config) -> Result<(), String> {
    let Some(lines) = bus_lines(select, index.into(), straps) else {
        return Err(format!(
            "event {:#04x} with unit mask {:#04x} does not exist on counter {index} of this processor",
            select & 0xFF,
            select >> 8 & 0xFF
        ));
    };
    // The front end knows lines in the L2 as Exclusive alone: of the states S and M none is left out.
    let known = |line: &&lwp_model::perf::Line| SUPPLIED.contains(line) || is_absent_state(**line);
    match lines.iter().flatten().find(|line| !known(line)) {
        None => Ok(()),
        Some(line) => {
            Err(format!("neither a trace nor the front end knows `{}`, which this event counts", line.name()))
        }
    }
}

/// Whether no line is ever in this state, with one processor and without stores.
fn is_absent_state(line: lwp_model::perf::Line) -> bool {
    use lwp_model::perf::Line;
    matches!(line, Line::L2LdS | Line::L2LdM | Line::L2RqstsS | Line::L2RqstsM)
}
