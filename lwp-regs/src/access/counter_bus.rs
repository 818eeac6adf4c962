//! The way to the counters by instruction: RDPMC.

/// A way to read performance counters without RDMSR: RDPMC itself, a system call, a model.
///
/// Outside privilege level 0 the instruction raises #GP while CR4.PCE is 0.
pub trait CounterBus {
    /// What a failing access yields; for instance [`GeneralProtection`](crate::access::GeneralProtection).
    type Fault;

    /// Reads the counter that `selector` (ECX) names. Bits beyond the width of the counter read as 0.
    ///
    /// # Errors
    ///
    /// The fault that the instruction raised: no such counter, or not allowed at this privilege level.
    fn rdpmc(&mut self, selector: u32) -> Result<u64, Self::Fault>;
}

impl<B: CounterBus + ?Sized> CounterBus for &mut B {
    type Fault = B::Fault;

    fn rdpmc(&mut self, selector: u32) -> Result<u64, Self::Fault> {
        (**self).rdpmc(selector)
    }
}
