//! Performance counters.

pub mod metrics;
pub mod p6;

use crate::layout::Layout;
use crate::msr::MsrNumbers;

/// Every register layout of the unit, for tests that check them all.
pub const LAYOUTS: &[Layout] = p6::LAYOUTS;

/// Numbers of the model-specific registers of the unit.
pub const MSRS: &[MsrNumbers] = p6::MSRS;
