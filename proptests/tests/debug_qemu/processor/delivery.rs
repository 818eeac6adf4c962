//! Delivery of exceptions and interrupts, and their handlers.

use super::super::differences::Difference;
use super::super::list::{At, CODE, END, Frame, INTERRUPT, Line, MOST_LINES};
use super::{Processor, Raised};
use lwp_regs::debug::{Dr6, Dr7, Eflags};

impl Processor<'_> {
    /// Delivers #DB.
    pub(super) fn debug(&mut self, at: At, raised: Raised) {
        let own = matches!(at, At::Code(_));
        let interrupts = own && self.state.interrupts;
        self.enter();
        let bits = Dr6::from_bits(self.dr6);
        let bits = bits.with_bs(bits.bs() || raised.bs).with_bd(bits.bd() || raised.bd);
        self.dr6 = bits.into_bits() & !0xF | u64::from(raised.hits);
        if !self.differs(Difference::GeneralDetect) {
            self.dr7 = self.control().with_gd(false).into_bits();
        }
        if raised.late != 0 {
            self.late(interrupts);
        }
        self.nested(interrupts);
        let (dr6, dr7) = (self.dr6, self.dr7);
        let tf = own && self.state.tf;
        if !self.keep(Line::Debug { at, rf: raised.rf, tf, dr6, dr7 }) {
            return;
        }
        let flags = Eflags::from_bits(0).with_rf(raised.rf).with_tf(tf);
        let ip = if let At::Code(offset) = at { CODE + offset } else { 0 };
        let mut frame = Frame { ip, flags };
        self.handle(&mut frame, dr6, dr7);
        self.rf = frame.flags.rf();
        if own {
            self.back(frame);
        }
    }

    /// The handler of #DB.
    fn handle(&mut self, frame: &mut Frame, dr6: u64, dr7: u64) {
        let writes = self.handler.debug(self.scenario, frame, Dr6::from_bits(dr6), Dr7::from_bits(dr7));
        for (number, value) in [(6, writes.dr6), (7, writes.dr7)] {
            if let Some(value) = value {
                self.write(number, value);
            }
        }
    }

    /// The exception of data that QEMU raises before the first instruction of the handler.
    fn late(&mut self, interrupts: bool) {
        self.dr6 = self.dr6 & !0xF | u64::from(self.watchpoints.marked());
        self.nested(interrupts);
        let (dr6, dr7) = (self.dr6, self.dr7);
        if self.keep(Line::Debug { at: At::Entry(1), rf: false, tf: false, dr6, dr7 }) {
            self.handle(&mut Frame { ip: 0, flags: Eflags::from_bits(0) }, dr6, dr7);
        }
    }

    /// The external interrupt before the first instruction of the handler of #DB, if it has a trap gate.
    fn nested(&mut self, interrupts: bool) {
        if self.interrupt && interrupts && self.scenario.trap_gate {
            self.interrupt = false;
            self.keep(Line::Other { vector: INTERRUPT, at: At::Entry(1), rf: false, tf: false });
        }
    }

    /// Something is delivered.
    pub(super) fn enter(&mut self) {
        self.state = self.state.interrupted();
        (self.rf, self.late_rf, self.shadow, self.held) = (false, false, false, 0);
    }

    pub(super) fn fault(&mut self, vector: u8) {
        let rf = if self.differs(Difference::FaultRf) { self.pushed_rf() } else { true };
        self.other(vector, rf);
    }

    /// RF when something is pushed before an instruction is complete.
    fn pushed_rf(&self) -> bool {
        if self.differs(Difference::LateRf) { self.late_rf } else { self.rf }
    }

    /// The handler of a software interrupt.
    pub(super) fn software(&mut self, vector: u8, rf: bool) {
        self.state.entered = None;
        if vector != END {
            self.other(vector, rf);
            return;
        }
        if self.control().gd() && !self.differs(Difference::GeneralDetect) {
            self.debug(At::Kernel, Raised { bd: true, rf: true, ..Raised::default() });
        }
        if !self.has_ended() {
            self.lines.push(Line::End { dr6: self.dr6, dr7: self.dr7 });
        }
    }

    /// Delivers another vector than that of #DB.
    pub(super) fn other(&mut self, vector: u8, rf: bool) {
        let (at, tf) = (At::Code(self.ip() - CODE), self.state.tf);
        self.enter();
        if !self.keep(Line::Other { vector, at, rf, tf }) {
            return;
        }
        let flags = Eflags::from_bits(0).with_rf(rf).with_tf(tf);
        let mut frame = Frame { ip: self.ip(), flags };
        if self.handler.other(self.scenario, &mut frame, vector).is_some() {
            self.state.spoiled = false;
        }
        self.back(frame);
    }

    /// A handler returns to the program.
    fn back(&mut self, frame: Frame) {
        (self.rf, self.late_rf) = (frame.flags.rf(), frame.flags.rf());
        self.state.tf = frame.flags.tf();
        let index = self.scenario.at(frame.ip).expect("an instruction of the program");
        if index != self.state.index {
            (self.state.index, self.state.begun) = (index, false);
        }
        self.block = frame.ip;
    }

    /// Keeps a line, if there is room.
    pub(super) fn keep(&mut self, line: Line) -> bool {
        if self.has_ended() {
            return false;
        }
        let free = self.lines.len() < MOST_LINES;
        self.lines.push(if free { line } else { Line::Limit });
        free
    }
}
