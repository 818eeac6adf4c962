//! What the system says about the memory of a debug-store area.

use super::{DsError, DsPart};
use bitflags::bitflags;

bitflags! {
    /// What a page is to be for the debug store. Only the system knows; it vouches for it.
    ///
    /// Source: Intel SDM volume 3B, "Setting Up the DS Save Area".
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub struct PageAttributes: u16 {
        /// Present, and kept so.
        const PRESENT = 1 << 0;
        /// Marked accessed, and kept so.
        const ACCESSED = 1 << 1;
        /// Marked dirty, and kept so.
        const DIRTY = 1 << 2;
        /// From a non-paged pool.
        const NON_PAGED = 1 << 3;
        /// In kernel space.
        const KERNEL = 1 << 4;
        /// Holds no code: writing records there would look like self-modifying code.
        const NO_CODE = 1 << 5;
        /// Mapped to the same physical address in all processes, so that a new CR3 does not move the area.
        const SAME_IN_ALL_PROCESSES = 1 << 6;
        /// Write-back memory. Recommended only.
        const WRITE_BACK = 1 << 7;
    }
}

set_format!(PageAttributes);

impl PageAttributes {
    /// All that is required: everything but write-back memory.
    pub const REQUIRED: Self = Self::all().difference(Self::WRITE_BACK);
}

/// A page of linear addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Page {
    /// Where it begins.
    pub linear: u64,
    /// Its size in bytes: 4096, or that of a large page.
    pub bytes: u64,
    /// What the system says about it.
    pub attributes: PageAttributes,
}

/// Memory for a part of the debug-store area: some of the bytes of these pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Region<'p> {
    /// Linear address of the first byte.
    pub base: u64,
    /// Number of bytes.
    pub bytes: u64,
    /// The pages, in the order of addresses.
    pub pages: &'p [Page],
}

impl Region<'_> {
    /// First address past the region, if there is one.
    #[inline]
    pub(super) const fn end(&self) -> Option<u64> {
        self.base.checked_add(self.bytes)
    }

    /// Whether the two share memory.
    #[inline]
    pub(super) const fn overlaps(&self, other: &Self) -> bool {
        self.base < other.base.saturating_add(other.bytes) && other.base < self.base.saturating_add(self.bytes)
    }

    /// Whether the pages cover the region without a gap and each has what is required.
    pub(super) fn check_pages(&self, part: DsPart) -> Result<(), DsError> {
        let end = self.base.saturating_add(self.bytes);
        let mut next = self.base;
        for page in self.pages {
            let page_end = page.linear.saturating_add(page.bytes);
            if next >= end {
                break;
            }
            if page.linear > next || page_end <= next {
                return Err(DsError::NotContiguous { part, linear: next });
            }
            let missing = PageAttributes::REQUIRED.difference(page.attributes);
            if !missing.is_empty() {
                return Err(DsError::Page { part, linear: page.linear, missing });
            }
            next = page_end;
        }
        if next < end { Err(DsError::NotContiguous { part, linear: next }) } else { Ok(()) }
    }

    /// Whether all memory of the region is write-back.
    pub(super) fn is_write_back(&self) -> bool {
        self.pages.iter().all(|page| page.attributes.contains(PageAttributes::WRITE_BACK))
    }

    /// Whether bit 20 of every address is 0.
    #[inline]
    pub(super) const fn check_a20(&self, part: DsPart) -> Result<(), DsError> {
        const BIT_20: u64 = 1 << 20;
        let first = if self.base & BIT_20 == 0 { self.base / BIT_20 * BIT_20 + BIT_20 } else { self.base };
        match self.base.checked_add(self.bytes) {
            Some(end) if first >= end => Ok(()),
            _ => Err(DsError::A20 { part, linear: first }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PART: DsPart = DsPart::Bts;
    const GOOD: Page = Page { linear: 0x1000, bytes: 0x1000, attributes: PageAttributes::all() };
    const NEXT: Page = Page { linear: 0x2000, ..GOOD };

    fn check(base: u64, bytes: u64, pages: &[Page]) -> Result<(), DsError> {
        Region { base, bytes, pages }.check_pages(PART)
    }

    // BTS-30: more than a page, contiguous
    #[test]
    fn pages_follow_each_other() {
        let gap = |linear| Err(DsError::NotContiguous { part: PART, linear });
        assert_eq!(check(0x1800, 0x1800, &[GOOD, NEXT]), Ok(()));
        assert_eq!(check(0x1800, 0x1801, &[GOOD, NEXT]), gap(0x3000));
        assert_eq!(check(0x1800, 0x1000, &[GOOD, Page { linear: 0x3000, ..GOOD }]), gap(0x2000));
        assert_eq!(check(0x1800, 0x1000, &[NEXT, GOOD]), gap(0x1800));
        assert_eq!(check(0x0FFF, 0x1000, &[GOOD]), gap(0xFFF));
        assert_eq!(check(0x1000, 1, &[]), gap(0x1000));
        assert_eq!(check(0x1000, 0x20_0000, &[Page { linear: 0, bytes: 0x40_0000, ..GOOD }]), Ok(()), "a large page");
    }

    // BTS-29, BTS-33, BTS-36: each attribute that a page of the region lacks; BTS-34: write-back is not required
    #[test]
    fn pages_have_what_is_required() {
        for attribute in PageAttributes::REQUIRED.iter() {
            let bad = Page { attributes: PageAttributes::all().difference(attribute), ..NEXT };
            let page = DsError::Page { part: PART, linear: 0x2000, missing: attribute };
            assert_eq!(check(0x1000, 0x1001, &[GOOD, bad]), Err(page));
            assert_eq!(check(0x1000, 0x1000, &[GOOD, bad]), Ok(()), "the region does not reach it");
        }
        assert_eq!(PageAttributes::REQUIRED.iter().count(), 7);
        let uncached = Page { attributes: PageAttributes::REQUIRED, ..GOOD };
        assert_eq!(check(0x1000, 0x1000, &[uncached]), Ok(()));
        assert!(!Region { base: 0x1000, bytes: 1, pages: &[uncached] }.is_write_back());
    }

    // BTS-35: bit 20 of all addresses, not only of the first
    #[test]
    fn bit_20() {
        let check = |base, bytes| Region { base, bytes, pages: &[] }.check_a20(PART);
        let bad = |linear| Err(DsError::A20 { part: PART, linear });
        assert_eq!(check(0x0000_0000, 0x10_0000), Ok(()));
        assert_eq!(check(0x0000_0000, 0x10_0001), bad(0x10_0000));
        assert_eq!(check(0x0010_0000, 1), bad(0x10_0000));
        assert_eq!(check(0x001F_FFFF, 1), bad(0x1F_FFFF));
        assert_eq!(check(0x0020_0000, 1), Ok(()));
        assert_eq!(check(0xFFFF_FFFF_FFE0_0000, 0x10_0000), Ok(()));
        assert_eq!(check(0x0020_0000, 0x20_0000), bad(0x30_0000));
    }
}
