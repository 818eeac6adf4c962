//! Instructions of the system, and requests to the monitoring unit.

use super::cpu::{Core, Effect, Instruction};
use super::fault::{Fault, FaultKind};
use super::frame::Frame;
use super::psr::{self, MonitorBits};
use super::retired::{File, Place, Request};
use super::system::{MaskChange, System};

/// The number of DCR among the control registers.
const DCR: u8 = 0;

/// The answer of the monitoring unit to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Done. For mov r = file\[index\], what the register reads.
    Done(u64),
    /// Privileged Operation fault.
    PrivilegedOperation,
    /// Reserved Register/Field fault.
    ReservedRegister,
}

/// What an instruction does when its request is granted.
#[derive(Clone, Copy, Debug)]
enum Commit {
    /// Writes the answer to a general register.
    Register(u8),
    /// Replaces these bits of the PSR, of which the monitoring unit has some.
    Psr { mask: u64, value: u64 },
    /// Nothing: the register is in the unit.
    Nothing,
    /// Returns from an interruption.
    Rfi,
}

/// An instruction whose request has no answer yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    commit: Commit,
    next: Place,
    /// The fault without its reason.
    fault: Fault,
}

impl Core {
    /// Tells the core the bits of the PSR that the monitoring unit has. They change with requests and interruptions; the
    /// core needs them for moves from the PSR and to save them in an interruption.
    pub fn set_monitor_bits(&mut self, bits: MonitorBits) {
        self.monitor = bits;
    }

    /// Answers the request of the instruction that [`step`](Self::step) returned last, and completes the instruction.
    ///
    /// # Errors
    /// The answer is a fault: the core is in front of the instruction, which does not retire.
    ///
    /// # Panics
    /// There is no request.
    pub fn answer(&mut self, answer: Answer) -> Result<(), Fault> {
        let pending = self.pending.take().expect("there is a request to answer");
        let fault = |kind| Fault { kind, ..pending.fault };
        let value = match answer {
            Answer::Done(value) => value,
            Answer::PrivilegedOperation => return Err(fault(FaultKind::PrivilegedOperation)),
            Answer::ReservedRegister => return Err(fault(FaultKind::ReservedRegister)),
        };
        match pending.commit {
            Commit::Register(target) => self.registers.set_general(target, value).map_err(fault)?,
            Commit::Psr { mask, value } => self.psr = (self.psr & !mask | value & mask) & !psr::MONITOR,
            Commit::Nothing => {}
            Commit::Rfi => self.return_from_interruption().map_err(fault)?,
        }
        self.last = self.place.ip;
        self.place = pending.next;
        Ok(())
    }

    /// Returns the PSR with all of its bits.
    #[must_use]
    pub fn psr(&self) -> u64 {
        self.psr | self.monitor.bits() | u64::from(self.cpl) << psr::CPL
    }

    pub(super) fn perform_system(&mut self, system: System, at: &Instruction) -> Result<Effect, FaultKind> {
        match system {
            System::Break { immediate } => return Err(FaultKind::Break { immediate }),
            System::Nothing => {}
            System::FromFile { target, file, index } => {
                self.registers.check_general(target)?;
                let index = self.registers.general(index) as u8;
                return Ok(self.ask(Request::Read { file, index }, Commit::Register(target), at));
            }
            System::ToFile { source, file, index } => {
                let (index, value) = (self.registers.general(index) as u8, self.registers.general(source));
                return Ok(self.ask(Request::Write { file, index, value }, Commit::Nothing, at));
            }
            System::FromControl { target, number: DCR } => {
                self.registers.check_general(target)?;
                return Ok(self.ask(Request::Read { file: File::Cr, index: DCR }, Commit::Register(target), at));
            }
            System::ToControl { source, number: DCR } => {
                let value = self.registers.general(source);
                return Ok(self.ask(Request::Write { file: File::Cr, index: DCR, value }, Commit::Nothing, at));
            }
            System::Mask { change, mask } => return Ok(self.change_mask(change, mask, at)),
            System::ToUserMask { source } => {
                let value = self.registers.general(source);
                return Ok(self.ask(Request::MoveUm(value), Commit::Psr { mask: psr::USER_MASK, value }, at));
            }
            System::ToLowPsr { source } => {
                let value = self.registers.general(source);
                return Ok(self.ask(Request::MoveL(value), Commit::Psr { mask: psr::LOW, value }, at));
            }
            System::Rfi => {
                let effect = self.ask(Request::Rfi(self.ipsr()), Commit::Rfi, at);
                return Ok(Effect { target: Some(self.interrupted()), ..effect });
            }
            System::FromUserMask { target } => self.registers.set_general(target, self.psr() & psr::USER_MASK)?,
            other => self.perform_alone(other)?,
        }
        Ok(Effect::default())
    }

