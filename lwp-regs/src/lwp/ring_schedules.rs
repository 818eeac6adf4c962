//! The ring reader beside a hardware thread, in every order of their accesses that the memory model allows (loom).
//!
//! What runs is [`RingReader`] with its views; the hardware is written here. It stores a record's words, then publishes its
//! head (release); it looks at the tail (acquire) before it stores. Run by `make loom`.

use super::memory::loom_cells::{self, RecordWord};
use super::{ActiveLwpcb, BufferView, EventBuffer, LwpCaps, LwpcbImage, LwpcbMemory, RingReader, SizeWord, offset};
use crate::lwp::EventRecord;
use crate::lwp::Features;
use crate::lwp::caps::tests::caps_with;
use core::sync::atomic::{AtomicU64 as Count, Ordering::Relaxed};
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU32, Ordering};
use loom::thread;
use std::println;
use std::string::ToString;
use std::vec::Vec;

extern crate std;

const CAPS: LwpCaps = caps_with(Features::all());
const RECORD: u32 = 32;

/// In which order the hardware does things.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hardware {
    /// As it must.
    Sound,
    /// It publishes its head before the record is there.
    HeadFirst,
    /// It publishes its head after the record, but with a plain store that orders nothing.
    HeadRelaxed,
    /// It does not look at the tail.
    IgnoresTail,
}

/// In which order the software does things.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Software {
    /// `RingReader::pop`.
    Pop,
    /// `RingReader::drain`.
    Drain,
    /// Not the ring reader: it gives all places back before it has read them. One place would not matter: hardware leaves the
    /// place before the tail empty.
    TailFirst,
}

/// A run: a ring of so many places, where both offsets begin, what hardware stores, how often software looks.
#[derive(Clone, Copy)]
struct Run {
    places: u32,
    begin: u32,
    stores: u64,
    looks: u32,
    hardware: Hardware,
    software: Software,
}

/// The hardware's side of the shared memory.
#[derive(Clone)]
struct Shared {
    head: Arc<AtomicU32>,
    tail: Arc<AtomicU32>,
    ring: Arc<Vec<[Arc<RecordWord>; 4]>>,
}

/// The words of record `n`: a mixture of two records is none.
fn words(n: u64) -> [u64; 4] {
    [1 | n << 32, n, n, n]
}

impl Shared {
    fn new(run: Run) -> Self {
        let place = || core::array::from_fn(|_| RecordWord::new(0));
        let ring = Arc::new((0..run.places).map(|_| place()).collect());
        let start = run.begin * RECORD;
        Self { head: Arc::new(AtomicU32::new(start)), tail: Arc::new(AtomicU32::new(start)), ring }
    }

    /// Puts it behind the addresses of the views.
    fn register(&self, block: &ActiveLwpcb<'_>, buffer: &BufferView<'_>) {
        let block = block.address().get() as usize;
        loom_cells::register_word(block + offset::HEAD, &self.head);
        loom_cells::register_word(block + offset::TAIL, &self.tail);
        let words = self.ring.iter().flatten();
        for (index, word) in words.enumerate() {
            loom_cells::register_record_word(buffer.address() as usize + 8 * index, word);
        }
    }
}

/// The hardware stores records; returns those that were not missed, how often the ring was full and how often the head wrapped.
fn hardware(shared: &Shared, run: Run) -> (Vec<u64>, u64, u64) {
    let (mut stored, mut missed, mut wraps) = (Vec::new(), 0, 0);
    let size = run.places * RECORD;
    let mut head = run.begin * RECORD;
    for n in 1..=run.stores {
        let next = (head + RECORD) % size;
        let tail = shared.tail.load(Ordering::Acquire);
        if next == tail && run.hardware != Hardware::IgnoresTail {
            missed += 1;
            continue;
        }
        if run.hardware == Hardware::HeadFirst {
            shared.head.store(next, Ordering::Release);
        }
        let place = &shared.ring[(head / RECORD) as usize];
        place.iter().zip(words(n)).for_each(|(word, value)| word.write(value));
        match run.hardware {
            Hardware::Sound | Hardware::IgnoresTail => shared.head.store(next, Ordering::Release),
            Hardware::HeadRelaxed => shared.head.store(next, Ordering::Relaxed),
            Hardware::HeadFirst => {}
        }
        wraps += u64::from(next == 0);
        head = next;
        stored.push(n);
    }
    (stored, missed, wraps)
}

/// Takes what is there.
fn look(reader: &mut RingReader<'_>, run: Run, taken: &mut Vec<EventRecord>) {
    match run.software {
        Software::Pop => taken.extend(reader.pop().unwrap()),
        Software::Drain => taken.extend(reader.drain().unwrap()),
        Software::TailFirst => {
            let (tail, there) = (reader.block().tail(), reader.available().unwrap());
            reader.advance(there).unwrap();
            let place = |n| (tail + n * RECORD) % (run.places * RECORD);
            taken.extend((0..there).map(|n| reader.peek_at(place(n))));
        }
    }
}

