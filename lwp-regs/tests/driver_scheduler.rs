//! The scheduler's side of the LWP driver on a port and on registers that are variables: at every fault point no state is
//! lost, and hardware holds that of the thread which the result names.

use crate::stand_in::CAPS;
use lwp_regs::access::{GeneralProtection, MsrBus};
use lwp_regs::fake::{Access, FakeMsrs};
use lwp_regs::lwp::context::{SavedContext, SavedPointer};
use lwp_regs::lwp::driver::{NotEntered, Policy, Processor, SwitchFailed};
use lwp_regs::lwp::*;

/// A port that is a variable. Its n-th access fails, and those after it if `dead`.
#[derive(Debug, Default)]
struct Port {
    words: [u64; 8],
    access: u32,
    fails: Option<u32>,
    dead: bool,
}

impl Port {
    fn access(&mut self) -> Result<(), u32> {
        self.access += 1;
        let fails = self.fails.is_some_and(|at| self.access == at || self.dead && self.access > at);
        if fails { Err(self.access) } else { Ok(()) }
    }
}

impl LwpContextPort for Port {
    type Fault = u32;
    unsafe fn save_word(&mut self, index: u8) -> Result<u64, u32> {
        self.access()?;
        Ok(self.words[usize::from(index)])
    }
    unsafe fn restore_word(&mut self, index: u8, value: u64) -> Result<(), u32> {
        self.access()?;
        self.words[usize::from(index)] = value;
        Ok(())
    }
}

/// LWPMSR0, beside the port.
impl MsrBus for Port {
    type Fault = GeneralProtection;
    unsafe fn rdmsr(&mut self, _: u32) -> Result<u64, GeneralProtection> {
        Ok(0)
    }
    unsafe fn wrmsr(&mut self, _: u32, _: u64) -> Result<(), GeneralProtection> {
        Ok(())
    }
}

const A: [u64; 8] = [0x1000, 0x0000_0001_0000_0020, 7, 0, 0, 0, 0, 0];
const B: [u64; 8] = [0x2000, 0x0000_0001_0000_0040, 9, 0, 0, 0, 0, 0];

fn saved(words: [u64; 8]) -> SavedContext {
    LwpVolatileState::from_words(words).try_into().unwrap()
}

/// A processor that runs thread A.
fn running(fails: Option<u32>, dead: bool) -> Processor<Port> {
    let port = Port { words: A, fails, dead, ..Port::default() };
    Processor::enable(port, &CAPS, &Policy::new().want(Features::IRE)).unwrap()
}

fn words(processor: Processor<Port>) -> [u64; 8] {
    processor.disable().unwrap().words
}

// LWP-SEC-03, LWP-CTX-07: there and back
#[test]
fn the_scheduler_switches_by_the_port() {
    let (mut a, mut b) = (SavedContext::inactive(), saved(B));
    // SAFETY: the port is a variable; no hardware is behind it.
    let processor = unsafe { running(None, false).switch(&mut a, &mut b) }.unwrap();
    assert_eq!((&a, &b), (&saved(A), &SavedContext::inactive()));
    // SAFETY: as above.
    let processor = unsafe { processor.switch(&mut b, &mut a) }.unwrap();
    assert_eq!((&a, &b), (&SavedContext::inactive(), &saved(B)));
    assert_eq!(words(processor), A);
}

// LWP-SEC-03: wherever the port faults, no state is lost, and hardware holds that of the thread which the result names
#[test]
fn a_switch_that_faults_says_where_it_ended() {
    for at in 1..=16 {
        let (mut a, mut b) = (SavedContext::inactive(), saved(B));
        // SAFETY: the port is a variable; no hardware is behind it.
        match unsafe { running(Some(at), false).switch(&mut a, &mut b) }.unwrap_err() {
            SwitchFailed::NotLeft { processor, fault } => {
                assert!((1..=8).contains(&fault) && fault == at);
                assert_eq!((words(processor), &a, &b), (A, &SavedContext::inactive(), &saved(B)));
            }
            SwitchFailed::NotEntered { processor, mut context, fault } => {
                assert!((9..=16).contains(&fault) && fault == at);
                assert_eq!((&a, &b, &context), (&saved(A), &SavedContext::inactive(), &saved(B)));
                // B runs unprofiled; then it is tried once more.
                // SAFETY: as above.
                let processor = unsafe { processor.switch(&mut b, &mut context) }.unwrap();
                assert_eq!(b, SavedContext::inactive(), "hardware was inactive");
                assert_eq!(words(processor), B);
            }
            SwitchFailed::Stuck { fault, .. } => panic!("stuck at {fault}, though it could be made inactive"),
        }
    }
}

