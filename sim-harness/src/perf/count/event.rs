//! What the user asks to count: `EVENT[.KIND][:MODIFIERS]`.

use super::CountError;
use super::facts::Fact;
use crate::session::nearest;
use lwp_model::Choice;
use lwp_model::perf::{Config, Line, bus_lines};
use lwp_regs::perf::Levels;
use lwp_regs::perf::architectural::ArchitecturalEvent;
use lwp_regs::perf::p6::event::UnitMask;
use lwp_regs::perf::p6::{self, EventSelect};
use std::fmt::Write;

/// An event of one of the personalities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// An event of the P6 family with its unit mask.
    P6(&'static p6::Event, u8),
    /// An architectural event.
    Architectural(ArchitecturalEvent),
}

/// When and how an event counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Modifiers {
    /// Privilege levels.
    pub levels: Levels,
    /// Whether only the beginnings of the condition count.
    pub edge: bool,
    /// Events that a cycle must have at least; then cycles are counted.
    pub threshold: Option<u8>,
    /// Whether a cycle must have fewer.
    pub inverted: bool,
    /// Whether every logical processor counts.
    pub any_thread: bool,
}

/// An event to count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Name as it is printed: mnemonic, and kind if the user gave one.
    pub name: String,
    /// The event.
    pub event: Event,
    /// How it counts.
    pub modifiers: Modifiers,
}

impl Modifiers {
    /// Returns them as on the command line.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        match self.levels {
            Levels::All => {}
            Levels::User => text.push('u'),
            Levels::Os => text.push('k'),
        }
        if self.edge {
            text.push('e');
        }
        if self.inverted {
            text.push('i');
        }
        if let Some(threshold) = self.threshold {
            let _ = write!(text, "c{threshold}");
        }
        if self.any_thread {
            text.push('t');
        }
        text
    }

    /// Reads `u`, `k`, `e`, `i`, `cN` and `t` in any order.
    fn parse(text: &str, given: &str, straps: &Config) -> Result<Self, CountError> {
        let wrong = |what: String, help: &'static str| CountError::Modifier { event: given.to_owned(), what, help };
        let (mut user, mut system, mut own) = (false, false, Self::default());
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            match letter {
                'u' => user = true,
                'k' => system = true,
                'e' => own.edge = true,
                'i' => own.inverted = true,
                't' => own.any_thread = true,
                'c' => {
                    let digits: String = std::iter::from_fn(|| letters.next_if(char::is_ascii_digit)).collect();
                    let threshold = digits.parse::<u8>().ok().filter(|threshold| *threshold > 0);
                    own.threshold = Some(threshold.ok_or_else(|| {
                        wrong(format!("the threshold `c{digits}` is not 1 to 255"), "c2 counts cycles with at least 2")
                    })?);
                }
                ':' => {}
                _ => return Err(wrong(format!("there is no modifier `{letter}`"), LETTERS)),
            }
        }
        own.levels = match (user, system) {
            (true, false) => Levels::User,
            (false, true) => Levels::Os,
            _ => Levels::All,
        };
        if own.inverted && own.threshold.is_none() {
            return Err(wrong("`i` has no threshold to invert".to_owned(), "ic2 counts cycles with fewer than 2"));
        }
        if own.any_thread && !straps.any_thread {
            let what = format!("the personality {} lacks the modifier `t`", straps.personality.name());
            return Err(wrong(what, "AnyThread came with version 3: --personality 3"));
        }
        Ok(own)
    }
}

const LETTERS: &str = "u user, k system, e edges, cN cycles with at least N, i with fewer, t any thread";

impl Wanted {
    /// Reads an event as the user gives it, for a unit with these straps.
    ///
    /// # Errors
    /// [`CountError`] if there is no such event, kind or modifier, or if neither a trace nor the front end knows what it counts.
    pub fn parse(given: &str, straps: &Config) -> Result<Self, CountError> {
        let (name, modifiers) = given.split_once(':').unwrap_or((given, ""));
        let event = if straps.personality == lwp_model::perf::Personality::P6 {
            p6_event(name, straps)?
        } else {
            architectural_event(name)?
        };
        let modifiers = Modifiers::parse(modifiers, given, straps)?;
        let wanted = Self { name: printed(event, name), event, modifiers };
        wanted.check_lines(straps)?;
        Ok(wanted)
    }

