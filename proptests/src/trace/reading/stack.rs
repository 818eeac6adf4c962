//! The LBR stack, as far as reads have to show it.

use super::bits::{Bits, ones};
use super::event::Entry;

/// Part of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Part {
    /// MSR_LASTBRANCH_x_FROM_IP.
    From,
    /// MSR_LASTBRANCH_x_TO_IP.
    To,
    /// MSR_LBR_INFO_x.
    Info,
}

/// Numbers of core clocks: in the cycles before an update, and with the update's own cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Clocks {
    /// Without the cycle itself.
    pub(super) before: u64,
    /// With the cycle itself.
    pub(super) with: u64,
}

/// A ring of entries. Which of them is entry 0 is not known before software reads it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Stack {
    entries: Vec<Entry>,
    newest: usize,
    /// Number of the ring's entry 0, once it is known.
    first: Option<usize>,
    updated: Option<Clocks>,
}

impl Stack {
    /// Returns a stack with any contents.
    pub(super) fn new(depth: usize) -> Self {
        Self { entries: vec![Entry::ANY; depth], newest: 0, first: None, updated: None }
    }

    /// Records an entry. Rows: LBR-07, LBR-08, LBR-24.
    pub(super) fn push(&mut self, entry: Entry, now: Clocks) {
        self.newest = (self.newest + 1) % self.entries.len();
        let cycles = self.updated.map(|last| (now.with - last.with, now.before - last.before));
        self.entries[self.newest] = Entry { cycles, ..entry };
        self.updated = Some(now);
    }

    /// Returns the stacks in which the number of each entry is known.
    pub(super) fn numbered(&self) -> Vec<Self> {
        match self.first {
            Some(_) => vec![self.clone()],
            None => (0..self.entries.len()).map(|first| Self { first: Some(first), ..self.clone() }).collect(),
        }
    }

    fn entry(&mut self, number: usize) -> &mut Entry {
        let depth = self.entries.len();
        &mut self.entries[(number + depth - self.first.unwrap_or(0)) % depth]
    }

    /// Returns the entry with this number, if the numbers are known.
    fn numbered_entry(&self, number: usize) -> Option<&Entry> {
        let depth = self.entries.len();
        self.entries.get((number + depth - self.first?) % depth)
    }

    /// Returns the number of the newest entry, if it is known.
    pub(super) fn top(&self) -> Option<usize> {
        Some((self.newest + self.first?) % self.entries.len())
    }

    /// Returns an address of an entry, if only one is possible.
    pub(super) fn known(&self, number: usize, part: Part) -> Option<u64> {
        let entry = self.numbered_entry(number)?;
        if part == Part::From { entry.from.known() } else { entry.to.known() }
    }

    /// Whether the elapsed clocks of an entry are known.
    pub(super) fn has_clocks(&self, number: usize) -> bool {
        self.numbered_entry(number).is_some_and(|entry| entry.cycles.is_some())
    }

    /// Whether a part of an entry may be read as `value`; if so it has this value from now on.
    pub(super) fn read(&mut self, number: usize, part: Part, value: u64) -> bool {
        let entry = self.entry(number);
        let field = match part {
            Part::From => &mut entry.from,
            Part::To => &mut entry.to,
            Part::Info => &mut entry.info,
        };
        if !field.allows(value) {
            return false;
        }
        *field = Bits::exact(value);
        if part == Part::Info
            && let Some((one, other)) = entry.cycles.take()
        {
            let low = value & 0xFFFF;
            return [one, other].iter().any(|&count| low == count.min(0xFFFF) || low == count & 0xFFFF);
        }
        true
    }

    /// Returns what a read of a part has to show.
    pub(super) fn expected(&self, number: usize, part: Part) -> String {
        let entry = *self.clone().entry(number);
        match (part, entry.cycles) {
            (Part::From, _) => entry.from.to_string(),
            (Part::To, _) => entry.to.to_string(),
            (Part::Info, None) => entry.info.to_string(),
            (Part::Info, Some((one, other))) => format!("{} and {one} or {other} clocks", entry.info),
        }
    }

    /// Returns what a read of the top of stack has to show.
    pub(super) fn expected_top(&self) -> String {
        self.first.map_or_else(|| "any value".into(), |first| ((self.newest + first) % self.entries.len()).to_string())
    }

    /// Writes a part of an entry, of which the document does not say whether software can write it.
    pub(super) fn write(&mut self, number: usize, part: Part, value: u64) {
        let entry = self.entry(number);
        match part {
            Part::From => entry.from = entry.from.or(writable(value)),
            Part::To => entry.to = entry.to.or(writable(value)),
            Part::Info => (entry.info, entry.cycles) = (Bits::ANY, None),
        }
        self.updated = None;
    }

    /// Whether the top of stack may be read as `value`; if so the number of each entry is known.
    pub(super) fn read_top(&mut self, value: u64) -> bool {
        let depth = self.entries.len();
        let number = usize::try_from(value & ones(depth.trailing_zeros())).unwrap_or(0);
        match self.first {
            Some(first) => (self.newest + first) % depth == number,
            None => {
                self.first = Some((number + depth - self.newest) % depth);
                true
            }
        }
    }

    /// Returns the stacks that a write of the top of stack may leave: it takes effect, or does not.
    pub(super) fn write_top(&self, value: u64) -> Vec<Self> {
        let depth = self.entries.len();
        let mut stacks = Vec::new();
        for mut stack in self.numbered() {
            stack.updated = None;
            stacks.push(stack.clone());
            let number = usize::try_from(value & ones(depth.trailing_zeros())).unwrap_or(0);
            stack.newest = (number + depth - stack.first.unwrap_or(0)) % depth;
            stacks.push(stack);
        }
        stacks
    }
}

/// Returns what a written address may become. The upper bits may be a sign extension, or flags.
fn writable(value: u64) -> Bits {
    Bits::low(value, 32)
}
