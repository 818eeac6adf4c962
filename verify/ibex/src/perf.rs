//! The performance counters next to the core, in the place of LWP: machine, variants, report.

mod machine;
mod plants;
mod report;
mod run;
mod variants;

pub(crate) use plants::{PLANTS, plant};
pub(crate) use report::everything;
pub(crate) use run::record;
pub(crate) use variants::{Variant, is_name, named, print};
