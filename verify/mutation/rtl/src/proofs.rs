//! What is known of mutants by proof: those that no case can kill, and those that a proof kills.

use crate::mutator::{read, root};
use rtl_mutants::family::Unit;
use std::collections::BTreeMap;

/// The lists of a unit, by id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Proofs {
    /// Method by which a mutant was proven equivalent: equivalent.csv.
    pub(crate) equivalent: BTreeMap<String, String>,
    /// Proof of verify/formal that fails with the mutant: proved.csv.
    pub(crate) kills: BTreeMap<String, String>,
}

impl Proofs {
    /// The lists of this unit; a mutant in both is an error.
    pub(crate) fn of(unit: &Unit) -> Result<Self, String> {
        let rows = |name: &str| read(&root().join(unit.file(name))).map(|text| columns(&text));
        let proofs = Self { equivalent: rows("equivalent.csv")?, kills: rows("proved.csv")? };
        match proofs.equivalent.keys().find(|id| proofs.kills.contains_key(*id)) {
            Some(id) => {
                Err(format!("{id} is in equivalent.csv and in proved.csv of {}: one of them is wrong", unit.name))
            }
            None => Ok(proofs),
        }
    }
}

/// Of each line but the first, the first column and the second.
fn columns(text: &str) -> BTreeMap<String, String> {
    let rows = text.lines().skip(1).filter_map(|line| line.split_once(','));
    rows.map(|(id, rest)| (id.to_owned(), rest.split(',').next().unwrap_or_default().to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::{Proofs, columns};
    use rtl_mutants::family::UNITS;

    #[test]
    fn the_first_two_columns_count() {
        let rows = columns("id,method,seconds,code\nring-48b638,cycles,1,58\n");
        assert_eq!(rows.into_iter().collect::<Vec<_>>(), [("ring-48b638".to_owned(), "cycles".to_owned())]);
    }

    #[test]
    fn no_list_contradicts_the_other() {
        for unit in UNITS {
            assert!(Proofs::of(unit).is_ok(), "{:?}", Proofs::of(unit));
        }
    }
}
