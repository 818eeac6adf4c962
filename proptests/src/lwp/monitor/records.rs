//! Reserved bits of records are zero, and each record is one that its event allows.

use super::{Step, ensure};
use lwp_model::lwp::{AddressPolicy, MemCmd, StoreState};

pub(super) fn check<const W: usize>(step: &Step<'_, W>) -> Result<(), String> {
    let port = step.next_out;
    if step.next.store.st != StoreState::Write || !port.mem_req || port.mem_cmd != MemCmd::Write {
        return Ok(());
    }
    // Buffer and records are aligned to 32 bytes, so the address gives the word of the record.
    match port.mem_addr % 32 {
        0 => first_word(port.mem_wdata, step.straps.core_id, step.straps.address_policy != AddressPolicy::None),
        24 => {
            // LWP-REC-09, LWP-INS-06, LWP-BRN-16, LWP-DCM-23
            ensure!(port.mem_wdata == 0, "bytes 24:31 of a record hold {:#x}", port.mem_wdata);
            Ok(())
        }
        16 => {
            let rec = &step.next.records[0];
            let unknown = rec.event == 1 || (rec.event == 3 && rec.flags & 1 == 0);
            // LWP-INS-06, LWP-DCM-22
            ensure!(!unknown || port.mem_wdata == 0, "an address of {:#x} where there is none", port.mem_wdata);
            Ok(())
        }
        _ => Ok(()),
    }
}

fn first_word(word: u64, core_id: u8, data_address: bool) -> Result<(), String> {
    let bit = |index: u32| word >> index & 1 == 1;
    // LWP-REC-02
    ensure!((word >> 8) as u8 == core_id, "core {:#x}", (word >> 8) as u8);
    let reserved = match word & 0xFF {
        1 => word >> 16,
        2 => (word >> 16 & 0x1FFF) | word >> 32,
        3 => word >> 16 & 0x0FFF,
        other => return Err(format!("event {other}")),
    };
    // LWP-REC-09, LWP-INS-04, LWP-BRN-07, LWP-DCM-09
    ensure!(reserved == 0, "reserved bits in {word:#018x}");
    if word & 0xFF == 2 {
        // LWP-BRN-22
        ensure!(!bit(30) || bit(29), "a prediction that is not valid: {word:#018x}");
    }
    if word & 0xFF == 3 {
        let source = word >> 29 & 7;
        // LWP-DCM-16
        ensure!(!(4..=6).contains(&source), "data source {source}");
        ensure!(!bit(28) || data_address, "a data address from hardware that has none");
    }
    Ok(())
}
