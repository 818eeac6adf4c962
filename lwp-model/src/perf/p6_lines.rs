//! The lines that a code and a unit mask of P6 select, for the pairs that exist.

use super::events::Line;
use super::lines::Made;
use super::select::Source::{self, Bus, Own};

/// The line of an event that has one for each unit mask. `None` for the sums below, and for what is no event.
pub(super) const fn one(code: u8, mask: u8) -> Option<Source> {
    Some(match (code, mask) {
        (0x43, 0x00) => Bus(Line::DataMemRefs),
        (0x45, 0x00) => Bus(Line::DcuLinesIn),
        (0x46, 0x00) => Bus(Line::DcuMLinesIn),
        (0x47, 0x00) => Bus(Line::DcuMLinesOut),
        (0x48, 0x00) => Bus(Line::DcuMissOutstanding),
        (0x80, 0x00) => Bus(Line::IfuIfetch),
        (0x81, 0x00) => Bus(Line::IfuIfetchMiss),
        (0x85, 0x00) => Bus(Line::ItlbMiss),
        (0x86, 0x00) => Bus(Line::IfuMemStall),
        (0x87, 0x00) => Bus(Line::IldStall),
        (0x24, 0x00) => Bus(Line::L2LinesIn),
        (0x26, 0x00) => Bus(Line::L2LinesOut),
        (0x25, 0x00) => Bus(Line::L2MLinesInm),
        (0x27, 0x00) => Bus(Line::L2MLinesOutm),
        (0x21, 0x00) => Bus(Line::L2Ads),
        (0x22, 0x00) => Bus(Line::L2DbusBusy),
        (0x23, 0x00) => Bus(Line::L2DbusBusyRd),
        (0x62, 0x00) => Bus(Line::BusDrdySelf),
        (0x62, 0x20) => Bus(Line::BusDrdyAny),
        (0x63, 0x00) => Bus(Line::BusLockSelf),
        (0x63, 0x20) => Bus(Line::BusLockAny),
        (0x60, 0x00) => Bus(Line::BusReqOutstanding),
        (0x65, 0x00) => Bus(Line::BusBrdSelf),
        (0x65, 0x20) => Bus(Line::BusBrdAny),
        (0x66, 0x00) => Bus(Line::BusRfoSelf),
        (0x66, 0x20) => Bus(Line::BusRfoAny),
        (0x67, 0x00) => Bus(Line::BusWbSelf),
        (0x67, 0x20) => Bus(Line::BusWbAny),
        (0x68, 0x00) => Bus(Line::BusIfetchSelf),
        (0x68, 0x20) => Bus(Line::BusIfetchAny),
        (0x69, 0x00) => Bus(Line::BusInvalSelf),
        (0x69, 0x20) => Bus(Line::BusInvalAny),
        (0x6A, 0x00) => Bus(Line::BusPwrSelf),
        (0x6A, 0x20) => Bus(Line::BusPwrAny),
        (0x6B, 0x00) => Bus(Line::BusPSelf),
        (0x6B, 0x20) => Bus(Line::BusPAny),
        (0x6C, 0x00) => Bus(Line::BusIoSelf),
        (0x6C, 0x20) => Bus(Line::BusIoAny),
        (0x6D, 0x00) => Bus(Line::BusDefSelf),
        (0x6D, 0x20) => Bus(Line::BusDefAny),
        (0x6E, 0x00) => Bus(Line::BusBurstSelf),
        (0x6E, 0x20) => Bus(Line::BusBurstAny),
        (0x70, 0x00) => Bus(Line::BusAllSelf),
        (0x70, 0x20) => Bus(Line::BusAllAny),
        (0x6F, 0x00) => Bus(Line::BusMemSelf),
        (0x6F, 0x20) => Bus(Line::BusMemAny),
        (0x64, 0x00) => Bus(Line::BusDataRcv),
        (0x61, 0x00) => Bus(Line::BusBnrDrv),
        (0x7A, 0x00) => Bus(Line::BusHitDrv),
        (0x7B, 0x00) => Bus(Line::BusHitmDrv),
        (0x7E, 0x00) => Bus(Line::BusSnoopStall),
        (0xC1, 0x00) => Bus(Line::Flops),
        (0x10, 0x00) => Bus(Line::FpCompOpsExe),
        (0x11, 0x00) => Bus(Line::FpAssist),
        (0x12, 0x00) => Bus(Line::Mul),
        (0x13, 0x00) => Bus(Line::Div),
        (0x14, 0x00) => Bus(Line::DivBusy),
        (0x03, 0x00) => Bus(Line::LdBlocks),
        (0x04, 0x00) => Bus(Line::SbDrains),
        (0x05, 0x00) => Bus(Line::MisalignMemRef),
        (0x07, 0x00) => Bus(Line::KniPrefDispatchedNta),
        (0x07, 0x01) => Bus(Line::KniPrefDispatchedT1),
        (0x07, 0x02) => Bus(Line::KniPrefDispatchedT2),
        (0x07, 0x03) => Bus(Line::KniPrefDispatchedWeak),
        (0x4B, 0x00) => Bus(Line::KniPrefMissNta),
        (0x4B, 0x01) => Bus(Line::KniPrefMissT1),
        (0x4B, 0x02) => Bus(Line::KniPrefMissT2),
        (0x4B, 0x03) => Bus(Line::KniPrefMissWeak),
        (0xC0, 0x00) => Own(Made::Instructions),
        (0xC2, 0x00) => Bus(Line::UopsRetired),
        (0xD0, 0x00) => Bus(Line::InstDecoded),
        (0xD8, 0x00) => Bus(Line::KniRetired),
        (0xD8, 0x01) => Bus(Line::KniRetiredScalar),
        (0xD9, 0x00) => Bus(Line::KniCompRetired),
        (0xD9, 0x01) => Bus(Line::KniCompRetiredScalar),
        (0xC8, 0x00) => Own(Made::Interrupts),
        (0xC6, 0x00) => Bus(Line::IntMasked),
        (0xC7, 0x00) => Bus(Line::IntPendingAndMasked),
        (0xC4, 0x00) => Own(Made::Branches),
        (0xC5, 0x00) => Own(Made::BranchesMissed),
        (0xC9, 0x00) => Own(Made::BranchesTaken),
        (0xCA, 0x00) => Own(Made::BranchesTakenMissed),
        (0xE0, 0x00) => Bus(Line::BrDecoded),
        (0xE2, 0x00) => Bus(Line::BtbMisses),
        (0xE4, 0x00) => Bus(Line::BrBogus),
        (0xE6, 0x00) => Bus(Line::Baclears),
        (0xA2, 0x00) => Bus(Line::ResourceStalls),
        (0xD2, 0x00) => Bus(Line::PartialRatStalls),
        (0x06, 0x00) => Bus(Line::SegmentRegLoads),
        (0x79, 0x00) => Own(Made::Unhalted),
        (0xB0, 0x00) => Bus(Line::MmxExec),
        (0xB1, 0x00) => Bus(Line::MmxSatExec),
        (0xB2, 0x0F) => Bus(Line::MmxUopsExec),
        (0xB3, 0x01) => Bus(Line::MmxTypeMul),
        (0xB3, 0x02) => Bus(Line::MmxTypeShift),
        (0xB3, 0x04) => Bus(Line::MmxTypePack),
        (0xB3, 0x08) => Bus(Line::MmxTypeUnpack),
        (0xB3, 0x10) => Bus(Line::MmxTypeLogical),
        (0xB3, 0x20) => Bus(Line::MmxTypeArith),
        (0xCC, 0x00) => Bus(Line::MmxToFp),
        (0xCC, 0x01) => Bus(Line::FpToMmx),
        (0xCD, 0x00) => Bus(Line::MmxAssist),
        (0xCE, 0x00) => Bus(Line::MmxRetired),
        (0xD6, 0x00) => Bus(Line::RetSegRenames),
        _ => return None,
    })
}

