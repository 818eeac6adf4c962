//! Front end: supplies the outcomes of loads and predictions for traces that lack them.
//!
//! A trace that is not [annotated](crate::traces::TraceReader::annotated) contains the targets of branches and the addresses of
//! loads. [`FrontEnd::annotate`] passes the instructions in order through a model of a cache hierarchy and a model of a branch
//! predictor, and writes the outcomes into them. The models are small, deterministic and replaceable: implement [`DataCache`] or
//! [`BranchPredictor`].
//!
//! What the default models leave out: stores (they allocate nothing),
//! prefetchers, instruction fetch, address translation and other cores.

mod cache;
mod config;
mod hierarchy;
mod predictor;

pub use cache::Cache;
pub use config::{ConfigError, FrontEndConfig};
pub use hierarchy::CacheHierarchy;
pub use predictor::TablePredictor;

use crate::traces::{Branch, BranchKind, Retired};

/// Place where the data of a load was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheMiss {
    /// Lowest address of the load whose line was not in the first-level data cache.
    pub addr: u64,
    /// Latency in cycles.
    pub latency: u32,
    /// Source of the data as in the event record: 0 second level, 1 local L3, 3 DRAM (AMB-13).
    pub source: u8,
}

/// A model of everything behind a load.
pub trait DataCache {
    /// Loads `size` bytes (0 if unknown: one byte) at `addr`; `None` if the first-level data cache
    /// has them all. However many lines a load touches, it misses once (AMB-52).
    fn load(&mut self, addr: u64, size: u16) -> Option<CacheMiss>;
}

/// A model of a branch predictor.
pub trait BranchPredictor {
    /// Predicts the branch at `ip`, updates the predictor with the outcome, and returns whether the prediction was correct. Not called
    /// for [`BranchKind::System`].
    fn predict(&mut self, ip: u64, branch: &Branch) -> bool;
}

/// Cache model and predictor through which a trace passes.
#[derive(Clone, Debug)]
pub struct FrontEnd<C = CacheHierarchy, P = TablePredictor> {
    cache: C,
    predictor: P,
}

impl FrontEnd {
    /// The default models with these parameters.
    ///
    /// # Errors
    /// [`ConfigError`] if a parameter is out of its range.
    pub fn new(config: &FrontEndConfig) -> Result<Self, ConfigError> {
        config.validate()?;
        Ok(Self::from_models(CacheHierarchy::new(config), TablePredictor::new(config)))
    }
}

impl<C: DataCache, P: BranchPredictor> FrontEnd<C, P> {
    /// Any models.
    pub fn from_models(cache: C, predictor: P) -> Self {
        Self { cache, predictor }
    }

    /// Supplies `miss`, `latency` and `source` of every load whose address is known, and `predicted` of every branch. `before_miss` is the
    /// distance to the lowest byte that missed. `System` transfers are not branches, and keep their `predicted`.
    #[inline]
    pub fn annotate(&mut self, retired: &mut Retired) {
        for load in &mut retired.loads {
            let Some(addr) = load.addr else { continue };
            let miss = self.cache.load(addr, load.size);
            load.miss = miss.is_some();
            let CacheMiss { addr: missed, latency, source } =
                miss.unwrap_or(CacheMiss { addr, ..CacheMiss::default() });
            (load.latency, load.source) = (latency, source);
            // A load has fewer bytes than fit here.
            load.before_miss = missed.wrapping_sub(addr) as u16;
        }
        if let Some(branch) = &mut retired.branch
            && branch.kind != BranchKind::System
        {
            branch.predicted = Some(self.predictor.predict(retired.ip, branch));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traces::Load;

    fn loading(addr: Option<u64>, size: u16) -> Retired {
        let load = Load { addr, size, miss: true, latency: 9, source: 7, before_miss: 0 };
        Retired { ip: 0x1000, cpl: 3, loads: vec![load], ..Retired::default() }
    }

    #[test]
    fn a_load_misses_once_and_then_hits() {
        let mut front = FrontEnd::new(&FrontEndConfig::default()).expect("defaults are valid");
        let mut first = loading(Some(0x8010), 8);
        front.annotate(&mut first);
        assert_eq!(
            first.loads[0],
            Load { addr: Some(0x8010), size: 8, miss: true, latency: 200, source: 3, before_miss: 0 }
        );
        let mut second = loading(Some(0x8018), 8);
        front.annotate(&mut second);
        assert_eq!(second.loads[0], Load { addr: Some(0x8018), size: 8, ..Load::default() });
    }

    // Its second line misses: the load itself begins where it did.
    #[test]
    fn the_lowest_byte_that_missed_may_lie_inside() {
        let mut front = FrontEnd::new(&FrontEndConfig::default()).expect("defaults are valid");
        front.annotate(&mut loading(Some(0x8030), 8));
        let mut across = loading(Some(0x803D), 8);
        front.annotate(&mut across);
        let load = across.loads[0];
        assert_eq!((load.addr, load.miss, load.miss_addr()), (Some(0x803D), true, Some(0x8040)));
    }

    // LWP-DCM-04, LWP-DCM-05: only loads of the instruction itself come to the unit: fetches, branches, system transfers (which read
    // descriptors and walk tables) and stores, which the trace does not carry, bring none.
    #[test]
    fn nothing_but_loads_brings_misses() {
        let mut front = FrontEnd::new(&FrontEndConfig::default()).expect("defaults are valid");
        for kind in [BranchKind::System, BranchKind::FarCall, BranchKind::JmpInd] {
            let branch = Branch { kind, taken: true, next: 0x7000_0000, predicted: None };
            let mut retired = Retired { ip: 0x5000_0000, cpl: 3, branch: Some(branch), ..Retired::default() };
            front.annotate(&mut retired);
            assert_eq!(retired.loads, []);
        }
        // The lines of those instructions and targets were not loaded by anybody: a load of one of them misses.
        let mut retired = loading(Some(0x7000_0000), 8);
        front.annotate(&mut retired);
        assert!(retired.loads[0].miss);
    }

    #[test]
    fn a_load_at_an_unknown_address_is_left_alone() {
        let mut front = FrontEnd::new(&FrontEndConfig::default()).expect("defaults are valid");
        let mut retired = loading(None, 8);
        front.annotate(&mut retired);
        assert_eq!(retired, loading(None, 8));
    }

    #[test]
    fn a_system_transfer_is_not_predicted() {
        let mut front = FrontEnd::new(&FrontEndConfig::default()).expect("defaults are valid");
        for (kind, predicted) in [(BranchKind::System, None), (BranchKind::Jmp, Some(true))] {
            let branch = Branch { kind, taken: true, next: 0x2000, predicted: None };
            let mut retired = Retired { ip: 0x1000, branch: Some(branch), ..Retired::default() };
            front.annotate(&mut retired);
            assert_eq!(retired.branch.and_then(|branch| branch.predicted), predicted, "{kind:?}");
        }
    }
}
