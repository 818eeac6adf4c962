//! The interrupt handler of the debug store.
#![allow(unsafe_code)] // lets the processor write memory again after the handler

use super::{
    BtsMode, DsIndexError, DsSetup, DsStore, Handled, PebsEnable, PebsFormat, PmiCauses, PmiHandler, PmiState,
};
use crate::access::MsrBus;
use crate::delivery::LocalApic;
use crate::perf::architectural::{Ia32PerfGlobalCtrl, Ia32PerfGlobalOvfCtrl, Ia32PerfGlobalStatus};
use crate::trace::{DebugCtl, UntracedDebugCtl};

/// A debug-store area that the processor writes to. It belongs to that processor and cannot be sent to another.
///
/// Dropping it does not stop the processor; [`stop`](Self::stop) does.
#[derive(Debug)]
pub struct RunningDs<'a> {
    setup: DsSetup<'a, Handled>,
}

impl<'a> RunningDs<'a> {
    #[inline]
    pub(super) const fn new(setup: DsSetup<'a, Handled>) -> Self {
        Self { setup }
    }

    /// The area, for a test that plays the processor.
    #[cfg(test)]
    #[inline]
    pub(super) const fn hardware(&mut self) -> &mut DsStore<'a> {
        self.setup.store()
    }

    /// What the interrupt handler begins with: turns branch trace messages, the counters and PEBS off, so that nothing
    /// changes the area while it is read and nothing overflows whose interrupt would be lost: the entry of the local
    /// APIC is masked now. [`DsIsr::exit`] turns them on again.
    ///
    /// The counters are those of `IA32_PERF_GLOBAL_CTRL`. Without [`global_counters`](super::DsBuilder::global_counters)
    /// they count on, and the caller stops those that interrupt or store records.
    ///
    /// # Errors
    ///
    /// The fault that an access raised. What had been turned off before it stays off.
    pub fn interrupt<'r, B: MsrBus>(&'r mut self, bus: &'r mut B) -> Result<DsIsr<'r, 'a, B>, B::Fault> {
        let trace = DebugCtl::new().with_tr(true).with_bts(true);
        let debugctl = DebugCtl::modify(bus, trace, UntracedDebugCtl::OFF)?;
        let plan = self.setup.store_ref().plan();
        let mut enabled = Ia32PerfGlobalCtrl::STOPPED;
        if plan.global_counters {
            enabled = Ia32PerfGlobalCtrl::MSR.read(bus)?;
            Ia32PerfGlobalCtrl::MSR.write_unchecked(bus, Ia32PerfGlobalCtrl::STOPPED)?;
        }
        let pebs_enable = if plan.pebs_record_bytes.is_some() {
            let enable = PebsEnable::MSR.read(bus)?;
            // SAFETY: no counter stores records with this.
            unsafe { PebsEnable::OFF.write(bus) }?;
            enable
        } else {
            PebsEnable::OFF
        };
        let global_status = if plan.global_counters { Ia32PerfGlobalStatus::MSR.read(bus)?.into_bits() } else { 0 };
        let interrupts = matches!(plan.bts, Some(BtsMode::InterruptAfter(_)));
        let has_pebs = plan.pebs_record_bytes.is_some();
        let view = self.setup.store_ref().view();
        let state = PmiState {
            bts: interrupts.then(|| view.bts()),
            pebs: has_pebs.then(|| view.pebs()),
            pebs_enable,
            extended_pebs: matches!(plan.pebs_format, PebsFormat::Adaptive),
            global_status,
        };
        if state.causes().contains(PmiCauses::PRECISE) || debugctl.freeze_perfmon_on_pmi() {
            enabled = Ia32PerfGlobalCtrl::from_bits(enabled.into_bits() | state.precise_counters());
        }
        Ok(DsIsr { running: self, bus, debugctl, state, enabled })
    }

    /// Stops: clears TR, BTS and BTINT, and disables PEBS if there is a PEBS buffer. `IA32_DS_AREA` keeps its content,
    /// which has no effect now.
    ///
    /// # Errors
    ///
    /// The fault that an access raised, and the area, which the processor may still write to.
    #[allow(clippy::result_large_err)] // the area must not get lost while the processor writes to it
    pub fn stop<B: MsrBus>(self, bus: &mut B) -> Result<DsSetup<'a, Handled>, (Self, B::Fault)> {
        let trace = DebugCtl::new().with_tr(true).with_bts(true).with_btint(true);
        let mut stopped = DebugCtl::modify(bus, trace, UntracedDebugCtl::OFF).map(drop);
        if self.setup.store_ref().plan().pebs_record_bytes.is_some() {
            // SAFETY: no counter stores records with this.
            stopped = stopped.and_then(|()| unsafe { PebsEnable::OFF.write(bus) });
        }
        match stopped {
            Ok(()) => Ok(self.setup),
            Err(fault) => Err((self, fault)),
        }
    }
}

