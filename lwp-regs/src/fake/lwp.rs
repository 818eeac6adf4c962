//! A stand-in for the LWP hardware of one core.
#![allow(unsafe_code)] // plays hardware that writes the memory of a session

use crate::lwp::{EventId, EventRecord, Features, FlagsWord, LwpInstructions, SizeWord, SlotWord, offset};
use core::cell::Cell;
use core::fmt;
use core::ptr::with_exposed_provenance_mut;
use core::sync::atomic::{Ordering, fence};

/// The page fault of [`FakeLwp::page_fault_next`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct FakePageFault {
    /// The address that was not present: that of the control block.
    pub address: u64,
}

impl FakePageFault {
    /// The fault at this address.
    #[must_use]
    pub const fn at(address: u64) -> Self {
        Self { address }
    }
}

impl fmt::Display for FakePageFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#PF: the control block at {:#x} is not present; map it before", self.address)
    }
}

impl core::error::Error for FakePageFault {}

/// The LWP hardware of one core, for the tests of a driver of LWP: its [`LwpInstructions`] load and flush the control
/// block, and each [`retire`](Self::retire) counts and stores records as a processor would, in the memory of the session.
///
/// It is small enough to be read beside the proposal, and no model of it: it counts instructions retired only, in three
/// slots, stores at once, and defers its head until the threshold is reached. Linear addresses are those of this program.
///
/// ```
/// use lwp_regs::fake::FakeLwp;
/// use lwp_regs::lwp::driver::Profiler;
/// use lwp_regs::lwp::{EdxLayout, EventBuffer, EventId, LwpCaps, LwpcbBuilder, LwpcbMemory, Session};
///
/// let cpu = FakeLwp::new(0);
/// let caps = LwpCaps::from_cpuid([0, 0x0103_2040, 0x8000_002A, 0x1F], EdxLayout::AsPrinted).unwrap();
/// let (mut memory, mut buffer) = (LwpcbMemory::new(), EventBuffer::<8>::new());
/// let buffer = buffer.view();
/// let block = LwpcbBuilder::new(&caps)
///     .buffer(buffer.address(), buffer.size())
///     .event(EventId::INSTRUCTIONS_RETIRED, 10)
///     .build()?;
/// let session = Session::new(&cpu, &block, &mut memory, buffer);
/// // SAFETY: block and buffer outlive the session, and nothing but the fake writes them.
/// let profiled = unsafe {
///     Profiler::run(session, |_| (), |profiler, _| {
///         cpu.retire_many(25);
///         let mut records = 0;
///         profiler.drain_all(|_| records += 1).map(|_| records)
///     })
/// };
/// assert_eq!(profiled.map(|profiled| profiled.value).ok(), Some(2));
/// # Ok::<(), lwp_regs::lwp::LwpcbError>(())
/// ```
#[derive(Debug)]
pub struct FakeLwp {
    core: u8,
    events: Cell<Features>,
    interrupt: Cell<bool>,
    interrupts: Cell<u32>,
    deferred: Cell<bool>,
    absent: Cell<bool>,
    discard: Cell<u32>,
    gathered: Cell<u32>,
    pointer: Cell<u64>,
    head: Cell<u32>,
    counters: Cell<[u32; 3]>,
}

impl FakeLwp {
    /// The hardware of the core with this number, without a session. All events are allowed, the interrupt is not.
    #[must_use]
    pub const fn new(core: u8) -> Self {
        Self {
            core,
            events: Cell::new(Features::EVENTS),
            interrupt: Cell::new(false),
            interrupts: Cell::new(0),
            deferred: Cell::new(false),
            absent: Cell::new(false),
            discard: Cell::new(0),
            gathered: Cell::new(0),
            pointer: Cell::new(0),
            head: Cell::new(0),
            counters: Cell::new([0; 3]),
        }
    }

    /// Number of the core.
    #[must_use]
    pub const fn core(&self) -> u8 {
        self.core
    }

    /// LWPMSR0 allows these events. A session that has begun keeps what it has.
    pub fn allow(&self, events: Features) {
        self.events.set(events);
    }

    /// LWPMSR0 allows the threshold interrupt, or does not.
    pub fn allow_interrupt(&self, allowed: bool) {
        self.interrupt.set(allowed);
    }

    /// How often the threshold interrupt was requested.
    #[must_use]
    pub fn interrupts(&self) -> u32 {
        self.interrupts.get()
    }

    /// LLWPCB is executed outside ring 3, so that the block is not read yet, or within.
    pub fn defer_load(&self, deferred: bool) {
        self.deferred.set(deferred);
    }

    /// The next instruction page-faults.
    pub fn page_fault_next(&self) {
        self.absent.set(true);
    }

    /// Drops every `n`th record that it gathers, as a fault might; 0 for none.
    pub fn discard_every(&self, n: u32) {
        self.discard.set(n);
    }

