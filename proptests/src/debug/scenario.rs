//! Straps and inputs of the debug unit, generated in stretches: groups of lanes, questions, deliveries, register requests, resets.
//!
//! Breakpoints and accesses share few addresses, so that they meet: a page of code and data, and the ends of the addresses of 32 and of 64
//! bits.

use super::straps::PAIRWISE;
use crate::lockstep::UnitCycle;
use crate::straps::Draw;
use lwp_model::Choice;
use lwp_model::debug::{Ask, Config, Inputs, Interrupted, Lane, LaneKind, Special};
use lwp_model::retire::{
    Access, Branch, BranchKind, Flags, IntKind, Io, Mode, OpMode, RegOp, RegRequest, Rep, Retired, Transaction,
};
use lwp_regs::debug::StatusKept;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Cycles of a stretch at most.
const STRETCH: usize = 16;

/// Straps and cycles of inputs.
#[derive(Clone, Debug)]
pub struct Scenario<const LANES: usize> {
    /// The straps, which are legal.
    pub straps: Config,
    /// The cycles from power-up on.
    pub cycles: Vec<UnitCycle<Inputs<LANES>>>,
}

/// Generates scenarios of up to `stretches` times 16 cycles after the first cycle, which is one of reset. Within a stretch the mode and the
/// control bits do not change; about one stretch in thirty is a reset.
pub fn scenario<const LANES: usize>(stretches: usize) -> BoxedStrategy<Scenario<LANES>> {
    (straps(), vec(stretch(), 1..=stretches))
        .prop_map(|(straps, stretches)| {
            let first = UnitCycle { reset: true, inputs: Inputs::default() };
            Scenario { straps, cycles: [first].into_iter().chain(stretches.into_iter().flatten()).collect() }
        })
        .boxed()
}

/// Generates scenarios for a long run, in which drawing takes most of the time: up to `stretches` stretches as in [`scenario`], then the same
/// ones in `orders` other orders, which meet other states. Any order is legal: nothing but the state connects two stretches.
pub fn long_scenario<const LANES: usize>(stretches: usize, orders: usize) -> BoxedStrategy<Scenario<LANES>> {
    let shuffles = vec(any::<u64>().no_shrink(), orders);
    (straps(), vec(stretch(), 1..=stretches), shuffles)
        .prop_map(|(straps, mut stretches, shuffles)| {
            let mut cycles = vec![UnitCycle { reset: true, inputs: Inputs::default() }];
            cycles.extend(stretches.iter().flatten().copied());
            for seed in shuffles {
                Draw::new(seed).shuffle(&mut stretches);
                cycles.extend(stretches.iter().flatten().copied());
            }
            Scenario { straps, cycles }
        })
        .boxed()
}

/// Generates legal straps: any, or some of a set in which every two values meet.
pub fn straps() -> BoxedStrategy<Config> {
    let flag = any::<bool>;
    let group = prop_oneof![2 => Just(0), 2 => 1..4_u8, 1 => Just(63), 1 => 0..=63_u8];
    let parts = (
        (flag(), flag(), flag(), flag(), flag(), flag(), flag()),
        group,
        select(StatusKept::ALL),
        (flag(), flag(), flag(), flag()),
    );
    let random = parts.prop_map(|(features, string_group, status, (status_off, fault_rf, int1_step, rep_rf))| {
        let (rtm, long_mode, io_gate, exec_length, merge_next, ss_chain, ss_fetch) = features;
        // A fault that leaves RF alone is the Pentium's.
        let fault_rf = fault_rf || rtm || long_mode;
        Config {
            rtm,
            long_mode,
            io_gate,
            exec_length,
            merge_next,
            ss_chain,
            ss_fetch,
            string_group,
            status,
            status_off,
            fault_rf,
            int1_step,
            rep_rf,
        }
    });
    prop_oneof![1 => select(PAIRWISE.0.clone()), 3 => random, 2 => Just(Config::default())].boxed()
}

/// Generates some cycles in one mode, or a reset.
fn stretch<const LANES: usize>() -> BoxedStrategy<Vec<UnitCycle<Inputs<LANES>>>> {
    let cycles = (mode(), any::<[bool; 3]>(), vec(inputs(), 1..=STRETCH)).prop_map(|(mode, bits, cycles)| {
        let [de, btf, rtm_debug] = bits;
        let stay = |inputs| UnitCycle { reset: false, inputs: Inputs { mode, de, btf, rtm_debug, ..inputs } };
        cycles.into_iter().map(stay).collect()
    });
    let reset = inputs().prop_map(|inputs| vec![UnitCycle { reset: true, inputs }]);
    prop_oneof![1 => reset, 30 => cycles, 1 => string()].boxed()
}

