use super::*;
use crate::debug::scripted::{Scripted, Step};
use crate::debug::{Access, Breakpoint, BreakpointLimits, BreakpointSet, Cpl, DebugCaps};

fn entry(status: u64, control: u64) -> DebugEntry {
    DebugEntry::decode(Dr6::from_bits(status), Dr7::from_bits(control))
}

// Handler entry and exit: status is read, then cleared, before breakpoints go off; they are back as they were
#[test]
fn order_of_accesses() {
    let mut bus = Scripted::new(&[
        Step::Read(6, 0xFFFF_0FF1),
        Step::Write(6, 0xFFFF_0FF0),
        Step::Read(7, 0x0009_0702),
        Step::Write(7, 0x0009_0700),
        Step::Write(7, 0x0009_0702),
    ]);
    let entry = DebugEntry::enter(&mut bus).unwrap();
    assert_eq!(entry.hits(), Slots::DR0);
    // SAFETY: the bus only compares.
    unsafe { entry.leave(&mut bus) }.unwrap();
    bus.finished();
}

// DBG-49: the alternative to RF is to leave with the breakpoint off; DBG-63: or with general detect on again
#[test]
fn leaving_with_another_control() {
    let mut bus = Scripted::new(&[Step::Write(7, 0x0000_0408), Step::Write(7, 0x0000_240A)]);
    let entry = entry(0xFFFF_0FF1, 0x0000_040A);
    // SAFETY: the bus only compares.
    unsafe { entry.leave_with(&mut bus, |control| control.without(entry.instruction_hits())) }.unwrap();
    // SAFETY: the bus only compares.
    unsafe { entry.leave_with(&mut bus, |control| control.with_gd(true)) }.unwrap();
    bus.finished();
}

// DBG-12, DBG-32: one exception, several causes; what is off is left out
#[test]
fn causes() {
    // Breakpoint 0 waits for an instruction, 1 for a write, 2 is off.
    let both = entry(0xFFFF_4FF7, 0x0010_040A);
    assert_eq!(both.hits(), Slots::DR0 | Slots::DR1);
    assert_eq!(both.instruction_hits(), Slots::DR0);
    assert_eq!(both.data_hits(), Slots::DR1);
    assert!(both.status().bs() && !both.is_int1());
    assert!(entry(0xFFFF_0FF0, 0x0010_040A).is_int1());
}

// DBG-31, DBG-33: instruction breakpoint and general detect are faults, the rest are traps
#[test]
fn classes() {
    assert_eq!(entry(0xFFFF_0FF1, 0x0010_040A).class(), ExceptionClass::Fault);
    assert_eq!(entry(0xFFFF_2FF0, 0x400).class(), ExceptionClass::Fault, "BD");
    assert_eq!(entry(0xFFFF_0FF2, 0x0010_040A).class(), ExceptionClass::Trap, "data");
    assert_eq!(entry(0xFFFF_0FF1, 0x0002_0402).class(), ExceptionClass::Trap, "I/O");
    assert_eq!(entry(0xFFFF_4FF0, 0x400).class(), ExceptionClass::Trap, "BS");
    assert_eq!(entry(0xFFFF_8FF0, 0x400).class(), ExceptionClass::Trap, "BT");
    assert_eq!(entry(0xFFFF_07F0, 0x400).class(), ExceptionClass::Trap, "bus lock");
    assert_eq!(entry(0xFFFF_0FF0, 0x400).class(), ExceptionClass::Trap, "INT1");
    assert_eq!(entry(0xFFFE_0FF0, 0xC00).class(), ExceptionClass::Fault, "XBEGIN is repeated");
}

// DBG-48: RF is set only to get past an instruction breakpoint
#[test]
fn resuming() {
    let flags = Eflags::from_bits(0x246);
    assert_eq!(entry(0xFFFF_0FF1, 0x0010_040A).resume(flags).into_bits(), 0x1_0246);
    assert_eq!(entry(0xFFFF_0FF2, 0x0010_040A).resume(flags).into_bits(), 0x246);
    assert_eq!(entry(0xFFFF_0FF1, 0x0010_0408).resume(flags).into_bits(), 0x246, "breakpoint 0 is off");
}

