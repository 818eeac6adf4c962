//! Requests: values with which counters count, matchers match and ranges hit; any others, too.

use super::shown::{SLOTS, address};
use lwp_model::Choice;
use lwp_model::itanium::{RegOp, RegRequest};
use proptest::array;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

const PMC: u32 = 0;
const PMD: u32 = 1;
const IBR: u32 = 2;
const DBR: u32 = 3;
const CR: u32 = 4;

/// Bits of the PSR.
const UP: u64 = 1 << 2;
const SP: u64 = 1 << 20;
const PP: u64 = 1 << 21;

/// Events with a meaning.
pub(super) const EVENTS: [u64; 14] =
    [0x08, 0x0D, 0x12, 0x15, 0x31, 0x60, 0x61, 0x63, 0x64, 0x66, 0x69, 0x6A, 0x6C, 0x6D];

/// mov file\[index\] = value.
fn write(file: u32, index: u32, value: u64) -> RegRequest {
    RegRequest { valid: true, op: RegOp::WriteFile, lp: 0, number: file << 8 | index, wdata: value }
}

/// mov r = file\[index\].
fn read(file: u32, index: u32) -> RegRequest {
    RegRequest { valid: true, op: RegOp::ReadFile, lp: 0, number: file << 8 | index, wdata: 0 }
}

/// Generates the requests with which the operating system sets up the unit and thaws it.
pub(super) fn set_up() -> BoxedStrategy<Vec<RegRequest>> {
    let counters = vec((counter(), near_the_end()), 4);
    let others = vec(prop_oneof![1 => other().prop_map(|request| vec![request]), 2 => pair()], 0..8);
    let recorders = vec(recorder(), 0..3);
    (counters, others, recorders, process())
        .prop_map(|(counters, others, recorders, psr)| {
            let mut all = Vec::new();
            for (index, (pmc, pmd)) in (4..).zip(counters) {
                all.push(write(PMC, index, pmc));
                all.push(write(PMD, index, pmd));
            }
            all.extend(others.into_iter().flatten());
            all.extend(recorders);
            all.push(RegRequest { valid: true, op: RegOp::WritePsrL, lp: 0, number: 0, wdata: psr });
            all.push(write(PMC, 0, 0));
            all
        })
        .boxed()
}

/// Generates the requests with which a handler lets the counters run to their next overflow, and one of the cycle behind them.
pub(super) fn rearm() -> BoxedStrategy<(Vec<RegRequest>, RegRequest)> {
    let counts = prop_oneof![3 => Just([0xFFFF_FFFF; 4]), 1 => array::uniform4(near_the_end())];
    let pmc0 = prop_oneof![3 => Just(0_u64), 1 => (0..16_u64).prop_map(|overflow| overflow << 4)];
    let race = prop_oneof![
        (4..8_u32).prop_map(|index| read(PMD, index)),
        (4..8_u32, counter()).prop_map(|(index, value)| write(PMC, index, value)),
        (4..8_u32, near_the_end()).prop_map(|(index, value)| write(PMD, index, value)),
        any::<u64>().prop_map(|value| write(PMC, 0, value)),
    ];
    (counts, pmc0, process(), race)
        .prop_map(|(counts, pmc0, psr, race)| {
            let counts = (4..).zip(counts).map(|(index, count)| write(PMD, index, count));
            let rfi = RegRequest { valid: true, op: RegOp::Rfi, lp: 0, number: 0, wdata: psr };
            (counts.chain([write(PMC, 0, pmc0), rfi]).collect(), race)
        })
        .boxed()
}

/// Generates the PSR of a process that is monitored.
fn process() -> BoxedStrategy<u64> {
    prop_oneof![4 => Just(UP | PP), 1 => Just(UP), 1 => Just(PP), 3 => Just(UP | PP | SP)].boxed()
}

/// Generates a value of PMC\[4\] to PMC\[7\].
fn counter() -> BoxedStrategy<u64> {
    let plm = prop_oneof![3 => Just(0b1111_u64), 2 => Just(0b1001), 2 => 0..16_u64];
    let flags = (any::<bool>(), any::<bool>(), prop::bool::weighted(0.3));
    let event = prop_oneof![12 => select(EVENTS.to_vec()), 1 => 0..128_u64];
    let umask = prop_oneof![2 => Just(0_u64), 2 => 2..=3_u64, 3 => 0..16_u64];
    let threshold = prop_oneof![1 => Just(0_u64), 1 => 0..8_u64];
    let ism = prop_oneof![3 => Just(0_u64), 1 => 0..4_u64];
    (plm, flags, event, umask, threshold, ism)
        .prop_map(|(plm, (ev, oi, pm), es, umask, threshold, ism)| {
            let flags = u64::from(ev) << 4 | u64::from(oi) << 5 | u64::from(pm) << 6;
            plm | flags | es << 8 | umask << 16 | threshold << 20 | ism << 24
        })
        .boxed()
}

/// Generates a write of PMC\[10\] to PMC\[12\]: on at some levels, in one instruction set or both; off; or any value.
fn recorder() -> BoxedStrategy<RegRequest> {
    let on = (prop_oneof![2 => Just(0b1111_u64), 1 => 0..16_u64], any::<bool>(), 0..4_u64)
        .prop_map(|(plm, pm, ism)| plm | u64::from(pm) << 6 | ism << 24);
    let value = prop_oneof![3 => on, 1 => Just(0), 2 => any::<u64>()];
    (10..13_u32, value).prop_map(|(index, value)| write(PMC, index, value)).boxed()
}

