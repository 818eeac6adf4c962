//! Records, their order and place, and what is missed: "Overview", "LWP Control Block".

use super::ports::{BLOCK, Ports, RING, USER, slot};
use lwp_model::lwp::{Config, FaultPolicy, Inputs, MemCmd, Mode, Outputs};

// LWP-CNT-01, LWP-GAT-01, LWP-STO-01, LWP-STO-02, LWP-RST-01, LWP-LLW-27: the first record after EventCounter events, the next
// ones an interval apart.
#[test]
fn every_third_instruction_is_recorded() {
    let mut ports = Ports::new(&Config::default());
    ports.load(256, 0, slot(3, 2), 0x8000_0003);
    ports.retire(0xA0);
    ports.retire(0xA1);
    ports.store(0, 0xA1, 0, 32);
    ports.idle(20);
    for ip in 0xB0..0xB3 {
        ports.retire(ip);
    }
    ports.store(32, 0xB2, 0, 64);
    ports.idle(20);
    let seen = ports.end().unwrap();
    assert_eq!((seen.exact, seen.bounded, seen.operations, seen.lost), (2, 0, 2, 0));
}

// LWP-STO-11, LWP-STO-12: when the store ends is not seen, so the next record may be one of two.
#[test]
fn a_store_that_runs_beside_the_program_leaves_a_choice() {
    for recorded in [0xB0, 0xB1] {
        let mut ports = Ports::new(&Config::default());
        ports.load(256, 0, slot(1, 1), 0x8000_0003);
        ports.retire(0xA0);
        ports.store(0, 0xA0, 0, 32);
        ports.retire(0xB0);
        ports.retire(0xB1);
        ports.idle(2);
        ports.store(32, recorded, 0, 64);
        let seen = ports.end().unwrap();
        assert_eq!((seen.exact, seen.bounded), (1, 1));
    }
}

// LWP-STO-14, LWP-FLT-11: the head is written when the record is complete, not before.
#[test]
fn a_head_before_its_record_is_refused() {
    let mut ports = Ports::new(&Config::default());
    ports.load(256, 0, slot(1, 1), 0x8000_0003);
    ports.retire(0xA0);
    ports.access(MemCmd::Read, BLOCK + 16, 0xF0, 0, Some(0));
    ports.write(RING, 0xFF, 1);
    ports.write(BLOCK + 16, 0x0F, 32);
    ports.refused("a record is finished with bytes");
}

// LWP-LCB-15, LWP-LCB-09: BufferTailOffset and Flags are not the hardware's to write.
#[test]
fn fields_of_software_are_not_written() {
    for (be, value) in [(0xF0, 0), (0xFF, 32)] {
        let mut ports = Ports::new(&Config::default());
        ports.load(256, 0, slot(1, 1), 0x8000_0003);
        ports.retire(0xA0);
        ports.record(0, 0xA0);
        ports.write(BLOCK + 16, be, value);
        ports.refused("no step of storing");
    }
}

// LWP-STO-05, LWP-STO-07, LWP-RPT-07: the second record of a ring of two finds it full; the head stays, MissedEvents counts.
#[test]
fn a_full_ring_counts_missed_events() {
    for (sum, right) in [(8, true), (9, false), (7, false)] {
        let mut ports = Ports::new(&Config::default());
        ports.load(64, 0, slot(1, 1), 0x8000_0003);
        ports.retire(0xA0);
        ports.store(0, 0xA0, 0, 32);
        ports.idle(20);
        ports.retire(0xA1);
        ports.record(32, 0xA1);
        ports.access(MemCmd::Read, BLOCK + 16, 0xF0, 0, Some(0));
        ports.access(MemCmd::Read, BLOCK + 24, 0xFF, 0, Some(7));
        ports.write(BLOCK + 24, 0xFF, sum);
        ports.idle(20);
        ports.accepted_or_refused(right, "is written, expected 0x8");
    }
}

// LWP-SEC-08, LWP-CTX-13: no access outside ring 3.
#[test]
fn the_kernel_sees_no_access() {
    let mut ports = Ports::new(&Config::default());
    ports.load(256, 0, slot(1, 1), 0x8000_0003);
    ports.retire(0xA0);
    ports.enter(Mode { cpl: 0, ..USER });
    ports.write(RING, 0xFF, 1);
    ports.refused("outside ring 3");
}

// LWP-FLT-06, LWP-FLT-14, LWP-RST-04: with policy trap the record is gone and the counter still at zero.
#[test]
fn after_a_trap_the_next_instruction_is_recorded() {
    let mut ports = Ports::new(&Config { fault_policy: FaultPolicy::Trap, ..Config::default() });
    ports.load(256, 0, slot(5, 1), 0x8000_0003);
    ports.retire(0xA0);
    ports.access(MemCmd::Write, RING, 0xFF, 1, None);
    ports.pf = Some((RING, true));
    ports.idle(1);
    ports.enter(Mode { cpl: 0, ..USER });
    ports.cycle(Inputs { pf_ack: true, ..Inputs::default() }, Outputs::default());
    ports.pf = None;
    ports.enter(USER);
    ports.retire(0xA1);
    ports.store(0, 0xA1, 0, 32);
    ports.idle(20);
    assert_eq!(ports.end().map(|seen| (seen.traps, seen.exact)), Ok((1, 1)));
}
