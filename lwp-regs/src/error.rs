//! Refused before the access, or faulted by it.

use crate::access::GeneralProtection;
use crate::refused::Refused;
use core::fmt;

/// Why a checked access has failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Error<F> {
    /// The register does not take the value; it has not been written.
    Refused(GeneralProtection),
    /// The access faulted.
    Fault(F),
}

impl<F> From<Refused> for Error<F> {
    fn from(refused: Refused) -> Self {
        Self::Refused(GeneralProtection::Refused(refused))
    }
}

impl<F: fmt::Debug> fmt::Display for Error<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(GeneralProtection::Refused(refused)) => refused.fmt(f),
            Self::Refused(reason) => write!(f, "not written, since it would raise {reason}"),
            Self::Fault(fault) => write!(f, "the access raised {fault:?}"),
        }
    }
}

impl<F: fmt::Debug> core::error::Error for Error<F> {}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::fake::{Access, FakeMsrs};
    use crate::rdt::{Cos, PqrAssoc, RdtCaps, Rmid};
    use crate::refused::Rule;
    use std::string::ToString;

    /// CPUID of a processor with 128 RMIDs and 16 classes.
    fn rdt(leaf: u32, subleaf: u32) -> [u32; 4] {
        match (leaf, subleaf) {
            (0, _) => [0x10, 0, 0, 0],
            (0x07, 0) => [0, 0x9000, 0, 0],
            (0x0F, 0) => [0, 0x7F, 0, 2],
            (0x0F, 1) => [0, 0x1_0000, 0x7F, 7],
            (0x10, 0) => [0, 2, 0, 0],
            _ => [0xA, 0, 4, 0xF],
        }
    }

    // what the register refuses is refused before the access, register, bits and rule named
    #[test]
    fn a_refused_value_is_not_written() {
        let (caps, pqr) = (RdtCaps::enumerate(&rdt), PqrAssoc::MSR);
        let mut cpu: FakeMsrs<'_, 1> = FakeMsrs::new();
        cpu.define(pqr, PqrAssoc::RESET);
        let reserved = PqrAssoc::from_bits(1 << 31);
        let refused = Refused::new("IA32_PQR_ASSOC", 1 << 31, Rule::MustBeZero);
        assert_eq!(pqr.write_checked(&mut cpu, reserved, &caps), Err(refused.into()));
        cpu.assert_trace(&[]);
        assert_eq!(pqr.update_checked(&mut cpu, |_| reserved, &caps), Err(refused.into()));
        cpu.assert_trace(&[Access::read(pqr)]);
        let value = PqrAssoc::of(Rmid::new(5, &caps).unwrap(), Cos::new(1, &caps).unwrap());
        pqr.update_checked(&mut cpu, |_| value, &caps).unwrap();
        pqr.write_checked(&mut cpu, PqrAssoc::RESET, &caps).unwrap();
        assert_eq!(cpu.get(pqr), PqrAssoc::RESET);
        cpu.fail_from(0, GeneralProtection::Privilege);
        let fault = Err(Error::Fault(GeneralProtection::Privilege));
        assert_eq!(pqr.write_checked(&mut cpu, value, &caps), fault);
        assert_eq!(pqr.update_checked(&mut cpu, |_| value, &caps), fault);
    }

    #[test]
    fn texts() {
        let refused: Error<u8> = Refused::new("DR7", 0x400, Rule::MustBeOne).into();
        assert_eq!(refused.to_string(), "DR7: bits 0x400 have to be 1");
        let absent: Error<u8> = Error::Refused(GeneralProtection::NoSuchRegister);
        assert!(absent.to_string().starts_with("not written, since it would raise #GP(0): no such register"));
        assert_eq!(Error::Fault(13u8).to_string(), "the access raised 13");
    }
}
