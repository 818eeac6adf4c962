//! Instructions that the executor lacks.

use super::super::Unit::{self, F, I, M, X};
use super::super::{Bundle, Core, FaultKind, Image};
use super::machine::{CODE, DATA, in_front_of, with};

const LACKING: [(&str, Unit, u64); 16] = [
    ("mov r8 = cpuid[r9]", M, 0x020_b890_0200),
    ("probe.r r8 = r9, r10", M, 0x021_c091_4200),
    ("ld8.s r8 = [r9]", M, 0x081_c090_0200),
    ("ld8.a r8 = [r9]", M, 0x082_c090_0200),
    ("chk.s.m r8, . + 32", M, 0x022_0001_0040),
    ("padd1 r8 = r9, r10", M, 0x104_00a1_2200),
    ("mux1 r8 = r9, @rev", I, 0x0ec_a0b1_2200),
    ("tnat.z p6, p7 = r9", I, 0x0a0_3890_2180),
    ("flushrs", M, 0x000_6000_0000),
    ("mov r8 = ar.bsp", M, 0x021_1110_0200),
    ("mov r8 = ar.itc", M, 0x021_12c0_0200),
    ("ldfe f8 = [r9]", M, 0x0c0_0090_0200),
    ("ldfpd f8, f9 = [r9]", M, 0x0c0_c891_2200),
    ("fc r3", M, 0x021_8030_0000),
    ("fclass.m p6, p7 = f9, @nat", F, 0x0a0_3c01_2180),
    ("frcpa.s0 f8, p6 = f9, f10", F, 0x002_30a1_2200),
];

#[test]
fn the_fault_names_address_slot_and_encoding() {
    for (text, unit, raw) in LACKING {
        let mut core = with(unit, raw, &[(9, DATA)]);
        let place = core.place();
        let fault = core.step().unwrap_err();
        assert!(matches!(fault.kind, FaultKind::Unknown | FaultKind::Lacking(_)), "{text}: {fault}");
        assert_eq!((fault.ip, fault.slot, fault.unit, fault.raw), (CODE, place.slot, Some(unit), raw), "{text}");
        assert_eq!(fault.kind.vector(), None, "{text}");
        assert_eq!(core.deliver(&fault), None, "{text}");
        assert_eq!(core.place(), place, "{text}");
    }
    let fault = with(M, 0x081_c090_0200, &[(9, DATA)]).step().unwrap_err();
    let text = "the executor does not know the instruction, at bundle 0x1000, slot 0: M 0x081c0900200";
    assert_eq!(fault.to_string(), text);
}

#[test]
fn an_unknown_instruction_that_is_off_is_refused() {
    // (p6) padd1 r8 = r9, r10
    assert_eq!(in_front_of(M, 0x104_00a1_2206, 0).step().unwrap_err().kind, FaultKind::Unknown);
}

#[test]
fn a_long_instruction_with_another_code_is_refused() {
    // nop.x with bit 32, which makes its code 21H, and with bits 33, 34 and 35; movl with bit 20.
    for raw in [0x001_0800_0000, 0x002_0800_0000, 0x004_0800_0000, 0x008_0800_0000, 0x0c0_0030_0200] {
        assert_eq!(in_front_of(X, raw, 0).step().unwrap_err().kind, FaultKind::Unknown);
    }
}

#[test]
fn reserved_templates_and_code_outside_memory_are_refused() {
    let image = Image::of_bundles(CODE, &[Bundle { template: 0x06, slots: [1, 2, 3] }]);
    let fault = Core::new(image).step().unwrap_err();
    assert_eq!((fault.kind, fault.raw), (FaultKind::ReservedTemplate(6), 1));
    assert_eq!(fault.to_string(), "template 0x06 is reserved, at bundle 0x1000, slot 0");

    let nops = Bundle { template: 0x01, slots: [0x000_0800_0000; 3] };
    let mut core = Core::new(Image::of_bundles(CODE, &[nops]));
    for _ in 0..3 {
        core.step().expect("a nop");
    }
    let fault = core.step().unwrap_err();
    assert_eq!(fault.to_string(), "access of 16 bytes at 0x1010, where there is no memory, at bundle 0x1010, slot 0");
}

#[test]
fn targets_that_cannot_be_written_are_illegal() {
    // add r0 = r9, r10; add r32 = r9, r10 without a frame; setf.sig f1 = r9
    for raw in [0x100_00a1_2000, 0x100_00a1_2800, 0x0c7_0801_2040] {
        let fault = in_front_of(M, raw, 0).step().unwrap_err();
        assert!(matches!(fault.kind, FaultKind::IllegalOperation(_)), "{fault}");
    }
}