    /// An instruction at `address` retires in ring 3.
    pub fn retire(&self, address: u64) {
        if self.pointer.get() == 0 {
            return;
        }
        for index in 0..3 {
            let Some((event, interval)) = self.slot(index) else { continue };
            if event != EventId::INSTRUCTIONS_RETIRED {
                continue;
            }
            let mut counters = self.counters.get();
            counters[index] = counters[index].saturating_sub(1);
            if counters[index] == 0 {
                self.gathered.set(self.gathered.get().wrapping_add(1));
                if self.discard.get() == 0 || !self.gathered.get().is_multiple_of(self.discard.get()) {
                    self.store(EventRecord::new(event, self.core, 0, 0, address, 0));
                    counters[index] = interval;
                }
            }
            self.counters.set(counters);
        }
    }

    /// That many instructions retire, at addresses 1, 2 and so on.
    pub fn retire_many(&self, instructions: u64) {
        (1..=instructions).for_each(|address| self.retire(address));
    }

    fn read(&self, offset: usize) -> u32 {
        // SAFETY: the caller of llwpcb vouches for the block, which lies there, aligned, while the session lasts.
        unsafe { word(self.pointer.get(), offset).read_volatile() }
    }

    fn write(&self, offset: usize, value: u32) {
        // SAFETY: as for `read`; the words are used as cells only.
        unsafe { word(self.pointer.get(), offset).write_volatile(value) }
    }

    fn slot(&self, index: usize) -> Option<(EventId, u32)> {
        let slot = SlotWord::from_bits(self.read(offset::slot(index)));
        let event = slot.event()?;
        self.events.get().contains(event.feature()?).then_some((event, slot.interval().get()))
    }

    /// LLWPCB, the part that loads. Without an event to count, LWP is not active.
    fn load(&self) {
        let mut active = Features::empty();
        self.counters.set([0, 1, 2].map(|index| self.read(offset::counter(index))));
        for index in 0..3 {
            active |= self.slot(index).and_then(|(event, _)| event.feature()).unwrap_or_default();
        }
        self.head.set(self.read(offset::HEAD));
        if self.interrupt.get() {
            active |= Features::INT;
        }
        let flags = FlagsWord::reporting(active);
        self.write(offset::FLAGS, flags.into_bits());
        if !flags.en() {
            self.pointer.set(0);
        }
    }

    fn flush(&self) {
        for (index, counter) in self.counters.get().into_iter().enumerate() {
            self.write(offset::counter(index), counter);
        }
        self.publish(self.head.get());
    }

    /// The records come before the head that tells of them.
    fn publish(&self, head: u32) {
        fence(Ordering::Release);
        self.write(offset::HEAD, head);
    }

    fn store(&self, record: EventRecord) {
        let [low, high] = [0, 4].map(|half| u64::from(self.read(offset::BASE + half)));
        let (base, head) = (low | high << 32, self.head.get());
        for (i, value) in record.words().into_iter().enumerate() {
            let at = base.wrapping_add(u64::from(head) + 8 * i as u64);
            let at: *mut u64 = with_exposed_provenance_mut(at as usize);
            // SAFETY: within the buffer that the block describes, for which the caller of llwpcb vouches.
            unsafe { at.write_volatile(value) };
        }
        let size = SizeWord::from_bits(self.read(offset::SIZE)).buffer_size().get().max(32);
        let tail = self.read(offset::TAIL);
        fence(Ordering::Acquire);
        let next = head.wrapping_add(32) % size;
        if next == tail {
            self.write(offset::MISSED, self.read(offset::MISSED).wrapping_add(1));
            self.publish(head);
            return;
        }
        self.head.set(next);
        let used = next.wrapping_add(size).wrapping_sub(tail) % size;
        let threshold = self.read(offset::THRESHOLD);
        if used >= threshold {
            self.publish(next);
        }
        if used == threshold && self.interrupt.get() {
            self.interrupts.set(self.interrupts.get().wrapping_add(1));
        }
    }
}

/// The 32-bit word at an offset of a block.
fn word(block: u64, offset: usize) -> *mut u32 {
    with_exposed_provenance_mut(block as usize + offset)
}

impl LwpInstructions for &FakeLwp {
    type Fault = FakePageFault;

    unsafe fn llwpcb(&mut self, address: u64) -> Result<u64, FakePageFault> {
        if self.absent.take() {
            return Err(FakePageFault { address });
        }
        let old = self.pointer.get();
        if old != 0 {
            self.flush();
        }
        self.pointer.set(address);
        if address != 0 && !self.deferred.get() {
            self.load();
        }
        Ok(old)
    }

    unsafe fn slwpcb(&mut self) -> Result<u64, FakePageFault> {
        let address = self.pointer.get();
        if self.absent.take() {
            return Err(FakePageFault { address });
        }
        if address != 0 {
            self.flush();
        }
        Ok(address)
    }
}
