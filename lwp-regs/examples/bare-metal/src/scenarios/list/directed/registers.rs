//! MOV to and from debug registers, general detect, what stays in DR6.

use super::super::{Piece, Scenario};
use super::{NONE, TF, load, store};
use Piece::{FromDr, Int1, Nop, ToDr, Value};

pub(super) fn each(visit: &mut dyn FnMut(&Scenario)) {
    general_detect(visit);
    aliases(visit);
    values(visit);
    status(visit);
}

fn general_detect(visit: &mut dyn FnMut(&Scenario)) {
    let all = [0, 1, 2, 3, 6, 7].map(|number| [FromDr(number), Nop, ToDr(number)]);
    let aliases = [FromDr(4), ToDr(4), FromDr(5), ToDr(5), Nop];
    let guarded = |name, pieces: &[Piece]| Scenario { guarded: true, ..Scenario::by_hand(name, pieces) };
    let again = |mut scenario: Scenario| {
        scenario.policy.guards = true;
        scenario
    };
    visit(&again(guarded("general detect: each register, guarded again", all.as_flattened())));
    visit(&guarded("general detect: once", &[FromDr(0), FromDr(6), Value(0x400), ToDr(7), FromDr(7)]));
    visit(&guarded("general detect: a write that would have cleared GD", &[Value(0x400), ToDr(7), FromDr(7)]));
    visit(&again(guarded("general detect: aliases", &aliases).without_extensions()));
    visit(&again(guarded("general detect: no aliases", &aliases)));
    visit(&guarded("general detect: at level 3", &[FromDr(0), ToDr(7), Nop]).at_user_level());
    visit(&guarded("general detect: a reserved value", &[Value(1 << 32), ToDr(6), Nop]));
    visit(&guarded("general detect: behind a step", &[Nop, FromDr(3), Nop]).with(TF));
    visit(&guarded("general detect: another #DB clears GD", &[store(0), FromDr(3), Nop]).watches(0));
    visit(&guarded("general detect: with an instruction breakpoint", &[Nop, FromDr(3), Nop]).stops_at(1));
    visit(&guarded("general detect: INT1 clears GD", &[Int1, FromDr(3), Nop]));
    visit(&guarded("general detect: no MOV", &[Nop, load(0), Nop]).keeping());
}

fn aliases(visit: &mut dyn FnMut(&Scenario)) {
    let pieces = [Value(0xFFFF_4FF0), ToDr(4), FromDr(4), FromDr(5), Value(0x2AA), ToDr(5), Nop];
    visit(&Scenario::by_hand("DR4 and DR5: aliases", &pieces).without_extensions());
    visit(&Scenario::by_hand("DR4 and DR5: #UD", &pieces));
    visit(&Scenario::by_hand("DR4 and DR5: at level 3, with aliases", &pieces).without_extensions().at_user_level());
    visit(&Scenario::by_hand("DR4 and DR5: at level 3", &pieces).at_user_level());
}

fn values(visit: &mut dyn FnMut(&Scenario)) {
    for (name, value, register) in [
        ("MOV to DR6: zeros", 0, 6),
        ("MOV to DR6: ones", 0xFFFF_FFFF, 6),
        ("MOV to DR6: alternating bits", 0x5555_5555, 6),
        ("MOV to DR6: bit 32", 0x1_0000_0000, 6),
        ("MOV to DR6: bit 63", 0x8000_0000_FFFF_0FF0, 6),
        ("MOV to DR7: zeros", 0, 7),
        ("MOV to DR7: bits 15 to 8 but GD", 0xDF00, 7),
        ("MOV to DR7: enables of nothing", 0xFFFF_03FF, 7),
        ("MOV to DR7: bit 32", 0x1_0000_0400, 7),
        ("MOV to DR7: bit 63", 0x8000_0000_0000_0400, 7),
        ("MOV to DR0: not canonical", 0x8000_0000_0000_0000, 0),
        ("MOV to DR3: ones", u64::MAX, 3),
    ] {
        visit(&Scenario::by_hand(name, &[Value(value), ToDr(register), Nop]));
    }
    // A write breakpoint, enabled by the program itself, and an instruction breakpoint at the next instruction.
    let own = [Value(0xD_0402), ToDr(7), store(0), Value(0x400), ToDr(7), store(0)];
    let mut scenario =
        Scenario::by_hand("MOV to DR7: a write breakpoint from the next instruction on", &own).watches(0);
    scenario.watches[0] =
        scenario.watches[0].map(|watch| super::super::Watch { enable: super::Enable::empty(), ..watch });
    visit(&scenario);
}

/// Earlier causes: before the program, and of the exceptions before.
fn status(visit: &mut dyn FnMut(&Scenario)) {
    let causes = [Int1, store(0), Nop, Piece::PushFlags(TF), Piece::PopFlags, Nop, store(0), Int1];
    let clears = [Piece::PushFlags(NONE), Piece::PopFlags, store(0), Int1, Nop];
    let mut scenario = Scenario::by_hand("DR6: kept from one #DB to the next", &causes).keeping().watches(0);
    clears.into_iter().for_each(|piece| scenario.push(piece));
    visit(&scenario);
    visit(&scenario.stops_at(2));
    for (name, status) in [("DR6: B3, BS, BT, BD before", 0xFFFF_EFF8), ("DR6: B0 to B2 before", 0xFFFF_0FF7)] {
        let pieces = [Nop, store(0), Nop, load(0), Int1, Nop];
        visit(&Scenario { status, ..Scenario::by_hand(name, &pieces).keeping().watches(0) });
        visit(&Scenario { status, ..Scenario::by_hand(name, &[Nop, Nop]).keeping().stops_at(1) });
        visit(&Scenario { status, ..Scenario::by_hand(name, &[Nop, Nop]).keeping().with(TF) });
        let others = [Piece::Int, Piece::Int3, Piece::Ud2, Nop];
        visit(&Scenario { status, ..Scenario::by_hand(name, &others).keeping().watches(0) });
    }
}
