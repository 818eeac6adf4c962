//! Keeps what a stage has found, while it is played.

use crate::campaign::Progress;
use crate::ledger::Ledger;
use crate::mutant::{Judge, Survived};
use indicatif::ProgressBar;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How much of a run may be lost.
const INTERVAL: Duration = Duration::from_secs(10);

/// The results of a stage; shares write to it in turn.
#[derive(Debug)]
pub(crate) struct Record<'a>(Mutex<Inside<'a>>);

#[derive(Debug)]
struct Inside<'a> {
    ledger: &'a mut Ledger,
    judge: Judge,
    mutants: usize,
    killed: usize,
    bar: ProgressBar,
    written: Instant,
    /// What the living of each share have survived that the ledger does not know yet.
    shares: BTreeMap<usize, (Vec<String>, Survived)>,
}

impl<'a> Record<'a> {
    pub(crate) fn new(ledger: &'a mut Ledger, judge: Judge, mutants: usize, bar: ProgressBar) -> Self {
        let (killed, written, shares) = (0, Instant::now(), BTreeMap::new());
        Self(Mutex::new(Inside { ledger, judge, mutants, killed, bar, written, shares }))
    }

    /// A share has played a case.
    pub(crate) fn note(&self, progress: &Progress<'_>) -> Result<(), String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).note(progress)
    }

    /// The shares of a campaign are at their end; others may follow.
    pub(crate) fn settle(&self) -> Result<(), String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write()
    }

    /// How many were killed.
    pub(crate) fn end(self) -> usize {
        let inside = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        inside.bar.finish_and_clear();
        inside.killed
    }
}

impl Inside<'_> {
    fn note(&mut self, progress: &Progress<'_>) -> Result<(), String> {
        for (number, kill) in progress.kills {
            let dead = progress.mutants.iter().find(|mutant| mutant.number == *number);
            let outcome = dead.and_then(|mutant| self.ledger.outcomes.get_mut(&mutant.id));
            let outcome =
                outcome.ok_or_else(|| format!("the program with mutants names {number}, which it has not"))?;
            let mut survived = Survived { cycles: kill.cycles, ..progress.survived.clone() };
            survived.cases.insert(kill.killed_by.clone(), kill.case);
            outcome.survives(self.judge, &survived);
            outcome.dies(self.judge, kill.clone());
            self.killed += 1;
        }
        let ids = || progress.mutants.iter().map(|mutant| mutant.id.clone()).collect();
        let share = self.shares.entry(progress.share).or_insert_with(|| (ids(), Survived::default()));
        share.1.clone_from(progress.survived);
        self.bar.inc(1);
        self.bar.set_message(format!("{} of {} alive", self.mutants - self.killed, self.mutants));
        if self.written.elapsed() >= INTERVAL { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> Result<(), String> {
        for (ids, survived) in std::mem::take(&mut self.shares).into_values() {
            for id in ids {
                let outcome = self.ledger.outcomes.get_mut(&id);
                if let Some(outcome) = outcome.filter(|outcome| outcome.survived(self.judge).is_some()) {
                    outcome.survives(self.judge, &survived);
                }
            }
        }
        self.written = Instant::now();
        self.ledger.write()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutant::{Class, Kill, Mutant, Outcome, Verdict};
    use crate::proofs::Proofs;
    use rtl_mutants::family::UNITS;

    fn mutant(number: u32) -> Mutant {
        let text = |what: &str| format!("{what}-{number}");
        let (side, file, module, operator) = (text("rtl"), text("file"), text("module"), text("operator"));
        let (id, before, after) = (text("id"), text("before"), text("after"));
        Mutant { number, id, side, file, line: 1, module, class: Class::Change, operator, before, after }
    }

    // A run that is ended has written what it knew: who is dead, and what the others have survived.
    #[test]
    fn what_is_written_is_where_a_run_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let mut ledger = Ledger::open(&UNITS[0], folder.path(), false).unwrap();
        let mutants = [mutant(1), mutant(2), mutant(3)];
        for mutant in &mutants {
            ledger.outcomes.insert(mutant.id.clone(), Outcome::new(mutant.clone(), Vec::new(), &Proofs::default()));
        }
        let record = Record::new(&mut ledger, Judge::Rows, 3, ProgressBar::hidden());
        let kill = Kill { killed_by: "noise_agrees".into(), case: 4, what: "word-7".into(), cycles: 999 };
        let mut survived = Survived { cycles: 1000, ..Survived::default() };
        survived.cases.insert("noise_agrees".into(), 5);
        let (one, other) = mutants.split_at(2);
        record.note(&Progress { share: 0, mutants: one, kills: &[(2, kill.clone())], survived: &survived }).unwrap();
        record.note(&Progress { share: 1, mutants: other, kills: &[], survived: &Survived::default() }).unwrap();
        let strange = Progress { share: 0, mutants: one, kills: &[(3, kill.clone())], survived: &survived };
        assert!(record.note(&strange).unwrap_err().contains("names 3"));
        record.settle().unwrap();
        assert_eq!(record.end(), 1);

        let again = Ledger::open(&UNITS[0], folder.path(), false).unwrap();
        let outcome = |number: u32| &again.outcomes[&mutant(number).id];
        assert_eq!((outcome(1).verdict, &outcome(1).survived), (Verdict::Survived, &survived));
        assert_eq!((outcome(2).verdict, outcome(2).kill.as_ref()), (Verdict::Killed, Some(&kill)));
        assert_eq!((outcome(2).survived.of("noise_agrees"), outcome(2).survived.cycles), (4, 999));
        assert_eq!((outcome(3).verdict, &outcome(3).survived), (Verdict::Survived, &Survived::default()));
        assert!(Ledger::open(&UNITS[0], folder.path(), true).unwrap().outcomes.is_empty());
    }
}
