//! Properties of Itanium event qualification for any register value, instruction and state.

use lwp_regs::bits::U2;
use lwp_regs::itanium::*;
use proptest::prelude::*;

fn instruction() -> impl Strategy<Value = Instruction> {
    let slot = prop_oneof![Just(SlotType::M), Just(SlotType::I), Just(SlotType::F), Just(SlotType::B)];
    (slot, 0u64..1 << 41).prop_map(|(slot, encoding)| Instruction { slot, encoding })
}

fn monitor() -> impl Strategy<Value = Monitor> {
    any::<u64>().prop_map(|bits| Pmc45::from_bits(bits).monitor())
}

/// A PSR of which the monitored bits are often what matters, not noise.
fn psr() -> impl Strategy<Value = Psr> {
    any::<u64>().prop_map(Psr::from_bits)
}

/// The comparator of the manual, bit by bit on the register and the instruction as numbers.
fn reference_match(register: u64, instruction: Instruction) -> bool {
    let slot_bit = match instruction.slot {
        SlotType::B => 60,
        SlotType::F => 61,
        SlotType::I => 62,
        SlotType::M => 63,
    };
    let compared = (0..13).chain(27..41).enumerate();
    register >> slot_bit & 1 == 1
        && compared.into_iter().all(|(place, bit)| {
            let dont_care = register >> (3 + place) & 1 == 1;
            dont_care || register >> (33 + place) & 1 == instruction.encoding >> bit & 1
        })
}

proptest! {
    #[test]
    fn every_value_survives(bits in any::<u64>()) {
        prop_assert_eq!(Pmc0::from_register(bits).to_register(), bits);
        prop_assert_eq!(Pmc45::from_register(bits).to_register(), bits);
        prop_assert_eq!(Pmc67::from_register(bits).to_register(), bits);
        prop_assert_eq!(Pmc89::from_register(bits).to_register(), bits);
        prop_assert_eq!(Pmc10::from_register(bits).to_register(), bits);
        prop_assert_eq!(Pmc11::from_register(bits).to_register(), bits);
        prop_assert_eq!(Pmc12::from_register(bits).to_register(), bits);
        prop_assert_eq!(Pmc13::from_register(bits).to_register(), bits);
        prop_assert_eq!(Pmd::from_bits(bits).into_bits(), bits);
    }

    // ITA-06, ITA-07: both matchers at once against the reference; masks with few bits that matter, so that they hit
    #[test]
    fn matchers_compare_as_the_reference(
        instruction in instruction(),
        values in any::<[u64; 2]>(),
        cares in any::<[u64; 4]>(),
    ) {
        for (value, care) in values.into_iter().zip([cares[0] & cares[1] & cares[2], cares[3]]) {
            for register in [Pmc89::from_bits(value), Pmc89::from_bits(value | (!care << 3 & 0x3FFF_FFF8))] {
                prop_assert_eq!(register.matches(instruction), reference_match(register.into_bits(), instruction));
            }
        }
        let near = Pmc89::for_instruction(instruction, cares[0]);
        prop_assert!(near.matches(instruction) && reference_match(near.into_bits(), instruction));
    }

    // ITA-06: a matcher made for an instruction finds those that agree where it matters, and no others
    #[test]
    fn matchers_find_what_they_are_made_for(
        wanted in instruction(),
        other in instruction(),
        care in any::<u64>(),
        flip in 0u32..41,
    ) {
        const MATCHED: u64 = 0x1FF_F800_1FFF;
        let matcher = Pmc89::for_instruction(wanted, care);
        let near = Instruction { encoding: wanted.encoding ^ 1 << flip, ..wanted };
        for candidate in [wanted, other, near] {
            let agrees = (candidate.encoding ^ wanted.encoding) & care & MATCHED == 0;
            prop_assert_eq!(matcher.matches(candidate), candidate.slot == wanted.slot && agrees);
        }
    }

    // ITA-30, ITA-07: a mask of ones makes the match value meaningless
    #[test]
    fn ones_match_everything(bits in any::<u64>(), instruction in instruction()) {
        let register = Pmc89::from_bits(bits | 0xF000_0000_3FFF_FFF8);
        prop_assert!(register.matches_everything() && register.matches(instruction));
    }

    // ITA-44, ITA-46, ITA-47, ITA-16, ITA-18: the enable equation, on raw bits
    #[test]
    fn the_enable_equation(pmc in any::<u64>(), psr in any::<u64>(), pmc0 in any::<u64>()) {
        let cpl = psr >> 32 & 3;
        let by_psr = if pmc >> 6 & 1 == 0 { psr >> 2 & 1 } else { psr >> 21 & 1 };
        let set_left_out = if psr >> 34 & 1 == 0 { pmc >> 24 & 1 } else { pmc >> 25 & 1 };
        let expected = pmc0 & 1 == 0 && pmc >> cpl & 1 == 1 && by_psr == 1 && set_left_out == 0;
        let (pmc0, psr) = (Pmc0::from_bits(pmc0), Psr::from_bits(psr));
        let monitors = [
            Pmc45::from_bits(pmc).monitor(),
            Pmc67::from_bits(pmc).monitor(),
            Pmc10::from_bits(pmc).monitor(),
            Pmc11::from_bits(pmc).monitor(),
        ];
        // ITA-54: the four counters and both event address registers have the filter by PSR.is
        for monitor in monitors {
            prop_assert_eq!(monitor.enabled(pmc0, psr), expected);
        }
    }

    // ITA-14: the levels of two masks without a common bit add up
    #[test]
    fn levels_add_up(monitor in monitor(), psr in psr(), part in 0u8..16) {
        let enabled = |plm| Monitor { plm, ..monitor }.enabled(Pmc0::RUNNING, psr);
        let part = Plm::from_bits_retain(part);
        let (inside, outside) = (monitor.plm & part, monitor.plm - part);
        prop_assert_eq!(enabled(monitor.plm), enabled(inside) ^ enabled(outside));
    }

    // ITA-25: PMC[9] changes nothing but its own count
    #[test]
    fn the_second_matcher_is_of_no_consequence(
        pmc8 in any::<u64>(),
        pmc9s in any::<[u64; 2]>(),
        instruction in instruction(),
        psr in psr(),
        (in_ibr, in_dbr, ta, pt) in any::<(bool, Option<bool>, bool, bool)>(),
    ) {
        let tags = |pmc9| {
            let registers = TagRegisters {
                pmc8: Pmc89::from_bits(pmc8),
                pmc9: Pmc89::from_bits(pmc9),
                pmc11: Pmc11::new().with_pt(pt),
                pmc13: Pmc13::new().with_ta(ta),
            };
            registers.tags(psr, instruction, Ranges { in_ibr, in_dbr })
        };
        for class in [EventClass::Pipeline, EventClass::Memory, EventClass::TaggedByPmc8] {
            prop_assert_eq!(tags(pmc9s[0]).qualify(class), tags(pmc9s[1]).qualify(class));
        }
    }

    // ITA-50: whatever the interrupted code had
    #[test]
    fn interruptions(psr in psr(), dcr in any::<u64>()) {
        let handler = psr.after_interruption(Dcr::from_bits(dcr));
        prop_assert_eq!(handler.pp(), dcr & 1 == 1);
        prop_assert_eq!((handler.cpl().get(), handler.is(), handler.up()), (0, false, psr.up()));
    }

    // ITA-41: a count of 32 bits that overflows when it wraps around
    #[test]
    fn counts(start in any::<u32>(), events in any::<u32>()) {
        let (after, overflow) = Pmd::of(start).plus(events);
        let sum = u64::from(start) + u64::from(events);
        prop_assert_eq!((u64::from(after.count()), overflow), (sum & 0xFFFF_FFFF, sum >> 32 == 1));
        prop_assert_eq!(after.sign(), if after.count() >> 31 == 1 { u32::MAX } else { 0 });
    }
}

