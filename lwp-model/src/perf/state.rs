//! Every register of the unit, in the order of the RTL's `state_t`.

use crate::retire::RegResult;
use lwp_regs::bits::U3;
use lwp_regs::delivery::LvtPerformance;
use lwp_regs::perf::architectural::{FixedControl, Ia32PerfEvtSel};

/// The registers of a general counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct General {
    /// Event select, bits 31:0.
    pub select: u32,
    /// Count.
    pub counter: u64,
    /// The condition that the counter counts held in the last cycle of its clock.
    pub held: bool,
    /// Its bit of IA32_PERF_GLOBAL_CTRL.
    pub on: bool,
    /// Its bit of IA32_PERF_GLOBAL_STATUS.
    pub status: bool,
    /// It overflowed in the last cycle.
    pub overflow: bool,
    /// The pin is to be asserted, and could not be yet.
    pub due: bool,
    /// The pin.
    pub pin: bool,
}

impl General {
    /// The registers after reset.
    pub const RESET: Self =
        Self { select: 0, counter: 0, held: false, on: true, status: false, overflow: false, due: false, pin: false };

    /// Whether it remembers something of the last cycle, or has to do with its pin.
    #[inline]
    pub(super) const fn is_stirred(&self) -> bool {
        self.held | self.overflow | self.due | self.pin
    }

    /// The fields of the event select. P6 has the same layout.
    pub(super) const fn fields(&self) -> Ia32PerfEvtSel {
        Ia32PerfEvtSel::from_bits(self.select as u64)
    }
}

/// The registers of a fixed counter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fixed {
    /// Its field of IA32_FIXED_CTR_CTRL.
    pub control: FixedControl,
    /// Count.
    pub counter: u64,
    /// Its bit of IA32_PERF_GLOBAL_CTRL.
    pub on: bool,
    /// Its bit of IA32_PERF_GLOBAL_STATUS.
    pub status: bool,
    /// It overflowed in the last cycle.
    pub overflow: bool,
}

/// The other registers of a logical processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Processor {
    /// Bit 62 of IA32_PERF_GLOBAL_STATUS.
    pub ds_status: bool,
    /// An SMI cleared the enables, and the RSM has not been seen.
    pub smm_frozen: bool,
    /// Vector of the local APIC's entry.
    pub lvt_vector: u8,
    /// Delivery mode of the entry.
    pub lvt_mode: u8,
    /// Mask of the entry.
    pub lvt_mask: bool,
    /// An interrupt is requested.
    pub irq: bool,
    /// How it is delivered.
    pub irq_mode: u8,
    /// Its vector.
    pub irq_vector: u8,
    /// A performance interrupt was asked for in the last cycle.
    pub pmi: bool,
}

impl Processor {
    /// The registers after reset.
    pub const RESET: Self = Self {
        ds_status: false,
        smm_frozen: false,
        lvt_vector: 0,
        lvt_mode: 0,
        lvt_mask: true,
        irq: false,
        irq_mode: 0,
        irq_vector: 0,
        pmi: false,
    };

    /// The local APIC's entry.
    pub(super) const fn lvt(&self) -> LvtPerformance {
        LvtPerformance::new()
            .with_vector(self.lvt_vector)
            .with_delivery_mode(U3::masked(self.lvt_mode))
            .with_send_pending(self.irq)
            .with_mask(self.lvt_mask)
    }
}

/// The answer to a request, which becomes the outputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The request of the last cycle is answered.
    pub reg_done: bool,
    /// Its result.
    pub reg_result: RegResult,
    /// EDX:EAX of RDMSR, RDPMC.
    pub reg_rdata: u64,
}

/// All registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State<const LP: usize, const GENERAL: usize, const FIXED: usize> {
    /// At the last `bus_tick` the core's clock was 2 or 3 times the bus clock.
    pub ratio_fits: bool,
    /// The general counters of each logical processor.
    pub general: [[General; GENERAL]; LP],
    /// The fixed counters of each logical processor.
    pub fixed: [[Fixed; FIXED]; LP],
    /// The other registers of each logical processor.
    pub lp: [Processor; LP],
    /// The answer.
    pub answer: Answer,
}

impl<const LP: usize, const GENERAL: usize, const FIXED: usize> Default for State<LP, GENERAL, FIXED> {
    /// The state after reset.
    fn default() -> Self {
        Self {
            ratio_fits: false,
            general: [[General::RESET; GENERAL]; LP],
            fixed: [[Fixed::default(); FIXED]; LP],
            lp: [Processor::RESET; LP],
            answer: Answer::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::General;

    #[test]
    fn a_counter_is_stirred_while_it_remembers_anything() {
        for set in 0..16 {
            let [held, overflow, due, pin] = [1, 2, 4, 8].map(|bit| set & bit != 0);
            let general = General { held, overflow, due, pin, ..General::RESET };
            assert_eq!(general.is_stirred(), set != 0, "{set}");
        }
    }
}
