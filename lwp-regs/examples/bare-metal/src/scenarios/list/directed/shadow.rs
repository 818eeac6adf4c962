//! Loads of SS.

use super::super::{Piece, SELECTOR_AT, Scenario};
use super::{NONE, TF, load, store};
use Piece::{Fragile, FromDr, Int, Int1, Int3, Nop, PopFlags, PushFlags, Spoil, SsMemory, SsRegister, Ud2};

pub(super) fn each(visit: &mut dyn FnMut(&Scenario)) {
    for user in [false, true] {
        let mut visit = |scenario: Scenario| visit(&Scenario { user, ..scenario });
        let three = [SsRegister, Nop, Nop, Nop];
        visit(Scenario::by_hand("SS load: step", &three).with(TF));
        visit(Scenario::by_hand("SS load: fetch", &three).stops_at(1));
        visit(Scenario::by_hand("SS load: fetch behind", &three).stops_at(1).stops_at(2));
        visit(Scenario::by_hand("SS load: step and fetch", &three).stops_at(1).with(TF));
        visit(Scenario::by_hand("SS load: two in a row, step", &[SsRegister, SsRegister, Nop, Nop]).with(TF));
        visit(
            Scenario::by_hand("SS load: three in a row, step", &[SsRegister, SsRegister, SsRegister, Nop, Nop])
                .with(TF),
        );
        visit(
            Scenario::by_hand("SS load: two in a row, fetch", &[SsRegister, SsRegister, Nop, Nop])
                .stops_at(1)
                .stops_at(2),
        );
        for (name, next) in [
            ("SS load from watched data: then NOP", Nop),
            ("SS load from watched data: then INT n", Int),
            ("SS load from watched data: then INT3", Int3),
            ("SS load from watched data: then INT1", Int1),
            ("SS load from watched data: then #UD", Ud2),
            ("SS load from watched data: then data", store(0)),
            ("SS load from watched data: then SS load", SsRegister),
            ("SS load from watched data: then SS load from memory", SsMemory),
            ("SS load from watched data: then MOV DR", FromDr(0)),
        ] {
            let scenario = Scenario::by_hand(name, &[SsMemory, next, Nop, Nop]).watches(SELECTOR_AT).watches(0);
            visit(scenario);
            visit(scenario.with(TF));
            visit(scenario.stops_at(1));
            visit(scenario.stops_at(2));
        }
        for next in [Int, Int3, Int1, Ud2, load(0), PushFlags(NONE)] {
            visit(Scenario::by_hand("SS load: with TF, then another", &[SsRegister, next, Nop, Nop]).with(TF));
            visit(Scenario::by_hand("SS load: fetch of another", &[SsRegister, next, Nop, Nop]).stops_at(1));
        }
        let faults = [Spoil, SsMemory, Fragile, Nop, Nop];
        visit(Scenario::by_hand("SS load from watched data: then #PF", &faults).watches(SELECTOR_AT));
        visit(Scenario::by_hand("SS load from watched data: then #PF", &faults).watches(SELECTOR_AT).with(TF));
        let steps = [PushFlags(TF), PopFlags, SsMemory, Nop, Nop];
        visit(Scenario::by_hand("SS load from watched data: behind POPF of TF", &steps).watches(SELECTOR_AT));
    }
}
