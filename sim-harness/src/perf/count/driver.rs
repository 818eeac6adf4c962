//! The drivers of `lwp-regs`, as counting uses them: set up once, let count, stop, read.

use super::plain::Own;
use super::schedule::{Pass, Place};
use crate::core::MachineFault;
use lwp_regs::access::{CounterBus, MsrBus};
use lwp_regs::perf::architectural::{
    CounterIndex, FixedIndex, Ia32FixedCtr, Ia32FixedCtrCtrl, Ia32PerfEvtSel, Ia32PerfGlobalCtrl, Ia32Pmc, PerfmonCaps,
};
use lwp_regs::perf::p6::{Counter, P6Counters, Setup, rdpmc};

/// A processor whose accesses have this fault.
pub(super) trait Processor: MsrBus<Fault = MachineFault> + CounterBus<Fault = MachineFault> {}
impl<B: MsrBus<Fault = MachineFault> + CounterBus<Fault = MachineFault>> Processor for B {}

/// Driver of the counters of one pass.
#[derive(Debug)]
pub(super) struct Driver<'p> {
    pass: &'p Pass,
    started: bool,
}

/// Values of the registers of a pass.
#[derive(Clone, Debug)]
pub(super) enum Registers {
    /// The two counters of P6.
    P6(Setup),
    /// Event selects of the general counters from 0 upwards, and the control of the fixed ones.
    Architectural { caps: PerfmonCaps, selects: Vec<Ia32PerfEvtSel>, fixed: Ia32FixedCtrCtrl },
}

impl<'p> Driver<'p> {
    pub(super) const fn new(pass: &'p Pass) -> Self {
        Self { pass, started: false }
    }

    /// Lets the counters count; the first time from 0.
    pub(super) fn begin(&mut self, bus: &mut impl Processor) -> Result<(), MachineFault> {
        let first = !std::mem::replace(&mut self.started, true);
        match &self.pass.registers {
            Registers::P6(setup) if first => P6Counters::new(bus).start(setup),
            Registers::P6(_) => P6Counters::new(bus).resume(),
            Registers::Architectural { caps, selects, fixed } => {
                if first {
                    set_up(bus, self.pass, caps, selects, *fixed)?;
                }
                enable(bus, self.pass, caps, selects, true)
            }
        }
    }

    /// Stops the counters. The counts stay.
    pub(super) fn end(&mut self, bus: &mut impl Processor) -> Result<(), MachineFault> {
        match &self.pass.registers {
            Registers::P6(_) => P6Counters::new(bus).pause(),
            Registers::Architectural { caps, selects, .. } => enable(bus, self.pass, caps, selects, false),
        }
    }

    /// Reads the counters of the pass by RDPMC, in its order.
    pub(super) fn read(&self, bus: &mut impl Processor) -> Result<Vec<u64>, MachineFault> {
        let caps = match &self.pass.registers {
            Registers::P6(_) => None,
            Registers::Architectural { caps, .. } => Some(caps),
        };
        let value = |place: Place| match (place, caps) {
            (Place::General(0), None) => rdpmc(bus, Counter::Counter0),
            (Place::General(_), None) => rdpmc(bus, Counter::Counter1),
            (Place::General(number), Some(caps)) => {
                bus.rdpmc(caps.counter(number).map_or(u32::MAX, CounterIndex::rdpmc_selector))
            }
            (Place::Fixed(number), caps) => {
                let fixed = caps.and_then(|caps| caps.fixed(number));
                bus.rdpmc(fixed.map_or(u32::MAX, FixedIndex::rdpmc_selector))
            }
        };
        if !self.started {
            return Ok(vec![0; self.pass.events.len()]);
        }
        self.pass.events.iter().map(|assigned| assigned.place).map(value).collect()
    }
}

/// Cycles at level 0 in which a counter counts although no instruction of the program does: those of the driver. An access takes two
/// cycles. Counting begins after the cycle of the write that enables, and ends with that of the write that disables.
pub(super) fn own_cycles(registers: &Registers, place: Place) -> Own {
    match (registers, place) {
        // PerfEvtSel0 is read before it is written.
        (Registers::P6(_), _) => (1, 3),
        (Registers::Architectural { caps, selects, .. }, Place::General(number)) if !caps.has_global_control() => {
            // Each counter is enabled and disabled by a write of its own.
            let (number, all) = (u64::from(number), selects.len() as u64);
            (2 * (all - 1 - number) + 1, 2 * number + 1)
        }
        (Registers::Architectural { .. }, _) => (1, 1),
    }
}

fn set_up(
    bus: &mut impl Processor,
    pass: &Pass,
    caps: &PerfmonCaps,
    selects: &[Ia32PerfEvtSel],
    fixed: Ia32FixedCtrCtrl,
) -> Result<(), MachineFault> {
    if caps.has_global_control() {
        Ia32PerfGlobalCtrl::MSR.write_unchecked(bus, Ia32PerfGlobalCtrl::new())?;
    }
    for (number, select) in selects.iter().enumerate() {
        let Some(counter) = caps.counter(number as u8) else { continue };
        counter.counter().write_unchecked(bus, Ia32Pmc::from_bits(0))?;
        if caps.has_global_control() {
            counter.select().write_unchecked(bus, *select)?;
        }
    }
    if caps.has_global_control() && caps.fixed_counters > 0 {
        for number in pass.events.iter().filter_map(|assigned| assigned.place.fixed()) {
            let Some(counter) = caps.fixed(number) else { continue };
            counter.counter().write_unchecked(bus, Ia32FixedCtr::from_bits(0))?;
        }
        Ia32FixedCtrCtrl::MSR.write_unchecked(bus, fixed)?;
    }
    Ok(())
}

/// Enables or disables the counters: all at once if there is a register for that, else one after the other.
fn enable(
    bus: &mut impl Processor,
    pass: &Pass,
    caps: &PerfmonCaps,
    selects: &[Ia32PerfEvtSel],
    enable: bool,
) -> Result<(), MachineFault> {
    if caps.has_global_control() {
        let mut control = Ia32PerfGlobalCtrl::new();
        for place in pass.events.iter().map(|assigned| assigned.place).filter(|_| enable) {
            control = match place {
                Place::General(number) => {
                    caps.counter(number).map_or(control, |index| control.with_counter(index, true))
                }
                Place::Fixed(number) => {
                    caps.fixed(number).map_or(control, |index| control.with_fixed_counter(index, true))
                }
            };
        }
        return Ia32PerfGlobalCtrl::MSR.write_unchecked(bus, control);
    }
    for (number, select) in selects.iter().enumerate() {
        let Some(counter) = caps.counter(number as u8) else { continue };
        counter.select().write_unchecked(bus, select.with_enable(enable))?;
    }
    Ok(())
}
