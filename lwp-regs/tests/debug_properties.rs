//! Properties of the debug registers that hold for any content, any set of breakpoints and any access.
#![allow(unsafe_code)] // arms a register file in memory

use lwp_regs::access::{DebugBus, DebugRegister};
use lwp_regs::debug::*;
use proptest::prelude::*;

fn caps() -> impl Strategy<Value = DebugCaps> {
    (any::<bool>(), any::<bool>(), prop_oneof![Just(32u8), Just(48), Just(57)]).prop_map(
        |(rtm, bus_lock_detect, linear_address_bits)| {
            let mut made = DebugCaps::IA32;
            made.rtm = rtm;
            made.bus_lock_detect = bus_lock_detect;
            made.long_mode = linear_address_bits > 32;
            made.linear_address_bits = linear_address_bits;
            made
        },
    )
}

fn limits() -> impl Strategy<Value = BreakpointLimits> {
    (caps(), any::<bool>()).prop_map(|(caps, de)| BreakpointLimits::new(&caps, u64::from(de) << 3))
}

fn slot() -> impl Strategy<Value = Slot> {
    (0usize..4).prop_map(|number| Slot::new(number).unwrap())
}

/// Addresses that meet: around a few places, the ends of the address space among them.
fn address() -> impl Strategy<Value = u64> {
    let place = prop_oneof![Just(0u64), Just(0x3F8), Just(0x1_0000), Just(0x8000_0000_0000), Just(1 << 32)];
    prop_oneof![
        8 => (place, -80i64..80).prop_map(|(place, offset)| place.wrapping_add(offset as u64)),
        1 => any::<u64>(),
    ]
}

fn any_breakpoint() -> impl Strategy<Value = Breakpoint> {
    (address(), 0u8..4, 0u8..4, 0u8..4).prop_map(|(address, length, condition, enable)| Breakpoint {
        address,
        length: Length::from_bits(length),
        condition: Condition::from_bits(condition),
        enable: Enable::from_bits_retain(enable),
    })
}

/// A breakpoint that is legal under `limits`: made so, not found by asking the crate.
fn legal_breakpoint(limits: BreakpointLimits) -> impl Strategy<Value = Breakpoint> {
    any_breakpoint().prop_map(move |mut breakpoint| {
        if breakpoint.condition == Condition::Io && !limits.io {
            breakpoint.condition = Condition::Write;
        }
        if breakpoint.condition == Condition::Execute {
            breakpoint.length = Length::One;
        }
        if breakpoint.length == Length::Eight && (!limits.eight_bytes || breakpoint.condition == Condition::Io) {
            breakpoint.length = Length::Four;
        }
        breakpoint.address -= breakpoint.address % breakpoint.length.bytes();
        breakpoint.address = match (breakpoint.condition, limits.linear_address_bits) {
            (Condition::Io, _) => breakpoint.address % 0x1_0000,
            (_, 32) => breakpoint.address % (1 << 32),
            (_, bits) if breakpoint.address >> (bits - 1) & 1 == 0 => breakpoint.address % (1 << (bits - 1)),
            (_, bits) => breakpoint.address | u64::MAX << (bits - 1),
        };
        breakpoint
    })
}

fn access() -> impl Strategy<Value = Access> {
    prop_oneof![
        address().prop_map(|address| Access::Fetch { address }),
        (address(), 0u32..=64).prop_map(|(address, bytes)| Access::Read { address, bytes }),
        (address(), 0u32..=64).prop_map(|(address, bytes)| Access::Write { address, bytes }),
        (address(), prop_oneof![Just(1u32), Just(2), Just(4)])
            .prop_map(|(address, bytes)| Access::Io { port: address as u16, bytes }),
    ]
}

/// The match rule, byte by byte.
fn meets_bytewise(breakpoint: &Breakpoint, access: Access) -> bool {
    let (kinds, first, bytes): (&[Condition], u64, u32) = match access {
        Access::Fetch { address } => {
            return breakpoint.condition == Condition::Execute && breakpoint.address == address;
        }
        Access::Read { address, bytes } => (&[Condition::ReadWrite], address, bytes),
        Access::Write { address, bytes } => (&[Condition::Write, Condition::ReadWrite], address, bytes),
        Access::Io { port, bytes } => (&[Condition::Io], u64::from(port), bytes),
    };
    let block = |address: u64| address / breakpoint.length.bytes();
    kinds.contains(&breakpoint.condition)
        && (0..u64::from(bytes)).any(|byte| block(first.wrapping_add(byte)) == block(breakpoint.address))
}