// ITA-01: all seven qualifiers of Figure 6-4 at once: the event counts in one of 2^7 cases.
#[test]
fn the_seven_qualifiers() {
    let wanted = Instruction { slot: SlotType::M, encoding: 0x123 };
    let other = Instruction { encoding: 0x122, ..wanted };
    let registers = TagRegisters {
        pmc8: Pmc89::for_instruction(wanted, u64::MAX),
        pmc9: Pmc89::UNCONSTRAINED,
        pmc11: Pmc11::new().with_pt(false),
        pmc13: Pmc13::new().with_ta(false),
    };
    // No threshold: the counter moves by what the unit mask has let through.
    let pmc = Pmc45::from_bits(0x0200_0008);
    for case in 0..128u32 {
        let [in_ibr, opcode, in_dbr, happened, level, set, thawed] = core::array::from_fn(|i| case >> i & 1 == 1);
        let psr = Psr::new().with_up(true).with_cpl(if level { U2::of::<3>() } else { U2::of::<0>() });
        let instruction = if opcode { wanted } else { other };
        let tags = registers.tags(psr, instruction, Ranges { in_ibr, in_dbr: Some(in_dbr) });
        // The instruction set check compares with PSR.is of the cycle in which the event happens.
        let psr = psr.with_is(!set);
        let counts = pmc.monitor().counts(Pmc0::new().with_fr(!thawed), psr, EventClass::Memory, tags);
        let moved = if counts { pmc.increment(u8::from(happened)) } else { 0 };
        assert_eq!(moved == 1, case == 127, "{case:07b}");
    }
}

#[test]
fn errors_say_what_to_do() {
    let texts = [
        PmcFault::PrivilegedOperation.to_string(),
        PmcFault::ReservedRegister(14).to_string(),
        HandlerError::NotFrozen(PmcAccess::ReadPmd(4)).to_string(),
        HandlerError::OverflowLost.to_string(),
        HandlerError::CountLost(Counter::Six).to_string(),
        HandlerError::ThawedBeforeSaved(Counter::Seven).to_string(),
        HandlerError::AfterThaw(PmcAccess::ReadPmd(4)).to_string(),
        HandlerError::StillFrozen.to_string(),
    ];
    assert_eq!(texts[1], "Reserved Register/Field fault: the processor has no register with index 14");
    assert_eq!(texts[4], "the count of PMD[6] is lost: read PMD[6] before writing it");
    for (i, text) in texts.iter().enumerate() {
        assert!(!texts[..i].contains(text), "said twice: {text}");
        assert!(text.contains([';', ':']), "no advice: {text}");
    }
}
