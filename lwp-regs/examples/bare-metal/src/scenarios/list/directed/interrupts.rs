//! A pending interrupt next to debug exceptions.

use super::super::{Image, Piece, Scenario};
use super::{IF, NONE, TF, store};
use Piece::{Frame, Int, Int1, Iret, Nop, PopFlags, PushFlags, SsRegister, Sti};

pub(super) fn each(visit: &mut dyn FnMut(&Scenario)) {
    const BOTH: Image = Image { tf: true, ..IF };
    for trap_gate in [false, true] {
        for user in [false, true] {
            let mut visit = |scenario: Scenario| visit(&Scenario { trap_gate, user, interrupt: true, ..scenario });
            let pop = [Nop, PushFlags(IF), PopFlags, Nop, Nop];
            visit(Scenario::by_hand("interrupt: enabled by POPF", &pop));
            visit(Scenario::by_hand("interrupt: enabled by POPF, then fetch", &pop).stops_at(3));
            let pop = [Nop, PushFlags(BOTH), PopFlags, Nop, Nop];
            visit(Scenario::by_hand("interrupt: POPF with TF enables it, stepped", &pop).with(TF));
            visit(Scenario::by_hand("interrupt: POPF sets TF and enables it", &pop));
            let sti = [Nop, Sti, store(0), Nop, Nop];
            visit(Scenario::by_hand("interrupt: enabled by STI", &sti));
            visit(Scenario::by_hand("interrupt: enabled by STI, trap of data", &sti).watches(0));
            visit(Scenario::by_hand("interrupt: enabled by STI, stepped", &sti).with(TF));
            visit(Scenario::by_hand("interrupt: enabled by STI, then INT1", &[Sti, Int1, Nop, Nop]));
            visit(Scenario::by_hand("interrupt: enabled by STI, then INT n", &[Sti, Int, Nop, Nop]));
            visit(Scenario::by_hand("interrupt: enabled by IRET", &[Frame(IF), Iret, Nop, Nop]));
            visit(
                Scenario::by_hand("interrupt: enabled by IRET, then fetch", &[Frame(IF), Iret, Nop, Nop]).stops_at(2),
            );
            let rf = Image { rf: true, ..IF };
            let frame = [Frame(rf), Iret, Nop, Nop];
            visit(Scenario::by_hand("interrupt: enabled by IRET with RF, then fetch", &frame).stops_at(2));
            let shadow = [PushFlags(IF), PopFlags, SsRegister, Nop, Nop];
            visit(Scenario::by_hand("interrupt: before an SS load", &shadow));
            visit(Scenario::by_hand("interrupt: never enabled", &[Nop, PushFlags(NONE), PopFlags, Nop]));
            visit(Scenario::by_hand("interrupt: at the beginning", &[Nop, Nop]).with(IF));
            visit(Scenario::by_hand("interrupt: at the beginning, with TF", &[Nop, Nop]).with(BOTH));
        }
    }
}
