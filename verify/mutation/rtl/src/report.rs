//! The tables: score by module, by requirement, by operator; survivors.

use crate::mutant::{Class, Outcome, Verdict};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Counts of a row.
#[derive(Clone, Copy, Debug, Default)]
struct Score {
    all: u64,
    killed: u64,
    disproved: u64,
    equivalent: u64,
    survived: u64,
    cycles: u64,
    by_assertion: u64,
}

impl Score {
    fn add(&mut self, outcome: &Outcome) {
        self.all += 1;
        match outcome.verdict {
            Verdict::Killed => self.killed += 1,
            Verdict::Disproved => self.disproved += 1,
            Verdict::Equivalent => self.equivalent += 1,
            Verdict::Survived => self.survived += 1,
        }
        self.cycles += outcome.kill.as_ref().map_or(0, |kill| kill.cycles);
        self.by_assertion += u64::from(outcome.assertion.is_some());
    }

    /// A mutant that is equivalent cannot be killed.
    fn percent(&self) -> f64 {
        100.0 * (self.killed + self.disproved) as f64 / (self.all - self.equivalent).max(1) as f64
    }

    fn row(&self, name: &str) -> String {
        let score = if self.all == self.equivalent { "-".to_owned() } else { format!("{:.1} %", self.percent()) };
        let cycles = self.cycles.checked_div(self.killed).map_or_else(|| "-".to_owned(), |mean| mean.to_string());
        let Score { all, killed, disproved, equivalent, survived, by_assertion, .. } = self;
        format!(
            "| {name} | {all} | {killed} | {disproved} | {equivalent} | {survived} | {score} | {cycles} | {by_assertion} |\n"
        )
    }
}

fn table<'a>(title: &str, outcomes: &'a [&Outcome], names: impl Fn(&'a Outcome) -> Vec<&'a str>) -> String {
    let mut rows: BTreeMap<&str, Score> = BTreeMap::new();
    for outcome in outcomes {
        names(outcome).into_iter().for_each(|name| rows.entry(name).or_default().add(outcome));
    }
    let head = "mutants | killed | only a proof fails | equivalent | survived | score | mean cycles to kill | assertions alone";
    let mut text = format!("| {title} | {head} |\n|---|---|---|---|---|---|---|---|---|\n");
    rows.iter().for_each(|(name, score)| text.push_str(&score.row(name)));
    text
}

/// Killed or with a proof that fails, of those that are not equivalent, in percent.
pub(crate) fn score(outcomes: &[&Outcome]) -> f64 {
    let mut whole = Score::default();
    outcomes.iter().for_each(|outcome| whole.add(outcome));
    // A run of nothing but equivalent mutants is no failure.
    if whole.all == whole.equivalent { 100.0 } else { whole.percent() }
}

/// A table by module, the sum of all in its last row.
fn modules(title: &str, outcomes: &[&Outcome]) -> String {
    let mut text = table(title, outcomes, |outcome| vec![&outcome.mutant.module]);
    let mut whole = Score::default();
    outcomes.iter().for_each(|outcome| whole.add(outcome));
    text.push_str(&whole.row("**all**"));
    text.push('\n');
    text
}

/// Everything, in Markdown.
pub(crate) fn text(outcomes: &[&Outcome]) -> String {
    let mut text = String::new();
    for (class, title) in [(Class::Change, "module, changes"), (Class::Fault, "module, faults")] {
        let some: Vec<&Outcome> = outcomes.iter().filter(|outcome| outcome.mutant.class == class).copied().collect();
        if !some.is_empty() {
            text.push_str(&modules(title, &some));
        }
    }
    text.push_str(&table("requirements", outcomes, |outcome| {
        outcome.requirements.iter().map(String::as_str).collect()
    }));
    text.push('\n');
    text.push_str(&table("change", outcomes, |outcome| vec![&outcome.mutant.operator]));
    text.push('\n');
    text.push_str(&table("killed by", outcomes, |outcome| {
        outcome.kill.as_ref().map(|kill| kill.killed_by.as_str()).into_iter().collect()
    }));
    let survivors: Vec<&&Outcome> = outcomes.iter().filter(|outcome| outcome.verdict == Verdict::Survived).collect();
    let _ = writeln!(text, "\n{} survive without a proof:", survivors.len());
    for outcome in survivors {
        let _ = writeln!(text, "{}", outcome.line());
    }
    text
}
