//! DCache misses: which count, which load is recorded, and how its address is come by, followed by hand. Source: "DCache misses"
//! and its sections.

use super::bench::{Bench, LWPCB, kernel, loads, plain, user};
use lwp_model::lwp::{
    AddressPolicy, Buffer, Config, CtlOp, Inputs, Lane, LatencyPhase, LatencySource, LatencyStep, Load,
};

fn policy(address_policy: AddressPolicy) -> Config {
    Config { address_policy, ..Config::default() }
}

fn miss(ip: u64) -> Lane {
    loads(ip, &[(0x9000 + ip, 100, 3)])
}

/// The data of a load returns: one cycle. Whether it was tagged.
fn fill(bench: &mut Bench, ip: u64, latency: u32, source: u8) -> bool {
    let buffer =
        Buffer { fill_valid: true, fill_ip: ip, fill_latency: latency, fill_source: source, ..Buffer::default() };
    bench.cycle(Inputs { buffer, ..Inputs::default() }).flush_req
}

/// The replayed load: it hits, and brings its address.
fn replayed(ip: u64, addr: u64) -> Lane {
    let mut lane = plain(ip);
    lane.loads[0] = Load { tagged: true, addr_valid: true, addr, ..Load::default() };
    lane
}

// LWP-ADR-01, LWP-ADR-02: the load that brings the counter to zero.
#[test]
fn same_load() {
    let mut bench = Bench::session_with(policy(AddressPolicy::SameLoad), 0, &[(3, 3, 3)]);
    for ip in 1..=6 {
        bench.retire(&[miss(ip)]);
    }
    assert_eq!((bench.stored(), bench.record(0)[2]), (vec![3, 6], 0x9003));
    assert_eq!(bench.record(0)[0], 0x0000_0064_7000_0003);
}

// LWP-ADR-01, LWP-ADR-03, LWP-GAT-13: the load that brings the counter to zero is not reported, the next one is: interval 10 gives every 11th.
#[test]
fn next_load() {
    let mut bench = Bench::session_with(policy(AddressPolicy::NextLoad), 0, &[(3, 10, 10), (1, 20, 20)]);
    for ip in 1..=33 {
        bench.retire(&[miss(ip)]);
    }
    let of_misses: Vec<u64> =
        (0..4).filter(|index| bench.record(*index)[0] & 0xFF == 3).map(|index| bench.record(index)[1]).collect();
    assert_eq!(of_misses, [11, 22, 33]);
    assert_eq!((bench.record(0)[1], bench.record(0)[2]), (11, 0x900B));
}

// LWP-GAT-12: below the minimum latency of 32 a load is not the next eligible one either.
#[test]
fn the_next_load_has_to_be_eligible() {
    let mut bench = Bench::with(policy(AddressPolicy::NextLoad));
    bench.block(LWPCB, 256, 0, &[(3, 10, 1)]);
    bench.write32(LWPCB + 36, 2);
    bench.op(CtlOp::Llwpcb, LWPCB);
    bench.retire(&[loads(1, &[(0x9001, 40, 3)])]);
    bench.retire(&[loads(2, &[(0x9002, 31, 3)]), plain(3)]);
    assert_eq!((bench.stored(), bench.counter(3)), (vec![], 0));
    bench.retire(&[loads(4, &[(0x9004, 32, 3)])]);
    assert_eq!(bench.stored(), [4]);
}

// LWP-ADR-04, LWP-ADR-05: tracking is on from zero until counting resumes, and off in the kernel if gated.
#[test]
fn addresses_are_tracked_only_while_the_counter_is_zero() {
    for address_gate in [true, false] {
        let straps = Config { address_gate, ..policy(AddressPolicy::NextLoad) };
        let mut bench = Bench::session_with(straps, 0, &[(3, 10, 2)]);
        let tracked = |bench: &Bench| bench.unit.outputs().addr_track;
        bench.retire(&[miss(1)]);
        assert!(!tracked(&bench));
        bench.retire(&[miss(2)]);
        assert!(tracked(&bench));
        bench.enter(kernel());
        assert_eq!(tracked(&bench), !address_gate);
        bench.enter(user());
        assert!(tracked(&bench));
        bench.retire(&[miss(3)]);
        assert!(!tracked(&bench), "the record is stored and counting goes on");
    }
    let mut same = Bench::session(&[(3, 10, 1)]);
    same.busy = true;
    same.retire(&[miss(1)]);
    assert!(!same.unit.outputs().addr_track, "nobody asks for it");
}

