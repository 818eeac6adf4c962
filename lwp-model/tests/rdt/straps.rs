//! Straps that no hardware may have, by the table of the page `docs/src/rdt/ports.md`, and those just beside them.

use lwp_model::Unit;
use lwp_model::flat::StrapsError;
use lwp_model::rdt::{Config, ConfigError, Rdt, Sizes, Vendor};

type Small = Rdt<2, 8, 4, 4, 2, 4, 4>;

/// The build of these tests.
const SMALL: Sizes = Sizes { l3_sets: 8, l3_ways: 4, l2_sets: 4, l2_ways: 2, rmids: 4, classes: 4 };
/// The largest sizes.
const LARGE: Sizes = Sizes { l3_sets: 4096, l3_ways: 16, l2_sets: 1024, l2_ways: 8, rmids: 32, classes: 16 };

const ALL: Config = Config::DEFAULT;
/// No L2 cache.
const L3: Config = Config { l2: false, l2_sets: 0, l2_ways: 0, l2_cat: false, l2_cdp: false, l2_cos: 0, ..ALL };
/// Monitoring alone.
const MONITORS: Config =
    Config { l3_cat: false, l3_cdp: false, l3_cos: 0, mba: false, mba_cos: 0, mba_max: 0, mba_period: 0, ..L3 };
/// Allocation alone.
const ALLOCATES: Config = Config { events: 0, max_rmid: 0, l3_max_rmid: 0, ..ALL };

#[test]
fn illegal_straps_are_refused() {
    for (straps, error) in [
        (Config { line: 3, ..ALL }, ConfigError::Line(3)),
        (Config { line: 9, ..ALL }, ConfigError::Line(9)),
        (Config { l3_sets: 4, ..ALL }, ConfigError::L3Sets),
        (Config { l3_ways: 0, ..ALL }, ConfigError::L3Ways),
        (Config { l3_ways: 5, ..ALL }, ConfigError::L3Ways),
        (Config { l2_sets: 3, ..ALL }, ConfigError::L2Sets),
        (Config { l2_ways: 0, ..ALL }, ConfigError::L2Ways),
        (Config { l2_ways: 3, ..ALL }, ConfigError::L2Ways),
        (Config { l2_sets: 1, ..L3 }, ConfigError::WithoutL2(&["l2_sets", "l2"])),
        (Config { l2_ways: 1, ..L3 }, ConfigError::WithoutL2(&["l2_ways", "l2"])),
        (Config { l2_cat: true, ..L3 }, ConfigError::WithoutL2(&["l2_cat", "l2"])),
        (Config { sparse: true, vendor: Vendor::Amd, width: 25, ..ALL }, ConfigError::SparseAmd),
        (Config { max_rmid: 4, ..ALL }, ConfigError::MaxRmid),
        (Config { max_rmid: 2, l3_max_rmid: 3, ..ALL }, ConfigError::L3MaxRmid),
        (Config { max_rmid: 1, ..ALLOCATES }, ConfigError::RmidsWithoutMonitoring),
        (Config { width: 23, ..ALL }, ConfigError::Width(23)),
        (Config { width: 63, ..ALL }, ConfigError::Width(63)),
        (Config { vendor: Vendor::Amd, ..ALL }, ConfigError::WidthAmd),
        (Config { width: 60, scale: 3, ..ALL }, ConfigError::WidthScale),
        (Config { l3_cos: 4, ..ALL }, ConfigError::Classes(&["l3_cos"])),
        (Config { l2_cos: 4, ..ALL }, ConfigError::Classes(&["l2_cos"])),
        (Config { mba_cos: 4, ..ALL }, ConfigError::Classes(&["mba_cos"])),
        (Config { l3_cos: 1, ..MONITORS }, ConfigError::WithoutResource(&["l3_cos", "l3_cat"])),
        (Config { l3_cdp: true, ..MONITORS }, ConfigError::WithoutResource(&["l3_cdp", "l3_cat"])),
        (Config { l2_cat: false, l2_cdp: false, ..ALL }, ConfigError::WithoutResource(&["l2_cos", "l2_cat"])),
        (Config { l2_cat: false, l2_cos: 0, ..ALL }, ConfigError::WithoutResource(&["l2_cdp", "l2_cat"])),
        (Config { mba_cos: 1, ..MONITORS }, ConfigError::WithoutResource(&["mba_cos", "mba"])),
        (Config { l3_cos: 0, ..ALL }, ConfigError::CdpOneMask(&["l3_cdp", "l3_cos"])),
        (Config { l2_cos: 0, ..ALL }, ConfigError::CdpOneMask(&["l2_cdp", "l2_cos"])),
        (Config { mba_max: 0, ..ALL }, ConfigError::NoDelay(&["mba_max", "mba"])),
        (Config { mba_period: 0, ..ALL }, ConfigError::NoDelay(&["mba_period", "mba"])),
        (Config { mba_max: 100, ..ALL }, ConfigError::LinearMax(100)),
    ] {
        assert_eq!(straps.validate(&SMALL), Err(error));
        assert_eq!(
            error.straps().iter().find(|strap| !error.to_string().contains(*strap) && **strap != "vendor"),
            None
        );
        let mut words = vec![0; Small::STRAP_WORDS];
        Small::pack_straps(&straps, &mut words);
        assert_eq!(Small::unpack_straps(&words), Err(StrapsError::Illegal(error)));
    }
}

