//! How fast a delayed logical processor may access the L3 cache.

use super::plain::{Delays, MOST, Straps};
use super::registers::Registers;
use super::world::Access;

/// Accesses that are remembered, at most.
const REMEMBERED: usize = 256;

/// One logical processor.
#[derive(Clone, Debug, Default)]
struct Lane {
    /// The delay values of the thread that it runs now, and of that which made the request in progress.
    delays: [u64; 2],
    /// First cycle with these delays.
    since: u64,
    /// First and last cycle in which each access to the L3 cache since then may have been let through.
    passed: Vec<[u64; 2]>,
}

/// The pace of all logical processors.
#[derive(Clone, Debug, Default)]
pub(super) struct Pace([Lane; MOST]);

/// Returns what a logical processor with this delay earns in a cycle, and what an access to the L3 cache costs.
// RDT-09.
pub(super) const fn price(delays: &Delays, delay: u64) -> Option<[u64; 2]> {
    match delay {
        0 => None,
        _ if delays.linear => Some([100 - delay, 100 * delays.period]),
        _ => Some([1, delays.period + (1 << delay.ilog2())]),
    }
}

impl Pace {
    /// Notes the delays that are in force from this cycle on. A request keeps its class (RDT-13); a logical processor may be said to
    /// have that class, or that of its thread, while the request is in progress.
    pub(super) fn limit(
        &mut self,
        straps: &Straps,
        from: u64,
        registers: &Registers,
        accesses: &[Option<Access>; MOST],
    ) {
        let Some(delays) = straps.delays else { return };
        let own = |lp: usize| {
            let now = registers.thread(lp).1;
            [now, accesses[lp].map_or(now, |access| access.class)].map(|class| registers.limits.delay(class))
        };
        let all = (0..straps.processors).map(own);
        let most = all.fold([0; 2], |most: [u64; 2], own| [most[0].max(own[0]), most[1].max(own[1])]);
        for (lp, lane) in self.0.iter_mut().enumerate().take(straps.processors) {
            let delays = if delays.core { most } else { own(lp) };
            if delays != lane.delays {
                *lane = Lane { delays, since: from, passed: Vec::new() };
            }
        }
    }

    /// Returns the cycles that a logical processor waits at most, and the first cycle since which that is so.
    pub(super) fn wait(&self, straps: &Straps, lp: usize) -> (u64, u64) {
        let Lane { delays, since, .. } = &self.0[lp];
        let price = |delay: &u64| straps.delays.and_then(|delays| price(&delays, *delay));
        let waits = delays.iter().map(|delay| price(delay).map_or(0, |[rate, cost]| cost.div_ceil(rate)));
        (waits.max().unwrap_or(0), *since)
    }

    /// Checks that an access to the L3 cache does not come too early. It was let through in a cycle of `span`. Returns whether there was
    /// an access before it that it could be too early after.
    // "At most 1 + n x rate / cost requests in n cycles."
    pub(super) fn pass(&mut self, straps: &Straps, lp: usize, span: [u64; 2]) -> Result<bool, String> {
        let lane = &mut self.0[lp];
        let [delay, other] = lane.delays;
        let price = straps.delays.filter(|_| delay == other).and_then(|delays| price(&delays, delay));
        let (Some([rate, cost]), true) = (price, span[0] > lane.since) else { return Ok(false) };
        if lane.passed.len() == REMEMBERED {
            lane.passed.remove(0);
        }
        lane.passed.push(span);
        for (at, [first, _]) in lane.passed.iter().enumerate() {
            let (more, cycles) = ((lane.passed.len() - at - 1) as u64, span[1] - first + 1);
            if more * cost > cycles * rate {
                return Err(format!(
                    "logical processor {lp} with delay {delay} makes {} accesses to the L3 cache in at most {cycles} cycles",
                    more + 1
                ));
            }
        }
        Ok(lane.passed.len() > 1)
    }
}
