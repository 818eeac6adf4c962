//! Intel Resource Director Technology (RDT): monitoring of shared caches and memory bandwidth (CMT, MBM), and their
//! allocation (CAT, CDP, MBA).
//!
//! A thread has two numbers, which [`PqrAssoc`] gives to the logical processor that runs it: an [`Rmid`], to which
//! hardware charges what the thread does, and a class of service ([`Cos`]), which says how much of a resource it may
//! have. Nothing here interrupts: software reads when it wants to know.
//!
//! | to | use |
//! |---|---|
//! | find out what there is | [`RdtCaps::enumerate`], giving [`MonitoringCaps`] and [`AllocationCaps`] |
//! | charge and confine a thread | [`Association::switch_to`] at each context switch, or [`PqrAssoc`] |
//! | read what a thread used | [`L3Monitoring::read`], [`L3Monitoring::bytes`], [`L3Monitoring::since`]; [`QmEvtsel`], [`QmCtr`] |
//! | give classes parts of a cache | [`CatCaps::configure`] with [`CatCaps::capacity`]; [`L3Mask`], [`L2Mask`] |
//! | keep code and data apart | [`CatCaps::enable_cdp`]; [`L3QosCfg`], [`L2QosCfg`] |
//! | slow classes down | [`MbaCaps::program`]; [`MbaThrottle`] |
//! | limit their bandwidth, on AMD processors | [`AmdBandwidthCaps`], [`L3QosBwCaps::program`], [`L3QosSmbwCaps::program`] |
//! | stay out of the counts in SMM | [`SmmGuard`] |
//! | check a driver that reads in its own way | [`SelectFirst`] |
//!
//! Source of everything here: Intel, *64 and IA-32 Architectures Software Developer's Manual*, volume 3B, "Debug,
//! Branch Profile, TSC, and Intel Resource Director Technology (Intel RDT) Features"; of what only AMD has: AMD, *AMD64
//! Architecture Programmer's Manual*, volume 2, "Platform Quality of Service (PQOS) Extension".

mod allocation_caps;
mod association;
mod bandwidth_caps;
#[allow(
    clippy::missing_errors_doc,
    clippy::result_unit_err,
    reason = "accessors that bitfield-struct writes, which lints do not see as its own inside a macro"
)]
mod bw_control;
mod cache_level;
#[allow(
    clippy::missing_errors_doc,
    clippy::result_unit_err,
    reason = "accessors that bitfield-struct writes, which lints do not see as its own inside a macro"
)]
mod cache_mask;
#[allow(
    clippy::missing_errors_doc,
    clippy::result_unit_err,
    reason = "accessors that bitfield-struct writes, which lints do not see as its own inside a macro"
)]
mod cache_qos_cfg;
mod capacity;
mod caps;
mod cat;
mod cdp;
mod cos;
mod cpuid_allocation;
mod cpuid_bandwidth;
mod cpuid_monitoring;
mod error;
mod event;
mod mask_index;
#[cfg(test)]
mod masks_first;
mod mba;
mod mba_throttle;
mod monitoring_caps;
mod pqr_assoc;
mod qm_ctr;
mod qm_evtsel;
mod reader;
#[cfg(test)]
mod recorder;
mod rmid;
mod select_first;
mod smm;
mod vendor;

