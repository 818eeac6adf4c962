//! Tables `[[breakpoint]]`: what is watched, and where.

use crate::debug::environment::{Place, Symbol, Watch};
use crate::session::{Choice, Complaint, Number, Number64, choose};
use lwp_model::debug::Config;
use lwp_regs::debug::{Breakpoint, BreakpointLimits, Condition, Enable, Length, Slot};
use serde::Deserialize;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BreakpointTable {
    register: Option<Spanned<Number<3>>>,
    address: Option<Spanned<Number64>>,
    symbol: Option<Spanned<String>>,
    kind: Option<Spanned<Choice>>,
    length: Option<Spanned<Number64>>,
}

const CONDITIONS: [Condition; 4] = [Condition::Execute, Condition::Write, Condition::ReadWrite, Condition::Io];

const fn name(condition: Condition) -> &'static str {
    match condition {
        Condition::Execute => "execute",
        Condition::Write => "write",
        Condition::Io => "io",
        Condition::ReadWrite => "access",
    }
}

/// The breakpoints, each in a register of its own. One without a register takes the first that is free.
pub(super) fn breakpoints(tables: Vec<Spanned<BreakpointTable>>, straps: &Config) -> Result<Vec<Watch>, Complaint> {
    let mut watches: Vec<Watch> = Vec::new();
    for table in tables {
        let whole = table.span();
        let watch =
            breakpoint(table.into_inner(), straps, &watches).map_err(|(what, at)| (what, at.or(Some(whole))))?;
        watches.push(watch);
    }
    Ok(watches)
}

fn breakpoint(table: BreakpointTable, straps: &Config, others: &[Watch]) -> Result<Watch, Complaint> {
    let slot = slot(table.register, others)?;
    let condition = choose(table.kind, Condition::Execute, &CONDITIONS, name)?;
    let length = match table.length {
        None => Length::One,
        Some(given) => Length::of(given.get_ref().0).ok_or_else(|| {
            (format!("a breakpoint covers 1, 2, 4 or 8 bytes, not {}", given.get_ref().0), Some(given.span()))
        })?,
    };
    let place = match (table.address, table.symbol) {
        (Some(address), None) => Place::Address(address.get_ref().0),
        (None, Some(symbol)) if condition == Condition::Io => {
            return Err(("an I/O breakpoint is at a port: give its `address`".to_owned(), Some(symbol.span())));
        }
        (None, Some(symbol)) => {
            let at = Some(symbol.span());
            Place::Symbol(Symbol { name: symbol.into_inner(), at })
        }
        _ => return Err(("a breakpoint needs either an `address` or a `symbol`".to_owned(), None)),
    };
    let address = if let Place::Address(address) = place { address } else { 0 };
    let limits = BreakpointLimits::new(&straps.caps(), 1 << BreakpointLimits::CR4_DE);
    let checked = Breakpoint { address, length, condition, enable: Enable::GLOBAL };
    checked.check(slot, &limits).map_err(|refused| (refused.to_string(), None))?;
    Ok(Watch { slot, place, condition, length })
}

fn slot(register: Option<Spanned<Number<3>>>, others: &[Watch]) -> Result<Slot, Complaint> {
    let taken = |slot: Slot| others.iter().any(|other| other.slot == slot);
    let Some(given) = register else {
        let free = Slot::ALL.into_iter().find(|slot| !taken(*slot));
        return free.ok_or_else(|| ("there are four breakpoints, and all are taken".to_owned(), None));
    };
    let slot = Slot::ALL[usize::from(given.get_ref().u8())];
    if taken(slot) { Err((format!("{slot} is taken by another breakpoint"), Some(given.span()))) } else { Ok(slot) }
}
