//! The ring reader over memory in which hardware writes anything.
//!
//! The input is a control block (248 bytes), the number of places, and steps: what software asks and what hardware writes
//! in between. The block's size is made right mostly, since all else ends at once.
#![allow(unsafe_code, reason = "stands in for the hardware, which writes behind the reader's back")]

use crate::bytes::Bytes;
use lwp_regs::lwp::{
    ActiveLwpcb, BufferView, EdxLayout, EventRecord, LWPCB_MAX_BYTES, LwpCaps, RingError, RingReader, offset,
};
use std::cell::UnsafeCell;
use std::ptr::NonNull;

const RECORD: u32 = 32;
const PLACES: usize = 16;

/// Memory that both sides use.
#[repr(C, align(256))]
struct Shared {
    block: UnsafeCell<[u8; 256]>,
    ring: UnsafeCell<[[u8; 32]; PLACES]>,
}

impl Shared {
    /// Hardware writes a word of the block.
    fn word(&self, at: usize, value: u32) {
        assert!(at.is_multiple_of(4) && at < LWPCB_MAX_BYTES);
        // SAFETY: within the block, as just checked.
        let to = unsafe { self.block.get().cast::<u8>().add(at) };
        // SAFETY: aligned; the views only read it, by volatile accesses in this same thread.
        unsafe { to.cast::<u32>().write_volatile(value) };
    }

    /// A place of the ring.
    fn place(&self, index: usize) -> *mut [u8; 32] {
        assert!(index < PLACES);
        // SAFETY: within the ring, as just checked.
        unsafe { self.ring.get().cast::<[u8; 32]>().add(index) }
    }

    /// Hardware writes a record.
    fn record(&self, index: usize, bytes: [u8; 32]) {
        // SAFETY: valid and aligned for bytes; as in `word`.
        unsafe { self.place(index).write_volatile(bytes) };
    }

    /// What is in a place.
    fn at(&self, index: usize) -> EventRecord {
        // SAFETY: valid and aligned for bytes; nobody writes meanwhile.
        EventRecord::from_bytes(&unsafe { self.place(index).read_volatile() })
    }
}

/// Whatever hardware writes, the reader takes records from the ring, in order, or says what is wrong.
///
/// # Panics
/// If it does anything else.
pub fn one_input(data: &[u8]) {
    let mut bytes = Bytes(data);
    let shared = Shared { block: UnsafeCell::new(bytes.array()), ring: UnsafeCell::new([[0; 32]; PLACES]) };
    let (places, size_is_right) = (u32::from(bytes.byte()) % (PLACES as u32 + 1), bytes.byte() != 0);
    for index in 0..PLACES {
        shared.record(index, [index as u8; 32]);
    }
    if size_is_right {
        shared.word(offset::SIZE, places * RECORD);
        shared.word(offset::TAIL, u32::from(bytes.byte() % 8) * RECORD);
    }
    let slots = usize::from(bytes.byte()) % 32;
    let address = NonNull::from(&shared.block).cast::<u8>();
    // SAFETY: 256 bytes, which no reference is made to while the view lives.
    let Ok(block) = (unsafe { ActiveLwpcb::new(address, slots) }) else {
        assert!(slots > 26);
        return;
    };
    drop(format!("{:?} {:?}", block.image(), block));
    // SAFETY: the ring has as many bytes, and no reference is made to them.
    let buffer = unsafe { BufferView::new(NonNull::from(&shared.ring).cast(), places * RECORD) };
    let caps = LwpCaps::from_cpuid([0, 0x0108_2068, 0x8000_002A, 0x1F], EdxLayout::AsPrinted).expect("LWP is there");
    match RingReader::new(&caps, block, buffer.expect("aligned")) {
        Ok(reader) => steps(&shared, reader, &mut bytes, places),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fn steps(shared: &Shared, mut reader: RingReader<'_>, bytes: &mut Bytes<'_>, places: u32) {
    let mut tail = reader.block().tail();
    while !bytes.is_empty() {
        assert!(tail.is_multiple_of(RECORD) && tail < places * RECORD, "the tail has left the ring");
        assert_eq!(reader.block().tail(), tail);
        match bytes.byte() % 8 {
            0 => shared.word(offset::HEAD, bytes.u32()),
            1 => shared.word(offset::HEAD, u32::from(bytes.byte()) % (places + 1) * RECORD),
            2 => shared.record(usize::from(bytes.byte()) % PLACES, bytes.array()),
            3 => shared.word(offset::MISSED, bytes.u32()),
            4 => advance(&mut reader, &mut tail, bytes.byte(), places),
            5 => drain(shared, &mut reader, &mut tail, places),
            _ => pop(shared, &mut reader, &mut tail, places),
        }
        let _ = reader.missed_events();
    }
}

fn next(tail: u32, places: u32) -> u32 {
    (tail + RECORD) % (places * RECORD)
}

fn pop(shared: &Shared, reader: &mut RingReader<'_>, tail: &mut u32, places: u32) {
    let there = shared.at((*tail / RECORD) as usize);
    assert_eq!(reader.peek().ok().flatten(), reader.peek().ok().flatten());
    match (reader.available(), reader.pop()) {
        (Ok(0), Ok(None)) => {}
        (Ok(1..), Ok(Some(record))) => {
            assert_eq!(record, there, "another record than the oldest");
            *tail = next(*tail, places);
        }
        (Err(RingError::Head { head, size }), Err(error)) => {
            assert_eq!(error, RingError::Head { head, size });
            assert!(!head.is_multiple_of(RECORD) || head >= size);
        }
        other => panic!("{other:?}"),
    }
}

fn drain(shared: &Shared, reader: &mut RingReader<'_>, tail: &mut u32, places: u32) {
    let Ok(available) = reader.available() else { return };
    assert!(available <= reader.capacity());
    let mut count = 0;
    for record in reader.drain().expect("the head is as it was") {
        assert_eq!(record, shared.at((*tail / RECORD) as usize));
        *tail = next(*tail, places);
        count += 1;
    }
    assert_eq!(count, available);
}

fn advance(reader: &mut RingReader<'_>, tail: &mut u32, records: u8, places: u32) {
    let records = if records == 255 { u32::MAX } else { records.into() };
    if reader.advance(records).is_ok() {
        assert!(records <= reader.capacity());
        (0..records).for_each(|_| *tail = next(*tail, places));
    }
}
