//! Save and restore: "Processor State for context switch, SVM, and SMM". The layout of the words is the book's.

use super::env::SLACK;
use super::env::{EVENTS, Env};
use super::state::{Counter, Crossing, Deferred, Phase, State};

const COUNTER: u64 = 0x03FF_FFFF;

impl State {
    /// Checks a word that is saved. Where the text leaves a value open, the saved one is adopted.
    pub(super) fn save(&self, env: &Env, word: u8, value: u64) -> Result<Vec<Self>, String> {
        let at = usize::from(word);
        let expected = match (at, &self.phase) {
            (0, _) => self.lwpcb,
            (1..=6, Phase::Deferred(Deferred { restored: Some(words), .. })) => words[at],
            (1..=6, Phase::Active) => return self.save_active(env, at, value),
            (8, _) => {
                let shown = u64::from(env.msr0) | u64::from(env.irq) << 32;
                return matches(value & !(0xFF << 40), shown, word).map(|()| vec![self.clone()]);
            }
            (9, _) => return self.save_lfsr(value),
            _ => 0,
        };
        matches(value, expected, word).map(|()| vec![self.clone()])
    }

    fn save_active(&self, env: &Env, at: usize, value: u64) -> Result<Vec<Self>, String> {
        let mut state = self.clone();
        let moving = env.ring3 && !self.queue.is_empty();
        match at {
            1 => {
                // A store in progress may have moved the head already.
                let pending = if self.queue.is_empty() { 0 } else { 1 << 33 };
                let shown = u64::from(self.head) | 1 << 32 | u64::from(self.owed) << 48;
                if !moving {
                    matches(value & !pending, shown, 1)?;
                }
            }
            2 | 3 => {
                let events: &[(usize, u32)] = if at == 2 { &[(0, 0), (1, 32)] } else { &[(2, 0)] };
                let known = events.iter().fold(0, |mask, (_, shift)| mask | COUNTER << shift);
                let others: u64 = if at == 3 { 0x3F << 32 } else { 0 };
                matches(value & !known & !others, 0, at as u8)?;
                for (event, shift) in events {
                    state.counter_saved(*event, (value >> shift & COUNTER) as u32)?;
                }
            }
            _ => {
                let record = self.queue.first();
                let open = record.map_or(0, |record| if at == 4 { record.open } else { 0 });
                let core = if at == 4 { 0xFF00 } else { 0 };
                let expected = record.map_or(0, |record| record.words[at - 4] & !core);
                matches(value & !open, expected & !open, at as u8)?;
            }
        }
        Ok(vec![state])
    }

    /// Checks the LFSR and the zeros above it; after the state was lost, the saved value is adopted.
    fn save_lfsr(&self, value: u64) -> Result<Vec<Self>, String> {
        let expected = self.lfsr.map_or(value & 0xFFFF_FFFF, u64::from);
        matches(value, expected, 9)?;
        Ok(vec![Self { lfsr: Some(value as u32), ..self.clone() }])
    }

    fn counter_saved(&mut self, event: usize, value: u32) -> Result<(), String> {
        let held = self.counters[event];
        if self.session.flags >> (event + 1) & 1 == 0 {
            return matches(value.into(), 0, 2);
        }
        if !held.may_be(value) {
            return Err(format!("the counter of event {} is saved as {value}, expected {held:?}", event + 1));
        }
        self.counters[event] = held.seen(value);
        Ok(())
    }

    /// Returns the states after a word is restored.
    pub(super) fn restore(&self, env: &Env, word: u8, value: u64) -> Result<Vec<Self>, String> {
        let mut state = self.clone();
        let at = usize::from(word);
        if at == 7 || at < 7 && self.phase != Phase::Off {
            state.stop();
            state.staged = Some([0; 7]);
        }
        match at {
            0 => state.restore_pointer(env, value),
            1..=6 => {
                if let Some(words) = &mut state.staged {
                    words[at] = kept(env, at, value);
                }
            }
            8 => {
                // The word holds a pending request and a delayed one.
                for (there, noticed) in [(value >> 32 & 1 == 1, env.irq), (value >> 40 & 0xFF != 0, true)] {
                    if there {
                        let (at, due) = (env.now, env.now + 256 + SLACK);
                        state.crossings.push(Crossing { at, from: at, due, restored: true, noticed });
                    }
                }
                if value & env.writable() & 1 == 0 {
                    state.stop();
                }
            }
            9 => state.lfsr = Some(value as u32),
            _ => {}
        }
        Ok(vec![state])
    }

    fn restore_pointer(&mut self, env: &Env, value: u64) {
        let staged = self.staged.take();
        let pointer = if env.msr0 & 1 == 1 { value & !15 } else { 0 };
        self.lwpcb = pointer;
        let restored = staged.filter(|words| words[1] >> 32 & 1 == 1);
        if staged.is_none() && pointer != 0 {
            self.lost = Some("a pointer is restored without word 7 before it");
        }
        if pointer == 0 {
            self.stop();
        } else {
            let restored = restored.map(|words| shown(env, words));
            self.phase = Phase::Deferred(Deferred { restored, ..Deferred::default() });
        }
    }

    /// Returns the states after LWPMSR0 has been written, or its events have changed in another way.
    pub(super) fn enabled(mut self, env: &Env, before: u32) -> Vec<Self> {
        if env.msr0 & 1 == 0 {
            self.stop();
            return vec![self];
        }
        let gone = |event: usize| (before & !env.msr0) >> (event + 1) & 1 == 1;
        if !(0..EVENTS).any(|event| gone(event) && self.counters[event] == Counter::Recorded) {
            return vec![self];
        }
        // The record of an event that is now disabled may be dropped or not.
        let kept = self.clone();
        self.drop_records(0);
        vec![kept, self]
    }
}

/// Returns the bits of a word that a unit with these straps keeps.
fn kept(env: &Env, at: usize, value: u64) -> u64 {
    match at {
        1 => value & 0xFFFF_0003_0FFF_FFE0,
        2 => value & (COUNTER | COUNTER << 32),
        3 => value & (COUNTER | 0x3F << 32),
        _ if !env.straps.keeps_record() => 0,
        4 if value & 0xFC != 0 || value & 3 == 0 => 0,
        4 => value & (0xF000_0003 | ((1 << env.bits) - 1) << 32),
        _ => value,
    }
}

/// Returns the words as a save shows them: without a record, its words are zero.
fn shown(_env: &Env, mut words: [u64; 7]) -> [u64; 7] {
    if words[4] & 3 == 0 {
        (words[4], words[5], words[6]) = (0, 0, 0);
        words[1] &= !(1 << 33);
    }
    if words[3] >> 36 & 3 == 3 {
        words[3] &= !(3 << 36);
    }
    words
}

fn matches(value: u64, expected: u64, word: u8) -> Result<(), String> {
    if value == expected {
        return Ok(());
    }
    Err(format!("context word {word} is {value:#018x}, expected {expected:#018x}"))
}
