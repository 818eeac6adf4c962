//! The scenarios of the chapter "Timing diagrams". Cycle 0 is the first one recorded.

use crate::bench::{Bench, LWPCB};
use crate::figure::*;
use lwp_model::lwp::{AddressPolicy, Buffer, Config, CtlOp, Inputs, Load, StoreTiming};

/// Instructions retired.
const INSTRUCTIONS: u64 = 1;

/// DCache misses.
const MISS: u64 = 3;

/// All diagrams, in the order of the chapter.
pub(crate) fn all() -> Vec<Figure> {
    vec![record(), full(), fault(), withdrawn(), dropped(), cut(), replay(), llwpcb(), deferred()]
}

/// A session that counts instructions, with the default straps.
fn instructions(interval: u64, counter: u64, tail: u64) -> Bench {
    Bench::running(Config::default(), INSTRUCTIONS, interval, counter, tail)
}

/// One record, and the instruction after it that counts again.
fn record() -> Figure {
    let mut bench = instructions(3, 1, 0);
    bench.retire(0x400);
    bench.idle(4);
    bench.retire(0x404);
    bench.idle(16);
    bench.retire(0x408);
    bench.idle(1);
    let signals = [RETIRE, COUNTER, RECORD, STORE, BEAT, REQ, GNT, WAIT, RVALID, CMD, ADDR, HEAD, MEM_HEAD, IRQ];
    Figure::new("record", "One record, from retire to reset", 12, &bench.into_samples(), &signals)
}

/// Head 0, tail 32: the next head would be the tail.
fn full() -> Figure {
    let mut bench = instructions(3, 1, 32);
    bench.retire(0x400);
    bench.idle(17);
    bench.retire(0x404);
    bench.idle(7);
    let signals =
        [RETIRE, COUNTER, RECORD, STORE, BEAT, REQ, GNT, WAIT, RVALID, CMD, ADDR, HEAD, TAIL, MISSED, MEM_MISSED, IRQ];
    Figure::new("full", "The ring is full: the record is missed", 13, &bench.into_samples(), &signals)
}

/// The buffer's page is absent; the kernel brings it in.
fn fault() -> Figure {
    let mut bench = instructions(3, 1, 0);
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
    bench.retire(0x408);
    bench.idle(5);
    let signals = [CPL, RETIRE, COUNTER, RECORD, STORE, BEAT, REQ, GNT, WAIT, RVALID, ERR, ADDR, PF_VALID, PF_ACK];
    Figure::new("fault", "A page fault, and the record that is written after it", 15, &bench.into_samples(), &signals)
}

/// Ring 3 is left while the request of beat 1 stands and the memory is busy.
fn withdrawn() -> Figure {
    let mut bench = instructions(3, 1, 0);
    bench.retire(0x400);
    bench.idle(4);
    bench.busy = true;
    bench.idle(2);
    bench.cpl = 0;
    bench.idle(2);
    bench.busy = false;
    bench.cpl = 3;
    bench.idle(1);
    bench.retire(0x404);
    bench.idle(4);
    leaving("withdrawn", "Ring 3 is left in beat 1, request not yet granted: it is withdrawn", bench)
}

/// Ring 3 is left in the cycle in which beat 1 is granted; the response is late.
fn dropped() -> Figure {
    let mut bench = instructions(3, 1, 0);
    bench.retire(0x400);
    bench.idle(5);
    bench.late = 6;
    bench.cpl = 0;
    bench.idle(3);
    bench.cpl = 3;
    bench.idle(1);
    bench.retire(0x404);
    bench.idle(6);
    leaving("dropped", "Ring 3 is left in beat 1 in the cycle of the grant: the response belongs to nobody", bench)
}

/// A synchronous store: the first of two instructions gathers, the second comes again after the record is stored.
fn cut() -> Figure {
    let straps = Config { store_timing: StoreTiming::Sync, ..Config::default() };
    let mut bench = Bench::running(straps, INSTRUCTIONS, 3, 1, 0);
    bench.retire_group(&[0x400, 0x404]);
    bench.idle(21);
    bench.retire_group(&[0x404, 0x408]);
    bench.idle(1);
    let signals =
        [RETIRE, RETIRE1, COUNTER, STALL, CUT, CUT_LANE, RECORD, STORE, BEAT, REQ, GNT, WAIT, RVALID, ADDR, HEAD];
    Figure::new(
        "cut",
        "store_timing = sync: a group is cut after the lane that gathers",
        12,
        &bench.into_samples(),
        &signals,
    )
}

/// Tag, flush, replay: the load after the one that brings the counter to zero.
fn replay() -> Figure {
    let straps = Config { address_policy: AddressPolicy::Replay, ..Config::default() };
    let mut bench = Bench::running(straps, MISS, 3, 1, 0);
    bench.retire_load(0x400, Load { miss: true, latency: 70, source: 3, ..Load::default() });
    bench.idle(1);
    let buffer = Buffer { fill_valid: true, fill_ip: 0x404, fill_latency: 90, fill_source: 3, ..Buffer::default() };
    bench.cycle(Inputs { buffer, ..Inputs::default() });
    bench.idle(4);
    bench.retire_load(0x404, Load { tagged: true, addr_valid: true, addr: 0x7000, ..Load::default() });
    bench.idle(4);
    let signals = [RETIRE, MISS_PORT, TAGGED, DATA, FILL, MISSES, TAG, FLUSH, RECORD, STORE, REQ, ADDR];
    Figure::new("replay", "address_policy = replay: tag, flush, replay", 12, &bench.into_samples(), &signals)
}

fn leaving(name: &'static str, title: &'static str, bench: Bench) -> Figure {
    let signals = [CPL, RETIRE, COUNTER, RECORD, STORE, BEAT, REQ, GNT, WAIT, DROP, RVALID, ADDR];
    Figure::new(name, title, 17, &bench.into_samples(), &signals)
}

/// LLWPCB from ring 3, no session before it, one event slot.
fn llwpcb() -> Figure {
    let mut bench = Bench::new(Config::default(), INSTRUCTIONS, 1000, 1000, 0);
    bench.operate(CtlOp::Llwpcb, LWPCB);
    bench.retire(0x400);
    let signals =
        [OP, RETIRE, STALL, CTL, IDX, REQ, GNT, WAIT, RVALID, CMD, ADDR, LWPCB_PTR, ACTIVE, COUNTER, MEM_FLAGS, RSP];
    Figure::new("llwpcb", "LLWPCB from ring 3, one event slot", 14, &bench.into_samples(), &signals)
}

/// The kernel switches threads: WRMSR LWPMSR1, then back to ring 3.
fn deferred() -> Figure {
    let mut bench = Bench::new(Config::default(), INSTRUCTIONS, 1000, 1000, 0);
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
