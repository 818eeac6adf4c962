//! IA32_QM_EVTSEL: what IA32_QM_CTR reports.

use super::{L3Monitoring, MonitoringCaps, MonitoringEvent, Rmid};
use crate::access::GeneralProtection;
use crate::bits::U12;
use crate::layout::mask;
use crate::refused::{Refused, Rule};

layout! {
    /// IA32_QM_EVTSEL, "Monitoring Event Select": of which event and which RMID IA32_QM_CTR reports the count.
    ///
    /// An event or RMID that is not monitored can be written; IA32_QM_CTR answers with its Error flag then.
    ///
    /// Source: Intel SDM volume 3B, "Monitoring Resource Selection and Reporting Infrastructure".
    #[doc(alias = "0xC8D")]
    #[doc(alias = "IA32_QM_EVTSEL")]
    pub struct QmEvtsel: u64, Fault {
        /// Code of the event; [`event`](Self::event) gives its meaning.
        #[inline]
        pub evt_id: u8,
        #[bits(24)]
        __: u32,
        /// The resource monitoring ID.
        #[inline]
        #[bits(12)]
        pub rmid: U12,
        #[bits(20)]
        __: u32,
    }
    msr "IA32_QM_EVTSEL" = 0xC8D, read_write, caps = MonitoringCaps;
}

impl QmEvtsel {
    /// Value after reset: no event.
    pub const RESET: Self = Self::new();

    /// Selects `event` of `rmid`.
    ///
    /// # Errors
    ///
    /// [`Refused`] when the L3 cache does not monitor the one or the other; IA32_QM_CTR would report an error.
    #[inline]
    pub const fn select(event: MonitoringEvent, rmid: Rmid, l3: &L3Monitoring) -> Result<Self, Refused> {
        // An Rmid fits into its field, so there is nothing for with_rmid to check.
        let value = Self::from_bits((rmid.get() as u64) << Self::RMID_OFFSET).with_evt_id(event.id());
        if !l3.events.has(event) {
            return Err(Refused::new(
                "IA32_QM_EVTSEL",
                event.id() as u64,
                Rule::NotAvailable("the event in CPUID 0FH"),
            ));
        }
        if rmid.get() as u32 > l3.max_rmid {
            let bits = (rmid.get() as u64) << 32;
            return Err(Refused::new("IA32_QM_EVTSEL", bits, Rule::AtMost(l3.max_rmid as u64)));
        }
        Ok(value)
    }

    /// The event that is selected.
    #[must_use]
    #[inline]
    pub const fn event(self) -> MonitoringEvent {
        MonitoringEvent::from_id(self.evt_id())
    }

    /// Whether event and RMID are monitored. If not, IA32_QM_CTR has its Error flag set.
    #[must_use]
    #[inline]
    pub const fn is_monitored(self, caps: &MonitoringCaps) -> bool {
        match &caps.l3 {
            Some(l3) => l3.events.has(self.event()) && self.rmid().get() as u32 <= l3.max_rmid,
            None => false,
        }
    }

    /// What a WRMSR of `new` does: the register's new content. The old content does not matter to this register.
    ///
    /// # Errors
    ///
    /// [`GeneralProtection`] when a reserved bit is set. The register keeps its content then. An event or RMID that is
    /// not monitored is no fault.
    #[inline]
    pub const fn check_write(_old: Self, new: u64, caps: &MonitoringCaps) -> Result<Self, GeneralProtection> {
        let rmid = mask(caps.rmid_bits as usize) << Self::RMID_OFFSET;
        match new & !(mask(Self::EVT_ID_BITS) | rmid) {
            0 => Ok(Self::from_bits(new)),
            bits => Err(GeneralProtection::refused("IA32_QM_EVTSEL", bits, Rule::MustBeZero)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rdt::MonitoringEvents;
    use crate::rdt::caps::tests::SKYLAKE_D as CAPS;
    use crate::rdt::monitoring_caps::tests::SKYLAKE_D;

    // RDTM-22: event in 7:0, RMID in 41:32
    #[test]
    fn positions() {
        assert_eq!(QmEvtsel::ADDRESS, 0xC8D);
        assert_eq!(QmEvtsel::new().with_evt_id(0xFF).into_bits(), 0x0000_0000_0000_00FF);
        assert_eq!(QmEvtsel::new().with_rmid(U12::of::<0x3FF>()).into_bits(), 0x0000_03FF_0000_0000);
        assert_eq!(QmEvtsel::RESERVED, 0xFFFF_F000_FFFF_FF00);
        let rmid = Rmid::new(5, &CAPS).unwrap();
        let local = QmEvtsel::select(MonitoringEvent::L3LocalBandwidth, rmid, &SKYLAKE_D.l3.unwrap()).unwrap();
        assert_eq!(local.into_bits(), 0x0000_0005_0000_0003);
        assert_eq!(local.event(), MonitoringEvent::L3LocalBandwidth);
    }

    // RDTM-31: reserved bits fault. RDTM-25, RDTM-30: what is not monitored can be written and sets Error, also an RMID above the
    // highest (RDT-18)
    #[test]
    fn reserved_bits_fault_and_what_is_not_monitored_does_not() {
        for bit in 0..64u64 {
            let written = QmEvtsel::check_write(QmEvtsel::RESET, 1 << bit, &SKYLAKE_D);
            match bit {
                0..=7 | 32..=41 => assert_eq!(written.map(QmEvtsel::into_bits), Ok(1 << bit)),
                _ => {
                    let fault = GeneralProtection::refused("IA32_QM_EVTSEL", 1 << bit, Rule::MustBeZero);
                    assert_eq!(written, Err(fault));
                }
            }
        }
        let monitored = |bits| QmEvtsel::from_bits(bits).is_monitored(&SKYLAKE_D);
        assert!(monitored(0x7F_0000_0003));
        assert!(!monitored(0x80_0000_0003), "RMID 128");
        assert!(!monitored(0x7F_0000_0004), "event 4");
        assert!(!monitored(0x7F_0000_0000), "event 0");
        assert!(!QmEvtsel::from_bits(1).is_monitored(&MonitoringCaps { l3: None, ..SKYLAKE_D }));
    }

    #[test]
    fn what_would_be_an_error_is_not_built() {
        let l3 = L3Monitoring { max_rmid: 3, events: MonitoringEvents::L3_OCCUPANCY, ..SKYLAKE_D.l3.unwrap() };
        let select = |event, rmid| QmEvtsel::select(event, Rmid::new(rmid, &CAPS).unwrap(), &l3);
        assert!(select(MonitoringEvent::L3Occupancy, 3).is_ok());
        let refused = Refused::new("IA32_QM_EVTSEL", 4 << 32, Rule::AtMost(3));
        assert_eq!(select(MonitoringEvent::L3Occupancy, 4), Err(refused));
        let refused = Refused::new("IA32_QM_EVTSEL", 2, Rule::NotAvailable("the event in CPUID 0FH"));
        assert_eq!(select(MonitoringEvent::L3TotalBandwidth, 0), Err(refused));
    }
}