/// Generates a repeated string of up to 80 iterations, as many in a cycle as there are lanes.
fn string<const LANES: usize>() -> BoxedStrategy<Vec<UnitCycle<Inputs<LANES>>>> {
    let mode = Mode { cpl: 0, smm: false, op_mode: OpMode::Long64 };
    (2..=80_usize, address(), access())
        .prop_map(move |(iterations, ip, access)| {
            let lane = move |at: usize| {
                let rep = match at {
                    0 => Rep::First,
                    _ if at + 1 == iterations => Rep::Last,
                    _ => Rep::Further,
                };
                Lane {
                    retired: Retired { valid: at < iterations, counts: rep.counts(), ip },
                    accesses: [Access { addr: access.addr.wrapping_add(at as u64), ..access }, Access::default()],
                    flags: Flags { rep, ..Flags::default() },
                    ..Lane::default()
                }
            };
            let cycle = |first: usize| {
                let lanes = core::array::from_fn(|number| lane(first + number));
                UnitCycle { reset: false, inputs: Inputs { mode, lanes, ..Inputs::default() } }
            };
            (0..iterations).step_by(LANES).map(cycle).collect()
        })
        .boxed()
}

/// Generates a mode: mostly level 0 and 64-bit mode, so that registers are written.
pub(super) fn mode() -> BoxedStrategy<Mode> {
    let op_mode = prop_oneof![2 => Just(OpMode::Long64), 1 => select(OpMode::ALL)];
    let smm = prop::bool::weighted(0.15);
    (prop_oneof![3 => Just(0), 1 => 0..4_u8], smm, op_mode)
        .prop_map(|(cpl, smm, op_mode)| Mode { cpl, smm, op_mode })
        .boxed()
}

/// Generates the inputs of a cycle except for mode and control bits. Most cycles are of one kind, as a core shows them; some are of
/// all kinds at once.
fn inputs<const LANES: usize>() -> BoxedStrategy<Inputs<LANES>> {
    let idle = Inputs::<LANES>::default;
    prop_oneof![
        4 => (lanes(), io()).prop_map(move |(lanes, io)| Inputs { lanes, io, ..idle() }),
        3 => request().prop_map(move |reg| Inputs { reg, ..idle() }),
        2 => ask().prop_map(move |ask| Inputs { ask, ..idle() }),
        1 => lanes().prop_map(move |lanes| Inputs { partial: true, lanes, ..idle() }),
        3 => (interruption(), prop::bool::weighted(0.8))
            .prop_map(move |(int, db_ack)| Inputs { int, db_ack, ..idle() }),
        1 => Just(Inputs { db_ack: true, ..idle() }),
        1 => Just(idle()),
        2 => anything(),
    ]
    .boxed()
}

/// Generates everything at once.
fn anything<const LANES: usize>() -> BoxedStrategy<Inputs<LANES>> {
    let flag = || prop::bool::weighted(0.3);
    let parts = (lanes(), io(), interruption(), ask(), request());
    (flag(), parts, flag(), flag())
        .prop_map(|(partial, (lanes, io, int, ask, reg), db_ack, valid)| {
            let int = Interrupted { valid, ..int };
            Inputs { partial, lanes, io, int, ask, db_ack, reg, ..Inputs::default() }
        })
        .boxed()
}

/// Generates lanes of which some are valid.
fn lanes<const LANES: usize>() -> BoxedStrategy<[Lane; LANES]> {
    vec(lane(), LANES).prop_map(|lanes| core::array::from_fn(|at| lanes[at])).boxed()
}

pub(super) fn lane() -> BoxedStrategy<Lane> {
    let retired = (prop::bool::weighted(0.75), any::<bool>(), address()).prop_map(|(valid, counts, ip)| Retired {
        valid,
        counts,
        ip,
    });
    let accesses = (access(), access()).prop_map(|(first, second)| [first, second]);
    let rep = prop_oneof![3 => Just(Rep::None), 2 => select(Rep::ALL)];
    let flags = (prop::bool::weighted(0.15), prop::bool::weighted(0.15), rep).prop_map(|(tf, ss_load, rep)| Flags {
        tf,
        ss_load,
        rep,
    });
    let transaction = (prop::bool::weighted(0.15), prop::bool::weighted(0.04))
        .prop_map(|(in_tx, tx_abort)| Transaction { in_tx, tx_abort });
    let kind = prop_oneof![5 => Just(LaneKind::Other), 2 => select(LaneKind::ALL)];
    let special =
        (kind, any::<bool>(), any::<bool>()).prop_map(|(kind, rf_image, t_flag)| Special { kind, rf_image, t_flag });
    (retired, branch(), accesses, flags, transaction, special)
        .prop_map(|(retired, branch, accesses, flags, transaction, debug)| Lane {
            retired,
            branch,
            accesses,
            flags,
            transaction,
            debug,
        })
        .boxed()
}

