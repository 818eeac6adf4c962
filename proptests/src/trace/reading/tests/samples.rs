//! PEBS records.

use super::*;

const AREA: u64 = 0x1_0000;
const BASE: u64 = 0x3_0000;

/// A run with counter 2 enabled; index, maximum and threshold are numbers of records.
fn enabled(pebs_format: u8, index: u64, maximum: u64, threshold: u64) -> Bench {
    let mut run = Bench::new(Straps { pebs_format, ..Straps::default() });
    let size = 8 * fields(pebs_format);
    for (at, record) in [(0x20, 0), (0x28, index), (0x30, maximum), (0x38, threshold)] {
        run.poke(AREA + at, BASE + size * record);
    }
    (0..4).for_each(|counter| run.poke(AREA + 0x40 + 8 * counter, 0x700 + counter));
    run.write(DS_AREA, AREA);
    run.write(PEBS_ENABLE, 4);
    run
}

fn fields(pebs_format: u8) -> u64 {
    [18, 22, 24, 25][usize::from(pebs_format)]
}

fn overflow(run: &mut Bench) {
    run.with(|inputs, _| inputs.pebs_overflow = 4);
    run.out.pebs_armed = 4;
}

/// The event of counter 2 at an instruction; from then on the unit stalls.
fn event(run: &mut Bench) {
    run.with(|inputs, _| {
        inputs.pebs_event = 4;
        inputs.lanes[0].valid = true;
    });
    (run.out.pebs_armed, run.out.stall) = (0, true);
    run.busy(true);
}

/// The unit stores the record at `at`, with `change` for one of the fields.
fn record(run: &mut Bench, pebs_format: u8, at: u64, change: impl Fn(u64, u64) -> u64) {
    (4..11).for_each(|field| run.fetch(AREA + 8 * field));
    for field in 0..fields(pebs_format) {
        let mut value = 0x5000 + field;
        run.with(|inputs, out| {
            out.state_index = u8::try_from(field).unwrap_or(0);
            inputs.state_value = value;
        });
        if field == 18 {
            value = 4;
        }
        run.store(at + 8 * field, change(field, value), 8);
    }
}

fn reload(run: &mut Bench, counter: u8, value: u64) {
    run.with(|_, out| (out.reload_valid, out.reload_counter, out.reload_value) = (true, counter, value));
}

/// Index, notices and end of the stall.
fn end(run: &mut Bench, index: u64, ds_pmi: bool) {
    run.store(AREA + 0x28, index, 8);
    run.stored(ds_pmi);
    run.out.stall = false;
    run.busy(false);
    run.idle(2);
}

#[test]
fn the_next_event_stores_a_record() {
    for format in 0..4 {
        let size = 8 * fields(format);
        let mut run = enabled(format, 0, 3, 2);
        overflow(&mut run);
        run.idle(3);
        event(&mut run);
        record(&mut run, format, BASE, |_, value| value);
        reload(&mut run, 2, 0x702);
        end(&mut run, BASE + size, false);
        run.right();
        for wrong in 0..fields(format) {
            let mut run = enabled(format, 0, 3, 2);
            overflow(&mut run);
            event(&mut run);
            record(&mut run, format, BASE, |field, value| if field == wrong { value ^ 1 } else { value });
            end(&mut run, BASE + size, false);
            run.wrong("BTS-09");
        }
    }
}

#[test]
fn an_overflow_arms_its_counter_only() {
    let mut run = enabled(0, 0, 3, 2);
    run.out.pebs_armed = 4;
    run.idle(2);
    run.wrong("BTS-09");
    let mut run = enabled(0, 0, 3, 2);
    run.with(|inputs, _| inputs.pebs_overflow = 3);
    run.out.pebs_armed = 1;
    run.idle(2);
    run.wrong("BTS-09");
    // Not armed at the next event.
    let mut run = enabled(0, 0, 3, 2);
    overflow(&mut run);
    run.out.pebs_armed = 0;
    run.with(|inputs, _| (inputs.pebs_event, inputs.lanes[0].valid) = (4, true));
    run.wrong("BTS-09");
    // Armed, but no record.
    let mut run = enabled(0, 0, 3, 2);
    overflow(&mut run);
    event(&mut run);
    run.out.stall = false;
    run.idle(4);
    run.wrong("BTS-09");
    // The overflow is that of the last cycle: an event next to it is the next one, and a unit without a record is wrong.
    let mut run = enabled(0, 0, 3, 2);
    run.with(|inputs, _| (inputs.pebs_overflow, inputs.pebs_event, inputs.lanes[0].valid) = (4, 4, true));
    run.out.pebs_armed = 4;
    run.idle(2);
    run.wrong("BTS-09");
    // A disabled counter stores nothing.
    let mut run = enabled(0, 0, 3, 2);
    overflow(&mut run);
    run.write(PEBS_ENABLE, 0);
    run.out.pebs_armed = 0;
    run.with(|inputs, _| (inputs.pebs_event, inputs.lanes[0].valid) = (4, true));
    run.right();
    let mut run = enabled(0, 0, 3, 2);
    overflow(&mut run);
    run.write(PEBS_ENABLE, 0);
    run.idle(1);
    run.wrong("BTS-09");
}

