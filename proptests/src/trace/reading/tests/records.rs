//! Branch records in the debug store.

use super::*;

const AREA: u64 = 0x1_0000;
const BASE: u64 = 0x2_0000;

/// Fields of the BTS buffer: index, maximum and threshold in records of the 64-bit format.
fn tracing(ctl: u64, index: u64, maximum: u64, threshold: u64) -> Bench {
    let mut run = Bench::new(Straps::default());
    for (at, record) in [(0, 0), (8, index), (0x10, maximum), (0x18, threshold)] {
        run.poke(AREA + at, BASE + 24 * record);
    }
    run.write(DS_AREA, AREA);
    run.write(DEBUGCTL, 0xC0 | ctl);
    run.busy(true);
    run
}

fn fetch(run: &mut Bench) {
    (0..4).for_each(|field| run.fetch(AREA + 8 * field));
}

/// The unit stores the record of `jump(from, to)` at `at`.
fn record(run: &mut Bench, at: u64, (from, to): (u64, u64)) {
    fetch(run);
    run.store(at, from, 8);
    run.store(at + 8, to, 8);
    run.store(at + 16, 0x10, 8);
}

#[test]
fn a_record_is_complete_before_its_index() {
    let mut run = tracing(0, 0, 4, 3);
    run.lane(jump(0x10, 0x20));
    record(&mut run, BASE, (0x10, 0x20));
    run.store(AREA + 8, BASE + 24, 8);
    run.stored(false);
    run.busy(false);
    run.read(DEBUGCTL, 0xC0);
    run.right();
    for missing in 0..3 {
        let mut run = tracing(0, 0, 4, 3);
        run.lane(jump(0x10, 0x20));
        fetch(&mut run);
        for (word, value) in [0x10, 0x20, 0x10].into_iter().enumerate().filter(|(word, _)| *word != missing) {
            run.store(BASE + 8 * word as u64, value, 8);
        }
        run.store(AREA + 8, BASE + 24, 8);
        run.wrong("BTS-08");
    }
    for (word, value, row) in [(0, 0x11, "BTS-21"), (1, 0x21, "BTS-22"), (2, 0, "BTS-23")] {
        let mut run = tracing(0, 0, 4, 3);
        run.lane(jump(0x10, 0x20));
        record(&mut run, BASE, (0x10, 0x20));
        run.store(BASE + 8 * word, value, 8);
        run.store(AREA + 8, BASE + 24, 8);
        run.wrong(row);
    }
}

#[test]
fn the_index_grows_by_a_record_and_nothing_else_is_written() {
    for (new, row) in [(0, "BTS-14"), (12, "BTS-14"), (48, "BTS-14"), (25, "BTS-14"), (24 * 5, "BTS-15")] {
        let mut run = tracing(0, 0, 4, 3);
        run.lane(jump(0x10, 0x20));
        record(&mut run, BASE, (0x10, 0x20));
        run.store(AREA + 8, BASE + new, 8);
        run.wrong(row);
    }
    for (at, row) in [(AREA + 0x10, "BTS-15"), (AREA, "BTS-15"), (BASE - 8, "BTS-15"), (BASE + 96, "BTS-15")] {
        let mut run = tracing(0, 0, 4, 3);
        run.lane(jump(0x10, 0x20));
        record(&mut run, BASE, (0x10, 0x20));
        run.store(at, 1, 8);
        run.wrong(row);
    }
    // Inside the buffer, but not in the record.
    let mut run = tracing(0, 0, 4, 3);
    run.lane(jump(0x10, 0x20));
    record(&mut run, BASE, (0x10, 0x20));
    run.store(BASE + 24, 1, 8);
    run.store(AREA + 8, BASE + 24, 8);
    run.wrong("BTS-15");
    // At the wrong place.
    let mut run = tracing(0, 1, 4, 3);
    run.lane(jump(0x10, 0x20));
    record(&mut run, BASE, (0x10, 0x20));
    run.store(AREA + 8, BASE + 24, 8);
    assert!(run.found.is_some());
}

