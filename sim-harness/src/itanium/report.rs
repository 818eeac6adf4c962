//! How the unit's failures are explained: by the plain form, with the names of operations, results, levels and events.

use crate::report::{Moment, StageFacts, StageOfFields, Suspect, UnitReport, without_indices};
use lwp_model::Choice;
use lwp_model::itanium::{RegOp, RegResult};

/// The unit in [reports](crate::report).
#[derive(Debug)]
pub(super) struct ItaniumReport;

/// Returns a stage of the unit, all of which are in the chapter of the cycle.
const fn stage(name: &'static str, rtl: &'static [&'static str], model: &'static [&'static str]) -> StageFacts {
    StageFacts { name, chapter: "docs/src/itanium/cycle.md", rtl, model, areas: &["ITA"] }
}

/// Every output and every register. Indices are left out: `state.counter.count` is that of all counters.
const STAGES: &[StageOfFields] = &[
    StageOfFields {
        fields: &["state.status.", "psr_"],
        stage: stage("status", &["rtl/itanium/itanium_status.sv"], &["lwp-model/src/itanium/status.rs"]),
        requirements: &["ITA-42", "ITA-48", "ITA-49", "ITA-50"],
    },
    StageOfFields {
        fields: &["state.freeze.", "irq"],
        stage: stage("freeze", &["rtl/itanium/itanium_freeze.sv"], &["lwp-model/src/itanium/freeze.rs"]),
        requirements: &["ITA-17", "ITA-18", "ITA-20"],
    },
    StageOfFields {
        fields: &["state.counter.count", "state.counter.pin", "pin"],
        stage: stage(
            "counter",
            &[
                "rtl/itanium/itanium_counter.sv",
                "rtl/itanium/itanium_select.sv",
                "rtl/itanium/itanium_monitor.sv",
                "rtl/itanium/itanium_data.sv",
            ],
            &[
                "lwp-model/src/itanium/counter.rs",
                "lwp-model/src/itanium/select.rs",
                "lwp-model/src/itanium/monitor.rs",
                "lwp-model/src/itanium/data.rs",
            ],
        ),
        requirements: &["ITA-01", "ITA-11", "ITA-13", "ITA-14", "ITA-40"],
    },
    StageOfFields {
        fields: &["state.tag."],
        stage: stage(
            "tags",
            &["rtl/itanium/itanium_tags.sv", "rtl/itanium/itanium_range.sv", "rtl/itanium/itanium_opcode.sv"],
            &["lwp-model/src/itanium/tags.rs", "lwp-model/src/itanium/range.rs", "lwp-model/src/itanium/opcode.rs"],
        ),
        requirements: &["ITA-02", "ITA-03", "ITA-06", "ITA-07", "ITA-22"],
    },
    StageOfFields {
        fields: &["state.ear.", "iear_on", "dear_on", "btb_on"],
        stage: stage("monitor", &["rtl/itanium/itanium_ear.sv"], &["lwp-model/src/itanium/monitor.rs"]),
        requirements: &["ITA-54", "ITA-55"],
    },
    StageOfFields {
        fields: &["state.", "reg_"],
        stage: stage(
            "request",
            &[
                "rtl/itanium/itanium_request.sv",
                "rtl/itanium/itanium_registers.sv",
                "rtl/itanium/itanium.sv",
                "rtl/itanium/itanium_pkg.sv",
                "rtl/itanium/itanium_stage_pkg.sv",
                "rtl/itanium/itanium_config_pkg.sv",
            ],
            &["lwp-model/src/itanium/request.rs", "lwp-model/src/itanium/register.rs", "lwp-model/src/itanium/unit.rs"],
        ),
        requirements: &["ITA-41", "ITA-45", "ITA-46"],
    },
];

/// Returns the stage of a field.
fn suspect(field: &str, cause: Option<&Moment<'_>>) -> Option<Suspect> {
    StageOfFields::suspect(STAGES, &without_indices(field), cause)
}

impl UnitReport for ItaniumReport {
    fn requirements(&self) -> &'static str {
        include_str!("../../../verify/requirements/monitoring.csv")
    }

    fn stages(&self) -> Vec<&'static StageFacts> {
        STAGES.iter().map(|row| &row.stage).collect()
    }

    fn suspect(&self, field: &str, cause: Option<&Moment<'_>>) -> Option<Suspect> {
        suspect(field, cause)
    }

    fn meaning(&self, field: &str, value: u64, _row: &[u32]) -> Option<String> {
        match field.rsplit('.').next() {
            Some("reg_result") => Some(name::<RegResult>(value)),
            Some("plm") => Some(bits(value, 4, "level", "no level")),
            Some("overflow" | "pin") if !field.contains("counter") => Some(bits(value << 4, 8, "PMD", "no PMD")),
            Some("pmc8" | "pmc9") => Some(bits(value, 3, "slot", "no slot")),
            _ => None,
        }
    }

    fn is_code(&self, field: &str) -> bool {
        field.ends_with("reg_result")
    }

    fn input_name(&self, input: &str, value: u64) -> Option<String> {
        (input == "reg.reg_op").then(|| name::<RegOp>(value))
    }
}

