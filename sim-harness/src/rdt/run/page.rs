//! Runs as one page of HTML that needs nothing else.

use super::chart::{Chart, Curve, escaped};
use super::compare::{Comparison, RUNS};
use super::measured::{Measured, Point, Said};
use super::scenario::Scenario;
use super::text::{caches, limits, verdict};
use std::fmt::Write;

const STYLE: &str = "\
:root { --ink: #1b1b1b; --faint: #6b6b6b; --line: #dcdcdc; --page: #ffffff }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8e8; --faint: #a0a0a0; --line: #3c3c3c; --page: #161616 } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); max-width: 1120px; margin: 2em auto; padding: 0 1em }
h1 { font-size: 1.5em } h2 { font-size: 1.15em; margin-top: 1.6em }
.row { display: flex; flex-wrap: wrap; gap: 1em } figure { flex: 1 1 420px; margin: 0 } figcaption { font-weight: 600 }
svg { width: 100%; height: auto } .tick { font-size: 11px; fill: var(--faint) } .grid { stroke: var(--line) }
.level { stroke: var(--faint); stroke-dasharray: 4 3 } .curve { fill: none; stroke-width: 2; stroke: var(--c) }
table { border-collapse: collapse; margin: .6em 0 } td, th { padding: .2em .8em; text-align: right; border-bottom: 1px solid var(--line) }
td:first-child, th:first-child { text-align: left } dt { font-weight: 600 } dd { margin: 0 0 .4em 1.5em }
.key { display: inline-block; width: 1.6em; height: .3em; margin-right: .4em; vertical-align: middle; background: var(--c) }
.c0 { --c: #0072b2 } .c1 { --c: #d55e00 } .c2 { --c: #009e73 } .c3 { --c: #cc79a7 } .c4 { --c: #e69f00 } .c5 { --c: #56b4e9 } .c6 { --c: #8c6d1f } .c7 { --c: #777777 }";

/// Cycles that the bandwidth is given for.
const PER: f64 = 1000.0;

/// One run.
pub(super) fn run(scenario: &Scenario, measured: &Measured) -> String {
    let mut text = begin(scenario, std::iter::once(measured));
    let scale = Scale::of(scenario, std::iter::once(measured));
    let charts = [
        lines(scenario, measured, "lines in the L3 cache", &scale),
        bytes(scenario, measured, "bandwidth to memory", &scale),
    ];
    let _ = write!(text, "<div class=\"row\">\n{}{}</div>\n", charts[0], charts[1]);
    let _ = write!(text, "<pre>{}</pre>\n</body>\n</html>\n", escaped(&super::text::run(scenario, measured)));
    text
}

/// A comparison: together on the left, with limits on the right.
pub(super) fn comparison(scenario: &Scenario, comparison: &Comparison) -> String {
    let mut text = begin(scenario, comparison.runs());
    let both = [&comparison.together, &comparison.limited];
    let scale = Scale::of(scenario, both.into_iter());
    for (title, chart) in [("Lines in the L3 cache", lines as Draw), ("Bandwidth to memory", bytes as Draw)] {
        let [left, right] = [chart(scenario, both[0], RUNS[1], &scale), chart(scenario, both[1], RUNS[2], &scale)];
        let _ = write!(text, "<h2>{title}</h2>\n<div class=\"row\">\n{left}{right}</div>\n");
    }
    text.push_str("<h2>Programs</h2>\n");
    for (number, name) in scenario.names.iter().enumerate() {
        let assigned = scenario.session().programs[number];
        let [alone, together, limited] = RUNS;
        let _ = write!(
            text,
            "<table>\n<tr><th><span class=\"key c{}\"></span>{}: RMID {}, class {}</th><th>{alone}</th><th>{together}</th><th>{limited}</th></tr>\n",
            number % 8,
            escaped(name),
            assigned.rmid,
            assigned.class
        );
        for cells in comparison.rows(number) {
            let cells: String = cells.iter().map(|cell| format!("<td>{}</td>", escaped(cell))).collect();
            let _ = writeln!(text, "<tr>{cells}</tr>");
        }
        text.push_str("</table>\n");
    }
    text.push_str("</body>\n</html>\n");
    text
}

type Draw = fn(&Scenario, &Measured, &str, &Scale) -> String;

/// Title, legend, and what ran on what.
fn begin<'a>(scenario: &Scenario, runs: impl Iterator<Item = &'a Measured> + Clone) -> String {
    let names = scenario.names.iter().map(|name| escaped(name)).collect::<Vec<_>>().join(", ");
    let mut text = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>Shared cache: {names}</title>\n<style>\n{STYLE}\n</style>\n</head>\n<body>\n<h1>Shared cache: {names}</h1>\n<p>"
    );
    for (number, name) in scenario.names.iter().enumerate() {
        let assigned = scenario.session().programs[number];
        let (colour, name) = (number % 8, escaped(name));
        let _ = write!(
            text,
            "<span class=\"key c{colour}\"></span>{name} (RMID {}, class {}) &nbsp; ",
            assigned.rmid, assigned.class
        );
    }
    text.push_str("</p>\n<dl>\n");
    let limits = limits(scenario);
    let limits = if limits.is_empty() { "none".to_owned() } else { limits.join("; ") };
    for (term, what) in [("Caches", caches(scenario)), ("Limits", limits), ("Compared", verdict(scenario, runs))] {
        let _ = writeln!(text, "<dt>{term}</dt><dd>{}</dd>", escaped(&what));
    }
    text.push_str("</dl>\n");
    text
}

