//! Events of the external bus.

use super::{Event, EventUnit::*, Measure::*, UnitMask};

event_table! {
    BUS_DRDY_CLOCKS: 0x62, Ebl, ByAgent,
        "Clocks in which DRDY# is asserted: use of the external data bus.",
        "With unit mask 00h bus clocks in which this processor drives DRDY#, with 20h processor clocks in which any agent \
         does.", .masks(UnitMask::Agent);
    BUS_LOCK_CLOCKS: 0x63, Ebl, Cycles,
        "Clocks in which LOCK# is asserted on the external bus; always processor clocks.",
        "May stay 0, since the L2 cache can lock instead of the bus.", .masks(UnitMask::Agent);
    BUS_REQ_OUTSTANDING: 0x60, Ebl, Weighted,
        "In each cycle, the number of outstanding cacheable full-line reads of the DCU.",
        "No read-for-ownership, writes or instruction fetches. A read is outstanding until its last data chunk.",
        .masks(UnitMask::OwnOnly);
    BUS_TRAN_BRD: 0x65, Ebl, Occurrences, "Burst read transactions.", "", .masks(UnitMask::Agent);
    BUS_TRAN_RFO: 0x66, Ebl, Occurrences, "Completed read-for-ownership transactions.", "", .masks(UnitMask::Agent);
    BUS_TRANS_WB: 0x67, Ebl, Occurrences, "Completed write-back transactions.", "", .masks(UnitMask::Agent);
    BUS_TRAN_IFETCH: 0x68, Ebl, Occurrences, "Completed instruction fetch transactions.", "",
        .masks(UnitMask::Agent);
    BUS_TRAN_INVAL: 0x69, Ebl, Occurrences, "Completed invalidate transactions.", "", .masks(UnitMask::Agent);
    BUS_TRAN_PWR: 0x6A, Ebl, Occurrences, "Completed partial write transactions.", "", .masks(UnitMask::Agent);
    BUS_TRANS_P: 0x6B, Ebl, Occurrences, "Completed partial transactions.", "", .masks(UnitMask::Agent);
    BUS_TRANS_IO: 0x6C, Ebl, Occurrences, "Completed I/O transactions.", "", .masks(UnitMask::Agent);
    BUS_TRAN_DEF: 0x6D, Ebl, Occurrences, "Completed deferred transactions.", "", .masks(UnitMask::Agent);
    BUS_TRAN_BURST: 0x6E, Ebl, Occurrences, "Completed burst transactions.", "", .masks(UnitMask::Agent);
    BUS_TRAN_ANY: 0x70, Ebl, Occurrences,
        "Completed transactions of any kind, special cycles included.",
        "With the minimum occupancy of the address bus it gives the use of that bus.", .masks(UnitMask::Agent);
    BUS_TRAN_MEM: 0x6F, Ebl, Occurrences, "Completed memory transactions.", "", .masks(UnitMask::Agent);
    BUS_DATA_RCV: 0x64, Ebl, BusClocks, "Bus clocks in which this processor receives data.", "",
        .masks(UnitMask::OwnOnly);
    BUS_BNR_DRV: 0x61, Ebl, BusClocks, "Bus clocks in which this processor drives BNR#.", "",
        .masks(UnitMask::OwnOnly);
    BUS_HIT_DRV: 0x7A, Ebl, BusClocks,
        "Bus clocks in which this processor drives HIT#, snoop stalls included.",
        "The pins differ from what PC says: at a core-to-bus ratio of 2:1 or 3:1 they are asserted for one clock on \
         overflow (PC 1) or toggle on overflow (PC 0); at any other ratio they do nothing.",
        .masks(UnitMask::OwnOnly);
    BUS_HITM_DRV: 0x7B, Ebl, BusClocks,
        "Bus clocks in which this processor drives HITM#, snoop stalls included.",
        "The pins differ from what PC says: at a core-to-bus ratio of 2:1 or 3:1 they are asserted for one clock on \
         overflow (PC 1) or toggle on overflow (PC 0); at any other ratio they do nothing.",
        .masks(UnitMask::OwnOnly);
    BUS_SNOOP_STALL: 0x7E, Ebl, Cycles, "Clock cycles in which the bus is snoop stalled.",
        "The manual does not say of which clock.", .masks(UnitMask::OwnOnly);
}
