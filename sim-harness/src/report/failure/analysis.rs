//! A failure, argued: everything that the text, the page and the JSON show.

use super::changes::changes;
use super::evidence::{Cause, Evidence, EvidenceError, EvidenceRow};
use super::guilt;
use super::requirement::{self, Area, Requirement};
use crate::lockstep::{Difference, differences};
use crate::report::{Moment, StageFacts, Suspect, UnitReport};
use crate::rtl::assertion;
use crate::unit::Unit;
use serde::Serialize;
use std::collections::BTreeMap;

/// Version of the JSON: it grows with every change that a reader could trip over.
pub const SCHEMA: &str = "failure/2";
/// Cycles of the table, the failing one included.
const LAST_CYCLES: usize = 12;

/// The report. Its JSON is described in the book, "Reading a failure".
#[derive(Clone, Debug, Serialize)]
pub struct Analysis {
    /// Name and version of this form.
    pub schema: &'static str,
    /// Stage, field, cycle and both values, in a line.
    pub headline: String,
    /// `mismatch`, `assertion` or `property`.
    pub kind: &'static str,
    /// What the assertion or the property says.
    pub detail: Option<String>,
    /// The first cycle in which something is wrong.
    pub cycle: u64,
    /// What ran.
    pub source: String,
    /// The command that repeats it.
    pub repeat: Option<String>,
    /// The unit.
    pub unit: &'static str,
    /// The build of the RTL.
    pub build: &'static str,
    /// Its sizes.
    pub parameters: BTreeMap<&'static str, u32>,
    /// Straps that are not at their default, `name: Value`.
    pub straps: Vec<String>,
    /// Straps that are at their default, `name: Value`.
    pub default_straps: Vec<String>,
    /// The field to begin with; `None` if model and RTL agree.
    pub field: Option<FieldReport>,
    /// The stage to blame for it.
    pub stage: Option<StageReport>,
    /// What the two values say about the mistake.
    pub behaviour: Vec<String>,
    /// All fields that differ in that cycle, outputs first.
    pub differences: Vec<FieldReport>,
    /// The requirements that the stage's rule for the field comes from.
    pub requirements: Vec<Requirement>,
    /// The cycle whose edge did it.
    pub cause_cycle: Option<u64>,
    /// The last cycles, that of the failure last.
    pub cycles: Vec<CycleReport>,
    /// The first cycle after the inputs that were recorded: waves go on with idle ones.
    pub idle_from: Option<u64>,
}

/// One field, with the values of both.
#[derive(Clone, Debug, Serialize)]
pub struct FieldReport {
    /// Its name in the contract; registers begin with `state.`.
    pub name: String,
    /// Its group in the chapter "State".
    pub group: Option<&'static str>,
    /// Its bits.
    pub width: u32,
    /// Of the model.
    pub model: Value,
    /// Of the RTL.
    pub rtl: Value,
}

/// A value, as number and in words.
#[derive(Clone, Debug, Serialize)]
pub struct Value {
    /// As a number; readers that take numbers for floating point want `hex`.
    pub number: u64,
    /// With all digits of the field.
    pub hex: String,
    /// What it means, if it is more than a number.
    pub meaning: Option<String>,
}

/// The guilty stage.
#[derive(Clone, Debug, Serialize)]
pub struct StageReport {
    /// Its name in the contract.
    pub name: &'static str,
    /// What makes it the one.
    pub because: String,
    /// The chapter with its rules.
    pub chapter: &'static str,
    /// Where it is built.
    pub rtl: &'static [&'static str],
    /// Where it is modelled.
    pub model: &'static [&'static str],
    /// All that is asked of it, by area.
    pub areas: Vec<Area>,
}

/// One cycle of the table.
#[derive(Clone, Debug, Serialize)]
pub struct CycleReport {
    /// Its number.
    pub cycle: u64,
    /// `ring 3`, `cpl 0`, ...
    pub mode: String,
    /// What comes from outside.
    pub inputs: Vec<String>,
    /// The model's registers that change at its end.
    pub changes: Vec<String>,
    /// How many fields differ between model and RTL in it.
    pub differing: usize,
}

impl Analysis {
    /// Argues.
    ///
    /// # Errors
    /// If the evidence cannot be that of a failing run.
    ///
    /// # Panics
    /// Never: the rows were checked before.
    pub fn of(evidence: &Evidence) -> Result<Self, EvidenceError> {
        evidence.check()?;
        let at = evidence.position().expect("checked above");
        let row = &evidence.rows[at];
        let before = at.checked_sub(1).map(|at| &evidence.rows[at]);
        let (unit, info) = (evidence.unit(), evidence.build.info());
        let found = differences(evidence.fields(), &row.model, &row.rtl);
        let straps = &evidence.straps[..];
        let moment = before.map(|row| Moment { cycle: row.cycle, inputs: &row.inputs, shown: &row.model, straps });
        let first = guilt::first(&found);
        let suspect = match (first, &evidence.cause) {
            (None, Cause::Assertion(Some(name))) => guilt::of_assertion(unit, name),
            _ => first.and_then(|first| unit.report.suspect(first.field.name, moment.as_ref())),
        };
        let (kind, detail) = kind(unit, &evidence.cause);
        let field = first.map(|first| field_report(unit.report, first, row));
        let stage = suspect.as_ref().map(|suspect| stage_report(unit.report, suspect));
        Ok(Self {
            schema: SCHEMA,
            headline: headline(evidence, stage.as_ref(), field.as_ref()),
            kind,
            detail,
            cycle: evidence.cycle,
            source: evidence.source.clone(),
            repeat: evidence.repeat.clone(),
            unit: unit.name,
            build: info.name,
            parameters: info.parameters.iter().copied().collect(),
            straps: (unit.capsule.changed_straps)(straps),
            default_straps: (unit.capsule.kept_straps)(straps),
            field,
            stage,
            behaviour: first.map(|first| behaviour(first, before, evidence.rows.get(at + 1))).unwrap_or_default(),
            differences: found.iter().map(|found| field_report(unit.report, found, row)).collect(),
            requirements: suspect.map(|suspect| requirement::of_suspect(unit.report, &suspect)).unwrap_or_default(),
            cause_cycle: before.map(|row| row.cycle),
            cycles: last_cycles(evidence, at),
            idle_from: evidence.idle_from,
        })
    }
}

