//! A mutant, as the mutator lists it, and what became of it.

use crate::proofs::Proofs;
use clap::ValueEnum;
use rtl_mutants::family::Family;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What kind of bug a mutant stands for.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Class {
    /// Another text: an operator, a constant, an assignment that is left out.
    #[default]
    Change,
    /// A fault of the data path: a carry that is cut, a bit that is stuck, a counter that saturates early.
    Fault,
}

/// A line of the mutator's list.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
pub(crate) struct Mutant {
    /// Its value of the select; changes with every change of the RTL.
    pub(crate) number: u32,
    /// Its name; changes only if its line does.
    pub(crate) id: String,
    pub(crate) side: String,
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) module: String,
    #[serde(default)]
    pub(crate) class: Class,
    pub(crate) operator: String,
    pub(crate) before: String,
    pub(crate) after: String,
}

/// What became of it.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Verdict {
    /// A case or an assertion notices it.
    Killed,
    /// No case has noticed it, but a proof of verify/formal fails with it: at a run from reset, or in the step of the induction, whose first
    /// state need not be one that is reached.
    Disproved,
    /// Nothing notices it.
    Survived,
    /// It is proven that nothing can.
    Equivalent,
}

/// An end: where and by what.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
pub(crate) struct Kill {
    /// The family of cases.
    pub(crate) killed_by: String,
    /// The number of the case in its family.
    pub(crate) case: u64,
    /// The first word of the row that differs, or the assertion that failed; `unsettled`: a loop without registers.
    pub(crate) what: String,
    /// Cycles that were played until then, in all cases.
    pub(crate) cycles: u64,
}

/// Cases of each family that were survived, and cycles of all cases together.
#[derive(Clone, Debug, Default, Deserialize, Serialize, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Survived {
    pub(crate) cases: BTreeMap<String, u64>,
    pub(crate) cycles: u64,
}

impl Survived {
    /// Cases of this family.
    pub(crate) fn of(&self, family: &str) -> u64 {
        self.cases.get(family).copied().unwrap_or_default()
    }

    /// Cases of each of these families.
    pub(crate) fn least(&self, families: &[Family]) -> u64 {
        families.iter().map(|family| self.of(family.name)).min().unwrap_or_default()
    }
}

/// What finds that a mutant differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Judge {
    /// The rows of the model.
    Rows,
    /// The assertions in the RTL alone.
    Assertions,
}

/// A line of the results.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
pub(crate) struct Outcome {
    #[serde(flatten)]
    pub(crate) mutant: Mutant,
    /// Areas of the requirements that its module is named by.
    pub(crate) requirements: Vec<String>,
    pub(crate) verdict: Verdict,
    #[serde(flatten)]
    pub(crate) kill: Option<Kill>,
    /// What it has survived.
    #[serde(default)]
    pub(crate) survived: Survived,
    /// The assertion that alone would have noticed, and after how many cycles.
    pub(crate) assertion: Option<(String, u64)>,
    /// What no assertion noticed.
    #[serde(default)]
    pub(crate) asserted: Survived,
    /// How it was proven equivalent, or the proof that fails with it.
    pub(crate) proof: Option<String>,
}

impl Outcome {
    /// Nothing has been played yet.
    pub(crate) fn new(mutant: Mutant, requirements: Vec<String>, proofs: &Proofs) -> Self {
        let (survived, asserted) = Default::default();
        let verdict = Verdict::Survived;
        Self { mutant, requirements, verdict, kill: None, survived, assertion: None, asserted, proof: None }
            .judged(proofs)
    }

    /// What it has survived before this judge; none: it is dead.
    pub(crate) fn survived(&self, judge: Judge) -> Option<&Survived> {
        match judge {
            Judge::Rows => self.kill.is_none().then_some(&self.survived),
            Judge::Assertions => self.assertion.is_none().then_some(&self.asserted),
        }
    }

    /// The assertions are no longer what they were.
    pub(crate) fn forget_assertions(&mut self) {
        (self.assertion, self.asserted) = Default::default();
    }

    /// The cases of this family are no longer what they were.
    pub(crate) fn forget(&mut self, family: &str) {
        self.kill = self.kill.take().filter(|kill| kill.killed_by != family);
        self.survived.cases.remove(family);
        self.asserted.cases.remove(family);
    }

    /// It has survived more.
    pub(crate) fn survives(&mut self, judge: Judge, more: &Survived) {
        match judge {
            Judge::Rows => self.survived = more.clone(),
            Judge::Assertions => self.asserted = more.clone(),
        }
    }

    /// It is dead.
    pub(crate) fn dies(&mut self, judge: Judge, kill: Kill) {
        match judge {
            Judge::Rows => {
                (self.verdict, self.proof) = (Verdict::Killed, None);
                self.kill = Some(kill);
            }
            Judge::Assertions => self.assertion = Some((kill.what, kill.cycles)),
        }
    }

    /// With the verdict that follows from kill and proofs.
    pub(crate) fn judged(mut self, proofs: &Proofs) -> Self {
        let id = &self.mutant.id;
        (self.verdict, self.proof) = match (&self.kill, proofs.equivalent.get(id), proofs.kills.get(id)) {
            (Some(_), ..) => (Verdict::Killed, None),
            (None, Some(method), _) => (Verdict::Equivalent, Some(method.clone())),
            (None, None, Some(proof)) => (Verdict::Disproved, Some(proof.clone())),
            (None, None, None) => (Verdict::Survived, None),
        };
        self
    }

    /// One line for a reader.
    pub(crate) fn line(&self) -> String {
        let Mutant { id, file, line, operator, before, after, .. } = &self.mutant;
        let after = if after.is_empty() { "(left out)" } else { after };
        format!("{id}  rtl/{file}:{line}  {operator}: {before}  →  {after}")
    }
}
