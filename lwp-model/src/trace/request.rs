//! Stage request: RDMSR and WRMSR.

use super::config::{Config, Numbers};
use super::inputs::Inputs;
use super::now::Now;
use super::state::{Answer, Control, Lbr, State};
use crate::retire::{RegOp, RegResult};
use lwp_regs::access::GeneralProtection;
use lwp_regs::trace::{DebugCtl, DsArea, LbrInfo, LbrTos, LerFrom, LerTo, PebsEnable};

/// A register of the unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Register {
    DebugCtl,
    Tos,
    LerFrom,
    LerTo,
    /// Source of an entry, by its number.
    From(usize),
    /// Destination of an entry.
    To(usize),
    /// Information of an entry.
    Info(usize),
    DsArea,
    PebsEnable,
}

/// Write of a WRMSR that is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Write {
    /// IA32_DEBUGCTL.
    DebugCtl(DebugCtl),
    /// MSR_LASTBRANCH_TOS.
    Tos(LbrTos),
    /// Source of an entry.
    From(usize, u64),
    /// Destination of an entry.
    To(usize, u64),
    /// Information of an entry.
    Info(usize, LbrInfo),
    /// IA32_DS_AREA.
    DsArea(DsArea),
    /// IA32_PEBS_ENABLE.
    PebsEnable(PebsEnable),
}

impl Register {
    /// The register with this number, if the unit has it.
    #[inline]
    fn of(number: u32, straps: &Config) -> Option<Self> {
        match number {
            DebugCtl::ADDRESS => Some(Self::DebugCtl),
            LbrTos::ADDRESS => Some(Self::Tos),
            LerFrom::ADDRESS => Some(Self::LerFrom),
            LerTo::ADDRESS => Some(Self::LerTo),
            DsArea::ADDRESS => straps.ds.then_some(Self::DsArea),
            PebsEnable::ADDRESS => (straps.pebs_counters > 0).then_some(Self::PebsEnable),
            _ => Self::of_entry(number, straps),
        }
    }

    #[inline]
    fn of_entry(number: u32, straps: &Config) -> Option<Self> {
        let (from, to) = match straps.lbr_numbers {
            Numbers::Core => (0x40, 0x60),
            Numbers::Nehalem => (0x680, 0x6C0),
        };
        let entry = |first| {
            let entry = number.checked_sub(first).filter(|&entry| entry < straps.lbr_depth.entries().into())?;
            usize::try_from(entry).ok()
        };
        let format = straps.lbr_format.registers();
        if let Some(entry) = entry(from) {
            Some(Self::From(entry))
        } else if let Some(entry) = entry(to) {
            (!format.is_one_register()).then_some(Self::To(entry))
        } else {
            entry(0xDC0).filter(|_| format.has_info()).map(Self::Info)
        }
    }

    #[inline]
    fn read<const ENTRIES: usize>(self, state: &State<ENTRIES>) -> u64 {
        let State { control, lbr, .. } = state;
        match self {
            Self::DebugCtl => control.debugctl.into(),
            Self::Tos => lbr.tos.into(),
            Self::LerFrom => lbr.ler_from,
            Self::LerTo => lbr.ler_to,
            Self::From(entry) => lbr.entry[entry].from,
            Self::To(entry) => lbr.entry[entry].to,
            Self::Info(entry) => lbr.entry[entry].info().into_bits(),
            Self::DsArea => control.ds_area,
            Self::PebsEnable => control.pebs_enable.into(),
        }
    }

    #[inline]
    fn check_write(self, new: u64, straps: &Config) -> Result<Write, GeneralProtection> {
        Ok(match self {
            Self::DebugCtl => Write::DebugCtl(DebugCtl::check_write(DebugCtl::RESET, new, &straps.caps())?),
            Self::Tos => Write::Tos(LbrTos::check_write(LbrTos::new(), new, &straps.lbr_depth.registers())?),
            Self::LerFrom | Self::LerTo => return Err(GeneralProtection::NoSuchRegister),
            Self::From(entry) => Write::From(entry, new),
            Self::To(entry) => Write::To(entry, new),
            Self::Info(entry) => Write::Info(entry, LbrInfo::from_bits(new)),
            Self::DsArea => Write::DsArea(DsArea::check_write(DsArea::new(), new, &straps.linear.registers())?),
            Self::PebsEnable => Write::PebsEnable(PebsEnable::check_write(PebsEnable::OFF, new, straps.pebs_counters)?),
        })
    }
}

/// Returns the answer to the request of this cycle, and what it writes.
#[inline]
pub(super) fn step<const LANES: usize, const ENTRIES: usize>(
    state: &State<ENTRIES>,
    now: &Now,
    inputs: &Inputs<LANES>,
    straps: &Config,
) -> (Answer, Option<Write>) {
    if !inputs.reg.valid || !is_accepted(state, inputs) {
        return (Answer::default(), None);
    }
    let refused = |reg_result| (Answer { reg_done: true, reg_result, reg_rdata: 0 }, None);
    let (register, op) = (Register::of(inputs.reg.number, straps), inputs.reg.op);
    let Some(register) = register.filter(|_| matches!(op, RegOp::Rdmsr | RegOp::Wrmsr)) else {
        return refused(RegResult::NotMine);
    };
    if now.level != 0 {
        return refused(RegResult::GeneralProtection);
    }
    let done = Answer { reg_done: true, ..Answer::default() };
    if op == RegOp::Rdmsr {
        return (Answer { reg_rdata: register.read(state), ..done }, None);
    }
    match register.check_write(inputs.reg.wdata, straps) {
        Ok(write) => (done, Some(write)),
        Err(_) => refused(RegResult::GeneralProtection),
    }
}

/// Whether the request is accepted.
#[inline]
fn is_accepted<const LANES: usize, const ENTRIES: usize>(state: &State<ENTRIES>, inputs: &Inputs<LANES>) -> bool {
    let quiet = inputs.partial || !inputs.lanes.iter().any(|lane| lane.retired.valid);
    state.is_at_rest() && !inputs.int.valid && quiet
}

impl Write {
    /// Writes the registers of the stack and the addresses. IA32_DEBUGCTL is of the stage control.
    #[inline]
    pub(super) fn apply<const ENTRIES: usize>(self, control: &mut Control, lbr: &mut Lbr<ENTRIES>) {
        match self {
            Self::DebugCtl(_) => {}
            Self::Tos(tos) => lbr.tos = tos.index().get(),
            Self::From(entry, value) => lbr.entry[entry].from = value,
            Self::To(entry, value) => lbr.entry[entry].to = value,
            Self::Info(entry, info) => lbr.entry[entry].set_info(info),
            Self::DsArea(area) => control.ds_area = area.address(),
            Self::PebsEnable(enable) => control.pebs_enable = enable.counters().get(),
        }
    }
}
