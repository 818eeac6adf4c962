//! The page `docs/src/debug/flat.md`, and the rows of the model.

use crate::flat_text;
use crate::unit::Debug;
use lwp_model::debug::{Config, Inputs};
use lwp_model::flat::{StrapsError, Values};
use lwp_model::retire::{RegOp, RegRequest};
use lwp_model::{Moore, Unit};

#[test]
fn the_page_is_written_from_the_table() {
    let letter = |group: &str, at: usize| match (group, at) {
        ("lanes", 0) => 'i',
        ("lanes", _) => 'j',
        _ => 'n',
    };
    flat_text::check::<Debug<2, 2>>("debug/flat.md", letter);
}

#[test]
fn words_of_a_row() {
    fn words<U: Unit>() -> [usize; 3] {
        [U::STRAP_WORDS, U::INPUT_WORDS, U::OUTPUT_WORDS]
    }
    assert_eq!(words::<Debug<1, 1>>(), [1, 11 + 12, 17]);
    assert_eq!(words::<Debug<4, 2>>(), [1, 11 + 12 * 4, 17]);
    assert_eq!(words::<Debug<8, 1>>(), [1, 11 + 12 * 8, 17]);
}

// Every input, every code among them, comes back; bits without a name do not.
#[test]
fn inputs_come_back() {
    type Two = Debug<2, 2>;
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
    Debug::<1, 1>::pack_straps(&Config { string_group: 5, ..Config::default() }, &mut words);
    // By hand: rtm, long_mode, io_gate at 0 to 2; string_group at 7; status at 13; fault_rf and int1_step at 16 and 17.
    assert_eq!(words, [0b111 | 5 << 7 | 0b11 << 16]);
    let back = Debug::<1, 1>::unpack_straps(&words).unwrap();
    assert_eq!(back, Config { string_group: 5, ..Config::default() });
    assert_eq!(Debug::<1, 1>::unpack_straps(&[words[0] | 3 << 13]), Err(StrapsError::NoSuchChoice("status")));
}

#[test]
fn kinds_of_straps() {
    let mut values = Vec::new();
    Debug::<1, 1>::strap_values(&mut |kind| values.push(kind));
    let mut expected = [Values::Flag; 13];
    expected[7] = Values::Number;
    expected[8] = Values::Named(&["causes", "nothing", "all"]);
    assert_eq!(values, expected);
}

// A unit that resumes from a row goes on as the one that showed it.
#[test]
fn a_row_is_resumed() {
    type One = Debug<1, 1>;
    let mut unit = One::new(Config::default()).unwrap();
    let write = |number, wdata| Inputs {
        reg: RegRequest { valid: true, op: RegOp::WriteDr, lp: 0, number, wdata },
        ..Inputs::default()
    };
    for (number, wdata) in [(3, 0xFFFF_8000_0000_1234), (7, 0xF0FF_0BFF), (6, 0xE00A)] {
        unit.step(&write(number, wdata));
    }
    let mut row = [0; One::OUTPUT_WORDS];
    One::pack_expected(unit.state(), unit.config(), &mut row);
    let mut other = One::new(Config::default()).unwrap();
    Unit::resume(&mut other, &row);
    assert_eq!(other, unit);
    assert_eq!(One::unpack_outputs(&row), unit.outputs());
    assert_eq!(Moore::outputs(&unit), unit.outputs());
    let of = |name: &str| One::OUTPUT_FIELDS.iter().find(|field| field.name == name).unwrap().of(&row);
    assert_eq!(of("state.registers.address[3]"), 0xFFFF_8000_0000_1234);
    let dr7 = ["enable", "le", "ge", "rtm", "gd", "kind"].map(|name| of(&format!("state.registers.dr7.{name}")));
    assert_eq!(dr7, [0xFF, 1, 1, 1, 0, 0xF0FF]);
    let dr6 = ["b", "bd", "bs", "bt", "in_tx"].map(|name| of(&format!("state.registers.dr6.{name}")));
    assert_eq!(dr6, [0b1010, 1, 1, 1, 1]);
}
