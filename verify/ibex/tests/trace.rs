//! The stream of events.

use ibex::trace::{Access, End, Event, Shown, read};
use std::io::{ErrorKind, Read};

fn events() -> Vec<Event> {
    vec![
        Event::Retire(Shown {
            cycle: 7,
            pc: 0x10_0000,
            next: 0x10_0002,
            word: 0x4108,
            address: 0x20_0004,
            mode: 3,
            trap: true,
        }),
        Event::Unit(Access { cycle: 8, address: 0x10_1200, data: 0xDEAD_BEEF, bytes: 5, write: true, error: false }),
        Event::Unit(Access { cycle: 8, address: 0x10_1204, data: 1, bytes: 15, write: false, error: true }),
        Event::Device { cycle: 9, register: 2, data: 0x8000_0002 },
        Event::End(End { cycle: 10, ended: true, nanoseconds: 0x1_2345_6789 }),
    ]
}

/// Gives five bytes at a time.
struct Slow<'a>(&'a [u8]);

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let (now, later) = self.0.split_at(self.0.len().min(5));
        buffer[..now.len()].copy_from_slice(now);
        self.0 = later;
        Ok(now.len())
    }
}

#[test]
fn events_are_read_as_they_were_written() {
    let bytes: Vec<u8> = events().iter().flat_map(Event::encode).collect();
    let mut found = Vec::new();
    read(Slow(&bytes), |event| found.push(event)).expect("the stream is whole");
    assert_eq!(found, events());
}

#[test]
fn a_stream_that_is_cut_or_unknown_is_an_error() {
    let bytes: Vec<u8> = events().iter().flat_map(Event::encode).collect();
    let cut = read(&bytes[..bytes.len() - 1], |_| ()).expect_err("the last event is cut");
    assert_eq!(cut.kind(), ErrorKind::UnexpectedEof);
    let unknown = read(&[9; 24][..], |_| ()).expect_err("no event has kind 9");
    assert_eq!(unknown.kind(), ErrorKind::InvalidData);
}
