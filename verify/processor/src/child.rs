//! A child under ptrace, which executes what its debugger puts before it.

use nix::errno::Errno;
use nix::libc::{self, user_regs_struct};
use nix::sys::ptrace;
use nix::sys::signal::{Signal, kill, raise};
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::{ForkResult, Pid, fork, pause};
use std::mem::offset_of;
use std::ptr::without_provenance_mut;

/// Why there is no answer of the processor.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChildError {
    /// A child may not be traced here.
    #[error(
        "ptrace is not permitted here ({0}): in a container allow it (docker: --cap-add SYS_PTRACE), else see \
         /proc/sys/kernel/yama/ptrace_scope"
    )]
    NotPermitted(String),
    /// The system refused a request.
    #[error("cannot {what}: {errno}")]
    System {
        /// What was requested.
        what: &'static str,
        /// What the system said.
        errno: Errno,
    },
    /// The system runs no 32-bit code.
    #[error(
        "this Linux runs no 32-bit code, which half of the programs are: it needs CONFIG_IA32_EMULATION, and not ia32_emulation=off"
    )]
    NoCompatibility,
    /// The child did what no program of ours does.
    #[error("the child of the test ended or stopped where no program does: {0}")]
    Astray(String),
}

/// Returns how a refused request is reported.
pub(crate) fn refused(what: &'static str) -> impl Fn(Errno) -> ChildError {
    move |errno| ChildError::System { what, errno }
}

/// A stop of the child.
#[derive(Clone, Copy, Debug)]
pub struct Stop {
    /// Its signal.
    pub signal: Signal,
    /// `si_code` of the signal.
    pub code: i32,
    /// Registers of the child.
    pub registers: user_regs_struct,
}

/// A child that is stopped, unless a function lets it run. It ends with this value.
#[derive(Debug)]
pub struct Child(Pid);

impl Child {
    /// Forks a child that shares what is mapped as shared.
    ///
    /// # Errors
    ///
    /// [`ChildError`], if there can be none, or if it may not be traced.
    pub fn new() -> Result<Self, ChildError> {
        // SAFETY: the child only makes system calls.
        let pid = match unsafe { fork() }.map_err(refused("fork"))? {
            ForkResult::Parent { child } => child,
            ForkResult::Child => {
                if ptrace::traceme().is_ok() && raise(Signal::SIGSTOP).is_ok() {
                    pause();
                }
                // SAFETY: ends the child without running what the parent has registered for its own end.
                unsafe { libc::_exit(1) }
            }
        };
        let child = Self(pid);
        match waitpid(pid, None).map_err(refused("wait for a child"))? {
            WaitStatus::Stopped(_, Signal::SIGSTOP) => {}
            status => return Err(ChildError::NotPermitted(format!("{status:?}"))),
        }
        ptrace::setoptions(pid, ptrace::Options::PTRACE_O_EXITKILL)
            .map_err(refused("tie the child to this program"))?;
        Ok(child)
    }

    /// Returns the registers.
    ///
    /// # Errors
    ///
    /// [`ChildError::System`].
    pub fn registers(&self) -> Result<user_regs_struct, ChildError> {
        ptrace::getregs(self.0).map_err(refused("read the child's registers"))
    }

    /// Writes the registers.
    ///
    /// # Errors
    ///
    /// [`ChildError::System`].
    pub fn set_registers(&mut self, registers: user_regs_struct) -> Result<(), ChildError> {
        ptrace::setregs(self.0, registers).map_err(refused("write the child's registers"))
    }

    /// Returns a debug register as the system shows it to a debugger.
    ///
    /// # Errors
    ///
    /// [`ChildError::System`].
    pub fn debug_register(&self, number: usize) -> Result<u64, ChildError> {
        let place = without_provenance_mut(offset_of!(libc::user, u_debugreg) + 8 * number);
        ptrace::read_user(self.0, place).map(|word| word as u64).map_err(refused("read a debug register of the child"))
    }

    /// Writes a debug register.
    ///
    /// # Errors
    ///
    /// [`ChildError::System`]: the system refuses breakpoints outside of user memory, and misaligned ones.
    pub fn set_debug_register(&mut self, number: usize, value: u64) -> Result<(), ChildError> {
        let place = without_provenance_mut(offset_of!(libc::user, u_debugreg) + 8 * number);
        ptrace::write_user(self.0, place, value as i64).map_err(refused("write a debug register of the child"))
    }

    /// Lets the child run to its next signal; with `step` it executes with TF = 1.
    ///
    /// # Errors
    ///
    /// [`ChildError`], also if the child has ended.
    pub fn go_on(&mut self, step: bool) -> Result<Stop, ChildError> {
        if step { ptrace::step(self.0, None) } else { ptrace::cont(self.0, None) }
            .map_err(refused("let the child go on"))?;
        match waitpid(self.0, None).map_err(refused("wait for the child"))? {
            WaitStatus::Stopped(_, signal) => {
                let info = ptrace::getsiginfo(self.0).map_err(refused("read the child's signal"))?;
                Ok(Stop { signal, code: info.si_code, registers: self.registers()? })
            }
            status => Err(ChildError::Astray(format!("{status:?}"))),
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // Both fail if the child has ended by itself.
        let _ = kill(self.0, Signal::SIGKILL);
        let _ = waitpid(self.0, None);
    }
}
