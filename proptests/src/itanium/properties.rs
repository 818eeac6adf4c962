//! Properties that hold for one run, by name.

use sim_harness::capsule::Verdict;
use sim_harness::rtl::BuildId;

/// Checks a property of what model or RTL has shown.
pub(super) fn judge(_name: &str, _build: BuildId, _straps: &[u32], _inputs: &[u32], _rows: &[u32]) -> Verdict {
    Verdict::Unknown
}
