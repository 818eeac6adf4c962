//! Arguments that make no sense give an answer, not a panic.

use lwp_regs::layout::{FieldInfo, mask};
use lwp_regs::lwp::{lwpcb_bytes, offset};
use lwp_regs::msr::{Family, MsrNumbers};
use lwp_regs::perf::architectural::{Ia32APmc, Ia32PerfCapabilities, Ia32Pmc, PerfmonCaps};
use lwp_regs::rdt::{AllocationCaps, MonitoringCaps, RdtVendor};
use lwp_regs::trace::{DsBuffer, DsFormat, DsPart, LbrDepth, LbrFormat, LbrLayout, PebsFormat, PebsRecord};
use proptest::prelude::*;

/// Any number, and often one at an end of its range.
fn number() -> impl Strategy<Value = u32> {
    prop_oneof![any::<u32>(), 0..4u32, (0..4u32).prop_map(|n| u32::MAX - n)]
}

/// Any size, and often one at an end of its range.
fn size() -> impl Strategy<Value = usize> {
    prop_oneof![any::<usize>(), 0..70usize, (0..70usize).prop_map(|n| usize::MAX - n)]
}

proptest! {
    #[test]
    fn numbers_of_registers(one in any::<[u8; 4]>(), first in number(), count in number(), stride in number(), n in number()) {
        let numbers = MsrNumbers { name: "x", family: Family::Intel, first, count, stride };
        prop_assert_eq!(numbers.contains(first), count > 0);
        let _ = numbers.contains(n);
        // `overlaps` looks at each of its own registers, so the count is kept small.
        let other = MsrNumbers::every(one[0].into(), "y", Family::Intel, n, one[1].into());
        prop_assert!(other.count == 0 || other.overlaps(&other));
        prop_assert_eq!(other.overlaps(&numbers), (0..u64::from(other.count))
            .map(|i| u64::from(n) + i * u64::from(other.stride))
            .any(|n| u32::try_from(n).is_ok_and(|n| numbers.contains(n))));
    }

    #[test]
    fn places_of_fields(offset in size(), bits in size()) {
        let field = FieldInfo { name: "X", offset, bits };
        prop_assert_eq!(field.mask(), if offset < 64 { mask(bits) << offset } else { 0 });
    }

    #[test]
    fn places_in_the_block(index in size()) {
        prop_assert!(lwpcb_bytes(index) >= 40 && offset::slot(index) >= 40 && offset::counter(index) >= 44);
    }

    #[test]
    fn leaves_of_cpuid(leaves in any::<[[u32; 4]; 4]>(), capabilities: u64, new: u64, period: u64, width: u8) {
        if let Some(caps) = PerfmonCaps::from_cpuid(leaves[0]) {
            let caps = { let mut made = caps; made.capabilities = Ia32PerfCapabilities::from_bits(capabilities); made };
            let _ = (caps.validate(), caps.counter_mask(), Ia32Pmc::check_write(0.into(), new, &caps));
            let _ = Ia32APmc::check_write(0.into(), new, &caps);
        }
        let _ = (Ia32Pmc::overflow_after(period), Ia32APmc::overflow_after(period, width));
        for vendor in [RdtVendor::Intel, RdtVendor::Amd, RdtVendor::Hygon] {
            let monitoring = MonitoringCaps::from_cpuid(leaves[1], || leaves[2]).on(vendor);
            if let Some(l3) = monitoring.l3 {
                let count = lwp_regs::rdt::Count::new(new);
                let _ = (l3.bytes(count), l3.since(count, lwp_regs::rdt::Count::new(period)));
            }
            if let Some(l3) = AllocationCaps::from_cpuid(leaves[1], |_| leaves[3]).l3 {
                let l3 = l3.on(vendor);
                let _ = (l3.check_mask(new), l3.cos_count_with_cdp(), l3.full_capacity());
            }
        }
    }

    #[test]
    fn memory_of_the_debug_store(words in any::<[u64; 4]>(), bytes in proptest::collection::vec(any::<u8>(), 0..240), code: u64) {
        let [base, index, absolute_maximum, interrupt_threshold] = words;
        let buffer = DsBuffer { base, index, absolute_maximum, interrupt_threshold };
        let _ = (buffer.bytes(), buffer.is_due(), buffer.filled(DsPart::Bts, 24));
        let format = PebsFormat::from_capabilities(Ia32PerfCapabilities::from_bits(code));
        for area in [DsFormat::Bits32, DsFormat::Bits64] {
            let _ = format.map(|format| PebsRecord::from_bytes(area, format, &bytes));
        }
        let _ = (LbrFormat::from_perf_capabilities(code).code(), LbrDepth::new(code as u8));
        let _ = LbrLayout::for_model(6, code as u8).map(|layout| layout.entry((code >> 8) as u8));
    }
}
