//! The signals to look at first.

/// Registers that show the state of the unit, whatever fails.
const ALWAYS: [&str; 4] = ["state.store_st", "state.ctl_st", "mem_req", "mem_addr"];

/// Further registers to show for each stage.
const OF_STAGES: &[(&str, &[&str])] = &[
    (
        "count",
        &["state.events[0].counter", "state.events[1].counter", "state.events[2].counter", "state.flags", "stall"],
    ),
    ("gather", &["state.records[0].event", "state.records[1].event", "state.records[0].ip", "stall"]),
    ("replay", &["state.tag_valid", "flush_req", "state.events[2].counter"]),
    ("undo", &["state.undo_valid", "state.split", "pf_abort"]),
    ("miss address buffer", &["state.mab_phase"]),
    ("store", &["state.store_beat", "state.head", "state.tail", "state.missed", "state.records[0].event"]),
    ("report", &["irq", "state.irq_count", "state.head", "state.tail", "state.threshold"]),
    ("reset", &["state.records[0].event", "state.random", "state.lfsr"]),
    ("control", &["state.ctl_op", "state.ctl_idx", "state.active", "state.lwpcb", "rsp_valid"]),
    ("memory port", &["state.mem_wait", "state.mem_drop", "mem_cmd", "mem_be"]),
    ("page-fault request", &["pf_valid", "pf_addr", "state.mem_wait"]),
    ("retire", &["stall", "drain", "cut_valid", "state.was_ring3"]),
];

/// Returns the registers to look at if `stage` is suspected.
pub(super) fn registers(stage: &str) -> Vec<&'static str> {
    let own = OF_STAGES.iter().find(|(name, _)| *name == stage).map_or(&[][..], |(_, names)| names);
    own.iter().chain(&ALWAYS).copied().collect()
}

/// Whether the input is worth looking at first: the control inputs, and of the data only the main fields of the lanes.
pub(super) fn is_telling(name: &str) -> bool {
    let short = name.rsplit('.').next().unwrap_or(name);
    [
        "cpl",
        "smm",
        "partial",
        "ctl_valid",
        "ctl_op",
        "mem_gnt",
        "mem_rvalid",
        "mem_err",
        "pf_ack",
        "irq_ack",
        "fill_valid",
        "alloc_valid",
    ]
    .contains(&short)
        || name.starts_with("lanes[") && ["valid", "ip", "branch_kind", "miss", "tagged"].contains(&short)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lwp::fields::FIELDS;
    use crate::lwp::stages::Stage;

    #[test]
    fn every_name_is_a_field_and_every_stage_is_there() {
        let known = |name: &&str| FIELDS.iter().any(|field| field.name == *name);
        assert!(ALWAYS.iter().all(known));
        for stage in Stage::ALL {
            let (_, names) = OF_STAGES.iter().find(|(name, _)| *name == stage.facts().name).expect("every stage");
            assert!(names.iter().all(known), "{stage:?}");
        }
    }
}
