//! The memory of this program as a unit's memory, for machines that drivers run on.

use lwp_model::retire::{MemCmd, MemRequest};
use std::ops::Range;
use std::ptr::with_exposed_provenance_mut;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};

/// The mapped linear addresses: those of this program's own memory that the test has named.
///
/// Accesses are atomic, and no larger than the unit requests: the software side of a control block writes its tail
/// next to the head that the unit writes, perhaps from another thread. A write releases and a read acquires, so that
/// software that sees the head also sees the records before it.
#[derive(Debug, Default)]
pub(crate) struct HostMemory {
    regions: Vec<Range<u64>>,
}

impl HostMemory {
    /// Maps a region.
    ///
    /// # Safety
    ///
    /// From now until the region is [unmapped](Self::unmap) or `self` is dropped, its bytes are valid for reads and
    /// writes, their provenance has been exposed, and all other accesses to them are volatile or atomic, or happen
    /// while the unit does not run.
    pub(crate) unsafe fn map(&mut self, region: Range<u64>) {
        self.regions.push(region);
    }

    /// Removes the region that was mapped with the same bounds.
    pub(crate) fn unmap(&mut self, region: &Range<u64>) {
        self.regions.retain(|mapped| mapped != region);
    }

    /// Makes the access that the unit requests and returns the bytes read, in their byte lanes; `None` if one of the
    /// bytes is not mapped: then nothing has been accessed.
    pub(crate) fn access(&mut self, request: &MemRequest) -> Option<u64> {
        let first = request.addr.checked_add(u64::from(request.be.trailing_zeros()))?;
        let last = request.addr.checked_add(7_u64.saturating_sub(u64::from(request.be.leading_zeros())))?;
        // Regions may touch, but the unit requests at most 8 aligned bytes, and no region of a session ends within
        // them.
        if !self.regions.iter().any(|region| region.contains(&first) && region.contains(&last)) {
            return None;
        }
        match request.cmd {
            // SAFETY: the bytes are mapped, as just checked.
            MemCmd::Read => Some(unsafe { read(request.addr, request.be) }),
            MemCmd::Write => {
                // SAFETY: as above.
                unsafe { write(request.addr, request.be, request.wdata) };
                Some(0)
            }
            MemCmd::Probe | MemCmd::Unused3 => Some(0),
        }
    }
}

/// Reads the bytes of `enables` among the 8 at `address`; the others are 0.
///
/// # Safety
///
/// The bytes are valid, by the contract of [`HostMemory::map`], and `address` is a multiple of 8.
unsafe fn read(address: u64, enables: u8) -> u64 {
    match enables {
        // SAFETY: the caller upholds the same conditions, here and below.
        0xFF => u64::from_le(unsafe { cell64(address) }.load(Ordering::Acquire)),
        // SAFETY: see above.
        0x0F => u64::from(u32::from_le(unsafe { cell32(address) }.load(Ordering::Acquire))),
        // SAFETY: see above.
        0xF0 => u64::from(u32::from_le(unsafe { cell32(address + 4) }.load(Ordering::Acquire))) << 32,
        _ => bytes(enables).fold(0, |word, byte| {
            // SAFETY: see above.
            let cell = unsafe { cell8(address + byte) };
            word | u64::from(cell.load(Ordering::Acquire)) << (8 * byte)
        }),
    }
}

/// Writes the bytes of `enables` among the 8 at `address`.
///
/// # Safety
///
/// As for [`read`].
unsafe fn write(address: u64, enables: u8, data: u64) {
    match enables {
        // SAFETY: the caller upholds the same conditions, here and below.
        0xFF => unsafe { cell64(address) }.store(data.to_le(), Ordering::Release),
        // SAFETY: see above.
        0x0F => unsafe { cell32(address) }.store((data as u32).to_le(), Ordering::Release),
        // SAFETY: see above.
        0xF0 => unsafe { cell32(address + 4) }.store(((data >> 32) as u32).to_le(), Ordering::Release),
        _ => bytes(enables).for_each(|byte| {
            // SAFETY: see above.
            unsafe { cell8(address + byte) }.store((data >> (8 * byte)) as u8, Ordering::Release);
        }),
    }
}

fn bytes(enables: u8) -> impl Iterator<Item = u64> {
    (0..8).filter(move |byte| enables >> byte & 1 == 1)
}

