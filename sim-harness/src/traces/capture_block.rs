//! The decoder of one block of a capture file.

use super::capture_file::{
    COUNT_VARIES, EVENT_INTERRUPTED, EVENT_JUMP, EVENT_REDEFINE, FLAG_SS_LOAD, MAX_INSTRUCTIONS, MAX_LOADS,
    OUTCOME_SURPRISE, OUTCOME_TAKEN,
};
use super::captured_code::{Code, Definition, NO_SITE, Slot, Slots};
use super::varint::Cursor;
use super::{Branch, BranchKind, Load, Retired, Store};
use lwp_model::Choice;
use lwp_model::retire::{IntKind, Interruption};

/// The length of the longest x86 instruction in bytes.
const MAX_LENGTH: u8 = 15;

/// Positions in a block's streams. The bytes themselves belong to the reader.
#[derive(Debug)]
pub(super) struct Block {
    /// Whether the file is of version 1, which has no stores, flags and interruptions.
    first_version: bool,
    /// Instructions that are left in the block.
    left: u64,
    /// Instructions until the next event.
    until_event: u64,
    events: Cursor,
    definitions: Cursor,
    outcomes: Cursor,
    targets: Cursor,
    loads: Cursor,
    stores: Cursor,
    /// The site executed last, and the address expected next. They continue from block to block.
    previous: u32,
    expected: u64,
}

impl Block {
    /// Creates an empty block of a file of this version, before the first instruction.
    pub(super) fn new(version: u32) -> Self {
        let none = Cursor::default();
        Self {
            first_version: version == 1,
            left: 0,
            until_event: u64::MAX,
            events: none,
            definitions: none,
            outcomes: none,
            targets: none,
            loads: none,
            stores: none,
            previous: NO_SITE,
            expected: 0,
        }
    }

