//! What the worlds are made of. Data that are only carried differ from one another in every byte that could be mixed up.

use super::alphabet::{Acks, Alphabet, Retire};
use super::memory::{AnyMemory, Block, Timing};
use lwp_model::lwp::{BranchKind, Buffer, Control, CtlOp, Lane, Load, Mode, OpMode};

/// The block of the session.
pub(super) const BLOCK: u64 = 0x0000_12A4_5678_9000;
/// Another block.
pub(super) const OTHER: u64 = 0x0000_3B00_C0DE_4000;
/// The ring.
const RING: u64 = 0x0000_07F1_2233_4400;
/// The ring holds four records, so at most three are in it.
pub(super) const SIZE: u64 = 4 * 32;
/// LWPMSR0 with everything on.
pub(super) const ALL_ON: u64 = 0x8000_000F;

/// User mode.
pub(super) const USER: Mode = Mode { cpl: 3, smm: false, op_mode: OpMode::Long64 };
/// Kernel mode.
pub(super) const KERNEL: Mode = Mode { cpl: 0, ..USER };
/// System Management Mode, entered from user mode.
pub(super) const SMM: Mode = Mode { smm: true, ..USER };

/// An operation.
pub(super) fn op(op: CtlOp, wdata: u64) -> Control {
    Control { valid: true, op, word: 0, wdata, ds_base: 0 }
}

/// Save or restore of a word.
pub(super) fn context(op: CtlOp, word: u8, wdata: u64) -> Control {
    Control { word, ..self::op(op, wdata) }
}

/// No operation, though the port is not empty.
pub(super) fn no_op() -> Control {
    Control { valid: false, ..op(CtlOp::Llwpcb, OTHER) }
}

/// Enables everything and starts the session of [`BLOCK`].
pub(super) fn session() -> Vec<(Mode, Control)> {
    vec![(KERNEL, op(CtlOp::WriteMsr0, ALL_ON)), (USER, op(CtlOp::Llwpcb, BLOCK))]
}

/// The first and the second half of a word.
pub(super) const fn word(low: u64, high: u64) -> u64 {
    high << 32 | low
}

/// Head and each of these tails.
pub(super) fn tails(head: u64, tails: &[u64]) -> Vec<u64> {
    tails.iter().map(|&tail| word(head, tail)).collect()
}

/// A slot that selects an event.
pub(super) fn slot(event: u64, interval: u64, counter: u64) -> u64 {
    word(event << 26 | interval, counter)
}

/// A block with one value for each word, an empty ring and no threshold. `slots` hold the events.
pub(super) fn block(address: u64, slots: [u64; 3]) -> Block {
    let words = [word(0, SIZE), RING, word(0, 0), word(7, 0), word(0, 0), slots[0], slots[1], slots[2]];
    Block { address, words: words.map(|word| vec![word]) }
}

/// Memory with these blocks, at any time, with faults.
pub(super) fn memory(blocks: Vec<Block>) -> AnyMemory {
    AnyMemory { timing: Timing::Any, faults: true, noise: false, blocks }
}

/// An alphabet in which nothing happens but memory.
pub(super) fn quiet(memory: AnyMemory) -> Alphabet {
    Alphabet {
        modes: vec![USER],
        retire: vec![Retire::default()],
        ctl: vec![no_op()],
        buffer: vec![Buffer::default()],
        acks: vec![Acks::default()],
        entropy: vec![0],
        memory,
    }
}

/// Page faults are taken or not.
pub(super) fn pf_acks() -> Vec<Acks> {
    vec![Acks::default(), Acks { pf: true, irq: false }]
}

/// A plain instruction.
pub(super) fn instruction() -> Retire {
    let lane = Lane { valid: true, counts: true, ip: 0x0000_0011_2233_4455, ..Lane::default() };
    Retire { partial: false, lane }
}

/// A conditional branch that was taken and mispredicted.
pub(super) fn branch() -> Retire {
    let lane = Lane {
        ip: 0x0000_0066_7788_99AA,
        branch_kind: BranchKind::Jcc,
        branch_taken: true,
        branch_pred_valid: true,
        branch_next: 0x0000_00BB_CCDD_EEFF,
        ..instruction().lane
    };
    Retire { partial: false, lane }
}

/// A load that missed; the number goes into its data.
pub(super) fn miss(number: u64) -> Load {
    let addr = 0x0000_0A00_1020_3040 + 0x1_0101_0108 * number;
    Load { miss: true, addr_valid: true, tagged: false, addr, latency: 0x123 + number as u32 * 0x11, source: 3 }
}

/// An instruction with these loads.
pub(super) fn loads(loads: [Load; 2]) -> Retire {
    let lane = Lane { ip: 0x0000_00C1_D2E3_F405, loads, ..instruction().lane };
    Retire { partial: false, lane }
}

/// The same in a cycle of its own, before its instruction retires.
pub(super) fn partial(retire: Retire) -> Retire {
    Retire { partial: true, ..retire }
}

/// A lane that is not valid.
pub(super) fn nothing() -> Retire {
    let lane = Lane { valid: false, ..branch().lane };
    Retire { partial: false, lane }
}
