//! Descriptions of event records, in the registers and in flight to memory.

use super::{event_name, source};
use lwp_model::lwp::{MemCmd, State, StoreState};
use lwp_regs::lwp::{BranchRecord, DcacheRecord, Event, EventRecord, RecordWord};

/// Returns the meaning of a part of records\[`index`\] whose value is `value`; the rest of the record is taken from
/// `state`.
pub(super) fn part(index: usize, part: &str, value: u64, state: &State) -> Option<String> {
    let record = state.records.get(index)?;
    if part == "event" {
        return Some(event_name(value as u8));
    }
    if !["flags", "data"].contains(&part) {
        return None;
    }
    let flags = if part == "flags" { value as u8 } else { record.flags };
    let data = if part == "data" { value as u32 } else { record.data };
    let word = RecordWord::new().with_event_id(record.event).with_flags(u16::from(flags) << 12).with_data(data);
    Some(text(EventRecord::from_words([word.into_bits(), record.ip, record.addr, 0])))
}

/// Returns the meaning of eight bytes of a record that the store writes.
pub(super) fn beat(value: u64, state: &State) -> Option<String> {
    if state.store.st != StoreState::Write || state.port.cmd != MemCmd::Write {
        return None;
    }
    Some(match state.store.beat {
        0 => text(EventRecord::from_words([value, state.records[0].ip, state.records[0].addr, 0])),
        1 => "address of the instruction".to_owned(),
        2 => "second address of the record".to_owned(),
        _ => "reserved part of the record".to_owned(),
    })
}

/// Returns a record of which only the first word is known.
pub(super) fn text_of(first: RecordWord) -> String {
    text(EventRecord::from_words([first.into_bits(), 0, 0, 0]))
}

fn text(record: EventRecord) -> String {
    match Event::decode(record) {
        Event::Instruction(_) => event_name(1),
        Event::Branch(branch) => branch_text(&branch),
        Event::Dcache(miss) => miss_text(&miss),
        other => event_name(other.record().word().event_id()),
    }
}

fn branch_text(branch: &BranchRecord) -> String {
    let taken = if branch.taken() { "taken" } else { "not taken" };
    let predicted = match branch.predicted() {
        Some(true) => "predicted",
        Some(false) => "mispredicted",
        None => "prediction unknown",
    };
    format!("branch {taken}, {predicted}")
}

fn miss_text(miss: &DcacheRecord) -> String {
    let place = if miss.data_address().is_some() { "address known" } else { "no address" };
    format!("miss of {} cycles, {}, {place}", miss.latency(), source(miss.source().into_bits().into()))
}
