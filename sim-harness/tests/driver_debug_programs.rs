//! A program and its debugger, made of the functions of `lwp-regs`, on three machines: the scripted fake, the model and the Verilated RTL. Model and
//! RTL give the same, to the cycle.

use crate::driver_debug::{Device, at, limits, on_both};
use lwp_model::debug::{DbClass, Lane, LaneKind, Special};
use lwp_model::retire::{Access as Shown, Branch, BranchKind, Io, Mode, OpMode};
use lwp_regs::access::{DebugBus, DebugFault, DebugRegister};
use lwp_regs::debug::{
    Access, Breakpoint, BreakpointSet, Cpl, DebugCaps, DebugEntry, DebugFrame, DebugRegisterFile, Delivery, Dr7,
    Eflags, ExceptionClass, Length, ProcessorMode, Slot, StepInto,
};
use lwp_regs::fake::FakeMsrs;
use sim_harness::debug::machine::{DebugException, Machine};
use std::fmt::Debug;

/// What an instruction does. Each is four bytes long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Does {
    Nothing,
    Jump(u64),
    /// Calls through a gate to level 0.
    Call(u64),
    /// INT n to this handler, at level 0.
    Int(u64),
    /// Returns, to an image with this RF.
    Iret(bool),
}

/// What differs between the machines.
trait Processor: DebugBus<Fault: Debug> {
    fn level(&mut self, level: u8);

    /// Retires an instruction that begins with these flags. If #DB comes: whether before the instruction, and RF of the frame.
    fn retire(&mut self, does: Does, ip: u64, flags: Eflags) -> Option<(bool, bool)>;

    /// Whether this is general detect, which is then delivered.
    fn detected(&mut self, fault: Self::Fault, ip: u64) -> bool;
}

type Fake = FakeMsrs<'static, 0, DebugFault>;

impl Processor for Fake {
    fn level(&mut self, level: u8) {
        self.debug_registers_mut().set_mode(ProcessorMode::Protected(Cpl::new(level).unwrap()));
    }

    fn retire(&mut self, does: Does, ip: u64, flags: Eflags) -> Option<(bool, bool)> {
        let registers = self.debug_registers_mut();
        let hits = registers.breakpoints().hit_by(Access::Fetch { address: ip });
        if !flags.rf() && !hits.is_empty() {
            registers.set_status(registers.status().with_conditions(hits));
            return Some((true, false));
        }
        let stepped = flags.tf() && !matches!(does, Does::Int(_));
        stepped.then(|| {
            registers.set_status(registers.status().with_bs(true));
            (false, false)
        })
    }

    fn detected(&mut self, fault: DebugFault, _: u64) -> bool {
        fault == DebugFault::GeneralDetect
    }
}

impl<D: Device> Processor for Machine<D, 4> {
    fn level(&mut self, cpl: u8) {
        self.set_mode(Mode { cpl, smm: false, op_mode: OpMode::Long64 });
    }

    fn retire(&mut self, does: Does, ip: u64, flags: Eflags) -> Option<(bool, bool)> {
        let mut lane = at(ip);
        lane.flags.tf = flags.tf();
        match does {
            Does::Nothing => {}
            Does::Jump(_) => lane.branch = Branch { kind: BranchKind::JmpRel, taken: true, ..Branch::default() },
            Does::Call(_) => lane.branch = Branch { kind: BranchKind::System, taken: true, ..Branch::default() },
            Does::Int(_) => lane.debug.kind = LaneKind::IntN,
            Does::Iret(rf_image) => lane.debug = Special { kind: LaneKind::Iret, rf_image, t_flag: false },
        }
        self.execute(&lane, Io::default()).map(|delivered| (delivered.class == DbClass::Fault, delivered.rf))
    }

    fn detected(&mut self, fault: DebugException, ip: u64) -> bool {
        fault == DebugException::Pending && self.deliver(ip).is_some_and(|delivered| delivered.rf)
    }
}

