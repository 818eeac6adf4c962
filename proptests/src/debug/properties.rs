//! Properties that hold for one run, by name.

use sim_harness::capsule::Verdict;
use sim_harness::rtl::BuildId;

/// No property of one run but lockstep is known by name.
pub(super) const fn judge(_: &str, _: BuildId, _: &[u32], _: &[u32], _: &[u32]) -> Verdict {
    Verdict::Unknown
}
