//! Checks of every table of the crate: that layouts do not overlap, leave nothing uncovered and match the types they
//! describe, and that no number is given away twice.

use lwp_regs::debug;
use lwp_regs::delivery;
use lwp_regs::layout::{Layout, mask};
use lwp_regs::lwp::{self, cpuid};
use lwp_regs::msr::MsrNumbers;
use lwp_regs::perf::p6;
use lwp_regs::perf::{amd, architectural};
use lwp_regs::{UNITS, itanium, rdt, trace, tsc};

#[test]
fn fields_do_not_overlap_and_with_the_reserved_bits_cover_the_register() {
    for layout in UNITS.iter().flat_map(|unit| unit.layouts) {
        let mut covered = 0u64;
        for field in layout.fields {
            assert_eq!(covered & field.mask(), 0, "{}: {} overlaps", layout.name, field.name);
            covered |= field.mask();
        }
        assert_eq!(covered & layout.reserved, 0, "{}: a reserved bit is in a field", layout.name);
        assert_eq!(covered | layout.reserved, mask(layout.width), "{}: not covered", layout.name);
    }
}

#[test]
fn names_are_given_once() {
    let layouts: Vec<&Layout> = UNITS.iter().flat_map(|unit| unit.layouts).collect();
    for (i, layout) in layouts.iter().enumerate() {
        assert!(layouts[..i].iter().all(|other| other.name != layout.name), "{}", layout.name);
        for (j, field) in layout.fields.iter().enumerate() {
            assert!(layout.fields[..j].iter().all(|other| other.name != field.name), "{}", layout.name);
        }
    }
}

#[test]
fn numbers_are_given_once() {
    let numbers: Vec<&MsrNumbers> = UNITS.iter().flat_map(|unit| unit.msrs).collect();
    for (i, register) in numbers.iter().enumerate() {
        assert!(register.count > 0, "{}", register.name);
        for other in &numbers[..i] {
            assert!(!register.overlaps(other), "{} and {}", register.name, other.name);
            assert!(register.name != other.name || register.family != other.family, "{}", register.name);
        }
    }
}

/// `Debug` of a layout lists the fields of the type itself, so a field that its table forgets shows up here.
fn same_fields(layout: &Layout, debug: &str) {
    let (_, body) = debug.split_once('{').unwrap();
    let of_type: Vec<String> =
        body.split(',').filter_map(|part| Some(part.split_once(':')?.0.trim().to_uppercase())).collect();
    let of_table: Vec<&str> = layout.fields.iter().map(|field| field.name).collect();
    assert_eq!(of_table, of_type, "{}", layout.name);
}

/// Each bit alone, each bit missing, all and none, and some thousand mixtures.
fn patterns() -> impl Iterator<Item = u64> {
    let alone = (0..64).map(|bit| 1u64 << bit);
    let mixed = (0..4096u64).map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(i as u32 % 64));
    alone.clone().chain(alone.map(|bit| !bit)).chain([0, u64::MAX]).chain(mixed)
}