const USER: u16 = 0x33;
const SYSTEM: u16 = 0x10;

/// A processor that executes a program.
struct Cpu<'a, P> {
    processor: &'a mut P,
    frame: DebugFrame,
    stack: Vec<DebugFrame>,
    /// Addresses of the instructions that were executed.
    executed: Vec<u64>,
}

impl<'a, P: Processor> Cpu<'a, P> {
    /// A user program that begins at 4000H.
    fn new(processor: &'a mut P, tf: bool) -> Self {
        let frame = DebugFrame { ip: 0x4000, cs: USER, flags: Eflags::from_bits(0x202).with_tf(tf) };
        Self { processor, frame, stack: Vec::new(), executed: Vec::new() }
    }

    /// Executes up to `count` instructions until #DB, whose handler is then at level 0.
    fn run(&mut self, count: usize, program: impl Fn(u64) -> Does) -> Option<DebugFrame> {
        for _ in 0..count {
            let DebugFrame { ip, flags, .. } = self.frame;
            let mut does = program(ip);
            if let (Does::Iret(_), Some(frame)) = (does, self.stack.last()) {
                does = Does::Iret(frame.flags.rf());
            }
            self.processor.level(self.frame.cpl().level());
            let raised = self.processor.retire(does, ip, flags);
            if !matches!(raised, Some((true, _))) {
                self.executed.push(ip);
                self.execute(does);
            }
            if let Some((_, rf)) = raised {
                self.processor.level(0);
                self.frame.flags.set_rf(rf);
                return Some(self.frame);
            }
        }
        None
    }

    fn execute(&mut self, does: Does) {
        self.frame.flags.set_rf(false);
        let next = self.frame.ip + 4;
        match does {
            Does::Nothing => self.frame.ip = next,
            Does::Jump(to) => self.frame.ip = to,
            Does::Call(to) => (self.frame.ip, self.frame.cs) = (to, SYSTEM),
            Does::Int(to) => {
                self.stack.push(DebugFrame { ip: next, ..self.frame });
                (self.frame.ip, self.frame.cs) = (to, SYSTEM);
                self.frame.flags.set_tf(false);
            }
            Does::Iret(_) => self.frame = self.stack.pop().expect("a frame"),
        }
    }

    /// The debugger returns to this frame.
    fn resume(&mut self, frame: DebugFrame) {
        let raised = self.processor.retire(Does::Iret(frame.flags.rf()), 0x9000, Eflags::from_bits(2));
        assert_eq!(raised, None);
        self.frame = frame;
    }
}

/// The same on three machines.
macro_rules! on_three {
    ($body:expr) => {{
        let of_fake = $body(&mut Fake::default());
        assert_eq!(on_both!($body), of_fake, "the fake differs");
        of_fake
    }};
}

/// A loop of four instructions.
fn round(ip: u64) -> Does {
    if ip == 0x400C { Does::Jump(0x4000) } else { Does::Nothing }
}

/// A breakpoint in a loop: the handler returns without RF, with RF, and with the breakpoint off. Executed instructions after each.
fn ways_back<P: Processor>(processor: &mut P) -> Vec<usize> {
    let set = BreakpointSet::new().with(Slot::Dr1, Breakpoint::execute(0x4004), &limits()).unwrap();
    // SAFETY: this function handles each #DB.
    unsafe { set.arm(processor) }.unwrap();
    let (mut cpu, mut counts) = (Cpu::new(processor, false), Vec::new());
    for way in ["without RF", "without RF", "RF", "RF", "off"] {
        let mut frame = cpu.run(100, round).expect("a breakpoint");
        counts.push(cpu.executed.len());
        assert_eq!((frame.ip, frame.flags.rf()), (0x4004, false));
        let entry = DebugEntry::enter(cpu.processor).unwrap();
        assert_eq!((entry.hits(), entry.class()), (Slot::Dr1.set(), ExceptionClass::Fault));
        if way == "RF" {
            frame.flags = entry.resume(frame.flags);
        }
        let hits = if way == "off" { entry.instruction_hits() } else { Slot::Dr0.set() };
        // SAFETY: this function handles the next one.
        unsafe { entry.leave_with(cpu.processor, |control| control.without(hits)) }.unwrap();
        cpu.resume(frame);
    }
    assert_eq!(cpu.run(100, round), None);
    counts.push(cpu.executed.len());
    counts
}

