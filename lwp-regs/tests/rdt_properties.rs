//! Properties of the RDT registers for any value, capability and sequence of switches.
#![allow(unsafe_code)] // implements the bus; nothing here performs an unsafe access

use lwp_regs::access::{GeneralProtection, MsrBus};
use lwp_regs::bits::U12;
use lwp_regs::msr::{CheckedMsr, MsrValue};
use lwp_regs::rdt::*;
use lwp_regs::{Refused, Rule};
use proptest::collection::vec;
use proptest::prelude::*;

fn monitoring() -> impl Strategy<Value = MonitoringCaps> {
    (0u32..0x500, 0u32..0x500, any::<u32>(), any::<u32>(), any::<u8>()).prop_map(
        |(all, l3, upscaling, events, width)| {
            MonitoringCaps::from_cpuid([0, all, 0, 2], || [u32::from(width), upscaling, l3, events])
        },
    )
}

fn l3() -> impl Strategy<Value = CatCaps<L3>> {
    (0u32..32, any::<u32>(), 0u32..16, 0u32..200)
        .prop_map(|(length, shared, features, cos)| CatCaps::from_cpuid(L3, [length, shared, features, cos]))
}

/// At least one of the two, without which there is no register.
fn caps() -> impl Strategy<Value = RdtCaps> {
    let mba = (0u32..0x1000, any::<bool>(), 0u32..200)
        .prop_map(|(most, linear, cos)| MbaCaps::from_cpuid([most, 0, u32::from(linear) << 2, cos]));
    let allocation = (proptest::option::of(l3()), proptest::option::of(mba)).prop_map(|(l3, mba)| {
        let mut made = AllocationCaps::default();
        made.l3 = l3;
        made.l2 = None;
        made.mba = mba;
        made
    });
    (monitoring(), allocation, 0..3).prop_map(|(monitoring, allocation, which)| {
        let mut made = RdtCaps::default();
        made.monitoring = (which != 1).then_some(monitoring);
        made.allocation = (which != 2).then_some(allocation);
        made
    })
}

/// Values near the limits of the fields as well as any.
fn value() -> impl Strategy<Value = u64> {
    prop_oneof![any::<u64>(), (0u64..0x500, 0u64..0x100).prop_map(|(low, high)| high << 32 | low), 0u64..0x1000]
}

/// A bus that has one IA32_PQR_ASSOC and faults as the register does.
struct OneRegister {
    caps: RdtCaps,
    value: PqrAssoc,
    writes: usize,
}

impl MsrBus for OneRegister {
    type Fault = GeneralProtection;

    unsafe fn rdmsr(&mut self, address: u32) -> Result<u64, GeneralProtection> {
        assert_eq!(address, 0xC8F);
        Ok(self.value.into_bits())
    }

    unsafe fn wrmsr(&mut self, address: u32, value: u64) -> Result<(), GeneralProtection> {
        assert_eq!(address, 0xC8F);
        self.writes += 1;
        self.value = PqrAssoc::check_write(self.value, value, &self.caps)?;
        Ok(())
    }
}

/// What a checked write promises: it takes the value as it is, or names bits that were written and are at fault.
fn takes_all_or_nothing<R: CheckedMsr + PartialEq + std::fmt::Debug>(old: R, new: u64, caps: &R::Caps) -> bool {
    match R::check_write(old, new, caps) {
        Ok(value) => {
            assert_eq!(value, R::from_register(new));
            true
        }
        Err(GeneralProtection::Refused(Refused { register, bits, rule })) => {
            assert_eq!(register, R::NAME);
            assert!(bits & !new == 0 || matches!(rule, Rule::Forbidden(_)), "names bits that were not written");
            assert_ne!(bits, 0);
            false
        }
        Err(fault) => panic!("{fault}"),
    }
}

