//! Event records and control blocks: any bytes are one.

use lwp_regs::lwp::{Event, EventRecord, LWPCB_MAX_BYTES, LwpcbImage};

/// Decoding never fails and never loses a bit.
///
/// # Panics
/// If it does.
pub fn one_input(data: &[u8]) {
    for bytes in data.as_chunks::<32>().0 {
        record(EventRecord::from_bytes(bytes), bytes);
    }
    for bytes in data.as_chunks::<LWPCB_MAX_BYTES>().0 {
        assert_eq!(LwpcbImage::from_bytes(bytes).to_bytes(), *bytes);
    }
    for slots in 0..=26 {
        let bytes = lwp_regs::lwp::lwpcb_bytes(slots);
        if let Some(block) = data.get(..bytes) {
            let mut out = vec![0; bytes];
            LwpcbImage::read_bytes(slots, block).write_bytes(slots, &mut out);
            assert_eq!(out, block);
        }
    }
}

fn record(record: EventRecord, bytes: &[u8; 32]) {
    assert_eq!(record.to_bytes(), *bytes);
    assert_eq!(EventRecord::from_words(record.words()), record);
    let event = Event::decode(record);
    assert_eq!(event.record(), record, "decoding has lost a bit");
    assert_eq!(event.event_id(), record.event_id());
    let mask = record.reserved_mask();
    let clear = record.words().iter().zip(mask).all(|(word, mask)| word & mask == 0);
    assert_eq!(record.reserved_bits_are_zero(), clear);
    let word = record.word();
    assert_eq!((word.core(), word.flags(), word.data()), (record.core(), record.flags(), record.data()));
    match event {
        Event::Instruction(instruction) => drop(format!("{instruction:?}")),
        Event::Branch(branch) => drop(format!("{branch:?}")),
        Event::Dcache(dcache) => drop(format!("{dcache:?}")),
        other => drop(format!("{other:?}")),
    }
}
