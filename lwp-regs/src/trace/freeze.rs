//! Freezing at a performance interrupt.

use super::{DebugCtl, UntracedDebugCtl};
use crate::access::MsrBus;

/// What stands still from a performance interrupt on, so that its handler finds what the interrupted program left and
/// not its own branches and counts.
///
/// The interrupt may come from a counter that is set up to interrupt, from the PEBS buffer or from the BTS buffer, each
/// at its threshold. The freeze spares the handler from looking for the cause in a hurry.
///
/// What freezing does to the registers: with `lbrs`, the processor clears `IA32_DEBUGCTL.LBR`; with `counters`, it
/// clears the enable bits of `IA32_PERF_GLOBAL_CTRL`. Thawing is setting them again. From version 4 of architectural
/// performance monitoring on, status bits stand for both and clearing those thaws.
///
/// Source: Intel SDM volume 3B, "Freezing LBR and Performance Counters on PMI"; the flag that is cleared and version 4:
/// Linux, `arch/x86/events/intel/lbr.c`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct FreezeOnPmi {
    /// The LBR stack (`FREEZE_LBRS_ON_PMI`).
    pub lbrs: bool,
    /// The performance counters (`FREEZE_PERFMON_ON_PMI`).
    pub counters: bool,
}

impl FreezeOnPmi {
    /// Both.
    pub const BOTH: Self = Self { lbrs: true, counters: true };

    #[inline]
    const fn bits(self) -> DebugCtl {
        DebugCtl::new().with_freeze_lbrs_on_pmi(self.lbrs).with_freeze_perfmon_on_pmi(self.counters)
    }

    /// Makes the next performance interrupt freeze what is chosen, and nothing else, and starts recording branches if
    /// the LBR stack is among it. To be called before the counters are enabled.
    ///
    /// # Errors
    ///
    /// The fault that an access raised, for instance because the processor cannot freeze
    /// ([`DebugCtlCaps::freeze_on_pmi`](super::DebugCtlCaps::freeze_on_pmi)).
    pub fn arm<B: MsrBus>(self, bus: &mut B) -> Result<(), B::Fault> {
        let set = UntracedDebugCtl::without_trace(self.bits().with_lbr(self.lbrs));
        DebugCtl::modify(bus, Self::BOTH.bits(), set).map(drop)
    }

    /// First thing in the handler: whether the LBR stack stands still, so that reading it gives branches of the
    /// interrupted program. False if it was not armed, or was recording in spite of it.
    ///
    /// Processors of version 4 and later keep the LBR flag and say it by `IA32_PERF_GLOBAL_STATUS`\[58\] instead.
    ///
    /// # Errors
    ///
    /// The fault that the access raised.
    pub fn lbrs_are_frozen<B: MsrBus>(bus: &mut B) -> Result<bool, B::Fault> {
        let debugctl = DebugCtl::MSR.read(bus)?;
        Ok(debugctl.freeze_lbrs_on_pmi() && !debugctl.lbr())
    }

    /// Last thing in the handler, after the counters have been set up again and enabled: goes on recording branches.
    ///
    /// Before version 4 of architectural performance monitoring; later processors go on once the status bits are
    /// cleared.
    ///
    /// # Errors
    ///
    /// The fault that an access raised.
    pub fn thaw_lbrs<B: MsrBus>(bus: &mut B) -> Result<(), B::Fault> {
        let set = UntracedDebugCtl::without_trace(DebugCtl::new().with_lbr(true));
        DebugCtl::modify(bus, DebugCtl::new(), set).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::bus::Recorder;
    use crate::trace::{LbrFormat, LbrLayout, LbrStack};

    const DEBUGCTL: u32 = 0x1D9;
    const GLOBAL_CTRL: u32 = 0x38F;
    const TOS: u32 = 0x1C9;

    /// A processor with four branch records and one counter, as far as freezing goes.
    struct Processor {
        bus: Recorder,
        counter: u64,
    }

    impl Processor {
        fn new() -> Self {
            let mut bus = Recorder::new([(DEBUGCTL, 0), (GLOBAL_CTRL, 1), (TOS, 3)]);
            for i in 0..4 {
                bus.set(0x40 + i, 0);
                bus.set(0x60 + i, 0);
            }
            Self { bus, counter: 0 }
        }

        fn debugctl(&self) -> DebugCtl {
            DebugCtl::from_bits(self.bus.get(DEBUGCTL))
        }

        fn branch(&mut self, from: u64) {
            self.counter += self.bus.get(GLOBAL_CTRL) & 1;
            if self.debugctl().lbr() {
                let tos = (self.bus.get(TOS) + 1) % 4;
                self.bus.set(TOS, tos);
                self.bus.set(0x40 + tos as u32, from);
                self.bus.set(0x60 + tos as u32, from + 1);
            }
        }

        fn performance_interrupt(&mut self) {
            let debugctl = self.debugctl();
            if debugctl.freeze_lbrs_on_pmi() {
                self.bus.set(DEBUGCTL, debugctl.with_lbr(false).into_bits());
            }
            if debugctl.freeze_perfmon_on_pmi() {
                self.bus.set(GLOBAL_CTRL, 0);
            }
        }
    }

    /// A program of three branches, the interrupt, and a handler with three branches of its own; what the handler sees.
    fn handler_sees(freeze: FreezeOnPmi) -> ([u64; 4], u64, bool) {
        let mut cpu = Processor::new();
        freeze.arm(&mut cpu.bus).unwrap();
        if !freeze.lbrs {
            FreezeOnPmi::thaw_lbrs(&mut cpu.bus).unwrap();
        }
        for from in [10, 20, 30] {
            cpu.branch(from);
        }
        cpu.performance_interrupt();
        for from in [900, 910, 920] {
            cpu.branch(from);
        }
        let frozen = FreezeOnPmi::lbrs_are_frozen(&mut cpu.bus).unwrap();
        let stack = LbrStack::new(LbrLayout::CORE2, LbrFormat::EffectiveIp).unwrap();
        let mut records = [Default::default(); 4];
        assert_eq!(stack.read(&mut cpu.bus, &mut records), Ok(4));
        (records.map(|record| record.from), cpu.counter, frozen)
    }

    // DCTL-25: the handler's branches are in neither the stack nor the count. The processor's part is played by the
    // test.
    #[test]
    fn the_handler_finds_what_the_program_left() {
        assert_eq!(handler_sees(FreezeOnPmi::BOTH), ([30, 20, 10, 0], 3, true));
        let lbrs = FreezeOnPmi { lbrs: true, counters: false };
        assert_eq!(handler_sees(lbrs), ([30, 20, 10, 0], 6, true));
        let counters = FreezeOnPmi { lbrs: false, counters: true };
        assert_eq!(handler_sees(counters), ([920, 910, 900, 30], 3, false));
        let neither = FreezeOnPmi { lbrs: false, counters: false };
        assert_eq!(handler_sees(neither), ([920, 910, 900, 30], 6, false));
    }

    #[test]
    fn arming_and_thawing_leave_the_rest_alone() {
        let mut bus = Recorder::new([(DEBUGCTL, 0x19C2)]);
        FreezeOnPmi { lbrs: true, counters: false }.arm(&mut bus).unwrap();
        assert_eq!(bus.get(DEBUGCTL), 0x09C3);
        bus.set(DEBUGCTL, 0x09C2);
        FreezeOnPmi::thaw_lbrs(&mut bus).unwrap();
        assert_eq!(bus.get(DEBUGCTL), 0x09C3);
        assert!(FreezeOnPmi::BOTH.arm(&mut Recorder::new([])).is_err());
    }
}
