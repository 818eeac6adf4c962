//! A core that executes a program, one instruction after the other: it asks before each, keeps to the page `docs/src/debug/ports.md`, and
//! pushes the frames. The unit alone decides when #DB comes.

use super::bench::{Bench, at, ss_load};
use lwp_model::debug::{Ask, DbClass, Inputs, Interrupted, Lane, LaneKind, Special};
use lwp_model::retire::{Access, Branch, BranchKind, Flags, IntKind, Io, RegOp, RegRequest, RegResult, Transaction};
use lwp_regs::debug::{BREAKPOINT_VECTOR, DEBUG_VECTOR};
use std::collections::BTreeMap;

pub(super) const PAGE_FAULT: u8 = 14;
pub(super) const EXTERNAL: u8 = 0x20;

/// What an instruction does. Each is four bytes long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Does {
    Nothing,
    Load(u64),
    Store(u64, u64),
    In(u16),
    Out(u16),
    /// Loads SS from this address.
    LoadSs(u64),
    /// Sets or clears TF.
    Popf(bool),
    Jump(u64),
    /// Calls through a gate to level 0.
    CallGate(u64),
    Int(u8),
    Int1,
    /// Switches to a task that begins at `ip`.
    Switch {
        ip: u64,
        t_flag: bool,
        tf: bool,
        rf: bool,
    },
    /// Reads a debug register.
    ReadDr(u32),
    /// Writes a debug register.
    WriteDr(u32, u64),
    /// Raises #PF.
    Faults,
    /// Begins a transaction with this fallback address.
    Begin(u64),
    End,
}

/// What the core pushes; through a task gate the image that it leaves in the old task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) vector: u8,
    pub(super) ip: u64,
    pub(super) tf: bool,
    pub(super) rf: bool,
    pub(super) cpl: u8,
}

/// How a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    Executed,
    Delivered(u8),
    Aborted,
}

/// A transaction: where it began, where it goes on after an abort, and what it has written.
#[derive(Clone, Debug)]
struct Region {
    begin: u64,
    fallback: u64,
    tf: bool,
    writes: BTreeMap<u64, u64>,
}

#[derive(Debug)]
pub(super) struct Core {
    pub(super) bench: Bench,
    pub(super) program: BTreeMap<u64, Does>,
    pub(super) ip: u64,
    pub(super) tf: bool,
    pub(super) eax: u64,
    /// What other processors see.
    pub(super) memory: BTreeMap<u64, u64>,
    pub(super) stack: Vec<Frame>,
    /// An external interrupt is pending.
    pub(super) interrupt: bool,
    /// An external interrupt becomes pending while the instruction at this address is executed.
    pub(super) arrives: Option<u64>,
    /// The debugger is a task, with this T.
    pub(super) debug_task: Option<bool>,
    region: Option<Region>,
    behind_ss: bool,
}

impl Core {
    /// Executes these instructions from 1000H on.
    pub(super) fn new(bench: Bench, program: &[Does]) -> Self {
        let program = (0..).map(|n| 0x1000 + 4 * n).zip(program.iter().copied()).collect();
        let (memory, stack) = (BTreeMap::new(), Vec::new());
        let (region, debug_task) = (None, None);
        Self {
            bench,
            program,
            ip: 0x1000,
            tf: false,
            eax: 0,
            memory,
            stack,
            interrupt: false,
            arrives: None,
            debug_task,
            region,
            behind_ss: false,
        }
    }

    /// The first instruction of a handler.
    pub(super) fn handler(vector: u8) -> u64 {
        0x10_0000 * u64::from(vector)
    }

    /// Steps until something other than an instruction, which has to come.
    pub(super) fn run(&mut self) -> Ended {
        for _ in 0..100 {
            match self.step() {
                Ended::Executed => {}
                ended => return ended,
            }
        }
        panic!("nothing was delivered, now at {:x}", self.ip);
    }

