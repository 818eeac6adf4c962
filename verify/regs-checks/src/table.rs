//! The table of what accesses cost.

use crate::Code;
use std::fmt;

/// One access in several ways.
#[derive(Clone, Debug)]
pub struct Row {
    /// What is done.
    pub access: &'static str,
    /// The way of `lwp-regs`.
    pub ours: Code,
    /// The shift and mask that one would write by hand.
    pub by_hand: Code,
    /// The ways of other crates, with their names.
    pub others: Vec<(&'static str, Code)>,
    /// Why ours is longer, if it is.
    pub because: Option<&'static str>,
}

/// Rows, to be printed as a table of Markdown that can be read as it is.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// In the order in which they are printed.
    pub rows: Vec<Row>,
}

impl Row {
    /// What is wrong: ours is longer than the twin without a reason, a reason is given without need, or a call hides
    /// what something costs.
    #[must_use]
    pub fn problem(&self) -> Option<String> {
        let (ours, by_hand) = (self.ours.count(), self.by_hand.count());
        let text = match self.because {
            _ if self.ours.calls() || self.by_hand.calls() => "a call hides what it costs".to_owned(),
            None if ours > by_hand => format!("{ours} instructions, and {by_hand} by hand"),
            Some(because) if ours <= by_hand => format!("no longer than by hand, so there is no need of \"{because}\""),
            _ => return None,
        };
        let Row { access, ours, by_hand, .. } = self;
        Some(format!("{access}: {text}\n  lwp-regs:\n{ours}  by hand:\n{by_hand}"))
    }

    fn cells(&self) -> [String; 4] {
        let other = |(name, code): &(&str, Code)| {
            let call = if code.calls() { " and a call" } else { "" };
            format!("{name} {}{call}", code.count())
        };
        let others: Vec<_> = self.others.iter().map(other).collect();
        [self.access.to_owned(), self.ours.count().to_string(), self.by_hand.count().to_string(), others.join(", ")]
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head = ["access", "lwp-regs", "by hand", "others"].map(str::to_owned);
        let cells: Vec<_> = std::iter::once(head).chain(self.rows.iter().map(Row::cells)).collect();
        let [a, b, c, d] =
            std::array::from_fn(|column| cells.iter().map(|row| row[column].chars().count()).max().unwrap_or_default());
        for (n, [access, ours, by_hand, others]) in cells.iter().enumerate() {
            writeln!(f, "| {access:<a$} | {ours:>b$} | {by_hand:>c$} | {others:<d$} |")?;
            if n == 0 {
                let dash = |length| "-".repeat(length);
                writeln!(f, "|-{}-|-{}:|-{}:|-{}-|", dash(a), dash(b), dash(c), dash(d))?;
            }
        }
        for row in &self.rows {
            if let Some(because) = row.because {
                writeln!(f, "\nLonger, \"{}\": {because}.", row.access)?;
            }
        }
        Ok(())
    }
}
