//! The registers of the unit and the requests that read and write them.
//!
//! Sources: the architecture manual, volume 2, sections 3.3.2 (PSR), 7.1.1 (IBR, DBR) and 7.2 (PMC, PMD); volume 3, mov indirect, mov psr,
//! sum, rum, ssm, rsm, rfi; the layouts of PMC\[4\] to PMC\[13\] in the facts about real hardware. "For ignored fields, hardware will return a
//! 0 on a read, unless noted otherwise" (volume 1, section 3.1.1).

use super::truth::{Bits, Truth, YES};
use lwp_model::itanium::{RegOp, RegRequest, RegResult};

/// PSR.up, PSR.sp and PSR.pp in the PSR.
const UP: u32 = 2;
const SP: u32 = 20;
const PP: u32 = 21;

/// Bits of PMC\[0\]: the freeze bit, and the overflow bits of PMD\[4\] to PMD\[7\].
const FREEZE: u64 = 0xF1;
/// Bits 7:4 of PMC\[0\].
const OVERFLOW: u64 = 0xF0;

/// The performance bits of the PSR.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Status {
    pub(super) up: bool,
    pub(super) sp: bool,
    pub(super) pp: bool,
}

/// What a request is answered with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    /// Results that the documents allow.
    pub(super) results: &'static [RegResult],
    /// The value that is read if the request is done.
    pub(super) data: Bits,
}

impl Answer {
    const fn of(results: &'static [RegResult], data: Bits) -> Self {
        Self { results, data }
    }

    const fn done(data: Bits) -> Self {
        Self::of(&[RegResult::Done], data)
    }

    const fn written() -> Self {
        Self::done(Bits::exact(0))
    }

    const fn refused(results: &'static [RegResult]) -> Self {
        Self::of(results, Bits::exact(0))
    }
}

const NOT_MINE: Answer = Answer::refused(&[RegResult::NotMine]);
const PRIVILEGED: Answer = Answer::refused(&[RegResult::PrivilegedOperation]);
const RESERVED: Answer = Answer::refused(&[RegResult::ReservedRegister]);

/// The register files.
#[derive(Clone, Debug, Default)]
pub(super) struct Registers {
    pub(super) pmc: [Bits; 14],
    pub(super) count: [Option<u32>; 4],
    pub(super) ibr: [Bits; 8],
    pub(super) dbr: [Bits; 8],
    pub(super) dcr: Bits,
    /// The freeze bit was cleared with overflow bits set while PSR.up or PSR.pp was 1.
    pub(super) stale: bool,
}

/// Returns the bits of a PMC that hold what is written, and those of which the documents say nothing. The others are ignored.
const fn pmc_bits(index: usize) -> (u64, u64) {
    match index {
        0 => (FREEZE, 0),
        4 | 5 => (0x037F_7F7F, 0),
        6 | 7 => (0x033F_7F7F, 0),
        8 | 9 => (0xFFFF_FFFE_3FFF_FFF8, 0),
        10 => (0x030F_00CF, 0),
        11 => (0x130F_00CF, 0),
        12 => (0xFFCF, 0),
        13 => (1, u64::MAX - 1),
        _ => (0, 0),
    }
}

/// Returns the same of an odd breakpoint register: mask, plm, and x of IBR or w and r of DBR.
const fn break_bits(data: bool, odd: bool) -> u64 {
    match (odd, data) {
        (false, _) => u64::MAX,
        (true, false) => 0x8FFF_FFFF_FFFF_FFFF,
        (true, true) => 0xCFFF_FFFF_FFFF_FFFF,
    }
}

const fn written(value: u64, bits: u64, silent: u64) -> Bits {
    Bits { value: value & bits, known: !silent }
}

impl Registers {
    /// Returns whether monitoring is frozen.
    pub(super) fn frozen(&self) -> Truth {
        self.pmc[0].bit(0)
    }

    /// Learns the bits of a register that a request has read at level 0, and `added` to the count of a PMD since.
    ///
    /// # Errors
    ///
    /// Fails if bits 63:32 of a PMD are not copies of bit 31.
    pub(super) fn learn(&mut self, file: u32, index: usize, value: u64, added: u32) -> Result<(), String> {
        let (register, bits) = match (file, index) {
            (0, 0..=13) => (&mut self.pmc[index], pmc_bits(index).0),
            (1, 4..=7) => {
                self.count[index - 4] = Some((value as u32).wrapping_add(added));
                let same = i64::from(value as u32 as i32) as u64 == value;
                return if same { Ok(()) } else { Err(format!("PMD[{index}] is {value:#x}")) };
            }
            (2, 0..=7) => (&mut self.ibr[index], u64::MAX),
            (3, 0..=7) => (&mut self.dbr[index], u64::MAX),
            (4, 0) => (&mut self.dcr, 1),
            _ => return Ok(()),
        };
        register.value = value & bits;
        register.known |= bits;
        Ok(())
    }

