//! The operating system at work: it starts the unit, handles the performance interrupt, and stops the unit.
//!
//! Each access to a register is an instruction of level 0 with a cycle of its own: the core makes the request when the unit is ready.

use lwp_model::retire::{RegOp, RegRequest, RegResult};
use lwp_model::trace::{Config, Format, Numbers, Outputs};
use lwp_regs::trace::{
    DebugCtl, DsArea, LastException, LbrEntry, LbrFormat, LbrFrom, LbrInfo, LbrLayout, LbrRecord, LbrTo, LerFrom,
    LerTo, PebsEnable,
};

const DEBUGCTL: u32 = DebugCtl::MSR.address();
const LBR_TOS: u32 = LbrLayout::CORE2.tos().address();
const LER_FROM: u32 = LerFrom::MSR.address();
const LER_TO: u32 = LerTo::MSR.address();
const DS_AREA: u32 = DsArea::MSR.address();
const PEBS_ENABLE: u32 = PebsEnable::MSR.address();

/// An access to a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// RDMSR.
    Read(u32),
    /// WRMSR.
    Write(u32, u64),
}

impl Access {
    const fn request(self) -> RegRequest {
        let (op, number, wdata) = match self {
            Self::Read(number) => (RegOp::Rdmsr, number, 0),
            Self::Write(number, value) => (RegOp::Wrmsr, number, value),
        };
        RegRequest { valid: true, op, lp: 0, number, wdata }
    }
}

/// What the operating system does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Task {
    /// Points at the area, enables the counter, starts.
    Start,
    /// Stops the unit and reads the stack; the handler begins.
    Stop,
    /// Goes on as before; the handler ends.
    Resume,
    /// Stops the unit and reads the stack, behind the last instruction.
    End,
}

/// What became of a cycle.
#[derive(Clone, Copy, Debug)]
pub(super) enum Turn {
    /// It is at work.
    Works,
    /// All accesses are done.
    Done,
    /// The unit has refused this access.
    Refused(Access, RegResult),
}

/// A task with its accesses.
#[derive(Debug)]
pub(super) struct Visit {
    pub(super) task: Task,
    accesses: Vec<Access>,
    values: Vec<u64>,
    asked: bool,
}

impl Visit {
    pub(super) fn new(task: Task, accesses: Vec<Access>) -> Self {
        Self { task, accesses, values: Vec::new(), asked: false }
    }

    /// A cycle: the request that the core makes in it, if any.
    pub(super) fn cycle(&mut self, out: &Outputs) -> (Turn, RegRequest) {
        let idle = RegRequest::default();
        if self.asked {
            if !out.reg_done {
                return (Turn::Works, idle);
            }
            self.asked = false;
            let access = self.accesses[self.values.len()];
            if out.reg_result != RegResult::Done {
                return (Turn::Refused(access, out.reg_result), idle);
            }
            self.values.push(out.reg_rdata);
        }
        let Some(access) = self.accesses.get(self.values.len()) else { return (Turn::Done, idle) };
        if !out.reg_ready {
            return (Turn::Works, idle);
        }
        self.asked = true;
        (Turn::Works, access.request())
    }

    /// What was read, in the order of the accesses; 0 for writes.
    pub(super) fn values(&self) -> &[u64] {
        &self.values
    }
}

/// The registers of the LBR stack of a unit with these straps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stack {
    entries: u32,
    from: u32,
    to: Option<u32>,
    info: Option<u32>,
    format: LbrFormat,
}

impl Stack {
    pub(super) fn new(straps: &Config) -> Self {
        let (from, to) = match straps.lbr_numbers {
            Numbers::Core => (0x40, 0x60),
            Numbers::Nehalem => (0x680, 0x6C0),
        };
        Self {
            entries: 4 << straps.lbr_depth as u32,
            from,
            to: (straps.lbr_format != Format::Offset32).then_some(to),
            info: (straps.lbr_format == Format::Info).then_some(0xDC0),
            format: LbrFormat::from_perf_capabilities(straps.lbr_format as u64),
        }
    }

    /// Stops everything, in the order of [`DsIsr`](lwp_regs::trace::DsIsr), and reads pointer, entries and the last exception record.
    pub(super) fn stop(&self, counters: bool) -> Vec<Access> {
        let mut accesses = vec![Access::Read(DEBUGCTL), Access::Write(DEBUGCTL, 0)];
        if counters {
            accesses.extend([Access::Read(PEBS_ENABLE), Access::Write(PEBS_ENABLE, 0)]);
        }
        accesses.push(Access::Read(LBR_TOS));
        for entry in 0..self.entries {
            accesses.push(Access::Read(self.from + entry));
            accesses.extend(self.to.map(|to| Access::Read(to + entry)));
            accesses.extend(self.info.map(|info| Access::Read(info + entry)));
        }
        accesses.extend([Access::Read(LER_FROM), Access::Read(LER_TO)]);
        accesses
    }

    /// Decodes what [`stop`](Self::stop) read: the records newest first, then the last exception record.
    pub(super) fn decode(&self, values: &[u64], mut take: impl FnMut(bool, LbrRecord)) {
        let each = 1 + usize::from(self.to.is_some()) + usize::from(self.info.is_some());
        let Some(first) = values.len().checked_sub(1 + each * self.entries as usize + 2) else { return };
        let (tos, entries) = (values[first] as u32, &values[first + 1..]);
        for age in 0..self.entries {
            let entry = (tos.wrapping_sub(age) & (self.entries - 1)) as usize;
            let mut registers = entries[each * entry..][..each].iter().copied();
            let mut next = |exists: bool| if exists { registers.next().unwrap_or(0) } else { 0 };
            let registers = LbrEntry {
                from: LbrFrom::from_bits(next(true)),
                to: LbrTo::from_bits(next(self.to.is_some())),
                info: LbrInfo::from_bits(next(self.info.is_some())),
            };
            if registers == LbrEntry::default() {
                continue;
            }
            if let Some(record) = self.format.decode(registers) {
                take(false, record);
            }
        }
        if let [.., from, to] = *values
            && (from != 0 || to != 0)
        {
            take(true, self.last_exception(from, to));
        }
    }

    /// The last exception record. In the format of one register the pair has the halves of an entry.
    fn last_exception(&self, from: u64, to: u64) -> LbrRecord {
        let pair = LastException { from: LerFrom::from_bits(from), to: LerTo::from_bits(to) };
        let decoded = pair.decode(self.format).filter(|_| self.to.is_some());
        decoded.unwrap_or(LbrRecord { from, to, ..LbrRecord::default() })
    }
}

/// The accesses that start the unit.
pub(super) fn start(area: Option<u64>, counters: bool, debugctl: DebugCtl) -> Vec<Access> {
    let mut accesses: Vec<_> = area.map(|area| Access::Write(DS_AREA, area)).into_iter().collect();
    accesses.extend(resume(counters, debugctl));
    accesses
}

/// The accesses by which the unit goes on.
pub(super) fn resume(counters: bool, debugctl: DebugCtl) -> Vec<Access> {
    let counters = counters.then_some(Access::Write(PEBS_ENABLE, 1));
    counters.into_iter().chain([Access::Write(DEBUGCTL, debugctl.into_bits())]).collect()
}