    /// Executes what needs no answer.
    fn perform_alone(&mut self, system: System) -> Result<(), FaultKind> {
        match system {
            System::Alloc { target, sof, sol, sor } => self.allocate(target, (sof, sol, sor)),
            System::ClearBases { predicates_alone } => {
                let mut frame = Frame { rrb_predicate: 0, ..self.registers.frame() };
                if !predicates_alone {
                    frame = Frame { rrb_general: 0, rrb_float: 0, ..frame };
                }
                self.registers.set_frame(frame);
                Ok(())
            }
            System::Cover => {
                self.cover();
                Ok(())
            }
            System::Epc => self.enter_privileged(),
            _ if self.cpl != 0 => Err(FaultKind::PrivilegedOperation),
            System::FromPsr { target } => self.registers.set_general(target, self.psr() & psr::READABLE),
            System::FromControl { target, number } => {
                self.check_control(number, false)?;
                self.registers.set_general(target, self.registers.control[usize::from(number)])
            }
            System::ToControl { source, number } => {
                self.check_control(number, true)?;
                self.registers.control[usize::from(number)] = self.registers.general(source);
                Ok(())
            }
            System::Bank { upper } => {
                self.select_bank(upper);
                Ok(())
            }
            _ => Err(FaultKind::Unknown),
        }
    }

    fn change_mask(&mut self, change: MaskChange, mask: u64, at: &Instruction) -> Effect {
        let (request, mask, value) = match change {
            MaskChange::Sum => (Request::Sum(mask), mask & psr::USER_MASK, u64::MAX),
            MaskChange::Rum => (Request::Rum(mask), mask & psr::USER_MASK, 0),
            MaskChange::Ssm => (Request::Ssm(mask), mask, u64::MAX),
            MaskChange::Rsm => (Request::Rsm(mask), mask, 0),
        };
        self.ask(request, Commit::Psr { mask, value }, at)
    }

    fn ask(&mut self, request: Request, commit: Commit, at: &Instruction) -> Effect {
        let next = if matches!(commit, Commit::Rfi) { self.interrupted() } else { at.following };
        // The answer replaces the reason.
        self.pending = Some(Pending { commit, next, fault: at.fault(FaultKind::PrivilegedOperation) });
        Effect { request: Some(request), ..Effect::default() }
    }

    fn allocate(&mut self, target: u8, (sof, sol, sor): (u8, u8, u8)) -> Result<(), FaultKind> {
        let old = self.registers.frame();
        let rotated = old.rrb_general != 0 || old.rrb_float != 0 || old.rrb_predicate != 0;
        if sor != old.sor && rotated {
            return Err(FaultKind::ReservedRegister);
        }
        let new = Frame { sof, sol, sor, ..old };
        if !new.is_legal() {
            return Err(FaultKind::IllegalOperation("alloc of a frame that does not exist"));
        }
        if target == 0 || target >= 32 && new.general(target).is_none() {
            return Err(FaultKind::IllegalOperation("alloc into a register that cannot be written"));
        }
        self.registers.set_frame(new);
        self.registers.set_general(target, self.registers.pfs)
    }
}
