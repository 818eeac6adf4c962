//! PEBS: the event behind an overflow, the record of the processor's registers, and the reset of the counter.

use super::area::*;
use super::bench::*;
use lwp_model::retire::{IntKind, MemCmd, OpMode};
use lwp_model::trace::{Config, Inputs, Precise, Step};

type Small = Bench<1, 4>;
type Large = Bench<4, 32>;

/// Address of the PEBS buffer in the 64-bit format.
const SAMPLES: u64 = 0xFFFF_8880_0002_0000;

/// Offset of the reset values.
const RESETS: u64 = 0x40;

/// In the 64-bit format, a PEBS buffer of so many bytes with this threshold, counters that store records, and a reset value for each.
fn sampling(straps: Config, counters: u64, bytes: u64, threshold: u64) -> Small {
    let mut bench = Small::new(straps);
    bench.describe(AREA, true, true, [SAMPLES, SAMPLES, SAMPLES + bytes, SAMPLES + threshold]);
    for counter in 0..4 {
        bench.memory.set_field(AREA + RESETS + 8 * counter, true, 0xFFFF_FFFF_FFFF_F000 + counter);
    }
    bench.write(DS_AREA, AREA);
    bench.write(PEBS_ENABLE, counters);
    bench
}

/// An overflow of these counters, then their event, and the rest.
fn sample<const LANES: usize, const ENTRIES: usize>(bench: &mut Bench<LANES, ENTRIES>, counters: u8) -> [usize; 3] {
    let before = [bench.seen.stored, bench.seen.lost, bench.seen.ds_pmi];
    bench.overflow(counters);
    bench.precise(&[at(0x100)], counters);
    bench.rest();
    let after = [bench.seen.stored, bench.seen.lost, bench.seen.ds_pmi];
    core::array::from_fn(|count| after[count] - before[count])
}

// BTS-09: an overflow arms; the next event stores a record; the core waits until it is in memory
#[test]
fn an_overflow_arms_and_the_next_event_stores() {
    let mut bench = sampling(Config::default(), 0b0001, 144, 144);
    assert_eq!(bench.overflow(0b0001).pebs_armed, 0b0001);
    bench.group(&[at(0x100)]);
    let out = bench.idle();
    assert_eq!((out.pebs_armed, out.stall, out.reg_ready), (0b0001, false, true), "it waits for an event");
    let out = bench.precise(&[at(0x104)], 0b0001);
    assert_eq!((out.pebs_armed, out.stall, out.reg_ready), (0, true, false));
    while !bench.out().stored {
        assert!(bench.idle().stall);
    }
    bench.rest();
    assert_eq!((bench.seen.stored, bench.seen.lost), (1, 0));
    // The next event finds nothing armed.
    let out = bench.precise(&[at(0x108)], 0b0001);
    assert!(!out.stall);
}

// BTS-09: an event in the cycle in which the overflow is shown is the next one; an event without an overflow is none
#[test]
fn an_event_in_the_cycle_of_the_overflow() {
    for (overflow, event, pending) in
        [(0b0100, 0b0100, 0b0100), (0, 0b0100, 0), (0b0001, 0b0100, 0), (0b0101, 0b0110, 0b0100)]
    {
        let mut bench = sampling(Config::default(), 0b1111, 144, 144);
        bench.cycle(Inputs { pebs: Precise { overflow, event, ..Precise::default() }, ..Inputs::default() });
        let pebs = bench.unit.state().pebs;
        assert_eq!((pebs.pending, pebs.armed, pebs.pending_wide), (pending, overflow & !event, pending != 0));
    }
}

// BTS-09: only counters that are enabled, by IA32_PEBS_ENABLE as it is in the cycle; WRMSR disarms those that it takes away
#[test]
fn counters_that_are_enabled() {
    let mut bench = sampling(Config::default(), 0b1010, 144, 144);
    assert_eq!(bench.overflow(0b1111).pebs_armed, 0b1010);
    bench.write(PEBS_ENABLE, 0b0110);
    assert_eq!(bench.out().pebs_armed, 0b0010);
    bench.write(PEBS_ENABLE, 0);
    assert_eq!(bench.out().pebs_armed, 0);
    assert_eq!(sample(&mut bench, 0b1111), [0, 0, 0]);
}

