//! Runs a program on the processor, in a child under ptrace.

use super::computer::Fault;
use super::event::{Cause, Event};
use super::instruction::{Instruction, SELECTOR, address};
use super::program::Program;
use crate::child::{Child, ChildError, Stop, refused};
use crate::memory::{CODE, DATA, Memory, STACK};
use lwp_regs::debug::{Dr6, Slots};
use nix::libc::user_regs_struct;
use nix::sys::signal::Signal;
use std::collections::HashMap;

/// `si_code` of a #DB that INT1 raised; TRAP_TRACE and TRAP_HWBKPT are the others.
const TRAP_BRKPT: i32 = 1;
/// `si_code` of #BP.
const SI_KERNEL: i32 = 0x80;
/// Selectors of user code that Linux has on every x86-64: 64-bit and 32-bit.
const CODE_64: u64 = 0x33;
const CODE_32: u64 = 0x23;
/// RF in RFLAGS.
const RF: u64 = 1 << 16;
/// RFLAGS of a program when it begins: the fixed bit, and IF.
const FLAGS: u64 = 0x202;
/// Stops after which a program is taken for one that does not end.
const STOPS: usize = 400;

/// The processor of this machine.
#[derive(Debug)]
pub struct Processor {
    memory: Memory,
    child: Child,
    /// The child's registers when it was made.
    initial: user_regs_struct,
    /// What its debug registers hold, if known.
    held: HashMap<usize, u64>,
    /// INT1 saves its own address.
    pub(super) int1_stays: bool,
}

impl Processor {
    /// Makes a child that runs programs.
    ///
    /// # Errors
    ///
    /// [`ChildError`], if the system does not allow it.
    pub fn new() -> Result<Self, ChildError> {
        let memory = Memory::new().map_err(refused("map the memory of the programs"))?;
        let child = Child::new()?;
        let initial = child.registers()?;
        let mut processor = Self { memory, child, initial, held: HashMap::new(), int1_stays: false };
        processor.touch()?;
        processor.runs_32_bit_code()?;
        let registers = processor.start(&Program::new(&[Instruction::Int1]))?;
        processor.child.set_registers(registers)?;
        processor.int1_stays = processor.child.go_on(false)?.registers.rip == CODE;
        Ok(processor)
    }

    /// Replaces a child that went astray.
    ///
    /// # Errors
    ///
    /// [`ChildError`], if the system does not allow it any more.
    pub(super) fn renew(&mut self) -> Result<(), ChildError> {
        self.child = Child::new()?;
        self.held.clear();
        self.touch()
    }

    /// Checks that the system has compatibility mode and the system call of 32-bit code.
    fn runs_32_bit_code(&mut self) -> Result<(), ChildError> {
        let narrow = Program { wide: false, ..Program::new(&[Instruction::Nop(1)]) };
        for program in [narrow, Program::new(&[Instruction::Number, Instruction::System])] {
            match self.run(&program) {
                Ok(events) if events.len() == 1 => {}
                Ok(_) | Err(ChildError::Astray(_)) => return Err(ChildError::NoCompatibility),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Touches the pages that are never absent, once, so that no program finds them absent.
    fn touch(&mut self) -> Result<(), ChildError> {
        let stack = (STACK - DATA) as u32;
        self.run(&Program::new(&[Instruction::Store(1, SELECTOR), Instruction::Store(1, stack)])).map(drop)
    }

    /// Runs a program to its end, and returns its stops.
    ///
    /// # Errors
    ///
    /// [`ChildError`], if the system refuses a breakpoint, or if the program stops where none does.
    pub fn run(&mut self, program: &Program) -> Result<Vec<Event>, ChildError> {
        let mut registers = self.start(program)?;
        let end = program.offset(program.instructions.len());
        let mut events = Vec::new();
        loop {
            let (step, rf) = program.resume(events.len(), registers.eflags & RF != 0);
            registers.eflags = registers.eflags & !RF | if rf { RF } else { 0 };
            self.child.set_registers(registers)?;
            let stop = self.child.go_on(step)?;
            let event = self.event(&stop)?;
            events.push(event);
            if event.ip == end && matches!(event.cause, Cause::Breakpoint(_)) {
                return Ok(events);
            }
            if events.len() > STOPS || stop.registers.rip.wrapping_sub(CODE) > end {
                return Err(ChildError::Astray(super::event::line(&events)));
            }
            registers = stop.registers;
            registers.rip += self.passes(&stop, event);
        }
    }

    /// Puts a program into the memory, and returns its first registers.
    fn start(&mut self, program: &Program) -> Result<user_regs_struct, ChildError> {
        self.memory.set_code(&program.code());
        self.memory.take_pages().map_err(refused("take pages away"))?;
        self.memory.set_word(address(SELECTOR), self.initial.ss as u16);
        self.arm(program)?;
        Ok(user_regs_struct {
            rip: CODE,
            rsp: STACK,
            rbx: DATA,
            rcx: 0,
            rbp: self.initial.ss,
            // 32-bit code needs segments of data; that of the stack is one.
            ds: self.initial.ss,
            es: self.initial.ss,
            cs: if program.wide { CODE_64 } else { CODE_32 },
            eflags: FLAGS,
            // No system call is to be repeated.
            orig_rax: u64::MAX,
            ..self.initial
        })
    }

    /// Writes the debug registers that differ. Linux checks an address against the length in DR7, even if the breakpoint is off.
    fn arm(&mut self, program: &Program) -> Result<(), ChildError> {
        let set = program.set();
        self.write(7, 0)?;
        for (number, address) in set.addresses.into_iter().enumerate() {
            self.write(number, address.into_bits())?;
        }
        self.write(6, 0)?;
        self.write(7, set.control.into_bits())
    }

    fn write(&mut self, number: usize, value: u64) -> Result<(), ChildError> {
        if self.held.insert(number, value) != Some(value) {
            self.child.set_debug_register(number, value)?;
        }
        Ok(())
    }

    /// Returns the stop as a debugger sees it.
    fn event(&mut self, stop: &Stop) -> Result<Event, ChildError> {
        let status = Dr6::from_bits(self.child.debug_register(6)?);
        self.held.remove(&6);
        self.write(6, 0)?;
        let slots = Slots::from_bits_truncate(status.into_bits() as u8 & 0xF);
        let cause = match (stop.signal, stop.code) {
            (Signal::SIGTRAP, SI_KERNEL) => Cause::Breakpoint(slots),
            (Signal::SIGTRAP, _) => Cause::Debug(slots, status.bs()),
            (Signal::SIGILL, _) => Cause::Fault(Fault::Undefined),
            (Signal::SIGSEGV, SI_KERNEL) => Cause::Fault(Fault::Protection),
            (signal, code) => {
                let rip = stop.registers.rip;
                return Err(ChildError::Astray(format!("{signal} with code {code} at {rip:#x}")));
            }
        };
        let registers = stop.registers;
        let (ip, rf) = (registers.rip.wrapping_sub(CODE), registers.eflags & RF != 0);
        Ok(Event { cause, ip, rf, count: registers.rcx as u32 })
    }

    /// Returns the bytes that the debugger passes over: a fault's instruction, and INT1 where it saves its own address.
    fn passes(&self, stop: &Stop, event: Event) -> u64 {
        match event.cause {
            Cause::Fault(Fault::Undefined) => 2,
            Cause::Fault(Fault::Protection) => 1,
            Cause::Debug(..) if stop.code == TRAP_BRKPT && self.int1_stays => 1,
            _ => 0,
        }
    }
}