proptest! {
    #[test]
    fn every_value_survives(bits in any::<u64>()) {
        prop_assert_eq!(PqrAssoc::from_register(bits).to_register(), bits);
        prop_assert_eq!(QmEvtsel::from_register(bits).to_register(), bits);
        prop_assert_eq!(QmCtr::from_register(bits).to_register(), bits);
        prop_assert_eq!(L3QosCfg::from_register(bits).to_register(), bits);
        prop_assert_eq!(L2QosCfg::from_register(bits).to_register(), bits);
        prop_assert_eq!(L3Mask::from_register(bits).to_register(), bits);
        prop_assert_eq!(L2Mask::from_register(bits).to_register(), bits);
        prop_assert_eq!(MbaThrottle::from_register(bits).to_register(), bits);
    }

    // RDTM-31: written as one line of arithmetic on the raw bits; RDT-18: of this register alone
    #[test]
    fn association_faults_exactly_beyond_the_limits(new in value(), caps in caps()) {
        let taken = takes_all_or_nothing(PqrAssoc::RESET, new, &caps);
        let legal = new & 0xFFFF_FC00 == 0
            && new & 0x3FF <= u64::from(caps.max_rmid())
            && new >> 32 <= u64::from(caps.cos_max());
        prop_assert_eq!(taken, legal);
    }

    // RDTM-05, RDTA-26: what the typed constructors give, hardware takes
    #[test]
    fn checked_numbers_never_fault(rmid in 0u32..0x500, cos in 0u32..300, caps in caps()) {
        if let (Ok(rmid), Ok(cos)) = (Rmid::new(rmid, &caps), Cos::new(cos, &caps)) {
            let value = PqrAssoc::of(rmid, cos);
            prop_assert_eq!(PqrAssoc::check_write(PqrAssoc::RESET, value.into_bits(), &caps), Ok(value));
        }
    }

    // RDTM-25: what `select` refuses would be an Error, and the other way round
    #[test]
    fn selections_are_monitored(id in any::<u8>(), rmid in 0u32..0x400, caps in caps(), monitoring in monitoring()) {
        let caps = { let mut made = caps; made.monitoring = Some(monitoring); made };
        let (event, l3) = (MonitoringEvent::from_id(id), monitoring.l3.unwrap());
        if let Ok(rmid) = Rmid::new(rmid, &caps) {
            let raw = QmEvtsel::new().with_evt_id(id).with_rmid(U12::masked(rmid.get()));
            prop_assert_eq!(QmEvtsel::select(event, rmid, &l3).ok(), raw.is_monitored(&monitoring).then_some(raw));
            prop_assert_eq!(QmEvtsel::check_write(QmEvtsel::RESET, raw.into_bits(), &monitoring), Ok(raw));
        }
    }

    // RDTA-09, RDTA-20: against the text of the rule, over strings
    #[test]
    fn masks_are_one_piece(
        bits in prop_oneof![any::<u64>(), 0u64..0x1_0000, any::<u32>().prop_map(u64::from)],
        caps in l3(),
    ) {
        let taken = takes_all_or_nothing(L3Mask::new(), bits, &caps);
        let text = format!("{bits:b}");
        let fits = bits != 0 && text.len() <= usize::from(caps.cbm_len);
        let one_piece = !text.trim_matches('0').contains('0');
        prop_assert_eq!(taken, fits && (one_piece || caps.non_contiguous));
        prop_assert_eq!(caps.capacity(bits as u32).is_ok(), caps.check_mask(u64::from(bits as u32)).is_ok());
    }

    // RDTA-33
    #[test]
    fn delays(new in value(), most in 0u32..0x1000) {
        let caps = MbaCaps::from_cpuid([most, 0, 0, 0]);
        prop_assert_eq!(takes_all_or_nothing(MbaThrottle::RESET, new, &caps), new <= u64::from(most) + 1);
    }

    // RDTA-13, RDTA-14: with CDP no two classes share a register, and all registers are of the array
    #[test]
    fn pairs_do_not_collide(one in 0u32..200, other in 0u32..200, caps in l3()) {
        let all = { let mut made = RdtCaps::default(); made.monitoring = None; made.allocation = Some({ let mut made = AllocationCaps::default(); made.l3 = Some(caps); made.l2 = None; made.mba = None; made }); made };
        let registers = |n| {
            let cos = Cos::new(n, &all).ok()?;
            Some([caps.data_mask(cos).ok()?.get(), caps.code_mask(cos).ok()?.get()])
        };
        let limit = u32::from(caps.cos_max).div_ceil(2);
        prop_assert_eq!(registers(one).is_some(), caps.cdp && one < limit.min(64));
        if let (Some(one_pair), Some(other_pair)) = (registers(one), registers(other)) {
            prop_assert_eq!(one_pair, [2 * one, 2 * one + 1]);
            prop_assert!(one == other || one_pair.iter().all(|register| !other_pair.contains(register)));
        }
    }

    // RDTM-28: any number of wraps of less than one turn each
    #[test]
    fn differences_add_up(start in any::<u64>(), steps in vec(any::<u32>(), 1..20), width in 0u8..39) {
        let l3 = L3Monitoring::from_cpuid([u32::from(width), 1, 0, 0]);
        let turn = 1u64 << (24 + width);
        let (mut now, mut total, mut true_total) = (start % turn, 0u128, 0u128);
        for step in steps {
            let step = u64::from(step) % turn;
            let next = (now + step) % turn;
            total += l3.bytes(l3.since(Count::new(now), Count::new(next)));
            true_total += u128::from(step);
            now = next;
        }
        prop_assert_eq!(total, true_total);
    }

    // RDTM-16: after any sequence of switches the register is that of the last thread, and no write was in vain
    #[test]
    fn the_register_follows(threads in vec((0u32..6, 0u32..6), 0..40), caps in caps()) {
        let mut bus = OneRegister { caps, value: PqrAssoc::RESET, writes: 0 };
        let mut core = Association::read(&mut bus).unwrap();
        let mut changes = 0;
        for (rmid, cos) in threads {
            let (Ok(rmid), Ok(cos)) = (Rmid::new(rmid, &caps), Cos::new(cos, &caps)) else { continue };
            changes += usize::from(bus.value != PqrAssoc::of(rmid, cos));
            core.switch_to(&mut bus, rmid, cos).unwrap();
            prop_assert_eq!(bus.value, PqrAssoc::of(rmid, cos));
            prop_assert_eq!(core.current(), bus.value);
        }
        prop_assert_eq!(bus.writes, changes);
    }
}

#[test]
fn errors_say_what_to_do() {
    let texts = [
        NoCount::Error.to_string(),
        NoCount::Unavailable.to_string(),
        RdtError::Fault(GeneralProtection::NoSuchRegister).to_string(),
        SelectFault::<GeneralProtection>::NotSelected.to_string(),
    ];
    assert_eq!(texts[0], "IA32_QM_CTR: Error; the event or the RMID is not monitored, see CPUID 0FH");
    assert_eq!(texts[1], "IA32_QM_CTR: Unavailable; there is no data for the RMID now, read again later");
    assert_eq!(texts[2], "the access faulted: #GP(0): no such register; check CPUID before the access");
    assert_eq!(texts[3], "IA32_QM_CTR read without a selection; write IA32_QM_EVTSEL first");
    let passed_on = Refused::new("IA32_L3_MASK_n", 0x800, Rule::MustBeZero);
    assert_eq!(RdtError::<GeneralProtection>::Refused(passed_on).to_string(), passed_on.to_string());
}
