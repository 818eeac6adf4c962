//! Which field is to blame, and which stage.

use super::acts::acts;
use super::moment::Moment;
use crate::lockstep::Difference;
use crate::lwp::registers::{Writer, registers_of};

/// A stage under suspicion.
#[derive(Debug)]
pub(super) struct Suspect {
    pub(super) writer: &'static Writer,
    pub(super) because: String,
}

/// The difference to begin with: the first register of the contract, as outputs only repeat registers; else the first of all.
pub(super) fn first(differences: &[Difference]) -> Option<&Difference> {
    differences.iter().find(|found| found.field.name.starts_with("state.")).or(differences.first())
}

/// The stage whose rule decides over `field` at the edge before the failure: the first of its writers that acts in `cause`.
/// If none does, the register should have kept its value, and the stage that it belongs to is named.
pub(super) fn suspect(field: &str, cause: Option<&Moment<'_>>) -> Option<Suspect> {
    let writers = registers_of(field)?.writers;
    let owner = writers.last()?;
    let Some(now) = cause else {
        let because = "there is no cycle before this one: its reset value is wrong".to_owned();
        return Some(Suspect { writer: owner, because });
    };
    let acting = writers.iter().find_map(|writer| Some((writer, acts(writer.stage, field, now)?)));
    let (writer, because) = acting.map_or_else(
        || (owner, format!("no rule of the contract changes it in cycle {}: it has to keep its value", now.cycle)),
        |(writer, why)| (writer, format!("in cycle {} {why}", now.cycle)),
    );
    Some(Suspect { writer, because })
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
    said.extend(distance(model, rtl, found.field.width));
    said
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
