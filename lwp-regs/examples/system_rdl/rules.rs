//! What WRMSR refuses, register by register, asked of `check_write`: each bit is written alone, once on a processor that has
//! as much as this crate knows of, and once on one that has as little as the register needs.

use lwp_regs::access::{CpuidRegisters, GeneralProtection};
use lwp_regs::delivery::{LvtPerformance, X2ApicEoi};
use lwp_regs::lwp::{EdxLayout, LwpCaps, LwpMsr0};
use lwp_regs::msr::CheckedMsr;
use lwp_regs::perf::amd::{
    AmdGlobalCtl, AmdGlobalStatus, AmdGlobalStatusClr, AmdGlobalStatusSet, AmdPerfCaps, AmdPerfCtl, AmdPerfCtr,
};
use lwp_regs::perf::architectural::{
    CounterCaps, Ia32APmc, Ia32FixedCtr, Ia32FixedCtrCtrl, Ia32PerfCapabilities, Ia32PerfEvtSel, Ia32PerfGlobalCtrl,
    Ia32PerfGlobalInuse, Ia32PerfGlobalOvfCtrl, Ia32PerfGlobalStatus, Ia32PerfGlobalStatusSet, Ia32Pmc, PerfmonCaps,
};
use lwp_regs::perf::p6::{PerfCtr, PerfEvtSel0, PerfEvtSel1};
use lwp_regs::rdt::{
    CatCaps, L2, L2Mask, L2QosCfg, L3, L3Mask, L3QosBwCaps, L3QosBwControl, L3QosCfg, L3QosSmbwCaps, L3QosSmbwControl,
    MbaCaps, MbaThrottle, MonitoringCaps, PqrAssoc, QmCtr, QmEvtsel, RdtCaps,
};
use lwp_regs::trace::{
    AmdLbrCaps, AmdLbrSelect, ArchLbrCaps, DebugCtl, DebugCtlCaps, DsArea, Ia32LbrCtl, Ia32LbrDepth, LbrDepth,
    LbrLayout, LbrSelect, LbrTos, LinearAddressBits,
};
use lwp_regs::tsc::{TimeStampCounter, TscAux, TscWrite};
use lwp_regs::{Refused, Rule};

/// What a write to a register does.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    /// Bits that fault when they are written alone, whatever the processor has.
    pub(crate) faults: u64,
    /// Bits that are taken and do not stay.
    pub(crate) ignored: u64,
    /// Bits that fault where a feature is missing: mask and feature.
    pub(crate) needs: Vec<(u64, &'static str)>,
    /// There are processors with less than this crate knows of that lack the register.
    pub(crate) may_be_absent: bool,
}

impl Rules {
    /// Of a register, between two processors.
    fn of<R: CheckedMsr>(most: &R::Caps, least: &R::Caps) -> Self {
        let write = |bits, caps| R::check_write(R::from_register(0), bits, caps).map(R::to_register);
        let mut rules =
            Self { may_be_absent: write(0, least) == Err(GeneralProtection::NoSuchRegister), ..Self::default() };
        for bit in (0..64).map(|bit| 1 << bit) {
            match write(bit, most) {
                Err(_) => rules.faults |= bit,
                Ok(value) if value & bit == 0 => rules.ignored |= bit,
                Ok(_) => {}
            }
            if let Err(GeneralProtection::Refused(Refused { rule: Rule::NotAvailable(feature), .. })) =
                write(bit, least)
            {
                match rules.needs.iter_mut().find(|(_, known)| *known == feature) {
                    Some((bits, _)) => *bits |= bit,
                    None => rules.needs.push((bit, feature)),
                }
            }
        }
        rules
    }
}

fn perfmon(leaf: CpuidRegisters) -> PerfmonCaps {
    PerfmonCaps::from_cpuid(leaf).expect("a version above 0")
}

/// Version 5 with eight counters, sixteen fixed ones and `AnyThread`, TSX, trace, full-width writes and metrics.
fn most_perfmon() -> PerfmonCaps {
    let mut caps = perfmon([0x0830_0805, 0, 0, 0x610]);
    (caps.tsx, caps.processor_trace, caps.pdcm) = (true, true, true);
    caps.capabilities = Ia32PerfCapabilities::from_bits(0x1_FFFF);
    caps
}

fn counter(caps: PerfmonCaps, number: u8) -> CounterCaps {
    CounterCaps::new(caps, caps.counter(number).expect("it has this counter"))
}

fn rdt(leaf: u32, subleaf: u32) -> CpuidRegisters {
    match (leaf, subleaf) {
        (0, _) => [0x10, 0x756E_6547, 0x6C65_746E, 0x4965_6E69],
        (7, 0) => [0, 0x9000, 0, 0],
        (0xF, 0) => [0, 0x3FF, 0, 2],
        (0xF, 1) => [0, 0x1_0000, 0x3FF, 7],
        (0x10, 0) => [0, 0xE, 0, 0],
        (0x10, _) => [0x1F, 0, 0xE, 0xFFFF],
        _ => [0; 4],
    }
}

