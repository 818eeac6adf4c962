//! Ports of a unit, made by hand.

use lwp_model::debug::{Ask, Config, DbClass, Inputs, Interrupted, Lane, LaneKind, Outputs};
use lwp_model::retire::{Access, IntKind, RegOp, RegRequest, RegResult, Rep};
use lwp_regs::debug::Slots;
use proptests::debug::reading::Reading;

/// A unit with four lanes.
pub(super) type In = Inputs<4>;

/// A cycle in which nothing is shown.
pub(super) const QUIET: Outputs = Outputs {
    db_valid: false,
    db_class: DbClass::Trap,
    db_b: Slots::empty(),
    db_bd: false,
    db_bs: false,
    db_bt: false,
    cut_valid: false,
    cut_before: false,
    cut_lane: 0,
    hold: false,
    ask_done: false,
    frame_valid: false,
    frame_rf: false,
    reg_ready: true,
    reg_done: false,
    reg_result: RegResult::Done,
    reg_rdata: 0,
};

/// A pending request.
pub(super) fn db(class: DbClass, b: u8) -> Outputs {
    Outputs { db_valid: true, db_class: class, db_b: Slots::from_bits_retain(b), reg_ready: false, ..QUIET }
}

/// The cut of a group, with a request.
pub(super) fn cut(lane: u8, before: bool, request: Outputs) -> Outputs {
    Outputs { cut_valid: true, cut_lane: lane, cut_before: before, ..request }
}

/// Single step.
pub(super) fn bs(request: Outputs) -> Outputs {
    Outputs { db_bs: true, ..request }
}

/// RF that is pushed.
pub(super) fn frame(rf: bool) -> Outputs {
    Outputs { frame_valid: true, frame_rf: rf, ..QUIET }
}

/// A held hit.
pub(super) const HOLD: Outputs = Outputs { hold: true, ..QUIET };

/// An instruction at an address.
pub(super) fn at(ip: u64) -> Lane {
    let mut lane = Lane::default();
    (lane.retired.valid, lane.retired.counts, lane.retired.ip) = (true, true, ip);
    lane
}

/// An instruction of a kind.
pub(super) fn kind(ip: u64, kind: LaneKind) -> Lane {
    let mut lane = at(ip);
    lane.debug.kind = kind;
    lane
}

/// An SS load.
pub(super) fn ss(ip: u64) -> Lane {
    let mut lane = at(ip);
    lane.flags.ss_load = true;
    lane
}

/// IRET that loads RF.
pub(super) fn iret(ip: u64, rf: bool) -> Lane {
    let mut lane = kind(ip, LaneKind::Iret);
    lane.debug.rf_image = rf;
    lane
}

/// The same instruction with TF = 1.
pub(super) fn tf(mut lane: Lane) -> Lane {
    lane.flags.tf = true;
    lane
}

/// The same instruction, inside a transaction.
pub(super) fn tx(mut lane: Lane) -> Lane {
    lane.transaction.in_tx = true;
    lane
}

/// The same instruction as an iteration.
pub(super) fn rep(mut lane: Lane, rep: Rep) -> Lane {
    lane.flags.rep = rep;
    lane
}

/// The same instruction with a load, or a store.
pub(super) fn access(mut lane: Lane, write: bool, addr: u64, size: u8) -> Lane {
    lane.accesses[0] = Access { read: !write, write, addr, size };
    lane
}

/// A cycle with these lanes.
pub(super) fn lanes(shown: &[Lane]) -> In {
    let mut inputs = In::default();
    inputs.lanes[..shown.len()].copy_from_slice(shown);
    inputs
}

/// A question.
pub(super) fn ask(ip: u64) -> In {
    In { ask: Ask { valid: true, in_tx: false, ip }, ..In::default() }
}

/// An interruption.
pub(super) fn int(kind: IntKind, trap: bool) -> In {
    In { int: Interrupted { valid: true, kind, trap, ..Interrupted::default() }, ..In::default() }
}

/// Delivery of #DB.
pub(super) fn deliver(trap: bool, from: u64) -> In {
    let mut inputs = In { db_ack: true, ..int(IntKind::Exception, trap) };
    inputs.int.from = from;
    inputs
}

/// MOV to DR or from DR.
pub(super) fn mov(op: RegOp, number: u32, wdata: u64) -> In {
    In { reg: RegRequest { valid: true, op, lp: 0, number, wdata }, ..In::default() }
}

/// The answer to a request.
pub(super) fn answer(reg_result: RegResult, reg_rdata: u64) -> Outputs {
    Outputs { reg_done: true, reg_result, reg_rdata, ..QUIET }
}

/// A reading that is followed by hand.
#[derive(Debug)]
pub(super) struct Hand {
    reading: Reading<4, 2>,
    /// The outputs of this cycle.
    out: Outputs,
}

impl Hand {
    /// A unit with these straps, after reset.
    pub(super) fn new(straps: Config) -> Self {
        Self { reading: Reading::new(&straps), out: QUIET }
    }

    /// A unit with these straps whose debug registers have these values.
    pub(super) fn with(straps: Config, dr: [u64; 4], dr7: u64) -> Self {
        let mut hand = Self::new(straps);
        for (number, value) in (0..).zip(dr) {
            hand.write(number, value);
        }
        hand.write(7, dr7);
        hand
    }

    /// The unit may answer these inputs by these outputs.
    #[track_caller]
    pub(super) fn right(&mut self, inputs: In, out: Outputs) {
        self.try_out(inputs, out).unwrap();
        self.reading.cycle(true, &inputs, &self.out).unwrap();
        self.out = out;
    }

    /// The unit must not answer these inputs by these outputs.
    #[track_caller]
    pub(super) fn wrong(&self, inputs: In, out: Outputs) {
        assert!(self.try_out(inputs, out).is_err(), "{out:?} is taken for right");
    }

    /// The unit must answer by these outputs, and not by those.
    #[track_caller]
    pub(super) fn only(&mut self, inputs: In, out: Outputs, not: &[Outputs]) {
        for not in not {
            self.wrong(inputs, *not);
        }
        self.right(inputs, out);
    }

    fn try_out(&self, inputs: In, out: Outputs) -> Result<(), String> {
        let mut reading = self.reading.clone();
        reading.cycle(true, &inputs, &self.out)?;
        reading.cycle(true, &In::default(), &out)
    }

    #[track_caller]
    pub(super) fn write(&mut self, number: u32, value: u64) {
        self.right(mov(RegOp::WriteDr, number, value), answer(RegResult::Done, 0));
    }

    /// A debug register must have this value, and not that one.
    #[track_caller]
    pub(super) fn read(&mut self, number: u32, value: u64, not: u64) {
        let read = mov(RegOp::ReadDr, number, 0);
        self.only(read, answer(RegResult::Done, value), &[answer(RegResult::Done, not)]);
    }

    /// Counts something that must have been checked.
    #[track_caller]
    pub(super) fn counted(&self, name: &str) {
        let mut reading = self.reading.clone();
        reading.cycle(true, &In::default(), &self.out).unwrap();
        let list = reading.coverage().list();
        let (_, count) = list.iter().find(|(known, _)| *known == name).unwrap();
        assert!(*count > 0, "{name} is 0");
    }
}