    /// Whether the user may mean it by this.
    pub(super) fn is_called(&self, given: &str, straps: &Config) -> bool {
        Self::parse(given, straps).is_ok_and(|other| (other.event, other.modifiers) == (self.event, self.modifiers))
    }

    /// Returns the name with the modifiers.
    #[must_use]
    pub fn label(&self) -> String {
        let modifiers = self.modifiers.text();
        if modifiers.is_empty() { self.name.clone() } else { format!("{}:{modifiers}", self.name) }
    }

    /// Returns what `lwp-regs` selects for it; `None` unless it is an event of the P6 family.
    #[must_use]
    pub const fn p6_select(&self) -> Option<EventSelect> {
        let Event::P6(event, mask) = self.event else { return None };
        let Modifiers { levels, edge, threshold, inverted, .. } = self.modifiers;
        let mut select = EventSelect::new(event).unit_mask(mask).levels(levels);
        if edge {
            select = select.edge();
        }
        Some(match threshold {
            Some(events) if inverted => select.cycles_with_fewer_than(events),
            Some(events) => select.cycles_with_at_least(events),
            None => select,
        })
    }

    /// Refuses an event of which no trace and no front end tells anything.
    pub(super) fn check_lines(&self, straps: &Config) -> Result<(), CountError> {
        let (code, mask, counter) = match self.event {
            Event::P6(event, mask) => (event.code(), mask, event.only_on().map_or(0, p6::Counter::index)),
            Event::Architectural(event) => (event.code().0, event.code().1, 0),
        };
        let lines = bus_lines(u32::from(code) | u32::from(mask) << 8, counter as usize, straps);
        let lines = lines.ok_or_else(|| CountError::Kind {
            event: self.name.clone(),
            what: format!("with the unit mask {mask:#04x} is not counted by the unit"),
            help: "the unit does not tell lines that were prefetched: give a unit mask, as in `L2_LD.0x0f`".to_owned(),
        })?;
        let known = |line: Line| Fact::ALL.iter().any(|fact| fact.line() == line);
        match lines.into_iter().flatten().find(|line| !known(*line)) {
            None => Ok(()),
            Some(line) => Err(CountError::NotSupplied { event: self.name.clone(), line: line.name() }),
        }
    }
}

/// The event's name, with the kind if the user gave one.
fn printed(event: Event, given: &str) -> String {
    match event {
        Event::P6(event, _) => {
            let kind = given.split_once('.').map_or_else(String::new, |(_, kind)| format!(".{}", kind.to_uppercase()));
            format!("{}{kind}", event.mnemonic())
        }
        Event::Architectural(event) => plain(event.name()),
    }
}

fn p6_event(given: &str, straps: &Config) -> Result<Event, CountError> {
    let (name, kind) = given.split_once('.').map_or((given, None), |(name, kind)| (name, Some(kind)));
    let model = straps.p6_model;
    let Some(event) = p6::Event::by_name(model, name) else {
        let others = p6::P6Model::ALL.into_iter().filter(|other| p6::Event::by_name(*other, name).is_some());
        let others: Vec<String> = others.map(|other| format!("the {other}")).collect();
        let help = if others.is_empty() {
            nearest(&name.to_uppercase(), p6::Event::of_model(model).map(p6::Event::mnemonic))
        } else {
            format!("it is an event of {}: --model", others.join(", "))
        };
        return Err(CountError::UnknownEvent { event: name.to_owned(), on: model.to_string(), help });
    };
    let masks = event.unit_mask();
    let mask = match kind {
        Some(kind) => unit_mask(masks, kind),
        None => masks.default_mask(),
    };
    let mask = mask.filter(|mask| masks.allows(*mask)).ok_or_else(|| {
        let names: Vec<String> = masks.choices().iter().map(|choice| format!("{name}.{}", choice.name)).collect();
        let help = if names.is_empty() { "it has no kinds".to_owned() } else { names.join(", ") };
        let what = kind.map_or_else(|| "needs a kind".to_owned(), |kind| format!("has no kind `{kind}`"));
        CountError::Kind { event: name.to_owned(), what, help }
    })?;
    Ok(Event::P6(event, mask))
}

