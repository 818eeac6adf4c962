//! The local APIC, as far as the performance interrupt needs it.

use super::LvtPerformance;
use crate::access::{GeneralProtection, MsrBus};
use crate::refused::Rule;

layout! {
    /// The end-of-interrupt register in x2APIC mode. Write-only; any other value than 0 raises #GP.
    ///
    /// Source: Intel SDM volume 3A, "x2APIC Register Address Space".
    #[doc(alias = "0x80B")]
    #[doc(alias = "IA32_X2APIC_EOI")]
    pub struct X2ApicEoi: u64, Fault {
        /// Has to be 0.
        #[inline]
        pub zero: u32,
        __: u32,
    }
    msr "IA32_X2APIC_EOI" = 0x80B, write_only, caps = ();
}

impl X2ApicEoi {
    /// What a WRMSR of `new` does.
    ///
    /// # Errors
    ///
    /// [`GeneralProtection::Refused`] with the bits that are set: all have to be 0.
    #[inline]
    pub const fn check_write(_old: Self, new: u64, _caps: &()) -> Result<Self, GeneralProtection> {
        match new {
            0 => Ok(Self::new()),
            bits => Err(GeneralProtection::refused("IA32_X2APIC_EOI", bits, Rule::MustBeZero)),
        }
    }
}

/// A way to the local APIC of this processor: its memory, its MSRs ([`X2Apic`]), or a model.
///
/// Whoever lets the performance interrupt through has its gate in the IDT.
pub trait LocalApic {
    /// What a failing access yields.
    type Fault;

    /// Reads the entry for performance counters.
    ///
    /// # Errors
    ///
    /// The fault that the access raised.
    fn lvt_performance(&mut self) -> Result<LvtPerformance, Self::Fault>;

    /// Writes the entry for performance counters.
    ///
    /// # Errors
    ///
    /// The fault that the access raised.
    fn set_lvt_performance(&mut self, entry: LvtPerformance) -> Result<(), Self::Fault>;

    /// Tells the local APIC that the interrupt is being handled, so that it delivers further ones.
    ///
    /// # Errors
    ///
    /// The fault that the access raised.
    fn end_of_interrupt(&mut self) -> Result<(), Self::Fault>;
}

/// The local APIC in x2APIC mode.
#[derive(Debug)]
pub struct X2Apic<B>(pub B);

impl<B: MsrBus> LocalApic for X2Apic<B> {
    type Fault = B::Fault;

    fn lvt_performance(&mut self) -> Result<LvtPerformance, B::Fault> {
        LvtPerformance::MSR.read(&mut self.0)
    }

    fn set_lvt_performance(&mut self, entry: LvtPerformance) -> Result<(), B::Fault> {
        LvtPerformance::MSR.write_unchecked(&mut self.0, entry)
    }

    fn end_of_interrupt(&mut self) -> Result<(), B::Fault> {
        X2ApicEoi::MSR.write_unchecked(&mut self.0, X2ApicEoi::new())
    }
}

/// The overflow interrupt: acknowledges it, runs `handler`, and lets the entry through again if the processor has masked
/// it. What the handler returns is returned.
///
/// To be called with interrupts disabled, as they are behind an interrupt gate. A handler that wants no further
/// interrupts stops the counters; masking the entry is undone here. While the processor has it masked, an overflow does
/// not interrupt, so the handler reads the overflow status of all counters and clears it.
///
/// Source of the order: perfctr for Linux 2.4, `perfctr_interrupt`. Of the mask: Intel SDM volume 3A, "Local Vector
/// Table".
///
/// # Errors
///
/// The fault that an access raised. After one of the acknowledgement the handler has not been run.
pub fn handle_overflow<A: LocalApic, R>(apic: &mut A, handler: impl FnOnce(&mut A) -> R) -> Result<R, A::Fault> {
    apic.end_of_interrupt()?;
    let result = handler(apic);
    let entry = apic.lvt_performance()?;
    if entry.mask() {
        apic.set_lvt_performance(entry.unmasked())?;
    }
    Ok(result)
}

#[cfg(test)]
mod tests {
    #![allow(unsafe_code)] // a bus of the test
    extern crate std;
    use super::*;
    use std::vec::Vec;

    #[derive(Debug, PartialEq, Eq)]
    enum Step {
        Read(u32),
        Write(u32, u64),
        Handler,
    }
    use Step::{Handler, Read, Write};

    struct Recorder {
        lvt: u64,
        steps: Vec<Step>,
    }

    impl MsrBus for Recorder {
        type Fault = GeneralProtection;

        unsafe fn rdmsr(&mut self, address: u32) -> Result<u64, GeneralProtection> {
            self.steps.push(Read(address));
            Ok(self.lvt)
        }

        unsafe fn wrmsr(&mut self, address: u32, value: u64) -> Result<(), GeneralProtection> {
            self.steps.push(Write(address, value));
            Ok(())
        }
    }

    fn steps(lvt: u64) -> Vec<Step> {
        let mut apic = X2Apic(Recorder { lvt, steps: Vec::new() });
        let answer = handle_overflow(&mut apic, |apic| {
            apic.0.steps.push(Handler);
            42
        });
        assert_eq!(answer, Ok(42));
        apic.0.steps
    }

    // VPC-26: first the acknowledgement, then the handler
    #[test]
    fn acknowledges_then_handles_then_unmasks() {
        assert_eq!(steps(0x0000_00EE), [Write(0x80B, 0), Handler, Read(0x834)]);
        assert_eq!(steps(0x0001_00EE), [Write(0x80B, 0), Handler, Read(0x834), Write(0x834, 0xEE)]);
    }

    #[test]
    fn only_0_ends_an_interrupt() {
        assert_eq!(X2ApicEoi::check_write(X2ApicEoi::new(), 0, &()), Ok(X2ApicEoi::new()));
        for bits in [1, 1 << 32] {
            let gp = GeneralProtection::refused("IA32_X2APIC_EOI", bits, Rule::MustBeZero);
            assert_eq!(X2ApicEoi::check_write(X2ApicEoi::new(), bits, &()), Err(gp));
        }
    }
}
