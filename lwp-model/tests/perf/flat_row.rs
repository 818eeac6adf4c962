//! The page `docs/src/perf/flat.md`, and the rows of the model.

use super::bench::{Bench, CONTROL, FIXED, FIXED_CONTROL, INSTRUCTIONS, SELECT, version_3};
use crate::flat_text;
use crate::page::table;
use crate::unit::Perf;
use lwp_model::flat::{Field, StrapsError, Values};
use lwp_model::perf::{Config, Inputs, Line};
use lwp_model::{Choice, Unit};

const PAGE: &str = include_str!("../../../docs/src/perf/flat.md");

/// Name up to the indices, the indices, and the rest.
fn parts(name: &str) -> (&str, Vec<char>, &str) {
    let (group, rest) = name.split_once('[').map_or((name, ""), |(group, _)| (group, &name[group.len()..]));
    let end = rest.rfind(']').map_or(0, |end| end + 1);
    (group, rest[..end].chars().filter(|letter| letter.is_alphabetic()).collect(), &rest[end..])
}

/// Names and widths of a table of the page; each group once for each entry.
fn page(heading: &str, size: &dyn Fn(char, &str) -> usize) -> Vec<(String, u32)> {
    let table = table(PAGE, heading);
    let lines: Vec<_> = table
        .rows()
        .map(|row| (row.text("name").split('`').nth(1).expect("a name in code").to_owned(), row.number("width") as u32))
        .collect();
    let mut all = Vec::new();
    let mut left = &lines[..];
    while let [(name, width), rest @ ..] = left {
        let (group, indices, _) = parts(name);
        if indices.is_empty() {
            all.push((name.clone(), *width));
            left = rest;
            continue;
        }
        let of_group = left.iter().take_while(|(name, _)| parts(name).0 == group && !parts(name).1.is_empty()).count();
        let (lines, rest) = left.split_at(of_group);
        left = rest;
        let entries = match indices[..] {
            [i] => (0..size(i, group)).map(|i| format!("[{i}]")).collect::<Vec<_>>(),
            [i, j] => {
                let inner = size(j, group);
                (0..size(i, group)).flat_map(|i| (0..inner).map(move |j| format!("[{i}][{j}]"))).collect()
            }
            _ => panic!("{name}"),
        };
        for entry in entries {
            all.extend(lines.iter().map(|(name, width)| (format!("{group}{entry}{}", parts(name).2), *width)));
        }
    }
    all
}

fn model(fields: &[Field]) -> Vec<(String, u32)> {
    fields.iter().map(|field| (field.name.to_owned(), field.width)).collect()
}

/// The rule: in order, at most 32 bits in one word, wider ones from the beginning of a word.
fn check_places(fields: &[Field]) {
    let mut next = 0;
    for field in fields {
        let at = field.word * 32 + field.lsb as usize;
        let begins = field.width > 32 || next % 32 + field.width as usize > 32;
        assert_eq!(at, if begins { next.next_multiple_of(32) } else { next }, "{field:?}");
        next = at + field.width as usize;
    }
}

fn check<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize>() -> [usize; 3] {
    let size = |index, _: &str| match index {
        'i' => LP,
        'c' => GENERAL,
        'k' => FIXED,
        'l' => LANES,
        _ => panic!("{index}"),
    };
    let page = |heading| page(heading, &size);
    type Unit<const LP: usize, const G: usize, const F: usize, const L: usize> = Perf<LP, G, F, L>;
    let fields = [
        Unit::<LP, GENERAL, FIXED, LANES>::STRAP_FIELDS,
        Unit::<LP, GENERAL, FIXED, LANES>::INPUT_FIELDS,
        Unit::<LP, GENERAL, FIXED, LANES>::OUTPUT_FIELDS,
    ];
    let shown = [page("Outputs"), page("Probe")].concat();
    for (fields, page) in fields.into_iter().zip([page("Straps"), page("Inputs"), shown]) {
        assert_eq!(model(fields), page);
        check_places(fields);
    }
    fields.map(lwp_model::flat::words)
}

