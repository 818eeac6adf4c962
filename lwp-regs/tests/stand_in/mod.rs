//! A stand-in for the hardware of one core: small enough to be read beside the proposal, and no model of it. It counts
//! one event at a time, stores at once, and defers its head until the threshold is reached. Addresses are those of
//! this program.

use lwp_regs::lwp::{
    ActiveLwpcb, AvailableFeatures, BufferView, EventId, EventRecord, Features, FlagsWord, LwpCaps, LwpInstructions,
    Lwpcb, LwpcbBuilder, SizeWord, SlotWord, offset,
};
use std::cell::{RefCell, RefMut};
use std::ptr::with_exposed_provenance_mut;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

pub(crate) const CAPS: LwpCaps = LwpCaps {
    available: AvailableFeatures::new(Features::all()),
    lwpcb_size: 64,
    event_size: 32,
    max_events: 3,
    version: 1,
    cache_max: 10,
    data_address: true,
    cache_levels: true,
    cache_latency: true,
};

/// A block that stores a record for every `interval`th instruction, with the threshold at `records`.
pub(crate) fn block(buffer: &BufferView<'_>, interval: u32, records: u32) -> Lwpcb {
    LwpcbBuilder::new(&CAPS)
        .buffer(buffer.address(), buffer.size())
        .threshold_records(records)
        .event(EventId::INSTRUCTIONS_RETIRED, interval)
        .build()
        .unwrap()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    PageFault(u64),
}

/// The hardware. `events` and `interrupt` are what LWPMSR0 allows.
#[derive(Debug)]
pub(crate) struct StandIn {
    pub(crate) core: u8,
    pub(crate) events: Features,
    pub(crate) interrupt: bool,
    /// How often the threshold interrupt was requested.
    pub(crate) interrupts: u32,
    /// LLWPCB is executed outside ring 3, so that the block is not read yet.
    pub(crate) deferred: bool,
    /// The next instruction page-faults.
    pub(crate) absent: bool,
    /// Drops every n-th record that it gathers, as a fault might; 0 for none.
    pub(crate) discard: u32,
    gathered: u32,
    pointer: u64,
    head: u32,
    counters: [u32; 3],
}

impl StandIn {
    pub(crate) fn new(core: u8) -> Self {
        Self {
            core,
            events: Features::EVENTS,
            interrupt: false,
            interrupts: 0,
            deferred: false,
            absent: false,
            discard: 0,
            gathered: 0,
            pointer: 0,
            head: 0,
            counters: [0; 3],
        }
    }