/// The debug store inside its interrupt handler: nothing is stored, and no counter of `IA32_PERF_GLOBAL_CTRL` counts,
/// until [`exit`](Self::exit).
///
/// The handler runs at privilege level 0, behind an interrupt gate, on the processor that the area belongs to.
///
/// Source: Intel SDM volume 3B, "Writing the DS Interrupt Service Routine".
#[derive(Debug)]
#[must_use = "branch trace messages, counters and PEBS stay off until `exit`"]
pub struct DsIsr<'r, 'a, B> {
    running: &'r mut RunningDs<'a>,
    bus: &'r mut B,
    /// `IA32_DEBUGCTL` at the entry.
    debugctl: DebugCtl,
    state: PmiState,
    /// The counters that `exit` enables.
    enabled: Ia32PerfGlobalCtrl,
}

impl<'a, B: MsrBus> DsIsr<'_, 'a, B> {
    /// Why there was an interrupt: all causes.
    #[must_use]
    pub fn causes(&self) -> PmiCauses {
        self.state.causes()
    }

    /// The area and its records.
    #[inline]
    pub const fn store(&mut self) -> &mut DsStore<'a> {
        self.running.setup.store()
    }

    /// The bus, for instance to set the counters up again.
    #[inline]
    pub const fn bus(&mut self) -> &mut B {
        self.bus
    }

    /// The counters that [`exit`](Self::exit) enables in `IA32_PERF_GLOBAL_CTRL`, to be changed by the handler: those that
    /// were enabled at the entry and, after a PEBS interrupt, those that store PEBS records. It means nothing without
    /// [`global_counters`](super::DsBuilder::global_counters).
    ///
    /// With FREEZE_PERFMON_ON_PMI, a processor before version 4 of architectural performance monitoring has cleared the
    /// register by then, at an interrupt of any cause. Only the counters that store PEBS records are here then; the
    /// handler adds the others that are to count on.
    #[inline]
    pub const fn enabled_counters(&mut self) -> &mut Ia32PerfGlobalCtrl {
        &mut self.enabled
    }

    /// Checks for every cause and runs its routine: drains the buffers that have reached their threshold, and names the
    /// counters that have overflowed. Gives the causes.
    ///
    /// # Errors
    ///
    /// [`DsIndexError`] of the first buffer whose index cannot be believed. The other causes have been handled.
    pub fn dispatch<H: PmiHandler>(&mut self, handler: &mut H) -> Result<PmiCauses, DsIndexError> {
        let causes = self.causes();
        let overflowed = self.state.overflowed();
        let store = self.store();
        let mut branches = Ok(0);
        let mut precise = Ok(0);
        if causes.contains(PmiCauses::BRANCHES) {
            branches = store.drain_branches(|record| handler.branch(record));
        }
        if causes.contains(PmiCauses::PRECISE) {
            precise = store.drain_precise(|record| handler.precise(record));
        }
        if causes.contains(PmiCauses::COUNTERS) {
            handler.counters(overflowed);
        }
        branches.and(precise).and(Ok(causes))
    }

    /// What the handler ends with, in this order:
    ///
    /// 1. acknowledges what [`dispatch`](Self::dispatch) looks at and the freeze: the overflow indications of counters,
    ///    of the PEBS buffer, of frozen counters and of a frozen LBR stack, as far as the status showed them at the entry.
    ///    Indications of other units, as of Processor Trace and of the uncore, stay;
    /// 2. turns PEBS on as it was;
    /// 3. clears the mask of the local APIC's entry, so that the interrupt of the next overflow is delivered;
    /// 4. enables the counters that [`enabled_counters`](Self::enabled_counters) gives, next to those that the handler
    ///    has enabled itself;
    /// 5. sets TR and BTS as they were. The other bits of `IA32_DEBUGCTL` stay as the handler leaves them, as after
    ///    [`FreezeOnPmi::thaw_lbrs`](crate::trace::FreezeOnPmi::thaw_lbrs).
    ///
    /// The end of interrupt is a matter of its own.
    ///
    /// # Errors
    ///
    /// The fault that an access raised. What comes after it has not been done.
    pub fn exit<A: LocalApic<Fault = B::Fault>>(self, apic: &mut A) -> Result<(), B::Fault> {
        let Self { running, bus, debugctl, state, enabled } = self;
        let handled = state.global_status & PmiState::HANDLED;
        if handled != 0 {
            Ia32PerfGlobalOvfCtrl::MSR.write_unchecked(bus, Ia32PerfGlobalOvfCtrl::from_bits(handled))?;
        }
        let plan = running.setup.store_ref().plan();
        if plan.pebs_record_bytes.is_some() {
            // SAFETY: as it was before the handler; the area is the one that `start` was called for.
            unsafe { state.pebs_enable.write(bus) }?;
        }
        let entry = apic.lvt_performance()?;
        apic.set_lvt_performance(entry.unmasked())?;
        if plan.global_counters {
            let again = |now: Ia32PerfGlobalCtrl| Ia32PerfGlobalCtrl::from_bits(now.into_bits() | enabled.into_bits());
            Ia32PerfGlobalCtrl::MSR.update_unchecked(bus, again)?;
        }
        let now = DebugCtl::MSR.read(bus)?;
        let traced = now.with_tr(now.tr() || debugctl.tr()).with_bts(now.bts() || debugctl.bts());
        // SAFETY: TR and BTS as they were before the handler; the area is the one that `start` was called for.
        unsafe { traced.write(bus) }
    }
}
