//! Descriptions of the bits of a field, by the types of `lwp-regs` and the codes of the contract.

mod address;
pub(super) mod context;
mod names;
mod record;
mod words;

pub(super) use names::{CONTROL_STATES, STORE_STATES, control_operation, event_name, name_of};

use lwp_model::lwp::{CtlOp, State};
use lwp_regs::lwp::{CounterWord, DataSource, FilterWord, FlagsWord, LwpMsr0};
use names::{COMMANDS, FAULTS, OPERATIONS};

/// Returns the meaning of `value` in `field` if the registers are `state`; `None` for plain numbers.
pub(super) fn meaning(field: &str, value: u64, state: &State) -> Option<String> {
    let name = field.strip_prefix("state.").unwrap_or(field);
    let code = |names: &[&str]| Some(name_of(names, value));
    match name {
        "msr0" => Some(words::bits(&LwpMsr0::LAYOUT, value)),
        "flags" => Some(words::bits(&FlagsWord::LAYOUT, value)),
        "filter" => Some(words::filter(FilterWord::from_bits(value as u32))),
        "store_st" => code(&STORE_STATES),
        "ctl_st" => code(&CONTROL_STATES),
        "ctl_op" => code(&OPERATIONS),
        "rsp_fault" | "ctl_fault" => code(&FAULTS),
        "mem_cmd" => code(&COMMANDS),
        "cand_source" | "tag_source" => Some(source(value)),
        "mem_be" => Some(words::bytes(value)),
        "mem_addr" => address::in_memory(value, state),
        "mem_wdata" => record::beat(value, state),
        "pf_addr" | "rsp_fault_addr" | "ctl_fault_addr" => address::in_memory(value, state),
        "ctl_rdata" | "rsp_rdata" if state.ctl.op == CtlOp::Save => context::word(context::number(state)?, value),
        "ctl_arg" if state.ctl.op == CtlOp::Restore => context::word(context::number(state)?, value),
        "lwpcb" => (value == 0).then(|| "no control block".to_owned()),
        "base" => None,
        "head" | "tail" => Some(address::slot_of_ring(value, state.block.size)),
        "size" => Some(format!("{} records", value / 32)),
        "threshold" => Some(words::threshold(value)),
        _ => indexed(name, value, state),
    }
}

fn indexed(name: &str, value: u64, state: &State) -> Option<String> {
    let index = crate::lwp::registers::index_of(name)?;
    let (group, part) = (name.split('[').next()?, name.rsplit('.').next()?);
    let event = event_name(index as u8 + 1);
    match (group, part) {
        ("events", "counter") | ("undo", _) => {
            let left = CounterWord::from_bits(value as u32).counter().get();
            Some(if left == 0 { format!("{event}: expired") } else { format!("{event}: {left} to go") })
        }
        ("events", "interval") => Some(format!("{event}: one record in {}", value.max(1))),
        ("events", "slot") => {
            Some(format!("{event}: slot {value}, offset {}", lwp_regs::lwp::offset::slot(value as usize)))
        }
        ("records", _) => record::part(index, part, value, state),
        _ => None,
    }
}

/// Returns the filters in words.
pub(super) fn filter(word: FilterWord) -> String {
    words::filter(word)
}

pub(super) fn source(value: u64) -> String {
    match DataSource::from_bits(value as u8) {
        DataSource::None => "no valid status".to_owned(),
        DataSource::LocalL3 => "local L3".to_owned(),
        DataSource::Remote => "remote cache".to_owned(),
        DataSource::Dram => "DRAM".to_owned(),
        DataSource::Other => "other: MMIO, PCI".to_owned(),
        DataSource::Reserved(code) => format!("reserved source {code}"),
    }
}

#[cfg(test)]
mod tests;