#[test]
fn every_record_is_stored_once_in_order() {
    let mut run = tracing(0, 0, 4, 3);
    run.lane(jump(0x10, 0x20));
    run.lane(jump(0x20, 0x30));
    record(&mut run, BASE, (0x20, 0x30));
    run.store(AREA + 8, BASE + 24, 8);
    run.wrong("BTS-21");
    let mut run = tracing(0, 0, 4, 3);
    record(&mut run, BASE, (0x20, 0x30));
    run.wrong("BTS-08");
    let mut run = tracing(0, 0, 4, 3);
    run.lane(jump(0x10, 0x20));
    run.busy(false);
    run.idle(4);
    run.wrong("BTS-08");
    let mut run = tracing(0, 0, 4, 3);
    run.lane(jump(0x10, 0x20));
    run.message(0x10, 0x20, true);
    run.wrong("BTS-39");
    // Written behind a cycle in which a request could have been accepted.
    let mut run = tracing(0, 0, 4, 3);
    run.lane(jump(0x10, 0x20));
    record(&mut run, BASE, (0x10, 0x20));
    run.with(|_, out| out.reg_ready = true);
    run.store(AREA + 8, BASE + 24, 8);
    assert!(run.found.is_some());
}

#[test]
fn notices_of_a_record() {
    let start = || {
        let mut run = tracing(0, 0, 4, 3);
        run.lane(jump(0x10, 0x20));
        record(&mut run, BASE, (0x10, 0x20));
        run
    };
    let mut run = start();
    run.store(AREA + 8, BASE + 24, 8);
    run.busy(false);
    run.wrong("ports, Outputs");
    let mut run = start();
    run.stored(false);
    run.wrong("ports, Outputs");
    let mut run = start();
    run.store(AREA + 8, BASE + 24, 8);
    run.stored(false);
    run.stored(false);
    run.wrong("ports, Outputs");
    let mut run = start();
    run.lost();
    run.wrong("BTS-08");
}

#[test]
fn a_circular_buffer_wraps() {
    // The index at the maximum, or returned to the base at once.
    for back in [true, false] {
        let mut run = tracing(0, 1, 2, 0);
        run.lane(jump(0x10, 0x20));
        run.lane(jump(0x20, 0x30));
        record(&mut run, BASE + 24, (0x10, 0x20));
        run.store(AREA + 8, if back { BASE } else { BASE + 48 }, 8);
        run.stored(false);
        record(&mut run, BASE, (0x20, 0x30));
        run.store(AREA + 8, BASE + 24, 8);
        run.stored(false);
        run.busy(false);
        run.right();
    }
    let mut run = tracing(0, 2, 2, 0);
    run.lane(jump(0x10, 0x20));
    fetch(&mut run);
    run.lost();
    run.wrong("BTS-08");
    let mut run = tracing(0, 1, 2, 1);
    run.lane(jump(0x10, 0x20));
    record(&mut run, BASE + 24, (0x10, 0x20));
    run.store(AREA + 8, BASE, 8);
    run.stored(true);
    run.wrong("DCTL-08");
    // With BTINT the index does not return.
    let mut run = tracing(0x100, 1, 2, 4);
    run.lane(jump(0x10, 0x20));
    record(&mut run, BASE + 24, (0x10, 0x20));
    run.store(AREA + 8, BASE, 8);
    run.wrong("BTS-14");
}

#[test]
fn a_full_buffer_with_btint_loses_records() {
    let mut run = tracing(0x100, 2, 2, 1);
    run.lane(jump(0x10, 0x20));
    fetch(&mut run);
    run.lost();
    run.busy(false);
    run.right();
    let mut run = tracing(0x100, 2, 2, 1);
    run.lane(jump(0x10, 0x20));
    record(&mut run, BASE, (0x10, 0x20));
    run.store(AREA + 8, BASE + 24, 8);
    run.wrong("BTS-40");
    let mut run = tracing(0x100, 2, 2, 1);
    run.lane(jump(0x10, 0x20));
    record(&mut run, BASE + 48, (0x10, 0x20));
    run.wrong("BTS-15");
    let mut run = tracing(0, 0, 2, 1);
    run.lost();
    run.wrong("BTS-08");
}

