//! Times of requests in session files.

use super::{Complaint, Number64};
use crate::core::When;
use serde::de::{self, Deserialize, Deserializer, SeqAccess, Unexpected, Visitor};
use std::fmt;
use std::ops::Range;

/// Returns the time of a request, of which a table gives exactly one. `whole` is the place of the table.
pub(crate) fn when(
    instruction: Option<Number64>,
    every: Option<Distance>,
    cycle: Option<Number64>,
    whole: &Range<usize>,
) -> Result<When, Complaint> {
    match (instruction, every, cycle) {
        (Some(number), None, None) => Ok(When::Instruction(number.0)),
        (None, Some(Distance(low, high)), None) => Ok(When::Every(low, high)),
        (None, None, Some(cycle)) => Ok(When::Cycle(cycle.0)),
        _ => Err(("a request needs one of `instruction`, `every` and `cycle`".to_owned(), Some(whole.clone()))),
    }
}

/// Least and greatest distance between two requests, in instructions.
#[derive(Clone, Copy)]
pub(crate) struct Distance(pub(crate) u64, pub(crate) u64);

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
