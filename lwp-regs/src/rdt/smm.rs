//! Keeping a handler in system management mode out of what is monitored.

use super::{Cos, PqrAssoc, QmEvtsel, Rmid};
use crate::access::MsrBus;

/// The monitoring state of the software that an SMI interrupted, to be restored before RSM.
///
/// An SMI leaves IA32_PQR_ASSOC and the counters as they are, so the handler's activity is charged to the RMID that it
/// interrupted and confined by its class. A handler that does not want that enters with an RMID and a class of its own
/// and leaves again as its last step.
///
/// Source: Intel SDM volume 3B, "Monitoring Operation with Other Operating Modes" and "CAT Operation with Other
/// Operating Modes".
#[derive(Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[must_use = "the interrupted software gets its RMID back only by `leave`"]
pub struct SmmGuard {
    association: PqrAssoc,
    selection: QmEvtsel,
}

impl SmmGuard {
    /// Saves what the logical processor has, then gives the handler `rmid` and `cos`.
    ///
    /// # Errors
    ///
    /// The fault that an access raised; nothing has been changed then.
    pub fn enter<B: MsrBus>(bus: &mut B, rmid: Rmid, cos: Cos) -> Result<Self, B::Fault> {
        let guard = Self { association: PqrAssoc::MSR.read(bus)?, selection: QmEvtsel::MSR.read(bus)? };
        PqrAssoc::MSR.write_unchecked(bus, PqrAssoc::of(rmid, cos))?;
        Ok(guard)
    }

    /// Restores what was saved; the association last, so that this is still charged to the handler.
    ///
    /// # Errors
    ///
    /// The fault that an access raised, and the guard for another try.
    pub fn leave<B: MsrBus>(self, bus: &mut B) -> Result<(), (Self, B::Fault)> {
        let restored = QmEvtsel::MSR
            .write_unchecked(bus, self.selection)
            .and_then(|()| PqrAssoc::MSR.write_unchecked(bus, self.association));
        restored.map_err(|fault| (self, fault))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rdt::MonitoringEvent;
    use crate::rdt::caps::tests::SKYLAKE_D;
    use crate::rdt::recorder::{Access, Recorder};

    // RDTM-34: saved on entry, restored on exit, even if the handler reads counts itself
    #[test]
    fn the_interrupted_software_gets_its_state_back() {
        let mut bus = Recorder::with(&[(0xC8F, 0x3_0000_0005), (0xC8D, 0x5_0000_0002)]);
        let guard = SmmGuard::enter(&mut bus, Rmid::new(0x7F, &SKYLAKE_D).unwrap(), Cos::DEFAULT).unwrap();
        let entry = [Access::Read(0xC8F), Access::Read(0xC8D), Access::Write(0xC8F, 0x7F)];
        assert_eq!(bus.take_trace(), entry);
        let l3 = SKYLAKE_D.monitoring.unwrap().l3.unwrap();
        l3.read(&mut bus, MonitoringEvent::L3Occupancy, Rmid::DEFAULT).unwrap();
        bus.take_trace();
        assert!(guard.leave(&mut bus).is_ok());
        assert_eq!(bus.trace, [Access::Write(0xC8D, 0x5_0000_0002), Access::Write(0xC8F, 0x3_0000_0005)]);
    }

    #[test]
    fn a_fault_gives_the_guard_back() {
        let mut bus = Recorder { broken: Some(4), ..Recorder::with(&[(0xC8F, 5)]) };
        let guard = SmmGuard::enter(&mut bus, Rmid::DEFAULT, Cos::DEFAULT).unwrap();
        let (guard, fault) = guard.leave(&mut bus).unwrap_err();
        assert_eq!(fault, Access::Write(0xC8F, 5));
        assert!(guard.leave(&mut bus).is_ok());
        assert_eq!(bus.registers[&0xC8F], 5);
    }
}
