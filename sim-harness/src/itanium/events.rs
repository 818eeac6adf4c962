//! Events by name, for sessions and the command line.

use crate::session::nearest;
use lwp_regs::itanium::Event;

/// An event as a counter selects it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Selected {
    pub(super) name: String,
    /// Event select.
    pub(super) es: u8,
    /// Unit mask, unless it is given.
    pub(super) umask: u8,
}

/// Names of events of tags, which are the event of retired instructions with another unit mask.
const TAGGED: [(&str, u8); 2] = [("ia64-tagged-inst-retired-pmc8", 3), ("ia64-tagged-inst-retired-pmc9", 2)];

/// Names, event selects and unit masks. An event whose unit mask selects parts has all of them.
fn named() -> impl Iterator<Item = (String, u8, u8)> {
    let event = |event: Event| {
        let umask = match event {
            Event::BranchTakenSlot => 7,
            Event::L2DataReferences => 3,
            _ => 0,
        };
        (plain(event.name()), event.es(), umask)
    };
    let tagged = TAGGED.map(|(name, umask)| (name.to_owned(), Event::Ia64InstRetired.es(), umask));
    Event::ALL.into_iter().map(event).chain(tagged)
}

/// Upper and lower case, hyphens and underscores do not matter.
fn plain(name: &str) -> String {
    name.replace('_', "-").to_lowercase()
}

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
    let wanted = plain(text);
    let all: Vec<_> = named().collect();
    match all.iter().find(|(name, ..)| *name == wanted) {
        Some((name, es, umask)) => Ok(Selected { name: name.clone(), es: *es, umask: *umask }),
        None => {
            let near = nearest(&wanted, all.iter().map(|(name, ..)| name.as_str()));
            Err(format!("there is no event `{text}`: {near}"))
        }
    }
}

/// Returns the names of all events.
pub(super) fn names() -> Vec<String> {
    named().map(|(name, ..)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_of_the_manual_has_its_name() {
        assert_eq!(names().len(), Event::ALL.len() + TAGGED.len());
        for event in Event::ALL {
            assert_eq!(find(event.name()).map(|found| found.es), Ok(event.es()));
        }
        assert_eq!(find("ia64_tagged_inst_retired_pmc9").unwrap(), find("ia64-tagged-inst-retired-pmc9").unwrap());
        assert_eq!(find("ia64-tagged-inst-retired-pmc9").unwrap().umask, 2);
    }

    #[test]
    fn events_have_names_and_numbers() {
        assert_eq!(find("Loads_Retired").unwrap().es, 0x6C);
        assert_eq!((find("18").unwrap().es, find("0x12").unwrap().es), (0x12, 0x12));
        assert!(find("0x80").is_err() && find("load-retired").unwrap_err().contains("did you mean `loads-retired`"));
    }
}
