//! The small worlds of the event qualification: one bundle a cycle, four in flight.
//!
//! A counter has 32 bits and comes back only by a write. So there are letters with events only while no counter is far from 0.

mod parts;

use crate::world::{AnyWorld, boxed};
use lwp_model::itanium::{Config, Inputs, IsmOrder, Itanium, Mem, RegOp, State, UpOnInterruption};
use parts::*;

/// The model with the sizes of the small worlds.
pub type Unit = Itanium<1, 4>;

/// One small world.
#[derive(Clone, Debug)]
pub struct World {
    /// Its name on the command line.
    pub name: &'static str,
    /// What is in it, in a line.
    pub about: &'static str,
    /// The straps.
    pub straps: Config,
    /// The cycles from reset to the root.
    pub way_in: Vec<Inputs<1>>,
    /// What can happen in a cycle in which nothing counts.
    pub still: Vec<Inputs<1>>,
    /// What can happen besides, with events.
    pub moving: Vec<Inputs<1>>,
    /// Counts from here on, and below 2^32 - 4, are far.
    pub far: u32,
}

impl crate::World for World {
    type Unit = Unit;
    const BUILD: &'static str = "itanium_b1e4";

    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn straps(&self) -> Config {
        self.straps
    }

    fn way_in(&self) -> Vec<Inputs<1>> {
        self.way_in.clone()
    }

    fn letters(&self, state: &State) -> usize {
        let far = state.counter.iter().any(|counter| (self.far..u32::MAX - 3).contains(&counter.count));
        self.still.len() + if far { 0 } else { self.moving.len() }
    }

    fn letter(&self, _: &State, letter: usize) -> Inputs<1> {
        self.still.get(letter).copied().unwrap_or_else(|| self.moving[letter - self.still.len()])
    }
}

/// Two counters of the core's clock: what freezes, what interrupts, what is read of them.
fn freeze() -> World {
    let clock = LEVELS | 0x12 << ES;
    let mut still = vec![
        Cycle::default(),
        Cycle { irq_ack: true, ..Cycle::default() },
        Cycle { irq_ack: true, ..write(PMC, 0, 0) },
        write(PMC, 0, 0),
        write(PMC, 0, 1),
        write(PMC, 0, 0x20),
        write(PMD, 4, 0xFFFF_FFFE),
        write(PMD, 5, 0xFFFF_FFFF),
        read(PMC, 0),
        read(PMD, 4),
        at(3, read(PMD, 5)),
    ];
    let moving = still.iter().map(|cycle| clocked(*cycle)).collect();
    still.push(at(3, read(PMD, 4)));
    World {
        name: "overflow",
        about: "two counters overflow, with oi and ev and without; PMC[0], PMD and the interrupt in the same cycles",
        straps: Config::default(),
        way_in: vec![
            write(PMC, 4, clock | OI | EV),
            write(PMC, 5, clock | PM),
            ask(RegOp::WritePsrL, 0, UP | PP),
            write(PMC, 0, 0),
        ],
        still,
        moving,
        far: 2,
    }
}

/// The same with `freeze_always`.
fn always() -> World {
    World {
        name: "overflow-always",
        about: "as overflow, with freeze_always",
        straps: Config { freeze_always: true, ..Config::default() },
        ..freeze()
    }
}

