//! Blocks that replace one another, and themselves, followed by hand. Source: "LWP Control Instructions".

use super::bench::{Answer, BUFFER, Bench, LWPCB, kernel, plain, user};
use lwp_model::lwp::{Config, CtlOp, HeadFlush, MemCmd};

const OTHER: u64 = 0x3_0000;

// LWP-LLW-13: LLWPCB of the block that is active flushes to it and loads from it. Before, memory has the head and the counter of the
// beginning: the head is deferred up to the threshold, and counters are written by a flush alone. After, unit and memory have the head
// and the counter that the unit had, and the sequence goes on: the next record is the tenth instruction after the first, in place 1.
#[test]
fn the_same_block_again_keeps_head_and_counter() {
    let straps = Config { head_flush: HeadFlush::Deferred, ..Config::default() };
    let mut bench = Bench::session_with(straps, 128, &[(1, 10, 1)]);
    for ip in 1..=4 {
        bench.retire(&[plain(ip)]);
    }
    assert_eq!((bench.unit.state().ring.head, bench.counter(1)), (32, 7));
    assert_eq!((bench.head(), bench.read32(LWPCB + 44)), (0, 1), "memory is as it was loaded");
    assert_eq!(bench.op(CtlOp::Llwpcb, LWPCB), Answer::Value(LWPCB));
    assert_eq!((bench.head(), bench.read32(LWPCB + 44)), (32, 7), "flushed");
    assert_eq!((bench.unit.state().ring.head, bench.counter(1)), (32, 7), "and loaded");
    for ip in 5..=11 {
        bench.retire(&[plain(ip)]);
    }
    assert_eq!((bench.stored(), bench.counter(1)), (vec![1, 11], 10));
}

// LWP-LLW-30: before ring 3 is entered a second LLWPCB or WRMSR replaces the pointer. It returns the first block as the previous one,
// and nothing is flushed to that: neither of the two is accessed before ring 3, and the first is not accessed at all.
#[test]
fn a_newer_block_replaces_one_that_is_not_loaded_yet() {
    for first in [CtlOp::WriteMsr1, CtlOp::Llwpcb] {
        for (second, previous) in [(CtlOp::WriteMsr1, 0), (CtlOp::Llwpcb, LWPCB)] {
            let mut bench = Bench::new();
            bench.block(LWPCB, 256, 0, &[(1, 3, 3)]);
            bench.block(OTHER, 128, 0, &[(1, 9, 2)]);
            bench.enter(kernel());
            let memory = bench.memory.clone();
            assert_eq!(bench.op(first, LWPCB), Answer::Value(0));
            assert_eq!(bench.op(second, OTHER), Answer::Value(previous), "{second:?}");
            bench.idle(50);
            assert_eq!((bench.log.len(), &bench.memory), (0, &memory));
            bench.enter(user());
            bench.idle(60);
            assert_eq!(bench.log[..2], [(MemCmd::Probe, OTHER, 0xFF), (MemCmd::Probe, OTHER + 96, 0xFF)]);
            assert!(bench.log.iter().all(|(_, addr, _)| (OTHER..OTHER + 104).contains(addr)), "{:?}", bench.log);
            assert!(bench.memory.range(LWPCB..LWPCB + 104).eq(memory.range(LWPCB..LWPCB + 104)));
            assert_eq!((bench.read32(OTHER), bench.unit.state().block.size, bench.counter(1)), (0x8000_0003, 128, 2));
            bench.retire(&[plain(1), plain(2)]);
            assert_eq!((bench.read64(BUFFER + 8), bench.read32(OTHER + 16), bench.head()), (2, 32, 0));
            assert_eq!(bench.op(CtlOp::Slwpcb, 0), Answer::Value(OTHER));
        }
    }
}
