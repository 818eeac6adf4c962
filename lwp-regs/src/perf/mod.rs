//! Performance counters.
//!
//! | module | processors |
//! |---|---|
//! | [`p6`] | Intel P6 family: two counters of 40 bits, 82 events |
//! | [`architectural`] | Intel since 2006: what CPUID 0AH reports |
//! | [`amd`] | AMD: legacy and extended core counters |
//! | [`virtual_counter`] | any of them, shared among threads |
//! | [`metrics`] | what the counts of a P6 say: hit rates, bandwidths, instructions per cycle |
//!
//! [`Condition`] and [`advanced`] are what all of them do with the events of a cycle.

pub mod amd;
pub mod architectural;
mod condition;
mod levels;
pub mod metrics;
mod overflow_handler;
pub mod p6;
pub mod virtual_counter;

pub use condition::{Condition, InvertedZero, advanced};
pub use levels::Levels;
pub use overflow_handler::OverflowHandler;

use crate::layout::Layout;
use crate::msr::{Family, MsrNumbers};

/// Every register layout of the unit but those of [`p6`], for tests that check them all.
#[doc(hidden)]
pub const LAYOUTS: &[Layout] = &[
    architectural::PerfmonEax::LAYOUT,
    architectural::PerfmonEbx::LAYOUT,
    architectural::PerfmonEcx::LAYOUT,
    architectural::PerfmonEdx::LAYOUT,
    architectural::Ia32PerfEvtSel::LAYOUT,
    architectural::Ia32Pmc::LAYOUT,
    architectural::Ia32APmc::LAYOUT,
    architectural::Ia32FixedCtr::LAYOUT,
    architectural::FixedControl::LAYOUT,
    architectural::Ia32FixedCtrCtrl::LAYOUT,
    architectural::Ia32PerfGlobalStatus::LAYOUT,
    architectural::Ia32PerfGlobalCtrl::LAYOUT,
    architectural::Ia32PerfGlobalOvfCtrl::LAYOUT,
    architectural::Ia32PerfGlobalStatusSet::LAYOUT,
    architectural::Ia32PerfGlobalInuse::LAYOUT,
    architectural::Ia32PerfCapabilities::LAYOUT,
    amd::AmdPerfCtl::LAYOUT,
    amd::AmdPerfCtr::LAYOUT,
    amd::AmdPerfmonEax::LAYOUT,
    amd::AmdPerfmonEbx::LAYOUT,
    amd::AmdGlobalStatus::LAYOUT,
    amd::AmdGlobalCtl::LAYOUT,
    amd::AmdGlobalStatusClr::LAYOUT,
    amd::AmdGlobalStatusSet::LAYOUT,
];

/// Numbers of the model-specific registers of the unit but those of [`p6`].
#[doc(hidden)]
pub const MSRS: &[MsrNumbers] = &[
    MsrNumbers::array("IA32_PMCx", Family::Intel, architectural::Ia32Pmc::FIRST, 8),
    MsrNumbers::array("IA32_PERFEVTSELx", Family::Intel, architectural::Ia32PerfEvtSel::FIRST, 8),
    MsrNumbers::array("IA32_FIXED_CTRx", Family::Intel, architectural::Ia32FixedCtr::FIRST, 16),
    MsrNumbers::one("IA32_PERF_CAPABILITIES", Family::Intel, architectural::Ia32PerfCapabilities::ADDRESS),
    MsrNumbers::one("IA32_FIXED_CTR_CTRL", Family::Intel, architectural::Ia32FixedCtrCtrl::ADDRESS),
    MsrNumbers::one("IA32_PERF_GLOBAL_STATUS", Family::Intel, architectural::Ia32PerfGlobalStatus::ADDRESS),
    MsrNumbers::one("IA32_PERF_GLOBAL_CTRL", Family::Intel, architectural::Ia32PerfGlobalCtrl::ADDRESS),
    MsrNumbers::one("IA32_PERF_GLOBAL_OVF_CTRL", Family::Intel, architectural::Ia32PerfGlobalOvfCtrl::ADDRESS),
    MsrNumbers::one("IA32_PERF_GLOBAL_STATUS_SET", Family::Intel, architectural::Ia32PerfGlobalStatusSet::ADDRESS),
    MsrNumbers::one("IA32_PERF_GLOBAL_INUSE", Family::Intel, architectural::Ia32PerfGlobalInuse::ADDRESS),
    MsrNumbers::array("IA32_A_PMCx", Family::Intel, architectural::Ia32APmc::FIRST, 8),
    MsrNumbers::array("PERF_LEGACY_CTLn", Family::Amd, amd::LEGACY_CTL, 4),
    MsrNumbers::array("PERF_LEGACY_CTRn", Family::Amd, amd::LEGACY_CTR, 4),
    MsrNumbers::every(2, "PERF_CTLn", Family::Amd, amd::EXTENDED_CTL, 6),
    MsrNumbers::every(2, "PERF_CTRn", Family::Amd, amd::EXTENDED_CTR, 6),
    MsrNumbers::one("PerfCntrGlobalStatus", Family::Amd, amd::AmdGlobalStatus::ADDRESS),
    MsrNumbers::one("PerfCntrGlobalCtl", Family::Amd, amd::AmdGlobalCtl::ADDRESS),
    MsrNumbers::one("PerfCntrGlobalStatusClr", Family::Amd, amd::AmdGlobalStatusClr::ADDRESS),
    MsrNumbers::one("PerfCntrGlobalStatusSet", Family::Amd, amd::AmdGlobalStatusSet::ADDRESS),
];
