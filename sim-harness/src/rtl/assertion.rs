//! The assertions of the RTL: where each is written, and what its comment says.

/// An assertion as its source has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assertion {
    /// The unit.
    pub unit: &'static str,
    /// Its label.
    pub label: &'static str,
    /// The file, from the root of the repository.
    pub file: &'static str,
    /// Its line.
    pub line: u32,
    /// The lines of the comment above it, without the identifiers of requirements; empty if there is none.
    pub comment: &'static str,
    /// The requirements that the comment names.
    pub requirements: &'static [&'static str],
}

include!(concat!(env!("OUT_DIR"), "/assertions.rs"));

/// The assertion of a unit that a running instance names: the instances above it, then its label.
#[must_use]
pub fn assertion(unit: &str, name: &str) -> Option<&'static Assertion> {
    let label = name.rsplit('.').next()?;
    // Verilator may keep the generate block of a loop in the label.
    ASSERTIONS.iter().find(|known| known.unit == unit && known.label == label)
}

impl Assertion {
    /// What failed, where it is written, and what it says, in a line; `name` is what a running instance calls it.
    #[must_use]
    pub fn line_of(&self, name: &str) -> String {
        let Self { file, line, comment, .. } = self;
        let requirements = self.requirements.join(", ");
        let says: Vec<&str> = [requirements.as_str(), comment].into_iter().filter(|text| !text.is_empty()).collect();
        let says = if says.is_empty() { String::new() } else { format!(": {}", says.join(": ")) };
        format!("assertion {name} ({file}:{line}){says}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::UNITS;

    #[test]
    fn every_unit_has_assertions_and_a_name_leads_to_one() {
        for unit in UNITS {
            let own: Vec<_> = ASSERTIONS.iter().filter(|known| known.unit == unit.name).collect();
            assert!(!own.is_empty(), "{}", unit.name);
            for known in own {
                let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
                let text = std::fs::read_to_string(root.join(known.file)).unwrap();
                let line = text.lines().nth(known.line as usize - 1).unwrap();
                assert!(line.trim_start().starts_with(&format!("{}:", known.label)), "{known:?}: {line}");
                assert_eq!(
                    assertion(unit.name, &format!("parts[1].{}", known.label)),
                    Some(known),
                    "a label of two assertions"
                );
            }
        }
    }

    #[test]
    fn the_requirements_of_a_comment_are_its_own() {
        let frozen = assertion("lwp", "u_assert.gen_records[0].gen_frozen[1].Frozen").unwrap();
        assert_eq!(frozen.requirements, ["LWP-CNT-06", "LWP-STO-10"]);
        assert_eq!(frozen.comment, "what has expired stays at zero until its record is out.");
        let line = frozen.line_of("gen_frozen[1].Frozen");
        assert!(line.starts_with("assertion gen_frozen[1].Frozen (rtl/lwp/lwp_assert.sv:"), "{line}");
        assert!(assertion("lwp", "NoSuchLabel").is_none());
    }
}
