//! What a way of a set holds.

/// A way of the L3 cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct L3Line {
    /// Whether the way holds a line. The next four fields are 0 otherwise.
    pub valid: bool,
    /// Whether the line was written here, or came back written from the L2 cache, and memory was not.
    pub dirty: bool,
    /// Whether the access that filled the line fetched code.
    pub code: bool,
    /// RMID of the access that filled the line.
    pub rmid: u8,
    /// Address of the line, in lines.
    pub line: u64,
    /// How many ways of the set were used later.
    pub age: u8,
}

/// A way of the L2 cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct L2Line {
    /// Whether the way holds a line. The next two fields are 0 otherwise.
    pub valid: bool,
    /// Whether the line was written and the L3 cache was not.
    pub dirty: bool,
    /// Address of the line, in lines.
    pub line: u64,
    /// How many ways of the set were used later.
    pub age: u8,
}

/// The ways of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<L, const WAYS: usize> {
    /// Each way.
    pub line: [L; WAYS],
}

impl<L: Copy + Default, const WAYS: usize> Default for Word<L, WAYS> {
    #[inline]
    fn default() -> Self {
        Self { line: [L::default(); WAYS] }
    }
}

/// What both caches have in a way.
pub(super) trait Tag: Copy + Default + PartialEq {
    /// Whether the way holds a line.
    fn valid(&self) -> bool;
    /// Address of the line.
    fn line(&self) -> u64;
    /// How many ways of the set were used later.
    fn age(&self) -> u8;
    /// Changes the age.
    fn set_age(&mut self, age: u8);
}

macro_rules! tag {
    ($($line:ty)+) => {
        $(impl Tag for $line {
            #[inline]
            fn valid(&self) -> bool {
                self.valid
            }

            #[inline]
            fn line(&self) -> u64 {
                self.line
            }

            #[inline]
            fn age(&self) -> u8 {
                self.age
            }

            #[inline]
            fn set_age(&mut self, age: u8) {
                self.age = age;
            }
        })+
    };
}

tag!(L3Line L2Line);