#[test]
fn the_threshold_asks_for_an_interrupt() {
    let pulses = |threshold, pulses: &[bool]| {
        let mut run = tracing(0x100, 0, 5, threshold);
        for (number, &pulse) in (0..).zip(pulses) {
            run.lane(jump(number, 0x20));
            record(&mut run, BASE + 24 * number, (number, 0x20));
            run.store(AREA + 8, BASE + 24 * (number + 1), 8);
            run.stored(pulse);
        }
        run.busy(false);
        run
    };
    for right in [
        // The index reaches the threshold; the record at the threshold is stored; from then on.
        &[false, true, false, false][..],
        &[false, false, true, false],
        &[false, true, true, true],
        &[false, false, true, true],
        // Also at the full buffer, or only there.
        &[false, true, false, false, true],
        &[false, false, false, false, true],
    ] {
        pulses(2, right).right();
    }
    for wrong in
        [&[true][..], &[false, false, false, true], &[false, true, false, true], &[false, false, false, false, false]]
    {
        pulses(2, wrong).wrong("BTS-16");
    }
    let mut run = tracing(0x100, 0, 5, 1);
    run.with(|_, out| out.ds_pmi = true);
    run.wrong("BTS-16");
}

#[test]
fn a_write_in_the_cycle_of_the_interrupt_comes_before_the_freeze_or_behind_it() {
    // FREEZE_LBRS_ON_PMI, that of the write, whether the unit asks for an interrupt, LBR behind the write of 1, and whether that can be.
    for (before, behind, pulse, lbr, right) in [
        (0x800, 0, true, 1, true),
        (0x800, 0, true, 0, true),
        (0, 0x800, true, 1, true),
        (0, 0x800, true, 0, true),
        (0, 0, true, 0, false),
        (0x800, 0x800, false, 0, false),
    ] {
        let mut run = tracing(0x100 | before, 0, 5, if pulse { 1 } else { 4 });
        run.lane(jump(0x10, 0x20));
        record(&mut run, BASE, (0x10, 0x20));
        run.store(AREA + 8, BASE + 24, 8);
        run.with(|inputs, out| {
            (out.stored, out.ds_pmi, out.reg_ready) = (true, pulse, true);
            (inputs.reg_valid, inputs.reg_op, inputs.reg_number) = (true, 1, DEBUGCTL);
            inputs.reg_wdata = 0x1C1 | behind;
        });
        run.with(|_, out| out.reg_done = true);
        run.busy(false);
        run.read(DEBUGCTL, 0x1C0 | behind | lbr);
        if right { run.right() } else { run.wrong("DCTL-03") }
    }
}

#[test]
fn fields_are_read_after_tracing_was_switched_on() {
    let again = |fresh: bool| {
        let mut run = tracing(0, 0, 4, 3);
        run.lane(jump(0x10, 0x20));
        record(&mut run, BASE, (0x10, 0x20));
        run.store(AREA + 8, BASE + 24, 8);
        run.stored(false);
        run.busy(false);
        run.write(DEBUGCTL, 0);
        run.poke(AREA + 8, BASE);
        run.write(DEBUGCTL, 0xC0);
        run.busy(true);
        run.lane(jump(0x10, 0x20));
        if fresh {
            fetch(&mut run);
        }
        let at = if fresh { BASE } else { BASE + 24 };
        for (word, value) in [0x10, 0x20, 0x10].into_iter().enumerate() {
            run.store(at + 8 * word as u64, value, 8);
        }
        run.store(AREA + 8, at + 24, 8);
        run.stored(false);
        run.busy(false);
        run
    };
    again(true).right();
    again(false).wrong("BTS-15");
}

