//! Areas that software should not have set up, and pulses of records that are not judged.

use super::*;

const AREA: u64 = 0x1_0000;
const BASE: u64 = 0x2_0000;

/// Branch records in the 32-bit format, in an area at `area`.
fn narrow(area: u64) -> Bench {
    let mut run = Bench::new(Straps { dtes64: false, ..Straps::default() });
    run.inputs.op_mode = 2;
    run.poke(AREA, BASE | BASE << 32);
    run.poke(AREA + 8, (BASE + 24) | (BASE + 12) << 32);
    run.write(DS_AREA, area);
    run.write(DEBUGCTL, 0xC0);
    run.busy(true);
    run
}

#[test]
fn an_area_is_a_multiple_of_8_in_both_formats() {
    for (area, right) in [(AREA, false), (AREA + 4, true)] {
        let mut run = narrow(area);
        run.lane(jump(0x10, 0x20));
        run.fetch(AREA);
        run.fetch(AREA + 8);
        run.lost();
        run.busy(false);
        if right { run.right() } else { run.wrong("BTS-08") }
    }
}

#[test]
fn the_format_is_that_of_the_next_record() {
    for (from, right) in [(0x10, true), (0x11, false)] {
        let mut run = narrow(AREA);
        run.lane(jump(0x10, 0x20));
        // In the format of this one the fields make no sense.
        run.inputs.op_mode = 4;
        run.lane(jump(0x30, 0x40));
        run.fetch(AREA);
        run.fetch(AREA + 8);
        run.store(BASE, from | 0x20 << 32, 8);
        run.store(BASE + 8, 0x10, 4);
        run.store(AREA + 4, BASE + 12, 4);
        run.stored(false);
        run.page_fault(AREA);
        run.lost();
        run.busy(false);
        if right { run.right() } else { run.wrong("BTS-21") }
    }
}

/// A branch and an event of counter 0 in one cycle; both buffers are misaligned.
fn both() -> Bench {
    let mut run = Bench::new(Straps::default());
    for field in 0..8 {
        run.poke(AREA + 8 * field, BASE + 0x1000 * (field & 2) + 1);
    }
    run.write(DS_AREA, AREA);
    run.write(PEBS_ENABLE, 1);
    run.write(DEBUGCTL, 0xC0);
    run.with(|inputs, _| (inputs.pebs_overflow, inputs.pebs_event, inputs.lanes[0]) = (1, 1, jump(0x10, 0x20)));
    run.out.stall = true;
    run.busy(true);
    (0..8).for_each(|field| run.fetch(AREA + 8 * field));
    run
}

#[test]
fn the_index_tells_whose_record_is_stored() {
    let end = |indices: &[u64]| {
        let mut run = both();
        for index in indices {
            run.store(AREA + index, BASE + 0x101, 8);
            run.stored(false);
        }
        run.out.stall = false;
        run.busy(false);
        run
    };
    end(&[8, 0x28]).right();
    end(&[0x28, 8]).right();
    end(&[8]).wrong("BTS-09");
    end(&[0x28]).wrong("BTS-08");
}

#[test]
fn a_pulse_of_a_dropped_record_comes_soon() {
    for (cycles, right) in [(0, true), (10, true), (20, false)] {
        let mut run = Bench::new(Straps::default());
        for (at, record) in [(0, 0), (8, 4), (0x10, 4), (0x18, 4)] {
            run.poke(AREA + at, BASE + 24 * record);
        }
        run.write(DS_AREA, AREA);
        run.write(DEBUGCTL, 0x1C0);
        run.busy(true);
        run.lane(jump(0x10, 0x20));
        (0..4).for_each(|field| run.fetch(AREA + 8 * field));
        run.with(|_, out| (out.lost, out.ds_pmi) = (true, cycles == 0));
        run.busy(false);
        run.idle(cycles);
        run.with(|_, out| out.ds_pmi = cycles > 0);
        if right { run.right() } else { run.wrong("BTS-16") }
    }
}
