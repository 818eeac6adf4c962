//! The straps as factors.

use crate::straps::{self, Coverage, Factor};
use lwp_model::trace::{Config, TraceUnit};
use std::sync::LazyLock;

/// Every strap. A build of four entries has its own depth alone; the factors are those of the deepest.
pub static FACTORS: LazyLock<Vec<Factor<Config>>> = LazyLock::new(|| {
    straps::factors::<TraceUnit<4, 32>>(&[("pebs_counters", &[0, 1, 2, 3, 4]), ("pebs_format", &[0, 1, 2, 3])], &[])
});

/// Straps in which every two values that hardware may have meet, and these pairs.
pub(super) static PAIRWISE: LazyLock<(Vec<Config>, Coverage)> =
    LazyLock::new(|| straps::pairwise(&FACTORS, |config: &mut Config, _| config.validate(32).is_ok()));
