//! Address ranges, and the pairs of breakpoint registers that cover them.

use super::{Dbr, DbrMask, Ibr, IbrMask, Plm};
use crate::bits::U56;
use core::fmt;

/// An aligned block of 2^n bytes: what one pair of breakpoint registers covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Block {
    addr: u64,
    bits: u8,
}

/// Why one pair of breakpoint registers cannot cover a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum BlockError {
    /// The block has more than 2^56 bytes: bits 63:56 of an address are always compared.
    TooLarge,
    /// The address is not a multiple of the size.
    Unaligned {
        /// The largest aligned address below it.
        below: u64,
    },
    /// The block is smaller than a bundle, whose bytes no pair of IBRs tells apart.
    WithinBundle,
}

impl fmt::Display for BlockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge => f.write_str("a block has at most 2^56 bytes, as bits 63:56 are always compared"),
            Self::Unaligned { below } => {
                write!(f, "the address is not a multiple of the block's size; the block around it begins at {below:#x}")
            }
            Self::WithinBundle => f.write_str("an instruction address range consists of whole bundles of 16 bytes"),
        }
    }
}

impl core::error::Error for BlockError {}

impl Block {
    /// Largest exponent of a block's size.
    pub const MAX_BITS: u8 = 56;

    /// The block of 2^`bits` bytes that begins at `addr`.
    ///
    /// # Errors
    ///
    /// [`BlockError::TooLarge`] above 2^56 bytes, [`BlockError::Unaligned`] if `addr` is not a multiple of the size.
    #[inline]
    pub const fn new(addr: u64, bits: u8) -> Result<Self, BlockError> {
        if bits > Self::MAX_BITS {
            return Err(BlockError::TooLarge);
        }
        let block = Self { addr, bits };
        if addr & block.inner() != 0 {
            return Err(BlockError::Unaligned { below: addr & !block.inner() });
        }
        Ok(block)
    }

    /// The first address.
    #[must_use]
    #[inline]
    pub const fn first(self) -> u64 {
        self.addr
    }

    /// The last address.
    #[must_use]
    #[inline]
    pub const fn last(self) -> u64 {
        self.addr | self.inner()
    }

    /// The bits of an address that differ within the block.
    #[inline]
    const fn inner(self) -> u64 {
        (1 << self.bits) - 1
    }

    #[inline]
    const fn mask(self) -> U56 {
        U56::masked(!self.inner())
    }

    /// The instruction breakpoint registers whose range is the block, at these levels.
    ///
    /// # Errors
    ///
    /// [`BlockError::WithinBundle`] if the block has less than 16 bytes.
    #[inline]
    pub const fn ibr(self, plm: Plm) -> Result<Ibr, BlockError> {
        if self.inner() < Ibr::IN_BUNDLE {
            return Err(BlockError::WithinBundle);
        }
        Ok(Ibr { addr: self.addr, mask: IbrMask::new().with_mask(self.mask()).with_plm(plm) })
    }

    /// The data breakpoint registers whose range is the block, at these levels.
    #[must_use]
    #[inline]
    pub const fn dbr(self, plm: Plm) -> Dbr {
        Dbr { addr: self.addr, mask: DbrMask::new().with_mask(self.mask()).with_plm(plm) }
    }
}

/// A range of addresses, the last one included.
///
/// ```
/// use lwp_regs::itanium::AddressRange;
///
/// let function = AddressRange::new(0x4000_0FF0, 0x4000_201F).unwrap();
/// let blocks: Vec<_> = function.cover()?.iter().map(|block| (block.first(), block.last())).collect();
/// assert_eq!(blocks, [(0x4000_0FF0, 0x4000_0FFF), (0x4000_1000, 0x4000_1FFF), (0x4000_2000, 0x4000_201F)]);
/// # Ok::<(), lwp_regs::itanium::Uncovered>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct AddressRange {
    first: u64,
    last: u64,
}

/// The part of a range, at its end, that four blocks do not cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Uncovered {
    /// The first address that is not covered.
    pub first: u64,
    /// The last address of the range.
    pub last: u64,
}

impl fmt::Display for Uncovered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first, last } = self;
        write!(
            f,
            "four aligned blocks do not cover {first:#x} to {last:#x}; widen or shorten the range to rounder ends"
        )
    }
}

impl core::error::Error for Uncovered {}

/// Up to four blocks that are a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Cover([Option<Block>; 4]);

impl Cover {
    /// The blocks, from the lowest address upwards.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Block> {
        self.0.into_iter().flatten()
    }
}

impl AddressRange {
    /// The range, or `None` if `last` is below `first`.
    #[must_use]
    #[inline]
    pub const fn new(first: u64, last: u64) -> Option<Self> {
        if first <= last { Some(Self { first, last }) } else { None }
    }

    /// The first address.
    #[must_use]
    #[inline]
    pub const fn first(self) -> u64 {
        self.first
    }

    /// The last address.
    #[must_use]
    #[inline]
    pub const fn last(self) -> u64 {
        self.last
    }

    /// The range, widened to whole bundles.
    #[must_use]
    #[inline]
    pub const fn to_bundles(self) -> Self {
        Self { first: self.first & !Ibr::IN_BUNDLE, last: self.last | Ibr::IN_BUNDLE }
    }

