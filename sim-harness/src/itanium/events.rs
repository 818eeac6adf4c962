//! Events by name, for sessions and the command line.

use crate::session::nearest;

/// An event as a counter selects it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Selected {
    pub(super) name: String,
    /// Event select.
    pub(super) es: u8,
    /// Unit mask, unless it is given.
    pub(super) umask: u8,
}

/// Names, event selects and unit masks.
const EVENTS: [(&str, u8, u8); 15] = [
    ("ia64-inst-retired", 0x08, 0),
    ("ia64-tagged-inst-retired-pmc8", 0x08, 3),
    ("ia64-tagged-inst-retired-pmc9", 0x08, 2),
    ("branch-taken-slot", 0x0D, 7),
    ("cpu-cycles", 0x12, 0),
    ("ia32-inst-retired", 0x15, 0),
    ("predicate-squashed-retired", 0x31, 0),
    ("dtc-misses", 0x60, 0),
    ("dtlb-misses", 0x61, 0),
    ("data-references-retired", 0x63, 0),
    ("l1d-reads-retired", 0x64, 0),
    ("l1d-read-misses-retired", 0x66, 0),
    ("l2-data-references", 0x69, 3),
    ("loads-retired", 0x6C, 0),
    ("stores-retired", 0x6D, 0),
];

/// Returns the event with this name or number. Upper and lower case, hyphens and underscores do not matter.
pub(super) fn find(text: &str) -> Result<Selected, String> {
    let number = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    };
    if let Some(number) = number {
        let es = u8::try_from(number).ok().filter(|es| *es < 128);
        let es = es.ok_or_else(|| format!("there is no event {text}: 0 to 127"))?;
        return Ok(Selected { name: text.to_owned(), es, umask: 0 });
    }
    let plain = text.replace('_', "-").to_lowercase();
    let known = EVENTS.iter().find(|(name, ..)| *name == plain);
    let (name, es, umask) = known.ok_or_else(|| {
        format!("there is no event `{text}`: {}", nearest(&plain, EVENTS.iter().map(|(name, ..)| *name)))
    })?;
    Ok(Selected { name: (*name).to_owned(), es: *es, umask: *umask })
}

/// Returns the names of all events.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    EVENTS.iter().map(|(name, ..)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lwp_regs::itanium::Event;

    #[test]
    fn every_name_is_an_event_of_the_manual() {
        for (name, es, _) in EVENTS {
            let event = Event::from_es(es).expect(name);
            // Tagged instructions are the event of retired ones with another unit mask.
            if !name.contains("tagged") {
                assert_eq!(event.name().to_lowercase().replace('_', "-"), name);
            }
        }
    }

    #[test]
    fn events_have_names_and_numbers() {
        assert_eq!(find("Loads_Retired").unwrap().es, 0x6C);
        assert_eq!((find("18").unwrap().es, find("0x12").unwrap().es), (0x12, 0x12));
        assert!(find("0x80").is_err() && find("loads").unwrap_err().contains("did you mean `loads-retired`"));
    }
}
