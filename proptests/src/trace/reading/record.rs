//! A record whose index is written: is it complete, is it the one that is due, and is it where it has to be?

use super::area::Fields;
use super::bits::Bits;
use super::pebs::{Pending, number_in};
use super::ports::Straps;
use super::queue::{Queue, Traced};
use super::threshold::Asks;
use super::violation::{Fault, check, fault};
use std::collections::BTreeMap;

/// Bytes that were written since the last record.
pub(super) type Written = BTreeMap<u64, u8>;

/// Returns number and address of the branch record that is complete, and whether it may ask for an interrupt. Rather than one that is perhaps
/// not covered it is one that has to be stored.
pub(super) fn branch_record(
    straps: &Straps,
    queue: &Queue,
    written: &Written,
    fields: &Fields,
    new: u64,
) -> Result<(usize, u64, Asks), Fault> {
    let (mut error, mut perhaps) = (None, None);
    for (number, record) in queue.heads() {
        if !record.target.store() {
            error = error.or(Some(("BTS-39", "a record is stored that belongs on the bus".into())));
        }
        let ways = [(record.target.circular, true, Asks::No), (record.target.bounded, false, Asks::Yes)];
        for (_, circular, asks) in ways.into_iter().filter(|way| way.0) {
            let asks = if record.target.circular && record.target.bounded { Asks::Perhaps } else { asks };
            match branch_at(straps, (record, circular), written, fields, new) {
                Ok(at) if record.target.none => perhaps = perhaps.or(Some((number, at, asks))),
                Ok(at) => return Ok((number, at, asks)),
                Err(fault) => error = error.or(Some(fault)),
            }
        }
    }
    if let Some(found) = perhaps {
        return Ok(found);
    }
    Err(error.unwrap_or(("BTS-08", "the BTS index is written, but no branch is to be stored".into())))
}

fn branch_at(
    straps: &Straps,
    (record, circular): (&Traced, bool),
    written: &Written,
    fields: &Fields,
    new: u64,
) -> Result<u64, Fault> {
    let at = placed(fields, circular)?;
    let word = fields.format.word();
    let (from, to, predicted) = record.event.trace(straps);
    let flags = predicted.map_or(Bits::ANY, |ok| Bits::ANY.with(4, Some(ok)));
    let wanted = [("from", "BTS-21", from), ("to", "BTS-22", to), ("predicted", "BTS-23", flags)];
    for ((name, row, bits), address) in wanted.into_iter().zip([at, at + word, at + 2 * word]) {
        let Some(value) = number_in(written, address, word) else {
            return fault("BTS-08", format!("the index is written before `{name}` of the record at {at:#x}"));
        };
        check(bits.meets(Bits::low(value, u32::try_from(8 * word).unwrap_or(64))), row, || {
            format!("`{name}` of the record at {at:#x} is {value:#x}; the branch of cycle {} has {bits}", record.cycle)
        })?;
    }
    advanced(fields, at, new, circular)?;
    Ok(at)
}

/// Returns address of the PEBS record that is complete, and the counters that it names.
pub(super) fn pebs_record(
    written: &Written,
    fields: &Fields,
    pending: &Pending,
    new: u64,
) -> Result<(u64, usize), Fault> {
    let at = placed(fields, false)?;
    let named = pending.record(fields, at, written)?;
    advanced(fields, at, new, false)?;
    Ok((at, usize::from(named)))
}

/// Returns the address at which the next record must be.
fn placed(fields: &Fields, circular: bool) -> Result<u64, Fault> {
    if fields.index.is_none() || fields.maximum.is_none() {
        return fault(
            "BTS-14",
            "a record is stored, but the unit has not read index and maximum since tracing was switched on",
        );
    }
    match fields.places(circular).0.first() {
        Some(&at) => Ok(at),
        None if circular => fault("DCTL-08", format!("a record is stored, but no record fits into {fields:x?}")),
        None => fault("BTS-40", format!("a record is stored, but the buffer is full and not circular: {fields:x?}")),
    }
}

/// Checks the new index.
fn advanced(fields: &Fields, at: u64, new: u64, circular: bool) -> Result<(), Fault> {
    let row = if fields.maximum.is_some_and(|maximum| new > maximum) { "BTS-15" } else { "BTS-14" };
    let wanted = fields.next(at, circular);
    check(wanted.contains(&new), row, || {
        format!("behind the record at {at:#x} the index is {new:#x}, not one of {wanted:x?}")
    })
}