// DBG-69: after every step the level decides; a program that has stepped into the system is not stepped further
#[test]
fn stepping_policy() {
    let step = entry(0xFFFF_4FF0, 0x400);
    let user_only = |cpl| cpl == Cpl::USER;
    let mut program = DebugFrame { ip: 0x1000, cs: 0x33, flags: Eflags::from_bits(0x346) };
    assert_eq!(step.step(&mut program, user_only), Some(true));
    assert_eq!(program.flags.into_bits(), 0x346);
    let mut system = DebugFrame { cs: 0x10, ..program };
    assert_eq!(step.step(&mut system, user_only), Some(false));
    assert_eq!(system.flags.into_bits(), 0x246);
    let other = entry(0xFFFF_0FF0, 0x400);
    assert_eq!(other.step(&mut program, |_| unreachable!("not a step")), None);
}

/// A program of instructions one byte long, and a processor that knows of RF and execution breakpoints what the
/// manual says: breakpoints are looked for while RF is 0; then RF is cleared and the instruction executed.
struct Loop {
    set: BreakpointSet,
    ip: u64,
    flags: Eflags,
    executed: [u32; 4],
}

impl Loop {
    /// Executes up to `steps` instructions of the loop at 0x1000 to 0x1003, until #DB.
    fn run(&mut self, steps: u32) -> Option<DebugFrame> {
        for _ in 0..steps {
            let hits = self.set.hit_by(Access::Fetch { address: self.ip });
            if !self.flags.rf() && !hits.is_empty() {
                return Some(DebugFrame { ip: self.ip, cs: 0x33, flags: self.flags });
            }
            self.flags.set_rf(false);
            self.executed[(self.ip - 0x1000) as usize] += 1;
            self.ip = 0x1000 + (self.ip + 1) % 4;
        }
        None
    }

    fn iret(&mut self, frame: DebugFrame) {
        (self.ip, self.flags) = (frame.ip, frame.flags);
    }
}

fn breakpoint_at_1002() -> Loop {
    let limits = BreakpointLimits::new(&DebugCaps::INTEL_64, 0);
    let set = BreakpointSet::new().with(Slot::Dr1, Breakpoint::execute(0x1002), &limits).unwrap();
    Loop { set, ip: 0x1000, flags: Eflags::from_bits(0x202), executed: [0; 4] }
}

// DBG-48: with RF the instruction is executed once and the breakpoint is hit in the next round; without it, again
#[test]
fn past_an_instruction_breakpoint() {
    let mut program = breakpoint_at_1002();
    let hit = entry(0xFFFF_0FF2, program.set.control.into_bits());
    let mut frame = program.run(100).unwrap();
    assert_eq!((frame.ip, program.executed), (0x1002, [1, 1, 0, 0]), "not executed yet");

    program.iret(frame);
    assert_eq!(program.run(100), Some(frame), "without RF there is no getting past");

    for round in 1..4 {
        frame.flags = hit.resume(frame.flags);
        program.iret(frame);
        frame = program.run(100).unwrap();
        assert_eq!(frame.ip, 0x1002);
        assert_eq!(program.executed, [round + 1, round + 1, round, round]);
        assert!(!frame.flags.rf(), "RF lasts for one instruction");
    }
}

// DBG-49: with the breakpoint off execution goes on and does not come back to the handler
#[test]
fn removing_an_instruction_breakpoint() {
    let mut program = breakpoint_at_1002();
    let hit = entry(0xFFFF_0FF2, program.set.control.into_bits());
    let frame = program.run(100).unwrap();
    program.set.control = program.set.control.without(hit.instruction_hits());
    program.iret(frame);
    assert_eq!(program.run(100), None);
    assert_eq!(program.executed.iter().sum::<u32>(), 102);
}
