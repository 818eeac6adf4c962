//! The page `docs/src/tsc/flat.md`, and the rows of the model.

use crate::page::table;
use lwp_model::Unit;
use lwp_model::flat::{Field, StrapsError};
use lwp_model::tsc::{Config, Tsc};

const PAGE: &str = include_str!("../../../docs/src/tsc/flat.md");

/// Names and widths of a table of the page for so many logical processors.
fn page(heading: &str, prefix: &str, processors: usize) -> Vec<(String, u32)> {
    let table = table(PAGE, heading);
    let lines = table.rows().map(|row| {
        let name = row.text("name").split('`').nth(1).expect("a name in code").to_owned();
        (format!("{prefix}{name}"), row.number("width") as u32)
    });
    let lines: Vec<_> = lines.collect();
    let each = |line: &&(String, u32)| line.0.contains("[i]");
    let first = lines.iter().take_while(|line| !each(line)).count();
    let last = first + lines.iter().filter(each).count();
    let several = (0..processors).flat_map(|lp| {
        lines[first..last].iter().map(move |(name, width)| (name.replace("[i]", &format!("[{lp}]")), *width))
    });
    lines[..first].iter().cloned().chain(several).chain(lines[last..].iter().cloned()).collect()
}

fn model(fields: &[Field]) -> Vec<(String, u32)> {
    fields.iter().map(|field| (field.name.to_owned(), field.width)).collect()
}

/// The rule of the page: in order, at most 32 bits in one word, wider ones from the beginning of a word.
fn check_places(fields: &[Field]) {
    let mut next = 0;
    for field in fields {
        let at = field.word * 32 + field.lsb as usize;
        let expected =
            if field.width > 32 || next % 32 + field.width as usize > 32 { next.next_multiple_of(32) } else { next };
        assert_eq!(at, expected, "{field:?}");
        next = at + field.width as usize;
    }
}

fn check<const LP: usize>() {
    assert_eq!(model(Tsc::<LP>::STRAP_FIELDS), page("Straps", "", LP));
    assert_eq!(model(Tsc::<LP>::INPUT_FIELDS), page("Inputs", "", LP));
    let shown = [page("Outputs", "", LP), page("Probe", "", LP)].concat();
    assert_eq!(model(Tsc::<LP>::OUTPUT_FIELDS), shown);
    for fields in [Tsc::<LP>::STRAP_FIELDS, Tsc::<LP>::INPUT_FIELDS, Tsc::<LP>::OUTPUT_FIELDS] {
        check_places(fields);
    }
    let words = (Tsc::<LP>::STRAP_WORDS, Tsc::<LP>::INPUT_WORDS, Tsc::<LP>::OUTPUT_WORDS);
    assert_eq!(words, (2, 4, 9 + 5 * LP));
}

#[test]
fn the_page_is_the_table() {
    check::<1>();
    check::<2>();
    check::<4>();
    check::<8>();
}

/// A row in which every field has ones in some of its bits.
fn noise<const WORDS: usize>(seed: u32) -> [u32; WORDS] {
    core::array::from_fn(|word| (seed + 7 * word as u32 + 1).wrapping_mul(0x9E37_79B9))
}

// Every input, every code among them, comes back; bits without a name do not.
#[test]
fn inputs_come_back() {
    const WORDS: usize = Tsc::<1>::INPUT_WORDS;
    for seed in 0..500 {
        let row: [u32; WORDS] = noise(seed);
        let (inputs, rst_n) = Tsc::<1>::unpack_inputs(&row);
        let mut back = [u32::MAX; WORDS];
        Tsc::<1>::pack_inputs(&inputs, rst_n, &mut back);
        let named = |word: usize| Tsc::<1>::INPUT_FIELDS.iter().fold(0, |mask, field| mask | field.mask_in(word));
        assert_eq!(back, core::array::from_fn(|word| row[word] & named(word)));
    }
}

#[test]
fn straps_come_back_or_are_refused() {
    let mut words = [0; 2];
    Tsc::<1>::pack_straps(&Config::default(), &mut words);
    // By hand: three flags; 30 at bit 7; 83 at bits 15 to 30; in word 1 the rest and the denominator.
    assert_eq!(words, [0b111 | 30 << 7 | 83 << 15, 1 | 3 << 16]);
    assert_eq!(Tsc::<1>::unpack_straps(&words), Ok(Config::default()));
    assert_eq!(Tsc::<1>::unpack_straps(&words[..1]), Err(StrapsError::Length(1)));
    assert_eq!(Tsc::<1>::unpack_straps(&[words[0] | 1 << 31, words[1]]), Err(StrapsError::Unnamed));
}

// Each register at its place: a row of a state in which all of them differ.
#[test]
fn registers_in_their_places() {
    let mut unit = Tsc::<2>::new(Config::default()).unwrap();
    let mut inputs = lwp_model::tsc::Inputs::default();
    inputs.processor.crystal_tick = true;
    inputs.reg.valid = true;
    inputs.reg.op = lwp_model::retire::RegOp::Wrmsr;
    for (lp, number, wdata) in [(0, 0x10, 1 << 40), (1, 0x3B, 5), (0, 0xC000_0103, 6), (1, 0xC000_0103, 7)] {
        (inputs.reg.lp, inputs.reg.number, inputs.reg.wdata) = (lp, number, wdata);
        unit.step(&inputs);
    }
    inputs.reg.op = lwp_model::retire::RegOp::Rdtscp;
    unit.step(&inputs);
    let mut row = [0; Tsc::<2>::OUTPUT_WORDS];
    Tsc::<2>::pack_expected(unit.state(), unit.config(), &mut row);
    let of = |name| Tsc::<2>::OUTPUT_FIELDS.iter().find(|field| field.name == name).unwrap().of(&row);
    // Five ticks of the crystal: 416 and two thirds; the answer is of four.
    assert_eq!((of("reg_done"), of("reg_result"), of("reg_rdata"), of("reg_aux")), (1, 0, 333 + 5, 7));
    assert_eq!((of("state.rate.booted"), of("state.rate.boot_ratio"), of("state.rate.fraction")), (0, 0, 2));
    assert_eq!((of("state.processors[0].counter"), of("state.processors[0].aux")), ((1 << 40) + 416, 6));
    assert_eq!(of("state.processors[0].adjust"), 1 << 40);
    assert_eq!((of("state.processors[1].counter"), of("state.processors[1].adjust")), (416 + 5, 5));
    assert_eq!(of("state.processors[1].aux"), 7);
    assert_eq!((of("state.answer.reg_done"), of("state.answer.reg_rdata"), of("state.answer.reg_aux")), (1, 338, 7));
}
