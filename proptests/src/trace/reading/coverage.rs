//! Counts of what was checked.

use super::Reading;
use super::event::{Cause, Event};
use super::registers::Register;
use super::stack::{Part, Stack};
use super::world::{BTF, FREEZE_LBRS, FREEZE_SMM, LBR, World};

crate::reading_counts::reading_counts! {
    /// Branch records that were stored, and compared with the branch.
    branches,
    /// PEBS records that were stored, and compared with the processor's registers.
    samples,
    /// Records that were stored in an area that is too unusual to be judged.
    unjudged,
    /// Messages that were sent.
    sent,
    /// Records that were reported as lost.
    lost,
    /// Interrupts at a threshold.
    interrupts,
    /// Records that were stored without an interrupt, though the buffer has one.
    silent,
    /// Reset values of counters.
    reloads,
    /// Register requests that were answered.
    answers,
    /// Requests that faulted.
    faults,
    /// Requests for registers that the unit does not have.
    absent,
    /// Reads of IA32_DEBUGCTL.
    controls,
    /// Reads of the top of the stack with one possible value.
    tops,
    /// Reads of an address of the stack with one possible value.
    addresses,
    /// Reads of MSR_LBR_INFO with a number of clocks.
    clocks,
    /// Reads of the last exception record with one possible value.
    exceptions,
    /// #DB while LBR or BTF is set.
    debugs,
    /// Freezes.
    freezes,
    /// SMIs with FREEZE_WHILE_SMM.
    smis,
    /// RSM behind such an SMI.
    rsms,
    /// Times that the contents of the stack were forgotten.
    forgotten,
}

impl Reading {
    /// Counts what may change IA32_DEBUGCTL. `pmi`: a performance interrupt is asked for.
    pub(super) fn count(&mut self, events: &[Event], pmi: bool) {
        let may = |bits: u64| u64::from(self.worlds.iter().any(|world| world.ctl & bits != 0));
        for event in events {
            match event.cause {
                Cause::Debug => self.seen.debugs += may(LBR | BTF),
                Cause::Smi => self.seen.smis += may(FREEZE_SMM),
                Cause::Rsm => self.seen.rsms += u64::from(self.worlds.iter().any(World::restores)),
                _ => (),
            }
        }
        self.seen.freezes += u64::from(pmi) * may(FREEZE_LBRS);
    }

    /// Counts a read that has one possible value.
    pub(super) fn count_read(&mut self, register: Register) {
        let seen = &mut self.seen;
        let stacks = || self.worlds.iter().map(|world| &world.stack);
        match register {
            Register::DebugCtl => seen.controls += 1,
            Register::Tos => seen.tops += u64::from(one(stacks().map(Stack::top))),
            Register::Stack(number, Part::Info) => {
                seen.clocks += u64::from(stacks().all(|stack| stack.has_clocks(number)));
            }
            Register::Stack(number, part) => {
                seen.addresses += u64::from(one(stacks().map(|stack| stack.known(number, part))));
            }
            Register::Ler(source) => seen.exceptions += u64::from(one(self.ler.known(source))),
            Register::DsArea | Register::PebsEnable => (),
        }
    }
}

/// Whether there is one value, which is known.
fn one<T: PartialEq>(mut values: impl Iterator<Item = Option<T>>) -> bool {
    let Some(first @ Some(_)) = values.next() else { return false };
    values.all(|value| value == first)
}
