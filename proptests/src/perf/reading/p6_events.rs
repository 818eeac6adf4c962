//! The table of the 82 events of the P6 family (P6EV-01 to P6EV-87), in the order of the study.
//!
//! Unit masks and counters are those of the table. The clock of an event is the processor's, unless the table says bus clocks.

use super::event::Number::{Branches, Bus, Instructions, Interrupts, Mispredicted, Taken, TakenMispredicted, Unhalted};
use super::event::{Clock, Masks, Row};
use lwp_model::perf::Line::*;

/// Members of the family: Pentium Pro, Pentium II, Pentium III, Pentium M, from bit 0 on.
const ALL: u8 = 0b1111;
const MMX: u8 = 0b1110;
const SSE: u8 = 0b1100;
const III: u8 = 0b0100;
const II: u8 = 0b0010;

const BOTH: [bool; 2] = [true; 2];
const FIRST: [bool; 2] = [true, false];
const SECOND: [bool; 2] = [false, true];

const fn row(code: u8, members: u8, counters: [bool; 2], masks: Masks) -> Row {
    Row { code, members, counters, masks }
}

/// The events.
pub(super) const ROWS: [Row; 82] = [
    // DATA_MEM_REFS
    row(0x43, ALL, BOTH, Masks::Listed(&[(0x00, &[Bus(DataMemRefs)], Clock::Core)])),
    // DCU_LINES_IN
    row(0x45, ALL, BOTH, Masks::Listed(&[(0x00, &[Bus(DcuLinesIn)], Clock::Core)])),
    // DCU_M_LINES_IN
    row(0x46, ALL, BOTH, Masks::Listed(&[(0x00, &[Bus(DcuMLinesIn)], Clock::Core)])),
    // DCU_M_LINES_OUT
    row(0x47, ALL, BOTH, Masks::Listed(&[(0x00, &[Bus(DcuMLinesOut)], Clock::Core)])),
    // DCU_MISS_OUTSTANDING
    row(0x48, ALL, BOTH, Masks::Listed(&[(0x00, &[Bus(DcuMissOutstanding)], Clock::Core)])),
    // IFU_IFETCH
    row(0x80, ALL, BOTH, Masks::Listed(&[(0x00, &[Bus(IfuIfetch)], Clock::Core)])),
    // IFU_IFETCH_MISS
    row(0x81, ALL, BOTH, Masks::Listed(&[(0x00, &[Bus(IfuIfetchMiss)], Clock::Core)])),
    // ITLB_MISS
    row(0x85, ALL, BOTH, Masks::Listed(&[(0x00, &[Bus(ItlbMiss)], Clock::Core)])),
    // IFU_MEM_STALL
    row(0x86, ALL, BOTH, Masks::Listed(&[(0x00, &[Bus(IfuMemStall)], Clock::Core)])),
    // ILD_STALL
    row(0x87, ALL, BOTH, Masks::Listed(&[(0x00, &[Bus(IldStall)], Clock::Core)])),
    // L2_IFETCH
    row(0x28, ALL, BOTH, Masks::States([L2IfetchI, L2IfetchS, L2IfetchE, L2IfetchM])),
    // L2_LD
    row(0x29, ALL, BOTH, Masks::States([L2LdI, L2LdS, L2LdE, L2LdM])),
    // L2_ST
    row(0x2A, ALL, BOTH, Masks::States([L2StI, L2StS, L2StE, L2StM])),
    // L2_LINES_IN
    row(0x24, ALL, BOTH, Masks::Listed(&[(0x00, &[Bus(L2LinesIn)], Clock::Core)])),
    // L2_LINES_OUT
    row(0x26, ALL, BOTH, Masks::Listed(&[(0x00, &[Bus(L2LinesOut)], Clock::Core)])),
    // L2_M_LINES_INM
    row(0x25, ALL, BOTH, Masks::Listed(&[(0x00, &[Bus(L2MLinesInm)], Clock::Core)])),
    // L2_M_LINES_OUTM
    row(0x27, ALL, BOTH, Masks::Listed(&[(0x00, &[Bus(L2MLinesOutm)], Clock::Core)])),
    // L2_RQSTS
    row(0x2E, ALL, BOTH, Masks::States([L2RqstsI, L2RqstsS, L2RqstsE, L2RqstsM])),
    // L2_ADS
    row(0x21, ALL, BOTH, Masks::Listed(&[(0x00, &[Bus(L2Ads)], Clock::Core)])),
    // L2_DBUS_BUSY
    row(0x22, ALL, BOTH, Masks::Listed(&[(0x00, &[Bus(L2DbusBusy)], Clock::Core)])),
    // L2_DBUS_BUSY_RD
    row(0x23, ALL, BOTH, Masks::Listed(&[(0x00, &[Bus(L2DbusBusyRd)], Clock::Core)])),
    // BUS_DRDY_CLOCKS
    row(
        0x62,
        ALL,
        BOTH,
        Masks::Listed(&[(0x00, &[Bus(BusDrdySelf)], Clock::Bus), (0x20, &[Bus(BusDrdyAny)], Clock::Core)]),
    ),
    // BUS_LOCK_CLOCKS
    row(
        0x63,
        ALL,
        BOTH,
        Masks::Listed(&[(0x00, &[Bus(BusLockSelf)], Clock::Core), (0x20, &[Bus(BusLockAny)], Clock::Core)]),
    ),
    // BUS_REQ_OUTSTANDING
    row(0x60, ALL, BOTH, Masks::Listed(&[(0x00, &[Bus(BusReqOutstanding)], Clock::Core)])),
    // BUS_TRAN_BRD
    row(
        0x65,
        ALL,
        BOTH,
        Masks::Listed(&[(0x00, &[Bus(BusBrdSelf)], Clock::Core), (0x20, &[Bus(BusBrdAny)], Clock::Core)]),
    ),
    // BUS_TRAN_RFO
    row(
        0x66,
        ALL,
        BOTH,
        Masks::Listed(&[(0x00, &[Bus(BusRfoSelf)], Clock::Core), (0x20, &[Bus(BusRfoAny)], Clock::Core)]),
    ),
    // BUS_TRANS_WB
    row(
        0x67,
        ALL,
        BOTH,
        Masks::Listed(&[(0x00, &[Bus(BusWbSelf)], Clock::Core), (0x20, &[Bus(BusWbAny)], Clock::Core)]),
    ),
    // BUS_TRAN_IFETCH
    row(
        0x68,
        ALL,
        BOTH,
        Masks::Listed(&[(0x00, &[Bus(BusIfetchSelf)], Clock::Core), (0x20, &[Bus(BusIfetchAny)], Clock::Core)]),
    ),
    // BUS_TRAN_INVAL
    row(
        0x69,
        ALL,
        BOTH,
        Masks::Listed(&[(0x00, &[Bus(BusInvalSelf)], Clock::Core), (0x20, &[Bus(BusInvalAny)], Clock::Core)]),
    ),
    // BUS_TRAN_PWR
    row(
        0x6A,
        ALL,
        BOTH,
        Masks::Listed(&[(0x00, &[Bus(BusPwrSelf)], Clock::Core), (0x20, &[Bus(BusPwrAny)], Clock::Core)]),
    ),
    // BUS_TRANS_P
    row(0x6B, ALL, BOTH, Masks::Listed(&[(0x00, &[Bus(BusPSelf)], Clock::Core), (0x20, &[Bus(BusPAny)], Clock::Core)])),
    // BUS_TRANS_IO
    row(
        0x6C,
        ALL,
        BOTH,
        Masks::Listed(&[(0x00, &[Bus(BusIoSelf)], Clock::Core), (0x20, &[Bus(BusIoAny)], Clock::Core)]),
    ),
    // BUS_TRAN_DEF
    row(
        0x6D,
        ALL,
        BOTH,
        Masks::Listed(&[(0x00, &[Bus(BusDefSelf)], Clock::Core), (0x20, &[Bus(BusDefAny)], Clock::Core)]),
    ),
    // BUS_TRAN_BURST
    row(
        0x6E,
        ALL,
        BOTH,
        Masks::Listed(&[(0x00, &[Bus(BusBurstSelf)], Clock::Core), (0x20, &[Bus(BusBurstAny)], Clock::Core)]),
    ),
    // BUS_TRAN_ANY
    row(
        0x70,
        ALL,
        BOTH,
        Masks::Listed(&[(0x00, &[Bus(BusAllSelf)], Clock::Core), (0x20, &[Bus(BusAllAny)], Clock::Core)]),
    ),
    // BUS_TRAN_MEM
    row(
        0x6F,
        ALL,
        BOTH,
        Masks::Listed(&[(0x00, &[Bus(BusMemSelf)], Clock::Core), (0x20, &[Bus(BusMemAny)], Clock::Core)]),
    ),
    // BUS_DATA_RCV
    row(0x64, ALL, BOTH, Masks::Listed(&[(0x00, &[Bus(BusDataRcv)], Clock::Bus)])),
    // BUS_BNR_DRV
    row(0x61, ALL, BOTH, Masks::Listed(&[(0x00, &[Bus(BusBnrDrv)], Clock::Bus)])),
    // BUS_HIT_DRV
    row(0x7A, ALL, BOTH, Masks::Listed(&[(0x00, &[Bus(BusHitDrv)], Clock::Bus)])),
    // BUS_HITM_DRV
    row(0x7B, ALL, BOTH, Masks::Listed(&[(0x00, &[Bus(BusHitmDrv)], Clock::Bus)])),
    // BUS_SNOOP_STALL
    row(0x7E, ALL, BOTH, Masks::Listed(&[(0x00, &[Bus(BusSnoopStall)], Clock::Core)])),
    // FLOPS
    row(0xC1, ALL, FIRST, Masks::Listed(&[(0x00, &[Bus(Flops)], Clock::Core)])),
    // FP_COMP_OPS_EXE
    row(0x10, ALL, FIRST, Masks::Listed(&[(0x00, &[Bus(FpCompOpsExe)], Clock::Core)])),
    // FP_ASSIST
    row(0x11, ALL, SECOND, Masks::Listed(&[(0x00, &[Bus(FpAssist)], Clock::Core)])),
    // MUL
    row(0x12, ALL, SECOND, Masks::Listed(&[(0x00, &[Bus(Mul)], Clock::Core)])),
    // DIV
    row(0x13, ALL, SECOND, Masks::Listed(&[(0x00, &[Bus(Div)], Clock::Core)])),
    // CYCLES_DIV_BUSY
    row(0x14, ALL, FIRST, Masks::Listed(&[(0x00, &[Bus(DivBusy)], Clock::Core)])),
    // LD_BLOCKS
    row(0x03, ALL, BOTH, Masks::Listed(&[(0x00, &[Bus(LdBlocks)], Clock::Core)])),
    // SB_DRAINS
    row(0x04, ALL, BOTH, Masks::Listed(&[(0x00, &[Bus(SbDrains)], Clock::Core)])),
    // MISALIGN_MEM_REF
    row(0x05, ALL, BOTH, Masks::Listed(&[(0x00, &[Bus(MisalignMemRef)], Clock::Core)])),
    // EMON_KNI_PREF_DISPATCHED
    row(
        0x07,
        SSE,
        BOTH,
        Masks::Listed(&[
            (0x00, &[Bus(KniPrefDispatchedNta)], Clock::Core),
            (0x01, &[Bus(KniPrefDispatchedT1)], Clock::Core),
            (0x02, &[Bus(KniPrefDispatchedT2)], Clock::Core),
            (0x03, &[Bus(KniPrefDispatchedWeak)], Clock::Core),
        ]),
    ),
    // EMON_KNI_PREF_MISS
    row(
        0x4B,
        SSE,
        BOTH,
        Masks::Listed(&[
            (0x00, &[Bus(KniPrefMissNta)], Clock::Core),
            (0x01, &[Bus(KniPrefMissT1)], Clock::Core),
            (0x02, &[Bus(KniPrefMissT2)], Clock::Core),
            (0x03, &[Bus(KniPrefMissWeak)], Clock::Core),
        ]),
    ),
    // INST_RETIRED
    row(0xC0, ALL, BOTH, Masks::Listed(&[(0x00, &[Instructions], Clock::Core)])),
    // UOPS_RETIRED
    row(0xC2, ALL, BOTH, Masks::Listed(&[(0x00, &[Bus(UopsRetired)], Clock::Core)])),
    // INST_DECODED
    row(0xD0, ALL, BOTH, Masks::Listed(&[(0x00, &[Bus(InstDecoded)], Clock::Core)])),
    // EMON_KNI_INST_RETIRED
    row(
        0xD8,
        III,
        BOTH,
        Masks::Listed(&[(0x00, &[Bus(KniRetired)], Clock::Core), (0x01, &[Bus(KniRetiredScalar)], Clock::Core)]),
    ),
    // EMON_KNI_COMP_INST_RET
    row(
        0xD9,
        III,
        BOTH,
        Masks::Listed(&[
            (0x00, &[Bus(KniCompRetired)], Clock::Core),
            (0x01, &[Bus(KniCompRetiredScalar)], Clock::Core),
        ]),
    ),
    // HW_INT_RX
    row(0xC8, ALL, BOTH, Masks::Listed(&[(0x00, &[Interrupts], Clock::Core)])),
    // CYCLES_INT_MASKED
    row(0xC6, ALL, BOTH, Masks::Listed(&[(0x00, &[Bus(IntMasked)], Clock::Core)])),
    // CYCLES_INT_PENDING_AND_MASKED
    row(0xC7, ALL, BOTH, Masks::Listed(&[(0x00, &[Bus(IntPendingAndMasked)], Clock::Core)])),
    // BR_INST_RETIRED
    row(0xC4, ALL, BOTH, Masks::Listed(&[(0x00, &[Branches], Clock::Core)])),
    // BR_MISS_PRED_RETIRED
    row(0xC5, ALL, BOTH, Masks::Listed(&[(0x00, &[Mispredicted], Clock::Core)])),
    // BR_TAKEN_RETIRED
    row(0xC9, ALL, BOTH, Masks::Listed(&[(0x00, &[Taken], Clock::Core)])),
    // BR_MISS_PRED_TAKEN_RET
    row(0xCA, ALL, BOTH, Masks::Listed(&[(0x00, &[TakenMispredicted], Clock::Core)])),
    // BR_INST_DECODED
    row(0xE0, ALL, BOTH, Masks::Listed(&[(0x00, &[Bus(BrDecoded)], Clock::Core)])),
    // BTB_MISSES
    row(0xE2, ALL, BOTH, Masks::Listed(&[(0x00, &[Bus(BtbMisses)], Clock::Core)])),
    // BR_BOGUS
    row(0xE4, ALL, BOTH, Masks::Listed(&[(0x00, &[Bus(BrBogus)], Clock::Core)])),
    // BACLEARS
    row(0xE6, ALL, BOTH, Masks::Listed(&[(0x00, &[Bus(Baclears)], Clock::Core)])),
    // RESOURCE_STALLS
    row(0xA2, ALL, BOTH, Masks::Listed(&[(0x00, &[Bus(ResourceStalls)], Clock::Core)])),
    // PARTIAL_RAT_STALLS
    row(0xD2, ALL, BOTH, Masks::Listed(&[(0x00, &[Bus(PartialRatStalls)], Clock::Core)])),
    // SEGMENT_REG_LOADS
    row(0x06, ALL, BOTH, Masks::Listed(&[(0x00, &[Bus(SegmentRegLoads)], Clock::Core)])),
    // CPU_CLK_UNHALTED
    row(0x79, ALL, BOTH, Masks::Listed(&[(0x00, &[Unhalted], Clock::Core)])),
    // MMX_INSTR_EXEC
    row(0xB0, II, BOTH, Masks::Listed(&[(0x00, &[Bus(MmxExec)], Clock::Core)])),
    // MMX_SAT_INSTR_EXEC
    row(0xB1, MMX, BOTH, Masks::Listed(&[(0x00, &[Bus(MmxSatExec)], Clock::Core)])),
    // MMX_UOPS_EXEC
    row(0xB2, MMX, BOTH, Masks::Listed(&[(0x0F, &[Bus(MmxUopsExec)], Clock::Core)])),
    // MMX_INSTR_TYPE_EXEC
    row(
        0xB3,
        MMX,
        BOTH,
        Masks::Listed(&[
            (0x01, &[Bus(MmxTypeMul)], Clock::Core),
            (0x02, &[Bus(MmxTypeShift)], Clock::Core),
            (0x04, &[Bus(MmxTypePack)], Clock::Core),
            (0x08, &[Bus(MmxTypeUnpack)], Clock::Core),
            (0x10, &[Bus(MmxTypeLogical)], Clock::Core),
            (0x20, &[Bus(MmxTypeArith)], Clock::Core),
        ]),
    ),
    // FP_MMX_TRANS
    row(0xCC, MMX, BOTH, Masks::Listed(&[(0x00, &[Bus(MmxToFp)], Clock::Core), (0x01, &[Bus(FpToMmx)], Clock::Core)])),
    // MMX_ASSIST
    row(0xCD, MMX, BOTH, Masks::Listed(&[(0x00, &[Bus(MmxAssist)], Clock::Core)])),
    // MMX_INSTR_RET
    row(0xCE, II, BOTH, Masks::Listed(&[(0x00, &[Bus(MmxRetired)], Clock::Core)])),
    // SEG_RENAME_STALLS
    row(
        0xD4,
        MMX,
        BOTH,
        Masks::Listed(&[
            (0x01, &[Bus(SegRenameStallsEs)], Clock::Core),
            (0x02, &[Bus(SegRenameStallsDs)], Clock::Core),
            (0x04, &[Bus(SegRenameStallsFs)], Clock::Core),
            (0x08, &[Bus(SegRenameStallsGs)], Clock::Core),
            (
                0x0F,
                &[Bus(SegRenameStallsEs), Bus(SegRenameStallsDs), Bus(SegRenameStallsFs), Bus(SegRenameStallsGs)],
                Clock::Core,
            ),
        ]),
    ),
    // SEG_REG_RENAMES
    row(
        0xD5,
        MMX,
        BOTH,
        Masks::Listed(&[
            (0x01, &[Bus(SegRenamesEs)], Clock::Core),
            (0x02, &[Bus(SegRenamesDs)], Clock::Core),
            (0x04, &[Bus(SegRenamesFs)], Clock::Core),
            (0x08, &[Bus(SegRenamesGs)], Clock::Core),
            (0x0F, &[Bus(SegRenamesEs), Bus(SegRenamesDs), Bus(SegRenamesFs), Bus(SegRenamesGs)], Clock::Core),
        ]),
    ),
    // RET_SEG_RENAMES
    row(0xD6, MMX, BOTH, Masks::Listed(&[(0x00, &[Bus(RetSegRenames)], Clock::Core)])),
];
