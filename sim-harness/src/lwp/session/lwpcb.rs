//! Table `[lwpcb]`: the control block.

use super::EVENT_SLOTS;
use crate::session::{Flag, Number, Number32, Number64};
use lwp_regs::bits::{U4, U28};
use lwp_regs::lwp::{FilterWord, LwpcbImage, SizeWord, SlotImage};
use serde::de::{self, Deserialize, Deserializer, SeqAccess, Visitor};
use std::fmt;

/// The default linear address of the control block.
const ADDRESS: u64 = 0x7FFF_0000;
/// The default linear address of the ring buffer.
const BUFFER_BASE: u64 = 0x1000_0000;
/// The default size of the ring buffer in bytes: 4096 records.
const BUFFER_SIZE: u64 = 4096 * 32;

/// The control block. A key that is left out is zero, except the addresses and the size of the ring buffer.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LwpcbTable {
    address: Option<Number64>,
    buffer_base: Option<Number64>,
    buffer_size: Option<Number<0x0FFF_FFFF>>,
    #[serde(default)]
    random: Number<15>,
    #[serde(default)]
    head: Number32,
    #[serde(default)]
    tail: Number32,
    #[serde(default)]
    missed: Number64,
    #[serde(default)]
    threshold: Number32,
    #[serde(default)]
    min_latency: Number<255>,
    #[serde(default)]
    clf: Flag,
    #[serde(default)]
    nbc: Flag,
    #[serde(default)]
    rdc: Flag,
    #[serde(default)]
    ram: Flag,
    #[serde(default)]
    oth: Flag,
    #[serde(default)]
    ndb: Flag,
    #[serde(default)]
    event: Events,
}

/// An event slot.
#[derive(Clone, Copy, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct EventTable {
    id: Number<63>,
    interval: Number<0x03FF_FFFF>,
    counter: Option<Number<0x03FF_FFFF>>,
}

/// The slots, at most as many as the hardware has.
#[derive(Default)]
struct Events(Vec<EventTable>);

impl Default for LwpcbTable {
    /// Returns a table that samples all three events. The intervals are primes, so that they do not beat with a loop of
    /// the program.
    fn default() -> Self {
        let event = |id, interval| EventTable { id: Number(id), interval: Number(interval), counter: None };
        Self {
            address: None,
            buffer_base: None,
            buffer_size: None,
            random: Number(4),
            head: Number(0),
            tail: Number(0),
            missed: Number(0),
            threshold: Number(BUFFER_SIZE * 3 / 4),
            min_latency: Number(0),
            clf: Flag(false),
            nbc: Flag(false),
            rdc: Flag(false),
            ram: Flag(false),
            oth: Flag(false),
            ndb: Flag(false),
            event: Events(vec![event(1, 10_007), event(2, 1009), event(3, 101)]),
        }
    }
}

impl LwpcbTable {
    pub(super) fn address(&self) -> u64 {
        self.address.map_or(ADDRESS, |address| address.0)
    }

    pub(super) fn events(&self) -> usize {
        self.event.0.len()
    }

    pub(super) fn image(&self) -> LwpcbImage {
        let mut image = LwpcbImage {
            size: SizeWord::new()
                .with_buffer_size(U28::masked(self.buffer_size.map_or(BUFFER_SIZE as u32, Number::u32)))
                .with_random(U4::masked(self.random.u8())),
            base: self.buffer_base.map_or(BUFFER_BASE, |base| base.0),
            head: self.head.u32(),
            tail: self.tail.u32(),
            missed: self.missed.0,
            threshold: self.threshold.u32(),
            filter: self.filter(),
            ..LwpcbImage::zeroed()
        };
        for (slot, event) in image.slots.iter_mut().zip(&self.event.0) {
            let counter = event.counter.unwrap_or(event.interval);
            *slot = SlotImage::new(event.interval.u32(), event.id.u8(), counter.u32());
        }
        image
    }

    fn filter(&self) -> FilterWord {
        FilterWord::new()
            .with_min_latency(self.min_latency.u8())
            .with_clf(self.clf.0)
            .with_nbc(self.nbc.0)
            .with_rdc(self.rdc.0)
            .with_ram(self.ram.0)
            .with_oth(self.oth.0)
            .with_ndb(self.ndb.0)
    }
}

impl<'de> Deserialize<'de> for Events {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct EventsVisitor;

        impl<'de> Visitor<'de> for EventsVisitor {
            type Value = Events;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "up to {EVENT_SLOTS} events, each a table [[lwpcb.event]]")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Events, A::Error> {
                let mut events = Vec::new();
                while let Some(event) = list.next_element::<EventTable>()? {
                    events.push(event);
                }
                if events.len() > EVENT_SLOTS {
                    let what = format!("{} events, but the hardware has {EVENT_SLOTS} event slots", events.len());
                    return Err(de::Error::custom(what));
                }
                Ok(Events(events))
            }
        }

        deserializer.deserialize_any(EventsVisitor)
    }
}
