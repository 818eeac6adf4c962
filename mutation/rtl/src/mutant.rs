//! A mutant, as the mutator lists it, and what became of it.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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
    pub(crate) operator: String,
    pub(crate) before: String,
    pub(crate) after: String,
}

/// What became of it.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Verdict {
    Killed,
    Survived,
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
    /// Cases of each family, and cycles of all cases, that it has survived.
    #[serde(default)]
    pub(crate) survived: (u64, u64),
    /// The assertion that alone would have noticed, and after how many cycles.
    pub(crate) assertion: Option<(String, u64)>,
    /// Cases that were played to find that.
    #[serde(default)]
    pub(crate) asserted: u64,
    /// How it was proven equivalent.
    pub(crate) proof: Option<String>,
}

impl Outcome {
    /// With the verdict that follows from kill and proofs.
    pub(crate) fn judged(mut self, proofs: &BTreeMap<String, String>) -> Self {
        self.proof = proofs.get(&self.mutant.id).filter(|_| self.kill.is_none()).cloned();
        self.verdict = match (&self.kill, &self.proof) {
            (Some(_), _) => Verdict::Killed,
            (None, Some(_)) => Verdict::Equivalent,
            (None, None) => Verdict::Survived,
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
