//! From overflow to interrupt: status, freeze, the local APIC's entry, pins.

use super::bench::{
    ALL, BRANCHES, C2, C4, CLEAR, CONTROL, COUNTER, EN, FIXED, FIXED_CONTROL, INSTRUCTIONS, INT, LVT, PC, SELECT,
    STATUS, version_1, version_2, version_3,
};
use lwp_model::perf::{Apic, Config, Line};
use lwp_model::retire::IntKind;

/// Counter 0 is one instruction before its overflow.
fn near<const INTERRUPTS: bool>(straps: Config, entry: u32) -> C2 {
    let mut bench = C2::new(straps);
    bench.write(COUNTER, 0xFFFF_FFFF);
    bench.write(SELECT, INSTRUCTIONS | if INTERRUPTS { INT } else { 0 });
    if straps.version() == 0 {
        bench.inputs.apic = Apic { write: true, lp: 7, wdata: entry };
        bench.cycle();
        bench.inputs.apic = Apic::default();
    } else {
        bench.write(LVT, entry.into());
    }
    bench
}

// P6-23, P6-24, P6-46: every mode and vector of the entry, masked and not
#[test]
fn what_the_entry_delivers() {
    for straps in [Config::default(), version_1()] {
        for mode in 0..8 {
            for vector in [0, 15, 16, 0xEE, 0xFF] {
                for mask in [false, true] {
                    let mut bench = near::<true>(straps, vector | mode << 8 | u32::from(mask) << 16);
                    bench.instructions(1);
                    let out = bench.unit.outputs().lp[0];
                    let delivers = !mask && (matches!(mode, 2 | 4) || mode == 0 && vector >= 16);
                    assert_eq!((out.pmi, out.irq), (true, delivers), "{mode} {vector}");
                    assert_eq!(u32::from(out.irq_mode), if delivers { mode } else { 0 });
                    assert_eq!(u32::from(out.irq_vector), if delivers && mode == 0 { vector } else { 0 });
                    assert_eq!((u32::from(out.lvt_vector), u32::from(out.lvt_mode)), (vector, mode));
                    bench.instructions(1);
                    assert!(!bench.unit.outputs().lp[0].pmi, "one request per overflow");
                }
            }
        }
    }
}

// P6-23, APM-28: without INT nothing is asked for
#[test]
fn an_overflow_without_int() {
    let mut bench = near::<false>(version_2(), 0x40);
    bench.inputs.lp[0].freeze_on_pmi = true;
    bench.instructions(1);
    let out = bench.unit.outputs();
    assert_eq!((out.lp[0].pmi, out.lp[0].irq, out.general[0][0].overflow), (false, false, true));
    assert_eq!((bench.read(STATUS), bench.read(CONTROL)), (1, 3), "DCTL-22: it freezes nothing");
    bench.write(CLEAR, 1);
    assert_eq!(bench.read(STATUS), 0);
}

// P6-23, P6-43: each counter's own INT; EN of both is in register 0
#[test]
fn int_of_one_counter() {
    for (counter, ints, requests) in
        [(0, [INT, 0], true), (0, [0, INT], false), (1, [INT, 0], false), (1, [0, INT], true), (1, [INT, INT], true)]
    {
        let mut bench = C2::new(Config::default());
        bench.write(COUNTER + counter, 0xFFFF_FFFF);
        bench.inputs.apic = Apic { write: true, lp: 0, wdata: 0x40 };
        bench.cycle();
        bench.inputs.apic = Apic::default();
        bench.write(SELECT + 1, ints[1] | ALL | 0xC4);
        bench.write(SELECT, ints[0] | INSTRUCTIONS);
        bench.retire(1, 1);
        bench.cycle();
        let out = bench.unit.outputs();
        assert_eq!(out.general[0].map(|general| general.overflow), [counter == 0, counter == 1]);
        assert_eq!((out.lp[0].pmi, out.lp[0].irq), (requests, requests), "{counter} overflows, INT {ints:X?}");
    }
    // Counter 1 alone: register 0 has EN and nothing else.
    for (int, requests) in [(0, false), (INT, true)] {
        let mut bench = C2::new(Config::default());
        bench.write(COUNTER + 1, 0xFFFF_FFFF);
        bench.write(SELECT + 1, int | ALL | 0xC4);
        bench.write(SELECT, EN);
        bench.retire(1, 1);
        bench.cycle();
        assert_eq!((bench.count(0), bench.count(1)), (0, 0));
        assert_eq!(bench.unit.outputs().lp[0].pmi, requests, "INT {int:X}");
    }
}

