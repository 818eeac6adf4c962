//! IA32_QM_EVTSEL selects, IA32_QM_CTR reads.

use super::bench::{
    Bench, CTR, DONE, ERROR, EVTSEL, GP, L3_MASK, NOT_MINE, PQR_ASSOC, UNAVAILABLE, amd, evtsel, l3_only, load,
};
use crate::unit::Perf;
use lwp_model::perf;
use lwp_model::rdt::{Config, LpOutputs, Outputs, Select, Step};
use lwp_model::retire::{RegOp, RegRequest, RegResult};

// RDTM-06: data can be read at any time, also between the request to memory and the fill
#[test]
fn data_in_the_middle_of_an_access() {
    let mut bench = Bench::new(l3_only());
    bench.wrmsr(0, EVTSEL, evtsel(1, 0));
    bench.wrmsr(1, EVTSEL, evtsel(2, 0));
    bench.late = 5;
    bench.cycle([load(8), Default::default()]);
    let read = |bench: &mut Bench, step| {
        while bench.step() != step {
            bench.idle();
        }
        [bench.rdmsr(0, CTR), bench.rdmsr(1, CTR)]
    };
    assert_eq!(read(&mut bench, Step::MemRequest), [Ok(0), Ok(0)]);
    assert_eq!(read(&mut bench, Step::MemWait), [Ok(0), Ok(1)]);
    assert_eq!(read(&mut bench, Step::Idle), [Ok(1), Ok(1)]);
}

// RDTM-15, RDTM-19, RDTM-23: an RMID means the same to every logical processor, and one pair of registers reads every event of it: 1
// occupancy, 2 total bandwidth, 3 local bandwidth
#[test]
fn one_meaning_in_the_package() {
    let mut bench = Bench::new(l3_only());
    bench.assign(1, 2, 0);
    bench.wrmsr(0, L3_MASK, 1);
    bench.local = false;
    bench.access(1, load(8));
    bench.local = true;
    bench.accesses(1, &[load(16), load(24)]);
    for lp in 0..2 {
        assert_eq!([1, 2, 3].map(|event| bench.select(lp, event, 2)), [Ok(1), Ok(3), Ok(2)], "{lp}");
        assert_eq!([1, 2, 3].map(|event| bench.select(lp, event, 0)), [Ok(0); 3], "{lp}");
    }
}

// RDTM-12, RDTM-22, RDTM-29: what is read is what was selected last, however often, until another is selected
#[test]
fn the_selection_stays() {
    let mut bench = Bench::new(l3_only());
    bench.assign(0, 1, 0);
    bench.wrmsr(0, L3_MASK, 1);
    bench.accesses(0, &[load(8), load(16)]);
    assert_eq!(bench.select(0, 1, 1), Ok(1));
    assert_eq!(bench.select(0, 2, 1), Ok(2));
    bench.access(0, load(24));
    assert_eq!((bench.rdmsr(0, CTR), bench.rdmsr(0, CTR)), (Ok(3), Ok(3)));
    assert_eq!(bench.try_wrmsr(0, EVTSEL, evtsel(1, 1) | 1 << 8), GP);
    assert_eq!(bench.rdmsr(0, CTR), Ok(3));
}

// RDT-08: each logical processor has a pair of its own, or all have that of the package
#[test]
fn whose_selection() {
    for select in [Select::Thread, Select::Package] {
        let mut bench = Bench::new(Config { select, ..l3_only() });
        bench.assign(0, 1, 0);
        bench.accesses(0, &[load(8), load(9)]);
        bench.wrmsr(0, EVTSEL, evtsel(1, 1));
        bench.wrmsr(1, EVTSEL, evtsel(2, 3));
        let (own, last) = (evtsel(1, 1), evtsel(2, 3));
        let (first, count) = if select == Select::Thread { (own, 2) } else { (last, 0) };
        assert_eq!([bench.rdmsr(0, EVTSEL), bench.rdmsr(1, EVTSEL)], [Ok(first), Ok(last)]);
        assert_eq!([bench.rdmsr(0, CTR), bench.rdmsr(1, CTR)], [Ok(count), Ok(0)]);
        // The association is a logical processor's own in both cases.
        assert_eq!([bench.rdmsr(0, PQR_ASSOC), bench.rdmsr(1, PQR_ASSOC)], [Ok(1), Ok(0)]);
    }
}

