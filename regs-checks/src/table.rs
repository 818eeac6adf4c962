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

/// Rows, to be printed.
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
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<56} {:>8} {:>8}  others", "instructions, without the return", "lwp-regs", "by hand")?;
        for row in &self.rows {
            let other = |(name, code): &(&str, Code)| {
                let call = if code.calls() { " and a call" } else { "" };
                format!("{name} {}{call}", code.count())
            };
            let others: Vec<_> = row.others.iter().map(other).collect();
            let (ours, by_hand) = (row.ours.count(), row.by_hand.count());
            writeln!(f, "{:<56} {ours:>8} {by_hand:>8}  {}", row.access, others.join(", "))?;
            if let Some(because) = row.because {
                writeln!(f, "    longer because {because}")?;
            }
        }
        Ok(())
    }
}