#[test]
fn the_page_is_written_from_the_table() {
    let index = |group: &str, depth| match (group, depth) {
        (_, 0) => 'i',
        ("general", _) => 'c',
        ("fixed", _) => 'k',
        _ => 'l',
    };
    flat_text::check::<C4>("perf/flat.md", index);
}

#[test]
fn the_page_is_the_table() {
    let words = [check::<1, 2, 0, 4>(), check::<2, 4, 3, 2>(), check::<4, 8, 3, 8>()];
    for (row, kind) in table(PAGE, "The flat row").rows().zip(0..) {
        let page = ["c2", "c4", "c8"].map(|build| row.number(build) as usize);
        assert_eq!(words.map(|words| words[kind]), page, "{row:?}");
    }
    check::<1, 1, 0, 1>();
    check::<8, 1, 2, 1>();
}

/// A row in which every field has ones in some of its bits.
fn noise<const WORDS: usize>(seed: u32) -> [u32; WORDS] {
    core::array::from_fn(|word| (seed + 7 * word as u32 + 1).wrapping_mul(0x9E37_79B9))
}

type C4 = Perf<2, 4, 3, 2>;

// Every input, every code among them, comes back; bits without a name do not.
#[test]
fn inputs_come_back() {
    const WORDS: usize = C4::INPUT_WORDS;
    for seed in 0..500 {
        let row: [u32; WORDS] = noise(seed);
        let (inputs, rst_n) = C4::unpack_inputs(&row);
        let mut back = [u32::MAX; WORDS];
        C4::pack_inputs(&inputs, rst_n, &mut back);
        let named = |word: usize| C4::INPUT_FIELDS.iter().fold(0, |mask, field| mask | field.mask_in(word));
        assert_eq!(back, core::array::from_fn(|word| row[word] & named(word)));
    }
}

/// Each line of each event bus alone, in its own field and nowhere else.
fn lines_in_their_fields<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize>() {
    let fields = Perf::<LP, GENERAL, FIXED, LANES>::INPUT_FIELDS;
    let mut row = vec![0; Perf::<LP, GENERAL, FIXED, LANES>::INPUT_WORDS];
    Perf::<LP, GENERAL, FIXED, LANES>::pack_inputs(&Inputs::default(), false, &mut row);
    let without = row.clone();
    for (lp, line) in (0..LP).flat_map(|lp| Line::ALL.iter().map(move |line| (lp, *line))) {
        let mut inputs = Inputs::<LP, LANES>::default();
        inputs.lp[lp].events.set(line, 15);
        Perf::<LP, GENERAL, FIXED, LANES>::pack_inputs(&inputs, false, &mut row);
        let name = format!("lp[{lp}].events.{}", line.name());
        let set: Vec<_> = fields.iter().filter(|field| field.of(&row) != field.of(&without)).collect();
        let [field] = set[..] else { panic!("{name}: {set:?}") };
        assert_eq!((field.name, field.of(&row)), (&*name, if line.is_level() { 1 } else { 15 }));
        let mut read = Inputs::<LP, LANES>::default();
        Perf::<LP, GENERAL, FIXED, LANES>::read_inputs(&row, &mut read);
        assert_eq!(read, inputs);
    }
}

// The bus begins at another bit in each of these builds, and in each of their logical processors.
#[test]
fn lines_of_the_bus() {
    lines_in_their_fields::<1, 2, 0, 4>();
    lines_in_their_fields::<2, 4, 3, 2>();
    lines_in_their_fields::<4, 8, 3, 8>();
    lines_in_their_fields::<1, 1, 0, 1>();
    lines_in_their_fields::<8, 1, 2, 1>();
}

#[test]
fn straps_come_back_or_are_refused() {
    let mut words = [0; C4::STRAP_WORDS];
    C4::pack_straps(&Config::default(), &mut words);
    // By hand: 2 at bit 2; 2 at bit 4; 40 at bits 8 and 16; 127 at bit 22. The 17 bits begin a word.
    assert_eq!(words, [2 << 2 | 2 << 4 | 40 << 8 | 40 << 16 | 127 << 22, 0]);
    assert_eq!(C4::unpack_straps(&words), Ok(Config::default()));
    assert_eq!(C4::unpack_straps(&words[..1]), Err(StrapsError::Length(1)));
    assert_eq!(C4::unpack_straps(&[words[0], 1 << 31]), Err(StrapsError::Unnamed));
}

