//! The registers of the application and of the system.

use super::fault::FaultKind;
use super::float_format::Float;
use super::frame::Frame;

/// All registers but the instruction pointer and the PSR. NaT bits do not exist.
#[derive(Clone, Debug)]
pub(super) struct Registers {
    /// r0 to r31; r16 to r31 are those of the bank in use.
    fixed: [u64; 32],
    other_bank: [u64; 16],
    /// The register stack, without a bound: nothing is spilled to memory.
    stacked: Vec<u64>,
    /// Where r32 is in the stack.
    base: usize,
    frame: Frame,
    float: [Float; 128],
    predicates: u64,
    pub(super) branch: [u64; 8],
    /// ar.k0 to ar.k7.
    pub(super) kernel: [u64; 8],
    pub(super) rsc: u64,
    pub(super) ccv: u64,
    pub(super) unat: u64,
    pub(super) fpsr: u64,
    pub(super) pfs: u64,
    pub(super) lc: u64,
    /// The epilogue count, 6 bits.
    pub(super) ec: u8,
    pub(super) control: [u64; 128],
}

impl Registers {
    pub(super) fn new() -> Self {
        let mut float = [Float::ZERO; 128];
        float[1] = Float::ONE;
        Self {
            fixed: [0; 32],
            other_bank: [0; 16],
            stacked: Vec::new(),
            base: 0,
            frame: Frame::default(),
            float,
            predicates: 1,
            branch: [0; 8],
            kernel: [0; 8],
            rsc: 0,
            ccv: 0,
            unat: 0,
            // The initial value that Linux uses: double-extended precision, round to nearest, traps disabled.
            fpsr: 0x0009_804c_0270_033f,
            pfs: 0,
            lc: 0,
            ec: 0,
            control: [0; 128],
        }
    }

    /// Returns a general register; 0 for one outside the frame.
    pub(super) fn general(&self, number: u8) -> u64 {
        match number {
            0..32 => self.fixed[usize::from(number)],
            _ => self.frame.general(number).map_or(0, |index| self.stacked[self.base + index]),
        }
    }

    pub(super) fn set_general(&mut self, number: u8, value: u64) -> Result<(), FaultKind> {
        self.check_general(number)?;
        match self.frame.general(number) {
            Some(index) => self.stacked[self.base + index] = value,
            None => self.fixed[usize::from(number)] = value,
        }
        Ok(())
    }

    /// Returns the fault of a write to a general register, if it would be one.
    pub(super) fn check_general(&self, number: u8) -> Result<(), FaultKind> {
        match number {
            0 => Err(FaultKind::IllegalOperation("r0 as a target")),
            1..32 => Ok(()),
            _ if self.frame.general(number).is_some() => Ok(()),
            _ => Err(FaultKind::IllegalOperation("a target outside the register frame")),
        }
    }

    /// Returns the fault of a write to a floating-point register, if it would be one.
    pub(super) fn check_float(&self, number: u8) -> Result<(), FaultKind> {
        if number < 2 { Err(FaultKind::IllegalOperation("f0 or f1 as a target")) } else { Ok(()) }
    }

    pub(super) fn float(&self, number: u8) -> Float {
        self.float[self.frame.float(number)]
    }

    pub(super) fn set_float(&mut self, number: u8, value: Float) -> Result<(), FaultKind> {
        self.check_float(number)?;
        self.float[self.frame.float(number)] = value;
        Ok(())
    }

    pub(super) fn predicate(&self, number: u8) -> bool {
        self.predicates >> self.frame.predicate(number) & 1 == 1
    }

    /// Writes a predicate register; a write of p0 has no effect.
    pub(super) fn set_predicate(&mut self, number: u8, value: bool) {
        let bit = 1 << self.frame.predicate(number) & !1;
        self.predicates = if value { self.predicates | bit } else { self.predicates & !bit };
    }

    /// Returns all predicates as if none rotated.
    pub(super) fn predicates(&self) -> u64 {
        self.predicates
    }

    /// Writes the predicates of `mask` as if none rotated.
    pub(super) fn set_predicates(&mut self, value: u64, mask: u64) {
        self.predicates = self.predicates & !mask | value & mask | 1;
    }

    pub(super) fn frame(&self) -> Frame {
        self.frame
    }

    /// Replaces the frame marker, with the frame at the same place.
    pub(super) fn set_frame(&mut self, frame: Frame) {
        self.frame = frame;
        let needed = self.base + usize::from(frame.sof);
        if self.stacked.len() < needed {
            self.stacked.resize(needed, 0);
        }
    }

    /// Renames the rotating registers by one, with `value` in p16 afterwards.
    pub(super) fn rotate(&mut self, value: bool) {
        self.set_predicate(63, value);
        self.frame.rotate();
    }

    /// Begins a frame behind the first `skipped` registers of this one.
    pub(super) fn push_frame(&mut self, skipped: u8, frame: Frame) {
        self.base += usize::from(skipped);
        self.set_frame(frame);
    }

    /// Returns to a frame whose first `skipped` registers are in front of this one.
    pub(super) fn pop_frame(&mut self, skipped: u8, frame: Frame) -> Result<(), FaultKind> {
        if !frame.is_legal() {
            return Err(FaultKind::IllegalOperation("a return to a frame that does not exist"));
        }
        let below = FaultKind::Lacking("registers in front of the first frame, which a backing store would hold");
        self.base = self.base.checked_sub(skipped.into()).ok_or(below)?;
        self.set_frame(frame);
        Ok(())
    }

    /// Exchanges the two banks of r16 to r31.
    pub(super) fn exchange_banks(&mut self) {
        self.fixed[16..].swap_with_slice(&mut self.other_bank);
    }
}
