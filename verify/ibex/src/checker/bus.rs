//! The accesses of the unit: begin and flush of the session, words and end of a record, the full ring.

use super::{Checker, Counter, Phase, Timing};
use crate::record::{self, BYTES};
use crate::trace::Access;

impl Checker {
    pub(super) fn access(&mut self, access: &Access) {
        self.settle(access.cycle);
        let Access { cycle, address, data, .. } = *access;
        if access.error {
            self.difference(cycle, &format!("an access of the unit to {address:#x} failed"));
            return;
        }
        let ring = self.setup.ring..self.setup.ring + self.setup.ring_bytes;
        if !access.write {
            self.read(access);
        } else if access.bytes == 0 {
            // A test for write permission writes nothing.
            self.compare(cycle, "the page of a test for write permission", address >> 12, self.setup.block >> 12);
        } else if ring.contains(&address) {
            self.record_word(access, address - ring.start);
        } else {
            match address.wrapping_sub(self.setup.block) {
                0 => self.started(cycle, data),
                16 => self.head_written(cycle, data),
                offset @ (44 | 52 | 60) => self.counter_written(cycle, (offset as usize - 44) / 8, data),
                24 => self.compare(cycle, "MissedEvents", data, self.totals.missed),
                28 => self.compare(cycle, "the high half of MissedEvents", data, 0),
                _ => self.difference(cycle, &format!("the unit writes {data:#x} to {address:#x}")),
            }
        }
    }

    fn compare(&mut self, cycle: u32, name: &str, found: u32, expected: u32) {
        if found != expected {
            self.difference(cycle, &format!("{name} is {found:#x}, expected {expected:#x}"));
        }
    }

    fn started(&mut self, cycle: u32, flags: u32) {
        let selected = (0..3).filter(|&event| self.setup.intervals[event] != 0).map(|event| 2 << event).sum::<u32>();
        self.compare(cycle, "Flags", flags, 1 | selected | u32::from(self.setup.threshold != 0) << 31);
        if self.phase != Phase::Loading {
            self.difference(cycle, "a session begins again");
        }
        self.phase = Phase::Active;
        self.free_from = cycle + Timing::START;
        for counter in &mut self.counters {
            counter.counts_from = cycle + Timing::START;
        }
    }

    fn record_word(&mut self, access: &Access, offset: u32) {
        let (slot, word) = (offset / BYTES * BYTES, (offset % BYTES / 4) as usize);
        match &mut self.flight {
            Some(flight) if slot == self.head && access.bytes == 0xF => flight.arrived[word] = Some(access.data),
            flight => {
                let due =
                    if flight.is_some() { format!("one is due at {:#x}", self.head) } else { "none is due".to_owned() };
                self.difference(access.cycle, &format!("a record is written to offset {slot:#x}, but {due}"));
            }
        }
    }

    fn read(&mut self, access: &Access) {
        let next = self.next_head();
        let tail = access.address == self.setup.block + 20
            && matches!(self.phase, Phase::Active | Phase::Ending)
            && !self.outside;
        if let Some(flight) = self.flight.as_mut().filter(|_| tail) {
            self.tail = access.data;
            // Acted on in the next cycle: the core may leave user mode in this one.
            flight.full_at = (next == access.data).then_some(access.cycle);
        }
    }

    fn next_head(&self) -> u32 {
        if self.head + BYTES == self.setup.ring_bytes { 0 } else { self.head + BYTES }
    }

    fn head_written(&mut self, cycle: u32, data: u32) {
        if data == self.next_head()
            && let Some(flight) = self.flight.take()
        {
            let arrived = flight.arrived.map(|word| word.unwrap_or(0xDEAD_BEEF));
            if flight.arrived != flight.record.map(Some) {
                let [found, expected] = [&arrived, &flight.record].map(record::text);
                self.difference(cycle, &format!("the record is   {found}\n             expected        {expected}"));
            }
            self.totals.records[flight.event] += 1;
            self.totals.record_pcs.push((flight.event, arrived[2]));
            self.published.push_back(arrived);
            self.head = data;
            let used = (self.head + self.setup.ring_bytes - self.tail) % self.setup.ring_bytes;
            if self.setup.threshold != 0 && used == self.setup.threshold {
                self.totals.crossings += 1;
                if self.crossed.replace(0).is_some() {
                    self.difference(cycle, "the threshold was crossed again, but no interrupt came before");
                }
            }
            self.count_again(flight.event, cycle + Timing::PUBLISHED);
        } else if data == self.head {
            self.flush(cycle);
        } else {
            self.difference(cycle, &format!("the head becomes {data:#x} from {:#x}", self.head));
        }
    }

    /// The first write of a flush, by SLWPCB or at the end of the session.
    fn flush(&mut self, cycle: u32) {
        self.totals.flushes += 1;
        if self.phase == Phase::Ending {
            self.discard(cycle);
            self.phase = Phase::Ended;
        } else if self.flight.is_some() {
            self.difference(cycle, "SLWPCB did not wait for the record");
        }
    }

    fn count_again(&mut self, event: usize, from: u32) {
        self.counters[event] = Counter { left: self.setup.intervals[event], counts_from: from };
        self.free_from = from;
    }

    /// Acts on a full ring once the cycle of the response is over.
    pub(super) fn settle(&mut self, cycle: u32) {
        if let Some(flight) = &mut self.flight
            && let Some(full) = flight.full_at
            && cycle > full
        {
            let event = flight.event;
            self.flight = None;
            self.totals.missed += 1;
            self.count_again(event, full + Timing::FULL);
        }
    }

    fn counter_written(&mut self, cycle: u32, event: usize, data: u32) {
        let expected = self.counters[event].left;
        self.compare(cycle, &format!("the counter of {}", record::EVENTS[event]), data, expected);
        self.totals.counters_compared += 1;
    }
}
