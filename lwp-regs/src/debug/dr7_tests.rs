use super::*;
use crate::refused::Rule;

// DBG-17: L/G 0-7, LE 8, GE 9, RTM 11, GD 13, R/Wn and LENn 16-31; bit 10 reads as 1
#[test]
fn positions_and_reset() {
    assert_eq!(Dr7::RESET.into_bits(), 0x0000_0400);
    let ones = [
        (Dr7::new().with_l0(true), 0x0000_0401),
        (Dr7::new().with_g0(true), 0x0000_0402),
        (Dr7::new().with_l1(true), 0x0000_0404),
        (Dr7::new().with_g1(true), 0x0000_0408),
        (Dr7::new().with_l2(true), 0x0000_0410),
        (Dr7::new().with_g2(true), 0x0000_0420),
        (Dr7::new().with_l3(true), 0x0000_0440),
        (Dr7::new().with_g3(true), 0x0000_0480),
        (Dr7::new().with_le(true), 0x0000_0500),
        (Dr7::new().with_ge(true), 0x0000_0600),
        (Dr7::new().with_rtm(true), 0x0000_0C00),
        (Dr7::new().with_gd(true), 0x0000_2400),
        (Dr7::new().with_rw0(Condition::ReadWrite), 0x0003_0400),
        (Dr7::new().with_len0(Length::Four), 0x000C_0400),
        (Dr7::new().with_rw1(Condition::ReadWrite), 0x0030_0400),
        (Dr7::new().with_len1(Length::Four), 0x00C0_0400),
        (Dr7::new().with_rw2(Condition::ReadWrite), 0x0300_0400),
        (Dr7::new().with_len2(Length::Four), 0x0C00_0400),
        (Dr7::new().with_rw3(Condition::ReadWrite), 0x3000_0400),
        (Dr7::new().with_len3(Length::Four), 0xC000_0400),
    ];
    for (register, bits) in ones {
        assert_eq!(register.into_bits(), bits);
    }
    assert_eq!(Dr7::RESERVED, 0xFFFF_FFFF_0000_D400);
    assert!(!Dr7::RESET.has_reserved_bits());
}

// DBG-17, DBG-26, DBG-27: by number of the breakpoint the same bits are reached as by name
#[test]
fn a_slot_has_its_own_bits() {
    let all = |slot| {
        Dr7::from_bits(0)
            .with_enable(slot, Enable::all())
            .with_condition(slot, Condition::Io)
            .with_length(slot, Length::Four)
    };
    assert_eq!(all(Slot::Dr0).into_bits(), 0x000E_0003);
    assert_eq!(all(Slot::Dr1).into_bits(), 0x00E0_000C);
    assert_eq!(all(Slot::Dr2).into_bits(), 0x0E00_0030);
    assert_eq!(all(Slot::Dr3).into_bits(), 0xE000_00C0);

    let linux = Dr7::from_bits(0x000D_0501);
    assert_eq!(linux.enable(Slot::Dr0), Enable::LOCAL);
    assert_eq!(linux.condition(Slot::Dr0), Condition::Write);
    assert_eq!(linux.length(Slot::Dr0), Length::Four);
    assert_eq!(linux.with_condition(Slot::Dr0, Condition::Execute).into_bits(), 0x000C_0501, "bits are replaced");
}

// DBG-18, DBG-20: L or G is enough
#[test]
fn either_flag_enables() {
    assert_eq!(Dr7::from_bits(0x401).enabled(), Slots::DR0);
    assert_eq!(Dr7::from_bits(0x408).enabled(), Slots::DR1);
    assert_eq!(Dr7::from_bits(0x4B0).enabled(), Slots::DR2 | Slots::DR3);
    assert_eq!(Dr7::RESET.enabled(), Slots::empty());
}

// DBG-19, DBG-21: a task switch clears L0-L3 and not G0-G3
#[test]
fn a_task_switch_clears_the_local_flags() {
    assert_eq!(Dr7::from_bits(0xFFFF_27FF).after_task_switch().into_bits(), 0xFFFF_27AA);
}

// DBG-24, DBG-62: with GD set no debug register can be accessed
#[test]
fn general_detect() {
    assert_eq!(Dr7::RESET.check_access(), Ok(()));
    assert_eq!(Dr7::from_bits(0x2400).check_access(), Err(DebugFault::GeneralDetect));
}

// DBG-49: a breakpoint goes off and keeps its place
#[test]
fn switching_off() {
    assert_eq!(Dr7::from_bits(0x0DD0_270F).without(Slots::DR1).into_bits(), 0x0DD0_2703);
    assert_eq!(Dr7::from_bits(0x0DD0_270F).disarmed().into_bits(), 0x0DD0_0700);
}

// DBG-17: what is written to reserved bits below 32 is ignored, above it faults
#[test]
fn writes() {
    let rtm = DebugCaps { rtm: true, ..DebugCaps::INTEL_64 };
    let write = |new, caps| Dr7::check_write(Dr7::RESET, new, caps).map(Dr7::into_bits);
    assert_eq!(write(0, &rtm), Ok(0x400));
    assert_eq!(write(0xFFFF_FFFF, &rtm), Ok(0xFFFF_2FFF));
    assert_eq!(write(0xFFFF_FFFF, &DebugCaps::INTEL_64), Ok(0xFFFF_27FF));
    let refused = |bits| Err(GeneralProtection::refused("DR7", bits, Rule::MustBeZero));
    assert_eq!(write(0x0001_0000_0000_0401, &rtm), refused(0x0001_0000_0000_0000));
}

#[test]
fn condition_and_length_at_once() {
    let write = |dr7: u64, slot| Dr7::from_bits(dr7).with_kind(slot, Condition::Write, Length::Eight).into_bits();
    assert_eq!(write(0x0000_0400, Slot::Dr0), 0x0009_0400);
    assert_eq!(write(0xFFFF_FFFF, Slot::Dr1), 0xFF9F_FFFF);
    assert_eq!(write(0x0000_0400, Slot::Dr3), 0x9000_0400);
}