/// What changes PSR.up, PSR.sp, PSR.pp and DCR.pp, at two levels; what the address registers and the trace buffer see of it.
fn psr() -> World {
    let ops = [RegOp::Sum, RegOp::Rum, RegOp::WritePsrUm, RegOp::Ssm, RegOp::Rsm, RegOp::WritePsrL, RegOp::Rfi];
    let sources = (0..8_u64).map(|bits| ((bits & 1) * UP) | ((bits >> 1 & 1) * SP) | ((bits >> 2) * PP));
    let all = ops.iter().flat_map(|op| sources.clone().map(|source| ask(*op, 0, source)));
    let moves = [write(CR, 0, 0), write(CR, 0, 1), read(CR, 0), ask(RegOp::Rdmsr, 0, UP), read(CR, 1), read(IBR, 8)];
    let cycles: Vec<_> = all.chain(moves).chain([Cycle::default()]).collect();
    let interruptions = [0, 3].map(|cpl| Cycle { cpl, int_valid: true, ..ask(RegOp::WritePsrL, 0, 0) });
    World {
        name: "psr",
        about: "every instruction that changes the PSR, with every source, at two levels; DCR.pp; interruptions; IA-32 code",
        straps: Config::default(),
        way_in: vec![
            write(PMC, 10, 0b1001),
            write(PMC, 11, 0b1000 | PM | 1 << ISM | 1 << 28),
            write(PMC, 12, 0b0001 | PM),
            write(PMC, 0, 0),
        ],
        still: cycles
            .iter()
            .flat_map(|cycle| [*cycle, at(3, *cycle)])
            .chain(interruptions)
            .chain([Cycle { psr_is: true, ..Cycle::default() }])
            .collect(),
        moving: Vec::new(),
        far: 0,
    }
}

/// The same with PSR.up cleared by interruptions.
fn cleared() -> World {
    World {
        name: "psr-cleared",
        about: "as psr, with PSR.up cleared by an interruption",
        straps: Config { up_on_interruption: UpOnInterruption::Cleared, ..Config::default() },
        ..psr()
    }
}

/// A monitor with each pm and ism, at two levels, in both instruction sets.
fn monitor(name: &'static str, about: &'static str, ism_order: IsmOrder) -> World {
    let pmc = |plm: u64, pm: u64, ism: u64| write(PMC, 4, plm | (pm * PM) | 0x12 << ES | ism << ISM);
    let levels = [0b0001, 0b1000, 0b1001];
    let pmcs = levels.iter().flat_map(|plm| (0..8).map(move |bits| pmc(*plm, bits & 1, bits >> 1)));
    let psr = [0, UP, PP].map(|source| ask(RegOp::WritePsrL, 0, source));
    let still: Vec<_> = pmcs
        .chain(psr)
        .chain([write(PMC, 0, 0), write(PMC, 0, 1), write(PMD, 4, 0xFFFF_FFFF), Cycle::default()])
        .collect();
    let modes = [(0, false), (0, true), (3, false), (3, true)];
    let clocked = modes.map(|(cpl, psr_is)| in_mode(cpl, psr_is, clocked(Cycle::default())));
    let moving = clocked.into_iter().chain([Cycle { core_clock: true, ..pmc(0b0001, 0, 0) }]).collect();
    World { name, about, straps: Config { ism_order, ..Config::default() }, way_in: Vec::new(), still, moving, far: 1 }
}

/// Tags of two bundles in flight, made by a range and a matcher that are written meanwhile.
fn tags() -> World {
    let fetches = [None, Some(fetch(4, 0x1000)), Some(fetch(0, 0x1010)), Some(fetch(1, 0x1008))];
    let issues = [None, Some(issue(0, 0x00, NOP)), Some(issue(8, 0x04, NOP)), Some(issue(1, 0x06, NOP))];
    let retires = [None, Some(retire(0, 0b111)), Some(retire(1, 0b010))];
    let ports = fetches.into_iter().flat_map(move |fetch| issues.map(|issue| (fetch, issue)));
    let shown: Vec<_> = ports
        .flat_map(|(fetch, issue)| {
            let mut cycle = Cycle::default();
            (cycle.fetch[0], cycle.issue[0]) = (fetch.unwrap_or_default(), issue.unwrap_or_default());
            [cycle, Cycle { psr_is: true, ..cycle }]
        })
        .collect();
    let moving = shown
        .iter()
        .flat_map(|cycle| retires[1..].iter().flatten().map(|retire| Cycle { retire: [*retire], ..*cycle }));
    let writes = [write(PMC, 13, 0), write(PMC, 13, 1), write(PMC, 8, ONLY_NOP), write(PMC, 8, u64::MAX)];
    let fetched = Cycle { fetch: [fetch(0, 0x1010)], ..writes[1] };
    let issued = Cycle { issue: [issue(0, 0x00, NOP)], ..writes[3] };
    World {
        name: "tags",
        about: "two bundles in flight, a range and a matcher that are written meanwhile; fetch, issue and retirement of one entry",
        straps: Config::default(),
        way_in: vec![
            write(IBR, 0, 0x1000),
            write(IBR, 1, 0x01FF_FFFF_FFFF_FFF0),
            write(PMC, 4, LEVELS | 0x08 << ES | 3 << UMASK | 2 << THRESHOLD),
            write(PMC, 5, LEVELS | 0x08 << ES | 2 << UMASK),
            write(PMC, 8, ONLY_NOP),
            write(PMC, 9, 1 << 62 | 0x3FFF_FFF8),
            ask(RegOp::WritePsrL, 0, UP),
            write(PMC, 0, 0),
        ],
        still: shown
            .iter()
            .copied()
            .chain(writes)
            .chain([fetched, issued, write(PMD, 4, 0xFFFF_FFFF), write(PMD, 5, 0xFFFF_FFFF)])
            .collect(),
        moving: moving.collect(),
        far: 1,
    }
}