/// The rules of every register that has some, by the name of its layout.
pub(crate) fn all() -> Vec<(&'static str, Rules)> {
    let (most, least) = (most_perfmon(), perfmon([0x0728_0201, 0, 0, 0]));
    let (select, least_select) = (counter(most, 2), counter(least, 0));
    let mut amd = AmdPerfCaps::new(true);
    (amd.perfmon_v2, amd.freeze, amd.v2_counters) = (true, true, 6);
    let lbr = ArchLbrCaps::from_cpuid([0xFF, 7, 0xF_0007, 0]).expect("it has depths");
    let least_lbr = ArchLbrCaps::from_cpuid([1, 0, 0, 0]).expect("it has a depth");
    let (l3, l2) = (CatCaps::from_cpuid(L3, rdt(0x10, 1)), CatCaps::from_cpuid(L2, rdt(0x10, 2)));
    let (least_l3, least_l2) = (CatCaps::from_cpuid(L3, [7, 0, 0, 3]), CatCaps::from_cpuid(L2, [7, 0, 0, 3]));
    let (caps, least_caps) = (RdtCaps::enumerate(&rdt), RdtCaps::default());
    let monitoring = MonitoringCaps::from_cpuid(rdt(0xF, 0), || rdt(0xF, 1));
    let least_monitoring = MonitoringCaps::from_cpuid([0, 0, 0, 0], || [0; 4]);
    let mba = MbaCaps::from_cpuid([0xFFF, 0, 5, 15]);
    let least_mba = MbaCaps::from_cpuid([89, 0, 0, 3]);
    let limits = L3QosBwCaps::from_cpuid([63, 0, 0, 15]).expect("U has room");
    let least_limits = L3QosBwCaps::from_cpuid([11, 0, 0, 3]).expect("U has room");
    let slow = L3QosSmbwCaps::from_cpuid([63, 0, 0, 15]).expect("U has room");
    let least_slow = L3QosSmbwCaps::from_cpuid([11, 0, 0, 3]).expect("U has room");
    let lwp = LwpCaps::from_cpuid([0x1F, 0x0103_2040, 0x8000_002A, 0x1F], EdxLayout::AsPrinted).expect("it has LWP");
    let least_lwp = LwpCaps::from_cpuid([0, 0x0103_2040, 0x8000_002A, 1], EdxLayout::AsPrinted).expect("it has LWP");

    macro_rules! rules {
        ($($register:ty: $most:expr, $least:expr;)+) => {
            vec![$((<$register>::LAYOUT.name, Rules::of::<$register>(&$most, &$least))),+]
        };
    }
    rules! {
        LvtPerformance: (), ();
        X2ApicEoi: (), ();
        LwpMsr0: lwp, least_lwp;
        AmdGlobalCtl: amd, AmdPerfCaps::new(false);
        AmdGlobalStatus: amd, AmdPerfCaps::new(false);
        AmdGlobalStatusClr: amd, AmdPerfCaps::new(false);
        AmdGlobalStatusSet: amd, AmdPerfCaps::new(false);
        AmdPerfCtl: (), ();
        AmdPerfCtr: (), ();
        Ia32APmc: most, least;
        Ia32FixedCtr: most, least;
        Ia32FixedCtrCtrl: most, least;
        Ia32PerfCapabilities: (), ();
        Ia32PerfEvtSel: select, least_select;
        Ia32PerfGlobalCtrl: most, least;
        Ia32PerfGlobalInuse: most, least;
        Ia32PerfGlobalOvfCtrl: most, least;
        Ia32PerfGlobalStatus: most, least;
        Ia32PerfGlobalStatusSet: most, least;
        Ia32Pmc: most, least;
        PerfCtr: (), ();
        PerfEvtSel0: (), ();
        PerfEvtSel1: (), ();
        L2Mask: l2, least_l2;
        L2QosCfg: l2, least_l2;
        L3Mask: l3, least_l3;
        L3QosCfg: l3, least_l3;
        MbaThrottle: mba, least_mba;
        L3QosBwControl: limits, least_limits;
        L3QosSmbwControl: slow, least_slow;
        PqrAssoc: caps, least_caps;
        QmCtr: monitoring, least_monitoring;
        QmEvtsel: monitoring, least_monitoring;
        AmdLbrSelect: AmdLbrCaps::new(16, true), AmdLbrCaps::new(16, false);
        DebugCtl: DebugCtlCaps::ALL, DebugCtlCaps::default();
        DsArea: LinearAddressBits(57), LinearAddressBits(48);
        Ia32LbrCtl: lbr, least_lbr;
        Ia32LbrDepth: lbr, least_lbr;
        LbrSelect: LbrLayout::SKYLAKE, LbrLayout::NEHALEM;
        LbrTos: LbrDepth::THIRTY_TWO, LbrDepth::FOUR;
        TimeStampCounter: TscWrite::All, TscWrite::Low32;
        TscAux: (), ();
    }
}
