//! The window around the failure as a wave file: inputs, model and RTL side by side.

use super::evidence::{Evidence, EvidenceRow};
use crate::lockstep::Field;
use fst_writer::{
    FstBodyWriter, FstFileType, FstHeaderWriter, FstInfo, FstScopeType, FstSignalId, FstSignalType, FstVarDirection,
    FstVarType, FstWriteError,
};
use std::io::Cursor;

/// Units of time in a cycle: as in the waves of the RTL, time / 10 is the number of the cycle.
pub const TIME_PER_CYCLE: u64 = 10;

/// Cursor over the file while it is made in memory: a window is a few kilobytes.
type Header = FstHeaderWriter<Cursor<Vec<u8>>>;
type Body = FstBodyWriter<Cursor<Vec<u8>>>;

/// Where a signal's value comes from.
#[derive(Clone, Copy)]
enum Source {
    Inputs,
    Model,
    Rtl,
}

struct Signal {
    id: FstSignalId,
    field: Field,
    source: Source,
}

/// The file. Scopes: `failure` (`clk`, `cycle`, `differs`, and `idle` where the recorded inputs have ended), `inputs`, `model`, `rtl`; below them the names of the contract, an
/// index written as `_0`.
///
/// # Errors
/// If a time would run backwards, which rows of consecutive cycles do not do.
pub fn wave_file(evidence: &Evidence) -> Result<Vec<u8>, FstWriteError> {
    let first = evidence.rows.first().map_or(0, |row| row.cycle);
    let info = FstInfo {
        // Viewers would add it to every time.
        start_time: 0,
        timescale_exponent: -9,
        version: concat!("lwp-sim ", env!("CARGO_PKG_VERSION")).to_owned(),
        date: String::new(),
        file_type: FstFileType::Verilog,
    };
    let mut header = FstHeaderWriter::new(Cursor::new(Vec::new()), &info)?;
    header.scope("failure", "", FstScopeType::Module)?;
    let mut own = |name: &str, width| variable(&mut header, name, width);
    let own = [own("clk", 1)?, own("cycle", 64)?, own("differs", 1)?, own("idle", 1)?];
    header.up_scope()?;
    let named = |fields: &[Field]| fields.iter().map(|field| (field.name.to_owned(), *field)).collect();
    let (inputs, registers): (Vec<(String, Field)>, Vec<_>) =
        (named(evidence.input_fields()), named(evidence.fields()));
    let mut signals = Vec::new();
    for (name, source, fields) in
        [("inputs", Source::Inputs, &inputs), ("model", Source::Model, &registers), ("rtl", Source::Rtl, &registers)]
    {
        header.scope(name, "", FstScopeType::Module)?;
        declare(&mut header, source, fields, &mut signals)?;
        header.up_scope()?;
    }
    let mut body = header.finish()?;
    evidence
        .rows
        .iter()
        .try_for_each(|row| write_cycle(&mut body, row, evidence.is_idle(row.cycle), &own, &signals))?;
    let mut bytes = body.finish()?.into_inner();
    begin_at(&mut bytes, first.saturating_mul(TIME_PER_CYCLE));
    Ok(bytes)
}

/// The writer lets a file and its values begin at time 0, unknown until the first cycle: a viewer would show all that nothing
/// first. Blocks follow each other: type, length without the type; that of the file and those of values go on with the time of
/// their beginning.
fn begin_at(bytes: &mut [u8], start: u64) {
    const BEGIN_WITH_TIME: [u8; 4] = [0, 1, 5, 8];
    let mut at = 0;
    while let Some(length) = bytes.get(at + 1..at + 9) {
        let length = length.iter().fold(0, |value, &byte| value << 8 | usize::from(byte));
        if BEGIN_WITH_TIME.contains(&bytes[at])
            && let Some(time) = bytes.get_mut(at + 9..at + 17)
        {
            time.copy_from_slice(&start.to_be_bytes());
        }
        at += 1 + length;
    }
}

/// Declares fields in their scopes. Names that share a scope follow each other or open it again.
fn declare(
    header: &mut Header,
    source: Source,
    fields: &[(String, Field)],
    signals: &mut Vec<Signal>,
) -> Result<(), FstWriteError> {
    // By path, so that every scope is opened once: viewers differ in what they make of one that comes twice.
    let mut paths: Vec<(Vec<String>, Field)> = fields.iter().map(|(name, field)| (wave_path(name), *field)).collect();
    paths.sort_by(|(one, _), (other, _)| one[..one.len() - 1].cmp(&other[..other.len() - 1]));
    let mut open: Vec<String> = Vec::new();
    for (path, field) in paths {
        let (leaf, scopes) = path.split_last().expect("a name has a last part");
        let common = open.iter().zip(scopes).take_while(|(one, other)| one == other).count();
        for _ in common..open.len() {
            header.up_scope()?;
        }
        open.truncate(common);
        for scope in &scopes[common..] {
            header.scope(scope, "", FstScopeType::Module)?;
            open.push(scope.clone());
        }
        signals.push(Signal { id: variable(header, leaf, field.width)?, field, source });
    }
    open.iter().try_for_each(|_| header.up_scope())
}

fn variable(header: &mut Header, name: &str, width: u32) -> Result<FstSignalId, FstWriteError> {
    header.var(name, FstSignalType::bit_vec(width), FstVarType::Logic, FstVarDirection::Implicit, None)
}

/// The parts of a name in the file: `state.events[0].counter` is `state`, `events_0`, `counter`. Brackets would be taken for
/// a range of bits.
pub(super) fn wave_path(name: &str) -> Vec<String> {
    name.split('.').map(|part| part.replace('[', "_").replace(']', "")).collect()
}

fn write_cycle(
    body: &mut Body,
    row: &EvidenceRow,
    idle: bool,
    own: &[FstSignalId; 4],
    signals: &[Signal],
) -> Result<(), FstWriteError> {
    let [clk, cycle, differs, idled] = *own;
    let time = row.cycle.saturating_mul(TIME_PER_CYCLE);
    body.time_change(time)?;
    body.signal_change(clk, b"1")?;
    body.signal_change(cycle, &bits(row.cycle, 64))?;
    body.signal_change(differs, &bits(u64::from(row.model != row.rtl), 1))?;
    body.signal_change(idled, &bits(u64::from(idle), 1))?;
    for Signal { id, field, source } in signals {
        let words = match source {
            Source::Inputs => &row.inputs,
            Source::Model => &row.model,
            Source::Rtl => &row.rtl,
        };
        body.signal_change(*id, &bits(field.of(words), field.width))?;
    }
    body.time_change(time.saturating_add(TIME_PER_CYCLE / 2))?;
    body.signal_change(clk, b"0")
}

/// A value as the letters that the format wants, highest bit first.
fn bits(value: u64, width: u32) -> Vec<u8> {
    (0..width).rev().map(|bit| b'0' + (value >> bit & 1) as u8).collect()
}

#[cfg(test)]
mod tests;
