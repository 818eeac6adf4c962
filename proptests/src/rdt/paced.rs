//! Logical processors under delays, next to a memory that answers within a bound: none starves.

use super::Build;
use super::delay::Price;
use super::drive::{Access, Driven, Memory, drive};
use super::random::Chance;
use super::requests::{PQR_ASSOC, THROTTLE};
use super::straps::straps;
use super::traffic::lines;
use crate::straps::Draw;
use lwp_model::rdt::{Config, Scope};
use proptest::prelude::*;

/// Accesses of a logical processor at most.
const ACCESSES: usize = 40;

/// Cycles of the steps of an access that do not wait: all of those of the L3 cache and the choice.
const STEPS: u64 = 12;

/// Logical processors with classes and delays.
#[derive(Clone, Debug)]
pub struct Paced<const LP: usize> {
    /// The straps, with delays.
    pub straps: Config,
    /// The delay of each logical processor's class.
    pub delays: [u64; LP],
    /// Registers that are written first.
    pub writes: Vec<(u8, u32, u64)>,
    /// Accesses of each logical processor.
    pub accesses: [Vec<Access>; LP],
    /// How long memory takes.
    pub memory: Memory,
}

/// Generates logical processors, each with a class of some delay.
pub fn paced<U: Build<LP>, const LP: usize>() -> BoxedStrategy<Paced<LP>> {
    let memory = (0..4_u8, 1..4_u8, any::<u64>().no_shrink());
    let seed = any::<u64>().no_shrink();
    (straps(U::SIZES), lines(), 1..=ACCESSES, memory, seed)
        .prop_map(|(straps, lines, count, memory, seed)| {
            let mut draw = Draw::new(seed);
            let straps = Config {
                mba: true,
                mba_cos: U::SIZES.classes as u8 - 1,
                mba_max: straps.mba_max.clamp(1, 99),
                mba_period: straps.mba_period.clamp(1, 20),
                ..straps
            };
            let of_class: Vec<u64> =
                (0..=straps.mba_cos).map(|_| draw.below(usize::from(straps.mba_max) + 1) as u64).collect();
            let mut writes: Vec<_> = (0..).zip(&of_class).map(|(class, delay)| (0, THROTTLE + class, *delay)).collect();
            let mut delays = [0; LP];
            for (lp, delay) in delays.iter_mut().enumerate() {
                let class = draw.below(of_class.len());
                *delay = of_class[class];
                writes.push((lp as u8, PQR_ASSOC, (class as u64) << 32));
            }
            let access = |draw: &mut Draw| Access {
                gap: if draw.in_16(12) { 0 } else { draw.below(8) as u8 },
                write: draw.in_16(8),
                code: draw.in_16(4),
                addr: lines.address(draw, &straps, 0),
            };
            let accesses = core::array::from_fn(|_| (0..count).map(|_| access(&mut draw)).collect());
            let (grant, answer, seed) = memory;
            Paced { straps, delays, writes, accesses, memory: Memory { grant, answer, seed } }
        })
        .boxed()
}

impl<const LP: usize> Paced<LP> {
    /// Plays the accesses of all.
    #[must_use]
    pub fn play<U: Build<LP>>(&self) -> Driven<LP> {
        drive::<U, LP>(&self.straps, &self.writes, &self.accesses, LP, &self.memory)
    }

    /// Returns the most cycles from the request of a logical processor to its end: twice a turn of all others, and the credit.
    #[must_use]
    pub fn most(&self, lp: usize) -> u64 {
        let delay = match self.straps.mba_scope {
            Scope::Thread => self.delays[lp],
            Scope::Core => self.delays.iter().copied().max().unwrap_or(0),
        };
        let price = Price::of(&self.straps, delay);
        let credit = if price.rate == 0 { 0 } else { price.cost.div_ceil(price.rate) };
        let one = STEPS + 2 * (u64::from(self.memory.grant) + 1) + u64::from(self.memory.answer);
        (2 * LP as u64 + 1) * one + credit
    }
}
