//! Stage request: decides about a register request and answers it.

use super::decoded::Decoded;
use super::inputs::RegRequest;
use super::operation::{RegOp, RegResult};
use super::register::level;
use super::state::{Counter, Matcher, Pmc10, Pmc11, Pmc12, Pmc13, State};
use lwp_regs::itanium::{Dcr, Pmd, Psr};

/// What the register files have at an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Register {
    /// PMC\[0\].
    Pmc0,
    /// PMC\[4 + c\].
    Counter(u8),
    /// PMC\[8\] or PMC\[9\].
    Matcher(u8),
    /// PMC\[10\].
    Pmc10,
    /// PMC\[11\].
    Pmc11,
    /// PMC\[12\].
    Pmc12,
    /// PMC\[13\].
    Pmc13,
    /// PMD\[4 + c\].
    Pmd(u8),
    /// A PMC or PMD that reads as 0 and ignores writes.
    Unused,
    /// ibr\[index\].
    Ibr(u8),
    /// dbr\[index\].
    Dbr(u8),
    /// cr\[0\].
    Dcr,
    /// An IBR or DBR beyond those of the four pairs.
    Reserved,
    /// A register that the unit does not have.
    NotMine,
}

/// Codes of register files.
const FILES: usize = 8;
/// Indices that differ; a higher one is like the last of them.
const INDICES: usize = 16;

/// [`Register::of`] by file and index.
static REGISTERS: [[Register; INDICES]; FILES] = {
    let (mut all, mut file) = ([[Register::NotMine; INDICES]; FILES], 0);
    while file < FILES {
        let mut index = 0;
        while index < INDICES {
            all[file][index] = Register::of(file, index as u8);
            index += 1;
        }
        file += 1;
    }
    all
};

impl Register {
    /// Register `index` of a file: 0 is PMC, 1 PMD, 2 IBR, 3 DBR, 4 CR.
    const fn of(file: usize, index: u8) -> Self {
        match (file, index) {
            (0, 0) => Self::Pmc0,
            (0, 4..=7) => Self::Counter(index - 4),
            (0, 8 | 9) => Self::Matcher(index - 8),
            (0, 10) => Self::Pmc10,
            (0, 11) => Self::Pmc11,
            (0, 12) => Self::Pmc12,
            (0, 13) => Self::Pmc13,
            (1, 4..=7) => Self::Pmd(index - 4),
            (0 | 1, _) => Self::Unused,
            (2, 0..8) => Self::Ibr(index),
            (3, 0..8) => Self::Dbr(index),
            (2 | 3, _) => Self::Reserved,
            (4, 0) => Self::Dcr,
            _ => Self::NotMine,
        }
    }

    /// The register that a request names.
    #[inline]
    fn named(number: u32) -> Self {
        let index = usize::from(number as u8);
        REGISTERS[(number >> 8) as usize % FILES][index.min(INDICES - 1)]
    }
}

impl RegOp {
    /// Whether it names a register of a file.
    #[inline]
    const fn is_file(self) -> bool {
        matches!(self, Self::ReadFile | Self::WriteFile)
    }

    /// Whether it writes the PSR.
    #[inline]
    const fn is_psr(self) -> bool {
        matches!(self, Self::Sum | Self::Rum | Self::WritePsrUm | Self::Ssm | Self::Rsm | Self::WritePsrL | Self::Rfi)
    }

    /// Whether every privilege level may ask for it.
    #[inline]
    const fn is_free(self) -> bool {
        matches!(self, Self::Sum | Self::Rum | Self::WritePsrUm)
    }
}

/// The result of a request at this level, which names `register`.
#[inline]
fn result(reg: &RegRequest, register: Register, cpl: u8) -> RegResult {
    let named = reg.op.is_file();
    let reads_pmd = (reg.op == RegOp::ReadFile) & (reg.number >> 8 & 7 == 1);
    let free = reg.op.is_free() | reads_pmd;
    if !(named | reg.op.is_psr()) | named & (register == Register::NotMine) {
        RegResult::NotMine
    } else if (cpl != 0) & !free {
        RegResult::PrivilegedOperation
    } else if named & (register == Register::Reserved) {
        RegResult::ReservedRegister
    } else {
        RegResult::Done
    }
}