// DBG-39, DBG-48, DBG-49: without RF the breakpoint is there at once; with RF the instruction is executed and the breakpoint is there in the next
// round; off, it is not there
#[test]
fn three_ways_back_from_a_breakpoint() {
    assert_eq!(on_three!(ways_back), [1, 1, 1, 5, 9, 109]);
}

/// A system steps a user program that calls a gate: where it stopped, and whether TF was on there.
fn steps<P: Processor>(processor: &mut P) -> Vec<(u64, u16, bool)> {
    let program = |ip| if ip == 0x4004 { Does::Call(0x8000) } else { Does::Nothing };
    let (mut cpu, mut stops) = (Cpu::new(processor, true), Vec::new());
    while let Some(mut frame) = cpu.run(10, program) {
        // The handler itself is not stepped.
        for ip in [0x9000, 0x9004] {
            assert_eq!(cpu.processor.retire(Does::Nothing, ip, frame.flags.with_tf(false).with_rf(false)), None);
        }
        let entry = DebugEntry::enter(cpu.processor).unwrap();
        assert!(entry.status().bs() && entry.class() == ExceptionClass::Trap);
        let goes_on = entry.step(&mut frame, |cpl| cpl == Cpl::USER).expect("a step");
        stops.push((frame.ip, frame.cs, goes_on));
        // SAFETY: no breakpoint is on.
        unsafe { entry.leave(cpu.processor) }.unwrap();
        cpu.resume(frame);
    }
    stops
}

// DBG-66, DBG-69: TF is clear in the handler; after each step the level decides, and the system is not stepped
#[test]
fn stepping_ends_at_the_system() {
    assert_eq!(on_three!(steps), [(0x4004, USER, true), (0x8000, SYSTEM, false)]);
}

/// Steps a program with INT n at 4004H, whose handler at 8000H has two instructions: where it stopped.
fn into_a_handler<P: Processor>(processor: &mut P, into: bool) -> Vec<u64> {
    let program = |ip| match ip {
        0x4004 => Does::Int(0x8000),
        0x8004 => Does::Iret(false),
        _ => Does::Nothing,
    };
    let step = StepInto::handler(0x8000);
    let (mut cpu, mut stops) = (Cpu::new(processor, true), Vec::new());
    for _ in 0..5 {
        let mut frame = cpu.run(10, program).expect("a step");
        stops.push(frame.ip);
        let entry = DebugEntry::enter(cpu.processor).unwrap();
        if into && frame.ip == 0x4004 {
            let set = BreakpointSet::new().with(Slot::Dr0, step.breakpoint(), &limits()).unwrap();
            // SAFETY: this function handles the breakpoint.
            unsafe { set.arm(cpu.processor) }.unwrap();
        } else {
            if entry.hits() == Slot::Dr0.set() {
                assert!(step.entered(&mut frame));
            }
            // SAFETY: no breakpoint stays on.
            unsafe { entry.leave_with(cpu.processor, |control| control.without(Slot::Dr0.set())) }.unwrap();
        }
        cpu.resume(frame);
    }
    stops
}

// DBG-72: a handler is stepped by stepping the INT n that calls it; otherwise TF steps over it
#[test]
fn a_handler_is_stepped() {
    assert_eq!(
        on_three!(|processor: &mut _| into_a_handler(processor, true)),
        [0x4004, 0x8000, 0x8004, 0x4008, 0x400C]
    );
    let over = on_three!(|processor: &mut _| into_a_handler(processor, false));
    // IRET began with TF = 0, so the first stop behind INT n is behind the instruction that it returns to.
    assert_eq!(over, [0x4004, 0x400C, 0x4010, 0x4014, 0x4018]);
}