// BTS-52: the entry masks itself where the strap says so, for a counter and for a buffer, also in the cycle of a write; software unmasks it
#[test]
fn masked_on_delivery() {
    for (mask_on_delivery, buffer) in [(false, false), (false, true), (true, false), (true, true)] {
        let mut bench = near::<true>(Config { mask_on_delivery, ..version_1() }, 0x40);
        bench.inputs.lp[0].ds_pmi = buffer;
        if !buffer {
            bench.retire(1, 0);
        }
        bench.write(LVT, 0x50);
        bench.inputs.lp[0].ds_pmi = false;
        let out = bench.unit.outputs().lp[0];
        assert_eq!((out.irq, out.irq_vector, out.lvt_vector), (true, 0x40, 0x50));
        assert_eq!(out.lvt_mask, mask_on_delivery);
        assert_eq!(bench.read(LVT), 0x1050 | u64::from(mask_on_delivery) << 16);
        bench.write(LVT, 0x1050);
        assert!(bench.unit.outputs().lp[0].irq, "bit 12 is ignored, and a write changes nothing that is pending");
        assert_eq!(bench.read(LVT), 0x1050, "software has unmasked it");
    }
}

// A write in memory does nothing where the entry is an MSR
#[test]
fn one_way_to_write_the_entry() {
    let mut bench = C2::new(version_1());
    bench.inputs.apic = Apic { write: true, lp: 0, wdata: 0x40 };
    bench.cycle();
    assert_eq!(bench.read(LVT), 0x1_0000);
}

// DCTL-12, DCTL-23, DCTL-24: a buffer is a request like an overflow
#[test]
fn a_buffer() {
    for straps in [Config::default(), version_1(), version_2()] {
        let mut bench = near::<true>(straps, 0x40);
        (bench.inputs.lp[0].ds_pmi, bench.inputs.lp[0].freeze_on_pmi) = (true, true);
        bench.cycle();
        bench.inputs.lp[0].ds_pmi = false;
        let out = bench.unit.outputs().lp[0];
        assert!(out.pmi && out.irq);
        let global = straps.version() == 2;
        assert_eq!((bench.unit.state().lp[0].ds_status, bench.general(0).on), (global, !global));
        if global {
            bench.cycle();
            assert_eq!(bench.read(STATUS), 1 << 62, "it stays");
            bench.write(CLEAR, 1 << 62);
            assert_eq!(bench.read(STATUS), 0);
        }
    }
}

// DCTL-25: with the freeze the handler reads what the counters held when it was asked for, although it runs at a level that they count
#[test]
fn what_the_handler_reads() {
    for (freeze, counts) in [(true, [1, 8]), (false, [15, 14])] {
        let mut bench = C2::new(version_2());
        bench.write(COUNTER, 0xFFFF_FFFE);
        bench.write(COUNTER + 1, 7);
        bench.write(SELECT, INSTRUCTIONS | INT);
        bench.write(SELECT + 1, BRANCHES);
        bench.write(LVT, 0x40);
        bench.write(CONTROL, 3);
        bench.inputs.lp[0].freeze_on_pmi = freeze;
        // The third instruction asks for the interrupt, a branch among the three.
        bench.retire(3, 1);
        bench.cycle();
        bench.retire(0, 0);
        bench.inputs.lp[0].irq_ack = true;
        bench.cycle();
        bench.inputs.lp[0].irq_ack = false;
        // The handler: fourteen instructions, six of them branches.
        bench.retire(4, 2);
        bench.cycle();
        bench.cycle();
        bench.cycle();
        bench.retire(2, 0);
        bench.cycle();
        bench.retire(0, 0);
        assert_eq!([bench.read(COUNTER), bench.read(COUNTER + 1)], counts, "{freeze}");
    }
}

// PERF-35: the freeze wins over a write of the enables, and a status bit that is set over one that is cleared
#[test]
fn hardware_is_younger_than_a_request() {
    let mut bench = near::<true>(version_2(), 0x40);
    bench.inputs.lp[0].freeze_on_pmi = true;
    bench.retire(1, 0);
    bench.write(CONTROL, 3);
    assert_eq!((bench.read(CONTROL), bench.read(STATUS)), (0, 1));
    let mut bench = near::<true>(version_2(), 0x40);
    bench.retire(1, 0);
    bench.write(CLEAR, 1);
    assert_eq!(bench.read(STATUS), 1);
}

