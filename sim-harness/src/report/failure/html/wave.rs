//! The waveform, drawn from the rows.

use super::escape;
use super::segments::{Segment, fitting, segments};
use crate::report::UnitReport;
use crate::report::failure::evidence::{Evidence, EvidenceRow};
use crate::report::failure::watch::{Side, Watched};
use std::fmt::{self, Write};

/// Cycles that are drawn before and after the failing one.
const BEFORE: usize = 10;
const AFTER: usize = 3;
/// Sizes in pixels.
const COLUMN: usize = 64;
const LINE: usize = 30;
const HEAD: usize = 40;
const FOOT: usize = 6;
/// Height of a signal within its line, and how far a bus leans at its ends.
const HIGH: usize = 20;
const LEAN: usize = 4;
/// Pixels of a letter.
const LETTER: f64 = 6.7;

/// Whose values a line shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lane {
    Only,
    Model,
    Rtl,
}

/// One line of the drawing.
struct Line<'a> {
    watched: &'a Watched,
    lane: Lane,
}

/// The drawing: names at the left, waves that scroll at the right.
pub(super) fn draw(evidence: &Evidence, watched: &[Watched], failing: usize) -> String {
    let rows = &evidence.rows[failing.saturating_sub(BEFORE)..(failing + AFTER + 1).min(evidence.rows.len())];
    let lines = lines(watched, rows);
    let mut text = String::new();
    // A string takes everything.
    let _ = write_all(&mut text, evidence, rows, &lines);
    text
}

/// A signal that differs anywhere in the window has a line for each side.
fn lines<'a>(watched: &'a [Watched], rows: &[EvidenceRow]) -> Vec<Line<'a>> {
    let differs = |signal: &Watched| {
        signal.side == Side::Both && rows.iter().any(|row| signal.field.of(&row.model) != signal.field.of(&row.rtl))
    };
    let split = |watched: &'a Watched| {
        let lanes: &[Lane] = if differs(watched) { &[Lane::Model, Lane::Rtl] } else { &[Lane::Only] };
        lanes.iter().map(move |&lane| Line { watched, lane })
    };
    watched.iter().flat_map(split).collect()
}

fn write_all(to: &mut String, evidence: &Evidence, rows: &[EvidenceRow], lines: &[Line<'_>]) -> fmt::Result {
    let (width, height) = (COLUMN * rows.len(), HEAD + LINE * lines.len() + FOOT);
    write!(to, "<div class=\"wave\"><div class=\"names\" style=\"padding-top:{HEAD}px\">")?;
    for line in lines {
        let side = match line.lane {
            Lane::Only => "",
            Lane::Model => " <i>model</i>",
            Lane::Rtl => " <i class=\"bad\">RTL</i>",
        };
        let name = line.watched.name.strip_prefix("state.").unwrap_or(&line.watched.name);
        let class = if line.watched.differs { " class=\"differs\"" } else { "" };
        write!(
            to,
            "<div{class} style=\"height:{LINE}px\" title=\"{0}\"><span>{name}</span>{side}</div>",
            escape(&line.watched.name)
        )?;
    }
    let label = "Waveform around the failing cycle";
    write!(
        to,
        "</div><div class=\"scroll\" tabindex=\"0\"><svg role=\"img\" aria-label=\"{label}\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">"
    )?;
    write_ruler(to, evidence, rows, height)?;
    for (at, line) in lines.iter().enumerate() {
        write_line(to, evidence.unit().report, line, rows, HEAD + LINE * at + (LINE - HIGH) / 2)?;
    }
    write!(to, "</svg></div></div>")
}

/// Numbers of cycles, edges, and bands behind the two cycles that matter and behind those after the capsule.
fn write_ruler(to: &mut String, evidence: &Evidence, rows: &[EvidenceRow], height: usize) -> fmt::Result {
    let failing = evidence.cycle;
    for (at, row) in rows.iter().enumerate() {
        let (x, middle) = (COLUMN * at, COLUMN * at + COLUMN / 2);
        let (class, note) = match row.cycle {
            cycle if cycle == failing && row.model == row.rtl => ("failing", "fails"),
            cycle if cycle == failing => ("failing", "differs"),
            cycle if cycle.checked_add(1) == Some(failing) => ("cause", "cause"),
            cycle if evidence.is_idle(cycle) => ("idle", "after it"),
            _ => ("", ""),
        };
        if !class.is_empty() {
            write!(to, "<rect class=\"{class}\" x=\"{x}\" y=\"0\" width=\"{COLUMN}\" height=\"{height}\"/>")?;
            write!(to, "<text class=\"note {class}\" x=\"{middle}\" y=\"32\">{note}</text>")?;
        }
        write!(
            to,
            "<path class=\"grid\" d=\"M{x} {HEAD}V{height}\"/><text class=\"cycle\" x=\"{middle}\" y=\"15\">{}</text>",
            row.cycle
        )?;
    }
    Ok(())
}

fn write_line(
    to: &mut String,
    unit: &dyn UnitReport,
    line: &Line<'_>,
    rows: &[EvidenceRow],
    top: usize,
) -> fmt::Result {
    let field = &line.watched.field;
    let shown: Vec<&[u32]> = rows.iter().map(|row| line.words(row)).collect();
    let list = segments(rows.iter().zip(&shown).map(|(row, shown)| (field.of(shown), line.differs_in(row))));
    if field.width == 1 {
        write_bit(to, &list, top)
    } else {
        let bus = |segment: &Segment| write_bus(to, unit, line, segment, shown[segment.from], top);
        list.iter().try_for_each(bus)
    }
}

impl Line<'_> {
    /// The words that hold the signal.
    fn words<'r>(&self, row: &'r EvidenceRow) -> &'r [u32] {
        match (self.watched.side, self.lane) {
            (Side::Inputs, _) => &row.inputs,
            (Side::Both, Lane::Rtl) => &row.rtl,
            (Side::Both, _) => &row.model,
        }
    }

    /// It is the RTL's line, and the model has another value.
    fn differs_in(&self, row: &EvidenceRow) -> bool {
        self.lane == Lane::Rtl && self.watched.field.of(&row.model) != self.watched.field.of(&row.rtl)
    }
}

