//! Branch records of Intel and AMD processors, and Intel's debug store: what the processor writes down about branches, interrupts
//! and exceptions, in registers (LBR) and in memory (BTS), and samples of its state (PEBS).
//!
//! | to | use |
//! |---|---|
//! | find out what there is | [`DebugCtlCaps`], [`ArchLbrCaps`], [`LbrFormat`], [`LbrLayout`], [`DsFeatures`] |
//! | record branches in registers | [`Ia32LbrCtl`]; before architectural LBRs [`DebugCtl`], [`LbrSelect`] |
//! | read them, newest first | [`ArchLbrStack`], giving [`ArchLbrRecord`]s; [`LbrStack`], giving [`LbrRecord`]s |
//! | the same on AMD processors | [`AmdLbrCaps`], [`AmdLbrSelect`], [`AmdLbrStack`] |
//! | find the branch before an exception | [`LastException`] |
//! | step from branch to branch | [`BranchStep`] |
//! | keep a performance interrupt's handler out of what it reads | [`FreezeOnPmi`] |
//! | describe memory for branch records and samples | [`DsBuilder`], giving a [`DsPlan`] |
//! | set it up and start | [`DsPlan::place`], [`DsSetup`], [`RunningDs`] |
//! | take the records | [`RunningDs::interrupt`], [`DsIsr`], [`DsStore`] |
//! | decode them elsewhere | [`BtsRecord`], [`PebsRecord`], [`LbrFormat::decode`] |
//!
//! Branch trace store and PEBS write memory on their own, so the three registers that start them ([`DebugCtl`],
//! [`DsArea`], [`PebsEnable`]) have only `unsafe` writes for that.

mod branch_step;
#[cfg(test)]
pub(crate) mod bus;
mod caps;
mod debugctl;
mod ds;
mod freeze;
mod lbr;

pub use branch_step::BranchStep;
pub use caps::DebugCtlCaps;
pub use debugctl::{DebugCtl, TraceSink, UntracedDebugCtl};
pub use ds::*;
pub use freeze::FreezeOnPmi;
pub use lbr::*;

use crate::layout::Layout;
use crate::msr::{Family, MsrNumbers};

/// Every register layout of the unit, for tests that check them all.
#[doc(hidden)]
pub const LAYOUTS: &[Layout] = &[
    DebugCtl::LAYOUT,
    LbrFrom::LAYOUT,
    LbrTo::LAYOUT,
    LbrInfo::LAYOUT,
    LbrTos::LAYOUT,
    LbrSelect::LAYOUT,
    FromWithFlags::LAYOUT,
    FromWithTsx::LAYOUT,
    ToWithCycles::LAYOUT,
    LerFrom::LAYOUT,
    LerTo::LAYOUT,
    ArchLbrEax::LAYOUT,
    ArchLbrEbx::LAYOUT,
    ArchLbrEcx::LAYOUT,
    Ia32LbrCtl::LAYOUT,
    Ia32LbrDepth::LAYOUT,
    Ia32LbrFrom::LAYOUT,
    Ia32LbrTo::LAYOUT,
    Ia32LbrInfo::LAYOUT,
    AmdDbgExtnCfg::LAYOUT,
    AmdLbrSelect::LAYOUT,
    AmdLbrFrom::LAYOUT,
    AmdLbrTo::LAYOUT,
    DsArea::LAYOUT,
    PebsEnable::LAYOUT,
    BtsFlags::LAYOUT,
];

/// Numbers of the model-specific registers of the unit. Those of the LBR stack depend on the model ([`LbrLayout`]).
#[doc(hidden)]
pub const MSRS: &[MsrNumbers] = &[
    MsrNumbers::one("IA32_DEBUGCTL", Family::Intel, DebugCtl::ADDRESS),
    MsrNumbers::array("MSR_LASTBRANCH_x_FROM_IP (Core, Atom)", Family::Intel, LbrLayout::CORE_FROM, 8),
    MsrNumbers::array("MSR_LASTBRANCH_x_TO_IP (Core, Atom)", Family::Intel, LbrLayout::CORE_TO, 8),
    MsrNumbers::array("MSR_LASTBRANCH_x_FROM_IP", Family::Intel, LbrLayout::NEHALEM_FROM, 32),
    MsrNumbers::array("MSR_LASTBRANCH_x_TO_IP", Family::Intel, LbrLayout::NEHALEM_TO, 32),
    MsrNumbers::array("MSR_LBR_INFO_x", Family::Intel, LbrLayout::INFO, 32),
    MsrNumbers::one("MSR_LASTBRANCH_TOS", Family::Intel, LbrTos::ADDRESS),
    MsrNumbers::one("MSR_LBR_SELECT", Family::Intel, LbrSelect::ADDRESS),
    MsrNumbers::one("MSR_LER_FROM_LIP", Family::Intel, LerFrom::ADDRESS),
    MsrNumbers::one("MSR_LER_TO_LIP", Family::Intel, LerTo::ADDRESS),
    MsrNumbers::one("IA32_LBR_CTL", Family::Intel, Ia32LbrCtl::ADDRESS),
    MsrNumbers::one("IA32_LBR_DEPTH", Family::Intel, Ia32LbrDepth::ADDRESS),
    MsrNumbers::array("IA32_LBR_x_INFO", Family::Intel, ArchLbrStack::INFO, ArchLbrStack::MAX_ENTRIES as u32),
    MsrNumbers::array("IA32_LBR_x_FROM_IP", Family::Intel, ArchLbrStack::FROM, ArchLbrStack::MAX_ENTRIES as u32),
    MsrNumbers::array("IA32_LBR_x_TO_IP", Family::Intel, ArchLbrStack::TO, ArchLbrStack::MAX_ENTRIES as u32),
    MsrNumbers::one("LBR_SELECT", Family::Amd, AmdLbrSelect::ADDRESS),
    MsrNumbers::one("DBG_EXTN_CFG", Family::Amd, AmdDbgExtnCfg::ADDRESS),
    MsrNumbers::every(2, "SAMP_BR_FROM_n", Family::Amd, AmdLbrStack::FROM, AmdLbrStack::MAX_ENTRIES as u32),
    MsrNumbers::every(2, "SAMP_BR_TO_n", Family::Amd, AmdLbrStack::TO, AmdLbrStack::MAX_ENTRIES as u32),
    MsrNumbers::one("IA32_DS_AREA", Family::Intel, DsArea::ADDRESS),
    MsrNumbers::one("IA32_PEBS_ENABLE", Family::Intel, PebsEnable::ADDRESS),
];