/// Generates the writes of both registers of a pair.
fn pair() -> BoxedStrategy<Vec<RegRequest>> {
    (IBR..=DBR, 0..4_u32, address(), mask(), any::<bool>())
        .prop_map(|(file, pair, addr, mask, flag)| {
            vec![write(file, 2 * pair, addr), write(file, 2 * pair + 1, mask | u64::from(flag) << 63)]
        })
        .boxed()
}

/// Generates counts that overflow at once or soon, or any.
fn near_the_end() -> BoxedStrategy<u64> {
    prop_oneof![4 => 0xFFFF_FFFE..=0xFFFF_FFFF_u64, 5 => 0xFFFF_FFE0..=0xFFFF_FFFF_u64, 1 => (0..64_u32).prop_map(|bit| 1 << bit), 1 => any::<u64>()].boxed()
}

/// Generates a value of PMC\[8\] or PMC\[9\]: all bits count, or few, or none.
fn matcher() -> BoxedStrategy<u64> {
    let mask = prop_oneof![2 => Just(0x7FF_FFFF_u64), 2 => Just(0), 2 => (0..27_u32).prop_map(|bit| !(1 << bit)), 1 => any::<u64>()];
    let value = select(SLOTS.to_vec()).prop_map(|slot| slot >> 27 << 13 | slot & 0x1FFF);
    let kinds = prop_oneof![2 => Just(15_u64), 1 => 0..16_u64];
    (mask, value, kinds).prop_map(|(mask, value, kinds)| (mask & 0x7FF_FFFF) << 3 | value << 33 | kinds << 60).boxed()
}

/// Generates the second register of a pair: which bits of the address count, at which levels.
fn mask() -> BoxedStrategy<u64> {
    let bits = prop_oneof![
        2 => Just(u64::MAX),
        3 => Just(u64::MAX << 4),
        4 => Just(u64::MAX << 6),
        2 => Just(0),
        1 => (0..56_u32).prop_map(|bit| !(1 << bit)),
        1 => any::<u64>(),
    ];
    let plm = prop_oneof![6 => Just(15_u64), 1 => Just(0), 2 => 0..16_u64];
    (bits, plm, any::<u64>())
        .prop_map(|(bits, plm, flags)| bits & ((1 << 56) - 1) | plm << 56 | flags & 0xF << 60 & !(1 << 63))
        .boxed()
}

/// Generates the write of a register other than those of the counters.
fn other() -> BoxedStrategy<RegRequest> {
    let pairs = || (0..8_u32, address(), mask(), any::<bool>());
    prop_oneof![
        2 => (8..10_u32, matcher()).prop_map(|(index, value)| write(PMC, index, value)),
        1 => prop::bool::weighted(0.3).prop_map(|ta| write(PMC, 13, ta.into())),
        1 => (prop::bool::weighted(0.3), any::<u64>()).prop_map(|(ta, rest)| write(PMC, 13, (rest & !1) | u64::from(ta))),
        2 => prop::bool::weighted(0.3).prop_map(|pt| write(PMC, 11, u64::from(pt) << 28)),
        3 => recorder(),
        3 => pairs().prop_map(|(index, addr, mask, x)| {
            write(IBR, index, if index % 2 == 0 { addr } else { mask | u64::from(x) << 63 })
        }),
        3 => pairs().prop_map(|(index, addr, mask, r)| {
            write(DBR, index, if index % 2 == 0 { addr } else { mask | u64::from(r) << 63 })
        }),
        3 => any::<bool>().prop_map(|pp| write(CR, 0, pp.into())),
    ].boxed()
}

/// Generates any request.
pub(super) fn request() -> BoxedStrategy<RegRequest> {
    let index = || prop_oneof![8 => 0..14_u32, 1 => 0..256_u32];
    let file = || prop_oneof![5 => 0..5_u32, 1 => 5..8_u32];
    let psr = || {
        prop_oneof![4 => 0..8_u64, 1 => Just(0)].prop_map(|bits| {
            let set = |place: u32, bit: u64| if bits >> place & 1 == 0 { 0 } else { bit };
            set(0, UP) | set(1, SP) | set(2, PP)
        })
    };
    let psr_op = prop_oneof![
        1 => select(vec![RegOp::Sum, RegOp::Rum, RegOp::WritePsrUm]),
        1 => select(vec![RegOp::Ssm, RegOp::Rsm, RegOp::WritePsrL, RegOp::Rfi]),
    ];
    prop_oneof![
        5 => (file(), index()).prop_map(|(file, index)| read(file, index)),
        2 => (4..8_u32).prop_map(|index| read(PMD, index)),
        3 => (8..13_u32).prop_map(|index| read(PMC, index)),
        1 => (0..4_u32).prop_map(|pair| read(DBR, 2 * pair + 1)),
        1 => Just(read(CR, 0)),
        6 => Just(write(PMC, 0, 0)),
        1 => any::<u64>().prop_map(|value| write(PMC, 0, value)),
        3 => (4..8_u32, counter()).prop_map(|(index, value)| write(PMC, index, value)),
        5 => (4..8_u32, near_the_end()).prop_map(|(index, value)| write(PMD, index, value)),
        5 => other(),
        1 => (IBR..=DBR, 0..8_u32).prop_map(|(file, index)| write(file, index, 0)),
        12 => (psr_op, psr()).prop_map(|(op, wdata)| RegRequest { valid: true, op, lp: 0, number: 0, wdata }),
        2 => (select(RegOp::ALL), 0..8_u8, any::<u32>(), any::<u64>()).prop_map(|(op, lp, number, wdata)| {
            RegRequest { valid: true, op, lp, number, wdata }
        }),
        2 => (file(), index(), any::<u64>()).prop_map(|(file, index, value)| write(file, index, value)),
    ]
    .boxed()
}
