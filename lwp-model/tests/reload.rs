//! What a restored session reads from its block again, and when. Source: "Saving state at thread context switches" and "LWPCB Access".

use super::bench::{BUFFER, Bench, LWPCB, kernel, plain, user};
use lwp_model::lwp::MemCmd;

const OTHER_BUFFER: u64 = 0x4_0000;

/// The addresses that a reload reads: size, base, offsets, threshold, and eight slots.
fn reads() -> Vec<(MemCmd, u64, u8)> {
    let offsets = [0, 8, 16, 32, 40, 48, 56, 64, 72, 80, 88, 96];
    offsets.map(|offset| (MemCmd::Read, LWPCB + offset, 0xFF)).to_vec()
}

// LWP-CTX-11: restored in ring 3 with no change of mode: the first read of the block is granted in the third cycle after the response to the
// restore, and the whole block is read. The interval is the new one, the counter the saved one.
#[test]
fn restored_in_ring_3_the_block_is_read_at_once() {
    let mut bench = Bench::session(&[(1, 10, 10)]);
    bench.retire(&[plain(1)]);
    let words = bench.save_thread();
    bench.write32(LWPCB + 40, 1 << 26 | 5);
    bench.write32(LWPCB + 44, 77);
    bench.log.clear();
    bench.restore_thread(&words);
    bench.idle(3);
    assert_eq!(bench.log.first(), Some(&(MemCmd::Read, LWPCB, 0xFF)));
    bench.idle(60);
    assert_eq!(bench.log, reads());
    assert_eq!((bench.counter(1), bench.unit.state().events[0].interval), (9, 5));
    // Nine instructions to the record, then five.
    (2..=10).for_each(|ip| bench.retire(&[plain(ip)]));
    assert_eq!((bench.stored(), bench.counter(1)), (vec![10], 5));
}

// LWP-ACC-11: base and size have changed while the thread was away: records go to the new buffer, and the ring wraps at the new size, here
// three records.
#[test]
fn base_and_size_are_read_after_a_restore() {
    let mut bench = Bench::session(&[(1, 1, 1)]);
    bench.retire(&[plain(1)]);
    bench.enter(kernel());
    let words = bench.save_thread();
    bench.restore_thread(&[0; 8]);
    bench.memory.insert(LWPCB + 8, OTHER_BUFFER);
    bench.write32(LWPCB + 4, 96);
    bench.restore_thread(&words);
    bench.enter(user());
    bench.idle(60);
    let block = bench.unit.state().block;
    assert_eq!((block.base, block.size), (OTHER_BUFFER, 96));
    bench.write32(LWPCB + 20, 32);
    bench.retire(&[plain(2)]);
    bench.retire(&[plain(3)]);
    assert_eq!((bench.read64(OTHER_BUFFER + 32 + 8), bench.read64(OTHER_BUFFER + 64 + 8), bench.head()), (2, 3, 0));
    assert_eq!((bench.read64(BUFFER + 8), bench.read64(BUFFER + 32 + 8)), (1, 0), "the old buffer stays");
}
