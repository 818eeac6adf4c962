//! Stage request: values that a WRMSR takes, and what it writes.

use super::config::Config;
use super::request::Register;
use super::state::{Cdp, State};
use lwp_regs::rdt::{L2Mask, L2QosCfg, L3Mask, L3QosCfg, MbaThrottle, PqrAssoc, QmEvtsel, RdtCaps};

/// Write of a WRMSR that is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Write {
    L3QosCfg(L3QosCfg),
    L2QosCfg(L2QosCfg),
    QmEvtsel(usize, QmEvtsel),
    PqrAssoc(usize, PqrAssoc),
    L3Mask(usize, L3Mask),
    L2Mask(usize, L2Mask),
    Throttle(usize, MbaThrottle),
}

/// Returns the write of a value, unless it is refused.
#[inline]
pub(super) fn check(register: Register, new: u64, cdp: Cdp, caps: &RdtCaps) -> Option<Write> {
    let (monitoring, allocation) = (caps.monitoring.as_ref(), caps.allocation.as_ref());
    match register {
        Register::L3QosCfg => {
            let caps = allocation?.l3.as_ref()?;
            L3QosCfg::check_write(L3QosCfg::RESET, new, caps).ok().map(Write::L3QosCfg)
        }
        Register::L2QosCfg => {
            let caps = allocation?.l2.as_ref()?;
            L2QosCfg::check_write(L2QosCfg::RESET, new, caps).ok().map(Write::L2QosCfg)
        }
        Register::QmEvtsel(pair) => {
            QmEvtsel::check_write(QmEvtsel::RESET, new, monitoring?).ok().map(|value| Write::QmEvtsel(pair, value))
        }
        Register::QmCtr(_) => None,
        Register::PqrAssoc(asking) => {
            let caps = caps.with_cdp(cdp.l3, cdp.l2);
            PqrAssoc::check_write(PqrAssoc::RESET, new, &caps).ok().map(|value| Write::PqrAssoc(asking, value))
        }
        Register::L3Mask(n) => {
            let caps = allocation?.l3.as_ref()?;
            L3Mask::check_write(L3Mask::new(), new, caps).ok().map(|value| Write::L3Mask(n, value))
        }
        Register::L2Mask(n) => {
            let caps = allocation?.l2.as_ref()?;
            L2Mask::check_write(L2Mask::new(), new, caps).ok().map(|value| Write::L2Mask(n, value))
        }
        Register::Throttle(n) => {
            let caps = allocation?.mba.as_ref()?;
            MbaThrottle::check_write(MbaThrottle::RESET, new, caps).ok().map(|value| Write::Throttle(n, value))
        }
    }
}

impl Write {
    /// Changes the register.
    #[inline]
    pub(super) fn apply<
        const LPS: usize,
        const L3_WAYS: usize,
        const L2_WAYS: usize,
        const RMIDS: usize,
        const CLASSES: usize,
    >(
        self,
        state: &mut State<LPS, L3_WAYS, L2_WAYS, RMIDS, CLASSES>,
        straps: &Config,
    ) {
        match self {
            Self::L3QosCfg(value) => state.cdp.l3 = value.cdp_enable(),
            Self::L2QosCfg(value) => state.cdp.l2 = value.cdp_enable(),
            Self::QmEvtsel(pair, value) => {
                let lp = &mut state.lp[pair];
                (lp.event, lp.event_rmid, lp.settle) = (value.evt_id(), value.rmid().get(), straps.settle);
            }
            Self::PqrAssoc(asking, value) => {
                let lp = &mut state.lp[asking];
                (lp.rmid, lp.cos) = (value.rmid().get() as u8, value.cos() as u8);
            }
            Self::L3Mask(n, value) => state.class[n].l3_mask = value.cbm() as u16,
            Self::L2Mask(n, value) => state.class[n].l2_mask = value.cbm() as u8,
            Self::Throttle(n, value) => state.class[n].delay = value.delay(),
        }
    }
}
