//! From where an error shows back towards its source: `trace` records the branches of a program, and `debug` stops the next run at the newest.

use super::bench::*;
use crate::unit::Debug;
use lwp_model::debug;
use lwp_model::retire::{IntKind, Mode, OpMode, RegOp, RegRequest, RegResult, Retired};
use lwp_regs::debug::{Breakpoint, BreakpointSet, Slot, Slots};
use lwp_regs::trace::{LbrEntry, LbrFormat, LbrFrom, LbrInfo, LbrTo};

/// Addresses of the instructions, and where those lead that are jumps. The error shows at the last one.
const PROGRAM: [(u64, Option<u64>); 7] = [
    (0x1000, None),
    (0x1004, Some(0x2000)),
    (0x2000, None),
    (0x2004, Some(0x3000)),
    (0x3000, None),
    (0x3004, Some(0x4000)),
    (0x4000, None),
];

const HANDLER: u64 = 0x10_0000;

/// A core that asks before each instruction, with both units.
#[derive(Debug)]
struct Computer {
    trace: Bench<4, 32>,
    debug: Debug<4, 2>,
}

impl Computer {
    fn new() -> Self {
        Self { trace: Bench::new(deep()), debug: Debug::new(debug::Config::default()).unwrap() }
    }

    fn debug_cycle(&mut self, inputs: debug::Inputs<4>) -> debug::Outputs {
        let mode = Mode { cpl: 0, smm: false, op_mode: OpMode::Long64 };
        self.debug.step(&debug::Inputs { mode, ..inputs });
        self.debug.outputs()
    }

    fn write_dr(&mut self, number: u32, wdata: u64) {
        let reg = RegRequest { valid: true, op: RegOp::WriteDr, lp: 0, number, wdata };
        assert_eq!(self.debug_cycle(debug::Inputs { reg, ..debug::Inputs::default() }).reg_result, RegResult::Done);
    }

    /// The debugger sets breakpoint 0 at an address, and nothing else.
    fn stop_at(&mut self, address: u64) {
        let mut set = BreakpointSet::new();
        set.set_unchecked(Slot::Dr0, Breakpoint::execute(address));
        self.write_dr(0, set.get(Slot::Dr0).address);
        self.write_dr(7, set.control.into_bits());
    }

    /// Runs the program from its beginning, with the stack recording: the instruction before which #DB stopped it.
    fn run(&mut self) -> Option<u64> {
        self.trace.write(DEBUGCTL, LBR);
        for (ip, to) in PROGRAM {
            let ask = debug::Ask { valid: true, in_tx: false, ip };
            let out = self.debug_cycle(debug::Inputs { ask, ..debug::Inputs::default() });
            if out.db_valid {
                assert_eq!((out.db_class, out.db_b), (debug::DbClass::Fault, Slots::DR0));
                let int = debug::Interrupted { valid: true, kind: IntKind::Exception, from: ip, ..Default::default() };
                self.debug_cycle(debug::Inputs { int, db_ack: true, ..debug::Inputs::default() });
                self.trace.interrupt(IntKind::Exception, DB, ip, HANDLER);
                return Some(ip);
            }
            let mut inputs = debug::Inputs::default();
            inputs.lanes[0].retired = Retired { valid: true, counts: true, ip };
            self.debug_cycle(inputs);
            self.trace.retire(&[to.map_or(at(ip), |to| jump(ip, to))]);
        }
        None
    }

    /// The source of the newest branch, as software reads it.
    fn newest(&mut self) -> u64 {
        self.trace.write(DEBUGCTL, 0);
        let tos = self.trace.read(TOS) as u32;
        let (from, to) = (self.trace.read(FROM + tos), self.trace.read(TO + tos));
        let (from, to) = (LbrFrom::from_bits(from), LbrTo::from_bits(to));
        let entry = LbrEntry { from, to, info: LbrInfo::from_bits(0) };
        LbrFormat::EffectiveIpFlags.decode(entry).unwrap().from
    }
}

// LBR-02: the newest address of the stack goes into a breakpoint register; the next run stops at that branch, the one after it at the branch before
#[test]
fn from_the_last_branch_to_the_first() {
    let mut computer = Computer::new();
    assert_eq!(computer.run(), None, "without a breakpoint the program runs to the error");
    let stops = [(); 3].map(|()| {
        let source = computer.newest();
        computer.stop_at(source);
        computer.run()
    });
    assert_eq!(stops, [Some(0x3004), Some(0x2004), Some(0x1004)]);
}