// BTS-09: events of a cycle with an interruption, of a partial cycle and of a stalled one are none
#[test]
fn events_that_are_ignored() {
    let pebs = Precise { event: 0b0001, ..Precise::default() };
    let mut bench = sampling(Config::default(), 0b0011, 1440, 1440);
    bench.overflow(0b0001);
    assert!(!bench.cycle(Inputs { partial: true, pebs, ..Inputs::default() }).stall);
    let mut int = Inputs { pebs, ..Inputs::default() };
    (int.int.valid, int.int.kind) = (true, IntKind::Rsm);
    assert!(!bench.cycle(int).stall);
    assert_eq!(bench.out().pebs_armed, 0b0001);
    bench.overflow(0b0010);
    bench.precise(&[at(0x100)], 0b0001);
    let out = bench.precise(&[at(0x104)], 0b0010);
    assert_eq!((out.pebs_armed, bench.unit.state().pebs.pending), (0b0010, 0b0001), "the core waits");
    // An overflow arms even then.
    bench.overflow(0b0001);
    assert_eq!(bench.out().pebs_armed, 0b0011);
}

// BTS-09, BTS-17, BTS-19: the state at the event: flags, instruction pointer, the general registers, then what the format adds
#[test]
fn fields_of_a_record() {
    for (pebs_format, fields) in [(0, 18), (1, 22), (2, 24), (3, 25)] {
        let straps = Config { pebs_format, ..Config::default() };
        let mut bench = sampling(straps, 0b1000, 1000, 1000);
        bench.registers = core::array::from_fn(|number| 0xABCD_0000_0000_0000 + number as u64);
        assert_eq!(sample(&mut bench, 0b1000), STORED);
        let expected = (0..fields).map(|field| if field == 18 { 0b1000 } else { 0xABCD_0000_0000_0000 + field });
        assert_eq!(bench.memory.fields(SAMPLES, true, fields), expected.collect::<Vec<_>>());
        assert_eq!(bench.memory.field(SAMPLES + 8 * fields, true), 0, "and no more");
        assert_eq!(bench.index(AREA, true, true), SAMPLES + 8 * fields);
    }
}

// BTS-09, BTS-17, BTS-18: 40 bytes in the 32-bit format: ten registers; one reset value of 8 bytes for all counters
#[test]
fn records_of_40_bytes() {
    let mut bench = Small::new(without_dtes64());
    bench.stays.mode.op_mode = OpMode::Protected;
    bench.describe(AREA32, false, true, [BUFFER32, BUFFER32, BUFFER32 + 80, BUFFER32 + 80]);
    bench.memory.set_field(AREA32 + 0x20, true, 0xFFFF_FFFF_FFFF_FF00);
    bench.registers = core::array::from_fn(|number| 0xABCD_0000_1234_0000 + number as u64);
    bench.write(DS_AREA, AREA32);
    bench.write(PEBS_ENABLE, 0b1111);
    assert_eq!(
        [sample(&mut bench, 0b0001), sample(&mut bench, 0b1000), sample(&mut bench, 0b0001)],
        [STORED, DUE, LOST]
    );
    let record = (0..10).map(|field| 0x1234_0000 + field);
    assert_eq!(bench.memory.fields(BUFFER32, false, 21), record.clone().chain(record).chain([0]).collect::<Vec<_>>());
    assert_eq!(bench.index(AREA32, false, true), BUFFER32 + 80);
    assert_eq!(
        bench.seen.reloads,
        [(0, 0xFFFF_FFFF_FFFF_FF00), (3, 0xFFFF_FFFF_FFFF_FF00), (0, 0xFFFF_FFFF_FFFF_FF00)]
    );
}

