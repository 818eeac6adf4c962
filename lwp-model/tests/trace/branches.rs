//! The branch trace store: records in memory, in both formats, their places, and what ends a record.

use super::area::*;
use super::bench::*;
use lwp_model::retire::{IntKind, MemAnswer, MemCmd, MemRequest, OpMode, RegOp, RegRequest};
use lwp_model::trace::{Config, Inputs, Step};

type Small = Bench<1, 4>;
type Large = Bench<4, 32>;

// DCTL-07, BTS-08, BTS-14, BTS-19, BTS-20, BTS-21, BTS-22, BTS-23: 24 bytes for each branch, interrupt and exception; the index follows
#[test]
fn records_of_24_bytes() {
    let mut bench = Large::tracing(deep(), TR | BTS | BTINT, 8, 8);
    bench.retire(&[predicted(jump(0xFFFF_FFFF_8100_0010, 0x200), true), predicted(jump(0x200, 0x300), false)]);
    bench.retire(&[jump(0x300, 0x400)]);
    bench.rest();
    bench.interrupt(IntKind::Exception, 14, 0x404, 0xFFFF_FFFF_8200_0000);
    bench.interrupt(IntKind::Interrupt, 0x80, 0xFFFF_FFFF_8200_0000, 0x500);
    bench.rest();
    let expected = [
        [0xFFFF_FFFF_8100_0010, 0x200, 0x10],
        [0x200, 0x300, 0],
        [0x300, 0x400, 0],
        [0x404, 0xFFFF_FFFF_8200_0000, 0],
        [0xFFFF_FFFF_8200_0000, 0x500, 0],
    ];
    assert_eq!(bench.memory.fields(BUFFER, true, 15), expected.concat());
    assert_eq!(bench.index(AREA, true, false), BUFFER + 5 * 24);
    assert_eq!((bench.seen.stored, bench.seen.lost, bench.seen.ds_pmi), (5, 0, 0));
}

// BTS-13, BTS-14, BTS-15, BTS-16, BTS-20, BTS-21, BTS-22, BTS-23: 12 bytes in the 32-bit format; its fields are 4 bytes apart
#[test]
fn records_of_12_bytes() {
    let mut bench = Small::new(without_dtes64());
    bench.stays.mode.op_mode = OpMode::Protected;
    bench.describe(AREA32, false, false, [BUFFER32, BUFFER32, BUFFER32 + 36, BUFFER32 + 24]);
    bench.write(DS_AREA, AREA32);
    bench.write(DEBUGCTL, TR | BTS | BTINT);
    bench.retire(&[predicted(jump(0xFFFF_FFFF_8100_0010, 0x1_0000_0200), true)]);
    bench.rest();
    bench.idle();
    assert_eq!(bench.index(AREA32, false, false), BUFFER32 + 12);
    let stored: Vec<_> = [0x200, 0x300, 0x400].into_iter().map(|from| bench.store(from, from + 0x100)).collect();
    assert_eq!(stored, [DUE, STORED, LOST]);
    let expected = [[0x8100_0010, 0x200, 0x10], [0x200, 0x300, 0], [0x300, 0x400, 0]];
    assert_eq!(bench.memory.fields(BUFFER32, false, 10), [expected.concat(), vec![0]].concat());
    // The neighbours in the aligned 8 bytes are not written.
    let log = &bench.memory.log;
    let parts: Vec<_> = log.iter().filter(|access| access.cmd == MemCmd::Write).map(|access| access.be).collect();
    assert_eq!(parts[..8], [0x0F, 0xF0, 0x0F, 0xF0, 0xF0, 0x0F, 0xF0, 0xF0]);
    let fields = bench.memory.fields(AREA32, false, 4);
    assert_eq!(fields, [BUFFER32, BUFFER32 + 36, BUFFER32 + 36, BUFFER32 + 24]);
}

