//! The page `docs/src/tsc/flat.md`, and the rows of the model.

use crate::flat_text;
use crate::page::table;
use lwp_model::flat::{Field, StrapsError, Values};
use lwp_model::retire::{OpMode, RegOp, RegRequest, RegResult};
use lwp_model::tsc::{Config, Inputs, Tsc};
use lwp_model::{Moore, Unit};

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
fn the_page_is_written_from_the_table() {
    flat_text::check::<Tsc<2>>("tsc/flat.md", |_, _| 'i');
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

// A unit that resumes from a row goes on as the one that showed it.
#[test]
fn a_row_is_resumed() {
    let mut unit = Tsc::<2>::new(Config::default()).unwrap();
    let mut inputs = Inputs::default();
    inputs.processor.crystal_tick = true;
    unit.step(&inputs);
    let mut row = [0; Tsc::<2>::OUTPUT_WORDS];
    Tsc::<2>::pack_expected(unit.state(), unit.config(), &mut row);
    let mut other = Tsc::<2>::new(Config::default()).unwrap();
    Unit::resume(&mut other, &row);
    assert_eq!(other, unit);
    unit.step(&inputs);
    other.step(&inputs);
    assert_eq!(other.state(), unit.state());
    // Twice 83 and a third.
    assert_eq!((other.state().processors[1].counter.into_bits(), other.state().rate.fraction), (166, 2));
}

#[test]
fn kinds_of_straps() {
    let mut values = Vec::new();
    Tsc::<1>::strap_values(&mut |kind| values.push(kind));
    let rate = Values::Named(&["invariant", "constant-max", "constant-boot", "variable"]);
    let (width, sleep) = (Values::Named(&["all", "low32"]), Values::Named(&["count", "stop"]));
    let number = Values::Number;
    let expected = [Values::Flag, Values::Flag, Values::Flag, rate, width, sleep, number, number, number, number];
    assert_eq!(values, expected);
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

/// Outputs are the same whoever asks: the model, the trait of all machines, the row that hardware would show.
#[test]
fn outputs_come_back_from_a_row() {
    type Two = Tsc<2>;
    let mut unit = Two::new(Config::default()).unwrap();
    let write = |op, number, wdata| RegRequest { valid: true, op, lp: 1, number, wdata };
    let asked = [
        write(RegOp::Wrmsr, 0x10, 0xFEDC_BA98_7654_3210),
        write(RegOp::Wrmsr, 0xC000_0103, 0x89AB_CDEF),
        write(RegOp::Rdtscp, 0, 0),
        write(RegOp::Rdmsr, 0x11, 0),
        write(RegOp::Wrmsr, 0xC000_0103, u64::MAX),
    ];
    let mut seen = Vec::new();
    for reg in asked {
        unit.step(&Inputs { op_mode: OpMode::Long64, reg, ..Inputs::default() });
        let mut row = [0; Two::OUTPUT_WORDS];
        Two::pack_expected(unit.state(), unit.config(), &mut row);
        assert_eq!(Two::unpack_outputs(&row), unit.outputs());
        assert_eq!(Moore::outputs(&unit), unit.outputs());
        seen.push(unit.outputs());
    }
    assert_eq!((seen[2].reg_rdata, seen[2].reg_aux), (0xFEDC_BA98_7654_3210, 0x89AB_CDEF));
    let results: Vec<_> = seen.iter().map(|outputs| (outputs.reg_done, outputs.reg_result)).collect();
    let done = (true, RegResult::Done);
    let refused = [(true, RegResult::NotMine), (true, RegResult::GeneralProtection)];
    assert_eq!(results, [done, done, done, refused[0], refused[1]]);
}
