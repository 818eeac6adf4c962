//! What the requirements say about a stage and its registers.

use crate::report::{StageFacts, Suspect, UnitReport};
use serde::Serialize;

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
    /// How the identifiers of its rows begin: `LWP-RST`.
    pub rows: String,
    /// How many rows it has.
    pub requirements: usize,
}

fn rows(unit: &dyn UnitReport) -> Vec<(String, Requirement)> {
    let row = |record: csv::Result<csv::StringRecord>| {
        let record = record.ok()?;
        let cell = |at: usize| record.get(at).map(ToOwned::to_owned);
        Some((cell(2)?, Requirement { id: cell(0)?, kind: cell(3)?, statement: cell(4)? }))
    };
    csv::Reader::from_reader(unit.requirements().as_bytes()).into_records().filter_map(row).collect()
}

/// The requirements that the suspect's rule comes from, in its order.
pub(super) fn of_suspect(unit: &dyn UnitReport, suspect: &Suspect) -> Vec<Requirement> {
    let rows = rows(unit);
    let row = |id: &&str| rows.iter().find(|(_, row)| row.id == *id).map(|(_, row)| row.clone());
    suspect.requirements.iter().filter_map(row).collect()
}

/// The areas of the stage.
pub(super) fn areas_of(unit: &dyn UnitReport, stage: &StageFacts) -> Vec<Area> {
    let rows = rows(unit);
    let area = |name: &&str| {
        let of_area: Vec<_> = rows.iter().filter(|(area, _)| area == name).collect();
        let first = of_area.first().and_then(|(_, row)| row.id.rsplit_once('-'));
        let rows = first.map_or(*name, |(beginning, _)| beginning).to_owned();
        Area { name: (*name).to_owned(), rows, requirements: of_area.len() }
    };
    stage.areas.iter().map(area).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lwp::registers::{OUTPUTS, REGISTERS};
    use crate::lwp::stages::Stage;
    use crate::rtl::BuildId;
    use crate::unit::Unit;
    use std::path::Path;

    /// All suspects of LWP's tables, and those of the other units' fields.
    fn suspects() -> Vec<(&'static dyn UnitReport, Suspect)> {
        let mut all: Vec<(&'static dyn UnitReport, Suspect)> = Vec::new();
        for writer in REGISTERS.iter().chain(OUTPUTS).flat_map(|registers| registers.writers) {
            let (stage, requirements) = (writer.stage.facts(), writer.requirements);
            let (because, chapter) = (String::new(), stage.chapter);
            all.push((&crate::lwp::report::LwpReport, Suspect { stage, because, chapter, requirements }));
        }
        for (chapter, requirements) in crate::lwp::report::rules() {
            let (stage, because) = (Stage::Control.facts(), String::new());
            all.push((&crate::lwp::report::LwpReport, Suspect { stage, because, chapter, requirements }));
        }
        for &build in BuildId::ALL {
            let unit = Unit::of(build);
            for field in (unit.capsule.fields)(build) {
                all.push((unit.report, unit.report.suspect(field.name, None).unwrap_or_else(|| panic!("{field:?}"))));
            }
        }
        all
    }

    #[test]
    fn every_identifier_and_every_area_is_in_the_data() {
        for (unit, suspect) in suspects() {
            let found: Vec<String> = of_suspect(unit, &suspect).into_iter().map(|requirement| requirement.id).collect();
            assert_eq!(found, suspect.requirements, "{suspect:?}");
            assert!(!found.is_empty(), "{suspect:?}");
            let chapter = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(suspect.chapter);
            assert!(chapter.is_file(), "{suspect:?}");
            assert!(areas_of(unit, suspect.stage).iter().all(|area| area.requirements > 0), "{suspect:?}");
        }
        assert_eq!(areas_of(&crate::lwp::report::LwpReport, Stage::Reset.facts())[0].rows, "LWP-RST");
    }

    /// A rule cannot come from a row that asks nothing of hardware.
    #[test]
    fn rules_come_from_what_hardware_must_or_may_do() {
        for (unit, suspect) in suspects() {
            for Requirement { id, kind, .. } in of_suspect(unit, &suspect) {
                assert!(["must", "option", "behaviour", "register"].contains(&kind.as_str()), "{id}: {kind}");
            }
        }
    }
}
