//! Counters, intervals, latencies, timers and the LFSR at every width.

use super::building_blocks::{block, booted, branch, fill, group, missing, of_block, plain, steps};
use super::crossing::{Crossing, Way, cycle, power, resumed, retired};
use crate::lwp::scenario::{Block, Op, Sequence, SlotChoice, Step};
use lwp_model::lwp::{
    AddressPolicy, Buffer, Config, FaultPolicy, GatherPolicy, Inputs, LatencyPhase, LatencySource, LatencyStep,
    StoreTiming, TailReread,
};

const COUNTERS: [&str; 3] = ["state.events[0].counter", "state.events[1].counter", "state.events[2].counter"];
const INTERVALS: [&str; 3] = ["state.events[0].interval", "state.events[1].interval", "state.events[2].interval"];
const UNDO: [&str; 3] = ["state.undo[0]", "state.undo[1]", "state.undo[2]"];
/// The bit of word 1 that indicates a session.
const SESSION: u64 = 1 << 32;

/// Returns an instruction that is a branch and whose load misses: an occurrence of each event.
fn everything() -> lwp_model::lwp::Lane {
    missing(branch(0x100))
}

/// Returns runs with a counter of 2^b, and one of 2^b + 2, and an instruction that causes all three events; and with a
/// counter of 2^b + 1 and four such instructions.
fn counters() -> impl Iterator<Item = Crossing> {
    (0..26).flat_map(|bit| {
        let of = |count: u64, lanes: &[lwp_model::lwp::Lane]| {
            booted(Config::default(), &[1, 2, 3], count as u32, vec![group(lanes), Step::Do(Op::Idle(40))])
        };
        let one = of(power(bit), &[everything()]);
        let four = of(power(bit) + 1, &[everything(); 4]);
        let kept = of(power(bit) + 2, &[everything()]);
        let less = (power(bit) + 1).saturating_sub(4);
        [
            Crossing::of(one, COUNTERS.map(|register| (register, Way::Steps(power(bit), power(bit) - 1)))),
            Crossing::of(kept, COUNTERS.map(|register| (register, Way::Steps(power(bit) + 2, power(bit) + 1)))),
            Crossing::of(four, COUNTERS.map(|register| (register, Way::Steps(power(bit) + 1, less)))),
        ]
    })
}

/// Returns runs with restored counters of 2^b.
fn restored_counters() -> impl Iterator<Item = Crossing> {
    (0..26).map(|bit| {
        let counter = power(bit);
        let words = [(3, counter), (2, counter << 32 | counter), (1, SESSION)];
        let run = resumed(Config::default(), block(&[1, 2, 3], 3), &words, retired(everything()));
        Crossing::of(run, COUNTERS.map(|register| (register, Way::Steps(counter, counter - 1))))
    })
}

/// Returns runs in which a counter is reloaded with an interval of one bit, and with random low bits.
fn intervals() -> impl Iterator<Item = Crossing> {
    (0..26_u32).flat_map(|bit| {
        (0..3_usize).map(move |event| {
            let slots = vec![SlotChoice { id: event as u8 + 1, interval: 1 << bit, counter: 0 }];
            let block = Block { slots, ..block(&[1], 0) };
            let run = of_block(Config::default(), block, retired(everything()));
            let reloaded = (COUNTERS[event], Way::Steps(0, power(bit)));
            Crossing::of(run, [reloaded, (INTERVALS[event], Way::Reaches(power(bit)))])
        })
    })
}

