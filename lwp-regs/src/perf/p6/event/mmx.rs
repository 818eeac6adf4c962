//! Events of the MMX unit and of segment register renaming: what the Pentium II added.

use super::{Event, EventUnit::*, Measure::*, P6Models, UnitMask, Work::*};

event_table! {
    // MMX Unit
    MMX_INSTR_EXEC: 0xB0, Mmx, Occurrences,
        "MMX instructions executed.",
        "Without MOVQ and MOVD stores from register to memory. Celeron, Pentium II and Pentium II Xeon only.",
        .on(P6Models::PENTIUM_II);
    MMX_SAT_INSTR_EXEC: 0xB1, Mmx, Occurrences, "MMX saturating instructions executed.", "",
        .on(P6Models::FROM_PENTIUM_II);
    MMX_UOPS_EXEC: 0xB2, Mmx, Occurrences, "MMX micro-operations executed.",
        "Intel's table gives unit mask 0Fh; libpfm programs 00h.",
        .masks(UnitMask::Fixed(0x0F)).on(P6Models::FROM_PENTIUM_II);
    MMX_INSTR_TYPE_EXEC: 0xB3, Mmx, Occurrences,
        "MMX instructions executed, one kind by unit mask: packed multiply, packed shift, pack, unpack, packed logical, \
         packed arithmetic.",
        "", .masks(UnitMask::MMX_KINDS).on(P6Models::FROM_PENTIUM_II);
    FP_MMX_TRANS: 0xCC, Mmx, Occurrences,
        "Transitions between MMX and floating-point instructions, one direction by unit mask.", "",
        .masks(UnitMask::TRANSITIONS).on(P6Models::FROM_PENTIUM_II);
    MMX_ASSIST: 0xCD, Mmx, Occurrences, "MMX assists, that is EMMS instructions executed.", "",
        .on(P6Models::FROM_PENTIUM_II);
    MMX_INSTR_RET: 0xCE, Mmx, Occurrences, "MMX instructions retired.", "Pentium II only.",
        .on(P6Models::PENTIUM_II).of(Retired);

    // Segment register renaming
    SEG_RENAME_STALLS: 0xD4, SegmentRenaming, Occurrences,
        "Stalls of segment register renaming, of ES, DS, FS, GS or all four by unit mask.",
        "Intel's table calls both 04h and 08h FS; 08h is GS.",
        .masks(UnitMask::SEGMENTS).on(P6Models::FROM_PENTIUM_II);
    SEG_REG_RENAMES: 0xD5, SegmentRenaming, Occurrences,
        "Renames of segment registers, of ES, DS, FS, GS or all four by unit mask.",
        "Intel's table calls both 04h and 08h FS; 08h is GS.",
        .masks(UnitMask::SEGMENTS).on(P6Models::FROM_PENTIUM_II);
    RET_SEG_RENAMES: 0xD6, SegmentRenaming, Occurrences, "Segment register renames retired.", "",
        .on(P6Models::FROM_PENTIUM_II).of(Retired);
}
