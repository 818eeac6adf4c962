//! Wide starts: registers that begin just below a power of two, at any power, so that counts and sums cross every
//! carry, or at any value.
//!
//! A case has such a start, or is unchanged. Ring, block and intervals come from the block that is loaded. State that
//! only time would produce (MissedEvents that memory lacks, a counter in progress, the LFSR) is restored through the
//! context port. Block and ring may lie at an edge of the address space.

use super::block::Block;
use super::op::{Argument, Op};
use crate::lwp::bench::BLOCKS;
use lwp_model::lwp::{
    BranchKind, Config, CtlOp, FaultPolicy, LOAD_PORTS, Lane, LeavePolicy, Load, Mode, OpMode, Prediction,
};
use proptest::prelude::*;

const RECORD: u32 = 32;
/// The bit of word 1 of a context that indicates a pending record.
const PENDING: u64 = 1 << 33;
/// The largest ring, in bytes: 28 bits of size, the low five 0.
pub const LARGEST_RING: u32 = 0x0FFF_FFE0;

/// Generates a number of `bits` bits at an edge: 2^n - 1 for any n, or a number near it. One in four is not at an edge:
/// any number of n bits.
pub(super) fn edge(bits: u32) -> BoxedStrategy<u64> {
    let beside = prop_oneof![4 => Just(-1_i64), 2 => Just(0_i64), 1 => -3_i64..4];
    let at_edge = (0..=bits, beside).prop_map(move |(power, beside)| {
        let edge = 1_u128 << power;
        edge.wrapping_add_signed(beside.into()) as u64 & (u64::MAX >> (64 - bits))
    });
    let anywhere = (0..bits, any::<u64>()).prop_map(|(power, value)| 1 << power | value & ((1 << power) - 1));
    prop_oneof![3 => at_edge, 1 => anywhere].boxed()
}

/// The space of a ring that is used when it starts.
#[derive(Clone, Copy, Debug)]
enum Used {
    /// A number of records.
    Records(u32),
    /// All but a number of records.
    AllBut(u32),
    /// A number of bytes.
    Bytes(u32),
}

/// A ring of any size, its head below a power of two or at the end.
#[derive(Clone, Copy, Debug)]
struct Ring {
    size: u32,
    head: Option<u32>,
    used: Used,
    /// The number of records from the space used to the threshold, a power of two that is added, and a threshold that
    /// replaces them.
    threshold: (u32, u32, Option<u32>),
}

fn ring() -> BoxedStrategy<Ring> {
    let beside = prop_oneof![3 => Just(0_i32), 1 => Just(1), 1 => Just(-1), 1 => 2_i32..9];
    let power = (7_u32..=28, beside).prop_map(|(power, beside)| {
        let size = (1_i64 << power) + i64::from(beside) * i64::from(RECORD);
        size.min(LARGEST_RING.into()) as u32
    });
    let size = prop_oneof![3 => power, 1 => Just(LARGEST_RING)];
    let head = prop_oneof![3 => (5_u32..28).prop_map(|power| Some((1 << power) - RECORD)), 1 => Just(None)];
    let used = prop_oneof![
        2 => (0_u32..3).prop_map(Used::Records),
        4 => (1_u32..3).prop_map(Used::AllBut),
        2 => edge(28).prop_map(|bytes| Used::Bytes(bytes as u32)),
    ];
    let above = prop_oneof![5 => Just(0_u32), 1 => (28_u32..32).prop_map(|power| 1 << power)];
    let alone = prop_oneof![4 => Just(None), 1 => edge(32).prop_map(|threshold| Some(threshold as u32))];
    (size, head, used, (0_u32..4, above, alone))
        .prop_map(|(size, head, used, threshold)| Ring { size, head, used, threshold })
        .boxed()
}

impl Ring {
    fn apply(&self, block: &mut Block) {
        let size = self.size;
        block.size = size;
        block.head = self.head.filter(|head| *head < size).unwrap_or(size - RECORD);
        let used = match self.used {
            Used::Records(records) => records * RECORD,
            Used::AllBut(records) => size - records * RECORD,
            Used::Bytes(bytes) => (bytes % size) & !(RECORD - 1),
        };
        block.tail = (block.head + size - used) % size;
        let (records, above, alone) = self.threshold;
        block.threshold = alone.unwrap_or_else(|| (used + records * RECORD).wrapping_add(above));
    }
}

/// The wide values that a block is given.
#[derive(Clone, Debug)]
struct WideBlock {
    ring: Option<Ring>,
    missed: u64,
    /// For each slot: the interval, and the counter if it is wide, too.
    slots: Vec<Option<(u32, Option<u32>)>>,
}

