//! The debug registers in memory, with every rule of access.
#![allow(unsafe_code)] // stands for MOV to DR

use super::{BreakpointAddress, BreakpointSet, Cpl, DebugCaps, Dr6, Dr7, ProcessorMode, Slot};
use crate::access::{DebugBus, DebugFault, DebugRegister};

/// Which register an access reaches: DR4 and DR5 are other names of DR6 and DR7 while CR4.DE is 0.
///
/// Source: Intel SDM volume 3B, "Debug Registers DR4 and DR5"; from general knowledge of the manual, unconfirmed.
///
/// # Errors
///
/// [`DebugFault::InvalidOpcode`] for DR4 and DR5 while CR4.DE is 1.
#[inline]
pub const fn resolve(register: DebugRegister, cr4_de: bool) -> Result<DebugRegister, DebugFault> {
    match register {
        DebugRegister::Dr4 | DebugRegister::Dr5 if cr4_de => Err(DebugFault::InvalidOpcode),
        DebugRegister::Dr4 => Ok(DebugRegister::Dr6),
        DebugRegister::Dr5 => Ok(DebugRegister::Dr7),
        other => Ok(other),
    }
}

/// The debug registers of a processor, in memory: for a virtual processor, an emulator, a test.
///
/// An access is checked in this order: #GP for the privilege level, #UD for DR4 and DR5, #DB for general detect, #GP
/// for bits 63:32 of DR6 and DR7. The manual has no order of the first two; processors of AMD (family 19H) and Intel
/// (family 6, model CFH) have this one. What it finds is what the processor finds: bits that are fixed keep their value, and
/// general detect sets DR6.BD and clears DR7.GD, as the processor does on the way to the handler. Breakpoints do not
/// fire by themselves; [`BreakpointSet::hit_by`] tells which would.
///
/// ```
/// use lwp_regs::access::{DebugFault, DebugRegister};
/// use lwp_regs::debug::{DebugCaps, DebugEntry, DebugRegisterFile, Dr6, Dr7};
///
/// // A debugger keeps the registers for itself.
/// let mut processor = DebugRegisterFile::new(DebugCaps::INTEL_64);
/// processor.set_control(Dr7::RESET.with_gd(true));
///
/// // A program that wants to read DR6 does not get it; what it would see is kept in a second set.
/// let mut shown = DebugRegisterFile::new(DebugCaps::INTEL_64);
/// assert_eq!(Dr6::read(&mut processor), Err(DebugFault::GeneralDetect));
/// let entry = DebugEntry::enter(&mut processor)?;
/// assert!(entry.status().bd());
/// assert_eq!(Dr6::read(&mut shown)?, Dr6::RESET);
/// // SAFETY: general detect is what this handler expects.
/// unsafe { entry.leave_with(&mut processor, |control| control.with_gd(true)) }?;
/// # assert_eq!(Dr6::read(&mut processor), Err(DebugFault::GeneralDetect));
/// # Ok::<(), DebugFault>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct DebugRegisterFile {
    breakpoints: BreakpointSet,
    status: Dr6,
    caps: DebugCaps,
    cr4_de: bool,
    mode: ProcessorMode,
}

impl DebugRegisterFile {
    /// After reset, with CR4.DE 0, at privilege level 0.
    #[must_use]
    #[inline]
    pub const fn new(caps: DebugCaps) -> Self {
        let breakpoints = BreakpointSet { addresses: [BreakpointAddress::new(); Slot::COUNT], control: Dr7::RESET };
        Self { breakpoints, status: Dr6::RESET, caps, cr4_de: false, mode: ProcessorMode::Protected(Cpl::SYSTEM) }
    }

    /// Sets CR4.DE.
    #[inline]
    pub const fn set_cr4_de(&mut self, cr4_de: bool) {
        self.cr4_de = cr4_de;
    }

    /// Changes the mode of the processor.
    #[inline]
    pub const fn set_mode(&mut self, mode: ProcessorMode) {
        self.mode = mode;
    }

    /// DR0 to DR3 and DR7, past every rule of access.
    #[must_use]
    #[inline]
    pub const fn breakpoints(&self) -> &BreakpointSet {
        &self.breakpoints
    }

    /// DR6, past every rule of access.
    #[must_use]
    #[inline]
    pub const fn status(&self) -> Dr6 {
        self.status
    }

    /// Sets DR6, as the processor does when it raises #DB.
    #[inline]
    pub const fn set_status(&mut self, status: Dr6) {
        self.status = status;
    }

    /// Sets DR7, as the processor does at a task switch.
    #[inline]
    pub const fn set_control(&mut self, control: Dr7) {
        self.breakpoints.control = control;
    }

    /// What a MOV that names `register` reaches.
    fn access(&mut self, register: DebugRegister) -> Result<DebugRegister, DebugFault> {
        self.mode.check_debug_access()?;
        let register = resolve(register, self.cr4_de)?;
        if let Err(fault) = self.breakpoints.control.check_access() {
            self.status.set_bd(true);
            self.breakpoints.control.set_gd(false);
            return Err(fault);
        }
        Ok(register)
    }
}

impl DebugBus for DebugRegisterFile {
    type Fault = DebugFault;

    fn read_dr(&mut self, register: DebugRegister) -> Result<u64, DebugFault> {
        Ok(match self.access(register)? {
            DebugRegister::Dr6 | DebugRegister::Dr4 => self.status.into_bits(),
            DebugRegister::Dr7 | DebugRegister::Dr5 => self.breakpoints.control.into_bits(),
            address => self.breakpoints.addresses[address as usize].into_bits(),
        })
    }

    unsafe fn write_dr(&mut self, register: DebugRegister, value: u64) -> Result<(), DebugFault> {
        match self.access(register)? {
            DebugRegister::Dr6 | DebugRegister::Dr4 => {
                self.status = Dr6::check_write(self.status, value, &self.caps)?;
            }
            DebugRegister::Dr7 | DebugRegister::Dr5 => {
                self.breakpoints.control = Dr7::check_write(self.breakpoints.control, value, &self.caps)?;
            }
            address => {
                let address = &mut self.breakpoints.addresses[address as usize];
                *address = BreakpointAddress::check_write(*address, value, &self.caps)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "register_file_tests.rs"]
mod tests;
