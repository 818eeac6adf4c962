//! Stage request: decides about a register request and answers it.

use super::inputs::RegRequest;
use super::operation::{RegOp, RegResult};
use super::register::level;
use super::state::{Answer, Counter, Matcher, Pmc10, Pmc11, Pmc12, Pmc13, State};
use lwp_regs::itanium::{Dcr, Pmc0, PmcFault, Pmd, Psr};

/// A register file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum File {
    Pmc,
    Pmd,
    Ibr,
    Dbr,
    /// Control registers, of which the unit has DCR.
    Cr,
}

impl File {
    /// The file and the index of a request, if the unit has the file and is asked for its register.
    #[inline]
    const fn of(number: u32) -> Option<(Self, u8)> {
        let index = number as u8;
        match number >> 8 & 7 {
            0 => Some((Self::Pmc, index)),
            1 => Some((Self::Pmd, index)),
            2 => Some((Self::Ibr, index)),
            3 => Some((Self::Dbr, index)),
            4 if index == 0 => Some((Self::Cr, index)),
            _ => None,
        }
    }
}

/// A request that is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Done {
    /// mov r = file\[index\].
    Read(File, u8),
    /// mov file\[index\] = r.
    Write(File, u8),
    /// One that writes the PSR.
    Psr,
}

/// Why a request is not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refused {
    NotMine,
    Fault(PmcFault),
}

impl Refused {
    #[inline]
    const fn result(self) -> RegResult {
        match self {
            Self::NotMine => RegResult::NotMine,
            Self::Fault(PmcFault::ReservedRegister(_)) => RegResult::ReservedRegister,
            Self::Fault(_) => RegResult::PrivilegedOperation,
        }
    }
}

/// A write of a register file that is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Write {
    file: File,
    index: u8,
    value: u64,
}

/// What a request does at this level.
#[inline]
fn decide(reg: &RegRequest, cpl: u8) -> Result<Done, Refused> {
    let (done, free) = match reg.op {
        RegOp::Rdmsr | RegOp::Wrmsr | RegOp::Rdtsc | RegOp::Rdtscp | RegOp::Rdpmc | RegOp::ReadDr | RegOp::WriteDr => {
            return Err(Refused::NotMine);
        }
        RegOp::ReadFile => {
            let (file, index) = File::of(reg.number).ok_or(Refused::NotMine)?;
            (Done::Read(file, index), file == File::Pmd)
        }
        RegOp::WriteFile => {
            let (file, index) = File::of(reg.number).ok_or(Refused::NotMine)?;
            (Done::Write(file, index), false)
        }
        RegOp::Sum | RegOp::Rum | RegOp::WritePsrUm => (Done::Psr, true),
        RegOp::Ssm | RegOp::Rsm | RegOp::WritePsrL | RegOp::Rfi => (Done::Psr, false),
    };
    if cpl != 0 && !free {
        return Err(Refused::Fault(PmcFault::PrivilegedOperation));
    }
    match done {
        Done::Read(File::Ibr | File::Dbr, index @ 8..) | Done::Write(File::Ibr | File::Dbr, index @ 8..) => {
            Err(Refused::Fault(PmcFault::ReservedRegister(index)))
        }
        _ => Ok(done),
    }
}

/// Answers a request at the PSR's level. Returns the answer, and the write of a register file, if it is one. What writes the PSR is done
/// here.
#[inline]
pub(super) fn step(state: &mut State, reg: &RegRequest, psr: Psr) -> (Answer, Option<Write>) {
    let answer = |reg_result, reg_rdata| Answer { reg_done: true, reg_result, reg_rdata };
    match decide(reg, psr.cpl().get()) {
        Err(refused) => (answer(refused.result(), 0), None),
        Ok(Done::Read(file, index)) => (answer(RegResult::Done, read(state, file, index, psr)), None),
        Ok(Done::Write(file, index)) => (answer(RegResult::Done, 0), Some(Write { file, index, value: reg.wdata })),
        Ok(Done::Psr) => {
            state.status.written(reg.op, reg.wdata);
            (answer(RegResult::Done, 0), None)
        }
    }
}

/// What a register reads.
fn read(state: &State, file: File, index: u8, psr: Psr) -> u64 {
    let (pair, half) = (usize::from(index >> 1) & 3, index & 1);
    match (file, index) {
        (File::Pmc, 0) => state.freeze.register().into_bits(),
        (File::Pmc, 4..=7) => state.counter[usize::from(index - 4)].register().into_bits(),
        (File::Pmc, 8 | 9) => state.matcher[usize::from(index - 8)].register().into_bits(),
        (File::Pmc, 10) => state.pmc10.register().into_bits(),
        (File::Pmc, 11) => state.pmc11.register().into_bits(),
        (File::Pmc, 12) => state.pmc12.register().into_bits(),
        (File::Pmc, 13) => state.pmc13.register().into_bits(),
        (File::Pmd, 4..=7) => state.counter[usize::from(index - 4)].read(psr).into_bits(),
        (File::Pmc | File::Pmd, _) => 0,
        (File::Ibr, _) => state.ibr[pair].read(half),
        (File::Dbr, _) => state.dbr[pair].read(half),
        (File::Cr, _) => Dcr::new().with_pp(state.status.dcr_pp).into_bits(),
    }
}

impl Counter {
    /// What a mov from PMD\[4 + c\] reads.
    #[inline]
    fn read(&self, psr: Psr) -> Pmd {
        if psr.reads_pmd(level(self.pm)) { Pmd::of(self.count) } else { Pmd::of(0) }
    }
}

impl Write {
    /// What PMD\[4 + c\] is written with.
    #[inline]
    pub(super) fn pmd(&self, c: usize) -> Option<Pmd> {
        (self.file == File::Pmd && usize::from(self.index) == 4 + c).then_some(Pmd::from_bits(self.value))
    }

    /// What PMC\[0\] is written with.
    #[inline]
    pub(super) fn pmc0(&self) -> Option<Pmc0> {
        (self.file == File::Pmc && self.index == 0).then_some(Pmc0::from_bits(self.value))
    }

    /// Writes the register. PMC\[0\] is of the stage freeze, the counts are of the stage counter.
    #[inline]
    pub(super) fn apply(self, state: &mut State) {
        let Self { file, index, value } = self;
        let (pair, half) = (usize::from(index >> 1) & 3, index & 1);
        match (file, index) {
            (File::Pmc, 4..=7) => {
                let c = usize::from(index - 4);
                state.counter[c].write(c, value);
            }
            (File::Pmc, 8 | 9) => state.matcher[usize::from(index - 8)] = Matcher::of(value),
            (File::Pmc, 10) => state.pmc10 = Pmc10::of(value),
            (File::Pmc, 11) => state.pmc11 = Pmc11::of(value),
            (File::Pmc, 12) => state.pmc12 = Pmc12::of(value),
            (File::Pmc, 13) => state.pmc13 = Pmc13::of(value),
            (File::Pmc | File::Pmd, _) => {}
            (File::Ibr, _) => state.ibr[pair].write(half, value),
            (File::Dbr, _) => state.dbr[pair].write(half, value),
            (File::Cr, _) => state.status.dcr_pp = Dcr::from_bits(value).pp(),
        }
    }
}
