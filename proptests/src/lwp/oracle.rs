//! Oracle: the records that an undisturbed session must contain, computed per instruction, without cycles.
//!
//! It is written from the proposal, not from the model. It covers what is determined in a run without page faults, mode
//! changes and overlapping stores, with Random = 0.

use crate::lwp::scenario::SlotChoice;
use lwp_model::lwp::{BranchKind, Lane};

/// The fields of a record that the oracle predicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Predicted {
    /// The EventId.
    pub event: u8,
    /// The address of the instruction.
    pub ip: u64,
    /// Bytes 16:23 of the record.
    pub address: u64,
}

/// An event that is counted.
struct Count {
    event: u8,
    interval: u32,
    left: u32,
}

/// Returns the records of `instructions`, in order, for a block with these slots and no filters.
#[must_use]
pub fn records(slots: &[SlotChoice], instructions: &[Lane]) -> Vec<Predicted> {
    let mut counts: Vec<Count> = Vec::new();
    for slot in slots {
        // "If multiple event selectors specify the same EventId, only the earliest one in the LWPCB is used."
        if (1..=3).contains(&slot.id) && counts.iter().all(|count| count.event != slot.id) {
            let left = slot.counter & 0x3FF_FFFF;
            counts.push(Count { event: slot.id, interval: slot.interval & 0x3FF_FFFF, left });
        }
    }
    instructions.iter().filter_map(|instruction| retire(&mut counts, instruction)).collect()
}

/// Counts one instruction. "LWP must count all events that apply to the instruction, but it will only report one event
/// per instruction": the first of the block that has expired; the others wait at zero.
fn retire(counts: &mut [Count], instruction: &Lane) -> Option<Predicted> {
    let mut reported: Option<(usize, Predicted)> = None;
    for (index, count) in counts.iter_mut().enumerate() {
        let addresses = occurrences(count.event, instruction);
        for address in addresses {
            count.left = count.left.saturating_sub(1);
            if count.left == 0 && reported.is_none() {
                let record = Predicted { event: count.event, ip: instruction.ip, address };
                reported = Some((index, record));
            }
        }
    }
    let (index, record) = reported?;
    counts[index].left = counts[index].interval;
    Some(record)
}

/// Returns the address that the record of each occurrence would hold.
fn occurrences(event: u8, instruction: &Lane) -> Vec<u64> {
    let branch = !matches!(instruction.branch_kind, BranchKind::None | BranchKind::System);
    match event {
        1 => vec![0],
        2 if branch => vec![instruction.branch_next],
        3 => {
            let missed = instruction.loads.iter().filter(|load| load.miss);
            missed.map(|load| if load.addr_valid { load.addr } else { 0 }).collect()
        }
        _ => Vec::new(),
    }
}