// BTS-20: the format is that of the mode at the branch, or with DTES64 always the 64-bit one
#[test]
fn the_format_of_the_mode() {
    for (dtes64, op_mode, wide) in [
        (false, OpMode::Real, false),
        (false, OpMode::Virtual8086, false),
        (false, OpMode::Protected, false),
        (false, OpMode::Compatibility, true),
        (false, OpMode::Long64, true),
        (true, OpMode::Protected, true),
        (true, OpMode::Real, true),
    ] {
        let mut bench = Small::new(Config { dtes64, ..Config::default() });
        bench.write(DS_AREA, AREA32);
        bench.write(DEBUGCTL, TR | BTS);
        bench.describe(AREA32, wide, false, [BUFFER32, BUFFER32, BUFFER32 + 240, 0]);
        bench.stays.mode.op_mode = op_mode;
        bench.jump(0x100, 0x200);
        // The mode has changed when the record is stored.
        bench.stays.mode.op_mode = if wide { OpMode::Protected } else { OpMode::Long64 };
        bench.pass(40);
        assert_eq!(bench.memory.fields(BUFFER32, wide, 3), [0x100, 0x200, 0], "{dtes64} {op_mode:?}");
        assert_eq!(bench.index(AREA32, wide, false), BUFFER32 + if wide { 24 } else { 12 });
    }
}

// BTS-38, BTS-39, DCTL-07: BTS chooses between bus and memory; no record goes to both
#[test]
fn messages_or_records() {
    for (debugctl, message, record) in [(TR, 1, 0), (TR | BTS, 0, 1), (TR | BTS | BTINT, 0, 1), (BTS, 0, 0)] {
        let mut bench = Small::tracing(Config::default(), debugctl, 4, 4);
        bench.jump(0x100, 0x200);
        bench.rest();
        bench.idle();
        assert_eq!((bench.seen.messages.len(), bench.seen.stored), (message, record), "{debugctl:x}");
        assert_eq!(bench.memory.field(BUFFER, true) == 0x100, record == 1);
    }
}

// BTS-02, BTS-08: a debug exception makes a record by its strap; BTS and TR stay
#[test]
fn a_debug_exception() {
    for db_message in [false, true] {
        let mut bench = Small::tracing(Config { db_message, ..Config::default() }, TR | BTS, 4, 4);
        bench.interrupt(IntKind::Exception, DB, 0x100, 0x9000);
        bench.rest();
        assert_eq!((bench.index(AREA, true, false) - BUFFER, bench.debugctl()), (24 * u64::from(db_message), TR | BTS));
    }
}

// DCTL-09, DCTL-10, DCTL-21: no records of the level that is switched off
#[test]
fn privilege() {
    for (flags, cpl, recorded) in [(OFF_OS, 0, 0), (OFF_OS, 3, 1), (OFF_USR, 0, 1), (OFF_USR, 3, 0)] {
        let mut bench = Small::tracing(Config::default(), TR | BTS | flags, 4, 4);
        bench.stays.mode.cpl = cpl;
        bench.jump(0x100, 0x200);
        bench.rest();
        bench.idle();
        assert_eq!((bench.seen.stored, bench.memory.log.is_empty()), (recorded, recorded == 0), "{flags:x} {cpl}");
    }
}

// DCTL-08, BTS-04, BTS-15, BTS-16, BTS-40, BTS-48: BTINT: one interrupt, with the record that reaches the threshold; what finds no room is
// lost, and tracing goes on
#[test]
fn a_buffer_with_an_interrupt() {
    let mut bench = Small::tracing(Config::default(), TR | BTS | BTINT, 4, 2);
    let results: Vec<_> = (1..=6).map(|n| bench.store(0x100 * n, 0x9000)).collect();
    assert_eq!(results, [STORED, DUE, STORED, STORED, LOST, LOST]);
    let sources: Vec<_> = (0..5).map(|record| bench.memory.field(BUFFER + 24 * record, true)).collect();
    assert_eq!(sources, [0x100, 0x200, 0x300, 0x400, 0]);
    assert_eq!((bench.index(AREA, true, false), bench.debugctl()), (BUFFER + 96, TR | BTS | BTINT));
    // Software sets the index back: the area was not disabled.
    bench.describe(AREA, true, false, [BUFFER, BUFFER, BUFFER + 96, BUFFER + 48]);
    assert_eq!([bench.store(0x700, 0x9000), bench.store(0x800, 0x9000)], [STORED, DUE]);
}

// BTS-16, BTS-40: the record that reaches the threshold, also if that is not at a record; none at or behind it, and none of a threshold that is never reached
#[test]
fn thresholds() {
    for (threshold, results) in [
        (BUFFER, [STORED; 3]),
        (BUFFER - 24, [STORED; 3]),
        (BUFFER + 1, [DUE, STORED, STORED]),
        (BUFFER + 24, [DUE, STORED, STORED]),
        (BUFFER + 25, [STORED, DUE, STORED]),
        (BUFFER + 72, [STORED, STORED, DUE]),
        (BUFFER + 73, [STORED; 3]),
        (u64::MAX, [STORED; 3]),
    ] {
        let mut bench = Small::tracing(Config::default(), TR | BTS | BTINT, 4, 0);
        bench.describe(AREA, true, false, [BUFFER, BUFFER, BUFFER + 72, threshold]);
        assert_eq!([1, 2, 3].map(|n| bench.store(0x100 * n, 0x9000)), results, "{threshold:x}");
    }
}

