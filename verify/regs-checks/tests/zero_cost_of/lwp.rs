//! LWP: LWPMSR0, a slot of the control block, and the decoding of records.

use super::row;
use lwp_regs::bits::{U6, U26};
use lwp_regs::lwp::{BranchRecord, DataSource, DcacheRecord, EventId, EventRecord, LwpMsr0, SlotWord, msr0_fields};
use regs_checks::Row;
use tock_registers::LocalRegisterCopy;

pub(crate) fn rows() -> Vec<Row> {
    vec![
        row!(
            "LWPMSR0: enable the branch event, leave the rest",
            (msr: u64),
            u64,
            LwpMsr0::from_bits(msr).with_enabled(true).with_bre(true).into_bits(),
            msr | 1 | 1 << 2,
            "tock-registers" => {
                let mut copy = LocalRegisterCopy::<u64, msr0_fields::Register>::new(msr);
                copy.modify(msr0_fields::ENABLED.val(1) + msr0_fields::BRE.val(1));
                copy.get()
            }
        ),
        row!(
            "LWPCB: a slot's word, if interval and event fit into it",
            (interval: u32, event: u8),
            u32,
            match (U26::new(interval), U6::new(event)) {
                (Some(interval), Some(event)) => SlotWord::new().with_interval(interval).with_event_id(event).into_bits(),
                _ => 0,
            },
            if interval >> 26 == 0 && event >> 6 == 0 { interval | u32::from(event) << 26 } else { 0 }
        ),
        row!(
            "event record: the class of its event",
            (word: u64),
            u8,
            EventRecord::from_words([word, 0, 0, 0]).event_id().map_or(0, EventId::get),
            (word & 0xFF) as u8
        ),
        row!(
            "branch record: taken, or another record",
            (word: u64),
            bool,
            BranchRecord::from_record(EventRecord::from_words([word, 0, 0, 0])).is_some_and(|branch| branch.taken()),
            word & 0xFF == 2 && word >> 31 & 1 == 1
        ),
        row!(
            "branch record: predicted wrongly, if that is known",
            (word: u64),
            bool,
            BranchRecord::from_record(EventRecord::from_words([word, 0, 0, 0]))
                .is_some_and(|branch| branch.predicted() == Some(false)),
            word & 0xFF == 2 && word >> 29 & 0b11 == 0b01
        ),
        row!(
            "cache-miss record: latency, if DRAM had the data",
            (word: u64),
            u32,
            DcacheRecord::from_record(EventRecord::from_words([word, 0, 0, 0]))
                .filter(|miss| miss.source() == DataSource::Dram)
                .map_or(0, |miss| miss.latency()),
            if word & 0xFF == 3 && word >> 29 & 7 == 3 { (word >> 32) as u32 } else { 0 }
        ),
    ]
}