// APM-38: fixed counters overflow, interrupt, freeze and show their status
#[test]
fn fixed_counters() {
    let mut bench = C4::new(Config { fixed_width: 48, fixed: 2, ..version_3() });
    bench.write(FIXED, (1 << 48) - 2);
    bench.write(FIXED_CONTROL, 0x0B);
    bench.write(LVT, 0x400);
    bench.write(CONTROL, 0x3_0000_000F);
    bench.inputs.lp[0].freeze_on_pmi = true;
    bench.instructions(1);
    assert_eq!(bench.read(STATUS), 0);
    bench.instructions(2);
    let out = bench.unit.outputs();
    assert_eq!((out.fixed[0][0].overflow, out.lp[0].pmi, out.lp[0].irq, out.lp[0].irq_mode), (true, true, true, 4));
    assert_eq!((bench.read(STATUS), bench.read(CONTROL)), (1 << 32, 0));
    assert_eq!(bench.fixed(0).counter, 1);
    assert_eq!(out.lp[1], C4::new(version_3()).unit.outputs().lp[1], "the other processor is not touched");
}

// DCTL-13, DCTL-14: SMI without the flag does nothing; RSM sets what exists, whatever it was before
#[test]
fn smm() {
    let mut bench = C4::new(Config { counters: 2, fixed: 1, ..version_3() });
    let interruption = |bench: &mut C4, kind, freezes| {
        let lp = &mut bench.inputs.lp[0];
        (lp.int_valid, lp.int_kind, lp.freeze_while_smm) = (true, kind, freezes);
        bench.cycle();
        bench.inputs.lp[0].int_valid = false;
        bench.read(CONTROL)
    };
    assert_eq!(interruption(&mut bench, IntKind::Smi, false), 3);
    assert_eq!(interruption(&mut bench, IntKind::Rsm, true), 3, "nothing was frozen");
    assert_eq!(interruption(&mut bench, IntKind::Smi, true), 0);
    assert_eq!(interruption(&mut bench, IntKind::Nmi, true), 0);
    assert_eq!(interruption(&mut bench, IntKind::Rsm, false), 0x1_0000_0003);
    assert!(bench.general(3).on && !bench.fixed(2).on, "what does not exist keeps its reset value");
    let mut p6 = C2::new(Config::default());
    let lp = &mut p6.inputs.lp[0];
    (lp.int_valid, lp.int_kind, lp.freeze_while_smm, lp.freeze_on_pmi, lp.ds_pmi) =
        (true, IntKind::Smi, true, true, true);
    p6.cycle();
    assert!(p6.general(0).on && !p6.unit.state().lp[0].smm_frozen, "PERF-37");
}

// P6-52, P6EV-39, P6EV-40: the ratio at the last tick decides
#[test]
fn odd_pins() {
    for code in [0x7A, 0x7B] {
        for control in [0, PC] {
            for core_ratio in 0..=30 {
                let mut bench = C2::new(Config::default());
                bench.write(COUNTER + 1, 0xFFFF_FFFF);
                bench.write(SELECT + 1, ALL | control | code);
                bench.write(SELECT, EN);
                let events = &mut bench.inputs.lp[0].events;
                events.set(Line::BusHitDrv, (code == 0x7A).into());
                events.set(Line::BusHitmDrv, (code == 0x7B).into());
                (bench.inputs.bus_tick, bench.inputs.core_ratio) = (true, core_ratio);
                bench.cycle();
                let fits = matches!(core_ratio, 4 | 6);
                assert_eq!((bench.general(1).pin, bench.general(1).overflow), (fits, true), "{core_ratio}");
                assert_eq!(bench.unit.state().ratio_fits, fits);
                bench.cycle();
                assert!(!bench.general(1).pin && !bench.general(1).due);
            }
        }
    }
}

// P6-20, P6-21, APM-26: each counter has its pin; WRMSR of the select does not change it
#[test]
fn pins() {
    let mut bench = C4::new(version_3());
    bench.write(SELECT + 2, INSTRUCTIONS | PC);
    bench.write(SELECT + 3, BRANCHES);
    bench.retire(1, 1);
    bench.cycle();
    bench.retire(0, 0);
    let pins = |bench: &C4| bench.unit.outputs().general[0].map(|counter| counter.pin);
    assert_eq!((pins(&bench), bench.general(2).due, bench.general(3).due), ([false; 4], true, false));
    bench.write(SELECT + 2, 0);
    bench.inputs.bus_tick = true;
    bench.cycle();
    assert_eq!(pins(&bench), [false, false, true, false]);
    bench.cycle();
    assert_eq!(pins(&bench), [false; 4]);
}
