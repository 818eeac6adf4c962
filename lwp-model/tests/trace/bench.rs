//! A test bench: the unit, a core that does one thing in a cycle, memory, and the system bus.

use super::memory::Memory;
use crate::unit::Trace;
use lwp_model::retire::{
    Branch, BranchKind, IntKind, Interruption, MemAnswer, Mode, OpMode, RegOp, RegRequest, RegResult, Retired,
    Transaction,
};
use lwp_model::trace::{Config, Depth, Entry, Inputs, Lane, Outputs, Precise};

pub(super) const DEBUGCTL: u32 = 0x1D9;
pub(super) const TOS: u32 = 0x1C9;
pub(super) const LER_FROM: u32 = 0x1DD;
pub(super) const LER_TO: u32 = 0x1DE;
pub(super) const FROM: u32 = 0x680;
pub(super) const TO: u32 = 0x6C0;
pub(super) const INFO: u32 = 0xDC0;
pub(super) const DS_AREA: u32 = 0x600;
pub(super) const PEBS_ENABLE: u32 = 0x3F1;

// Flags of IA32_DEBUGCTL.
pub(super) const LBR: u64 = 1;
pub(super) const BTF: u64 = 1 << 1;
pub(super) const TR: u64 = 1 << 6;
pub(super) const BTS: u64 = 1 << 7;
pub(super) const BTINT: u64 = 1 << 8;
pub(super) const OFF_OS: u64 = 1 << 9;
pub(super) const OFF_USR: u64 = 1 << 10;
pub(super) const FREEZE_LBRS: u64 = 1 << 11;
pub(super) const FREEZE_PERFMON: u64 = 1 << 12;
pub(super) const FREEZE_SMM: u64 = 1 << 14;
pub(super) const RTM: u64 = 1 << 15;

/// Vector of a debug exception.
pub(super) const DB: u8 = 1;

/// Cycles that the core waits at most.
const PATIENCE: usize = 2000;

/// What the outputs have shown, cycle by cycle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) stored: usize,
    pub(super) lost: usize,
    pub(super) ds_pmi: usize,
    /// Source, destination and prediction of the messages that the bus took.
    pub(super) messages: Vec<(u64, u64, bool)>,
    /// Counters and their new values.
    pub(super) reloads: Vec<(u8, u64)>,
}

#[derive(Debug)]
pub(super) struct Bench<const LANES: usize, const ENTRIES: usize> {
    pub(super) unit: Trace<LANES, ENTRIES>,
    /// Mode and segments of every cycle, the clock, and whether the bus is ready.
    pub(super) stays: Inputs<LANES>,
    pub(super) memory: Memory,
    /// The processor's registers, by `state_index`.
    pub(super) registers: [u64; 32],
    pub(super) seen: Seen,
}

/// The default straps with 32 entries.
pub(super) fn deep() -> Config {
    Config { lbr_depth: Depth::ThirtyTwo, ..Config::default() }
}

/// An instruction at this address.
pub(super) fn at(ip: u64) -> Lane {
    Lane { retired: Retired { valid: true, counts: true, ip }, ..Lane::default() }
}

/// A branch that is taken.
pub(super) fn of_kind(kind: BranchKind, from: u64, to: u64) -> Lane {
    Lane { branch: Branch { kind, taken: true, next: to, ..Branch::default() }, ..at(from) }
}

/// A JMP.
pub(super) fn jump(from: u64, to: u64) -> Lane {
    of_kind(BranchKind::JmpRel, from, to)
}

/// One whose prediction is known.
pub(super) fn predicted(lane: Lane, pred_ok: bool) -> Lane {
    Lane { branch: Branch { pred_valid: true, pred_ok, ..lane.branch }, ..lane }
}

/// One in an RTM region, or the abort of one.
pub(super) fn in_region(lane: Lane, tx_abort: bool) -> Lane {
    Lane { transaction: Transaction { in_tx: true, tx_abort }, ..lane }
}

impl<const LANES: usize, const ENTRIES: usize> Bench<LANES, ENTRIES> {
    /// A core in 64-bit mode at level 0, whose bus is ready and whose clock runs.
    pub(super) fn new(straps: Config) -> Self {
        let mode = Mode { cpl: 0, smm: false, op_mode: OpMode::Long64 };
        Self {
            unit: Trace::new(straps).unwrap(),
            stays: Inputs { mode, far_long: true, core_clock: true, btm_ready: true, ..Inputs::default() },
            memory: Memory::default(),
            registers: core::array::from_fn(|number| 0x1000 + number as u64),
            seen: Seen::default(),
        }
    }

    /// The same with this IA32_DEBUGCTL.
    pub(super) fn on(straps: Config, debugctl: u64) -> Self {
        let mut bench = Self::new(straps);
        bench.write(DEBUGCTL, debugctl);
        bench
    }

    pub(super) fn out(&self) -> Outputs {
        self.unit.outputs()
    }

    /// One cycle with these inputs, but for what stays, and for memory.
    pub(super) fn cycle(&mut self, inputs: Inputs<LANES>) -> Outputs {
        let mem = self.memory.answer(self.out().mem);
        self.answered(inputs, mem)
    }

