//! Which branches and which misses count, and what a record says of them, followed by hand. Source: "Branch retired event",
//! "DCache misses", and the table of the LWPCB.

use super::bench::{Bench, LWPCB, MSR0_ALL, branch, kernel, loads, plain, user};
use lwp_model::lwp::{BranchKind, Buffer, Config, CtlOp, Inputs, LatencyPhase, LatencySource, LatencyStep, Prediction};

const CLF: u32 = 1 << 8;
const NDB: u32 = 1 << 13;
/// For each data source with a bit: the source, and the bit.
const LEVELS: [(u8, u32); 4] = [(1, 1 << 9), (2, 1 << 10), (3, 1 << 11), (7, 1 << 12)];

/// A session with this filter word.
fn filtered(straps: Config, filter: u32, slots: &[(u32, u32, u32)]) -> Bench {
    let mut bench = Bench::with(straps);
    bench.block(LWPCB, 256, 0, slots);
    bench.write32(LWPCB + 36, filter);
    bench.op(CtlOp::Llwpcb, LWPCB);
    bench
}

/// Whether a miss of this latency and source counts.
fn counts(bench: &mut Bench, latency: u32, source: u8) -> bool {
    let before = bench.counter(3);
    bench.retire(&[loads(1, &[(0x9000, latency, source)])]);
    before - bench.counter(3) == 1
}

// LWP-BRN-02 to 04, LWP-BRN-18, LWP-BRN-19: branches by their class. Those that switch into or out of ring 3, SMM or a guest
// come as "system", and so do traps and interrupts if a core presents them at all.
#[test]
fn branches_count_by_class() {
    use BranchKind::{Call, CallInd, FarCall, FarJmp, FarRet, Jcc, Jmp, JmpInd, None, Ret, System};
    for filter in [0, NDB] {
        let mut bench = filtered(Config::default(), filter, &[(2, 100, 100)]);
        for kind in [Jmp, Jcc, JmpInd, Call, CallInd, Ret, FarJmp, FarCall, FarRet, System, None] {
            for taken in [true, false] {
                let before = bench.counter(2);
                bench.retire(&[branch(1, kind, taken, 2)]);
                let suppressed = kind == Jmp && filter == NDB;
                let counted = !suppressed && !matches!(kind, System | None);
                assert_eq!(before - bench.counter(2), u32::from(counted), "{kind:?}, filter {filter:#x}");
            }
        }
    }
}

// LWP-BRN-17: the prediction is known of all, of some or of no branches: bits 30 (predicted) and 29 (valid) of the record.
#[test]
fn predictions_by_strap() {
    for (prediction, told, silent) in
        [(Prediction::All, 0b11, 0b01), (Prediction::Some, 0b11, 0b00), (Prediction::None, 0b00, 0b00)]
    {
        for (known, bits) in [(true, told), (false, silent)] {
            let mut bench = Bench::session_with(Config { prediction, ..Config::default() }, 0, &[(2, 1, 1)]);
            let mut lane = branch(1, BranchKind::Jcc, true, 2);
            (lane.branch_pred_valid, lane.branch_pred_ok) = (known, known);
            bench.retire(&[lane]);
            assert_eq!(bench.record(0)[0] >> 29 & 3, bits, "{prediction:?}, {known}");
        }
    }
}

// LWP-LCB-20, LWP-LCB-21, LWP-LCB-23 to 26, LWP-LCB-45: with CLF a miss counts if the bit of its source is set, a source without a
// bit never; without CLF all sixteen patterns count everything.
#[test]
fn levels_have_a_bit_each() {
    for pattern in 0..16_u32 {
        for clf in [0, CLF] {
            let mut bench = filtered(Config::default(), pattern << 9 | clf, &[(3, 100, 100)]);
            for source in 0..8 {
                let bit = LEVELS.iter().find(|level| level.0 == source).map_or(0, |level| level.1);
                let eligible = clf == 0 || pattern << 9 & bit != 0;
                assert_eq!(counts(&mut bench, 100, source), eligible, "source {source}, bits {pattern:04b}, {clf:#x}");
            }
        }
    }
}

