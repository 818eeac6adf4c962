//! Properties that hold for any register value, block, record and sequence of ring operations.

use lwp_regs::Rule;
use lwp_regs::access::GeneralProtection;
use lwp_regs::lwp::*;
use proptest::collection::vec;
use proptest::prelude::*;

fn features() -> impl Strategy<Value = Features> {
    (0u32..16).prop_map(|bits| Features::from_bits_truncate(bits & 0xE | (bits & 1) << 31))
}

fn layout() -> impl Strategy<Value = EdxLayout> {
    prop_oneof![Just(EdxLayout::AsPrinted), Just(EdxLayout::LikeEax)]
}

/// Any capabilities, those that make no sense included.
fn any_caps() -> impl Strategy<Value = LwpCaps> {
    let sizes = (any::<u8>(), prop_oneof![4 => Just(32u8), 1 => Just(64)], 0u8..30, 1u8..4, 0u8..32);
    (features(), sizes, any::<[bool; 3]>()).prop_map(
        |(features, (lwpcb_size, event_size, max_events, version, cache_max), [data, levels, latency])| {
            let mut made = LwpCaps::new(AvailableFeatures::new(Features::empty()), 0);
            made.available = AvailableFeatures::new(features);
            made.lwpcb_size = lwpcb_size;
            made.event_size = event_size;
            made.max_events = max_events;
            made.version = version;
            made.cache_max = cache_max;
            made.data_address = data;
            made.cache_levels = levels;
            made.cache_latency = latency;
            made
        },
    )
}

fn valid_caps() -> impl Strategy<Value = LwpCaps> {
    (any_caps(), 1u8..=26, 10u8..32, 0u8..8).prop_map(|(caps, max_events, cache_max, spare)| {
        let mut made = caps;
        made.max_events = max_events;
        made.cache_max = cache_max;
        made.lwpcb_size = (40 + 8 * max_events).saturating_add(spare);
        made.event_size = 32;
        made.version = 1;
        made.cache_levels = caps.cache_levels || !caps.cache_latency;
        made
    })
}

fn any_image() -> impl Strategy<Value = LwpcbImage> {
    any::<[[u8; 31]; 8]>().prop_map(|bytes| LwpcbImage::from_bytes(&core::array::from_fn(|i| bytes[i / 31][i % 31])))
}

/// An event and its interval: mostly few small numbers, so that they repeat; now and then around the limits.
fn selection() -> impl Strategy<Value = (u8, u32)> {
    (prop_oneof![6 => 1u8..9, 1 => 62u8..66], prop_oneof![6 => 0u32..1 << 20, 1 => (1u32 << 26) - 2..(1 << 26) + 2])
}

/// Whether `small` promises no more than `large`.
fn at_most(small: &LwpCaps, large: &LwpCaps) -> bool {
    large.available.contains(small.available.features())
        && small.lwpcb_size >= large.lwpcb_size
        && small.event_size == large.event_size
        && small.max_events <= large.max_events
        && small.version <= large.version
        && small.cache_max <= large.cache_max
        && small.data_address <= large.data_address
        && small.cache_levels <= large.cache_levels
        && small.cache_latency <= large.cache_latency
}

