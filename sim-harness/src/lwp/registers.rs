//! Who may change a register: the groups of the chapter "State", and the stages whose rules write them.

use super::stages::Stage;

/// A group of registers that the same stages write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registers {
    /// The group's name in the chapter "State".
    pub group: &'static str,
    /// Names as in [`FIELDS`](super::fields::FIELDS), without `state.` and with `[]` for any index.
    pub names: &'static [&'static str],
    /// The most particular first: where two act in one cycle, the earlier one decides.
    pub writers: &'static [Writer],
}

/// A stage that writes a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Writer {
    /// The stage.
    pub stage: Stage,
    /// The requirements that its rule for these registers comes from.
    pub requirements: &'static [&'static str],
}

const fn writer(stage: Stage, requirements: &'static [&'static str]) -> Writer {
    Writer { stage, requirements }
}

const CONTROL_MACHINE: &[Writer] = &[writer(Stage::Control, &["LWP-LLW-01", "LWP-SLW-01"])];
const FILLED_BY_GATHER: Writer = writer(Stage::Gather, &["LWP-GAT-01", "LWP-GAT-10", "LWP-REC-06", "LWP-REC-09"]);
const PORT: Writer = writer(Stage::Port, &["LWP-SEC-06", "LWP-SEC-08"]);

/// Every register, in the order of the chapter.
pub const REGISTERS: &[Registers] = &[
    Registers {
        group: "session",
        names: &["msr0"],
        writers: &[writer(Stage::Control, &["LWP-MSR0-01", "LWP-MSR0-07", "LWP-MSR0-09"])],
    },
    Registers {
        group: "session",
        names: &["lwpcb", "active", "init_pending", "reload"],
        writers: &[writer(Stage::Control, &["LWP-LLW-01", "LWP-LLW-07", "LWP-LLW-10", "LWP-MSR1-01"])],
    },
    Registers {
        group: "session",
        names: &["flags"],
        writers: &[writer(Stage::Control, &["LWP-LLW-14", "LWP-FLG-06", "LWP-FLG-07"])],
    },
    Registers {
        group: "session",
        names: &["base", "size", "random", "threshold", "filter"],
        writers: &[writer(Stage::Control, &["LWP-LLW-13", "LWP-LLW-28"])],
    },
    Registers {
        group: "session",
        names: &["head"],
        writers: &[
            writer(Stage::Control, &["LWP-LLW-13", "LWP-CTX-03"]),
            writer(Stage::Store, &["LWP-STO-02", "LWP-STO-03", "LWP-STO-04", "LWP-STO-08"]),
        ],
    },
    Registers {
        group: "session",
        names: &["tail", "tail_skip"],
        writers: &[
            writer(Stage::Control, &["LWP-LLW-13"]),
            writer(Stage::Store, &["LWP-ACC-06", "LWP-ACC-08", "LWP-ACC-16"]),
        ],
    },
    Registers {
        group: "session",
        names: &["missed"],
        writers: &[
            writer(Stage::Control, &["LWP-CTX-05"]),
            writer(Stage::Store, &["LWP-STO-05", "LWP-STO-13", "LWP-ACC-14"]),
        ],
    },
    Registers {
        group: "events",
        names: &["events[].slot"],
        writers: &[writer(Stage::Control, &["LWP-LLW-17", "LWP-LLW-18"])],
    },
    Registers {
        group: "events",
        names: &["events[].interval"],
        writers: &[writer(Stage::Control, &["LWP-LLW-13"]), writer(Stage::Store, &["LWP-RST-09", "LWP-ACC-10"])],
    },
    Registers {
        group: "events",
        names: &["events[].counter"],
        writers: &[
            writer(Stage::Reset, &["LWP-RST-01", "LWP-RST-03", "LWP-RST-05", "LWP-RST-06"]),
            writer(Stage::Undo, &["LWP-FLT-03"]),
            writer(Stage::Control, &["LWP-LLW-27", "LWP-CTX-04"]),
            writer(Stage::Count, &["LWP-CNT-01", "LWP-CNT-06", "LWP-CNT-13", "LWP-CNT-15"]),
        ],
    },
    Registers {
        group: "events",
        names: &["lfsr"],
        writers: &[writer(Stage::Reset, &["LWP-RST-07", "LWP-RST-08"]), writer(Stage::Control, &["LWP-CTX-01"])],
    },
    Registers { group: "events", names: &["rotate"], writers: &[writer(Stage::Gather, &["LWP-GAT-06"])] },
    Registers {
        group: "candidate",
        names: &["cand_valid", "cand_addr_valid", "cand_source", "cand_latency", "cand_addr"],
        writers: &[writer(Stage::Count, &["LWP-DCM-26", "LWP-GAT-10", "LWP-GAT-12"])],
    },
    Registers {
        group: "tag",
        names: &["tag_valid", "tag_source", "tag_latency", "tag_ip"],
        writers: &[writer(Stage::Replay, &["LWP-ADR-06", "LWP-ADR-07", "LWP-ADR-11"])],
    },
    Registers {
        group: "undo",
        names: &["split", "undo_valid", "undo[]"],
        writers: &[writer(Stage::Undo, &["LWP-FLT-03"])],
    },
    Registers {
        group: "records",
        names: &["records[].event", "records[].flags", "records[].data", "records[].ip", "records[].addr"],
        writers: &[
            writer(Stage::Reset, &["LWP-RST-01"]),
            writer(Stage::Trap, &["LWP-FLT-06", "LWP-FLT-07"]),
            writer(Stage::Control, &["LWP-STO-16", "LWP-CTX-16"]),
            FILLED_BY_GATHER,
        ],
    },
    Registers {
        group: "records",
        names: &["pending"],
        writers: &[writer(Stage::Trap, &["LWP-FLT-07"]), writer(Stage::Control, &["LWP-CTX-16"])],
    },
    Registers {
        group: "store",
        names: &["store_st", "store_beat"],
        writers: &[writer(Stage::Store, &["LWP-STO-01", "LWP-STO-05", "LWP-STO-14", "LWP-OVR-11"])],
    },
    Registers { group: "port", names: &["mem_wait", "mem_drop"], writers: &[PORT] },
    // The port merges what two machines ask for; what an idle one is asked for is their business.
    Registers {
        group: "port",
        names: &["mem_req", "mem_cmd", "mem_be", "mem_addr", "mem_wdata"],
        writers: &[
            writer(Stage::Control, &["LWP-LLW-13", "LWP-LLW-25", "LWP-SLW-01"]),
            writer(Stage::Store, &["LWP-STO-01", "LWP-STO-02", "LWP-STO-03", "LWP-ACC-06"]),
            PORT,
        ],
    },
    Registers {
        group: "control",
        names: &["ctl_fault", "ctl_fault_write", "ctl_fault_addr"],
        writers: &[writer(Stage::Control, &["LWP-LLW-22", "LWP-LLW-25", "LWP-LLW-26", "LWP-SLW-07"])],
    },
    Registers {
        group: "control",
        names: &["ctl_allow"],
        writers: &[writer(Stage::Control, &["LWP-LLW-17", "LWP-LLW-18", "LWP-FLG-07"])],
    },
    Registers {
        group: "control",
        names: &["ctl_st", "ctl_op", "ctl_init", "ctl_ring3", "ctl_idx", "ctl_old", "ctl_arg", "ctl_rdata"],
        writers: CONTROL_MACHINE,
    },
    Registers {
        group: "requests",
        names: &["pf_valid", "pf_write", "pf_abort", "pf_addr"],
        writers: &[writer(Stage::Trap, &["LWP-FLT-01", "LWP-FLT-12"])],
    },
    Registers {
        group: "requests",
        names: &["irq", "irq_count"],
        writers: &[writer(Stage::Report, &["LWP-RPT-03", "LWP-RPT-06", "LWP-INT-02", "LWP-INT-06"])],
    },
    Registers {
        group: "retire",
        names: &["was_ring3", "cut_valid", "cut_lane"],
        writers: &[writer(Stage::Retire, &["LWP-STO-11"])],
    },
    Registers { group: "retire", names: &["flush_req"], writers: &[writer(Stage::Replay, &["LWP-ADR-08"])] },
    Registers {
        group: "buffer",
        names: &["mab_phase", "mab[].counting", "mab[].latency"],
        writers: &[writer(Stage::Mab, &["LWP-LAT-01", "LWP-LAT-03", "LWP-LAT-06"])],
    },
];

