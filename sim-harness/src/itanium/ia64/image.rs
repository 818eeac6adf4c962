//! A program in memory.

use thiserror::Error;

use super::bundle::{BUNDLE_BYTES, Bundle};
use super::elf::{self, ImageError};

/// An access that memory refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum AccessError {
    /// There is no memory.
    #[error("access of {size} bytes at {addr:#x}, where there is no memory")]
    Outside {
        /// Address of the lowest byte.
        addr: u64,
        /// Number of bytes.
        size: u8,
    },
    /// A store to memory that is read-only.
    #[error("store of {size} bytes at {addr:#x}, which is read-only")]
    ReadOnly {
        /// Address of the lowest byte.
        addr: u64,
        /// Number of bytes.
        size: u8,
    },
    /// A fetch from memory that is not executable.
    #[error("fetch of a bundle at {addr:#x}, which is not executable")]
    NotExecutable {
        /// Address of the bundle.
        addr: u64,
    },
    /// A fetch that does not begin at a multiple of 16.
    #[error("fetch of a bundle at {addr:#x}, which is not a multiple of 16")]
    NotABundle {
        /// Address of the fetch.
        addr: u64,
    },
}

/// Continuous memory.
#[derive(Clone, Debug)]
pub struct Segment {
    /// Address of the first byte.
    pub start: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Whether stores are allowed.
    pub writable: bool,
    /// Whether bundles can be fetched.
    pub executable: bool,
}

impl Segment {
    /// Returns the address behind the last byte; 0 at the end of the address space.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.start.wrapping_add(self.bytes.len() as u64)
    }

    /// Returns where `size` bytes at `addr` begin in this segment, if they are in it.
    fn position(&self, addr: u64, size: u64) -> Option<usize> {
        let position = addr.checked_sub(self.start)?;
        let end = position.checked_add(size)?;
        (end <= self.bytes.len() as u64).then_some(position as usize)
    }
}

/// A program: its memory and where it starts. Values are little endian.
#[derive(Clone, Debug)]
pub struct Image {
    entry: u64,
    segments: Vec<Segment>,
}

impl Image {
    /// Loads a linked ELF file for IA-64, each segment at its own address.
    ///
    /// # Errors
    /// Says what is wrong with the file, and where.
    pub fn load(file: &[u8]) -> Result<Self, ImageError> {
        let (entry, segments) = elf::load(file)?;
        let mut image = Self { entry, segments: Vec::new() };
        segments.into_iter().try_for_each(|segment| image.add(segment))?;
        image.bundle(entry).map_err(|_| ImageError::Entry(entry))?;
        Ok(image)
    }

    /// Returns a program of bundles at `entry`, without other memory.
    #[must_use]
    pub fn of_bundles(entry: u64, bundles: &[Bundle]) -> Self {
        let bytes = bundles.iter().flat_map(|bundle| bundle.to_bytes()).collect();
        Self { entry, segments: vec![Segment { start: entry, bytes, writable: false, executable: true }] }
    }

    /// Adds memory, for example a stack.
    ///
    /// # Errors
    /// Some of its bytes exist already.
    pub fn add(&mut self, segment: Segment) -> Result<(), ImageError> {
        let last = |segment: &Segment| segment.start.wrapping_add(segment.bytes.len() as u64).wrapping_sub(1);
        if segment.bytes.is_empty() {
            return Ok(());
        }
        if self.segments.iter().any(|other| other.start <= last(&segment) && segment.start <= last(other)) {
            return Err(ImageError::Overlap { start: segment.start, end: segment.end() });
        }
        self.segments.push(segment);
        Ok(())
    }

    /// Returns the address of the first bundle of the program.
    #[must_use]
    pub fn entry(&self) -> u64 {
        self.entry
    }

    /// Returns the memory.
    #[must_use]
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Returns the bundle at an address.
    ///
    /// # Errors
    /// There is no executable memory, or the address is not a multiple of 16.
    pub fn bundle(&self, addr: u64) -> Result<Bundle, AccessError> {
        if !addr.is_multiple_of(BUNDLE_BYTES) {
            return Err(AccessError::NotABundle { addr });
        }
        let (segment, position) = self.find(addr, BUNDLE_BYTES as u8)?;
        if !segment.executable {
            return Err(AccessError::NotExecutable { addr });
        }
        let mut bytes = [0; BUNDLE_BYTES as usize];
        bytes.copy_from_slice(&segment.bytes[position..][..BUNDLE_BYTES as usize]);
        Ok(Bundle::from_bytes(bytes))
    }

    /// Returns `size` bytes at an address, at most 8, zero-extended.
    ///
    /// # Errors
    /// There is no memory.
    pub fn read(&self, addr: u64, size: u8) -> Result<u64, AccessError> {
        let (segment, position) = self.find(addr, size)?;
        let bytes = segment.bytes[position..][..usize::from(size)].iter();
        Ok(bytes.rev().fold(0, |value, byte| value << 8 | u64::from(*byte)))
    }

    /// Stores the lowest `size` bytes of a value, at most 8.
    ///
    /// # Errors
    /// There is no memory, or it is read-only.
    pub fn write(&mut self, addr: u64, size: u8, value: u64) -> Result<(), AccessError> {
        let outside = AccessError::Outside { addr, size };
        let found = self.segments.iter_mut().find_map(|segment| Some((segment.position(addr, size.into())?, segment)));
        let (position, segment) = found.ok_or(outside)?;
        if !segment.writable {
            return Err(AccessError::ReadOnly { addr, size });
        }
        let size = usize::from(size);
        segment.bytes[position..][..size].copy_from_slice(&value.to_le_bytes()[..size]);
        Ok(())
    }

    fn find(&self, addr: u64, size: u8) -> Result<(&Segment, usize), AccessError> {
        let found = self.segments.iter().find_map(|segment| Some((segment, segment.position(addr, size.into())?)));
        found.ok_or(AccessError::Outside { addr, size })
    }
}
