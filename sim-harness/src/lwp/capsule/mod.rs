//! The Lightweight Profiling unit in [capsules](crate::capsule).

mod inputs;
mod model;
mod polite;
mod rules;
mod straps;

pub use rules::Rules;

use crate::capsule::{Model, Unit};
use crate::lwp::fields::FIELDS;
use crate::lwp::flat::pack_straps;
use crate::lwp::unflat::unpack_straps;
use crate::rtl::BuildId;
use lwp_model::lwp::{Config, Lwp};
use model::RowModel;

/// The unit.
pub static UNIT: Unit = Unit {
    name: "lwp",
    fields: FIELDS,
    straps: straps::STRAPS,
    default_straps: || pack_straps(&Config::default()).to_vec(),
    inputs: |build| inputs::inputs(lanes(build)),
    model,
};

fn lanes(build: BuildId) -> usize {
    build.parameter("RetireLanes").unwrap_or(0) as usize
}

fn model(build: BuildId, straps: &[u32]) -> Result<Box<dyn Model>, String> {
    let straps = unpack_straps(straps)?;
    let sizes = ["RetireLanes", "EventSlots", "LatencyBits"].map(|name| build.parameter(name).unwrap_or(0));
    match sizes {
        [4, 8, 31] => of::<4, 8, 31>(straps),
        [1, 3, 10] => of::<1, 3, 10>(straps),
        [8, 26, 16] => of::<8, 26, 16>(straps),
        [2, 13, 20] => of::<2, 13, 20>(straps),
        _ => {
            Err(format!("there is no model of the build {}: its sizes are to be added to `lwp::capsule`", build.name()))
        }
    }
}

fn of<const W: usize, const S: usize, const LAT: u32>(straps: Config) -> Result<Box<dyn Model>, String> {
    let model = Lwp::<W, S, LAT>::new(straps).map_err(|error| error.to_string())?;
    Ok(Box::new(RowModel::new(model)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_build_has_a_model() {
        let straps = pack_straps(&Config::default());
        for &build in BuildId::ALL.iter().filter(|build| build.info().unit == "lwp") {
            assert!(model(build, &straps).is_ok(), "{}", build.name());
        }
    }
}
