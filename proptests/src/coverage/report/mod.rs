//! One report of everything that was counted.

mod functional;
mod html;
mod rtl;
mod text;

pub use functional::{BinReport, CrossReport};
pub use rtl::{FileReport, LineReport, SignalReport};

use super::rtl::{Places, RtlClaims, RtlList};
use super::{Claims, Totals};
use serde::Serialize;

/// Version of the form of `report.json`.
const FORMAT: u32 = 1;

/// Everything that was counted.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Version of this form.
    pub format: u32,
    /// Version of the bins.
    pub version: String,
    /// Runs counted.
    pub runs: u64,
    /// Cycles counted.
    pub cycles: u64,
    /// The crosses.
    pub crosses: Vec<CrossReport>,
    /// The files of the RTL; empty if it was not counted.
    pub files: Vec<FileReport>,
    /// Claims that a run or an edit disproves.
    pub disproved: Vec<String>,
}

/// Parts of a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Share {
    /// Met.
    pub met: usize,
    /// Out of reach, with a reason.
    pub unreachable: usize,
    /// All.
    pub all: usize,
}

impl Share {
    /// Neither met nor out of reach.
    #[must_use]
    pub fn holes(&self) -> usize {
        self.all - self.met - self.unreachable
    }

    /// Met, of what is in reach, in percent.
    #[must_use]
    pub fn percent(&self) -> f64 {
        let reachable = self.all - self.unreachable;
        if reachable == 0 { 100.0 } else { 100.0 * self.met as f64 / reachable as f64 }
    }

    fn add(&mut self, other: Self) {
        self.met += other.met;
        self.unreachable += other.unreachable;
        self.all += other.all;
    }
}

impl Report {
    /// The report of these counts.
    ///
    /// # Errors
    ///
    /// If the list of places of the RTL that are out of reach is wrong.
    pub fn new(totals: &Totals, claims: &Claims, places: Option<(&Places, &RtlList)>) -> Result<Self, String> {
        let layout = totals.layout;
        let mut disproved: Vec<String> = claims
            .disproved(&totals.counts)
            .into_iter()
            .map(|bin| format!("{} was met, though it is listed as out of reach", layout.name(bin)))
            .collect();
        let mut files = Vec::new();
        if let Some((places, list)) = places {
            let claims = RtlClaims::new(list)?;
            disproved.extend(claims.wrong(places));
            files = rtl::files(places, &claims);
        }
        let (runs, cycles, version) = (totals.runs, totals.cycles, layout.version().to_owned());
        let crosses = functional::crosses(totals, claims);
        Ok(Self { format: FORMAT, version, runs, cycles, crosses, files, disproved })
    }

    /// Bins.
    #[must_use]
    pub fn bins(&self) -> Share {
        sum(self.crosses.iter().map(|cross| cross.share))
    }

    /// Blocks and branches of the RTL.
    #[must_use]
    pub fn lines(&self) -> Share {
        sum(self.files.iter().map(|file| file.lines))
    }

    /// Bits of the RTL that change.
    #[must_use]
    pub fn toggles(&self) -> Share {
        sum(self.files.iter().map(|file| file.toggles))
    }

    /// A page that needs nothing beside it.
    #[must_use]
    pub fn html(&self) -> String {
        html::page(self)
    }

    /// What a terminal shows, with so many holes by name.
    #[must_use]
    pub fn text(&self, holes: usize) -> String {
        text::summary(self, holes)
    }
}

fn sum(shares: impl Iterator<Item = Share>) -> Share {
    shares.fold(Share::default(), |mut all, share| {
        all.add(share);
        all
    })
}