// LWP-LCB-22: CLF changes nothing for other events.
#[test]
fn the_level_filter_is_for_misses_alone() {
    let mut bench = filtered(Config::default(), CLF, &[(1, 100, 100), (2, 100, 100)]);
    bench.retire(&[loads(1, &[(0x9000, 1, 0)]), branch(2, BranchKind::Jmp, true, 3)]);
    assert_eq!((bench.counter(1), bench.counter(2)), (98, 99));
}

// LWP-DCM-24, LWP-DCM-25, LWP-CPU-22, LWP-CPU-23, LWP-LCB-22, LWP-LAT-12, LWP-LCB-19: at least 32 cycles, and from DRAM; a filter
// that hardware lacks is ignored, and CPUID says which there are; one has to exist.
#[test]
fn a_miss_passes_all_filters_that_exist() {
    let dram = CLF | 1 << 11;
    for (latency_filter, level_filter) in [(true, true), (true, false), (false, true)] {
        let straps = Config { latency_filter, level_filter, ..Config::default() };
        for min in [0, 2] {
            let mut bench = filtered(straps, min | dram, &[(3, 100, 100)]);
            let caps = bench.unit.caps();
            assert_eq!((caps.cache_latency, caps.cache_levels), (latency_filter, level_filter));
            for latency in [0, 31, 32] {
                for source in [1, 3] {
                    let fast = latency_filter && latency < 16 * min;
                    let elsewhere = level_filter && source != 3;
                    assert_eq!(
                        counts(&mut bench, latency, source),
                        !fast && !elsewhere,
                        "{straps:?} {latency} {source}"
                    );
                }
            }
            // What the program writes into the block of a running session changes nothing.
            bench.write32(LWPCB + 36, 255);
            assert!(counts(&mut bench, 32, 3));
        }
    }
    let neither = Config { latency_filter: false, level_filter: false, ..Config::default() };
    assert!(super::unit::Unit::new(neither).is_err());
}

// LWP-LCB-44: reserved bits of the filter word and of the counters change nothing.
#[test]
fn reserved_bits_of_the_block_are_ignored() {
    let mut rings = Vec::new();
    for reserved in [0, u32::MAX] {
        let counter = 3 | reserved & 0xFC00_0000;
        let mut bench = filtered(Config::default(), 2 | reserved & !0x3FFF, &[(3, 2, counter), (1, 9, counter)]);
        for ip in 1..20 {
            bench.retire(&[loads(ip, &[(0x9000, if ip % 5 == 0 { 31 } else { 32 }, 3)])]);
        }
        bench.op(CtlOp::Slwpcb, 0);
        rings.push((bench.stored(), (0..8).map(|index| bench.record(index)).collect::<Vec<_>>(), bench.counter(3)));
        assert_eq!((bench.read32(LWPCB + 44) >> 26, bench.read32(LWPCB + 52) >> 26), (0, 0));
    }
    assert_eq!(rings[0], rings[1]);
    assert!(rings[0].0.len() > 3);
}

// LWP-LCB-29: EventId 0 disables its slot.
#[test]
fn an_empty_slot_does_nothing() {
    let mut bench = Bench::session(&[(0, 1, 1), (1, 3, 3), (0, 2, 2)]);
    (1..=6).for_each(|ip| bench.retire(&[branch(ip, BranchKind::Jmp, true, 2)]));
    assert_eq!(bench.stored(), [3, 6]);
    bench.op(CtlOp::Slwpcb, 0);
    assert_eq!((bench.read32(LWPCB + 44), bench.read32(LWPCB + 60)), (1, 2), "their counters are left alone");
}

