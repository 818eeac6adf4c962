//! Stage request: decides about a register request and answers it.

use super::config::{Config, Select};
use super::inputs::Inputs;
use super::state::{Answer, Lp, State};
use super::write::{self, Write};
use crate::retire::{RegOp, RegResult};
use lwp_regs::bits::{U12, U62};
use lwp_regs::rdt::{
    L2Mask, L2QosCfg, L3Mask, L3QosCfg, MbaThrottle, MonitoringEvent, PqrAssoc, QmCtr, QmEvtsel, RdtCaps,
};

/// A register that the unit has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Register {
    L3QosCfg,
    L2QosCfg,
    /// Of this logical processor.
    QmEvtsel(usize),
    /// Of this logical processor.
    QmCtr(usize),
    /// Of this logical processor.
    PqrAssoc(usize),
    L3Mask(usize),
    L2Mask(usize),
    Throttle(usize),
}

impl Register {
    /// Returns the register with this number, as logical processor `asking` sees it.
    #[inline]
    fn of(number: u32, asking: usize, straps: &Config) -> Option<Self> {
        let pair = if straps.select == Select::Package { 0 } else { asking };
        let nth = |first: u32, exists: bool, highest: u8| {
            let n = number.checked_sub(first)?;
            (exists && n <= highest.into()).then_some(n as usize)
        };
        match number {
            L3QosCfg::ADDRESS => straps.l3_cdp.then_some(Self::L3QosCfg),
            L2QosCfg::ADDRESS => straps.l2_cdp.then_some(Self::L2QosCfg),
            QmEvtsel::ADDRESS => straps.has_monitoring().then_some(Self::QmEvtsel(pair)),
            QmCtr::ADDRESS => straps.has_monitoring().then_some(Self::QmCtr(pair)),
            PqrAssoc::ADDRESS => (straps.has_monitoring() || straps.has_allocation()).then_some(Self::PqrAssoc(asking)),
            _ => nth(L3Mask::FIRST_ADDRESS, straps.l3_cat, straps.l3_cos)
                .map(Self::L3Mask)
                .or_else(|| nth(L2Mask::FIRST_ADDRESS, straps.l2_cat, straps.l2_cos).map(Self::L2Mask))
                .or_else(|| nth(MbaThrottle::FIRST_ADDRESS, straps.mba, straps.mba_cos).map(Self::Throttle)),
        }
    }
}

/// Returns the answer to the request of this cycle, and the write of a WRMSR that is done.
#[inline]
pub(super) fn answer<
    const LPS: usize,
    const L3_WAYS: usize,
    const L2_WAYS: usize,
    const RMIDS: usize,
    const CLASSES: usize,
>(
    state: &State<LPS, L3_WAYS, L2_WAYS, RMIDS, CLASSES>,
    inputs: &Inputs<LPS>,
    straps: &Config,
    caps: &RdtCaps,
) -> (Answer, Option<Write>) {
    let reg = &inputs.reg;
    if !reg.valid {
        return (Answer::default(), None);
    }
    let failed = |reg_result| (Answer { reg_done: true, reg_result, reg_rdata: 0 }, None);
    let write = match reg.op {
        RegOp::Rdmsr => false,
        RegOp::Wrmsr => true,
        _ => return failed(RegResult::NotMine),
    };
    let Some(register) = Register::of(reg.number, usize::from(reg.lp) % LPS, straps) else {
        return failed(RegResult::NotMine);
    };
    if inputs.mode.op_mode.level(inputs.mode.cpl) != 0 {
        return failed(RegResult::GeneralProtection);
    }
    let (reg_rdata, write) = if write {
        match write::check(register, reg.wdata, state.cdp, caps) {
            Some(write) => (0, Some(write)),
            None => return failed(RegResult::GeneralProtection),
        }
    } else {
        (read(state, register, inputs.qm_unavailable, straps, caps), None)
    };
    (Answer { reg_done: true, reg_result: RegResult::Done, reg_rdata }, write)
}

/// Returns what RDMSR reads.
fn read<const LPS: usize, const L3_WAYS: usize, const L2_WAYS: usize, const RMIDS: usize, const CLASSES: usize>(
    state: &State<LPS, L3_WAYS, L2_WAYS, RMIDS, CLASSES>,
    register: Register,
    unavailable: bool,
    straps: &Config,
    caps: &RdtCaps,
) -> u64 {
    let State { cdp, lp, class, .. } = state;
    match register {
        Register::L3QosCfg => L3QosCfg::new().with_cdp_enable(cdp.l3).into_bits(),
        Register::L2QosCfg => L2QosCfg::new().with_cdp_enable(cdp.l2).into_bits(),
        Register::QmEvtsel(pair) => lp[pair].evtsel().into_bits(),
        Register::QmCtr(pair) => data(state, &lp[pair], unavailable, straps, caps).into_bits(),
        Register::PqrAssoc(asking) => lp[asking].assoc().into_bits(),
        Register::L3Mask(n) => class[n].l3_mask.into(),
        Register::L2Mask(n) => class[n].l2_mask.into(),
        Register::Throttle(n) => class[n].delay.into(),
    }
}

impl Lp {
    /// Returns IA32_QM_EVTSEL.
    #[inline]
    fn evtsel(&self) -> QmEvtsel {
        let rmid = U12::new(self.event_rmid).unwrap_or(U12::ZERO);
        QmEvtsel::new().with_evt_id(self.event).with_rmid(rmid)
    }

    /// Returns IA32_PQR_ASSOC.
    #[inline]
    fn assoc(&self) -> PqrAssoc {
        let rmid = U12::new(self.rmid.into()).unwrap_or(U12::ZERO);
        PqrAssoc::new().with_rmid(rmid).with_cos(self.cos.into())
    }
}

/// Returns IA32_QM_CTR.
fn data<const LPS: usize, const L3_WAYS: usize, const L2_WAYS: usize, const RMIDS: usize, const CLASSES: usize>(
    state: &State<LPS, L3_WAYS, L2_WAYS, RMIDS, CLASSES>,
    pair: &Lp,
    unavailable: bool,
    straps: &Config,
    caps: &RdtCaps,
) -> QmCtr {
    let evtsel = pair.evtsel();
    if !caps.monitoring.as_ref().is_some_and(|monitoring| evtsel.is_monitored(monitoring)) {
        return QmCtr::new().with_error(true);
    }
    if unavailable || pair.settle != 0 {
        return QmCtr::new().with_unavailable(true);
    }
    let rmid = &state.rmid[usize::from(pair.event_rmid) % RMIDS];
    let width = (1 << straps.width) - 1;
    let units = match evtsel.event() {
        MonitoringEvent::L3TotalBandwidth => rmid.total >> straps.scale & width,
        MonitoringEvent::L3LocalBandwidth => rmid.local >> straps.scale & width,
        _ => u64::from(rmid.occupancy) >> straps.scale,
    };
    QmCtr::new().with_data(U62::new(units).unwrap_or(U62::ZERO))
}
