//! The ring reader against a stand-in for the hardware: by random operations, and from another thread.

use lwp_regs::bits::U28;
use lwp_regs::lwp::*;
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::VecDeque;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

const RECORDS: usize = 5;
const SIZE: u32 = RECORDS as u32 * 32;

const CAPS: LwpCaps = {
    let mut made = LwpCaps::new(AvailableFeatures::new(Features::empty()), 0);
    made.available = AvailableFeatures::new(Features::all());
    made.lwpcb_size = 48;
    made.event_size = 32;
    made.max_events = 1;
    made.version = 1;
    made.cache_max = 10;
    made.data_address = true;
    made.cache_levels = true;
    made.cache_latency = true;
    made
};

/// The hardware's side of a block and a buffer: stores a record, or counts it as missed.
struct Hardware {
    head: NonNull<AtomicU32>,
    tail: NonNull<AtomicU32>,
    missed: NonNull<AtomicU64>,
    buffer: NonNull<AtomicU64>,
}

// SAFETY: it points to atomics that outlive the threads of a test.
unsafe impl Send for Hardware {}

/// What both sides share.
#[repr(C, align(32))]
struct Shared {
    buffer: [[u64; 4]; RECORDS],
    block: [u8; 64],
}

impl Shared {
    fn new(start: u32) -> Box<Self> {
        let mut shared = Box::new(Self { buffer: [[0; 4]; RECORDS], block: [0; 64] });
        let image = LwpcbImage {
            size: SizeWord::new().with_buffer_size(U28::masked(SIZE)),
            head: start,
            tail: start,
            ..LwpcbImage::zeroed()
        };
        image.write_bytes(1, &mut shared.block);
        shared
    }

    fn split(&mut self) -> (Hardware, RingReader<'_>) {
        let buffer = NonNull::from(&mut self.buffer).cast::<u8>();
        let block = NonNull::from(&mut self.block).cast::<u8>();
        // SAFETY: each offset is within the block.
        let at = |offset| unsafe { block.byte_add(offset) };
        let hardware = Hardware {
            head: at(offset::HEAD).cast(),
            tail: at(offset::TAIL).cast(),
            missed: at(offset::MISSED).cast(),
            buffer: buffer.cast(),
        };
        // SAFETY: block and buffer are borrowed for as long as the reader lives, and only `hardware` writes there.
        let view = unsafe { ActiveLwpcb::new(block, 1) }.unwrap();
        // SAFETY: as above.
        let buffer = unsafe { BufferView::new(buffer, SIZE) }.unwrap();
        (hardware, RingReader::new(&CAPS, view, buffer).unwrap())
    }
}

impl Hardware {
    /// The rule of the proposal: the record goes to the head's place; if the head would meet the tail, it stays.
    fn store(&self, number: u64) -> bool {
        // SAFETY: points into memory that is shared for the whole test, as do the next two.
        let head = unsafe { self.head.as_ref() };
        // SAFETY: see above.
        let tail = unsafe { self.tail.as_ref() };
        // SAFETY: see above.
        let missed = unsafe { self.missed.as_ref() };
        let at = head.load(Ordering::Relaxed);
        let next = (at + 32) % SIZE;
        for (i, word) in InstructionRecord::new(0, number).record().words().into_iter().enumerate() {
            // SAFETY: the head is always a place in the buffer.
            let cell = unsafe { self.buffer.add(at as usize / 8 + i) };
            // SAFETY: see above.
            let cell = unsafe { cell.as_ref() };
            cell.store(word, Ordering::Relaxed);
        }
        let full = next == tail.load(Ordering::Acquire);
        if full {
            missed.fetch_add(1, Ordering::Relaxed);
        } else {
            head.store(next, Ordering::Release);
        }
        !full
    }

    fn set_head(&self, head: u32) -> u32 {
        // SAFETY: as in `store`.
        unsafe { self.head.as_ref() }.swap(head, Ordering::Release)
    }
}

#[derive(Clone, Debug)]
enum Op {
    Store,
    Pop,
    Advance(u32),
    Drain,
    BadHead(u32),
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        6 => Just(Op::Store),
        3 => Just(Op::Pop),
        1 => (0u32..6).prop_map(Op::Advance),
        1 => Just(Op::Drain),
        1 => any::<u32>().prop_filter("bad", |head| head % 32 != 0 || *head >= SIZE).prop_map(Op::BadHead),
    ]
}

fn number(record: EventRecord) -> u64 {
    match Event::decode(record) {
        Event::Instruction(record) => record.address(),
        other => panic!("{other:?}"),
    }
}

proptest! {
    // LWP-OVR-14, LWP-LCB-16: a queue of four, whatever happens
    #[test]
    fn behaves_like_a_queue(start in 0u32..RECORDS as u32, ops in vec(op(), 0..60)) {
        let mut shared = Shared::new(start * 32);
        let (hardware, mut reader) = shared.split();
        let mut queue = VecDeque::new();
        let (mut next, mut missed) = (0, 0);
        for op in ops {
            match op {
                Op::Store => {
                    if hardware.store(next) { queue.push_back(next) } else { missed += 1 }
                    next += 1;
                }
                Op::Pop => prop_assert_eq!(reader.pop().unwrap().map(number), queue.pop_front()),
                Op::Advance(n) => {
                    prop_assert_eq!(reader.advance(n).is_ok(), n as usize <= queue.len());
                    if n as usize <= queue.len() { queue.drain(..n as usize); }
                }
                Op::Drain => {
                    let drained: Vec<u64> = reader.drain().unwrap().map(number).collect();
                    prop_assert_eq!(drained, queue.drain(..).collect::<Vec<_>>());
                }
                Op::BadHead(head) => {
                    let good = hardware.set_head(head);
                    prop_assert_eq!(reader.pop(), Err(RingError::Head { head, size: SIZE }));
                    hardware.set_head(good);
                }
            }
            prop_assert_eq!(reader.available().unwrap() as usize, queue.len());
            prop_assert!(queue.len() <= reader.capacity() as usize);
            prop_assert_eq!(reader.missed_events(), missed);
            let tail = reader.block().tail();
            prop_assert!(tail % 32 == 0 && tail < SIZE);
        }
    }
}

// LWP-OVR-13: one thread is profiled, another drains; nothing is torn, lost or out of order
#[test]
fn drains_from_another_thread() {
    const LAST: u64 = 20_000;
    let begin = Instant::now();
    // A test that fails in one thread must not wait in the other for ever.
    let in_time = || assert!(begin.elapsed() < Duration::from_secs(120), "the other side makes no progress");
    let mut shared = Shared::new(0);
    let (hardware, mut reader) = shared.split();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            for n in 1..=LAST {
                while !hardware.store(n) {
                    in_time();
                    std::thread::yield_now();
                }
            }
        });
        scope.spawn(move || {
            let mut expected = 1;
            while expected <= LAST {
                for record in reader.drain().unwrap() {
                    assert_eq!(number(record), expected);
                    expected += 1;
                }
                in_time();
                std::thread::yield_now();
            }
        });
    });
}