fn branch() -> BoxedStrategy<Branch> {
    let kind = prop_oneof![1 => Just(BranchKind::None), 1 => select(BranchKind::ALL)];
    (kind, any::<bool>(), any::<bool>(), any::<bool>(), address())
        .prop_map(|(kind, taken, pred_valid, pred_ok, next)| Branch { kind, taken, pred_valid, pred_ok, next })
        .boxed()
}

pub(super) fn access() -> BoxedStrategy<Access> {
    let size = prop_oneof![6 => select(vec![1, 2, 4, 8_u8]), 2 => 0..=16_u8, 1 => 60..=127_u8];
    (prop::bool::weighted(0.3), prop::bool::weighted(0.3), address(), size)
        .prop_map(|(read, write, addr, size)| Access { read, write, addr, size })
        .boxed()
}

pub(super) fn io() -> BoxedStrategy<Io> {
    let port = prop_oneof![4 => 0x1000..0x1018_u16, 1 => 0xFFF8..=u16::MAX, 1 => 0..8_u16];
    (prop::bool::weighted(0.25), any::<bool>(), port, 0..8_u8)
        .prop_map(|(valid, write, port, size)| Io { valid, write, port, size })
        .boxed()
}

pub(super) fn interruption() -> BoxedStrategy<Interrupted> {
    let kind = prop_oneof![3 => Just(IntKind::Exception), 2 => select(IntKind::ALL)];
    (prop::bool::weighted(0.9), kind, address(), any::<bool>(), prop::bool::weighted(0.2), any::<[bool; 2]>())
        .prop_map(|(valid, kind, from, trap, task, [rf, t])| Interrupted { valid, kind, from, trap, task, rf, t })
        .boxed()
}

fn ask() -> BoxedStrategy<Ask> {
    (prop::bool::weighted(0.9), prop::bool::weighted(0.15), address())
        .prop_map(|(valid, in_tx, ip)| Ask { valid, in_tx, ip })
        .boxed()
}

/// Generates register requests: mostly writes that arm breakpoints.
fn request() -> BoxedStrategy<RegRequest> {
    let op = prop_oneof![6 => Just(RegOp::WriteDr), 3 => Just(RegOp::ReadDr), 1 => select(RegOp::ALL)];
    let number = prop_oneof![4 => 0..4_u32, 4 => Just(7), 2 => 4..8_u32, 1 => any::<u32>()];
    (prop::bool::weighted(0.95), op, 0..8_u8, number, control(), status(), address())
        .prop_map(|(valid, op, lp, number, control, status, address)| {
            let wdata = match number & 7 {
                0..=3 => address,
                4 | 6 => status,
                _ => control,
            };
            RegRequest { valid, op, lp, number, wdata }
        })
        .boxed()
}

/// Generates contents of DR7: general detect, which refuses all others, is rare.
pub(super) fn control() -> BoxedStrategy<u64> {
    let enable = prop_oneof![2 => any::<u8>(), 1 => Just(0x55), 1 => Just(0xAA), 1 => Just(0)];
    let kind = prop_oneof![3 => any::<u16>(), 1 => Just(0), 1 => Just(0x1111), 1 => Just(0xDDDD)];
    let others = (prop::bool::weighted(0.12), any::<bool>(), any::<[bool; 2]>());
    let noise = prop_oneof![8 => Just(0), 1 => (0..64_u32).prop_map(|bit| 1_u64 << bit)];
    (enable, kind, others, noise)
        .prop_map(|(enable, kind, (gd, rtm, [le, ge]), noise)| {
            let flags = u64::from(le) << 8 | u64::from(ge) << 9 | u64::from(rtm) << 11 | u64::from(gd) << 13;
            (u64::from(enable) | flags | u64::from(kind) << 16) ^ noise
        })
        .boxed()
}

/// Generates contents of DR6.
pub(super) fn status() -> BoxedStrategy<u64> {
    prop_oneof![1 => Just(0xFFFF_0FF0), 1 => Just(0), 3 => any::<u32>().prop_map(u64::from), 1 => any::<u64>()].boxed()
}

/// Generates addresses that meet: of a page, at the ends of 32 and 64 bits; some differ in a bit.
pub(super) fn address() -> BoxedStrategy<u64> {
    let near = prop_oneof![8 => 0x1000..0x1018_u64, 1 => 0..9_u64];
    let ends = prop_oneof![
        (0..9_u64).prop_map(|below| u64::MAX - below),
        (0..9_u64).prop_map(|below| u64::from(u32::MAX) - below),
        (0..9_u64).prop_map(|above| (1 << 32) + above),
    ];
    let other = (0x1000..0x1018_u64, 0..64_u32).prop_map(|(near, bit)| near ^ 1_u64 << bit);
    prop_oneof![14 => near, 2 => ends, 1 => other, 1 => any::<u64>()].boxed()
}
