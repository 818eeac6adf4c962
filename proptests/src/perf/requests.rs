//! Register requests at random: mostly registers that exist, with values that they may have.

use lwp_model::Choice;
use lwp_model::perf::Apic;
use lwp_model::retire::{RegOp, RegRequest};
use lwp_regs::perf::architectural::ArchitecturalEvent;
use lwp_regs::perf::p6::event::EVENTS;
use proptest::prelude::*;
use proptest::sample::select;

/// First numbers of the arrays, and how many registers of each are asked for.
const ARRAYS: [(u32, u32); 4] = [(0xC1, 9), (0x186, 9), (0x4C1, 9), (0x309, 4)];
/// Numbers of the single registers.
const SINGLE: [u32; 6] = [0x345, 0x38D, 0x38E, 0x38F, 0x390, 0x834];

/// Returns a request, or none.
pub(super) fn request() -> BoxedStrategy<RegRequest> {
    let msr = (prop_oneof![1 => Just(RegOp::Rdmsr), 4 => Just(RegOp::Wrmsr)], number())
        .prop_flat_map(|(op, number)| value(number).prop_map(move |wdata| (op, number, wdata)));
    let pmc = (0..10_u32, any::<bool>(), any::<bool>(), prop_oneof![9 => Just(0), 1 => any::<u32>()]).prop_map(
        |(index, fixed, fast, other)| (RegOp::Rdpmc, index | u32::from(fixed) << 30 | u32::from(fast) << 31 | other, 0),
    );
    let other = (select(RegOp::ALL), number()).prop_map(|(op, number)| (op, number, 0));
    let asked = prop_oneof![12 => msr, 3 => pmc, 1 => other];
    (prop::bool::weighted(0.6), asked, lp())
        .prop_map(|(valid, (op, number, wdata), lp)| RegRequest { valid, op, lp, number, wdata })
        .boxed()
}

/// Returns a write of the local APIC's entry in memory, or none.
pub(super) fn apic() -> BoxedStrategy<Apic> {
    // Reserved bits are ignored.
    let reserved = prop_oneof![Just(0), any::<u32>()].prop_map(|bits| bits & 0xFFFE_F800);
    (prop::bool::weighted(0.15), lp(), entry(), reserved)
        .prop_map(|(write, lp, wdata, reserved)| Apic { write, lp, wdata: wdata as u32 | reserved })
        .boxed()
}

/// Returns the number of a logical processor: often one of the first two, of which every build has at least one.
fn lp() -> BoxedStrategy<u8> {
    prop_oneof![1 => 0..2_u8, 1 => 0..8_u8].boxed()
}

fn number() -> BoxedStrategy<u32> {
    let array = select(&ARRAYS[..]).prop_flat_map(|(first, count)| first..first + count);
    // Those of the first counters are asked for most, since a build has few.
    let first = (select(&ARRAYS[..]), 0..2_u32).prop_map(|((first, _), index)| first + index);
    let few = (select(&ARRAYS[..]), 0..4_u32).prop_map(|((first, _), index)| first + index);
    let known = prop_oneof![5 => first, 3 => few, 1 => array, 4 => select(&SINGLE[..])];
    prop_oneof![
        20 => known,
        1 => (select(&SINGLE[..]), 0..32_u32).prop_map(|(number, bit)| number ^ 1 << bit),
        1 => any::<u32>(),
    ]
    .boxed()
}

/// Returns a value for a register, that mostly is legal.
fn value(number: u32) -> BoxedStrategy<u64> {
    let legal = match number {
        0x186..=0x18E => select_bits().boxed(),
        0xC1..=0xC9 => prop_oneof![near_the_end().prop_map(|count| count & 0xFFFF_FFFF), near_the_end()].boxed(),
        0x4C1..=0x4C9 | 0x309..=0x30C => {
            (32..=48_u32, near_the_end()).prop_map(|(width, count)| count & ((1 << width) - 1)).boxed()
        }
        0x38D => prop_oneof![(0..=0xFFF_u64), Just(0x333), Just(0xBBB)].boxed(),
        0x38F | 0x390 => {
            let all = (0..=0xF_u64, 0..=7_u64, any::<bool>())
                .prop_map(|(general, fixed, ds)| general | fixed << 32 | u64::from(ds) << 62);
            // One bit alone shows whether it is reserved: mostly those beside the counters that a build has.
            let beside = select(&[1, 2, 3, 4, 7, 8, 31, 32, 34, 35, 36, 61, 62, 63][..]);
            prop_oneof![6 => all, 1 => beside.prop_map(|bit| 1 << bit), 1 => (0..64_u32).prop_map(|bit| 1 << bit)]
                .boxed()
        }
        0x834 => entry().boxed(),
        _ => any::<u64>().boxed(),
    };
    prop_oneof![
        12 => legal.clone(),
        1 => (legal, 0..64_u32).prop_map(|(value, bit)| value ^ 1 << bit),
        1 => any::<u64>(),
    ]
    .boxed()
}

/// Returns a count that overflows soon, at any width, or any.
fn near_the_end() -> BoxedStrategy<u64> {
    prop_oneof![
        6 => (0..40_u64).prop_map(u64::wrapping_neg),
        1 => 0..4_u64,
        2 => (0_u32..48, -20_i64..4).prop_map(|(bit, more)| (1_u64 << bit).wrapping_add_signed(more)),
        1 => any::<u64>(),
    ]
    .boxed()
}

/// Returns an event select.
fn select_bits() -> BoxedStrategy<u64> {
    let p6 = (select(&EVENTS[..]), 0..4_u8, any::<u8>()).prop_map(|(event, kind, any)| {
        let mask = match kind {
            0 => any,
            1 => any & 0x0F,
            _ => event.unit_mask().default_mask().unwrap_or(any & 0x0F),
        };
        u64::from(event.code()) | u64::from(mask) << 8
    });
    let architectural = select(&ArchitecturalEvent::ALL[..]).prop_map(|event| {
        let (code, mask) = event.code();
        u64::from(code) | u64::from(mask) << 8
    });
    let event = prop_oneof![6 => p6, 5 => architectural, 1 => 0..=0xFFFF_u64];
    let levels = prop_oneof![4 => Just(3_u64), 1 => 0..=3_u64];
    let threshold = prop_oneof![5 => Just(0_u64), 3 => 1..8_u64, 1 => 0..=255_u64];
    let bit = |share: f64| prop::bool::weighted(share).prop_map(u64::from);
    (event, levels, (bit(0.3), bit(0.3), bit(0.6), bit(0.15), bit(0.85), bit(0.3)), threshold)
        .prop_map(|(event, levels, (edge, pin, interrupt, any, enable, invert), threshold)| {
            event
                | levels << 16
                | edge << 18
                | pin << 19
                | interrupt << 20
                | any << 21
                | enable << 22
                | invert << 23
                | threshold << 24
        })
        .boxed()
}

/// Returns an entry of the local APIC.
fn entry() -> BoxedStrategy<u64> {
    let mode = prop_oneof![3 => Just(0_u64), 3 => Just(4), 1 => 0..8_u64];
    let vector = prop_oneof![4 => 16..=255_u64, 1 => 0..=255_u64];
    (vector, mode, prop::bool::weighted(0.2))
        .prop_map(|(vector, mode, mask)| vector | mode << 8 | u64::from(mask) << 16)
        .boxed()
}
