//! How the unit's failures are explained: by the plain form, with the names of steps, operations, results, modes and masks.

use crate::report::{Moment, StageFacts, StageOfFields, Suspect, UnitReport, without_indices};
use lwp_model::Choice;
use lwp_model::rdt::Step;
use lwp_model::retire::{IntKind, OpMode, RegOp, RegResult};

/// The unit in [reports](crate::report).
#[derive(Debug)]
pub(super) struct RdtReport;

/// Returns a stage of the unit's modules.
const fn stage(
    name: &'static str,
    chapter: &'static str,
    rtl: &'static [&'static str],
    model: &'static [&'static str],
    areas: &'static [&'static str],
) -> StageFacts {
    StageFacts { name, chapter, rtl, model, areas }
}

/// Every output and every register. Indices are left out: `state.lp.credit` is that of all logical processors.
const STAGES: &[StageOfFields] = &[
    StageOfFields {
        fields: &["state.lp.credit"],
        stage: stage(
            "pace",
            "docs/src/rdt/cycle.md",
            &["rtl/rdt/rdt_pace.sv"],
            &["lwp-model/src/rdt/pace.rs"],
            &["RDTA"],
        ),
        requirements: &["RDTA-28", "RDTA-33"],
    },
    StageOfFields {
        fields: &[
            "state.lp.stage",
            "state.lp.write",
            "state.lp.code",
            "state.lp.line",
            "state.lp.access_",
            "state.lp.done",
            "state.lp.l2_hit",
            "state.lp.l3_hit",
            "lp.",
        ],
        stage: stage(
            "entry",
            "docs/src/rdt/cycle.md",
            &["rtl/rdt/rdt_entry.sv"],
            &["lwp-model/src/rdt/entry.rs"],
            &["RDTM", "RDTA"],
        ),
        requirements: &["RDTM-10", "RDTM-17", "RDTA-08"],
    },
    StageOfFields {
        fields: &[
            "state.job.turn",
            "state.job.rmid",
            "state.job.cos",
            "state.job.write",
            "state.job.code",
            "state.job.line",
            "state.job.l3_allowed",
            "state.job.l2_allowed",
        ],
        stage: stage(
            "choice",
            "docs/src/rdt/cycle.md",
            &["rtl/rdt/rdt_choice.sv"],
            &["lwp-model/src/rdt/choice.rs"],
            &["RDTA"],
        ),
        requirements: &["RDTA-02", "RDTA-08", "RDTA-19", "RDTA-23"],
    },
    StageOfFields {
        fields: &["state.job.", "state.power.", "mem_", "l3_on", "l2_on", "walking"],
        stage: stage(
            "steps",
            "docs/src/rdt/cycle.md",
            &[
                "rtl/rdt/rdt_steps.sv",
                "rtl/rdt/rdt_look.sv",
                "rtl/rdt/rdt_walk.sv",
                "rtl/rdt/rdt.sv",
                "rtl/rdt/rdt_probe.sv",
                "rtl/rdt/rdt_pkg.sv",
                "rtl/rdt/rdt_stage_pkg.sv",
            ],
            &[
                "lwp-model/src/rdt/steps.rs",
                "lwp-model/src/rdt/transfer.rs",
                "lwp-model/src/rdt/fill.rs",
                "lwp-model/src/rdt/walk.rs",
                "lwp-model/src/rdt/unit.rs",
            ],
            &["RDTM", "RDTA"],
        ),
        requirements: &["RDTM-03", "RDTM-32", "RDTA-23"],
    },
    StageOfFields {
        fields: &["state.l3.word", "state.l2.word"],
        stage: stage(
            "set",
            "docs/src/rdt/cycle.md",
            &["rtl/rdt/rdt_set.sv", "rtl/rdt/rdt_cache.sv"],
            &["lwp-model/src/rdt/set.rs"],
            &["RDTM", "RDTA"],
        ),
        requirements: &["RDTM-02", "RDTA-02"],
    },
    StageOfFields {
        fields: &["state.l3.", "state.l2.", "state.show."],
        stage: stage(
            "memory",
            "docs/src/rdt/state.md",
            &["rtl/rdt/rdt_memory.sv", "rtl/rdt/rdt_cache.sv"],
            &["lwp-model/src/rdt/memory.rs"],
            &["RDTM"],
        ),
        requirements: &["RDTM-02"],
    },
    StageOfFields {
        fields: &["state.rmid."],
        stage: stage(
            "counts",
            "docs/src/rdt/cycle.md",
            &["rtl/rdt/rdt_counts.sv"],
            &["lwp-model/src/rdt/counts.rs"],
            &["RDTM"],
        ),
        requirements: &["RDTM-02", "RDTM-03", "RDTM-11", "RDTM-32"],
    },
    StageOfFields {
        fields: &["state.answer.", "state.cdp.", "state.lp.", "state.class.", "reg_"],
        stage: stage(
            "request",
            "docs/src/rdt/cycle.md",
            &[
                "rtl/rdt/rdt_request.sv",
                "rtl/rdt/rdt_answer.sv",
                "rtl/rdt/rdt_binding.sv",
                "rtl/rdt/rdt_classes.sv",
                "rtl/rdt/rdt_config_pkg.sv",
            ],
            &["lwp-model/src/rdt/request.rs", "lwp-model/src/rdt/write.rs"],
            &["RDTM", "RDTA"],
        ),
        requirements: &["RDTM-25", "RDTM-30", "RDTM-31", "RDTA-12", "RDTA-14"],
    },
];

