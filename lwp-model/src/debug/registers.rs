//! Stage registers: DR0 to DR3, DR6, DR7 and the copies of SMM.

use super::request::Write;
use super::state::{Control, Registers, SmmCopies};
use lwp_regs::debug::Dr7;

impl Registers {
    /// A task switch: breakpoints for the old task alone go off.
    #[inline]
    pub(super) fn switch_task(&mut self) {
        self.dr7 = Dr7::from(self.dr7).after_task_switch().into();
    }

    /// SMI: keeps DR6, DR7 and RF, and switches everything off.
    #[inline]
    pub(super) fn enter_smm(&mut self, rf: bool) {
        self.smm = SmmCopies { dr6: self.dr6, dr7: self.dr7, rf };
        self.dr7 = Control::default();
    }

    /// RSM: restores DR6 and DR7.
    #[inline]
    pub(super) fn leave_smm(&mut self) {
        (self.dr6, self.dr7) = (self.smm.dr6, self.smm.dr7);
    }

    /// A MOV to DR.
    #[inline]
    pub(super) fn write(&mut self, write: Write) {
        match write {
            Write::Address(number, address) => self.address[number] = address,
            Write::Status(dr6) => self.dr6 = dr6.into(),
            Write::Control(dr7) => self.dr7 = dr7.into(),
        }
    }
}
