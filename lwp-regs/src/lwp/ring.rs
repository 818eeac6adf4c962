//! Taking event records out of the ring buffer.

use super::{ActiveLwpcb, BufferView, EVENT_RECORD_BYTES, EventRecord, LwpCaps, RingError, SizeWord};

const RECORD: u32 = EVENT_RECORD_BYTES as u32;

/// Takes records out of a ring buffer while hardware stores into it.
///
/// The head comes from memory and is checked before every use; a bad one is an error, never a read outside the buffer.
/// The tail is the reader's own: it reads it once and from then on only writes it. Several threads' records can be
/// merged, each says on which [`core`](EventRecord::core) it was taken. The reader may be moved to a thread that drains
/// for others.
///
/// Hardware publishes its head at the latest when the threshold is met or the buffer is full, so a poller sees nothing
/// before that; when the session is over, make it flush (SLWPCB, or a read of LWPMSR1) before the last drain. The
/// records are a sample: about every n-th event, not exactly.
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "Overview" (Store, Report), "LWP Control Block", Table 4, and
/// "LWPCB Access".
///
/// ```
/// use lwp_regs::lwp::*;
///
/// let caps = LwpCaps::from_cpuid([0, 0x0103_2040, 0x8000_002A, 0x1F], EdxLayout::AsPrinted).unwrap();
/// let (mut memory, mut buffer) = (LwpcbMemory::new(), EventBuffer::<128>::new());
/// let buffer = buffer.view();
/// let block = LwpcbBuilder::new(&caps)
///     .buffer(buffer.address(), buffer.size())
///     .event(EventId::INSTRUCTIONS_RETIRED, 100_000)
///     .build()?;
/// let mut reader = RingReader::new(&caps, memory.load(&block), buffer)?;
/// // ... start the hardware with `reader.block().address()` ...
/// for record in reader.drain()? {
///     if let Event::Instruction(instruction) = Event::decode(record) {
///         let _ = (instruction.core(), instruction.address());
///     }
/// }
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RingReader<'a> {
    block: ActiveLwpcb<'a>,
    buffer: BufferView<'a>,
    tail: u32,
}

impl<'a> RingReader<'a> {
    /// A reader of `buffer`, whose offsets are those in `block`. The stride is taken from `caps`.
    ///
    /// # Errors
    ///
    /// [`RingError::Stride`] if records are not 32 bytes long, [`RingError::Size`] if the buffer has not the size that
    /// the block says or no valid one, [`RingError::Tail`] if the block's tail is no place in it.
    pub fn new(caps: &LwpCaps, block: ActiveLwpcb<'a>, buffer: BufferView<'a>) -> Result<Self, RingError> {
        let tail = Self::check(caps, &block, &buffer)?;
        Ok(Self::from_checked(block, buffer, tail))
    }

    /// Whether there can be a reader of these; the tail if so.
    pub(super) fn check(caps: &LwpCaps, block: &ActiveLwpcb<'a>, buffer: &BufferView<'a>) -> Result<u32, RingError> {
        if u32::from(caps.event_size) != RECORD {
            return Err(RingError::Stride(caps.event_size));
        }
        let (size, expected) = (buffer.size(), block.size().buffer_size().get());
        let valid = size.is_multiple_of(RECORD) && (2 * RECORD..=SizeWord::MAX_BUFFER_SIZE).contains(&size);
        if !valid || size != expected {
            return Err(RingError::Size { size, expected });
        }
        let tail = block.tail();
        if is_place(tail, size) { Ok(tail) } else { Err(RingError::Tail { tail, size }) }
    }

    /// A reader of what [`check`](Self::check) has found good.
    #[inline]
    pub(super) const fn from_checked(block: ActiveLwpcb<'a>, buffer: BufferView<'a>, tail: u32) -> Self {
        Self { block, buffer, tail }
    }