    /// Continues with the block in `bytes`; returns `None` if its lengths are inconsistent.
    pub(super) fn begin(&mut self, bytes: &[u8]) -> Option<()> {
        let mut head = Cursor::new(0, bytes.len());
        // Instructions can take no bytes at all: without a limit, a few bytes could announce an unbounded number.
        self.left = head.number(bytes).filter(|count| *count <= MAX_INSTRUCTIONS)?;
        let mut lengths = [0; 6];
        let streams = if self.first_version { 5 } else { 6 };
        for length in &mut lengths[..streams] {
            *length = usize::try_from(head.number(bytes)?).ok()?;
        }
        let mut at = head.at();
        let mut stream = |length: usize| {
            let cursor = Cursor::new(at, length);
            at += length;
            cursor
        };
        let [events, definitions, outcomes, targets, loads, stores] = lengths;
        // The lengths are checked one by one: their sum could overflow.
        if lengths.iter().any(|length| *length > bytes.len()) {
            return None;
        }
        self.events = stream(events);
        self.definitions = stream(definitions);
        self.outcomes = stream(outcomes);
        self.targets = stream(targets);
        self.loads = stream(loads);
        self.stores = stream(stores);
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

    /// Whether every stream is used up.
    pub(super) fn is_used_up(&self) -> bool {
        let Self { events, definitions, outcomes, targets, loads, stores, .. } = self;
        [events, definitions, outcomes, targets, loads, stores].iter().all(|stream| stream.is_empty())
    }

    /// Decodes the next instruction. Returns whether the flow jumped to it; `None` if the streams are inconsistent.
    #[inline]
    pub(super) fn decode(&mut self, bytes: &[u8], code: &mut Code, into: &mut Retired) -> Option<bool> {
        let mut jumped = false;
        let mut redefined = false;
        into.reset(0);
        if self.until_event == 0 {
            (jumped, redefined) = self.events(bytes, &mut into.interruptions)?;
        }
        let ip = self.expected;
        let mut place = code.find(self.previous, ip);
        if place == NO_SITE || redefined {
            place = self.definition(bytes, code, ip)?;
        }
        into.ip = ip;
        let site = &code.sites[place as usize];
        let (kind, loads, stores) = (site.kind, site.loads, site.stores);
        into.length = site.length;
        into.flags.ss_load = site.ss_load;
        self.expected = ip.wrapping_add(u64::from(site.length));
        if loads.variable {
            varying(&mut self.loads, bytes, &mut code.slots, loads, |address, size| {
                into.loads.push(load(address, size));
            })?;
        } else {
            for slot in code.slots.get_mut(loads.first as usize..)?.iter_mut().take(loads.count.into()) {
                let address = self.loads.signed(bytes)?.wrapping_add(slot.expected());
                slot.learn(address);
                into.loads.push(load(address, slot.size));
            }
        }
        if stores.variable {
            varying(&mut self.stores, bytes, &mut code.slots, stores, |addr, size| {
                into.stores.push(Store { addr, size });
            })?;
        } else {
            for slot in code.slots.get_mut(stores.first as usize..)?.iter_mut().take(stores.count.into()) {
                let addr = self.stores.signed(bytes)?.wrapping_add(slot.expected());
                slot.learn(addr);
                into.stores.push(Store { addr, size: slot.size });
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

    /// Reads the events at the next instruction. Returns whether it was jumped to, and whether it is redefined.
    #[cold]
    fn events(&mut self, bytes: &[u8], interruptions: &mut Vec<Interruption>) -> Option<(bool, bool)> {
        let mut seen = (false, false);
        while self.until_event == 0 {
            match self.events.byte(bytes)? {
                EVENT_JUMP => {
                    self.expected = self.expected.wrapping_add(self.events.signed(bytes)?);
                    seen.0 = true;
                }
                EVENT_REDEFINE => seen.1 = true,
                EVENT_INTERRUPTED if !self.first_version => interruptions.push(self.interruption(bytes)?),
                _ => return None,
            }
            self.until_event = self.next_event(bytes)?;
        }
        Some(seen)
    }

    fn interruption(&mut self, bytes: &[u8]) -> Option<Interruption> {
        let kind = IntKind::from_code(self.events.byte(bytes)?).filter(|kind| kind.acts_as() == *kind)?;
        let vector = self.events.byte(bytes)?;
        let from = self.expected.wrapping_add(self.events.signed(bytes)?);
        let to = from.wrapping_add(self.events.signed(bytes)?);
        self.expected = to;
        Some(Interruption { valid: true, kind, vector, from, to })
    }

    /// Returns the distance to the next event, `u64::MAX` if there is none.
    fn next_event(&mut self, bytes: &[u8]) -> Option<u64> {
        if self.events.is_empty() { Some(u64::MAX) } else { self.events.number(bytes) }
    }

    #[cold]
    fn definition(&mut self, bytes: &[u8], code: &mut Code, ip: u64) -> Option<u32> {
        let shortest = u8::from(self.first_version);
        let length = self.definitions.byte(bytes).filter(|length| (shortest..=MAX_LENGTH).contains(length))?;
        let kind = self.definitions.byte(bytes)?;
        if kind != 0 {
            BranchKind::from_number(kind)?;
        }
        let loads = self.sizes(bytes)?;
        let (mut stores, mut flags) = (Some(Vec::new()), 0);
        if !self.first_version {
            stores = self.sizes(bytes)?;
            flags = self.definitions.byte(bytes).filter(|flags| *flags <= FLAG_SS_LOAD)?;
        }
        Some(code.define(ip, &Definition { length, kind, ss_load: flags == FLAG_SS_LOAD, loads, stores }))
    }

    /// Reads the sizes of a site's loads or stores; the inner `None` means that they vary.
    #[allow(clippy::option_option, reason = "the outer one is an error")]
    fn sizes(&mut self, bytes: &[u8]) -> Option<Option<Vec<u16>>> {
        let count = self.definitions.byte(bytes)?;
        if count == COUNT_VARIES {
            return Some(None);
        }
        let stream = &mut self.definitions;
        let all: Option<Vec<u16>> =
            (0..count).map(|_| stream.number(bytes).and_then(|size| u16::try_from(size).ok())).collect();
        all.map(Some)
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
}

/// Reads loads or stores whose number and sizes are in the stream for each execution.
fn varying(
    stream: &mut Cursor,
    bytes: &[u8],
    slots: &mut [Slot],
    which: Slots,
    mut take: impl FnMut(u64, u16),
) -> Option<()> {
    let slot = slots.get_mut(which.first as usize)?;
    let count = stream.number(bytes)?;
    if count > MAX_LOADS as u64 {
        return None;
    }
    for _ in 0..count {
        let size = u16::try_from(stream.number(bytes)?).ok()?;
        let address = stream.signed(bytes)?.wrapping_add(slot.expected());
        slot.learn(address);
        take(address, size);
    }
    Some(())
}

#[inline]
fn load(address: u64, size: u16) -> Load {
    Load { addr: Some(address), size, ..Load::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The checksum normally rejects such blocks, unless they are made on purpose.
    #[test]
    fn no_streams_make_it_panic_or_go_on_for_ever() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random = |limit: u64| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            (state >> 33) % limit
        };
        let (mut decoded, mut refused) = (0, 0);
        for round in 0..20_000 {
            let version = 1 + round % 2;
            let mut bytes = vec![1 + random(100) as u8];
            let lengths: Vec<u64> = (0..4 + version).map(|_| random(40)).collect();
            bytes.extend(lengths.iter().map(|length| *length as u8));
            // Small values make more of the streams valid.
            let width = 1 << random(9);
            bytes.extend((0..lengths.iter().sum()).map(|_| random(width) as u8));
            let (mut block, mut code, mut into) = (Block::new(version), Code::new(), Retired::default());
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
        crate::traces::varint::put(&mut bytes, MAX_INSTRUCTIONS + 1);
        bytes.extend([0; 6]);
        assert!(Block::new(2).begin(&bytes).is_none());
    }
}
