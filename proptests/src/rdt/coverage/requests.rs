//! Register requests.

use super::crosses::Cover;
use super::sampler::Moment;
use crate::coverage::Bins;
use crate::rdt::requests::{L2_MASK, L2_QOS_CFG, L3_MASK, L3_QOS_CFG, PQR_ASSOC, QM_CTR, QM_EVTSEL, THROTTLE};
use lwp_model::rdt::{Select, Vendor};
use lwp_model::retire::{OpMode, RegOp, RegResult};

impl<const LP: usize> Moment<'_, LP> {
    pub(super) fn request(&self, bins: &mut Bins) {
        let reg = &self.inputs.reg;
        if !reg.valid {
            return;
        }
        let operation = match reg.op {
            RegOp::Rdmsr => 0,
            RegOp::Wrmsr => 1,
            _ => 2,
        };
        let result = match self.next.answer.reg_result {
            RegResult::Done => 0,
            RegResult::GeneralProtection => 1,
            _ => 2,
        };
        let register = match reg.number {
            L3_QOS_CFG => 0,
            L2_QOS_CFG => 1,
            QM_EVTSEL => 2,
            QM_CTR => 3,
            PQR_ASSOC => 4,
            L3_MASK..=0xC9F => 5,
            L2_MASK..=0xD1F => 6,
            THROTTLE..=0xD5F => 7,
            _ => 8,
        };
        bins.hit(Cover::Request, [register, operation, result]);
        let level = match (self.inputs.mode.op_mode, self.inputs.mode.cpl) {
            (OpMode::Real, _) => 4,
            (OpMode::Virtual8086, _) => 5,
            (_, cpl) => usize::from(cpl),
        };
        bins.hit(Cover::Level, [level, operation, result]);
        if result == 2 || !matches!(level, 0 | 4) {
            return;
        }
        match (reg.op, register) {
            (RegOp::Wrmsr, 5 | 6) => self.mask_written(register == 6, result, bins),
            (RegOp::Wrmsr, _) if result == 1 => self.refused(register, bins),
            (RegOp::Rdmsr, 3) => self.data(bins),
            _ => {}
        }
    }

    fn mask_written(&self, l2: bool, refused: usize, bins: &mut Bins) {
        let straps = self.straps;
        let ways = if l2 { straps.l2_ways } else { straps.l3_ways };
        let shape = match self.inputs.reg.wdata {
            0 => 0,
            mask if mask >> ways != 0 => 3,
            mask => usize::from((mask >> mask.trailing_zeros()).trailing_ones() != mask.count_ones()) + 1,
        };
        let amd = usize::from(straps.vendor == Vendor::Amd);
        bins.hit(Cover::MaskWrite, [usize::from(l2), shape, amd, usize::from(straps.sparse), refused]);
    }

    fn refused(&self, register: usize, bins: &mut Bins) {
        let (straps, wdata) = (self.straps, self.inputs.reg.wdata);
        let wide = if straps.vendor == Vendor::Amd { 12 } else { 10 };
        let class = wdata >> 32;
        let full = [(straps.l3_cat, straps.l3_cos), (straps.l2_cat, straps.l2_cos), (straps.mba, straps.mba_cos)];
        let had = full.iter().any(|(has, highest)| *has && class <= u64::from(*highest));
        let reason = match register {
            0 | 1 => 0,
            2 if wdata & 0xFFFF_FF00 != 0 => 1,
            2 => 2,
            4 if (wdata & 0xFFFF_FFFF) >> wide != 0 => 3,
            4 if wdata & 0xFFFF_FFFF > straps.max_rmid.into() => 4,
            4 if had => 6,
            4 => 5,
            7 if wdata >> 16 != 0 => 7,
            7 => 8,
            _ => return,
        };
        bins.hit(Cover::Refused, [reason]);
    }

    fn data(&self, bins: &mut Bins) {
        let straps = self.straps;
        let asking = usize::from(self.inputs.reg.lp) % LP;
        let pair = &self.now.lp[if straps.select == Select::Package { 0 } else { asking }];
        let event = usize::from(pair.event).min(4);
        let monitored = matches!(event, 1..=3) && straps.events >> (event - 1) & 1 != 0;
        let (settling, unavailable) = (pair.settle != 0, self.inputs.qm_unavailable);
        let data = match () {
            () if !monitored => 0,
            () if pair.event_rmid > straps.l3_max_rmid.into() => 1,
            () if settling && unavailable => 4,
            () if settling => 2,
            () if unavailable => 3,
            () => 5 + usize::from(self.next.answer.reg_rdata != 0),
        };
        bins.hit(Cover::Data, [event, data, straps.select as usize]);
    }
}
