use super::super::tests::by_hand;
use super::*;
use crate::lwp::fields::FIELDS;
use crate::lwp::input_fields::input_fields;
use wellen::simple::Waveform;

fn waveform(evidence: &Evidence) -> Waveform {
    let bytes = wave_file(evidence).unwrap();
    wellen::simple::read_from_reader(Cursor::new(bytes)).unwrap()
}

/// The value of a signal at the end of a cycle.
fn value(waveform: &mut Waveform, name: &str, cycle: u64) -> u64 {
    let path: Vec<&str> = name.split('.').collect();
    let (leaf, scopes) = path.split_last().unwrap();
    let variable = waveform.hierarchy().lookup_var(scopes, leaf).unwrap_or_else(|| panic!("no {name}"));
    let signal = waveform.hierarchy()[variable].signal_ref();
    waveform.load_signals(&[signal]);
    let time = cycle * TIME_PER_CYCLE;
    let index = waveform.time_table().iter().rposition(|&at| at <= time).unwrap();
    let signal = waveform.get_signal(signal).unwrap();
    let offset = signal.get_offset(index as u32).unwrap();
    let text = signal.get_value_at(&offset, 0).to_bit_string().unwrap();
    u64::from_str_radix(&text, 2).unwrap_or_else(|_| panic!("{name}: {text}"))
}

#[test]
fn every_value_of_every_row_reads_back_at_its_time() {
    let evidence = by_hand();
    let mut waveform = waveform(&evidence);
    let times = waveform.time_table().to_vec();
    assert_eq!((times.first(), times.last()), (Some(&47090), Some(&47125)));
    for row in &evidence.rows {
        assert_eq!(value(&mut waveform, "failure.cycle", row.cycle), row.cycle);
        assert_eq!(value(&mut waveform, "failure.differs", row.cycle), u64::from(row.cycle >= 4711));
        for (scope, words) in [("model", &row.model), ("rtl", &row.rtl)] {
            for field in FIELDS {
                let name = format!("{scope}.{}", wave_path(field.name).join("."));
                assert_eq!(value(&mut waveform, &name, row.cycle), field.of(words), "{name} in {}", row.cycle);
            }
        }
        for input in input_fields(4) {
            let name = format!("inputs.{}", wave_path(input.name).join("."));
            assert_eq!(value(&mut waveform, &name, row.cycle), input.of(&row.inputs), "{name} in {}", row.cycle);
        }
    }
}

#[test]
fn idle_cycles_are_marked() {
    let mut waveform = waveform(&Evidence { idle_from: Some(4712), ..by_hand() });
    let idle: Vec<u64> = (4709..=4712).map(|cycle| value(&mut waveform, "failure.idle", cycle)).collect();
    assert_eq!(idle, [0, 0, 0, 1]);
}

#[test]
fn the_two_sides_part_at_the_failure() {
    let mut waveform = waveform(&by_hand());
    let mut pair =
        |cycle| ["model", "rtl"].map(|side| value(&mut waveform, &format!("{side}.state.events_1.counter"), cycle));
    assert_eq!((pair(4709), pair(4710), pair(4711), pair(4712)), ([0, 0], [0, 0], [100, 99], [100, 99]));
}

/// Bytes 9 to 24 are the times of the first block; its last eight an offset that viewers add to all times.
#[test]
fn the_file_begins_with_its_first_cycle() {
    let bytes = wave_file(&by_hand()).unwrap();
    let number = |at: usize| bytes[at..at + 8].iter().fold(0, |value, &byte| value << 8 | u64::from(byte));
    assert_eq!((number(9), number(17), number(322)), (47090, 47125, 0));
}
