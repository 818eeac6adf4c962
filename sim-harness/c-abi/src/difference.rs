//! What differs between two rows of outputs and registers.

use lwp_model::flat::Field;
use std::fmt::Write;

/// Fields that a text names before it only counts them.
const NAMED: usize = 8;

/// Names what differs: each field with the model's value and the other unit's. `None` if nothing does.
pub(crate) fn difference(fields: &[Field], model: &[u32], unit: &[u32]) -> Option<String> {
    if model == unit {
        return None;
    }
    let differing: Vec<_> = fields.iter().filter(|field| field.of(model) != field.of(unit)).collect();
    let mut text = String::from("the unit differs from the model");
    for (index, field) in differing.iter().take(NAMED).enumerate() {
        let between = if index == 0 { ": " } else { "; " };
        let _ = write!(text, "{between}{}: model {:#x}, unit {:#x}", field.name, field.of(model), field.of(unit));
    }
    if differing.len() > NAMED {
        let _ = write!(text, "; and {} more fields", differing.len() - NAMED);
    }
    if differing.is_empty() {
        let words: Vec<_> = (0..model.len()).filter(|&word| model[word] != unit[word]).collect();
        let _ = write!(text, " in bits of the words {words:?} that belong to no field and must be 0");
    }
    Some(text)
}

/// The first field that differs.
pub(crate) fn first<'a>(fields: &'a [Field], model: &[u32], unit: &[u32]) -> Option<&'a Field> {
    fields.iter().find(|field| field.of(model) != field.of(unit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builds::BUILDS;

    #[test]
    fn every_flipped_bit_of_every_unit_is_told() {
        for build in BUILDS {
            let unit = (build.make)(None).unwrap();
            let fields = unit.fields(crate::abi::RowKind::Shown);
            let mut model = vec![0; unit.words(crate::abi::RowKind::Shown)];
            unit.row(&mut model);
            assert_eq!(difference(fields, &model, &model), None);
            for bit in 0..model.len() * 32 {
                let mut other = model.clone();
                other[bit / 32] ^= 1 << (bit % 32);
                let text = difference(fields, &model, &other).unwrap();
                let named = text.contains(": model 0x");
                assert!(named || text.contains(&format!("words [{}]", bit / 32)), "bit {bit}: {text}");
            }
            let all: Vec<u32> = model.iter().map(|word| !word).collect();
            let text = difference(fields, &model, &all).unwrap();
            let first = format!("the unit differs from the model: {}: model ", fields[0].name);
            assert!(text.starts_with(&first), "{text}");
            assert!(text.ends_with(&format!("; and {} more fields", fields.len() - NAMED)), "{text}");
        }
    }
}