// LWP-ADR-01, LWP-ADR-06 to 10: after the counter has reached zero the next miss is tagged when its data returns: one request to flush. The
// replayed load hits; with its retirement the record is stored: latency and source of the first pass, address of the second.
#[test]
fn tag_flush_and_replay() {
    let mut bench = Bench::session_with(policy(AddressPolicy::Replay), 0, &[(3, 7, 2)]);
    assert!(!fill(&mut bench, 1, 50, 3), "the counter is not zero");
    bench.retire(&[miss(1)]);
    assert!(!fill(&mut bench, 2, 60, 3));
    bench.retire(&[miss(2)]);
    assert_eq!((bench.counter(3), bench.stored()), (0, vec![]), "the load that brings it to zero is not recorded");
    assert!(fill(&mut bench, 3, 70, 2));
    bench.idle(1);
    assert!(!bench.unit.outputs().flush_req, "once");
    assert!(!fill(&mut bench, 4, 80, 3), "one load at a time");
    bench.idle(20);
    assert_eq!(bench.log, [], "nothing is stored before it retires");
    bench.retire(&[replayed(3, 0xABC0)]);
    assert_eq!(bench.record(0), [70 << 32 | 2 << 29 | 1 << 28 | 3, 3, 0xABC0, 0]);
    assert_eq!(bench.counter(3), 7, "the replayed load is no further miss");
}

// LWP-ADR-11, LWP-GAT-09: the replay aborts: the counter stays at zero, and the next eligible load goes through the same.
#[test]
fn an_aborted_replay() {
    let mut bench = Bench::session_with(policy(AddressPolicy::Replay), 0, &[(3, 7, 1)]);
    bench.retire(&[miss(1)]);
    assert!(fill(&mut bench, 2, 70, 3));
    bench.cycle(Inputs { buffer: Buffer { replay_abort: true, ..Buffer::default() }, ..Inputs::default() });
    bench.retire(&[plain(2)]);
    assert_eq!((bench.counter(3), bench.stored()), (0, vec![]));
    assert!(fill(&mut bench, 5, 90, 3));
    bench.retire(&[replayed(5, 0xDEF0)]);
    assert_eq!((bench.stored(), bench.record(0)[0] >> 32), (vec![5], 90));
}

// LWP-GAT-12: a load that the filter does not let count is not tagged; a tag does not outlive ring 3.
#[test]
fn only_eligible_loads_are_tagged() {
    let mut bench = Bench::with(policy(AddressPolicy::Replay));
    bench.block(LWPCB, 256, 0, &[(3, 10, 1)]);
    bench.write32(LWPCB + 36, 2);
    bench.op(CtlOp::Llwpcb, LWPCB);
    bench.retire(&[loads(1, &[(0x9001, 40, 3)])]);
    assert!(!fill(&mut bench, 2, 31, 3));
    assert!(fill(&mut bench, 3, 32, 3));
    bench.enter(kernel());
    assert!(!bench.unit.state().tag.valid);
    assert!(!fill(&mut bench, 4, 99, 3), "not in the kernel");
    bench.enter(user());
    assert!(fill(&mut bench, 5, 99, 3));
}

// LWP-ADR-12, LWP-CPU-20: no address at all: bit 28 is 0, bytes 16:23 are 0, and CPUID says so.
#[test]
fn no_addresses() {
    let mut bench = Bench::session_with(policy(AddressPolicy::None), 0, &[(3, 3, 1)]);
    assert!(!bench.unit.caps().data_address);
    bench.retire(&[miss(1)]);
    assert_eq!(bench.record(0), [100 << 32 | 3 << 29 | 3, 1, 0, 0]);
    for with in [AddressPolicy::SameLoad, AddressPolicy::NextLoad, AddressPolicy::Replay] {
        assert!(Bench::with(policy(with)).unit.caps().data_address);
    }
}

// LWP-DCM-01, LWP-CNT-05, LWP-DCM-06: hits and misses that fail the filter do not count, and neither do the unit's own accesses, of
// which nothing is known at the retire lanes.
#[test]
fn only_eligible_misses_count() {
    let mut bench = Bench::new();
    bench.block(LWPCB, 256, 0, &[(3, 100, 100), (1, 1, 1)]);
    // At least 32 cycles, and from DRAM.
    bench.write32(LWPCB + 36, 2 | 1 << 8 | 1 << 11);
    bench.op(CtlOp::Llwpcb, LWPCB);
    bench.retire(&[loads(1, &[(1, 31, 3)]), loads(2, &[(1, 32, 1)]), plain(3)]);
    assert_eq!(bench.counter(3), 100);
    assert!(bench.log.len() > 5, "records are stored meanwhile");
    bench.retire(&[loads(4, &[(1, 32, 3), (1, 33, 3)]), loads(5, &[(1, 40, 3)])]);
    assert_eq!(bench.counter(3), 97);
}

// LWP-DCM-02, LWP-DCM-03: a load that crosses two lines comes as one load, with the lowest address that missed: one decrement.
// LWP-DCM-04, LWP-DCM-05: an instruction without loads of its own, whatever else it does, brings none.
#[test]
fn one_load_is_one_miss() {
    let mut bench = Bench::session(&[(3, 10, 2)]);
    bench.retire(&[loads(1, &[(0x903C, 150, 3)])]);
    assert_eq!(bench.counter(3), 1);
    bench.retire(&[super::bench::branch(2, lwp_model::lwp::BranchKind::System, true, 9), plain(3)]);
    assert_eq!(bench.counter(3), 1);
    bench.retire(&[loads(4, &[(0x9040, 170, 3)])]);
    assert_eq!((bench.record(0)[0] >> 32, bench.record(0)[2]), (170, 0x9040));
}

