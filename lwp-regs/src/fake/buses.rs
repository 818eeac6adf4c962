//! The fake as the ways to the hardware that software is written against.
#![allow(unsafe_code)] // implements a bus; no hardware is behind it

use super::{Access, FakeMsrs};
use crate::access::{CounterBus, Cpuid, CpuidRegisters, GeneralProtection, MsrBus};

impl<const N: usize, F: Clone + From<GeneralProtection>, const T: usize> MsrBus for FakeMsrs<'_, N, F, T> {
    type Fault = F;

    unsafe fn rdmsr(&mut self, address: u32) -> Result<u64, F> {
        self.begin(Access::Rdmsr(address))?;
        self.value(address).ok_or_else(|| GeneralProtection::NoSuchRegister.into())
    }

    unsafe fn wrmsr(&mut self, address: u32, value: u64) -> Result<(), F> {
        self.begin(Access::Wrmsr(address, value))?;
        let register = self.register(address).ok_or(GeneralProtection::NoSuchRegister)?;
        Ok(register.write(value)?)
    }
}

impl<const N: usize, F: Clone + From<GeneralProtection>, const T: usize> CounterBus for FakeMsrs<'_, N, F, T> {
    type Fault = F;

    fn rdpmc(&mut self, selector: u32) -> Result<u64, F> {
        self.begin(Access::Rdpmc(selector))?;
        let counter = self.registers().find(|register| register.selector == Some(selector));
        counter.map(|register| register.value).ok_or_else(|| GeneralProtection::NoSuchRegister.into())
    }
}

impl<const N: usize, F, const T: usize> Cpuid for FakeMsrs<'_, N, F, T> {
    fn cpuid(&self, leaf: u32, subleaf: u32) -> CpuidRegisters {
        self.identity.map_or([0; 4], |identity| identity.cpuid(leaf, subleaf))
    }
}
