//! Leaf 0AH of real processors, and leaves that make no sense.

use super::*;
use crate::access::GeneralProtection;
use crate::perf::architectural::{ArchitecturalEvent, Ia32PerfGlobalCtrl};
use core::cell::RefCell;

pub(crate) const YONAH: [u32; 4] = [0x0728_0201, 0, 0, 0];
pub(crate) const CONROE: [u32; 4] = [0x0728_0202, 0, 0, 0];
pub(crate) const PENRYN: [u32; 4] = [0x0728_0202, 0, 0, 0x503];
pub(crate) const DIAMONDVILLE: [u32; 4] = [0x0728_0203, 0, 0, 0x2501];
pub(crate) const SKYLAKE_SP: [u32; 4] = [0x0730_0404, 0, 0, 0x603];
pub(crate) const ICE_LAKE: [u32; 4] = [0x0830_0805, 0, 0xF, 0x8604];

pub(crate) const ALL: [[u32; 4]; 6] = [YONAH, CONROE, PENRYN, DIAMONDVILLE, SKYLAKE_SP, ICE_LAKE];

pub(crate) fn caps(leaf: [u32; 4]) -> PerfmonCaps {
    PerfmonCaps::from_cpuid(leaf).unwrap()
}

/// Version, counters, width, events, fixed counters, their width, `any_thread`.
fn summary(leaf: [u32; 4]) -> (u8, u8, u8, u32, u8, u8, bool) {
    let caps = caps(leaf);
    assert_eq!(caps.validate(), Ok(()));
    let PerfmonCaps { version, counters, width, events, fixed_counters, fixed_width, .. } = caps;
    (version, counters, width, events.count(), fixed_counters, fixed_width, caps.has_any_thread())
}

// APM-05, APM-09: number of pairs, width and number of events, on six processors
#[test]
fn real_processors() {
    assert_eq!(summary(YONAH), (1, 2, 40, 7, 0, 0, false));
    assert_eq!(summary(CONROE), (2, 2, 40, 7, 0, 0, false));
    assert_eq!(summary(PENRYN), (2, 2, 40, 7, 3, 40, false));
    assert_eq!(summary(DIAMONDVILLE), (3, 2, 40, 7, 1, 40, true));
    assert_eq!(summary(SKYLAKE_SP), (4, 4, 48, 7, 3, 48, true));
    assert_eq!(summary(ICE_LAKE), (5, 8, 48, 8, 4, 48, false));
    let seven = &ArchitecturalEvent::ALL[..7];
    assert!(ALL.into_iter().all(|leaf| seven.iter().all(|event| caps(leaf).events.has(*event))));
    let slots = ALL.map(|leaf| caps(leaf).events.has(ArchitecturalEvent::Slots));
    assert_eq!(slots, [false, false, false, false, false, true], "of these Ice Lake alone");
}

// APM-07: a version above 0 means that there is the unit; versions 0 to 5
#[test]
fn versions() {
    assert_eq!(PerfmonCaps::from_cpuid([0x0728_0200, 0, 0, 0x503]), None);
    for version in 1..=5 {
        let caps = caps([0x0728_0200 | version, 0, 0, 0x503]);
        assert_eq!(u32::from(caps.version), version);
        assert_eq!(caps.fixed_counters, if version == 1 { 0 } else { 3 }, "EDX says nothing in version 1");
        assert_eq!(caps.has_global_control(), version >= 2);
        assert_eq!(caps.has_any_thread(), version >= 3);
        let without = self::caps([0x0728_0200 | version, 0, 0, 0x8503]);
        assert!(!without.has_any_thread(), "EDX[15] takes it away from version 3 on");
        assert_eq!(without.any_thread_deprecated, version >= 3);
    }
}

// APM-39: version 1 has pairs of registers and nothing else
#[test]
fn version_1_has_pairs_only() {
    let yonah = caps(YONAH);
    assert_eq!((yonah.all_counters().count(), yonah.all_fixed().count()), (2, 0));
    let global = Ia32PerfGlobalCtrl::check_write(Ia32PerfGlobalCtrl::STOPPED, 3, &yonah);
    assert_eq!(global, Err(GeneralProtection::NoSuchRegister));
}

// APM-11: EAX[15:8] bounds the index
#[test]
fn indices_are_bounded_by_what_there_is() {
    let skylake = caps(SKYLAKE_SP);
    assert!(skylake.counter(3).is_some() && skylake.counter(4).is_none());
    assert!(skylake.fixed(2).is_some() && skylake.fixed(3).is_none());
    assert_eq!((skylake.all_counters().count(), skylake.all_fixed().count()), (4, 3));
    assert_eq!(skylake.counter_mask(), 0x7_0000_000F);
    assert_eq!(caps(CONROE).counter_mask(), 0x3);
    assert_eq!(caps(ICE_LAKE).counter_mask(), 0xF_0000_00FF);
    let many = caps([0x0728_FF02, 0, 0, 0x51F]);
    assert!(many.counter(7).is_some() && many.counter(8).is_none(), "numbers of further registers are unknown");
    assert!(many.fixed(15).is_some() && many.fixed(16).is_none());
}