/// Memory records in a data range and outside of it.
fn data() -> World {
    let addresses = [0x8000, 0x8FFF, 0x9000, 0x100_0000_0000_8000];
    let records: Vec<Mem> = addresses.iter().flat_map(|addr| [load(0, *addr), load(1, *addr)]).collect();
    let pairs = records.iter().flat_map(|one| {
        let both = [Mem::default(), records[0], records[4]];
        both.map(|other| Cycle { mem: [*one, other], ..Cycle::default() })
    });
    let modes = [(0, false), (3, false), (0, true)];
    let moving = pairs.flat_map(|cycle| modes.map(|(cpl, psr_is)| in_mode(cpl, psr_is, cycle))).collect();
    let fetched = Cycle { fetch: [fetch(0, 0)], ..Cycle::default() };
    let issued = Cycle { issue: [issue(0, 0x00, NOP)], ..Cycle::default() };
    World {
        name: "records",
        about: "one or two memory records in a data range and outside of it, of a tagged instruction and of another",
        straps: Config::default(),
        way_in: vec![
            write(DBR, 0, 0x8000),
            write(DBR, 1, 0x01FF_FFFF_FFFF_F000),
            write(PMC, 4, LEVELS | 0x66 << ES),
            write(PMC, 5, LEVELS | 0x6C << ES | 1 << THRESHOLD),
            ask(RegOp::WritePsrL, 0, UP),
            write(PMC, 0, 0),
            fetched,
            issued,
        ],
        still: vec![
            Cycle::default(),
            write(PMC, 11, 0),
            write(PMC, 11, 1 << 28),
            write(DBR, 1, 0x09FF_FFFF_FFFF_F000),
            write(DBR, 1, 0x01FF_FFFF_FFFF_F000),
            write(PMD, 4, 0xFFFF_FFFF),
            write(PMD, 5, 0xFFFF_FFFF),
        ],
        moving,
        far: 2,
    }
}

/// Every world.
#[must_use]
pub fn all() -> Vec<World> {
    let field =
        monitor("ism", "a monitor with each pm and ism, at two levels, in both instruction sets", IsmOrder::Field);
    let printed = monitor("ism-printed", "as ism, with the bits in the printed order", IsmOrder::Printed);
    vec![data(), tags(), field, printed, psr(), cleared(), freeze(), always()]
}

/// The world with this name.
#[must_use]
pub fn find(name: &str) -> Option<World> {
    all().into_iter().find(|world| world.name == name)
}

/// The same for the list of all units.
pub(crate) fn worlds() -> Vec<Box<dyn AnyWorld>> {
    boxed(all())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Machine, World as _};

    /// Each letter is another one.
    #[test]
    fn letters_differ() {
        for world in all() {
            let state = *world.enter(Machine::new(world.model())).state();
            let all: Vec<_> = (0..world.letters(&state)).map(|letter| world.letter(&state, letter)).collect();
            assert_eq!(all.len(), world.still.len() + world.moving.len(), "{}: the root is far", world.name);
            for (at, one) in all.iter().enumerate() {
                assert!(!all[..at].contains(one), "{}: {one:?}", world.name);
            }
        }
    }
}
