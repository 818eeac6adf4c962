//! Templates and slots.

use super::super::Bundle;
use super::super::Unit::{self, B, F, I, L, M, X};

/// The template of each bundle that the assembler makes, its units, and its stops.
///
/// Source: Intel Itanium Architecture Software Developer's Manual, volume 3, "Template Field Encoding and Instruction Slot
/// Mapping".
const TEMPLATES: [(u8, [Unit; 3], [bool; 3]); 24] = [
    (0x00, [M, I, I], [false, false, false]),
    (0x01, [M, I, I], [false, false, true]),
    (0x02, [M, I, I], [false, true, false]),
    (0x03, [M, I, I], [false, true, true]),
    (0x04, [M, L, X], [false, false, false]),
    (0x05, [M, L, X], [false, false, true]),
    (0x08, [M, M, I], [false, false, false]),
    (0x09, [M, M, I], [false, false, true]),
    (0x0a, [M, M, I], [true, false, false]),
    (0x0b, [M, M, I], [true, false, true]),
    (0x0c, [M, F, I], [false, false, false]),
    (0x0d, [M, F, I], [false, false, true]),
    (0x0e, [M, M, F], [false, false, false]),
    (0x0f, [M, M, F], [false, false, true]),
    (0x10, [M, I, B], [false, false, false]),
    (0x11, [M, I, B], [false, false, true]),
    (0x12, [M, B, B], [false, false, false]),
    (0x13, [M, B, B], [false, false, true]),
    (0x16, [B, B, B], [false, false, false]),
    (0x17, [B, B, B], [false, false, true]),
    (0x18, [M, M, B], [false, false, false]),
    (0x19, [M, M, B], [false, false, true]),
    (0x1c, [M, F, B], [false, false, false]),
    (0x1d, [M, F, B], [false, false, true]),
];

#[test]
fn templates() {
    for template in 0..32 {
        let bundle = Bundle { template, slots: [0; 3] };
        match TEMPLATES.iter().find(|(code, ..)| *code == template) {
            Some((_, units, stops)) => {
                assert_eq!((bundle.units(), bundle.stops()), (Some(*units), *stops), "{template:#x}");
            }
            None => assert_eq!((bundle.units(), bundle.stops()), (None, [false; 3]), "{template:#x}"),
        }
    }
}

#[test]
fn a_bundle_of_the_assembler() {
    // { .mib  st8 [r15] = r16, 8; add r8 = r8, r16; br.cloop.sptk.few . - 16 ;; } of copy.s
    let bytes = [0x11, 0x40, 0x40, 0x1e, 0x98, 0x15, 0x80, 0x40, 0x40, 0x00, 0x40, 0xa0, 0xf0, 0xff, 0xff, 0x48];
    let bundle = Bundle::from_bytes(bytes);
    // st8 [r15] = r16, 8: opcode 5, x6 33H, r3 15, r2 16, increment 8.
    let store = 5 << 37 | 0x33 << 30 | 15 << 20 | 16 << 13 | 8 << 6;
    // add r8 = r8, r16: opcode 8, r3 16, r2 8, r1 8.
    let add = 8 << 37 | 16 << 20 | 8 << 13 | 8 << 6;
    // br.cloop: opcode 4, sign 1, distance -1 in bits 32:13, type 5.
    let branch = 4 << 37 | 1 << 36 | 0xf_ffff << 13 | 5 << 6;
    assert_eq!(bundle, Bundle { template: 0x11, slots: [store, add, branch] });
    assert_eq!(bundle.to_bytes(), bytes);
}

#[test]
fn the_slot_behind_another() {
    let plain = Bundle { template: 0x00, slots: [0; 3] };
    assert_eq!([0, 1, 2].map(|slot| plain.next_slot(slot)), [Some(1), Some(2), None]);
    let long = Bundle { template: 0x04, slots: [0; 3] };
    assert_eq!([long.next_slot(0), long.next_slot(2)], [Some(2), None]);
}
