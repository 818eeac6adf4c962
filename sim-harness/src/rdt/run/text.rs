//! Runs as text.

use super::measured::{Ended, Measured, Said};
use super::scenario::Scenario;
use crate::rdt::environment::Happening;
use crate::report::{MismatchReport, grouped};
use lwp_regs::rdt::{L2Mask, L2QosCfg, L3Mask, L3QosCfg, MbaThrottle};
use std::fmt::Write;

/// A number of bytes.
pub(super) fn size(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} bytes"),
        1024..0x10_0000 => format!("{} KiB", tenths(bytes, 1024)),
        _ => format!("{} MiB", tenths(bytes, 0x10_0000)),
    }
}

fn tenths(bytes: u64, unit: u64) -> String {
    let text = format!("{:.1}", bytes as f64 / unit as f64);
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}

/// What a register said, for people.
pub(super) fn said(said: Option<Said>) -> String {
    match said {
        Some(Said::Number(number)) => grouped(number),
        Some(Said::Error) => "error".to_owned(),
        Some(Said::Unavailable) => "unavailable".to_owned(),
        None => "-".to_owned(),
    }
}

/// Hits of the shared caches among the accesses to them, in percent.
pub(super) fn hit_rate(program: &Ended) -> String {
    let traffic = program.traffic;
    match traffic.accesses {
        0 => "-".to_owned(),
        accesses => format!("{:.1} %", 100.0 * (traffic.l2_hits + traffic.l3_hits) as f64 / accesses as f64),
    }
}

/// The caches, in a line.
pub(super) fn caches(scenario: &Scenario) -> String {
    let straps = scenario.straps();
    let cache = |sets: u8, ways: u8| {
        let bytes = u64::from(ways) << (sets + straps.line);
        format!("{} sets of {ways} ways, {}", 1u32 << sets, size(bytes))
    };
    let l2 = if straps.l2 { format!("; L2 {}", cache(straps.l2_sets, straps.l2_ways)) } else { "; no L2".to_owned() };
    format!("L3 {}; lines of {} bytes{l2}", cache(straps.l3_sets, straps.l3_ways), 1u32 << straps.line)
}

/// Masks, delays and CDP of the session, as writes of registers.
pub(super) fn limits(scenario: &Scenario) -> Vec<String> {
    let session = scenario.session();
    let first = session.writes.iter().map(|write| (None, write));
    let later = session.events.iter().filter_map(|(at, event)| match event {
        Happening::Writes(writes) => Some(writes.iter().map(move |write| (Some(*at), write))),
        _ => None,
    });
    let limits = first.chain(later.flatten()).filter(|(_, write)| write.assigns.is_none());
    limits
        .map(|(at, write)| {
            let at = at.map_or_else(String::new, |at| format!(" from cycle {}", grouped(at)));
            format!("{}{at}", limit(write.number, write.value))
        })
        .collect()
}

fn limit(number: u32, value: u64) -> String {
    let index = |first: u32, count: u32| number.checked_sub(first).filter(|n| *n < count);
    match number {
        L3QosCfg::ADDRESS => return format!("IA32_L3_QOS_CFG {value:#x}"),
        L2QosCfg::ADDRESS => return format!("IA32_L2_QOS_CFG {value:#x}"),
        _ => {}
    }
    if let Some(n) = index(L3Mask::FIRST_ADDRESS, L3Mask::COUNT) {
        format!("IA32_L3_MASK_{n} {value:#x}")
    } else if let Some(n) = index(L2Mask::FIRST_ADDRESS, L2Mask::COUNT) {
        format!("IA32_L2_MASK_{n} {value:#x}")
    } else if let Some(n) = index(MbaThrottle::FIRST_ADDRESS, MbaThrottle::COUNT) {
        format!("delay of class {n} {value}")
    } else {
        format!("{number:#x} {value:#x}")
    }
}

/// Whether model and RTL agreed, in all these runs.
pub(super) fn verdict<'a>(scenario: &Scenario, runs: impl Iterator<Item = &'a Measured> + Clone) -> String {
    let cycles = grouped(runs.clone().map(|run| run.compared).sum());
    match runs.filter_map(|run| run.mismatch.as_ref()).map(MismatchReport::cycle).next() {
        Some(cycle) => format!("{cycles} cycles of model and RTL, MISMATCH in cycle {cycle}"),
        None if scenario.in_lockstep() => format!("{cycles} cycles of model and RTL, no mismatch"),
        None if !scenario.rtl => "nothing: the model ran alone (--no-rtl)".to_owned(),
        None => "nothing: no build of the RTL has a cache of this size; the model ran alone".to_owned(),
    }
}

/// The lines at the top: what runs, on what.
pub(super) fn head<'a>(scenario: &Scenario, runs: impl Iterator<Item = &'a Measured> + Clone) -> String {
    let mut text = String::new();
    let mut line = |label: &str, value: &str| {
        let _ = writeln!(text, "{label:<16}{value}");
    };
    line("caches", &caches(scenario));
    let limits = limits(scenario);
    line("limits", limits.first().map_or("none", String::as_str));
    limits.iter().skip(1).for_each(|limit| line("", limit));
    let cycles: Vec<String> = runs.clone().map(|run| grouped(run.cycles)).collect();
    line("cycles", &cycles.join(", "));
    line("compared", &verdict(scenario, runs.clone()));
    let left = runs.map(|run| run.events_left).max().unwrap_or(0);
    if left > 0 {
        line("not met", &format!("{left} events of the session, which were due after the end"));
    }
    text
}

/// A table of cells, the first column to the left and the others to the right.
pub(super) fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width =
        |at: usize| rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row
            .iter()
            .zip(&widths)
            .enumerate()
            .map(|(at, (cell, width))| if at == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") });
        let _ = writeln!(text, "{}", cells.collect::<Vec<_>>().join("  ").trim_end());
    }
    text
}

/// One run: a line for each program.
pub(super) fn run(scenario: &Scenario, measured: &Measured) -> String {
    let mut text = head(scenario, std::iter::once(measured));
    if measured.mismatch.is_some() {
        return text;
    }
    let l2 = scenario.straps().l2;
    let first = scenario.front.first.is_some();
    let names = ["program", "lp", "rmid", "class", "accesses"];
    let mut header: Vec<String> = names.iter().map(ToString::to_string).collect();
    header.extend(first.then(|| "L1 hits".to_owned()));
    header.extend(l2.then(|| "L2 hits".to_owned()));
    header.extend(["L3 hits", "misses", "hit rate", "lines", "bytes", "local", "cycles"].map(str::to_owned));
    let mut rows = vec![header];
    let last = measured.last();
    for program in &measured.programs {
        let Ended { lp, assigned, before, traffic, cycles } = program;
        let mut row =
            vec![scenario.names[*lp].clone(), lp.to_string(), assigned.rmid.to_string(), assigned.class.to_string()];
        row.push(grouped(if first { before.data } else { traffic.accesses }));
        row.extend(first.then(|| grouped(before.data_hits)));
        row.extend(l2.then(|| grouped(traffic.l2_hits)));
        row.extend([grouped(traffic.l3_hits), grouped(traffic.misses()), hit_rate(program)]);
        let point = last.get(&assigned.rmid);
        row.extend(
            [
                point.and_then(|point| point.lines),
                point.and_then(|point| point.total),
                point.and_then(|point| point.local),
            ]
            .map(said),
        );
        row.push(grouped(*cycles));
        rows.push(row);
    }
    let _ = write!(text, "\n{}", table(&rows));
    text
}
