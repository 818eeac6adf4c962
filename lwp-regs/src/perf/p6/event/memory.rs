//! Events of the data cache, of instruction fetch and of the L2 cache.

use super::{Event, EventUnit::*, Measure::*, UnitMask};
use crate::perf::p6::P6Models;

event_table! {
    // Data Cache Unit
    DATA_MEM_REFS: 0x43, Dcu, Occurrences,
        "Loads and stores of any memory type, each part of a split access for itself.",
        "Counts internal retries too, but an access only when it is performed. 80-bit floating-point accesses count \
         twice (exponent and mantissa). No I/O and other non-memory accesses.";
    DCU_LINES_IN: 0x45, Dcu, Occurrences, "Lines allocated in the DCU.", "";
    DCU_M_LINES_IN: 0x46, Dcu, Occurrences, "Lines in state M allocated in the DCU.", "";
    DCU_M_LINES_OUT: 0x47, Dcu, Occurrences,
        "Lines in state M evicted from the DCU, by snoop HITM, intervention or replacement.", "";
    DCU_MISS_OUTSTANDING: 0x48, Dcu, Weighted,
        "In each cycle, the number of DCU misses that are outstanding. Cacheable requests only.",
        "Not precise: an access that also misses the L2 counts 2 cycles too few, later loads from the same line count \
         nothing. The manual says \"read requests only\", but counts read-for-ownership, line fills, invalidates and \
         stores as well.";

    // Instruction Fetch Unit
    IFU_IFETCH: 0x80, Ifu, Occurrences, "Instruction fetches, cacheable or not, UC included.", "";
    IFU_IFETCH_MISS: 0x81, Ifu, Occurrences,
        "Instruction fetches that do not hit the IFU and so produce memory requests, UC included.", "";
    ITLB_MISS: 0x85, Ifu, Occurrences, "Misses of the instruction TLB.", "";
    IFU_MEM_STALL: 0x86, Ifu, Cycles,
        "Cycles in which instruction fetch is stalled for any reason.",
        "Includes IFU misses, ITLB misses, ITLB faults and other minor stalls.";
    ILD_STALL: 0x87, Ifu, Cycles, "Cycles in which the instruction length decoder is stalled.", "";

    // L2 cache
    L2_IFETCH: 0x28, L2, Occurrences,
        "Normal instruction fetches that the L2 received. L2-cacheable only: no UC fetches.",
        "Does not include ITLB miss accesses.", .masks(UnitMask::Mesi);
    L2_LD: 0x29, L2, Occurrences,
        "Normal, unlocked data loads that the L2 received. L2-cacheable only: no I/O, UC, WT or non-memory accesses.",
        "Includes L2-cacheable TLB miss accesses.", .masks(UnitMask::Mesi).on(P6Models::BEFORE_PENTIUM_M);
    L2_ST: 0x2A, L2, Occurrences,
        "Normal, unlocked data stores that the L2 received: read-for-ownership and Invalid-to-Modified requests of the DCU.",
        "L2-cacheable only; includes TLB miss accesses.", .masks(UnitMask::Mesi);
    L2_LINES_IN: 0x24, L2, Occurrences, "Lines allocated in the L2.", "",
        .on(P6Models::BEFORE_PENTIUM_M);
    L2_LINES_OUT: 0x26, L2, Occurrences, "Lines removed from the L2 for any reason.", "",
        .on(P6Models::BEFORE_PENTIUM_M);
    L2_M_LINES_INM: 0x25, L2, Occurrences, "Modified lines allocated in the L2.", "";
    L2_M_LINES_OUTM: 0x27, L2, Occurrences, "Modified lines removed from the L2 for any reason.", "",
        .on(P6Models::BEFORE_PENTIUM_M);
    L2_RQSTS: 0x2E, L2, Occurrences, "All requests to the L2.", "With unit mask 00h it counts nothing.",
        .masks(UnitMask::Mesi);
    L2_ADS: 0x21, L2, Occurrences, "Address strobes of the L2.", "";
    L2_DBUS_BUSY: 0x22, L2, Cycles, "Cycles in which the L2 data bus is busy.", "";
    L2_DBUS_BUSY_RD: 0x23, L2, Cycles,
        "Cycles in which the L2 data bus is busy with read data for the processor.", "";
}