/// Outputs that are functions of registers; the others are the registers of the same name.
pub const OUTPUTS: &[Registers] = &[
    Registers {
        group: "outputs",
        names: &["stall", "drain"],
        writers: &[writer(Stage::Retire, &["LWP-STO-11", "LWP-STO-15"])],
    },
    Registers { group: "outputs", names: &["addr_track"], writers: &[writer(Stage::Retire, &["LWP-ADR-04"])] },
    Registers {
        group: "outputs",
        names: &["rsp_valid", "rsp_fault", "rsp_fault_write", "rsp_rdata", "rsp_fault_addr"],
        writers: CONTROL_MACHINE,
    },
];

/// The group of a field of [`FIELDS`](super::fields::FIELDS); `None` for bits outside all fields.
#[must_use]
pub fn registers_of(field: &str) -> Option<&'static Registers> {
    let name = without_indices(field.strip_prefix("state.").unwrap_or(field));
    REGISTERS.iter().chain(OUTPUTS).find(|registers| registers.names.contains(&name.as_str()))
}

/// The first index in a name: 1 of `state.events[1].counter`.
#[must_use]
pub fn index_of(field: &str) -> Option<usize> {
    let (_, rest) = field.split_once('[')?;
    rest.split_once(']')?.0.parse().ok()
}

