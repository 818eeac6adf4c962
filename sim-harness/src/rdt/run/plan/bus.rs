//! The registers of allocation, for the drivers: what they write is refused as the processor refuses it, and kept in order.
#![allow(unsafe_code, reason = "implements the bus of the drivers; nothing here accesses hardware")]

use lwp_regs::access::{GeneralProtection, MsrBus};
use lwp_regs::rdt::{L2Mask, L2QosCfg, L3Mask, L3QosCfg, MbaThrottle, RdtCaps};
use std::collections::BTreeMap;

/// Registers after reset, on a processor with these limits.
#[derive(Clone, Debug)]
pub(super) struct Registers {
    caps: RdtCaps,
    values: BTreeMap<u32, u64>,
    /// Writes in their order.
    pub(super) writes: Vec<(u32, u64)>,
}

impl Registers {
    pub(super) fn new(caps: &RdtCaps) -> Self {
        Self { caps: *caps, values: BTreeMap::new(), writes: Vec::new() }
    }

    /// What a register holds; `None` if the processor does not have it.
    pub(super) fn value(&self, number: u32) -> Option<u64> {
        let reset = self.reset(number)?;
        Some(self.values.get(&number).copied().unwrap_or(reset))
    }

    fn reset(&self, number: u32) -> Option<u64> {
        let allocation = self.caps.allocation.as_ref()?;
        match number {
            L3QosCfg::ADDRESS => allocation.l3.as_ref().filter(|l3| l3.cdp).map(|_| 0),
            L2QosCfg::ADDRESS => allocation.l2.as_ref().filter(|l2| l2.cdp).map(|_| 0),
            _ => match (index(number)?, allocation) {
                (Index::L3(n), caps) => {
                    caps.l3.as_ref().filter(|l3| n < l3.cos_count()).map(|l3| l3.full_mask().into())
                }
                (Index::L2(n), caps) => {
                    caps.l2.as_ref().filter(|l2| n < l2.cos_count()).map(|l2| l2.full_mask().into())
                }
                (Index::Delay(n), caps) => caps.mba.as_ref().filter(|mba| n <= u32::from(mba.cos_max)).map(|_| 0),
            },
        }
    }

    /// Whether the processor takes a value.
    fn check(&self, number: u32, value: u64) -> Result<(), GeneralProtection> {
        let missing = GeneralProtection::NoSuchRegister;
        let old = self.value(number).ok_or(missing)?;
        let allocation = self.caps.allocation.as_ref().ok_or(missing)?;
        let (l3, l2) = (|| allocation.l3.as_ref().ok_or(missing), || allocation.l2.as_ref().ok_or(missing));
        match number {
            L3QosCfg::ADDRESS => L3QosCfg::check_write(L3QosCfg::from_bits(old), value, l3()?).map(drop),
            L2QosCfg::ADDRESS => L2QosCfg::check_write(L2QosCfg::from_bits(old), value, l2()?).map(drop),
            _ => match index(number).ok_or(missing)? {
                Index::L3(_) => L3Mask::check_write(L3Mask::from_bits(old), value, l3()?).map(drop),
                Index::L2(_) => L2Mask::check_write(L2Mask::from_bits(old), value, l2()?).map(drop),
                Index::Delay(_) => {
                    let mba = allocation.mba.as_ref().ok_or(missing)?;
                    MbaThrottle::check_write(MbaThrottle::from_bits(old), value, mba).map(drop)
                }
            },
        }
    }
}

/// Which of several registers.
enum Index {
    L3(u32),
    L2(u32),
    Delay(u32),
}

fn index(number: u32) -> Option<Index> {
    let within = |first: u32, count: u32| number.checked_sub(first).filter(|n| *n < count);
    within(L3Mask::FIRST_ADDRESS, L3Mask::COUNT)
        .map(Index::L3)
        .or_else(|| within(L2Mask::FIRST_ADDRESS, L2Mask::COUNT).map(Index::L2))
        .or_else(|| within(MbaThrottle::FIRST_ADDRESS, MbaThrottle::COUNT).map(Index::Delay))
}

impl MsrBus for Registers {
    type Fault = GeneralProtection;

    unsafe fn rdmsr(&mut self, address: u32) -> Result<u64, GeneralProtection> {
        self.value(address).ok_or(GeneralProtection::NoSuchRegister)
    }

    unsafe fn wrmsr(&mut self, address: u32, value: u64) -> Result<(), GeneralProtection> {
        self.check(address, value)?;
        self.values.insert(address, value);
        self.writes.push((address, value));
        Ok(())
    }
}
