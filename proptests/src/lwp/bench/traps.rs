//! The core's waiting, changes of mode, and handling of traps and interrupts.

use super::player::Player;
use lwp_model::lwp::{Control, Inputs, Mode};

/// The number of cycles that a polite core waits for the unit before the property fails.
pub(super) const PATIENCE: usize = 20_000;

impl<const W: usize, const S: usize, const LAT: u32> Player<W, S, LAT> {
    /// Changes the mode. A polite core waits before it leaves ring 3 if `drain` is asserted, and for the cycle that the
    /// change takes.
    pub(super) fn enter(&mut self, mode: Mode) {
        if self.polite && self.mode.ring3() && !mode.ring3() {
            let mut patience = PATIENCE;
            while self.out().drain {
                self.idle(1);
                patience -= 1;
                assert!(patience > 0, "the unit drains for ever");
            }
        }
        self.mode = mode;
        if self.polite {
            self.idle(1);
        }
    }

    pub(super) fn excursion(&mut self, before: u8, mode: Mode, away: u8) {
        let home = self.mode;
        self.idle(before.into());
        self.enter(mode);
        self.idle(away.into());
        self.enter(home);
    }

    /// Issues an operation of the control port, and waits for its end if the core is polite. Returns the result.
    pub(super) fn request(&mut self, ctl: Control) -> u64 {
        if self.polite {
            self.wait_for_stall();
        }
        self.cycle(Inputs { ctl, ..Inputs::default() }, true);
        if self.polite {
            self.wait_for_answer();
        }
        self.out().rsp_rdata
    }

    fn wait_for_answer(&mut self) {
        for _ in 0..PATIENCE {
            let out = self.out();
            if out.rsp_valid {
                self.idle(1);
                return;
            }
            self.idle(1);
        }
        panic!("the unit never answers");
    }

    /// Takes traps and interrupts at once, as a polite core does: it enters the kernel, which returns the pages, and
    /// comes back.
    pub(super) fn take_traps(&mut self) {
        let out = self.out();
        if out.pf_valid || out.irq {
            let mode = self.mode;
            self.enter(Mode { cpl: 0, ..mode });
            let out = self.out();
            self.cycle(Inputs { pf_ack: out.pf_valid, irq_ack: out.irq, ..Inputs::default() }, true);
            self.memory.page_in();
            self.enter(mode);
        }
    }

    /// Waits until an instruction may retire. A page fault is taken also while the unit stalls.
    pub(super) fn wait_for_stall(&mut self) {
        for _ in 0..PATIENCE {
            let out = self.out();
            if !out.stall {
                return;
            }
            if out.pf_valid {
                self.take_traps();
            } else {
                self.idle(1);
            }
        }
        panic!("the unit stalls for ever");
    }
}