    /// One cycle in which memory answers this.
    pub(super) fn answered(&mut self, inputs: Inputs<LANES>, mem: MemAnswer) -> Outputs {
        let Inputs { mode, cs_base, far_base, far_long, core_clock, btm_ready, .. } = self.stays;
        let out = self.out();
        let state_value = self.registers[usize::from(out.state_index)];
        let pebs = Precise { state_value, ..inputs.pebs };
        if out.btm_valid && btm_ready {
            self.seen.messages.push((out.btm_from, out.btm_to, out.btm_predicted));
        }
        let stays = Inputs { mode, cs_base, far_base, far_long, core_clock, btm_ready, ..inputs };
        self.unit.step(&Inputs { mem, pebs, ..stays });
        let out = self.out();
        for (count, pulse) in
            [(&mut self.seen.stored, out.stored), (&mut self.seen.lost, out.lost), (&mut self.seen.ds_pmi, out.ds_pmi)]
        {
            *count += usize::from(pulse);
        }
        if out.reload_valid {
            self.seen.reloads.push((out.reload_counter, out.reload_value));
        }
        out
    }

    pub(super) fn idle(&mut self) -> Outputs {
        self.cycle(Inputs::default())
    }

    /// So many idle cycles.
    pub(super) fn pass(&mut self, cycles: usize) {
        for _ in 0..cycles {
            self.idle();
        }
    }

    /// Idle cycles until the unit is at rest.
    pub(super) fn rest(&mut self) {
        for _ in 0..PATIENCE {
            if self.out().reg_ready {
                return;
            }
            self.idle();
        }
        panic!("the unit does not come to rest");
    }

    /// A group, at once.
    pub(super) fn group(&mut self, group: &[Lane]) -> Outputs {
        self.precise(group, 0)
    }

    /// A group in which the events of these counters occur.
    pub(super) fn precise(&mut self, group: &[Lane], event: u8) -> Outputs {
        assert!(group.len() <= LANES, "a lane for each");
        let lanes = core::array::from_fn(|number| group.get(number).copied().unwrap_or_default());
        self.cycle(Inputs { lanes, pebs: Precise { event, ..Precise::default() }, ..Inputs::default() })
    }

    /// A cycle in which these counters have overflowed.
    pub(super) fn overflow(&mut self, overflow: u8) -> Outputs {
        self.cycle(Inputs { pebs: Precise { overflow, ..Precise::default() }, ..Inputs::default() })
    }

    /// A group, when the unit lets the core go on.
    pub(super) fn retire(&mut self, group: &[Lane]) {
        for _ in 0..PATIENCE {
            if !self.out().stall {
                self.group(group);
                return;
            }
            self.idle();
        }
        panic!("the unit stalls for ever");
    }

    /// A jump, and the rest.
    pub(super) fn jump(&mut self, from: u64, to: u64) {
        self.retire(&[jump(from, to)]);
    }

    /// A performance interrupt is asked for.
    pub(super) fn pmi(&mut self) -> Outputs {
        self.cycle(Inputs { pmi: true, ..Inputs::default() })
    }

    pub(super) fn interrupt(&mut self, kind: IntKind, vector: u8, from: u64, to: u64) -> Outputs {
        self.cycle(Inputs { int: Interruption { valid: true, kind, vector, from, to }, ..Inputs::default() })
    }

    /// A request, when the unit accepts it, and its answer.
    pub(super) fn request(&mut self, op: RegOp, number: u32, wdata: u64) -> Result<u64, RegResult> {
        self.rest();
        let reg = RegRequest { valid: true, op, lp: 0, number, wdata };
        let out = self.cycle(Inputs { reg, ..Inputs::default() });
        assert!(out.reg_done, "an answer in the next cycle");
        if out.reg_result == RegResult::Done { Ok(out.reg_rdata) } else { Err(out.reg_result) }
    }

    pub(super) fn wrmsr(&mut self, number: u32, wdata: u64) -> Result<u64, RegResult> {
        self.request(RegOp::Wrmsr, number, wdata)
    }

    pub(super) fn rdmsr(&mut self, number: u32) -> Result<u64, RegResult> {
        self.request(RegOp::Rdmsr, number, 0)
    }

    pub(super) fn write(&mut self, number: u32, wdata: u64) {
        assert_eq!(self.wrmsr(number, wdata), Ok(0), "WRMSR {number:x}, {wdata:x}");
    }

    pub(super) fn read(&mut self, number: u32) -> u64 {
        self.rdmsr(number).unwrap()
    }

    /// IA32_DEBUGCTL, without a RDMSR.
    pub(super) fn debugctl(&self) -> u64 {
        self.unit.state().control.debugctl.into()
    }

    /// Number of the newest entry, without a RDMSR.
    pub(super) fn tos(&self) -> u8 {
        self.unit.state().lbr.tos
    }

    /// The newest entry.
    pub(super) fn newest(&self) -> Entry {
        self.unit.state().lbr.entry[usize::from(self.tos())]
    }

    /// Source and destination of the newest entry.
    pub(super) fn pair(&self) -> (u64, u64) {
        let Entry { from, to, .. } = self.newest();
        (from, to)
    }
}
