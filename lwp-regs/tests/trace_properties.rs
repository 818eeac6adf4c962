//! Properties of branch records and of the debug store.

use lwp_regs::trace::*;
use proptest::prelude::*;

fn format() -> impl Strategy<Value = LbrFormat> {
    (0u64..8).prop_map(LbrFormat::from_perf_capabilities)
}

/// An address as programs have them: canonical in 48 bits.
fn address() -> impl Strategy<Value = u64> {
    any::<u64>().prop_map(|bits| ((bits << 16) as i64 >> 16) as u64)
}

fn ds_format() -> impl Strategy<Value = DsFormat> {
    prop_oneof![Just(DsFormat::Bits32), Just(DsFormat::Bits64)]
}

fn depth() -> impl Strategy<Value = LbrDepth> {
    (2u32..=5).prop_map(|bits| LbrDepth::new(1 << bits).unwrap())
}

proptest! {
    // LBR-11, LBR-12, LBR-13, LBR-14, LBR-15: what is encoded is decoded, as far as the format has room
    #[test]
    fn records_survive_their_registers(
        format in format(),
        from in address(),
        to in address(),
        flags in any::<[bool; 3]>(),
        cycles in any::<u16>(),
    ) {
        let [mispredicted, in_tsx, tsx_abort] = flags.map(Some);
        let record = LbrRecord { from, to, mispredicted, in_tsx, tsx_abort, cycles: Some(cycles) };
        let decoded = format.decode(format.encode(&record).unwrap()).unwrap();
        let mask = if format == LbrFormat::Offset32 { 0xFFFF_FFFF } else { u64::MAX };
        prop_assert_eq!((decoded.from, decoded.to), (from & mask, to & mask));
        for (told, given) in [
            (decoded.mispredicted, mispredicted),
            (decoded.in_tsx, in_tsx),
            (decoded.tsx_abort, tsx_abort),
        ] {
            prop_assert!(told.is_none() || told == given);
        }
        prop_assert!(decoded.cycles.is_none() || decoded.cycles == Some(cycles));
    }

    // any content of the registers is a record, and comes back but for the reserved bits of the third register
    #[test]
    fn registers_survive_their_record(format in format(), from: u64, to: u64, info: u64) {
        let registers =
            LbrEntry { from: LbrFrom::from_bits(from), to: LbrTo::from_bits(to), info: LbrInfo::from_bits(info) };
        let record = format.decode(registers).unwrap();
        let again = format.encode(&record).unwrap();
        let to = if format == LbrFormat::Offset32 { 0 } else { to }; // one register holds both
        prop_assert_eq!((again.from.source(), again.to.destination()), (from, to));
        let told = match format {
            LbrFormat::Info => 0xE000_0000_0000_FFFF,
            LbrFormat::InfoWithoutTsx => 0x8000_0000_0000_FFFF,
            _ => 0,
        };
        prop_assert_eq!(again.info.into_bits(), info & told);
    }

    #[test]
    fn layouts_are_lossless(bits: u64) {
        prop_assert_eq!(DebugCtl::from_bits(bits).into_bits(), bits);
        prop_assert_eq!(LbrInfo::from_bits(bits).into_bits(), bits);
        prop_assert_eq!(LbrSelect::from_bits(bits).into_bits(), bits);
        prop_assert_eq!(BtsFlags::from_bits(bits).into_bits(), bits);
        prop_assert_eq!(PebsEnable::from_bits(bits).into_bits(), bits);
    }

    // DCTL-03: a write is taken or faults, and what is taken has no bit that the processor lacks
    #[test]
    fn debugctl_takes_what_there_is(new: u64, low in any::<bool>(), caps in any::<[bool; 7]>()) {
        let new = if low { new & 0xFFFF } else { new };
        let [bus_lock_detect, branch_trace, cpl_qualified, freeze_on_pmi, uncore_pmi, freeze_while_smm, rtm] = caps;
        let mut caps = DebugCtlCaps::default();
        (caps.bus_lock_detect, caps.branch_trace, caps.cpl_qualified) = (bus_lock_detect, branch_trace, cpl_qualified);
        (caps.freeze_on_pmi, caps.uncore_pmi) = (freeze_on_pmi, uncore_pmi);
        (caps.freeze_while_smm, caps.rtm) = (freeze_while_smm, rtm);
        let bit = |has: bool, mask: u64| if has { mask } else { 0 };
        let writable = 0x3
            | bit(bus_lock_detect, 0x4)
            | bit(branch_trace, 0x1C0)
            | bit(cpl_qualified, 0x600)
            | bit(freeze_on_pmi, 0x1800)
            | bit(uncore_pmi, 0x2000)
            | bit(freeze_while_smm, 0x4000)
            | bit(rtm, 0x8000);
        let taken = DebugCtl::check_write(DebugCtl::RESET, new, &caps).ok().map(DebugCtl::into_bits);
        prop_assert_eq!(taken, (new & !writable == 0).then_some(new));
    }

    // BTS-42: what a safe write can write never stores branches in memory
    #[test]
    fn safe_values_never_store(bits: u64) {
        let value = DebugCtl::from_bits(bits);
        prop_assert_ne!(UntracedDebugCtl::without_trace(value).get().trace_sink(), TraceSink::Buffer);
        if let Ok(checked) = UntracedDebugCtl::new(value) {
            prop_assert_eq!(checked.get(), value);
            prop_assert_eq!(checked.get().trace_sink(), TraceSink::Nowhere);
        }
    }

    // LBR-07, LBR-08, LBR-26: the ages name every entry once, newest first, and one more record ages all by one
    #[test]
    fn ages_name_every_entry_once(depth in depth(), tos: u64) {
        let tos = LbrTos::from_bits(tos);
        let order: Vec<u8> = (0..depth.get()).map(|age| depth.entry(tos, age).unwrap()).collect();
        prop_assert_eq!(order[0], depth.newest(tos));
        let mut sorted = order.clone();
        sorted.sort_unstable();
        prop_assert_eq!(sorted, (0..depth.get()).collect::<Vec<_>>());
        let next = depth.next(tos);
        for age in 1..depth.get() {
            prop_assert_eq!(depth.entry(next, age), Some(order[usize::from(age) - 1]));
        }
        prop_assert_eq!(depth.entry(tos, depth.get()), None);
    }

    // BTS-20, BTS-21, BTS-22, BTS-23
    #[test]
    fn branch_records_survive_memory(format in ds_format(), from: u64, to: u64, flags: u64) {
        let mask = if format == DsFormat::Bits32 { 0xFFFF_FFFF } else { u64::MAX };
        let record = BtsRecord { from: from & mask, to: to & mask, flags: BtsFlags::from_bits(flags & mask) };
        prop_assert_eq!(BtsRecord::from_bytes(format, &record.to_bytes(format)), Some(record));
    }

    // BTS-14, BTS-15, BTS-16, BTS-40, BTS-48: every record is in the buffer and at a record's place; there is one
    // interrupt on the way to the end, none when circular
    #[test]
    fn records_stay_in_their_buffer(
        format in ds_format(),
        records in 2u64..40,
        after in 1u64..39,
        steps in 0usize..120,
        circular: bool,
    ) {
        prop_assume!(after < records);
        let size = format.bts_record_bytes();
        let mut buffer = DsBuffer::empty(0x1000, size, records, after).unwrap();
        let at_end = if circular { AtEnd::Circular } else { AtEnd::Interrupt };
        let (mut stored, mut interrupts) = (0, 0);
        for _ in 0..steps {
            let (next, step) = buffer.store(size, at_end);
            if let Some(at) = step.at {
                prop_assert!(at >= buffer.base && at + size <= buffer.absolute_maximum);
                prop_assert_eq!((at - buffer.base) % size, 0);
                stored += 1;
            }
            interrupts += u64::from(step.interrupt);
            prop_assert!(next.filled(DsPart::Bts, size).is_ok());
            buffer = next;
        }
        let steps = steps as u64;
        prop_assert_eq!(stored, if circular { steps } else { steps.min(records) });
        prop_assert_eq!(interrupts, u64::from(!circular && steps >= after));
    }

    // BTS-29, BTS-30, BTS-31, BTS-33, BTS-35, BTS-36: what the builder lets through keeps the rules
    #[test]
    fn plans_keep_the_rules(
        base in (0u64..0x40_0000).prop_map(|base| base & !3), // every other one is no multiple of a field of 8 bytes
        bytes in 24u64..0x2_0000,
        after in 0u64..0x2000,
        spoilt in 0usize..12,
        a20m: bool,
    ) {
        let attributes = PageAttributes::all().difference(PageAttributes::from_bits_truncate(1 << spoilt));
        let pages = [Page { linear: 0, bytes: 0x41_0000, attributes }];
        let area = [Page { linear: 0x80_0000, bytes: 0x1000, attributes: PageAttributes::all() }];
        let management = Region { base: 0x80_0000, bytes: 128, pages: &area };
        let region = Region { base, bytes, pages: &pages };
        let mut builder =
            DsBuilder::new(DsFormat::Bits64, management, true).bts(region, BtsMode::InterruptAfter(after));
        if a20m {
            builder = builder.a20m_possible();
        }
        let records = bytes / 24;
        let bit_20 = (base..base + bytes).any(|address| address & 0x10_0000 != 0);
        let good = base.is_multiple_of(8)
            && attributes.contains(PageAttributes::REQUIRED)
            && base + bytes <= 0x41_0000
            && !(a20m && bit_20)
            && (1..records).contains(&after);
        let plan = builder.build();
        prop_assert_eq!(plan.is_ok(), good, "{:?}", plan);
        if let Ok(plan) = plan {
            let bts = plan.image().bts;
            prop_assert_eq!((bts.base, bts.index, bts.bytes()), (base, base, records * 24));
            prop_assert_eq!(bts.interrupt_threshold, base + after * 24);
            prop_assert_eq!(plan.warnings().contains(DsWarnings::REST_UNUSED), bytes % 24 != 0);
        }
    }
}

