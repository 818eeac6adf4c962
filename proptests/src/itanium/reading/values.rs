//! Values of registers at random, weighted so that ranges, opcodes and thresholds are met.

use super::around::Random;

/// Addresses of code and of data.
pub(super) const CODE: [u64; 5] = [0x4000, 0x4010, 0x8000, 0x2000_0000_0000_4000, 0xE000_0000_0000_8010];
pub(super) const DATA: [u64; 5] = [0x1000, 0x1008, 0x7FF8, 0x6000_0000_0000_1000, 0xA000_0000_0000_0FFF];
/// Instructions: br.cloop, an add, a load.
pub(super) const WORDS: [u64; 4] = [0x080_0000_0140, 0x100_0004_2040, 0x080_1018_8040, 0x1FF_FFFF_FFFF];
/// Events, with a unit mask. The first five are not for PMC\[6\] and PMC\[7\].
pub(super) const EVENTS: [(u64, u64); 22] = [
    (0x08, 0),
    (0x08, 3),
    (0x08, 3),
    (0x08, 2),
    (0x31, 0),
    (0x0D, 1),
    (0x0D, 4),
    (0x0D, 8),
    (0x0D, 7),
    (0x12, 0),
    (0x15, 0),
    (0x60, 0),
    (0x61, 0),
    (0x63, 0),
    (0x64, 0),
    (0x66, 0),
    (0x69, 1),
    (0x69, 2),
    (0x69, 3),
    (0x6A, 0),
    (0x6C, 0),
    (0x6D, 0),
];

/// Returns a value for a register.
pub(super) fn value(random: &mut Random, number: u32) -> u64 {
    if random.one_of(80) {
        return random.word();
    }
    match number {
        0 => random.from(&[0, 0, 0, 0, 0, 0, 0, 0, 1, 0x81, 0xF1, 0x20]),
        4..=7 => {
            let (es, umask) = random.from(&EVENTS[if number > 5 { 5 } else { 0 }..]);
            let (es, umask) = if random.one_of(120) { (random.below(128), random.below(16)) } else { (es, umask) };
            let plm = random.from(&[15, 15, 15, 9, 8, 1]);
            let threshold = random.from(&[0, 0, 0, 0, 0, 0, 1, 1, 2, 3, 4, 5]);
            let ism = random.from(&[0, 0, 0, 0, 1, 2, 3]);
            let flags = random.below(4) << 4 | random.below(2) << 6;
            let ignored = random.from(&[0, 0, 0, !0x03FF_FFFF | 0x0080_8080]);
            plm | flags | es << 8 | umask << 16 | threshold << 20 | ism << 24 | ignored
        }
        8 | 9 => matcher(random),
        10..=12 => random.word() & 0x030F_FFFF | 15 | random.below(2) << 28,
        13 => random.below(2) | random.word() & random.word() << 1,
        0x104..=0x107 => match random.below(6) {
            0 => random.from(&[0, 0x7FFF_FFFB, 0xFFFF_FFFF_0000_0000]) + random.below(9),
            1 => random.word(),
            2 => 0xFFFF_FFFF | random.word() << 32,
            _ => (0xFFFF_FFFF - random.below(12)) | random.word() << 32,
        },
        0x200..=0x3FF if number.is_multiple_of(2) => {
            let addresses = if number < 0x300 { CODE } else { DATA };
            random.from(&addresses)
        }
        0x200..=0x3FF => {
            let mask = random.from(&[u64::MAX << 4, u64::MAX << 3, u64::MAX << 12, u64::MAX << 40, 0, u64::MAX])
                & u64::MAX >> 8;
            let plm = if random.one_of(4) { random.below(16) } else { 15 };
            let flags = if number < 0x300 { u64::from(random.one_of(12)) << 3 } else { random.below(4) << 2 };
            mask | plm << 56 | flags << 60 | random.below(2) << 60
        }
        _ => random.word(),
    }
}

/// Returns a value of an opcode matcher.
fn matcher(random: &mut Random) -> u64 {
    if random.one_of(2) {
        return u64::MAX;
    }
    let word = random.from(&WORDS);
    let encoding = word >> 27 << 13 | word & 0x1FFF;
    let mask = random.from(&[0, 0x07FF_FFFF, without(0x1FFF), without(0x03FF_E000), 0x007F_FE3F]);
    let kinds = if random.below(3) > 0 { 15 } else { random.below(16) };
    mask << 3 | encoding << 33 | kinds << 60 | random.below(8)
}

const fn without(fixed: u64) -> u64 {
    0x07FF_FFFF & !fixed
}
