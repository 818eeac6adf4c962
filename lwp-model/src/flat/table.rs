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
/// `each "items" for A, B (..)` is for an array of arrays: `items[0][0].count`, `items[0][1].count`, ..., `items[1][0].count`. A size
/// may be computed: `for (2 * A)`. An array with more entries than the row has is cut: `(item in pair.items[..2 * A])`.
///
/// A block with `many` in place of `each` is for an array of at most 32 entries.
///
/// A block `each "items" large [expr] (..)` is for an array of up to 32 entries, of which the first `expr` travel; they are visited in a loop.
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
///   code of no value leaves its place as it was; the error names the first such field;
/// - with `unpack`, `values(&ready, &pair, visit)`: passes the [kind of values](super::Values) of each field to `visit`, in order.
///
/// Both panic if the row does not have `WORDS` words.
///
/// A line `part branch "branch." = lane.branch` stands for the [lines of that part](crate::retire::part_lines), with the string
/// in front of each name. Tables of units that watch a part as a whole list it so.
///
/// A block with `each` may end with fields whose bits are one value: `; packed { "kind": 4, "set": 1 } = item.events.words`. The value
/// is an array of words, `[u32; _]`, that holds these fields from bit 0 of its first word without gaps. They are fields of the row as
/// any other, but they travel by the word and not one by one. From the second of their words in the row on, they leave no gaps there
/// either; other widths do not compile.
///
/// `pack` cuts off bits beyond the width of their field. With `whole` (`: unpack, whole;`) it leaves them, so that a comparison of
/// rows shows a register that holds more than it can.
macro_rules! flat_table {
    (
        $(#[$meta:meta])*
        $visibility:vis $table:ident $(<$(const $size:ident: usize),+>)? ($($value:ident: $type:ty),+ $(,)?): $($unpack:ident)? $(, $whole:ident)?;
        $(
            $($each:ident $group:literal $(for $($dim:tt),+)? ($item:ident in $array:expr) $(from $first:literal step $words:literal)?)?
            {
                $( $name:tt: $width:literal $(@ $at:tt)? = $place:expr ),+ $(,)?
                $(; packed { $( $packed_name:literal: $packed_width:literal ),+ $(,)? } = $packed:expr)?
            }
        )+
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug)]
        $visibility struct $table $(<$(const $size: usize),+>)?;

        const _: () = {
            use $crate::flat::{Field, Layout, Writer, words};

            /// Fields of the largest size.
            const CAPACITY: usize =
                0 $( + [$($width),+ $(, $($packed_width),+)?].len() * $crate::flat::flat_table!(@times $($each $group $($($dim)+)?)?) )+;

            impl $(<$(const $size: usize),+>)? $table $(<$($size),+>)? {
                /// Entries of each array of a table with one size.
                #[allow(dead_code, reason = "blocks that name their sizes do not need it")]
                const SIZE: usize = 0 $($( + $size )+)?;

                const LAYOUT: &'static Layout<CAPACITY> = &{
                    let mut layout = Layout::new();
                    $( layout.begin(); $crate::flat::flat_table!(@fields layout [$($each $group, [$(($first, $words))?] $(for $($dim)+)?)?] { $( $name: $width [$($at)?] = $place ),+ $(; packed { $( $packed_name: $packed_width ),+ } = $packed)? }); )+
                    layout
                };

                /// Every field, in order.
                $visibility const FIELDS: &'static [Field] = Self::LAYOUT.fields();

                /// Words of a row.
                $visibility const WORDS: usize = words(Self::FIELDS);

                /// Fills a row.
                #[inline(always)]
                $visibility fn pack($($value: &$type,)+ row: &mut [u32]) {
                    assert_eq!(row.len(), Self::WORDS, "words of a row");
                    let mut writer = Writer::new(row, $crate::flat::flat_table!(@cut $($whole)?), const { Self::LAYOUT.is_dense() });
                    let mut _block = 0;
                    $( writer.block(Self::LAYOUT.block(_block));
                    _block += 1;
                    $crate::flat::flat_table!(
                        @put writer [$($each $item in $array, [$(($first, $words))?] $(for $($dim)+)?)?]
                        { $( $width [$($at)?] = $place ),+ $(; packed { $( $packed_width ),+ } = $packed)? }
                    ); )+
                    writer.finish();
                }

                $crate::flat::flat_table! {
                    @unpack [$($unpack)?] $visibility ($($value: $type),+)
                    $(
                        [$($each $item in $array, [$(($first, $words))?] $(for $($dim)+)?)?]
                        { $( $width [$($at)?] = $place ),+ $(; packed { $( $packed_width ),+ } = $packed)? }
                    )+
                }
            }
        };
    };

    (@name $name:literal) => { $name };
    (@name [$prefix:literal $name:literal]) => { concat!($prefix, $name) };

    (@times) => { 1 };
    (@times many $group:literal $dim:tt) => { 32 };
    (@times each $group:literal) => { 8 };
    (@times each $group:literal $dim:tt) => { 8 };
    (@times each $group:literal $outer:tt $inner:tt) => { 64 };

    (@cut) => { true };
    (@cut whole) => { false };

    (@fields $layout:ident [] { $( $name:tt: $width:literal $at:tt = $place:expr ),+ }) => {
        $( $layout.push([$crate::flat::flat_table!(@name $name), stringify!($place)], $width, 0, &$at); )+
    };
    (@fields $layout:ident [each $group:literal, $entries:tt] $lines:tt) => {
        assert!(Self::SIZE <= 8, "at most eight entries");
        $crate::flat::flat_table!(@indices $layout [Self::SIZE] $group $entries $lines 0 1 2 3 4 5 6 7)
    };
    (@fields $layout:ident [each $group:literal, $entries:tt for $dim:tt] $lines:tt) => {
        assert!($dim <= 8, "at most eight entries");
        $crate::flat::flat_table!(@indices $layout [$dim] $group $entries $lines 0 1 2 3 4 5 6 7)
    };
    (@fields $layout:ident [many $group:literal, $entries:tt for $dim:tt] $lines:tt) => {
        assert!($dim <= 32, "at most 32 entries");
        $crate::flat::flat_table!(
            @indices $layout [$dim] $group $entries $lines
            0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
        )
    };
    (@fields $layout:ident [each $group:literal, [] for $outer:tt $inner:tt] $lines:tt) => {
        assert!($outer <= 8 && $inner <= 8, "at most eight entries");
        $crate::flat::flat_table!(@rows $layout [$outer $inner] $group $lines 0 1 2 3 4 5 6 7)
    };
    (@fields $layout:ident [$group:literal, [] large [$($size:tt)+]] $lines:tt) => {
        assert!($($size)+ <= 32, "at most 32 entries");
        $crate::flat::flat_table!(@indices $layout [$($size)+] $group [] $lines 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31)
    };
    (@indices $layout:ident [$size:expr] $group:literal $entries:tt $lines:tt $($index:literal)+) => {
        $( if $index < $size { $crate::flat::flat_table!(@entry $layout $group [$index] $entries $lines); } )+
    };
    (@rows $layout:ident [$outer:tt $inner:tt] $group:literal $lines:tt $($row:literal)+) => {
        $( if $row < $outer {
            $crate::flat::flat_table!(@columns $layout $inner $group $row $lines 0 1 2 3 4 5 6 7);
        } )+
    };
    (@columns $layout:ident $inner:tt $group:literal $row:literal $lines:tt $($column:literal)+) => {
        $( if $column < $inner { $crate::flat::flat_table!(@entry $layout $group [$row $column] [] $lines); } )+
    };
    (
        @entry $layout:ident $group:literal [$index:literal] $entries:tt {
            $( $name:tt: $width:literal $at:tt = $place:expr ),+
            $(; packed { $( $packed_name:literal: $packed_width:literal ),+ } = $packed:expr)?
        }
    ) => {
        let base = $crate::flat::base(&$entries, $index);
        $( $layout.push([concat!($group, "[", $index, "].", $crate::flat::flat_table!(@name $name)), stringify!($place)], $width, base, &$at); )+
        $($( $layout.push([concat!($group, "[", $index, "].", $packed_name), stringify!($packed)], $packed_width, 0, &[]); )+)?
    };
    (@entry $layout:ident $group:literal [$row:literal $column:literal] [] { $( $name:tt: $width:literal $at:tt = $place:expr ),+ }) => {
        $( $layout.push([concat!($group, "[", $row, "][", $column, "].", $crate::flat::flat_table!(@name $name)), stringify!($place)], $width, 0, &$at); )+
    };

    (@put $writer:ident [] { $( $width:literal $at:tt = $place:expr ),+ }) => {
        $( $writer.put($width, 0, &$at, &$place); )+
    };
    (@put $writer:ident [each $item:ident in $array:expr, $entries:tt for $outer:tt $inner:tt] $lines:tt) => {
        $crate::flat::flat_table!(@put_rows $writer $item [$array] $lines 0 1 2 3 4 5 6 7)
    };
    (@put $writer:ident [$item:ident in $array:expr, [] large [$($size:tt)+]] { $( $width:literal $at:tt = $place:expr ),+ }) => {
        for $item in $array.iter().take($($size)+) {
            $( $writer.put($width, 0, &$at, &$place); )+
        }
    };
    // Entry by entry without a loop, so that all places are constants.
    (@put $writer:ident [each $item:ident in $array:expr, $entries:tt $(for $dim:tt)?] $lines:tt) => {
        $crate::flat::flat_table!(@put_entries $writer $item [$array] $entries $lines 0 1 2 3 4 5 6 7)
    };
    (@put $writer:ident [many $item:ident in $array:expr, $entries:tt for $dim:tt] $lines:tt) => {
        $crate::flat::flat_table!(
            @put_entries $writer $item [$array] $entries $lines
            0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
        )
    };
    (@put_rows $writer:ident $item:ident [$array:expr] $lines:tt $($row:literal)+) => {
        $( if let Some(inner) = $array.get($row) {
            $crate::flat::flat_table!(@put_entries $writer $item [inner] [] $lines 0 1 2 3 4 5 6 7);
        } )+
    };
    (@put_entries $writer:ident $item:ident [$array:expr] $entries:tt $lines:tt $($index:literal)+) => {
        $( if let Some($item) = $array.get($index) {
            $crate::flat::flat_table!(@put_entry $writer [$index] $entries $lines);
        } )+
    };
    (
        @put_entry $writer:ident [$index:literal] $entries:tt {
            $( $width:literal $at:tt = $place:expr ),+ $(; packed { $( $packed_width:literal ),+ } = $packed:expr)?
        }
    ) => {
        let base = $crate::flat::base(&$entries, $index);
        $( $writer.put($width, base, &$at, &$place); )+
        $( $writer.put_packed(const { &$crate::flat::Widths::of(&[$( $packed_width ),+]) }, &$packed); )?
    };

    (@unpack [] $($rest:tt)*) => {};
    (@unpack [unpack] $visibility:vis ($($value:ident: $type:ty),+) $( [$($each:tt)*] $lines:tt )+) => {
        /// Reads a row. The error is the first field whose bits are the code of no value; its place stays as it was.
        #[inline(always)]
        $visibility fn unpack($($value: &mut $type,)+ row: &[u32]) -> Result<(), $crate::flat::NoValue> {
            assert_eq!(row.len(), Self::WORDS, "words of a row");
            let mut reader = $crate::flat::Reader::new(row);
            let mut _block = 0;
            $(
                reader.block(Self::LAYOUT.block(_block));
                _block += 1;
                $crate::flat::flat_table!(@get reader [$($each)*] $lines);
            )+
            reader.finish(Self::FIELDS)
        }

        /// Passes the kind of values of each field to `visit`, in order.
        #[allow(dead_code, reason = "only straps are set by name")]
        $visibility fn values($($value: &$type,)+ visit: &mut dyn FnMut($crate::flat::Values)) {
            let mut visitor = $crate::flat::Visitor(visit);
            $( $crate::flat::flat_table!(@put visitor [$($each)*] $lines); )+
        }
    };
    (@get $reader:ident [] { $( $width:literal $at:tt = $place:expr ),+ }) => {
        $( $reader.get($width, 0, &$at, &mut $place); )+
    };
    (@get $reader:ident [each $item:ident in $array:expr, $entries:tt for $outer:tt $inner:tt] $lines:tt) => {
        $crate::flat::flat_table!(@get_rows $reader $item [$array] $lines 0 1 2 3 4 5 6 7)
    };
    (@get $reader:ident [each $item:ident in $array:expr, $entries:tt $(for $dim:tt)?] $lines:tt) => {
        $crate::flat::flat_table!(@get_entries $reader $item [$array] $entries $lines 0 1 2 3 4 5 6 7)
    };
    (@get $reader:ident [many $item:ident in $array:expr, $entries:tt for $dim:tt] $lines:tt) => {
        $crate::flat::flat_table!(
            @get_entries $reader $item [$array] $entries $lines
            0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
        )
    };
    (@get_rows $reader:ident $item:ident [$array:expr] $lines:tt $($row:literal)+) => {
        $( if let Some(inner) = $array.get_mut($row) {
            $crate::flat::flat_table!(@get_entries $reader $item [inner] [] $lines 0 1 2 3 4 5 6 7);
        } )+
    };
    (@get_entries $reader:ident $item:ident [$array:expr] $entries:tt $lines:tt $($index:literal)+) => {
        $( if let Some($item) = $array.get_mut($index) {
            $crate::flat::flat_table!(@get_entry $reader [$index] $entries $lines);
        } )+
    };
    (
        @get_entry $reader:ident [$index:literal] $entries:tt {
            $( $width:literal $at:tt = $place:expr ),+ $(; packed { $( $packed_width:literal ),+ } = $packed:expr)?
        }
    ) => {
        let base = $crate::flat::base(&$entries, $index);
        $( $reader.get($width, base, &$at, &mut $place); )+
        $( $reader.get_packed(const { &$crate::flat::Widths::of(&[$( $packed_width ),+]) }, &mut $packed); )?
    };

    // Parts. A table is taken apart, line by line, into its head, the blocks that are done, the head of the present block and its
    // lines; each part's lines come back from `part_lines!`. What is left at the end is a table without parts.
    (@blocks [$($head:tt)*] [$($done:tt)*]) => {
        $crate::flat::flat_table! { $($head)* $($done)* }
    };
    (@blocks $head:tt $done:tt { $($lines:tt)* } $($rest:tt)*) => {
        $crate::flat::flat_table! { @lines ($head $done [] {$($rest)*}) [] $($lines)* }
    };
    (
        @blocks $head:tt $done:tt
        $each:ident $group:literal $(for $($dim:tt),+)? ($item:ident in $array:expr) $(from $first:literal step $words:literal)?
        { $($lines:tt)* } $($rest:tt)*
    ) => {
        $crate::flat::flat_table! {
            @lines ($head $done [$each $group $(for $($dim),+)? ($item in $array) $(from $first step $words)?] {$($rest)*}) [] $($lines)*
        }
    };
    (@lines $state:tt $lines:tt part $part:ident $prefix:literal = $place:expr $(, $($rest:tt)*)?) => {
        $crate::retire::part_lines! { $part $prefix $place, ($state $lines {$($($rest)*)?}) }
    };
    (
        @lines ($head:tt [$($done:tt)*] [$($each:tt)*] {$($blocks:tt)*}) [$($lines:tt)*]
        $( $name:tt: $width:literal $(@ $at:tt)? = $place:expr ),* $(,)?
    ) => {
        $crate::flat::flat_table! {
            @blocks $head
            [$($done)* $($each)* { $($lines)* $( $name: $width $(@ $at)? = $place, )* }]
            $($blocks)*
        }
    };
    (
        @lines ($head:tt [$($done:tt)*] [$($each:tt)*] {$($blocks:tt)*}) [$($lines:tt)*]
        $( $name:tt: $width:literal $(@ $at:tt)? = $place:expr ),+; packed $names:tt = $packed:expr
    ) => {
        $crate::flat::flat_table! {
            @blocks $head
            [$($done)* $($each)* { $($lines)* $( $name: $width $(@ $at)? = $place ),+; packed $names = $packed }]
            $($blocks)*
        }
    };
    (@lines $state:tt [$($lines:tt)*] $name:tt: $width:literal $(@ $at:tt)? = $place:expr, $($rest:tt)+) => {
        $crate::flat::flat_table! { @lines $state [$($lines)* $name: $width $(@ $at)? = $place,] $($rest)+ }
    };
    (@part ($state:tt [$($lines:tt)*] {$($rest:tt)*}) $( $name:tt: $width:literal = $place:expr ),+) => {
        $crate::flat::flat_table! { @lines $state [$($lines)* $( $name: $width = $place, )+] $($rest)* }
    };
    (
        $(#[$meta:meta])*
        $visibility:vis $table:ident $(<$(const $size:ident: usize),+>)? ($($value:ident: $type:ty),+ $(,)?): $($unpack:ident)? $(, $whole:ident)?;
        $($blocks:tt)+
    ) => {
        $crate::flat::flat_table! {
            @blocks [
                $(#[$meta])*
                $visibility $table $(<$(const $size: usize),+>)? ($($value: $type),+): $($unpack)? $(, $whole)?;
            ] [] $($blocks)+
        }
    };
}

pub(crate) use flat_table;

#[cfg(test)]
mod tests;
