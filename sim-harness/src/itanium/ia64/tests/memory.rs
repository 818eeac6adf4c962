//! Loads, stores and semaphores.

use super::super::Unit::M;
use super::super::{Access, AccessError, FaultKind};
use super::machine::{CODE, DATA, step, with};

const ADDRESS: u64 = DATA + 8;
const VALUE: u64 = 0x8877_6655_4433_2211;
const SOURCE: u64 = 0xa1a2_a3a4_a5a6_a7a8;

/// Assembly, encoding, r8, r9 and the memory at [`ADDRESS`] afterwards, size of the access, whether it reads and writes.
/// Before it, r8 is 77, r9 is [`ADDRESS`], r10 is [`SOURCE`], r11 is 3, ar.ccv is 2211H and the memory is [`VALUE`].
type Row = (&'static str, u64, u64, u64, u64, u8, bool, bool);

const MEMORY: [Row; 28] = [
    ("st8.rel [r9] = r10", 0x08d_c091_4000, 77, ADDRESS, SOURCE, 8, false, true),
    ("ld8.acq r8 = [r9]", 0x085_c090_0200, VALUE, ADDRESS, VALUE, 8, true, false),
    ("st1 [r9] = r10, 255", 0x0ac_0891_5fc0, 77, ADDRESS + 255, 0x8877_6655_4433_22a8, 1, false, true),
    ("st1 [r9] = r10, -256", 0x0bc_0091_4000, 77, ADDRESS - 256, 0x8877_6655_4433_22a8, 1, false, true),
    ("ld1 r8 = [r9]", 0x080_0090_0200, 0x11, ADDRESS, VALUE, 1, true, false),
    ("ld2 r8 = [r9]", 0x080_4090_0200, 0x2211, ADDRESS, VALUE, 2, true, false),
    ("ld4.acq r8 = [r9]", 0x085_8090_0200, 0x4433_2211, ADDRESS, VALUE, 4, true, false),
    ("ld8 r8 = [r9]", 0x080_c090_0200, VALUE, ADDRESS, VALUE, 8, true, false),
    ("ld8.bias r8 = [r9]", 0x084_c090_0200, VALUE, ADDRESS, VALUE, 8, true, false),
    ("ld8.fill r8 = [r9]", 0x086_c090_0200, VALUE, ADDRESS, VALUE, 8, true, false),
    ("ld4.nta r8 = [r9], -256", 0x0b0_b090_0200, 0x4433_2211, ADDRESS - 256, VALUE, 4, true, false),
    ("ld8 r8 = [r9], 255", 0x0a0_c89f_e200, VALUE, ADDRESS + 255, VALUE, 8, true, false),
    ("ld1 r8 = [r9], r11", 0x090_0091_6200, 0x11, ADDRESS + 3, VALUE, 1, true, false),
    ("st1 [r9] = r10", 0x08c_0091_4000, 77, ADDRESS, 0x8877_6655_4433_22a8, 1, false, true),
    ("st2.rel [r9] = r10", 0x08d_4091_4000, 77, ADDRESS, 0x8877_6655_4433_a7a8, 2, false, true),
    ("st4 [r9] = r10, 4", 0x0ac_8091_4100, 77, ADDRESS + 4, 0x8877_6655_a5a6_a7a8, 4, false, true),
    ("st8 [r9] = r10, -8", 0x0bc_c891_5e00, 77, ADDRESS - 8, SOURCE, 8, false, true),
    ("st8.spill [r9] = r10", 0x08e_c091_4000, 77, ADDRESS, SOURCE, 8, false, true),
    ("xchg4 r8 = [r9], r10", 0x082_8891_4200, 0x4433_2211, ADDRESS, 0x8877_6655_a5a6_a7a8, 4, true, true),
    ("cmpxchg2.acq r8 = [r9], r10, ar.ccv", 0x080_4891_4200, 0x2211, ADDRESS, 0x8877_6655_4433_a7a8, 2, true, true),
    ("cmpxchg4.rel r8 = [r9], r10, ar.ccv", 0x081_8891_4200, 0x4433_2211, ADDRESS, VALUE, 4, true, true),
    ("fetchadd4.acq r8 = [r9], 16", 0x084_8890_0200, 0x4433_2211, ADDRESS, 0x8877_6655_4433_2221, 4, true, true),
    ("fetchadd8.rel r8 = [r9], -8", 0x085_c890_a200, VALUE, ADDRESS, 0x8877_6655_4433_2209, 8, true, true),
    ("fetchadd8.acq r8 = [r9], 1", 0x084_c890_6200, VALUE, ADDRESS, 0x8877_6655_4433_2212, 8, true, true),
    ("fetchadd4.rel r8 = [r9], -4", 0x085_8890_c200, 0x4433_2211, ADDRESS, 0x8877_6655_4433_220d, 4, true, true),
    ("lfetch [r9], 64", 0x0eb_0098_0000, 77, ADDRESS + 64, VALUE, 0, false, false),
    ("lfetch.nt1 [r9], r11", 0x0db_1091_6000, 77, ADDRESS + 3, VALUE, 0, false, false),
    ("lfetch.fault.excl [r9]", 0x0cb_c090_0000, 77, ADDRESS, VALUE, 0, false, false),
];

#[test]
fn registers_and_memory_are_those_computed_by_hand() {
    for (text, raw, r8, r9, memory, size, read, write) in MEMORY {
        let mut core = with(M, raw, &[(8, 77), (9, ADDRESS), (10, SOURCE), (11, 3)]);
        core.registers.ccv = 0x2211;
        core.image_mut().write(ADDRESS, 8, VALUE).expect("memory");
        let retired = step(&mut core);
        assert_eq!((core.general(8), core.general(9)), (r8, r9), "{text}");
        assert_eq!(core.image().read(ADDRESS, 8), Ok(memory), "{text}");
        assert_eq!(core.image().read(ADDRESS - 8, 8), Ok(0), "{text}");
        assert_eq!(core.image().read(ADDRESS + 8, 8), Ok(0), "{text}");
        let access = Access { addr: ADDRESS, size, read, write };
        assert_eq!(retired.access, (read || write).then_some(access), "{text}");
    }
}

#[test]
fn an_instruction_that_is_off_makes_no_access() {
    // (p6) ld8 r8 = [r9], 8 of an address without memory
    let mut core = with(M, 0x0a0_c091_0206, &[(8, 77), (9, 0)]);
    let retired = step(&mut core);
    assert_eq!((retired.off, retired.access, core.general(8), core.general(9)), (true, None, 77, 0));
}

#[test]
fn a_fault_leaves_registers_and_memory_alone() {
    let outside = FaultKind::Access(AccessError::Outside { addr: 0x20fc, size: 8 });
    // ld8 r8 = [r9], 255 from an address that is no multiple of 8, and behind the end of memory.
    let cases = [
        (0x0a0_c89f_e200, DATA + 4, FaultKind::Unaligned { addr: DATA + 4, size: 8 }),
        (0x0a0_c89f_e200, DATA + 256, FaultKind::Access(AccessError::Outside { addr: DATA + 256, size: 8 })),
        // st8 [r9] = r10, -8 to the code.
        (0x0bc_c891_5e00, CODE, FaultKind::Access(AccessError::ReadOnly { addr: CODE, size: 8 })),
        // cmpxchg2.acq r8 = [r9], r10, ar.ccv of the code, which has another value.
        (0x080_4891_4200, CODE, FaultKind::Access(AccessError::ReadOnly { addr: CODE, size: 2 })),
    ];
    for (raw, address, kind) in cases {
        let mut core = with(M, raw, &[(8, 77), (9, address), (10, 5)]);
        let fault = core.step().unwrap_err();
        assert_eq!((fault.kind, fault.ip, fault.slot, fault.raw), (kind, CODE, 0, raw));
        assert_eq!((core.general(8), core.general(9), core.place().slot), (77, address, 0));
    }
    // The last 4 bytes of memory are not 8.
    let core = with(M, 0x0a0_c89f_e200, &[]);
    assert_eq!(core.image().read(0x20fc, 8).map_err(FaultKind::from), Err(outside));
}

#[test]
fn a_load_into_its_own_address_register_is_illegal_with_an_increment() {
    // ld8 r9 = [r9] is legal; with the increment of 255 it is not, and nor is a load into r0.
    let mut core = with(M, 0x080_c090_0240, &[(9, DATA)]);
    step(&mut core);
    assert_eq!(core.general(9), 0);
    for raw in [0x0a0_c89f_e240, 0x080_c090_0000] {
        let fault = with(M, raw, &[(9, DATA)]).step().unwrap_err();
        assert!(matches!(fault.kind, FaultKind::IllegalOperation(_)), "{fault}");
    }
}

#[test]
fn an_increment_of_r0_is_illegal() {
    // ld8 r8 = [r0], 8; ldfd f8 = [r0], 8; st8 [r0] = r10, 8; lfetch [r0], 8
    for raw in [0x0a0_c001_0200, 0x0e0_c001_0200, 0x0ac_c001_4200, 0x0eb_0001_0000] {
        let fault = with(M, raw, &[]).step().unwrap_err();
        assert!(matches!(fault.kind, FaultKind::IllegalOperation(_)), "{fault}");
    }
}
