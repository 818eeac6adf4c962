//! Properties of saved states and of the places of blocks.

use lwp_regs::bits::{U2, U4, U26, U28};
use lwp_regs::lwp::context::{ContextFlags, HeadWord, ResumeWord, SavedContext};
use lwp_regs::lwp::*;
use proptest::prelude::*;
use std::convert::Infallible;

/// A port that is a variable, and the word that is to be written next.
#[derive(Debug, Default)]
struct Port {
    words: [u64; 10],
    next: Option<u8>,
}

impl LwpContextPort for Port {
    type Fault = Infallible;
    unsafe fn save_word(&mut self, index: u8) -> Result<u64, Infallible> {
        Ok(self.words[usize::from(index)])
    }
    unsafe fn restore_word(&mut self, index: u8, value: u64) -> Result<(), Infallible> {
        assert_eq!(self.next, Some(index), "from the highest down");
        self.words[usize::from(index)] = value;
        self.next = index.checked_sub(1);
        Ok(())
    }
}

/// A record that waits: none, or one of each type.
fn record() -> impl Strategy<Value = EventRecord> {
    let branch = (any::<u64>(), any::<bool>(), any::<Option<bool>>(), any::<u64>());
    prop_oneof![
        Just(EventRecord::default()),
        any::<u64>().prop_map(|address| InstructionRecord::new(0, address).record()),
        branch.prop_map(|(at, taken, predicted, next)| BranchRecord::new(0, at, taken, predicted, next).record()),
        (any::<u64>(), any::<u32>(), any::<Option<u64>>()).prop_map(|(at, latency, data)| DcacheRecord::new(
            0,
            at,
            DataSource::Dram,
            latency,
            data
        )
        .record()),
    ]
}

/// Any state of a running session.
fn running() -> impl Strategy<Value = LwpVolatileState> {
    let small = (0u32..1 << 23, any::<u16>(), any::<bool>(), 0u8..16, 0u8..3);
    (1u64..1 << 60, small, [0u32..1 << 26, 0u32..1 << 26, 0u32..1 << 26], record()).prop_map(
        |(block, (head, missed, pending, tail_skip, rotate), counters, record)| LwpVolatileState {
            lwpcb: block * 16,
            head: HeadWord::new().with_head(U28::masked(head * 32)),
            flags: ContextFlags::new()
                .with_session(true)
                .with_pending(pending && record.event_id().is_some())
                .with_missed(missed),
            counters: counters.map(|counter| CounterWord::new().with_counter(U26::masked(counter))),
            resume: ResumeWord::new().with_tail_skip(U4::masked(tail_skip)).with_rotate(U2::masked(rotate)),
            record,
        },
    )
}

proptest! {
    // LWP-CTX-04, LWP-CTX-16: whatever the words are, they come back
    #[test]
    fn states_lose_nothing(words in any::<[u64; 10]>()) {
        let area = SmmLwpArea::from_words(words);
        prop_assert_eq!(area.to_words(), words);
        prop_assert_eq!(SmmLwpArea::from_bytes(&area.to_bytes()), area);
        prop_assert_eq!(&area.state.to_words()[..], &words[..8]);
        prop_assert_eq!(VmcbLwpArea::from_bytes(&area.state.to_bytes()), area.state);
    }

    // LWP-CTX-16: a check says yes or no, and TryFrom the same
    #[test]
    fn checking_any_state_never_panics(words in any::<[u64; 10]>(), good in running(), at in 0usize..8, bit in 0u32..64) {
        for mut words in [words, SmmLwpArea { state: good, msr0: 1, ..SmmLwpArea::default() }.to_words()] {
            words[at] ^= 1 << bit;
            let area = SmmLwpArea::from_words(words);
            prop_assert_eq!(SmmLwpArea::try_from(words).map(|_| ()), area.check());
            prop_assert_eq!(SavedContext::try_from(area.state).map(|_| ()), area.state.check());
            prop_assert!(area.state.check().is_ok() || area.check().is_err());
        }
    }

    // LWP-CTX-07, LWP-SVM-01: two threads taking turns, each with a state of its own
    #[test]
    fn states_survive_a_switch(a in running(), b in running()) {
        prop_assert_eq!((a.check(), b.check()), (Ok(()), Ok(())));
        let mut port = Port::default();
        for state in [a, b, a] {
            port.next = Some(7);
            // SAFETY: the port is a variable.
            let Ok(()) = unsafe { state.restore(&mut port) };
            // SAFETY: as above.
            let Ok(saved) = unsafe { LwpVolatileState::save(&mut port) };
            prop_assert_eq!((saved, port.next), (state, None));
        }
    }

    // LWP-LLW-05: the place is aligned, in one page, and the first such
    #[test]
    fn places_within_a_page(address in prop_oneof![any::<u64>(), 0u64..0x4000], bytes in 40u8..) {
        if let Some(place) = LwpcbAddr::within_page(address, bytes) {
            prop_assert!(place.get() >= address && place.get() - address < 256 + 16);
            prop_assert!(!place.crosses_page(bytes));
            let earlier = (address..place.get()).filter_map(|at| LwpcbAddr::new(at).ok());
            prop_assert_eq!(earlier.filter(|at| !at.crosses_page(bytes)).count(), 0);
        } else {
            prop_assert!(address > u64::MAX - 512);
        }
    }
}
