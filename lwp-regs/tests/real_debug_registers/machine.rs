//! The processor, by way of a child that executes one instruction at a time.

use super::instructions::{Instruction, Use};
use crate::tracee::{Registers, Tracee};
use lwp_regs::access::{DebugBus, DebugRegister};
use lwp_regs::debug::{BreakpointSet, Dr6, Dr7, Slots};
use nix::errno::Errno;
use nix::libc;
use nix::sys::signal::Signal;
use std::mem::offset_of;
use std::sync::atomic::AtomicU8;

/// Two pages whose bytes are accessed, in the child's copy; what is accessed is around the border between them.
#[repr(align(4096))]
struct Pages([AtomicU8; 2 * PAGE as usize]);

const PAGE: u64 = 4096;
static PAGES: Pages = Pages([const { AtomicU8::new(0) }; 2 * PAGE as usize]);

/// Address of the border between the two pages.
pub(crate) fn border() -> u64 {
    PAGES.0.as_ptr() as u64 + PAGE
}

/// The debug registers of a stopped thread as Linux shows them to its debugger. Needs no privilege; the kernel takes
/// aligned breakpoints in user memory only.
#[derive(Debug)]
struct Thread(Tracee);

impl Thread {
    fn offset(register: DebugRegister) -> usize {
        offset_of!(libc::user, u_debugreg) + 8 * register as usize
    }
}

impl DebugBus for Thread {
    type Fault = Errno;

    fn read_dr(&mut self, register: DebugRegister) -> Result<u64, Errno> {
        self.0.user(Self::offset(register))
    }

    unsafe fn write_dr(&mut self, register: DebugRegister, value: u64) -> Result<(), Errno> {
        self.0.set_user(Self::offset(register), value)
    }
}

/// Where and why the child stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stop {
    pub(crate) rip: u64,
    /// The breakpoints that DR6 reports; none if INT3 stopped it.
    pub(crate) hits: Slots,
    /// Iterations that a repeated instruction has left.
    pub(crate) rcx: u64,
}

/// What the child is to execute.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) instruction: &'static Instruction,
    pub(crate) rdi: u64,
    pub(crate) rsi: u64,
    pub(crate) rcx: u64,
    /// What is set in EFLAGS before.
    pub(crate) flags: u64,
}

#[derive(Debug)]
pub(crate) struct Machine {
    thread: Thread,
    /// The child's registers when it was made.
    initial: Registers,
}

impl Machine {
    pub(crate) fn new() -> Self {
        let child = Tracee::new(|| {});
        let initial = child.registers();
        Self { thread: Thread(child), initial }
    }

    /// The address behind the instruction: that of its INT3.
    pub(crate) fn end(&self, instruction: &Instruction) -> u64 {
        const INT3: u8 = 0xCC;
        let start = instruction.address();
        let code = [self.thread.0.memory(start), self.thread.0.memory(start + 8)];
        let length = code.as_flattened().iter().position(|&byte| byte == INT3).expect("an INT3 behind the instruction");
        start + length as u64
    }

    /// Puts the child before `step` with these breakpoints.
    pub(crate) fn prepare(&mut self, set: &BreakpointSet, step: &Step) {
        // Linux holds an address against the length that stands in DR7, even if the breakpoint is off.
        // SAFETY: no breakpoint is on.
        unsafe { Dr7::DR.write(&mut self.thread, Dr7::RESET) }.expect("write DR7");
        // SAFETY: whatever #DB there is stops the child, which we are waiting for.
        unsafe { set.arm(&mut self.thread) }.unwrap_or_else(|errno| panic!("the kernel refuses {set:x?}: {errno}"));
        let mut registers = self.initial;
        registers.rip = step.instruction.address();
        registers.eflags |= step.flags;
        registers.rax = 0x5A5A_5A5A_5A5A_5A5A;
        registers.rdx = 0;
        registers.rcx = step.rcx;
        registers.rsi = step.rsi;
        registers.rdi = step.rdi;
        if matches!(step.instruction.uses, Use::Push | Use::Pop) {
            registers.rsp = step.rdi;
        }
        self.thread.0.set_registers(registers);
    }

    /// Executes `step` with these breakpoints, and says where it stopped.
    pub(crate) fn execute(&mut self, set: &BreakpointSet, step: &Step) -> Stop {
        self.prepare(set, step);
        self.go_on(set)
    }

    /// Lets the child go on from where it stands.
    pub(crate) fn go_on(&mut self, set: &BreakpointSet) -> Stop {
        assert_eq!(self.run(), Signal::SIGTRAP, "the child neither hit a breakpoint nor reached INT3");
        let registers = self.registers();
        Stop { rip: registers.rip, hits: set.hits(self.status()), rcx: registers.rcx }
    }

    /// Lets the child go on until a signal stops it.
    pub(crate) fn run(&self) -> Signal {
        self.thread.0.run().expect("a signal, not the end of the child")
    }

    /// Executes one instruction with TF set.
    pub(crate) fn single_step(&self) {
        assert_eq!(self.thread.0.step(), Some(Signal::SIGTRAP), "the child has not executed an instruction");
    }

    /// DR6.
    pub(crate) fn status(&mut self) -> Dr6 {
        Dr6::read(&mut self.thread).expect("read DR6")
    }

    pub(crate) fn registers(&self) -> Registers {
        self.thread.0.registers()
    }

    pub(crate) fn set_registers(&self, registers: Registers) {
        self.thread.0.set_registers(registers);
    }

    pub(crate) fn memory(&self, address: u64) -> u64 {
        u64::from_le_bytes(self.thread.0.memory(address))
    }

    pub(crate) fn set_memory(&self, address: u64, value: u64) {
        self.thread.0.set_memory(address, value);
    }
}