#[test]
fn reloads_follow_the_area() {
    let start = |reloads: &[(u8, u64)]| {
        let mut run = enabled(0, 0, 3, 2);
        overflow(&mut run);
        event(&mut run);
        record(&mut run, 0, BASE, |_, value| value);
        reloads.iter().for_each(|&(counter, value)| reload(&mut run, counter, value));
        end(&mut run, BASE + 144, false);
        run
    };
    start(&[(2, 0x702)]).right();
    start(&[]).wrong("BTS-10");
    start(&[(2, 0x702), (2, 0x702)]).wrong("BTS-10");
    start(&[(1, 0x701)]).wrong("BTS-10");
    start(&[(2, 0x701)]).wrong("BTS-18");
    // The page of the reset value is absent.
    let mut run = enabled(0, 0, 3, 2);
    overflow(&mut run);
    event(&mut run);
    record(&mut run, 0, BASE, |_, value| value);
    run.store(AREA + 0x28, BASE + 144, 8);
    run.stored(false);
    run.page_fault(AREA + 0x50);
    run.out.stall = false;
    run.busy(false);
    run.right();
    let mut run = enabled(0, 0, 3, 2);
    reload(&mut run, 2, 0x702);
    run.wrong("BTS-10");
    let mut run = enabled(0, 0, 3, 2);
    run.with(|_, out| out.reload_value = 1);
    run.wrong("ports, Outputs");
}

#[test]
fn the_buffer_of_samples_has_a_threshold_and_an_end() {
    let start = |index: u64, ds_pmi| {
        let mut run = enabled(0, index, 3, 2);
        overflow(&mut run);
        event(&mut run);
        record(&mut run, 0, BASE + 144 * index, |_, value| value);
        reload(&mut run, 2, 0x702);
        end(&mut run, BASE + 144 * (index + 1), ds_pmi);
        run
    };
    start(1, true).right();
    start(2, true).right();
    start(1, false).right();
    start(0, true).wrong("BTS-17");
    start(2, false).right();
    start(3, false).wrong("BTS-15");
    let full = || {
        let mut run = enabled(0, 3, 3, 2);
        overflow(&mut run);
        event(&mut run);
        (4..11).for_each(|field| run.fetch(AREA + 8 * field));
        run
    };
    let mut run = full();
    run.lost();
    run.out.stall = false;
    run.busy(false);
    run.idle(4);
    run.right();
    let mut run = full();
    record(&mut run, 0, BASE, |_, value| value);
    end(&mut run, BASE + 144, false);
    run.wrong("BTS-40");
}

#[test]
fn the_core_waits_for_the_record() {
    let mut run = enabled(0, 0, 3, 2);
    overflow(&mut run);
    event(&mut run);
    record(&mut run, 0, BASE, |_, value| value);
    run.out.stall = false;
    run.idle(1);
    reload(&mut run, 2, 0x702);
    run.wrong("BTS-10");
    // A value that the core did not show while the record was pending.
    let mut run = enabled(0, 0, 3, 2);
    overflow(&mut run);
    event(&mut run);
    (4..8).for_each(|field| run.fetch(AREA + 8 * field));
    (0..18).for_each(|field| run.store(BASE + 8 * field, 0, 8));
    run.with(|_, out| out.state_index = 1);
    end(&mut run, BASE + 144, false);
    run.wrong("BTS-09");
}
