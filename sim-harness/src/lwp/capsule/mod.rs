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
    let made = with_build!(lwp, build, |U| U::new(straps).map(boxed));
    let made = made.ok_or_else(|| format!("{} is a build of another unit", build.name()))?;
    made.map_err(|error| error.to_string())
}

fn boxed<const W: usize, const S: usize, const LAT: u32>(model: Lwp<W, S, LAT>) -> Box<dyn Model> {
    Box::new(RowModel::new(model))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_build_has_a_model() {
        let straps = pack_straps(&Config::default());
        for build in BuildId::of_unit("lwp") {
            assert!(model(build, &straps).is_ok(), "{}", build.name());
        }
    }
}
