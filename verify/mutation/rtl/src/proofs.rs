//! What is known of mutants by proof: those that no case can kill, and those with which a proof fails.

use crate::mutant::Outcome;
use crate::mutator::{code, distinct, read, root, twice};
use rtl_mutants::family::Unit;
use std::collections::BTreeMap;
use std::path::Path;

/// The lists of a unit, by id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Proofs {
    /// Method by which a mutant was proven equivalent: equivalent.csv, as far as it is about the code as it is.
    pub(crate) equivalent: BTreeMap<String, String>,
    /// Lines of equivalent.csv that are about other code.
    pub(crate) stale: usize,
    /// Proof of verify/formal that fails with the mutant: proved.csv.
    pub(crate) kills: BTreeMap<String, String>,
}

impl Proofs {
    /// The lists of this unit; a mutant in both is an error, and so is one that has two lines.
    pub(crate) fn of(unit: &Unit) -> Result<Self, String> {
        let rows = |name: &str| {
            let path = root().join(unit.file(name));
            read(&path).and_then(|text| rows(&path, &text))
        };
        let (listed, kills) = (rows("equivalent.csv")?, rows("proved.csv")?);
        if let Some((id, _)) = listed.iter().find(|(id, _)| kills.iter().any(|(other, _)| other == id)) {
            return Err(format!("{id} is in equivalent.csv and in proved.csv of {}: one of them is wrong", unit.name));
        }
        let kills = kills.into_iter().map(|(id, columns)| (id, columns[0].clone())).collect();
        let lines = listed.len();
        let equivalent = current(listed, &code(unit)?);
        Ok(Self { stale: lines - equivalent.len(), equivalent, kills })
    }

    /// A line for each mutant that is proven equivalent and killed all the same.
    pub(crate) fn contradicted(&self, outcomes: &[&Outcome]) -> Vec<String> {
        let line = |outcome: &&Outcome| {
            let (id, kill) = (&outcome.mutant.id, outcome.kill.as_ref()?);
            let wrong = format!("{id} is listed as equivalent and case {} of {} kills it", kill.case, kill.killed_by);
            self.equivalent.contains_key(id).then_some(wrong)
        };
        outcomes.iter().filter_map(line).collect()
    }
}

/// A mutant, and the columns behind its id.
type Row = (String, Vec<String>);

/// Of each line but the first, the id and the other columns.
fn rows(path: &Path, text: &str) -> Result<Vec<Row>, String> {
    let columns = |line: &str| {
        let (id, rest) =
            line.split_once(',').ok_or_else(|| format!("{}: no line of a list: {line}", path.display()))?;
        Ok((id.to_owned(), rest.split(',').map(str::to_owned).collect()))
    };
    let found = text.lines().skip(1).map(columns).collect::<Result<Vec<Row>, String>>()?;
    distinct(found.iter().map(|(id, _)| id.as_str())).map_err(|id| twice(path, id))?;
    Ok(found)
}

/// The methods of those lines whose last column is this code.
fn current(rows: Vec<Row>, code: &str) -> BTreeMap<String, String> {
    let kept = rows.into_iter().filter(|(_, columns)| columns.get(2).is_some_and(|one| one == code));
    kept.map(|(id, columns)| (id, columns[0].clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::{Proofs, current, rows};
    use crate::mutant::{Class, Kill, Mutant, Outcome, Verdict};
    use crate::mutator::{read, root};
    use rtl_mutants::family::UNITS;
    use sim_harness::rtl::BuildId;
    use std::collections::BTreeMap;
    use std::path::Path;

    const HEAD: &str = "id,method,seconds,code\n";

    #[test]
    fn a_proof_of_other_code_does_not_count() {
        let path = Path::new("equivalent.csv");
        let list =
            rows(path, &format!("{HEAD}ring-48b638,cycles,1,58\nring-48b639,cycles,1,57\nring-48b640,cycles,1\n"))
                .unwrap();
        let wanted = BTreeMap::from([("ring-48b638".to_owned(), "cycles".to_owned())]);
        assert_eq!(current(list, "58"), wanted);
        let twice = rows(path, &format!("{HEAD}ring-48b638,cycles,1,58\nring-48b638,cycles,2,57\n"));
        assert_eq!(twice.unwrap_err(), "equivalent.csv: two lines are of ring-48b638");
        assert!(rows(path, &format!("{HEAD}ring-48b638\n")).is_err());
    }

    #[test]
    fn a_proof_that_a_case_contradicts_is_told() {
        let text = String::new;
        let of = |id: &str| Mutant {
            number: 1,
            id: id.into(),
            side: text(),
            file: text(),
            line: 1,
            module: text(),
            class: Class::Change,
            operator: text(),
            before: text(),
            after: text(),
        };
        let equivalent = BTreeMap::from(["a-1", "b-2"].map(|id| (id.to_owned(), "cycles".to_owned())));
        let proofs = Proofs { equivalent, ..Proofs::default() };
        let mut outcomes = ["a-1", "b-2", "c-3"].map(|id| Outcome::new(of(id), Vec::new(), &proofs));
        let kill = Kill { killed_by: "noise_agrees".into(), case: 4, what: "word-7".into(), cycles: 999 };
        outcomes[0].kill = Some(kill.clone());
        outcomes[2].kill = Some(kill);
        let outcomes = outcomes.map(|outcome| outcome.judged(&proofs));
        assert_eq!(outcomes.each_ref().map(|one| one.verdict), [Verdict::Killed, Verdict::Equivalent, Verdict::Killed]);
        let told = proofs.contradicted(&outcomes.iter().collect::<Vec<_>>());
        assert_eq!(told, ["a-1 is listed as equivalent and case 4 of noise_agrees kills it"]);
    }

    #[test]
    fn no_list_contradicts_the_other() {
        for unit in UNITS {
            assert!(Proofs::of(unit).is_ok(), "{:?}", Proofs::of(unit));
        }
    }

    /// What is called a tested build is one: a mutant that is absent from the builds of the proofs is looked for where the cases are played.
    #[test]
    fn the_builds_of_the_settings_are_the_tested_ones() {
        for unit in UNITS {
            let text = read(&root().join(unit.file("unit.toml"))).unwrap();
            let settings: toml::Table = toml::from_str(&text).unwrap();
            // In the order of the text: a table has another.
            let mut names: Vec<&String> = settings["parameters"].as_table().unwrap().keys().collect();
            names.sort_by_key(|name| text.find(&format!("{name} = ")));
            let values = |build: BuildId| names.iter().map(|name| i64::from(build.parameter(name).unwrap())).collect();
            let mut tested: Vec<Vec<i64>> = unit.builds().into_iter().map(values).collect();
            let mut listed: Vec<Vec<i64>> = settings["builds"].clone().try_into().unwrap();
            tested.sort();
            listed.sort();
            assert_eq!(listed, tested, "{}", unit.name);
        }
    }
}