pub use allocation_caps::{AllocationCaps, CatCaps, MbaCaps};
pub use association::Association;
pub use bandwidth_caps::AmdBandwidthCaps;
pub use bw_control::{
    BandwidthLimit, L3QosBwCaps, L3QosBwControl, L3QosBwIndex, L3QosSmbwCaps, L3QosSmbwControl, L3QosSmbwIndex,
};
pub use cache_level::{CacheLevel, L2, L3};
pub use cache_mask::{L2Mask, L3Mask};
pub use cache_qos_cfg::{L2QosCfg, L3QosCfg};
pub use capacity::CapacityMask;
pub use caps::RdtCaps;
pub use cat::{Capacity, Configured};
pub use cos::Cos;
pub use cpuid_allocation::{
    CpuidAllocationResources, CpuidCatFeatures, CpuidCatLength, CpuidCosMax, CpuidMbaFeatures, CpuidMbaMax,
    LEAF_ALLOCATION, RESOURCE_L2, RESOURCE_MBA,
};
pub use cpuid_bandwidth::{
    CpuidBandwidthCosMax, CpuidBandwidthLength, CpuidQosExtensions, LEAF_QOS_EXTENSIONS, RESOURCE_BANDWIDTH,
    RESOURCE_SLOW_BANDWIDTH,
};
pub use cpuid_monitoring::{
    CpuidL3Counter, CpuidMonitoringResources, CpuidRdtPresence, LEAF_MONITORING, LEAF_PRESENCE, RESOURCE_L3,
};
pub use error::RdtError;
pub use event::{MonitoringEvent, MonitoringEvents};
pub use mask_index::MaskIndex;
pub use mba_throttle::{MbaThrottle, ThrottleIndex};
pub use monitoring_caps::{L3Monitoring, MonitoringCaps};
pub use pqr_assoc::PqrAssoc;
pub use qm_ctr::{Count, NoCount, QmCtr};
pub use qm_evtsel::QmEvtsel;
pub use rmid::Rmid;
pub use select_first::{SelectFault, SelectFirst};
pub use smm::SmmGuard;
pub use vendor::RdtVendor;

use crate::layout::Layout;
use crate::msr::{Family, MsrNumbers};

/// Every register layout of the unit, for tests that check them all.
#[doc(hidden)]
pub const LAYOUTS: &[Layout] = &[
    CpuidRdtPresence::LAYOUT,
    CpuidMonitoringResources::LAYOUT,
    CpuidL3Counter::LAYOUT,
    CpuidAllocationResources::LAYOUT,
    CpuidCatLength::LAYOUT,
    CpuidCatFeatures::LAYOUT,
    CpuidCosMax::LAYOUT,
    CpuidMbaMax::LAYOUT,
    CpuidMbaFeatures::LAYOUT,
    CpuidQosExtensions::LAYOUT,
    CpuidBandwidthLength::LAYOUT,
    CpuidBandwidthCosMax::LAYOUT,
    PqrAssoc::LAYOUT,
    QmEvtsel::LAYOUT,
    QmCtr::LAYOUT,
    L3QosCfg::LAYOUT,
    L2QosCfg::LAYOUT,
    L3Mask::LAYOUT,
    L2Mask::LAYOUT,
    MbaThrottle::LAYOUT,
    L3QosBwControl::LAYOUT,
    L3QosSmbwControl::LAYOUT,
];

/// Numbers of the model-specific registers of the unit.
#[doc(hidden)]
pub const MSRS: &[MsrNumbers] = &[
    MsrNumbers::one("IA32_L3_QOS_CFG", Family::Intel, L3QosCfg::ADDRESS),
    MsrNumbers::one("IA32_L2_QOS_CFG", Family::Intel, L2QosCfg::ADDRESS),
    MsrNumbers::one("IA32_QM_EVTSEL", Family::Intel, QmEvtsel::ADDRESS),
    MsrNumbers::one("IA32_QM_CTR", Family::Intel, QmCtr::ADDRESS),
    MsrNumbers::one("IA32_PQR_ASSOC", Family::Intel, PqrAssoc::ADDRESS),
    MsrNumbers::array("IA32_L3_MASK_n", Family::Intel, L3Mask::FIRST_ADDRESS, L3Mask::COUNT),
    MsrNumbers::array("IA32_L2_MASK_n", Family::Intel, L2Mask::FIRST_ADDRESS, L2Mask::COUNT),
    MsrNumbers::array("IA32_L2_QoS_Ext_BW_Thrtl_n", Family::Intel, MbaThrottle::FIRST_ADDRESS, MbaThrottle::COUNT),
    MsrNumbers::array("L3QOS_BW_CONTROL_n", Family::Amd, L3QosBwControl::FIRST_ADDRESS, L3QosBwControl::COUNT),
    MsrNumbers::array("L3QOS_SMBW_CONTROL_n", Family::Amd, L3QosSmbwControl::FIRST_ADDRESS, L3QosSmbwControl::COUNT),
];
