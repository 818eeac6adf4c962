//! The page `docs/src/itanium/flat.md`, and the rows of the model.

use super::bench::*;
use crate::flat_text;
use crate::unit::Itanium;
use lwp_model::flat::{StrapsError, Values};
use lwp_model::itanium::{Config, Inputs, IsmOrder, RegOp};
use lwp_model::{Moore, Unit};

type B1e4 = Itanium<1, 4>;
type B2e16 = Itanium<2, 16>;

/// The letter of a group's index.
fn index(group: &str, _: usize) -> char {
    match group {
        "counter" => 'c',
        "matcher" => 'j',
        "ibr" | "dbr" => 'k',
        "tag" => 'e',
        "mem" => 'p',
        _ => 'b',
    }
}

#[test]
fn the_page_is_written_from_the_table() {
    flat_text::check::<B2e16>("itanium/flat.md", index);
}

#[test]
fn words_of_a_row() {
    fn words<U: Unit>() -> [usize; 3] {
        [U::STRAP_WORDS, U::INPUT_WORDS, U::OUTPUT_WORDS]
    }
    assert_eq!(words::<B1e4>(), [1, 20, 56]);
    assert_eq!(words::<B2e16>(), [1, 29, 58]);
}

// The numbers of bits of the page `docs/src/itanium/state.md`.
#[test]
fn bits_of_the_state() {
    fn bits<U: Unit>() -> u32 {
        U::OUTPUT_FIELDS.iter().filter(|field| field.name.starts_with("state.")).map(|field| field.width).sum()
    }
    assert_eq!((bits::<B1e4>(), bits::<B2e16>()), (1556, 1640));
}

#[test]
fn inputs_come_back() {
    for seed in 0..500_u32 {
        let row: Vec<u32> =
            (0..B2e16::INPUT_WORDS).map(|word| (seed + 7 * word as u32 + 1).wrapping_mul(0x9E37_79B9)).collect();
        let (inputs, rst_n) = B2e16::unpack_inputs(&row);
        let mut back = vec![u32::MAX; B2e16::INPUT_WORDS];
        B2e16::pack_inputs(&inputs, rst_n, &mut back);
        let named = |word: usize| B2e16::INPUT_FIELDS.iter().fold(0, |mask, field| mask | field.mask_in(word));
        let expected: Vec<u32> = row.iter().enumerate().map(|(word, bits)| bits & named(word)).collect();
        assert_eq!(back, expected);
    }
}

// By hand: a field of each struct, by its name.
#[test]
fn names_of_inputs() {
    let mut inputs = Inputs::<2>::default();
    inputs.fetch[1] = fetch(9, 0x1234);
    inputs.issue[0].slot1 = 0x1AB_CDEF_0123;
    inputs.retire[1].taken = 0b101;
    inputs.mem[1].dtlb_miss = true;
    inputs.reg = asking::<2>(RegOp::Rfi, 0x401, 77).reg;
    let mut row = vec![0; B2e16::INPUT_WORDS];
    B2e16::pack_inputs(&inputs, true, &mut row);
    let of = |name: &str| B2e16::INPUT_FIELDS.iter().find(|field| field.name == name).expect(name).of(&row);
    assert_eq!([of("rst_n"), of("fetch[1].id"), of("fetch[1].addr"), of("fetch[0].addr")], [1, 9, 0x1234, 0]);
    assert_eq!([of("issue[0].slot1"), of("retire[1].taken"), of("mem[1].dtlb_miss")], [0x1AB_CDEF_0123, 5, 1]);
    assert_eq!([of("reg.reg_op"), of("reg.reg_number"), of("reg.reg_wdata")], [15, 0x401, 77]);
}

#[test]
fn straps_come_back_or_are_refused() {
    for word in 0..8 {
        let straps = B1e4::unpack_straps(&[word]).unwrap();
        let mut words = [0];
        B1e4::pack_straps(&straps, &mut words);
        assert_eq!(words, [word], "{straps:?}");
    }
    assert_eq!(B1e4::unpack_straps(&[0]), Ok(Config::default()));
    let printed = Config { ism_order: IsmOrder::Printed, freeze_always: true, ..Config::default() };
    assert_eq!(B1e4::unpack_straps(&[0b101]), Ok(printed));
    assert_eq!(B1e4::unpack_straps(&[8]), Err(StrapsError::Unnamed));
}

#[test]
fn kinds_of_straps() {
    let mut values = Vec::new();
    B1e4::strap_values(&mut |kind| values.push(kind));
    assert_eq!(values, [Values::Named(&["field", "printed"]), Values::Named(&["kept", "cleared"]), Values::Flag]);
}

// A unit that resumes from a row goes on as the one that showed it.
#[test]
fn a_row_is_resumed() {
    let mut bench = Bench::<2, 16>::tagged(Config::default());
    for (file, index, value) in [
        (PMC, 4, pmc(RETIRED, 0) | EV | OI),
        (PMC, 9, 0x9ABC_DEF0_1234_5678),
        (PMC, 10, 0x0209_008A),
        (PMC, 11, 0x0106_0045),
        (PMC, 12, 0x5683),
        (PMC, 13, 0xFEDC_0000_0000_0000),
        (IBR, 7, 0x8500_0000_0000_1234),
        (DBR, 2, 0xFFFF_0000_1111_2222),
        (CR, 0, 1),
        (PMD, 4, 0xFFFF_FFFF),
    ] {
        bench.write(file, index, value);
    }
    bench.cycle(Inputs { retire: [retire(3, 0b011), retire(4, 0)], ..asking(RegOp::ReadFile, register(IBR, 7), 0) });
    let mut row = vec![0; B2e16::OUTPUT_WORDS];
    B2e16::pack_expected(bench.unit.state(), bench.unit.config(), &mut row);
    let mut other = B2e16::new(*bench.unit.config()).unwrap();
    Unit::resume(&mut other, &row);
    assert_eq!(other, bench.unit);
    assert_eq!(B2e16::unpack_outputs(&row), bench.out());
    assert_eq!(Moore::outputs(&other), bench.out());
    let of = |name: &str| B2e16::OUTPUT_FIELDS.iter().find(|field| field.name == name).expect(name).of(&row);
    assert_eq!([of("irq"), of("pin"), of("state.freeze.overflow"), of("state.counter[0].count")], [1, 1, 1, 1]);
    assert_eq!([of("reg_rdata"), of("state.ibr[3].plm")], [0x8500_0000_0000_1234, 5]);
    assert_eq!([of("state.tag[15].pmc8"), of("state.matcher[0].mask")], [7, 0x7FF_FFFF]);
}