// version 5, as the SDM has it: "FxCtr[i]_is_supported := ECX[i] || (EDX[4:0] > i)"; before version 5 ECX says nothing
#[test]
fn fixed_counters_of_version_5() {
    for (version, ecx, edx) in [(5, 0x10, 3), (5, 0xFFFF, 0), (5, 0, 4), (4, 0xFFFF, 3), (2, 0xFFFF, 1)] {
        let caps = caps([0x0830_0800 | version, 0, ecx, 0x600 | edx]);
        let ecx = if version == 5 { ecx } else { 0 };
        let expected = (0..16).filter(|i| ecx >> i & 1 != 0 || edx > *i);
        assert!(caps.all_fixed().map(|index| u32::from(index.number())).eq(expected.clone()));
        let mask = expected.fold(0u64, |mask, i| mask | 1 << i);
        assert_eq!(caps.counter_mask() >> 32, mask);
    }
}

#[test]
fn a_gap_among_the_fixed_counters() {
    let sparse = caps([0x0830_0805, 0, 0x9, 0x601]);
    assert!(sparse.fixed(0).is_some() && sparse.fixed(1).is_none() && sparse.fixed(3).is_some());
    assert_eq!(sparse.counter_mask(), 0x9_0000_00FF);
}

// APM-06, APM-08: the highest leaf, then leaf 0AH; EBX and EDX mean nothing before the version is known
#[test]
fn detection_in_order() {
    let asked = RefCell::new([0u32; 12]);
    let detect = |highest: u32, leaf: [u32; 4]| {
        asked.replace([u32::MAX; 12]);
        let count = RefCell::new(0);
        PerfmonCaps::detect(&|number: u32, _: u32| {
            asked.borrow_mut()[*count.borrow()] = number;
            *count.borrow_mut() += 1;
            match number {
                0 => [highest, 0, 0, 0],
                1 => [0, 0, 1 << 15, 0],
                7 => [0, 1 << 11 | 1 << 25, 0, 0],
                _ => leaf,
            }
        })
    };
    assert_eq!(detect(9, SKYLAKE_SP), None);
    assert_eq!(asked.borrow()[..2], [0, u32::MAX], "leaf 0AH is not read where it does not exist");
    assert_eq!(detect(0xA, [0x0728_0200, 0, 0, 0x503]), None);
    assert_eq!(asked.borrow()[..3], [0, 0xA, u32::MAX]);
    let found = detect(0xD, SKYLAKE_SP).unwrap();
    assert_eq!(asked.borrow()[..2], [0, 0xA]);
    assert_eq!(found, PerfmonCaps { tsx: true, processor_trace: true, pdcm: true, ..caps(SKYLAKE_SP) });
    let plain =
        PerfmonCaps::detect(&|number: u32, _: u32| if number == 0 { [0xA, 0, 0, 0] } else { [0x0728_0201, 0, 0, 0] });
    assert_eq!(plain.map(|caps| (caps.tsx, caps.pdcm)), Some((false, false)));
}

#[test]
fn perf_capabilities_are_read_only_where_they_exist() {
    struct OneRegister;
    #[allow(unsafe_code)] // a bus of the test
    impl MsrBus for OneRegister {
        type Fault = GeneralProtection;
        unsafe fn rdmsr(&mut self, address: u32) -> Result<u64, GeneralProtection> {
            if address == 0x345 { Ok(0x33C5) } else { Err(GeneralProtection::NoSuchRegister) }
        }
        unsafe fn wrmsr(&mut self, _: u32, _: u64) -> Result<(), GeneralProtection> {
            Err(GeneralProtection::NoSuchRegister)
        }
    }
    let without = caps(SKYLAKE_SP);
    assert_eq!(without.read_capabilities(&mut OneRegister), Ok(without));
    let with = PerfmonCaps { pdcm: true, ..without };
    assert_eq!(with.read_capabilities(&mut OneRegister).unwrap().capabilities.into_bits(), 0x33C5);
}

#[test]
fn nonsense_is_named() {
    let broken = |change: fn(&mut PerfmonCaps)| {
        let mut caps = caps(PENRYN);
        change(&mut caps);
        caps.validate().unwrap_err()
    };
    assert_eq!(broken(|caps| caps.version = 0), PerfmonCapsError::Version);
    assert_eq!(broken(|caps| caps.counters = 0), PerfmonCapsError::Counters(0));
    assert_eq!(broken(|caps| caps.counters = 33), PerfmonCapsError::Counters(33));
    assert_eq!(broken(|caps| caps.width = 31), PerfmonCapsError::Width(31));
    assert_eq!(broken(|caps| caps.width = 65), PerfmonCapsError::Width(65));
    assert_eq!(broken(|caps| caps.version = 1), PerfmonCapsError::FixedInVersion1);
    assert_eq!(broken(|caps| caps.fixed_counters = 17), PerfmonCapsError::FixedCounters);
    assert_eq!(broken(|caps| caps.fixed_bitmap = 1 << 16), PerfmonCapsError::FixedCounters);
    assert_eq!(broken(|caps| caps.fixed_width = 0), PerfmonCapsError::FixedWidth(0));
}
