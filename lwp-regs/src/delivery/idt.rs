//! The interrupt descriptor table, as Linux fills it.
#![allow(unsafe_code)] // a gate is where the processor jumps to

use super::{Gate32, Gate64, GateKind, Privilege};
use core::fmt::Debug;

/// A gate of one of the two modes, for [`Idt`].
pub trait Gate: Copy + Debug {
    /// What an address of a handler is.
    type Address: Copy + Debug;
    /// No gate.
    const ABSENT: Self;

    /// A gate to the handler at `address` of the code segment `selector`.
    #[must_use]
    fn to_handler(kind: GateKind, selector: u16, address: Self::Address, privilege: Privilege) -> Self;
}

impl Gate for Gate32 {
    type Address = u32;
    const ABSENT: Self = Self::ABSENT;

    fn to_handler(kind: GateKind, selector: u16, address: u32, privilege: Privilege) -> Self {
        Self::to_handler(kind, selector, address, privilege)
    }
}

impl Gate for Gate64 {
    type Address = u64;
    const ABSENT: Self = Self::ABSENT;

    fn to_handler(kind: GateKind, selector: u16, address: u64, privilege: Privilege) -> Self {
        Self::to_handler(kind, selector, address, privilege)
    }
}

/// An interrupt descriptor table that is being filled: each gate leads to a handler in the kernel's code segment.
///
/// The table may be loaded already, as long as the vector that is being set cannot occur: a gate is not written at once.
#[derive(Debug)]
pub struct Idt<'a, G> {
    gates: &'a mut [G; 256],
    kernel_cs: u16,
}

impl<'a, G: Gate> Idt<'a, G> {
    /// The table `gates`, for handlers in the code segment `kernel_cs`.
    #[must_use]
    #[inline]
    pub const fn new(gates: &'a mut [G; 256], kernel_cs: u16) -> Self {
        Self { gates, kernel_cs }
    }

    /// The gate of `vector`.
    #[must_use]
    #[inline]
    pub const fn gate(&self, vector: u8) -> G {
        self.gates[vector as usize]
    }

    /// An interrupt gate with DPL 0: for interrupts of the hardware. The handler runs with interrupts disabled.
    ///
    /// # Safety
    ///
    /// While the processor uses the table, `address` is the entry of a handler for this vector, which returns by IRET and
    /// keeps the registers.
    pub unsafe fn set_intr_gate(&mut self, vector: u8, address: G::Address) {
        self.set(vector, GateKind::Interrupt, address, Privilege::Kernel);
    }

    /// A trap gate with DPL 3: for INT3, INTO, BOUND and the system call, vectors 3, 4, 5 and 128.
    ///
    /// # Safety
    ///
    /// As for [`set_intr_gate`](Self::set_intr_gate); user code can call the handler at any time.
    pub unsafe fn set_system_gate(&mut self, vector: u8, address: G::Address) {
        self.set(vector, GateKind::Trap, address, Privilege::User);
    }

    /// A trap gate with DPL 0: for the other exceptions.
    ///
    /// # Safety
    ///
    /// As for [`set_intr_gate`](Self::set_intr_gate).
    pub unsafe fn set_trap_gate(&mut self, vector: u8, address: G::Address) {
        self.set(vector, GateKind::Trap, address, Privilege::Kernel);
    }

    fn set(&mut self, vector: u8, kind: GateKind, address: G::Address, privilege: Privilege) {
        self.gates[usize::from(vector)] = G::to_handler(kind, self.kernel_cs, address, privilege);
    }
}

#[cfg(test)]
#[allow(clippy::undocumented_unsafe_blocks)] // no processor uses the tables
mod tests {
    use super::*;
    use crate::delivery::LOCAL_PERFCTR_VECTOR;

    const HANDLER: u32 = 0xC010_9ABC;

    fn only(vector: u8, set: impl Fn(&mut Idt<'_, Gate32>)) -> u64 {
        let mut gates = [Gate32::ABSENT; 256];
        set(&mut Idt::new(&mut gates, 0x10));
        for (i, gate) in gates.iter().enumerate() {
            assert_eq!(gate.0.present(), i == usize::from(vector), "gate {i}");
        }
        gates[usize::from(vector)].0.into_bits()
    }

    // VPC-22: interrupt gate, kernel code segment, DPL 0
    #[test]
    fn interrupt_gate() {
        assert_eq!(only(0x31, |idt| unsafe { idt.set_intr_gate(0x31, HANDLER) }), 0xC010_8E00_0010_9ABC);
    }

    // VPC-23: trap gate, kernel code segment, DPL 3
    #[test]
    fn system_gate() {
        assert_eq!(only(0x80, |idt| unsafe { idt.set_system_gate(0x80, HANDLER) }), 0xC010_EF00_0010_9ABC);
    }

    // VPC-24: trap gate, DPL 0
    #[test]
    fn trap_gate() {
        assert_eq!(only(0, |idt| unsafe { idt.set_trap_gate(0, HANDLER) }), 0xC010_8F00_0010_9ABC);
    }

    // VPC-22: the gate of the overflow vector, in both modes
    #[test]
    fn the_overflow_interrupt_has_an_interrupt_gate() {
        let gate = only(0xEE, |idt| unsafe { idt.set_intr_gate(LOCAL_PERFCTR_VECTOR, HANDLER) });
        assert_eq!(gate, 0xC010_8E00_0010_9ABC);
        let mut gates = [Gate64::ABSENT; 256];
        let mut idt = Idt::new(&mut gates, 0x10);
        // SAFETY: no processor uses the table.
        unsafe { idt.set_intr_gate(LOCAL_PERFCTR_VECTOR, 0xFFFF_FFFF_8123_4567) };
        assert_eq!(idt.gate(0xEE).low.into_bits(), 0x8123_8E00_0010_4567);
    }
}
