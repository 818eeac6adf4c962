//! The program that takes records out of the ring buffer while the profiled one runs.

use super::ring::Ring;
use crate::core::GuestMemory;
use lwp_regs::lwp::EventRecord;

/// When the ring buffer is drained.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Drain {
    /// Not before the end.
    #[default]
    Never,
    /// By another processor, every so many cycles (at least 1) from the start of the program on.
    Periodic(u64),
    /// By the handler of the threshold interrupt.
    Interrupt,
}

/// Where records go, in the order in which they are taken.
pub trait RecordSink {
    /// Takes a record out of the ring. What can go wrong with it is the sink's own business; the run goes on.
    fn record(&mut self, record: &EventRecord);
}

impl RecordSink for Vec<EventRecord> {
    fn record(&mut self, record: &EventRecord) {
        self.push(*record);
    }
}

/// Drains the ring directly in memory, as software does.
#[derive(Debug)]
pub(super) struct Consumer<R> {
    drain: Drain,
    block: u64,
    sink: R,
    /// Cycles until the next periodic visit.
    left: u64,
}

impl<R: RecordSink> Consumer<R> {
    pub(super) fn new(drain: Drain, block: u64, sink: R) -> Self {
        let left = if let Drain::Periodic(period) = drain { period.max(1) } else { u64::MAX };
        Self { drain, block, sink, left }
    }

    pub(super) fn sink(&self) -> &R {
        &self.sink
    }

    pub(super) fn into_sink(self) -> R {
        self.sink
    }

    /// One cycle of the other processor.
    #[inline]
    pub(super) fn cycle(&mut self, memory: &mut GuestMemory) {
        let Drain::Periodic(period) = self.drain else { return };
        self.left -= 1;
        if self.left == 0 {
            self.left = period.max(1);
            self.take_all(memory);
        }
    }

    /// The interrupt handler runs.
    pub(super) fn interrupt(&mut self, memory: &mut GuestMemory) {
        if self.drain == Drain::Interrupt {
            self.take_all(memory);
        }
    }

    fn take_all(&mut self, memory: &mut GuestMemory) {
        let Some(mut ring) = Ring::read(memory, self.block) else { return };
        while let Some(record) = ring.pop(memory) {
            self.sink.record(&record);
        }
        ring.publish_tail(memory, self.block);
    }

    /// After the last SLWPCB: the records that nobody has taken. The ring stays as it is.
    pub(super) fn take_rest(&mut self, memory: &mut GuestMemory) {
        let Some(mut ring) = Ring::read(memory, self.block) else { return };
        while let Some(record) = ring.pop(memory) {
            self.sink.record(&record);
        }
    }
}
