//! A copy of this test program that stands still until it is told to go on: a child under ptrace. Its code is where ours
//! is, so a pointer to a function of ours is one of its.

use nix::errno::Errno;
pub(crate) use nix::libc::user_regs_struct as Registers;
use nix::sys::ptrace;
use nix::sys::signal::{Signal, raise};
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::{ForkResult, Pid, fork};
use std::ffi::c_void;
use std::ptr::without_provenance_mut;

/// What the child ends with if it may not be traced.
const NOT_PERMITTED: i32 = 77;

#[derive(Debug)]
pub(crate) struct Tracee(Pid);

impl Tracee {
    /// A child that stands before the beginning of `program`. What `program` does must be safe after a fork: it neither
    /// allocates nor takes a lock.
    pub(crate) fn new(program: impl FnOnce()) -> Self {
        // SAFETY: the child runs system calls and `program`, which keeps to what is said above.
        let pid = match unsafe { fork() }.expect("fork a child") {
            ForkResult::Parent { child } => child,
            ForkResult::Child => {
                let code = if ptrace::traceme().is_ok() && raise(Signal::SIGSTOP).is_ok() { 0 } else { NOT_PERMITTED };
                if code == 0 {
                    program();
                }
                // SAFETY: ends the child without running what the parent has registered for its own end.
                unsafe { nix::libc::_exit(code) }
            }
        };
        let child = Self(pid);
        match child.wait() {
            WaitStatus::Stopped(_, Signal::SIGSTOP) => {}
            status => panic!(
                "this test traces a child of its own, and ptrace is not permitted here ({status:?}). In a container, \
                 allow it (docker: --cap-add SYS_PTRACE); else see /proc/sys/kernel/yama/ptrace_scope."
            ),
        }
        ptrace::setoptions(pid, ptrace::Options::PTRACE_O_EXITKILL).expect("tie the child to this program");
        child
    }

    fn wait(&self) -> WaitStatus {
        waitpid(self.0, None).expect("wait for the child")
    }

    /// Lets the child run until a signal stops it, and returns that. `None` if it has ended.
    pub(crate) fn run(&self) -> Option<Signal> {
        ptrace::cont(self.0, None).expect("let the child go on");
        self.stopped()
    }

    /// Lets the child execute one instruction.
    pub(crate) fn step(&self) -> Option<Signal> {
        ptrace::step(self.0, None).expect("step the child");
        self.stopped()
    }

    fn stopped(&self) -> Option<Signal> {
        match self.wait() {
            WaitStatus::Stopped(_, signal) => Some(signal),
            WaitStatus::Exited(_, 0) => None,
            status => panic!("the child ended: {status:?}"),
        }
    }

    pub(crate) fn registers(&self) -> Registers {
        ptrace::getregs(self.0).expect("read the child's registers")
    }

    pub(crate) fn set_registers(&self, registers: Registers) {
        ptrace::setregs(self.0, registers).expect("write the child's registers");
    }

    /// Eight bytes of its memory, the first one lowest.
    pub(crate) fn memory(&self, address: u64) -> [u8; 8] {
        let word = ptrace::read(self.0, place(address)).expect("read the child's memory");
        word.to_le_bytes()
    }

    pub(crate) fn set_memory(&self, address: u64, value: u64) {
        ptrace::write(self.0, place(address), value as i64).expect("write the child's memory");
    }

    /// The eight bytes at `offset` of `struct user`.
    pub(crate) fn user(&self, offset: usize) -> Result<u64, Errno> {
        ptrace::read_user(self.0, place(offset as u64)).map(|word| word as u64)
    }

    pub(crate) fn set_user(&self, offset: usize, value: u64) -> Result<(), Errno> {
        ptrace::write_user(self.0, place(offset as u64), value as i64)
    }
}

impl Drop for Tracee {
    fn drop(&mut self) {
        // Both fail if the child has ended by itself.
        let _ = nix::sys::signal::kill(self.0, Signal::SIGKILL);
        let _ = waitpid(self.0, None);
    }
}

/// An address of the child, as ptrace wants it.
fn place(address: u64) -> *mut c_void {
    without_provenance_mut(address as usize)
}
