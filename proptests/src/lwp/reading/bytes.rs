//! The control block, decoded from its bytes: Table 4, with the packing that 40 bytes force.

use super::env::{EVENTS, Env, FIELD26};
use std::collections::BTreeMap;

/// The bytes of a block that have been read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Bytes(BTreeMap<u64, u8>);

/// The fields that a session takes from its block and keeps.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Session {
    /// The events that are collected: one bit each, at the position of its EventId.
    pub(super) flags: u32,
    pub(super) base: u64,
    pub(super) size: u32,
    pub(super) random: u32,
    pub(super) threshold: u32,
    pub(super) filter: u32,
    pub(super) slot: [u32; EVENTS],
    pub(super) interval: [u32; EVENTS],
}

/// A session, and the fields that change while it runs.
#[derive(Clone, Debug)]
pub(super) struct Loaded {
    pub(super) session: Session,
    pub(super) head: u32,
    /// The head field as it is in memory.
    pub(super) head_word: u32,
    pub(super) tail: u32,
    pub(super) counters: [u32; EVENTS],
}

impl Bytes {
    /// Adds the bytes that a read at this offset returned.
    pub(super) fn read(&mut self, offset: u64, be: u8, data: u64) {
        for byte in (0..8).filter(|byte| be >> byte & 1 == 1) {
            self.0.insert(offset + byte, (data >> (8 * byte)) as u8);
        }
    }

    fn word(&self, offset: u64) -> Result<u32, String> {
        (0..4).try_fold(0, |word, byte| match self.0.get(&(offset + byte)) {
            Some(value) => Ok(word | u32::from(*value) << (8 * byte)),
            None => Err(format!("byte {} of the block was never read", offset + byte)),
        })
    }

    /// Returns Flags as they are in the block in memory.
    pub(super) fn flags(&self) -> Result<u32, String> {
        self.word(0)
    }

    /// Returns the session that the block describes; `None` if its buffer is unusable or it selects no event. `chosen`
    /// is a mask of the events that may be selected; `head` is the restored one, if there is one.
    pub(super) fn decode(&self, env: &Env, chosen: u32, head: Option<u32>) -> Result<Option<Loaded>, String> {
        let (size_word, tail) = (self.word(4)?, self.word(20)? & !31);
        let size = size_word & 0x0FFF_FFE0;
        let head_word = match head {
            Some(head) => head,
            None => self.word(16)?,
        };
        let start = head_word & !31;
        if size < 64 || start >= size || tail >= size {
            return Ok(None);
        }
        let mut session = Session { size, random: size_word >> 28, ..Session::default() };
        let mut counters = [0; EVENTS];
        for slot in 0..env.slots as u32 {
            let at = 40 + 8 * u64::from(slot);
            let word = self.word(at)?;
            let id = word >> 26;
            if !(1..=EVENTS as u32).contains(&id) || chosen >> id & 1 == 0 || session.flags >> id & 1 == 1 {
                continue;
            }
            let event = id as usize - 1;
            session.flags |= 1 << id;
            session.slot[event] = slot;
            session.interval[event] = word & FIELD26;
            counters[event] = if head.is_some() { 0 } else { self.word(at + 4)? & FIELD26 };
        }
        if session.flags == 0 {
            return Ok(None);
        }
        session.base = (u64::from(self.word(8)?) | u64::from(self.word(12)?) << 32) & !31;
        session.threshold = self.word(32)? & !31;
        session.filter = self.word(36)?;
        Ok(Some(Loaded { session, head: start, head_word, tail, counters }))
    }
}