fn wide_block() -> BoxedStrategy<WideBlock> {
    let small = || prop_oneof![2 => Just(None), 3 => edge(26).prop_map(|counter| Some(counter as u32))];
    let slot = prop::option::weighted(0.5, (edge(26).prop_map(|interval| interval as u32), small()));
    (prop::option::weighted(0.8, ring()), edge(64), prop::collection::vec(slot, 5))
        .prop_map(|(ring, missed, slots)| WideBlock { ring, missed, slots })
        .boxed()
}

impl WideBlock {
    fn apply(&self, block: &mut Block) {
        if let Some(ring) = &self.ring {
            ring.apply(block);
        }
        block.missed = self.missed;
        for (slot, wide) in block.slots.iter_mut().zip(&self.slots) {
            let Some((interval, counter)) = *wide else { continue };
            slot.interval = interval;
            slot.counter = counter.unwrap_or(slot.counter & 3);
        }
    }
}

/// Context words that are restored into the session of block 0; word 8 only if `core` has it.
#[derive(Clone, Debug)]
struct Restored {
    words: [u64; 8],
    core: Option<u64>,
    lfsr: u64,
}

fn restored() -> BoxedStrategy<Restored> {
    let counter =
        || prop_oneof![2 => 0_u64..4, 3 => (edge(26), 0_u64..4).prop_map(|(edge, more)| (edge + more) & 0x03FF_FFFF)];
    let missed = prop_oneof![1 => Just(0_u64), 3 => edge(16), 1 => 0xFFFC_u64..0x1_0000];
    let record =
        (prop::bool::weighted(0.3), 1_u64..4, edge(31), any::<u8>()).prop_map(|(there, event, data, flags)| {
            if there { data << 32 | u64::from(flags) << 28 & 0xF000_0000 | event } else { 0 }
        });
    let core =
        (edge(8), prop::bool::weighted(0.2)).prop_map(|(count, irq)| 0x8000_000F | u64::from(irq) << 32 | count << 40);
    let counters = [counter(), counter(), counter()];
    let thread = (missed, prop::bool::weighted(0.2), counters, 0_u64..64, record, [edge(64), edge(64)]);
    (thread, prop::option::weighted(0.3, core), edge(32))
        .prop_map(|((missed, pending, [one, two, three], rest, first, [ip, addr]), core, lfsr)| {
            let session = missed << 48 | if pending { PENDING } else { 0 } | 1 << 32;
            let words = [BLOCKS[0], session, two << 32 | one, rest << 32 | three, first, ip, addr, 0];
            Restored { words, core, lfsr }
        })
        .boxed()
}

impl Restored {
    /// Returns the operations with which the kernel restores the words and returns to the program. The head is that of
    /// the block.
    fn ops(&self, head: u32) -> Vec<Op> {
        let mut ops = vec![mode(0), Op::Idle(3)];
        let core = self.core.map(|word| (8, word));
        let words = (0..8_u8).rev().map(|word| (word, self.words[usize::from(word)]));
        for (word, value) in core.into_iter().chain([(9, self.lfsr)]).chain(words) {
            let value = if word == 1 { value | u64::from(head) } else { value };
            // A core that breaks the rules of the ports would not wait.
            ops.extend([Op::Context(true, word, value), Op::Idle(3)]);
        }
        ops.extend([mode(3), Op::Idle(60)]);
        // A ring that is nearly full is full after two records, and the third is missed.
        ops.extend((0..3).flat_map(|_| [Op::Retire(vec![everything(); 2]), Op::Idle(60)]));
        ops
    }
}

/// Returns an instruction with an occurrence of each event.
fn everything() -> Lane {
    let mut lane = Lane { valid: true, counts: true, branch_kind: BranchKind::Jcc, ..Lane::default() };
    lane.loads[0] = Load { miss: true, addr_valid: true, source: 3, ..Load::default() };
    lane
}

fn mode(cpl: u8) -> Op {
    Op::Enter(Mode { cpl, smm: false, op_mode: OpMode::Long64 })
}

/// The addresses of the blocks and of the ring. None is within 2^28 bytes of another one.
#[derive(Clone, Copy, Debug)]
struct Places {
    blocks: [u64; 2],
    ring: u64,
}

fn places() -> BoxedStrategy<Places> {
    // Blocks and ring have different powers: blocks have odd ones, the ring has even ones.
    let block = || (17_u32..32, 0_u64..10).prop_map(|(half, back)| (1 << (2 * half + 1)) - 16 * back);
    let second = (0_u64..10).prop_map(|back| 0xFFFF_8000_0000_0000 - 16 * back);
    let ring = (16_u32..=32, prop_oneof![1 => Just(RECORD), 3 => (5_u32..28).prop_map(|power| 1 << power)])
        .prop_map(|(half, back)| ((1_u128 << (2 * half)) - u128::from(back)) as u64);
    let top =
        (prop::bool::weighted(0.2), 0_u64..10).prop_map(|(top, back)| top.then_some(0_u64.wrapping_sub(16 * back)));
    (block(), second, ring, top)
        .prop_map(|(block, second, ring, top)| match top {
            // A block that begins at the very end of the address space continues at address 0.
            Some(top) => Places { blocks: [top, second], ring: 1 << 40 },
            None => Places { blocks: [block, second], ring },
        })
        .boxed()
}

