//! A row as its difference to the one before: a bit for each word that changes, then these words.

use std::io::{self, Read, Write};

/// Words of these bits at most.
pub(crate) const MASKS: usize = 8;

/// Writes `row`, of which `last` is the row before, and which becomes `last`.
pub(crate) fn write(to: &mut impl Write, last: &mut [u32], row: &[u32]) -> io::Result<()> {
    let mut changed = Vec::with_capacity(row.len() + 4);
    for (last, row) in last.chunks(32).zip(row.chunks(32)) {
        let differs = last.iter().zip(row).enumerate().map(|(at, (last, row))| u32::from(last != row) << at);
        changed.push(differs.sum());
    }
    changed.extend(last.iter().zip(row).filter(|(last, row)| last != row).map(|(_, row)| *row));
    last.copy_from_slice(row);
    let bytes: Vec<u8> = changed.iter().flat_map(|word| word.to_le_bytes()).collect();
    to.write_all(&bytes)
}

/// Turns the row before into the next one.
pub(crate) fn read(from: &mut impl Read, row: &mut [u32]) -> io::Result<()> {
    let mut masks = [0; MASKS];
    let masks = &mut masks[..row.len().div_ceil(32)];
    for mask in masks.iter_mut() {
        *mask = word(from)?;
    }
    for (part, mask) in row.chunks_mut(32).zip(masks) {
        while *mask != 0 {
            // A bit beyond the row's end is no row of this unit.
            let changed = part.get_mut(mask.trailing_zeros() as usize).ok_or(io::ErrorKind::InvalidData)?;
            *changed = word(from)?;
            *mask &= *mask - 1;
        }
    }
    Ok(())
}

/// One word.
pub(crate) fn word(from: &mut impl Read) -> io::Result<u32> {
    let mut bytes = [0; 4];
    from.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}