proptest! {
    #[test]
    fn caps_survive_cpuid(caps in any_caps(), layout in layout()) {
        let regs = caps.to_cpuid(LwpMsr0::RESET, layout);
        prop_assert_eq!(LwpCaps::from_cpuid(regs, layout), Some(caps));
    }

    #[test]
    fn cpuid_never_panics(regs in any::<[u32; 4]>(), layout in layout()) {
        if let Some(caps) = LwpCaps::from_cpuid(regs, layout) {
            let _ = (caps.validate(), caps.max_latency());
        }
    }

    // LWP-MSR0-09, LWP-MSR0-10: #GP exactly if a bit outside the mask is set
    #[test]
    fn msr0_takes_what_is_available(value in any::<u64>(), narrow in any::<bool>(), caps in any_caps()) {
        let value = if narrow { value & 0x8000_001F } else { value };
        let offending = value & !LwpMsr0::writable_mask(caps.available);
        match LwpMsr0::check_write(LwpMsr0::RESET, value, &caps) {
            Ok(msr0) => {
                prop_assert_eq!(offending, 0);
                prop_assert_eq!(u64::from(msr0.eax()), value);
                if let Some(enabled) = EnabledFeatures::from_eax(msr0.eax()) {
                    prop_assert!(enabled.is_subset_of(caps.available)); // LWP-CPU-05
                }
            }
            Err(fault) => {
                prop_assert_ne!(offending, 0);
                let reserved = offending & LwpMsr0::RESERVED;
                let expected = match reserved {
                    0 => GeneralProtection::refused("LWPMSR0", offending, Rule::NotAvailable("the feature in CPUID EDX")),
                    _ => GeneralProtection::refused("LWPMSR0", reserved, Rule::MustBeZero),
                };
                prop_assert_eq!(fault, expected);
            }
        }
    }

    // LWP-SVM-05
    #[test]
    fn intersect_is_commutative(a in any_caps(), b in any_caps()) {
        prop_assert_eq!(a.intersect(&b), b.intersect(&a));
    }

    // LWP-SVM-05
    #[test]
    fn intersect_is_associative(a in any_caps(), b in any_caps(), c in any_caps()) {
        let left = a.intersect(&b).and_then(|ab| ab.intersect(&c));
        let right = b.intersect(&c).and_then(|bc| a.intersect(&bc));
        prop_assert_eq!(left, right);
    }

    // LWP-SVM-05
    #[test]
    fn intersect_promises_no_more_than_either(a in any_caps(), b in any_caps()) {
        if let Ok(both) = a.intersect(&b) {
            prop_assert!(at_most(&both, &a) && at_most(&both, &b));
            if !both.cache_levels && !both.cache_latency {
                prop_assert!(!both.available.contains(Features::DME));
            }
        } else {
            prop_assert_ne!(a.event_size, b.event_size);
        }
    }

    #[test]
    fn valid_caps_stay_valid_and_meet_themselves(a in valid_caps(), b in valid_caps()) {
        prop_assert_eq!(a.validate(), Ok(()));
        prop_assert_eq!(a.intersect(&a), Ok(a));
        prop_assert_eq!(a.intersect(&b).unwrap().validate(), Ok(()));
    }

    #[test]
    fn records_lose_nothing(bytes in any::<[u8; 32]>(), id in any::<Option<u8>>()) {
        let mut bytes = bytes;
        bytes[0] = id.map_or(bytes[0], |id| id % 5);
        let record = EventRecord::from_bytes(&bytes);
        prop_assert_eq!(record.to_bytes(), bytes);
        let event = Event::decode(record);
        prop_assert_eq!(event.record(), record);
        prop_assert_eq!(event.event_id().map_or(0, EventId::get), bytes[0]);
        // LWP-REC-09: clearing what the mask names makes any record one that hardware could write
        let mask = record.reserved_mask();
        let clean = EventRecord::from_words(core::array::from_fn(|i| record.words()[i] & !mask[i]));
        prop_assert!(clean.reserved_bits_are_zero());
        prop_assert_eq!(record.reserved_bits_are_zero(), clean == record);
    }

    // LWP-REC-09, LWP-BRN-22, LWP-DCM-22
    #[test]
    fn made_records_are_well_formed_and_read_back(
        core in any::<u8>(), address in any::<u64>(), other in any::<u64>(), latency in any::<u32>(),
        taken in any::<bool>(), predicted in any::<Option<bool>>(), source in 0usize..5, data in any::<Option<u64>>(),
    ) {
        let source = [
            DataSource::None, DataSource::LocalL3, DataSource::Remote, DataSource::Dram, DataSource::Other,
        ][source];
        let instruction = InstructionRecord::new(core, address);
        prop_assert!(instruction.is_well_formed());
        prop_assert_eq!((instruction.core(), instruction.address()), (core, address));

        let branch = BranchRecord::new(core, address, taken, predicted, other);
        prop_assert!(branch.is_well_formed());
        prop_assert_eq!((branch.core(), branch.address(), branch.next_address()), (core, address, other));
        prop_assert_eq!((branch.taken(), branch.predicted()), (taken, predicted));

        let miss = DcacheRecord::new(core, address, source, latency, data);
        prop_assert!(miss.is_well_formed());
        prop_assert_eq!((miss.core(), miss.address(), miss.latency()), (core, address, latency));
        prop_assert_eq!((miss.source(), miss.data_address()), (source, data));
    }

    #[test]
    fn images_lose_nothing(image in any_image(), slots in 0usize..=26) {
        prop_assert_eq!(LwpcbImage::from_bytes(&image.to_bytes()), image);
        let mut bytes = vec![0xA5; 256];
        image.write_bytes(slots, &mut bytes);
        prop_assert!(bytes[lwpcb_bytes(slots)..].iter().all(|byte| *byte == 0xA5));
        let mut expected = image;
        expected.slots[slots..].fill(SlotImage::default());
        prop_assert_eq!(LwpcbImage::read_bytes(slots, &bytes), expected);
        prop_assert_eq!(LwpcbMemory::new().load_image(slots, &image).image(), expected);
    }

    #[test]
    fn checking_any_image_never_panics(image in any_image(), caps in any_caps(), valid in valid_caps()) {
        for caps in [caps, valid] {
            if let Err(error) = Lwpcb::new(image, &caps) {
                prop_assert!(!error.to_string().is_empty());
            }
        }
    }

    // LWP-LCB-10, LWP-LCB-16, LWP-LCB-18, LWP-LCB-30: what the builder lets through keeps the rules
    #[test]
    fn built_blocks_keep_the_rules(
        caps in valid_caps(), base in any::<u64>(), size in prop_oneof![3 => 256u32..0x2000, 1 => 0u32..96], aligned in any::<[bool; 2]>(),
        threshold in prop_oneof![3 => 0u32..8, 1 => 0u32..300], random in prop_oneof![3 => 0u8..16, 1 => 14u8..18], events in vec(selection(), 0..5),
    ) {
        let base = if aligned[0] { base & !31 } else { base };
        let size = if aligned[1] { size & !31 } else { size };
        let mut builder = LwpcbBuilder::new(&caps).buffer(base, size).threshold_records(threshold).random(random);
        for (id, interval) in &events {
            builder = builder.event(EventId::new(*id).unwrap(), *interval);
        }
        let mut ids: Vec<u8> = events.iter().map(|event| event.0).collect();
        ids.sort_unstable();
        ids.dedup();
        let good = base % 32 == 0 && base.checked_add(u64::from(size)).is_some() && size % 32 == 0 && size >= 64
            && threshold * 32 < size && random <= 15 && !events.is_empty() && ids.len() == events.len()
            && events.len() <= usize::from(caps.max_events)
            && events.iter().all(|(id, interval)| *id <= 63 && *interval < 1 << 26);
        let built = builder.build();
        prop_assert_eq!(built.is_ok(), good, "{:?}", built.err());
        if let Ok(block) = built {
            prop_assert_eq!(block.image().base, base);
            prop_assert_eq!(block.image().size.buffer_size(), size);
            prop_assert_eq!(block.image().size.random(), random);
            for (slot, (id, interval)) in block.image().slots.iter().zip(&events) {
                prop_assert_eq!(*slot, SlotImage::new(*interval, *id, *interval));
            }
        }
    }
}
