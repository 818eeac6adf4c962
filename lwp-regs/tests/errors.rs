//! Every error says what was wrong and what to do about it.

use lwp_regs::Rule;
use lwp_regs::access::GeneralProtection;
use lwp_regs::lwp::context::ContextError;
use lwp_regs::lwp::session::SessionError;
use lwp_regs::lwp::{
    CapsError, EnableError, EventId, EventIdError, Features, LwpcbAddrError, LwpcbError, RingError, ViewError,
};
use lwp_regs::tsc::{RateStepError, TimeFault};

const EVENT: EventId = EventId::DCACHE_MISSES;

fn all() -> Vec<String> {
    let (size, base) = (33, 0x41);
    let mut texts: Vec<String> = [
        LwpcbError::Caps(CapsError::Version(2)),
        LwpcbError::BufferSizeZero,
        LwpcbError::BufferSizeNotMultiple { size },
        LwpcbError::BufferOneRecord,
        LwpcbError::BufferTooLarge { size },
        LwpcbError::BufferBaseMisaligned { base },
        LwpcbError::BufferWraps { base, size },
        LwpcbError::HeadMisaligned { head: 1 },
        LwpcbError::HeadOutOfRange { head: 1, size },
        LwpcbError::TailMisaligned { tail: 1 },
        LwpcbError::TailOutOfRange { tail: 1, size },
        LwpcbError::ThresholdNotMultiple { threshold: 1 },
        LwpcbError::ThresholdOutOfRange { threshold: 1, size },
        LwpcbError::RandomTooLarge { bits: 16 },
        LwpcbError::IntervalTooLarge { event: EVENT, interval: 1 << 26 },
        LwpcbError::CounterTooLarge { event: EVENT, counter: 1 << 26 },
        LwpcbError::DuplicateEvent { event: EVENT },
        LwpcbError::TooManyEvents { slots: 3 },
        LwpcbError::NoSuchSlot { slot: 3, slots: 3 },
        LwpcbError::EventNotSelectable { event: EVENT },
        LwpcbError::EventNotEnabled { event: EVENT },
        LwpcbError::NoEvents,
        LwpcbError::LevelFilterUnsupported,
        LwpcbError::LevelFilterEmpty,
        LwpcbError::LatencyFilterUnsupported,
        LwpcbError::ReservedBits { offset: 36, bits: 1 << 31 },
    ]
    .iter()
    .map(ToString::to_string)
    .collect();
    let caps = [
        CapsError::EventSize(64),
        CapsError::MaxEvents(27),
        CapsError::LwpcbSize { size: 40, needed: 64 },
        CapsError::CacheMax(9),
        CapsError::NoCacheFilter,
        CapsError::EventSizeMismatch,
    ];
    texts.extend(caps.iter().map(ToString::to_string));
    let ring = [
        RingError::Stride(64),
        RingError::Size { size, expected: 64 },
        RingError::Base { base, expected: 0x40 },
        RingError::Head { head: 1, size },
        RingError::Tail { tail: 1, size },
        RingError::Advance { records: 2, available: 1 },
        RingError::Block(ViewError::Slots(27)),
        RingError::Block(ViewError::Address(LwpcbAddrError::Zero)),
        RingError::Block(ViewError::Tail { tail: 2, size }),
    ];
    texts.extend(ring.iter().map(ToString::to_string));
    texts.extend([EventIdError::Zero, EventIdError::NotSelectable(64)].iter().map(ToString::to_string));
    texts.extend([EnableError::NoHandler, EnableError::NotAvailable(Features::DME)].iter().map(ToString::to_string));
    texts.push(LwpcbAddrError::Misaligned(8).to_string());
    let faults = [
        GeneralProtection::refused("LWPMSR0", 4, Rule::MustBeZero),
        GeneralProtection::NoSuchRegister,
        GeneralProtection::NotEnabled,
        GeneralProtection::Misaligned(8),
    ];
    texts.extend(faults.iter().map(ToString::to_string));
    let context = [
        ContextError::PointerMisaligned(8),
        ContextError::ReservedBits { word: 1, bits: 4 },
        ContextError::SessionWithoutPointer,
        ContextError::WithoutSession { word: 2 },
        ContextError::HeadMisaligned(1),
        ContextError::NoSuchEventIndex,
        ContextError::PendingWithoutRecord,
        ContextError::UnknownEvent(EVENT),
        ContextError::RecordMalformed,
        ContextError::PointerWhileDisabled,
    ];
    texts.extend(context.iter().map(ToString::to_string));
    let steps = [
        RateStepError::DenominatorZero,
        RateStepError::RestTooLarge { rest: 3, denominator: 3 },
        RateStepError::Zero,
        RateStepError::TooWide { numerator: 1, denominator: 0x1_0000 },
    ];
    texts.extend(steps.iter().map(ToString::to_string));
    texts.extend([TimeFault::InvalidOpcode, TimeFault::GeneralProtection].iter().map(ToString::to_string));
    texts.push(SessionError::Fault("#PF").to_string());
    texts
}

#[test]
fn each_has_a_text_of_its_own_with_an_advice() {
    let texts = all();
    for (i, text) in texts.iter().enumerate() {
        assert!(!texts[..i].contains(text), "said twice: {text}");
        assert!(text.contains([';', ':']), "no advice: {text}");
        assert!(text.len() > 30, "too short: {text}");
        assert_ne!(text, "control block refused");
    }
}