// LWP-MSR0-04 to 06: with its bit 0 an event is inactive: it does not show in Flags and does not count, at the start of a session
// and in the middle of one.
#[test]
fn events_are_forbidden_one_by_one() {
    let everything = |bench: &mut Bench| {
        let mut lane = loads(1, &[(0x9000, 100, 3)]);
        (lane.branch_kind, lane.branch_taken) = (BranchKind::Jmp, true);
        let counters = |bench: &Bench| [1, 2, 3].map(|event| bench.counter(event));
        let before = counters(bench);
        bench.retire(&[lane]);
        let after = counters(bench);
        core::array::from_fn::<_, 3, _>(|event| before[event] - after[event])
    };
    for allowed in 0..8 {
        let expected = [0, 1, 2].map(|event| allowed >> event & 1);
        let msr0 = u64::from(allowed << 1 | 1);
        let mut bench = Bench::with(Config::default());
        bench.enter(kernel());
        bench.op(CtlOp::WriteMsr0, msr0);
        bench.enter(user());
        bench.block(LWPCB, 256, 0, &[(1, 100, 100), (2, 100, 100), (3, 100, 100)]);
        bench.op(CtlOp::Llwpcb, LWPCB);
        assert_eq!(bench.read32(LWPCB) & 0xE, if allowed == 0 { 0 } else { allowed << 1 });
        assert_eq!(everything(&mut bench), expected);
        let mut late = Bench::session(&[(1, 100, 100), (2, 100, 100), (3, 100, 100)]);
        assert_eq!(everything(&mut late), [1; 3]);
        late.enter(kernel());
        late.op(CtlOp::WriteMsr0, msr0 | MSR0_ALL & !0xF);
        late.enter(user());
        assert_eq!(everything(&mut late), expected);
    }
}

// LWP-LAT-03: with the free-running phase the latency grows by 16 whenever the shared counter carries out of bit 3, in cycles 15,
// 31 and so on after reset, while the load waits.
#[test]
fn a_free_running_phase_counts_carries() {
    let straps = Config {
        latency_source: LatencySource::Buffer,
        latency_step: LatencyStep::Sixteen,
        latency_phase: LatencyPhase::FreeRunning,
        ..Config::default()
    };
    for (offset, wait) in [(0, 15), (3, 15), (9, 1), (5, 16), (7, 40), (15, 100)] {
        let mut bench = Bench::session_with(straps, 0, &[(3, 10, 1)]);
        while bench.cycles % 16 != offset {
            bench.idle(1);
        }
        let taken = bench.cycles;
        let alloc = Buffer { alloc_valid: true, alloc_entry: 2, ..Buffer::default() };
        bench.cycle(Inputs { buffer: alloc, ..Inputs::default() });
        bench.idle(wait - 1);
        let fill = Buffer { fill_valid: true, fill_entry: 2, fill_source: 3, ..Buffer::default() };
        bench.cycle(Inputs { buffer: fill, ..Inputs::default() });
        bench.retire(&[loads(1, &[(0x9000, 2, 3)])]);
        let carries = (taken + 1..=taken + u64::from(wait)).filter(|cycle| cycle % 16 == 15).count();
        assert_eq!(bench.record(0)[0] >> 32, 16 * carries as u64, "from {offset}, {wait} cycles");
    }
}

// LWP-REC-02, LWP-REC-06, LWP-INS-03, LWP-BRN-06, LWP-DCM-08: byte 1 of each kind of record is the core, and bytes 8 to 15 are the
// address of the instruction, as the core presents it: all 64 bits.
#[test]
fn records_name_core_and_instruction() {
    for core_id in [0, 0x5A, 0xFF] {
        for (event, ip) in [(1, 0xFEDC_BA98_7654_3210), (2, 0x0123_4567_89AB_CDEF), (3, u64::MAX)] {
            let straps = Config { core_id, ..Config::default() };
            let mut bench = Bench::session_with(straps, 0, &[(event, 1, 1)]);
            let mut lane = loads(ip, &[(0x9000, 100, 3)]);
            (lane.branch_kind, lane.branch_taken) = (BranchKind::Jmp, true);
            bench.retire(&[plain(1)]);
            bench.write32(LWPCB + 20, bench.unit.state().ring.head);
            bench.retire(&[lane]);
            let last = u64::from(bench.unit.state().ring.head / 32) - 1;
            let [first, at, ..] = bench.record(last);
            assert_eq!((first & 0xFFFF, at), (u64::from(core_id) << 8 | u64::from(event), ip));
        }
    }
}
