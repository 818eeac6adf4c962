//! Where the next field of a row lies, and going through a row from field to field.

use super::packed::Widths;
use super::{Field, NoValue, Place, Values};

/// Where the next field may begin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor {
    pub(super) word: usize,
    pub(super) lsb: u32,
}

impl Cursor {
    pub(crate) const START: Self = Self { word: 0, lsb: 0 };

    /// Continues at `place`, a word behind `base` and a bit, if there is one.
    #[inline(always)]
    pub(crate) const fn seek(self, base: usize, place: &[(usize, u32)]) -> Self {
        match *place {
            [(word, lsb)] => Self { word: base + word, lsb },
            _ => self,
        }
    }

    /// Word and lowest bit of a field of this width, and where the next one may begin.
    #[inline(always)]
    pub(crate) const fn place(self, width: u32) -> ((usize, u32), Self) {
        assert!(width >= 1 && width <= 64, "1 to 64 bits");
        let fits = width <= 32 && self.lsb + width <= 32;
        let (word, lsb) = if fits || self.lsb == 0 { (self.word, self.lsb) } else { (self.word + 1, 0) };
        let end = lsb + width;
        ((word, lsb), Self { word: word + (end / 32) as usize, lsb: end % 32 })
    }
}

/// The word from which the places of an array's entry count: entries begin at a word, so many words apart, if that is given.
#[inline(always)]
pub(crate) const fn base(entries: &[(usize, usize)], index: usize) -> usize {
    match *entries {
        [(first, words)] => first + words * index,
        _ => 0,
    }
}

/// Fills a row, field by field.
#[derive(Debug)]
pub(crate) struct Writer<'a> {
    row: &'a mut [u32],
    at: Cursor,
    /// Whether bits beyond the width of their field are cut off.
    cut: bool,
    /// Whether words are written once, in their order: the row is [dense](super::Layout::is_dense). Otherwise they are collected in
    /// the row.
    dense: bool,
    /// The present word of a dense row, and its place.
    bits: u32,
    word: usize,
}

impl<'a> Writer<'a> {
    #[inline(always)]
    pub(crate) fn new(row: &'a mut [u32], cut: bool, dense: bool) -> Self {
        if !dense {
            row.fill(0);
        }
        Self { row, at: Cursor::START, cut, dense, bits: 0, word: 0 }
    }

    #[inline(always)]
    pub(crate) fn put<T: Place>(&mut self, width: u32, base: usize, place: &[(usize, u32)], value: &T) {
        let ((word, lsb), next) = self.at.seek(base, place).place(width);
        self.at = next;
        let bits = if self.cut { value.bits() & u64::MAX >> (64 - width) } else { value.bits() };
        let (low, high) = ((bits as u32) << lsb, (bits >> 32) as u32);
        if self.dense {
            self.begin(word);
            self.bits |= low;
            if width > 32 {
                self.begin(word + 1);
                self.bits = high;
            }
        } else if width > 32 {
            self.row[word] = low;
            self.row[word + 1] = high;
        } else {
            self.row[word] |= low;
        }
    }

    /// Writes fields that are the bits of one value.
    #[inline(always)]
    pub(crate) fn put_packed<const N: usize>(&mut self, widths: &Widths, words: &[u32; N]) {
        let place = widths.place(self.at);
        self.at = place.next();
        for at in 0..place.words() {
            let (word, bits) = (place.word() + at, place.bits_in(words, at));
            if self.dense {
                self.begin(word);
                self.bits |= bits;
            } else {
                self.row[word] |= bits;
            }
        }
    }

    /// Goes on where a block begins.
    #[inline(always)]
    pub(crate) fn block(&mut self, (at, _): (Cursor, usize)) {
        self.at = at;
    }

    /// Writes the present word of a dense row if it is another one.
    #[inline(always)]
    fn begin(&mut self, word: usize) {
        if word != self.word {
            self.row[self.word] = self.bits;
            (self.word, self.bits) = (word, 0);
        }
    }

    /// Writes the last word.
    #[inline(always)]
    pub(crate) fn finish(self) {
        if self.dense {
            self.row[self.word] = self.bits;
        }
    }
}

/// Passes the kind of values of each field of a row on, in order.
pub(crate) struct Visitor<'a>(pub(crate) &'a mut dyn FnMut(Values));

impl Visitor<'_> {
    pub(crate) fn put<T: Place>(&mut self, _width: u32, _base: usize, _place: &[(usize, u32)], _value: &T) {
        (self.0)(T::VALUES);
    }

    pub(crate) fn put_packed<const N: usize>(&mut self, widths: &Widths, _words: &[u32; N]) {
        for width in widths.widths() {
            (self.0)(if *width == 1 { Values::Flag } else { Values::Number });
        }
    }
}

/// Reads a row, field by field.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    row: &'a [u32],
    at: Cursor,
    /// Fields read.
    index: usize,
    /// The first that holds the code of no value.
    wrong: Option<usize>,
}

impl<'a> Reader<'a> {
    #[inline(always)]
    pub(crate) const fn new(row: &'a [u32]) -> Self {
        Self { row, at: Cursor::START, index: 0, wrong: None }
    }