/// What the manual and CR4.DE allow, as one sentence.
fn is_legal(breakpoint: &Breakpoint, limits: &BreakpointLimits) -> bool {
    let bytes = breakpoint.length.bytes();
    let widest = match breakpoint.condition {
        Condition::Execute => 1,
        Condition::Io => 4 * u64::from(limits.io),
        Condition::Write | Condition::ReadWrite if limits.eight_bytes => 8,
        Condition::Write | Condition::ReadWrite => 4,
    };
    let exists = match (breakpoint.condition, limits.linear_address_bits) {
        (Condition::Io, _) => breakpoint.address < 1 << 16,
        (_, 32) => breakpoint.address < 1 << 32,
        (_, bits) => {
            let half = 1u64 << (bits - 1);
            breakpoint.address < half || breakpoint.address >= half.wrapping_neg()
        }
    };
    bytes <= widest && breakpoint.address.is_multiple_of(bytes) && exists
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_content_survives(raw: u64, half: u32, slot in slot()) {
        prop_assert_eq!(Dr6::from_bits(raw).into_bits(), raw);
        prop_assert_eq!(Dr7::from_bits(raw).into_bits(), raw);
        prop_assert_eq!(BreakpointAddress::from_bits(raw).into_bits(), raw);
        prop_assert_eq!(Eflags::from_bits(raw).into_bits(), raw);
        prop_assert_eq!(TssTrapWord::from_bits(half).into_bits(), half);
        let (dr6, dr7) = (Dr6::from_bits(raw), Dr7::from_bits(raw));
        prop_assert_eq!(dr6.with_conditions(dr6.conditions()), dr6);
        prop_assert_eq!(dr6.with_bus_lock(dr6.bus_lock()).with_in_transaction(dr6.in_transaction()), dr6);
        let same = dr7
            .with_enable(slot, dr7.enable(slot))
            .with_condition(slot, dr7.condition(slot))
            .with_length(slot, dr7.length(slot));
        prop_assert_eq!(same, dr7);
    }

    // DBG-10, DBG-17: after any write the fixed bits are as after reset, and writing what is read changes nothing
    #[test]
    fn a_write_is_taken_whole_or_faults(new: u64, small: u32, caps in caps()) {
        for new in [new, u64::from(small)] {
            match Dr6::check_write(Dr6::RESET, new, &caps) {
                Ok(dr6) => {
                    prop_assert!(!dr6.has_reserved_bits());
                    prop_assert_eq!((dr6.into_bits() ^ new) & Dr6::writable_mask(&caps), 0);
                    prop_assert_eq!(Dr6::check_write(dr6, dr6.into_bits(), &caps), Ok(dr6));
                    prop_assert!(caps.rtm || !dr6.in_transaction());
                    prop_assert!(caps.bus_lock_detect || !dr6.bus_lock());
                }
                Err(_) => prop_assert!(new >= 1 << 32),
            }
            match Dr7::check_write(Dr7::RESET, new, &caps) {
                Ok(dr7) => {
                    prop_assert!(!dr7.has_reserved_bits());
                    prop_assert_eq!((dr7.into_bits() ^ new) & Dr7::writable_mask(&caps), 0);
                    prop_assert_eq!(Dr7::check_write(dr7, dr7.into_bits(), &caps), Ok(dr7));
                    prop_assert!(caps.rtm || !dr7.rtm());
                }
                Err(_) => prop_assert!(new >= 1 << 32),
            }
        }
    }

    // DBG-06, DBG-26, DBG-27: any legal set packs, and what is packed decodes to that set; no register has more in it
    #[test]
    fn a_legal_set_survives_the_registers(
        (limits, breakpoints) in limits().prop_flat_map(|limits| {
            let one = || legal_breakpoint(limits);
            (Just(limits), [one(), one(), one(), one()])
        }),
    ) {
        let mut set = BreakpointSet::new();
        for (slot, breakpoint) in Slot::ALL.into_iter().zip(breakpoints) {
            prop_assert_eq!(set.set(slot, breakpoint, &limits), Ok(()));
        }
        prop_assert!(!set.control.has_reserved_bits());
        let caps = { let mut made = DebugCaps::INTEL_64; made.long_mode = limits.eight_bytes; made };
        let mut bus = DebugRegisterFile::new(caps);
        // SAFETY: nothing is armed in memory.
        unsafe { set.arm(&mut bus) }.unwrap();
        let back = BreakpointSet::read(&mut bus).unwrap();
        prop_assert_eq!(Slot::ALL.map(|slot| back.get(slot)), breakpoints);
        prop_assert_eq!(back, set);
    }

    // DBG-28: refused is exactly what is undefined or can never be hit, and the refusal names bits of that slot
    #[test]
    fn exactly_the_legal_ones_are_taken(breakpoint in any_breakpoint(), slot in slot(), limits in limits()) {
        let mut set = BreakpointSet::new();
        match set.set(slot, breakpoint, &limits) {
            Ok(()) => prop_assert!(is_legal(&breakpoint, &limits)),
            Err(refused) => {
                prop_assert!(!is_legal(&breakpoint, &limits));
                prop_assert_eq!(set, BreakpointSet::new());
                prop_assert_ne!(refused.bits, 0);
                let field = if refused.register == "DR7" { 0xF << (16 + 4 * slot.number()) } else { u64::MAX };
                prop_assert_eq!(refused.bits & !field, 0);
            }
        }
    }

    // What no builder makes survives, too
    #[test]
    fn any_set_survives(addresses: [u64; 4], dr7: u64) {
        let set = BreakpointSet {
            addresses: addresses.map(BreakpointAddress::from_bits),
            control: Dr7::from_bits(dr7),
        };
        let mut copy = BreakpointSet { control: set.control, ..BreakpointSet::new() };
        for slot in Slot::ALL {
            copy.set_unchecked(slot, set.get(slot));
        }
        prop_assert_eq!(copy, set);
    }

    // DBG-29: any byte of the access in the range
    #[test]
    fn the_match_rule_holds_byte_by_byte(breakpoint in any_breakpoint(), access in access()) {
        prop_assert_eq!(access.meets(&breakpoint), meets_bytewise(&breakpoint, access));
    }

    // DBG-06, DBG-12, DBG-18, DBG-20: what an access hits is what a handler finds, whatever is set for breakpoints that
    // are off
    #[test]
    fn hits_are_found_in_the_status(breakpoints in [(); 4].map(|()| any_breakpoint()), access in access(), extra: bool) {
        let mut set = BreakpointSet::new();
        for (slot, breakpoint) in Slot::ALL.into_iter().zip(breakpoints) {
            set.set_unchecked(slot, breakpoint);
        }
        let expected: Slots = Slot::ALL
            .into_iter()
            .filter(|&slot| meets_bytewise(&set.get(slot), access) && !set.get(slot).enable.is_empty())
            .collect();
        let reported = if extra { set.conditions(access) } else { set.hit_by(access) };
        let status = Dr6::RESET.with_conditions(reported);
        prop_assert_eq!(set.hits(status), expected);
        prop_assert_eq!(hit_mask(set.control, set.addresses.map(BreakpointAddress::into_bits), access), expected);
        let entry = DebugEntry::decode(status, set.control);
        prop_assert_eq!(entry.hits(), expected);
        prop_assert_eq!(entry.instruction_hits() | entry.data_hits(), expected);
        prop_assert!((entry.instruction_hits() & entry.data_hits()).is_empty());
    }

    // DBG-09, DBG-62: whatever is done to the register file, its fixed bits stay, and no access passes general detect
    #[test]
    fn the_register_file_keeps_the_rules(
        caps in caps(),
        accesses in proptest::collection::vec((0usize..8, any::<Option<u64>>(), any::<bool>(), any::<bool>()), 1..20),
    ) {
        const REGISTERS: [DebugRegister; 8] = [
            DebugRegister::Dr0, DebugRegister::Dr1, DebugRegister::Dr2, DebugRegister::Dr3,
            DebugRegister::Dr4, DebugRegister::Dr5, DebugRegister::Dr6, DebugRegister::Dr7,
        ];
        let mut file = DebugRegisterFile::new(caps);
        for (number, write, wide, de) in accesses {
            file.set_cr4_de(de);
            let before = file;
            let register = REGISTERS[number];
            let ok = match write.map(|value| if wide { value } else { value & 0xFFFF_FFFF }) {
                // SAFETY: nothing is armed in memory.
                Some(value) => unsafe { file.write_dr(register, value) }.is_ok(),
                None => file.read_dr(register).is_ok(),
            };
            prop_assert!(!file.status().has_reserved_bits());
            prop_assert!(!file.breakpoints().control.has_reserved_bits());
            if de && matches!(number, 4 | 5) {
                prop_assert!(!ok);
                prop_assert_eq!(file, before);
            } else if before.breakpoints().control.gd() {
                prop_assert!(!ok);
                prop_assert_eq!(file.breakpoints().addresses, before.breakpoints().addresses);
                prop_assert!(file.status().bd() && !file.breakpoints().control.gd());
            } else if !ok {
                prop_assert_eq!(file, before);
            }
        }
    }
}
