//! Decodes one block of a capture file.

use super::capture_file::{
    EVENT_JUMP, EVENT_REDEFINE, LOADS_VARY, MAX_INSTRUCTIONS, MAX_LOADS, OUTCOME_SURPRISE, OUTCOME_TAKEN,
};
use super::captured_code::{Code, Definition, NO_SITE};
use super::varint::Cursor;
use super::{Branch, BranchKind, Load, Retired};

/// Longest x86 instruction in bytes.
const MAX_LENGTH: u8 = 15;

/// Places in a block's streams. The bytes themselves belong to the reader.
#[derive(Debug)]
pub(super) struct Block {
    /// Instructions that are left.
    left: u64,
    /// Instructions until the next event.
    until_event: u64,
    events: Cursor,
    definitions: Cursor,
    outcomes: Cursor,
    targets: Cursor,
    loads: Cursor,
    /// The site executed last, and the address expected next: these go on from block to block.
    previous: u32,
    expected: u64,
}

impl Default for Block {
    /// No block, before the first instruction.
    fn default() -> Self {
        let none = Cursor::default();
        Self {
            left: 0,
            until_event: u64::MAX,
            events: none,
            definitions: none,
            outcomes: none,
            targets: none,
            loads: none,
            previous: NO_SITE,
            expected: 0,
        }
    }
}

impl Block {
    /// Goes on with the block in `bytes`; `None` if its lengths do not fit.
    pub(super) fn begin(&mut self, bytes: &[u8]) -> Option<()> {
        let mut head = Cursor::new(0, bytes.len());
        // Instructions can cost no bytes at all: without a limit a few bytes could promise eternity.
        self.left = head.number(bytes).filter(|count| *count <= MAX_INSTRUCTIONS)?;
        let mut lengths = [0; 5];
        for length in &mut lengths {
            *length = usize::try_from(head.number(bytes)?).ok()?;
        }
        let mut at = head.at();
        let mut stream = |length: usize| {
            let cursor = Cursor::new(at, length);
            at += length;
            cursor
        };
        let [events, definitions, outcomes, targets, loads] = lengths;
        // Checked one by one: a sum of wrong lengths could overflow.
        if lengths.iter().any(|length| *length > bytes.len()) {
            return None;
        }
        self.events = stream(events);
        self.definitions = stream(definitions);
        self.outcomes = stream(outcomes);
        self.targets = stream(targets);
        self.loads = stream(loads);
        if at != bytes.len() {
            return None;
        }
        self.until_event = self.next_event(bytes)?;
        Some(())
    }

    /// Whether all instructions were decoded.
    #[inline]
    pub(super) fn is_at_end(&self) -> bool {
        self.left == 0
    }

    /// Whether nothing is left in any stream.
    pub(super) fn is_used_up(&self) -> bool {
        [self.events, self.definitions, self.outcomes, self.targets, self.loads].iter().all(|stream| stream.is_empty())
    }

    /// Decodes the next instruction. Returns whether the flow jumped to it; `None` if the streams
    /// do not make sense.
    #[inline]
    pub(super) fn decode(&mut self, bytes: &[u8], code: &mut Code, into: &mut Retired) -> Option<bool> {
        let mut jumped = false;
        let mut redefined = false;
        if self.until_event == 0 {
            (jumped, redefined) = self.events(bytes)?;
        }
        let ip = self.expected;
        let mut place = code.find(self.previous, ip);
        if place == NO_SITE || redefined {
            place = self.definition(bytes, code, ip)?;
        }
        into.reset(ip);
        let site = &code.sites[place as usize];
        let (kind, variable) = (site.kind, site.variable);
        let (first, count) = (site.first_slot as usize, usize::from(site.loads));
        self.expected = ip.wrapping_add(u64::from(site.length));
        if variable {
            self.varying_loads(bytes, code, first, into)?;
        } else {
            for slot in code.slots.get_mut(first..first + count)? {
                let address = self.loads.signed(bytes)?.wrapping_add(slot.expected());
                slot.learn(address);
                into.loads.push(load(address, slot.size));
            }
        }
        if kind != 0 {
            self.branch(bytes, code, place, into)?;
        }
        self.previous = place;
        self.left -= 1;
        self.until_event = self.until_event.saturating_sub(1);
        Some(jumped)
    }

