//! Straps that no hardware may have, by the table of the page `docs/src/perf/ports.md`, and leaf 0AH of those it may.

use super::bench::{version_1, version_2, version_3};
use crate::unit::Perf;
use lwp_model::Unit;
use lwp_model::flat::StrapsError;
use lwp_model::perf::{Config, ConfigError, InvZero, Personality, Sel1En, X2apic};
use lwp_regs::perf::architectural::{Ia32PerfCapabilities, PerfmonCaps};

type C4 = Perf<2, 4, 3, 2>;

/// Each row of the table, as straps.
fn illegal() -> Vec<(Config, ConfigError)> {
    let p6 = Config::default();
    let capabilities = |bits| Ia32PerfCapabilities::from_bits(bits);
    vec![
        (Config { counters: 0, ..p6 }, ConfigError::Counters),
        (Config { counters: 5, ..version_3() }, ConfigError::Counters),
        (Config { width: 31, ..version_1() }, ConfigError::Width),
        (Config { width: 49, ..version_1() }, ConfigError::Width),
        (Config { fixed_width: 31, ..p6 }, ConfigError::Width),
        (Config { fixed_width: 49, ..version_1() }, ConfigError::Width),
        (Config { counters: 1, ..p6 }, ConfigError::P6Counters),
        (Config { width: 48, ..p6 }, ConfigError::P6Counters),
        (Config { fixed: 1, ..p6 }, ConfigError::FixedNeedsVersion2),
        (Config { fixed: 1, ..version_1() }, ConfigError::FixedNeedsVersion2),
        (Config { any_thread: true, ..version_2() }, ConfigError::AnyThreadNeedsVersion3),
        (Config { any_thread: true, ..p6 }, ConfigError::AnyThreadNeedsVersion3),
        (Config { pdcm: true, ..p6 }, ConfigError::NotInP6),
        (Config { fast_read: true, ..p6 }, ConfigError::NotInP6),
        (Config { x2apic: X2apic::Msr, ..p6 }, ConfigError::NotInP6),
        (Config { capabilities: capabilities(1), ..version_1() }, ConfigError::CapabilitiesNeedPdcm),
        (Config { pdcm: true, capabilities: capabilities(1 << 15), ..version_1() }, ConfigError::NoMetrics),
        (Config { inv_zero: InvZero::Obeyed, ..version_1() }, ConfigError::InvZeroNeedsP6),
        (Config { sel1_en: Sel1En::Ignored, ..version_1() }, ConfigError::Sel1EnNeedsP6),
    ]
}

#[test]
fn illegal_straps_are_refused() {
    for (straps, error) in illegal() {
        assert_eq!(C4::new(straps).unwrap_err(), error, "{straps:?}");
        let mut words = [0; C4::STRAP_WORDS];
        C4::pack_straps(&straps, &mut words);
        assert_eq!(C4::unpack_straps(&words), Err(StrapsError::Illegal(error)));
        assert!(error.to_string().contains(':') || error.to_string().contains("needs"), "{error}");
    }
    assert_eq!(Perf::<1, 2, 0, 4>::new(Config { counters: 2, ..version_3() }).unwrap_err(), ConfigError::Fixed);
    assert_eq!(Perf::<1, 1, 0, 1>::new(Config::default()).unwrap_err(), ConfigError::Counters);
    let p6 = Config { inv_zero: InvZero::Obeyed, sel1_en: Sel1En::Ignored, ..Config::default() };
    assert!([p6, version_1(), version_2(), version_3()].into_iter().all(|straps| C4::new(straps).is_ok()));
}

// APM-05 to APM-09, APM-11, APM-13, APM-17, APM-19: what software reads is what the straps are
#[test]
fn leaf_0ah_is_the_straps() {
    assert_eq!(Config::default().cpuid(), [0; 4]);
    assert_eq!(version_1().cpuid(), [0x0728_0201, 0, 0, 0]);
    assert_eq!(version_2().cpuid(), [0x0728_0202, 0, 0, 0]);
    assert_eq!(version_3().cpuid(), [0x0728_0403, 0, 0, 0x503]);
    assert_eq!(Config { any_thread: false, fixed: 0, ..version_3() }.cpuid()[3], 0x8000);
    for personality in [Personality::Version1, Personality::Version2, Personality::Version3] {
        for (counters, width, events) in [(1, 32, 0), (4, 48, 0x55), (8, 40, 127)] {
            for any_thread in [false, personality == Personality::Version3] {
                let fixed = if personality == Personality::Version1 { 0 } else { 2 };
                let straps = Config { personality, counters, width, events, any_thread, fixed, ..Config::default() };
                let caps = PerfmonCaps::from_cpuid(straps.cpuid()).unwrap();
                assert_eq!((caps.version, caps.counters, caps.width), (straps.version(), counters, width));
                assert_eq!((caps.events.bits(), caps.fixed_counters), (u32::from(events), fixed));
                assert_eq!(caps.has_any_thread(), any_thread);
                assert_eq!(caps.validate(), Ok(()));
            }
        }
    }
}
