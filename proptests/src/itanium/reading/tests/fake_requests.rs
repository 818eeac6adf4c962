//! The requests of the fake unit.

use super::bugs::Bug;
use super::fake::{Fake, PMC_BITS};
use lwp_model::itanium::{Outputs, RegOp, RegRequest, RegResult};

impl<const B: usize, const E: usize> Fake<B, E> {
    /// Does a request. `before` holds the registers before the events of the cycle, `sets` the bits of PMC\[0\] that an overflow sets.
    pub(super) fn request(
        &mut self,
        request: &RegRequest,
        cpl: u8,
        before: (&[u64; 14], &[u32; 4]),
        sets: u64,
    ) -> (RegResult, u64) {
        use RegResult::{Done, NotMine, PrivilegedOperation};
        let file = match request.number >> 8 & 7 {
            5 if self.is(Bug::FileFive) => 1,
            file => file,
        };
        let index = (request.number & if self.is(Bug::ShortIndex) { 127 } else { 255 }) as usize;
        match request.op {
            RegOp::ReadFile => self.read(file, index, cpl, before),
            RegOp::WriteFile if file > 4 || file == 4 && index > 0 => (NotMine, 0),
            RegOp::WriteFile if cpl > u8::from(self.is(Bug::WriteAtOne)) => (PrivilegedOperation, 0),
            RegOp::WriteFile => self.write(file, index, request.wdata, sets),
            RegOp::Sum if cpl > 0 && self.is(Bug::SumPrivileged) => (PrivilegedOperation, 0),
            RegOp::Sum | RegOp::Rum | RegOp::WritePsrUm => {
                let secured = match self.bug {
                    Bug::SumSecured if request.op == RegOp::Sum => false,
                    Bug::MoveSecured if request.op == RegOp::WritePsrUm => false,
                    _ => self.out.psr_sp,
                };
                let psr = self.psr(request);
                self.out.psr_up = if secured { self.out.psr_up } else { psr[0] };
                (Done, 0)
            }
            RegOp::Ssm | RegOp::Rsm | RegOp::WritePsrL | RegOp::Rfi => {
                if cpl > 0 && !(cpl == 3 && self.is(Bug::PsrAtThree)) {
                    return (PrivilegedOperation, 0);
                }
                let [up, sp, pp] = self.psr(request);
                let Outputs { psr_up, psr_sp, .. } = self.out;
                self.out.psr_up = if request.op == RegOp::Ssm && self.is(Bug::SsmWithoutUp) { psr_up } else { up };
                self.out.psr_sp = if request.op == RegOp::Rfi && self.is(Bug::RfiWithoutSp) { psr_sp } else { sp };
                self.out.psr_pp = pp;
                (Done, 0)
            }
            _ => (NotMine, 0),
        }
    }

    /// Returns PSR.up, PSR.sp and PSR.pp after a request.
    fn psr(&self, request: &RegRequest) -> [bool; 3] {
        let Outputs { psr_up, psr_sp, psr_pp, .. } = self.out;
        let sets = matches!(request.op, RegOp::Sum | RegOp::Ssm)
            || request.op == RegOp::Rum && self.is(Bug::RumSets)
            || request.op == RegOp::WritePsrL && self.is(Bug::MoveOrs);
        [(2, psr_up), (20, psr_sp), (21, psr_pp)].map(|(at, old)| {
            let bit = request.wdata >> at & 1 == 1;
            match request.op {
                _ if sets => old || bit,
                RegOp::Rum | RegOp::Rsm => old && !bit,
                _ => bit,
            }
        })
    }

    fn read(&self, file: u32, index: usize, cpl: u8, before: (&[u64; 14], &[u32; 4])) -> (RegResult, u64) {
        use RegResult::{Done, NotMine, PrivilegedOperation, ReservedRegister};
        let (pmc, pmd) = if self.choice.late { (&self.pmc, &self.pmd) } else { before };
        let refused = if self.is(Bug::RefusedShows) { self.pmc[4] } else { 0 };
        let pairs = if self.is(Bug::MoreBreakpoints) { 16 } else { 8 };
        match (file, index) {
            (1, 4..=7) => {
                let outside = cpl > 0 || self.is(Bug::SecuredFromAll);
                let secured = self.out.psr_sp && !self.is(Bug::NotSecured);
                let system = self.pmc[index] >> 6 & 1 == 1 && cpl > 0 && !self.is(Bug::SystemReadable);
                let count = pmd[index - 4];
                let value = if self.is(Bug::ZeroExtended) { u64::from(count) } else { i64::from(count as i32) as u64 };
                (Done, if outside && secured || system { 0 } else { value })
            }
            (1, 0..=3 | 8..=17) if self.choice.others => (NotMine, 0),
            (1, _) => (Done, 0),
            (4, 1..) | (5.., _) => (NotMine, 0),
            (0, _) if cpl > 0 && self.is(Bug::ReadPmcAtAll) => (Done, pmc.get(index).copied().unwrap_or(0)),
            _ if cpl > 0 => (PrivilegedOperation, refused),
            (0, 14..) if self.is(Bug::PmcFaults) => (ReservedRegister, 0),
            (0, _) => (Done, pmc.get(index).copied().unwrap_or(0)),
            (2, _) if index < pairs => (Done, self.ibr[index]),
            (3, _) if index < pairs => (Done, self.dbr[index]),
            (2 | 3, _) => (ReservedRegister, 0),
            _ => (Done, self.dcr),
        }
    }

    fn write(&mut self, file: u32, index: usize, value: u64, sets: u64) -> (RegResult, u64) {
        use RegResult::{Done, NotMine, ReservedRegister};
        let pairs = if self.is(Bug::MoreBreakpoints) { 16 } else { 8 };
        match (file, index) {
            (0, 0..=13) => {
                let mut bits = PMC_BITS[index];
                bits |= if self.is(Bug::ThresholdWide) && (4..8).contains(&index) { 1 << 22 } else { 0 };
                bits |= if self.is(Bug::IgnoredKept) && (4..8).contains(&index) { 0x8080 } else { 0 };
                bits &= if self.is(Bug::NoBac) && index == 12 { 0x7FFF } else { u64::MAX };
                let wins = index == 0 && self.choice.overflow_wins;
                let overflow = if index == 0 && self.is(Bug::OverflowNotWritten) { !self.pmc[0] & 0xF0 } else { 0 };
                self.pmc[index] = value & bits & !overflow | if wins { sets } else { 0 };
                if index == 0 && value & 1 == 0 {
                    let enabled = self.out.psr_up || self.out.psr_pp;
                    self.out.irq |= self.choice.again && enabled && value & 0xF0 != 0;
                    self.out.irq &= !self.is(Bug::InterruptOfFreeze);
                }
            }
            (1, 4..=7) if self.is(Bug::WriteAdds) => {
                self.pmd[index - 4] = self.pmd[index - 4].wrapping_add(value as u32);
            }
            (1, 4..=7) => self.pmd[index - 4] = value as u32,
            (1, 0..=3 | 8..=17) if self.choice.others => return (NotMine, 0),
            (2, _) if index < pairs => self.ibr[index] = if index % 2 == 1 { value & !(7 << 60) } else { value },
            (3, _) if index < pairs => self.dbr[index] = if index % 2 == 1 { value & !(3 << 60) } else { value },
            (2 | 3, _) => return (ReservedRegister, 0),
            (4, _) => self.dcr = value & 1,
            _ => (),
        }
        (Done, 0)
    }
}
