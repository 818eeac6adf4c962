//! Which signals are worth looking at first.

use super::analysis::Analysis;
use super::evidence::{Evidence, EvidenceRow};
use crate::lockstep::Field;

/// Differing fields that are drawn at most.
const DIFFERENCES: usize = 8;

/// Whose signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Inputs,
    Both,
}

/// A signal to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Watched {
    /// Its name in the contract.
    pub(super) name: String,
    pub(super) field: Field,
    pub(super) side: Side,
    /// Model and RTL differ in it in the failing cycle.
    pub(super) differs: bool,
}

/// The signals, the guilty field first.
pub(super) fn watched(evidence: &Evidence, analysis: &Analysis) -> Vec<Watched> {
    let (fields, unit) = (evidence.fields(), evidence.unit());
    let mut list: Vec<Watched> = Vec::new();
    let mut add = |name: &str, differs: bool| {
        if let Some(field) = fields.iter().find(|field| field.name == name)
            && list.iter().all(|watched| watched.name != name)
        {
            list.push(Watched { name: name.to_owned(), field: *field, side: Side::Both, differs });
        }
    };
    analysis.field.iter().for_each(|field| add(&field.name, true));
    // An output that is a register of the same name says nothing more.
    let repeats = |name: &str| analysis.differences.iter().any(|other| other.name.strip_prefix("state.") == Some(name));
    let telling = analysis.differences.iter().filter(|field| !repeats(&field.name));
    telling.take(DIFFERENCES).for_each(|field| add(&field.name, true));
    let stage = analysis.stage.as_ref().map_or("", |stage| stage.name);
    unit.report.watched(stage).into_iter().for_each(|name| add(name, false));
    list.extend(moving_inputs(evidence));
    list
}

/// Inputs that have several values in the rows; data only of the port that is used.
fn moving_inputs(evidence: &Evidence) -> impl Iterator<Item = Watched> {
    let unit = evidence.unit().report;
    let moves = |field: &Field| {
        let value = |row: &EvidenceRow| field.of(&row.inputs);
        evidence.rows.windows(2).any(|pair| value(&pair[0]) != value(&pair[1]))
    };
    // In the order of the row, but of a lane the address first.
    let order = |name: &str| (lane_of(name), !name.ends_with(".ip"));
    let mut fields = evidence.input_fields().to_vec();
    fields.sort_by_key(|input| order(input.name));
    let inputs: Vec<Watched> = fields
        .into_iter()
        .filter(|input| unit.is_telling(input.name) && moves(input))
        .map(|input| Watched { name: input.name.to_owned(), field: input, side: Side::Inputs, differs: false })
        .collect();
    inputs.into_iter()
}

/// Lanes count from 1 here; 0 is what all share.
fn lane_of(name: &str) -> usize {
    let index = name.strip_prefix("lanes[").and_then(|rest| rest.split_once(']'));
    index.and_then(|(lane, _)| lane.parse::<usize>().ok()).map_or(0, |lane| lane + 1)
}
