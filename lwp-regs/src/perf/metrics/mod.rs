//! What counts mean: metrics derived from the events of the [P6 counters](super::p6).
//!
//! | metric | from |
//! |---|---|
//! | [`IPC`], [`CPI`], [`mflops`] | instructions, floating-point operations, cycles |
//! | [`L1_HIT_RATE`], [`L2_HIT_RATE`] | lines allocated, memory references |
//! | [`MEMORY_TO_FLOPS`], [`TLB_MISS_RATE`] | memory references, floating-point operations, ITLB misses |
//! | [`l1_to_l2_bandwidth`], [`l2_to_memory_bandwidth`] | lines allocated, cycles |
//! | [`BRANCH_RATE`], [`BRANCH_MISS_RATE`], [`BRANCH_MISS_RATIO`] | branches, instructions |
//!
//! A [`Metric`] says which events it needs; each needs two, so one run gives one metric exactly. [`SUMMARY_EVENTS`] takes
//! five runs, and a metric whose two events come from different runs is as good as the runs are alike. A division by zero
//! is a [`MetricError`], not a NaN.
//!
//! These are the metrics of S. Bandyopadhyay, *A Study on Performance Monitoring Counters in x86-Architecture*, Indian
//! Statistical Institute, "Some Useful Performance Metrics"; where one is crude, it says so.

mod branch;
mod clock;
mod error;
mod memory;
mod metric;
mod throughput;

pub use branch::{BRANCH_MISS_RATE, BRANCH_MISS_RATIO, BRANCH_RATE};
pub use clock::Megahertz;
pub use error::MetricError;
pub(crate) use error::ratio;
pub use memory::{
    L1_HIT_RATE, L2_HIT_RATE, MEMORY_TO_FLOPS, TLB_MISS_RATE, l1_to_l2_bandwidth, l2_to_memory_bandwidth,
};
pub use metric::Metric;
pub use throughput::{CPI, IPC, mflops};

use super::p6::{Event, event};

/// The ten events of a summary: cycles, instructions, loads and stores, L1 misses, L2 misses, floating-point operations,
/// branches, branch misses, TLB misses, instruction cache misses.
pub const SUMMARY_EVENTS: [&Event; 10] = [
    &event::CPU_CLK_UNHALTED,
    &event::INST_RETIRED,
    &event::DATA_MEM_REFS,
    &event::DCU_LINES_IN,
    &event::L2_LINES_IN,
    &event::FLOPS,
    &event::BR_INST_DECODED,
    &event::BR_MISS_PRED_RETIRED,
    &event::ITLB_MISS,
    &event::IFU_IFETCH_MISS,
];

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::perf::p6::{Counter, EventSelect, P6Model, runs};
    use std::format;
    use std::vec::Vec;

    // MET-12: the ten events and their codes
    #[test]
    fn summary_events() {
        let codes = SUMMARY_EVENTS.map(Event::code);
        assert_eq!(codes, [0x79, 0xC0, 0x43, 0x45, 0x24, 0xC1, 0xE0, 0xC5, 0x85, 0x81]);
    }

    // MET-03: ten events on two counters take five runs; MET-04: with FLOPS on counter 0
    #[test]
    fn a_summary_takes_five_runs() {
        let events = SUMMARY_EVENTS.map(EventSelect::new);
        let runs: Vec<_> = runs(&events).collect();
        assert_eq!(runs.len(), 5);
        assert!(runs.iter().all(|run| run.setup(P6Model::PentiumIII).is_ok()));
        let flops = EventSelect::new(&event::FLOPS);
        assert_eq!(runs.iter().find_map(|run| run.counter_of(&flops)), Some(Counter::Counter0));
        for event in &events {
            assert_eq!(runs.iter().filter(|run| run.counter_of(event).is_some()).count(), 1);
        }
    }

    // MET-25: the summary of `ls` as printed. 14 operations and 209974.071429 references each fix loads and stores, and
    // these fix the misses; cycles are chosen so that MFLOPS come out as 0.000002, and instructions follow from them
    #[test]
    fn summary_of_ls() {
        assert_eq!(format!("{:.0}", 14.0 * 209_974.071_429), "2939637");
        let counts = [
            (&event::FLOPS, 14),
            (&event::CPU_CLK_UNHALTED, 7_000_000),
            (&event::INST_RETIRED, 3_918_257),
            (&event::DATA_MEM_REFS, 2_939_637),
            (&event::DCU_LINES_IN, 43_772),
            (&event::L2_LINES_IN, 42_042),
            (&event::BR_INST_DECODED, 779_667),
            (&event::BR_MISS_PRED_RETIRED, 194_988),
            (&event::ITLB_MISS, 7_899),
        ];
        let printed = |metric: Metric| format!("{:.6}", metric.of(&counts).unwrap());
        assert_eq!(printed(IPC), "0.559751");
        assert_eq!(printed(mflops(Megahertz::ONE)), "0.000002");
        assert_eq!(printed(L1_HIT_RATE), "0.985110");
        assert_eq!(printed(L2_HIT_RATE), "0.039523");
        assert_eq!(printed(MEMORY_TO_FLOPS), "209974.071429");
        assert_eq!(printed(BRANCH_RATE), "0.198983");
        assert_eq!(printed(BRANCH_MISS_RATE), "0.049764");
        assert_eq!(printed(TLB_MISS_RATE), "0.002687");
    }
}
