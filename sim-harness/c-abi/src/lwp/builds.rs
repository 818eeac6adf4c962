//! Models by their sizes: those of the list, and some with other lanes that the harness does not verilate.

use super::unit::make;
use crate::builds::{BUILDS, Build, Made, Make, words};
use crate::failure::Failure;
use lwp_model::Unit;
use lwp_model::lwp::flat::{STRAP_WORDS, pack_straps};
use lwp_model::lwp::{Config, Lwp};

/// Name of the unit.
const NAME: &str = <Lwp<4, 8, 31> as Unit>::NAME;

/// Slots and latencies of the default with other lanes.
const MORE: [Build; 3] = [
    more(&[1, 8, 31], words::<Lwp<1, 8, 31>>(), make::<Lwp<1, 8, 31>>),
    more(&[2, 8, 31], words::<Lwp<2, 8, 31>>(), make::<Lwp<2, 8, 31>>),
    more(&[8, 8, 31], words::<Lwp<8, 8, 31>>(), make::<Lwp<8, 8, 31>>),
];

/// A build without a name.
const fn more(values: &'static [u32], words: [usize; 3], make: Make) -> Build {
    Build { unit: NAME, name: "", values, parameters: &[], words, make }
}

fn all() -> impl Iterator<Item = &'static Build> {
    BUILDS.iter().filter(|build| build.unit == NAME).chain(&MORE)
}

/// A new unit of these sizes.
pub(crate) fn new(lanes: u32, slots: u32, latency_bits: u32, straps: &Config) -> Result<Made, Failure> {
    let build = all().find(|build| build.values == [lanes, slots, latency_bits]).ok_or_else(|| {
        let names: Vec<_> = all().map(|build| build.values.iter().map(u32::to_string).collect::<Vec<_>>().join("/")).collect();
        Failure::Build(format!(
            "no model with retire_lanes {lanes}, event_slots {slots}, latency_bits {latency_bits} is built in; there are: {}",
            names.join(", ")
        ))
    })?;
    let words: [u32; STRAP_WORDS] = pack_straps(straps);
    build.made(Some(&words))
}