#[test]
fn page_faults_lose_records() {
    let mut run = tracing(0, 0, 4, 3);
    run.lane(jump(0x10, 0x20));
    run.page_fault(AREA);
    run.lost();
    run.busy(false);
    run.right();
    let mut run = tracing(0, 0, 4, 3);
    run.lane(jump(0x10, 0x20));
    run.page_fault(AREA);
    run.stored(false);
    run.wrong("ports, Outputs");
}

#[test]
fn the_32_bit_format_has_12_bytes() {
    let start = |value: u64| {
        let mut run = Bench::new(Straps { dtes64: false, ..Straps::default() });
        run.inputs.op_mode = 2;
        run.poke(AREA, BASE | BASE << 32);
        run.poke(AREA + 8, (BASE + 24) | (BASE + 12) << 32);
        run.write(DS_AREA, AREA);
        run.write(DEBUGCTL, 0xC0);
        run.busy(true);
        run.lane(jump(0x10, 0x20));
        run.fetch(AREA);
        run.fetch(AREA + 8);
        run.store(BASE, 0x20_0000_0010, 8);
        run.store(BASE + 8, 0x10, 4);
        run.store(AREA + 4, BASE + value, 4);
        run.stored(false);
        run.busy(false);
        run
    };
    start(12).right();
    start(24).wrong("BTS-14");
    // The index shares its 8 bytes with the base.
    let mut run = start(12);
    run.busy(true);
    run.lane(jump(0x10, 0x20));
    run.store(BASE + 12, 0x10, 4);
    run.store(BASE + 16, 0x10_0000_0020, 8);
    run.store(AREA, (BASE + 24) << 32 | BASE, 8);
    run.wrong("BTS-19");
}

#[test]
fn the_memory_port_has_rules() {
    let ask = |at: u64, cmd: u8| {
        move |_: &mut super::super::PortsIn, out: &mut super::super::PortsOut| {
            (out.mem_req, out.mem_cmd, out.mem_be, out.mem_addr) = (true, cmd, 0xFF, at);
        }
    };
    let mut run = tracing(0, 0, 4, 3);
    run.with(ask(AREA, 0));
    run.with(ask(AREA + 8, 0));
    run.wrong("ports, Memory requests");
    for (at, cmd) in [(AREA + 4, 0), (AREA, 2), (AREA, 3)] {
        let mut run = tracing(0, 0, 4, 3);
        run.with(ask(at, cmd));
        run.wrong("ports, Memory requests");
    }
    let mut run = tracing(0, 0, 4, 3);
    run.with(|inputs, out| {
        ask(AREA, 0)(inputs, out);
        inputs.mem_gnt = true;
    });
    run.with(ask(AREA, 0));
    run.wrong("ports, Memory requests");
    let mut run = tracing(0, 0, 4, 3);
    run.with(|_, out| (out.mem_req, out.mem_cmd, out.mem_be, out.mem_wdata) = (true, 1, 1, 0x100));
    run.wrong("ports, Memory requests");
}

#[test]
fn unusual_fields_are_not_judged() {
    let values = [0, 7, BASE, BASE + 1, AREA, 1 << 32, 1 << 47, 1 << 63, u64::MAX - 23, u64::MAX];
    for number in 0..1000 {
        let [base, index, maximum] = [number / 100, number / 10 % 10, number % 10].map(|at| values[at]);
        let start = || {
            let mut run = tracing(0x100, 0, 4, 3);
            for (at, value) in [(0, base), (8, index), (0x10, maximum)] {
                run.poke(AREA + at, value);
            }
            run.lane(jump(0x10, 0x20));
            fetch(&mut run);
            run
        };
        // No buffer here has room for a record whose fields are not unusual.
        let mut run = start();
        run.lost();
        run.busy(false);
        run.idle(2);
        if index != maximum && index & 7 != 0 {
            run.right();
        }
        let mut run = start();
        run.store(index & !7, 0x10, 8);
        run.store(AREA + 8, index.wrapping_add(24), 8);
        run.stored(false);
    }
}