// LWP-LAT-09: a load counts if its latency by 16 reaches MinLatency, which is the same as if all of it reaches MinLatency * 16: every
// threshold, with the latencies on both sides of it.
#[test]
fn quotients_by_16_suffice() {
    for min in 0_u32..64 {
        let mut bench = Bench::new();
        bench.block(LWPCB, 256, 0, &[(3, 100, 100)]);
        bench.write32(LWPCB + 36, min);
        bench.op(CtlOp::Llwpcb, LWPCB);
        for latency in [0, 16 * min.saturating_sub(1), (16 * min).saturating_sub(1), 16 * min, 16 * min + 15, 1023] {
            let before = bench.counter(3);
            bench.retire(&[loads(1, &[(0x9000, latency, 3)])]);
            assert_eq!(bench.counter(3) < before, latency >= 16 * min, "{latency} with a minimum of {min}");
            assert_eq!(latency >> 4 >= min, latency >= 16 * min);
        }
    }
}

// LWP-LAT-13, LWP-LAT-14: one minimum for every cache-related event, of which there is one; without that event, or without the
// filter in hardware, it changes nothing.
#[test]
fn min_latency_without_a_cache_event() {
    for (straps, slots) in [
        (Config::default(), [(1, 2, 2), (0, 0, 0)]),
        (Config { latency_filter: false, ..Config::default() }, [(3, 2, 2), (0, 0, 0)]),
    ] {
        let mut rings = Vec::new();
        for filter in [0, 200] {
            let mut bench = Bench::with(straps);
            bench.block(LWPCB, 256, 0, &slots);
            bench.write32(LWPCB + 36, filter);
            bench.op(CtlOp::Llwpcb, LWPCB);
            for ip in 0..6 {
                bench.retire(&[miss(ip)]);
            }
            rings.push(bench.stored());
        }
        assert_eq!(rings[0], [1, 3, 5]);
        assert_eq!(rings[0], rings[1]);
    }
}

// LWP-LAT-01, LWP-LAT-02: the unit measures: a load takes entry 5, its data returns 100 cycles later, it retires with "5" in place
// of a latency, and the record says 100, or 96 in steps of 16.
#[test]
fn the_miss_address_buffer_feeds_the_record() {
    for (latency_step, latency) in [(LatencyStep::One, 100), (LatencyStep::Sixteen, 96)] {
        let straps = Config { latency_source: LatencySource::Buffer, latency_step, ..Config::default() };
        let mut bench = Bench::session_with(straps, 0, &[(3, 10, 1)]);
        measured(&mut bench, 5, 100);
        bench.retire(&[loads(0x40, &[(0x9000, 5, 3)])]);
        assert_eq!(bench.record(0)[0] >> 32, latency);
    }
}

/// A load takes an entry, and its data returns so many cycles later.
fn measured(bench: &mut Bench, entry: u8, cycles: u32) {
    let alloc = Buffer { alloc_valid: true, alloc_entry: entry, ..Buffer::default() };
    bench.cycle(Inputs { buffer: alloc, ..Inputs::default() });
    bench.idle(cycles - 1);
    let fill = Buffer { fill_valid: true, fill_entry: entry, fill_source: 3, fill_ip: 0x40, ..Buffer::default() };
    bench.cycle(Inputs { buffer: fill, ..Inputs::default() });
    bench.idle(7);
}

// LWP-LAT-10, LWP-CNT-05: a measured latency is filtered like one that the core presents: 95 cycles are not 6 * 16.
#[test]
fn measured_latencies_are_filtered() {
    let straps = Config {
        latency_source: LatencySource::Buffer,
        latency_step: LatencyStep::Sixteen,
        latency_phase: LatencyPhase::Exact,
        ..Config::default()
    };
    let mut bench = Bench::with(straps);
    bench.block(LWPCB, 256, 0, &[(3, 10, 10)]);
    bench.write32(LWPCB + 36, 6);
    bench.op(CtlOp::Llwpcb, LWPCB);
    for (cycles, counter) in [(95, 10), (96, 9)] {
        measured(&mut bench, 1, cycles);
        bench.retire(&[loads(0x40, &[(0x9000, 1, 3)])]);
        assert_eq!(bench.counter(3), counter, "{cycles}");
    }
}

// LWP-ADR-07: replay with the unit's own latencies: the latency is that of the first pass, when the data returned.
#[test]
fn replay_takes_the_measured_latency() {
    let straps = Config { latency_source: LatencySource::Buffer, ..policy(AddressPolicy::Replay) };
    let mut bench = Bench::session_with(straps, 0, &[(3, 10, 0)]);
    measured(&mut bench, 2, 33);
    assert!(bench.unit.state().tag.valid);
    bench.retire(&[replayed(0x40, 0x9000)]);
    assert_eq!((bench.record(0)[0] >> 32, bench.record(0)[2]), (33, 0x9000));
}