impl Places {
    /// Returns the operations that move blocks and ring to these addresses and begin the session again.
    fn ops(&self) -> Vec<Op> {
        let [first, second] = self.blocks;
        let place = |at, place| Op::Place(at, place);
        let begin = Op::Control(CtlOp::Llwpcb, Argument::Block(0), 0);
        vec![place(2, self.ring), place(0, first), place(1, second), mode(3), Op::Idle(2), begin, Op::Idle(80)]
    }
}

/// A wide start.
#[derive(Clone, Debug)]
pub(super) struct Wide {
    blocks: [WideBlock; 2],
    restored: Option<Restored>,
    places: Option<Places>,
    /// The number of bits by which latencies are wider.
    latency: u32,
}

/// Generates a wide start in one case of four.
pub(super) fn wide() -> BoxedStrategy<Option<Wide>> {
    let latency = prop_oneof![1 => Just(0_u32), 2 => 0_u32..25];
    let parts = (
        [wide_block(), wide_block()],
        prop::option::weighted(0.6, restored()),
        prop::option::weighted(0.5, places()),
        latency,
    );
    prop::option::weighted(
        0.25,
        parts.prop_map(|(blocks, restored, places, latency)| Wide { blocks, restored, places, latency }),
    )
    .boxed()
}

impl Wide {
    /// Returns the wide start with words that a unit with these straps could have saved. Other words are for lockstep
    /// only, because the text does not define their effect.
    pub(super) fn saved_with(mut self, straps: &Config) -> Self {
        if let Some(restored) = &mut self.restored {
            let tail_skip = restored.words[3] >> 32 & 15;
            restored.words[3] = restored.words[3] & !(15 << 32) | (tail_skip % u64::from(straps.tail_nth)) << 32;
            restored.words[4] = match restored.words[4] & 3 {
                1 => 1,
                // A branch is taken, and predicted if all are; its latency is 0.
                2 => 2 | 0x8000_0000 | u64::from(straps.prediction == Prediction::All) << 29,
                // A miss has a latency alone.
                3 => restored.words[4] & !0xF000_0000,
                other => other,
            };
            if restored.words[4] & 3 != 2 {
                restored.words[6] = 0;
            }
            // A record waits outside ring 3 if all records do, or if its page was not present.
            let there = restored.words[4] & 3 != 0;
            let pending = there && straps.fault_policy == FaultPolicy::TrapPending && restored.words[1] & PENDING != 0;
            if !pending {
                restored.words[1] &= !PENDING;
            }
            if !pending && straps.leave_policy != LeavePolicy::Hold {
                restored.words[4..7].fill(0);
            }
            if let Some(core) = &mut restored.core {
                let count = *core >> 40 & 0xFF;
                *core = *core & !(0xFF << 40) | (count % (u64::from(straps.irq_delay) + 1)) << 40;
            }
        }
        self
    }

    pub(super) fn apply_blocks(&self, blocks: &mut [Block; 2]) {
        for (block, wide) in blocks.iter_mut().zip(&self.blocks) {
            wide.apply(block);
        }
    }

    /// Returns the operations that come before all others.
    pub(super) fn prefix(&self, blocks: &[Block; 2]) -> Vec<Op> {
        let places = self.places.iter().flat_map(Places::ops);
        places.chain(self.restored.iter().flat_map(|restored| restored.ops(blocks[0].head))).collect()
    }

    pub(super) fn widen(&self, op: &mut Op) {
        match op {
            Op::Retire(lanes) => lanes.iter_mut().for_each(|lane| self.widen_lane(lane)),
            Op::Partial(lane) | Op::Miss(lane, ..) => self.widen_lane(lane),
            Op::Buffer(buffer) => buffer.fill_latency = self.latency(buffer.fill_latency),
            _ => {}
        }
    }

    pub(super) fn widen_lane(&self, lane: &mut Lane) {
        for load in &mut lane.loads[..LOAD_PORTS] {
            load.latency = self.latency(load.latency);
        }
    }

    /// Returns the widened latency. Its low three bits stay: if the unit measures latencies, they are the number of an
    /// entry.
    pub(super) fn latency(&self, latency: u32) -> u32 {
        if self.latency == 0 {
            return latency;
        }
        let wide = ((u64::from(latency >> 3) + 1) << (3 + self.latency)) - 8;
        wide.min(0x7FFF_FFF0) as u32 & !7 | latency & 7
    }
}
