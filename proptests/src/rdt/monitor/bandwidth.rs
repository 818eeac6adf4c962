//! Bandwidth counts what crosses the memory port, for the RMID that the port names.

use super::{Checked, Moment, ensure};

/// Bits of a counter.
const MASK: u64 = (1 << 62) - 1;

pub(super) fn check<const LP: usize>(moment: &Moment<'_, LP>, checked: &mut Checked) -> Result<(), String> {
    let Moment { straps, inputs, out, now, next, .. } = moment;
    let taken = out.mem_req && inputs.mem.mem_gnt;
    checked.transfers += u64::from(taken);
    let charged = taken && (straps.write_backs || !out.mem_write);
    for (rmid, (before, after)) in now.rmid.iter().zip(next.rmid).enumerate() {
        let own = charged && usize::from(out.mem_rmid) == rmid;
        let total = (before.total + u64::from(own && straps.events & 2 != 0)) & MASK;
        let local = (before.local + u64::from(own && straps.events & 4 != 0 && inputs.mem.mem_local)) & MASK;
        ensure!(after.total == total, "total of RMID {rmid} is {:#x}, not {total:#x}", after.total);
        ensure!(after.local == local, "local of RMID {rmid} is {:#x}, not {local:#x}", after.local);
    }
    Ok(())
}
