//! Inputs of a row for shrinking.

use crate::lockstep::Field;

/// Input in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputField {
    /// Name in the contract.
    pub name: String,
    /// Fields with the same number belong together: a lane, the memory port.
    pub group: usize,
    /// Word that holds the lowest bit.
    pub word: usize,
    /// Lowest bit in that word.
    pub lsb: u32,
    /// Number of bits, 1 to 32, all in one word: 64-bit inputs are two fields.
    pub width: u32,
    /// Value when nothing happens.
    pub neutral: Neutral,
    /// Whether the length of a run may depend on the value: counters and sizes in memory's responses or in operations.
    pub steers: bool,
}

/// Value of an input when nothing happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Neutral {
    /// The input has this value.
    Is(u32),
    /// The input keeps its value of the cycle before, as modes do.
    Stays,
}

impl InputField {
    fn mask(&self) -> u32 {
        u32::MAX >> (32 - self.width) << self.lsb
    }

    /// Returns the value in a row.
    #[must_use]
    pub fn of(&self, row: &[u32]) -> u32 {
        (row[self.word] & self.mask()) >> self.lsb
    }

    /// Puts a value into a row.
    pub fn set(&self, row: &mut [u32], value: u32) {
        row[self.word] = row[self.word] & !self.mask() | value << self.lsb & self.mask();
    }

    /// Returns the value when nothing happens after the row `before`.
    #[must_use]
    pub fn neutral_after(&self, before: Option<&[u32]>) -> u32 {
        match (self.neutral, before) {
            (Neutral::Is(value), _) => value,
            (Neutral::Stays, Some(before)) => self.of(before),
            (Neutral::Stays, None) => 0,
        }
    }
}

/// Properties of a unit's inputs that shrinking uses. Inputs are given by the beginnings of their names. `rst_n` is 1 when nothing
/// happens.
#[derive(Clone, Copy, Debug, Default)]
pub struct InputShape {
    /// Groups of inputs. Inputs that are not listed form a group if their names are equal up to the first dot.
    pub groups: &'static [&'static [&'static str]],
    /// Inputs that keep their values until the core changes them, as modes. All other inputs are 0 when nothing happens.
    pub stays: &'static [&'static str],
    /// Inputs on which the length of a run may depend.
    pub steers: &'static [&'static str],
}

impl InputShape {
    /// Returns every input, group by group.
    #[must_use]
    pub fn inputs(&self, fields: &[Field]) -> Vec<InputField> {
        let mut others: Vec<&str> = Vec::new();
        let mut inputs: Vec<InputField> = Vec::new();
        for field in fields {
            let named = self.groups.iter().position(|group| begins(field.name, group));
            let group = named.unwrap_or_else(|| self.groups.len() + place(&mut others, head(field.name)));
            inputs.extend(self.in_words(field, group));
        }
        inputs.sort_by_key(|field| field.group);
        inputs
    }

    /// One field, or two of which the first has 32 bits.
    fn in_words(&self, place: &Field, group: usize) -> Vec<InputField> {
        let (name, lsb) = (place.name, place.lsb);
        let field = |text: String, word, width| InputField {
            group,
            neutral: self.neutral(name),
            steers: begins(name, self.steers),
            name: text,
            word,
            lsb,
            width,
        };
        match place.width.checked_sub(32) {
            None | Some(0) => vec![field(name.to_owned(), place.word, place.width)],
            Some(high) => vec![
                field(format!("{name}[31:0]"), place.word, 32),
                field(format!("{name}[{}:32]", place.width - 1), place.word + 1, high),
            ],
        }
    }

    fn neutral(&self, name: &str) -> Neutral {
        match name {
            "rst_n" => Neutral::Is(1),
            _ if begins(name, self.stays) => Neutral::Stays,
            _ => Neutral::Is(0),
        }
    }
}

fn begins(name: &str, with: &[&str]) -> bool {
    with.iter().any(|beginning| name.starts_with(beginning))
}

/// `lanes[1]` of `lanes[1].ip`.
fn head(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}

/// Returns the index of `name` in the list. Appends the name if it is not in the list.
fn place<'a>(list: &mut Vec<&'a str>, name: &'a str) -> usize {
    list.iter().position(|other| *other == name).unwrap_or_else(|| {
        list.push(name);
        list.len() - 1
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn field(name: &'static str, word: usize, lsb: u32, width: u32) -> Field {
        Field { name, value: "", word, lsb, width }
    }

    #[test]
    fn groups_follow_from_the_names() {
        let fields = [
            field("rst_n", 0, 0, 1),
            field("reg.valid", 0, 1, 1),
            field("cpl", 0, 2, 2),
            field("lanes[1].ip", 1, 0, 64),
            field("reg.data", 3, 0, 40),
        ];
        let shape = InputShape { groups: &[&["cpl"]], stays: &["cpl"], steers: &["reg.data"] };
        let inputs = shape.inputs(&fields);
        let names: Vec<(&str, usize)> = inputs.iter().map(|input| (input.name.as_str(), input.group)).collect();
        let expected = [
            ("cpl", 0),
            ("rst_n", 1),
            ("reg.valid", 2),
            ("reg.data[31:0]", 2),
            ("reg.data[39:32]", 2),
            ("lanes[1].ip[31:0]", 3),
            ("lanes[1].ip[63:32]", 3),
        ];
        assert_eq!(names, expected);
        let of = |at: usize| (inputs[at].word, inputs[at].width, inputs[at].neutral, inputs[at].steers);
        assert_eq!(of(0), (0, 2, Neutral::Stays, false));
        assert_eq!(of(1), (0, 1, Neutral::Is(1), false));
        assert_eq!(of(4), (4, 8, Neutral::Is(0), true));
    }
}
