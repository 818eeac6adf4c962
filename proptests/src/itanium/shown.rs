//! What a core shows of bundles and memory.

use lwp_model::itanium::{Fetch, Issue, Mem, Retire};
use proptest::prelude::*;
use proptest::sample::select;

/// Encodings of instructions, 41 bits: nop, add, a load, movl's opcode, a branch, and two that differ in the bits that a matcher sees.
pub(super) const SLOTS: [u64; 7] = [
    0x000_0800_0000,
    0x100_0000_0000,
    0x080_0000_0000,
    0x0C0_0000_0000,
    0x080_0000_2000,
    0x1FF_FFFF_FFFF,
    0x000_0000_1FFF,
];

/// Number of an entry, as wide as its port.
fn id() -> BoxedStrategy<u8> {
    prop_oneof![3 => 0..4_u8, 1 => 0..16_u8].boxed()
}

/// Generates addresses near few bases, with a bit more or less, or any.
pub(super) fn address() -> BoxedStrategy<u64> {
    let base = || select(vec![0x1000_u64, 0x8000, 0xE000_0000_0000_1000]);
    prop_oneof![
        5 => (base(), 0..0x40_u64).prop_map(|(base, more)| base + more),
        1 => (base(), 0..2_u64).prop_map(|(base, more)| base + more),
        3 => (base(), 0..64_u32).prop_map(|(base, bit)| base ^ 1 << bit),
        2 => any::<u64>(),
    ]
    .boxed()
}

/// Generates a bundle that is fetched, or none.
pub(super) fn fetch() -> BoxedStrategy<Fetch> {
    (prop::bool::weighted(0.4), id(), address(), 0..=3_u8)
        .prop_map(|(valid, id, addr, cpl)| Fetch { valid, id, addr, cpl })
        .boxed()
}

/// Generates an instruction.
pub(super) fn slot() -> BoxedStrategy<u64> {
    prop_oneof![
        5 => select(SLOTS.to_vec()),
        2 => (select(SLOTS.to_vec()), 0..41_u32).prop_map(|(slot, bit)| slot ^ 1 << bit),
        1 => 0..1_u64 << 41,
    ]
    .boxed()
}

/// Generates a bundle that is issued, or none.
pub(super) fn issue() -> BoxedStrategy<Issue> {
    let template = prop_oneof![2 => 0..32_u8, 1 => 0x0C..0x10_u8, 1 => 0x12..0x1E_u8];
    (prop::bool::weighted(0.6), id(), template, slot(), slot(), slot())
        .prop_map(|(valid, id, template_code, slot0, slot1, slot2)| Issue {
            valid,
            id,
            template_code,
            slot0,
            slot1,
            slot2,
        })
        .boxed()
}

/// Generates instructions that retire, or none.
pub(super) fn retire() -> BoxedStrategy<Retire> {
    let slots = prop_oneof![2 => Just(7_u8), 1 => 0..8_u8];
    (prop::bool::weighted(0.6), id(), slots, 0..8_u8, 0..8_u8, 0..8_u8)
        .prop_map(|(valid, id, slots, off, branch, taken)| Retire { valid, id, slots, off, branch, taken })
        .boxed()
}

/// Generates a memory record, or none.
pub(super) fn mem() -> BoxedStrategy<Mem> {
    (prop::bool::weighted(0.5), id(), 0..4_u8, address(), any::<u16>())
        .prop_map(|(valid, id, slot, addr, events)| {
            let has = |place: u32| events >> place & 1 != 0;
            Mem {
                valid,
                id,
                slot,
                addr,
                read: has(0),
                write: has(1),
                l1d_read: has(2),
                l1d_miss: has(3),
                l2_read: has(4),
                l2_write: has(5),
                l2_miss: has(6),
                dtc_miss: has(7),
                dtlb_miss: has(8),
            }
        })
        .boxed()
}
