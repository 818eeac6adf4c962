//! Breakpoints and debug status.

use crate::layout::Layout;
use crate::msr::MsrNumbers;

/// Every register layout of the unit, for tests that check them all.
pub const LAYOUTS: &[Layout] = &[];

/// Numbers of the model-specific registers of the unit.
pub const MSRS: &[MsrNumbers] = &[];