    /// Goes on where a block begins.
    #[inline(always)]
    pub(crate) const fn block(&mut self, (at, index): (Cursor, usize)) {
        (self.at, self.index) = (at, index);
    }

    /// Reads the next field. If its bits are the code of no value, `value` stays as it is.
    #[inline(always)]
    pub(crate) fn get<T: Place>(&mut self, width: u32, base: usize, place: &[(usize, u32)], value: &mut T) {
        let ((word, lsb), next) = self.at.seek(base, place).place(width);
        self.at = next;
        let low = u64::from(self.row[word] >> lsb);
        let wide = if width > 32 { u64::from(self.row[word + 1]) << 32 | low } else { low };
        match T::from_bits(wide & u64::MAX >> (64 - width)) {
            Some(read) => *value = read,
            None => self.wrong = self.wrong.or(Some(self.index)),
        }
        self.index += 1;
    }

    /// Reads fields that are the bits of one value. Each code has a value.
    #[inline(always)]
    pub(crate) fn get_packed<const N: usize>(&mut self, widths: &Widths, words: &mut [u32; N]) {
        let place = widths.place(self.at);
        self.at = place.next();
        self.index += widths.widths().len();
        place.read(self.row, words);
    }

    /// Whether every field held a value; the first that did not.
    #[inline(always)]
    pub(crate) const fn finish(self, fields: &[Field]) -> Result<(), NoValue> {
        match self.wrong {
            None => Ok(()),
            Some(index) => Err(NoValue(fields[index].name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // By hand: 4 bits; 28 fill the word; 30 leave 2, into which 3 do not fit; 33 begin a word and leave 31; 31 fill it.
    #[test]
    fn the_layout() {
        let mut at = Cursor::START;
        let places = [4, 28, 30, 3, 33, 31, 64, 1, 64, 32].map(|width| {
            let (place, next) = at.place(width);
            at = next;
            place
        });
        let expected = [(0, 0), (0, 4), (1, 0), (2, 0), (3, 0), (4, 1), (5, 0), (7, 0), (8, 0), (10, 0)];
        assert_eq!(places, expected);
        assert_eq!((at.word, at.lsb), (11, 0));
    }

    /// A field in which 3 is the code of no value.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Few(u64);

    impl Place for Few {
        fn bits(self) -> u64 {
            self.0
        }

        fn from_bits(bits: u64) -> Option<Self> {
            (bits != 3).then_some(Self(bits))
        }
    }

    // By hand: 2 and 2 bits of one value, then 2 bits with a code of no value: it is the third field that has none.
    #[test]
    fn a_field_behind_a_packed_value_is_named() {
        const PAIR: Widths = Widths::of(&[2, 2]);
        let fields = [("a", 0), ("b", 2), ("c", 4), ("d", 6)].map(|(name, lsb)| Field {
            name,
            value: "",
            word: 0,
            lsb,
            width: 2,
        });
        let read = |row: u32| {
            let row = [row];
            let (mut reader, mut pair, mut last) = (Reader::new(&row), [0], Few(0));
            reader.get_packed(&PAIR, &mut pair);
            reader.get(2, 0, &[], &mut last);
            reader.finish(&fields).map(|()| (pair[0], last))
        };
        assert_eq!(read(0b10_1001), Ok((0b1001, Few(2))));
        assert_eq!(read(0b11_1001), Err(NoValue("c")));
    }

    // By hand: 4 bits, then 2 and 2 bits of one value, in a row that is not dense and one that is.
    #[test]
    fn a_packed_value_is_put_behind_a_field() {
        const PAIR: Widths = Widths::of(&[2, 2]);
        for dense in [false, true] {
            let mut row = [u32::MAX];
            let mut writer = Writer::new(&mut row, false, dense);
            writer.put(4, 0, &[], &Few(0b0101));
            writer.put_packed(&PAIR, &[0b1001]);
            writer.finish();
            assert_eq!(row, [0b1001_0101]);
        }
    }

    // By hand: a block begins at bit 8 of word 1 with the fifth field.
    #[test]
    fn a_block_begins_where_it_is_said() {
        const BLOCK: (Cursor, usize) = (Cursor { word: 1, lsb: 8 }, 4);
        let mut row = [0; 2];
        let mut writer = Writer::new(&mut row, false, false);
        writer.block(BLOCK);
        writer.put(2, 0, &[], &Few(2));
        writer.finish();
        assert_eq!(row, [0, 0x200]);
        let fields = ["a", "b", "c", "d", "e"].map(|name| Field { name, value: "", word: 0, lsb: 0, width: 2 });
        let read = |row: &[u32]| {
            let (mut reader, mut value) = (Reader::new(row), Few(0));
            reader.block(BLOCK);
            reader.get(2, 0, &[], &mut value);
            reader.finish(&fields).map(|()| value)
        };
        assert_eq!(read(&[0, 0x200]), Ok(Few(2)));
        assert_eq!(read(&[0, 0x300]), Err(NoValue("e")));
    }
}
