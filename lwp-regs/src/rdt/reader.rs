//! Reading what was monitored.

use super::{Count, L3Monitoring, MonitoringEvent, QmCtr, QmEvtsel, RdtError, Rmid};
use crate::access::MsrBus;

impl L3Monitoring {
    /// The count of `event` for `rmid`: selects both in IA32_QM_EVTSEL, then reads IA32_QM_CTR. Every reading selects
    /// anew, so that it cannot get the count of whatever was selected before.
    ///
    /// The two registers belong to the logical processor: nothing else may select in between. Keep the thread on its
    /// processor and interrupts that read counts off.
    ///
    /// Source: Intel SDM volume 3B, "Monitoring Resource Selection and Reporting Infrastructure".
    ///
    /// # Errors
    ///
    /// [`RdtError`]: the event or RMID is not monitored, an access faulted, or there is no count.
    pub fn read<B: MsrBus>(
        &self,
        bus: &mut B,
        event: MonitoringEvent,
        rmid: Rmid,
    ) -> Result<Count, RdtError<B::Fault>> {
        let selection = QmEvtsel::select(event, rmid, self)?;
        QmEvtsel::MSR.write_unchecked(bus, selection).map_err(RdtError::Fault)?;
        let counter = QmCtr::MSR.read(bus).map_err(RdtError::Fault)?;
        Ok(counter.count()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rdt::NoCount;
    use crate::rdt::caps::tests::SKYLAKE_D;
    use crate::rdt::recorder::{Access, Recorder};

    const L3: L3Monitoring = match SKYLAKE_D.monitoring {
        Some(monitoring) => monitoring.l3.unwrap(),
        None => panic!(),
    };

    fn rmid(id: u32) -> Rmid {
        Rmid::new(id, &SKYLAKE_D).unwrap()
    }

    // RDTM-12, RDTM-29: IA32_QM_EVTSEL first, each time, also for the same event and RMID
    #[test]
    fn selects_before_it_reads() {
        let mut bus = Recorder::with(&[(0xC8E, 0x20)]);
        for _ in 0..2 {
            assert_eq!(L3.read(&mut bus, MonitoringEvent::L3Occupancy, rmid(5)), Ok(Count::new(0x20)));
            assert_eq!(bus.take_trace(), [Access::Write(0xC8D, 0x5_0000_0001), Access::Read(0xC8E)]);
        }
    }

    // RDTM-27: data only without flags
    #[test]
    fn flags_are_errors() {
        let read = |counter| L3.read(&mut Recorder::with(&[(0xC8E, counter)]), MonitoringEvent::L3Occupancy, rmid(0));
        assert_eq!(read(1 << 63 | 7), Err(RdtError::NoCount(NoCount::Error)));
        assert_eq!(read(1 << 62 | 7), Err(RdtError::NoCount(NoCount::Unavailable)));
    }

    #[test]
    fn what_is_not_monitored_is_not_accessed() {
        let mut bus = Recorder::default();
        assert!(matches!(L3.read(&mut bus, MonitoringEvent::Unknown(9), rmid(0)), Err(RdtError::Refused(_))));
        assert_eq!(bus.trace, []);
    }

    #[test]
    fn after_a_fault_nothing_is_read() {
        let mut bus = Recorder { broken: Some(0), ..Recorder::default() };
        let selection = Access::Write(0xC8D, 3);
        assert_eq!(L3.read(&mut bus, MonitoringEvent::L3LocalBandwidth, rmid(0)), Err(RdtError::Fault(selection)));
        assert_eq!(bus.trace, [selection]);
    }
}
