//! The debug registers of the fake.
#![allow(unsafe_code)] // implements a bus; no hardware is behind it

use super::{Access, FakeMsrs};
use crate::access::{DebugBus, DebugFault, DebugRegister};
use crate::debug::DebugRegisterFile;

/// The debug registers, which software reaches through [`DebugBus`] where `F` can tell a [`DebugFault`], as that itself
/// can. They keep every rule of access that [`DebugRegisterFile`] keeps, at privilege level 0.
impl<const N: usize, F, const T: usize> FakeMsrs<'_, N, F, T> {
    /// What the debug registers hold. This is the test looking: it is no access.
    #[must_use]
    #[inline]
    pub const fn debug_registers(&self) -> &DebugRegisterFile {
        &self.debug
    }

    /// The same, to be changed as the hardware might: it is no access, and nothing is refused.
    #[inline]
    pub const fn debug_registers_mut(&mut self) -> &mut DebugRegisterFile {
        &mut self.debug
    }
}

impl<const N: usize, F: Clone + From<DebugFault>, const T: usize> DebugBus for FakeMsrs<'_, N, F, T> {
    type Fault = F;

    fn read_dr(&mut self, register: DebugRegister) -> Result<u64, F> {
        self.begin(Access::ReadDr(register))?;
        Ok(self.debug.read_dr(register)?)
    }

    unsafe fn write_dr(&mut self, register: DebugRegister, value: u64) -> Result<(), F> {
        self.begin(Access::WriteDr(register, value))?;
        // SAFETY: the registers are variables; no hardware is behind them.
        Ok(unsafe { self.debug.write_dr(register, value) }?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::GeneralProtection;
    use crate::debug::Dr7 as Control;
    use crate::refused::Rule;
    use DebugRegister::{Dr0, Dr4, Dr5, Dr6, Dr7};

    fn write(fake: &mut FakeMsrs<'_, 0, DebugFault>, register: DebugRegister, value: u64) -> Result<(), DebugFault> {
        // SAFETY: the registers are variables; no hardware is behind them.
        unsafe { fake.write_dr(register, value) }
    }

    #[test]
    fn dr4_and_dr5_are_other_names_without_the_extensions() {
        let mut fake = FakeMsrs::<0, DebugFault>::default();
        assert_eq!((fake.read_dr(Dr4), fake.read_dr(Dr5)), (Ok(0xFFFF_0FF0), Ok(0x400)));
        assert_eq!(write(&mut fake, Dr5, 0x401), Ok(()));
        assert_eq!(fake.debug_registers().breakpoints().control.into_bits(), 0x401);
        fake.debug_registers_mut().set_cr4_de(true);
        assert_eq!(fake.read_dr(Dr4), Err(DebugFault::InvalidOpcode));
        assert_eq!(write(&mut fake, Dr5, 0x400), Err(DebugFault::InvalidOpcode));
        assert_eq!(fake.read_dr(Dr7), Ok(0x401));
    }

    #[test]
    fn general_detect_refuses_one_access() {
        let mut fake = FakeMsrs::<0, DebugFault>::default();
        fake.debug_registers_mut().set_control(Control::from_bits(0x2400));
        assert_eq!(write(&mut fake, Dr0, 0x1000), Err(DebugFault::GeneralDetect));
        assert_eq!((fake.read_dr(Dr6), fake.read_dr(Dr7)), (Ok(0xFFFF_2FF0), Ok(0x400)));
        assert_eq!(write(&mut fake, Dr0, 0x1000), Ok(()));
        assert_eq!(fake.read_dr(Dr0), Ok(0x1000));
    }

    #[test]
    fn the_upper_halves_of_dr6_and_dr7_take_no_1() {
        let mut fake = FakeMsrs::<0, DebugFault>::default();
        let fault = GeneralProtection::refused("DR7", 1 << 32, Rule::MustBeZero);
        assert_eq!(write(&mut fake, Dr7, 1 << 32 | 0x400), Err(DebugFault::GeneralProtection(fault)));
        assert_eq!(fake.read_dr(Dr7), Ok(0x400));
        assert_eq!(write(&mut fake, Dr0, u64::MAX), Ok(()), "an address has 64 bits");
    }
}