/// The four lines of an event whose unit mask is a set of them, bit 0 the first. The contract has no masks above 0FH, by which a
/// Pentium M tells lines that were prefetched.
pub(super) const fn set(code: u8, mask: u8) -> Option<[Line; 4]> {
    if mask > 0x0F {
        return None;
    }
    Some(match code {
        0x28 => [Line::L2IfetchI, Line::L2IfetchS, Line::L2IfetchE, Line::L2IfetchM],
        0x29 => [Line::L2LdI, Line::L2LdS, Line::L2LdE, Line::L2LdM],
        0x2A => [Line::L2StI, Line::L2StS, Line::L2StE, Line::L2StM],
        0x2E => [Line::L2RqstsI, Line::L2RqstsS, Line::L2RqstsE, Line::L2RqstsM],
        0xD4 => [Line::SegRenameStallsEs, Line::SegRenameStallsDs, Line::SegRenameStallsFs, Line::SegRenameStallsGs],
        0xD5 => [Line::SegRenamesEs, Line::SegRenamesDs, Line::SegRenamesFs, Line::SegRenamesGs],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::set;

    // A counter reads the lines of a set as neighbours on the bus.
    #[test]
    fn lines_of_a_set_follow_each_other() {
        let sets: [_; 256] = core::array::from_fn(|code| set(code as u8, 0x0F));
        assert_eq!(sets.iter().flatten().count(), 6);
        for lines in sets.iter().flatten() {
            let [first, rest @ ..] = lines.map(|line| line as u8);
            assert_eq!(rest, [first + 1, first + 2, first + 3]);
            assert!(lines.iter().all(|line| !line.is_level()));
        }
    }
}
