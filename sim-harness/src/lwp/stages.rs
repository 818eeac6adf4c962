//! The stages of the unit: where each is specified, where it is built, and what it is asked for.

pub use crate::report::StageFacts;

/// A part of the unit that changes registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stage {
    /// Occurrences of events in the retire lanes; the counters go down.
    Count,
    /// An expired event takes its record.
    Gather,
    /// What a replayed load is tagged with.
    Replay,
    /// Counters from before the instruction that gathered a record.
    Undo,
    /// The miss address buffer, which measures latencies.
    Mab,
    /// The first record's way into the ring buffer.
    Store,
    /// The threshold interrupt.
    Report,
    /// The counter starts over.
    Reset,
    /// Instructions, MSRs, the deferred initialisation, save and restore.
    Control,
    /// The memory port.
    Port,
    /// The page-fault request to the core.
    Trap,
    /// What the core is told about retirement.
    Retire,
}

const fn facts(
    name: &'static str,
    chapter: &'static str,
    rtl: &'static [&'static str],
    model: &'static [&'static str],
    areas: &'static [&'static str],
) -> StageFacts {
    StageFacts { name, chapter, rtl, model, areas }
}

impl Stage {
    /// Every stage.
    pub const ALL: [Stage; 12] = [
        Stage::Count,
        Stage::Gather,
        Stage::Replay,
        Stage::Undo,
        Stage::Mab,
        Stage::Store,
        Stage::Report,
        Stage::Reset,
        Stage::Control,
        Stage::Port,
        Stage::Trap,
        Stage::Retire,
    ];

    /// Where to look.
    #[must_use]
    pub fn facts(self) -> &'static StageFacts {
        &FACTS[self as usize].1
    }
}