/// A level for each segment, and edges between them.
fn write_bit(to: &mut String, list: &[Segment], top: usize) -> fmt::Result {
    let level = |segment: &Segment| if segment.value == 1 { top } else { top + HIGH };
    for (at, segment) in list.iter().enumerate() {
        let from = if at == 0 { level(segment) } else { level(&list[at - 1]) };
        let class = if segment.differs { "bit off" } else { "bit" };
        let (x, end, y) = (COLUMN * segment.from, COLUMN * segment.to, level(segment));
        write!(to, "<path class=\"{class}\" d=\"M{x} {from}V{y}H{end}\"><title>{}</title></path>", segment.value)?;
    }
    Ok(())
}

/// A lozenge with the value in it.
fn write_bus(
    to: &mut String,
    unit: &dyn UnitReport,
    line: &Line<'_>,
    segment: &Segment,
    words: &[u32],
    top: usize,
) -> fmt::Result {
    let (x, end) = (COLUMN * segment.from, COLUMN * segment.to);
    let (short, long) = labels(unit, line, segment.value, words);
    let class = match (segment.differs, segment.value) {
        (true, _) => "bus off",
        (_, 0) => "zero",
        _ => "bus",
    };
    let (middle, low) = (top + HIGH / 2, top + HIGH);
    let (left, right) = (x + LEAN, end - LEAN);
    let d = format!("M{x} {middle}L{left} {top}H{right}L{end} {middle}L{right} {low}H{left}Z");
    write!(to, "<path class=\"{class}\" d=\"{d}\"><title>{}</title></path>", escape(&long))?;
    let room = ((end - x - 2 * LEAN - 4) as f64 / LETTER) as usize;
    let label = fitting(&short, room);
    write!(to, "<text x=\"{}\" y=\"{}\">{}</text>", (x + end) / 2, middle + 4, escape(&label))
}

/// What stands in a segment, and what it says when pointed at.
fn labels(unit: &dyn UnitReport, line: &Line<'_>, value: u64, words: &[u32]) -> (String, String) {
    let number = if line.watched.field.width <= 8 { value.to_string() } else { format!("{value:#x}") };
    if line.watched.side == Side::Inputs {
        let name = unit.input_name(&line.watched.name, value);
        return (name.unwrap_or(number), format!("{value:#x}"));
    }
    match unit.meaning(&line.watched.name, value, words) {
        Some(name) if unit.is_code(&line.watched.name) => (name.clone(), format!("{value:#x}: {name}")),
        Some(name) => (number, format!("{value:#x}: {name}")),
        None => (number, format!("{value:#x}")),
    }
}
