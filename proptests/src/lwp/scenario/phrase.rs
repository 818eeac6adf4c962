//! Phrases: short sequences that lead to a rare situation. Examples are a context restored word by word, a load that is
//! tagged and replayed, loads before their instruction retires, and a burst in which everything happens at once.

use super::lane::lane;
use super::op::{Argument, Op, Scribble, TailMove, op};
use super::sequence::Step;
use lwp_model::lwp::{Buffer, Control, CtlOp, Inputs, Lane, Load, Mode, OpMode};
use proptest::prelude::*;

/// Generates latencies around the steps that a filter distinguishes, and around the largest value of ten bits.
fn latency() -> BoxedStrategy<u32> {
    prop_oneof![2 => 0_u32..64, 2 => (0_u32..64, 0_u32..2).prop_map(|(step, more)| (16 * step + 15 + more) % 1024, ), 1 => 990_u32..1024].boxed()
}

fn load() -> BoxedStrategy<Load> {
    let source = prop_oneof![4 => prop::sample::select(vec![1_u8, 2, 3, 7]), 1 => 0_u8..8];
    let flags = (prop::bool::weighted(0.5), prop::bool::weighted(0.85), prop::bool::weighted(0.35));
    (flags, any::<u64>(), latency(), source)
        .prop_map(|((miss, addr_valid, tagged), addr, latency, source)| Load {
            miss,
            addr_valid,
            tagged,
            addr,
            latency,
            source,
        })
        .boxed()
}

fn busy_lane() -> BoxedStrategy<Lane> {
    let counts = (prop::bool::weighted(0.9), prop::bool::weighted(0.9));
    (lane(), counts, [load(), load()])
        .prop_map(|(lane, (valid, counts), loads)| Lane { valid, counts, loads, ..lane })
        .boxed()
}

fn fill() -> BoxedStrategy<Buffer> {
    let alloc = (prop::bool::weighted(0.3), 0_u8..8);
    let source = prop_oneof![4 => prop::sample::select(vec![1_u8, 2, 3, 7]), 1 => 0_u8..8];
    (alloc, 0_u8..8, any::<u64>(), latency(), source, prop::bool::weighted(0.04))
        .prop_map(|((alloc_valid, alloc_entry), fill_entry, fill_ip, fill_latency, fill_source, replay_abort)| Buffer {
            alloc_valid,
            alloc_entry,
            fill_valid: true,
            fill_entry,
            fill_ip,
            fill_latency,
            fill_source,
            replay_abort,
        })
        .boxed()
}

fn kernel(smm: bool) -> Op {
    Op::Enter(Mode { cpl: 0, smm, op_mode: OpMode::Long64 })
}

fn user() -> Op {
    Op::Enter(Mode { cpl: 3, smm: false, op_mode: OpMode::Long64 })
}

fn steps(ops: Vec<Op>) -> Vec<Step> {
    ops.into_iter().map(Step::Do).collect()
}

/// Generates a value for a context word that a saved session might have, or nearly so.
fn word_value(word: u8) -> BoxedStrategy<u64> {
    let counter = || prop_oneof![3 => Just(0_u64), 2 => 0_u64..5];
    let bit = prop::bool::weighted;
    match word {
        0 => (0_usize..2).prop_map(|at| crate::lwp::bench::BLOCKS[at]).boxed(),
        1 => {
            let missed = prop_oneof![5 => Just(0_u64), 2 => 1_u64..4, 2 => 0xFFFD_u64..0x1_0000];
            let head = prop_oneof![6 => (0_u64..4).prop_map(|places| 32 * places), 1 => 0_u64..600];
            (missed, head, bit(0.85), bit(0.5))
                .prop_map(|(missed, head, session, pending)| {
                    missed << 48 | u64::from(pending) << 33 | u64::from(session) << 32 | head
                })
                .boxed()
        }
        2 => (counter(), counter()).prop_map(|(one, two)| two << 32 | one).boxed(),
        3 => (counter(), 0_u64..64).prop_map(|(three, rest)| rest << 32 | three).boxed(),
        4 => {
            let id = prop_oneof![12 => 1_u64..4, 2 => Just(0_u64), 1 => 4_u64..256];
            (id, any::<u64>()).prop_map(|(id, rest)| rest & !0xFF | id).boxed()
        }
        8 => {
            let msr0 = (any::<u8>(), bit(0.5), bit(0.95), any::<u16>(), bit(0.1));
            msr0.prop_map(|(features, int, on, count, irq)| {
                let count = u64::from(count & 7) << 40;
                u64::from(features & 14) | u64::from(on) | u64::from(int) << 31 | u64::from(irq) << 32 | count
            })
            .boxed()
        }
        _ => any::<u64>().boxed(),
    }
}

