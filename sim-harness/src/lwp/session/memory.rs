//! Table `[memory]`: the latencies, waits and page faults of memory.

use crate::lwp::environment::MemoryTiming;
use crate::session::{Number, Number64};
use serde::Deserialize;
use serde::de::{self, Deserializer, SeqAccess, Unexpected, Visitor};
use std::fmt;

/// The longest latency of an access, in cycles.
const MAX_LATENCY: u64 = 1_000_000;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MemoryTable {
    latency: Option<Latency>,
    #[serde(alias = "stall_rate")]
    stall: Option<Probability>,
    #[serde(alias = "fault_rate")]
    fault: Option<Probability>,
    seed: Option<Number64>,
}

impl MemoryTable {
    pub(super) fn timing(&self) -> MemoryTiming {
        let default = MemoryTiming::default();
        MemoryTiming {
            latency: self.latency.map_or(default.latency, |latency| (latency.0, latency.1)),
            stall: self.stall.map_or(default.stall, |stall| stall.0),
            fault: self.fault.map_or(default.fault, |fault| fault.0),
            seed: self.seed.map_or(default.seed, |seed| seed.0),
        }
    }
}

/// The least and the greatest latency, in cycles.
#[derive(Clone, Copy)]
struct Latency(u32, u32);

type Cycles = Number<MAX_LATENCY>;

impl<'de> Deserialize<'de> for Latency {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct LatencyVisitor;

        impl<'de> Visitor<'de> for LatencyVisitor {
            type Value = Latency;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a number of cycles from 1 to {MAX_LATENCY}, or a range of them like [4, 20]")
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Latency, E> {
                match u32::try_from(value) {
                    Ok(cycles @ 1..) if u64::from(cycles) <= MAX_LATENCY => Ok(Latency(cycles, cycles)),
                    _ => Err(E::invalid_value(Unexpected::Signed(value), &self)),
                }
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Latency, A::Error> {
                let short = |length| de::Error::invalid_length(length, &self);
                let low = list.next_element::<Cycles>()?.ok_or_else(|| short(0))?;
                let high = list.next_element::<Cycles>()?.ok_or_else(|| short(1))?;
                if list.next_element::<Cycles>()?.is_some() {
                    return Err(short(3));
                }
                if low.0 == 0 || low.0 > high.0 {
                    let what = format!("the range [{}, {}] is empty or begins with 0", low.0, high.0);
                    return Err(de::Error::custom(what));
                }
                Ok(Latency(low.u32(), high.u32()))
            }
        }

        deserializer.deserialize_any(LatencyVisitor)
    }
}

/// A probability.
#[derive(Clone, Copy)]
pub(super) struct Probability(pub(super) f64);

impl<'de> Deserialize<'de> for Probability {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ProbabilityVisitor;

        impl Visitor<'_> for ProbabilityVisitor {
            type Value = Probability;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a probability from 0.0 to 1.0")
            }

            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Probability, E> {
                let fits = (0.0..=1.0).contains(&value);
                if fits { Ok(Probability(value)) } else { Err(E::invalid_value(Unexpected::Float(value), &self)) }
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Probability, E> {
                match value {
                    0 | 1 => Ok(Probability(value as f64)),
                    _ => Err(E::invalid_value(Unexpected::Signed(value), &self)),
                }
            }
        }

        deserializer.deserialize_any(ProbabilityVisitor)
    }
}
