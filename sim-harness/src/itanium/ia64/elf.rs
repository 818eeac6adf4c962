//! The segments of an ELF file.

use object::Endianness;
use object::elf::{EM_IA_64, ET_DYN, ET_EXEC, FileHeader64, PF_W, PF_X, PT_LOAD, ProgramHeader64};
use object::read::elf::{FileHeader, ProgramHeader};
use thiserror::Error;

use super::image::Segment;

/// The most memory that a segment can have.
const LARGEST: u64 = 256 << 20;

/// The reason why a file cannot be loaded.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ImageError {
    /// The file is not ELF, or its headers are damaged.
    #[error("not a 64-bit ELF file, or its headers are damaged: {0}")]
    NotElf(String),
    /// The file is for another processor.
    #[error("the ELF file is for machine {0} (e_machine at byte 18), not for IA-64, which is 50")]
    NotIa64(u16),
    /// The file is big endian.
    #[error("the ELF file is big endian (byte 5); only little-endian programs are executed")]
    BigEndian,
    /// The file is an object that was not linked, or a core dump.
    #[error("the ELF file has type {0} (e_type at byte 16): link it, so that its type is 2 (executable) or 3 (shared)")]
    NotLinked(u16),
    /// A segment ends behind the end of the file.
    #[error("segment {index} is truncated: it ends at byte {end:#x} of a file of {length:#x} bytes")]
    Truncated {
        /// The number of the program header.
        index: usize,
        /// Where the segment ends in the file.
        end: u64,
        /// Length of the file.
        length: u64,
    },
    /// A segment has less memory than bytes in the file, wraps around, or is larger than 256 MiB.
    #[error("segment {index} cannot be loaded: {filled:#x} bytes into {memory:#x} bytes at {start:#x}")]
    Size {
        /// The number of the program header.
        index: usize,
        /// Bytes in the file.
        filled: u64,
        /// Bytes in memory.
        memory: u64,
        /// Address of the segment.
        start: u64,
    },
    /// Two segments share bytes of memory.
    #[error("the memory from {start:#x} to {end:#x} is in use already")]
    Overlap {
        /// Address of the first byte.
        start: u64,
        /// Address behind the last byte.
        end: u64,
    },
    /// The file has no segment to load.
    #[error("the ELF file has no segment to load")]
    Empty,
    /// The program would start outside its code.
    #[error("the entry {0:#x} is not a bundle of an executable segment")]
    Entry(u64),
}

/// Returns the entry and the segments of a file.
pub(super) fn load(file: &[u8]) -> Result<(u64, Vec<Segment>), ImageError> {
    let damaged = |error: object::read::Error| ImageError::NotElf(error.to_string());
    let header = FileHeader64::<Endianness>::parse(file).map_err(damaged)?;
    let endian = header.endian().map_err(damaged)?;
    if endian != Endianness::Little {
        return Err(ImageError::BigEndian);
    }
    let machine = header.e_machine(endian);
    if machine != EM_IA_64 {
        return Err(ImageError::NotIa64(machine.0));
    }
    let kind = header.e_type(endian);
    if kind != ET_EXEC && kind != ET_DYN {
        return Err(ImageError::NotLinked(kind.0));
    }
    let headers = header.program_headers(endian, file).map_err(damaged)?;
    let loaded = headers.iter().enumerate().filter(|(_, header)| header.p_type(endian) == PT_LOAD);
    let segments = loaded.map(|(index, header)| segment(index, header, endian, file)).collect::<Result<Vec<_>, _>>()?;
    if segments.is_empty() {
        return Err(ImageError::Empty);
    }
    Ok((header.e_entry(endian), segments))
}

fn segment(
    index: usize,
    header: &ProgramHeader64<Endianness>,
    endian: Endianness,
    file: &[u8],
) -> Result<Segment, ImageError> {
    let (offset, start) = (header.p_offset(endian), header.p_vaddr(endian));
    let (filled, memory) = (header.p_filesz(endian), header.p_memsz(endian));
    // A segment may end with the last byte of the address space.
    let wraps = memory > 0 && start.checked_add(memory - 1).is_none();
    if filled > memory || memory > LARGEST || wraps {
        return Err(ImageError::Size { index, filled, memory, start });
    }
    let data = header.data(endian, file).map_err(|()| {
        let end = offset.saturating_add(filled);
        ImageError::Truncated { index, end, length: file.len() as u64 }
    })?;
    let mut bytes = data.to_vec();
    bytes.resize(memory as usize, 0);
    let flags = header.p_flags(endian).0;
    Ok(Segment { start, bytes, writable: flags & PF_W.0 != 0, executable: flags & PF_X.0 != 0 })
}
