//! A monitoring unit that answers requests: the registers of the PSR and files that keep what is written.

use std::collections::HashMap;

use super::super::{Answer, Core, File, MonitorBits, Request, Retired};

/// The registers behind the requests.
#[derive(Debug, Default)]
pub(super) struct Monitor {
    pub(super) bits: MonitorBits,
    pub(super) dcr_pp: bool,
    files: HashMap<(File, u8), u64>,
}

const UP: u64 = 1 << 2;
const SP: u64 = 1 << 20;
const PP: u64 = 1 << 21;

impl Monitor {
    /// Answers the request of an instruction, if it has one, and returns whether the instruction retires.
    pub(super) fn serve(&mut self, core: &mut Core, retired: &Retired) -> bool {
        let Some(request) = retired.request else { return true };
        let answer = self.answer(core.cpl(), request);
        core.set_monitor_bits(self.bits);
        match core.answer(answer) {
            Ok(()) => true,
            Err(fault) => {
                self.interrupted(core);
                assert!(core.deliver(&fault).is_some());
                false
            }
        }
    }

    /// Copies DCR.pp into PSR.pp behind an interruption.
    pub(super) fn interrupted(&mut self, core: &mut Core) {
        self.bits.pp = self.dcr_pp;
        core.set_monitor_bits(self.bits);
    }

    fn answer(&mut self, cpl: u8, request: Request) -> Answer {
        let open = matches!(
            request,
            Request::Sum(_) | Request::Rum(_) | Request::MoveUm(_) | Request::Read { file: File::Pmd, .. }
        );
        if cpl != 0 && !open {
            return Answer::PrivilegedOperation;
        }
        let free = !self.bits.sp;
        match request {
            Request::Read { file: File::Ibr | File::Dbr, index: 8.. }
            | Request::Write { file: File::Ibr | File::Dbr, index: 8.., .. } => return Answer::ReservedRegister,
            Request::Read { file, index } => {
                return Answer::Done(self.files.get(&(file, index)).copied().unwrap_or(0));
            }
            Request::Write { file, index, value } => {
                self.dcr_pp = if file == File::Cr { value & 1 == 1 } else { self.dcr_pp };
                self.files.insert((file, index), value);
            }
            Request::Sum(mask) => self.bits.up |= free && mask & UP != 0,
            Request::Rum(mask) => self.bits.up &= !free || mask & UP == 0,
            Request::MoveUm(value) => self.bits.up = if free { value & UP != 0 } else { self.bits.up },
            Request::Ssm(mask) => self.replace(self.all() | mask),
            Request::Rsm(mask) => self.replace(self.all() & !mask),
            Request::MoveL(value) | Request::Rfi(value) => self.replace(value),
        }
        Answer::Done(0)
    }

    fn all(&self) -> u64 {
        let bit = |value: bool, mask: u64| if value { mask } else { 0 };
        bit(self.bits.up, UP) | bit(self.bits.sp, SP) | bit(self.bits.pp, PP)
    }

    fn replace(&mut self, value: u64) {
        self.bits = MonitorBits { up: value & UP != 0, sp: value & SP != 0, pp: value & PP != 0 };
    }
}
