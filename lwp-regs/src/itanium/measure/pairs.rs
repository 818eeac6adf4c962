//! Blocks into pairs of breakpoint registers, around the pairs that are breakpoints.

use super::error::{Shared, StartError};
use crate::itanium::{Block, Dbr, DbrMask, Ibr, IbrMask, ItaniumBus, Plm};

/// Makes the instruction address range these blocks, at every level. Breakpoints, which hit no range, stay; the other
/// pairs that get no block hit nothing.
pub(super) fn instruction_pairs<B: ItaniumBus>(
    bus: &mut B,
    mut blocks: impl Iterator<Item = Block>,
) -> Result<(), StartError<B::Fault>> {
    for pair in 0..Ibr::PAIRS as u8 {
        let mask = IbrMask::from_bits(bus.read_ibr(2 * pair + 1)?);
        if mask.x() {
            continue;
        }
        // The range was widened to bundles, so each block has at least 16 bytes.
        let ibr = blocks.next().and_then(|block| block.ibr(Plm::all()).ok()).unwrap_or_default();
        bus.write_ibr(2 * pair + 1, 0)?;
        bus.write_ibr(2 * pair, ibr.addr)?;
        bus.write_ibr(2 * pair + 1, ibr.mask.into_bits())?;
    }
    if blocks.next().is_some() { Err(StartError::Breakpoints(Shared::Instructions)) } else { Ok(()) }
}

/// Makes the data address range these blocks, at every level. A breakpoint at any level would be part of the range, so
/// there must be none.
pub(super) fn data_pairs<B: ItaniumBus>(
    bus: &mut B,
    mut blocks: impl Iterator<Item = Block>,
) -> Result<(), StartError<B::Fault>> {
    for pair in 0..Dbr::PAIRS as u8 {
        let mask = DbrMask::from_bits(bus.read_dbr(2 * pair + 1)?);
        if (mask.r() || mask.w()) && !mask.plm().is_empty() {
            return Err(StartError::Breakpoints(Shared::Data));
        }
        let dbr = blocks.next().map(|block| block.dbr(Plm::all())).unwrap_or_default();
        bus.write_dbr(2 * pair + 1, 0)?;
        bus.write_dbr(2 * pair, dbr.addr)?;
        bus.write_dbr(2 * pair + 1, dbr.mask.into_bits())?;
    }
    Ok(())
}

/// Makes the pairs hit no instruction. Breakpoints stay.
pub(super) fn release_instruction_pairs<B: ItaniumBus>(bus: &mut B) -> Result<(), B::Fault> {
    for pair in 0..Ibr::PAIRS as u8 {
        if !IbrMask::from_bits(bus.read_ibr(2 * pair + 1)?).x() {
            bus.write_ibr(2 * pair + 1, 0)?;
        }
    }
    Ok(())
}

/// Makes the pairs hit no access. Breakpoints stay.
pub(super) fn release_data_pairs<B: ItaniumBus>(bus: &mut B) -> Result<(), B::Fault> {
    for pair in 0..Dbr::PAIRS as u8 {
        let mask = DbrMask::from_bits(bus.read_dbr(2 * pair + 1)?);
        if !mask.r() && !mask.w() {
            bus.write_dbr(2 * pair + 1, 0)?;
        }
    }
    Ok(())
}
