//! The machine as an implementation of the hardware interfaces that a driver is written against.
//!
//! The functions are `unsafe` in the traits, because hardware may write memory. Here it writes only
//! [mapped](Machine::map) memory, and the caller of that function upholds its conditions.

use super::computer::Machine;
use super::fault::MachineFault;
use lwp_model::Moore;
use lwp_model::lwp::{CtlOp, Inputs, Outputs};
use lwp_regs::access::{Cpuid, CpuidRegisters, MsrBus};
use lwp_regs::lwp::{LwpContextPort, LwpInstructions, LwpMsr0, LwpMsr1};

/// RDMSR and WRMSR at CPL 0. Only LWPMSR0 and LWPMSR1 exist.
impl<const W: usize, D: Moore<Inputs = Inputs<W>, Outputs = Outputs>> MsrBus for &Machine<W, D> {
    type Fault = MachineFault;

    unsafe fn rdmsr(&mut self, address: u32) -> Result<u64, MachineFault> {
        let op = match address {
            LwpMsr0::ADDRESS => CtlOp::ReadMsr0,
            LwpMsr1::ADDRESS => CtlOp::ReadMsr1,
            _ => return Err(MachineFault::GeneralProtection),
        };
        self.cpu().in_kernel(op, 0, 0)
    }

    unsafe fn wrmsr(&mut self, address: u32, value: u64) -> Result<(), MachineFault> {
        let op = match address {
            LwpMsr0::ADDRESS => CtlOp::WriteMsr0,
            LwpMsr1::ADDRESS => CtlOp::WriteMsr1,
            _ => return Err(MachineFault::GeneralProtection),
        };
        self.cpu().in_kernel(op, 0, value).map(drop)
    }
}

/// LLWPCB and SLWPCB in ring 3, where DS has the base 0.
impl<const W: usize, D: Moore<Inputs = Inputs<W>, Outputs = Outputs>> LwpInstructions for &Machine<W, D> {
    type Fault = MachineFault;

    unsafe fn llwpcb(&mut self, address: u64) -> Result<u64, MachineFault> {
        self.cpu().in_ring3(CtlOp::Llwpcb, address)
    }

    unsafe fn slwpcb(&mut self) -> Result<u64, MachineFault> {
        self.cpu().in_ring3(CtlOp::Slwpcb, 0)
    }
}

/// The save and restore port at CPL 0.
impl<const W: usize, D: Moore<Inputs = Inputs<W>, Outputs = Outputs>> LwpContextPort for &Machine<W, D> {
    type Fault = MachineFault;

    unsafe fn save_word(&mut self, index: u8) -> Result<u64, MachineFault> {
        self.cpu().in_kernel(CtlOp::Save, index, 0)
    }

    unsafe fn restore_word(&mut self, index: u8, value: u64) -> Result<(), MachineFault> {
        self.cpu().in_kernel(CtlOp::Restore, index, value).map(drop)
    }
}

impl<const W: usize, D: Moore<Inputs = Inputs<W>, Outputs = Outputs>> Cpuid for Machine<W, D> {
    fn cpuid(&self, leaf: u32, _subleaf: u32) -> CpuidRegisters {
        let cpu = self.cpu();
        cpu.identity.cpuid(leaf, cpu.device.outputs().msr0)
    }
}
