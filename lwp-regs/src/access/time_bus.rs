//! The way to the time-stamp counter by instruction: RDTSC and RDTSCP.

/// A way to read the time-stamp counter: the instructions themselves, or a model.
///
/// Outside privilege level 0 they raise #GP while CR4.TSD is 1.
pub trait TimeBus {
    /// What a failing access yields; for instance [`GeneralProtection`](crate::access::GeneralProtection).
    type Fault;

    /// RDTSC: the time-stamp counter. Not serialising.
    ///
    /// # Errors
    ///
    /// The fault that the instruction raised.
    fn rdtsc(&mut self) -> Result<u64, Self::Fault>;

    /// RDTSCP: the time-stamp counter and, read in the same instant, bits 31:0 of `IA32_TSC_AUX`.
    ///
    /// # Errors
    ///
    /// The fault that the instruction raised; #UD where CPUID does not report it.
    fn rdtscp(&mut self) -> Result<(u64, u32), Self::Fault>;
}

impl<B: TimeBus + ?Sized> TimeBus for &mut B {
    type Fault = B::Fault;

    fn rdtsc(&mut self) -> Result<u64, Self::Fault> {
        (**self).rdtsc()
    }

    fn rdtscp(&mut self) -> Result<(u64, u32), Self::Fault> {
        (**self).rdtscp()
    }
}