/// The unit mask with this name: a name, letters of MESI, or a number.
fn unit_mask(masks: UnitMask, kind: &str) -> Option<u8> {
    if let Some(choice) = masks.choices().iter().find(|choice| choice.name.eq_ignore_ascii_case(kind)) {
        return Some(choice.mask);
    }
    if let Some(digits) = kind.strip_prefix("0x") {
        return u8::from_str_radix(digits, 16).ok();
    }
    let letter = |letter: char| match letter.to_ascii_uppercase() {
        'I' => Some(1),
        'S' => Some(2),
        'E' => Some(4),
        'M' => Some(8),
        _ => None,
    };
    let states = matches!(masks, UnitMask::Mesi | UnitMask::MesiAndPrefetch);
    kind.chars().filter(|_| states).map(letter).try_fold(0, |mask, bit| Some(mask | bit?)).filter(|mask| *mask > 0)
}

/// A name in the form of the others: `LLC_MISSES`.
fn plain(name: &str) -> String {
    name.replace([' ', '-'], "_").to_uppercase()
}

fn architectural_event(given: &str) -> Result<Event, CountError> {
    let found = ArchitecturalEvent::ALL.into_iter().find(|event| plain(event.name()) == plain(given));
    found.map(Event::Architectural).ok_or_else(|| {
        let names: Vec<String> = ArchitecturalEvent::ALL.iter().map(|event| plain(event.name())).collect();
        let help = nearest(&plain(given), names.iter().map(String::as_str));
        CountError::UnknownEvent {
            event: given.to_owned(),
            on: "a processor with architectural events".to_owned(),
            help,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn p6(given: &str) -> Result<Wanted, CountError> {
        Wanted::parse(given, &Config::default())
    }

    #[test]
    fn names_kinds_and_modifiers() {
        let wanted = p6("inst_retired:u").unwrap();
        assert_eq!((wanted.name.as_str(), wanted.modifiers.text().as_str()), ("INST_RETIRED", "u"));
        assert_eq!(wanted.p6_select().unwrap().counter0(p6::P6Model::PentiumIII).unwrap().into_bits(), 0x0001_00C0);
        let wanted = p6("INST_RETIRED:k:e:ic2").unwrap();
        assert_eq!(wanted.modifiers.text(), "keic2");
        assert_eq!(wanted.p6_select().unwrap().counter1(p6::P6Model::PentiumIII).unwrap().into_bits(), 0x0286_00C0);
        assert_eq!(p6("L2_LD").unwrap().event, p6("L2_LD.mesi").unwrap().event);
        assert_eq!(p6("L2_LD.I").unwrap().event, p6("L2_LD.0x01").unwrap().event);
        assert_eq!(p6("INST_RETIRED:uk").unwrap().modifiers.text(), "", "both are all");
    }

    #[test]
    fn what_is_wrong_is_named() {
        let message = |given: &str| p6(given).unwrap_err().to_string();
        assert_eq!(message("INST_RETIRD"), "the Pentium III has no event `INST_RETIRD`");
        assert_eq!(message("INST_RETIRED:x"), "INST_RETIRED:x: there is no modifier `x`");
        assert_eq!(message("INST_RETIRED:c0"), "INST_RETIRED:c0: the threshold `c0` is not 1 to 255");
        assert_eq!(message("INST_RETIRED:i"), "INST_RETIRED:i: `i` has no threshold to invert");
        assert_eq!(message("INST_RETIRED:t"), "INST_RETIRED:t: the personality P6 lacks the modifier `t`");
        assert_eq!(message("FP_MMX_TRANS"), "FP_MMX_TRANS needs a kind");
        assert_eq!(message("L2_LD.X"), "L2_LD has no kind `X`");
        assert_eq!(message("INST_RETIRED.M"), "INST_RETIRED has no kind `M`");
        assert_eq!(
            message("BUS_TRAN_BRD"),
            "BUS_TRAN_BRD counts `bus_brd_self`, which neither a trace nor the front end knows"
        );
    }

    #[test]
    fn the_nearest_names_are_given() {
        let help = |given: &str| miette::Diagnostic::help(&p6(given).unwrap_err()).unwrap().to_string();
        assert!(help("INST_RETIRD").starts_with("did you mean `INST_RETIRED`"), "{}", help("INST_RETIRD"));
        assert!(help("MMX_INSTR_RET").contains("the Pentium II"), "{}", help("MMX_INSTR_RET"));
        assert_eq!(help("FP_MMX_TRANS"), "FP_MMX_TRANS.MMX_TO_FP, FP_MMX_TRANS.FP_TO_MMX");
    }
}