/// In the order of [`Stage::ALL`].
static FACTS: [(Stage, StageFacts); 12] = [
    (
        Stage::Count,
        facts(
            "count",
            "docs/src/lwp/count-gather.md",
            &[
                "rtl/lwp/lwp_count.sv",
                "rtl/lwp/lwp_event.sv",
                "rtl/lwp/lwp_load.sv",
                "rtl/lwp/lwp_candidate.sv",
                "rtl/lwp/lwp_collect.sv",
                "rtl/lwp/lwp_stage_pkg.sv",
            ],
            &["lwp-model/src/lwp/count.rs", "lwp-model/src/lwp/filter.rs"],
            &["CNT", "INS", "BRN", "DCM", "LAT"],
        ),
    ),
    (
        Stage::Gather,
        facts(
            "gather",
            "docs/src/lwp/count-gather.md",
            &[
                "rtl/lwp/lwp_select.sv",
                "rtl/lwp/lwp_gather.sv",
                "rtl/lwp/lwp_queue.sv",
                "rtl/lwp/lwp_collect.sv",
                "rtl/lwp/lwp_stage_pkg.sv",
            ],
            &["lwp-model/src/lwp/select.rs", "lwp-model/src/lwp/gather.rs", "lwp-model/src/lwp/queue.rs"],
            &["GAT", "SIM", "REC", "INS", "BRN", "DCM", "ADR"],
        ),
    ),
    (
        Stage::Replay,
        facts(
            "replay",
            "docs/src/lwp/count-gather.md",
            &["rtl/lwp/lwp_replay.sv"],
            &["lwp-model/src/lwp/replay.rs"],
            &["ADR"],
        ),
    ),
    (
        Stage::Undo,
        facts(
            "undo",
            "docs/src/lwp/count-gather.md",
            &["rtl/lwp/lwp_undo.sv"],
            &["lwp-model/src/lwp/undo.rs"],
            &["FLT"],
        ),
    ),
    (
        Stage::Mab,
        facts(
            "miss address buffer",
            "docs/src/lwp/mab.md",
            &["rtl/lwp/lwp_mab.sv"],
            &["lwp-model/src/lwp/mab.rs"],
            &["LAT"],
        ),
    ),
    (
        Stage::Store,
        facts(
            "store",
            "docs/src/lwp/store.md",
            &["rtl/lwp/lwp_store.sv", "rtl/lwp/lwp_ring.sv", "rtl/lwp/lwp_deliver.sv", "rtl/lwp/lwp_stage_pkg.sv"],
            &["lwp-model/src/lwp/store.rs", "lwp-model/src/lwp/ring.rs"],
            &["STO", "ACC", "FLT"],
        ),
    ),
    (
        Stage::Report,
        facts(
            "report",
            "docs/src/lwp/store.md",
            &["rtl/lwp/lwp_report.sv", "rtl/lwp/lwp_deliver.sv", "rtl/lwp/lwp_stage_pkg.sv"],
            &["lwp-model/src/lwp/report.rs"],
            &["RPT", "INT"],
        ),
    ),
    (
        Stage::Reset,
        facts(
            "reset",
            "docs/src/lwp/store.md",
            &["rtl/lwp/lwp_reset.sv", "rtl/lwp/lwp_lfsr.sv", "rtl/lwp/lwp_event.sv"],
            &["lwp-model/src/lwp/reset.rs", "lwp-model/src/lwp/lfsr.rs"],
            &["RST"],
        ),
    ),
    (
        Stage::Control,
        facts(
            "control",
            "docs/src/lwp/control.md",
            &[
                "rtl/lwp/lwp_control.sv",
                "rtl/lwp/lwp_decode.sv",
                "rtl/lwp/lwp_session.sv",
                "rtl/lwp/lwp_block.sv",
                "rtl/lwp/lwp_context.sv",
                "rtl/lwp/lwp_command.sv",
                "rtl/lwp/lwp_ctl_access.sv",
            ],
            &[
                "lwp-model/src/lwp/control.rs",
                "lwp-model/src/lwp/decode.rs",
                "lwp-model/src/lwp/session.rs",
                "lwp-model/src/lwp/block.rs",
                "lwp-model/src/lwp/context.rs",
            ],
            &["LLW", "SLW", "MSR0", "MSR1", "FLG", "LCB", "CTX"],
        ),
    ),
    (
        Stage::Port,
        facts(
            "memory port",
            "docs/src/lwp/memory.md",
            &["rtl/lwp/lwp_port.sv"],
            &["lwp-model/src/lwp/port.rs"],
            &["SEC", "STO", "FLT"],
        ),
    ),
    (
        Stage::Trap,
        facts(
            "page-fault request",
            "docs/src/lwp/store.md",
            &["rtl/lwp/lwp_trap.sv"],
            &["lwp-model/src/lwp/requests.rs", "lwp-model/src/lwp/store.rs", "lwp-model/src/lwp/control.rs"],
            &["FLT"],
        ),
    ),
    (
        Stage::Retire,
        facts(
            "retire",
            "docs/src/lwp/ports.md",
            &[
                "rtl/lwp/lwp_retire.sv",
                "rtl/lwp/lwp.sv",
                "rtl/lwp/lwp_pkg.sv",
                "rtl/lwp/lwp_config_pkg.sv",
                "rtl/lwp/lwp_state_pkg.sv",
            ],
            &["lwp-model/src/lwp/collect.rs", "lwp-model/src/lwp/outputs.rs"],
            &["STO", "FLT", "ADR", "SEC"],
        ),
    ),
];

#[cfg(test)]
mod tests {
    use super::{FACTS, Stage};
    use std::path::Path;

    #[test]
    fn the_table_is_in_order() {
        assert_eq!(FACTS.map(|(stage, _)| stage), Stage::ALL);
        assert!(Stage::ALL.iter().enumerate().all(|(at, &stage)| stage as usize == at));
    }

    #[test]
    fn every_file_of_every_stage_exists() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for stage in Stage::ALL {
            let facts = stage.facts();
            for file in facts.rtl.iter().chain(facts.model).chain([&facts.chapter]) {
                assert!(root.join(file).is_file(), "{stage:?}: {file}");
            }
        }
    }
}
