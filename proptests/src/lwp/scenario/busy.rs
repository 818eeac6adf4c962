//! Sessions that are always busy, each under straps that make a rare situation common: several records at a time,
//! records that outlive ring 3, filters, replay, instructions that are undone.

use super::bias::{Bias, MemoryBias, OpKind};
use super::block::{Block, SlotChoice, block};
use super::straps::FACTORS;
use super::whole::{Scenario, narrow_scenario_with};
use super::wide::wide;
use lwp_model::lwp::{AddressPolicy, Collision, FaultPolicy, GatherPolicy, LeavePolicy, StoreTiming};
use proptest::prelude::*;

/// A kind of operation and the factor of its weight.
type More = (OpKind, u32);

/// Straps, by name, with the operations and the memory that go with them.
type Profile = (&'static [(&'static str, usize)], &'static [More], Option<MemoryBias>);

const PROFILES: &[Profile] = &[
    (
        &[
            ("gather_policy", GatherPolicy::All as usize),
            ("collision", Collision::Delay as usize),
            ("one_per_instr", 0),
        ],
        &[(OpKind::Retire, 3)],
        Some(MemoryBias::Slow),
    ),
    (
        &[("leave_policy", LeavePolicy::Hold as usize)],
        &[(OpKind::Switch, 6), (OpKind::Smm, 6), (OpKind::Excursion, 3), (OpKind::Context, 3)],
        Some(MemoryBias::Slow),
    ),
    (&[("latency_filter", 1), ("level_filter", 1)], &[(OpKind::Retire, 3), (OpKind::Rewrite, 4)], None),
    (&[("address_policy", AddressPolicy::SameLoad as usize)], &[(OpKind::Partial, 8)], None),
    (&[("avail_int", 0)], &[(OpKind::Control, 4), (OpKind::Excursion, 5), (OpKind::Enter, 3)], Some(MemoryBias::Slow)),
    (&[("irq_delay", 2)], &[(OpKind::Smm, 12), (OpKind::Retire, 3)], None),
    (
        &[("address_policy", AddressPolicy::Replay as usize)],
        &[(OpKind::Miss, 5), (OpKind::Partial, 3), (OpKind::Buffer, 3)],
        None,
    ),
    (
        &[("store_timing", StoreTiming::Sync as usize), ("fault_policy", FaultPolicy::Fault as usize)],
        &[(OpKind::Partial, 5), (OpKind::PageOut, 4), (OpKind::PageIn, 4)],
        Some(MemoryBias::Faulty),
    ),
    (
        &[("fault_policy", FaultPolicy::TrapPending as usize)],
        &[(OpKind::Switch, 4), (OpKind::Excursion, 3), (OpKind::PageOut, 4), (OpKind::PageIn, 4)],
        Some(MemoryBias::SlowAndFaulty),
    ),
];

fn bias(profile: usize) -> Bias {
    let (straps, more, memory) = PROFILES[profile];
    let factor = |name: &str| FACTORS.iter().position(|factor| factor.name == name).expect("a strap of this name");
    let straps = straps.iter().map(|(name, level)| (factor(name), *level)).collect();
    let mut bias = Bias { straps, memory, ..Bias::default() };
    more.iter().for_each(|(kind, times)| bias.more(*kind, *times));
    bias
}

/// Generates blocks with all three events in any order and small counters.
pub(super) fn busy_block() -> BoxedStrategy<Block> {
    let slot = || (0_u32..7, 0_u32..5);
    let slots = (Just([1_u8, 2, 3]).prop_shuffle(), [slot(), slot(), slot()]);
    // Each filter is enabled in half of the blocks.
    let filter = (any::<u32>(), any::<u32>()).prop_map(|(one, other)| one & (other | 0xFFFF_FF00));
    (block(), slots, filter, 2_u32..9)
        .prop_map(|(drawn, (ids, counts), filter, places)| {
            let slot = |(id, (interval, counter))| SlotChoice { id, interval, counter };
            let (size, head) = (32 * places, drawn.head / 32 % places * 32);
            let slots = ids.into_iter().zip(counts).map(slot).collect();
            Block { size, head, tail: head, filter, slots, ..drawn }
        })
        .boxed()
}

/// Generates scenarios of up to `length` operations, of all profiles.
pub fn busy(length: usize) -> BoxedStrategy<Scenario> {
    let drawn = (0..PROFILES.len()).prop_flat_map(move |profile| narrow_scenario_with(length, &bias(profile)));
    (drawn, [busy_block(), busy_block()], wide())
        .prop_map(|(mut scenario, blocks, wide)| {
            let straps = &mut scenario.straps;
            (straps.present, straps.avail_ire, straps.avail_bre, straps.avail_dme) = (true, true, true, true);
            let scenario = Scenario { blocks, boot: true, ..scenario };
            match wide {
                Some(wide) => scenario.widened(wide),
                None => scenario,
            }
        })
        .boxed()
}