fn without_indices(name: &str) -> String {
    let mut inside = false;
    let kept = |letter: &char| {
        inside = (inside || *letter == '[') && *letter != ']';
        !inside || *letter == '['
    };
    name.chars().filter(kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lwp::fields::FIELDS;
    use std::collections::BTreeSet;

    #[test]
    fn every_field_has_one_owner_and_every_name_is_a_field() {
        let fields: BTreeSet<String> = FIELDS
            .iter()
            .map(|field| without_indices(field.name.strip_prefix("state.").unwrap_or(field.name)))
            .collect();
        let names: Vec<&str> = REGISTERS.iter().chain(OUTPUTS).flat_map(|group| group.names.iter().copied()).collect();
        let unique: BTreeSet<String> = names.iter().map(|&name| name.to_owned()).collect();
        assert_eq!(unique.len(), names.len(), "a name in two groups");
        assert_eq!(unique, fields);
        assert!(FIELDS.iter().all(|field| registers_of(field.name).is_some()));
        assert!(registers_of("(unnamed bits)").is_none());
    }

    /// The table of the chapter: group, register. A name there may have a size: `undo[3]`, `mab[8].latency`.
    #[test]
    fn groups_are_those_of_the_chapter() {
        let chapter = include_str!("../../../docs/src/lwp/state.md");
        let (mut group, mut seen) = (String::new(), BTreeSet::new());
        for line in chapter.lines().take_while(|line| !line.starts_with("## ")) {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let [_, named, register, ..] = cells[..] else { continue };
            let Some(register) = register.strip_prefix('`').and_then(|name| name.strip_suffix('`')) else { continue };
            if !named.is_empty() {
                group = named.split('[').next().unwrap().to_owned();
            }
            let indexed = ["events", "records"].contains(&group.as_str());
            let alone = ["lfsr", "rotate", "pending"].contains(&register);
            let name = if indexed && !alone { format!("{group}[].{register}") } else { without_indices(register) };
            let found = registers_of(&name).unwrap_or_else(|| panic!("{name} of {group} is in no group"));
            assert_eq!(found.group, group, "{name}");
            seen.insert(name);
        }
        let names: BTreeSet<String> =
            REGISTERS.iter().flat_map(|group| group.names).map(|&name| name.to_owned()).collect();
        assert_eq!(seen, names);
    }

    #[test]
    fn indices() {
        assert_eq!(without_indices("mab[7].latency"), "mab[].latency");
        assert_eq!(without_indices("undo[2]"), "undo[]");
        assert_eq!((index_of("state.mab[7].latency"), index_of("stall")), (Some(7), None));
    }
}