/// Returns the eight bytes at `address` as a cell.
///
/// # Safety
///
/// There are 8 valid bytes at `address`, a multiple of 8, as long as the cell is used.
unsafe fn cell64<'a>(address: u64) -> &'a AtomicU64 {
    // SAFETY: the caller upholds the same conditions.
    unsafe { AtomicU64::from_ptr(with_exposed_provenance_mut(address as usize)) }
}

/// Returns the four bytes at `address` as a cell.
///
/// # Safety
///
/// There are 4 valid bytes at `address`, a multiple of 4, as long as the cell is used.
unsafe fn cell32<'a>(address: u64) -> &'a AtomicU32 {
    // SAFETY: the caller upholds the same conditions.
    unsafe { AtomicU32::from_ptr(with_exposed_provenance_mut(address as usize)) }
}

/// Returns the byte at `address` as a cell.
///
/// # Safety
///
/// There is a valid byte at `address` as long as the cell is used.
unsafe fn cell8<'a>(address: u64) -> &'a AtomicU8 {
    // SAFETY: the caller upholds the same conditions.
    unsafe { AtomicU8::from_ptr(with_exposed_provenance_mut(address as usize)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::UnsafeCell;

    /// Sixteen bytes at an address that the unit can name.
    #[repr(align(8))]
    struct Memory(UnsafeCell<[u8; 16]>);

    fn request(cmd: MemCmd, addr: u64, be: u8) -> MemRequest {
        MemRequest { req: true, cmd, be, addr, wdata: 0x8877_6655_4433_2211 }
    }

    /// Returns the first 8 bytes of memory that held 0xEE, after a write with these enables.
    fn written(enables: u8) -> [u8; 8] {
        let memory = Memory(UnsafeCell::new([0xEE; 16]));
        let at = memory.0.get().expose_provenance() as u64;
        let mut host = HostMemory::default();
        // SAFETY: the memory outlives `host`, and is read again only after the accesses.
        unsafe { host.map(at..at + 16) };
        assert_eq!(host.access(&request(MemCmd::Write, at, enables)), Some(0));
        let read = host.access(&request(MemCmd::Read, at, enables)).unwrap();
        assert_eq!(host.access(&request(MemCmd::Probe, at, 0xFF)), Some(0), "writes nothing");
        let bytes = memory.0.into_inner();
        let seen = u64::from_le_bytes(std::array::from_fn(|i| if enables >> i & 1 == 1 { bytes[i] } else { 0 }));
        assert_eq!(read, seen, "{enables:#x}");
        assert_eq!(bytes[8..], [0xEE; 8]);
        std::array::from_fn(|i| bytes[i])
    }

    #[test]
    fn only_enabled_bytes_are_written() {
        assert_eq!(written(0xFF), [0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88]);
        assert_eq!(written(0x0F), [0x11, 0x22, 0x33, 0x44, 0xEE, 0xEE, 0xEE, 0xEE]);
        assert_eq!(written(0xF0), [0xEE, 0xEE, 0xEE, 0xEE, 0x55, 0x66, 0x77, 0x88]);
        for enables in 1..=0xFF_u8 {
            let expected = std::array::from_fn(|i| if enables >> i & 1 == 1 { 0x11 * (i as u8 + 1) } else { 0xEE });
            assert_eq!(written(enables), expected, "{enables:#x}");
        }
    }

    #[test]
    fn what_is_not_mapped_is_not_accessed() {
        let memory = Memory(UnsafeCell::new([0xEE; 16]));
        let at = memory.0.get().expose_provenance() as u64;
        let mut host = HostMemory::default();
        let write = request(MemCmd::Write, at, 0xFF);
        assert_eq!(host.access(&write), None);
        // SAFETY: as above.
        unsafe { host.map(at..at + 4) };
        assert_eq!(host.access(&write), None, "half of it");
        assert_eq!(host.access(&request(MemCmd::Read, at, 0x0F)), Some(0xEEEE_EEEE));
        assert_eq!(host.access(&request(MemCmd::Read, at, 0xF0)), None);
        assert_eq!(host.access(&request(MemCmd::Read, u64::MAX - 7, 0xFF)), None);
        host.unmap(&(at..at + 4));
        assert_eq!(host.access(&request(MemCmd::Read, at, 0x0F)), None);
        assert_eq!(memory.0.into_inner(), [0xEE; 16]);
    }
}