// DCTL-08, BTS-04, BTS-15, BTS-40: circular without BTINT: the index goes back to the base with the record that fills the buffer, without an
// interrupt
#[test]
fn a_circular_buffer() {
    for spare in [0, 1, 8, 23] {
        let mut bench = Small::tracing(Config::default(), TR | BTS, 3, 1);
        // What is left at the end is not used. The absolute maximum has to be aligned.
        bench.describe(AREA, true, false, [BUFFER, BUFFER, BUFFER + 72 + (spare & !7), BUFFER + 24]);
        let indices: Vec<_> = (1..=5)
            .map(|n| {
                assert_eq!(bench.store(0x100 * n, 0x9000), STORED);
                bench.index(AREA, true, false) - BUFFER
            })
            .collect();
        assert_eq!(indices, [24, 48, 0, 24, 48]);
        let sources: Vec<_> = (0..4).map(|record| bench.memory.field(BUFFER + 24 * record, true)).collect();
        assert_eq!(sources, [0x400, 0x500, 0x300, 0]);
    }
}

// BTS-40: BTINT is cleared while the buffer is full: the next record goes to the base
#[test]
fn a_full_buffer_becomes_circular() {
    let mut bench = Small::tracing(Config::default(), TR | BTS | BTINT, 2, 9);
    assert_eq!([1, 2, 3].map(|n| bench.store(0x100 * n, 0x9000)), [STORED, STORED, LOST]);
    bench.write(DEBUGCTL, TR | BTS);
    assert_eq!(bench.store(0x400, 0x9000), STORED);
    assert_eq!((bench.memory.field(BUFFER, true), bench.index(AREA, true, false)), (0x400, BUFFER + 24));
    // A circular buffer in which no record has room.
    bench.describe(AREA, true, false, [BUFFER, BUFFER, BUFFER + 16, 0]);
    assert_eq!(bench.store(0x500, 0x9000), LOST);
}

// BTS-14, BTS-15: nothing is written with an index outside, nor with an area that makes no sense
#[test]
fn an_area_that_makes_no_sense() {
    let end = BUFFER + 96;
    for fields in [
        [BUFFER, BUFFER - 24, end, 0],
        [BUFFER, end + 24, end, 0],
        [BUFFER, end + 8, end, 0],
        [BUFFER, u64::MAX - 7, end, 0],
        [BUFFER, BUFFER, BUFFER - 8, 0],
        [BUFFER + 4, BUFFER + 8, end, 0],
        [BUFFER, BUFFER + 4, end, 0],
        [BUFFER, BUFFER, end + 4, 0],
        [BUFFER + 1, BUFFER + 8, end, 0],
        // A place that ends behind the absolute maximum.
        [BUFFER, BUFFER + 80, end, 0],
        [BUFFER, u64::MAX - 7, u64::MAX - 7, 0],
    ] {
        let mut bench = Small::tracing(Config::default(), TR | BTS | BTINT, 0, 0);
        bench.describe(AREA, true, false, fields);
        assert_eq!(bench.store(0x100, 0x200), LOST, "{fields:x?}");
        assert!(bench.memory.log.iter().all(|access| access.cmd == MemCmd::Read), "{fields:x?}");
    }
    // Any index at a multiple of 8 is a place.
    let mut bench = Small::tracing(Config::default(), TR | BTS | BTINT, 0, 0);
    bench.describe(AREA, true, false, [BUFFER, BUFFER + 8, BUFFER + 32, 0]);
    assert_eq!((bench.store(0x100, 0x200), bench.memory.field(BUFFER + 8, true)), (STORED, 0x100));
}

// BTS-12, BTS-15: with a management area that is not at a multiple of 8 nothing is read
#[test]
fn a_misaligned_management_area() {
    for offset in 1..8 {
        let mut bench = Small::tracing(Config::default(), TR | BTS, 4, 4);
        bench.write(DS_AREA, AREA + offset);
        bench.jump(0x100, 0x200);
        let out = bench.idle();
        assert_eq!((out.lost, out.reg_ready, bench.memory.log.len()), (true, true, 0), "{offset}");
    }
}

