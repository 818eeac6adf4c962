//! Metrics of the P6's events. They are ratios in f64, which a processor without such a unit does in software.

use crate::board::{input, input32, output};
use crate::failure::{Failed, OrTell};
use crate::machine::Machine;
use lwp_regs::perf::metrics::{self, Megahertz, Metric};

pub fn run(_machine: &mut Machine) -> Result<(), Failed> {
    let clock = Megahertz::new(f64::from(input32())).or_tell()?;
    let known = [metrics::IPC, metrics::TLB_MISS_RATE, metrics::BRANCH_MISS_RATE, metrics::L2_HIT_RATE];
    known.iter().try_for_each(tell_metric)?;
    tell_metric(&metrics::l1_to_l2_bandwidth(input32(), clock))?;
    tell_metric(&metrics::mflops(clock))
}

/// Computes the metric from what its events have counted.
fn tell_metric(metric: &Metric) -> Result<(), Failed> {
    let counts = metric.events().map(|event| (event, input()));
    output(metric.of(&counts).or_tell()?.to_bits());
    Ok(())
}
