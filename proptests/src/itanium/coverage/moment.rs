//! A cycle, and the bins that it meets.

use super::crosses::Cover;
use super::flight::{self, Flight, InFlight, entry};
use super::{counting, requests, tags};
use crate::coverage::Bins;
use crate::itanium::straps::FACTORS;
use lwp_model::itanium::{Config, Dbr, Fetch, Ibr, Inputs, IsmOrder, MAX_ENTRIES, Mem, Outputs, Retire, State};
use recording::Recording;

/// A cycle out of reset, and the registers of the next one.
pub(super) struct Moment<'a, const BUNDLES: usize, const ENTRIES: usize> {
    pub(super) straps: &'a Config,
    pub(super) inputs: &'a Inputs<BUNDLES>,
    pub(super) now: &'a State,
    pub(super) next: &'a State,
    pub(super) flight: &'a Flight,
}

/// Counts what a run of a unit with these straps meets, from power-up on.
pub fn sample<const BUNDLES: usize, const ENTRIES: usize>(
    straps: &Config,
    recording: &Recording<Inputs<BUNDLES>, Outputs, State>,
    bins: &mut Bins,
) {
    let mut first = 0;
    for factor in FACTORS.iter() {
        bins.hit(Cover::StrapValue, [first + factor.level(straps)]);
        first += factor.levels;
    }
    let mut flight = [InFlight::default(); MAX_ENTRIES];
    for pair in recording.cycles.windows(2) {
        let [cycle, after] = pair else { continue };
        if cycle.rst_n && after.rst_n {
            let (inputs, now, next) = (&cycle.inputs, &cycle.state, &after.state);
            let moment = Moment::<BUNDLES, ENTRIES> { straps, inputs, now, next, flight: &flight };
            requests::sample(&moment, bins);
            counting::sample(&moment, bins);
            tags::sample(&moment, bins);
            flight::follow::<BUNDLES, ENTRIES>(&mut flight, inputs, now);
        } else {
            flight = [InFlight::default(); MAX_ENTRIES];
            if cycle.rst_n {
                requests::reset(&cycle.inputs, &cycle.state, bins);
            }
        }
    }
}

impl<const BUNDLES: usize, const ENTRIES: usize> Moment<'_, BUNDLES, ENTRIES> {
    /// Returns the entry of a number.
    pub(super) fn entry(&self, id: u8) -> usize {
        entry::<ENTRIES>(id)
    }

    /// Whether `ism` monitors the code that runs.
    pub(super) fn monitors_code(&self, ism: u8) -> bool {
        let printed = self.straps.ism_order == IsmOrder::Printed;
        ism >> u8::from(self.inputs.psr_is != printed) & 1 == 0
    }

    /// Whether monitors of this kind are those of the process that runs.
    pub(super) fn process(&self, pm: bool) -> bool {
        if pm { self.now.status.pp } else { self.now.status.up }
    }

    /// Whether this mask has the level that runs.
    pub(super) fn in_plm(&self, plm: u8) -> bool {
        plm >> self.inputs.cpl & 1 != 0
    }

    /// Whether a monitor with these fields is on.
    pub(super) fn on(&self, plm: u8, pm: bool, ism: u8) -> bool {
        !self.now.freeze.fr && self.process(pm) && self.in_plm(plm) && self.monitors_code(ism)
    }

    /// Returns the instructions that retire: their bundle and slot.
    pub(super) fn retiring(&self) -> impl Iterator<Item = (&Retire, u8)> {
        let runs = !self.inputs.psr_is && !self.inputs.int_valid;
        let bundles = self.inputs.retire.iter().filter(move |retire| runs && retire.valid);
        bundles.flat_map(|retire| (0..3).filter(|s| retire.slots >> s & 1 != 0).map(move |s| (retire, s)))
    }

    /// Returns the memory records.
    pub(super) fn records(&self) -> impl Iterator<Item = &Mem> {
        self.inputs.mem.iter().filter(|mem| mem.valid)
    }

    /// Returns how many IBR pairs, as ranges and as breakpoints, hit a fetch.
    pub(super) fn ibrs(&self, fetch: &Fetch) -> (usize, usize) {
        let hit =
            |pair: &&Ibr| agrees(fetch.addr & !0xF, pair.addr & !0xF, pair.mask) && pair.plm >> fetch.cpl & 1 != 0;
        let hits = || self.now.ibr.iter().filter(hit);
        (hits().filter(|pair| !pair.x).count(), hits().filter(|pair| pair.x).count())
    }

    /// Returns how many DBR pairs hit a record.
    pub(super) fn dbrs(&self, mem: &Mem) -> usize {
        let hit = |pair: &&Dbr| agrees(mem.addr, pair.addr, pair.mask) && self.in_plm(pair.plm);
        self.now.dbr.iter().filter(hit).count()
    }

    /// Whether IBRRangeTag of a fetch in this cycle is 1.
    pub(super) fn range(&self, fetch: &Fetch) -> bool {
        self.now.pmc13.ta || self.ibrs(fetch).0 != 0
    }

    /// Whether DBRRangeTag of a record in this cycle is hit, while IA-64 code runs.
    pub(super) fn data(&self, mem: &Mem) -> bool {
        self.now.pmc11.pt || self.dbrs(mem) != 0
    }
}

/// Whether two addresses agree in bits 63:56 and in those of `mask`.
fn agrees(one: u64, other: u64, mask: u64) -> bool {
    (one ^ other) & (mask | 0xFF << 56) == 0
}

/// Returns 0, 1 or 2 for none, one or more.
pub(super) fn few(number: usize) -> usize {
    number.min(2)
}
