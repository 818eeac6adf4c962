//! The list of a row's fields, made at compile time.

use super::Field;
use super::cursor::Cursor;

/// The field of this name holds the code of no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NoValue(pub(crate) &'static str);

/// Blocks of a table at most.
const BLOCKS: usize = 16;

/// Up to `N` fields, in their order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout<const N: usize> {
    fields: [Field; N],
    len: usize,
    at: Cursor,
    /// Where the blocks of the table begin: place, and index of the first field.
    blocks: [(Cursor, usize); BLOCKS],
    block: usize,
}

impl<const N: usize> Layout<N> {
    pub(crate) const fn new() -> Self {
        let none = Field { name: "", value: "", word: 0, lsb: 0, width: 1 };
        Self { fields: [none; N], len: 0, at: Cursor::START, blocks: [(Cursor::START, 0); BLOCKS], block: 0 }
    }

    /// Begins the next block.
    pub(crate) const fn begin(&mut self) {
        self.blocks[self.block] = (self.at, self.len);
        self.block += 1;
    }

    /// Returns where a block begins. The compiler does not know where a block ends whose entries are visited in a loop.
    #[inline(always)]
    pub(crate) const fn block(&self, block: usize) -> (Cursor, usize) {
        self.blocks[block]
    }

    pub(crate) const fn push(
        &mut self,
        [name, value]: [&'static str; 2],
        width: u32,
        base: usize,
        place: &[(usize, u32)],
    ) {
        let ((word, lsb), next) = self.at.seek(base, place).place(width);
        if let [given] = *place {
            assert!(word == base + given.0 && lsb == given.1, "a field reaches into another word");
        }
        self.at = next;
        self.fields[self.len] = Field { name, value, word, lsb, width };
        self.len += 1;
    }

    /// Whether the fields go through all words in order: each begins in the last word of the one before, or in the next.
    pub(crate) const fn is_dense(&self) -> bool {
        let (mut next, mut index) = (0, 0);
        while index < self.len {
            let Field { word, width, .. } = self.fields[index];
            let shares = word + 1 == next && width <= 32;
            if word != next && !shares {
                return false;
            }
            next = self.fields[index].end();
            index += 1;
        }
        self.len > 0
    }

    pub(crate) const fn fields(&self) -> &[Field] {
        self.fields.split_at(self.len).0
    }
}

#[cfg(test)]
mod tests {
    use super::Layout;

    /// A layout of fields of these widths, of which some have a place.
    fn of(fields: &[(u32, &[(usize, u32)])]) -> Layout<4> {
        let mut layout = Layout::new();
        for &(width, place) in fields {
            layout.push(["", ""], width, 0, place);
        }
        layout
    }

    #[test]
    fn fields_one_behind_the_other_are_dense() {
        assert!(of(&[(16, &[]), (16, &[]), (64, &[]), (1, &[])]).is_dense());
        // The second begins in the last word of the first.
        assert!(of(&[(40, &[]), (24, &[])]).is_dense());
    }

    #[test]
    fn a_word_that_is_left_out_or_written_again_is_not_dense() {
        assert!(!of(&[]).is_dense());
        assert!(!of(&[(16, &[(1, 0)])]).is_dense());
        assert!(!of(&[(16, &[]), (16, &[(2, 0)])]).is_dense());
        assert!(!of(&[(64, &[]), (8, &[(0, 8)])]).is_dense());
    }
}
