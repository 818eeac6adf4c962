//! Tables `[[request]]`: who asks, what, and when.

use crate::session::{Choice, Complaint, Flag, Number, Number64, choose};
use crate::tsc::environment::{Ask, Request, When};
use crate::tsc::records::op_name;
use lwp_model::retire::{OpMode, RegOp};
use lwp_regs::tsc::MSRS;
use serde::Deserialize;
use serde::de::{self, Deserializer, SeqAccess, Unexpected, Visitor};
use std::fmt;
use std::ops::Range;
use toml::Spanned;

/// What can be asked.
const OPS: [RegOp; 4] = [RegOp::Rdtsc, RegOp::Rdtscp, RegOp::Rdmsr, RegOp::Wrmsr];
/// Modes with a meaning.
const MODES: [OpMode; 5] =
    [OpMode::Real, OpMode::Virtual8086, OpMode::Protected, OpMode::Compatibility, OpMode::Long64];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RequestTable {
    instruction: Option<Number64>,
    every: Option<Distance>,
    cycle: Option<Number64>,
    lp: Option<Spanned<Number<7>>>,
    op: Option<Spanned<Choice>>,
    register: Option<Spanned<Choice>>,
    value: Option<Spanned<Number64>>,
    cpl: Option<Number<3>>,
    mode: Option<Spanned<Choice>>,
    #[serde(default)]
    tsd: Flag,
}

/// RDTSC every 200 to 400 instructions, on each logical processor.
pub(super) fn default_requests(processors: usize) -> Vec<Request> {
    let ask = Ask { op: RegOp::Rdtsc, number: 0, value: 0 };
    let one = |lp| Request { when: When::Every(200, 400), lp, ask, cpl: None, mode: OpMode::Long64, tsd: false };
    (0..processors as u8).map(one).collect()
}

/// A request of a unit with so many logical processors.
pub(super) fn request(table: Spanned<RequestTable>, processors: usize) -> Result<Request, Complaint> {
    let whole = table.span();
    let table = table.into_inner();
    let when = match (table.instruction, table.every, table.cycle) {
        (Some(number), None, None) => When::Instruction(number.0),
        (None, Some(Distance(low, high)), None) => When::Every(low, high),
        (None, None, Some(cycle)) => When::Cycle(cycle.0),
        _ => return Err(("a request needs one of `instruction`, `every` and `cycle`".to_owned(), Some(whole))),
    };
    let lp = match table.lp {
        Some(lp) if usize::from(lp.get_ref().u8()) >= processors => {
            let what = format!("there is no logical processor {}: there are {processors}", lp.get_ref().0);
            return Err((what, Some(lp.span())));
        }
        given => given.map_or(0, |lp| lp.get_ref().u8()),
    };
    let op = choose(table.op, RegOp::Rdtsc, &OPS, op_name)?;
    let ask = ask(op, table.register, table.value, whole)?;
    let mode = choose(table.mode, OpMode::Long64, &MODES, lwp_model::Choice::name)?;
    Ok(Request { when, lp, ask, cpl: table.cpl.map(Number::u8), mode, tsd: table.tsd.0 })
}

fn ask(
    op: RegOp,
    register: Option<Spanned<Choice>>,
    value: Option<Spanned<Number64>>,
    whole: Range<usize>,
) -> Result<Ask, Complaint> {
    let name = op_name(op);
    let number = match (op, register) {
        (RegOp::Rdmsr | RegOp::Wrmsr, Some(given)) => number(&given)?,
        (RegOp::Rdmsr | RegOp::Wrmsr, None) => return Err((format!("{name} needs a `register`"), Some(whole))),
        (_, Some(given)) => return Err((format!("{name} has no `register`"), Some(given.span()))),
        (_, None) => 0,
    };
    let value = match (op, value) {
        (RegOp::Wrmsr, Some(given)) => given.get_ref().0,
        (RegOp::Wrmsr, None) => return Err((format!("{name} needs a `value`"), Some(whole))),
        (_, Some(given)) => return Err((format!("{name} writes no `value`"), Some(given.span()))),
        (_, None) => 0,
    };
    Ok(Ask { op, number, value })
}

/// A register by name or by number.
fn number(given: &Spanned<Choice>) -> Result<u32, Complaint> {
    let text = given.get_ref().text();
    let by_name = MSRS.iter().find(|msr| msr.name.eq_ignore_ascii_case(text)).map(|msr| msr.first);
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let by_number =
        digits.map_or_else(|| text.parse().ok(), |digits| u32::from_str_radix(&digits.replace('_', ""), 16).ok());
    by_name.or(by_number).ok_or_else(|| {
        let names: Vec<String> = MSRS.iter().map(|msr| format!("`{}`", msr.name)).collect();
        let what =
            format!("there is no register `{text}`, expected one of {}, or a number of 32 bits", names.join(", "));
        (what, Some(given.span()))
    })
}

/// Least and greatest distance between two requests, in instructions.
#[derive(Clone, Copy)]
struct Distance(u64, u64);

impl<'de> Deserialize<'de> for Distance {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct DistanceVisitor;

        impl<'de> Visitor<'de> for DistanceVisitor {
            type Value = Distance;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number of instructions from 1, or a range of them like [200, 400]")
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Distance, E> {
                match u64::try_from(value) {
                    Ok(number @ 1..) => Ok(Distance(number, number)),
                    _ => Err(E::invalid_value(Unexpected::Signed(value), &self)),
                }
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Distance, A::Error> {
                let short = |length| de::Error::invalid_length(length, &self);
                let low = list.next_element::<Number64>()?.ok_or_else(|| short(0))?.0;
                let high = list.next_element::<Number64>()?.ok_or_else(|| short(1))?.0;
                if list.next_element::<Number64>()?.is_some() {
                    return Err(short(3));
                }
                if low == 0 || low > high {
                    return Err(de::Error::custom(format!("the range [{low}, {high}] is empty or begins with 0")));
                }
                Ok(Distance(low, high))
            }
        }

        deserializer.deserialize_any(DistanceVisitor)
    }
}