// BTS-10, BTS-18: behind the record the counter's own reset value is read, and the counter is set to it
#[test]
fn the_counter_is_reset() {
    for counter in 0..4_u8 {
        let mut bench = sampling(Config::default(), 0b1111, 144, 144);
        sample(&mut bench, 1 << counter);
        assert_eq!(bench.seen.reloads, [(counter, 0xFFFF_FFFF_FFFF_F000 + u64::from(counter))]);
        let log = &bench.memory.log;
        let [.., index, reset] = &log[..] else { panic!("{log:?}") };
        assert_eq!((index.cmd, index.addr, index.wdata), (MemCmd::Write, AREA + 0x28, SAMPLES + 144));
        assert_eq!((reset.cmd, reset.addr), (MemCmd::Read, AREA + RESETS + 8 * u64::from(counter)));
        let out = bench.out();
        assert_eq!((out.reload_valid, out.reg_ready), (true, true));
        let out = bench.idle();
        assert_eq!((out.reload_valid, out.reload_counter, out.reload_value), (false, 0, 0));
    }
}

// BTS-09: several counters at one event: a record each, the lowest counter first, with the same state
#[test]
fn several_counters() {
    let straps = Config { pebs_format: 1, ..Config::default() };
    let mut bench = sampling(straps, 0b1111, 3 * 176, 9999);
    assert_eq!(sample(&mut bench, 0b1101), [3, 0, 0]);
    assert_eq!(bench.seen.reloads.iter().map(|reload| reload.0).collect::<Vec<_>>(), [0, 2, 3]);
    let counters: Vec<_> = (0..3).map(|record| bench.memory.field(SAMPLES + 176 * record + 18 * 8, true)).collect();
    assert_eq!(counters, [0b0001, 0b0100, 0b1000]);
    assert_eq!(bench.memory.fields(SAMPLES, true, 18), bench.memory.fields(SAMPLES + 352, true, 18));
}

// BTS-17, BTS-48, DCTL-23: the interrupt at the threshold, once; a full buffer loses records, but the counters go on
#[test]
fn a_full_buffer() {
    let mut bench = sampling(Config::default(), 0b0001, 2 * 144, 144);
    bench.write(DEBUGCTL, LBR | FREEZE_LBRS);
    assert_eq!(sample(&mut bench, 0b0001), DUE);
    assert_eq!(bench.debugctl(), FREEZE_LBRS, "the stack is frozen");
    assert_eq!([sample(&mut bench, 0b0001), sample(&mut bench, 0b0001)], [STORED, LOST]);
    assert_eq!((bench.seen.reloads.len(), bench.index(AREA, true, true)), (3, SAMPLES + 288));
    assert_eq!(bench.read(PEBS_ENABLE), 0b0001);
}

// BTS-17: the PEBS buffer is never circular
#[test]
fn btint_does_not_matter() {
    for debugctl in [0, BTINT] {
        let mut bench = sampling(Config::default(), 0b0001, 144, 9999);
        bench.write(DEBUGCTL, debugctl);
        assert_eq!([sample(&mut bench, 0b0001), sample(&mut bench, 0b0001)], [STORED, LOST]);
    }
}

// BTS-09: an index outside and a misaligned area: lost, and the counter is reset
#[test]
fn a_buffer_that_makes_no_sense() {
    for fields in [
        [SAMPLES, SAMPLES - 8, SAMPLES + 1440, 0],
        [SAMPLES, SAMPLES + 1448, SAMPLES + 1440, 0],
        [SAMPLES + 4, SAMPLES + 8, SAMPLES + 1440, 0],
        [SAMPLES, SAMPLES + 1304, SAMPLES + 1440, 0],
    ] {
        let mut bench = sampling(Config::default(), 0b0001, 0, 0);
        bench.describe(AREA, true, true, fields);
        assert_eq!(sample(&mut bench, 0b0001), LOST, "{fields:x?}");
        assert!(bench.memory.log.iter().all(|access| access.cmd == MemCmd::Read));
        assert_eq!(bench.seen.reloads.len(), 1);
    }
    let mut bench = sampling(Config::default(), 0b0001, 144, 144);
    bench.write(DS_AREA, AREA + 4);
    assert_eq!(sample(&mut bench, 0b0001), LOST);
    assert_eq!((bench.seen.reloads.len(), bench.memory.log.len()), (0, 0));
}

