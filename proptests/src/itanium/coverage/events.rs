//! What of a cycle an event selects, before tags.

use lwp_model::itanium::{Mem, Retire};
use lwp_regs::itanium::Event;

/// Whether an event with this unit mask is that of the instruction in slot `s`, which retires.
pub(super) fn of_instruction(event: Event, umask: u8, retire: &Retire, s: u8) -> bool {
    match event {
        Event::Ia64InstRetired => matches!(umask, 0 | 2 | 3),
        Event::BranchTakenSlot => Event::branches(umask, retire.branch, retire.taken) >> s & 1 != 0,
        Event::PredicateSquashedRetired => retire.off >> s & 1 != 0,
        _ => false,
    }
}

/// Returns how often a record has an event with this unit mask; `None` if the event is none of memory records.
pub(super) fn of_record(event: Event, umask: u8, mem: &Mem) -> Option<u8> {
    Some(match event {
        Event::DtcMisses => mem.dtc_miss.into(),
        Event::DtlbMisses => mem.dtlb_miss.into(),
        Event::DataReferencesRetired => (mem.read || mem.write).into(),
        Event::L1dReadsRetired => mem.l1d_read.into(),
        Event::L1dReadMissesRetired => mem.l1d_miss.into(),
        Event::L2DataReferences => Event::l2_references(umask, mem.l2_read, mem.l2_write),
        Event::L2Misses => mem.l2_miss.into(),
        Event::LoadsRetired => mem.read.into(),
        Event::StoresRetired => mem.write.into(),
        _ => return None,
    })
}
