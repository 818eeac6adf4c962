//! A page fault of a store of `lwp`, a single step and an external interrupt at one boundary: a core with both units, which executes one
//! instruction at a time. Source: "TLB and Cache misses during LWP logging"; AMB-74 of the page `docs/src/lwp/decisions.md`.

use super::super::bench::{BUFFER, Bench as Lwp, kernel, plain, user};
use super::bench::{Bench, at, of_kind, stepped};
use super::core::{EXTERNAL, PAGE_FAULT};
use lwp_model::debug::{Config as DebugConfig, DbClass, Inputs, Interrupted, LaneKind};
use lwp_model::lwp::{Config, FaultPolicy, LeavePolicy, StoreTiming};
use lwp_model::retire::IntKind;
use lwp_regs::debug::DEBUG_VECTOR;

/// DR6 before and after a single step.
const NO_STEP: u64 = 0xFFFF_0FF0;
const STEP: u64 = 0xFFFF_4FF0;

/// What the core pushes at a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Frame {
    vector: u8,
    ip: u64,
    rf: bool,
}

/// In ring 3 with TF = 1 at address 1000H. All instructions are four bytes long; handlers return at once.
struct Core {
    lwp: Lwp,
    debug: Bench,
    ip: u64,
    /// An external interrupt is pending.
    interrupt: bool,
    stack: Vec<Frame>,
}

impl Core {
    /// The next instruction is recorded, and the buffer is absent.
    fn new(straps: Config) -> Self {
        let mut lwp = Lwp::session_with(straps, 0, &[(1, 100, 1)]);
        lwp.absent.insert(BUFFER >> 12);
        let mut debug = Bench::new(DebugConfig::default());
        debug.stays.mode.cpl = 3;
        Self { lwp, debug, ip: 0x1000, interrupt: false, stack: Vec::new() }
    }

    /// A cycle without an instruction.
    fn idle(&mut self) {
        self.lwp.idle(1);
        self.debug.group(&[]);
    }

    /// Executes an instruction with TF = 1, up to where it has retired or was undone. The debug unit sees what has retired.
    fn execute(&mut self) {
        assert!(!self.debug.out().db_valid && !self.lwp.unit.outputs().stall);
        self.lwp.retire_now(&[plain(self.ip)]);
        self.debug.group(&[]);
        while self.lwp.unit.outputs().stall && !self.lwp.unit.outputs().pf_valid {
            self.idle();
        }
        if !self.undone() {
            self.lwp.idle(1);
            self.debug.group(&[stepped(self.ip)]);
            self.ip += 4;
        }
    }

    /// Whether the last instruction was undone for a #PF that is a fault.
    fn undone(&self) -> bool {
        let out = self.lwp.unit.outputs();
        out.pf_valid && out.pf_abort
    }

    /// Waits as long as ring 3 must not be left.
    fn drain(&mut self) {
        while self.lwp.unit.outputs().drain {
            self.idle();
        }
    }

    /// Delivers what is pending, in the recommended order.
    fn boundary(&mut self) {
        self.drain();
        if self.undone() {
            self.page_fault();
        }
        if self.debug.out().db_valid {
            assert_eq!(self.debug.out().db_class, DbClass::Trap);
            self.deliver(DEBUG_VECTOR, IntKind::Exception, true);
        }
        if self.lwp.unit.outputs().pf_valid {
            self.page_fault();
        }
        if self.interrupt {
            self.interrupt = false;
            self.deliver(EXTERNAL, IntKind::Interrupt, false);
        }
    }

    /// Delivers #PF and pages in.
    fn page_fault(&mut self) {
        self.deliver(PAGE_FAULT, IntKind::Exception, !self.undone());
        self.lwp.cycle(lwp_model::lwp::Inputs { pf_ack: true, ..Default::default() });
        self.debug.group(&[]);
        self.lwp.absent.clear();
    }

    fn deliver(&mut self, vector: u8, kind: IntKind, trap: bool) {
        let int = Interrupted { valid: true, kind, from: self.ip, trap, ..Interrupted::default() };
        self.lwp.enter(kernel());
        self.debug.stays.mode.cpl = 0;
        let out = self.debug.cycle(Inputs { int, db_ack: vector == DEBUG_VECTOR, ..Inputs::default() });
        assert!(out.frame_valid);
        self.stack.push(Frame { vector, ip: self.ip, rf: out.frame_rf });
        self.ip = 0x10_0000 * u64::from(vector);
    }