// TRC-17: an absent page ends the record at each access; the index is not written, so nothing half written is published
#[test]
fn page_faults() {
    for (absent, writes) in
        [(AREA, 0), (AREA + 8, 0), (AREA + 16, 0), (AREA + 24, 0), (BUFFER, 1), (BUFFER + 8, 2), (BUFFER + 16, 3)]
    {
        let mut bench = Small::tracing(Config::default(), TR | BTS | BTINT, 4, 1);
        bench.memory.absent = vec![absent];
        assert_eq!(bench.store(0x100, 0x200), LOST, "{absent:x}");
        let log = &bench.memory.log;
        assert_eq!(log.iter().filter(|access| access.cmd == MemCmd::Write).count(), writes);
        assert_eq!(log.last().map(|access| access.addr), Some(absent), "nothing follows");
        assert_eq!(bench.index(AREA, true, false), BUFFER);
        // The next one is stored once the page is there.
        bench.memory.absent.clear();
        assert_eq!(bench.store(0x300, 0x400), DUE);
        assert_eq!(bench.memory.field(BUFFER, true), 0x300);
    }
}

// TRC-17: a fault at the write of the index
#[test]
fn a_page_fault_at_the_index() {
    let mut bench = Small::tracing(Config::default(), TR | BTS | BTINT, 4, 1);
    bench.jump(0x100, 0x200);
    while bench.unit.state().store.step != Step::Publish {
        bench.idle();
    }
    bench.memory.absent = vec![AREA + 8];
    bench.rest();
    assert_eq!((bench.seen.stored, bench.seen.lost, bench.seen.ds_pmi), (0, 1, 0));
    assert_eq!(bench.index(AREA, true, false), BUFFER);
}

// TRC-17: faults of the 32-bit format
#[test]
fn page_faults_of_the_32_bit_format() {
    for absent in [AREA32, AREA32 + 8, BUFFER32, BUFFER32 + 8] {
        let mut bench = Small::new(without_dtes64());
        bench.stays.mode.op_mode = OpMode::Protected;
        bench.describe(AREA32, false, false, [BUFFER32, BUFFER32, BUFFER32 + 36, BUFFER32 + 24]);
        bench.write(DS_AREA, AREA32);
        bench.write(DEBUGCTL, TR | BTS);
        bench.memory.absent = vec![absent];
        assert_eq!(bench.store(0x100, 0x200), LOST, "{absent:x}");
    }
}

// BTS-08: a WRMSR that ends tracing waits until all that was collected is in memory and its index is written
#[test]
fn a_write_waits_for_the_records() {
    for latency in [0, 3] {
        let mut bench = Large::tracing(deep(), TR | BTS, 8, 8);
        bench.memory.latency = latency;
        bench.retire(&[jump(0x100, 0x200), jump(0x200, 0x300), jump(0x300, 0x400)]);
        let reg = RegRequest { valid: true, op: RegOp::Wrmsr, lp: 0, number: DEBUGCTL, wdata: 0 };
        while !bench.cycle(Inputs { reg, ..Inputs::default() }).reg_done {
            assert_eq!(bench.debugctl(), TR | BTS);
        }
        assert_eq!((bench.debugctl(), bench.seen.stored), (0, 3));
        assert_eq!(bench.index(AREA, true, false), BUFFER + 72);
        assert_eq!(bench.memory.field(BUFFER + 48, true), 0x300);
    }
}

// BTS-08, DCTL-13: neither an SMI nor a change of level nor a debug exception takes back what waits
#[test]
fn what_waits_is_stored() {
    let mut bench = Large::tracing(deep(), TR | BTS | OFF_USR | FREEZE_SMM, 8, 8);
    bench.retire(&[jump(0x100, 0x200), jump(0x200, 0x300)]);
    bench.interrupt(IntKind::Smi, 0, 0x300, 0x3_8000);
    bench.stays.mode.cpl = 3;
    bench.rest();
    assert_eq!(bench.memory.fields(BUFFER, true, 6), [0x100, 0x200, 0, 0x200, 0x300, 0]);
    assert_eq!(bench.index(AREA, true, false), BUFFER + 48);
}

