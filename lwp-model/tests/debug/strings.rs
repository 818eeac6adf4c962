//! Repeated strings: when a breakpoint inside of one is delivered, and RF of the frame.

use super::bench::{Bench, at, iteration, writes};
use lwp_model::debug::{Config, DbClass, Inputs, Interrupted, Lane};
use lwp_model::retire::{IntKind, Io, Rep};
use lwp_regs::debug::{Breakpoint, Length, Slot, Slots};

/// Iterations of each string.
const COUNT: usize = 100;

/// An iteration of a string that writes one byte after the other from 1000H on.
fn element(number: usize) -> Lane {
    let rep = match number {
        0 => Rep::First,
        _ if number + 1 == COUNT => Rep::Last,
        _ => Rep::Further,
    };
    writes(iteration(rep, at(0x600)), 0x1000 + number as u64, 1)
}

fn watching(straps: Config, element: usize) -> Bench {
    Bench::armed(straps, &[(Slot::Dr0, Breakpoint::write(0x1000 + element as u64, Length::One))], 0)
}

fn fast(string_group: u8) -> Config {
    Config { string_group, ..Config::default() }
}

/// Executes iterations from `from` on, in groups of so many, until #DB: how many have been executed since the first of all.
fn until_stopped(bench: &mut Bench, from: usize, lanes: usize) -> Option<usize> {
    let mut done = from;
    while done < COUNT {
        let group: Vec<Lane> = (done..COUNT.min(done + lanes)).map(element).collect();
        let out = bench.group(&group);
        if out.db_valid {
            assert_eq!((out.db_class, out.db_b, out.cut_before), (DbClass::Trap, Slots::DR0, false));
            return Some(done + 1 + usize::from(out.cut_lane));
        }
        done += group.len();
    }
    None
}

// DBG-45, DBG-54: a data breakpoint is delivered behind its iteration, or at the end of a fast group; RF is 1 but behind the last iteration
#[test]
fn fast_groups() {
    for string_group in [0, 3, 63] {
        let group = usize::from(string_group) + 1;
        for hit in [0, 1, 3, 4, 62, 63, 64, COUNT - 2, COUNT - 1] {
            for lanes in [1, 3, 4] {
                let mut bench = watching(fast(string_group), hit);
                let stopped = until_stopped(&mut bench, 0, lanes);
                let expected = COUNT.min((hit / group + 1) * group);
                assert_eq!(stopped, Some(expected), "{string_group} {hit} {lanes}");
                assert_eq!(bench.deliver(0x600).frame_rf, expected < COUNT, "{string_group} {hit} {lanes}");
                assert_eq!(bench.dr6(), 0xFFFF_0FF1);
            }
        }
    }
}

// DBG-54: what an interruption divides begins a new group behind it
#[test]
fn a_group_behind_an_interruption() {
    let mut bench = watching(fast(3), 3);
    assert_eq!((bench.group(&[element(0), element(1)]).db_valid, bench.out().hold), (false, false));
    bench.interrupt(IntKind::Interrupt);
    // Elements 2 to 5 are a group now.
    assert_eq!(until_stopped(&mut bench, 2, 4), Some(6));
}

// DBG-44, DBG-46: an interrupt behind any iteration but the last pushes RF = 1, behind the last one RF as it is
#[test]
fn interrupts_between_iterations() {
    for done in [1, 2, COUNT - 1, COUNT] {
        for kind in [IntKind::Interrupt, IntKind::Nmi] {
            let mut bench = Bench::new(Config::default());
            (0..done).for_each(|number| assert!(!bench.group(&[element(number)]).db_valid));
            assert_eq!(bench.interrupt(kind).frame_rf, done < COUNT, "{done} {kind:?}");
        }
    }
}

// DBG-45: the step of an iteration pushes RF = 1 if another one follows, that of the last one 0; a trap that is no #DB as well
#[test]
fn traps_between_iterations() {
    for done in [0, 5, COUNT - 1] {
        let mut bench = Bench::new(Config::default());
        (0..done).for_each(|number| assert!(!bench.group(&[element(number)]).db_valid));
        let mut stepped = element(done);
        stepped.flags.tf = true;
        assert!(bench.group(&[stepped]).db_bs);
        assert_eq!(bench.deliver(0x600).frame_rf, done + 1 < COUNT, "{done}");
    }
    let mut bench = Bench::new(Config::default());
    bench.group(&[element(0)]);
    let int = Interrupted { valid: true, kind: IntKind::Exception, trap: true, ..Interrupted::default() };
    assert!(bench.cycle(Inputs { int, ..Inputs::default() }).frame_rf);
}

// DBG-55: REP OUTS and REP INS with a breakpoint at their port: behind the first iteration, fast strings or not
#[test]
fn a_port() {
    for string_group in [0, 3, 63] {
        for write in [false, true] {
            let port = [(Slot::Dr3, Breakpoint::io(0x3F8, Length::Four))];
            let mut bench = Bench::armed(fast(string_group), &port, 0);
            let io = Io { valid: true, write, port: 0x3F8, size: 1 };
            for number in 0..3 {
                let mut inputs = Inputs { io, ..Inputs::default() };
                inputs.lanes[0] = element(number);
                let out = bench.cycle(inputs);
                assert_eq!((out.db_valid, out.db_class, out.db_b), (true, DbClass::Trap, Slots::DR3));
                assert!(bench.deliver(0x600).frame_rf, "{string_group} {write} {number}");
            }
        }
    }
}

/// The same element, read by OUTS.
fn reads(lane: Lane) -> Lane {
    let mut lane = lane;
    (lane.accesses[0].read, lane.accesses[0].write) = (true, false);
    lane
}

// DBG-56: REP INS and REP OUTS with a breakpoint at an element: behind the iteration that accesses it, fast strings or not; a breakpoint at writes
// alone is none for OUTS
#[test]
fn an_element() {
    for string_group in [0, 3, 63] {
        for hit in [0, 2, 5, COUNT - 1] {
            let address = 0x1000 + hit as u64;
            for (outs, breakpoint, hits) in [
                (false, Breakpoint::write(address, Length::One), true),
                (false, Breakpoint::read_write(address, Length::One), true),
                (true, Breakpoint::read_write(address, Length::One), true),
                (true, Breakpoint::write(address, Length::One), false),
            ] {
                let mut bench = Bench::armed(fast(string_group), &[(Slot::Dr0, breakpoint)], 0);
                let io = Io { valid: true, write: outs, port: 0x3F8, size: 1 };
                for number in 0..=hit {
                    let mut inputs = Inputs { io, ..Inputs::default() };
                    inputs.lanes[0] = if outs { reads(element(number)) } else { element(number) };
                    let out = bench.cycle(inputs);
                    assert_eq!(out.db_valid, hits && number == hit, "{string_group} {hit} {outs} {breakpoint:?}");
                }
                if hits {
                    assert_eq!(bench.deliver(0x600).frame_rf, hit + 1 < COUNT);
                    assert_eq!(bench.dr6(), 0xFFFF_0FF1);
                }
            }
        }
    }
}