/// What was seen, over all schedules of a run.
#[derive(Default)]
struct Seen {
    schedules: Count,
    missed: Count,
    wraps: Count,
    overlaps: Count,
    reuses: Count,
}

/// One schedule: both sides at once, then software takes what is left.
fn both(run: Run, seen: &Seen) {
    let shared = Shared::new(run);
    let image = LwpcbImage {
        size: SizeWord::new()
            .with_buffer_size(crate::bits::U28::new(run.places * RECORD).expect("a ring of a few records")),
        head: run.begin * RECORD,
        tail: run.begin * RECORD,
        ..LwpcbImage::zeroed()
    };
    let (mut memory, mut buffer) = (LwpcbMemory::new(), EventBuffer::<4>::new());
    let block = memory.load_image(3, &image);
    let address = core::ptr::NonNull::from(&mut buffer).cast();
    let buffer = BufferView::for_schedules(address, run.places * RECORD);
    shared.register(&block, &buffer);
    let mut reader = RingReader::new(&CAPS, block, buffer).unwrap();
    let hardware = {
        let shared = shared.clone();
        thread::spawn(move || hardware(&shared, run))
    };
    let mut taken = Vec::new();
    (0..run.looks).for_each(|_| look(&mut reader, run, &mut taken));
    let early = taken.len();
    let (stored, missed, wraps) = hardware.join().unwrap();
    taken.extend(reader.drain().unwrap());
    let expected: Vec<EventRecord> = stored.iter().map(|n| EventRecord::from_words(words(*n))).collect();
    assert!(taken == expected, "records were lost, doubled or torn: {taken:?}, stored {stored:?}");
    assert_eq!(stored.len() as u64 + missed, run.stores);
    let reuses = (stored.len() as u64).saturating_sub(run.places.into());
    for (count, add) in [
        (&seen.schedules, 1),
        (&seen.missed, missed),
        (&seen.wraps, wraps),
        (&seen.overlaps, early as u64),
        (&seen.reuses, reuses),
    ] {
        count.fetch_add(add, Relaxed);
    }
    drop((reader, shared));
    loom_cells::forget();
}

/// Explores a run. All schedules, unless `preemptions` limits how often a thread is put aside while it could go on.
fn explore(name: &str, run: Run, preemptions: Option<usize>) -> std::sync::Arc<Seen> {
    let seen = std::sync::Arc::new(Seen::default());
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = preemptions;
    let inside = std::sync::Arc::clone(&seen);
    builder.check(move || both(run, &inside));
    let bound = preemptions.map_or_else(|| "all".to_string(), |most| std::format!("up to {most} preemptions"));
    let [schedules, missed, wraps, overlaps] =
        [&seen.schedules, &seen.missed, &seen.wraps, &seen.overlaps].map(|count| count.load(Relaxed));
    println!(
        "{name}: {schedules} schedules ({bound}); {missed} times full, {wraps} wraps, {overlaps} records taken meanwhile"
    );
    seen
}

/// Hardware comes to each place of the ring a second time, so that what was given back is used again.
const RUN: Run = Run { places: 2, begin: 0, stores: 3, looks: 3, hardware: Hardware::Sound, software: Software::Pop };
const THREE: Run = Run { places: 3, begin: 1, stores: 4, looks: 3, ..RUN };

/// It was full, it wrapped, and records were taken while hardware stored: else the schedules show little.
fn met_everything(seen: &Seen) {
    assert!(seen.missed.load(Relaxed) > 0, "it was never full");
    assert!(seen.overlaps.load(Relaxed) > 0, "nothing was ever taken while hardware stored");
    assert!(seen.wraps.load(Relaxed) > 0, "it never wrapped");
    assert!(seen.reuses.load(Relaxed) > 0, "no place was ever used again");
}

// Offsets go in steps of 32, modulo the size of the buffer. The smallest ring is full after one record.
#[test]
fn a_ring_of_two_places_in_every_schedule() {
    met_everything(&explore("two places, pop", RUN, None));
}

#[test]
fn a_ring_of_three_places() {
    met_everything(&explore("three places, pop", THREE, Some(3)));
}

#[test]
fn draining_is_as_good_as_popping() {
    met_everything(&explore("three places, drain", Run { software: Software::Drain, ..THREE }, Some(3)));
}

#[test]
#[should_panic(expected = "Causality violation")]
fn a_head_before_its_record_is_found() {
    explore("head first", Run { hardware: Hardware::HeadFirst, ..RUN }, None);
}

#[test]
#[should_panic(expected = "Causality violation")]
fn a_head_that_orders_nothing_is_found() {
    explore("head relaxed", Run { hardware: Hardware::HeadRelaxed, ..RUN }, None);
}

#[test]
#[should_panic(expected = "records were lost, doubled or torn")]
fn hardware_that_ignores_the_tail_is_found() {
    explore("tail ignored", Run { hardware: Hardware::IgnoresTail, ..RUN }, None);
}

#[test]
#[should_panic(expected = "Causality violation")]
fn a_tail_before_the_reads_is_found() {
    explore("tail first", Run { software: Software::TailFirst, ..THREE }, None);
}