    fn word(&self, offset: usize) -> &'static AtomicU32 {
        word(self.pointer, offset)
    }

    fn slot(&self, index: usize) -> Option<(EventId, u32)> {
        let slot = SlotWord::from_bits(self.word(offset::slot(index)).load(Ordering::Relaxed));
        let event = slot.event()?;
        self.events.contains(event.feature()?).then_some((event, slot.interval().get()))
    }

    fn size(&self) -> u32 {
        SizeWord::from_bits(self.word(offset::SIZE).load(Ordering::Relaxed)).buffer_size().get()
    }

    /// LLWPCB, the part that loads. Without an event to count, LWP is not active.
    fn load(&mut self) {
        let mut active = Features::empty();
        for index in 0..3 {
            self.counters[index] = self.word(offset::counter(index)).load(Ordering::Relaxed);
            active |= self.slot(index).and_then(|(event, _)| event.feature()).unwrap_or_default();
        }
        self.head = self.word(offset::HEAD).load(Ordering::Relaxed);
        if self.interrupt {
            active |= Features::INT;
        }
        let flags = FlagsWord::reporting(active);
        self.word(offset::FLAGS).store(flags.into_bits(), Ordering::Relaxed);
        if !flags.en() {
            self.pointer = 0;
        }
    }

    fn flush(&self) {
        for index in 0..3 {
            self.word(offset::counter(index)).store(self.counters[index], Ordering::Relaxed);
        }
        self.word(offset::HEAD).store(self.head, Ordering::Release);
    }

    /// An instruction retires in ring 3.
    pub(crate) fn retire(&mut self, address: u64) {
        if self.pointer == 0 {
            return;
        }
        for index in 0..3 {
            let Some((event, interval)) = self.slot(index) else { continue };
            if event != EventId::INSTRUCTIONS_RETIRED {
                continue;
            }
            self.counters[index] = self.counters[index].saturating_sub(1);
            if self.counters[index] == 0 {
                self.gathered += 1;
                if self.discard == 0 || !self.gathered.is_multiple_of(self.discard) {
                    self.store(EventRecord::new(event, self.core, 0, 0, address, 0));
                    self.counters[index] = interval;
                }
            }
        }
    }

    fn store(&mut self, record: EventRecord) {
        let base = self.word(offset::BASE).as_ptr().cast::<u64>();
        // SAFETY: the block holds 8 bytes there, aligned, which nobody changes during a session.
        let base = unsafe { base.read() };
        for (i, value) in record.words().into_iter().enumerate() {
            let at = base + u64::from(self.head) + 8 * i as u64;
            // SAFETY: within the buffer that the block describes, which the test keeps while the session lasts.
            unsafe { AtomicU64::from_ptr(with_exposed_provenance_mut(at as usize)) }.store(value, Ordering::Relaxed);
        }
        let (size, tail) = (self.size(), self.word(offset::TAIL).load(Ordering::Acquire));
        let next = (self.head + 32) % size;
        if next == tail {
            self.word(offset::MISSED).fetch_add(1, Ordering::Relaxed);
            self.word(offset::HEAD).store(self.head, Ordering::Release);
            return;
        }
        self.head = next;
        let used = (next + size - tail) % size;
        let threshold = self.word(offset::THRESHOLD).load(Ordering::Relaxed);
        if used >= threshold {
            self.word(offset::HEAD).store(next, Ordering::Release);
        }
        if used == threshold && self.interrupt {
            self.interrupts += 1;
        }
    }
}

/// The 32-bit word at an offset of a block.
fn word(block: u64, offset: usize) -> &'static AtomicU32 {
    let at = with_exposed_provenance_mut(block as usize + offset);
    // SAFETY: the block lies there, aligned, while the session lasts, and its words are only used as cells.
    unsafe { AtomicU32::from_ptr(at) }
}

/// Stands in for damage: changes a word of a block.
pub(crate) fn poke(view: &ActiveLwpcb<'_>, offset: usize, value: u32) {
    word(view.address().get(), offset).store(value, Ordering::Relaxed);
}

/// The core of a thread: what its session acts through, and what the test retires instructions on.
#[derive(Debug)]
pub(crate) struct Cpu(RefCell<StandIn>);

impl Cpu {
    pub(crate) const fn new(hardware: StandIn) -> Self {
        Self(RefCell::new(hardware))
    }

    /// The hardware itself.
    pub(crate) fn hardware(&self) -> RefMut<'_, StandIn> {
        self.0.borrow_mut()
    }

    /// That many instructions retire, at addresses 1, 2 and so on.
    pub(crate) fn retire(&self, instructions: u64) {
        for address in 1..=instructions {
            self.hardware().retire(address);
        }
    }
}

impl LwpInstructions for &Cpu {
    type Fault = Fault;

    unsafe fn llwpcb(&mut self, address: u64) -> Result<u64, Fault> {
        self.hardware().llwpcb(address)
    }

    unsafe fn slwpcb(&mut self) -> Result<u64, Fault> {
        self.hardware().slwpcb()
    }
}

impl StandIn {
    fn llwpcb(&mut self, address: u64) -> Result<u64, Fault> {
        if std::mem::take(&mut self.absent) {
            return Err(Fault::PageFault(address));
        }
        let old = self.pointer;
        if old != 0 {
            self.flush();
        }
        self.pointer = address;
        if address != 0 && !self.deferred {
            self.load();
        }
        Ok(old)
    }

    fn slwpcb(&mut self) -> Result<u64, Fault> {
        if std::mem::take(&mut self.absent) {
            return Err(Fault::PageFault(self.pointer));
        }
        if self.pointer != 0 {
            self.flush();
        }
        Ok(self.pointer)
    }
}