/// Returns runs in which an undone instruction restores the counters: 2^b in the two events that are not recorded.
fn undone() -> impl Iterator<Item = Crossing> {
    let straps = Config { fault_policy: FaultPolicy::Fault, store_timing: StoreTiming::Sync, ..Config::default() };
    (0..26_u32).flat_map(move |bit| {
        (0..3_usize).map(move |event| {
            let slot = |id: u8| {
                let counter = if usize::from(id) == event + 1 { 0 } else { 1 << bit };
                SlotChoice { id, interval: 7, counter }
            };
            let block = Block { slots: [1, 2, 3].map(slot).to_vec(), ..block(&[1], 0) };
            let mut run = steps([Op::PageOut(2)]);
            run.push(group(&[everything()]));
            run.extend(steps([Op::Idle(20), Op::PageIn, Op::AckPageFault, Op::Idle(20)]));
            // The instruction is executed again, and the next one is recorded when the counters have advanced.
            run.extend((0..8).flat_map(|_| retired(everything())));
            let run = of_block(straps, block, run);
            let others = (0..3).filter(move |other| *other != event);
            let does = others.flat_map(|other| {
                let back = Way::Steps(power(bit) - 1, power(bit));
                [(UNDO[other], Way::Reaches(power(bit))), (COUNTERS[other], back)]
            });
            Crossing::of(run, does.collect::<Vec<_>>())
        })
    })
}

/// Returns runs with a load of 2^b cycles, and with one of a cycle less. Each passes a filter of 255 times 16 if its
/// latency is sufficient, and its record shows the latency.
fn latencies() -> impl Iterator<Item = Crossing> {
    (0..31_u32).flat_map(|bit| {
        [1_u32 << bit, (1 << bit) - 1].into_iter().flat_map(|latency| {
            let mut lane = everything();
            lane.loads[0].latency = latency;
            let filtered = Block { filter: 255, ..block(&[3], 0) };
            let recorded = booted(Config::default(), &[3], 0, retired(lane));
            let mut early = vec![super::building_blocks::partial(lane), group(&[plain(0x100)]), Step::Do(Op::Idle(40))];
            // Another load has none of its bits set.
            lane.loads[0].latency = !latency & 0x7FFF_FFFF;
            early.extend([super::building_blocks::partial(lane), group(&[plain(0x100)]), Step::Do(Op::Idle(40))]);
            lane.loads[0].latency = latency;
            let early = booted(Config::default(), &[3], 0, early);
            let eligible = of_block(Config::default(), filtered, retired(lane));
            let event = if latency >= 255 * 16 { Way::Reaches(3) } else { Way::Stays(0) };
            let value = Way::Reaches(latency.into());
            [
                Crossing::new("state.records[0].data", value, recorded),
                Crossing::new("state.cand_latency", value, early),
                Crossing::new("state.records[0].event", event, eligible),
            ]
        })
    })
}

/// Returns runs for the latency of a load that is tagged.
fn tagged_latencies() -> impl Iterator<Item = Crossing> {
    let straps = Config { address_policy: AddressPolicy::Replay, ..Config::default() };
    (0..31_u32).map(move |bit| {
        let Op::Buffer(data) = fill() else { unreachable!("a fill is an operation of the buffer") };
        let data = Buffer { fill_latency: 1 << bit, fill_ip: power(2 * bit), ..data };
        let mut run = steps([Op::Buffer(data), Op::Idle(2)]);
        run.extend(retired(super::building_blocks::tagged(plain(0x100))));
        run.extend(steps([Op::Buffer(Buffer { fill_latency: !data.fill_latency & 0x7FFF_FFFF, ..data }), Op::Idle(2)]));
        run.extend(retired(super::building_blocks::tagged(plain(0x100))));
        Crossing::new("state.tag_latency", Way::Reaches(power(bit)), booted(straps, &[3], 0, run))
    })
}

/// Returns the steps that wait for `cycles` cycles.
fn wait(cycles: u32) -> Vec<Step> {
    let whole = (0..cycles / 250).map(|_| Op::Idle(250));
    let rest = (cycles % 250) as u8;
    steps(whole.chain((rest > 0).then_some(Op::Idle(rest))))
}

