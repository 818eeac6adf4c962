//! Runs by hand: one RMID fills the whole L3 cache; any lines go through a single set.

use super::Build;
use super::drive::{Access, Memory, drive, drive_and_shrink};
use super::random::{Chance, bits};
use super::requests::{L2_MASK, L3_MASK, PQR_ASSOC, THROTTLE};
use super::scenario::Scenario;
use crate::lockstep::UnitCycle;
use crate::straps::Draw;
use lwp_model::rdt::{Config, Inputs, Power, Vendor};

/// Accesses of each logical processor in a single set.
const CHURN: usize = 400;

/// Memory that answers at once.
pub(super) const AT_ONCE: Memory = Memory { grant: 0, answer: 1, seed: 0 };

/// Returns the run of an RMID, in which its accesses alone fill every way of every set. Then the ways lose their power, one after the other
/// from the highest on. A reset follows.
#[must_use]
pub fn fill<U: Build<LP>, const LP: usize>(rmid: u8) -> Scenario<LP> {
    let sizes = U::SIZES;
    let straps = Config {
        l3_sets: sizes.l3_sets.ilog2() as u8,
        l3_ways: sizes.l3_ways as u8,
        l2: false,
        l2_sets: 0,
        l2_ways: 0,
        l2_cat: false,
        l2_cdp: false,
        l2_cos: 0,
        max_rmid: sizes.rmids as u8 - 1,
        ..Config::default()
    };
    let lines = (sizes.l3_sets * sizes.l3_ways) as u64;
    let access = |line: u64| Access { addr: line << straps.line, ..Access::default() };
    let mut accesses: [Vec<Access>; LP] = core::array::from_fn(|_| Vec::new());
    accesses[0] = (0..lines).map(access).collect();
    let writes = [(0, PQR_ASSOC, rmid.into())];
    let powers: Vec<_> = (0..straps.l3_ways).rev().map(|l3_power| Power { l3_power, l2_power: 0 }).collect();
    let mut cycles = drive_and_shrink::<U, LP>(&straps, &writes, &accesses, 1, &AT_ONCE, &powers).cycles;
    cycles.push(UnitCycle { reset: true, inputs: Inputs::default() });
    Scenario { straps, cycles }
}

/// Returns a run in which lines of any address, of all RMIDs, go through all ways of one set of each cache. Before it, each mask and delay
/// is written with ones and with zeros.
#[must_use]
pub fn churn<U: Build<LP>, const LP: usize>() -> Scenario<LP> {
    let sizes = U::SIZES;
    let (class, rmids) = (sizes.classes as u8 - 1, sizes.rmids);
    let straps = Config {
        line: 4,
        l3_sets: 0,
        l3_ways: sizes.l3_ways as u8,
        l2_sets: 0,
        l2_ways: sizes.l2_ways as u8,
        vendor: Vendor::Amd,
        width: 25,
        max_rmid: rmids as u8 - 1,
        l3_cos: class,
        l2_cos: class,
        mba_cos: class,
        mba_max: 0xFFF,
        mba_linear: false,
        ..Config::default()
    };
    let [l3, l2] = [straps.l3_ways, straps.l2_ways].map(|ways| (1 << ways) - 1);
    let registers = (0..=class).flat_map(|class| {
        let class = u32::from(class);
        [(L3_MASK + class, [l3, 0, l3]), (L2_MASK + class, [l2, 0, l2]), (THROTTLE + class, [0, 0xFFF, 0])]
    });
    let mut writes: Vec<_> = registers.flat_map(|(number, values)| values.map(|value| (0, number, value))).collect();
    let mut draw = Draw::new(2007);
    let access = |draw: &mut Draw| Access {
        gap: 0,
        write: draw.in_16(8),
        code: draw.in_16(8),
        addr: bits(draw) & ((1 << 52) - 1),
    };
    let mut cycles = Vec::new();
    for round in 0..4 {
        writes.extend((0..LP).map(|lp| (lp as u8, PQR_ASSOC, ((round * LP + lp) % rmids) as u64)));
        let accesses = core::array::from_fn(|_| (0..CHURN / 4).map(|_| access(&mut draw)).collect());
        cycles.extend(drive::<U, LP>(&straps, &writes, &accesses, LP, &AT_ONCE).cycles);
    }
    Scenario { straps, cycles }
}
