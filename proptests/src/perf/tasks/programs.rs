//! Programs made of real traces.

use sim_harness::perf::tasks::Program;
use std::path::Path;

/// The traces: the beginnings of programs of Debian 12, captured by `lwp-sim capture --limit`. `true` and `ldconfig` have 40,000
/// instructions, `cksum` 130,000.
pub const TRACES: [&str; 3] = ["true", "ldconfig", "cksum"];

/// Returns the program of each trace, for a core with `LANES` lanes.
///
/// # Panics
/// If a trace cannot be read.
#[must_use]
pub fn programs<const LANES: usize>() -> Vec<Program<LANES>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/tasks");
    let of = |name: &str| {
        let file = folder.join(format!("{name}.lwptrace"));
        Program::of_file(&file, u64::MAX).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
    };
    TRACES.map(of).to_vec()
}
