//! Instruction breakpoints, and RF.

use super::super::{Piece, Place, Scenario};
use super::{NONE, RF, TF, load, store};
use Piece::{Fragile, Frame, Int, Int1, Int3, Iret, Nop, PopFlags, PushFlags, Spoil, Ud2};
use lwp_regs::debug::{Condition, Enable, Length};

pub(super) fn each(visit: &mut dyn FnMut(&Scenario)) {
    resumes(visit);
    faults(visit);
    behind_traps(visit);
    forms(visit);
}

fn repeating(mut scenario: Scenario) -> Scenario {
    scenario.policy.repeats = true;
    scenario
}

fn resumes(visit: &mut dyn FnMut(&Scenario)) {
    let three = [Nop, Nop, Nop];
    visit(&Scenario::by_hand("fetch: passed with RF", &three).stops_at(1));
    visit(&repeating(Scenario::by_hand("fetch: again without RF", &three).stops_at(1)));
    visit(&Scenario::by_hand("fetch: two in a row", &three).stops_at(0).stops_at(1));
    visit(&Scenario::by_hand("fetch: the first instruction, RF = 0", &three).stops_at(0));
    visit(&Scenario::by_hand("fetch: the first instruction, RF = 1", &three).stops_at(0).with(RF));
    visit(&Scenario::by_hand("fetch: RF lasts for one instruction", &three).stops_at(0).stops_at(1).with(RF));
    for image in [NONE, RF] {
        let pieces = [Frame(image), Iret, Nop, Nop];
        visit(&Scenario::by_hand("fetch: at an IRET, and behind it", &pieces).stops_at(1).stops_at(2));
    }
    for (name, image) in [("fetch: behind IRET, RF = 0", NONE), ("fetch: behind IRET, RF = 1", RF)] {
        visit(&Scenario::by_hand(name, &[Frame(image), Iret, Nop, Nop]).stops_at(2).stops_at(3));
        visit(&Scenario::by_hand(name, &[Frame(image), Iret, Nop, Nop]).stops_at(2).stops_at(3).at_user_level());
    }
    visit(&Scenario::by_hand("fetch: behind POPF of RF", &[PushFlags(RF), PopFlags, Nop, Nop]).stops_at(2));
    visit(&Scenario::by_hand("fetch: RF passes nothing else", &[store(0), Nop]).watches(0).with(RF));
    let both = super::Image { tf: true, ..RF };
    visit(&Scenario::by_hand("fetch: RF does not stop steps", &[Nop, Nop]).stops_at(0).stops_at(1).with(both));
    visit(&Scenario::by_hand("fetch: at level 3", &three).stops_at(1).at_user_level());
}

fn faults(visit: &mut dyn FnMut(&Scenario)) {
    for user in [false, true] {
        let level = |scenario: Scenario| Scenario { user, ..scenario };
        visit(&level(Scenario::by_hand("fault: #PF, repaired", &[Spoil, Fragile, Nop, Nop])));
        visit(&level(Scenario::by_hand("fault: #PF at a breakpoint, repaired", &[Spoil, Fragile, Nop]).stops_at(1)));
        let mut left_out = Scenario::by_hand("fault: #PF, left out, breakpoint behind", &[Spoil, Fragile, Nop, Nop]);
        left_out.policy.repairs = false;
        visit(&level(left_out.stops_at(2).stops_at(3)));
        visit(&level(Scenario::by_hand("fault: #UD", &[Ud2, Nop, Nop]).stops_at(1).stops_at(2)));
        visit(&level(Scenario::by_hand("fault: #UD at a breakpoint", &[Nop, Ud2, Nop]).stops_at(1)));
        visit(&level(Scenario::by_hand("fault: #UD with TF", &[Nop, Ud2, Nop]).with(TF)));
        visit(&level(Scenario::by_hand("fault: #PF with TF", &[Spoil, Fragile, Nop]).with(TF)));
        visit(&level(
            Scenario::by_hand("fault: #PF with TF at a breakpoint", &[Spoil, Fragile, Nop]).stops_at(1).with(TF),
        ));
    }
    visit(
        &Scenario::by_hand("fault: #GP of MOV DR at a breakpoint", &[Piece::FromDr(0), Nop])
            .stops_at(0)
            .at_user_level(),
    );
}

fn behind_traps(visit: &mut dyn FnMut(&Scenario)) {
    for user in [false, true] {
        let level = |scenario: Scenario| Scenario { user, ..scenario };
        visit(&level(Scenario::by_hand("trap of data, then fetch", &[store(0), Nop, Nop]).watches(0).stops_at(1)));
        visit(&level(Scenario::by_hand("step, then fetch", &[Nop, Nop, Nop]).with(TF).stops_at(1)));
        visit(&level(Scenario::by_hand("step of data, then fetch", &[store(0), Nop]).with(TF).watches(0).stops_at(1)));
        visit(&level(Scenario::by_hand("INT1, then fetch", &[Int1, Nop, Nop]).stops_at(1)));
    }
    visit(&Scenario::by_hand("fetch: at INT1", &[Nop, Int1, Nop]).stops_at(1));
    visit(&Scenario::by_hand("fetch: at INT3", &[Nop, Int3, Nop]).stops_at(1));
    visit(&Scenario::by_hand("fetch: at INT n", &[Nop, Int, Nop]).stops_at(1));
    visit(&Scenario::by_hand("fetch: behind INT3", &[Int3, Nop, Nop]).stops_at(1));
    visit(&Scenario::by_hand("fetch: behind INT n", &[Int, Nop, Nop]).stops_at(1));
    visit(&Scenario::by_hand("fetch: at an access that is watched", &[load(0), Nop]).watches(0).stops_at(0));
}

fn forms(visit: &mut dyn FnMut(&Scenario)) {
    let inside = |scenario: Scenario| scenario.watch(Place::Inside(1), Condition::Execute, Length::One, Enable::GLOBAL);
    visit(&inside(Scenario::by_hand("fetch: inside an instruction", &[Nop, load(0), Nop])));
    for (name, length) in
        [("fetch: LEN 01", Length::Two), ("fetch: LEN 10", Length::Eight), ("fetch: LEN 11", Length::Four)]
    {
        let at = |index| {
            Scenario::by_hand(name, &[Nop, load(0), Nop]).watch(
                Place::Code(index),
                Condition::Execute,
                length,
                Enable::GLOBAL,
            )
        };
        visit(&at(0));
        visit(&at(1));
    }
    for (name, enable) in [("fetch: L alone", Enable::LOCAL), ("fetch: neither L nor G", Enable::empty())] {
        visit(&Scenario::by_hand(name, &[Nop, Nop]).watch(Place::Code(1), Condition::Execute, Length::One, enable));
    }
    visit(
        &Scenario::by_hand("fetch: three registers, one of them off", &[Nop, Nop, Nop]).stops_at(1).stops_at(1).watch(
            Place::Code(1),
            Condition::Execute,
            Length::One,
            Enable::empty(),
        ),
    );
    let movs = [
        Piece::Count(3),
        Piece::Source(16),
        Piece::Destination(32),
        Piece::Rep { string: super::super::String::Movs, width: 1 },
        Nop,
    ];
    visit(&Scenario::by_hand("fetch: at REP MOVS", &movs).stops_at(3));
    visit(&Scenario::by_hand("fetch: at REP MOVS with data", &movs).stops_at(3).watches_writes(33, Length::One));
    visit(&Scenario::by_hand("fetch: at REP MOVS with TF", &movs).stops_at(3).with(TF));
}
