//! A test bench: the unit, and a core that does one thing in a cycle.

use crate::unit::Debug;
use lwp_model::debug::{Ask, Config, Inputs, Interrupted, Lane, LaneKind, Outputs, Special};
use lwp_model::retire::{
    Access, Flags, IntKind, Mode, OpMode, RegOp, RegRequest, RegResult, Rep, Retired, Transaction,
};
use lwp_regs::debug::{Breakpoint, BreakpointSet, Dr6, Slot};

#[derive(Debug)]
pub(super) struct Bench {
    pub(super) unit: Debug<4, 2>,
    /// Mode and control bits of every cycle.
    pub(super) stays: Inputs<4>,
}

/// An instruction at this address.
pub(super) fn at(ip: u64) -> Lane {
    Lane { retired: Retired { valid: true, counts: true, ip }, ..Lane::default() }
}

/// One with TF.
pub(super) fn stepped(ip: u64) -> Lane {
    Lane { flags: Flags { tf: true, ..Flags::default() }, ..at(ip) }
}

/// One of this kind.
pub(super) fn of_kind(ip: u64, kind: LaneKind) -> Lane {
    Lane { debug: Special { kind, ..Special::default() }, ..at(ip) }
}

/// One that loads SS.
pub(super) fn ss_load(lane: Lane) -> Lane {
    Lane { flags: Flags { ss_load: true, ..lane.flags }, ..lane }
}

/// An iteration.
pub(super) fn iteration(rep: Rep, lane: Lane) -> Lane {
    Lane { flags: Flags { rep, ..lane.flags }, ..lane }
}

/// One that writes so many bytes.
pub(super) fn writes(lane: Lane, addr: u64, size: u8) -> Lane {
    let mut lane = lane;
    lane.accesses[0] = Access { read: false, write: true, addr, size };
    lane
}

/// One in an RTM region.
pub(super) fn in_region(lane: Lane) -> Lane {
    Lane { transaction: Transaction { in_tx: true, tx_abort: false }, ..lane }
}

impl Bench {
    /// A core in 64-bit mode at level 0, with CR4.DE.
    pub(super) fn new(straps: Config) -> Self {
        let mode = Mode { cpl: 0, smm: false, op_mode: OpMode::Long64 };
        Self { unit: Debug::new(straps).unwrap(), stays: Inputs { mode, de: true, ..Inputs::default() } }
    }

    /// The same with these breakpoints, and with further bits of DR7.
    pub(super) fn armed(straps: Config, breakpoints: &[(Slot, Breakpoint)], others: u64) -> Self {
        let mut bench = Self::new(straps);
        let mut set = BreakpointSet::new();
        breakpoints.iter().for_each(|(slot, breakpoint)| set.set_unchecked(*slot, *breakpoint));
        for slot in Slot::ALL {
            bench.write(slot.number() as u32, set.get(slot).address);
        }
        bench.write(7, set.control.into_bits() | others);
        bench
    }

    pub(super) fn out(&self) -> Outputs {
        self.unit.outputs()
    }

    /// One cycle with these inputs, but for mode and control bits.
    pub(super) fn cycle(&mut self, inputs: Inputs<4>) -> Outputs {
        let Inputs { mode, de, btf, rtm_debug, .. } = self.stays;
        self.unit.step(&Inputs { mode, de, btf, rtm_debug, ..inputs });
        self.out()
    }

    /// A group.
    pub(super) fn group(&mut self, group: &[Lane]) -> Outputs {
        let lanes = core::array::from_fn(|number| group.get(number).copied().unwrap_or_default());
        self.cycle(Inputs { lanes, ..Inputs::default() })
    }

    pub(super) fn ask(&mut self, ip: u64) -> Outputs {
        self.cycle(Inputs { ask: Ask { valid: true, in_tx: false, ip }, ..Inputs::default() })
    }

    /// The delivery of the pending #DB before the instruction at this address.
    pub(super) fn deliver(&mut self, from: u64) -> Outputs {
        let int = Interrupted { valid: true, kind: IntKind::Exception, from, ..Interrupted::default() };
        self.cycle(Inputs { int, db_ack: true, ..Inputs::default() })
    }

    /// Another interruption.
    pub(super) fn interrupt(&mut self, kind: IntKind) -> Outputs {
        let int = Interrupted { valid: true, kind, ..Interrupted::default() };
        self.cycle(Inputs { int, ..Inputs::default() })
    }

    /// A MOV, and its answer.
    pub(super) fn mov(&mut self, op: RegOp, number: u32, wdata: u64) -> Result<u64, RegResult> {
        let reg = RegRequest { valid: true, op, lp: 0, number, wdata };
        let out = self.cycle(Inputs { reg, ..Inputs::default() });
        assert!(out.reg_done, "an answer in the next cycle");
        if out.reg_result == RegResult::Done { Ok(out.reg_rdata) } else { Err(out.reg_result) }
    }

    pub(super) fn write(&mut self, number: u32, wdata: u64) {
        assert_eq!(self.mov(RegOp::WriteDr, number, wdata), Ok(0));
    }

    pub(super) fn read(&mut self, number: u32) -> u64 {
        self.mov(RegOp::ReadDr, number, 0).unwrap()
    }

    /// DR6 without a MOV.
    pub(super) fn dr6(&self) -> u64 {
        Dr6::from(self.unit.state().registers.dr6).into_bits()
    }
}
