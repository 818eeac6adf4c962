//! The page `docs/src/trace/flat.md`, and the rows of the model.

use super::bench::{Bench, DEBUGCTL, DS_AREA, LBR, TR, jump};
use crate::flat_text;
use crate::unit::Trace;
use lwp_model::flat::{StrapsError, Values};
use lwp_model::trace::{Config, Format};
use lwp_model::{Moore, Unit};

#[test]
fn the_page_is_written_from_the_table() {
    flat_text::check::<Trace<2, 4>>("trace/flat.md", |_, _| 'i');
}

#[test]
fn words_of_a_row() {
    fn words<U: Unit>() -> [usize; 3] {
        [U::STRAP_WORDS, U::INPUT_WORDS, U::OUTPUT_WORDS]
    }
    assert_eq!(words::<Trace<1, 4>>(), [1, 20 + 6, 44 + 5 * 4 + 10]);
    assert_eq!(words::<Trace<4, 32>>(), [1, 20 + 6 * 4, 44 + 5 * 32 + 10 * 4]);
    assert_eq!(words::<Trace<8, 8>>(), [1, 20 + 6 * 8, 44 + 5 * 8 + 10 * 8]);
}

// Every input, every code among them, comes back; bits without a name do not.
#[test]
fn inputs_come_back() {
    type Two = Trace<2, 4>;
    for seed in 0..500_u32 {
        let row: Vec<u32> =
            (0..Two::INPUT_WORDS).map(|word| (seed + 7 * word as u32 + 1).wrapping_mul(0x9E37_79B9)).collect();
        let (inputs, rst_n) = Two::unpack_inputs(&row);
        let mut back = vec![u32::MAX; Two::INPUT_WORDS];
        Two::pack_inputs(&inputs, rst_n, &mut back);
        let named = |word: usize| Two::INPUT_FIELDS.iter().fold(0, |mask, field| mask | field.mask_in(word));
        let expected: Vec<u32> = row.iter().enumerate().map(|(word, bits)| bits & named(word)).collect();
        assert_eq!(back, expected);
    }
}

#[test]
fn straps_come_back_or_are_refused() {
    let mut words = [0];
    let straps = Config { lbr_format: Format::Info, ..Config::default() };
    Trace::<1, 4>::pack_straps(&straps, &mut words);
    // By hand: info at 2; nehalem at 5; ds, ds_cpl, dtes64, pmi_freeze, smm_freeze, rtm at 7 to 12; four counters at 13; bits48 at 18;
    // db_message at 20.
    assert_eq!(words, [5 << 2 | 1 << 5 | 0b11_1111 << 7 | 4 << 13 | 1 << 18 | 1 << 20]);
    assert_eq!(Trace::<1, 4>::unpack_straps(&words), Ok(straps));
    let with = |mask: u32, value| (words[0] & !mask) | value;
    for (word, error) in
        [(with(7 << 2, 6 << 2), "lbr_format"), (with(7 << 2, 7 << 2), "lbr_format"), (with(3 << 18, 3 << 18), "linear")]
    {
        assert_eq!(Trace::<1, 4>::unpack_straps(&[word]), Err(StrapsError::NoSuchChoice(error)));
    }
}

#[test]
fn kinds_of_straps() {
    let mut values = Vec::new();
    Trace::<1, 4>::strap_values(&mut |kind| values.push(kind));
    let mut expected = [Values::Flag; 14];
    expected[0] = Values::Named(&["four", "eight", "sixteen", "thirty_two"]);
    expected[1] = Values::Named(&["offset32", "linear", "effective", "flags", "tsx", "info"]);
    expected[2] = Values::Named(&["core", "nehalem"]);
    (expected[10], expected[11]) = (Values::Number, Values::Number);
    expected[12] = Values::Named(&["bits32", "bits48", "bits57"]);
    assert_eq!(values, expected);
}

// A unit that resumes from a row goes on as the one that showed it.
#[test]
fn a_row_is_resumed() {
    type Four = Trace<4, 8>;
    let mut bench = Bench::<4, 8>::new(Config { lbr_format: Format::Info, ..Config::default() });
    bench.write(DS_AREA, 0xFFFF_8880_0000_3000);
    bench.write(DEBUGCTL, LBR | TR);
    bench.stays.btm_ready = false;
    bench.group(&[jump(0x1111, 0x2222), jump(0x3333, 0x4444)]);
    let mut row = vec![0; Four::OUTPUT_WORDS];
    Four::pack_expected(bench.unit.state(), bench.unit.config(), &mut row);
    let mut other = Four::new(*bench.unit.config()).unwrap();
    Unit::resume(&mut other, &row);
    assert_eq!(other, bench.unit);
    assert_eq!(Four::unpack_outputs(&row), bench.out());
    assert_eq!(Moore::outputs(&other), bench.out());
    let of = |name: &str| Four::OUTPUT_FIELDS.iter().find(|field| field.name == name).expect(name).of(&row);
    assert_eq!([of("btm_valid"), of("btm_from"), of("btm_to")], [1, 0x1111, 0x2222]);
    assert_eq!([of("state.lbr.tos"), of("state.lbr.entry[1].from"), of("state.lbr.entry[2].to")], [2, 0x1111, 0x4444]);
    assert_eq!(
        [of("state.queue.count"), of("state.queue.record[1].from"), of("state.queue.record[7].to")],
        [2, 0x3333, 0]
    );
    assert_eq!(of("state.control.ds_area"), 0xFFFF_8880_0000_3000);
}