    /// Executes one instruction, or delivers what comes before it; then delivers the trap behind it.
    pub(super) fn step(&mut self) -> Ended {
        // Interrupts are taken first, but not behind an SS load.
        if self.interrupt && !self.behind_ss && !self.bench.out().hold {
            self.interrupt = false;
            return self.interruption(EXTERNAL, IntKind::Interrupt, self.ip);
        }
        let ask = Ask { valid: true, in_tx: self.region.is_some(), ip: self.ip };
        let out = self.bench.cycle(Inputs { ask, ..Inputs::default() });
        assert!(out.ask_done);
        if out.db_valid {
            return self.deliver();
        }
        let does = self.program.get(&self.ip).copied().unwrap_or(Does::Nothing);
        match does {
            Does::Faults => return self.interruption(PAGE_FAULT, IntKind::Exception, self.ip),
            Does::ReadDr(number) if self.mov(RegOp::ReadDr, number, 0) => return self.deliver(),
            Does::WriteDr(number, value) if self.mov(RegOp::WriteDr, number, value) => return self.deliver(),
            _ => {}
        }
        let (lane, io) = self.shows(does);
        let mut inputs = Inputs { io, ..Inputs::default() };
        inputs.lanes[0] = lane;
        let out = self.bench.cycle(inputs);
        if !out.cut_before {
            self.interrupt |= self.arrives == Some(self.ip);
            self.execute(does);
            self.behind_ss = lane.flags.ss_load;
        }
        // What is pending now, #DB and interrupt alike, is between two instructions: #DB is delivered first.
        if out.db_valid { self.deliver() } else { Ended::Executed }
    }

    /// A MOV from or to a debug register: whether it is refused by general detect.
    fn mov(&mut self, op: RegOp, number: u32, wdata: u64) -> bool {
        let ask = Ask { in_tx: self.region.is_some(), ..Ask::default() };
        let reg = RegRequest { valid: true, op, lp: 0, number, wdata };
        self.bench.cycle(Inputs { ask, reg, ..Inputs::default() }).reg_result == RegResult::Debug
    }

    /// How an instruction retires.
    fn shows(&self, does: Does) -> (Lane, Io) {
        let mut lane = at(self.ip);
        lane.flags = Flags { tf: self.tf, ..Flags::default() };
        lane.transaction = Transaction { in_tx: self.region.is_some() && does != Does::End, tx_abort: false };
        let jump = |kind| Branch { kind, taken: true, ..Branch::default() };
        let access = |write: bool, addr| Access { read: !write, write, addr, size: 4 };
        match does {
            Does::Load(addr) => lane.accesses[0] = access(false, addr),
            Does::Store(addr, _) => lane.accesses[0] = access(true, addr),
            Does::LoadSs(addr) => {
                lane = ss_load(lane);
                lane.accesses[0] = access(false, addr);
            }
            Does::Jump(_) => lane.branch = jump(BranchKind::JmpRel),
            Does::CallGate(_) => lane.branch = jump(BranchKind::System),
            Does::Int(vector) => {
                lane.branch = jump(BranchKind::System);
                lane.debug.kind = if vector == BREAKPOINT_VECTOR { LaneKind::Int3 } else { LaneKind::IntN };
            }
            Does::Int1 => lane.debug.kind = LaneKind::Int1,
            Does::Switch { t_flag, rf, .. } => {
                lane.branch = jump(BranchKind::System);
                lane.debug = Special { kind: LaneKind::TaskSwitch, rf_image: rf, t_flag };
            }
            _ => {}
        }
        let io = match does {
            Does::In(port) | Does::Out(port) => Io { valid: true, write: matches!(does, Does::Out(_)), port, size: 1 },
            _ => Io::default(),
        };
        (lane, io)
    }

