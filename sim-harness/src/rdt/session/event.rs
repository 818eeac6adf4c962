//! Tables `[[event]]`: what happens in a cycle.

use super::class::{ClassTable, Rules};
use crate::rdt::environment::{Assigned, Happening};
use crate::session::{Complaint, Flag, Number, Number32, Number64};
use serde::Deserialize;
use std::ops::Range;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EventTable {
    at: Number64,
    l3_power: Option<Spanned<Number<31>>>,
    l2_power: Option<Spanned<Number<15>>>,
    smi: Option<Spanned<Flag>>,
    unavailable: Option<Spanned<Flag>>,
    #[serde(rename = "for")]
    cycles: Option<Spanned<Number<100_000>>>,
    program: Option<Spanned<Number64>>,
    rmid: Option<Spanned<Number<0xFFFF>>>,
    class: Option<Spanned<Number<0xFFFF>>>,
    l3_mask: Option<Spanned<Number32>>,
    l3_code_mask: Option<Spanned<Number32>>,
    l3_data_mask: Option<Spanned<Number32>>,
    l2_mask: Option<Spanned<Number32>>,
    l2_code_mask: Option<Spanned<Number32>>,
    l2_data_mask: Option<Spanned<Number32>>,
    delay: Option<Spanned<Number<0xFFFF>>>,
}

/// What an event is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    L3Power,
    L2Power,
    Smi,
    Unavailable,
    Switch,
    Class,
}

/// What the events of a session are read with.
pub(super) struct Context<'a> {
    pub(super) rules: &'a Rules,
    /// Whether there is an L2 cache.
    pub(super) l2: bool,
    /// RMID and class of each logical processor, which the events change in their order.
    pub(super) assigned: Vec<Assigned>,
}

/// Returns the cycle of a table, by which tables are put in order.
pub(super) fn at(table: &Spanned<EventTable>) -> u64 {
    table.get_ref().at.0
}

impl Context<'_> {
    /// Reads a table. Tables come in the order of their cycles.
    pub(super) fn event(&mut self, table: Spanned<EventTable>) -> Result<Happening, Complaint> {
        let whole = table.span();
        let table = table.into_inner();
        let kind = table.kind(&whole)?;
        if let Some((key, place)) = table.stranger(kind) {
            return Err((format!("`{key}` does not belong to this event"), Some(place)));
        }
        let cycles = table.cycles.as_ref().map(|cycles| cycles.get_ref().0);
        let needs_for = || ("the event needs `for`, its cycles".to_owned(), Some(whole.clone()));
        match kind {
            Kind::L3Power => Ok(Happening::L3Power(table.l3_power.map_or(0, |ways| ways.get_ref().u8()))),
            Kind::L2Power if !self.l2 => {
                Err(("there is no L2 cache".to_owned(), table.l2_power.map(|ways| ways.span())))
            }
            Kind::L2Power => Ok(Happening::L2Power(table.l2_power.map_or(0, |ways| ways.get_ref().u8()))),
            Kind::Smi => cycles.map(Happening::Smi).ok_or_else(needs_for),
            Kind::Unavailable => cycles.map(Happening::Unavailable).ok_or_else(needs_for),
            Kind::Switch => self.switch(&table, &whole),
            Kind::Class => {
                let class = table.class.as_ref().map_or((0, whole), |class| (class.get_ref().0, class.span()));
                self.rules.limits(class.0, &table.limits(), &class.1).map(Happening::Writes)
            }
        }
    }

    /// Another thread runs on a logical processor.
    fn switch(&mut self, table: &EventTable, whole: &Range<usize>) -> Result<Happening, Complaint> {
        let (number, place) =
            table.program.as_ref().map_or((0, whole.clone()), |number| (number.get_ref().0, number.span()));
        let count = self.assigned.len();
        let known = usize::try_from(number).ok().and_then(|number| self.assigned.get_mut(number));
        let known = known.ok_or_else(|| (format!("there is no program {number}: there are {count}"), Some(place)))?;
        let of = |given: &Option<Spanned<Number<0xFFFF>>>, default: u8| {
            given.as_ref().map_or((default.into(), whole.clone()), |given| (given.get_ref().0, given.span()))
        };
        *known = self.rules.assigned(of(&table.rmid, known.rmid), of(&table.class, known.class))?;
        let write = self.rules.assign(number as u8, *known);
        let what =
            || ("a program has RMID and class only with monitoring or allocation".to_owned(), Some(whole.clone()));
        write.map(|write| Happening::Writes(vec![write])).ok_or_else(what)
    }
}

impl EventTable {
    fn kind(&self, whole: &Range<usize>) -> Result<Kind, Complaint> {
        let on = |flag: &Option<Spanned<Flag>>| flag.as_ref().is_some_and(|flag| flag.get_ref().0);
        let kinds = [
            (Kind::L3Power, self.l3_power.is_some()),
            (Kind::L2Power, self.l2_power.is_some()),
            (Kind::Smi, on(&self.smi)),
            (Kind::Unavailable, on(&self.unavailable)),
            (Kind::Switch, self.program.is_some()),
            (Kind::Class, self.program.is_none() && self.class.is_some()),
        ];
        let mut given = kinds.into_iter().filter(|(_, given)| *given).map(|(kind, _)| kind);
        match (given.next(), given.next()) {
            (Some(kind), None) => Ok(kind),
            _ => {
                let what = "an event needs one of `l3_power`, `l2_power`, `smi = true`, `unavailable = true`, `program`, `class`";
                Err((what.to_owned(), Some(whole.clone())))
            }
        }
    }

    /// Returns a key that the kind does not have.
    fn stranger(&self, kind: Kind) -> Option<(&'static str, Range<usize>)> {
        fn place<T>(given: &Option<Spanned<T>>) -> Option<Range<usize>> {
            given.as_ref().map(Spanned::span)
        }
        let with = |kinds: &[Kind]| kinds.contains(&kind);
        let class = with(&[Kind::Class]);
        let keys = [
            ("for", place(&self.cycles), with(&[Kind::Smi, Kind::Unavailable])),
            ("rmid", place(&self.rmid), with(&[Kind::Switch])),
            ("class", place(&self.class), with(&[Kind::Switch, Kind::Class])),
            ("smi", place(&self.smi), with(&[Kind::Smi])),
            ("unavailable", place(&self.unavailable), with(&[Kind::Unavailable])),
            ("l3_mask", place(&self.l3_mask), class),
            ("l3_code_mask", place(&self.l3_code_mask), class),
            ("l3_data_mask", place(&self.l3_data_mask), class),
            ("l2_mask", place(&self.l2_mask), class),
            ("l2_code_mask", place(&self.l2_code_mask), class),
            ("l2_data_mask", place(&self.l2_data_mask), class),
            ("delay", place(&self.delay), class),
        ];
        keys.into_iter().find_map(|(key, place, fits)| place.filter(|_| !fits).map(|place| (key, place)))
    }

    fn limits(self) -> ClassTable {
        ClassTable {
            l3_mask: self.l3_mask,
            l3_code_mask: self.l3_code_mask,
            l3_data_mask: self.l3_data_mask,
            l2_mask: self.l2_mask,
            l2_code_mask: self.l2_code_mask,
            l2_data_mask: self.l2_data_mask,
            delay: self.delay,
        }
    }
}
