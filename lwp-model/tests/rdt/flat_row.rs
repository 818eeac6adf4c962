//! The page `docs/src/rdt/flat.md`, and the rows of the model.

use super::bench::{Bench, read};
use crate::flat_text;
use lwp_model::flat::{StrapsError, Values};
use lwp_model::rdt::{Config, Rdt, Scope, Select, Vendor};
use lwp_model::{Moore, Unit};

const PAGE: &str = include_str!("../../../docs/src/rdt/flat.md");

type Small = Rdt<2, 8, 4, 4, 2, 4, 4>;
type Large = Rdt<4, 64, 16, 16, 8, 16, 8>;

/// The letter of an index: of a logical processor, a class, an RMID or a way.
fn letter(group: &str, _: usize) -> char {
    match group {
        "lp" => 'i',
        "class" => 'n',
        "rmid" => 'r',
        _ => 'w',
    }
}

#[test]
fn the_page_is_written_from_the_table() {
    flat_text::check::<Small>("rdt/flat.md", letter);
}

#[test]
fn words_of_a_row() {
    fn words<U: Unit>() -> [usize; 3] {
        [U::STRAP_WORDS, U::INPUT_WORDS, U::OUTPUT_WORDS]
    }
    let (small, large) = (words::<Small>(), words::<Large>());
    let (head, _) = PAGE.split_once("\n## ").unwrap();
    for (row, (few, many)) in ["straps", "inputs", "outputs and probe"].iter().zip(small.into_iter().zip(large)) {
        let line = format!("| {row} | {few} | {many} |");
        assert!(head.contains(&line), "the page lacks {line} of {small:?}, {large:?}");
    }
}

// Every input, every code among them, comes back; bits without a name do not.
#[test]
fn inputs_come_back() {
    for seed in 0..500_u32 {
        let row: Vec<u32> =
            (0..Small::INPUT_WORDS).map(|word| (seed + 7 * word as u32 + 1).wrapping_mul(0x9E37_79B9)).collect();
        let (inputs, rst_n) = Small::unpack_inputs(&row);
        let mut back = vec![u32::MAX; Small::INPUT_WORDS];
        Small::pack_inputs(&inputs, rst_n, &mut back);
        let named = |word: usize| Small::INPUT_FIELDS.iter().fold(0, |mask, field| mask | field.mask_in(word));
        let expected: Vec<u32> = row.iter().enumerate().map(|(word, bits)| bits & named(word)).collect();
        assert_eq!(back, expected);
    }
}

#[test]
fn straps_come_back_or_are_refused() {
    let straps =
        Config { vendor: Vendor::Amd, width: 25, select: Select::Package, mba_scope: Scope::Core, ..Config::default() };
    let mut words = vec![0; Small::STRAP_WORDS];
    Small::pack_straps(&straps, &mut words);
    assert_eq!(Small::unpack_straps(&words), Ok(straps));
    // By hand: line at 0, l3_sets at 4, l3_ways at 8, l2 at 13, l2_sets at 14, l2_ways at 18, vendor at 22.
    assert_eq!(words[0] & 0x7F_FFFF, 6 | 3 << 4 | 4 << 8 | 1 << 13 | 2 << 14 | 2 << 18 | 1 << 22);
    words[0] |= 9;
    assert!(matches!(Small::unpack_straps(&words), Err(StrapsError::Illegal(_))), "lines of 2^15 bytes");
}

#[test]
fn kinds_of_straps() {
    let mut values = Vec::new();
    Small::strap_values(&mut |kind| values.push(kind));
    let of = |name: &str| values[Small::STRAP_FIELDS.iter().position(|field| field.name == name).expect(name)];
    assert_eq!(of("vendor"), Values::Named(&["intel", "amd"]));
    assert_eq!(of("select"), Values::Named(&["thread", "package"]));
    assert_eq!(of("mba_scope"), Values::Named(&["core", "thread"]));
    assert_eq!((of("l2"), of("l3_ways"), of("start")), (Values::Flag, Values::Number, Values::Number));
}

// Its memories are not in its row.
const _: () = assert!(!Small::CHECKPOINTS);

// The registers of a row are those of the unit that showed it.
#[test]
fn a_row_has_the_registers() {
    let mut bench = Bench::new(Config::default());
    bench.access(0, read(0x1000));
    let mut row = vec![0; Small::OUTPUT_WORDS];
    Small::pack_expected(bench.unit.state(), bench.unit.config(), &mut row);
    let of = |name: &str| Small::OUTPUT_FIELDS.iter().find(|field| field.name == name).expect(name).of(&row);
    assert_eq!([of("state.rmid[0].occupancy"), of("state.rmid[0].total"), of("state.job.line")], [1, 1, 0x40]);
    assert_eq!([of("state.l3.word.line[0].valid"), of("state.l3.word.line[0].line")], [1, 0x40]);
    let mut other = Small::new(*bench.unit.config()).unwrap();
    Unit::resume(&mut other, &row);
    assert_eq!((other.state(), Moore::outputs(&other)), (bench.unit.state(), Moore::outputs(&bench.unit)));
    assert_eq!(Small::unpack_outputs(&row), Moore::outputs(&bench.unit));
}
