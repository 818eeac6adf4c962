//! A control block that can be read and not written, followed by hand. Source: "LWP Control Instructions" and "LWP Control Block".

use super::bench::{Answer, BUFFER, Bench, LWPCB, plain};
use lwp_model::lwp::{CtlOp, MemCmd};

/// A block of 104 bytes that begins 16 bytes before the end of a page.
const ACROSS: u64 = 0x5_0FF0;

// LWP-LLW-25: either page of the new block is read-only: #PF for the first byte of it that is tested, the one at its beginning or the
// eight at its end. The new block is not read, and the old session is untouched.
#[test]
fn a_new_block_that_cannot_be_written() {
    for (page, byte) in [(0x50, ACROSS), (0x51, ACROSS + 96)] {
        let mut bench = Bench::session(&[(1, 10, 10)]);
        bench.block(ACROSS, 256, 0, &[(1, 3, 3)]);
        bench.retire(&[plain(1)]);
        bench.read_only.insert(page);
        let (before, memory) = (*bench.unit.state(), bench.memory.clone());
        assert_eq!(bench.op(CtlOp::Llwpcb, ACROSS), Answer::PageFault { addr: byte, write: true });
        assert!(bench.log.iter().all(|(cmd, ..)| *cmd == MemCmd::Probe), "{:?}", bench.log);
        let after = *bench.unit.state();
        assert_eq!((after.session, after.block, after.ring), (before.session, before.block, before.ring));
        assert_eq!((after.events, &bench.memory), (before.events, &memory));
        bench.read_only.clear();
        assert_eq!(bench.op(CtlOp::Llwpcb, ACROSS), Answer::Value(LWPCB));
        assert_eq!((bench.read32(LWPCB + 44), bench.read32(ACROSS), bench.counter(1)), (9, 0x8000_0003, 3));
    }
}

// LWP-LCB-06, LWP-SLW-09: the block of the session is made read-only: SLWPCB, which flushes to it, is #PF, and so is an LLWPCB that ends
// the session. The state is kept, and the flush succeeds once the page can be written.
#[test]
fn a_flush_to_a_block_that_cannot_be_written() {
    let mut bench = Bench::session(&[(1, 10, 10)]);
    bench.retire(&[plain(1)]);
    bench.read_only.insert(LWPCB / 0x1000);
    for op in [CtlOp::Slwpcb, CtlOp::Llwpcb] {
        assert_eq!(bench.op(op, 0), Answer::PageFault { addr: LWPCB + 16, write: true }, "{op:?}");
        let session = bench.unit.state().session;
        assert_eq!((session.lwpcb, session.active, bench.counter(1)), (LWPCB, true, 9), "{op:?}");
        assert_eq!(bench.read32(LWPCB + 44), 10, "{op:?}");
    }
    bench.retire(&[plain(2)]);
    bench.read_only.clear();
    assert_eq!(bench.op(CtlOp::Slwpcb, 0), Answer::Value(LWPCB));
    assert_eq!(bench.read32(LWPCB + 44), 8);
}

// LWP-LCB-06: the same of a store: the read of the tail is allowed, the write of the head faults, and the record is not published.
#[test]
fn a_store_to_a_block_that_cannot_be_written() {
    let mut bench = Bench::session(&[(1, 5, 1)]);
    bench.read_only.insert(LWPCB / 0x1000);
    bench.retire(&[plain(0xA)]);
    assert_eq!(bench.log[4..], [(MemCmd::Read, LWPCB + 16, 0xF0), (MemCmd::Write, LWPCB + 16, 0x0F)]);
    let out = bench.unit.outputs();
    assert_eq!((out.pf_valid, out.pf_write, out.pf_addr), (true, true, LWPCB + 16));
    assert_eq!((bench.head(), bench.unit.state().ring.head, bench.counter(1)), (0, 0, 0));
    bench.take_page_fault();
    bench.retire(&[plain(0xB)]);
    assert_eq!((bench.head(), bench.stored()), (32, vec![0xB]));
}

// Only the buffer is read-only: the first write of the record faults.
#[test]
fn a_store_to_a_buffer_that_cannot_be_written() {
    let mut bench = Bench::session(&[(1, 5, 1)]);
    bench.read_only.insert(BUFFER / 0x1000);
    bench.retire(&[plain(0xA)]);
    let out = bench.unit.outputs();
    assert_eq!((out.pf_valid, out.pf_write, out.pf_addr), (true, true, BUFFER));
    assert_eq!((bench.log.len(), bench.head()), (1, 0));
}
