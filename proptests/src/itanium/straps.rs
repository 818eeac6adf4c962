//! The straps as factors.

use crate::straps::{self, Coverage, Factor};
use lwp_model::itanium::{Config, Itanium};
use std::sync::LazyLock;

/// Every strap.
pub static FACTORS: LazyLock<Vec<Factor<Config>>> = LazyLock::new(|| straps::factors::<Itanium<1, 4>>(&[], &[]));

/// Straps in which every two values meet, and these pairs. All combinations are legal.
pub(super) static PAIRWISE: LazyLock<(Vec<Config>, Coverage)> =
    LazyLock::new(|| straps::pairwise(&FACTORS, |_: &mut Config, _| true));
