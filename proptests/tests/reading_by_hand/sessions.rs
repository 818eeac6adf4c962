//! How sessions begin, are flushed and saved: "LWP Control Instructions", "LWP Control Block".

use super::ports::{BLOCK, Ports, USER, slot};
use lwp_model::lwp::{Config, CtlOp, Inputs, MemCmd, Mode, Outputs};
use proptests::lwp::reading::Disputed;

// LWP-FLG-01, LWP-FLG-07, LWP-LLW-14: Flags name what is collected and nothing else.
#[test]
fn wrong_flags_are_refused() {
    for flags in [0, 1, 3, 0x8000_0007, 0xC000_0003] {
        let mut ports = Ports::new(&Config::default());
        ports.load(256, 0, slot(1, 1), flags);
        ports.refused("Flags");
    }
}

// LWP-LLW-16, LWP-LCB-42: a ring of one record cannot be used, so nothing is collected.
#[test]
fn an_unusable_ring_ends_the_session() {
    let mut ports = Ports::new(&Config::default());
    ports.load(32, 0, slot(1, 1), 0);
    ports.retire(0xA0);
    ports.operate(CtlOp::Slwpcb, 0, |_| {}, 0);
    ports.idle(20);
    assert_eq!(ports.end().map(|seen| seen.exact), Ok(0));
}

// LWP-SLW-01, LWP-SLW-02, LWP-CNT-16: SLWPCB writes head and counter and returns the pointer.
#[test]
fn a_flush_tells_the_counter() {
    for (value, right) in [(3_u64, true), (4, false), (2, false)] {
        let mut ports = Ports::new(&Config::default());
        ports.load(256, 0, slot(9, 5), 0x8000_0003);
        ports.retire(0xA0);
        ports.retire(0xA1);
        let flush = |ports: &mut Ports| {
            ports.write(BLOCK + 16, 0x0F, 0);
            ports.write(BLOCK + 40, 0xF0, value << 32);
        };
        ports.operate(CtlOp::Slwpcb, 0, flush, BLOCK);
        ports.accepted_or_refused(right, "the counter of event 1 is flushed as");
    }
}

// LWP-RST-08, AMB-19: word 9 of the context is the LFSR: 0 until the first reload, then its seed (1) advanced once for each
// record; and what was restored.
#[test]
fn the_saved_lfsr_is_that_of_the_reloads() {
    const ONCE: u64 = 0xB6F6_B6C3;
    const TWICE: u64 = 0x8A0F_3DB5;
    const RESTORED: u64 = 0x1234_5678;
    let cases = [
        (0, 0, RESTORED, true),
        (1, ONCE, RESTORED, true),
        (2, TWICE, RESTORED, true),
        (0, 1, RESTORED, false),
        (1, 0, RESTORED, false),
        (2, ONCE, RESTORED, false),
        (1, ONCE | 1 << 32, RESTORED, false),
        (1, ONCE, ONCE, false),
    ];
    for (records, first, second, right) in cases {
        let mut ports = Ports::new(&Config::default());
        ports.load(256, 0, slot(1, 1), 0x8000_0003);
        for at in 0..records {
            ports.retire(0xA0);
            ports.store(32 * at, 0xA0, 0, 32 * at + 32);
            ports.idle(20);
        }
        ports.enter(Mode { cpl: 0, ..USER });
        ports.context(CtlOp::Save, 9, 0, first);
        ports.context(CtlOp::Restore, 9, RESTORED, 0);
        ports.context(CtlOp::Save, 9, 0, second);
        ports.accepted_or_refused(right, "context word 9 is");
    }
}

// LWP-LLW-26: after a page fault of LLWPCB the old session goes on. A unit that loads it anew is let off only if asked for.
#[test]
fn a_faulting_llwpcb_changes_nothing() {
    for allowed in [false, true] {
        let mut ports = Ports::new(&Config::default());
        ports.reading = ports.reading.allowing(Disputed { reload_after_fault: allowed, ..Disputed::default() });
        ports.load(256, 0, slot(9, 5), 0x8000_0003);
        let mut inputs = Inputs::default();
        (inputs.ctl.valid, inputs.ctl.op, inputs.ctl.wdata) = (true, CtlOp::Llwpcb, BLOCK);
        ports.cycle(inputs, Outputs::default());
        ports.stall = true;
        ports.access(MemCmd::Probe, BLOCK, 0xFF, 0, Some(0));
        ports.write(BLOCK + 16, 0x0F, 0);
        ports.write(BLOCK + 40, 0xF0, 5 << 32);
        ports.access(MemCmd::Read, BLOCK, 0xFF, 0, None);
        let fault = lwp_model::lwp::Fault::PageFault;
        let out = Outputs { rsp_valid: true, rsp_fault: fault, rsp_fault_addr: BLOCK, ..Outputs::default() };
        ports.cycle(Inputs::default(), out);
        ports.idle(2);
        // The old block is loaded although it was never unloaded.
        ports.read(BLOCK, 256 << 32);
        ports.accepted_or_refused(allowed, "no record is on its way, but the unit accesses memory");
    }
}