/// Answers a request at the PSR's level. Returns the register that it writes, if it does. What writes the PSR is done here.
#[inline]
pub(super) fn step(state: &mut State, reg: &RegRequest, psr: Psr) -> Option<Register> {
    let register = Register::named(reg.number);
    let reg_result = result(reg, register, psr.cpl().get());
    state.answer.reg_done = true;
    state.answer.reg_result = reg_result;
    if reg_result != RegResult::Done {
        return None;
    }
    match reg.op {
        RegOp::WriteFile => return Some(register),
        RegOp::ReadFile => state.answer.reg_rdata = read(state, register, psr),
        _ => state.status.written(reg.op, reg.wdata),
    }
    None
}

/// What a register reads.
#[inline]
fn read(state: &State, register: Register, psr: Psr) -> u64 {
    match register {
        Register::Pmc0 => state.freeze.register().into_bits(),
        Register::Counter(c) => state.counter[usize::from(c & 3)].register().into_bits(),
        Register::Matcher(m) => state.matcher[usize::from(m & 1)].register().into_bits(),
        Register::Pmc10 => state.pmc10.register().into_bits(),
        Register::Pmc11 => state.pmc11.register().into_bits(),
        Register::Pmc12 => state.pmc12.register().into_bits(),
        Register::Pmc13 => state.pmc13.register().into_bits(),
        Register::Pmd(c) => state.counter[usize::from(c & 3)].read(psr).into_bits(),
        Register::Ibr(index) => state.ibr[usize::from(index >> 1 & 3)].read(index & 1),
        Register::Dbr(index) => state.dbr[usize::from(index >> 1 & 3)].read(index & 1),
        Register::Dcr => Dcr::new().with_pp(state.status.dcr_pp).into_bits(),
        Register::Unused | Register::Reserved | Register::NotMine => 0,
    }
}

impl Counter {
    /// What a mov from PMD\[4 + c\] reads.
    #[inline]
    fn read(&self, psr: Psr) -> Pmd {
        if psr.reads_pmd(level(self.pm)) { Pmd::of(self.count) } else { Pmd::of(0) }
    }
}

impl Register {
    /// Writes the register. PMC\[0\] is of the stage freeze.
    #[inline]
    pub(super) fn write(self, value: u64, state: &mut State, decoded: &mut Decoded) {
        match self {
            Self::Counter(c) => {
                let c = usize::from(c & 3);
                state.counter[c].write(c, value);
                decoded.counter(c, &state.counter[c]);
            }
            Self::Matcher(m) => {
                let m = usize::from(m & 1);
                state.matcher[m] = Matcher::of(value);
                decoded.matcher[m] = state.matcher[m].register();
            }
            Self::Pmc10 => {
                state.pmc10 = Pmc10::of(value);
                decoded.recorders(state);
            }
            Self::Pmc11 => {
                state.pmc11 = Pmc11::of(value);
                decoded.recorders(state);
            }
            Self::Pmc12 => {
                state.pmc12 = Pmc12::of(value);
                decoded.recorders(state);
            }
            Self::Pmc13 => state.pmc13 = Pmc13::of(value),
            Self::Pmd(c) => state.counter[usize::from(c & 3)].count = Pmd::from_bits(value).count(),
            Self::Ibr(index) => state.ibr[usize::from(index >> 1 & 3)].write(index & 1, value),
            Self::Dbr(index) => state.dbr[usize::from(index >> 1 & 3)].write(index & 1, value),
            Self::Dcr => state.status.dcr_pp = Dcr::from_bits(value).pp(),
            Self::Pmc0 | Self::Unused | Self::Reserved | Self::NotMine => {}
        }
    }
}
