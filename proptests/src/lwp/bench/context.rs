//! The system's use of the context: thread switches, and SMM with loss of power.

use super::player::Player;
use lwp_model::lwp::{CONTEXT_WORDS, Control, CtlOp, Mode};

impl<const W: usize, const S: usize, const LAT: u32> Player<W, S, LAT> {
    /// Has the kernel save the context of this thread and restore that of the other one.
    pub(super) fn switch(&mut self) {
        let home = self.mode;
        self.enter(Mode { cpl: 0, smm: false, ..home });
        for word in 0..8 {
            self.contexts[self.thread][usize::from(word)] = self.save(word);
        }
        self.thread = 1 - self.thread;
        for word in (0..8).rev() {
            self.restore(word, self.contexts[self.thread][usize::from(word)]);
        }
        self.enter(home);
    }

    /// Runs system management mode: it saves everything, loses power if `power`, and restores everything.
    pub(super) fn smm(&mut self, power: bool) {
        let home = self.mode;
        self.enter(Mode { cpl: 0, smm: true, ..home });
        let mut area = [0; CONTEXT_WORDS as usize];
        for word in 0..CONTEXT_WORDS {
            area[usize::from(word)] = self.save(word);
        }
        if power {
            self.reset(2);
        }
        for word in [9, 8].into_iter().chain((0..8).rev()) {
            self.restore(word, area[usize::from(word)]);
        }
        self.enter(home);
    }

    /// Reads a context word.
    pub fn save(&mut self, word: u8) -> u64 {
        self.request(Control { valid: true, op: CtlOp::Save, word, ..Control::default() })
    }

    /// Writes a context word.
    pub fn restore(&mut self, word: u8, value: u64) {
        self.request(Control { valid: true, op: CtlOp::Restore, word, wdata: value, ..Control::default() });
    }
}
