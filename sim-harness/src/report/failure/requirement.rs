//! What the requirements say about a stage and its registers.

use crate::lwp::registers::Writer;
use crate::lwp::stages::Stage;
use serde::Serialize;

/// The rows of the requirements, as they are in the repository.
const DATA: &str = include_str!("../../../../verify/requirements/lwp.csv");

/// A requirement that a failure touches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Requirement {
    /// `LWP-RST-01`.
    pub id: String,
    /// `must`, `option`, ...
    pub kind: String,
    /// What it asks for.
    pub statement: String,
}

/// An area whose requirements the stage as a whole has to meet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Area {
    /// `RST`.
    pub name: String,
    /// How many rows it has.
    pub requirements: usize,
}

fn rows() -> impl Iterator<Item = (String, Requirement)> {
    csv::Reader::from_reader(DATA.as_bytes()).into_records().filter_map(|record| {
        let record = record.ok()?;
        let cell = |at: usize| record.get(at).map(ToOwned::to_owned);
        Some((cell(2)?, Requirement { id: cell(0)?, kind: cell(3)?, statement: cell(4)? }))
    })
}

/// The requirements that the writer's rule comes from, in its order.
pub(super) fn of_writer(writer: &Writer) -> Vec<Requirement> {
    let rows: Vec<Requirement> = rows().map(|(_, requirement)| requirement).collect();
    writer.requirements.iter().filter_map(|id| rows.iter().find(|row| row.id == *id).cloned()).collect()
}

/// The areas of the stage.
pub(super) fn areas_of(stage: Stage) -> Vec<Area> {
    let rows: Vec<String> = rows().map(|(area, _)| area).collect();
    let count = |name: &&str| rows.iter().filter(|area| area == name).count();
    stage.facts().areas.iter().map(|name| Area { name: (*name).to_owned(), requirements: count(name) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lwp::registers::{OUTPUTS, REGISTERS};

    #[test]
    fn every_identifier_and_every_area_is_in_the_data() {
        for writer in REGISTERS.iter().chain(OUTPUTS).flat_map(|registers| registers.writers) {
            let found: Vec<String> = of_writer(writer).into_iter().map(|requirement| requirement.id).collect();
            assert_eq!(found, writer.requirements, "{writer:?}");
            assert!(!found.is_empty(), "{writer:?}");
        }
        for stage in Stage::ALL {
            assert!(areas_of(stage).iter().all(|area| area.requirements > 0), "{stage:?}");
        }
    }

    /// A rule cannot come from a row that asks nothing of hardware.
    #[test]
    fn rules_come_from_what_hardware_must_or_may_do() {
        for writer in REGISTERS.iter().chain(OUTPUTS).flat_map(|registers| registers.writers) {
            for requirement in of_writer(writer) {
                assert!(
                    ["must", "option"].contains(&requirement.kind.as_str()),
                    "{}: {}",
                    requirement.id,
                    requirement.kind
                );
            }
        }
    }
}
