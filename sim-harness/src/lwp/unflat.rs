//! Rows, read back: what the RTL has shown, what it was given.

pub use super::flat::unpack_inputs;

use super::flat::{self, OUT_WORDS};
use lwp_model::lwp::{
    Candidate, Config, ControlRegs, CtlOp, CtlState, EventCounter, Fault, Mab, MabEntry, MemCmd, Outputs, PortRegs,
    Record, Requests, RetireRegs, Session, State, StoreState, Tag, Undo,
};
use lwp_regs::lwp::{FilterWord, FlagsWord, LwpMsr0};

/// Reads the straps from their words.
///
/// # Errors
/// In words: a choice that does not exist, bits that have no name, or a combination that no hardware may have.
pub fn unpack_straps(words: &[u32]) -> Result<Config, String> {
    flat::unpack_straps(words).map_err(|error| error.to_string())
}

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
        cut_valid: row.flag(0, 23),
        cut_lane: row.byte(0, 24, 3),
        drain: row.flag(0, 20),
        flush_req: row.flag(0, 21),
        addr_track: row.flag(0, 22),
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
        pf_abort: row.flag(0, 19),
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
            slot: row.byte(15, 7 + 5 * index as u32, 5),
            interval: row.0[24 + 2 * index],
            counter: row.0[25 + 2 * index],
        }),
        lfsr: row.0[30],
        rotate: row.byte(15, 27, 2),
        candidate: Candidate {
            valid: row.flag(15, 22),
            addr_valid: row.flag(15, 23),
            source: row.byte(15, 24, 3),
            latency: row.0[31],
            addr: row.long(32),
        },
        tag: Tag { valid: row.flag(38, 18), source: row.byte(38, 19, 3), latency: row.0[54], ip: row.long(55) },
        undo: Undo {
            split: row.flag(15, 30),
            valid: row.flag(15, 31),
            counters: core::array::from_fn(|index| row.0[35 + index]),
        },
        records: core::array::from_fn(|index| record(&row, index)),
        pending: row.flag(15, 29),
        store_st: store_state(row.bits(65, 0, 4)),
        store_beat: row.byte(65, 4, 2),
        port: port(&row),
        ctl: control(&row),
        requests: requests(&row),
        retire: RetireRegs {
            was_ring3: row.flag(34, 24),
            flush_req: row.flag(34, 25),
            cut_valid: row.flag(34, 26),
            cut_lane: row.byte(34, 27, 3),
        },
        mab: Mab {
            phase: row.byte(38, 22, 4),
            entries: core::array::from_fn(|index| MabEntry {
                counting: row.flag(57 + index, 31),
                latency: row.bits(57 + index, 0, 31),
            }),
        },
    }
}

fn record(row: &Row<'_>, index: usize) -> Record {
    Record {
        event: row.byte(38, 6 * index as u32, 2),
        flags: row.byte(38, 6 * index as u32 + 2, 4),
        data: row.0[39 + 5 * index],
        ip: row.long(40 + 5 * index),
        addr: row.long(42 + 5 * index),
    }
}

fn session(row: &Row<'_>) -> Session {
    Session {
        msr0: LwpMsr0::from_bits(row.0[12].into()),
        lwpcb: row.long(13),
        active: row.flag(15, 0),
        init_pending: row.flag(15, 1),
        reload: row.flag(15, 2),
        flags: FlagsWord::from_bits(row.0[16]),
        base: row.long(17),
        size: row.0[19],
        random: row.byte(15, 3, 4),
        head: row.0[20],
        tail: row.0[21],
        threshold: row.0[22],
        filter: FilterWord::from_bits(row.bits(23, 0, 14)),
        missed: row.bits(34, 0, 16) as u16,
        tail_skip: row.byte(23, 16, 4),
    }
}

fn port(row: &Row<'_>) -> PortRegs {
    PortRegs {
        req: row.flag(65, 6),
        wait: row.flag(65, 7),
        drop: row.flag(65, 8),
        cmd: command(row.bits(65, 9, 2)),
        be: row.byte(65, 11, 8),
        addr: row.long(67),
        wdata: row.long(69),
    }
}

fn control(row: &Row<'_>) -> ControlRegs {
    ControlRegs {
        st: control_state(row.bits(65, 19, 3)),
        op: CtlOp::ALL[row.bits(65, 22, 4) as usize],
        init: row.flag(65, 26),
        ring3: row.flag(65, 27),
        idx: row.byte(66, 0, 5),
        allow: row.byte(66, 12, 3),
        old: row.flag(66, 15),
        fault: fault(row.bits(66, 5, 2)),
        fault_write: row.flag(66, 7),
        arg: row.long(71),
        rdata: row.long(73),
        fault_addr: row.long(75),
    }
}

fn requests(row: &Row<'_>) -> Requests {
    Requests {
        pf_valid: row.flag(66, 8),
        pf_write: row.flag(66, 9),
        pf_abort: row.flag(66, 10),
        pf_addr: row.long(77),
        irq: row.flag(66, 11),
        irq_count: row.byte(34, 16, 8),
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

/// Codes above 9 are not used; they read as idle, and a comparison of rows still sees the difference.
const fn store_state(code: u32) -> StoreState {
    match code {
        1 => StoreState::Interval,
        2 => StoreState::Write,
        3 => StoreState::Tail,
        4 => StoreState::Head,
        5 => StoreState::FullHead,
        6 => StoreState::Report,
        7 => StoreState::Reset,
        8 => StoreState::MissRead,
        9 => StoreState::MissWrite,
        _ => StoreState::Idle,
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
