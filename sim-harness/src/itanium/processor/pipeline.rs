//! The pipeline: what it shows in a cycle.

use super::flight::{Chunk, Flight};
use super::front::{Front, State};
use super::{Cause, ITV, PMV};
use crate::itanium::environment::Hierarchy;
use crate::itanium::ia64::{Answer, BUNDLE_BYTES, Core, Request};
use lwp_model::itanium::{Inputs, MEM_PORTS, Mem};
use std::collections::VecDeque;

/// Entries of a unit at most.
const ENTRIES: usize = 16;
/// Bit of PMV that masks the interrupt. A program that has not written PMV takes none.
const MASKED: u64 = 1 << 16;
/// Vector of the timer of a program that has not written ITV.
const TIMER: u8 = 0xEF;

/// Bundles in flight, and the front that executes them.
#[derive(Debug)]
pub(super) struct Pipeline {
    pub(super) front: Front,
    flights: VecDeque<Flight>,
    memory: Hierarchy,
    entries: usize,
    /// Entry of the next bundle; used are those of the bundles in flight.
    next: u8,
    /// Address and level of a bundle that is fetched in vain.
    unforeseen: Option<(u64, u8)>,
    pub(super) retired: u64,
}

impl Pipeline {
    /// Returns an empty pipeline; the timer rings after so many instructions above level 0.
    pub(super) fn new(core: Core, entries: usize, rings: u64) -> Self {
        let flights = VecDeque::with_capacity(ENTRIES);
        Self {
            front: Front::new(core, rings),
            flights,
            memory: Hierarchy::new(),
            entries,
            next: 0,
            unforeseen: None,
            retired: 0,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.flights.is_empty()
    }

    /// Whether the next instruction faults.
    pub(super) const fn faults(&self) -> bool {
        matches!(self.front.state, State::Faults(_))
    }

    /// Returns the interrupt that the core takes next: that of the monitors, or that of the timer.
    #[inline]
    pub(super) fn cause(&self, irq: bool) -> Option<Cause> {
        let rings = matches!(self.front.state, State::Rings);
        if !rings && (!irq || !matches!(self.front.state, State::Runs) || !self.front.core.accepts_interrupts()) {
            return None;
        }
        let (pmv, itv) = (self.front.core.control(PMV), self.front.core.control(ITV));
        if irq && pmv != 0 && pmv & MASKED == 0 {
            return Some(Cause { of_monitors: true, vector: pmv as u8 });
        }
        let vector = if itv == 0 { TIMER } else { itv as u8 };
        rings.then_some(Cause { of_monitors: false, vector })
    }

    /// An interruption: what was to be fetched in vain is not.
    pub(super) const fn flush(&mut self) {
        self.unforeseen = None;
    }

    /// Takes the answer to the request of the youngest bundle.
    pub(super) fn answered(&mut self, answer: Answer) {
        let youngest = self.flights.back_mut().expect("the bundle that asks is in flight");
        self.front.answered(answer, youngest);
        self.leave();
    }

    /// One cycle; the request that is made in it. Without `fetches` no bundle enters.
    #[inline]
    pub(super) fn cycle<const BUNDLES: usize>(
        &mut self,
        inputs: &mut Inputs<BUNDLES>,
        now: u64,
        fetches: bool,
    ) -> Option<Request> {
        self.leave();
        let request = self.retire(inputs, now);
        self.issue(inputs, now);
        if fetches {
            self.fetch(inputs, now);
        }
        request
    }

    /// Retires what is ready, in order.
    fn retire<const BUNDLES: usize>(&mut self, inputs: &mut Inputs<BUNDLES>, now: u64) -> Option<Request> {
        let mut records = 0;
        for b in 0..BUNDLES {
            let Some(flight) = self.flights.front().filter(|flight| flight.issued < now) else { break };
            let Some(chunk) = flight.chunk().copied() else { break };
            if chunk.cpl != inputs.cpl {
                // The level changes in a cycle of its own.
                if b == 0 {
                    inputs.cpl = chunk.cpl;
                }
                break;
            }
            // An instruction of the unit is the last of its cycle, and its bundle the only one.
            if records + chunk.records() > MEM_PORTS || b > 0 && chunk.request.is_some() {
                break;
            }
            let id = flight.id;
            inputs.retire[b] = chunk.retire(id);
            self.record(&chunk, id, &mut inputs.mem, &mut records);
            self.retired += u64::from(chunk.instructions());
            self.flights[0].retired();
            self.leave();
            if chunk.request.is_some() || chunk.taken != 0 {
                return chunk.request;
            }
        }
        None
    }

    /// Shows the accesses of a chunk.
    fn record(&mut self, chunk: &Chunk, id: u8, mem: &mut [Mem; MEM_PORTS], records: &mut usize) {
        for (slot, access) in chunk.accesses.iter().flatten() {
            mem[*records] = Mem { id, slot: *slot, ..self.memory.access(access.addr, access.read, access.write) };
            *records += 1;
        }
    }

    /// Bundles at the head leave when nothing is left of them.
    fn leave(&mut self) {
        while self.flights.front().is_some_and(Flight::is_done) {
            self.flights.pop_front();
        }
    }

    /// Issues bundles that were fetched, in order.
    fn issue<const BUNDLES: usize>(&mut self, inputs: &mut Inputs<BUNDLES>, now: u64) {
        let ready = self.flights.iter_mut().filter(|flight| flight.issued == u64::MAX && flight.fetched < now);
        for (flight, port) in ready.zip(&mut inputs.issue) {
            flight.issued = now;
            *port = flight.issue();
        }
    }

    /// Fetches bundles, and executes them.
    fn fetch<const BUNDLES: usize>(&mut self, inputs: &mut Inputs<BUNDLES>, now: u64) {
        for port in &mut inputs.fetch {
            if self.flights.len() == self.entries || !matches!(self.front.state, State::Runs) {
                return;
            }
            let flight = match self.unforeseen.take() {
                Some((ip, cpl)) => self.in_vain(ip, cpl, now),
                None => self.next(now),
            };
            let Some(flight) = flight else { return };
            *port = flight.fetch();
            self.flights.push_back(flight);
        }
    }

    /// The next bundle of the program, executed.
    fn next(&mut self, now: u64) -> Option<Flight> {
        let (ip, bundle) = self.front.next()?;
        let mut flight = Flight::new(self.entry(), ip, self.front.core.cpl(), bundle, now);
        self.front.execute(&mut flight);
        if flight.is_taken() && self.front.core.place().ip > ip {
            self.unforeseen = Some((ip.wrapping_add(BUNDLE_BYTES), flight.cpl));
        }
        Some(flight)
    }

    /// A bundle behind a branch that was taken.
    fn in_vain(&mut self, ip: u64, cpl: u8, now: u64) -> Option<Flight> {
        let Ok(bundle) = self.front.core.image().bundle(ip) else { return self.next(now) };
        let mut flight = Flight::new(self.entry(), ip, cpl, bundle, now);
        flight.complete = true;
        Some(flight)
    }

    /// Returns an entry that no bundle in flight has.
    fn entry(&mut self) -> u8 {
        let entries = self.entries as u8;
        while self.flights.iter().any(|flight| flight.id == self.next) {
            self.next = (self.next + 1) % entries;
        }
        let id = self.next;
        self.next = (id + 1) % entries;
        id
    }
}
