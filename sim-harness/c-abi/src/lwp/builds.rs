//! The sizes that are built in. One more is one more line here, and one in the header's comment.

use crate::failure::Failure;
use crate::unit::AnyUnit;
use lwp_model::lwp::{Config, ConfigError, Lwp};

struct Build {
    lanes: u32,
    slots: u32,
    latency_bits: u32,
    make: fn(Config) -> Result<Box<dyn AnyUnit>, ConfigError>,
}

const fn build<const W: usize, const S: usize, const LAT: u32>() -> Build {
    Build { lanes: W as u32, slots: S as u32, latency_bits: LAT, make: make::<W, S, LAT> }
}

fn make<const W: usize, const S: usize, const LAT: u32>(straps: Config) -> Result<Box<dyn AnyUnit>, ConfigError> {
    Ok(Box::new(Lwp::<W, S, LAT>::new(straps)?))
}

/// The default first; then its slots and latencies with other lanes; then the other builds that the harness verilates.
const BUILDS: &[Build] = &[
    build::<4, 8, 31>(),
    build::<1, 8, 31>(),
    build::<2, 8, 31>(),
    build::<8, 8, 31>(),
    build::<1, 3, 10>(),
    build::<2, 13, 20>(),
    build::<8, 26, 16>(),
];

/// A new unit of these sizes.
pub(crate) fn new(lanes: u32, slots: u32, latency_bits: u32, straps: Config) -> Result<Box<dyn AnyUnit>, Failure> {
    let wanted = |build: &&Build| (build.lanes, build.slots, build.latency_bits) == (lanes, slots, latency_bits);
    let build = BUILDS.iter().find(wanted).ok_or(Failure::Build { lanes, slots, latency_bits })?;
    (build.make)(straps).map_err(Failure::Straps)
}

/// All of them, for a text.
pub(crate) fn names() -> String {
    let names = BUILDS.iter().map(|build| format!("{}/{}/{}", build.lanes, build.slots, build.latency_bits));
    names.collect::<Vec<_>>().join(", ")
}
