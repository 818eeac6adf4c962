//! Straps and inputs of the unit, generated in stretches: groups of lanes, interruptions, register requests, resets.
//!
//! Memory answers with few values, so that the management area that the unit reads makes sense often: addresses of records in one
//! buffer, its ends, and some that are misaligned or outside.

use super::straps::PAIRWISE;
use crate::lockstep::UnitCycle;
use crate::straps::Draw;
use lwp_model::Choice;
use lwp_model::retire::{
    Branch, BranchKind, IntKind, Interruption, MemAnswer, Mode, OpMode, RegOp, RegRequest, Retired, Transaction,
};
use lwp_model::trace::{Config, Depth, Format, Inputs, Lane, Precise};
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

/// Generates scenarios of up to `stretches` times 16 cycles after the first cycle, which is one of reset, for a unit that has `entries` entries. Within a
/// stretch mode and segments do not change; about one stretch in forty is a reset.
pub fn scenario<const LANES: usize>(entries: usize, stretches: usize) -> BoxedStrategy<Scenario<LANES>> {
    (straps(entries), vec(stretch(), 1..=stretches))
        .prop_map(|(straps, stretches)| {
            let first = UnitCycle { reset: true, inputs: Inputs::default() };
            Scenario { straps, cycles: [first].into_iter().chain(stretches.into_iter().flatten()).collect() }
        })
        .boxed()
}

