//! Who uses which interrupt vector.

use super::Privilege;

/// Vector of the counters' overflow interrupt in Linux 2.4 with the perfctr driver.
///
/// Source: perfctr for Linux 2.4, `hw_irq.h`. Its comment says that device drivers' vectors end below 0xED; both
/// constants are 0xEE all the same, and the constants are what counts.
pub const LOCAL_PERFCTR_VECTOR: u8 = 0xEE;

/// The lowest vector that the system keeps for itself, from where on no device gets one. In Linux 2.4 with the perfctr
/// driver it is the overflow interrupt's.
pub const FIRST_SYSTEM_VECTOR: u8 = 0xEE;

/// The lowest vector that is not one of the processor's exceptions.
///
/// Source: Intel SDM volume 3A, "Exception and Interrupt Vectors".
pub const FIRST_EXTERNAL_VECTOR: u8 = 0x20;

/// What a vector is for, as Linux 2.4 with the perfctr driver divides them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum VectorUse {
    /// Exceptions of the processor. An interrupt here cannot be told from one.
    Exception,
    /// System calls by INT 80H: a gate that user mode may use.
    SystemCall,
    /// May be given to devices.
    Device,
    /// Kept by the system: the overflow interrupt, the APIC's timer and errors, interrupts between processors.
    System,
}

impl VectorUse {
    /// What `vector` is for.
    #[must_use]
    #[inline]
    pub const fn of(vector: u8) -> Self {
        match vector {
            0..FIRST_EXTERNAL_VECTOR => Self::Exception,
            0x80 => Self::SystemCall,
            FIRST_SYSTEM_VECTOR.. => Self::System,
            _ => Self::Device,
        }
    }

    /// Who may reach the gate by an INT instruction: only the system call is for user mode, as far as this table knows
    /// (INT3, INTO and BOUND are as well, among the exceptions).
    #[must_use]
    #[inline]
    pub const fn privilege(self) -> Privilege {
        match self {
            Self::SystemCall => Privilege::User,
            Self::Exception | Self::Device | Self::System => Privilege::Kernel,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // VPC-28: both are 0xEE; the last vector a device can get is 0xED
    #[test]
    fn the_overflow_interrupt_has_the_first_system_vector() {
        assert_eq!(LOCAL_PERFCTR_VECTOR, 0xEE);
        assert_eq!(FIRST_SYSTEM_VECTOR, 0xEE);
        assert_eq!(VectorUse::of(LOCAL_PERFCTR_VECTOR), VectorUse::System);
        assert_eq!(VectorUse::of(0xED), VectorUse::Device);
        assert_eq!(VectorUse::of(0xFF), VectorUse::System);
        assert_eq!(VectorUse::of(0x20), VectorUse::Device);
        assert_eq!(VectorUse::of(0x1F), VectorUse::Exception);
        assert_eq!(VectorUse::of(0x80), VectorUse::SystemCall);
    }
}
