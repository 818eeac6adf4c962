//! Runs that mostly count: selects that the documents define, and reads in many cycles.

use super::Sizes;
use super::scenario::{Scenario, scenario};
use crate::lockstep::UnitCycle;
use lwp_model::perf::{Config, Inputs, Personality};
use lwp_model::retire::{RegOp, RegRequest};
use lwp_regs::perf::p6::event::EVENTS;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// The architectural events, unit mask above the event select.
const ARCHITECTURAL: [u64; 7] = [0x003C, 0x00C0, 0x013C, 0x4F2E, 0x412E, 0x00C4, 0x00C5];

/// The registers that are asked for, but for those of the general counters.
const OTHERS: [u32; 4] = [0x38D, 0x38E, 0x38F, 0x390];

/// A request, whose parts are as wide as a draw needs.
#[derive(Clone, Copy, Debug)]
enum Ask {
    Nothing,
    /// RDPMC of a counter, or of a fixed one.
    Read(u32, bool),
    /// WRMSR of a counter, or of a fixed one.
    Count(u32, bool, u64),
    /// WRMSR of an event select: events of either kind, and the bits above.
    Select(u32, u64, u64, u64),
    /// RDMSR or WRMSR of another register.
    Other(u32, bool, u64),
}

/// Returns scenarios whose requests are replaced by those of a program that counts, and whose RDPMC is allowed at any level.
pub fn counting<const LP: usize, const LANES: usize>(
    sizes: Sizes,
    stretches: usize,
) -> BoxedStrategy<Scenario<LP, LANES>> {
    let first = vec(selects(0), 8);
    (scenario(sizes, stretches), first, vec((ask(), 0..8_u8), 97))
        .prop_map(|(mut scenario, first, asks)| {
            let Scenario { straps, cycles } = &mut scenario;
            let (mut since, counters) = (0, usize::from(straps.counters));
            for (at, UnitCycle { reset, inputs }) in cycles.iter_mut().enumerate() {
                since = if *reset { 0 } else { since + 1 };
                let (mut ask, lp) = asks[at % asks.len()];
                let mut own = usize::from(lp) % LP;
                let counter = (since.max(1) - 1) / LP;
                let system = since >= 1 && counter < counters + 2;
                if system {
                    own = (since - 1) % LP;
                    ask = match first[(counter + own) % first.len()] {
                        _ if counter == counters => Ask::Other(0x38D, true, u64::MAX),
                        _ if counter > counters => Ask::Other(0x38F, true, u64::MAX),
                        // The first select has the EN of a P6: the last write.
                        Ask::Select(_, p6, other, bits) => {
                            Ask::Select((counters - 1 - counter) as u32, p6, other, bits | 1 << 22)
                        }
                        other => other,
                    };
                }
                steady(inputs, system);
                inputs.reg = request(straps, ask, own as u8);
            }
            scenario
        })
        .boxed()
}

/// Lets programs read, and in the first cycles also write.
fn steady<const LP: usize, const LANES: usize>(inputs: &mut Inputs<LP, LANES>, system: bool) {
    for lp in &mut inputs.lp {
        lp.pce = true;
        if system {
            lp.cpl = 0;
            lp.op_mode = lwp_model::retire::OpMode::Protected;
        }
    }
}

fn ask() -> BoxedStrategy<Ask> {
    prop_oneof![
        8 => Just(Ask::Nothing),
        10 => (0..8_u32, any::<bool>()).prop_map(|(counter, fixed)| Ask::Read(counter, fixed)),
        2 => (0..8_u32, any::<bool>(), 1..30_u64).prop_map(|(at, fixed, left)| Ask::Count(at, fixed, left.wrapping_neg())),
        1 => (0..8_u32).prop_flat_map(selects),
        1 => (select(&OTHERS[..]), any::<bool>(), any::<u64>()).prop_map(|(number, write, value)| Ask::Other(number, write, value)),
    ].boxed()
}

fn selects(counter: u32) -> BoxedStrategy<Ask> {
    let p6 = (select(&EVENTS[..]), select(&[0_u64, 1, 2, 3, 4, 7, 8, 0xF, 0x10, 0x20][..]), any::<bool>());
    let p6 = p6.prop_map(|(event, mask, own)| {
        let mask = event.unit_mask().default_mask().filter(|_| own).map_or(mask, u64::from);
        u64::from(event.code()) | mask << 8
    });
    let levels = prop_oneof![8 => Just(3_u64), 3 => 0..=3_u64];
    let rest = (any::<u16>(), prop_oneof![5 => Just(0_u64), 3 => 1..8_u64]);
    (p6, select(&ARCHITECTURAL[..]), levels, rest)
        .prop_map(move |(p6, other, levels, (bits, threshold))| {
            let bit = |at: u32, to: u32| u64::from(bits >> at & 1) << to;
            // An edge, INV and AnyThread need two draws; the others one.
            let edge = bit(0, 18) & bit(1, 18);
            let enable = (bit(6, 22) | bit(7, 22)) & !(1 << 32);
            let flags = edge | bit(2, 19) | bit(3, 20) | bit(4, 23) & bit(5, 23) | bit(8, 21) & bit(9, 21) | enable;
            Ask::Select(counter, p6, other, levels << 16 | flags | threshold << 24)
        })
        .boxed()
}

fn request(straps: &Config, ask: Ask, lp: u8) -> RegRequest {
    let p6 = straps.personality == Personality::P6;
    let of = |counter: u32, fixed: bool| {
        let fixed = fixed && straps.fixed > 0;
        (counter % u32::from(if fixed { straps.fixed } else { straps.counters }), fixed)
    };
    let (op, number, wdata) = match ask {
        Ask::Nothing => return RegRequest::default(),
        Ask::Read(counter, fixed) => {
            let (counter, fixed) = of(counter, fixed);
            (RegOp::Rdpmc, counter | u32::from(fixed) << 30, 0)
        }
        Ask::Count(counter, fixed, value) => {
            let (counter, fixed) = of(counter, fixed);
            let width = if fixed { straps.fixed_width } else { straps.width };
            (RegOp::Wrmsr, if fixed { 0x309 } else { 0xC1 } + counter, value & ((1 << width) - 1))
        }
        Ask::Select(counter, family, architectural, bits) => {
            let (counter, _) = of(counter, false);
            let bits = if p6 && counter == 1 { bits & !(1 << 22) } else { bits };
            let bits = if straps.any_thread { bits } else { bits & !(1 << 21) };
            (RegOp::Wrmsr, 0x186 + counter, if p6 { family } else { architectural } | bits)
        }
        Ask::Other(number, write, value) => {
            let counters = u64::from(value >> 60 != 0) * ((1 << straps.counters) - 1);
            let all = counters | (u64::from(value >> 57 != 0) * ((1 << straps.fixed) - 1)) << 32;
            let wdata = match number {
                // Levels and interrupts of the fixed counters, and AnyThread where it exists.
                0x38D => {
                    let bits = if straps.any_thread { 0xF } else { 0xB };
                    (0..straps.fixed).map(|at| (value >> (4 * at) & bits) << (4 * at)).sum()
                }
                0x390 => value & all,
                _ => all,
            };
            (if write { RegOp::Wrmsr } else { RegOp::Rdmsr }, number, wdata)
        }
    };
    RegRequest { valid: true, op, lp, number, wdata }
}
