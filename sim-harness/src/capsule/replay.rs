//! Replay of a capsule, in both flavours of the RTL.

use super::error::{CapsuleError, ReplayError};
use super::file::Capsule;
use super::pass::{Around, Pass, play};
use super::target::Target;
use crate::lockstep::{Difference, Window, differences};
use crate::rtl::{BuildId, Flavour};
use capsule_file::{Failure, Way};

/// Result of a replay. It is the same in both flavours of the RTL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// Build of the RTL.
    pub build: BuildId,
    /// Number of cycles from reset on in which model and RTL agreed.
    pub cycles: u64,
    /// First failure; `None` if nothing fails, or if the failure is a property, which `proptests` checks.
    pub found: Option<Found>,
    /// Whether the failure equals the recorded one in every bit: the same way, cycle and values, and the same rows up to that cycle.
    pub as_recorded: bool,
    /// Rows around the failure, or around the recorded cycle if nothing failed, oldest first. The inputs after the capsule's last cycle
    /// are idle.
    pub rows: Vec<WindowRow>,
    /// Sources (`rtl`, `model`) that differ from those of the capsule.
    pub changed: Vec<String>,
}

/// Failure of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Way of the failure.
    pub way: Way,
    /// Number of the cycle of the failure, from 0 at reset.
    pub cycle: u64,
    /// All fields that differ in that cycle, in the order of the unit's table; empty if only an assertion failed.
    pub differences: Vec<Difference>,
    /// Cycle and label of the first assertion that failed in the traced flavour up to that cycle.
    pub assertion: Option<(u64, String)>,
    /// CRC-32 of all rows that the RTL showed up to that cycle, that cycle included.
    pub rows_crc: u32,
}

impl Found {
    /// Returns the failure as a capsule records it.
    #[must_use]
    pub fn failure(&self) -> Failure {
        let values = self.differences.first().map_or([0; 2], |first| [first.expected, first.actual]);
        let mut text: Vec<String> = self.differences.iter().map(ToString::to_string).collect();
        if let Some((cycle, label)) = &self.assertion {
            text.push(format!("assertion {label} failed in cycle {cycle}"));
        }
        Failure { way: self.way.clone(), cycle: self.cycle, values, rows_crc: self.rows_crc, text: text.join("\n") }
    }
}

/// Rows of a cycle near a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WindowRow {
    /// Number of the cycle, from 0 at reset.
    pub cycle: u64,
    /// Words of the inputs.
    pub inputs: Vec<u32>,
    /// Words of the model's outputs and registers.
    pub model: Vec<u32>,
    /// Words of the RTL's outputs and registers.
    pub rtl: Vec<u32>,
}

/// Replays a capsule from reset on the RTL of this program: first the fast flavour, then the traced one with its assertions.
///
/// # Errors
/// If the capsule does not fit this program, or the two flavours of the RTL do not fail in the same cycle.
pub fn replay(capsule: &Capsule, window: Window) -> Result<Replayed, ReplayError> {
    let build = capsule.build()?;
    replay_on(&build, capsule, window)
}

/// Replays a capsule on a target other than this program's RTL.
///
/// # Errors
/// As [`replay()`].
pub fn replay_on(target: &dyn Target, capsule: &Capsule, window: Window) -> Result<Replayed, ReplayError> {
    let fast = pass(target, capsule, Flavour::Fast, window)?;
    let traced = pass(target, capsule, Flavour::Traced, window)?;
    let fields = (capsule.unit()?.fields)(capsule.build()?);
    let seen = |pass: &Pass| {
        let stop = pass.differs.as_ref()?;
        Some((stop.cycle, mismatch(&differences(fields, &stop.expected, &stop.actual))))
    };
    if fast.differs != traced.differs {
        return Err(ReplayError::BuildsDisagree { fast: seen(&fast), traced: seen(&traced) });
    }
    let found = found(capsule, &fast, &traced)?;
    // An assertion shows in the traced build alone; its window is that build's.
    let of_assertion = matches!(&found, Some(Found { way: Way::Assertion { .. }, .. }));
    let recorded = &capsule.header().failure;
    let as_recorded = found.as_ref().is_some_and(|found| {
        let now = found.failure();
        (&now.way, now.cycle, now.values, now.rows_crc)
            == (&recorded.way, recorded.cycle, recorded.values, recorded.rows_crc)
    });
    Ok(Replayed {
        build: target.build(),
        cycles: found.as_ref().map_or(fast.cycles, |found| found.cycle),
        found,
        as_recorded,
        rows: if of_assertion { traced.rows } else { fast.rows },
        changed: super::provenance::changed(&capsule.header().origin),
    })
}

fn pass(target: &dyn Target, capsule: &Capsule, flavour: Flavour, window: Window) -> Result<Pass, CapsuleError> {
    let mut subject = target.power_up(flavour, &capsule.header().straps);
    let mut producer = capsule.player()?;
    // The recorded way decides whether an assertion before the first difference is the failure or a side-show.
    let of_assertion = matches!(capsule.header().failure.way, Way::Assertion { .. });
    let info = target.build().info();
    let around = Around { window, recorded: capsule.header().failure.cycle };
    Ok(play(subject.as_mut(), &mut producer, info, around, of_assertion && flavour == Flavour::Traced))
}

fn found(capsule: &Capsule, fast: &Pass, traced: &Pass) -> Result<Option<Found>, CapsuleError> {
    let fields = (capsule.unit()?.fields)(capsule.build()?);
    let recorded_assertion = matches!(capsule.header().failure.way, Way::Assertion { .. });
    let assertion = traced.assertion.clone();
    if let (Some(stop), false) = (&fast.differs, recorded_assertion && assertion.is_some()) {
        let differences = differences(fields, &stop.expected, &stop.actual);
        let (way, cycle) = (mismatch(&differences), stop.cycle);
        let assertion = assertion.filter(|(at, _)| *at <= cycle);
        return Ok(Some(Found { way, cycle, differences, assertion, rows_crc: fast.crc }));
    }
    Ok(assertion.map(|(cycle, label)| Found {
        way: Way::Assertion { label: label.clone() },
        cycle,
        differences: Vec::new(),
        assertion: Some((cycle, label)),
        rows_crc: traced.assertion_crc,
    }))
}

/// Returns the way of a failure with these differences.
pub(super) fn mismatch(differences: &[Difference]) -> Way {
    Way::Mismatch { field: differences.first().map_or("(nothing)", |first| first.field.name).to_owned() }
}