// BTS-10, TRC-17: an absent page: the counter stays; one at the reset value alone: the record is stored
#[test]
fn page_faults() {
    let last = SAMPLES + 136;
    for (absent, result) in [
        (AREA + 0x20, LOST),
        (AREA + 0x28, LOST),
        (AREA + 0x30, LOST),
        (AREA + 0x38, LOST),
        (SAMPLES, LOST),
        (last, LOST),
        (AREA + RESETS, STORED),
    ] {
        let mut bench = sampling(Config::default(), 0b0001, 144, 9999);
        bench.memory.absent = vec![absent];
        assert_eq!(sample(&mut bench, 0b0001), result, "{absent:x}");
        assert_eq!((bench.seen.reloads.len(), bench.unit.state().pebs.pending), (0, 0));
        assert_eq!(bench.memory.log.last().map(|access| access.addr), Some(absent));
    }
    // Without room and without a reset value: lost once.
    let mut bench = sampling(Config::default(), 0b0001, 8, 9999);
    bench.memory.absent = vec![AREA + RESETS];
    assert_eq!((sample(&mut bench, 0b0001), bench.seen.reloads.len()), (LOST, 0));
}

// BTS-07, BTS-09: branch records are older than a pending PEBS record, and are stored first
#[test]
fn branch_records_come_first() {
    let mut bench = Large::new(deep());
    bench.describe(AREA, true, false, [BUFFER, BUFFER, BUFFER + 240, 0]);
    bench.describe(AREA, true, true, [SAMPLES, SAMPLES, SAMPLES + 1440, 0]);
    bench.write(DS_AREA, AREA);
    bench.write(PEBS_ENABLE, 1);
    bench.write(DEBUGCTL, TR | BTS | BTINT);
    bench.overflow(1);
    bench.precise(&[jump(0x100, 0x200), jump(0x200, 0x300)], 1);
    bench.rest();
    bench.idle();
    let writes = bench.memory.log.iter().filter(|access| access.cmd == MemCmd::Write);
    let order: Vec<_> = writes.map(|access| access.addr).collect();
    assert_eq!(
        order[..8],
        [BUFFER, BUFFER + 8, BUFFER + 16, AREA + 8, BUFFER + 24, BUFFER + 32, BUFFER + 40, AREA + 8]
    );
    assert_eq!(order[8], SAMPLES);
    assert_eq!((bench.seen.stored, bench.seen.reloads.len()), (3, 1));
}

// BTS-09: the format is that of the mode at the event
#[test]
fn the_format_of_the_mode() {
    for (op_mode, wide) in [(OpMode::Protected, false), (OpMode::Compatibility, true)] {
        let mut bench = Small::new(without_dtes64());
        bench.write(DS_AREA, AREA32);
        bench.write(PEBS_ENABLE, 1);
        bench.describe(AREA32, wide, true, [BUFFER32, BUFFER32, BUFFER32 + 1440, 0]);
        bench.stays.mode.op_mode = op_mode;
        bench.overflow(1);
        bench.precise(&[at(0x100)], 1);
        bench.stays.mode.op_mode = OpMode::Real;
        bench.rest();
        assert_eq!(bench.index(AREA32, wide, true) - BUFFER32, if wide { 144 } else { 40 }, "{op_mode:?}");
    }
}

// BTS-09: `state_index` names the register while the record is written, and 0 otherwise
#[test]
fn the_register_that_is_asked_for() {
    let mut bench = sampling(Config { pebs_format: 3, ..Config::default() }, 1, 200, 200);
    bench.overflow(1);
    bench.precise(&[at(0x100)], 1);
    let mut asked = vec![bench.out().state_index];
    while !bench.out().reload_valid {
        let out = bench.idle();
        assert!(out.state_index == 0 || bench.unit.state().store.step == Step::Record);
        if asked.last() != Some(&out.state_index) {
            asked.push(out.state_index);
        }
    }
    assert_eq!(asked, (0..25).chain([0]).collect::<Vec<_>>());
}
