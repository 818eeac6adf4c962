//! The table of a row, from which all that has to do with the row follows.

/// Declares a row, a line for each field: its name, its width in bits, its place in the Rust values that the row holds.
///
/// ```text
/// flat_table! {
///     /// What the row is.
///     pub(super) PairRow<const N: usize>(ready: bool, pair: Pair<N>): unpack;
///     {
///         "ready": 1 = *ready,
///         "kind": 2 = pair.kind,
///     }
///     each "items" (item in pair.items) {
///         "count": 32 = item.count,
///     }
/// }
/// ```
///
/// The parentheses name the values; in a line the name is a reference to the value. Fields stand in blocks, in their order. A block
/// with `each` stands for its lines once per entry of an array: `items[0].count`, then `items[1].count` and so on. The array
/// has `N` entries, at most eight, where `N` is the size of the table. A table without `each` needs no size.
///
/// A table may have several sizes, `Row<const A: usize, const B: usize>`. Its blocks say theirs: `each "items" for A (..)`. A block
/// `each "items" for A, B (..)` is for an array of arrays: `items[0][0].count`, `items[0][1].count`, ..., `items[1][0].count`.
///
/// A line may say its place, a word and the lowest bit in it: `"kind": 2 @ (0, 5) = pair.kind`. The lines behind it follow from
/// there. In a block whose head ends with `from 12 step 3`, the words of places count from word 12 for the first entry, from
/// word 15 for the second, and so on. Places are for rows that are older than the rule.
///
/// The type that is declared has
///
/// - `FIELDS`: the [`Field`](super::Field)s in order, with word and lowest bit as the [layout](super) has them, and `WORDS`;
/// - `pack(&ready, &pair, &mut row)`: fills the row;
/// - with `unpack`, `unpack(&mut ready, &mut pair, &row)`: reads it. Bits without a name are ignored. A field that holds the
///   code of no value leaves its place as it was; the error names the first such field.
///
/// Both panic if the row does not have `WORDS` words.
///
/// `pack` cuts off bits beyond the width of their field. With `whole` (`: unpack, whole;`) it leaves them, so that a comparison of
/// rows shows a register that holds more than it can.
macro_rules! flat_table {
    (
        $(#[$meta:meta])*
        $visibility:vis $table:ident $(<$(const $size:ident: usize),+>)? ($($value:ident: $type:ty),+ $(,)?): $($unpack:ident)? $(, $whole:ident)?;
        $(
            $(each $group:literal $(for $($dim:ident),+)? ($item:ident in $array:expr) $(from $first:literal step $words:literal)?)?
            { $( $name:literal: $width:literal $(@ $at:tt)? = $place:expr ),+ $(,)? }
        )+
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug)]
        $visibility struct $table $(<$(const $size: usize),+>)?;

        const _: () = {
            use $crate::flat::{Field, Layout, Writer, words};

            /// Fields of the largest size.
            const CAPACITY: usize =
                0 $( + [$($width),+].len() * $crate::flat::flat_table!(@times $($group $($($dim)+)?)?) )+;

            impl $(<$(const $size: usize),+>)? $table $(<$($size),+>)? {
                /// Entries of each array of a table with one size.
                #[allow(dead_code, reason = "blocks that name their sizes do not need it")]
                const SIZE: usize = 0 $($( + $size )+)?;

                const LAYOUT: &'static Layout<CAPACITY> = &{
                    $($( assert!($size <= 8, "at most eight entries"); )+)?
                    let mut layout = Layout::new();
                    $( $crate::flat::flat_table!(@fields layout [$($group, [$(($first, $words))?] $(for $($dim)+)?)?] { $( $name: $width [$($at)?] ),+ }); )+
                    layout
                };

                /// Every field, in order.
                $visibility const FIELDS: &'static [Field] = Self::LAYOUT.fields();

                /// Words of a row.
                $visibility const WORDS: usize = words(Self::FIELDS);

                /// Fills a row.
                $visibility fn pack($($value: &$type,)+ row: &mut [u32]) {
                    assert_eq!(row.len(), Self::WORDS, "words of a row");
                    let mut writer = Writer::new(row, $crate::flat::flat_table!(@cut $($whole)?));
                    $( $crate::flat::flat_table!(
                        @put writer [$($item in $array, [$(($first, $words))?] $(for $($dim)+)?)?] { $( $width [$($at)?] = $place ),+ }
                    ); )+
                }

                $crate::flat::flat_table! {
                    @unpack [$($unpack)?] $visibility ($($value: $type),+)
                    $( [$($item in $array, [$(($first, $words))?] $(for $($dim)+)?)?] { $( $width [$($at)?] = $place ),+ } )+
                }
            }
        };
    };

    (@times) => { 1 };
    (@times $group:literal) => { 8 };
    (@times $group:literal $dim:ident) => { 8 };
    (@times $group:literal $outer:ident $inner:ident) => { 64 };

    (@cut) => { true };
    (@cut whole) => { false };

    (@fields $layout:ident [] { $( $name:literal: $width:literal $at:tt ),+ }) => {
        $( $layout.push($name, $width, 0, &$at); )+
    };
    (@fields $layout:ident [$group:literal, $entries:tt] $lines:tt) => {
        $crate::flat::flat_table!(@indices $layout [Self::SIZE] $group $entries $lines 0 1 2 3 4 5 6 7)
    };
    (@fields $layout:ident [$group:literal, $entries:tt for $dim:ident] $lines:tt) => {
        $crate::flat::flat_table!(@indices $layout [$dim] $group $entries $lines 0 1 2 3 4 5 6 7)
    };
    (@fields $layout:ident [$group:literal, [] for $outer:ident $inner:ident] $lines:tt) => {
        $crate::flat::flat_table!(@rows $layout [$outer $inner] $group $lines 0 1 2 3 4 5 6 7)
    };
    (@indices $layout:ident [$size:expr] $group:literal $entries:tt $lines:tt $($index:literal)+) => {
        $( if $index < $size { $crate::flat::flat_table!(@entry $layout $group [$index] $entries $lines); } )+
    };
    (@rows $layout:ident [$outer:ident $inner:ident] $group:literal $lines:tt $($row:literal)+) => {
        $( if $row < $outer {
            $crate::flat::flat_table!(@columns $layout $inner $group $row $lines 0 1 2 3 4 5 6 7);
        } )+
    };
    (@columns $layout:ident $inner:ident $group:literal $row:literal $lines:tt $($column:literal)+) => {
        $( if $column < $inner { $crate::flat::flat_table!(@entry $layout $group [$row $column] [] $lines); } )+
    };
    (@entry $layout:ident $group:literal [$index:literal] $entries:tt { $( $name:literal: $width:literal $at:tt ),+ }) => {
        let base = $crate::flat::base(&$entries, $index);
        $( $layout.push(concat!($group, "[", $index, "].", $name), $width, base, &$at); )+
    };
    (@entry $layout:ident $group:literal [$row:literal $column:literal] [] { $( $name:literal: $width:literal $at:tt ),+ }) => {
        $( $layout.push(concat!($group, "[", $row, "][", $column, "].", $name), $width, 0, &$at); )+
    };

    (@put $writer:ident [] { $( $width:literal $at:tt = $place:expr ),+ }) => {
        $( $writer.put($width, 0, &$at, &$place); )+
    };
    (@put $writer:ident [$item:ident in $array:expr, $entries:tt for $outer:ident $inner:ident] { $( $width:literal $at:tt = $place:expr ),+ }) => {
        for $item in $array.iter().flatten() {
            $( $writer.put($width, 0, &$at, &$place); )+
        }
    };
    (@put $writer:ident [$item:ident in $array:expr, $entries:tt $(for $dim:ident)?] { $( $width:literal $at:tt = $place:expr ),+ }) => {
        for (index, $item) in $array.iter().enumerate() {
            let base = $crate::flat::base(&$entries, index);
            $( $writer.put($width, base, &$at, &$place); )+
        }
    };

    (@unpack [] $($rest:tt)*) => {};
    (@unpack [unpack] $visibility:vis ($($value:ident: $type:ty),+) $( [$($each:tt)*] $lines:tt )+) => {
        /// Reads a row. The error is the first field whose bits are the code of no value; its place stays as it was.
        $visibility fn unpack($($value: &mut $type,)+ row: &[u32]) -> Result<(), $crate::flat::NoValue> {
            assert_eq!(row.len(), Self::WORDS, "words of a row");
            let mut reader = $crate::flat::Reader::new(row);
            $( $crate::flat::flat_table!(@get reader [$($each)*] $lines); )+
            reader.finish(Self::FIELDS)
        }
    };
    (@get $reader:ident [] { $( $width:literal $at:tt = $place:expr ),+ }) => {
        $( $reader.get($width, 0, &$at, &mut $place); )+
    };
    (@get $reader:ident [$item:ident in $array:expr, $entries:tt for $outer:ident $inner:ident] { $( $width:literal $at:tt = $place:expr ),+ }) => {
        for $item in $array.iter_mut().flatten() {
            $( $reader.get($width, 0, &$at, &mut $place); )+
        }
    };
    (@get $reader:ident [$item:ident in $array:expr, $entries:tt $(for $dim:ident)?] { $( $width:literal $at:tt = $place:expr ),+ }) => {
        for (index, $item) in $array.iter_mut().enumerate() {
            let base = $crate::flat::base(&$entries, index);
            $( $reader.get($width, base, &$at, &mut $place); )+
        }
    };
}

pub(crate) use flat_table;

#[cfg(test)]
mod tests {
    use crate::flat::{Field, NoValue, Place};

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
        let field = |name, word, lsb, width| Field { name, word, lsb, width };
        let expected = [
            field("ready", 0, 0, 1),
            field("serial", 1, 0, 40),
            field("items[0].colour", 2, 8, 2),
            field("items[0].count", 3, 0, 23),
            field("items[1].colour", 3, 23, 2),
            field("items[1].count", 4, 0, 23),
            field("last", 4, 23, 8),
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
        let field = |name, word, lsb, width| Field { name, word, lsb, width };
        let expected = [
            field("last", 0, 3, 8),
            field("ready", 0, 11, 1),
            field("serial", 5, 0, 40),
            field("items[0].count", 2, 9, 23),
            field("items[0].colour", 1, 30, 2),
            field("items[1].count", 4, 9, 23),
            field("items[1].colour", 3, 30, 2),
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

    #[test]
    #[should_panic(expected = "words of a row")]
    fn a_row_of_another_length() {
        PairRow::<2>::pack(&true, &PAIR, &mut [0; 6]);
    }
}