/// A monitor owns the debug registers. A system writes DR0 and reads it back: what it reads, and what the processor's DR0 holds.
fn monitor<P: Processor>(processor: &mut P) -> (u64, u64) {
    let set = BreakpointSet::new().with(Slot::Dr0, Breakpoint::write(0x7000, Length::One), &limits()).unwrap();
    // SAFETY: no access of this function hits the breakpoint.
    unsafe { set.arm(processor) }.unwrap();
    let control = Dr7::read(processor).unwrap();
    // SAFETY: general detect is handled below.
    unsafe { Dr7::DR.write(processor, control.with_gd(true)) }.unwrap();
    let (mut shown, mut read) = (DebugRegisterFile::new(DebugCaps::INTEL_64), 0);
    for value in [Some(0x1234), None] {
        let fault = match value {
            // SAFETY: the monitor does not let it pass.
            Some(value) => unsafe { processor.write_dr(DebugRegister::Dr0, value) }.unwrap_err(),
            None => processor.read_dr(DebugRegister::Dr0).unwrap_err(),
        };
        assert!(processor.detected(fault, 0x500));
        let entry = DebugEntry::enter(processor).unwrap();
        assert!(entry.status().bd() && entry.class() == ExceptionClass::Fault);
        match value {
            // SAFETY: it is a register of the monitor's memory.
            Some(value) => unsafe { shown.write_dr(DebugRegister::Dr0, value) }.unwrap(),
            None => read = shown.read_dr(DebugRegister::Dr0).unwrap(),
        }
        // SAFETY: the monitor handles the next one.
        unsafe { entry.leave_with(processor, |control| control.with_gd(true)) }.unwrap();
    }
    let fault = Dr7::read(processor).unwrap_err();
    assert!(processor.detected(fault, 0x500), "the registers are still protected");
    (read, processor.read_dr(DebugRegister::Dr0).unwrap())
}

// DBG-62, DBG-63: with general detect a monitor keeps the registers and shows the system others
#[test]
fn a_monitor_owns_the_registers() {
    assert_eq!(on_three!(monitor), (0x1234, 0x7000));
}

/// MOV SS of a user program hits a breakpoint, and INT n follows: how the handler of #DB sees it.
fn after_int_n<D: Device>(machine: &mut Machine<D, 4>) -> Delivery {
    let set = BreakpointSet::new().with(Slot::Dr3, Breakpoint::read_write(0x7000, Length::Two), &limits()).unwrap();
    // SAFETY: this function handles the #DB.
    unsafe { set.arm(machine) }.unwrap();
    machine.level(3);
    let mut load = at(0x4000);
    load.flags.ss_load = true;
    load.accesses[0] = Shown { read: true, write: false, addr: 0x7000, size: 2 };
    assert_eq!(machine.execute(&load, Io::default()), None);
    let int_n = Lane { debug: Special { kind: LaneKind::IntN, ..Special::default() }, ..at(0x4002) };
    let delivered = machine.execute(&int_n, Io::default()).expect("the breakpoint of MOV SS");
    assert_eq!(delivered.class, DbClass::Trap);
    machine.level(0);
    let entry = DebugEntry::enter(machine).unwrap();
    assert_eq!(entry.data_hits(), Slot::Dr3.set());
    // The core is in the handler of INT n.
    let frame = DebugFrame { ip: 0x8000, cs: SYSTEM, flags: Eflags::from_bits(2).with_rf(delivered.rf) };
    // SAFETY: the breakpoint is not hit again.
    unsafe { entry.leave(machine) }.unwrap();
    frame.delivery(Cpl::USER)
}

// DBG-60, DBG-61: the handler finds that the level has changed
#[test]
fn the_level_has_changed() {
    let expected = Delivery::LevelChanged { detected: Cpl::USER, delivered: Cpl::SYSTEM };
    assert_eq!(on_both!(after_int_n), expected);
}
