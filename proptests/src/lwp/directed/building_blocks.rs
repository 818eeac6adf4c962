//! The building blocks of the directed runs.

use crate::lwp::scenario::{Block, MemoryBehaviour, Op, Scenario, Sequence, SlotChoice, Step};
use lwp_model::lwp::{BranchKind, Buffer, Config, Inputs, Lane, Load, Mode, OpMode};

/// Returns a run that the system boots: block 0 with these events, each with interval and counter `every`, in a ring of
/// eight entries.
pub(super) fn booted(straps: Config, events: &[u8], every: u32, ops: Vec<Step>) -> Sequence {
    of_block(straps, block(events, every), ops)
}

pub(super) fn of_block(straps: Config, block: Block, steps: Vec<Step>) -> Sequence {
    let memory = MemoryBehaviour { stall: 0, latency: 1, fault: 0 };
    // The core follows each instruction of the run in the cycle in which it is given.
    let scenario = Scenario {
        straps,
        seed: 1,
        memory,
        polite: false,
        boot: true,
        blocks: [block.clone(), block],
        ops: Vec::new(),
    };
    Sequence { scenario, steps }
}

pub(super) fn block(events: &[u8], every: u32) -> Block {
    let slots = events.iter().map(|&id| SlotChoice { id, interval: every, counter: every }).collect();
    Block { size: 256, random: 0, head: 0, tail: 0, missed: 0, threshold: 32, filter: 0, slots }
}

/// Returns the same run with a memory that responds late, after up to `latency` cycles.
pub(super) fn slow(mut sequence: Sequence, latency: u8) -> Sequence {
    sequence.scenario.memory.latency = latency;
    sequence
}

pub(super) fn steps(ops: impl IntoIterator<Item = Op>) -> Vec<Step> {
    ops.into_iter().map(Step::Do).collect()
}

/// Returns one cycle with these instructions.
pub(super) fn group(lanes: &[Lane]) -> Step {
    let mut inputs = Inputs::default();
    inputs.lanes[..lanes.len()].copy_from_slice(lanes);
    Step::Burst(vec![Box::new(inputs)])
}

/// Returns one cycle with loads of an instruction that retires later.
pub(super) fn partial(lane: Lane) -> Step {
    Step::Do(Op::Partial(lane))
}

pub(super) fn idle(cycles: u8) -> Vec<Step> {
    if cycles == 0 { Vec::new() } else { steps([Op::Idle(cycles)]) }
}

pub(super) fn plain(ip: u64) -> Lane {
    Lane { valid: true, counts: true, ip, ..Lane::default() }
}

pub(super) fn branch(ip: u64) -> Lane {
    Lane { branch_kind: BranchKind::Jcc, branch_taken: true, branch_next: ip + 0x40, ..plain(ip) }
}

/// Returns the instruction with a load that misses.
pub(super) fn missing(lane: Lane) -> Lane {
    let mut lane = lane;
    lane.loads[0] = Load { miss: true, addr_valid: true, tagged: false, addr: !lane.ip, latency: 100, source: 3 };
    lane
}

/// Returns the instruction with a load that is replayed.
pub(super) fn tagged(lane: Lane) -> Lane {
    let mut lane = lane;
    lane.loads[0] = Load { miss: false, addr_valid: true, tagged: true, addr: !lane.ip, latency: 7, source: 0 };
    lane
}

/// Returns the data of a load.
pub(super) fn fill() -> Op {
    Op::Buffer(Buffer {
        fill_valid: true,
        fill_ip: 0xF111_0000,
        fill_latency: 200,
        fill_source: 3,
        ..Buffer::default()
    })
}

pub(super) fn kernel() -> Op {
    Op::Enter(Mode { cpl: 0, smm: false, op_mode: OpMode::Long64 })
}

pub(super) fn user() -> Op {
    Op::Enter(Mode { cpl: 3, smm: false, op_mode: OpMode::Long64 })
}

/// Saves or restores a context word, and waits for the result.
pub(super) fn context(restore: bool, word: u8, value: u64) -> [Op; 2] {
    [Op::Context(restore, word, value), Op::Idle(3)]
}