/// Generates the steps right after a restore, while the reload is pending or in progress.
fn after_restore() -> BoxedStrategy<Vec<Step>> {
    use CtlOp::{Llwpcb, ReadMsr1, Slwpcb, WriteMsr0, WriteMsr1};
    let save = || (0_u8..10).prop_map(|word| Op::Context(false, word, 0));
    let op = prop::sample::select(vec![Llwpcb, Llwpcb, Slwpcb, ReadMsr1, WriteMsr1, WriteMsr0]);
    let argument = prop_oneof![4 => (0_u8..2).prop_map(Argument::Block), 1 => Just(Argument::Zero)];
    let control = (op, argument).prop_map(|(op, argument)| match op {
        WriteMsr0 => vec![Op::Control(op, Argument::Features(0x1F), 0)],
        _ => vec![Op::Control(op, argument, 0)],
    });
    prop_oneof![
        4 => Just(Vec::new()),
        3 => prop::collection::vec(save(), 1..8).prop_map(steps),
        2 => control.prop_map(steps),
        2 => burst(),
        1 => (0_u8..8, 0_u8..3).prop_map(|(before, away)| {
            steps(vec![Op::Excursion(before, Mode { cpl: 0, smm: false, op_mode: OpMode::Long64 }, away)])
        }),
    ]
    .boxed()
}

/// Generates a context that is restored word by word; now and then a word is left out, or comes twice.
fn restored() -> BoxedStrategy<Vec<Step>> {
    let word =
        |word: u8| (prop::bool::weighted(0.93), word_value(word)).prop_map(move |(there, value)| (there, word, value));
    let words = [word(7), word(6), word(5), word(4), word(3), word(2), word(1), word(0)];
    let whole = (prop::bool::weighted(0.15), word_value(8)).prop_map(|(whole, value)| (whole, 8, value));
    let odd = (prop::bool::weighted(0.1), 0_u8..12, any::<u64>());
    let flags = (prop::bool::weighted(0.6), 0_u8..2, 0_u32..16, any::<bool>());
    let place = prop_oneof![6 => Just(Some(false)), 2 => Just(Some(true)), 2 => Just(None)];
    let order = (prop::bool::weighted(0.85), any::<bool>(), prop::bool::weighted(0.7));
    (whole, words, odd, flags, place, order, after_restore())
        .prop_map(|(whole, words, odd, (scribble, block, events, int), place, (home, home_first, waits), after)| {
            let mut ops: Vec<Op> = place.map(kernel).into_iter().collect();
            if scribble {
                ops.push(Op::Scribble(block, Scribble::Flags, events | u32::from(int) << 31));
            }
            for (_, word, value) in [whole].into_iter().chain(words).chain([odd]).filter(|(there, ..)| *there) {
                ops.push(Op::Context(true, word, value));
                // A core that breaks the rules of the ports would not wait.
                ops.extend(waits.then_some(Op::Idle(3)));
            }
            let user = home.then(|| Step::Do(user())).into_iter();
            let rest: Vec<Step> =
                if home_first { user.chain(after).collect() } else { after.into_iter().chain(user).collect() };
            steps(ops).into_iter().chain(rest).collect()
        })
        .boxed()
}

/// Generates a load whose data returns when the counter is at zero, and which is replayed or not.
fn replayed() -> BoxedStrategy<Vec<Step>> {
    let group = || prop::collection::vec(busy_lane(), 1..5);
    let back = prop_oneof![3 => group().prop_map(Op::Retire), 2 => busy_lane().prop_map(Op::Partial), 1 => (0_u8..4).prop_map(Op::Idle)];
    (group(), fill(), 0_u8..3, prop::collection::vec(back, 1..4))
        .prop_map(|(first, fill, idle, back)| {
            let mut ops = vec![Op::Retire(first), Op::Buffer(fill)];
            ops.extend((idle > 0).then_some(Op::Idle(idle)));
            ops.extend(back);
            steps(ops)
        })
        .boxed()
}