#[test]
fn straps_wider_than_their_ports_are_refused() {
    for (straps, strap) in [
        (Config { events: 8, ..ALL }, "events"),
        (Config { scale: 16, ..ALL }, "scale"),
        (Config { start: 1 << 62, ..ALL }, "start"),
        (Config { mba_linear: false, mba_max: 0x1000, ..ALL }, "mba_max"),
    ] {
        assert!(matches!(straps.validate(&SMALL), Err(ConfigError::Wide([wide])) if *wide == strap), "{strap}");
        assert_eq!(straps.validate(&SMALL).unwrap_err().straps(), [strap]);
    }
    let widest = Config { events: 7, scale: 15, start: (1 << 62) - 1, mba_linear: false, mba_max: 0xFFF, ..ALL };
    assert_eq!(widest.validate(&SMALL), Ok(()));
}

#[test]
fn straps_at_their_limits_are_legal() {
    let largest = Config { line: 8, l3_sets: 12, l3_ways: 16, l2_sets: 10, l2_ways: 8, ..ALL };
    for (straps, sizes) in [
        (ALL, SMALL),
        (L3, SMALL),
        (MONITORS, SMALL),
        (ALLOCATES, SMALL),
        (Config { line: 4, l3_sets: 0, l3_ways: 1, l2_sets: 0, l2_ways: 1, ..ALL }, SMALL),
        (Config { max_rmid: 31, l3_max_rmid: 31, l3_cos: 15, l2_cos: 15, mba_cos: 15, ..largest }, LARGE),
        (Config { width: 62, ..ALL }, SMALL),
        (Config { width: 47, scale: 15, ..ALL }, SMALL),
        (Config { vendor: Vendor::Amd, width: 25, ..ALL }, SMALL),
        (Config { vendor: Vendor::Amd, ..ALLOCATES }, SMALL),
        (Config { sparse: true, ..ALL }, SMALL),
        (Config { l3_cdp: false, l3_cos: 0, l2_cdp: false, l2_cos: 0, ..ALL }, SMALL),
        (Config { mba_max: 99, mba_period: 255, ..ALL }, SMALL),
        (Config { mba_max: 1, mba_period: 1, ..ALL }, SMALL),
        (Config { mba_max: 100, mba_linear: false, ..ALL }, SMALL),
    ] {
        assert_eq!(straps.validate(&sizes), Ok(()), "{straps:?}");
    }
    for straps in [Config { l3_sets: 13, ..largest }, Config { l2_sets: 11, ..largest }] {
        assert!(straps.validate(&LARGE).is_err(), "{straps:?}");
    }
}