// RDTM-24, RDTM-25: Error, without data, for an event that there is not, that is not monitored, or an RMID that is not
#[test]
fn errors() {
    let mut bench = Bench::new(Config { events: 0b101, l3_max_rmid: 2, start: 77, ..l3_only() });
    bench.assign(0, 3, 0);
    bench.access(0, load(8));
    assert_eq!([1, 3].map(|event| bench.select(0, event, 2)), [Ok(0), Ok(77)]);
    for event in [0, 2, 4, 5, 0x11, 0x81, 0xFF] {
        assert_eq!(bench.select(0, event, 1), ERROR, "event {event}");
    }
    // RMID 3 is an RMID, but not monitored; the others are none.
    for rmid in [3, 4, 5, 7, 0x42, 0x101, 0x3FF] {
        assert_eq!(bench.select(0, 1, rmid), ERROR, "RMID {rmid}");
    }
    let mut bench = Bench::new(amd(l3_only()));
    for rmid in [4, 0x401, 0x802, 0xFFF] {
        assert_eq!(bench.select(0, 1, rmid), ERROR, "RMID {rmid} of 12 bits");
    }
}

// RDTM-04: what CPUID.0FH.1 reports is what the registers answer: an event whose bit of EDX is 0, or an RMID above ECX, is Error
#[test]
fn what_is_reported_is_there() {
    // The strap, and whether the events 0 to 4 have data.
    for (events, data) in [
        (0b001, [false, true, false, false, false]),
        (0b010, [false, false, true, false, false]),
        (0b100, [false, false, false, true, false]),
        (0b101, [false, true, false, true, false]),
        (0b111, [false, true, true, true, false]),
    ] {
        let mut bench = Bench::new(Config { events, l3_max_rmid: 2, ..l3_only() });
        let [_, _, highest, edx] = bench.unit.config().cpuid(0xF, 1);
        assert_eq!((highest, edx), (2, events.into()));
        for (event, data) in (0..).zip(data) {
            let read = [0, 2, 3].map(|rmid| bench.select(0, event, rmid));
            assert_eq!(read, if data { [Ok(0), Ok(0), ERROR] } else { [ERROR; 3] }, "{events:03b}, event {event}");
        }
    }
    // Without monitoring there are no leaf and no registers.
    let mut bench = Bench::new(Config { events: 0, max_rmid: 0, l3_max_rmid: 0, ..l3_only() });
    assert_eq!(bench.unit.config().cpuid(0xF, 1), [0; 4]);
    assert_eq!((bench.try_wrmsr(0, EVTSEL, 1), bench.rdmsr(0, CTR)), (NOT_MINE, NOT_MINE));
}

// RDTM-26, RDTM-27: Unavailable, without data, while the input says so. Error is final, and hides it.
#[test]
fn data_that_are_not_available() {
    let mut bench = Bench::new(Config { l3_max_rmid: 2, ..l3_only() });
    bench.assign(0, 1, 0);
    bench.access(0, load(8));
    bench.unavailable = true;
    assert_eq!([1, 2, 3].map(|event| bench.select(0, event, 1)), [UNAVAILABLE; 3]);
    assert_eq!([bench.select(0, 1, 3), bench.select(0, 4, 1)], [ERROR; 2]);
    // Nothing else depends on it.
    assert_eq!((bench.rdmsr(0, EVTSEL), bench.rdmsr(0, PQR_ASSOC)), (Ok(evtsel(4, 1)), Ok(1)));
    bench.wrmsr(0, EVTSEL, evtsel(2, 1));
    bench.access(0, load(9));
    bench.unavailable = false;
    assert_eq!(bench.rdmsr(0, CTR), Ok(2), "what was counted meanwhile");
}

// RDT-07: data settle after a WRMSR of IA32_QM_EVTSEL, whatever it selects
#[test]
fn data_settle() {
    let mut bench = Bench::new(Config { settle: 3, ..l3_only() });
    bench.access(0, load(8));
    bench.pass(5);
    for _ in 0..2 {
        bench.wrmsr(0, EVTSEL, evtsel(1, 0));
        // Of the other logical processor they do not.
        assert_eq!(bench.rdmsr(1, CTR), ERROR);
        let read: [_; 4] = core::array::from_fn(|_| bench.rdmsr(0, CTR));
        assert_eq!(read, [UNAVAILABLE, UNAVAILABLE, Ok(1), Ok(1)]);
    }
    // Again from the beginning; not after one that is refused, and not after other registers.
    bench.wrmsr(0, EVTSEL, evtsel(1, 0));
    bench.wrmsr(0, EVTSEL, evtsel(2, 0));
    let read: [_; 4] = core::array::from_fn(|_| bench.rdmsr(0, CTR));
    assert_eq!(read, [UNAVAILABLE, UNAVAILABLE, UNAVAILABLE, Ok(1)]);
    assert_eq!(bench.try_wrmsr(0, EVTSEL, 1 << 63), GP);
    bench.assign(0, 1, 0);
    assert_eq!(bench.rdmsr(0, CTR), Ok(1));
    // Error hides it.
    assert_eq!(bench.select(0, 9, 0), ERROR);
}

#[test]
fn data_of_the_package_settle() {
    let mut bench = Bench::new(Config { settle: 2, select: Select::Package, ..l3_only() });
    bench.wrmsr(1, EVTSEL, evtsel(1, 0));
    let read: [_; 3] = core::array::from_fn(|lp| bench.rdmsr(lp as u8 % 2, CTR));
    assert_eq!(read, [UNAVAILABLE, UNAVAILABLE, Ok(0)]);
}