    /// The control block.
    #[must_use]
    #[inline]
    pub const fn block(&self) -> &ActiveLwpcb<'a> {
        &self.block
    }

    /// Ends reading and gives the block back.
    #[must_use]
    pub fn into_block(self) -> ActiveLwpcb<'a> {
        self.block
    }

    /// Ends reading and gives both views back.
    #[must_use]
    pub fn into_parts(self) -> (ActiveLwpcb<'a>, BufferView<'a>) {
        (self.block, self.buffer)
    }

    /// How many records the buffer holds when it is full: one less than it has room for.
    #[must_use]
    #[inline]
    pub const fn capacity(&self) -> u32 {
        self.buffer.size() / RECORD - 1
    }

    /// Used space in bytes, by the head that hardware published last.
    ///
    /// # Errors
    ///
    /// [`RingError::Head`] if the head in memory is no place in the buffer.
    pub fn used_bytes(&self) -> Result<u32, RingError> {
        Ok(self.distance(self.head()?))
    }

    /// Number of records that can be taken, by the head that hardware published last.
    ///
    /// # Errors
    ///
    /// As [`used_bytes`](Self::used_bytes).
    pub fn available(&self) -> Result<u32, RingError> {
        Ok(self.used_bytes()? / RECORD)
    }

    /// Whether it is time to drain: `threshold` bytes are used, or, with 0, anything is.
    ///
    /// A program that polls should drain when this says so: only at the threshold does hardware publish its head and
    /// look at the tail again.
    ///
    /// # Errors
    ///
    /// As [`used_bytes`](Self::used_bytes).
    pub fn should_drain(&self, threshold: u32) -> Result<bool, RingError> {
        Ok(self.used_bytes()? >= threshold.max(1))
    }

    /// How many events found the buffer full since the session began.
    #[must_use]
    pub fn missed_events(&self) -> u64 {
        self.block.missed_events()
    }

    /// Takes the oldest record, or `None` if there is none.
    ///
    /// # Errors
    ///
    /// As [`used_bytes`](Self::used_bytes); nothing is taken then.
    pub fn pop(&mut self) -> Result<Option<EventRecord>, RingError> {
        let head = self.head()?;
        self.pop_below(head)
    }

    /// Looks at the oldest record without taking it.
    ///
    /// # Errors
    ///
    /// As [`used_bytes`](Self::used_bytes).
    pub fn peek(&self) -> Result<Option<EventRecord>, RingError> {
        let head = self.head()?;
        if head == self.tail { Ok(None) } else { self.oldest().map(Some) }
    }

    /// Takes all records that are there now. Those that hardware adds meanwhile wait for the next time, so that the
    /// loop ends. Each record's place is free for hardware as soon as it is yielded.
    ///
    /// # Errors
    ///
    /// As [`used_bytes`](Self::used_bytes).
    pub fn drain(&mut self) -> Result<Drain<'_, 'a>, RingError> {
        let head = self.head()?;
        Ok(Drain { reader: self, head })
    }

    /// Drops the oldest `records` unseen.
    ///
    /// # Errors
    ///
    /// [`RingError::Advance`] if there are fewer, or as [`used_bytes`](Self::used_bytes); nothing is dropped then.
    pub fn advance(&mut self, records: u32) -> Result<(), RingError> {
        let available = self.available()?;
        if records > available {
            return Err(RingError::Advance { records, available });
        }
        self.take(records * RECORD)
    }

    /// The head that hardware published last, checked.
    fn head(&self) -> Result<u32, RingError> {
        let (head, size) = (self.block.head(), self.buffer.size());
        if is_place(head, size) { Ok(head) } else { Err(RingError::Head { head, size }) }
    }

    /// Bytes from the tail up to `head`, around the end if need be.
    #[inline]
    const fn distance(&self, head: u32) -> u32 {
        if head >= self.tail { head - self.tail } else { self.buffer.size() - self.tail + head }
    }

    fn pop_below(&mut self, head: u32) -> Result<Option<EventRecord>, RingError> {
        if head == self.tail {
            return Ok(None);
        }
        let record = self.oldest()?;
        self.take(RECORD)?;
        Ok(Some(record))
    }

    fn oldest(&self) -> Result<EventRecord, RingError> {
        let (tail, size) = (self.tail, self.buffer.size());
        self.buffer.read(tail).ok_or(RingError::Tail { tail, size })
    }

    /// Moves the tail by at most the used space and tells hardware.
    fn take(&mut self, bytes: u32) -> Result<(), RingError> {
        let to_end = self.buffer.size() - self.tail;
        let tail = if bytes >= to_end { bytes - to_end } else { self.tail + bytes };
        self.block.set_tail(tail).map_err(RingError::Block)?;
        self.tail = tail;
        Ok(())
    }
}

#[cfg(all(test, loom))]
impl RingReader<'_> {
    /// What a reader must not do: looks at a place that was given back.
    pub(super) fn peek_at(&self, offset: u32) -> EventRecord {
        self.buffer.read(offset).expect("a place")
    }
}

#[inline]
const fn is_place(offset: u32, size: u32) -> bool {
    offset.is_multiple_of(RECORD) && offset < size
}

/// Takes records up to the head at the time of [`RingReader::drain`].
#[derive(Debug)]
pub struct Drain<'r, 'a> {
    reader: &'r mut RingReader<'a>,
    head: u32,
}

impl Iterator for Drain<'_, '_> {
    type Item = EventRecord;