#[test]
fn each_error_has_a_text_of_its_own_with_an_advice() {
    let (part, base, records) = (DsPart::Bts, 0x1001, 4);
    let mut texts: Vec<String> = [
        DsError::NoApic,
        DsError::NoBuffer,
        DsError::Misaligned { part, base, alignment: 4 },
        DsError::TooSmall { part, needed: 24 },
        DsError::TooHigh { part, base },
        DsError::Overlap(DsPart::Management, part),
        DsError::NotContiguous { part, linear: base },
        DsError::Page { part, linear: base, missing: PageAttributes::DIRTY },
        DsError::A20 { part, linear: base },
        DsError::Threshold { part, after: 9, records },
        DsError::Latency { waiting: 5, room: 4 },
        DsError::PebsRecordBytes(1),
        DsError::OtherMemory { part: DsPart::Pebs, address: base },
    ]
    .iter()
    .map(ToString::to_string)
    .collect();
    texts.extend(
        [
            DsIndexError::Outside { part, index: 0, base, absolute_maximum: base },
            DsIndexError::BetweenRecords { part, index: 1, record_bytes: 24 },
            DsIndexError::OtherBuffer { part, base, absolute_maximum: base },
        ]
        .iter()
        .map(ToString::to_string),
    );
    for (i, text) in texts.iter().enumerate() {
        assert!(!texts[..i].contains(text), "said twice: {text}");
        assert!(text.contains(';'), "no advice: {text}");
        assert!(text.len() > 30, "too short: {text}");
    }
}
