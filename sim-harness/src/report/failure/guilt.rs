//! Which field is to blame, and what its values say.

use crate::lockstep::Difference;
use crate::report::{StageFacts, Suspect};
use crate::rtl::assertion;
use crate::unit::Unit;

/// The difference to begin with: the first register of the contract, as outputs only repeat registers; else the first of all.
pub(super) fn first(differences: &[Difference]) -> Option<&Difference> {
    differences.iter().find(|found| found.field.name.starts_with("state.")).or(differences.first())
}

/// The stage that an assertion is about: that of the first requirement that it states.
pub(super) fn of_assertion(unit: &Unit, name: &str) -> Option<Suspect> {
    let known = assertion(unit.name, name)?;
    let area = known.requirements.first().and_then(|id| id.rsplit('-').nth(1));
    let stages = unit.report.stages();
    let of_area = |stage: &&'static StageFacts| area.is_some_and(|area| stage.areas.contains(&area));
    let stage = stages.into_iter().find(of_area)?;
    let because = format!("it has to keep what {}:{} asserts", known.file, known.line);
    Some(Suspect { stage, because, chapter: stage.chapter, requirements: known.requirements })
}

/// What the two values say about the kind of mistake, beside the value that both still had before.
pub(super) fn behaviour(
    found: &Difference,
    before: Option<u64>,
    model_next: Option<u64>,
    rtl_next: Option<u64>,
) -> Vec<String> {
    let (model, rtl) = (found.expected, found.actual);
    let mut said = Vec::new();
    if let Some(before) = before {
        said.push(
            match (model == before, rtl == before) {
                (false, true) => "the model changes it, and the RTL keeps the old value",
                (true, false) => "the RTL changes it, and the model keeps the old value",
                _ => "both change it, to different values",
            }
            .to_owned(),
        );
    }
    if before == Some(rtl) && rtl_next == Some(model) {
        said.push("the RTL has the model's value one cycle later".to_owned());
    }
    if before == Some(model) && model_next == Some(rtl) {
        said.push("the RTL has it one cycle before the model".to_owned());
    }
    said.extend(shifted(model, rtl, found.field.width));
    said.extend(distance(model, rtl, found.field.width));
    said
}

/// A shift by a few bits: a part of a word that was taken from the wrong place.
fn shifted(model: u64, rtl: u64, width: u32) -> Option<String> {
    let mask = u64::MAX >> (64 - width.clamp(1, 64));
    // A single bit may be in another place for any reason.
    if width < 3 || model.count_ones() < 2 || model == rtl {
        return None;
    }
    let up = |bits: &u32| model << bits & mask == rtl && rtl != 0;
    let down = |bits: &u32| model >> bits == rtl && rtl != 0;
    let text = |bits: u32, way| {
        let plural = if bits == 1 { "bit" } else { "bits" };
        format!("the RTL's value is the model's, shifted {way} by {bits} {plural}")
    };
    let most = 4.min(width - 1);
    (1..=most).find(up).map(|bits| text(bits, "left")).or_else(|| (1..=most).find(down).map(|bits| text(bits, "right")))
}

fn distance(model: u64, rtl: u64, width: u32) -> Option<String> {
    let flipped = model ^ rtl;
    if width == 1 {
        return None;
    }
    let apart = rtl.abs_diff(model);
    if apart <= 64 && width > 2 {
        let word = if rtl < model { "less" } else { "more" };
        return Some(format!("the RTL's value is {apart} {word} than the model's"));
    }
    match flipped.count_ones() {
        1 => Some(format!("they differ in bit {} alone", flipped.trailing_zeros())),
        _ => Some(format!("they differ in the bits {flipped:#x}")),
    }
}

#[cfg(test)]
mod tests;
