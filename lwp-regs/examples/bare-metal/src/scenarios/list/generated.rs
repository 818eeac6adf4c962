//! Scenarios that are generated from a seed.

use super::{Image, Name, PORT, Piece, Place, SELECTOR_AT, Scenario, String, Watch};
use lwp_regs::debug::{Condition, Enable, Length, Slot};

/// Scenarios that are generated.
const SCENARIOS: u32 = 400;

pub(super) fn each(visit: &mut dyn FnMut(&Scenario)) {
    (0..SCENARIOS).for_each(|seed| visit(&generated(seed)));
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// Less than `end`.
    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// True so many times in a hundred.
    fn percent(&mut self, times: u64) -> bool {
        self.below(100) < times
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }

    /// An address of data near the border of two pages.
    fn near(&mut self) -> i8 {
        self.below(20) as i8 - 8
    }

    fn image(&mut self) -> Image {
        Image { tf: self.percent(30), rf: self.percent(30), interrupts: self.percent(20) }
    }
}

/// The scenario of a seed.
fn generated(seed: u32) -> Scenario {
    let mut random = Random(u64::from(seed) << 8);
    let mut scenario = Scenario::new(Name::Generated(seed));
    let pieces = 4 + random.below(12);
    for _ in 0..pieces {
        snippet(&mut scenario, &mut random);
    }
    scenario.extensions = random.percent(80);
    scenario.user = random.percent(30);
    scenario.interrupt = random.percent(15);
    scenario.trap_gate = random.percent(30);
    scenario.image = Image { tf: random.percent(25), rf: random.percent(25), interrupts: random.percent(20) };
    scenario.policy.clears = random.percent(70);
    scenario.policy.repeats = random.percent(20);
    scenario.policy.repairs = random.percent(50);
    if random.percent(20) {
        scenario.status = 0xFFFF_0FF0 | random.next() & 0xE00F;
    }
    for slot in 0..Slot::COUNT {
        if random.percent(60) {
            scenario.watches[slot] = Some(watch(&scenario, &mut random));
        }
    }
    scenario
}

/// Appends one to three instructions.
fn snippet(scenario: &mut Scenario, random: &mut Random) {
    let (at, width) = (random.near(), random.one(&[1, 2, 4, 8]));
    match random.below(20) {
        0 | 1 => scenario.push(Piece::Nop),
        2 | 3 => scenario.push(Piece::Load { at, width }),
        4 | 5 => scenario.push(Piece::Store { at, width }),
        6 => scenario.push(Piece::Modify { at, width }),
        7 => scenario.push(random.one(&[Piece::Push, Piece::Pop, Piece::Call, Piece::Jump])),
        8 | 9 => {
            let width = width.min(4);
            scenario.push(Piece::Port(PORT + random.below(8) as u16));
            scenario.push(random.one(&[Piece::In { width }, Piece::Out { width }]));
        }
        10 => string(scenario, random),
        11 | 12 => scenario.push(random.one(&[Piece::SsRegister, Piece::SsMemory])),
        13 => {
            scenario.push(Piece::PushFlags(random.image()));
            scenario.push(Piece::PopFlags);
        }
        14 => {
            scenario.push(Piece::Frame(random.image()));
            scenario.push(Piece::Iret);
        }
        15 => scenario.push(random.one(&[Piece::Int, Piece::Int3])),
        16 => scenario.push(Piece::Int1),
        17 => scenario.push(Piece::Ud2),
        18 => {
            scenario.push(Piece::Spoil);
            scenario.push(Piece::Fragile);
        }
        _ => scenario.push(random.one(&[Piece::FromDr(6), Piece::FromDr(7), Piece::FromDr(4), Piece::Sti, Piece::Cli])),
    }
}

fn string(scenario: &mut Scenario, random: &mut Random) {
    let string = random.one(&[String::Movs, String::Stos, String::Lods, String::Ins, String::Outs]);
    scenario.push(Piece::Port(PORT + random.below(4) as u16));
    scenario.push(Piece::Count(random.below(4) as u32));
    scenario.push(Piece::Source(random.near()));
    scenario.push(Piece::Destination(random.near()));
    scenario.push(Piece::Rep { string, width: random.one(&[1, 2, 4]) });
}

fn watch(scenario: &Scenario, random: &mut Random) -> Watch {
    let enable = random.one(&[Enable::GLOBAL, Enable::LOCAL, Enable::all(), Enable::empty()]);
    let length = random.one(&[Length::One, Length::Two, Length::Four, Length::Eight]);
    let (place, condition) = match random.below(10) {
        0..4 => (Place::Code(random.below(scenario.count as u64) as usize), Condition::Execute),
        4..6 => (Place::Port(PORT + random.below(8) as u16), Condition::Io),
        6 => (Place::Data(SELECTOR_AT), Condition::ReadWrite),
        // At level 0 the handler of #DB uses the same stack.
        7 if scenario.user => (Place::Stack(1), Condition::ReadWrite),
        8 => (Place::Data(random.near()), Condition::Write),
        _ => (Place::Data(random.near()), Condition::ReadWrite),
    };
    let length = if condition == Condition::Execute { Length::One } else { length };
    Watch { place, condition, length, enable }
}
