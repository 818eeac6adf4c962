//! ELF files and memory.

use super::super::{AccessError, Bundle, Image, ImageError, Segment};

/// Where the headers of the segments are in the file, the code, and the data.
const HEADERS: usize = 64;
const TEXT: usize = 176;
const DATA: usize = 192;

/// Returns an executable of one bundle at 10000H, and of 4 bytes at 20000H with 12 more of memory.
fn file() -> Vec<u8> {
    let mut file = vec![0x7f, b'E', b'L', b'F', 2, 1, 1];
    file.resize(16, 0);
    for field in [2u16, 50] {
        file.extend(field.to_le_bytes());
    }
    file.extend(1u32.to_le_bytes());
    for field in [0x1_0000, HEADERS as u64, 0] {
        file.extend(field.to_le_bytes());
    }
    file.extend(0x10u32.to_le_bytes());
    for field in [64u16, 56, 2, 64, 0, 0] {
        file.extend(field.to_le_bytes());
    }
    segment(&mut file, 5, [TEXT as u64, 0x1_0000, 16, 16]);
    segment(&mut file, 6, [DATA as u64, 0x2_0000, 4, 16]);
    assert_eq!(file.len(), TEXT);
    file.extend(Bundle { template: 0x01, slots: [0x000_0800_0000; 3] }.to_bytes());
    file.extend([1, 2, 3, 4]);
    file
}

fn segment(file: &mut Vec<u8>, flags: u32, [offset, address, filled, memory]: [u64; 4]) {
    file.extend(1u32.to_le_bytes());
    file.extend(flags.to_le_bytes());
    for field in [offset, address, address, filled, memory, 16] {
        file.extend(field.to_le_bytes());
    }
}

/// Returns the error of a file that `change` has damaged.
fn error(change: impl FnOnce(&mut Vec<u8>)) -> ImageError {
    let mut file = file();
    change(&mut file);
    Image::load(&file).unwrap_err()
}

#[test]
fn segments_are_loaded_at_their_addresses() {
    let mut image = Image::load(&file()).expect("an executable");
    assert_eq!(image.entry(), 0x1_0000);
    assert_eq!(image.bundle(0x1_0000), Ok(Bundle { template: 0x01, slots: [0x000_0800_0000; 3] }));
    assert_eq!(image.read(0x2_0000, 8), Ok(0x0403_0201));
    assert_eq!(image.read(0x2_0001, 2), Ok(0x0302));
    assert_eq!(image.write(0x2_000c, 4, 0xffff_ffff_1234_5678), Ok(()));
    assert_eq!(image.read(0x2_0008, 8), Ok(0x1234_5678_0000_0000));
}

#[test]
fn accesses_that_memory_refuses() {
    let mut image = Image::load(&file()).expect("an executable");
    assert_eq!(image.read(0x2_0010, 1), Err(AccessError::Outside { addr: 0x2_0010, size: 1 }));
    assert_eq!(image.read(0x2_000c, 8), Err(AccessError::Outside { addr: 0x2_000c, size: 8 }));
    assert_eq!(image.read(0xffff, 2), Err(AccessError::Outside { addr: 0xffff, size: 2 }));
    assert_eq!(image.read(u64::MAX, 8), Err(AccessError::Outside { addr: u64::MAX, size: 8 }));
    assert_eq!(image.write(0x1_0000, 8, 0), Err(AccessError::ReadOnly { addr: 0x1_0000, size: 8 }));
    assert_eq!(image.bundle(0x2_0000), Err(AccessError::NotExecutable { addr: 0x2_0000 }));
    assert_eq!(image.bundle(0x1_0008), Err(AccessError::NotABundle { addr: 0x1_0008 }));
}

#[test]
fn a_segment_may_end_with_the_address_space() {
    let mut file = file();
    file[HEADERS + 56 + 16..][..8].copy_from_slice(&(u64::MAX - 15).to_le_bytes());
    let image = Image::load(&file).expect("an executable");
    assert_eq!(image.read(u64::MAX - 15, 4), Ok(0x0403_0201));
    assert_eq!(image.read(u64::MAX, 1), Ok(0));
    assert_eq!(image.read(0, 1), Err(AccessError::Outside { addr: 0, size: 1 }));
}

#[test]
fn damaged_files_are_refused() {
    assert!(matches!(error(|file| file[0] = 0), ImageError::NotElf(_)));
    assert!(matches!(error(|file| file[4] = 1), ImageError::NotElf(_)));
    assert!(matches!(error(|file| file.truncate(60)), ImageError::NotElf(_)));
    assert!(matches!(error(|file| file.truncate(100)), ImageError::NotElf(_)));
    assert!(matches!(error(|file| file[18] = 62), ImageError::NotIa64(62)));
    assert!(matches!(error(|file| file[16] = 1), ImageError::NotLinked(1)));
    assert!(matches!(error(|file| file.truncate(195)), ImageError::Truncated { index: 1, end: 196, length: 195 }));
    // Fewer bytes of memory than in the file; more memory than is allowed; an end behind that of the address space.
    assert!(matches!(error(|file| file[HEADERS + 40] = 15), ImageError::Size { index: 0, filled: 16, memory: 15, .. }));
    assert!(matches!(error(|file| file[HEADERS + 56 + 44] = 1), ImageError::Size { index: 1, .. }));
    assert!(matches!(error(|file| file[HEADERS + 56 + 16..][..8].fill(0xff)), ImageError::Size { index: 1, .. }));
    // One byte more than 256 MiB.
    let large = 0x1000_0001u64.to_le_bytes();
    assert!(matches!(error(|file| file[HEADERS + 56 + 40..][..8].copy_from_slice(&large)), ImageError::Size { .. }));
    // Both segments at the same address; no segments; an entry outside the code.
    assert!(matches!(error(|file| file[HEADERS + 56 + 18] = 1), ImageError::Overlap { start: 0x1_0000, .. }));
    assert!(matches!(error(|file| file[56] = 0), ImageError::Empty));
    assert!(matches!(error(|file| file[24] = 16), ImageError::Entry(0x1_0010)));
    let big = error(|file| {
        file[5] = 2;
        file[18..20].copy_from_slice(&[0, 50]);
    });
    assert!(matches!(big, ImageError::BigEndian));
}

#[test]
fn errors_say_what_and_where() {
    let machine = "the ELF file is for machine 62 (e_machine at byte 18), not for IA-64, which is 50";
    assert_eq!(error(|file| file[18] = 62).to_string(), machine);
    let truncated = "segment 1 is truncated: it ends at byte 0xc4 of a file of 0xc3 bytes";
    assert_eq!(error(|file| file.truncate(195)).to_string(), truncated);
}

#[test]
fn memory_that_exists_is_not_added() {
    let mut image = Image::load(&file()).expect("an executable");
    let memory = |start, length| Segment { start, bytes: vec![0; length], writable: true, executable: false };
    assert!(matches!(image.add(memory(0x1_fff8, 9)), Err(ImageError::Overlap { start: 0x1_fff8, end: 0x2_0001 })));
    assert!(image.add(memory(0x1_fff8, 8)).is_ok());
    assert!(image.add(memory(0x2_0010, 8)).is_ok());
    assert!(image.add(memory(0x2_0017, 1)).is_err());
}
