//! Memory of the profiled process: sparse pages that read as zero until they are written.

use std::collections::HashMap;
use std::fmt;

const PAGE: usize = 4096;
/// Recently used pages that are found without a search. The control block and the end of the ring need two.
const RECENT: usize = 16;

type Page = Box<[u8; PAGE]>;

/// Memory of 2^64 bytes, of which only the written pages are allocated.
pub struct GuestMemory {
    pages: Vec<Page>,
    places: HashMap<u64, u32>,
    /// Page number and index in `pages`, by the low bits of the number.
    recent: [Option<(u64, u32)>; RECENT],
}

impl GuestMemory {
    /// Returns memory that is all zero.
    #[must_use]
    pub fn new() -> Self {
        Self { pages: Vec::new(), places: HashMap::new(), recent: [None; RECENT] }
    }

    /// Returns the aligned 8 bytes at `address`, whose low 3 bits are ignored.
    #[inline]
    pub fn read_u64(&mut self, address: u64) -> u64 {
        let (number, offset) = split(address);
        match self.find(number) {
            Some(place) => word(&self.pages[place], offset),
            None => 0,
        }
    }

    /// Writes those of the aligned 8 bytes at `address` whose bit in `enables` is set.
    #[inline]
    pub fn write_u64(&mut self, address: u64, enables: u8, data: u64) {
        let mask = byte_mask(enables);
        let (number, offset) = split(address);
        let place = self.find(number).unwrap_or_else(|| self.make(number));
        let page = &mut self.pages[place];
        let new = word(page, offset) & !mask | data & mask;
        page[offset..offset + 8].copy_from_slice(&new.to_le_bytes());
    }

    /// Reads as many bytes as `into` has, from `address` on. Addresses wrap at the end of the address space.
    pub fn read(&self, address: u64, into: &mut [u8]) {
        let mut at = address;
        let mut rest = into;
        while !rest.is_empty() {
            let offset = at as usize % PAGE;
            let (part, behind) = rest.split_at_mut(rest.len().min(PAGE - offset));
            match self.places.get(&(at / PAGE as u64)) {
                Some(&place) => part.copy_from_slice(&self.pages[place as usize][offset..offset + part.len()]),
                None => part.fill(0),
            }
            at = at.wrapping_add(part.len() as u64);
            rest = behind;
        }
    }

    /// Writes bytes from `address` on. Addresses wrap at the end of the address space.
    pub fn write(&mut self, address: u64, bytes: &[u8]) {
        let mut at = address;
        let mut rest = bytes;
        while !rest.is_empty() {
            let offset = at as usize % PAGE;
            let (part, behind) = rest.split_at(rest.len().min(PAGE - offset));
            let number = at / PAGE as u64;
            let place = self.find(number).unwrap_or_else(|| self.make(number));
            self.pages[place][offset..offset + part.len()].copy_from_slice(part);
            at = at.wrapping_add(part.len() as u64);
            rest = behind;
        }
    }

    #[inline]
    fn find(&mut self, number: u64) -> Option<usize> {
        let slot = number as usize % RECENT;
        match self.recent[slot] {
            Some((known, place)) if known == number => Some(place as usize),
            _ => self.search(number),
        }
    }

    #[cold]
    fn search(&mut self, number: u64) -> Option<usize> {
        let place = *self.places.get(&number)?;
        self.recent[number as usize % RECENT] = Some((number, place));
        Some(place as usize)
    }

    #[cold]
    fn make(&mut self, number: u64) -> usize {
        let place = self.pages.len();
        self.pages.push(Box::new([0; PAGE]));
        self.places.insert(number, place as u32);
        place
    }
}

impl Default for GuestMemory {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for GuestMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GuestMemory").field("pages", &self.pages.len()).finish_non_exhaustive()
    }
}

/// Returns the page number, and the offset of the aligned 8 bytes in the page.
#[inline]
const fn split(address: u64) -> (u64, usize) {
    (address / PAGE as u64, (address as usize % PAGE) & !7)
}

/// Returns the 8 bytes at an aligned offset.
#[inline]
fn word(page: &Page, offset: usize) -> u64 {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&page[offset..offset + 8]);
    u64::from_le_bytes(bytes)
}

/// Returns a mask with all bits of the enabled bytes.
#[inline]
const fn byte_mask(enables: u8) -> u64 {
    // Each enable becomes bit 0 of its byte, and each such bit fills its byte.
    let spread = (enables as u64).wrapping_mul(0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    let ones = (spread.wrapping_add(0x7F7F_7F7F_7F7F_7F7F) | spread) >> 7 & 0x0101_0101_0101_0101;
    ones.wrapping_mul(0xFF)
}

#[cfg(test)]
mod tests {
    use super::{GuestMemory, byte_mask};

    #[test]
    fn enables_become_masks() {
        for enables in 0..=255u8 {
            let slow =
                (0..8).filter(|byte| enables >> byte & 1 == 1).fold(0, |mask, byte| mask | 0xFFu64 << (8 * byte));
            assert_eq!(byte_mask(enables), slow, "{enables:#x}");
        }
    }

    #[test]
    fn only_enabled_bytes_are_written() {
        let mut memory = GuestMemory::new();
        memory.write_u64(0x1000, 0xFF, 0x1111_1111_1111_1111);
        memory.write_u64(0x1000, 0xF0, 0x2222_2222_2222_2222);
        memory.write_u64(0x1000, 0x01, 0x33);
        assert_eq!(memory.read_u64(0x1000), 0x2222_2222_1111_1133);
        assert_eq!(memory.read_u64(0x1008), 0);
        assert_eq!(memory.read_u64(0x1007), 0x2222_2222_1111_1133, "the low bits of an address are ignored");
    }

    #[test]
    fn untouched_memory_is_zero_and_stays_unmade() {
        let mut memory = GuestMemory::new();
        assert_eq!(memory.read_u64(0xFFFF_FFFF_FFFF_FFF8), 0);
        assert!(memory.pages.is_empty());
    }

    #[test]
    fn bytes_cross_pages_and_the_end_of_the_address_space() {
        let mut memory = GuestMemory::new();
        let bytes: Vec<u8> = (0..=255).collect();
        for address in [0x1FF0u64, u64::MAX - 9] {
            memory.write(address, &bytes);
            let mut back = [0; 256];
            memory.read(address, &mut back);
            assert_eq!(back[..], bytes[..]);
        }
        assert_eq!(memory.read_u64(0), 0x1110_0F0E_0D0C_0B0A);
    }

    #[test]
    fn pages_with_the_same_place_among_the_recent_are_kept_apart() {
        let mut memory = GuestMemory::new();
        for page in 0..64u64 {
            memory.write_u64(page << 16, 0xFF, page);
        }
        assert!((0..64u64).all(|page| memory.read_u64(page << 16) == page));
    }
}
