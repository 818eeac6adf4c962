//! Register requests: which registers exist, which requests fault, and what an answer may be.

use super::bits::Bits;
use super::ports::{PortsIn, PortsOut, Straps};
use super::stack::Part;
use super::violation::{Fault, check, fault};

const DONE: u8 = 0;
const GENERAL_PROTECTION: u8 = 2;
const NOT_MINE: u8 = 4;

/// A register of the unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Register {
    /// IA32_DEBUGCTL.
    DebugCtl,
    /// MSR_LASTBRANCH_TOS.
    Tos,
    /// MSR_LER_FROM_LIP, or with `false` MSR_LER_TO_LIP.
    Ler(bool),
    /// Part of an entry of the LBR stack.
    Stack(usize, Part),
    /// IA32_DS_AREA.
    DsArea,
    /// IA32_PEBS_ENABLE.
    PebsEnable,
}

impl Register {
    /// Returns the register with this number. Rows: DCTL-02, LBR-04, LBR-06, LBR-21, BTS-06, BTS-12.
    pub(super) fn find(straps: &Straps, number: u32) -> Option<Self> {
        let (from, to) = if straps.lbr_numbers == 0 { (0x40, 0x60) } else { (0x680, 0x6C0) };
        let depth = u32::try_from(straps.depth()).unwrap_or(0);
        let within = |first: u32| {
            let index = number.checked_sub(first)?;
            (index < depth).then(|| usize::try_from(index).unwrap_or(0))
        };
        match number {
            0x1D9 => Some(Self::DebugCtl),
            0x1C9 => Some(Self::Tos),
            0x1DD => Some(Self::Ler(true)),
            0x1DE => Some(Self::Ler(false)),
            0x600 if straps.ds => Some(Self::DsArea),
            0x3F1 if straps.pebs_counters > 0 => Some(Self::PebsEnable),
            _ => (within(from).map(|index| Self::Stack(index, Part::From)))
                .or_else(|| within(to).filter(|_| straps.lbr_format != 0).map(|index| Self::Stack(index, Part::To)))
                .or_else(|| {
                    let index = within(0xDC0).filter(|_| straps.lbr_format == 5)?;
                    Some(Self::Stack(index, Part::Info))
                }),
        }
    }

    /// Returns the row that decides what a read shows.
    pub(super) fn row(self) -> &'static str {
        match self {
            Self::DebugCtl => "DCTL-03",
            Self::Tos => "LBR-07",
            Self::Ler(_) => "LBR-19",
            Self::Stack(_, Part::Info) => "LBR-22",
            Self::Stack(..) => "LBR-06",
            Self::DsArea => "BTS-12",
            Self::PebsEnable => "BTS-09",
        }
    }
}

/// A request that was accepted and is not answered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request {
    /// The register, if the unit has it.
    pub(super) register: Option<Register>,
    /// Whether it is a WRMSR.
    pub(super) write: bool,
    number: u32,
    /// Data of WRMSR.
    pub(super) data: u64,
    level: u8,
    /// A performance interrupt was asked for in the cycle of acceptance.
    pub(super) pmi: bool,
    /// The unit asked for one in that cycle.
    pub(super) ds_pmi: bool,
    /// Bit n: counter n overflowed in the cycle of acceptance.
    pub(super) overflow: u8,
}

impl Request {
    /// Returns the request that is accepted in this cycle, if there is one.
    pub(super) fn accepted(straps: &Straps, inputs: &PortsIn, out: &PortsOut) -> Option<Self> {
        if !inputs.reg_valid || !out.reg_ready || inputs.int_valid || inputs.retires() {
            return None;
        }
        let register = if inputs.reg_op <= 1 { Register::find(straps, inputs.reg_number) } else { None };
        Some(Self {
            register,
            write: inputs.reg_op == 1,
            number: inputs.reg_number,
            data: inputs.reg_wdata,
            level: inputs.level(),
            pmi: inputs.pmi,
            ds_pmi: out.ds_pmi,
            overflow: inputs.pebs_overflow,
        })
    }

    /// Returns the values of the register's bits that exist after a write, if the document names them.
    pub(super) fn exists(&self, straps: &Straps) -> Option<u64> {
        match self.register? {
            Register::DebugCtl => Some(straps.debugctl()),
            Register::PebsEnable => Some((1 << straps.pebs_counters) - 1),
            _ => None,
        }
    }

    /// Checks the result. Returns whether the request was done.
    pub(super) fn result(&self, straps: &Straps, out: &PortsOut) -> Result<bool, Fault> {
        let what = || format!("{} of {:X}H", if self.write { "WRMSR" } else { "RDMSR" }, self.number);
        let Some(register) = self.register else {
            return match out.reg_result {
                NOT_MINE => Ok(false),
                other => fault(
                    "ports, Register requests",
                    format!("{}: result {other}, but the unit has no such register", what()),
                ),
            };
        };
        let done_only = || {
            check(out.reg_result == DONE, register.row(), || {
                format!("{} with {:#x}: result {}, but nothing forbids it", what(), self.data, out.reg_result)
            })
        };
        if self.level != 0 {
            check(out.reg_result == GENERAL_PROTECTION, "ports, Register requests", || {
                format!("{} in level {}: result {}, not #GP(0)", what(), self.level, out.reg_result)
            })?;
        } else if !self.write || self.must_be_done(straps) {
            done_only()?;
        } else {
            check(matches!(out.reg_result, DONE | GENERAL_PROTECTION), register.row(), || {
                format!("{}: result {}, neither done nor #GP(0)", what(), out.reg_result)
            })?;
        }
        Ok(out.reg_result == DONE)
    }

    fn must_be_done(&self, straps: &Straps) -> bool {
        match (self.register, self.exists(straps)) {
            (_, Some(bits)) => self.data & !bits == 0,
            (Some(Register::DsArea), _) => straps.canonical(self.data) && self.data & 7 == 0,
            _ => false,
        }
    }
}

/// Returns what a WRMSR of IA32_DS_AREA leaves in it.
pub(super) fn written_area(straps: &Straps, data: u64) -> Bits {
    let width = if straps.canonical(data) { 64 } else { straps.width().min(32) };
    let low = if data & 7 == 0 { 0 } else { 7 };
    Bits::masked(data, super::bits::ones(width) & !low)
}

/// Checks what the outputs show without a request, or next to its result.
pub(super) fn quiet(out: &PortsOut, expected: bool, read: bool) -> Result<(), Fault> {
    const ROW: &str = "ports, Register requests";
    check(out.reg_done == expected, ROW, || {
        if expected { "no answer in the cycle behind acceptance".into() } else { "an answer to no request".into() }
    })?;
    check(out.reg_rdata == 0 || out.reg_done && read && out.reg_result == DONE, ROW, || {
        format!("reg_rdata is {:#x} without a read that is done", out.reg_rdata)
    })
}