// BTS-05: while records are stored the core waits for a queue without room; none is lost
#[test]
fn the_core_waits_for_memory() {
    let mut bench = Large::tracing(deep(), TR | BTS | BTINT, 20, 20);
    bench.memory.latency = 2;
    let mut stalls = 0;
    for group in 0..5_u64 {
        while bench.out().stall {
            bench.idle();
            stalls += 1;
        }
        let lane = |lane| jump(0x1000 + 0x10 * group + lane, 0x9000);
        bench.group(&[lane(0), lane(1), lane(2), lane(3)]);
    }
    bench.rest();
    bench.idle();
    assert!(stalls > 100, "{stalls}");
    assert_eq!((bench.seen.stored, bench.seen.lost, bench.seen.ds_pmi), (20, 0, 1));
    for record in 0..20 {
        assert_eq!(bench.memory.field(BUFFER + 24 * record, true), 0x1000 + 0x10 * (record / 4) + record % 4);
    }
}

// DCTL-07: BTS and the format are looked at when the branch is collected
#[test]
fn messages_and_records_leave_in_order() {
    // RSM restores an IA32_DEBUGCTL with other flags, behind the message.
    let mut bench = Large::tracing(deep(), TR | BTS | FREEZE_SMM, 1, 1);
    bench.retire(&[jump(0x100, 0x200)]);
    bench.interrupt(IntKind::Smi, 0, 0x200, 0x3_8000);
    bench.rest();
    bench.write(DEBUGCTL, TR | FREEZE_SMM);
    bench.stays.btm_ready = false;
    bench.retire(&[jump(0x300, 0x400)]);
    bench.interrupt(IntKind::Rsm, 0, 0x400, 0x200);
    assert_eq!(bench.debugctl(), TR | BTS | FREEZE_SMM);
    bench.retire(&[jump(0x500, 0x600)]);
    bench.pass(10);
    assert_eq!((bench.seen.stored, bench.out().btm_from), (1, 0x300), "the record is behind the message");
    bench.stays.btm_ready = true;
    bench.rest();
    bench.idle();
    assert_eq!((bench.seen.messages.len(), bench.seen.stored, bench.memory.field(BUFFER, true)), (1, 2, 0x500));
}

// DCTL-24: the store's own interrupt freezes the stack at once; a circular buffer never does
#[test]
fn the_threshold_freezes_the_stack() {
    for (btint, frozen) in [(BTINT, true), (0, false)] {
        let mut bench = Small::tracing(Config::default(), LBR | TR | BTS | FREEZE_LBRS | btint, 4, 1);
        bench.jump(0x100, 0x200);
        while !bench.out().stored {
            bench.idle();
        }
        assert_eq!((bench.out().ds_pmi, bench.debugctl() & LBR), (frozen, LBR), "in the cycle of the pulse");
        bench.idle();
        assert_eq!(bench.debugctl() & LBR, u64::from(!frozen));
        bench.jump(0x200, 0x300);
        assert_eq!(bench.tos(), if frozen { 1 } else { 2 });
    }
}

// BTS-07, BTS-19: what memory answers without being asked is ignored, and a request stays until it is granted
#[test]
fn the_memory_port() {
    let mut bench = Small::tracing(Config::default(), TR | BTS, 4, 4);
    let noise = MemAnswer { gnt: true, rvalid: true, err: true, rdata: 0x55 };
    bench.answered(Inputs::default(), noise);
    let mut lanes = Inputs::default();
    lanes.lanes[0] = jump(0x100, 0x200);
    bench.answered(lanes, noise);
    let out = bench.answered(Inputs::default(), noise);
    assert_eq!((bench.unit.state().store.step, out.mem.req), (Step::Base, false));
    let none = MemAnswer::default();
    for _ in 0..3 {
        let request = bench.answered(Inputs::default(), none).mem;
        let expected = MemRequest { req: true, cmd: MemCmd::Read, be: 0xFF, addr: AREA, wdata: 0 };
        assert_eq!(request, expected);
        // A response without a grant is no response.
        assert_eq!(bench.answered(Inputs::default(), MemAnswer { gnt: false, ..noise }).mem, expected);
    }
    let granted = MemAnswer { gnt: true, ..none };
    let out = bench.answered(Inputs::default(), granted);
    assert_eq!((out.mem, bench.unit.state().port.mem_wait), (MemRequest::default(), true));
    // A second grant is ignored; the response is taken.
    bench.answered(Inputs::default(), granted);
    let response = MemAnswer { rvalid: true, rdata: BUFFER, ..none };
    bench.answered(Inputs::default(), response);
    let store = bench.unit.state().store;
    assert_eq!((store.step, store.base, bench.unit.state().port.mem_wait), (Step::Index, BUFFER, false));
    bench.rest();
    bench.idle();
    assert_eq!(bench.seen.stored, 1);
}