// LWP-SEC-03: as long as nobody knows what hardware holds, ring 3 is not entered
#[test]
fn a_dead_port_leaves_the_processor_stuck() {
    for at in 9..=16 {
        let (mut a, mut b) = (SavedContext::inactive(), saved(B));
        // SAFETY: the port is a variable; no hardware is behind it.
        let failed = unsafe { running(Some(at), true).switch(&mut a, &mut b) }.unwrap_err();
        let SwitchFailed::Stuck { stuck, context, fault } = failed else { panic!("{failed:?}") };
        assert_eq!((fault, &a, &context), (at, &saved(A), &saved(B)));
        // SAFETY: as above.
        let (stuck, fault) = unsafe { stuck.enter_inactive() }.unwrap_err();
        assert_eq!(fault, at + 2, "it has been tried once");
        drop(stuck);
    }
}

const ON: LwpMsr0 = LwpMsr0::from_bits(0x3);
const POLICY: Policy = Policy::new().require(Features::IRE);

fn pointers<'a>() -> FakeMsrs<'a, 2> {
    let mut cpu = FakeMsrs::<2>::new();
    cpu.define_checked(LwpMsr0::MSR, LwpMsr0::RESET, &CAPS).define_number(LwpMsr1::ADDRESS, 0);
    cpu
}

/// What is kept for the thread that left and for the one that did not get in, if there is one.
#[derive(Debug, PartialEq, Eq)]
struct Kept {
    from: Option<SavedPointer>,
    to: Option<SavedPointer>,
}

fn switch_by_pointer<B: MsrBus>(processor: Processor<B>, to: SavedPointer) -> Kept {
    // SAFETY: the registers are variables; no hardware is behind them.
    let Ok((from, between)) = (unsafe { processor.leave() }) else {
        return Kept { from: None, to: Some(to) };
    };
    // SAFETY: as above.
    match unsafe { between.enter(to) } {
        Ok(_) => Kept { from: Some(from), to: None },
        Err(NotEntered { pointer, .. }) => Kept { from: Some(from), to: Some(pointer) },
    }
}

/// What is kept for a thread whose block is at `address`.
fn kept(address: u64) -> SavedPointer {
    let mut cpu = pointers();
    cpu.set_value(LwpMsr1::ADDRESS, address);
    let processor = Processor::enable(&mut cpu, &CAPS, &POLICY).unwrap();
    // SAFETY: the registers are variables; no hardware is behind them.
    unsafe { processor.leave() }.unwrap().0
}

// LWP-SEC-05: at every fault point LWPMSR1 is the old thread's, or 0, or the new one's, as the result says
#[test]
fn the_scheduler_switches_by_the_pointer() {
    let mut on = pointers();
    on.set_value(LwpMsr1::ADDRESS, 0x1000);
    let points = on.every_fault_point(GeneralProtection::Privilege, |cpu| {
        let Ok(processor) = Processor::enable(&mut *cpu, &CAPS, &POLICY) else { return };
        let outcome = switch_by_pointer(processor, kept(0x2000));
        let pointer = cpu.value(LwpMsr1::ADDRESS).unwrap();
        assert_eq!(cpu.get(LwpMsr0::MSR), ON);
        match outcome {
            Kept { from: Some(from), to: None } => {
                assert_eq!((from, pointer), (kept(0x1000), 0x2000));
                let (read, write) = (Access::Rdmsr(LwpMsr1::ADDRESS), |value| Access::Wrmsr(LwpMsr1::ADDRESS, value));
                let enabled = [Access::read(LwpMsr0::MSR), Access::write(LwpMsr0::MSR, ON)];
                cpu.assert_trace(&[enabled[0], enabled[1], read, write(0), write(0x2000)]);
            }
            Kept { from: Some(from), to } => assert_eq!((from, to, pointer), (kept(0x1000), Some(kept(0x2000)), 0)),
            Kept { from: None, to } => assert_eq!((to, pointer), (Some(kept(0x2000)), 0x1000)),
        }
    });
    assert_eq!(points, 5);
}

// LWP-SEC-03: a thread that has unmapped its block does not hold up the kernel
#[test]
fn a_session_without_its_block_is_abandoned() {
    let mut cpu = pointers();
    let processor = Processor::enable(&mut cpu, &CAPS, &POLICY).unwrap();
    // SAFETY: the registers are variables; no hardware is behind them.
    let processor = unsafe { processor.abandon() }.unwrap().enter_inactive();
    assert_eq!(processor.msr0(), ON);
    let msr0 = |bits| Access::write(LwpMsr0::MSR, LwpMsr0::from_bits(bits));
    cpu.assert_trace(&[Access::read(LwpMsr0::MSR), msr0(0x3), msr0(0x2), msr0(0x3)]);
}