fn kind(unit: &Unit, cause: &Cause) -> (&'static str, Option<String>) {
    match cause {
        Cause::Mismatch => ("mismatch", None),
        Cause::Assertion(name) => {
            let line = |name: &String| match assertion(unit.name, name) {
                Some(known) => known.line_of(name),
                None => format!("assertion {name}"),
            };
            ("assertion", name.as_ref().map(line))
        }
        Cause::Property { name, message } if message.is_empty() => ("property", Some(name.clone())),
        Cause::Property { name, message } => ("property", Some(format!("{name}: {message}"))),
    }
}

fn headline(evidence: &Evidence, stage: Option<&StageReport>, field: Option<&FieldReport>) -> String {
    let (cycle, detail) = (evidence.cycle, kind(evidence.unit(), &evidence.cause).1);
    match (&evidence.cause, field) {
        (Cause::Mismatch, None) => format!("cycle {cycle}: model and RTL agree, although a mismatch was reported"),
        (Cause::Assertion(_), None) => {
            let name = detail.unwrap_or_else(|| "an assertion".to_owned());
            match stage {
                Some(stage) => format!("{}: failed in cycle {cycle}: {name}", stage.name),
                None => format!("cycle {cycle}: {name} fails in the RTL"),
            }
        }
        (Cause::Property { .. }, None) => {
            format!("cycle {cycle}: property {} does not hold", detail.unwrap_or_default())
        }
        (_, Some(field)) => {
            let stage = stage.map_or("outside all fields", |stage| stage.name);
            format!("{stage}: {} differs in cycle {cycle}: model {}, RTL {}", field.name, field.model, field.rtl)
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.meaning {
            Some(meaning) => write!(f, "{} ({meaning})", self.hex),
            None => f.write_str(&self.hex),
        }
    }
}

fn field_report(unit: &dyn UnitReport, found: &Difference, row: &EvidenceRow) -> FieldReport {
    let (name, width) = (found.field.name, found.field.width);
    let value = |number: u64, row: &[u32]| {
        let digits = width.div_ceil(4) as usize + 2;
        Value { number, hex: format!("{number:#0digits$x}"), meaning: unit.meaning(name, number, row) }
    };
    FieldReport {
        name: name.to_owned(),
        group: unit.group(name),
        width,
        model: value(found.expected, &row.model),
        rtl: value(found.actual, &row.rtl),
    }
}

fn stage_report(unit: &dyn UnitReport, suspect: &Suspect) -> StageReport {
    let (StageFacts { name, rtl, model, .. }, chapter) = (*suspect.stage, suspect.chapter);
    let areas = requirement::areas_of(unit, suspect.stage);
    StageReport { name, because: suspect.because.clone(), chapter, rtl, model, areas }
}

fn behaviour(first: &Difference, before: Option<&EvidenceRow>, after: Option<&EvidenceRow>) -> Vec<String> {
    let value = |row: &[u32]| first.field.of(row);
    let next = |row: &EvidenceRow| (value(&row.model), value(&row.rtl));
    let (model, rtl) = after.map(next).unzip();
    guilt::behaviour(first, before.map(|row| value(&row.model)), model, rtl)
}

fn last_cycles(evidence: &Evidence, failing: usize) -> Vec<CycleReport> {
    let (unit, rows, fields) = (evidence.unit().report, &evidence.rows, evidence.fields());
    let first = (failing + 1).saturating_sub(LAST_CYCLES);
    let report = |at: usize| {
        let row = &rows[at];
        let before = (at > first).then(|| rows[at - 1].inputs.as_slice());
        CycleReport {
            cycle: row.cycle,
            mode: unit.mode(&row.inputs, &row.model),
            inputs: unit.inputs(evidence.input_fields(), &row.inputs, before),
            changes: rows.get(at + 1).map(|next| changes(unit, fields, &row.model, &next.model)).unwrap_or_default(),
            differing: differences(fields, &row.model, &row.rtl).len(),
        }
    };
    (first..=failing).map(report).collect()
}

impl Analysis {
    /// Unit, build and sizes in words.
    pub(super) fn build_text(&self) -> String {
        let sizes: Vec<String> = self.parameters.iter().map(|(name, value)| format!("{name} {value}")).collect();
        format!("{} with {}", self.build, sizes.join(", "))
    }
}