/// Returns a run in which loads take all entries of the miss address buffer, one after another, and wait for `cycles`;
/// then they are filled.
fn waiting(latency_step: LatencyStep, latency_phase: LatencyPhase, cycles: u32) -> Sequence {
    let straps = Config { latency_source: LatencySource::Buffer, latency_step, latency_phase, ..Config::default() };
    let entry = |alloc: bool, entry: u8| {
        let buffer = Buffer {
            alloc_valid: alloc,
            alloc_entry: entry,
            fill_valid: !alloc,
            fill_entry: entry,
            ..Buffer::default()
        };
        cycle(Inputs { buffer, ..Inputs::default() })
    };
    let mut run: Vec<Step> = (0..8).map(|at| entry(true, at)).collect();
    run.extend(wait(cycles));
    run.extend((0..8).map(|at| entry(false, at)));
    let mut lane = everything();
    lane.loads[0].latency = 5;
    run.extend(retired(lane));
    // The entries start again.
    run.extend((0..8).map(|at| entry(true, at)));
    run.extend(wait(40));
    booted(straps, &[3], 0, run)
}

const ENTRIES: [&str; 8] = [
    "state.mab[0].latency",
    "state.mab[1].latency",
    "state.mab[2].latency",
    "state.mab[3].latency",
    "state.mab[4].latency",
    "state.mab[5].latency",
    "state.mab[6].latency",
    "state.mab[7].latency",
];

/// Returns runs for latencies that the unit measures, over every power of two up to 2^13, in steps of one and of
/// sixteen.
fn measured() -> Vec<Crossing> {
    let one = waiting(LatencyStep::One, LatencyPhase::Exact, 8200);
    let free = waiting(LatencyStep::Sixteen, LatencyPhase::FreeRunning, 4200);
    let every = |bits: std::ops::Range<u32>, less: u64| {
        let all = bits.flat_map(|bit| ENTRIES.map(|entry| (entry, Way::Steps(power(bit) - less, power(bit)))));
        all.collect::<Vec<_>>()
    };
    vec![Crossing::of(one, every(0..14, 1)), Crossing::of(free, every(4..13, 16))]
}

/// Returns runs with an interrupt that is due in 2^b cycles, by the strap or as restored.
fn delays() -> impl Iterator<Item = Crossing> {
    let by_strap = (0..8_u32).map(|bit| {
        let straps = Config { irq_delay: 1 << bit, ..Config::default() };
        let mut run = vec![group(&[plain(0x100)])];
        run.extend(wait(200));
        Crossing::steps("state.irq_count", power(bit), power(bit) - 1, booted(straps, &[1], 0, run))
    });
    by_strap.chain((0..8_u32).map(|bit| {
        let word = 0x8000_000F | power(bit) << 40;
        let run = resumed(Config::default(), block(&[1], 0), &[(8, word), (1, SESSION)], wait(200));
        Crossing::steps("state.irq_count", power(bit), power(bit) - 1, run)
    }))
}

/// Returns runs in which the number of records for which the tail need not be read is restored, and counted down while
/// the threshold appears reached.
fn tails_skipped() -> impl Iterator<Item = Crossing> {
    let straps = Config { tail_reread: TailReread::Lazy, tail_nth: 15, ..Config::default() };
    (0..4_u32).map(move |bit| {
        let words = [(3, power(bit) << 32 | 2 << 36), (1, SESSION | 96)];
        let run = resumed(straps, Block { head: 96, ..block(&[1], 0) }, &words, retired(plain(0x100)));
        Crossing::steps("state.tail_skip", power(bit), power(bit) - 1, run)
    })
}

/// Returns a run that uses up, one after another, all records that a read of the tail permits without another read.
fn tails_used_up() -> Crossing {
    let straps = Config { tail_reread: TailReread::Lazy, tail_nth: 15, ..Config::default() };
    let words = [(3, 14 << 32), (1, SESSION | 96)];
    let records = (0..15).flat_map(|_| retired(plain(0x100))).collect();
    let run = resumed(straps, Block { size: 2048, head: 96, ..block(&[1], 0) }, &words, records);
    let steps = (1..15).map(|left| ("state.tail_skip", Way::Steps(left, left - 1)));
    Crossing::of(run, steps.collect::<Vec<_>>())
}

