//! Single steps.

use super::super::{Piece, Scenario};
use super::{NONE, RF, TF, load};
use Piece::{Call, Cli, Frame, FromDr, Int, Int1, Int3, Iret, Jump, Nop, PopFlags, PushFlags, Sti, ToDr, Value};

pub(super) fn each(visit: &mut dyn FnMut(&Scenario)) {
    for user in [false, true] {
        let mut visit = |scenario: Scenario| visit(&Scenario { user, ..scenario });
        visit(Scenario::by_hand("step: POPF sets TF", &[Nop, PushFlags(TF), PopFlags, Nop, Nop, Nop]));
        visit(Scenario::by_hand("step: POPF clears TF", &[Nop, PushFlags(NONE), PopFlags, Nop, Nop]).with(TF));
        visit(Scenario::by_hand("step: POPF keeps TF", &[Nop, PushFlags(TF), PopFlags, Nop, Nop]).with(TF));
        visit(Scenario::by_hand("step: IRET sets TF", &[Frame(TF), Iret, Nop, Nop]));
        visit(Scenario::by_hand("step: IRET clears TF", &[Frame(NONE), Iret, Nop, Nop]).with(TF));
        visit(Scenario::by_hand("step: IRET keeps TF", &[Frame(TF), Iret, Nop, Nop]).with(TF));
        let both = super::Image { tf: true, ..RF };
        visit(Scenario::by_hand("step: IRET sets RF and TF", &[Frame(both), Iret, Nop, Nop]).stops_at(2).stops_at(3));
        visit(Scenario::by_hand("step: INT n", &[Nop, Int, Nop, Nop]).with(TF));
        visit(Scenario::by_hand("step: INT3", &[Nop, Int3, Nop, Nop]).with(TF));
        visit(Scenario::by_hand("step: INT1", &[Nop, Int1, Nop, Nop]).with(TF));
        visit(Scenario::by_hand("INT1", &[Nop, Int1, Nop, Int1, Int1, Nop]).keeping());
        visit(Scenario::by_hand("step: CALL and JMP", &[Call, Jump, Call, Nop]).with(TF));
        visit(Scenario::by_hand("step: STI and CLI", &[Sti, Cli, Sti, Nop, Cli, Nop]).with(TF));
    }
    let moves = [FromDr(0), FromDr(6), Value(0x5555), ToDr(0), Value(0x700), ToDr(7), load(0)];
    visit(&Scenario::by_hand("step: MOV DR", &moves).with(TF));
    visit(&Scenario::by_hand("step: MOV DR", &moves).with(TF).keeping());
    visit(&Scenario::by_hand("step: MOV DR at level 3", &[FromDr(0), Nop]).with(TF).at_user_level());
}
