//! Small tables: places, arrays, sizes, and parts in arrays.

use crate::flat::{Field, NoValue, Place, Values};
use crate::retire::Flags;

/// Codes 0 to 2 of two bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Colour {
    #[default]
    Red,
    Green,
    Blue,
}

impl Place for Colour {
    fn bits(self) -> u64 {
        self as u64
    }

    fn from_bits(bits: u64) -> Option<Self> {
        [Self::Red, Self::Green, Self::Blue].get(bits as usize).copied()
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Item {
    colour: Colour,
    count: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Pair {
    serial: u64,
    items: [Item; 2],
    last: u8,
}

flat_table! {
    /// Two values, one of them with an array.
    PairRow<const N: usize>(ready: bool, pair: Pair): unpack;
    {
        "ready": 1 = *ready,
        "serial": 40 = pair.serial,
    }
    each "items" (item in pair.items) {
        "colour": 2 = item.colour,
        "count": 23 = item.count,
    }
    {
        "last": 8 = pair.last,
    }
}

// Word 0: `ready`. Words 1 and 2: the 40 bits of `serial`, which begin a word and leave 24 bits. Item 0: 2 bits behind them,
// and 23 that do not fit there. Item 1: 2 bits behind those of word 3, and again 23 that begin a word. `last` fits behind.
#[test]
fn fields_follow_each_other() {
    let field = |name, value, word, lsb, width| Field { name, value, word, lsb, width };
    let expected = [
        field("ready", "*ready", 0, 0, 1),
        field("serial", "pair.serial", 1, 0, 40),
        field("items[0].colour", "item.colour", 2, 8, 2),
        field("items[0].count", "item.count", 3, 0, 23),
        field("items[1].colour", "item.colour", 3, 23, 2),
        field("items[1].count", "item.count", 4, 0, 23),
        field("last", "pair.last", 4, 23, 8),
    ];
    assert_eq!(PairRow::<2>::FIELDS, expected);
    assert_eq!(PairRow::<2>::WORDS, 5);
    assert_eq!(PairRow::<0>::FIELDS.len(), 3, "without items");
}

const PAIR: Pair = Pair {
    serial: 0xAB_1234_5678,
    items: [Item { colour: Colour::Blue, count: 0x7A_BCDE }, Item { colour: Colour::Green, count: 3 }],
    last: 0x81,
};
const ROW: [u32; 5] = [1, 0x1234_5678, 0x2AB, 0x00FA_BCDE, 0x4080_0003];

#[test]
fn there_and_back() {
    let mut row = [u32::MAX; 5];
    PairRow::<2>::pack(&true, &PAIR, &mut row);
    assert_eq!(row, ROW);
    let (mut ready, mut pair) = (false, Pair::default());
    assert_eq!(PairRow::<2>::unpack(&mut ready, &mut pair, &row), Ok(()));
    assert_eq!((ready, pair), (true, PAIR));
    for field in PairRow::<2>::FIELDS.iter().filter(|field| field.name == "items[0].count") {
        assert_eq!(field.of(&row), 0x7A_BCDE);
    }
}

#[test]
fn bits_beyond_the_width_are_cut_off() {
    let (mut row, mut cut) = ([0; 5], PAIR);
    cut.items[1].count = 0xFF80_0003;
    cut.serial |= 0x77 << 40;
    PairRow::<2>::pack(&true, &cut, &mut row);
    assert_eq!(row, ROW);
}

#[test]
fn a_code_of_no_value_is_named() {
    let (mut ready, mut pair) = (false, PAIR);
    let row = [1, 0, 3 << 8, 3 << 23, 0];
    assert_eq!(PairRow::<2>::unpack(&mut ready, &mut pair, &row), Err(NoValue("items[0].colour")));
    assert_eq!(pair.items[0], Item { colour: Colour::Blue, count: 0 }, "the others are read");
}

flat_table! {
    /// The same values in places of their own.
    PlacedRow<const N: usize>(ready: bool, pair: Pair): unpack, whole;
    {
        "last": 8 @ (0, 3) = pair.last,
        "ready": 1 = *ready,
        "serial": 40 @ (5, 0) = pair.serial,
    }
    each "items" (item in pair.items) from 1 step 2 {
        "count": 23 @ (1, 9) = item.count,
        "colour": 2 @ (0, 30) = item.colour,
    }
}

#[test]
fn fields_in_their_places() {
    let field = |name, value, word, lsb, width| Field { name, value, word, lsb, width };
    let expected = [
        field("last", "pair.last", 0, 3, 8),
        field("ready", "*ready", 0, 11, 1),
        field("serial", "pair.serial", 5, 0, 40),
        field("items[0].count", "item.count", 2, 9, 23),
        field("items[0].colour", "item.colour", 1, 30, 2),
        field("items[1].count", "item.count", 4, 9, 23),
        field("items[1].colour", "item.colour", 3, 30, 2),
    ];
    assert_eq!(PlacedRow::<2>::FIELDS, expected);
    let mut row = [u32::MAX; 7];
    PlacedRow::<2>::pack(&true, &PAIR, &mut row);
    assert_eq!(row, [0x81 << 3 | 1 << 11, 2 << 30, 0x7A_BCDE << 9, 1 << 30, 3 << 9, 0x1234_5678, 0xAB]);
    let (mut ready, mut pair) = (false, Pair::default());
    assert_eq!(PlacedRow::<2>::unpack(&mut ready, &mut pair, &row), Ok(()));
    assert_eq!((ready, pair), (true, PAIR));
}

#[test]
fn whole_values_show_their_bits_beyond_the_width() {
    let (mut row, mut wide) = ([0; 7], Pair::default());
    wide.serial = 0x77 << 40;
    PlacedRow::<2>::pack(&false, &wide, &mut row);
    assert_eq!(row, [0, 0, 0, 0, 0, 0, 0x7700]);
}

flat_table! {
    /// An array, and an array of arrays.
    NestedRow<const A: usize, const B: usize>(grid: [[Item; B]; A], items: [Item; A]): unpack;
    each "grid" for A, B (item in grid) {
        "colour": 2 = item.colour,
        "count": 8 = item.count,
    }
    each "items" for A (item in items) {
        "count": 4 = item.count,
    }
}

// The last index counts first; 3 entries of 10 bits fill 30 bits of a word.
#[test]
fn arrays_of_arrays() {
    let names: [_; 14] = core::array::from_fn(|field| NestedRow::<2, 3>::FIELDS[field].name);
    let expected = [
        "grid[0][0].colour",
        "grid[0][0].count",
        "grid[0][1].colour",
        "grid[0][1].count",
        "grid[0][2].colour",
        "grid[0][2].count",
        "grid[1][0].colour",
        "grid[1][0].count",
        "grid[1][1].colour",
        "grid[1][1].count",
        "grid[1][2].colour",
        "grid[1][2].count",
        "items[0].count",
        "items[1].count",
    ];
    assert_eq!(names, expected);
    assert_eq!((NestedRow::<2, 3>::WORDS, NestedRow::<2, 0>::WORDS, NestedRow::<2, 0>::FIELDS.len()), (3, 1, 2));
    let item = |count| Item { colour: Colour::Green, count };
    let (grid, items) = ([[item(1), item(2), item(3)], [item(4), item(5), item(6)]], [item(7), item(8)]);
    let mut row = [0; 3];
    NestedRow::<2, 3>::pack(&grid, &items, &mut row);
    // The colour of grid[1][0] fills the first word.
    let first = 0b01 | 1 << 2 | 0b01 << 10 | 2 << 12 | 0b01 << 20 | 3 << 22 | 0b01 << 30;
    assert_eq!(row, [first, 4 | 0b01 << 8 | 5 << 10 | 0b01 << 18 | 6 << 20 | 7 << 28, 8]);
    let (mut back, mut last) = ([[Item::default(); 3]; 2], [Item::default(); 2]);
    assert_eq!(NestedRow::<2, 3>::unpack(&mut back, &mut last, &row), Ok(()));
    assert_eq!((back, last.map(|item| item.count)), (grid, [7, 8]));
}

flat_table! {
    /// Parts in an array of arrays, and in an array of another size.
    PartRow<const A: usize, const B: usize>(grid: [[u8; A]; B], flags: [Flags; A]): unpack;
    each "grid" for B, A (length in grid) {
        part length "" = *length,
    }
    each "lanes" for A (flags in flags) {
        "before": 1 = flags.tf,
        part flags "flags." = *flags,
    }
}

#[test]
fn parts_in_arrays_of_arrays() {
    let names: [_; 14] = core::array::from_fn(|field| PartRow::<2, 3>::FIELDS[field].name);
    let expected = [
        "grid[0][0].length",
        "grid[0][1].length",
        "grid[1][0].length",
        "grid[1][1].length",
        "grid[2][0].length",
        "grid[2][1].length",
        "lanes[0].before",
        "lanes[0].flags.tf",
        "lanes[0].flags.ss_load",
        "lanes[0].flags.rep",
        "lanes[1].before",
        "lanes[1].flags.tf",
        "lanes[1].flags.ss_load",
        "lanes[1].flags.rep",
    ];
    assert_eq!((&PartRow::<2, 3>::FIELDS.len(), names), (&14, expected));
    let grid = [[1, 2], [3, 4], [5, 6]];
    let flags = [Flags { tf: true, ..Flags::default() }, Flags { ss_load: true, ..Flags::default() }];
    let mut row = [0; 2];
    PartRow::<2, 3>::pack(&grid, &flags, &mut row);
    // Five bits for each entry of `lanes`; the second one begins in the first word and goes on in the next.
    assert_eq!(row, [0x0065_4321 | 0b0_0011 << 24 | 0b100 << 29, 0]);
    let (mut back, mut last) = ([[0; 2]; 3], [Flags::default(); 2]);
    assert_eq!(PartRow::<2, 3>::unpack(&mut back, &mut last, &row), Ok(()));
    assert_eq!((back, last), (grid, flags));
}

flat_table! {
    /// An array of up to 32 entries, of which the row has some.
    ManyRow<const N: usize>(values: [u8; 32]): unpack;
    many "values" for (2 * N) (value in values[..2 * N]) {
        "low": 4 = *value,
    }
}

// Eight entries fill a word.
#[test]
fn many_entries() {
    assert_eq!((ManyRow::<16>::FIELDS.len(), ManyRow::<16>::WORDS, ManyRow::<3>::WORDS), (32, 4, 1));
    assert_eq!(ManyRow::<3>::FIELDS.last().map(|field| field.name), Some("values[5].low"));
    let values = core::array::from_fn(|at| (at % 8 + 1) as u8);
    let mut row = [0; 4];
    ManyRow::<16>::pack(&values, &mut row);
    assert_eq!(row, [0x8765_4321; 4]);
    let mut back = [9; 32];
    assert_eq!(ManyRow::<3>::unpack(&mut back, &row[..1]), Ok(()));
    assert_eq!(back[..7], [1, 2, 3, 4, 5, 6, 9]);
}

#[test]
#[should_panic(expected = "words of a row")]
fn a_row_of_another_length() {
    PairRow::<2>::pack(&true, &PAIR, &mut [0; 6]);
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Lines {
    kind: u8,
    words: [u32; 2],
}

flat_table! {
    /// Fields that are one value, behind fields that end at any bit.
    PackedRow<const N: usize>(before: u32, lines: [Lines; N], after: bool): unpack;
    {
        "before": 23 = *before,
    }
    each "lines" for N (line in lines) {
        "kind": 3 = line.kind;
        packed {
            "a": 4, "b": 4, "c": 4, "d": 4, "e": 4, "f": 4, "g": 4, "h": 4, "i": 4,
            "j": 1, "k": 1, "l": 1,
        } = line.words
    }
    {
        "after": 1 = *after,
    }
}

// Entry 0: `kind` ends at bit 26, `a` fits behind, the other 32 bits of numbers fill word 1, the levels begin word 2. Entry 1: `kind`
// ends at bit 6, six numbers fit behind, three and the levels into word 3. Entry 2: `kind` ends at bit 18, three numbers fit behind, six
// and the levels into word 4.
#[test]
fn packed_fields_in_their_places() {
    let place = |name| {
        let field = PackedRow::<3>::FIELDS.iter().find(|field| field.name == name).expect("a field");
        (field.value, field.word, field.lsb, field.width)
    };
    assert_eq!(place("lines[0].a"), ("line.words", 0, 26, 4));
    assert_eq!(place("lines[0].b"), ("line.words", 1, 0, 4));
    assert_eq!(place("lines[0].j"), ("line.words", 2, 0, 1));
    assert_eq!(place("lines[1].kind"), ("line.kind", 2, 3, 3));
    assert_eq!(place("lines[1].f"), ("line.words", 2, 26, 4));
    assert_eq!(place("lines[1].g"), ("line.words", 3, 0, 4));
    assert_eq!(place("lines[1].l"), ("line.words", 3, 14, 1));
    assert_eq!(place("lines[2].kind"), ("line.kind", 3, 15, 3));
    assert_eq!(place("lines[2].d"), ("line.words", 4, 0, 4));
    assert_eq!(place("after"), ("*after", 4, 27, 1));
}

#[test]
fn packed_fields_come_back() {
    for seed in 0..1000_u32 {
        let noise = |at: u32| (3 * seed + at + 1).wrapping_mul(0x9E37_79B9);
        let lines = core::array::from_fn(|at| Lines {
            kind: (seed >> at & 7) as u8,
            words: [noise(2 * at as u32), noise(2 * at as u32 + 1) & 0x7F],
        });
        let mut row = [u32::MAX; PackedRow::<3>::WORDS];
        PackedRow::<3>::pack(&seed, &lines, &true, &mut row);
        for (at, line) in lines.iter().enumerate() {
            let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
            let fields = PackedRow::<3>::FIELDS.iter().filter(|field| field.value == "line.words").skip(12 * at);
            let bits = u64::from(line.words[1]) << 32 | u64::from(line.words[0]);
            let mut lsb = 0;
            for (field, name) in fields.zip(names) {
                assert!(field.name.ends_with(name), "{field:?}");
                assert_eq!(field.of(&row), bits >> lsb & (u64::MAX >> (64 - field.width)), "{field:?}");
                lsb += field.width;
            }
        }
        let (mut before, mut back, mut after) = (0, [Lines { kind: 0, words: [u32::MAX; 2] }; 3], false);
        assert_eq!(PackedRow::<3>::unpack(&mut before, &mut back, &mut after, &row), Ok(()));
        assert_eq!((before, back, after), (seed, lines, true));
        // Bits beyond the fields are cut off.
        let wide = lines.map(|line| Lines { words: [line.words[0], line.words[1] | 0xABCD_EF80], ..line });
        let mut same = row;
        PackedRow::<3>::pack(&seed, &wide, &true, &mut same);
        assert_eq!(same, row);
    }
}

#[test]
fn kinds_of_packed_fields() {
    let mut kinds = [0; 2];
    PackedRow::<1>::values(&0, &[Lines::default()], &false, &mut |kind| match kind {
        Values::Number => kinds[0] += 1,
        Values::Flag => kinds[1] += 1,
        Values::Named(_) => panic!("no names"),
    });
    assert_eq!(kinds, [11, 4]);
}
