//! The result of a count, for people and for programs.

use super::event::{Event, Wanted};
use super::formula::Formula;
use super::run::Counts;
use super::summary::{mean, summary};
use crate::report::{MismatchReport, grouped};
use lwp_model::Choice;
use lwp_model::perf::{Config, Personality};
use lwp_regs::perf::metrics::Megahertz;
use lwp_regs::perf::p6;
use serde_json::{Value, json};
use std::fmt::Write;

/// What was counted, on what.
#[derive(Clone, Copy, Debug)]
pub struct Measured<'a> {
    /// Events.
    pub events: &'a [Wanted],
    /// Straps of the unit.
    pub straps: &'a Config,
    /// What ran.
    pub engine: &'static str,
    /// Trace, or program with its arguments.
    pub of: &'a str,
    /// The clock, if it is known.
    pub clock: Option<Megahertz>,
    /// Metrics of the user's own.
    pub metrics: &'a [Formula],
    /// Whether the study's summary is printed.
    pub summary: bool,
}

/// The result of one or several runs.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// What was counted.
    pub measured: Measured<'a>,
    /// Each run.
    pub runs: &'a [Counts],
}

impl Report<'_> {
    /// Returns the text for people.
    #[must_use]
    pub fn text(&self) -> String {
        let (mut text, measured) = (String::new(), &self.measured);
        let Some(first) = self.runs.first() else { return text };
        let mut line = |label: &str, value: String| {
            let _ = writeln!(text, "{label:<16}{value}");
        };
        line("counted", measured.of.to_owned());
        line("processor", self.processor());
        let instructions: u64 = self.runs.iter().map(|run| run.instructions).sum();
        line("instructions", grouped(instructions / self.runs.len() as u64));
        let passes = if first.passes == 1 { "pass" } else { "passes" };
        let runs = if self.runs.len() > 1 { format!(" in each of {} runs", self.runs.len()) } else { String::new() };
        line("passes", format!("{} {passes}{runs}", first.passes));
        line("compared", self.verdict());
        for note in self.runs.iter().flat_map(|run| &run.notes) {
            line("note", note.clone());
        }
        if self.mismatch().is_some() {
            // The passes were not made to their end: the counts would be none.
            return text;
        }
        self.table(&mut text);
        for (name, value) in self.metrics() {
            let value = value.map_or_else(|| "undefined".to_owned(), |value| format!("{value:.6}"));
            let _ = writeln!(text, "{name}: {value}");
        }
        if measured.summary {
            let _ = write!(text, "\n{}", summary(&self.of_p6(), measured.clock));
        }
        text
    }

    /// A line for each event.
    fn table(&self, text: &mut String) {
        let width = self.measured.events.iter().map(|event| event.label().len()).max().unwrap_or(0).max(5);
        let _ = writeln!(text, "\n{:>16} {:>16}  {:<width$}  select", "count", "exact", "event");
        for (at, event) in self.measured.events.iter().enumerate() {
            let counts = self.counts(at);
            let (count, exact) = (mean(&counts).0, mean(&self.exact(at)).0);
            let spread = if counts.len() > 1 { format!("  +- {:.1}", mean(&counts).1) } else { String::new() };
            let select = self.runs[0].events[at].select;
            let (count, exact, label) = (grouped(count.round() as u64), grouped(exact.round() as u64), event.label());
            let _ = writeln!(text, "{count:>16} {exact:>16}  {label:<width$}  {select:#010x}{spread}");
        }
    }

    fn processor(&self) -> String {
        let straps = self.measured.straps;
        match straps.personality {
            Personality::P6 => straps.p6_model.to_string(),
            version => {
                let fixed = if straps.fixed > 0 { format!(" and {} fixed", straps.fixed) } else { String::new() };
                format!("architectural events, {}: {} general{fixed} counters", version.name(), straps.counters)
            }
        }
    }

    fn verdict(&self) -> String {
        let cycles: u64 = self.runs.iter().map(|run| run.compared).sum();
        match (self.measured.engine, self.mismatch()) {
            ("lockstep", None) => format!("{} cycles, no mismatch", grouped(cycles)),
            (_, None) => format!("nothing: only the {} ran", self.measured.engine),
            (_, Some(found)) => format!("{} cycles, MISMATCH in cycle {}", grouped(cycles), found.cycle()),
        }
    }

    /// The first difference of model and RTL.
    fn mismatch(&self) -> Option<&MismatchReport> {
        self.runs.iter().find_map(|run| run.mismatch.as_ref().map(|(_, found)| found))
    }

    /// The counts of an event in each run.
    fn counts(&self, at: usize) -> Vec<f64> {
        self.runs.iter().map(|run| run.events[at].count as f64).collect()
    }

    fn exact(&self, at: usize) -> Vec<f64> {
        self.runs.iter().map(|run| run.events[at].exact as f64).collect()
    }

    /// The counts of P6 events, for the summary.
    fn of_p6(&self) -> Vec<Vec<(&'static p6::Event, u64)>> {
        let event = |at: usize| match self.measured.events[at].event {
            Event::P6(event, _) => Some(event),
            Event::Architectural(_) => None,
        };
        let run = |run: &Counts| {
            run.events.iter().enumerate().filter_map(|(at, count)| Some((event(at)?, count.count))).collect()
        };
        self.runs.iter().map(run).collect()
    }

    /// Metrics of the user's own: their means.
    fn metrics(&self) -> Vec<(&str, Option<f64>)> {
        let of = |formula: &Formula, run: &Counts| {
            formula.value(|given| {
                let at = self.measured.events.iter().position(|event| event.is_called(given, self.measured.straps))?;
                Some(run.events[at].count as f64)
            })
        };
        let value = |formula: &Formula| {
            let values: Option<Vec<f64>> = self.runs.iter().map(|run| of(formula, run)).collect();
            values.map(|values| mean(&values).0)
        };
        self.measured.metrics.iter().map(|formula| (formula.name.as_str(), value(formula))).collect()
    }

    /// Returns the object for programs.
    #[must_use]
    pub fn json(&self) -> Value {
        let first = &self.runs[0];
        let sum = |of: fn(&Counts) -> u64| self.runs.iter().map(of).sum::<u64>();
        let interval = |interval: &super::run::Interval| json!({ "instructions": interval.instructions, "counts": interval.counts });
        let metrics = self.metrics().into_iter().map(|(name, value)| json!({ "metric": name, "value": value }));
        json!({
            "personality": self.measured.straps.personality.name(),
            "processor": self.processor(),
            "engine": self.measured.engine,
            "counted": self.measured.of,
            "runs": self.runs.len(),
            "passes": first.passes,
            "instructions": sum(|run| run.instructions) / self.runs.len() as u64,
            "cycles": sum(|run| run.cycles),
            "cycles_compared": sum(|run| run.compared),
            "mismatch": self.mismatch().map(MismatchReport::first),
            "clock_mhz": self.measured.clock.map(Megahertz::get),
            "events": (0..self.measured.events.len()).map(|at| self.event_json(at)).collect::<Vec<_>>(),
            "metrics": metrics.collect::<Vec<_>>(),
            "intervals": first.intervals.iter().map(interval).collect::<Vec<_>>(),
        })
    }

    fn event_json(&self, at: usize) -> Value {
        let (event, first) = (&self.measured.events[at], &self.runs[0].events[at]);
        let mut value = json!({
            "event": event.name,
            "select": format!("{:#x}", first.select),
            "modifiers": event.modifiers.text(),
            "count": first.count,
            "exact": first.exact,
        });
        if self.runs.len() > 1 {
            let counts = self.counts(at);
            let (mean, deviation) = mean(&counts);
            value["count"] = json!(mean);
            value["exact"] = json!(super::summary::mean(&self.exact(at)).0);
            value["deviation"] = json!(deviation);
            value["counts"] = self.runs.iter().map(|run| run.events[at].count).collect();
        }
        value
    }
}
