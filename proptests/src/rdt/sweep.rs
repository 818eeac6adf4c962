//! Runs by hand that sweep a value: the carry into each bit of the bandwidth counters, each period of delays, each mask, the resources that exist.

use super::Build;
use super::drive::{Access, drive};
use super::fill::AT_ONCE;
use super::requests::{L2_MASK, L2_QOS_CFG, L3_MASK, L3_QOS_CFG, PQR_ASSOC, QM_CTR, QM_EVTSEL, THROTTLE};
use super::scenario::Scenario;
use lwp_model::rdt::Config;

/// Bits of a bandwidth counter.
const BITS: u64 = 62;
/// Transfers of each RMID: some of them are of local memory.
const TRANSFERS: u64 = 8;
/// Periods of delays.
const PERIODS: u64 = 255;
/// Bits of a delay that is cycles.
const DELAYS: u64 = 12;

/// Returns the run in which the bandwidth counters of every RMID carry into bit `bit`, in a build of all RMIDs. None: there is no such bit.
#[must_use]
pub fn carries<U: Build<LP>, const LP: usize>(bit: u64) -> Option<Scenario<LP>> {
    let sizes = U::SIZES;
    let max = sizes.rmids as u8 - 1;
    // Two transfers below the carry; of bit 0, below the end of the counter.
    let start = (1_u64 << bit.min(BITS)).wrapping_sub(2) & ((1 << BITS) - 1);
    let straps = Config { max_rmid: max, l3_max_rmid: max, start, ..Config::default() };
    let lines = |lp: u64| (0..TRANSFERS).map(move |line| (line * LP as u64 + lp) << straps.line);
    let accesses =
        core::array::from_fn(|lp| lines(lp as u64).map(|addr| Access { addr, ..Access::default() }).collect());
    let run = |round: usize| {
        let writes: Vec<_> = (0..LP).map(|lp| (lp as u8, PQR_ASSOC, (round * LP + lp) as u64)).collect();
        drive::<U, LP>(&straps, &writes, &accesses, LP, &AT_ONCE).cycles
    };
    (bit <= BITS).then(|| Scenario { straps, cycles: (0..sizes.rmids / LP).flat_map(run).collect() })
}

/// Returns the run of a period, with delays in percent, or with each delay in cycles behind the periods. None: there is no such run.
#[must_use]
pub fn periods<U: Build<LP>, const LP: usize>(number: u64) -> Option<Scenario<LP>> {
    if number >= PERIODS + DELAYS {
        return None;
    }
    let linear = number < PERIODS;
    let (period, delays) = if linear {
        (number + 1, vec![1, 16, 50])
    } else {
        (PERIODS, vec![1 << (number - PERIODS), (2 << (number - PERIODS)) - 1])
    };
    let max = if linear { 99 } else { 0xFFF };
    let straps = Config { mba_linear: linear, mba_max: max, mba_period: period as u8, ..Config::default() };
    let mut accesses: [Vec<Access>; LP] = core::array::from_fn(|_| Vec::new());
    let access = |line: u64| Access { gap: if line == 1 { u8::MAX } else { 0 }, addr: line << 12, ..Access::default() };
    accesses[0] = (0..4).map(access).collect();
    let run = |delay: u64| {
        let writes = [(0, THROTTLE + 1, delay), (0, PQR_ASSOC, 1 << 32)];
        drive::<U, LP>(&straps, &writes, &accesses, 1, &AT_ONCE).cycles
    };
    Some(Scenario { straps, cycles: delays.into_iter().flat_map(run).collect() })
}

/// Returns the run in which every mask in one piece is written, and each of them with a hole, for both caches of a build.
#[must_use]
pub fn masks<U: Build<LP>, const LP: usize>() -> Scenario<LP> {
    let sizes = U::SIZES;
    let (l3_ways, l2_ways) = (sizes.l3_ways as u8, sizes.l2_ways as u8);
    let straps = Config { l3_ways, l2_ways, l3_cdp: false, l2_cdp: false, ..Config::default() };
    let mut writes = Vec::new();
    for (number, ways) in [(L3_MASK, l3_ways), (L2_MASK, l2_ways)] {
        for mask in pieces(ways) {
            writes.extend(core::iter::once(mask).chain(holes(mask, ways)).map(|mask| (0, number, mask)));
        }
    }
    let accesses = core::array::from_fn(|_| Vec::new());
    Scenario { straps, cycles: drive::<U, LP>(&straps, &writes, &accesses, 0, &AT_ONCE).cycles }
}

/// Returns the run in which every register is written, with monitoring (bit 0 of `number`), masks of L3 and L2 and delays (bits 1 to 3) that
/// exist or not. None: there is no such run.
#[must_use]
pub fn resources<U: Build<LP>, const LP: usize>(number: u64) -> Option<Scenario<LP>> {
    let [monitoring, l3_cat, l2_cat, mba] = [0, 1, 2, 3].map(|bit| number >> bit & 1 != 0);
    let highest = |exists: bool, highest: u8| if exists { highest } else { 0 };
    let straps = Config {
        events: highest(monitoring, 7),
        max_rmid: highest(monitoring, 3),
        l3_max_rmid: highest(monitoring, 3),
        l3_cat,
        l3_cdp: l3_cat,
        l3_cos: highest(l3_cat, 3),
        l2_cat,
        l2_cdp: l2_cat,
        l2_cos: highest(l2_cat, 3),
        mba,
        mba_cos: highest(mba, 3),
        ..Config::default()
    };
    let all =
        [L3_QOS_CFG, L2_QOS_CFG, QM_EVTSEL, QM_CTR, L3_MASK, L2_MASK, L3_MASK + 3, L2_MASK + 3, THROTTLE, THROTTLE + 3];
    let mut writes: Vec<_> = all.iter().flat_map(|number| [(0, *number, 1), (1, *number, 0)]).collect();
    writes.extend([1, 1 << 32, 3 << 32 | 3, 2 << 32, 0].map(|value| (0, PQR_ASSOC, value)));
    let accesses = core::array::from_fn(|_| Vec::new());
    (number < 16).then(|| Scenario { straps, cycles: drive::<U, LP>(&straps, &writes, &accesses, 0, &AT_ONCE).cycles })
}

/// Every mask of neighbouring ways.
fn pieces(ways: u8) -> impl Iterator<Item = u64> {
    (0..ways).flat_map(move |low| (1..=ways - low).map(move |length| ((1 << length) - 1) << low))
}

/// The mask without one of its ways, each in turn.
fn holes(mask: u64, ways: u8) -> impl Iterator<Item = u64> {
    (0..ways).map(move |way| mask & !(1 << way)).filter(move |holed| *holed != mask)
}