/// Generates loads before their instruction retires, with something else in between.
fn early_loads() -> BoxedStrategy<Vec<Step>> {
    let between = prop_oneof![
        3 => Just(Vec::new()),
        1 => Just(steps(vec![Op::Control(CtlOp::Slwpcb, Argument::Zero, 0)])),
        1 => (0_u8..12).prop_map(|word| steps(vec![Op::Context(false, word, 0)])),
        1 => fill().prop_map(|fill| steps(vec![Op::Buffer(fill)])),
        1 => burst(),
    ];
    let partial = prop::collection::vec(busy_lane().prop_map(Op::Partial), 1..4);
    (partial, between, prop::collection::vec(busy_lane(), 1..5))
        .prop_map(|(partial, between, group)| {
            steps(partial).into_iter().chain(between).chain([Step::Do(Op::Retire(group))]).collect()
        })
        .boxed()
}

/// Generates cycles in which everything may happen at once, whatever the unit's outputs are.
fn burst() -> BoxedStrategy<Vec<Step>> {
    let none = || Just(Lane::default());
    let lanes = || prop_oneof![2 => busy_lane().boxed(), 1 => none().boxed()];
    let buffer = prop_oneof![2 => fill().boxed(), 3 => Just(Buffer::default()).boxed()];
    let ops = vec![CtlOp::Llwpcb, CtlOp::Slwpcb, CtlOp::WriteMsr0, CtlOp::Save, CtlOp::Restore, CtlOp::ReadMsr1];
    let ctl = (prop::bool::weighted(0.06), prop::sample::select(ops), 0_u8..12).prop_flat_map(|(valid, op, word)| {
        let wdata =
            if op == CtlOp::Llwpcb { word_value(0) } else { word_value(if op == CtlOp::Restore { word } else { 8 }) };
        wdata.prop_map(move |wdata| Control { valid, op, word, wdata, ds_base: 0 })
    });
    let bits = (prop::bool::weighted(0.15), prop::bool::weighted(0.15), prop::bool::weighted(0.15));
    let cycle = ([lanes(), lanes(), lanes(), lanes()], buffer, ctl, bits).prop_map(
        |(lanes, buffer, ctl, (partial, pf_ack, irq_ack))| {
            Box::new(Inputs { lanes, buffer, ctl, partial, pf_ack, irq_ack, ..Inputs::default() })
        },
    );
    prop::collection::vec(cycle, 1..14).prop_map(|cycles| vec![Step::Burst(cycles)]).boxed()
}

/// Generates a reset, and a session from the beginning.
fn restarted() -> BoxedStrategy<Vec<Step>> {
    (1_u8..3, 0_u8..16, any::<bool>())
        .prop_map(|(cycles, features, all)| {
            let features = if all { 0x1F } else { features << 1 | 1 };
            steps(vec![
                Op::Reset(cycles),
                kernel(false),
                Op::Control(CtlOp::WriteMsr0, Argument::Features(features), 0),
                user(),
                Op::Control(CtlOp::Llwpcb, Argument::Block(0), 0),
            ])
        })
        .boxed()
}