/// The axes that the figures of a page share.
struct Scale {
    right: f64,
    lines: f64,
    bytes: f64,
}

impl Scale {
    fn of<'a>(scenario: &Scenario, runs: impl Iterator<Item = &'a Measured> + Clone) -> Self {
        let straps = scenario.straps();
        let curves = |run: &'a Measured| bandwidths(scenario, run).into_iter().flat_map(|curve| curve.points);
        let bytes = runs.clone().flat_map(curves).map(|(_, bytes)| bytes).fold(0.0, f64::max);
        Self {
            right: runs.map(|run| run.cycles).max().unwrap_or(0) as f64,
            lines: f64::from(u32::from(straps.l3_ways) << straps.l3_sets) * 1.08,
            bytes: bytes * 1.05,
        }
    }
}

fn lines(scenario: &Scenario, run: &Measured, title: &str, scale: &Scale) -> String {
    let straps = scenario.straps();
    let all = u32::from(straps.l3_ways) << straps.l3_sets;
    let curves = curves(scenario, run, |points| {
        let number = |point: &Point| match point.lines {
            Some(Said::Number(lines)) => Some((since(run, point), lines as f64)),
            _ => None,
        };
        points.iter().filter_map(number).collect()
    });
    let level = Some((f64::from(all), format!("{all} lines")));
    Chart { title, unit: "lines", curves, right: scale.right, top: scale.lines, level }.svg()
}

fn bytes(scenario: &Scenario, run: &Measured, title: &str, scale: &Scale) -> String {
    let curves = bandwidths(scenario, run);
    Chart { title, unit: "bytes per 1000 cycles", curves, right: scale.right, top: scale.bytes, level: None }.svg()
}

/// The bandwidth of each program between two readings.
fn bandwidths(scenario: &Scenario, run: &Measured) -> Vec<Curve> {
    curves(scenario, run, |points| {
        let known: Vec<(f64, f64)> = points
            .iter()
            .filter_map(|point| match point.total {
                Some(Said::Number(bytes)) => Some((since(run, point), bytes as f64)),
                _ => None,
            })
            .collect();
        // A figure cannot show more readings than it has points, and the mean of several is what it then shows.
        let step = known.len().div_ceil(200).max(1);
        let known: Vec<_> = std::iter::once((0.0, 0.0)).chain(known.into_iter().step_by(step)).collect();
        let rate = |pair: &[(f64, f64)]| {
            let cycles = pair[1].0 - pair[0].0;
            (cycles > 0.0).then(|| (pair[1].0, (pair[1].1 - pair[0].1) / cycles * PER))
        };
        known.windows(2).filter_map(rate).collect()
    })
}

/// A curve for each program of a run.
fn curves(scenario: &Scenario, run: &Measured, points: impl Fn(&[Point]) -> Vec<(f64, f64)>) -> Vec<Curve> {
    let curve = |program: &super::measured::Ended| {
        let of: Vec<Point> = run.of_rmid(program.assigned.rmid).copied().collect();
        Curve { name: scenario.names[program.lp].clone(), colour: program.lp, points: points(&of) }
    };
    run.programs.iter().map(curve).collect()
}

fn since(run: &Measured, point: &Point) -> f64 {
    point.cycle.saturating_sub(run.begin) as f64
}