/// `level 0 3`: the places of the bits that are 1.
fn bits(value: u64, width: u32, what: &str, none: &str) -> String {
    let places: Vec<_> = (0..width).filter(|place| value >> place & 1 != 0).map(|place| place.to_string()).collect();
    if places.is_empty() { none.to_owned() } else { format!("{what} {}", places.join(" ")) }
}

/// The name of a code; a code without one is reported as such.
fn name<T: Choice>(code: u64) -> String {
    let choice = u8::try_from(code).ok().and_then(T::from_code);
    choice.map_or_else(|| format!("code {code}, which means nothing"), |choice| choice.name().to_owned())
}

#[cfg(test)]
mod tests {
    use super::{ItaniumReport, STAGES, suspect};
    use crate::report::UnitReport;
    use lwp_model::Unit;
    use lwp_model::itanium::Itanium;
    use std::path::Path;

    #[test]
    fn every_field_has_a_stage_and_every_file_exists() {
        for field in Itanium::<1, 4>::OUTPUT_FIELDS {
            assert!(suspect(field.name, None).is_some(), "{}", field.name);
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for row in STAGES {
            for file in row.stage.rtl.iter().chain(row.stage.model).chain([&row.stage.chapter]) {
                assert!(root.join(file).is_file(), "{file}");
            }
        }
    }

    #[test]
    fn fields_have_the_stages_of_the_contract() {
        for (field, stage) in [
            ("state.counter[1].count", "counter"),
            ("state.counter[1].es", "request"),
            ("state.tag[3].pmc8", "tags"),
            ("state.status.pp", "status"),
            ("state.freeze.fr", "freeze"),
            ("state.ear.btb_on", "monitor"),
            ("state.ibr[2].mask", "request"),
            ("reg_rdata", "request"),
        ] {
            assert!(Itanium::<1, 4>::OUTPUT_FIELDS.iter().any(|known| known.name == field), "{field}");
            assert_eq!(suspect(field, None).unwrap().stage.name, stage, "{field}");
        }
    }

    #[test]
    fn codes_have_names() {
        let meaning = |field: &str, value| ItaniumReport.meaning(field, value, &[]);
        assert_eq!(meaning("reg_result", 6).as_deref(), Some("Privileged Operation fault"));
        assert_eq!(meaning("state.counter[1].plm", 9).as_deref(), Some("level 0 3"));
        assert_eq!(meaning("state.freeze.overflow", 5).as_deref(), Some("PMD 4 6"));
        assert_eq!(meaning("state.counter[1].pin", 1), None);
        assert_eq!(meaning("state.tag[0].pmc9", 0).as_deref(), Some("no slot"));
        assert_eq!(ItaniumReport.input_name("reg.reg_op", 9).as_deref(), Some("sum"));
    }
}