/// Returns runs in which the LFSR leaves each state in which one bit is set.
fn shifted() -> impl Iterator<Item = Crossing> {
    (0..32_u32).map(|bit| {
        let block = Block { random: 15, ..block(&[1], 0) };
        let run = resumed(Config::default(), block, &[(9, power(bit)), (1, SESSION)], retired(plain(0x100)));
        let next = (0..16).fold(1_u32 << bit, |x, _| (x >> 1) ^ if x & 1 == 1 { 0x8020_0003 } else { 0 });
        Crossing::steps("state.lfsr", power(bit), next.into(), run)
    })
}

/// Returns runs with three records of one instruction, whose events are in the entries 0 to 2 in every order, with one
/// bit of their addresses.
fn queued() -> impl Iterator<Item = Crossing> {
    const IP: [&str; 3] = ["state.records[0].ip", "state.records[1].ip", "state.records[2].ip"];
    const DATA: [&str; 3] = ["state.records[0].data", "state.records[1].data", "state.records[2].data"];
    const ADDR: [&str; 3] = ["state.records[0].addr", "state.records[1].addr", "state.records[2].addr"];
    let straps = Config { gather_policy: GatherPolicy::All, one_per_instr: false, ..Config::default() };
    (0..64_u32).flat_map(move |bit| {
        let orders: [[u8; 3]; 3] = [[1, 2, 3], [2, 3, 1], [3, 1, 2]];
        orders.into_iter().map(move |order| {
            let mut lane = missing(branch(power(bit)));
            lane.branch_next = power(63 - bit);
            lane.loads[0].addr = power(bit);
            lane.loads[0].latency = 1 << (bit % 31);
            lane.loads[0].source = [1, 2, 3, 7][bit as usize % 4];
            let mut run = vec![group(&[lane])];
            run.extend(wait(90));
            let run = booted(straps, &order, 0, run);
            let miss = order.iter().position(|id| *id == 3).unwrap_or_default();
            let branch = order.iter().position(|id| *id == 2).unwrap_or_default();
            let reached = |bit: u32| Way::Reaches(power(bit));
            let ips = IP.map(|register| (register, reached(bit)));
            let rest = [(DATA[miss], reached(bit % 31)), (ADDR[miss], reached(bit)), (ADDR[branch], reached(63 - bit))];
            Crossing::of(run, [&ips[..], &rest[..]].concat())
        })
    })
}

/// Returns runs in which a slot selects an event, and slot 0 selects it when the block is loaded again.
fn selected() -> impl Iterator<Item = Crossing> {
    const SLOTS: [&str; 3] = ["state.events[0].slot", "state.events[1].slot", "state.events[2].slot"];
    (0..8_usize).flat_map(|slot| {
        (1..4_u8).map(move |id| {
            let of = |slots: usize| {
                let none = SlotChoice { id: 0, interval: 0, counter: 0 };
                let mut slots = vec![none; slots];
                slots.push(SlotChoice { id, interval: 3, counter: 3 });
                Block { slots, ..block(&[], 0) }
            };
            let mut run = retired(everything());
            let begin = Op::Control(lwp_model::lwp::CtlOp::Llwpcb, crate::lwp::scenario::Argument::Block(0), 0);
            run.extend(steps([Op::Rewrite(0, of(0)), begin, Op::Idle(80)]));
            run.extend(retired(everything()));
            let run = of_block(Config::default(), of(slot), run);
            let does = [(SLOTS[usize::from(id) - 1], Way::Reaches(slot as u64))];
            Crossing::of(run, does)
        })
    })
}

pub(super) fn all() -> Vec<Crossing> {
    let mut all: Vec<Crossing> = counters().chain(restored_counters()).chain(intervals()).chain(undone()).collect();
    all.extend(latencies().chain(tagged_latencies()).chain(delays()).chain(tails_skipped()).chain(shifted()));
    all.extend(queued().chain(selected()));
    all.extend(measured());
    all.push(tails_used_up());
    all
}
