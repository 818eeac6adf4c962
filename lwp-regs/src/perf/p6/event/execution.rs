//! Events of execution: floating point, memory ordering, decoding and retirement, interrupts, branches, stalls, segment
//! loads, clocks.

use super::{Counter, Event, EventUnit::*, Measure::*, P6Models, UnitMask, Work::*};

event_table! {
    // Floating-Point Unit
    FLOPS: 0xC1, Fpu, Occurrences,
        "Computational floating-point operations retired.",
        "Without those that trap or need an assist, and without loads and stores. With those that the assist handler \
         executes and the inner operations of transcendentals.", .counter(Counter::Counter0).of(Retired);
    FP_COMP_OPS_EXE: 0x10, Fpu, Occurrences,
        "Computational operations executed: FADD, FSUB, FCOM, FMUL, FDIV, FPREM, FSQRT, integer MUL, IMUL, DIV, IDIV.",
        "Operations, not cycles. Does not tell an FADD of a transcendental from one that stands alone.",
        .counter(Counter::Counter0).of(Speculative);
    FP_ASSIST: 0x11, Fpu, Occurrences, "Floating-point exception cases that microcode handles.", "",
        .counter(Counter::Counter1).of(Speculative);
    MUL: 0x12, Fpu, Occurrences, "Multiplies, integer and floating-point.", "",
        .counter(Counter::Counter1).of(Speculative);
    DIV: 0x13, Fpu, Occurrences, "Divides, integer and floating-point.", "",
        .counter(Counter::Counter1).of(Speculative);
    CYCLES_DIV_BUSY: 0x14, Fpu, Cycles,
        "Cycles in which the divider is busy and cannot take a new divide.",
        "Integer and floating-point divides, FPREM, FPSQRT and their like.",
        .counter(Counter::Counter0).of(Speculative);

    // Memory Ordering
    LD_BLOCKS: 0x03, MemoryOrdering, Occurrences,
        "Loads delayed by a store in the store buffer.",
        "The store's address is unknown, or its data is unknown, or it overlaps the load incompletely.";
    SB_DRAINS: 0x04, MemoryOrdering, Cycles,
        "Cycles in which the store buffer drains.",
        "By serialising operations like CPUID, synchronising ones like XCHG, interrupt acknowledge, cache flushes and \
         others.";
    MISALIGN_MEM_REF: 0x05, MemoryOrdering, Cycles,
        "Cycles in which the load or store pipeline dispatches a misaligned uop, one that crosses a 64-bit boundary.",
        "Roughly proportional to the number of misaligned references, not equal to it: either half counts, and a uop \
         that is blocked, squashed or missed.", .of(Speculative);
    EMON_KNI_PREF_DISPATCHED: 0x07, MemoryOrdering, Occurrences,
        "SSE prefetches and weakly ordered stores dispatched, one kind by unit mask.", "",
        .masks(UnitMask::PREFETCHES).on(P6Models::FROM_PENTIUM_III).of(Speculative);
    EMON_KNI_PREF_MISS: 0x4B, MemoryOrdering, Occurrences,
        "SSE prefetches and weakly ordered stores that miss all caches, one kind by unit mask.", "",
        .masks(UnitMask::PREFETCHES).on(P6Models::FROM_PENTIUM_III);

    // Instruction Decoding and Retirement
    INST_RETIRED: 0xC0, DecodeRetire, Occurrences,
        "Instructions retired.",
        "One too few for a hardware interrupt during or after the last iteration of REP STOS, and for an SMI during HLT \
         (the RSM is not counted).", .of(Retired);
    UOPS_RETIRED: 0xC2, DecodeRetire, Occurrences, "Micro-operations retired.", "", .of(Retired);
    INST_DECODED: 0xD0, DecodeRetire, Occurrences, "Instructions decoded.", "", .of(Speculative);
    EMON_KNI_INST_RETIRED: 0xD8, DecodeRetire, Occurrences,
        "SSE instructions retired, all or scalar ones by unit mask.", "",
        .masks(UnitMask::SCALARS).on(P6Models::PENTIUM_III).of(Retired);
    EMON_KNI_COMP_INST_RET: 0xD9, DecodeRetire, Occurrences,
        "SSE computation instructions retired, all or scalar ones by unit mask.", "",
        .masks(UnitMask::SCALARS).on(P6Models::PENTIUM_III).of(Retired);

    // Interrupts
    HW_INT_RX: 0xC8, Interrupts, Occurrences, "Hardware interrupts received.", "";
    CYCLES_INT_MASKED: 0xC6, Interrupts, Cycles, "Processor cycles in which interrupts are disabled.", "";
    CYCLES_INT_PENDING_AND_MASKED: 0xC7, Interrupts, Cycles,
        "Processor cycles in which interrupts are disabled and one is pending.", "";

    // Branches
    BR_INST_RETIRED: 0xC4, Branches, Occurrences, "Branches retired.", "", .of(Retired);
    BR_MISS_PRED_RETIRED: 0xC5, Branches, Occurrences, "Mispredicted branches retired.", "", .of(Retired);
    BR_TAKEN_RETIRED: 0xC9, Branches, Occurrences, "Taken branches retired.", "", .of(Retired);
    BR_MISS_PRED_TAKEN_RET: 0xCA, Branches, Occurrences, "Taken branches retired that were mispredicted.", "",
        .of(Retired);
    BR_INST_DECODED: 0xE0, Branches, Occurrences, "Branches decoded.", "", .of(Speculative);
    BTB_MISSES: 0xE2, Branches, Occurrences, "Branches for which the BTB gave no prediction.", "";
    BR_BOGUS: 0xE4, Branches, Occurrences, "Bogus branches.", "";
    BACLEARS: 0xE6, Branches, Occurrences,
        "Assertions of BACLEAR: the branch decoder predicted statically since the BTB had not.", "";

    // Stalls
    RESOURCE_STALLS: 0xA2, Stalls, Cycles,
        "Cycles with a stall for lack of a resource: entries of the renaming buffer or of the memory buffer.",
        "Also stalls of misprediction recovery and while the store buffer drains after synchronising operations. Not for \
         a full bus queue or too many cache misses.";
    PARTIAL_RAT_STALLS: 0xD2, Stalls, CyclesOrEvents, "Partial stalls, flag partial stalls included.", "";

    // Segment register loads
    SEGMENT_REG_LOADS: 0x06, SegmentLoads, Occurrences, "Loads of a segment register.", "";

    // Clocks
    CPU_CLK_UNHALTED: 0x79, Clocks, Cycles, "Cycles in which the processor is not halted.", "";
}