/// Generates an interruption in any cycle of the work that the unit has to do for instructions that have just retired.
fn interrupted() -> BoxedStrategy<Vec<Step>> {
    let first = prop_oneof![
        4 => prop::collection::vec(busy_lane(), 1..5).prop_map(|lanes| vec![Op::Retire(lanes)]),
        1 => busy_lane().prop_map(|lane| vec![Op::Partial(lane)]),
        1 => fill().prop_map(|fill| vec![Op::Buffer(fill)]),
    ];
    let away = (0_u8..3, prop::bool::weighted(0.2), 0_u8..8, any::<bool>()).prop_map(|(page, smm, away, fault)| {
        // The page is removed when the access may have begun; the core leaves ring 3 before the response.
        let ops = fault.then_some(Op::PageOut(page)).into_iter();
        steps(ops.chain([Op::Idle(1), kernel(smm), Op::Idle(away + 1), user(), Op::PageIn]).collect())
    });
    let op = prop::sample::select(vec![CtlOp::Llwpcb, CtlOp::Slwpcb, CtlOp::Save, CtlOp::ReadMsr1]);
    let control = (op, 0_u8..2).prop_map(|(op, block)| steps(vec![Op::Control(op, Argument::Block(block), 0)]));
    let tail = (0_u8..2, 0_u32..300).prop_map(|(block, tail)| steps(vec![Op::Tail(block, TailMove::Wild(tail))]));
    let event = prop_oneof![
        5 => away,
        2 => restarted(),
        2 => control,
        2 => fill().prop_map(|fill| steps(vec![Op::Buffer(fill)])),
        1 => (0_u8..3).prop_map(|page| steps(vec![Op::PageOut(page)])),
        1 => tail,
        1 => burst(),
    ];
    let cycles = prop_oneof![1 => Just(0_u8), 3 => 0_u8..45];
    (first, cycles, event)
        .prop_map(|(mut ops, cycles, event)| {
            ops.extend((cycles > 0).then_some(Op::Idle(cycles)));
            steps(ops).into_iter().chain(event).collect()
        })
        .boxed()
}

/// Generates a load that waits for longer than the largest latency that can be reported.
fn long_wait() -> BoxedStrategy<Vec<Step>> {
    (0_u8..8, 200_u8..=255, fill())
        .prop_map(|(entry, last, fill)| {
            let alloc = Buffer { alloc_valid: true, alloc_entry: entry, ..Buffer::default() };
            let mut ops = vec![Op::Buffer(alloc), Op::Idle(255), Op::Idle(255), Op::Idle(255), Op::Idle(last)];
            ops.push(Op::Buffer(Buffer { fill_entry: entry, ..fill }));
            steps(ops)
        })
        .boxed()
}

/// Generates the removal of pages while records are in progress.
fn faults() -> BoxedStrategy<Vec<Step>> {
    let away = (0_u8..10, 0_u8..4);
    (0_u8..3, prop::collection::vec(busy_lane(), 1..9), away, any::<bool>())
        .prop_map(|(page, group, (before, away), back)| {
            let mut ops = vec![Op::PageOut(page), Op::Retire(group)];
            ops.push(Op::Excursion(before, Mode { cpl: 0, smm: false, op_mode: OpMode::Long64 }, away));
            ops.push(Op::AckPageFault);
            ops.extend(back.then_some(Op::PageIn));
            steps(ops)
        })
        .boxed()
}

/// Generates a change of LWPMSR0 by the kernel during a session.
fn features() -> BoxedStrategy<Vec<Step>> {
    (any::<u8>(), prop::bool::weighted(0.95))
        .prop_map(|(bits, on)| {
            let bits = bits & 0x1E | u8::from(on);
            steps(vec![kernel(false), Op::Control(CtlOp::WriteMsr0, Argument::Features(bits), 0), user()])
        })
        .boxed()
}

/// Generates the beginning of a session.
fn begin() -> BoxedStrategy<Vec<Step>> {
    (0_u8..2, any::<bool>())
        .prop_map(|(block, wrmsr)| {
            let argument = Argument::Block(block);
            steps(if wrmsr {
                vec![kernel(false), Op::Control(CtlOp::WriteMsr1, argument, 0), user()]
            } else {
                vec![user(), Op::Control(CtlOp::Llwpcb, argument, 0)]
            })
        })
        .boxed()
}

/// Generates any phrase, among groups that retire and other operations.
pub(super) fn phrase() -> BoxedStrategy<Vec<Step>> {
    let group = prop::collection::vec(busy_lane(), 1..9).prop_map(|lanes| steps(vec![Op::Retire(lanes)]));
    let rest = prop_oneof![30 => (1_u8..30).prop_map(|cycles| steps(vec![Op::Idle(cycles)])), 1 => long_wait()];
    prop_oneof![
        6 => group,
        4 => restored(),
        4 => replayed(),
        4 => early_loads(),
        3 => burst(),
        6 => interrupted(),
        2 => faults(),
        2 => features(),
        2 => begin(),
        1 => (0_u8..2).prop_map(|block| steps(vec![Op::Tail(block, TailMove::Drain)])),
        4 => rest,
        6 => op().prop_map(|op| steps(vec![op])),
    ]
    .boxed()
}
