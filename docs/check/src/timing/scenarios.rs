//! The scenarios of the chapter "Timing diagrams". Cycle 0 is the first one recorded.

use crate::bench::{Bench, LWPCB};
use crate::figure::*;
use lwp_model::lwp::{CtlOp, Inputs};

const INSTRUCTIONS: u64 = 1;

/// All diagrams, in the order of the chapter.
pub(crate) fn all() -> Vec<Figure> {
    vec![record(), full(), fault(), withdrawn(), dropped(), llwpcb(), deferred()]
}

/// One record, and the instruction after it that counts again.
fn record() -> Figure {
    let mut bench = Bench::running(INSTRUCTIONS, 3, 1, 0);
    bench.retire(0x400);
    bench.idle(4);
    bench.retire(0x404);
    bench.idle(15);
    bench.retire(0x408);
    bench.idle(1);
    let signals = [RETIRE, COUNTER, STORE, BEAT, REQ, GNT, WAIT, RVALID, CMD, ADDR, HEAD, MEM_HEAD, IRQ];
    Figure::new("record", "One record, from retire to reset", 12, &bench.into_samples(), &signals)
}

/// Head 0, tail 32: the next head would be the tail.
fn full() -> Figure {
    let mut bench = Bench::running(INSTRUCTIONS, 3, 1, 32);
    bench.retire(0x400);
    bench.idle(23);
    let signals = [RETIRE, COUNTER, STORE, BEAT, REQ, GNT, WAIT, RVALID, CMD, ADDR, HEAD, TAIL, MEM_MISSED, IRQ];
    Figure::new("full", "The ring is full: the record is missed", 12, &bench.into_samples(), &signals)
}

/// The buffer's page is absent; the kernel brings it in.
fn fault() -> Figure {
    let mut bench = Bench::running(INSTRUCTIONS, 3, 1, 0);
    bench.absent = Some(8);
    bench.retire(0x400);
    bench.idle(3);
    bench.retire(0x404);
    bench.cpl = 0;
    bench.idle(1);
    bench.cycle(Inputs { pf_ack: true, ..Inputs::default() });
    bench.absent = None;
    bench.idle(1);
    bench.cpl = 3;
    bench.idle(1);
    bench.retire(0x404);
    bench.idle(4);
    let signals = [CPL, RETIRE, COUNTER, STORE, BEAT, REQ, GNT, WAIT, RVALID, ERR, ADDR, PF_VALID, PF_ACK];
    Figure::new("fault", "A page fault, and the record that is written after it", 14, &bench.into_samples(), &signals)
}

/// Ring 3 is left while the request of beat 1 stands and the memory is busy.
fn withdrawn() -> Figure {
    let mut bench = Bench::running(INSTRUCTIONS, 3, 1, 0);
    bench.retire(0x400);
    bench.idle(3);
    bench.busy = true;
    bench.idle(2);
    bench.cpl = 0;
    bench.idle(2);
    bench.busy = false;
    bench.cpl = 3;
    bench.idle(1);
    bench.retire(0x404);
    bench.idle(3);
    leaving("withdrawn", "Ring 3 is left in beat 1, request not yet granted: it is withdrawn", bench)
}

/// Ring 3 is left in the cycle in which beat 1 is granted; the response is late.
fn dropped() -> Figure {
    let mut bench = Bench::running(INSTRUCTIONS, 3, 1, 0);
    bench.retire(0x400);
    bench.idle(4);
    bench.late = 5;
    bench.cpl = 0;
    bench.idle(3);
    bench.cpl = 3;
    bench.idle(1);
    bench.retire(0x404);
    bench.idle(5);
    leaving("dropped", "Ring 3 is left in beat 1 in the cycle of the grant: the response belongs to nobody", bench)
}

fn leaving(name: &'static str, title: &'static str, bench: Bench) -> Figure {
    let signals = [CPL, RETIRE, COUNTER, STORE, BEAT, REQ, GNT, WAIT, DROP, RVALID, ADDR];
    Figure::new(name, title, 15, &bench.into_samples(), &signals)
}

/// LLWPCB from ring 3, no session before it, one event slot.
fn llwpcb() -> Figure {
    let mut bench = Bench::new(INSTRUCTIONS, 1000, 1000, 0);
    bench.operate(CtlOp::Llwpcb, LWPCB);
    bench.retire(0x400);
    let signals =
        [OP, RETIRE, STALL, CTL, IDX, REQ, GNT, WAIT, RVALID, CMD, ADDR, LWPCB_PTR, ACTIVE, COUNTER, MEM_FLAGS, RSP];
    Figure::new("llwpcb", "LLWPCB from ring 3, one event slot", 14, &bench.into_samples(), &signals)
}

/// The kernel switches threads: WRMSR LWPMSR1, then back to ring 3.
fn deferred() -> Figure {
    let mut bench = Bench::new(INSTRUCTIONS, 1000, 1000, 0);
    bench.cpl = 0;
    bench.idle(1);
    bench.operate(CtlOp::WriteMsr1, LWPCB);
    bench.idle(1);
    bench.cpl = 3;
    bench.idle(1);
    bench.idle(24);
    bench.retire(0x400);
    bench.idle(1);
    let signals =
        [CPL, OP, RETIRE, STALL, CTL, IDX, REQ, GNT, WAIT, RVALID, CMD, ADDR, LWPCB_PTR, PENDING, ACTIVE, COUNTER, RSP];
    Figure::new("deferred", "Deferred initialisation, one event slot", 16, &bench.into_samples()[1..], &signals)
}
