//! How much gets done per cycle and per second.

use super::{Megahertz, Metric};
use crate::perf::p6::event::{CPU_CLK_UNHALTED, FLOPS, INST_RETIRED};

/// Instructions per cycle: `INST_RETIRED / CPU_CLK_UNHALTED`.
///
/// Halted cycles are left out, so an idle processor does not lower it.
pub const IPC: Metric = Metric::ratio("instructions per cycle", &INST_RETIRED, &CPU_CLK_UNHALTED);

/// Cycles per instruction, the inverse of [`IPC`]: `CPU_CLK_UNHALTED / INST_RETIRED`.
pub const CPI: Metric = Metric::ratio("cycles per instruction", &CPU_CLK_UNHALTED, &INST_RETIRED);

/// Millions of floating-point operations per second: `FLOPS * clock / CPU_CLK_UNHALTED`, clock in MHz.
///
/// Per second in which the processor was not halted, not per second of the program. x87 operations only; SSE has events of
/// its own. FLOPS counts on counter 0 only.
#[must_use]
#[inline]
pub const fn mflops(clock: Megahertz) -> Metric {
    Metric::ratio("MFLOPS", &FLOPS, &CPU_CLK_UNHALTED).scaled(clock.get())
}

#[cfg(test)]
mod tests {
    use super::super::MetricError;
    use super::*;

    // MET-13: both ways round
    #[test]
    fn per_cycle_and_per_instruction() {
        let counts = [(&INST_RETIRED, 3_000), (&CPU_CLK_UNHALTED, 4_000)];
        assert_eq!(IPC.of(&counts), Ok(0.75));
        assert_eq!(CPI.of(&counts), Ok(4.0 / 3.0));
        let nothing = [(&INST_RETIRED, 0), (&CPU_CLK_UNHALTED, 0)];
        assert_eq!(IPC.of(&nothing), Err(MetricError::DivisionByZero("CPU_CLK_UNHALTED")));
        assert_eq!(CPI.of(&nothing), Err(MetricError::DivisionByZero("INST_RETIRED")));
    }

    // MET-14: 2 operations in 8 cycles at 600 MHz are 150 million per second
    #[test]
    fn megaflops() {
        let counts = [(&FLOPS, 2), (&CPU_CLK_UNHALTED, 8)];
        assert_eq!(mflops(Megahertz::new(600.0).unwrap()).of(&counts), Ok(150.0));
        assert_eq!(mflops(Megahertz::ONE).of(&counts), Ok(0.25), "a factor of the clock");
        let halted = [(&FLOPS, 2), (&CPU_CLK_UNHALTED, 0)];
        assert_eq!(mflops(Megahertz::ONE).of(&halted), Err(MetricError::DivisionByZero("CPU_CLK_UNHALTED")));
    }
}
