//! Runs drawn at random: straps, and the inputs of each cycle.

use lwp_model::Choice;
use lwp_model::retire::{OpMode, Processor, RegOp, RegRequest};
use lwp_model::tsc::{Config, DeepSleep, Inputs};
use lwp_regs::tsc::{TscRate, TscWrite};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// What happens in one cycle.
#[derive(Clone, Copy, Debug)]
pub enum Moment {
    /// The unit is reset.
    Reset,
    /// A cycle with these inputs.
    Cycle(Inputs),
}

/// Straps, and what happens in each cycle after reset.
#[derive(Clone, Debug)]
pub struct Run {
    /// The straps, which are legal.
    pub straps: Config,
    /// The cycles.
    pub moments: Vec<Moment>,
}

/// Runs of up to `stretches` times 12 cycles. In a stretch the pins and the ratio stay as they are.
pub fn run(stretches: usize) -> impl Strategy<Value = Run> {
    (straps(), vec(stretch(), 1..=stretches))
        .prop_map(|(straps, stretches)| Run { straps, moments: stretches.into_iter().flatten().collect() })
}

/// Legal straps.
fn straps() -> impl Strategy<Value = Config> {
    let has = |most: u32| prop::bool::weighted(f64::from(most) / 16.0);
    let parts = (has(15), has(14), has(14));
    let rate = (select(TscRate::ALL), select(TscWrite::ALL), select(DeepSleep::ALL));
    let number = || prop_oneof![3 => 1..=300_u16, 1 => Just(u16::MAX), 1 => 1..=u16::MAX];
    let art = (prop_oneof![1 => Just(0), 6 => number()], any::<u16>(), number());
    (parts, rate, 1..=255_u8, art).prop_map(|(parts, rate, max_ratio, art)| {
        let (present, adjust, aux) = parts;
        let (rate, write_width, deep_sleep) = rate;
        let (art_whole, rest, art_denominator) = art;
        let deep_sleep = if rate == TscRate::Invariant { DeepSleep::Count } else { deep_sleep };
        let art_rest = rest % art_denominator;
        // A ratio of 0 is no ratio.
        let art_whole = if art_rest == 0 { art_whole.max(1) } else { art_whole };
        let (adjust, aux) = (adjust && present, aux && present);
        Config { present, adjust, aux, rate, write_width, deep_sleep, max_ratio, art_whole, art_rest, art_denominator }
    })
}

/// Some cycles with the same pins and the same ratio, or a reset.
fn stretch() -> impl Strategy<Value = Vec<Moment>> {
    let pin = || prop::bool::weighted(0.2);
    let ratio = prop_oneof![4 => 2..60_u8, 1 => any::<u8>()];
    let cycles = (pin(), pin(), pin(), ratio, vec(cycle(), 1..=12)).prop_map(
        |(halted, stpclk, dpslp, core_ratio, mut cycles)| {
            for cycle in &mut cycles {
                cycle.processor = Processor { halted, stpclk, dpslp, core_ratio, ..cycle.processor };
            }
            cycles.into_iter().map(Moment::Cycle).collect()
        },
    );
    prop_oneof![1 => Just(vec![Moment::Reset]), 20 => cycles]
}

/// The inputs of a cycle but for the pins and the ratio.
fn cycle() -> impl Strategy<Value = Inputs> {
    let level = (prop_oneof![2 => Just(0), 1 => 0..=3_u8], select(OpMode::ALL), any::<bool>());
    (any::<bool>(), any::<bool>(), level, request()).prop_map(|(bus_tick, crystal_tick, (cpl, op_mode, tsd), reg)| {
        let processor = Processor { bus_tick, crystal_tick, ..Processor::default() };
        Inputs { processor, cpl, op_mode, tsd, reg }
    })
}

fn request() -> impl Strategy<Value = RegRequest> {
    let op = prop_oneof![
        5 => Just(RegOp::Rdmsr),
        5 => Just(RegOp::Wrmsr),
        3 => Just(RegOp::Rdtsc),
        3 => Just(RegOp::Rdtscp),
        1 => select(RegOp::ALL),
    ];
    let number = prop_oneof![
        4 => Just(0x10_u32),
        4 => Just(0x3B),
        3 => Just(0xC000_0103),
        // One bit away from a register.
        1 => (select(&[0x10_u32, 0x3B, 0xC000_0103]), 0..32_u32).prop_map(|(number, bit)| number ^ (1_u32 << bit)),
        1 => any::<u32>(),
    ];
    // Few values, so that processors are given the same one, and values at the ends of both widths.
    let wdata = prop_oneof![
        4 => 0..4_u64,
        1 => (0..500_u64).prop_map(u64::wrapping_neg),
        1 => (0..500_u64).prop_map(|below| (1 << 32) - below),
        1 => Just(u64::MAX >> 1),
        2 => any::<u64>(),
    ];
    (prop::bool::weighted(0.7), op, 0..8_u8, number, wdata).prop_map(|(valid, op, lp, number, wdata)| RegRequest {
        valid,
        op,
        lp,
        number,
        wdata,
    })
}