// RDTM-28, RDT-06: bandwidth begins with `start`; software sees so many bits of it, in units of 2^scale lines
#[test]
fn a_bandwidth_counter_wraps() {
    // Width, scale, start; what is read at first, after one line and after two.
    let rows = [
        (24, 0, 0xFF_FFFE, [0xFF_FFFE, 0xFF_FFFF, 0]),
        (24, 0, 0x7FF_FFFF, [0xFF_FFFF, 0, 1]),
        (24, 1, 0x1FF_FFFE, [0xFF_FFFF, 0xFF_FFFF, 0]),
        (25, 2, 0x7FF_FFFB, [0x1FF_FFFE, 0x1FF_FFFF, 0x1FF_FFFF]),
        (44, 0, (1 << 44) - 1, [(1 << 44) - 1, 0, 1]),
        (62, 0, (1 << 62) - 1, [(1 << 62) - 1, 0, 1]),
        (61, 1, (1 << 62) - 2, [(1 << 61) - 1, (1 << 61) - 1, 0]),
    ];
    for (width, scale, start, expected) in rows {
        let mut bench = Bench::new(Config { width, scale, start, ..l3_only() });
        for (number, expected) in expected.into_iter().enumerate() {
            let read = [bench.select(0, 2, 0), bench.select(0, 3, 0)];
            assert_eq!(read, [Ok(expected); 2], "{width} bits, units of 2^{scale}, {number}");
            bench.access(0, load(8 + number as u64));
        }
        // The counters themselves have 62 bits.
        let now = (start + 3) % (1 << 62);
        assert_eq!(bench.counts(0), (3, now, now));
        // Another RMID is where it was.
        assert_eq!(bench.select(0, 2, 3), Ok(expected[0]));
    }
}

// RDTM-28: occupancy is in the same units
#[test]
fn units_of_occupancy() {
    let mut bench = Bench::new(Config { scale: 1, ..l3_only() });
    let read = [8, 9, 10, 11, 12].map(|line| {
        bench.access(0, load(line));
        bench.select(0, 1, 0)
    });
    assert_eq!(read, [Ok(0), Ok(1), Ok(1), Ok(2), Ok(2)]);
}

// RDTM-20: no output is an interrupt: these are all
#[test]
fn nothing_interrupts() {
    let mut bench = Bench::new(Config { start: (1 << 24) - 1, ..l3_only() });
    assert_eq!(bench.select(0, 2, 0), Ok(0xFF_FFFF));
    bench.access(0, load(8));
    bench.idle();
    // The counter has wrapped.
    assert_eq!(bench.counts(0).1, 1 << 24);
    let Outputs {
        lp,
        mem_req,
        mem_write,
        mem_addr,
        mem_rmid,
        mem_cos,
        l3_on: 4,
        l2_on: 0,
        walking,
        reg_done,
        reg_result: _,
        reg_rdata,
    } = bench.unit.outputs()
    else {
        panic!("power");
    };
    assert_eq!(lp, [LpOutputs { req_ready: true, ..LpOutputs::default() }; 2]);
    assert_eq!((mem_req, mem_write, mem_addr, mem_rmid, mem_cos), (false, false, 0, 0, 0));
    assert_eq!((walking, reg_done, reg_rdata), (false, false, 0));
}

// The pair is not one of the performance counters' registers, and neither unit notices a request of the other one
#[test]
fn performance_counters_are_others() {
    let mut bench = Bench::new(l3_only());
    bench.access(0, load(8));
    bench.wrmsr(0, EVTSEL, evtsel(1, 0));
    let mut counters = Perf::<2, 4, 3, 2>::new(perf::Config::default()).unwrap();
    for number in [0xC1, 0x186, 0x38D, 0x38E, 0x38F, 0x390] {
        for op in [RegOp::Rdmsr, RegOp::Wrmsr] {
            let reg = RegRequest { valid: true, op, lp: 0, number, wdata: 1 };
            assert_eq!(bench.ask(reg), NOT_MINE, "{number:x}");
        }
    }
    assert_eq!(bench.rdmsr(0, CTR), Ok(1));
    for (op, number) in [(RegOp::Wrmsr, EVTSEL), (RegOp::Rdmsr, EVTSEL), (RegOp::Rdmsr, CTR)] {
        let reg = RegRequest { valid: true, op, lp: 0, number, wdata: 1 };
        let before = counters.state().general;
        counters.step(&perf::Inputs { reg, ..perf::Inputs::default() });
        let out = counters.outputs();
        assert_eq!((out.reg_done, out.reg_result), (true, RegResult::NotMine));
        assert_eq!(counters.state().general, before);
    }
    assert_eq!(bench.try_wrmsr(0, EVTSEL, evtsel(2, 0)), DONE);
}
