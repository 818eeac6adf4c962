//! Counts of what was checked.

use super::plain::{L2, L3, Straps};
use super::registers::{Answer, Data, FAULT, NOT_MINE, Register, ones};
use super::world::{Access, Effects};
use crate::reading_counts::reading_counts;

reading_counts! {
    /// Resets.
    resets,
    /// Accesses that hit the L2 cache.
    l2_hits,
    /// Accesses that hit the L3 cache.
    l3_hits,
    /// Accesses that were filled from memory.
    fills,
    /// Of these, fills whose ways a mask of the L3 cache limits.
    masked_l3,
    /// Fills of the L2 cache whose ways a mask limits.
    masked_l2,
    /// Fills of code that a mask of its own limits.
    masked_code,
    /// Fills while ways of the L3 cache have no power.
    fills_without_power,
    /// Accesses that may fill nothing, and read or write memory alone.
    passed,
    /// Accesses that write.
    writes,
    /// Lines that were written back for another line.
    write_backs,
    /// Lines that left the L3 cache for another line of another RMID.
    taken_over,
    /// Accesses for which several masks were possible.
    ambiguous,
    /// Accesses that were not judged.
    unjudged,
    /// Times that there were too many states to follow.
    lost,
    /// Walks that ended.
    walks,
    /// Reads of an occupancy that is not 0, with nothing in progress.
    occupancies,
    /// Reads of an occupancy while an access was in progress.
    occupancies_in_progress,
    /// Reads of an occupancy that were only bounded, while lines left.
    occupancies_bounded,
    /// Reads of a bandwidth after a transfer.
    bandwidths,
    /// Of these, reads of the local bandwidth.
    local_bandwidths,
    /// Reads of a bandwidth that has wrapped.
    wrapped,
    /// Reads with *Error*.
    errors,
    /// Reads with *Unavailable*.
    unavailables,
    /// Other registers that were read.
    reads,
    /// Registers that were written.
    written,
    /// CDP, switched on or off.
    cdp_written,
    /// RMIDs and classes that were written.
    associated,
    /// Masks that were written.
    masks_written,
    /// Delays that were written.
    delays_written,
    /// Writes in level 0 that fault, except to `IA32_QM_CTR`.
    refused,
    /// Requests outside level 0 that fault.
    unprivileged,
    /// Requests for what the unit does not have.
    absent,
    /// Masks and bandwidths that were read as 0 before the unit was ready after reset.
    early,
    /// SMIs.
    smis,
    /// Accesses to the L3 cache of a delayed logical processor that another one came before.
    paced,
}

impl Coverage {
    /// Counts a completed access, which was allowed to fill these ways.
    pub(super) fn access(&mut self, straps: &Straps, access: &Access, effects: &Effects, fill: [u64; 2]) {
        let limited = |level: usize| fill[level] != ones(straps.levels[level].ways);
        let filled = effects.filled.is_some();
        self.writes += u64::from(access.write);
        self.l2_hits += u64::from(effects.l2_hit);
        self.l3_hits += u64::from(effects.l3_hit);
        self.fills += u64::from(filled);
        self.masked_l3 += u64::from(filled && limited(L3));
        self.masked_l2 += u64::from(effects.above[L2] > 0 && limited(L2));
        self.masked_code += u64::from(filled && limited(L3) && access.code);
        self.passed += u64::from(effects.passed);
        self.taken_over += u64::from(effects.left.is_some_and(|rmid| rmid != access.rmid));
        self.write_backs += effects.transfers.iter().filter(|transfer| filled && transfer.write).count() as u64;
    }

    /// Counts the answer to a request.
    pub(super) fn answer(&mut self, answer: &Answer, level: u8, write: bool) {
        let Some(register) = answer.register.filter(|_| answer.result != NOT_MINE) else {
            self.absent += 1;
            return;
        };
        if answer.result == FAULT {
            self.unprivileged += u64::from(level != 0);
            self.refused += u64::from(level == 0 && register != Register::Counter);
            return;
        }
        if write {
            self.written += 1;
            self.cdp_written += u64::from(matches!(register, Register::Cdp(_)));
            self.associated += u64::from(register == Register::Assoc);
            self.masks_written += u64::from(matches!(register, Register::Mask(..)));
            self.delays_written += u64::from(matches!(register, Register::Delay(_)));
        } else if register == Register::Counter {
            self.errors += u64::from(answer.data == Data::Value(super::registers::ERROR));
            self.unavailables += u64::from(answer.data == Data::Value(super::registers::UNAVAILABLE));
        } else {
            self.reads += 1;
        }
    }
}
