//! Which signals are worth looking at first.

use super::analysis::Analysis;
use super::evidence::{Evidence, EvidenceRow};
use crate::lockstep::Field;
use crate::lwp::fields::FIELDS;
use crate::lwp::input_fields::input_fields;

/// Differing fields that are drawn at most.
const DIFFERENCES: usize = 8;

/// Registers that tell where the unit is, whatever fails.
const ALWAYS: [&str; 4] = ["state.store_st", "state.ctl_st", "mem_req", "mem_addr"];

/// What else belongs to a stage.
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

/// Whose signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Inputs,
    Both,
}

/// A signal to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Watched {
    /// Its name in the contract.
    pub(super) name: String,
    pub(super) field: Field,
    pub(super) side: Side,
    /// Model and RTL differ in it in the failing cycle.
    pub(super) differs: bool,
}

/// The signals, the guilty field first.
pub(super) fn watched(evidence: &Evidence, analysis: &Analysis) -> Vec<Watched> {
    let mut list: Vec<Watched> = Vec::new();
    let mut add = |name: &str, differs: bool| {
        if let Some(field) = FIELDS.iter().find(|field| field.name == name)
            && list.iter().all(|watched| watched.name != name)
        {
            list.push(Watched { name: name.to_owned(), field: *field, side: Side::Both, differs });
        }
    };
    analysis.field.iter().for_each(|field| add(&field.name, true));
    // An output that is a register of the same name says nothing more.
    let repeats = |name: &str| analysis.differences.iter().any(|other| other.name.strip_prefix("state.") == Some(name));
    let telling = analysis.differences.iter().filter(|field| !repeats(&field.name));
    telling.take(DIFFERENCES).for_each(|field| add(&field.name, true));
    if let Some(stage) = &analysis.stage
        && let Some((_, names)) = OF_STAGES.iter().find(|(name, _)| *name == stage.name)
    {
        names.iter().for_each(|name| add(name, false));
    }
    ALWAYS.iter().for_each(|name| add(name, false));
    list.extend(moving_inputs(evidence));
    list
}

/// Inputs that have several values in the rows; data only of the port that is used.
fn moving_inputs(evidence: &Evidence) -> impl Iterator<Item = Watched> {
    let moves = |field: &Field| {
        let value = |row: &EvidenceRow| field.of(&row.inputs);
        evidence.rows.windows(2).any(|pair| value(&pair[0]) != value(&pair[1]))
    };
    let telling = |name: &str| {
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
    };
    // In the order of the row, but of a lane the address first.
    let order = |name: &str| (lane_of(name), !name.ends_with(".ip"));
    let mut fields = input_fields(evidence.lanes()).to_vec();
    fields.sort_by_key(|input| order(input.name));
    let inputs: Vec<Watched> = fields
        .into_iter()
        .filter(|input| telling(input.name) && moves(input))
        .map(|input| Watched { name: input.name.to_owned(), field: input, side: Side::Inputs, differs: false })
        .collect();
    inputs.into_iter()
}

/// Lanes count from 1 here; 0 is what all share.
fn lane_of(name: &str) -> usize {
    if name.starts_with("lanes[") { crate::lwp::registers::index_of(name).map_or(0, |lane| lane + 1) } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
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