#[test]
fn kinds_of_straps() {
    let mut values = Vec::new();
    C4::strap_values(&mut |kind| values.push(kind));
    let (flag, number) = (Values::Flag, Values::Number);
    let expected = [
        Values::Named(&["P6", "version 1", "version 2", "version 3"]),
        Values::Named(&["Pentium Pro", "Pentium II", "Pentium III", "Pentium M"]),
        number,
        number,
        number,
        number,
        number,
        flag,
        flag,
        number,
        Values::Named(&["ignored", "obeyed"]),
        Values::Named(&["fault", "ignored"]),
        flag,
        Values::Named(&["memory", "msr"]),
        flag,
    ];
    assert_eq!(values, expected);
}

// Outputs and probe show what the state holds.
#[test]
fn registers_in_their_places() {
    let mut unit = C4::new(Config::default()).unwrap();
    let mut inputs = lwp_model::perf::Inputs::default();
    inputs.reg.valid = true;
    inputs.reg.op = lwp_model::retire::RegOp::Wrmsr;
    for (lp, number, wdata) in [(0, 0xC2, 0x8000_0001), (1, 0x186, 0x1234), (1, 0x187, 0xAA)] {
        (inputs.reg.lp, inputs.reg.number, inputs.reg.wdata) = (lp, number, wdata);
        unit.step(&inputs);
    }
    inputs.apic = lwp_model::perf::Apic { write: true, lp: 1, wdata: 0x4EE };
    (inputs.reg.op, inputs.reg.lp, inputs.reg.number) = (lwp_model::retire::RegOp::Rdmsr, 0, 0xC2);
    unit.step(&inputs);
    let mut row = [0; C4::OUTPUT_WORDS];
    C4::pack_expected(unit.state(), unit.config(), &mut row);
    assert_eq!(C4::unpack_outputs(&row), unit.outputs());
    let of = |name: &str| C4::OUTPUT_FIELDS.iter().find(|field| field.name == name).expect(name).of(&row);
    assert_eq!((of("reg_done"), of("reg_result"), of("reg_rdata")), (1, 0, 0xFF_8000_0001));
    assert_eq!(of("state.general[0][1].counter"), 0xFF_8000_0001);
    assert_eq!((of("state.general[1][0].select"), of("state.general[1][1].select")), (0x1234, 0xAA));
    assert_eq!((of("state.general[1][3].on"), of("state.fixed[1][2].on")), (1, 0));
    assert_eq!((of("lp[1].lvt_vector"), of("state.lp[1].lvt_mode"), of("lp[1].lvt_mask")), (0xEE, 4, 0));
    assert_eq!((of("lp[0].lvt_vector"), of("state.lp[0].lvt_mask")), (0, 1));
}

// A unit that resumes from a row goes on as the one that showed it: with its registers, and with what they select.
#[test]
fn a_row_is_resumed() {
    let mut bench = Bench::<2, 4, 3, 2>::new(version_3());
    bench.inputs.lp[0].halted = false;
    for (number, value) in
        [(SELECT, INSTRUCTIONS), (CONTROL, 7 << 32 | 0xF), (FIXED_CONTROL, 0x3B3), (FIXED + 1, 1 << 39)]
    {
        bench.write(number, value);
    }
    let mut row = vec![0; C4::OUTPUT_WORDS];
    C4::pack_expected(bench.unit.state(), bench.unit.config(), &mut row);
    let mut other = Bench::<2, 4, 3, 2>::new(version_3());
    Unit::resume(&mut other.unit, &row);
    assert_eq!(other.unit, bench.unit);
    let control = other.unit.state().fixed[0].map(|counter| counter.control.into_bits());
    assert_eq!(control, [0x3, 0xB, 0x3]);
    other.inputs = bench.inputs;
    for bench in [&mut bench, &mut other] {
        bench.inputs.lanes[0][0].valid = true;
        bench.inputs.lanes[0][0].counts = true;
        bench.cycle();
    }
    assert_eq!(other.unit.state(), bench.unit.state());
    assert_eq!(other.count(0), 1);
}
