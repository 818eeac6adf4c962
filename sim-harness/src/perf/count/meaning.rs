//! What an event counts, by its name: for the plain counter, which does not ask the unit.

use super::event::{Event, Wanted};
use super::facts::Fact;
use lwp_regs::perf::architectural::ArchitecturalEvent;

/// What an event counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The sum of these facts.
    Facts(Vec<Fact>),
    /// Instructions that count.
    Instructions,
    /// Branches; taken ones alone, mispredicted ones alone.
    Branches { taken: bool, missed: bool },
    /// Interrupts.
    Interrupts,
    /// Cycles.
    Cycles,
}

impl Meaning {
    /// Returns what an event counts.
    pub(super) fn of(wanted: &Wanted) -> Self {
        match wanted.event {
            Event::P6(event, mask) => of_p6(event.mnemonic(), mask),
            Event::Architectural(event) => of_architectural(event),
        }
    }

    /// The facts, if it is facts.
    pub(super) fn facts(&self) -> &[Fact] {
        match self {
            Self::Facts(facts) => facts,
            _ => &[],
        }
    }

    /// Returns what it is, in words.
    pub(super) fn words(&self) -> &'static str {
        match self {
            Self::Facts(facts) => facts.first().map_or("nothing", |fact| fact.meaning()),
            Self::Instructions => "instructions",
            Self::Branches { missed: true, .. } => "mispredicted branches",
            Self::Branches { .. } => "branches",
            Self::Interrupts => "interrupts",
            Self::Cycles => "cycles",
        }
    }
}

fn of_architectural(event: ArchitecturalEvent) -> Meaning {
    match event {
        ArchitecturalEvent::CoreCycles | ArchitecturalEvent::ReferenceCycles => Meaning::Cycles,
        ArchitecturalEvent::Instructions => Meaning::Instructions,
        ArchitecturalEvent::LlcReferences => Meaning::Facts(vec![Fact::LastLevel]),
        ArchitecturalEvent::LlcMisses => Meaning::Facts(vec![Fact::LastLevelMisses]),
        ArchitecturalEvent::Branches => Meaning::Branches { taken: false, missed: false },
        ArchitecturalEvent::BranchMisses => Meaning::Branches { taken: false, missed: true },
        // The unit does not count them, so `Wanted::parse` has refused the event.
        ArchitecturalEvent::Slots => Meaning::Facts(Vec::new()),
    }
}

fn of_p6(mnemonic: &str, mask: u8) -> Meaning {
    let branches = |taken, missed| Meaning::Branches { taken, missed };
    match mnemonic {
        "INST_RETIRED" => Meaning::Instructions,
        "CPU_CLK_UNHALTED" => Meaning::Cycles,
        "HW_INT_RX" => Meaning::Interrupts,
        "BR_INST_RETIRED" => branches(false, false),
        "BR_MISS_PRED_RETIRED" => branches(false, true),
        "BR_TAKEN_RETIRED" => branches(true, false),
        "BR_MISS_PRED_TAKEN_RET" => branches(true, true),
        _ => Meaning::Facts(facts(mnemonic, mask)),
    }
}

/// The facts of the states I, S, E, M that a mask names.
fn states(mask: u8, all: [Fact; 4]) -> Vec<Fact> {
    all.into_iter().enumerate().filter(|(bit, _)| mask >> bit & 1 != 0).map(|(_, fact)| fact).collect()
}

fn facts(mnemonic: &str, mask: u8) -> Vec<Fact> {
    use Fact as F;
    match mnemonic {
        "L2_IFETCH" => return states(mask, [F::L2FetchI, F::L2FetchS, F::L2FetchE, F::L2FetchM]),
        "L2_LD" => return states(mask, [F::L2LoadI, F::L2LoadS, F::L2LoadE, F::L2LoadM]),
        "L2_ST" => return states(mask, [F::L2StoreI, F::L2StoreS, F::L2StoreE, F::L2StoreM]),
        "L2_RQSTS" => return states(mask, [F::L2RequestI, F::L2RequestS, F::L2RequestE, F::L2RequestM]),
        _ => {}
    }
    vec![match (mnemonic, mask) {
        ("DATA_MEM_REFS", _) => F::References,
        ("MISALIGN_MEM_REF", _) => F::Misaligned,
        ("DCU_LINES_IN", _) => F::DataIn,
        ("DCU_M_LINES_IN", _) => F::DataModifiedIn,
        ("DCU_M_LINES_OUT", _) => F::DataModifiedOut,
        ("IFU_IFETCH", _) => F::Fetches,
        ("IFU_IFETCH_MISS", _) => F::FetchMisses,
        ("ITLB_MISS", _) => F::ItlbMisses,
        ("L2_LINES_IN", _) => F::L2In,
        ("L2_LINES_OUT", _) => F::L2Out,
        ("L2_M_LINES_INM", _) => F::L2ModifiedIn,
        ("L2_M_LINES_OUTM", _) => F::L2ModifiedOut,
        ("FLOPS", _) => F::Flops,
        ("FP_COMP_OPS_EXE", _) => F::Computations,
        ("MUL", _) => F::Multiplies,
        ("DIV", _) => F::Divides,
        ("SEGMENT_REG_LOADS", _) => F::SegmentLoads,
        ("INST_DECODED", _) => F::Decoded,
        ("BR_INST_DECODED", _) => F::BranchesDecoded,
        _ => return of_media(mnemonic, mask).into_iter().collect(),
    }]
}

/// Facts of MMX and SSE.
fn of_media(mnemonic: &str, mask: u8) -> Option<Fact> {
    use Fact as F;
    Some(match (mnemonic, mask) {
        ("MMX_INSTR_EXEC", _) => F::Mmx,
        ("MMX_SAT_INSTR_EXEC", _) => F::MmxSaturating,
        ("MMX_INSTR_TYPE_EXEC", 0x01) => F::MmxMultiply,
        ("MMX_INSTR_TYPE_EXEC", 0x02) => F::MmxShift,
        ("MMX_INSTR_TYPE_EXEC", 0x04) => F::MmxPack,
        ("MMX_INSTR_TYPE_EXEC", 0x08) => F::MmxUnpack,
        ("MMX_INSTR_TYPE_EXEC", 0x10) => F::MmxLogical,
        ("MMX_INSTR_TYPE_EXEC", 0x20) => F::MmxArithmetic,
        ("FP_MMX_TRANS", 0x00) => F::MmxToX87,
        ("FP_MMX_TRANS", 0x01) => F::X87ToMmx,
        ("MMX_ASSIST", _) => F::Emms,
        ("MMX_INSTR_RET", _) => F::MmxRetired,
        ("EMON_KNI_INST_RETIRED", 0x00) => F::Sse,
        ("EMON_KNI_INST_RETIRED", 0x01) => F::SseScalar,
        ("EMON_KNI_COMP_INST_RET", 0x00) => F::SseComputations,
        ("EMON_KNI_COMP_INST_RET", 0x01) => F::SseScalarComputations,
        ("EMON_KNI_PREF_DISPATCHED", 0x00) => F::PrefetchNta,
        ("EMON_KNI_PREF_DISPATCHED", 0x01) => F::PrefetchT1,
        ("EMON_KNI_PREF_DISPATCHED", 0x02) => F::PrefetchT2,
        ("EMON_KNI_PREF_DISPATCHED", 0x03) => F::WeakStores,
        _ => return None,
    })
}
