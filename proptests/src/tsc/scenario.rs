//! Straps and inputs of the time-stamp counter, generated in stretches: requests, ticks, ratios, states of the
//! processor, resets.

use crate::lockstep::UnitCycle;
use lwp_model::Choice;
use lwp_model::retire::{OpMode, Processor, RegOp, RegRequest};
use lwp_model::tsc::{Config, DeepSleep, Inputs};
use lwp_regs::tsc::{TimeStampCounter, TscAdjust, TscAux, TscRate, TscWrite};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// The largest number of cycles of a stretch.
const STRETCH: usize = 12;

/// Straps and cycles of inputs.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The straps, which are legal.
    pub straps: Config,
    /// The cycles from power-up on.
    pub cycles: Vec<UnitCycle<Inputs>>,
}

/// Generates scenarios of up to `stretches` times 12 cycles after the first cycle, which is one of reset. Within a
/// stretch the pins and the ratio do not change; about one stretch in twenty is a reset.
pub fn scenario(stretches: usize) -> BoxedStrategy<Scenario> {
    (straps(), vec(stretch(), 1..=stretches))
        .prop_map(|(straps, stretches)| {
            let first = UnitCycle { reset: true, inputs: Inputs::default() };
            Scenario { straps, cycles: [first].into_iter().chain(stretches.into_iter().flatten()).collect() }
        })
        .boxed()
}

/// Generates legal straps.
pub fn straps() -> BoxedStrategy<Config> {
    let has = |most: u32| prop::bool::weighted(f64::from(most) / 16.0);
    let parts = (has(15), has(14), has(14));
    let rate = (select(TscRate::ALL), select(TscWrite::ALL), select(DeepSleep::ALL));
    // The numbers are those of processors, any others, or so small that a tick adds one or a few.
    let number = || prop_oneof![3 => 1..=300_u16, 1 => Just(u16::MAX), 1 => 1..=u16::MAX];
    let rest = prop_oneof![1 => Just(0), 4 => any::<u16>()];
    // A number of ones, below a power of two: with a whole tick of the fraction the carry passes all its bits.
    let ones = (0..16_u32).prop_map(|shift| u16::MAX >> shift);
    let art = (prop_oneof![1 => 0..16_u16, 4 => number(), 2 => ones], rest, number());
    let max_ratio = prop_oneof![1 => 1..4_u8, 9 => 1..=255_u8];
    (parts, rate, max_ratio, art)
        .prop_map(|(parts, rate, max_ratio, art)| {
            let (present, adjust, aux) = parts;
            let (rate, write_width, deep_sleep) = rate;
            let (art_whole, rest, art_denominator) = art;
            let deep_sleep = if rate == TscRate::Invariant { DeepSleep::Count } else { deep_sleep };
            let art_rest = rest % art_denominator;
            // A ratio of 0 is not valid.
            let art_whole = if art_rest == 0 { art_whole.max(1) } else { art_whole };
            let (adjust, aux) = (adjust && present, aux && present);
            Config {
                present,
                adjust,
                aux,
                rate,
                write_width,
                deep_sleep,
                max_ratio,
                art_whole,
                art_rest,
                art_denominator,
            }
        })
        .boxed()
}

/// Generates some cycles with the same pins and the same ratio, or a reset.
fn stretch() -> BoxedStrategy<Vec<UnitCycle<Inputs>>> {
    let pin = || prop::bool::weighted(0.2);
    let ratio = prop_oneof![4 => 2..60_u8, 1 => 0..4_u8, 1 => any::<u8>()];
    let cycles = (pin(), pin(), pin(), ratio, vec(inputs(), 1..=STRETCH)).prop_map(
        |(halted, stpclk, dpslp, core_ratio, cycles)| {
            let stay = |mut inputs: Inputs| {
                inputs.processor = Processor { halted, stpclk, dpslp, core_ratio, ..inputs.processor };
                UnitCycle { reset: false, inputs }
            };
            cycles.into_iter().map(stay).collect()
        },
    );
    let reset = inputs().prop_map(|inputs| vec![UnitCycle { reset: true, inputs }]);
    prop_oneof![1 => reset, 20 => cycles].boxed()
}

/// Generates the inputs of a cycle except for the pins and the ratio.
fn inputs() -> BoxedStrategy<Inputs> {
    // The privilege level is mostly that of the system, whose writes take effect.
    let level = (prop_oneof![2 => Just(0), 1 => 0..=3_u8], select(OpMode::ALL), any::<bool>());
    (any::<bool>(), any::<bool>(), level, request())
        .prop_map(|(bus_tick, crystal_tick, (cpl, op_mode, tsd), reg)| {
            let processor = Processor { bus_tick, crystal_tick, ..Processor::default() };
            Inputs { processor, cpl, op_mode, tsd, reg }
        })
        .boxed()
}

fn request() -> BoxedStrategy<RegRequest> {
    let op = prop_oneof![
        5 => Just(RegOp::Rdmsr),
        5 => Just(RegOp::Wrmsr),
        3 => Just(RegOp::Rdtsc),
        3 => Just(RegOp::Rdtscp),
        1 => select(RegOp::ALL),
    ];
    let numbers = [TimeStampCounter::ADDRESS, TscAdjust::ADDRESS, TscAux::ADDRESS];
    let number = prop_oneof![
        11 => select(numbers.to_vec()),
        // The number differs from that of a register in one bit.
        1 => (select(numbers.to_vec()), 0..32_u32).prop_map(|(number, bit)| number ^ (1_u32 << bit)),
        1 => any::<u32>(),
    ];
    (prop::bool::weighted(0.7), op, 0..8_u8, number, value())
        .prop_map(|(valid, op, lp, number, wdata)| RegRequest { valid, op, lp, number, wdata })
        .boxed()
}

/// Generates few values, so that processors are given the same one; values at the ends of both widths and at each power
/// of two; or any value.
fn value() -> BoxedStrategy<u64> {
    prop_oneof![
        4 => 0..4_u64,
        1 => (0..500_u64).prop_map(u64::wrapping_neg),
        1 => (0..500_u64).prop_map(|below| (1 << 32) - below),
        1 => (0_u32..65, -3_i64..3).prop_map(|(bit, more)| (1_u128 << bit).wrapping_add_signed(more.into()) as u64),
        2 => any::<u64>(),
    ]
    .boxed()
}
