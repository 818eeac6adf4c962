//! Straps and inputs of the time-stamp counter, drawn cycle by cycle: requests, ticks, ratios, states of the processor, resets.

use crate::unit_lockstep::UnitCycle;
use lwp_model::retire::{OpMode, Processor, RegOp, RegRequest};
use lwp_model::tsc::{Config, DeepSleep, Inputs};
use lwp_regs::tsc::{TimeStampCounter, TscAdjust, TscAux, TscRate, TscWrite};
use proptest::prelude::*;

/// Straps and what happens.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The straps.
    pub straps: Config,
    /// Cycles from power-up on.
    pub cycles: Vec<UnitCycle<Inputs>>,
}

/// Straps that hardware may have.
pub fn straps() -> impl Strategy<Value = Config> {
    let rate =
        prop::sample::select(vec![TscRate::Invariant, TscRate::ConstantMax, TscRate::ConstantBoot, TscRate::Variable]);
    let write = prop::sample::select(vec![TscWrite::All, TscWrite::Low32]);
    let registers = (prop::bool::weighted(0.9), prop::bool::weighted(0.8), prop::bool::weighted(0.8));
    (registers, rate, write, any::<bool>(), 1_u8.., art()).prop_map(
        |((present, adjust, aux), rate, write_width, stop, max_ratio, (art_whole, art_rest, art_denominator))| Config {
            present,
            adjust: adjust && present,
            aux: aux && present,
            rate,
            write_width,
            deep_sleep: if stop && rate != TscRate::Invariant { DeepSleep::Stop } else { DeepSleep::Count },
            max_ratio,
            art_whole,
            art_rest,
            art_denominator,
        },
    )
}

/// Whole, rest and denominator of a crystal's tick: a small denominator as processors have it, or any.
fn art() -> impl Strategy<Value = (u16, u16, u16)> {
    let denominator = prop_oneof![2 => 1_u16..5, 1 => 1_u16.., 1 => Just(u16::MAX)];
    (denominator, any::<u16>(), 0_u16.., any::<bool>()).prop_map(|(denominator, whole, rest, small)| {
        let rest = rest % denominator;
        let whole = if small { whole % 100 } else { whole };
        (if rest == 0 { whole.max(1) } else { whole }, rest, denominator)
    })
}

/// A value at an edge of 64 or 32 bits, or any.
fn value() -> impl Strategy<Value = u64> {
    prop_oneof![
        2 => (0_u32..65, -3_i64..3).prop_map(|(bit, more)| (1_u128 << bit).wrapping_add_signed(more.into()) as u64),
        1 => any::<u64>(),
        1 => 0_u64..0x1_0000_0000,
    ]
}

fn request() -> impl Strategy<Value = RegRequest> {
    let op = prop_oneof![
        3 => Just(RegOp::Rdmsr),
        5 => Just(RegOp::Wrmsr),
        3 => Just(RegOp::Rdtsc),
        3 => Just(RegOp::Rdtscp),
        1 => prop::sample::select(vec![RegOp::Rdpmc, RegOp::ReadDr, RegOp::WriteDr, RegOp::Unused7, RegOp::Unused15]),
    ];
    let number = prop_oneof![
        8 => prop::sample::select(vec![TimeStampCounter::ADDRESS, TscAdjust::ADDRESS, TscAux::ADDRESS]),
        // A number that differs in one bit.
        1 => (0_u32..32).prop_map(|bit| TimeStampCounter::ADDRESS ^ 1 << bit),
        1 => any::<u32>(),
    ];
    (any::<bool>(), op, 0_u8..8, number, value()).prop_map(|(valid, op, lp, number, wdata)| RegRequest {
        valid,
        op,
        lp,
        number,
        wdata,
    })
}

fn processor() -> impl Strategy<Value = Processor> {
    let pins = [0.2, 0.2, 0.2, 0.6, 0.6].map(prop::bool::weighted);
    (pins, any::<u8>()).prop_map(|([halted, stpclk, dpslp, bus_tick, crystal_tick], core_ratio)| Processor {
        halted,
        stpclk,
        dpslp,
        bus_tick,
        crystal_tick,
        core_ratio,
    })
}

fn inputs() -> impl Strategy<Value = Inputs> {
    // Mostly the system, whose writes are obeyed.
    let cpl = prop_oneof![3 => Just(0_u8), 1 => 1_u8..4];
    let op_mode = prop_oneof![
        4 => Just(OpMode::Long64),
        1 => prop::sample::select(vec![OpMode::Real, OpMode::Virtual8086, OpMode::Protected, OpMode::Unused7]),
    ];
    (processor(), cpl, op_mode, prop::bool::weighted(0.3), request())
        .prop_map(|(processor, cpl, op_mode, tsd, reg)| Inputs { processor, cpl, op_mode, tsd, reg })
}

/// Up to `most` cycles, the first of them in reset; one in some hundred is one of reset as well.
pub fn scenario(most: usize) -> impl Strategy<Value = Scenario> {
    let cycle = (prop::bool::weighted(0.005), inputs()).prop_map(|(reset, inputs)| UnitCycle { reset, inputs });
    (straps(), prop::collection::vec(cycle, 1..most)).prop_map(|(straps, mut cycles)| {
        cycles[0].reset = true;
        Scenario { straps, cycles }
    })
}
