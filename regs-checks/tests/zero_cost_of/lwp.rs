//! LWP: an update of LWPMSR0 and the decoding of records.

use super::row;
use lwp_regs::lwp::{EventId, EventRecord, LwpMsr0, msr0_fields};
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
            "event record: the class of its event",
            (word: u64),
            u8,
            EventRecord::from_words([word, 0, 0, 0]).event_id().map_or(0, EventId::get),
            (word & 0xFF) as u8
        ),
    ]
}