    fn execute(&mut self, does: Does) {
        let own = self.ip;
        self.ip += 4;
        match does {
            Does::Store(addr, value) => {
                self.region.as_mut().map_or(&mut self.memory, |region| &mut region.writes).insert(addr, value);
            }
            Does::Popf(tf) => self.tf = tf,
            Does::Jump(to) => self.ip = to,
            Does::CallGate(to) => {
                self.ip = to;
                self.bench.stays.mode.cpl = 0;
            }
            // The transfer pushes its frame with RF as it is once the instruction has retired, and clears TF.
            Does::Int(vector) => {
                let rf = self.bench.unit.state().flags.rf;
                self.enter(vector, self.ip, rf);
            }
            Does::Switch { ip, tf, .. } => (self.ip, self.tf) = (ip, tf),
            Does::Begin(fallback) => {
                self.region = Some(Region { begin: own, fallback, tf: self.tf, writes: BTreeMap::new() });
            }
            Does::End => self.memory.extend(self.region.take().expect("a region").writes),
            _ => {}
        }
    }

    /// An exception or interrupt other than #DB.
    fn interruption(&mut self, vector: u8, kind: IntKind, from: u64) -> Ended {
        let int = Interrupted { valid: true, kind, from, ..Interrupted::default() };
        self.noted(vector, Inputs { int, ..Inputs::default() })
    }

    /// What the unit raises. Its first cycle is that of the acknowledgement.
    fn deliver(&mut self) -> Ended {
        let class = self.bench.out().db_class;
        if matches!(class, DbClass::Abort | DbClass::Rollback) {
            let region = self.region.take().expect("a region");
            (self.ip, self.tf) = (region.begin, region.tf);
            if class == DbClass::Abort {
                self.bench.cycle(Inputs { db_ack: true, ..Inputs::default() });
                (self.ip, self.eax) = (region.fallback, self.eax | 1 << 4);
                let transaction = Transaction { in_tx: false, tx_abort: true };
                self.bench.group(&[Lane { transaction, ..at(self.ip) }]);
                return Ended::Aborted;
            }
        }
        let mut int = Interrupted { valid: true, kind: IntKind::Exception, from: self.ip, ..Interrupted::default() };
        (int.trap, int.task, int.t) =
            (class == DbClass::Trap, self.debug_task.is_some(), self.debug_task.unwrap_or_default());
        self.noted(DEBUG_VECTOR, Inputs { int, db_ack: true, ..Inputs::default() })
    }

    /// Shows an interruption and pushes its frame.
    fn noted(&mut self, vector: u8, inputs: Inputs<4>) -> Ended {
        self.behind_ss = false;
        let out = self.bench.cycle(inputs);
        assert!(out.frame_valid, "a frame for {vector}");
        self.enter(vector, inputs.int.from, out.frame_rf);
        Ended::Delivered(vector)
    }

    fn enter(&mut self, vector: u8, ip: u64, rf: bool) {
        let cpl = self.bench.stays.mode.cpl;
        self.stack.push(Frame { vector, ip, tf: self.tf, rf, cpl });
        (self.ip, self.tf, self.bench.stays.mode.cpl) = (Self::handler(vector), false, 0);
    }

    /// Returns from the handler, and whether a #DB was delivered behind the IRET.
    pub(super) fn iret(&mut self) -> Ended {
        let frame = self.stack.pop().expect("a frame");
        let mut lane = at(self.ip);
        lane.flags.tf = self.tf;
        lane.debug = Special { kind: LaneKind::Iret, rf_image: frame.rf, t_flag: false };
        let out = self.bench.group(&[lane]);
        (self.ip, self.tf, self.bench.stays.mode.cpl) = (frame.ip, frame.tf, frame.cpl);
        if out.db_valid { self.deliver() } else { Ended::Executed }
    }

    /// The youngest frame.
    pub(super) fn frame(&self) -> Frame {
        *self.stack.last().expect("a frame")
    }

    /// DR6 as the handler finds it, which clears it.
    pub(super) fn status(&mut self) -> u64 {
        let status = self.bench.read(6);
        self.bench.write(6, 0xFFFF_0FF0);
        status
    }
}
