//! The threshold and its interrupt: "LWP Control Block", "LWPCB Access".

use super::ports::{BLOCK, Ports, USER, slot};
use lwp_model::lwp::{Config, Inputs, MemCmd, Mode, Outputs, TailReread};

/// Two records in a ring of eight with a threshold of 64 bytes; true if the interrupt comes.
fn cross(straps: &Config, interrupt: bool) -> Ports {
    let mut ports = Ports::new(straps);
    ports.load(256, 64, slot(1, 1), 0x8000_0003);
    for head in [0, 32] {
        stored(&mut ports, head, Some(0));
    }
    ports.irq = interrupt;
    ports
}

// LWP-RPT-03, LWP-RPT-06, LWP-RPT-11: one interrupt when the used space equals the threshold, after the head is in memory.
#[test]
fn the_threshold_interrupts_once() {
    let straps = Config::default();
    let mut ports = cross(&straps, true);
    ports.idle(60);
    assert_eq!(ports.end().map(|seen| seen.interrupts), Ok(1));
    let mut ports = cross(&straps, false);
    ports.idle(60);
    ports.refused("the threshold was crossed, but there was no interrupt");
    let mut ports = cross(&straps, true);
    ports.idle(1);
    ports.cycle(Inputs { irq_ack: true, ..Inputs::default() }, Outputs::default());
    ports.idle(1);
    ports.refused("the threshold was not crossed since");
}

// LWP-RPT-08: a delay that a strap names is kept.
#[test]
fn an_early_interrupt_is_refused() {
    let mut ports = cross(&Config { irq_delay: 30, ..Config::default() }, true);
    ports.idle(2);
    ports.refused("the threshold was not crossed");
}

/// Records one after the other in a ring of eight with a threshold of two, on hardware that reads the tail for every third record while
/// the threshold is reached. Each has the tail that it finds, if it looks.
fn looking(looks: &[Option<u64>]) -> Ports {
    let straps = Config { tail_reread: TailReread::Lazy, tail_nth: 3, ..Config::default() };
    let mut ports = Ports::new(&straps);
    ports.load(256, 64, slot(1, 1), 0x8000_0003);
    let mut head = 0;
    for look in looks {
        stored(&mut ports, head, *look);
        head += 32;
        ports.irq |= look.map(|tail| head - tail) == Some(64);
    }
    ports
}

/// A record and its head, with a look at the tail between them if there is one.
fn stored(ports: &mut Ports, head: u64, look: Option<u64>) {
    ports.retire(0xA0 + head);
    match look {
        Some(tail) => ports.store(head, 0xA0 + head, tail, head + 32),
        None => {
            ports.record(head, 0xA0 + head);
            ports.write(BLOCK + 16, 0x0F, head + 32);
        }
    }
    ports.idle(4);
}

// LWP-ACC-06, LWP-ACC-08: the record that reaches the threshold looks; then two may go without.
#[test]
fn two_of_three_records_need_no_look() {
    for (looks, right) in [
        (&[None, Some(0), None, None, Some(0)][..], true),
        (&[None, Some(0), None, None, None], false),
        (&[None, None], false),
    ] {
        looking(looks).accepted_or_refused(right, "a record is stored without a look at the tail");
    }
}

// LWP-ACC-06, LWP-ACC-07: the look of record 2 finds the ring drained, so record 3 reaches the threshold for the first time.
#[test]
fn after_a_drain_the_threshold_is_reached_anew() {
    for (third, right) in [(Some(64), true), (Some(32), true), (None, false)] {
        looking(&[None, Some(32), third]).accepted_or_refused(right, "a record is stored without a look at the tail");
    }
}

// LWP-ACC-06, LWP-STO-15: ring 3 is left before the head of record 2 is in memory, so its look was none for the record that follows.
#[test]
fn the_look_of_a_lost_record_serves_no_other() {
    for (second, right) in [(Some(32), true), (None, false)] {
        let mut ports = looking(&[None]);
        ports.retire(0xA1);
        ports.record(32, 0xA1);
        ports.access(MemCmd::Read, BLOCK + 16, 0xF0, 0, Some(0));
        ports.enter(Mode { cpl: 0, ..USER });
        ports.idle(4);
        ports.enter(USER);
        stored(&mut ports, 32, second);
        ports.accepted_or_refused(right, "a record is stored without a look at the tail");
    }
}