    /// Aligned blocks that together are the range, each as large as it can be; at most four.
    ///
    /// # Errors
    ///
    /// [`Uncovered`]: what the first four leave.
    pub const fn cover(self) -> Result<Cover, Uncovered> {
        let (mut blocks, mut next, mut first) = ([None; 4], 0, self.first);
        while next < 4 {
            let block = Self { first, last: self.last }.largest();
            blocks[next] = Some(block);
            next += 1;
            if block.last() == self.last {
                return Ok(Cover(blocks));
            }
            first = block.last() + 1;
        }
        Err(Uncovered { first, last: self.last })
    }

    /// The largest block that begins where the range begins.
    const fn largest(self) -> Block {
        let mut bits = self.first.trailing_zeros() as u8;
        if bits > Block::MAX_BITS {
            bits = Block::MAX_BITS;
        }
        while (Block { addr: self.first, bits }).last() > self.last {
            bits -= 1;
        }
        Block { addr: self.first, bits }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::ToString;
    use std::vec::Vec;

    fn cover(first: u64, last: u64) -> Result<Vec<(u64, u64)>, Uncovered> {
        let range = AddressRange::new(first, last).unwrap();
        Ok(range.cover()?.iter().map(|block| (block.first(), block.last())).collect())
    }

    #[test]
    fn one_block() {
        assert_eq!(Block::new(0x1008, 4), Err(BlockError::Unaligned { below: 0x1000 }));
        assert_eq!(Block::new(0, 57), Err(BlockError::TooLarge));
        assert!(Block::new(0x1008, 4).unwrap_err().to_string().ends_with("begins at 0x1000"));
        let block = Block::new(0x1000, 4).unwrap();
        let ibr = block.ibr(Plm::USER).unwrap();
        assert_eq!((ibr.addr, ibr.mask.into_bits()), (0x1000, 0x08FF_FFFF_FFFF_FFF0));
        assert_eq!(block.dbr(Plm::all()).mask.into_bits(), 0x0FFF_FFFF_FFFF_FFF0);
        assert_eq!(Block::new(0x1000, 3).unwrap().ibr(Plm::USER), Err(BlockError::WithinBundle));
        assert_eq!(Block::new(0x1001, 0).unwrap().dbr(Plm::USER).mask.into_bits(), 0x08FF_FFFF_FFFF_FFFF);
        let region = Block::new(0x0700_0000_0000_0000, 56).unwrap();
        assert_eq!(
            (region.last(), region.dbr(Plm::USER).mask.into_bits()),
            (0x07FF_FFFF_FFFF_FFFF, 0x0800_0000_0000_0000)
        );
    }

    // both ends hit, and the addresses around them do not
    #[test]
    fn a_block_is_the_range_of_its_pair() {
        for bits in 4..=56 {
            let block = Block::new(0x0100_0000_0000_0000, bits).unwrap();
            let (ibr, dbr) = (block.ibr(Plm::USER).unwrap(), block.dbr(Plm::USER));
            for (addr, inside) in
                [(block.first() - 1, false), (block.first(), true), (block.last(), true), (block.last() + 1, false)]
            {
                assert_eq!((ibr.hits(addr, 3), dbr.hits(addr, 3)), (inside, inside), "{addr:#x}");
            }
        }
    }

    #[test]
    fn ranges() {
        assert_eq!(AddressRange::new(2, 1), None);
        assert_eq!(cover(0x1000, 0x1FFF).unwrap(), [(0x1000, 0x1FFF)]);
        assert_eq!(cover(5, 5).unwrap(), [(5, 5)]);
        assert_eq!(cover(1, 6).unwrap(), [(1, 1), (2, 3), (4, 5), (6, 6)]);
        assert_eq!(cover(1, 14), Err(Uncovered { first: 12, last: 14 }));
        assert_eq!(cover(u64::MAX, u64::MAX).unwrap(), [(u64::MAX, u64::MAX)]);
        let region = 1u64 << 56;
        assert_eq!(cover(0, 2 * region - 1).unwrap(), [(0, region - 1), (region, 2 * region - 1)]);
        assert_eq!(cover(0, u64::MAX), Err(Uncovered { first: 4 * region, last: u64::MAX }));
        assert!(cover(1, 14).unwrap_err().to_string().starts_with("four aligned blocks do not cover 0xc to 0xe"));
        let bundles = AddressRange::new(0x1008, 0x1010).unwrap().to_bundles();
        assert_eq!((bundles.first(), bundles.last()), (0x1000, 0x101F));
    }

    // every range of 64 addresses: the blocks follow each other from end to end, whatever the error leaves
    #[test]
    fn all_small_ranges() {
        for first in 0..64 {
            for last in first..64 {
                let (blocks, end) = match cover(first, last) {
                    Ok(blocks) => (blocks, last + 1),
                    Err(rest) => {
                        assert_eq!(rest.last, last);
                        (cover(first, rest.first - 1).unwrap(), rest.first)
                    }
                };
                let next = blocks.iter().fold(first, |next, block| {
                    assert_eq!(block.0, next);
                    block.1 + 1
                });
                assert_eq!(next, end);
            }
        }
    }
}
