//! Every strap as a factor with levels, so that combinations can be generated, counted and covered.

use crate::straps::{Factor, factors};
use lwp_model::lwp::{Config, Lwp};
use std::sync::LazyLock;

/// Every strap except `present`, `core_id` and `lfsr_seed`, which are independent of all others.
pub static FACTORS: LazyLock<Vec<Factor<Config>>> = LazyLock::new(|| {
    let numbers: &[(&str, &[u64])] = &[("tail_nth", &[1, 2, 4]), ("irq_delay", &[0, 1, 9])];
    factors::<Lwp<4, 8, 31>>(numbers, &["present", "core_id", "lfsr_seed"])
});
