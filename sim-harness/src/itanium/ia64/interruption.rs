//! Interruptions, the return from them, and the privilege level.

use super::cpu::Core;
use super::fault::{Fault, FaultKind, Vector};
use super::frame::Frame;
use super::psr;
use super::retired::Place;

const IVA: usize = 2;
const IPSR: usize = 16;
const ISR: usize = 17;
const IIP: usize = 19;
const IFA: usize = 20;
const IIPA: usize = 22;
const IFS: usize = 23;
const IIM: usize = 24;
const IVR: usize = 65;
const LID: u8 = 64;
const TPR: u8 = 66;
const EOI: u8 = 67;
const PMV: u8 = 73;
/// IFS.v: a frame was saved.
const VALID: u64 = 1 << 63;

impl Core {
    /// Enters the handler of a fault and returns its vector, or does nothing and returns `None` if it has none
    /// ([`FaultKind::vector`]).
    ///
    /// # Panics
    /// A request has no answer.
    pub fn deliver(&mut self, fault: &Fault) -> Option<Vector> {
        let vector = fault.kind.vector()?;
        let collects = self.psr & psr::IC != 0;
        self.enter(vector, fault.kind.isr_code());
        if collects {
            match fault.kind {
                FaultKind::Break { immediate } => self.registers.control[IIM] = immediate,
                FaultKind::Unaligned { addr, .. } => self.registers.control[IFA] = addr,
                _ => {}
            }
        }
        Some(vector)
    }

    /// Returns whether an external interrupt can be delivered: PSR.i is 1. The vector's priority (cr.tpr) is the caller's.
    #[must_use]
    pub fn accepts_interrupts(&self) -> bool {
        self.psr & psr::I != 0
    }

    /// Enters the handler of external interrupts, which reads `number` from cr.ivr. PSR.i is not looked at.
    ///
    /// # Panics
    /// A request has no answer.
    pub fn interrupt(&mut self, number: u8) {
        self.enter(Vector::ExternalInterrupt, 0);
        self.registers.control[IVR] = number.into();
    }

    /// Returns a control register as the core has it; 0 for DCR, which the monitoring unit has. Register 73 is PMV, the
    /// vector of the performance monitor interrupt.
    #[must_use]
    pub fn control(&self, number: u8) -> u64 {
        self.registers.control[usize::from(number & 0x7f)]
    }

    /// Returns the fault of an access to a control register other than DCR at level 0, if it would be one.
    pub(super) fn check_control(&self, number: u8, write: bool) -> Result<(), FaultKind> {
        let collects = self.psr & psr::IC != 0;
        match number {
            // IPSR to IHA belong to the last interruption, and are not accessed while another one can change them.
            16 | 17 | 19..=25 if collects => {
                Err(FaultKind::IllegalOperation("an interruption register with PSR.ic = 1"))
            }
            2 | 16 | 17 | 19..=25 | LID | TPR | EOI | PMV => Ok(()),
            65 if !write => Ok(()),
            65 => Err(FaultKind::IllegalOperation("a write of cr.ivr")),
            _ => Err(FaultKind::Lacking("this control register")),
        }
    }

    fn enter(&mut self, vector: Vector, code: u64) {
        assert!(self.pending.is_none(), "an interruption between a request and its answer");
        let ri = self.restart_number(self.place);
        if self.psr & psr::IC != 0 {
            let ipsr = self.psr() | u64::from(ri) << psr::RI;
            self.registers.control[IPSR] = ipsr;
            self.registers.control[IIP] = self.place.ip;
            self.registers.control[IIPA] = self.last;
            self.registers.control[IFS] = 0;
        }
        self.registers.control[ISR] = code | u64::from(ri) << psr::RI;
        self.select_bank(false);
        self.psr &= psr::KEPT;
        self.cpl = 0;
        self.place = Place { ip: (self.registers.control[IVA] & !0x7fff).wrapping_add(vector.offset()), slot: 0 };
    }

    /// Returns PSR.ri of a place. The long instruction in slots 1 and 2 has number 1.
    fn restart_number(&self, place: Place) -> u8 {
        if self.is_long(place.ip) && place.slot == 2 { 1 } else { place.slot }
    }

    fn is_long(&self, ip: u64) -> bool {
        self.image.bundle(ip).is_ok_and(|bundle| bundle.next_slot(0) == Some(2))
    }

    pub(super) fn ipsr(&self) -> u64 {
        self.registers.control[IPSR]
    }

    /// Returns the place that rfi returns to. Number 2 in a bundle with a long instruction does not exist: the result is
    /// slot 1, whose execution faults.
    pub(super) fn interrupted(&self) -> Place {
        let ip = self.registers.control[IIP] & !0xf;
        let ri = (self.ipsr() >> psr::RI & 3) as u8;
        let slot = if ri > 0 && self.is_long(ip) { 3 - ri } else { ri.min(2) };
        Place { ip, slot }
    }

    /// Restores what an interruption saved, but for the place.
    pub(super) fn return_from_interruption(&mut self) -> Result<(), FaultKind> {
        let ifs = self.registers.control[IFS];
        if ifs & VALID != 0 {
            let frame = Frame::from_bits(ifs);
            self.registers.pop_frame(frame.sof, frame)?;
        }
        let ipsr = self.ipsr();
        self.cpl = (ipsr >> psr::CPL & 3) as u8;
        self.select_bank(ipsr & psr::BN != 0);
        self.psr = ipsr & !(psr::MONITOR | 3 << psr::CPL | 3 << psr::RI);
        Ok(())
    }

    /// Begins an empty frame behind the current one. While interruptions are not collected, the old one is kept in IFS.
    pub(super) fn cover(&mut self) {
        let frame = self.registers.frame();
        self.registers.push_frame(frame.sof, Frame::default());
        if self.psr & psr::IC == 0 {
            self.registers.control[IFS] = frame.bits() | VALID;
        }
    }

    /// Executes epc. Every page may promote, as there are no pages.
    pub(super) fn enter_privileged(&mut self) -> Result<(), FaultKind> {
        if ((self.registers.pfs >> 62) as u8) < self.cpl {
            return Err(FaultKind::IllegalOperation("epc with ar.pfs.ppl below the level"));
        }
        self.cpl = 0;
        Ok(())
    }

    pub(super) fn select_bank(&mut self, upper: bool) {
        if (self.psr & psr::BN != 0) != upper {
            self.registers.exchange_banks();
            self.psr ^= psr::BN;
        }
    }
}
