//! Rows of outputs and probe, read back: what the RTL has shown.

use super::flat::OUT_WORDS;
use lwp_model::lwp::{
    Candidate, ControlRegs, CtlOp, CtlState, EventCounter, Fault, MemCmd, Outputs, PortRegs, Record, Requests, Session,
    State, StoreState,
};
use lwp_regs::lwp::{FilterWord, FlagsWord, LwpMsr0};

/// A row of words under the names of the table.
struct Row<'a>(&'a [u32]);

impl Row<'_> {
    fn bits(&self, word: usize, lsb: u32, width: u32) -> u32 {
        self.0[word] >> lsb & (u32::MAX >> (32 - width))
    }

    fn byte(&self, word: usize, lsb: u32, width: u32) -> u8 {
        self.bits(word, lsb, width) as u8
    }

    fn flag(&self, word: usize, lsb: u32) -> bool {
        self.bits(word, lsb, 1) == 1
    }

    fn long(&self, word: usize) -> u64 {
        u64::from(self.0[word]) | u64::from(self.0[word + 1]) << 32
    }
}

/// Reads the outputs from a row that the RTL has shown.
///
/// # Panics
///
/// If `row` is shorter than the outputs.
#[must_use]
pub fn unpack_outputs(row: &[u32]) -> Outputs {
    let row = Row(row);
    Outputs {
        stall: row.flag(0, 0),
        rsp_valid: row.flag(0, 1),
        rsp_fault: fault(row.bits(0, 2, 2)),
        rsp_fault_write: row.flag(0, 4),
        rsp_rdata: row.long(1),
        rsp_fault_addr: row.long(3),
        mem_req: row.flag(0, 5),
        mem_cmd: command(row.bits(0, 6, 2)),
        mem_be: row.byte(0, 8, 8),
        mem_addr: row.long(5),
        mem_wdata: row.long(7),
        pf_valid: row.flag(0, 16),
        pf_write: row.flag(0, 17),
        pf_addr: row.long(9),
        irq: row.flag(0, 18),
        msr0: row.0[11],
    }
}

/// Reads every register from the probe in a row.
///
/// # Panics
///
/// If `row` is not [`OUT_WORDS`] long.
#[must_use]
pub fn unpack_state(row: &[u32]) -> State {
    assert_eq!(row.len(), OUT_WORDS, "an outputs-and-probe row");
    let row = Row(row);
    State {
        session: session(&row),
        events: core::array::from_fn(|index| EventCounter {
            slot: row.byte(15, 6 + 5 * index as u32, 5),
            interval: row.0[24 + 2 * index],
            counter: row.0[25 + 2 * index],
        }),
        lfsr: row.0[30],
        candidate: Candidate {
            valid: row.flag(15, 21),
            addr_valid: row.flag(15, 22),
            source: row.byte(15, 23, 3),
            latency: row.0[31],
            addr: row.long(32),
        },
        record: Record {
            event: row.byte(15, 26, 2),
            flags: row.byte(15, 28, 4),
            data: row.0[34],
            ip: row.long(35),
            addr: row.long(37),
        },
        store_st: store_state(row.bits(39, 0, 3)),
        store_beat: row.byte(39, 3, 2),
        port: port(&row),
        ctl: control(&row),
        requests: Requests {
            pf_valid: row.flag(40, 3),
            pf_write: row.flag(40, 4),
            pf_addr: row.long(51),
            irq: row.flag(40, 5),
        },
    }
}

fn session(row: &Row<'_>) -> Session {
    Session {
        msr0: LwpMsr0::from_bits(row.0[12].into()),
        lwpcb: row.long(13),
        active: row.flag(15, 0),
        init_pending: row.flag(15, 1),
        flags: FlagsWord::from_bits(row.0[16]),
        base: row.long(17),
        size: row.0[19],
        random: row.byte(15, 2, 4),
        head: row.0[20],
        tail: row.0[21],
        threshold: row.0[22],
        filter: FilterWord::from_bits(row.0[23]),
    }
}

fn port(row: &Row<'_>) -> PortRegs {
    PortRegs {
        req: row.flag(39, 5),
        wait: row.flag(39, 6),
        drop: row.flag(39, 7),
        cmd: command(row.bits(39, 8, 2)),
        be: row.byte(39, 10, 8),
        addr: row.long(41),
        wdata: row.long(43),
    }
}

fn control(row: &Row<'_>) -> ControlRegs {
    ControlRegs {
        st: control_state(row.bits(39, 18, 3)),
        op: operation(row.bits(39, 21, 3)),
        init: row.flag(39, 24),
        ring3: row.flag(39, 25),
        idx: row.byte(39, 26, 5),
        fault: fault(row.bits(40, 0, 2)),
        fault_write: row.flag(40, 2),
        arg: row.long(45),
        rdata: row.long(47),
        fault_addr: row.long(49),
    }
}

const fn fault(code: u32) -> Fault {
    match code {
        0 => Fault::None,
        1 => Fault::InvalidOpcode,
        2 => Fault::GeneralProtection,
        _ => Fault::PageFault,
    }
}

/// Code 3 is not used; it reads as a probe, and a comparison of rows still sees the difference.
const fn command(code: u32) -> MemCmd {
    match code {
        0 => MemCmd::Read,
        1 => MemCmd::Write,
        _ => MemCmd::Probe,
    }
}

const fn store_state(code: u32) -> StoreState {
    match code {
        0 => StoreState::Idle,
        1 => StoreState::Write,
        2 => StoreState::Tail,
        3 => StoreState::Head,
        4 => StoreState::MissRead,
        5 => StoreState::MissWrite,
        6 => StoreState::Report,
        _ => StoreState::Reset,
    }
}

/// Code 7 is not used; it reads as done, and a comparison of rows still sees the difference.
const fn control_state(code: u32) -> CtlState {
    match code {
        0 => CtlState::Idle,
        1 => CtlState::Wait,
        2 => CtlState::Probe,
        3 => CtlState::Flush,
        4 => CtlState::Load,
        5 => CtlState::Flags,
        _ => CtlState::Done,
    }
}

const fn operation(code: u32) -> CtlOp {
    match code {
        0 => CtlOp::Llwpcb,
        1 => CtlOp::Slwpcb,
        2 => CtlOp::ReadMsr0,
        3 => CtlOp::WriteMsr0,
        4 => CtlOp::ReadMsr1,
        5 => CtlOp::WriteMsr1,
        6 => CtlOp::Reserved6,
        _ => CtlOp::Reserved7,
    }
}