    fn next(&mut self) -> Option<EventRecord> {
        // Fails only if somebody changed the block's size meanwhile, against the contract; then there is nothing to do.
        self.reader.pop_below(self.head).ok().flatten()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let records = (self.reader.distance(self.head) / RECORD) as usize;
        (0, Some(records))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::U28;
    use crate::lwp::caps::tests::caps_with;
    use crate::lwp::{EventBuffer, Features, InstructionRecord, LwpcbImage, LwpcbMemory, offset};

    const CAPS: LwpCaps = caps_with(Features::all());

    /// A record that says which one it is.
    fn record(n: u64) -> EventRecord {
        InstructionRecord::new(0, n).record()
    }

    fn image(head: u32, tail: u32) -> LwpcbImage {
        LwpcbImage { size: SizeWord::new().with_buffer_size(U28::of::<128>()), head, tail, ..LwpcbImage::zeroed() }
    }

    /// Runs `test` on a buffer of four places, with the records 0 to 3 in them.
    fn with_reader(head: u32, tail: u32, test: impl FnOnce(RingReader<'_>)) {
        let (mut memory, mut buffer) = (LwpcbMemory::new(), EventBuffer::<4>::new());
        let buffer = buffer.view();
        for n in 0..4 {
            buffer.poke(n * 32, record(u64::from(n)));
        }
        test(RingReader::new(&CAPS, memory.load_image(3, &image(head, tail)), buffer).unwrap());
    }

    // LWP-OVR-14: in steps of 32, modulo the buffer's size
    #[test]
    fn pop_takes_in_order_and_wraps() {
        with_reader(32, 64, |mut reader| {
            assert_eq!(reader.available(), Ok(3));
            for (n, tail) in [(2, 96), (3, 0), (0, 32)] {
                assert_eq!(reader.peek(), Ok(Some(record(n))));
                assert_eq!(reader.pop(), Ok(Some(record(n))));
                assert_eq!(reader.block().tail(), tail);
            }
            assert_eq!(reader.pop(), Ok(None));
            assert_eq!(reader.peek(), Ok(None));
            assert_eq!(reader.block().tail(), 32);
        });
    }

    #[test]
    fn drain_ends_at_the_head_it_began_with() {
        with_reader(64, 0, |mut reader| {
            let mut drain = reader.drain().unwrap();
            assert_eq!(drain.next(), Some(record(0)));
            drain.reader.block().poke(offset::HEAD, 96);
            assert_eq!(drain.next(), Some(record(1)));
            assert_eq!(drain.next(), None);
            assert_eq!(reader.pop(), Ok(Some(record(2))));
        });
    }

    #[test]
    fn advance_drops_only_what_is_there() {
        with_reader(32, 64, |mut reader| {
            assert_eq!(reader.advance(4), Err(RingError::Advance { records: 4, available: 3 }));
            assert_eq!(reader.advance(2), Ok(()));
            assert_eq!(reader.pop(), Ok(Some(record(0))));
            assert_eq!(reader.advance(u32::MAX), Err(RingError::Advance { records: u32::MAX, available: 0 }));
        });
    }

    #[test]
    fn a_bad_head_is_an_error_and_takes_nothing() {
        with_reader(0, 0, |mut reader| {
            for head in [1, 33, 128, 160, u32::MAX] {
                reader.block().poke(offset::HEAD, head);
                let error = RingError::Head { head, size: 128 };
                assert_eq!(reader.pop(), Err(error));
                assert_eq!(reader.peek(), Err(error));
                assert_eq!(reader.advance(0), Err(error));
                assert!(reader.drain().is_err());
                assert_eq!(reader.block().tail(), 0);
            }
        });
    }

    // LWP-ACC-13
    #[test]
    fn draining_is_due_at_the_threshold() {
        with_reader(64, 0, |mut reader| {
            assert_eq!(reader.should_drain(96), Ok(false));
            assert_eq!(reader.should_drain(64), Ok(true));
            assert_eq!(reader.should_drain(0), Ok(true));
            assert_eq!(reader.advance(2), Ok(()));
            assert_eq!(reader.should_drain(0), Ok(false));
        });
    }

    #[test]
    fn counts_what_was_missed() {
        with_reader(96, 0, |reader| {
            assert_eq!(reader.capacity(), 3);
            reader.block().poke(offset::MISSED, 7);
            assert_eq!(reader.missed_events(), 7);
        });
    }

    #[test]
    fn the_tail_is_the_readers_own() {
        with_reader(96, 0, |mut reader| {
            reader.block().poke(offset::TAIL, 77);
            assert_eq!(reader.pop(), Ok(Some(record(0))));
            assert_eq!(reader.block().tail(), 32);
        });
    }

    // LWP-REC-16
    #[test]
    fn wrong_descriptions_are_refused() {
        fn refused(caps: &LwpCaps, image: &LwpcbImage) -> RingError {
            let (mut memory, mut buffer) = (LwpcbMemory::new(), EventBuffer::<4>::new());
            RingReader::new(caps, memory.load_image(3, image), buffer.view()).unwrap_err()
        }
        let wide = LwpCaps { event_size: 64, ..CAPS };
        assert_eq!(refused(&wide, &image(0, 0)), RingError::Stride(64));
        let other = LwpcbImage { size: SizeWord::new().with_buffer_size(U28::of::<96>()), ..image(0, 0) };
        assert_eq!(refused(&CAPS, &other), RingError::Size { size: 128, expected: 96 });
        assert_eq!(refused(&CAPS, &image(0, 128)), RingError::Tail { tail: 128, size: 128 });
        assert_eq!(refused(&CAPS, &image(0, 31)), RingError::Tail { tail: 31, size: 128 });
    }

    // LWP-OVR-13: another thread may drain
    #[test]
    fn may_move_to_another_thread() {
        fn send<T: Send>() {}
        send::<RingReader<'static>>();
    }
}
