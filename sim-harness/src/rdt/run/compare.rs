//! The same programs alone, together, and together with limits.

use super::error::RunError;
use super::measured::{Ended, Measured, Said};
use super::progress::Progress;
use super::scenario::{Scenario, Which};
use super::text::{head, hit_rate, said, table};
use crate::report::grouped;
use std::fmt::Write;
use std::path::PathBuf;

/// The runs of a comparison.
#[derive(Debug)]
pub(super) struct Comparison {
    /// Each program alone.
    pub(super) alone: Vec<Measured>,
    /// All of them, with all masks and delays open.
    pub(super) together: Measured,
    /// All of them, as the session says.
    pub(super) limited: Measured,
}

/// The columns: a run, and its name.
pub(super) const RUNS: [&str; 3] = ["alone", "together", "with limits"];

impl Comparison {
    /// Makes the runs, as far as they agree with the RTL; the last one that was made is the result if one does not.
    pub(super) fn make(
        scenario: &Scenario,
        progress: &Progress<'_>,
    ) -> Result<Result<Self, (Which, Measured)>, RunError> {
        if !scenario.is_limited() {
            let what = "there is nothing to compare: the session has neither a mask nor a delay";
            return Err(RunError::options(
                what,
                "give --mask CLASS=MASK or --delay CLASS=N, or a session with [[class]]",
            ));
        }
        let once = |path: &&PathBuf| path.metadata().is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
        if let Some(path) = scenario.traces.iter().find(once) {
            let what = format!("the trace `{}` cannot be read several times", path.display());
            return Err(RunError::options(what, "give a file: each run of --compare reads it from its beginning"));
        }
        let mut made = Vec::new();
        let alone = (0..scenario.traces.len()).map(Which::Alone);
        for which in alone.chain([Which::Open, Which::Together]) {
            let measured = scenario.run(which, progress)?;
            if measured.mismatch.is_some() || progress.stopped() {
                return Ok(Err((which, measured)));
            }
            made.push(measured);
        }
        let limited = made.pop();
        let together = made.pop();
        let (Some(limited), Some(together)) = (limited, together) else { unreachable!("both were made") };
        Ok(Ok(Self { alone: made, together, limited }))
    }

    /// All runs.
    pub(super) fn runs(&self) -> impl Iterator<Item = &Measured> + Clone {
        self.alone.iter().chain([&self.together, &self.limited])
    }

    /// A program in each of its three runs.
    pub(super) fn of_program(&self, number: usize) -> [Option<(&Measured, &Ended)>; 3] {
        [Some(&self.alone[number]), Some(&self.together), Some(&self.limited)].map(|run| {
            let run = run?;
            Some((run, run.programs.iter().find(|program| program.lp == number)?))
        })
    }

    /// The rows of a program: what is compared, and its value in each run.
    pub(super) fn rows(&self, number: usize) -> Vec<[String; 4]> {
        type Cell = fn(&Measured, &Ended) -> String;
        let cells: [(&str, Cell); 7] = [
            ("hit rate", |_, program| hit_rate(program)),
            ("hits", |_, program| grouped(program.traffic.l2_hits + program.traffic.l3_hits)),
            ("misses", |_, program| grouped(program.traffic.misses())),
            ("lines at the end", |run, program| said(last(run, program).and_then(|point| point.lines))),
            ("lines on average", average),
            ("bytes", |run, program| said(last(run, program).and_then(|point| point.total))),
            ("cycles", |_, program| grouped(program.cycles)),
        ];
        let row = |(name, cell): (&str, Cell)| {
            let [alone, together, limited] = self
                .of_program(number)
                .map(|run| run.map_or_else(|| "-".to_owned(), |(run, program)| cell(run, program)));
            [name.to_owned(), alone, together, limited]
        };
        cells.into_iter().map(row).collect()
    }

    /// The comparison as text.
    pub(super) fn text(&self, scenario: &Scenario) -> String {
        let mut text = head(scenario, self.runs());
        for (number, name) in scenario.names.iter().enumerate() {
            let assigned = scenario.session().programs[number];
            let title = format!("{name}: RMID {}, class {}", assigned.rmid, assigned.class);
            let mut rows = vec![std::iter::once(title).chain(RUNS.map(str::to_owned)).collect::<Vec<_>>()];
            rows.extend(
                self.rows(number)
                    .into_iter()
                    .map(|[name, cells @ ..]| std::iter::once(format!("  {name}")).chain(cells).collect()),
            );
            let _ = write!(text, "\n{}", table(&rows));
        }
        text
    }
}

fn last(run: &Measured, program: &Ended) -> Option<super::measured::Point> {
    run.last().get(&program.assigned.rmid).copied()
}

/// Lines in the cache on average over the readings while the program ran.
fn average(run: &Measured, program: &Ended) -> String {
    let end = run.begin + program.cycles;
    let lines =
        run.of_rmid(program.assigned.rmid).filter(|point| point.cycle <= end).filter_map(|point| match point.lines {
            Some(Said::Number(lines)) => Some(lines),
            _ => None,
        });
    let (sum, count) = lines.fold((0, 0), |(sum, count), lines| (sum + lines, count + 1));
    (sum + count / 2).checked_div(count).map_or_else(|| "-".to_owned(), grouped)
}