/// Returns the stage of a field.
fn suspect(field: &str, cause: Option<&Moment<'_>>) -> Option<Suspect> {
    StageOfFields::suspect(STAGES, &without_indices(field), cause)
}

impl UnitReport for RdtReport {
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
        if field.ends_with("reg_result") {
            Some(name::<RegResult>(value))
        } else if field.ends_with("job.step") {
            Some(name::<Step>(value))
        } else if field.ends_with(".stage") {
            Some(
                ["no access", "waits for the L2 cache", "waits for the L3 cache", "no stage"][value as usize & 3]
                    .to_owned(),
            )
        } else {
            is_ways(field).then(|| ways(value))
        }
    }

    fn is_code(&self, field: &str) -> bool {
        ["reg_result", "job.step"].iter().any(|name| field.ends_with(name))
    }

    fn input_name(&self, input: &str, value: u64) -> Option<String> {
        match input.rsplit('.').next() {
            Some("reg_op") => Some(name::<RegOp>(value)),
            Some("op_mode") => Some(name::<OpMode>(value)),
            Some("int_kind") => Some(name::<IntKind>(value)),
            _ => None,
        }
    }
}

/// Whether a field has a bit for each way.
fn is_ways(field: &str) -> bool {
    ["_mask", "_allowed"].iter().any(|name| field.ends_with(name))
}

/// The ways of a mask.
fn ways(mask: u64) -> String {
    let ways: Vec<_> = (0..16).filter(|n| mask >> n & 1 != 0).map(|n| n.to_string()).collect();
    if ways.is_empty() { "no way".to_owned() } else { format!("ways {}", ways.join(" ")) }
}

/// The name of a code; a code without one is reported as such.
fn name<T: Choice>(code: u64) -> String {
    let choice = u8::try_from(code).ok().and_then(T::from_code);
    choice.map_or_else(|| format!("code {code}, which means nothing"), |choice| choice.name().to_owned())
}

#[cfg(test)]
mod tests {
    use super::{RdtReport, STAGES, suspect};
    use crate::report::{StageOfFields, UnitReport};
    use lwp_model::Unit;
    use lwp_model::rdt::Rdt;
    use std::path::Path;

    type Small = Rdt<2, 8, 4, 4, 2, 4, 4>;

    #[test]
    fn every_field_has_a_stage_and_every_file_exists() {
        for field in Small::OUTPUT_FIELDS {
            assert!(suspect(field.name, None).is_some(), "{}", field.name);
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for StageOfFields { stage, .. } in STAGES {
            for file in stage.rtl.iter().chain(stage.model).chain([&stage.chapter]) {
                assert!(root.join(file).is_file(), "{file}");
            }
        }
    }

    #[test]
    fn fields_have_the_stages_of_the_contract() {
        for (field, stage) in [
            ("state.lp[1].credit", "pace"),
            ("state.lp[0].rmid", "request"),
            ("state.lp[0].access_rmid", "entry"),
            ("lp[1].req_ready", "entry"),
            ("state.job.step", "steps"),
            ("state.job.l3_allowed", "choice"),
            ("state.l3.word.line[3].age", "set"),
            ("state.l3.index", "memory"),
            ("state.show.l2.line[0].valid", "memory"),
            ("state.rmid[2].occupancy", "counts"),
            ("state.class[2].delay", "request"),
        ] {
            assert!(Small::OUTPUT_FIELDS.iter().any(|known| known.name == field), "{field}");
            assert_eq!(suspect(field, None).unwrap().stage.name, stage, "{field}");
        }
    }

    #[test]
    fn codes_have_names() {
        assert_eq!(RdtReport.meaning("reg_result", 4, &[]).as_deref(), Some("not mine"));
        assert_eq!(RdtReport.meaning("state.class[1].l3_mask", 9, &[]).as_deref(), Some("ways 0 3"));
        assert_eq!(RdtReport.meaning("state.job.l2_allowed", 0, &[]).as_deref(), Some("no way"));
        assert_eq!(RdtReport.meaning("state.job.step", 30, &[]).as_deref(), Some("code 30, which means nothing"));
        assert_eq!(RdtReport.meaning("walking", 1, &[]), None);
        assert_eq!(RdtReport.input_name("lp[0].int_kind", 3).as_deref(), Some("SMI"));
    }
}