/// Generates scenarios for a long run, in which drawing takes most of the time: up to `stretches` stretches as in [`scenario`], then the same
/// ones in `orders` other orders, which meet other states. Any order is legal: nothing but the state connects two stretches.
pub fn long_scenario<const LANES: usize>(
    entries: usize,
    stretches: usize,
    orders: usize,
) -> BoxedStrategy<Scenario<LANES>> {
    let shuffles = vec(any::<u64>().no_shrink(), orders);
    (straps(entries), vec(stretch(), 1..=stretches), shuffles)
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

/// The default with the information of entries, with the debug store in the format of its mode, and without a debug store.
const INFORMED: Config = Config { lbr_format: Format::Info, ..Config::DEFAULT };
const NARROW: Config = Config { dtes64: false, ..Config::DEFAULT };
const WITHOUT: Config = Config { ds: false, ds_cpl: false, pebs_counters: 0, ..NARROW };

/// Generates legal straps for a build with `entries` entries: those of a set in which every two values meet, or the default with one
/// stack and debug store or another. A depth that the build lacks becomes its own.
pub fn straps(entries: usize) -> BoxedStrategy<Config> {
    let any =
        prop_oneof![3 => select(PAIRWISE.0.clone()), 2 => select(vec![Config::DEFAULT, INFORMED, NARROW, WITHOUT])];
    any.prop_map(move |straps| fitted(straps, entries)).boxed()
}

/// Straps with at most `entries` entries.
#[must_use]
pub fn fitted(straps: Config, entries: usize) -> Config {
    let depth = Depth::ALL.iter().rfind(|depth| entries_of(**depth) <= entries);
    let lbr_depth = depth.copied().unwrap_or_default().min(straps.lbr_depth);
    Config { lbr_depth, ..straps }
}

/// Entries of a depth.
#[must_use]
pub const fn entries_of(depth: Depth) -> usize {
    4 << depth as usize
}

/// Generates some cycles in one mode, or a reset.
fn stretch<const LANES: usize>() -> BoxedStrategy<Vec<UnitCycle<Inputs<LANES>>>> {
    let segments = (base(), base(), any::<bool>());
    let bus = (0..4_u8, 0..4_u8, prop::bool::weighted(0.02), any::<bool>());
    let cycles = (mode(), segments, bus, vec(inputs(), 1..=STRETCH)).prop_map(|(mode, segments, bus, cycles)| {
        let (cs_base, far_base, far_long) = segments;
        let (grants, answers, faults, ready) = bus;
        let stay = move |(at, inputs): (usize, Inputs<LANES>)| {
            let mem = MemAnswer {
                gnt: inputs.mem.gnt || at as u8 % 4 <= grants,
                rvalid: inputs.mem.rvalid || at as u8 % 4 <= answers,
                err: inputs.mem.err && (faults || at == 0),
                ..inputs.mem
            };
            let btm_ready = inputs.btm_ready || ready;
            UnitCycle { reset: false, inputs: Inputs { mode, cs_base, far_base, far_long, mem, btm_ready, ..inputs } }
        };
        cycles.into_iter().enumerate().map(stay).collect()
    });
    let reset = inputs().prop_map(|inputs| vec![UnitCycle { reset: true, inputs }]);
    let set_up = start().prop_map(|cycles| {
        let cycle = |inputs| UnitCycle { reset: false, inputs };
        cycles.into_iter().map(cycle).collect()
    });
    prop_oneof![1 => reset, 30 => cycles, 8 => set_up].boxed()
}

/// Generates what an operating system does to start: it waits for the queue, then writes registers at level 0.
fn start<const LANES: usize>() -> BoxedStrategy<Vec<Inputs<LANES>>> {
    let write = |number: u32, wdata: u64| RegRequest { valid: true, op: RegOp::Wrmsr, lp: 0, number, wdata };
    (vec(memory(), 24), area(), control(), 0..16_u64)
        .prop_map(move |(answers, area, control, counters)| {
            let mode = Mode { cpl: 0, smm: false, op_mode: OpMode::Long64 };
            let requests = [write(0x600, area), write(0x3F1, counters), write(0x1D9, control)];
            let quiet = |mem| Inputs {
                mode,
                mem: MemAnswer { gnt: true, rvalid: true, ..mem },
                btm_ready: true,
                ..Inputs::default()
            };
            let mut cycles: Vec<_> = answers.into_iter().map(quiet).collect();
            cycles.extend(requests.map(|reg| Inputs { mode, reg, btm_ready: true, ..Inputs::default() }));
            cycles
        })
        .boxed()
}

/// Generates a mode: mostly level 0 and 64-bit mode, so that registers are written.
pub(super) fn mode() -> BoxedStrategy<Mode> {
    let op_mode = prop_oneof![2 => Just(OpMode::Long64), 1 => select(OpMode::ALL)];
    let smm = prop::bool::weighted(0.15);
    (prop_oneof![2 => Just(0), 1 => 0..4_u8], smm, op_mode)
        .prop_map(|(cpl, smm, op_mode)| Mode { cpl, smm, op_mode })
        .boxed()
}

/// Generates the base of a code segment: mostly 0.
fn base() -> BoxedStrategy<u64> {
    prop_oneof![4 => Just(0), 2 => Just(0x1000), 1 => any::<u32>().prop_map(u64::from), 1 => any::<u64>()].boxed()
}

/// Generates the inputs of a cycle except for mode and segments. Most cycles are of one kind, as a core shows them; some are of all
/// kinds at once.
fn inputs<const LANES: usize>() -> BoxedStrategy<Inputs<LANES>> {
    let idle = Inputs::<LANES>::default;
    let kind = prop_oneof![
        6 => (lanes(), events(1)).prop_map(move |(lanes, event)| Inputs { lanes, pebs: Precise { event, ..Precise::default() }, ..idle() }),
        4 => request().prop_map(move |reg| Inputs { reg, ..idle() }),
        1 => lanes().prop_map(move |lanes| Inputs { partial: true, lanes, ..idle() }),
        2 => interruption().prop_map(move |int| Inputs { int, ..idle() }),
        2 => Just(idle()),
        2 => anything(),
    ];
    let rest = (prop::bool::weighted(0.7), prop::bool::weighted(0.06), events(3), any::<u64>(), memory());
    (kind, rest, prop::bool::weighted(0.3))
        .prop_map(|(inputs, rest, btm_ready)| {
            let (core_clock, pmi, overflow, state_value, mem) = rest;
            let pebs = Precise { overflow, state_value, ..inputs.pebs };
            Inputs { core_clock, pmi, pebs, mem, btm_ready, ..inputs }
        })
        .boxed()
}

/// Generates everything at once.
fn anything<const LANES: usize>() -> BoxedStrategy<Inputs<LANES>> {
    let parts = (lanes(), interruption(), request(), events(2));
    (prop::bool::weighted(0.3), parts)
        .prop_map(|(partial, (lanes, int, reg, event))| {
            let pebs = Precise { event, ..Precise::default() };
            Inputs { partial, lanes, int, reg, pebs, ..Inputs::default() }
        })
        .boxed()
}

/// Generates a mask of counters: 0 in all but one of `seldom` + 1 cases.
fn events(seldom: u32) -> BoxedStrategy<u8> {
    prop_oneof![seldom => Just(0), 1 => 0..16_u8].boxed()
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
    let transaction = (prop::bool::weighted(0.2), prop::bool::weighted(0.1))
        .prop_map(|(in_tx, tx_abort)| Transaction { in_tx, tx_abort });
    (retired, branch(), transaction)
        .prop_map(|(retired, branch, transaction)| Lane { retired, branch, transaction })
        .boxed()
}

fn branch() -> BoxedStrategy<Branch> {
    let kind = prop_oneof![1 => Just(BranchKind::None), 3 => select(BranchKind::ALL)];
    (kind, prop::bool::weighted(0.7), any::<bool>(), any::<bool>(), address())
        .prop_map(|(kind, taken, pred_valid, pred_ok, next)| Branch { kind, taken, pred_valid, pred_ok, next })
        .boxed()
}

pub(super) fn interruption() -> BoxedStrategy<Interruption> {
    let kind = prop_oneof![2 => Just(IntKind::Exception), 3 => select(IntKind::ALL)];
    let vector = prop_oneof![2 => Just(1), 1 => Just(3), 2 => any::<u8>()];
    (prop::bool::weighted(0.9), kind, vector, address(), address())
        .prop_map(|(valid, kind, vector, from, to)| Interruption { valid, kind, vector, from, to })
        .boxed()
}

/// Generates addresses of code: of user and kernel, and with any bits.
pub(super) fn address() -> BoxedStrategy<u64> {
    prop_oneof![
        4 => 0x1000..0x1040_u64,
        1 => 0xFFFF_FFFF_8000_0000..=0xFFFF_FFFF_8000_0040_u64,
        1 => any::<u32>().prop_map(u64::from),
        1 => any::<u64>(),
    ]
    .boxed()
}

/// Generates what memory answers. `rdata` is two addresses of a small buffer, for the fields of 4 bytes, or one.
fn memory() -> BoxedStrategy<MemAnswer> {
    let rdata =
        prop_oneof![5 => place(), 3 => (place(), place()).prop_map(|(low, high)| low | high << 32), 1 => any::<u64>()];
    (prop::bool::weighted(0.5), prop::bool::weighted(0.5), prop::bool::weighted(0.3), rdata)
        .prop_map(|(gnt, rvalid, err, rdata)| MemAnswer { gnt, rvalid, err, rdata })
        .boxed()
}

/// Generates an address near or in a buffer at 2000H whose records have 12, 24, 40, 144 bytes and more.
fn place() -> BoxedStrategy<u64> {
    let record = select(vec![12_u64, 24, 40, 144, 176, 192, 200]);
    prop_oneof![
        3 => Just(0x2000),
        6 => (record, 0..5_u64).prop_map(|(bytes, count)| 0x2000 + bytes * count),
        2 => (0..0x400_u64).prop_map(|offset| 0x2000 + offset),
        1 => Just(0x1FF8),
        2 => Just(0x2400),
    ]
    .boxed()
}

/// Generates the address of the management area: mostly aligned, some at the ends of what is canonical.
fn area() -> BoxedStrategy<u64> {
    let end = (select(vec![31_u32, 32, 46, 47, 48, 55, 56, 57, 63]), 0..4_u8).prop_map(|(bit, kind)| match kind {
        0 => 1 << bit,
        1 => u64::MAX << bit,
        2 => (1 << bit) - 1,
        _ => u64::MAX << bit ^ 1 << 63,
    });
    prop_oneof![6 => Just(0x3000), 1 => 0x3000..0x3008_u64, 1 => Just(0xFFFF_FFFF_FFFF_FFF8), 2 => end].boxed()
}

/// Generates contents of IA32_DEBUGCTL: mostly bits that exist, often tracing.
pub(super) fn control() -> BoxedStrategy<u64> {
    let flags = select(vec![0x0_u64, 0x1, 0x3, 0x40, 0xC0, 0xC1, 0x1C0, 0x1C1, 0x41, 0x81]);
    let more = prop_oneof![2 => Just(0), 2 => any::<u16>().prop_map(|bits| u64::from(bits) & 0xDE00)];
    let noise = prop_oneof![8 => Just(0), 1 => (0..64_u32).prop_map(|bit| 1_u64 << bit)];
    let one = (0..16_u32).prop_map(|bit| 1_u64 << bit);
    prop_oneof![
        8 => (flags, more, noise).prop_map(|(flags, more, noise)| (flags | more) ^ noise),
        1 => one,
        1 => any::<u64>(),
    ]
    .boxed()
}

/// Generates register requests: mostly of registers that exist.
fn request() -> BoxedStrategy<RegRequest> {
    let op = prop_oneof![5 => Just(RegOp::Wrmsr), 4 => Just(RegOp::Rdmsr), 1 => select(RegOp::ALL)];
    let entry = prop_oneof![1 => 0..5_u32, 1 => 0..34_u32];
    let stack = (select(vec![0x40_u32, 0x60, 0x680, 0x6C0, 0xDC0]), entry).prop_map(|(first, entry)| first + entry);
    let number = prop_oneof![
        5 => Just(0x1D9),
        2 => Just(0x1C9),
        1 => select(vec![0x1DD_u32, 0x1DE]),
        5 => stack,
        3 => Just(0x600),
        3 => Just(0x3F1),
        1 => select(vec![0x1C8_u32, 0x1DC, 0x345, 0x601]),
        1 => any::<u32>(),
    ];
    let values = (control(), area(), 0..40_u64, any::<u64>());
    (prop::bool::weighted(0.95), op, 0..8_u8, number, values)
        .prop_map(|(valid, op, lp, number, values)| {
            let (control, area, small, any) = values;
            let wdata = match number {
                0x1D9 => control,
                0x600 => area,
                0x1C9 | 0x3F1 => small,
                _ => any,
            };
            RegRequest { valid, op, lp, number, wdata }
        })
        .boxed()
}