    /// Takes the events at the next instruction: whether it was jumped to, and is defined anew.
    #[cold]
    fn events(&mut self, bytes: &[u8]) -> Option<(bool, bool)> {
        let mut seen = (false, false);
        while self.until_event == 0 {
            match self.events.byte(bytes)? {
                EVENT_JUMP => {
                    self.expected = self.expected.wrapping_add(self.events.signed(bytes)?);
                    seen.0 = true;
                }
                EVENT_REDEFINE => seen.1 = true,
                _ => return None,
            }
            self.until_event = self.next_event(bytes)?;
        }
        Some(seen)
    }

    /// Distance to the next event, far away if there is none.
    fn next_event(&mut self, bytes: &[u8]) -> Option<u64> {
        if self.events.is_empty() { Some(u64::MAX) } else { self.events.number(bytes) }
    }

    #[cold]
    fn definition(&mut self, bytes: &[u8], code: &mut Code, ip: u64) -> Option<u32> {
        let length = self.definitions.byte(bytes).filter(|length| (1..=MAX_LENGTH).contains(length))?;
        let kind = self.definitions.byte(bytes)?;
        let count = self.definitions.byte(bytes)?;
        if kind != 0 {
            BranchKind::from_number(kind)?;
        }
        let mut sizes = None;
        if count != LOADS_VARY {
            let stream = &mut self.definitions;
            let all: Option<Vec<u16>> =
                (0..count).map(|_| stream.number(bytes).and_then(|size| u16::try_from(size).ok())).collect();
            sizes = Some(all?);
        }
        Some(code.define(ip, &Definition { length, kind, sizes }))
    }

    #[inline]
    fn branch(&mut self, bytes: &[u8], code: &mut Code, place: u32, into: &mut Retired) -> Option<()> {
        let neighbour = self.expected;
        let site = &mut code.sites[place as usize];
        let (kind, last) = (BranchKind::from_number(site.kind)?, site.target);
        let outcome = self.outcomes.byte(bytes)?;
        let taken = outcome & OUTCOME_TAKEN != 0;
        let expected = match kind {
            BranchKind::Ret if taken => code.pop_return(),
            BranchKind::System => neighbour,
            _ if !taken => neighbour,
            _ => last,
        };
        if matches!(kind, BranchKind::Call | BranchKind::CallInd) {
            code.push_return(neighbour);
        }
        let next =
            if outcome & OUTCOME_SURPRISE == 0 { expected } else { into.ip.wrapping_add(self.targets.signed(bytes)?) };
        if taken {
            code.sites[place as usize].target = next;
        }
        self.expected = next;
        into.branch = Some(Branch { kind, taken, next, predicted: None });
        Some(())
    }

    fn varying_loads(&mut self, bytes: &[u8], code: &mut Code, first: usize, into: &mut Retired) -> Option<()> {
        let slot = code.slots.get_mut(first)?;
        let count = self.loads.number(bytes)?;
        if count > MAX_LOADS as u64 {
            return None;
        }
        for _ in 0..count {
            let size = u16::try_from(self.loads.number(bytes)?).ok()?;
            let address = self.loads.signed(bytes)?.wrapping_add(slot.expected());
            slot.learn(address);
            into.loads.push(load(address, size));
        }
        Some(())
    }
}

#[inline]
fn load(address: u64, size: u16) -> Load {
    Load { addr: Some(address), size, ..Load::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The checksum keeps such blocks from getting here, unless somebody makes them on purpose.
    #[test]
    fn no_streams_make_it_panic_or_go_on_for_ever() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random = |limit: u64| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            (state >> 33) % limit
        };
        let (mut decoded, mut refused) = (0, 0);
        for _ in 0..20_000 {
            let mut bytes = vec![1 + random(100) as u8];
            let lengths: Vec<u64> = (0..5).map(|_| random(40)).collect();
            bytes.extend(lengths.iter().map(|length| *length as u8));
            // Small values make more of the streams valid.
            let width = 1 << random(9);
            bytes.extend((0..lengths.iter().sum()).map(|_| random(width) as u8));
            let (mut block, mut code, mut into) = (Block::default(), Code::new(), Retired::default());
            if block.begin(&bytes).is_none() {
                continue;
            }
            while !block.is_at_end() {
                match block.decode(&bytes, &mut code, &mut into) {
                    Some(_) => decoded += 1,
                    None => {
                        refused += 1;
                        break;
                    }
                }
            }
        }
        assert!(decoded > 1000 && refused > 1000, "{decoded} {refused}");
    }

    #[test]
    fn a_block_that_promises_too_much_is_refused() {
        let mut bytes = Vec::new();
        crate::trace::varint::put(&mut bytes, MAX_INSTRUCTIONS + 1);
        bytes.extend([0; 5]);
        assert!(Block::default().begin(&bytes).is_none());
    }
}
