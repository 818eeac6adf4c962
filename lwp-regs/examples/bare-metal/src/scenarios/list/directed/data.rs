//! Breakpoints on data.

use super::super::{Name, Piece, Place, Scenario, String, frame_address};
use super::{TF, load, store};
use Piece::{Call, Count, Destination, Frame, Iret, Modify, Nop, Pop, PopFlags, Push, PushFlags, Rep, Source};
use lwp_regs::debug::{Condition, Enable, Length};

pub(super) fn each(visit: &mut dyn FnMut(&Scenario)) {
    ranges(visit);
    kinds(visit);
    several(visit);
    strings(visit);
    stacks(visit);
}

/// Every length at several distances from its alignment, and accesses of every width around it. The border of two pages is at 0.
fn ranges(visit: &mut dyn FnMut(&Scenario)) {
    let lengths =
        [(Length::One, "LEN 00"), (Length::Two, "LEN 01"), (Length::Eight, "LEN 10"), (Length::Four, "LEN 11")];
    for (length, name) in lengths {
        for at in [0, 1, 3, 4, 6, -1, -3] {
            for width in [1, 2, 4, 8] {
                let mut scenario = Scenario::new(Name::Directed(name));
                for to in -8..16 {
                    let read = to % 3 == 0;
                    scenario.push(if read { Piece::Load { at: to, width } } else { Piece::Store { at: to, width } });
                }
                visit(&scenario.watch(Place::Data(at), Condition::ReadWrite, length, Enable::GLOBAL));
            }
        }
    }
}

fn kinds(visit: &mut dyn FnMut(&Scenario)) {
    let modify = Modify { at: 0, width: 4 };
    let pieces = [load(0), store(0), modify, Nop, load(4), store(4), store(-4)];
    for (name, condition) in [("data: written", Condition::Write), ("data: read or written", Condition::ReadWrite)] {
        for enable in [Enable::LOCAL, Enable::GLOBAL, Enable::all(), Enable::empty()] {
            for user in [false, true] {
                let scenario = Scenario { user, ..Scenario::by_hand(name, &pieces) };
                visit(&scenario.watch(Place::Data(0), condition, Length::Four, enable));
            }
        }
    }
}

fn several(visit: &mut dyn FnMut(&Scenario)) {
    let pieces = [store(0), load(0), Nop, Piece::Store { at: 4, width: 1 }, Piece::Store { at: 0, width: 8 }, Nop];
    let four = Scenario::by_hand("data: several breakpoints", &pieces)
        .watches_writes(0, Length::One)
        .watches(0)
        .watches_writes(0, Length::Eight)
        .watches(4);
    visit(&four);
    visit(&four.with(TF));
    visit(&four.keeping());
    visit(&Scenario::by_hand("data: one of two is off", &pieces).watches(0).watch(
        Place::Data(0),
        Condition::ReadWrite,
        Length::Four,
        Enable::empty(),
    ));
    visit(&Scenario::by_hand("data and step", &pieces).watches(0).with(TF));
    visit(&Scenario::by_hand("data and step, kept", &pieces).watches(0).with(TF).keeping());
    visit(&Scenario::by_hand("data and step", &pieces).watches(0).with(TF).at_user_level());
}

fn strings(visit: &mut dyn FnMut(&Scenario)) {
    for width in [1, 4] {
        let program = |string| [Count(4), Source(16), Destination(32), Rep { string, width }, Nop, Nop];
        for (name, string) in [
            ("REP MOVS", String::Movs),
            ("REP STOS", String::Stos),
            ("REP LODS", String::Lods),
            ("REP INS", String::Ins),
            ("REP OUTS", String::Outs),
        ] {
            let plain = Scenario::by_hand(name, &program(string));
            for at in [0, 1, 3] {
                visit(&plain.watches_writes(32 + at * width as i8, Length::One));
                visit(&plain.watches(16 + at * width as i8).watches(32 + at * width as i8));
                visit(&plain.watches(16 + at * width as i8).stops_at(4));
            }
            visit(&plain.with(TF));
            visit(&plain.watches(36).with(TF));
        }
        let none = [Count(0), Source(16), Destination(32), Rep { string: String::Movs, width }, Nop];
        visit(&Scenario::by_hand("REP MOVS: no iteration", &none).watches(32).with(TF));
        let one = [Count(1), Source(16), Destination(32), Rep { string: String::Movs, width }, Nop];
        visit(&Scenario::by_hand("REP MOVS: one iteration", &one).watches(32).stops_at(4));
    }
}

fn stacks(visit: &mut dyn FnMut(&Scenario)) {
    let pieces = [Push, Pop, Nop, Call, Pop, PushFlags(TF), PopFlags, Nop, Nop];
    let stack =
        |scenario: Scenario| scenario.watch(Place::Stack(1), Condition::ReadWrite, Length::Eight, Enable::GLOBAL);
    visit(&stack(Scenario::by_hand("data: stack", &pieces).at_user_level()));
    let iret = Scenario::by_hand("data: frame of IRET", &[Frame(TF), Iret, Nop, Nop]);
    for word in [0, 2, 4] {
        let place = Place::Address(frame_address(0) + 8 * word);
        visit(&iret.watch(place, Condition::ReadWrite, Length::Eight, Enable::GLOBAL));
    }
}
