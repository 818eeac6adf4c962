//! Numbers of registers as data that tests can walk over.

/// Processors whose registers have their numbers from one list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Family {
    /// Intel P6 family. Its numbers live on in the architectural ones.
    P6,
    /// Intel, architectural or in the named models.
    Intel,
    /// AMD.
    Amd,
}

/// The numbers of one register or of an array of registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct MsrNumbers {
    /// Name in the manual; of an array, with `x` or `n` for the index.
    pub name: &'static str,
    /// Whose number it is.
    pub family: Family,
    /// Number of the register, or of the first of the array.
    pub first: u32,
    /// How many registers there are at most, one after the other.
    pub count: u32,
}

impl MsrNumbers {
    /// One register.
    #[must_use]
    #[inline]
    pub const fn one(name: &'static str, family: Family, number: u32) -> Self {
        Self { name, family, first: number, count: 1 }
    }

    /// An array of registers.
    #[must_use]
    #[inline]
    pub const fn array(name: &'static str, family: Family, first: u32, count: u32) -> Self {
        Self { name, family, first, count }
    }

    /// Whether the two have a number of the same family in common.
    #[must_use]
    #[inline]
    pub const fn overlaps(&self, other: &Self) -> bool {
        self.family as u8 == other.family as u8
            && self.first < other.first + other.count
            && other.first < self.first + self.count
    }
}
