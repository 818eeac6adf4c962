//! The debug registers of the fake.
#![allow(unsafe_code)] // implements a bus; no hardware is behind it

use super::{Access, FakeMsrs};
use crate::access::{DebugBus, DebugFault, DebugRegister, GeneralProtection};
use crate::refused::Rule;

/// DR6.BD: an access was refused because of DR7.GD.
const BD: u64 = 1 << 13;
/// DR7.GD: the registers are protected.
const GD: u64 = 1 << 13;
/// The upper halves of DR6 and DR7, which have to be written as 0.
const UPPER: u64 = 0xFFFF_FFFF_0000_0000;

/// The registers by number, and whether 4 and 5 are other names of 6 and 7.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(super) struct DebugRegisters {
    values: [u64; 8],
    extensions: bool,
}

impl DebugRegisters {
    pub(super) const RESET: Self = Self { values: [0, 0, 0, 0, 0, 0, 0xFFFF_0FF0, 0x400], extensions: false };

    #[inline]
    const fn value(&mut self, register: DebugRegister) -> &mut u64 {
        &mut self.values[match register {
            DebugRegister::Dr4 => DebugRegister::Dr6,
            DebugRegister::Dr5 => DebugRegister::Dr7,
            register => register,
        } as usize]
    }

    /// The register, if software may access it now.
    #[inline]
    const fn open(&mut self, register: DebugRegister) -> Result<&mut u64, DebugFault> {
        if self.extensions && matches!(register, DebugRegister::Dr4 | DebugRegister::Dr5) {
            return Err(DebugFault::InvalidOpcode);
        }
        if *self.value(DebugRegister::Dr7) & GD != 0 {
            *self.value(DebugRegister::Dr7) &= !GD;
            *self.value(DebugRegister::Dr6) |= BD;
            return Err(DebugFault::GeneralDetect);
        }
        Ok(self.value(register))
    }

    fn write(&mut self, register: DebugRegister, value: u64) -> Result<(), DebugFault> {
        let place = self.open(register)?;
        let name = match register {
            DebugRegister::Dr4 | DebugRegister::Dr6 => Some("DR6"),
            DebugRegister::Dr5 | DebugRegister::Dr7 => Some("DR7"),
            _ => None,
        };
        if let Some(name) = name.filter(|_| value & UPPER != 0) {
            return Err(GeneralProtection::refused(name, value & UPPER, Rule::MustBeZero).into());
        }
        *place = value;
        Ok(())
    }
}

/// The debug registers, which software reaches through [`DebugBus`] where `F` can tell a [`DebugFault`], as that itself
/// can. They keep what is written; DR7.GD protects them, and the upper halves of DR6 and DR7 take no 1. Which bits are
/// fixed is left to the types of the registers.
impl<const N: usize, F, const T: usize> FakeMsrs<'_, N, F, T> {
    /// CR4.DE: while it is set, DR4 and DR5 raise #UD. At first it is not, and they are other names of DR6 and DR7.
    #[inline]
    pub const fn set_debug_extensions(&mut self, enabled: bool) {
        self.debug.extensions = enabled;
    }

    /// What a debug register holds. This is the test looking: it is no access.
    #[must_use]
    #[inline]
    pub const fn debug_register(&self, register: DebugRegister) -> u64 {
        let mut registers = self.debug;
        *registers.value(register)
    }

    /// Changes a debug register as the hardware might: it is no access, and nothing is refused.
    #[inline]
    pub const fn set_debug_register(&mut self, register: DebugRegister, value: u64) {
        *self.debug.value(register) = value;
    }
}

impl<const N: usize, F: Clone + From<DebugFault>, const T: usize> DebugBus for FakeMsrs<'_, N, F, T> {
    type Fault = F;

    fn read_dr(&mut self, register: DebugRegister) -> Result<u64, F> {
        self.begin(Access::ReadDr(register))?;
        Ok(*self.debug.open(register)?)
    }

    unsafe fn write_dr(&mut self, register: DebugRegister, value: u64) -> Result<(), F> {
        self.begin(Access::WriteDr(register, value))?;
        Ok(self.debug.write(register, value)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
        assert_eq!(fake.debug_register(Dr7), 0x401);
        fake.set_debug_extensions(true);
        assert_eq!(fake.read_dr(Dr4), Err(DebugFault::InvalidOpcode));
        assert_eq!(write(&mut fake, Dr5, 0x400), Err(DebugFault::InvalidOpcode));
        assert_eq!(fake.read_dr(Dr7), Ok(0x401));
    }

    #[test]
    fn general_detect_refuses_one_access() {
        let mut fake = FakeMsrs::<0, DebugFault>::default();
        fake.set_debug_register(Dr7, 0x2400);
        assert_eq!(write(&mut fake, Dr0, 0x1000), Err(DebugFault::GeneralDetect));
        assert_eq!((fake.debug_register(Dr6), fake.debug_register(Dr7)), (0xFFFF_2FF0, 0x400));
        assert_eq!(write(&mut fake, Dr0, 0x1000), Ok(()));
        assert_eq!(fake.read_dr(Dr0), Ok(0x1000));
    }

    #[test]
    fn the_upper_halves_of_dr6_and_dr7_take_no_1() {
        let mut fake = FakeMsrs::<0, DebugFault>::default();
        let fault = GeneralProtection::refused("DR7", 1 << 32, Rule::MustBeZero);
        assert_eq!(write(&mut fake, Dr7, 1 << 32 | 0x400), Err(DebugFault::GeneralProtection(fault)));
        assert_eq!(fake.debug_register(Dr7), 0x400);
        assert_eq!(write(&mut fake, Dr0, u64::MAX), Ok(()), "an address has 64 bits");
    }
}
