//! The report for a terminal.

use super::analysis::{Analysis, CycleReport, FieldReport};
use anstyle::{AnsiColor, Style};
use std::fmt::{self, Write};

const BAD: Style = AnsiColor::Red.on_default().bold();
const TITLE: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();
/// Letters of a line, beyond which it goes on in the next.
const WIDTH: usize = 110;
/// Differing fields that are listed.
const LISTED: usize = 12;
/// What a cycle changes, in the table.
const CHANGES: usize = 5;

impl Analysis {
    /// The report with colours, as escape sequences: print it through something that takes them out where they do not
    /// belong, or take [`plain_text`](Self::plain_text).
    #[must_use]
    pub fn coloured_text(&self) -> String {
        let mut text = String::new();
        // A string takes everything.
        let _ = self.write(&mut text);
        text
    }

    /// The report without colours.
    #[must_use]
    pub fn plain_text(&self) -> String {
        anstream::adapter::strip_str(&self.coloured_text()).to_string()
    }

    fn write(&self, to: &mut String) -> fmt::Result {
        writeln!(to, "{BAD}{}{BAD:#}", self.headline)?;
        if let (Some(detail), Some(_)) = (&self.detail, &self.field) {
            writeln!(to, "  {}: {detail}", self.kind)?;
        }
        self.behaviour.iter().try_for_each(|line| writeln!(to, "  {line}"))?;
        self.write_stage(to)?;
        self.write_requirements(to)?;
        self.write_differences(to)?;
        section(to, "the last cycles (what comes in, then what the model makes of it)")?;
        self.cycles.iter().try_for_each(|cycle| self.write_cycle(to, cycle))?;
        if let Some(from) = self.idle_from {
            writeln!(
                to,
                "  {FAINT}the capsule ends before cycle {from}; page and waves go on with idle inputs{FAINT:#}"
            )?;
        }
        section(to, "the run")?;
        writeln!(to, "  {}, {}", self.source, self.build_text())?;
        if !self.straps.is_empty() {
            wrapped(to, 2, 4, &format!("straps: {}", self.straps.join(", ")))?;
        }
        if !self.default_straps.is_empty() {
            wrapped(to, 2, 4, &format!("straps at their default: {}", self.default_straps.join(", ")))?;
        }
        if let Some(repeat) = &self.repeat {
            writeln!(to, "  again: {repeat}")?;
        }
        Ok(())
    }

    fn write_stage(&self, to: &mut String) -> fmt::Result {
        let Some(stage) = &self.stage else { return Ok(()) };
        section(to, &format!("why {}", stage.name))?;
        wrapped(to, 2, 4, &stage.because)?;
        writeln!(to, "  rules: {}", stage.chapter)?;
        writeln!(to, "  RTL:   {}", stage.rtl.join(" "))?;
        writeln!(to, "  model: {}", stage.model.join(" "))
    }

    fn write_requirements(&self, to: &mut String) -> fmt::Result {
        if self.requirements.is_empty() {
            return Ok(());
        }
        section(to, "what it touches")?;
        self.requirements.iter().try_for_each(|row| wrapped(to, 2, 14, &format!("{}  {}", row.id, row.statement)))
    }

    fn write_differences(&self, to: &mut String) -> fmt::Result {
        let others: Vec<&FieldReport> = self
            .differences
            .iter()
            .filter(|other| self.field.as_ref().is_none_or(|first| first.name != other.name))
            .collect();
        if others.is_empty() {
            return Ok(());
        }
        section(to, &format!("also different in cycle {}", self.cycle))?;
        for field in others.iter().take(LISTED) {
            writeln!(to, "  {}: model {}, RTL {}", field.name, field.model, field.rtl)?;
        }
        if others.len() > LISTED { writeln!(to, "  and {} more", others.len() - LISTED) } else { Ok(()) }
    }

    fn write_cycle(&self, to: &mut String, row: &CycleReport) -> fmt::Result {
        let mark = match row.cycle {
            cycle if cycle == self.cycle && row.differing == 0 => " <- fails here",
            cycle if cycle == self.cycle => " <- differs here",
            cycle if Some(cycle) == self.cause_cycle => " <- its edge did it",
            _ => "",
        };
        writeln!(to, "  {TITLE}{}{TITLE:#} {FAINT}{}{FAINT:#}{BAD}{mark}{BAD:#}", row.cycle, row.mode)?;
        // What comes into the failing cycle is too late to have made a register differ.
        if row.cycle == self.cycle && row.differing > 0 {
            return Ok(());
        }
        row.inputs.iter().try_for_each(|line| wrapped(to, 6, 8, line))?;
        if row.changes.is_empty() {
            return Ok(());
        }
        let shown = if Some(row.cycle) == self.cause_cycle { row.changes.len() } else { CHANGES };
        let more = row.changes.len().saturating_sub(shown);
        let list = row.changes.iter().take(shown).cloned().collect::<Vec<_>>().join(", ");
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        wrapped(to, 4, 7, &format!("=> {list}{more}"))
    }
}

/// A line that goes on below itself where it is too long.
fn wrapped(to: &mut String, first: usize, rest: usize, line: &str) -> fmt::Result {
    let (first, rest) = (" ".repeat(first), " ".repeat(rest));
    let options = textwrap::Options::new(WIDTH).initial_indent(&first).subsequent_indent(&rest).break_words(false);
    textwrap::wrap(line, options).iter().try_for_each(|line| writeln!(to, "{line}"))
}

fn section(to: &mut String, title: &str) -> fmt::Result {
    writeln!(to, "\n{TITLE}{title}{TITLE:#}")
}
