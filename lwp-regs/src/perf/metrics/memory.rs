//! How the caches, the TLB and the buses behind them do.

use super::{Megahertz, Metric};
use crate::perf::p6::event::{CPU_CLK_UNHALTED, DATA_MEM_REFS, DCU_LINES_IN, FLOPS, ITLB_MISS, L2_LINES_IN};

/// L1 data cache hit rate: `1 - DCU_LINES_IN / DATA_MEM_REFS`.
///
/// Crude: a line that is allocated stands for a miss, so several misses of one line in flight count once, and misses that
/// allocate nothing not at all; retries and the parts of split accesses count as references, UC accesses too.
pub const L1_HIT_RATE: Metric = Metric::hit_rate("L1 cache hit rate", &DCU_LINES_IN, &DATA_MEM_REFS);

/// L2 cache hit rate: `1 - L2_LINES_IN / DCU_LINES_IN`.
///
/// Crude: lines in the L2 are allocated for instructions as well, lines in the DCU are not, so it may come out below 0.
pub const L2_HIT_RATE: Metric = Metric::hit_rate("L2 cache hit rate", &L2_LINES_IN, &DCU_LINES_IN);

/// Memory references per floating-point operation: `DATA_MEM_REFS / FLOPS`.
///
/// Divides by 0 for a program that does not compute with floating point, which is the usual case for an integer program.
pub const MEMORY_TO_FLOPS: Metric = Metric::ratio("memory to flops ratio", &DATA_MEM_REFS, &FLOPS);

/// TLB miss rate as the study has it: `ITLB_MISS / DATA_MEM_REFS`.
///
/// Crude, and rather a mistake: these are misses of the *instruction* TLB over *data* references. P6 has no event for
/// misses of the data TLB. Misses per instruction fetch are `Metric::ratio("…", &ITLB_MISS, &IFU_IFETCH)`.
pub const TLB_MISS_RATE: Metric = Metric::ratio("TLB miss rate", &ITLB_MISS, &DATA_MEM_REFS);

/// Bandwidth used between L1 and L2, in MB/s (10⁶ bytes): `DCU_LINES_IN * line_bytes * clock / CPU_CLK_UNHALTED`, clock in
/// MHz.
///
/// Crude: lines into the data cache only; no write-backs, no instruction fetches. The length of a line is the
/// processor's, 32 bytes up to the Pentium III (unconfirmed).
#[must_use]
#[inline]
pub const fn l1_to_l2_bandwidth(line_bytes: u32, clock: Megahertz) -> Metric {
    let lines = Metric::ratio("L1 to L2 bandwidth", &DCU_LINES_IN, &CPU_CLK_UNHALTED);
    lines.scaled(line_bytes as f64 * clock.get())
}

/// Bandwidth used between L2 and memory, in MB/s (10⁶ bytes): `L2_LINES_IN * line_bytes * clock / CPU_CLK_UNHALTED`, clock
/// in MHz.
///
/// Crude: lines into the L2 only; no write-backs and nothing that bypasses it.
#[must_use]
#[inline]
pub const fn l2_to_memory_bandwidth(line_bytes: u32, clock: Megahertz) -> Metric {
    let lines = Metric::ratio("L2 to memory bandwidth", &L2_LINES_IN, &CPU_CLK_UNHALTED);
    lines.scaled(line_bytes as f64 * clock.get())
}

#[cfg(test)]
mod tests {
    use super::super::MetricError;
    use super::*;
    use crate::perf::p6::Event;

    // MET-15: 1 miss in 4 references
    #[test]
    fn l1_hit_rate() {
        assert_eq!(L1_HIT_RATE.of(&[(&DCU_LINES_IN, 1), (&DATA_MEM_REFS, 4)]), Ok(0.75));
        let none = L1_HIT_RATE.of(&[(&DCU_LINES_IN, 0), (&DATA_MEM_REFS, 0)]);
        assert_eq!(none, Err(MetricError::DivisionByZero("DATA_MEM_REFS")));
    }

    // MET-16: over the misses of the L1, and below 0 where the L2 takes in more lines than the L1
    #[test]
    fn l2_hit_rate() {
        assert_eq!(L2_HIT_RATE.of(&[(&L2_LINES_IN, 2), (&DCU_LINES_IN, 8)]), Ok(0.75));
        assert_eq!(L2_HIT_RATE.of(&[(&L2_LINES_IN, 12), (&DCU_LINES_IN, 8)]), Ok(-0.5));
    }

    // MET-17: and the division by zero is reported
    #[test]
    fn memory_to_flops() {
        assert_eq!(MEMORY_TO_FLOPS.of(&[(&DATA_MEM_REFS, 10), (&FLOPS, 4)]), Ok(2.5));
        let integer_program = MEMORY_TO_FLOPS.of(&[(&DATA_MEM_REFS, 10), (&FLOPS, 0)]);
        assert_eq!(integer_program, Err(MetricError::DivisionByZero("FLOPS")));
    }

    // MET-20: instruction TLB misses over data references
    #[test]
    fn tlb_miss_rate() {
        assert_eq!(TLB_MISS_RATE.of(&[(&ITLB_MISS, 1), (&DATA_MEM_REFS, 8)]), Ok(0.125));
        assert_eq!(TLB_MISS_RATE.events().map(Event::mnemonic), ["ITLB_MISS", "DATA_MEM_REFS"]);
    }

    // MET-21, MET-22: a line of 32 bytes each 16 cycles at 500 MHz is 1000 MB/s; the length of a line is a parameter
    #[test]
    fn bandwidths() {
        let clock = Megahertz::new(500.0).unwrap();
        let counts = [(&DCU_LINES_IN, 100), (&L2_LINES_IN, 50), (&CPU_CLK_UNHALTED, 1_600)];
        assert_eq!(l1_to_l2_bandwidth(32, clock).of(&counts), Ok(1000.0));
        assert_eq!(l2_to_memory_bandwidth(32, clock).of(&counts), Ok(500.0));
        assert_eq!(l2_to_memory_bandwidth(64, clock).of(&counts), Ok(1000.0));
    }
}