#[test]
fn tables_list_every_field_of_their_type() {
    let mut checked = 0;
    macro_rules! check {
        ($($ty:path),+ $(,)?) => {$(
            same_fields(&<$ty>::LAYOUT, &format!("{:?}", <$ty>::new()));
            for bits in patterns() {
                let bits = bits as _;
                assert_eq!(<$ty>::from_bits(bits).into_bits(), bits, "{} loses bits", <$ty>::LAYOUT.name);
            }
            assert!(UNITS.iter().any(|unit| unit.layouts.contains(&<$ty>::LAYOUT)));
            checked += 1;
        )+};
    }
    check!(
        cpuid::CpuidEax,
        cpuid::CpuidEbx,
        cpuid::CpuidEcx,
        cpuid::CpuidEdx,
        lwp::LwpMsr0,
        lwp::FlagsWord,
        lwp::SizeWord,
        lwp::FilterWord,
        lwp::SlotWord,
        lwp::CounterWord,
        lwp::RecordWord,
        lwp::InstructionWord,
        lwp::BranchWord,
        lwp::DcacheWord,
        lwp::context::HeadWord,
        lwp::context::ContextFlags,
        lwp::context::ResumeWord,
        lwp::context::InterruptWord,
        debug::BreakpointAddress,
        debug::Dr6,
        debug::Dr7,
        debug::Eflags,
        debug::TssTrapWord,
        p6::PerfEvtSel0,
        p6::PerfEvtSel1,
        p6::PerfCtr,
        delivery::LvtPerformance,
        delivery::X2ApicEoi,
        delivery::GateWord,
        delivery::Gate64High,
        architectural::PerfmonEax,
        architectural::PerfmonEbx,
        architectural::PerfmonEcx,
        architectural::PerfmonEdx,
        architectural::Ia32PerfEvtSel,
        architectural::Ia32Pmc,
        architectural::Ia32APmc,
        architectural::Ia32FixedCtr,
        architectural::FixedControl,
        architectural::Ia32FixedCtrCtrl,
        architectural::Ia32PerfGlobalStatus,
        architectural::Ia32PerfGlobalCtrl,
        architectural::Ia32PerfGlobalOvfCtrl,
        architectural::Ia32PerfGlobalStatusSet,
        architectural::Ia32PerfGlobalInuse,
        architectural::Ia32PerfCapabilities,
        amd::AmdPerfCtl,
        amd::AmdPerfCtr,
        amd::AmdPerfmonEax,
        amd::AmdPerfmonEbx,
        amd::AmdGlobalStatus,
        amd::AmdGlobalCtl,
        amd::AmdGlobalStatusClr,
        amd::AmdGlobalStatusSet,
        itanium::Pmc0,
        itanium::Pmc45,
        itanium::Pmc67,
        itanium::Pmc89,
        itanium::Pmc10,
        itanium::Pmc11,
        itanium::Pmc12,
        itanium::Pmc13,
        itanium::Pmd,
        itanium::Psr,
        itanium::Dcr,
        itanium::IbrMask,
        itanium::DbrMask,
        rdt::CpuidRdtPresence,
        rdt::CpuidMonitoringResources,
        rdt::CpuidL3Counter,
        rdt::CpuidAllocationResources,
        rdt::CpuidCatLength,
        rdt::CpuidCatFeatures,
        rdt::CpuidCosMax,
        rdt::CpuidMbaMax,
        rdt::CpuidMbaFeatures,
        rdt::CpuidQosExtensions,
        rdt::CpuidBandwidthLength,
        rdt::CpuidBandwidthCosMax,
        rdt::PqrAssoc,
        rdt::QmEvtsel,
        rdt::QmCtr,
        rdt::L3QosCfg,
        rdt::L2QosCfg,
        rdt::L3Mask,
        rdt::L2Mask,
        rdt::MbaThrottle,
        rdt::L3QosBwControl,
        rdt::L3QosSmbwControl,
        trace::DebugCtl,
        trace::LbrFrom,
        trace::LbrTo,
        trace::LbrInfo,
        trace::LbrTos,
        trace::LbrSelect,
        trace::FromWithFlags,
        trace::FromWithTsx,
        trace::ToWithCycles,
        trace::LerFrom,
        trace::LerTo,
        trace::ArchLbrEax,
        trace::ArchLbrEbx,
        trace::ArchLbrEcx,
        trace::Ia32LbrCtl,
        trace::Ia32LbrDepth,
        trace::Ia32LbrFrom,
        trace::Ia32LbrTo,
        trace::Ia32LbrInfo,
        trace::AmdDbgExtnCfg,
        trace::AmdLbrSelect,
        trace::AmdLbrFrom,
        trace::AmdLbrTo,
        trace::DsArea,
        trace::PebsEnable,
        trace::BtsFlags,
        tsc::TimeStampCounter,
        tsc::TscAdjust,
        tsc::TscAux,
    );
    assert_eq!(checked, UNITS.iter().map(|unit| unit.layouts.len()).sum::<usize>(), "a layout is not checked here");
}
