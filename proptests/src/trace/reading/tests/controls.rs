//! IA32_DEBUGCTL and register requests.

use super::*;

fn bench() -> Bench {
    Bench::new(Straps::default())
}

#[test]
fn debugctl_reads_back() {
    let mut run = bench();
    run.read(DEBUGCTL, 0);
    run.write(DEBUGCTL, 0xDFC3);
    run.read(DEBUGCTL, 0xDFC3);
    run.right();
    let mut run = bench();
    run.write(DEBUGCTL, 0xDFC3);
    run.read(DEBUGCTL, 0xDFC1);
    run.wrong("DCTL-03");
    let mut run = bench();
    run.faults(DEBUGCTL, 1);
    run.wrong("DCTL-03");
}

#[test]
fn bits_that_do_not_exist_are_dropped_or_fault() {
    let straps = Straps { ds: false, ds_cpl: false, dtes64: false, pebs_counters: 0, ..Straps::default() };
    for data in [0xC1, 4, 1 << 13, 1 << 40] {
        let mut run = Bench::new(straps);
        run.faults(DEBUGCTL, data);
        run.read(DEBUGCTL, 0);
        run.right();
        let mut run = Bench::new(straps);
        run.write(DEBUGCTL, data);
        run.read(DEBUGCTL, data & 3);
        run.right();
        let mut run = Bench::new(straps);
        run.write(DEBUGCTL, data);
        run.read(DEBUGCTL, data);
        run.wrong("DCTL-03");
        let mut run = Bench::new(straps);
        run.faults(DEBUGCTL, data);
        run.read(DEBUGCTL, data & 3 | 2);
        run.wrong("DCTL-03");
    }
}

#[test]
fn outputs_show_debugctl() {
    for bit in [1, 12, 14, 15] {
        let mut run = bench();
        run.write(DEBUGCTL, 1 << bit);
        run.shows(0);
        run.idle(1);
        run.wrong("DCTL-03");
    }
    let mut run = Bench::new(Straps { rtm: false, ..Straps::default() });
    run.write(DEBUGCTL, 1 << 15);
    run.wrong("DCTL-03");
}

#[test]
fn debug_exception_clears_lbr_and_btf() {
    for (value, right) in [(0x40, true), (0x41, false), (0, false)] {
        let mut run = bench();
        run.write(DEBUGCTL, 0x43);
        run.busy(true);
        run.interruption(1, 1, (0x10, 0x20));
        run.shows(0);
        run.message(0x10, 0x20, false);
        run.busy(false);
        run.read(DEBUGCTL, value);
        if right { run.right() } else { run.wrong("DCTL-03") }
    }
    let mut run = bench();
    run.write(DEBUGCTL, 2);
    run.interruption(1, 1, (0x10, 0x20));
    run.idle(3);
    run.wrong("DCTL-03");
    // Exception 2 is none, and neither is interrupt 1.
    let mut run = bench();
    run.write(DEBUGCTL, 3);
    run.interruption(1, 2, (0x10, 0x20));
    run.interruption(0, 1, (0x20, 0x30));
    run.idle(2);
    run.read(DEBUGCTL, 3);
    run.right();
}

#[test]
fn smi_saves_and_rsm_restores() {
    for (inside, behind, right) in
        [(0x4000, 0x4043, true), (0x4003, 0x4043, false), (0x4000, 0x4000, false), (0, 0x4043, false)]
    {
        let mut run = bench();
        run.write(DEBUGCTL, 0x4043);
        run.interruption(3, 0, (0x10, 0x20));
        run.shows(0x4000);
        run.idle(1);
        run.read(DEBUGCTL, inside);
        run.interruption(4, 0, (0x20, 0x10));
        run.shows(0x4043);
        run.idle(1);
        run.read(DEBUGCTL, behind);
        if right { run.right() } else { run.wrong("DCTL-03") }
    }
    // Without the flag an SMI changes nothing.
    let mut run = bench();
    run.write(DEBUGCTL, 3);
    run.interruption(3, 0, (0x10, 0x20));
    run.idle(1);
    run.read(DEBUGCTL, 3);
    run.right();
}

#[test]
fn registers_that_do_not_exist_are_not_mine() {
    for number in [0x1D8, 0x684, 0x6C4, 0x40, 0x60, 0xDC0] {
        let mut run = bench();
        run.request((0, number, 0), (4, 0));
        run.right();
        for result in [(0, 0), (2, 0)] {
            let mut run = bench();
            run.request((0, number, 0), result);
            run.wrong("ports, Register requests");
        }
    }
    let mut run = bench();
    run.request((4, DEBUGCTL, 0), (4, 0));
    run.right();
    for number in [DEBUGCTL, TOS, 0x1DD, 0x1DE, 0x680, 0x683, 0x6C0, 0x6C3, DS_AREA, PEBS_ENABLE] {
        let mut run = bench();
        run.request((0, number, 0), (4, 0));
        assert!(run.found.is_some(), "{number:x}");
        let mut run = bench();
        run.read(number, 0);
        run.right();
    }
}

#[test]
fn other_levels_fault() {
    for (cpl, op_mode, faults) in [(3, 4, true), (1, 2, true), (0, 1, true), (3, 0, false), (0, 3, false)] {
        for op in [0, 1] {
            let mut run = bench();
            (run.inputs.cpl, run.inputs.op_mode) = (cpl, op_mode);
            run.request((op, DEBUGCTL, 0), (if faults { 2 } else { 0 }, 0));
            run.right();
            let mut run = bench();
            (run.inputs.cpl, run.inputs.op_mode) = (cpl, op_mode);
            run.request((op, DEBUGCTL, 0), (if faults { 0 } else { 2 }, 0));
            assert!(run.found.is_some());
        }
    }
}

#[test]
fn answers_come_once_and_hide_data() {
    let mut run = bench();
    run.with(|inputs, _| (inputs.reg_valid, inputs.reg_number) = (true, DEBUGCTL));
    run.idle(1);
    run.wrong("ports, Register requests");
    let mut run = bench();
    run.with(|_, out| out.reg_done = true);
    run.wrong("ports, Register requests");
    let mut run = bench();
    run.request((1, DEBUGCTL, 0), (0, 1));
    run.wrong("ports, Register requests");
    // A request next to an interruption or a retired instruction is not accepted.
    let mut run = bench();
    run.with(|inputs, _| (inputs.reg_valid, inputs.reg_number, inputs.int_valid) = (true, DEBUGCTL, true));
    run.with(|inputs, _| (inputs.reg_valid, inputs.lanes[0].valid) = (true, true));
    run.right();
}

#[test]
fn area_and_pebs_enable_read_back() {
    let mut run = bench();
    run.write(DS_AREA, 0xFFFF_8000_0000_1000);
    run.read(DS_AREA, 0xFFFF_8000_0000_1000);
    run.write(PEBS_ENABLE, 0xF);
    run.read(PEBS_ENABLE, 0xF);
    run.right();
    let mut run = bench();
    run.write(DS_AREA, 0x1000);
    run.read(DS_AREA, 0x1008);
    run.wrong("BTS-12");
    let mut run = bench();
    run.faults(DS_AREA, 0x1000);
    run.wrong("BTS-12");
    let mut run = bench();
    run.write(PEBS_ENABLE, 0x11);
    run.read(PEBS_ENABLE, 0x11);
    run.wrong("BTS-09");
    let mut run = bench();
    run.faults(DS_AREA, 1 << 50);
    run.write(DS_AREA, 0x1004);
    run.read(DS_AREA, 0x1000);
    run.right();
}