    /// All handlers return, the last one first.
    fn return_to_ring_3(&mut self) {
        while let Some(frame) = self.stack.pop() {
            let mut iret = of_kind(self.ip, LaneKind::Iret);
            iret.debug.rf_image = frame.rf;
            self.lwp.retire_now(&[plain(self.ip)]);
            self.debug.group(&[iret]);
            self.ip = frame.ip;
        }
        self.lwp.enter(user());
        self.debug.stays.mode.cpl = 3;
        self.debug.group(&[]);
        while self.lwp.unit.outputs().stall {
            self.idle();
        }
    }
}

const fn frame(vector: u8, ip: u64, rf: bool) -> Frame {
    Frame { vector, ip, rf }
}

// LWP-FLT-15: with policy fault the instruction at 1000H is undone: #PF returns to it, with RF as of a fault, and there is no #DB. It is
// executed again and recorded, and then #DB comes behind it.
#[test]
fn a_policy_fault_comes_before_the_single_step() {
    let straps = Config { fault_policy: FaultPolicy::Fault, store_timing: StoreTiming::Sync, ..Config::default() };
    let mut core = Core::new(straps);
    core.execute();
    core.boundary();
    assert_eq!((core.stack.as_slice(), core.debug.dr6()), ([frame(14, 0x1000, true)].as_slice(), NO_STEP));
    core.return_to_ring_3();
    core.execute();
    assert_eq!(core.lwp.stored(), [0x1000]);
    core.boundary();
    assert_eq!((core.stack.as_slice(), core.debug.dr6()), ([frame(1, 0x1004, false)].as_slice(), STEP));
}

/// The straps with which a store of the instruction that is stepped can fault before #DB is delivered: the instruction waits for the store,
/// or ring 3 is not left before it.
fn traps() -> impl Iterator<Item = Config> {
    let timings = [(StoreTiming::Sync, LeavePolicy::Discard), (StoreTiming::Async, LeavePolicy::Drain)];
    timings.into_iter().flat_map(|(store_timing, leave_policy)| {
        [FaultPolicy::Trap, FaultPolicy::TrapPending, FaultPolicy::Nonpaged].map(|fault_policy| Config {
            fault_policy,
            store_timing,
            leave_policy,
            ..Config::default()
        })
    })
}

// LWP-FLT-15: with a trap policy the instruction has retired: #DB behind it, then #PF, then the interrupt, each before the first instruction of
// the handler that was entered before.
#[test]
fn trap_policies_come_after_the_single_step_and_before_interrupts() {
    for straps in traps() {
        let mut core = Core::new(straps);
        core.execute();
        core.interrupt = true;
        core.drain();
        assert!(core.debug.out().db_valid && core.lwp.unit.outputs().pf_valid, "at one boundary: {straps:?}");
        core.boundary();
        let frames = [frame(1, 0x1004, false), frame(14, 0x10_0000, false), frame(0x20, 0xE0_0000, false)];
        assert_eq!((core.stack.as_slice(), core.debug.dr6()), (frames.as_slice(), STEP), "{straps:?}");
        core.return_to_ring_3();
        core.lwp.retire(&[plain(core.ip)]);
        let stored = if straps.fault_policy == FaultPolicy::TrapPending { 0x1000 } else { 0x1004 };
        assert_eq!(core.lwp.stored(), [stored], "{straps:?}");
    }
}

// LWP-FLT-15: why in this order: the debug unit loses its request to an exception that is delivered first, while the page fault and the
// interrupt stay pending.
#[test]
fn the_single_step_cannot_wait_for_the_page_fault() {
    for straps in traps() {
        let mut core = Core::new(straps);
        core.execute();
        core.drain();
        core.page_fault();
        assert_eq!((core.debug.out().db_valid, core.debug.dr6()), (false, NO_STEP), "{straps:?}");
        core.return_to_ring_3();
        core.debug.group(&[at(core.ip)]);
        assert!(!core.debug.out().db_valid, "{straps:?}");
    }
}
