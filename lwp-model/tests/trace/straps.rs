//! Straps that no hardware may have, by the table of the page `docs/src/trace/ports.md`.

use crate::unit::Trace;
use lwp_model::Unit;
use lwp_model::flat::StrapsError;
use lwp_model::trace::{Config, ConfigError, Depth, Linear};

#[test]
fn illegal_straps_are_refused() {
    let none = Config { ds: false, ds_cpl: false, dtes64: false, pebs_counters: 0, ..Config::default() };
    let all = Config::default();
    assert_eq!((none.validate(4), all.validate(4)), (Ok(()), Ok(())));
    for (straps, error) in [
        (Config { lbr_depth: Depth::Eight, ..all }, ConfigError::Depth { wanted: 8, built: 4 }),
        (Config { pebs_counters: 5, ..all }, ConfigError::PebsCounters(5)),
        (Config { ds_cpl: true, ..none }, ConfigError::DsCplWithoutDs),
        (Config { dtes64: true, ..none }, ConfigError::Dtes64WithoutDs),
        (Config { pebs_counters: 1, ..none }, ConfigError::PebsWithoutDs),
        (Config { linear: Linear::Bits32, ..all }, ConfigError::Dtes64With32Bits),
        (Config { pebs_format: 1, dtes64: false, ..all }, ConfigError::FormatWithoutDtes64),
        (Config { pebs_format: 1, pebs_counters: 0, ..all }, ConfigError::FormatWithoutPebs),
    ] {
        assert_eq!(Trace::<1, 4>::new(straps).unwrap_err(), error);
        assert!(error.to_string().contains(':') && !error.straps().is_empty(), "{error}");
        let mut words = [0];
        Trace::<1, 4>::pack_straps(&straps, &mut words);
        assert_eq!(Trace::<1, 4>::unpack_straps(&words), Err(StrapsError::Illegal(error)));
    }
    assert_eq!(Config { pebs_format: 4, ..all }.validate(4), Err(ConfigError::PebsFormat(4)));
}

// LBR-04: a build has its entries and any fewer
#[test]
fn depths_by_build() {
    let depth = |lbr_depth| Config { lbr_depth, ..Config::default() };
    let depths = [Depth::Four, Depth::Eight, Depth::Sixteen, Depth::ThirtyTwo];
    assert_eq!(depths.map(|of| depth(of).validate(16).is_ok()), [true, true, true, false]);
    assert_eq!(depths.map(|of| depth(of).validate(32).is_ok()), [true; 4]);
    assert_eq!(depths.map(Depth::entries), [4, 8, 16, 32]);
    assert_eq!(depths.map(Depth::half), [Depth::Four, Depth::Four, Depth::Eight, Depth::Sixteen]);
}
