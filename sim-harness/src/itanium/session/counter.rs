//! Tables `[[counter]]`: what PMC\[4\] to PMC\[7\] count.

use crate::itanium::environment::Write;
use crate::itanium::events;
use crate::itanium::machine::File;
use crate::session::{Choice, Complaint, Flag, Number, Number32, choose};
use lwp_model::itanium::COUNTERS;
use serde::Deserialize;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CounterTable {
    event: Spanned<Choice>,
    umask: Option<Number<15>>,
    threshold: Option<Spanned<Number<7>>>,
    levels: Option<Spanned<Vec<Number<3>>>>,
    #[serde(default)]
    system: Flag,
    code: Option<Spanned<Choice>>,
    #[serde(default)]
    interrupt: Flag,
    #[serde(default)]
    pin: Flag,
    start: Option<Number32>,
}

/// What the tables say.
#[derive(Default)]
pub(super) struct Counters {
    pub(super) writes: Vec<Write>,
    pub(super) events: [Option<String>; COUNTERS],
    pub(super) start: [u32; COUNTERS],
}

/// Reads the tables. Without any, the counters count what an IA-32 application does.
pub(super) fn counters(tables: Option<Vec<Spanned<CounterTable>>>) -> Result<Counters, Complaint> {
    let mut counters = Counters::default();
    let Some(tables) = tables else {
        for (c, name) in ["ia32-inst-retired", "loads-retired", "stores-retired", "cpu-cycles"].into_iter().enumerate()
        {
            let event = events::find(name).unwrap_or_else(|what| unreachable!("{what}"));
            counters.set(c, name, 0b1000 | u64::from(event.es) << 8);
        }
        return Ok(counters);
    };
    for (c, table) in tables.into_iter().enumerate() {
        if c == COUNTERS {
            return Err((format!("there are {COUNTERS} counters"), Some(table.span())));
        }
        let table = table.into_inner();
        counters.start[c] = table.start.map_or(0, Number::u32);
        let name = table.event.get_ref().text().to_owned();
        counters.set(c, &name, value(c, table)?);
    }
    Ok(counters)
}

impl Counters {
    fn set(&mut self, c: usize, name: &str, value: u64) {
        self.events[c] = Some(name.to_owned());
        self.writes.push(Write { number: File::Pmc.number(4 + c as u8), value });
    }
}

/// Value of PMC\[4 + c\].
fn value(c: usize, table: CounterTable) -> Result<u64, Complaint> {
    let (event, umask) = event(&table.event)?;
    let umask = table.umask.map_or(umask, Number::u8);
    let threshold = match table.threshold {
        Some(given) if c >= 2 && given.get_ref().0 > 3 => {
            let what = format!("the threshold of PMC[{}] has two bits: 0 to 3", 4 + c);
            return Err((what, Some(given.span())));
        }
        given => given.map_or(0, |given| given.get_ref().0),
    };
    let levels = match table.levels {
        Some(given) if given.get_ref().is_empty() => {
            return Err(("no level is monitored: the counter never counts".to_owned(), Some(given.span())));
        }
        Some(given) => given.get_ref().iter().fold(0, |plm, level| plm | 1 << level.0),
        None => 0b1000,
    };
    // Bit 24 leaves out IA-64, bit 25 IA-32.
    let ism = choose(table.code, 0b00_u64, &[0b00, 0b10, 0b01], |ism| match ism {
        0b10 => "ia-64",
        0b01 => "ia-32",
        _ => "both",
    })?;
    let flag = |flag: Flag, place: u32| u64::from(flag.0) << place;
    let flags = flag(table.pin, 4) | flag(table.interrupt, 5) | flag(table.system, 6);
    Ok(levels | flags | u64::from(event) << 8 | u64::from(umask) << 16 | threshold << 20 | ism << 24)
}

/// Number and unit mask of an event by name or number.
fn event(given: &Spanned<Choice>) -> Result<(u8, u8), Complaint> {
    let found = events::find(given.get_ref().text());
    found.map(|event| (event.es, event.umask)).map_err(|what| (what, Some(given.span())))
}
