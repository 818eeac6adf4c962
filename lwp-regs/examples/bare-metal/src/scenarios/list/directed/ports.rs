//! Breakpoints on ports.

use super::super::{Name, PORT, Piece, Scenario, String};
use super::TF;
use Piece::{Count, Destination, In, Nop, Out, Port, Rep, Source};
use lwp_regs::debug::Length;

pub(super) fn each(visit: &mut dyn FnMut(&Scenario)) {
    ranges(visit);
    extensions(visit);
    strings(visit);
}

/// Every length, and accesses of every width around it.
fn ranges(visit: &mut dyn FnMut(&Scenario)) {
    let lengths = [
        (Length::One, "I/O: LEN 00"),
        (Length::Two, "I/O: LEN 01"),
        (Length::Four, "I/O: LEN 11"),
        (Length::Eight, "I/O: LEN 10"),
    ];
    for (length, name) in lengths {
        for at in [4, 5, 6] {
            for width in [1, 2, 4] {
                let mut scenario = Scenario::new(Name::Directed(name));
                for port in 0..12 {
                    scenario.push(Port(PORT + port));
                    scenario.push(if port % 2 == 0 { Out { width } } else { In { width } });
                }
                visit(&scenario.watches_ports(PORT + at, length));
            }
        }
    }
}

fn extensions(visit: &mut dyn FnMut(&Scenario)) {
    let pieces = [Port(PORT), Out { width: 1 }, In { width: 4 }, Nop, super::store(0)];
    let scenario = Scenario::by_hand("I/O: CR4.DE = 0", &pieces).watches_ports(PORT, Length::One);
    visit(&scenario.without_extensions());
    visit(&scenario.without_extensions().watches(0).with(TF));
    let scenario = Scenario::by_hand("I/O: and step", &pieces).watches_ports(PORT, Length::One);
    visit(&scenario.with(TF));
    visit(&scenario.with(TF).keeping());
    visit(&Scenario::by_hand("I/O: at level 3", &pieces).watches_ports(PORT, Length::One).at_user_level());
    visit(&Scenario::by_hand("I/O: then fetch", &pieces).watches_ports(PORT, Length::One).stops_at(2));
    visit(&Scenario::by_hand("I/O: at a breakpoint", &pieces).watches_ports(PORT, Length::One).stops_at(1));
    let both = Scenario::by_hand("I/O: two registers", &pieces);
    visit(&both.watches_ports(PORT, Length::One).watches_ports(PORT + 2, Length::Two));
}

fn strings(visit: &mut dyn FnMut(&Scenario)) {
    for (name, string) in [("I/O: REP INS", String::Ins), ("I/O: REP OUTS", String::Outs)] {
        for width in [1, 2, 4] {
            let pieces = [Port(PORT), Count(3), Source(16), Destination(32), Rep { string, width }, Nop, Nop];
            let scenario = Scenario::by_hand(name, &pieces);
            let ports = scenario.watches_ports(PORT, Length::One);
            visit(&ports);
            visit(&ports.watches(16 + width as i8).watches(32 + width as i8));
            visit(&ports.with(TF));
            visit(&ports.stops_at(4));
            visit(&ports.stops_at(5));
            visit(&ports.at_user_level());
            visit(&scenario.watches(16).watches(32));
        }
    }
}
