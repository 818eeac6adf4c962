//! The summary of the study: ten events, and what they say of a program.

use lwp_regs::perf::metrics::{
    BRANCH_MISS_RATE, BRANCH_RATE, IPC, L1_HIT_RATE, L2_HIT_RATE, MEMORY_TO_FLOPS, Megahertz, Metric, TLB_MISS_RATE,
    l1_to_l2_bandwidth, l2_to_memory_bandwidth, mflops,
};
use lwp_regs::perf::p6::{Event, event};
use std::fmt::Write;

/// Bytes of a line of the front end's caches.
const LINE_BYTES: u32 = 32;

/// Returns the summary of one or several runs, as the study's program prints it: the counts of each run, and the clock if it is known.
/// Of several runs each value is a mean, with the standard deviation behind it.
#[must_use]
pub fn summary(runs: &[Vec<(&'static Event, u64)>], clock: Option<Megahertz>) -> String {
    let mut text = String::new();
    let flops = runs.iter().map(|counts| of(counts, &event::FLOPS)).collect::<Vec<_>>();
    let _ = writeln!(text, "FLOPS: {}", if let [one] = flops[..] { format!("{one}") } else { spread(&flops) });
    line(&mut text, runs, "Instructions Per Cycle", IPC, "");
    match clock {
        None => line(&mut text, runs, "MFLOPS", mflops(Megahertz::ONE), " x CPU Speed(MHz)"),
        Some(clock) => {
            let at = format!(" at {clock}");
            line(&mut text, runs, "MFLOPS", mflops(clock), &at);
        }
    }
    line(&mut text, runs, "L1 Cache Hit Rate", L1_HIT_RATE, "");
    line(&mut text, runs, "L2 Cache Hit Rate", L2_HIT_RATE, "");
    line(&mut text, runs, "Memory/Flops Ratio", MEMORY_TO_FLOPS, "");
    line(&mut text, runs, "Branch Rate", BRANCH_RATE, "");
    line(&mut text, runs, "Branch Miss Rate", BRANCH_MISS_RATE, "");
    line(&mut text, runs, "TLB Miss Rate", TLB_MISS_RATE, "");
    if let Some(clock) = clock {
        line(&mut text, runs, "L1 to L2 Bandwidth", l1_to_l2_bandwidth(LINE_BYTES, clock), " MB/s");
        line(&mut text, runs, "L2 to Memory Bandwidth", l2_to_memory_bandwidth(LINE_BYTES, clock), " MB/s");
    }
    text
}

/// The count of an event.
fn of(counts: &[(&'static Event, u64)], event: &Event) -> f64 {
    counts.iter().find(|(counted, _)| counted.code() == event.code()).map_or(0.0, |(_, count)| *count as f64)
}

fn line(text: &mut String, runs: &[Vec<(&'static Event, u64)>], label: &str, metric: Metric, unit: &str) {
    let values: Result<Vec<f64>, _> = runs.iter().map(|counts| metric.of(counts)).collect();
    let _ = match values {
        Ok(values) => writeln!(text, "{label}: {}{unit}", spread(&values)),
        Err(error) => writeln!(text, "{label}: undefined ({error})"),
    };
}

/// One value, or the mean of several with their standard deviation.
fn spread(values: &[f64]) -> String {
    let (mean, deviation) = mean(values);
    if values.len() < 2 { format!("{mean:.6}") } else { format!("{mean:.6} +- {deviation:.6}") }
}

/// The mean, and the standard deviation of the sample.
pub(super) fn mean(values: &[f64]) -> (f64, f64) {
    let number = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / number;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (squares / (number - 1.0).max(1.0)).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts from which the study's summary of `ls` follows.
    fn ls() -> Vec<(&'static Event, u64)> {
        vec![
            (&event::FLOPS, 14),
            (&event::CPU_CLK_UNHALTED, 7_000_000),
            (&event::INST_RETIRED, 3_918_257),
            (&event::DATA_MEM_REFS, 2_939_637),
            (&event::DCU_LINES_IN, 43_772),
            (&event::L2_LINES_IN, 42_042),
            (&event::BR_INST_DECODED, 779_667),
            (&event::BR_MISS_PRED_RETIRED, 194_988),
            (&event::ITLB_MISS, 7_899),
            (&event::IFU_IFETCH_MISS, 5),
        ]
    }

    // MET-24, MET-25: the study's own output, its spelling mistakes apart
    #[test]
    fn the_summary_of_ls_is_that_of_the_study() {
        let expected = "\
FLOPS: 14
Instructions Per Cycle: 0.559751
MFLOPS: 0.000002 x CPU Speed(MHz)
L1 Cache Hit Rate: 0.985110
L2 Cache Hit Rate: 0.039523
Memory/Flops Ratio: 209974.071429
Branch Rate: 0.198983
Branch Miss Rate: 0.049764
TLB Miss Rate: 0.002687
";
        assert_eq!(summary(&[ls()], None), expected);
    }

    // MET-26: with a clock, MFLOPS and bandwidths are absolute
    #[test]
    fn a_clock_makes_rates_of_counts() {
        let text = summary(&[ls()], Megahertz::new(650.0));
        for line in [
            "MFLOPS: 0.001300 at 650 MHz",
            "L1 to L2 Bandwidth: 130.065371 MB/s",
            "L2 to Memory Bandwidth: 124.924800 MB/s",
        ] {
            assert!(text.lines().any(|other| other == line), "{line} is not in\n{text}");
        }
    }

    // MET-28: the mean of several runs, and their spread
    #[test]
    fn several_runs_are_averaged() {
        let mut second = ls();
        (second[0].1, second[2].1) = (18, 4_918_257);
        let text = summary(&[ls(), second], None);
        assert!(
            text.contains("FLOPS: 16.000000 +- 2.828427\nInstructions Per Cycle: 0.631180 +- 0.101015\n"),
            "{text}"
        );
    }

    #[test]
    fn a_division_by_zero_is_told() {
        let mut integers = ls();
        integers[0].1 = 0;
        let text = summary(&[integers], None);
        assert!(text.contains("Memory/Flops Ratio: undefined (division by zero: FLOPS is 0)\n"), "{text}");
    }
}