    /// Takes a request at privilege level `cpl`, and changes registers and PSR.
    pub(super) fn request(&mut self, request: &RegRequest, cpl: u8, status: &mut Status) -> Answer {
        let (file, index) = (request.number >> 8 & 7, (request.number & 0xFF) as usize);
        match request.op {
            RegOp::ReadFile => self.read(file, index, cpl, *status),
            RegOp::WriteFile => self.write(file, index, cpl, *status, request.wdata),
            RegOp::Sum | RegOp::Rum | RegOp::WritePsrUm => {
                user_mask(request, status);
                Answer::written()
            }
            RegOp::Ssm | RegOp::Rsm | RegOp::WritePsrL | RegOp::Rfi => {
                if cpl != 0 {
                    return PRIVILEGED;
                }
                system_mask(request, status);
                Answer::written()
            }
            _ => NOT_MINE,
        }
    }

    fn read(&self, file: u32, index: usize, cpl: u8, status: Status) -> Answer {
        match (file, cpl) {
            (1, _) => self.read_pmd(index, cpl, status),
            (0 | 2 | 3, 1..) => PRIVILEGED,
            (0, _) => Answer::done(self.pmc.get(index).copied().unwrap_or(Bits::exact(0))),
            (2, _) => self.ibr.get(index).map_or(RESERVED, |ibr| Answer::done(*ibr)),
            (3, _) => self.dbr.get(index).map_or(RESERVED, |dbr| Answer::done(*dbr)),
            (4, _) => control(index, cpl).unwrap_or(Answer::done(self.dcr)),
            _ => NOT_MINE,
        }
    }

    /// Reads a PMD. One that is configured as privileged, or secured by PSR.sp, reads as 0 for all levels but 0.
    fn read_pmd(&self, index: usize, cpl: u8, status: Status) -> Answer {
        const EITHER: &[RegResult] = &[RegResult::Done, RegResult::NotMine];
        let secured = cpl != 0 && status.sp;
        match index {
            4..=7 => {
                let count = self.count[index - 4];
                let data = count.map_or(Bits::default(), |count| Bits::exact(i64::from(count as i32) as u64));
                Answer::done(match self.pmc[index].bit(6) {
                    _ if secured => Bits::exact(0),
                    YES if cpl != 0 => Bits::exact(0),
                    None if cpl != 0 && data != Bits::exact(0) => Bits::default(),
                    _ => data,
                })
            }
            0..=3 | 8..=17 => Answer::of(EITHER, if secured { Bits::exact(0) } else { Bits::default() }),
            _ => Answer::done(Bits::exact(0)),
        }
    }

    fn write(&mut self, file: u32, index: usize, cpl: u8, status: Status, value: u64) -> Answer {
        match (file, cpl) {
            (0..=3, 1..) => PRIVILEGED,
            (0, _) => {
                let (bits, silent) = pmc_bits(index);
                if let Some(pmc) = self.pmc.get_mut(index) {
                    *pmc = written(value, bits, silent);
                }
                if index == 0 {
                    self.stale = value & 1 == 0 && value & OVERFLOW != 0 && (status.up || status.pp);
                }
                Answer::written()
            }
            (1, _) => {
                match index {
                    4..=7 => self.count[index - 4] = Some(value as u32),
                    0..=3 | 8..=17 => return Answer::refused(&[RegResult::Done, RegResult::NotMine]),
                    _ => (),
                }
                Answer::written()
            }
            (2 | 3, _) => {
                let bits = break_bits(file == 3, index % 2 == 1);
                let file = if file == 2 { &mut self.ibr } else { &mut self.dbr };
                let Some(register) = file.get_mut(index) else { return RESERVED };
                *register = written(value, bits, 0);
                Answer::written()
            }
            (4, _) => control(index, cpl).unwrap_or_else(|| {
                self.dcr = Bits { value: value & 1, known: 1 };
                Answer::written()
            }),
            _ => NOT_MINE,
        }
    }
}

/// Returns the answer to a request for a control register, unless it is for DCR and is done.
fn control(index: usize, cpl: u8) -> Option<Answer> {
    match (index, cpl) {
        (0, 0) => None,
        (0, _) => Some(PRIVILEGED),
        (_, 0) => Some(NOT_MINE),
        _ => Some(Answer::refused(&[RegResult::NotMine, RegResult::PrivilegedOperation])),
    }
}

/// Takes sum, rum or mov psr.um. PSR.up changes only while PSR.sp is 0.
fn user_mask(request: &RegRequest, status: &mut Status) {
    let bit = request.wdata >> UP & 1 == 1;
    if status.sp {
        return;
    }
    status.up = match request.op {
        RegOp::Sum => status.up || bit,
        RegOp::Rum => status.up && !bit,
        _ => bit,
    };
}

/// Takes ssm, rsm, mov psr.l or rfi.
fn system_mask(request: &RegRequest, status: &mut Status) {
    for (at, place) in [(UP, &mut status.up), (SP, &mut status.sp), (PP, &mut status.pp)] {
        let bit = request.wdata >> at & 1 == 1;
        *place = match request.op {
            RegOp::Ssm => *place || bit,
            RegOp::Rsm => *place && !bit,
            _ => bit,
        };
    }
}
